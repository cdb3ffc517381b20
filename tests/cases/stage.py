"""The house with the people of a case instead of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx2

from assistant.http.app import application
from assistant.http.auth import LOCAL_ISSUER, Authenticator, SharedSecret
from assistant.http.health import Health
from assistant.readiness import State
from tests.house import House
from tests.http.conftest import SECRET, token


async def with_contacts(house: House, *contacts: str | dict[str, Any]) -> None:
    """Tenant 1 has these contacts, with ids from 1 on, and none of the house's own."""
    await house.sql("TRUNCATE crm.messages, crm.conversations CASCADE")
    await house.sql("DELETE FROM crm.contacts")
    for number, given in enumerate(contacts, 1):
        contact = {"name": given} if isinstance(given, str) else given
        await house.sql(
            "INSERT INTO crm.contacts (tenant_id, id, name, phone, email, national_id) VALUES (1, $1, $2, $3, $4, $5)",
            contact.get("id", number),
            contact["name"],
            contact.get("phone"),
            contact.get("email"),
            contact.get("national_id"),
        )


async def with_message(house: House, contact: int, body: str, *, inbox: int = 1, private: bool = False) -> int:
    """A conversation of this contact with one message; gives its id."""
    (row,) = await house.sql("INSERT INTO crm.conversations (tenant_id, contact_id, inbox_id) VALUES (1, $1, $2) RETURNING id", contact, inbox)
    await house.sql("INSERT INTO crm.messages (tenant_id, conversation_id, body, private) VALUES (1, $1, $2, $3)", row["id"], body, private)
    number: int = row["id"]
    return number


async def questions(house: House, *texts: str) -> list[str]:
    """Each text as the model gets it, asked in a thread of its own."""
    return [(await house.ask(text), house.question)[1] for text in texts]


def results(messages: Sequence[dict[str, Any]]) -> list[str]:
    """The tools' results of a request."""
    return [message["content"] for message in messages if message["role"] == "tool"]


#: People of no case, who take the numbers below those of a case.
_OTHERS = (
    "Wenceslao Antilef", "Brígida Bahamonde", "Casimiro Catrileo", "Dorotea Epuyao", "Eleuterio Huircán", "Filomena Gallardo", "Hipólito Inostroza",
)  # fmt: skip


async def thread_with(house: House, *vault: tuple[int, str | dict[str, Any]]) -> int:
    """A thread in which these contacts have the tokens ``C-<number>``, as a case has them in its vault; others have the numbers between."""
    held = dict(vault)
    people = [held[number] if number in held else _OTHERS[number - 1] for number in range(1, max(held) + 1)]
    await with_contacts(house, *people)
    names = [person if isinstance(person, str) else person["name"] for person in people]
    house.script(["Listo."])
    answered = await house.ask("\n".join(names))
    assert house.question.splitlines() == [f"C-{number}" for number in range(1, len(names) + 1)]
    thread: int = answered["thread_id"]
    return thread


@asynccontextmanager
async def door(house: House) -> AsyncIterator[httpx2.AsyncClient]:
    """The HTTP door of the house, for its admin."""
    app = application(
        turns=house.turns,
        authenticator=Authenticator(SharedSecret(SECRET), house.database),
        health=Health("1.2.3", "scripted", _ready),
        loopback_only=False,
    )
    headers = {"Authorization": f"Bearer {token(iss=LOCAL_ISSUER)}"}
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://velo.test", headers=headers, timeout=30) as client:
        yield client


async def _ready() -> State:
    return "ok"
