"""Twins: two casts of one structure differ by their renaming and by nothing else, down to the byte."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping

import pytest

from db.pool import Database
from db.roles import logins
from tests.seeding import seed_demo

_WORD = r"[^\W\d_]+"


def renamed(text: str, words: Mapping[str, str], identifiers: Mapping[str, str]) -> str:
    """The text with every identifier and every word replaced at once; the longest identifier first."""
    longest_first = sorted(identifiers, key=len, reverse=True)
    pattern = re.compile("|".join([*map(re.escape, longest_first), _WORD]))
    return pattern.sub(lambda found: identifiers.get(found[0], words.get(found[0], found[0])), text)


async def dump(dsn: str) -> str:
    """Every row of schema crm in both tenants, derived ones included, in an order that no name decides."""
    database = await Database.open(dsn)
    lines = []
    for tenant in (1, 2):
        async with database.tenant(tenant) as connection:
            tables = await connection.fetch(
                "SELECT relname FROM pg_class WHERE relnamespace = 'crm'::regnamespace AND relkind = 'r' ORDER BY relname"
            )
            for table in [row["relname"] for row in tables]:
                rows = await connection.fetch(f"SELECT to_jsonb(t) AS row FROM crm.{table} t")
                lines += [f"{table} {json.dumps(row['row'], ensure_ascii=False)}" for row in rows]
    await database.close()
    return "\n".join(lines)


def in_order(dumped: str) -> list[str]:
    return sorted(dumped.split("\n"))


@pytest.mark.parametrize(("structure_seed", "people_seed"), [(1, 1), (1, 7), (4, 2)])
async def test_a_twin_is_the_renamed_named_demo(
    template: str, clone_database: Callable[[str], Awaitable[str]], structure_seed: int, people_seed: int
) -> None:
    one, other = [logins(await clone_database(template)).owner for _ in range(2)]
    await seed_demo(one, structure_seed, 0)
    renaming = await seed_demo(other, structure_seed, people_seed)
    before, after = await dump(one), await dump(other)
    assert before != after
    assert in_order(renamed(before, renaming["words"], renaming["identifiers"])) == in_order(after)


async def test_a_renaming_is_one_to_one_and_keeps_no_word(owner_dsn: str) -> None:
    renaming = await seed_demo(owner_dsn, people_seed=3)
    for mapping in (renaming["words"], renaming["identifiers"]):
        assert len(set(mapping.values())) == len(mapping)
    assert [word for word, new in renaming["words"].items() if word == new] == []


async def test_the_named_demo_renames_nothing(owner_dsn: str) -> None:
    renaming = await seed_demo(owner_dsn, people_seed=0)
    assert all(old == new for mapping in (renaming["words"], renaming["identifiers"]) for old, new in mapping.items())


async def test_the_same_seeds_give_the_same_demo(template: str, clone_database: Callable[[str], Awaitable[str]]) -> None:
    one, other = [logins(await clone_database(template)).owner for _ in range(2)]
    assert await seed_demo(one, 2, 2) == await seed_demo(other, 2, 2)
    assert in_order(await dump(one)) == in_order(await dump(other))


async def test_another_structure_is_another_demo(template: str, clone_database: Callable[[str], Awaitable[str]]) -> None:
    one, other = [logins(await clone_database(template)).owner for _ in range(2)]
    await seed_demo(one, 1, 0)
    await seed_demo(other, 2, 0)
    assert await dump(one) != await dump(other)
