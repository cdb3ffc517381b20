"""A text cut into words and phrases: all that can be looked up as a name, and what stands between two words."""

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from itertools import pairwise

import regex

from veil import lexicon
from veil.fold import UNSEEN, Word, words

#: Longest whole name looked up, in words with particles.
LONGEST = 8
#: Longest single word that characters nobody sees may cut into letters.
_LETTERS = 24
#: Most cuts of camel case, apostrophe or hyphen in one word.
_CUTS = 8

#: First and last word, and the form that they make.
Phrase = tuple[int, int, str]


class Gap(Enum):
    SOFT = auto()
    COMMA = auto()
    HARD = auto()
    SENTENCE = auto()


_SOFT = regex.compile(r"(?:[^\S\n]|[_+'’‘´`ʼ·*~\-\u2010\u2011\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]|%20|\r?\n(?!\s*\n))*+")
_COMMA = regex.compile(r"\s?,\s*+")
_SENTENCE = regex.compile(r"[\x00.!?:\n¿¡«“\"(•|>\]]")
#: Words that close a message; its author's name follows. By hand.
_SIGN_OFFS = frozenset({
    "atte", "att", "atentamente", "atenciosamente", "cordialmente", "saludos", "abrazos", "abracos", "abs", "firma", "regards", "sincerely",
})  # fmt: skip
_STICKING = frozenset({"", "'", "’", "‘", "´", "`", "ʼ", "-", "\u2010", "\u2011"})
_QUOTES = frozenset("\"'«»“”„‘’")


class Text:
    """A text cut into words, with what stands between them."""

    def __init__(self, text: str) -> None:
        self.words = words(text)
        self._between = [text[before.end : word.start] for before, word in pairwise(self.words)]
        self._gaps = [Gap.SENTENCE, *(_gap(between, word) for between, word in zip(self._between, self.words, strict=False))]
        self._units: list[Phrase] | None = None
        self._phrases: list[Phrase] | None = None

    def gap(self, index: int) -> Gap:
        """What stands before the word ``index``."""
        return self._gaps[index]

    def after_colon(self, index: int) -> bool:
        """Whether a colon and nothing else stands before the word ``index`` ("Nombre: Rosa")."""
        return index > 0 and self._between[index - 1].strip() == ":"

    def breaks_line(self, index: int) -> bool:
        """Whether a new line begins right before the word ``index``."""
        return "\n" in self._between[index - 1]

    def after_sign_off(self, index: int) -> bool:
        """Whether the word ``index`` signs: "Atte., Rosa", "Saludos\nRosa"."""
        return index > 0 and self.words[index - 1].form in _SIGN_OFFS and not self._between[index - 1].strip(" \t\n.,-–—")

    def quoted(self, first: int, last: int, text: str) -> bool:
        """Whether these words stand in quotation marks."""
        start, end = self.words[first].start, self.words[last].end
        return text[start - 1 : start] in _QUOTES and text[end : end + 1] in _QUOTES and start > 0

    def joined(self, first: int, last: int) -> str:
        """The words with one space between."""
        return " ".join(word.form for word in self.words[first : last + 1])

    def units(self) -> Sequence[Phrase]:
        """Every single word that can be a form: the words themselves and those that camel case, apostrophe or hyphen cut ("O'Higgins")."""
        if self._units is None:
            self._units = list(self._found_units())
        return self._units

    def phrases(self) -> Sequence[Phrase]:
        """Every run of two words or more that can be a whole name."""
        if self._phrases is None:
            self._phrases = list(self._found_phrases())
        return self._phrases

    def _found_units(self) -> Iterator[Phrase]:
        sticking = [_sticks(between) for between in self._between]
        for index, word in enumerate(self.words):
            if len(word.form) > 1 and word.form not in lexicon.PARTICLES:
                yield index, index, word.form
            last, form, cuts = index, word.form, 0
            while last < len(sticking) and cuts < _CUTS and last - index < _LETTERS and sticking[last]:
                cuts += UNSEEN.search(self._between[last]) is None
                last += 1
                form += self.words[last].form
                yield index, last, form

    def _found_phrases(self) -> Iterator[Phrase]:
        for first, word in enumerate(self.words):
            spaced = uncut = word.form
            for last in range(first + 1, min(first + LONGEST, len(self.words))):
                if self._gaps[last] is not Gap.SOFT:
                    break
                following = self.words[last]
                spaced += f" {following.form}"
                uncut += following.form if following.glued else f" {following.form}"
                yield first, last, spaced
                if uncut != spaced:  # camel case does not cut a name that has it ("Ventas iPhone")
                    yield first, last, uncut

    def forms(self) -> set[str]:
        """All that is to be looked up, with the formal names of nicknames."""
        units = {form for _, _, form in self.units()}
        formal = {name for unit in units for name in lexicon.NICKNAMES.get(unit, ())}
        return units | formal | {form for _, _, form in self.phrases()}


def _sticks(between: str) -> bool:
    """Whether two words look like one: an apostrophe, a hyphen or nothing that is seen between."""
    return between in _STICKING or (not between.isascii() and UNSEEN.sub("", between) in _STICKING)


def _gap(between: str, before: Word) -> Gap:
    if between == " " or _SOFT.fullmatch(between):  # nearly all are one space
        return Gap.SOFT
    if between == ".":
        return Gap.SOFT  # an address or a file name
    if between.startswith(".") and (len(before.form) == 1 or before.form in lexicon.TITLES) and _SOFT.fullmatch(between, 1):
        return Gap.SOFT  # an initial or a title
    if _COMMA.fullmatch(between):
        return Gap.COMMA
    return Gap.SENTENCE if _SENTENCE.search(between) else Gap.HARD
