"""The messages of a thread: the path from the root to a question, and that storing and reading them changes nothing."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.history import Entry
from assistant.threads import add_message, messages_of_thread, path_to, save
from tests.house import ADMIN, House
from veil.text import Clear, Mark, Marked, Source, Veiled


def rows(*parents: tuple[int, int | None]) -> list[dict[str, Any]]:
    return [{"id": number, "parent_id": parent} for number, parent in parents]


@pytest.mark.parametrize(
    ("last", "path"),
    [
        pytest.param(1, [1], id="the root"),
        pytest.param(4, [1, 2, 4], id="along the parents"),
        pytest.param(5, [1, 3, 5], id="a sibling's branch"),
    ],
)
def test_the_path_of_a_message_leads_to_the_root(last: int, path: list[int]) -> None:
    tree = rows((1, None), (2, 1), (3, 1), (4, 2), (5, 3))
    assert [row["id"] for row in path_to(tree, last)] == path


ENTRIES = [
    Entry(0, "user", 0, "[hoy]\n", marked=Marked.of(Clear("llamó Otoniel"), [Mark(6, 13, "C-1", Source.NAME)], "v")),
    Entry(0, "calls", 0, veiled=Veiled("Miro"), calls=[{"id": "call_1", "name": "list_team", "arguments": "{}"}], left=True, version="v"),
    Entry(0, "tool", 0, veiled=Veiled('{"a":"ñ"}'), calls=[{"id": "call_1", "name": "list_team"}], version="v"),
    Entry(0, "assistant", 0, marked=Marked.of(Clear("Listo."), (), "v"), left=True),
]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.role)
async def test_a_message_comes_back_as_it_was_stored(house: House, entry: Entry) -> None:
    thread, turn = await _turn(house)
    entry.turn_id = turn
    async with house.database.tenant(1) as connection:
        entry.id = await add_message(connection, tenant=1, thread=thread, parent=None, entry=entry)
        stored = await messages_of_thread(connection, 1, thread)
    assert Entry.from_row(stored[-1]) == entry


async def test_changed_messages_are_stored_together(house: House) -> None:
    thread, turn = await _turn(house)
    entries = [Entry(0, "user", turn, "[hoy]\n", marked=Marked.of(Clear("uno"), (), "v")), Entry(0, "tool", turn, veiled=Veiled("{}"), calls=[{"id": "c", "name": "n"}])]
    async with house.database.tenant(1) as connection:
        for entry in entries:
            entry.id = await add_message(connection, tenant=1, thread=thread, parent=None, entry=entry)
        entries[0].left, entries[1].withheld = True, True
        entries[1].veiled, entries[1].version = Veiled('{"a":1}'), "w"
        entries[1].left = True
        await save(connection, tenant=1, entries=entries)
        stored = await messages_of_thread(connection, 1, thread)
    assert [Entry.from_row(row) for row in stored[-2:]] == entries


async def _turn(house: House) -> tuple[int, int]:
    """A thread and a turn that made no messages but its question and our asking back."""
    answered = await house.ask("¿y Gaspar?", actor=ADMIN)
    return answered["thread_id"], answered["turn_id"]
