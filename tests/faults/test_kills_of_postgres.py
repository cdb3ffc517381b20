"""Postgres is lost in any step of a turn, and the server lives: the turn ends with its answer or with an error id, and its thread goes on.

What the server sees of a Postgres that was killed is that all its connections are cut and its open transactions undone; so they are cut.
``test_postgres_away`` kills a real one.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Any

import pytest

from tests.faults.aftermath import half_stored, mispaired
from tests.faults.stage import Stage
from tests.faults.steps import ANSWER, FIRST, SECOND, STEPS, THIRD, Step
from tests.laws.payloads import broken_prefix

#: With which status a question ends. Where it is not listed its answer comes late, and comes.
STATUS = {"before_the_question_is_stored": 503, "before_names_are_looked_up": 502, "between_minting_and_marking": 502}


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
async def test_a_turn_that_loses_postgres_ends_and_its_thread_goes_on(stage: Stage, step: Step) -> None:
    start = len(stage.endpoint.received)
    stage.script("C-1 escribió ayer.", ANSWER)
    thread = (await stage.served.ask(FIRST))["thread_id"]
    stage.script(ANSWER)
    asking: list[asyncio.Task[Any]] = []
    async with AsyncExitStack() as stack:
        await step(stage, stack, lambda: asking.append(asyncio.create_task(stage.served.post(SECOND, thread=thread))))
        stage.line.cut()
    response = await asking[0]
    assert response.status_code == STATUS.get(step.__name__, 200), response.text
    assert response.status_code == 200 or len(response.json()["error_id"]) == 8
    stage.script(ANSWER)
    answered = await stage.served.ask(THIRD, thread=thread)
    assert answered["message"]["text"] == "María López escribió ayer y Otoniel Ibarrola todavía no ha contestado nada."
    turns = await stage.sql("SELECT FROM velo.turns WHERE thread_id = $1", thread)
    assert len(turns) == (2 if response.status_code == 503 else 3)
    sent = [received.json for received in stage.endpoint.received[start:]]
    assert broken_prefix(sent) is None
    assert [mispaired(body["messages"]) for body in sent] == [[]] * len(sent)
    for name, statement in half_stored().items():
        assert not await stage.sql(statement), name
