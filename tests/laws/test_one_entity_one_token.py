"""Law 3: one entity has one token for the life of the thread, whatever happens to the entity, the server or the tab."""

from __future__ import annotations

import asyncio
import random

import pytest

from tests.house import ADMIN, AGENT_OF_SUPPORT, House
from tests.model_endpoint import calls

PEOPLE = {1: "María López", 2: "María Huenchumán", 3: "Otoniel Ibarrola", 5: "Zulema Pacheco", 11: "Gaspar Antilef", 12: "Gaspar Bahamonde"}


async def tokens(house: House, thread: int) -> dict[tuple[str, int], int]:
    """Number by kind and entity."""
    rows = await house.sql("SELECT kind, entity_id, number FROM velo.tokens WHERE thread_id = $1 AND entity_id IS NOT NULL", thread)
    return {(row["kind"], row["entity_id"]): row["number"] for row in rows}


@pytest.mark.parametrize("seed", range(4))
async def test_a_token_stays_over_turns_restarts_renames_and_losses(house: House, seed: int) -> None:
    dice = random.Random(seed)
    thread = (await house.ask("hola"))["thread_id"]
    known: dict[tuple[str, int], int] = {}
    for turn in range(10):
        number = dice.choice(list(PEOPLE))
        house.script([calls(("list_team", {}), ("find_contacts", {"skip": dice.randrange(3)})), "ok"] if dice.random() < 0.3 else ["C-30, C-31 y U-9"])
        if dice.random() < 0.5:
            house.restart()
        if dice.random() < 0.3:
            await house.sql("UPDATE crm.contacts SET name = $1 WHERE id = $2", f"{PEOPLE[number]} Nuevo{'abcdefghij'[turn]}", number)
        await house.ask(f"¿Y {PEOPLE[number]}? mi vale C-{turn + 2}", thread=thread)
        now = await tokens(house, thread)
        assert known.items() <= now.items()
        assert len(set(zip([kind for kind, _ in now], now.values(), strict=True))) == len(now), "a number was given twice"
        known = now


async def test_a_number_is_never_given_again_after_a_deletion(house: House) -> None:
    thread = (await house.ask("María López"))["thread_id"]
    await house.sql("DELETE FROM crm.contacts WHERE id = 1")
    await house.ask("¿Y Otoniel Ibarrola?", thread=thread)
    assert house.question == "¿Y C-2?"
    house.script(["C-1"])
    answer = await house.ask("¿C-1?", thread=thread)
    assert answer["message"]["text"] == "[borrado]"


async def test_after_a_merger_both_tokens_stand_for_the_survivor(house: House) -> None:
    thread = (await house.ask("¿Otoniel Ibarrola y Zulema Pacheco?"))["thread_id"]
    await house.sql("SELECT crm.merge_contacts(3, 5)")
    house.script([calls(("show_contact", {"contact": "C-1"}), ("show_contact", {"contact": "C-2"})), "C-1 y C-2"])
    answer = await house.ask("¿y C-1?", thread=thread)
    assert answer["message"]["text"] == "Zulema Pacheco y Zulema Pacheco"
    first, second = [message["content"] for message in house.last if message["role"] == "tool"]
    assert first == second
    await house.ask("¿Otoniel Ibarrola?", thread=thread)
    assert house.question == "¿C-2?"


async def test_tokens_of_two_threads_have_nothing_to_do_with_each_other(house: House) -> None:
    first = (await house.ask("¿María López, Otoniel Ibarrola?"))["thread_id"]
    second = (await house.ask("¿Otoniel Ibarrola, María López?"))["thread_id"]
    assert house.question == "¿C-1, C-2?"
    assert (await tokens(house, first))["C", 1] == 1
    assert (await tokens(house, second))["C", 1] == 2


async def test_two_tabs_and_two_servers_agree_on_the_tokens(house: House) -> None:
    other = House(house.database, house.owner, house.endpoint)
    thread = (await house.ask("hola"))["thread_id"]
    for _ in range(4):
        results = await asyncio.gather(
            house.ask("¿María López y Otoniel Ibarrola?", thread=thread),
            other.ask("¿Zulema Pacheco y María López?", thread=thread),
            return_exceptions=True,
        )
        assert any(isinstance(result, dict) for result in results)
    given = await tokens(house, thread)
    assert sorted(number for (kind, _), number in given.items() if kind == "C") == list(range(1, len(given)))


@pytest.mark.parametrize("actor", [ADMIN, AGENT_OF_SUPPORT], ids=["admin", "agent"])
async def test_the_asker_is_u_1(house: House, actor: object) -> None:
    await house.ask("¿Qué hace Bruno Quiñelén? ¿y Valentina Aravena?", actor=actor)  # type: ignore[arg-type]
    assert house.question == ("¿Qué hace U-2? ¿y U-1?" if actor is ADMIN else "¿Qué hace U-1? ¿y U-2?")
