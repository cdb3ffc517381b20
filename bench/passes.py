"""The whole pass over the messages of the demo, names in memory, and where its time goes."""

import time
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass

from bench import desk as desk_module
from bench import floor
from bench.clock import Stage, percentile, spread, timed
from bench.crm import Tenant
from bench.desk import Desk
from bench.held import Held
from veil import names, resolve, scrub, store, veiling
from veil.text import Marked
from veil.tokens import Entity, EntityId, Kind
from veil.values import Values

READER = Entity(Kind.MEMBER, EntityId(1))
_ROUNDS = 5

_STAGES: Sequence[Stage] = (
    ("words and phrases", desk_module, "Text"),
    ("look up", resolve, "names"),
    ("look up", resolve, "values"),
    ("mint", store, "give"),
    ("names", names, "find"),
    ("scrub", scrub, "find"),
    ("known values", veiling, "candidates"),
    ("known values", Values, "find"),
    ("look-alikes", veiling, "_look_alikes"),
    ("settle", veiling, "settled"),
)


@dataclass(frozen=True, slots=True)
class Message:
    """A customer's message and whose conversation it stands in."""

    text: str
    contact: Entity


@dataclass(frozen=True, slots=True)
class Figures:
    """What the pass takes: MB/s of both passes round by round, milliseconds of each message, seconds by stage of one round."""

    passes: list[float]
    floors: list[float]
    messages: list[float]
    stages: dict[str, float]


def messages(tenant: Tenant, most: int) -> list[Message]:
    """The first messages of a tenant, with their contacts."""
    contacts = {row["id"]: row["contact_id"] for row in tenant.tables["conversations"]}
    rows = tenant.tables["messages"][:most]
    return [Message(row["body"], Entity(Kind.CONTACT, EntityId(contacts[row["conversation_id"]]))) for row in rows]


def desk_over(tenant: Tenant) -> tuple[Desk, Held]:
    """A desk on a tenant held in memory."""
    held = Held(tenant)
    return Desk(tenant.number, tenant.setting, held, lambda: nullcontext(held)), held


async def measure(tenant: Tenant, most: int) -> Figures:
    """The pass and the plain regex pass, round by round in turn, so that a noisy minute hits both."""
    desk, _ = desk_over(tenant)
    texts = messages(tenant, most)
    size = sum(len(message.text.encode()) for message in texts) / 1e6
    await _round(desk, texts)
    floor.seconds([message.text for message in texts])
    figures = Figures([], [], [], {})
    for _ in range(_ROUNDS):
        spent = await _round(desk, texts)
        figures.passes.append(size / sum(spent))
        figures.floors.append(size / floor.seconds([message.text for message in texts]))
        figures.messages.extend(1e3 * seconds for seconds in spent)
    with timed(_STAGES) as stages:
        total = sum(await _round(desk, texts))
    figures.stages.update(stages)
    figures.stages["the rest"] = total - sum(stages.values())
    return figures


async def _round(desk: Desk, texts: Sequence[Message]) -> list[float]:
    spent = []
    for message in texts:
        await desk.begin(READER)
        started = time.perf_counter()
        await _veiled(desk, message)
        spent.append(time.perf_counter() - started)
    return spent


async def _veiled(desk: Desk, message: Message) -> Marked:
    marked = await desk.foreign(message.text, (message.contact,))
    marked.veiled()
    return marked


def rows(figures: Figures) -> list[tuple[str, ...]]:
    """The figures as rows of a table."""
    passes, floors = spread(figures.passes), spread(figures.floors)
    total = sum(figures.stages.values())
    shares = sorted(figures.stages.items(), key=lambda item: -item[1])
    return [
        ("", "median", "min", "max", "of regex"),
        ("regex pass, MB/s", f"{floors[1]:.2f}", f"{floors[0]:.2f}", f"{floors[2]:.2f}", "1"),
        ("whole pass, MB/s", f"{passes[1]:.3f}", f"{passes[0]:.3f}", f"{passes[2]:.3f}", f"{passes[1] / floors[1]:.3f}"),
        ("a message, ms", *(f"{value:.3f}" for value in (spread(figures.messages)[1], *spread(figures.messages)[::2])), ""),
        ("a message, p95 ms", f"{percentile(figures.messages, 0.95):.3f}", "", "", ""),
        *((f"  {name}", f"{100 * seconds / total:.0f} %", "", "", "") for name, seconds in shares),
    ]
