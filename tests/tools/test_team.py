"""The team, as far as the asker's inboxes let it be seen."""

import pytest

from db.pool import Database
from tests.tools.world import ADMIN, AGENT_1, found
from tools.permissions import Role
from tools.team import Team


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("{}", [1, 2, 3, 4, 5]),
        ('{"role": "agent"}', [1, 2, 5]),
        ('{"inbox": "B-2"}', [1, 5]),
        ('{"role": "admin", "inbox": "B-2"}', []),
        ('{"skip": 3}', [4, 5]),
    ],
)
async def test_members_are_listed_by_role_and_inbox(crm: Database, arguments: str, expected: list[int]):
    team = await found(crm, ADMIN, "list_team", arguments)
    assert isinstance(team, Team)
    assert [member.member for member in team.members] == expected
    assert not team.truncated


async def test_a_member_has_a_role_inboxes_and_open_work(crm: Database):
    team = await found(crm, ADMIN, "list_team")
    assert isinstance(team, Team)
    first, second, *_, last = team.members
    assert (first.role, first.active, first.inboxes, first.open_conversations) == (Role.AGENT, True, (1,), 1)
    assert (second.inboxes, second.open_conversations) == ((2,), 0)
    assert not last.active


async def test_inboxes_and_work_that_the_asker_may_not_see_are_not_told(crm: Database):
    team = await found(crm, AGENT_1, "list_team")
    assert isinstance(team, Team)
    assert {member.member: member.inboxes for member in team.members} == {1: (1,), 2: (), 3: (), 4: (), 5: (1,)}
