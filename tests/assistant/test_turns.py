"""A question becomes a turn: one at a time per thread, once per key, for one's own threads only, and never stuck (section 4.2, laws 5 and 8)."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from typing import Any

import pytest

from assistant.errors import (
    AssistantError,
    KeyReused,
    ModelMalformed,
    ModelRejected,
    ModelTimedOut,
    ModelUnavailable,
    NotFound,
    ThreadBusy,
    TurnFailed,
    Unprocessable,
)
from assistant.question import Ask, Mention
from tests.assistant.models import Failing, Held, turns_with
from tests.house import ADMIN, AGENT_OF_SALES, AGENT_OF_SUPPORT, OTHER_ADMIN, House
from tools.permissions import Actor
from veil.text import Clear
from veil.tokens import Kind


def asking(text: str, thread: int | None = None, *, key: str | None = None, mentions: tuple[Mention, ...] = ()) -> Ask:
    return Ask(Clear(text), thread, mentions, key, sha256(text.encode()).digest())


async def stored(house: House) -> dict[str, int]:
    """How much the schema of threads holds."""
    tables = ("threads", "messages", "turns", "tokens", "errors", "model_calls")
    return {table: (await house.sql(f"SELECT count(*) AS rows FROM velo.{table}"))[0]["rows"] for table in tables}


# --- one turn at a time ---------------------------------------------------------------------------------------------------------------------


async def test_a_second_question_of_a_busy_thread_is_refused_and_leaves_nothing_behind(house: House) -> None:
    model = Held()
    turns = turns_with(house, model)
    turn = await turns.ask(ADMIN, asking("¿Qué pasó con María López?"))
    await model.asked.wait()
    (row,) = await house.sql("SELECT thread_id FROM velo.turns WHERE id = $1", turn)
    before = await stored(house)
    with pytest.raises(ThreadBusy) as refused:
        await house.turns.ask(ADMIN, asking("¿y Otoniel?", row["thread_id"]))
    assert 1 <= (refused.value.retry_after or 0) <= 5
    assert await stored(house) == before
    model.go.set()
    answered = await turns.finished(ADMIN, turn)
    assert answered["message"]["text"] == "Listo."
    assert (await house.ask("¿y Otoniel?", thread=answered["thread_id"]))["message"]["text"] == "Listo."


async def test_two_questions_of_one_thread_at_once_give_one_turn(house: House) -> None:
    thread = (await house.turns.open_thread(ADMIN, None, b""))["thread_id"]
    model = Held()
    servers = [turns_with(house, model) for _ in range(4)]
    results = await asyncio.gather(*(server.ask(ADMIN, asking("hola", thread)) for server in servers), return_exceptions=True)
    assert sorted(type(result).__name__ for result in results) == ["ThreadBusy", "ThreadBusy", "ThreadBusy", "int"]
    model.go.set()
    for server in servers:
        await server.idle()


async def test_a_turn_whose_lease_has_run_out_gives_the_thread_free_and_loses_its_answer(house: House) -> None:
    model = Held()
    lost = turns_with(house, model)
    turn = await lost.ask(ADMIN, asking("primera"))
    await model.asked.wait()
    await house.sql("UPDATE velo.turns SET lease_until = now() - interval '1 second' WHERE id = $1", turn)
    (row,) = await house.sql("SELECT thread_id FROM velo.turns WHERE id = $1", turn)
    assert (await house.ask("segunda", thread=row["thread_id"]))["message"]["text"] == "Listo."
    model.go.set()
    with pytest.raises(TurnFailed, match="interrupted"):
        await lost.finished(ADMIN, turn)
    shown = await house.turns.messages(ADMIN, row["thread_id"])
    assert [(message["role"], message["text"]) for message in shown] == [("user", "primera"), ("user", "segunda"), ("assistant", "Listo.")]


async def test_whoever_waits_for_a_turn_of_a_dead_server_learns_its_end(house: House) -> None:
    model = Held()
    dead = turns_with(house, model)
    turn = await dead.ask(ADMIN, asking("hola"))
    await model.asked.wait()
    await house.sql("UPDATE velo.turns SET lease_until = now() - interval '1 second' WHERE id = $1", turn)
    with pytest.raises(TurnFailed, match="interrupted"):
        await asyncio.wait_for(house.turns.finished(ADMIN, turn), 5)
    model.go.set()
    await dead.idle()


async def test_a_server_that_stops_waits_for_its_turns(house: House) -> None:
    turn = await house.turns.ask(ADMIN, asking("hola"))
    await house.turns.idle()
    (row,) = await house.sql("SELECT state FROM velo.turns WHERE id = $1", turn)
    assert row["state"] == "done"
    await house.turns.idle()


# --- once per key --------------------------------------------------------------------------------------------------------------------------


async def test_the_same_key_and_body_give_the_same_turn(house: House) -> None:
    first = await house.ask("¿y Otoniel?", key="k-1")
    assert await house.ask("¿y Otoniel?", key="k-1") == first
    assert len(house.endpoint.received) == 1


async def test_the_same_key_with_another_body_is_refused(house: House) -> None:
    await house.ask("¿y Otoniel?", key="k-1")
    before = await stored(house)
    with pytest.raises(KeyReused):
        await house.ask("¿y Zulema?", key="k-1")
    assert await stored(house) == before


async def test_a_key_belongs_to_its_member(house: House) -> None:
    first = await house.ask("hola", key="k-1")
    second = await house.ask("hola", key="k-1", actor=AGENT_OF_SUPPORT)
    third = await house.ask("hola", key="k-1", actor=OTHER_ADMIN)
    assert first["turn_id"] != second["turn_id"]
    assert len({(first["thread_id"], 1), (second["thread_id"], 1), (third["thread_id"], 2)}) == 3
    assert len(house.endpoint.received) == 3


async def test_two_requests_with_one_key_at_once_give_one_turn(house: House) -> None:
    servers = [turns_with(house, Failing(ModelTimedOut())) for _ in range(5)]
    turns = await asyncio.gather(*(server.ask(ADMIN, asking("hola", key="k-1")) for server in servers))
    assert len(set(turns)) == 1
    for server in servers:
        await server.idle()
    assert (await stored(house))["turns"] == 1


async def test_a_thread_is_opened_once_per_key(house: House) -> None:
    first = await house.turns.open_thread(ADMIN, "k-1", b"body")
    assert await house.turns.open_thread(ADMIN, "k-1", b"body") == first
    with pytest.raises(KeyReused):
        await house.turns.open_thread(ADMIN, "k-1", b"other")
    assert (await house.turns.open_thread(ADMIN, None, b"body"))["thread_id"] != first["thread_id"]


async def test_a_thread_is_opened_once_when_two_requests_come_at_once(house: House) -> None:
    opened = await asyncio.gather(*(house.turns.open_thread(ADMIN, "k-1", b"body") for _ in range(5)))
    assert len({thread["thread_id"] for thread in opened}) == 1


# --- one's own threads ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("actor", [AGENT_OF_SUPPORT, OTHER_ADMIN], ids=["another member", "another tenant"])
async def test_a_thread_that_is_not_ones_own_does_not_exist(house: House, actor: Actor) -> None:
    answered = await house.ask("¿Qué pasó con María López?")
    thread, turn = answered["thread_id"], answered["turn_id"]
    before = await stored(house)
    calls = [
        house.turns.ask(actor, asking("¿y ahora?", thread)),
        house.turns.messages(actor, thread),
        house.turns.finished(actor, turn),
        house.turns.veiled(actor, turn),
        house.turns.stop(actor, turn),
    ]
    errors = [await _error(call) for call in calls]
    assert {type(error) for error in errors} == {NotFound}
    assert await stored(house) == before
    assert await house.turns.threads(actor) == []


async def test_a_thread_that_nobody_has_gives_the_same_answer_as_a_foreign_one(house: House) -> None:
    foreign = (await house.ask("hola", actor=AGENT_OF_SUPPORT))["thread_id"]
    unknown = await _error(house.turns.ask(ADMIN, asking("hola", 10**9)))
    assert unknown.detail == (await _error(house.turns.ask(ADMIN, asking("hola", foreign)))).detail


async def _error(call: Any) -> AssistantError:
    with pytest.raises(AssistantError) as raised:
        await call
    return raised.value


async def test_threads_are_listed_by_their_last_question_and_messages_by_their_order(house: House) -> None:
    first = await house.ask("primera")
    second = await house.ask("segunda")
    await house.ask("tercera", thread=first["thread_id"])
    assert [thread["thread_id"] for thread in await house.turns.threads(ADMIN)] == [first["thread_id"], second["thread_id"]]
    shown = await house.turns.messages(ADMIN, first["thread_id"])
    assert [message["text"] for message in shown] == ["primera", "Listo.", "tercera", "Listo."]
    empty = (await house.turns.open_thread(ADMIN, None, b""))["thread_id"]
    assert await house.turns.messages(ADMIN, empty) == []


# --- choices -------------------------------------------------------------------------------------------------------------------------------


async def test_a_choice_of_the_member_is_minted_and_sent(house: House) -> None:
    await house.ask("¿y María?", mentions=[(3, 8, Kind.CONTACT, 2)])
    assert house.question == "¿y C-1?"
    (row,) = await house.sql("SELECT entity_id FROM velo.tokens WHERE kind = 'C'")
    assert row["entity_id"] == 2


async def test_a_choice_covers_the_whole_name_that_it_touches(house: House) -> None:
    await house.ask("¿y María López?", mentions=[(3, 8, Kind.CONTACT, 2)])
    assert house.question == "¿y C-1?"


@pytest.mark.parametrize(
    ("actor", "contact"),
    [pytest.param(ADMIN, 999, id="nobody"), pytest.param(AGENT_OF_SUPPORT, 3, id="of another inbox"), pytest.param(OTHER_ADMIN, 5, id="of another tenant")],
)
async def test_a_choice_of_whom_one_may_not_see_is_refused_like_one_of_nobody(house: House, actor: Actor, contact: int) -> None:
    error = await _error(house.turns.ask(actor, asking("¿y ella?", mentions=(Mention(3, 7, Kind.CONTACT, contact),))))
    assert isinstance(error, Unprocessable)
    assert error.detail == "mentions[0]: there is no such contact. Choose one of the candidates."
    assert (await stored(house))["messages"] == 0


async def test_with_more_than_five_candidates_the_member_is_asked_and_the_model_is_not(house: House) -> None:
    asked = await house.ask("¿y Gaspar?")
    assert house.endpoint.received == []
    (choice,) = asked["choices"]
    assert (choice["start"], choice["end"], choice["total"], len(choice["candidates"])) == (3, 9, 7, 7)
    assert choice["candidates"][0] == {"kind": "contact", "id": 11, "name": "Gaspar Antilef", "inbox": "Soporte", "last_contact": None}
    assert (await stored(house))["tokens"] == 1  # the asker's own


@pytest.mark.parametrize("reply", ["cualquiera", "Cualquiera.", "«cualquiera»", " CUALQUIERA "])
async def test_anyone_sends_the_five_latest_of_the_question_before(house: House, reply: str) -> None:
    thread = (await house.ask("¿y Gaspar?"))["thread_id"]
    for place, contact in enumerate((17, 12, 16, 13, 15)):
        await house.sql("UPDATE crm.contacts SET last_contact_at = now() - make_interval(days => $1) WHERE id = $2", place, contact)
    await house.ask(reply, thread=thread)
    assert house.question == "¿y C-1|C-2|C-3|C-4|C-5?"
    rows = await house.sql("SELECT entity_id FROM velo.tokens WHERE kind = 'C' ORDER BY number")
    assert [row["entity_id"] for row in rows] == [12, 13, 15, 16, 17]


async def test_the_member_may_answer_with_a_choice_instead(house: House) -> None:
    thread = (await house.ask("¿y Gaspar?"))["thread_id"]
    await house.ask("¿y Gaspar?", thread=thread, mentions=[(3, 9, Kind.CONTACT, 14)])
    assert house.question == "¿y C-1?"
    assert len([message for message in house.last if message["role"] == "user"]) == 1


async def test_anyone_is_an_ordinary_word_when_nobody_asked(house: House) -> None:
    await house.ask("cualquiera")
    assert house.question == "cualquiera"


async def test_up_to_five_candidates_are_offered_while_the_model_answers(house: House) -> None:
    answered = await house.ask("¿y María?")
    assert house.question == "¿y C-1|C-2?"
    assert [candidate["id"] for candidate in answered["choices"][0]["candidates"]] == [1, 2]


# --- bad ends ------------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        pytest.param(ModelUnavailable(3), "model_unavailable", id="unavailable"),
        pytest.param(ModelRejected(400), "model_rejected", id="rejected"),
        pytest.param(ModelTimedOut(), "model_timeout", id="timed out"),
        pytest.param(ModelMalformed(), "model_malformed", id="malformed"),
        pytest.param(RuntimeError("María López"), "internal", id="our own mistake"),
    ],
)
async def test_whatever_goes_wrong_the_turn_ends_with_an_error_id_and_the_next_one_works(house: House, error: Exception, kind: str) -> None:
    turns = turns_with(house, Failing(error))
    turn = await turns.ask(ADMIN, asking("¿Qué pasó con María López?"))
    failed = await _error(turns.finished(ADMIN, turn))
    assert isinstance(failed, TurnFailed)
    assert len(failed.error_id or "") == 8
    assert "López" not in failed.detail
    (row,) = await house.sql("SELECT id, kind, place, detail FROM velo.errors")
    assert (row["id"], row["kind"]) == (failed.error_id, kind)
    assert "López" not in repr(dict(row))
    (turn_row,) = await house.sql("SELECT state, thread_id FROM velo.turns WHERE id = $1", turn)
    assert turn_row["state"] == "failed"
    answered = await house.ask("¿y ahora?", thread=turn_row["thread_id"])
    assert answered["message"]["text"] == "Listo."
    assert [message["role"] for message in house.last] == ["user", "assistant", "user"]
    assert "López" not in house.endpoint.text


async def test_a_turn_can_be_stopped_and_the_next_one_works(house: House) -> None:
    model = Held()
    turns = turns_with(house, model)
    turn = await turns.ask(ADMIN, asking("hola"))
    await model.asked.wait()
    assert await turns.stop(ADMIN, turn) == {"turn_id": turn, "state": "stopped"}
    with pytest.raises(TurnFailed, match="stopped"):
        await turns.finished(ADMIN, turn)
    assert await turns.stop(ADMIN, turn) == {"turn_id": turn, "state": "stopped"}
    (row,) = await house.sql("SELECT thread_id FROM velo.turns WHERE id = $1", turn)
    assert (await house.ask("¿y ahora?", thread=row["thread_id"]))["message"]["text"] == "Listo."


async def test_a_turn_of_another_server_is_stopped_at_its_next_step(house: House) -> None:
    model = Held()
    other = turns_with(house, model)
    turn = await other.ask(ADMIN, asking("hola"))
    await model.asked.wait()
    assert (await house.turns.stop(ADMIN, turn))["state"] == "stopping"
    model.go.set()
    await other.idle()
    (row,) = await house.sql("SELECT state FROM velo.turns WHERE id = $1", turn)
    assert row["state"] in {"stopped", "done"}


async def test_a_stopped_turn_that_is_done_stays_done(house: House) -> None:
    answered = await house.ask("hola")
    assert await house.turns.stop(ADMIN, answered["turn_id"]) == {"turn_id": answered["turn_id"], "state": "done"}


# --- what comes back ------------------------------------------------------------------------------------------------------------------------


async def test_a_reader_sees_now_what_they_may_see_now(house: House) -> None:
    house.script(["C-1 escribió desde C-1.phone; C-99 no."])
    answered = await house.ask("¿Qué pasó con Otoniel?", actor=AGENT_OF_SALES)
    assert answered["message"]["text"] == "Otoniel Ibarrola escribió desde +56983456789; C-99 no."
    assert answered["unknown_tokens"] == ["C-99"]
    await house.sql("UPDATE crm.conversations SET inbox_id = 1 WHERE contact_id = 3")
    shown = await house.turns.messages(AGENT_OF_SALES, answered["thread_id"])
    assert [message["text"] for message in shown] == ["¿Qué pasó con C-1?", "C-1 escribió desde C-1.phone; C-99 no."]
    await house.sql("DELETE FROM crm.contacts WHERE id = 3")
    shown = await house.turns.messages(AGENT_OF_SALES, answered["thread_id"])
    assert shown[0]["text"] == "¿Qué pasó con [borrado]?"


async def test_the_owner_sees_exactly_what_was_sent_and_received(house: House) -> None:
    answered = await house.ask("¿Qué pasó con María López?")
    veiled = await house.turns.veiled(ADMIN, answered["turn_id"])
    (call,) = veiled["calls"]
    assert call["request"] == house.endpoint.received[0].json
    assert call["sha256"] == sha256(house.endpoint.received[0].body).hexdigest()
    assert call["intact"]
    assert call["response"]["text"] == "Listo."
