"""One call from end to end: who may see what, and that all that is not there is not there in the same way."""

from dataclasses import fields, is_dataclass, replace
from datetime import datetime
from typing import Any, cast

import pytest

from db.errors import DatabaseError
from db.pool import Connection, Database
from tests.tools.world import ADMIN, AGENT_1, AGENT_2, INACTIVE, NOW, OTHER_ADMIN, SUPERVISOR, TOKENS, ask
from tools.arguments import Arguments
from tools.catalogue import TOOLS, load
from tools.permissions import Actor, Role
from tools.refusals import Declined, Reason, sentence
from tools.run import Answered, run
from tools.tool import Tool

#: A call of every tool, as it is written for an entity that the asker may or may not see.
OF_CONVERSATION = (
    ("show_conversation", '{{"conversation": "{0}"}}'),
    ("read_messages", '{{"conversation": "{0}"}}'),
)
OF_CONTACT = (
    ("show_contact", '{{"contact": "{0}"}}'),
    ("read_messages", '{{"contact": "{0}"}}'),
    ("find_conversations", '{{"contact": "{0}"}}'),
    ("count_conversations", '{{"by": "status", "contact": "{0}"}}'),
    ("read_notes", '{{"contact": "{0}"}}'),
    ("find_deals", '{{"contact": "{0}"}}'),
)
OF_INBOX = (
    ("find_contacts", '{{"inbox": "{0}"}}'),
    ("find_conversations", '{{"inbox": "{0}"}}'),
    ("count_conversations", '{{"by": "status", "inbox": "{0}"}}'),
    ("list_team", '{{"inbox": "{0}"}}'),
    ("show_workload", '{{"inbox": "{0}"}}'),
)
OF_DEAL = (
    ("find_deals", '{{"deal": "{0}"}}'),
    ("sum_deals", '{{"deal": "{0}"}}'),
)
#: A token of each kind whose entity agent 1 sees and agent 2 does not.
OWN = {"H": 1, "C": 2, "B": 2, "D": 2}
CALLS = [
    (call, letter)
    for calls, letter in ((OF_CONVERSATION, "H"), (OF_CONTACT, "C"), (OF_INBOX, "B"), (OF_DEAL, "D"))
    for call in calls
]
#: The same for what every member of the house sees.
OF_EVERYBODY = (
    ("show_company", '{"company": "E-%s"}'),
    ("find_contacts", '{"company": "E-%s"}'),
    ("find_deals", '{"company": "E-%s"}'),
    ("list_campaigns", '{"campaign": "K-%s"}'),
)

#: Every tool, called so that it finds all there is.
EVERYTHING = (
    ("find_contacts", "{}"),
    ("show_contact", '{"contact": "C-2"}'),
    ("find_conversations", "{}"),
    ("count_conversations", '{"by": "inbox"}'),
    ("show_conversation", '{"conversation": "H-1"}'),
    ("read_messages", '{"conversation": "H-1"}'),
    ("read_messages", '{"contact": "C-2"}'),
    ("list_team", "{}"),
    ("list_inboxes", "{}"),
    ("show_workload", "{}"),
    ("show_workload", '{"by": "assignee_and_inbox"}'),
    ("read_notes", "{}"),
    ("read_notes", '{"contact": "C-2"}'),
    ("find_companies", "{}"),
    ("show_company", '{"company": "E-1"}'),
    ("list_campaigns", "{}"),
    ("find_deals", "{}"),
    ("find_deals", '{"company": "E-1"}'),
    ("sum_deals", "{}"),
    ("list_labels", "{}"),
)


@pytest.mark.parametrize(("call", "letter"), CALLS)
@pytest.mark.parametrize(
    ("actor", "number"),
    [
        pytest.param(ADMIN, 77, id="never minted"),
        pytest.param(ADMIN, 8, id="another tenant's"),
        pytest.param(INACTIVE, 2, id="asked by one who left"),
        pytest.param(AGENT_2, "own", id="another inbox's"),
    ],
)
async def test_what_the_asker_may_not_see_does_not_exist(
    crm: Database, call: tuple[str, str], letter: str, actor: Actor, number: int | str
):  # B183
    if number == "own":
        number = OWN[letter]
    token = f"{letter}-{number}"
    answer = await ask(crm, actor, call[0], call[1].format(token))
    assert answer == Declined(Reason.NO_SUCH_TOKEN, token)
    assert sentence(answer, "es") == f"{token} no existe."


