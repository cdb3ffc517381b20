"""kill -9 of the server in any step of a turn: nothing is half-stored, the thread goes on, and no token is given twice.

All kills come first, each of a server that stands still at a step because the model waits or a table is locked; what is
left of each turn is looked at afterwards, when the server has been started again and has found the turns to be dead.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest

from db import embedded
from db.pool import Database
from db.roles import logins
from tests.conftest import CloneDatabase
from tests.faults.served import Served
from tests.laws.payloads import broken_prefix
from tests.model_endpoint import DONE, ModelEndpoint, Script, calls, chunk, serving, stream, streamed
from tests.postgres import execute

FIRST = "¿Qué pasó con María López?"
SECOND = "¿Y con Otoniel Ibarrola?"
THIRD = "¿Otoniel Ibarrola o Zulema Pacheco?"


@dataclass
class Scene:
    """One thread, in whose second turn the server was killed."""

    thread: int
    before: set[int] = field(default_factory=set)  # turns that were there already
    sent: list[dict[str, Any]] = field(default_factory=list)  # what the model got of this thread
    seen: list[Any] = field(default_factory=list)  # events that the client had before the kill
    minted: dict[tuple[str, int], int] = field(default_factory=dict)  # letter and number -> entity, at the kill


@dataclass
class Stage:
    """A server, its model, its database."""

    served: Served
    endpoint: ModelEndpoint
    owner: Database

    async def sql(self, statement: str, *arguments: object) -> Any:
        async with self.owner.tenant(1) as connection:
            return await connection.fetch(statement, *arguments)

    async def tokens(self, thread: int) -> dict[tuple[str, int], int]:
        rows = await self.sql("SELECT kind, number, entity_id FROM velo.tokens WHERE thread_id = $1 AND entity_id IS NOT NULL", thread)
        return {(row["kind"], row["number"]): row["entity_id"] for row in rows}

    @contextlib.asynccontextmanager
    async def locked(self, table: str, mode: str = "ACCESS EXCLUSIVE") -> AsyncIterator[Callable[[], Awaitable[None]]]:
        """Holds a table; gives what waits until somebody else waits for it."""
        async with self.owner.tenant(1) as connection:
            await connection.execute(f"LOCK TABLE {table} IN {mode} MODE")
            yield lambda: self.somebody_waits()

    async def somebody_waits(self) -> None:
        """Returns once a session waits for a lock."""
        while not await self.sql("SELECT FROM pg_locks AS l JOIN pg_stat_activity AS a USING (pid) WHERE NOT granted AND a.datname = current_database()"):
            await asyncio.sleep(0.01)


@pytest.fixture(scope="module")
async def stage(
    server: embedded.Server, filled: str, clone_database: CloneDatabase, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Stage]:
    dsn = await clone_database(filled)
    owner = await Database.open(logins(dsn).owner)
    endpoint = ModelEndpoint(["Listo."])
    async with serving(endpoint) as model:
        served = Served(database=dsn, model=model, log=tmp_path_factory.mktemp("served") / "log")
        await served.start()
        yield Stage(served, endpoint, owner)
        await served.close()
    await owner.close()
    await execute(server.dsn, f'DROP DATABASE "{urlsplit(dsn).path[1:]}" WITH (FORCE)')


# --- the steps, each brings a turn of a thread to where the server is to be killed ------------------------------------------------------


async def until(done: Callable[[], bool]) -> None:
    while not done():  # noqa: ASYNC110 - another process is waited for
        await asyncio.sleep(0.01)


Ready = Callable[[], Awaitable[None]]
Step = Callable[[Stage, Scene], contextlib.AbstractAsyncContextManager[Ready]]
