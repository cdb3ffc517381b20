"""How a field of a tool's result crosses is said by its type, or the catalogue does not load (section 6)."""

from __future__ import annotations

from dataclasses import dataclass, make_dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, Literal

import pytest

from veil.errors import UnclassifiedField
from veil.fields import Aside, Field, FreeText, Personal, Plain, Ref, Rows, check, fields_of
from veil.tokens import EntityId, Kind

CONTACT = Annotated[int, Ref(Kind.CONTACT)]


class Color(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Row:
    contact: CONTACT
    text: Annotated[str | None, FreeText(("contact",))]


@dataclass(frozen=True)
class Good:
    contact: CONTACT
    company: Annotated[EntityId | None, Ref(Kind.COMPANY)]
    members: Annotated[tuple[int, ...], Ref(Kind.MEMBER)]
    color: Annotated[Color, Plain()]
    state: Annotated[Literal["a", "b"], Plain()]
    at: Annotated[datetime | None, Plain()]
    days: Annotated[tuple[date, ...], Plain()]
    amount: Annotated[Decimal, Plain()]
    ok: Annotated[bool, Plain()]
    labels: Annotated[tuple[str, ...], FreeText()]
    phone: Annotated[bool, Personal("contact")]
    rows: Annotated[tuple[Row, ...], Rows()]


@dataclass(frozen=True)
class Open:
    name: str


def test_a_result_whose_fields_all_say_how_they_cross_loads() -> None:
    check(Good)
    assert [field.name for field in fields_of(Good)] == list(Good.__dataclass_fields__)
    assert fields_of(Good)[-1] == Field("rows", Rows(), Row)


def result(**fields: Any) -> type:
    """A result class with these fields beside a contact."""
    return make_dataclass("Made", [("contact", CONTACT), *fields.items()], frozen=True)


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"name": str}, id="a field without a class"),
        pytest.param({"name": Annotated[str, "a note"]}, id="annotated with something else"),
        pytest.param({"name": Annotated[str, Plain()]}, id="a plain text"),
        pytest.param({"name": Annotated[tuple[str, ...], Plain()]}, id="plain texts"),
        pytest.param({"name": Annotated[int | str, Plain()]}, id="perhaps a plain text"),
        pytest.param({"name": Annotated[Any, Plain()]}, id="anything plain"),
        pytest.param({"name": Annotated[dict[str, int], Plain()]}, id="a plain mapping"),
        pytest.param({"name": Annotated[bytes, Plain()]}, id="plain bytes"),
        pytest.param({"name": Annotated[object, Plain()]}, id="a plain object"),
        pytest.param({"name": Annotated[int, FreeText()]}, id="a number as free text"),
        pytest.param({"member": Annotated[str, Ref(Kind.MEMBER)]}, id="a text as a reference"),
        pytest.param({"phone": Annotated[str, Personal("contact")]}, id="a personal value itself"),
        pytest.param({"shoe_size": Annotated[bool, Personal("contact")]}, id="a handle nobody knows"),
        pytest.param({"phone": Annotated[bool, Personal("owner")]}, id="a handle of a field that is not there"),
        pytest.param({"at": Annotated[date, Plain()], "phone": Annotated[bool, Personal("at")]}, id="a handle of no entity"),
        pytest.param({"text": Annotated[str, FreeText(("owner",))]}, id="people of a field that is not there"),
        pytest.param({"at": Annotated[date, Plain()], "text": Annotated[str, FreeText(("at",))]}, id="people of no entity"),
        pytest.param({"text": Annotated[str, FreeText(earlier="before")]}, id="read beside a field that is not there"),
        pytest.param({"at": Annotated[date, Plain()], "text": Annotated[str, FreeText(later="at")]}, id="read beside what is no text"),
        pytest.param({"at": Annotated[date, Aside()]}, id="a date to be read beside a text"),
        pytest.param({"name": Annotated[int, Plain(), FreeText()]}, id="two classes"),
        pytest.param({"rows": Annotated[tuple[int, ...], Rows()]}, id="rows of numbers"),
        pytest.param({"rows": Annotated[tuple[Row | Good, ...], Rows()]}, id="rows of two classes"),
        pytest.param({"rows": Annotated[tuple[Open, ...], Rows()]}, id="rows with an open field"),
    ],
)
def test_a_result_that_leaves_open_how_a_field_crosses_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(UnclassifiedField):
        check(result(**fields))


def test_what_is_no_dataclass_is_refused() -> None:
    with pytest.raises(UnclassifiedField, match="no dataclass"):
        check(dict)


def test_a_refusal_names_the_field() -> None:
    with pytest.raises(UnclassifiedField, match=r"Made\.name"):
        check(result(name=str))
