"""What must hold of the database and of requests whatever was killed: statements that find what must not be there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from db.queries import load


def half_stored() -> Mapping[str, str]:
    """Statements that give the rows of a tenant that are half of something; each must give none."""
    return load("tests.faults", "half_stored")


def mispaired(messages: Sequence[Mapping[str, Any]]) -> list[str]:
    """Where a list of messages is one that a strict server refuses: calls without results, results without calls, two of a kind in a row."""
    found, open_calls = [], list[str]()
    for place, message in enumerate(messages):
        before = messages[place - 1]["role"] if place else None
        found += [f"message {place} {trouble}" for trouble in _troubles(message, before, open_calls)]
        if message["role"] == "tool":
            open_calls = [call for call in open_calls if call != message["tool_call_id"]]
        else:
            open_calls = [call["id"] for call in message.get("tool_calls") or ()]
    if open_calls or messages[-1]["role"] not in ("user", "tool"):
        found.append("the end is not the model's turn to speak")
    return found


def _troubles(message: Mapping[str, Any], before: str | None, open_calls: Sequence[str]) -> Iterator[str]:
    role, called = message["role"], [call["id"] for call in message.get("tool_calls") or ()]
    if role == "tool" and message["tool_call_id"] not in open_calls:
        yield "answers no open call"
    if role != "tool" and open_calls:
        yield "comes before the results of all calls"
    if role != "tool" and role == before:
        yield f"follows another of the {role}"
    if (role == "system") != (before is None):
        yield "stands at a system text's place, or is one at another's"
    if len({*called}) < len(called):
        yield "calls twice under one id"
    if not isinstance(message.get("content"), str):
        yield "has no text"
