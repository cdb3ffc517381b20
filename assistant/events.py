"""What happens in a turn, event by event: written to Postgres in batches, followed from any event on, here or in another process.

Events are veiled; what one says to a reader is drawn when it is read (``assistant.views``). A reader in the process of the turn is given an
event once it is committed, without asking the database; readers elsewhere are woken by NOTIFY and read the table.
"""

import asyncio
import json
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from assistant.metrics import Metrics
from db.errors import Contended, DatabaseError, TimedOut, Unavailable
from db.pool import Connection, Database
from db.queries import load

SQL = load("assistant", "events")

STARTED: Final = "turn.started"
STEP_STARTED: Final = "step.started"
STEP_COMPLETED: Final = "step.completed"
TEXT: Final = "text.delta"
DONE: Final = "turn.done"
FAILED: Final = "turn.failed"
STOPPED: Final = "turn.stopped"

#: The last event of a turn, by the state it ended in.
FINAL: Final[Mapping[str, str]] = {"done": DONE, "failed": FAILED, "interrupted": FAILED, "stopped": STOPPED}

#: The channel on which written events are told; the payload is ``tenant:turn,turn``.
CHANNEL: Final = "velo_events"

#: Seconds after which a reader is told that nothing happened: proxies close idle lines after 30 to 60.
QUIET: Final = 15.0

#: Seconds after which a reader looks again although nobody woke it: a notice is lost with its connection.
_LOOK_AGAIN = 2.0
_RETRY = 0.5

#: Seconds that an event waits for company: a step is told in one write with what follows it, a short answer in one with the turn's end.
_LINGER = 0.015
_TEXT_LINGER = 0.002

#: Turns in one process from which on they are many.
_CROWD = 10

Key = tuple[int, int]
"""A tenant and a turn."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a turn; they are numbered from 1."""

    seq: int
    kind: str
    body: Mapping[str, Any]

    @property
    def is_final(self) -> bool:
        """Whether nothing follows."""
        return self.kind in FINAL.values()


class _Live:
    """The events of a turn that runs here; ``written`` are those that are committed."""

    def __init__(self, first: Sequence[Event]) -> None:
        self.written = list(first)
        self.last = len(self.written)  # number given last
        self.rest: list[Event] = []  # what is left to be written with the turn's end
        self.closed = False
        self._changed = asyncio.Event()

    def publish(self, events: Iterable[Event], *, closed: bool = False) -> None:
        self.written += events
        self.closed = closed
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def after(self, number: int) -> AsyncIterator[Event | None]:
        place = 0
        while True:
            changed = self._changed
            for event in self.written[place:]:
                place += 1
                if event.seq > number:
                    yield event
            if self.closed and place >= len(self.written):
                return
            while changed is self._changed and not await _set_within(changed, QUIET):
                yield None


