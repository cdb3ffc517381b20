"""The two kinds of text, which never mix, and the marks that lead from one to the other.

``Clear`` is what people read, ``Veiled`` what the model may read. Neither is a ``str``, so that handing one to a log, a URL or the model by
accident is a type error; neither shows its words in ``repr``. ``Veiled`` is made in ``veil`` only.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Self

from veil.tokens import Entity, EntityId, Kind

#: Parts words, numbers and phrases, and is part of none.
PARTING = "\x00"


@dataclass(frozen=True, slots=True)
class Clear:
    """Text that may hold names, phones, anything."""

    text: str

    def __repr__(self) -> str:
        return f"Clear({len(self.text)} characters)"


@dataclass(frozen=True, slots=True)
class Veiled:
    """Text in which every identity is a token and every other identifier a placeholder."""

    text: str

    def __repr__(self) -> str:
        return f"Veiled({len(self.text)} characters)"


class Source(StrEnum):
    """What found a span."""

    NAME = "name"  # a form of an entity of the CRM
    PERSON = "person"  # like a person, but nobody the CRM knows
    VALUE = "value"  # a phone, e-mail or id of an entity
    SCRUB = "scrub"  # a detector of veil.scrub
    LOOK_ALIKE = "look_alike"
    HIDDEN = "hidden"  # characters that nobody sees
    TOKEN = "token"
    MENTION = "mention"  # the member chose whom they mean
    GUARD = "guard"
    SAID = "said"  # a name that the model brought itself: shown as it came to whoever may read the answer, until its bearer is erased


@dataclass(frozen=True, slots=True)
class Mark:
    """A span of a clear text and how it travels.

    ``start`` and ``end`` count Unicode code points of the clear text. ``rendering`` is fixed when the mark is made and never changes, so that
    what was sent once is sent the same for ever.
    """

    start: int
    end: int
    rendering: str
    source: Source
    entities: tuple[Entity, ...] = ()
    field: str | None = None  # of a handle
    late: bool = False  # its text had already left
    fuzzy: bool = False  # misspelt: whom it means was guessed by likeness

    def covers(self, other: "Mark") -> bool:
        """Whether another mark lies within this one."""
        return self.start <= other.start and other.end <= self.end

    def to_json(self) -> dict[str, Any]:
        """The form in which a mark is stored."""
        stored: dict[str, Any] = {"start": self.start, "end": self.end, "rendering": self.rendering, "source": self.source.value}
        if self.entities:
            stored["entities"] = [[entity.kind.value, entity.id] for entity in self.entities]
        if self.field:
            stored["field"] = self.field
        if self.late:
            stored["late"] = True
        if self.fuzzy:
            stored["fuzzy"] = True
        return stored

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """The mark that ``to_json`` described."""
        return cls(
            start=stored["start"],
            end=stored["end"],
            rendering=stored["rendering"],
            source=Source(stored["source"]),
            entities=tuple(Entity(Kind(kind), EntityId(number)) for kind, number in stored.get("entities", ())),
            field=stored.get("field"),
            late=stored.get("late", False),
            fuzzy=stored.get("fuzzy", False),
        )


@dataclass(frozen=True, slots=True)
class Marked:
    """A clear text with its marks, in order and without overlaps; ``digest`` is of the text that the marks were made for."""

    clear: Clear
    marks: tuple[Mark, ...] = ()
    digest: str = ""
    version: str = ""  # of the detectors that last read the whole text
    _intact: bool | None = field(default=None, init=False, repr=False, compare=False)  # neither text nor digest ever changes

    @classmethod
    def of(cls, clear: Clear, marks: Iterable[Mark], version: str) -> Self:
        """The text with these marks, sealed with its own digest."""
        return cls(clear, tuple(sorted(marks, key=lambda mark: mark.start)), digest_of(clear.text), version)

    @property
    def intact(self) -> bool:
        """Whether the text is still the one that the marks were made for."""
        if self._intact is None:
            object.__setattr__(self, "_intact", self.digest == digest_of(self.clear.text))
        return bool(self._intact)

    def with_marks(self, more: Iterable[Mark]) -> Self:
        """The same text with further marks, which must not overlap those it has, hidden characters inside them aside."""
        new = tuple(more)
        kept = (mark for mark in self.marks if not (mark.source is Source.HIDDEN and any(other.covers(mark) for other in new)))
        return replace(self, marks=tuple(sorted((*kept, *new), key=lambda mark: mark.start)))

    def veiled(self) -> Veiled:
        """The text as it travels: every marked span in its rendering."""
        pieces: list[str] = []
        position = 0
        for mark in self.marks:
            pieces += (self.clear.text[position : mark.start], mark.rendering)
            position = mark.end
        pieces.append(self.clear.text[position:])
        return Veiled("".join(pieces))

    def clear_span(self, start: int, end: int) -> tuple[int, int] | None:
        """The part of the clear text that stands at ``start..end`` of the veiled one; ``None`` where only renderings stand."""
        first = last = None
        position = shift = 0
        for mark in (*self.marks, Mark(len(self.clear.text), len(self.clear.text), "", Source.TOKEN)):
            low, high = max(position, start - shift), min(mark.start, end - shift)
            if low < high:
                first = low if first is None else first
                last = high
            shift += len(mark.rendering) - (mark.end - mark.start)
            position = mark.end
        return None if first is None or last is None else (first, last)

    def marks_to_json(self) -> dict[str, Any]:
        """The marks as ``velo.messages.marks`` stores them."""
        return {"digest": self.digest, "version": self.version, "spans": [mark.to_json() for mark in self.marks]}

    @classmethod
    def from_stored(cls, text: str, marks: Mapping[str, Any]) -> Self:
        """The text of a stored message with its stored marks."""
        spans = tuple(Mark.from_json(span) for span in marks.get("spans", ()))
        return cls(Clear(text), spans, marks.get("digest", ""), marks.get("version", ""))


def digest_of(text: str) -> str:
    """A hash of a text (SHA-256, hex), to tell whether it is still the one that was marked."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def blanked(text: str, covered: Iterable[tuple[int, int]], blank: str = PARTING) -> str:
    """The text of the same length with nothing to be read where it is covered."""
    pieces: list[str] = []
    position = 0
    for start, end in sorted(covered):
        if end > position:
            start = max(start, position)
            pieces += (text[position:start], blank * (end - start))
            position = end
    return "".join((*pieces, text[position:]))
