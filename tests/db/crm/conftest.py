"""The demo, seeded once for the tests that only read it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from db.pool import Database
from db.roles import logins
from tests.seeding import seed_demo


@pytest.fixture(scope="package")
async def demo(template: str, clone_database: Callable[[str], Awaitable[str]]) -> AsyncIterator[Database]:
    """velo_owner's pool on the named demo; read only, please."""
    dsn = logins(await clone_database(template)).owner
    await seed_demo(dsn)
    opened = await Database.open(dsn)
    yield opened
    await opened.close()
