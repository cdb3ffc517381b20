"""Labels and who wears them."""

from db.pool import Database
from tests.tools.world import ADMIN, AGENT_1, AGENT_2, INACTIVE, found
from tools.labels import LabelRow, Labels
from tools.permissions import Actor


async def labels(database: Database, actor: Actor, arguments: str = "{}") -> Labels:
    page = await found(database, actor, "list_labels", arguments)
    assert isinstance(page, Labels)
    return page


async def test_labels_are_listed_with_how_many_wear_them(crm: Database):
    page = await labels(crm, ADMIN)
    assert page.labels == (LabelRow("Énfasis", 1, 2), LabelRow("Mayorista", 1, 0))
    assert (page.total, page.returned, page.truncated) == (2, 2, False)


async def test_only_what_the_asker_may_see_is_counted(crm: Database):
    assert (await labels(crm, AGENT_1)).labels == (LabelRow("Énfasis", 1, 1), LabelRow("Mayorista", 1, 0))
    assert (await labels(crm, AGENT_2)).labels == (LabelRow("Énfasis", 0, 1), LabelRow("Mayorista", 0, 0))


async def test_one_who_left_is_told_of_no_label(crm: Database):
    assert (await labels(crm, INACTIVE)).total == 0


async def test_pages_begin_where_they_are_asked_to(crm: Database):
    page = await labels(crm, ADMIN, '{"skip": 1}')
    assert [row.label for row in page.labels] == ["Mayorista"]
    assert (page.total, page.returned, page.truncated) == (2, 1, False)
