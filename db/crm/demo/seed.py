"""Fills a database with the three shops of the demo.

Two people seeds over one structure seed are twins: they differ by a renaming alone.
"""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from db.crm.demo.casting import Cast, Renaming, renaming
from db.crm.demo.shops import SHOPS
from db.crm.demo.world import World, build
from db.pool import Connection
from db.queries import load

__all__ = ["NOW", "Renaming", "seed"]

#: The moment at which the demo is told: all its times lie before it.
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
#: Contacts of each shop, unless more are asked for.
CONTACTS = 80

_SQL = load(__package__, "seed")
#: Rows that one statement brings: enough to be quick, not so many that one parameter grows without bound.
_BATCH = 5000
#: In the order in which foreign keys allow.
_TABLES = (
    "members",
    "companies",
    "contacts",
    "inboxes",
    "inbox_members",
    "conversations",
    "messages",
    "labels",
    "contact_labels",
    "conversation_labels",
    "notes",
    "campaigns",
    "deals",
)


async def seed(
    connection: Connection,
    *,
    contacts: int | None = None,
    structure_seed: int = 1,
    people_seed: int = 0,
    now: datetime = NOW,
) -> Renaming:
    """Writes all shops and says how their people are named compared with people seed 0, the named demo.

    Needs velo_owner's connection inside a transaction, and leaves it without a tenant. Where one of the tenants
    exists already, nothing is written and the renaming is not `fresh`.
    """
    for shop in SHOPS:
        await _enter(connection, shop.tenant_id)
        if await connection.fetchval(_SQL["tenant_exists"], shop.tenant_id):
            return Renaming(words={}, identifiers={}, fresh=False)
    worlds = [build(shop, contacts=contacts or CONTACTS, structure_seed=structure_seed, now=now) for shop in SHOPS]
    cast = Cast(people_seed)
    for world in worlds:
        await _write(connection, world, cast, now)
    await connection.execute("SET LOCAL velo.tenant_id = ''")
    rows = [row for world in worlds for table in world.tables.values() for row in table]
    return renaming(rows, before=cast if people_seed == 0 else Cast(0), after=cast)


async def _write(connection: Connection, world: World, cast: Cast, now: datetime) -> None:
    shop = world.shop
    await _enter(connection, shop.tenant_id)
    await connection.execute(_SQL["add_tenant"], shop.tenant_id, shop.name, json.dumps(shop.settings), now)
    await connection.execute(_SQL["add_issuer"], shop.tenant_id)
    await connection.execute(_SQL["move_sequence"], "velo.tenants", "tenant_id", shop.tenant_id)
    for table in _TABLES:
        rows = [cast.row(row) for row in world.tables[table]]
        for start in range(0, len(rows), _BATCH):
            await connection.execute(_SQL[f"add_{table}"], _as_json(rows[start : start + _BATCH]))
        if "id" in rows[0]:
            await connection.execute(_SQL["move_sequence"], f"crm.{table}", "id", max(row["id"] for row in rows))


async def _enter(connection: Connection, tenant_id: int) -> None:
    await connection.execute(f"SET LOCAL velo.tenant_id = '{tenant_id:d}'")


def _as_json(rows: Sequence[dict[str, Any]]) -> str:
    return json.dumps(rows, ensure_ascii=False)
