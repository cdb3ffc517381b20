"""What only a CRM brings about that is somebody else's: keys that are texts, rows that change behind Velo's back, and rights on them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from urllib.parse import urlsplit

import pytest

from db import embedded, probe
from db.errors import DatabaseError, Forbidden, MigrationRefused, Refused, StatementFailed, UnsafeDatabase
from db.migrate import migrate
from db.pool import Connection, Database
from db.roles import logins
from tests.db.crm.helpdesk.world import Helpdesk, install
from tests.db.crm.worlds import run
from tests.postgres import execute, on

HELPDESK = Helpdesk()


@pytest.fixture(scope="module")
async def built(server: embedded.Server, template: str) -> str:
    """The name of a database with the help desk and Velo over it; nobody writes there."""
    await execute(server.dsn, 'CREATE DATABASE "helpdesk_built"')
    await HELPDESK.build(on(server.dsn, "helpdesk_built"))
    return "helpdesk_built"


@pytest.fixture
async def dsn(built: str, server: embedded.Server, clone_database: Callable[[str], Awaitable[str]]) -> AsyncIterator[str]:
    """The administrator's DSN of a copy that only this test has."""
    copy = await clone_database(built)
    yield copy
    await execute(server.dsn, f'DROP DATABASE "{urlsplit(copy).path[1:]}" WITH (FORCE)')


@pytest.fixture
async def app(dsn: str) -> AsyncIterator[Database]:
    opened = await Database.open(logins(dsn).app)
    yield opened
    await opened.close()


@pytest.fixture
async def owner(dsn: str) -> AsyncIterator[Database]:
    opened = await Database.open(logins(dsn).owner)
    yield opened
    await opened.close()


@pytest.fixture
async def empty(server: embedded.Server, template: str, request: pytest.FixtureRequest) -> AsyncIterator[str]:
    """The administrator's DSN of a database without anything in it."""
    await execute(server.dsn, 'CREATE DATABASE "helpdesk_empty"')
    yield on(server.dsn, "helpdesk_empty")
    await execute(server.dsn, 'DROP DATABASE "helpdesk_empty" WITH (FORCE)')


async def contact(connection: Connection, name: str) -> int | None:
    found: int | None = await connection.fetchval("SELECT id FROM crm.contacts WHERE name = $1", name)
    return found


async def bearers(app: Database, form: str) -> int:
    async with app.tenant(1, read_only=True) as connection:
        count: int = await connection.fetchval("SELECT count(*) FROM crm.name_forms WHERE tenant_id = 1 AND form = $1", form)
    return count


async def ask(app: Database, function: str, tenant: int = 1) -> int:
    async with app.tenant(tenant) as connection:
        learnt: int = await connection.fetchval(f"SELECT crm.{function}($1)", tenant)
    return learnt


# --- migrating ---------------------------------------------------------------------------------------------------------------------------


async def test_a_database_without_the_help_desk_is_refused_in_clear_words(empty: str) -> None:
    with pytest.raises(MigrationRefused, match="there is no schema helpdesk in this database; point DATABASE_URL to"):
        await migrate(empty, preset="helpdesk")


async def test_a_wrong_preset_leaves_no_trace_and_can_be_corrected(empty: str) -> None:
    with pytest.raises(MigrationRefused):
        await migrate(empty, preset="helpdesk")
    assert "crm/demo/0002_tables.sql" in await migrate(empty, preset="demo")


async def test_a_help_desk_that_may_not_be_read_is_refused_with_what_to_grant(empty: str) -> None:
    await install(empty, readable=False)
    with pytest.raises(MigrationRefused, match="GRANT USAGE ON SCHEMA helpdesk TO velo_owner; GRANT SELECT ON ALL TABLES"):
        await migrate(empty, preset="helpdesk")


async def test_a_help_desk_that_velo_could_write_to_is_refused(empty: str) -> None:
    await install(empty)
    await execute(empty, "GRANT UPDATE ON helpdesk.people TO velo_owner")
    with pytest.raises(MigrationRefused, match="must only read it"):
        await migrate(empty, preset="helpdesk")


async def test_a_help_desk_of_another_version_is_refused_with_what_it_lacks(empty: str) -> None:
    await install(empty)
    await execute(empty, "ALTER TABLE helpdesk.people RENAME COLUMN given TO first_name; DROP TABLE helpdesk.remarks")
    with pytest.raises(MigrationRefused, match=r"it has no people\.given, remarks\.account, remarks\.agent"):
        await migrate(empty, preset="helpdesk")


