"""Turns as the doors see them: a question is stored and its turn started as a server task; whoever asked may follow it, wait for its end, or
leave.
"""

import asyncio
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from assistant import events, prompts, runner, views, words
from assistant.errors import KeyReused, NotFound, ThreadBusy, TurnFailed, Unavailable, Unprocessable
from assistant.events import Event, Events
from assistant.history import Entry
from assistant.job import Job, Parts
from assistant.question import Ask, Mention
from assistant.runner import LEASE, Runner
from assistant.settings import TenantSettings, tenant_settings
from assistant.threads import SQL
from audit import record
from db.errors import Conflict, DatabaseError
from db.pool import Connection, Database, Row
from tools.permissions import Actor
from veil import resolve
from veil.text import Clear, Marked
from veil.tokens import LETTERS, Entity, EntityId, Kind


class Turns:
    """The turns, threads and messages of members."""

    def __init__(self, parts: Parts, *, model: str, software: str, new_id: Callable[[], str] = lambda: secrets.token_hex(4)) -> None:
        self._parts = parts
        self._model = model
        self._software = software
        self._events = Events(parts.database, express=parts.express or parts.database, metrics=parts.metrics)
        self._runner = Runner(parts, self._events, new_id=new_id)
        self._chores: set[asyncio.Task[None]] = set()

    @property
    def _database(self) -> Database:
        return self._parts.database

    # --- with other processes --------------------------------------------------------------------------------------------------------

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """While this lasts, events that other processes write wake readers here, turns here stop when others say so, and others see that
        this process lives."""
        channels = {events.CHANNEL: self._events.wake, runner.CHANNEL: self._runner.hear_stop}
        async with self._database.listening(channels, missed=self._missed, presence=str(self._runner.owner)):
            yield

    def _missed(self) -> None:
        self._events.wake_all()
        chore = asyncio.create_task(self._stop_missed())
        self._chores.add(chore)
        chore.add_done_callback(self._chores.discard)

    async def _stop_missed(self) -> None:
        try:
            await self._runner.stop_missed()
        except DatabaseError:
            return  # gone again: this is called once more when it is back

    async def idle(self) -> None:
        """Return once no turn runs in this process."""
        await self._runner.idle()

    async def interrupt(self) -> None:
        """End every turn that still runs here as interrupted, and whoever follows others from here may come back elsewhere."""
        await self._runner.interrupt()
        self._events.leave()

    # --- asking ----------------------------------------------------------------------------------------------------------------------

    async def ask(self, actor: Actor, ask: Ask) -> int:
        """Store the question, take the thread and start the turn; gives its id. The same idempotency key gives the same turn."""
        try:
            async with self._database.tenant(actor.tenant_id) as connection:
                known = await self._known_turn(connection, actor, ask)
                if known is None:
                    job = await self._prepared(connection, actor, ask)
        except ThreadBusy as busy:
            if not await self._runner.end_orphan((actor.tenant_id, busy.concerns["turn_id"])):
                raise
            return await self.ask(actor, ask)
        except Conflict as error:
            if "one_open" in error.constraint:
                raise ThreadBusy("Another question of this thread is being answered.", retry_after=1) from None
            return await self._raced(actor, ask)
        if known is not None:
            await self._runner.end_orphan((actor.tenant_id, known))
            return known
        self._runner.start(job)
        return job.turn_id

    async def _prepared(self, connection: Connection, actor: Actor, ask: Ask) -> Job:
        tenant = await self._tenant(connection, actor.tenant_id)
        ask = await self._answered_choice(connection, actor, ask)
        await self._check_mentions(connection, actor, ask.mentions)
        return await self._take(connection, actor, tenant, ask)

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

    async def _answered_choice(self, connection: Connection, actor: Actor, ask: Ask) -> Ask:
        """A reply of "anyone" to our asking whom was meant stands for the question before it, with any of its candidates."""
        if ask.thread_id is None or not words.means_anyone(ask.text.text):
            return ask
        row = await connection.fetchrow(SQL["last_question"], actor.tenant_id, ask.thread_id, actor.member_id)
        if row is None:
            return ask
        mentions = tuple(
            Mention(choice["start"], choice["end"], Kind(choice["candidates"][0][0]), None) for choice in row["outcome"]["choices"]
        )
        return Ask(Clear(row["text"]), ask.thread_id, mentions, ask.idempotency_key, ask.body_hash)

    async def _check_mentions(self, connection: Connection, actor: Actor, mentions: Sequence[Mention]) -> None:
        meant = [Entity(mention.kind, EntityId(mention.id)) for mention in mentions if mention.id is not None]
        if not meant:
            return
        cards = await resolve.cards(connection, tenant=actor.tenant_id, member=actor.member_id, entities=dict.fromkeys(meant))
        for number, entity in enumerate(meant):
            if entity not in cards or not cards[entity].visible:
                raise Unprocessable(f"mentions[{number}]: there is no such {entity.kind}. Choose one of the candidates.")

    async def _take(self, connection: Connection, actor: Actor, tenant: TenantSettings, ask: Ask) -> Job:
        """The thread, taken for a turn with this question."""
        model = tenant.model or self._model
        opening = words.opening(self._parts.now().astimezone(tenant.time_zone), tenant.language)
        marks = Entry(0, "user", 0, opening, marked=Marked.of(ask.text, (), "")).marks_to_json()
        taken = await connection.fetchrow(
            SQL["take_turn"],
            actor.member_id,
            LETTERS[Kind.MEMBER],
            ask.thread_id,
            self._runner.owner,
            float(LEASE),
            ask.idempotency_key,
            ask.body_hash if ask.idempotency_key is not None else None,
            model,
            prompts.version(),
            self._software,
            ask.text.text,
            marks,
            opening,
        )
        if taken is None or taken["outcome"] == "no_thread":
            raise NotFound("You have no thread with this id.")
        if taken["outcome"] == "busy":
            wait = max(1, min(5, round(taken["seconds_left"] or 1)))
            concerns = {"thread_id": taken["thread"], "turn_id": taken["turn"]}
            raise ThreadBusy("Another question of this thread is being answered.", retry_after=wait, concerns=concerns)
        return Job(actor, tenant, taken["thread"], taken["turn"], taken["question"], ask.mentions, model)

    # --- following -------------------------------------------------------------------------------------------------------------------

    async def finished(self, actor: Actor, turn_id: int) -> dict[str, Any]:
        """Wait for a turn's end and give its answer; raises ``TurnFailed`` with the error id when it has none."""
        key = (actor.tenant_id, turn_id)
        await self._runner.ended(key)
        response = await self._response(actor, turn_id)
        if response is None:
            async for _ in self._events.follow(key, 0):
                pass
            response = await self._response(actor, turn_id)
        if response is None:
            raise Unavailable("The turn goes on. Ask for it again in a moment.", retry_after=1)
        return response

    async def belongs(self, actor: Actor, turn_id: int) -> None:
        """Raise ``NotFound`` unless the turn is the actor's."""
        await self._turn(actor, turn_id)

    async def events(self, actor: Actor, turn_id: int, after: int) -> AsyncGenerator[Event | None, None]:
        """The events of a turn behind a number, as they come, drawn for the actor; ``None`` now and then while nothing happens."""
        turn = await self._turn(actor, turn_id)
        reader = views.Reader(self._database, actor, tenant_settings(turn["settings"]), turn)
        self._parts.metrics.streams.inc()
        try:
            async for event in self._events.follow((actor.tenant_id, turn_id), after):
                yield event and Event(event.seq, event.kind, await self._drawn(reader, event))
        finally:
            self._parts.metrics.streams.dec()

    async def _drawn(self, reader: views.Reader, event: Event) -> Mapping[str, Any]:
        if not event.is_final:
            return await reader.event(event)
        try:
            response = await self._response(reader.actor, reader.turn["id"])
        except TurnFailed as failure:
            return await reader.end(event.kind, failure)
        return response or {}

    async def _response(self, actor: Actor, turn_id: int) -> dict[str, Any] | None:
        """The answer of a turn; ``None`` while it runs."""
        async with self._database.tenant(actor.tenant_id, read_only=True) as connection:
            turn = await connection.fetchrow(SQL["turn_of_member"], actor.tenant_id, turn_id, actor.member_id)
            if turn is None:
                raise NotFound("You have no turn with this id.")
            if turn["state"] not in events.FINAL:
                return None
            if turn["state"] == "done":
                return await views.response(connection, actor, tenant_settings(turn["settings"]), turn)
        raise _failure(turn)

    async def _turn(self, actor: Actor, turn_id: int) -> Row:
        async with self._database.tenant(actor.tenant_id, read_only=True) as connection:
            row = await connection.fetchrow(SQL["turn_of_member"], actor.tenant_id, turn_id, actor.member_id)
        if row is None:
            raise NotFound("You have no turn with this id.")
        return row

    async def stop(self, actor: Actor, turn_id: int) -> dict[str, Any]:
        """Stop a turn wherever it runs, and give its state: ``stopping`` when another process has yet to end it."""
        key = (actor.tenant_id, turn_id)
        async with self._database.tenant(actor.tenant_id) as connection:
            if await connection.fetchval(SQL["stop_turn"], *key, actor.member_id):
                await connection.execute(SQL["tell_stop"], runner.CHANNEL, f"{key[0]}:{key[1]}")
        if self._runner.stop(key):
            await self._runner.ended(key)
        row = await self._turn(actor, turn_id)
        return {"turn_id": turn_id, "state": row["state"]}

    # --- reading ---------------------------------------------------------------------------------------------------------------------

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


