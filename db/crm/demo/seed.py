"""Fills a database with the three shops of the demo, or with as many shops and contacts as are asked for.

Two people seeds over one structure seed are twins: they differ by a renaming alone.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from db.crm.demo.casting import Cast, Renaming, renaming
from db.crm.demo.crowd import COLUMNS, NUMBERED, Crowd, Forms, marked_given, marked_surnames
from db.crm.demo.shops import SHOPS, Shop
from db.crm.demo.world import World, build
from db.pool import Connection, Loading
from db.queries import load

__all__ = ["NOW", "Renaming", "seed", "shares"]

#: The moment at which the demo is told: all its times lie before it.
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
#: Contacts of each shop, unless more are asked for.
CONTACTS = 80
#: Most contacts of a shop who all play in stories; where there are more, all but the first CONTACTS are a crowd.
STORIED = 1_000
#: So many contacts or more are those of all tenants together, of which there are so many unless told otherwise.
MANY, MANY_TENANTS = 10_000, 50

_SQL = load(__package__, "seed")
#: Rows that one statement brings: enough to be quick, not so many that one parameter grows without bound.
_BATCH = 5000
#: Contacts of a crowd that are held at once.
_CHUNK = 5_000
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
    connection: Loading,
    *,
    contacts: int | None = None,
    tenants: int | None = None,
    structure_seed: int = 1,
    people_seed: int = 0,
    now: datetime = NOW,
) -> Renaming:
    """Writes all shops and says how their people are named compared with people seed 0, the named demo.

    ``contacts`` are those of each of the three shops (80); with ``tenants`` those of all tenants together, which are shops like the three;
    from ten thousand on there are 50 tenants unless ``tenants`` says otherwise. More than a thousand contacts of a tenant
    are 80 and a crowd, which is written in bulk: a million takes some minutes.

    Needs velo_owner's connection inside a transaction, and leaves it without a tenant. Where one of the tenants
    exists already, nothing is written and the renaming is not `fresh`. Raises ``ValueError`` when a tenant would have too few contacts.
    """
    sizes = dict(shares(contacts, tenants))
    for shop in sizes:
        await _enter(connection, shop.tenant_id)
        if await connection.fetchval(_SQL["tenant_exists"], shop.tenant_id):
            return Renaming(words={}, identifiers={}, fresh=False)
    told = {shop: size if size <= STORIED else CONTACTS for shop, size in sizes.items()}
    worlds = [build(shop, contacts=size, structure_seed=structure_seed, now=now) for shop, size in told.items()]
    cast = Cast(people_seed)
    for world in worlds:
        await _write(connection, world, cast, now)
    crowded = [world for world in worlds if sizes[world.shop] > told[world.shop]]
    if crowded:
        forms = await _forms(connection, crowded, cast)
        await connection.execute(_SQL["begin_bulk"])
        for world in crowded:
            crowd = Crowd(world.shop, cast, forms, _start(world), structure_seed=structure_seed, now=now)
            await _load(connection, world.shop, crowd, sizes[world.shop] - told[world.shop])
        await connection.execute(_SQL["end_bulk"])
    await connection.execute("SET LOCAL velo.tenant_id = ''")
    rows = [row for world in worlds for table in world.tables.values() for row in table]
    rows += [{"name": " ".join(_names(world.shop))} for world in crowded]
    return renaming(rows, before=cast if people_seed == 0 else Cast(0), after=cast)


def shares(contacts: int | None, tenants: int | None) -> Iterator[tuple[Shop, int]]:
    """The shops that ``seed`` fills, and how many contacts each gets."""
    if tenants is None and (contacts or 0) >= MANY:
        tenants = MANY_TENANTS
    if tenants is None:
        yield from ((shop, contacts or CONTACTS) for shop in SHOPS)
        return
    share, rest = divmod(contacts or tenants * CONTACTS, tenants)
    for place in range(tenants):
        shop = SHOPS[place % len(SHOPS)]
        if place >= len(SHOPS):
            shop = replace(shop, tenant_id=place + 1, name=f"{shop.name} {place + 1}")
        yield shop, share + (place < rest)


def _names(shop: Shop) -> list[str]:
    return [*marked_given(shop), *marked_surnames(shop)]


async def _forms(connection: Connection, worlds: Sequence[World], cast: Cast) -> Forms:
    """How the CRM folds the words that the crowds' names are made of."""
    words = sorted({cast.text(word) for world in worlds for word in _names(world.shop)})
    rows = await connection.fetch(_SQL["forms_of_words"], words)
    return Forms({row["word"]: row["alone"] for row in rows}, {row["word"]: row["inside"] for row in rows})


def _start(world: World) -> dict[str, int]:
    """The first id of each table that is free."""
    return {table: 1 + max(row["id"] for row in world.tables[table]) for table in NUMBERED}


async def _load(connection: Loading, shop: Shop, crowd: Crowd, contacts: int) -> None:
    """COPY a crowd, a chunk at a time, into tables of the session and from there: row-level security lets nobody copy into the CRM itself."""
    await _enter(connection, shop.tenant_id)
    for chunk in crowd.chunks(contacts, _CHUNK):
        for table, columns in COLUMNS.items():
            await connection.copy_records_to_table(f"crowd_{table}", records=chunk[table], columns=columns)
        await connection.execute(_SQL["move_crowd"])
    for table in NUMBERED:
        await connection.execute(_SQL["move_sequence"], f"crm.{table}", "id", crowd.last(table))


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
