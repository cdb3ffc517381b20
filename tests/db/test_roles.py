"""The roles: passwords that all replicas derive alike, and no power beyond the task."""

from __future__ import annotations

from collections.abc import Callable

import asyncpg
import pytest

from db import roles
from db.errors import RolesRefused
from db.migrate import migrate
from tests.postgres import execute


def test_the_logins_keep_host_database_and_options() -> None:
    dsn = "postgresql://boss:p%40ss@db.internal:5433,db2.internal:5432/velo?sslmode=require"
    app = roles.logins(dsn).app
    assert app.startswith("postgresql://velo_app:")
    assert app.endswith("@db.internal:5433,db2.internal:5432/velo?sslmode=require")
    assert "p%40ss" not in app


def test_another_password_gives_other_passwords() -> None:
    one, other = roles.logins("postgresql://a:one@h/d"), roles.logins("postgresql://a:two@h/d")
    assert len({one.app, one.owner, one.query, other.app, other.owner, other.query}) == 6
    assert one == roles.logins("postgresql://a:one@h/d")


def test_a_password_may_be_written_in_any_way_of_escaping() -> None:
    assert roles.logins("postgresql://a:p-w@h/d") == roles.logins("postgresql://a:p%2Dw@h/d")


@pytest.mark.parametrize("dsn", ["postgresql:///velo", "postgresql://a@h/d", "postgresql://:x@h/d", "postgresql://a:@h/d"])
def test_a_dsn_without_user_or_password_is_refused(dsn: str) -> None:
    with pytest.raises(RolesRefused):
        roles.logins(dsn)


def test_logins_do_not_show_their_passwords() -> None:
    assert "velo_app" not in repr(roles.logins("postgresql://a:one@h/d"))


async def test_no_role_has_more_than_its_task(admin_dsn: str) -> None:
    admin = await asyncpg.connect(admin_dsn)
    rows = await admin.fetch(
        "SELECT rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication, rolinherit, rolcanlogin"
        " FROM pg_roles WHERE rolname LIKE 'velo%' ORDER BY rolname"
    )
    await admin.close()
    assert [row["rolname"] for row in rows] == ["velo_app", "velo_owner", "velo_query", "velo_search"]
    assert not any(value for row in rows for value in list(row.values())[1:-1])
    assert [row["rolname"] for row in rows if not row["rolcanlogin"]] == ["velo_search"]


async def test_a_role_above_the_fence_is_not_taken_over(admin_dsn: str) -> None:
    await execute(admin_dsn, "ALTER ROLE velo_query BYPASSRLS")
    try:
        with pytest.raises(RolesRefused, match="velo_query"):
            await migrate(admin_dsn, preset="demo")
    finally:
        await execute(admin_dsn, "ALTER ROLE velo_query NOBYPASSRLS")


CLOSED: dict[str, tuple[Callable[[roles.Logins], str], str]] = {
    "app changes the schema": (lambda of: of.app, "CREATE TABLE velo.more (id int)"),
    "app changes public": (lambda of: of.app, "CREATE TABLE public.more (id int)"),
    "app empties": (lambda of: of.app, "TRUNCATE velo.threads"),
    "app lifts the fence": (lambda of: of.app, "ALTER TABLE velo.threads DISABLE ROW LEVEL SECURITY"),
    "app becomes the owner": (lambda of: of.app, "SET ROLE velo_owner"),
    "app becomes the searcher": (lambda of: of.app, "SET ROLE velo_search"),
    "app writes tenants": (lambda of: of.app, "UPDATE velo.tenants SET name = 'x'"),
    "app calls set_config": (lambda of: of.app, "SELECT set_config('velo.tenant_id', '1', false)"),
    "owner calls set_config": (lambda of: of.owner, "SELECT set_config('velo.tenant_id', '1', false)"),
    "owner makes roles": (lambda of: of.owner, "CREATE ROLE one_more"),
    "query calls set_config": (lambda of: of.query, "SELECT set_config('velo.tenant_id', '1', false)"),
    "query reads velo": (lambda of: of.query, "SELECT 1 FROM velo.tenants"),
    "query reads crm": (lambda of: of.query, "SELECT 1 FROM crm.contacts"),
    "query becomes app": (lambda of: of.query, "SET ROLE velo_app"),
}


@pytest.mark.parametrize(("login", "statement"), CLOSED.values(), ids=CLOSED.keys())
async def test_a_role_may_not(admin_dsn: str, login: Callable[[roles.Logins], str], statement: str) -> None:
    connection = await asyncpg.connect(login(roles.logins(admin_dsn)))
    try:
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.execute(statement)
    finally:
        await connection.close()


async def test_the_models_sql_is_read_only_and_short(admin_dsn: str) -> None:
    connection = await asyncpg.connect(roles.logins(admin_dsn).query)
    assert await connection.fetchval("SHOW default_transaction_read_only") == "on"
    assert await connection.fetchval("SHOW statement_timeout") == "5s"
    await connection.close()
