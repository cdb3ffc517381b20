"""The HTTP door as one application: the table of routes, and what stands around them."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from assistant.http import members, messages, threads, turns
from assistant.http.auth import Authenticator
from assistant.http.endpoint import Endpoint
from assistant.http.errors import HANDLERS, LastResort
from assistant.http.health import Health
from assistant.http.metrics import MetricsPage
from assistant.http.middleware import Counted, Draining, LoopbackHost, RequestId
from assistant.http.openapi import document
from assistant.http.port import Turns
from assistant.metrics import Metrics

#: What is served; other modules name it without importing the framework.
Application: TypeAlias = Starlette

ENDPOINTS = (
    Endpoint("GET", "/api/assistant/member", members.shown),
    Endpoint("POST", "/api/assistant/messages", messages.ask),
    Endpoint("GET", "/api/assistant/messages", messages.listed),
    Endpoint("GET", "/api/assistant/threads", threads.listed),
    Endpoint("POST", "/api/assistant/threads", threads.opened),
    Endpoint("GET", "/api/assistant/turns/{turn_id:int}/events", turns.followed),
    Endpoint("GET", "/api/assistant/turns/{turn_id:int}/veiled", turns.veiled),
    Endpoint("POST", "/api/assistant/turns/{turn_id:int}/stop", turns.stopped),
)


def application(
    *,
    turns: Turns,
    authenticator: Authenticator,
    health: Health,
    loopback_only: bool,
    metrics: MetricsPage | None = None,
    draining: Callable[[], bool] = lambda: False,
    pages: Sequence[BaseRoute] = (),
) -> Application:
    """The application over these turns; once ``draining``, it takes no new questions. ``pages`` are for people."""
    metrics = metrics or MetricsPage(Metrics())

    async def openapi(request: Request) -> Response:
        return JSONResponse(document(health.version))

    app = Starlette(
        routes=[
            *(endpoint.route(authenticator, turns) for endpoint in ENDPOINTS),
            *health.routes(),
            *metrics.routes(),
            Route("/openapi.json", openapi),
            *pages,
        ],
        middleware=[
            Middleware(RequestId),
            Middleware(Counted, metrics=metrics.metrics),
            *([Middleware(LoopbackHost)] if loopback_only else []),
            Middleware(LastResort),
            Middleware(Draining, draining=draining),
        ],
        exception_handlers=dict(HANDLERS),
    )
    app.router.redirect_slashes = False
    return app
