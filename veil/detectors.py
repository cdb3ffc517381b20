"""The second net: people whom neither the CRM nor the tables know, seen by a detector that reads a text as a whole.

A detector is asked only about what the first net (``veil.names``, ``veil.scrub``) has left. It reads the text with a neutral stand-in wherever
something was found, so that what it says cannot depend on how anybody known is called (law 1), and what it says is followed only where the
tables do not speak against it: no common word by itself, no place, no address, no amount. So it can add masks and never changes a token.
``veil.ner`` is the detector that comes with ``velo[ner]``; any other with these two members fits as well.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from typing import NamedTuple, Protocol

import regex

from veil import lexicon, traits
from veil.bearers import Bearer
from veil.fold import UNSEEN
from veil.names import NameSpan
from veil.page import Page
from veil.phrases import Gap, Text
from veil.places import Places
from veil.text import Source
from veil.tokens import Kind

#: Version of the rules of this module; part of what marks carry while a detector is on.
_RULES = 1
#: How sure a detector must be (shares of 1; set on whole corpora, ``docs/privacy.md`` has what they came to):
#: of a word written like a name,
_LIKELY = 0.5
#: of one that stands beside a name,
_BESIDE = 0.4
#: of one that stands alone,
_ALONE = 0.8
#: and of words written small without a cue.
_SURE = 0.9

#: What follows a street, or stands before what is counted ("16 lucas").
_NUMBER_AFTER = regex.compile(r"[ \t]?,?[ \t]{0,2}(?:n[.º°o]{1,2}[ \t]?|#[ \t]?)?\d", regex.IGNORECASE)
_NUMBER_BEFORE = regex.compile(r"\d[ \t]?$")


_NO_NAME = traits.COMMON | traits.PARTICLE
_NEVER = traits.MONTH | traits.TITLE


class Sighting(NamedTuple):
    """``text[start:end]`` is part of the name of a person; ``score`` says how sure that is (0 to 1)."""

    start: int
    end: int
    score: float


class Detector(Protocol):
    """Finds names of people in a text. The same text must always give the same sightings."""

    @property
    def version(self) -> str:
        """What it is and which one of it: marks carry it, without spaces."""
        ...

    def find(self, text: str) -> Sequence[Sighting]:
        """The sightings of a text of any length, in order; a word may be seen in several pieces, each with its own score."""
        ...


class Found(Protocol):
    """What the first net has found: a span of the text, what it is and who bears it (``veil.veiling.Span``)."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def source(self) -> Source: ...
    @property
    def bearers(self) -> Sequence[Bearer]: ...


class _What(Enum):
    KNOWN = auto()  # somebody of the CRM
    STRANGER = auto()  # a person whom nobody knows, perhaps not seen whole
    OTHER = auto()  # a company, a phone, an id, a look-alike
    UNSEEN = auto()  # characters that nobody sees


_PERSONS = (_What.KNOWN, _What.STRANGER)
_STAND_INS = {_What.KNOWN: "María García", _What.STRANGER: "María García", _What.OTHER: "0", _What.UNSEEN: ""}


class _Piece(NamedTuple):
    start: int
    end: int
    what: _What


def _piece(span: Found) -> _Piece:
    what = {Source.PERSON: _What.STRANGER, Source.HIDDEN: _What.UNSEEN}.get(span.source, _What.OTHER)
    if span.source is Source.NAME and span.bearers and span.bearers[0].entity.kind in (Kind.CONTACT, Kind.MEMBER):
        what = _What.KNOWN
    return _Piece(span.start, span.end, what)


def version(detector: Detector) -> str:
    """The version of the second net with this detector."""
    return f"{detector.version}.{_RULES}"


def find(text: str, cut: Text, found: Iterable[Found], detector: Detector) -> list[NameSpan]:
    """The people of a text whom only the detector sees; a name that the first net saw in part is given whole.

    ``found`` is in order and without overlaps.
    """
    net = _Net(text, cut, [_piece(span) for span in found])
    return net.find(detector) if net.may_find() else []


class _Shown(NamedTuple):
    """The text as the detector reads it; piece ``n`` of the text itself begins at ``starts[n]`` in it, and at ``origins[n]`` there."""

    text: str
    starts: list[int]
    origins: list[int]
    ends: list[int]

    def places(self, sighting: Sighting) -> Iterator[int]:
        """The places of the text itself that a sighting covers; stand-ins have none."""
        piece = max(bisect_right(self.starts, sighting.start) - 1, 0)
        while piece < len(self.starts) and self.starts[piece] < sighting.end:
            origin = self.origins[piece] - self.starts[piece]
            yield from range(origin + max(sighting.start, self.starts[piece]), min(origin + sighting.end, self.ends[piece]))
            piece += 1


