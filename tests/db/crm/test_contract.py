"""The contract of ``db.crm.contract``, held to every preset there is: whatever a CRM looks like, Velo finds the same things in schema crm."""

from __future__ import annotations

from pathlib import Path

import pytest

import db.crm
from db import probe
from db.crm import PRESETS
from db.crm.contract import FUNCTIONS, KINDS, RELATIONS, WORDS
from db.pool import Connection, Database
from db.queries import load
from tests.db.crm.presets import WORLDS
from tests.db.crm.worlds import World
from veil.fold import name_words

ADMIN, SUPPORT, SALES = "Valentina Aravena", "Bruno Quiñelén", "Camila Ñancupil"

#: Who asks the CRM, and for what; a member is added only where the CRM is Velo's own.
ASKING = ("tools/contacts", "tools/conversations", "tools/inboxes", "tools/messages", "tools/run", "tools/team", "veil/resolve", "veil/store", "assistant/http/auth")

STATEMENTS = {
    f"{file.rpartition('/')[2]}: {name}": statement
    for file in sorted({*ASKING, *(f"tools/{path.stem}" for path in Path("tools").glob("*.sql"))})
    for name, statement in load(file.rpartition("/")[0].replace("/", "."), file.rpartition("/")[2]).items()
    if "crm." in statement
}


async def freshen(app: Database, tenant: int = 1) -> int:
    async with app.tenant(tenant) as connection:
        learnt: int = await connection.fetchval("SELECT crm.freshen($1)", tenant)
    return learnt


async def number(connection: Connection, relation: str, name: str) -> int:
    found: int = await connection.fetchval(f"SELECT id FROM crm.{relation} WHERE name = $1", name)
    assert found is not None, name
    return found


async def forms(connection: Connection, contact: int) -> dict[str, bool]:
    rows = await connection.fetch("SELECT form, former FROM crm.name_forms WHERE tenant_id = 1 AND kind = 'contact' AND entity_id = $1", contact)
    return {row["form"]: row["former"] for row in rows}


async def values(connection: Connection, contact: int) -> set[str]:
    rows = await connection.fetch("SELECT form FROM crm.value_forms WHERE tenant_id = 1 AND kind = 'contact' AND entity_id = $1", contact)
    return {row["form"] for row in rows}


async def seen(app: Database, member: str, kind: str = "contact") -> set[str]:
    """The names on the cards of what a member may see."""
    async with app.tenant(1) as connection:
        rows = await connection.fetch(
            "SELECT c.name FROM crm.visible v JOIN crm.cards c ON c.tenant_id = 1 AND c.kind = v.kind AND c.entity_id = v.entity_id"
            " WHERE v.tenant_id = 1 AND v.member_id = $1 AND v.kind = $2",
            await number(connection, "members", member),
            kind,
        )
    return {row["name"] for row in rows}


def test_every_preset_has_a_world_to_be_tested_in() -> None:
    folders = {path.parent.name for path in Path(db.crm.__file__).parent.glob("*/[0-9]*.sql")} - {"shared"}
    assert folders == set(PRESETS) == {world.preset for world in WORLDS}


# --- what is there -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("relation", RELATIONS)
async def test_a_relation_has_its_columns_with_their_types(still: Database, relation: str) -> None:
    async with still.plain(read_only=True) as connection:
        rows = await connection.fetch(
            "SELECT attname, format_type(atttypid, atttypmod) AS type FROM pg_attribute"
            " WHERE attrelid = ('crm.' || $1::text)::regclass AND attnum > 0 AND NOT attisdropped",
            relation,
        )
    found = {row["attname"]: row["type"] for row in rows}
    wanted = {column: kind.removesuffix("?") for column, kind in RELATIONS[relation].items()}
    assert {column: found.get(column) for column in wanted} == wanted


