"""Hears what other transactions notify, on one connection of its own, for as long as Velo runs.

A notification is a hint to look into a table, never the only copy of anything: what is notified while the connection
is away is lost. So the listener says when it was away (`missed`), and says it once it hears again: who then looks into
the table has missed nothing. To notify is a statement of the transaction whose rows it speaks of
(`SELECT pg_notify($1, $2)`); Postgres delivers it with the commit, never before. A payload holds ids, nothing clear.

The connection must reach Postgres itself: a pooler in transaction mode does not pass notifications on.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from itertools import chain, repeat
from typing import Any, TypeAlias

from db.errors import DRIVER_ERRORS, translated
from db.session import DriverConnection, connect

#: Called on the event loop with channel and payload. It must not wait.
Hear: TypeAlias = Callable[[str, str], None]

#: Between attempts to come back, in seconds; the last one repeats.
_PAUSES = (0.05, 0.1, 0.2, 0.5, 1.0)

#: How often a quiet connection is asked whether it still lives, and how long it may take to say so, in seconds.
_PULSE = 20.0
_PATIENCE = 5.0


@asynccontextmanager
async def listening(
    dsn: str, channels: Mapping[str, Hear], *, missed: Callable[[], None], presence: str | None = None
) -> AsyncIterator[None]:
    """Each channel's callback hears every payload committed in this block; `missed` is called after an absence.

    With a `presence`, others can tell (`velo.gone`) whether this process still lives: Postgres lets go of it with the
    connection, whatever end the process came to. Raises Unavailable when the server cannot be reached at the start;
    from then on it comes back by itself.
    """
    listener = _Listener(dsn, channels, missed, presence)
    await translated(listener.connect)
    keeper = asyncio.create_task(listener.keep())
    try:
        yield
    finally:
        keeper.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await keeper
        await listener.close()


class _Listener:
    """One connection that listens, and its next one when it is lost."""

    def __init__(self, dsn: str, channels: Mapping[str, Hear], missed: Callable[[], None], presence: str | None) -> None:
        self._dsn = dsn
        self._channels = channels
        self._missed = missed
        self._presence = presence
        self._connection: DriverConnection | None = None
        self._lost = asyncio.Event()

    async def connect(self) -> None:
        """Connects and listens; what is committed from now on is heard."""
        self._connection = connection = await connect(self._dsn, name="velo listening")
        lost = self._lost = asyncio.Event()
        connection.add_termination_listener(lambda _: lost.set())
        for channel, hear in self._channels.items():
            await connection.add_listener(channel, _passing_on(hear))
        if self._presence is not None:
            # Shared, so that it never waits for the session that was lost and that Postgres may not have noticed yet.
            await connection.execute("SELECT pg_advisory_lock_shared(hashtextextended($1, 0))", self._presence)
        if connection.is_closed():
            lost.set()

    async def keep(self) -> None:
        """Comes back whenever the connection is lost, and says that something may have been missed."""
        while True:
            await self._until_lost()
            await self._back()
            asyncio.get_running_loop().call_soon(self._missed)

    async def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(*DRIVER_ERRORS):
                await connection.close(timeout=_PATIENCE)

    async def _until_lost(self) -> None:
        while not self._lost.is_set():
            try:
                await asyncio.wait_for(self._lost.wait(), _PULSE)
            except TimeoutError:
                await self._feel_the_pulse()

    async def _feel_the_pulse(self) -> None:
        """A connection whose other end vanished without a word is found out and given up."""
        if self._connection is None:
            return
        try:
            await self._connection.execute("SELECT 1", timeout=_PATIENCE)
        except DRIVER_ERRORS:
            self._connection.terminate()
            self._lost.set()

    async def _back(self) -> None:
        for pause in chain(_PAUSES, repeat(_PAUSES[-1])):
            await self.close()
            try:
                return await self.connect()
            except DRIVER_ERRORS:
                await asyncio.sleep(pause)


def _passing_on(hear: Hear) -> Callable[[Any, int, Any, object], None]:
    """The driver's callback: it also tells which connection and which process, which is nobody's business."""

    def heard(_connection: Any, _pid: int, channel: Any, payload: object) -> None:
        hear(str(channel), str(payload))

    return heard
