"""The port to the model: a veiled request goes in, a reply comes out, and nothing else passes.

``ask`` takes a ``veil.payload.Request`` and no string, so that clear text cannot reach a model. What comes back is
foreign: texts and arguments may hold anything, tokens that were never minted included.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

from veil.payload import Request

#: Takes a piece of the answer's text as it comes off the wire.
Hear = Callable[[str], Awaitable[None]]


async def deaf(piece: str) -> None:
    """Hears nothing: for whoever wants the whole reply only."""


@dataclass(frozen=True, slots=True)
class ReplyCall:
    """A tool call as the model wrote it; ``arguments`` is meant to be JSON and need not be."""

    id: str | None
    name: str
    arguments: str | None


@dataclass(frozen=True, slots=True)
class Usage:
    """What the provider counted."""

    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of the model. ``raw`` is the canonical JSON of all four, for the record."""

    text: str
    calls: tuple[ReplyCall, ...]
    finish: str | None
    usage: Usage | None
    raw: bytes = field(repr=False)


class Model(Protocol):
    """Whatever can be asked.

    ``ask`` sends exactly ``request.encode()`` and gives the reply, or raises a ``ModelError`` whose text holds
    nothing that the provider wrote. It holds no state between calls.

    ``hear`` is awaited with each piece of the answer's text as it comes; the pieces, joined, are ``Reply.text``. The same bytes may be sent
    again while nothing was heard. A stream that breaks off afterwards gives the reply so far, without calls and with ``finish`` ``None``.
    """

    async def ask(self, request: Request, hear: Hear = deaf) -> Reply: ...
