"""Conversations about two CRMs that are no twins: one thing about one contact breaks the structure, and the member asks about just that contact.

What then differs must be a declared signal (docs/privacy.md): how many candidates a mention has, whether it is a mention at all, a block.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from db.crm.demo import words
from db.crm.demo.casting import styled
from db.crm.demo.shops import CHILE
from tests.laws.conversations import Ask, Change, Conversation, Step, Town
from tests.model_endpoint import Scripted, calls
from tools.permissions import Actor, Role
from veil import lexicon
from veil.veiling import GROUP

_ADMIN = Actor(CHILE.tenant_id, 1, Role.ADMIN)
#: An agent of inbox 1 alone.
_AGENT = Actor(CHILE.tenant_id, 3, Role.AGENT)
_RENAME = "UPDATE crm.contacts SET name = $1 WHERE id = $2"
_WRONG_IDS = ("12.345.678-0", "11.111.111-2", "76.543.210-9")
#: Comes last, since whom a look-up brings into the thread breaks ties. An agent, whose lists a hidden contact leaves, does not ask.
_HOW_ALL_GOES = "¿Cómo va todo hoy?"
_ABOUT = ("qué sabes de {}", "Compara a {} con U-1", "¿Y {}, escribió el 3 de mayo?", "busca {} y dime qué debe")


@dataclass(frozen=True, slots=True)
class Broken:
    """The same script for both sides but for what is broken."""

    whole: Conversation
    broken: Conversation
    blocked: bool  # the broken side asks the member instead of the model
    said: tuple[str, ...]  # what the broken side may say in clear where the whole one has a mention


def answered(request: dict[str, Any]) -> Scripted:
    """A model that never speaks of anybody: two look-ups when an admin asks how all goes, else the same answer for ever."""
    if request["messages"][-1]["content"].endswith(_HOW_ALL_GOES):
        return calls(("find_conversations", {"skip": 20}), ("list_team", {}))
    return "Listo."


class _Breaker:
    """Breaks what there is to know of one contact."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._dice = Random(f"break {seed}")
        self._town = Town(CHILE, 1)

    def shared(self) -> Broken:
        """Another contact comes to bear the same first name."""
        return self._shared(self._dice.randint(1, GROUP - 1), blocked=False)

    def crowded(self) -> Broken:
        """So many come to bear it that the member is asked whom they mean."""
        return self._shared(GROUP + self._dice.randrange(2), blocked=True)

    def _shared(self, others: int, *, blocked: bool) -> Broken:
        person = self._somebody()
        first = person["name"].split()[0]
        named = self._dice.sample([row for row in self._town.contacts.values() if row is not person and row["id"] > 28], k=others)
        changes = [Change(_RENAME, (f"{first} {row['name'].partition(' ')[2]}", row["id"])) for row in named]
        return self._pair(first, first, changes, blocked=blocked)

    def common(self) -> Broken:
        """The name becomes a common word, which in lower case is no mention."""
        person = self._somebody()
        word = self._dice.choice(words.pool("given_common"))
        rename = Change(_RENAME, (f"«{word}»", person["id"]))
        return self._pair(styled(person["name"].split()[0], "lower"), f"«{word}|lower»", [rename], about="hoy {} no ha escrito")

    def invalid(self) -> Broken:
        """The identifier becomes one that nobody can have."""
        person = self._somebody(lambda row: bool(row["national_id"]))
        return self._pair(person["national_id"], self._dice.choice(_WRONG_IDS), [])

    def hidden(self) -> Broken:
        """The contact comes to be of another inbox, whose people the agent may not see."""
        mine = {row["contact_id"] for row in self._town.rows("conversations") if row["inbox_id"] == 1}
        others = {row["contact_id"] for row in self._town.rows("conversations") if row["inbox_id"] != 1}
        person = self._somebody(lambda row: row["id"] in mine - others)
        move = Change("UPDATE crm.conversations SET inbox_id = 2, assignee_id = NULL WHERE contact_id = $1", (person["id"],))
        return self._pair(person["name"], person["name"], [move], actor=_AGENT)

    def known(self) -> Broken:
        """Somebody whom the CRM did not know becomes a contact."""
        name = " ".join(f"«{self._dice.choice(words.pool(pool))}»" for pool in ("given_strangers_women", "surnames_strangers"))
        row = (CHILE.tenant_id, 9001, name)
        return self._pair(name, name, [Change("INSERT INTO crm.contacts (tenant_id, id, name) VALUES ($1, $2, $3)", row)])

    def _somebody(self, fits: Callable[[dict[str, Any]], bool] = lambda row: True) -> dict[str, Any]:
        """A contact whose first name is no common word and nobody else's."""
        everybody = [*self._town.contacts.values(), *self._town.members]
        firsts = [word for row in everybody for word in row["name"].split()]
        return self._dice.choice(
            [
                row
                for row in self._town.contacts.values()
                if firsts.count(first := row["name"].split()[0]) == 1 and not lexicon.is_common(words.plain(first.strip("«»"))) and fits(row)
            ]
        )

    def _pair(self, mention: str, broken: str, changes: Sequence[Change], *, blocked: bool = False, actor: Actor = _ADMIN, about: str = "") -> Broken:
        about = about or self._dice.choice(_ABOUT)
        before: list[Step] = [Ask("Hola")]
        after: list[Step] = [Ask("¿Algo más del pedido #45123?"), Ask(_HOW_ALL_GOES if actor.role is Role.ADMIN else "Gracias")]
        return Broken(
            Conversation(self._seed, actor, "es", (*before, Ask(about.format(mention)), *after)),
            Conversation(self._seed, actor, "es", (*changes, *before, Ask(about.format(broken)), *after)),
            blocked,
            (broken,),
        )


def broken(seed: int) -> Broken:
    """The pair of this seed; each way of breaking has its turn."""
    breaker = _Breaker(seed)
    ways = (breaker.shared, breaker.crowded, breaker.common, breaker.invalid, breaker.hidden, breaker.known)
    return ways[seed % len(ways)]()
