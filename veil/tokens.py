"""The one grammar of tokens: what is written, found, and taken for a token.

Rules of this file:

* ``find`` and ``Scanner`` are the only places that decide whether a piece of text is a token. Veiling (look-alikes) and unveiling (answers,
  arguments) both call them, so what one would accept the other reserves (law 6).
* Nothing here knows which tokens exist; that is the thread's map. Where nothing may be put in is decided in ``veil.addresses``.
* ``find(text)`` gives what the scanner gives, however the text is cut (law 7).

Accepted, because models write them so: either case (``c-7``), full-width letters and digits, any dash, also escaped for Markdown or JSON or as
HTML entity, characters without width around it, spaces around it after a capital (``C - 7``), emphasis, code, brackets and quotes around the
token, a handle's field behind it, an ``@`` before it, and a plural or possessive ending (``C-7s``, ``C-7's``), which is no part of the token and
stays as written.
Not accepted: leading zeros, more than six digits, a neighbour that makes it part of a word, number, path, e-mail address or file name,
and anything inside a URL, an image or a link target. Of a list like ``C-4, 5 y 7`` only the first is a token; ``C-4/C-5``
is no path but two.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple, NewType

import regex

from veil.addresses import Context

EntityId = NewType("EntityId", int)


class Kind(StrEnum):
    """The kinds of entity that a token can stand for."""

    CONTACT = "contact"
    MEMBER = "member"
    COMPANY = "company"
    INBOX = "inbox"
    CAMPAIGN = "campaign"
    CONVERSATION = "conversation"
    DEAL = "deal"


LETTERS: dict[Kind, str] = {
    Kind.CONTACT: "C",
    Kind.MEMBER: "U",
    Kind.COMPANY: "E",
    Kind.INBOX: "B",
    Kind.CAMPAIGN: "K",
    Kind.CONVERSATION: "H",
    Kind.DEAL: "D",
}
KINDS: dict[str, Kind] = {letter: kind for kind, letter in LETTERS.items()}

#: Letter of the aliases under which look-alikes travel whose number is taken.
ALIAS = "X"

#: Personal fields that a handle can name (``C-7.phone``).
HANDLE_FIELDS = ("phone", "email", "national_id", "legal_id")


class Entity(NamedTuple):
    """A thing of the CRM with an identity. A tuple, since it is hashed and compared more than anything else here."""

    kind: Kind
    id: EntityId


class Token(NamedTuple):
    """A letter and a number; says nothing about whether it was ever minted."""

    letter: str
    number: int

    def __str__(self) -> str:
        return f"{self.letter}-{self.number}"


class Found(NamedTuple):
    """A token as some text writes it: ``text[start:end]`` is ``surface``."""

    start: int
    end: int
    token: Token
    field: str | None
    surface: str


_LETTERS = r"A-Za-z\uFF21-\uFF3A\uFF41-\uFF5A"
_CAPITALS = r"A-Z\uFF21-\uFF3A"
_DASHES = r"\-\u02D7\u2010-\u2015\u2043\u2212\uFE58\uFE63\uFF0D"
_UNSEEN = r"\u00AD\u200B-\u200F\u2060\uFEFF"  # of no width
_SPACES = r"\ \u00A0\u2007\u2009\u202F"
_FIRST_DIGITS = r"1-9\uFF11-\uFF19"
_DASH = rf"""(?:
    \\{{0,2}}[{_DASHES}]
    |\\{{1,2}}u(?:002[dD]|201[0-5]|2212)
    |&(?:amp;)?(?:\#(?:0{{0,3}}45|82(?:0[89]|1[0-3])|8722|[xX]0{{0,3}}(?:2[dD]|201[0-5]|2212))|ndash|mdash|minus|hyphen|dash|horbar);
)"""
_GAP = rf"(?:[{_SPACES}{_UNSEEN}]|&(?:nbsp|\#160|\#x[aA]0);){{0,2}}"
_FIELD = "|".join(name.replace("_", r"\\?_") for name in HANDLE_FIELDS)
_GLUE = r"[\p{L}\p{N}\p{M}]"
_WORD = r"[\p{L}\p{N}]"
_SMALL = r"[\p{Ll}\p{N}]"
#: What stands beside a token in a list like ``C-4/C-5``, which is no path.
_LISTED = r"[A-Za-z][-\u2010\u2011][1-9][0-9]{0,5}"
_TOKEN = regex.compile(
    rf"""
    (?:(?<!{_GLUE})|(?<=\\[nrt]))                           # glued to a word or number; an escaped line break is neither
    (?<!{_WORD}\\?_(?:\\?_)?)                               # … also by underscores, which alone are emphasis
    (?<!{_WORD}\\?[-.\u2010\u2011])(?<![\p{{L}}\p{{N}}._%+\-]\\?@)(?<!\\)          # part of a code, e-mail address, path
    (?:(?<!/)|(?<=(?<!{_GLUE})(?<![/\\])(?<!{_WORD}[-._@])(?:{_LISTED}/){{1,5}}))  # … unless the path is a list of tokens
    (?:(?P<letter>[{_LETTERS}])[{_UNSEEN}]{{0,2}}{_DASH}[{_UNSEEN}]{{0,2}}|(?P<spaced>[{_CAPITALS}]){_GAP}{_DASH}{_GAP})
    (?P<number>[{_FIRST_DIGITS}][0-9\uFF10-\uFF19]{{0,5}})
    (?:\\?\.(?P<field>(?i:{_FIELD}))(?!{_WORD})|(?P<ending>e?s))?
    (?!(?!\u02BC){_GLUE})(?![{_UNSEEN}]{{1,3}}\p{{N}})(?!\\?_(?:\\?_)?{_WORD})     # the same behind it; U+02BC is an apostrophe
    (?!\\?[-\u2010\u2011]{_WORD})(?![.+]{_SMALL})(?!\\?@)(?!\\[A-Za-mo-qsv-z0-9])
    (?:(?=(?:/{_LISTED}){{1,5}}(?:e?s)?(?!{_GLUE})(?![-/_\u2010\u2011]{_WORD})(?![.+]{_SMALL})(?!@))|(?!\\?/{_WORD}))
    """,
    regex.VERBOSE,
)
#: What behind a token makes it longer, or none: as long as the end of a text may become this, the token is not decided.
_MORE = regex.compile(
    rf"""
    \\?\.(?i:{_FIELD}){_WORD}?|[.+]{_SMALL}|[{_UNSEEN}]{{1,3}}\p{{N}}|\\?_(?:\\?_)?{_WORD}|\\?[-/\u2010\u2011]{_WORD}|\\[A-Za-z0-9@]|[\p{{L}}\p{{N}}\p{{M}}@]
    |(?:/{_LISTED}){{1,5}}(?:e?s)?(?:[\p{{L}}\p{{N}}\p{{M}}@]|[-/_.+\u2010\u2011]{_WORD})
    """,
    regex.VERBOSE,
)
#: Where every token is: at the first character of its dash. Found fast, since dashes are rare; ``_TOKEN`` then decides.
_SHAPE = re.compile(
    rf"[{_DASHES}\\&](?<=[{_LETTERS}{_SPACES}{_UNSEEN};][{_DASHES}\\&])"
    rf"(?:(?<![\\&])(?=[{_FIRST_DIGITS}{_SPACES}{_UNSEEN}&])|(?<=\\)(?=[{_DASHES}\\u])|(?<=&)(?=[#amnhd]))"
)
_BEFORE_DASH = regex.compile(rf"[{_LETTERS}]{_GAP}", regex.VERBOSE | regex.REVERSE)
#: What may stand around the tokens of an argument.
_AROUND = regex.compile(rf"[\s*_`~'\"\[\](){{}}<>|,;.\\«»“”„‘’{_UNSEEN}]+")
#: Longer than any token with what is looked at behind it.
LONGEST = 140
#: Characters before a position that the look-behinds need.
_MEMORY = 55


class Scanner:
    """Splits a text that arrives in chunks into plain pieces and tokens.

    ``feed`` gives what can no longer change, ``close`` the rest. Only the tail that may still become a token is held. With ``anywhere`` also
    what stands in a URL, an image or a link target counts.
    """

    def __init__(self, *, anywhere: bool = False) -> None:
        self._context = Context()
        self._anywhere = anywhere
        self._text = ""  # what the look-behinds need, then what is held
        self._at = 0  # where the held text begins
        self._offset = 0  # of the held text in the whole

    @property
    def held(self) -> str:
        """The text that was fed and not yet given."""
        return self._text[self._at :]

    def feed(self, chunk: str) -> Iterator[str | Found]:
        """Give the pieces that are decided after this chunk."""
        self._extend(chunk)
        yield from self._scan(final=False)

    def close(self, last: str = "") -> Iterator[str | Found]:
        """Give the rest, with a last chunk; no more text comes."""
        self._extend(last)
        yield from self._scan(final=True)

    def _extend(self, chunk: str) -> None:
        kept = max(self._at - _MEMORY, 0)
        self._text, self._at = self._text[kept:] + chunk, self._at - kept

    def _scan(self, *, final: bool) -> Iterator[str | Found]:
        while self._at < len(self._text):
            match = _next(self._text, self._at, final=final)
            before = len(self._text) if match is None else match.start()
            if before > self._at:
                yield self._take(before)
            if match is None or (not final and (match.partial or _is_open(self._text, match.end()))):
                return
            yield self._found(match)

    def _found(self, match: "regex.Match[str]") -> Found | str:
        closed = not self._anywhere and self._context.closed
        start = self._offset
        surface = self._take(match.start("ending") if match["ending"] else match.end())
        if closed:
            return surface
        letter, spaced, number, field = match.group("letter", "spaced", "number", "field")
        token = Token(unicodedata.normalize("NFKC", letter or spaced).upper(), int(number))  # full-width, too
        return Found(start, start + len(surface), token, field and field.replace("\\", "").lower(), surface)

    def _take(self, end: int) -> str:
        taken = self._text[self._at : end]
        if not self._anywhere:
            self._context.push(taken)
        self._at = end
        self._offset += len(taken)
        return taken


def _next(text: str, at: int, *, final: bool) -> "regex.Match[str] | None":
    """The first token from ``at`` on or, if the text goes on, the beginning of one at its end."""
    for shape in _SHAPE.finditer(text, at):
        before = _BEFORE_DASH.match(text, at, shape.start())
        if before is not None and (match := _TOKEN.match(text, before.start())):
            return match
    return None if final else _TOKEN.search(text, max(at, len(text) - LONGEST), partial=True)


def _is_open(text: str, end: int) -> bool:
    """Whether characters still to come could make a match that ends here longer or void."""
    return end == len(text) or (len(text) - end < LONGEST and _MORE.fullmatch(text, end, partial=True) is not None)


def may_hold(text: str) -> bool:
    """Whether a text could hold a token. Quick, and never wrong when it says no."""
    return _SHAPE.search(text) is not None


def find(text: str, *, anywhere: bool = False) -> list[Found]:
    """Every token that this text writes, in order; ``anywhere`` as for ``Scanner``."""
    if not may_hold(text):
        return []
    return [piece for piece in Scanner(anywhere=anywhere).close(text) if isinstance(piece, Found)]


def in_addresses(text: str, positions: Iterable[int]) -> Iterator[bool]:
    """For each of these positions, in order, whether nothing may be put in there: it is inside a URL, an image or a link target."""
    context, read = Context(), 0
    for position in positions:
        context.push(text[read:position])
        read = position
        yield context.closed


def parse(argument: str) -> list[Found]:
    """The tokens of an argument that holds nothing else (brackets, emphasis, quotes and ``|`` between them aside), else an empty list."""
    found = find(argument)
    rest = argument
    for item in reversed(found):
        rest = rest[: item.start] + rest[item.end :]
    return found if not _AROUND.sub("", rest) else []
