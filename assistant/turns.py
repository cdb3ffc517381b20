"""Turns as the doors see them: a question is stored and its turn started as a server task; whoever asked may wait for the end or leave.

A turn holds its thread by a lease. It is written by one statement at the end, together with the answer, so that after any crash a turn is
either done with its answer or not done.
"""

import asyncio
import contextlib
import secrets
import uuid
from collections.abc import Callable, Sequence
from typing import Any

from assistant import prompts, views, words
from assistant.errors import (
    KeyReused,
    ModelError,
    ModelRejected,
    ModelTimedOut,
    ModelUnavailable,
    NotFound,
    ThreadBusy,
    TurnFailed,
    Unavailable,
    Unprocessable,
)
from assistant.history import Entry
from assistant.job import Job, Outcome, Parts
from assistant.loop import Run
from assistant.question import Ask, Mention
from assistant.settings import TenantSettings, tenant_settings
from assistant.threads import SQL, add_message
from audit import record
from db.errors import Conflict, DatabaseError
from db.pool import Connection, Database, Row
from tools.permissions import Actor
from veil import resolve
from veil.errors import Leak, VeilError
from veil.text import Clear, Marked
from veil.tokens import LETTERS, Entity, EntityId, Kind

#: Seconds that a turn holds its thread without a sign of life.
LEASE = 60
_HEARTBEAT = LEASE / 4
_POLL = 0.2
_OPEN = ("queued", "running", "stopping")


class _Gone(Exception):
    """The turn was stopped, or its lease is another server's now."""


