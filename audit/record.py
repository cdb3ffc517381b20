"""What was sent to the model and what came back, byte for byte, each block of it kept once."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from db.errors import Unavailable
from db.pool import Connection
from db.queries import load
from veil.payload import Request, body_of

_SQL = load("audit", "record")
#: A block that another transaction keeps at this moment is seen by the next statement.
_TRIES = 5


@dataclass(frozen=True, slots=True)
class Sent:
    """One recorded call: ``body`` are the bytes as they left."""

    ordinal: int
    body: bytes
    intact: bool  # the bytes still have the hash that was noted when they left
    sha256: str
    response: bytes | None
    status: str  # "sent" when nothing is known of its end
    sent_at: datetime
    received_at: datetime | None


async def add(connection: Connection, *, tenant: int, turn: int, ordinal: int, request: Request, sent_at: datetime) -> int:
    """Record a call by one statement, before it leaves; gives its id. The caller's transaction must be committed first."""
    blocks = request.blocks()
    digests = [hashlib.sha256(block).digest() for block in blocks]
    body = hashlib.sha256(request.encode()).digest()
    for _ in range(_TRIES):
        given = (digests, blocks, request.parameters(), body, sent_at)
        number: int | None = await connection.fetchval(_SQL["add_call"], tenant, turn, ordinal, *given)
        if number is not None:
            return number
    raise Unavailable("the blocks of a call could not be kept")


async def add_reply(connection: Connection, *, tenant: int, call: int, response: bytes | None, status: str, received_at: datetime) -> None:
    """Record what came back of a call, or with ``None`` that nothing did."""
    await connection.execute(_SQL["add_reply"], tenant, call, response, status, received_at)


async def calls_of_turn(connection: Connection, *, tenant: int, turn: int) -> list[Sent]:
    """The calls of a turn in their order."""
    return [_sent(row) for row in await connection.fetch(_SQL["calls_of_turn"], tenant, turn)]


def _sent(row: Mapping[str, Any]) -> Sent:
    body = body_of(list(row["blocks"]), row["parameters"])
    return Sent(
        row["ordinal"],
        body,
        hashlib.sha256(body).digest() == row["request_sha256"],
        row["request_sha256"].hex(),
        row["response"],
        row["status"],
        row["sent_at"],
        row["received_at"],
    )
