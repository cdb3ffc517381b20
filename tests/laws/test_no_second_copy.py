"""Law 4: names stand in the CRM and in what people wrote, and nowhere else: not in the mint table, logs, audit or errors."""

from __future__ import annotations

import contextlib
import json
import logging

import pytest
from starlette.responses import JSONResponse

from assistant import calls as calls_of_tools
from assistant.errors import AssistantError
from db.errors import DatabaseError
from tests.house import ADMIN, AGENT_OF_SUPPORT, House
from tests.laws.witness import EVERYBODY, leaked
from tests.model_endpoint import calls
from veil import resolve
from veil.tokens import Kind

#: Where clear text may stand, beside the CRM itself. docs/privacy.md lists the same.
CLEAR = "velo.messages.text of roles user and assistant"


async def a_rich_day(house: House, monkeypatch: pytest.MonkeyPatch) -> int:
    """Everything that can happen in a thread, once; gives the thread."""
    house.script(
        [
            calls(("read_messages", {"contact": "C-1"}), ("show_contact", {"contact": "C-2"}), ("list_team", {}), ("list_inboxes", {}), text="un momento"),
            calls(("find_conversations", {}), ("show_conversation", {"conversation": "H-1"}), ("nada", "x"), ("find_contacts", {"label": "vip"})),
            "C-1 y C-2 (C-1.phone), C-77; U-2",
        ]
    )
    thread: int = (await house.ask("¿María López, Otoniel Ibarrola o el 972345678? mhuen@correo.example C-9 [nombre 1]"))["thread_id"]
    house.script(["C-1"])
    await house.ask("¿Y Gaspar?", thread=thread)
    await house.ask("cualquiera", thread=thread)
    await house.ask("¿María?", thread=thread, mentions=[(1, 6, Kind.CONTACT, 2)])
    await house.sql("UPDATE crm.contacts SET name = 'Otoniel Perenguez' WHERE id = 3")
    await house.sql("SELECT crm.merge_contacts(5, 1)")
    house.restart()
    await house.ask("¿otoniel ibarrola, 7.654.321-6?", thread=thread)
    house.script([JSONResponse({"error": {"message": "Otoniel Ibarrola 83456789"}}, status_code=400)])
    await house.failed("¿Zulema Pacheco?", thread=thread)
    house.script(["ok"])
    with monkeypatch.context() as patch:
        patch.setattr(resolve, "names", _broken)
        await house.failed("¿Camila Ñancupil?", thread=thread)
    with monkeypatch.context() as patch:
        patch.setattr(calls_of_tools, "run", _broken)
        house.script([calls(("list_team", {}))])
        with contextlib.suppress(AssistantError):
            await house.ask("¿Valentina Aravena?", thread=thread)
    await house.ask("¿Otoniel Ibarrola?", actor=AGENT_OF_SUPPORT)
    return thread


async def _broken(*_: object, **__: object) -> None:
    raise DatabaseError("Otoniel Ibarrola +56983456789 otoniel@correo.example")


async def test_no_table_of_ours_holds_a_name_except_what_people_wrote(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    await a_rich_day(house, monkeypatch)
    columns = await house.sql(
        "SELECT c.relname AS name, array_agg(a.attname::text) AS columns FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid"
        " WHERE c.relnamespace = 'velo'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped GROUP BY 1"
    )
    assert {"tokens", "turns", "messages", "veiled_blocks", "model_calls", "errors"} <= {row["name"] for row in columns}
    read = 0
    for table in columns:
        for row in await house.sql(f"SELECT * FROM velo.{table['name']}"):
            read += 1
            if table["name"] == "messages" and row["role"] in ("user", "assistant"):
                assert row["state"] in ("stored", "sent", "withheld")
                row = {name: value for name, value in row.items() if name != "text"}
            for name, value in dict(row).items():
                text = value.decode("utf-8", "replace") if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False, default=str)
                assert not leaked(text), f"velo.{table['name']}.{name}; {CLEAR} alone may"
    assert read > 100


async def test_no_log_line_holds_a_name(house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> None:
    caplog.set_level(logging.DEBUG)
    await a_rich_day(house, monkeypatch)
    printed = capfd.readouterr()
    assert not leaked("\n".join([caplog.text, printed.out, printed.err]))


async def test_no_error_that_a_door_tells_holds_a_name(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolve, "names", _broken)
    error = await house.failed("¿Otoniel Ibarrola?")
    told = f"{error} {error!r} {error.detail} {error.title} {vars(error)} {error.__cause__} {error.__context__}"
    assert not leaked(told)


async def test_a_thread_has_no_title(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    await a_rich_day(house, monkeypatch)
    assert not leaked(json.dumps(await house.turns.threads(ADMIN)))


async def test_what_was_sent_and_received_is_shown_veiled(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    await a_rich_day(house, monkeypatch)
    for row in await house.sql("SELECT id FROM velo.turns WHERE member_id = 1"):
        assert not leaked(json.dumps(await house.turns.veiled(ADMIN, row["id"])))


@pytest.mark.parametrize("field", ["phone", "email", "national_id"])
async def test_a_handle_is_filled_at_each_read_and_stored_as_a_handle(house: House, field: str) -> None:
    house.script([f"Es C-1.{field}."])
    thread = (await house.ask("¿Otoniel Ibarrola?"))["thread_id"]
    stored = await house.sql("SELECT text FROM velo.messages WHERE role = 'assistant'")
    assert stored[0]["text"] == f"Es C-1.{field}."
    await house.sql(f"UPDATE crm.contacts SET {field} = '+56911112222' WHERE id = 3")
    assert (await house.turns.messages(ADMIN, thread))[1]["text"] == "Es +56911112222."
    await house.sql(f"UPDATE crm.contacts SET {field} = NULL WHERE id = 3")
    assert (await house.turns.messages(ADMIN, thread))[1]["text"] == f"Es C-1.{field}."


def test_the_canaries_are_looked_for_in_every_writing() -> None:
    assert leaked("OTO\\u004eiel, Huenchum%C3%A1n, Huenchum&aacute;n, I\u0301barrola, 9 8345-6789") >= {"otoniel", "huenchuman", "ibarrola", "83456789"}
    assert not leaked("C-1, U-2, [nombre 1], [teléfono]")
    assert len(EVERYBODY) > 15
