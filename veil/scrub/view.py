"""The working text of the scrubber: the original made plain, with the way back to its offsets.

Full-width and foreign digits become ASCII, typographic dashes '-', odd spaces ' '; what is not seen (zero-width
and control characters, combining marks) is taken out. Circled and superscript digits stay: they are symbols, not
digits somebody dials. A line break written as an escape is one. Letters keep their case and their precomposed
accents; Cyrillic and Greek ones that look like Latin ones become these. A second view has the escapes of the web and
of HTML undone ("%40", "&#64;").
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from urllib.parse import unquote

_ODD = re.compile("[^\t-\r -~\xa1-\xac\xae-\xb6\xb8-\u02ff€‘’“”…\U0001f300-\U0001faff]")
"""Texts without such a character are their own view."""

_ESCAPE = re.compile(r"(?:%[0-9a-f]{2})+|&(?:#\d{2,5}|#x[0-9a-f]{2,4}|commat|period|nbsp|lowbar|hyphen|dash|plus|lpar|rpar|comma);", re.IGNORECASE)
_ESCAPED = re.compile(rf"(?<!\S)(?:[A-Z\d]{{2}}(?:\.[A-Z\d]{{3}}){{2}}/)?[^\s/%&]*(?:{_ESCAPE.pattern})\S*", re.IGNORECASE)
"""A word with escapes that is no web address (a CNPJ has a slash, too): those are undone where the address is read."""
_BREAK = re.compile(r"\\[nrt]")
"""A line break or tab of JSON or of a log, as it is written."""
_LOOK_ALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеоріјсѕухкΑΒΕΖΗΙΚΜΝΟΡΤΥΧαοκιν",
    "ABESIJKMHOPCTYXaeopijcsyxkABEZHIKMNOPTYXaokiv",
)
_UNSEEN = frozenset("\u115f\u1160\u3164\uffa0")
_DASHES = frozenset("\u2212\u02d7\u2043\ufe63\uff0d")
_DOTS = frozenset("\xb7\u2022\u2027\u2219\u22c5\u3002\uff0e\uff61\u30fb")
_OVERRIDE = re.compile("\u202e([^\u202c\n]*)")


@dataclass(frozen=True, slots=True)
class View:
    """Plain text and, where it is not the original itself, the original index of each of its characters."""

    text: str
    offsets: tuple[int, ...] | None
    backwards: bool = False
    """The offsets run backwards somewhere."""

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original behind view[start:end], unseen characters at its end included."""
        if self.offsets is None:
            return start, end
        if self.backwards:
            inside = self.offsets[start:end]
            return min(inside), max(inside) + 1
        return self.offsets[start], self.offsets[end]


def is_odd(text: str) -> bool:
    """Whether the working text differs from the text itself, or there is more than one."""
    if "\\" in text and _BREAK.search(text):
        return True
    return _ODD.search(text) is not None or (("%" in text or "&" in text) and _ESCAPED.search(text) is not None)


def views(text: str) -> Iterator[View]:
    """The working texts of `text`: one, and those a reader sees where direction is overridden or escapes are undone."""
    yield _made(text, None)
    if ("%" in text or "&" in text) and _ESCAPED.search(text):
        yield _unescaped(text)
    if _OVERRIDE.search(text):
        order = list(range(len(text)))
        for match in _OVERRIDE.finditer(text):
            start, end = match.span(1)
            order[start:end] = reversed(order[start:end])
        yield _made(text, order)


def _unescaped(text: str) -> View:
    parts: list[str] = []
    kept: list[int] = []
    at = 0
    for word in _ESCAPED.finditer(text):
        for match in _ESCAPE.finditer(text, *word.span()):
            parts.append(text[at : match.start()])
            kept += range(at, match.start())
            written = match.group()
            said = unquote(written) if written[0] == "%" else unescape(written)
            parts.append(said)
            width = len(written) // max(1, len(said))
            kept += [match.start() + width * index for index in range(len(said))]
            at = match.end()
    parts.append(text[at:])
    kept += range(at, len(text) + 1)
    plain = _made("".join(parts), None)
    return View(plain.text, tuple([kept[i] for i in plain.offsets] if plain.offsets else kept))


def _made(text: str, order: list[int] | None) -> View:
    if order is not None:
        text = "".join(text[i] for i in order)
    if "\\" in text:
        text = _BREAK.sub(" \n", text)
    plain = text.translate(_PLAIN)
    if order is None and len(plain) == len(text):
        return View(plain, None)
    kept = [order[i] if order else i for i, c in enumerate(text) if _PLAIN[ord(c)]]
    kept.append(len(text))
    return View(plain, tuple(kept), order is not None)


class _Plain(dict[int, str]):
    """Code point to its plain character or ''; filled as characters are met, since Unicode is large."""

    def __missing__(self, point: int) -> str:
        self[point] = made = _plain(chr(point))
        return made


_PLAIN = _Plain()


def _plain(char: str) -> str:
    category = unicodedata.category(char)
    if char in "\t\n\r\x0b\x0cºª" or category == "No":
        return char
    if category in {"Cf", "Mn", "Me", "Cc"} or char in _UNSEEN:
        return ""
    if category == "Nd":
        return str(unicodedata.digit(char))
    if category == "Pd" or char in _DASHES:
        return "-"
    if category == "Zs":
        return " "
    if char in _DOTS:
        return "."
    folded = unicodedata.normalize("NFKC", char)
    return folded.translate(_LOOK_ALIKES) if len(folded) == 1 else char
