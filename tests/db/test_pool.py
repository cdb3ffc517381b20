"""The pool: every statement in a transaction of one tenant, and nothing of a row in an error."""

from __future__ import annotations

import asyncio
import random
import traceback
from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import pytest

from db.errors import (
    Aborted,
    Conflict,
    DatabaseError,
    Forbidden,
    InvalidValue,
    Misused,
    StatementFailed,
    TimedOut,
    Unavailable,
)
from db.pool import Database
from db.session import SESSION


@pytest.fixture
async def tenants(owner: Database) -> None:
    """Tenants 1, 2 and 3, each with ten threads of the member that bears its number."""
    for tenant in (1, 2, 3):
        async with owner.tenant(tenant) as connection:
            await connection.execute("INSERT INTO velo.tenants (tenant_id, name) VALUES ($1, 'x')", tenant)
            await connection.execute(
                "INSERT INTO velo.threads (tenant_id, member_id) SELECT $1, $1 FROM generate_series(1, 10)", tenant
            )


@pytest.fixture
async def narrow(app_dsn: str) -> AsyncIterator[Database]:
    """A pool of two connections, so that tasks share them."""
    opened = await Database.open(app_dsn, max_size=2)
    yield opened
    await opened.close()


@pytest.mark.usefixtures("tenants")
async def test_a_transaction_sees_its_tenant_only(database: Database) -> None:
    async with database.tenant(2) as connection:
        rows = await connection.fetch("SELECT DISTINCT tenant_id FROM velo.threads")
    assert [row["tenant_id"] for row in rows] == [2]


@pytest.mark.usefixtures("tenants")
async def test_without_a_tenant_nothing_is_seen(database: Database) -> None:
    async with database.tenant(2) as connection:
        await connection.fetchval("SELECT 1")
    async with database.plain() as connection:
        assert await connection.fetchval("SELECT count(*) FROM velo.threads") == 0
        assert [row["tenant_id"] for row in await connection.fetch("SELECT * FROM velo.tenant_ids")] == [1, 2, 3]


@pytest.mark.usefixtures("tenants")
async def test_the_owner_is_bound_as_well(owner: Database) -> None:
    async with owner.plain() as connection:
        assert await connection.fetchval("SELECT count(*) FROM velo.threads") == 0


@pytest.mark.usefixtures("tenants")
async def test_a_row_of_another_tenant_cannot_be_written(database: Database) -> None:
    with pytest.raises(Forbidden):
        async with database.tenant(1) as connection:
            await connection.execute("INSERT INTO velo.threads (tenant_id, member_id) VALUES (2, 1)")
    async with database.tenant(1) as connection:
        assert await connection.execute("UPDATE velo.threads SET member_id = 9 WHERE tenant_id = 2") == "UPDATE 0"


@pytest.mark.usefixtures("tenants")
async def test_set_config_is_closed_to_the_application(database: Database) -> None:
    with pytest.raises(Forbidden):
        async with database.tenant(1) as connection:
            await connection.fetchval("SELECT set_config('velo.tenant_id', '2', false)")


@pytest.mark.usefixtures("tenants")
async def test_tasks_that_fail_and_are_cancelled_never_meet_another_tenant(narrow: Database) -> None:
    chance = random.Random(5)

    async def ask(tenant: int) -> list[int]:
        async with narrow.tenant(tenant) as connection:
            seen = [row["tenant_id"] for row in await connection.fetch("SELECT tenant_id FROM velo.threads")]
            match chance.randrange(4):
                case 0:
                    await connection.fetch("SELECT 1 / 0")
                case 1:
                    await connection.fetch("SELECT pg_sleep(0.02)")
                case 2:
                    raise LookupError
            return seen + [row["tenant_id"] for row in await connection.fetch("SELECT tenant_id FROM velo.threads")]

    wanted = [chance.randint(1, 3) for _ in range(300)]
    tasks = [asyncio.create_task(ask(tenant)) for tenant in wanted]
    for _ in range(40):
        await asyncio.sleep(0.01)
        chance.choice(tasks).cancel()
    answers = await asyncio.gather(*tasks, return_exceptions=True)

    seen = [(tenant, answer) for tenant, answer in zip(wanted, answers, strict=True) if isinstance(answer, list)]
    assert len(seen) > 50
    assert all(set(answer) == {tenant} and len(answer) == 20 for tenant, answer in seen)
    known = (LookupError, DatabaseError, asyncio.CancelledError)
    assert all(isinstance(answer, known) for answer in answers if not isinstance(answer, list))


