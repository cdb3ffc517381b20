"""What is done to the database in the owner's name: demo data, tenants, members, who may sign tokens."""

import asyncio
import importlib
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from assistant.errors import SettingsError
from assistant.settings import Settings, tenant_settings
from db import embedded
from db.crm import PRESETS
from db.errors import Conflict, Refused
from db.pool import Database
from db.queries import load
from db.roles import logins

#: Contacts that a tenant of the demo has at least: those whom its stories name, and a few more.
FEWEST_CONTACTS = 40

#: What ``crm.open_account`` says no with.
_ACCOUNTS: Mapping[str, str] = {
    "VL004": "the CRM has no such account: check --account",
    "VL005": "this account belongs to another tenant already: `velo tenant list` shows them",
}


@dataclass(frozen=True, slots=True)
class Seeds:
    """What the invented CRM is made from: two people seeds over one structure seed are twins."""

    contacts: int | None = None  # of each tenant; with ``tenants``, of all together
    structure: int = 1
    people: int = 0
    tenants: int | None = None
    now: datetime | None = None  # the moment before which everything lies; the preset's own, unless given


@dataclass(frozen=True, slots=True)
class NewTenant:
    """A tenant to be added; ``account`` is its key in a CRM that has accounts of its own."""

    name: str
    settings: Mapping[str, Any]
    issuer: str
    account: str | None = None


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


def embedded_server(settings: Settings) -> embedded.Server | None:
    """The embedded server, running: main thread only; ``None`` with ``DATABASE_URL``."""
    return embedded.start(settings.data_dir) if settings.database_url is None else None


def admin_dsn(settings: Settings, server: embedded.Server | None = None) -> str:
    """The administrator's DSN; without ``DATABASE_URL`` the embedded server's, which is started unless it is given: main thread only."""
    if settings.database_url is not None:
        return settings.database_url.get_secret_value()
    return (server or embedded.start(settings.data_dir)).dsn


@asynccontextmanager
async def kept(server: embedded.Server | None) -> AsyncIterator[None]:
    """While this lasts, an embedded server that dies is started again: main thread only."""
    if server is None:
        yield
        return
    keeper = asyncio.create_task(server.keep(), name="keeper of the embedded server")
    try:
        yield
    finally:
        keeper.cancel()
        with suppress(asyncio.CancelledError):
            await keeper


@asynccontextmanager
async def owned(dsn: str) -> AsyncIterator[Database]:
    """The database as its owner; ``dsn`` is the administrator's."""
    owner = await Database.open(logins(dsn).owner, max_size=2)
    try:
        yield owner
    finally:
        await owner.close()


async def seed(owner: Database, preset: str, seeds: Seeds) -> Mapping[str, Any] | None:
    """Fills the CRM with invented people and gives their renaming; ``None`` when they were there already.

    Raises ``SettingsError`` for a CRM that is somebody else's.
    """
    if not PRESETS[preset].seed:
        raise SettingsError(f"VELO_CRM={preset} is a CRM of its own: it is never filled with invented people")
    module = importlib.import_module(f"db.crm.{preset}.seed")
    moment = {} if seeds.now is None else {"now": seeds.now}
    async with owner.plain() as connection:
        renaming = await module.seed(
            connection, contacts=seeds.contacts, tenants=seeds.tenants, structure_seed=seeds.structure, people_seed=seeds.people, **moment
        )
    return {"words": renaming["words"], "identifiers": renaming["identifiers"]} if renaming["fresh"] else None


async def tenant_ids(owner: Database) -> list[int]:
    """The ids of all tenants."""
    async with owner.plain(read_only=True) as connection:
        return [row["tenant_id"] for row in await connection.fetch(_queries()["tenants"])]


async def names_of_tenants(owner: Database) -> list[tuple[int, str]]:
    """The id and the name of every tenant."""
    found = []
    for tenant_id in await tenant_ids(owner):
        async with owner.tenant(tenant_id, read_only=True) as connection:
            found.append((tenant_id, await connection.fetchval(_queries()["name_of_tenant"], tenant_id)))
    return found


