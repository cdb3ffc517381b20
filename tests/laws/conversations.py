"""Generated conversations: scripts of steps that say nothing of who the people are.

Every text is a marked text (``db.crm.demo.casting``), so one script is read with the people of either twin. What a step needs to know of the CRM
(who there is, who sees whom, what earlier steps changed) it knows by ids and marked names, from the demo's structure.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

from db.crm.demo import words
from db.crm.demo.casting import styled
from db.crm.demo.seed import CONTACTS, NOW
from db.crm.demo.shops import SHOPS, Shop
from db.crm.demo.values import STYLES
from db.crm.demo.world import World, build
from tests.laws.phrases import MESSAGES, QUESTIONS, RUMOURS, TYPED, UNHEARD
from tools.permissions import Actor, Role
from veil import lexicon
from veil.tokens import Kind

#: Styles of values that nobody reads as such without a word that says what they are.
_CUED = frozenset({"apart", "said"})
_TITLES = {"es": "doña", "pt": "dona", "en": "Mrs"}


@dataclass(frozen=True, slots=True)
class Ask:
    """A question; ``meant`` is the part of it whose entity the member chose beforehand."""

    text: str
    meant: tuple[str, Kind, int] | None = None


@dataclass(frozen=True, slots=True)
class Choose:
    """The last question again, with the candidate of this place chosen for each of its choices."""

    place: int


@dataclass(frozen=True, slots=True)
class Anyone:
    """A reply that leaves the choice to Velo."""


@dataclass(frozen=True, slots=True)
class Change:
    """The CRM changes; the statement's texts are marked."""

    statement: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Restart:
    """The server ends and another one begins."""


Step = Ask | Choose | Anyone | Change | Restart


@dataclass(frozen=True, slots=True)
class Conversation:
    """Who asks, and what happens."""

    seed: int
    actor: Actor
    language: str
    steps: tuple[Step, ...]


