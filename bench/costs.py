"""Where the time of a turn goes: the statements and transactions of a turn, and the wall and CPU share of each part of it, in one process."""

import asyncio
import secrets
import socket
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar
from unittest.mock import patch

import uvicorn
from pydantic import SecretStr

from assistant import logging
from assistant.history import History
from assistant.model.openai_client import OpenAIModel
from assistant.settings import Settings
from assistant.wiring import wired
from bench import kept, turns
from bench.clock import Stage, spread, timed
from bench.door import Door
from bench.instant import Instant, answering
from bench.kept import ADMIN, Size
from bench.server import Served
from db.pool import Connection, Database, Row
from db.queries import load
from veil import guard, veiling
from veil.payload import Request

T = TypeVar("T")

_AT = (1, 5, 20, 50)
#: Turns around each place that are counted.
_AROUND = 2
_THREADS = 2
_LEADING = 8

#: What is timed of the veil; none calls another.
_STAGES: Sequence[Stage] = (
    ("reading the question", veiling, "read"),
    ("masking history anew", History, "remask"),
    ("the guard", guard, "inspect"),
    ("the request's bytes", Request, "encode"),
    ("the model and the way to it", OpenAIModel, "ask"),
)
#: The .sql files whose statements are told by name.
_FILES = (
    *(("veil", name) for name in ("resolve", "store")),
    *(("assistant", name) for name in ("turns", "events", "lookups")),
    ("assistant.http", "auth"),
    ("audit", "record"),
    *(("tools", name) for name in ("run", "messages")),
)


class Ledger:
    """What went over the database: statements with their seconds, by name, and transactions."""

    def __init__(self) -> None:
        self.statements: dict[str, list[float]] = defaultdict(list)
        self.transactions = 0
        self.bracket = 0.0  # seconds of beginning and ending transactions, the wait for a connection included
        self._names = {text: f"{file}.{name}" for package, file in _FILES for name, text in load(package, file).items()}

    def note(self, query: str, seconds: float) -> None:
        """A statement was answered."""
        self.statements[self._names.get(query, query.split("\n", 1)[0][:40])].append(seconds)

    def clear(self) -> None:
        """Forget all."""
        self.statements.clear()
        self.transactions, self.bracket = 0, 0.0


class _Noted:
    """A connection whose statements are noted."""

    def __init__(self, connection: Connection, ledger: Ledger) -> None:
        self._connection = connection
        self._ledger = ledger

    async def fetch(self, query: str, *args: object) -> Sequence[Row]:
        return await self._noted(query, self._connection.fetch(query, *args))

    async def fetchrow(self, query: str, *args: object) -> Row | None:
        return await self._noted(query, self._connection.fetchrow(query, *args))

    async def fetchval(self, query: str, *args: object) -> Any:
        return await self._noted(query, self._connection.fetchval(query, *args))

    async def execute(self, query: str, *args: object) -> str:
        return await self._noted(query, self._connection.execute(query, *args))

    async def executemany(self, query: str, rows: Iterable[Sequence[object]]) -> None:
        await self._noted(query, self._connection.executemany(query, rows))

    async def _noted(self, query: str, answer: Awaitable[T]) -> T:
        started = time.perf_counter()
        try:
            return await answer
        finally:
            self._ledger.note(query, time.perf_counter() - started)


@asynccontextmanager
async def noting(ledger: Ledger) -> AsyncIterator[None]:
    """Every transaction of a tenant is noted while the block runs."""
    opened = Database.tenant

    @asynccontextmanager
    async def noted(self: Database, tenant_id: int, **options: Any) -> AsyncIterator[Connection]:
        started = time.perf_counter()
        async with opened(self, tenant_id, **options) as connection:
            ledger.bracket += time.perf_counter() - started
            yield _Noted(connection, ledger)
            started = time.perf_counter()
        ledger.transactions += 1
        ledger.bracket += time.perf_counter() - started

    with patch.object(Database, "tenant", noted):
        yield