async def _set_within(event: asyncio.Event, seconds: float) -> bool:
    """Whether an event is set in this time; cheaper than ``asyncio.wait_for``, which makes a task of it."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True


class Events:
    """The events of all turns, as seen from one process."""

    def __init__(self, database: Database, *, express: Database, metrics: Metrics) -> None:
        self._database = database
        self._express = express  # writes go here, so that a crowd of other work does not hold them up
        self._metrics = metrics
        self._left = False
        self._live: dict[Key, _Live] = {}
        self._pending: dict[Key, list[Event]] = {}
        self._writing: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)  # by tenant
        self._writers: dict[int, asyncio.Task[None]] = {}
        self._readers: dict[Key, set[asyncio.Event]] = {}

    # --- of a turn that runs here ------------------------------------------------------------------------------------------------------

    def open(self, key: Key) -> None:
        """A turn begins here; its first event has been stored with it."""
        self._live[key] = _Live([Event(1, STARTED, {})])

    def add(self, key: Key, kind: str, body: Mapping[str, Any]) -> None:
        """Something happened. It is written soon, in the order of the calls; what comes after the turn's end is nothing."""
        live = self._live.get(key)
        if live is None:
            return
        live.last += 1
        self._pending.setdefault(key, []).append(Event(live.last, kind, body))
        asyncio.get_running_loop().call_later(_TEXT_LINGER if kind == TEXT else _LINGER, self._write_now, key[0])

    async def last(self, key: Key, state: str) -> list[Event]:
        """What is left to be written of a turn that ends, its last event included. Waits for a batch that is being written.

        In a crowd the last words are written first: the ends of many turns at once take a while, and readers need not wait for them.
        """
        live = self._live[key]
        if len(self._live) > _CROWD:
            await self._write_once(key[0])
        async with self._writing[key[0]]:
            live.rest += self._pending.pop(key, [])
        return [*live.rest, Event(live.last + 1, FINAL[state], {})]

    async def write(self, connection: Connection, key: Key, events: Sequence[Event]) -> None:
        """Write events in somebody's transaction; once it is committed they are to be given to ``close``."""
        await self._add(connection, key[0], [(key, event) for event in events])

    def close(self, key: Key, events: Iterable[Event] = ()) -> None:
        """The turn no longer runs here. Readers that were not given its end look for it in the table."""
        self._pending.pop(key, None)
        live = self._live.pop(key, None)
        if live is not None:
            live.publish(events, closed=True)

    def _write_now(self, tenant: int) -> None:
        """See to it that what waits of a tenant is written. Each tenant has a writer of its own, so that none waits for another's rows."""
        if tenant not in self._writers and self._waiting(tenant):
            writer = asyncio.create_task(self._write(tenant), name="turn events")
            self._writers[tenant] = writer
            writer.add_done_callback(lambda _: self._written_all(tenant))

    def _written_all(self, tenant: int) -> None:
        del self._writers[tenant]
        self._write_now(tenant)

    def _waiting(self, tenant: int) -> list[Key]:
        return [key for key in self._pending if key[0] == tenant]

    async def _write(self, tenant: int) -> None:
        """Write until nothing is waiting; what comes meanwhile goes together."""
        while self._waiting(tenant):
            if not await self._write_once(tenant):
                await asyncio.sleep(_RETRY)

    async def _write_once(self, tenant: int) -> bool:
        """Whether what waited of a tenant is written now."""
        async with self._writing[tenant]:
            batch = {key: self._pending.pop(key) for key in self._waiting(tenant)}
            return not batch or await self._written(tenant, batch)

    async def _written(self, tenant: int, batch: Mapping[Key, list[Event]]) -> bool:
        """Whether a batch could be written; else it waits again, before what came after it. What can never be written is left out."""
        try:
            async with self._express.tenant(tenant) as connection:
                await self._add(connection, tenant, [(key, event) for key, events in batch.items() for event in events])
        except (Unavailable, TimedOut, Contended):
            for key, events in batch.items():
                if key in self._live:
                    self._pending[key] = events + self._pending.get(key, [])
            return False
        except DatabaseError:  # the thread of one of them is gone
            if len(batch) > 1:
                return all([await self._written(tenant, {key: events}) for key, events in batch.items()])
            return True
        for key, events in batch.items():
            if (live := self._live.get(key)) is not None:
                live.publish(events)
        return True

    async def _add(self, connection: Connection, tenant: int, events: Sequence[tuple[Key, Event]]) -> None:
        turns = [key[1] for key, _ in events]
        await connection.execute(
            SQL["add_events"],
            tenant,
            turns,
            [event.seq for _, event in events],
            [event.kind for _, event in events],
            [json.dumps(event.body, ensure_ascii=False) for _, event in events],
            CHANNEL,
            f"{tenant}:{','.join(map(str, dict.fromkeys(turns)))}",
        )
        self._metrics.events_written(len(events))

    # --- for whoever reads -------------------------------------------------------------------------------------------------------------

    async def follow(self, key: Key, after: int) -> AsyncIterator[Event | None]:
        """The events behind a number, as they come, up to the turn's last one; ``None`` whenever nothing happened for ``QUIET`` seconds.

        Where a turn ended without saying so (its process is gone), the last event is made from its state. Nothing is given for a turn that
        does not exist.
        """
        live = self._live.get(key)
        if live is not None:
            async for event in live.after(after):
                yield event
                if event is None:
                    continue
                after = event.seq
                if event.is_final:
                    return
        async for event in self._looked_up(key, after):
            yield event

    async def _looked_up(self, key: Key, after: int) -> AsyncIterator[Event | None]:
        woken = asyncio.Event()
        self._readers.setdefault(key, set()).add(woken)
        looks = 0
        try:
            while True:
                woken.clear()
                events, goes_on = await self._read(key, after)
                for event in events:
                    yield event
                    after = event.seq
                if not goes_on or self._left:
                    return
                looks = 0 if events else looks + 1
                if looks * _LOOK_AGAIN >= QUIET:
                    looks = 0
                    yield None
                await _set_within(woken, _LOOK_AGAIN)
        finally:
            self._readers[key].discard(woken)
            if not self._readers[key]:
                del self._readers[key]

    async def _read(self, key: Key, after: int) -> tuple[list[Event], bool]:
        """The events behind a number, and whether more can come."""
        tenant, turn = key
        async with self._database.tenant(tenant) as connection:
            rows = await connection.fetch(SQL["events_after"], tenant, turn, after)
            if rows and rows[0]["expired"] and rows[0]["state"] not in FINAL:
                await connection.fetch(load("assistant", "turns")["end_expired"], tenant)
                rows = await connection.fetch(SQL["events_after"], tenant, turn, after)
        if not rows:
            return [], False
        events = [Event(row["seq"], row["kind"], row["body"]) for row in rows if row["seq"] is not None]
        state, told = rows[0]["state"], rows[0]["told"]
        if state in FINAL and not told:
            events.append(Event((events[-1].seq if events else after) + 1, FINAL[state], {}))
        return events, state not in FINAL

    def wake(self, channel: str, payload: str) -> None:
        """Events were written somewhere."""
        tenant, _, turns = payload.partition(":")
        for turn in turns.split(","):
            for reader in self._readers.get((int(tenant), int(turn)), ()):
                reader.set()

    def leave(self) -> None:
        """This process ends: readers of turns that run elsewhere are let go, to come back where somebody still serves."""
        self._left = True
        self.wake_all()

    def wake_all(self) -> None:
        """Notices may have been missed."""
        for readers in self._readers.values():
            for reader in readers:
                reader.set()
