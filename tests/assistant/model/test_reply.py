"""Completions as vendors write them."""

import json
from typing import Any

import pytest

from assistant.errors import ModelError, ModelMalformed, ModelRejected, ModelUnavailable
from assistant.model.port import ReplyCall, Usage
from assistant.model.reply import read_reply


def reply_to(message: Any, **others: Any) -> Any:
    return read_reply(json.dumps({"choices": [{"message": message, **others}]}).encode())


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("hola", "hola"),
        (None, ""),
        ("", ""),
        ([{"type": "text", "text": "ho"}, {"type": "text", "text": "la"}], "hola"),
        ([{"type": "reasoning", "reasoning": "…"}, "hola", {"type": "text"}, 7, None], "hola"),
        ([], ""),
        (7, ""),
        ({"text": "hola"}, ""),
        ("a\0b\ud800c", "ab?c"),
        (["\ud83d", "\0\ude00"], "😀"),
    ],
)
def test_content_of_any_shape_is_read(content: Any, text: str) -> None:
    assert reply_to({"content": content}).text == text


@pytest.mark.parametrize("message", [None, [], "hola", {}, {"tool_calls": None}, {"tool_calls": []}, {"tool_calls": "x"}])
def test_a_message_without_content_is_an_empty_text_without_calls(message: Any) -> None:
    reply = reply_to(message)
    assert (reply.text, reply.calls) == ("", ())


def test_a_refusal_is_the_text_when_there_is_no_content() -> None:
    assert reply_to({"content": None, "refusal": "no"}).text == "no"


@pytest.mark.parametrize(
    ("arguments", "read"),
    [
        ('{"a":1}', '{"a":1}'),
        ("", ""),
        (None, None),
        ({"b": 1, "a": "ñ"}, '{"a":"ñ","b":1}'),
        ([], "[]"),
        ("{", "{"),
        (3, "3"),
    ],
)
def test_arguments_of_any_shape_are_read(arguments: Any, read: str | None) -> None:
    (call,) = reply_to({"tool_calls": [{"id": "x", "function": {"name": "team", "arguments": arguments}}]}).calls
    assert call == ReplyCall("x", "team", read)


@pytest.mark.parametrize(
    ("call", "read"),
    [
        ({"function": {"name": "team"}}, ReplyCall(None, "team", None)),
        ({"id": "", "function": {"name": "team"}}, ReplyCall(None, "team", None)),
        ({"id": 7, "function": {"name": None}}, ReplyCall(None, "", None)),
        ({"id": "x"}, ReplyCall("x", "", None)),
        ({"id": "x", "function": "team"}, ReplyCall("x", "", None)),
    ],
)
def test_incomplete_calls_are_kept_for_the_turn_to_answer(call: Any, read: ReplyCall) -> None:
    assert reply_to({"tool_calls": [call]}).calls == (read,)


def test_what_is_no_call_at_all_is_left_out() -> None:
    assert reply_to({"tool_calls": [None, "x", {"id": "x", "function": {"name": "team"}}]}).calls == (ReplyCall("x", "team", None),)


def test_the_older_function_call_is_a_call() -> None:
    assert reply_to({"function_call": {"name": "team", "arguments": "{}"}}).calls == (ReplyCall(None, "team", "{}"),)


_READ = [("stop", "stop"), ("length", "length"), ("odd", "odd"), ("STOP", "stop"), ("eos_token", "stop"), ("MAX_TOKENS", "length"), ("tool_use", "tool_calls")]


@pytest.mark.parametrize(("finish", "read"), [*_READ, *((none, "stop") for none in (None, 3, "", "null"))])
def test_any_finish_reason_is_read_and_a_whole_answer_without_one_has_stopped(finish: Any, read: str) -> None:
    assert reply_to({"content": "x"}, finish_reason=finish).finish == read


@pytest.mark.parametrize(
    ("usage", "read"),
    [
        ({"prompt_tokens": 3, "completion_tokens": 4}, Usage(3, 4)),
        ({"prompt_tokens": None, "completion_tokens": 4}, None),
        ({"prompt_tokens": -3, "completion_tokens": 4}, None),
        (None, None),
        ([], None),
    ],
)
def test_usage_is_read_or_missing(usage: Any, read: Usage | None) -> None:
    body = json.dumps({"choices": [{"message": {"content": "x"}}], "usage": usage}).encode()
    assert read_reply(body).usage == read


def test_raw_is_the_same_for_the_same_reply_and_holds_all_of_it() -> None:
    message = {
        "content": "hola",
        "tool_calls": [{"id": "x", "function": {"name": "team", "arguments": "{}"}}],
        "noise": 1,
    }
    reply = reply_to(message, finish_reason="stop")
    assert reply.raw == reply_to(dict(reversed(message.items())), finish_reason="stop", other=1).raw
    assert json.loads(reply.raw) == {
        "text": "hola",
        "calls": [{"id": "x", "name": "team", "arguments": "{}"}],
        "finish": "stop",
        "usage": None,
    }


@pytest.mark.parametrize(
    ("completion", "error"),
    [
        ({"error": {"message": "María", "code": 429}}, ModelUnavailable),
        ({"error": {"message": "María", "code": 400}}, ModelRejected),
        ({"error": "María", "choices": [{"message": {"content": "x"}}]}, ModelUnavailable),
        ({"object": "error", "code": 404}, ModelRejected),
        ({"choices": [{"message": {"content": "x"}, "finish_reason": "error"}]}, ModelUnavailable),
        ({"choices": [{"error": {"code": 503}}]}, ModelUnavailable),
        ({"error": None, "choices": []}, ModelMalformed),
    ],
)
def test_an_error_in_the_place_of_an_answer_is_one(completion: Any, error: type[ModelError]) -> None:
    with pytest.raises(error) as caught:
        read_reply(json.dumps(completion).encode())
    assert "María" not in str(caught.value)
