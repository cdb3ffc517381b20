"""The offline demo model behind the Chat Completions interface, as a bare ASGI application; it streams to whoever asks for a stream."""

import hashlib
import json
import re
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from typing import Any

from assistant.model.offline import reply
from veil.payload import canonical

Event = MutableMapping[str, Any]

_WORD = re.compile(r"\s*\S+\s*")


async def application(
    scope: Event, receive: Callable[[], Awaitable[Event]], send: Callable[[Event], Awaitable[None]]
) -> None:
    """Answers any POST whose body is a chat request."""
    body, more = b"", True
    while more:
        event = await receive()
        body += event.get("body", b"")
        more = event.get("more_body", False)
    request = json.loads(body)
    kind, pieces = (b"text/event-stream", _streamed) if request.get("stream") is True else (b"application/json", _in_one)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", kind)]})
    for piece in pieces(_head(body, request), reply(request)):
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


def _head(body: bytes, request: dict[str, Any]) -> dict[str, Any]:
    return {"id": f"chatcmpl-{hashlib.sha256(body).hexdigest()[:16]}", "created": 0, "model": request.get("model")}


def _in_one(head: dict[str, Any], message: dict[str, Any]) -> Iterator[bytes]:
    choice = {"index": 0, "message": message, "finish_reason": _finish(message)}
    yield canonical({**head, "object": "chat.completion", "choices": [choice]})


def _streamed(head: dict[str, Any], message: dict[str, Any]) -> Iterator[bytes]:
    """The text word by word, then each call whole, then the reason."""
    deltas = [{"content": word} for word in _WORD.findall(message.get("content") or "")]
    deltas += [{"tool_calls": [{"index": index, **call}]} for index, call in enumerate(message.get("tool_calls", ()))]
    choices = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    for choice in [*choices, {"index": 0, "delta": {}, "finish_reason": _finish(message)}]:
        yield b"data: " + canonical({**head, "object": "chat.completion.chunk", "choices": [choice]}) + b"\n\n"
    yield b"data: [DONE]\n\n"


def _finish(message: dict[str, Any]) -> str:
    return "tool_calls" if "tool_calls" in message else "stop"
