"""The one pass from clear to veiled: read the spans, decide whom they mean, say what must be minted, render.

The order is always the same, and only minting (``veil.store``) lies between the pure steps::

    spans = read(text, …)                    what is there
    decided = decide_question(spans, …)      whose it is        (or ``decide_text`` for anybody else's words)
    needs = needs_of(decided, thread)        -> mint, reserve, alias in Postgres, committed before text leaves
    marks = render(decided, thread, …)       how it travels, fixed for ever

Texts that have left already are only ever masked further: ``veil.late``.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

import phonenumbers
import regex

from veil import detectors, lexicon, names, scrub, tokens, values
from veil.bearers import NOBODY, TOGETHER, Bearer, Index
from veil.detectors import Detector
from veil.names import Reading
from veil.phrases import Text
from veil.scrub import Hit, Region, Sort
from veil.settling import settled
from veil.text import Mark, Source, blanked
from veil.thread import State, ThreadMap
from veil.tokens import Entity, Found, Kind, Token
from veil.values import Values

#: Version of the rules of this pass; together with the detectors' it says which rules have read a text.
_PASS = 1
#: Most candidates that travel as a group; with more the member is asked first.
GROUP = 5
#: Look-alikes that a turn may reserve; the rest travels as ``[código]``.
RESERVATIONS = 300
WITHHELD = "[contenido retenido]"


def version(detector: Detector | None = None) -> str:
    """The version of all that finds spans; marks carry it. With a detector of ``Setting`` it is another one."""
    own = f"{_PASS}.{scrub.VERSION}.{lexicon.VERSION}"
    return own if detector is None else f"{own}.{detectors.version(detector)}"


@dataclass(frozen=True, slots=True)
class Words:
    """The placeholders of one language."""

    name: str
    datum: str
    code: str
    erased: str

    def numbered(self, number: int) -> str:
        """A name that nobody bears; equal names of one text share the number."""
        return f"[{self.name} {number}]"


WORDS: Mapping[str, Words] = {
    "es": Words("nombre", "[dato]", "[código]", "[borrado]"),
    "pt": Words("nome", "[dado]", "[código]", "[apagado]"),
    "en": Words("name", "[data]", "[code]", "[erased]"),
}
_PLACEHOLDER_WORDS = sorted(
    {
        *(word for row in WORDS.values() for word in (row.name, *(placeholder[1:-1] for placeholder in (row.datum, row.code, row.erased)))),
        *(placeholder[1:-1] for row in scrub.PLACEHOLDERS.values() for placeholder in row.values()),
        WITHHELD[1:-1],
    },
    key=lambda word: (-len(word), word),
)
PLACEHOLDER = regex.compile(rf"\[\s{{0,8}}(?:{'|'.join(map(regex.escape, _PLACEHOLDER_WORDS))})(?:\s{{1,8}}\d{{1,6}})?\s{{0,8}}\]", regex.IGNORECASE)
#: Characters that nobody sees and a model reads: they carry hidden instructions. Joiners inside emoji and scripts stay.
_HIDDEN = regex.compile(r"[\u202A-\u202E\u2066-\u2069\u200B\u2060-\u2064\uFEFF\u00AD\U000E0000-\U000E007F]+")

_FIELDS: Mapping[Sort, Mapping[Kind, str]] = {
    Sort.PHONE: {Kind.CONTACT: "phone"},
    Sort.EMAIL: {Kind.CONTACT: "email", Kind.MEMBER: "email"},
    Sort.ID: {Kind.CONTACT: "national_id", Kind.COMPANY: "legal_id"},
}


@dataclass(frozen=True, slots=True)
class Setting:
    """How a tenant's texts are veiled."""

    language: str
    region: Region
    detector: Detector | None = None  # the second net for people whom no CRM knows, when it is switched on

    @property
    def version(self) -> str:
        """The version of all that finds spans under this setting."""
        return version(self.detector)

    @property
    def words(self) -> Words:
        """The placeholders of the tenant's language."""
        return WORDS[self.language]

    @property
    def placeholders(self) -> Mapping[Sort, str]:
        """The detectors' placeholders in the tenant's language."""
        return scrub.PLACEHOLDERS[self.language]