async def members(owner: Database, tenant_id: int) -> list[tuple[int, str]]:
    """The id and the role of every active member of a tenant, those first who see everything."""
    async with owner.tenant(tenant_id, read_only=True) as connection:
        return [(row["id"], row["role"]) for row in await connection.fetch(_queries()["members_to_sign_in_as"], tenant_id)]


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


async def add_tenant(owner: Database, preset: str, tenant: NewTenant) -> int:
    """Adds a tenant and gives its id; one of the same name and settings is given again, and its issuer is trusted as well.

    Raises ``SettingsError`` when the name is taken by a tenant with other settings, or the account does not fit the CRM.
    """
    if PRESETS[preset].accounts and tenant.account is None:
        raise SettingsError(f"VELO_CRM={preset} has accounts of its own: say with --account which one this tenant is")
    if tenant.account is not None and not PRESETS[preset].accounts:
        raise SettingsError(f"VELO_CRM={preset} has no accounts: leave --account out")
    for known in await tenant_ids(owner):
        async with owner.tenant(known) as connection:
            row = await connection.fetchrow(_queries()["tenant"], known)
            if row is not None and row["name"] == tenant.name:
                if tenant_settings(row["settings"]) != tenant_settings(tenant.settings):
                    raise SettingsError(f"tenant {known} has this name and other settings: choose another name")
                await connection.execute(_queries()["trusted_issuer"], known, tenant.issuer)
                return known
    return await _added(owner, tenant)


async def _added(owner: Database, tenant: NewTenant) -> int:
    async with owner.plain(read_only=True) as connection:
        tenant_id: int = await connection.fetchval(_queries()["next_tenant_id"])
    try:
        async with owner.tenant(tenant_id) as connection:
            await connection.execute(_queries()["new_tenant"], tenant_id, tenant.name, tenant.settings)
            await connection.execute(_queries()["trusted_issuer"], tenant_id, tenant.issuer)
            if tenant.account is not None:
                await connection.execute(_queries()["with_patience"])
                await connection.execute(_queries()["open_account"], tenant_id, tenant.account)
        return tenant_id
    except Conflict:
        problem = "another tenant was added at the same moment: run it again"
    except Refused as error:
        if error.sqlstate not in _ACCOUNTS:
            raise
        problem = _ACCOUNTS[error.sqlstate]
    raise SettingsError(problem)


async def add_member(owner: Database, preset: str, tenant_id: int, member: NewMember) -> int:
    """Adds a member to a CRM that Velo keeps itself and gives their id; one of the same name, e-mail and role is given again.

    Raises ``SettingsError`` when the CRM is somebody else's, and when there is no such tenant or inbox.
    """
    if not PRESETS[preset].writable:
        raise SettingsError(f"VELO_CRM={preset}: members of this CRM are added there; Velo reads them")
    if tenant_id not in await tenant_ids(owner):
        raise SettingsError(f"there is no tenant {tenant_id}: `velo tenant list` shows them")
    async with owner.tenant(tenant_id) as connection:
        inboxes = [row["id"] for row in await connection.fetch(_queries()["inboxes"], tenant_id)]
        if missing := sorted(set(member.inboxes) - set(inboxes)):
            there = f"it has {', '.join(map(str, inboxes))}" if inboxes else "it has none"
            raise SettingsError(f"tenant {tenant_id} has no inbox {missing[0]}: {there}")
        written = (tenant_id, member.name, member.email, member.role)
        known: int | None = await connection.fetchval(_queries()["member_like"], *written)
        member_id: int = known or await connection.fetchval(_queries()["new_member"], *written)
        for inbox in member.inboxes:
            await connection.execute(_queries()["new_inbox_member"], tenant_id, inbox, member_id)
    return member_id


def _queries() -> Mapping[str, str]:
    return load("assistant", "administration")
