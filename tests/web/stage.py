"""Turns that a test plays by hand: it says what the model says and when, and the page shows it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from assistant.errors import AssistantError, NotFound, ThreadBusy
from assistant.events import FINAL, Event
from assistant.question import Ask
from tools.permissions import Actor

_MARK = re.compile(r"\{([^{}|]*)\|([^{}|]*)\|([a-z]*)\}")
MOMENT = "2026-03-02T12:00:00+00:00"


def marked(text: str, **more: Any) -> tuple[str, list[dict[str, Any]]]:
    """The text and marks of a line like ``Hablé con {María Soto|C-7|contact}.``; without a kind the span is only masked."""
    marks: list[dict[str, Any]] = []
    shown, position = "", 0
    for found in _MARK.finditer(text):
        shown += text[position : found.start()]
        name, token, kind = found.groups()
        mark = {"start": len(shown), "end": len(shown) + len(name), "token": token, "source": "token", "late": False, "fuzzy": False, **more}
        marks.append({**mark, "kind": kind, "state": more.get("state", "visible"), "ids": [1]} if kind else {**mark, "source": "scrub"})
        shown, position = shown + name, found.end()
    return shown + text[position:], marks


@dataclass
class Live:
    """One turn, and the hand that plays it."""

    id: int
    thread_id: int
    question: dict[str, Any]
    ask: Ask
    state: str = "running"
    events: list[Event] = field(default_factory=list)
    text: str = ""
    marks: list[dict[str, Any]] = field(default_factory=list)
    steps: list[dict[str, Any]] = field(default_factory=list)
    answer: dict[str, Any] | None = None
    call: int = 1
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    followers: int = 0

    @property
    def error_id(self) -> str | None:
        """What the member may pass on, where it failed."""
        return "0badcafe" if self.state in ("failed", "interrupted") else None

    def emit(self, kind: str, **body: Any) -> None:
        """Let everybody hear an event."""
        self.events.append(Event(len(self.events) + 1, kind, body))
        changed, self.changed = self.changed, asyncio.Event()
        changed.set()

    def say(self, line: str, **more: Any) -> Live:
        """Let the model say a piece of its answer."""
        text, marks = marked(line, **more)
        self.marks += [{**mark, "start": mark["start"] + len(self.text), "end": mark["end"] + len(self.text)} for mark in marks]
        self.text += text
        self.emit("text.delta", call=self.call, text=text, marks=marks)
        return self

    def begin_call(self) -> Live:
        """Let the model be asked once more: what it has said so far, it said to itself."""
        self.text, self.marks = "", []
        self.call += 1
        return self

    def begin_step(self, tool: str) -> Live:
        """Let the model call a tool."""
        self.begin_call()
        self.emit("step.started", step=len(self.steps) + 1, tool=tool)
        return self

    def end_step(self, tool: str, status: str = "ok") -> Live:
        """Let the tool answer."""
        self.steps.append({"step": len(self.steps) + 1, "tool": tool, "status": status, "ms": 12})
        self.emit("step.completed", **self.steps[-1])
        return self

    def end(self, state: str = "done", **more: Any) -> Live:
        """Let the turn end in this state."""
        self.state = state
        finish = more.pop("finish", "stop" if state == "done" else "cut")
        if self.text:
            self.answer = {"id": self.id * 10 + 1, "turn_id": self.id, "role": "assistant", "text": self.text, "marks": self.marks}
            self.answer |= {"withheld": False, "created_at": MOMENT, "state": state, "finish": finish}
        body: dict[str, Any] = {"thread_id": self.thread_id, "turn_id": self.id, "message": self.answer}
        if state == "done":
            steps = [{key: step[key] for key in ("tool", "status", "ms")} for step in self.steps]
            body |= {"steps": steps, "unknown_tokens": [], "choices": [], "late_masks": 0, "finish": finish}
        if state in ("failed", "interrupted"):
            body |= {"error_id": self.error_id, "code": "turn_failed", "title": "It failed", "detail": "It failed. Ask again."}
        for name in ("unknown_tokens", "late_masks"):
            if self.answer is not None:
                self.answer[name] = more.get(name, body.get(name))
        self.emit(FINAL[state], **{**body, **more})
        return self


class Stage:
    """The turns, threads and messages of everybody, as ``assistant.http.port.Turns`` wants them."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget everything, and say where everybody is answered: tenant 1 in Spanish, 2 in Portuguese, 3 in English."""
        self.turns: dict[int, Live] = {}
        self.threads_made: dict[int, Actor] = {}
        self.asked_by: dict[int, Actor] = {}
        self.records: dict[int, dict[str, Any]] = {}
        self.refuses: AssistantError | None = None
        self.cuts = asyncio.Event()
        self.silent_streams = 0
        self.open = asyncio.Event()
        self.open.set()
        self.arrived: asyncio.Queue[Live] = asyncio.Queue()

    async def asked(self) -> Live:
        """The next turn that somebody starts."""
        return await asyncio.wait_for(self.arrived.get(), 10)

    def cut_the_line(self) -> None:
        """Break every connection that follows a turn, as a bad network does."""
        cuts, self.cuts = self.cuts, asyncio.Event()
        cuts.set()

    def lose_streams(self, count: int) -> None:
        """Let the next streams end before their first event."""
        self.silent_streams = count

    async def ask(self, actor: Actor, ask: Ask) -> int:
        await self.open.wait()
        if self.refuses is not None:
            raise self.refuses
        for turn in self.turns.values():
            if ask.idempotency_key and turn.ask.idempotency_key == ask.idempotency_key:
                return turn.id
            if turn.thread_id == ask.thread_id and turn.state == "running":
                raise ThreadBusy("The thread is answering another question.", error_id="feedf00d", retry_after=1)
        number = len(self.turns) + 1
        thread_id = ask.thread_id or (await self.open_thread(actor, None, b""))["thread_id"]
        question = {"id": number * 10, "turn_id": number, "role": "user", "text": ask.text.text, "marks": []}
        turn = Live(number, thread_id, {**question, "withheld": False, "created_at": MOMENT}, ask)
        turn.emit("turn.started", thread_id=thread_id, turn_id=number)
        self.turns[number], self.asked_by[number] = turn, actor
        self.arrived.put_nowait(turn)
        return number

    async def belongs(self, actor: Actor, turn_id: int) -> None:
        self._own(actor, turn_id)

    async def events(self, actor: Actor, turn_id: int, after: int) -> AsyncIterator[Event]:
        turn = self._own(actor, turn_id)
        cuts, turn.followers = self.cuts, turn.followers + 1
        if self.silent_streams:
            self.silent_streams -= 1
            return
        while not cuts.is_set():
            changed = turn.changed
            for event in turn.events[after:]:
                yield event
                after = event.seq
                if event.is_final:
                    return
            waits = [asyncio.ensure_future(changed.wait()), asyncio.ensure_future(cuts.wait())]
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            for wait in waits:
                wait.cancel()

    async def finished(self, actor: Actor, turn_id: int) -> dict[str, Any]:
        async for event in self.events(actor, turn_id, 0):
            last = event
        return dict(last.body)

    async def stop(self, actor: Actor, turn_id: int) -> dict[str, Any]:
        turn = self._own(actor, turn_id)
        if turn.state == "running":
            turn.end("stopped")
        return {"turn_id": turn_id, "state": turn.state}

    async def veiled(self, actor: Actor, turn_id: int) -> dict[str, Any]:
        self._own(actor, turn_id)
        return self.records.get(turn_id, {"turn_id": turn_id, "model": None, "late_masks": 0, "calls": []})

    async def messages(self, actor: Actor, thread_id: int) -> list[dict[str, Any]]:
        if self.threads_made.get(thread_id) != actor:
            raise NotFound("You have no thread with this id.")
        turns = [turn for turn in self.turns.values() if turn.thread_id == thread_id]
        return [
            {"unknown_tokens": [], "late_masks": 0, "finish": None, **message, "state": turn.state, "error_id": turn.error_id} for turn in turns for message in (turn.question, turn.answer) if message is not None
        ]

    async def member(self, actor: Actor) -> dict[str, Any]:
        language = {1: "es", 2: "pt", 3: "en"}[actor.tenant_id]
        return {"tenant_id": actor.tenant_id, "member_id": actor.member_id, "role": actor.role.value, "language": language, "zone": "America/Santiago"}

    async def threads(self, actor: Actor) -> list[dict[str, Any]]:
        numbers = [number for number, member in self.threads_made.items() if member == actor]
        return [{"thread_id": number, "created_at": MOMENT, "updated_at": MOMENT} for number in reversed(numbers)]

    async def open_thread(self, actor: Actor, idempotency_key: str | None, body_hash: bytes) -> dict[str, Any]:
        number = len(self.threads_made) + 1
        self.threads_made[number] = actor
        return {"thread_id": number, "created_at": MOMENT, "updated_at": MOMENT}

    def _own(self, actor: Actor, turn_id: int) -> Live:
        if self.asked_by.get(turn_id) != actor:
            raise NotFound("You have no turn with this id.")
        return self.turns[turn_id]
