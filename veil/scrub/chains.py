"""Chains: digit groups that stand close enough to be one number.

One scan finds them; the families look at chains only, so that text without digits costs next to nothing.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_CHAIN = re.compile(r"\d+(?:(?: ?[-./] ?|  ?|\) ?-? ?| ?\(|\)?[-. ]\(|[-.]{2})\d+)*")
_GROUP = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Chain:
    """The groups of digits text[start:end] is made of."""

    text: str
    start: int
    end: int
    groups: tuple[tuple[int, int], ...]

    def digits(self, first: int, last: int) -> str:
        """The digits of groups first..last (exclusive) in a row."""
        return "".join(self.text[a:b] for a, b in self.groups[first:last])


def chains(text: str, start: int = 0, end: int | None = None) -> Iterator[Chain]:
    """All chains of `text` between start and end."""
    limit = len(text) if end is None else end
    for match in _CHAIN.finditer(text, start, limit):
        groups = tuple(m.span() for m in _GROUP.finditer(text, match.start(), match.end()))
        yield Chain(text, match.start(), match.end(), groups)
