"""Twins veil alike: once it is veiled, every text of the demo is the same in both casts. Texts alone, with what their writer wrote before and after,
without model and turns.

Every renamed word differs between the two, so this also proves that a weak name ("Rosa", "La Esquina") stands only where it is masked.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from random import Random

import pytest

from db.crm.demo import words
from db.crm.demo.casting import Cast
from db.crm.demo.people import Company, People, Person
from db.crm.demo.seed import NOW
from db.crm.demo.shops import SHOPS, Shop
from db.crm.demo.stories import Scene, read
from db.crm.demo.words import misspelt
from db.embedded import Server
from db.pool import Database
from db.roles import logins
from tests.postgres import on
from tests.seeding import Seeded
from veil import lexicon, scrub, veiling
from veil.bearers import Bearer, Index
from veil.fold import name_words
from veil.names import Reading
from veil.scrub import Region
from veil.scrub.finding import merge
from veil.text import Clear, Marked
from veil.thread import Entry, State, ThreadMap
from veil.tokens import LETTERS, Entity, EntityId, Kind, Token

TEXTS = """
SELECT 'message' AS place, m.id, m.body AS text, c.contact_id, m.member_id, lag(m.body) OVER writer AS earlier, lead(m.body) OVER writer AS later
FROM crm.messages m JOIN crm.conversations c ON c.tenant_id = m.tenant_id AND c.id = m.conversation_id
WINDOW writer AS (PARTITION BY c.id, m.author_kind, m.member_id ORDER BY m.created_at, m.id)
UNION ALL SELECT 'subject', id, subject, contact_id, assignee_id, NULL, NULL FROM crm.conversations
UNION ALL SELECT 'note', id, body, contact_id, author_id, NULL, NULL FROM crm.notes
UNION ALL SELECT 'deal', id, title, contact_id, owner_id, NULL, NULL FROM crm.deals
UNION ALL SELECT 'label', id, name, NULL, NULL, NULL, NULL FROM crm.labels
UNION ALL SELECT 'campaign', id, name, NULL, NULL, NULL, NULL FROM crm.campaigns
UNION ALL SELECT 'inbox', id, name, NULL, NULL, NULL, NULL FROM crm.inboxes
"""


@dataclass(frozen=True, slots=True)
class Text:
    """A text of the CRM with its row's own people."""

    place: tuple[str, int]
    clear: str
    own: tuple[Entity, ...]
    earlier: str = ""
    later: str = ""


class Tenant:
    """A tenant's names and values in memory, and its texts. Everybody has a token: the number is the id."""

    def __init__(self, shop: Shop, bearers: Mapping[str, list[Bearer]], borne: frozenset[str], texts: Iterable[Text]) -> None:
        self.texts = sorted(texts, key=lambda text: text.place)
        self._index = Index(bearers)
        self._borne = borne
        self._setting = veiling.Setting(shop.language, Region(shop.countries, shop.countries))
        self._thread = ThreadMap(Entity(Kind.MEMBER, EntityId(1)))
        everybody = {bearer.entity for found in bearers.values() for bearer in found}
        self._thread.add(Entry(Token(LETTERS[entity.kind], entity.id), State.LIVE, entity) for entity in everybody)

    def veiled(self, text: Text) -> str:
        """The text as a tool would give it to the model."""
        clear, region = text.clear, self._setting.region
        hits = scrub.find(clear, region)
        hits += scrub.find_across(text.earlier, clear, region)[1] if text.earlier else []
        hits += scrub.find_across(clear, text.later, region)[0] if text.later else []
        spans = veiling.read(clear, self._index, self._thread, self._setting, reading=Reading.TEXT, borne=self._borne, hits=merge(hits))
        decided = veiling.decide_text(spans, text.own)
        marks = veiling.render(clear, decided, self._thread, self._setting, veiling.Numbering())
        return Marked.of(Clear(clear), marks, "").veiled().text


OpenTenant = Callable[[Shop, int, int], Awaitable[Tenant]]


@pytest.fixture(scope="module")
def tenant(server: Server, seeded: Callable[[int, int], Awaitable[Seeded]]) -> OpenTenant:
    """Reads a shop of a structure with the people of a seed; each is read once."""
    known: dict[tuple[int, int, int], Tenant] = {}

    async def opened(shop: Shop, structure: int, people: int) -> Tenant:
        key = (shop.tenant_id, structure, people)
        if key not in known:
            database = await Database.open(logins(on(server.dsn, (await seeded(structure, people)).database)).owner)
            known[key] = await _read(database, shop)
            await database.close()
        return known[key]

    return opened


