"""What conversations and contacts know of their messages."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from db.pool import Connection, Database


@pytest.fixture
async def connection(owner: Database) -> AsyncIterator[Connection]:
    """Tenant 1 with one contact and one open conversation."""
    async with owner.tenant(1) as connection:
        await connection.execute("INSERT INTO crm.contacts (tenant_id, id, name) VALUES (1, 1, 'Ana')")
        await connection.execute("INSERT INTO crm.conversations (tenant_id, id, contact_id) VALUES (1, 1, 1)")
        yield connection


async def say(connection: Connection, author: str, hour: int, *, private: bool = False) -> None:
    await connection.execute(
        "INSERT INTO crm.messages (tenant_id, conversation_id, author_kind, private, body, created_at)"
        " VALUES (1, 1, $1, $2, 'x', '2026-01-01T00:00Z'::timestamptz + make_interval(hours => $3))",
        author,
        private,
        hour,
    )


async def hours(connection: Connection) -> tuple[int | None, int | None, int | None]:
    """Hours of the last message, the start of the wait and the last contact."""
    row = await connection.fetchrow(
        "SELECT last_message_at, waiting_since, last_contact_at FROM crm.conversations c"
        " JOIN crm.contacts p ON p.tenant_id = c.tenant_id AND p.id = c.contact_id"
    )
    assert row is not None
    return tuple(None if moment is None else moment.hour for moment in row.values())  # type: ignore[return-value]


async def test_a_person_waits_since_the_first_message_that_nobody_answered(connection: Connection) -> None:
    assert await hours(connection) == (None, None, None)
    await say(connection, "contact", 1)
    await say(connection, "contact", 2)
    assert await hours(connection) == (2, 1, 2)
    await say(connection, "member", 3)
    assert await hours(connection) == (3, None, 3)
    await say(connection, "contact", 4)
    assert await hours(connection) == (4, 4, 4)


async def test_a_private_note_answers_nobody(connection: Connection) -> None:
    await say(connection, "contact", 1)
    await say(connection, "member", 2, private=True)
    assert await hours(connection) == (1, 1, 1)


async def test_an_answer_at_the_same_moment_counts_by_its_place(connection: Connection) -> None:
    await say(connection, "contact", 1)
    await say(connection, "member", 1)
    assert await hours(connection) == (1, None, 1)


async def test_nobody_waits_in_a_resolved_conversation_until_it_is_opened_again(connection: Connection) -> None:
    await say(connection, "contact", 1)
    await connection.execute("UPDATE crm.conversations SET status = 'resolved'")
    assert await hours(connection) == (1, None, 1)
    await connection.execute("UPDATE crm.conversations SET status = 'open'")
    assert await hours(connection) == (1, 1, 1)


async def test_a_deleted_message_was_never_there(connection: Connection) -> None:
    await say(connection, "contact", 1)
    await say(connection, "member", 2)
    await connection.execute("DELETE FROM crm.messages WHERE author_kind = 'member'")
    assert await hours(connection) == (1, 1, 1)
