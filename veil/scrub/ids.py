"""National ids of the eight countries, one row a kind: written forms, check, and what it needs to count.

A reading is strong when its form has separators or letters and its check digit holds: then no fence keeps it. One
whose form is unmistakable counts also with a wrong digit (people mistype), and one marked `alone` counts bare when
valid; everything else needs a cue beside it.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from stdnum.ar import cuit
from stdnum.br import cnpj, cpf
from stdnum.cl import rut
from stdnum.co import nit
from stdnum.es import cif, dni, nie
from stdnum.mx import curp
from stdnum.pe import ruc
from stdnum.us import ssn

Check = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of id."""

    name: str
    forms: re.Pattern[str]
    valid: Check
    alone: bool = False
    """Bare and valid is enough."""
    plain: re.Pattern[str] | None = None
    """Written forms that need neither check nor cue."""
    ambiguous: re.Pattern[str] | None = None
    """Written forms that codes of shops have as well: valid they count, but a fence keeps them."""
    opens: str = "digit"
    """What its first character is: a digit, a letter, or either."""


class Reading(NamedTuple):
    """An id read at a position: where it ends, its letters and digits, and whether it outranks fences."""

    end: int
    value: str
    strong: bool


def read(text: str, position: int, countries: tuple[str, ...]) -> Reading | None:
    """The id that starts at `position` and needs no cue: the longest one of the countries' kinds, a strong one before others."""
    best: Reading | None = None
    for kind in _kinds(countries, text[position].isdecimal()):
        match = kind.forms.match(text, position)
        if match is not None and (best is None or match.end() > best.end or (match.end() == best.end and not best.strong)):
            best = _weigh(kind, match) or best
    return best


@cache
def _kinds(countries: tuple[str, ...], digit: bool) -> tuple[Kind, ...]:
    """The kinds of some countries that may open with a digit, or with a letter."""
    return tuple(kind for country in countries for kind in KINDS.get(country, ()) if kind.opens in ("either", "digit" if digit else "letter"))


