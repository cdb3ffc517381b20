"""Several processes over one embedded Postgres: whoever ends, however, the others go on; the last one out ends it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import psutil
import pytest

from db import embedded
from db.errors import DatabaseError
from db.pool import Database
from tests.postgres import scratch

PROJECT = Path(__file__).resolve().parents[2]

KEEPS = """
import asyncio, sys
from pathlib import Path
from db import embedded

async def main(server):
    loop = asyncio.get_running_loop()
    keeper = asyncio.create_task(server.keep())
    await loop.run_in_executor(None, sys.stdin.read)
    keeper.cancel()

server = embedded.start(Path(sys.argv[1]), fsync=False)
print(server.pid, int(server.started_here), server.dsn, flush=True)
asyncio.run(main(server))
"""


class Keeper:
    """Another process that serves over the folder."""

    def __init__(self, data: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", KEEPS, str(data)], cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        pid, started_here, self.dsn = self._process.stdout.readline().split()
        self.postgres, self.started_here = int(pid), started_here == "1"

    def kill(self) -> None:
        self._process.kill()
        self._over()

    def leave(self) -> None:
        """As after Ctrl-C: the process cleans up behind it."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._over()

    def _over(self) -> None:
        self._process.wait(timeout=30)
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(BrokenPipeError):
                pipe.close() if pipe is not None else None


@pytest.fixture
def folder() -> Iterator[Path]:
    with scratch() as path:
        yield path


def gone(pid: int) -> bool:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.02)
    return False


def postgres_of(folder: Path) -> int:
    return int((folder / "data/cluster/postmaster.pid").read_text().split("\n")[0])


def ask(dsn: str, query: str) -> object:
    """The answer, as soon as there is one."""

    async def run() -> object:
        for _ in range(200):
            try:
                connection = await asyncpg.connect(dsn)
            except (OSError, asyncpg.PostgresError):
                await asyncio.sleep(0.1)
                continue
            try:
                return await connection.fetchval(query)
            finally:
                await connection.close()
        raise AssertionError("Postgres did not come back")

    return asyncio.run(run())


ENDS: dict[str, Callable[[Keeper], None]] = {"kill -9": Keeper.kill, "at its end": Keeper.leave}


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS.keys())
def test_the_process_that_started_it_ends_and_the_others_go_on(folder: Path, end: Callable[[Keeper], None]) -> None:
    first, second, third = (Keeper(folder / "data") for _ in range(3))
    assert [keeper.started_here for keeper in (first, second, third)] == [True, False, False]
    ask(first.dsn, "CREATE TABLE kept AS SELECT 7 AS number")
    end(first)
    assert gone(first.postgres)
    assert ask(second.dsn, "SELECT number FROM kept") == 7
    heir = postgres_of(folder)
    late = Keeper(folder / "data")
    assert (late.postgres, late.started_here, late.dsn) == (heir, False, first.dsn)
    for keeper in (late, second, third):
        end(keeper)

    assert not [process for process in psutil.process_iter(["name"]) if works_in(process, folder)]


def works_in(process: psutil.Process, folder: Path) -> bool:
    try:
        return process.name().startswith("postgres") and folder in Path(process.cwd()).parents and not gone(process.pid)
    except psutil.Error:
        return False


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS.keys())
def test_who_adopted_it_and_ends_leaves_it_running(folder: Path, end: Callable[[Keeper], None]) -> None:
    server = embedded.start(folder / "data", fsync=False)
    end(Keeper(folder / "data"))
    assert ask(server.dsn, "SELECT 1") == 1
    assert psutil.pid_exists(server.pid)
    server.stop()
    assert gone(server.pid)


@asynccontextmanager
async def kept(server: embedded.Server) -> AsyncIterator[None]:
    keeper = asyncio.create_task(server.keep())
    try:
        yield
    finally:
        keeper.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await keeper
        server.stop()


async def recovered(pool: Database, statement: str) -> object:
    """The answer to a statement, as soon as the same pool gives one; the errors before are all ours."""
    for _ in range(100):
        try:
            async with pool.plain() as connection:
                return await connection.fetchval(statement)
        except DatabaseError:
            await asyncio.sleep(0.1)
    raise AssertionError("the pool did not recover")


async def test_kill_9_of_postgres_costs_an_error_at_most_and_no_restart(folder: Path) -> None:
    """And what was committed is there: this server waits for the disk, as the ones of the tests do not."""
    server = embedded.start(folder / "data")
    async with kept(server):
        pool = await Database.open(server.dsn)
        for number in range(3):
            async with pool.plain() as connection:
                await connection.execute(f"CREATE TABLE public.kept_{number} AS SELECT {number} AS number")
            before = server.pid
            with pytest.raises(DatabaseError):  # noqa: PT012 - it dies inside the transaction
                async with pool.plain() as connection:
                    await connection.execute(f"DROP TABLE public.kept_{number}")
                    os.kill(server.pid, signal.SIGKILL)
                    assert gone(before)
                    await asyncio.sleep(0.05)
                    await connection.fetchval("SELECT 1")
            assert await recovered(pool, f"SELECT number FROM public.kept_{number}") == number
            assert server.pid != before
        await pool.close()


async def test_a_killed_backend_takes_nothing_with_it(folder: Path) -> None:
    """Postgres ends all its sessions when one of them crashes, and comes back by itself."""
    server = embedded.start(folder / "data")
    async with kept(server):
        pool = await Database.open(server.dsn)
        async with pool.plain() as connection:
            pid = await connection.fetchval("SELECT pg_backend_pid()")
        os.kill(pid, signal.SIGKILL)
        assert await recovered(pool, "SELECT 1") == 1
        await pool.close()


async def test_a_listener_is_back_as_well(folder: Path) -> None:
    server = embedded.start(folder / "data")
    heard: asyncio.Queue[str] = asyncio.Queue()
    back = asyncio.Event()
    async with kept(server):
        pool = await Database.open(server.dsn)
        async with pool.listening({"news": lambda _, payload: heard.put_nowait(payload)}, missed=back.set):
            os.kill(server.pid, signal.SIGKILL)
            await back.wait()
            await recovered(pool, "SELECT pg_notify('news', 'again')")
            assert await heard.get() == "again"
        await pool.close()
