"""A model that answers at once, on a port: what a turn takes beside it is Velo's own. It speaks as much HTTP as the client needs, and no more,
so that its own share stays small.

It reads the messages of the person last asked about, then says one sentence about them; or, once ``steady`` is set, speaks in pieces at an
even pace.
"""

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

_TOKEN = re.compile(r"\bC-\d+\b")
_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\n%s\r\n"
#: What a server says last, with what it counted.
_USAGE = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}


@dataclass(frozen=True, slots=True)
class Steady:
    """An answer of so many pieces, one every so many seconds, begun when so many answers are to be given."""

    pieces: int
    every: float
    together: int = 1


class Instant:
    """The endpoint's mind. ``said_at`` is when the last answer's first words went out, by ``time.perf_counter``; ``all_here`` is set once as many
    answers as wait for one another are there.
    """

    def __init__(self) -> None:
        self.steady: Steady | None = None
        self.said_at = 0.0
        self.calls = 0
        self._waiting = 0
        self.all_here = asyncio.Event()

    def pace(self, steady: Steady) -> None:
        """How the next answers are spoken."""
        self.steady = steady
        self._waiting = 0
        self.all_here.clear()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, request after request."""
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                found = re.search(rb"(?i)content-length: *(\d+)", head)
                body = await reader.readexactly(int(found[1]) if found else 0)
                await self._answer(json.loads(body or b"{}"), writer)
        writer.close()

    async def _answer(self, request: Mapping[str, Any], writer: asyncio.StreamWriter) -> None:
        self.calls += 1
        message = reply(request)
        if not request.get("stream"):
            whole = {"choices": [{"index": 0, "message": message, "finish_reason": _finish(message)}], "usage": _USAGE}
            body = json.dumps(whole).encode()
            writer.write(_HEAD % (b"application/json", b"Content-Length: %d\r\n" % len(body)) + body)
            await writer.drain()
            return
        writer.write(_HEAD % (b"text/event-stream", b"Transfer-Encoding: chunked\r\n"))
        if self.steady is not None and "tool_calls" not in message:
            await self._speak(self.steady, message["content"], writer)
        else:
            self.said_at = time.perf_counter()
            writer.write(_event({"role": "assistant", **message}))
        writer.write(_event({}, finish=_finish(message)) + _chunk(b'data: {"choices":[],"usage":%s}\n\n' % json.dumps(_USAGE).encode()))
        writer.write(_chunk(b"data: [DONE]\n\n") + b"0\r\n\r\n")
        await writer.drain()

    async def _speak(self, pace: Steady, text: str, writer: asyncio.StreamWriter) -> None:
        self._waiting += 1
        if self._waiting >= pace.together:
            self.all_here.set()
        await self.all_here.wait()
        begun = time.perf_counter()
        for number in range(pace.pieces):
            await asyncio.sleep(max(0.0, begun + number * pace.every - time.perf_counter()))
            if number == 0:
                self.said_at = time.perf_counter()
            writer.write(_event({"content": f"{text} " if number == 0 else f"y van {number} mensajes; "}))
            await writer.drain()


def reply(request: Mapping[str, Any]) -> dict[str, Any]:
    """A call for a question about somebody, a sentence for anything else."""
    messages: Sequence[Mapping[str, Any]] = request.get("messages", ())
    person = next(_people(messages), None)
    if person is None:
        return {"content": "No sé de quién se trata."}
    if messages[-1]["role"] == "user":
        arguments = json.dumps({"contact": person})
        call = {"index": 0, "id": "call_1", "type": "function", "function": {"name": "read_messages", "arguments": arguments}}
        return {"content": None, "tool_calls": [call]}
    return {"content": f"{person} escribió hace poco; su teléfono es {person}.phone."}


def _people(messages: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The people of whom the members asked, the last one first."""
    for message in reversed(messages):
        if message["role"] == "user":
            yield from reversed(_TOKEN.findall(str(message["content"])))


def _finish(message: Mapping[str, Any]) -> str:
    return "tool_calls" if "tool_calls" in message else "stop"


def _event(delta: Mapping[str, Any], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return _chunk(b"data: " + json.dumps({"choices": [choice]}).encode() + b"\n\n")


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


@asynccontextmanager
async def answering(model: Instant) -> AsyncIterator[str]:
    """The endpoint on a free port of this machine; gives its base URL."""
    server = await asyncio.start_server(model.serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    finally:
        server.close()