class Turns:
    """The turns, threads and messages of members."""

    def __init__(self, parts: Parts, *, model: str, software: str, new_id: Callable[[], str] = lambda: secrets.token_hex(4)) -> None:
        self._parts = parts
        self._model = model
        self._software = software
        self._new_id = new_id
        self._owner = uuid.uuid4()
        self._tasks: dict[tuple[int, int], asyncio.Task[None]] = {}

    @property
    def _database(self) -> Database:
        return self._parts.database

    # --- asking ----------------------------------------------------------------------------------------------------------------------

    async def ask(self, actor: Actor, ask: Ask) -> int:
        """Store the question, take the thread and start the turn; gives its id. The same idempotency key gives the same turn."""
        try:
            async with self._database.tenant(actor.tenant_id) as connection:
                known = await self._known_turn(connection, actor, ask)
                if known is not None:
                    return known
                tenant = await self._tenant(connection, actor.tenant_id)
                thread = await self._thread(connection, actor, ask)
                ask = await self._answered_choice(connection, actor, thread, ask)
                await self._check_mentions(connection, actor, ask.mentions)
                await self._free(connection, actor.tenant_id, thread)
                job = await self._begin(connection, actor, tenant, thread, ask)
        except Conflict as error:
            if "one_open" in error.constraint:
                raise ThreadBusy("Another question of this thread is being answered.", retry_after=1) from None
            return await self._raced(actor, ask)
        self._start(job)
        return job.turn_id

    async def _known_turn(self, connection: Connection, actor: Actor, ask: Ask) -> int | None:
        if ask.idempotency_key is None:
            return None
        row = await connection.fetchrow(SQL["turn_of_key"], actor.tenant_id, actor.member_id, ask.idempotency_key)
        if row is None:
            return None
        if row["body_hash"] != ask.body_hash:
            raise KeyReused("This Idempotency-Key came before with another body. Send a new key.")
        number: int = row["id"]
        return number

    async def _raced(self, actor: Actor, ask: Ask) -> int:
        """The same key came twice at once: the other request won."""
        async with self._database.tenant(actor.tenant_id) as connection:
            known = await self._known_turn(connection, actor, ask)
        if known is None:
            raise Unavailable("The question could not be stored. Send it again.", retry_after=1)
        return known

    async def _thread(self, connection: Connection, actor: Actor, ask: Ask) -> int:
        if ask.thread_id is None:
            opened: int = (await _add_thread(connection, actor, None, None))["id"]
            return opened
        row = await connection.fetchrow(SQL["lock_thread"], actor.tenant_id, ask.thread_id, actor.member_id)
        if row is None:
            raise NotFound("You have no thread with this id.")
        return ask.thread_id

    async def _answered_choice(self, connection: Connection, actor: Actor, thread: int, ask: Ask) -> Ask:
        """A reply of "anyone" to our asking whom was meant stands for the question before it, with any of its candidates."""
        if not words.means_anyone(ask.text.text):
            return ask
        row = await connection.fetchrow(SQL["last_question"], actor.tenant_id, thread)
        if row is None:
            return ask
        mentions = tuple(
            Mention(choice["start"], choice["end"], Kind(choice["candidates"][0][0]), None) for choice in row["outcome"]["choices"]
        )
        return Ask(Clear(row["text"]), ask.thread_id, mentions, ask.idempotency_key, ask.body_hash)

    async def _check_mentions(self, connection: Connection, actor: Actor, mentions: Sequence[Mention]) -> None:
        meant = [Entity(mention.kind, EntityId(mention.id)) for mention in mentions if mention.id is not None]
        cards, _ = await resolve.cards(connection, tenant=actor.tenant_id, member=actor.member_id, entities=dict.fromkeys(meant))
        for number, entity in enumerate(meant):
            if entity not in cards or not cards[entity].visible:
                raise Unprocessable(f"mentions[{number}]: there is no such {entity.kind}. Choose one of the candidates.")

    async def _free(self, connection: Connection, tenant: int, thread: int) -> None:
        """Make sure that nobody holds the thread; a turn whose server is gone ends here."""
        await connection.fetch(SQL["end_expired"], tenant)
        row = await connection.fetchrow(SQL["open_turn"], tenant, thread)
        if row is not None:
            wait = max(1, min(5, round(row["seconds_left"] or 1)))
            raise ThreadBusy("Another question of this thread is being answered.", retry_after=wait)

    async def _begin(self, connection: Connection, actor: Actor, tenant: TenantSettings, thread: int, ask: Ask) -> Job:
        parent = await connection.fetchval(SQL["head_of_thread"], actor.tenant_id, thread)
        model = tenant.model or self._model
        turn = await connection.fetchval(
            SQL["add_turn"],
            actor.tenant_id,
            thread,
            actor.member_id,
            self._owner,
            float(LEASE),
            ask.idempotency_key,
            ask.body_hash,
            model,
            prompts.version(),
            self._software,
        )
        now = self._parts.now().astimezone(tenant.time_zone)
        question = Entry(0, "user", turn, words.opening(now, tenant.language), marked=Marked.of(ask.text, (), ""))
        message = await add_message(connection, tenant=actor.tenant_id, thread=thread, parent=parent, entry=question)
        await connection.execute(SQL["set_question"], actor.tenant_id, turn, message)
        await connection.execute(SQL["touch_thread"], actor.tenant_id, thread)
        return Job(actor, tenant, thread, turn, message, ask.mentions, model)

    # --- running ---------------------------------------------------------------------------------------------------------------------

    def _start(self, job: Job) -> None:
        key = (job.actor.tenant_id, job.turn_id)
        task = asyncio.create_task(self._perform(job), name=f"turn {job.turn_id}")
        self._tasks[key] = task
        task.add_done_callback(lambda _: self._tasks.pop(key, None))

    async def _perform(self, job: Job) -> None:
        run = Run(self._parts, job, keep=lambda: self._keep(job))
        heart = asyncio.create_task(self._beat(job))
        try:
            await self._end(job, run, "done", await run.perform())
        except asyncio.CancelledError:
            await asyncio.shield(self._end_quietly(job, run, "stopped", None))
        except _Gone:
            await self._end_quietly(job, run, "stopped", None)
        except Exception as error:  # whatever it was, the turn ends and the thread is free
            await self._end_quietly(job, run, "failed", error)
        finally:
            heart.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await heart

    async def _beat(self, job: Job) -> None:
        while True:
            await asyncio.sleep(_HEARTBEAT)
            with contextlib.suppress(DatabaseError, _Gone):
                await self._keep(job)

    async def _keep(self, job: Job) -> None:
        async with self._database.tenant(job.actor.tenant_id) as connection:
            state = await connection.fetchval(SQL["extend_lease"], job.actor.tenant_id, job.turn_id, self._owner, float(LEASE))
        if state != "running":
            raise _Gone

    async def _end_quietly(self, job: Job, run: Run, state: str, error: Exception | None) -> None:
        """End a turn badly. If Postgres is away, the lease runs out and the next question ends it."""
        with contextlib.suppress(DatabaseError):
            await run.withhold()
        with contextlib.suppress(DatabaseError, _Gone):
            await self._end(job, run, state, run.outcome, error)

    async def _end(self, job: Job, run: Run, state: str, outcome: Outcome, error: Exception | None = None) -> None:
        """The answer and the end of the turn, in one transaction."""
        tenant = job.actor.tenant_id
        async with self._database.tenant(tenant) as connection:
            answer = error_id = None
            if state == "done" and outcome.answer is not None:
                entry = Entry(0, "assistant", job.turn_id, marked=outcome.answer, left=True)
                answer = await add_message(connection, tenant=tenant, thread=job.thread_id, parent=run.last_message, entry=entry)
            if error is not None:
                error_id = self._new_id()
                await connection.execute(SQL["add_error"], tenant, error_id, job.turn_id, _kind_of(error), _place_of(error), {})
            ended = await connection.fetchval(
                SQL["end_turn"],
                tenant,
                job.turn_id,
                self._owner,
                state,
                answer,
                outcome.usage,
                outcome.steps,
                outcome.to_json(),
                error_id,
            )
            if ended is None:
                raise _Gone  # rolls the answer back: the turn is somebody else's

    async def drain(self) -> None:
        """Wait for the turns that run, as a server that is about to stop does."""
        if self._tasks:
            await asyncio.wait(list(self._tasks.values()), timeout=LEASE)

    # --- reading ---------------------------------------------------------------------------------------------------------------------

    async def finished(self, actor: Actor, turn_id: int) -> dict[str, Any]:
        """Wait for a turn's end and give its answer; raises ``TurnFailed`` with the error id when it has none."""
        task = self._tasks.get((actor.tenant_id, turn_id))
        if task is not None:
            await asyncio.wait([task])
        while (row := await self._turn(actor, turn_id))["state"] in _OPEN:
            if row["expired"]:
                async with self._database.tenant(actor.tenant_id) as connection:
                    await connection.fetch(SQL["end_expired"], actor.tenant_id)
            await asyncio.sleep(_POLL)
        if row["state"] == "failed":
            await self._raise_failure(actor, row)
        if row["state"] != "done":
            sentence = "The answer was stopped." if row["state"] == "stopped" else "The answer was interrupted. Ask again."
            raise TurnFailed(sentence, error_id=row["error_id"], concerns=_concerns(row))
        return await self._response(actor, row)

    async def _raise_failure(self, actor: Actor, row: Row) -> None:
        async with self._database.tenant(actor.tenant_id, read_only=True) as connection:
            kind = await connection.fetchval(SQL["kind_of_error"], actor.tenant_id, row["error_id"])
        raise TurnFailed(_SENTENCES.get(kind, _SENTENCES["internal"]), error_id=row["error_id"], concerns=_concerns(row))

    async def _turn(self, actor: Actor, turn_id: int) -> Row:
        async with self._database.tenant(actor.tenant_id, read_only=True) as connection:
            row = await connection.fetchrow(SQL["turn_of_member"], actor.tenant_id, turn_id, actor.member_id)
        if row is None:
            raise NotFound("You have no turn with this id.")
        return row

    async def _response(self, actor: Actor, turn: Row) -> dict[str, Any]:
        async with self._database.tenant(actor.tenant_id, read_only=True) as connection:
            return await views.response(connection, actor, await self._tenant(connection, actor.tenant_id), turn)

    async def stop(self, actor: Actor, turn_id: int) -> dict[str, Any]:
        """Ask a turn to stop and give its state."""
        await self._turn(actor, turn_id)
        async with self._database.tenant(actor.tenant_id) as connection:
            await connection.execute(SQL["stop_turn"], actor.tenant_id, turn_id, actor.member_id)
        task = self._tasks.get((actor.tenant_id, turn_id))
        if task is not None:
            task.cancel()
            await asyncio.wait([task])
        row = await self._turn(actor, turn_id)
        return {"turn_id": turn_id, "state": row["state"]}

    async def veiled(self, actor: Actor, turn_id: int) -> dict[str, Any]:
        """Exactly what a turn sent and received."""
        turn = await self._turn(actor, turn_id)
        async with self._database.tenant(actor.tenant_id, read_only=True) as connection:
            return views.veiled(turn, await record.calls_of_turn(connection, tenant=actor.tenant_id, turn=turn_id))

    async def messages(self, actor: Actor, thread_id: int) -> list[dict[str, Any]]:
        """The questions and answers of a thread, the oldest first, along the path that goes on."""
        async with self._database.tenant(actor.tenant_id, read_only=True) as connection:
            if await connection.fetchrow(SQL["thread_of_member"], actor.tenant_id, thread_id, actor.member_id) is None:
                raise NotFound("You have no thread with this id.")
            return await views.messages(connection, actor, await self._tenant(connection, actor.tenant_id), thread_id)

    async def member(self, actor: Actor) -> dict[str, Any]:
        """Who asks, and the language and time zone in which they are answered."""
        async with self._database.tenant(actor.tenant_id, read_only=True) as connection:
            return views.member(actor, await self._tenant(connection, actor.tenant_id))

    async def threads(self, actor: Actor) -> list[dict[str, Any]]:
        """The actor's threads, the latest first. They have no titles: a title would be a second copy of a name."""
        async with self._database.tenant(actor.tenant_id, read_only=True) as connection:
            rows = await connection.fetch(SQL["threads_of_member"], actor.tenant_id, actor.member_id)
        return [views.thread(row) for row in rows]

    async def open_thread(self, actor: Actor, idempotency_key: str | None, body_hash: bytes) -> dict[str, Any]:
        """Open a thread; the same idempotency key gives the same one."""
        try:
            async with self._database.tenant(actor.tenant_id) as connection:
                known = await self._known_thread(connection, actor, idempotency_key, body_hash)
                return views.thread(known or await _add_thread(connection, actor, idempotency_key, body_hash))
        except Conflict:  # the same key came twice at once: the other request won
            async with self._database.tenant(actor.tenant_id) as connection:
                known = await self._known_thread(connection, actor, idempotency_key, body_hash)
        if known is None:
            raise Unavailable("The thread could not be opened. Try again.", retry_after=1)
        return views.thread(known)

    async def _known_thread(self, connection: Connection, actor: Actor, key: str | None, body_hash: bytes) -> Row | None:
        if key is None:
            return None
        row = await connection.fetchrow(SQL["thread_of_key"], actor.tenant_id, actor.member_id, key)
        if row is not None and row["body_hash"] != body_hash:
            raise KeyReused("This Idempotency-Key came before with another body. Send a new key.")
        return row

    async def _tenant(self, connection: Connection, tenant: int) -> TenantSettings:
        return tenant_settings(await connection.fetchval(SQL["settings_of_tenant"], tenant))


