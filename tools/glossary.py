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
        "es": "Token de quien está a cargo o, en notas, de quien escribe, como U-7. Quien pregunta es U-1.",
        "pt": "Token do responsável ou, em notas, de quem escreve, como U-7. Quem pergunta é U-1.",
        "en": "The token of who is in charge or, in notes, who wrote, such as U-7. Who asks is U-1.",
    },
    "campaign": {
        "es": "Token de la campaña, como K-7.",
        "pt": "Token da campanha, como K-7.",
        "en": "The campaign's token, such as K-7.",
    },
    "deal": {
        "es": "Token del negocio, como D-7.",
        "pt": "Token do negócio, como D-7.",
        "en": "The deal's token, such as D-7.",
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
        "es": "Por qué se agrupa.",
        "pt": "Por que se agrupa.",
        "en": "What to group by.",
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
        "es": "Canal de la bandeja o campaña.",
        "pt": "Canal da caixa de entrada ou campanha.",
        "en": "The channel of the inbox or campaign.",
    },
    "inbox_state": {
        "es": "Si la bandeja recibe mensajes.",
        "pt": "Se a caixa de entrada recebe mensagens.",
        "en": "Whether the inbox takes messages.",
    },
    "campaign_state": {
        "es": "Estado de la campaña.",
        "pt": "Estado da campanha.",
        "en": "The campaign's state.",
    },
    "starts_after": {
        "es": "Fecha ISO: empieza ese día o después.",
        "pt": "Data ISO: começa nesse dia ou depois.",
        "en": "ISO date: starts on that day or later.",
    },
    "starts_before": {
        "es": "Fecha ISO: empieza antes de ese día.",
        "pt": "Data ISO: começa antes desse dia.",
        "en": "ISO date: starts before that day.",
    },
    "stage": {
        "es": "Etapa del negocio.",
        "pt": "Etapa do negócio.",
        "en": "The deal's stage.",
    },
    "undecided": {
        "es": "true: solo negocios ni ganados ni perdidos.",
        "pt": "true: só negócios nem ganhos nem perdidos.",
        "en": "true: only deals neither won nor lost.",
    },
    "closes_after": {
        "es": "Fecha ISO: cierre previsto ese día o después; primero el más próximo.",
        "pt": "Data ISO: fechamento previsto nesse dia ou depois; primeiro o mais próximo.",
        "en": "ISO date: expected to close on that day or later; the next one first.",
    },
    "closes_before": {
        "es": "Fecha ISO: cierre previsto antes de ese día.",
        "pt": "Data ISO: fechamento previsto antes desse dia.",
        "en": "ISO date: expected to close before that day.",
    },
    "city": {
        "es": "Ciudad, escrita entera; da igual mayúsculas o acentos.",
        "pt": "Cidade, escrita por inteiro; maiúsculas e acentos não importam.",
        "en": "A city, written out; case and accents do not matter.",
    },
    "with_undecided_deals": {
        "es": "true: solo empresas con algún negocio ni ganado ni perdido.",
        "pt": "true: só empresas com algum negócio nem ganho nem perdido.",
        "en": "true: only companies with a deal neither won nor lost.",
    },
    "skip": {
        "es": "Filas que se saltan: las ya leídas de la misma búsqueda.",
        "pt": "Linhas a pular: as já lidas da mesma busca.",
        "en": "Rows to skip: those already read of the same search.",
    },
}
