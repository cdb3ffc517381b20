"""Who bears which form: what was looked up in the CRM for a text, and what a thread knows, read as one."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from veil.tokens import Entity, EntityId, Kind

#: Fewest letters of each part of names that are written together.
PART = 3
#: Lengths of words that may be several names written together; longer ones are no names.
TOGETHER = range(2 * PART, 50)


class Bearer(NamedTuple):
    """An entity that bears a form, and whether the asking member may see it now."""

    entity: Entity
    visible: bool
    fuzzy: bool = False  # the word is only like a form of theirs


#: First and last word of a text, and the form that they make.
Phrase = tuple[int, int, str]
Touched = tuple[Phrase, tuple[Bearer, ...]]

#: Stands for people whom a thread has masked without knowing who they are.
NOBODY = Entity(Kind.CONTACT, EntityId(0))


class Index:
    """Who bears a form. Several indexes can be read as one with ``|``."""

    def __init__(self, bearers: Mapping[str, Sequence[Bearer]] | None = None) -> None:
        self._bearers = {form: tuple(found) for form, found in (bearers or {}).items()}
        self._beginnings: frozenset[str] | None = None

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
        """Both; where both know an entity, the left one says whether it is visible."""
        if not (self and other):
            return self or other
        both = Index()
        both._bearers = self._bearers | other._bearers
        for form in self._bearers.keys() & other._bearers.keys():
            known = {bearer.entity for bearer in self._bearers[form]}
            both._bearers[form] = self._bearers[form] + tuple(bearer for bearer in other._bearers[form] if bearer.entity not in known)
        return both

    def __bool__(self) -> bool:
        return bool(self._bearers)

    def seen(self, visible: Container[Entity]) -> "Index":
        """The same forms, with what may be seen of their bearers."""
        return Index({form: [bearer._replace(visible=bearer.entity in visible) for bearer in bearers] for form, bearers in self._bearers.items()})

    def glued(self, word: str, *, parts: int = 3) -> tuple[Bearer, ...]:
        """Who bears every part of a word that is written together out of two or three words of a name ("otonielibarrola")."""
        found: dict[Entity, Bearer] = {}
        for middle in range(PART, len(word) - PART + 1):
            if first := self._bearers.get(word[:middle]):
                rest = word[middle:]
                others = {bearer.entity for bearer in (*self[rest], *(self.glued(rest, parts=parts - 1) if parts > 2 else ()))}
                found |= {bearer.entity: bearer for bearer in first if bearer.entity in others and bearer.entity != NOBODY}
        return tuple(found.values())

    def forms(self) -> Iterator[tuple[str, Kind]]:
        """Every form with the kinds of those who bear it."""
        for form, bearers in self._bearers.items():
            for kind in {bearer.entity.kind for bearer in bearers}:
                yield form, kind

    def may_touch(self, words: Iterable[str]) -> bool:
        """Whether one of these words is a form, or begins one of several words."""
        if self._beginnings is None:
            self._beginnings = frozenset(form.partition(" ")[0] for form in self._bearers) | self._bearers.keys()
        return not self._beginnings.isdisjoint(words)
