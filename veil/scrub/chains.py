"""Chains: digit groups that stand close enough to be one number.

One scan finds them; the families look at chains only, so that text without digits costs next to nothing.
"""

import re
from collections.abc import Iterator

from veil.scrub import cues
from veil.scrub.cues import Cue
from veil.scrub.vocabulary import fold, words

_CHAIN = re.compile(
    r"[0-9]++(?:(?=[ ./()\-_,'’*])"
    r"(?: ?[-./] ?| {1,3}| ?\) ?[-.]? ?|\)? ?[-.]? ?\( ?|[-.]{2}|_|(?<![0-9]{4})[,'’](?=[0-9]{3}(?![0-9]))|(?<![0-9]{2})[,*] ?(?=[0-9](?![0-9])))"
    r"[0-9]++)*+"
)
_GROUP = re.compile(r"[0-9]++")
_LETTERS = re.compile(r"[^\W_]{0,33}")
_LONGEST = 33
_OPENED = 6
"""How far before its first digits a bracket may open: "(0xx11)"."""
_MARK = 4
"""A blank and two digits are no wider: the mark of a list."""
_SHORT = 6
"""Fewer characters hold no value, unless letters belong to it."""
_LONG = 7
"""A group of this size is a number by itself, and what follows behind a blank is another one."""


class Page:
    """A working text and what is looked up in it: the text folded, and its words."""

    __slots__ = ("_cues", "low", "text", "words")

    def __init__(self, text: str) -> None:
        self.text = text
        self.low = fold(text)
        self.words = words(self.low)
        self._cues: dict[int, Cue | None] = {}

    def cue(self, position: int) -> Cue | None:
        """The cue that governs the number at `position`, looked for once."""
        if position not in self._cues:
            self._cues[position] = cues.before(self.low, position)
        return self._cues[position]

    def chains(self, start: int, end: int) -> Iterator["Chain"]:
        """All chains between start and end that can hold a value."""
        text = self.text
        for match in _CHAIN.finditer(text, start, end):
            a, b = match.span()
            if b - a < _SHORT and not _is_in_word(text, a, b):
                continue
            if text[a:b].isdecimal():
                yield Chain(self, ((a, b),))
            else:
                yield Chain(self, tuple([found.span() for found in _GROUP.finditer(text, a, b)]))


class Chain:
    """Groups of digits on a page."""

    __slots__ = ("end", "groups", "page", "start", "text")

    def __init__(self, page: Page, groups: tuple[tuple[int, int], ...]) -> None:
        self.page, self.text, self.groups = page, page.text, groups
        self.start, self.end = groups[0][0], groups[-1][1]

    def sizes(self, first: int = 0, last: int | None = None) -> list[int]:
        """How many digits each of the groups first..last has."""
        return [end - start for start, end in self.groups[first:last]]

    def digits(self, first: int, last: int) -> str:
        """The digits of groups first..last (exclusive) in a row."""
        text = self.text
        return "".join([text[a:b] for a, b in self.groups[first:last]])

    def pieces(self) -> Iterator["Chain"]:
        """The chain cut where one number ends and another begins."""
        groups, first = self.groups, 0
        end = groups[0][1]
        left = total = end - groups[0][0]
        for index in range(1, len(groups)):
            next_start, next_end = groups[index]
            right = next_end - next_start
            between = self.text[end:next_start]
            if _cuts(between, left, right) or _ends(between, total, right) or self._closes(between, groups[first][0], end, next_end):
                yield Chain(self.page, groups[first:index])
                first, total = index, 0
            left, end, total = right, next_end, total + right
        yield Chain(self.page, groups[first:]) if first else self

    def _closes(self, between: str, start: int, end: int, next_end: int) -> bool:
        """Whether a bracket closes that was not opened: "1) 955501234 2) 612345001" is a list."""
        listed = between == " " and next_end - end < _MARK and self.text[next_end : next_end + 1] == ")"
        return (listed or ")" in between) and "(" not in self.text[max(0, start - _OPENED) : end]


def _is_in_word(text: str, start: int, end: int) -> bool:
    """Whether so few digits stand in a word as long as an id, or behind the two letters of an IBAN."""
    if not (text[start - 1 : start].isalpha() or text[end : end + 1].isalpha()):
        return False
    before = _LETTERS.match(text[max(0, start - _LONGEST) : start][::-1])
    after = _LETTERS.match(text, end)
    letters = before.end() if before else 0
    return letters == 2 or letters + (after.end() if after else end) - start > _SHORT


def _ends(between: str, total: int, right: int) -> bool:
    """Whether so many digits are a number, and a sign with blanks parts the next one, or the day of a date."""
    return (total >= _LONG and between == " / ") or (total > _LONG and right == 2 and between == " - ")


def _cuts(between: str, left: int, right: int) -> bool:
    if between in (". ", ". ("):
        return True
    if between in ("-", "/"):
        return left > _LONG and right > _LONG
    if left < _LONG:
        return False
    if between in (" - ", " / "):
        return True
    return between.isspace() and right > 2 and not (left == 8 and right in (4, 8))
