"""Who bears which form: what was looked up in the CRM for a text, and what a thread knows, read as one."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from re import compile as compile_plain
from typing import NamedTuple

from veil import lexicon
from veil.tokens import Entity, EntityId, Kind

#: Fewest letters of each part of names that are written together.
PART = 3
#: Lengths of words that may be several names written together; longer ones are no names.
TOGETHER = range(2 * PART, 50)


#: Beginnings of names that are also written as words of their own.
APART = frozenset({"mc", "mac"})
PEOPLE = frozenset({Kind.CONTACT, Kind.MEMBER})
_PARTICLES = tuple(sorted(lexicon.PARTICLES))
#: Those that can open a surname; the others are articles and conjunctions.
_LEADING = tuple(particle for particle in _PARTICLES if len(particle) > 1 and particle not in {"al", "el", "la", "las", "le", "los", "zu"})
#: Particles between the parts of a name.
_INNER = compile_plain(rf"(?:{'|'.join(sorted(_PARTICLES, key=len, reverse=True))})*")


class Bearer(NamedTuple):
    """An entity that bears a form, and whether the asking member may see it now."""

    entity: Entity
    visible: bool
    fuzzy: bool = False  # the word is only like a form of theirs
    asked: bool = True  # whether they may be seen; of very many bearers it is not


#: First and last word of a text, and the form that they make.
Phrase = tuple[int, int, str]
Touched = tuple[Phrase, tuple[Bearer, ...]]

#: Stands for people whom a thread has masked without knowing who they are.
NOBODY = Entity(Kind.CONTACT, EntityId(0))


class Index:
    """Who bears a form. Several indexes can be read as one with ``|``."""

    def __init__(self, bearers: Mapping[str, Sequence[Bearer]] | None = None) -> None:
        self._bearers = {form: tuple(found) for form, found in (bearers or {}).items()}
        self._longer: dict[str, list[frozenset[str]]] | None = None  # the other words of those of several, by the first

    def __getitem__(self, form: str) -> tuple[Bearer, ...]:
        return self._bearers.get(form, ())

    def found(self, phrases: Iterable[Phrase]) -> list[Touched]:
        """The phrases of a text that somebody bears, with those who do."""
        bearers = self._bearers
        return [(phrase, bearers[phrase[2]]) for phrase in phrases if phrase[2] in bearers]

    def of_all(self, words: Sequence[str]) -> tuple[Bearer, ...]:
        """Who bears each of these words."""
        first, *others = (self[word] for word in words)
        return tuple(bearer for bearer in first if all(any(bearer.entity == other.entity for other in bearers) for bearers in others))

    def __or__(self, other: "Index") -> "Index":
        """Both; where both know an entity, the left one says whether it is visible, unless it was not asked."""
        if not (self and other):
            return self or other
        both = Index()
        both._bearers = self._bearers | other._bearers
        for form in self._bearers.keys() & other._bearers.keys():
            theirs = {bearer.entity for bearer in other._bearers[form]}
            ours = tuple(bearer for bearer in self._bearers[form] if bearer.asked or bearer.entity not in theirs)
            known = {bearer.entity for bearer in ours}
            both._bearers[form] = ours + tuple(bearer for bearer in other._bearers[form] if bearer.entity not in known)
        return both

    def __bool__(self) -> bool:
        return bool(self._bearers)

    def seen(self, visible: Container[Entity]) -> "Index":
        """The same forms, with what may be seen of their bearers."""
        return Index({form: [bearer._replace(visible=bearer.entity in visible) for bearer in bearers] for form, bearers in self._bearers.items()})

    def glued(self, word: str) -> tuple[Bearer, ...]:
        """Whose names a word is written together out of ("otonielibarrola", "mariadelacruz"); with a part that is not theirs it is only like one."""
        found: dict[Entity, Bearer] = {}
        for start in (0, *led(word)):
            for end in range(start + PART, len(word) - PART + 1):
                if first := self._bearers.get(word[start:end]):
                    found |= self._glued_behind(first, word[start:], end - start)
            if start and not found and not _is_given(word[start:]):
                found |= {bearer.entity: bearer._replace(fuzzy=True) for bearer in self[word[start:]] if bearer.entity.kind in PEOPLE}
        found.pop(NOBODY, None)
        return tuple(found.values())

    def _glued_behind(self, first: Sequence[Bearer], word: str, end: int) -> dict[Entity, Bearer]:
        """Those among the bearers of the first letters of a word, who bear its last ones as well."""
        found: dict[Entity, Bearer] = {}
        for begin in range(end, len(word) - PART + 1):
            if not (others := {bearer.entity for bearer in self[word[begin:]]}):
                continue
            theirs = {bearer.entity for form in _cores(word[end:begin]) for bearer in self[form]}
            whole = _INNER.fullmatch(word, end, begin) is not None
            alike = end + len(word) - begin > begin - end  # more of it is theirs than not
            for bearer in first:
                if bearer.entity in others and (whole or bearer.entity in theirs or (alike and bearer.entity.kind in PEOPLE)):
                    known = found.get(bearer.entity)
                    fuzzy = bearer.fuzzy or not (whole or bearer.entity in theirs)
                    found[bearer.entity] = bearer._replace(fuzzy=fuzzy and (known is None or known.fuzzy))
        return found

    def forms(self) -> Iterator[tuple[str, Kind]]:
        """Every form with the kinds of those who bear it."""
        for form, bearers in self._bearers.items():
            for kind in {bearer.entity.kind for bearer in bearers}:
                yield form, kind

    def may_touch(self, words: AbstractSet[str]) -> bool:
        """Whether a form is among these words, or all the words of one, or one that may be written as two."""
        if not (self._bearers.keys().isdisjoint(words) and APART.isdisjoint(words)):
            return True
        if self._longer is None:
            longer: dict[str, list[frozenset[str]]] = {}
            for form in self._bearers:
                first, *others = form.split(" ")
                if others:
                    longer.setdefault(first, []).append(frozenset(others))
            self._longer = longer
        return any(others <= words for first in self._longer.keys() & words for others in self._longer[first])

    def may_begin(self, beginnings: AbstractSet[str]) -> bool:
        """Whether one of these beginnings of words is a form."""
        return not self._bearers.keys().isdisjoint(beginnings)


def led(word: str) -> Sequence[int]:
    """Where a word may begin behind the particles of a surname that are written together with it ("delacruz")."""
    if not word.startswith(_LEADING):
        return ()
    places: set[int] = set()
    new = {len(particle) for particle in _LEADING if word.startswith(particle)}
    while new:
        places |= new
        new = {place + len(particle) for place in new for particle in _PARTICLES if word.startswith(particle, place)} - places
    return sorted(place for place in places if len(word) - place >= PART)


def _cores(middle: str) -> Iterator[str]:
    """What may be a part of a name between particles that are written together with it."""
    for end in range(len(middle), PART - 1, -1):
        if _INNER.fullmatch(middle, end):
            yield from (middle[start:end] for start in (0, *led(middle)))


def _is_given(word: str) -> bool:
    return word in lexicon.GIVEN and word not in lexicon.SURNAMES