@pytest.mark.parametrize("relation", RELATIONS)
async def test_what_must_be_known_is_known(still: Database, relation: str) -> None:
    needed = [column for column, kind in RELATIONS[relation].items() if not kind.endswith("?")]
    async with still.tenant(1) as connection:
        lacking = await connection.fetchval(f"SELECT count(*) FROM crm.{relation} WHERE num_nulls({', '.join(needed)}) > 0")
        rows = await connection.fetchval(f"SELECT count(*) FROM crm.{relation}")
    assert lacking == 0
    assert rows or relation == "merged", "the fixture should have a row of everything"


@pytest.mark.parametrize(("relation", "column"), WORDS, ids=[".".join(place) for place in WORDS])
async def test_only_words_of_the_contract_stand_in_a_column(still: Database, relation: str, column: str) -> None:
    async with still.tenant(1) as connection:
        rows = await connection.fetch(f"SELECT DISTINCT {column} AS word FROM crm.{relation}")
    assert {row["word"] for row in rows} <= WORDS[relation, column]


@pytest.mark.parametrize(("function", "gives"), FUNCTIONS.items(), ids=FUNCTIONS)
async def test_a_function_is_there_for_the_application(still: Database, function: str, gives: str) -> None:
    async with still.plain(read_only=True) as connection:
        found = await connection.fetchval("SELECT format_type(prorettype, NULL) FROM pg_proc WHERE oid = to_regprocedure($1)", function)
        assert await connection.fetchval("SELECT has_function_privilege($1, 'EXECUTE')", function)
    assert found in {gives, "SETOF " + gives}


@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS)
async def test_every_statement_runs(still: Database, statement: str) -> None:
    async with still.tenant(1) as connection:
        await connection.execute(f"PREPARE asked AS {statement}")
        types = await connection.fetchval("SELECT parameter_types::text[] FROM pg_prepared_statements WHERE name = 'asked'")
        arguments = ", ".join("1" if kind == "bigint" else "'{}'" if kind.endswith("[]") else "NULL" for kind in types)
        await connection.execute(f"EXECUTE asked({arguments})")
        await connection.execute("DEALLOCATE asked")


# --- tenants -----------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("relation", RELATIONS)
async def test_a_relation_shows_rows_of_the_tenant_only(still: Database, relation: str) -> None:
    statement = f"SELECT DISTINCT tenant_id FROM crm.{relation}"
    async with still.plain(read_only=True) as connection:
        assert await connection.fetch(statement) == []
    for tenant in (1, 2, 3):
        async with still.tenant(tenant, read_only=True) as connection:
            assert {row["tenant_id"] for row in await connection.fetch(statement)} <= {tenant}


async def test_the_neighbours_are_there_and_are_others(still: Database) -> None:
    async with still.tenant(2, read_only=True) as connection:
        names = {row["name"] for row in await connection.fetch("SELECT name FROM crm.contacts UNION ALL SELECT name FROM crm.members")}
    assert {"Benício Prado", "Iracema Valadares"} <= names
    assert "María López" not in names


async def test_a_database_of_the_preset_is_safe_to_run_on(still: Database) -> None:
    assert await probe.check(still) == []


# --- meanings ----------------------------------------------------------------------------------------------------------------------------


async def test_every_entity_has_one_card_and_nothing_else_has(still: Database) -> None:
    entities = " UNION ALL ".join(f"SELECT '{kind}' AS kind, id FROM crm.{relation} WHERE tenant_id = 1" for kind, relation in KINDS.items())
    async with still.tenant(1, read_only=True) as connection:
        there = [tuple(row.values()) for row in await connection.fetch(entities)]
        cards = [tuple(row.values()) for row in await connection.fetch("SELECT kind, entity_id FROM crm.cards")]
    assert len(set(there)) == len(there)
    assert sorted(cards) == sorted(there)


