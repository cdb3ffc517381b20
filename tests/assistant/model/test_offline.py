"""The offline demo model: a pure function with a small table, behind the same wire as a real model."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Any

import httpx2
import pytest

from assistant.model import offline_endpoint
from assistant.model.offline import reply
from assistant.model.offline_words import CUES, NAMES, SAY
from assistant.model.openai_client import OpenAIModel
from assistant.prompts import LANGUAGES, system_text
from tools.catalogue import load, specs
from tools.contacts import ContactState
from tools.conversations import Status
from tools.messages import Author
from tools.permissions import Role
from veil.payload import Constant, Message, Request
from veil.payload import Role as Speaker
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
        ("en", "what did C-1 say?", STORY),
        ("en", "tell me about C-1", STORY),
        ("en", "what is the cell of C-1?", PHONE),
        ("en", "¿cuál es el móvil de C-1?", PHONE),
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


@pytest.mark.parametrize(
    ("earlier", "question"),
    [
        ((), "¿qué pasó con [nombre 1]?"),
        (("¿qué pasó con C-1?",), "¿cuál es el teléfono de [nombre 1] Valdivieso?"),
        (("¿qué pasó con C-1?",), "¿cuál es el teléfono de Zoroastro Valdivieso?"),
        (("¿qué pasó con C-1?",), "¿qué conversaciones abiertas tiene [nombre 1]?"),
        (("¿qué pasó con C-1?", "¿y qué pasó con [nombre 1]?"), "¿cuál es su teléfono?"),
    ],
)
def test_who_is_not_known_is_not_taken_for_the_contact_before(earlier: tuple[str, ...], question: str) -> None:
    assert reply(request(*earlier, question))["content"].startswith(SAY["es"]["stranger"])


@pytest.mark.parametrize("question", ["¿qué pasó con #86?", "resume la conversación 86"])
def test_a_number_of_the_crm_is_no_contact_either(question: str) -> None:
    assert reply(request("¿qué pasó con C-1?", question))["content"].startswith(SAY["es"]["number"])


def test_all_who_are_named_are_looked_up() -> None:
    assert calls_of("el correo y el teléfono de C-1 y de C-2") == [("show_contact", {"contact": contact}) for contact in ("C-1", "C-2")]
    assert [arguments["contact"] for _, arguments in calls_of("¿qué pasó con C-1 y C-2?")] == ["C-1", "C-1", "C-2", "C-2"]
    assert calls_of("¿qué clientes tiene E-1?") == calls_of("¿qué pasó con E-1?") == [("find_contacts", {"company": "E-1"})]


@pytest.mark.parametrize(
    ("language", "question", "asked"),
    [
        ("es", "¿qué pasó con C-4|C-5?", "¿A quién te refieres: C-4 o C-5?"),
        ("es", "¿qué pasó con C-4|C-5|C-6?", "¿A quién te refieres: C-4, C-5 o C-6?"),
        ("es", "conversaciones abiertas de B-1|B-3", "¿A cuál te refieres: B-1 o B-3?"),
        ("pt", "o que houve com C-4|C-5?", "De quem você fala: C-4 ou C-5?"),
        ("en", "what happened with C-4|C-5?", "Whom do you mean: C-4 or C-5?"),
    ],
)
def test_a_group_is_asked_about(language: str, question: str, asked: str) -> None:
    assert reply(request(question, language=language))["content"].startswith(asked)


@pytest.mark.parametrize(
    ("before", "asked", "question", "calls"),
    [
        ("¿y C-4|C-5?", "¿A quién te refieres: C-4 o C-5?", "¿y C-4|C-5?", ["show_contact", "read_messages"] * 2),
        ("abiertas de B-1|B-3", "¿A cuál te refieres: B-1 o B-3?", "abiertas de B-1|B-3", ["find_conversations"] * 2),
    ],
)
def test_a_group_that_comes_again_means_all_of_it(before: str, asked: str, question: str, calls: list[str]) -> None:
    body = request(before, question)
    body["messages"].insert(2, {"role": "assistant", "content": asked})
    assert [call["function"]["name"] for call in reply(body)["tool_calls"]] == calls


def test_the_largest_group_is_told_of_without_asking() -> None:
    assert calls_of("¿qué pasó con C-1|C-2|C-3|C-4|C-5?") == [("show_contact", {"contact": f"C-{number}"}) for number in range(1, 6)]


def test_another_group_is_asked_about_though_one_was_before() -> None:
    body = request("¿qué pasó con C-4|C-5?", "¿qué quiere C-6|C-7?")
    body["messages"].insert(2, {"role": "assistant", "content": "¿A quién te refieres: C-4 o C-5?"})
    assert reply(body)["content"].startswith("¿A quién te refieres: C-6 o C-7?")


def test_the_answer_holds_what_the_tools_gave_and_says_what_it_is() -> None:
    results = tuple(f"<datos>{json.dumps(result)}</datos>" for result in (CARD, PAGE))
    text = reply(request("¿qué pasó con C-1?", results=results))["content"]
    assert "C-1: contacto activo, 3 conversaciones, 1 abierta. Último contacto: 2026-03-01 10:20." in text
    assert "- 2026-03-01 10:20, C-1: «hola»" in text
    assert text.endswith(SAY["es"]["note"])


def test_it_says_what_it_is_once_in_a_thread() -> None:
    body = request("hola", "hola")
    body["messages"].insert(2, {"role": "assistant", "content": reply(request("hola"))["content"]})
    assert reply(body)["content"] == SAY["es"]["help"]


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("¿cuál es el teléfono de C-1?", "C-1: teléfono C-1.phone\n"),
        ("¿cuál es el correo de C-1?", "C-1: sin correo\n"),
        ("dame el teléfono y el correo de C-1", "C-1: teléfono C-1.phone, sin correo\n"),
    ],
)
def test_a_personal_value_is_its_handle_or_missing_beside_whose_it_is(question: str, shown: str) -> None:
    assert reply(request(question, results=(json.dumps(CARD),)))["content"].startswith(shown)


ROW = {"conversation": "H-1", "contact": "C-1", "inbox": None, "subject": "Pedido", "waiting_hours": 1745}


def test_a_list_says_what_is_missing_and_how_much_more_there_is() -> None:
    rows = [ROW, {**ROW, "waiting_hours": 1}] * 5
    text = reply(request("¿quién espera más?", results=(json.dumps({"total": 65, "conversations": rows}),)))["content"]
    first, second, third, *_, last = text.partition("\n\n")[0].splitlines()
    assert (first, last) == ("Total: 65.", "… y 57 más")
    assert second == "- H-1, C-1, sin bandeja, Pedido, lleva 72 días en espera"
    assert third == "- H-1, C-1, sin bandeja, Pedido, lleva 1 hora en espera"


@pytest.mark.parametrize("enum", [Status, Author, ContactState, Role], ids=lambda enum: enum.__name__)
def test_what_tools_write_in_english_has_a_word_in_every_language(enum: type[StrEnum]) -> None:
    assert {value.value for value in enum} <= NAMES.keys()
    assert all(set(row) == set(LANGUAGES) for row in NAMES.values())


@pytest.mark.parametrize("result", ["C-9 no existe.", "[]", '{"truncated":true}', "{", "", '{"messages":[]}'])
def test_any_result_gets_an_answer(result: str) -> None:
    assert reply(request("¿qué pasó con C-9?", results=(result,)))["content"]


@pytest.mark.parametrize("result", ["C-9 no existe.", '<datos>{"error":"C-9 no existe."}</datos>'])
def test_a_refusal_is_passed_on(result: str) -> None:
    assert reply(request("¿qué pasó con C-9?", results=(result,)))["content"].startswith("C-9 no existe.")


def test_its_own_sentences_hold_no_token_and_are_the_same_in_every_language() -> None:
    assert set(CUES) == set(SAY) == set(LANGUAGES)
    assert len({tuple(sentences) for sentences in SAY.values()}) == 1
    assert not any(find(sentence) for sentences in SAY.values() for sentence in sentences.values())


async def test_it_answers_over_the_same_wire_as_a_real_model() -> None:
    model = OpenAIModel.at("http://offline.invalid/v1", None, transport=httpx2.ASGITransport(offline_endpoint.application))
    messages = (
        Message(Speaker.SYSTEM, (Constant(system_text("es").text),)),
        Message(Speaker.USER, (Constant("[lunes]\n"), Veiled("¿qué pasó con C-1?"))),
    )
    first = await model.ask(Request("m", messages, tuple(specs("es"))))
    again = await model.ask(Request("m", messages, tuple(specs("es"))))
    assert [call.name for call in first.calls] == ["show_contact", "read_messages"]
    assert first.raw == again.raw
    assert first.finish == "tool_calls"
