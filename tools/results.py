"""What all results share: how much was found, and where it was searched.

A result never is empty: one that found nothing says so in numbers, so that the model answers instead of asking again.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, overload

from tools.permissions import Actor, Role
from veil.fields import Plain

#: Rows of a list; a constant of the house, in SQL as well as in what is said about a page.
ROWS = 20


class Scope(StrEnum):
    """What was searched."""

    OWN_INBOXES = "what_the_asker_may_see"
    WHOLE_CRM = "whole_crm"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A part of what was found. ``total`` is counted by the database, never derived from the rows."""

    total: Annotated[int, Plain()]
    returned: Annotated[int, Plain()]
    truncated: Annotated[bool, Plain()]  # there is more behind the last row
    searched: Annotated[Scope, Plain()]


def scope_of(actor: Actor) -> Scope:
    """What the actor's searches search."""
    return Scope.OWN_INBOXES if actor.role is Role.AGENT else Scope.WHOLE_CRM


@overload
def local(moment: datetime, now: datetime) -> datetime: ...
@overload
def local(moment: None, now: datetime) -> None: ...
@overload
def local(moment: datetime | None, now: datetime) -> datetime | None: ...
def local(moment: datetime | None, now: datetime) -> datetime | None:
    """The moment in the zone of the turn, to the minute: seconds cost the model characters and tell it nothing."""
    return moment and moment.astimezone(now.tzinfo).replace(second=0, microsecond=0)


def hours_since(moment: datetime | None, now: datetime) -> int | None:
    """Whole hours; 0 for what lies ahead."""
    return None if moment is None else max(0, (now - moment) // timedelta(hours=1))
