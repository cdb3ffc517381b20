"""The cut of long threads (DESIGN 4.8)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from assistant.context import CHARACTERS_PER_TOKEN, CUT_OVER, CUT_TO
from assistant.job import Parts
from assistant.model.openai_client import OpenAIModel
from assistant.turns import Turns
from tests.house import NOW, House
from tests.model_endpoint import calls

CONTEXT = 4_000
#: About a tenth of what may be sent.
LONG = "palabra " * round(CONTEXT * CHARACTERS_PER_TOKEN * 0.1 / 8)


@pytest.fixture
def short(house: House) -> House:
    """A house whose model takes in little."""
    model = OpenAIModel.at("http://model.test/v1", "key", transport=house.endpoint.transport())
    house.turns = Turns(Parts(house.database, model, lambda: NOW, context=CONTEXT), model="scripted", software="test")
    return house


def size(messages: list[dict[str, Any]]) -> int:
    return sum(len(str(message.get("content") or "")) for message in messages)


async def grown(house: House, turns: int) -> tuple[int, list[dict[str, Any]]]:
    """A thread of so many long turns, and the answers to them."""
    thread, answers = None, []
    for number in range(turns):
        house.script([calls(("list_team", {"skip": 0} if number % 2 else {})), f"Respuesta {number}: {LONG}"])
        answers.append(await house.ask(f"Pregunta {number}: {LONG}", thread=thread))
        thread = answers[-1]["thread_id"]
    assert thread is not None
    return thread, answers


async def test_a_history_over_the_limit_is_cut_far_below_it_and_says_so(short: House) -> None:
    _, answers = await grown(short, 8)
    dropped = [answer["dropped_questions"] for answer in answers]
    assert dropped[0] == 0
    assert dropped[-1] > 0
    assert dropped == sorted(dropped)
    requests = [request.json["messages"][1:] for request in short.endpoint.received]
    assert all(size(messages) <= (CUT_OVER + 0.3) * CONTEXT * CHARACTERS_PER_TOKEN for messages in requests)
    first = next(place for place, answer in enumerate(answers) if answer["dropped_questions"])
    opened = [messages for messages in requests if f"Pregunta {first}:" in messages[-1]["content"]]
    assert size(opened[0]) <= (CUT_TO + 0.1) * CONTEXT * CHARACTERS_PER_TOKEN


async def test_whole_turns_go_so_that_every_call_keeps_its_result(short: House) -> None:
    """B127: the first message that travels is a question, and no result is without its call."""
    await grown(short, 8)
    for request in short.endpoint.received:
        _, *messages = request.json["messages"]
        assert messages[0]["role"] == "user"
        waiting: list[str] = []
        for message in messages:
            if message["role"] == "tool":
                waiting.remove(message["tool_call_id"])
            else:
                assert not waiting
            waiting += [call["id"] for call in message.get("tool_calls", ())]
        assert not waiting


async def test_between_two_cuts_what_is_sent_only_grows(short: House) -> None:
    """Law 9: a cut is the one exception, and rare."""
    thread, answers = await grown(short, 9)
    cuts = len({answer["dropped_questions"] for answer in answers}) - 1
    bodies = [request.json["messages"] for request in short.endpoint.received]
    shrunk = sum(before != after[: len(before)] for before, after in pairwise(bodies))
    assert 0 < cuts == shrunk < len(answers) - 2
    rows = await short.sql("SELECT history_from FROM velo.turns WHERE thread_id = $1 ORDER BY id", thread)
    assert len({row["history_from"] for row in rows}) == cuts + 1


async def test_who_was_named_before_the_cut_stays_masked_behind_it(short: House) -> None:
    """Law 2: the cut is of what travels, never of what is known."""
    short.script(["Listo."])
    thread = (await short.ask("¿Qué pasó con Otoniel Ibarrola?"))["thread_id"]
    await short.sql("UPDATE crm.contacts SET name = 'Otro Nombre' WHERE id = 3")
    await short.sql("DELETE FROM crm.name_forms WHERE entity_id = 3 AND former")
    dropped = 0
    while not dropped:
        short.script([f"Sí. {LONG}"])
        dropped = (await short.ask(f"sigue {LONG}", thread=thread))["dropped_questions"]
    await short.ask("y dile a Ibarrola que venga", thread=thread)
    assert "Ibarrola" not in short.endpoint.text


async def test_one_question_that_is_too_long_by_itself_is_sent_and_then_cut(short: House) -> None:
    thread = (await short.ask("hola"))["thread_id"]
    assert (await short.ask(LONG * 9, thread=thread))["dropped_questions"] == 0
    assert "palabra" in short.last[-1]["content"]
    assert (await short.ask("¿y?", thread=thread))["dropped_questions"] == 2
    assert [message["role"] for message in short.last] == ["user"]


async def test_the_length_of_a_name_cuts_nothing(short: House) -> None:
    """Law 1: what counts is what travels."""
    dropped = []
    for name in ("Ada Roa", f"Adalgisa{'isa' * 60} Roa"):
        await short.sql("UPDATE crm.contacts SET name = $1 WHERE id = 5", name)
        thread, counts = None, []
        for _ in range(6):
            short.script([("C-1 y " * 200).strip()])
            answered = await short.ask("¿y " + f"{name}, " * 9 + "palabra " * 150 + "?", thread=thread)
            thread = answered["thread_id"]
            counts.append(answered["dropped_questions"])
        dropped.append(counts)
    assert dropped[0] == dropped[1]
    assert dropped[0][-1] > 0


async def test_the_ids_of_calls_go_on_behind_the_cut(short: House) -> None:
    """Servers refuse a request that holds one id twice."""
    _, answers = await grown(short, 9)
    assert answers[-1]["dropped_questions"] > 0
    for request in short.endpoint.received:
        ids = [call["id"] for message in request.json["messages"] for call in message.get("tool_calls", ())]
        assert len(ids) == len(set(ids))
    numbers = [int(call["id"].removeprefix("call_")) for row in await short.sql("SELECT calls FROM velo.messages WHERE role = 'calls' ORDER BY id") for call in row["calls"]]
    assert numbers == [*range(1, len(numbers) + 1)]
