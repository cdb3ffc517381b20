"""What the literal tables say of one word, as the bits of one number: a text asks once a word, and a word pays only for what it can be.

``lexicon`` asks the same tables word by word and stays the place where each is described; a test holds the two together.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from veil import lexicon
from veil.fold import Word

COMMON = 1
#: A name on a list of names; ``NAME`` when its capital also suggests a person.
GIVEN = 1 << 1
SURNAME = 1 << 2
NAME = 1 << 3
MONTH = 1 << 4
PARTICLE = 1 << 5
TITLE = 1 << 6
#: Has formal names.
NICKNAME = 1 << 7
#: A place of one word; the last word of a place of several.
PLACE = 1 << 12
PLACE_END = 1 << 13
#: Stands right before a brand.
GOODS = 1 << 23
#: Ends a greeting.
GREETING = 1 << 16
#: A word of a town's name.
TOWN_WORD = 1 << 17
#: A word for a street before its name; behind it; one that opens an address; one of its other parts.
STREET = 1 << 18
STREET_END = 1 << 19
ADDRESS_OPENER = 1 << 20
ADDRESS_PART = 1 << 21
#: Closes a message ("atte"); its author's name follows.
SIGN_OFF = 1 << 14


@dataclass(frozen=True, slots=True)
class Cues:
    """Words that end right before a certain kind of name, and the bit that their last words have."""

    bit: int
    phrases: frozenset[tuple[str, ...]]


#: Before a person, titles too.
PERSON_CUES = Cues(1 << 8, lexicon.PERSON_CUES | lexicon.TITLE_CUES)
COMPANY_CUES = Cues(1 << 9, lexicon.COMPANY_CUES)
#: Before an inbox or campaign.
THING_CUES = Cues(1 << 10, lexicon.THING_CUES)
#: Those of them that say whose name follows: "mi hermano", "me llamo", a title.
NAMING_CUES = Cues(1 << 22, lexicon.NAMING_CUES)
ADDRESS_CUES = Cues(1 << 11, lexicon.ADDRESS_CUES)
#: Before a town.
PLACE_CUES = Cues(1 << 15, lexicon.PLACE_CUES)


_ALL_CUES = (PERSON_CUES, NAMING_CUES, COMPANY_CUES, THING_CUES, ADDRESS_CUES, PLACE_CUES)


def _table() -> Mapping[str, int]:
    listed: tuple[tuple[int, Iterable[str]], ...] = (
        (COMMON, lexicon.COMMON),
        (GIVEN, lexicon.GIVEN),
        (SURNAME, lexicon.SURNAMES),
        (NAME, (lexicon.GIVEN | lexicon.SURNAMES) - lexicon.SELDOM),
        (MONTH, lexicon.MONTHS),
        (PARTICLE, lexicon.PARTICLES),
        (TITLE, lexicon.TITLES),
        (NICKNAME, lexicon.NICKNAMES),
        *((cues.bit, (cue[-1] for cue in cues.phrases)) for cues in _ALL_CUES),
        (PLACE, (place for place in lexicon.PLACES if " " not in place)),
        (PLACE_END, (place.rpartition(" ")[2] for place in lexicon.PLACES if " " in place)),
        (SIGN_OFF, lexicon.SIGN_OFFS),
        (GREETING, (greeting[-1] for greeting in lexicon.GREETINGS)),
        (GOODS, lexicon.GOODS),
        (TOWN_WORD, {word for town in lexicon.TOWNS for word in town.split()}),
        (STREET, lexicon.STREET_WORDS),
        (STREET_END, lexicon.STREET_ENDS),
        (ADDRESS_OPENER, lexicon.ADDRESS_OPENERS),
        (ADDRESS_PART, lexicon.ADDRESS_PARTS),
    )
    table: dict[str, int] = {}
    for bit, words in listed:
        for word in words:
            table[word] = table.get(word, 0) | bit
    return table


_TRAITS = _table()


def of(word: str) -> int:
    """All that the tables say of a folded word."""
    return _TRAITS.get(word, 0)


def of_each(words: Iterable[Word]) -> list[int]:
    """The same of the words of a text."""
    find = _TRAITS.get
    return [find(word.form, 0) for word in words]
