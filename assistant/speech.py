"""The text of one reply while it comes off the wire: decided piece by piece, and given on in blocks.

What is given on joins to exactly what is stored at the end: white space around the answer is left out, and no more than ``LONGEST`` characters
are read.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from assistant.model.reply import LONGEST
from veil.thread import ThreadMap
from veil.tokens import Entity, EntityId, Kind, Token
from veil.unveiling import Decoder, Meant, Piece

#: Seconds between two blocks of text: readers see it flow, and Postgres writes few rows. The first one goes at once.
BLOCK = 0.06


class Speech:
    """What one reply says. ``say`` is given each block."""

    def __init__(self, thread: ThreadMap, say: Callable[[Sequence[Piece]], None]) -> None:
        self._decoder = Decoder(thread)
        self._say = say
        self._pieces: list[Piece] = []
        self._heard: list[str] = []
        self._blanks = ""  # white space that may be the end
        self._length = 0
        self._next = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False
        self.too_long = False

    async def hear(self, text: str) -> None:
        """Take a piece of the reply's text."""
        if kept := self._kept(text):
            self._heard.append(kept)
            self._flush_in_time()

    def close(self, *, cut: bool, instead: str = "") -> list[Piece]:
        """All pieces of the answer, the last block given on; ``instead`` is said where nothing was.

        After a cut, a token that touches the end stays as it was written.
        """
        if not self._closed:
            self._closed = True
            self._flush()
            rest = self._decoder.close(cut=cut)
            self._give([*rest, instead] if instead and not self._length else rest)
        return self._pieces

    @property
    def unknown(self) -> list[Token]:
        """The tokens that stand for nothing in the thread."""
        return [*self._decoder.unknown]

    @property
    def said(self) -> str:
        """What was given on so far, as the model wrote it."""
        return "".join(piece if isinstance(piece, str) else piece.surface for piece in self._pieces)

    @property
    def begun(self) -> bool:
        """Whether anything was said."""
        return self._length > 0

    def _kept(self, text: str) -> str:
        """What of a text counts by now."""
        text = self._blanks + text if self._length else text.lstrip()
        kept = text.rstrip()
        self._blanks = text[len(kept) :]
        if self._length + len(kept) > LONGEST:
            kept, self.too_long = kept[: LONGEST - self._length], True
        self._length += len(kept)
        return kept

    def _flush_in_time(self) -> None:
        if self._timer is not None:
            return
        loop = asyncio.get_running_loop()
        if loop.time() >= self._next:
            self._flush()
        else:
            self._timer = loop.call_at(self._next, self._flush)

    def _flush(self) -> None:
        """Give on what can be decided of what was heard; together, so that the work follows the clock and not the number of pieces."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        heard, self._heard = "".join(self._heard), []
        self._give(self._decoder.feed(heard) if heard else [])

    def _give(self, pieces: Sequence[Piece]) -> None:
        if not pieces:
            return
        block = _joined(pieces)
        self._pieces += block
        self._next = asyncio.get_running_loop().time() + BLOCK
        self._say(block)


def _joined(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces, with texts side by side as one."""
    joined: list[Piece] = []
    for piece in pieces:
        if joined and isinstance(piece, str) and isinstance(joined[-1], str):
            joined[-1] += piece
        else:
            joined.append(piece)
    return joined


def stored(piece: Piece) -> Any:
    """A piece as the body of an event holds it: JSON, and veiled."""
    if isinstance(piece, str):
        return piece
    entity = None if piece.entity is None else [piece.entity.kind.value, piece.entity.id]
    return {"surface": piece.surface, "token": piece.rendering, "entity": entity, "literal": piece.literal, "field": piece.field}


def restored(piece: Any) -> Piece:
    """A piece out of the body of an event."""
    if isinstance(piece, str):
        return piece
    entity = None if piece["entity"] is None else Entity(Kind(piece["entity"][0]), EntityId(piece["entity"][1]))
    return Meant(piece["surface"], piece["token"], entity, piece["literal"], piece["field"])
