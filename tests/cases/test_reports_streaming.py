"""Faults that users of other products reported, group "streaming", and those of group "tool_loop" that concern the wire: the client and the unveiling.

What needs a turn (B053: a client that leaves) or our own stream (the server's half of B058, B119) is tested where that is; calls that are denied, badly
written, unknown or repeated are in test_reports_loop.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise
from typing import Any

import pytest
from starlette.responses import PlainTextResponse

from assistant.errors import ModelUnavailable
from assistant.model.openai_client import JITTER, LONGEST_PAUSE, OpenAIModel
from assistant.model.port import Reply, ReplyCall
from tests.model_endpoint import DONE, ModelEndpoint, Script, chunk, completion, event, stream
from tests.veil.people import contact, live, thread_of
from veil.payload import Call, Constant, Message, Request, Role
from veil.text import Veiled
from veil.unveiling import Card, Unveiler

REQUEST = Request(model="m", messages=(Message(Role.USER, (Constant("hola"),)),))


class Asked:
    """What a model said, and in which pieces; what was waited for in between."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.waits: list[float] = []

    async def hear(self, piece: str) -> None:
        self.heard.append(piece)

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    async def of(self, script: Script, request: Request = REQUEST) -> Reply:
        self.endpoint = ModelEndpoint(script)
        model = OpenAIModel.at("http://model.test/v1", "key", transport=self.endpoint.transport())
        reply = await OpenAIModel(model._client, sleep=self.sleep, chance=lambda: 1.0).ask(request, self.hear)
        assert "".join(self.heard) == reply.text
        return reply


async def said(*chunks: bytes) -> Reply:
    return await Asked().of([stream(*chunks)])


def unveiled(vault: Mapping[str, str], pieces: Iterable[str]) -> list[str]:
    """What is shown after each piece, and at the end."""
    numbers = {contact(int(token[2:])): name for token, name in vault.items()}
    thread = thread_of(*(live(entity, entity.id) for entity in numbers))
    unveiler = Unveiler(thread, {entity: Card(name, True) for entity, name in numbers.items()})
    return [*(unveiler.feed(piece) for piece in pieces), unveiler.close()]


def splits(text: Any) -> list[list[Any]]:
    """A text, or bytes, cut at each place, and at all of them."""
    places = [*([0, place, len(text)] for place in range(len(text) + 1)), [*range(len(text) + 1)]]
    return [[text[start:end] for start, end in pairwise(split)] for split in places]


# --- streaming: what is held back ----------------------------------------------------------------------------------------------------------------


def test_b042_a_token_at_the_end_of_a_chunk_waits_for_the_rest() -> None:
    shown = unveiled({"C-12": "Fabiola Troncoso"}, ["Hola C", "-", "1", "2", " hoy"])
    assert "".join(shown) == "Hola Fabiola Troncoso hoy"
    assert not any("C" in piece or "1" in piece for piece in shown)


def test_b043_every_split_gives_what_the_whole_gives() -> None:
    assert {"".join(unveiled({"C-7": "Amílcar Tejeiro"}, split)) for split in splits("Avisé a C-7.")} == {"Avisé a Amílcar Tejeiro."}


def test_b045_empty_pieces_do_not_count() -> None:
    pieces = ["C", "", "", "-", "", "", "1", "", "2", "3", "", "", "4", "."]
    assert "".join(unveiled({"C-1234": "Gaspar Lillo"}, pieces)) == "Gaspar Lillo."


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 6, 10, 50, 199, 200])
async def test_b047_no_piece_is_lost_whatever_their_number(number: int) -> None:
    words = ("uno ", "dos ", "tres ", "cuatro ", "cinco ", "seis ", "siete ", "ocho ", "nueve ", "diez ")
    pieces = [words[place % len(words)] for place in range(number)]
    asked = Asked()
    await asked.of([stream(*(chunk(piece) for piece in pieces), chunk(finish="stop"), DONE)])
    assert asked.heard == pieces
    assert "".join(unveiled({"C-7": "Amílcar Tejeiro"}, asked.heard)) == "".join(pieces)


# --- streaming: the wire ---------------------------------------------------------------------------------------------------------------------------


