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
from tools.campaigns import CampaignState
from tools.catalogue import load, specs
from tools.contacts import ContactState
from tools.conversations import Status
from tools.deals import Stage
from tools.inboxes import Channel
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
        ("es", "¿qué notas hay de C-1?", [("read_notes", {"contact": "C-1"})]),
        ("es", "¿qué escribió U-2 en las notas?", [("read_notes", {"member": "U-2"})]),
        ("es", "¿quién tiene más carga?", [("show_workload", {})]),
        ("es", "la carga de B-2", [("show_workload", {"inbox": "B-2"})]),
        ("es", "¿qué empresas hay?", [("find_companies", {})]),
        ("es", "¿qué pasó con E-1?", [("show_company", {"company": "E-1"})]),
        ("es", "¿cuál es el RUT de E-1?", [("show_company", {"company": "E-1"})]),
        ("es", "¿cómo va la campaña K-1?", [("list_campaigns", {"campaign": "K-1"})]),
        ("es", "¿y K-1?", [("list_campaigns", {"campaign": "K-1"})]),
        ("es", "¿qué campañas hay?", [("list_campaigns", {})]),
        ("es", "negocios de C-1", [("find_deals", {"contact": "C-1"})]),
        ("es", "¿qué negocios hay abiertos?", [("find_deals", {"undecided": True})]),
        ("pt", "quanto somam os negócios ganhos?", [("sum_deals", {"stage": "won"})]),
        ("en", "which deals did we lose?", [("find_deals", {"stage": "lost"})]),
        ("en", "who has waited longest?", [("find_conversations", {"waiting_hours": 0})]),
        ("en", "who is busiest?", [("show_workload", {})]),
        ("es", "¿y D-3?", [("find_deals", {"deal": "D-3"})]),
        ("es", "¿cuánto suman los negocios de U-2?", [("sum_deals", {"member": "U-2"})]),
        ("es", "¿qué etiquetas usamos?", [("list_labels", {})]),
        ("pt", "que notas há de C-1?", [("read_notes", {"contact": "C-1"})]),
        ("pt", "quem tem mais carga?", [("show_workload", {})]),
        ("pt", "quais empresas temos?", [("find_companies", {})]),
        ("pt", "como vai a campanha K-1?", [("list_campaigns", {"campaign": "K-1"})]),
        ("pt", "os negócios de E-1", [("find_deals", {"company": "E-1"})]),
        ("pt", "quanto somam os negócios?", [("sum_deals", {})]),
        ("pt", "que etiquetas há?", [("list_labels", {})]),
        ("en", "any notes on C-1?", [("read_notes", {"contact": "C-1"})]),
        ("en", "who has the most work?", [("show_workload", {})]),
        ("en", "which companies are there?", [("find_companies", {})]),
        ("en", "how is the campaign K-1 doing?", [("list_campaigns", {"campaign": "K-1"})]),
        ("en", "deals of U-2", [("find_deals", {"member": "U-2"})]),
        ("en", "how much are the deals worth?", [("sum_deals", {})]),
        ("en", "what labels do we use?", [("list_labels", {})]),
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
    assert calls_of("¿qué pasó con C-1?", "¿y sus notas?") == [("read_notes", {"contact": "C-1"})]
    assert calls_of("¿qué pasó con C-1?", "¿qué notas hay?") == [("read_notes", {})]
    assert calls_of("what happened with E-1?", "and their deals?", language="en") == [("find_deals", {"company": "E-1"})]


def test_every_call_is_one_that_the_catalogue_offers() -> None:
    words = ("", "teléfono", "espera", "abierto", "equipo", "bandejas", "clientes", "notas", "negocios", "suman", "campañas", "etiquetas", "carga")
    called = [call for word in words for call in calls_of(f"{word} C-1 H-1 B-1 D-1 E-1 K-1 U-2")]
    assert {name for name, _ in called} <= load().keys()
    assert all(arguments.keys() <= load()[name].arguments.model_fields.keys() for name, arguments in called)


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
    assert calls_of("¿qué clientes tienen E-1 y E-2?") == [("find_contacts", {"company": company}) for company in ("E-1", "E-2")]


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
    listed, more, _ = text.split("\n\n", 2)
    (first, second, third, *_), last = listed.splitlines(), more
    assert (first, last) == ("Total: 65.", "… y 57 más")
    assert second == "- H-1, C-1, sin bandeja, Pedido, lleva 72 días en espera"
    assert third == "- H-1, C-1, sin bandeja, Pedido, lleva 1 hora en espera"


