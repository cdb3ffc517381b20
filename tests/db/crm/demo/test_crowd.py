"""A crowd that is loaded in bulk is what the same rows would be one by one, and a cast renames it as it renames everybody."""

from __future__ import annotations

import json

import pytest

from db.crm.demo.crowd import COLUMNS
from db.crm.demo.seed import CONTACTS, MANY, STORIED, shares
from db.crm.demo.shops import SHOPS
from db.pool import Connection, Database
from db.queries import load
from db.roles import logins
from tests.conftest import CloneDatabase
from tests.db.crm.demo.test_twins import dump, in_order, renamed
from tests.seeding import seed_demo

_SEED = load("db.crm.demo", "seed")
#: What the demo is written with, one statement a table; triggers learn the rest.
_WRITTEN = tuple(name.removeprefix("add_") for name in _SEED if name.startswith("add_") and name not in ("add_tenant", "add_issuer"))


async def rows_of(connection: Connection, table: str) -> list[dict[str, object]]:
    return [json.loads(row["row"]) for row in await connection.fetch(f"SELECT to_jsonb(t)::text AS row FROM crm.{table} t ORDER BY to_jsonb(t)::text")]


async def test_two_thousand_contacts_by_copy_are_what_they_would_be_by_triggers(
    owner_dsn: str, owner: Database, template: str, clone_database: CloneDatabase
) -> None:
    await seed_demo(owner_dsn, contacts=2_000, tenants=1)
    other = await Database.open(logins(await clone_database(template)).owner)
    async with owner.tenant(1) as copied, other.tenant(1) as written:
        for table in _WRITTEN:
            await written.execute(_SEED[f"add_{table}"], json.dumps(await rows_of(copied, table)))
        assert await copied.fetchval("SELECT count(*) FROM crm.contacts") == 2_000
        for table in (*_WRITTEN, "name_forms", "value_forms"):
            assert await rows_of(copied, table) == await rows_of(written, table), table
    await other.close()


async def test_a_crowd_has_rows_in_every_table_and_ids_that_go_on(owner_dsn: str, owner: Database) -> None:
    await seed_demo(owner_dsn, contacts=STORIED + 1, tenants=1)
    async with owner.tenant(1) as connection:
        for table in COLUMNS:
            column = {"name_forms": "entity_id", "value_forms": "entity_id", "contact_labels": "contact_id", "contacts": "id"}.get(table, "contact_id")
            if table != "messages":
                assert await connection.fetchval(f"SELECT count(*) FROM crm.{table} WHERE {column} > $1", CONTACTS) > 0, table
        added = await connection.fetchval("INSERT INTO crm.contacts (tenant_id, name) VALUES (1, 'Zoraida Quimey') RETURNING id")
        assert added == STORIED + 2
        assert await connection.fetchval("SELECT count(*) FROM crm.name_forms WHERE entity_id = $1", added) == 3  # triggers learn again


async def test_many_contacts_have_never_written_and_few_have_written_often(owner_dsn: str, owner: Database) -> None:
    await seed_demo(owner_dsn, contacts=2_000, tenants=1)
    async with owner.tenant(1) as connection:
        rows = await connection.fetch(
            "SELECT count(v.id) AS written FROM crm.contacts c LEFT JOIN crm.conversations v ON v.tenant_id = c.tenant_id AND v.contact_id = c.id"
            " WHERE c.id > $1 GROUP BY c.id",
            CONTACTS,
        )
    written = [row["written"] for row in rows]
    assert 0.35 < written.count(0) / len(written) < 0.55
    assert 0.02 < sum(number > 3 for number in written) / len(written) < 0.1


async def test_crowds_are_twins_as_well(template: str, clone_database: CloneDatabase) -> None:
    named, cast = [logins(await clone_database(template)).owner for _ in range(2)]
    await seed_demo(named, contacts=STORIED + 1, tenants=1)
    renaming = await seed_demo(cast, contacts=STORIED + 1, tenants=1, people_seed=1)
    before, after = await dump(named), await dump(cast)
    assert before != after
    assert in_order(renamed(before, renaming)) == in_order(after)


async def test_tenants_share_the_contacts(owner_dsn: str, owner: Database) -> None:
    await seed_demo(owner_dsn, contacts=STORIED + 450, tenants=5)
    counts, names = [], []
    for tenant in range(1, 6):
        async with owner.tenant(tenant) as connection:
            counts.append(await connection.fetchval("SELECT count(*) FROM crm.contacts"))
            names.append(await connection.fetchval("SELECT name FROM velo.tenants"))
    assert counts == [290] * 5
    assert names == [*(shop.name for shop in SHOPS), f"{SHOPS[0].name} 4", f"{SHOPS[1].name} 5"]


@pytest.mark.parametrize(
    ("contacts", "tenants", "shared"),
    [
        (None, None, [80] * 3),
        (MANY - 1, None, [MANY - 1] * 3),
        (MANY, None, [MANY // 50] * 50),
        (1_000_000, None, [20_000] * 50),
        (100_000, 1, [100_000]),
        (101, 2, [51, 50]),
        (None, 4, [80] * 4),
    ],
)
def test_contacts_are_those_of_each_shop_or_many_are_shared(contacts: int | None, tenants: int | None, shared: list[int]) -> None:
    assert [size for _, size in shares(contacts, tenants)] == shared


async def test_a_tenant_with_fewer_contacts_than_the_demo_names_is_refused(owner_dsn: str) -> None:
    with pytest.raises(ValueError, match="contacts at least"):
        await seed_demo(owner_dsn, contacts=100, tenants=50)
