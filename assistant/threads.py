"""Threads and their messages in Postgres: the path that leads to a question, and what is stored of each message."""

import json
from collections.abc import Sequence
from typing import Any

from assistant.history import Entry
from db.pool import Connection, Row
from db.queries import load

SQL = load("assistant", "turns")


async def messages_of_thread(connection: Connection, tenant: int, thread: int) -> Sequence[Row]:
    """Every message of a thread, in order of its making."""
    return await connection.fetch(SQL["messages_of_thread"], tenant, thread)


def path_to(rows: Sequence[Row], last: int) -> list[Row]:
    """The messages from the root of the thread to this one."""
    by_id = {row["id"]: row for row in rows}
    path: list[Row] = []
    current: int | None = last
    while current is not None:
        path.append(by_id[current])
        current = by_id[current]["parent_id"]
    return path[::-1]


async def add_message(connection: Connection, *, tenant: int, thread: int, parent: int | None, entry: Entry) -> int:
    """Store a new message; gives its id."""
    number: int = await connection.fetchval(
        SQL["add_message"],
        tenant,
        thread,
        parent,
        entry.turn_id,
        entry.role,
        _state(entry),
        _text(entry),
        entry.marks_to_json(),
        entry.calls if entry.role in ("calls", "tool") else None,
        entry.opening or None,
    )
    return number


async def save(connection: Connection, *, tenant: int, entries: Sequence[Entry]) -> None:
    """Store what has changed in messages that exist: marks, late masks, whether they have left."""
    await connection.execute(
        SQL["set_messages"],
        tenant,
        [entry.id for entry in entries],
        [_state(entry) for entry in entries],
        [_text(entry) for entry in entries],
        [_dump(entry.marks_to_json()) for entry in entries],
        [_dump(entry.calls) if entry.role in ("calls", "tool") else None for entry in entries],
    )


def _state(entry: Entry) -> str:
    if entry.withheld:
        return "withheld"
    return "sent" if entry.left else "stored"


def _text(entry: Entry) -> str:
    if entry.marked is not None:
        return entry.marked.clear.text
    return entry.veiled.text if entry.veiled is not None else ""


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