@pytest.mark.parametrize("tenant", [0, -1, 2**63, True, "1", "1'; DROP TABLE x; --", None, 1.0])
async def test_a_tenant_is_a_positive_bigint(database: Database, tenant: Any) -> None:
    with pytest.raises(ValueError, match="bigint"):
        database.tenant(tenant)


@pytest.mark.usefixtures("tenants")
async def test_an_exception_in_the_block_undoes_it(database: Database) -> None:
    with pytest.raises(LookupError):  # noqa: PT012 - raised inside the transaction
        async with database.tenant(1) as connection:
            await connection.execute("DELETE FROM velo.threads")
            raise LookupError
    async with database.tenant(1) as connection:
        assert await connection.fetchval("SELECT count(*) FROM velo.threads") == 10


@pytest.mark.usefixtures("tenants")
async def test_a_swallowed_error_does_not_pass_for_a_commit(database: Database) -> None:
    with pytest.raises(Aborted):  # noqa: PT012 - raised by the end of the transaction
        async with database.tenant(1) as connection:
            await connection.execute("DELETE FROM velo.threads")
            with pytest.raises(StatementFailed):
                await connection.execute("SELECT nothing_like_it")


@pytest.mark.usefixtures("tenants")
async def test_a_reader_cannot_write(database: Database) -> None:
    with pytest.raises(DatabaseError):
        async with database.tenant(1, read_only=True) as connection:
            await connection.execute("DELETE FROM velo.threads")


async def test_transactions_are_read_committed(database: Database) -> None:
    async with database.plain() as connection:
        assert await connection.fetchval("SHOW transaction_isolation") == "read committed"


async def test_the_session_settings_survive_the_pool(narrow: Database) -> None:
    for _ in range(3):
        async with narrow.plain() as connection:
            assert await connection.fetchval("SHOW statement_timeout") == "30s"
            assert await connection.fetchval("SHOW search_path") == SESSION["search_path"]
            assert await connection.fetchval("SHOW timezone") == "UTC"
            await connection.execute("SET statement_timeout = 0; SET search_path = public")


async def test_json_comes_back_as_it_went_in(database: Database) -> None:
    value = {"text": "Ñandú 👍 \"'\\", "list": [1, 2.5, None, True], "nested": {"a": []}}
    async with database.plain() as connection:
        assert await connection.fetchval("SELECT $1::jsonb", value) == value


async def test_arrays_need_no_set_config(database: Database) -> None:
    async with database.plain() as connection:
        row = await connection.fetchrow("SELECT $1::bigint[] AS ids, $2::text[] AS words", [1, 2], ["a"])
    assert row is not None
    assert (row["ids"], row["words"]) == ([1, 2], ["a"])


SECRET = "Quiteria"

FAILURES: dict[str, tuple[str, tuple[object, ...], type[DatabaseError]]] = {
    "unique": (f"INSERT INTO velo.issuers VALUES (1, '{SECRET}'), (1, '{SECRET}')", (), Conflict),
    "check": ("INSERT INTO velo.messages (tenant_id, thread_id, role) VALUES (1, 1, $1)", (SECRET,), Conflict),
    "foreign key": ("INSERT INTO velo.messages (tenant_id, thread_id, role) VALUES (1, 1, 'user')", (), Conflict),
    "cast on the server": ("SELECT $1::text::bigint", (SECRET,), InvalidValue),
    "cast in the driver": ("SELECT $1::bigint", (SECRET,), InvalidValue),
    "json in the driver": ("SELECT $1::jsonb", ({SECRET},), InvalidValue),
    "nul in a text": ("SELECT $1::text", (f"{SECRET}\0",), InvalidValue),
    "nul in json": ("SELECT $1::jsonb", ({"a": f"{SECRET}\0"},), InvalidValue),
    "half a surrogate pair": ("SELECT $1::text", (f"{SECRET}\ud83d",), InvalidValue),
    "raised by a function": (f"DO $$ BEGIN RAISE EXCEPTION '{SECRET}'; END $$", (), StatementFailed),
    "too slow": (f"SET LOCAL statement_timeout = 10; SELECT pg_sleep(5), '{SECRET}'", (), TimedOut),
    "too few arguments": ("SELECT $1::text, $2::text", (SECRET,), Misused),
}


