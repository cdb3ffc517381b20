"""The egress guard: reads what is about to leave, and finds identifiers that veiling should have taken out.

Written without the veiling's own code on purpose: it folds, cuts and compares in its own, plainer way, so that one mistake does not pass both.
It reads the veiled parts only, one string at a time (a name must not arise from the end of one string and the beginning of the next), and
steps over tokens and placeholders.
"""

import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import pairwise

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
#: A letter as JSON, Python or JavaScript writes it where it must be ASCII.
_ESCAPE = re.compile(r"(?:\\+u|%u)([0-9A-Fa-f]{4})|\\+x([0-9A-Fa-f]{2})")
#: What Unicode does not decompose and the CRM folds all the same.
_UNDECOMPOSED = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ı": "i", "ð": "d", "æ": "ae", "œ": "oe", "þ": "th", "ς": "σ"})
_JOINERS = frozenset(" \t\u00a0\u202f-\u2010\u2011'’´`_")
#: Fewest letters and digits of a value that is looked for.
_SHORTEST = 6
_BREAK = "\x00"
_NUMBER = re.compile(rf"[0-9]{{{_SHORTEST},}}")
#: Pieces that are remembered, and the longest that is: some tens of megabytes at the most, and nothing that was not to leave.
_KEPT = 2_048
_LONGEST = 4_200


Spans = tuple[tuple[int, int], ...]


class Secrets:
    """What must not leave: the strong ones among the forms and values of a thread. They only grow, and no text is read twice for the same ones."""

    def __init__(self, forms: Iterable[tuple[str, Kind]] = (), values: Iterable[str] = ()) -> None:
        self._forms: set[tuple[str, Kind]] = set()
        self._values: set[str] = set()
        self._layers: list[_Layer] = []
        self._read: dict[str, tuple[int, Spans]] = {}  # by how many layers a text was read; results say the same words again and again
        self.learn(forms, values)

    def learn(self, forms: Iterable[tuple[str, Kind]], values: Iterable[str]) -> None:
        """Look for these as well from now on."""
        new_forms, new_values = {*forms} - self._forms, {*values} - self._values
        if new_forms or new_values:
            self._layers.append(_Layer(new_forms, new_values))
            self._forms |= new_forms
            self._values |= new_values

    def may_be_in(self, piece: "_Piece") -> bool:
        """Whether a piece of a message could hold one; only where it could, its strings are read sign by sign."""
        return any(layer.may_be_in(piece) for layer in self._layers)

    def spans(self, text: str) -> Spans:
        """Where this text holds a secret, in order and apart from each other."""
        layers, spans = self._read.get(text, (0, ()))
        if layers < len(self._layers):
            hidden = _hidden(text)
            found = [span for layer in self._layers[layers:] for span in layer.spans(hidden)]
            if _ESCAPE.search(hidden):
                decoded, places = _decoded(hidden)
                found += [(places[start], places[end]) for layer in self._layers[layers:] for start, end in layer.spans(decoded)]
            spans = _merged([*spans, *found])
            self._read[text] = len(self._layers), spans
        return spans


