"""Who may use what: one literal table by role. Whose rows somebody then sees, ``crm.visible`` decides in SQL."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from tools.refusals import Reason


class Role(StrEnum):
    """What a member is in the CRM."""

    AGENT = "agent"
    SUPERVISOR = "supervisor"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class Actor:
    """The member in whose name a tool runs, as the database knows them now."""

    tenant_id: int
    member_id: int
    role: Role


class Permission(StrEnum):
    """What a tool needs its actor to be allowed."""

    READ_CONTACTS = "read_contacts"
    READ_CONVERSATIONS = "read_conversations"
    READ_MESSAGES = "read_messages"
    READ_TEAM = "read_team"
    READ_INBOXES = "read_inboxes"
    READ_NOTES = "read_notes"
    READ_COMPANIES = "read_companies"
    READ_CAMPAIGNS = "read_campaigns"
    READ_DEALS = "read_deals"
    READ_LABELS = "read_labels"


@dataclass(frozen=True, slots=True)
class Allowed:
    """The actor may go on."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The actor may not go on."""

    reason: Reason


_EVERYBODY = frozenset(Role)

ALLOWED: Mapping[Permission, frozenset[Role]] = {
    Permission.READ_CONTACTS: _EVERYBODY,
    Permission.READ_CONVERSATIONS: _EVERYBODY,
    Permission.READ_MESSAGES: _EVERYBODY,
    Permission.READ_TEAM: _EVERYBODY,
    Permission.READ_INBOXES: _EVERYBODY,
    Permission.READ_NOTES: _EVERYBODY,
    Permission.READ_COMPANIES: _EVERYBODY,
    Permission.READ_CAMPAIGNS: _EVERYBODY,
    Permission.READ_DEALS: _EVERYBODY,
    Permission.READ_LABELS: _EVERYBODY,
}


def decide(actor: Actor, permission: Permission) -> Allowed | Refused:
    """Allow what the table allows to the actor's role, and nothing else."""
    if actor.role in ALLOWED.get(permission, frozenset()):
        return Allowed()
    return Refused(Reason.NOT_ALLOWED)
