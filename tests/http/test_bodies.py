"""What clients send: what is taken, what is refused, and that a refusal never repeats it."""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest

from assistant.http.bodies import BODY_BYTES, LARGEST_ID, TEXT_CHARACTERS
from assistant.question import Mention
from tests.http.conftest import EchoTurns, problem_of
from veil.tokens import Kind

PATH = "/api/assistant/messages"
JSON = {"Content-Type": "application/json"}
WORD = "Mariana"


async def test_a_question_arrives_as_it_was_asked(client: httpx2.AsyncClient, turns: EchoTurns) -> None:
    body = {
        "text": "¿qué pasó con María? 🙂",
        "thread_id": 7,
        "mentions": [
            {"start": 14, "end": 19, "kind": "contact", "id": 3},
            {"start": 5, "end": 13, "kind": "inbox", "id": None},
        ],
    }
    response = await client.post(PATH, json=body)
    assert response.status_code == 200
    assert response.headers["Cache-Control"] == "no-store"
    (_, ask) = turns.asked[0]
    assert ask.text.text == body["text"]
    assert ask.thread_id == 7
    assert ask.mentions == (Mention(14, 19, Kind.CONTACT, 3), Mention(5, 13, Kind.INBOX, None))
    assert ask.text.text[14:19] == "María"


async def test_the_longest_text_with_every_character_escaped_fits(client: httpx2.AsyncClient) -> None:
    body = json.dumps({"text": "🙂" * TEXT_CHARACTERS})
    response = await client.post(PATH, content=body, headers=JSON)
    assert response.json()["message"]["text"] == str(TEXT_CHARACTERS)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"text": ""},
        {"text": " \n\t"},
        {"text": None},
        {"text": 7},
        {"text": ["hola"]},
        {"text": "x" * (TEXT_CHARACTERS + 1)},
        {"text": f"{WORD}\0"},
        {"text": f"{WORD}\ud800"},
        {"text": "hola", WORD: 1},
        {"text": "hola", "thread_id": "1"},
        {"text": "hola", "thread_id": 0},
        {"text": "hola", "thread_id": 1.5},
        {"text": "hola", "thread_id": True},
        {"text": "hola", "thread_id": LARGEST_ID + 1},
        {"text": "hola", "mentions": {}},
        {"text": "hola", "mentions": [7]},
        {"text": "hola", "mentions": [{"start": 0, "end": 4, "kind": "contact"}]},
        {"text": "hola", "mentions": [{"start": 0, "end": 4, "kind": WORD, "id": 1}]},
        {"text": "hola", "mentions": [{"start": 0, "end": 4, "kind": "contact", "id": 1, WORD: 1}]},
        {"text": "hola", "mentions": [{"start": 0, "end": 5, "kind": "contact", "id": 1}]},
        {"text": "hola", "mentions": [{"start": 2, "end": 2, "kind": "contact", "id": 1}]},
        {"text": "hola", "mentions": [{"start": -1, "end": 2, "kind": "contact", "id": 1}]},
        {"text": "hola", "mentions": [{"start": 0, "end": 2, "kind": "contact", "id": 0}]},
        {"text": "hola", "mentions": [{"start": 0, "end": 3, "kind": "contact", "id": 1}] * 2},
        {"text": "x " * 51, "mentions": [{"start": 2 * n, "end": 2 * n + 1, "kind": "contact", "id": 1} for n in range(51)]},
        {"text": "¿qué pasó?", "mentions": [{"start": 0, "end": 3, "kind": "contact", "id": 1}]},
        {"text": "José María", "mentions": [{"start": 2, "end": 10, "kind": "contact", "id": 1}]},
        {"text": "Jose\u0301 ya", "mentions": [{"start": 0, "end": 4, "kind": "contact", "id": 1}]},
        {"text": "¿José?", "mentions": [{"start": 5, "end": 6, "kind": "contact", "id": 1}]},
        [],
        WORD,
        None,
    ],
    ids=lambda body: str(body)[:60],
)
async def test_a_question_that_does_not_fit_is_refused_without_repeating_it(
    client: httpx2.AsyncClient, turns: EchoTurns, body: Any
) -> None:
    response = await client.post(PATH, content=json.dumps(body), headers=JSON)
    assert response.status_code == 422
    problem_of(response)
    assert WORD not in response.text
    assert not turns.asked


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b'{"text": "Mariana", "text": "otra"}',
        b'{"text": "hola", "thread_id": NaN}',
        b'{"text": "hola", "thread_id": Infinity}',
        b'{"text": "Mari\xff"}',
        '{"text": "Mariana"}'.encode("utf-16"),
        b'{"text": "hola", "mentions": ' + b"[" * 50_000 + b"]" * 50_000 + b"}",
        b'{"text": "hola", "thread_id": ' + b"9" * 5_000 + b"}",
    ],
    ids=["empty", "half", "twice", "nan", "infinity", "latin", "utf-16", "deep", "endless"],
)
async def test_what_is_no_json_is_refused(client: httpx2.AsyncClient, body: bytes) -> None:
    response = await client.post(PATH, content=body, headers=JSON)
    assert response.status_code in (400, 422)
    problem_of(response)
    assert WORD not in response.text


