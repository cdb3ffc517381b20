"""Messages: newest first, numbered from the oldest, paged by number."""

import pytest

from db.pool import Database
from tests.tools.world import ADMIN, AGENT_1, AGENT_2, NOW, found
from tools.messages import Author, MessagePage
from tools.permissions import Actor


async def page_of(database: Database, actor: Actor, arguments: str) -> MessagePage:
    page = await found(database, actor, "read_messages", arguments)
    assert isinstance(page, MessagePage)
    return page


@pytest.mark.parametrize(
    ("before", "numbers", "truncated"),
    [
        ("null", list(range(25, 5, -1)), True),
        ("6", [5, 4, 3, 2, 1], False),
        ("2", [1], False),
        ("1", [], False),
        ("900", list(range(25, 5, -1)), True),
    ],
)
async def test_pages_go_back_by_number(crm: Database, before: str, numbers: list[int], truncated: bool):
    page = await page_of(crm, AGENT_1, f'{{"conversation": "H-1", "before": {before}}}')
    assert [message.number for message in page.messages] == numbers
    assert (page.total, page.returned, page.truncated) == (25, len(numbers), truncated)


async def test_a_message_says_who_wrote_it_when(crm: Database):
    page = await page_of(crm, AGENT_1, '{"conversation": "H-1"}')
    newest, second = page.messages[:2]
    assert (newest.author, newest.member, newest.contact) == (Author.CONTACT, None, 1)
    assert (second.author, second.member, second.body) == (Author.MEMBER, 1, "mensaje 24")
    assert newest.sent_at.utcoffset() == NOW.utcoffset()


async def test_a_message_comes_with_what_its_writer_wrote_before_and_after_it_on_this_page_or_not(crm: Database):
    newest = (await page_of(crm, AGENT_1, '{"conversation": "H-1"}')).messages
    older = (await page_of(crm, AGENT_1, '{"conversation": "H-1", "before": 6}')).messages
    bodies = {message.number: message.body for message in (*newest, *older)}
    writers = {message.number: (message.author, message.member) for message in (*newest, *older)}
    for message in (*newest, *older):
        same = [number for number, writer in writers.items() if writer == (message.author, message.member)]
        before = max((number for number in same if number < message.number), default=None)
        after = min((number for number in same if number > message.number), default=None)
        assert message.earlier == (bodies[before] if before else None)
        assert message.later == (bodies[after] if after else None)


async def test_private_messages_are_for_the_members_who_see_the_conversation(crm: Database):
    page = await page_of(crm, AGENT_2, '{"conversation": "H-4"}')
    assert [(message.body, message.private) for message in page.messages] == [
        ("sigo esperando", False),
        ("descuento 40 %", True),
    ]


async def test_messages_of_a_contact_come_from_the_conversations_that_are_seen(crm: Database):
    assert (await page_of(crm, ADMIN, '{"contact": "C-4"}')).total == 2
    assert (await page_of(crm, AGENT_1, '{"contact": "C-4"}')).total == 0
    assert {row.conversation for row in (await page_of(crm, AGENT_2, '{"contact": "C-4"}')).messages} == {14}


async def resolve(owner: Database, *statements: str) -> None:
    for statement in statements:
        async with owner.tenant(1) as connection:
            await connection.execute(statement)


RESOLVED_AT_20 = (
    "UPDATE crm.conversations SET resolved_at = ("
    "SELECT created_at FROM crm.messages WHERE id = 120 AND conversation_id = 11) WHERE id = 11"
)


async def test_a_conversation_that_was_opened_again_begins_after_it_was_resolved(own_crm: Database, owner: Database):
    await resolve(owner, RESOLVED_AT_20)
    page = await page_of(own_crm, AGENT_1, '{"conversation": "H-1"}')
    assert [message.number for message in page.messages] == [25, 24, 23, 22, 21]
    assert (page.total, page.returned, page.truncated, page.settled_messages) == (25, 5, True, 20)
    assert not any(message.settled for message in page.messages)


async def test_what_was_said_before_it_was_resolved_is_read_by_number(own_crm: Database, owner: Database):
    await resolve(owner, RESOLVED_AT_20)
    page = await page_of(own_crm, AGENT_1, '{"conversation": "H-1", "before": 21}')
    assert [message.number for message in page.messages] == list(range(20, 0, -1))
    assert all(message.settled for message in page.messages)
    assert (page.truncated, page.settled_messages) == (False, 20)


async def test_a_conversation_that_is_still_resolved_is_read_whole(own_crm: Database, owner: Database):
    await resolve(owner, "UPDATE crm.conversations SET status = 'resolved', resolved_at = now() WHERE id = 11")
    page = await page_of(own_crm, AGENT_1, '{"conversation": "H-1"}')
    assert (page.returned, page.settled_messages) == (20, 25)
    assert all(message.settled for message in page.messages)


async def test_of_all_conversations_of_a_contact_the_settled_messages_are_marked(own_crm: Database, owner: Database):
    await resolve(owner, RESOLVED_AT_20)
    page = await page_of(own_crm, AGENT_1, '{"contact": "C-2"}')
    assert page.returned == 20
    assert {message.number for message in page.messages if not message.settled} == {21, 22, 23, 24, 25}


async def test_the_crm_keeps_when_a_conversation_was_last_resolved(own_crm: Database, owner: Database):
    await resolve(
        owner,
        "UPDATE crm.conversations SET status = 'resolved' WHERE id = 14",
        "UPDATE crm.conversations SET status = 'open' WHERE id = 14",
        "INSERT INTO crm.messages (tenant_id, id, conversation_id, body) VALUES (1, 3, 14, 'hola, otra consulta')",
    )
    page = await page_of(own_crm, AGENT_2, '{"conversation": "H-4"}')
    assert [message.body for message in page.messages] == ["hola, otra consulta"]
    assert (page.total, page.settled_messages) == (3, 2)
