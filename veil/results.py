"""A tool's typed result as the model gets it: each field crosses as its class says, and the whole is capped after veiling.

``ResultVeil`` holds one result through the steps of ``veil.veiling``; the caller mints between ``needs`` and ``rendered``::

    veil = ResultVeil(result, setting)
    index, borne = … look up veil.forms() and veil.candidates() …
    veil.read(index, thread, borne)
    … mint veil.needs(thread) …
    text = veil.rendered(thread)
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from itertools import islice
from typing import Any

import regex

from veil import fuzzy, scrub, tokens, veiling
from veil.bearers import Index
from veil.fields import Aside, FreeText, Personal, Ref, Rows, fields_of
from veil.names import Reading
from veil.payload import canonical
from veil.phrases import Text
from veil.scrub import Hit, Region, Sort
from veil.text import Clear, Marked, Veiled
from veil.thread import ThreadMap
from veil.tokens import Entity, EntityId
from veil.values import SHORTEST, Values
from veil.veiling import Decided, Needs, Numbering, Setting

#: Most characters of one result (section 4.9 of the design).
LONGEST = 4_000
#: Lengths to which the free texts of a result are cut, one after the other, until it fits.
_CUTS = (800, 400, 200, 100, 40)
#: Words of one text that are veiled: more than ``LONGEST`` characters hold, since every word is followed by a space.
_WORDS = 1_500
#: A run without spaces that is longer is an encoded file or an attack; the text ends before it.
_LONGEST_RUN = 4_000
_RUN = regex.compile(r"\S+")
_BRACKET = regex.compile(r"\[[^\[\]]{1,40}\]")
_CUT_MARK = "…"


@dataclass(slots=True)
class _FreeString:
    """One free text of the result, through the pass."""

    text: str
    own: tuple[Entity, ...]
    cut: Text
    earlier: str
    later: str
    decided: Sequence[Decided] = ()
    hits: Sequence[Hit] = ()
    veiled: str = ""


class ResultVeil:
    """One result of a tool on its way to the model."""

    def __init__(self, result: object, setting: Setting) -> None:
        self._result = result
        self._setting = setting
        self._strings: dict[tuple[int, str, int], _FreeString] = {}
        self._refs: dict[Entity, None] = {}
        self._truncated = False
        self._known: tuple[Index, Values] | None = None  # what the texts were last read with
        for row in _rows(result):
            self._collect(row)

    def forms(self) -> set[str]:
        """All that is to be looked up in the CRM."""
        return {form for string in self._strings.values() for form in string.cut.forms()}

    def cuts(self) -> list[Text]:
        """Its free texts, cut into words."""
        return [string.cut for string in self._strings.values()]

    def doubtful(self, index: Index) -> set[str]:
        """The words that may be misspelt names, now that ``index`` says which are names."""
        return {word for string in self._strings.values() for word in fuzzy.doubtful(string.cut, index, Reading.TEXT)}

    def candidates(self) -> set[tuple[Sort, str]]:
        """The forms of all that may be somebody's phone or id, to be looked up as well."""
        return {form for string in self._strings.values() for item in veiling.candidates(string.text, self._setting) for form in item.forms}

    def refs(self) -> tuple[Entity, ...]:
        """The entities that the result names by id, in order of appearance."""
        return tuple(self._refs)

    def read(self, index: Index, thread: ThreadMap, borne: Collection[str]) -> None:
        """Find and decide the spans of every free text; again after something was minted, where its names or values stand."""
        before, both = self._known, index | thread.names
        self._known = both, thread.values
        if before is None:
            for string in self._strings.values():
                string.hits = _hits(string, self._setting.region)
        for string in self._strings.values():
            if before is not None and not veiling.has_news(string.text, string.cut, before, self._known):
                continue
            spans = veiling.read(string.text, both, thread, self._setting, reading=Reading.TEXT, cut=string.cut, borne=borne, hits=string.hits)
            string.decided = veiling.decide_text(spans, string.own)

    def needs(self, thread: ThreadMap) -> Needs:
        """What must be minted, reserved and aliased before this result may leave."""
        parts = [veiling.needs_of(string.decided, thread) for string in self._strings.values()]
        mint = dict.fromkeys(entity for entity in self._refs if thread.token_of(entity) is None)
        mint |= dict.fromkeys(entity for part in parts for entity in part.mint)
        return Needs(
            tuple(mint),
            tuple(dict.fromkeys(token for part in parts for token in part.reserve)),
            tuple(dict.fromkeys(literal for part in parts for literal in part.alias)),
        )

    def rendered(self, thread: ThreadMap) -> Veiled:
        """The result as canonical JSON, cut to ``LONGEST`` characters; ``truncated`` says whether anything is missing."""
        numbering = Numbering()
        for string in self._strings.values():
            marks = veiling.render(string.text, string.decided, thread, self._setting, numbering)
            string.veiled = Marked.of(Clear(string.text), marks, "").veiled().text
        body = self._crossed(self._result, thread)
        return Veiled(_fitted({**body, "truncated": True} if self._truncated else body))

    def _collect(self, row: Any) -> None:
        for field in fields_of(type(row)):
            value = getattr(row, field.name)
            if isinstance(field.crossing, Ref):
                for number in _several(value):
                    self._refs[Entity(field.crossing.kind, EntityId(number))] = None
            if isinstance(field.crossing, FreeText):
                own = tuple(_own(row, field.crossing))
                earlier, later = _beside(row, field.crossing.earlier), _beside(row, field.crossing.later)
                for place, whole in enumerate(_several(value)):
                    text = _beginning(whole)
                    self._truncated |= len(text) < len(whole)
                    self._strings[id(row), field.name, place] = _FreeString(text, own, Text(text), earlier, later)

    def _crossed(self, row: Any, thread: ThreadMap) -> dict[str, Any]:
        crossing = [field for field in fields_of(type(row)) if not isinstance(field.crossing, Aside)]
        return {field.name: self._cross(row, field.name, field.crossing, thread) for field in crossing}

    def _cross(self, row: Any, name: str, crossing: Any, thread: ThreadMap) -> Any:
        value = getattr(row, name)
        if isinstance(crossing, Rows):
            return [self._crossed(inner, thread) for inner in value]
        if isinstance(crossing, Ref):
            references = [_token(Entity(crossing.kind, EntityId(number)), thread) for number in _several(value)]
            return references if isinstance(value, tuple) else (references[0] if references else None)
        if isinstance(crossing, Personal):
            return self._handle(row, name, crossing, thread) if value else None
        if isinstance(crossing, FreeText):
            veiled = [self._strings[id(row), name, place].veiled for place, _ in enumerate(_several(value))]
            return veiled if isinstance(value, tuple) else (veiled[0] if veiled else None)
        return _plain(value)

    def _handle(self, row: Any, name: str, crossing: Personal, thread: ThreadMap) -> str | None:
        owner = next(field for field in fields_of(type(row)) if field.name == crossing.of)
        if not isinstance(owner.crossing, Ref) or getattr(row, crossing.of) is None:
            return None
        return f"{_token(Entity(owner.crossing.kind, EntityId(getattr(row, crossing.of))), thread)}.{name}"


