"""Many threads, two servers over one database, one or the other killed at random moments: the same that holds of one kill holds of all."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import defaultdict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import httpx2
import pytest

from tests import proof
from tests.faults.aftermath import half_stored, mispaired
from tests.faults.nursery import Nursery
from tests.faults.served import Served
from tests.faults.stage import Stage
from tests.laws.payloads import broken_prefix
from tests.model_endpoint import calls, completion, stream, streamed

PEOPLE = ("María López", "María Huenchumán", "Otoniel Ibarrola", "Zulema Pacheco", "Gaspar Antilef", "Gaspar Bahamonde", "Gaspar Catrileo")
TOOLS = ("read_messages", "show_contact")


@dataclass
class Figures:
    """What happened."""

    turns: int = 0
    done: int = 0
    interrupted: int = 0
    kills: int = 0
    asked_again: int = 0
    half_stored: int = 0
    tokens_changed: int = 0


@dataclass
class Run:
    """Some threads that are asked until each has had its turns, while servers are killed."""

    stage: Stage
    servers: list[Served]
    dice: Random
    turns: int
    seed: int
    figures: Figures = field(default_factory=Figures)
    tokens: dict[int, dict[tuple[str, int], int]] = field(default_factory=dict)

    async def converse(self, number: int) -> None:
        """One thread; its questions bear its number, so that its requests to the model are known."""
        thread: int | None = None
        for turn in range(self.turns):
            person = self.dice.choice(PEOPLE)
            thread = await self.one(f"Hilo {number}: ¿qué pasó con {person}?", thread, key=f"{self.seed}-{number}-{turn}")
            await self.check_tokens(thread)

    async def one(self, text: str, thread: int | None, key: str) -> int:
        """One turn to its end, whichever server answers; the same key is the same turn. Gives its thread."""
        self.figures.turns += 1
        while True:
            with contextlib.suppress(httpx2.HTTPError):
                response = await self.dice.choice(self.servers).post(text, thread=thread, key=key)
                body: dict[str, Any] = response.json()
                if response.status_code == 200:
                    self.figures.done += 1
                    return int(body["thread_id"])
                if response.status_code == 502:
                    assert "interrupted" in body["detail"], body
                    self.figures.interrupted += 1
                    return int(body["thread_id"])
                assert response.status_code in (409, 503), body
            self.figures.asked_again += 1
            await asyncio.sleep(0.05)

    async def check_tokens(self, thread: int) -> None:
        """What was given is still given, and to nobody else."""
        rows = await self.stage.sql("SELECT kind, number, entity_id FROM velo.tokens WHERE thread_id = $1 AND entity_id IS NOT NULL", thread)
        now = {(row["kind"], row["number"]): row["entity_id"] for row in rows}
        self.figures.tokens_changed += len(self.tokens.get(thread, {}).items() - now.items())
        self.tokens[thread] = now

    async def kill(self) -> None:
        """Kills one server or the other and starts it again: once the model is first asked, and then again and again."""
        before = len(self.stage.endpoint.received)
        while len(self.stage.endpoint.received) == before:  # noqa: ASYNC110 - another process is waited for
            await asyncio.sleep(0.01)
        while True:
            victim = self.dice.choice(self.servers)
            await victim.kill()
            self.figures.kills += 1
            await victim.start()
            await asyncio.sleep(self.dice.uniform(0.1, 1.5))

    def reply(self, body: dict[str, Any]) -> Any:
        """Tools or an answer, slowly enough to be caught in the middle."""
        contacts = [f"C-{number}" for number in range(1, 4) if f"C-{number}" in json.dumps(body["messages"])] or ["C-1"]
        asked = sum(message["role"] == "assistant" for message in body["messages"])
        if body["messages"][-1]["role"] == "user" and asked % 2:
            called = [(self.dice.choice(TOOLS), {"contact": contact}) for contact in contacts]
            chunks = streamed(calls(*called))
        else:
            chunks = streamed(completion({"role": "assistant", "content": f"{' y '.join(contacts)} escribieron ayer."}))
        return stream(*(step for chunk in chunks for step in (chunk, self.pause())))

    def pause(self) -> asyncio.Event:
        event = asyncio.Event()
        asyncio.get_running_loop().call_later(self.dice.uniform(0, 0.06), event.set)
        return event


@pytest.fixture
async def second(stage: Stage, nursery: Nursery, tmp_path: Path) -> AsyncIterator[Served]:
    """Another server over the same database."""
    served = stage.served.twin(nursery, tmp_path / "log")
    await served.start()
    yield served
    await served.close()


async def played(stage: Stage, second: Served, *, seed: int, threads: int, turns: int) -> Run:
    """Everything asked and everything ended; fails where a law was broken."""
    start = len(stage.endpoint.received)
    run = Run(stage, [stage.served, second], Random(seed), turns, seed)
    stage.endpoint.script = run.reply
    killer = asyncio.create_task(run.kill())
    try:
        async with asyncio.TaskGroup() as talks:
            for number in range(1, threads + 1):
                talks.create_task(run.converse(number))
    finally:
        killer.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await killer
    for statement in half_stored().values():
        run.figures.half_stored += len(await stage.sql(statement))
    assert (run.figures.half_stored, run.figures.tokens_changed) == (0, 0)
    sent = requests_by_thread([received.json for received in stage.endpoint.received[start:]])
    assert len(sent) > threads / 2  # a thread may never have got as far as the model
    for requests in sent.values():
        assert broken_prefix(requests) is None
        assert not [trouble for body in requests for trouble in mispaired(body["messages"])]
    return run


def requests_by_thread(bodies: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for body in bodies:
        found[body["messages"][1]["content"].partition("Hilo ")[2].partition(":")[0]].append(body)
    return found


async def test_a_few_threads_outlive_the_kills_of_two_servers(stage: Stage, second: Served) -> None:
    run = await played(stage, second, seed=77, threads=4, turns=2)
    assert run.figures.done + run.figures.interrupted == run.figures.turns == 8
    assert run.figures.kills > 0


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(3))
async def test_200_turns_under_20_threads_outlive_the_kills_of_two_servers(stage: Stage, second: Served, seed: int) -> None:
    run = await played(stage, second, seed=seed, threads=20, turns=10)
    figures = run.figures
    assert figures.done + figures.interrupted == figures.turns == 200
    assert figures.interrupted > 0
    proof.write(
        f"Kills, seed {seed}",
        {
            "turns under 20 threads, over two servers and one database": figures.turns,
            "kill -9 at random moments": figures.kills,
            "turns that ended with their answer": figures.done,
            "turns that were interrupted, and say so": figures.interrupted,
            "rows that are half of something": figures.half_stored,
            "tokens given": sum(map(len, run.tokens.values())),
            "tokens given twice, or changed": figures.tokens_changed,
        },
    )
