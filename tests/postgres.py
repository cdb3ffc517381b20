"""Small help with servers and databases, for fixtures and for the tests that need more than one."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import asyncpg


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder for a server's data that all may enter; in memory where there is room, since copies of databases are
    many small files."""
    memory = Path("/dev/shm")
    roomy = memory.is_dir() and shutil.disk_usage(memory).free > 2**30
    fit = roomy and not os.statvfs(memory).f_flag & os.ST_NOEXEC
    folder = Path(tempfile.mkdtemp(prefix="velo-test-", dir=memory if fit else "/var/tmp"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def on(dsn: str, database: str) -> str:
    """The same DSN for another database of the server."""
    return urlunsplit(urlsplit(dsn)._replace(path=f"/{database}"))


async def execute(dsn: str, statement: str) -> None:
    """Runs one statement on a connection of its own."""
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()
