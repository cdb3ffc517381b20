"""Performs one turn: prepares the question, does what ``assistant.turn`` yields, and concludes with the answer.

No connection is held while the model thinks. What the model said goes out as events while it comes, and is stored with the turn's end.
"""

import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from assistant import events, words
from assistant.calls import run_tools
from assistant.errors import ModelBroke
from assistant.history import mask
from assistant.job import Job, Outcome, Parts
from assistant.metrics import ModelStatus
from assistant.model.port import Reply, Usage
from assistant.model.reply import partial
from assistant.preparation import prepare
from assistant.prompts import system_text
from assistant.speech import Speech, stored
from assistant.turn import AskModel, RunTools, turn
from assistant.workspace import Workspace, unbroken
from audit import record
from db.pool import Connection
from tools import catalogue
from veil import guard, store
from veil.errors import Leak
from veil.guard import Secrets
from veil.late import late_marks
from veil.payload import Message, Request, Role
from veil.phrases import Text
from veil.text import Source
from veil.unveiling import Meant, Piece, filled

#: What a server says of an answer that has come to its end; anything else was cut.
_WHOLE = frozenset({"stop", "tool_calls", "function_call"})

#: Tokens that stand for nothing, of which a reader is told.
UNKNOWN = 100

#: Extends the lease, or raises when the turn was stopped or is somebody else's.
Keep = Callable[[Connection], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class _Answered:
    """What came back of a recorded call, and is not recorded yet."""

    call: int
    reply: Reply | None
    received_at: datetime


class Run:
    """One turn being performed. ``tell`` takes its events, by kind and body."""

    def __init__(self, parts: Parts, job: Job, *, keep: Keep, tell: Callable[[str, dict[str, Any]], None]) -> None:
        self._parts = parts
        self._job = job
        self._keep = keep
        self._tell = tell
        self._work = Workspace(parts, job)
        self._secrets = Secrets()
        self._unrecorded: _Answered | None = None
        self._speech: Speech | None = None
        self._finish: str | None = None
        self._pieces: Sequence[Piece] = ()
        self._late = 0  # masks of the answer

    async def perform(self) -> None:
        """All that comes before the end; raises what went wrong, with everything stored up to there."""
        if not await prepare(self._work):
            return
        self._finish = (await self._drive()).finish
        if self._finish is None:
            raise ModelBroke

    # --- the model -------------------------------------------------------------------------------------------------------------------

    async def _drive(self) -> Reply:
        steps = turn()
        answer: Reply | None = None
        while True:
            try:
                step = steps.send(answer)
            except StopIteration as end:
                final: Reply = end.value
                return final
            if isinstance(step, AskModel):
                answer = await self._ask(step)
            else:
                answer = None
                await self._run_tools(step)

    async def _ask(self, step: AskModel) -> Reply:
        work = self._work
        request, call = await unbroken(self._leave(step))
        self._speech = Speech(work.thread, lambda block: self._tell(events.TEXT, {"call": step.ordinal, "pieces": [*map(stored, block)]}))
        started, reply = time.monotonic(), None
        try:
            reply = await self._parts.model.ask(request, self._speech.hear)
        finally:
            self._unrecorded = _Answered(call, reply, self._parts.now())
            self._count(reply, time.monotonic() - started)
        return reply

    async def _leave(self, step: AskModel) -> tuple[Request, int]:
        """The request and the id of its record, with everything noted as sent that it holds."""
        work = self._work
        async with work.storing() as connection:
            await self._keep(connection)
            if step.ordinal > 1:
                await self._refresh(connection)
            request = self._guarded(step)
            for entry in work.history.entries:
                entry.changed = entry.changed or not entry.left
                entry.left = True
            await work.save(connection)
            call = await record.add(
                connection,
                tenant=self._job.actor.tenant_id,
                turn=self._job.turn_id,
                ordinal=step.ordinal,
                request=request,
                sent_at=self._parts.now(),
            )
        return request, call

    def _count(self, reply: Reply | None, seconds: float) -> None:
        status: ModelStatus = "failed" if reply is None else "cut" if reply.finish is None else "answered"
        used = reply.usage if reply is not None and reply.usage is not None else Usage(0, 0)
        self._work.outcome.usage["input_tokens"] += used.input_tokens
        self._work.outcome.usage["output_tokens"] += used.output_tokens
        self._parts.metrics.model_called(status, seconds, tokens_in=used.input_tokens, tokens_out=used.output_tokens)

    async def _refresh(self, connection: Connection) -> None:
        """Somebody may have been renamed since the last call of this turn."""
        work = self._work
        await work.crm.freshen(connection)
        if await store.refresh(connection, tenant=self._job.actor.tenant_id, known=work.thread, surfaces=work.surfaces):
            work.revision += 1

    def _request(self, step: AskModel) -> Request:
        language = self._job.tenant.language
        system = Message(Role.SYSTEM, (system_text(language),))
        return Request(
            self._job.model,
            (system, *self._work.history.messages()),
            tuple(catalogue.specs(language)),
            "auto" if step.tools else "none",
        )

    def _guarded(self, step: AskModel) -> Request:
        """The request, if the guard lets it go: its first hits are masked in place, a second one withholds the text and ends the turn."""
        work = self._work
        work.outcome.late += work.history.remask(work.thread, work.setting, revision=work.revision)
        # Where a name is only a street's or a town's, it is looked for if somebody who bears it is known in the thread.
        matched = ((form, kind) for form, kind in work.matched.forms() if form not in work.placed)
        self._secrets.learn([*work.thread.names.forms(), *matched], work.thread.values)
        request = self._request(step)
        hits = guard.inspect(request, self._secrets)
        if not hits:
            return request
        self._parts.metrics.guard_hit("masked", len(hits))
        for hit in hits:
            if (entry := work.history.entry_of(hit.message - 1)) is not None:
                work.outcome.late += mask(entry, hit, work.setting)
        request = self._request(step)
        hits = guard.inspect(request, self._secrets)
        for hit in hits:
            if (entry := work.history.entry_of(hit.message - 1)) is not None:
                entry.withheld = entry.changed = True
        if hits:
            self._parts.metrics.guard_hit("withheld", len(hits))
            raise Leak(f"{len(hits)} identifiers were found twice; the texts that hold them are withheld from now on")
        return request

    async def _run_tools(self, step: RunTools) -> None:
        if self._speech is not None:
            self._speech.close(cut=False)
            self._speech = None  # what was said beside calls is no part of the answer
        await run_tools(self._work, step, store=lambda: unbroken(self._store_calls()), tell=self._tell)

    async def _store_calls(self) -> None:
        async with self._work.storing() as connection:
            await self._record(connection)
            await self._keep(connection)
            await self._work.save(connection)
        self._unrecorded = None

    async def _record(self, connection: Connection) -> None:
        """Record what came back of the last call, if it is not yet."""
        if (last := self._unrecorded) is None:
            return
        reply = last.reply
        if reply is None and self._speech is not None and self._speech.begun:
            reply = partial(self._speech.said)
        response = reply.raw if reply is not None else None
        status = "failed" if reply is None else "cut" if reply.finish is None else "answered"
        await record.add_reply(
            connection, tenant=self._job.actor.tenant_id, call=last.call, response=response, status=status, received_at=last.received_at
        )

    # --- the end ---------------------------------------------------------------------------------------------------------------------

    async def close(self, *, whole: bool) -> None:
        """Say the rest of the answer, before ``conclude`` stores it; without ``whole`` only what came of it, if anything did."""
        speech, self._pieces = self._speech, ()
        if speech is None or not (whole or speech.begun):
            return
        cut = self._finish not in _WHOLE or speech.too_long
        self._pieces = speech.close(cut=cut, instead=words.no_answer(self._job.tenant.language))
        self._work.outcome.finish = _reason(self._finish) if cut else "stop"
        self._work.outcome.unknown = [str(token) for token in speech.unknown[:UNKNOWN]]
        await self._work.reserve_invented([speech.said])

    async def conclude(self, connection: Connection) -> Outcome:
        """Store what is still to be stored beside the turn's end, and give what the turn came to."""
        work = self._work
        await self._record(connection)
        if self._pieces:
            cards = await work.crm.cards(connection, dict.fromkeys(p.entity for p in self._pieces if isinstance(p, Meant) and p.entity is not None))
            answer = filled(self._pieces, cards, work.setting.version)
            said = Text(answer.clear.text)
            index = await work.crm.names(connection, said.forms())
            late = late_marks(answer.clear, answer.marks, index | work.thread.names, work.thread, work.setting, scrubbed=False)
            work.outcome.answer = answer.with_marks(replace(mark, source=Source.SAID) for mark in late)
            work.outcome.late += len(late) - self._late
            self._late = len(late)
        await work.save(connection)
        return work.outcome

    def storing(self) -> AbstractAsyncContextManager[Connection]:
        """The transaction for ``conclude`` and the turn's end."""
        return self._work.storing()

    @property
    def outcome(self) -> Outcome:
        """What the turn has come to so far."""
        return self._work.outcome

    @property
    def last_message(self) -> int:
        """The message that an answer follows."""
        return self._work.last_message


def _reason(finish: str | None) -> str:
    """Why an answer has no end: ``length``, ``content_filter``, or ``cut`` when nobody said why."""
    if finish is None:
        return "cut"
    return "content_filter" if finish == "content_filter" else "length"