# --- accounts ----------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tenant", "account", "state"),
    [(3, "no such", "VL004"), (3, "casa", "VL005"), (1, "nadie", "VL005"), (1, "casa", "VL005")],
    ids=["unknown", "another tenant's", "second account", "twice"],
)
async def test_an_account_is_opened_for_one_tenant_once(owner: Database, tenant: int, account: str, state: str) -> None:
    with pytest.raises(Refused) as refused:
        async with owner.tenant(tenant) as connection:
            await connection.fetchval("SELECT crm.open_account($1, $2)", tenant, account)
    assert refused.value.sqlstate == state


async def test_only_the_owner_opens_accounts(app: Database) -> None:
    with pytest.raises(Forbidden):
        async with app.tenant(3) as connection:
            await connection.fetchval("SELECT crm.open_account(3, 'nadie')")


async def test_a_tenant_without_an_account_sees_nothing_and_learns_nothing(app: Database) -> None:
    assert await ask(app, "freshen", 3) == 0
    async with app.tenant(3, read_only=True) as connection:
        assert await connection.fetchval("SELECT count(*) FROM crm.contacts") == 0


async def test_one_key_in_two_accounts_is_two_entities(app: Database) -> None:
    """Logins and channels' codes are unique within an account only."""
    names = []
    for tenant in (1, 2):
        async with app.tenant(tenant, read_only=True) as connection:
            names.append({row["name"] for row in await connection.fetch("SELECT name FROM crm.members UNION ALL SELECT name FROM crm.inboxes")})
    assert {"Valentina Aravena", "Soporte"} <= names[0]
    assert names[1] == {"Iracema Valadares", "Atendimento"}


# --- rights ------------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("statement", ["SELECT count(*) FROM helpdesk.people", "DELETE FROM helpdesk.people"], ids=["read", "write"])
async def test_the_application_does_not_reach_past_the_views(app: Database, statement: str) -> None:
    with pytest.raises(Forbidden):
        async with app.tenant(1) as connection:
            await connection.execute(statement)


@pytest.mark.parametrize("relation", ["contacts", "members", "messages", "conversations", "cards"])
async def test_nothing_is_written_through_a_view(app: Database, owner: Database, relation: str) -> None:
    for database in (app, owner):
        with pytest.raises(DatabaseError):
            async with database.tenant(1) as connection:
                await connection.execute(f"DELETE FROM crm.{relation}")


async def test_a_lead_sees_what_an_owner_sees(app: Database) -> None:
    seen = "SELECT kind, entity_id FROM crm.visible WHERE member_id = (SELECT id FROM crm.members WHERE name = $1) ORDER BY kind, entity_id"
    async with app.tenant(1, read_only=True) as connection:
        lead, chief = [await connection.fetch(seen, name) for name in ("Lidia Oyarce", "Valentina Aravena")]
    assert len(lead) > 100
    assert lead == chief


async def test_velo_does_not_start_when_a_table_of_the_help_desk_can_be_read_directly(dsn: str, app: Database) -> None:
    assert await probe.check(app) == []
    await execute(dsn, "GRANT USAGE ON SCHEMA helpdesk TO PUBLIC; GRANT SELECT (given) ON helpdesk.people TO velo_app")
    with pytest.raises(UnsafeDatabase, match=r"helpdesk\.people can be used past the views"):
        await probe.check(app)


# --- keys --------------------------------------------------------------------------------------------------------------------------------


async def test_a_ticket_in_a_channel_without_a_number_is_nobodys_yet(dsn: str, app: Database) -> None:
    """Without an inbox it would be everybody's."""
    await execute(
        dsn,
        "INSERT INTO helpdesk.channels (account, code, label) VALUES ('casa', 'secreto', 'Secreto');"
        " INSERT INTO helpdesk.tickets (ref, account, person, channel) VALUES ('T-900', 'casa', 'p-5', 'secreto');"
        " INSERT INTO helpdesk.posts (ticket, content) VALUES ('T-900', 'hola');"
        " UPDATE helpdesk.tickets SET channel = 'secreto' WHERE ref = 'T-100'",
    )
    seen = "SELECT count(*) FROM crm.visible WHERE tenant_id = 1 AND member_id = (SELECT id FROM crm.members WHERE name LIKE 'Bruno%') AND kind = $1"
    async with app.tenant(1, read_only=True) as connection:
        agents = {kind: await connection.fetchval(seen, kind) for kind in ("contact", "conversation")}
        assert await connection.fetchval("SELECT count(*) FROM crm.messages WHERE body = 'hola'") == 0
        zulema, maria = await contact(connection, "Zulema Pacheco"), await contact(connection, "María López")
        for person in (zulema, maria):
            assert not await connection.fetchval(
                "SELECT count(*) FROM crm.visible WHERE member_id = (SELECT id FROM crm.members WHERE name LIKE 'Bruno%') AND kind = 'contact'"
                " AND entity_id = $1",
                person,
            )
    await ask(app, "freshen")
    async with app.tenant(1, read_only=True) as connection:
        assert {kind: await connection.fetchval(seen, kind) for kind in agents} == agents
        assert await connection.fetchval("SELECT count(*) FROM crm.messages WHERE body = 'hola'") == 1


