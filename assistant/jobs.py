"""Periodic work: one literal table of jobs, run by a ticker in the process and by ``velo jobs run NAME``.

A job works tenant by tenant, each in a transaction of its own, and must be harmless when run twice. An advisory lock
keeps processes from doing the same at the same time; it is no promise, only thrift.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

import structlog

from db.errors import DatabaseError
from db.pool import Connection, Database
from db.queries import load

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Job:
    """Work on one tenant; gives how many rows it changed.

    ``number`` is the job's lock, ``every`` its pause in seconds.
    """

    name: str
    number: int
    every: float
    work: Callable[[Connection, int], Awaitable[int]]


async def sweep_leases(connection: Connection, tenant_id: int) -> int:
    """Ends the turns whose process is gone."""
    return len(await connection.fetch(load("assistant", "turns")["end_expired"], tenant_id))


JOBS: Final = (Job("lease-sweep", 1, 15.0, sweep_leases),)


async def run(job: Job, database: Database) -> int | None:
    """Does a job for every tenant and gives the rows it changed; ``None`` when another process is at it."""
    queries = load("assistant", "jobs")
    async with database.plain() as holder:
        if not await holder.fetchval(queries["lock_of_jobs"], job.number):
            return None
        changed = 0
        for row in await holder.fetch(queries["tenants"]):
            async with database.tenant(row["tenant_id"]) as connection:
                changed += await job.work(connection, row["tenant_id"])
    return changed


async def tick(database: Database) -> None:
    """Runs every job again and again, until cancelled."""
    async with asyncio.TaskGroup() as group:
        for job in JOBS:
            group.create_task(_repeated(job, database))


async def _repeated(job: Job, database: Database) -> None:
    while True:
        try:
            changed = await run(job, database)
        except DatabaseError as error:
            log.warning("job_failed", job=job.name, kind=type(error).__name__)
        else:
            if changed:
                log.info("job_done", job=job.name, count=changed)
        await asyncio.sleep(job.every)
