"""What the offline demo model knows of languages: the cues that it listens for, and the sentences that it says."""

from collections.abc import Mapping, Sequence

#: What a question is about, by language, on folded text; the first row that matches decides, and all rows of values count.
CUES: Mapping[str, Sequence[tuple[str, str]]] = {
    "es": (
        ("phone", r"\b(telefonos?|celular(es)?|fonos?)\b"),
        ("email", r"\b(correos?|e-?mails?)\b"),
        ("national_id", r"\b(rut|documento|dni|cedula)\b"),
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
        ("phone", r"\bphones?\b"),
        ("email", r"\be-?mails?\b"),
        ("national_id", r"\b(national id|id number)\b"),
        ("waiting", r"\b(waits?|waiting)\b"),
        ("open", r"\b(open|pending)\b"),
        ("team", r"\b(team|agents|colleagues)\b"),
        ("inboxes", r"\binboxes\b"),
        ("contacts", r"\b(contacts|customers|clients)\b"),
        ("story", r"\b(happened|said|wrote|wants?|when|summary|messages?)\b"),
    ),
}

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
        "value": "{field} {value}",
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
        "value": "{field} {value}",
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
        "value": "{field} {value}",
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

#: The words for what tools write in English: states, roles, channels, names of fields.
NAMES: Mapping[str, Mapping[str, str]] = {
    "es": {
        **{"phone": "teléfono", "email": "correo", "national_id": "documento"},
        **{"active": "contacto activo", "inactive": "contacto inactivo", "lead": "prospecto"},
        **{"open": "abierta", "pending": "pendiente", "snoozed": "pospuesta", "resolved": "resuelta"},
        **{"agent": "agente", "supervisor": "supervisión", "admin": "administración"},
        **{"whatsapp": "WhatsApp", "web": "sitio web", "system": "sistema", "contact": "contacto", "member": "equipo"},
    },
    "pt": {
        **{"phone": "telefone", "email": "e-mail", "national_id": "documento"},
        **{"active": "contato ativo", "inactive": "contato inativo", "lead": "contato potencial"},
        **{"open": "aberta", "pending": "pendente", "snoozed": "adiada", "resolved": "resolvida"},
        **{"agent": "atendente", "supervisor": "supervisão", "admin": "administração"},
        **{"whatsapp": "WhatsApp", "web": "site", "system": "sistema", "contact": "contato", "member": "equipe"},
    },
    "en": {
        **{"phone": "phone", "email": "e-mail", "national_id": "id number"},
        **{"active": "active contact", "inactive": "inactive contact", "lead": "lead"},
        **{"open": "open", "pending": "pending", "snoozed": "snoozed", "resolved": "resolved"},
        **{"agent": "agent", "supervisor": "supervisor", "admin": "admin"},
        **{"whatsapp": "WhatsApp", "web": "website", "system": "system", "contact": "contact", "member": "team"},
    },
}
