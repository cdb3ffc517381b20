"""A text cut into words and phrases: all that can be looked up as a name, and what stands between two words."""

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from functools import cached_property
from itertools import pairwise

import regex

from veil import lexicon, traits
from veil.bearers import APART, PART, TOGETHER, Phrase, led
from veil.fold import UNSEEN, Word, cut

#: Longest whole name looked up, in words with particles.
LONGEST = 8
#: Longest single word that characters nobody sees may cut into letters.
_LETTERS = 24
#: Most cuts of camel case, apostrophe or hyphen in one word.
_CUTS = 8
#: Fewest letters in a row that may be a name spelt letter by letter.
_SPELT = 4
#: Fewest letters of a given name that may be two ("mariajose").
_TWO_NAMES = 8
#: Letters before an Arabic and a Hebrew word that are words of their own: and, so, in, like, to; from, that.
_PROCLITICS = frozenset("وفبكلוהבכלמש")
_FAMILY = frozenset({"the", "los", "os"})
_NO_FAMILY = traits.COMMON | traits.NAME


class Gap(Enum):
    SOFT = auto()
    COMMA = auto()
    HARD = auto()
    SENTENCE = auto()


_SOFT = regex.compile(r"(?:[^\S\n]|[_+'’‘´`ʼ·*~\-\u2010\u2011\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]|%20|\r?\n(?!\s*\n))*+")
_COMMA = regex.compile(r"\s?,\s*+")
_SENTENCE = regex.compile(r"[\x00.!?:\n¿¡«“\"(•|>\]]")
_STICKING = frozenset({"", "'", "’", "‘", "´", "`", "ʼ", "-", "\u2010", "\u2011"})
_QUOTES = frozenset("\"'«»“”„‘’")


