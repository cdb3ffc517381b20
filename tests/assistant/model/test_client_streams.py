"""The client on streams: what is heard and when, what is tried again, what a broken stream gives, and that nobody keeps talking to a closed ear."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import pytest
from starlette.responses import JSONResponse, Response

from assistant.errors import ModelError, ModelMalformed, ModelRejected, ModelTimedOut, ModelUnavailable
from assistant.model import openai_client
from assistant.model.openai_client import JITTER, PAUSES, OpenAIModel
from assistant.model.port import ReplyCall, Usage
from tests.model_endpoint import DONE, ModelEndpoint, Script, Stream, calls, chunk, completion, event, serving, stream, streamed
from veil.payload import Constant, Message, Request, Role

REQUEST = Request(model="m", messages=(Message(Role.USER, (Constant("hola"),)),))
SECRET_OF_THE_PROVIDER = "the provider quotes María"
CALL = [{"index": 0, "id": "a", "function": {"name": "list_team", "arguments": "{}"}}]
ENOUGH = 30.0  # seconds after which a test that hangs has failed
_NEVER = asyncio.Event()


@dataclass
class Ear:
    """Keeps what it hears, and can be waited for."""

    pieces: list[str] = field(default_factory=list)
    some: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, piece: str) -> None:
        self.pieces.append(piece)
        self.some.set()

    @property
    def text(self) -> str:
        return "".join(self.pieces)


def model_of(endpoint: ModelEndpoint, **settings: Any) -> OpenAIModel:
    model = OpenAIModel.at("http://model.test/v1", "key", transport=endpoint.transport())
    return OpenAIModel(model._client, **{"sleep": _no_wait, "chance": lambda: 0.0, **settings})


async def _no_wait(seconds: float) -> None:
    pass


async def failure_of(script: Script, **settings: Any) -> tuple[ModelError, int]:
    """The error, of which nothing must quote the provider, and how often the model was asked."""
    endpoint, ear = ModelEndpoint(script), Ear()
    with pytest.raises(ModelError) as caught:
        await model_of(endpoint, **settings).ask(REQUEST, ear)
    shown = "".join(traceback.format_exception(caught.value))
    assert SECRET_OF_THE_PROVIDER not in shown + repr(caught.value) + repr(caught.value.args)
    assert (caught.value.__context__, caught.value.__cause__) == (None, None)
    assert ear.pieces == []
    return caught.value, len(endpoint.received)


# --- what is heard -----------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("networked", [False, True], ids=["in-process", "socket"])
async def test_a_piece_is_heard_when_it_comes(networked: bool) -> None:
    gate, ear = asyncio.Event(), Ear()
    endpoint = ModelEndpoint([stream(chunk("Hola"), gate, chunk(" fin", finish="stop"), DONE)])
    async with serving(endpoint) as base_url:
        model = OpenAIModel.at(base_url, "key") if networked else model_of(endpoint)
        asked = asyncio.create_task(model.ask(REQUEST, ear))
        async with asyncio.timeout(ENOUGH):
            await ear.some.wait()
        assert (ear.pieces, asked.done()) == (["Hola"], False)
        gate.set()
        assert (await asked).text == ear.text == "Hola fin"
        await model.close()


@pytest.mark.parametrize("whole", [completion({"role": "assistant", "content": "Hola ñ 😀"}), calls(("f", {"a": "ñ"}), ("g", "{"), text="Busco")])
async def test_a_server_that_answers_in_one_body_all_the_same_is_read_and_heard_once(whole: dict[str, Any]) -> None:
    one, many = Ear(), Ear()
    unstreamed = await model_of(ModelEndpoint([JSONResponse(whole, media_type="text/event-stream")])).ask(REQUEST, one)
    assert await model_of(ModelEndpoint([whole])).ask(REQUEST, many) == unstreamed
    assert one.pieces == [unstreamed.text]
    assert (len(many.pieces) > 1, many.text) == (True, unstreamed.text)
    assert unstreamed.usage == Usage(10, 5)


async def test_a_body_in_one_piece_may_come_in_many() -> None:
    body = b"\xef\xbb\xbf\r\n " + JSONResponse(completion({"content": "Hola ñ"})).body
    ear = Ear()
    reply = await model_of(ModelEndpoint([stream(*(body[at : at + 1] for at in range(len(body))))])).ask(REQUEST, ear)
    assert (reply.text, ear.pieces) == ("Hola ñ", ["Hola ñ"])


async def test_an_answer_without_text_is_not_heard() -> None:
    ear = Ear()
    for script in ([calls(("f", {}))], [completion({"content": None})], [JSONResponse(completion({"content": ""}))]):
        await model_of(ModelEndpoint(script)).ask(REQUEST, ear)
    assert ear.pieces == []


# --- streams that break off ---------------------------------------------------------------------------------------------------------------------

BREAKS: dict[str, Callable[[], Stream]] = {
    "cut": lambda: stream(chunk("Ho"), chunk(tool_calls=CALL), chunk("la"), cut=True),
    "ends": lambda: stream(chunk("Ho"), chunk(tool_calls=CALL), chunk("la")),
    "ends in an event": lambda: stream(chunk("Ho"), chunk(tool_calls=CALL), chunk("la"), b'data: {"choices":[{"delta":{"content":"!"'),
    "error": lambda: stream(chunk("Ho"), chunk(tool_calls=CALL), chunk("la"), event({"error": {"message": SECRET_OF_THE_PROVIDER}}), DONE),
    "no json": lambda: stream(chunk("Ho"), chunk(tool_calls=CALL), chunk("la"), event(SECRET_OF_THE_PROVIDER), DONE),
    "falls silent": lambda: stream(chunk("Ho"), chunk(tool_calls=CALL), chunk("la"), _NEVER),
}


@pytest.mark.parametrize("break_", BREAKS)
async def test_what_was_heard_of_a_stream_that_breaks_off_is_the_reply_without_calls_and_without_an_end(break_: str) -> None:
    endpoint, ear = ModelEndpoint([BREAKS[break_]()]), Ear()
    reply = await model_of(endpoint, idle=0.05).ask(REQUEST, ear)
    assert (reply.text, reply.calls, reply.finish, reply.usage) == ("Hola", (), None, None)
    assert ear.text == "Hola"
    assert len(endpoint.received) == 1


async def test_the_time_limit_leaves_what_was_heard() -> None:
    ear = Ear()
    reply = await model_of(ModelEndpoint([stream(chunk("Hola"), _NEVER)]), limit=0.2).ask(REQUEST, ear)
    assert (reply.text, reply.finish, ear.text) == ("Hola", None, "Hola")


@pytest.mark.parametrize(
    ("first", "error"),
    [
        pytest.param(stream(cut=True), ModelUnavailable, id="cut at once"),
        pytest.param(stream(chunk(role="assistant"), cut=True), ModelUnavailable, id="cut after the role"),
        pytest.param(stream(chunk(role="assistant")), ModelUnavailable, id="ends after the role"),
        pytest.param(stream(event({"error": {"message": SECRET_OF_THE_PROVIDER, "code": 503}})), ModelUnavailable, id="busy"),
        pytest.param(stream(event({"error": {"message": SECRET_OF_THE_PROVIDER, "code": "x"}})), ModelUnavailable, id="error"),
        pytest.param(stream(chunk(refusal="No"), cut=True), ModelUnavailable, id="cut in a refusal"),
    ],
)
async def test_a_stream_that_breaks_off_before_the_answer_is_asked_for_again(first: Stream, error: type[ModelError]) -> None:
    endpoint, ear = ModelEndpoint([first, "Hola"]), Ear()
    reply = await model_of(endpoint).ask(REQUEST, ear)
    assert (reply.text, ear.text, reply.finish) == ("Hola", "Hola", "stop")
    assert endpoint.bodies == [REQUEST.encode()] * 2
    caught, tries = await failure_of([first])
    assert (type(caught), tries) == (error, len(PAUSES) + 1)


@pytest.mark.parametrize(
    ("script", "error"),
    [
        pytest.param(stream(chunk(tool_calls=CALL), cut=True), ModelUnavailable, id="cut after a call"),
        pytest.param(stream(chunk(tool_calls=CALL)), ModelUnavailable, id="ends after a call"),
        pytest.param(stream(chunk(tool_calls=CALL), event({"error": SECRET_OF_THE_PROVIDER})), ModelUnavailable, id="error after a call"),
        pytest.param(stream(event({"error": {"message": SECRET_OF_THE_PROVIDER, "code": 400}})), ModelRejected, id="refused"),
        pytest.param(stream(event(SECRET_OF_THE_PROVIDER)), ModelMalformed, id="no json"),
        pytest.param(stream(), ModelMalformed, id="nothing"),
        pytest.param(stream(b": ping\n\n", DONE), ModelMalformed, id="nothing but an end"),
        pytest.param(stream(event({"choices": []}), DONE), ModelMalformed, id="no choice"),
        pytest.param(stream(chunk(role="assistant"), _NEVER), ModelTimedOut, id="falls silent"),
        pytest.param(stream(b'{"choices":[{"message":{"content":"hola"}}]', _NEVER), ModelTimedOut, id="falls silent in one body"),
        pytest.param(Response(SECRET_OF_THE_PROVIDER, headers={"content-encoding": "gzip"}), ModelMalformed, id="not what it says"),
    ],
)
async def test_what_would_not_help_is_not_tried_again(script: Stream | Response, error: type[ModelError]) -> None:
    caught, tries = await failure_of([script], idle=0.05)
    assert (type(caught), tries) == (error, 1)


@pytest.mark.parametrize("ending", [(), (_NEVER,), (event({"error": "late"}),), (event("late"),)], ids=["ends", "silent", "error", "no json"])
@pytest.mark.parametrize("cut", [False, True])
async def test_after_its_finish_reason_an_answer_is_whole_whatever_follows(ending: Sequence[Any], cut: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_client, "AFTER_FINISH_SECONDS", 0.05)
    ear = Ear()
    script = stream(chunk("Ho\ud83d"), chunk(tool_calls=CALL, finish="tool_calls"), *ending, cut=cut)
    reply = await model_of(ModelEndpoint([script])).ask(REQUEST, ear)
    assert (reply.text, reply.calls, reply.finish) == ("Ho?", (ReplyCall("a", "list_team", "{}"),), "tool_calls")
    assert ear.text == "Ho?"


@pytest.mark.parametrize("script", [stream(*[chunk(reasoning_content="x")] * 99), stream(*[b'{"a":"', *[b"x"] * 9999])], ids=["stream", "body"])
async def test_a_response_without_end_is_not_read_to_its_end(script: Stream, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_client, "LONGEST_BODY", 999)
    caught, tries = await failure_of([script])
    assert (type(caught), tries) == (ModelMalformed, 1)
    assert script.sent < len(script.steps)


async def test_pauses_are_longer_by_chance_so_that_not_all_come_back_together() -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    for chance in (0.0, 1.0):
        with pytest.raises(ModelUnavailable):
            await model_of(ModelEndpoint([Response(status_code=503)]), sleep=sleep, chance=lambda: chance).ask(REQUEST)  # noqa: B023
    assert slept == [*PAUSES, *(pause * (1 + JITTER) for pause in PAUSES)]


# --- whoever hears ------------------------------------------------------------------------------------------------------------------------------


async def test_a_slow_hearer_does_not_use_up_the_servers_time() -> None:
    heard = 0

    async def slow(piece: str) -> None:
        nonlocal heard
        heard += 1
        await asyncio.sleep(0.7)

    script = stream(chunk("Ho"), chunk("la"), chunk(finish="stop"), DONE)
    reply = await model_of(ModelEndpoint([script]), limit=1.0, idle=0.5).ask(REQUEST, slow)
    assert (reply.text, reply.finish, heard) == ("Hola", "stop", 2)


async def test_what_a_hearer_raises_is_the_callers_and_the_stream_is_closed() -> None:
    async def failing(piece: str) -> None:
        raise TimeoutError("of the database")

    script = stream(chunk("Hola"), _NEVER)
    with pytest.raises(TimeoutError, match="of the database"):
        await model_of(ModelEndpoint([script])).ask(REQUEST, failing)
    async with asyncio.timeout(ENOUGH):
        await script.left.wait()


@dataclass
class Socket:
    """A server on a real socket that answers every request with these bytes, then waits until the client closes."""

    answer: bytes
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    closed: asyncio.Event = field(default_factory=asyncio.Event)
    connections: int = 0

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = next(int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
                await reader.readexactly(length)
                self.asked.set()
                writer.write(self.answer)
                await writer.drain()
        self.closed.set()
        writer.close()


@asynccontextmanager
async def listening(answer: bytes) -> AsyncIterator[tuple[Socket, OpenAIModel]]:
    """The socket, and a model behind it."""
    listener = Socket(answer)
    server = await asyncio.start_server(listener.handle, "127.0.0.1", 0)
    model = OpenAIModel.at(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", "key")
    yield listener, model
    await model.close()
    server.close()
    async with asyncio.timeout(ENOUGH):
        await server.wait_closed()


HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
END = b"0\r\n\r\n"


def chunked(*parts: bytes) -> bytes:
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts)


@pytest.mark.parametrize(
    ("answer", "waits_for_text"),
    [
        pytest.param(b"", False, id="before the response"),
        pytest.param(HEAD, False, id="before the first byte"),
        pytest.param(HEAD + chunked(b": ping\n\n", chunk(role="assistant")), False, id="before the first token"),
        pytest.param(HEAD + chunked(chunk("Hola")), True, id="in the text"),
        pytest.param(b'HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n{"choices":', False, id="in one body"),
        pytest.param(b"HTTP/1.1 500 Oh\r\ncontent-length: 999\r\n\r\nno", False, id="in an error"),
    ],
)
async def test_a_stop_closes_the_connection_at_once(answer: bytes, waits_for_text: bool) -> None:
    ear = Ear()
    async with listening(answer) as (server, model):
        asked = asyncio.create_task(model.ask(REQUEST, ear))
        await (ear.some if waits_for_text else server.asked).wait()
        await asyncio.sleep(0.05)  # until what was sent has been read
        asked.cancel()
        async with asyncio.timeout(1):
            await server.closed.wait()
        with pytest.raises(asyncio.CancelledError):
            await asked


async def test_a_stop_while_somebody_hears_closes_the_connection_at_once() -> None:
    hears = asyncio.Event()

    async def hear(piece: str) -> None:
        hears.set()
        await asyncio.Event().wait()

    async with listening(HEAD + chunked(chunk("Hola"), chunk(" y más"))) as (server, model):
        asked = asyncio.create_task(model.ask(REQUEST, hear))
        await hears.wait()
        asked.cancel()
        async with asyncio.timeout(1):
            await server.closed.wait()
        with pytest.raises(asyncio.CancelledError):
            await asked


async def test_a_stop_between_two_tries_ends_the_waiting() -> None:
    waits = asyncio.Event()

    async def sleep(seconds: float) -> None:
        waits.set()
        await asyncio.Event().wait()

    asked = asyncio.create_task(model_of(ModelEndpoint([Response(status_code=503)]), sleep=sleep).ask(REQUEST))
    await waits.wait()
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked


async def test_a_cut_on_a_real_socket_is_a_cut() -> None:
    ear = Ear()
    async with serving(ModelEndpoint([stream(chunk("Hola"), cut=True)])) as base_url:
        model = OpenAIModel.at(base_url, "key")
        reply = await model.ask(REQUEST, ear)
        await model.close()
    assert (reply.text, reply.finish, ear.text) == ("Hola", None, "Hola")


async def test_a_stream_that_is_done_leaves_its_connection_to_the_next() -> None:
    whole = streamed(completion({"role": "assistant", "content": "Hola"}))
    async with listening(HEAD + chunked(*whole) + END) as (server, model):
        for _ in range(3):
            assert (await model.ask(REQUEST)).text == "Hola"
    assert server.connections == 1


async def test_a_server_that_does_not_end_after_it_is_done_is_left() -> None:
    whole = streamed(completion({"role": "assistant", "content": "Hola"}))
    async with listening(HEAD + chunked(*whole)) as (server, model):
        assert (await model.ask(REQUEST)).text == "Hola"
        async with asyncio.timeout(ENOUGH):
            await server.closed.wait()


async def test_many_streams_at_once_each_get_their_own() -> None:
    def script(body: dict[str, Any]) -> str:
        text: str = body["messages"][0]["content"]
        return text * 9

    async with serving(ModelEndpoint(script)) as base_url:
        model = OpenAIModel.at(base_url, "key")
        ears = [Ear() for _ in range(200)]
        requests = (Request("m", (Message(Role.USER, (Constant(f"C-{number} "),)),)) for number in range(200))
        replies = await asyncio.gather(*(model.ask(request, ear) for request, ear in zip(requests, ears, strict=True)))
        await model.close()
    assert [reply.text for reply in replies] == [ear.text for ear in ears] == [f"C-{number} " * 9 for number in range(200)]
