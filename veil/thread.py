"""What a thread knows: its tokens, the forms of their entities, their values. Reloaded before anything is masked.

The map is read whole, whoever asks: rights decide what a person may see, never what is masked.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from veil import lexicon
from veil.bearers import NOBODY, Bearer, Index
from veil.fold import name_words, words
from veil.text import Marked, Source
from veil.tokens import KINDS, Entity, EntityId, Token
from veil.values import Values


class State(StrEnum):
    """What a number of a thread was given for."""

    LIVE = "live"  # an entity
    MERGED = "merged"  # an entity that the CRM has merged into another
    ERASED = "erased"  # an entity that is no more
    RESERVED = "reserved"  # a look-alike; never to be given
    LITERAL = "literal"  # an alias X-n of a look-alike whose number was taken


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of ``velo.tokens``."""

    token: Token
    state: State
    entity: Entity | None = None
    literal: str | None = None
    merged_into: int | None = None


@dataclass(slots=True)
class ThreadMap:
    """The tokens of one thread and all that must be masked because of them."""

    asker: Entity
    thread: int = 0  # its number, once it was read from Postgres
    entries: dict[Token, Entry] = field(default_factory=dict)
    names: Index = field(default_factory=Index)
    values: Values = field(default_factory=Values)
    visible: set[Entity] = field(default_factory=set)  # to the asker, when last read
    prints: dict[Entity, str] = field(default_factory=dict)  # a hash of all that was read of an entity
    _tokens: dict[Entity, Token] = field(default_factory=dict)

    def add(self, entries: Iterable[Entry]) -> None:
        """Take in rows that were read or minted."""
        for entry in entries:
            self.entries[entry.token] = entry
            if entry.entity is not None:
                self._tokens[entry.entity] = entry.token

    def token_of(self, entity: Entity) -> Token | None:
        """The token that this entity was given here."""
        return self._tokens.get(entity)

    def entity_of(self, token: Token) -> Entity | None:
        """Whom a token stands for now; the survivor of a merger; ``None`` for what was never minted or is erased."""
        entry = self.entries.get(token)
        seen = {token}
        while entry is not None and entry.state is State.MERGED and entry.merged_into is not None:
            target = Token(token.letter, entry.merged_into)
            if target in seen:
                return None
            seen.add(target)
            entry = self.entries.get(target)
        return entry.entity if entry is not None and entry.state is State.LIVE else None

    def literal_of(self, token: Token) -> str | None:
        """What somebody wrote that travels under this alias."""
        entry = self.entries.get(token)
        return entry.literal if entry is not None and entry.state is State.LITERAL else None

    @property
    def entities(self) -> frozenset[Entity]:
        """All that was ever minted here."""
        return frozenset(self._tokens)

    def resolvable(self) -> Mapping[tuple[str, int], EntityId]:
        """Tokens that an argument may name, with the ids they stand for."""
        found = {}
        for token in self.entries:
            if token.letter in KINDS and (entity := self.entity_of(token)) is not None:
                found[token.letter, token.number] = entity.id
        return found


def surfaces(texts: Iterable[Marked]) -> Index:
    """The words that marks of a thread cover, as forms of those whom they stood for.

    They outlast the CRM's own forms: what was masked once stays masked, also when the row is gone.
    """
    covered: dict[str, dict[Entity, None]] = {}  # the same names are covered again and again
    for marked in texts:
        if not marked.intact:
            continue
        for mark in marked.marks:
            if mark.source not in (Source.NAME, Source.PERSON, Source.MENTION, Source.SAID) or mark.field:
                continue
            entity = mark.entities[0] if len(mark.entities) == 1 else NOBODY
            covered.setdefault(marked.clear.text[mark.start : mark.end], {})[entity] = None
    found: dict[str, dict[Entity, Bearer]] = {}
    for surface, entities in covered.items():
        for form in _strong_forms(surface):
            found.setdefault(form, {}).update((entity, Bearer(entity, visible=False)) for entity in entities)
    return Index({form: tuple(bearers.values()) for form, bearers in found.items()})


def _strong_forms(surface: str) -> Iterable[str]:
    parts = [word.form for word in words(surface)]
    if len(parts) > 1:
        yield " ".join(parts)
        yield " ".join(name_words(surface))
    for part in parts:
        if len(part) > 2 and part not in lexicon.PARTICLES and not lexicon.is_common(part):
            yield part
