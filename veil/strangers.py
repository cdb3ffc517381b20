"""People whom no CRM knows, as far as the way they are written shows them. Measured, not absolute: ``make bench`` says how many are found."""

from veil import lexicon, traits
from veil.page import Page
from veil.phrases import Gap

#: Words for a street that follow its name.
_STREETS = frozenset({"st", "street", "rd", "road", "ave", "avenue", "ln", "lane", "blvd", "boulevard", "drive", "ct", "court", "pl", "hwy"})
_LISTED = traits.GIVEN | traits.SURNAME
_NAME_OR_COMMON = traits.NAME | traits.COMMON
_GIVEN_OR_COMMON = traits.GIVEN | traits.COMMON


class Strangers(Page):
    """The persons of one text, names that were found already aside."""

    def find(self, covered: set[int]) -> list[tuple[int, int]]:
        """First and last words of each: full names, one name after a cue, and a word that is a name and nothing else."""
        found = []
        end = -1
        for index, word in enumerate(self.words):
            if index <= end or not (word.upper or self.traits[index] & traits.GIVEN) or index in covered:
                continue  # neither capital nor given name: nobody's name begins here
            cued = self._is_single(index) and self.is_person_cued(index)
            end = self._name_end(index, covered, cued=cued)
            if cued or self._is_full(index, end) or self._is_telling(index):
                found.append(self.with_initials(index, end, covered))
                end = found[-1][1]
        return found

    def _is_full(self, first: int, last: int) -> bool:
        return last > first and not self._is_address(first, last) and not self._is_placed(first, last)

    def _is_telling(self, index: int) -> bool:
        """Whether one word is a name and nothing else: in the lists of names, and no common word; a surname not at the start of a sentence."""
        trait = self.traits[index]
        if trait & traits.COMMON or not self.is_name_like(index) or self._is_address(index, index):
            return False
        given = trait & traits.GIVEN or self.cut.gap(index) is not Gap.SENTENCE or self.cut.quoted(index, index)
        return bool(given) and not self._is_placed(index, index)

    def _is_placed(self, first: int, last: int) -> bool:
        """Whether the words are a place, alone or with the word before ("San Diego")."""
        if not self.traits[last] & (traits.PLACE | traits.PLACE_END):
            return False
        return any(lexicon.is_place(self.cut.joined(start, last)) for start in (first, first - 1) if start >= 0)

    def _is_single(self, index: int) -> bool:
        """A word that a cue before it makes a name; written small only if it is a given name and nothing else."""
        word, trait = self.words[index], self.traits[index]
        if len(word.form) < 3 or trait & _NAME_OR_COMMON == traits.COMMON:
            return False
        return word.upper or trait & _GIVEN_OR_COMMON == traits.GIVEN

    def _name_end(self, first: int, covered: set[int], *, cued: bool) -> int:
        """The last word of the full name that begins here, or ``first`` when none does."""
        named = self.is_name_like(first)
        if not (named or (cued and self.words[first].upper) or self._opens_name(first)):
            return self._small_name_end(first, covered, cued=cued)
        last, ahead, listed = first, first + 1, int(named)
        while ahead < len(self.words) and ahead not in covered and self.cut.gap(ahead) is Gap.SOFT and ahead - last <= 3:
            word, trait = self.words[ahead], self.traits[ahead]
            if word.upper and len(word.form) > 1 and not trait & traits.MONTH and (trait & _LISTED or not trait & traits.COMMON):
                last = ahead
                listed += bool(trait & traits.NAME)
            elif not self.transparent(ahead):
                break
            ahead += 1
        return last if listed > 1 or not self.traits[first] & traits.COMMON else first

    def _opens_name(self, index: int) -> bool:
        """A rare given name in mid-sentence, right before a surname ("Zoroastro Valdivieso")."""
        rare = self.is_unheard(index) and self.cut.gap(index) is not Gap.SENTENCE and not self.traits[index] & traits.PLACE
        return rare and self.joins(index, index + 1) and self.is_name_like(index + 1)

    def _small_name_end(self, first: int, covered: set[int], *, cued: bool) -> int:
        """The last word of a name written small: two words or more, a given name first, all of them names and nothing else.

        Behind a cue ("mi hermano anselmo rivas") its other words need not be in the lists, so long as they are no common words.
        """
        if not self.traits[first] & traits.GIVEN:
            return first
        last, ahead = first - 1, first
        while ahead < len(self.words) and ahead not in covered and ahead - last <= 3 and (ahead == first or self.cut.gap(ahead) is Gap.SOFT):
            trait = self.traits[ahead]
            if not trait & traits.COMMON and (trait & traits.NAME or (cued and len(self.words[ahead].form) > 2 and ahead - first < 4)):
                last = ahead
            elif last < first or not self.transparent(ahead):
                break
            ahead += 1
        return max(last, first)

    def _is_address(self, first: int, last: int) -> bool:
        """Whether the words name a street: behind a word for one, or before one ("Jackson Rd")."""
        behind = self.cued(first, traits.ADDRESS_CUES)
        return behind or (self.joins(last, last + 1) and self.words[last + 1].form in _STREETS)
