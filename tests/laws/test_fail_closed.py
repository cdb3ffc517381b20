"""Law 8: what cannot be veiled is not sent, and the next turn works."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from starlette.responses import JSONResponse, Response

from assistant import loop
from assistant.errors import AssistantError, ThreadBusy, TurnFailed
from assistant.runner import Runner
from db.errors import DatabaseError, Unavailable
from tests.house import ADMIN, House
from tests.laws.witness import assert_prefix_stable, leaked_by
from tests.model_endpoint import calls, completion
from veil import guard, names, resolve, store, veiling
from veil.errors import VeilError

WATCHED = ("otoniel", "ibarrola", "83456789")
BODY = "vi a Otoniel Ibarrola ayer"


def misses(monkeypatch: pytest.MonkeyPatch, about: str) -> None:
    """The veiling reads names over in every text that holds these words."""
    find = names.find
    monkeypatch.setattr(names, "find", lambda text, *args, **kwargs: [] if about in text else find(text, *args, **kwargs))


def unpaired(messages: list[dict[str, Any]]) -> Iterator[str]:
    """Calls without exactly one result right behind them, and results without a call."""
    waiting: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            if message["tool_call_id"] not in waiting:
                yield f"result of {message['tool_call_id']}"
            else:
                waiting.remove(message["tool_call_id"])
            continue
        yield from waiting
        waiting = [call["id"] for call in message.get("tool_calls", ())]
    yield from waiting


@pytest.fixture
def unmaskable(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the guard finds cannot be masked in place."""
    monkeypatch.setattr(loop, "mask", lambda *_: False)


