"""All rows of a shop before anybody is cast: the structure, as marked texts."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count, cycle
from random import Random
from typing import Any

from db.crm.demo import words
from db.crm.demo.people import People, Person
from db.crm.demo.shops import Shop
from db.crm.demo.stories import Scene, Story, read

#: Conversations a contact has on average: 150 for 80 contacts.
_CONVERSATIONS_PER_CONTACT = 150 / 80
#: One drawn contact in so many has never written.
_SILENT = 8
#: The first conversations, as contact and place of the inbox: so that certain people are found in certain inboxes.
_PLANNED = (
    *((1, 0), (2, 1), (1, 0), (1, 1), (3, 0), (4, 1), (5, 0)),
    *((6, 0), (7, 1), (8, 0), (9, 0), (10, 0), (11, 1), (12, 0)),
)

Rows = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class World:
    """The rows of one shop by table."""

    shop: Shop
    tables: dict[str, Rows] = field(default_factory=dict)

    def add(self, table: str, **columns: Any) -> None:
        """One more row."""
        self.tables.setdefault(table, []).append({"tenant_id": self.shop.tenant_id, **columns})


class _Builder:
    """Builds one shop. The order of its steps is the order of the dice: changing it changes every demo."""

    def __init__(self, shop: Shop, *, contacts: int, structure_seed: int, now: datetime) -> None:
        self._shop = shop
        self._now = now
        self._dice = Random(f"{structure_seed} {shop.tenant_id}")  # noqa: S311 (a demo's dice)
        self._people = People(shop, self._dice, contacts=contacts)
        self._message_ids = count(1)
        self._world = World(shop)

    def build(self) -> World:
        self._team()
        self._customers()
        self._offers()
        for number, (contact, story) in enumerate(self._plan(), start=1):
            self._conversation(number, contact, story)
        self._labels()
        self._notes()
        self._deals()
        return self._world

    def _team(self) -> None:
        for number, (name, channel, _) in enumerate(self._shop.inboxes, start=1):
            self._world.add("inboxes", id=number, name=name, channel=channel, created_at=self._ago(days=400))
        for member, (_, role, inboxes) in zip(self._people.members, self._shop.members, strict=True):
            self._world.add("members", id=member.id, name=member.name, email=member.email, role=role, created_at=self._ago(days=390))
            for inbox in inboxes:
                self._world.add("inbox_members", inbox_id=inbox, member_id=member.id)

    def _customers(self) -> None:
        for company in self._people.companies:
            self._world.add(
                "companies",
                id=company.id,
                name=company.name,
                legal_id=company.legal_id,
                city=self._dice.choice(self._shop.cities),
                created_at=self._ago(days=380),
            )
        for person in self._people.contacts:
            self._world.add("contacts", **self._contact(person))

    def _contact(self, person: Person) -> dict[str, Any]:
        """Not every contact has given everything; what is missing here may still stand in a message."""
        throws = [self._dice.random() for _ in range(4)]
        return {
            "id": person.id,
            "name": person.name,
            "phone": person.phone if throws[0] < 0.9 else None,
            "email": person.email if throws[1] < 0.75 else None,
            "national_id": person.national_id if throws[2] < 0.6 else None,
            "aliases": [person.alias] if person.alias else [],
            "company_id": self._dice.choice(self._people.companies).id if throws[3] < 0.3 else None,
            "state": self._dice.choice(("lead", "active", "active", "active", "inactive")),
            "created_at": self._ago(days=self._dice.uniform(80, 370)),
        }

    def _offers(self) -> None:
        for number, (name, channel, state) in enumerate(self._shop.campaigns, start=1):
            sent = 0 if state == "draft" else self._dice.randrange(200, 3000)
            starts = self._dice.uniform(5, 90)
            self._world.add(
                "campaigns",
                id=number,
                name=words.mark(name),
                channel=channel,
                state=state,
                starts_at=self._ago(days=starts),
                ends_at=self._ago(days=starts - 20),
                sent=sent,
                delivered=sent * 97 // 100,
                opened=sent * 41 // 100,
                replied=sent * 6 // 100,
            )

    def _plan(self) -> Iterator[tuple[Person, Story]]:
        """Whose conversations there are, and how they go."""
        contacts = self._people.contacts
        must = len(self._shop.contacts)
        writers = [person for person in contacts if person.id <= must or person.id % _SILENT]
        total = round(len(contacts) * _CONVERSATIONS_PER_CONTACT)
        stories = read(self._shop)
        self._dice.shuffle(stories)
        keys = [key for _, _, key in self._shop.inboxes]
        of_inbox = [cycle([story for story in stories if story.inbox == key and not story.once]) for key in keys]
        planned = [(contacts[number - 1], next(of_inbox[place])) for number, place in _PLANNED]
        once = [(contacts[story.of - 1] if story.of else self._dice.choice(writers), story) for story in stories if story.once]
        rest = cycle([story for story in stories if not story.once])
        eager = cycle(self._dice.sample(writers, k=len(writers)))
        drawn = [(next(eager), next(rest)) for _ in range(total - len(planned) - len(once))]
        later = [*once, *drawn]
        self._dice.shuffle(later)
        yield from [*planned, *later]

    def _conversation(self, number: int, contact: Person, story: Story) -> None:
        inbox = next(place for place, (_, _, key) in enumerate(self._shop.inboxes, start=1) if key == story.inbox)
        agent = self._dice.choice(self._agents(inbox, story))
        scene = Scene(self._people, self._dice, self._shop, now=self._now, me=contact, agent=agent)
        times = self._times(len(story.lines))
        scene.begin(datetime.fromisoformat(times[0]))
        self._world.add(
            "conversations",
            id=number,
            contact_id=contact.id,
            inbox_id=None if self._dice.random() < 0.02 else inbox,
            assignee_id=agent.id if self._dice.random() < 0.8 else None,
            status=self._status(story),
            subject=scene.fill(story.subject),
            priority=self._dice.choice(("low", "normal", "normal", "normal", "high", "urgent")),
            created_at=times[0],
        )
        for line, time in zip(story.lines, times, strict=True):
            self._world.add(
                "messages",
                id=next(self._message_ids),
                conversation_id=number,
                author_kind=line.author_kind,
                member_id=agent.id if line.author_kind == "member" else None,
                body=scene.fill(line.text),
                private=line.private,
                created_at=time,
            )

    def _agents(self, inbox: int, story: Story) -> list[Person]:
        """Who may answer: a member of the inbox, and not the one whom the story speaks of."""
        members = zip(self._people.members, self._shop.members, strict=True)
        absent = self._people.star if any("{star" in line.text for line in story.lines) else None
        return [member for member, (_, _, inboxes) in members if inbox in inboxes and member is not absent]

    def _times(self, lines: int) -> list[str]:
        moment = self._now - timedelta(days=self._dice.uniform(0.5, 75))
        times = []
        for _ in range(lines):
            times.append(moment.isoformat(timespec="seconds"))
            moment += timedelta(minutes=self._dice.uniform(1, 90))
        return times

    def _status(self, story: Story) -> str:
        if story.lines[-1].author_kind == "contact":
            return self._dice.choice(("open", "open", "pending", "resolved"))
        return self._dice.choice(("open", "snoozed", "resolved", "resolved"))

    def _labels(self) -> None:
        names = [self._scene(self._people.contacts[0]).fill(name) for name in self._shop.labels]
        for number, name in enumerate(names, start=1):
            self._world.add("labels", id=number, name=name)
        for row in self._world.tables["contacts"]:
            for label in self._dice.sample(range(1, len(names) + 1), k=self._dice.choice((0, 0, 0, 1, 1, 2))):
                self._world.add("contact_labels", contact_id=row["id"], label_id=label)
        for row in self._world.tables["conversations"]:
            if self._dice.random() < 0.25:
                label = self._dice.randrange(1, len(names) + 1)
                self._world.add("conversation_labels", conversation_id=row["id"], label_id=label)

    def _notes(self) -> None:
        for number, person in enumerate(self._people.contacts[::2], start=1):
            text = self._shop.notes[number % len(self._shop.notes)]
            self._world.add(
                "notes",
                id=number,
                contact_id=person.id,
                author_id=self._dice.choice(self._people.members).id,
                body=self._scene(person).fill(text),
                created_at=self._ago(days=self._dice.uniform(1, 70)),
            )

    def _deals(self) -> None:
        for number, person in enumerate(self._people.contacts[::3], start=1):
            scene = self._scene(person)
            text = self._shop.deals[number % len(self._shop.deals)]
            closes = self._now + timedelta(days=self._dice.randrange(-20, 60))
            self._world.add(
                "deals",
                id=number,
                contact_id=person.id,
                company_id=scene.company.id if "{company}" in text else None,
                owner_id=self._dice.choice(self._people.members).id,
                title=scene.fill(text),
                stage=self._dice.choice(("new", "qualified", "proposal", "won", "lost")),
                amount=self._dice.randrange(50, 9000) * 1000,
                currency=self._shop.currency,
                expected_close=closes.date().isoformat(),
                created_at=self._ago(days=self._dice.uniform(5, 70)),
            )

    def _scene(self, me: Person) -> Scene:
        agent = self._dice.choice(self._people.members)
        return Scene(self._people, self._dice, self._shop, now=self._now, me=me, agent=agent)

    def _ago(self, *, days: float) -> str:
        return (self._now - timedelta(days=days)).isoformat(timespec="seconds")


def build(shop: Shop, *, contacts: int, structure_seed: int, now: datetime) -> World:
    """The shop's rows; the same arguments give the same rows."""
    return _Builder(shop, contacts=contacts, structure_seed=structure_seed, now=now).build()
