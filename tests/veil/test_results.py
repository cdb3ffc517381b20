"""A tool's result crosses field by field as its types say, in one form of JSON, and is cut after it was veiled (sections 4.9 and 6)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.veil.people import ES, company, contact, index_of, live, member, thread_of
from veil import tokens, veiling
from veil.bearers import Index
from veil.fields import Aside, FreeText, Personal, Plain, Ref, Rows
from veil.results import LONGEST, ResultVeil, dump, leaves, shorten, with_leaves
from veil.scrub import Sort
from veil.thread import Entry, State, ThreadMap
from veil.tokens import LETTERS, Entity, Kind, Token
from veil.veiling import Span

MARIA, MARIA_TWO, OTONIEL = contact(1), contact(2), contact(3)
HOUSE = index_of([(MARIA, "María López"), (MARIA_TWO, "María Huenchumán"), (OTONIEL, "Otoniel Ibarrola"), (member(2), "Bruno Quiñelén")])


class Color(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Note:
    contact: Annotated[int | None, Ref(Kind.CONTACT)]
    member: Annotated[int | None, Ref(Kind.MEMBER)]
    body: Annotated[str | None, FreeText(("contact", "member"))]


@dataclass(frozen=True)
class Page:
    total: Annotated[int, Plain()]
    returned: Annotated[int, Plain()]
    truncated: Annotated[bool, Plain()]
    notes: Annotated[tuple[Note, ...], Rows()]


@dataclass(frozen=True)
class Line:
    number: Annotated[int, Plain()]
    contact: Annotated[int | None, Ref(Kind.CONTACT)]
    body: Annotated[str | None, FreeText(("contact",), "earlier", "later")]
    earlier: Annotated[str | None, Aside()] = None
    later: Annotated[str | None, Aside()] = None


@dataclass(frozen=True)
class Chat:
    lines: Annotated[tuple[Line, ...], Rows()]


@dataclass(frozen=True)
class Card:
    contact: Annotated[int | None, Ref(Kind.CONTACT)]
    company: Annotated[int | None, Ref(Kind.COMPANY)]
    members: Annotated[tuple[int, ...], Ref(Kind.MEMBER)]
    labels: Annotated[tuple[str, ...], FreeText()]
    phone: Annotated[bool, Personal("contact")]
    legal_id: Annotated[bool, Personal("company")]


def rendered(result: object, *, thread: ThreadMap | None = None, index: Index = HOUSE) -> str:
    """The result as the model gets it; every number that is asked for is given."""
    thread = thread or thread_of()
    veil = ResultVeil(result, ES)
    _mint(thread, veil.refs())
    veil.read(index, thread, ())
    needs = veil.needs(thread)
    _mint(thread, needs.mint)
    thread.add(Entry(token, State.RESERVED) for token in needs.reserve)
    for number, literal in enumerate(needs.alias, 1):
        thread.add([Entry(Token("X", number), State.LITERAL, literal=literal)])
    return veil.rendered(thread).text


def _mint(thread: ThreadMap, entities: Iterable[Entity]) -> None:
    for entity in entities:
        if thread.token_of(entity) is None:
            taken = sum(token.letter == LETTERS[entity.kind] for token in thread.entries)
            thread.add([live(entity, taken + 1)])


def crossed(result: object, **given_: Any) -> Any:
    return json.loads(rendered(result, **given_))


def page(*notes: Note) -> Page:
    return Page(len(notes), len(notes), False, notes)


# --- crossings ------------------------------------------------------------------------------------------------------------------------------


def test_references_cross_as_tokens_and_personal_fields_as_handles() -> None:
    card = Card(1, 2, (2, 7), ("vip",), phone=True, legal_id=True)
    assert crossed(card) == {
        "contact": "C-1",
        "company": "E-1",
        "members": ["U-2", "U-3"],
        "labels": ["vip"],
        "phone": "C-1.phone",
        "legal_id": "E-1.legal_id",
    }


def test_what_is_not_there_crosses_as_null() -> None:
    card = Card(None, None, (), (), phone=False, legal_id=True)
    assert crossed(card) == {"contact": None, "company": None, "members": [], "labels": [], "phone": None, "legal_id": None}


def test_the_entities_of_a_result_are_named_in_order_of_appearance() -> None:
    notes = page(Note(3, 2, "a"), Note(1, 2, "b"))
    assert ResultVeil(notes, ES).refs() == (OTONIEL, member(2), MARIA)
    assert ResultVeil(Card(1, 2, (), (), phone=False, legal_id=False), ES).refs() == (MARIA, company(2))


@dataclass(frozen=True)
class Values:
    value: Annotated[
        Color | int | float | bool | Decimal | datetime | date | time | tuple[int, ...] | None, Plain()
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(Color.RED, "red", id="enum"),
        pytest.param(7, 7, id="integer"),
        pytest.param(1.5, 1.5, id="float"),
        pytest.param(True, True, id="boolean"),
        pytest.param(None, None, id="nothing"),
        pytest.param(Decimal("12990"), 12990, id="whole amount"),
        pytest.param(Decimal("12990.50"), 12990.5, id="amount"),
        pytest.param(datetime(2026, 3, 31, 12, 5, 9, 77, tzinfo=UTC), "2026-03-31T12:05+00:00", id="moment, to the minute"),
        pytest.param(date(2026, 3, 31), "2026-03-31", id="date"),
        pytest.param(time(9, 30), "09:30:00", id="time"),
        pytest.param((1, 2), [1, 2], id="several"),
    ],
)
def test_plain_values_cross_as_json(value: Any, expected: Any) -> None:
    assert crossed(Values(value)) == {"value": expected}


@pytest.mark.parametrize(
    ("note", "body"),
    [
        pytest.param(Note(1, None, "Soy María, llamó Otoniel"), "Soy C-1, llamó C-2", id="the row's own contact, and the only bearer"),
        pytest.param(Note(3, None, "María no vino"), "[nombre 1] no vino", id="ambiguous"),
        pytest.param(Note(1, 2, "Dile a Bruno"), "Dile a U-2", id="the row's author"),
        pytest.param(Note(1, None, "al 9 6123 4567 o a x@y.example"), "al [teléfono] o a [correo]", id="values"),
        pytest.param(Note(1, None, "mi código es C-9"), "mi código es C-9", id="a look-alike"),
        pytest.param(Note(1, None, "responde C-1"), "responde X-1", id="a taken look-alike"),
        pytest.param(Note(1, None, None), None, id="no text"),
        pytest.param(Note(1, None, ""), "", id="an empty text"),
    ],
)
def test_free_text_crosses_with_its_names_looked_up_veiled_and_scrubbed(note: Note, body: str | None) -> None:
    assert crossed(page(note))["notes"][0]["body"] == body


def test_unknown_names_are_numbered_over_the_whole_result() -> None:
    notes = page(Note(None, None, "Pedro Gómez le debe a Juan Toro"), Note(None, None, "JUAN TORO y Elsa Vidal"))
    bodies = [row["body"] for row in crossed(notes)["notes"]]
    assert bodies == ["[nombre 1] le debe a [nombre 2]", "[nombre 2] y [nombre 3]"]


_MINTED = index_of([(contact(4), "Ysolina Quintrala"), (contact(5), "Rosa D'Andrea")])
_BODIES = st.lists(
    st.sampled_from(
        [
            *("Ysolina", "quintrala", "YsolinaQuintrala", "ysolinaquintrala", "Rosa", "D'Andrea", "dandrea", "Otoniel", "María"),
            *("9 7777-1234", "56977771234", "977771", "C-1", "x", " ", ", ", ". ", "-", "\n", "Sra."),
        ]
    ),
    max_size=8,
).map("".join)


@given(st.lists(_BODIES, min_size=1, max_size=3))
def test_reading_again_after_minting_finds_what_a_first_reading_would(bodies: list[str]) -> None:
    notes = page(*(Note(None, None, body) for body in bodies))
    again, fresh = ResultVeil(notes, ES), ResultVeil(notes, ES)
    again.read(HOUSE, thread_of(), ())
    again.read(HOUSE, thread_of(names=_MINTED, values={"+56977771234": Sort.PHONE}), ())
    fresh.read(HOUSE, thread := thread_of(names=_MINTED, values={"+56977771234": Sort.PHONE}), ())
    assert again.needs(thread) == fresh.needs(thread)
    _mint(thread, fresh.needs(thread).mint)
    assert again.rendered(thread) == fresh.rendered(thread)


def test_only_texts_that_hold_what_was_minted_are_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    veil = ResultVeil(page(*(Note(None, None, body) for body in ("nada", "al 9 7777 1234", "Ysolina", "ysolinaquintrala"))), ES)
    veil.read(HOUSE, thread_of(), ())
    read: list[str] = []

    def reading(text: str, *_: object, **__: object) -> list[Span]:
        read.append(text)
        return []

    monkeypatch.setattr(veiling, "read", reading)
    veil.read(HOUSE, thread_of(names=_MINTED, values={"+56977771234": Sort.PHONE}), ())
    assert read == ["al 9 7777 1234", "Ysolina", "ysolinaquintrala"]


def test_all_forms_of_a_result_are_looked_up_at_once() -> None:
    forms = ResultVeil(page(Note(1, None, "Otoniel Ibarrola"), Note(2, None, "María")), ES).forms()
    assert {"otoniel ibarrola", "otoniel", "ibarrola", "maria"} <= forms


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        pytest.param(["mi rut es 12.345.", "678-5 gracias"], ["mi rut es [documento]", "[documento] gracias"], id="an id"),
        pytest.param(["llámame al +56 9 8765", "4321 porfa"], ["llámame al [teléfono]", "[teléfono] porfa"], id="a phone"),
        pytest.param(["escríbeme a ana.perez@", "example.com"], ["escríbeme a [correo]", "[correo]"], id="an e-mail"),
        pytest.param(["mi clave es", "hunter2xyz"], ["mi clave es", "[secreto]"], id="a cue before it"),
        pytest.param(["pedido 1234", "5678 pesos"], ["pedido 1234", "5678 pesos"], id="nothing personal"),
    ],
)
def test_what_one_writer_cut_over_two_messages_is_found_in_both(texts: list[str], expected: list[str]) -> None:
    first, second = texts
    rows = Line(2, 1, second, earlier=first), Line(1, 1, first, later=second)
    assert [line["body"] for line in reversed(json.loads(rendered(Chat(rows)))["lines"])] == expected


def test_the_half_that_is_not_on_this_page_gives_away_the_other_and_does_not_cross() -> None:
    text = rendered(Chat((Line(2, 1, "678-5 gracias", earlier="mi rut es 12.345."),)))
    assert json.loads(text)["lines"] == [{"number": 2, "contact": "C-1", "body": "[documento] gracias"}]


def test_an_entity_that_was_not_minted_is_never_sent_by_its_id() -> None:
    veil = ResultVeil(Card(1, None, (), (), phone=False, legal_id=False), ES)
    thread = thread_of()
    veil.read(HOUSE, thread, ())
    with pytest.raises(LookupError, match="contact"):
        veil.rendered(thread)


# --- one form of JSON ------------------------------------------------------------------------------------------------------------------------


def test_the_border_of_the_envelope_cannot_stand_in_a_result() -> None:
    text = rendered(page(Note(None, None, "</datos> y <datos> & más")))
    assert "<" not in text
    assert ">" not in text
    assert json.loads(text)["notes"][0]["body"] == "</datos> y <datos> & más"


def test_json_has_one_form_only() -> None:
    assert dump({"b": 1, "a": "ñ<"}) == '{"a":"ñ\\u003c","b":1}'


@pytest.mark.parametrize(
    ("text", "keys", "expected"),
    [
        pytest.param('{"a":"x","b":["y",{"c":"z"}],"d":1}', False, ["x", "y", "z"], id="values"),
        pytest.param('{"a":"x","b":["y",{"c":"z"}]}', True, ["a", "b", "x", "y", "c", "z"], id="with keys"),
        pytest.param("no es json", False, ["no es json"], id="no JSON"),
        pytest.param('{"a":', True, ['{"a":'], id="cut JSON"),
        pytest.param("56961234567", True, ["56961234567"], id="a bare number"),
        pytest.param('{"a":"x","a":"y"}', False, ['{"a":"x","a":"y"}'], id="a key twice"),
        pytest.param("[" * 50_000, False, ["[" * 50_000], id="too deep"),
    ],
)
def test_the_strings_of_a_json_text(text: str, keys: bool, expected: list[str]) -> None:
    assert sorted(leaves(text, keys=keys)) == sorted(expected)


def test_strings_are_replaced_where_they_stand_and_nothing_else_changes() -> None:
    assert with_leaves('{"b":"x y","a":["x"],"x":"z"}', {"x": "Q"}) == '{"Q":"z","a":["Q"],"b":"x y"}'
    assert with_leaves('{ "b" : "x" }', {"w": "Q"}) == '{ "b" : "x" }'
    assert with_leaves("no json", {"no json": "Q"}) == "Q"


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(_JSON)
def test_replacing_every_string_by_itself_changes_nothing_but_the_form(body: Any) -> None:
    text = json.dumps(body)
    same = {leaf: leaf for leaf in leaves(text, keys=True)}
    assert json.loads(with_leaves(text, same)) == body


# --- caps ------------------------------------------------------------------------------------------------------------------------------------


def test_a_result_that_fits_is_not_cut() -> None:
    text = rendered(page(Note(None, None, "x" * 3_000)))
    assert json.loads(text)["notes"][0]["body"] == "x" * 3_000
    assert not json.loads(text)["truncated"]


def test_long_texts_are_shortened_before_rows_go() -> None:
    found = crossed(page(*(Note(None, None, f"{number} " + "palabra " * 300) for number in range(6))))
    assert found["truncated"]
    assert [row["body"].split()[0] for row in found["notes"]] == [str(number) for number in range(6)]
    assert all(row["body"].endswith("…") for row in found["notes"])


def test_when_rows_go_the_last_ones_go_and_the_result_says_so() -> None:
    notes = [Note(number, None, "x" * 200) for number in range(1, 120)]
    text = rendered(page(*notes))
    found = json.loads(text)
    assert len(text) <= LONGEST
    assert found["truncated"]
    assert found["returned"] == len(found["notes"]) < 119
    assert [row["contact"] for row in found["notes"]] == [f"C-{number}" for number in range(1, len(found["notes"]) + 1)]
    assert found["total"] == 119


@given(st.lists(st.text(alphabet='ab<ñ王 \n"', max_size=1_500), max_size=30))
def test_no_result_is_longer_than_the_cap(bodies: list[str]) -> None:
    text = rendered(page(*(Note(None, None, body) for body in bodies)), index=Index())
    assert len(text) <= LONGEST
    json.loads(text)


@pytest.mark.parametrize(
    ("veiled", "length", "expected"),
    [
        pytest.param("hola", 4, "hola", id="fits"),
        pytest.param("hola mundo", 5, "hola…", id="white space at the end goes"),
        pytest.param("con C-12 y", 7, "con…", id="not inside a token"),
        pytest.param("con C-12 y", 8, "con C-12…", id="right behind a token"),
        pytest.param("con C-12.phone", 9, "con…", id="not inside a handle"),
        pytest.param("con [nombre 12] y", 10, "con…", id="not inside a placeholder"),
        pytest.param("con [nombre 12] y", 15, "con [nombre 12]…", id="right behind a placeholder"),
        pytest.param("C-4|C-5|C-6", 9, "C-4|C-5|…", id="not inside one of a group"),
    ],
)
def test_a_text_is_cut_never_inside_a_token_or_placeholder(veiled: str, length: int, expected: str) -> None:
    assert shorten(veiled, length) == expected


@pytest.mark.parametrize("veiled", ["código C-7Bxyz", "pieza C-77777777", "C-7-8 de diez", "C-7.jpg aquí", "C-7_1 xxxxxx"])
def test_a_cut_makes_no_token_of_what_was_none(veiled: str) -> None:
    assert not tokens.find(veiled)
    for length in range(len(veiled)):
        assert not tokens.find(shorten(veiled, length))


_VEILED = st.lists(st.sampled_from(["C-1", "C-12", "C-1.phone", "[nombre 1]", "[teléfono]", "a", " ", "7", "-", "|", "x-C-7"]), max_size=12).map(
    "".join
)


@given(_VEILED, st.integers(0, 60))
def test_every_token_of_a_cut_text_was_in_the_whole(veiled: str, length: int) -> None:
    cut = shorten(veiled, length)
    whole = {(found.start, found.end) for found in tokens.find(veiled)}
    assert {(found.start, found.end) for found in tokens.find(cut)} <= whole
    assert len(cut) <= max(length, 0) + 1
