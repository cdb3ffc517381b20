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
