"""How each field of a tool's result crosses to the model: the type decides, not the value.

A result is a frozen dataclass; every field is annotated with one of these classes (section 6 of the design)::

    @dataclass(frozen=True, slots=True)
    class ContactRow:
        contact: Annotated[int, Ref(Kind.CONTACT)]                  # -> "C-7"
        state: Annotated[ContactState, Plain()]                     # -> as is; closed types only
        company: Annotated[int | None, Ref(Kind.COMPANY)]
        labels: Annotated[tuple[str, ...], FreeText()]              # -> names looked up, veiled, scrubbed
        before: Annotated[str | None, Aside()]                      # -> read beside a free text, never crosses
        phone: Annotated[bool, Personal("contact")]                 # -> "C-7.phone" when there is one; the value is never read
        messages: Annotated[tuple[MessageRow, ...], Rows()]         # -> a list of rows, declared in the same way

A field without a class, or with a type its class does not allow, is refused when the catalogue is loaded (``check``).
"""

import types
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from veil.errors import UnclassifiedField
from veil.tokens import HANDLE_FIELDS, Kind


@dataclass(frozen=True, slots=True)
class Ref:
    """An entity's id; crosses as its token, ``null`` when there is none."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class Plain:
    """A value of a closed type (enum, number, date, boolean); crosses as it is."""


@dataclass(frozen=True, slots=True)
class FreeText:
    """What somebody wrote; crosses with its names looked up, veiled and scrubbed.

    ``people`` names the fields of the same row (``Ref``) to whom an ambiguous name is bound first. ``earlier`` and ``later`` name those
    (``Aside``) with what its writer wrote right before and after, so that a value cut over two texts is found in both.
    """

    people: tuple[str, ...] = ()
    earlier: str | None = None
    later: str | None = None


@dataclass(frozen=True, slots=True)
class Aside:
    """A text that is only read beside another one; never crosses."""


@dataclass(frozen=True, slots=True)
class Personal:
    """Whether the entity in the field ``of`` has this personal value; crosses as a handle, whose field is this field's name."""

    of: str


@dataclass(frozen=True, slots=True)
class Rows:
    """A tuple of rows of a further result class."""


Crossing = Ref | Plain | FreeText | Aside | Personal | Rows
_CROSSINGS = (Ref, Plain, FreeText, Aside, Personal, Rows)
_CLOSED = (bool, int, float, Decimal, date, datetime, time)


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a result class with its crossing; ``row`` is the class of its rows, if it has rows."""

    name: str
    crossing: Crossing
    row: type | None = None


def fields_of(result: type) -> tuple[Field, ...]:
    """The fields of a result class; raises ``UnclassifiedField`` where one has no class or a type that its class does not allow."""
    return _declared(result)


@cache
def _declared(result: type) -> tuple[Field, ...]:
    if not is_dataclass(result):
        raise UnclassifiedField(f"{result.__qualname__} is no dataclass")
    hints = get_type_hints(result, include_extras=True)
    declared = tuple(_field(result, field.name, hints[field.name]) for field in fields(result))
    kinds = {field.name: field.crossing for field in declared}
    for field in declared:
        for name in _people(field.crossing):
            if not isinstance(kinds.get(name), Ref):
                raise UnclassifiedField(f"{result.__qualname__}.{field.name} names {name!r}, which is no Ref of the same row")
        for name in _asides(field.crossing):
            if not isinstance(kinds.get(name), Aside):
                raise UnclassifiedField(f"{result.__qualname__}.{field.name} names {name!r}, which is no Aside of the same row")
    return declared


def _people(crossing: Crossing) -> tuple[str, ...]:
    if isinstance(crossing, Personal):
        return (crossing.of,)
    return crossing.people if isinstance(crossing, FreeText) else ()


def _asides(crossing: Crossing) -> tuple[str, ...]:
    return tuple(name for name in (crossing.earlier, crossing.later) if name) if isinstance(crossing, FreeText) else ()


def check(result: type) -> None:
    """Refuse a result class that leaves open how one of its fields crosses, at any depth."""
    for field in fields_of(result):
        if field.row is not None:
            check(field.row)


def _field(result: type, name: str, hint: Any) -> Field:
    where = f"{result.__qualname__}.{name}"
    if get_origin(hint) is not Annotated:
        raise UnclassifiedField(f"{where} has no crossing class")
    inner, *extras = get_args(hint)
    crossings = [extra for extra in extras if isinstance(extra, _CROSSINGS)]
    if len(crossings) != 1:
        raise UnclassifiedField(f"{where} needs exactly one crossing class")
    crossing = crossings[0]
    leaves = set(_leaves(inner))
    if isinstance(crossing, Rows):
        row = next(iter(leaves))
        if len(leaves) != 1 or not isinstance(row, type) or not is_dataclass(row):
            raise UnclassifiedField(f"{where} is Rows, but its type is no tuple of one dataclass")
        return Field(name, crossing, row)
    allowed = {
        Plain: all(_is_closed(leaf) for leaf in leaves),
        Ref: leaves <= {int},
        FreeText: leaves <= {str},
        Aside: leaves <= {str},
        Personal: leaves <= {bool} and name in HANDLE_FIELDS,
    }[type(crossing)]
    if not allowed:
        raise UnclassifiedField(f"{where} has a type that {type(crossing).__name__} does not allow")
    return Field(name, crossing)


def _is_closed(leaf: Any) -> bool:
    if isinstance(leaf, type):
        return issubclass(leaf, Enum) or leaf in _CLOSED
    return get_origin(leaf) is Literal


def _leaves(hint: Any) -> Iterator[Any]:
    """The types inside unions, tuples and ``NewType`` of a hint, ``None`` aside."""
    if hasattr(hint, "__supertype__"):
        yield from _leaves(hint.__supertype__)
    elif get_origin(hint) in (Union, types.UnionType, tuple):
        for argument in get_args(hint):
            if argument not in (type(None), Ellipsis):
                yield from _leaves(argument)
    else:
        yield hint
