"""The one pass: which spans a text has, whom they mean, what must be minted for them, how they travel (laws 2, 6, 9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.veil.people import ASKER, ES, PT, contact, contacts, index_of, live, member, thread_of
from veil import tokens, veiling
from veil.bearers import Bearer, Index
from veil.names import Reading
from veil.text import Clear, Marked, Source
from veil.thread import Entry, State, ThreadMap
from veil.tokens import LETTERS, Entity, Token
from veil.veiling import Choice, Needs, Numbering, Setting, Span

MARIA, MARIA_TWO, OTONIEL, ZULEMA, BRUNO = contact(1), contact(2), contact(3), contact(4), member(2)
HOUSE = index_of(
    [
        (MARIA, "María López"),
        (MARIA_TWO, "María Huenchumán"),
        (OTONIEL, "Otoniel Ibarrola"),
        (ZULEMA, "Zulema Pacheco"),
        (ASKER, "Valentina Aravena"),
        (BRUNO, "Valentina Quiñelén"),
    ],
    hidden=[ZULEMA],
)
GASPARS = contacts(*(f"Gaspar {surname}" for surname in ("Antilef", "Bahamonde", "Catrileo", "Epuyao", "Fritz", "Gatica")))


@dataclass
class Pass:
    """A text through the pass, with a store that gives every number that is asked for."""

    text: str
    index: Index = HOUSE
    thread: ThreadMap = field(default_factory=thread_of)
    setting: Setting = ES
    own: Sequence[Entity] | None = None  # somebody else's text, in a row of these people
    chosen: Mapping[tuple[int, int], tuple[Entity, ...]] = field(default_factory=dict)
    bearers: Mapping[str, tuple[Bearer, ...]] = field(default_factory=dict)
    choices: list[Choice] = field(default_factory=list)
    needs: Needs = field(default_factory=Needs)

    def run(self) -> Marked:
        reading = Reading.QUESTION if self.own is None else Reading.TEXT
        spans = veiling.read(self.text, self.index | self.thread.names, self.thread, self.setting, reading=reading)
        if self.own is None:
            decided, self.choices = veiling.decide_question(spans, self.thread, chosen=self.chosen, bearers_of=self.bearers)
        else:
            decided = veiling.decide_text(spans, self.own)
        self.needs = veiling.needs_of(decided, self.thread)
        _give(self.thread, self.needs)
        return Marked.of(Clear(self.text), veiling.render(self.text, decided, self.thread, self.setting, Numbering()), "v")

    @property
    def veiled(self) -> str:
        return self.run().veiled().text


def _give(thread: ThreadMap, needs: Needs) -> None:
    """What ``veil.store.give`` does, without Postgres."""
    thread.add(Entry(token, State.RESERVED) for token in needs.reserve)
    for entity in needs.mint:
        taken = {token.number for token in thread.entries if token.letter == LETTERS[entity.kind]}
        thread.add([live(entity, next(number for number in range(1, 999) if number not in taken))])
    for literal in needs.alias:
        taken = {token.number for token in thread.entries if token.letter == "X"}
        thread.add([Entry(Token("X", max(taken, default=0) + 1), State.LITERAL, literal=literal)])


def question(text: str, **given_: object) -> str:
    return Pass(text, **given_).veiled  # type: ignore[arg-type]


def foreign(text: str, *own: Entity, **given_: object) -> str:
    return Pass(text, own=own, **given_).veiled  # type: ignore[arg-type]


# --- whom the question means --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "veiled"),
    [
        pytest.param("¿Qué pasó con María López?", "¿Qué pasó con C-1?", id="one whom the member may see"),
        pytest.param("otoniel y OTONIEL IBARROLA", "C-1 y C-1", id="one entity, one token"),
        pytest.param("María López y Otoniel", "C-1 y C-2", id="numbers in order of mention"),
        pytest.param("¿y María?", "¿y C-1|C-2?", id="two bearers travel as a group"),
        pytest.param("¿y Zulema Pacheco?", "¿y [nombre 1]?", id="one whom only others may see"),
        pytest.param("Zulema Pacheco y Pedro Gómez", "[nombre 1] y [nombre 2]", id="unseen and unknown look the same"),
        pytest.param("Pedro Gómez y Juan Toro y PEDRO GÓMEZ", "[nombre 1] y [nombre 2] y [nombre 1]", id="equal unknown names share a number"),
        pytest.param("soy Valentina Aravena", "soy U-1", id="the asker's own name"),
        pytest.param("dile a Valentina", "dile a U-2", id="the asker never wins a tie"),
        pytest.param("llama al 9 6123 4567", "llama al [teléfono]", id="a phone that nobody bears"),
        pytest.param("busca x.y@correo.example", "busca [correo]", id="an e-mail that nobody bears"),
    ],
)  # fmt: skip
def test_a_question_travels_with_tokens_for_whom_the_member_may_see(text: str, veiled: str) -> None:
    assert question(text) == veiled


def test_who_is_in_the_thread_breaks_a_tie_of_the_same_form_only() -> None:
    thread = thread_of(live(MARIA_TWO, 4))
    assert question("¿y María?", thread=thread) == "¿y C-4?"
    assert question("¿y María López?", thread=thread) == "¿y C-1?"


def test_five_candidates_travel_as_a_group_and_a_sixth_makes_it_a_question_to_the_member() -> None:
    five = Pass("¿y Gaspar?", contacts(*(f"Gaspar {surname}" for surname in ("Antilef", "Bahamonde", "Catrileo", "Epuyao", "Fritz"))))
    assert five.veiled == "¿y C-1|C-2|C-3|C-4|C-5?"
    assert five.choices == [Choice(3, 9, tuple(map(contact, range(1, 6))))]
    six = Pass("¿y Gaspar?", GASPARS)
    assert six.veiled == "¿y [nombre 1]?"
    assert six.needs == Needs()
    assert six.choices == [Choice(3, 9, tuple(map(contact, range(1, 7))))]


def test_a_choice_of_the_member_outranks_what_a_name_could_mean() -> None:
    marked = Pass("¿y María?", chosen={(3, 8): (MARIA_TWO,)}).run()
    assert marked.veiled().text == "¿y C-1?"
    assert (marked.marks[0].source, marked.marks[0].entities) == (Source.MENTION, (MARIA_TWO,))


PHONE = "+56961234567"


@pytest.mark.parametrize(
    ("bearers", "veiled"),
    [
        pytest.param((Bearer(MARIA, True),), "C-1.phone", id="one visible bearer"),
        pytest.param((Bearer(MARIA, True), Bearer(OTONIEL, True)), "C-1.phone|C-2.phone", id="several visible bearers"),
        pytest.param((Bearer(ZULEMA, False),), "[teléfono]", id="a bearer whom the member may not see"),
        pytest.param((Bearer(MARIA, True), Bearer(ZULEMA, False)), "C-1.phone", id="one of them visible"),
        pytest.param((), "[teléfono]", id="nobody"),
    ],
)
def test_a_value_in_the_question_becomes_the_handle_of_those_who_bear_it(bearers: tuple[Bearer, ...], veiled: str) -> None:
    assert question("¿de quién es el 9 6123 4567?", bearers={PHONE: bearers}) == f"¿de quién es el {veiled}?"


@pytest.mark.parametrize(
    ("text", "veiled"),
    [
        pytest.param("resume C-7", "resume C-7", id="minted"),
        pytest.param("resume **c-7**", "resume **C-7**", id="in small letters"),
        pytest.param("el fono es C-7.phone", "el fono es C-7.phone", id="a handle"),
        pytest.param("resume C-9", "resume C-9", id="never minted: reserved, as written"),
        pytest.param("resume c - 9", "resume c - 9", id="no token"),
        pytest.param("di [nombre 1] y [teléfono]", "di X-1 y X-2", id="our placeholders"),
    ],
)
def test_in_the_question_a_minted_token_is_taken_for_the_token(text: str, veiled: str) -> None:
    assert question(text, thread=thread_of(live(OTONIEL, 7))) == veiled


def test_an_erased_token_in_the_question_travels_as_what_it_was() -> None:
    thread = thread_of(Entry(Token("C", 7), State.ERASED, OTONIEL))
    assert question("¿y C-7?", thread=thread) == "¿y C-7?"


# --- whom somebody else's text means -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "own", "veiled"),
    [
        pytest.param("llamó Otoniel", (), "llamó C-1", id="the only bearer of the tenant"),
        pytest.param("llamó María", (), "llamó [nombre 1]", id="ambiguous: never a guess"),
        pytest.param("llamó María", (MARIA_TWO,), "llamó C-1", id="the row's own person fits"),
        pytest.param("llamó María", (OTONIEL,), "llamó [nombre 1]", id="the row's own person does not fit"),
        pytest.param("llamó María", (MARIA, MARIA_TWO), "llamó [nombre 1]", id="two of the row's own people fit"),
        pytest.param("llamó Zulema", (), "llamó [nombre 1]", id="one whom the member may not see"),
        pytest.param("llamó Zulema", (ZULEMA,), "llamó [nombre 1]", id="not even as the row's own"),
        pytest.param("dile a Valentina", (), "dile a [nombre 1]", id="the asker is one of two"),
        pytest.param("dile a Valentina", (ASKER,), "dile a U-1", id="the asker wrote it"),
        pytest.param("mi fono es 9 6123 4567", (MARIA,), "mi fono es [teléfono]", id="a value is no handle here"),
        pytest.param("soyOtoniel12.345.678-5", (), "soy C-1 [documento]", id="an id glued to a name"),
        pytest.param("Otoniel961234567", (), "C-1[teléfono]", id="a phone glued to a name"),
        pytest.param("Otoniel2024", (), " C-1 2024", id="a number that is nobody's, glued to a name"),
    ],
)
def test_in_free_text_a_name_is_bound_to_the_rows_people_else_to_its_only_bearer(text: str, own: tuple[Entity, ...], veiled: str) -> None:
    assert foreign(text, *own) == veiled


def test_nothing_is_minted_for_ambiguity_in_free_text() -> None:
    read = Pass("María y Zulema y Pedro Gómez", own=())
    assert read.veiled == "[nombre 1] y [nombre 2] y [nombre 3]"
    assert read.needs == Needs()


# --- look-alikes ---------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "veiled"),
    [
        pytest.param("mi código es C-9", "mi código es C-9", id="free: reserved, as written"),
        pytest.param("mi código es c\u20119", "mi código es c\u20119", id="free: in any spelling"),
        pytest.param("mi código es Z-9", "mi código es Z-9", id="any letter"),
        pytest.param("mi código es C-7", "mi código es X-1", id="taken: under an alias"),
        pytest.param("C-7, c-7 y C-7", "X-1, X-2 y X-1", id="one alias for one literal"),
        pytest.param("el fono C-7.phone", "el fono X-1", id="a handle"),
        pytest.param("C-7|C-9", "X-1|C-9", id="a group"),
        pytest.param("responde U-1", "responde X-1", id="the asker's token"),
        pytest.param("di [nombre 2] y [Teléfono]", "di X-1 y X-2", id="our placeholders"),
        pytest.param("[contenido retenido]", "X-1", id="our constant for what is withheld"),
        pytest.param("[e-mail] [cartão] [name 3]", "X-1 X-2 X-3", id="placeholders of the other languages"),
        pytest.param("UTC-7 y C-7B", "UTC-7 y C-7B", id="no token"),
        pytest.param("[1] y [nota]", "[1] y [nota]", id="no placeholder"),
    ],
)
def test_a_look_alike_in_foreign_text_is_reserved_or_travels_under_an_alias(text: str, veiled: str) -> None:
    assert foreign(text, thread=thread_of(live(OTONIEL, 7))) == veiled


def test_a_reserved_number_is_asked_for_once() -> None:
    thread = thread_of()
    first, second = Pass("C-9", own=(), thread=thread), Pass("C-9", own=(), thread=thread)
    assert (first.veiled, second.veiled) == ("C-9", "C-9")
    assert first.needs == Needs(reserve=(Token("C", 9),))
    assert second.needs == Needs()


def test_a_look_alike_that_was_not_granted_a_number_travels_as_code() -> None:
    thread = thread_of(live(OTONIEL, 7))
    text = "C-7 y C-9"
    spans = veiling.read(text, HOUSE, thread, ES, reading=Reading.TEXT)
    marks = veiling.render(text, veiling.decide_text(spans, ()), thread, ES, Numbering())
    assert Marked.of(Clear(text), marks, "v").veiled().text == "[código] y [código]"


@pytest.mark.parametrize("text", ["C\u200b-7", "C-\u20607", "C\u00ad-7", "C-7\U000e0041", "[te\u200bléfono]"])
def test_hidden_characters_do_not_hide_a_look_alike(text: str) -> None:
    veiled = foreign(f"di {text} ya", thread=thread_of(live(OTONIEL, 7)))
    assert veiled in {"di X-1 ya", "di [código] ya"}


_FOREIGN = st.lists(
    st.sampled_from(["C-7", "C-9", "c-7", "C", "-", "7", "\u200b", "\u2060", "Otoniel", "Zulema", "Pedro Gómez", " ", " y ", "[", "]", "nombre 1", "teléfono", ".phone", "|", "9 6123 4567", "a@b.cl"]),
    max_size=10,
).map("".join)  # fmt: skip


@given(_FOREIGN)
def test_every_token_in_a_veiled_foreign_text_was_put_there(text: str) -> None:
    thread = thread_of(live(MARIA, 7))
    marked = Pass(text, own=(), thread=thread).run()
    ours = {str(token) for token in thread.entries if token != Token("C", 7)}  # nobody's name here is María's
    veiled = marked.veiled().text
    assert {str(found.token) for found in tokens.find(veiled)} <= ours


@given(_FOREIGN)
def test_a_veiled_foreign_text_holds_no_strong_form(text: str) -> None:
    veiled = foreign(text, thread=thread_of(live(MARIA, 7)))
    assert not {"Otoniel", "Zulema"} & set(veiled.replace("[", " ").replace("]", " ").split())


# --- spans ---------------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "veiled"),
    [
        pytest.param("escribe a otoniel.ibarrola@correo.example", "escribe a [correo]", id="a name in an e-mail: the e-mail"),
        pytest.param("ho\u202ela \U000e0041mundo", "hola mundo", id="hidden characters go"),
        pytest.param("Oto\u200bniel llamó", "C-1 llamó", id="hidden characters inside a name"),
        pytest.param("👩\u200d💻 y \u2764\ufe0f", "👩\u200d💻 y \u2764\ufe0f", id="joiners inside emoji stay"),
    ],
)
def test_overlapping_spans_become_their_union_of_the_strictest_kind(text: str, veiled: str) -> None:
    assert foreign(text) == veiled


def test_a_union_that_takes_in_other_letters_is_nobodys_any_more() -> None:
    name = Span(0, 7, Source.NAME, "otoniel", (Bearer(OTONIEL, True),))
    code = Span(5, 12, Source.LOOK_ALIKE)
    (united,) = veiling.united([code, name])
    assert (united.start, united.end, united.source, united.bearers) == (0, 12, Source.NAME, ())


@pytest.mark.parametrize("setting", [ES, PT], ids=["es", "pt"])
def test_placeholders_speak_the_tenants_language(setting: Setting) -> None:
    expected = {"es": "[nombre 1] [correo]", "pt": "[nome 1] [e-mail]"}[setting.language]
    assert foreign("Pedro Gómez x.y@correo.example", setting=setting) == expected


@given(st.text(max_size=60))
def test_any_text_goes_through_the_pass_and_its_marks_lead_back(text: str) -> None:
    marked = Pass(text, own=()).run()
    rebuilt, position = "", 0
    for mark in marked.marks:
        assert position <= mark.start < mark.end <= len(text)
        rebuilt += text[position : mark.start] + mark.rendering
        position = mark.end
    assert rebuilt + text[position:] == marked.veiled().text
