"""The client: the bytes on the wire, patience, and silence about what providers write in errors."""

import asyncio
import logging
import traceback
from collections.abc import Awaitable, Callable

import httpx2
import pytest
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response

from assistant.errors import ModelError, ModelMalformed, ModelRejected, ModelTimedOut, ModelUnavailable
from assistant.model.openai_client import LONGEST_PAUSE, PAUSES, OpenAIModel
from tests.model_endpoint import ModelEndpoint, Script, calls, serving
from veil.payload import Call, Constant, Message, Request, Role
from veil.text import Veiled

SECRET_OF_THE_PROVIDER = "the provider quotes María"

REQUEST = Request(
    model="some-model",
    messages=(
        Message(Role.SYSTEM, (Constant('Sé breve. "Comillas" y \\ barras.'),)),
        Message(Role.USER, (Constant("lunes\n"), Veiled("¿qué pasó con C-1? 🙂 \u2028\ud800"))),
        Message(Role.ASSISTANT, calls=(Call("call_1", "show_contact", Veiled('{"contact": "C-1"}')),)),
        Message(Role.TOOL, (Veiled('{"z":1,"a":"ñ"}'),), answers="call_1"),
    ),
    tools=({"type": "function", "function": {"name": "show_contact", "parameters": {"type": "object"}}},),
)


def model_of(endpoint: ModelEndpoint, *, limit: float = 5, sleep: Callable[[float], Awaitable[None]] | None = None) -> OpenAIModel:
    model = OpenAIModel.at("http://model.test/v1", "the-key", transport=endpoint.transport())
    return OpenAIModel(model._client, limit=limit, sleep=sleep or _no_wait, chance=lambda: 0.0)


async def _no_wait(seconds: float) -> None:
    assert seconds <= LONGEST_PAUSE


async def failure_of(script: Script) -> tuple[ModelError, ModelEndpoint]:
    endpoint = ModelEndpoint(script)
    with pytest.raises(ModelError) as caught:
        await model_of(endpoint).ask(REQUEST)
    shown = "".join(traceback.format_exception(caught.value))
    assert SECRET_OF_THE_PROVIDER not in shown + repr(caught.value) + repr(caught.value.args)
    assert caught.value.__context__ is None
    assert caught.value.__cause__ is None
    return caught.value, endpoint


async def test_the_bytes_on_the_wire_are_the_encoded_request() -> None:
    endpoint = ModelEndpoint(["hola"])
    await model_of(endpoint).ask(REQUEST)
    assert endpoint.bodies == [REQUEST.encode()]


async def test_the_bytes_on_a_real_socket_are_the_encoded_request() -> None:
    endpoint = ModelEndpoint(["hola"])
    async with serving(endpoint) as base_url:
        model = OpenAIModel.at(base_url, "the-key")
        reply = await model.ask(REQUEST)
        await model.close()
    assert reply.text == "hola"
    assert endpoint.bodies == [REQUEST.encode()]
    headers = dict(endpoint.received[0].headers)
    assert headers[b"authorization"] == b"Bearer the-key"
    assert headers[b"content-type"] == b"application/json"


async def test_nothing_of_the_machines_environment_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "of-the-machine")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://of-the-machine.test/v1")
    endpoint = ModelEndpoint(["hola"])
    model = OpenAIModel.at("http://model.test/v1", None, transport=endpoint.transport())
    await model.ask(REQUEST)
    assert "of-the-machine" not in endpoint.text


async def test_calls_are_read() -> None:
    reply = await model_of(ModelEndpoint([calls(("show_contact", {"contact": "C-1"}))])).ask(REQUEST)
    (call,) = reply.calls
    assert (call.id, call.name, call.arguments, reply.finish) == (
        "call_1",
        "show_contact",
        '{"contact": "C-1"}',
        "tool_calls",
    )


@pytest.mark.parametrize("status", [429, 500, 502, 503, 529, 408])
async def test_a_server_in_trouble_is_asked_again_with_the_same_bytes(status: int) -> None:
    endpoint = ModelEndpoint([PlainTextResponse("later", status_code=status), "hola"])
    reply = await model_of(endpoint).ask(REQUEST)
    assert reply.text == "hola"
    assert endpoint.bodies == [REQUEST.encode()] * 2


