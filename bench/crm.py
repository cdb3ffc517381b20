"""The CRMs that are measured over, as rows of the demo preset's tables: the one that a corpus brings, and the generated demo."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assistant.settings import TenantSettings, tenant_settings
from db.crm.demo.casting import Cast
from db.crm.demo.seed import NOW
from db.crm.demo.shops import SHOPS
from db.crm.demo.world import build
from veil.scrub import Region
from veil.tokens import Entity, EntityId, Kind
from veil.veiling import Setting

Rows = list[dict[str, Any]]

_MADE = NOW.isoformat()
_KINDS = {"C": Kind.CONTACT, "U": Kind.MEMBER, "I": Kind.INBOX, "K": Kind.CAMPAIGN}


@dataclass(frozen=True, slots=True)
class Tenant:
    """One tenant: its settings as stored, and its rows by table."""

    number: int
    name: str
    stored: Mapping[str, Any]
    tables: dict[str, Rows] = field(default_factory=dict)

    def add(self, table: str, number: int, **columns: Any) -> None:
        """One more row."""
        self.tables.setdefault(table, []).append({"tenant_id": self.number, "id": number, "created_at": _MADE, **columns})

    @property
    def settings(self) -> TenantSettings:
        """The settings as Velo reads them."""
        return tenant_settings(self.stored)

    @property
    def setting(self) -> Setting:
        """How the tenant's texts are veiled."""
        return Setting(self.settings.language, Region(self.settings.phone_regions, self.settings.id_countries))


def read(path: Path) -> dict[str, Tenant]:
    """The tenants of a corpus by its own keys. Every member is an admin: who may see whom is not measured here."""
    tenants = json.loads(path.read_text(encoding="utf-8"))["tenants"]
    return {written["id"]: _tenant(number, written) for number, written in enumerate(tenants, 1)}


def entity(key: str) -> Entity:
    """The entity of a corpus' key: C-7, U-2."""
    letter, _, number = key.partition("-")
    return Entity(_KINDS[letter], EntityId(int(number)))


def demo(contacts: int) -> Iterator[Tenant]:
    """The shops of the demo with this many contacts each; the same rows every time."""
    cast = Cast(0)
    for shop in SHOPS:
        world = build(shop, contacts=contacts, structure_seed=1, now=NOW)
        tables = {table: [cast.row(row) for row in rows] for table, rows in world.tables.items()}
        yield Tenant(shop.tenant_id, shop.name, shop.settings, tables)


def _tenant(number: int, written: Mapping[str, Any]) -> Tenant:
    language, _, country = written["locale"].partition("_")
    tenant = Tenant(number, written["name"], {"language": language, "phone_regions": [country], "id_countries": [country]})
    companies = {person["company"]: place for place, person in enumerate(written["contacts"], 1) if person.get("company")}
    for person in written["team"]:
        tenant.add("members", _id(person), name=person["name"], email=person.get("email"), role="admin")
    for name, place in companies.items():
        tenant.add("companies", place, name=name, legal_id=None, city=None)
    for person in written["contacts"]:
        values = {column: person.get(column) for column in ("phone", "email", "national_id")}
        company = companies.get(person.get("company"))
        tenant.add("contacts", _id(person), name=person["name"], aliases=[], company_id=company, state="active", **values)
    for inbox in written["inboxes"]:
        tenant.add("inboxes", _id(inbox), name=inbox["name"], channel="whatsapp")
    for campaign in written["campaigns"]:
        numbers = dict.fromkeys(("sent", "delivered", "opened", "replied"), 0)
        times = dict.fromkeys(("starts_at", "ends_at"), _MADE)
        tenant.add("campaigns", _id(campaign), name=campaign["name"], channel="whatsapp", state="running", **numbers, **times)
    return tenant


def _id(written: Mapping[str, str]) -> int:
    return int(entity(written["id"]).id)
