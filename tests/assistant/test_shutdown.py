"""The end of a server: what runs may end in time, and what does not is interrupted."""

from __future__ import annotations

import asyncio

from structlog.testing import capture_logs

from assistant.events import Event
from assistant.shutdown import Shutdown
from tests.assistant.test_events import answer_of, server
from tests.assistant.test_turns import asking
from tests.house import ADMIN, House
from tests.model_endpoint import DONE, chunk, stream


class Running:
    """Turns that run until they are told to end."""

    def __init__(self) -> None:
        self.over = asyncio.Event()
        self.interrupted = False

    async def idle(self) -> None:
        await self.over.wait()

    async def interrupt(self) -> None:
        self.interrupted = True
        self.over.set()


async def begun(*, grace: float) -> tuple[Shutdown, Running, asyncio.Task[None]]:
    shutdown, turns = Shutdown(grace=grace), Running()
    shutdown.attend(turns)
    assert not shutdown.begun
    shutdown.begin()
    assert shutdown.begun
    ending = asyncio.create_task(shutdown.drained())
    await asyncio.sleep(0)
    return shutdown, turns, ending


async def test_turns_that_end_in_time_are_waited_for() -> None:
    _, turns, ending = await begun(grace=3600)
    turns.over.set()
    await ending


async def test_turns_that_do_not_are_interrupted() -> None:
    _, turns, ending = await begun(grace=0)
    await ending
    assert turns.interrupted


async def test_said_twice_nothing_is_waited_for() -> None:
    with capture_logs() as logged:
        shutdown, turns, ending = await begun(grace=3600)
        shutdown.begin()
        await ending
    assert turns.interrupted
    assert [line["event"] for line in logged] == ["shutdown_begun", "shutdown_hurried"]


async def test_a_server_without_turns_ends_at_once() -> None:
    await Shutdown(grace=3600).drained()


async def test_who_follows_a_turn_of_another_server_is_sent_there_behind_what_was_told(house: House) -> None:
    more = asyncio.Event()
    script = stream(chunk("Un momento, "), more, chunk("todo bien.", finish="stop"), DONE)
    async with server(house, script) as runs, server(house) as ending:
        turn = await runs.ask(ADMIN, asking("hola"))
        shutdown = Shutdown(grace=3600)
        shutdown.attend(ending)
        told: list[Event] = []
        heard = asyncio.Event()

        async def follow() -> None:
            async for event in ending.events(ADMIN, turn, 0):
                told.extend(filter(None, [event]))
                if told and told[-1].kind == "text.delta":
                    heard.set()

        following = asyncio.create_task(follow())
        await heard.wait()
        shutdown.begin()
        await shutdown.drained()
        await following
        assert not told[-1].is_final
        more.set()
        rest = [event async for event in runs.events(ADMIN, turn, told[-1].seq) if event is not None]
    assert rest[-1].kind == "turn.done"
    assert answer_of([*told, *rest]) == "Un momento, todo bien."
