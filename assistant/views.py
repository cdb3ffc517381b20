"""What the doors show of stored turns, threads and messages: clear texts drawn for their reader, ids turned into what may be seen now."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from assistant.settings import TenantSettings
from assistant.threads import messages_of_thread, path_to
from audit.record import Sent
from db.pool import Connection, Row
from tools.permissions import Actor
from veil import resolve, veiling
from veil.text import Marked
from veil.tokens import Entity, EntityId, Kind
from veil.unveiling import Cards, draw, plain


async def response(connection: Connection, actor: Actor, tenant: TenantSettings, turn: Row) -> dict[str, Any]:
    """The body that answers a question."""
    rows = await messages_of_thread(connection, actor.tenant_id, turn["thread_id"])
    (message,) = await _drawn(connection, actor, tenant, [row for row in rows if row["id"] == turn["answer_id"]])
    return {
        "thread_id": turn["thread_id"],
        "turn_id": turn["id"],
        "message": message,
        "steps": turn["steps"],
        "unknown_tokens": turn["outcome"]["unknown"],
        "choices": await _choices(connection, actor, tenant, turn["outcome"]["choices"]),
        "late_masks": turn["outcome"]["late"],
        "finish": turn["outcome"]["finish"],
    }


async def messages(connection: Connection, actor: Actor, tenant: TenantSettings, thread_id: int) -> list[dict[str, Any]]:
    """The questions and answers of a thread along its latest path."""
    rows = await messages_of_thread(connection, actor.tenant_id, thread_id)
    path = path_to(rows, rows[-1]["id"]) if rows else []
    return await _drawn(connection, actor, tenant, [row for row in path if row["role"] in ("user", "assistant")])


def member(actor: Actor, tenant: TenantSettings) -> dict[str, Any]:
    """Who asks, and how their tenant is answered."""
    return {
        "tenant_id": actor.tenant_id,
        "member_id": actor.member_id,
        "role": actor.role.value,
        "language": tenant.language,
        "zone": tenant.zone,
    }


def thread(row: Row) -> dict[str, Any]:
    """A thread: it has no title, which would be a second copy of a name."""
    return {
        "thread_id": row["id"],
        "created_at": row["created_at"].isoformat(timespec="seconds"),
        "updated_at": row["updated_at"].isoformat(timespec="seconds"),
    }


def veiled(turn: Row, calls: Sequence[Sent]) -> dict[str, Any]:
    """What a turn sent and received. ``sha256`` is of the bytes sent, ``intact`` whether what is stored still has it."""
    return {
        "turn_id": turn["id"],
        "model": turn["model"],
        "late_masks": (turn["outcome"] or {}).get("late", 0),
        "calls": [
            {
                "ordinal": call.ordinal,
                "status": call.status,
                "sha256": call.sha256,
                "intact": call.intact,
                "request": json.loads(call.body),
                "response": json.loads(call.response) if call.response is not None else None,
                "sent_at": call.sent_at.isoformat(),
                "received_at": call.received_at.isoformat() if call.received_at else None,
            }
            for call in calls
        ],
    }


async def _drawn(connection: Connection, actor: Actor, tenant: TenantSettings, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Clear messages as their reader may see them now."""
    texts = [Marked.from_stored(row["text"], row["marks"]) for row in rows]
    cards, _ = await resolve.cards(
        connection,
        tenant=actor.tenant_id,
        member=actor.member_id,
        entities=dict.fromkeys(entity for marked in texts for mark in marked.marks for entity in mark.entities),
    )
    drawn = [draw(marked, cards, veiling.WORDS[tenant.language].erased) for marked in texts]
    return [
        {
            "id": row["id"],
            "turn_id": row["turn_id"],
            "role": row["role"],
            "text": shown.text.text,
            "marks": [_understood(mark, cards) for mark in shown.marks],
            "withheld": row["state"] == "withheld",
            "created_at": row["created_at"].isoformat(timespec="seconds"),
        }
        for row, shown in zip(rows, drawn, strict=True)
    ]


async def _choices(
    connection: Connection, actor: Actor, tenant: TenantSettings, stored: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """The mentions that have several bearers, with what tells these apart; times in the tenant's zone, as tools give them."""
    wanted = [[Entity(Kind(kind), EntityId(number)) for kind, number in choice["candidates"]] for choice in stored]
    cards, details = await resolve.cards(
        connection,
        tenant=actor.tenant_id,
        member=actor.member_id,
        entities=dict.fromkeys(entity for candidates in wanted for entity in candidates),
    )
    return [
        {
            "start": choice["start"],
            "end": choice["end"],
            "total": choice["total"],
            "candidates": [
                {
                    "kind": entity.kind.value,
                    "id": entity.id,
                    "name": cards[entity].name,
                    "inbox": details[entity].inbox,
                    "last_contact": _local(details[entity].last_contact, tenant),
                }
                for entity in candidates
                if entity in cards and cards[entity].visible
            ],
        }
        for choice, candidates in zip(stored, wanted, strict=True)
    ]


def _understood(mark: dict[str, Any], cards: Cards) -> dict[str, Any]:
    """A mark; for a misspelt name with whom was understood, since the text shows what was written."""
    if not mark["fuzzy"] or "ids" not in mark:
        return mark
    kind = Kind(mark["kind"])
    return {**mark, "understood": [plain(cards[Entity(kind, EntityId(number))].name) for number in mark["ids"]]}


def _local(moment: datetime | None, tenant: TenantSettings) -> str | None:
    return moment.astimezone(tenant.time_zone).isoformat(timespec="minutes") if moment else None
