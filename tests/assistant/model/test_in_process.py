"""The way to an application in this process: as a network would be, only shorter."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2
import pytest

from assistant.model.in_process import Event, InProcess

PIECES = ("uno", "dos", "tres")


class Application:
    """Sends its pieces one by one and notes how far it came and how it ended."""

    def __init__(self, *, fails_at: int | None = None, last: bool = True) -> None:
        self.fails_at = fails_at
        self.last = last
        self.sent: list[str] = []
        self.ended = asyncio.Event()
        self.scope: Event = {}
        self.body: Any = None

    async def __call__(self, scope: Event, receive: Any, send: Any) -> None:
        self.scope, self.body = scope, (await receive())["body"]
        try:
            if self.fails_at == -1:
                raise LookupError("a bug")
            await send({"type": "http.response.start", "status": 201, "headers": [(b"x-said", b"yes")]})
            for number, piece in enumerate(PIECES):
                if self.fails_at == number:
                    raise LookupError("a bug")
                await send({"type": "http.response.body", "body": piece.encode(), "more_body": True})
                self.sent.append(piece)
            if self.last:
                await send({"type": "http.response.body"})
            if self.fails_at == len(PIECES):
                raise LookupError("a bug")
        finally:
            self.ended.set()


def client_of(application: Any) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(transport=InProcess(application), base_url="http://model.test")


async def test_pieces_come_as_they_are_sent_and_the_sender_waits_for_the_reader() -> None:
    application = Application()
    async with client_of(application) as client, client.stream("POST", "/v1/x?a=%C3%B1", content=b"hola") as response:
        assert (response.status_code, response.headers["x-said"]) == (201, "yes")
        pieces: list[str] = []
        async for piece in response.aiter_raw():
            assert len(application.sent) <= len(pieces) + 2
            pieces.append(piece.decode())
    assert pieces == list(PIECES)
    assert application.body == b"hola"
    assert (application.scope["path"], application.scope["raw_path"], application.scope["query_string"]) == ("/v1/x", b"/v1/x", b"a=%C3%B1")


async def test_who_leaves_ends_the_application() -> None:
    application = Application()
    async with client_of(application) as client, client.stream("POST", "/"):
        pass
    assert application.ended.is_set()
    assert application.sent != list(PIECES)


async def test_who_leaves_before_the_response_ends_the_application() -> None:
    ended, asked = asyncio.Event(), asyncio.Event()

    async def application(scope: Event, receive: Any, send: Any) -> None:
        try:
            await receive()
            asked.set()
            await receive()
        finally:
            ended.set()

    async with client_of(application) as client:
        task = asyncio.create_task(client.post("/"))
        await asked.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert ended.is_set()


@pytest.mark.parametrize("fails_at", [-1, 0, 2, 3], ids=["before", "at once", "between", "after"])
async def test_what_the_application_raises_reaches_the_reader(fails_at: int) -> None:
    async with client_of(Application(fails_at=fails_at)) as client:
        with pytest.raises(LookupError, match="a bug"):
            await client.post("/")


async def silent(scope: Event, receive: Any, send: Any) -> None:
    await receive()


@pytest.mark.parametrize("application", [silent, Application(last=False)], ids=["never begun", "never ended"])
async def test_a_response_that_does_not_end_is_a_broken_one(application: Any) -> None:
    async with client_of(application) as client:
        with pytest.raises(httpx2.RemoteProtocolError):
            await client.post("/")
