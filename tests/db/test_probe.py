"""The start-up probe: a hole in the fence is found before anybody is served."""

from __future__ import annotations

import asyncpg
import pytest

from db import probe
from db.errors import UnsafeDatabase
from db.pool import Database

HOLES = {
    "superuser": ("ALTER ROLE probed SUPERUSER", "superuser"),
    "bypassrls": ("ALTER ROLE probed BYPASSRLS", "BYPASSRLS"),
    "membership": ("GRANT velo_owner TO probed", "velo_owner"),
    "search membership": ("GRANT velo_search TO probed", "velo_search"),
    "owned table": ("CREATE TABLE velo.own (id int); ALTER TABLE velo.own OWNER TO probed", "owns velo.own"),
    "table without a fence": (
        "CREATE TABLE velo.bare (tenant_id bigint); GRANT SELECT ON velo.bare TO probed",
        "velo.bare has no forced",
    ),
    "fence that does not bind": (
        "CREATE TABLE velo.open (tenant_id bigint); ALTER TABLE velo.open ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL"
        " SECURITY; CREATE POLICY all_of_it ON velo.open USING (true); GRANT SELECT ON velo.open TO probed;"
        " INSERT INTO velo.open VALUES (1)",
        "velo.open shows rows without a tenant",
    ),
    "view of a superuser": (
        "CREATE VIEW crm.every AS SELECT tenant_id, name FROM velo.tenants; GRANT SELECT ON crm.every TO probed",
        "crm.every shows rows without a tenant",
    ),
    "view that opens with any tenant": (
        "CREATE VIEW crm.half AS SELECT tenant_id, name FROM velo.tenants"
        " WHERE nullif(current_setting('velo.tenant_id', true), '') IS NOT NULL; GRANT SELECT ON crm.half TO probed",
        "crm.half shows rows of other tenants to tenant 1",
    ),
    "view of a neighbour": (
        "CREATE VIEW crm.next AS SELECT t.tenant_id, t.name FROM velo.tenants t"
        " WHERE t.tenant_id = nullif(current_setting('velo.tenant_id', true), '')::numeric + 1;"
        " GRANT SELECT ON crm.next TO probed",
        "crm.next shows rows of other tenants to tenant 1",
    ),
    "single column": (
        "CREATE VIEW crm.one AS SELECT tenant_id, name FROM velo.tenants; GRANT SELECT (name) ON crm.one TO probed",
        "crm.one shows rows without a tenant",
    ),
    "copy": (
        "CREATE MATERIALIZED VIEW crm.copy AS SELECT tenant_id FROM velo.tenants WITH NO DATA;"
        " GRANT SELECT ON crm.copy TO probed",
        "crm.copy has no forced",
    ),
    "definer function": (
        "CREATE FUNCTION crm.peek() RETURNS bigint LANGUAGE sql SECURITY DEFINER"
        " AS 'SELECT count(*) FROM velo.tenants'",
        "crm.peek() runs above",
    ),
}


async def test_the_migrated_database_is_safe(database: Database, owner: Database) -> None:
    await two_tenants(owner)
    assert await probe.check(database) == []


async def test_the_owner_is_no_role_to_serve_with(owner: Database) -> None:
    with pytest.raises(UnsafeDatabase, match="velo_owner"):
        await probe.check(owner)


@pytest.mark.parametrize(("hole", "reason"), HOLES.values(), ids=HOLES.keys())
async def test_a_hole_is_found(admin_dsn: str, owner: Database, hole: str, reason: str) -> None:
    """Each hole is dug for a role of its own, since roles are the whole server's."""
    await two_tenants(owner)
    admin = await asyncpg.connect(admin_dsn)
    try:
        await admin.execute("CREATE ROLE probed LOGIN PASSWORD 'probed' IN ROLE velo_app")
        await admin.execute(hole)
        probed = await Database.open(admin_dsn.replace(admin_dsn.split("@")[0], "postgresql://probed:probed"))
        try:
            with pytest.raises(UnsafeDatabase) as unsafe:
                await probe.check(probed)
        finally:
            await probed.close()
    finally:
        await admin.execute("REASSIGN OWNED BY probed TO postgres; DROP OWNED BY probed; DROP ROLE probed")
        await admin.close()
    assert reason in str(unsafe.value)


async def test_an_open_set_config_is_a_remark(admin_dsn: str, database: Database) -> None:
    admin = await asyncpg.connect(admin_dsn)
    await admin.execute("GRANT EXECUTE ON FUNCTION pg_catalog.set_config(text, text, boolean) TO velo_app")
    await admin.close()
    assert [remark for remark in await probe.check(database) if "set_config" in remark]


async def two_tenants(owner: Database) -> None:
    for tenant in (1, 2):
        async with owner.tenant(tenant) as connection:
            await connection.execute("INSERT INTO velo.tenants (tenant_id, name) VALUES ($1, 'Uno')", tenant)
