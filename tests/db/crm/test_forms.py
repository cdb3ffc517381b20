"""Names and values as they are looked up: what is a form, and how forms follow the rows."""

from __future__ import annotations

import pytest

from db.pool import Connection, Database
from veil import lexicon

FORMS = [
    ("contact", "María López", {"maria lopez", "maria", "lopez"}),
    ("contact", "Pedro de la Cruz", {"pedro de la cruz", "pedro", "cruz"}),
    ("contact", "Bernardo O'Higgins", {"bernardo o higgins", "bernardo", "higgins", "ohiggins"}),
    ("contact", "Jean-Paul Soto", {"jean paul soto", "jean", "paul", "soto", "jeanpaul"}),
    ("contact", "Wu Li", {"wu li", "wu", "li"}),
    ("contact", "X", set()),
    ("contact", "—", set()),
    ("contact", "王小明", {"王 小 明"}),
    ("contact", "De La", {"de la"}),
    ("member", "Ana", {"ana"}),
    ("company", "Soto y Cía. Ltda.", {"soto y cia ltda", "soto"}),
    ("company", "La Esquina S.A.", {"la esquina s a", "la esquina", "esquina"}),
    ("company", "Ltda.", {"ltda"}),
    ("inbox", "Despacho Norte", {"despacho norte"}),
    ("campaign", "Vuelta a clases", {"vuelta a clases"}),
]


async def forms(connection: Connection, kind: str, entity_id: int) -> dict[str, bool]:
    rows = await connection.fetch("SELECT form, former FROM crm.name_forms WHERE kind = $1 AND entity_id = $2", kind, entity_id)
    return {row["form"]: row["former"] for row in rows}


async def values(connection: Connection, kind: str, entity_id: int) -> set[tuple[str, str]]:
    rows = await connection.fetch("SELECT value_kind, form FROM crm.value_forms WHERE kind = $1 AND entity_id = $2", kind, entity_id)
    return {(row["value_kind"], row["form"]) for row in rows}


async def add(connection: Connection, name: str, entity_id: int = 1, **columns: str | None) -> None:
    await connection.execute(
        "INSERT INTO crm.contacts (tenant_id, id, name, phone, email, national_id) VALUES (1, $1, $2, $3, $4, $5)",
        entity_id,
        name,
        columns.get("phone"),
        columns.get("email"),
        columns.get("national_id"),
    )


@pytest.mark.parametrize(("kind", "name", "expected"), FORMS)
async def test_a_name_gives_its_forms(demo: Database, kind: str, name: str, expected: set[str]) -> None:
    async with demo.plain() as connection:
        rows = await connection.fetch("SELECT crm.forms_of_name($1, $2) AS form", kind, name)
    assert {row["form"] for row in rows} == expected


async def test_the_veil_knows_the_same_legal_forms_and_particles(demo: Database) -> None:
    async with demo.plain() as connection:
        legal_forms = await connection.fetchval("SELECT crm.legal_forms()")
        kept = await connection.fetch(
            "SELECT word FROM unnest($1::text[]) AS word WHERE word IN (SELECT crm.forms_of_name('contact', 'Xx ' || word))",
            sorted(lexicon.PARTICLES),
        )
    assert set(legal_forms.split("|")) == lexicon.LEGAL_FORMS
    assert kept == []


async def test_a_renamed_contact_keeps_the_old_forms_as_former(owner: Database) -> None:
    async with owner.tenant(1) as connection:
        await add(connection, "María López")
        await connection.execute("UPDATE crm.contacts SET name = 'María Soto' WHERE id = 1")
        assert await forms(connection, "contact", 1) == {
            "maria soto": False,
            "maria": False,
            "soto": False,
            "maria lopez": True,
            "lopez": True,
        }


async def test_a_form_that_is_current_again_is_no_longer_former(owner: Database) -> None:
    async with owner.tenant(1) as connection:
        await add(connection, "María López")
        await connection.execute("UPDATE crm.contacts SET name = 'Berta Soto' WHERE id = 1")
        await connection.execute("UPDATE crm.contacts SET name = 'María López' WHERE id = 1")
        now = await forms(connection, "contact", 1)
    assert {form for form, former in now.items() if not former} == {"maria lopez", "maria", "lopez"}
    assert {form for form, former in now.items() if former} == {"berta soto", "berta", "soto"}


