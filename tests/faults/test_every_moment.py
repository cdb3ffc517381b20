"""A turn that is stopped, or loses Postgres, at any statement or commit of it: nothing is half-stored, and the thread goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from assistant.job import Job
from db.errors import Unavailable
from db.pool import Connection
from tests.assistant.test_turns import asking
from tests.faults.aftermath import half_stored
from tests.house import ADMIN, House
from tests.model_endpoint import calls

#: More moments than a turn of one tool call has.
_MOST = 120
_PATIENCE = 60


class Moments:
    """Counts the statements and commits of a database from ``begin`` on, and does something at one of them."""

    def __init__(self, house: House, number: int, when: str, do: Callable[[], Awaitable[None]]) -> None:
        self._real = house.database.tenant
        self._number, self._when, self._do = number, when, do
        self._count = 0
        self._on = False
        self.reached = False

    def begin(self) -> None:
        self._on = True

    @asynccontextmanager
    async def tenant(self, tenant: int, **options: Any) -> AsyncIterator[Connection]:
        async with self._real(tenant, **options) as connection:
            yield _Counted(connection, self)
        await self.come_to("at a commit")

    async def come_to(self, when: str) -> None:
        if self._on and when == self._when:
            self._count += 1
            if self._count == self._number:
                self.reached = True
                await self._do()


class _Counted:
    """A connection whose statements are moments."""

    def __init__(self, connection: Connection, moments: Moments) -> None:
        self._connection, self._moments = connection, moments

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._connection, name)

        async def called(query: str, *arguments: object) -> Any:
            await self._moments.come_to("before a statement")
            given = await method(query, *arguments)
            await self._moments.come_to("after a statement")
            return given

        return called


@pytest.mark.parametrize("fault", ["a stop", "Postgres is lost"])
@pytest.mark.parametrize("when", ["before a statement", "at a commit", pytest.param("after a statement", marks=pytest.mark.prove)])
async def test_whatever_the_moment_nothing_is_half_stored(house: House, monkeypatch: pytest.MonkeyPatch, when: str, fault: str) -> None:
    for number in range(1, _MOST):
        house.restart()
        if not await _once(house, monkeypatch, number, when, fault):
            assert number > 5
            return
        assert {name: rows for name, query in half_stored().items() if (rows := await house.sql(query))} == {}
        (turn,) = await house.sql("SELECT thread_id, state FROM velo.turns")
        assert turn["state"] in {"done", "stopped", "failed"}
        house.script(["Sigo."])
        assert (await house.ask("¿y ahora?", thread=turn["thread_id"]))["message"]["text"] == "Sigo."
        await house.sql("DELETE FROM velo.threads")
    raise AssertionError("a turn has no end")


async def _once(house: House, monkeypatch: pytest.MonkeyPatch, number: int, when: str, fault: str) -> bool:
    """Whether a turn came to its moment of this number, at which the fault befell it."""
    house.script([calls(("list_team", {})), "Listo, habla C-1 con U-1."])
    runner = house.turns._runner
    start = runner.start
    turns: list[int] = []

    async def befall() -> None:
        if fault == "a stop":
            runner.stop((1, turns[0]))
            await asyncio.sleep(0)
        else:
            raise Unavailable("the connection to the database was lost")

    moments = Moments(house, number, when, befall)

    def begin(job: Job) -> None:
        turns.append(job.turn_id)
        moments.begin()
        start(job)

    with monkeypatch.context() as patch:
        patch.setattr(runner, "start", begin)
        patch.setattr(house.database, "tenant", moments.tenant)
        await house.turns.ask(ADMIN, asking("¿Qué pasó con María López?"))
        async with asyncio.timeout(_PATIENCE):
            await house.turns.idle()
    return moments.reached
