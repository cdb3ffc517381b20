"""After conversations with every kind of fault, nobody is found anywhere but in the CRM, in what people wrote, and in answers drawn for them.

Looked at is what a server leaves behind: its output, its counters, its temporary files, the log of Postgres, and every column of every table
of ours. What only the model says is the model's own; of that nothing may be in outputs, counters and logs.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from starlette.responses import JSONResponse, Response

from db import embedded
from tests.faults.served import METRICS_TOKEN
from tests.faults.stage import Stage, held
from tests.laws.witness import EVERYBODY, leaked
from tests.model_endpoint import calls, completion, stream

#: People whom no CRM knows and whom a member types, and one whom the model makes up.
STRANGERS = ("wenceslao", "ojeda", "88887777", "wojedafuera")
INVENTED = ("eustaquio",)

KNOWN = "¿Qué pasó con María López y Otoniel Ibarrola? Su fono es 9 8345 6789, su rut 7.654.321-6"
UNKNOWN = "Don Wenceslao Ojeda (9 8888 7777, w.ojeda@fuera.example) reclama por Zulema Pacheco"
LOOKS = calls(
    ("read_messages", {"contact": "C-1"}),
    ("show_contact", {"contact": "C-2"}),
    ("read_messages", '{"contact": "Eustaquio'),
    ("show_contact", {"contact": "Eustaquio", "dice": "C-1"}),
    ("find_contacts", {"label": "Eustaquio"}),
    ("eustaquio", {}),
)
ANSWER = completion({"role": "assistant", "content": "C-1 y C-2 (C-2.phone) escribieron ayer."})


def quoted(body: dict[str, Any]) -> Response:
    """A server that says in its error what it was asked."""
    return JSONResponse({"error": {"message": f"Eustaquio: {json.dumps(body)}"}}, status_code=400)


@asynccontextmanager
async def broken(stage: Stage, table: str, column: str) -> AsyncIterator[None]:
    """While a column is not there, statements fail."""
    await stage.sql(f"ALTER TABLE {table} RENAME COLUMN {column} TO gone")
    try:
        yield
    finally:
        await stage.sql(f"ALTER TABLE {table} RENAME COLUMN gone TO {column}")


async def a_bad_day(stage: Stage) -> str:
    """One thread, through everything that goes wrong; gives what both servers have counted."""
    stage.script(LOOKS, ANSWER)
    thread: int = (await stage.served.ask(KNOWN))["thread_id"]
    await stage.served.ask(UNKNOWN, thread=thread)
    stage.script(ANSWER)
    await stage.served.ask("¿Y Gaspar?", thread=thread)
    await bad_models(stage, thread)
    await bad_requests(stage, thread)
    await bad_statements(stage, thread)
    await bad_lines(stage, thread)
    counted = await counters(stage)
    await a_kill(stage, thread)
    stage.script(LOOKS, ANSWER)
    await stage.served.ask(KNOWN, thread=thread)
    return counted + await counters(stage)


async def counters(stage: Stage) -> str:
    page = await stage.served.client.get("/metrics", headers={"Authorization": f"Bearer {METRICS_TOKEN}"})
    assert page.status_code == 200
    return page.text


async def bad_models(stage: Stage, thread: int) -> None:
    for reply in (
        quoted,
        lambda _: Response("<p>Eustaquio</p>", status_code=500),
        lambda _: stream(b"data: {Eustaquio\n\n"),
        lambda _: stream(b"data: ", cut=True),
        lambda _: JSONResponse({"choices": [{"message": {"content": None, "tool_calls": "Eustaquio"}}]}),
    ):
        stage.endpoint.script = reply
        await stage.served.post(KNOWN, thread=thread)
    stage.script(ANSWER)


async def bad_requests(stage: Stage, thread: int) -> None:
    client, door = stage.served.client, "/api/assistant/messages"
    await client.post(door, content=f'{{"text": "{KNOWN}", "thread_id": "Ibarrola"}}'.encode())
    await client.post(door, content=f'{{"text": "{KNOWN}\\u0000", "thread_id": {thread}}}'.encode())
    await client.post(door, content=f'{{"text": "{KNOWN}'.encode())
    await client.post(door, content=KNOWN.encode("utf-16"), headers={"Content-Type": "text/plain"})
    await client.post(door, json={"text": KNOWN, "thread_id": thread, "mentions": [{"start": 0, "end": 5, "kind": "Ibarrola", "id": 1}]})
    await client.post(door, json={"text": "Ibarrola " * 20_000})
    await client.get("/api/assistant/Ibarrola/83456789")
    await client.get(f"{door}?thread_id=Ibarrola")
    await client.get(door, headers={"Authorization": "Bearer Ibarrola.Otoniel.83456789"})


async def bad_statements(stage: Stage, thread: int) -> None:
    async with broken(stage, "crm.messages", "body"):
        stage.script(LOOKS, ANSWER)
        await stage.served.ask(KNOWN, thread=thread)
    async with broken(stage, "crm.name_forms", "form"):
        response = await stage.served.post(UNKNOWN, thread=thread)
    assert response.status_code >= 500
    assert len(response.json()["error_id"]) == 8


async def bad_lines(stage: Stage, thread: int) -> None:
    async with AsyncExitStack() as stack:
        await stage.lock(stack, "crm.messages")
        stage.script(LOOKS, ANSWER)
        asking = asyncio.create_task(stage.served.post(KNOWN, thread=thread))
        await stage.somebody_waits()
        stage.line.cut()
        await asking
    await stage.line.close()
    assert (await stage.served.post(KNOWN, thread=thread)).status_code == 503
    await stage.line.open()


async def a_kill(stage: Stage, thread: int) -> None:
    async with AsyncExitStack() as stack:
        stage.script(held(stack, ANSWER, after=3)[0])
        asking = asyncio.create_task(stage.served.post(KNOWN, thread=thread))
        await stage.model_is_asked(1)
        await stage.served.kill()
        await asyncio.gather(asking, return_exceptions=True)
    await stage.served.start()


@pytest.fixture(scope="module")
async def left_behind(stage: Stage, server: embedded.Server) -> dict[str, str]:
    """What a bad day leaves behind, by its place."""
    counters = await a_bad_day(stage)
    connection = await asyncpg.connect(server.dsn)
    data: str = await connection.fetchval("SHOW data_directory")
    await connection.close()
    return {
        "the server's output": stage.served.log.read_text(),
        "the counters": counters,
        "the log of Postgres": (Path(data).parent / "log").read_text(),
        "temporary files": "".join(f"{path.name} {path.read_bytes()!r}" for path in stage.served.temporary.rglob("*") if path.is_file()),
    }


@pytest.mark.parametrize("place", ["the server's output", "the counters", "the log of Postgres", "temporary files"])
async def test_nobody_is_found_in(left_behind: dict[str, str], place: str) -> None:
    assert not leaked(left_behind[place], (*EVERYBODY, *STRANGERS, *INVENTED))


async def test_the_servers_output_is_lines_of_json_that_tell_of_the_faults(left_behind: dict[str, str]) -> None:
    lines = [json.loads(line) for line in left_behind["the server's output"].splitlines()]
    events = {line["event"] for line in lines}
    assert {"turn_ended", "request_refused"} <= events
    assert 'velo_tool_call_seconds_count{status="failed"' in left_behind["the counters"]


@pytest.mark.usefixtures("left_behind")
async def test_nobody_is_found_in_a_table_of_ours(stage: Stage) -> None:
    tables = await stage.sql(
        "SELECT relname FROM pg_class WHERE relnamespace = 'velo'::regnamespace AND relkind IN ('r', 'p') ORDER BY relname"
    )
    read: dict[str, int] = {}
    for table in (row["relname"] for row in tables):
        for row in await stage.sql(f"SELECT * FROM velo.{table}"):
            written = table == "messages" and row["role"] in ("user", "assistant")
            for column, value in row.items():
                if not (written and column == "text"):
                    assert not leaked(as_text(value), (*EVERYBODY, *STRANGERS)), f"velo.{table}.{column}"
            read[table] = read.get(table, 0) + 1
    assert {"errors", "turn_events", "model_calls", "veiled_blocks", "turns", "tokens", "messages"} <= read.keys()


def as_text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False, default=str)


@pytest.mark.usefixtures("left_behind")
async def test_nobody_was_sent_to_the_model(stage: Stage) -> None:
    assert len(stage.endpoint.received) > 15
    assert not leaked(stage.endpoint.text, (*EVERYBODY, *STRANGERS))
