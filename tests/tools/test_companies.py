"""Companies: each filter alone, and the card with its contacts and deals."""

from datetime import date

import pytest

from db.pool import Database
from tests.tools.world import ADMIN, AGENT_1, AGENT_2, found
from tools.companies import CompanyCard, CompanyRow, FoundCompanies
from tools.permissions import Actor


async def companies(database: Database, actor: Actor, arguments: str) -> list[int]:
    page = await found(database, actor, "find_companies", arguments)
    assert isinstance(page, FoundCompanies)
    assert page.total == page.returned == len(page.companies)
    return [row.company for row in page.companies]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("{}", [2, 1]),
        ('{"city": "vina del mar"}', [1]),
        ('{"city": "Viña"}', []),
        ('{"with_undecided_deals": true}', [2, 1]),
        ('{"with_undecided_deals": false}', [2, 1]),
        ('{"created_after": "2026-03-14"}', [2]),
        ('{"created_before": "2026-03-14"}', [1]),
    ],
)
async def test_companies_are_found_by_city_deals_and_date(crm: Database, arguments: str, expected: list[int]):
    assert await companies(crm, ADMIN, arguments) == expected


async def test_deals_that_the_asker_may_not_see_find_no_company(crm: Database):
    assert await companies(crm, AGENT_1, '{"with_undecided_deals": true}') == []
    assert await companies(crm, AGENT_2, '{"with_undecided_deals": true}') == [1]


async def test_a_row_counts_the_contacts_and_deals_that_the_asker_may_see(crm: Database):
    page = await found(crm, ADMIN, "find_companies")
    assert isinstance(page, FoundCompanies)
    assert page.companies == (
        CompanyRow(2, None, date(2026, 3, 14), 0, 1),  # in UTC it is the next day already
        CompanyRow(1, "Viña del Mar", date(2026, 1, 1), 1, 1),
    )
    page = await found(crm, AGENT_1, "find_companies")
    assert isinstance(page, FoundCompanies)
    assert [(row.contacts, row.undecided_deals) for row in page.companies] == [(0, 0), (0, 0)]


async def card(database: Database, actor: Actor, token: str) -> CompanyCard:
    shown = await found(database, actor, "show_company", f'{{"company": "{token}"}}')
    assert isinstance(shown, CompanyCard)
    return shown


async def test_a_card_says_whether_there_is_a_legal_id_and_who_belongs_to_the_company(crm: Database):
    one, two = await card(crm, ADMIN, "E-1"), await card(crm, ADMIN, "E-2")
    assert (one.legal_id, one.city, one.created_on) == (True, "Viña del Mar", date(2026, 1, 1))
    assert [row.contact for row in one.latest_contacts] == [2]
    assert (one.total_contacts, one.total_deals, one.undecided_deals) == (1, 2, 1)
    assert [row.deal for row in one.latest_deals] == [2, 3]
    assert (two.legal_id, two.city, two.total_contacts, two.latest_contacts) == (False, None, 0, ())


async def test_a_card_shows_an_agent_what_they_may_see(crm: Database):
    part = await card(crm, AGENT_1, "E-1")
    assert (part.total_contacts, part.latest_contacts) == (0, ())
    assert (part.total_deals, part.undecided_deals, [row.deal for row in part.latest_deals]) == (1, 0, [3])


async def test_a_rename_moves_no_company(own_crm: Database, owner: Database):
    before = await companies(own_crm, ADMIN, "{}")
    async with owner.tenant(1) as connection:
        await connection.execute("UPDATE crm.companies SET name = 'Zzz' WHERE id = 2")
        await connection.execute("UPDATE crm.companies SET name = 'Aaa' WHERE id = 1")
    assert await companies(own_crm, ADMIN, "{}") == before