class _Layer:
    """Secrets that were learnt together, each kept under its beginning."""

    def __init__(self, forms: Iterable[tuple[str, Kind]], values: Iterable[str]) -> None:
        self._names: dict[str, set[tuple[str, ...]]] = {}
        for form, kind in forms:
            words = tuple(form.split())
            if words and _is_strong(words, kind):
                self._names.setdefault(words[0], set()).add(words)
        self._values: dict[str, set[str]] = {}
        for value in values:
            compact = _compact(value)
            if len(compact) >= _SHORTEST:
                self._values.setdefault(compact[:_SHORTEST], set()).add(compact)
        self._numbers = frozenset(beginning for beginning in self._values if _NUMBER.fullmatch(beginning))
        self._others = tuple(value for beginning in self._values.keys() - self._numbers for value in self._values[beginning])

    def may_be_in(self, piece: "_Piece") -> bool:
        """Whether a piece has all the words of one of the names, or the signs of one of the values."""
        for first in self._names.keys() & piece.words:
            if any(piece.words.issuperset(name) for name in self._names[first]):
                return True
        for beginning in self._numbers & piece.numbers:
            if any(value in piece.signs for value in self._values[beginning]):
                return True
        signs = piece.signs
        for value in self._others:  # noqa: SIM110 (asked of every piece of a history: a generator would double its cost)
            if value in signs:
                return True
        return False

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Where a text without renderings holds one of them."""
        yield from self._name_spans(text)
        yield from self._value_spans(text)

    def _name_spans(self, text: str) -> Iterator[tuple[int, int]]:
        if self._names.keys().isdisjoint(text.translate(_WORDS).split()):
            return
        words = list(_words(text))
        for first, (word, start, _) in enumerate(words):
            for name in self._names.get(word, ()):
                ahead = words[first : first + len(name)]
                if tuple(item[0] for item in ahead) == name and all(_joined(text[left[2] : right[1]]) for left, right in pairwise(ahead)):
                    yield start, ahead[-1][2]

    def _value_spans(self, text: str) -> Iterator[tuple[int, int]]:
        if not self._values:
            return
        compact = _compact(text)
        if not any(beginning in compact for beginning in self._values):
            return
        places = [place for place, character in enumerate(text) if character.isalnum()]
        for at in range(len(compact) - _SHORTEST + 1):
            for value in self._values.get(compact[at : at + _SHORTEST], ()):
                if compact.startswith(value, at):
                    first, last = places[at], places[at + len(value) - 1]
                    if (_is_long_number(value) or _is_whole(text, first, last)) and _BREAK not in text[first:last]:
                        yield first, last + 1


def _decoded(text: str) -> tuple[str, list[int]]:
    """The text with its escapes read, and where each of its characters begins in the text as written."""
    characters: list[str] = []
    places: list[int] = []
    position = 0
    for match in _ESCAPE.finditer(text):
        characters += text[position : match.start()]
        places += range(position, match.start())
        characters.append(chr(int(next(filter(None, match.groups())), 16)))
        places.append(match.start())
        position = match.end()
    return "".join((*characters, text[position:])), [*places, *range(position, len(text) + 1)]


@dataclass(frozen=True, slots=True)
class Hit:
    """Identifiers in one string of message ``message``: the ``spans`` of ``text``, in order and apart from each other."""

    message: int
    text: str = field(repr=False)
    spans: Spans


def inspect(request: Request, secrets: Secrets) -> list[Hit]:
    """Every string with identifiers that would leave with this request; empty when it may go."""
    hits = []
    for number, message in enumerate(request.messages):
        for place, veiled in enumerate(message.veiled()):
            piece = _seen(veiled.text, *_read_as(message, place))
            if secrets.may_be_in(piece):
                hits += [Hit(number, text, spans) for text in piece.strings if (spans := secrets.spans(text))]
    return hits


def _read_as(message: Message, place: int) -> tuple[bool, bool]:
    """Whether a veiled piece is JSON, and whether the keys in it count: results and arguments are, all else is one string."""
    arguments = bool(message.calls) and place >= sum(isinstance(part, Veiled) for part in message.parts)
    return arguments or message.role is Role.TOOL, arguments


@dataclass(frozen=True, slots=True)
class _Piece:
    """A veiled piece of a message: the strings that it is made of, and what there is in any of them."""

    strings: tuple[str, ...] = field(repr=False)
    words: frozenset[str] = field(repr=False)
    signs: str = field(repr=False)  # letters and digits
    numbers: frozenset[str] = field(repr=False)  # each ``_SHORTEST`` digits in a row


def _piece(text: str, json: bool, keys: bool) -> _Piece:
    strings = tuple(dict.fromkeys(leaves(text, keys=keys) if json else (text,)))
    hidden = "\n".join(map(_hidden, strings))
    if _ESCAPE.search(hidden):
        hidden += f"\n{_decoded(hidden)[0]}"
    signs = _compact(hidden)
    runs = _NUMBER.findall(signs)
    numbers = {run[start : start + _SHORTEST] for run in runs for start in range(len(run) - _SHORTEST + 1)}
    return _Piece(strings, frozenset(map(sys.intern, hidden.translate(_WORDS).split())), signs, frozenset(numbers))


_kept = lru_cache(maxsize=_KEPT)(_piece)


def _seen(text: str, json: bool, keys: bool) -> _Piece:
    """The piece that these very signs make, the latest from memory: a history is sent again with every request."""
    return _kept(text, json, keys) if len(text) <= _LONGEST else _piece(text, json, keys)


def _hidden(text: str) -> str:
    """The text of the same length without tokens and placeholders."""
    return _OURS.sub(lambda match: _BREAK * len(match.group()), text)


def _merged(spans: Iterable[tuple[int, int]]) -> Spans:
    """The spans in order, those that touch as one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


