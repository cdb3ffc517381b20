"""The SQL of the tools, read as text: a filter that is missing here would not be missed by row-level security tests."""

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

import tools
from db.pool import Database
from db.queries import load
from db.roles import logins
from tests.tools.world import fill

CloneDatabase = Callable[[str], Awaitable[str]]

FILES = sorted(path.name for path in Path(tools.__file__).parent.glob("*.sql"))
STATEMENTS = {f"{file}:{name}": statement for file in FILES for name, statement in load("tools", file).items()}


@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS)
def test_every_table_is_held_to_the_tenant(statement: str):
    tables = re.findall(r"\b(?:FROM|JOIN) crm\.\w+", statement)
    aliases = re.findall(r"\b(?:FROM|JOIN) crm\.\w+ AS (\w+)", statement)
    assert len(tables) == len(aliases), "a table without an alias"
    for alias in set(aliases):
        assert aliases.count(alias) == len(re.findall(rf"\b{alias}\.tenant_id = \$1", statement)), alias


@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS)
def test_visibility_is_asked_for_the_member_and_a_constant_kind(statement: str):
    asked = statement.count("crm.visible AS seen")
    assert asked
    full = (
        r"seen\.tenant_id = \$1 AND seen\.member_id = \$2 "
        r"AND seen\.kind = '\w+' AND seen\.entity_id = (?:\w+\.|\$2)"
    )
    assert len(re.findall(full, statement)) == asked


@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS)
def test_nothing_is_sorted_or_cut_by_a_personal_value(statement: str):
    for order in re.findall(r"ORDER BY(.*?)(?:\)|LIMIT|OFFSET|$)", statement, re.DOTALL):
        assert not re.search(r"name|subject|title|body|city|phone|email|legal_id|national_id|\.label\b", order), order


@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS)
def test_no_name_or_value_is_read_but_words_of_the_house(statement: str):
    read = set(re.findall(r"\b(\w+\.(?:name|phone|email|national_id|legal_id|aliases|city))\b", statement))
    presence = {"contact.phone", "contact.email", "contact.national_id", "company.legal_id"}
    words = {"label.name", "known.name", "inbox.name", "campaign.name", "matched.name", "page.name"}
    places = {"company.city", "candidate.city", "page.city"}
    assert read <= presence | words | places
    for column in read & presence:
        assert f"coalesce(btrim({column}), '') <> ''" in statement
        assert statement.count(column) == 1


@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS)
async def test_every_statement_is_understood_by_the_server(crm: Database, statement: str):
    async with crm.tenant(1) as connection:
        await connection.execute(f"PREPARE understood AS {statement}")
        await connection.execute("DEALLOCATE understood")


#: What is asked of one contact, conversation, company or deal, with the arguments after tenant and member.
KEYED = (
    ("contacts", "contact_card", "1"),
    ("contacts", "found_contacts", "NULL, NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL, 0, 5"),
    ("conversations", "found_conversations", "NULL, NULL, NULL, NULL, NULL, 1, " + "NULL, " * 6 + "0, 5"),
    ("conversations", "conversation_card", "11"),
    ("messages", "page_of_messages", "11, NULL, NULL, 20"),
    ("messages", "page_of_messages", "NULL, 1, NULL, 20"),
    ("notes", "notes", "1, NULL, NULL, NULL, 0, 20"),
    ("companies", "company_card", "1"),
    ("deals", "found_deals", "NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL, 0, 20"),
    ("deals", "summed_deals", "1, NULL, NULL, NULL, NULL, NULL, NULL, NULL"),
    ("run", "visible_entities", "'{1}', '{11}', '{1}', '{1}', '{1}', '{1}', '{1}'"),
)


@pytest.mark.parametrize(("file", "name", "arguments"), KEYED, ids=[f"{file}:{name}" for file, name, _ in KEYED])
async def test_what_is_asked_of_one_reads_no_more_in_a_larger_crm(grown: Database, file: str, name: str, arguments: str):
    """Pages of the database, not milliseconds: a few for each row that is shown, of the thousands that there are."""
    async with grown.tenant(1, read_only=True) as connection:
        await connection.execute("SET LOCAL plan_cache_mode = force_generic_plan")
        await connection.execute(f"PREPARE asked AS {load('tools', file)[name]}")
        (row,) = await connection.fetch(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE asked (1, 1, {arguments})")
        await connection.execute("DEALLOCATE asked")
    plan = json.loads(row["QUERY PLAN"])[0]["Plan"]
    assert plan["Shared Hit Blocks"] + plan["Shared Read Blocks"] < 400


@pytest.fixture(scope="module")
async def grown(template: str, clone_database: CloneDatabase) -> AsyncIterator[Database]:
    """The world with 4,000 more contacts and conversations in the inbox of member 1, and their notes and deals."""
    dsn = await clone_database(template)
    owner = await Database.open(logins(dsn).owner)
    await fill(owner)
    async with owner.tenant(1) as connection:
        for statement in _GROWTH:
            await connection.execute(statement)
    async with owner.plain() as connection:
        await connection.execute("ANALYZE crm.contacts, crm.conversations, crm.messages, crm.notes, crm.deals")
    await owner.close()
    opened = await Database.open(logins(dsn).app)
    yield opened
    await opened.close()


_GROWTH = (
    """
    INSERT INTO crm.contacts (tenant_id, id, name, last_contact_at)
    SELECT 1, 1000 + n, 'Contacto', now() FROM generate_series(1, 4000) AS n
    """,
    """
    INSERT INTO crm.conversations (tenant_id, id, contact_id, inbox_id, assignee_id)
    SELECT 1, 1000 + n, 1000 + n, 1, 1 FROM generate_series(1, 4000) AS n
    """,
    "INSERT INTO crm.notes (tenant_id, id, contact_id, body) SELECT 1, 1000 + n, 1000 + n, 'nota' FROM generate_series(1, 4000) AS n",
    "INSERT INTO crm.deals (tenant_id, id, contact_id) SELECT 1, 1000 + n, 1000 + n FROM generate_series(1, 4000) AS n",
)
