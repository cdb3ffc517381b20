"""A thread's tokens in Postgres: reloaded before anything is masked, minted in a short transaction of their own.

The map is read by (tenant, thread) and never by rights: one statement for the tokens and all that must be masked for them.
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


async def reload(connection: Connection, *, tenant: int, thread: int, asker: Entity, surfaces: Index) -> ThreadMap:
    """The thread's map as it must be now; mergers and deletions since the last turn are noted in its tokens.

    ``surfaces`` are the words that the thread's own marks cover.
    """
    found = ThreadMap(asker, thread)
    facts = await _all_facts(connection, tenant, found)
    while any(_is_live(found, entity) for entity in facts.survivors):  # again for a survivor that was itself merged
        await _merge(connection, tenant, found, facts)
        facts = await _all_facts(connection, tenant, found)
    await _erase(connection, tenant, thread, found, facts)
    found.names = Index(facts.forms) | surfaces.seen(found.visible)
    found.values = Values(facts.values)
    return found


async def refresh(connection: Connection, *, tenant: int, known: ThreadMap, surfaces: Index) -> bool:
    """Read the forms and values of the thread's entities again, in the middle of a turn; whether any has come that was not known.

    They stand beside those that were known: what was a name in this turn stays one. An entity of which nothing changed is not even sent.
    """
    rows = [row for row in await _map(connection, tenant, known.thread, known) if row["entity_id"] is not None]
    if not rows:
        return False
    before = {form for form, _ in known.names.forms()} | set(known.values)
    facts = _facts(rows, known)
    known.names = Index(facts.forms) | surfaces.seen(known.visible) | known.names
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
            known.add(_entry(row) for row in await _map(connection, tenant, thread, ThreadMap(known.asker)))
    if needs.alias:
        rows = await connection.fetch(_SQL["alias"], thread, list(needs.alias))
        known.add(Entry(Token(ALIAS, row["number"]), State.LITERAL, literal=row["literal"]) for row in rows)
    if not needs.mint:
        return []
    rows = await _map(connection, tenant, thread, known, mint=needs.mint)
    known.add(_entry(row) for row in rows)
    facts = _facts(rows, known)
    known.names = Index(facts.forms) | known.names
    known.values = Values(facts.values) | known.values
    return list(needs.mint)


async def _map(connection: Connection, tenant: int, thread: int, known: ThreadMap, *, mint: Iterable[Entity] = ()) -> Sequence[Row]:
    """The rows of the thread's tokens, or of those that are given now; of entities of which the map knows all already there are none."""
    prints = [] if mint else list(known.prints.values())
    return await connection.fetch(
        _SQL["map_of_thread"], tenant, thread, known.asker.id, list(KINDS), [kind.value for kind in KINDS.values()], *_columns(mint), prints
    )


async def _all_facts(connection: Connection, tenant: int, found: ThreadMap) -> _Facts:
    found.prints.clear()
    rows = await _map(connection, tenant, found.thread, found)
    found.add(_entry(row) for row in rows)
    return _facts(rows, found)


def _entry(row: Row) -> Entry:
    return Entry(Token(row["letter"], row["number"]), State(row["state"]), _entity(row), row["literal"], row["merged_into"])


def _entity(row: Row) -> Entity | None:
    letter, entity_id = row["letter"], row["entity_id"]
    return Entity(KINDS[letter], EntityId(entity_id)) if entity_id is not None and letter in KINDS else None


def _facts(rows: Iterable[Row], known: ThreadMap) -> _Facts:
    """What rows say of their entities; the map notes whom its member may see now, and what it knows by now."""
    facts = _Facts()
    for row in rows:
        entity = _entity(row)
        if entity is None:
            continue
        known.prints[entity] = row["print"]
        (known.visible.add if row["visible"] else known.visible.discard)(entity)
        for form in row["names"] or ():
            facts.forms.setdefault(form, []).append(Bearer(entity, row["visible"]))
        facts.values |= {form: _SORTS[sort] for sort, form in zip(row["sorts"] or (), row["values"] or (), strict=True)}
        if row["into_id"] is not None:
            facts.survivors[entity] = Entity(entity.kind, EntityId(row["into_id"]))
        if row["alive"]:
            facts.alive.add(entity)
    return facts


async def _merge(connection: Connection, tenant: int, found: ThreadMap, facts: _Facts) -> None:
    """Point the tokens of merged entities to their survivors' tokens."""
    merged = {entity: survivor for entity, survivor in facts.survivors.items() if _is_live(found, entity)}
    rows = await _map(connection, tenant, found.thread, found, mint=dict.fromkeys(merged.values()))
    numbers = {_entity(row): row["number"] for row in rows}
    letters, ids = _columns(merged)
    await connection.execute(_SQL["set_merged"], tenant, found.thread, letters, ids, [numbers[survivor] for survivor in merged.values()])


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
