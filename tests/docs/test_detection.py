"""The examples of docs/detection.md are true: each text of the left column travels as the right one says."""

from __future__ import annotations

import re
from contextlib import nullcontext
from pathlib import Path

import pytest

from bench.crm import Tenant
from bench.desk import Desk
from bench.held import Held
from veil.tokens import Entity, EntityId, Kind

PAGE = Path(__file__).parents[2] / "docs" / "detection.md"
EXAMPLES = re.findall(r"^\| (?!a customer)(.+?) \| (.+?) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
COUNTRIES = ["CL", "AR", "MX", "CO", "PE", "BR", "ES", "US"]
PEOPLE = {
    "contacts": ["Otoniel Ibarrola Quiñelén", "María José Fernández-Cano", "Robert McAllister", "Rosa Luz", "王小明"],
    "members": ["Sofía Huenupi", "Francisca Ñancupil"],
    "companies": ["Transportes Quillay SpA"],
}
WRITER = Entity(Kind.CONTACT, EntityId(1))


def desk() -> Desk:
    """A desk over the CRM of the page."""
    tenant = Tenant(1, "Docs", {"language": "es", "phone_regions": COUNTRIES, "id_countries": COUNTRIES})
    for table, names in PEOPLE.items():
        for number, name in enumerate(names, 1):
            tenant.add(table, number, name=name)
    held = Held(tenant)
    return Desk(1, tenant.setting, held, lambda: nullcontext(held))


def test_the_page_has_examples() -> None:
    assert len(EXAMPLES) > 40


@pytest.mark.parametrize(("written", "read"), EXAMPLES, ids=[written[:40] for written, _ in EXAMPLES])
async def test_a_text_travels_as_the_page_says(written: str, read: str) -> None:
    over = desk()
    await over.begin(Entity(Kind.MEMBER, EntityId(1)))
    for entity in (Entity(Kind.CONTACT, EntityId(number)) for number in range(1, 6)):
        await over.meet(entity)  # C-1 to C-5 as the page numbers them
    text = written.replace("\\u200b", "\u200b")
    marked = await over.foreign(text, (WRITER,))
    assert " ".join(marked.veiled().text.split()) == read  # a table shows no double blank
