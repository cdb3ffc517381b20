"""Who lives in a shop's CRM, as marked texts: members, companies, contacts, and the strangers of whom they write."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from random import Random
from typing import Literal

from db.crm.demo import words
from db.crm.demo.shops import Shop

#: Mail domains of customers; all reserved for examples.
_DOMAINS = ("example.com", "example.org", "example.net", "correo.example", "mail.example")
_FIRST_WORD = re.compile(r"[^«]*«[^«»]+»\S*")
_LATIN = re.compile(r"[\u0000-\u024F]*")


@dataclass(frozen=True, slots=True)
class Person:
    """A person as stories speak of them; every field is a marked text."""

    id: int
    name: str
    first: str
    last: str
    phone: str
    email: str
    national_id: str
    alias: str | None = None


@dataclass(frozen=True, slots=True)
class Company:
    """A company as stories speak of it; the fields are marked texts."""

    id: int
    name: str
    legal_id: str


class People:
    """All people of one shop, drawn with the structure's dice."""

    def __init__(self, shop: Shop, dice: Random, *, contacts: int) -> None:
        if contacts < len(shop.contacts):
            raise ValueError(f"the demo has {len(shop.contacts)} contacts at least")
        self._shop = shop
        self._dice = dice
        self._numbers = {kind: count() for kind in ("phone", "person", "company", "card")}
        self.members = [self._member(place, name) for place, (name, _, _) in enumerate(shop.members, start=1)]
        self.companies = [self._company(place, name) for place, name in enumerate(shop.companies, start=1)]
        given = given_names(shop)
        drawn = [self._drawn_name(given) for _ in range(contacts - len(shop.contacts))]
        self.contacts = [self._contact(place, name) for place, name in enumerate([*shop.contacts, *drawn], start=1)]

    def stranger(self, who: Literal["women", "men"]) -> Person:
        """Somebody whom no CRM knows."""
        country = self._some_country()
        kind = dict(self._shop.strangers)[country]
        given = self._dice.choice(words.pool(f"given_strangers_{who}{kind}"))
        family = self._dice.sample(words.pool(f"surnames_strangers{kind}"), k=self._dice.choice((1, 1, 2)))
        return self._person(0, f"{given} / {' '.join(family)}", email_number=None, country=country)

    @property
    def star(self) -> Person:
        """The member whom customers name."""
        return self.members[2]

    def card(self) -> str:
        """A payment card that nobody has."""
        return f"«card:any:{next(self._numbers['card'])}|bare»"

    def _member(self, place: int, written: str) -> Person:
        person = self._person(place, written, email_number=None)
        given, family = (words.mark(part.strip()) for part in written.split("/"))
        mail = f"{_as_local(given)}.{_as_local(family)}@{self._shop.domain}"
        return replace(person, email=mail)

    def _company(self, place: int, written: str) -> Company:
        name, _, country = (part.strip() for part in written.partition("@"))
        return Company(place, words.mark(name), self._value("company", country or self._shop.country, "dotted"))

    def _contact(self, place: int, written: str) -> Person:
        rest, _, alias = (part.strip() for part in written.partition("|"))
        name, _, country = (part.strip() for part in rest.partition("@"))
        return self._person(place, name, email_number=place, alias=words.mark(alias) or None, country=country)

    def _person(self, place: int, written: str, *, email_number: int | None, alias: str | None = None, country: str = "") -> Person:
        country = country or self._shop.country
        given, family = (words.mark(part.strip()) for part in written.split("/"))
        first = _first_word(given)
        return Person(
            place,
            f"{given} {family}".strip(),
            first,
            _first_word(family) if family else first,
            self._value("phone", country, self._dice.choice(("e164", "e164", "spaced", "local"))),
            self._email(given, family, email_number) if _LATIN.fullmatch(given) or not alias else self._email(*_cut(alias), email_number),
            self._value("person", country, self._dice.choice(("dotted", "dotted", "bare"))),
            alias,
        )

    def _email(self, given: str, family: str, number: int | None) -> str:
        """Whole words are told apart by themselves; an initial is not, so it comes with a number."""
        first, last = _as_local(_first_word(given)), _as_local(_first_word(family)) if family else ""
        tail = "" if number is None else str(number)
        forms = [".".join(filter(None, (first, last))), "_".join(filter(None, (first, last)))]
        if last and tail:
            forms.append(first.replace("|plain", "|initial") + last)
        return f"{self._dice.choice(forms)}{tail}@{self._dice.choice(_DOMAINS)}"

    def _value(self, kind: str, country: str, style: str) -> str:
        return f"«{kind}:{country}:{next(self._numbers[kind])}|{style}»"

    def _some_country(self) -> str:
        countries = self._shop.countries
        return self._dice.choice(countries) if len(countries) > 1 else countries[0]

    def _drawn_name(self, given: Sequence[str]) -> str:
        family = self._dice.sample(surnames(self._shop), k=self._dice.choice((1, 2, 2)))
        if self._dice.random() < 0.1:
            family[-1] = self._dice.choice(words.pool("surnames_common"))
        written = f"{self._dice.choice(given)} / {' '.join(family)}"
        return f"{written} @{self._some_country()}"


def given_names(shop: Shop) -> Sequence[str]:
    """The given names that are drawn. Those of people who must be there keep to them: there are two Marías and seven Josés, not more."""
    spoken_for = [*shop.contacts, *(name for name, _, _ in shop.members)]
    taken = {word for name in spoken_for for word in name.split("/")[0].replace("-", " ").split()}
    return [word for word in shop.given or words.pool("given") if word not in taken]


def surnames(shop: Shop) -> Sequence[str]:
    """The surnames that are drawn."""
    return shop.surnames or words.pool("surnames")


def _cut(alias: str) -> tuple[str, str]:
    """The given name of an alias, and the rest."""
    given, _, family = alias.partition(" ")
    return given, family


def _first_word(marked: str) -> str:
    """The first renameable word with what is tied to it ("de la «Cruz» «Soto»" -> "de la «Cruz»")."""
    found = _FIRST_WORD.match(marked)
    return found[0] if found else marked


def _as_local(marked: str) -> str:
    """The renameable words of a name as the local part of an address."""
    return ".".join(f"«{word}|plain»" for word in re.findall("«([^«»]+)»", marked))
