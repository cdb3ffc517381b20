"""One turn performed: what is stored, minted and sent, and in which order (section 4)."""

from __future__ import annotations

import json
from datetime import datetime
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from starlette.responses import Response

from assistant.words import opening
from db.pool import Database
from db.roles import logins
from tests.assistant.models import Held, turns_with
from tests.assistant.test_turns import asking
from tests.cases.stage import results
from tests.house import ADMIN, AGENT_OF_SUPPORT, House
from tests.model_endpoint import calls, completion


def content(body: dict[str, Any]) -> list[str]:
    """What each message says, the system text aside."""
    return [message["content"] for message in body["messages"][1:]]


@pytest.mark.parametrize(
    ("moment", "zone", "language", "line"),
    [
        pytest.param(datetime(2026, 3, 31, 12), "America/Santiago", "es", "[2026-03-31 martes UTC-03:00]\n", id="Chile in summer time"),
        pytest.param(datetime(2026, 6, 1, 9), "America/Santiago", "es", "[2026-06-01 lunes UTC-04:00]\n", id="Chile in winter time"),
        pytest.param(datetime(2026, 3, 29, 9), "America/Sao_Paulo", "pt", "[2026-03-29 domingo UTC-03:00]\n", id="Brazil"),
        pytest.param(datetime(2026, 1, 2, 9), "Asia/Kolkata", "en", "[2026-01-02 Friday UTC+05:30]\n", id="half an hour"),
    ],
)
def test_a_question_opens_with_its_date_weekday_and_offset(moment: datetime, zone: str, language: str, line: str) -> None:
    assert opening(moment.replace(tzinfo=ZoneInfo(zone)), language) == line


async def test_the_opening_is_stored_with_the_question_and_sent_again_as_it_was(house: House) -> None:
    thread = (await house.ask("hola"))["thread_id"]
    await house.sql("UPDATE velo.messages SET opening = replace(opening, '2026-03-31', '2026-03-30')")
    await house.ask("¿y?", thread=thread)
    assert content(house.endpoint.received[-1].json) == ["[2026-03-30 martes UTC-03:00]\nhola", "Listo.", "[2026-03-31 martes UTC-03:00]\n¿y?"]


async def test_system_text_and_tools_are_the_same_for_every_member_and_turn(house: House) -> None:
    thread = (await house.ask("hola"))["thread_id"]
    await house.ask("¿y Otoniel?", thread=thread)
    await house.ask("hola", actor=AGENT_OF_SUPPORT)
    bodies = [request.json for request in house.endpoint.received]
    assert len({json.dumps([body["messages"][0], body["tools"]]) for body in bodies}) == 1


async def test_what_is_sent_later_begins_with_what_was_sent_before(house: House) -> None:
    house.script([calls(("list_team", {}), text="Miro"), "C-1 no está.", calls(("list_inboxes", {})), "Listo."])
    thread = (await house.ask("¿y Otoniel?"))["thread_id"]
    await house.ask("¿y las bandejas?", thread=thread)
    messages = [json.dumps(request.json["messages"])[:-1] for request in house.endpoint.received]
    assert all(later.startswith(earlier) for earlier, later in pairwise(messages))


async def test_numbers_are_committed_before_anything_leaves(house: House) -> None:
    model = Held()
    turns = turns_with(house, model)
    turn = await turns.ask(ADMIN, asking("¿y Otoniel?"))
    await model.asked.wait()
    (row,) = await house.sql("SELECT number FROM velo.tokens WHERE kind = 'C' AND entity_id = 3")
    assert row["number"] == 1
    (message,) = await house.sql("SELECT state, marks FROM velo.messages")
    assert (message["state"], message["marks"]["spans"][0]["rendering"]) == ("sent", "C-1")
    model.go.set()
    await turns.finished(ADMIN, turn)


async def test_no_connection_is_held_while_the_model_thinks(house: House, house_dsn: str) -> None:
    narrow = await Database.open(logins(house_dsn).app, min_size=1, max_size=1)
    model = Held()
    turns = turns_with(House(narrow, house.owner), model)
    turn = await turns.ask(ADMIN, asking("hola"))
    await model.asked.wait()
    assert await turns.threads(ADMIN)
    model.go.set()
    await turns.finished(ADMIN, turn)
    await narrow.close()


# --- tools -----------------------------------------------------------------------------------------------------------------------------------


