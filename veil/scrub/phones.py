"""Phones: national plans as a literal table, everything else with a plus by `phonenumbers`.

A plan is a pattern over the bare digits: exit code, country code, trunk and old mobile prefixes outside the group,
the significant number inside. Written as people group numbers, the pattern is enough; bare digits or odd groups must
be mobile by their prefix or valid by `phonenumbers`; with a cue beside them any length that can be dialled counts.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import phonenumbers

from veil.scrub import fences
from veil.scrub.chains import Chain


@dataclass(frozen=True, slots=True)
class Plan:
    """How numbers of one country are dialled."""

    code: str
    digits: re.Pattern[str]
    mobile: re.Pattern[str]
    """Significant numbers that count also bare, since their prefix says what they are."""
    local: re.Pattern[str] | None = None
    """Numbers whose written form gives them away although the plan does not know them."""


class Reading(NamedTuple):
    """A phone up to group `last` of its chain (exclusive); strong when nothing else is written so."""

    start: int
    end: int
    last: int
    value: str | None
    strong: bool


PLANS: Mapping[str, Plan] = {
    "CL": Plan(
        "56",
        re.compile(r"(?:(?:00|0)?56)?0?([2-9]\d{8})"),
        re.compile(r"9\d{8}"),
        re.compile(r"02\)?[-. ]?[2-7]\d{6}|02\)?[-. ][2-7]\d{2}[-. ]\d{4}"),
    ),
    "AR": Plan(
        "54",
        re.compile(r"(?:(?:00)?54)?0?(9?(?:11|[23]\d)\d{8})|(?:(?:00)?54)?0?9?(1115\d{8}|[23]\d{2}15\d{7}|[23]\d{3}15\d{6})"),
        re.compile(r"9\d{10}|1115\d{8}"),
        re.compile(r"[3-7]\d{3}-\d{4}|15[2-6]\d{7}|15[-. ]?\d{3,4}[-. ]\d{4}|15[-. ]\d{7,8}|15[-. ]\d{2}[-. ]\d{2}[-. ]\d{2}(?:[-. ]\d{2})?"),
    ),
    "MX": Plan("52", re.compile(r"(?:(?:00)?52)?(?:1|01|04[45])?([2-9]\d{9})"), re.compile(r"(?:55|56|33|81)\d{8}")),
    "CO": Plan(
        "57",
        re.compile(r"(?:(?:00)?57)?(?:0[3579])?(3\d{9}|60[1-8]\d{7})"),
        re.compile(r"3\d{9}|60[1-8]\d{7}"),
        re.compile(r"(?:57[-. ]\(?[1-8]\)?|[1-8]\))[-. ]?\d{3}[-. ]?\d{2}[-. ]?\d{2}"),
    ),
    "PE": Plan(
        "51",
        re.compile(r"(?:(?:00)?51)?0?(9\d{8}|1\d{7}|[4-8]\d{7})"),
        re.compile(r"9\d{8}"),
        re.compile(r"[2-7]\d{2}-\d{4}"),
    ),
    "BR": Plan(
        "55",
        re.compile(r"(?:(?:00)?55)?(?:0(?:\d\d)?)?([1-9]\d(?:9\d{8}|[2-57]\d{7}))"),
        re.compile(r"[1-9]\d9\d{8}"),
        re.compile(r"[2-5]\d{3}-\d{4}|9[-. ]?\d{4}-\d{4}|9[-. ]\d{4}[-. ]\d{4}"),
    ),
    "ES": Plan("34", re.compile(r"(?:(?:00)?34)?([5-9]\d{8})"), re.compile(r"[67]\d{8}")),
    "US": Plan("1", re.compile(r"(?:(?:00|011)?1)?([2-9]\d{2}[2-9]\d{6})"), re.compile(r"(?!)")),
}

_PLUS = re.compile(r"\(?\+ ?\(?$")
_EXIT = re.compile(r"00[1-9]")
_SHORT_CODES = frozenset({"001", "007"})
"""The country codes of one digit: no other group of three digits is an exit code and a whole country code."""
_CARRIER = re.compile(r"\(?0(?:xx|\*\*)[ -]?$", re.IGNORECASE)
_EXTENSION = re.compile(r"[ ,;]{0,2}\(?(?:ext|extension|extensión|anexo|interno|int|ramal|x)[. :]{0,2}\d{1,6}(?!\w)\)?", re.IGNORECASE)
_TRAILING = re.compile(r"\d ?[-./] \d$")
"""A lone digit behind a sign with blanks counts something else."""
_OTHER_SIGN = re.compile(r"[^\d-]")
"""Hyphens alone part the groups of a longer code."""
_SLASHED = frozenset({(3, 3, 4), (2, 5, 4), (2, 4, 4), (1, 4, 4), (2, 9), (2, 8), (3, 7)})
"""Groupings in which a slash parts the area code; else it parts the numbers of a date."""
_TAILS = frozenset({(4, 4), (3, 4), (3, 3), (2, 2), (5, 4), (3, 2), (2, 4)})
"""How the last two groups of a phone are commonly sized; two prices side by side rarely are."""
_EPOCH = re.compile(r"1[67]\d{8}")
"""Seconds since 1970 of our days; bare and uncued it is rather that than a line in the interior of São Paulo."""
_UNSURE = 8
"""So few bare digits are a phone only with a cue: ids, dates and orders have as many."""
_MOST = 15
_FEWEST = 6
_SURE = 7
_CODES = (
    (re.compile(r"(\+54)9?(\d{10})"), "9"),
    (re.compile(r"(\+52)1?(\d{10})"), "1"),
    (re.compile(r"(\+55\d\d)9?([6-9]\d{7})"), "9"),
)


def read(chain: Chain, first: int, regions: tuple[str, ...], *, cue: bool) -> Reading | None:
    """The phone that starts at group `first`: the longest reading of its groups that counts."""
    windows = _windows(chain, first)
    if not windows:
        return None
    plans = _plans(regions)
    for last, digits in windows:
        found = _national(chain, first, last, digits, plans)
        if found is not None:
            return found
    start, end = chain.groups[first]
    if chain.text[start] == "0" and _EXIT.match(windows[0][1]) and (end - start != len("00c") or chain.text[start:end] in _SHORT_CODES):
        found = _international(chain, windows, chain.groups[first][0], skip=2)
        if found is not None:
            return found
    return _cued(chain, first, windows) if cue else None


def read_international(chain: Chain, first: int) -> Reading | None:
    """The phone behind a plus before group `first`."""
    start = chain.groups[first][0]
    plus = _PLUS.search(chain.text, max(0, start - 3), start)
    return _international(chain, _windows(chain, first), plus.start()) if plus else None


def prefixed(text: str, start: int) -> bool:
    """Whether a carrier's place holder ("0xx") stands before the number."""
    return _carrier(text, start) is not None


