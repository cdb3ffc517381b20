"""What each argument means, said once: an argument of one name means the same in every tool."""

from collections.abc import Mapping

ARGUMENTS: Mapping[str, Mapping[str, str]] = {
    "contact": {
        "es": "Token del contacto, como C-7.",
        "pt": "Token do contato, como C-7.",
        "en": "The contact's token, such as C-7.",
    },
    "conversation": {
        "es": "Token de la conversación, como H-7.",
        "pt": "Token da conversa, como H-7.",
        "en": "The conversation's token, such as H-7.",
    },
    "company": {
        "es": "Token de la empresa, como E-7.",
        "pt": "Token da empresa, como E-7.",
        "en": "The company's token, such as E-7.",
    },
    "inbox": {
        "es": "Token de la bandeja, como B-7.",
        "pt": "Token da caixa de entrada, como B-7.",
        "en": "The inbox's token, such as B-7.",
    },
    "member": {
        "es": "Token de la persona del equipo a cargo, como U-7. Quien pregunta es U-1.",
        "pt": "Token da pessoa da equipe responsável, como U-7. Quem pergunta é U-1.",
        "en": "The token of the team member in charge, such as U-7. The person who asks is U-1.",
    },
    "state": {
        "es": "Estado del contacto.",
        "pt": "Estado do contato.",
        "en": "The contact's state.",
    },
    "status": {
        "es": "Estado de la conversación.",
        "pt": "Estado da conversa.",
        "en": "The conversation's status.",
    },
    "priority": {
        "es": "Prioridad de la conversación.",
        "pt": "Prioridade da conversa.",
        "en": "The conversation's priority.",
    },
    "unassigned": {
        "es": "true: solo las que no tienen a nadie a cargo.",
        "pt": "true: só as que não têm responsável.",
        "en": "true: only those that nobody is in charge of.",
    },
    "label": {
        "es": "Etiqueta, escrita entera; da igual mayúsculas o acentos.",
        "pt": "Etiqueta, escrita por inteiro; maiúsculas e acentos não importam.",
        "en": "A label, written out; case and accents do not matter.",
    },
    "waiting_hours": {
        "es": "Solo las que esperan respuesta hace al menos estas horas; primero las que más esperan.",
        "pt": "Só as que esperam resposta há pelo menos estas horas; primeiro as que mais esperam.",
        "en": "Only those that have waited for a reply for at least so many hours; longest waiting first.",
    },
    "created_after": {
        "es": "Fecha ISO: creado ese día o después.",
        "pt": "Data ISO: criado nesse dia ou depois.",
        "en": "ISO date: created on that day or later.",
    },
    "created_before": {
        "es": "Fecha ISO: creado antes de ese día.",
        "pt": "Data ISO: criado antes desse dia.",
        "en": "ISO date: created before that day.",
    },
    "last_contact_after": {
        "es": "Fecha ISO: último contacto ese día o después.",
        "pt": "Data ISO: último contato nesse dia ou depois.",
        "en": "ISO date: last contact on that day or later.",
    },
    "last_contact_before": {
        "es": "Fecha ISO: sin contacto desde ese día (o nunca).",
        "pt": "Data ISO: sem contato desde esse dia (ou nunca).",
        "en": "ISO date: no contact since that day (or ever).",
    },
    "last_message_after": {
        "es": "Fecha ISO: último mensaje ese día o después.",
        "pt": "Data ISO: última mensagem nesse dia ou depois.",
        "en": "ISO date: last message on that day or later.",
    },
    "last_message_before": {
        "es": "Fecha ISO: último mensaje antes de ese día.",
        "pt": "Data ISO: última mensagem antes desse dia.",
        "en": "ISO date: last message before that day.",
    },
    "without_open_conversation": {
        "es": "true: solo contactos sin conversación abierta.",
        "pt": "true: só contatos sem conversa aberta.",
        "en": "true: only contacts without an open conversation.",
    },
    "by": {
        "es": "Por qué se agrupa: estado, bandeja o persona a cargo.",
        "pt": "Por que se agrupa: estado, caixa de entrada ou responsável.",
        "en": "What to group by: status, inbox or person in charge.",
    },
    "before": {
        "es": "Solo mensajes con un número menor: el menor que ya leíste.",
        "pt": "Só mensagens com número menor: o menor que você já leu.",
        "en": "Only messages with a smaller number: the smallest that you have read.",
    },
    "role": {
        "es": "Rol en el equipo.",
        "pt": "Função na equipe.",
        "en": "The role in the team.",
    },
    "channel": {
        "es": "Canal de la bandeja.",
        "pt": "Canal da caixa de entrada.",
        "en": "The inbox's channel.",
    },
    "inbox_state": {
        "es": "Si la bandeja recibe mensajes.",
        "pt": "Se a caixa de entrada recebe mensagens.",
        "en": "Whether the inbox takes messages.",
    },
    "skip": {
        "es": "Filas que se saltan: las ya leídas de la misma búsqueda.",
        "pt": "Linhas a pular: as já lidas da mesma busca.",
        "en": "Rows to skip: those already read of the same search.",
    },
}
