"""Inboxes and the work in them."""

import pytest

from db.pool import Database
from tests.tools.world import ADMIN, AGENT_1, found
from tools.inboxes import Channel, Inboxes, InboxRow, InboxState


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("{}", [1, 2]),
        ('{"channel": "email"}', [2]),
        ('{"inbox_state": "open"}', [1]),
        ('{"channel": "email", "inbox_state": "open"}', []),
    ],
)
async def test_inboxes_are_listed_by_channel_and_state(crm: Database, arguments: str, expected: list[int]):
    page = await found(crm, ADMIN, "list_inboxes", arguments)
    assert isinstance(page, Inboxes)
    assert [row.inbox for row in page.inboxes] == expected
    assert page.total == page.returned == len(expected)


async def test_an_inbox_tells_how_much_is_open_waiting_and_unassigned(crm: Database):
    page = await found(crm, ADMIN, "list_inboxes")
    assert isinstance(page, Inboxes)
    assert page.inboxes == (
        InboxRow(1, "Soporte", Channel.WHATSAPP, InboxState.OPEN, 1, 1, 0),
        InboxRow(2, "Ventas Norte", Channel.EMAIL, InboxState.CLOSED, 1, 1, 1),
    )


async def test_an_agent_sees_their_own_inboxes(crm: Database):
    page = await found(crm, AGENT_1, "list_inboxes")
    assert isinstance(page, Inboxes)
    assert [row.inbox for row in page.inboxes] == [1]
