"""What can be seen at one place of a text: whether a word is like a name, what stands before it, what belongs to it.

Shared by those who look for known names and for people whom nobody knows. Depends on the literal tables and on how words are written, never
on which letters they have.
"""

import regex

from veil import lexicon, traits
from veil.phrases import Gap, Text
from veil.traits import Cues

#: Longest word that counts as an acronym when it alone is in capitals.
_ACRONYM = 4
#: Letters that are words of their own ("and", "to", "or"): they part two names.
_VOWELS = frozenset("aeiouy")
#: Words of the longest cue.
_CUE = 4
#: Articles of a family: "los Mendoza", "os Almeida". What stands behind "las" is walls and towers.
_PLURAL = frozenset({"los", "os"})
#: Particles as handles and file names write them: "Candelaria_DelaFuente".
_GLUED_PARTICLES = frozenset({"dela", "delas", "delos"})
_AND = frozenset({"y", "e", "i"})
_ITALIAN = frozenset({"lo", "li"})
#: Particles that stand inside a surname and seldom before a place.
_OF_A_SURNAME = frozenset({"da", "do", "das", "dos", "del", "la", "las", "los"})
#: Letters that are no initials: currency, number, morning and afternoon ("S/ 30", "N° 5", "7 p. m.").
_NO_INITIAL = regex.compile(r"\b\p{L}[/°º]|\b[ap]\.\s?m\b")
_INITIALS = regex.compile(r"\p{Lu}\.\p{Lu}\.\s")
#: "Marco te habla".
_TO_YOU = frozenset({"te", "le", "les", "lhe"})
_SPEAKS = frozenset({"habla", "hablo", "escribe", "escribo", "saluda", "llama", "llamo", "busca", "atiende", "atendio", "atendera"})
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
        return bool(self.traits[index] & traits.PARTICLE) or word.form in _GLUED_PARTICLES

    def is_person_cued(self, first: int) -> bool:
        """Whether a cue before a person, or a title, stands right before."""
        return self.cued(first, traits.PERSON_CUES)

    def cued(self, first: int, cues: Cues) -> bool:
        """Whether a cue stands right before, articles and particles aside."""
        for before in range(first, max(first - 4, 0), -1):
            if self.cut.gap(before) in _PARTING and not (before == first and self._is_bridged(before)):
                return False
            if self.traits[before - 1] & cues.bit and self._ends_cue(before, cues, bridged=before < first):
                return True
            if not self._is_bridge(before - 1):
                return False
        return False

    def _is_bridge(self, index: int) -> bool:
        """Whether a cue reaches over this word: an article or a particle, but not "and", nor a letter with a capital ("hello, I hope")."""
        word = self.words[index]
        article = bool(self.traits[index] & traits.PARTICLE) or word.form == "o"
        return article and word.form not in _AND and not (word.upper and len(word.form) == 1)

    def _is_bridged(self, index: int) -> bool:
        return self.cut.after_colon(index) or self.cut.after_sign_off(index)

    def is_right_behind(self, index: int, cues: Cues) -> bool:
        """Whether a cue ends right before, with nothing between."""
        return self._ends_cue(index, cues, bridged=False)

    def _ends_cue(self, end: int, cues: Cues, *, bridged: bool) -> bool:
        """Whether a cue ends before the word ``end``; a greeting is one only right before a name ("hola el pilar" is about a pillar)."""
        forms = tuple(word.form for word in self.words[max(end - _CUE, 0) : end])
        found = [cue for start in range(len(forms)) if (cue := forms[start:]) in cues.phrases]
        return any(not (bridged and cue in lexicon.GREETINGS) for cue in found)

    def is_name_like(self, index: int) -> bool:
        """A capitalised word that is a name of people in general, though perhaps of nobody in this CRM."""
        if not 0 <= index < len(self.words) or self.traits[index] & _NAME_OR_MONTH != traits.NAME:
            return False
        word = self.words[index]
        return word.upper and len(word.form) > 1 and not self.is_acronym(index)

    def is_surname_like(self, index: int) -> bool:
        """A capitalised word that is on a list of names, though it is seldom one ("Segundo Moreno", "Julio César Cases")."""
        word = self.words[index]
        return (
            word.upper and not word.capitals and bool(self.traits[index] & (traits.GIVEN | traits.SURNAME)) and not self.traits[index] & traits.MONTH
        )

    def is_double(self, index: int) -> bool:
        """Two words with capitals and a hyphen between: "Villas-Boas"."""
        after = index + 1
        return after < len(self.words) and self.words[index].upper and self.words[after].upper and self.cut.between(after) == "-"

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

    def opens_surname(self, index: int) -> bool:
        """Whether a word between capitals is the article of an Italian surname: "Fiamma Lo Presti"."""
        word = self.words[index]
        if word.form not in _ITALIAN or not word.upper or word.capitals or not self.joins(index, index + 1):
            return False
        return self.is_unheard(index + 1) or self.is_surname_like(index + 1)

    def is_of_surname(self, index: int) -> bool:
        """Whether a surname may begin with this word, which is none: "Maria Luiza da Rosa", "Fiamma Lo Presti"."""
        return not self.words[index].upper if self.words[index].form in _OF_A_SURNAME else self.opens_surname(index)

    def joins(self, left: int, right: int) -> bool:
        """Whether two neighbouring words stand together."""
        return left >= 0 and right < len(self.words) and self.cut.gap(right) is Gap.SOFT

    def with_initials(self, first: int, last: int, taken: set[int]) -> tuple[int, int]:
        """The name with the initials and particles that belong to it: "A. Pérez", "Ana P.", "sr. da Rocha"."""
        while last + 1 not in taken and self.joins(last, last + 1) and (self.is_initial(last + 1) or self._closes(last + 1)):
            last += 1
        while first - 1 not in taken and self.joins(first - 1, first) and (self.is_part(first - 1) or self._signs(first - 1, last)):
            first -= 1
        return first, last

    def _closes(self, index: int) -> bool:
        """Whether a letter ends the text: "dong-hyun c"."""
        return index == len(self.words) - 1 and self._is_letter(index) and not self.text[self.words[index].end :].strip(" .!")

    def _signs(self, first: int, last: int) -> bool:
        """Whether a letter opens what closes the text: a signature without dots ("… gracias. A Pérez")."""
        ends = last + 1 == len(self.words) or self.cut.breaks_line(last + 1)
        return ends and self._is_letter(first) and self.cut.gap(first) is Gap.SENTENCE

    def _is_letter(self, index: int) -> bool:
        word = self.words[index]
        return len(word.form) == 1 and word.form.isascii() and word.form not in _VOWELS

    def is_announced(self, first: int, last: int) -> bool:
        """ "Rich here, …", "Marco te habla", "concepción atte"."""
        after = last + 1
        if not self.joins(last, after):
            return False
        following = self.words[after].form
        if self.joins(after, after + 1):
            return following in _TO_YOU and self.words[after + 1].form in _SPEAKS
        opens = self.cut.gap(first) is not Gap.SOFT or bool(self.traits[after] & traits.SIGN_OFF)
        return opens and following in lexicon.PERSON_ENDS

    def is_family(self, index: int) -> bool:
        """Whether a surname stands behind a plural article: "los Mendoza"."""
        if index < 1 or not self.joins(index - 1, index) or self.words[index - 1].form not in _PLURAL:
            return False
        word, trait = self.words[index], self.traits[index]
        if not trait & traits.SURNAME or word.capitals:
            return False
        return not trait & traits.COMMON or (word.upper and not lexicon.is_place(self.cut.joined(index - 1, index)))

    def is_initial(self, index: int) -> bool:
        """Whether a letter stands for a name: with a dot or a capital, on the line of what is before it, and no part of a code or an address."""
        word = self.words[index]
        if len(word.form) != 1:
            return False
        after = self.text[word.end : word.end + 2]
        within = after[:1] == "@" or (after[:1] in (".", "-") and after[1:].isalnum() and not _INITIALS.match(self.text, word.start))
        within = (
            within
            or self.text[word.start - 1 : word.start].isalnum()
            or _NO_INITIAL.search(self.text, max(word.start - 3, 0), word.end + 3) is not None
        )
        return (word.upper or after[:1] == ".") and not within and not (index and self.cut.breaks_line(index))

    def is_part(self, index: int) -> bool:
        """Whether a word before a name belongs to it: an initial, or a particle with a capital or behind a title."""
        word = self.words[index]
        if self.traits[index] & traits.PARTICLE and len(word.form) > 1:
            cued = self.cued(index, traits.NAMING_CUES) and not self._ends_cue(index + 1, traits.NAMING_CUES, bridged=False)
            return word.upper or cued or self._is_after_initial(index)
        return self.is_initial(index) and (self.cut.gap(index) is not Gap.SENTENCE or self.text[word.end : word.end + 1] == ".")

    def _is_after_initial(self, index: int) -> bool:
        """Whether an initial with its dot stands before particles: "B. P. dos Anjos"."""
        before = index - 1
        while before > 0 and self.joins(before, before + 1) and self.is_particle(before) and len(self.words[before].form) > 1:
            before -= 1
        return self.joins(before, before + 1) and self.is_initial(before) and self.cut.between(before + 1).startswith(".")
