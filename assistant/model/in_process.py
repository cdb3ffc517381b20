"""The way to an ASGI application in this process, without a network: what the application sends is read as it sends it.

httpx2's own ``ASGITransport`` gives the whole body at once when the application has ended, so nothing streams through it.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from typing import Any, NoReturn

import httpx2

Event = MutableMapping[str, Any]
ASGIApplication = Callable[[Event, Callable[[], Awaitable[Event]], Callable[[Event], Awaitable[None]]], Awaitable[None]]


class InProcess(httpx2.AsyncBaseTransport):
    """A transport to an application, which is ended when the response is closed; what it raises, in or after it, reaches whoever reads it."""

    def __init__(self, application: ASGIApplication) -> None:
        self._application = application

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        exchange = _Exchange(await request.aread())
        exchange.start(self._application, _scope(request))
        try:
            start = await exchange.sent() or _broken()
        except BaseException:
            await exchange.aclose()
            raise
        return httpx2.Response(start["status"], headers=start.get("headers", []), stream=exchange)


class _Exchange(httpx2.AsyncByteStream):
    """One request and what is sent in answer; the application waits until each piece is taken."""

    def __init__(self, body: bytes) -> None:
        self._request: Event | None = {"type": "http.request", "body": body, "more_body": False}
        self._sent: asyncio.Queue[Event | Exception | None] = asyncio.Queue(1)

    def start(self, application: ASGIApplication, scope: Event) -> None:
        self._task = asyncio.create_task(self._run(application, scope))

    async def sent(self) -> Event | None:
        """What the application sent next, ``None`` once it has ended; raises what it ended with."""
        event = await self._sent.get()
        if isinstance(event, Exception):
            raise event
        return event

    async def __aiter__(self) -> AsyncIterator[bytes]:
        more = True
        while event := await self.sent():
            more = event.get("more_body", False)
            if piece := event.get("body", b""):
                yield piece
        if more:
            _broken()

    async def aclose(self) -> None:
        self._task.cancel()
        await asyncio.wait([self._task])

    async def _run(self, application: ASGIApplication, scope: Event) -> None:
        ending = None
        try:
            await application(scope, self._receive, self._sent.put)
        except Exception as error:  # it is raised where the response is read
            ending = error
        await self._sent.put(ending)

    async def _receive(self) -> Event:
        """The request, then nothing: who leaves ends the application."""
        if self._request is None:
            await asyncio.Event().wait()
        event, self._request = self._request, None
        return event or {"type": "http.disconnect"}


def _broken() -> NoReturn:
    raise httpx2.RemoteProtocolError("the application ended before its response did")


def _scope(request: httpx2.Request) -> Event:
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": request.url.scheme,
        "path": request.url.path,
        "raw_path": request.url.raw_path.partition(b"?")[0],
        "query_string": request.url.query,
        "root_path": "",
        "headers": [(name.lower(), value) for name, value in request.headers.raw],
        "server": (request.url.host, request.url.port),
        "client": ("127.0.0.1", 0),
    }
