"""Whether the process lives, whether it can work, and with what. Open to all, hence without anything of a tenant."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assistant.http.endpoint import answer
from assistant.readiness import State

#: What is told in each state: how the whole is, and how the database is, which is not asked any more at the end.
_TOLD: Mapping[State, tuple[str, str]] = {
    "ok": ("ok", "ok"),
    "draining": ("draining", "unknown"),
    "unavailable": ("degraded", "unavailable"),
    "unmigrated": ("degraded", "unmigrated"),
    "unsafe": ("degraded", "unsafe"),
}


@dataclass(frozen=True, slots=True)
class Health:
    """What is told about the process; ``state`` says how things stand now."""

    version: str
    model: str  # "offline" or "remote"
    state: Callable[[], Awaitable[State]]

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
        state = await self.state()
        return answer({"status": state}, status=_status_of(state))

    async def _health(self, request: Request) -> Response:
        state = await self.state()
        status, database = _TOLD[state]
        body = {"status": status, "version": self.version, "database": database, "model": self.model}
        return answer(body, status=_status_of(state))


def _status_of(state: State) -> int:
    return 200 if state == "ok" else 503
