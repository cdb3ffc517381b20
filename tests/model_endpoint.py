"""A scripted OpenAI-compatible endpoint that keeps every byte it is sent.

The script is a list of replies, used up one a request (the last one is repeated), or a function of the request's
body. A reply is a string (an answer), ``calls(...)``, a whole completion as a mapping, or a Starlette response for
what real servers do on bad days. In-process it is reached through ``transport()``; ``serving`` puts it on a real
port::

    endpoint = ModelEndpoint([calls(("show_contact", {"contact": "C-1"})), "C-1 escribió ayer."])
    model = OpenAIModel.at("http://model.test/v1", "key", transport=endpoint.transport())
    ...
    assert "María" not in endpoint.text
"""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

Scripted = str | Mapping[str, Any] | Response
Script = Sequence[Scripted] | Callable[[dict[str, Any]], Scripted]


@dataclass(frozen=True)
class Received:
    """One request as it came over the wire."""

    path: str
    query: bytes
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        """The body, parsed."""
        parsed: dict[str, Any] = json.loads(self.body)
        return parsed

    @property
    def wire(self) -> bytes:
        """Every byte that was sent: path, query, headers and body."""
        lines = [name + b": " + value for name, value in self.headers]
        return b"\n".join([self.path.encode() + b"?" + self.query, *lines, self.body])


@dataclass
class ModelEndpoint:
    """The endpoint; ``received`` grows by one with each request."""

    script: Script
    received: list[Received] = field(default_factory=list)
    used: int = 0  # replies of the list that were given

    @property
    def bodies(self) -> list[bytes]:
        """The bodies of all requests, in order."""
        return [request.body for request in self.received]

    @property
    def text(self) -> str:
        """Everything that was ever received, as one text to search in; JSON escapes are undone as well."""
        wire = b"\n".join(request.wire for request in self.received).decode("utf-8", "replace")
        parsed = (json.dumps(request.json, ensure_ascii=False) for request in self.received if request.body)
        return "\n".join([wire, *parsed])

    def app(self) -> Starlette:
        """The endpoint as an ASGI application."""
        return Starlette(
            routes=[
                Route("/v1/chat/completions", self._complete, methods=["POST"]),
                Route("/v1/models", self._models),
            ]
        )

    def transport(self) -> httpx2.ASGITransport:
        """The way to the endpoint without a network."""
        return httpx2.ASGITransport(self.app())

    async def _complete(self, request: Request) -> Response:
        body = await request.body()
        self.received.append(
            Received(request.url.path, request.scope["query_string"], tuple(request.scope["headers"]), body)
        )
        return _response(self._scripted(body))

    async def _models(self, request: Request) -> Response:
        return JSONResponse({"object": "list", "data": [{"id": "scripted", "object": "model"}]})

    def _scripted(self, body: bytes) -> Scripted:
        if callable(self.script):
            return self.script(json.loads(body))
        self.used += 1
        return self.script[min(self.used, len(self.script)) - 1]


def calls(*named: tuple[str, Any], text: str | None = None) -> dict[str, Any]:
    """A completion that calls tools, each given as name and arguments (a mapping, or a string sent as it is)."""
    return completion(
        {
            "role": "assistant",
            "content": text,
            "tool_calls": [
                {
                    "id": f"call_{number}",
                    "type": "function",
                    "function": {
                        "name": name,
                        "arguments": arguments if isinstance(arguments, str) else json.dumps(arguments),
                    },
                }
                for number, (name, arguments) in enumerate(named, 1)
            ],
        },
        finish="tool_calls",
    )


def completion(message: Mapping[str, Any], *, finish: str = "stop") -> dict[str, Any]:
    """A chat completion around a message."""
    return {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": 0,
        "model": "scripted",
        "choices": [{"index": 0, "message": dict(message), "finish_reason": finish}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }


def _response(scripted: Scripted) -> Response:
    if isinstance(scripted, Response):
        return scripted
    if isinstance(scripted, str):
        return JSONResponse(completion({"role": "assistant", "content": scripted}))
    return JSONResponse(dict(scripted))


@asynccontextmanager
async def serving(endpoint: ModelEndpoint) -> AsyncIterator[str]:
    """The endpoint on a free port of this machine; gives its base URL."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(endpoint.app(), log_config=None, lifespan="off"))
    task = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
    finally:
        server.should_exit = True
        await task
        listener.close()