def _words(text: str) -> Iterator[tuple[str, int, int]]:
    """Each run of letters, folded, with its place; a letter of a script without spaces is a word of its own."""
    letters: list[str] = []
    start = end = 0
    for place, character in enumerate(text):
        kept = _letters(character)
        alone = bool(kept) and _is_alone(character)
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


def _is_alone(character: str) -> bool:
    """Whether a letter is of a script that writes no spaces."""
    return unicodedata.category(character) == "Lo" and character not in "ªº"


@cache
def _letters(character: str) -> str:
    """The letters of a character, without accents, in lower case."""
    if "\uac00" <= character <= "\ud7a3":
        return character
    kept = "".join(part for part in unicodedata.normalize("NFKD", character) if part.isalpha())
    return kept.casefold().translate(_UNDECOMPOSED)


def _joined(between: str) -> bool:
    return len(between) <= 3 and all(character in _JOINERS or character == "\n" for character in between)


def _is_long_number(value: str) -> bool:
    """Whether the digits alone give somebody away, even inside a longer number."""
    return value.isdecimal() and len(value) >= _SHORTEST + 2


def _is_whole(text: str, first: int, last: int) -> bool:
    """Whether a value is no part of a longer word or number."""
    return not any(beside.isalnum() for beside in (text[max(first - 1, 0) : first], text[last + 1 : last + 2]))


def _compact(value: str) -> str:
    """The letters and digits of a text, one sign for each."""
    return value.translate(_SIGNS)


def _sign(character: str) -> str:
    """One letter or digit in its plainest writing."""
    if character.isdigit():
        return str(unicodedata.digit(character))
    return unicodedata.normalize("NFKD", character).casefold()[0]


class _WordTable(dict[int, str]):
    """``str.translate`` table: the letters of a character, or a space."""

    def __missing__(self, code: int) -> str:
        letters = _letters(chr(code))
        if not letters and unicodedata.category(chr(code)) not in ("Mn", "Cf"):
            letters = " "
        elif letters and _is_alone(chr(code)):
            letters = f" {letters} "
        self[code] = letters
        return letters


_WORDS = _WordTable()


class _SignTable(dict[int, str]):
    """``str.translate`` table: the plainest writing of a letter or digit, or nothing."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        self[code] = _sign(character) if character.isalnum() else ""
        return self[code]


_SIGNS = _SignTable()


def _is_strong(words: tuple[str, ...], kind: Kind) -> bool:
    content = [word for word in words if word not in lexicon.PARTICLES]
    common = all(lexicon.is_common(word) for word in content)
    if kind in (Kind.INBOX, Kind.CAMPAIGN):
        return len(words) > 1
    if kind is Kind.COMPANY and common:
        return False
    return len(content) > 1 or (len(content) == 1 and len(content[0]) > 2 and not common)
