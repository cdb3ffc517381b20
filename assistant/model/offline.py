"""The offline demo model: no language model, but a table of cues, so that the demo runs without a key and without a
network.

A pure function of the request, served as an OpenAI-compatible endpoint: the same client, wire and loop run as with a
real model. It calls the tools of the catalogue with the tokens of the question and puts what they give into short
sentences. Whatever it says ends with what it is.
"""

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from veil import tokens

Calls = list[tuple[str, dict[str, Any]]]
Body = Mapping[str, Any]

#: What a question is about, by language, on folded text; the first row that matches decides.
CUES: Mapping[str, Sequence[tuple[str, str]]] = {
    "es": (
        ("phone", r"\b(telefono|celular|fono)\b"),
        ("email", r"\b(correo|e-?mail)\b"),
        ("national_id", r"\b(rut|documento|dni|cedula)\b"),
        ("waiting", r"\b(espera|esperan|esperando)\b"),
        ("open", r"\b(abiert[ao]s?|pendientes?)\b"),
        ("team", r"\b(equipo|agentes|companer[ao]s)\b"),
        ("inboxes", r"\bbandejas\b"),
        ("contacts", r"\b(contactos|clientes)\b"),
        ("story", r"\b(que paso|que dijo|que escribio|que quiere|cuando|resume|resumen|cuenta(me)?|mensajes?)\b"),
    ),
    "pt": (
        ("phone", r"\b(telefone|celular)\b"),
        ("email", r"\b(e-?mail)\b"),
        ("national_id", r"\b(cpf|documento|rg)\b"),
        ("waiting", r"\b(espera|esperam|esperando|aguarda|aguardando)\b"),
        ("open", r"\b(abert[ao]s?|pendentes?)\b"),
        ("team", r"\b(equipe|atendentes)\b"),
        ("inboxes", r"\bcaixas\b"),
        ("contacts", r"\b(contatos|clientes)\b"),
        ("story", r"\b(que aconteceu|que houve|que disse|que escreveu|quando|resuma|resumo|conte|mensage(m|ns))\b"),
    ),
    "en": (
        ("phone", r"\bphone\b"),
        ("email", r"\be-?mail\b"),
        ("national_id", r"\b(national id|id number)\b"),
        ("waiting", r"\b(waits?|waiting)\b"),
        ("open", r"\b(open|pending)\b"),
        ("team", r"\b(team|agents|colleagues)\b"),
        ("inboxes", r"\binboxes\b"),
        ("contacts", r"\b(contacts|customers|clients)\b"),
        ("story", r"\b(happened|said|wrote|wants?|when|summary|messages?)\b"),
    ),
}

#: What it says, by language.
SAY: Mapping[str, Mapping[str, str]] = {
    "es": {
        "note": "(Modelo de demostración: una tabla de palabras clave, no un modelo de lenguaje.)",
        "help": "Pregúntame por un contacto («¿qué pasó con …?», «¿cuál es su teléfono?»), por quién espera más, "
        "por lo que hay abierto en una bandeja, por las bandejas o por el equipo.",
        "which": "¿A cuál te refieres: {tokens}?",
        "none": "No hay datos.",
        "no_field": "{contact} no tiene ese dato.",
        "card": "{contact}: estado {state}, {total_conversations} conversaciones, {open_conversations} abiertas. "
        "Último contacto: {last_contact_at}.",
        "waits": "lleva {hours} horas en espera",
        "conversation": "{conversation}, de {contact}: estado {status}, {total_messages} mensajes.",
    },
    "pt": {
        "note": "(Modelo de demonstração: uma tabela de palavras-chave, não um modelo de linguagem.)",
        "help": "Pergunte sobre um contato («o que aconteceu com …?», «qual é o telefone?»), quem espera mais tempo, "
        "o que há aberto em uma caixa de entrada, as caixas ou a equipe.",
        "which": "Qual deles: {tokens}?",
        "none": "Não há dados.",
        "no_field": "{contact} não tem esse dado.",
        "card": "{contact}: estado {state}, {total_conversations} conversas, {open_conversations} abertas. "
        "Último contato: {last_contact_at}.",
        "waits": "espera há {hours} horas",
        "conversation": "{conversation}, de {contact}: estado {status}, {total_messages} mensagens.",
    },
    "en": {
        "note": "(Demo model: a table of cues, not a language model.)",
        "help": 'Ask me about a contact ("what happened with …?", "what is their phone?"), who waits longest, '
        "what is open in an inbox, the inboxes or the team.",
        "which": "Which one do you mean: {tokens}?",
        "none": "There is no data.",
        "no_field": "{contact} has none on file.",
        "card": "{contact}: state {state}, {total_conversations} conversations, {open_conversations} open. "
        "Last contact: {last_contact_at}.",
        "waits": "has waited for {hours} hours",
        "conversation": "{conversation}, of {contact}: status {status}, {total_messages} messages.",
    },
}
_FIRST_WORDS = {"Ayudas": "es", "Você": "pt", "You": "en"}
_ROWS = 8


def reply(request: Body) -> dict[str, Any]:
    """The message with which the model answers a request."""
    messages = request["messages"]
    asked = max((place for place, message in enumerate(messages) if message["role"] == "user"), default=0)
    question = _folded(messages[asked]["content"])
    language = _language(question, messages[0]["content"])
    results = [message["content"] for message in messages[asked + 1 :] if message["role"] == "tool"]
    topic = next((topic for topic, cue in CUES[language] if re.search(cue, question)), None)
    if results:
        return _said(language, _answer(topic, results, SAY[language]))
    group = _group(messages[asked]["content"])
    if group:
        return _said(language, SAY[language]["which"].format(tokens=" / ".join(group)))
    offered = {tool["function"]["name"] for tool in request.get("tools", ())}
    calls = [call for call in _plan(topic, messages[: asked + 1]) if call[0] in offered]
    return _called(calls) if calls and request.get("tool_choice") != "none" else _said(language, SAY[language]["help"])


