"""The team: who works here, in which role and inboxes, and with how much open work."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from db.pool import Connection
from db.queries import load
from tools.arguments import Arguments, Choice, Number, TokenOf
from tools.permissions import Actor, Role
from tools.results import ROWS, Page, scope_of
from veil.fields import Plain, Ref, Rows
from veil.tokens import Kind


class ListTeam(Arguments):
    """Which members are listed."""

    role: Annotated[Role | None, Choice(Role)] = None
    inbox: Annotated[int | None, TokenOf(Kind.INBOX)] = None
    skip: Annotated[int, Number(0, 1_000_000)] = 0


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A member in a list."""

    member: Annotated[int, Ref(Kind.MEMBER)]
    role: Annotated[Role, Plain()]
    active: Annotated[bool, Plain()]
    inboxes: Annotated[tuple[int, ...], Ref(Kind.INBOX)]
    open_conversations: Annotated[int, Plain()]


@dataclass(frozen=True, slots=True, kw_only=True)
class Team(Page):
    """A page of members."""

    members: Annotated[tuple[MemberRow, ...], Rows()]


async def list_team(connection: Connection, actor: Actor, arguments: ListTeam, now: datetime) -> Team:
    """The members that match all given arguments."""
    rows = await connection.fetch(
        load("tools", "team")["team"],
        actor.tenant_id,
        actor.member_id,
        arguments.role,
        arguments.inbox,
        arguments.skip,
        ROWS,
    )
    members = tuple(
        MemberRow(
            member=row["member"],
            role=Role(row["role"]),
            active=row["active"],
            inboxes=tuple(row["inboxes"]),
            open_conversations=row["open_conversations"],
        )
        for row in rows
        if row["member"] is not None
    )
    total = rows[0]["total"]
    return Team(
        total=total,
        returned=len(members),
        truncated=arguments.skip + len(members) < total,
        searched=scope_of(actor),
        members=members,
    )
