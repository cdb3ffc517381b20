"""The HTTP door as one application: the table of routes, and what stands around them."""

from typing import TypeAlias

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from assistant.http import members, messages, threads, turns
from assistant.http.auth import Authenticator
from assistant.http.endpoint import Endpoint
from assistant.http.errors import HANDLERS, LastResort
from assistant.http.health import Health
from assistant.http.middleware import LoopbackHost, RequestId
from assistant.http.openapi import document
from assistant.http.port import Turns

#: What is served; other modules name it without importing the framework.
Application: TypeAlias = Starlette

ENDPOINTS = (
    Endpoint("GET", "/api/assistant/member", members.shown),
    Endpoint("POST", "/api/assistant/messages", messages.ask),
    Endpoint("GET", "/api/assistant/messages", messages.listed),
    Endpoint("GET", "/api/assistant/threads", threads.listed),
    Endpoint("POST", "/api/assistant/threads", threads.opened),
    Endpoint("GET", "/api/assistant/turns/{turn_id:int}/veiled", turns.veiled),
    Endpoint("POST", "/api/assistant/turns/{turn_id:int}/stop", turns.stopped),
)


def application(
    *,
    turns: Turns,
    authenticator: Authenticator,
    health: Health,
    loopback_only: bool,
) -> Application:
    """The application over these turns; ``/metrics`` is closed, so it has no route."""

    async def openapi(request: Request) -> Response:
        return JSONResponse(document(health.version))

    app = Starlette(
        routes=[
            *(endpoint.route(authenticator, turns) for endpoint in ENDPOINTS),
            *health.routes(),
            Route("/openapi.json", openapi),
        ],
        middleware=[
            Middleware(RequestId),
            *([Middleware(LoopbackHost)] if loopback_only else []),
            Middleware(LastResort),
        ],
        exception_handlers=dict(HANDLERS),
    )
    app.router.redirect_slashes = False
    return app