def _plan(topic: str | None, messages: Sequence[Body]) -> Calls:
    named = _named(messages[-1])
    filters = {
        name: named[letter] for letter, name in (("B", "inbox"), ("C", "contact"), ("U", "member")) if letter in named
    }
    plans: dict[str, Calls] = {
        "waiting": [("find_conversations", {**filters, "waiting_hours": 0})],
        "open": [("find_conversations", {**filters, "status": "open"})],
        "team": [("list_team", {})],
        "inboxes": [("list_inboxes", {})],
        "contacts": [("find_contacts", {})],
    }
    if topic in plans:
        return plans[topic]
    if topic is None and not named:
        return []
    meant = named if named.keys() & {"C", "H"} else _last_named(messages)
    if "H" in meant:
        return [("show_conversation", {"conversation": meant["H"]})]
    if "C" not in meant:
        return [("find_conversations", filters)] if filters else []
    card = [("show_contact", {"contact": meant["C"]})]
    return card if topic in tokens.HANDLE_FIELDS else [*card, ("read_messages", {"contact": meant["C"]})]


def _answer(topic: str | None, results: list[str], say: Mapping[str, str]) -> str:
    read = [(result, _data(result)) for result in results]
    return "\n".join(
        line for result, data in read for line in ([result] if data is None else _sentences(topic, data, say))
    )


def _sentences(topic: str | None, data: Body, say: Mapping[str, str]) -> list[str]:
    if topic in tokens.HANDLE_FIELDS:
        return [data.get(topic) or say["no_field"].format(contact=data.get("contact"))]
    if "latest_messages" in data:
        return [say["conversation"].format(**data), *map(_message, data["latest_messages"][:_ROWS])]
    if "total_conversations" in data:
        return [say["card"].format(**{**data, "last_contact_at": _time(data.get("last_contact_at"))})]
    if "messages" in data:
        return [_message(row) for row in data["messages"][:_ROWS]] or [say["none"]]
    for name, line in (
        ("conversations", _conversation),
        ("members", _member),
        ("inboxes", _inbox),
        ("contacts", _contact),
    ):
        if name in data:
            return [f"Total: {data.get('total')}.", *(line(row, say) for row in data[name][:_ROWS])]
    return [say["none"]]


def _member(row: Body, say: Mapping[str, str]) -> str:
    return f"- {row['member']}, {row['role']}"


def _inbox(row: Body, say: Mapping[str, str]) -> str:
    return f"- {row['inbox']}, {row['channel']}"


def _contact(row: Body, say: Mapping[str, str]) -> str:
    return f"- {row['contact']}, {row['state']}"


def _conversation(row: Body, say: Mapping[str, str]) -> str:
    parts = [row["conversation"], row.get("contact"), row.get("inbox"), row.get("subject")]
    if row.get("waiting_hours") is not None:
        parts.append(say["waits"].format(hours=row["waiting_hours"]))
    return "- " + ", ".join(str(part) for part in parts if part)


def _message(row: Body) -> str:
    author = row.get("member") or (row.get("contact") if row.get("author") == "contact" else row.get("author"))
    return f"- {_time(row.get('sent_at'))}, {author}: «{row.get('body') or ''}»"


def _time(moment: Any) -> str:
    return str(moment)[:16].replace("T", " ") if moment else "—"


def _data(result: str) -> dict[str, Any] | None:
    """The JSON object inside a tool's answer; a refusal is a sentence and has none."""
    try:
        data = json.loads(result[result.index("{") : result.rindex("}") + 1])
    except ValueError:
        return None
    return data if isinstance(data, dict) else None


def _named(message: Body) -> dict[str, str]:
    """By letter the first token of a question."""
    return {found.token.letter: str(found.token) for found in reversed(tokens.find(message["content"]))}


def _last_named(messages: Sequence[Body]) -> dict[str, str]:
    """The contact or conversation of the latest question that named one: "and their phone?"."""
    questions = (_named(message) for message in reversed(messages) if message["role"] == "user")
    return next((named for named in questions if named.keys() & {"C", "H"}), {})


def _group(question: str) -> list[str]:
    found = tokens.find(question)
    pairs = [(first, second) for first, second in pairwise(found) if question[first.end : second.start] == "|"]
    return list(dict.fromkeys(str(item.token) for pair in pairs for item in pair))


def _language(question: str, system: str) -> str:
    hits = {language: sum(bool(re.search(cue, question)) for _, cue in rows) for language, rows in CUES.items()}
    default = _FIRST_WORDS.get(system.split(maxsplit=1)[0] if system.strip() else "", "es")
    return max(hits, key=lambda language: (hits[language], language == default))


def _folded(text: str) -> str:
    return "".join(
        character for character in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(character)
    )


def _said(language: str, text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": f"{text}\n\n{SAY[language]['note']}"}


def _called(calls: Calls) -> dict[str, Any]:
    functions = [{"name": name, "arguments": json.dumps(arguments)} for name, arguments in calls]
    listed = [
        {"id": f"call_{place}", "type": "function", "function": function} for place, function in enumerate(functions, 1)
    ]
    return {"role": "assistant", "content": None, "tool_calls": listed}
