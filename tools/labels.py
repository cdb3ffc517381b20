"""Labels, with how many contacts and conversations wear each. A label has no token: it is asked for by its words."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from db.pool import Connection
from db.queries import load
from tools.arguments import Arguments, Number
from tools.permissions import Actor
from tools.results import ROWS, Page, scope_of
from veil.fields import FreeText, Plain, Rows


class ListLabels(Arguments):
    """Where the page begins."""

    skip: Annotated[int, Number(0, 1_000_000)] = 0


@dataclass(frozen=True, slots=True)
class LabelRow:
    """A label in a list."""

    label: Annotated[str, FreeText()]
    contacts: Annotated[int, Plain()]
    conversations: Annotated[int, Plain()]


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels(Page):
    """A page of labels."""

    labels: Annotated[tuple[LabelRow, ...], Rows()]


async def list_labels(connection: Connection, actor: Actor, arguments: ListLabels, now: datetime) -> Labels:
    """All labels; only what the actor may see is counted."""
    rows = await connection.fetch(
        load("tools", "labels")["labels"], actor.tenant_id, actor.member_id, arguments.skip, ROWS
    )
    labels = tuple(
        LabelRow(label=row["label"], contacts=row["contacts"], conversations=row["conversations"])
        for row in rows
        if row["label"] is not None
    )
    total = rows[0]["total"]
    return Labels(
        total=total,
        returned=len(labels),
        truncated=arguments.skip + len(labels) < total,
        searched=scope_of(actor),
        labels=labels,
    )
