"""Where a text speaks of a place: the words of an address, and towns where something says that a town is meant.

Names of people are names of streets and towns as well. A word counts as a place only where two things come together: a street with its number, a
town of the tables behind a cue of place, in an address, or written with more words than a name has ("San Diego"). Depends on the literal tables
and on how words are written, never on which letters they have.
"""

from collections.abc import Iterator

import regex

from veil import lexicon, traits
from veil.page import Page
from veil.phrases import Gap, Text

#: Words of a street's name, and of the longest town.
_STREET, _TOWN = 6, 5
#: Letters in which the number of a house stands before a word.
_DIGITS = 10
#: A number of a house right behind a word: "123", ", 123", " # 12-34", " 12B". Longer ones are phones and ids.
_NUMBER = regex.compile(r"[.º°]?\s?,?\s*+(?:#|[-–—]\s)?\s*+\d{1,5}(?![\d@]|[.\-/]\d{3})")
#: … and right before one: "4431 Grace St", at the beginning of a text or behind another word.
_NUMBER_BEFORE = regex.compile(r"(?<![\d.\-])\d{1,6}(?:-?[A-Za-z])?\s+$")
#: The number of a numbered street: "W 4th St".
_ORDINAL = regex.compile(r"\s\d{1,3}|\. ")
#: What may stand between the parts of an address, beside numbers.
_LOOSE = regex.compile(r"[\s\d,#ºª°()|\-–—/.:;]*+")
_ENDS = regex.compile(r"[.!?;]\s(?!\d)|[!?;]|\n\s*\n")
_PREPOSITIONS = frozenset({"en", "na", "no", "at"})
_FUNCTION = frozenset({"to", "for", "at", "from", "in", "on", "and", "by", "with", "a", "the", "is", "was", "of"})
_NUMBER_WORDS = frozenset({"n", "no", "nro", "num", "numero", "number", "nr", "km"})


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
        if any(trait & traits.TOWN_WORD for trait in self.traits[first : last + 1]) and self._is_town(first, last):
            return True
        return all(word in self.address for word in range(first, last + 1))

    # --- towns -----------------------------------------------------------------------------------------------------------------------

    def _is_town(self, first: int, last: int) -> bool:
        return any(self._is_meant(begin, end) for begin, end in self._towns(first, last))

    def _towns(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """The towns of the tables, in this text, in which these words stand."""
        for begin in range(max(last - _TOWN + 1, 0), first + 1):
            for end in range(last, min(begin + _TOWN, len(self.words))):
                soft = all(self.cut.gap(word) is Gap.SOFT or self.cut.between(word) == ". " for word in range(begin + 1, end + 1))
                if soft and self.cut.joined(begin, end) in lexicon.TOWNS:
                    yield begin, end

    def _is_meant(self, first: int, last: int) -> bool:
        if first in self.address or first in self._behind or self.cued(first, traits.PLACE_CUES):
            return True
        if self._is_before_state(last) or self._is_before_shop(last):
            return True
        names = all(trait & (traits.NAME | traits.PARTICLE) for trait in self.traits[first : last + 1])
        main = not names or lexicon.is_place(self.cut.joined(first, last))
        return last > first and main and not self._belongs_to_name(first)

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
        end = -1
        for index, trait in enumerate(self.traits):
            if index <= end:
                continue
            found = self._numbered(index) if trait & ~traits.PARTICLE or self.words[index].upper else None
            if found is None and trait & traits.STREET:
                found = self._street(index)
            if found is None and trait & traits.ADDRESS_OPENER:
                found = self._opened(index)
            if found is not None:
                first, last = found
                end = self._with_parts(last)
                self._behind |= self._next(end)
                yield from range(first, end + 1)

    def _street(self, index: int) -> tuple[int, int] | None:
        """ "calle San Martín 3121": from the word for a street to the number behind its name."""
        last = self._named_to_number(index, small=True)
        return None if last is None else (index, last)

    def _opened(self, index: int) -> tuple[int, int] | None:
        """ "mi dirección es Juan B. Justo 7583", "en Carlos Pellegrini 1531": a name with capitals and a number behind what opens an address."""
        following = index + 1
        if following < len(self.words) and self.words[following].form in ("es", "e", "is"):
            following += 1
        if following >= len(self.words) or not self.words[following].upper:
            return None
        last = self._named_to_number(following, small=False)
        return None if last is None else (following, last)

    def _numbered(self, index: int) -> tuple[int, int] | None:
        """ "4431 Grace St": from the number before a street's name to the word for a street."""
        if not _NUMBER_BEFORE.search(self.text, max(self.words[index].start - _DIGITS, 0), self.words[index].start):
            return None
        for last in range(index + 1, min(index + _STREET, len(self.words))):
            if self.words[last - 1].form in _FUNCTION or (self.cut.gap(last) is not Gap.SOFT and not _ORDINAL.fullmatch(self.cut.between(last))):
                return None
            if self.traits[last] & traits.STREET_END:
                return index, last
        return None

    def _named_to_number(self, first: int, *, small: bool) -> int | None:
        """The last word of the street's name that begins here, if the number of a house follows."""
        for last in range(first, min(first + _STREET + 1, len(self.words))):
            if last > first and not self._may_name(last, small=small):
                return None
            end = self.words[last].end
            if _NUMBER.match(self.text, end):
                return last
            if (
                last + 1 < len(self.words)
                and self.cut.gap(last + 1) is not Gap.SOFT
                and self.cut.between(last + 1).strip() not in (".", "./", "/", ",")
            ):
                return None
        return None

    def _may_name(self, index: int, *, small: bool) -> bool:
        """Whether a word can be of a street's name; written small only if it is a name, a particle or no common word."""
        word, trait = self.words[index], self.traits[index]
        if word.upper or trait & traits.PARTICLE or word.form in _NUMBER_WORDS or len(word.form) == 1:
            return True
        return small and bool(trait & _NAMING or not trait & traits.COMMON)

    def _with_parts(self, last: int) -> int:
        """The last word of the address: its floor, its door, its postcode."""
        while last + 1 < len(self.words) and _LOOSE.fullmatch(between := self.cut.between(last + 1)) and not _ENDS.search(between.replace(". ", " ")):
            word, trait = self.words[last + 1], self.traits[last + 1]
            if not (
                trait & traits.ADDRESS_PART or (len(word.form) == 1 and (word.upper or "-" in between or "º" in between)) or trait & traits.MONTH
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