async def test_b044_b049_frames_are_read_before_tokens_and_letters_are_joined_before_frames() -> None:
    frames = (
        'data: {"choices":[{"index":0,"delta":{"content":"C-"}}]}\n\n'
        ": ping\n\n"
        'data: {"choices":[{"index":0,"delta":{"content":"7 llamó"}}]}\n\n'
        'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'
        "data: [DONE]\n\n"
    ).encode()
    asked = Asked()
    reply = await asked.of([stream(frames)])
    assert (asked.heard, reply.finish) == (["C-", "7 llamó"], "stop")
    assert "".join(unveiled({"C-7": "Amílcar Tejeiro"}, asked.heard)) == "Amílcar Tejeiro llamó"
    assert {await said(*split) for split in splits(frames)} == {reply}


async def test_b049_a_letter_that_is_cut_is_put_together() -> None:
    body = 'data: {"choices":[{"delta":{"content":"Muñoz 😀 你"}}]}\n\n'.encode()
    assert {(await said(*split, DONE)).text for split in splits(body)} == {"Muñoz 😀 你"}


async def test_b050_accents_in_arguments_survive_any_cut() -> None:
    arguments = '{"nombre":"Íñigo Ñúñez"}'
    pieces = [arguments[start : start + 3] for start in range(0, len(arguments), 3)]
    first = {"index": 0, "id": "a", "function": {"name": "f", "arguments": ""}}
    body = b"".join(chunk(tool_calls=[piece]) for piece in [first, *({"index": 0, "function": {"arguments": piece}} for piece in pieces)])
    raw = body.replace(rb"\u00cd", "Í".encode()).replace(rb"\u00f1", "ñ".encode()).replace(rb"\u00d1", "Ñ".encode()).replace(rb"\u00fa", "ú".encode())
    for sent in (body, raw):
        cut = [sent[start : start + 3] for start in range(0, len(sent), 3)]
        (call,) = (await said(*cut, chunk(finish="tool_calls"), DONE)).calls
        assert call.arguments == arguments


async def test_b052_only_the_first_choice_is_read_since_no_more_are_asked_for() -> None:
    chunks: Sequence[dict[str, Any]] = (
        {"choices": [], "model": "", "prompt_filter_results": []},
        {"choices": [{"index": 1, "delta": {"content": "C"}}]},
        {"choices": [{"index": 0, "delta": {"content": "C-"}}]},
        {"choices": [{"index": 1, "delta": {"content": "-2"}}]},
        {"choices": [{"index": 0, "delta": {"content": "7"}}]},
    )
    asked = Asked()
    await asked.of([stream(*map(event, chunks), DONE)])
    assert "n" not in asked.endpoint.received[0].json
    assert "".join(unveiled({"C-7": "Amílcar Tejeiro", "C-2": "Ian Roa"}, asked.heard)) == "Amílcar Tejeiro"


async def test_b054_what_is_left_at_the_end_is_read_and_a_stream_without_an_end_was_cut() -> None:
    begun, rest = '{"choices":[{"delta":{"content":"hola"}}]}', '{"choices":[{"delta":{"content":" fin"},"finish_reason":"stop"}]}'
    whole = await said(f"data: {begun}\n\ndata: {rest}".encode())
    assert (whole.text, whole.finish) == ("hola fin", "stop")
    cut = await said(f"data: {begun}\n\n".encode())
    assert (cut.text, cut.finish) == ("hola", None)


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
async def test_b057_every_line_ending_works_also_when_it_is_cut(ending: str) -> None:
    body = 'data: {"choices":[{"delta":{"content":"hola"}}]}\r\n\r\ndata: [DONE]\r\n\r\n'.replace("\r\n", ending).encode()
    assert {(reply.text, reply.finish) for reply in [await said(*split) for split in splits(body)]} == {("hola", "stop")}


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            'retry: 4500\n\nid: 7\n\nevent: keepalive\n\ndata: {"choices":[{"delta":{"content":"hola"}}]}\n\ndata:\n\ndata: [DONE]\n\n', id="B058"
        ),
        pytest.param(': procesando\n\ndata:{"choices":[{"delta":{"content":"hola"}}]}\n\ndata:[DONE]\n\n', id="B059"),
    ],
)
async def test_b058_b059_events_without_data_are_nothing_and_the_blank_after_the_colon_may_be_missing(body: str) -> None:
    reply = await said(body.encode())
    assert (reply.text, reply.finish) == ("hola", "stop")


# --- tool_loop: the wire -----------------------------------------------------------------------------------------------------------------------------


