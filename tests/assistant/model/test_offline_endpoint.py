"""The offline model streams like a real one."""

from __future__ import annotations

import json

import httpx2

from assistant.model import offline_endpoint
from assistant.model.in_process import InProcess
from assistant.model.openai_client import OpenAIModel
from assistant.model.reply import read_reply
from veil.payload import Constant, Message, Request, Role

REQUEST = Request("m", (Message(Role.SYSTEM, (Constant("Sé breve."),)), Message(Role.USER, (Constant("hola,\n\n ¿quién eres?"),))))


async def test_its_answer_comes_in_words_and_is_the_same_in_one_body() -> None:
    heard: list[str] = []

    async def hear(piece: str) -> None:
        heard.append(piece)

    model = OpenAIModel.at("http://offline.invalid/v1", None, transport=InProcess(offline_endpoint.application))
    reply = await model.ask(REQUEST, hear)
    body = {name: value for name, value in json.loads(REQUEST.encode()).items() if name != "stream"}
    async with httpx2.AsyncClient(transport=InProcess(offline_endpoint.application), base_url="http://offline.invalid") as client:
        unstreamed = await client.post("/v1/chat/completions", json=body)
    assert reply == read_reply(unstreamed.content)
    assert "".join(heard) == reply.text
    assert len(heard) > 5
    assert all(len(piece.split()) == 1 for piece in heard)
