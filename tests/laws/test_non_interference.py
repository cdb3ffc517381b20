"""Law 1: two CRMs that differ by a renaming alone send the same bytes. On every conversation also laws 2 (nothing leaks) and 9 (prefixes stay)."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from assistant.model import openai_client
from db import embedded
from db.crm.demo.casting import Cast
from db.pool import Database
from db.roles import logins
from tests.conftest import CloneDatabase, execute, on
from tests.laws import payloads
from tests.laws.conversations import conversation
from tests.laws.twins import Twin
from tests.seeding import seed_demo

Twins = Callable[[int, int], Awaitable[tuple[Twin, Twin]]]


@pytest.fixture(scope="session")
async def seeded(server: embedded.Server, template: str, clone_database: CloneDatabase) -> Callable[[int, int], Awaitable[str]]:
    """Names of seeded databases that nobody writes to, each made once."""
    made: dict[tuple[int, int], str] = {}

    async def seeded_database(structure: int, people: int) -> str:
        if (structure, people) not in made:
            name = f"seeded_{structure}_{people}"
            await execute(server.dsn, f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY FILE_COPY')
            await seed_demo(logins(on(server.dsn, name)).owner, structure_seed=structure, people_seed=people)
            made[structure, people] = name
        return made[structure, people]

    return seeded_database


@pytest.fixture
async def twins(
    server: embedded.Server, seeded: Callable[[int, int], Awaitable[str]], clone_database: CloneDatabase
) -> AsyncIterator[Callable[..., Awaitable[list[Twin]]]]:
    opened: list[Database] = []
    names: list[str] = []

    async def open_twins(*people: int, structure: int = 1) -> list[Twin]:
        found = []
        for seed in people:
            dsn = await clone_database(await seeded(structure, seed))
            names.append(dsn.rpartition("/")[2])
            app, owner = await Database.open(logins(dsn).app, max_size=2), await Database.open(logins(dsn).owner, max_size=1)
            opened.extend((app, owner))
            found.append(Twin(app, owner, Cast(seed)))
        return found

    yield open_twins
    for database in opened:
        await database.close()
    for name in names:
        await execute(server.dsn, f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """A failing model is tried again at once."""
    monkeypatch.setattr(openai_client, "PAUSES", (0.0, 0.0))


@pytest.mark.parametrize("seed", range(40))
async def test_twins_send_the_same_bytes(twins, seed: int) -> None:
    left, right = await twins(0, 1)
    talk = conversation(seed)
    one, other = await asyncio.gather(left.hold(talk), right.hold(talk))
    difference = payloads.first_difference(one.bodies, other.bodies)
    assert difference is None, difference
    assert one.turns == other.turns
    for held in (one, other):
        broken = payloads.broken_prefix(held.sent)
        assert broken is None, broken
        assert payloads.leaks(held.sent, held.forms, held.values) == []
