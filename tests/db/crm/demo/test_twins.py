"""Twins: two casts of one structure differ by their renaming and by nothing else, down to the byte."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping

import pytest

from db.crm.demo.casting import Renaming
from db.crm.demo.shops import SHOPS
from db.crm.demo.values import SAID
from db.embedded import Server
from db.pool import Database
from db.roles import logins
from tests.db.crm.demo import ordinary
from tests.postgres import on
from tests.seeding import Seeded, seed_demo

Seed = Callable[[int, int], Awaitable[Seeded]]
Dump = Callable[[int, int], Awaitable[str]]

#: Digits said one by one; ids with letters in them.
_SAID = r"(?:\b(?:{})\b ?){{8,}}(?<! )".format("|".join({word for words in SAID.values() for word in words}))
_LETTERED = r"\b(?:[XYZxyz]-?\d{7}-?[A-Za-z]|[A-Z]-?\d{8}|(?:\d{8}|\d\d\.\d{3}\.\d{3})-?[A-Za-z])\b|\bES\d\d(?: ?\d{4}){5}"
#: What may be renamed: a word, an e-mail address, or figures that may be one identifier or several.
_PIECE = re.compile(
    "|".join([*ordinary.PHRASES, r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", _SAID, _LETTERED, r"[^\W\d_]+", r"[+(]?\d[\d .()/\u200b\u2011\u2013-]*\d"])
)
_SHORTEST = 8


def renamed(text: str, renaming: Renaming) -> str:
    """The text with every identifier and every word replaced at once, ordinary use aside."""
    known = renaming["words"] | renaming["identifiers"]

    def replaced(found: re.Match[str]) -> str:
        piece = found[0]
        return known.get(piece) or (_with_identifiers(piece, renaming["identifiers"]) if piece[-1].isdigit() else piece)

    return _PIECE.sub(replaced, text)


def _with_identifiers(figures: str, identifiers: Mapping[str, str]) -> str:
    """The longest identifier at each place replaced."""
    replaced, place = "", 0
    while place < len(figures):
        ends = range(len(figures), place + _SHORTEST - 1, -1)
        end = next((end for end in ends if figures[place:end] in identifiers), place + 1)
        replaced += identifiers.get(figures[place:end], figures[place:end])
        place = end
    return replaced


async def dump(dsn: str) -> str:
    """Every row of schema crm in all tenants, derived ones included, in an order that no name decides."""
    database = await Database.open(dsn)
    lines = []
    for tenant in (shop.tenant_id for shop in SHOPS):
        async with database.tenant(tenant) as connection:
            tables = await connection.fetch(
                "SELECT relname FROM pg_class WHERE relnamespace = 'crm'::regnamespace AND relkind = 'r' ORDER BY relname"
            )
            for table in [row["relname"] for row in tables]:
                rows = await connection.fetch(f"SELECT to_jsonb(t) AS row FROM crm.{table} t")
                lines += [f"{table} {json.dumps(without_letters(row['row']), ensure_ascii=False)}" for row in rows]
    await database.close()
    return "\n".join(lines)


def without_letters(row: dict[str, object]) -> dict[str, object]:
    """A row without what is said of the letters of a name, which is compared only where a name is misspelt."""
    return {column: value for column, value in row.items() if column not in ("head", "tail")}


def in_order(dumped: str) -> list[str]:
    return sorted(dumped.split("\n"))


@pytest.fixture(scope="module")
def dumped(server: Server, seeded: Seed) -> Dump:
    """The rows of a structure with the people of a seed; each is read once."""
    known: dict[tuple[int, int], str] = {}

    async def rows(structure: int, people: int) -> str:
        if (structure, people) not in known:
            known[structure, people] = await dump(logins(on(server.dsn, (await seeded(structure, people)).database)).owner)
        return known[structure, people]

    return rows


@pytest.mark.parametrize(("structure", "people"), [(1, 1), (4, 2)])
async def test_a_twin_is_the_renamed_named_demo(seeded: Seed, dumped: Dump, structure: int, people: int) -> None:
    before, after = await dumped(structure, 0), await dumped(structure, people)
    renaming = (await seeded(structure, people)).renaming
    assert before != after
    assert in_order(renamed(before, renaming)) == in_order(after)


async def test_a_renaming_is_one_to_one_and_keeps_no_word(seeded: Seed) -> None:
    renaming = (await seeded(1, 1)).renaming
    for mapping in (renaming["words"], renaming["identifiers"]):
        assert len(set(mapping.values())) == len(mapping)
    assert [word for word, new in renaming["words"].items() if word == new] == []


async def test_the_named_demo_renames_nothing(seeded: Seed) -> None:
    renaming = (await seeded(1, 0)).renaming
    assert all(old == new for mapping in (renaming["words"], renaming["identifiers"]) for old, new in mapping.items())


async def test_the_same_seeds_give_the_same_demo(owner_dsn: str, seeded: Seed, dumped: Dump) -> None:
    assert await seed_demo(owner_dsn, 4, 2) == (await seeded(4, 2)).renaming
    assert in_order(await dump(owner_dsn)) == in_order(await dumped(4, 2))


async def test_another_structure_is_another_demo(dumped: Dump) -> None:
    assert await dumped(1, 0) != await dumped(4, 0)
