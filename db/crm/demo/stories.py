"""Conversations as text: the form of the story files, and filling a story in.

A story is a heading `# subject | inbox`, with `| once` if it happens only once and `| of 7` if it then happens to contact 7, then one line a
message: `>` the person, `<` the member, `=` a private note, `!` the system; lines that begin with two spaces go on. Slots:

    {me} {other} {agent}        the person, another contact, the assignee,
    {star} {x} {y}              the member whom everybody knows, a woman and a man whom nobody knows;
                                each also as .first .last .phone .email .id
    {company} {company.id}      a company of the CRM
    {order} {folio} {price}     numbers that stay; prices of the shop under their own names
    {past} {date}               days that stay
    {card}                      a card, which does not

and behind a stroke the style (`{me|upper}`, `{x.phone|spaced}`; `{me|camel}`, `{me|snake}` and `{me|hyphen}` write a whole name as one word).
Marks as in casting.py may stand in a story as well.

Anybody may play, also Rosa, Luz and a company called La Esquina. Their everyday names are masked only where a text shows
that they are meant, so a slot stands behind a cue or in mid-sentence, a company always behind a cue ("la empresa
{company}"): else the name would travel and twins would differ. What is no mention ("un vestido rosa", "en la esquina")
is fixed text, the same in every cast.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib.resources import files
from random import Random

from db.crm.demo.casting import styled
from db.crm.demo.people import Company, People, Person
from db.crm.demo.shops import Shop

_AUTHORS = {">": ("contact", False), "<": ("member", False), "=": ("member", True), "!": ("system", False)}
_SLOT = re.compile(r"\{(?P<who>[a-z]+)(?:\.(?P<what>[a-z]+))?(?:\|(?P<style>[a-z0-9]+))?\}")


@dataclass(frozen=True, slots=True)
class Line:
    """One message of a story."""

    author_kind: str
    private: bool
    text: str


@dataclass(frozen=True, slots=True)
class Story:
    """One conversation that may happen."""

    subject: str
    inbox: str
    once: bool
    of: int | None
    lines: tuple[Line, ...]


def read(shop: Shop) -> list[Story]:
    """The stories of a shop in the order of their file."""
    text = (files(__package__) / shop.stories).read_text(encoding="utf-8")
    blocks = [block for block in text.split("\n\n") if " | " in block.partition("\n")[0]]
    return [_story(block.strip("\n")) for block in blocks]


def _story(block: str) -> Story:
    heading, *rest = block.split("\n")
    subject, inbox, *flags = (part.strip() for part in heading.removeprefix("#").split("|"))
    messages: list[str] = []
    for line in rest:
        if line.startswith("  "):
            messages[-1] += "\n" + line.strip()
        else:
            messages.append(line)
    lines = tuple(Line(*_AUTHORS[message[0]], message[2:]) for message in messages)
    of = next((int(flag.removeprefix("of ")) for flag in flags if flag.startswith("of ")), None)
    return Story(subject, inbox, "once" in flags or of is not None, of, lines)


class Scene:
    """The slots of one conversation, note or deal.

    All dice are thrown when it begins, so that what a text uses does not change what comes after.
    """

    def __init__(self, people: People, dice: Random, shop: Shop, *, now: datetime, me: Person, agent: Person) -> None:
        other = dice.choice([person for person in people.contacts if person is not me and person.last != person.first])
        self._people = {"me": me, "other": other, "agent": agent, "star": people.star}
        self._people |= {"x": people.stranger("women"), "y": people.stranger("men")}
        self._company = dice.choice(people.companies)
        self._plain, self._days, self._form = _numbers_that_stay(dice, shop, now)
        self._plain["card"] = people.card()
        self.begin(now)

    def begin(self, moment: datetime) -> None:
        """Count the days that texts speak of from the moment when they are written."""
        self._plain |= {slot: (moment + timedelta(days=days)).strftime(self._form) for slot, days in self._days.items()}

    def fill(self, text: str) -> str:
        """The text with its slots filled: a marked text."""
        return _SLOT.sub(self._slot, text)

    @property
    def company(self) -> Company:
        return self._company

    def _slot(self, slot: re.Match[str]) -> str:
        filled, style = self._value(slot["who"], slot["what"] or "name"), slot["style"]
        if style in _TOGETHER:
            return _TOGETHER[style](filled)
        return styled(filled, style) if style else filled

    def _value(self, who: str, what: str) -> str:
        if who == "company":
            return self._company.legal_id if what == "id" else self._company.name
        if who in self._plain:
            return self._plain[who]
        person = self._people[who]
        fields = {"name": person.name, "first": person.first, "last": person.last}
        fields |= {"phone": person.phone, "email": person.email, "id": person.national_id}
        return fields[what]


#: The ways in which a whole name is written as one word.
_TOGETHER: Mapping[str, Callable[[str], str]] = {
    "camel": lambda name: "".join(re.findall("«[^«»]+»", name)),
    "snake": lambda name: "_".join(re.findall("«[^«»]+»", styled(name, "plain"))),
    "hyphen": lambda name: "-".join(re.findall("«[^«»]+»", styled(name, "plain"))),
}


def _numbers_that_stay(dice: Random, shop: Shop, now: datetime) -> tuple[dict[str, str], dict[str, int], str]:
    """What fills the slots of numbers; those of days as days from the beginning, and how a day is written."""
    thousands = f"{dice.randrange(5, 900)}.{dice.randrange(0, 1000, 10):03d}"
    days = {"past": -dice.randrange(3, 40), "date": dice.randrange(2, 30)}
    form = dice.choice(shop.days)
    numbers = {
        "order": f"#{dice.randrange(10_000, 99_999)}",
        "folio": f"{shop.country}-{now.year}-{dice.randrange(1000, 9999)}",
        **{slot: form.format(dotted=thousands, comma=thousands.replace(".", ",")) for slot, form in shop.prices},
    }
    return numbers, days, form
