"""Fences: what looks like a number of somebody and is not.

Dates, times, amounts, percentages, ranges of years and long codes are told by their form; detectors do not start
inside them.
"""

import re

_CURRENCY = (
    r"(?:US|U\$S|R|S/?|A|C|MX|CL|AR|CO|COL|RD)?[$€£¥₡₲]u?|U\$[SD]|S/\.?|\b(?:CLP|ARS|MXN|COP|PEN|BRL|EUR|USD|UYU|PYG|BOB|GTQ|CRC|UF|UVR|UTM|Bs\.?)"
)
_UNITS = (
    r"€|%|\$|£|pesos?|lucas|reais|real|euros?|soles?|d[oó]lares|dollars|bucks|cents|centavos|clp|ars|mxn|cop|pen|brl|"
    r"eur|usd|mill[oó]n(?:es)?|milh(?:ão|ões)"
)
_MEASURES = (
    r"mil(?![ ]gracias)|kg|km|gr|grs|ml|mts?|cm|mm|gb|mb|tb|mah|watts?|unidades|unid|uds?|pzas|piezas|units|pcs|pessoas|personas|clientes|visitas"
)
_SHAPES = re.compile(
    rf"""
    (?<!\w)(?<!\d[-./]) (?:
      \d{{4}}[-/.](?:0?[1-9]|1[0-2])[-/.](?:0?[1-9]|[12]\d|3[01]) (?:[T ]\d{{1,2}}[:.]\d{{2}}(?:[:.]\d{{2}})?)? (?!\d)
    | (?:0?[1-9]|[12]\d|3[01])[ ]?[-/.][ ]?(?:0?[1-9]|[12]\d|3[01])[ ]?[-/.][ ]?(?:(?:19|20)\d{{2}}|\d{{2}})
      (?:[ ]\d{{1,2}}[:.]\d{{2}}(?:[:.]\d{{2}})?)? (?![-/.]?\d)
    | (?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?
    | (?:\d{{1,3}}(?:[.,'’]\d{{3}})+|\d+)(?:[.,]\d{{1,2}})?[ ]?(?:{_UNITS})(?![^\W\d_])
    | (?:\d{{1,3}}(?:[.,]\d{{3}})+|\d{{1,6}})(?:[.,]\d{{1,2}})?[ ]?(?:{_MEASURES})(?![^\W\d_])
    | (?:\d{{1,3}}(?:[.]\d{{3}})+,\d{{1,2}}|\d{{1,3}}(?:,\d{{3}})+[.]\d{{2}})(?!\d)
    | (?:19|20)\d{{2}}[ ]?[-/][ ]?(?:(?:19|20)\d{{2}}|\d{{2}})(?![-/.]?\d)
    | \d{{1,2}}[.]\d{{2}}[ ]?(?:hs?|hrs|horas|pm|am)\b
    | \d{{5}}-\d{{3}}(?![-./]?\d)
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ENDINGS = frozenset({"lp", "rs", "xn", "op", "en", "rl", "ur", "sd", "yu", "yg", "ob", "tq", "rc", "uf", "vr", "tm", "bs", "$u", "$s", "$d"})
"""How the codes of currencies end: a cheap look before the whole expression."""
_PRICED = re.compile(rf"(?<!\w)(?<!\d[-./])(?:{_CURRENCY}|\$ {{1,2}}|(?<!\d )(?:{_CURRENCY}) {{1,2}})$", re.IGNORECASE)
_AMOUNT = re.compile(r"\d+(?:[.,'’]\d{3})*(?:[.,]\d{1,2})?(?!\d)")
_CENTS = re.compile(r"\d{1,3}(?!\d)")
_MONTH = re.compile(
    r"(?<![^\W\d_])(?:ene|jan|feb|fev|mar|abr|apr|ma[iy]|jun|jul|ago|aug|sep|set|oct|out|nov|dic|dez|dec)[a-zç]{0,7}\.?(?: del?)?[ ,/-]{1,2}$",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d{2}(?!\d)")
_MINUTES = re.compile(r"[0-5]\d")
_CLOCK = re.compile(r"(?<!\w)(?<!\d[-./])(?:[01]?\d|2[0-3]):(?:[0-5]\d:)?$")
_BOLETO = re.compile(r"\d{5}\.?\d{5} ?\d{5}\.?\d{6} ?\d{5}\.?\d{6} ?\d ?\d{14}|(?:\d{11}-?\d ?){4}")
_NFE = 44
_PHONES = re.compile(r"\(|\d{11}/")
_SIGNS = frozenset("$€£¥₡₲")
_UNIT = re.compile(rf"(?:,\d{{1,2}})? ?(?:{_UNITS})(?![^\W\d_])|:[0-5]\d", re.IGNORECASE)
_MEASURE = re.compile(rf" ?(?:{_MEASURES})(?![^\W\d_])", re.IGNORECASE)
_PARTED_BY_SIGN = (1, 2, 4, 5)
"""Sizes of the groups that open a date, a range of years or the postal code of Brazil."""
_DAY = r"(?:0[1-9]|[12]\d|3[01])"
_STAMP = re.compile(rf"(?:19|20)\d{{2}}(?:0[1-9]|1[0-2]){_DAY}(?:(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?)?|{_DAY}(?:0[1-9]|1[0-2])(?:19|20)\d{{2}}")
_OCTET = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
_POINTED = re.compile(
    rf"(?!(?:\d{{2}}\.\d{{3}}|\d{{3}}\.\d{{2}})\.\d{{2}}\.\d{{2}}$){_OCTET}(?:\.{_OCTET}){{3}}|\d{{1,4}}\.\d{{1,4}}(?:\.\d{{1,5}})?\.0(?:\.\d{{1,5}})+|\d{{1,4}}\.0(?:\.\d{{1,5}}){{2}}"
)
"""Four octets that are not grouped as a Spanish phone; a version with a lone zero in it."""
_POINT = re.compile(r"\d{1,3}\.\d{4,8}")
_SECOND = re.compile(r"\s?[,;]\s?-?\d{1,3}\.\d{4,8}(?!\d)")
_NUMBER = re.compile(r" ?\d")
_OTHERS = re.compile(rf"(?<![.,]\d\d)(?<=\d) (?:{_UNITS})$", re.IGNORECASE)
"""The currency that stands apart from the number before it belongs to the one behind it."""
_SUM = 6
_LONGEST = 72
_RUN = re.compile(r"[0-9a-z-]*+(?![\w-])", re.IGNORECASE)
_DIGEST = re.compile(r"(?![a-f]{2}\d{1,40}(?!\w))(?=[0-9]{0,64}[a-f])[0-9a-f]{20,128}", re.IGNORECASE)
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![0-9a-f])", re.IGNORECASE)


def shapes(text: str, groups: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
    """Spans of dates, times, amounts and their like that groups of digits open, or that reach into the first one."""
    start = groups[0][0]
    found = _led(text, start)
    covered = found[-1][1] if found else 0
    for start, end in groups:
        if start >= covered and _may_open(text, end - start, end):
            match = _SHAPES.match(text, start)
            if match and not _belongs_on(text, start, match.end()):
                covered = match.end()
                found.append((start, covered))
    return found


def _may_open(text: str, size: int, end: int) -> bool:
    """Whether a shape may begin with a group of this size, by what stands behind it."""
    behind = text[end : end + 2]
    sign = behind[:1]
    if sign == " ":
        return not behind[1:].isdecimal()
    if sign in "-/":
        return sign != "" and size in _PARTED_BY_SIGN
    return sign not in "()\n"


def _led(text: str, start: int) -> list[tuple[int, int]]:
    """The amount behind a currency, the cents, the time behind a colon or the year of a month, when the first group is one."""
    before = text[max(0, start - 6) : start]
    last = before.rstrip(" ")[-1:]
    match = None
    if last == ":":
        match = _CLOCK.search(before) and _MINUTES.match(text, start)
    elif last == "," and before[-1] == last and before[-2:-1].isdecimal():
        match = _CENTS.match(text, start)
    elif (last in _SIGNS or last in "/." or before.rstrip(" .")[-2:].lower() in _ENDINGS) and _PRICED.search(before):
        match = _AMOUNT.match(text, start)
    if match is None and text[start : start + 2] in ("19", "20"):
        match = _MONTH.search(text, max(0, start - 16), start) and _YEAR.match(text, start)
    return [match.span()] if match else []


def amount(text: str, start: int, end: int) -> bool:
    """Whether the one group text[start:end] is an amount by the sign before it or the unit after it."""
    if _led(text, start):
        return True
    if end - start <= _SUM and _MEASURE.match(text, end):
        return True
    unit = _UNIT.match(text, end)
    return unit is not None and not (end - start > _SUM and _belongs_on(text, start, unit.end()))


def _belongs_on(text: str, start: int, end: int) -> bool:
    """Whether the currency at the end belongs to a number behind it: "987654321 $ 1.250"."""
    return _NUMBER.match(text, end) is not None and _OTHERS.search(text, start, end) is not None


def stamp(digits: str) -> bool:
    """Whether bare digits are a day of our time, with or without its time: 20260914, 14092026, 20260914103500."""
    return _STAMP.fullmatch(digits) is not None


def is_address(text: str, start: int, end: int) -> bool:
    """Whether the groups are the address or place of a machine, a version or a point on the map: 192.0.2.1, 124.0.6367.78, -33.45012."""
    return _POINTED.fullmatch(text, start, end) is not None or (_POINT.fullmatch(text, start, end) is not None and _is_pair(text, start, end))


def _is_pair(text: str, start: int, end: int) -> bool:
    return text[start - 1 : start] == "-" or _SECOND.match(text, end) is not None


def digest_end(text: str, start: int) -> int:
    """Where the UUID or digest ends that the digits at `start` belong to; `start` itself when they belong to none."""
    run = _RUN.match(text[max(0, start - _LONGEST - 1) : start][::-1])
    base = start - run.end() if run else start
    match = _UUID.match(text, base) or _DIGEST.match(text, base)
    return max(start, match.end()) if match else start


def key_end(text: str, start: int, end: int) -> int:
    """Where the access key of an invoice ends that is written in one word; `start` when there is none."""
    word = text[start:end].split(" ")[0]
    digits = sum([c.isdecimal() for c in word])
    return start + len(word) if digits == _NFE and len(word) > digits and not _PHONES.match(word) else start


def long_code(written: str, sizes: list[int]) -> bool:
    """Whether the groups are a code no person has: a boleto, an NF-e key, a grouped tracking number, a UUID."""
    alike = len(set(sizes[:5])) == 1 or (len(set(sizes[:-1])) == 1 and sizes[-1] <= sizes[0])
    uniform = len(sizes) >= 5 and 4 <= sizes[0] <= 6 and alike
    return uniform or _BOLETO.fullmatch(written) is not None or _UUID.fullmatch(written) is not None