async def _add_thread(connection: Connection, actor: Actor, key: str | None, body_hash: bytes | None) -> Row:
    """A new thread, in which the asker is U-1."""
    (row,) = await connection.fetch(SQL["add_thread"], actor.tenant_id, actor.member_id, key, body_hash)
    await connection.fetch(SQL["mint_asker"], row["id"], LETTERS[Kind.MEMBER], actor.member_id)
    return row


def _concerns(turn: Row) -> dict[str, int]:
    return {"thread_id": turn["thread_id"], "turn_id": turn["id"]}


_SENTENCES = {
    "leak": "An identifier was about to leave and could not be masked, so nothing was sent. The text is withheld; your next question works.",
    "model_unavailable": "The language model cannot be reached. Ask again in a moment.",
    "model_timeout": "The language model took too long. Ask again.",
    "model_rejected": "The language model refused the request. Whoever runs Velo can find out why with the error id.",
    "model_malformed": "The language model sent an answer that cannot be read. Ask again.",
    "veil": "The question could not be veiled, so nothing was sent. Your next question works.",
    "database": "The database did not answer. Ask again in a moment.",
    "internal": "Something went wrong on our side. Whoever runs Velo can find out what with the error id.",
}


def _kind_of(error: Exception) -> str:
    table: tuple[tuple[type[Exception], str], ...] = (
        (Leak, "leak"),
        (ModelUnavailable, "model_unavailable"),
        (ModelTimedOut, "model_timeout"),
        (ModelRejected, "model_rejected"),
        (ModelError, "model_malformed"),
        (VeilError, "veil"),
        (DatabaseError, "database"),
    )
    return next((name for kind, name in table if isinstance(error, kind)), "internal")


def _place_of(error: Exception) -> str:
    """Class, module and line of an error: enough to find it, and never its words."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f"{trace.tb_frame.f_globals.get('__name__', '?')}:{trace.tb_lineno}" if trace is not None else "?"
    return f"{type(error).__name__} at {where}"