async def test_what_veiling_misses_in_a_question_is_masked_in_place(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    thread = (await house.ask("Otoniel Ibarrola"))["thread_id"]
    misses(monkeypatch, "vi a")
    await house.ask(f"{BODY}, ¿y Zulema Pacheco?", thread=thread)
    assert re.fullmatch(r"vi a (?:\[dato\] ?)+ ayer, ¿y .*\?", house.question)
    assert not leaked_by(house, WATCHED)
    await house.ask("¿y?", thread=thread)
    assert_prefix_stable(house)


@pytest.mark.parametrize("times", [1, 3], ids=["once", "three times"])
async def test_what_veiling_misses_in_a_result_is_masked_in_place(house: House, monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    await house.sql("INSERT INTO crm.messages (tenant_id, conversation_id, body) VALUES (1, 100, $1)", " y ".join([BODY] * times))
    misses(monkeypatch, "vi a")
    house.script([calls(("read_messages", {"contact": "C-2"})), "ok"])
    answer = await house.ask("Otoniel Ibarrola, María López")
    assert answer["message"]["text"] == "ok"
    assert house.last[-1]["content"].count("vi a [dato]") == times
    assert not leaked_by(house, WATCHED)


@pytest.mark.parametrize("place", ["text", "argument", "key"])
async def test_what_veiling_misses_in_the_models_own_words_is_masked_in_place(house: House, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    thread = (await house.ask("Otoniel Ibarrola"))["thread_id"]
    misses(monkeypatch, "vi a")
    arguments = {"text": {}, "argument": {"label": BODY}, "key": {BODY: 1}}[place]
    house.script([calls(("find_contacts", arguments), text=BODY if place == "text" else ""), "ok"])
    assert (await house.ask("¿y?", thread=thread))["message"]["text"] == "ok"
    assert not leaked_by(house, WATCHED)


async def test_what_veiling_misses_in_an_answer_is_masked_when_it_is_sent_back(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    misses(monkeypatch, "vi a")
    house.script([BODY])
    thread = (await house.ask("Otoniel Ibarrola"))["thread_id"]
    await house.ask("¿y?", thread=thread)
    assert house.last[1]["content"].startswith("vi a [dato]")
    assert not leaked_by(house, WATCHED)


async def blocked(house: House, text: str, thread: int | None) -> None:
    """The turn ends with an error id, and nothing was sent that held the text."""
    before = len(house.endpoint.received)
    error = await house.failed(text, thread=thread)
    assert isinstance(error, TurnFailed)
    assert error.error_id is not None
    assert len(error.error_id) == 8
    assert error.error_id in {row["id"] for row in await house.sql("SELECT id FROM velo.errors WHERE kind = 'leak'")}
    assert not leaked_by(house, WATCHED)
    assert BODY not in json.dumps([request.json for request in house.endpoint.received[before:]], ensure_ascii=False)


@pytest.mark.usefixtures("unmaskable")
async def test_a_second_hit_in_a_question_sends_nothing_and_withholds_it(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    thread = (await house.ask("Otoniel Ibarrola"))["thread_id"]
    misses(monkeypatch, "vi a")
    await blocked(house, BODY, thread)
    assert len(house.endpoint.received) == 1, "nothing was sent"
    for _ in range(2):
        house.restart()
        await house.ask("¿y ahora?", thread=thread)
    assert house.last[2]["content"].endswith("]\n[contenido retenido]")
    messages = await house.turns.messages(ADMIN, thread)
    assert next(message for message in messages if message["withheld"])["text"] == BODY, "the person keeps their text"
    assert_prefix_stable(house)


@pytest.mark.usefixtures("unmaskable")
async def test_a_second_hit_in_a_result_withholds_it_and_keeps_its_call(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    await house.sql("INSERT INTO crm.messages (tenant_id, conversation_id, body) VALUES (1, 100, $1)", BODY)
    misses(monkeypatch, "vi a")
    thread = (await house.ask("Otoniel Ibarrola, María López"))["thread_id"]
    house.script([calls(("read_messages", {"contact": "C-2"}), ("list_inboxes", {}))])
    await blocked(house, "¿qué dijo?", thread)
    house.script(["ok"])
    await house.ask("¿y ahora?", thread=thread)
    results = [message for message in house.last if message["role"] == "tool"]
    assert [result["tool_call_id"] for result in results] == ["call_1", "call_2"]
    assert "[contenido retenido]" in results[0]["content"]
    assert "inboxes" in results[1]["content"]
    assert not list(unpaired(house.last))


@pytest.mark.usefixtures("unmaskable")
async def test_a_second_hit_in_the_models_own_call_withholds_its_arguments_and_keeps_its_result(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    thread = (await house.ask("Otoniel Ibarrola"))["thread_id"]
    misses(monkeypatch, "vi a")
    house.script([calls(("find_contacts", {"label": BODY}))])
    await blocked(house, "¿y?", thread)
    house.script(["ok"])
    await house.ask("¿y ahora?", thread=thread)
    assert not list(unpaired(house.last))
    assert not leaked_by(house, WATCHED)


@pytest.mark.usefixtures("unmaskable")
async def test_a_second_hit_in_an_old_answer_withholds_the_answer(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    misses(monkeypatch, "vi a")
    house.script([BODY])
    thread = (await house.ask("Otoniel Ibarrola"))["thread_id"]
    await blocked(house, "¿y?", thread)
    await house.ask("¿y ahora?", thread=thread)
    assert house.last[1] == {"role": "assistant", "content": "[contenido retenido]"}


def _raise(error: Exception) -> Callable[..., Any]:
    def broken(*_: object, **__: object) -> None:
        raise error

    return broken


def _raise_later(error: Exception) -> Callable[..., Any]:
    async def broken(*_: object, **__: object) -> None:
        raise error

    return broken


BREAKS: dict[str, tuple[Any, str, Any]] = {
    "look-up": (resolve, "names", _raise_later(Unavailable("Otoniel Ibarrola"))),
    "values": (resolve, "values", _raise_later(DatabaseError("Otoniel Ibarrola"))),
    "reload": (store, "reload", _raise_later(DatabaseError("Otoniel Ibarrola"))),
    "minting": (store, "give", _raise_later(VeilError("Otoniel Ibarrola"))),
    "reading": (veiling, "read", _raise(ValueError("Otoniel Ibarrola"))),
    "deciding": (veiling, "decide_question", _raise(KeyError("Otoniel Ibarrola"))),
    "rendering": (veiling, "render", _raise(RecursionError("Otoniel Ibarrola"))),
    "guard": (guard, "inspect", _raise(TypeError("Otoniel Ibarrola"))),
}


@pytest.mark.parametrize(("module", "name", "broken"), BREAKS.values(), ids=BREAKS)
async def test_a_question_that_was_never_veiled_does_not_leave_with_the_next_turn(
    house: House, monkeypatch: pytest.MonkeyPatch, module: Any, name: str, broken: Any
) -> None:
    thread = (await house.ask("hola"))["thread_id"]
    with monkeypatch.context() as patch:
        patch.setattr(module, name, broken)
        error = await house.failed("llama a Otoniel Ibarrola al 983456789, a pepe@otra.example o a Casimiro Antipan, y mira 123456785", thread=thread)
        assert isinstance(error, TurnFailed)
        assert len(house.endpoint.received) == 1, "nothing was sent"
    house.restart()
    await house.ask("¿y?", thread=thread)
    assert house.question == "¿y?"
    assert not leaked_by(house, (*WATCHED, "pepeotra", "casimiro", "antipan", "123456785"))
    await house.ask("¿nada?", thread=thread)
    assert_prefix_stable(house)
    kept = await house.sql("SELECT kind, place, detail::text AS detail FROM velo.errors")
    assert kept
    assert "Otoniel" not in str([dict(row) for row in kept])


async def test_a_server_that_dies_between_storing_and_veiling_leaks_nothing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    thread = (await house.ask("hola"))["thread_id"]
    with monkeypatch.context() as patch:
        patch.setattr(Runner, "start", lambda self, job: None)
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(house.ask("llama a Otoniel Ibarrola al 983456789", thread=thread), 0.3)
    house.restart()
    assert isinstance(await house.failed("¿y?", thread=thread), ThreadBusy), "the lease still runs"
    await house.sql("UPDATE velo.turns SET lease_until = now() - interval '1 second' WHERE state = 'running'")
    await house.ask("¿y?", thread=thread)
    assert not leaked_by(house, WATCHED)


async def test_a_text_that_is_no_longer_the_one_that_was_marked_is_withheld_whole(house: House) -> None:
    thread = (await house.ask("¿Qué pasó con Otoniel Ibarrola?"))["thread_id"]
    await house.sql("UPDATE velo.messages SET text = 'xx ' || text WHERE role = 'user'")
    await house.ask("¿y?", thread=thread)
    assert house.last[0]["content"].endswith("]\n[contenido retenido]")
    assert not leaked_by(house, WATCHED)


BAD_DAYS: dict[str, Any] = {
    "refused": JSONResponse({"error": {"message": "Otoniel Ibarrola is not allowed"}}, status_code=400),
    "no JSON": Response("Otoniel Ibarrola", media_type="application/json"),
    "no choices": {"id": "x", "object": "chat.completion", "created": 0, "model": "m", "choices": []},
    "not a completion": {"Otoniel": "Ibarrola"},
}


@pytest.mark.parametrize("day", BAD_DAYS.values(), ids=BAD_DAYS)
async def test_after_a_bad_day_of_the_model_the_next_turn_works(house: House, day: Any) -> None:
    thread = (await house.ask("hola"))["thread_id"]
    for script in ([day], [calls(("list_team", {})), day]):
        house.script(script)
        error = await house.failed("¿Qué pasó con Otoniel Ibarrola?", thread=thread)
        assert isinstance(error, TurnFailed)
        assert "toniel" not in f"{error} {error.detail}"
        house.script(["ok"])
        assert (await house.ask("¿y ahora?", thread=thread))["message"]["text"] == "ok"
        assert not list(unpaired(house.last))
    assert not leaked_by(house, WATCHED)
    assert_prefix_stable(house)


ODD_REPLIES: dict[str, Any] = {
    "endless tool calls": calls(*[("list_team", {})] * 12),
    "empty": completion({"role": "assistant", "content": None}),
    "nothing but a call without a name": calls(("", "")),
    "no arguments": completion({"role": "assistant", "content": None, "tool_calls": [{"id": "a", "type": "function", "function": {"name": "list_team", "arguments": ""}}]}),
    "one id twice": completion({"role": "assistant", "content": None, "tool_calls": [{"id": "a", "type": "function", "function": {"name": "list_team", "arguments": "{}"}}] * 2}),
    "cut": completion({"role": "assistant", "content": "U-1"}, finish="length"),
    "half a surrogate": "\ud83d no",
    "NUL": "a\0b",
    "long": "U-1, " * 9_000,
    "broken arguments": calls(("find_contacts", '{"label": "x'), ("find_contacts", "[" * 5000)),
}


@pytest.mark.parametrize("reply", ODD_REPLIES.values(), ids=ODD_REPLIES)
async def test_whatever_the_model_says_the_turn_ends_within_five_calls_and_the_next_one_works(house: House, reply: Any) -> None:
    house.script([reply])
    try:
        thread = (await house.ask("hola"))["thread_id"]
    except AssistantError:
        thread = (await house.sql("SELECT max(id) AS id FROM velo.threads"))[0]["id"]
    assert len(house.endpoint.received) <= 5
    house.script(["ok"])
    assert (await house.ask("¿y ahora?", thread=thread))["message"]["text"] == "ok"
    assert not list(unpaired(house.last))
    assert_prefix_stable(house)


async def test_the_fifth_call_asks_for_no_tools_and_calls_that_come_all_the_same_are_not_run(house: House) -> None:
    house.script([calls(*[("list_team", {})] * 12)])
    answer = await house.ask("hola")
    choices = [json.loads(body)["tool_choice"] for body in house.endpoint.bodies]
    assert choices == ["auto"] * 4 + ["none"]
    run = [step for step in answer["steps"] if step["status"] != "skipped"]
    assert len(run) == 20


async def test_two_tabs_do_not_ask_at_once(house: House) -> None:
    thread = (await house.ask("hola"))["thread_id"]
    other = House(house.database, house.owner, house.endpoint)
    results = await asyncio.gather(house.ask("uno", thread=thread), other.ask("dos", thread=thread), return_exceptions=True)
    busy = [result for result in results if isinstance(result, ThreadBusy)]
    assert len(busy) == 1
    assert busy[0].retry_after
    stored = await house.sql("SELECT FROM velo.messages WHERE role = 'user'")
    assert len(stored) == 2, "nothing is stored of the question that was turned away"


async def test_a_turn_whose_lease_is_lost_sends_nothing_more_and_stores_no_answer(house: House) -> None:
    async def taken(body: dict[str, Any]) -> None:
        await house.sql("UPDATE velo.turns SET lease_owner = gen_random_uuid()")

    steal: list[asyncio.Task[None]] = []

    def reply(body: dict[str, Any]) -> Any:
        steal.append(asyncio.get_running_loop().create_task(taken(body)))
        return calls(("list_team", {}), ("list_inboxes", {}), ("list_team", {}))

    house.script(reply)
    turn = asyncio.create_task(house.ask("hola"))
    await asyncio.sleep(1)
    turn.cancel()
    assert len(house.endpoint.received) == 1
    assert not await house.sql("SELECT FROM velo.messages WHERE role = 'assistant'")
