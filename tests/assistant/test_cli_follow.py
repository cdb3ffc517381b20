"""An answer in the terminal while it comes: steps, text, every ending, and connections that break."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from assistant import cli_follow
from assistant.cli_chat import Chat
from assistant.cli_words import CHAT
from assistant.model.in_process import InProcess
from tests.assistant.test_cli_chat import Written

STARTED = ("turn.started", {"thread_id": 3, "turn_id": 7})
MESSAGE = {"id": 9, "role": "assistant", "text": "Hola, Ana.", "marks": [], "finish": "stop"}


def text(piece: str, *, call: int = 1, marks: Sequence[dict[str, Any]] = ()) -> tuple[str, dict[str, Any]]:
    return "text.delta", {"call": call, "text": piece, "marks": list(marks)}


def done(message: dict[str, Any] | None = None, **rest: Any) -> tuple[str, dict[str, Any]]:
    return "turn.done", {"thread_id": 3, "turn_id": 7, "message": message or MESSAGE, "steps": [], "choices": [], **rest}


@dataclass
class Server:
    """A server that tells these events; at ``None`` the connection breaks, at an event of asyncio it waits until that is set."""

    events: Sequence[tuple[str, dict[str, Any]] | asyncio.Event | None]
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    stopped: Callable[[], None] = lambda: None

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/api/assistant/messages", self._messages, methods=["GET", "POST"]),
                Route("/api/assistant/turns/7/events", self._followed),
                Route("/api/assistant/turns/7/stop", self._stopped, methods=["POST"]),
            ]
        )

    async def _messages(self, request: Request) -> Response:
        return self._streamed(request) if request.method == "POST" else JSONResponse({"messages": []})

    async def _followed(self, request: Request) -> Response:
        return self._streamed(request)

    async def _stopped(self, request: Request) -> Response:
        self.asked.append((request.method, dict(request.headers)))
        self.stopped()
        return JSONResponse({"turn_id": 7, "state": "stopping"})

    def _streamed(self, request: Request) -> Response:
        self.asked.append((request.method, dict(request.headers)))
        return StreamingResponse(self._told(int(request.headers.get("Last-Event-ID", 0))), media_type="text/event-stream")

    async def _told(self, after: int) -> AsyncIterator[bytes]:
        yield b": ok\n\n"
        told = 0
        for position, event in enumerate(self.events):
            if isinstance(event, asyncio.Event):
                await event.wait()
            elif event is not None:
                told += 1
                if told > after:
                    yield f"id: {told}\nevent: {event[0]}\ndata: {json.dumps(event[1])}\n\n".encode()
            elif told >= after + 1 or not after:
                self.events = [*self.events[:position], *self.events[position + 1 :]]  # it breaks once
                yield b"id: 99\nevent: text.delta\nda"
                return


async def chat_with(app: Starlette, *, terminal: bool = False) -> Chat:
    client = httpx2.AsyncClient(transport=InProcess(app), base_url="http://velo.test")
    return Chat(client, lambda: "token", Written([], terminal=terminal), terminal=terminal)


async def shown(conversation: Chat) -> str:
    assert isinstance(conversation.screen, Written)
    await conversation.answer("hola")
    await conversation.client.aclose()
    return "".join(conversation.screen.written)


async def shown_of(*events: tuple[str, dict[str, Any]] | None, terminal: bool = False) -> str:
    return await shown(await chat_with(Server(events).app(), terminal=terminal))


@pytest.fixture(autouse=True)
def without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli_follow, "_PAUSES", (0.0,) * 6)


async def test_steps_and_text_are_shown_in_the_order_in_which_they_happen() -> None:
    step = {"step": 1, "tool": "show_contact"}
    events = (text("Miro."), ("step.started", step), ("step.completed", {**step, "status": "ok", "ms": 12}), text("Hola, ", call=2), text("Ana.", call=2))
    assert await shown_of(STARTED, *events, done()) == "Miro.\n· show_contact … 12 ms\nHola, Ana.\n"


async def test_a_step_that_went_wrong_says_how() -> None:
    step = {"step": 1, "tool": "show_contact"}
    told = await shown_of(STARTED, ("step.started", step), ("step.completed", {**step, "status": "declined", "ms": 1}), done())
    assert told == "· show_contact … declined\nHola, Ana.\n"


async def test_names_are_stronger_on_a_terminal() -> None:
    piece = text("Hola, Ana.", marks=[{"start": 6, "end": 9, "kind": "contact", "ids": [1]}])
    assert await shown_of(STARTED, piece, done(), terminal=True) == "Hola, \x1b[1mAna\x1b[22m.\n"
    assert await shown_of(STARTED, piece, done()) == "Hola, Ana.\n"


async def test_nothing_in_a_piece_moves_the_cursor() -> None:
    piece = text("a\x1b[2Jb\u202e", marks=[{"start": 1, "end": 5, "kind": "contact", "ids": [1]}])
    assert await shown_of(STARTED, piece, done({**MESSAGE, "text": "a\x1b[2Jb\u202e"})) == "a[2Jb\n"


@pytest.mark.parametrize("said", ["", "Hol", "Hola, Ana.", "Otra cosa"])
async def test_the_whole_answer_is_shown_whatever_came_before(said: str) -> None:
    told = await shown_of(STARTED, text(said), done())
    assert told == ("Otra cosa\nHola, Ana.\n" if said == "Otra cosa" else "Hola, Ana.\n")


async def test_a_cut_answer_is_said_to_be_cut() -> None:
    assert await shown_of(STARTED, text("Hola, Ana."), done({**MESSAGE, "finish": "length"})) == f"Hola, Ana.\n{CHAT['en']['cut']}\n"


async def test_a_failure_keeps_what_was_said_and_tells_its_id() -> None:
    failed = {"thread_id": 3, "turn_id": 7, "error_id": "0a1b2c3d", "code": "turn_failed", "title": "T", "detail": "The model is away.", "message": None}
    told = await shown_of(STARTED, text("Hola"), ("turn.failed", failed))
    assert told == "Hola\nThe question could not be answered. The model is away. (error 0a1b2c3d)\n"


async def test_a_connection_that_breaks_is_made_again_behind_what_came() -> None:
    server = Server([STARTED, text("Hola, "), None, text("Ana."), done()])
    assert await shown(await chat_with(server.app())) == "Hola, Ana.\n"
    (_, first), (method, again) = server.asked
    assert "last-event-id" not in first
    assert (method, again["last-event-id"]) == ("GET", "2")


async def test_a_question_whose_fate_is_unknown_is_sent_again_under_its_key() -> None:
    server = Server([None, STARTED, done()])
    assert await shown(await chat_with(server.app())) == "Hola, Ana.\n"
    (_, first), (method, again) = server.asked
    assert method == "POST"
    assert first["idempotency-key"] == again["idempotency-key"]


async def test_a_server_that_stays_away_is_given_up_and_the_thread_is_told() -> None:
    told = await shown(await chat_with(Server([STARTED, *[None] * 20]).app()))
    assert "/thread 3" in told


async def test_a_server_that_does_not_stream_is_read_all_the_same() -> None:
    async def whole(request: Request) -> Response:
        return JSONResponse(done()[1] if request.method == "POST" else {"messages": []})

    conversation = await chat_with(Starlette(routes=[Route("/api/assistant/messages", whole, methods=["GET", "POST"])]))
    assert await shown(conversation) == "Hola, Ana.\n"
    assert (conversation.thread_id, conversation.turn_id) == (3, 7)


async def interrupted(conversation: Chat, server: Server, *, times: int) -> asyncio.Task[str]:
    """The chat, interrupted as Ctrl-C does once it has shown something."""
    asking = asyncio.create_task(shown(conversation))
    assert isinstance(conversation.screen, Written)
    for _ in range(500):
        if conversation.screen.written:
            break
        await asyncio.sleep(0.01)
    for _ in range(times):
        asking.cancel()
        await asyncio.sleep(0.05)
    return asking


async def test_an_interrupt_stops_the_answer_and_not_the_chat() -> None:
    gate = asyncio.Event()
    stopped = ("turn.stopped", {"thread_id": 3, "turn_id": 7, "message": {**MESSAGE, "text": "Hola", "finish": None}})
    server = Server([STARTED, text("Hola"), gate, stopped], stopped=gate.set)
    asking = await interrupted(await chat_with(server.app()), server, times=1)
    assert await asking == f"Hola\n{CHAT['en']['stopped']}\n"
    assert not asking.cancelled()


async def test_a_second_interrupt_leaves() -> None:
    server = Server([STARTED, text("Hola"), asyncio.Event()])
    conversation = await chat_with(server.app())
    asking = await interrupted(conversation, server, times=2)
    with pytest.raises(asyncio.CancelledError):
        await asking
    await conversation.client.aclose()
