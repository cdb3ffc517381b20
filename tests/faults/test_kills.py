"""kill -9 of the server in any step of a turn: nothing is half-stored, the thread goes on, and no token is given twice.

All kills come first, each of a server that stands still at a step because the model waits or a table is locked; what is
left of the turns is looked at afterwards, when the server that was started again has found them to be dead.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import httpx2
import pytest

from tests.faults.aftermath import half_stored, mispaired
from tests.faults.served import Served, Told
from tests.faults.stage import Stage
from tests.faults.steps import ANSWER, FIRST, SECOND, STEPS, THIRD, Step
from tests.laws.payloads import broken_prefix


@dataclass
class Scene:
    """What is known of one thread, in whose second turn the server was killed."""

    thread: int
    turn: int | None  # none when the question was not stored
    sent: list[dict[str, Any]]  # requests to the model, the first turn's as well
    seen: list[Told]  # events that the client had before the kill
    tokens: Mapping[tuple[str, int], int]  # letter and number to entity


@pytest.fixture(scope="module")
async def scenes(stage: Stage) -> Mapping[str, Scene]:
    """Every step with what was left after the kill; the server runs again."""
    played = {step.__name__: await play(stage, step) for step in STEPS}
    stage.script(ANSWER)
    return played


async def play(stage: Stage, step: Step) -> Scene:
    """One turn that ends well, one in which the server is killed at a step, and a new server."""
    start = len(stage.endpoint.received)
    stage.script("C-1 escribió ayer.")
    first = await stage.served.ask(FIRST)
    seen: list[Told] = []
    asking: list[asyncio.Task[None]] = []

    def begin() -> None:
        asking.append(asyncio.create_task(listen(stage.served, first["thread_id"], seen)))

    async with AsyncExitStack() as stack:
        await step(stage, stack, begin)
        await stage.served.kill()
    await asyncio.gather(*asking)
    turns = await stage.sql("SELECT id FROM velo.turns WHERE thread_id = $1 AND id <> $2", first["thread_id"], first["turn_id"])
    tokens = await tokens_of(stage, first["thread_id"])
    await stage.served.start()
    sent = [received.json for received in stage.endpoint.received[start:]]
    return Scene(first["thread_id"], turns[0]["id"] if turns else None, sent, seen, tokens)


async def listen(served: Served, thread: int, seen: list[Told]) -> None:
    """Asks and reads events until the server is no more."""
    with contextlib.suppress(httpx2.HTTPError):
        async with served.asking(SECOND, thread=thread) as events:
            async for event in events:
                seen.append(event)


async def tokens_of(stage: Stage, thread: int) -> Mapping[tuple[str, int], int]:
    rows = await stage.sql("SELECT kind, number, entity_id FROM velo.tokens WHERE thread_id = $1 AND entity_id IS NOT NULL", thread)
    return {(row["kind"], row["number"]): row["entity_id"] for row in rows}


@pytest.mark.parametrize("step", [step.__name__ for step in STEPS])
async def test_a_killed_turn_ends_as_interrupted_and_its_thread_goes_on(stage: Stage, scenes: Mapping[str, Scene], step: str) -> None:
    scene = scenes[step]
    if scene.turn is not None:
        await assert_interrupted(stage, scene, scene.turn)
    start = len(stage.endpoint.received)
    answered = await stage.served.ask(THIRD, thread=scene.thread)
    assert answered["message"]["text"] == "María López escribió ayer y Otoniel Ibarrola todavía no ha contestado nada."
    sent = [*scene.sent, *(received.json for received in stage.endpoint.received[start:])]
    assert broken_prefix(sent) is None
    assert [mispaired(body["messages"]) for body in sent] == [[]] * len(sent)
    tokens = await tokens_of(stage, scene.thread)
    assert scene.tokens.items() <= tokens.items()
    token_of = {entity: f"{letter}-{number}" for (letter, number), entity in tokens.items() if letter == "C"}
    assert (sorted(token_of), token_of[1], token_of[3]) == ([1, 3, 5], "C-1", "C-2")
    assert sent[-1]["messages"][-1]["content"].endswith(f"¿{token_of[3]} o {token_of[5]}?")


async def assert_interrupted(stage: Stage, scene: Scene, turn: int) -> None:
    """Events and messages say so, and what was seen before the kill was stored."""
    told = await stage.served.follow(turn)
    assert [event.number for event in told] == [*range(1, len(told) + 1)]
    assert told[: len(scene.seen)] == scene.seen
    assert [event.kind for event in told if event.kind.startswith("turn.")] == ["turn.started", "turn.failed"]
    assert told[-1].data["code"] == "turn_failed"
    assert (await stage.served.follow(turn, after=told[-2].number))[-1] == told[-1]
    recorded = await stage.sql("SELECT FROM velo.model_calls WHERE turn_id = $1", turn)
    assert len(recorded) == len(scene.sent) - 1, "what left is in the record"
    messages = [message for message in await stage.served.messages(scene.thread) if message["turn_id"] == turn]
    assert [(message["role"], message["text"]) for message in messages] == [("user", SECOND)]


async def test_nothing_is_half_stored(stage: Stage, scenes: Mapping[str, Scene]) -> None:
    for scene in scenes.values():
        if scene.turn is not None:
            await stage.served.follow(scene.turn)
    for name, statement in half_stored().items():
        assert not await stage.sql(statement), name


async def test_each_step_was_reached(scenes: Mapping[str, Scene]) -> None:
    """How many requests had left at the kill, the first turn's included, and what had been minted."""
    requests = {name: len(scene.sent) for name, scene in scenes.items()}
    assert [*requests.values()] == [1, 1, 1, 2, 2, 2, 3, 2, 2, 2]
    assert [scene.turn is not None for scene in scenes.values()] == [False, *[True] * 9]
    assert [("C", 2) in scene.tokens for scene in scenes.values()] == [False, False, *[True] * 8]
    assert all(later.thread > earlier.thread for earlier, later in pairwise(scenes.values()))