@pytest.mark.parametrize(("call", "letter"), CALLS)
async def test_the_same_calls_are_answered_to_those_who_may_see(crm: Database, call: tuple[str, str], letter: str):
    for actor in (AGENT_1, SUPERVISOR, ADMIN):
        token = f"{letter}-{OWN[letter]}"
        assert isinstance(await ask(crm, actor, call[0], call[1].format(token)), Answered)


@pytest.mark.parametrize(("name", "arguments"), OF_EVERYBODY)
async def test_what_every_member_sees_does_not_exist_elsewhere(crm: Database, name: str, arguments: str):
    for actor in (AGENT_1, AGENT_2, ADMIN):
        assert isinstance(await ask(crm, actor, name, arguments % 1), Answered)
    for actor, number in ((ADMIN, 77), (ADMIN, 8), (INACTIVE, 1)):
        answer = await ask(crm, actor, name, arguments % number)
        assert isinstance(answer, Declined)
        assert answer.reason is Reason.NO_SUCH_TOKEN


def test_every_tool_is_called_in_these_tests():  # B194: a renamed column breaks a test here, not a turn
    assert {name for name, _ in EVERYTHING} == set(load())


async def test_hidden_and_absent_tokens_take_the_same_statements(crm: Database):
    asked: dict[str, list[str]] = {}
    for token in ("H-1", "H-77"):
        async with crm.tenant(1) as connection:
            listener = Listener(connection)
            arguments = f'{{"conversation": "{token}"}}'
            await run("show_conversation", arguments, actor=AGENT_2, connection=listener, tokens=TOKENS, now=NOW)
            asked[token] = listener.heard
    assert asked["H-1"] == asked["H-77"]


