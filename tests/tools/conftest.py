"""The small CRM of ``tests.tools.world``: one for all tests that only read, a copy for each test that writes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from db.pool import Database
from db.roles import logins
from tests.tools.world import fill

CloneDatabase = Callable[[str], Awaitable[str]]


@pytest.fixture(scope="session")
async def world_dsn(template: str, clone_database: CloneDatabase) -> str:
    """The superuser's DSN of the filled database."""
    dsn = await clone_database(template)
    owner = await Database.open(logins(dsn).owner)
    await fill(owner)
    await owner.close()
    return dsn


@pytest.fixture(scope="session")
async def crm(world_dsn: str) -> AsyncIterator[Database]:
    """The application's pool on the filled database, which no test changes."""
    opened = await Database.open(logins(world_dsn).app)
    yield opened
    await opened.close()


@pytest.fixture
async def own_crm(app_dsn: str, owner: Database) -> AsyncIterator[Database]:
    """The application's pool on a filled database that this test may change through ``owner``."""
    await fill(owner)
    opened = await Database.open(app_dsn)
    yield opened
    await opened.close()


@pytest.fixture
async def unguarded(world_dsn: str) -> AsyncIterator[Database]:
    """A superuser's pool on the filled database: row-level security does not help here."""
    opened = await Database.open(world_dsn)
    yield opened
    await opened.close()
