"""Law 5: the model's words come from outside: a token is only what this thread gave, and what its reader may see now."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from assistant.errors import NotFound
from db.pool import Database
from tests.house import ADMIN, AGENT_OF_SALES, AGENT_OF_SUPPORT, OTHER_ADMIN, House
from tests.laws.witness import leaked
from tests.model_endpoint import calls
from veil import resolve
from veil.tokens import Entity, EntityId, Kind

NEVER_GIVEN = ("C-2", "c-2", "C\u20112", "**C-2**", "C-999999", "U-2", "H-1", "Z-1", "X-1", "C-2.phone", "C-1000000", "C-01", "C-0", "C-", "1", "María López")
ODD_ARGUMENTS: tuple[Any, ...] = (
    None, "", 0, 1, -1, True, [], ["C-1"], {}, {"id": 1}, "C-1|C-2", "C-1, C-2", "C-1; DROP TABLE crm.contacts", "' OR 1=1 --", "C-1\0", "\ud83d", "C-1" * 50, 1e400, "٣",
)  # fmt: skip


async def told(house: House, *named: tuple[str, Any], text: str = "ok", actor: Any = ADMIN, thread: int | None = None) -> list[Any]:
    """What the tools answer to these calls."""
    house.script([calls(*named), text])
    await house.ask("¿y?", actor=actor, thread=thread)
    return [json.loads(message["content"][7:-8]) for message in house.last if message["role"] == "tool"][-len(named) :]


@pytest.mark.parametrize("token", NEVER_GIVEN)
async def test_a_token_never_given_does_not_exist(house: House, token: str) -> None:
    thread = (await house.ask("¿Otoniel Ibarrola?"))["thread_id"]
    (result,) = await told(house, ("show_contact", {"contact": token}), text=f"Es {token}, ¿no?", thread=thread)
    assert set(result) == {"error"}
    messages = await house.turns.messages(ADMIN, thread)
    assert messages[-1]["text"] == f"Es {token}, ¿no?"
    assert not [mark for mark in messages[-1]["marks"] if "ids" in mark and mark["source"] == "token"]


async def test_whatever_stands_for_a_token_gets_a_plain_answer(house: House) -> None:
    thread = (await house.ask("¿Otoniel Ibarrola?"))["thread_id"]
    for start in range(0, len(ODD_ARGUMENTS), 8):
        odd = ODD_ARGUMENTS[start : start + 8]
        results = await told(house, *(("show_contact", {"contact": value}) for value in odd), thread=thread)
        assert [set(result) for result in results] == [{"error"}] * len(odd)
    assert not await house.sql("SELECT FROM velo.errors")


async def test_tokens_of_another_thread_stand_for_nobody_here(house: House) -> None:
    await house.ask("¿María López, Otoniel Ibarrola, Zulema Pacheco?")
    thread = (await house.ask("¿Zulema Pacheco?"))["thread_id"]
    house.script(["C-1, C-2 y C-3"])
    answer = await house.ask("¿y?", thread=thread)
    assert answer["message"]["text"] == "Zulema Pacheco, C-2 y C-3"
    assert answer["unknown_tokens"] == ["C-2", "C-3"]
    first, second = await told(house, ("show_contact", {"contact": "C-2"}), ("show_contact", {"contact": "C-77"}), thread=thread)
    assert first["error"].replace("C-2", "C-77") == second["error"]


async def test_tokens_of_another_tenant_stand_for_nobody_here(house: House) -> None:
    theirs = await house.ask("O que houve com Benício Prado?", actor=OTHER_ADMIN)
    assert house.question == "O que houve com C-1?"
    with pytest.raises(NotFound):
        await house.ask("¿y?", thread=theirs["thread_id"])
    with pytest.raises(NotFound):
        await house.turns.messages(ADMIN, theirs["thread_id"])
    with pytest.raises(NotFound):
        await house.turns.veiled(ADMIN, theirs["turn_id"])
    house.script(["C-1 e o número C-1.phone"])
    answer = await house.ask("¿Benício Prado?")
    assert "Benício" not in answer["message"]["text"]
    assert (await told(house, ("show_contact", {"contact": "C-1"})))[0]["error"] == "C-1 no existe."


async def test_a_thread_is_its_members_alone(house: House) -> None:
    thread = (await house.ask("¿Otoniel Ibarrola?"))["thread_id"]
    with pytest.raises(NotFound):
        await house.ask("¿y?", thread=thread, actor=AGENT_OF_SALES)
    with pytest.raises(NotFound):
        await house.turns.messages(AGENT_OF_SALES, thread)


async def test_a_token_whose_person_became_invisible_is_like_one_never_given(house: House) -> None:
    house.script(["C-1 escribió; llama al C-1.phone"])
    thread = (await house.ask("¿Otoniel Ibarrola?", actor=AGENT_OF_SALES))["thread_id"]
    await house.sql("UPDATE crm.conversations SET inbox_id = 1 WHERE contact_id = 3")
    first, second = await told(house, ("show_contact", {"contact": "C-1"}), ("read_messages", {"contact": "C-77"}), text="C-1 y C-1.phone", actor=AGENT_OF_SALES, thread=thread)
    assert first["error"] == "C-1 no existe."
    assert second["error"] == "C-77 no existe."
    texts = [message["text"] for message in await house.turns.messages(AGENT_OF_SALES, thread)]
    assert texts == ["¿C-1?", "C-1 escribió; llama al C-1.phone", "¿y?", "C-1 y C-1.phone"]


async def test_rights_that_come_back_show_the_stored_texts_again(house: House) -> None:
    house.script(["C-1 escribió; llama al C-1.phone"])
    thread = (await house.ask("¿Otoniel Ibarrola?", actor=AGENT_OF_SALES))["thread_id"]
    texts = []
    for inbox in (1, 2):
        await house.sql("UPDATE crm.conversations SET inbox_id = $1 WHERE contact_id = 3", inbox)
        texts.append((await house.turns.messages(AGENT_OF_SALES, thread))[1]["text"])
    assert texts == ["C-1 escribió; llama al C-1.phone", "Otoniel Ibarrola escribió; llama al +56983456789"]


async def test_a_deleted_person_is_drawn_as_erased(house: House) -> None:
    house.script(["C-1 escribió; llama al C-1.phone"])
    thread = (await house.ask("¿Otoniel Ibarrola?"))["thread_id"]
    await house.sql("DELETE FROM crm.contacts WHERE id = 3")
    texts = [message["text"] for message in await house.turns.messages(ADMIN, thread)]
    assert texts == ["¿[borrado]?", "[borrado] escribió; llama al [borrado]"]


async def test_a_member_who_has_left_sees_no_name(house: House) -> None:
    house.script(["C-1 escribió"])
    thread = (await house.ask("¿María López?", actor=AGENT_OF_SUPPORT))["thread_id"]
    await house.sql("UPDATE crm.members SET active = false WHERE id = 2")
    assert [message["text"] for message in await house.turns.messages(AGENT_OF_SUPPORT, thread)] == ["¿C-1?", "C-1 escribió"]


async def test_names_with_control_and_bidi_characters_are_shown_without_them(house: House) -> None:
    await house.sql("UPDATE crm.contacts SET name = E'Otoniel\\u202e\\u0007 Ibarrola\\u2028x' WHERE id = 3")
    house.script(["C-1"])
    assert (await house.ask("¿Otoniel Ibarrola?"))["message"]["text"] == "Otoniel Ibarrola x"


@pytest.fixture
async def unfenced(house_dsn: str) -> AsyncIterator[Database]:
    """A pool of the superuser, whom row-level security does not bind: only the statements' own filters are left."""
    opened = await Database.open(house_dsn)
    yield opened
    await opened.close()


