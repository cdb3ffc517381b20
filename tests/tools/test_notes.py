"""Notes on contacts: who reads which, newest first."""

import pytest

from db.pool import Database
from tests.tools.world import ADMIN, AGENT_1, AGENT_2, NOW, found
from tools.notes import Notes
from tools.permissions import Actor


async def bodies(database: Database, actor: Actor, arguments: str) -> list[str | None]:
    page = await found(database, actor, "read_notes", arguments)
    assert isinstance(page, Notes)
    assert page.total == page.returned == len(page.notes)
    return [note.body for note in page.notes]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("{}", ["cliente desde 2019", "prefiere la tarde", "paga a 30 días"]),
        ('{"contact": "C-2"}', ["prefiere la tarde"]),
        ('{"member": "U-2"}', ["paga a 30 días"]),
        ('{"member": "U-1", "contact": "C-1"}', []),
        ('{"created_after": "2026-03-21", "created_before": "2026-03-22"}', ["prefiere la tarde"]),
        ('{"contact": "C-2", "created_before": "2026-03-21"}', []),
    ],
)
async def test_notes_are_found_by_contact_author_and_date(crm: Database, arguments: str, expected: list[str]):
    assert await bodies(crm, ADMIN, arguments) == expected


async def test_notes_on_contacts_that_the_asker_may_not_see_are_neither_read_nor_counted(crm: Database):
    assert await bodies(crm, AGENT_1, "{}") == ["cliente desde 2019", "prefiere la tarde"]
    assert await bodies(crm, AGENT_2, "{}") == ["cliente desde 2019", "paga a 30 días"]


async def test_a_note_says_on_whom_by_whom_and_when(crm: Database):
    page = await found(crm, ADMIN, "read_notes", '{"contact": "C-2"}')
    assert isinstance(page, Notes)
    (note,) = page.notes
    assert (note.contact, note.member) == (1, 1)
    assert note.written_at == NOW.replace(day=21, hour=10)


async def test_pages_of_notes_follow_one_another(own_crm: Database, owner: Database):
    async with owner.tenant(1) as connection:
        await connection.execute(
            "INSERT INTO crm.notes (tenant_id, id, contact_id, body, created_at)"
            " SELECT 1, 100 + n, 1, 'nota ' || n, now() - n * interval '1 day' FROM generate_series(1, 41) AS n"
        )
    sizes = []
    for skip in (0, 20, 40, 60):
        page = await found(own_crm, ADMIN, "read_notes", f'{{"contact": "C-2", "skip": {skip}}}')
        assert isinstance(page, Notes)
        sizes.append((page.total, page.returned, page.truncated))
    assert sizes == [(42, 20, True), (42, 20, True), (42, 2, False), (42, 0, False)]
