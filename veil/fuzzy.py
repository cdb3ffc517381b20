"""Misspelt names: which words are worth a second look, and what they may have been meant to be.

A word is looked up again in every spelling that is one letter away (a letter too many, too few, another, or two swapped), by equality: that
needs no index of its own, works under row-level security, and its cost does not grow with the CRM. A long word may be two letters away; those
spellings are too many, so the CRM is asked for words that begin or end alike, and rapidfuzz says which of them are near enough. Similarity
depends on letters, so misspelt mentions are exempt from law 1, and a match is marked as such.
"""

from collections.abc import Iterator
from string import ascii_lowercase

import regex
from rapidfuzz.distance import OSA

from veil import lexicon, traits
from veil.bearers import Index
from veil.names import Reading
from veil.phrases import Gap, Text

#: A shorter word is a name only when it is spelt right (section 4.4 of the design).
_SHORTEST = 4
_LONGEST = 24
#: Fewest letters of a word that may be misspelt twice, and how many at its beginning and its end are compared first.
LONG = 9
END = 3
#: Words of one text that are looked up again; a customer's message holds few words that no table knows.
_MOST = 12
_NO_NAMES = lexicon.COMMON - lexicon.GIVEN - lexicon.SURNAMES | lexicon.COMMON & lexicon.SELDOM
#: Behind letters of a code, or of an e-mail, which is masked as a whole.
_NO_WORD = regex.compile(r"\d|[\w.+\-]{0,64}@\w")
#: What the tables know, nobody has misspelt.
_EXPLAINED = traits.COMMON | traits.NAME | traits.TITLE


def doubtful(cut: Text, index: Index, reading: Reading) -> list[str]:
    """The words of a text that could be misspelt names: nobody bears them, and they are neither common words nor names of their own.

    In texts of others only words that are written or cued like names; in the member's question any.
    """
    found: dict[str, None] = {}
    for place, (word, trait) in enumerate(zip(cut.words, cut.traits, strict=True)):
        if trait & _EXPLAINED or not _SHORTEST <= len(word.form) <= _LONGEST or word.glued or index[word.form] or not word.form.isascii():
            continue
        if _NO_WORD.match(cut.text, word.end) or cut.text[word.start - 1 : word.start].isdigit():
            continue
        if word.upper or reading is Reading.QUESTION or _is_beside_name(cut, place, index) or _is_cued(cut, place):
            found[word.form] = None
    found |= dict.fromkeys(form for form in _camel(cut) if not (traits.of(form) & _EXPLAINED or index[form]))
    return list(found)[:_MOST]


def _camel(cut: Text) -> Iterator[str]:
    """Words that camel case cuts, as one ("McAlister")."""
    for first, last, form in cut.units():
        if last > first and form.isascii() and len(form) <= _LONGEST and all(cut.words[place].glued for place in range(first + 1, last + 1)):
            yield form


def spellings(word: str) -> set[str]:
    """Every word that is one slip of the hand away: a letter too many, too few, another, or two swapped."""
    splits = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    found = {left + letter + right for left, right in splits for letter in ascii_lowercase}
    found.update([left + letter + right[1:] for left, right in splits if right for letter in ascii_lowercase])
    found.update([left + right[1:] for left, right in splits if right])
    found.update([left + right[1] + right[0] + right[2:] for left, right in splits if len(right) > 1])
    found.discard(word)
    return found


def candidates(word: str) -> set[str]:
    """The names that a misspelt word may stand for, as far as they can be names at all."""
    return {form for form in spellings(word) - _NO_NAMES if len(form) >= _SHORTEST}


def is_alike(word: str, form: str) -> bool:
    """Whether a name is at most two slips of the hand away from a long word."""
    return form not in _NO_NAMES and OSA.distance(word, form, score_cutoff=2) <= 2


def _is_beside_name(cut: Text, place: int, index: Index) -> bool:
    return any(
        0 <= near < len(cut.words) and cut.gap(max(near, place)) is Gap.SOFT and index[cut.words[near].form] for near in (place - 1, place + 1)
    )


def _is_cued(cut: Text, place: int) -> bool:
    if not (place and cut.traits[place - 1] & traits.PERSON_CUES.bit):
        return False
    forms = tuple(word.form for word in cut.words[max(place - 4, 0) : place])
    return any(forms[start:] in traits.PERSON_CUES.phrases for start in range(len(forms)))
