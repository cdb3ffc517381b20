"""The offline demo model behind the Chat Completions interface, as a bare ASGI application."""

import hashlib
import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from assistant.model.offline import reply
from veil.payload import canonical

Event = MutableMapping[str, Any]


async def application(
    scope: Event, receive: Callable[[], Awaitable[Event]], send: Callable[[Event], Awaitable[None]]
) -> None:
    """Answers any POST whose body is a chat request."""
    body, more = b"", True
    while more:
        event = await receive()
        body += event.get("body", b"")
        more = event.get("more_body", False)
    answer = canonical(_completion(body))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(answer)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": answer})


def _completion(body: bytes) -> dict[str, Any]:
    request = json.loads(body)
    message = reply(request)
    return {
        "id": f"chatcmpl-{hashlib.sha256(body).hexdigest()[:16]}",
        "object": "chat.completion",
        "created": 0,
        "model": request.get("model"),
        "choices": [
            {"index": 0, "message": message, "finish_reason": "tool_calls" if "tool_calls" in message else "stop"}
        ],
    }
