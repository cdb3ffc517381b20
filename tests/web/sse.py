"""The streaming door as the contract writes it, until assistant.http has it."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from assistant.http.bodies import AskBody, hash_of, idempotency_key, read_body
from assistant.http.session import authorization_of
from assistant.question import Ask, Mention
from veil.text import Clear


def routes(stage: Any, authenticator: Any) -> list[Route]:
    def stream(actor: Any, turn_id: int, after: int) -> Response:
        async def body() -> Any:
            async for event in stage.events(actor, turn_id, after):
                yield f"id: {event.seq}\nevent: {event.kind}\ndata: {json.dumps(event.body, ensure_ascii=False)}\n\n"

        return StreamingResponse(body(), media_type="text/event-stream", headers={"Cache-Control": "no-store"})

    async def ask(request: Request) -> Response:
        actor = await authenticator.actor(authorization_of(request))
        body = await read_body(request, AskBody)
        mentions = tuple(Mention(span.start, span.end, span.kind, span.id) for span in body.mentions)
        turn_id = await stage.ask(actor, Ask(Clear(body.text), body.thread_id, mentions, idempotency_key(request), hash_of(body)))
        return stream(actor, turn_id, 0)

    async def follow(request: Request) -> Response:
        actor = await authenticator.actor(authorization_of(request))
        return stream(actor, request.path_params["turn_id"], int(request.headers.get("Last-Event-ID", "0")))

    return [
        Route("/api/assistant/messages", ask, methods=["POST"]),
        Route("/api/assistant/turns/{turn_id:int}/events", follow, methods=["GET"]),
    ]
