"""Asks as a client over HTTP does, on one connection that is kept; so little of it that hardly anything of what is measured is its own."""

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import urlsplit

_MESSAGES = "/api/assistant/messages"


@dataclass(frozen=True, slots=True)
class Heard:
    """One event of a stream, and when it came, by ``time.perf_counter``."""

    at: float
    kind: str
    data: Mapping[str, Any]


class Door:
    """One member's connection to a server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str, token: str) -> None:
        self._reader = reader
        self._writer = writer
        self._host = host
        self._token = token

    @classmethod
    @asynccontextmanager
    async def to(cls, url: str, token: str) -> AsyncIterator[Self]:
        """A connection, closed at the end."""
        where = urlsplit(url)
        reader, writer = await asyncio.open_connection(where.hostname, where.port, limit=2**20)
        try:
            yield cls(reader, writer, where.netloc, token)
        finally:
            writer.close()

    async def ask(self, text: str, thread: int | None) -> dict[str, Any]:
        """A question and its answer; raises ``RuntimeError`` with the status when there is none."""
        status, _, body = await self._whole("POST", _MESSAGES, {"text": text, "thread_id": thread})
        answer: dict[str, Any] = json.loads(body)
        if status != 200:
            raise RuntimeError(f"{status}: {answer.get('code')} {answer.get('title')}")
        return answer

    async def status_of(self, path: str) -> int:
        """The status of a GET."""
        return (await self._whole("GET", path, None))[0]

    async def stream(self, text: str, thread: int | None) -> AsyncIterator[Heard]:
        """The events of a question's turn, as they come."""
        status, headers = await self._send("POST", _MESSAGES, {"text": text, "thread_id": thread}, accept="text/event-stream")
        if status != 200:
            raise RuntimeError(f"{status}: no stream")
        rest = b""
        async for piece in self._pieces(headers):
            at = time.perf_counter()
            *events, rest = (rest + piece).split(b"\n\n")
            for event in events:
                fields = dict(line.split(": ", 1) for line in event.decode().splitlines() if line and line[0] != ":")
                if "data" in fields:
                    yield Heard(at, fields["event"], json.loads(fields["data"]))

    async def _whole(self, method: str, path: str, body: Mapping[str, Any] | None) -> tuple[int, str, bytes]:
        status, headers = await self._send(method, path, body, accept="application/json")
        return status, headers, b"".join([piece async for piece in self._pieces(headers)])

    async def _send(self, method: str, path: str, body: Mapping[str, Any] | None, *, accept: str) -> tuple[int, str]:
        sent = b"" if body is None else json.dumps(body).encode()
        self._writer.write(
            f"{method} {path} HTTP/1.1\r\nHost: {self._host}\r\nAuthorization: Bearer {self._token}\r\nAccept: {accept}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n\r\n".encode()
            + sent
        )
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode().lower()
        return int(head.split(" ", 2)[1]), head

    async def _pieces(self, headers: str) -> AsyncIterator[bytes]:
        """The body as it comes, piece by piece."""
        length = re.search(r"content-length: *(\d+)", headers)
        if length:
            yield await self._reader.readexactly(int(length[1]))
            return
        while size := int(await self._reader.readuntil(b"\r\n"), 16):
            yield await self._reader.readexactly(size)
            await self._reader.readexactly(2)
        await self._reader.readexactly(2)
