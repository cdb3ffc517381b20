"""E-mail addresses, found from their at sign outwards.

Looking outwards from each '@' over a bounded stretch keeps the time linear. Besides the plain form: any script in
both halves, blanks around the at sign, a comma for a dot, single letters with blanks between, an IP for a domain, and
the big providers without their top-level domain.
"""

import re
from collections.abc import Iterator

from veil.scrub.sorts import Hit, Sort
from veil.scrub.vocabulary import listed

_LABEL = r"\w(?:[\w-]{0,62}\w)?"
_LOCAL = re.compile(r"(?:[\w+!#$%*^`{|}~'’-][\w.!#$%*+^`{|}~'’-]{0,126})?\w|\"[^\"\n]{1,64}\"")
"""The local part from its end to its start."""
_TIGHT = re.compile(rf"{_LABEL}(?:[.,]{_LABEL}){{1,8}}")
_WIDE = re.compile(rf"{_LABEL}(?: ?\. ?{_LABEL}){{1,8}}")
_IP = re.compile(r"\[?(?:\d{1,3}\.){3}\d{1,3}\]?")
_WORD = re.compile(r"[a-z]+(?![\w-])", re.IGNORECASE)
_TOP = re.compile(r"xn--[\w-]+|[^\W\d_]{1,24}")
_COMMA = listed("com net org es cl ar mx co pe br us info edu gob gov io example")
PROVIDERS = listed("gmail hotmail outlook yahoo live icloud msn aol protonmail proton gmx uol bol terra ig")
_SPREAD_LEFT = re.compile(r"(?<!\w)\w(?: [\w.]){2,40} ?$")
_SPREAD_RIGHT = re.compile(r" ?\w(?: ?[\w.](?!\w)){3,60}")


def find(text: str) -> Iterator[Hit]:
    """The hits of all addresses of `text`."""
    at = text.find("@")
    while at >= 0:
        span = _around(text, at) or _spread(text, at)
        if span is not None:
            yield Hit(*span, Sort.EMAIL, normal(text[span[0] : span[1]]))
        at = text.find("@", at + 1)


def normal(written: str) -> str:
    """The address as the CRM is asked: lower case, no blanks, dots where somebody put commas."""
    return "".join(written.lower().split()).replace(",", ".")


def top_level(label: str) -> bool:
    """Whether a label can end a domain."""
    return _TOP.fullmatch(label) is not None


def _around(text: str, at: int) -> tuple[int, int] | None:
    left = at - 1 if at and text[at - 1] == " " else at
    local = _LOCAL.match(text[max(0, left - 130) : left][::-1])
    if local is None:
        return None
    right = at + 2 if text[at + 1 : at + 2] == " " else at + 1
    end = _domain(text, right, spaced=right > at + 1 or left < at)
    return (left - local.end(), end) if end is not None else None


def _domain(text: str, start: int, *, spaced: bool) -> int | None:
    match = _TIGHT.match(text, start)
    if spaced:
        wide = _WIDE.match(text, start)
        if wide and " ." in wide.group():
            match = wide
    end = _top(match) if match else None
    if end is not None:
        return end
    word = _WORD.match(text, start)
    if word and word.group().lower() in PROVIDERS:
        return word.end()
    address = _IP.match(text, start)
    return address.end() if address else None


def _top(match: re.Match[str]) -> int | None:
    """The end of the domain; a label behind a comma counts only when it is a usual last one."""
    written = match.group()
    while True:
        cut = max(written.rfind("."), written.rfind(","))
        if cut < 0:
            return None
        label = written[cut + 1 :].strip()
        if top_level(label) and (written[cut] == "." or label.lower() in _COMMA):
            return match.start() + len(written)
        written = written[:cut].rstrip()


def _spread(text: str, at: int) -> tuple[int, int] | None:
    """An address whose every letter stands alone: "a n a @ m a i l . c l"."""
    base = max(0, at - 90)
    left = _SPREAD_LEFT.search(text[base:at])
    right = _SPREAD_RIGHT.match(text, at + 1)
    if left is None or right is None or "." not in right.group():
        return None
    return base + left.start(), right.end()
