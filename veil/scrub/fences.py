"""Fences: what looks like a number of somebody and is not.

Dates, times, amounts, percentages, versions, UUIDs, digests and long codes are told by their form; they are cut out of
a chain before any detector looks at what is left.
"""

import re

_CURRENCY = r"(?:US|R|S/?|A|C|MX|CL|AR|CO)?[$€£]|S/\.?|\b(?:CLP|ARS|MXN|COP|PEN|BRL|EUR|USD|UF|UVR|UTM)\b"
_UNITS = (
    r"€|%|\$|£|pesos?|lucas|mil|reais|real|euros?|soles?|d[oó]lares|dollars|bucks|cents|centavos|clp|ars|mxn|cop|pen|brl|eur|usd|"
    r"mill[oó]n(?:es)?|milh(?:ão|ões)|kg|km|gr|grs|ml|mts?|cm|mm|gb|mb|unidades|pessoas|personas|visitas|clientes"
)
_SHAPES = re.compile(
    rf"""
    (?<![\w]) (?:
      \d{{4}}[-/.](?:0?[1-9]|1[0-2])[-/.](?:0?[1-9]|[12]\d|3[01]) (?:[T ]\d{{1,2}}[:.]\d{{2}}(?:[:.]\d{{2}})?)? (?![\d])
    | (?:0?[1-9]|[12]\d|3[01])[ ]?[-/.][ ]?(?:0?[1-9]|[12]\d|3[01])[ ]?[-/.][ ]?(?:(?:19|20)\d{{2}}|\d{{2}}) (?:[ ]\d{{1,2}}[:.]\d{{2}}(?:[:.]\d{{2}})?)? (?![-/.]?\d)
    | (?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?
    | (?:{_CURRENCY})[ ]?\d+(?:[.,]\d{{3}})*(?:[.,]\d{{1,2}})?(?!\d)
    | \d{{1,3}}(?:[.,]\d{{3}})*(?:[.,]\d{{1,2}})?[ ]?(?:{_UNITS})(?![^\W\d_])
    | \d+(?:[.,]\d{{1,2}})?[ ]?(?:{_UNITS})(?![^\W\d_])
    | (?:19|20)\d{{2}}[ ]?[-/][ ]?(?:(?:19|20)\d{{2}}|\d{{2}})(?![-/.]?\d)
    | \d{{1,2}}[.]\d{{2}}[ ]?(?:hs?|hrs|horas|pm|am)\b
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_STAMP = re.compile(r"(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?)?$")
_UUID = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}")
_MONEY_BEFORE = re.compile(rf"(?:{_CURRENCY})[ ]?$", re.IGNORECASE)
CURRENCY = _MONEY_BEFORE


def shapes(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Spans of dates, times, amounts and their like that touch text[start:end]."""
    return [match.span() for match in _SHAPES.finditer(text, max(0, start - 5), min(len(text), end + 14))]


def stamp(digits: str) -> bool:
    """Whether bare digits are a time stamp (yyyymmdd, with hours or not)."""
    return _STAMP.match(digits) is not None


def uuid(text: str, start: int) -> int | None:
    """The end of a UUID at `start`."""
    match = _UUID.match(text, start)
    return match.end() if match else None


def long_code(sizes: list[int]) -> bool:
    """Whether groups of these sizes are a code no person has: boletos, NF-e keys, grouped tracking numbers."""
    total = sum(sizes)
    return total > 19 and (len(sizes) >= 5 or total > 24)