async def test_a_server_that_stays_in_trouble_is_given_up() -> None:
    error, endpoint = await failure_of([PlainTextResponse(SECRET_OF_THE_PROVIDER, status_code=503)])
    assert isinstance(error, ModelUnavailable)
    assert len(endpoint.received) == len(PAUSES) + 1


@pytest.mark.parametrize(("header", "waits"), [("3", [3.0]), ("0", [0.0]), ("soon", [PAUSES[0]]), ("Wed, 21 Oct 2015 07:28:00 GMT", [0.0])])
async def test_the_wait_is_the_servers_if_it_names_one(header: str, waits: list[float]) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    endpoint = ModelEndpoint([PlainTextResponse("", status_code=429, headers={"Retry-After": header}), "hola"])
    await model_of(endpoint, sleep=sleep).ask(REQUEST)
    assert slept == waits


async def test_a_long_wait_is_handed_on_instead_of_waited_out() -> None:
    error, endpoint = await failure_of([PlainTextResponse("", status_code=429, headers={"Retry-After": "600"})])
    assert isinstance(error, ModelUnavailable)
    assert error.retry_after == 600
    assert len(endpoint.received) == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
async def test_a_refusal_is_final_and_its_body_stays_behind(status: int) -> None:
    body = JSONResponse({"error": {"message": SECRET_OF_THE_PROVIDER, "code": SECRET_OF_THE_PROVIDER}}, status_code=status)
    error, endpoint = await failure_of([body])
    assert isinstance(error, ModelRejected)
    assert error.status == status
    assert len(endpoint.received) == 1


async def test_a_redirect_is_not_followed() -> None:
    error, endpoint = await failure_of([RedirectResponse("http://elsewhere.test/v1/chat/completions", status_code=307)])
    assert isinstance(error, ModelRejected)
    assert len(endpoint.received) == 1


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>the provider quotes Mar\xc3\xada</html>",
        b"[]",
        b"{}",
        b'{"choices":[]}',
        b'{"choices":[null]}',
        b"\xff",
        b"[" * 99_999,
    ],
    ids=["empty", "html", "list", "no-choices", "empty-choices", "null-choice", "no-utf8", "deep"],
)
async def test_what_is_no_completion_is_malformed(body: bytes) -> None:
    error, _ = await failure_of([Response(body, media_type="application/json")])
    assert isinstance(error, ModelMalformed)


async def test_a_server_that_is_not_there_is_unavailable() -> None:
    model = OpenAIModel(OpenAIModel.at("http://127.0.0.1:9/v1", "key")._client, sleep=_no_wait)
    with pytest.raises(ModelUnavailable) as caught:
        await model.ask(REQUEST)
    assert caught.value.__context__ is None
    await model.close()


async def test_the_time_limit_holds_for_all_tries_together() -> None:
    class Slow(httpx2.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            await asyncio.sleep(10)
            raise AssertionError

    model = OpenAIModel(OpenAIModel.at("http://model.test/v1", "key", transport=Slow())._client, limit=0.05)
    with pytest.raises(ModelTimedOut):
        await model.ask(REQUEST)


async def test_a_read_that_times_out_is_not_repeated() -> None:
    tries = 0

    class Stalling(httpx2.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            nonlocal tries
            tries += 1
            raise httpx2.ReadTimeout("stalled")

    model = OpenAIModel(OpenAIModel.at("http://model.test/v1", "key", transport=Stalling())._client, sleep=_no_wait)
    with pytest.raises(ModelTimedOut):
        await model.ask(REQUEST)
    assert tries == 1


async def test_no_body_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        await failure_of([JSONResponse({"error": SECRET_OF_THE_PROVIDER}, status_code=400)])
        await model_of(ModelEndpoint([SECRET_OF_THE_PROVIDER])).ask(REQUEST)
    assert "María" not in caplog.text
    assert "C-1" not in caplog.text
    assert "model.test" not in caplog.text
