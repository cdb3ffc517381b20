"""Names in a text: which spans are whose, by whole words only.

A *form* is a folded whole name, alias or single word of a name. Which forms exist, and who bears them, an ``Index`` says: the CRM's own (looked
up in Postgres for this text) together with the thread's map. The rules of what counts as a mention are section 2 of the design:

* strong: two or more words of one entity's name in a row, or one word of three letters or more that is no common word;
* weak: a common or short word; it counts only where the text shows that a person is meant.

Nothing here depends on which letters a name has, beyond what the literal tables say of its words (law 1).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from typing import NamedTuple

from veil import lexicon, traits
from veil.bearers import NOBODY, PEOPLE, Bearer, Index, Phrase, Touched
from veil.page import Page
from veil.phrases import Gap, Text
from veil.places import Places
from veil.strangers import Strangers
from veil.tokens import Entity, Kind
from veil.weak import Weak

_THINGS = frozenset({Kind.INBOX, Kind.CAMPAIGN})
#: Thousands of pesos, in the street.
_SLANG = frozenset({"lucas"})
_NO_NAME = traits.COMMON | traits.PARTICLE
#: Between the words of a company's name, beside "&".
_AND = frozenset({"and", "y", "e", "i", "und"})
_LEGAL_WORDS = frozenset(word for form in lexicon.LEGAL_FORMS for word in form.split())
#: Most words of a legal form.
_LEGAL = max(form.count(" ") + 1 for form in lexicon.LEGAL_FORMS)


class Reading(Enum):
    """Whose text it is; decides how far weak forms are followed."""

    QUESTION = auto()  # the member's own words
    TEXT = auto()  # anybody else's


@dataclass(frozen=True, slots=True)
class NameSpan:
    """A mention: ``text[start:end]``. Without bearers it is a person whom nobody knows, or not for sure."""

    start: int
    end: int
    key: str  # the folded words, equal for equal names
    bearers: tuple[Bearer, ...] = ()
    known: bool = False  # a form of the index is in it


class _Hit(NamedTuple):
    """Words ``first..last`` of the text are a form of the bearer."""

    first: int
    last: int
    form: str
    bearer: Bearer
    nickname: bool = False  # the text has a short form of it: counts only beside another word of the name


class _Run(NamedTuple):
    """Words ``first..last`` belong to one name; ``weight`` counts its words that match."""

    first: int
    last: int
    weight: int
    whole: bool
    bearers: tuple[Bearer, ...]
    known: bool = True  # a form of the index is in it


def find(text: str, index: Index, *, reading: Reading, present: frozenset[Entity] = frozenset(), cut: Text | None = None) -> list[NameSpan]:
    """The mentions of a text, in order, without overlaps; ``present`` are the entities that the thread already knows."""
    return _Finder(text, cut or Text(text), index, reading, present).find()


class _Finder(Page):
    """One text being read."""

    def __init__(self, text: str, cut: Text, index: Index, reading: Reading, present: frozenset[Entity]) -> None:
        super().__init__(text, cut)
        self._index = index
        self._reading = reading
        self._present = present
        self._places = Places(text, cut)
        self._weak = Weak(text, cut)

    def find(self) -> list[NameSpan]:
        """All mentions, unknown persons included."""
        runs = self._with_strangers(self._accepted(self._unplaced(_longest(self._runs())))) if self._index else []
        covered = {word for run in runs for word in range(run.first, run.last + 1)}
        strangers = Strangers(self.text, self.cut, self._places, asked=self._reading is Reading.QUESTION).find(covered)
        runs += [_Run(first, last, 1, False, (), known=False) for first, last in strangers]
        return [self._span(run) for run in sorted(runs, key=lambda run: run.first)]

    def _span(self, run: _Run) -> NameSpan:
        first, last = self.words[run.first], self.words[run.last]
        key = " ".join(word.form for word in self.words[run.first : run.last + 1])
        dotted = len(last.form) == 1 and self.text[last.start - 1 : last.start] == "." and self.text[last.end : last.end + 1] == "."
        return NameSpan(first.start, last.end + dotted, key, run.bearers, run.known)  # the dot of "S.A." is part of it

    # --- runs of words that belong to one entity -------------------------------------------------------------------------------------

    def _runs(self) -> list[_Run]:
        found: dict[tuple[int, int, bool], list[_Run]] = {}
        for run in (*self._phrase_runs(), *self._word_runs()):
            found.setdefault((run.first, run.last, run.whole), []).append(run)
        return [_together(runs) for runs in found.values()]

    def _phrase_runs(self) -> Iterator[_Run]:
        """Words that together are a whole name, or were one when they were masked."""
        for (first, last, _), bearers in self._index.found(self.cut.phrases()):
            weight = sum(not trait & traits.PARTICLE for trait in self.traits[first : last + 1])
            yield _Run(first, last, max(weight, 1), any(bearer.entity != NOBODY for bearer in bearers), bearers)

    def _word_runs(self) -> Iterator[_Run]:
        """Words of a name, alone or in a row, and names written together."""
        touched = [*self._index.found(self.cut.units()), *self._inflected, *self._joint.values()]
        chained = self._chained(touched)
        for phrase, bearers in touched:
            if alone := tuple(bearer for bearer in bearers if bearer.entity not in chained) if chained else bearers:
                yield _Run(phrase[0], phrase[1], 1 + (phrase in self._joint), False, alone)
        for hits in chained.values():
            yield from self._chains(hits)

    @cached_property
    def _inflected(self) -> list[Touched]:
        """The words that are somebody's name but for a letter of grammar."""
        found = self._index.found(self.cut.inflected)
        return [(phrase, people) for phrase, bearers in found if (people := _misspelt(bearers)) and not self._index[self.cut.glued(*phrase[:2])]]

    @cached_property
    def _joint(self) -> dict[Phrase, Touched]:
        """The words that are written together out of several of somebody's."""
        phrases = [phrase for phrase in self.cut.joint if not self._index[phrase[2]]]
        return {phrase: (phrase, bearers) for phrase in phrases if (bearers := self._index.glued(phrase[2]))}

    def _chained(self, touched: Sequence[Touched]) -> dict[Entity, list[_Hit]]:
        """What the text has of entities of whose names it has several words; most have one only."""
        nicknames = list(self._nickname_hits()) if touched else []
        if len(touched) < 2 and not nicknames:
            return {}
        seen: set[Entity] = set()
        several: set[Entity] = set()
        for entities in (*({bearer.entity for bearer in bearers} for _, bearers in touched), {hit.bearer.entity for hit in nicknames}):
            several |= seen & entities
            seen |= entities
        several.discard(NOBODY)
        hits: dict[Entity, list[_Hit]] = {}
        for (first, last, form), bearers in touched if several else ():
            for bearer in bearers:
                if bearer.entity in several:
                    hits.setdefault(bearer.entity, []).append(_Hit(first, last, form, bearer))
        for hit in nicknames:
            if hit.bearer.entity in several:
                hits[hit.bearer.entity].append(hit)
        return hits

    def _nickname_hits(self) -> Iterator[_Hit]:
        for index, trait in enumerate(self.traits):
            for formal in lexicon.NICKNAMES[self.words[index].form] if trait & traits.NICKNAME else ():
                for bearer in self._index.of_all(formal.split()):
                    if bearer.entity.kind in PEOPLE:
                        yield _Hit(index, index, formal, bearer, nickname=True)

    def _chains(self, hits: list[_Hit]) -> Iterator[_Run]:
        """The hits of one entity, joined where they stand in a row."""
        hits = sorted(hits, key=lambda hit: (hit.first, -hit.last))
        chain: list[_Hit] = []
        for hit in hits:
            if chain and hit.first <= chain[-1].last:
                continue  # within the longer form before
            if chain and not self._continues(chain, hit):
                yield from self._run(chain)
                chain = []
            chain.append(hit)
        if chain:
            yield from self._run(chain)

    def _run(self, chain: list[_Hit]) -> Iterator[_Run]:
        """The run of a chain; a nickname alone is nobody's. Beside another word of the name, a surname with its particles is no more only like it."""
        if all(hit.nickname for hit in chain):
            return
        joint = sum(hit[:3] in self._joint for hit in chain) if self._joint else 0
        fuzzy = any(hit.bearer.fuzzy and not (len(chain) > 1 and hit[:3] in self._joint) for hit in chain)
        bearer = chain[0].bearer._replace(fuzzy=fuzzy)
        yield _Run(chain[0].first, chain[-1].last, len(chain) + joint, False, (bearer,))

    def _continues(self, chain: list[_Hit], hit: _Hit) -> bool:
        if any(known.form == hit.form for known in chain):
            return False
        between = range(chain[-1].last + 1, hit.first)
        company = hit.bearer.entity.kind is Kind.COMPANY
        if len(between) > 3 or not all(self.transparent(word) or (company and self.words[word].form in _AND) for word in between):
            return False
        gaps = [self.cut.gap(word) for word in range(chain[-1].last + 1, hit.first + 1) if not (company and self.cut.between(word).strip() == "&")]
        commas = gaps.count(Gap.COMMA) + sum(self.cut.gap(word) is Gap.COMMA for word in range(chain[0].first + 1, chain[-1].last + 1))
        return all(gap in (Gap.SOFT, Gap.COMMA) for gap in gaps) and commas <= 1

    # --- which of them count as mentions ---------------------------------------------------------------------------------------------

    def _unplaced(self, runs: list[_Run]) -> list[_Run]:
        """The runs without single words that name a street, a town or an amount here.

        Whom the thread knows, or this text names elsewhere, is not among them: once minted, none of their strong forms may leave.
        """
        placed = [run for run in runs if self._may_be_place(run) and (self._places.holds(run.first, run.last) or self._is_slang(run))]
        if not placed:
            return runs
        named = {bearer.entity for run in runs if run not in placed for bearer in run.bearers}
        kept = [run for run in placed if not self.traits[run.first] & traits.COMMON and any(bearer.entity in named for bearer in run.bearers)]
        return [run for run in runs if run not in placed or run in kept]

    def _is_slang(self, run: _Run) -> bool:
        """Whether it is money: "5 lucas"."""
        word = self.words[run.first]
        return word.form in _SLANG and not word.upper and self.text[max(word.start - 2, 0) : word.start].strip().isdigit()

    def _may_be_place(self, run: _Run) -> bool:
        if not run.bearers:  # words of several people
            return True
        common = self.traits[run.first] & traits.COMMON
        return run.weight == 1 and bool(common or self._present.isdisjoint(bearer.entity for bearer in run.bearers))

    def _accepted(self, runs: list[_Run]) -> list[_Run]:
        strong = [self._strong_kinds(run) for run in runs]
        sure = {bearer.entity for run, kinds in zip(runs, strong, strict=True) for bearer in run.bearers if bearer.entity.kind in kinds}
        named = {word for run, kinds in zip(runs, strong, strict=True) if kinds for word in range(run.first, run.last + 1)}
        accepted = []
        for run, kinds in zip(runs, strong, strict=True):
            weak = {bearer.entity.kind for bearer in run.bearers} - kinds
            if weak:
                kinds |= {kind for kind in weak if self._is_meant(run, kind, named)}
                met = self._met(run, sure)
                run = run._replace(bearers=tuple(bearer for bearer in run.bearers if bearer.entity.kind in kinds or bearer.entity in met))
            if run.bearers or not weak:  # without bearers: names of several people that overlap
                accepted.append(run)
        return accepted

    def _strong_kinds(self, run: _Run) -> set[Kind]:
        """For which kinds of bearers these words are a strong form."""
        places = range(run.first, run.last + 1)
        common = all(self.traits[place] & _NO_NAME or len(self.words[place].form) < 2 for place in places)
        if run.weight == 1 and len(places) > 1 and all(len(self.words[place].form) == 1 for place in places):  # spelt letter by letter
            common = lexicon.is_common("".join(self.words[place].form for place in places))
        strong = run.weight > 1 or (not common and sum(len(self.words[place].form) for place in places) > 2)
        allowed = {
            **dict.fromkeys(PEOPLE, strong),
            **dict.fromkeys(_THINGS, run.whole and len(places) > 1),
            Kind.COMPANY: strong and not common,
        }
        return {kind for bearer in run.bearers if allowed[kind := bearer.entity.kind]}

    def _is_meant(self, run: _Run, kind: Kind, named: set[int]) -> bool:
        """Whether a weak form is a mention here, whoever bears it."""
        if kind in _THINGS:
            return self._reading is Reading.QUESTION and run.first == run.last and self.cued(run.first, traits.THING_CUES)
        if kind is Kind.COMPANY:  # of one word only with a capital: "trabajo en casa" is no company
            plain = run.whole or run.weight > 1 or self.words[run.first].upper
            shown = self.cued(run.first, traits.COMPANY_CUES) or self._legal_end(run.last) > run.last
            return (plain and shown) or self.cut.quoted(run.first, run.last)
        return self._weak.means_person(run.first, run.last, named)

    def _met(self, run: _Run, sure: set[Entity]) -> set[Entity]:
        """Whom a weak form means because the question or the text is about them anyway."""
        met = self._present if self._reading is Reading.QUESTION else frozenset()
        return {entity for entity in (met | sure if self.words[run.first].upper else met) if entity.kind in PEOPLE}

    # --- words beside a mention ------------------------------------------------------------------------------------------------------

    def _with_strangers(self, runs: list[_Run]) -> list[_Run]:
        """The mentions, each with the name words that stand beside it: "María Soto" is not the María López whom we know."""
        runs = sorted(runs, key=lambda run: run.first)
        taken = {word for run in runs for word in range(run.first, run.last + 1)}
        grown = [self._grown(run, taken) if self._is_person(run) else run for run in map(self._with_legal_form, runs)]
        merged: list[_Run] = []
        for run in grown:
            if merged and self._is_one_name(merged[-1], run):
                merged[-1] = _united(merged[-1], run)
            else:
                merged.append(run)
        return merged

    def _is_person(self, run: _Run) -> bool:
        return not run.bearers or run.bearers[0].entity.kind in PEOPLE

    def _with_legal_form(self, run: _Run) -> _Run:
        """A company with the legal form behind it, however it is written ("Ferrer & Asociados SL"): then nobody else is meant."""
        if (last := self._legal_end(run.last)) == run.last:
            return run
        companies = tuple(bearer for bearer in run.bearers if bearer.entity.kind is Kind.COMPANY)
        return run._replace(last=last, bearers=companies) if companies else run

    def _legal_end(self, last: int) -> int:
        """The last word of the legal forms that stand right behind a word; those that are words, too ("me"), have a capital."""
        if last + 1 == len(self.words) or self.words[last + 1].form not in _LEGAL_WORDS:
            return last
        for end in range(min(last + _LEGAL, len(self.words) - 1), last, -1):
            gaps = [self.cut.gap(word) is Gap.SOFT or self.cut.between(word) == ", " for word in range(last + 1, end + 1)]
            words = self.cut.joined(last + 1, end)
            if self.cut.between(last + 1).strip() == "&":
                gaps[0], words = True, f"y {words}"
            plain = self.words[end].upper or not self.traits[end] & traits.COMMON
            if plain and all(gaps) and words in lexicon.LEGAL_FORMS:
                return self._legal_end(end)
        return last

    def _grown(self, run: _Run, taken: set[int]) -> _Run:
        first, last = run.first, run.last
        while (before := self.before(first)) >= 0 and before not in taken and self._extends_left(before, first):
            first = before
        genitive = self._inflected and any(phrase[1] == last for phrase, _ in self._inflected)
        while not genitive and (after := self._after(last)) not in taken and self._extends_right(after, last):
            last = after
        bearers = run.bearers if run.weight > 1 or (first, last) == (run.first, run.last) else ()
        around = self.with_initials(first, last, taken)
        if run.weight == 1 and any(len(self.words[word].form) == 1 for word in {*around} - {first, last}):
            bearers = _misspelt(bearers)  # "A. Pérez" is like Ana Pérez, and may be another
        return run._replace(first=around[0], last=around[1], bearers=bearers)

    def _after(self, index: int) -> int:
        """The word behind a name, particles that make a surname aside ("Maria Luiza da Rosa")."""
        after = index + 1
        while after - index <= 2 and self.joins(after - 1, after) and self.is_of_surname(after):
            after += 1
        return after

    def _extends_right(self, index: int, last: int) -> bool:
        if not all(self.joins(word, word + 1) for word in range(last, index)) or index in self._places.address:
            return False
        named = self.is_name_like(index) or self.is_surname_like(index) or self.is_double(index)
        if not named and index > last + 1:
            return self.opens_surname(index - 1) and self.is_unheard(index)
        return named or self.is_small_name(index) or self.is_unheard(index) or self._ends_cued(index, last)

    def _ends_cued(self, index: int, first: int) -> bool:
        """Whether a word that no table knows follows the name of somebody of whom a cue says so ("mi padre, amaia bengoetxea, ...")."""
        unheard = not self.traits[index] & (traits.COMMON | traits.PARTICLE) and len(self.words[index].form) > 3
        return unheard and not self.joins(index, index + 1) and self.cued(first, traits.NAMING_CUES)

    def _extends_left(self, index: int, before: int) -> bool:
        """Whether a word is the given name of what follows; at the start of a sentence a word that no table knows only before a surname."""
        if index in self._places.address:
            return False
        opens = self.cut.gap(index) is Gap.SENTENCE
        surname = self.traits[before] & (traits.SURNAME | traits.GIVEN) == traits.SURNAME
        named = self.is_name_like(index) or self.is_small_name(index) or (self.is_surname_like(index) and not opens)
        return named or (self.is_unheard(index) and (not opens or (surname and before == index + 1)))

    def _is_one_name(self, left: _Run, right: _Run) -> bool:
        """Whether two mentions that touch are one name of somebody else."""
        if right.first <= left.last:
            return True
        between = range(left.last + 1, right.first)
        if len(between) > 3 or not all(self.is_particle(word) for word in between):
            return False
        if any(self.cut.gap(word) is not Gap.SOFT for word in (*between, right.first)):
            return False
        return left.weight == 1 and right.weight == 1 and self.words[left.last].upper and self.words[right.first].upper


