"""Addresses of the web: scheme and host stay, path and query are read as text.

Percent-encoding is undone with the way back to the offsets. Bare digits in a path are mostly ids of some system and
stay, unless the host is a messenger, the key beside them names a phone, an id or a search, or they carry the country
code of a tenant's region.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

_SCHEMED = re.compile(r"(?:(?<![^\W\d_])(?:https?|ftp|whatsapp|tg)://|(?<![\w@.-])www\.)[^\s<>\"`]+", re.IGNORECASE)
_HOSTED = re.compile(r"(?<![\w@./-])(?:[a-z0-9](?:[a-z0-9-]{0,62})\.){1,6}[a-z]{2,24}(?=[/?])(?!/\s)[^\s<>\"`]+", re.IGNORECASE)
_HOST = re.compile(r"(?:[a-z]+://)?([^/?#\s]*)", re.IGNORECASE)
_MESSENGER = re.compile(
    r"(?:^|\.)(?:wa|whatsapp|whats|t|m|signal|telegram|viber|zap)\.(?:me|com|org|link)|^(?:wa|whatsapp|api\.whatsapp)\b",
    re.IGNORECASE,
)
_SEARCH = re.compile(r"[?&](?:q|s|query|search|busca|buscar|busqueda|pesquisa|term|text|texto)=[^&#]{0,60}$", re.IGNORECASE)
_BARE = re.compile(r"\.[A-Za-z]{2,24}[/?]")
_ESCAPES = re.compile(r"(?:%[0-9a-fA-F]{2})+")
_BLANK = re.compile(r"(?<=[^\W_])\+(?=\d)")
_TRAILING = ".,;:!?)]}»”’'*_"


@dataclass(frozen=True, slots=True)
class Address:
    """One web address: its span, its path and query decoded, and the way back."""

    start: int
    end: int
    text: str
    offsets: Sequence[int]
    messenger: bool

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The span behind text[start:end]."""
        return self.offsets[start], self.offsets[end]


def find(text: str) -> Iterator[Address]:
    """All addresses of `text`, in order."""
    at = 0
    if "://" in text or "www." in text or "WWW." in text:
        for match in _SCHEMED.finditer(text):
            yield from _hosted(text, at, match.start())
            yield _address(text, *match.span())
            at = match.end()
    yield from _hosted(text, at, len(text))


def is_searched(text: str, position: int) -> bool:
    """Whether what stands here was typed into a search box, as people write it: ``?q=9 6123 4567``."""
    opened = text.rfind("&", 0, position)
    if opened < 0:
        opened = text.find("?", 0, position)
    return opened >= 0 and _SEARCH.match(text, opened, position) is not None


def _hosted(text: str, start: int, end: int) -> Iterator[Address]:
    """Addresses without a scheme: a host and a path."""
    if _BARE.search(text, start, end):
        for match in _HOSTED.finditer(text, start, end):
            yield _address(text, *match.span())


def _address(text: str, start: int, end: int) -> Address:
    while end > start and text[end - 1] in _TRAILING:
        end -= 1
    host = _HOST.match(text, start, end)
    rest = host.end() if host else end
    name = host.group(1) if host else ""
    decoded, offsets = _decode(text, rest, end)
    return Address(start, end, decoded, offsets, _MESSENGER.search(name) is not None)


def _decode(text: str, start: int, end: int) -> tuple[str, Sequence[int]]:
    """text[start:end] with its escapes undone and '+' before a digit as a blank."""
    written = text[start:end]
    if "%" not in written:
        return _BLANK.sub(" ", written), range(start, end + 1)
    out: list[str] = []
    offsets: list[int] = []
    at = start
    for match in _ESCAPES.finditer(text, start, end):
        out += _BLANK.sub(" ", text[at : match.start()])
        offsets += range(at, match.start())
        raw = unquote_to_bytes(match.group())
        try:
            piece = raw.decode()
        except UnicodeDecodeError:
            piece = raw.decode("latin-1")
        position = match.start()
        for char in piece:
            out.append(char)
            offsets.append(position)
            position += 3 * (len(char.encode()) if len(piece) != len(raw) else 1)
        at = match.end()
    out += _BLANK.sub(" ", text[at:end])
    offsets += range(at, end)
    offsets.append(end)
    return "".join(out), tuple(offsets)
