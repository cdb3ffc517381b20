"""The names that the pages show: of the demo's own people, who may be chosen to sign in, and of whoever is signed in."""

from dataclasses import dataclass

from db.pool import Database
from db.queries import load
from tools.permissions import Actor

SQL = load("assistant.web", "members")


@dataclass(frozen=True, slots=True)
class Member:
    """One of the demo's people."""

    id: int
    name: str
    role: str


@dataclass(frozen=True, slots=True)
class Team:
    """A tenant of the demo with those who may sign in, those first who see everything."""

    tenant_id: int
    name: str
    members: tuple[Member, ...]


async def teams(database: Database) -> list[Team]:
    """Everybody of every tenant: for the demo alone, where all of them are invented."""
    async with database.plain(read_only=True) as connection:
        tenants = [row["tenant_id"] for row in await connection.fetch(SQL["tenants"])]
    found = []
    for tenant in tenants:
        async with database.tenant(tenant, read_only=True) as connection:
            name = await connection.fetchval(SQL["name_of_tenant"], tenant)
            rows = await connection.fetch(SQL["members_to_sign_in_as"], tenant)
        found.append(Team(tenant, name, tuple(Member(row["id"], row["name"], row["role"]) for row in rows)))
    return found


async def name_of(database: Database, actor: Actor) -> str:
    """How the signed-in member is called."""
    async with database.tenant(actor.tenant_id, read_only=True) as connection:
        return await connection.fetchval(SQL["name_of_member"], actor.tenant_id, actor.member_id) or ""
