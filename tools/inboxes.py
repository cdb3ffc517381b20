"""Inboxes, with the descriptors by which the model can tell them apart, and the work that lies in them."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from db.pool import Connection
from db.queries import load
from tools.arguments import Arguments, Choice, Number
from tools.permissions import Actor
from tools.results import ROWS, Page, scope_of
from veil.fields import FreeText, Plain, Ref, Rows
from veil.tokens import Kind


class Channel(StrEnum):
    """The way messages come in."""

    WHATSAPP = "whatsapp"
    EMAIL = "email"
    WEB = "web"
    PHONE = "phone"


class InboxState(StrEnum):
    """Whether an inbox takes messages."""

    OPEN = "open"
    CLOSED = "closed"


class ListInboxes(Arguments):
    """Which inboxes are listed."""

    channel: Annotated[Channel | None, Choice(Channel)] = None
    inbox_state: Annotated[InboxState | None, Choice(InboxState)] = None
    skip: Annotated[int, Number(0, 1_000_000)] = 0


@dataclass(frozen=True, slots=True)
class InboxRow:
    """An inbox in a list. The waiting are not resolved; the unassigned are open."""

    inbox: Annotated[int, Ref(Kind.INBOX)]
    name: Annotated[str, FreeText(("inbox",))]
    channel: Annotated[Channel, Plain()]
    state: Annotated[InboxState, Plain()]
    open_conversations: Annotated[int, Plain()]
    waiting_conversations: Annotated[int, Plain()]
    unassigned_conversations: Annotated[int, Plain()]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inboxes(Page):
    """A page of inboxes."""

    inboxes: Annotated[tuple[InboxRow, ...], Rows()]


async def list_inboxes(connection: Connection, actor: Actor, arguments: ListInboxes, now: datetime) -> Inboxes:
    """The inboxes that match all given arguments."""
    rows = await connection.fetch(
        load("tools", "inboxes")["inboxes"],
        actor.tenant_id,
        actor.member_id,
        arguments.channel,
        arguments.inbox_state,
        arguments.skip,
        ROWS,
    )
    inboxes = tuple(
        InboxRow(
            inbox=row["inbox"],
            name=row["name"],
            channel=Channel(row["channel"]),
            state=InboxState(row["state"]),
            open_conversations=row["open_conversations"],
            waiting_conversations=row["waiting_conversations"],
            unassigned_conversations=row["unassigned_conversations"],
        )
        for row in rows
        if row["inbox"] is not None
    )
    total = rows[0]["total"]
    return Inboxes(
        total=total,
        returned=len(inboxes),
        truncated=arguments.skip + len(inboxes) < total,
        searched=scope_of(actor),
        inboxes=inboxes,
    )
