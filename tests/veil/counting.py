"""A connection that counts its statements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from db.pool import Connection, Row


@dataclass
class Counting:
    """Passes everything on, and keeps every statement."""

    connection: Connection
    statements: list[str] = field(default_factory=list)

    async def fetch(self, query: str, *args: object) -> Sequence[Row]:
        self.statements.append(query)
        return await self.connection.fetch(query, *args)

    async def fetchrow(self, query: str, *args: object) -> Row | None:
        self.statements.append(query)
        return await self.connection.fetchrow(query, *args)

    async def fetchval(self, query: str, *args: object) -> Any:
        self.statements.append(query)
        return await self.connection.fetchval(query, *args)

    async def execute(self, query: str, *args: object) -> str:
        self.statements.append(query)
        return await self.connection.execute(query, *args)

    async def executemany(self, query: str, rows: Iterable[Sequence[object]]) -> None:
        self.statements.append(query)
        await self.connection.executemany(query, rows)
