"""A scripted OpenAI-compatible endpoint that keeps every byte it is sent.

The script is a list of replies, used up one a request (the last one is repeated), or a function of the request's
body. A reply is a string (an answer), ``calls(...)``, a whole completion as a mapping, ``stream(...)`` for the very
bytes of a stream with pauses and a cut, or a Starlette response for what else real servers do on bad days. Strings and
completions are streamed in small pieces to whoever asks for a stream. In-process it is reached through ``transport()``,
which streams as well; ``serving`` puts it on a real port::

    endpoint = ModelEndpoint([calls(("show_contact", {"contact": "C-1"})), "C-1 escribió ayer."])
    model = OpenAIModel.at("http://model.test/v1", "key", transport=endpoint.transport())
    ...
    assert "María" not in endpoint.text

A stream that waits in the middle until the test goes on, and then breaks off::

    gate = asyncio.Event()
    script = stream(chunk("Hola "), gate, chunk("C-"), cut=True)
    ...
    gate.set()
    await script.left.wait()  # only if the client went away before the end
"""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from assistant.model.in_process import InProcess


@dataclass
class Stream:
    """A body in these network chunks; at an event the server waits until it is set. ``cut``: the connection drops instead of ending."""

    steps: Sequence[bytes | asyncio.Event]
    cut: bool = False
    headers: Mapping[str, str] = field(default_factory=lambda: {"content-type": "text/event-stream"})
    left: asyncio.Event = field(default_factory=asyncio.Event)  # set when the client goes before the end
    sent: int = 0  # chunks that were handed to the network


Scripted = str | Mapping[str, Any] | Stream | Response
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

    def transport(self) -> InProcess:
        """The way to the endpoint without a network."""
        return InProcess(self.app())

    async def _complete(self, request: Request) -> Response:
        body = await request.body()
        self.received.append(
            Received(request.url.path, request.scope["query_string"], tuple(request.scope["headers"]), body)
        )
        scripted = self._scripted(body)
        return scripted if isinstance(scripted, Response) else _response(scripted, as_stream=json.loads(body).get("stream") is True)

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


def stream(*steps: bytes | asyncio.Event, cut: bool = False) -> Stream:
    """A stream of these network chunks, which may cut events and letters anywhere; it waits at each event of asyncio until that is set."""
    return Stream(steps, cut)


def event(data: Any) -> bytes:
    """A server-sent event with this data: a string as it is, anything else as JSON."""
    return f"data: {data if isinstance(data, str) else json.dumps(data)}\n\n".encode()


def chunk(content: Any = None, *, finish: str | None = None, usage: Mapping[str, int] | None = None, **delta: Any) -> bytes:
    """The event of a chunk of a completion: a piece of the text, of calls (``tool_calls=[...]``) or of the rest."""
    said = delta if content is None else {**delta, "content": content}
    return event({**_CHUNK, "choices": [{"index": 0, "delta": said, "finish_reason": finish}], "usage": usage})


#: The last event of a stream.
DONE = event("[DONE]")


def streamed(whole: Mapping[str, Any]) -> list[bytes]:
    """A whole completion as the events of its stream: a chunk with the role, text and calls in small pieces, the reason, the usage."""
    events = []
    for choice in whole.get("choices") or ():
        message = choice.get("message") or {}
        content, called = message.get("content"), message.get("tool_calls")
        events.append(chunk(**{name: value for name, value in message.items() if name not in {"content", "tool_calls"}}))
        pieces = _cut(content) if isinstance(content, str) else [content]
        events += [chunk(content=piece) for piece in pieces if piece is not None]
        events += [chunk(tool_calls=[piece]) for piece in _pieces(called if isinstance(called, list) else [])]
        events.append(chunk(finish=choice.get("finish_reason")))
    rest = {name: value for name, value in whole.items() if name not in {"choices", "object"}}
    return [*events, event({**_CHUNK, **rest, "choices": []}), DONE]


_CHUNK = {"id": "chatcmpl-scripted", "object": "chat.completion.chunk", "created": 0, "model": "scripted"}
_PIECE = 3  # characters


def _cut(text: str) -> list[str]:
    return [text[start : start + _PIECE] for start in range(0, len(text), _PIECE)]


def _pieces(called: Sequence[Any]) -> Iterator[Any]:
    """Calls in pieces: each begins with its id and name, then come its arguments."""
    for index, call in enumerate(called):
        if not isinstance(call, dict):
            yield call
            continue
        function = call.get("function")
        arguments = function.get("arguments") if isinstance(function, dict) else None
        if isinstance(function, dict) and isinstance(arguments, str) and arguments:
            yield {"index": index, **call, "function": {**function, "arguments": ""}}
            yield from ({"index": index, "function": {"arguments": piece}} for piece in _cut(arguments))
        else:
            yield {"index": index, **call}


def _response(scripted: str | Mapping[str, Any] | Stream, *, as_stream: bool) -> Response:
    if isinstance(scripted, Stream):
        return StreamingResponse(_sent(scripted), headers=scripted.headers)
    whole = completion({"role": "assistant", "content": scripted}) if isinstance(scripted, str) else dict(scripted)
    return StreamingResponse(_sent(Stream(streamed(whole))), media_type="text/event-stream") if as_stream else JSONResponse(whole)


async def _sent(scripted: Stream) -> AsyncIterator[bytes]:
    try:
        for step in scripted.steps:
            if isinstance(step, asyncio.Event):
                await step.wait()
            else:
                scripted.sent += 1
                yield step
    except (asyncio.CancelledError, GeneratorExit):
        scripted.left.set()
        raise
    if scripted.cut:
        raise httpx2.RemoteProtocolError("cut")


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
