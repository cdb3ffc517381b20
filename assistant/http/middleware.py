"""What happens around every request, as plain ASGI: streams pass through untouched."""

import secrets
from collections.abc import Callable
from time import perf_counter
from urllib.parse import urlsplit

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assistant.http.errors import new_error_id, problem
from assistant.metrics import Metrics
from assistant.settings import is_loopback
from assistant.shutdown import RETRY_AFTER

#: What starts something that runs on: refused once the server is about to stop. Everything else is answered to the end.
_STARTS = frozenset({("POST", "/api/assistant/messages")})


class RequestId:
    """Gives each request an id of our own making (a client's could be a customer's name) and binds it to the log."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = secrets.token_hex(8)

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["X-Request-ID"] = request_id
                headers["X-Content-Type-Options"] = "nosniff"
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=request_id):
            await self._app(scope, receive, marked)


class Counted:
    """Counts every request by the route that it met, until its last byte."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status = perf_counter(), 0

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noted)
        finally:
            route = getattr(scope.get("route"), "path", "none")
            self._metrics.request_served(scope["method"], route, status, perf_counter() - started)


class Draining:
    """Refuses new questions once the server is about to stop."""

    def __init__(self, app: ASGIApp, draining: Callable[[], bool]) -> None:
        self._app = app
        self._draining = draining

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or (scope["method"], scope["path"]) not in _STARTS or not self._draining():
            await self._app(scope, receive, send)
            return
        refusal = problem(
            status=503,
            code="unavailable",
            title="Not available now",
            detail="Velo is being restarted. Ask again in a moment.",
            error_id=new_error_id(),
            headers={"Retry-After": str(RETRY_AFTER)},
        )
        await refusal(scope, receive, send)


class LoopbackHost:
    """Answers to names of this machine only, so that no web page can reach the demo through a name of its own."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or _names_this_machine(Headers(scope=scope).getlist("host")):
            await self._app(scope, receive, send)
            return
        refusal = problem(
            status=421,
            code="wrong_host",
            title="The demo answers on this machine only",
            detail="Use http://127.0.0.1 or http://localhost in the address.",
            error_id=new_error_id(),
        )
        await refusal(scope, receive, send)


def _names_this_machine(hosts: list[str]) -> bool:
    if len(hosts) != 1:
        return False
    try:
        name = urlsplit(f"//{hosts[0]}").hostname
    except ValueError:
        return False
    return name is not None and "@" not in hosts[0] and is_loopback(name)
