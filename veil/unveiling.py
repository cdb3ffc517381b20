"""From the model's words to what the reader may see: answers as they stream, and stored texts at each read.

A token is filled in only if it was minted in this thread and the reader may see its entity now (law 5). Names go in as plain text without
control characters; nothing goes into a URL, an image or a link target (``veil.tokens`` decides that). A stored answer keeps handles as
handles: they are filled in at every read.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import regex

from veil.text import Clear, Mark, Marked, Source
from veil.thread import State, ThreadMap
from veil.tokens import Entity, Found, Scanner, Token

_UNSAFE = regex.compile(r"[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]+")


@dataclass(frozen=True, slots=True)
class Card:
    """What the CRM says now of an entity, for one reader."""

    name: str = field(repr=False)
    visible: bool
    values: Mapping[str, str] = field(default_factory=dict, repr=False)  # by handle field


Cards = Mapping[Entity, Card]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A text as one reader sees it now, with the marked spans of the text that is shown."""

    text: Clear
    marks: tuple[dict[str, object], ...]


class Unveiler:
    """Turns the model's text into the stored clear answer, chunk by chunk; ``answer`` gives the whole with its marks after ``close``."""

    def __init__(self, thread: ThreadMap, cards: Cards) -> None:
        self._thread = thread
        self._cards = cards
        self._scanner = Scanner()
        self._pieces: list[str] = []
        self._length = 0
        self._marks: list[Mark] = []
        self.unknown: dict[Token, None] = {}

    def feed(self, chunk: str) -> str:
        """The clear text that is decided after this chunk."""
        return self._take(self._scanner.feed(chunk))

    def close(self, *, cut: bool = False) -> str:
        """The rest. After an abnormal end (``cut``) a token that touches the end stays: it may have been the beginning of another."""
        if cut:
            rest = self._scanner.held
            self._write(rest)
            return rest
        return self._take(self._scanner.close())

    def answer(self, version: str) -> Marked:
        """All that was given, with the marks that lead back to the model's own words."""
        return Marked.of(Clear("".join(self._pieces)), self._marks, version)

    def _take(self, pieces: Iterable[str | Found]) -> str:
        before = len(self._pieces)
        for piece in pieces:
            if isinstance(piece, str):
                self._write(piece)
            else:
                self._put(piece)
        return "".join(self._pieces[before:])

    def _put(self, found: Found) -> None:
        literal = self._thread.literal_of(found.token)
        if literal is not None:
            self._write(literal, Mark(0, 0, str(found.token), Source.LOOK_ALIKE))
            return
        entity = self._thread.entity_of(found.token)
        if entity is None:
            self._write_unknown(found)
            return
        rendering = f"{found.token}.{found.field}" if found.field else str(found.token)
        card = self._cards.get(entity)
        shown = found.surface if found.field or card is None or not card.visible else plain(card.name) or found.surface
        self._write(shown, Mark(0, 0, rendering, Source.TOKEN, (entity,), found.field))

    def _write_unknown(self, found: Found) -> None:
        entry = self._thread.entries.get(found.token)
        if entry is not None and entry.state is State.ERASED and entry.entity is not None:
            self._write(found.surface, Mark(0, 0, str(found.token), Source.TOKEN, (entry.entity,)))
            return
        self.unknown[found.token] = None
        self._write(found.surface)

    def _write(self, text: str, mark: Mark | None = None) -> None:
        if not text:
            return
        if mark is not None:
            end = self._length + len(text)
            self._marks.append(Mark(self._length, end, mark.rendering, mark.source, mark.entities, mark.field))
        self._pieces.append(text)
        self._length += len(text)


def plain(name: str) -> str:
    """A name without characters that could change how the text around it is shown."""
    return " ".join(_UNSAFE.sub(" ", name).split())


def draw(marked: Marked, cards: Cards, erased: str) -> Drawn:
    """A stored text as its reader may see it now.

    A marked span is shown as stored if they may see the entity, else as its token, and as ``erased`` once the entity is gone.
    """
    pieces: list[str] = []
    shown_marks: list[dict[str, object]] = []
    position = length = 0
    text = marked.clear.text
    for mark in marked.marks if marked.intact else ():
        before, shown = text[position : mark.start], _shown(mark, text[mark.start : mark.end], cards, erased)
        pieces += (before, shown)
        length += len(before)
        shown_marks.append(_described(mark, cards, length, length + len(shown)))
        length += len(shown)
        position = mark.end
    pieces.append(text[position:])
    return Drawn(Clear("".join(pieces)), tuple(shown_marks))


def _shown(mark: Mark, written: str, cards: Cards, erased: str) -> str:
    if not mark.entities:
        return written
    known = [cards[entity] for entity in mark.entities if entity in cards]
    if not known:
        return erased
    visible = [card for card in known if card.visible]
    if not visible:
        return mark.rendering
    if mark.field and mark.source is Source.TOKEN:
        return plain(visible[0].values.get(mark.field, "")) or mark.rendering
    return written


def _described(mark: Mark, cards: Cards, start: int, end: int) -> dict[str, object]:
    """A mark for the outside: where it is in the shown text and how it travels."""
    described: dict[str, object] = {
        "start": start,
        "end": end,
        "source": mark.source.value,
        "token": mark.rendering,
        "late": mark.late,
        "fuzzy": mark.fuzzy,
    }
    if mark.entities:
        visible = any(cards[entity].visible for entity in mark.entities if entity in cards)
        gone = not any(entity in cards for entity in mark.entities)
        described["kind"] = mark.entities[0].kind.value
        described["state"] = "erased" if gone else "visible" if visible else "hidden"
        if visible:
            described["ids"] = [entity.id for entity in mark.entities if entity in cards and cards[entity].visible]
    if mark.field:
        described["field"] = mark.field
    return described
