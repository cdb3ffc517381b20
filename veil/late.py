"""Late masks: what must be masked in a text that has left already.

It travels as a bare placeholder, never as a token: the provider, who has the old text, could compare.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from veil import names, scrub, tokens
from veil.names import Bearer, Index, Reading
from veil.phrases import Text
from veil.settling import settled
from veil.text import Clear, Mark, Marked, Source, Veiled
from veil.thread import NOBODY, ThreadMap
from veil.tokens import Entity
from veil.veiling import PLACEHOLDER, Setting, Span, united


def late_marks(text: Clear, marks: Sequence[Mark], index: Index, thread: ThreadMap, setting: Setting, *, scrubbed: bool) -> list[Mark]:
    """What must be masked now in a clear text that the provider has seen: names of ``index`` (the thread's, or more) and the thread's values.

    ``scrubbed`` says that the present detectors have read this text before. Spans inside a mark are masked already; of one that reaches
    beyond a mark only the rest is added.
    """
    found = _strict(text.text, index, thread, None if scrubbed else setting)
    late = []
    for span in found:
        rendering = f"[{setting.words.name}]" if span.sort is None else setting.words.datum
        for start, end in outside(span.start, span.end, marks):
            if text.text[start:end].strip():
                late.append(Mark(start, end, rendering, span.source, _only(span.bearers), late=True))
    if not late:
        return []
    return [
        replace(mark, start=start, end=end, late=True)
        for mark in settled(text.text, [*marks, *late], setting.words.code)
        for start, end in outside(mark.start, mark.end, marks)
    ]


def recheck(veiled: Veiled, thread: ThreadMap, setting: Setting, *, scrubbed: bool) -> tuple[Veiled, int]:
    """A veiled text (a tool's result, the model's arguments) with what must be masked in it now, and how many spans that were.

    Tokens and placeholders in it are ours and stay.
    """
    return _recheck(veiled.text, _strict(veiled.text, thread.names, thread, None if scrubbed else setting), setting)


def _recheck(text: str, spans: Iterable[Span], setting: Setting) -> tuple[Veiled, int]:
    ours = [(found.start, found.end) for found in tokens.find(text, anywhere=True)] + [match.span() for match in PLACEHOLDER.finditer(text)]
    fixed = [Mark(start, end, text[start:end], Source.TOKEN) for start, end in sorted(ours)]
    late = [
        Mark(start, end, f"[{setting.words.name}]" if span.sort is None else setting.words.datum, span.source, late=True)
        for span in spans
        for start, end in outside(span.start, span.end, fixed)
        if any(character.isalnum() for character in text[start:end])
    ]
    return Marked.of(Clear(text), settled(text, late, setting.words.code) if late else (), "").veiled(), len(late)


def _strict(text: str, index: Index, thread: ThreadMap, setting: Setting | None) -> list[Span]:
    """Names and values that the thread (or ``index``) knows, and with a setting what the detectors find."""
    cut = Text(text)
    spans: list[Span] = []
    if index.touches(form for _, _, form in cut.units()):
        mentions = names.find(text, index, reading=Reading.TEXT, present=thread.entities, cut=cut)
        spans += [Span(item.start, item.end, Source.NAME, item.key, item.bearers) for item in mentions if item.known]
    spans += [Span(value.start, value.end, Source.VALUE, sort=value.sort) for value in thread.values.find(text)]
    if setting is not None:
        spans += [Span(hit.start, hit.end, Source.SCRUB, sort=hit.sort) for hit in scrub.find(text, setting.region)]
    return united(spans)


def _only(bearers: Sequence[Bearer]) -> tuple[Entity, ...]:
    return (bearers[0].entity,) if len(bearers) == 1 and bearers[0].entity != NOBODY else ()


def outside(start: int, end: int, marks: Sequence[Mark]) -> list[tuple[int, int]]:
    """The parts of a span that no mark covers."""
    parts, position = [], start
    for mark in marks:
        if mark.end <= position or mark.start >= end:
            continue
        if mark.start > position:
            parts.append((position, mark.start))
        position = max(position, mark.end)
    if position < end:
        parts.append((position, end))
    return parts
