"""Veiling and unveiling undo one another, and veiling twice is veiling once (DESIGN 4.6 and 5, laws 6 and 7).

What that means, precisely:

* ``unveil(veil(x)) = x`` outside of what is scrubbed: a known name comes back as the CRM writes it, a look-alike as it was written, a phone or a
  stranger's name as its placeholder, a character that nobody sees not at all, everything else letter for letter. White space may stand beside a
  rendering that would else have run together with its neighbours.
* ``veil(veil(x)) = veil(x)``: read in token-aware mode (what goes back to the model again) a veiled text does not change by a letter; where words
  and values stand apart, not even when the detectors read it anew. Read as somebody's words it is a text like any other: its tokens and
  placeholders are look-alikes, or for the member who types them the tokens, and where only names were masked nothing else is. (The word in a
  placeholder can be the cue that a bare number beside it lacked: then the mask grows.)
* However a model decorates a token, the reader gets the name in its place and the decoration around it, for every way of cutting the stream.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tests import proof
from tests.laws.memory import SETTING, Memory
from tests.laws.writings import AROUND, DASHES, FIELDS, NO_TOKENS, SPACED_DASHES
from veil.late import recheck
from veil.text import Marked, Source
from veil.tokens import Token, find
from veil.unveiling import plain

KNOWN = ("Otoniel Ibarrola", "Zulema Pacheco", "Ysolina Barrantes Vega")
NAMES = st.sampled_from(
    ["Otoniel Ibarrola", "OTONIEL IBARROLA", "otoniel ibarrola", "Ibarrola", "Otoniel", "Ibarrola, Otoniel", "Zulema", "zulema pacheco", "Ysolina Barrantes",
     "Ysolina Vega", "Ysolina  Barrantes Vega", "Zule\u0301ma Pacheco", "@Otoniel", "#ZulemaPacheco", "Otoniel's", "Zulema\u2019s", "**Zulema Pacheco**", "«Otoniel»"]
)  # fmt: skip
STRANGERS = st.sampled_from(["mi hermana Débora Quintanilla", "don Ulises", "Wenceslao Ojeda", "PEDRO GÓMEZ"])
VALUES = st.sampled_from(["+56 9 6123 4567", "n.quinelen@correo.example", "12.345.678-5", "4111 1111 1111 1111"])
#: A letter, of which few or many have tokens, with a number that is taken, reserved by now, or free.
LOOK_ALIKES = st.builds(
    lambda letter, dash, number, around: f"{around[0]}{letter}{dash}{number}{around[1]}",
    st.sampled_from("CUXQZ"), st.sampled_from(DASHES + SPACED_DASHES), st.sampled_from([1, 2, 3, 7, 12, 9_999]), st.sampled_from(AROUND),
)  # fmt: skip
PLACEHOLDERS = st.sampled_from(["[nombre 1]", "[teléfono]", "[nombre]", "[contenido retenido]", "[ Nombre 2 ]", "[código]", "[name 1]"])
MARKDOWN = st.sampled_from(
    ["**", "- ", "# ", "> ", "| a | b |", "|---|---|", "`x = 1`", "[ficha](https://tienda.example/x)", "![foto](https://tienda.example/a.png)", "https://tienda.example/p?q=1",
     "www.tienda.example/x", "~~no~~", "<b>ya</b>", "&amp;", "\\*", "```\ncode\n```", "1. ", "[^1]", "$12.990", "12/03", "P-450", "#45123"]
)  # fmt: skip
WORDS = st.sampled_from(
    ["dice que", "y", "el pedido llegó ayer", "¿qué pasa?", "hoy a las 10:30", "日本", "שלום", "😀", "ñandú", "e\u0301l", "ﬁn", "５", "\u200d", "\u200b", "\ufeff", "a\u00adb", "\u202e"]
)  # fmt: skip
GAPS = st.sampled_from([" ", "\n", ", ", ". ", "; ", " — ", " (", ") ", "\n\n", "\t", "\u00a0", "…"])
GLUED = st.one_of(NAMES, STRANGERS, LOOK_ALIKES, st.sampled_from(NO_TOKENS), PLACEHOLDERS, MARKDOWN, WORDS)
PARTS = GLUED | VALUES.map("{};".format)
#: Of these nothing but names is masked, and no placeholder is left that could be a cue.
QUIET = NAMES | LOOK_ALIKES | MARKDOWN | st.sampled_from(["dice que", "y", "¿qué pasa?", "10:30", "😀", "e\u0301l", "a\u00adb", "\u202e", "\u200b"])


def sentences(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Such parts, each apart from the next."""
    return st.lists(st.tuples(parts, GAPS), min_size=1, max_size=8).map(lambda pairs: "".join(part + gap for part, gap in pairs))


#: Any text at all, odd characters and all.
TEXTS = st.one_of(sentences(PARTS), st.text(max_size=40), st.lists(GLUED | st.text(max_size=3), max_size=6).map("".join))


