"""What every test may use: a real Postgres, databases of its own, empty or filled, and no way out to the world."""

from __future__ import annotations

import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import settings

from db import embedded
from db.migrate import migrate
from db.pool import Database
from db.roles import logins
from tests.house import House, fill
from tests.postgres import execute, on, scratch
from tests.seeding import Seeded, seed_demo

_FOREIGN = ("VELO_", "OPENAI_", "PG", "DATABASE_URL")

CloneDatabase = Callable[[str], Awaitable[str]]
SeedDatabase = Callable[[int, int], Awaitable[Seeded]]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--prove", action="store_true", help="also the long runs, with many more examples each")


def pytest_configure(config: pytest.Config) -> None:
    """No setting and no key of the machine reaches a test; hypothesis is given as long as it takes, and throws the same dice in every run but a long one."""
    settings.register_profile("test", deadline=None, print_blob=True, derandomize=True)
    settings.register_profile("prove", settings.get_profile("test"), derandomize=False, max_examples=2_000)
    settings.load_profile("prove" if config.getoption("--prove") else "test")
    for name in list(os.environ):
        if name.startswith(_FOREIGN):
            del os.environ[name]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves the long runs out, unless they are asked for; then they may take hours."""
    proving = config.getoption("--prove")
    for item in [item for item in items if item.get_closest_marker("prove")]:
        if proving:
            item.add_marker(pytest.mark.timeout(4 * 3600))
        else:
            items.remove(item)


@pytest.fixture(scope="session", autouse=True)
def _no_network() -> Iterator[None]:
    """A socket reaches this machine only, and only such names are looked up."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("connect", "connect_ex"):
            patch.setattr(socket.socket, name, _at_home(getattr(socket.socket, name)))
        patch.setattr(socket, "getaddrinfo", _at_home_lookup(socket.getaddrinfo))
        yield


@pytest.fixture(scope="session")
def server() -> Iterator[embedded.Server]:
    """One Postgres for the session, without the waits for the disk."""
    with scratch() as folder:
        running = embedded.start(folder / "postgres", fsync=False)
        yield running
        running.stop()


@pytest.fixture(scope="session")
async def template(server: embedded.Server) -> str:
    """The name of a migrated database that nobody writes to."""
    await execute(server.dsn, 'CREATE DATABASE "template_migrated"')
    await migrate(on(server.dsn, "template_migrated"), preset="demo")
    return "template_migrated"


@pytest.fixture(scope="session")
def clone_database(server: embedded.Server) -> CloneDatabase:
    """Copies a database, which takes some ten milliseconds; gives the administrator's DSN of the copy."""
    numbers = iter(range(1, 1_000_000))

    async def clone(of: str) -> str:
        name = f"clone_{next(numbers)}"
        await execute(server.dsn, f'CREATE DATABASE "{name}" TEMPLATE "{of}" STRATEGY FILE_COPY')
        return on(server.dsn, name)

    return clone


@pytest.fixture
async def admin_dsn(server: embedded.Server, template: str, clone_database: CloneDatabase) -> AsyncIterator[str]:
    """The superuser's DSN of a database that only this test has."""
    dsn = await clone_database(template)
    yield dsn
    await execute(server.dsn, f'DROP DATABASE "{urlsplit(dsn).path[1:]}" WITH (FORCE)')


@pytest.fixture
def owner_dsn(admin_dsn: str) -> str:
    return logins(admin_dsn).owner


@pytest.fixture
def app_dsn(admin_dsn: str) -> str:
    return logins(admin_dsn).app


@pytest.fixture
async def database(app_dsn: str) -> AsyncIterator[Database]:
    """The application's pool."""
    opened = await Database.open(app_dsn)
    yield opened
    await opened.close()


@pytest.fixture
async def owner(owner_dsn: str) -> AsyncIterator[Database]:
    """A pool of velo_owner, to arrange what the application may not: `async with owner.tenant(1) as c: …`."""
    opened = await Database.open(owner_dsn)
    yield opened
    await opened.close()


@pytest.fixture(scope="session")
def seeded(template: str, clone_database: CloneDatabase) -> SeedDatabase:
    """Gives the demo of a structure with the people of a seed; each is made once and only read or copied."""
    made: dict[tuple[int, int], Seeded] = {}

    async def seeded_database(structure: int, people: int) -> Seeded:
        if (structure, people) not in made:
            dsn = await clone_database(template)
            renaming = await seed_demo(logins(dsn).owner, structure_seed=structure, people_seed=people)
            made[structure, people] = Seeded(urlsplit(dsn).path[1:], renaming)
        return made[structure, people]

    return seeded_database


@pytest.fixture(scope="session")
async def filled(template: str, clone_database: CloneDatabase) -> str:
    """The name of a database that holds the house of ``tests.house`` and no thread."""
    dsn = await clone_database(template)
    owner = await Database.open(logins(dsn).owner)
    await fill(owner)
    await owner.close()
    return urlsplit(dsn).path[1:]


@pytest.fixture
async def house_dsn(server: embedded.Server, filled: str, clone_database: CloneDatabase) -> AsyncIterator[str]:
    """The superuser's DSN of a copy of the house that only this test has."""
    dsn = await clone_database(filled)
    yield dsn
    await execute(server.dsn, f'DROP DATABASE "{urlsplit(dsn).path[1:]}" WITH (FORCE)')


@pytest.fixture
async def house(house_dsn: str) -> AsyncIterator[House]:
    """Turns on the house's CRM with a scripted model."""
    database, owner = await Database.open(logins(house_dsn).app), await Database.open(logins(house_dsn).owner)
    yield House(database, owner)
    await database.close()
    await owner.close()


def _at_home(call: Callable[..., Any]) -> Callable[..., Any]:
    def guarded(self: socket.socket, address: Any) -> Any:
        if self.family != socket.AF_UNIX and address[0] not in {"127.0.0.1", "::1", "localhost"}:
            raise OSError("tests do not leave this machine")
        return call(self, address)

    return guarded


def _at_home_lookup(call: Callable[..., Any]) -> Callable[..., Any]:
    def guarded(host: Any, *args: Any, **kwargs: Any) -> Any:
        if host not in {None, "", "127.0.0.1", "::1", "localhost", b"127.0.0.1", b"localhost"}:
            raise OSError("tests do not leave this machine")
        return call(host, *args, **kwargs)

    return guarded
