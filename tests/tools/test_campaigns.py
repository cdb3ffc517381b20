"""Campaigns: each filter alone, and the figures that the database computes."""

from decimal import Decimal

import pytest

from db.pool import Database
from tests.tools.world import ADMIN, AGENT_1, NOW, found
from tools.campaigns import Campaigns, CampaignState
from tools.inboxes import Channel


async def campaigns(database: Database, arguments: str) -> Campaigns:
    page = await found(database, AGENT_1, "list_campaigns", arguments)
    assert isinstance(page, Campaigns)
    assert page.returned == len(page.campaigns)
    return page


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("{}", [1, 3, 2]),
        ('{"campaign": "K-1"}', [3]),
        ('{"campaign_state": "running"}', [1]),
        ('{"channel": "email"}', [3, 2]),
        ('{"starts_after": "2026-03-25"}', [1]),
        ('{"starts_before": "2026-03-25"}', [3]),
        ('{"skip": 2}', [2]),
        ('{"channel": "email", "campaign_state": "paused"}', []),
    ],
)
async def test_campaigns_are_listed_by_state_channel_and_start(crm: Database, arguments: str, expected: list[int]):
    assert [row.campaign for row in (await campaigns(crm, arguments)).campaigns] == expected


async def test_a_campaign_tells_its_figures_and_the_shares_of_what_they_are_shares_of(crm: Database):
    row = (await campaigns(crm, "{}")).campaigns[0]
    assert (row.name, row.channel, row.state) == ("Otoño con todo", Channel.WHATSAPP, CampaignState.RUNNING)
    assert (row.starts_at, row.ends_at) == (NOW.replace(day=25, hour=9), None)
    assert (row.sent, row.delivered, row.opened, row.replied) == (1200, 1190, 400, 7)
    shares = (row.delivered_percent, row.opened_percent, row.replied_percent)
    assert shares == (Decimal("99.2"), Decimal("33.6"), Decimal("0.6"))


async def test_there_is_no_share_of_nothing(crm: Database):
    finished, draft = (await campaigns(crm, '{"channel": "email"}')).campaigns
    assert (finished.delivered_percent, finished.opened_percent, finished.replied_percent) == (Decimal(0), None, None)
    assert (draft.delivered_percent, draft.opened_percent, draft.replied_percent) == (None, None, None)


async def test_a_total_counts_all_that_match(crm: Database):
    page = await found(crm, ADMIN, "list_campaigns", '{"skip": 400}')
    assert isinstance(page, Campaigns)
    assert (page.total, page.returned, page.truncated) == (3, 0, False)
