"""Bank accounts: IBAN, CLABE, CBU/CVU and CCC by their check digits; other account numbers by a cue."""

import re

from stdnum import iban
from stdnum.ar import cbu
from stdnum.es import ccc

from veil.scrub.chains import Chain

_LONG = 17
_OPENING = re.compile(r"([ .-]{0,3})[0-9][ ]?[0-9]")
_PRINTED = re.compile(r"[0-9]{2}(?![0-9])")
"""How its check digits stand when its country is written small and apart, as the words "es" and "is" are."""
_CCC = [4, 4, 2]
"""Bank, branch and check digits open a CCC."""
_WIDE = 3
"""At most so many signs and blanks part two of its groups."""


def read_iban(text: str, position: int) -> int | None:
    """The end of the IBAN that starts at `position`, signs and blanks between its letters and digits.

    A long one of digits only is known by its form and counts also when somebody mistyped a digit.
    """
    size = IBAN_LENGTHS.get(text[position : position + 2].upper())
    opening = _OPENING.match(text, position + 2) if size else None
    if size is None or opening is None:
        return None
    if opening[1] and text[position].islower() and not _PRINTED.match(text, opening.end(1)):
        return None
    taken, at, parted = text[position : position + 2], position + 2, 0
    while at < len(text) and len(taken) < size:
        char = text[at]
        if char.isascii() and char.isalnum():
            taken, parted = taken + char, 0
        elif char not in " -." or parted == _WIDE:
            return None
        else:
            parted += 1
        at += 1
    if len(taken) < size or text[at : at + 1].isalnum():
        return None
    mistyped = size > _LONG and taken[2:].isdecimal() and not opening[1]
    return at if mistyped or iban.is_valid(taken, check_country=False) else None


def read_long(chain: Chain, first: int, countries: tuple[str, ...]) -> int | None:
    """The group after the CLABE, CBU or CCC that starts at group `first`; digits in a row are no CCC, codes of parcels have as many."""
    total = 0
    for last in range(first, min(len(chain.groups), first + 6)):
        start, end = chain.groups[last]
        total += end - start
        if total < 18:
            continue
        digits = chain.digits(first, last + 1)
        if (total == 18 and "MX" in countries and clabe(digits)) or (total == 22 and "AR" in countries and cbu.is_valid(digits)):
            return last + 1
        if total == 20 and "ES" in countries and chain.sizes(first, first + 3) == _CCC and ccc.is_valid(digits):
            return last + 1
        if total >= 22:
            return None
    return None


def has_check(digits: str) -> bool:
    """Whether digits in a row are a whole account by their check digits."""
    return (len(digits) == 18 and clabe(digits)) or (len(digits) == 20 and ccc.is_valid(digits)) or (len(digits) == 22 and cbu.is_valid(digits))


def clabe(digits: str) -> bool:
    """Whether the last of eighteen digits is the check digit of the CLABE: of each product its last digit counts."""
    return -sum([int(d) * w % 10 for d, w in zip(digits[:17], (3, 7, 1) * 6, strict=False)]) % 10 == int(digits[17])


IBAN_LENGTHS = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29, "BY": 28,
    "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18,
    "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22,
    "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20,
    "LU": 20, "LV": 21, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MR": 27, "MT": 31, "MU": 30, "NI": 28, "NL": 18,
    "NO": 15, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "SA": 24, "SC": 31, "SE": 24,
    "SI": 19, "SK": 24, "SM": 27, "SV": 28, "TN": 24, "TR": 26, "UA": 29, "VA": 22, "VG": 24, "XK": 20,
}  # fmt: skip
