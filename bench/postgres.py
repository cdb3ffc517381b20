"""A private Postgres that holds the CRMs to be measured over, and ends with the process."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from bench.crm import Tenant
from db import embedded
from db.crm.demo.seed import NOW
from db.migrate import migrate
from db.pool import Connection, Database
from db.queries import load
from db.roles import logins
from tests.postgres import execute, on, scratch

_SEED = load("db.crm.demo", "seed")
#: In the order in which foreign keys allow.
_TABLES = tuple(name.removeprefix("add_") for name in _SEED if name.startswith("add_") and name not in ("add_tenant", "add_issuer"))


@asynccontextmanager
async def holding(tenants: Iterable[Tenant]) -> AsyncIterator[Database]:
    """The application's pool on a new database with these tenants, without the waits for the disk."""
    with scratch() as folder:
        server = embedded.start(folder / "postgres", fsync=False)
        try:
            await execute(server.dsn, "CREATE DATABASE bench")
            dsn = on(server.dsn, "bench")
            await migrate(dsn, preset="demo")
            owner = await Database.open(logins(dsn).owner)
            for tenant in tenants:
                async with owner.tenant(tenant.number) as connection:
                    await fill(connection, tenant)
            await owner.close()
            await execute(dsn, "ANALYZE")
            database = await Database.open(logins(dsn).app, max_size=2)
            try:
                yield database
            finally:
                await database.close()
        finally:
            server.stop()


async def fill(connection: Connection, tenant: Tenant) -> None:
    """Write a tenant's rows, table by table, each by one statement."""
    await connection.execute(_SEED["add_tenant"], tenant.number, tenant.name, json.dumps(tenant.stored), NOW)
    await connection.execute(_SEED["add_issuer"], tenant.number)
    for table in _TABLES:
        if rows := tenant.tables.get(table):
            await connection.execute(_SEED[f"add_{table}"], json.dumps(rows, ensure_ascii=False))