async def _add_thread(connection: Connection, actor: Actor, key: str | None, body_hash: bytes) -> Row:
    """A new thread, in which the asker is U-1."""
    (row,) = await connection.fetch(SQL["add_thread"], actor.tenant_id, actor.member_id, key, body_hash if key is not None else None)
    await connection.fetch(SQL["mint_asker"], row["id"], LETTERS[Kind.MEMBER], actor.member_id)
    return row


def _failure(turn: Row) -> TurnFailed:
    """Why a turn has no answer, or only a part of one."""
    sentence = {
        "stopped": "The answer was stopped.",
        "interrupted": "The answer was interrupted. Ask again.",
    }.get(turn["state"]) or _SENTENCES.get(turn["error_kind"], _SENTENCES["internal"])
    return TurnFailed(sentence, error_id=turn["error_id"], concerns={"thread_id": turn["thread_id"], "turn_id": turn["id"]})


_SENTENCES = {
    "leak": "An identifier was about to leave and could not be masked, so nothing was sent. The text is withheld; your next question works.",
    "model_unavailable": "The language model cannot be reached. Ask again in a moment.",
    "model_timeout": "The language model took too long. Ask again.",
    "model_rejected": "The language model refused the request. Whoever runs Velo can find out why with the error id.",
    "model_broke": "The language model's answer broke off; what came of it is kept. Ask again.",
    "model_malformed": "The language model sent an answer that cannot be read. Ask again.",
    "veil": "The question could not be veiled, so nothing was sent. Your next question works.",
    "disk_full": "The disk of the database is full, so nothing can be stored. Whoever runs Velo must make room; then ask again.",
    "database": "The database did not answer. Ask again in a moment.",
    "internal": "Something went wrong on our side. Whoever runs Velo can find out what with the error id.",
}
