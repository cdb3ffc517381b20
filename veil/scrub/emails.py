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
_BACK = re.compile(r"[\w+'’-]*\w")
_TIGHT = re.compile(rf"{_LABEL}(?:[.,]{_LABEL}){{1,8}}")
_WIDE = re.compile(rf"{_LABEL}(?P<joint>\.| \.|\. | \. ){_LABEL}(?:(?P=joint){_LABEL}){{0,7}}")
"""A domain with blanks at its dots, everywhere the same ones."""
_IP = re.compile(r"\[?(?:\d{1,3}\.){3}\d{1,3}\]?")
_WORD = re.compile(r"[a-z]+(?![\w-])", re.IGNORECASE)
_TOP = re.compile(r"xn--[\w-]+|[^\W\d_]{1,24}")
USUAL = listed(
    "com net org es cl ar mx co pe br us uk pt uy ec ve fr de it info edu gob gov io ai app dev biz store shop online site tech "
    "email mail cloud live club xyz agency digital museum coop cat lat test example invalid"
)
"""Last labels that count also behind a comma or a blank."""
PROVIDERS = listed("gmail hotmail outlook yahoo live icloud msn aol protonmail proton gmx uol bol terra ig")
_SPREAD_LEFT = re.compile(r"(?<!\w)\w(?: [\w.+'-]){2,40} {0,3}$")
_SPREAD_RIGHT = re.compile(r" {0,3}\w(?: ?[\w.-](?!\w)){3,60}")
_SMALL = listed("en a de por at to in on no na via con for y o e and or siguenos follow")
"""Words before a handle ("en @tienda.cl"), which no blank makes the half of an address."""


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
    left = at - 1 if at and text[at - 1] in " \n" else at
    left -= text[left - 1 : at] == "\r\n"
    local = _LOCAL.match(text[max(0, left - 130) : left][::-1])
    if local is None:
        return None
    start = left - local.end()
    right = at + 2 if text[at + 1 : at + 2] in (" ", "\n") else at + 1
    right += 2 * (text[right : right + 2] == "\r\n" and right == at + 1)
    end, joint = _domain(text, right, spaced=right > at + 1 or left < at)
    if end is None or (left < at and right == at + 1 and not _is_parted(text, start, left, text[right:end])):
        return None
    return _widened(text, start, joint), end


def _is_parted(text: str, start: int, left: int, domain: str) -> bool:
    """Whether a blank or a line's end before the sign parts an address, and does not end a word before a handle."""
    local = text[start:left]
    if text[left] in "\r\n":
        return domain.split(".")[0].lower() in PROVIDERS or not local.isalpha()
    return local.lower() not in _SMALL


def _widened(text: str, start: int, joint: str) -> int:
    """Where the local part starts when its dots have the same blanks as those of the domain."""
    while len(joint) > 1 and text[start - len(joint) : start] == joint:
        word = _BACK.match(text[max(0, start - 64) : start - len(joint)][::-1])
        if word is None:
            break
        start -= len(joint) + word.end()
    return start


def _domain(text: str, start: int, *, spaced: bool) -> tuple[int | None, str]:
    """The end of the domain that starts here, and what its dots look like."""
    match = _TIGHT.match(text, start)
    wide = _WIDE.match(text, start)
    if wide and len(wide["joint"]) > 1 and (spaced or match is None):
        end = _top(wide)
        if end is not None:
            return end, wide["joint"]
    end = _top(match) if match else None
    if end is not None:
        return end, "."
    word = _WORD.match(text, start)
    if word and word.group().lower() in PROVIDERS:
        return word.end(), "."
    address = _IP.match(text, start)
    return (address.end() if address else None), "."


def _top(match: re.Match[str]) -> int | None:
    """The end of the domain; a label behind a comma counts only when it is a usual last one."""
    written = match.group()
    while True:
        cut = max(written.rfind("."), written.rfind(","))
        if cut < 0:
            return None
        label = written[cut + 1 :].strip()
        plain = written[cut] == "." and label == written[cut + 1 :] and written[cut - 1] != " "
        if top_level(label) and (plain or label.lower() in USUAL):
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
