"""The counters of the process, for whoever holds the token of ``VELO_METRICS_TOKEN``; without one there is no such page."""

import secrets
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assistant.errors import Unauthorized
from assistant.metrics import CONTENT_TYPE, Metrics

_REFUSED = "The counters are shown to whoever sends VELO_METRICS_TOKEN as `Authorization: Bearer …`."


@dataclass(frozen=True, slots=True)
class MetricsPage:
    """What is counted, and the token that opens it; ``None`` closes it."""

    metrics: Metrics
    token: str | None = field(default=None, repr=False)

    def routes(self) -> list[Route]:
        """The routes, for Starlette: none while it is closed, so that it is not found."""
        return [Route("/metrics", self._shown)] if self.token else []

    async def _shown(self, request: Request) -> Response:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not secrets.compare_digest(token.strip().encode(), (self.token or "").encode()):
            raise Unauthorized(_REFUSED)
        return Response(self.metrics.text(), headers={"Cache-Control": "no-store", "Content-Type": CONTENT_TYPE})
