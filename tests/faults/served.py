"""A real server as a process: started, asked over HTTP, killed in the middle of something, started again on the same port."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from assistant.http.auth import sign

SECRET = "c81f4d0a6b2e9357" * 4
_READY_SECONDS = 60.0


@dataclass(frozen=True)
class Told:
    """One event of a turn, as a client reads it off the wire."""

    number: int
    kind: str
    data: Mapping[str, Any]


class Served:
    """One `velo serve`; what it says is kept in a file."""

    def __init__(self, *, database: str | None, model: str, log: Path, folder: Path | None = None, member: int = 1) -> None:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self.log = log
        self._environment = {
            **os.environ,
            "VELO_PORT": str(port),
            "VELO_JWT_SECRET": SECRET,
            "OPENAI_BASE_URL": model,
            "VELO_MODEL": "scripted",
            **({"DATABASE_URL": database} if database is not None else {}),
            **({"VELO_DATA_DIR": str(folder)} if folder is not None else {}),
        }
        self._process: subprocess.Popen[bytes] | None = None
        signed = sign(SECRET, tenant_id=1, member_id=member, now=time.time())
        self.client = httpx2.AsyncClient(base_url=self.url, headers={"Authorization": f"Bearer {signed}"}, timeout=60)

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def run(self, *arguments: str) -> None:
        """A command of velo in the server's environment."""
        done = subprocess.run([sys.executable, "-m", "assistant", *arguments], env=self._environment, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr

    async def start(self) -> None:
        """Starts it and waits until it is ready."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "assistant", "serve"], env=self._environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL
            )
        deadline = time.monotonic() + _READY_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                if (await self.client.get("/readyz")).status_code == 200:
                    return
            except httpx2.HTTPError:
                await asyncio.sleep(0.02)
        raise AssertionError(f"the server did not start: {self.log.read_text()[-2000:]}")

    async def kill(self) -> None:
        """kill -9."""
        assert self._process is not None
        self._process.kill()
        await asyncio.to_thread(self._process.wait)

    async def stop(self) -> int:
        """SIGTERM; gives the exit code."""
        assert self._process is not None
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        return await asyncio.to_thread(self._process.wait, 60)

    async def close(self) -> None:
        """Ends it, whatever state it is in."""
        if self._process is not None and self._process.poll() is None:
            await self.kill()
        await self.client.aclose()

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