@dataclass(frozen=True, slots=True)
class Span:
    """Something in a text that must not, or not so, travel."""

    start: int
    end: int
    source: Source
    key: str = ""  # folded words of a name; what a look-alike of a placeholder shows
    bearers: tuple[Bearer, ...] = ()
    sort: Sort | None = None
    value: str | None = field(default=None, repr=False)  # normalised, for looking up who bears it
    found: Found | None = None


@dataclass(frozen=True, slots=True)
class Decided:
    """A span and whom it means: nobody, one, or a group of candidates."""

    span: Span
    entities: tuple[Entity, ...] = ()
    field: str | None = None

    @property
    def fuzzy(self) -> bool:
        """Whether somebody is meant only because their name is like what was written."""
        return bool(self.entities) and any(bearer.fuzzy and bearer.entity in self.entities for bearer in self.span.bearers)


@dataclass(frozen=True, slots=True)
class Choice:
    """A mention of the question that only the member can resolve; ``candidates`` are all whom they may see, in order of id."""

    start: int
    end: int
    candidates: tuple[Entity, ...]


@dataclass(frozen=True, slots=True)
class Needs:
    """What must stand in ``velo.tokens`` before the text may leave."""

    mint: tuple[Entity, ...] = ()
    reserve: tuple[Token, ...] = ()
    alias: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.mint or self.reserve or self.alias)


class Numbering:
    """Numbers of unknown names: equal folded names share one, in order of first appearance in one message or tool result."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def __getitem__(self, key: str) -> int:
        return self._numbers.setdefault(key, len(self._numbers) + 1)


# --- what is there -----------------------------------------------------------------------------------------------------------------------


def read(
    text: str,
    index: Index,
    thread: ThreadMap,
    setting: Setting,
    *,
    reading: Reading,
    cut: Text | None = None,
    borne: Collection[str] = frozenset(),
    hits: Iterable[Hit] | None = None,
) -> list[Span]:
    """All spans of a clear text, overlaps united.

    ``index`` holds the CRM's forms for this text and the thread's own; ``borne`` those of its ``candidates`` that somebody in the CRM bears;
    ``hits`` what the detectors find in it, if they were asked already.
    """
    spans = [
        Span(mention.start, mention.end, Source.NAME if mention.bearers else Source.PERSON, mention.key, mention.bearers)
        for mention in names.find(text, index, reading=reading, present=thread.entities, cut=cut)
    ]
    found = scrub.find(text, setting.region) if hits is None else hits
    if any(_meets_digit(text, span) for span in spans):
        found = (*found, *scrub.find(blanked(text, ((span.start, span.end) for span in spans), " "), setting.region))
    spans += [Span(hit.start, hit.end, Source.SCRUB, sort=hit.sort, value=hit.value) for hit in found]
    spans += [Span(value.start, value.end, Source.VALUE, sort=value.sort) for value in thread.values.find(text)]
    spans += [
        Span(item.start, item.end, Source.VALUE, sort=sort, value=form)
        for item in (candidates(text, setting) if borne else ())
        for sort, form in item.forms
        if form in borne
    ]
    spans += _look_alikes(text)
    if not text.isascii():
        spans += [Span(match.start(), match.end(), Source.HIDDEN) for match in _HIDDEN.finditer(text)]
    spans = united(spans)
    if setting.detector is None:
        return spans
    people = detectors.find(text, cut or Text(text), spans, setting.detector)
    return united([*spans, *(Span(person.start, person.end, Source.PERSON, person.key) for person in people)])


def has_news(text: str, cut: Text, before: tuple[Index, Values], now: tuple[Index, Values]) -> bool:
    """Whether a text could be read otherwise with the names and values of ``now`` than with those of ``before``; only its own are asked for."""
    (names, values), (more_names, more_values) = before, now
    return (
        any(names[form] != more_names[form] for form in cut.forms())
        or any(more_names.glued(word.form) for word in cut.words if len(word.form) in TOGETHER)
        or values.find(text) != more_values.find(text)
    )


def _meets_digit(text: str, span: Span) -> bool:
    """Whether a number is glued to a name ("soyOtoniel12.345.678-5"): it stands free only when the name is gone."""
    return text[span.end : span.end + 1].isdecimal() or (span.start > 0 and text[span.start - 1].isdecimal())


def candidates(text: str, setting: Setting) -> list[values.Candidate]:
    """What in a text may be somebody's phone or id, to be looked up in the CRM."""
    return values.candidates(text, _country_codes(setting.region.phone_regions))


