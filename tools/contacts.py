"""Contacts: found by what they are, never by what they are called; their phone, e-mail and ids are handles."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Annotated

from db.pool import Connection, Row
from db.queries import load
from tools.arguments import Arguments, Choice, Flag, Moment, Number, Text, TokenOf
from tools.conversations import ConversationRow, latest_of_contact
from tools.permissions import Actor
from tools.results import ROWS, Page, local, scope_of
from veil.fields import FreeText, Personal, Plain, Ref, Rows
from veil.tokens import Kind

_LATEST = 5


class ContactState(StrEnum):
    """How far a contact has come."""

    LEAD = "lead"
    ACTIVE = "active"
    INACTIVE = "inactive"


class FindContacts(Arguments):
    """What contacts are found by."""

    state: Annotated[ContactState | None, Choice(ContactState)] = None
    label: Annotated[str | None, Text(100)] = None
    company: Annotated[int | None, TokenOf(Kind.COMPANY)] = None
    inbox: Annotated[int | None, TokenOf(Kind.INBOX)] = None
    last_contact_after: Annotated[datetime | None, Moment()] = None
    last_contact_before: Annotated[datetime | None, Moment()] = None
    created_after: Annotated[datetime | None, Moment()] = None
    created_before: Annotated[datetime | None, Moment()] = None
    without_open_conversation: Annotated[bool | None, Flag()] = None
    skip: Annotated[int, Number(0, 1_000_000)] = 0


class ShowContact(Arguments):
    """Whose card is shown."""

    contact: Annotated[int, TokenOf(Kind.CONTACT)]


@dataclass(frozen=True, slots=True)
class ContactRow:
    """A contact in a list."""

    contact: Annotated[int, Ref(Kind.CONTACT)]
    state: Annotated[ContactState, Plain()]
    company: Annotated[int | None, Ref(Kind.COMPANY)]
    labels: Annotated[tuple[str, ...], FreeText(("contact",))]
    created_on: Annotated[date, Plain()]
    last_contact_at: Annotated[datetime | None, Plain()]
    open_conversations: Annotated[int, Plain()]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundContacts(Page):
    """A page of contacts."""

    contacts: Annotated[tuple[ContactRow, ...], Rows()]


@dataclass(frozen=True, slots=True)
class ContactCard:
    """All that the model may know of one contact."""

    contact: Annotated[int, Ref(Kind.CONTACT)]
    state: Annotated[ContactState, Plain()]
    company: Annotated[int | None, Ref(Kind.COMPANY)]
    labels: Annotated[tuple[str, ...], FreeText(("contact",))]
    phone: Annotated[bool, Personal("contact")]
    email: Annotated[bool, Personal("contact")]
    national_id: Annotated[bool, Personal("contact")]
    legal_id: Annotated[bool, Personal("company")]
    created_on: Annotated[date, Plain()]
    last_contact_at: Annotated[datetime | None, Plain()]
    total_conversations: Annotated[int, Plain()]
    open_conversations: Annotated[int, Plain()]
    total_notes: Annotated[int, Plain()]
    total_deals: Annotated[int, Plain()]
    latest_conversations: Annotated[tuple[ConversationRow, ...], Rows()]


async def find_contacts(connection: Connection, actor: Actor, arguments: FindContacts, now: datetime) -> FoundContacts:
    """The contacts that match all given arguments, latest contact first."""
    rows = await _found(connection, actor, arguments, ROWS)
    found = _rows(rows, now)
    total = rows[0]["total"]
    return FoundContacts(
        total=total,
        returned=len(found),
        truncated=arguments.skip + len(found) < total,
        searched=scope_of(actor),
        contacts=found,
    )


async def show_contact(
    connection: Connection, actor: Actor, arguments: ShowContact, now: datetime
) -> ContactCard | None:
    """The card of one contact."""
    row = await connection.fetchrow(
        load("tools", "contacts")["contact_card"], actor.tenant_id, actor.member_id, arguments.contact
    )
    if row is None:
        return None
    return ContactCard(
        contact=row["contact"],
        state=ContactState(row["state"]),
        company=row["company"],
        labels=tuple(row["labels"]),
        phone=row["phone"],
        email=row["email"],
        national_id=row["national_id"],
        legal_id=row["legal_id"],
        created_on=local(row["created_at"], now).date(),
        last_contact_at=local(row["last_contact_at"], now),
        total_conversations=row["total_conversations"],
        open_conversations=row["open_conversations"],
        total_notes=row["total_notes"],
        total_deals=row["total_deals"],
        latest_conversations=await latest_of_contact(connection, actor, arguments.contact, now, rows=_LATEST),
    )


async def latest_of_company(
    connection: Connection, actor: Actor, company: int, now: datetime, *, rows: int
) -> tuple[ContactRow, ...]:
    """The company's contacts, latest contact first."""
    return _rows(await _found(connection, actor, FindContacts.model_construct(company=company), rows), now)


async def _found(connection: Connection, actor: Actor, arguments: FindContacts, rows: int) -> Sequence[Row]:
    return await connection.fetch(
        load("tools", "contacts")["found_contacts"],
        actor.tenant_id,
        actor.member_id,
        arguments.state,
        arguments.label,
        arguments.company,
        arguments.inbox,
        arguments.last_contact_after,
        arguments.last_contact_before,
        arguments.created_after,
        arguments.created_before,
        arguments.without_open_conversation,
        arguments.skip,
        rows,
    )


def _rows(rows: Sequence[Row], now: datetime) -> tuple[ContactRow, ...]:
    return tuple(
        ContactRow(
            contact=row["contact"],
            state=ContactState(row["state"]),
            company=row["company"],
            labels=tuple(row["labels"]),
            created_on=local(row["created_at"], now).date(),
            last_contact_at=local(row["last_contact_at"], now),
            open_conversations=row["open_conversations"],
        )
        for row in rows
        if row["contact"] is not None
    )
