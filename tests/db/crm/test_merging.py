"""Merging contacts: the survivor bears the names and values of both."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from db.errors import DatabaseError
from db.pool import Connection, Database

ROWS = """
INSERT INTO crm.contacts (tenant_id, id, name, phone, email) VALUES
    (1, 1, 'María López', '+56961111111', 'maria@example.com'), (1, 2, 'María Soto', '+56962222222', NULL),
    (1, 3, 'Berta', NULL, NULL);
INSERT INTO crm.labels (tenant_id, id, name) VALUES (1, 1, 'VIP'), (1, 2, 'Mora');
INSERT INTO crm.contact_labels (tenant_id, contact_id, label_id) VALUES (1, 1, 1), (1, 1, 2), (1, 2, 1);
INSERT INTO crm.conversations (tenant_id, id, contact_id) VALUES (1, 1, 1);
INSERT INTO crm.messages (tenant_id, id, conversation_id, body) VALUES (1, 1, 1, 'hola');
INSERT INTO crm.notes (tenant_id, id, contact_id, body) VALUES (1, 1, 1, 'nota');
INSERT INTO crm.deals (tenant_id, id, contact_id) VALUES (1, 1, 1);
"""


@pytest.fixture
async def connection(owner: Database) -> AsyncIterator[Connection]:
    async with owner.tenant(1) as connection:
        for statement in filter(str.strip, ROWS.split(";")):
            await connection.execute(statement)
        yield connection


async def merge_by_hand(connection: Connection, source: int, into: int) -> None:
    """What an integration may do that does not know crm.merge_contacts."""
    await connection.execute("INSERT INTO crm.merged (tenant_id, kind, entity_id, into_id) VALUES (1, 'contact', $1, $2)", source, into)
    await connection.execute("DELETE FROM crm.contacts WHERE id = $1", source)


async def merged(connection: Connection) -> list[tuple[int, int]]:
    rows = await connection.fetch("SELECT entity_id, into_id FROM crm.merged ORDER BY entity_id")
    return [(row["entity_id"], row["into_id"]) for row in rows]


async def test_everything_moves_to_the_survivor(connection: Connection) -> None:
    await connection.execute("SELECT crm.merge_contacts(1, 2)")
    owners = await connection.fetchrow(
        "SELECT (SELECT contact_id FROM crm.conversations) AS a, (SELECT contact_id FROM crm.notes) AS b,"
        " (SELECT contact_id FROM crm.deals) AS c, (SELECT count(*) FROM crm.contact_labels WHERE contact_id = 2) AS d"
    )
    assert owners is not None
    assert tuple(owners.values()) == (2, 2, 2, 2)
    survivor = await connection.fetchrow("SELECT phone, email, last_contact_at IS NOT NULL AS known FROM crm.contacts WHERE id = 2")
    assert survivor is not None
    assert tuple(survivor.values()) == ("+56962222222", "maria@example.com", True)
    assert await connection.fetchval("SELECT count(*) FROM crm.contacts") == 2


async def test_the_survivor_bears_the_names_and_values_of_both(connection: Connection) -> None:
    await connection.execute("SELECT crm.merge_contacts(1, 2)")
    names = await connection.fetch("SELECT form, former FROM crm.name_forms WHERE kind = 'contact' AND entity_id = 2")
    assert {row["form"] for row in names if row["former"]} == {"maria lopez", "lopez"}
    assert {row["form"] for row in names if not row["former"]} == {"maria soto", "maria", "soto"}
    values = await connection.fetch("SELECT form FROM crm.value_forms WHERE kind = 'contact' AND entity_id = 2")
    assert {row["form"] for row in values} == {"+56961111111", "+56962222222", "maria@example.com"}
    assert await connection.fetchval("SELECT count(*) FROM crm.name_forms WHERE entity_id = 1") == 0


async def test_values_of_the_merged_outlive_a_change_of_the_survivor(connection: Connection) -> None:
    await connection.execute("SELECT crm.merge_contacts(1, 2)")
    await connection.execute("UPDATE crm.contacts SET phone = '+56963333333' WHERE id = 2")
    values = await connection.fetch("SELECT form FROM crm.value_forms WHERE value_kind = 'phone' AND entity_id = 2")
    assert {row["form"] for row in values} == {"+56961111111", "+56963333333"}


async def test_a_chain_of_merges_leads_to_the_last_survivor(connection: Connection) -> None:
    await connection.execute("SELECT crm.merge_contacts(1, 2)")
    await connection.execute("SELECT crm.merge_contacts(2, 3)")
    assert await merged(connection) == [(1, 3), (2, 3)]


async def test_a_merge_into_one_who_was_merged_goes_to_the_survivor(connection: Connection) -> None:
    await connection.execute("SELECT crm.merge_contacts(2, 3)")
    await connection.execute("SELECT crm.merge_contacts(1, 2)")
    assert await merged(connection) == [(1, 3), (2, 3)]
    assert await connection.fetchval("SELECT contact_id FROM crm.conversations") == 3


async def test_a_row_of_crm_merged_is_enough_for_the_survivor_to_bear_both(connection: Connection) -> None:
    await merge_by_hand(connection, 1, 2)
    names = await connection.fetch("SELECT form FROM crm.name_forms WHERE kind = 'contact' AND entity_id = 2 AND former")
    assert {row["form"] for row in names} == {"maria lopez", "lopez"}
    values = await connection.fetch("SELECT form FROM crm.value_forms WHERE kind = 'contact' AND entity_id = 2")
    assert {row["form"] for row in values} == {"+56961111111", "+56962222222", "maria@example.com"}
    assert await merged(connection) == [(1, 2)]


@pytest.mark.parametrize("pairs", [[(1, 2), (2, 3)], [(2, 3), (1, 2)]], ids=["the survivor later", "the survivor before"])
async def test_a_chain_by_hand_leads_to_the_last_survivor(connection: Connection, pairs: list[tuple[int, int]]) -> None:
    for source, into in pairs:
        await merge_by_hand(connection, source, into)
    assert await merged(connection) == [(1, 3), (2, 3)]
    names = await connection.fetch("SELECT form FROM crm.name_forms WHERE kind = 'contact' AND entity_id = 3")
    assert {row["form"] for row in names} == {"berta", "maria lopez", "maria soto", "maria", "lopez", "soto"}


async def test_a_chain_in_one_statement_leads_to_the_last_survivor(connection: Connection) -> None:
    await connection.execute("INSERT INTO crm.merged (tenant_id, kind, entity_id, into_id) VALUES (1, 'contact', 1, 2), (1, 'contact', 2, 3)")
    assert await merged(connection) == [(1, 3), (2, 3)]


async def test_a_merger_goes_with_its_survivor(connection: Connection) -> None:
    await merge_by_hand(connection, 1, 2)
    await connection.execute("DELETE FROM crm.contacts WHERE id = 2")
    assert await merged(connection) == []
    assert await connection.fetchval("SELECT count(*) FROM crm.name_forms WHERE entity_id IN (1, 2)") == 0


async def test_mergers_in_a_circle_are_refused(owner: Database) -> None:
    async with owner.tenant(1) as connection:
        await connection.execute("INSERT INTO crm.contacts (tenant_id, id, name) VALUES (1, 1, 'Ana'), (1, 2, 'Eva')")
    with pytest.raises(DatabaseError):
        async with owner.tenant(1) as connection:
            await connection.execute("INSERT INTO crm.merged (tenant_id, kind, entity_id, into_id) VALUES (1, 'contact', 1, 2), (1, 'contact', 2, 1)")


@pytest.mark.parametrize(("source", "into"), [(1, 1), (1, 99), (99, 1)], ids=["itself", "nobody", "from nobody"])
async def test_a_merge_that_cannot_be_is_refused(owner: Database, source: int, into: int) -> None:
    async with owner.tenant(1) as connection:
        await connection.execute("INSERT INTO crm.contacts (tenant_id, id, name) VALUES (1, 1, 'Ana')")
    with pytest.raises(DatabaseError):
        async with owner.tenant(1) as connection:
            await connection.execute("SELECT crm.merge_contacts($1, $2)", source, into)


async def test_a_contact_of_another_tenant_cannot_be_merged(owner: Database) -> None:
    for tenant in (1, 2):
        async with owner.tenant(tenant) as connection:
            await connection.execute("INSERT INTO crm.contacts (tenant_id, id, name) VALUES ($1, $1, 'Ana')", tenant)
    with pytest.raises(DatabaseError):
        async with owner.tenant(1) as connection:
            await connection.execute("SELECT crm.merge_contacts(1, 2)")
