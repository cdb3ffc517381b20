"""Contacts: each filter alone, the card, and what neither of them reads."""

from datetime import date

import pytest

from db.pool import Database
from tests.tools.world import ADMIN, AGENT_1, AGENT_2, NOW, found
from tools.contacts import ContactCard, ContactState, FoundContacts
from tools.permissions import Actor
from tools.results import Scope


async def contacts(database: Database, actor: Actor, arguments: str) -> list[int]:
    page = await found(database, actor, "find_contacts", arguments)
    assert isinstance(page, FoundContacts)
    assert page.total == page.returned == len(page.contacts)
    return [row.contact for row in page.contacts]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("{}", [1, 4, 2, 3]),
        ('{"state": "active"}', [4, 2]),
        ('{"label": "MAYORISTA"}', [1]),
        ('{"label": "enfasis"}', [1]),
        ('{"label": "mayor"}', []),
        ('{"label": "%"}', []),
        ('{"company": "E-1"}', [2]),
        ('{"inbox": "B-1"}', [4, 2]),
        ('{"inbox": "B-2"}', [1, 4]),
        ('{"last_contact_after": "2026-03-30"}', [1, 4]),
        ('{"last_contact_before": "2026-03-30"}', [2, 3]),
        ('{"created_after": "2026-03-01"}', [1, 4]),
        ('{"created_before": "2026-03-01"}', [2, 3]),
        ('{"created_after": "2026-03-20", "created_before": "2026-03-21"}', [1]),
        ('{"without_open_conversation": true}', [2, 3]),
        ('{"without_open_conversation": false}', [1, 4, 2, 3]),
        ('{"state": "active", "without_open_conversation": true}', [2]),
    ],
)
async def test_contacts_are_found_by_what_they_are(crm: Database, arguments: str, expected: list[int]):
    assert await contacts(crm, ADMIN, arguments) == expected


async def test_an_agent_counts_and_lists_only_what_they_see(crm: Database):
    assert await contacts(crm, AGENT_1, "{}") == [1, 4, 3]
    assert await contacts(crm, AGENT_2, "{}") == [4, 2, 3]
    # The open conversation of contact 4 is in the other inbox.
    assert await contacts(crm, AGENT_1, '{"without_open_conversation": true}') == [4, 3]


async def test_a_row_tells_what_a_list_needs(crm: Database):
    page = await found(crm, AGENT_1, "find_contacts", '{"state": "lead"}')
    assert isinstance(page, FoundContacts)
    (row,) = page.contacts
    assert (row.contact, row.state, row.company) == (1, ContactState.LEAD, None)
    assert row.labels == ("Énfasis", "Mayorista")
    assert row.created_on == date(2026, 3, 20)  # in UTC it is the next day already
    assert row.last_contact_at == NOW.replace(hour=11, minute=59)
    assert row.open_conversations == 1


async def test_finding_nothing_is_a_fact_in_numbers(crm: Database):  # B121
    page = await found(crm, AGENT_1, "find_contacts", '{"label": "no hay"}')
    assert page == FoundContacts(total=0, returned=0, truncated=False, searched=Scope.OWN_INBOXES, contacts=())
    page = await found(crm, ADMIN, "find_contacts", '{"skip": 400}')
    assert page == FoundContacts(total=4, returned=0, truncated=False, searched=Scope.WHOLE_CRM, contacts=())


async def add_contacts(owner: Database, number: int) -> None:
    async with owner.tenant(1) as connection:
        await connection.execute(
            "INSERT INTO crm.contacts (tenant_id, id, name) SELECT 1, 1000 + n, 'Contacto' "
            "FROM generate_series(1, $1::int) AS n",
            number,
        )


async def test_a_total_is_counted_and_never_the_size_of_a_page(own_crm: Database, owner: Database):  # B193
    await add_contacts(owner, 313)
    page = await found(own_crm, ADMIN, "find_contacts")
    assert isinstance(page, FoundContacts)
    assert (page.total, page.returned, page.truncated) == (317, 20, True)
    rest = await found(own_crm, ADMIN, "find_contacts", '{"skip": 300}')
    assert isinstance(rest, FoundContacts)
    assert (rest.total, rest.returned, rest.truncated) == (317, 17, False)


async def test_pages_follow_one_another_without_gap_or_overlap(own_crm: Database, owner: Database):
    await add_contacts(owner, 41)
    seen: list[int] = []
    for skip in (0, 20, 40):
        page = await found(own_crm, ADMIN, "find_contacts", f'{{"skip": {skip}}}')
        assert isinstance(page, FoundContacts)
        seen += [row.contact for row in page.contacts]
    assert len(seen) == len(set(seen)) == 45


async def test_a_rename_moves_no_row(own_crm: Database, owner: Database):
    before = await contacts(own_crm, ADMIN, "{}")
    async with owner.tenant(1) as connection:
        await connection.execute("UPDATE crm.contacts SET name = 'Zzz ' || id WHERE id IN (1, 3)")
        await connection.execute("UPDATE crm.contacts SET name = 'Aaa ' || id WHERE id IN (2, 4)")
    assert await contacts(own_crm, ADMIN, "{}") == before


async def card(database: Database, actor: Actor, token: str) -> ContactCard:
    shown = await found(database, actor, "show_contact", f'{{"contact": "{token}"}}')
    assert isinstance(shown, ContactCard)
    return shown


async def test_a_card_says_which_personal_fields_there_are_and_not_what_is_in_them(crm: Database):
    one = await card(crm, ADMIN, "C-2")
    assert (one.phone, one.email, one.national_id, one.legal_id) == (True, False, False, False)
    two = await card(crm, ADMIN, "C-1")
    assert (two.phone, two.email, two.national_id, two.legal_id) == (False, True, True, True)
    assert two.company == 1


async def test_a_card_counts_and_lists_only_the_conversations_that_are_seen(crm: Database):
    whole = await card(crm, ADMIN, "C-4")
    assert (whole.total_conversations, whole.open_conversations) == (2, 1)
    assert [row.conversation for row in whole.latest_conversations] == [14, 13]
    part = await card(crm, AGENT_1, "C-4")
    assert (part.total_conversations, part.open_conversations) == (1, 0)
    assert [row.conversation for row in part.latest_conversations] == [13]


async def test_a_card_counts_the_notes_and_the_deals_that_are_seen(crm: Database):
    whole = await card(crm, ADMIN, "C-1")
    assert (whole.total_notes, whole.total_deals) == (1, 2)
    part = await card(crm, AGENT_1, "C-4")
    assert (part.total_notes, part.total_deals) == (1, 1)


async def test_a_card_without_conversations_is_a_card(crm: Database):
    bare = await card(crm, AGENT_1, "C-3")
    assert (bare.total_conversations, bare.latest_conversations, bare.last_contact_at) == (0, (), None)
