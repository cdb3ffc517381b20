"""What can be told of a text at one glance: enough to say that it holds nothing of what a thread knows, without reading it word by word.

A long history is looked at before every request, and hardly a text of it has anything new. So what was seen of the latest ones is kept in the
process, for texts as they travel only: what a mark covers is blank in them, and nothing in them is clear that the model was not to see.
"""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import regex

from veil import traits
from veil.bearers import PART, TOGETHER, Index, led
from veil.fold import fold, folded_words, is_plain
from veil.results import leaves
from veil.values import Values, digits_of, letters_of

#: Texts that are kept, and the longest that is: together some tens of megabytes at the most.
_KEPT = 2_048
_LONGEST = 4_200
_CUTS = frozenset("'`-")
#: Letters in a row, which may spell a name.
_SPELT = regex.compile(r"(?<!\p{L})(?:\p{L}[ .\-]){3}\p{L}(?!\p{L})")
_CUT_WORD = regex.compile(r"\p{L}+(?:['’‘´`ʼ\-\u2010\u2011]\p{L}+)+")
_NO_LETTER = regex.compile(r"[^\p{L}]")


@dataclass(frozen=True, slots=True)
class Glance:
    """The words and signs of a text, without their order."""

    odd: bool  # its words cannot be told at a glance
    words: frozenset[str] = frozenset()
    joint: tuple[str, ...] = ()  # words that may be several names written together
    beginnings: frozenset[str] = frozenset()  # of these
    letters: str = ""
    digits: frozenset[str] = frozenset()

    def may_hold(self, index: Index, values: Values) -> bool:
        """Whether a form of ``index`` or one of ``values`` could be in the text; never wrong when it says no."""
        return (
            self.odd
            or index.may_touch(self.words)
            or (index.may_begin(self.beginnings) and any(index.glued(word) for word in self.joint))
            or values.may_be_among(self.letters, self.digits)
        )


def glance(text: str, *, json: bool = False) -> Glance:
    """What there is to be seen of a text that has left, the latest from memory; with ``json`` in its ``leaves``, if it has any."""
    return _kept(text, json) if len(text) <= _LONGEST else _look(text, json)


def _look(text: str, json: bool) -> Glance:
    shown = "\n".join(leaves(text, keys=True)) if json else text
    folded = fold(shown)
    if not is_plain(shown) or _SPELT.search(folded):
        return Glance(odd=True)
    words = {*folded_words(folded), *_joined(folded)}
    words |= {word[:-1] for word in words if word[-1] == "s"}
    joint = tuple(word for word in words if len(word) in TOGETHER and not traits.of(word) & traits.COMMON)
    letters = letters_of(shown)
    return Glance(
        odd=False,
        words=frozenset(map(sys.intern, words)),
        joint=joint,
        beginnings=frozenset(beginning for word in joint for beginning in _beginnings(word)),
        letters=letters,
        digits=digits_of(letters),
    )


_kept = lru_cache(maxsize=_KEPT)(_look)


def _joined(folded: str) -> Iterable[str]:
    """Words that apostrophes and hyphens cut, as one."""
    if folded.isascii() and _CUTS.isdisjoint(folded):
        return ()
    return [_NO_LETTER.sub("", match) for match in _CUT_WORD.findall(folded)]


def _beginnings(word: str) -> Iterator[str]:
    """What of a word may be the first of several names that are written together, or the only one behind particles."""
    for start in (0, *led(word)):
        for end in range(start + PART, len(word) + 1):
            yield word[start:end]

