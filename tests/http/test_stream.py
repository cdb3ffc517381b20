"""The wire of Server-Sent Events."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import httpx2
import pytest

from assistant.errors import Unavailable
from assistant.events import Event
from assistant.http import stream
from tests.http.conftest import EchoTurns, problem_of
from tests.http.test_bodies import PATH

FOLLOW = "/api/assistant/turns/{}/events"


def events_of(text: str) -> list[tuple[int, str, dict[str, object]]]:
    """The events in a body, read as a browser does."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if line and not line.startswith(":"))
        if fields:
            found.append((int(fields["id"]), fields["event"], json.loads(fields["data"])))
    return found


async def test_a_question_is_answered_as_events_with_their_numbers(client: httpx2.AsyncClient) -> None:
    response = await client.post(PATH, json={"text": "hola"}, headers={"Accept": "text/event-stream"})
    assert response.headers["Cache-Control"] == "no-store, no-transform"
    events = events_of(response.text)
    assert [(number, kind) for number, kind, _ in events] == [(1, "turn.started"), (2, "text.delta"), (3, "turn.done")]
    assert all(data["seq"] == number for number, _, data in events)
    assert events[2][2]["message"] == {"id": 1, "role": "assistant", "text": "4", "marks": []}


async def test_line_ends_in_a_text_do_not_end_its_line(client: httpx2.AsyncClient) -> None:
    response = await client.post(PATH, json={"text": "hola"}, headers={"Accept": "text/event-stream"})
    assert events_of(response.text)[1][2]["text"] == "uno\u2028dos\ntres"


@pytest.mark.parametrize(("last", "kinds"), [("0", 3), ("1", 2), ("3", 0), (None, 3)])
async def test_a_reader_who_comes_back_gets_what_it_does_not_have(client: httpx2.AsyncClient, last: str | None, kinds: int) -> None:
    await client.post(PATH, json={"text": "hola"})
    response = await client.get(FOLLOW.format(1), headers={"Last-Event-ID": last} if last is not None else {})
    assert len(events_of(response.text)) == kinds


@pytest.mark.parametrize("last", ["x", "-1", "1.0", "٣", "9" * 30])
async def test_a_number_of_an_event_that_is_none_is_refused(client: httpx2.AsyncClient, last: str) -> None:
    await client.post(PATH, json={"text": "hola"})
    response = await client.get(FOLLOW.format(1), headers=[(b"Last-Event-ID", last.encode())])
    assert response.status_code == 400
    problem_of(response)


async def test_a_turn_of_somebody_else_is_not_found_before_the_stream_begins(client: httpx2.AsyncClient) -> None:
    response = await client.get(FOLLOW.format(77))
    assert response.status_code == 404
    problem_of(response)


async def test_a_stream_that_breaks_ends_without_a_last_event(client: httpx2.AsyncClient, turns: EchoTurns) -> None:
    turns.breaks_with = Unavailable("The database is away.")
    response = await client.post(PATH, json={"text": "hola"}, headers={"Accept": "text/event-stream"})
    assert [kind for _, kind, _ in events_of(response.text)] == ["turn.started", "text.delta"]
    assert "away" not in response.text


async def test_while_nothing_happens_a_comment_says_that_the_line_lives() -> None:
    async def slow() -> AsyncIterator[Event | None]:
        yield None
        yield Event(1, "turn.done", {})

    response = stream.stream(slow())
    lines = [piece async for piece in response.body_iterator]  # type: ignore[attr-defined]
    assert lines == [b": ok\n\n", b": ping\n\n", stream.line(Event(1, "turn.done", {}))]