def scattered(text: str, countries: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """Ids whose letters may stand in any of their groups, told by their signs: a CNPJ with letters."""
    if "BR" in countries and "/" in text:
        for match in _CNPJ.finditer(text):
            yield match.span()


def bare(digits: str, countries: tuple[str, ...]) -> bool:
    """Whether bare digits could be an id that otherwise needs a cue: a check digit that holds, or none to hold."""
    if "CL" in countries and len(digits) in (8, 9) and rut.is_valid(digits):
        return True
    if "CO" in countries and (len(digits) == 8 or (len(digits) == 10 and digits[0] == "1") or nit.is_valid(digits)):
        return True
    return len(digits) == 8 and not {"AR", "PE"}.isdisjoint(countries)


def cued(text: str, position: int) -> Reading | None:
    """What a cue of an id announces: any run of letters and digits with enough digits in it."""
    match = _CUED.match(text, position)
    if match is None or _MEASURED.match(text, position):
        return None
    value = compact(match.group())
    return Reading(match.end(), value, True) if sum(c.isdigit() for c in value) >= _FEWEST else None


def is_rut(digits: str) -> bool:
    """Whether bare digits are a RUT by their check digit."""
    return rut.is_valid(digits)


def is_dni(written: str) -> bool:
    """Whether eight digits and a letter are a Spanish DNI."""
    return dni.is_valid(written)


def is_ssn(digits: str) -> bool:
    """Whether nine bare digits could be given out as a number of the US."""
    return ssn.is_valid(digits)


def compact(written: str) -> str:
    """Upper-case letters and digits only: the form in which the CRM is asked."""
    return written if written.isdigit() else "".join(c for c in written if c.isalnum()).upper()


def _weigh(kind: Kind, match: re.Match[str]) -> Reading | None:
    written = match.group()
    value = compact(written)
    valid = kind.valid(value)
    if kind.plain is not None and kind.plain.fullmatch(written):
        return Reading(match.end(), value, valid)
    if not valid:
        return None
    if written.isdigit():
        return Reading(match.end(), value, False) if kind.alone else None
    return Reading(match.end(), value, kind.ambiguous is None or kind.ambiguous.fullmatch(written) is None)


def _always(_: str) -> bool:
    return True


def _never(_: str) -> bool:
    return False


def _dated(value: str) -> bool:
    return "01" <= value[-7:-5] <= "12" and "01" <= value[-5:-3] <= "31"


def _rut(value: str) -> bool:
    return rut.is_valid(value.lstrip("0"))


def _vat(value: str) -> bool:
    number = value[2:]
    return any(kind.is_valid(number) for kind in (dni, nie, cif))


def _form(pattern: str) -> re.Pattern[str]:
    """A written form up to a border: no letter or digit goes on, no group, no decimals."""
    return re.compile(rf"(?:{pattern})(?![^\W_])(?![-/.]\d)(?!,\d\d?(?!\d)|,\d{{3}}(?!\d))(?!\.-)(?!-[^\W_])", re.IGNORECASE)


def _all(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_FEWEST = 5
_CUED = re.compile(
    r"(?:[A-Z]{1,6}[ -]?)?(?:\d{7,18}|\d(?:(?:[A-Z]{0,4} ?[-./]? ?|[,'’](?=\d{3}(?!\d)))\d){4,18})"
    r"(?: ?[-.] ?[\dK]|[-.][A-Z\d]{1,2}|[A-Z]{1,2}| (?-i:[A-Z]))?(?![^\W_])",
    re.ASCII | re.IGNORECASE,
)
_MEASURED = re.compile(r"\d{1,4} ?x ?\d{1,4}(?: ?x ?\d{1,4})?(?![^\W_])", re.IGNORECASE)
_CNPJ = re.compile(r"(?<![^\W_])[A-Z\d]{2}\.[A-Z\d]{3}\.[A-Z\d]{3}/[A-Z\d]{4}-\d{2}(?![^\W_])(?!-\d)", re.ASCII | re.IGNORECASE)
_CURP = r"[A-Z]{4}[- ]?\d{6}[- ]?[HMX][- ]?[A-Z]{5}[- ]?[A-Z\d]\d"
_EVERY = _all(r".*")

KINDS: Mapping[str, tuple[Kind, ...]] = {
    "CL": (
        Kind(
            "rut",
            _form(r"0{0,2}\d{1,2}([., ]?)\d{3}\1\d{3}(?: ?[-_]{1,2} ?|[. ])?[\dK]"),
            _rut,
            plain=_all(r"\d{1,2}(?:\.\d{3}){2} ?[-_]{1,2} ?[\dK]|\d{1,2}(?:,\d{3}){2}-[\dK]|\d{7,8}-[\dK]"),
        ),
    ),
    "AR": (
        Kind(
            "cuit",
            _form(r"(?:20|2[3-7]|3[0-4])[-. /]{0,2}\d{2}\.?\d{3}\.?\d{3}[-. /]{0,2}\d"),
            cuit.is_valid,
            alone=True,
            plain=_all(r"\d\d([-/ ])\d{2}\.?\d{3}\.?\d{3}\1\d"),
        ),
        Kind("dni", _form(r"\d{2}\.\d{3}\.\d{3}"), _always, ambiguous=_EVERY),
        Kind("libreta", _form(r"(?-i:L[ECU]) \d(?:\.\d{3}\.\d{3}|(?<=(?-i:[CU] \d))\d{6})"), _always, ambiguous=_EVERY, opens="letter"),
    ),
    "MX": (
        Kind("curp", _form(_CURP), curp.is_valid, plain=_all(_CURP), opens="letter"),
        Kind("elector", _form(r"[A-Z]{6}\d{8}[HM]\d{3}"), _always, plain=_EVERY, opens="letter"),
        Kind("rfc", _form(r"[A-ZÑ&]{3,4}[- ]?\d{6}[- ]?[A-Z\d]{3}"), _dated, ambiguous=_all(r"[A-ZÑ&]{3}\W?\d.*"), opens="letter"),
    ),
    "CO": (
        Kind(
            "nit",
            _form(r"[89]\d{2}([., ]?)\d{3}\1\d{3}(?: ?- ?| )\d"),
            nit.is_valid,
            plain=_all(r"\d{3}([.,])\d{3}\1\d{3} ?- ?\d|[89]\d{8}-\d"),
        ),
        Kind("cc", _form(r"\d\.\d{3}\.\d{3}\.\d{3}|\d{2}\.\d{3}\.\d{3}"), _always, ambiguous=_EVERY),
    ),
    "PE": (
        Kind("ruc", _form(r"(?:10|15|16|17|20)-?\d{8}-?\d"), ruc.is_valid, alone=True),
        Kind("dni", _form(r"\d{8} ?- ?[\dA-K]"), _never, plain=_all(r"\d{8}-[\dA-K]")),
    ),
    "BR": (
        Kind(
            "cpf",
            _form(r"\d{3}([-. ]?)\d{3}\1\d{3}(?: ?[-./] ?| )?\d{2}"),
            cpf.is_valid,
            alone=True,
            plain=_all(r"\d{3}\.\d{3}\.\d{3} ?[-./] ?\d{2}|\d{9}-\d{2}"),
        ),
        Kind(
            "cnpj",
            _form(r"[A-Z\d]{2}[-. ]?[A-Z\d]{3}[-. ]?[A-Z\d]{3}(?: ?[-/] ?| )?[A-Z\d]{4}(?: ?- ?| )?\d{2}"),
            cnpj.is_valid,
            alone=True,
            plain=_all(r"[A-Z\d]{2}\.[A-Z\d]{3}\.[A-Z\d]{3}/[A-Z\d]{4}-\d{2}"),
            opens="either",
        ),
        Kind("rg", _form(r"\d{1,2}\.\d{3}\.\d{3}-[\dX]"), _never, plain=_all(r".*")),
        Kind("pis", _form(r"\d{3}\.\d{5}\.\d{2}-\d"), _never, plain=_all(r".*")),
    ),
    "ES": (
        Kind(
            "dni",
            _form(r"\d{1,2}([. ]?)\d{3}\1\d{3}(?:[-.]{0,2}| ?-  ?|\. | (?!(?-i:[yeoa])))[A-Z]"),
            dni.is_valid,
            plain=_all(r"\d{2}\.\d{3}\.\d{3}-?[A-Z]|\d{8}-[A-Z]"),
            ambiguous=_all(r"[\d .]+ [A-Z]"),
        ),
        Kind(
            "nie",
            _form(r"[XYZ][-. ]{0,2}\d\.?\d{3}\.?\d{3}[-. ]{0,2}[A-Z]"),
            nie.is_valid,
            plain=_all(r"[XYZ]-\d{7}-[A-Z]"),
            opens="letter",
        ),
        Kind("vat", _form(r"ES[- ]?(?:[A-Z]\d{7}[A-Z\d]|\d{8}[A-Z])"), _vat, opens="letter"),
        Kind(
            "cif",
            _form(r"(?:[AB][-. ]{0,2}|[C-HJNP-SUVW])(?:\d{2}\.?\d{3}\.?\d{2}|\d\.?\d{3}\.?\d{3})[-. ]{0,2}[\dA-J]"),
            cif.is_valid,
            ambiguous=_all(r"[A-Z]\W?\d{8}"),
            opens="letter",
        ),
    ),
    "US": (Kind("ssn", _form(r"\d{3}(-|\.| - | (?=\d\d \d{4}(?! \d\d)))\d{2}\1?\d{4}"), ssn.is_valid, plain=_all(r"\d{3}-\d{2}-\d{4}")),),
}