async def test_b116_pieces_of_different_calls_are_told_apart_by_their_index() -> None:
    deltas: Sequence[dict[str, Any]] = (
        {"index": 0, "id": "a", "function": {"name": "f", "arguments": '{"q":'}},
        {"index": 1, "id": "b", "function": {"name": "g", "arguments": '{"n":'}},
        {"index": 0, "function": {"arguments": "1}"}},
        {"index": 1, "function": {"arguments": "2}"}},
    )
    reply = await said(*(chunk(tool_calls=[delta]) for delta in deltas), chunk(finish="tool_calls"), DONE)
    assert reply.calls == (ReplyCall("a", "f", '{"q":1}'), ReplyCall("b", "g", '{"n":2}'))


async def test_b117_two_calls_of_one_tool_are_two() -> None:
    tool_calls = [
        {"id": "a", "function": {"name": "find_contact", "arguments": '{"name":"C-1"}'}},
        {"id": "b", "function": {"name": "find_contact", "arguments": '{"name":"C-2"}'}},
    ]
    expected = (ReplyCall("a", "find_contact", '{"name":"C-1"}'), ReplyCall("b", "find_contact", '{"name":"C-2"}'))
    assert (await Asked().of([completion({"tool_calls": tool_calls})])).calls == expected
    assert (await said(chunk(tool_calls=tool_calls), DONE)).calls == expected
    assert (await said(*(chunk(tool_calls=[call]) for call in tool_calls), DONE)).calls == expected


_CALL = {"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}


@pytest.mark.parametrize(
    ("finish", "has_calls"), [("stop", True), ("tool_calls", True), ("function_call", True), ("tool_calls", False), (None, True), ("stop", False)]
)
async def test_b119_calls_are_calls_whatever_the_reason_says(finish: str | None, has_calls: bool) -> None:
    """That the loop goes on if, and only if, there are calls is in test_reports_loop.py."""
    reply = await said(chunk(tool_calls=[_CALL]) if has_calls else chunk(""), chunk(finish=finish), DONE)
    assert (len(reply.calls), reply.finish) == (has_calls, finish or "stop")


@pytest.mark.parametrize("content", [{"content": None}, {}, {"content": ""}, {"content": []}], ids=["null", "missing", "empty", "list"])
async def test_b122_content_may_be_null_missing_empty_or_a_list(content: dict[str, Any]) -> None:
    message = {"role": "assistant", **content, "tool_calls": [_CALL]}
    whole = await Asked().of([completion(message, finish="tool_calls")])
    assert (whole.text, whole.calls) == ("", (ReplyCall("a", "f", "{}"),))
    parts = await said(chunk(**message), chunk(finish="tool_calls"), DONE)
    assert (parts.text, parts.calls) == (whole.text, whole.calls)


async def test_b122_what_we_send_with_calls_is_a_text_which_is_neither_null_nor_missing() -> None:
    """There is no setting per provider: an empty text is what all get."""
    asked = Asked()
    messages = (Message(Role.ASSISTANT, calls=(Call("a", "f", Veiled("{}")),)), Message(Role.TOOL, (Veiled("{}"),), answers="a"))
    await asked.of(["Listo."], Request("m", messages))
    assert [message["content"] for message in asked.endpoint.received[0].json["messages"]] == ["", "{}"]


def _busy(status: int, retry_after: str | None = None) -> PlainTextResponse:
    return PlainTextResponse("María", status_code=status, headers=None if retry_after is None else {"Retry-After": retry_after})


async def test_b125_a_busy_server_is_asked_again_no_earlier_than_it_says_and_not_all_at_once() -> None:
    asked = Asked()
    assert (await asked.of([_busy(429, "2"), _busy(503), "Listo."])).text == "Listo."
    assert asked.waits == [2 * (1 + JITTER), 2 * (1 + JITTER)]
    assert asked.endpoint.bodies == [REQUEST.encode()] * 3


async def test_b125_a_date_is_a_wait_too_and_a_long_one_is_handed_on() -> None:
    asked = Asked()
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=10), usegmt=True)
    await asked.of([_busy(429, soon), "Listo."])
    assert 0 < asked.waits[0] <= 10 * (1 + JITTER)
    with pytest.raises(ModelUnavailable) as caught:
        await Asked().of([_busy(429, str(LONGEST_PAUSE + 1))])
    assert caught.value.retry_after == LONGEST_PAUSE + 1


async def test_b125_after_the_first_piece_nothing_is_asked_again() -> None:
    asked = Asked()
    reply = await asked.of([stream(chunk("Ho"), cut=True), "Hola."])
    assert (reply.text, reply.finish, len(asked.endpoint.received), asked.waits) == ("Ho", None, 1, [])
