"""The whole pass over the messages of the demo, names in memory and in Postgres, and where its time goes."""

import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field

from bench import desk as desk_module
from bench import floor
from bench.clock import Stage, percentile, spread, timed
from bench.conversation import Conversation, exchanged
from bench.crm import Tenant
from bench.desk import Desk
from bench.held import Held
from db.pool import Database
from veil import names, resolve, scrub, store, veiling
from veil.text import Marked
from veil.tokens import Entity, EntityId, Kind
from veil.values import Values

READER = Entity(Kind.MEMBER, EntityId(1))
_ROUNDS = 5
_TURNS = 10
#: Messages of a thread of ten turns: one for each question, three for each answer.
_THREAD = 4 * _TURNS
_WARM = 200

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
    """What one way to hold the names takes: MB/s round by round, milliseconds of each message and of each thread of ten turns."""

    passes: list[float] = field(default_factory=list)
    messages: list[float] = field(default_factory=list)
    threads: list[float] = field(default_factory=list)


def messages(tenant: Tenant, most: int) -> list[Message]:
    """The first messages of a tenant, with their contacts."""
    contacts = {row["id"]: row["contact_id"] for row in tenant.tables["conversations"]}
    rows = tenant.tables["messages"][:most]
    return [Message(row["body"], Entity(Kind.CONTACT, EntityId(contacts[row["conversation_id"]]))) for row in rows]


def desk_over(tenant: Tenant) -> tuple[Desk, Held]:
    """A desk on a tenant held in memory."""
    held = Held(tenant)
    return Desk(tenant.number, tenant.setting, held, lambda: nullcontext(held)), held


async def measure(tenant: Tenant, database: Database, most: int) -> list[tuple[str, ...]]:
    """The pass with names in memory and in Postgres and the plain regex pass, round by round in turn, so that a noisy minute hits all."""
    held = Held(tenant)
    desks = {
        "memory": Desk(tenant.number, tenant.setting, held, lambda: nullcontext(held)),
        "Postgres": Desk(tenant.number, tenant.setting, Held(tenant), lambda: database.tenant(tenant.number, read_only=True)),
    }
    written = messages(tenant, most)
    texts = [message.text for message in written]
    size = sum(len(text.encode()) for text in texts) / 1e6
    for desk in desks.values():
        await _round(desk, written[:_WARM])
    floor.seconds(texts)
    figures, floors = {name: Figures() for name in desks}, []
    for number in range(_ROUNDS):
        floors.append(size / floor.seconds(texts))
        for name, desk in desks.items():
            spent = await _round(desk, written)
            figures[name].passes.append(size / sum(spent))
            figures[name].messages.extend(1e3 * seconds for seconds in spent)
            figures[name].threads.append(1e3 * await _thread(desk, written[number * _THREAD :]))
    with timed(_STAGES) as stages:
        total = sum(await _round(desks["memory"], written))
    return [*_rows(figures, floors), *_shares({**stages, "the rest": total - sum(stages.values())})]


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


async def _thread(desk: Desk, written: Sequence[Message]) -> float:
    """Seconds that ten turns take, each reading the history again."""
    texts = [message.text for message in written]
    started = time.perf_counter()
    conversation = await Conversation.begin(desk, READER)
    for role, text in exchanged(texts, _TURNS):
        await conversation.add(role, text)
    return time.perf_counter() - started


def _rows(figures: Mapping[str, Figures], floors: Sequence[float]) -> list[tuple[str, ...]]:
    base = spread(floors)
    rows: list[tuple[str, ...]] = [
        ("", "median", "min", "max", "of regex"),
        ("regex pass, MB/s", f"{base[1]:.2f}", f"{base[0]:.2f}", f"{base[2]:.2f}", "1"),
    ]
    for name, figure in figures.items():
        least, median, most = spread(figure.passes)
        rows += [
            (f"names in {name}, MB/s", f"{median:.3f}", f"{least:.3f}", f"{most:.3f}", f"1/{base[1] / median:.0f}"),
            (f"  a message, ms (p95 {percentile(figure.messages, 0.95):.2f})", *_ms(figure.messages), ""),
            (f"  a thread of {_TURNS} turns, ms", *_ms(figure.threads), ""),
        ]
    return rows


def _ms(values: Sequence[float]) -> tuple[str, ...]:
    least, median, most = spread(values)
    return f"{median:.2f}", f"{least:.2f}", f"{most:.2f}"


def _shares(stages: Mapping[str, float]) -> list[tuple[str, ...]]:
    """Where the time of the pass in memory goes."""
    total = sum(stages.values())
    return [(f"  {name}", f"{100 * seconds / total:.0f} %", "", "", "") for name, seconds in sorted(stages.items(), key=lambda item: -item[1])]
