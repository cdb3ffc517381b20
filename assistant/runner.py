"""Turns that run in this process: each one a task that holds its thread by a lease, tells its events, and ends exactly once.

A turn's end is one transaction: what was still to be stored, the answer, the last event and the state. After any crash a turn is therefore
either ended with all that or not ended; then its lease runs out, or its process is seen to be gone, and the next one who looks ends it.
"""

import asyncio
import contextlib
import secrets
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, Literal

import structlog

from assistant.errors import ModelBroke, ModelError, ModelRejected, ModelTimedOut, ModelUnavailable
from assistant.events import Events, Key
from assistant.history import Entry
from assistant.job import Job, Outcome, Parts
from assistant.loop import Run
from assistant.threads import SQL, add_message
from db.errors import Contended, DatabaseError, Full, TimedOut, Unavailable
from db.pool import Connection
from veil.errors import Leak, VeilError

log = structlog.get_logger()

#: Seconds that a turn holds its thread without a sign of life, and between two such signs (db/migrations/0006_presence.sql knows both).
LEASE: Final = 60
_HEARTBEAT: Final = 5
_MISSED_BEAT: Final = 0.5

#: Before Postgres is asked again to store a turn's end, in seconds; together less than the lease.
_PAUSES: Final = (0.5, 2.0, 8.0)

#: The channel on which a turn is told to stop; the payload is ``tenant:turn``.
CHANNEL: Final = "velo_stops"

State = Literal["done", "stopped", "failed", "interrupted"]

_KINDS: tuple[tuple[type[Exception], str], ...] = (
    (Leak, "leak"),
    (ModelUnavailable, "model_unavailable"),
    (ModelTimedOut, "model_timeout"),
    (ModelRejected, "model_rejected"),
    (ModelBroke, "model_broke"),
    (ModelError, "model_malformed"),
    (VeilError, "veil"),
    (Full, "disk_full"),
    (DatabaseError, "database"),
)


class Gone(Exception):
    """The turn was stopped, or its lease is another server's now."""


