"""Whether this process can work: the database answers, is at this release, and keeps every tenant apart."""

import asyncio
from collections.abc import Callable
from typing import Literal

import structlog

from db import migrate, probe
from db.errors import DatabaseError, UnsafeDatabase
from db.pool import Database

log = structlog.get_logger()

State = Literal["ok", "draining", "unavailable", "unmigrated", "unsafe"]

#: How long an answer may take, in seconds: who asks gives up soon.
_PATIENCE = 3.0


class Readiness:
    """The answer for ``/readyz``. However many ask at once, the database is asked once.

    ``probed`` says that tenants were found to be kept apart already; after every outage that is looked at anew.
    """

    def __init__(self, database: Database, *, preset: str, draining: Callable[[], bool], probed: bool = False) -> None:
        self._database = database
        self._release = migrate.release(preset)
        self._draining = draining
        self._probed = probed
        self._asking: asyncio.Task[State] | None = None
        self._told: State = "ok"

    async def state(self) -> State:
        """How things stand now; never raises."""
        if self._draining():
            return "draining"
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._asked())
        return await asyncio.shield(self._asking)

    async def _asked(self) -> State:
        try:
            async with asyncio.timeout(_PATIENCE):
                state = await self._found()
        except (DatabaseError, TimeoutError):
            state = "unavailable"
        self._probed = self._probed and state == "ok"
        if state != self._told:
            log.warning("readiness_changed", state=state)
        self._told = state
        return state

    async def _found(self) -> State:
        async with self._database.plain(read_only=True) as connection:
            if await migrate.lacking(connection, self._release):
                return "unmigrated"
        if not self._probed:
            try:
                await probe.check(self._database)
            except UnsafeDatabase:
                return "unsafe"
            self._probed = True
        return "ok"