async def test_calls_run_in_order_and_bear_ids_of_ours(house: House) -> None:
    foreign = {"id": "call_Otoniel", "type": "function", "function": {"name": "list_team", "arguments": "{}"}}
    house.script([completion({"role": "assistant", "content": None, "tool_calls": [foreign, foreign]}), calls(("list_inboxes", {})), "Listo."])
    answered = await house.ask("hola")
    assert [step["tool"] for step in answered["steps"]] == ["list_team", "list_team", "list_inboxes"]
    ids = [call["id"] for message in house.last for call in message.get("tool_calls", ())]
    assert ids == ["call_1", "call_2", "call_3"]
    assert ids == [message["tool_call_id"] for message in house.last if message["role"] == "tool"]


async def test_calls_beyond_the_caps_are_told_that_they_were_not_run(house: House) -> None:
    rounds = [calls(*(("find_contacts", {"skip": place + 100 * number}) for place in range(9))) for number in range(3)]
    house.script([*rounds, "Listo."])
    answered = await house.ask("hola")
    statuses = [step["status"] for step in answered["steps"]]
    assert [statuses[start : start + 9].count("ok") for start in (0, 9, 18)] == [8, 8, 4]
    assert statuses.count("skipped") == 7
    assert results(house.last)[8] == '<datos>{"error":"No se ejecutó: demasiadas llamadas a la vez. Responde con lo que ya tienes."}</datos>'


async def test_the_same_call_again_is_not_run_again(house: House) -> None:
    """B120: a model that asks the same over and over is told that it has the answer, and comes to an end."""
    again = calls(("find_contacts", '{ "skip":0 }'))
    house.script([calls(("find_contacts", {"skip": 0})), calls(("find_contacts", {"skip": 0}), ("find_contacts", {"skip": 1})), again, again, again])
    answered = await house.ask("hola")
    assert [step["status"] for step in answered["steps"]] == ["ok", "repeated", "ok", "repeated", "repeated"]
    assert "El mismo resultado que antes" in results(house.last)[-1]
    assert len(house.endpoint.received) == 5


async def test_a_tool_that_does_not_exist_is_answered_and_its_name_does_not_go_back(house: House) -> None:
    house.script([calls(("find_Otoniel_Ibarrola", {})), "Listo."])
    answered = await house.ask("hola")
    assert [(step["tool"], step["status"]) for step in answered["steps"]] == [("unknown_tool", "declined")]
    assert "Otoniel" not in house.endpoint.text


async def test_a_name_in_the_models_arguments_does_not_go_back_once_it_is_minted(house: House) -> None:
    house.script([calls(("find_contacts", {"label": "Otoniel Ibarrola"}), text="Busco a Otoniel Ibarrola"), "Listo."])
    await house.ask("¿y Otoniel?")
    assert "Ibarrola" not in house.endpoint.text
    assert house.last[1]["content"] == "Busco a [nombre]"


@pytest.mark.parametrize("written", ['{"label": "de C-1"}', '{"label": "\\u00bfC-1"}', '{"label": "C\\u002d1"}'], ids=["plain", "escaped", "dash"])
async def test_a_token_in_an_argument_is_a_name_to_the_tool_however_the_json_writes_it(house: House, written: str) -> None:
    label = json.loads(written)["label"].strip().replace("C-1", "Otoniel Ibarrola")
    await house.sql("INSERT INTO crm.labels (tenant_id, id, name) VALUES (1, 1, $1)", label)
    await house.sql("INSERT INTO crm.contact_labels (tenant_id, contact_id, label_id) VALUES (1, 3, 1)")
    house.script([calls(("find_contacts", {}), ("find_contacts", written)), "Listo."])
    await house.ask("¿a quién pusimos una etiqueta de Otoniel Ibarrola?")
    assert json.loads(results(house.last)[1][7:-8])["total"] == 1


@pytest.mark.parametrize("stored", ["+56988887777", "56 9 8888 7777", "988887777", "9 8888-7777"])
@pytest.mark.parametrize("written", ["+56988887777", "+56 9 8888 7777", "988887777", "9 8888 7777", "9.8888.7777", "nueve ocho ocho ocho ocho siete siete siete siete"])
async def test_a_phone_in_the_question_is_its_bearers_handle_however_both_write_it(house: House, stored: str, written: str) -> None:
    await house.sql("UPDATE crm.contacts SET phone = $1 WHERE id = 3", stored)
    await house.ask(f"¿de quién es el teléfono {written}?")
    assert "C-1.phone" in house.question


async def test_a_town_in_the_question_stays_though_somebody_is_called_so(house: House) -> None:
    await house.sql("INSERT INTO crm.contacts (tenant_id, id, name) VALUES (1, 90, 'Marco Santos')")
    await house.ask("¿cuántas entregas en Santos, calle Santos 14?")
    assert house.question == "¿cuántas entregas en Santos, calle Santos 14?"
    await house.ask("¿y de Marco Santos, en Santos?")
    assert house.question == "¿y de C-1, en C-1?"


