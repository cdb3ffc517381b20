"""Conversations: each filter alone, the counts, and one of them with its last messages."""

import pytest

from db.pool import Database
from tests.tools.world import ADMIN, AGENT_1, AGENT_2, NOW, found
from tools.conversations import ConversationCard, Count, CountedConversations, FoundConversations, Priority, Status
from tools.permissions import Actor


async def conversations(database: Database, actor: Actor, arguments: str) -> list[int]:
    page = await found(database, actor, "find_conversations", arguments)
    assert isinstance(page, FoundConversations)
    assert page.total == page.returned == len(page.conversations)
    return [row.conversation for row in page.conversations]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("{}", [14, 11, 13, 12]),
        ('{"status": "open"}', [14, 11]),
        ('{"priority": "urgent"}', [11]),
        ('{"inbox": "B-1"}', [14, 12]),
        ('{"member": "U-1"}', [11, 13]),
        ('{"unassigned": true}', [14]),
        ('{"unassigned": true, "member": "U-1"}', []),
        ('{"contact": "C-4"}', [14, 13]),
        ('{"label": "énfasis"}', [11, 12]),
        ('{"waiting_hours": 0}', [11, 14]),
        ('{"waiting_hours": 24}', [11]),
        ('{"waiting_hours": 30}', [11]),
        ('{"waiting_hours": 31}', []),
        ('{"created_after": "2026-03-29"}', [14, 11]),
        ('{"created_before": "2026-03-29"}', [13, 12]),
        ('{"last_message_after": "2026-03-31"}', [14]),
        ('{"last_message_before": "2026-03-06T10:00"}', [12]),
        ('{"status": "open", "inbox": "B-2", "member": "U-1"}', [11]),
    ],
)
async def test_conversations_are_found_by_where_they_stand(crm: Database, arguments: str, expected: list[int]):
    assert await conversations(crm, ADMIN, arguments) == expected


async def test_an_agent_finds_only_those_of_their_inboxes(crm: Database):
    assert await conversations(crm, AGENT_1, "{}") == [11, 13]
    assert await conversations(crm, AGENT_2, "{}") == [14, 12]
    assert await conversations(crm, AGENT_1, '{"contact": "C-4"}') == [13]


async def test_a_row_names_people_by_id_and_waits_in_hours(crm: Database):
    page = await found(crm, AGENT_1, "find_conversations")
    assert isinstance(page, FoundConversations)
    waiting, resolved = page.conversations
    assert (waiting.contact, waiting.inbox, waiting.assignee, waiting.waiting_hours) == (1, 1, 1, 30)
    assert (waiting.status, waiting.priority, waiting.subject) == (Status.OPEN, Priority.URGENT, "pedido 118")
    assert resolved.waiting_hours is None


async def counts(database: Database, actor: Actor, arguments: str) -> CountedConversations:
    counted = await found(database, actor, "count_conversations", arguments)
    assert isinstance(counted, CountedConversations)
    return counted


async def test_conversations_are_counted_by_status(crm: Database):
    counted = await counts(crm, ADMIN, '{"by": "status"}')
    assert (counted.total, counted.returned, counted.truncated) == (4, 3, False)
    assert counted.counts == (
        Count(Status.OPEN, None, None, 2),
        Count(Status.PENDING, None, None, 1),
        Count(Status.RESOLVED, None, None, 1),
    )


async def test_conversations_are_counted_by_inbox(crm: Database):
    counted = await counts(crm, ADMIN, '{"by": "inbox"}')
    assert counted.counts == (Count(None, 1, None, 2), Count(None, 2, None, 2))


async def test_conversations_are_counted_by_assignee_nobody_included(crm: Database):
    counted = await counts(crm, ADMIN, '{"by": "assignee"}')
    assert counted.counts == (Count(None, None, 1, 2), Count(None, None, 2, 1), Count(None, None, None, 1))


async def test_a_count_takes_the_filters_of_a_search_and_sees_no_more(crm: Database):
    assert (await counts(crm, ADMIN, '{"by": "inbox", "status": "open", "waiting_hours": 24}')).counts == (
        Count(None, 1, None, 1),
    )
    assert (await counts(crm, AGENT_2, '{"by": "status"}')).total == 2
    assert (await counts(crm, AGENT_2, '{"by": "status", "priority": "urgent"}')).counts == ()


async def card(database: Database, actor: Actor, token: str) -> ConversationCard:
    shown = await found(database, actor, "show_conversation", f'{{"conversation": "{token}"}}')
    assert isinstance(shown, ConversationCard)
    return shown


async def test_a_conversation_is_shown_with_its_last_messages(crm: Database):
    shown = await card(crm, AGENT_1, "H-1")
    assert (shown.conversation, shown.contact, shown.inbox, shown.assignee) == (11, 1, 1, 1)
    assert (shown.labels, shown.waiting_hours, shown.total_messages) == (("Énfasis",), 30, 25)
    assert [message.number for message in shown.latest_messages] == [25, 24, 23, 22, 21, 20, 19, 18]
    assert shown.created_at.utcoffset() == NOW.utcoffset()


async def test_a_conversation_without_messages_says_so(crm: Database):
    shown = await card(crm, ADMIN, "H-3")
    assert (shown.total_messages, shown.latest_messages) == (0, ())


async def test_a_conversation_that_was_opened_again_is_shown_from_there_on(own_crm: Database, owner: Database):
    async with owner.tenant(1) as connection:
        await connection.execute(
            "UPDATE crm.conversations SET resolved_at = (SELECT created_at FROM crm.messages WHERE id = 123) WHERE id = 11"
        )
    shown = await card(own_crm, AGENT_1, "H-1")
    assert [message.number for message in shown.latest_messages] == [25, 24]
    assert (shown.total_messages, shown.settled_messages) == (25, 23)
