"""A crowd for a shop: as many more contacts as are asked for, with what they wrote, drawn row by row and never held at once.

People of a crowd play in no story. They are called as everybody in the demo is, common names more often than rare ones,
and a cast renames them like everybody; their numbers and addresses are the same in every cast. Conversations are few for
most and none for many. What triggers would learn from the rows is drawn with them, since triggers learn one row at a
time; a test holds the two together.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import TypeVar

from db.crm.demo.casting import Cast
from db.crm.demo.people import given_names, surnames
from db.crm.demo.shops import Shop
from db.crm.demo.values import plain_id, plain_phone

#: The columns of each table's rows, and the tables in the order in which foreign keys allow.
COLUMNS: Mapping[str, Sequence[str]] = {
    "contacts": ("tenant_id", "id", "name", "phone", "email", "national_id", "aliases", "company_id", "state", "created_at", "last_contact_at"),
    "name_forms": ("tenant_id", "form", "kind", "entity_id", "former"),
    "value_forms": ("tenant_id", "value_kind", "form", "kind", "entity_id"),
    "contact_labels": ("tenant_id", "contact_id", "label_id"),
    "conversations": (
        *("tenant_id", "id", "contact_id", "inbox_id", "assignee_id", "status", "subject", "priority"),
        *("created_at", "last_message_at", "waiting_since"),
    ),
    "messages": ("tenant_id", "id", "conversation_id", "author_kind", "member_id", "body", "private", "created_at"),
    "notes": ("tenant_id", "id", "contact_id", "author_id", "body", "created_at"),
    "deals": (
        *("tenant_id", "id", "contact_id", "company_id", "owner_id", "title", "stage", "amount", "currency"),
        *("expected_close", "created_at"),
    ),
}

#: How many conversations a contact has; each number as often as it stands here.
_CONVERSATIONS = (*(0,) * 9, *(1,) * 6, *(2,) * 3, 3, 5)
_STATES = ("lead", "active", "active", "active", "inactive")
_STATUSES = ("open", "pending", "snoozed", "resolved", "resolved", "resolved")
_PRIORITIES = ("low", "normal", "normal", "normal", "high", "urgent")
_STAGES = ("new", "qualified", "proposal", "won", "lost")
_HOUR = timedelta(hours=1)

#: Language -> subjects, what a person writes, what a member answers, notes, deals. {first} is how the person is called.
_TEXTS: Mapping[str, tuple[Sequence[str], Sequence[str], Sequence[str], Sequence[str], Sequence[str]]] = {
    "es": (
        ("Despacho atrasado", "Consulta de precio", "Cambio de talla", "Boleta"),
        ("Hola, soy {first}, ¿ya salió mi pedido?", "Pedí dos y llegó uno, ayer.", "¿Tienen en azul?", "Gracias, quedo atento."),
        ("Hola {first}, lo reviso ahora.", "Sale mañana antes de las 14:00.", "Le enviamos el cambio sin costo.", "Quedó resuelto."),
        ("Prefiere que le escriban por la tarde.", "Paga siempre con transferencia."),
        ("Pedido mayorista", "Renovación anual"),
    ),
    "pt": (
        ("Entrega atrasada", "Consulta de preço", "Troca de tamanho", "Nota fiscal"),
        ("Oi, aqui é {first}, meu pedido já saiu?", "Pedi dois e chegou um, ontem.", "Tem em azul?", "Obrigado, fico no aguardo."),
        ("Oi {first}, vou verificar agora.", "Sai amanhã antes das 14:00.", "Enviamos a troca sem custo.", "Ficou resolvido."),
        ("Prefere que escrevam à tarde.", "Paga sempre por transferência."),
        ("Pedido de atacado", "Renovação anual"),
    ),
    "en": (
        ("Late delivery", "Question about a price", "Another size", "Invoice"),
        ("Hi, this is {first}, has my order left?", "I ordered two and one came, yesterday.", "Do you have it in blue?", "Thank you."),
        ("Hi {first}, let me check.", "It leaves tomorrow before 2 pm.", "We send the other one free of charge.", "This is settled."),
        ("Wants to be written to in the afternoon.", "Always pays by transfer."),
        ("Wholesale order", "Yearly renewal"),
    ),
}

T = TypeVar("T")

#: The tables whose rows have an id.
NUMBERED = ("contacts", "conversations", "messages", "notes", "deals")

Rows = dict[str, list[tuple[object, ...]]]


@dataclass(frozen=True, slots=True)
class Forms:
    """The forms of the words that names are made of, as the CRM folds them: each alone, and as a part of a longer name."""

    alone: Mapping[str, Sequence[str]]
    inside: Mapping[str, str]


class Crowd:
    """The crowd of one shop, whose tables start at the ids of ``start``. The order of its steps is the order of the dice."""

    def __init__(self, shop: Shop, cast: Cast, forms: Forms, start: Mapping[str, int], *, structure_seed: int, now: datetime) -> None:
        self._tenant = shop.tenant_id
        self._shop = shop
        self._forms = forms
        self._now = now
        self._dice = Random(f"crowd {structure_seed} {shop.tenant_id}")  # noqa: S311 (a demo's dice)
        self._given = [cast.text(word) for word in marked_given(shop)]
        self._surnames = [cast.text(word) for word in marked_surnames(shop)]
        self._agents = [
            [member for member, (_, _, inboxes) in enumerate(shop.members, start=1) if inbox in inboxes]
            for inbox in range(1, len(shop.inboxes) + 1)
        ]
        self._texts = _TEXTS[shop.language]
        self._ids = dict(start)

    def chunks(self, contacts: int, size: int) -> Iterator[Rows]:
        """The rows of this many contacts, of at most ``size`` contacts at a time."""
        for done in range(0, contacts, size):
            rows: Rows = {table: [] for table in COLUMNS}
            for _ in range(min(size, contacts - done)):
                self._contact(rows, self._id("contacts"))
            yield rows

    def last(self, table: str) -> int:
        """The last id of a table that was given."""
        return self._ids[table] - 1

    def _contact(self, rows: Rows, contact: int) -> None:
        draw, tenant = self._dice.random, self._tenant
        words = [_drawn(self._given, draw()), *(_drawn(self._surnames, draw()) for _ in range(1 + (draw() < 0.7)))]
        name = " ".join(words)
        phone = plain_phone(self._shop.country, contact) if draw() < 0.9 else None
        email = f"cliente{contact}@example.com" if draw() < 0.75 else None
        national = plain_id(self._shop.country, contact) if draw() < 0.6 else None
        company = 1 + int(draw() * len(self._shop.companies)) if draw() < 0.1 else None
        created = self._now - timedelta(days=80 + 290 * draw())
        last = self._conversations(rows, contact, words[0])
        rows["contacts"].append((tenant, contact, name, phone, email, national, [], company, _pick(_STATES, draw()), created, last))
        rows["name_forms"] += [(tenant, form, "contact", contact, False) for form in self._forms_of(words)]
        values = (("phone", phone), ("email", email), ("id", national))
        rows["value_forms"] += [(tenant, kind, value, "contact", contact) for kind, value in values if value]
        if draw() < 0.25:
            rows["contact_labels"].append((tenant, contact, 1 + int(draw() * len(self._shop.labels))))
        self._extras(rows, contact)

    def _forms_of(self, words: Sequence[str]) -> set[str]:
        """As ``crm.forms_of_name`` gives them for words between spaces."""
        return {" ".join(self._forms.inside[word] for word in words)}.union(*(self._forms.alone[word] for word in words))

    def _conversations(self, rows: Rows, contact: int, first: str) -> datetime | None:
        """Adds what the contact wrote and gives when the last message was."""
        latest = None
        for _ in range(_pick(_CONVERSATIONS, self._dice.random())):
            last = self._conversation(rows, contact, first)
            latest = last if latest is None or last > latest else latest
        return latest

    def _conversation(self, rows: Rows, contact: int, first: str) -> datetime:
        draw, number = self._dice.random, self._id("conversations")
        inbox = 1 + int(draw() * len(self._agents))
        agent = _pick(self._agents[inbox - 1], draw())
        moment = created = self._now - timedelta(days=5 + 70 * draw())
        waiting: datetime | None = None
        for place in range(1 + int(4 * draw())):
            asks = place % 2 == 0
            text = _pick(self._texts[1 if asks else 2], draw()).format(first=first)
            author, member = ("contact", None) if asks else ("member", agent)
            rows["messages"].append((self._tenant, self._id("messages"), number, author, member, text, False, moment))
            waiting = (waiting or moment) if asks else None
            last, moment = moment, moment + _HOUR * draw()
        status = _pick(_STATUSES, draw())
        rows["conversations"].append(
            (
                *(self._tenant, number, contact, None if draw() < 0.02 else inbox, agent if draw() < 0.8 else None, status),
                *(_pick(self._texts[0], draw()), _pick(_PRIORITIES, draw()), created, last, None if status == "resolved" else waiting),
            )
        )
        return last

    def _extras(self, rows: Rows, contact: int) -> None:
        """A note for some, a deal for fewer."""
        draw, tenant = self._dice.random, self._tenant
        if draw() < 0.08:
            made = self._now - timedelta(days=1 + 69 * draw())
            member = 1 + int(draw() * len(self._shop.members))
            rows["notes"].append((tenant, self._id("notes"), contact, member, _pick(self._texts[3], draw()), made))
        if draw() < 0.05:
            made = self._now - timedelta(days=5 + 65 * draw())
            closes = (self._now + timedelta(days=80 * draw() - 20)).date()
            owner, amount = 1 + int(draw() * len(self._shop.members)), 1000 * int(50 + 8950 * draw())
            rows["deals"].append(
                (
                    *(tenant, self._id("deals"), contact, None, owner, _pick(self._texts[4], draw())),
                    *(_pick(_STAGES, draw()), amount, self._shop.currency, closes, made),
                )
            )

    def _id(self, table: str) -> int:
        self._ids[table] += 1
        return self._ids[table] - 1


def marked_given(shop: Shop) -> list[str]:
    """The given names of a shop's crowd as marked texts."""
    return [f"«{word}»" for word in given_names(shop)]


def marked_surnames(shop: Shop) -> list[str]:
    """The surnames of a shop's crowd as marked texts."""
    return [f"«{word}»" for word in surnames(shop)]


def _drawn(pool: Sequence[str], dice: float) -> str:
    """One of a pool, the first ones more often: the first of 150 about once in twelve times."""
    return pool[int(len(pool) * dice * dice)]


def _pick(pool: Sequence[T], dice: float) -> T:
    return pool[int(len(pool) * dice)]
