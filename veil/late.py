"""Late masks: what must be masked in a text that has left already.

It travels as a bare placeholder, never as a token: the provider, who has the old text, could compare.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace

from veil import names, scrub, tokens
from veil.bearers import NOBODY, Bearer, Index
from veil.glance import glance
from veil.names import Reading
from veil.scrub import Hit
from veil.settling import settled
from veil.text import Clear, Mark, Marked, Source, Veiled, blanked
from veil.thread import ThreadMap
from veil.tokens import Entity
from veil.values import Values
from veil.veiling import PLACEHOLDER, Setting, Span, united


def late_marks(
    text: Clear, marks: Sequence[Mark], index: Index, thread: ThreadMap, setting: Setting, *, scrubbed: bool, hits: Iterable[Hit] = ()
) -> list[Mark]:
    """What must be masked now in a clear text that has left: names of ``index`` (the thread's, or more) and the thread's values.

    ``scrubbed`` says that the present detectors have read this text before; ``hits`` is what they found only with the text that follows. What
    a mark covers is not read again.
    """
    seen = [mark for mark in marks if mark.source is not Source.HIDDEN]  # a character that nobody sees parts nothing on the wire
    bare = blanked(text.text, ((mark.start, mark.end) for mark in seen))
    spans = _strict(bare, index, thread, None if scrubbed else setting)
    spans += [Span(*part, Source.SCRUB, sort=hit.sort) for hit in hits for part in outside(hit.start, hit.end, seen)]
    late = [Mark(span.start, span.end, _placeholder(span, setting), span.source, _only(span.bearers), late=True) for span in united(spans)]
    if not late:
        return []
    kept = [mark for mark in marks if not (mark.source is Source.HIDDEN and any(new.covers(mark) for new in late))]
    places = {(mark.start, mark.end) for mark in marks}
    added = [mark for mark in settled(text.text, [*kept, *late], setting.words.code, sent=marks) if (mark.start, mark.end) not in places]
    return [replace(mark, start=start, end=end, late=True) for mark in added for start, end in outside(mark.start, mark.end, seen)]


def recheck(veiled: Veiled, thread: ThreadMap, setting: Setting, *, scrubbed: bool) -> tuple[Veiled, int]:
    """A veiled text (a tool's result, the model's arguments) with what must be masked in it now, and how many spans that were.

    Tokens and placeholders in it are ours and stay.
    """
    text = veiled.text
    ours = [(found.start, found.end) for found in tokens.find(text, anywhere=True)] + [match.span() for match in PLACEHOLDER.finditer(text)]
    late = [
        Mark(span.start, span.end, _placeholder(span, setting), span.source, late=True)
        for span in _strict(blanked(text, ours), thread.names, thread, None if scrubbed else setting)
    ]
    return Marked.of(Clear(text), settled(text, late, setting.words.code, sent=()) if late else (), "").veiled(), len(late)


def may_concern(text: str, index: Index, values: Values, *, json: bool = False) -> bool:
    """Whether a text, or with ``json`` one of its ``leaves``, could hold a form of ``index`` or one of ``values``.

    Quick, and never wrong when it says no: most of a long history holds nothing that is new, and only the rest is read word by word. What is
    masked in the text is blank already.
    """
    return glance(text, json=json).may_hold(index, values)


def outside(start: int, end: int, marks: Sequence[Mark]) -> list[tuple[int, int]]:
    """The parts of a span that no mark covers; the marks are in order."""
    parts, position = [], start
    for mark in marks[bisect_right(marks, start, key=lambda mark: mark.end) :]:
        if mark.start >= end:
            break
        if mark.start > position:
            parts.append((position, mark.start))
        position = max(position, mark.end)
    if position < end:
        parts.append((position, end))
    return parts


def _strict(text: str, index: Index, thread: ThreadMap, setting: Setting | None) -> list[Span]:
    """Names and values that the thread (or ``index``) knows, and with a setting what the detectors find."""
    mentions = names.find(text, index, reading=Reading.TEXT, present=thread.entities)
    spans = [Span(item.start, item.end, Source.NAME, item.key, item.bearers) for item in mentions if item.known]
    spans += [Span(value.start, value.end, Source.VALUE, sort=value.sort) for value in thread.values.find(text)]
    if setting is not None:
        spans += [Span(hit.start, hit.end, Source.SCRUB, sort=hit.sort) for hit in scrub.find(text, setting.region)]
    return united(spans)


def _placeholder(span: Span, setting: Setting) -> str:
    return f"[{setting.words.name}]" if span.sort is None else setting.words.datum


def _only(bearers: Sequence[Bearer]) -> tuple[Entity, ...]:
    return (bearers[0].entity,) if len(bearers) == 1 and bearers[0].entity != NOBODY else ()
