"""The cases are played in a house, or on a stage that the cases of one file share."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from db.pool import Database
from db.roles import logins
from tests.house import House


@pytest.fixture(scope="module")
async def stage(filled: str, clone_database: Callable[[str], Awaitable[str]]) -> AsyncIterator[House]:
    """A house for cases that bring contacts and threads of their own, one after the other."""
    dsn = await clone_database(filled)
    database, owner = await Database.open(logins(dsn).app), await Database.open(logins(dsn).owner)
    yield House(database, owner)
    await database.close()
    await owner.close()
