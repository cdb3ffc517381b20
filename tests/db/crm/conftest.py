"""The demo for the tests that only read it, and the CRM of every preset for those that hold them all to one contract."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from urllib.parse import urlsplit

import pytest

from db import embedded
from db.pool import Database
from db.roles import logins
from tests.db.crm.presets import WORLDS
from tests.db.crm.worlds import World
from tests.postgres import execute, on
from tests.seeding import Seeded


@pytest.fixture(scope="package")
async def demo(
    seeded: Callable[[int, int], Awaitable[Seeded]], clone_database: Callable[[str], Awaitable[str]]
) -> AsyncIterator[Database]:
    """velo_owner's pool on a copy of the named demo; read only, please."""
    opened = await Database.open(logins(await clone_database((await seeded(1, 0)).database)).owner)
    yield opened
    await opened.close()


@pytest.fixture(scope="package", params=WORLDS, ids=[world.preset for world in WORLDS])
async def built(request: pytest.FixtureRequest, server: embedded.Server, template: str) -> tuple[World, str]:
    """A preset's CRM, filled, and the name of its database; nobody writes there."""
    world: World = request.param
    name = f"contract_{world.preset}"
    await execute(server.dsn, f'CREATE DATABASE "{name}"')
    await world.build(on(server.dsn, name))
    return world, name


@pytest.fixture
async def world(built: tuple[World, str]) -> World:
    return built[0]


@pytest.fixture
async def dsn(built: tuple[World, str], server: embedded.Server, clone_database: Callable[[str], Awaitable[str]]) -> AsyncIterator[str]:
    """The administrator's DSN of a copy that only this test has."""
    copy = await clone_database(built[1])
    yield copy
    await execute(server.dsn, f'DROP DATABASE "{urlsplit(copy).path[1:]}" WITH (FORCE)')


@pytest.fixture
async def app(dsn: str) -> AsyncIterator[Database]:
    opened = await Database.open(logins(dsn).app)
    yield opened
    await opened.close()


@pytest.fixture(scope="package")
async def still(built: tuple[World, str], clone_database: Callable[[str], Awaitable[str]]) -> AsyncIterator[Database]:
    """The application's pool on a copy that nothing happens in."""
    opened = await Database.open(logins(await clone_database(built[1])).app)
    yield opened
    await opened.close()