@pytest.mark.parametrize(("query", "args", "expected"), FAILURES.values(), ids=FAILURES.keys())
async def test_an_error_tells_no_value(
    owner: Database, query: str, args: tuple[object, ...], expected: type[DatabaseError]
) -> None:
    async with owner.tenant(1) as connection:
        await connection.execute("INSERT INTO velo.tenants (tenant_id, name) VALUES (1, 'x')")
    with pytest.raises(expected) as caught:
        async with owner.tenant(1) as connection:
            await connection.execute(query, *args)
    told: BaseException | None = caught.value
    while told is not None:
        assert not isinstance(told, asyncpg.PostgresError | asyncpg.InterfaceError)
        assert SECRET not in f"{told!r} {told} {told.args} {vars(told)}"
        told = told.__cause__ or told.__context__
    assert SECRET not in "".join(traceback.format_exception_only(caught.value))


async def test_a_conflict_names_its_constraint(owner: Database) -> None:
    with pytest.raises(Conflict) as conflict:
        async with owner.tenant(1) as connection:
            await connection.execute("INSERT INTO velo.threads (tenant_id, member_id) VALUES (1, 1)")
    assert conflict.value.constraint == "threads_tenant_id_fkey"


async def test_a_lost_connection_is_unavailable_and_the_next_one_works(admin_dsn: str, database: Database) -> None:
    admin = await asyncpg.connect(admin_dsn)
    with pytest.raises(Unavailable):  # noqa: PT012 - the loss happens inside the transaction
        async with database.plain() as connection:
            pid = await connection.fetchval("SELECT pg_backend_pid()")
            await admin.fetch("SELECT pg_terminate_backend($1)", pid)
            await asyncio.sleep(0.1)
            await connection.fetchval("SELECT 1")
    await admin.close()
    async with database.plain() as connection:
        assert await connection.fetchval("SELECT 1") == 1


@pytest.mark.parametrize(
    "dsn",
    [
        "postgresql://velo_app:wrong-password@{host}/postgres",
        "postgresql://velo_app:pw@127.0.0.1:1/postgres",
        "postgresql://velo_app:pw@{host}/no_such_database",
        "mysql://velo_app:secret@{host}/x",
    ],
    ids=["password", "port", "database", "scheme"],
)
async def test_a_server_that_cannot_be_reached_is_unavailable(app_dsn: str, dsn: str) -> None:
    host = app_dsn.split("@")[1].split("/")[0]
    with pytest.raises(Unavailable) as unavailable:
        await Database.open(dsn.format(host=host))
    assert "secret" not in str(unavailable.value)


async def test_a_connection_is_of_no_use_after_its_transaction(database: Database) -> None:
    async with database.plain() as connection:
        pass
    with pytest.raises(RuntimeError, match="over"):
        await connection.fetchval("SELECT 1")


async def test_waiting_for_a_connection_ends(narrow: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("db.pool.ACQUIRE_SECONDS", 0.05)
    async with narrow.plain(), narrow.plain():
        with pytest.raises(TimedOut):
            async with narrow.plain():
                pass


async def test_statements_keep_one_plan_unless_a_transaction_asks_for_others(database: Database) -> None:
    for replan, mode in ((False, "force_generic_plan"), (True, "auto"), (False, "force_generic_plan")):
        async with database.tenant(1, replan=replan) as connection:
            assert await connection.fetchval("SHOW plan_cache_mode") == mode
