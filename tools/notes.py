"""Notes that the team keeps on its contacts, newest first."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from db.pool import Connection
from db.queries import load
from tools.arguments import Arguments, Moment, Number, TokenOf
from tools.permissions import Actor
from tools.results import ROWS, Page, local, scope_of
from veil.fields import FreeText, Plain, Ref, Rows
from veil.tokens import Kind


class ReadNotes(Arguments):
    """Which notes are read; ``member`` is who wrote them."""

    contact: Annotated[int | None, TokenOf(Kind.CONTACT)] = None
    member: Annotated[int | None, TokenOf(Kind.MEMBER)] = None
    created_after: Annotated[datetime | None, Moment()] = None
    created_before: Annotated[datetime | None, Moment()] = None
    skip: Annotated[int, Number(0, 1_000_000)] = 0


@dataclass(frozen=True, slots=True)
class NoteRow:
    """A note on a contact, and who of the team wrote it."""

    contact: Annotated[int, Ref(Kind.CONTACT)]
    member: Annotated[int | None, Ref(Kind.MEMBER)]
    written_at: Annotated[datetime, Plain()]
    body: Annotated[str | None, FreeText(("contact", "member"))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Notes(Page):
    """A page of notes."""

    notes: Annotated[tuple[NoteRow, ...], Rows()]


async def read_notes(connection: Connection, actor: Actor, arguments: ReadNotes, now: datetime) -> Notes:
    """The notes that match all given arguments, on contacts that the actor may see."""
    rows = await connection.fetch(
        load("tools", "notes")["notes"],
        actor.tenant_id,
        actor.member_id,
        arguments.contact,
        arguments.member,
        arguments.created_after,
        arguments.created_before,
        arguments.skip,
        ROWS,
    )
    notes = tuple(
        NoteRow(
            contact=row["contact"],
            member=row["member"],
            written_at=local(row["created_at"], now),
            body=row["body"],
        )
        for row in rows
        if row["contact"] is not None
    )
    total = rows[0]["total"]
    return Notes(
        total=total,
        returned=len(notes),
        truncated=arguments.skip + len(notes) < total,
        searched=scope_of(actor),
        notes=notes,
    )
