"""No code holds a connection while it asks for another: everything works on a pool of one, so no crowd can lock itself up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from assistant import jobs
from db.pool import Database
from db.roles import logins
from tests.house import ADMIN, House
from tests.model_endpoint import calls
from veil.tokens import Kind


@pytest.fixture
async def narrow(house_dsn: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    """The house with a single connection, for which nobody waits long."""
    monkeypatch.setattr("db.pool.ACQUIRE_SECONDS", 5.0)
    database, owner = await Database.open(logins(house_dsn).app, max_size=1), await Database.open(logins(house_dsn).owner)
    yield House(database, owner)
    await database.close()
    await owner.close()


async def test_turns_need_one_connection_at_a_time(narrow: House) -> None:
    tools = calls(("read_messages", {"contact": "C-1"}), ("show_contact", {"contact": "C-1"}), ("find_contacts", {"label": "Zulema"}), ("nada", {}))
    narrow.script([tools, tools, "C-1, C-2 y C-9"])
    thread = (await narrow.ask("¿Qué pasó con María López y con Pedro Gómez, 9 6123 4567?"))["thread_id"]
    await narrow.ask("¿Y Gaspar?", thread=thread)
    await narrow.ask("cualquiera", thread=thread)
    await narrow.ask("¿Y Gaspar?", thread=thread, mentions=[(3, 9, Kind.CONTACT, 12)], key="k")
    await narrow.turns.messages(ADMIN, thread)
    await narrow.turns.threads(ADMIN)
    await narrow.turns.open_thread(ADMIN, "key", b"hash")


async def test_a_crowd_shares_it(narrow: House) -> None:
    narrow.script(lambda body: "Listo." if body["messages"][-1]["role"] == "tool" else calls(("list_team", {}), ("list_inboxes", {})))
    answers = await asyncio.gather(*(narrow.ask("¿Quién atiende a María López?") for _ in range(10)))
    assert {answer["message"]["text"] for answer in answers} == {"Listo."}


@pytest.mark.parametrize("job", jobs.JOBS, ids=lambda job: job.name)
async def test_jobs_need_one_connection_at_a_time(narrow: House, job: jobs.Job) -> None:
    assert await jobs.run(job, narrow.database) is not None