def letters(text: str) -> str:
    """A text without white space."""
    return re.sub(r"\s", "", text)


def meant(memory: Memory, marked: Marked) -> str:
    """What a reader of this veiled text should get, as its marks say: names as the CRM has them, and nobody's in an address."""
    pieces: list[str] = []
    position = length = 0
    readable = {found.start for found in find(marked.veiled().text)}
    for mark in marked.marks:
        before, written = marked.clear.text[position : mark.start], marked.clear.text[mark.start : mark.end]
        length += len(before)
        opened = any(length <= start < length + len(mark.rendering) for start in readable)
        pieces += (before, _back(memory, mark.source, mark.rendering, written, opened))
        length += len(mark.rendering)
        position = mark.end
    return "".join((*pieces, marked.clear.text[position:]))


def _back(memory: Memory, source: Source, rendering: str, written: str, opened: bool) -> str:
    if source is Source.LOOK_ALIKE and rendering != SETTING.words.code:
        return re.sub(_UNSEEN, "", written)
    if not opened:
        return rendering
    (found, *_) = find(rendering)
    entity = memory.thread.entity_of(found.token)
    card = memory.cards.get(entity) if entity is not None else None
    return rendering if card is None or found.field else plain(card.name)


#: What veiling removes, since a model reads it and people do not.
_UNSEEN = "[\u202a-\u202e\u2066-\u2069\u200b\u2060-\u2064\ufeff\u00ad\U000e0000-\U000e007f]"


@given(TEXTS, st.booleans())
@example("Ping @Otoniel, @Zulema", False)
@example("Otoniel Ibarrola/Zulema Pacheco", False)
def test_what_was_veiled_comes_back(text: str, typed: bool) -> None:
    memory = Memory(*KNOWN)
    marked = memory.marked(text, typed=typed)
    back = memory.unveiled(marked.veiled().text)
    assert letters(back) == letters(meant(memory, marked))


@given(st.lists(st.one_of(NAMES, LOOK_ALIKES, st.sampled_from(["dice", "y", "hoy", "10:30"])), min_size=1, max_size=6).map(" ; ".join))
def test_where_nothing_runs_together_it_comes_back_to_the_letter(text: str) -> None:
    memory = Memory(*KNOWN)
    marked = memory.marked(text)
    assume(all(mark.rendering == mark.rendering.strip() for mark in marked.marks))
    assert memory.unveiled(marked.veiled().text) == meant(memory, marked)


@given(TEXTS, st.booleans())
def test_a_veiled_text_that_goes_back_again_does_not_change(text: str, typed: bool) -> None:
    memory = Memory(*KNOWN)
    veiled = memory.marked(text, typed=typed).veiled()
    assert recheck(veiled, memory.thread, SETTING, scrubbed=True) == (veiled, 0)


@given(sentences(PARTS), st.booleans())
@example("C-9999 4111 1111 1111 1111; ", False)
def test_nor_does_it_when_detectors_read_it_anew(text: str, typed: bool) -> None:
    memory = Memory(*KNOWN)
    veiled = memory.marked(text, typed=typed).veiled()
    assert recheck(veiled, memory.thread, SETTING, scrubbed=False) == (veiled, 0)


@given(sentences(QUIET))
def test_somebody_who_quotes_a_veiled_text_gives_nothing_to_mask(text: str) -> None:
    memory = Memory(*KNOWN)
    veiled = memory.marked(text).veiled().text
    again = memory.marked(veiled)
    assert {mark.source for mark in again.marks} <= {Source.LOOK_ALIKE}
    assert letters(memory.unveiled(again.veiled().text)) == letters(veiled) or SETTING.words.code in again.veiled().text


@given(sentences(QUIET))
def test_a_member_who_types_a_veiled_text_means_the_same_people(text: str) -> None:
    memory = Memory(*KNOWN)
    veiled = memory.marked(text, typed=True).veiled().text
    again = memory.marked(veiled, typed=True)
    assert {mark.source for mark in again.marks} <= {Source.LOOK_ALIKE, Source.TOKEN}
    live = [mark.rendering.strip() for mark in again.marks if mark.source is Source.TOKEN]
    assert live == [str(found.token) + (f".{found.field}" if found.field else "") for found in find(veiled) if memory.thread.entity_of(found.token)]
    thrice = memory.marked(again.veiled().text, typed=True)
    assert [mark.rendering.strip() for mark in thrice.marks if mark.source is Source.TOKEN] == live


@given(st.lists(st.text("abcdeéiñou \u2019-", min_size=2, max_size=40), min_size=2, max_size=6), st.randoms())
def test_names_of_any_length_come_back_in_their_places(names: list[str], dice: object) -> None:
    """B003: places are found, never counted."""
    people = [f"Q{name.strip() or 'x'}" for name in names]
    memory = Memory(*people)
    answer = " reporta a ".join(f"C-{number}" for number in range(1, len(people) + 1))
    assert memory.unveiled(answer) == " reporta a ".join(plain(name) for name in people)