def _beside(row: Any, name: str | None) -> str:
    """The text of an ``Aside``, as far as it could ever be shown."""
    return _beginning(getattr(row, name) or "") if name else ""


def _hits(string: _FreeString, region: Region) -> Sequence[Hit]:
    """What the detectors find in a text, also in what its writer cut over it and the one before or after."""
    hits = scrub.find(string.text, region)
    if string.earlier:
        hits += scrub.find_cut(string.earlier, string.text, region)[1]
    if string.later:
        hits += scrub.find_cut(string.text, string.later, region)[0]
    return scrub.merge(hits)


def _rows(row: Any) -> Iterator[Any]:
    yield row
    for field in fields_of(type(row)):
        if isinstance(field.crossing, Rows):
            for inner in getattr(row, field.name):
                yield from _rows(inner)


def _own(row: Any, crossing: FreeText) -> Iterator[Entity]:
    refs = {field.name: field.crossing for field in fields_of(type(row))}
    for name in crossing.people:
        ref = refs[name]
        if isinstance(ref, Ref) and getattr(row, name) is not None:
            yield Entity(ref.kind, EntityId(getattr(row, name)))


def _several(value: Any) -> tuple[Any, ...]:
    """One value, several or none, as several."""
    if value is None:
        return ()
    return value if isinstance(value, tuple) else (value,)


def _token(entity: Entity, thread: ThreadMap) -> str:
    token = thread.token_of(entity)
    if token is None:
        raise LookupError(f"a {entity.kind} of this result was not minted")
    return str(token)


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return value.isoformat(timespec="minutes")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


def dump(body: Any) -> str:
    """JSON in one form only, in which the border of the data envelope cannot stand."""
    text = canonical(body).decode()
    return text.replace("<", "\\u003c").replace(">", "\\u003e")


