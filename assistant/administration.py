"""What is done to the database in the owner's name: demo data, tenants, members, who may sign tokens."""

import importlib
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from assistant.settings import Settings
from db import embedded
from db.pool import Database
from db.queries import load
from db.roles import logins


@dataclass(frozen=True, slots=True)
class Seeds:
    """What the invented CRM is made from: two people seeds over one structure seed are twins."""

    contacts: int = 80
    structure: int = 1
    people: int = 0
    now: datetime | None = None  # the moment before which everything lies; the preset's own, unless given


@dataclass(frozen=True, slots=True)
class NewMember:
    """A member to be added."""

    name: str
    email: str | None
    role: str
    inboxes: Sequence[int]


@dataclass(frozen=True, slots=True)
class Tenant:
    """A tenant and those who can sign in: id and role, those first who see everything."""

    id: int
    name: str
    members: Sequence[tuple[int, str]]


def admin_dsn(settings: Settings) -> str:
    """The administrator's DSN; without ``DATABASE_URL`` the embedded server is started: main thread only."""
    if settings.database_url is not None:
        return settings.database_url.get_secret_value()
    return embedded.start(settings.data_dir).dsn


@asynccontextmanager
async def owned(dsn: str) -> AsyncIterator[Database]:
    """The database as its owner; ``dsn`` is the administrator's."""
    owner = await Database.open(logins(dsn).owner, max_size=2)
    try:
        yield owner
    finally:
        await owner.close()


async def seed(owner: Database, preset: str, seeds: Seeds) -> Mapping[str, Any] | None:
    """Fills the CRM with invented people and gives their renaming; ``None`` when they were there already."""
    module = importlib.import_module(f"db.crm.{preset}.seed")
    moment = {} if seeds.now is None else {"now": seeds.now}
    async with owner.plain() as connection:
        renaming = await module.seed(connection, contacts=seeds.contacts, structure_seed=seeds.structure, people_seed=seeds.people, **moment)
    return {"words": renaming["words"], "identifiers": renaming["identifiers"]} if renaming["fresh"] else None


async def tenant_ids(owner: Database) -> list[int]:
    """The ids of all tenants."""
    async with owner.plain(read_only=True) as connection:
        return [row["tenant_id"] for row in await connection.fetch(_queries()["tenants"])]


async def tenants(owner: Database) -> list[Tenant]:
    """All tenants, with those who can sign in."""
    found = []
    for tenant_id in await tenant_ids(owner):
        async with owner.tenant(tenant_id, read_only=True) as connection:
            name = await connection.fetchval(_queries()["name_of_tenant"], tenant_id)
            rows = await connection.fetch(_queries()["members_to_sign_in_as"], tenant_id)
        found.append(Tenant(tenant_id, name, [(row["id"], row["role"]) for row in rows]))
    return found


async def trust(owner: Database, tenant_id: int, issuer: str) -> None:
    """Lets an issuer sign a tenant's tokens."""
    async with owner.tenant(tenant_id) as connection:
        await connection.execute(_queries()["trusted_issuer"], tenant_id, issuer)


async def add_tenant(owner: Database, name: str, settings: Mapping[str, Any], issuer: str) -> int:
    """Adds a tenant and gives its id."""
    async with owner.plain(read_only=True) as connection:
        tenant_id: int = await connection.fetchval(_queries()["next_tenant_id"])
    async with owner.tenant(tenant_id) as connection:
        await connection.execute(_queries()["new_tenant"], tenant_id, name, settings)
        await connection.execute(_queries()["trusted_issuer"], tenant_id, issuer)
    return tenant_id


async def add_member(owner: Database, tenant_id: int, member: NewMember) -> int:
    """Adds a member to the demo CRM and gives their id."""
    async with owner.tenant(tenant_id) as connection:
        member_id: int = await connection.fetchval(_queries()["new_member"], tenant_id, member.name, member.email, member.role)
        for inbox in member.inboxes:
            await connection.execute(_queries()["new_inbox_member"], tenant_id, inbox, member_id)
    return member_id


def _queries() -> Mapping[str, str]:
    return load("assistant", "administration")
