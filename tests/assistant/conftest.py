"""The demo CRM, filled once, and the whole application over it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime

import httpx2
import pytest

from assistant import administration
from assistant.administration import Seeds
from assistant.settings import Settings
from assistant.wiring import wired

CloneDatabase = Callable[[str], Awaitable[str]]

SECRET = "c81f4d0a6b2e9357" * 4
NOW = datetime(2026, 12, 1, 15, 0, tzinfo=UTC)


@pytest.fixture(scope="session")
async def demo_dsn(template: str, clone_database: CloneDatabase) -> str:
    """The superuser's DSN of a database with the demo CRM; tests only add threads of their own."""
    dsn = await clone_database(template)
    async with administration.owned(dsn) as owner:
        await administration.seed(owner, "demo", Seeds(contacts=40, now=NOW))
    return dsn


@pytest.fixture
async def velo(demo_dsn: str) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of the whole application, with the offline model."""
    settings = Settings(demo=True, serving=True)
    async with (
        wired(settings, dsn=demo_dsn, jwt_secret=SECRET) as app,
        httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://127.0.0.1:8000", timeout=30) as client,
    ):
        yield client
