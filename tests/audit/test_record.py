"""The record gives back the bytes that left, keeps each block once, and shows when one was changed."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pytest

from audit import record
from audit.record import Sent
from db.errors import DatabaseError
from db.pool import Database
from tests.house import ADMIN, House
from tests.model_endpoint import calls
from tests.veil.counting import Counting
from veil.payload import Constant, Message, Request, Role
from veil.text import Veiled

AT = datetime(2026, 3, 31, 15, 0, 0, 123456, tzinfo=UTC)
TOOLS = ({"type": "function", "function": {"name": "list_team"}},)


def request(*texts: str, tools: bool = True, choice: str = "auto") -> Request:
    messages = tuple(Message(Role.USER, (Constant("[hoy]\n"), Veiled(text))) for text in texts)
    return Request("m", messages, TOOLS if tools else (), choice)  # type: ignore[arg-type]


@pytest.fixture
async def turn(house: House) -> int:
    """A turn that made no call of a model."""
    number: int = (await house.ask("¿y Gaspar?"))["turn_id"]
    return number


async def added(database: Database, turn: int, ordinal: int, sent: Request, *, response: bytes | None = b"{}", status: str | None = "answered") -> None:
    async with database.tenant(1) as connection:
        call = await record.add(connection, tenant=1, turn=turn, ordinal=ordinal, request=sent, sent_at=AT)
        if status is not None:
            await record.add_reply(connection, tenant=1, call=call, response=response, status=status, received_at=AT + timedelta(seconds=1))


async def kept(database: Database, turn: int, tenant: int = 1) -> list[Sent]:
    async with database.tenant(tenant) as connection:
        return await record.calls_of_turn(connection, tenant=tenant, turn=turn)


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(request("¿y C-1?"), id="a question"),
        pytest.param(request("a", "b", "a"), id="the same message twice"),
        pytest.param(request("ñ 王 😀 \u2028 </datos>"), id="letters of all kinds"),
        pytest.param(request("a", tools=False), id="without tools"),
        pytest.param(request("a", choice="none"), id="no tool may be chosen"),
        pytest.param(request(*(f"mensaje {number}" for number in range(120))), id="a long history"),
    ],
)
async def test_a_recorded_call_gives_back_the_bytes_that_left(house: House, turn: int, sent: Request) -> None:
    await added(house.database, turn, 1, sent)
    (found,) = await kept(house.database, turn)
    assert found.body == sent.encode()
    assert found.intact
    assert found.sha256 == sha256(sent.encode()).hexdigest()
    assert (found.response, found.status, found.sent_at, found.received_at) == (b"{}", "answered", AT, AT + timedelta(seconds=1))


async def test_a_call_that_failed_is_recorded_without_a_response(house: House, turn: int) -> None:
    await added(house.database, turn, 1, request("a"), response=None, status="failed")
    (found,) = await kept(house.database, turn)
    assert (found.response, found.status) == (None, "failed")


async def test_a_call_whose_process_died_is_known_to_have_left(house: House, turn: int) -> None:
    await added(house.database, turn, 1, request("a"), response=None, status=None)
    (found,) = await kept(house.database, turn)
    assert (found.body, found.response, found.status, found.received_at) == (request("a").encode(), None, "sent", None)


async def test_a_call_is_recorded_before_it_leaves(house: House) -> None:
    seen = []

    def reply(body: dict[str, object]) -> str:
        seen.append(asyncio.create_task(house.sql("SELECT request_sha256 FROM velo.model_calls")))
        return "Listo."

    house.script(reply)
    await house.ask("hola")
    assert [[row["request_sha256"] for row in await rows] for rows in seen] == [[sha256(house.endpoint.bodies[0]).digest()]]


async def test_calls_come_back_in_their_order(house: House, turn: int) -> None:
    for ordinal, text in ((2, "b"), (1, "a"), (3, "c")):
        await added(house.database, turn, ordinal, request(text))
    assert [(call.ordinal, call.body) for call in await kept(house.database, turn)] == [
        (number, request(text).encode()) for number, text in enumerate("abc", 1)
    ]


async def test_each_block_is_kept_once(house: House, turn: int) -> None:
    await added(house.database, turn, 1, request("a", "b", "a"))
    await added(house.database, turn, 2, request("a", "b", "c"))
    (row,) = await house.sql("SELECT count(*) AS blocks FROM velo.veiled_blocks")
    assert row["blocks"] == 4  # a, b, c and the tools


async def test_a_whole_turn_is_recorded_as_it_was_sent(house: House) -> None:
    house.script([calls(("list_team", {})), calls(("list_inboxes", {})), "Listo."])
    answered = await house.ask("¿quién trabaja aquí?")
    found = await kept(house.database, answered["turn_id"])
    assert [call.body for call in found] == house.endpoint.bodies
    assert [json.loads(call.response or b"")["text"] for call in found] == ["", "", "Listo."]
    (row,) = await house.sql("SELECT count(*) AS blocks FROM velo.veiled_blocks")
    assert row["blocks"] == 7  # system, question, two calls with their results, tools


async def test_a_changed_list_of_blocks_is_seen(house: House, turn: int) -> None:
    await added(house.database, turn, 1, request("a", "b"))
    await added(house.database, turn, 2, request("a", "c"))
    await house.sql("UPDATE velo.model_calls SET blocks = (SELECT blocks FROM velo.model_calls WHERE ordinal = 1) WHERE ordinal = 2")
    assert [call.intact for call in await kept(house.database, turn)] == [True, False]


@pytest.mark.parametrize("statement", ["UPDATE velo.model_calls SET ordinal = 9", "DELETE FROM velo.model_calls", "UPDATE velo.model_replies SET status = 'x'", "DELETE FROM velo.model_replies", "UPDATE velo.veiled_blocks SET bytes = ''", "DELETE FROM velo.veiled_blocks"])
async def test_the_application_cannot_change_what_it_recorded(house: House, turn: int, statement: str) -> None:
    await added(house.database, turn, 1, request("a"))
    with pytest.raises(DatabaseError):
        async with house.database.tenant(1) as connection:
            await connection.execute(statement)


async def test_another_tenant_reads_nothing_of_it(house: House, house_dsn: str, turn: int) -> None:
    await added(house.database, turn, 1, request("a"))
    unfenced = await Database.open(house_dsn)
    assert await kept(unfenced, turn, tenant=2) == []
    await unfenced.close()


async def test_equal_blocks_of_two_tenants_are_two_rows(house: House, house_dsn: str) -> None:
    await house.ask("hola")
    other = await house.ask("hola", actor=ADMIN.__class__(2, 1, ADMIN.role))
    assert [call.intact for call in await kept(house.database, other["turn_id"], tenant=2)] == [True]


async def test_two_calls_that_keep_the_same_block_at_once_are_both_recorded(house: House, turn: int) -> None:
    async with house.database.tenant(1) as connection:
        await record.add(connection, tenant=1, turn=turn, ordinal=1, request=request("a", "b"), sent_at=AT)
        other = asyncio.create_task(added(house.database, turn, 2, request("b", "a")))
        await asyncio.sleep(0)
        assert not (await asyncio.wait([other], timeout=0.05))[0]
    await other
    assert [call.body for call in await kept(house.database, turn)] == [request("a", "b").encode(), request("b", "a").encode()]


async def test_a_call_takes_one_statement_however_long_its_history(house: House, turn: int) -> None:
    async with house.database.tenant(1) as connection:
        counting = Counting(connection)
        for ordinal, length in ((1, 1), (2, 200)):
            sent = request(*(f"mensaje {number}" for number in range(length)))
            await record.add(counting, tenant=1, turn=turn, ordinal=ordinal, request=sent, sent_at=AT)
    assert len(counting.statements) == 2