@pytest.mark.parametrize("address", ["envíenlo a Calle Marchant 68, Madrid", "la Avenida Marchant 14 está cerrada"])
async def test_a_street_in_the_question_stays_though_somebody_is_called_so(house: House, address: str) -> None:
    await house.sql("INSERT INTO crm.contacts (tenant_id, id, name) VALUES (1, 90, 'Elsa Marchant')")
    await house.ask(address)
    assert house.question == address
    assert "Marchant" not in (await house.ask(f"{address}, dice Elsa Marchant"), house.question)[1]


async def test_broken_json_of_a_call_goes_back_as_an_empty_object(house: House) -> None:
    house.script([calls(("show_contact", '{"contact": NaN}'), ("show_contact", '{"contact": -Infinity}')), "Listo."])
    await house.ask("hola")
    assert [call["function"]["arguments"] for call in house.last[-3]["tool_calls"]] == ["{}", "{}"]


async def test_people_in_a_result_are_minted_and_their_values_masked_in_it(house: House) -> None:
    house.script([calls(("read_messages", {"contact": "C-1"})), "Listo."])
    await house.ask("¿qué escribió María López?")
    page = json.loads(results(house.last)[0][7:-8])
    bodies = [message["body"] for message in page["messages"]]
    assert bodies[-1] == "Hola, soy C-1, mi fono es [teléfono] y mi rut [documento]"
    assert bodies[0] == "Dile a U-1 que [nombre 1] no llegó; me debe [nombre 2]"


# --- look-alikes and inventions ----------------------------------------------------------------------------------------------------------------


async def test_a_turn_reserves_three_hundred_look_alikes_and_no_more(house: House) -> None:
    await house.ask(" ".join(f"K-{number}" for number in range(1, 401)))
    sent = house.question.split()
    assert sent[:300] == [f"K-{number}" for number in range(1, 301)]
    assert set(sent[300:]) == {"[código]"}


async def test_a_token_that_the_model_invents_is_nobodys_for_ever(house: House) -> None:
    house.script(["C-1 y C-2 son los mejores"])
    answered = await house.ask("hola")
    assert answered["unknown_tokens"] == ["C-1", "C-2"]
    assert answered["message"]["text"] == "C-1 y C-2 son los mejores"
    await house.ask("¿y Otoniel?", thread=answered["thread_id"])
    assert house.question == "¿y C-3?"


# --- answers ---------------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", ["", "   ", "\n", None])
async def test_an_empty_answer_is_said_to_be_one(house: House, answer: str | None) -> None:
    house.script([completion({"role": "assistant", "content": answer})])
    assert (await house.ask("hola"))["message"]["text"] == "No hubo respuesta. Prueba a preguntar de otra manera."


async def test_an_answer_that_was_cut_keeps_a_token_at_its_end_closed(house: House) -> None:
    house.script([completion({"role": "assistant", "content": "Avisé a C-1"}, finish="length")])
    answered = await house.ask("¿y Otoniel?")
    assert (answered["message"]["text"], answered["finish"]) == ("Avisé a C-1", "length")


async def test_an_answer_with_letters_that_cannot_be_stored_is_stored_without_them(house: House) -> None:
    body = json.dumps(completion({"role": "assistant", "content": "a\x00b\ud800c"}))  # escaped, as a server may send them
    house.script([Response(body, media_type="application/json")])
    answered = await house.ask("hola")
    assert answered["message"]["text"] == "ab?c"
    house.script(["Listo."])
    await house.ask("¿y?", thread=answered["thread_id"])


async def test_a_name_that_the_model_guesses_in_its_answer_does_not_go_back(house: House) -> None:
    house.script(["Será Otoniel Ibarrola, al 9 8345 6789.", "Listo."])
    answered = await house.ask("hola")
    assert answered["message"]["text"] == "Será Otoniel Ibarrola, al 9 8345 6789."
    await house.ask("¿y?", thread=answered["thread_id"])
    assert content(house.endpoint.received[-1].json)[1] == "Será [nombre], al [dato]."


async def test_what_the_provider_counted_is_added_up(house: House) -> None:
    house.script([calls(("list_team", {})), "Listo."])
    turn = (await house.ask("hola"))["turn_id"]
    (row,) = await house.sql("SELECT usage, model, prompt_version, software_version FROM velo.turns WHERE id = $1", turn)
    assert row["usage"] == {"input_tokens": 20, "output_tokens": 10}
    assert (row["model"], row["software_version"]) == ("scripted", "test")
    assert row["prompt_version"]