def equivalents(value: str) -> tuple[str, ...]:
    """The ways one line is kept in E.164: AR with and without 9, MX with and without 1, BR's ninth digit."""
    for pattern, mark in _CODES:
        match = pattern.fullmatch(value)
        if match:
            return (match.group(1) + match.group(2), match.group(1) + mark + match.group(2))
    return (value,)


def normal(digits: str, regions: tuple[str, ...]) -> str | None:
    """E.164 of bare digits, if a region's plan or their country code makes them a phone."""
    home = planned(digits, regions)
    if home is not None:
        return home
    number = _parse("+" + digits)
    return _format(number) if number and phonenumbers.is_valid_number(number) else None


def planned(digits: str, regions: tuple[str, ...]) -> str | None:
    """E.164 of bare digits, if a region's plan makes them a phone."""
    for plan in _plans(regions):
        match = plan.digits.fullmatch(digits)
        if match:
            return _e164(plan, match)
    return None


def _windows(chain: Chain, first: int) -> list[tuple[int, str]]:
    """The runs of groups from `first` that have a phone's number of digits: where they end and their digits, the longest first."""
    found: list[tuple[int, str]] = []
    last = min(len(chain.groups), first + _MOST)
    digits = chain.digits(first, last)
    while len(digits) >= _FEWEST:
        if len(digits) <= _MOST + 3:
            found.append((last, digits))
        last -= 1
        start, end = chain.groups[last]
        digits = digits[: start - end]
    return found


def _international(chain: Chain, windows: list[tuple[int, str]], start: int, skip: int = 0) -> Reading | None:
    possible: Reading | None = None
    for last, dialled in windows:
        digits = dialled[skip:]
        if not _SURE <= len(digits) <= _MOST:
            continue
        value = _known(digits)
        if value is not None:
            return _reading(chain, start, last, value, strong=True)
        number = _parse("+" + digits)
        if number is None:
            continue
        if phonenumbers.is_valid_number(number):
            return _reading(chain, start, last, _format(number), strong=True)
        if possible is None and not skip and len(digits) >= 9 and phonenumbers.is_possible_number(number):
            possible = _reading(chain, start, last, None, strong=True)
    return possible


