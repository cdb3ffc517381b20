"""E-mail addresses, found from their at sign outwards.

Looking outwards from each '@' over a bounded stretch keeps the time linear. Besides the plain form: any script in
both halves, blanks around the at sign, a comma for a dot, and the big providers without their top-level domain.
"""

import re
from collections.abc import Iterator

_LOCAL = re.compile(r"[\w][\w.!#$%*+^`{|}~&'’-]{0,127}$|[\w]$")
_DOMAIN = re.compile(r"((?:[\w](?:[\w-]{0,62}[\w])?)(?:\s?[.,]\s?(?:[\w](?:[\w-]{0,62}[\w])?)){1,8})|(\[?(?:\d{1,3}\.){3}\d{1,3}\]?)|([\w-]+)")
_PROVIDERS = frozenset(
    "gmail hotmail outlook yahoo live icloud msn aol protonmail proton gmx uol bol terra ig globo".split()
)
_TIGHT = re.compile(r"[\w](?:[\w-]{0,62}[\w])?(?:[.,][\w](?:[\w-]{0,62}[\w])?){1,8}")
_WIDE = re.compile(r"[\w](?:[\w-]{0,62}[\w])?(?: ?[.] ?[\w](?:[\w-]{0,62}[\w])?){1,8}")
_TOP = re.compile(r"xn--[\w-]+|[^\W\d_]{2,24}")


def find(text: str) -> Iterator[tuple[int, int]]:
    """The spans of all addresses of `text`."""
    at = text.find("@")
    while at >= 0:
        span = _around(text, at)
        if span is not None:
            yield span
        at = text.find("@", at + 1)


def _around(text: str, at: int) -> tuple[int, int] | None:
    left = at - 1 if at and text[at - 1] == " " else at
    local = _LOCAL.search(text[max(0, left - 130) : left])
    if local is None:
        return None
    start = max(0, left - 130) + local.start()
    right = at + 2 if text[at + 1 : at + 2] == " " else at + 1
    end = _domain(text, right, spaced=right > at + 1 or left < at)
    return (start, end) if end is not None else None


def _domain(text: str, start: int, *, spaced: bool) -> int | None:
    match = _TIGHT.match(text, start)
    if spaced:
        wide = _WIDE.match(text, start)
        if wide and (match is None or wide.end() > match.end()) and " " in wide.group() and " ." in wide.group():
            match = wide
    if match is not None:
        end = _top(text, match)
        if end is not None:
            return end
    word = re.compile(r"[a-zA-Z]+").match(text, start)
    if word and word.group().lower() in _PROVIDERS:
        return word.end()
    address = re.compile(r"\[?(?:\d{1,3}\.){3}\d{1,3}\]?").match(text, start)
    return address.end() if address else None


def _top(text: str, match: re.Match[str]) -> int | None:
    """The end of the domain: labels after a comma count only while they look like top-level ones."""
    end = match.end()
    written = match.group()
    while True:
        cut = max(written.rfind("."), written.rfind(","))
        if cut < 0:
            return None
        label = written[cut + 1 :].strip()
        comma = written[cut] == ","
        if _TOP.fullmatch(label) and (not comma or label.lower() in _COMMA):
            return end
        written = written[:cut].rstrip()
        end = match.start() + len(written)


_COMMA = frozenset("com net org es cl ar mx co pe br us info edu gob gov io example".split())