TOKENS = st.builds(Token, st.just("C"), st.sampled_from([1, 2, 3]))
SMALL = st.sampled_from([False, True])


@st.composite
def decorated(draw: st.DrawFn) -> tuple[Token, str, str, str]:
    """A token, what stands before it, how it is written, what stands behind it."""
    token, dash = draw(TOKENS), draw(st.sampled_from(DASHES + SPACED_DASHES))
    letter = token.letter.lower() if dash in DASHES and draw(SMALL) else token.letter
    before, behind = draw(st.sampled_from(AROUND))
    return token, before, f"{letter}{dash}{token.number}", behind


@given(st.lists(decorated(), min_size=1, max_size=4), st.lists(st.integers(0, 400), max_size=12))
def test_any_decoration_of_a_token_is_read_as_the_token_for_every_cut(written: list[tuple[Token, str, str, str]], cuts: list[int]) -> None:
    memory = Memory(*KNOWN)
    text = " ; ".join(f"{before}{surface}{behind}" for _, before, surface, behind in written)
    clear = " ; ".join(f"{before}{KNOWN[token.number - 1]}{behind}" for token, before, _, behind in written)
    assume([found.surface for found in find(text)] == [surface for _, _, surface, _ in written])  # a bracket left open closes what follows
    assert memory.unveiled(text) == clear
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    assert memory.answer(*(text[start:end] for start, end in pairwise(places))) == memory.answer(text)
    assert memory.answer(*text) == memory.answer(text)


@pytest.mark.parametrize(("before", "behind"), AROUND)
def test_every_dash_in_every_surrounding_gives_the_name(before: str, behind: str) -> None:
    memory = Memory("Otoniel Ibarrola")
    shown = [memory.unveiled(f"{before}C{dash}1{behind}") for dash in DASHES + SPACED_DASHES]
    assert shown == [f"{before}Otoniel Ibarrola{behind}"] * len(DASHES + SPACED_DASHES)


@pytest.mark.parametrize(("behind", "field"), FIELDS)
def test_every_writing_of_a_handle_is_the_handle(behind: str, field: str) -> None:
    memory = Memory("Otoniel Ibarrola")
    marks = [memory.answer(f"al c{dash}1{behind} ya")[0].marks for dash in DASHES]
    assert [[(mark.rendering, mark.field) for mark in found] for found in marks] == [[(f"C-1.{field}", field)]] * len(DASHES)


@given(decorated())
def test_foreign_text_that_decorates_a_token_is_nobodys_and_comes_back(written: tuple[Token, str, str, str]) -> None:
    _, before, surface, behind = written
    memory = Memory(*KNOWN)
    text = f"{before}{surface}{behind}"
    marked = memory.marked(text)
    shown, _ = memory.answer(marked.veiled().text)
    assert not [mark for mark in shown.marks if mark.entities]
    assert shown.clear.text == re.sub(_UNSEEN, "", text)


@pytest.mark.prove
def test_many_texts_there_and_back() -> None:
    """The laws above, on a great many texts whose parts are thrown from the tables."""
    dice, counted = Random("there and back"), Counter[str]()
    surroundings = [*AROUND, *((word, "") for word in NO_TOKENS), ("[nombre 1] ", ""), ("![", "]"), ("https://x.example/", " "), ("x", ""), ("", "9")]
    for _ in range(50_000):
        text = ""
        for _ in range(dice.randint(1, 6)):
            (before, behind), dash = dice.choice(surroundings), dice.choice(DASHES + SPACED_DASHES)
            token = f"{dice.choice('CcUXQ')}{dash}{dice.choice((1, 2, 3, 12, 9_999))}"
            inner = dice.choice((token, token, token, dice.choice((*KNOWN, "Otoniel", "zulema")), "hola"))
            text += f"{before}{inner}{behind}" + dice.choice(("", " ", "\n", ", ", ";"))
        memory = Memory(*KNOWN)
        marked = memory.marked(text)
        veiled = marked.veiled()
        places = sorted(dice.randrange(len(veiled.text) + 1) for _ in range(dice.randint(0, 5)))
        chunks = [veiled.text[start:end] for start, end in pairwise([0, *places, len(veiled.text)])]
        assert letters(memory.unveiled(*chunks)) == letters(meant(memory, marked)), repr(text)
        assert recheck(veiled, memory.thread, SETTING, scrubbed=True) == (veiled, 0), repr(text)
        assert memory.answer(*chunks) == memory.answer(veiled.text), repr(text)
        written = find(text, anywhere=True)
        counted.update(
            {
                "texts that came back": 1,
                "characters": len(text),
                "tokens and look-alikes in them": len(written),
                "names masked": sum(bool(mark.entities) for mark in marked.marks),
            }
        )
    proof.write("Texts there and back", counted)
