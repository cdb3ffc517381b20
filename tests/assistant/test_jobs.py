"""Periodic work."""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from assistant import jobs
from assistant.metrics import Metrics
from db.errors import Unavailable
from db.pool import Connection, Database
from db.queries import load

BY_NAME = {job.name: job for job in jobs.JOBS}
SWEEP = BY_NAME["lease-sweep"]

TURN = """
INSERT INTO velo.turns (tenant_id, thread_id, member_id, state, lease_owner, lease_until)
VALUES ($1, $2, 1, $3, $4, now() + $5 * interval '1 second')
RETURNING id
"""
ENDED = """
INSERT INTO velo.turns (tenant_id, thread_id, member_id, state, created_at, ended_at, idempotency_key, body_hash)
VALUES ($1, $2, 1, 'done', now() - $3 * interval '1 hour', now() - $3 * interval '1 hour', $4, 'x')
RETURNING id
"""
EVENT = "INSERT INTO velo.turn_events (tenant_id, turn_id, seq, kind, created_at) VALUES ($1, $2, $3, 'text.delta', now() - $4 * interval '1 hour')"


async def two_tenants(owner: Database) -> None:
    for tenant in (1, 2):
        async with owner.tenant(tenant) as connection:
            await connection.execute("INSERT INTO velo.tenants (tenant_id, name) VALUES ($1, 'T')", tenant)


async def thread_of(connection: Connection, tenant: int) -> int:
    number: int = await connection.fetchval("INSERT INTO velo.threads (tenant_id, member_id) VALUES ($1, 1) RETURNING id", tenant)
    return number


async def turns_of_two_tenants(owner: Database, database: Database) -> None:
    """In each tenant a turn whose lease has lapsed, one whose lease holds, and one that is done."""
    await two_tenants(owner)
    for tenant in (1, 2):
        async with database.tenant(tenant) as connection:
            for state, seconds in (("running", -1), ("running", 60), ("done", -1)):
                await connection.fetchval(TURN, tenant, await thread_of(connection, tenant), state, uuid.uuid4(), seconds)


async def states(database: Database, tenant: int) -> list[str]:
    async with database.tenant(tenant) as connection:
        return [row["state"] for row in await connection.fetch("SELECT state FROM velo.turns ORDER BY id")]


async def test_the_sweep_ends_turns_whose_lease_has_lapsed_in_every_tenant(owner: Database, database: Database) -> None:
    await turns_of_two_tenants(owner, database)
    assert (await jobs.run(SWEEP, database)).changed == 2
    assert (await jobs.run(SWEEP, database)).changed == 0
    for tenant in (1, 2):
        assert await states(database, tenant) == ["interrupted", "running", "done"]


async def test_one_process_at_a_time_does_a_job_for_a_tenant(owner: Database, database: Database) -> None:
    await turns_of_two_tenants(owner, database)
    async with database.plain() as other:
        assert await other.fetchval(load("assistant", "jobs")["lock_of_job"], SWEEP.number, 1)
        ran = await jobs.run(SWEEP, database)
    assert (ran.changed, ran.busy, ran.failed) == (1, 1, 0)
    assert await states(database, 1) == ["running", "running", "done"]
    assert (await jobs.run(SWEEP, database)).changed == 1


async def test_a_job_needs_one_connection(owner: Database, app_dsn: str) -> None:
    await two_tenants(owner)
    narrow = await Database.open(app_dsn, max_size=1)
    for job in jobs.JOBS:
        assert (await jobs.run(job, narrow)).outcome == "done"
    await narrow.close()


async def test_events_go_a_day_after_their_turn_has_ended_and_whole(
    owner: Database, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "BATCH", 2)
    await two_tenants(owner)
    async with database.tenant(1) as connection:
        thread = await thread_of(connection, 1)
        old, young = [await connection.fetchval(ENDED, 1, thread, hours, None) for hours in (25, 23)]
        for turn, ages in ((old, (26, 26, 26, 25, 25)), (young, (25, 23))):
            for seq, age in enumerate(ages, 1):
                await connection.execute(EVENT, 1, turn, seq, age)
    assert (await jobs.run(BY_NAME["drop-events"], database)).changed == 5
    async with database.tenant(1) as connection:
        assert [row["turn_id"] for row in await connection.fetch("SELECT turn_id FROM velo.turn_events")] == [young, young]


