"""Periodic work."""

from __future__ import annotations

import asyncio
import contextlib
import uuid

from assistant import jobs
from db.pool import Database
from db.queries import load

(SWEEP,) = jobs.JOBS

TURN = """
INSERT INTO velo.turns (tenant_id, thread_id, member_id, state, lease_owner, lease_until)
VALUES ($1, $2, 1, $3, $4, now() + $5 * interval '1 second')
RETURNING id
"""


async def turns_of_two_tenants(owner: Database, database: Database) -> None:
    """In each tenant a turn whose lease has lapsed, one whose lease holds, and one that is done."""
    for tenant in (1, 2):
        async with owner.tenant(tenant) as connection:
            await connection.execute("INSERT INTO velo.tenants (tenant_id, name) VALUES ($1, 'T')", tenant)
        async with database.tenant(tenant) as connection:
            for state, seconds in (("running", -1), ("running", 60), ("done", -1)):
                thread = await connection.fetchval("INSERT INTO velo.threads (tenant_id, member_id) VALUES ($1, 1) RETURNING id", tenant)
                await connection.fetchval(TURN, tenant, thread, state, uuid.uuid4(), seconds)


async def states(database: Database, tenant: int) -> list[str]:
    async with database.tenant(tenant) as connection:
        return [row["state"] for row in await connection.fetch("SELECT state FROM velo.turns ORDER BY id")]


async def test_the_sweep_ends_turns_whose_lease_has_lapsed_in_every_tenant(owner: Database, database: Database) -> None:
    await turns_of_two_tenants(owner, database)
    assert await jobs.run(SWEEP, database) == 2
    assert await jobs.run(SWEEP, database) == 0
    for tenant in (1, 2):
        assert await states(database, tenant) == ["interrupted", "running", "done"]


async def test_one_process_at_a_time_does_a_job(database: Database) -> None:
    async with database.plain() as other:
        assert await other.fetchval(load("assistant", "jobs")["lock_of_jobs"], SWEEP.number)
        assert await jobs.run(SWEEP, database) is None
    assert await jobs.run(SWEEP, database) == 0


async def test_the_ticker_goes_on_until_it_is_cancelled(owner: Database, database: Database) -> None:
    await turns_of_two_tenants(owner, database)
    ticker = asyncio.create_task(jobs.tick(database))
    for _ in range(500):
        if await states(database, 2) == ["interrupted", "running", "done"]:
            break
        await asyncio.sleep(0.01)
    assert await states(database, 2) == ["interrupted", "running", "done"]
    assert not ticker.done()
    ticker.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await ticker


def test_names_and_locks_of_jobs_are_their_own() -> None:
    assert len({job.name for job in jobs.JOBS}) == len({job.number for job in jobs.JOBS}) == len(jobs.JOBS)
