"""Misspelt names: which words are worth a second look, and what they may have been meant to be.

A word is looked up again in every spelling that is one letter away (a letter too many, too few, another, or two swapped), by equality: that
needs no index of its own, works under row-level security, and its cost does not grow with the CRM. Similarity depends on letters, so misspelt
mentions are exempt from law 1, and a match is marked as such.
"""

from collections.abc import Iterator
from string import ascii_lowercase

from veil import lexicon
from veil.bearers import Index
from veil.names import Reading
from veil.phrases import Gap, Text

#: A shorter word is a name only when it is spelt right (section 4.4 of the design).
_SHORTEST = 4
_LONGEST = 24
#: Words of one text that are looked up again; a customer's message holds few words that no table knows.
_MOST = 12


def doubtful(cut: Text, index: Index, reading: Reading) -> list[str]:
    """The words of a text that could be misspelt names: nobody bears them, and they are neither common words nor names of their own.

    In texts of others only words that are written or cued like names; in the member's question any.
    """
    found: dict[str, None] = {}
    for place, word in enumerate(cut.words):
        if _SHORTEST <= len(word.form) <= _LONGEST and not index[word.form] and _is_unheard(word.form):
            telling = word.upper or reading is Reading.QUESTION or _is_beside_name(cut, place, index) or _is_cued(cut, place)
            if telling and not word.glued:
                found[word.form] = None
    return list(found)[:_MOST]


def spellings(word: str) -> Iterator[str]:
    """Every word of four letters or more that is one slip of the hand away."""
    for place in range(len(word) + 1):
        left, right = word[:place], word[place:]
        if right:
            yield left + right[1:]
        if len(right) > 1 and right[0] != right[1]:
            yield left + right[1] + right[0] + right[2:]
        for letter in ascii_lowercase:
            yield left + letter + right
            if right and letter != right[0]:
                yield left + letter + right[1:]


def candidates(word: str) -> set[str]:
    """The names that a misspelt word may stand for, as far as they can be names at all."""
    return {form for form in spellings(word) if len(form) >= _SHORTEST and form != word and _can_be_name(form)}


def _can_be_name(form: str) -> bool:
    return not lexicon.is_common(form) or lexicon.is_person_name(form)


def _is_unheard(form: str) -> bool:
    return form.isascii() and not lexicon.is_common(form) and not lexicon.is_person_name(form) and form not in lexicon.TITLES


def _is_beside_name(cut: Text, place: int, index: Index) -> bool:
    return any(
        0 <= near < len(cut.words) and cut.gap(max(near, place)) is Gap.SOFT and index[cut.words[near].form]
        for near in (place - 1, place + 1)
    )


def _is_cued(cut: Text, place: int) -> bool:
    forms = tuple(word.form for word in cut.words[max(place - 4, 0) : place])
    return any(forms[-length:] in lexicon.PERSON_CUES or forms[-length:] in lexicon.TITLE_CUES for length in range(1, len(forms) + 1))