def _shown(text: str, known: Sequence[_Piece]) -> _Shown:
    pieces: list[str] = []
    shown = _Shown("", [], [], [])
    length = position = 0
    for start, end, stand_in in (*((item.start, item.end, _STAND_INS[item.what]) for item in known), (len(text), len(text), "")):
        shown.starts.append(length)
        shown.origins.append(position)
        shown.ends.append(start)
        pieces += (text[position:start], stand_in)
        length += start - position + len(stand_in)
        position = end
    return shown._replace(text="".join(pieces))


class _Net(Page):
    """One text, with what was found in it and how sure the detector is of each word that is left."""

    def __init__(self, text: str, cut: Text, known: Sequence[_Piece]) -> None:
        super().__init__(text, cut)
        self._known = known
        self._starts = [item.start for item in known]
        self._taken = [self._found_in(word.start, word.end) for word in self.words]
        self._scores = [0.0] * len(self.words)
        self._places = Places(text, cut)

    def may_find(self) -> bool:
        """Whether any word could be a name at all; most short messages have none, and the detector is slow."""
        return any(self._may_open(index) or self._may_join(index) for index in range(len(self.words)))

    def find(self, detector: Detector) -> list[NameSpan]:
        self._read(detector)
        names = {index for index in range(len(self.words)) if self._may_open(index) and self._scores[index] >= self._needed(index)}
        self._grow(names)
        found = [(first, last) for first, last in self._runs(names) if self._stands(first, last, names)]
        return [self._span(first, last) for first, last in (*found, *self._again(found))]

    def _read(self, detector: Detector) -> None:
        """Score the words: what the detector says of their letters, on average."""
        shown = _shown(self.text, self._known)
        sure = [0.0] * len(self.text)
        for sighting in detector.find(shown.text):
            for place in shown.places(sighting):
                sure[place] = max(sure[place], sighting.score)
        self._scores = [sum(sure[word.start : word.end]) / (word.end - word.start) for word in self.words]

    # --- single words ----------------------------------------------------------------------------------------------------------------

    def _found_in(self, start: int, end: int) -> _What | None:
        place = bisect_right(self._starts, end - 1) - 1
        return self._known[place].what if place >= 0 and self._known[place].end > start else None

    def _is_open(self, index: int) -> bool:
        return self._taken[index] is None and len(self.words[index].form) > 1 and not self.traits[index] & _NEVER

    def _may_open(self, index: int) -> bool:
        """Whether a word may be a name by itself: written like one and no common word, or small and in no table of words."""
        if not self._is_open(index):
            return False
        if self.words[index].upper:
            return self.traits[index] & (traits.COMMON | traits.NAME) != traits.COMMON and not self.is_acronym(index)
        return not self.traits[index] & traits.COMMON

    def _may_join(self, index: int) -> bool:
        """Whether a word may belong to a name beside it, common words too ("María Blanco")."""
        return self._is_open(index) and self.words[index].upper and (self._is_person(index - 1) or self._is_person(index + 1))

    def _needed(self, index: int) -> float:
        return _LIKELY if self.words[index].upper else _BESIDE

    def _is_person(self, index: int) -> bool:
        return 0 <= index < len(self.words) and self._taken[index] in _PERSONS

    # --- names of several words ------------------------------------------------------------------------------------------------------

    def _grow(self, names: set[int]) -> None:
        """Take in the words beside a name that are part of it, first those that follow, then those before."""
        for index in range(1, len(self.words)):
            if self._grows(index, self._before(index), index, names):
                names.add(index)
        for index in range(len(self.words) - 2, -1, -1):
            opens = self.cut.gap(index) is Gap.SENTENCE and not self.cut.after_colon(index)
            if not opens and self._grows(index, index + 1, index + 1, names):
                names.add(index)

    def _before(self, index: int) -> int:
        """The word before, small particles aside."""
        before = index - 1
        while before > 0 and self.is_particle(before) and self.joins(before - 1, before):
            before -= 1
        return before

    def _grows(self, index: int, beside: int, joint: int, names: set[int]) -> bool:
        """Whether a word is one with the name beside it; a new line between the two parts them."""
        if index in names or not self._is_open(index) or not self.words[index].upper or self._scores[index] < _BESIDE:
            return False
        near = self._is_person(beside) or beside in names
        return near and self.words[beside].upper and self.cut.gap(joint) is Gap.SOFT and not self.cut.breaks_line(joint)

    def _runs(self, names: set[int]) -> Iterator[tuple[int, int]]:
        """First and last words of each name, with what the first net saw of it if it knows nobody of that name."""
        last = -1
        for index in sorted(names):
            if index <= last:
                continue
            first = last = index
            while first > 0 and self.joins(first - 1, first) and self._taken[first - 1] is _What.STRANGER:
                first -= 1
            while (following := self._following(last, names)) > last:
                last = following
            yield first, last

    def _following(self, last: int, names: set[int]) -> int:
        """The next word of the name that ``last`` belongs to; ``last`` itself when it ends there."""
        following = last + 1
        while following - last < 3 and self.joins(following - 1, following) and following not in names and self.is_particle(following):
            following += 1
        part = following in names or (following < len(self.words) and self._taken[following] is _What.STRANGER)
        if not part or not self.joins(following - 1, following):
            return last
        alike = self.words[following].upper is self.words[last].upper
        return following if alike or not UNSEEN.sub("", self.cut.between(following)) else last

    def _again(self, found: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Further places of a word that is a name in this text, however it is written there; no common word."""
        seen = {index for first, last in found for index in range(first, last + 1)}
        forms = {self.words[index].form for index in seen if not self.traits[index] & _NO_NAME}
        for index, word in enumerate(self.words):
            if word.form in forms and index not in seen and self._is_open(index) and not self._is_address(index, index):
                yield index, index

    # --- what speaks against it ------------------------------------------------------------------------------------------------------

    def _stands(self, first: int, last: int, names: set[int]) -> bool:
        """Whether nothing that must stay is touched and, of few words, the detector is sure enough."""
        new = [index for index in range(first, last + 1) if index in names]
        lone = new[0] if len(new) == 1 else None
        if self._is_address(first, last) or self._is_counted(first):
            return False
        if not self.words[new[0]].upper:
            cued = self.is_person_cued(first) and (lone is None or self._scores[lone] >= _ALONE)
            return cued or self._is_small_name_of_several(first, last, new)
        if lone is not None and self._is_shouted(lone):
            return False
        if self._is_beside_person(first, last):
            return True
        if lone is not None and (self._scores[lone] < _ALONE or self._is_goods(lone)):
            return False
        return not lexicon.is_place(self.cut.joined(first, last))

    def _is_beside_person(self, first: int, last: int) -> bool:
        inside = any(self._is_person(index) for index in range(first, last + 1))
        before = self._is_person(first - 1) and self.joins(first - 1, first)
        return inside or before or (self._is_person(last + 1) and self.joins(last, last + 1))

    def _is_small_name_of_several(self, first: int, last: int, new: Sequence[int]) -> bool:
        """Whether words written small without a cue are a name: in mid-sentence, one blank between, and the detector is sure of each."""
        if len(new) < 2 or len(new) <= last - first or self.cut.gap(first) is not Gap.SOFT or not self.text[self.words[first].start - 1].isspace():
            return False
        spaced = all(self.cut.between(index).isspace() for index in range(first + 1, last + 1))
        return spaced and all(self._scores[index] >= _SURE for index in new)

    def _is_goods(self, index: int) -> bool:
        """Whether a word for goods stands right before, so that the name is a brand's ("termo Stanley")."""
        return self.joins(index - 1, index) and bool(self.traits[index - 1] & traits.GOODS)

    def _is_shouted(self, index: int) -> bool:
        """Whether one word is all capitals among words that are not, and no cue says that it is a person ("con FOLFIRI")."""
        around = [self.words[near] for near in (index - 1, index + 1) if 0 <= near < len(self.words)]
        return self.words[index].capitals and not any(near.capitals for near in around) and not self.is_person_cued(index)

    def _is_address(self, first: int, last: int) -> bool:
        """Whether the words name a street or a town: by a cue, by what stands around, or by a number of a house right behind."""
        if self.cued(first, traits.ADDRESS_CUES) or self._places.holds(first, last):
            return True
        return self._is_number(_NUMBER_AFTER.match(self.text, self.words[last].end))

    def _is_counted(self, first: int) -> bool:
        start = self.words[first].start
        return self._is_number(_NUMBER_BEFORE.search(self.text, max(start - 2, 0), start))

    def _is_number(self, match: "regex.Match[str] | None") -> bool:
        """Whether a digit stands there that the first net has left."""
        return match is not None and not any(self._found_in(place, place + 1) for place in range(*match.span()) if self.text[place].isdigit())

    def _span(self, first: int, last: int) -> NameSpan:
        return NameSpan(self.words[first].start, self.words[last].end, self.cut.joined(first, last))
