"""The phones, e-mails and ids of entities that a thread knows, found in a text however they are written.

Detectors find what looks like a phone; this finds *these* phones, also where a CRM holds one that no detector takes for a number.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from veil.scrub import Sort

#: A value shorter than this is too common to be looked for (a four-digit extension, an initial).
SHORTEST = 6
#: Digits of a phone that tell it apart when the country code is left out.
_NATIONAL = 8


@dataclass(frozen=True, slots=True)
class ValueSpan:
    """``text[start:end]`` is a value of this sort that the thread knows."""

    start: int
    end: int
    sort: Sort


class Values:
    """The values of the entities of a thread."""

    def __init__(self, values: Mapping[str, Sort] | None = None) -> None:
        self._sorts: dict[str, Sort] = {}
        for value, sort in (values or {}).items():
            for spelling in _spellings(value, sort):
                self._sorts[spelling] = sort

    def __bool__(self) -> bool:
        return bool(self._sorts)

    def __iter__(self) -> Iterator[str]:
        """Each value in each of its spellings."""
        return iter(self._sorts)

    def find(self, text: str) -> list[ValueSpan]:
        """Each place where one of the values stands, separators or not; not inside a longer number or word."""
        letters, offsets = _compact(text)
        found = []
        for value, sort in self._sorts.items():
            start = letters.find(value)
            while start >= 0:
                first, last = offsets[start], offsets[start + len(value) - 1]
                if _is_free(text, first, last, digits=sort is Sort.PHONE):
                    found.append(ValueSpan(first, last + 1, sort))
                start = letters.find(value, start + 1)
        return found


def _spellings(value: str, sort: Sort) -> Iterable[str]:
    compact, _ = _compact(value)
    if len(compact) < SHORTEST:
        return
    yield compact
    if sort is Sort.PHONE and len(compact) > _NATIONAL + 1:
        yield compact[-_NATIONAL:]


def _compact(text: str) -> tuple[str, list[int]]:
    """Letters and digits only, in lower case, with the offset of each."""
    letters: list[str] = []
    offsets: list[int] = []
    for offset, character in enumerate(text):
        if character.isalnum():
            lowered = character.lower()
            letters.append(lowered if len(lowered) == 1 else character)
            offsets.append(offset)
    return "".join(letters), offsets


def _is_free(text: str, first: int, last: int, *, digits: bool) -> bool:
    """Whether the match is no part of a longer word. A phone may have its country code glued in front."""
    before, after = text[first - 1 : first], text[last + 1 : last + 2]
    if after.isalnum():
        return False
    return not before.isalnum() or (digits and before.isdigit())
