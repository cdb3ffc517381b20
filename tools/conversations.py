"""Conversations of the CRM: found and counted by where they stand, shown with their last messages."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated

from db.pool import Connection, Row
from db.queries import load
from tools.arguments import Arguments, Choice, Flag, Moment, Number, Text, TokenOf
from tools.messages import MessageRow, latest_of_conversation
from tools.permissions import Actor
from tools.results import ROWS, Page, hours_since, local, scope_of
from veil.fields import FreeText, Plain, Ref, Rows
from veil.tokens import Kind

_LATEST = 8


class Status(StrEnum):
    """Where a conversation stands."""

    OPEN = "open"
    PENDING = "pending"
    SNOOZED = "snoozed"
    RESOLVED = "resolved"


class Priority(StrEnum):
    """How urgent a conversation is."""

    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"
    URGENT = "urgent"


class Trait(StrEnum):
    """What conversations are counted by."""

    STATUS = "status"
    INBOX = "inbox"
    ASSIGNEE = "assignee"


class ConversationFilters(Arguments):
    """What conversations are found by; ``member`` is the assignee."""

    status: Annotated[Status | None, Choice(Status)] = None
    priority: Annotated[Priority | None, Choice(Priority)] = None
    inbox: Annotated[int | None, TokenOf(Kind.INBOX)] = None
    member: Annotated[int | None, TokenOf(Kind.MEMBER)] = None
    unassigned: Annotated[bool | None, Flag()] = None
    contact: Annotated[int | None, TokenOf(Kind.CONTACT)] = None
    label: Annotated[str | None, Text(100)] = None
    waiting_hours: Annotated[int | None, Number(0, 87_600)] = None
    created_after: Annotated[datetime | None, Moment()] = None
    created_before: Annotated[datetime | None, Moment()] = None
    last_message_after: Annotated[datetime | None, Moment()] = None
    last_message_before: Annotated[datetime | None, Moment()] = None


class FindConversations(ConversationFilters):
    """What conversations are found by, and where the page begins."""

    skip: Annotated[int, Number(0, 1_000_000)] = 0


class CountConversations(ConversationFilters):
    """What conversations are counted by."""

    by: Annotated[Trait, Choice(Trait)]


class ShowConversation(Arguments):
    """Which conversation is shown."""

    conversation: Annotated[int, TokenOf(Kind.CONVERSATION)]


@dataclass(frozen=True, slots=True)
class ConversationRow:
    """A conversation in a list."""

    conversation: Annotated[int, Ref(Kind.CONVERSATION)]
    contact: Annotated[int | None, Ref(Kind.CONTACT)]
    inbox: Annotated[int | None, Ref(Kind.INBOX)]
    assignee: Annotated[int | None, Ref(Kind.MEMBER)]
    status: Annotated[Status, Plain()]
    priority: Annotated[Priority, Plain()]
    subject: Annotated[str | None, FreeText(("contact", "assignee"))]
    last_message_at: Annotated[datetime | None, Plain()]
    waiting_hours: Annotated[int | None, Plain()]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundConversations(Page):
    """A page of conversations."""

    conversations: Annotated[tuple[ConversationRow, ...], Rows()]


@dataclass(frozen=True, slots=True)
class Count:
    """How many conversations share a trait; the traits that were not asked for are empty."""

    status: Annotated[Status | None, Plain()]
    inbox: Annotated[int | None, Ref(Kind.INBOX)]
    assignee: Annotated[int | None, Ref(Kind.MEMBER)]
    conversations: Annotated[int, Plain()]


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedConversations(Page):
    """The counts, largest first; ``total`` is the number of conversations."""

    by: Annotated[Trait, Plain()]
    counts: Annotated[tuple[Count, ...], Rows()]


@dataclass(frozen=True, slots=True)
class ConversationCard:
    """One conversation with its last messages, newest first: those since it was last resolved, if it was opened again.

    ``settled_messages`` of ``total_messages`` are from before that.
    """

    conversation: Annotated[int, Ref(Kind.CONVERSATION)]
    contact: Annotated[int | None, Ref(Kind.CONTACT)]
    inbox: Annotated[int | None, Ref(Kind.INBOX)]
    assignee: Annotated[int | None, Ref(Kind.MEMBER)]
    status: Annotated[Status, Plain()]
    priority: Annotated[Priority, Plain()]
    subject: Annotated[str | None, FreeText(("contact", "assignee"))]
    labels: Annotated[tuple[str, ...], FreeText(("contact", "assignee"))]
    created_at: Annotated[datetime, Plain()]
    last_message_at: Annotated[datetime | None, Plain()]
    waiting_hours: Annotated[int | None, Plain()]
    total_messages: Annotated[int, Plain()]
    settled_messages: Annotated[int, Plain()]
    latest_messages: Annotated[tuple[MessageRow, ...], Rows()]


async def find_conversations(
    connection: Connection, actor: Actor, arguments: FindConversations, now: datetime
) -> FoundConversations:
    """The conversations that match all given arguments; the longest waiting first when waiting is asked for."""
    rows = await connection.fetch(
        load("tools", "conversations")["found_conversations"], *_filters(actor, arguments, now), arguments.skip, ROWS
    )
    found = _rows(rows, now)
    total = rows[0]["total"]
    return FoundConversations(
        total=total,
        returned=len(found),
        truncated=arguments.skip + len(found) < total,
        searched=scope_of(actor),
        conversations=found,
    )


async def count_conversations(
    connection: Connection, actor: Actor, arguments: CountConversations, now: datetime
) -> CountedConversations:
    """How many conversations match all given arguments, by one trait."""
    rows = await connection.fetch(
        load("tools", "conversations")["counted_conversations"], *_filters(actor, arguments, now), arguments.by
    )
    counts = tuple(
        Count(
            status=row["status"] and Status(row["status"]),
            inbox=row["inbox"],
            assignee=row["assignee"],
            conversations=row["conversations"],
        )
        for row in rows[:ROWS]
    )
    return CountedConversations(
        total=sum(row["conversations"] for row in rows),
        returned=len(counts),
        truncated=len(rows) > len(counts),
        searched=scope_of(actor),
        by=arguments.by,
        counts=counts,
    )


async def show_conversation(
    connection: Connection, actor: Actor, arguments: ShowConversation, now: datetime
) -> ConversationCard | None:
    """One conversation with its last messages."""
    card = load("tools", "conversations")["conversation_card"]
    row = await connection.fetchrow(card, actor.tenant_id, actor.member_id, arguments.conversation)
    if row is None:
        return None
    total, settled, messages = await latest_of_conversation(connection, actor, arguments.conversation, now, rows=_LATEST)
    return ConversationCard(
        conversation=row["conversation"],
        contact=row["contact"],
        inbox=row["inbox"],
        assignee=row["assignee"],
        status=Status(row["status"]),
        priority=Priority(row["priority"]),
        subject=row["subject"],
        labels=tuple(row["labels"]),
        created_at=local(row["created_at"], now),
        last_message_at=local(row["last_message_at"], now),
        waiting_hours=hours_since(row["waiting_since"], now),
        total_messages=total,
        settled_messages=settled,
        latest_messages=messages,
    )


async def latest_of_contact(
    connection: Connection, actor: Actor, contact: int, now: datetime, *, rows: int
) -> tuple[ConversationRow, ...]:
    """The contact's latest conversations."""
    filters = _filters(actor, ConversationFilters.model_construct(contact=contact), now)
    return _rows(await connection.fetch(load("tools", "conversations")["found_conversations"], *filters, 0, rows), now)


def _filters(actor: Actor, filters: ConversationFilters, now: datetime) -> tuple[object, ...]:
    """The parameters ``$1`` to ``$14``, which both statements share."""
    waiting = None if filters.waiting_hours is None else now - timedelta(hours=filters.waiting_hours)
    return (
        actor.tenant_id,
        actor.member_id,
        filters.status,
        filters.priority,
        filters.inbox,
        filters.member,
        filters.unassigned,
        filters.contact,
        filters.label,
        waiting,
        filters.created_after,
        filters.created_before,
        filters.last_message_after,
        filters.last_message_before,
    )


def _rows(rows: Sequence[Row], now: datetime) -> tuple[ConversationRow, ...]:
    return tuple(
        ConversationRow(
            conversation=row["conversation"],
            contact=row["contact"],
            inbox=row["inbox"],
            assignee=row["assignee"],
            status=Status(row["status"]),
            priority=Priority(row["priority"]),
            subject=row["subject"],
            last_message_at=local(row["last_message_at"], now),
            waiting_hours=hours_since(row["waiting_since"], now),
        )
        for row in rows
        if row["conversation"] is not None
    )

