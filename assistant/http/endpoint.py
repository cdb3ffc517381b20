"""One row of the table of routes, and how a member's request reaches its function."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Literal

import structlog
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from assistant.http.auth import Authenticator
from assistant.http.port import Turns
from assistant.http.session import authorization_of
from tools.permissions import Actor

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A method and a path that only members reach."""

    method: Literal["GET", "POST"]
    path: str
    handle: Callable[[Request, Actor, Turns], Awaitable[Response]]

    def route(self, authenticator: Authenticator, turns: Turns) -> Route:
        """The route, for Starlette."""

        async def endpoint(request: Request) -> Response:
            started = perf_counter()
            actor = await authenticator.actor(authorization_of(request))
            with structlog.contextvars.bound_contextvars(tenant_id=actor.tenant_id, member_id=actor.member_id):
                response = await self.handle(request, actor, turns)
                ms = round((perf_counter() - started) * 1000)
                log.info("request_served", method=self.method, route=self.path, status=response.status_code, ms=ms)
                return response

        return Route(self.path, endpoint, methods=[self.method])


def answer(body: object, *, status: int = 200) -> Response:
    """A JSON answer that nobody may keep: it holds names."""
    return JSONResponse(body, status, {"Cache-Control": "no-store"})
