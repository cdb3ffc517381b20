"""The phones, e-mails and ids of entities that a thread knows, found in a text however they are written.

Detectors find what looks like a phone; this finds *these* phones, also where a CRM holds one that no detector takes for a number.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import cache
from typing import NamedTuple

from veil.scrub import Sort

#: A value shorter than this is too common to be looked for (a four-digit extension, an initial).
SHORTEST = 6
#: Fewest digits of a phone that tell it apart when country and area code are left out.
_NATIONAL = 8
#: A run that may be a value: without spaces (an id), or groups of digits with single spaces between (a phone).
_RUN = re.compile(r"(?<![^\W_])(?=[A-Za-z.\-/]*[0-9])[0-9A-Za-z](?:[.\-/]?[0-9A-Za-z]){5,40}(?![^\W_])")
_GROUPS = re.compile(r"(?<!\d)\(?\+?\d{1,15}\)?(?:[ .\-]\(?\d{1,15}\)?)*(?!\d)")
_DIGITS = re.compile(r"\d+")
_LONG_RUN = re.compile(rf"[0-9]{{{SHORTEST},}}")
_MOST_GROUPS = 6
#: A run with fewer digits is a word; a text with fewer holds nothing to be looked up.
_FEWEST_DIGITS = SHORTEST - 1
_PHONE_DIGITS = range(6, 16)


class ValueSpan(NamedTuple):
    """``text[start:end]`` is a value of this sort that the thread knows."""

    start: int
    end: int
    sort: Sort


class Candidate(NamedTuple):
    """``text[start:end]`` could be a value that the CRM holds in one of these forms."""

    start: int
    end: int
    forms: tuple[tuple[Sort, str], ...]


def candidates(text: str, country_codes: tuple[int, ...]) -> list[Candidate]:
    """What in a text could be the phone or id of somebody, whether or not a detector takes it for one: to be looked up by value."""
    if _digits_in(text) < _FEWEST_DIGITS:
        return []
    found: dict[tuple[int, int], tuple[tuple[Sort, str], ...]] = {}
    for match in _RUN.finditer(text):
        if _digits_in(match.group()) >= _FEWEST_DIGITS:
            found[match.span()] = ((Sort.ID, letters_of(match.group()).upper()),)
    for match in _GROUPS.finditer(text):
        if match.end() - match.start() < _PHONE_DIGITS.start:
            continue
        groups = [(group.start(), group.end(), _ascii(group.group())) for group in _DIGITS.finditer(text, *match.span())]
        for first, (start, _, _) in enumerate(groups):
            digits = ""
            for _, end, group in groups[first : first + _MOST_GROUPS]:
                digits += group
                if len(digits) in _PHONE_DIGITS:
                    found[start, end] = found.get((start, end), ()) + _phone_forms(digits, country_codes)
    return [Candidate(start, end, forms) for (start, end), forms in found.items()]


def _digits_in(text: str) -> int:
    return sum(map(len, _DIGITS.findall(text)))


def _ascii(digits: str) -> str:
    return digits if digits.isascii() else letters_of(digits)


def _phone_forms(digits: str, codes: tuple[int, ...]) -> tuple[tuple[Sort, str], ...]:
    national = digits.removeprefix("0")
    return (Sort.PHONE, digits), (Sort.PHONE, f"+{digits}"), *((Sort.PHONE, f"+{code}{national}") for code in codes)


class Values:
    """The values of the entities of a thread, each spelling kept under its beginning."""

    def __init__(self, values: Mapping[str, Sort] | None = None) -> None:
        self._sorts: dict[str, Sort] = {}
        self._begins: dict[str, list[str]] = {}
        self._numbers: frozenset[str] | None = None  # the beginnings that are digits only
        self._others: tuple[str, ...] = ()  # the values that begin otherwise
        for value, sort in (values or {}).items():
            for spelling in _spellings(value, sort):
                if spelling not in self._sorts:
                    self._begins.setdefault(spelling[:SHORTEST], []).append(spelling)
                self._sorts[spelling] = sort

    def __bool__(self) -> bool:
        return bool(self._sorts)

    def __or__(self, other: "Values") -> "Values":
        """Both."""
        if not (self and other):
            return self or other
        both = Values()
        both._sorts = other._sorts | self._sorts
        both._begins = {**other._begins}
        for begin, spellings in self._begins.items():
            both._begins[begin] = [*dict.fromkeys((*spellings, *other._begins.get(begin, ())))]
        return both

    def __iter__(self) -> Iterator[str]:
        """Each value in each of its spellings."""
        return iter(self._sorts)

    def may_be_among(self, letters: str, digits: Set[str]) -> bool:
        """Whether one of the values stands among the ``letters_of`` a text, of which ``digits`` are the ``digits_of``; quick."""
        if self._numbers is None:
            numbers = {begin for begin in self._begins if begin.isascii() and begin.isdecimal()}
            self._others = tuple(value for begin, values in self._begins.items() if begin not in numbers for value in values)
            self._numbers = frozenset(numbers)
        if any(value in letters for begin in self._numbers & digits for value in self._begins[begin]):
            return True
        for value in self._others:  # noqa: SIM110 (asked of every text of a history: a generator would double its cost)
            if value in letters:
                return True
        return False

    def find(self, text: str) -> list[ValueSpan]:
        """Each place where one of the values stands, separators or not. One of eight digits and more also counts inside a longer number."""
        letters = letters_of(text)
        begins = [begin for begin in self._begins if begin in letters]
        if not begins:
            return []
        offsets = [offset for offset, character in enumerate(text) if character.isalnum()]
        found = []
        for begin in begins:
            at = letters.find(begin)
            while at >= 0:
                for value in self._begins[begin]:
                    if letters.startswith(value, at):
                        first, last = offsets[at], offsets[at + len(value) - 1]
                        if _is_long_number(value) or _is_free(text, first, last):
                            found.append(ValueSpan(first, last + 1, self._sorts[value]))
                at = letters.find(begin, at + 1)
        return sorted(found)


def _spellings(value: str, sort: Sort) -> Iterable[str]:
    compact = letters_of(value)
    if len(compact) < SHORTEST:
        return
    yield compact
    if sort is Sort.PHONE:
        yield from (compact[-digits:] for digits in range(_NATIONAL, len(compact)))


def letters_of(text: str) -> str:
    """The letters and digits of a text only, in lower case and their plainest writing, one for one."""
    return text.translate(_PLAIN)


def digits_of(letters: str) -> frozenset[str]:
    """Each ``SHORTEST`` digits in a row among the ``letters_of`` a text."""
    return frozenset(run[start : start + SHORTEST] for run in _LONG_RUN.findall(letters) for start in range(len(run) - SHORTEST + 1))


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
