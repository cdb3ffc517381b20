"""What one turn knows and holds while it is performed: its thread, its history, its outcome so far.

The parts of a turn (``assistant.preparation``, ``assistant.calls``, ``assistant.loop``) work on one of these. Whatever lets text leave is
preceded by a commit: tokens are minted, marks are written, the messages are noted as sent.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from typing import Any, TypeVar

from assistant.history import Entry, History
from assistant.job import Job, Outcome, Parts
from assistant.lookups import Lookups
from assistant.threads import SQL, add_message, save
from db.errors import DatabaseError
from db.pool import Connection
from tools import catalogue
from veil import store, tokens, veiling
from veil.bearers import Index
from veil.late import late_marks
from veil.phrases import Text
from veil.places import Placed
from veil.results import leaves
from veil.scrub import Region
from veil.text import Clear, Marked
from veil.thread import ThreadMap
from veil.tokens import Entity, EntityId, Kind, Token
from veil.veiling import Decided, Needs, Setting

T = TypeVar("T")

TOOL_NAMES = frozenset(tool.name for tool in catalogue.TOOLS)


async def unbroken(work: Coroutine[Any, Any, T]) -> T:
    """What something gives that a stop must not tear apart: a cancellation waits until it has ended."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        if not task.cancelled():
            task.exception()  # whatever it was, the stop is what counts
        raise


class Workspace:
    """The working memory of one turn."""

    def __init__(self, parts: Parts, job: Job) -> None:
        self.parts = parts
        self.job = job
        self.crm = Lookups(job.actor.tenant_id, job.actor.member_id, parts.freshens)
        self.asker = Entity(Kind.MEMBER, EntityId(job.actor.member_id))
        self.setting = Setting(job.tenant.language, Region(job.tenant.phone_regions, job.tenant.id_countries), parts.detector)
        self.outcome = Outcome()
        self.thread = ThreadMap(self.asker)
        self.history = History((), tool_names=TOOL_NAMES)
        self.surfaces = Index()
        self.matched = Index()  # what this turn looked up and found
        self.placed = Placed()
        self.answered: set[tuple[str, str]] = set()  # calls of tools that were answered in this turn: name and arguments
        self.calls_before = 0  # calls on the path that no longer travel; ids go on from them
        self.revision = 0  # of the thread's map: grows when there is something new to mask
        self._uncertain = False  # whether what was stored last is stored
        self._budget = veiling.RESERVATIONS

    @asynccontextmanager
    async def storing(self) -> AsyncIterator[Connection]:
        """A transaction in which messages are stored; if it comes to nothing, they are still to be stored. Not to be cancelled (``unbroken``)."""
        before = [(entry, entry.id, entry.left) for entry in self.history.entries]
        try:
            async with self.transaction() as connection:
                yield connection
        except BaseException as error:
            self._uncertain = self._uncertain or isinstance(error, DatabaseError)
            for entry, number, left in before:
                entry.id, entry.left, entry.changed = number, left, True
            raise

    async def _make_certain(self, connection: Connection) -> None:
        """After a commit whose answer was lost: take over the ids of those messages of this turn that are stored after all."""
        if self._uncertain:
            rows = await connection.fetch(SQL["messages_of_turn"], self.job.actor.tenant_id, self.job.thread_id, self.job.turn_id)
            ours = [entry for entry in self.history.entries if entry.turn_id == self.job.turn_id]
            for entry, row in zip(ours, rows, strict=False):
                entry.id = row["id"]
            self._uncertain = False

    def transaction(self, *, read_only: bool = False) -> AbstractAsyncContextManager[Connection]:
        """A transaction of the turn's tenant."""
        return self.parts.database.tenant(self.job.actor.tenant_id, read_only=read_only)

    async def look_up(
        self, connection: Connection, forms: set[str], cuts: Iterable[Text], doubtful: Callable[[Index], Iterable[str]] = lambda known: ()
    ) -> Index:
        """Who bears these forms, and whom those of the words that are ``doubtful`` once the forms are known may mean."""
        await self.crm.freshen(connection)
        index = await self.crm.names(connection, forms)
        if words := [*doubtful(index | self.thread.names)]:
            index = index | await self.crm.similar(connection, words)
        self.matched = self.matched | index
        for cut in cuts:
            self.placed.read(cut, index)
        return index

    def marked(self, text: str, decided: Sequence[Decided]) -> Marked:
        """A text that has not left, with its marks and what minting has just taught about the rest of it."""
        marks = veiling.render(text, decided, self.thread, self.setting, veiling.Numbering())
        marked = Marked.of(Clear(text), marks, self.setting.version)
        learnt = late_marks(marked.clear, marked.marks, self.thread.names, self.thread, self.setting, scrubbed=True)
        return marked.with_marks(replace(mark, late=False) for mark in learnt)

    async def give(self, needs: Needs, *, invented: bool = False) -> None:
        """Mint, reserve and alias in a transaction of its own, within what is left of the turn's reservations.

        What the model invented is reserved whatever is left: it stays in its text as it wrote it, so nobody may ever get the number.
        """
        if not invented:
            reserve = needs.reserve[: self._budget]
            alias = needs.alias[: self._budget - len(reserve)]
            self._budget -= len(reserve) + len(alias)
            needs = Needs(needs.mint, reserve, alias)
        if not needs:
            return
        async with self.transaction() as connection:
            minted = await store.give(connection, tenant=self.job.actor.tenant_id, thread=self.job.thread_id, needs=needs, known=self.thread)
        if minted:
            self.revision += 1

    async def reserve_invented(self, texts: Sequence[str]) -> None:
        """Take the numbers out of use that the model made up, so that nobody ever gets them."""
        found = [item.token for text in texts for leaf in leaves(text, keys=True) for item in tokens.find(leaf, anywhere=True)]
        unknown = dict.fromkeys(token for token in found if token not in self.thread.entries)
        await self.give(Needs(reserve=tuple(unknown)), invented=True)

    def meant(self, written: Iterable[Token]) -> list[Entity]:
        """Whom tokens stand for now."""
        return [entity for token in dict.fromkeys(written) if (entity := self.thread.entity_of(token)) is not None]

    def append(self, entry: Entry) -> None:
        """Add a message to the history; ``save`` stores it."""
        entry.version, entry.seen = self.setting.version, self.revision
        self.history.entries.append(entry)

    async def save(self, connection: Connection) -> None:
        """Store the messages that are new and those that have changed."""
        await self._make_certain(connection)
        entries = self.history.entries
        changed = [entry for entry in entries if entry.changed and entry.id]
        if changed:
            await save(connection, tenant=self.job.actor.tenant_id, entries=changed)
        for before, entry in zip([None, *entries], entries, strict=False):
            if not entry.id:
                parent = before.id if before is not None else None
                entry.id = await add_message(
                    connection, tenant=self.job.actor.tenant_id, thread=self.job.thread_id, parent=parent, entry=entry
                )
        for entry in entries:
            entry.changed = False

    @property
    def last_message(self) -> int:
        """The stored message that an answer follows."""
        return next((entry.id for entry in reversed(self.history.entries) if entry.id), self.job.question_id)
