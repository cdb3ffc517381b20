"""The steps of a turn, each as what brings a turn to it and lets it stand still there: the model waits, or a table is locked.

The turn is the second one of a thread whose first asked ``FIRST``. What holds it still is let go when the stack is left.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

from tests.faults.stage import Stage, drip, held
from tests.model_endpoint import calls, completion

FIRST = "¿Qué pasó con María López?"
SECOND = "¿Y con Otoniel Ibarrola?"
THIRD = "¿Otoniel Ibarrola o Zulema Pacheco?"
ANSWER = completion({"role": "assistant", "content": "C-1 escribió ayer y C-2 todavía no ha contestado nada."})
LOOKS = calls(("read_messages", {"contact": "C-1"}), ("read_messages", {"contact": "C-2"}), text="Busco a C-2.")

#: The latest turn has come to its second name.
_SPOKEN = """
SELECT FROM velo.turn_events
WHERE turn_id = (SELECT max(id) FROM velo.turns) AND kind = 'text.delta' AND body::text LIKE '%C-2%'
"""

Begin = Callable[[], None]
"""Asks the second question."""


async def before_the_question_is_stored(stage: Stage, stack: AsyncExitStack, begin: Begin) -> None:
    await stage.lock(stack, "velo.messages")
    begin()
    await stage.somebody_waits()


async def before_names_are_looked_up(stage: Stage, stack: AsyncExitStack, begin: Begin) -> None:
    await stage.lock(stack, "crm.name_forms")
    begin()
    await stage.somebody_waits()


async def between_minting_and_marking(stage: Stage, stack: AsyncExitStack, begin: Begin) -> None:
    async with AsyncExitStack() as first:
        await stage.lock(first, "crm.name_forms")
        begin()
        await stage.somebody_waits()
        await stage.lock(stack, "velo.messages", "EXCLUSIVE")
    await stage.somebody_waits()


async def before_the_first_token(stage: Stage, stack: AsyncExitStack, begin: Begin) -> None:
    stage.script(held(stack, ANSWER, after=0)[0])
    begin()
    await stage.model_is_asked(1)


async def in_mid_stream(stage: Stage, stack: AsyncExitStack, begin: Begin) -> None:
    gate = asyncio.Event()
    stack.callback(gate.set)
    stage.script(drip("C-1 escribió ayer y C-2 todavía no ha contestado nada", gate=gate))
    begin()
    await stage.found(_SPOKEN)


async def while_a_tool_runs(stage: Stage, stack: AsyncExitStack, begin: Begin) -> None:
    await stage.lock(stack, "crm.messages")
    stage.script(LOOKS, ANSWER)
    begin()
    await stage.somebody_waits()


async def between_a_tool_and_the_next_model_call(stage: Stage, stack: AsyncExitStack, begin: Begin) -> None:
    stage.script(LOOKS, held(stack, ANSWER, after=0)[0])
    begin()
    await stage.model_is_asked(2)


async def while_events_are_written(stage: Stage, stack: AsyncExitStack, begin: Begin) -> None:
    reply, gate = held(stack, ANSWER, after=3)
    stage.script(reply)
    begin()
    await stage.model_is_asked(1)
    await stage.lock(stack, "velo.turn_events", "EXCLUSIVE")
    gate.set()
    await stage.somebody_waits()


async def before_the_answer_is_stored(stage: Stage, stack: AsyncExitStack, begin: Begin) -> None:
    reply, gate = held(stack, ANSWER, after=3)
    stage.script(reply)
    begin()
    await stage.model_is_asked(1)
    await stage.lock(stack, "velo.messages", "EXCLUSIVE")
    gate.set()
    await stage.somebody_waits()


async def between_the_answer_and_the_end(stage: Stage, stack: AsyncExitStack, begin: Begin) -> None:
    reply, gate = held(stack, ANSWER, after=3)
    stage.script(reply)
    begin()
    await stage.model_is_asked(1)
    await stage.lock(stack, "velo.turns", "EXCLUSIVE")
    gate.set()
    await stage.somebody_waits()


Step = Callable[[Stage, AsyncExitStack, Begin], Awaitable[None]]

STEPS: tuple[Step, ...] = (
    before_the_question_is_stored,
    before_names_are_looked_up,
    between_minting_and_marking,
    before_the_first_token,
    in_mid_stream,
    while_a_tool_runs,
    between_a_tool_and_the_next_model_call,
    while_events_are_written,
    before_the_answer_is_stored,
    between_the_answer_and_the_end,
)
