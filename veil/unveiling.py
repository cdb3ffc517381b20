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


@dataclass(frozen=True, slots=True)
class Meant:
    """A token in the model's text that stands for something: an entity of the thread, or the literal behind an alias."""

    surface: str  # as the model wrote it
    rendering: str
    entity: Entity | None = None
    literal: str | None = field(default=None, repr=False)
    field: str | None = None


#: A decided piece of the model's text.
Piece = str | Meant


class Decoder:
    """Finds in the model's text, chunk by chunk, what its tokens stand for. Needs no reader: what a piece says to one, ``filled`` decides."""

    def __init__(self, thread: ThreadMap) -> None:
        self._thread = thread
        self._scanner = Scanner()
        self.unknown: dict[Token, None] = {}

    def feed(self, chunk: str) -> list[Piece]:
        """The pieces that are decided after this chunk."""
        return [self._piece(piece) for piece in self._scanner.feed(chunk)]

    def close(self, *, cut: bool = False) -> list[Piece]:
        """The rest. After an abnormal end (``cut``) a token that touches the end stays: it may have been the beginning of another."""
        if cut:
            return [self._scanner.held] if self._scanner.held else []
        return [self._piece(piece) for piece in self._scanner.close()]

    def _piece(self, found: str | Found) -> Piece:
        if isinstance(found, str):
            return found
        literal = self._thread.literal_of(found.token)
        if literal is not None:
            return Meant(found.surface, str(found.token), literal=literal)
        entity = self._thread.entity_of(found.token)
        if entity is not None:
            return Meant(found.surface, f"{found.token}.{found.field}" if found.field else str(found.token), entity, field=found.field)
        entry = self._thread.entries.get(found.token)
        if entry is not None and entry.state is State.ERASED and entry.entity is not None:
            return Meant(found.surface, str(found.token), entry.entity)
        self.unknown[found.token] = None
        return found.surface


def filled(pieces: Iterable[Piece], cards: Cards, version: str) -> Marked:
    """The clear text of pieces for one reader, with the marks that lead back to the model's own words. Handles stay handles."""
    texts: list[str] = []
    marks: list[Mark] = []
    length = 0
    for piece in pieces:
        text = piece if isinstance(piece, str) else _filled(piece, cards)
        if isinstance(piece, Meant) and text:
            source, entities = (Source.LOOK_ALIKE, ()) if piece.entity is None else (Source.TOKEN, (piece.entity,))
            marks.append(Mark(length, length + len(text), piece.rendering, source, entities, piece.field))
        texts.append(text)
        length += len(text)
    return Marked.of(Clear("".join(texts)), marks, version)


def _filled(meant: Meant, cards: Cards) -> str:
    if meant.literal is not None:
        return meant.literal
    card = cards.get(meant.entity) if meant.entity is not None else None
    return meant.surface if meant.field or card is None or not card.visible else plain(card.name) or meant.surface


class Unveiler:
    """Turns the model's text into the stored clear answer, chunk by chunk; ``answer`` gives the whole with its marks after ``close``."""

    def __init__(self, thread: ThreadMap, cards: Cards) -> None:
        self._decoder = Decoder(thread)
        self._cards = cards
        self._pieces: list[Piece] = []

    @property
    def unknown(self) -> Mapping[Token, None]:
        """The tokens that stand for nothing in this thread."""
        return self._decoder.unknown

    def feed(self, chunk: str) -> str:
        """The clear text that is decided after this chunk."""
        return self._shown(self._decoder.feed(chunk))

    def close(self, *, cut: bool = False) -> str:
        """The rest; ``cut`` as in ``Decoder.close``."""
        return self._shown(self._decoder.close(cut=cut))

    def answer(self, version: str) -> Marked:
        """All that was given, with the marks that lead back to the model's own words."""
        return filled(self._pieces, self._cards, version)

    def _shown(self, pieces: list[Piece]) -> str:
        self._pieces += pieces
        return filled(pieces, self._cards, "").clear.text


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
        if mark.source is not Source.SAID:
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
    if mark.source is Source.SAID:  # hiding it by rights would say whose name it is
        return written
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
