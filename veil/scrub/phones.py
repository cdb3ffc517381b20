"""Phones: national plans as a literal table, everything else with a plus by `phonenumbers`.

A plan is a pattern over the bare digits: exit code, country code, trunk and old mobile prefixes outside the group,
the significant number inside. Written in groups, the pattern and a dialable grouping are enough; bare digits must be
mobile by their prefix or valid by `phonenumbers`; with a cue beside them any length that can be dialled counts.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

import phonenumbers

from veil.scrub.chains import Chain


@dataclass(frozen=True, slots=True)
class Plan:
    """How numbers of one country are dialled."""

    code: str
    digits: re.Pattern[str]
    mobile: re.Pattern[str]
    """Significant numbers that count also bare, since their prefix says what they are."""
    local: re.Pattern[str] | None = None
    """Numbers without area code that their written form gives away."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A phone over groups first..last of its chain (last exclusive)."""

    start: int
    last: int
    end: int
    value: str | None
    strong: bool


PLANS: Mapping[str, Plan] = {
    "CL": Plan("56", re.compile(r"(?:(?:00|0)?56)?0?([2-9]\d{8})"), re.compile(r"9\d{8}")),
    "AR": Plan(
        "54",
        re.compile(r"(?:(?:00)?54)?0?(9?(?:11|[23]\d)\d{8})|(?:(?:00)?54)?0?9?((?:11)15\d{8}|[23]\d{2}15\d{7}|[23]\d{3}15\d{6})"),
        re.compile(r"9\d{10}"),
        re.compile(r"15[- ]\d{3,4}[- ]?\d{4}|15[- ]\d{7,8}"),
    ),
    "MX": Plan("52", re.compile(r"(?:(?:00)?52)?(?:1|01|04[45])?([2-9]\d{9})"), re.compile(r"(?:55|56|33|81)\d{8}")),
    "CO": Plan("57", re.compile(r"(?:(?:00)?57)?(?:0[3579])?(3\d{9}|60[1-8]\d{7})"), re.compile(r"3\d{9}|60[1-8]\d{7}")),
    "PE": Plan("51", re.compile(r"(?:(?:00)?51)?0?(9\d{8}|1\d{7}|[4-8]\d{7})"), re.compile(r"9\d{8}")),
    "BR": Plan(
        "55",
        re.compile(r"(?:(?:00)?55)?(?:0(?:\d\d)?)?([1-9]\d(?:9\d{8}|[2-57]\d{7}))"),
        re.compile(r"[1-9]\d9\d{8}"),
        re.compile(r"9 ?\d{4}-\d{4}|9 \d{4} \d{4}"),
    ),
    "ES": Plan("34", re.compile(r"(?:(?:00)?34)?([5-9]\d{8})"), re.compile(r"[67]\d{8}")),
    "US": Plan("1", re.compile(r"(?:(?:00)?1)?([2-9]\d{2}[2-9]\d{6})"), re.compile(r"(?!)")),
}

_PLUS = re.compile(r"(?:\+ ?\(?|\(\+ ?)$")
_EXTENSION = re.compile(r"(?:[ ,;]{0,2}(?:ext|extension|extensión|anexo|interno|int|ramal|x)[. :]{0,2}\d{1,6})(?!\w)", re.IGNORECASE)
_MOST = 15
_FEWEST = 6


def read(chain: Chain, first: int, regions: tuple[str, ...], *, cue: bool) -> Reading | None:
    """The phone that starts at group `first`: the longest reading of its groups that counts."""
    start = chain.groups[first][0]
    plus = _PLUS.search(chain.text, max(0, start - 3), start) if first == 0 or start >= 1 else None
    windows = _windows(chain, first)
    if plus is not None:
        found = _international(chain, first, windows, plus.start())
        if found is not None:
            return found
    for last in windows:
        found = _national(chain, first, last, regions)
        if found is not None:
            return found
    if plus is None and chain.text.startswith("00", start):
        found = _international(chain, first, windows, start, skip=2)
        if found is not None:
            return found
    return _cued(chain, first, windows) if cue else None


def equivalents(value: str) -> tuple[str, ...]:
    """All ways the same line is kept in E.164: AR with and without 9, MX with and without 1, BR's ninth digit."""
    for code, with_mark, without in (
        ("+54", re.compile(r"\+549(\d{10})"), re.compile(r"\+54(\d{10})")),
        ("+52", re.compile(r"\+521(\d{10})"), re.compile(r"\+52(\d{10})")),
    ):
        mark = "9" if code == "+54" else "1"
        match = with_mark.fullmatch(value) or without.fullmatch(value)
        if match:
            return (code + match.group(1), code + mark + match.group(1))
    match = re.fullmatch(r"\+55(\d\d)9?(\d{8})", value)
    if match and match.group(2)[0] in "6789":
        return (f"+55{match.group(1)}9{match.group(2)}", f"+55{match.group(1)}{match.group(2)}")
    return (value,)