async def test_a_body_of_any_size_is_cut_off(client: httpx2.AsyncClient, turns: EchoTurns) -> None:
    response = await client.post(PATH, content=b" " * (BODY_BYTES + 1), headers=JSON)
    assert response.status_code == 413
    problem_of(response)


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
)
async def test_a_body_that_does_not_say_it_is_json_is_refused(client: httpx2.AsyncClient, content_type: str) -> None:
    response = await client.post(PATH, content=b'{"text": "hola"}', headers={"Content-Type": content_type})
    assert response.status_code == 415
    problem_of(response)


@pytest.mark.parametrize(
    ("accept", "streams"),
    [
        ("text/event-stream", True),
        ("Text/Event-Stream; charset=utf-8", True),
        ("application/json, text/event-stream", True),
        ("text/event-stream;q=0.5, application/json", False),
        ("text/event-stream;q=0", False),
        ("text/event-stream;q=much", False),
        ("*/*", False),
        ("application/json", False),
        ("", False),
    ],
)
async def test_who_prefers_a_stream_gets_one(client: httpx2.AsyncClient, turns: EchoTurns, accept: str, streams: bool) -> None:
    response = await client.post(PATH, json={"text": "hola"}, headers={"Accept": accept})
    assert response.status_code == 200
    assert response.headers["Content-Type"].startswith("text/event-stream" if streams else "application/json")
    assert len(turns.asked) == 1


async def test_the_same_key_with_the_same_request_asks_once(client: httpx2.AsyncClient, turns: EchoTurns) -> None:
    key = {"Idempotency-Key": "k-1", **JSON}
    first = await client.post(PATH, content=b'{"text": "hola", "thread_id": 1}', headers=key)
    again = await client.post(PATH, content=b'{ "thread_id":1,"text":"hola"}', headers=key)
    other = await client.post(PATH, content=b'{"text": "adios"}', headers=key)
    assert first.json() == again.json()
    assert len(turns.asked) == 1
    assert other.status_code == 422
    assert problem_of(other)["code"] == "idempotency_key_reused"


@pytest.mark.parametrize("key", ["", " ", "a b", "x" * 256, "ñ"])
async def test_a_key_that_nobody_can_store_is_refused(client: httpx2.AsyncClient, key: str) -> None:
    headers = {b"Idempotency-Key": key.encode("latin-1")}
    response = await client.post(PATH, json={"text": "hola"}, headers=headers)
    assert response.status_code == 400
    problem_of(response)


@pytest.mark.parametrize(
    "query", ["", "?thread_id=", "?thread_id=x", "?thread_id=-1", "?thread_id=1&thread_id=2", "?thread_id=٣"]
)
async def test_a_thread_is_named_once_by_its_number(client: httpx2.AsyncClient, query: str) -> None:
    response = await client.get(PATH + query)
    assert response.status_code == 400
    problem_of(response)
