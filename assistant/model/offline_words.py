"""What the offline demo model knows of languages: the cues that it listens for, and the sentences that it says."""

from collections.abc import Mapping, Sequence

#: What a question is about, by language, on folded text; the first row that matches decides, and all rows of values count.
CUES: Mapping[str, Sequence[tuple[str, str]]] = {
    "es": (
        ("phone", r"\b(telefonos?|celular(es)?|fonos?|movil(es)?)\b"),
        ("email", r"\b(correos?|e-?mails?)\b"),
        ("national_id", r"\b(rut|documento|dni|nie|nif|cedula)\b"),
        ("waiting", r"\b(espera|esperan|esperando)\b"),
        ("open", r"\b(abiert[ao]s?|pendientes?)\b"),
        ("team", r"\b(equipo|agentes|companer[ao]s)\b"),
        ("inboxes", r"\bbandejas\b"),
        ("contacts", r"\b(contactos|clientes)\b"),
        ("story", r"\b(que paso|que dijo|que escribio|que quiere|cuando|resume|resumen|cuenta(me)?|mensajes?)\b"),
    ),
    "pt": (
        ("phone", r"\b(telefones?|celular(es)?)\b"),
        ("email", r"\be-?mails?\b"),
        ("national_id", r"\b(cpf|documento|rg)\b"),
        ("waiting", r"\b(espera|esperam|esperando|aguarda|aguardando)\b"),
        ("open", r"\b(abert[ao]s?|pendentes?)\b"),
        ("team", r"\b(equipe|atendentes)\b"),
        ("inboxes", r"\bcaixas\b"),
        ("contacts", r"\b(contatos|clientes)\b"),
        ("story", r"\b(que aconteceu|que houve|que disse|que escreveu|quando|resuma|resumo|conte|mensage(m|ns))\b"),
    ),
    "en": (
        ("phone", r"\b(phones?|cells?|cellphones?|mobiles?)\b"),
        ("email", r"\be-?mails?\b"),
        ("national_id", r"\b(national id|id number|ssn|social security)\b"),
        ("waiting", r"\b(waits?|waiting)\b"),
        ("open", r"\b(open|pending)\b"),
        ("team", r"\b(team|agents|colleagues)\b"),
        ("inboxes", r"\binboxes\b"),
        ("contacts", r"\b(contacts|customers|clients)\b"),
        ("story", r"\b(happened|sa(y|ys|id)|wr(ite|ites|ote)|wants?|when|summary|summari[sz]e|messages?|know about|tell me about|news|history)\b"),
    ),
}

#: A conversation named by a number of the CRM, which no tool takes.
NUMBERED = r"#\s?\d|\b[Cc]onversa\w* \d"

#: The language that a prompt is written in, by its first word.
FIRST_WORDS = {"Ayudas": "es", "Você": "pt", "You": "en"}

