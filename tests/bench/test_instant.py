"""The model of the benchmarks speaks as real ones do, and at the pace it is told."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from assistant.model.openai_client import OpenAIModel
from bench.instant import Instant, Steady, answering, reply
from veil.payload import Constant, Message, Request, Role
from veil.text import Veiled


@pytest.fixture
async def model() -> AsyncIterator[tuple[Instant, OpenAIModel]]:
    instant = Instant()
    async with answering(instant) as url:
        client = OpenAIModel.at(url, "key")
        yield instant, client
        await client.close()


def request(*messages: Message) -> Request:
    return Request("instant", (Message(Role.SYSTEM, (Constant("be brief"),)), *messages), (), "auto")


ASKED = Message(Role.USER, (Veiled("what about C-1, and C-2?"),))


def test_a_question_about_somebody_becomes_a_call():
    messages = [{"role": "system", "content": "C-9"}, {"role": "user", "content": "what about C-1, and C-2?"}]
    (call,) = reply({"messages": messages})["tool_calls"]
    assert (call["function"]["name"], json.loads(call["function"]["arguments"])) == ("read_messages", {"contact": "C-2"})


def test_a_result_becomes_a_sentence_about_whom_was_asked():
    messages = [{"role": "user", "content": "what about C-1?"}, {"role": "assistant", "content": None}, {"role": "tool", "content": "C-7"}]
    assert "C-1" in reply({"messages": messages})["content"]


def test_nobody_known_is_said_at_once():
    assert "tool_calls" not in reply({"messages": [{"role": "user", "content": "hello"}]})


async def test_the_client_reads_its_calls_and_its_texts(model: tuple[Instant, OpenAIModel]):
    _, client = model
    called = await client.ask(request(ASKED))
    assert [(call.name, call.arguments) for call in called.calls] == [("read_messages", '{"contact": "C-2"}')]
    said = await client.ask(request(ASKED, Message(Role.ASSISTANT, (Constant("one moment"),))))
    assert (said.finish, said.calls) == ("stop", ())
    assert said.text.startswith("C-2 ")


async def test_a_steady_answer_comes_in_pieces_and_all_of_them_begin_together(model: tuple[Instant, OpenAIModel]):
    instant, client = model
    instant.pace(Steady(pieces=3, every=0.0, together=2))
    heard: list[list[str]] = [[], []]

    async def listen(place: int) -> None:
        async def hear(piece: str) -> None:
            heard[place].append(piece)

        await client.ask(request(ASKED, Message(Role.ASSISTANT, (Constant("one moment"),))), hear)

    first = asyncio.create_task(listen(0))
    done, _ = await asyncio.wait([first], timeout=0.05)
    assert not done
    await asyncio.gather(first, listen(1))
    assert instant.all_here.is_set()
    assert [len(pieces) for pieces in heard] == [3, 3]
    assert instant.said_at > 0
