"""One small CRM in every preset's own tables, and what happens in a CRM, said the same way for all of them.

The people are those of ``tests.house`` (see there) in tenant 1, and its neighbours in tenant 2; besides them one of every other thing: the
label "Mayorista" on María López and on her conversation, a note about her by Bruno, the campaign "Vuelta a clases" and a deal of hers.
"""

from __future__ import annotations

from typing import Protocol

import asyncpg

from db.migrate import migrate
from db.pool import Connection, Database
from db.roles import logins
from tests import house


class World(Protocol):
    """A CRM that somebody works in. People, inboxes and conversations are named by the names of people and inboxes."""

    preset: str

    async def build(self, dsn: str) -> None:
        """Make the CRM in an empty database, and Velo's schemas over it; ``dsn`` is the administrator's, here and everywhere."""

    async def add(
        self, dsn: str, name: str, *, tenant: int = 1, phone: str | None = None, email: str | None = None, national_id: str | None = None
    ) -> None:
        """A new person without a conversation."""

    async def call(self, dsn: str, name: str, now: str, *, tenant: int = 1) -> None:
        """The person is called something else now."""

    async def reach(self, dsn: str, name: str, phone: str, *, tenant: int = 1) -> None:
        """The person's only phone is another one now."""

    async def remove(self, dsn: str, name: str, *, tenant: int = 1) -> None:
        """The person is deleted."""

    async def merge(self, dsn: str, name: str, into: str, *, tenant: int = 1) -> None:
        """Two people are one, who keeps the name of ``into``."""

    async def say(self, dsn: str, name: str, text: str, *, inbox: str | None, tenant: int = 1) -> None:
        """The person writes, in a conversation of this inbox that may be new."""

    async def suspend(self, dsn: str, name: str, *, tenant: int = 1) -> None:
        """The member may no longer work here."""


class Demo:
    """The demo CRM, whose tables are Velo's own."""

    preset = "demo"

    async def build(self, dsn: str) -> None:
        await migrate(dsn, preset="demo")
        owner = await Database.open(logins(dsn).owner)
        await house.fill(owner)
        async with owner.tenant(1) as connection:
            await _besides(connection)
        await owner.close()

    async def add(
        self, dsn: str, name: str, *, tenant: int = 1, phone: str | None = None, email: str | None = None, national_id: str | None = None
    ) -> None:
        statement = "INSERT INTO crm.contacts (tenant_id, id, name, phone, email, national_id) SELECT $1, max(id) + 1, $2, $3, $4, $5 FROM crm.contacts"
        await run(dsn, statement, tenant, name, phone, email, national_id)

    async def call(self, dsn: str, name: str, now: str, *, tenant: int = 1) -> None:
        await run(dsn, "UPDATE crm.contacts SET name = $3 WHERE tenant_id = $1 AND name = $2", tenant, name, now)

    async def reach(self, dsn: str, name: str, phone: str, *, tenant: int = 1) -> None:
        await run(dsn, "UPDATE crm.contacts SET phone = $3 WHERE tenant_id = $1 AND name = $2", tenant, name, phone)

    async def remove(self, dsn: str, name: str, *, tenant: int = 1) -> None:
        await run(dsn, "DELETE FROM crm.contacts WHERE tenant_id = $1 AND name = $2", tenant, name)

    async def merge(self, dsn: str, name: str, into: str, *, tenant: int = 1) -> None:
        of = "(SELECT id FROM crm.contacts WHERE tenant_id = {tenant} AND name = ${place})"
        statement = f"SELECT crm.merge_contacts({of.format(tenant=tenant, place=1)}, {of.format(tenant=tenant, place=2)})"
        await run(dsn, statement, name, into, tenant=tenant)

    async def say(self, dsn: str, name: str, text: str, *, inbox: str | None, tenant: int = 1) -> None:
        statement = (
            "WITH told AS (INSERT INTO crm.conversations (tenant_id, id, contact_id, inbox_id) SELECT $1, 10000 + (SELECT count(*) FROM crm.conversations),"
            " c.id, (SELECT id FROM crm.inboxes WHERE tenant_id = $1 AND name = $4) FROM crm.contacts c WHERE c.tenant_id = $1 AND c.name = $2"
            " RETURNING id) INSERT INTO crm.messages (tenant_id, id, conversation_id, body) SELECT $1, 20000 + id, id, $3 FROM told"
        )
        await run(dsn, statement, tenant, name, text, inbox)

    async def suspend(self, dsn: str, name: str, *, tenant: int = 1) -> None:
        await run(dsn, "UPDATE crm.members SET active = false WHERE tenant_id = $1 AND name = $2", tenant, name)


async def _besides(connection: Connection) -> None:
    for statement in (
        "INSERT INTO crm.labels (tenant_id, id, name) VALUES (1, 1, 'Mayorista')",
        "INSERT INTO crm.contact_labels (tenant_id, contact_id, label_id) VALUES (1, 1, 1)",
        "INSERT INTO crm.conversation_labels (tenant_id, conversation_id, label_id) VALUES (1, 100, 1)",
        "INSERT INTO crm.notes (tenant_id, id, contact_id, author_id, body) VALUES (1, 1, 1, 2, 'Paga siempre a tiempo')",
        "INSERT INTO crm.campaigns (tenant_id, id, name, channel, state) VALUES (1, 1, 'Vuelta a clases', 'email', 'running')",
        "INSERT INTO crm.deals (tenant_id, id, contact_id, owner_id, title, amount, currency) VALUES (1, 1, 1, 2, 'Cien cuadernos', 129.90, 'CLP')",
    ):
        await connection.execute(statement)


async def run(dsn: str, statement: str, *arguments: object, tenant: int | None = None) -> None:
    """One statement of the CRM's own people, who see every tenant."""
    connection = await asyncpg.connect(dsn)
    try:
        async with connection.transaction():
            if tenant is not None:
                await connection.execute(f"SET LOCAL velo.tenant_id = '{tenant}'")
            await connection.execute(statement, *arguments)
    finally:
        await connection.close()
