"""Listening: what is committed elsewhere is heard, and an absence is owned up to."""

from __future__ import annotations

import asyncio

import asyncpg
import pytest

from db.errors import Unavailable
from db.listening import listening
from db.pool import Database
from tests.faults.line import line_to

LISTENERS = "FROM pg_stat_activity WHERE application_name = 'velo listening' AND datname = current_database()"


class Ear:
    """Keeps what it heard."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[tuple[str, str]] = asyncio.Queue()
        self.absences: asyncio.Queue[None] = asyncio.Queue()

    def hear(self, channel: str, payload: str) -> None:
        self.heard.put_nowait((channel, payload))

    def missed(self) -> None:
        self.absences.put_nowait(None)


@pytest.fixture
def ear() -> Ear:
    return Ear()


async def notify(database: Database, channel: str, payload: str) -> None:
    async with database.tenant(1) as connection:
        await connection.execute("SELECT pg_notify($1, $2)", channel, payload)


async def test_the_application_hears_what_it_notifies(database: Database, ear: Ear) -> None:
    async with database.listening({"turns": ear.hear, "stops": ear.hear}, missed=ear.missed):
        await notify(database, "turns", "1:7")
        await notify(database, "stops", "1:8")
        assert [await ear.heard.get(), await ear.heard.get()] == [("turns", "1:7"), ("stops", "1:8")]
    assert ear.absences.empty()


async def test_what_is_rolled_back_is_not_heard(database: Database, ear: Ear) -> None:
    async with database.listening({"turns": ear.hear}, missed=ear.missed):
        with pytest.raises(LookupError):  # noqa: PT012 - raised inside the transaction
            async with database.tenant(1) as connection:
                await connection.execute("SELECT pg_notify('turns', 'undone')")
                raise LookupError
        await notify(database, "turns", "done")
        assert await ear.heard.get() == ("turns", "done")


async def test_after_a_loss_it_comes_back_and_says_that_it_was_away(
    admin_dsn: str, database: Database, ear: Ear
) -> None:
    admin = await asyncpg.connect(admin_dsn)
    async with database.listening({"turns": ear.hear}, missed=ear.missed):
        for payload in ("first", "second"):
            await admin.fetch(f"SELECT pg_terminate_backend(pid) {LISTENERS}")
            await ear.absences.get()
            await notify(database, "turns", payload)
            assert await ear.heard.get() == ("turns", payload)
    await admin.close()


async def test_a_callback_that_fails_does_not_end_the_listening(database: Database, ear: Ear) -> None:
    failures: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context["exception"]))

    def fail(channel: str, payload: str) -> None:
        raise LookupError

    async with database.listening({"bad": fail, "turns": ear.hear}, missed=ear.missed):
        await notify(database, "bad", "1")
        await notify(database, "turns", "2")
        assert await ear.heard.get() == ("turns", "2")
    assert [type(failure) for failure in failures] == [LookupError]


async def test_its_connection_ends_with_the_block(admin_dsn: str, database: Database, ear: Ear) -> None:
    admin = await asyncpg.connect(admin_dsn)
    async with database.listening({"turns": ear.hear}, missed=ear.missed):
        assert len(await admin.fetch(f"SELECT pid {LISTENERS}")) == 1
    while await admin.fetch(f"SELECT pid {LISTENERS}"):  # noqa: ASYNC110 - the server tells nobody when a session ends
        await asyncio.sleep(0.01)
    await admin.close()


async def test_a_connection_that_went_dumb_is_given_up(
    app_dsn: str, database: Database, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proxy between us and Postgres keeps the line open and passes nothing on any more."""
    monkeypatch.setattr("db.listening._PULSE", 0.02)
    monkeypatch.setattr("db.listening._PATIENCE", 0.05)
    async with line_to(app_dsn) as line, listening(line.dsn, {"turns": ear.hear}, missed=ear.missed):
        line.strike_dumb()
        await ear.absences.get()
        await notify(database, "turns", "again")
        assert await ear.heard.get() == ("turns", "again")


async def test_it_waits_for_a_server_that_is_down(app_dsn: str, database: Database, ear: Ear) -> None:
    async with line_to(app_dsn) as line, listening(line.dsn, {"turns": ear.hear}, missed=ear.missed):
        await line.close()
        await notify(database, "turns", "lost")
        await line.open()
        await ear.absences.get()
        await notify(database, "turns", "heard")
        assert await ear.heard.get() == ("turns", "heard")


async def test_a_server_that_is_not_there_at_the_start_is_unavailable(ear: Ear) -> None:
    with pytest.raises(Unavailable):
        async with listening("postgresql://velo_app:pw@127.0.0.1:1/x", {"turns": ear.hear}, missed=ear.missed):
            pass


async def gone(database: Database, owner: str) -> bool:
    async with database.tenant(1, read_only=True) as connection:
        answer: bool = await connection.fetchval("SELECT velo.gone($1)", owner)
        return answer


OWNER = "7d444840-9dc0-11d1-b245-5ffdce74fad2"


async def test_a_presence_is_felt_by_others_until_its_connection_ends(
    app_dsn: str, database: Database, ear: Ear
) -> None:
    async with line_to(app_dsn) as line:
        async with listening(line.dsn, {"turns": ear.hear}, missed=ear.missed, presence=OWNER):
            assert not await gone(database, OWNER)
            line.cut()
            await ear.absences.get()
            assert not await gone(database, OWNER)
        while not await gone(database, OWNER):  # noqa: ASYNC110 - the server tells nobody when a session ends
            await asyncio.sleep(0.01)


async def test_who_looks_whether_somebody_lives_keeps_nobody_from_coming_back(database: Database, ear: Ear) -> None:
    while not await gone(database, OWNER):  # noqa: ASYNC110 - nobody counts as gone before one of our sessions is three seconds old
        await asyncio.sleep(0.01)
    async with database.listening({"turns": ear.hear}, missed=ear.missed, presence=OWNER):
        assert not await gone(database, OWNER)
