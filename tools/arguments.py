"""The shapes that an argument of a tool can have.

A shape reads what the model wrote, says in JSON Schema what it takes, and says why a value was declined. An argument is
annotated with exactly one shape::

    class ShowContact(Arguments):
        contact: Annotated[int, TokenOf(Kind.CONTACT)]
        before: Annotated[int | None, Number(1, 1_000_000)] = None

Models write ``null`` or an empty string for what they leave out; both count as left out.
"""

import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from enum import StrEnum
from typing import Any, ClassVar, cast

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, ValidationInfo, model_validator
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from tools.refusals import Reason
from veil.tokens import LETTERS, EntityId, Kind, Token, parse

#: What a token that the thread does not hold stands for. No row has this id, so that it is looked up, and not found,
#: like one that is hidden.
ABSENT = EntityId(0)

_LONGEST_TOKEN = 100
_YEARS = range(1900, 2200)


@dataclass(frozen=True, slots=True)
class Reading:
    """What the reading of arguments needs to know.

    The thread's tokens; the zone of times without an offset; and ``reveal``, which turns a text of the model into what the member may see.
    """

    tokens: Mapping[tuple[str, int], EntityId]
    zone: tzinfo | None
    reveal: Callable[[str], str]


class Shape(ABC):
    """How an argument is read."""

    reason: ClassVar[Reason]

    @property
    @abstractmethod
    def expected(self) -> str:
        """What would have been right, for the model."""

    @abstractmethod
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the argument."""

    @abstractmethod
    def read(self, value: object, reading: Reading) -> object:
        """The value that the tool is given; raises ``ValueError`` for anything else."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_plain_validator_function(self._validated)

    def _validated(self, value: object, info: ValidationInfo) -> object:
        try:
            return self.read(value, cast(Reading, info.context))
        except ValueError:
            raise PydanticCustomError(self.reason.value, "declined") from None


@dataclass(frozen=True, slots=True)
class TokenOf(Shape):
    """A token of this kind; the tool is given the entity's id, or ``ABSENT``."""

    kind: Kind
    reason: ClassVar[Reason] = Reason.NOT_A_TOKEN

    @property
    def expected(self) -> str:
        return f"{LETTERS[self.kind]}-7"

    def schema(self) -> dict[str, Any]:
        return {"type": "string"}

    def token(self, value: object) -> Token:
        """The one token that the argument holds; a handle counts as its entity's token."""
        found = parse(value) if isinstance(value, str) and len(value) <= _LONGEST_TOKEN else []
        if len(found) != 1 or found[0].token.letter != LETTERS[self.kind]:
            raise ValueError(self.expected)
        return found[0].token

    def read(self, value: object, reading: Reading) -> object:
        token = self.token(value)
        return reading.tokens.get((token.letter, token.number), ABSENT)


@dataclass(frozen=True, slots=True)
class Choice(Shape):
    """One of our enum's values."""

    options: type[StrEnum]
    reason: ClassVar[Reason] = Reason.NOT_ONE_OF

    @property
    def expected(self) -> str:
        return ", ".join(self.options)

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": [option.value for option in self.options]}

    def read(self, value: object, reading: Reading) -> object:
        if not isinstance(value, str):
            raise ValueError(self.expected)
        return self.options(value.strip().lower())


@dataclass(frozen=True, slots=True)
class Number(Shape):
    """A whole number within bounds; digits in quotes count as one, booleans do not."""

    least: int
    most: int
    reason: ClassVar[Reason] = Reason.NOT_A_NUMBER

    @property
    def expected(self) -> str:
        return f"{self.least}-{self.most}"

    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.least, "maximum": self.most}

    def read(self, value: object, reading: Reading) -> object:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise ValueError(self.expected)
        if isinstance(value, float) and not value.is_integer():  # infinity is no integer either
            raise ValueError(self.expected)
        number = int(value)
        if not self.least <= number <= self.most:
            raise ValueError(self.expected)
        return number


@dataclass(frozen=True, slots=True)
class Moment(Shape):
    """An ISO date or time; without an offset it is read in the zone of the turn."""

    reason: ClassVar[Reason] = Reason.NOT_A_DATE

    @property
    def expected(self) -> str:
        return "2026-03-31"

    def schema(self) -> dict[str, Any]:
        return {"type": "string"}

    def read(self, value: object, reading: Reading) -> object:
        if not isinstance(value, str):
            raise ValueError(self.expected)
        moment = datetime.fromisoformat(value.strip())
        if moment.year not in _YEARS:
            raise ValueError(self.expected)
        return moment if moment.tzinfo is not None else moment.replace(tzinfo=reading.zone)


@dataclass(frozen=True, slots=True)
class Flag(Shape):
    """True or false."""

    reason: ClassVar[Reason] = Reason.NOT_A_FLAG

    @property
    def expected(self) -> str:
        return "true, false"

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}

    def read(self, value: object, reading: Reading) -> object:
        if isinstance(value, str) and value.strip().lower() in {"true", "false"}:
            return value.strip().lower() == "true"
        if not isinstance(value, bool):
            raise ValueError(self.expected)
        return value


@dataclass(frozen=True, slots=True)
class Text(Shape):
    """A short text in the tenant's own words, without control characters (Postgres takes no NUL)."""

    most: int
    reason: ClassVar[Reason] = Reason.NOT_A_TEXT

    @property
    def expected(self) -> str:
        return f"1-{self.most}"

    def schema(self) -> dict[str, Any]:
        return {"type": "string"}

    def read(self, value: object, reading: Reading) -> object:
        if not isinstance(value, str) or len(value) > self.most:
            raise ValueError(self.expected)
        if any(unicodedata.category(character) in {"Cc", "Cs"} for character in value):
            raise ValueError(self.expected)
        return reading.reveal(value.strip())


class Arguments(BaseModel):
    """The arguments of a tool."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    @model_validator(mode="before")
    @classmethod
    def _without_blanks(cls, written: dict[str, Any]) -> dict[str, Any]:
        return {
            name: value
            for name, value in written.items()
            if value is not None and not (isinstance(value, str) and not value.strip())
        }


def shapes(arguments: type[Arguments]) -> dict[str, Shape]:
    """The arguments that have a shape, by name, in the order in which they are declared."""
    found = {}
    for name, field in arguments.model_fields.items():
        of_field = [extra for extra in field.metadata if isinstance(extra, Shape)]
        if len(of_field) == 1:
            found[name] = of_field[0]
    return found
