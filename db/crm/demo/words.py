"""The words of which demo names are made, in classes, and what each becomes in another cast of the same people.

A class is one file beside this one. The words of a file are alike in everything that the veil's literal tables say of a
word (common or not, place, given name, surname, cue), but for those behind which the file says that they are a town or a
street as well: these are alike among themselves. A word is exchanged only for another one like it, and a word with accents
only for another with accents. So two casts differ in letters alone. No word is a misspelling of another.

"Cliente", "Will", "Rich", "Bill", "Summer", "Santiago", "Mercedes" and "Bo" are in no class: no other word is a name, a cue, a place and a common
word in just their ways, so they stay in every cast. A nickname follows its formal name: who is called Robert, and Bob, in one cast is Margaret, and
Peggy, in another.
"""

import random
import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

#: One file each: what the words are, and how they stand in the veil's tables.
CLASSES: Mapping[str, str] = MappingProxyType(
    {
        "given": "given names that are nothing else",
        "given_and_surnames": "names that people bear both as given name and as surname",
        "given_three": "given names of three letters",
        "given_common": "given names that are also common words",
        "names_common": "common words that are both given names and surnames",
        "surnames": "surnames that are nothing else",
        "surnames_rare": "surnames in no list",
        "surnames_common": "surnames that are also common words",
        "surnames_places": "surnames that are also places",
        "surnames_short": "surnames of two letters",
        "corners": "everyday words that occur in addresses",
        "everyday": "everyday words for shops and campaigns",
        "brands": "words that a company made up",
        "given_strangers_women": "given names of women whom no CRM knows",
        "given_strangers_men": "given names of men whom no CRM knows",
        "surnames_strangers": "surnames of people whom no CRM knows",
        "given_north": "given names of Spain and the US that are nothing else",
        "given_and_surnames_north": "names of Spain and the US that people bear both as given name and as surname",
        "given_nicknamed": "given names with a nickname, the one in the same line of nicknames.txt",
        "given_pet": "nicknames that stand in the CRM as an alias",
        "given_rare": "names in no list",
        "given_common_north": "given names of Spain and the US that are also common words",
        "given_places": "given names that are also places",
        "surnames_north": "surnames of Spain and the US that are nothing else",
        "surnames_mc": "surnames with a capital inside, in no list",
        "surnames_o": "what follows the O' of a surname, in no list",
        "han": "characters of names in Han script, each a word",
        "arabic": "words of names in Arabic script",
        "hebrew": "words of names in Hebrew script",
        "given_strangers_women_north": "given names of women of Spain and the US whom no CRM knows",
        "given_strangers_men_north": "given names of men of Spain and the US whom no CRM knows",
        "surnames_strangers_north": "surnames of people of Spain and the US whom no CRM knows",
    }
)

_LETTERS = re.compile(r"[^\W\d_]+")


@cache
def pool(name: str) -> tuple[str, ...]:
    """The words of a class, in the order of the file."""
    return tuple(kinds(name))


@cache
def kinds(name: str) -> Mapping[str, str]:
    """The words of a class, each with what it is besides: "town", "street" or nothing."""
    lines = (files(__package__) / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return MappingProxyType({word: kind for word, _, kind in (line.partition(" ") for line in lines)})


@cache
def known() -> frozenset[str]:
    """Every word that some cast renames."""
    return frozenset(word for name in CLASSES for word in pool(name))


@cache
def nicknames() -> Mapping[str, str]:
    """Formal name -> nickname, those that a cast renames together."""
    written = (files(__package__) / "nicknames.txt").read_text(encoding="utf-8").split()
    return MappingProxyType(dict(zip(pool("given_nicknamed"), written, strict=True)))


def mark(name: str) -> str:
    """The name with its renameable words between guillemets ("Pedro de la Cruz" -> "«Pedro» de la «Cruz»")."""
    return _LETTERS.sub(lambda found: _marked(found[0]), name)


def _marked(word: str) -> str:
    """A word between guillemets if it is renamed; in a script without spaces each of its letters ("王小明" -> "«王»«小»«明»")."""
    if word in known():
        return f"«{word}»"
    return "".join(f"«{letter}»" for letter in word) if known().issuperset(word) else word


def plain(word: str) -> str:
    """Lower case without accents: how names stand in e-mail addresses and hurried messages."""
    return "".join(part for part in unicodedata.normalize("NFKD", word) if not unicodedata.combining(part)).lower()


#: The ways in which a text may write a word.
STYLES: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        "as_is": str,
        "upper": str.upper,
        "lower": str.lower,
        "plain": plain,
        "initial": lambda word: plain(word)[:1],
        "nick": lambda word: nicknames()[word],
        "nick_plain": lambda word: plain(nicknames()[word]),
        "typo": lambda word: misspelt(word),
    }
)


def misspelt(word: str) -> str:
    """The word as a hurried hand writes it: the two letters in its middle swapped, or one of two alike left out; capitals stay where they are."""
    middle = len(word) // 2
    left, right = word[middle - 1], word[middle]
    if left.lower() == right.lower():
        return word[:middle] + word[middle + 1 :]
    swapped = (new.upper() if old.isupper() else new.lower() for old, new in ((left, right), (right, left)))
    return word[: middle - 1] + "".join(swapped) + word[middle + 1 :]


def renaming(people_seed: int) -> Mapping[str, str]:
    """Word -> its word in this cast, one to one within each class.

    Cast 0 is the named demo; in every other one no word stays as it is.
    """
    if people_seed == 0:
        return {word: word for word in known()}
    renamed: dict[str, str] = {}
    for name in CLASSES:
        alike: dict[tuple[str, bool], list[str]] = {}
        for word, kind in kinds(name).items():
            alike.setdefault((kind, plain(word) != word.lower()), []).append(word)
        for (kind, accented), words in alike.items():
            random.Random(f"{people_seed} {name} {kind} {accented}").shuffle(words)  # noqa: S311 (a demo's dice)
            renamed.update(zip(words, [*words[1:], *words[:1]], strict=True))
    return renamed
