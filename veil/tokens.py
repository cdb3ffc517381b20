"""The one grammar of tokens: what is written, found, and taken for a token.

Rules of this file:

* ``find`` and ``Scanner`` are the only places that decide whether a piece of text is a token. Veiling (look-alikes) and unveiling (answers,
  arguments) both call them, so what one would accept the other reserves (law 6).
* Nothing here knows which tokens exist; that is the thread's map.
* ``find(text)`` is one ``feed`` and one ``close`` of the scanner, so that any split of a stream gives what the whole gives (law 7).

Accepted, because models write them so: either case (``c-7``), any dash, a Markdown-escaped dash, a dash as HTML entity or JSON escape,
spaces around the dash after a capital (``C - 7``), emphasis, code and brackets around it, a handle's field behind it.
Not accepted: leading zeros, more than six digits, a neighbour that makes it part of a word, number, path, e-mail address or file name,
and anything inside a URL, an image or a link target.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from typing import NewType

import regex

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


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing of the CRM with an identity."""

    kind: Kind
    id: EntityId


@dataclass(frozen=True, slots=True, order=True)
class Token:
    """A letter and a number; says nothing about whether it was ever minted."""

    letter: str
    number: int

    def __str__(self) -> str:
        return f"{self.letter}-{self.number}"


@dataclass(frozen=True, slots=True)
class Found:
    """A token as some text writes it: ``text[start:end]`` is ``surface``."""

    start: int
    end: int
    token: Token
    field: str | None
    surface: str


_DASH = (
    r"(?:\\?[-\u2010\u2011\u2012\u2013\u2014\u2212\uFE63\uFF0D]"
    r"|\\u(?:002[dD]|201[0-4]|2212)"
    r"|&\#(?:45|8208|8209|8211|8722|[xX](?:2[dD]|201[01])); |&(?:ndash|minus|hyphen|dash);)"
).replace(" ", "")
_TOKEN = regex.compile(
    rf"""
    (?<![\p{{L}}\p{{N}}\p{{M}}])                      # glued to a word or number
    (?<![\p{{L}}\p{{N}}]_)(?<![\p{{L}}\p{{N}}]__)       # … also by underscores, which alone are emphasis
    (?<![/@\\])(?<![\p{{L}}\p{{N}}][-.\u2010\u2011])   # part of a path, address, code
    (?:(?P<letter>[A-Za-z]){_DASH}|(?P<spaced>[A-Z])[ \u00A0]{{0,2}}{_DASH}[ \u00A0]{{0,2}})
    (?P<number>[1-9][0-9]{{0,5}})
    (?:\.(?P<field>{"|".join(HANDLE_FIELDS)})(?![\p{{L}}\p{{N}}_]))?
    (?![\p{{L}}\p{{N}}\p{{M}}@])(?!_{{1,2}}[\p{{L}}\p{{N}}])(?![-/\u2010\u2011][\p{{L}}\p{{N}}])(?!\.[\p{{Ll}}\p{{N}}])
    """,
    regex.VERBOSE,
)
#: How far behind a token the text decides whether it is one: the longest handle field, or two underscores and a letter.
_REACH = max(len(name) for name in HANDLE_FIELDS) + 2
#: Characters before a position that the look-behinds need.
_MEMORY = 3
#: What may stand behind a token and leave open whether it is one.
_OPEN_ENDS = frozenset({"", "_", "__", "-", "/", "\u2010", "\u2011"})
#: Longest host name, with room for a scheme: how far back a URL may have begun to be told by what follows.
_LONGEST_HOST = 300
_SPACE = regex.compile(r"\s")

_URL = regex.compile(
    r"(?![A-Za-z]-\d{1,6}:)[A-Za-z][A-Za-z0-9+.\-]+:\S|//|www\.|(?:href|src)=|[\p{L}\p{N}\-]+(?:\.[\p{L}\p{N}\-]+)*\.\p{L}{2,}[/?\#:]",
    regex.IGNORECASE,
)


class _Definition(Enum):
    """Where a link reference definition (``[id]: destination``) stands."""

    NONE = auto()
    AHEAD = auto()
    DESTINATION = auto()


