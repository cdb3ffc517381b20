"""Servers as processes of their own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from urllib.parse import urlsplit

import pytest

from db import embedded
from db.pool import Database
from db.roles import logins
from tests.conftest import CloneDatabase
from tests.faults.line import line_to
from tests.faults.nursery import Nursery
from tests.faults.served import Served
from tests.faults.stage import Stage
from tests.model_endpoint import ModelEndpoint, serving
from tests.postgres import execute


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    """Where the servers of the fault tests come from."""
    with Nursery() as opened:
        yield opened


@pytest.fixture(scope="module")
async def stage(
    server: embedded.Server, filled: str, clone_database: CloneDatabase, nursery: Nursery, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Stage]:
    """A server over a house of its own, with a line to Postgres that can be cut."""
    dsn = await clone_database(filled)
    owner = await Database.open(logins(dsn).owner)
    endpoint = ModelEndpoint(["Listo."])
    async with serving(endpoint) as model, line_to(dsn) as line:
        served = Served(nursery, database=line.dsn, model=model, log=tmp_path_factory.mktemp("served") / "log")
        await served.start()
        yield Stage(served, endpoint, owner, line)
        await served.close()
    await owner.close()
    await execute(server.dsn, f'DROP DATABASE "{urlsplit(dsn).path[1:]}" WITH (FORCE)')