async def _read(database: Database, shop: Shop) -> Tenant:
    bearers: dict[str, list[Bearer]] = {}
    async with database.tenant(shop.tenant_id, read_only=True) as connection:
        for row in await connection.fetch("SELECT form, kind, entity_id FROM crm.name_forms ORDER BY form, kind, entity_id"):
            bearers.setdefault(row["form"], []).append(Bearer(_entity(Kind(row["kind"]), row["entity_id"]), visible=True))
        borne = frozenset(row["form"] for row in await connection.fetch("SELECT form FROM crm.value_forms"))
        rows = await connection.fetch(TEXTS)
    own = (((Kind.CONTACT, row["contact_id"]), (Kind.MEMBER, row["member_id"])) for row in rows)
    people = (tuple(_entity(kind, number) for kind, number in pairs if number is not None) for pairs in own)
    texts = [
        Text((row["place"], row["id"]), row["text"], mine, row["earlier"] or "", row["later"] or "") for row, mine in zip(rows, people, strict=True)
    ]
    return Tenant(shop, bearers, borne, texts)


def _entity(kind: Kind, number: int) -> Entity:
    return Entity(kind, EntityId(number))


@pytest.mark.parametrize("shop", SHOPS, ids=lambda shop: shop.country)
@pytest.mark.parametrize(("structure", "people"), [(1, 1), (4, 2), *(pytest.param(seed, seed, marks=pytest.mark.prove) for seed in range(5, 25))])
async def test_every_text_of_the_demo_is_veiled_alike(tenant: OpenTenant, shop: Shop, structure: int, people: int) -> None:
    one, other = await tenant(shop, structure, 0), await tenant(shop, structure, people)
    pairs = list(zip(one.texts, other.texts, strict=True))
    assert [mine.place for mine, _ in pairs] == [its.place for _, its in pairs]
    assert sum(mine.clear != its.clear for mine, its in pairs) > 200
    both = ((one.veiled(mine), other.veiled(its), mine.clear, its.clear) for mine, its in pairs)
    assert [texts for texts in both if texts[0] != texts[1] and not _is_misspelt(texts[2])] == []


@pytest.mark.parametrize("shop", SHOPS, ids=lambda shop: shop.country)
@pytest.mark.parametrize("people", [1, *(pytest.param(seed, marks=pytest.mark.prove) for seed in range(5, 25))])
async def test_every_story_may_happen_to_people_with_everyday_names(tenant: OpenTenant, shop: Shop, people: int) -> None:
    """Whoever plays, and not only those whom the dice chose: me, the other and the company all have weak names here."""
    one, other = await tenant(shop, 1, 0), await tenant(shop, 1, people)
    first, second = Cast(0), Cast(people)
    held = 0
    for text, of in _templates(shop):
        for me, scene in _everyday_scenes(shop, text, of):
            marked = scene.fill(text)
            own = (_entity(Kind.CONTACT, me.id),)
            mine, its = (Text(("story", me.id), cast.text(marked), own) for cast in (first, second))
            assert one.veiled(mine) == other.veiled(its), (text, mine.clear, its.clear)
            held += 1
    assert held > 400


def _templates(shop: Shop) -> list[tuple[str, int | None]]:
    """Texts with somebody in them, and to whom they may happen if not to anybody."""
    texts = [(text, story.of) for story in read(shop) for text in (story.subject, *(line.text for line in story.lines))]
    texts += [(text, None) for text in (*shop.labels, *shop.notes, *shop.deals)]
    return [(text, of) for text, of in texts if ("{" in text or "«" in text) and not _LEFT_OUT.search(text)]


#: How similar words are depends on their letters; a value that is cut in two is none by itself.
_LEFT_OUT = re.compile(r"\|(?:typo|head|tail)\b")


def _is_misspelt(text: str) -> bool:
    """Whether somebody of the named demo is misspelt in a text."""
    return not set(re.findall(r"[^\W\d_]+", text)).isdisjoint(misspelt(word) for word in words.pool("surnames_mc") + words.pool("surnames_north"))


def _everyday_scenes(shop: Shop, text: str, of: int | None) -> Iterable[tuple[Person, Scene]]:
    people = People(shop, Random(text), contacts=len(shop.contacts))
    bound = [people.contacts[of - 1]] if of else []
    people.contacts = [person for person in people.contacts if _is_everyday(person)]
    people.companies = [company for company in people.companies if _is_ordinary(company)]
    for me in bound or (people.contacts if "{me" in text else people.contacts[:3]):
        yield me, Scene(people, Random(f"{text} {me.id}"), shop, now=NOW, me=me, agent=people.members[me.id % len(people.members)])


def _is_everyday(person: Person) -> bool:
    return any(lexicon.is_common(word) or len(word) < 3 for word in name_words(person.name) if word not in lexicon.PARTICLES)


def _is_ordinary(company: Company) -> bool:
    return all(lexicon.is_common(word) or word in lexicon.PARTICLES | lexicon.LEGAL_FORMS for word in name_words(company.name))
