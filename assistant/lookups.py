"""What a turn asks the CRM for its member: who bears names and values, and what may be shown of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from db.pool import Connection
from db.queries import load
from veil import resolve
from veil.bearers import Bearer, Index
from veil.scrub import Sort
from veil.tokens import Entity
from veil.unveiling import Cards


@dataclass(frozen=True, slots=True)
class Lookups:
    """The resolver, bound to one member of one tenant.

    ``freshens`` says that the CRM tells nobody of its changes; then the transactions of ``freshen`` must not be read-only.
    """

    tenant: int
    member: int
    freshens: bool = False

    async def freshen(self, connection: Connection) -> None:
        """Learn the names and values that came into the CRM since the last look, before they are masked by."""
        if self.freshens:
            await connection.execute(load("assistant", "lookups")["freshen"], self.tenant)

    async def names(self, connection: Connection, forms: Iterable[str]) -> Index:
        """Who in the whole tenant bears these forms."""
        return await resolve.names(connection, tenant=self.tenant, member=self.member, forms=forms)

    async def similar(self, connection: Connection, words: Iterable[str]) -> Index:
        """Who bears a form that each of these words may be a misspelling of."""
        return await resolve.similar(connection, tenant=self.tenant, member=self.member, words=words)

    async def values(self, connection: Connection, wanted: Iterable[tuple[Sort, str]]) -> Mapping[str, tuple[Bearer, ...]]:
        """Who in the whole tenant bears these phones, e-mails and ids."""
        return await resolve.values(connection, tenant=self.tenant, member=self.member, wanted=wanted)

    async def cards(self, connection: Connection, entities: Iterable[Entity]) -> Cards:
        """What the member may see now of these entities."""
        return await resolve.cards(connection, tenant=self.tenant, member=self.member, entities=entities)

    async def latest(self, connection: Connection, candidates: Sequence[Entity], *, most: int) -> tuple[Entity, ...]:
        """Of several bearers of one name those last in contact, in order of id."""
        details = await resolve.details(connection, tenant=self.tenant, member=self.member, entities=dict.fromkeys(candidates))

        def lateness(entity: Entity) -> tuple[float, int]:
            last = details[entity].last_contact
            return (-last.timestamp() if last else 0.0, entity.id)

        return tuple(sorted(sorted(details, key=lateness)[:most], key=lambda entity: (entity.kind, entity.id)))
