"""Whether the process can work: the database as it stands, and the process's own end."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

import pytest
from structlog.testing import capture_logs

from assistant.readiness import Readiness
from db import probe
from db.embedded import Server
from db.pool import Database
from db.roles import logins
from tests.postgres import execute


def readiness(database: Database, *, draining: bool = False) -> Readiness:
    return Readiness(database, preset="demo", draining=lambda: draining)


async def test_a_migrated_database_that_keeps_tenants_apart_is_ready(database: Database) -> None:
    assert await readiness(database).state() == "ok"


async def test_a_process_that_is_about_to_end_is_not(database: Database) -> None:
    assert await readiness(database, draining=True).state() == "draining"


async def test_a_database_of_another_release_is_not(database: Database, owner: Database) -> None:
    ready = readiness(database)
    async with owner.plain() as connection:
        await connection.execute("INSERT INTO velo.migrations (source, number, name, sha256) VALUES ('velo', 9999, '9999_later.sql', '')")
    assert await ready.state() == "ok"
    async with owner.plain() as connection:
        await connection.execute("UPDATE velo.migrations SET sha256 = '' WHERE source = 'velo' AND number = 4")
    assert await ready.state() == "unmigrated"


async def test_a_database_where_tenants_are_not_apart_is_not(database: Database, owner: Database) -> None:
    async with owner.plain() as connection:
        await connection.execute("ALTER TABLE velo.threads NO FORCE ROW LEVEL SECURITY")
    assert await readiness(database).state() == "unsafe"


async def test_a_database_that_is_away_is_not_and_is_when_it_is_back(database: Database, admin_dsn: str, server: Server) -> None:
    ready = readiness(database)
    name = urlsplit(admin_dsn).path[1:]
    await execute(server.dsn, f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
    await execute(server.dsn, f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
    with capture_logs() as logged:
        assert await ready.state() == "unavailable"
        assert await ready.state() == "unavailable"
        await execute(server.dsn, f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
        assert await ready.state() == "ok"
    assert [line["state"] for line in logged] == ["unavailable", "ok"]


async def test_a_pool_that_is_used_up_is_not_waited_for(app_dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    narrow = await Database.open(app_dsn, max_size=1)
    with monkeypatch.context() as patch:
        patch.setattr("assistant.readiness._PATIENCE", 0.05)
        async with narrow.plain():
            assert await readiness(narrow).state() == "unavailable"
    assert await readiness(narrow).state() == "ok"
    await narrow.close()


async def test_however_many_ask_at_once_the_database_is_asked_once(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    probed = 0
    check = probe.check

    async def counted(app: Database) -> object:
        nonlocal probed
        probed += 1
        return await check(app)

    monkeypatch.setattr(probe, "check", counted)
    ready = readiness(database)
    assert set(await asyncio.gather(*(ready.state() for _ in range(50)))) == {"ok"}
    assert await ready.state() == "ok"
    assert probed == 1


async def test_the_application_role_may_read_what_was_applied(admin_dsn: str) -> None:
    opened = await Database.open(logins(admin_dsn).app, max_size=1)
    async with opened.plain(read_only=True) as connection:
        assert await connection.fetchval("SELECT count(*) FROM velo.migrations") > 0
    await opened.close()
