"""Performs one turn: prepares the question, does what ``assistant.turn`` yields, stores the answer.

Every step that lets text leave is preceded by a commit: tokens are minted, marks are written, the messages are noted as sent. No connection
is held while the model thinks.
"""

import asyncio
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from assistant import words
from assistant.history import Entry, History, hits_after, mask, recheck_json
from assistant.job import Job, Outcome, Parts
from assistant.lookups import Lookups
from assistant.mentions import put_over
from assistant.model.port import Reply, ReplyCall
from assistant.model.reply import LONGEST, storable
from assistant.prompts import system_text
from assistant.threads import add_message, messages_of_thread, path_to, save
from assistant.turn import AskModel, RunTools, turn
from audit import record
from db.errors import DatabaseError
from db.pool import Connection
from tools import catalogue
from tools.refusals import Declined, sentence
from tools.run import run
from veil import fuzzy, guard, store, tokens, veiling
from veil.bearers import Index
from veil.errors import Leak
from veil.guard import Secrets
from veil.late import late_marks
from veil.names import Reading
from veil.payload import Message, Request, Role
from veil.phrases import Text
from veil.places import Placed
from veil.results import ResultVeil, canonical_object, dump, leaves
from veil.scrub import Region
from veil.text import Clear, Marked, Veiled
from veil.thread import ThreadMap, surfaces
from veil.tokens import Entity, EntityId, Kind, Token
from veil.unveiling import Unveiler
from veil.veiling import Decided, Needs, Numbering, Setting

#: What a server says of an answer that has come to its end; anything else was cut.
_WHOLE = frozenset({"stop", "tool_calls", "function_call"})


