"""A thread's tokens in Postgres: reloaded before anything is masked, minted in a short transaction of their own.

The map is read by (tenant, thread) and never by rights. Two statements: one for the tokens, one for all that must be masked for them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from db.pool import Connection, Row
from db.queries import load
from veil.bearers import Bearer, Index
from veil.scrub import Sort
from veil.thread import Entry, State, ThreadMap
from veil.tokens import ALIAS, KINDS, LETTERS, Entity, EntityId, Token
from veil.values import Values
from veil.veiling import Needs

_SQL = load("veil", "store")
_SORTS = {sort.value: sort for sort in Sort}


@dataclass(slots=True)
class _Facts:
    """What the CRM says of some entities."""

    forms: dict[str, list[Bearer]] = field(default_factory=dict)
    values: dict[str, Sort] = field(default_factory=dict)
    survivors: dict[Entity, Entity] = field(default_factory=dict)
    alive: set[Entity] = field(default_factory=set)
    visible: set[Entity] = field(default_factory=set)


async def reload(connection: Connection, *, tenant: int, thread: int, asker: Entity, surfaces: Index) -> ThreadMap:
    """The thread's map as it must be now; mergers and deletions since the last turn are noted in its tokens.

    ``surfaces`` are the words that the thread's own marks cover.
    """
    found = ThreadMap(asker)
    rows = await connection.fetch(_SQL["tokens_of_thread"], tenant, thread)
    found.add(_entry(row) for row in rows)
    facts = await _facts(connection, tenant, asker, [*found.entities])
    while any(_is_live(found, entity) for entity in facts.survivors):  # again for a survivor that was itself merged
        await _merge(connection, tenant, thread, found, facts)
        facts = await _facts(connection, tenant, asker, [*found.entities])
    await _erase(connection, tenant, thread, found, facts)
    found.names = Index(facts.forms) | surfaces.seen(facts.visible)
    found.values = Values(facts.values)
    return found


async def refresh(connection: Connection, *, tenant: int, known: ThreadMap, surfaces: Index) -> bool:
    """Read the forms and values of the thread's entities again, in the middle of a turn; whether any has come that was not known.

    They stand beside those that were known: what was a name in this turn stays one.
    """
    before = {form for form, _ in known.names.forms()} | set(known.values)
    facts = await _facts(connection, tenant, known.asker, [*known.entities])
    known.names = Index(facts.forms) | surfaces.seen(facts.visible) | known.names
    known.values = Values(facts.values) | known.values
    return not before.issuperset({form for form, _ in known.names.forms()} | set(known.values))


async def give(connection: Connection, *, tenant: int, thread: int, needs: Needs, known: ThreadMap) -> list[Entity]:
    """Mint, reserve and alias what is needed, and take it into the map with its forms and values. Gives the entities that are new here.

    The caller's transaction must be committed before any of it leaves.
    """
    if needs.reserve:
        letters, numbers = [token.letter for token in needs.reserve], [token.number for token in needs.reserve]
        rows = await connection.fetch(_SQL["reserve"], thread, letters, numbers)
        known.add(Entry(Token(row["letter"], row["number"]), State(row["state"])) for row in rows if row["state"] == State.RESERVED)
        if any(row["state"] != State.RESERVED for row in rows):
            known.add(_entry(row) for row in await connection.fetch(_SQL["tokens_of_thread"], tenant, thread))
    if needs.alias:
        rows = await connection.fetch(_SQL["alias"], thread, list(needs.alias))
        known.add(Entry(Token(ALIAS, row["number"]), State.LITERAL, literal=row["literal"]) for row in rows)
    if not needs.mint:
        return []
    letters, ids = [LETTERS[entity.kind] for entity in needs.mint], [entity.id for entity in needs.mint]
    rows = await connection.fetch(_SQL["mint"], thread, letters, ids)
    minted = [Entity(KINDS[row["letter"]], EntityId(row["entity_id"])) for row in rows]
    known.add(Entry(Token(row["letter"], row["number"]), State.LIVE, entity) for row, entity in zip(rows, minted, strict=True))
    facts = await _facts(connection, tenant, known.asker, minted)
    known.names = Index(facts.forms) | known.names
    known.values = Values(facts.values) | known.values
    return minted


def _entry(row: Row) -> Entry:
    letter, entity_id = row["letter"], row["entity_id"]
    entity = Entity(KINDS[letter], EntityId(entity_id)) if entity_id is not None and letter in KINDS else None
    return Entry(Token(letter, row["number"]), State(row["state"]), entity, row["literal"], row["merged_into"])


async def _facts(connection: Connection, tenant: int, asker: Entity, entities: Sequence[Entity]) -> _Facts:
    facts = _Facts()
    if not entities:
        return facts
    kinds, ids = [entity.kind.value for entity in entities], [entity.id for entity in entities]
    rows = await connection.fetch(_SQL["facts_of_entities"], tenant, kinds, ids, asker.id)
    facts.visible = {entities[row["place"] - 1] for row in rows if row["what"] == "visible"}
    for row in rows:
        entity, what = entities[row["place"] - 1], row["what"]
        if what == "name":
            facts.forms.setdefault(row["form"], []).append(Bearer(entity, entity in facts.visible))
        elif what == "value":
            facts.values[row["form"]] = _SORTS[row["detail"]]
        elif what == "into":
            facts.survivors[entity] = Entity(entity.kind, EntityId(int(row["detail"])))
        elif what == "alive":
            facts.alive.add(entity)
    return facts


async def _merge(connection: Connection, tenant: int, thread: int, found: ThreadMap, facts: _Facts) -> None:
    """Point the tokens of merged entities to their survivors' tokens."""
    merged = {entity: survivor for entity, survivor in facts.survivors.items() if _is_live(found, entity)}
    survivors = list(dict.fromkeys(merged.values()))
    rows = await connection.fetch(_SQL["mint"], thread, [LETTERS[entity.kind] for entity in survivors], [entity.id for entity in survivors])
    numbers = {Entity(KINDS[row["letter"]], EntityId(row["entity_id"])): row["number"] for row in rows}
    letters, ids = _columns(merged)
    await connection.execute(_SQL["set_merged"], tenant, thread, letters, ids, [numbers[survivor] for survivor in merged.values()])
    found.add(_entry(row) for row in await connection.fetch(_SQL["tokens_of_thread"], tenant, thread))


async def _erase(connection: Connection, tenant: int, thread: int, found: ThreadMap, facts: _Facts) -> None:
    """Note which entities are no more, and which are there again under the same id (a CRM that is synchronised anew)."""
    back = [entity for entity in facts.alive if _state(found, entity) is State.ERASED]
    if back:
        await connection.execute(_SQL["set_live"], tenant, thread, *_columns(back))
        found.add(Entry(token, State.LIVE, entity) for entity in back if (token := found.token_of(entity)) is not None)
    gone = [entity for entity in found.entities if _is_live(found, entity) and entity not in facts.alive]
    if not gone:
        return
    await connection.execute(_SQL["set_erased"], tenant, thread, *_columns(gone))
    found.add(Entry(token, State.ERASED, entity) for entity in gone if (token := found.token_of(entity)) is not None)


def _is_live(found: ThreadMap, entity: Entity) -> bool:
    return _state(found, entity) is State.LIVE


def _state(found: ThreadMap, entity: Entity) -> State | None:
    token = found.token_of(entity)
    return found.entries[token].state if token is not None else None


def _columns(entities: Iterable[Entity]) -> tuple[list[str], list[int]]:
    entities = list(entities)
    return [LETTERS[entity.kind] for entity in entities], [int(entity.id) for entity in entities]
