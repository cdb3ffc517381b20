"""Periodic work: one literal table of jobs, run by a ticker in the process and by ``velo jobs run NAME``.

A job works tenant by tenant, in transactions of its own, and must be harmless when run twice. An advisory lock of job and tenant keeps
processes from doing the same at the same time; it is no promise, only thrift. What goes wrong with one tenant or in one job is logged and
counted, and the others go on.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import structlog

from assistant.http.errors import place_of
from db.errors import DatabaseError, Unavailable
from db.pool import Connection, Database
from db.queries import load

if TYPE_CHECKING:  # the command line needs the table of jobs alone
    from assistant.metrics import JobOutcome, Metrics

log = structlog.get_logger()

#: Rows that one transaction deletes or changes at most, so that none holds its locks for long.
BATCH: Final = 5_000

_HOUR: Final = 3_600.0


@dataclass(frozen=True, slots=True)
class Job:
    """Work on one tenant; ``work`` gives how many rows it changed, and is called again as long as those are a whole batch.

    ``number`` is the job's lock, ``every`` its pause in seconds, ``statement_seconds`` what one statement may take where the pool's limit is
    too short.
    """

    name: str
    number: int
    every: float
    what: str
    work: Callable[[Connection, int], Awaitable[int]]
    statement_seconds: int | None = None


@dataclass(slots=True)
class Ran:
    """What a run came to: rows changed, tenants that another process is at, tenants with which it failed."""

    changed: int = 0
    busy: int = 0
    failed: int = 0

    @property
    def outcome(self) -> JobOutcome:
        """The run in one word."""
        return "failed" if self.failed else "busy" if self.busy and not self.changed else "done"


async def sweep_leases(connection: Connection, tenant_id: int) -> int:
    """Ends the turns whose process is gone."""
    return len(await connection.fetch(load("assistant", "turns")["end_expired"], tenant_id))


async def drop_events(connection: Connection, tenant_id: int) -> int:
    """Deletes the events of turns that ended more than a day ago."""
    return len(await connection.fetch(load("assistant", "jobs")["drop_old_events"], tenant_id, BATCH))


async def forget_keys(connection: Connection, tenant_id: int) -> int:
    """Clears idempotency keys, which a client may have made of anything, and hashes of bodies after a day."""
    queries = load("assistant", "jobs")
    turns = await connection.fetch(queries["forget_keys_of_turns"], tenant_id, BATCH)
    threads = await connection.fetch(queries["forget_keys_of_threads"], tenant_id, BATCH)
    return len(turns) + len(threads)


async def sync_crm(connection: Connection, tenant_id: int) -> int:
    """Learns what changed in a CRM that keeps its own tables."""
    learnt: int = await connection.fetchval(load("assistant", "jobs")["freshen_crm"], tenant_id)
    return learnt


async def reconcile_crm(connection: Connection, tenant_id: int) -> int:
    """Compares everything with such a CRM: what vanished there, and what changed without saying when."""
    learnt: int = await connection.fetchval(load("assistant", "jobs")["reconcile_crm"], tenant_id)
    return learnt


JOBS: Final = (
    Job("lease-sweep", 1, 15.0, "ends turns whose process is gone", sweep_leases),
    Job("drop-events", 2, _HOUR, "deletes the events of turns that ended a day ago", drop_events),
    Job("forget-keys", 3, _HOUR, "clears idempotency keys after a day", forget_keys),
    Job("crm-sync", 4, 60.0, "learns what changed in a CRM that keeps its own tables", sync_crm, statement_seconds=600),
    Job("crm-reconcile", 5, _HOUR, "compares everything with such a CRM", reconcile_crm, statement_seconds=600),
)


async def run(job: Job, database: Database) -> Ran:
    """Does a job for every tenant; raises ``Unavailable`` when the database is away, and no other ``DatabaseError`` once it has begun."""
    ran = Ran()
    async with database.plain(read_only=True) as connection:
        tenants = [row["tenant_id"] for row in await connection.fetch(load("assistant", "jobs")["tenants"])]
    for tenant_id in tenants:
        try:
            changed = await _done(job, database, tenant_id)
        except Unavailable:
            raise
        except DatabaseError as error:
            ran.failed += 1
            log.warning("job_failed", job=job.name, tenant_id=tenant_id, kind=type(error).__name__)
        else:
            ran.busy += changed is None
            ran.changed += changed or 0
    return ran


async def _done(job: Job, database: Database, tenant_id: int) -> int | None:
    """The rows changed for one tenant, batch by batch; ``None`` when another process is at it."""
    changed, last = 0, BATCH
    while last >= BATCH:
        async with database.tenant(tenant_id) as connection:
            if not await connection.fetchval(load("assistant", "jobs")["lock_of_job"], job.number, tenant_id):
                return None
            if job.statement_seconds is not None:
                await connection.execute(f"SET LOCAL statement_timeout = '{job.statement_seconds:d}s'")
            last = await job.work(connection, tenant_id)
        changed += last
    return changed


async def tick(database: Database, metrics: Metrics) -> None:
    """Runs every job again and again, until cancelled."""
    async with asyncio.TaskGroup() as group:
        for job in JOBS:
            group.create_task(_repeated(job, database, metrics), name=f"job {job.name}")


async def _repeated(job: Job, database: Database, metrics: Metrics) -> None:
    while True:
        started = time.monotonic()
        outcome: JobOutcome = "failed"
        try:
            ran = await run(job, database)
            outcome = ran.outcome
            if ran.changed:
                log.info("job_done", job=job.name, count=ran.changed, ms=round((time.monotonic() - started) * 1000))
        except DatabaseError as error:
            log.warning("job_failed", job=job.name, kind=type(error).__name__)
        except Exception as error:  # a mistake of ours in one job must not end the others
            log.error("job_failed", job=job.name, kind=type(error).__name__, place=place_of(error))
        metrics.job_ran(job.name, outcome, time.monotonic() - started)
        await asyncio.sleep(job.every)
