"""Workload: by assignee, by inbox, by both; those without work are there too."""

import pytest

from db.pool import Database
from tests.tools.world import ADMIN, AGENT_1, AGENT_2, found
from tools.permissions import Actor
from tools.workload import Side, Workload, WorkloadRow


async def workload(database: Database, actor: Actor, arguments: str = "{}") -> Workload:
    page = await found(database, actor, "show_workload", arguments)
    assert isinstance(page, Workload)
    return page


async def test_work_is_counted_by_assignee_most_waiting_first_nobody_and_the_idle_included(crm: Database):
    page = await workload(crm, ADMIN)
    assert page.workload == (
        WorkloadRow(1, None, 1, 0, 0, 1, 30),
        WorkloadRow(None, None, 1, 0, 0, 1, 2),
        WorkloadRow(2, None, 0, 1, 0, 0, None),
        WorkloadRow(3, None, 0, 0, 0, 0, None),
        WorkloadRow(4, None, 0, 0, 0, 0, None),
    )
    assert (page.total, page.returned, page.truncated, page.by) == (5, 5, False, Side.ASSIGNEE)
    assert (page.unresolved_conversations, page.waiting_conversations) == (3, 2)


async def test_work_is_counted_by_inbox(crm: Database):
    page = await workload(crm, ADMIN, '{"by": "inbox"}')
    assert page.workload == (WorkloadRow(None, 1, 1, 0, 0, 1, 30), WorkloadRow(None, 2, 1, 1, 0, 1, 2))


async def test_work_is_counted_by_both(crm: Database):
    page = await workload(crm, ADMIN, '{"by": "assignee_and_inbox"}')
    assert page.workload == (
        WorkloadRow(1, 1, 1, 0, 0, 1, 30),
        WorkloadRow(None, 2, 1, 0, 0, 1, 2),
        WorkloadRow(2, 2, 0, 1, 0, 0, None),
    )


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ('{"member": "U-2"}', [(2, None, 0)]),
        ('{"inbox": "B-2"}', [(1, None, 1)]),
        ('{"inbox": "B-1"}', [(None, None, 1), (2, None, 0)]),
        ('{"by": "inbox", "member": "U-1"}', [(None, 1, 1)]),
        ('{"by": "inbox", "inbox": "B-1"}', [(None, 2, 1)]),
        ('{"skip": 4}', [(4, None, 0)]),
        ('{"skip": 5}', []),
    ],
)
async def test_work_is_counted_of_a_member_or_an_inbox(crm: Database, arguments: str, expected: list[tuple[int, ...]]):
    page = await workload(crm, ADMIN, arguments)
    assert [(row.assignee, row.inbox, row.open_conversations) for row in page.workload] == expected


async def test_only_conversations_that_the_asker_may_see_are_counted(crm: Database):
    page = await workload(crm, AGENT_1)
    assert {row.assignee: row.open_conversations for row in page.workload} == {1: 1, 2: 0, 3: 0, 4: 0}
    assert (await workload(crm, AGENT_1, '{"by": "inbox"}')).workload == (WorkloadRow(None, 1, 1, 0, 0, 1, 30),)
    assert (await workload(crm, AGENT_2)).unresolved_conversations == 2