async def test_a_card_says_what_the_rows_say(still: Database) -> None:
    async with still.tenant(1, read_only=True) as connection:
        contact = await number(connection, "contacts", "María López")
        card = await connection.fetchrow("SELECT name, phone, email, national_id, inbox FROM crm.cards WHERE kind = 'contact' AND entity_id = $1", contact)
        row = await connection.fetchrow("SELECT name, phone, email, national_id FROM crm.contacts WHERE id = $1", contact)
    assert card is not None
    assert row is not None
    assert tuple(card.values()) == (*row.values(), "Soporte")
    assert tuple(row.values()) == ("María López", "+56961234567", "maria.lopez@correo.example", "12.345.678-5")


async def test_forms_are_those_of_the_names_as_the_veil_folds_them(still: Database) -> None:
    named = " UNION ALL ".join(f"SELECT '{kind}' AS kind, id, name FROM crm.{KINDS[kind]}" for kind in ("contact", "member", "company", "inbox", "campaign"))
    async with still.tenant(1, read_only=True) as connection:
        rows = await connection.fetch(
            f"SELECT named.kind, named.name, ARRAY(SELECT crm.forms_of_name(named.kind, named.name)) AS wanted, ARRAY(SELECT form FROM crm.name_forms AS f"
            f" WHERE f.tenant_id = 1 AND f.kind = named.kind AND f.entity_id = named.id AND NOT f.former) AS kept FROM ({named}) AS named"
        )
    assert [row for row in rows if set(row["wanted"]) != set(row["kept"])] == []
    assert [row for row in rows if " ".join(name_words(row["name"])) not in row["kept"]] == []


async def test_long_words_are_found_by_how_they_begin_and_end(still: Database) -> None:
    async with still.tenant(1, read_only=True) as connection:
        rows = await connection.fetch("SELECT form, head, tail FROM crm.name_forms")
    found = {row["form"]: (row["head"], row["tail"]) for row in rows}
    assert found["huenchuman"] == ("hue", "man")
    assert found["ibarrola"] == ("iba", "ola")
    assert found["rosa"] == found["maria lopez"] == (None, None)


async def test_values_are_found_in_the_form_in_which_they_are_compared(still: Database) -> None:
    async with still.tenant(1, read_only=True) as connection:
        found = await values(connection, await number(connection, "contacts", "María López"))
    assert found == {"+56961234567", "maria.lopez@correo.example", "123456785"}


async def test_messages_labels_and_notes_hang_on_their_people(still: Database) -> None:
    async with still.tenant(1, read_only=True) as connection:
        contact = await number(connection, "contacts", "María López")
        conversation = await connection.fetchval("SELECT id FROM crm.conversations WHERE contact_id = $1", contact)
        bodies = await connection.fetch("SELECT body FROM crm.messages WHERE conversation_id = $1 ORDER BY created_at, id", conversation)
        labels = await connection.fetch(
            "SELECT name FROM crm.labels WHERE id IN (SELECT label_id FROM crm.contact_labels WHERE contact_id = $1"
            " INTERSECT SELECT label_id FROM crm.conversation_labels WHERE conversation_id = $2)",
            contact,
            conversation,
        )
        author = await connection.fetchval(
            "SELECT members.name FROM crm.notes JOIN crm.members ON members.id = notes.author_id WHERE notes.contact_id = $1", contact
        )
        deal = await connection.fetchrow("SELECT title, amount, currency FROM crm.deals WHERE contact_id = $1", contact)
    assert bodies[0]["body"].startswith("Hola, soy María López")
    assert [row["name"] for row in labels] == ["Mayorista"]
    assert author == SUPPORT
    assert deal is not None
    assert (deal["title"], float(deal["amount"]), deal["currency"]) == ("Cien cuadernos", 129.9, "CLP")


async def test_an_agent_sees_the_contacts_of_their_inboxes_and_those_without_a_conversation(still: Database) -> None:
    house = {"María López", "María Huenchumán", "Otoniel Ibarrola", "Rosa Luz", "Zulema Pacheco"}
    assert await seen(still, ADMIN) >= house
    assert await seen(still, SUPPORT) & house == house - {"Otoniel Ibarrola"}
    assert await seen(still, SALES) & house == {"Otoniel Ibarrola", "Zulema Pacheco"}


