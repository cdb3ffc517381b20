"""Prepares a question for the model: reload the thread, resolve names, mint, mark."""

import asyncio
from collections.abc import Collection, Sequence

from assistant import context, words
from assistant.history import Entry, History, hits_after
from assistant.mentions import put_over
from assistant.threads import messages_of_thread, path_to
from assistant.workspace import TOOL_NAMES, Workspace
from db.pool import Connection
from veil import fuzzy, store, veiling
from veil.bearers import Index
from veil.names import Reading
from veil.phrases import Text
from veil.text import Clear, Marked
from veil.thread import surfaces


async def prepare(work: Workspace) -> bool:
    """Whether the model is to be asked; otherwise the member is, and the outcome holds the answer that asks."""
    async with work.transaction() as connection:
        rows = await messages_of_thread(connection, work.job.actor.tenant_id, work.job.thread_id)
        stored = {row["id"]: Entry.from_row(row) for row in rows}
        path = path_to(rows, work.job.question_id)
        entries = [stored[row["id"]] for row in path]
        question = entries[-1]
        await _reload(work, connection, [entry for entry in stored.values() if entry is not question])
        entries = await context.cut(work, connection, path, entries)
        text = question.marked.clear.text if question.marked else ""
        cut = Text(text)
        unread = [(entry, entry.marked.clear.text) for entry in entries[:-1] if entry.marked is not None and not entry.marked.version]
        forms = cut.forms().union(*(Text(other).forms() for _, other in unread))
        index = await work.look_up(connection, forms, (cut,), lambda known: fuzzy.doubtful(cut, known, Reading.QUESTION))
        values = veiling.values_of(text, work.setting).union(*(veiling.values_of(other, work.setting) for _, other in unread))
        bearers = await work.crm.values(connection, values)
        names = index | work.thread.names
        hits, work.outcome.late = hits_after(entries[:-1], text, work.thread, work.setting)
        spans = await asyncio.to_thread(
            veiling.read, text, names, work.thread, work.setting, reading=Reading.QUESTION, cut=cut, borne=bearers, hits=hits
        )
        spans, chosen = await put_over(spans, work.job.mentions, work.crm, connection)
    for entry, other in unread:
        await _mark_unread(work, entry, other, index, bearers)
    decided, choices = veiling.decide_question(spans, work.thread, chosen=chosen, bearers_of=bearers)
    work.outcome.choices = choices
    work.outcome.asked = any(len(choice.candidates) > veiling.GROUP for choice in choices)
    if not work.outcome.asked:
        await work.give(veiling.needs_of(decided, work.thread))
    question.marked = work.marked(text, decided)
    question.changed = True
    work.history = History(entries, tool_names=TOOL_NAMES)
    if work.outcome.asked:
        work.outcome.answer = Marked.of(Clear(words.which_one(work.job.tenant.language)), (), work.setting.version)
    return not work.outcome.asked


async def _mark_unread(work: Workspace, entry: Entry, text: str, index: Index, borne: Collection[str]) -> None:
    """Veil an earlier question whose turn ended before it was: what it means is no longer asked, so it is read like anybody's text."""
    names = index | work.thread.names
    spans = await asyncio.to_thread(veiling.read, text, names, work.thread, work.setting, reading=Reading.TEXT, borne=borne)
    decided = veiling.decide_text(spans, ())
    await work.give(veiling.needs_of(decided, work.thread))
    entry.marked = work.marked(text, decided)
    entry.changed = True


async def _reload(work: Workspace, connection: Connection, others: Sequence[Entry]) -> None:
    await work.crm.freshen(connection)
    work.surfaces = surfaces(entry.marked for entry in others if entry.marked is not None)
    work.thread = await store.reload(
        connection, tenant=work.job.actor.tenant_id, thread=work.job.thread_id, asker=work.asker, surfaces=work.surfaces
    )