def _known(digits: str) -> str | None:
    """E.164 of digits behind a plus when one of the plans covers them."""
    for plan in PLANS.values():
        if digits.startswith(plan.code):
            match = plan.digits.fullmatch(digits[len(plan.code) :])
            return _e164(plan, match) if match else None
    return None


def _national(chain: Chain, first: int, last: int, digits: str, plans: tuple[Plan, ...]) -> Reading | None:
    start, end = chain.groups[first][0], chain.groups[last - 1][1]
    if last - first > 1 and not _is_grouped(chain, first, last, chain.text[start:end]):
        return None
    for plan in plans:
        match = plan.digits.fullmatch(digits)
        if match is not None and _counts(plan, match, chain.sizes(first, last)):
            return _reading(chain, start, last, _e164(plan, match), strong=False)
        if plan.local is not None and plan.local.fullmatch(chain.text, start, end):
            return _reading(chain, start, last, None, strong=False)
    return None


def _is_grouped(chain: Chain, first: int, last: int, written: str) -> bool:
    """Whether the signs between the groups are those of phones: a slash only in the usual groupings, a lone zero at the start."""
    if "," in written or "'" in written or _TRAILING.search(written):
        return False
    if "/" in written and tuple(chain.sizes(first, last)) not in _SLASHED:
        return False
    return not any(b - a == 1 and chain.text[a] == "0" for a, b in chain.groups[first + 1 : last - 1]) or "." not in written


@cache
def _plans(regions: tuple[str, ...]) -> tuple[Plan, ...]:
    return tuple(PLANS[region] for region in regions if region in PLANS)


def _counts(plan: Plan, match: re.Match[str], sizes: list[int]) -> bool:
    """Whether the digits count uncued: grouped as people group phones, mobile by prefix, or valid."""
    if len(sizes) > 1 and tuple(sizes[-2:]) in _TAILS and 1 not in sizes[3:]:
        return len(match.string) > _UNSURE or sizes[0] < 3 or match.string[0] == "0"
    if len(sizes) == 2 and match.string[0] == "0" and sizes[1] in (6, 7, 8):
        return True
    value = _e164(plan, match)
    if plan.mobile.fullmatch(value[len(plan.code) + 1 :]):
        return True
    if len(sizes) == 1 and (len(match.string) <= _UNSURE or _EPOCH.fullmatch(match.string) or fences.stamp(match.string)):
        return False
    number = _parse(value)
    return number is not None and phonenumbers.is_valid_number(number)


def _cued(chain: Chain, first: int, windows: list[tuple[int, str]]) -> Reading | None:
    for last, digits in windows:
        if len(digits) <= _MOST:
            return _reading(chain, chain.groups[first][0], last, normal(digits, ()), strong=False)
    return None


def _e164(plan: Plan, match: re.Match[str]) -> str:
    digits: str = match[match.lastindex or 0]
    if plan.code == "54" and len(digits) == 12:
        area = 2 if digits.startswith("1115") else 3 if digits[3:5] == "15" else 4
        return "+549" + digits[:area] + digits[area + 2 :]
    return "+" + plan.code + digits


def _reading(chain: Chain, start: int, last: int, value: str | None, *, strong: bool) -> Reading:
    text = chain.text
    if _is_range(chain, start, last):
        last += 1
    end = chain.groups[last - 1][1]
    extension = _EXTENSION.match(text, end)
    if extension:
        end = extension.end()
    carrier = _carrier(text, start)
    if carrier is not None:
        start = carrier
    elif start > 0 and text[start - 1] == "(" and ")" in text[start:end].split("(")[0]:
        start -= 1
    return Reading(start, end, last, value, strong)


def _is_range(chain: Chain, start: int, last: int) -> bool:
    """Whether the last group stands for several lines: "612 912 345-346"."""
    if last + 1 != len(chain.groups) or chain.groups[last - 1][0] <= start:
        return False
    (begin, end), (then, _) = chain.groups[last - 1], chain.groups[last]
    sizes = chain.sizes(last - 1)
    return chain.text[end:then] == "-" and sizes[0] == sizes[1] > 2 and _OTHER_SIGN.search(chain.text, start, begin) is not None


def _carrier(text: str, start: int) -> int | None:
    before = text[max(0, start - 5) : start]
    if "x" not in before and "X" not in before and "*" not in before:
        return None
    match = _CARRIER.search(text, max(0, start - 5), start)
    return match.start() if match else None


def _parse(value: str) -> phonenumbers.PhoneNumber | None:
    try:
        return phonenumbers.parse(value)
    except phonenumbers.NumberParseException:
        return None


def _format(number: phonenumbers.PhoneNumber) -> str:
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
