"""What goes to the model is made of constants and veiled parts, and becomes bytes in one way only (law 9)."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veil.payload import Call, Constant, Message, Request, Role, body_of, canonical
from veil.text import Veiled

TOOLS = ({"type": "function", "function": {"name": "list_team"}},)
QUESTION = Message(Role.USER, (Constant("[hoy]\n"), Veiled("¿y C-1?")))
CALL = Message(Role.ASSISTANT, (Veiled("Busco"),), (Call("call_1", "list_team", Veiled("{}")),))
RESULT = Message(Role.TOOL, (Constant("<datos>"), Veiled('{"a":1}'), Constant("</datos>")), answers="call_1")


def test_the_body_is_canonical_json() -> None:
    body = Request("m", (QUESTION,), TOOLS).encode()
    assert (
        body
        == (
            '{"messages":[{"content":"[hoy]\\n¿y C-1?","role":"user"}],"model":"m","stream":true,"stream_options":{"include_usage":true},'
            '"tool_choice":"auto","tools":[{"function":{"name":"list_team"},"type":"function"}]}'
        ).encode()
    )


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        pytest.param(QUESTION, {"role": "user", "content": "[hoy]\n¿y C-1?"}, id="a question"),
        pytest.param(
            CALL,
            {
                "role": "assistant",
                "content": "Busco",
                "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "list_team", "arguments": "{}"}}],
            },
            id="a call",
        ),
        pytest.param(RESULT, {"role": "tool", "content": '<datos>{"a":1}</datos>', "tool_call_id": "call_1"}, id="a result"),
    ],
)
def test_messages_are_what_the_chat_completions_interface_wants(message: Message, expected: dict[str, object]) -> None:
    assert message.to_json() == expected


def test_what_came_from_people_the_crm_or_the_model_is_veiled() -> None:
    assert [part.text for message in (QUESTION, CALL, RESULT) for part in message.veiled()] == ["¿y C-1?", "Busco", "{}", '{"a":1}']


def test_without_tools_no_choice_of_tools_is_sent() -> None:
    sent = json.loads(Request("m", (QUESTION,)).encode())
    assert sent == {"model": "m", "messages": [QUESTION.to_json()], "stream": True, "stream_options": {"include_usage": True}}


def test_the_last_call_says_that_no_tool_may_be_chosen_and_sends_the_same_tools() -> None:
    auto, none = Request("m", (QUESTION,), TOOLS), Request("m", (QUESTION,), TOOLS, "none")
    assert json.loads(none.encode())["tool_choice"] == "none"
    assert auto.blocks() == none.blocks()


_MESSAGES = st.lists(
    st.builds(lambda role, text: Message(role, (Veiled(text),)), st.sampled_from([Role.USER, Role.ASSISTANT]), st.text(max_size=20)), max_size=5
)


@given(_MESSAGES, st.booleans())
def test_recorded_blocks_give_the_bytes_again(messages: list[Message], tools: bool) -> None:
    request = Request("m", tuple(messages), TOOLS if tools else ())
    assert body_of(request.blocks(), request.parameters()) == request.encode()
    assert [message["role"] for message in json.loads(request.encode())["messages"]] == [message.role for message in messages]


@given(_MESSAGES, _MESSAGES)
def test_further_messages_leave_the_bytes_before_them_alone(messages: list[Message], more: list[Message]) -> None:
    before = Request("m", tuple(messages)).blocks()[:-1]
    assert Request("m", (*messages, *more)).blocks()[: len(before)] == before


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"b": 1, "a": [True, None]}, b'{"a":[true,null],"b":1}'),
        ("ñ王😀", '"ñ王😀"'.encode()),
        ("a\u2028b</x>", '"a\u2028b</x>"'.encode()),
        ("\ud800", b'"?"'),
    ],
)
def test_json_has_one_form_only(value: object, expected: bytes) -> None:
    assert canonical(value) == expected
