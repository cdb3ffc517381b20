"""Turns that run in a process: stopped at odd moments, beside other tenants, by servers that lose their database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from assistant import events
from assistant.errors import ThreadBusy
from assistant.job import Job
from assistant.runner import Runner
from db.errors import Unavailable
from db.pool import Connection, Database
from tests.assistant.models import Held, turns_with
from tests.assistant.test_turns import asking
from tests.house import ADMIN, AGENT_OF_SUPPORT, OTHER_ADMIN, House
from tests.veil.counting import Counting

PATIENCE = 20


async def state_of(house: House, turn: int) -> str:
    (row,) = await house.sql("SELECT state FROM velo.turns WHERE id = $1", turn)
    state: str = row["state"]
    return state


async def test_a_turn_that_is_stopped_before_its_first_step_ends(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    start = Runner.start

    def start_and_stop(runner: Runner, job: Job) -> None:
        start(runner, job)
        runner.stop((1, job.turn_id))

    monkeypatch.setattr(Runner, "start", start_and_stop)
    turns = turns_with(house, Held())
    turn = await turns.ask(ADMIN, asking("hola"))
    await turns.idle()
    assert await state_of(house, turn) == "stopped"
    last = [event async for event in turns.events(ADMIN, turn, 0) if event is not None][-1]
    assert last.kind == "turn.stopped"


async def test_a_stop_that_comes_when_the_answer_is_there_changes_nothing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    end = Runner._end_now

    async def end_while_stopped(runner: Runner, job: Job, *arguments: Any, **options: Any) -> None:
        runner.stop((1, job.turn_id))
        await end(runner, job, *arguments, **options)

    monkeypatch.setattr(Runner, "_end_now", end_while_stopped)
    house.script(["Listo."])
    answered = await house.ask("hola")
    assert answered["message"]["text"] == "Listo."
    assert await state_of(house, answered["turn_id"]) == "done"


async def test_rows_that_one_tenant_waits_for_hold_up_nobody_else(house: House) -> None:
    model = Held()
    turns = turns_with(house, model)
    first = await turns.ask(ADMIN, asking("hola"))
    await model.asked.wait()
    async with house.owner.tenant(1) as connection:
        await connection.execute("SELECT FROM velo.turns WHERE id = $1 FOR UPDATE", first)
        turns._events.add((1, first), events.STEP_STARTED, {"step": 1, "tool": "list_team"})
        second = await turns.ask(OTHER_ADMIN, asking("oi"))
        model.go.set()
        async with asyncio.timeout(PATIENCE / 4):
            assert (await turns.finished(OTHER_ADMIN, second))["message"]["text"] == "Listo."
    assert (await turns.finished(ADMIN, first))["message"]["text"] == "Listo."


async def test_a_thread_that_is_deleted_while_it_answers_silences_no_other(house: House) -> None:
    model = Held()
    turns = turns_with(house, model)
    gone = await turns.ask(ADMIN, asking("hola"))
    await model.asked.wait()
    other = await turns.ask(ADMIN, asking("otra"))
    await house.sql("DELETE FROM velo.threads WHERE id = (SELECT thread_id FROM velo.turns WHERE id = $1)", gone)
    for turn in (gone, other):
        turns._events.add((1, turn), events.STEP_STARTED, {"step": 1, "tool": "list_team"})
    async with asyncio.timeout(PATIENCE):
        async for event in turns.events(ADMIN, other, 1):
            if event is not None:
                break
    model.go.set()
    await turns.idle()
    assert await state_of(house, other) == "done"


async def test_a_reader_that_is_ahead_of_this_process_is_given_nothing_twice(house: House) -> None:
    model = Held()
    turns = turns_with(house, model)
    turn = await turns.ask(ADMIN, asking("hola"))
    await model.asked.wait()
    following = asyncio.create_task(anext(turns.events(ADMIN, turn, 2)))
    await asyncio.sleep(0)
    model.go.set()
    async with asyncio.timeout(PATIENCE):
        event = await following
    assert event is not None
    assert event.seq == 3


async def test_a_question_whose_commit_was_not_acknowledged_locks_nothing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The turn is stored and bears our name, but nobody performs it: the next question ends it."""
    thread = (await house.turns.open_thread(ADMIN, None, b""))["thread_id"]
    with monkeypatch.context() as patch:
        patch.setattr(house.database, "tenant", _losing_the_answer_of(house.database, "velo.take_turn"))
        with pytest.raises(Unavailable):
            await house.turns.ask(ADMIN, asking("hola", thread))
    with pytest.raises(ThreadBusy):
        await house.turns.ask(ADMIN, asking("hola", thread))  # it could be about to start
    await house.sql("UPDATE velo.turns SET created_at = now() - interval '3 seconds'")
    assert (await house.ask("hola", thread=thread))["message"]["text"] == "Listo."


def _losing_the_answer_of(database: Database, statement: str) -> Any:
    """A database whose commit of a transaction with this statement goes through and is not acknowledged."""
    real = database.tenant

    @asynccontextmanager
    async def tenant(number: int, **options: Any) -> AsyncIterator[Connection]:
        async with real(number, **options) as connection:
            counting = Counting(connection)
            yield counting
        if any(statement in query for query in counting.statements):
            raise Unavailable("the connection to the database was lost")

    return tenant


async def test_numbers_that_the_model_made_up_are_never_given_however_many(house: House) -> None:
    house.script([" ".join(f"C-{number}" for number in range(1, 2_501))])
    thread = (await house.ask("hola"))["thread_id"]
    house.script(["Bien."])
    await house.ask("¿Qué pasó con María López?", thread=thread)
    assert house.question == "¿Qué pasó con C-2501?"


@pytest.mark.parametrize("said", ["Hablé con Otoniel Ibarrola ayer.", "Hablé con Nadie Conocido ayer."])
async def test_a_name_of_the_models_own_is_shown_as_it_came_whoever_bears_it(house: House, said: str) -> None:
    """Hiding it would tell the reader that it is somebody whom they may not see."""
    house.script([said])
    turn = await house.turns.ask(AGENT_OF_SUPPORT, asking("hola"))
    answered = await house.turns.finished(AGENT_OF_SUPPORT, turn)
    found = [event async for event in house.turns.events(AGENT_OF_SUPPORT, turn, 0) if event is not None]
    assert "".join(event.body["text"] for event in found if event.kind == events.TEXT) == answered["message"]["text"] == said
    assert answered["message"]["marks"] == []


async def test_a_name_of_the_models_own_goes_back_masked_and_is_erased_with_its_bearer(house: House) -> None:
    house.script(["Hablé con Zulema Pacheco ayer."])
    thread = (await house.ask("hola"))["thread_id"]
    await house.ask("¿y?", thread=thread)
    assert house.last[1]["content"] == "Hablé con [nombre] ayer."
    await house.sql("DELETE FROM crm.contacts WHERE id = 5")
    assert (await house.turns.messages(ADMIN, thread))[1]["text"] == "Hablé con [borrado] ayer."
