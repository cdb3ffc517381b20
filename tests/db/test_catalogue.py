"""What the schema promises as a whole, read from the catalogue: every tenant behind a fence, every key by tenant."""

from __future__ import annotations

from collections.abc import AsyncIterator

import asyncpg
import pytest

from db.errors import Forbidden
from db.pool import Database

#: Not of any tenant: what the migrations remember.
WITHOUT_TENANT = {"velo.migrations"}

#: Added to and read, never mended: the record of what left, and what went wrong.
INSERT_ONLY = ("velo.veiled_blocks", "velo.model_calls", "velo.model_replies", "velo.errors", "velo.entity_keys")


@pytest.fixture
async def catalogue(admin_dsn: str) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    connection = await asyncpg.connect(admin_dsn)
    yield connection
    await connection.close()


async def names(catalogue: asyncpg.Connection[asyncpg.Record], query: str) -> set[str]:
    """The first column of what a query over the tables of velo and crm finds."""
    tables = (
        "WITH tables AS (SELECT c.oid, n.nspname || '.' || c.relname AS name, n.nspname, c.relrowsecurity,"
        " c.relforcerowsecurity, (SELECT attnum FROM pg_attribute WHERE attrelid = c.oid AND attname = 'tenant_id')"
        " AS tenant FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE n.nspname IN ('velo', 'crm') AND c.relkind IN ('r', 'p')) "
    )
    return {row[0] for row in await catalogue.fetch(tables + query)}


async def test_every_table_belongs_to_tenants(catalogue: asyncpg.Connection[asyncpg.Record]) -> None:
    assert await names(catalogue, "SELECT name FROM tables WHERE tenant IS NULL") == WITHOUT_TENANT
    assert len(await names(catalogue, "SELECT name FROM tables")) > 20


async def test_every_table_of_tenants_forces_row_level_security(
    catalogue: asyncpg.Connection[asyncpg.Record],
) -> None:
    query = "SELECT name FROM tables WHERE tenant IS NOT NULL AND NOT (relrowsecurity AND relforcerowsecurity)"
    assert await names(catalogue, query) == set()


async def test_no_policy_but_the_searchers_passes_another_tenant(
    catalogue: asyncpg.Connection[asyncpg.Record],
) -> None:
    query = (
        "SELECT name || ' ' || polname FROM tables t JOIN pg_policy ON polrelid = t.oid"
        " WHERE coalesce(pg_get_expr(polqual, polrelid), '') NOT LIKE"
        " '(tenant_id = (NULLIF(current_setting(''velo.tenant_id''::text, true), ''''::text))::bigint)'"
        " AND polroles <> ARRAY['velo_search'::regrole::oid]"
    )
    assert await names(catalogue, query) == set()


async def test_every_key_begins_with_the_tenant(catalogue: asyncpg.Connection[asyncpg.Record]) -> None:
    query = (
        "SELECT i.indexrelid::regclass::text FROM tables t JOIN pg_index i ON i.indrelid = t.oid"
        " WHERE i.indisunique AND t.tenant IS NOT NULL AND i.indkey[0] <> t.tenant"
    )
    assert await names(catalogue, query) == set()
    query = "SELECT name FROM tables t WHERE NOT EXISTS (SELECT FROM pg_index WHERE indrelid = t.oid AND indisprimary)"
    assert await names(catalogue, query) == set()


async def test_every_foreign_key_stays_within_tenant_and_schema(
    catalogue: asyncpg.Connection[asyncpg.Record],
) -> None:
    query = (
        "SELECT t.name || ' ' || k.conname FROM tables t JOIN pg_constraint k ON k.conrelid = t.oid"
        " LEFT JOIN tables f ON f.oid = k.confrelid WHERE k.contype = 'f' AND (f.oid IS NULL"
        " OR f.nspname <> t.nspname OR k.conkey[1] <> t.tenant OR k.confkey[1] <> f.tenant)"
    )
    assert await names(catalogue, query) == set()


async def test_views_read_with_the_readers_rights(catalogue: asyncpg.Connection[asyncpg.Record]) -> None:
    """Except the list of tenants, which the searcher owns."""
    query = (
        "SELECT n.nspname || '.' || c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE n.nspname IN ('velo', 'crm') AND c.relkind = 'v'"
        " AND NOT coalesce('security_invoker=true' = ANY (c.reloptions), false)"
        " AND NOT coalesce('security_invoker=on' = ANY (c.reloptions), false)"
    )
    assert await names(catalogue, query) == {"velo.tenant_ids"}


async def test_functions_run_with_the_callers_rights_and_a_fixed_path(
    catalogue: asyncpg.Connection[asyncpg.Record],
) -> None:
    """A definer function belongs to the searcher, if to anybody."""
    query = (
        "SELECT p.oid::regprocedure::text FROM pg_proc p WHERE p.pronamespace IN ('velo'::regnamespace,"
        " 'crm'::regnamespace) AND p.prosecdef AND p.proowner <> 'velo_search'::regrole"
    )
    assert await names(catalogue, query) == set()
    query = (
        "SELECT p.oid::regprocedure::text FROM pg_proc p WHERE p.pronamespace = 'velo'::regnamespace"
        " AND NOT coalesce(array_to_string(p.proconfig, ',') LIKE '%search_path=%', false)"
    )
    assert await names(catalogue, query) == set()


async def test_everything_belongs_to_the_owner(catalogue: asyncpg.Connection[asyncpg.Record]) -> None:
    query = "SELECT c.relname FROM pg_class c JOIN tables t ON t.oid = c.oid WHERE relowner <> 'velo_owner'::regrole"
    assert await names(catalogue, query) == set()


@pytest.mark.parametrize("table", INSERT_ONLY)
@pytest.mark.parametrize("change", ["UPDATE {} SET tenant_id = tenant_id", "DELETE FROM {}"], ids=["update", "delete"])
async def test_a_record_cannot_be_mended(database: Database, table: str, change: str) -> None:
    with pytest.raises(Forbidden):
        async with database.tenant(1) as connection:
            await connection.execute(change.format(table))
