"""Names in a text: which spans are whose, by whole words only.

A *form* is a folded whole name, alias or single word of a name. Which forms exist, and who bears them, an ``Index`` says: the CRM's own (looked
up in Postgres for this text) together with the thread's map. The rules of what counts as a mention are section 2 of the design:

* strong: two or more words of one entity's name in a row, or one word of three letters or more that is no common word;
* weak: a common or short word; it counts only where the text shows that a person is meant.

Nothing here depends on which letters a name has, beyond what the literal tables say of its words (law 1).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto

from veil import lexicon
from veil.bearers import NOBODY, TOGETHER, Bearer, Index
from veil.fold import Word
from veil.phrases import Gap, Text
from veil.tokens import Entity, Kind

_PEOPLE = frozenset({Kind.CONTACT, Kind.MEMBER})
_THINGS = frozenset({Kind.INBOX, Kind.CAMPAIGN})
#: Particles that also mean "and": they part two names as often as they join one.
_AND = frozenset({"y", "e", "i"})


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


@dataclass(frozen=True, slots=True)
class _Hit:
    """Words ``first..last`` of the text are a form of the bearer."""

    first: int
    last: int
    form: str
    bearer: Bearer


@dataclass(frozen=True, slots=True)
class _Run:
    """Words ``first..last`` belong to one name; ``weight`` counts its words that match."""

    first: int
    last: int
    weight: int
    whole: bool
    bearers: tuple[Bearer, ...]
    known: bool = True  # a form of the index is in it


def find(
    text: str, index: Index, *, reading: Reading, present: frozenset[Entity] = frozenset(), cut: Text | None = None
) -> list[NameSpan]:
    """The mentions of a text, in order, without overlaps; ``present`` are the entities that the thread already knows."""
    return _Finder(text, cut or Text(text), index, reading, present).find()


class _Finder:
    """One text being read."""

    def __init__(self, text: str, cut: Text, index: Index, reading: Reading, present: frozenset[Entity]) -> None:
        self._text = text
        self._cut = cut
        self._words = cut.words
        self._index = index
        self._reading = reading
        self._present = present

    def find(self) -> list[NameSpan]:
        """All mentions, unknown persons included."""
        runs = self._accepted(_longest(self._runs()))
        runs = self._with_strangers(runs)
        covered = {word for run in runs for word in range(run.first, run.last + 1)}
        runs += self._unknown(covered)
        return [self._span(run) for run in sorted(runs, key=lambda run: run.first)]

    def _span(self, run: _Run) -> NameSpan:
        first, last = self._words[run.first], self._words[run.last]
        key = " ".join(word.form for word in self._words[run.first : run.last + 1])
        return NameSpan(first.start, last.end, key, run.bearers, run.known)

    # --- runs of words that belong to one entity -------------------------------------------------------------------------------------

    def _runs(self) -> list[_Run]:
        hits: dict[Entity, list[_Hit]] = {}
        found: dict[tuple[int, int, bool], list[_Run]] = {}
        for first, last, form in self._cut.units():
            bearers = self._index[form]
            for bearer in bearers:
                hits.setdefault(bearer.entity, []).append(_Hit(first, last, form, bearer))
            if not bearers and first == last and len(form) in TOGETHER and (together := self._index.glued(form)):
                found.setdefault((first, last, False), []).append(_Run(first, last, 2, False, together))
        for first, last, form in self._cut.phrases():
            if bearers := self._index[form]:
                weight = sum(word.form not in lexicon.PARTICLES for word in self._words[first : last + 1])
                whole = any(bearer.entity != NOBODY for bearer in bearers)
                found.setdefault((first, last, whole), []).append(_Run(first, last, max(weight, 1), whole, bearers))
        for entity, entity_hits in hits.items():
            for run in self._chains(entity_hits) if entity != NOBODY else map(self._run, ([hit] for hit in entity_hits)):
                found.setdefault((run.first, run.last, False), []).append(run)
        return [_together(runs) for runs in found.values()]

    def _chains(self, hits: list[_Hit]) -> Iterator[_Run]:
        """The hits of one entity, joined where they stand in a row."""
        hits = sorted(hits, key=lambda hit: (hit.first, -hit.last))
        chain: list[_Hit] = []
        for hit in hits:
            if chain and hit.first <= chain[-1].last:
                continue  # within the longer form before
            if chain and not self._continues(chain, hit):
                yield self._run(chain)
                chain = []
            chain.append(hit)
        if chain:
            yield self._run(chain)

    def _run(self, chain: list[_Hit]) -> _Run:
        return _Run(chain[0].first, chain[-1].last, len(chain), False, (chain[0].bearer,))

    def _continues(self, chain: list[_Hit], hit: _Hit) -> bool:
        if any(known.form == hit.form for known in chain):
            return False
        between = range(chain[-1].last + 1, hit.first)
        if len(between) > 3 or not all(self._transparent(word) for word in between):
            return False
        gaps = [self._cut.gap(word) for word in range(chain[-1].last + 1, hit.first + 1)]
        commas = gaps.count(Gap.COMMA) + sum(
            self._cut.gap(word) is Gap.COMMA for word in range(chain[0].first + 1, chain[-1].last + 1)
        )
        return all(gap in (Gap.SOFT, Gap.COMMA) for gap in gaps) and commas <= 1

    def _transparent(self, index: int) -> bool:
        word = self._words[index]
        if word.form in _AND and not word.upper:
            return False
        return word.form in lexicon.PARTICLES or len(word.form) == 1

    # --- which of them count as mentions ---------------------------------------------------------------------------------------------

    def _accepted(self, runs: list[_Run]) -> list[_Run]:
        strong = [run for run in runs if any(self._is_strong(run, bearer) for bearer in run.bearers)]
        sure = frozenset(bearer.entity for run in strong for bearer in run.bearers if self._is_strong(run, bearer))
        neighbours = {index for run in strong for index in (run.first - 1, run.last + 1)}
        accepted = []
        for run in runs:
            if not run.bearers:  # names of several people that overlap
                accepted.append(run)
                continue
            bearers = tuple(
                bearer for bearer in run.bearers if self._is_strong(run, bearer) or self._is_meant(run, bearer, sure, neighbours)
            )
            if bearers:
                accepted.append(replace(run, bearers=bearers))
        return accepted

    def _is_strong(self, run: _Run, bearer: Bearer) -> bool:
        words = [word.form for word in self._words[run.first : run.last + 1]]
        common = all(lexicon.is_common(word) or word in lexicon.PARTICLES or len(word) < 2 for word in words)
        if bearer.entity.kind in _THINGS:
            return run.whole and len(words) > 1
        if bearer.entity.kind is Kind.COMPANY and common:
            return False
        return run.weight > 1 or (not common and len("".join(words)) > 2)

    def _is_meant(self, run: _Run, bearer: Bearer, sure: frozenset[Entity], neighbours: set[int]) -> bool:
        """Whether a weak form is a mention here."""
        if bearer.entity.kind in _THINGS:
            return self._reading is Reading.QUESTION and run.first == run.last and self._cued(run, lexicon.THING_CUES)
        if bearer.entity.kind is Kind.COMPANY:
            return self._cued(run, lexicon.COMPANY_CUES) or self._cut.quoted(run.first, run.last, self._text)
        word = self._words[run.first]
        if self._reading is Reading.QUESTION and bearer.entity in self._present:
            return True
        if self._is_person_cued(run) or self._is_alone(run):
            return True
        if not word.upper:
            return False
        if bearer.entity in sure or run.first in neighbours or self._beside_name(run):
            return True
        if lexicon.is_place(word.form) or lexicon.is_month(word.form):
            return False
        return self._in_mid_sentence(run.first) or self._acts(run)

    def _is_alone(self, run: _Run) -> bool:
        """Whether the text is nothing but this name."""
        return run.first == 0 and run.last == len(self._words) - 1 and self._words[0].upper

    def _beside_name(self, run: _Run) -> bool:
        return any(
            self._is_name_like(index) and self._cut.gap(max(index, run.first)) is Gap.SOFT for index in (run.first - 1, run.last + 1)
        )

    def _in_mid_sentence(self, index: int) -> bool:
        """Whether a capital here is a choice of the writer: not at the start of a sentence, nor among capitals only."""
        if self._cut.gap(index) is Gap.SENTENCE:
            return False
        word = self._words[index]
        around = [self._words[near] for near in (index - 1, index + 1) if 0 <= near < len(self._words)]
        return not (word.capitals and any(near.capitals for near in around))

    def _acts(self, run: _Run) -> bool:
        """Whether a given name at the start of a sentence is followed by what somebody does ("Rosa compró una rosa")."""
        following = run.last + 1
        if self._words[run.first].form not in lexicon.GIVEN or following >= len(self._words):
            return False
        word = self._words[following]
        return self._cut.gap(following) is Gap.SOFT and not word.upper and lexicon.is_action(word.form)

    def _is_person_cued(self, run: _Run) -> bool:
        return self._cued(run, lexicon.PERSON_CUES) or self._cued(run, lexicon.TITLE_CUES)

    def _cued(self, run: _Run, phrases: frozenset[tuple[str, ...]]) -> bool:
        """Whether a cue stands right before, articles and particles aside."""
        before = run.first
        for _ in range(4):
            bridged = before == run.first and (self._cut.after_colon(before) or self._cut.after_sign_off(before))
            if before < 1 or (self._cut.gap(before) in (Gap.HARD, Gap.SENTENCE) and not bridged):
                return False
            for length in range(1, 5):
                if before >= length and tuple(word.form for word in self._words[before - length : before]) in phrases:
                    return True
            if self._words[before - 1].form not in lexicon.PARTICLES:
                return False
            before -= 1
        return False

    # --- people whom nobody knows ----------------------------------------------------------------------------------------------------

    def _is_name_like(self, index: int) -> bool:
        """A capitalised word that is a name of people in general, though perhaps of nobody in this CRM."""
        if not 0 <= index < len(self._words):
            return False
        word = self._words[index]
        return word.upper and len(word.form) > 1 and lexicon.is_person_name(word.form) and not lexicon.is_month(word.form)

    def _with_strangers(self, runs: list[_Run]) -> list[_Run]:
        """The mentions, each with the name words that stand beside it: "María Soto" is not the María López whom we know."""
        runs = sorted(runs, key=lambda run: run.first)
        taken = {word for run in runs for word in range(run.first, run.last + 1)}
        grown = [self._grown(run, taken) if self._is_person(run) else run for run in runs]
        merged: list[_Run] = []
        for run in grown:
            if merged and self._is_one_name(merged[-1], run):
                merged[-1] = _united(merged[-1], run)
            else:
                merged.append(run)
        return merged

    def _is_person(self, run: _Run) -> bool:
        return not run.bearers or run.bearers[0].entity.kind in _PEOPLE

    def _grown(self, run: _Run, taken: set[int]) -> _Run:
        first, last = run.first, run.last
        while first - 1 not in taken and self._is_name_like(first - 1) and self._cut.gap(first) is Gap.SOFT:
            first -= 1
        while last + 1 not in taken and last + 1 < len(self._words) and self._cut.gap(last + 1) is Gap.SOFT and self._extends(last + 1):
            last += 1
        if (first, last) == (run.first, run.last):
            return run
        return replace(run, first=first, last=last, bearers=run.bearers if run.weight > 1 else ())

    def _extends(self, index: int) -> bool:
        word = self._words[index]
        unheard = word.upper and not word.capitals and len(word.form) > 2 and not lexicon.is_common(word.form)
        return self._is_name_like(index) or unheard

    def _is_one_name(self, left: _Run, right: _Run) -> bool:
        """Whether two mentions that touch are one name of somebody else."""
        if right.first <= left.last:
            return True
        if right.first != left.last + 1 or self._cut.gap(right.first) is not Gap.SOFT:
            return False
        return left.weight == 1 and right.weight == 1 and self._words[left.last].upper and self._words[right.first].upper

    def _unknown(self, covered: set[int]) -> list[_Run]:
        """Persons by capitalised full names, and by one name after a cue."""
        found = []
        index = 0
        while index < len(self._words):
            last = self._name_end(index, covered)
            run = _Run(index, last, 1, False, (), known=False)
            if self._is_full(run) or (self._is_single(index, covered) and (self._is_person_cued(run) or self._is_telling(run))):
                found.append(run)
            index = last + 1
        return found

    def _is_full(self, run: _Run) -> bool:
        return run.last > run.first and not self._is_address(run) and not lexicon.is_place(self._cut.joined(run.first, run.last))

    def _is_telling(self, run: _Run) -> bool:
        """Whether one word is a name and nothing else: in the lists of names, and no common word."""
        return self._is_name_like(run.first) and not lexicon.is_common(self._words[run.first].form) and not self._is_address(run)

    def _is_single(self, index: int, covered: set[int]) -> bool:
        word = self._words[index]
        return index not in covered and word.upper and len(word.form) > 2 and not self._is_plain_word(word)

    def _is_plain_word(self, word: Word) -> bool:
        return lexicon.is_common(word.form) and not lexicon.is_person_name(word.form)

    def _name_end(self, first: int, covered: set[int]) -> int:
        """The last word of the full name that begins here, or ``first`` when none does."""
        if first in covered:
            return first
        if not self._is_name_like(first):
            return self._small_name_end(first, covered)
        last, ahead, count, listed = first, first + 1, 1, 1
        while ahead < len(self._words) and ahead not in covered and self._cut.gap(ahead) is Gap.SOFT and ahead - last <= 3:
            word = self._words[ahead]
            if word.upper and len(word.form) > 1 and not self._is_plain_word(word) and not lexicon.is_month(word.form):
                last, count = ahead, count + 1
                listed += lexicon.is_person_name(word.form)
            elif not self._transparent(ahead):
                break
            ahead += 1
        return last if count > 1 and (listed > 1 or not lexicon.is_common(self._words[first].form)) else first

    def _small_name_end(self, first: int, covered: set[int]) -> int:
        """The last word of a name written small: two words or more, a given name first, all of them names and nothing else."""
        if self._words[first].form not in lexicon.GIVEN:
            return first
        last, ahead = first - 1, first
        while ahead < len(self._words) and ahead not in covered and ahead - last <= 3 and (ahead == first or self._cut.gap(ahead) is Gap.SOFT):
            form = self._words[ahead].form
            if lexicon.is_person_name(form) and not lexicon.is_common(form):
                last = ahead
            elif last < first or not self._transparent(ahead):
                break
            ahead += 1
        return max(last, first)

    def _is_address(self, run: _Run) -> bool:
        return self._cued(run, lexicon.ADDRESS_CUES)


def _together(runs: list[_Run]) -> _Run:
    """Runs over the same words as one, with all who bear them."""
    bearers = {bearer.entity: bearer for run in runs for bearer in run.bearers}
    return replace(runs[0], weight=max(run.weight for run in runs), bearers=tuple(bearers.values()))


def _longest(runs: list[_Run]) -> list[_Run]:
    """The longest exact form first; what lies within a longer one is dropped, what overlaps it is united with it."""
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