class Runner:
    """Performs turns. ``owner`` is this process in their leases."""

    def __init__(self, parts: Parts, events: Events, *, new_id: Callable[[], str] = lambda: secrets.token_hex(4)) -> None:
        self.owner = uuid.uuid4()
        self._parts = parts
        self._events = events
        self._new_id = new_id
        self._tasks: dict[Key, asyncio.Task[None]] = {}
        self._begun: set[Key] = set()
        self._cancelled: set[Key] = set()  # told to stop, or beyond stopping
        self._interrupting = False
        self._heart: asyncio.Task[None] | None = None

    def start(self, job: Job) -> None:
        """Perform a turn that was taken, whether or not anybody waits for it."""
        key = (job.actor.tenant_id, job.turn_id)
        self._events.open(key)
        task = asyncio.create_task(self._perform(job, key), name=f"turn {job.turn_id}")
        self._tasks[key] = task
        self._parts.metrics.running.inc()
        task.add_done_callback(lambda _: self._ended(key))
        if self._heart is None or self._heart.done():
            self._heart = asyncio.create_task(self._beat(), name="signs of life of turns")

    def _ended(self, key: Key) -> None:
        self._tasks.pop(key, None)
        self._begun.discard(key)
        self._cancelled.discard(key)
        self._events.close(key)
        self._parts.metrics.running.dec()

    async def ended(self, key: Key) -> None:
        """Return once a turn no longer runs here."""
        task = self._tasks.get(key)
        if task is not None:
            await asyncio.wait([task])

    # --- one turn --------------------------------------------------------------------------------------------------------------------

    async def _perform(self, job: Job, key: Key) -> None:
        structlog.contextvars.bind_contextvars(thread_id=job.thread_id, turn_id=job.turn_id)
        started = time.monotonic()

        def tell(kind: str, body: Mapping[str, Any]) -> None:
            self._events.add(key, kind, body)

        run = Run(self._parts, job, keep=lambda connection: self._keep(connection, key), tell=tell)
        state, error = await self._performed(run, key)
        if state == "done":
            await self._end_well(job, run, started)
        else:
            await self._end_badly(job, run, state, started, error)

    async def _performed(self, run: Run, key: Key) -> tuple[State, Exception | None]:
        """What a turn comes to. Once that is decided nobody stops it any more: a cancellation would tear it away from storing its end."""
        self._begun.add(key)
        error: Exception | None = None
        try:
            if key in self._cancelled:
                raise asyncio.CancelledError  # stopped before its first step
            await run.perform()
            state: State = "done"
        except asyncio.CancelledError:
            state = "interrupted" if self._interrupting else "stopped"
        except Gone:
            state = "stopped"
        except Exception as caught:  # whatever it was, the turn ends and the thread is free
            state, error = "failed", caught
        self._cancelled.add(key)
        return state, error

    async def _end_well(self, job: Job, run: Run, started: float) -> None:
        try:
            await self._end(job, run, "done", started)
        except Gone:
            return
        except Exception as error:
            await self._end_badly(job, run, "failed", started, error)

    async def _beat(self) -> None:
        """Signs of life of all turns that run here; should the notice to stop one be lost, this finds it."""
        pause: float = _HEARTBEAT
        while self._tasks:
            await asyncio.sleep(pause)
            try:
                for tenant in {tenant for tenant, _ in self._tasks}:
                    await self._beat_of_tenant(tenant)
                pause = _HEARTBEAT
            except DatabaseError:
                pause = _MISSED_BEAT

    async def _beat_of_tenant(self, tenant: int) -> None:
        turns = [turn for owner, turn in self._tasks if owner == tenant]
        async with (self._parts.express or self._parts.database).tenant(tenant) as connection:
            rows = await connection.fetch(SQL["extend_leases"], tenant, turns, self.owner, float(LEASE))
        running = {row["id"] for row in rows if row["state"] == "running"}
        for turn in turns:
            if turn not in running:
                self.stop((tenant, turn))

    async def _keep(self, connection: Connection, key: Key) -> None:
        state = await connection.fetchval(SQL["extend_lease"], *key, self.owner, float(LEASE))
        if state != "running":
            raise Gone

    async def _end_badly(self, job: Job, run: Run, state: State, started: float, error: Exception | None = None) -> None:
        """End a turn with what came of it; where even that cannot be stored, with its state alone. If Postgres is away, the lease runs out."""
        try:
            await self._end(job, run, state, started, error)
        except Gone:
            return
        except Exception as second:
            with contextlib.suppress(DatabaseError, Gone):
                await self._end(job, run, "failed" if error else state, started, error or second, bare=True)

    async def _end(self, job: Job, run: Run, state: State, started: float, error: Exception | None = None, *, bare: bool = False) -> None:
        """The turn's end; a Postgres that is away or busy for a moment is waited for, since an answer is there. Raises ``Gone`` if it is too late."""
        error_id = None if error is None else self._new_id()
        for pause in _PAUSES:
            with contextlib.suppress(Unavailable, TimedOut, Contended):
                return await self._end_now(job, run, state, started, error, error_id, bare=bare)
            await asyncio.sleep(pause)
        await self._end_now(job, run, state, started, error, error_id, bare=bare)

    async def _end_now(
        self, job: Job, run: Run, state: State, started: float, error: Exception | None, error_id: str | None, *, bare: bool
    ) -> None:
        """The turn's end in one transaction; raises ``Gone``, with nothing stored, when the turn is somebody else's."""
        key = (job.actor.tenant_id, job.turn_id)
        if not bare:
            await run.close(whole=state == "done")
        events = await self._events.last(key, state)
        async with run.storing() as connection:
            outcome = replace(run.outcome, answer=None) if bare else await run.conclude(connection)
            answer = await self._add_answer(connection, job, run, outcome)
            if error is not None:
                await connection.execute(SQL["add_error"], key[0], error_id, job.turn_id, kind_of(error), _place_of(error), {})
            ended = await connection.fetchval(
                SQL["end_turn"], *key, self.owner, state, answer, outcome.usage, outcome.steps, outcome.to_json(), error_id
            )
            if ended is None:
                raise Gone
            await self._events.write(connection, key, events)
        self._events.close(key, events)
        self._tell(state, outcome, error_id, time.monotonic() - started)

    async def _add_answer(self, connection: Connection, job: Job, run: Run, outcome: Outcome) -> int | None:
        if outcome.answer is None:
            return None
        entry = Entry(0, "assistant", job.turn_id, marked=outcome.answer, left=True)
        return await add_message(connection, tenant=job.actor.tenant_id, thread=job.thread_id, parent=run.last_message, entry=entry)

    def _tell(self, state: State, outcome: Outcome, error_id: str | None, seconds: float) -> None:
        self._parts.metrics.turn_ended(state, seconds)
        self._parts.metrics.late_masked(outcome.late)
        log.info(
            "turn_ended",
            state=state,
            ms=round(seconds * 1000),
            calls=len(outcome.steps),
            tokens_in=outcome.usage["input_tokens"],
            tokens_out=outcome.usage["output_tokens"],
            late_masks=outcome.late,
            error_id=error_id,
        )

    # --- stopping --------------------------------------------------------------------------------------------------------------------

    def stop(self, key: Key) -> bool:
        """Whether a turn runs here; then it stops, and the model's stream is closed at once. One that is storing its end goes on to it."""
        task = self._tasks.get(key)
        if task is not None and key not in self._cancelled:
            self._cancelled.add(key)
            if key in self._begun:
                task.cancel()
        return task is not None

    def hear_stop(self, channel: str, payload: str) -> None:
        """Somebody asked, maybe in another process, for a turn to stop."""
        tenant, _, turn = payload.partition(":")
        self.stop((int(tenant), int(turn)))

    async def stop_missed(self) -> None:
        """Stop the turns that were asked to while nobody could be told."""
        for tenant in {tenant for tenant, _ in self._tasks}:
            turns = [turn for owner, turn in self._tasks if owner == tenant]
            async with self._parts.database.tenant(tenant) as connection:
                for row in await connection.fetch(SQL["stopping_of_owner"], tenant, turns, self.owner):
                    self.stop((tenant, row["id"]))

    async def end_orphan(self, key: Key) -> bool:
        """Whether a turn bore our name and did not run, and has ended now: it was stored by a commit whose answer was lost, so nobody started it."""
        if key in self._tasks:
            return False
        async with self._parts.database.tenant(key[0]) as connection:
            return bool(await connection.fetchval(SQL["end_orphan"], *key, self.owner))

    async def idle(self) -> None:
        """Return once no turn runs in this process."""
        while self._tasks:
            await asyncio.wait([*self._tasks.values()])

    async def interrupt(self) -> None:
        """End every turn that still runs here as interrupted, with what came of its answer."""
        self._interrupting = True
        for key in self._tasks:
            self.stop(key)
        await self.idle()
        if self._heart is not None:
            self._heart.cancel()


def kind_of(error: Exception) -> str:
    """The sort of an error, as it is stored."""
    return next((name for kind, name in _KINDS if isinstance(error, kind)), "internal")


def _place_of(error: Exception) -> str:
    """Class, module and line of an error: enough to find it, and never its words."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f"{trace.tb_frame.f_globals.get('__name__', '?')}:{trace.tb_lineno}" if trace is not None else "?"
    return f"{type(error).__name__} at {where}"
