"""People whom no CRM knows, as far as the way they are written shows them. Measured, not absolute: ``make bench`` says how many are found."""

from veil import lexicon
from veil.fold import Word
from veil.page import Page
from veil.phrases import Gap

#: Words for a street that follow its name.
_STREETS = frozenset({"st", "street", "rd", "road", "ave", "avenue", "ln", "lane", "blvd", "boulevard", "drive", "ct", "court", "pl", "hwy"})


class Strangers(Page):
    """The persons of one text, names that were found already aside."""

    def find(self, covered: set[int]) -> list[tuple[int, int]]:
        """First and last words of each: full names, one name after a cue, and a word that is a name and nothing else."""
        found = []
        index = 0
        while index < len(self.words):
            last = index
            if index not in covered:
                cued = self._is_single(index) and self.is_person_cued(index)
                last = self._name_end(index, covered, cued=cued)
                if cued or self._is_full(index, last) or self._is_telling(index):
                    found.append(self.with_initials(index, last, covered))
                    last = found[-1][1]
            index = last + 1
        return found

    def _is_full(self, first: int, last: int) -> bool:
        return last > first and not self._is_address(first, last) and not self._is_placed(first, last)

    def _is_telling(self, index: int) -> bool:
        """Whether one word is a name and nothing else: in the lists of names, and no common word; a surname not at the start of a sentence."""
        form = self.words[index].form
        alone = self.is_name_like(index) and not lexicon.is_common(form) and not self._is_address(index, index)
        given = form in lexicon.GIVEN or self.cut.gap(index) is not Gap.SENTENCE or self.cut.quoted(index, index, self.text)
        return alone and given and not self._is_placed(index, index)

    def _is_placed(self, first: int, last: int) -> bool:
        """Whether the words are a place, alone or with the word before ("San Diego")."""
        return lexicon.is_place(self.cut.joined(first, last)) or (first > 0 and lexicon.is_place(self.cut.joined(first - 1, last)))

    def _is_single(self, index: int) -> bool:
        """A word that a cue before it makes a name; written small only if it is a given name and nothing else."""
        word = self.words[index]
        if len(word.form) < 3 or self._is_plain_word(word):
            return False
        return word.upper or (word.form in lexicon.GIVEN and not lexicon.is_common(word.form))

    def _is_plain_word(self, word: Word) -> bool:
        return lexicon.is_common(word.form) and not lexicon.is_person_name(word.form)

    def _name_end(self, first: int, covered: set[int], *, cued: bool) -> int:
        """The last word of the full name that begins here, or ``first`` when none does."""
        if not (self.is_name_like(first) or (cued and self.words[first].upper) or self._opens_name(first)):
            return self._small_name_end(first, covered, cued=cued)
        last, ahead, listed = first, first + 1, int(self.is_name_like(first))
        while ahead < len(self.words) and ahead not in covered and self.cut.gap(ahead) is Gap.SOFT and ahead - last <= 3:
            word = self.words[ahead]
            if word.upper and len(word.form) > 1 and not lexicon.is_month(word.form) and self._may_follow(word):
                last = ahead
                listed += lexicon.is_person_name(word.form)
            elif not self.transparent(ahead):
                break
            ahead += 1
        return last if listed > 1 or not lexicon.is_common(self.words[first].form) else first

    def _may_follow(self, word: Word) -> bool:
        """Whether a capitalised word can be a surname: in the lists, also a common word; or no common word."""
        return word.form in lexicon.SURNAMES or word.form in lexicon.GIVEN or not lexicon.is_common(word.form)

    def _opens_name(self, index: int) -> bool:
        """A rare given name in mid-sentence, right before a surname ("Zoroastro Valdivieso")."""
        rare = self.is_unheard(index) and self.cut.gap(index) is not Gap.SENTENCE and not lexicon.is_place(self.words[index].form)
        return rare and self.joins(index, index + 1) and self.is_name_like(index + 1)

    def _small_name_end(self, first: int, covered: set[int], *, cued: bool) -> int:
        """The last word of a name written small: two words or more, a given name first, all of them names and nothing else.

        Behind a cue ("mi hermano anselmo rivas") its other words need not be in the lists, so long as they are no common words.
        """
        if self.words[first].form not in lexicon.GIVEN:
            return first
        last, ahead = first - 1, first
        while ahead < len(self.words) and ahead not in covered and ahead - last <= 3 and (ahead == first or self.cut.gap(ahead) is Gap.SOFT):
            form = self.words[ahead].form
            if not lexicon.is_common(form) and (lexicon.is_person_name(form) or (cued and len(form) > 2 and ahead - first < 4)):
                last = ahead
            elif last < first or not self.transparent(ahead):
                break
            ahead += 1
        return max(last, first)

    def _is_address(self, first: int, last: int) -> bool:
        """Whether the words name a street: behind a word for one, or before one ("Jackson Rd")."""
        behind = self.cued(first, lexicon.ADDRESS_CUES)
        return behind or (self.joins(last, last + 1) and self.words[last + 1].form in _STREETS)