def _beginning(text: str) -> str:
    """As much of a text as could ever be shown, cut by its count of words, which is the same whatever anybody is called."""
    words = [match.span() for match in islice(_RUN.finditer(text), _WORDS + 1)]
    end = words[_WORDS][0] if len(words) > _WORDS else len(text)
    cut = end
    for start, stop in words[:_WORDS]:
        if stop - start > _LONGEST_RUN:
            cut = start
            break
    return text[: min(end, cut)]


def _fitted(body: dict[str, Any]) -> str:
    """The result within ``LONGEST``: free texts are shortened first, then the last rows go, and ``returned`` says how many are left."""
    text = dump(body)
    for length in _CUTS:
        if len(text) <= LONGEST:
            return text
        body = {**_shortened(body, length), "truncated": True}
        text = dump(body)
    while len(text) > LONGEST and (lists := [value for value in body.values() if isinstance(value, list) and value]):
        max(lists, key=lambda rows: len(dump(rows))).pop()
        if "returned" in body and len(lists) == 1:
            body["returned"] = len(lists[0])
        text = dump(body)
    return text if len(text) <= LONGEST else dump({"truncated": True})


def _shortened(value: Any, length: int) -> Any:
    if isinstance(value, dict):
        return {key: _shortened(inner, length) for key, inner in value.items()}
    if isinstance(value, list):
        return [_shortened(inner, length) for inner in value]
    return shorten(value, length) if isinstance(value, str) else value


def shorten(veiled: str, length: int) -> str:
    """The beginning of a veiled text, cut at ``length`` or before it, never inside a token or placeholder."""
    if len(veiled) <= length:
        return veiled
    end = length
    spans = [(found.start, found.end) for found in tokens.find(veiled)] + [match.span() for match in _BRACKET.finditer(veiled)]
    for start, stop in sorted(spans, reverse=True):
        if start < end < stop:
            end = start
    cut = veiled[:end].rstrip()
    whole = {start for start, _ in spans}
    while (found := tokens.find(cut + _CUT_MARK)) and found[-1].start not in whole:  # what is a token only because it was cut
        cut = cut[: found[-1].start].rstrip()
    return cut + _CUT_MARK


def leaves(text: str, *, keys: bool = False) -> Iterator[str]:
    """The strings in a veiled JSON text that are values (with ``keys`` also its keys); the text itself where it is no object or list."""
    body = _parsed(text)
    if body is None:
        yield text
    else:
        yield from _leaf_strings(body, keys)


def with_leaves(text: str, replaced: Mapping[str, str]) -> str:
    """The text with these strings of ``leaves`` replaced; byte for byte the same when it holds none of them."""
    if set(leaves(text, keys=True)).isdisjoint(replaced):
        return text
    body = _parsed(text)
    return replaced[text] if body is None else dump(_walk(body, replaced))


def canonical_object(text: str) -> str:
    """A JSON object in the one form of ``dump``, so that masking a string in it later changes that string only.

    Anything else becomes ``{}``: some servers refuse a history whose arguments are no JSON object, and the thread would be stuck.
    """
    body = _parsed(text)
    return dump(body) if isinstance(body, dict) else "{}"


def _parsed(text: str) -> dict[str, Any] | list[Any] | None:
    """The object or list that a text is in JSON. One that says a key twice is read differently by everybody, so it counts as plain text."""
    try:
        body = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict | list) else None


def _no_number(written: str) -> None:
    """NaN and infinities are no JSON, though Python reads them."""
    raise ValueError(written)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    body = dict(pairs)
    if len(body) < len(pairs):
        raise ValueError("a key stands twice")
    return body


def _leaf_strings(body: Any, keys: bool) -> Iterator[str]:
    if isinstance(body, str):
        yield body
    elif isinstance(body, int | float) and not isinstance(body, bool) and len(str(body)) >= SHORTEST:
        yield str(body)  # a personal number that came without quotes
    elif isinstance(body, Mapping):
        if keys:
            yield from body
        for inner in body.values():
            yield from _leaf_strings(inner, keys)
    elif isinstance(body, list):
        for inner in body:
            yield from _leaf_strings(inner, keys)


def _walk(body: Any, replaced: Mapping[str, str]) -> Any:
    if isinstance(body, dict):
        return {replaced.get(key, key): _walk(inner, replaced) for key, inner in body.items()}
    if isinstance(body, list):
        return [_walk(inner, replaced) for inner in body]
    if isinstance(body, str | int | float) and not isinstance(body, bool) and str(body) in replaced:
        return replaced[str(body)]
    return body
