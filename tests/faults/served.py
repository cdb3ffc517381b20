"""A real server as a process: started, asked over HTTP, killed in the middle of something, started again on the same port."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import socket
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from assistant.http.auth import sign
from tests.faults.nursery import Nursery, lives, send

SECRET = "c81f4d0a6b2e9357" * 4
METRICS_TOKEN = "0d9b5e72f1a84c36" * 2
_PATIENCE = 60.0


@dataclass(frozen=True)
class Told:
    """One event of a turn, as a client reads it off the wire."""

    number: int
    kind: str
    data: Mapping[str, Any]


class Served:
    """One `velo serve` out of a nursery; what it says is kept in a file."""

    def __init__(self, nursery: Nursery, *, database: str | Path, model: str, log: Path, member: int = 1) -> None:
        """``database`` is the administrator's DSN, or the data folder of an embedded Postgres."""
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        self.pid = 0
        self.log = log
        self._over = (database, model, member)
        self.temporary = log.parent / f"temporary-{port}"
        self.temporary.mkdir()
        self._nursery = nursery
        self._environment = {
            "VELO_PORT": str(port),
            "VELO_JWT_SECRET": SECRET,
            "VELO_METRICS_TOKEN": METRICS_TOKEN,
            "VELO_MODEL": "scripted",
            "TMPDIR": str(self.temporary),
            "OPENAI_BASE_URL": model,
            "DATABASE_URL" if isinstance(database, str) else "VELO_DATA_DIR": str(database),
        }
        signed = sign(SECRET, tenant_id=1, member_id=member, now=time.time())
        self.client = httpx2.AsyncClient(
            base_url=f"http://127.0.0.1:{port}", headers={"Authorization": f"Bearer {signed}"}, timeout=_PATIENCE
        )

    def twin(self, nursery: Nursery, log: Path) -> Served:
        """Another server over the same database and model."""
        database, model, member = self._over
        return Served(nursery, database=database, model=model, log=log, member=member)

    async def start(self) -> None:
        """Starts it and waits until it is ready."""
        self.pid = self._nursery.serve(self._environment, self.log)
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline and lives(self.pid):
            with contextlib.suppress(httpx2.HTTPError):
                if (await self.client.get("/readyz")).status_code == 200:
                    return
            await asyncio.sleep(0.02)
        raise AssertionError(f"the server did not start: {self.log.read_text()[-2000:]}")

    async def kill(self) -> None:
        """kill -9."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> None:
        """SIGTERM, and until it has ended."""
        await self._end(signal.SIGTERM)

    async def close(self) -> None:
        """Ends it, whatever state it is in."""
        await self.kill()
        await self.client.aclose()

    async def _end(self, number: signal.Signals) -> None:
        send(self.pid, number)
        while lives(self.pid):  # noqa: ASYNC110 - it is no child of ours
            await asyncio.sleep(0.005)

    async def post(self, text: str, *, thread: int | None = None, key: str | None = None) -> httpx2.Response:
        """A question, and whatever the answer is."""
        body = {"text": text, **({"thread_id": thread} if thread is not None else {})}
        headers = {"Idempotency-Key": key} if key is not None else {}
        return await self.client.post("/api/assistant/messages", json=body, headers=headers)

    async def ask(self, text: str, *, thread: int | None = None, patience: float = 30.0) -> dict[str, Any]:
        """A question to its answer; a thread that is busy or a server that asks to wait is asked again."""
        deadline = time.monotonic() + patience
        while True:
            response = await self.post(text, thread=thread)
            if response.status_code not in (409, 503) or time.monotonic() > deadline:
                assert response.status_code == 200, response.text
                answered: dict[str, Any] = response.json()
                return answered
            await asyncio.sleep(0.1)

    async def messages(self, thread: int) -> list[dict[str, Any]]:
        """The thread as its member sees it."""
        response = await self.client.get(f"/api/assistant/messages?thread_id={thread}")
        assert response.status_code == 200, response.text
        listed: list[dict[str, Any]] = response.json()["messages"]
        return listed

    @asynccontextmanager
    async def asking(self, text: str, *, thread: int) -> AsyncIterator[AsyncIterator[Told]]:
        """A question whose events are read as they come."""
        request = self.client.stream(
            "POST",
            "/api/assistant/messages",
            json={"text": text, "thread_id": thread},
            headers={"Accept": "text/event-stream"},
        )
        async with request as response:
            yield _told(response)

    async def follow(self, turn: int, *, after: int = 0) -> list[Told]:
        """The events of a turn behind a number, to the last one."""
        headers = {"Accept": "text/event-stream", "Last-Event-ID": str(after)}
        async with self.client.stream("GET", f"/api/assistant/turns/{turn}/events", headers=headers) as response:
            assert response.status_code == 200, await response.aread()
            return [event async for event in _told(response)]


async def _told(response: httpx2.Response) -> AsyncIterator[Told]:
    event: dict[str, str] = {}
    async for line in response.aiter_lines():
        name, _, value = line.partition(": ")
        if name:
            event[name] = value
        elif not line and "data" in event:
            yield Told(int(event["id"]), event["event"], json.loads(event["data"]))
            event = {}
