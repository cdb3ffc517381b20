"""What the doors show of stored turns, threads and messages: clear texts drawn for their reader, ids turned into what may be seen now."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from assistant import events
from assistant.errors import TurnFailed
from assistant.events import Event
from assistant.settings import TenantSettings
from assistant.speech import restored
from assistant.threads import SQL, messages_of_thread, path_to
from audit.record import Sent
from db.pool import Connection, Database, Row
from tools.permissions import Actor
from veil import resolve, veiling
from veil.text import Marked
from veil.tokens import Entity, EntityId, Kind
from veil.unveiling import Cards, Drawn, Meant, draw, filled, plain


async def response(connection: Connection, actor: Actor, tenant: TenantSettings, turn: Row) -> dict[str, Any]:
    """The body that answers a question."""
    return {
        "thread_id": turn["thread_id"],
        "turn_id": turn["id"],
        "message": await answer(connection, actor, tenant, turn),
        "steps": turn["steps"],
        "unknown_tokens": turn["outcome"]["unknown"],
        "choices": await _choices(connection, actor, tenant, turn["outcome"]["choices"]),
        "late_masks": turn["outcome"]["late"],
        "finish": turn["outcome"]["finish"],
        "dropped_questions": turn["outcome"].get("dropped", 0),
    }


async def answer(connection: Connection, actor: Actor, tenant: TenantSettings, turn: Row) -> dict[str, Any] | None:
    """The answer of a turn, or what came of it; ``None`` when nothing did."""
    if turn["answer_id"] is None:
        return None
    row = await connection.fetchrow(SQL["message"], actor.tenant_id, turn["answer_id"])
    if row is None:
        return None
    of_turn = {"turn_state": turn["state"], "outcome": turn["outcome"], "error_id": turn["error_id"]}
    (message,) = await _drawn(connection, actor, tenant, [{**row, **of_turn}])
    return message


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
    cards = await resolve.cards(
        connection,
        tenant=actor.tenant_id,
        member=actor.member_id,
        entities=dict.fromkeys(entity for marked in texts for mark in marked.marks for entity in mark.entities),
    )
    drawn = [draw(marked, cards, veiling.WORDS[tenant.language].erased) for marked in texts]
    return [_message(row, shown, cards) for row, shown in zip(rows, drawn, strict=True)]


def _message(row: Row, shown: Drawn, cards: Cards) -> dict[str, Any]:
    outcome = (row["outcome"] or {}) if row["role"] == "assistant" else {}
    return {
        "id": row["id"],
        "turn_id": row["turn_id"],
        "role": row["role"],
        "text": shown.text.text,
        "marks": [_understood(mark, cards) for mark in shown.marks],
        "withheld": row["state"] == "withheld",
        "state": row["turn_state"],
        "finish": outcome.get("finish"),
        "unknown_tokens": outcome.get("unknown", []),
        "late_masks": outcome.get("late", 0),
        "dropped_questions": outcome.get("dropped", 0),
        "error_id": row["error_id"],
        "created_at": row["created_at"].isoformat(timespec="seconds"),
    }


async def _choices(
    connection: Connection, actor: Actor, tenant: TenantSettings, stored: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """The mentions that have several bearers, with what tells these apart; times in the tenant's zone, as tools give them."""
    wanted = [[Entity(Kind(kind), EntityId(number)) for kind, number in choice["candidates"]] for choice in stored]
    everyone = dict.fromkeys(entity for candidates in wanted for entity in candidates)
    cards = await resolve.cards(connection, tenant=actor.tenant_id, member=actor.member_id, entities=everyone)
    details = await resolve.details(connection, tenant=actor.tenant_id, member=actor.member_id, entities=everyone)
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
                if entity in cards and entity in details and cards[entity].visible
            ],
        }
        for choice, candidates in zip(stored, wanted, strict=True)
    ]


class Reader:
    """Draws the events of one turn for one reader, each by what they may see at that moment: rights may change while an answer streams."""

    def __init__(self, database: Database, actor: Actor, tenant: TenantSettings, turn: Row) -> None:
        self.actor = actor
        self.turn = turn
        self._database = database
        self._tenant = tenant

    async def event(self, event: Event) -> Mapping[str, Any]:
        """What an event says to this reader; not for the last one of a turn."""
        if event.kind == events.STARTED:
            return {"thread_id": self.turn["thread_id"], "turn_id": self.turn["id"]}
        if event.kind != events.TEXT:
            return event.body
        pieces = [restored(piece) for piece in event.body["pieces"]]
        cards = await self._look_up({piece.entity for piece in pieces if isinstance(piece, Meant) and piece.entity is not None})
        shown = draw(filled(pieces, cards, ""), cards, veiling.WORDS[self._tenant.language].erased)
        return {"call": event.body["call"], "text": shown.text.text, "marks": [_understood(mark, cards) for mark in shown.marks]}

    async def _look_up(self, entities: set[Entity]) -> Cards:
        if not entities:
            return {}
        async with self._database.tenant(self.actor.tenant_id, read_only=True) as connection:
            return await resolve.cards(connection, tenant=self.actor.tenant_id, member=self.actor.member_id, entities=entities)

    async def end(self, kind: str, failure: TurnFailed) -> Mapping[str, Any]:
        """What the last event of a turn says that has no whole answer."""
        ended: dict[str, Any] = {**failure.concerns}
        async with self._database.tenant(self.actor.tenant_id, read_only=True) as connection:
            turn = await connection.fetchrow(SQL["turn_of_member"], self.actor.tenant_id, self.turn["id"], self.actor.member_id)
            ended["message"] = None if turn is None else await answer(connection, self.actor, self._tenant, turn)
        if kind == events.FAILED:
            ended |= {"error_id": failure.error_id, "code": failure.code, "title": failure.title, "detail": failure.detail}
        return ended


def _understood(mark: dict[str, Any], cards: Cards) -> dict[str, Any]:
    """A mark; for a misspelt name with whom was understood, since the text shows what was written."""
    if not mark["fuzzy"] or "ids" not in mark:
        return mark
    kind = Kind(mark["kind"])
    return {**mark, "understood": [plain(cards[Entity(kind, EntityId(number))].name) for number in mark["ids"]]}


def _local(moment: datetime | None, tenant: TenantSettings) -> str | None:
    return moment.astimezone(tenant.time_zone).isoformat(timespec="minutes") if moment else None
