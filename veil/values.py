"""The phones, e-mails and ids of entities that a thread knows, found in a text however they are written.

Detectors find what looks like a phone; this finds *these* phones, also where a CRM holds one that no detector takes for a number.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import regex

from veil.scrub import Sort

#: A value shorter than this is too common to be looked for (a four-digit extension, an initial).
SHORTEST = 6
#: Fewest digits of a phone that tell it apart when country and area code are left out.
_NATIONAL = 8
#: A run that may be a value: without spaces (an id), or groups of digits with single spaces between (a phone).
_RUN = regex.compile(r"(?<![\p{L}\p{N}])[0-9A-Za-z](?:[.\-/]?[0-9A-Za-z]){5,40}(?![\p{L}\p{N}])")
_GROUPS = regex.compile(r"(?<!\p{N})\(?\+?\d{1,15}\)?(?:[ .\-]\(?\d{1,15}\)?)*(?!\p{N})")
_DIGITS = regex.compile(r"\d+")
_MOST_GROUPS = 6
_PHONE_DIGITS = range(6, 16)


@dataclass(frozen=True, slots=True)
class ValueSpan:
    """``text[start:end]`` is a value of this sort that the thread knows."""

    start: int
    end: int
    sort: Sort


@dataclass(frozen=True, slots=True)
class Candidate:
    """``text[start:end]`` could be a value that the CRM holds in one of these forms."""

    start: int
    end: int
    forms: tuple[tuple[Sort, str], ...]


def candidates(text: str, country_codes: Iterable[int]) -> list[Candidate]:
    """What in a text could be the phone or id of somebody, whether or not a detector takes it for one: to be looked up by value."""
    codes = tuple(country_codes)
    found: dict[tuple[int, int], Candidate] = {}
    for match in _RUN.finditer(text):
        compact = _compact(match.group())[0]
        if sum(character.isdigit() for character in compact) >= SHORTEST - 1:
            found[match.span()] = Candidate(*match.span(), ((Sort.ID, compact.upper()),))
    for match in _GROUPS.finditer(text):
        groups = [(match.start() + group.start(), match.start() + group.end()) for group in _DIGITS.finditer(match.group())]
        for first, (start, _) in enumerate(groups):
            for _, end in groups[first : first + _MOST_GROUPS]:
                digits = _compact(text[start:end])[0]
                if len(digits) in _PHONE_DIGITS:
                    known = found.get((start, end), Candidate(start, end, ())).forms
                    found[start, end] = Candidate(start, end, (*known, *_phone_forms(digits, codes)))
    return list(found.values())


def _phone_forms(digits: str, codes: tuple[int, ...]) -> Iterator[tuple[Sort, str]]:
    yield Sort.PHONE, digits
    yield Sort.PHONE, f"+{digits}"
    for code in codes:
        yield Sort.PHONE, f"+{code}{digits.removeprefix('0')}"


class Values:
    """The values of the entities of a thread, each spelling kept under its beginning."""

    def __init__(self, values: Mapping[str, Sort] | None = None) -> None:
        self._sorts: dict[str, Sort] = {}
        self._begins: dict[str, list[str]] = {}
        self._pattern: regex.Pattern[str] | None = None
        for value, sort in (values or {}).items():
            for spelling in _spellings(value, sort):
                if spelling not in self._sorts:
                    self._begins.setdefault(spelling[:SHORTEST], []).append(spelling)
                self._sorts[spelling] = sort

    def __bool__(self) -> bool:
        return bool(self._sorts)

    def items(self) -> Iterable[tuple[str, Sort]]:
        """Each value with its sort."""
        return self._sorts.items()

    def __iter__(self) -> Iterator[str]:
        """Each value in each of its spellings."""
        return iter(self._sorts)

    def may_be_in(self, text: str) -> bool:
        """Whether the beginning of one of the values stands in a text; quick."""
        if not self._begins:
            return False
        if self._pattern is None:
            self._pattern = regex.compile("|".join(map(regex.escape, self._begins)))
        return self._pattern.search(text.translate(_PLAIN)) is not None

    def find(self, text: str) -> list[ValueSpan]:
        """Each place where one of the values stands, separators or not. One of eight digits and more also counts inside a longer number."""
        if not self._sorts:
            return []
        letters, offsets = _compact(text)
        found = []
        for at in range(len(letters) - SHORTEST + 1):
            for value in self._begins.get(letters[at : at + SHORTEST], ()):
                if letters.startswith(value, at):
                    first, last = offsets[at], offsets[at + len(value) - 1]
                    if _is_long_number(value) or _is_free(text, first, last):
                        found.append(ValueSpan(first, last + 1, self._sorts[value]))
        return found


def _spellings(value: str, sort: Sort) -> Iterable[str]:
    compact, _ = _compact(value)
    if len(compact) < SHORTEST:
        return
    yield compact
    if sort is Sort.PHONE:
        yield from (compact[-digits:] for digits in range(_NATIONAL, len(compact)))


def _compact(text: str) -> tuple[str, list[int]]:
    """Letters and digits only, in lower case and their plainest writing, with the offset of each."""
    letters: list[str] = []
    offsets: list[int] = []
    for offset, character in enumerate(text):
        if character.isalnum():
            letters.append(_plain(character))
            offsets.append(offset)
    return "".join(letters), offsets


@cache
def _plain(character: str) -> str:
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    return unicodedata.normalize("NFKD", character).lower()[0]


class _PlainTable(dict[int, str]):
    """``str.translate`` table that keeps letters and digits, in their plainest writing."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        self[code] = _plain(character) if character.isalnum() else ""
        return self[code]


_PLAIN = _PlainTable()


def _is_long_number(value: str) -> bool:
    """Whether a value is told apart by its digits alone, whatever is glued to it."""
    return len(value) >= _NATIONAL and value.isdecimal()


def _is_free(text: str, first: int, last: int) -> bool:
    """Whether the match is no part of a longer word or number."""
    return not (text[max(first - 1, 0) : first].isalnum() or text[last + 1 : last + 2].isalnum())
