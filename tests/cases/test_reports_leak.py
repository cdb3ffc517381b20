"""Faults that users of other products reported, group "leak": what left, or was written down, that should not.

B031 (an endpoint that the proxy does not inspect) is tested at the door, in tests/cases/test_reports_doors.py; B037 (numbers in JSON) with the detectors, in
tests/veil/scrub/test_cases.py.
"""

from __future__ import annotations

import json
import logging

import pytest
from starlette.responses import JSONResponse

from db.errors import Conflict
from tests.cases.stage import door, results, thread_with, with_contacts, with_message
from tests.house import ADMIN, AGENT_OF_SUPPORT, House
from tests.model_endpoint import calls


async def test_b024_the_whole_history_is_veiled_again_after_a_restart(house: House) -> None:
    await with_contacts(house, {"name": "Otoniel Ibarrola", "phone": "+56 9 5550 1234"})
    house.script(["C-1, tel. C-1.phone, debe 3 cuotas"])
    first = await house.ask("¿Quién es Otoniel Ibarrola?")
    assert first["message"]["text"] == "Otoniel Ibarrola, tel. +56 9 5550 1234, debe 3 cuotas"
    house.restart()
    await house.ask("¿y qué le escribo?", thread=first["thread_id"])
    assert [message["content"].partition("\n")[2] or message["content"] for message in house.last] == [
        "¿Quién es C-1?",
        "C-1, tel. C-1.phone, debe 3 cuotas",
        "¿y qué le escribo?",
    ]
    assert "Otoniel" not in house.endpoint.text
    assert "5550" not in house.endpoint.text


async def test_b024_also_when_the_map_was_lost(house: House) -> None:
    await with_contacts(house, {"name": "Otoniel Ibarrola", "phone": "+56 9 5550 1234"})
    house.script(["C-1, tel. C-1.phone"])
    first = await house.ask("¿Quién es Otoniel Ibarrola?")
    await house.sql("DELETE FROM velo.tokens")
    await house.ask("¿y qué le escribo?", thread=first["thread_id"])
    assert "Otoniel" not in house.endpoint.text
    assert "5550" not in house.endpoint.text


async def test_b025_what_is_read_as_text_keeps_versions_and_field_paths_whatever_its_fields_are_called(house: House) -> None:
    """Our own fields are typed, and one without a class is refused (tests/veil/test_fields.py); this is JSON that a customer pastes."""
    await with_contacts(house, "Brunilda Saavedra")
    pasted = '{"description":"Zona norte","recipe":"flan","app_version":"4.16.0","campo":"contact.custom.email_verified","correo":"b@correo.example"}'
    await with_message(house, 1, pasted)
    house.script([calls(("read_messages", {"contact": "C-1"})), "Listo."])
    await house.ask("lee lo de Brunilda Saavedra")
    page = json.loads(results(house.last)[0].removeprefix("<datos>").removesuffix("</datos>"))
    assert page["messages"][0]["body"] == pasted.replace("b@correo.example", "[correo]")


async def test_b026_no_text_of_a_result_is_exempt(house: House) -> None:
    """The name of an inbox (there are no campaigns yet to list) is a name itself, so that the whole of it is its token."""
    thread = await thread_with(house, (8, "Brunilda Saavedra"))
    await house.sql("INSERT INTO crm.contacts (tenant_id, id, name) VALUES (1, 9, 'Gaspar Ñancupil')")
    conversation = await with_message(house, 8, "hola")
    await house.sql("UPDATE crm.conversations SET subject = 'Reclamo de brunilda.saavedra por cobro doble' WHERE id = $1", conversation)
    await house.sql("UPDATE crm.inboxes SET name = 'Saludo a Gaspar Ñancupil' WHERE id = 3")
    house.script([calls(("find_conversations", {}), ("list_inboxes", {})), "Listo."])
    await house.ask("¿qué hay?", thread=thread)
    listed, inboxes = results(house.last)
    assert '"subject":"Reclamo de C-8 por cobro doble"' in listed
    assert '"name":"B-3"' in inboxes
    assert "brunilda" not in house.endpoint.text.lower()
    assert "Gaspar" not in house.endpoint.text


async def test_b027_a_tools_message_is_veiled_like_any_other(house: House) -> None:
    await with_contacts(house, {"name": "Zulema Pacheco", "phone": "+56 9 5550 1234"})
    await with_message(house, 1, "Soy Zulema Pacheco, mi fono es +56 9 5550 1234")
    house.script([calls(("show_contact", {"contact": "C-1"}), ("read_messages", {"contact": "C-1"})), "Listo."])
    await house.ask("busca a Zulema")
    card, page = results(house.last)
    assert '"phone":"C-1.phone"' in card
    assert "Soy C-1, mi fono es [teléfono]" in page
    assert "Pacheco" not in house.endpoint.text
    assert "5550" not in house.endpoint.text


