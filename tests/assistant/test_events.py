"""Turns that stream: what a reader is given, from any event on, in this process or another, and how a turn is stopped or breaks off."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager

import pytest

from assistant import events
from assistant.errors import NotFound, TurnFailed
from assistant.events import Event
from assistant.job import Parts
from assistant.model.openai_client import OpenAIModel
from assistant.turns import Turns
from tests.assistant.test_turns import asking
from tests.house import ADMIN, AGENT_OF_SALES, AGENT_OF_SUPPORT, NOW, House
from tests.model_endpoint import Scripted, calls, chunk, serving, stream

DONE = b"data: [DONE]\n\n"
#: Beyond what any step of these tests takes; a test that waits so long has failed.
PATIENCE = 20


@asynccontextmanager
async def server(house: House, *script: Scripted) -> AsyncIterator[Turns]:
    """A server whose model speaks over a real line, so that it streams."""
    if script:
        house.script(list(script))
    async with serving(house.endpoint) as url:
        model = OpenAIModel.at(url, "key")
        turns = Turns(Parts(house.database, model, lambda: NOW), model="scripted", software="test")
        try:
            async with turns.listening():
                yield turns
        finally:
            await turns.interrupt()
            await model.close()


async def all_of(turns: Turns, turn: int, *, after: int = 0) -> list[Event]:
    async with asyncio.timeout(PATIENCE):
        return [event async for event in turns.events(ADMIN, turn, after) if event is not None]


async def until(turns: Turns, turn: int, kind: str) -> list[Event]:
    """The events up to the first one of a kind."""
    found: list[Event] = []
    async with asyncio.timeout(PATIENCE), aclosing(turns.events(ADMIN, turn, 0)) as following:
        async for event in following:
            found += [event] if event is not None else []
            if found[-1].kind == kind:
                return found
    raise AssertionError(f"no {kind} among {[event.kind for event in found]}")


async def called(house: House) -> None:
    """Return once the model was asked."""
    async with asyncio.timeout(PATIENCE):
        while not house.endpoint.received:  # noqa: ASYNC110 - the endpoint is a plain list
            await asyncio.sleep(0.01)


def answer_of(found: list[Event]) -> str:
    """The answer as its pieces give it."""
    last = max((event.body["call"] for event in found if event.kind == events.TEXT), default=0)
    return "".join(event.body["text"] for event in found if event.kind == events.TEXT and event.body["call"] == last)


# --- what a reader is given ----------------------------------------------------------------------------------------------------------------


async def test_a_turn_is_told_from_its_start_to_its_end(house: House) -> None:
    async with server(house, calls(("show_contact", {"contact": "C-1"})), "C-1 escribió desde C-1.phone.") as turns:
        turn = await turns.ask(ADMIN, asking("¿Qué pasó con Otoniel Ibarrola?"))
        found = await all_of(turns, turn)
        kinds = [event.kind for event in found]
        assert kinds[:3] == ["turn.started", "step.started", "step.completed"]
        assert set(kinds[3:-1]) == {"text.delta"}
        assert kinds[-1] == "turn.done"
        assert [event.seq for event in found] == [*range(1, len(found) + 1)]
        assert found[1].body == {"step": 1, "tool": "show_contact"}
        assert found[2].body.keys() == {"step", "tool", "status", "ms"}
        assert found[-1].body == await turns.finished(ADMIN, turn)


async def test_the_pieces_of_an_answer_are_the_answer_with_its_marks(house: House) -> None:
    async with server(house, "  Hola: C-1 (C-1.phone) y C-99.\n\n") as turns:
        turn = await turns.ask(ADMIN, asking("¿y Otoniel Ibarrola?"))
        found = await all_of(turns, turn)
        message = found[-1].body["message"]
        assert answer_of(found) == message["text"] == "Hola: Otoniel Ibarrola (+56983456789) y C-99."
        at, marks = 0, []
        for event in found[1:-1]:
            marks += [{**mark, "start": mark["start"] + at, "end": mark["end"] + at} for mark in event.body["marks"]]
            at += len(event.body["text"])
        assert marks == message["marks"]


async def test_the_first_words_are_shown_while_the_model_still_speaks(house: House) -> None:
    more = asyncio.Event()
    async with server(house, stream(chunk("María "), more, chunk("llamó.", finish="stop"), DONE)) as turns:
        turn = await turns.ask(ADMIN, asking("hola"))
        found = await until(turns, turn, events.TEXT)
        assert found[-1].body["text"] == "María"
        more.set()
        assert answer_of(await all_of(turns, turn)) == "María llamó."


async def test_no_half_of_a_token_is_ever_shown(house: House) -> None:
    """B042, B045: what may still become a token is held, however long it takes."""
    gates = [asyncio.Event() for _ in range(4)]
    pieces: list[bytes | asyncio.Event] = [chunk("Hola C"), gates[0], chunk("-"), gates[1], chunk(""), chunk("1"), gates[2], chunk(" y"), gates[3], chunk(".", finish="stop"), DONE]
    async with server(house, stream(*pieces)) as turns:
        turn = await turns.ask(ADMIN, asking("¿y Otoniel Ibarrola?"))
        shown: list[str] = []
        async with asyncio.timeout(PATIENCE), aclosing(turns.events(ADMIN, turn, 0)) as following:
            async for event in following:
                if event is not None and event.kind == events.TEXT:
                    shown.append(event.body["text"])
                    for gate in gates:
                        gate.set()
        assert "".join(shown) == "Hola Otoniel Ibarrola y."
        assert shown[0].strip() == "Hola"


async def test_what_is_said_beside_a_call_is_no_part_of_the_answer(house: House) -> None:
    async with server(house, calls(("list_team", {}), text="Voy a mirar."), "Listo.") as turns:
        turn = await turns.ask(ADMIN, asking("hola"))
        found = await all_of(turns, turn)
        assert answer_of(found) == found[-1].body["message"]["text"] == "Listo."
        assert {event.body["call"] for event in found if event.kind == events.TEXT} <= {1, 2}


async def test_every_reader_is_shown_what_they_may_see_now(house: House) -> None:
    async with server(house, "C-1 está al día; su teléfono es C-1.phone.") as turns:
        turn = await turns.ask(AGENT_OF_SUPPORT, asking("¿y Rosa Luz?"))
        before = [event async for event in turns.events(AGENT_OF_SUPPORT, turn, 0) if event is not None]
        assert answer_of(before) == "Rosa Luz está al día; su teléfono es +56994567890."
        await house.sql("UPDATE crm.conversations SET inbox_id = 2 WHERE contact_id = 4")
        after = [event async for event in turns.events(AGENT_OF_SUPPORT, turn, 0) if event is not None]
        assert answer_of(after) == after[-1].body["message"]["text"] == "C-1 está al día; su teléfono es C-1.phone."


async def test_events_are_stored_veiled(house: House) -> None:
    async with server(house, calls(("read_messages", {"contact": "C-1"})), "C-1, el del C-1.phone, escribió.") as turns:
        turn = await turns.ask(ADMIN, asking("¿Qué pasó con María López?"))
        await all_of(turns, turn)
    rows = await house.sql("SELECT kind, body::text AS body FROM velo.turn_events WHERE turn_id = $1", turn)
    assert len(rows) > 4
    assert not [row for row in rows for word in ("María", "López", "6123") if word in row["body"]]


async def test_nobody_elses_turn_can_be_followed(house: House) -> None:
    answered = await house.ask("hola")
    with pytest.raises(NotFound):
        await anext(house.turns.events(AGENT_OF_SALES, answered["turn_id"], 0))


# --- from any event on, in any process -----------------------------------------------------------------------------------------------------


async def test_a_reader_can_begin_behind_any_event(house: House) -> None:
    async with server(house, calls(("show_contact", {"contact": "C-1"})), "C-1 escribió; C-1 llamó.") as turns, server(house) as other:
        turn = await turns.ask(ADMIN, asking("¿Qué pasó con Otoniel Ibarrola?"))
        whole = await all_of(turns, turn)
        for number in range(len(whole) + 2):
            assert await all_of(turns, turn, after=number) == await all_of(other, turn, after=number) == whole[number:]


async def test_another_process_follows_a_turn_while_it_runs(house: House) -> None:
    more = asyncio.Event()
    script = stream(chunk("Escribió C-1"), chunk(", y "), more, chunk("llamó.", finish="stop"), DONE)
    async with server(house, script) as turns, server(house) as other:
        turn = await turns.ask(ADMIN, asking("¿y Otoniel Ibarrola?"))
        following = asyncio.create_task(all_of(other, turn))
        assert (await until(other, turn, events.TEXT))[-1].body["text"].startswith("Escribió")
        more.set()
        found = await following
        assert found == await all_of(turns, turn)
        assert answer_of(found) == "Escribió Otoniel Ibarrola, y llamó."


async def test_a_reader_who_leaves_does_not_end_the_turn(house: House) -> None:
    more = asyncio.Event()
    async with server(house, stream(chunk("Uno "), more, chunk("dos.", finish="stop"), DONE)) as turns:
        turn = await turns.ask(ADMIN, asking("hola"))
        await until(turns, turn, events.TEXT)
        more.set()
        assert (await turns.finished(ADMIN, turn))["message"]["text"] == "Uno dos."


async def test_a_turn_whose_process_is_gone_ends_for_its_readers(house: House) -> None:
    gate = asyncio.Event()
    async with server(house, stream(chunk("Uno"), gate)) as turns, server(house) as other:
        turn = await turns.ask(ADMIN, asking("hola"))
        await until(other, turn, events.TEXT)
        await house.sql("UPDATE velo.turns SET lease_until = now() - interval '1 second' WHERE id = $1", turn)
        found = await all_of(other, turn)
        assert found[-1].kind == "turn.failed"
        assert "interrupted" in found[-1].body["detail"]
        gate.set()


# --- stopping ------------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", [True, False], ids=["in mid-answer", "before the first word"])
async def test_a_turn_is_stopped_from_another_process_and_the_line_to_the_model_is_closed(house: House, said: bool) -> None:
    """B053, but for the reader who leaves: here that ends nothing, a stop does."""
    talk = stream(*([chunk("C-1 debe tres cuotas y C-1")] if said else []), asyncio.Event())
    async with server(house, talk) as turns, server(house) as other:
        turn = await turns.ask(ADMIN, asking("¿y Otoniel Ibarrola?"))
        if said:
            await until(turns, turn, events.TEXT)
        await called(house)
        await other.stop(ADMIN, turn)
        async with asyncio.timeout(PATIENCE):
            await talk.left.wait()
        found = await all_of(other, turn)
        assert found == await all_of(turns, turn)
        assert found[-1].kind == "turn.stopped"
        message = found[-1].body["message"]
        assert (message is not None) == said
        if message is not None:
            assert (message["state"], message["finish"]) == ("stopped", "cut")
            assert message["text"] == answer_of(found) == "Otoniel Ibarrola debe tres cuotas y C-1"
        with pytest.raises(TurnFailed, match="stopped"):
            await turns.finished(ADMIN, turn)


async def test_what_came_back_before_a_stop_is_in_the_record(house: House) -> None:
    async with server(house, stream(chunk("C-1 debe "), chunk("tres"), asyncio.Event())) as turns:
        turn = await turns.ask(ADMIN, asking("¿y Otoniel Ibarrola?"))
        await until(turns, turn, events.TEXT)
        await turns.stop(ADMIN, turn)
        (call,) = (await turns.veiled(ADMIN, turn))["calls"]
    assert call["status"] == "cut"
    assert call["response"]["text"].startswith("C-1 debe")
    assert call["response"]["finish"] is None


async def test_the_next_question_goes_on_behind_a_stopped_answer(house: House) -> None:
    async with server(house, stream(chunk("C-1 debe "), asyncio.Event()), "Nada.") as turns:
        turn = await turns.ask(ADMIN, asking("¿y Otoniel Ibarrola?"))
        await until(turns, turn, events.TEXT)
        await turns.stop(ADMIN, turn)
        (row,) = await house.sql("SELECT thread_id FROM velo.turns WHERE id = $1", turn)
        again = await turns.ask(ADMIN, asking("¿cuánto?", row["thread_id"]))
        assert (await turns.finished(ADMIN, again))["message"]["text"] == "Nada."
    assert [(message["role"], message["content"].rpartition("\n")[2]) for message in house.last] == [
        ("user", "¿y C-1?"),
        ("assistant", "C-1 debe"),
        ("user", "¿cuánto?"),
    ]


async def test_a_process_that_ends_interrupts_its_turns_and_says_so(house: House) -> None:
    async with server(house, stream(chunk("Uno dos"), asyncio.Event())) as turns:
        turn = await turns.ask(ADMIN, asking("hola"))
        await until(turns, turn, events.TEXT)
        await turns.interrupt()
        found = await all_of(turns, turn)
        assert found[-1].kind == "turn.failed"
        assert found[-1].body["message"]["text"] == "Uno dos"
    (row,) = await house.sql("SELECT state FROM velo.turns WHERE id = $1", turn)
    assert row["state"] == "interrupted"


# --- answers that break off ----------------------------------------------------------------------------------------------------------------

BREAKS = [
    pytest.param(stream(chunk("C-1 debe tres y C-1"), cut=True), id="the line is cut"),
    pytest.param(stream(chunk("C-1 debe tres y C-1")), id="the body ends without an end"),
    pytest.param(stream(chunk("C-1 debe tres y C-1"), b'data: {"error":{"message":"Otoniel"}}\n\n'), id="an error in mid-stream"),
    pytest.param(stream(chunk("C-1 debe tres y C-1"), b"data: {no json\n\n"), id="no JSON"),
]


@pytest.mark.parametrize("script", BREAKS)
async def test_an_answer_that_breaks_off_is_kept_and_never_shown_as_finished(house: House, script: Scripted) -> None:
    async with server(house, script, "Ya.") as turns:
        turn = await turns.ask(ADMIN, asking("¿y Otoniel Ibarrola?"))
        found = await all_of(turns, turn)
        last = found[-1]
        assert last.kind == "turn.failed"
        assert len(last.body["error_id"]) == 8
        assert last.body["message"]["text"] == answer_of(found) == "Otoniel Ibarrola debe tres y C-1"
        assert (last.body["message"]["state"], last.body["message"]["finish"]) == ("failed", "cut")
        thread = last.body["thread_id"]
        question, answer = await turns.messages(ADMIN, thread)
        assert question["error_id"] == last.body["error_id"]
        assert answer == last.body["message"]
        again = await turns.ask(ADMIN, asking("¿y ahora?", thread))
        assert (await turns.finished(ADMIN, again))["message"]["text"] == "Ya."
    assert "Otoniel" not in house.endpoint.text


async def test_an_answer_that_is_too_long_for_the_model_says_so(house: House) -> None:
    async with server(house, stream(chunk("Uno dos", finish="length"), DONE)) as turns:
        answered = await turns.finished(ADMIN, await turns.ask(ADMIN, asking("hola")))
        assert (answered["message"]["text"], answered["finish"], answered["message"]["finish"]) == ("Uno dos", "length", "length")


async def test_events_wait_for_a_database_that_is_away_and_keep_their_order(house: House) -> None:
    kept = events.Events(house.database, express=house.database, metrics=Parts(house.database, house.turns._parts.model, lambda: NOW).metrics)
    answered = await house.ask("hola")
    await house.sql("DELETE FROM velo.turn_events")
    key = (1, answered["turn_id"])
    kept.open(key)
    async with house.owner.tenant(1) as connection:
        await connection.execute("LOCK TABLE velo.turn_events IN EXCLUSIVE MODE")
        for number in range(3):
            kept.add(key, events.TEXT, {"call": 1, "pieces": [str(number)]})
    last = await kept.last(key, "done")
    kept.close(key, last)
    assert [event.kind for event in last][-1] == events.DONE
    rows = await house.sql("SELECT seq FROM velo.turn_events ORDER BY seq")
    assert [row["seq"] for row in rows] + [event.seq for event in last] == [2, 3, 4, 5]
