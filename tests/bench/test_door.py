"""The client of the benchmarks reads what servers send, however it is cut."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from bench.door import Door

STREAM = b'id: 1\nevent: turn.started\ndata: {"seq":1}\n\n: ping\n\nid: 2\nevent: text.delta\ndata: {"text":"\xc3\xa1 b"}\n\n'


@asynccontextmanager
async def saying(*pieces: bytes) -> AsyncIterator[str]:
    """A server that says this to every request, piece by piece."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]))
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()


def chunked(body: bytes, size: int) -> list[bytes]:
    cut = [body[start : start + size] for start in range(0, len(body), size)]
    return [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", *(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in cut), b"0\r\n\r\n"]


async def test_an_answer_of_a_known_length():
    async with saying(b"HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n", b'{"thread', b'_id": 4}') as url, Door.to(url, "t") as door:
        assert await door.ask("hello", None) == {"thread_id": 4}


async def test_a_refusal_is_told_by_its_status_and_code():
    body = b'{"code":"busy","title":"Busy"}'
    async with saying(b"HTTP/1.1 409 Conflict\r\nContent-Length: %d\r\n\r\n" % len(body), body) as url, Door.to(url, "t") as door:
        with pytest.raises(RuntimeError, match="409: busy Busy"):
            await door.ask("hello", None)


@pytest.mark.parametrize("size", [1, 7, 1000])
async def test_a_stream_is_its_events_however_it_is_cut(size: int):
    async with saying(*chunked(STREAM, size)) as url, Door.to(url, "t") as door:
        heard = [(event.kind, event.data) async for event in door.stream("hello", 3)]
    assert heard == [("turn.started", {"seq": 1}), ("text.delta", {"text": "á b"})]


async def test_a_stream_that_is_refused_is_an_error():
    async with saying(b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n") as url, Door.to(url, "t") as door:
        with pytest.raises(RuntimeError, match="401"):
            [event async for event in door.stream("hello", None)]
