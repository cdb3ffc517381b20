"""Invented people for the tests of the veil: entities, an index of their forms, a thread that knows some of them.

The forms are those that ``crm.name_forms`` holds of a name; that the SQL gives the same ones, tests/db/crm holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from veil import lexicon, names
from veil.bearers import Bearer, Index
from veil.fold import name_words
from veil.names import Reading
from veil.scrub import Region, Sort
from veil.thread import Entry, State, ThreadMap
from veil.tokens import LETTERS, Entity, EntityId, Kind, Token
from veil.values import Values
from veil.veiling import Setting

ES = Setting("es", Region(("CL",), ("CL",)))
PT = Setting("pt", Region(("BR",), ("BR",)))


def contact(number: int) -> Entity:
    return Entity(Kind.CONTACT, EntityId(number))


def member(number: int) -> Entity:
    return Entity(Kind.MEMBER, EntityId(number))


def company(number: int) -> Entity:
    return Entity(Kind.COMPANY, EntityId(number))


def inbox(number: int) -> Entity:
    return Entity(Kind.INBOX, EntityId(number))


ASKER = member(1)


def forms_of(name: str, kind: Kind = Kind.CONTACT) -> set[str]:
    """What ``crm.name_forms`` holds of a name."""
    whole = name_words(name)
    core = whole
    while kind is Kind.COMPANY and len(core) > 1 and core[-1] in lexicon.LEGAL_FORMS:
        core = core[:-1]
    forms = {" ".join(whole), " ".join(core)}
    if kind not in (Kind.INBOX, Kind.CAMPAIGN):
        forms |= {word for word in core if word not in lexicon.PARTICLES}
        forms |= {"".join(name_words(piece)) for piece in name.split() if re.search(r"\w['’-]\w", piece)}
    return {form for form in forms if len(form) > 1}


def index_of(people: Iterable[tuple[Entity, str]], *, hidden: Iterable[Entity] = ()) -> Index:
    """The forms of these people, of whom the member may see all but ``hidden``."""
    unseen = frozenset(hidden)
    found: dict[str, list[Bearer]] = {}
    for entity, name in people:
        for form in forms_of(name, entity.kind):
            bearer = Bearer(entity, entity not in unseen)
            if bearer not in found.setdefault(form, []):
                found[form].append(bearer)
    return Index(found)


def contacts(*names: str) -> Index:
    """An index of contacts 1, 2, … with these names."""
    return index_of((contact(number), name) for number, name in enumerate(names, 1))


def shown(text: str, index: Index, *, reading: Reading = Reading.TEXT, present: Iterable[Entity] = ()) -> str:
    """The text with each mention as ``<1>`` (contact 1), ``<1~>`` (fuzzy), ``<1|2>``, or ``<?>`` where nobody is known to bear it."""
    for span in reversed(names.find(text, index, reading=reading, present=frozenset(present))):
        bearers = "|".join(f"{bearer.entity.id}{'~' if bearer.fuzzy else ''}" for bearer in span.bearers)
        text = f"{text[: span.start]}<{bearers or '?'}>{text[span.end :]}"
    return text


def live(entity: Entity, number: int) -> Entry:
    return Entry(Token(LETTERS[entity.kind], number), State.LIVE, entity)


def thread_of(*entries: Entry, names: Index | None = None, values: Mapping[str, Sort] | None = None, asker: Entity = ASKER) -> ThreadMap:
    """A thread that holds the asker as U-1 and these rows."""
    thread = ThreadMap(asker, names=names or Index(), values=Values(values))
    thread.add([live(asker, 1), *entries])
    return thread
