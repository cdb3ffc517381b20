"""Faults that users of other products reported, group "crm_assistant": what the tools give of the CRM, and to whom.

Here is what needs the look-ups; B183, B193 and B195 are in test_reports_loop.py. Of the others this much is not ours:

* B184: the assistant hands nothing off, so that nothing can be handed off again; what it reads begins after the last resolution.
* B185: messages are read, not waited for, so that there is no time to configure.
* B186: there is no page and no route of settings. What does not exist answers 404, to every role.
* B194: a broken tool is not taken from the model, since the tools of a prompt stay the same byte for byte (law 9). It says that it failed, the
  others work on, and a statement that the database does not understand is found by tests/tools/test_statements.py.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from starlette.responses import PlainTextResponse

from tests.cases.stage import door, results, with_contacts, with_message
from tests.house import ADMIN, AGENT_OF_SUPPORT, House
from tests.model_endpoint import calls
from tools.catalogue import load

HISTORY = (
    ("contact", "quiero humano"),
    ("member", "derivado"),
)


async def found(house: House, *called: tuple[str, dict[str, Any]], asked: str = "¿qué hay?", thread: int | None = None) -> list[dict[str, Any]]:
    """What the tools gave the model in one turn."""
    house.script([calls(*called), "Listo."])
    await house.ask(asked, thread=thread)
    return [json.loads(text.removeprefix("<datos>").removesuffix("</datos>")) for text in results(house.last)][-len(called) :]


async def say(house: House, conversation: int, *said: tuple[str, str]) -> None:
    for author, body in said:
        await house.sql(
            "INSERT INTO crm.messages (tenant_id, conversation_id, author_kind, member_id, body) VALUES (1, $1, $2::text, $3, $4)",
            conversation, author, 2 if author == "member" else None, body,
        )  # fmt: skip


async def reopened(house: House) -> int:
    """A conversation that was resolved after a hand-off, and opened again; gives a thread in which it is H-1."""
    await with_contacts(house, "Zulema Pacheco")
    (row,) = await house.sql("INSERT INTO crm.conversations (tenant_id, contact_id, inbox_id) VALUES (1, 1, 1) RETURNING id")
    number: int = row["id"]
    await say(house, number, *HISTORY)
    await house.sql("UPDATE crm.conversations SET status = 'resolved' WHERE id = $1", number)
    await house.sql("UPDATE crm.conversations SET status = 'open' WHERE id = $1", number)
    await say(house, number, ("contact", "hola, otra consulta"))
    house.script([calls(("find_conversations", {"contact": "C-1"})), "Listo."])
    thread: int = (await house.ask("¿qué hay de Zulema Pacheco?"))["thread_id"]
    return thread


async def test_b184_a_conversation_that_was_opened_again_is_read_from_there_on(house: House) -> None:
    thread = await reopened(house)
    shown, read = await found(house, ("show_conversation", {"conversation": "H-1"}), ("read_messages", {"conversation": "H-1"}), thread=thread)
    assert [message["body"] for message in shown["latest_messages"]] == ["hola, otra consulta"]
    assert [message["body"] for message in read["messages"]] == ["hola, otra consulta"]
    assert (shown["settled_messages"], read["settled_messages"], read["total"], read["truncated"]) == (2, 2, 3, True)
    assert "derivado" not in house.endpoint.text


async def test_b184_the_older_part_is_there_on_demand_and_says_that_it_is_settled(house: House) -> None:
    thread = await reopened(house)
    older, all_of_contact = await found(
        house, ("read_messages", {"conversation": "H-1", "before": 3}), ("read_messages", {"contact": "C-1"}), thread=thread
    )
    assert [(message["body"], message["settled"]) for message in older["messages"]] == [("derivado", True), ("quiero humano", True)]
    assert [message["settled"] for message in all_of_contact["messages"]] == [False, True, True]


async def test_b184_no_tool_hands_anything_off() -> None:
    assert {name.split("_")[0] for name in load()} == {"find", "show", "read", "list", "count", "sum"}


async def test_b185_short_messages_in_a_row_come_together_in_their_order_with_their_times(house: House) -> None:
    await with_contacts(house, "Zulema Pacheco")
    conversation = await with_message(house, 1, "necesito el pedido 118")
    await say(house, conversation, ("contact", "perdón, 181"), ("contact", "es para Lima"))
    (read,) = await found(house, ("read_messages", {"contact": "C-1"}), asked="¿qué quiere Zulema Pacheco?")
    assert [(message["number"], message["body"]) for message in read["messages"]] == [
        (3, "es para Lima"),
        (2, "perdón, 181"),
        (1, "necesito el pedido 118"),
    ]
    assert all(message["sent_at"] for message in read["messages"])
    assert "lo último corrige lo anterior" in house.endpoint.text  # the model is told to take them as one


@pytest.mark.parametrize("method", ["GET", "PUT", "POST"])
@pytest.mark.parametrize("path", ["/assistant/settings", "/api/assistant/settings", "/api/settings"])
async def test_b186_nobody_opens_settings_and_no_answer_holds_a_key(house: House, method: str, path: str) -> None:
    async with door(house) as client:
        refused = await client.request(method, path, json={"base_url": "https://evil.example/v1"})
        described = await client.get("/openapi.json")
    assert refused.status_code == 404
    assert "settings" not in " ".join(described.json()["paths"])
    assert "evil" not in refused.text


async def test_b189_a_renamed_contact_is_shown_by_the_new_name_and_the_former_one_stays_masked(house: House) -> None:
    await with_contacts(house, "Ysolina Barrantes")
    house.script(["C-1 llamó."])
    first = await house.ask("¿y Ysolina Barrantes?")
    await house.sql("UPDATE crm.contacts SET name = 'Ysolina Vega' WHERE id = 1")
    second = await house.ask("¿llamó Ysolina Barrantes?", thread=first["thread_id"])
    assert second["message"]["text"] == "Ysolina Vega llamó."
    assert house.question == "¿llamó C-1?"
    assert "Barrantes" not in house.endpoint.text


async def test_b190_a_field_that_is_not_declared_is_said_not_to_be_there_and_the_others_work(house: House) -> None:
    await with_contacts(house, "Zulema Pacheco")
    await house.sql("ALTER TABLE crm.contacts ADD COLUMN margin text NOT NULL DEFAULT 'margen del 37 %'")
    refused, card = await found(
        house, ("show_contact", {"contact": "C-1", "margin": True}), ("show_contact", {"contact": "C-1"}), asked="¿qué margen deja Zulema Pacheco?"
    )
    assert refused["error"] == "show_contact no tiene ese argumento. Los que hay: contact. Los nombres no se buscan: usa tokens."
    assert (card["contact"], card["total_conversations"]) == ("C-1", 0)
    assert "37" not in house.endpoint.text


async def test_b190_what_the_application_may_not_read_is_never_read_with_other_rights(house: House) -> None:
    await with_contacts(house, "Zulema Pacheco")
    await house.sql("REVOKE SELECT ON crm.notes FROM velo_app")
    house.script([calls(("read_notes", {}), ("find_contacts", {})), "Listo."])
    answered = await house.ask("¿qué notas hay?")
    assert [step["status"] for step in answered["steps"]] == ["failed", "ok"]
    assert answered["message"]["text"] == "Listo."


async def test_b192_a_turn_that_failed_leaves_nothing_running(house: House) -> None:
    """A killed server is tested in tests/faults; the lease of its turn runs out."""
    house.script([PlainTextResponse("", status_code=400)])
    await house.failed("hola")
    rows = await house.sql("SELECT state, lease_owner, thread_id FROM velo.turns")
    assert [(row["state"], row["lease_owner"]) for row in rows] == [("failed", None)]
    house.script(["Listo."])
    assert (await house.ask("hola", thread=rows[0]["thread_id"]))["message"]["text"] == "Listo."


async def test_b194_a_renamed_column_breaks_one_tool_and_no_turn(house: House) -> None:
    await house.sql("ALTER TABLE crm.deals RENAME COLUMN title TO headline")
    house.script([calls(("find_deals", {}), ("list_campaigns", {}), ("list_labels", {}), ("find_companies", {})), "Listo."])
    answered = await house.ask("¿qué negocios hay?")
    assert [step["status"] for step in answered["steps"]] == ["failed", "ok", "ok", "ok"]
    assert "headline" not in house.endpoint.text


async def test_b198_a_name_in_a_note_finds_nobody_but_its_bearer(house: House) -> None:
    await with_contacts(house, "Ian Roa", "Fabiola Troncoso")
    await house.sql("INSERT INTO crm.notes (tenant_id, contact_id, author_id, body) VALUES (1, 1, 2, 'esposo de Fabiola Troncoso')")
    (notes,) = await found(house, ("read_notes", {"contact": "C-2"}), asked="¿qué hay de Fabiola Troncoso y de Ian Roa?")
    assert [note["body"] for note in notes["notes"]] == ["esposo de C-1"]
    assert await house.sql("SELECT entity_id FROM velo.tokens WHERE kind = 'C' AND number = 1 AND entity_id = 2")


async def test_b198_every_free_text_of_the_tools_is_veiled(house: House) -> None:
    """Titles of deals, names of campaigns and labels, cities and notes: what names a person travels as a token."""
    await with_contacts(house, "Otoniel Ibarrola")
    for statement in (
        "INSERT INTO crm.deals (tenant_id, contact_id, company_id, owner_id, title) VALUES (1, 1, 2, 2, 'Flota de Otoniel Ibarrola, +56 9 5550 1234')",
        "INSERT INTO crm.campaigns (tenant_id, name) VALUES (1, 'Vuelve, Otoniel Ibarrola')",
        "INSERT INTO crm.labels (tenant_id, name) VALUES (1, 'amigo de Otoniel Ibarrola')",
        "INSERT INTO crm.notes (tenant_id, contact_id, body) VALUES (1, 1, 'Otoniel Ibarrola: ver otoniel@correo.example')",
        "UPDATE crm.companies SET city = 'donde Otoniel Ibarrola', legal_id = '76.123.456-0' WHERE id = 2",
    ):
        await house.sql(statement)
    named = ("find_deals", "list_campaigns", "list_labels", "read_notes", "find_companies")
    await found(house, *((name, {}) for name in named), asked="¿qué hay?")
    (card,) = await found(house, ("show_company", {"company": "E-1"}), asked="¿y Transportes Quillay SpA?")
    assert card["legal_id"] == "E-1.legal_id"
    for personal in ("Otoniel", "Ibarrola", "5550", "correo.example", "76.123", "Quillay"):
        assert personal not in house.endpoint.text
    assert "C-1" in house.endpoint.text


@pytest.mark.parametrize("actor", [ADMIN, AGENT_OF_SUPPORT], ids=["admin", "agent"])
async def test_b183_what_is_hidden_is_neither_listed_nor_summed(house: House, actor: Any) -> None:
    await house.sql("INSERT INTO crm.deals (tenant_id, contact_id, title, amount) VALUES (1, 3, 'del otro', 10), (1, 1, 'de los nuestros', 5)")
    await house.sql("INSERT INTO crm.notes (tenant_id, contact_id, body) VALUES (1, 3, 'nota ajena'), (1, 1, 'nota propia')")
    house.script([calls(("sum_deals", {}), ("find_deals", {}), ("read_notes", {}), ("show_workload", {"by": "inbox"})), "Listo."])
    await house.ask("¿qué hay?", actor=actor)
    sums, deals, notes, work = (json.loads(text[7:-8]) for text in results(house.last))
    whole = actor is ADMIN
    assert (sums["total"], sums["sums"][0]["amount"]) == ((2, 15) if whole else (1, 5))
    assert (deals["total"], notes["total"], len(work["workload"])) == ((2, 2, 3) if whole else (1, 1, 1))
    assert ("ajena" in house.endpoint.text) is whole