async def test_numbers_follow_the_order_of_the_rows_and_not_of_their_keys(app: Database) -> None:
    """A login is made of a name, and what is listed by number must not tell how names are spelt."""
    async with app.tenant(1, read_only=True) as connection:
        members = await connection.fetch("SELECT name FROM crm.members ORDER BY id")
        inboxes = await connection.fetch("SELECT name FROM crm.inboxes ORDER BY id")
    assert [row["name"] for row in members] == ["Valentina Aravena", "Bruno Quiñelén", "Camila Ñancupil", "Lidia Oyarce"]
    assert [row["name"] for row in inboxes] == ["Soporte", "Ventas", "Postventa Austral"]


async def test_a_number_once_given_stays_whatever_becomes_of_the_row(dsn: str, app: Database) -> None:
    async with app.tenant(1, read_only=True) as connection:
        before = await contact(connection, "Rosa Luz")
    await execute(dsn, "UPDATE helpdesk.people SET removed = now(), touched = now() WHERE key = 'p-4'")
    await ask(app, "freshen")
    async with app.tenant(1, read_only=True) as connection:
        assert await contact(connection, "Rosa Luz") is None
    await execute(dsn, "UPDATE helpdesk.people SET removed = NULL, touched = now() WHERE key = 'p-4'")
    await ask(app, "freshen")
    async with app.tenant(1, read_only=True) as connection:
        assert await contact(connection, "Rosa Luz") == before
    assert await bearers(app, "rosa luz") == 1


# --- keeping step ------------------------------------------------------------------------------------------------------------------------


async def test_a_change_in_a_side_table_is_seen_though_the_person_was_not_touched(dsn: str, app: Database) -> None:
    await execute(dsn, "INSERT INTO helpdesk.reach (account, person, way, address) VALUES ('casa', 'p-4', 'phone', '+56 9 7777 0000')")
    assert await ask(app, "freshen") == 1
    async with app.tenant(1, read_only=True) as connection:
        assert await connection.fetchval("SELECT count(*) FROM crm.value_forms WHERE form = '+56977770000'") == 1


async def test_a_change_dated_before_the_last_look_is_seen_within_the_overlap(dsn: str, app: Database) -> None:
    """Its transaction began before that look and ended after it."""
    await ask(app, "reconcile")
    await execute(dsn, "UPDATE helpdesk.people SET family = 'Quezada', touched = now() - interval '4 minutes' WHERE key = 'p-4'")
    assert await ask(app, "freshen") == 1
    assert await bearers(app, "rosa quezada") == 1


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE helpdesk.people SET family = 'Quezada', touched = now() - interval '1 day' WHERE key = 'p-4'",
        "DELETE FROM helpdesk.people WHERE key = 'p-4'",
        "DELETE FROM helpdesk.reach WHERE person = 'p-4'",
    ],
    ids=["dated long ago", "row deleted", "phone deleted"],
)
async def test_a_change_without_a_date_is_found_when_everything_is_compared(dsn: str, app: Database, change: str) -> None:
    await execute(dsn, "UPDATE helpdesk.people SET touched = now() - interval '1 day'; UPDATE helpdesk.reach SET touched = now() - interval '1 day'")
    await execute(dsn, change)
    assert await ask(app, "freshen") == 0
    assert await ask(app, "reconcile") == 1
    assert await ask(app, "reconcile") == 0


async def test_a_row_that_was_deleted_has_no_card_at_once_and_no_forms_after_comparing(dsn: str, app: Database) -> None:
    await execute(dsn, "DELETE FROM helpdesk.people WHERE key = 'p-3'")
    async with app.tenant(1, read_only=True) as connection:
        assert await connection.fetchval("SELECT count(*) FROM crm.cards WHERE name = 'Otoniel Ibarrola'") == 0
    assert await bearers(app, "otoniel ibarrola") == 1
    await ask(app, "reconcile")
    assert await bearers(app, "otoniel ibarrola") == 0


