"""A server, its model and its database, and the places in a turn where all three can be made to stand still."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

from db.pool import Database
from tests.faults.line import Line
from tests.faults.served import Served
from tests.model_endpoint import DONE, ModelEndpoint, chunk, stream, streamed

_WAITING = """
SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
WHERE NOT granted AND datname = current_database()
"""


@dataclass
class Stage:
    """A server over the CRM of ``tests.house``; ``line`` is its way to Postgres, ``owner`` goes another."""

    served: Served
    endpoint: ModelEndpoint
    owner: Database
    line: Line

    async def sql(self, statement: str, *arguments: object) -> Sequence[Mapping[str, Any]]:
        """One statement of the owner in tenant 1."""
        async with self.owner.tenant(1) as connection:
            return await connection.fetch(statement, *arguments)

    def script(self, *replies: Any) -> None:
        """What the model says from now on."""
        self.endpoint.script, self.endpoint.used = replies, 0

    async def model_is_asked(self, times: int) -> None:
        """Returns once the model got this many requests of the script."""
        while self.endpoint.used < times:  # noqa: ASYNC110 - another process is waited for
            await asyncio.sleep(0.01)

    async def lock(self, stack: AsyncExitStack, table: str, mode: str = "ACCESS EXCLUSIVE") -> None:
        """Holds a table until the stack is left."""
        connection = await stack.enter_async_context(self.owner.tenant(1))
        await connection.execute(f"LOCK TABLE {table} IN {mode} MODE")

    async def somebody_waits(self) -> None:
        """Returns once a session waits for a lock."""
        await self.found(_WAITING)

    async def found(self, statement: str) -> None:
        """Returns once a statement gives a row."""
        while not await self.sql(statement):  # noqa: ASYNC110 - another process is waited for
            await asyncio.sleep(0.01)


def held(stack: AsyncExitStack, reply: Mapping[str, Any], *, after: int) -> tuple[Any, asyncio.Event]:
    """A reply whose stream stands still after some chunks; the gate opens by hand, or when the stack is left."""
    gate = asyncio.Event()
    stack.callback(gate.set)
    chunks = streamed(reply)
    return stream(*chunks[:after], gate, *chunks[after:]), gate


def drip(text: str, *, gate: asyncio.Event) -> Any:
    """An answer that comes word by word, and whose end waits."""
    return stream(*(chunk(f"{word} ") for word in text.split()), gate, chunk(finish="stop"), DONE)
