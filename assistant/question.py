"""What a member asks, as the doors hand it to the turns."""

from dataclasses import dataclass

from veil.text import Clear
from veil.tokens import Kind


@dataclass(frozen=True, slots=True)
class Mention:
    """A span of the question (code points) whose entity the member chose; ``id`` is ``None`` for "any of them"."""

    start: int
    end: int
    kind: Kind
    id: int | None


@dataclass(frozen=True, slots=True)
class Ask:
    """A question; ``body_hash`` tells whether a repeated idempotency key came with the same request."""

    text: Clear
    thread_id: int | None
    mentions: tuple[Mention, ...]
    idempotency_key: str | None
    body_hash: bytes