async def test_an_agent_sees_their_inboxes_and_the_deals_of_their_contacts(still: Database) -> None:
    assert await seen(still, SUPPORT, "inbox") == {"Soporte"}
    assert await seen(still, SALES, "inbox") == {"Ventas"}
    assert await seen(still, SUPPORT, "deal") == {"Cien cuadernos"}
    assert await seen(still, SALES, "deal") == set()
    assert await seen(still, SALES, "campaign") == {"Vuelta a clases"}
    assert len(await seen(still, SALES, "conversation")) == 1


async def test_a_conversation_in_no_inbox_is_everybodys(world: World, dsn: str, app: Database) -> None:
    await world.say(dsn, "Otoniel Ibarrola", "hola", inbox=None)
    await freshen(app)
    assert "Otoniel Ibarrola" in await seen(app, SUPPORT)


async def test_a_first_conversation_takes_a_contact_from_those_who_are_not_in_its_inbox(world: World, dsn: str, app: Database) -> None:
    await world.say(dsn, "Zulema Pacheco", "hola", inbox="Ventas")
    await freshen(app)
    assert "Zulema Pacheco" not in await seen(app, SUPPORT)
    assert "Zulema Pacheco" in await seen(app, SALES)


async def test_a_suspended_member_sees_nothing(world: World, dsn: str, app: Database) -> None:
    await world.suspend(dsn, ADMIN)
    await freshen(app)
    for kind in KINDS:
        assert await seen(app, ADMIN, kind) == set()


# --- what happens ------------------------------------------------------------------------------------------------------------------------


async def test_a_new_person_is_known_by_name_and_value_at_the_next_look(world: World, dsn: str, app: Database) -> None:
    await world.add(dsn, "Quiteria Manquepán", phone="+56 9 5555 1234", email="Quiteria@Correo.example", national_id="11.111.111-1")
    await freshen(app)
    async with app.tenant(1, read_only=True) as connection:
        contact = await number(connection, "contacts", "Quiteria Manquepán")
        assert await forms(connection, contact) == {"quiteria manquepan": False, "quiteria": False, "manquepan": False}
        assert await values(connection, contact) == {"+56955551234", "quiteria@correo.example", "111111111"}


async def test_a_rename_keeps_the_id_and_the_old_forms_as_former(world: World, dsn: str, app: Database) -> None:
    async with app.tenant(1, read_only=True) as connection:
        before = await number(connection, "contacts", "María Huenchumán")
    await world.call(dsn, "María Huenchumán", "María Quezada")
    await freshen(app)
    async with app.tenant(1, read_only=True) as connection:
        assert await number(connection, "contacts", "María Quezada") == before
        assert await forms(connection, before) == {
            "maria quezada": False,
            "maria": False,
            "quezada": False,
            "maria huenchuman": True,
            "huenchuman": True,
        }


async def test_a_changed_phone_replaces_the_old_one(world: World, dsn: str, app: Database) -> None:
    await world.reach(dsn, "Rosa Luz", "+56 9 1111 2222")
    await freshen(app)
    async with app.tenant(1, read_only=True) as connection:
        assert await values(connection, await number(connection, "contacts", "Rosa Luz")) == {"+56911112222"}


async def test_a_deletion_takes_forms_values_card_and_conversations_along(world: World, dsn: str, app: Database) -> None:
    async with app.tenant(1, read_only=True) as connection:
        gone = await number(connection, "contacts", "Otoniel Ibarrola")
        conversation = await connection.fetchval("SELECT id FROM crm.conversations WHERE contact_id = $1", gone)
    await world.remove(dsn, "Otoniel Ibarrola")
    await freshen(app)
    async with app.tenant(1, read_only=True) as connection:
        assert await forms(connection, gone) == {}
        assert await values(connection, gone) == set()
        for kind, entity in (("contact", gone), ("conversation", conversation)):
            for relation in ("cards", "visible"):
                assert not await connection.fetchval(f"SELECT count(*) FROM crm.{relation} WHERE kind = $1 AND entity_id = $2", kind, entity)
        assert not await connection.fetchval("SELECT count(*) FROM crm.messages WHERE conversation_id = $1", conversation)