async def test_b032_what_is_cut_over_several_texts_of_one_writer_is_found_and_a_url_is_read_too(house: House) -> None:
    """A content of several parts comes with the proxy; here the parts are messages of one customer."""
    await with_contacts(house, "Zulema Pacheco")
    conversation = await with_message(house, 1, "Contacto: Zulema ")
    for body in ("Pacheco, tel +56 9 5550", " 1234", "https://crm.example/foto?c=Zulema+Pacheco"):
        await house.sql("INSERT INTO crm.messages (tenant_id, conversation_id, body) VALUES (1, $1, $2)", conversation, body)
    house.script([calls(("read_messages", {"contact": "C-1"})), "Listo."])
    await house.ask("lee lo de Zulema Pacheco")
    page = json.loads(results(house.last)[0].removeprefix("<datos>").removesuffix("</datos>"))
    assert {message["body"].strip() for message in page["messages"]} >= {"Contacto: C-1", "https://crm.example/foto?c=C-1"}
    assert not [word for word in ("Zulema", "Pacheco", "5550", "1234") if word in house.endpoint.text]


CANARY = "n.quinelen@correo.example"


async def test_b029_what_is_written_down_beside_the_members_own_message_holds_no_word_of_it(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """By the design the member's own question is stored clear, in ``velo.messages.text`` only; all else is ids, tokens and veiled bytes."""
    caplog.set_level(logging.DEBUG)
    await house.ask(f"mi correo es {CANARY}")
    assert CANARY not in caplog.text
    tables = await house.sql("SELECT relname FROM pg_class WHERE relnamespace = 'velo'::regnamespace AND relkind IN ('r', 'p')")
    holding = {row["relname"] for row in tables if await _holds(house, row["relname"], CANARY)}
    assert holding == {"messages"}
    await house.sql("UPDATE velo.messages SET text = ''")
    assert not await _holds(house, "messages", CANARY)


async def _holds(house: House, table: str, word: str) -> bool:
    """Whether a row of this table holds a word, in text or in bytes."""
    rows = await house.sql(f"SELECT * FROM velo.{table}")
    return any(word in str(value) or (isinstance(value, bytes) and word.encode() in value) for row in rows for value in dict(row).values())


async def test_b033_what_is_shown_depends_on_the_reader_not_on_who_typed_it(house: House) -> None:
    await with_contacts(house, "Gaspar Ñancupil")
    await with_message(house, 1, "hola", inbox=2)
    house.script(["C-1, [nombre 1]"])
    answered = await house.ask("repite todos los códigos que veas; ¿conoces a Gaspar Ñancupil?", actor=AGENT_OF_SUPPORT)
    assert house.question == "repite todos los códigos que veas; ¿conoces a [nombre 1]?"
    assert answered["message"]["text"] == "C-1, [nombre 1]"
    assert "Gaspar" not in house.endpoint.text


async def test_b036_nothing_of_a_providers_error_reaches_the_client_or_our_records(house: House, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    body = {"error": {"message": "bad key sk-test-9f…Q2; prompt was: 'C-4 pidió…' at http://10.0.0.9:8000"}}
    house.script([JSONResponse(body, status_code=401)])
    async with door(house) as client:
        failed = await client.post("/api/assistant/messages", json={"text": "¿Qué pidió María López?"})
    assert failed.status_code == 502
    assert set(failed.json()) == {"type", "title", "status", "detail", "code", "error_id", "thread_id", "turn_id"}
    assert len(failed.json()["error_id"]) == 8
    rows = [
        *await house.sql("SELECT * FROM velo.errors"),
        *await house.sql("SELECT * FROM velo.model_calls"),
        *await house.sql("SELECT * FROM velo.turns"),
    ]
    written = f"{failed.text} {failed.headers} {caplog.text} {[dict(row) for row in rows]}"
    assert not [word for word in ("sk-test", "9f…Q2", "9f\\u2026", "10.0.0.9", "pidió", "bad key", "prompt was") if word in written]


async def test_b038_arguments_that_cannot_be_read_are_written_to_no_log(house: House, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    cut = '{"text":"Zulema Pacheco, RUT 17.654.320-5'
    house.script([calls(("create_note", cut), ("show_contact", cut)), "Listo."])
    answered = await house.ask("hola")
    assert [step["status"] for step in answered["steps"]] == ["declined", "declined"]
    rows = [*await house.sql("SELECT * FROM velo.errors"), *await house.sql("SELECT * FROM velo.turns")]
    assert "Pacheco" not in f"{[dict(row) for row in rows]}"
    assert "Pacheco" not in caplog.text
    assert "17.654" not in caplog.text


async def test_b039_a_hash_is_of_exactly_what_is_stored_and_points_to_the_call_that_was_changed(house: House) -> None:
    house.script([calls(("list_team", {})), calls(("list_inboxes", {})), "Listo."])
    answered = await house.ask("¿quién trabaja aquí?")
    veiled = await house.turns.veiled(ADMIN, answered["turn_id"])
    assert [call["intact"] for call in veiled["calls"]] == [True, True, True]
    await house.sql("UPDATE velo.model_calls SET blocks = trim_array(blocks, 1) || blocks[1] WHERE ordinal = 3")
    veiled = await house.turns.veiled(ADMIN, answered["turn_id"])
    assert [call["intact"] for call in veiled["calls"]] == [True, True, False]


async def test_b039_a_block_cannot_be_changed_under_its_hash(house: House) -> None:
    await house.ask("hola")
    with pytest.raises(Conflict):
        await house.sql("UPDATE velo.veiled_blocks SET bytes = bytes || 'x'::bytea")
