"""Whether the process lives, whether it can work, and with what. Open to all, hence without anything of a tenant."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assistant.http.endpoint import answer


@dataclass(frozen=True, slots=True)
class Health:
    """What is told about the process. ``ready`` says whether the database answers."""

    version: str
    model: str  # "offline" or "remote"
    ready: Callable[[], Awaitable[bool]]

    def routes(self) -> list[Route]:
        """The routes, for Starlette."""
        return [
            Route("/livez", self._live),
            Route("/readyz", self._ready),
            Route("/healthz", self._health),
        ]

    async def _live(self, request: Request) -> Response:
        return answer({"status": "ok"})

    async def _ready(self, request: Request) -> Response:
        ready = await self.ready()
        return answer({"status": "ok" if ready else "unavailable"}, status=200 if ready else 503)

    async def _health(self, request: Request) -> Response:
        ready = await self.ready()
        body = {
            "status": "ok" if ready else "degraded",
            "version": self.version,
            "database": "ok" if ready else "unavailable",
            "model": self.model,
        }
        return answer(body, status=200 if ready else 503)