def _misspelt(bearers: Iterable[Bearer]) -> tuple[Bearer, ...]:
    """The people among these, of whose names the word is only like one."""
    return tuple(bearer._replace(fuzzy=True) for bearer in bearers if bearer.entity.kind in PEOPLE)


def _together(runs: list[_Run]) -> _Run:
    """Runs over the same words as one, with all who bear them."""
    if len(runs) == 1:
        return runs[0]
    bearers = {bearer.entity: bearer for run in runs for bearer in run.bearers}
    return runs[0]._replace(weight=max(run.weight for run in runs), bearers=tuple(bearers.values()))


def _longest(runs: list[_Run]) -> list[_Run]:
    """The longest exact form first; what lies within a longer one is dropped, what overlaps it is united with it."""
    if len(runs) < 2:
        return runs
    chosen: dict[int, _Run] = {}  # by each of its words
    for run in sorted(runs, key=lambda run: (-run.weight, -run.whole, run.first - run.last, run.first)):
        over = {id(other): other for word in range(run.first, run.last + 1) if (other := chosen.get(word)) is not None}
        if any(other.first <= run.first and run.last <= other.last for other in over.values()):
            continue
        for other in over.values():
            run = _united(run, other)
        chosen |= dict.fromkeys(range(run.first, run.last + 1), run)
    return list({id(run): run for run in chosen.values()}.values())


def _united(left: _Run, right: _Run) -> _Run:
    """One span of two: whoever bears both words is meant, else it is a name that nobody bears."""
    common = {bearer.entity for bearer in left.bearers} & {bearer.entity for bearer in right.bearers}
    bearers = tuple(bearer for bearer in left.bearers if bearer.entity in common)
    return _Run(min(left.first, right.first), max(left.last, right.last), left.weight + right.weight, False, bearers)
