"""One turn from the question to the answer over HTTP: a real server on a real Postgres, one tool call, two calls of a model that answers at
once. What is left is what Velo itself takes.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from bench import cpu, kept
from bench.clock import percentile, spread
from bench.door import Door
from bench.instant import Instant, answering
from bench.kept import ADMIN, AGENT, Crm, Size
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


@dataclass(slots=True)
class Spent:
    """What the turns at one place of their threads took, in milliseconds: on the wall, and of computing in the server and in Postgres."""

    wall: list[float] = field(default_factory=list)
    server: float = 0.0
    postgres: float = 0.0


async def measure(size: Size) -> list[tuple[str, ...]]:
    """Milliseconds of a thread's 1st, 5th, 20th and 50th turn for somebody who sees everything and for somebody who sees little; turns a second
    with fifty threads at once; the server's memory and its start.
    """
    async with kept.holding(size) as crm, answering(Instant()) as model, serving(crm.dsn, model) as served:
        first = await _first_answer(served, crm)
        empty = await _empty(crm)
        base = spread(empty)[1]
        rows: list[tuple[str, ...]] = [
            ("", "median ms", "p95", "x empty", "server CPU ms", "Postgres CPU ms"),
            ("an empty transaction", f"{base:.2f}", f"{percentile(empty, 0.95):.2f}", "1", "", ""),
        ]
        for name, member in _MEMBERS:
            spent = await _threads(served, crm, member)
            rows += [_row(f"turn {turn}, {name}", spent[turn], base) for turn in AT]
        at_rest = served.megabytes
        rate = await _rate(served, crm)
        return [
            *rows,
            (f"{_TOGETHER} threads at once, turns a second", f"{rate:.1f}", "", "", "", ""),
            ("memory of the server, MB: before and after that", f"{at_rest:.0f}", f"{served.megabytes:.0f}", "", "", ""),
            (
                "start, ms: loading, then ready, then answered",
                *(f"{1e3 * await import_seconds():.0f}", f"{1e3 * served.seconds:.0f}", f"{1e3 * first:.0f}", "", ""),
            ),
        ]


def _row(what: str, spent: Spent, base: float) -> tuple[str, ...]:
    median, turns = spread(spent.wall)[1], len(spent.wall)
    figures = (median, percentile(spent.wall, 0.95))
    return (
        what,
        *(f"{figure:.1f}" for figure in figures),
        f"{median / base:.0f}",
        *(f"{milliseconds / turns:.1f}" for milliseconds in (spent.server, spent.postgres)),
    )


def question(names: Sequence[str], first: int, number: int) -> str:
    """Mostly about somebody new, every fourth time about the one before."""
    place = first * _LENGTH + number - (number % 4 == 0)
    return f"¿Qué pasó con {names[place % len(names)]} esta semana?"


async def _first_answer(served: Served, crm: Crm) -> float:
    """Seconds from a server that is ready to the first answer it gives."""
    names = await kept.names(crm, tenant=1, member=ADMIN, most=1)
    async with Door.to(served.url, served.token(1, ADMIN)) as door:
        started = time.perf_counter()
        await door.ask(question(names, 0, 1), None)
        return time.perf_counter() - started


async def _threads(served: Served, crm: Crm, member: int) -> dict[int, Spent]:
    """What turns took, of threads one after another."""
    names = await kept.names(crm, tenant=1, member=member, most=_THREADS * _LENGTH)
    spent: dict[int, Spent] = defaultdict(Spent)
    async with Door.to(served.url, served.token(1, member)) as door:
        for first in range(_THREADS):
            thread = None
            for number in range(1, _LENGTH + 1):
                computed = cpu.seconds(served.pid), cpu.of_children(crm.postmaster)
                started = time.perf_counter()
                thread = (await door.ask(question(names, first, number), thread))["thread_id"]
                elapsed = time.perf_counter() - started
                for turn in (turn for turn, counted in AT.items() if number in counted):
                    spent[turn].wall.append(1e3 * elapsed)
                    spent[turn].server += 1e3 * (cpu.seconds(served.pid) - computed[0])
                    spent[turn].postgres += 1e3 * (cpu.of_children(crm.postmaster) - computed[1])
    return spent


async def _rate(served: Served, crm: Crm) -> float:
    """Turns a second while fifty members ask, each as soon as the answer before is there."""
    tenants = [crm.size.tenant_ids[place % len(crm.size.tenant_ids)] for place in range(_TOGETHER)]
    names = {tenant: await kept.names(crm, tenant=tenant, member=ADMIN, most=_TURNS_TOGETHER) for tenant in set(tenants)}

    async def asks(tenant: int, turns: int) -> None:
        async with Door.to(served.url, served.token(tenant, ADMIN)) as door:
            thread = None
            for number in range(turns):
                thread = (await door.ask(question(names[tenant], 0, number), thread))["thread_id"]

    await asyncio.gather(*(asks(tenant, 1) for tenant in tenants))  # connections are opened, statements planned
    started = time.perf_counter()
    await asyncio.gather(*(asks(tenant, _TURNS_TOGETHER) for tenant in tenants))
    return _TOGETHER * _TURNS_TOGETHER / (time.perf_counter() - started)


async def _empty(crm: Crm) -> list[float]:
    """Milliseconds of transactions in which nothing is done."""
    database = await Database.open(logins(crm.dsn).app, max_size=1)
    spent = []
    for _ in range(_EMPTY):
        started = time.perf_counter()
        async with database.tenant(1) as connection:
            await connection.fetchval("SELECT 1")
        spent.append(1e3 * (time.perf_counter() - started))
    await database.close()
    return spent
