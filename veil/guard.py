"""The egress guard: reads what is about to leave, and finds identifiers that veiling should have taken out.

Written without the veiling's own code on purpose: it folds, cuts and compares in its own, plainer way, so that one mistake does not pass both.
It reads the veiled parts only, one string at a time (a name must not arise from the end of one string and the beginning of the next), and
steps over tokens and placeholders.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

from veil import lexicon
from veil.payload import Message, Request, Role
from veil.results import leaves
from veil.scrub import PLACEHOLDERS
from veil.text import Veiled
from veil.tokens import Kind
from veil.veiling import WITHHELD, WORDS

_PLACEHOLDERS = {
    WITHHELD,
    *(placeholder for row in PLACEHOLDERS.values() for placeholder in row.values()),
    *(placeholder for row in WORDS.values() for placeholder in (f"[{row.name}]", row.datum, row.code, row.erased)),
}
_OURS = re.compile(
    "|".join(re.escape(placeholder[:-1]) + r"(?: [0-9]{1,6})?\]" for placeholder in sorted(_PLACEHOLDERS))
    + r"|(?<![A-Za-z0-9])[A-Z]-[0-9]{1,6}(?:\.[a-z_]+)?(?![0-9A-Za-z])"
)
#: What Unicode does not decompose and the CRM folds all the same.
_UNDECOMPOSED = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ı": "i", "ð": "d", "æ": "ae", "œ": "oe", "þ": "th", "ς": "σ"})
_JOINERS = frozenset(" \t\u00a0\u202f-\u2010\u2011'’´`_")
#: Fewest letters and digits of a value that is looked for.
_SHORTEST = 6
_BREAK = "\x00"


@dataclass(frozen=True, slots=True)
class Secrets:
    """What must not leave: folded names by their words, and values by their letters and digits."""

    names: frozenset[tuple[str, ...]]
    values: frozenset[str]
    longest: int  # words of the longest name

    @classmethod
    def of(cls, forms: Iterable[tuple[str, Kind]], values: Iterable[str]) -> "Secrets":
        """The secrets among the forms and values of a thread: strong forms only."""
        names = {words for form, kind in forms if (words := tuple(form.split())) and _is_strong(words, kind)}
        return cls(frozenset(names), frozenset(filter(None, map(_compact, values))), max(map(len, names), default=0))


@dataclass(frozen=True, slots=True)
class Hit:
    """Identifiers in one string of message ``message``: the ``spans`` of ``text``, in order and apart from each other."""

    message: int
    text: str = field(repr=False)
    spans: tuple[tuple[int, int], ...]


def inspect(request: Request, secrets: Secrets) -> list[Hit]:
    """Every string with identifiers that would leave with this request; empty when it may go."""
    hits = []
    for number, message in enumerate(request.messages):
        for place, veiled in enumerate(message.veiled()):
            for text in _strings(message, place, veiled.text):
                if spans := _merged(_spans(text, secrets)):
                    hits.append(Hit(number, text, spans))
    return hits


def _strings(message: Message, place: int, text: str) -> Iterable[str]:
    """The strings that this veiled piece is made of: results and arguments are JSON, all else is one string."""
    if message.calls and place >= sum(isinstance(part, Veiled) for part in message.parts):
        return leaves(text, keys=True)
    return leaves(text) if message.role is Role.TOOL else (text,)


def _spans(text: str, secrets: Secrets) -> Iterator[tuple[int, int]]:
    hidden = _OURS.sub(lambda match: _BREAK * len(match.group()), text)
    yield from _names(hidden, secrets)
    yield from _values(hidden, secrets)


def _merged(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The spans in order, those that touch as one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


def _names(text: str, secrets: Secrets) -> Iterator[tuple[int, int]]:
    words = list(_words(text)) if secrets.names else []
    for first in range(len(words)):
        sequence: list[str] = []
        for last in range(first, min(first + secrets.longest, len(words))):
            if last > first and not _joined(text[words[last - 1][2] : words[last][1]]):
                break
            sequence.append(words[last][0])
            if tuple(sequence) in secrets.names:
                yield words[first][1], words[last][2]


def _words(text: str) -> Iterator[tuple[str, int, int]]:
    """Each run of letters, folded, with its place; a letter of a script without spaces is a word of its own."""
    letters: list[str] = []
    start = end = 0
    for place, character in enumerate(text):
        kept = _letters(character)
        alone = bool(kept) and unicodedata.category(character) == "Lo" and not character.isascii() and character not in "ªº"
        if letters and (alone or (not kept and unicodedata.category(character) not in ("Mn", "Cf"))):
            yield "".join(letters), start, end
            letters = []
        if alone:
            yield kept, place, place + 1
        elif kept:
            start = start if letters else place
            letters.append(kept)
            end = place + 1
    if letters:
        yield "".join(letters), start, end


@cache
def _letters(character: str) -> str:
    """The letters of a character, without accents, in lower case."""
    if "\uac00" <= character <= "\ud7a3":
        return character
    kept = "".join(part for part in unicodedata.normalize("NFKD", character) if part.isalpha())
    return kept.casefold().translate(_UNDECOMPOSED)


def _joined(between: str) -> bool:
    return len(between) <= 3 and all(character in _JOINERS or character == "\n" for character in between)


def _values(text: str, secrets: Secrets) -> Iterator[tuple[int, int]]:
    places = [place for place, character in enumerate(text) if character.isalnum()]
    compact = "".join(text[place] for place in places).casefold()
    if len(compact) != len(places):
        compact = "".join(text[place].casefold()[0] for place in places)
    for value in secrets.values:
        start = compact.find(value)
        while start >= 0:
            first, last = places[start], places[start + len(value) - 1]
            if _is_whole(text, first, last, number=value.isdigit()) and _BREAK not in text[first:last]:
                yield first, last + 1
            start = compact.find(value, start + 1)


def _is_whole(text: str, first: int, last: int, *, number: bool) -> bool:
    """Whether a value is no part of a longer one: a number only by digits beside it, all else by letters too."""
    around = (text[max(first - 1, 0) : first], text[last + 1 : last + 2])
    return not any(beside.isdecimal() if number else beside.isalnum() for beside in around)


def _compact(value: str) -> str:
    compact = "".join(character for character in value.casefold() if character.isalnum())
    return compact if len(compact) >= _SHORTEST else ""


def _is_strong(words: tuple[str, ...], kind: Kind) -> bool:
    content = [word for word in words if word not in lexicon.PARTICLES]
    common = all(lexicon.is_common(word) for word in content)
    if kind in (Kind.INBOX, Kind.CAMPAIGN):
        return len(words) > 1
    if kind is Kind.COMPANY and common:
        return False
    return len(content) > 1 or (len(content) == 1 and len(content[0]) > 2 and not common)
