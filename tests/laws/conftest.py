"""A house of its own for every law test, from a copy of one that is filled already."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from db.embedded import Server
from db.pool import Database
from db.roles import logins
from tests.house import House, fill
from tests.postgres import execute, on


@pytest.fixture(scope="session")
async def filled(template: str, clone_database: Callable[[str], Awaitable[str]]) -> str:
    """The name of a database that holds both tenants' CRM and no thread."""
    dsn = await clone_database(template)
    owner = await Database.open(logins(dsn).owner)
    await fill(owner)
    await owner.close()
    return dsn.rpartition("/")[2]


@pytest.fixture
async def house_dsn(server: Server, filled: str, clone_database: Callable[[str], Awaitable[str]]) -> AsyncIterator[str]:
    """The superuser's DSN of the house's database."""
    dsn = await clone_database(filled)
    yield dsn
    await execute(on(server.dsn, "postgres"), f'DROP DATABASE "{dsn.rpartition("/")[2]}" WITH (FORCE)')


@pytest.fixture
async def house(house_dsn: str) -> AsyncIterator[House]:
    """Turns on the house's CRM with a scripted model."""
    database, owner = await Database.open(logins(house_dsn).app), await Database.open(logins(house_dsn).owner)
    yield House(database, owner)
    await database.close()
    await owner.close()
