"""Where a text speaks of a place: the words of an address, and towns where something says that a town is meant.

Names of people are names of streets and towns as well. A word counts as a place only where two things come together: a street with its number, a
town of the tables behind a cue of place, in an address, or written with more words than a name has ("San Diego"). Depends on the literal tables
and on how words are written, never on which letters they have.
"""

from collections.abc import Iterator

import regex

from veil import lexicon, traits
from veil.bearers import Index
from veil.page import Page
from veil.phrases import Gap, Text

#: Words of a street's name, and of the longest town.
_STREET, _TOWN = 6, 5
#: Letters in which the number of a house stands before a word.
_DIGITS = 10
_DIGIT = regex.compile(r"\d")
#: A number of a house right behind a word: "123", ", 123", " # 12-34", " 12B". Longer ones are phones and ids.
_NUMBER = regex.compile(
    r"[.º°]?\s?,?\s*+(?:#|[-–—]\s|(?i:nro|num|núm|n[úu]mero|number|no|n|km)\b[.º°]*|(?i:n)[º°][.]?)?\s*+\d{1,5}(?![\d@]|[.\-/]\d{3})"
)
#: … and right before one: "4431 Grace St", at the beginning of a text or behind another word.
_NUMBER_BEFORE = regex.compile(r"(?<![\d.\-])\d{1,6}(?:-?[A-Za-z])?\s+$")
#: … and what tells it from any other number: a floor, a door or a postcode behind it.
_FLOOR = regex.compile(
    r"[\s,#.º°Nn]*\d{1,5},?\s(?:\d{1,2}\s?[°º]|(?i:d[e]?pto|apto?|apt|ap|of|int|piso|casa|torre|block|bloque|cp|cep|pb|esc|suite|unit|ste)\b)"
)
#: The number of a numbered street: "W 4th St".
_ORDINAL = regex.compile(r"\s\d{1,3}|\. ")
#: What may stand between the parts of an address, beside numbers.
_LOOSE = regex.compile(r"[\s\d,#ºª°()|\-–—/.:;]*+")
_ENDS = regex.compile(r"[.!?;]\s(?!\d)|[!?;]|\n\s*\n")
_IS = frozenset({"es", "e", "is"})
_FUNCTION = frozenset({"to", "for", "at", "from", "in", "on", "and", "by", "with", "a", "the", "is", "was", "of"})