def conversation(seed: int, *, structure_seed: int = 1) -> Conversation:
    """The conversation of this seed: even ones are an admin's, odd ones a restricted agent's; the tenants take turns."""
    shop = SHOPS[seed // 2 % len(SHOPS)]
    roles = [Role(role) for _, role, _ in shop.members]
    few = [number for number, (_, role, inboxes) in enumerate(shop.members, 1) if role == Role.AGENT and len(inboxes) == 1]
    dice = Random(f"conversation {seed}")
    member = dice.choice(few) if seed % 2 else roles.index(Role.ADMIN) + 1
    actor = Actor(shop.tenant_id, member, roles[member - 1])
    author = _Author(dice, Town(shop, structure_seed))
    return Conversation(seed, actor, author.language, tuple(author.steps()))


@cache
def world(shop: Shop, structure_seed: int) -> World:
    """The rows of a shop as they were seeded, marked."""
    return build(shop, contacts=CONTACTS, structure_seed=structure_seed, now=NOW)


@dataclass(slots=True)
class Town:
    """The people of a tenant as far as steps have changed them."""

    shop: Shop
    structure_seed: int
    contacts: dict[int, dict[str, Any]] = field(init=False)
    former: dict[int, list[str]] = field(default_factory=dict)
    strangers: list[str] = field(default_factory=list)  # those whom somebody has named so far

    def __post_init__(self) -> None:
        self.contacts = {row["id"]: dict(row) for row in self.rows("contacts")}

    def rows(self, table: str) -> list[dict[str, Any]]:
        """A table as it was seeded."""
        return world(self.shop, self.structure_seed).tables[table]

    @property
    def members(self) -> list[dict[str, Any]]:
        """The team."""
        return self.rows("members")

    @property
    def conversations(self) -> list[int]:
        """Conversations of people who are still there."""
        return [row["id"] for row in self.rows("conversations") if row["contact_id"] in self.contacts]

    def namesakes(self) -> list[str]:
        """First names that several people bear, each as often as it is borne."""
        firsts = [row["name"].split()[0] for row in self.contacts.values()]
        return sorted(first for first in firsts if firsts.count(first) > 1)


class _Author:
    """Writes one conversation."""

    def __init__(self, dice: Random, town: Town) -> None:
        self._dice = dice
        self._town = town
        self.language = town.shop.language[:2]
        self._numbers = iter(range(9001, 10_000))
        self._known: list[int] = []  # contacts that were spoken of: conversations come back to them

    def steps(self) -> Iterator[Step]:
        """From 5 to 12 questions with what happens between them."""
        wanted = self._dice.randint(5, 12)
        asked = 0
        while asked < wanted:
            if asked:
                yield from self._between()
            several = asked + 3 <= wanted and self._dice.random() < 0.22
            asking = self._dice.choice((self._ambiguous, self._ambiguous, self._comes_late))() if several else (self._ask(),)
            yield from asking
            asked += sum(not isinstance(step, Change) for step in asking)

    # --- questions -------------------------------------------------------------------------------------------------------------------

    def _ask(self) -> Ask:
        text, slots = self._filled(self._dice.choice(QUESTIONS[self.language]))
        contact = self._dice.choice([*self._town.contacts])
        if "a" in slots and self._dice.random() < 0.1:
            return Ask(text, (slots["a"], Kind.CONTACT, contact))
        return Ask(text)

    def _ambiguous(self) -> Sequence[Step]:
        """A question about one of several of that name, and the choice."""
        shared = self._titled(self._dice.choice(self._town.namesakes()))
        question = self._dice.choice([text for text in QUESTIONS[self.language] if "{a}" in text and "{b}" not in text])
        text, _ = self._filled(question, a=shared)
        return Ask(text), self._dice.choice((Choose(self._dice.randrange(5)), Anyone()))

    def _comes_late(self) -> Sequence[Step]:
        """Somebody of an unheard name, the same in both twins, is spoken of before the CRM knows them: what has left is masked late."""
        name = self._dice.choice(UNHEARD)
        spoken = self._dice.choice(RUMOURS[self.language]).format(name.lower())
        told = self._message(self._dice.choice(RUMOURS[self.language]).format(name.lower()))
        added = self._add(name)
        return (told, Ask(spoken), self._ask(), added, Ask(self._filled("{a}", a=name)[0]))

    def _filled(self, template: str, **given: str) -> tuple[str, dict[str, str]]:
        slots = {name: given.get(name) or self._slot(name) for name in dict.fromkeys(re.findall(r"\{(\w)\}", template))}
        return template.format(**slots), slots

    def _slot(self, name: str) -> str:
        match name:
            case "a" | "b":
                return self._somebody()
            case "m":
                return self._form(self._dice.choice(self._town.members))
            case "e" | "k":
                rows = self._town.rows("companies" if name == "e" else "campaigns")
                return str(self._dice.choice(rows)["name"])
            case "x":
                return self._stranger()
            case "v":
                return self._value()
        return self._dice.choice(TYPED)

    def _somebody(self) -> str:
        luck = self._dice.random()
        if luck < 0.06:
            return self._form(self._dice.choice(self._town.members))
        if luck < 0.12:
            return self._stranger()
        if luck < 0.18:
            return self._titled(self._dice.choice(self._town.namesakes()))
        return self._called(self._contact())

    def _contact(self) -> int:
        """Every other time somebody of whom this conversation has spoken; also one who is gone by now."""
        again = self._known and self._dice.random() < 0.5
        number = self._dice.choice(self._known if again else [*self._town.contacts])
        self._known.append(number)
        return number

    def _called(self, number: int) -> str:
        """The contact by some form of their name. One who is gone is a stranger: only a full name tells that a person is meant."""
        if number in self._town.contacts:
            return self._form(self._town.contacts[number])
        name = self._town.former[number][-1]
        first, _, family = name.partition(" ")
        return self._stranger() if _is_weak(first) or _is_weak(family) else name

    def _form(self, person: Mapping[str, Any]) -> str:
        """A written form of a person's name; a weak one stands behind a title, where it counts wherever it stands (law 1 is of mentions)."""
        names = [person["name"]] * 6 + self._town.former.get(person["id"], []) * 4 + list(person.get("aliases", ())) * 2
        name: str = self._dice.choice(names)
        first, _, family = name.partition(" ")
        forms = [
            name,
            first,
            family or first,
            name.split()[-1],
            f"{first} {name.split()[-1]}",
            f"{family}, {first}" if family else first,
            styled(name, "upper"),
            styled(first, "upper"),
            styled(name, "lower"),
            styled(name, "plain"),
            styled(first, "plain"),
            styled(name, "plain").replace(" ", "_"),
            "".join(re.findall("«[^«»]+»", name)),
            name.replace(" ", "  "),
            *(_hard_forms(name) if self.language == "en" and family and not _is_weak(name) else ()),
        ]
        return self._titled(self._dice.choice(forms))

    def _titled(self, form: str) -> str:
        return f"{_TITLES[self.language]} {form}" if _is_weak(form) else form

    def _stranger(self) -> str:
        """Somebody whom the CRM does not know; now and then again whom this conversation has named."""
        if self._town.strangers and self._dice.random() < 0.4:
            return self._dice.choice(self._town.strangers)
        given = words.pool(self._dice.choice(("given_strangers_women", "given_strangers_men")))
        name = f"«{self._dice.choice(given)}» «{self._dice.choice(words.pool('surnames_strangers'))}»"
        self._town.strangers.append(name)
        return name

    def _value(self) -> str:
        """A phone, e-mail or id in any style; of somebody, or of nobody as a detector can tell it."""
        person = self._town.contacts.get(self._contact(), {})
        borne = [person[key] for key in ("phone", "email", "national_id") if person.get(key)]
        if not borne:
            sort, style = self._dice.choice((("phone", "e164"), ("person", "dotted")))
            return f"«{sort}:{self._dice.choice(self._town.shop.countries)}:{500 + self._dice.randrange(9)}|{style}»"
        written: str = self._dice.choice(borne)
        kind = re.match(r"«(phone|person):([A-Z]+):", written)
        styles = [style for style in STYLES[kind[1], kind[2]] if style not in _CUED] if kind else []
        return re.sub(r"\|\w+»", f"|{self._dice.choice(styles)}»", written) if kind else written

    # --- what happens between questions ----------------------------------------------------------------------------------------------

    def _between(self) -> Iterator[Step]:
        if self._dice.random() < 0.15:
            yield Restart()
        for _ in range(self._dice.choice((0, 0, 0, 1, 1, 2))):
            yield self._dice.choice((self._rename, self._rename, self._delete, self._merge, self._message, self._message, self._move, self._add))()

    def _somebody_known(self) -> int:
        here = [number for number in self._known if number in self._town.contacts]
        return self._dice.choice(here or [*self._town.contacts])

    def _rename(self) -> Change:
        if self._dice.random() < 0.15:
            return Change("UPDATE crm.contacts SET phone = $1 WHERE id = $2", (self._value(), self._somebody_known()))
        row = self._town.contacts[self._somebody_known()]
        self._town.former.setdefault(row["id"], []).append(row["name"])
        row["name"] = self._new_name()
        return Change("UPDATE crm.contacts SET name = $1 WHERE id = $2", (row["name"], row["id"]))

    def _new_name(self) -> str:
        """A name of given names and surnames that others may bear as well, or of a stranger."""
        if self._dice.random() < 0.3:
            return self._stranger()
        rows = [*self._town.contacts.values()]
        given = self._dice.choice(rows)["name"].partition(" ")[0]
        family = self._dice.choice(rows)["name"].partition(" ")[2]
        return f"{given} {family}".strip()

    def _delete(self) -> Change:
        number = self._somebody_known()
        self._gone(number)
        return Change("DELETE FROM crm.contacts WHERE id = $1", (number,))

    def _merge(self) -> Change:
        number = self._somebody_known()
        into = self._dice.choice([other for other in self._town.contacts if other != number])
        self._town.former.setdefault(into, []).append(self._town.contacts[number]["name"])
        self._gone(number)
        return Change("SELECT crm.merge_contacts($1, $2)", (number, into))

    def _gone(self, number: int) -> None:
        row = self._town.contacts.pop(number)
        self._town.former.setdefault(number, []).append(row["name"])

    def _message(self, text: str | None = None) -> Change:
        text = text or self._filled(self._dice.choice(MESSAGES[self.language]))[0]
        conversations = self._conversations_of(self._somebody_known()) or self._town.conversations
        return Change(
            "INSERT INTO crm.messages (tenant_id, id, conversation_id, body, created_at) VALUES ($1, $2, $3, $4, $5)",
            (self._town.shop.tenant_id, next(self._numbers), self._dice.choice(conversations), text, NOW),
        )

    def _conversations_of(self, contact: int) -> list[int]:
        return [row["id"] for row in self._town.rows("conversations") if row["contact_id"] == contact]

    def _move(self) -> Change:
        inbox = self._dice.randint(1, len(self._town.shop.inboxes))
        return Change("UPDATE crm.conversations SET inbox_id = $1 WHERE contact_id = $2", (inbox, self._somebody_known()))

    def _add(self, name: str | None = None) -> Change:
        """A contact comes who bears the name of somebody unknown before."""
        number, name = next(self._numbers), name or self._stranger()
        self._town.contacts[number] = {"id": number, "name": name, "phone": None, "email": None, "national_id": None, "aliases": []}
        self._known.append(number)
        return Change(
            "INSERT INTO crm.contacts (tenant_id, id, name, created_at) VALUES ($1, $2, $3, $4)",
            (self._town.shop.tenant_id, number, name, NOW),
        )


def _hard_forms(name: str) -> Sequence[str]:
    """What the tenant of Spain and the US also writes: possessives, handles, file names, nicknames."""
    snake, camel = ("_".join(re.findall("«[^«»]+»", styled(name, "plain"))), "".join(re.findall("«[^«»]+»", name)))
    first = re.sub("[«»]", "", name.partition(" ")[0])
    nicknamed = [name.replace(f"«{first}»", f"«{first}|nick»", 1)] if first in words.nicknames() else []
    return (f"{name}'s", f"@{snake}", f"contrato_{camel}_v2.pdf", *nicknamed * 3)


def _is_weak(form: str) -> bool:
    """Whether a form is one common or short word: all that may be said of a word without knowing which it is."""
    parts = [words.plain(part) for part in re.findall(r"[^\W\d_]+", re.sub(r"\|\w+»", "»", form))]
    names = [part for part in parts if part not in lexicon.PARTICLES]
    return len(names) < 2 and all(len(part) < 3 or lexicon.is_common(part) for part in names)
