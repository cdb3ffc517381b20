"""Postgres goes away and comes back under a running server: one clear error at most, nothing lost, and no restart."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx2
import pytest

from db import embedded
from db.migrate import migrate
from db.pool import Database
from db.roles import logins
from tests.faults.aftermath import half_stored
from tests.faults.nursery import Nursery, lives
from tests.faults.served import Served, Told
from tests.faults.stage import Stage, drip, held
from tests.house import fill
from tests.model_endpoint import ModelEndpoint, calls, completion, serving
from tests.postgres import scratch

QUESTION = "¿Qué pasó con María López?"
ANSWER = completion({"role": "assistant", "content": "C-1 escribió ayer y nadie le ha contestado."})
SHOWN = "María López escribió ayer y nadie le ha contestado."


@pytest.fixture(autouse=True)
async def _line_is_open_again(stage: Stage) -> AsyncIterator[None]:
    stage.script(ANSWER)
    yield
    await stage.line.close()
    await stage.line.open()


async def test_while_postgres_is_down_each_door_says_so_and_stores_nothing(stage: Stage) -> None:
    thread = (await stage.served.ask(QUESTION))["thread_id"]
    await stage.line.close()
    asked = await stage.served.post(QUESTION, thread=thread)
    listed = await stage.served.client.get(f"/api/assistant/messages?thread_id={thread}")
    for response in (asked, listed):
        assert (response.status_code, response.headers["Content-Type"]) == (503, "application/problem+json")
        assert int(response.headers["Retry-After"]) > 0
        assert len(response.json()["error_id"]) == 8
    assert (await stage.served.client.get("/readyz")).status_code == 503
    assert (await stage.served.client.get("/livez")).status_code == 200
    await stage.line.open()
    assert (await stage.served.ask(QUESTION, thread=thread))["message"]["text"] == SHOWN
    assert len(await stage.sql("SELECT FROM velo.turns WHERE thread_id = $1", thread)) == 2


async def test_after_a_restart_of_postgres_the_first_requests_work(stage: Stage) -> None:
    threads = [answer["thread_id"] for answer in await asyncio.gather(*(stage.served.ask(QUESTION) for _ in range(5)))]
    stage.line.cut()
    responses = await asyncio.gather(*(stage.served.post(QUESTION, thread=thread) for thread in threads))
    assert [response.status_code for response in responses] == [200] * 5


async def test_an_answer_that_comes_while_postgres_is_away_is_stored_when_it_is_back(stage: Stage) -> None:
    async with AsyncExitStack() as stack:
        reply, gate = held(stack, ANSWER, after=3)
        stage.script(reply)
        asking = asyncio.create_task(stage.served.post(QUESTION))
        await stage.model_is_asked(1)
        await stage.line.close()
        gate.set()
        await asyncio.sleep(0.5)
        await stage.line.open()
        response = await asking
    assert (response.status_code, response.json()["message"]["text"]) == (200, SHOWN)


async def test_a_stream_goes_on_over_an_absence_of_postgres(stage: Stage) -> None:
    """Whoever is disconnected comes back behind what they have; nothing is told twice or left out."""
    thread = (await stage.served.ask(QUESTION))["thread_id"]
    told: list[Told] = []
    async with AsyncExitStack() as stack:
        gate = asyncio.Event()
        stack.callback(gate.set)
        stage.script(drip("C-1 escribió ayer y nadie le ha contestado.", gate=gate))
        with contextlib.suppress(httpx2.HTTPError):
            async with stage.served.asking(QUESTION, thread=thread) as events:
                async for event in events:
                    told.append(event)
                    if event.kind == "text.delta" and not gate.is_set():
                        await stage.line.close()
                        gate.set()
                        await stage.line.open()
    if not told[-1].kind.startswith("turn.d"):
        told += await stage.served.follow(told[0].data["turn_id"], after=told[-1].number)
    assert [event.number for event in told] == [*range(1, len(told) + 1)]
    assert "".join(event.data["text"] for event in told if event.kind == "text.delta").strip() == SHOWN
    assert told[-1].data["message"]["text"] == SHOWN


async def test_a_tool_that_loses_postgres_fails_and_the_turn_ends_with_an_answer_or_an_error_id(stage: Stage) -> None:
    thread = (await stage.served.ask(QUESTION))["thread_id"]
    async with AsyncExitStack() as stack:
        await stage.lock(stack, "crm.messages")
        stage.script(calls(("read_messages", {"contact": "C-1"})), ANSWER)
        asking = asyncio.create_task(stage.served.post(QUESTION, thread=thread))
        await stage.somebody_waits()
        stage.line.cut()
        response = await asking
    body: dict[str, Any] = response.json()
    assert response.status_code == 200 or (response.status_code == 502 and len(body["error_id"]) == 8), body
    stage.script(ANSWER)
    assert (await stage.served.ask(QUESTION, thread=thread))["message"]["text"] == SHOWN


async def test_nothing_is_half_stored(stage: Stage) -> None:
    await stage.served.ask(QUESTION)
    for name, statement in half_stored().items():
        assert not await stage.sql(statement), name


@pytest.fixture
async def data() -> AsyncIterator[Path]:
    """The data folder of an embedded Postgres that holds the house and does not run."""
    with scratch() as folder:
        server = embedded.start(folder / "data")
        await migrate(server.dsn, preset="demo")
        owner = await Database.open(logins(server.dsn).owner)
        await fill(owner)
        await owner.close()
        server.stop()
        yield folder / "data"


async def test_two_servers_share_the_embedded_postgres_and_outlive_its_and_each_others_end(
    data: Path, nursery: Nursery, tmp_path: Path
) -> None:
    endpoint = ModelEndpoint([ANSWER])
    async with serving(endpoint) as model:
        first, second = (Served(nursery, database=data, model=model, log=tmp_path / "log") for _ in range(2))
        await first.start()
        await second.start()
        thread = (await first.ask(QUESTION))["thread_id"]
        await first.kill()
        assert (await second.ask(QUESTION, thread=thread))["message"]["text"] == SHOWN
        os.kill(postgres_in(data), signal.SIGKILL)
        assert (await second.ask(QUESTION, thread=thread))["message"]["text"] == SHOWN
        async with AsyncExitStack() as stack:
            endpoint.script = [held(stack, ANSWER, after=3)[0], ANSWER]
            endpoint.used = 0
            asking = asyncio.create_task(second.post(QUESTION, thread=thread))
            while not endpoint.used:  # noqa: ASYNC110 - another process is waited for
                await asyncio.sleep(0.01)
            os.kill(postgres_in(data), signal.SIGKILL)
        assert (await asking).json()["message"]["text"] == SHOWN
        await first.start()
        await second.stop()
        assert (await first.ask(QUESTION, thread=thread))["message"]["text"] == SHOWN
        last = postgres_in(data)
        messages = await first.messages(thread)
        await first.stop()
        assert [message["role"] for message in messages] == ["user", "assistant"] * 5
        while lives(last):  # noqa: ASYNC110 - it is no child of ours
            await asyncio.sleep(0.01)
        for served in (first, second):
            await served.client.aclose()


def postgres_in(data: Path) -> int:
    return int((data / "cluster/postmaster.pid").read_text().split("\n")[0])
