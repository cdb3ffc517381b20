"""Chains: digit groups that stand close enough to be one number.

One scan finds them; the families look at chains only, so that text without digits costs next to nothing.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_CHAIN = re.compile(r"\d+(?:(?: ?[-./] ?|  ?|\) ?-? ?|\)? ?[-.]? ?\(|[-.]{2})\d+)*")
_GROUP = re.compile(r"\d+")
_SHORT = 6
"""Fewer characters hold no value, unless letters belong to it."""
_LONG = 7
"""A group of this size is a number by itself, and what follows behind a blank is another one."""


@dataclass(frozen=True, slots=True)
class Chain:
    """Groups of digits and the text they stand in."""

    text: str
    groups: tuple[tuple[int, int], ...]

    @property
    def start(self) -> int:
        """Where the first group starts."""
        return self.groups[0][0]

    @property
    def end(self) -> int:
        """Where the last group ends."""
        return self.groups[-1][1]

    def sizes(self, first: int = 0, last: int | None = None) -> list[int]:
        """How many digits each of the groups first..last has."""
        return [end - start for start, end in self.groups[first:last]]

    def digits(self, first: int, last: int) -> str:
        """The digits of groups first..last (exclusive) in a row."""
        return "".join(self.text[a:b] for a, b in self.groups[first:last])

    def pieces(self) -> Iterator["Chain"]:
        """The chain cut where one number ends and another begins."""
        first = 0
        for index in range(1, len(self.groups)):
            (start, end), (next_start, next_end) = self.groups[index - 1 : index + 1]
            if _cuts(self.text[end:next_start], end - start, next_end - next_start):
                yield Chain(self.text, self.groups[first:index])
                first = index
        yield Chain(self.text, self.groups[first:]) if first else self


def chains(text: str, start: int = 0, end: int | None = None) -> Iterator[Chain]:
    """All chains of `text` between start and end that can hold a value."""
    for match in _CHAIN.finditer(text, start, len(text) if end is None else end):
        a, b = match.span()
        if b - a < _SHORT and not (text[a - 1 : a].isalpha() or text[b : b + 1].isalpha()):
            continue
        if text[a:b].isdigit():
            yield Chain(text, ((a, b),))
        else:
            yield Chain(text, tuple(m.span() for m in _GROUP.finditer(text, a, b)))


def _cuts(between: str, left: int, right: int) -> bool:
    if between == ". ":
        return True
    if between in ("-", "/"):
        return left > _LONG and right > _LONG
    if left < _LONG:
        return False
    if between in (" - ", " / "):
        return True
    return between.isspace() and right > 2 and not (left == 8 and right in (4, 8))
