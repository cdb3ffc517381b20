"""Large CRMs that are built once and stay on the disk, beside the demo's own data: a million contacts take some minutes."""

import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from db import embedded
from db.crm.demo.seed import seed
from db.errors import MigrationRefused
from db.migrate import migrate
from db.pool import Database, Loading
from db.roles import logins
from tests.postgres import execute, on

#: Who asks: somebody who sees everything, and somebody who sees one inbox.
ADMIN, AGENT = 1, 3

_NAMES = """
    SELECT min(c.name) AS name
    FROM crm.contacts AS c
    WHERE c.tenant_id = $1 AND c.name ~ '^\\S+ \\S.*' AND c.last_contact_at IS NOT NULL AND EXISTS (
        SELECT FROM crm.visible AS s WHERE s.tenant_id = $1 AND s.member_id = $2 AND s.kind = 'contact' AND s.entity_id = c.id
    )
    GROUP BY crm.fold(c.name)
    HAVING count(*) = 1
    ORDER BY min(c.id)
    LIMIT $3
"""


@dataclass(frozen=True, slots=True)
class Size:
    """How many contacts in how many tenants; without tenants so many in each of the demo's three."""

    contacts: int
    tenants: int | None = None

    @property
    def database(self) -> str:
        """Where it is kept."""
        return f"bench_{self.contacts}_{self.tenants or 'each'}"

    @property
    def tenant_ids(self) -> range:
        """Its tenants."""
        return range(1, (self.tenants or 3) + 1)

    def __str__(self) -> str:
        return f"{self.contacts:,} contacts in {self.tenants} tenants" if self.tenants else f"{self.contacts:,} contacts a tenant"


@dataclass(frozen=True, slots=True)
class Crm:
    """A database that is there."""

    size: Size
    dsn: str  # the administrator's
    postmaster: int


def running() -> embedded.Server:
    """The Postgres that holds them. It does not wait for the disk, unless BENCH_FSYNC is set. BENCH_DATA names another folder."""
    folder = os.environ.get("BENCH_DATA")  # noqa: TID251 (a developer's own folder, no setting of the program)
    fsync = bool(os.environ.get("BENCH_FSYNC"))  # noqa: TID251
    return embedded.start(Path(folder) if folder else embedded.default_data_dir() / "bench", fsync=fsync)


async def built(server: embedded.Server, size: Size) -> str:
    """The administrator's DSN of a database with so many contacts and without threads, made unless it is there and fits these sources."""
    dsn = on(server.dsn, size.database)
    if await _is_there(server, size.database):
        with suppress(MigrationRefused):  # it was made from other sources
            await migrate(dsn, preset="demo")
            await execute(dsn, "TRUNCATE velo.threads CASCADE")
            return dsn
    half = f"{size.database}_half"
    await execute(server.dsn, f"DROP DATABASE IF EXISTS {half} WITH (FORCE)")
    await execute(server.dsn, f"CREATE DATABASE {half}")
    await _fill(on(server.dsn, half), size)
    await execute(server.dsn, f"DROP DATABASE IF EXISTS {size.database} WITH (FORCE)")
    await execute(server.dsn, f"ALTER DATABASE {half} RENAME TO {size.database}")
    return dsn


async def _is_there(server: embedded.Server, database: str) -> bool:
    opened = await Database.open(server.dsn, max_size=1)
    async with opened.plain(read_only=True) as connection:
        found = await connection.fetchval("SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", database)
    await opened.close()
    return bool(found)


async def _fill(dsn: str, size: Size) -> None:
    await migrate(dsn, preset="demo")
    owner = await Database.open(logins(dsn).owner)
    async with owner.plain() as connection:
        await seed(cast(Loading, connection), contacts=size.contacts, tenants=size.tenants)
    await owner.close()
    await execute(dsn, "VACUUM ANALYZE")


async def names(crm: Crm, *, tenant: int, member: int, most: int) -> Sequence[str]:
    """Contacts whom the member may see and whose whole name is theirs alone, all of whom have written."""
    database = await Database.open(logins(crm.dsn).app, max_size=1)
    async with database.tenant(tenant, read_only=True, replan=True) as connection:
        rows = await connection.fetch(_NAMES, tenant, member, most)
    await database.close()
    return [row["name"] for row in rows]


@asynccontextmanager
async def holding(size: Size) -> AsyncIterator[Crm]:
    """Such a database, for as long as the block lasts."""
    server = running()
    try:
        yield Crm(size, await built(server, size), server.pid)
    finally:
        server.stop()
