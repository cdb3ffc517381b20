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
#: Words for a street that follow its name.
_STREETS = frozenset({"st", "street", "rd", "road", "ave", "avenue", "ln", "lane", "blvd", "boulevard", "drive", "ct", "court", "pl", "hwy"})
#: Longest word that counts as an acronym when it alone is in capitals.
_ACRONYM = 4
#: Letters that are words of their own ("and", "to", "or"): they part two names.
_VOWELS = frozenset("aeiouy")


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
        bearer = replace(chain[0].bearer, fuzzy=any(hit.bearer.fuzzy for hit in chain))
        return _Run(chain[0].first, chain[-1].last, len(chain), False, (bearer,))

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
        """Whether a word may stand inside a name: a particle or an initial. A small vowel alone is a word of its own ("y", "a", "o")."""
        word = self._words[index]
        if len(word.form) == 1:
            return word.upper or word.form not in _VOWELS
        return word.form in lexicon.PARTICLES

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
        if self._signs(run) or self._is_addressed(run):
            return True
        if bearer.entity in sure or run.first in neighbours or self._beside_name(run):
            return True
        if lexicon.is_place(word.form) or lexicon.is_month(word.form):
            return False
        return self._in_mid_sentence(run.first) or self._acts(run)

    def _is_alone(self, run: _Run) -> bool:
        """Whether the text is nothing but this name."""
        return run.first == 0 and run.last == len(self._words) - 1 and self._words[0].upper

    def _signs(self, run: _Run) -> bool:
        """Whether a name closes a text or a line and nothing joins it to what stands before: a signature."""
        before, after = self._cut.gap(run.first), run.last + 1
        last = after == len(self._words) or self._cut.breaks_line(after)
        return last and run.first > 0 and before in (Gap.SENTENCE, Gap.COMMA)

    def _is_addressed(self, run: _Run) -> bool:
        """Whether a given name opens a sentence and a comma follows ("Clara, su pago llegó")."""
        after = run.last + 1
        opens = self._cut.gap(run.first) is Gap.SENTENCE and after < len(self._words) and self._cut.gap(after) is Gap.COMMA
        return opens and self._words[run.first].form in lexicon.GIVEN

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
        listed = word.upper and len(word.form) > 1 and lexicon.is_person_name(word.form) and not lexicon.is_month(word.form)
        return listed and not self._is_acronym(index)

    def _is_acronym(self, index: int) -> bool:
        """Whether a short word is all capitals among words that are not ("más IVA")."""
        word = self._words[index]
        around = [self._words[near] for near in (index - 1, index + 1) if 0 <= near < len(self._words)]
        return word.capitals and len(word.form) <= _ACRONYM and bool(around) and not any(near.capitals for near in around)

    def _is_unheard(self, index: int) -> bool:
        """A capitalised word that no table knows: a rare name, beside another one."""
        word = self._words[index]
        return word.upper and not word.capitals and len(word.form) > 2 and not lexicon.is_common(word.form)

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
        while (before := self._before(first)) >= 0 and before not in taken and self._extends_left(before):
            first = before
        while last + 1 not in taken and self._joins(last, last + 1) and (self._is_name_like(last + 1) or self._is_unheard(last + 1)):
            last += 1
        bearers = run.bearers if run.weight > 1 or (first, last) == (run.first, run.last) else ()
        first, last = self._with_initials(first, last, taken)
        return replace(run, first=first, last=last, bearers=bearers)

    def _before(self, index: int) -> int:
        """The word before, particles aside ("Melissa da Rosa"); -1 where something else stands between."""
        before = index - 1
        while before > 0 and self._joins(before, before + 1) and self._is_particle(before):
            before -= 1
        return before if index - before <= 3 and self._joins(before, before + 1) else -1

    def _is_particle(self, index: int) -> bool:
        word = self._words[index]
        return word.form in lexicon.PARTICLES and not word.upper and word.form not in _VOWELS

    def _joins(self, left: int, right: int) -> bool:
        """Whether two neighbouring words stand together."""
        return left >= 0 and right < len(self._words) and self._cut.gap(right) is Gap.SOFT

    def _extends_left(self, index: int) -> bool:
        return self._is_name_like(index) or (self._is_unheard(index) and self._cut.gap(index) is not Gap.SENTENCE)

    def _with_initials(self, first: int, last: int, taken: set[int]) -> tuple[int, int]:
        """The name with the initials and particles that belong to it: "A. Pérez", "Ana P.", "sr. da Rocha"."""
        while first - 1 not in taken and self._joins(first - 1, first) and self._is_part(first - 1):
            first -= 1
        while last + 1 not in taken and self._joins(last, last + 1) and self._is_initial(last + 1):
            last += 1
        return first, last

    def _is_initial(self, index: int) -> bool:
        word = self._words[index]
        after = self._text[word.end : word.end + 2]
        within = after[:1] == "@" or (after[:1] == "." and after[1:].isalnum())  # the beginning of an address
        return len(word.form) == 1 and (word.upper or after[:1] == ".") and not within

    def _is_part(self, index: int) -> bool:
        """Whether a word before a name belongs to it: an initial, or a particle with a capital or behind a title."""
        word = self._words[index]
        titled = index > 0 and self._words[index - 1].form in lexicon.TITLES
        particle = len(word.form) > 1 and word.form in lexicon.PARTICLES and (word.upper or titled)
        return particle or (self._is_initial(index) and (self._cut.gap(index) is not Gap.SENTENCE or self._text[word.end : word.end + 1] == "."))

    def _is_one_name(self, left: _Run, right: _Run) -> bool:
        """Whether two mentions that touch are one name of somebody else."""
        if right.first <= left.last:
            return True
        between = range(left.last + 1, right.first)
        if len(between) > 3 or not all(self._is_particle(word) for word in between):
            return False
        if any(self._cut.gap(word) is not Gap.SOFT for word in (*between, right.first)):
            return False
        return left.weight == 1 and right.weight == 1 and self._words[left.last].upper and self._words[right.first].upper

    def _unknown(self, covered: set[int]) -> list[_Run]:
        """Persons by full names, by one name after a cue, and by a word that is a name and nothing else."""
        found = []
        index = 0
        while index < len(self._words):
            last = index
            if index not in covered:
                cued = self._is_single(index) and self._is_person_cued(_Run(index, index, 1, False, ()))
                last = self._name_end(index, covered, cued=cued)
                if cued or self._is_full(index, last) or self._is_telling(index):
                    first, last = self._with_initials(index, last, covered)
                    found.append(_Run(first, last, 1, False, (), known=False))
            index = last + 1
        return found

    def _is_full(self, first: int, last: int) -> bool:
        return last > first and not self._is_address(first, last) and not self._is_placed(first, last)

    def _is_telling(self, index: int) -> bool:
        """Whether one word is a name and nothing else: in the lists of names, and no common word; a surname not at the start of a sentence."""
        form = self._words[index].form
        alone = self._is_name_like(index) and not lexicon.is_common(form) and not self._is_address(index, index)
        given = form in lexicon.GIVEN or self._cut.gap(index) is not Gap.SENTENCE or self._cut.quoted(index, index, self._text)
        return alone and given and not self._is_placed(index, index)

    def _is_placed(self, first: int, last: int) -> bool:
        """Whether the words are a place, alone or with the word before ("San Diego")."""
        return lexicon.is_place(self._cut.joined(first, last)) or (first > 0 and lexicon.is_place(self._cut.joined(first - 1, last)))

    def _is_single(self, index: int) -> bool:
        """A word that a cue before it makes a name; written small only if it is a given name and nothing else."""
        word = self._words[index]
        if len(word.form) < 3 or self._is_plain_word(word):
            return False
        return word.upper or (word.form in lexicon.GIVEN and not lexicon.is_common(word.form))

    def _is_plain_word(self, word: Word) -> bool:
        return lexicon.is_common(word.form) and not lexicon.is_person_name(word.form)

    def _name_end(self, first: int, covered: set[int], *, cued: bool) -> int:
        """The last word of the full name that begins here, or ``first`` when none does."""
        if not (self._is_name_like(first) or (cued and self._words[first].upper) or self._opens_name(first)):
            return self._small_name_end(first, covered, cued=cued)
        last, ahead, listed = first, first + 1, int(self._is_name_like(first))
        while ahead < len(self._words) and ahead not in covered and self._cut.gap(ahead) is Gap.SOFT and ahead - last <= 3:
            word = self._words[ahead]
            if word.upper and len(word.form) > 1 and not lexicon.is_month(word.form) and self._may_follow(word):
                last = ahead
                listed += lexicon.is_person_name(word.form)
            elif not self._transparent(ahead):
                break
            ahead += 1
        return last if listed > 1 or not lexicon.is_common(self._words[first].form) else first

    def _may_follow(self, word: Word) -> bool:
        """Whether a capitalised word can be a surname: in the lists, also a common word; or no common word."""
        return word.form in lexicon.SURNAMES or word.form in lexicon.GIVEN or not lexicon.is_common(word.form)

    def _opens_name(self, index: int) -> bool:
        """A rare given name in mid-sentence, right before a surname ("Zoroastro Valdivieso")."""
        rare = self._is_unheard(index) and self._cut.gap(index) is not Gap.SENTENCE and not lexicon.is_place(self._words[index].form)
        return rare and self._joins(index, index + 1) and self._is_name_like(index + 1)

    def _small_name_end(self, first: int, covered: set[int], *, cued: bool) -> int:
        """The last word of a name written small: two words or more, a given name first, all of them names and nothing else.

        Behind a cue ("mi hermano anselmo rivas") its other words need not be in the lists, so long as they are no common words.
        """
        if self._words[first].form not in lexicon.GIVEN:
            return first
        last, ahead = first - 1, first
        while ahead < len(self._words) and ahead not in covered and ahead - last <= 3 and (ahead == first or self._cut.gap(ahead) is Gap.SOFT):
            form = self._words[ahead].form
            if not lexicon.is_common(form) and (lexicon.is_person_name(form) or (cued and len(form) > 2 and ahead - first < 4)):
                last = ahead
            elif last < first or not self._transparent(ahead):
                break
            ahead += 1
        return max(last, first)

    def _is_address(self, first: int, last: int) -> bool:
        """Whether the words name a street: behind a word for one, or before one ("Jackson Rd")."""
        behind = self._cued(_Run(first, last, 1, False, ()), lexicon.ADDRESS_CUES)
        return behind or (self._joins(last, last + 1) and self._words[last + 1].form in _STREETS)


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