async def test_what_cannot_be_learnt_read_only_stops_who_asked(dsn: str, app: Database) -> None:
    await HELPDESK.add(dsn, "Quiteria Manquepán")
    with pytest.raises(StatementFailed):
        async with app.tenant(1, read_only=True) as connection:
            await connection.fetchval("SELECT crm.freshen(1)")


async def test_a_tenant_that_was_never_looked_at_learns_everything_first(app: Database) -> None:
    async with app.tenant(1) as connection:
        for table in ("freshness", "learnt", "name_forms", "value_forms"):
            await connection.execute(f"DELETE FROM crm.{table}")
    assert await ask(app, "freshen") > 150
    assert await bearers(app, "maria lopez") == 1


async def test_the_mark_moves_on_so_that_old_changes_are_not_looked_at_again(app: Database) -> None:
    async with app.tenant(1) as connection:
        await connection.execute("UPDATE crm.freshness SET upto = now() - interval '1 day'")
    await ask(app, "freshen")
    async with app.tenant(1, read_only=True) as connection:
        assert await connection.fetchval("SELECT upto > now() - interval '1 minute' FROM crm.freshness")


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE helpdesk.people SET nicknames = '{\"a\": 1}', papers = '[1]', touched = now() WHERE key = 'p-4'",
        "UPDATE helpdesk.people SET absorbed_by = 'p-4', touched = now() WHERE key = 'p-4'",
        "UPDATE helpdesk.people SET absorbed_by = CASE key WHEN 'p-4' THEN 'p-5' ELSE 'p-4' END, touched = now() WHERE key IN ('p-4', 'p-5')",
        "UPDATE helpdesk.people SET absorbed_by = 'p-90', touched = now() WHERE key = 'p-4'",
        "UPDATE helpdesk.people SET given = '', family = NULL, touched = now() WHERE key = 'p-4'",
        "UPDATE helpdesk.people SET given = repeat('x', 5000), touched = now() WHERE key = 'p-4'",
        "INSERT INTO helpdesk.mailings (key, account, label, figures) VALUES ('m-9', 'casa', 'Rara', '[\"sent\"]')",
    ],
    ids=["odd JSON", "absorbed by oneself", "circle", "absorbed by another account", "no name", "long name", "odd figures"],
)
async def test_what_should_not_be_in_a_help_desk_stops_nobody(dsn: str, app: Database, change: str) -> None:
    await execute(dsn, change)
    await ask(app, "freshen")
    assert await ask(app, "freshen") == 0
    async with app.tenant(1, read_only=True) as connection:
        for relation in ("contacts", "merged", "cards", "campaigns", "visible"):
            await connection.fetch(f"SELECT * FROM crm.{relation}")
    async with app.tenant(2, read_only=True) as connection:
        forms = await connection.fetch("SELECT form FROM crm.name_forms WHERE entity_id = (SELECT id FROM crm.contacts WHERE name = 'Benício Prado')")
    assert {row["form"] for row in forms} == {"benicio prado", "benicio", "prado"}


async def test_an_alias_out_of_the_help_desks_json_is_a_name(dsn: str, app: Database) -> None:
    await execute(dsn, "UPDATE helpdesk.people SET nicknames = '[\"La Rusia Quezada\"]', touched = now() WHERE key = 'p-4'")
    await ask(app, "freshen")
    assert await bearers(app, "la rusia quezada") == 1


async def test_of_two_who_look_at_once_one_learns_and_the_other_waits_for_it(dsn: str, app: Database) -> None:
    await HELPDESK.add(dsn, "Quiteria Manquepán")
    async with app.tenant(1) as first:
        assert await first.fetchval("SELECT crm.freshen(1)") == 1
        second = asyncio.create_task(ask(app, "freshen"))
        async with app.plain(read_only=True) as watch:
            while not await watch.fetchval("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"):
                assert not second.done()
        assert await ask(app, "freshen", tenant=2) == 0
    assert await second == 0


async def test_a_tag_is_numbered_though_it_bears_no_date(dsn: str, app: Database) -> None:
    await run(dsn, "INSERT INTO helpdesk.tags VALUES ('casa', 'moroso', 'Moroso')")
    await ask(app, "freshen")
    async with app.tenant(1, read_only=True) as connection:
        assert {row["name"] for row in await connection.fetch("SELECT name FROM crm.labels")} == {"Mayorista", "Moroso"}