@cache
def _country_codes(regions: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(phonenumbers.country_code_for_region(region) for region in regions))


def values_of(text: str, setting: Setting) -> set[tuple[Sort, str]]:
    """The normalised values of a text that somebody may bear, to be looked up in the CRM."""
    hits = {(hit.sort, hit.value) for hit in scrub.find(text, setting.region) if hit.value}
    return hits.union(*(item.forms for item in candidates(text, setting)))


def _look_alikes(text: str) -> list[Span]:
    """What is shaped like a token or placeholder to somebody who does not see hidden characters."""
    hidden = not text.isascii() and _HIDDEN.search(text) is not None
    seen: Sequence[int] = [place for place in range(len(text)) if not _HIDDEN.match(text, place)] if hidden else range(len(text))
    shown = "".join(text[place] for place in seen) if hidden else text
    spans = [Span(seen[found.start], seen[found.end - 1] + 1, Source.LOOK_ALIKE, found=found) for found in tokens.find(shown)]
    placeholders = list(PLACEHOLDER.finditer(shown)) if "[" in shown else []
    if placeholders:
        closed = tokens.in_addresses(shown, (match.start() for match in placeholders))
        spans += [
            Span(seen[match.start()], seen[match.end() - 1] + 1, Source.LOOK_ALIKE, key=match.group())
            for match, in_address in zip(placeholders, closed, strict=True)
            if not in_address
        ]
    return spans


#: What an overlap is taken for: the first of these that takes part.
_STRICTNESS = (Source.SCRUB, Source.VALUE, Source.NAME, Source.PERSON, Source.LOOK_ALIKE, Source.HIDDEN)


def united(spans: Iterable[Span]) -> list[Span]:
    """The spans in order; those that overlap become their union, of the strictest kind among them."""
    united: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if united and span.start < united[-1].end:
            united[-1] = _union(united[-1], span)
        else:
            united.append(span)
    return united


def _union(left: Span, right: Span) -> Span:
    strict = min(left, right, key=lambda span: (_STRICTNESS.index(span.source), span.value is None))
    whole = replace(strict, start=min(left.start, right.start), end=max(left.end, right.end))
    if Source.HIDDEN in (left.source, right.source) or (whole.start, whole.end) == (strict.start, strict.end):
        return whole
    # Letters of something else were taken in: it is no longer just that person's name, or just that look-alike.
    return replace(whole, bearers=(), value=None, found=None)


# --- whose it is -------------------------------------------------------------------------------------------------------------------------


def decide_question(
    spans: Sequence[Span], thread: ThreadMap, *, chosen: Mapping[tuple[int, int], tuple[Entity, ...]], bearers_of: Mapping[str, tuple[Bearer, ...]]
) -> tuple[list[Decided], list[Choice]]:
    """Whom the member's own words mean, and the mentions that have several possible bearers.

    ``chosen`` are the member's own choices by span; ``bearers_of`` says who bears a phone, e-mail or id. Only what the member may see is meant;
    more than ``GROUP`` candidates stay undecided and must be asked for.
    """
    decided, choices = [], []
    for span in spans:
        if (span.start, span.end) in chosen:
            decided.append(Decided(replace(span, source=Source.MENTION), chosen[span.start, span.end]))
            continue
        if span.found is not None and (entity := _named(span.found.token, thread)) is not None:
            decided.append(Decided(replace(span, source=Source.TOKEN), (entity,), span.found.field))
            continue
        candidates = _candidates(span.bearers or bearers_of.get(span.value or "", ()), thread)
        if len(candidates) > 1:
            choices.append(Choice(span.start, span.end, candidates))
        meant = candidates if len(candidates) <= GROUP else ()
        field = _field(span, meant)
        decided.append(Decided(span, meant if field or span.source is Source.NAME else (), field))
    return decided, choices


