"""Migrations: once each, in order, forward only, and nothing half done."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from importlib.resources import files
from pathlib import Path

import asyncpg
import pytest

from db import embedded, migrate, roles
from db.errors import MigrationRefused
from db.migrate import Applied, Step, pending, read
from tests.postgres import execute, on

Driver = asyncpg.Connection


@pytest.fixture
async def blank_dsn(server: embedded.Server) -> AsyncIterator[str]:
    """The administrator's DSN of a database in which nothing was ever migrated."""
    await execute(server.dsn, 'CREATE DATABASE "blank"')
    yield on(server.dsn, "blank")
    await execute(server.dsn, 'DROP DATABASE "blank" WITH (FORCE)')


@pytest.fixture
async def owner_session(owner_dsn: str) -> AsyncIterator[Driver]:
    connection = await asyncpg.connect(owner_dsn)
    yield connection
    await connection.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "0001_first.sql").write_text("CREATE TABLE velo.first (id int);")
    (tmp_path / "0002_second.sql").write_text("CREATE TABLE velo.second (id int);")
    return tmp_path


async def test_a_second_run_applies_nothing(admin_dsn: str) -> None:
    assert await migrate.migrate(admin_dsn, preset="demo") == []


async def test_runs_at_the_same_time_apply_each_file_once(blank_dsn: str) -> None:
    runs = await asyncio.gather(*(migrate.migrate(blank_dsn, preset="demo") for _ in range(4)))
    applied = [name for run in runs for name in run]
    assert len(applied) == len(set(applied))
    assert applied[0] == "velo/0001_tenants.sql"


async def test_the_roles_agree_in_every_process(blank_dsn: str) -> None:
    await migrate.migrate(blank_dsn, preset=None)
    await migrate.migrate(blank_dsn, preset=None)
    for dsn, role in ((roles.logins(blank_dsn).app, "velo_app"), (roles.logins(blank_dsn).query, "velo_query")):
        connection = await asyncpg.connect(dsn)
        assert await connection.fetchval("SELECT current_user") == role
        await connection.close()


async def test_files_are_applied_in_their_order(owner_session: Driver, folder: Path) -> None:
    assert await migrate.apply(owner_session, {"test": read(folder)}) == ["test/0001_first.sql", "test/0002_second.sql"]
    (folder / "0003_third.sql").write_text("CREATE TABLE velo.third (id int);")
    assert await migrate.apply(owner_session, {"test": read(folder)}) == ["test/0003_third.sql"]


async def test_a_changed_file_is_refused(owner_session: Driver, folder: Path) -> None:
    await migrate.apply(owner_session, {"test": read(folder)})
    (folder / "0001_first.sql").write_text("CREATE TABLE velo.first (id bigint);")
    with pytest.raises(MigrationRefused, match=r"0001_first\.sql was changed"):
        await migrate.apply(owner_session, {"test": read(folder)})


async def test_a_file_that_fails_leaves_nothing_and_tells_no_value(owner_session: Driver, folder: Path) -> None:
    (folder / "0003_third.sql").write_text("CREATE TABLE velo.third (id int);\nSELECT 'Quiteria'::int;")
    with pytest.raises(MigrationRefused, match=r"0003_third\.sql failed") as refused:
        await migrate.apply(owner_session, {"test": read(folder)})
    assert "Quiteria" not in str(refused.value)
    assert await owner_session.fetchval("SELECT to_regclass('velo.third')") is None
    assert await owner_session.fetchval("SELECT max(number) FROM velo.migrations WHERE source = 'test'") == 2


async def test_one_database_holds_one_preset(owner_session: Driver) -> None:
    with pytest.raises(MigrationRefused, match="one preset"):
        await migrate.apply(owner_session, {"crm/another": []})


@pytest.mark.parametrize("preset", ["nothing_like_it", "../demo", "Demo", ""])
async def test_an_unknown_preset_is_refused(admin_dsn: str, preset: str) -> None:
    with pytest.raises(MigrationRefused, match="preset"):
        await migrate.migrate(admin_dsn, preset=preset)


def step(number: int, sha256: str = "x") -> Step:
    return Step(number, f"{number:04}_step.sql", "", sha256)


def applied(number: int, sha256: str = "x") -> Applied:
    return Applied(number, f"{number:04}_step.sql", sha256)


@pytest.mark.parametrize(
    ("steps", "past", "complaint"),
    [
        ([step(1)], [applied(1), applied(2)], "0002_step.sql was applied here and is not in this release"),
        ([step(2)], [applied(1)], "0001_step.sql was applied here and is not in this release"),
        ([step(1), step(2), step(3)], [applied(1), applied(3)], "0002_step.sql comes before 0003_step.sql"),
        ([step(1, "y")], [applied(1)], "0001_step.sql was changed"),
    ],
    ids=["newer database", "first file gone", "late file", "changed file"],
)
def test_what_does_not_fit_is_refused(steps: list[Step], past: list[Applied], complaint: str) -> None:
    with pytest.raises(MigrationRefused, match=complaint):
        pending("test", steps, past)


def test_two_files_of_one_number_are_refused(folder: Path) -> None:
    (folder / "0002_again.sql").write_text("")
    with pytest.raises(MigrationRefused, match="same number"):
        read(folder)


def test_other_files_of_a_folder_are_left_alone(folder: Path) -> None:
    for name in ("lookups.sql", "01_short.sql", "0003_README.md", "0004_Upper.sql"):
        (folder / name).write_text("no SQL")
    assert [step.number for step in read(folder)] == [1, 2]


def test_line_ends_do_not_change_a_file(folder: Path) -> None:
    before = read(folder)
    for name in ("0001_first.sql", "0002_second.sql"):
        (folder / name).write_bytes((folder / name).read_bytes().replace(b"\n", b"\r\n"))
    assert [step.sha256 for step in read(folder)] == [step.sha256 for step in before]


@pytest.mark.parametrize("source", ["migrations", "crm/shared", "crm/demo", "crm/helpdesk"])
def test_no_file_ends_the_runners_transaction(source: str) -> None:
    for each in read(files("db").joinpath(*source.split("/"))):
        assert not re.search(r"^\s*(BEGIN|COMMIT|ROLLBACK)\s*;", each.sql, re.MULTILINE | re.IGNORECASE), each.name


def test_what_moved_to_the_shared_folder_is_still_the_file_that_was_applied() -> None:
    """Databases that had it from the demo's own folder go on."""
    first = read(files("db") / "crm" / "shared", files("db") / "crm" / "demo")[0]
    assert (first.name, first.sha256[:16]) == ("0001_folding.sql", "f0ef65cd0b1f1f3f")


def test_a_preset_that_nobody_made_is_refused_with_those_there_are() -> None:
    with pytest.raises(MigrationRefused, match="set VELO_CRM to demo or helpdesk"):
        migrate.release("another")
