"""Messages of conversations, newest first: what a cap leaves out is the oldest and can be asked for by number."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Self

from pydantic import model_validator
from pydantic_core import PydanticCustomError

from db.pool import Connection, Row
from db.queries import load
from tools.arguments import Arguments, Number, TokenOf
from tools.permissions import Actor
from tools.refusals import Reason
from tools.results import ROWS, Page, local, scope_of
from veil.fields import Aside, FreeText, Plain, Ref, Rows
from veil.tokens import Kind


class Author(StrEnum):
    """Who wrote a message."""

    CONTACT = "contact"
    MEMBER = "member"
    SYSTEM = "system"


class ReadMessages(Arguments):
    """Whose messages are read: of one conversation, or of all conversations of one contact."""

    conversation: Annotated[int | None, TokenOf(Kind.CONVERSATION)] = None
    contact: Annotated[int | None, TokenOf(Kind.CONTACT)] = None
    before: Annotated[int | None, Number(1, 1_000_000_000)] = None

    @model_validator(mode="after")
    def _of_exactly_one(self) -> Self:
        if (self.conversation is None) == (self.contact is None):
            raise PydanticCustomError(Reason.EXACTLY_ONE.value, "declined")
        return self


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A message; ``number`` is its place, counted from the oldest, and ``member`` who wrote it, if a member did.

    ``settled``: it is from before its conversation was last resolved. ``earlier`` and ``later`` are what its writer
    wrote before and after it in the conversation, on this page or not.
    """

    number: Annotated[int, Plain()]
    conversation: Annotated[int, Ref(Kind.CONVERSATION)]
    contact: Annotated[int | None, Ref(Kind.CONTACT)]
    author: Annotated[Author, Plain()]
    member: Annotated[int | None, Ref(Kind.MEMBER)]
    private: Annotated[bool, Plain()]
    settled: Annotated[bool, Plain()]
    sent_at: Annotated[datetime, Plain()]
    body: Annotated[str | None, FreeText(("contact", "member"), "earlier", "later")]
    earlier: Annotated[str | None, Aside()]
    later: Annotated[str | None, Aside()]


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagePage(Page):
    """A page of messages, newest first; ``settled_messages`` of ``total`` are from before a conversation was last resolved."""

    settled_messages: Annotated[int, Plain()]
    messages: Annotated[tuple[MessageRow, ...], Rows()]


async def read_messages(connection: Connection, actor: Actor, arguments: ReadMessages, now: datetime) -> MessagePage:
    """The latest messages, or those before a number.

    A conversation that was opened again begins after it was last resolved: what was agreed on then is no longer what
    is asked. The older ones are read by their numbers.
    """
    rows = await _page(
        connection,
        actor,
        conversation=arguments.conversation,
        contact=arguments.contact,
        before=arguments.before,
        rows=ROWS,
    )
    messages = _messages(rows, now)
    return MessagePage(
        total=rows[0]["total"],
        returned=len(messages),
        truncated=bool(messages) and messages[-1].number > 1,
        searched=scope_of(actor),
        settled_messages=rows[0]["settled_messages"],
        messages=messages,
    )


async def latest_of_conversation(
    connection: Connection, actor: Actor, conversation: int, now: datetime, *, rows: int
) -> tuple[int, int, tuple[MessageRow, ...]]:
    """How many messages a conversation has, how many of them are settled, and the latest."""
    page = await _page(connection, actor, conversation=conversation, contact=None, before=None, rows=rows)
    return page[0]["total"], page[0]["settled_messages"], _messages(page, now)


async def _page(
    connection: Connection,
    actor: Actor,
    *,
    conversation: int | None,
    contact: int | None,
    before: int | None,
    rows: int,
) -> Sequence[Row]:
    statement = load("tools", "messages")["page_of_messages"]
    return await connection.fetch(statement, actor.tenant_id, actor.member_id, conversation, contact, before, rows)


def _messages(rows: Sequence[Row], now: datetime) -> tuple[MessageRow, ...]:
    return tuple(
        MessageRow(
            number=row["number"],
            conversation=row["conversation"],
            contact=row["contact"],
            author=Author(row["author"]),
            member=row["member"],
            private=row["private"],
            settled=row["settled"],
            sent_at=local(row["sent_at"], now),
            body=row["body"],
            earlier=row["earlier"],
            later=row["later"],
        )
        for row in rows
        if row["number"] is not None
    )
