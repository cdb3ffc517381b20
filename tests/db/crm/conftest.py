"""The demo for the tests that only read it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from db.pool import Database
from db.roles import logins
from tests.seeding import Seeded


@pytest.fixture(scope="package")
async def demo(
    seeded: Callable[[int, int], Awaitable[Seeded]], clone_database: Callable[[str], Awaitable[str]]
) -> AsyncIterator[Database]:
    """velo_owner's pool on a copy of the named demo; read only, please."""
    opened = await Database.open(logins(await clone_database((await seeded(1, 0)).database)).owner)
    yield opened
    await opened.close()
