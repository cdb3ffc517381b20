"""What the model may write, and what is said of the rest. Nothing here needs a database that answers."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from tests.tools.world import ADMIN, NOW, TOKENS
from tools.arguments import ABSENT, Moment, Reading, TokenOf
from tools.catalogue import TOOLS
from tools.contacts import ContactState, FindContacts
from tools.messages import ReadMessages
from tools.refusals import LANGUAGES, Declined, Reason, sentence
from tools.run import run
from veil.tokens import Kind

READING = Reading(TOKENS, NOW.tzinfo, str)
HUGE = json.dumps({"label": "x" * 200_000})


class NoDatabase:
    """A connection that finds nothing visible and refuses everything else."""

    async def fetch(self, query: str, *args: object) -> Sequence[dict[str, Any]]:
        assert "AS wanted(id)" in query
        return []

    async def fetchrow(self, query: str, *args: object) -> NoReturn:
        raise AssertionError("the call reached its handler")

    fetchval = execute = executemany = fetchrow


async def declined(name: str, arguments: str | None) -> Declined:
    answer = await run(name, arguments, actor=ADMIN, connection=NoDatabase(), tokens=TOKENS, now=NOW)
    assert isinstance(answer, Declined)
    return answer


@pytest.mark.parametrize("arguments", ["", "   ", "\n", None, "null", " null ", "{}"])
async def test_nothing_at_all_counts_as_no_arguments(arguments: str | None):  # B111
    assert await declined("show_contact", arguments) == Declined(Reason.MISSING, "contact", "C-7")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        pytest.param("[1,2]", Reason.NOT_AN_OBJECT, id="list"),
        pytest.param('"C-7"', Reason.NOT_AN_OBJECT, id="string"),
        pytest.param("42", Reason.NOT_AN_OBJECT, id="number"),
        pytest.param("true", Reason.NOT_AN_OBJECT, id="boolean"),
        pytest.param('{"contact": "C-1"', Reason.NOT_JSON, id="cut"),
        pytest.param("contact=C-1", Reason.NOT_JSON, id="no JSON"),
        pytest.param('{"contact": NaN}', Reason.NOT_JSON, id="NaN"),
        pytest.param('{"contact": "\\ud800"}', Reason.NOT_JSON, id="half a character"),
        pytest.param("\ud800", Reason.NOT_JSON, id="bare half a character"),
        pytest.param("[" * 10_000, Reason.NOT_JSON, id="deep"),
        pytest.param(HUGE, Reason.TOO_LONG, id="200 kB"),
    ],
)
async def test_what_is_no_object_is_declined_by_its_kind(arguments: str, reason: Reason):  # B112
    answer = await declined("show_contact", arguments)
    assert answer == Declined(reason, "show_contact", "contact")
    assert all(len(sentence(answer, language)) < 300 for language in LANGUAGES)


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("find_contacts", {"name": "Ada Luz"}, Reason.UNKNOWN_ARGUMENT),
        ("find_contacts", {"state": "Ada Luz"}, Reason.NOT_ONE_OF),
        ("find_contacts", {"state": ["lead"]}, Reason.NOT_ONE_OF),
        ("find_contacts", {"company": "Ferretería Sol"}, Reason.NOT_A_TOKEN),
        ("find_contacts", {"company": "C-1"}, Reason.NOT_A_TOKEN),
        ("find_contacts", {"company": 1}, Reason.NOT_A_TOKEN),
        ("find_contacts", {"label": "x" * 101}, Reason.NOT_A_TEXT),
        ("find_contacts", {"label": "a\u0000b"}, Reason.NOT_A_TEXT),
        ("find_contacts", {"label": {"name": "x"}}, Reason.NOT_A_TEXT),
        ("find_contacts", {"created_after": "ayer"}, Reason.NOT_A_DATE),
        ("find_contacts", {"created_after": "31/03/2026"}, Reason.NOT_A_DATE),
        ("find_contacts", {"created_after": "0001-01-01"}, Reason.NOT_A_DATE),
        ("find_contacts", {"created_after": "2026-02-30"}, Reason.NOT_A_DATE),
        ("find_contacts", {"created_after": 1774915200}, Reason.NOT_A_DATE),
        ("find_contacts", {"without_open_conversation": "sí"}, Reason.NOT_A_FLAG),
        ("find_contacts", {"without_open_conversation": 1}, Reason.NOT_A_FLAG),
        ("find_contacts", {"skip": -1}, Reason.NOT_A_NUMBER),
        ("find_contacts", {"skip": 10**30}, Reason.NOT_A_NUMBER),
        ("find_contacts", {"skip": "9" * 5_000}, Reason.NOT_A_NUMBER),
        ("find_contacts", {"skip": 1.5}, Reason.NOT_A_NUMBER),
        ("find_contacts", {"skip": True}, Reason.NOT_A_NUMBER),
        ("find_contacts", {"skip": [1]}, Reason.NOT_A_NUMBER),
        ("show_contact", {"contact": "Ada Luz"}, Reason.NOT_A_TOKEN),
        ("show_contact", {"contact": "C-1|C-2"}, Reason.NOT_A_TOKEN),
        ("show_contact", {"contact": "H-1"}, Reason.NOT_A_TOKEN),
        ("show_contact", {"contact": ["C-1"]}, Reason.NOT_A_TOKEN),
        ("show_contact", {"contact": "x" * 19_000}, Reason.NOT_A_TOKEN),
        ("read_messages", {}, Reason.EXACTLY_ONE),
        ("read_messages", {"contact": "C-2", "conversation": "H-1"}, Reason.EXACTLY_ONE),
        ("read_messages", {"contact": "C-2", "before": 0}, Reason.NOT_A_NUMBER),
        ("count_conversations", {}, Reason.MISSING),
        ("count_conversations", {"by": "contact"}, Reason.NOT_ONE_OF),
        ("find_conversations", {"waiting_hours": "muchas"}, Reason.NOT_A_NUMBER),
        ("show_company", {"company": "Ferretería Sol"}, Reason.NOT_A_TOKEN),
        ("list_campaigns", {"campaign": "Ada Luz"}, Reason.NOT_A_TOKEN),
        ("list_campaigns", {"campaign_state": "muchas"}, Reason.NOT_ONE_OF),
        ("find_deals", {"deal": "C-1"}, Reason.NOT_A_TOKEN),
        ("find_deals", {"closes_after": "ayer"}, Reason.NOT_A_DATE),
        ("sum_deals", {"skip": 1}, Reason.UNKNOWN_ARGUMENT),
        ("show_workload", {"by": "status"}, Reason.NOT_ONE_OF),
        ("read_notes", {"member": "Ada Luz"}, Reason.NOT_A_TOKEN),
    ],
)
async def test_a_wrong_argument_is_declined_without_its_value(name: str, arguments: dict[str, Any], expected: Reason):
    answer = await declined(name, json.dumps(arguments))
    assert answer.reason is expected
    for language in LANGUAGES:
        said = sentence(answer, language)
        assert len(said) < 500
        for word in ("Ada", "Ferretería", "ayer", "31/03", "muchas", "xxx", "999"):
            assert word not in said


async def test_the_sentence_says_what_would_have_been_right():
    wrong = await declined("find_contacts", '{"state": "vip"}')
    assert sentence(wrong, "es") == "state debe ser uno de: lead, active, inactive."
    unknown = await declined("list_team", '{"name": "x"}')
    assert "role, inbox, skip" in sentence(unknown, "en")
    assert sentence(await declined("show_contact", '{"contact": "C-1|C-2"}'), "es").startswith(
        "contact lleva un solo token"
    )


async def test_arguments_that_the_model_leaves_blank_are_left_out():
    read = FindContacts.model_validate({"state": None, "label": " ", "company": "", "skip": "20"}, context=READING)
    assert read == FindContacts(skip=20)


def test_values_are_read_as_models_write_them():
    read = FindContacts.model_validate(
        {"state": "Lead ", "without_open_conversation": "true", "skip": 20.0, "created_after": "2026-03-31"},
        context=READING,
    )
    assert read.state is ContactState.LEAD
    assert read.without_open_conversation is True
    assert read.skip == 20
    assert read.created_after == datetime(2026, 3, 31, tzinfo=timezone(timedelta(hours=-3)))


@pytest.mark.parametrize("written", ["C-2", "c-2", " **C-2** ", "C\u20112", "`C-2`", "[C-2]", "C-2.phone", "C - 2"])
def test_a_token_is_read_as_models_write_it(written: str):
    assert TokenOf(Kind.CONTACT).read(written, READING) == 1


def test_a_token_that_the_thread_does_not_hold_stands_for_no_row():
    assert TokenOf(Kind.CONTACT).read("C-77", READING) == ABSENT


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("2026-03-31", datetime(2026, 3, 31, 3, tzinfo=UTC)),
        ("2026-03-31T10:00", datetime(2026, 3, 31, 13, tzinfo=UTC)),
        ("2026-03-31T10:00Z", datetime(2026, 3, 31, 10, tzinfo=UTC)),
        ("2026-03-31 10:00+02:00", datetime(2026, 3, 31, 8, tzinfo=UTC)),
    ],
)
def test_a_date_without_an_offset_is_read_in_the_zone_of_the_turn(written: str, moment: datetime):
    assert Moment().read(written, READING) == moment


def test_an_error_of_pydantic_holds_no_value():
    with pytest.raises(ValidationError) as caught:
        ReadMessages.model_validate({"contact": "Ada Luz", "nombre": "Ada Luz"}, context=READING)
    assert "Ada" not in str(caught.value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["C-1", "H-1", "open"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
NAMES = st.sampled_from(sorted({name for tool in TOOLS for name in tool.arguments.model_fields}))


#: Tools that need an argument which no token of nothing can be.
NEEDING = {"show_contact", "show_conversation", "show_company", "read_messages"}


@given(
    tool=st.sampled_from([tool for tool in TOOLS if tool.name in NEEDING]),
    arguments=st.dictionaries(NAMES | st.text(), JSON, max_size=4).map(json.dumps) | st.text(),
)
async def test_whatever_the_model_writes_is_declined_in_a_sentence(tool, arguments: str):
    answer = await declined(tool.name, arguments)
    assert all(len(sentence(answer, language)) < 500 for language in LANGUAGES)
