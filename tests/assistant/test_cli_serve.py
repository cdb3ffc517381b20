"""``velo demo`` and ``velo serve`` as people run them: a process, a port, a Postgres, and nothing left when it ends."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import httpx2
import psutil
import pytest

from assistant.http.auth import sign
from db.embedded import Server
from tests.assistant.conftest import SECRET, CloneDatabase
from tests.model_endpoint import DONE, ModelEndpoint, Stream, chunk, serving, stream
from tests.postgres import execute


@pytest.fixture
def environment() -> Iterator[dict[str, str]]:
    """A data folder of its own, where the account of the embedded Postgres can reach it, and a free port."""
    folder = Path(tempfile.mkdtemp(prefix="velo-test-", dir="/var/tmp"))
    folder.chmod(0o755)
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    yield {**os.environ, "VELO_DATA_DIR": str(folder), "VELO_PORT": str(port)}
    shutil.rmtree(folder)


def velo(*arguments: str, environment: dict[str, str]) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "assistant", *arguments]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def output(*arguments: str, environment: dict[str, str]) -> str:
    """What a command that ends well prints."""
    process = velo(*arguments, environment=environment)
    printed, complaint = process.communicate(timeout=60)
    assert (process.returncode, complaint) == (0, "")
    return printed.strip()


def wait_until_ready(url: str, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if httpx2.get(f"{url}/readyz").status_code == 200:
                return
        except httpx2.HTTPError:
            time.sleep(0.1)
    raise AssertionError(process.communicate(timeout=5))


def stop(process: subprocess.Popen[str]) -> tuple[str, str]:
    process.send_signal(signal.SIGTERM)
    return process.communicate(timeout=30)


def test_the_demo_starts_answers_and_leaves_nothing_behind(environment: dict[str, str]) -> None:
    url = f"http://127.0.0.1:{environment['VELO_PORT']}"
    demo = velo("demo", environment=environment)
    try:
        wait_until_ready(url, demo)
        children = psutil.Process(demo.pid).children(recursive=True)
        token = output("token", "--tenant", "1", "--member", "1", environment=environment)
        response = httpx2.post(
            f"{url}/api/assistant/messages",
            json={"text": "¿qué pasó con María López?"},
            headers={"Authorization": f"Bearer {token}"},
            timeout=30,
        )
        dsn = output("db", "url", environment=environment)
        taken = velo("demo", environment=environment)
        _, refusal = taken.communicate(timeout=30)
    finally:
        printed, logged = stop(demo)
    assert demo.returncode == 0
    assert "María López" in response.json()["message"]["text"]
    assert dsn.startswith("postgresql://velo_owner:")
    assert (taken.returncode, refusal.count("\n")) == (1, 1)
    assert "VELO_PORT" in refusal
    assert "NOT a language model" in printed
    assert f"curl -s {url}/api/assistant/messages" in printed
    assert f"Open {url}/ in a browser" in printed
    assert all(isinstance(json.loads(line), dict) for line in logged.splitlines())
    assert "María" not in logged
    assert children
    assert not any(child.is_running() and child.status() != psutil.STATUS_ZOMBIE for child in children)


async def test_serve_asks_the_model_it_was_told_to(admin_dsn: str, environment: dict[str, str]) -> None:
    endpoint = ModelEndpoint(["Todo bien."])
    async with serving(endpoint) as base_url:
        environment |= {
            "DATABASE_URL": admin_dsn,
            "VELO_JWT_SECRET": SECRET,
            "OPENAI_BASE_URL": base_url,
            "VELO_MODEL": "some-model",
        }
        output("seed", "--contacts", "40", environment=environment)
        server = velo("serve", environment=environment)
        url = f"http://127.0.0.1:{environment['VELO_PORT']}"
        try:
            wait_until_ready(url, server)
            token = output("token", "--tenant", "1", "--member", "1", environment=environment)
            async with httpx2.AsyncClient(timeout=30) as client:
                response = await client.post(
                    f"{url}/api/assistant/messages",
                    json={"text": "¿qué pasó con María López?"},
                    headers={"Authorization": f"Bearer {token}"},
                )
        finally:
            stop(server)
    assert response.json()["message"]["text"] == "Todo bien."
    assert endpoint.received[0].json["model"] == "some-model"
    assert "María" not in endpoint.text
    assert server.returncode == 0


@dataclass
class Busy:
    """A server that answers a question whose model has said half of it."""

    process: subprocess.Popen[str]
    client: httpx2.AsyncClient
    script: Stream
    gate: asyncio.Event
    events: asyncio.Task[list[str]]  # all kinds of events, once the stream has ended

    def told(self) -> None:
        self.process.send_signal(signal.SIGTERM)

    async def state(self) -> str:
        """What the server says of itself, once it has heard."""
        for _ in range(500):
            response = await self.client.get("/readyz")
            if response.status_code != 200:
                break
            await asyncio.sleep(0.01)
        state: str = response.json()["status"]
        return state

    async def ended(self) -> tuple[int, str]:
        """The exit code and what was logged."""
        _, logged = await asyncio.to_thread(self.process.communicate, timeout=60)
        return self.process.returncode, logged


@pytest.fixture
async def demo_copy(demo_dsn: str, server: Server, clone_database: CloneDatabase) -> AsyncIterator[str]:
    """The superuser's DSN of a copy of the demo that only this test has."""
    dsn = await clone_database(urlsplit(demo_dsn).path[1:])
    yield dsn
    await execute(server.dsn, f'DROP DATABASE "{urlsplit(dsn).path[1:]}" WITH (FORCE)')


