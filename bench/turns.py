"""One turn from the question to the answer over HTTP: a real server on a real Postgres, one tool call, two calls of a model that answers at
once. What is left is what Velo itself takes.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Sequence

from bench import kept
from bench.clock import percentile, spread
from bench.door import Door
from bench.instant import Instant, answering
from bench.kept import ADMIN, AGENT, Size
from bench.server import Served, import_seconds, serving
from db.pool import Database
from db.roles import logins

#: The turns of a thread that are told, and those whose times count for each.
AT = {1: range(1, 2), 5: range(4, 7), 20: range(18, 23), 50: range(46, 51)}
_LENGTH = 50
_THREADS = 4
_TOGETHER = 50
_TURNS_TOGETHER = 4
_EMPTY = 200
_MEMBERS = (("admin", ADMIN), ("agent of one inbox", AGENT))


async def measure(size: Size) -> list[tuple[str, ...]]:
    """Milliseconds of a thread's 1st, 5th, 20th and 50th turn for somebody who sees everything and for somebody who sees little; turns a second
    with fifty threads at once; the server's memory and its start."""
    with_server = kept.holding(size)
    async with with_server as dsn, answering(Instant()) as model, serving(dsn, model) as served:
        first = await _first_answer(served, dsn)
        empty = await _empty(dsn)
        base = spread(empty)[1]
        rows = [("", "median ms", "p95", "x empty"), ("an empty transaction", f"{base:.2f}", f"{percentile(empty, 0.95):.2f}", "1")]
        for name, member in _MEMBERS:
            spent = await _threads(served, dsn, member)
            rows += [
                (f"turn {turn}, {name}", f"{spread(spent[turn])[1]:.1f}", f"{percentile(spent[turn], 0.95):.1f}", f"{spread(spent[turn])[1] / base:.0f}")
                for turn in AT
            ]
        at_rest = served.megabytes
        rate = await _rate(served, dsn, size)
        rows += [
            (f"{_TOGETHER} threads at once, turns a second", f"{rate:.1f}", "", ""),
            ("memory of the server, MB: before and after that", f"{at_rest:.0f}", f"{served.megabytes:.0f}", ""),
            ("start, ms: loading, ready, first answer", f"{1e3 * await import_seconds():.0f}", f"{1e3 * served.seconds:.0f}", f"{1e3 * first:.0f}"),
        ]
    return rows


def question(names: Sequence[str], first: int, number: int) -> str:
    """Mostly about somebody new, every fourth time about the one before."""
    place = first * _LENGTH + number - (number % 4 == 0)
    return f"¿Qué pasó con {names[place % len(names)]} esta semana?"


async def _first_answer(served: Served, dsn: str) -> float:
    """Seconds from a server that is ready to the first answer it gives."""
    names = await kept.names(dsn, tenant=1, member=ADMIN, most=1)
    async with Door.to(served.url, served.token(1, ADMIN)) as door:
        started = time.perf_counter()
        await door.ask(question(names, 0, 1), None)
        return time.perf_counter() - started


async def _threads(served: Served, dsn: str, member: int) -> dict[int, list[float]]:
    """Milliseconds by turn, of threads one after another."""
    names = await kept.names(dsn, tenant=1, member=member, most=_THREADS * _LENGTH)
    spent: dict[int, list[float]] = defaultdict(list)
    async with Door.to(served.url, served.token(1, member)) as door:
        for first in range(_THREADS):
            thread = None
            for number in range(1, _LENGTH + 1):
                started = time.perf_counter()
                thread = (await door.ask(question(names, first, number), thread))["thread_id"]
                elapsed = 1e3 * (time.perf_counter() - started)
                for turn in (turn for turn, counted in AT.items() if number in counted):
                    spent[turn].append(elapsed)
    return spent


async def _rate(served: Served, dsn: str, size: Size) -> float:
    """Turns a second while fifty members ask, each as soon as the answer before is there."""
    tenants = [size.tenant_ids[place % len(size.tenant_ids)] for place in range(_TOGETHER)]
    names = {tenant: await kept.names(dsn, tenant=tenant, member=ADMIN, most=_TURNS_TOGETHER) for tenant in set(tenants)}

    async def asks(tenant: int, turns: int) -> None:
        async with Door.to(served.url, served.token(tenant, ADMIN)) as door:
            thread = None
            for number in range(turns):
                thread = (await door.ask(question(names[tenant], 0, number), thread))["thread_id"]

    await asyncio.gather(*(asks(tenant, 1) for tenant in tenants))  # connections are opened, statements planned
    started = time.perf_counter()
    await asyncio.gather(*(asks(tenant, _TURNS_TOGETHER) for tenant in tenants))
    return _TOGETHER * _TURNS_TOGETHER / (time.perf_counter() - started)


async def _empty(dsn: str) -> list[float]:
    """Milliseconds of transactions in which nothing is done."""
    database = await Database.open(logins(dsn).app, max_size=1)
    spent = []
    for _ in range(_EMPTY):
        started = time.perf_counter()
        async with database.tenant(1) as connection:
            await connection.fetchval("SELECT 1")
        spent.append(1e3 * (time.perf_counter() - started))
    await database.close()
    return spent
