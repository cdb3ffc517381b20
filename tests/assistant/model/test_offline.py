"""The offline demo model: a pure function with a small table, behind the same wire as a real model."""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest

from assistant.model import offline_endpoint
from assistant.model.offline import CUES, SAY, reply
from assistant.model.openai_client import OpenAIModel
from assistant.prompts import LANGUAGES, system_text
from tools.catalogue import load, specs
from veil.payload import Constant, Message, Request, Role
from veil.text import Veiled
from veil.tokens import find

CARD = {
    "contact": "C-1",
    "state": "active",
    "total_conversations": 3,
    "open_conversations": 1,
    "last_contact_at": "2026-03-01T10:20-03:00",
    "phone": "C-1.phone",
    "email": None,
}
PAGE = {"messages": [{"author": "contact", "contact": "C-1", "member": None, "sent_at": "2026-03-01T10:20-03:00", "body": "hola"}]}


def request(*questions: str, language: str = "es", results: tuple[str, ...] = (), **others: Any) -> dict[str, Any]:
    messages = [{"role": "system", "content": system_text(language).text}]
    messages += [{"role": "user", "content": f"[2026-03-02 lunes UTC-03:00]\n{question}"} for question in questions]
    messages += [{"role": "tool", "content": result} for result in results]
    return {"model": "m", "messages": messages, "tools": specs(language), "tool_choice": "auto", **others}


def calls_of(*questions: str, language: str = "es") -> list[tuple[str, Any]]:
    message = reply(request(*questions, language=language))
    functions = [call["function"] for call in message.get("tool_calls", ())]
    return [(function["name"], json.loads(function["arguments"])) for function in functions]


STORY = [("show_contact", {"contact": "C-1"}), ("read_messages", {"contact": "C-1"})]
PHONE = [("show_contact", {"contact": "C-1"})]


@pytest.mark.parametrize(
    ("language", "question", "calls"),
    [
        ("es", "¿qué pasó con C-1?", STORY),
        ("es", "QUE PASO CON c-1", STORY),
        ("es", "C-1", STORY),
        ("es", "¿cuál es el teléfono de C-1?", PHONE),
        ("es", "dame el correo de C-1", PHONE),
        ("es", "¿quién espera más?", [("find_conversations", {"waiting_hours": 0})]),
        ("es", "¿quién espera en B-2?", [("find_conversations", {"inbox": "B-2", "waiting_hours": 0})]),
        ("es", "conversaciones abiertas de B-1", [("find_conversations", {"inbox": "B-1", "status": "open"})]),
        ("es", "¿qué tiene abierto U-2?", [("find_conversations", {"member": "U-2", "status": "open"})]),
        ("es", "¿quiénes son el equipo?", [("list_team", {})]),
        ("es", "¿qué bandejas hay?", [("list_inboxes", {})]),
        ("es", "lista de clientes", [("find_contacts", {})]),
        ("es", "resume H-3", [("show_conversation", {"conversation": "H-3"})]),
        ("es", "¿y U-2?", [("find_conversations", {"member": "U-2"})]),
        ("pt", "o que aconteceu com C-1?", STORY),
        ("pt", "qual é o telefone de C-1?", PHONE),
        ("pt", "quem está esperando há mais tempo?", [("find_conversations", {"waiting_hours": 0})]),
        ("pt", "quem é da equipe?", [("list_team", {})]),
        ("en", "what happened with C-1?", STORY),
        ("en", "who has been waiting longest?", [("find_conversations", {"waiting_hours": 0})]),
        ("en", "who is in the team?", [("list_team", {})]),
    ],
)
def test_a_cue_leads_to_the_tools_with_the_tokens_of_the_question(language: str, question: str, calls: list[tuple[str, Any]]) -> None:
    assert calls_of(question, language=language) == calls


def test_what_a_question_leaves_out_the_one_before_said() -> None:
    assert calls_of("¿qué pasó con C-1?", "¿y su teléfono?") == PHONE
    assert calls_of("¿qué pasó con C-1?", "¿quién espera más?") == [("find_conversations", {"waiting_hours": 0})]


def test_every_call_is_one_that_the_catalogue_offers() -> None:
    questions = [f"{word} C-1 H-1 B-1" for word in ("", "teléfono", "espera", "abierto", "equipo", "bandejas", "clientes")]
    named = {name for question in questions for name, _ in calls_of(question)}
    assert named <= load().keys()


@pytest.mark.parametrize("others", [{"tool_choice": "none"}, {"tools": []}])
def test_without_tools_it_says_what_it_can_do(others: dict[str, Any]) -> None:
    message = reply(request("¿qué pasó con C-1?", **others))
    assert "tool_calls" not in message
    assert message["content"].startswith(SAY["es"]["help"])


def test_a_group_is_asked_about() -> None:
    message = reply(request("¿qué pasó con C-4|C-5?"))
    assert message["content"].startswith("¿A cuál te refieres: C-4 / C-5?")


def test_the_answer_holds_what_the_tools_gave_and_says_what_it_is() -> None:
    results = tuple(f"<datos>{json.dumps(result)}</datos>" for result in (CARD, PAGE))
    text = reply(request("¿qué pasó con C-1?", results=results))["content"]
    assert "C-1: estado active, 3 conversaciones, 1 abiertas. Último contacto: 2026-03-01 10:20." in text
    assert "- 2026-03-01 10:20, C-1: «hola»" in text
    assert text.endswith(SAY["es"]["note"])


@pytest.mark.parametrize(
    ("question", "start"),
    [("¿cuál es el teléfono de C-1?", "C-1.phone"), ("¿cuál es el correo de C-1?", "C-1 no tiene ese dato.")],
)
def test_a_personal_value_is_its_handle_or_missing(question: str, start: str) -> None:
    text = reply(request(question, results=(json.dumps(CARD),)))["content"]
    assert text.startswith(start)


@pytest.mark.parametrize("result", ["C-9 no existe.", "[]", '{"truncated":true}', "{", "", '{"messages":[]}'])
def test_any_result_gets_an_answer(result: str) -> None:
    assert reply(request("¿qué pasó con C-9?", results=(result,)))["content"]


def test_a_refusal_is_passed_on() -> None:
    assert reply(request("¿qué pasó con C-9?", results=("C-9 no existe.",)))["content"].startswith("C-9 no existe.")


def test_its_own_sentences_hold_no_token_and_are_the_same_in_every_language() -> None:
    assert set(CUES) == set(SAY) == set(LANGUAGES)
    assert len({tuple(sentences) for sentences in SAY.values()}) == 1
    assert not any(find(sentence) for sentences in SAY.values() for sentence in sentences.values())


async def test_it_answers_over_the_same_wire_as_a_real_model() -> None:
    model = OpenAIModel.at("http://offline.invalid/v1", None, transport=httpx2.ASGITransport(offline_endpoint.application))
    messages = (
        Message(Role.SYSTEM, (Constant(system_text("es").text),)),
        Message(Role.USER, (Constant("[lunes]\n"), Veiled("¿qué pasó con C-1?"))),
    )
    first = await model.ask(Request("m", messages, tuple(specs("es"))))
    again = await model.ask(Request("m", messages, tuple(specs("es"))))
    assert [call.name for call in first.calls] == ["show_contact", "read_messages"]
    assert first.raw == again.raw
    assert first.finish == "tool_calls"
