"""The SQL of the tools, read as text: a filter that is missing here would not be missed by row-level security tests."""

import re
from pathlib import Path

import pytest

import tools
from db.pool import Database
from db.queries import load

FILES = sorted(path.name for path in Path(tools.__file__).parent.glob("*.sql"))
STATEMENTS = {f"{file}:{name}": statement for file in FILES for name, statement in load("tools", file).items()}


@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS)
def test_every_table_is_held_to_the_tenant(statement: str):
    tables = re.findall(r"\b(?:FROM|JOIN) crm\.\w+", statement)
    aliases = re.findall(r"\b(?:FROM|JOIN) crm\.\w+ AS (\w+)", statement)
    assert aliases
    assert len(tables) == len(aliases), "a table without an alias"
    for alias in set(aliases):
        assert aliases.count(alias) == len(re.findall(rf"\b{alias}\.tenant_id = \$1", statement)), alias


@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS)
def test_visibility_is_asked_for_the_member_and_a_constant_kind(statement: str):
    asked = statement.count("crm.visible AS seen")
    assert asked
    full = (
        r"seen\.tenant_id = \$1 AND seen\.member_id = \$2 "
        r"AND seen\.kind = '\w+' AND seen\.entity_id = (?:ANY \(|\w+\.)"
    )
    assert len(re.findall(full, statement)) == asked


@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS)
def test_nothing_is_sorted_or_cut_by_a_personal_value(statement: str):
    for order in re.findall(r"ORDER BY(.*?)(?:\)|LIMIT|OFFSET|$)", statement, re.DOTALL):
        assert not re.search(r"name|subject|body|phone|email|legal_id|national_id|\.label", order), order


@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS)
def test_no_name_or_value_is_read_but_labels_subjects_bodies_and_names_of_inboxes(statement: str):
    read = set(re.findall(r"\b(\w+\.(?:name|phone|email|national_id|legal_id|aliases|city))\b", statement))
    presence = {"contact.phone", "contact.email", "contact.national_id", "company.legal_id"}
    assert read <= presence | {"label.name", "inbox.name", "matched.name", "page.name"}
    for column in read & presence:
        assert f"coalesce(btrim({column}), '') <> ''" in statement
        assert statement.count(column) == 1


@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS)
async def test_every_statement_is_understood_by_the_server(crm: Database, statement: str):
    async with crm.tenant(1) as connection:
        await connection.execute(f"PREPARE understood AS {statement}")
        await connection.execute("DEALLOCATE understood")
