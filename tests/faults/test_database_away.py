"""Postgres is away, slow, dumb or crowded: one clear error at most, nothing half-stored, and the same pool goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import asyncpg
import pytest

from db.errors import DatabaseError, Full, TimedOut, Unavailable, translate
from db.pool import Database
from tests.faults.line import Line, line_to

CONNECTIONS = 5


@pytest.fixture
async def line(app_dsn: str) -> AsyncIterator[Line]:
    async with line_to(app_dsn) as line:
        yield line


@pytest.fixture
async def pool(line: Line, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Database]:
    """A pool over the line, short of patience, whose connections are all open."""
    monkeypatch.setattr("db.pool._IDLE_WORD_SECONDS", 0.3)
    monkeypatch.setattr("db.pool._STATEMENT_SECONDS", 0.3)
    opened = await Database.open(line.dsn, max_size=CONNECTIONS)
    await all_at_once(opened)
    yield opened
    await opened.close()


async def one(pool: Database) -> int:
    async with pool.plain() as connection:
        answer: int = await connection.fetchval("SELECT 1")
        return answer


async def all_at_once(pool: Database) -> None:
    """Uses every connection of the pool in the same moment."""
    async with AsyncExitStack() as stack:
        for _ in range(CONNECTIONS):
            connection = await stack.enter_async_context(pool.plain())
            assert await connection.fetchval("SELECT 1") == 1


async def test_after_a_restart_of_postgres_no_request_meets_a_dead_connection(line: Line, pool: Database) -> None:
    line.cut()
    assert await asyncio.gather(*(one(pool) for _ in range(4 * CONNECTIONS))) == [1] * (4 * CONNECTIONS)


async def test_connections_that_went_dumb_are_replaced_before_anything_runs_on_them(line: Line, pool: Database) -> None:
    line.strike_dumb()
    assert await asyncio.gather(*(one(pool) for _ in range(CONNECTIONS))) == [1] * CONNECTIONS


async def test_a_short_absence_is_waited_for(line: Line, pool: Database) -> None:
    await line.close()
    asked = asyncio.create_task(one(pool))
    await asyncio.sleep(0.1)
    await line.open()
    assert await asked == 1


async def test_while_postgres_is_down_the_error_says_so_and_afterwards_all_is_well(line: Line, pool: Database) -> None:
    await line.close()
    answers = await asyncio.gather(*(one(pool) for _ in range(3 * CONNECTIONS)), return_exceptions=True)
    assert {type(answer) for answer in answers} == {Unavailable}
    await line.open()
    await all_at_once(pool)


async def test_a_statement_that_is_never_answered_ends_and_its_transaction_stores_nothing(
    line: Line, pool: Database, owner: Database
) -> None:
    async with owner.tenant(1) as connection:
        await connection.execute("INSERT INTO velo.tenants (tenant_id, name) VALUES (1, 'x')")
    line.last_word = b"last word"
    with pytest.raises(DatabaseError):  # noqa: PT012 - the second statement fails
        async with pool.tenant(1) as connection:
            await connection.execute("INSERT INTO velo.threads (tenant_id, member_id) VALUES (1, 1)")
            await connection.execute("SELECT 'last word'")
    line.last_word = None
    await all_at_once(pool)
    line.cut()
    async with owner.tenant(1) as connection:
        assert await connection.fetchval("SELECT count(*) FROM velo.threads") == 0


SLOW = {
    "a statement": "SET LOCAL statement_timeout = 20; SELECT pg_sleep(5)",
    "a lock": "SET LOCAL lock_timeout = 20; SELECT pg_advisory_xact_lock(7)",
}


@pytest.mark.parametrize("slow", SLOW.values(), ids=SLOW.keys())
async def test_what_takes_too_long_ends_and_leaves_the_connection_usable(database: Database, slow: str) -> None:
    async with database.plain() as holder:
        await holder.execute("SELECT pg_advisory_xact_lock(7)")
        with pytest.raises(TimedOut):
            async with database.plain() as connection:
                await connection.execute(slow)
        assert await one(database) == 1


async def test_a_transaction_left_idle_is_ended_by_the_server(database: Database) -> None:
    with pytest.raises(Unavailable):  # noqa: PT012 - the server ends it inside the block
        async with database.plain() as connection:
            await connection.execute("SET LOCAL idle_in_transaction_session_timeout = 20")
            await asyncio.sleep(0.1)
            await connection.fetchval("SELECT 1")
    assert await one(database) == 1


async def test_who_gets_no_connection_is_told_so_and_the_next_one_gets_one(
    app_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("db.pool.ACQUIRE_SECONDS", 0.05)
    narrow = await Database.open(app_dsn, max_size=1)
    async with narrow.plain():
        waiting = asyncio.create_task(one(narrow))
        await asyncio.sleep(0)
        assert (narrow.in_use, narrow.waiting) == (1, 1)
        with pytest.raises(TimedOut, match="no connection"):
            await waiting
    assert await one(narrow) == 1
    assert (narrow.in_use, narrow.waiting) == (0, 0)
    await narrow.close()


async def test_a_caller_that_leaves_while_it_waits_holds_nothing(app_dsn: str) -> None:
    narrow = await Database.open(app_dsn, max_size=1)
    async with narrow.plain():
        waiting = [asyncio.create_task(one(narrow)) for _ in range(5)]
        await asyncio.sleep(0.01)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
    assert await one(narrow) == 1
    assert (narrow.in_use, narrow.waiting) == (0, 0)
    await narrow.close()


def test_a_full_disk_is_told_from_a_server_that_is_away() -> None:
    assert isinstance(translate(asyncpg.DiskFullError("could not extend file")), Full)
