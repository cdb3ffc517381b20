"""Keeps renderings apart from their neighbours, so that a veiled text is read back as the tokens that its marks write, and no others."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, takewhile

from veil import tokens
from veil.text import Mark, Source

_PATH = frozenset("/\\@")
#: Signs before and behind a rendering that take no part in any token; the empty one is the end of the text.
_BEGINS = frozenset(["", *" \n\t(¿¡,;"])
_ENDS = frozenset(["", *" \n\t),;!?"])
#: Rounds in which neighbouring renderings are set apart; the second settles nearly all.
_ROUNDS = 4


def settled(text: str, marks: Sequence[Mark], code: str, *, sent: Sequence[Mark] | None = None) -> list[Mark]:
    """The marks, such that the veiled text holds exactly the tokens that they write.

    A rendering can meet its neighbours: ``C-1`` before a digit would be read as another token, and what was glued to a masked name
    (``PérezC-1``) would become one. The first is set apart by spaces, the second travels as ``code``. Of a text that has left, ``sent`` are
    the marks that it left with: the tokens that it showed then stay.
    """
    kept = sorted(marks, key=lambda mark: mark.start)
    if _stand_apart(text, kept):
        return kept
    shown = None if sent is None else _shown(text, sent)
    for _ in range(_ROUNDS):
        renewed = _apart(text, kept, shown, code)
        if renewed == kept:
            break
        kept = renewed
    return kept


def _stand_apart(text: str, marks: Sequence[Mark]) -> bool:
    """Whether nothing can meet anything, as in most texts: no token in the clear text, and a sign beside each rendering that joins to none."""
    position = -1
    for mark in marks:
        behind = text[mark.end : mark.end + 2]
        beside = text[mark.start - 1 : mark.start] if mark.start else ""
        ends = behind[:1] in _ENDS or (behind[:1] == "." and behind[1:] in _ENDS)
        if mark.source is Source.LOOK_ALIKE or not mark.rendering or beside not in _BEGINS or not ends or mark.start == position:
            return False
        position = mark.end
    return not tokens.may_hold(text)


def _shown(text: str, sent: Sequence[Mark]) -> set[tuple[int, int]]:
    """The tokens that the text showed outside of its marks."""
    pieces = _pieces(text, sent)
    shown = set()
    for found in tokens.find("".join(piece.text for piece in pieces), anywhere=True):
        piece, *more = _touched(pieces, found.start, found.end)
        if not more and piece.mark is None:
            start = piece.clear + found.start - piece.start
            shown.add((start, start + found.end - found.start))
    return shown


@dataclass(frozen=True, slots=True)
class _Piece:
    """A marked or unmarked piece of a text: where it stands in the clear and in the veiled one."""

    clear: int
    start: int
    text: str
    mark: int | None = None

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def _apart(text: str, marks: Sequence[Mark], shown: set[tuple[int, int]] | None, code: str) -> list[Mark]:
    """One round. A token that no mark writes stays where nobody reads it (in an address), and in a text that showed it when it left."""
    pieces = _pieces(text, marks)
    veiled = "".join(piece.text for piece in pieces)
    if not tokens.may_hold(veiled):
        return list(marks)
    read = [(found.start, found.end) for found in tokens.find(veiled, anywhere=True)]
    readable = {(found.start, found.end) for found in tokens.find(veiled)} if shown is None and read else set()
    meant = {
        (piece.start + start, piece.start + end): piece.mark for piece in pieces if piece.mark is not None for start, end in _tokens_of(piece.text)
    }
    seen, writing = set(read), set(meant.values())
    lost = {mark: _is_in_path(veiled, *place) for place, mark in meant.items() if place not in seen}
    padded = {mark for mark, in_path in lost.items() if not in_path}
    unread = {mark for place, mark in meant.items() if place not in readable} if shown is None else set()
    covered: set[int | None] = set()
    covers: list[Mark] = []
    for start, end in read:
        touched = _touched(pieces, start, end)
        numbers = {piece.mark for piece in touched if piece.mark is not None}
        if (start, end) in meant or padded & numbers:
            continue
        if numbers & writing:
            padded |= numbers
            continue
        first, last = touched[0], touched[-1]
        clear = (first.clear + max(start - first.start, 0), last.clear + end - last.start)
        if (start, end) in readable if shown is None else clear not in shown:
            covers.append(Mark(*clear, code, Source.LOOK_ALIKE))
            covered |= numbers
    kept = []
    for number, mark in enumerate(marks):
        if number in padded:
            kept.append(replace(mark, rendering=f" {mark.rendering.strip()} "))
        elif (number in lost or number in unread) and mark.source is Source.LOOK_ALIKE:
            kept.append(replace(mark, rendering=code))  # an alias that would never be read back
        elif number not in covered:
            kept.append(mark)
    return sorted((*kept, *covers), key=lambda mark: mark.start)


@lru_cache(maxsize=4_096)
def _tokens_of(rendering: str) -> tuple[tuple[int, int], ...]:
    """The tokens that a rendering writes; few renderings are written again and again."""
    return tuple((found.start, found.end) for found in tokens.find(rendering, anywhere=True))


def _touched(pieces: Sequence[_Piece], start: int, end: int) -> list[_Piece]:
    """The pieces that ``start..end`` of the veiled text runs through."""
    first = bisect_right(pieces, start, key=lambda piece: piece.end)
    return list(takewhile(lambda piece: piece.start < end, islice(pieces, first, None)))


def _is_in_path(text: str, start: int, end: int) -> bool:
    """Whether a rendering stands in a path or address, where a token is never read as one: a space would only break the address."""
    return text[max(start - 1, 0) : start] in _PATH or text[end : end + 1] in _PATH


def _pieces(text: str, marks: Sequence[Mark]) -> list[_Piece]:
    pieces: list[_Piece] = []
    position = start = 0
    for number, mark in enumerate(marks):
        between = _Piece(position, start, text[position : mark.start])
        pieces += (between, _Piece(mark.start, between.end, mark.rendering, number))
        position, start = mark.end, pieces[-1].end
    return [piece for piece in (*pieces, _Piece(position, start, text[position:])) if piece.text]
