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

from collections.abc import Iterator
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

_URL = regex.compile(
    r"[A-Za-z][A-Za-z0-9+.\-]+:\S|//|www\.|(?:href|src)=|[\p{L}\p{N}\-]+(?:\.[\p{L}\p{N}\-]+)*\.\p{L}{2,}[/?\#:]",
    regex.IGNORECASE,
)


class _Definition(Enum):
    """Where a link reference definition (``[id]: destination``) stands."""

    NONE = auto()
    AHEAD = auto()
    DESTINATION = auto()


class _Context:
    """Whether a token at the present position of a Markdown text is inside a URL, an image or a link target.

    Decided from what stands to the left only, character by character, so that a stream is judged as the whole would be; what is not closed
    yet counts as open.
    """

    def __init__(self) -> None:
        self._waiting: list[str] = []  # pushed, not yet read: most texts hold no token and are never read
        self._run = ""  # since the last white space
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
        for character in "".join(self._waiting):
            if character.isspace():
                self._space(character)
            else:
                self._mark(character)
            self._previous = character
        self._waiting.clear()
        in_url = _URL.search(f"{self._run}x") is not None
        return in_url or self._image or self._target > 0 or self._definition is not _Definition.NONE

    def _space(self, character: str) -> None:
        self._run = ""
        if self._definition is _Definition.DESTINATION:
            self._definition = _Definition.NONE
        if character == "\n":
            self._target = 0
            if self._previous == "\n":
                self._image = False
                self._definition = _Definition.NONE

    def _mark(self, character: str) -> None:
        self._run += character
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

    ``feed`` gives what can no longer change, ``close`` the rest. Only the tail that may still become a token is held.
    """

    def __init__(self) -> None:
        self._context = _Context()
        self._memory = ""
        self._held = ""
        self._offset = 0  # of the first held character, in the whole text

    @property
    def held(self) -> str:
        """The text that was fed and not yet given."""
        return self._held

    def feed(self, chunk: str) -> Iterator[str | Found]:
        """Give the pieces that are decided after this chunk."""
        self._held += chunk
        yield from self._scan(final=False)

    def close(self) -> Iterator[str | Found]:
        """Give the rest; no more text comes."""
        yield from self._scan(final=True)

    def _scan(self, *, final: bool) -> Iterator[str | Found]:
        while self._held:
            text = self._memory + self._held
            match = _TOKEN.search(text, len(self._memory), partial=not final)
            if match is None:
                yield self._take(len(self._held))
                return
            start, end = match.start() - len(self._memory), match.end() - len(self._memory)
            if start > 0:
                yield self._take(start)
                continue
            if not final and (match.partial or self._undecided(match.end(), text)):
                return
            found = self._found(match, end)
            yield found if found is not None else self._take(end)

    def _undecided(self, end: int, text: str) -> bool:
        """Whether characters still to come could make this match longer or void."""
        rest = text[end : end + _REACH]
        if not rest:
            return True
        if rest in {"_", "__", "-", "/", "\u2010", "\u2011"}:
            return True
        return any(f".{name}".startswith(rest) for name in HANDLE_FIELDS)

    def _found(self, match: "regex.Match[str]", length: int) -> Found | None:
        if self._context.closed:
            return None
        letter = (match["letter"] or match["spaced"]).upper()
        start = self._offset
        surface = self._take(length)
        return Found(start, start + length, Token(letter, int(match["number"])), match["field"], surface)

    def _take(self, length: int) -> str:
        taken, self._held = self._held[:length], self._held[length:]
        self._context.push(taken)
        self._memory = (self._memory + taken)[-_MEMORY:]
        self._offset += length
        return taken


def find(text: str) -> list[Found]:
    """Every token that this text writes, in order."""
    scanner = Scanner()
    pieces = [*scanner.feed(text), *scanner.close()]
    return [piece for piece in pieces if isinstance(piece, Found)]


def parse(argument: str) -> list[Found]:
    """The tokens of an argument that holds nothing else (brackets, emphasis, quotes and ``|`` between them aside), else an empty list."""
    found = find(argument)
    rest = argument
    for item in reversed(found):
        rest = rest[: item.start] + rest[item.end :]
    return found if not rest.strip(" \t\n*_`'\"[](){}<>|,") else []