TOLD: dict[str, tuple[dict[str, Any], dict[str, str]]] = {
    "campaigns": (
        {"campaign": "K-1", "channel": "email", "state": "finished", "starts_at": "2026-03-01T09:00-03:00", "sent": 1200, "delivered_percent": 99.2,
         "opened_percent": 34, "replied_percent": None},
        {
            "es": "- K-1, correo, terminada, 2026-03-01, 1.200 enviados, 99,2 % entregados, 34 % abiertos, — respondidos",
            "pt": "- K-1, e-mail, encerrada, 2026-03-01, 1.200 enviados, 99,2 % entregues, 34 % abertos, — respondidos",
            "en": "- K-1, e-mail, finished, 2026-03-01, 1,200 sent, 99.2% delivered, 34% opened, — replied",
        },
    ),
    "sums": (
        {"stage": "won", "currency": "CLP", "deals": 2, "amount": 1234567.5},
        {
            "es": "- ganado, 2 negocios, CLP 1.234.567,50",
            "pt": "- ganho, 2 negócios, CLP 1.234.567,50",
            "en": "- won, 2 deals, CLP 1,234,567.50",
        },
    ),
    "deals": (
        {"deal": "D-1", "contact": "C-1", "title": "Tarros", "stage": "new", "currency": None, "amount": None, "expected_close": "2026-04-01"},
        {
            "es": "- D-1, C-1, nuevo, cierre previsto 2026-04-01",
            "pt": "- D-1, C-1, novo, fechamento previsto 2026-04-01",
            "en": "- D-1, C-1, new, expected to close 2026-04-01",
        },
    ),
    "notes": (
        {"contact": "C-1", "member": "U-2", "written_at": "2026-03-01T10:20-03:00", "body": "hola"},
        dict.fromkeys(LANGUAGES, "- 2026-03-01 10:20, U-2, C-1, «hola»"),
    ),
    "workload": (
        {"assignee": None, "inbox": None, "open_conversations": 1, "waiting_conversations": 3, "longest_wait_hours": 72},
        {
            "es": "- nadie a cargo, 1 abierta, 3 en espera, la espera más larga: 3 días",
            "pt": "- sem responsável, 1 aberta, 3 em espera, a espera mais longa: 3 dias",
            "en": "- nobody in charge, 1 open, 3 waiting, longest wait: 3 days",
        },
    ),
    "companies": (
        {"company": "E-1", "city": None, "contacts": 1, "undecided_deals": 2},
        {
            "es": "- E-1, 1 contacto, 2 negocios en curso",
            "pt": "- E-1, 1 contato, 2 negócios em andamento",
            "en": "- E-1, 1 contact, 2 deals in progress",
        },
    ),
    "labels": (
        {"label": "VIP", "contacts": 0, "conversations": 1},
        {
            "es": "- VIP, 0 contactos, 1 conversación",
            "pt": "- VIP, 0 contatos, 1 conversa",
            "en": "- VIP, 0 contacts, 1 conversation",
        },
    ),
}  # fmt: skip
ASKED = {"es": "¿cómo va todo?", "pt": "como vai tudo?", "en": "how is it going?"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", TOLD)
def test_a_list_is_told_in_the_language_of_the_tenant(name: str, language: str) -> None:
    row, lines = TOLD[name]
    result = json.dumps({"total": 1, name: [row]})
    assert reply(request(ASKED[language], language=language, results=(result,)))["content"].splitlines()[:2] == ["Total: 1.", lines[language]]


def test_a_company_is_told_with_its_contacts_and_deals() -> None:
    card = {
        "company": "E-1", "city": "Osorno", "legal_id": "E-1.legal_id", "total_contacts": 1, "total_deals": 2, "undecided_deals": 1,
        "latest_contacts": [{"contact": "C-1", "state": "lead"}], "latest_deals": [TOLD["deals"][0]],
    }  # fmt: skip
    assert reply(request("¿qué pasó con E-1?", results=(json.dumps(card),)))["content"].splitlines()[:3] == [
        "E-1: Osorno, 1 contacto, 2 negocios, 1 en curso. Documento: E-1.legal_id.",
        "- C-1, prospecto",
        "- D-1, C-1, nuevo, cierre previsto 2026-04-01",
    ]


def test_what_was_said_before_a_conversation_was_resolved_is_counted() -> None:
    page = {**PAGE, "settled_messages": 3}
    assert "… y 3 mensajes de antes de la última resolución" in reply(request("¿qué pasó con C-1?", results=(json.dumps(page),)))["content"]


ENUMS = [Status, Author, ContactState, Role, Channel, CampaignState, Stage]


@pytest.mark.parametrize("enum", ENUMS, ids=lambda enum: enum.__name__)
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
