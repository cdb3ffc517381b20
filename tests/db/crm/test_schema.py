"""What outside tests may rely on: fixed names, defaults, the fence. Keys are tested in test_catalogue."""

from __future__ import annotations

import pytest

from db.errors import DatabaseError
from db.pool import Database

FIXED = {
    "members": {"tenant_id", "id", "name", "email", "role"},
    "contacts": {"tenant_id", "id", "name", "phone", "email", "national_id"},
    "conversations": {"tenant_id", "id", "contact_id", "inbox_id", "assignee_id", "status"},
    "messages": {"tenant_id", "id", "conversation_id", "body"},
    "inbox_members": {"tenant_id", "inbox_id", "member_id"},
}


@pytest.mark.parametrize("table", FIXED)
async def test_every_column_without_a_fixed_name_can_be_left_out(demo: Database, table: str) -> None:
    async with demo.plain() as connection:
        rows = await connection.fetch(
            "SELECT attname FROM pg_attribute WHERE attrelid = ('crm.' || $1::text)::regclass AND attnum > 0"
            " AND attnotnull AND NOT atthasdef AND attidentity = ''",
            table,
        )
    assert {row["attname"] for row in rows} <= FIXED[table]


async def test_an_id_given_by_the_database_is_new_after_seeding(demo: Database) -> None:
    async with demo.tenant(1) as connection:
        new = await connection.fetchval("SELECT nextval(pg_get_serial_sequence('crm.contacts', 'id'))")
        assert new > await connection.fetchval("SELECT max(id) FROM crm.contacts")


async def test_a_row_of_another_tenant_cannot_be_written(owner: Database) -> None:
    with pytest.raises(DatabaseError):
        async with owner.tenant(1) as connection:
            await connection.execute("INSERT INTO crm.contacts (tenant_id, id, name) VALUES (2, 1, 'Ana')")


async def test_the_application_reads_and_does_not_write(database: Database) -> None:
    async with database.tenant(1) as connection:
        assert await connection.fetchval("SELECT count(*) FROM crm.contacts") == 0
    with pytest.raises(DatabaseError):
        async with database.tenant(1) as connection:
            await connection.execute("INSERT INTO crm.contacts (tenant_id, id, name) VALUES (1, 1, 'Ana')")


async def test_an_inbox_with_conversations_cannot_be_deleted(owner: Database) -> None:
    async with owner.tenant(1) as connection:
        await connection.execute("INSERT INTO crm.inboxes (tenant_id, id, name) VALUES (1, 1, 'Soporte')")
        await connection.execute("INSERT INTO crm.contacts (tenant_id, id, name) VALUES (1, 1, 'Ana')")
        await connection.execute("INSERT INTO crm.conversations (tenant_id, id, contact_id, inbox_id) VALUES (1, 1, 1, 1)")
    with pytest.raises(DatabaseError):
        async with owner.tenant(1) as connection:
            await connection.execute("DELETE FROM crm.inboxes")