class Listener:
    """Passes on what is asked, and keeps it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.heard: list[str] = []

    async def fetch(self, query: str, *args: object) -> Any:
        self.heard.append(query)
        return await self._connection.fetch(query, *args)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


@pytest.mark.parametrize("name", ["multi_tool_use.parallel", "borrar_todo", "", "find_contacts ", "Ada Luz"])
async def test_an_unknown_tool_is_answered_with_the_tools_there_are(crm: Database, name: str):  # B126
    answer = await ask(crm, ADMIN, name, '{"tool_uses": []}')
    assert isinstance(answer, Declined)
    assert answer.reason is Reason.UNKNOWN_TOOL
    said = sentence(answer, "en")
    assert all(tool.name in said for tool in TOOLS)
    assert name not in said or name == ""


async def test_an_actor_without_the_permission_is_told_so_and_nothing_runs(crm: Database):
    nobody = replace(ADMIN, role=cast(Role, "guest"))
    answer = await ask(crm, nobody, "list_team")
    assert answer == Declined(Reason.NOT_ALLOWED, "list_team")


@pytest.mark.parametrize(("name", "arguments"), EVERYTHING)
async def test_without_row_level_security_the_tools_still_stay_in_their_tenant(
    unguarded: Database, name: str, arguments: str
):
    for actor, foreign in ((ADMIN, True), (OTHER_ADMIN, False)):
        answer = await ask(unguarded, actor, name, arguments)
        assert isinstance(answer, Answered)
        words = list(_strings(answer.result))
        assert not [word for word in words if word.startswith("ajeno") is foreign and word]
        assert actor.tenant_id == 2 or not {90, 91, 92, 93, 94, 95} & set(_numbers(answer.result))


@pytest.mark.parametrize(("name", "arguments"), EVERYTHING)
async def test_in_another_tenant_or_for_an_inactive_member_there_is_nothing(crm: Database, name: str, arguments: str):
    async with crm.tenant(2, read_only=True) as connection:
        answer = await run(name, arguments, actor=ADMIN, connection=connection, tokens=TOKENS, now=NOW)
    assert isinstance(answer, Declined) or answer.matched == 0
    answer = await ask(crm, INACTIVE, name, arguments)
    assert isinstance(answer, Declined) or answer.matched == 0


@pytest.mark.parametrize(
    ("statement", "name", "arguments"),
    [
        ("DELETE FROM crm.contacts WHERE id = 1", "show_contact", '{"contact": "C-2"}'),
        ("DELETE FROM crm.contacts WHERE id = 1", "show_conversation", '{"conversation": "H-1"}'),
        ("DELETE FROM crm.inbox_members WHERE member_id = 1", "show_contact", '{"contact": "C-2"}'),
        ("UPDATE crm.conversations SET inbox_id = 2 WHERE id = 11", "read_messages", '{"conversation": "H-1"}'),
        ("UPDATE crm.members SET active = false WHERE id = 1", "read_messages", '{"conversation": "H-1"}'),
    ],
)
async def test_what_was_deleted_or_taken_away_is_gone_at_the_next_call(
    own_crm: Database, owner: Database, statement: str, name: str, arguments: str
):
    assert isinstance(await ask(own_crm, AGENT_1, name, arguments), Answered)
    async with owner.tenant(1) as connection:
        await connection.execute(statement)
    answer = await ask(own_crm, AGENT_1, name, arguments)
    assert isinstance(answer, Declined)
    assert answer.reason is Reason.NO_SUCH_TOKEN


async def test_what_goes_between_the_check_and_the_look_up_does_not_exist(crm: Database, monkeypatch):
    async def gone(connection: Connection, actor: Actor, arguments: Arguments, now: datetime) -> None:
        return None

    emptied: dict[str, Tool] = {name: replace(tool, handler=gone) for name, tool in load().items()}
    monkeypatch.setattr("tools.run.load", lambda: emptied)
    answer = await ask(crm, ADMIN, "show_contact", '{"contact": "c-2"}')
    assert answer == Declined(Reason.NO_SUCH_TOKEN, "C-2")


async def test_an_error_of_the_database_is_the_callers():
    class Broken:
        async def fetch(self, query: str, *args: object) -> Any:
            raise DatabaseError("down")

        fetchrow = fetchval = execute = executemany = fetch

    with pytest.raises(DatabaseError):
        await run("list_team", "{}", actor=ADMIN, connection=Broken(), tokens=TOKENS, now=NOW)


async def test_an_answer_says_how_much_matched(crm: Database):
    listed = await ask(crm, ADMIN, "find_contacts")
    shown = await ask(crm, ADMIN, "show_contact", '{"contact": "**C-2**"}')
    assert isinstance(listed, Answered)
    assert isinstance(shown, Answered)
    assert (listed.matched, shown.matched) == (4, 1)
    assert listed.tool.name == "find_contacts"


async def test_a_handle_leads_to_its_contact(crm: Database):  # B195: the typed e-mail reached the model as C-2.email
    answer = await ask(crm, ADMIN, "show_contact", '{"contact": "C-2.email"}')
    assert isinstance(answer, Answered)


@pytest.mark.parametrize(("name", "arguments"), EVERYTHING)
@pytest.mark.parametrize("actor", [AGENT_1, AGENT_2, SUPERVISOR, ADMIN], ids=lambda actor: f"{actor.member_id}")
async def test_no_result_holds_a_name_or_value_that_a_field_does_not_declare(
    crm: Database, actor: Actor, name: str, arguments: str
):
    answer = await ask(crm, actor, name, arguments)
    if isinstance(answer, Answered):
        words = " ".join(_strings(answer.result))
        for personal in ("Ada", "Luz", "Bea", "Irma", "Ferretería", "5550", "correo", "11.111", "76.000"):
            assert personal not in words


def _strings(value: object) -> list[str]:
    return [leaf for leaf in _leaves(value) if type(leaf) is str]


def _numbers(value: object) -> list[int]:
    return [leaf for leaf in _leaves(value) if type(leaf) is int]


def _leaves(value: object) -> list[object]:
    if is_dataclass(value):
        return [leaf for field in fields(value) for leaf in _leaves(getattr(value, field.name))]
    if isinstance(value, tuple):
        return [leaf for item in value for leaf in _leaves(item)]
    return [value]
