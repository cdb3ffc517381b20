"""Law 9: the messages and tools of a turn are a byte prefix of the next turn's; masks only grow, and late ones are bare and counted."""

from __future__ import annotations

import asyncio
import contextlib
import random
from itertools import pairwise
from typing import Any

import pytest
from starlette.responses import JSONResponse

from assistant.errors import AssistantError
from tests.house import ADMIN, AGENT_OF_SUPPORT, House
from tests.laws.witness import assert_prefix_stable, is_prefix, only_masked
from tests.model_endpoint import calls
from tools.permissions import Actor
from veil.tokens import Kind

QUESTIONS = (
    "¿Qué pasó con María López?",
    "¿Y Gaspar Antilef, Otoniel Ibarrola o Pedro Gómez?",
    "maría",
    "¿C-1? ¿C-2.phone? ¿C-99, U-1 y E-7?",
    "El correo es pepe@otra.example, su fono 9 6123 4567 y el 9 1111 2222",
    "[nombre 1] y [teléfono] y C-3",
    "¿Gaspar?",
    "cualquiera",
    "zulema_pacheco%20 ZulemaPacheco5",
    "¿La bandeja Soporte, Postventa Austral o Transportes Quillay?",
    "",
)
REPLIES: tuple[Any, ...] = (
    "C-1 y C-2, C-50",
    "María López, OTONIEL y 9 6123 4567",
    calls(("read_messages", {"contact": "C-1"}), ("show_contact", {"contact": "C-2"}), ("list_team", {})),
    calls(("find_contacts", {"label": "Zulema Pacheco"}), ("nada", "María López"), text="Busco a María"),
    calls(("find_conversations", {}), ("list_inboxes", {}), ("read_messages", {"conversation": "H-1"})),
    JSONResponse({"error": {"message": "no"}}, status_code=400),
)


@pytest.mark.parametrize("actor", [ADMIN, AGENT_OF_SUPPORT], ids=["admin", "agent"])
@pytest.mark.parametrize("seed", range(3))
async def test_every_request_continues_the_one_before(house: House, actor: Actor, seed: int) -> None:
    dice = random.Random(seed)
    thread = (await house.ask("hola", actor=actor))["thread_id"]
    for _ in range(12):
        house.script([dice.choice(REPLIES) for _ in range(3)])
        with contextlib.suppress(AssistantError):
            await house.ask(dice.choice(QUESTIONS), actor=actor, thread=thread)
        if dice.random() < 0.3:
            house.restart()
    for earlier, later in pairwise(house.endpoint.bodies):
        assert is_prefix(earlier, later) or only_masked(earlier, later)


async def test_a_choice_and_what_was_asked_before_it_stay_stable(house: House) -> None:
    thread = (await house.ask("hola"))["thread_id"]
    assert (await house.ask("¿Y Gaspar?", thread=thread))["choices"][0]["total"] == 7
    await house.ask("¿Y Gaspar?", thread=thread, mentions=[(3, 9, Kind.CONTACT, 12)])
    assert house.question == "¿Y C-1?"
    await house.ask("¿Y Gaspar?", thread=thread)
    assert house.question == "¿Y C-1?", "whom the thread knows breaks the tie"
    assert_prefix_stable(house)


async def test_a_stopped_turn_leaves_a_stable_prefix(house: House) -> None:
    thread = (await house.ask("hola"))["thread_id"]
    turns: list[asyncio.Task[Any]] = []

    def reply(body: dict[str, Any]) -> Any:
        turns.append(asyncio.create_task(stop()))
        return calls(("read_messages", {"contact": "C-1"}), ("list_team", {}))

    async def stop() -> None:
        turn = (await house.sql("SELECT max(id) AS id FROM velo.turns"))[0]["id"]
        await house.turns.stop(ADMIN, turn)

    house.script(reply)
    with pytest.raises(AssistantError):
        await house.ask("¿María López?", thread=thread)
    await turns[0]
    house.script(["ok"])
    await house.ask("¿y?", thread=thread)
    await house.ask("¿y?", thread=thread)
    assert_prefix_stable(house)


async def test_late_masks_are_bare_and_counted_and_nothing_else_changes(house: House) -> None:
    await house.sql("INSERT INTO crm.messages (tenant_id, conversation_id, body) VALUES (1, 100, 'vino casimiro antipan con AB-7741-Z')")
    house.script([calls(("read_messages", {"contact": "C-1"})), "ok"])
    thread = (await house.ask("¿María López vino con casimiro antipan? clave AB-7741-Z"))["thread_id"]
    await house.sql("INSERT INTO crm.contacts (tenant_id, id, name, national_id) VALUES (1, 60, 'Casimiro Antipan', 'AB-7741-Z')")
    sent = len(house.endpoint.received)
    answer = await house.ask("¿Casimiro Antipan?", thread=thread)
    earlier, later = house.endpoint.bodies[sent - 1 : sent + 1]
    assert not is_prefix(earlier, later)
    assert only_masked(earlier, later) == answer["late_masks"] == 4
    assert house.last[0]["content"].endswith("¿C-1 vino con [nombre]? clave [dato]")
    assert "vino [nombre] con [dato]" in house.last[2]["content"]
    turn = (await house.sql("SELECT max(id) AS id FROM velo.turns"))[0]["id"]
    assert (await house.turns.veiled(ADMIN, turn))["late_masks"] == 4
    marks = [mark for message in await house.turns.messages(ADMIN, thread) for mark in message["marks"] if mark["late"]]
    assert {mark["token"] for mark in marks} == {"[nombre]", "[dato]"}
    assert (await house.ask("¿y?", thread=thread))["late_masks"] == 0
    assert_prefix_stable(house, since=sent)


async def test_a_mask_is_never_taken_back(house: House) -> None:
    """Also when the entity is renamed, merged or deleted: what was masked travels as it did."""
    thread = (await house.ask("¿Otoniel Ibarrola, Zulema Pacheco y María López, 983456789?"))["thread_id"]
    for statement in (
        "UPDATE crm.contacts SET name = 'Casimiro Antipan', phone = NULL WHERE id = 3",
        "SELECT crm.merge_contacts(3, 5)",
        "DELETE FROM crm.contacts WHERE id IN (1, 5)",
        "UPDATE crm.members SET role = 'agent' WHERE id = 1",
    ):
        await house.sql(statement)
        house.restart()
        await house.ask("¿y?", thread=thread)
    assert_prefix_stable(house)
    assert house.last[0]["content"].endswith("¿C-1, C-2 y C-3, C-1.phone?")


async def test_what_was_sent_is_recorded_byte_for_byte(house: House) -> None:
    house.script([calls(("read_messages", {"contact": "C-1"})), "María López es C-1"])
    answer = await house.ask("¿Qué pasó con María López?")
    record = await house.turns.veiled(ADMIN, answer["turn_id"])
    assert [call["intact"] for call in record["calls"]] == [True, True]
    assert [call["request"] for call in record["calls"]] == [request.json for request in house.endpoint.received]
