"""A streamed answer is the same answer: whatever the vendor's dialect, and wherever the network cuts it.

A completion is streamed in the dialects of several vendors, framed in any way the format allows, and cut at any bytes; what is read is what
``read_reply`` reads from the same completion in one body, and the pieces that were heard are its text.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import ModelMalformed, ModelRejected, ModelUnavailable
from assistant.model.port import Reply, ReplyCall, Usage
from assistant.model.reply import LONGEST, read_reply
from assistant.model.stream import LONGEST_EVENT, Answer, events

# --- reading ---------------------------------------------------------------------------------------------------------------------------------


async def _network(chunks: Sequence[bytes]) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk


async def read(chunks: Sequence[bytes]) -> tuple[Answer, list[str]]:
    """The answer in a body that comes in these chunks, closed if it is whole, and the pieces that were heard."""
    answer = Answer()
    heard = [answer.take(event.event, event.data) async for event in events(_network(chunks))]
    if answer.whole:
        heard.append(answer.close())
    return answer, [piece for piece in heard if piece]


def framed(*payloads: Any, ending: str = "\n") -> bytes:
    lines = (payload if isinstance(payload, str) else json.dumps(payload) for payload in payloads)
    return "".join(f"data: {line}{ending}{ending}" for line in lines).encode()


def said(content: Any = None, *, finish: str | None = None, **delta: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta if content is None else {**delta, "content": content}, "finish_reason": finish}]}


def called(*pieces: Mapping[str, Any]) -> dict[str, Any]:
    return said(tool_calls=list(pieces))


async def calls_of(*deltas: dict[str, Any]) -> list[tuple[str | None, str, str | None]]:
    answer, _ = await read([framed(*deltas, said(finish="tool_calls"), "[DONE]")])
    return [(call.id, call.name, call.arguments) for call in answer.reply().calls]


# --- the vendors' dialects ---------------------------------------------------------------------------------------------------------------------

Split = Callable[[str], list[str]]
Completion = dict[str, Any]


def _cut(completion: Completion, split: Split) -> tuple[list[str], list[dict[str, Any]], str, Any]:
    (choice,) = completion["choices"]
    message = choice["message"]
    return split(message["content"] or ""), message.get("tool_calls", []), choice["finish_reason"], completion.get("usage")


def _opened(call: dict[str, Any], arguments: str) -> dict[str, Any]:
    return {**call, "function": {"name": call["function"]["name"], "arguments": arguments}}


def openai(completion: Completion, split: Split) -> Iterator[Any]:
    """The role first; calls one after the other, the id in the first piece only; the usage in a chunk of its own."""
    pieces, calls, finish, usage = _cut(completion, split)
    yield said("", role="assistant", refusal=None)
    yield from ({**said(piece), "usage": None} for piece in pieces)
    for index, call in enumerate(calls):
        yield called({"index": index, **_opened(call, "")})
        yield from (called({"index": index, "function": {"arguments": piece}}) for piece in split(call["function"]["arguments"]))
    yield said(finish=finish)
    yield {"choices": [], "usage": usage}
    yield "[DONE]"


def azure(completion: Completion, split: Split) -> Iterator[Any]:
    """A first chunk without a choice for what was filtered in the prompt, results of the filter in each chunk, calls interleaved."""
    pieces, calls, finish, usage = _cut(completion, split)
    yield {"choices": [], "created": 0, "id": "", "model": "", "prompt_filter_results": [{"prompt_index": 0, "content_filter_results": {}}]}
    yield said(role="assistant")
    for piece in pieces:
        chunk = said(piece)
        chunk["choices"][0]["content_filter_results"] = {"hate": {"filtered": False}}
        yield chunk
    yield from (called({"index": index, **_opened(call, "")}) for index, call in enumerate(calls))
    cut = [split(call["function"]["arguments"]) for call in calls]
    for round_ in range(max(map(len, cut), default=0)):
        yield called(*({"index": index, "function": {"arguments": own[round_]}} for index, own in enumerate(cut) if round_ < len(own)))
    yield said(finish=finish)
    yield {"choices": [], "usage": usage}
    yield "[DONE]"


def vllm(completion: Completion, split: Split) -> Iterator[Any]:
    """Reasoning beside the content; every piece of a call has another id; the usage so far in each chunk."""
    pieces, calls, finish, usage = _cut(completion, split)
    so_far = {"prompt_tokens": 1, "completion_tokens": 0} if usage else None
    yield {**said(role="assistant", content="", reasoning_content="Pienso en C-1."), "usage": so_far}
    yield from (said(piece, reasoning_content=None, tool_calls=[]) for piece in pieces)
    for index, call in enumerate(calls):
        yield called({"index": index, **_opened(call, "")})
        for number, piece in enumerate(split(call["function"]["arguments"])):
            yield called({"index": index, "id": f"chatcmpl-tool-{index}-{number}", "function": {"name": None, "arguments": piece}})
    yield said(finish=finish)
    yield {"choices": [], "usage": usage}
    yield "[DONE]"


def ollama(completion: Completion, split: Split) -> Iterator[Any]:
    """Whole calls, all with the index 0, their arguments an object or a text."""
    pieces, calls, finish, usage = _cut(completion, split)
    yield from (said(piece, role="assistant") for piece in pieces)
    if calls:
        yield said("", role="assistant", tool_calls=[{"index": 0, **call} for call in calls])
    yield {**said("", finish=finish), "usage": usage}
    yield "[DONE]"


def gemini(completion: Completion, split: Split) -> Iterator[Any]:
    """Whole calls without an index; the reason with the last piece; no [DONE]."""
    pieces, calls, finish, usage = _cut(completion, split)
    yield from (said(piece) for piece in pieces)
    yield {**said(finish=finish, tool_calls=calls), "usage": usage}


def repeating(completion: Completion, split: Split) -> Iterator[Any]:
    """Id and name in each piece of a call; contents as lists of parts; null where nothing is to be said; an empty reason until there is one."""
    pieces, calls, finish, usage = _cut(completion, split)
    yield {"choices": None}
    yield {"choices": [{"index": 0, "delta": None, "finish_reason": ""}]}
    yield from (said([{"type": "thinking", "thinking": "…"}, {"type": "text", "text": piece}]) for piece in pieces)
    for index, call in enumerate(calls):
        yield from (called({"index": index, **_opened(call, piece)}) for piece in split(call["function"]["arguments"]))
    yield {"choices": [{"index": 0, "delta": {}, "finish_reason": finish}], "usage": usage}
    yield "[DONE]"


DIALECTS = (openai, azure, vllm, ollama, gemini, repeating)

# --- the law -----------------------------------------------------------------------------------------------------------------------------------

_LETTERS = st.text(st.sampled_from("aC-17ñ你😀\0\ud83d\ude00\ud800 \n\r\"\\:{}"), max_size=12)
_ARGUMENTS = st.dictionaries(st.text("aéñ😀 ", min_size=1, max_size=3), st.one_of(_LETTERS, st.integers(), st.none()), min_size=1, max_size=2)
_CALLS = st.lists(st.tuples(st.sampled_from(["show_contact", "list_team"]), _ARGUMENTS), max_size=3)
_USAGE = st.one_of(st.none(), st.builds(lambda read, written: {"prompt_tokens": read, "completion_tokens": written}, st.integers(2, 9), st.integers(0, 9)))
_ENDINGS = st.sampled_from(["\n", "\r\n", "\r"])
_NOISE = st.sampled_from(["", ": ping", ":", "retry: 10", "id: 7", "event: message", "data:", "unknown", "id"])


@st.composite
def completions(draw: st.DrawFn) -> Completion:
    calls = [
        {"id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}}
        for number, (name, arguments) in enumerate(draw(_CALLS))
    ]
    message = {"role": "assistant", "content": draw(st.one_of(st.none(), _LETTERS)), **({"tool_calls": calls} if calls else {})}
    finish = draw(st.sampled_from(["stop", "tool_calls", "length", "content_filter"]))
    return {"choices": [{"index": 0, "message": message, "finish_reason": finish}], "usage": draw(_USAGE)}


@st.composite
def bodies(draw: st.DrawFn, payloads: Sequence[Any]) -> bytes:
    """The events in any framing that the format allows."""
    ending, blank = draw(_ENDINGS), draw(st.sampled_from(["", " "]))
    escaped = draw(st.booleans())
    lines: list[str] = []
    for payload in payloads:
        lines += [draw(_NOISE), *([""] if draw(st.booleans()) else [])]
        data = payload if isinstance(payload, str) else json.dumps(payload, ensure_ascii=escaped or not _sayable(payload))
        lines += [f"data:{blank}{data}", ""]
    return draw(st.sampled_from(["", "\ufeff"])).encode() + ending.join([*lines, ""]).encode()


def _sayable(payload: Any) -> bool:
    """Whether it can be written without escapes: half a pair of surrogates cannot."""
    return json.dumps(payload, ensure_ascii=False).encode("utf-8", "replace").decode() == json.dumps(payload, ensure_ascii=False)


@st.composite
def cuts(draw: st.DrawFn, whole: Any) -> list[Any]:
    places = sorted(draw(st.lists(st.integers(0, len(whole)), max_size=12)))
    return [whole[start:end] for start, end in zip([0, *places], [*places, len(whole)], strict=True)]


@given(completions(), st.sampled_from(DIALECTS), st.data())
async def test_every_dialect_in_every_cut_gives_what_the_whole_body_gives(completion: Completion, dialect: Any, data: st.DataObject) -> None:
    payloads = list(dialect(completion, lambda text: data.draw(cuts(text))))
    body = data.draw(bodies(payloads))
    answer, heard = await read(data.draw(cuts(body)))
    assert answer.whole
    assert answer.reply() == read_reply(json.dumps(completion).encode())
    assert "".join(heard) == answer.reply().text


@given(completions(), st.sampled_from(DIALECTS), st.data())
async def test_a_stream_that_stops_anywhere_is_whole_or_gives_a_beginning_of_the_text(completion: Completion, dialect: Any, data: st.DataObject) -> None:
    body = framed(*dialect(completion, lambda text: data.draw(cuts(text))))
    answer, heard = await read([body[: data.draw(st.integers(0, len(body)))]])
    whole = read_reply(json.dumps(completion).encode())
    assert whole.text.startswith("".join(heard))
    if answer.whole:
        assert (answer.reply().text, answer.reply().calls, answer.reply().finish) == (whole.text, whole.calls, whole.finish)
    else:
        assert (answer.cut().text, answer.cut().calls, answer.cut().finish) == ("".join(heard), (), None)


# --- what the law does not say -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("deltas", "text"),
    [
        pytest.param([said(role="assistant"), said(content=None), said("a")], "a", id="nothing"),
        pytest.param([said(refusal="No "), said(refusal="puedo.")], "No puedo.", id="refusal"),
        pytest.param([said(refusal="No."), said("Sí.")], "Sí.", id="content-after-refusal"),
        pytest.param([said(reasoning_content="Pienso"), said(reasoning="Pienso"), said("a")], "a", id="reasoning"),
        pytest.param([said("\ud83d"), said("\ude00")], "😀", id="pair"),
        pytest.param([said("\ud83d"), said("\0"), said("\ude00")], "😀", id="pair-around-nul"),
        pytest.param([said("a\ud83d")], "a?", id="half-at-the-end"),
        pytest.param([said("\ud83d"), said("b")], "?b", id="half"),
        pytest.param([{"choices": [{"index": 1, "delta": {"content": "b"}}, {"index": 0, "delta": {"content": "a"}}]}], "a", id="choice-1"),
        pytest.param([{"choices": [{"delta": {"content": "a"}}]}], "a", id="no-index"),
        pytest.param([{"choices": [None, "x"]}, {"choices": {}}, {}, said("a")], "a", id="no-choice"),
        pytest.param([{"choices": [{"message": {"content": "hola"}}]}], "hola", id="message"),
        pytest.param([said("ho"), said("la"), {"choices": [{"message": {"content": "hola"}}]}], "hola", id="message-after-deltas"),
        pytest.param([said(7), said({"text": "x"}), said("a")], "a", id="no-text"),
    ],
)
async def test_the_text_is_that_of_the_first_choice_clean(deltas: list[Any], text: str) -> None:
    answer, heard = await read([framed(*deltas, "[DONE]")])
    assert "".join(heard) == answer.reply().text == text


@pytest.mark.parametrize(
    ("deltas", "calls"),
    [
        pytest.param(
            [called({"id": "a", "function": {"name": "f", "arguments": "{"}}), called({"function": {"arguments": "}"}})],
            [("a", "f", "{}")],
            id="no-index",
        ),
        pytest.param(
            [
                called({"id": "a", "function": {"name": "f", "arguments": "{"}}),
                called({"id": "b", "function": {"name": "g", "arguments": "["}}),
                called({"id": "a", "function": {"arguments": "}"}}),
                called({"id": "b", "function": {"arguments": "]"}}),
            ],
            [("a", "f", "{}"), ("b", "g", "[]")],
            id="by-id",
        ),
        pytest.param(
            [called({"function": {"name": "f", "arguments": "{}"}}), called({"function": {"name": "f", "arguments": "{}"}})],
            [(None, "f", "{}"), (None, "f", "{}")],
            id="neither",
        ),
        pytest.param(
            [called({"function": {"name": "f"}}, {"function": {"name": "g"}})],
            [(None, "f", None), (None, "g", None)],
            id="neither-in-one-chunk",
        ),
        pytest.param(
            [called({"index": 0, "id": "x", "function": {"name": "f"}}), called({"index": 1, "id": "x", "function": {"name": "g"}})],
            [("x", "f", None), ("x", "g", None)],
            id="one-id-twice",
        ),
        pytest.param(
            [called({"index": 0, "id": "a", "function": {"name": "f"}}), called({"index": 0, "id": "b", "function": {"name": "g"}})],
            [("a", "f", None), ("b", "g", None)],
            id="one-index-twice",
        ),
        pytest.param(
            [called({"index": 0, "id": "a", "function": {"name": "show_"}}), called({"index": 0, "function": {"name": "contact", "arguments": "{}"}})],
            [("a", "show_contact", "{}")],
            id="name-in-pieces",
        ),
        pytest.param(
            [called({"index": 1, "id": "b", "function": {"name": "g"}}), called({"index": 0, "id": "a", "function": {"name": "f"}})],
            [("a", "f", None), ("b", "g", None)],
            id="in-the-order-of-the-index",
        ),
        pytest.param([called({"index": 0, "id": "a", "function": {"name": "f", "arguments": {"q": 1}}})], [("a", "f", '{"q":1}')], id="object"),
        pytest.param([called({"index": 0, "id": 7, "function": {"name": None}})], [(None, "", None)], id="no-texts"),
        pytest.param([called(None, "x")], [], id="no-calls"),  # type: ignore[arg-type]
        pytest.param([said(tool_calls="x"), said(tool_calls=None)], [], id="no-list"),
        pytest.param(
            [said(function_call={"name": "f", "arguments": ""}), said(function_call={"arguments": "{}"})], [(None, "f", "{}")], id="the-older-call"
        ),
        pytest.param(
            [called({"index": 0, "function": {"arguments": '"\ud83d'}}), called({"index": 0, "function": {"arguments": '\ude00"'}})],
            [(None, "", '"😀"')],
            id="pair",
        ),
        pytest.param(
            [called(*({"index": n, "id": str(n), "function": {"name": "f", "arguments": "{}"}} for n in range(200)))],
            [(str(n), "f", "{}") for n in range(200)],
            id="200",
        ),
    ],
)
async def test_pieces_of_calls_are_put_together(deltas: list[dict[str, Any]], calls: list[tuple[str | None, str, str | None]]) -> None:
    assert await calls_of(*deltas) == calls


@pytest.mark.parametrize(
    ("data", "error"),
    [
        ({"error": {"message": "María", "code": 400}}, ModelRejected(400)),
        ({"error": {"message": "María", "code": 429}}, ModelUnavailable()),
        ({"error": {"message": "María", "code": "server_error"}}, ModelUnavailable()),
        ({"error": "María"}, ModelUnavailable()),
        ({"object": "error", "message": "María", "code": 404}, ModelRejected(404)),
        ({"choices": [{"error": {"message": "María", "code": 401}}]}, ModelRejected(401)),
        (said("María", finish="error"), ModelUnavailable()),
        ("María", ModelMalformed()),
        ('{"choices":', ModelMalformed()),
        ([], ModelMalformed()),
        ("null", ModelMalformed()),
        ("[" * 99_999, ModelMalformed()),
    ],
    ids=["refused", "busy", "broken", "text", "vllm", "choice", "reason", "no-json", "half", "list", "null", "deep"],
)
async def test_an_error_in_the_stream_ends_it_and_says_nothing(data: Any, error: Exception) -> None:
    answer, heard = await read([framed(said("ho"), data, said("la", finish="stop"), "[DONE]")])
    assert (type(answer.failure), str(answer.failure)) == (type(error), str(error))
    assert (heard, answer.whole, answer.cut()) == (["ho"], False, read_cut("ho"))


@pytest.mark.parametrize("data", [b'{"message":"no"}', b"no", b""])
async def test_an_event_that_is_called_an_error_is_one(data: bytes) -> None:
    answer, _ = await read([framed(said("ho")) + b"event: error\ndata: " + data + b"\n\n"])
    assert isinstance(answer.failure, ModelUnavailable)


@pytest.mark.parametrize("error", [None, "", {}, False])
async def test_an_error_that_is_none_is_none(error: Any) -> None:
    answer, _ = await read([framed({**said("hola", finish="stop"), "error": error})])
    assert answer.whole


async def test_a_mark_of_the_byte_order_and_a_missing_end_of_the_last_line_cost_nothing() -> None:
    body = "\ufeff".encode() + framed(said("ho"), said("la", finish="stop")).rstrip(b"\n")
    for cut in range(len(body)):
        answer, heard = await read([body[:cut], body[cut:]])
        assert (heard, answer.whole) == (["ho", "la"], True)


async def test_without_a_reason_the_answer_is_whole_if_the_stream_says_that_it_is_done() -> None:
    answer, _ = await read([framed(said("hola"), "[DONE]", said("!"))])
    assert answer.reply() == read_reply(json.dumps({"choices": [{"message": {"content": "hola"}}]}).encode())


async def test_usage_may_come_anywhere_and_the_last_counts() -> None:
    first, last = ({"usage": {"prompt_tokens": 1, "completion_tokens": written}} for written in (1, 2))
    answer, _ = await read([framed({**said("hola"), **first}, {**said(finish="stop"), **last}, {"choices": [], "usage": None}, "[DONE]")])
    assert answer.reply().usage == Usage(1, 2)


@pytest.mark.parametrize("content", ["x" * (LONGEST + 1), "😀" * (LONGEST + 1), "\0x" * (LONGEST + 1)], ids=["ascii", "wide", "nul"])
async def test_a_text_without_end_ends_at_the_longest_streamed_or_not(content: str) -> None:
    pieces = [said(content[start : start + 999]) for start in range(0, len(content), 999)]
    answer, heard = await read([framed(*pieces, called({"index": 0, "function": {"name": "f"}}), said(finish="stop"), "[DONE]")])
    message = {"content": content, "tool_calls": [{"function": {"name": "f"}}]}
    assert answer.over
    assert answer.reply() == read_reply(json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]}).encode())
    assert (answer.reply().finish, len("".join(heard))) == ("length", LONGEST)


async def test_a_line_without_end_is_not_kept() -> None:
    with pytest.raises(Exception, match="byte limit"):
        await read([b"data: ", *[b"x" * 2**16] * (LONGEST_EVENT // 2**16 + 1)])


async def test_a_call_counts_as_a_beginning_and_a_refusal_does_not() -> None:
    assert not (await read([framed(said(role="assistant"), said(refusal="No"), said(reasoning_content="x"))]))[0].begun
    assert (await read([framed(called({"index": 0, "function": {"name": "f"}}))]))[0].begun
    assert (await read([framed(said(function_call={"name": "f"}))]))[0].begun
    assert (await read([framed(said("a"))]))[0].begun


def read_cut(text: str) -> Reply:
    raw = json.dumps({"calls": [], "finish": None, "text": text, "usage": None}, separators=(",", ":")).encode()
    return Reply(text, (), None, None, raw)


def test_the_call_of_a_piece_is_the_call_of_the_port() -> None:
    answer = Answer()
    answer.take("message", json.dumps(called({"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}})))
    answer.take("message", "[DONE]")
    assert answer.reply().calls == (ReplyCall("a", "f", "{}"),)
