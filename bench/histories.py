"""A history of twenty turns being veiled again: nothing new, and with one person whom the thread has just come to know."""

import time
from collections.abc import Sequence
from itertools import count

from bench import floor
from bench.clock import percentile, spread
from bench.conversation import Conversation, exchanged
from bench.crm import Tenant
from bench.passes import READER, desk_over, messages
from veil import guard
from veil.guard import Secrets
from veil.payload import Request
from veil.tokens import Entity, EntityId, Kind

TURNS = 20
_ROUNDS = 60


async def measure(tenant: Tenant) -> list[tuple[str, ...]]:
    """Milliseconds of each way to read the history again, beside the regex pass over the same texts."""
    conversation, texts = await _conversation(tenant)
    revisions = count(1_000)
    same = [_ms(conversation, next(revisions)) for _ in range(_ROUNDS)]
    grown = []
    for number in _strangers(conversation, tenant):
        await conversation.desk.meet(Entity(Kind.CONTACT, EntityId(number)))
        grown.append(_ms(conversation, next(revisions)))
    floors = [1e3 * floor.seconds(texts) for _ in range(_ROUNDS)]
    size = sum(len(text.encode()) for text in texts) / 1e3
    base = spread(floors)[1]
    return [
        (f"{TURNS} turns, {size:.1f} kB", "median ms", "min", "p95", "x regex"),
        ("regex pass", *_cells(floors, base)),
        ("read again, nothing new", *_cells(same, base)),
        ("read again, one more person", *_cells(grown, base)),
        ("guard, first reading", *_cells([_guard_ms(conversation) for _ in range(_ROUNDS)], base)),
    ]


async def _conversation(tenant: Tenant) -> tuple[Conversation, list[str]]:
    desk, _ = desk_over(tenant)
    conversation = await Conversation.begin(desk, READER)
    texts = list(exchanged([message.text for message in messages(tenant, 200)], TURNS))
    for role, text in texts:
        await conversation.add(role, text)
    return conversation, [text for _, text in texts]


def _strangers(conversation: Conversation, tenant: Tenant) -> list[int]:
    known = {entity.id for entity in conversation.desk.thread.entities if entity.kind is Kind.CONTACT}
    return [row["id"] for row in tenant.tables["contacts"] if row["id"] not in known][:_ROUNDS]


def _ms(conversation: Conversation, revision: int) -> float:
    started = time.perf_counter()
    conversation.reveil(revision)
    return 1e3 * (time.perf_counter() - started)


def _guard_ms(conversation: Conversation) -> float:
    thread = conversation.desk.thread
    started = time.perf_counter()
    guard.inspect(Request("bench", tuple(conversation.history.messages()), (), "none"), Secrets(thread.names.forms(), thread.values))
    return 1e3 * (time.perf_counter() - started)


def _cells(values: Sequence[float], base: float) -> tuple[str, ...]:
    least, median, _ = spread(values)
    return f"{median:.2f}", f"{least:.2f}", f"{percentile(values, 0.95):.2f}", f"{median / base:.1f}"
