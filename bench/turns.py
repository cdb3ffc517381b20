"""One turn from the question to the stored answer on a real Postgres, with a model that answers at once: what Velo itself takes."""

import time
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from hashlib import sha256
from typing import cast

from assistant.job import Parts
from assistant.model.port import Hear, Reply, ReplyCall, deaf
from assistant.question import Ask
from assistant.turns import Turns
from bench.clock import Stage, percentile, spread, timed
from bench.crm import Tenant
from bench.postgres import holding
from db.crm.demo.seed import NOW
from db.pool import Connection, Database
from tests.veil.counting import Counting
from tools.permissions import Actor, Role
from veil import guard, tokens
from veil.payload import Request
from veil.payload import Role as Speaker
from veil.text import Clear

_AT = (1, 5, 20)
_THREADS = 8
_EMPTY = 100
_STAGES: Sequence[Stage] = (("guard", guard, "inspect"),)


class Instant:
    """A model without a mind: it reads the messages of the person last asked about, then says one sentence about them."""

    async def ask(self, request: Request, hear: Hear = deaf) -> Reply:
        """A call for each question, a sentence for each result."""
        asked = [found.token for message in request.messages for part in message.veiled() for found in tokens.find(part.text)]
        person = next((token for token in reversed(asked) if token.letter == "C"), None)
        if person is not None and request.messages[-1].role is Speaker.USER:
            call = ReplyCall("1", "read_messages", f'{{"contact":"{person}"}}')
            return Reply("", (call,), "tool_calls", None, b"{}")
        said = f"{person} escribió hace poco; su teléfono es {person}.phone."
        await hear(said)
        return Reply(said, (), "stop", None, b"{}")


class CountingDatabase:
    """As much of a database as turns use; counts the statements and transactions that go over it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.statements = self.transactions = 0

    @asynccontextmanager
    async def tenant(self, tenant_id: int, *, read_only: bool = False) -> AsyncIterator[Connection]:
        """One transaction of a tenant."""
        self.transactions += 1
        async with self._database.tenant(tenant_id, read_only=read_only) as connection:
            counting = Counting(connection)
            try:
                yield counting
            finally:
                self.statements += len(counting.statements)


async def measure(tenants: Sequence[Tenant]) -> list[tuple[str, ...]]:
    """Milliseconds of a thread's 1st, 5th and 20th turn, the statements of each, and the guard's share."""
    async with holding(tenants) as database:
        counting = CountingDatabase(database)
        parts = Parts(cast(Database, counting), Instant(), lambda: NOW)
        turns = Turns(parts, model="instant", software="bench")
        actor = Actor(tenants[0].number, 1, Role.ADMIN)
        names = [row["name"] for row in tenants[0].tables["contacts"]]
        spent: dict[int, list[float]] = defaultdict(list)
        statements: dict[int, list[int]] = defaultdict(list)
        guarded: dict[int, list[float]] = defaultdict(list)
        await _turn(turns, actor, _question(names, 0, 0), None)
        for first in range(_THREADS):
            thread = None
            for number in range(1, max(_AT) + 1):
                before = counting.statements + 2 * counting.transactions
                with timed(_STAGES) as stages:
                    started = time.perf_counter()
                    thread = await _turn(turns, actor, _question(names, first, number), thread)
                    spent[number].append(1e3 * (time.perf_counter() - started))
                statements[number].append(counting.statements + 2 * counting.transactions - before)
                guarded[number].append(1e3 * stages["guard"])
        empty = [await _empty(database, actor) for _ in range(_EMPTY)]
    base = spread(empty)[1]
    return [
        ("an instant model, one tool call", "median ms", "p95", "statements", "guard ms", "x empty"),
        ("an empty transaction", f"{base:.2f}", f"{percentile(empty, 0.95):.2f}", "3", "", "1"),
        *(
            (
                f"turn {number}",
                f"{spread(spent[number])[1]:.1f}",
                f"{percentile(spent[number], 0.95):.1f}",
                f"{spread(statements[number])[1]:.0f}",
                f"{spread(guarded[number])[1]:.2f}",
                f"{spread(spent[number])[1] / base:.0f}",
            )
            for number in _AT
        ),
    ]


def _question(names: Sequence[str], first: int, number: int) -> str:
    """Mostly about somebody new, every fourth time about the one before."""
    place = first * max(_AT) + number - (number % 4 == 0)
    return f"¿Qué pasó con {names[place % len(names)]} esta semana?"


async def _empty(database: Database, actor: Actor) -> float:
    started = time.perf_counter()
    async with database.tenant(actor.tenant_id) as connection:
        await connection.fetchval("SELECT 1")
    return 1e3 * (time.perf_counter() - started)


async def _turn(turns: Turns, actor: Actor, text: str, thread: int | None) -> int:
    ask = Ask(Clear(text), thread, (), None, sha256(text.encode()).digest())
    answer = await turns.finished(actor, await turns.ask(actor, ask))
    number: int = answer["thread_id"]
    return number