class Text:
    """A text cut into words, with what the tables say of each and what stands between them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words, parted = cut(text)
        #: ``traits.of`` each word.
        self.traits = traits.of_each(self.words)
        self._gaps = [Gap.SOFT] * len(self.words)
        self._gaps[:1] = [Gap.SENTENCE]
        self._tied: set[int] = set()  # words that look like one with the word before
        for index in parted:
            between = self.between(index)
            self._gaps[index] = _gap(between, self.words[index - 1])
            if between != " " and _sticks(between):
                self._tied.add(index)
        self._units: list[Phrase] | None = None
        self._phrases: list[Phrase] | None = None

    def gap(self, index: int) -> Gap:
        """What stands before the word ``index``."""
        return self._gaps[index]

    def between(self, index: int) -> str:
        """What is written right before the word ``index``, which is not the first."""
        return self.text[self.words[index - 1].end : self.words[index].start]

    def after_colon(self, index: int) -> bool:
        """Whether a colon and nothing else stands before the word ``index`` ("Nombre: Rosa", ``"nombre": "Rosa"``)."""
        return index > 0 and self.between(index).strip(" \t\"'") == ":"

    def breaks_line(self, index: int) -> bool:
        """Whether a new line begins right before the word ``index``."""
        return "\n" in self.between(index)

    def after_sign_off(self, index: int) -> bool:
        """Whether the word ``index`` signs: "Atte., Rosa", "Saludos\nRosa"."""
        return index > 0 and bool(self.traits[index - 1] & traits.SIGN_OFF) and not self.between(index).strip(" \t\n.,-–—")

    def quoted(self, first: int, last: int) -> bool:
        """Whether these words stand in quotation marks."""
        start, end = self.words[first].start, self.words[last].end
        return self.text[start - 1 : start] in _QUOTES and self.text[end : end + 1] in _QUOTES and start > 0

    def joined(self, first: int, last: int) -> str:
        """The words with one space between."""
        return " ".join([word.form for word in self.words[first : last + 1]])

    def units(self) -> Sequence[Phrase]:
        """Every single word that can be a form: the words themselves and those that camel case, apostrophe or hyphen cut ("O'Higgins")."""
        if self._units is None:
            self._units = [
                (index, index, word.form)
                for index, (word, trait) in enumerate(zip(self.words, self.traits, strict=True))
                if not trait & traits.PARTICLE and len(word.form) > 1
            ]
            self._units += self._tied_units()
            if not APART.isdisjoint([word.form for word in self.words]):
                self._units += self._apart_units()
            self._units += self._spelt_units()
        return self._units

    def phrases(self) -> Sequence[Phrase]:
        """Every run of two words or more that can be a whole name."""
        if self._phrases is None:
            self._phrases = []
            forms, add = [word.form for word in self.words], self._phrases.append
            for first, end in self._soft_runs():
                for begin in range(first, end - 1):
                    form = forms[begin]
                    for last in range(begin + 1, min(begin + LONGEST, end)):
                        form = f"{form} {forms[last]}"
                        add((begin, last, form))
            self._phrases += self._uncut()
        return self._phrases

    @cached_property
    def ascii(self) -> bool:
        """Whether all words fold to plain letters."""
        return "".join([word.form for word in self.words]).isascii()

    @cached_property
    def inflected(self) -> Sequence[Phrase]:
        """Words that may be a name but for a letter of grammar, without it: an s of several or of a genitive, an Arabic or Hebrew "to" or "and"."""
        found = [(first, last, form[:-1]) for first, last, form in self.units() if form[-1] == "s" and self._is_inflected(first, last, form)]
        if not self.ascii:
            found += [(first, last, form[1:]) for first, last, form in self.units() if form[0] in _PROCLITICS and len(form) > 3]
        return found

    def _is_inflected(self, first: int, last: int, form: str) -> bool:
        """Whether a word with an s may be a name without it: "the Hoopers", "Ians"."""
        if not (self.words[first].upper or self._is_article(first - 1)) or len(form) < 4:
            return False
        return len(self.words[last].form) > 1 and not traits.of(form) & _NO_FAMILY

    def glued(self, first: int, last: int) -> str:
        """The words with nothing between."""
        return "".join([word.form for word in self.words[first : last + 1]])

    def _is_article(self, index: int) -> bool:
        return index >= 0 and self.words[index].form in _FAMILY

    @cached_property
    def joint(self) -> Sequence[Phrase]:
        """Words that may be two names written together ("otonielibarrola"): long ones that are no common words nor known as one name."""
        rare = [(index, word.form) for index, word in enumerate(self.words) if len(word.form) in TOGETHER and not self.traits[index] & traits.COMMON]
        words = [(index, index, form) for index, form in rare if _is_joint(form, self.traits[index])]
        return words + [phrase for phrase in self._tied_units() if _is_joint(phrase[2], traits.of(phrase[2]))] if self._tied else words

    def forms(self) -> set[str]:
        """All that is to be looked up, with the formal names of nicknames and the two halves of words that may be two names."""
        found = {form for _, _, form in self.units()}
        found.update([form for _, _, form in self.phrases()])
        for word, trait in zip(self.words, self.traits, strict=True):
            if trait & traits.NICKNAME:
                found.update([name for formal in lexicon.NICKNAMES[word.form] for name in formal.split()])
        found.update([form for _, _, form in self.inflected])
        for _, _, form in self.joint:
            for middle in range(PART, len(form) - PART + 1):
                found.add(form[:middle])
                found.add(form[middle:])
            for start in led(form):
                found.add(form[start:])
                found.update([form[start:middle] for middle in range(start + PART, len(form) - PART + 1)])
        return found

    def _soft_runs(self) -> Iterator[tuple[int, int]]:
        """The words that nothing parts, from the first to the one behind the last."""
        parted = [index for index, gap in enumerate(self._gaps) if gap is not Gap.SOFT]
        yield from pairwise((*parted, len(self.words)))

    def _tied_units(self) -> Iterator[Phrase]:
        """Words that look like one, as one."""
        for first in sorted(index - 1 for index in self._tied):
            last, form, cuts = first, self.words[first].form, 0
            while last + 1 in self._tied and cuts < _CUTS and last - first < _LETTERS:
                last += 1
                cuts += UNSEEN.search(self.between(last)) is None
                form += self.words[last].form
                yield first, last, form

    def _apart_units(self) -> Iterator[Phrase]:
        """Names of one word that are written as two: "Mc Allister", "mc_allister"."""
        for index, word in enumerate(self.words[:-1]):
            if word.form in APART and self._gaps[index + 1] is Gap.SOFT and index + 1 not in self._tied:
                yield index, index + 1, word.form + self.words[index + 1].form

    def _spelt_units(self) -> Iterator[Phrase]:
        """Names that are spelt letter by letter: "S-o-t-o", "W o j c i e c h"; a letter or two before may be words of their own."""
        letters = [place for place, word in enumerate(self.words) if len(word.form) == 1]
        if len(letters) < _SPELT:
            return
        runs: list[list[int]] = []
        for place in letters:
            if runs and runs[-1][-1] == place - 1 and self._gaps[place] is Gap.SOFT:
                runs[-1].append(place)
            else:
                runs.append([place])
        for places in (run for run in runs if len(run) >= _SPELT):
            form = "".join([self.words[place].form for place in places])
            for skipped in range(min(3, len(form) - _SPELT + 1) if form.isascii() else 0):
                yield places[skipped], places[-1], form[skipped:]

    def _uncut(self) -> Iterator[Phrase]:
        """Runs of words that camel case does not cut, since a name may have it ("Ventas iPhone")."""
        glued = [index for index, word in enumerate(self.words) if word.glued]
        for first in range(max(glued[0] - LONGEST + 1, 0), glued[-1] + 1) if glued else ():
            form, cut = self.words[first].form, False
            for last in range(first + 1, min(first + LONGEST, len(self.words))):
                if self._gaps[last] is not Gap.SOFT:
                    break
                word = self.words[last]
                cut |= word.glued
                form += word.form if word.glued else f" {word.form}"
                if cut:
                    yield first, last, form


def _is_joint(form: str, trait: int) -> bool:
    if trait & traits.COMMON or len(form) not in TOGETHER:
        return False
    return bool(led(form)) if trait & traits.SURNAME else len(form) >= _TWO_NAMES or not trait & traits.GIVEN


def _sticks(between: str) -> bool:
    """Whether two words look like one: an apostrophe, a hyphen or nothing that is seen between."""
    return between in _STICKING or (not between.isascii() and UNSEEN.sub("", between) in _STICKING)


def _gap(between: str, before: Word) -> Gap:
    if between[:1] == "." and (len(before.form) == 1 or traits.of(before.form) & traits.TITLE) and _SOFT.fullmatch(between, 1):
        return Gap.SOFT  # an initial or a title
    return _USUAL.get(between) or _any_gap(between)


def _any_gap(between: str) -> Gap:
    if _SOFT.fullmatch(between):
        return Gap.SOFT
    if between == ".":
        return Gap.SOFT  # an address or a file name
    if _COMMA.fullmatch(between):
        return Gap.COMMA
    return Gap.SENTENCE if _SENTENCE.search(between) else Gap.HARD


#: What stands between nearly all words, read once.
_USUAL = {
    between: _any_gap(between)
    for between in (
        *(
            "",
            ".",
            ". ",
            ", ",
            ",",
            "\n",
            "-",
            "'",
            "_",
            "? ",
            "! ",
            ": ",
            " (",
            ") ",
            "/",
            " - ",
            "\n\n",
            "@",
            "://",
            ".\n",
            ",\n",
            "+",
            "!! ",
            "... ",
        ),
        *(" <", ":\n", ': "', ":", "=", "?? ", "/ ", "; ", '" ', "...", " / ", " | ", " + ", "!", "?"),
    )
}