def valid(value: str) -> bool:
    """Whether `phonenumbers` holds an E.164 number for valid."""
    number = _parse(value)
    return number is not None and phonenumbers.is_valid_number(number)


def _windows(chain: Chain, first: int) -> list[int]:
    """Ends of the runs of groups from `first` that have a phone's number of digits, the longest first."""
    found: list[int] = []
    total = 0
    for last in range(first, min(len(chain.groups), first + 9)):
        start, end = chain.groups[last]
        total += end - start
        if total > _MOST + 3:
            break
        if total >= _FEWEST:
            found.append(last + 1)
    found.reverse()
    return found


def _international(chain: Chain, first: int, windows: list[int], start: int, skip: int = 0) -> Reading | None:
    possible: Reading | None = None
    for last in windows:
        digits = chain.digits(first, last)[skip:]
        if not 7 <= len(digits) <= _MOST:
            continue
        value = _known(digits)
        if value is not None:
            return _reading(chain, start, last, value, strong=True)
        number = _parse("+" + digits)
        if number is None:
            continue
        if phonenumbers.is_valid_number(number):
            return _reading(chain, start, last, phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164), strong=True)
        if possible is None and len(digits) >= 9 and phonenumbers.is_possible_number(number):
            possible = _reading(chain, start, last, None, strong=True)
    return possible


def _known(digits: str) -> str | None:
    """E.164 of digits behind a plus when one of the plans covers them."""
    for plan in PLANS.values():
        if digits.startswith(plan.code):
            match = plan.digits.fullmatch(digits) or plan.digits.fullmatch(digits[len(plan.code) :])
            return _e164(plan, match) if match else None
    return None


def _national(chain: Chain, first: int, last: int, regions: tuple[str, ...]) -> Reading | None:
    digits = chain.digits(first, last)
    grouped = last - first > 1
    if grouped and not _dialable(chain, first, last):
        return None
    for region in regions:
        plan = PLANS.get(region)
        if plan is None:
            continue
        match = plan.digits.fullmatch(digits)
        if match is not None:
            value = _e164(plan, match)
            significant = value[len(plan.code) + 1 :]
            if grouped or plan.mobile.fullmatch(significant) or valid(value):
                return _reading(chain, chain.groups[first][0], last, value, strong=False)
        if plan.local is not None and grouped:
            written = chain.text[chain.groups[first][0] : chain.groups[last - 1][1]]
            if plan.local.fullmatch(written):
                return _reading(chain, chain.groups[first][0], last, None, strong=False)
    return None


def _cued(chain: Chain, first: int, windows: list[int]) -> Reading | None:
    for last in windows:
        digits = chain.digits(first, last)
        if len(digits) <= _MOST:
            number = _parse("+" + digits)
            value = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164) if number and phonenumbers.is_valid_number(number) else None
            return _reading(chain, chain.groups[first][0], last, value, strong=False)
    return None


def _dialable(chain: Chain, first: int, last: int) -> bool:
    """Whether a person would group a number so: groups of one digit only in front, no slash between."""
    sizes = [b - a for a, b in chain.groups[first:last]]
    if len(sizes) > 6 or any(size == 1 for size in sizes[2:]) or sizes[-1] < 2:
        return False
    return "/" not in chain.text[chain.groups[first][0] : chain.groups[last - 1][1]]


def _e164(plan: Plan, match: re.Match[str]) -> str:
    digits = next(group for group in match.groups() if group is not None)
    if plan.code == "54" and len(digits) == 12:
        split = re.fullmatch(r"(11|[23]\d\d(?=15\d{7}$)|[23]\d{3}(?=15\d{6}$))15(\d+)", digits)
        if split:
            return "+549" + split.group(1) + split.group(2)
    return "+" + plan.code + digits


def _reading(chain: Chain, start: int, last: int, value: str | None, *, strong: bool) -> Reading:
    text, end = chain.text, chain.groups[last - 1][1]
    extension = _EXTENSION.match(text, end)
    if extension:
        end = extension.end()
    if start > 0 and text[start - 1] == "(" and ")" in text[start:end] and "(" not in text[start:end].split(")")[0]:
        start -= 1
    return Reading(start, last, end, value, strong)


def _parse(value: str) -> phonenumbers.PhoneNumber | None:
    try:
        return phonenumbers.parse(value)
    except phonenumbers.NumberParseException:
        return None
