"""The veil as a runner of the corpus (its README tells the protocol): ``python -m bench.runner [memory|postgres] [--ner]``.

``memory`` holds the names of BENCH_CRM behind the resolver's interface, ``postgres`` looks them up in a private server; the look-up is timed too.
``--ner`` switches the model of ``velo[ner]`` on. BENCH_MODE and BENCH_NER=1 say the same.
A message is read as the assistant reads somebody else's text: it came with its contact's row.
"""

import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench import crm
from bench.conversation import Conversation, masked, shown, unveiled
from bench.crm import Tenant
from bench.desk import Desk
from bench.held import Held
from bench.postgres import holding
from db.pool import Connection
from veil import ner, veiling
from veil.detectors import Detector
from veil.tokens import Entity, EntityId, Kind

MODES = ("memory", "postgres")
_NER = "--ner"
_NOTES = "restored = the stored text as its reader sees it; unveiled = from the veiled text alone, names as the CRM has them"
#: Who reads a message whose reader the corpus does not name.
_READER = Entity(Kind.MEMBER, EntityId(1))

Connect = Callable[[Tenant], AbstractAsyncContextManager[Connection]]


class Runner:
    """Answers the questions of the scorer."""

    def __init__(self, tenants: Mapping[str, Tenant], connect: Connect | None, detector: Detector | None = None) -> None:
        self._detector = detector
        self._held = {key: Held(tenant) for key, tenant in tenants.items()}
        self._desks = {key: self._desk(key, tenant, connect) for key, tenant in tenants.items()}

    def _desk(self, key: str, tenant: Tenant, connect: Connect | None) -> Desk:
        held, setting = self._held[key], replace(tenant.setting, detector=self._detector)
        if connect is None:
            return Desk(tenant.number, setting, held, lambda: nullcontext(held))
        return Desk(tenant.number, setting, held, lambda: connect(tenant))

    async def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to one question; an error counts as nothing masked."""
        started = time.perf_counter_ns()
        try:
            return await (self._thread(question) if question.get("type") == "thread" else self._message(question))
        except Exception as error:  # the scorer goes on with the next message and counts this one as a leak
            return {"id": question["id"], "ns": time.perf_counter_ns() - started, "spans": [], "error": repr(error)[:200]}

    async def _message(self, question: Mapping[str, Any]) -> dict[str, Any]:
        desk = self._desks[question["tenant"]]
        own = (crm.entity(question["contact"]),) if question.get("contact") else ()
        await desk.begin(_READER)
        started = time.perf_counter_ns()
        marked = await desk.foreign(question["text"], own)
        marked.veiled()
        spent = time.perf_counter_ns() - started
        return {"id": question["id"], "ns": spent, "spans": [span for _, span in masked(marked)]}

    async def _thread(self, question: Mapping[str, Any]) -> dict[str, Any]:
        desk, held = self._desks[question["tenant"]], self._held[question["tenant"]]
        started = time.perf_counter_ns()
        conversation = await Conversation.begin(desk, crm.entity(question["user"]))
        for turn in question["turns"]:
            await conversation.add(turn["role"], turn["text"])
        texts = [marked.veiled().text for marked in conversation.left]
        veiled = time.perf_counter_ns()
        cards = await conversation.cards(held)
        restored = shown(conversation.left, cards, desk.setting.words.erased)
        repeated = unveiled(conversation.left, desk.thread, cards)
        ended = time.perf_counter_ns()
        spans = [[span for _, span in masked(marked)] for marked in conversation.left]
        spent = {"ns_mask": veiled - started, "ns_unmask": ended - veiled, "late": conversation.late}
        return {"id": question["id"], **spent, "masked": texts, "restored": restored, "unveiled": repeated, "spans": spans}


@asynccontextmanager
async def running(mode: str, tenants: Mapping[str, Tenant], detector: Detector | None = None) -> AsyncIterator[Runner]:
    """A runner in one of the modes."""
    if mode == "memory":
        yield Runner(tenants, None, detector)
        return
    async with holding(tenants.values()) as database:
        yield Runner(tenants, lambda tenant: database.tenant(tenant.number, read_only=True), detector)


async def serve(mode: str, crm_file: Path, detector: Detector | None) -> None:
    """Answer line by line until stdin closes."""
    name = f"velo-{mode}" if detector is None else f"velo-{mode}-ner"
    async with running(mode, crm.read(crm_file), detector) as runner:
        _say({"ready": True, "name": name, "version": veiling.version(detector), "notes": _NOTES, "reversible": True})
        for line in sys.stdin:
            _say(await runner.answer(json.loads(line)))


def _say(answer: Mapping[str, Any]) -> None:
    print(json.dumps(answer, ensure_ascii=False), flush=True)


def main() -> None:
    """Run in the mode that the argument or the environment names."""
    environment = os.environ  # noqa: TID251 (the runner's protocol hands the CRM over there)
    modes = [word for word in sys.argv[1:] if word != _NER] or [environment.get("BENCH_MODE", MODES[0])]
    if len(modes) > 1 or modes[0] not in MODES or "BENCH_CRM" not in environment:
        raise SystemExit(f"usage: BENCH_CRM=crm.json python -m bench.runner [{'|'.join(MODES)}] [{_NER}]")
    switched_on = _NER in sys.argv or environment.get("BENCH_NER") == "1"
    asyncio.run(serve(modes[0], Path(environment["BENCH_CRM"]), ner.load() if switched_on else None))


if __name__ == "__main__":
    main()
