"""A CRM held in memory answers as Postgres does: the same forms, the same bearers, the same veiled text."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from bench import forms
from bench.crm import Tenant, entity
from bench.desk import Desk
from bench.held import Held
from bench.postgres import fill
from db.pool import Database
from veil.tokens import Kind

READER = entity("U-1")
NAMES = [
    (Kind.CONTACT, "María José de la Cruz O'Higgins"),
    (Kind.CONTACT, "Ana-Sofía d’Ávila"),
    (Kind.CONTACT, "Li"),
    (Kind.CONTACT, "山田 太郎"),
    (Kind.MEMBER, "Łukasz van der Groß"),
    (Kind.COMPANY, "Soto y Cía. Ltda."),
    (Kind.COMPANY, "Comercial Quimelar S. A. de C. V."),
    (Kind.COMPANY, "Ltda"),
    (Kind.INBOX, "Ventas iPhone"),
    (Kind.CAMPAIGN, "Cyber-Day 2024"),
]
ROWS = [
    {"phone": " +56 9 6124-2511", "email": " A.B@Correo.example ", "national_id": "12.345.678-k"},
    {"phone": "(02) 2345 678", "email": None, "legal_id": "76.123.456−7"},
    {"phone": "+", "email": "", "national_id": None},
]
TEXTS = [
    "Hola, soy Quimey Ñancupil, mi fono es 9 6123 4567",
    "dile a rosa que su rosa llegó, C-1 y [nombre 3] no",
    "Quimey y Bruno Quiñelén de Trevinca SpA; quimey.n@correo.example, Teodora Paillán",
]


@pytest.mark.parametrize(("kind", "name"), NAMES, ids=[name for _, name in NAMES])
async def test_a_name_has_the_forms_that_the_database_gives_it(owner: Database, kind: Kind, name: str):
    async with owner.tenant(1) as connection:
        rows = await connection.fetch("SELECT form FROM crm.forms_of_name($1, $2) AS form", kind.value, name)
    assert forms.names_of(kind, {"name": name}) == {row["form"] for row in rows}


@pytest.mark.parametrize("row", ROWS, ids=["chile", "landline", "nothing"])
async def test_a_value_is_written_as_the_database_writes_it(owner: Database, row: dict[str, str | None]):
    async with owner.tenant(1) as connection:
        found = await connection.fetch("SELECT value_kind, form FROM crm.values_of_row($1::jsonb)", row)
    assert forms.values_of(row) == {(value["value_kind"], value["form"]) for value in found}


@pytest.mark.parametrize("text", TEXTS)
async def test_a_text_is_veiled_the_same_over_memory_and_over_postgres(owner: Database, database: Database, text: str):
    tenant = _tenant()
    async with owner.tenant(tenant.number) as connection:
        await fill(connection, tenant)
    held = Held(tenant)
    in_memory = Desk(tenant.number, tenant.setting, held, lambda: nullcontext(held))
    in_postgres = Desk(tenant.number, tenant.setting, Held(tenant), lambda: database.tenant(tenant.number, read_only=True))
    veiled = []
    for desk in (in_memory, in_postgres):
        await desk.begin(READER)
        veiled.append(await desk.foreign(text, (entity("C-1"),)))
    assert veiled[0] == veiled[1]
    assert veiled[0].marks


def _tenant() -> Tenant:
    tenant = Tenant(3, "A house", {"language": "es", "phone_regions": ["CL"], "id_countries": ["CL"]})
    tenant.add("members", 1, name="Bruno Quiñelén", email="bruno@tienda.example", role="admin")
    tenant.add("companies", 1, name="Trevinca SpA", legal_id=None, city=None)
    for number, name, phone, email in ((1, "Quimey Ñancupil", "+56961234567", "quimey.n@correo.example"), (2, "Rosa Ñancupil", None, None)):
        tenant.add("contacts", number, name=name, phone=phone, email=email, national_id=None, aliases=[], company_id=1, state="active")
    return tenant