async def test_what_a_client_made_keys_of_is_forgotten_after_a_day(owner: Database, database: Database) -> None:
    await two_tenants(owner)
    async with database.tenant(2) as connection:
        thread = await thread_of(connection, 2)
        for hours, key in ((25, "old"), (23, "young")):
            await connection.fetchval(ENDED, 2, thread, hours, key)
        await connection.execute(
            "UPDATE velo.threads SET idempotency_key = 'k', body_hash = 'x', created_at = now() - interval '2 days' WHERE tenant_id = 2"
        )
    assert (await jobs.run(BY_NAME["forget-keys"], database)).changed == 2
    async with database.tenant(2) as connection:
        rows = await connection.fetch("SELECT idempotency_key, body_hash FROM velo.turns ORDER BY id")
        thread_key = await connection.fetchval("SELECT idempotency_key FROM velo.threads")
    assert [(row["idempotency_key"], row["body_hash"]) for row in rows] == [(None, None), ("young", b"x")]
    assert thread_key is None


async def test_what_goes_wrong_with_one_tenant_is_told_and_the_others_are_served(owner: Database, database: Database) -> None:
    await two_tenants(owner)

    async def work(connection: Connection, tenant_id: int) -> int:
        if tenant_id == 1:
            await connection.fetchval("SELECT 1 / 0")
        return 1

    with capture_logs() as logged:
        ran = await jobs.run(replace(SWEEP, work=work), database)
    assert (ran.changed, ran.failed, ran.outcome) == (1, 1, "failed")
    (line,) = logged
    assert (line["event"], line["job"], line["tenant_id"]) == ("job_failed", "lease-sweep", 1)


async def test_a_job_that_cannot_be_done_is_counted_and_stops_no_other(
    owner: Database, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await two_tenants(owner)
    done = asyncio.Event()

    async def mistaken(connection: Connection, tenant_id: int) -> int:
        raise KeyError("María")

    async def away(connection: Connection, tenant_id: int) -> int:
        raise Unavailable("the server is away")

    async def patient(connection: Connection, tenant_id: int) -> int:
        done.set()
        return 0

    table = [jobs.Job(name, number, 0.001, "", work) for number, (name, work) in enumerate((("a", mistaken), ("b", away), ("c", patient)), 91)]
    monkeypatch.setattr(jobs, "JOBS", table)
    metrics = Metrics()
    with capture_logs() as logged:
        ticker = asyncio.create_task(jobs.tick(database, metrics))
        await done.wait()
        for _ in range(500):
            if all(f'velo_job_seconds_count{{job="{name}",outcome="failed"}}' in metrics.text().decode() for name in ("a", "b")):
                break
            await asyncio.sleep(0.01)
        await ended(ticker)
    assert {(line["job"], line["kind"]) for line in logged} == {("a", "KeyError"), ("b", "Unavailable")}
    assert "María" not in str(logged)


async def ended(ticker: asyncio.Task[None]) -> None:
    assert not ticker.done()
    ticker.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await ticker


async def test_the_ticker_goes_on_until_it_is_cancelled(owner: Database, database: Database) -> None:
    await turns_of_two_tenants(owner, database)
    ticker = asyncio.create_task(jobs.tick(database, Metrics()))
    for _ in range(500):
        if await states(database, 2) == ["interrupted", "running", "done"]:
            break
        await asyncio.sleep(0.01)
    assert await states(database, 2) == ["interrupted", "running", "done"]
    await ended(ticker)


def test_names_and_locks_of_jobs_are_their_own() -> None:
    assert len({job.name for job in jobs.JOBS}) == len({job.number for job in jobs.JOBS}) == len(jobs.JOBS)
