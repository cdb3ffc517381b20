"""Names and values through the database first: who in the whole tenant bears them, and whom the member may see.

Masking reads the whole tenant; what may be minted is only what the member may see, so every bearer says which it is.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cache

import phonenumbers

from db.pool import Connection, Row
from db.queries import load
from veil import fuzzy
from veil.bearers import Bearer, Index
from veil.scrub import Sort, equivalents
from veil.tokens import HANDLE_FIELDS, Entity, Kind
from veil.unveiling import Card

_SQL = load("veil", "resolve")
#: Bearers of one form that are read. A name that more people share is only ever asked for.
MOST_BEARERS = 200
#: Those whom the member may see that are looked for first: more than are ever offered.
MOST_VISIBLE = 21
_KINDS = {kind.value: kind for kind in Kind}
_CODES = frozenset(map(str, phonenumbers.COUNTRY_CODE_TO_REGION_CODE))
#: Digits that ``phonenumbers`` allows a number within its country.
_SHORTEST_NATIONAL, _LONGEST_NATIONAL = 2, 17


@dataclass(frozen=True, slots=True)
class Details:
    """What tells the bearers of one name apart."""

    inbox: str | None
    last_contact: datetime | None


async def names(connection: Connection, *, tenant: int, member: int, forms: Iterable[str]) -> Index:
    """Who bears these folded forms."""
    rows = await connection.fetch(_SQL["bearers_of_forms"], tenant, member, [*set(forms)], MOST_VISIBLE, MOST_BEARERS)
    many = {form for form, count in Counter(row["form"] for row in rows if row["visible"]).items() if count >= MOST_VISIBLE}
    found: dict[str, list[Bearer]] = {}
    for row in rows:
        asked = row["visible"] is not None or row["form"] not in many
        found.setdefault(row["form"], []).append(Bearer(_entity(row), bool(row["visible"]), asked=asked))
    return Index(found)


def _entity(row: Row) -> Entity:
    return Entity(_KINDS[row["kind"]], row["entity_id"])


async def similar(connection: Connection, *, tenant: int, member: int, words: Iterable[str]) -> Index:
    """Who bears a form that each of these words may be a misspelling of, under the word as it was written. Only people."""
    meant = {word: fuzzy.candidates(word) for word in words}
    for word, form in await _alike(connection, tenant=tenant, words=[word for word in meant if len(word) >= fuzzy.LONG]):
        meant[word].add(form)
    wanted: set[str] = set().union(*meant.values())
    if not wanted:
        return Index()
    found: dict[str, dict[Entity, Bearer]] = {}
    for row in await connection.fetch(_SQL["bearers_of_forms"], tenant, member, list(wanted), MOST_VISIBLE, MOST_BEARERS):
        entity = _entity(row)
        if entity.kind in (Kind.CONTACT, Kind.MEMBER):
            for word in (word for word, forms in meant.items() if row["form"] in forms):
                found.setdefault(word, {})[entity] = Bearer(entity, bool(row["visible"]), fuzzy=True)
    return Index({word: tuple(bearers.values()) for word, bearers in found.items()})


async def _alike(connection: Connection, *, tenant: int, words: Sequence[str]) -> list[tuple[str, str]]:
    """Long words with the forms in the CRM that are two slips of the hand away from them."""
    if not words:
        return []
    ends = [word[: fuzzy.END] for word in words], [word[-fuzzy.END :] for word in words]
    rows = await connection.fetch(_SQL["forms_alike"], tenant, *ends)
    return [(word, row["form"]) for row in rows for word in words if fuzzy.is_alike(word, row["form"])]


async def values(connection: Connection, *, tenant: int, member: int, wanted: Iterable[tuple[Sort, str]]) -> Mapping[str, tuple[Bearer, ...]]:
    """Who bears these normalised phones, e-mails and ids."""
    spellings: dict[tuple[str, str], list[str]] = {}  # several values may be spelt alike: a phone with and without its country
    for sort, value in sorted(set(wanted)):
        for spelling in _spellings(sort, value):
            spellings.setdefault((sort.value, spelling), []).append(value)
    if not spellings:
        return {}
    sorts, forms = [sort for sort, _ in spellings], [form for _, form in spellings]
    rows = await connection.fetch(_SQL["bearers_of_values"], tenant, member, sorts, forms)
    found: dict[str, dict[Entity, Bearer]] = {}
    for row in rows:
        entity = _entity(row)
        for value in spellings[row["value_kind"], row["value"]]:
            found.setdefault(value, {})[entity] = Bearer(entity, row["visible"])
    return {value: tuple(bearers.values()) for value, bearers in found.items()}


def _spellings(sort: Sort, value: str) -> tuple[str, ...]:
    """The ways in which a CRM may hold this value: a phone also without its plus, or without its country."""
    if sort is not Sort.PHONE or value[:1] != "+":
        return (value,)
    national = _national(value)  # a candidate need not be a number of any country
    return (value, *equivalents(value), value[1:], *((national,) if national is not None else ()))


def _national(value: str) -> str | None:
    """What ``phonenumbers`` takes for the number within its country. Asked of every candidate, so parsed only where digits may be left out."""
    code = next((value[1:end] for end in range(2, 5) if value[1:end] in _CODES), "")
    digits = value[1 + len(code) :]
    if not code or len(digits) < _SHORTEST_NATIONAL:
        return None
    prefix = _left_out(int(code))
    match = prefix.match(digits) if prefix else None
    if len(digits) <= _LONGEST_NATIONAL and not (match and match.group()):
        return digits
    with suppress(phonenumbers.NumberParseException):
        return phonenumbers.national_significant_number(phonenumbers.parse(value))
    return None


@cache
def _left_out(code: int) -> re.Pattern[str] | None:
    """What a country dials before a number and its international form leaves out."""
    metadata = phonenumbers.PhoneMetadata.metadata_for_region_or_calling_code(code, phonenumbers.region_code_for_country_code(code))
    prefix = metadata.national_prefix_for_parsing if metadata else None
    return re.compile(prefix) if prefix else None


async def cards(connection: Connection, *, tenant: int, member: int, entities: Iterable[Entity]) -> dict[Entity, Card]:
    """What may be shown of these entities now. What is no more has no card."""
    wanted = list(entities)
    if not wanted:
        return {}
    found: dict[Entity, Card] = {}
    for row in await connection.fetch(_SQL["cards"], tenant, member, *_columns(wanted)):
        filled = {name: row[name] for name in HANDLE_FIELDS if row[name]}
        found[_entity(row)] = Card(row["name"] or "", row["visible"], filled)
    return found


async def details(connection: Connection, *, tenant: int, member: int, entities: Iterable[Entity]) -> dict[Entity, Details]:
    """What tells these entities apart, as far as the member may see it."""
    wanted = list(entities)
    if not wanted:
        return {}
    rows = await connection.fetch(_SQL["details"], tenant, member, *_columns(wanted))
    return {_entity(row): Details(row["inbox"], row["last_contact_at"]) for row in rows}


def _columns(entities: Sequence[Entity]) -> tuple[list[str], list[int]]:
    return [entity.kind.value for entity in entities], [int(entity.id) for entity in entities]
