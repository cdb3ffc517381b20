"""Runs the tool calls of a reply: each gets exactly one result, veiled, capped, in order."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection
from typing import Any

from assistant import events, words
from assistant.history import Entry, recheck_json
from assistant.metrics import ToolStatus
from assistant.model.port import ReplyCall
from assistant.model.reply import storable
from assistant.turn import RunTools
from assistant.workspace import TOOL_NAMES, Workspace
from db.errors import DatabaseError
from db.pool import Connection
from tools import catalogue
from tools.arguments import Text, shapes
from tools.refusals import Declined, sentence
from tools.run import run
from veil import tokens
from veil.bearers import Index
from veil.results import ResultVeil, canonical_object, dump, leaves
from veil.text import Veiled
from veil.unveiling import Unveiler
from veil.veiling import Needs

#: Tells of a step that begins or ends.
Tell = Callable[[str, dict[str, Any]], None]


async def run_tools(work: Workspace, step: RunTools, *, store: Callable[[], Awaitable[None]], tell: Tell) -> None:
    """Add the calls of a reply and their results to the history. ``store`` stores the calls, before any of them runs."""
    calls = await _written(work, step)
    await store()
    for place, (call, written) in enumerate(zip(calls, step.calls, strict=True)):
        number = len(work.outcome.steps) + 1
        started = time.monotonic()
        tell(events.STEP_STARTED, {"step": number, "tool": call["name"]})
        text, status = await _result(work, call, written, allowed=place < step.allowed)
        seconds = time.monotonic() - started
        done = {"tool": call["name"], "status": status, "ms": round(seconds * 1000)}
        work.outcome.steps.append(done)
        work.parts.metrics.tool_called(call["name"], status, seconds)
        tell(events.STEP_COMPLETED, {"step": number, **done})
        work.append(Entry(0, "tool", work.job.turn_id, veiled=text, calls=[{"id": call["id"], "name": call["name"]}]))


async def _written(work: Workspace, step: RunTools) -> list[dict[str, str]]:
    """The calls as they will go back to the model: ids and names of ours, arguments veiled; added to the history with what was said beside."""
    number = work.calls_before + sum(len(entry.calls) for entry in work.history.entries if entry.role == "calls")
    calls = [
        {"id": f"call_{number + place}", "name": _tool_name(call.name), "arguments": canonical_object(storable(call.arguments or ""))}
        for place, call in enumerate(step.calls, 1)
    ]
    await work.reserve_invented([step.text, *(storable(call.arguments or "") for call in step.calls)])
    spoken, masked = recheck_json(storable(step.text), work.thread, work.setting, scrubbed=False, keys=True)
    work.outcome.late += masked
    safe = []
    for call in calls:
        arguments, masked = recheck_json(call["arguments"], work.thread, work.setting, scrubbed=False, keys=True)
        work.outcome.late += masked
        safe.append({**call, "arguments": arguments})
    work.append(Entry(0, "calls", work.job.turn_id, veiled=Veiled(spoken), calls=safe, left=True))
    return calls


async def _result(work: Workspace, call: dict[str, str], written: ReplyCall, *, allowed: bool) -> tuple[Veiled, ToolStatus]:
    """What a call is answered with, and how it went. The same call twice in a turn is told so: what it found stands above."""
    language = work.job.tenant.language
    if not allowed:
        return Veiled(dump({"error": words.not_run(language)})), "skipped"
    key = (written.name, call["arguments"])
    if key in work.answered:
        return Veiled(dump({"note": words.same_as_before(language)})), "repeated"
    text, status = await _run_tool(work, written)
    if status == "ok":
        work.answered.add(key)
    return text, status


def _tool_name(name: str) -> str:
    return name if name in TOOL_NAMES else "unknown_tool"


async def _run_tool(work: Workspace, call: ReplyCall) -> tuple[Veiled, ToolStatus]:
    """The result of one call as it travels, and how it went."""
    try:
        async with work.transaction(read_only=not work.crm.freshens) as connection:
            answered = await run(
                call.name,
                call.arguments,
                actor=work.job.actor,
                connection=connection,
                tokens=work.thread.resolvable(),
                now=work.parts.now().astimezone(work.job.tenant.time_zone),
                reveal=await _revealer(work, connection, call),
            )
            if isinstance(answered, Declined):
                return Veiled(dump({"error": sentence(answered, work.job.tenant.language)})), "declined"
            veil = ResultVeil(answered.result, work.setting)
            index = await work.look_up(connection, veil.forms(), veil.cuts(), veil.doubtful)
            borne = await work.crm.values(connection, veil.candidates())
    except DatabaseError:
        return Veiled(dump({"error": words.tool_failed(work.job.tenant.language)})), "failed"
    return await _veiled(work, veil, index, borne), "ok"


async def _revealer(work: Workspace, connection: Connection, call: ReplyCall) -> Callable[[str], str]:
    """Turns the tokens of a free-text argument into what the member may see: the look-up is on our side of the veil."""
    tool = catalogue.load().get(call.name)
    if tool is None or not any(isinstance(shape, Text) for shape in shapes(tool.arguments).values()):
        return str
    written = call.arguments or ""
    found = (item.token for leaf in leaves(written, keys=True) for item in tokens.find(leaf, anywhere=True))
    cards = await work.crm.cards(connection, work.meant(found))

    def reveal(text: str) -> str:
        unveiler = Unveiler(work.thread, cards)
        return unveiler.feed(text) + unveiler.close()

    return reveal


async def _veiled(work: Workspace, veil: ResultVeil, index: Index, borne: Collection[str]) -> Veiled:
    await work.give(Needs(tuple(entity for entity in veil.refs() if work.thread.token_of(entity) is None)))
    # A long text takes a while to read; the loop must serve others meanwhile.
    await asyncio.to_thread(veil.read, index, work.thread, borne)
    needs = veil.needs(work.thread)
    await work.give(needs)
    if needs.mint:
        await asyncio.to_thread(veil.read, index, work.thread, borne)  # what was minted brings values of its own
    return await asyncio.to_thread(veil.rendered, work.thread)
