"""Workload: who has how many conversations that are not resolved, how many of them wait, and for how long."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from db.pool import Connection
from db.queries import load
from tools.arguments import Arguments, Choice, Number, TokenOf
from tools.permissions import Actor
from tools.results import ROWS, Page, hours_since, scope_of
from veil.fields import Plain, Ref, Rows
from veil.tokens import Kind


class Side(StrEnum):
    """Whose work is counted."""

    ASSIGNEE = "assignee"
    INBOX = "inbox"
    BOTH = "assignee_and_inbox"


class ShowWorkload(Arguments):
    """Whose work is counted, and in which part of it; ``member`` is the assignee."""

    by: Annotated[Side, Choice(Side)] = Side.ASSIGNEE
    inbox: Annotated[int | None, TokenOf(Kind.INBOX)] = None
    member: Annotated[int | None, TokenOf(Kind.MEMBER)] = None
    skip: Annotated[int, Number(0, 1_000_000)] = 0


@dataclass(frozen=True, slots=True)
class WorkloadRow:
    """The work of an assignee (nobody's when empty), in an inbox, or in both, as was asked for."""

    assignee: Annotated[int | None, Ref(Kind.MEMBER)]
    inbox: Annotated[int | None, Ref(Kind.INBOX)]
    open_conversations: Annotated[int, Plain()]
    pending_conversations: Annotated[int, Plain()]
    snoozed_conversations: Annotated[int, Plain()]
    waiting_conversations: Annotated[int, Plain()]
    longest_wait_hours: Annotated[int | None, Plain()]


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload(Page):
    """A page of work, most waiting first; ``total`` counts its rows, and the other two all conversations in them."""

    by: Annotated[Side, Plain()]
    unresolved_conversations: Annotated[int, Plain()]
    waiting_conversations: Annotated[int, Plain()]
    workload: Annotated[tuple[WorkloadRow, ...], Rows()]


async def show_workload(connection: Connection, actor: Actor, arguments: ShowWorkload, now: datetime) -> Workload:
    """The work of those who match; members and inboxes without any are there with zeros."""
    rows = await connection.fetch(
        load("tools", "workload")["workload"],
        actor.tenant_id,
        actor.member_id,
        arguments.by,
        arguments.inbox,
        arguments.member,
        arguments.skip,
        ROWS,
    )
    work = tuple(
        WorkloadRow(
            assignee=row["assignee"],
            inbox=row["inbox"],
            open_conversations=row["open_conversations"],
            pending_conversations=row["pending_conversations"],
            snoozed_conversations=row["snoozed_conversations"],
            waiting_conversations=row["waiting_conversations"],
            longest_wait_hours=hours_since(row["waiting_since"], now),
        )
        for row in rows
        if row["open_conversations"] is not None
    )
    first = rows[0]
    return Workload(
        total=first["total"],
        returned=len(work),
        truncated=arguments.skip + len(work) < first["total"],
        searched=scope_of(actor),
        by=arguments.by,
        unresolved_conversations=first["all_unresolved"],
        waiting_conversations=first["all_waiting"],
        workload=work,
    )
