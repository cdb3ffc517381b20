"""The disk of the embedded Postgres is full: the error says so, nothing is half-stored, and with room it goes on by itself.

A small file system of its own plays the disk, which takes the right to mount one.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from db import embedded
from db.errors import DatabaseError, EmbeddedFailed, Full, Unavailable
from db.pool import Database
from tests.postgres import scratch

MEGABYTE = 2**20


class Disk:
    """A file system of its own, which a ballast fills."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def fill(self, *, but: int) -> None:
        """Leaves this many bytes."""
        free = os.statvfs(self.folder)
        with self._ballast.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, free.f_bavail * free.f_frsize - but)

    def make_room(self) -> None:
        self._ballast.unlink()


@pytest.fixture
def disk() -> Iterator[Disk]:
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root of a Linux may mount a file system")
    with scratch() as folder:
        mount = folder / "disk"
        mount.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", "size=512m,mode=0755", "tmpfs", str(mount)]
        if subprocess.run(command, capture_output=True, check=False).returncode != 0:
            pytest.skip("no file system can be mounted here")
        yield Disk(mount)
        subprocess.run(["umount", "--lazy", str(mount)], check=True)


@pytest.fixture
async def pool(disk: Disk) -> AsyncIterator[Database]:
    """The pool of a process that keeps its embedded server, with a table to fill."""
    server = embedded.start(disk.folder / "data")
    keeper = asyncio.create_task(server.keep())
    opened = await Database.open(server.dsn)
    async with opened.plain() as connection:
        await connection.execute("CREATE TABLE public.kept (number int, filling text)")
        await connection.execute("ALTER TABLE public.kept ALTER filling SET STORAGE EXTERNAL")
    yield opened
    await opened.close()
    keeper.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await keeper
    server.stop()


async def store(pool: Database, number: int) -> None:
    """Two rows that belong together, a megabyte in all."""
    async with pool.plain() as connection:
        await connection.execute("INSERT INTO public.kept VALUES ($1, repeat('x', $2))", number, MEGABYTE // 2)
        await connection.execute("INSERT INTO public.kept VALUES ($1, repeat('x', $2))", -number, MEGABYTE // 2)


async def stored(pool: Database) -> list[int]:
    async with pool.plain() as connection:
        return [row["number"] for row in await connection.fetch("SELECT number FROM public.kept ORDER BY number")]


async def until(work: object) -> None:
    """Waits until something works that asks the database; what fails meanwhile fails in our words."""
    for _ in range(150):
        try:
            return await work()  # type: ignore[operator,no-any-return]
        except DatabaseError:
            await asyncio.sleep(0.1)
    raise AssertionError("the database did not recover")


async def fail(disk: Disk, pool: Database, *, left: int) -> list[DatabaseError]:
    """Fills the disk and goes on storing; what was stored then is complete, with room again it goes on, and errors are ours."""
    complete = [*range(1, 7)]
    for number in complete:
        await store(pool, number)
    disk.fill(but=left)
    failures: list[DatabaseError] = []
    for number in range(7, 60):
        try:
            await store(pool, number)
            complete.append(number)
        except DatabaseError as error:
            failures.append(error)
        if len(failures) == 4:
            break
    disk.make_room()
    await until(lambda: store(pool, 100))
    complete.append(100)
    assert await stored(pool) == sorted([*complete, *(-number for number in complete)])
    return failures


async def test_without_room_for_rows_a_full_disk_is_told(disk: Disk, pool: Database) -> None:
    failures = await fail(disk, pool, left=MEGABYTE // 4)
    assert {type(failure) for failure in failures} == {Full}


async def test_without_room_for_its_log_of_changes_postgres_dies_and_comes_back(disk: Disk, pool: Database) -> None:
    async with pool.plain() as connection:
        await connection.execute("SELECT pg_switch_wal()")
    failures = await fail(disk, pool, left=15 * MEGABYTE)
    assert failures
    assert all(isinstance(failure, Unavailable) for failure in failures)


async def test_on_a_disk_without_room_it_does_not_start_and_says_why(disk: Disk) -> None:
    disk.fill(but=MEGABYTE)
    with pytest.raises(EmbeddedFailed, match="No space left"):
        embedded.start(disk.folder / "data")
    disk.make_room()
    server = embedded.start(disk.folder / "data")
    server.stop()