class Run:
    """One turn being performed."""

    def __init__(self, parts: Parts, job: Job, keep: Callable[[], Any]) -> None:
        self._parts = parts
        self._job = job
        self._keep = keep  # extends the lease, or raises when the turn was stopped or lost
        self._crm = Lookups(job.actor.tenant_id, job.actor.member_id)
        self._asker = Entity(Kind.MEMBER, EntityId(job.actor.member_id))
        self._setting = Setting(job.tenant.language, Region(job.tenant.phone_regions, job.tenant.id_countries), parts.detector)
        self._outcome = Outcome()
        self._budget = veiling.RESERVATIONS
        self._revision = 0
        self._matched = Index()  # what this turn looked up and found
        self._placed = Placed()
        self._secrets = Secrets()
        self._history = History((), tool_names=frozenset())
        self._thread = ThreadMap(self._asker)
        self._surfaces = Index()

    async def perform(self) -> Outcome:
        """The whole turn; raises what went wrong, with everything stored up to there."""
        if await self._prepare():
            reply = await self._drive()
            await self._conclude(reply)
        return self._outcome

    # --- the question ----------------------------------------------------------------------------------------------------------------

    async def _prepare(self) -> bool:
        """Reload, resolve, mint, mark. Whether the model is to be asked; otherwise the member is."""
        async with self._transaction() as connection:
            rows = await messages_of_thread(connection, self._job.actor.tenant_id, self._job.thread_id)
            stored = {row["id"]: Entry.from_row(row) for row in rows}
            entries = [stored[row["id"]] for row in path_to(rows, self._job.question_id)]
            question = entries[-1]
            await self._reload(connection, [entry for entry in stored.values() if entry is not question])
            text = question.marked.clear.text if question.marked else ""
            cut = Text(text)
            unread = [(entry, entry.marked.clear.text) for entry in entries[:-1] if entry.marked is not None and not entry.marked.version]
            forms = cut.forms().union(*(Text(other).forms() for _, other in unread))
            index = await self._look_up(connection, forms, (cut,), lambda known: fuzzy.doubtful(cut, known, Reading.QUESTION))
            values = veiling.values_of(text, self._setting).union(*(veiling.values_of(other, self._setting) for _, other in unread))
            bearers = await self._crm.values(connection, values)
            names = index | self._thread.names
            hits, self._outcome.late = hits_after(entries[:-1], text, self._thread, self._setting)
            spans = await asyncio.to_thread(
                veiling.read, text, names, self._thread, self._setting, reading=Reading.QUESTION, cut=cut, borne=bearers, hits=hits
            )
            spans, chosen = await put_over(spans, self._job.mentions, self._crm, connection)
        for entry, other in unread:
            await self._mark_unread(entry, other, index, bearers)
        decided, choices = veiling.decide_question(spans, self._thread, chosen=chosen, bearers_of=bearers)
        self._outcome.choices = choices
        self._outcome.asked = any(len(choice.candidates) > veiling.GROUP for choice in choices)
        if not self._outcome.asked:
            await self._give(veiling.needs_of(decided, self._thread))
        question.marked = self._marked(text, decided)
        question.changed = True
        self._history = History(entries, tool_names=frozenset(tool.name for tool in catalogue.TOOLS))
        if self._outcome.asked:
            self._outcome.answer = Marked.of(Clear(words.which_one(self._job.tenant.language)), (), self._setting.version)
            await self._save()
        return not self._outcome.asked

    async def _mark_unread(self, entry: Entry, text: str, index: Index, borne: Collection[str]) -> None:
        """Veil an earlier question whose turn ended before it was: what it means is no longer asked, so it is read like anybody's text."""
        names = index | self._thread.names
        spans = await asyncio.to_thread(veiling.read, text, names, self._thread, self._setting, reading=Reading.TEXT, borne=borne)
        decided = veiling.decide_text(spans, ())
        await self._give(veiling.needs_of(decided, self._thread))
        entry.marked = self._marked(text, decided)
        entry.changed = True

    async def _reload(self, connection: Connection, others: Sequence[Entry]) -> None:
        self._surfaces = surfaces(entry.marked for entry in others if entry.marked is not None)
        self._thread = await store.reload(
            connection, tenant=self._job.actor.tenant_id, thread=self._job.thread_id, asker=self._asker, surfaces=self._surfaces
        )

    async def _look_up(
        self, connection: Connection, forms: set[str], cuts: Iterable[Text], doubtful: Callable[[Index], Iterable[str]] = lambda known: ()
    ) -> Index:
        """Who bears these forms, and whom those of the words that are ``doubtful`` once the forms are known may mean."""
        index = await self._crm.names(connection, forms)
        if words := [*doubtful(index | self._thread.names)]:
            index = index | await self._crm.similar(connection, words)
        self._matched = self._matched | index
        for cut in cuts:
            self._placed.read(cut, index)
        return index

    def _marked(self, text: str, decided: Sequence[Decided]) -> Marked:
        """A text that has not left, with its marks and what minting has just taught about the rest of it."""
        marks = veiling.render(text, decided, self._thread, self._setting, Numbering())
        marked = Marked.of(Clear(text), marks, self._setting.version)
        learnt = late_marks(marked.clear, marked.marks, self._thread.names, self._thread, self._setting, scrubbed=True)
        return marked.with_marks(replace(mark, late=False) for mark in learnt)

    async def _give(self, needs: Needs, *, invented: bool = False) -> None:
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
        async with self._transaction() as connection:
            minted = await store.give(connection, tenant=self._job.actor.tenant_id, thread=self._job.thread_id, needs=needs, known=self._thread)
        if minted:
            self._revision += 1

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
        await self._keep()
        if step.ordinal > 1:
            await self._refresh()
        request = self._guarded(step)
        for entry in self._history.entries:
            entry.changed = entry.changed or not entry.left
            entry.left = True
        await self._save()
        sent_at, reply, status = self._parts.now(), None, "failed"
        try:
            reply = await self._parts.model.ask(request)
            status = "answered"
        finally:
            async with self._transaction() as connection:
                await record.add(
                    connection,
                    tenant=self._job.actor.tenant_id,
                    turn=self._job.turn_id,
                    ordinal=step.ordinal,
                    request=request,
                    response=reply.raw if reply else None,
                    status=status,
                    sent_at=sent_at,
                    received_at=self._parts.now(),
                )
        if reply.usage is not None:
            self._outcome.usage["input_tokens"] += reply.usage.input_tokens
            self._outcome.usage["output_tokens"] += reply.usage.output_tokens
        return reply

    async def _refresh(self) -> None:
        """Somebody may have been renamed since the last call of this turn."""
        async with self._transaction(read_only=True) as connection:
            news = await store.refresh(connection, tenant=self._job.actor.tenant_id, known=self._thread, surfaces=self._surfaces)
        if news:
            self._revision += 1

    def _request(self, step: AskModel) -> Request:
        language = self._job.tenant.language
        system = Message(Role.SYSTEM, (system_text(language),))
        return Request(
            self._job.model,
            (system, *self._history.messages()),
            tuple(catalogue.specs(language)),
            "auto" if step.tools else "none",
        )

    def _guarded(self, step: AskModel) -> Request:
        """The request, if the guard lets it go: its first hits are masked in place, a second one withholds the text and ends the turn."""
        self._outcome.late += self._history.remask(self._thread, self._setting, revision=self._revision)
        # Where a name is only a street's or a town's, it is looked for if somebody who bears it is known in the thread.
        matched = ((form, kind) for form, kind in self._matched.forms() if form not in self._placed)
        self._secrets.learn([*self._thread.names.forms(), *matched], self._thread.values)
        request = self._request(step)
        hits = guard.inspect(request, self._secrets)
        if not hits:
            return request
        for hit in hits:
            if (entry := self._history.entry_of(hit.message - 1)) is not None:
                self._outcome.late += mask(entry, hit, self._setting)
        request = self._request(step)
        hits = guard.inspect(request, self._secrets)
        for hit in hits:
            if (entry := self._history.entry_of(hit.message - 1)) is not None:
                entry.withheld = entry.changed = True
        if hits:
            raise Leak(f"{len(hits)} identifiers were found twice; the texts that hold them are withheld from now on")
        return request

    # --- tools -----------------------------------------------------------------------------------------------------------------------

    async def _run_tools(self, step: RunTools) -> None:
        number = sum(len(entry.calls) for entry in self._history.entries if entry.role == "calls")
        calls = [
            {"id": f"call_{number + place}", "name": self._tool_name(call.name), "arguments": canonical_object(storable(call.arguments or ""))}
            for place, call in enumerate(step.calls, 1)
        ]
        await self._reserve_invented([step.text, *(storable(call.arguments or "") for call in step.calls)])
        spoken, masked = recheck_json(storable(step.text), self._thread, self._setting, scrubbed=False, keys=True)
        self._outcome.late += masked
        safe = []
        for call in calls:
            arguments, masked = recheck_json(call["arguments"], self._thread, self._setting, scrubbed=False, keys=True)
            self._outcome.late += masked
            safe.append({**call, "arguments": arguments})
        await self._append(Entry(0, "calls", self._job.turn_id, veiled=Veiled(spoken), calls=safe, left=True))
        for place, (call, written) in enumerate(zip(calls, step.calls, strict=True)):
            await self._keep()
            started = time.monotonic()
            if place < step.allowed:
                text, status = await self._run_tool(written)
            else:
                text, status = Veiled(dump({"error": words.not_run(self._job.tenant.language)})), "skipped"
            self._outcome.steps.append(
                {"tool": call["name"], "status": status, "ms": round((time.monotonic() - started) * 1000)}
            )
            await self._append(Entry(0, "tool", self._job.turn_id, veiled=text, calls=[{"id": call["id"], "name": call["name"]}]))

    def _tool_name(self, name: str) -> str:
        return name if any(tool.name == name for tool in catalogue.TOOLS) else "unknown_tool"

    async def _run_tool(self, call: ReplyCall) -> tuple[Veiled, str]:
        """The result of one call as it travels, and how it went."""
        try:
            async with self._transaction(read_only=True) as connection:
                answered = await run(
                    call.name,
                    call.arguments,
                    actor=self._job.actor,
                    connection=connection,
                    tokens=self._thread.resolvable(),
                    now=self._parts.now().astimezone(self._job.tenant.time_zone),
                    reveal=await self._revealer(connection, call.arguments or ""),
                )
                if isinstance(answered, Declined):
                    return Veiled(dump({"error": sentence(answered, self._job.tenant.language)})), "declined"
                veil = ResultVeil(answered.result, self._setting)
                index = await self._look_up(connection, veil.forms(), veil.cuts(), veil.doubtful)
                borne = await self._crm.values(connection, veil.candidates())
        except DatabaseError:
            return Veiled(dump({"error": words.tool_failed(self._job.tenant.language)})), "failed"
        return await self._veiled(veil, index, borne), "ok"

    async def _revealer(self, connection: Connection, written: str) -> Callable[[str], str]:
        """Turns the tokens of a free-text argument into what the member may see: the look-up is on our side of the veil."""
        found = (item.token for leaf in leaves(written, keys=True) for item in tokens.find(leaf, anywhere=True))
        cards = await self._crm.cards(connection, self._meant(found))

        def reveal(text: str) -> str:
            unveiler = Unveiler(self._thread, cards)
            return unveiler.feed(text) + unveiler.close()

        return reveal

    def _meant(self, written: Iterable[Token]) -> list[Entity]:
        """Whom tokens stand for now."""
        return [entity for token in dict.fromkeys(written) if (entity := self._thread.entity_of(token)) is not None]

    async def _veiled(self, veil: ResultVeil, index: Index, borne: Collection[str]) -> Veiled:
        await self._give(Needs(tuple(entity for entity in veil.refs() if self._thread.token_of(entity) is None)))
        # A long text takes a while to read; the loop must serve others meanwhile.
        await asyncio.to_thread(veil.read, index, self._thread, borne)
        needs = veil.needs(self._thread)
        await self._give(needs)
        if needs.mint:
            await asyncio.to_thread(veil.read, index, self._thread, borne)  # what was minted brings values of its own
        return await asyncio.to_thread(veil.rendered, self._thread)

    async def _reserve_invented(self, texts: Sequence[str]) -> None:
        """Take the numbers out of use that the model made up, so that nobody ever gets them."""
        found = [item.token for text in texts for leaf in leaves(text, keys=True) for item in tokens.find(leaf, anywhere=True)]
        unknown = dict.fromkeys(token for token in found if token not in self._thread.entries)
        await self._give(Needs(reserve=tuple(unknown)), invented=True)

    # --- the answer ------------------------------------------------------------------------------------------------------------------

    async def _conclude(self, reply: Reply) -> None:
        text = storable(reply.text).strip() or words.no_answer(self._job.tenant.language)
        cut = reply.finish not in _WHOLE or len(reply.text) > LONGEST
        await self._reserve_invented([text])
        async with self._transaction(read_only=True) as connection:
            cards = await self._crm.cards(connection, self._meant(found.token for found in tokens.find(text)))
            unveiler = Unveiler(self._thread, cards)
            unveiler.feed(text)
            unveiler.close(cut=cut)
            answer = unveiler.answer(self._setting.version)
            said = Text(answer.clear.text)
            index = await self._look_up(connection, said.forms(), (said,))
        late = late_marks(answer.clear, answer.marks, index | self._thread.names, self._thread, self._setting, scrubbed=False)
        self._outcome.answer = answer.with_marks(late)
        self._outcome.late += len(late)
        self._outcome.unknown = [str(token) for token in unveiler.unknown]
        self._outcome.finish = ("content_filter" if reply.finish == "content_filter" else "length") if cut else "stop"

    # --- storing ---------------------------------------------------------------------------------------------------------------------

    def _transaction(self, *, read_only: bool = False) -> Any:
        return self._parts.database.tenant(self._job.actor.tenant_id, read_only=read_only)

    async def _append(self, entry: Entry) -> None:
        entry.version, entry.seen = self._setting.version, self._revision
        async with self._transaction() as connection:
            entry.id = await add_message(
                connection,
                tenant=self._job.actor.tenant_id,
                thread=self._job.thread_id,
                parent=self._history.entries[-1].id,
                entry=entry,
            )
        self._history.entries.append(entry)

    async def _save(self) -> None:
        changed = [entry for entry in self._history.entries if entry.changed]
        if not changed:
            return
        async with self._transaction() as connection:
            await save(connection, tenant=self._job.actor.tenant_id, entries=changed)
        for entry in changed:
            entry.changed = False

    async def withhold(self) -> None:
        """Store what was masked or withheld although the turn ends badly."""
        await self._save()

    @property
    def last_message(self) -> int:
        """The message that an answer follows."""
        return self._history.entries[-1].id

    @property
    def outcome(self) -> Outcome:
        """What the turn has come to so far."""
        return self._outcome