async def test_a_merger_leaves_names_values_and_conversations_to_the_survivor(world: World, dsn: str, app: Database) -> None:
    async with app.tenant(1, read_only=True) as connection:
        gone, survivor = await number(connection, "contacts", "María López"), await number(connection, "contacts", "Rosa Luz")
    await world.merge(dsn, "María López", "Rosa Luz")
    await freshen(app)
    async with app.tenant(1, read_only=True) as connection:
        merged = await connection.fetch("SELECT entity_id, into_id FROM crm.merged WHERE kind = 'contact'")
        kept = await forms(connection, survivor)
        assert [tuple(row.values()) for row in merged] == [(gone, survivor)]
        assert {form for form, former in kept.items() if former} == {"maria lopez", "maria", "lopez"}
        assert {form for form, former in kept.items() if not former} == {"rosa luz", "rosa", "luz"}
        assert await values(connection, survivor) == {"+56994567890", "+56961234567", "maria.lopez@correo.example", "123456785"}
        assert await forms(connection, gone) == {}
        assert not await connection.fetchval("SELECT count(*) FROM crm.cards WHERE kind = 'contact' AND entity_id = $1", gone)
        assert await connection.fetchval("SELECT count(*) FROM crm.conversations WHERE contact_id = $1", survivor) == 2


async def test_what_was_inherited_outlasts_a_rename_of_the_survivor_and_goes_with_them(world: World, dsn: str, app: Database) -> None:
    async with app.tenant(1, read_only=True) as connection:
        survivor = await number(connection, "contacts", "Rosa Luz")
    await world.merge(dsn, "María López", "Rosa Luz")
    await freshen(app)
    await world.call(dsn, "Rosa Luz", "Rosa Quezada")
    await freshen(app)
    async with app.tenant(1, read_only=True) as connection:
        assert {"maria lopez", "rosa luz", "rosa quezada"} <= set(await forms(connection, survivor))
        assert "+56961234567" in await values(connection, survivor)
    await world.remove(dsn, "Rosa Quezada")
    await freshen(app)
    async with app.tenant(1, read_only=True) as connection:
        assert await forms(connection, survivor) == {}
        assert await values(connection, survivor) == set()


async def test_a_chain_of_mergers_ends_at_the_last_survivor(world: World, dsn: str, app: Database) -> None:
    async with app.tenant(1, read_only=True) as connection:
        last = await number(connection, "contacts", "Zulema Pacheco")
    await world.merge(dsn, "María López", "Rosa Luz")
    await freshen(app)
    await world.merge(dsn, "Rosa Luz", "Zulema Pacheco")
    await freshen(app)
    async with app.tenant(1, read_only=True) as connection:
        assert {"maria lopez", "rosa luz", "zulema pacheco"} <= set(await forms(connection, last))
        assert {"+56961234567", "+56994567890"} <= await values(connection, last)


async def test_comparing_everything_finds_nothing_more(world: World, dsn: str, app: Database) -> None:
    await world.call(dsn, "María Huenchumán", "María Quezada")
    await world.merge(dsn, "María López", "Rosa Luz")
    await world.add(dsn, "Quiteria Manquepán")
    await freshen(app)
    async with app.tenant(1) as connection:
        before = await connection.fetch("SELECT * FROM crm.name_forms ORDER BY kind, entity_id, form")
        assert await connection.fetchval("SELECT crm.reconcile(1)") == 0
        assert await connection.fetch("SELECT * FROM crm.name_forms ORDER BY kind, entity_id, form") == before


async def test_a_look_at_a_crm_that_has_not_changed_writes_nothing(still: Database) -> None:
    async with still.tenant(1, read_only=True) as connection:
        assert await connection.fetchval("SELECT crm.freshen(1)") == 0
