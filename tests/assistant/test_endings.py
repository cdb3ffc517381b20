"""Every way a model can end a turn: each ends in a stored, sensible turn, every call gets exactly one result, and the next question works."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from starlette.responses import JSONResponse, Response

from assistant.errors import TurnFailed
from tests.house import House
from tests.model_endpoint import Scripted, calls, chunk, completion, stream

DONE = b"data: [DONE]\n\n"


def call(name: str, arguments: Any, call_id: Any = "call_1") -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def calling(*called: dict[str, Any]) -> dict[str, Any]:
    return completion({"role": "assistant", "content": None, "tool_calls": [*called]}, finish="tool_calls")


def echo(request: dict[str, Any]) -> Scripted:
    return json.dumps(request["messages"], ensure_ascii=False)


def never_ending(request: dict[str, Any]) -> Scripted:
    return calls(("list_team", {"skip": len(request["messages"])}), ("find_contacts", {}))


NO_ID: dict[str, Any] = {"type": "function", "function": {"name": "list_team", "arguments": "{}"}}
#: What the model does, the end of the turn, and what its answer holds.
ENDINGS: Sequence[tuple[str, Sequence[Scripted] | Callable[[dict[str, Any]], Scripted], str, str]] = [
    ("arguments that are no JSON", [calls(("list_team", '{"skip":')), "Listo."], "done", "Listo."),
    ("arguments that are a list", [calls(("show_contact", "[1,2]")), "Listo."], "done", "Listo."),
    ("arguments that are a number", [calling(call("show_contact", 7)), "Listo."], "done", "Listo."),
    ("arguments of 200 kB", [calls(("show_contact", json.dumps({"contact": "x" * 200_000}))), "Listo."], "done", "Listo."),
    ("a tool that nobody has", [calls(("multi_tool_use.parallel", {"tool_uses": []})), "Listo."], "done", "Listo."),
    ("a call without a name", [calling(call("", "{}")), "Listo."], "done", "Listo."),
    ("two calls with one id", [calling(call("list_team", "{}"), call("list_inboxes", "{}")), "Listo."], "done", "Listo."),
    ("calls without ids", [calling(NO_ID, NO_ID), "Listo."], "done", "Listo."),
    ("ids that are numbers", [calling(call("list_team", "{}", 7), call("list_inboxes", "{}", None)), "Listo."], "done", "Listo."),
    ("200 calls at once", [calling(*(call("find_contacts", json.dumps({"skip": n}), f"c{n}") for n in range(200))), "Listo."], "done", "Listo."),
    ("calls for ever", never_ending, "done", "No hubo respuesta"),
    ("no content", [completion({"role": "assistant"})], "done", "No hubo respuesta"),
    ("null content", [completion({"role": "assistant", "content": None})], "done", "No hubo respuesta"),
    ("white space only", [" \n\t "], "done", "No hubo respuesta"),
    ("content in parts", [completion({"role": "assistant", "content": [{"type": "text", "text": "Hola "}, {"type": "text", "text": "C-1"}]})], "done", "Hola Otoniel Ibarrola"),
    ("a refusal", [completion({"role": "assistant", "content": None, "refusal": "No puedo."})], "done", "No puedo."),
    ("a length stop", [completion({"role": "assistant", "content": "C-1 debe"}, finish="length")], "done", "Otoniel Ibarrola debe"),
    ("a content filter", [stream(chunk("Hola", finish="content_filter"), DONE)], "done", "Hola"),
    ("tokens of another thread", ["C-40 y U-9 llamaron."], "done", "C-40 y U-9 llamaron."),
    ("the prompt again", echo, "done", "Otoniel Ibarrola"),
    ("usage only", [stream(chunk(usage={"prompt_tokens": 1, "completion_tokens": 1}), DONE)], "done", "No hubo respuesta"),
    ("an empty body", [Response(b"")], "failed", ""),
    ("HTML", [Response(b"<html>", media_type="text/html")], "failed", ""),
    ("no choices", [JSONResponse({"choices": []})], "failed", ""),
    ("a cut before the first word", [stream(cut=True)], "failed", ""),
    ("400", [JSONResponse({"error": {"message": "Otoniel"}}, 400)], "failed", ""),
    ("401", [JSONResponse({"error": {"message": "Otoniel"}}, 401)], "failed", ""),
    ("429 for a long time", [JSONResponse({}, 429, {"Retry-After": "3600"})], "failed", ""),
    ("a broken answer", [stream(chunk("Uno "), b"data: {no\n\n")], "failed", "Uno"),
]  # fmt: skip


@pytest.mark.parametrize(("script", "state", "answer"), [pytest.param(*row[1:], id=row[0]) for row in ENDINGS])
async def test_whatever_the_model_does_the_turn_ends_and_the_next_one_works(house: House, script: Any, state: str, answer: str) -> None:
    house.script(script)
    if state == "failed":
        with pytest.raises(TurnFailed) as failure:
            await house.ask("¿Qué pasó con Otoniel Ibarrola?")
        assert len(failure.value.error_id or "") == 8
        thread, shown = failure.value.concerns["thread_id"], ""
    else:
        answered = await house.ask("¿Qué pasó con Otoniel Ibarrola?")
        thread, shown = answered["thread_id"], answered["message"]["text"]
    (turn,) = await house.sql("SELECT state, answer_id, ended_at, lease_owner, steps FROM velo.turns")
    assert (turn["state"], turn["lease_owner"]) == (state, None)
    assert turn["ended_at"] is not None
    if turn["answer_id"] is not None:
        (row,) = await house.sql("SELECT text FROM velo.messages WHERE id = $1", turn["answer_id"])
        assert answer in (shown or row["text"])
    assert bool(answer) == (turn["answer_id"] is not None)

    house.script(["Ya."])
    assert (await house.ask("¿y ahora?", thread=thread))["message"]["text"] == "Ya."
    for request in house.endpoint.received:
        check_pairs(request.json["messages"])
    assert "Otoniel" not in house.endpoint.text


def check_pairs(messages: list[dict[str, Any]]) -> None:
    """As strict servers check (B110): every call has one result, at once and in order; ids are never used twice; roles alternate."""
    waiting: list[str] = []
    seen: set[str] = set()
    before = ""
    for message in messages:
        if message["role"] == "tool":
            assert message["tool_call_id"] == waiting.pop(0)
            continue
        assert not waiting
        assert (before, message["role"]) not in {("user", "user"), ("assistant", "assistant")} or before == "calls"
        waiting = [call["id"] for call in message.get("tool_calls", ())]
        assert not seen.intersection(waiting)
        assert len(waiting) == len(set(waiting)) <= 16
        assert all(json.loads(call["function"]["arguments"]) is not None for call in message.get("tool_calls", ()))
        seen.update(waiting)
        before = "calls" if waiting else message["role"]
    assert not waiting


async def test_a_turn_of_only_calls_ends_after_five_requests_and_says_what_was_not_run(house: House) -> None:
    house.script(never_ending)
    answered = await house.ask("hola")
    assert len(house.endpoint.received) == 5
    assert [request.json.get("tool_choice") for request in house.endpoint.received] == ["auto"] * 4 + ["none"]
    assert len(answered["steps"]) == 8