#: What it says, by language. A bar parts the form for one from the form for several.
SAY: Mapping[str, Mapping[str, str]] = {
    "es": {
        "note": "(Modelo de demostración: una tabla de palabras clave, no un modelo de lenguaje.)",
        "help": "Pregúntame por un contacto («¿qué pasó con …?», «¿cuál es su teléfono?»), por quién espera más, "
        "por lo que hay abierto en una bandeja, por las bandejas o por el equipo.",
        "whom": "¿A quién te refieres: {tokens}?",
        "which": "¿A cuál te refieres: {tokens}?",
        "or": "o",
        "stranger": "No encuentro a esa persona, o no puedes verla.",
        "number": "No busco conversaciones por su número. Pregúntame por el contacto.",
        "none": "No hay datos.",
        "no_value": "sin {field}",
        "card": "{contact}: {state}, {total}, {open}. Último contacto: {last}.",
        "waits": "lleva {time} en espera",
        "conversation": "{conversation}, de {contact}: {status}, {messages}.",
        "more": "… y {number} más",
        "no_inbox": "sin bandeja",
        "conversations": "conversación|conversaciones",
        "open": "abierta|abiertas",
        "messages": "mensaje|mensajes",
        "hours": "hora|horas",
        "days": "día|días",
    },
    "pt": {
        "note": "(Modelo de demonstração: uma tabela de palavras-chave, não um modelo de linguagem.)",
        "help": "Pergunte sobre um contato («o que aconteceu com …?», «qual é o telefone?»), quem espera mais tempo, "
        "o que há aberto em uma caixa de entrada, as caixas ou a equipe.",
        "whom": "De quem você fala: {tokens}?",
        "which": "De qual você fala: {tokens}?",
        "or": "ou",
        "stranger": "Não encontro essa pessoa, ou você não pode vê-la.",
        "number": "Não procuro conversas pelo número. Pergunte pelo contato.",
        "none": "Não há dados.",
        "no_value": "sem {field}",
        "card": "{contact}: {state}, {total}, {open}. Último contato: {last}.",
        "waits": "espera há {time}",
        "conversation": "{conversation}, de {contact}: {status}, {messages}.",
        "more": "… e mais {number}",
        "no_inbox": "sem caixa de entrada",
        "conversations": "conversa|conversas",
        "open": "aberta|abertas",
        "messages": "mensagem|mensagens",
        "hours": "hora|horas",
        "days": "dia|dias",
    },
    "en": {
        "note": "(Demo model: a table of cues, not a language model.)",
        "help": 'Ask me about a contact ("what happened with …?", "what is their phone?"), who waits longest, '
        "what is open in an inbox, the inboxes or the team.",
        "whom": "Whom do you mean: {tokens}?",
        "which": "Which one do you mean: {tokens}?",
        "or": "or",
        "stranger": "I cannot find that person, or you may not see them.",
        "number": "I do not find conversations by their number. Ask me about the contact.",
        "none": "There is no data.",
        "no_value": "no {field}",
        "card": "{contact}: {state}, {total}, {open}. Last contact: {last}.",
        "waits": "has waited for {time}",
        "conversation": "{conversation}, of {contact}: {status}, {messages}.",
        "more": "… and {number} more",
        "no_inbox": "no inbox",
        "conversations": "conversation|conversations",
        "open": "open|open",
        "messages": "message|messages",
        "hours": "hour|hours",
        "days": "day|days",
    },
}

#: The words for what tools write in English: names of fields, states, roles, channels, authors.
NAMES: Mapping[str, Mapping[str, str]] = {
    "phone": {"es": "teléfono", "pt": "telefone", "en": "phone"},
    "email": {"es": "correo", "pt": "e-mail", "en": "e-mail"},
    "national_id": {"es": "documento", "pt": "documento", "en": "id number"},
    "active": {"es": "contacto activo", "pt": "contato ativo", "en": "active contact"},
    "inactive": {"es": "contacto inactivo", "pt": "contato inativo", "en": "inactive contact"},
    "lead": {"es": "prospecto", "pt": "contato potencial", "en": "lead"},
    "open": {"es": "abierta", "pt": "aberta", "en": "open"},
    "pending": {"es": "pendiente", "pt": "pendente", "en": "pending"},
    "snoozed": {"es": "pospuesta", "pt": "adiada", "en": "snoozed"},
    "resolved": {"es": "resuelta", "pt": "resolvida", "en": "resolved"},
    "agent": {"es": "agente", "pt": "atendente", "en": "agent"},
    "supervisor": {"es": "supervisión", "pt": "supervisão", "en": "supervisor"},
    "admin": {"es": "administración", "pt": "administração", "en": "admin"},
    "whatsapp": {"es": "WhatsApp", "pt": "WhatsApp", "en": "WhatsApp"},
    "web": {"es": "sitio web", "pt": "site", "en": "website"},
    "contact": {"es": "contacto", "pt": "contato", "en": "contact"},
    "member": {"es": "equipo", "pt": "equipe", "en": "team"},
    "system": {"es": "sistema", "pt": "sistema", "en": "system"},
}
