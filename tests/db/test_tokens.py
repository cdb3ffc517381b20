"""Minting: one entity one token, a number never twice, whatever runs beside it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Sequence

import pytest

from db.errors import Conflict, Forbidden, Refused
from db.pool import Connection, Database

WRITERS = 50


@pytest.fixture
async def thread(owner: Database) -> int:
    async with owner.tenant(1) as connection:
        await connection.execute("INSERT INTO velo.tenants (tenant_id, name) VALUES (1, 'Uno')")
        statement = "INSERT INTO velo.threads (tenant_id, member_id) VALUES (1, 1) RETURNING id"
        return int(await connection.fetchval(statement))


@pytest.fixture
async def crowd(app_dsn: str) -> AsyncIterator[Database]:
    """Fifty connections, all open before the test starts."""
    opened = await Database.open(app_dsn, min_size=WRITERS, max_size=WRITERS)
    yield opened
    await opened.close()


async def mint(database: Database, thread: int, *pairs: tuple[str, int]) -> list[str]:
    """The tokens of these entities, minted in a transaction of its own."""
    async with database.tenant(1) as connection:
        rows = await connection.fetch(
            "SELECT letter, number FROM velo.mint($1, $2, $3)", thread, [p[0] for p in pairs], [p[1] for p in pairs]
        )
    return [f"{row['letter']}-{row['number']}" for row in rows]


async def reserve(database: Database, thread: int, *pairs: tuple[str, int]) -> list[str]:
    async with database.tenant(1) as connection:
        rows = await connection.fetch(
            "SELECT letter, number, state FROM velo.reserve($1, $2, $3)",
            thread,
            [p[0] for p in pairs],
            [p[1] for p in pairs],
        )
    return [f"{row['letter']}-{row['number']} {row['state']}" for row in rows]


async def alias(database: Database, thread: int, *literals: str) -> list[tuple[str, int]]:
    async with database.tenant(1) as connection:
        rows = await connection.fetch("SELECT literal, number FROM velo.alias($1, $2)", thread, list(literals))
    return [(row["literal"], row["number"]) for row in rows]


async def rows_of(database: Database) -> Sequence[tuple[str, int, int | None, str]]:
    async with database.tenant(1) as connection:
        rows = await connection.fetch("SELECT kind, number, entity_id, state FROM velo.tokens ORDER BY kind, number")
    return [(row["kind"], row["number"], row["entity_id"], row["state"]) for row in rows]


async def test_numbers_follow_the_order_of_the_question(database: Database, thread: int) -> None:
    assert await mint(database, thread, ("C", 90), ("U", 5), ("C", 10), ("C", 90)) == ["C-1", "U-1", "C-2"]


async def test_an_entity_keeps_its_token(database: Database, thread: int) -> None:
    await mint(database, thread, ("C", 10))
    assert await mint(database, thread, ("C", 11), ("C", 10)) == ["C-2", "C-1"]


async def test_a_reserved_number_is_passed_over(database: Database, thread: int) -> None:
    assert await reserve(database, thread, ("C", 1), ("C", 3), ("Q", 7)) == [
        "C-1 reserved",
        "C-3 reserved",
        "Q-7 reserved",
    ]
    assert await mint(database, thread, ("C", 10), ("C", 11)) == ["C-2", "C-4"]


async def test_reserving_a_taken_number_says_who_holds_it(database: Database, thread: int) -> None:
    await mint(database, thread, ("C", 10))
    assert await reserve(database, thread, ("C", 1), ("C", 1)) == ["C-1 live"]


async def test_a_literal_keeps_its_alias(database: Database, thread: int) -> None:
    await reserve(database, thread, ("X", 1))
    assert await alias(database, thread, "C-7", "c-7", "C-7") == [("C-7", 2), ("c-7", 3)]
    assert await alias(database, thread, "**C-7**", "C-7") == [("**C-7**", 4), ("C-7", 2)]


async def test_a_number_is_not_given_again_after_its_row_is_gone(
    database: Database, owner: Database, thread: int
) -> None:
    await mint(database, thread, ("C", 10), ("C", 11))
    async with owner.tenant(1) as connection:
        await connection.execute("DELETE FROM velo.tokens WHERE number = 2")
    assert await mint(database, thread, ("C", 12)) == ["C-3"]


async def test_a_counter_never_goes_back(database: Database, thread: int) -> None:
    await mint(database, thread, ("C", 10), ("C", 11))
    with pytest.raises(Refused) as refused:
        async with database.tenant(1) as connection:
            await connection.execute("UPDATE velo.token_counters SET last = 1")
    assert refused.value.sqlstate == "VL003"


async def test_used_up_numbers_are_refused(database: Database, owner: Database, thread: int) -> None:
    await mint(database, thread, ("C", 10))
    async with owner.tenant(1) as connection:
        await connection.execute("UPDATE velo.token_counters SET last = 999999")
    with pytest.raises(Refused) as refused:
        await mint(database, thread, ("C", 11))
    assert refused.value.sqlstate == "VL001"


async def test_minting_without_a_tenant_is_refused(database: Database, thread: int) -> None:
    with pytest.raises(Refused) as refused:
        async with database.plain() as connection:
            await connection.fetch("SELECT * FROM velo.mint($1, $2, $3)", thread, ["C"], [1])
    assert refused.value.sqlstate == "VL002"


async def test_a_thread_of_another_tenant_gets_no_token(database: Database, owner: Database, thread: int) -> None:
    async with owner.tenant(2) as connection:
        await connection.execute("INSERT INTO velo.tenants (tenant_id, name) VALUES (2, 'Dos')")
    with pytest.raises(Conflict):
        async with database.tenant(2) as connection:
            await connection.fetch("SELECT * FROM velo.mint($1, $2, $3)", thread, ["C"], [1])


async def test_the_application_cannot_take_a_token_away(database: Database, thread: int) -> None:
    await mint(database, thread, ("C", 10))
    for change in ("DELETE FROM velo.tokens", "UPDATE velo.tokens SET number = 9", "DELETE FROM velo.token_counters"):
        with pytest.raises(Forbidden):
            async with database.tenant(1) as connection:
                await connection.execute(change)


async def test_fifty_connections_give_different_entities_different_numbers(crowd: Database, thread: int) -> None:
    given = await asyncio.gather(*(mint(crowd, thread, ("C", entity)) for entity in range(1, 201)))
    assert sorted(int(tokens[0][2:]) for tokens in given) == list(range(1, 201))


async def test_fifty_connections_give_one_entity_one_token(crowd: Database, thread: int) -> None:
    given = await asyncio.gather(*(mint(crowd, thread, ("C", 7)) for _ in range(WRITERS)))
    assert given == [["C-1"]] * WRITERS


async def test_overlapping_batches_of_several_kinds_do_not_deadlock(crowd: Database, thread: int) -> None:
    chance = random.Random(11)
    everyone = [(letter, entity) for letter in "CUEHD" for entity in range(1, 31)]
    batches = [chance.sample(everyone, 10) for _ in range(200)]

    given = await asyncio.gather(*(mint(crowd, thread, *batch) for batch in batches))

    token_of: dict[tuple[str, int], str] = {}
    for batch, tokens in zip(batches, given, strict=True):
        for pair, token in zip(batch, tokens, strict=True):
            assert token_of.setdefault(pair, token) == token
    for letter in "CUEHD":
        numbers = sorted(int(token[2:]) for pair, token in token_of.items() if pair[0] == letter)
        assert numbers == list(range(1, len(numbers) + 1))


async def test_mint_reserve_and_alias_side_by_side_give_no_number_twice(crowd: Database, thread: int) -> None:
    chance = random.Random(12)

    async def one(step: int) -> None:
        match step % 3:
            case 0:
                await mint(crowd, thread, *((letter, chance.randint(1, 40)) for letter in chance.sample("CUX", 3)))
            case 1:
                await reserve(crowd, thread, *((letter, chance.randint(1, 60)) for letter in chance.sample("CUX", 3)))
            case _:
                await alias(crowd, thread, *(f"C-{chance.randint(1, 20)}" for _ in range(5)))

    await asyncio.gather(*(one(step) for step in range(240)))

    rows = await rows_of(crowd)
    live = [(kind, entity) for kind, _, entity, state in rows if state == "live"]
    assert len(live) == len(set(live))
    async with crowd.tenant(1) as connection:
        await _counters_cover_what_was_given(connection)


async def _counters_cover_what_was_given(connection: Connection) -> None:
    behind = await connection.fetch(
        "SELECT t.kind FROM velo.tokens t JOIN velo.token_counters c USING (tenant_id, thread_id, kind)"
        " WHERE t.state IN ('live', 'literal') AND t.number > c.last"
    )
    assert behind == []
