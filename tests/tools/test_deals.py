"""Deals: each filter alone, and sums that keep currencies apart."""

from datetime import date
from decimal import Decimal

import pytest

from db.pool import Database
from tests.tools.world import ADMIN, AGENT_1, AGENT_2, found
from tools.currencies import Currency
from tools.deals import DealRow, DealSum, FoundDeals, Stage, SummedDeals
from tools.permissions import Actor


async def deals(database: Database, actor: Actor, arguments: str) -> list[int]:
    page = await found(database, actor, "find_deals", arguments)
    assert isinstance(page, FoundDeals)
    assert page.total == page.returned == len(page.deals)
    return [row.deal for row in page.deals]


FILTERS = [
    ("{}", [1, 2, 3, 5, 4]),
    ('{"deal": "D-1"}', [2]),
    ('{"deal": "D-1", "stage": "won"}', []),
    ('{"stage": "new"}', [1, 4]),
    ('{"undecided": true}', [1, 2, 4]),
    ('{"undecided": false}', [1, 2, 3, 5, 4]),
    ('{"member": "U-2"}', [2, 3]),
    ('{"contact": "C-1"}', [2, 5]),
    ('{"company": "E-1"}', [2, 3]),
    ('{"contact": "C-1", "company": "E-1"}', [2]),
    ('{"closes_after": "2026-03-01"}', [3, 2, 1]),
    ('{"closes_before": "2026-04-01"}', [3, 5]),
    ('{"closes_after": "2026-04-01", "closes_before": "2026-04-10"}', [2]),
]


@pytest.mark.parametrize(("arguments", "expected"), FILTERS)
async def test_deals_are_found_by_where_they_stand(crm: Database, arguments: str, expected: list[int]):
    assert await deals(crm, ADMIN, arguments) == expected


@pytest.mark.parametrize(("arguments", "expected"), FILTERS)
async def test_a_sum_counts_what_a_search_finds(crm: Database, arguments: str, expected: list[int]):
    assert (await sums(crm, ADMIN, arguments)).total == len(expected)


async def test_an_agent_finds_their_own_deals_and_those_of_their_contacts(crm: Database):
    assert await deals(crm, AGENT_1, "{}") == [1, 3, 5]
    assert await deals(crm, AGENT_2, "{}") == [2, 3, 5]


async def test_a_row_tells_whose_deal_it_is_and_hides_whom_the_asker_may_not_see(crm: Database):
    page = await found(crm, AGENT_1, "find_deals")
    assert isinstance(page, FoundDeals)
    first, _, own = page.deals
    assert first == DealRow(
        deal=1,
        contact=1,
        company=None,
        owner=1,
        title="taladros",
        stage=Stage.NEW,
        amount=Decimal("1000.50"),
        currency=Currency.CLP,
        expected_close=date(2026, 4, 10),
        created_on=date(2026, 3, 20),
    )
    assert (own.contact, own.owner, own.currency) == (None, 1, Currency.CLP)


async def sums(database: Database, actor: Actor, arguments: str = "{}") -> SummedDeals:
    page = await found(database, actor, "sum_deals", arguments)
    assert isinstance(page, SummedDeals)
    return page


async def test_deals_are_summed_by_stage_and_currency_in_the_order_of_the_stages(crm: Database):
    page = await sums(crm, ADMIN)
    assert (page.total, page.returned, page.truncated) == (5, 5, False)
    assert page.sums == (
        DealSum(Stage.NEW, Currency.CLP, 1, 0, Decimal("1000.50")),
        DealSum(Stage.NEW, None, 1, 1, None),
        DealSum(Stage.PROPOSAL, Currency.USD, 1, 0, Decimal(5000)),
        DealSum(Stage.WON, Currency.CLP, 1, 0, Decimal(7000)),
        DealSum(Stage.LOST, Currency.CLP, 1, 0, Decimal(300)),
    )


async def test_a_sum_sees_no_more_than_its_asker(crm: Database):
    assert (await sums(crm, AGENT_1)).total == 3
    assert (await sums(crm, AGENT_2, '{"undecided": true}')).sums == (
        DealSum(Stage.PROPOSAL, Currency.USD, 1, 0, Decimal(5000)),
    )


async def test_no_text_of_the_crm_crosses_as_a_currency(own_crm: Database, owner: Database):
    async with owner.tenant(1) as connection:
        await connection.execute("UPDATE crm.deals SET currency = 'Ada Luz' WHERE id = 1")
    assert {row.currency for row in (await sums(own_crm, ADMIN)).sums} >= {Currency.OTHER}


async def test_a_deal_without_a_title_is_shown_by_its_number(crm: Database):
    async with crm.tenant(1, read_only=True) as connection:
        rows = await connection.fetch(
            "SELECT entity_id, name FROM crm.cards WHERE tenant_id = 1 AND kind = 'deal' AND entity_id IN (3, 4)"
        )
    assert {row["entity_id"]: row["name"] for row in rows} == {3: "pintura", 4: "#4"}