async def test_every_statement_filters_by_tenant_itself(house: House, unfenced: Database) -> None:
    """The same conversation with row-level security and without: the other tenant's rows of the same ids and names change nothing."""
    await _double(house)
    talk = []
    for database in (house.database, unfenced):
        tested = House(database, house.owner)
        tested.script(
            [
                calls(*((name, {}) for name in ("find_contacts", "find_conversations", "list_team", "list_inboxes"))),
                calls(("show_contact", {"contact": "C-1"}), ("read_messages", {"contact": "C-1"}), ("show_conversation", {"conversation": "H-1"})),
                calls(("count_conversations", {"by": "status"}), ("count_conversations", {"by": "inbox"}), ("find_contacts", {"label": "vip"})),
                "C-1 (C-1.phone), C-2, U-2 y B-1",
            ]
        )
        first = await tested.ask("¿Otoniel Ibarrola, Benício Prado, María López, +5511987654321 o Soporte?", actor=AGENT_OF_SUPPORT)
        second = await tested.ask("¿Y Otoniel? ¿Benício?", actor=AGENT_OF_SUPPORT, thread=first["thread_id"])
        texts = [message["text"] for message in await tested.turns.messages(AGENT_OF_SUPPORT, first["thread_id"])]
        assert second["message"]["text"] == texts[-1]
        assert not leaked(tested.endpoint.text, ["wenceslao", "11111", "benicio"])
        talk.append((tested.endpoint.bodies, texts))
    assert talk[0] == talk[1]


async def test_a_row_that_only_another_tenant_has_gives_no_card(house: House, unfenced: Database) -> None:
    """Without row-level security: the statement's own filter must hold."""
    await _double(house)
    theirs = Entity(Kind.CONTACT, EntityId(77))
    for database in (house.database, unfenced):
        async with database.tenant(1) as connection:
            cards = await resolve.cards(connection, tenant=1, member=1, entities=[theirs])
            details = await resolve.details(connection, tenant=1, member=1, entities=[theirs])
        assert (cards, details) == ({}, {})


async def _double(house: House) -> None:
    """Give the other tenant rows with the house's ids, names and forms."""
    for statement in (
        "INSERT INTO crm.members (tenant_id, id, name, email, role) VALUES (2, 2, 'Bruno Quiñelén', 'b@loja.example', 'admin'), (2, 3, 'Wenceslao Ojeda', 'w@loja.example', 'admin')",
        "INSERT INTO crm.inboxes (tenant_id, id, name) VALUES (2, 1, 'Soporte'), (2, 2, 'Wenceslao Norte')",
        "INSERT INTO crm.inbox_members (tenant_id, inbox_id, member_id) VALUES (2, 1, 2), (2, 2, 2), (2, 1, 3)",
        "INSERT INTO crm.contacts (tenant_id, id, name, phone) VALUES (2, 3, 'Otoniel Ibarrola', '+5511911111222'), (2, 77, 'María López', '+56961234567')",
        "INSERT INTO crm.conversations (tenant_id, id, contact_id, inbox_id, status) VALUES (2, 100, 1, 1, 'pending'), (2, 101, 3, 1, 'open'), (2, 102, 3, 2, 'open')",
        "INSERT INTO crm.messages (tenant_id, id, conversation_id, body) VALUES (2, 1000, 100, 'Wenceslao'), (2, 1001, 102, 'Wenceslao')",
        "INSERT INTO crm.labels (tenant_id, id, name) VALUES (2, 1, 'vip')",
        "INSERT INTO crm.contact_labels (tenant_id, contact_id, label_id) VALUES (2, 1, 1), (2, 3, 1)",
    ):
        await house.sql(statement, tenant=2)