async def test_an_alias_is_a_name_and_a_lost_alias_a_former_one(owner: Database) -> None:
    async with owner.tenant(1) as connection:
        await add(connection, "María López")
        await connection.execute("UPDATE crm.contacts SET aliases = '{Mary Quezada}' WHERE id = 1")
        assert (await forms(connection, "contact", 1))["mary quezada"] is False
        await connection.execute("UPDATE crm.contacts SET aliases = '{}' WHERE id = 1")
        assert (await forms(connection, "contact", 1))["quezada"] is True


async def test_a_deleted_contact_takes_forms_values_and_conversations_along(owner: Database) -> None:
    async with owner.tenant(1) as connection:
        await add(connection, "María López", phone="+56961234567")
        await connection.execute("INSERT INTO crm.conversations (tenant_id, id, contact_id, status) VALUES (1, 5, 1, 'open')")
        await connection.execute("INSERT INTO crm.messages (tenant_id, id, conversation_id, body) VALUES (1, 6, 5, 'hola')")
        await connection.execute("DELETE FROM crm.contacts WHERE id = 1")
        left = await connection.fetchval(
            "SELECT (SELECT count(*) FROM crm.name_forms) + (SELECT count(*) FROM crm.value_forms)"
            " + (SELECT count(*) FROM crm.conversations) + (SELECT count(*) FROM crm.messages)"
        )
    assert left == 0


async def test_values_are_kept_in_the_form_in_which_they_are_compared(owner: Database) -> None:
    async with owner.tenant(1) as connection:
        await add(connection, "Ana", phone="+56 9 6123-4567", email=" Ana@Example.COM ", national_id="12.345.678-k")
        await add(connection, "Eva", 2, phone="(9) 6123 4567", email="", national_id="-")
        assert await values(connection, "contact", 1) == {
            ("phone", "+56961234567"),
            ("email", "ana@example.com"),
            ("id", "12345678K"),
        }
        assert await values(connection, "contact", 2) == {("phone", "961234567")}


async def test_a_changed_phone_replaces_the_old_one(owner: Database) -> None:
    async with owner.tenant(1) as connection:
        await add(connection, "Ana", phone="+56961234567", email="ana@example.com")
        await connection.execute("UPDATE crm.contacts SET phone = '+56961112222' WHERE id = 1")
        assert await values(connection, "contact", 1) == {("phone", "+56961112222"), ("email", "ana@example.com")}


async def test_a_name_of_any_length_can_be_stored(owner: Database) -> None:
    async with owner.tenant(1) as connection:
        await add(connection, "María " + "x" * 5000)
        assert set(await forms(connection, "contact", 1)) == {"maria"}


async def test_every_kind_learns_and_forgets(owner: Database) -> None:
    rows = [("members", "member"), ("companies", "company"), ("inboxes", "inbox"), ("campaigns", "campaign")]
    async with owner.tenant(1) as connection:
        for table, kind in rows:
            await connection.execute(f"INSERT INTO crm.{table} (tenant_id, id, name) VALUES (1, 9, 'Casa Quimelar')")
            await connection.execute(f"UPDATE crm.{table} SET name = 'Casa Lumipar' WHERE id = 9")
            found = await forms(connection, kind, 9)
            assert (found["casa quimelar"], found["casa lumipar"]) == (True, False)
            await connection.execute(f"DELETE FROM crm.{table} WHERE id = 9")
            assert await forms(connection, kind, 9) == {}


async def test_one_statement_may_bring_many_rows(owner: Database) -> None:
    async with owner.tenant(1) as connection:
        await connection.execute("INSERT INTO crm.contacts (tenant_id, id, name) SELECT 1, n, 'María ' || n FROM generate_series(1, 500) n")
        assert await connection.fetchval("SELECT count(*) FROM crm.name_forms WHERE form = 'maria'") == 500
