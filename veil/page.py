"""What can be seen at one place of a text: whether a word is like a name, what stands before it, what belongs to it.

Shared by those who look for known names and for people whom nobody knows. Depends on the literal tables and on how words are written, never
on which letters they have.
"""

from veil import traits
from veil.phrases import Gap, Text
from veil.traits import Cues

#: Longest word that counts as an acronym when it alone is in capitals.
_ACRONYM = 4
#: Letters that are words of their own ("and", "to", "or"): they part two names.
_VOWELS = frozenset("aeiouy")
#: Words of the longest cue.
_CUE = 4
_PARTING = frozenset({Gap.HARD, Gap.SENTENCE})
_NAME_OR_MONTH = traits.NAME | traits.MONTH
_NAME_OR_COMMON = traits.NAME | traits.COMMON


class Page:
    """A text cut into words, with the questions one can ask about them."""

    def __init__(self, text: str, cut: Text) -> None:
        self.text = text
        self.cut = cut
        self.words = cut.words
        self.traits = cut.traits

    def transparent(self, index: int) -> bool:
        """Whether a word may stand inside a name: a particle or an initial. A small vowel alone is a word of its own ("y", "a", "o")."""
        word = self.words[index]
        if len(word.form) == 1:
            return word.upper or word.form not in _VOWELS
        return bool(self.traits[index] & traits.PARTICLE)

    def is_person_cued(self, first: int) -> bool:
        """Whether a cue before a person, or a title, stands right before."""
        return self.cued(first, traits.PERSON_CUES)

    def cued(self, first: int, cues: Cues) -> bool:
        """Whether a cue stands right before, articles and particles aside."""
        for before in range(first, max(first - 4, 0), -1):
            if self.cut.gap(before) in _PARTING and not (before == first and self._is_bridged(before)):
                return False
            if self.traits[before - 1] & cues.bit and self._ends_cue(before, cues):
                return True
            if not self.traits[before - 1] & traits.PARTICLE:
                return False
        return False

    def _is_bridged(self, index: int) -> bool:
        return self.cut.after_colon(index) or self.cut.after_sign_off(index)

    def _ends_cue(self, end: int, cues: Cues) -> bool:
        forms = tuple(word.form for word in self.words[max(end - _CUE, 0) : end])
        return any(forms[start:] in cues.phrases for start in range(len(forms)))

    def is_name_like(self, index: int) -> bool:
        """A capitalised word that is a name of people in general, though perhaps of nobody in this CRM."""
        if not 0 <= index < len(self.words) or self.traits[index] & _NAME_OR_MONTH != traits.NAME:
            return False
        word = self.words[index]
        return word.upper and len(word.form) > 1 and not self.is_acronym(index)

    def is_small_name(self, index: int) -> bool:
        """A word written small that is a name and nothing else."""
        return self.traits[index] & _NAME_OR_COMMON == traits.NAME and not self.words[index].upper

    def is_acronym(self, index: int) -> bool:
        """Whether a short word is all capitals among words that are not ("más IVA")."""
        word = self.words[index]
        if not word.capitals or len(word.form) > _ACRONYM:
            return False
        around = [self.words[near] for near in (index - 1, index + 1) if 0 <= near < len(self.words)]
        return bool(around) and not any(near.capitals for near in around)

    def is_unheard(self, index: int) -> bool:
        """A capitalised word that no table knows: a rare name, beside another one."""
        word = self.words[index]
        return word.upper and not word.capitals and len(word.form) > 2 and not self.traits[index] & traits.COMMON

    def before(self, index: int) -> int:
        """The word before, particles aside ("Melissa da Rosa"); -1 where something else stands between."""
        before = index - 1
        while before > 0 and self.joins(before, before + 1) and self.is_particle(before):
            before -= 1
        return before if index - before <= 3 and self.joins(before, before + 1) else -1

    def is_particle(self, index: int) -> bool:
        word = self.words[index]
        return bool(self.traits[index] & traits.PARTICLE) and not word.upper and word.form not in _VOWELS

    def joins(self, left: int, right: int) -> bool:
        """Whether two neighbouring words stand together."""
        return left >= 0 and right < len(self.words) and self.cut.gap(right) is Gap.SOFT

    def with_initials(self, first: int, last: int, taken: set[int]) -> tuple[int, int]:
        """The name with the initials and particles that belong to it: "A. Pérez", "Ana P.", "sr. da Rocha"."""
        while first - 1 not in taken and self.joins(first - 1, first) and self.is_part(first - 1):
            first -= 1
        while last + 1 not in taken and self.joins(last, last + 1) and self.is_initial(last + 1):
            last += 1
        return first, last

    def is_initial(self, index: int) -> bool:
        word = self.words[index]
        if len(word.form) != 1:
            return False
        after = self.text[word.end : word.end + 2]
        within = after[:1] == "@" or (after[:1] == "." and after[1:].isalnum())  # the beginning of an address
        return (word.upper or after[:1] == ".") and not within

    def is_part(self, index: int) -> bool:
        """Whether a word before a name belongs to it: an initial, or a particle with a capital or behind a title."""
        word = self.words[index]
        if self.traits[index] & traits.PARTICLE and len(word.form) > 1:
            return word.upper or (index > 0 and bool(self.traits[index - 1] & traits.TITLE))
        return self.is_initial(index) and (self.cut.gap(index) is not Gap.SENTENCE or self.text[word.end : word.end + 1] == ".")
