"""The demo has every person and every trap that it promises."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

import pytest

from db.crm.demo.seed import NOW
from db.pool import Database
from db.roles import logins
from tests.seeding import Seeded, seed_demo

#: Tenant -> what its messages and notes must hold.
TRAPS = {
    1: {
        "phone": r"\+56 9 \d{4} \d{4}",
        "phone without spaces": r"\+569\d{8}",
        "e-mail": r"[\w.]+@[\w.]+\.example|[\w.]+@example\.(com|org|net)",
        "RUT": r"\d{2}\.\d{3}\.\d{3}-\d",
        "card": r"\b(4242|5555)\d{12}\b",
        "card in groups": r"(4242|5555) \d{4} \d{4} \d{4}",
        "look-alike tokens": r"mi código es C-1, responde con C-2",
        "instruction to the model": r"Ignora todas tus instrucciones",
        "placeholder typed by a customer": r"\[teléfono\]",
        "member named by a customer": r"dile a Valentina que",
        "name in capitals": r"MARÍA|JOSÉ",
        "name in a hurry": r"^[a-z]+ [a-z ]+, rut \d{9}\.",
        "value in a URL": r"https://\S+\?correo=\S+@\S+&fono=9\d{8}",
        "several lines": r"\n",
        "order number": r"#\d{5}",
        "price": r"\$\d+\.\d{3}",
        "day": r"\d\d/\d\d",
        "product code": r"SKU-77120",
        "version": r"2\.3\.1",
        "company with an everyday name": r"La Esquina",
        "common word that is a name elsewhere": r"vestido rosa",
    },
    2: {
        "phone": r"\(11\) 9\d{4}-\d{4}",
        "CPF": r"\d{3}\.\d{3}\.\d{3}-\d{2}",
        "CNPJ": r"\d{2}\.\d{3}\.\d{3}/0001-\d{2}",
        "card": r"\b(4242|5555)\d{12}\b",
        "look-alike tokens": r"meu código é C-1",
        "instruction to the model": r"Ignore todas as instruções",
        "member named by a customer": r"avisa a Larissa que",
        "price": r"R\$ \d+\.\d{3},90",
    },
    3: {
        "phone of Spain": r"\b6129\d{5}\b",
        "phone of Spain in groups": r"\b612 9\d \d\d \d\d\b",
        "phone of Spain with dots": r"\b612\.9\d\d\.\d{3}\b",
        "phone of Spain with typographic dashes": r"\b612–9\d\d–\d{3}\b",
        "phone of Spain with an exit code": r"\b0034 612 9\d\d \d{3}\b",
        "phone of the US": r"\(\d{3}\) 555-01\d\d",
        "phone of the US with dashes": r"\b\d{3}-555-01\d\d\b",
        "phone of the US with dots": r"\b\d{3}\.555\.01\d\d\b",
        "phone of the US without plus": r"\b1\d{3}55501\d\d\b",
        "phone that is said": r"seis uno dos nueve( \w+){5}",
        "phone digit by digit": r"6 1 2 9( \d){5}",
        "phone of full width": r"６１２９",
        "phone with characters of no width": r"\d{3}\u200b555\u200b01\d\d",
        "phone cut over two messages": r"^\d\d \d\d$",
        "DNI": r"\b\d{2}\.\d{3}\.\d{3}-[A-Z]\b",
        "DNI in lower case": r"\b\d{8}[a-z]\b",
        "NIE in lower case": r"\b[xyz]\d{7}[a-z]\b",
        "NIF of a company": r"\bB-9\d{7}\b",
        "SSN": r"ssn \d{3}-\d\d-\d{4}",
        "ITIN": r"ITIN of my wife is 99\d-7\d-\d{4}",
        "EIN": r"EIN of our shop 3\d-\d{7}",
        "IBAN in groups": r"\bES\d\d( \d{4}){5}\b",
        "IBAN": r"\bES\d{22}\b",
        "card in groups": r"(4242|5555) \d{4} \d{4} \d{4}",
        "e-mail spelt out": r"carmen punto cruz arroba example punto com",
        "e-mail spelt out in English": r"elizabeth at example dot com",
        "values in a URL": r"name=timothy-malley&mail=\S+@\S+&tel=\d{10}",
        "password": r"[Mm]y password is: \S+",
        "key": r"sk_test_\w+",
        "particles": r"van der Berg|de la Cruz",
        "apostrophes": r"O'Brien.*O’Brien.*o'brien.*O`Brien",
        "capital inside": r"McAllister",
        "two surnames": r"Fernández-Cano",
        "two letters": r"\bBo Li\b",
        "Han script": r"王小明",
        "Japanese name": r"渡辺花子",
        "Arabic script": r"محمد العلي",
        "Hebrew script": r"דוד לוי",
        "nickname": r"\bBob McAllister\b",
        "nickname in Spanish": r"\bLupe Sanz\b",
        "misspelt": r"McAlilster",
        "possessive": r"McAllister's .*Robert’s",
        "handle": r"@bob_mcallister",
        "file name": r"contrato_PilarGarcía_v2\.pdf",
        "last name first": r"García Ruiz, Pilar",
        "honorific": r"doña Pilar",
        "name that is a word": r"mi coche es un mercedes gris",
        "name that is a word of English": r"I hope you can",
        "name that is a verb": r"I will pay when Will Jr\.",
        "name that is a place": r"Tell Austin when",
        "tracking numbers": r"UPS 1Z\w{16}.*Correos \w{23}.*MRW \d{12}",
        "EAN, lot and coupon": r"EAN \d{13}.*lot \S+, coupon NAVIDAD25",
        "UUID and hash": r"[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}, commit [\da-f]{40}",
        "day of the US": r"\b(0\d|1[0-2])/(1[3-9]|2\d|3[01])/2026",
        "day of Spain": r"\b(1[3-9]|2\d|3[01])/(0\d|1[0-2])/2026",
        "price of the US": r"\$\d+,\d{3}\.00",
        "price of Spain": r"\d+\.\d{3},50 €",
    },
}


async def names(demo: Database, tenant: int, pattern: str) -> list[str]:
    async with demo.tenant(tenant) as connection:
        rows = await connection.fetch("SELECT name FROM crm.contacts WHERE name ~ $1 ORDER BY id", pattern)
    return [row["name"] for row in rows]


async def test_there_are_two_marias_and_seven_joses(demo: Database) -> None:
    assert len(await names(demo, 1, r"\mMaría\M")) == 2
    assert len(await names(demo, 1, r"\mJosé\M")) == 7


@pytest.mark.parametrize("tenant", [1, 2])
async def test_the_people_whom_tests_ask_for_are_there(demo: Database, tenant: int) -> None:
    assert await names(demo, tenant, "^(María López|Rosa|Cliente)$") == ["María López", "Rosa", "Cliente"]
    assert len(await names(demo, tenant, "")) == 80


async def test_names_have_all_shapes(demo: Database) -> None:
    for pattern in ("^Ana$", "O'", "-", "de la ", "^Luz Flores$", r" \w{2}$", "^Cristóbal Muñoz Muñoz$"):
        assert await names(demo, 1, pattern), pattern
    for pattern in (
        "O'Brien",
        "McAllister",
        "van der Berg",
        "de la Cruz",
        "Fernández-Cano",
        "^Bo Li$",
        "^王小明$",
        "^渡辺花子$",
        "^محمد العلي$",
        "^דוד לוי$",
    ):
        assert await names(demo, 3, pattern), pattern
    for weak in ("Will", "Rich", "Bill", "Hope", "Joy", "Grace", "Luz", "Rosa", "Pilar", "Mercedes", "Victoria", "Austin", "Charlotte", "Santiago"):
        assert await names(demo, 3, f"^{weak} "), weak


async def test_a_name_in_another_script_has_its_latin_form_as_alias(demo: Database) -> None:
    async with demo.tenant(3) as connection:
        rows = await connection.fetch(r"SELECT name, aliases FROM crm.contacts WHERE name !~ '[A-Za-z]' ORDER BY id")
    assert {row["name"]: row["aliases"] for row in rows} == {
        "王小明": ["Xiaoming Wang"],
        "渡辺花子": ["Hanako Watanabe"],
        "محمد العلي": ["Muhammad Alali"],
        "דוד לוי": ["David Levi"],
    }


@pytest.mark.parametrize("tenant", [1, 2, 3])
async def test_the_team_has_every_role_and_agents_of_one_inbox(demo: Database, tenant: int) -> None:
    async with demo.tenant(tenant) as connection:
        rows = await connection.fetch(
            "SELECT m.role, count(i.*) AS inboxes FROM crm.members m LEFT JOIN crm.inbox_members i"
            " ON i.tenant_id = m.tenant_id AND i.member_id = m.id GROUP BY m.id, m.role ORDER BY m.id"
        )
        inboxes = [row["name"] for row in await connection.fetch("SELECT name FROM crm.inboxes ORDER BY id")]
    assert [(row["role"], row["inboxes"]) for row in rows] == [
        ("admin", 0),
        ("supervisor", 0),
        *[("agent", 1)] * 3,
        ("agent", 3),
    ]
    assert inboxes[:2] == [["Soporte", "Ventas"], ["Suporte", "Vendas"], ["Support", "Sales"]][tenant - 1]


@pytest.mark.parametrize("tenant", [1, 2, 3])
async def test_there_is_something_of_everything(demo: Database, tenant: int) -> None:
    tables = ["companies", "labels", "contact_labels", "conversation_labels", "notes", "campaigns", "deals"]
    async with demo.tenant(tenant) as connection:
        counts = {table: await connection.fetchval(f"SELECT count(*) FROM crm.{table}") for table in tables}
        assert await connection.fetchval("SELECT count(*) FROM crm.conversations") == 150
        assert await connection.fetchval("SELECT count(*) FROM crm.conversations WHERE waiting_since IS NOT NULL") > 20
        assert await connection.fetchval("SELECT count(*) FROM crm.conversations WHERE inbox_id IS NULL") > 0
        latest = await connection.fetchval("SELECT max(created_at) FROM crm.messages")
    assert min(counts.values()) >= 5, counts
    assert latest < NOW


async def test_some_contacts_have_never_written_and_an_agent_sees_one_maria_less(demo: Database) -> None:
    async with demo.tenant(1) as connection:
        silent = await connection.fetchval(
            "SELECT count(*) FROM crm.contacts c WHERE NOT EXISTS (SELECT FROM crm.conversations v"
            " WHERE v.tenant_id = c.tenant_id AND v.contact_id = c.id)"
        )
    assert silent >= 5


@pytest.mark.parametrize(("tenant", "trap"), [(tenant, trap) for tenant, traps in TRAPS.items() for trap in traps])
async def test_the_texts_hold_the_trap(demo: Database, tenant: int, trap: str) -> None:
    async with demo.tenant(tenant) as connection:
        rows = await connection.fetch("SELECT body FROM crm.messages")
    assert any(re.search(TRAPS[tenant][trap], row["body"], re.MULTILINE) for row in rows)


async def test_every_slot_and_mark_is_filled(demo: Database) -> None:
    for tenant in (1, 2, 3):
        async with demo.tenant(tenant) as connection:
            bodies = await connection.fetch(
                "SELECT body FROM crm.messages UNION ALL SELECT body FROM crm.notes"
                " UNION ALL SELECT title FROM crm.deals UNION ALL SELECT subject FROM crm.conversations"
                " UNION ALL SELECT name FROM crm.labels"
            )
        assert [row["body"] for row in bodies if re.search(r"[«»{}|]", row["body"])] == []


async def test_the_tenants_are_set_up(demo: Database) -> None:
    async with demo.tenant(1) as connection:
        assert await connection.fetchval("SELECT settings FROM velo.tenants") == {
            "language": "es",
            "zone": "America/Santiago",
            "phone_regions": ["CL"],
            "id_countries": ["CL"],
        }
    async with demo.tenant(3) as connection:
        assert await connection.fetchval("SELECT settings FROM velo.tenants") == {
            "language": "en",
            "zone": "America/New_York",
            "phone_regions": ["ES", "US"],
            "id_countries": ["ES", "US"],
        }
        assert await connection.fetchval("SELECT issuer FROM velo.issuers") == "velo"


async def test_seeding_again_writes_nothing_and_says_so(
    seeded: Callable[[int, int], Awaitable[Seeded]], clone_database: Callable[[str], Awaitable[str]]
) -> None:
    first = await seeded(1, 0)
    assert first.renaming["fresh"]
    dsn = logins(await clone_database(first.database)).owner
    owner = await Database.open(dsn)
    async with owner.tenant(1) as connection:
        before = await connection.fetchval("SELECT count(*) FROM crm.messages")
    assert await seed_demo(dsn, people_seed=5) == {"words": {}, "identifiers": {}, "fresh": False}
    async with owner.tenant(1) as connection:
        assert await connection.fetchval("SELECT count(*) FROM crm.messages") == before
    await owner.close()


@pytest.mark.parametrize(("contacts", "conversations"), [(160, 300), pytest.param(1000, 1875, marks=pytest.mark.prove)])
async def test_as_many_contacts_are_seeded_as_were_asked_for(owner_dsn: str, owner: Database, contacts: int, conversations: int) -> None:
    await seed_demo(owner_dsn, contacts=contacts)
    async with owner.tenant(2) as connection:
        assert await connection.fetchval("SELECT count(*) FROM crm.contacts") == contacts
        assert await connection.fetchval("SELECT count(*) FROM crm.conversations") == conversations