class Places(Page):
    """The places of one text."""

    def __init__(self, text: str, cut: Text) -> None:
        super().__init__(text, cut)
        self._address: frozenset[int] | None = None
        self._behind: set[int] = set()  # words right behind an address

    @property
    def address(self) -> frozenset[int]:
        """The words that stand in addresses."""
        if self._address is None:
            self._address = frozenset(self._addresses())
        return self._address

    def holds(self, first: int, last: int) -> bool:
        """Whether these words, one name perhaps, are a place here and nobody."""
        words = range(first, last + 1)
        if all(self._is_of_town(word) for word in words) and self._is_town(first, last):
            return True
        return all(word in self.address for word in words)

    # --- towns -----------------------------------------------------------------------------------------------------------------------

    def _is_town(self, first: int, last: int) -> bool:
        return any(self._is_meant(begin, end) for begin, end in self._towns(first, last))

    def _towns(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """The towns of the tables, in this text, in which these words stand."""
        low = first
        while low > last - _TOWN + 1 and self._is_of_town(low - 1) and self._touches(low):
            low -= 1
        high = last
        while high < first + _TOWN - 1 and high + 1 < len(self.words) and self._is_of_town(high + 1) and self._touches(high + 1):
            high += 1
        for begin in range(low, first + 1):
            for end in range(last, high + 1):
                if self.cut.joined(begin, end) in lexicon.TOWNS:
                    yield begin, end

    def _is_of_town(self, index: int) -> bool:
        return index >= 0 and bool(self.traits[index] & traits.TOWN_WORD)

    def _touches(self, index: int) -> bool:
        """Whether nothing but a space, or the dot of "St.", parts a word from the one before."""
        return self.cut.gap(index) is Gap.SOFT or self.cut.between(index) == ". "

    def _is_meant(self, first: int, last: int) -> bool:
        if self.cued(first, traits.NAMING_CUES):
            return False
        if first in self.address or first in self._behind or self.cued(first, traits.PLACE_CUES):
            return True
        if self._is_before_state(last) or self._is_before_shop(last):
            return True
        content = [self.traits[word] for word in range(first, last + 1) if len(self.words[word].form) > 1 and not self.traits[word] & traits.PARTICLE]
        names = all(trait & traits.NAME for trait in content) and not lexicon.is_place(self.cut.joined(first, last))
        return len(content) > 1 and not names and not self._belongs_to_name(first)

    def _belongs_to_name(self, first: int) -> bool:
        """Whether a name, an initial or a title stands right before ("Lourdes San Martín", "sra. San Martín")."""
        before = first - 1
        if not self.joins(before, first):
            return False
        return self.is_name_like(before) or self.is_small_name(before) or self.is_initial(before) or bool(self.traits[before] & traits.TITLE)

    def _is_before_state(self, last: int) -> bool:
        """ "Eugene, OR"."""
        if last + 1 >= len(self.words) or self.cut.gap(last + 1) is not Gap.COMMA:
            return False
        following = self.words[last + 1]
        return following.capitals and following.form in lexicon.STATES

    def _is_before_shop(self, last: int) -> bool:
        """ "the Jackson store"."""
        return last + 1 < len(self.words) and self.cut.gap(last + 1) is Gap.SOFT and self.words[last + 1].form in lexicon.PLACE_ENDS

    # --- addresses -------------------------------------------------------------------------------------------------------------------

    def _addresses(self) -> Iterator[int]:
        if _DIGIT.search(self.text) is None:
            return
        starts = [index for index, trait in enumerate(self.traits) if trait & traits.STREET or self.words[index].upper]
        numbered = dict(filter(None, (self._numbered(index) for index, trait in enumerate(self.traits) if trait & traits.STREET_END)))
        end = -1
        for index in sorted({*starts, *numbered}) if numbered else starts:
            if index <= end:
                continue
            last = numbered[index] if index in numbered else self._last(index, self.traits[index])
            if last is not None:
                end = self._with_parts(last)
                self._behind |= self._next(end)
                yield from range(index, end + 1)

    def _last(self, index: int, trait: int) -> int | None:
        """The last word with a number behind it of the address that begins here."""
        if trait & traits.STREET and (last := self._named_to_number(index, small=True)) is not None:
            return last
        if not self.words[index].upper:
            return None
        opened = index > 0 and self._is_opened(index)
        if not opened and self.cut.gap(index) is Gap.SOFT:
            return None
        last = self._named_to_number(index, small=False)
        if last is None or opened or (last > index and _FLOOR.match(self.text, self.words[last].end)):
            return last
        return None

    def _is_opened(self, index: int) -> bool:
        """Whether what stands before opens an address: "mi dirección es Juan B. Justo 7583", "en Carlos Pellegrini 1531"."""
        before = index - 1
        if before and self.words[before].form in _IS:
            before -= 1
        return bool(self.traits[before] & traits.ADDRESS_OPENER)

    def _numbered(self, index: int) -> tuple[int, int] | None:
        """ "4431 Grace St": from the word behind a number to the word for a street."""
        for first in range(index - 1, max(index - _STREET, -1), -1):
            if self.words[first].form in _FUNCTION:
                return None
            if self.cut.gap(first + 1) is not Gap.SOFT and not _ORDINAL.fullmatch(self.cut.between(first + 1)):
                return None
            start = self.words[first].start
            if _NUMBER_BEFORE.search(self.text, max(start - _DIGITS, 0), start):
                return first, index
        return None

    def _named_to_number(self, first: int, *, small: bool) -> int | None:
        """The last word of the street's name that begins here, if the number of a house follows."""
        for last in range(first, min(first + _STREET + 1, len(self.words))):
            if last > first and not self._may_name(last, small=small):
                return None
            end = self.words[last].end
            if _NUMBER.match(self.text, end):
                return last
            if last + 1 < len(self.words) and self.cut.gap(last + 1) is not Gap.SOFT and self.cut.between(last + 1).strip() not in (".", "./", "/"):
                return None
        return None

    def _may_name(self, index: int, *, small: bool) -> bool:
        """Whether a word can be of a street's name; written small only if it is a name, a particle or no common word."""
        word, trait = self.words[index], self.traits[index]
        if word.upper or trait & traits.PARTICLE or len(word.form) == 1:
            return True
        return small and bool(trait & _NAMING or not trait & traits.COMMON)

    def _with_parts(self, last: int) -> int:
        """The last word of the address: its floor, its door, its postcode."""
        while last + 1 < len(self.words) and _LOOSE.fullmatch(between := self.cut.between(last + 1)) and not _ENDS.search(between.replace(". ", " ")):
            word, trait = self.words[last + 1], self.traits[last + 1]
            if not (
                trait & traits.ADDRESS_PART
                or (len(word.form) == 1 and (word.upper or "-" in between or self.text[word.start] in "ºª"))
                or trait & traits.MONTH
            ):
                break
            last += 1
        return last

    def _next(self, last: int) -> set[int]:
        """The word right behind an address, which may begin a town."""
        following = last + 1
        if following == len(self.words) or not _LOOSE.fullmatch(between := self.cut.between(following)):
            return set()
        return set() if _ENDS.search(between) else {following}


_NAMING = traits.GIVEN | traits.SURNAME | traits.PLACE | traits.MONTH | traits.TOWN_WORD


class Placed:
    """Forms of people that stand in the texts of a turn as words of places and nowhere else."""

    def __init__(self) -> None:
        self._placed: set[str] = set()
        self._named: set[str] = set()

    def read(self, cut: Text, index: Index) -> None:
        """Take in where one more text has the forms of an index."""
        places = Places(cut.text, cut)
        for place, word in enumerate(cut.words):
            if index[word.form]:
                (self._placed if places.holds(place, place) else self._named).add(word.form)

    def __contains__(self, form: str) -> bool:
        return form in self._placed and form not in self._named