@pytest.fixture
async def busy(demo_copy: str, environment: dict[str, str], grace: int) -> AsyncIterator[Busy]:
    gate = asyncio.Event()
    script = stream(chunk("Un momento, "), gate, chunk("todo bien."), chunk(finish="stop"), DONE)
    async with serving(ModelEndpoint(lambda body: script)) as base_url:
        environment |= {"DATABASE_URL": demo_copy, "VELO_JWT_SECRET": SECRET, "OPENAI_BASE_URL": base_url, "VELO_GRACE": str(grace)}
        token = sign(SECRET, tenant_id=1, member_id=1, now=time.time())
        process = velo("serve", environment=environment)
        url = f"http://127.0.0.1:{environment['VELO_PORT']}"
        await asyncio.to_thread(wait_until_ready, url, process)
        async with httpx2.AsyncClient(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=60) as client:
            heard = asyncio.Event()
            events = asyncio.create_task(followed(client, heard))
            await heard.wait()
            yield Busy(process, client, script, gate, events)
        process.kill()
        await asyncio.to_thread(process.wait)


async def followed(client: httpx2.AsyncClient, heard: asyncio.Event) -> list[str]:
    """Asks, and follows the answer to its end; ``heard`` is set with the first text."""
    kinds = []
    body, headers = {"text": "hola"}, {"Accept": "text/event-stream"}
    async with client.stream("POST", "/api/assistant/messages", json=body, headers=headers) as response:
        async for line in response.aiter_lines():
            if line.startswith("event: "):
                kinds.append(line.removeprefix("event: "))
            if kinds[-1:] == ["text.delta"]:
                heard.set()
    return kinds


async def state_of_the_turn(dsn: str) -> str:
    """How the last turn stands in the database."""
    connection = await asyncpg.connect(dsn)
    try:
        state: str = await connection.fetchval("SELECT state FROM velo.turns ORDER BY created_at DESC LIMIT 1")
    finally:
        await connection.close()
    return state


@pytest.mark.parametrize("grace", [600])
async def test_a_server_told_to_stop_says_so_takes_nothing_new_and_ends_what_runs(busy: Busy, demo_copy: str) -> None:
    busy.told()
    assert await busy.state() == "draining"
    refused = await busy.client.post("/api/assistant/messages", json={"text": "hola"})
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "5")
    busy.gate.set()
    assert (await busy.events)[-1] == "turn.done"
    code, logged = await busy.ended()
    assert code == 0
    assert await state_of_the_turn(demo_copy) == "done"
    lines = [json.loads(line) for line in logged.splitlines()]
    (ended,) = [line for line in lines if line["event"] == "turn_ended"]
    assert ended.items() >= {"state": "done", "tenant_id": 1, "member_id": 1}.items()
    assert ended.keys() >= {"request_id", "thread_id", "turn_id", "ms", "calls", "tokens_in", "tokens_out"}
    assert "shutdown_begun" in {line["event"] for line in lines}


@pytest.mark.parametrize("grace", [0])
async def test_what_does_not_end_in_time_is_interrupted_and_told(busy: Busy, demo_copy: str) -> None:
    busy.told()
    kinds = await busy.events
    assert kinds[-1] in {"turn.stopped", "turn.failed"}
    await asyncio.wait_for(busy.script.left.wait(), 30)
    assert (await busy.ended())[0] == 0
    assert await state_of_the_turn(demo_copy) == "interrupted"


@pytest.mark.parametrize("grace", [600])
async def test_told_twice_a_server_waits_for_nobody(busy: Busy, demo_copy: str) -> None:
    busy.told()
    assert await busy.state() == "draining"
    busy.told()
    await busy.events
    assert (await busy.ended())[0] == 0
    assert await state_of_the_turn(demo_copy) == "interrupted"