class _Context:
    """Whether a token at the present position of a Markdown text is inside a URL, an image or a link target.

    Decided from what stands to the left only, so that a stream is judged as the whole would be; what is not closed yet counts as open. Every
    character is looked at once.
    """

    def __init__(self) -> None:
        self._waiting: list[str] = []  # pushed, not yet read: most texts hold no token and are never read
        self._tail = ""  # the end of what was read since the last white space
        self._in_url = False
        self._previous = ""
        self._image = False
        self._was_image = False  # the bracket closed last belonged to an image
        self._target = 0  # depth of parentheses of a link target
        self._definition = _Definition.NONE

    def push(self, text: str) -> None:
        """Move on over a text that came to stand to the left."""
        self._waiting.append(text)

    @property
    def closed(self) -> bool:
        """Whether nothing may be put in here."""
        text = "".join(self._waiting)
        self._waiting.clear()
        self._follow_url(text)
        for character in text:
            if character.isspace():
                self._space(character)
            else:
                self._mark(character)
            self._previous = character
        return self._in_url or self._image or self._target > 0 or self._definition is not _Definition.NONE

    def _follow_url(self, text: str) -> None:
        """A URL begins anywhere in a run of characters and ends with it."""
        spaces = [match.end() for match in _SPACE.finditer(text)]
        if spaces:
            self._tail, self._in_url = "", False
            text = text[spaces[-1] :]
        if not self._in_url:
            seen = self._tail + text
            self._in_url = _URL.search(f"{seen}x") is not None
            self._tail = seen[-_LONGEST_HOST:]

    def _space(self, character: str) -> None:
        if self._definition is _Definition.DESTINATION:
            self._definition = _Definition.NONE
        if character == "\n":
            self._target = 0
            if self._previous == "\n":
                self._image = False
                self._definition = _Definition.NONE

    def _mark(self, character: str) -> None:
        pair = self._previous + character
        if self._definition is _Definition.AHEAD:
            self._definition = _Definition.DESTINATION
        if pair == "![" or (pair == "][" and self._was_image):
            self._image = True
        elif pair == "](":
            self._target = 1
        elif pair == "]:":
            self._definition = _Definition.AHEAD
        elif character == "]":
            self._was_image, self._image = self._image, False
        elif self._target and character in "()":
            self._target += 1 if character == "(" else -1


class Scanner:
    """Splits a text that arrives in chunks into plain pieces and tokens.

    ``feed`` gives what can no longer change, ``close`` the rest. Only the tail that may still become a token is held. With ``anywhere`` also
    what stands in a URL, an image or a link target counts.
    """

    def __init__(self, *, anywhere: bool = False) -> None:
        self._context = _Context()
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
        kept = max(self._at - _MEMORY, 0)
        self._text, self._at = self._text[kept:] + chunk, self._at - kept
        yield from self._scan(final=False)

    def close(self) -> Iterator[str | Found]:
        """Give the rest; no more text comes."""
        yield from self._scan(final=True)

    def _scan(self, *, final: bool) -> Iterator[str | Found]:
        while self._at < len(self._text):
            match = _TOKEN.search(self._text, self._at, partial=not final)
            if match is None:
                yield self._take(len(self._text))
                return
            if match.start() > self._at:
                yield self._take(match.start())
                continue
            if not final and (match.partial or self._undecided(match.end())):
                return
            yield self._found(match)

    def _undecided(self, end: int) -> bool:
        """Whether characters still to come could make a match that ends here longer or void."""
        rest = self._text[end : end + _REACH]
        return rest in _OPEN_ENDS or any(f".{name}".startswith(rest) for name in HANDLE_FIELDS)

    def _found(self, match: "regex.Match[str]") -> Found | str:
        closed = not self._anywhere and self._context.closed
        start = self._offset
        surface = self._take(match.end())
        if closed:
            return surface
        letter = (match["letter"] or match["spaced"]).upper()
        return Found(start, start + len(surface), Token(letter, int(match["number"])), match["field"], surface)

    def _take(self, end: int) -> str:
        taken = self._text[self._at : end]
        self._context.push(taken)
        self._at = end
        self._offset += len(taken)
        return taken


def find(text: str, *, anywhere: bool = False) -> list[Found]:
    """Every token that this text writes, in order; ``anywhere`` as for ``Scanner``."""
    scanner = Scanner(anywhere=anywhere)
    pieces = [*scanner.feed(text), *scanner.close()]
    return [piece for piece in pieces if isinstance(piece, Found)]


def in_addresses(text: str, positions: Iterable[int]) -> Iterator[bool]:
    """For each of these positions, in order, whether nothing may be put in there: it is inside a URL, an image or a link target."""
    context, read = _Context(), 0
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
    return found if not rest.strip(" \t\n*_`'\"[](){}<>|,") else []
