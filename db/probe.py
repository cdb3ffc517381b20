"""Looks, before Velo serves anybody, whether this database keeps the application role inside one tenant.

Two ways, since each misses something: the catalogue (an empty table without its fence shows no row yet), and
reading (a view may look right and be owned by somebody above row-level security).
"""

from __future__ import annotations

from collections.abc import Sequence

from db.errors import Forbidden, UnsafeDatabase
from db.pool import Connection, Database
from db.queries import load

#: A tenant that nobody is: every row seen in its name is somebody else's.
_NOBODY = 2**63 - 1

#: How many rows of a relation are looked at in the name of a tenant that has rows of its own.
_SAMPLE = 1000


async def check(app: Database) -> Sequence[str]:
    """Raises UnsafeDatabase with every reason; gives back what is weaker than it could be, to be logged."""
    queries = load("db", "probe")
    async with app.plain(read_only=True) as connection:
        reasons, remarks = await _privileges(connection)
        relations = await connection.fetch(queries["readable_relations"])
        sample = await connection.fetchrow(queries["sample_of_tenants"])
    tenants = sorted({tenant for tenant in (sample or {}).values() if tenant is not None})
    for row in relations:
        if row["fenced"]:
            reasons += await _leaks(app, row["relation"], tenants if row["tells_tenant"] else [])
        else:
            reasons.append(f"{row['relation']} has no forced row-level security")
    if reasons:
        raise UnsafeDatabase(reasons)
    return remarks


async def _privileges(connection: Connection) -> tuple[list[str], list[str]]:
    """What the role may do that it must not, and what it had better not."""
    queries = load("db", "probe")
    reasons = []
    for row in await connection.fetch(queries["powers_of_this_role"]):
        power = "superuser" if row["superuser"] else "BYPASSRLS" if row["bypasses"] else "an owner"
        reasons.append(f"the application role is, or may become, {row['role']}, which is {power}")
    for row in await connection.fetch(queries["relations_of_this_role"]):
        reasons.append(f"the application role owns {row['relation']}")
    for row in await connection.fetch(queries["relations_past_the_views"]):
        reasons.append(f"{row['relation']} can be used past the views of crm: revoke it from velo_app and from PUBLIC")
    for row in await connection.fetch(queries["definer_functions_above_the_fence"]):
        reasons.append(f"{row['function']} runs above row-level security for whoever calls it")
    open_door = await connection.fetchval(queries["may_set_config"])
    return reasons, ["set_config can be called: revoke it from PUBLIC as superuser"] if open_door else []


async def _leaks(app: Database, relation: str, tenants: Sequence[int]) -> Sequence[str]:
    """What reading this relation without a tenant, as nobody and as tenants that exist shows of others."""
    # The names come quoted from the catalogue; nothing of a person is in these statements.
    any_row = f"SELECT EXISTS (SELECT FROM {relation})"  # noqa: S608
    foreign = f"SELECT EXISTS (SELECT FROM (SELECT tenant_id FROM {relation} LIMIT {_SAMPLE}) s WHERE tenant_id <> $1)"  # noqa: S608
    found = []
    try:
        async with app.plain(read_only=True) as connection:
            if await connection.fetchval(any_row):
                found.append(f"{relation} shows rows without a tenant")
        async with app.tenant(_NOBODY, read_only=True) as connection:
            if await connection.fetchval(any_row):
                found.append(f"{relation} shows rows to a tenant that does not exist")
        for tenant in tenants:
            async with app.tenant(tenant, read_only=True) as connection:
                if await connection.fetchval(foreign, tenant):
                    found.append(f"{relation} shows rows of other tenants to tenant {tenant}")
    except Forbidden:
        # A view that may be read over tables that may not: nothing comes out.
        return found
    return found