def _named(token: Token, thread: ThreadMap) -> Entity | None:
    """Whom a token that the member typed stands for; also one that is erased, so that it travels as what it was."""
    entry = thread.entries.get(token)
    return thread.entity_of(token) or (entry.entity if entry is not None else None)


def _candidates(bearers: Iterable[Bearer], thread: ThreadMap) -> tuple[Entity, ...]:
    visible = {bearer.entity for bearer in bearers if bearer.visible and bearer.entity != NOBODY}
    others = visible - {thread.asker} or visible
    present = {entity for entity in others if entity != thread.asker and thread.token_of(entity) is not None}
    return tuple(sorted(present or others, key=lambda entity: (entity.kind, entity.id)))


def _field(span: Span, entities: Sequence[Entity]) -> str | None:
    """The handle's field when a value stands for its bearers; ``None`` for names, and where a kind has no such field."""
    if span.sort is None or not entities:
        return None
    fields = {_FIELDS.get(span.sort, {}).get(entity.kind) for entity in entities}
    return fields.pop() if len(fields) == 1 else None


def decide_text(spans: Sequence[Span], own: Sequence[Entity]) -> list[Decided]:
    """Whom somebody else's words mean: the row's own people first, else the only bearer in the whole tenant, else nobody."""
    return [Decided(span, _bound(span.bearers, own)) for span in spans]


def _bound(bearers: Sequence[Bearer], own: Sequence[Entity]) -> tuple[Entity, ...]:
    known = [bearer for bearer in bearers if bearer.entity != NOBODY]
    fitting = [bearer for bearer in known if bearer.entity in own]
    meant = fitting or [bearer for bearer in known if not bearer.fuzzy]
    if len(meant) < len(known) and not fitting:
        return ()
    return (meant[0].entity,) if len(meant) == 1 and meant[0].visible else ()


# --- what must be minted, and how it travels ---------------------------------------------------------------------------------------------


def needs_of(decided: Iterable[Decided], thread: ThreadMap) -> Needs:
    """The tokens, reservations and aliases that these spans need and the thread does not have."""
    mint: dict[Entity, None] = {}
    reserve: dict[Token, None] = {}
    alias: dict[str, None] = {}
    for item in decided:
        for entity in item.entities:
            if thread.token_of(entity) is None:
                mint[entity] = None
        found = item.span.found
        if item.span.source is not Source.LOOK_ALIKE:
            continue
        if found is not None and found.token not in thread.entries:
            reserve[found.token] = None
        elif found is None or thread.entries[found.token].state is not State.RESERVED:
            alias[_written(item.span)] = None
    return Needs(tuple(mint), tuple(reserve), tuple(alias))


def _written(span: Span) -> str:
    """A look-alike as its reader sees it."""
    return span.found.surface if span.found is not None else span.key


def render(text: str, decided: Iterable[Decided], thread: ThreadMap, setting: Setting, numbering: Numbering) -> list[Mark]:
    """The marks of a text that has not left yet. All that ``needs_of`` named must be in the thread; what is not travels masked."""
    aliases = {entry.literal: str(token) for token, entry in thread.entries.items() if entry.state is State.LITERAL}
    marks = []
    for item in decided:
        rendering = _rendering(item, thread, setting, numbering, aliases)
        marks.append(Mark(item.span.start, item.span.end, rendering, item.span.source, item.entities, item.field, fuzzy=item.fuzzy))
    return settled(text, marks, setting.words.code)


def _rendering(item: Decided, thread: ThreadMap, setting: Setting, numbering: Numbering, aliases: Mapping[str | None, str]) -> str:
    span = item.span
    tokens_of = [thread.token_of(entity) for entity in item.entities]
    if tokens_of and all(tokens_of):
        suffix = f".{item.field}" if item.field else ""
        return "|".join(f"{token}{suffix}" for token in tokens_of)
    if span.source is Source.HIDDEN:
        return ""
    if span.sort is not None:
        return setting.placeholders[span.sort]
    if span.source is Source.LOOK_ALIKE:
        entry = thread.entries.get(span.found.token) if span.found is not None else None
        if entry is not None and entry.state is State.RESERVED:
            return _written(span)
        return aliases.get(_written(span), setting.words.code)
    return setting.words.numbered(numbering[span.key])
