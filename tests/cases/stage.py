"""The house with the people of a case instead of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.house import House


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
    (row,) = await house.sql(
        "INSERT INTO crm.conversations (tenant_id, contact_id, inbox_id) VALUES (1, $1, $2) RETURNING id", contact, inbox
    )
    await house.sql(
        "INSERT INTO crm.messages (tenant_id, conversation_id, body, private) VALUES (1, $1, $2, $3)", row["id"], body, private
    )
    number: int = row["id"]
    return number


async def questions(house: House, *texts: str) -> list[str]:
    """Each text as the model gets it, asked in a thread of its own."""
    return [(await house.ask(text), house.question)[1] for text in texts]


def results(messages: Sequence[dict[str, Any]]) -> list[str]:
    """The tools' results of a request."""
    return [message["content"] for message in messages if message["role"] == "tool"]