@asynccontextmanager
async def _served(dsn: str, model_url: str) -> AsyncIterator[Served]:
    """The server in this process, on a port."""
    secret = secrets.token_hex(32)
    logging.configure("ERROR")
    settings = Settings(demo=False, serving=False).model_copy(update={"openai_base_url": model_url, "openai_api_key": SecretStr("none")})
    async with wired(settings, dsn=dsn, jwt_secret=secret) as app:
        listener = socket.create_server(("127.0.0.1", 0))
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, lifespan="off"))
        task = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            yield Served(f"http://127.0.0.1:{listener.getsockname()[1]}", secret, 0, 0.0)
        finally:
            server.should_exit = True
            await task


async def measure(size: Size) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """Statements and transactions of the 1st, 5th, 20th and 50th turn; and where the wall time of the 20th goes."""
    ledger = Ledger()
    counts: dict[int, tuple[list[int], list[int]]] = {turn: ([], []) for turn in _AT}
    profile = Profile()
    async with kept.holding(size) as crm, answering(Instant()) as model, _served(crm.dsn, model) as served, noting(ledger):
        names = await kept.names(crm, tenant=1, member=ADMIN, most=_THREADS * 50)
        async with Door.to(served.url, served.token(1, ADMIN)) as door:
            for first in range(_THREADS):
                thread = None
                for number in range(1, max(_AT) + 1):
                    ledger.clear()
                    started = time.perf_counter()
                    with timed(_STAGES) as stages:
                        thread = (await door.ask(turns.question(names, first, number), thread))["thread_id"]
                    if abs(number - 20) <= _AROUND:
                        profile.add(time.perf_counter() - started, stages, ledger)
                    if number in counts:
                        counts[number][0].append(sum(map(len, ledger.statements.values())))
                        counts[number][1].append(ledger.transactions)
    statements: list[tuple[str, ...]] = [("", *(f"turn {turn}" for turn in _AT))]
    for place, what in enumerate(("statements of a turn", "its transactions")):
        statements.append((what, *(f"{spread(counts[turn][place])[1]:.0f}" for turn in _AT)))
    return statements, profile.rows()


class Profile:
    """What turns came to, by part."""

    def __init__(self) -> None:
        self._turns = 0
        self._whole = 0.0
        self._parts: dict[str, float] = defaultdict(float)
        self._statements: dict[str, list[float]] = defaultdict(list)

    def add(self, seconds: float, stages: Mapping[str, float], ledger: Ledger) -> None:
        """One more turn."""
        self._turns += 1
        self._whole += seconds
        for name, spent in stages.items():
            self._parts[name] += spent
        self._parts["statements of the database"] += sum(map(sum, ledger.statements.values()))
        self._parts["begin, commit, waiting for a connection"] += ledger.bracket
        for name, each in ledger.statements.items():
            self._statements[name] += each

    def rows(self) -> list[tuple[str, ...]]:
        """The parts, the dearest first; then the dearest statements."""
        parts = sorted(self._parts.items(), key=lambda part: -part[1])
        rest = self._whole - sum(self._parts.values())
        told = [("all", self._whole), *parts, ("the rest: HTTP, tools, results, reading and writing rows", rest)]
        dear = sorted(self._statements.items(), key=lambda statement: -sum(statement[1]))[:_LEADING]
        return [
            ("", "ms", "share", "each turn"),
            *((name, self._ms(spent), self._share(spent), "") for name, spent in told),
            *((f"statement {name}", self._ms(sum(each)), self._share(sum(each)), f"{len(each) / self._turns:.1f}") for name, each in dear),
        ]

    def _share(self, seconds: float) -> str:
        return f"{100 * seconds / self._whole:.0f} %"

    def _ms(self, seconds: float) -> str:
        return f"{1e3 * seconds / self._turns:.2f}"
