"""Every tool, as one literal table, and the rules that a row of it must keep.

The rules (a breach is found at start, see ``checked``):

* every field of a result says how it crosses, at any depth (``veil.fields.check``);
* every argument has exactly one shape, and a token argument bears its kind's glossary word;
* every description is there in every language, and the same argument means the same in every tool.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from tools.arguments import TokenOf, shapes
from tools.campaigns import Campaigns, ListCampaigns, list_campaigns
from tools.companies import CompanyCard, FindCompanies, FoundCompanies, ShowCompany, find_companies, show_company
from tools.contacts import ContactCard, FindContacts, FoundContacts, ShowContact, find_contacts, show_contact
from tools.conversations import (
    ConversationCard,
    CountConversations,
    CountedConversations,
    FindConversations,
    FoundConversations,
    ShowConversation,
    count_conversations,
    find_conversations,
    show_conversation,
)
from tools.deals import FindDeals, FoundDeals, SumDeals, SummedDeals, find_deals, sum_deals
from tools.errors import MisdeclaredTool
from tools.glossary import ARGUMENTS
from tools.inboxes import Inboxes, ListInboxes, list_inboxes
from tools.labels import Labels, ListLabels, list_labels
from tools.messages import MessagePage, ReadMessages, read_messages
from tools.notes import Notes, ReadNotes, read_notes
from tools.permissions import Permission
from tools.refusals import LANGUAGES
from tools.team import ListTeam, Team, list_team
from tools.tool import Tool
from tools.workload import ShowWorkload, Workload, show_workload
from veil import fields

TOOLS: tuple[Tool, ...] = (
    Tool(
        name="find_contacts",
        description={
            "es": "Busca contactos por lo que son, nunca por su nombre. 20 por vez; total es la cuenta completa. Las "
            "personas van como tokens.",
            "pt": "Busca contatos pelo que são, nunca pelo nome. 20 por vez; total é a contagem completa. As pessoas "
            "aparecem como tokens.",
            "en": "Finds contacts by what they are, never by name. 20 at a time; total is the full count. People are "
            "given as tokens.",
        },
        arguments=FindContacts,
        result=FoundContacts,
        permission=Permission.READ_CONTACTS,
        handler=find_contacts,
    ),
    Tool(
        name="show_contact",
        description={
            "es": "Muestra un contacto: estado, empresa, etiquetas, sus últimas conversaciones. Teléfono, correo y "
            "documento van como C-7.phone: escríbelos así y quien pregunta verá el dato.",
            "pt": "Mostra um contato: estado, empresa, etiquetas, suas últimas conversas. Telefone, e-mail e "
            "documento vão como C-7.phone: escreva assim e quem pergunta verá o dado.",
            "en": "Shows a contact: state, company, labels, latest conversations. Phone, e-mail and id are given as "
            "C-7.phone: write them so, and the person who asks sees the value.",
        },
        arguments=ShowContact,
        result=ContactCard,
        permission=Permission.READ_CONTACTS,
        handler=show_contact,
    ),
    Tool(
        name="find_conversations",
        description={
            "es": "Busca conversaciones por estado, bandeja, persona a cargo, contacto, etiqueta, espera o fechas. 20 "
            "por vez; total es la cuenta completa.",
            "pt": "Busca conversas por estado, caixa de entrada, responsável, contato, etiqueta, espera ou datas. 20 "
            "por vez; total é a contagem completa.",
            "en": "Finds conversations by status, inbox, person in charge, contact, label, waiting time or dates. 20 "
            "at a time; total is the full count.",
        },
        arguments=FindConversations,
        result=FoundConversations,
        permission=Permission.READ_CONVERSATIONS,
        handler=find_conversations,
    ),
    Tool(
        name="count_conversations",
        description={
            "es": "Cuenta conversaciones por estado, bandeja o persona a cargo, con los mismos filtros que "
            "find_conversations.",
            "pt": "Conta conversas por estado, caixa de entrada ou responsável, com os mesmos filtros de "
            "find_conversations.",
            "en": "Counts conversations by status, inbox or person in charge, with the same filters as "
            "find_conversations.",
        },
        arguments=CountConversations,
        result=CountedConversations,
        permission=Permission.READ_CONVERSATIONS,
        handler=count_conversations,
    ),
    Tool(
        name="show_conversation",
        description={
            "es": "Muestra una conversación: asunto, contacto, persona a cargo, fechas y últimos mensajes, el más nuevo "
            "primero; si se reabrió, solo desde entonces.",
            "pt": "Mostra uma conversa: assunto, contato, responsável, datas e últimas mensagens, a mais nova primeiro; "
            "se foi reaberta, só desde então.",
            "en": "Shows a conversation: subject, contact, person in charge, times and last messages, newest first; if "
            "it was reopened, only since then.",
        },
        arguments=ShowConversation,
        result=ConversationCard,
        permission=Permission.READ_CONVERSATIONS,
        handler=show_conversation,
    ),
    Tool(
        name="read_messages",
        description={
            "es": "Lee mensajes de una conversación o de todas las de un contacto (uno de los dos), el más nuevo primero. "
            "settled: de antes de resolverse. Para los anteriores, before.",
            "pt": "Lê mensagens de uma conversa ou de todas as de um contato (um dos dois), a mais nova primeiro. "
            "settled: de antes de ser resolvida. Para as anteriores, before.",
            "en": "Reads messages of one conversation or of all of a contact (one of the two), newest first. settled: "
            "from before it was resolved. For earlier ones, before.",
        },
        arguments=ReadMessages,
        result=MessagePage,
        permission=Permission.READ_MESSAGES,
        handler=read_messages,
    ),
    Tool(
        name="list_team",
        description={
            "es": "Lista el equipo: tokens, roles, bandejas y conversaciones abiertas a cargo de cada persona.",
            "pt": "Lista a equipe: tokens, funções, caixas de entrada e conversas abertas a cargo de cada pessoa.",
            "en": "Lists the team: tokens, roles, inboxes and the open conversations each person is in charge of.",
        },
        arguments=ListTeam,
        result=Team,
        permission=Permission.READ_TEAM,
        handler=list_team,
    ),
    Tool(
        name="list_inboxes",
        description={
            "es": "Lista las bandejas: canal, estado y cuántas conversaciones hay abiertas, en espera y sin nadie a "
            "cargo.",
            "pt": "Lista as caixas de entrada: canal, estado e quantas conversas há abertas, em espera e sem "
            "responsável.",
            "en": "Lists the inboxes: channel, state and how many conversations are open, waiting and without a "
            "person in charge.",
        },
        arguments=ListInboxes,
        result=Inboxes,
        permission=Permission.READ_INBOXES,
        handler=list_inboxes,
    ),
    Tool(
        name="show_workload",
        description={
            "es": "Carga de trabajo por persona o bandeja: conversaciones abiertas, pendientes y en espera, y la espera "
            "más larga. Sin assignee: nadie a cargo.",
            "pt": "Carga de trabalho por pessoa ou caixa de entrada: conversas abertas, pendentes e em espera, e a "
            "espera mais longa. Sem assignee: sem responsável.",
            "en": "Workload by person or inbox: conversations open, pending and waiting, and the longest wait. Without "
            "assignee: nobody in charge.",
        },
        arguments=ShowWorkload,
        result=Workload,
        permission=Permission.READ_CONVERSATIONS,
        handler=show_workload,
    ),
    Tool(
        name="read_notes",
        description={
            "es": "Lee las notas internas sobre contactos, la más nueva primero.",
            "pt": "Lê as notas internas sobre contatos, a mais nova primeiro.",
            "en": "Reads the team's notes on contacts, newest first.",
        },
        arguments=ReadNotes,
        result=Notes,
        permission=Permission.READ_NOTES,
        handler=read_notes,
    ),
    Tool(
        name="find_companies",
        description={
            "es": "Busca empresas por ciudad, fecha o negocios, nunca por su nombre. 20 por vez; total es la cuenta "
            "completa.",
            "pt": "Busca empresas por cidade, data ou negócios, nunca pelo nome. 20 por vez; total é a contagem completa.",
            "en": "Finds companies by city, date or deals, never by name. 20 at a time; total is the full count.",
        },
        arguments=FindCompanies,
        result=FoundCompanies,
        permission=Permission.READ_COMPANIES,
        handler=find_companies,
    ),
    Tool(
        name="show_company",
        description={
            "es": "Muestra una empresa: ciudad, contactos, negocios. Su documento va como E-7.legal_id.",
            "pt": "Mostra uma empresa: cidade, contatos, negócios. O documento vai como E-7.legal_id.",
            "en": "Shows a company: city, contacts, deals. Its legal id is given as E-7.legal_id.",
        },
        arguments=ShowCompany,
        result=CompanyCard,
        permission=Permission.READ_COMPANIES,
        handler=show_company,
    ),
    Tool(
        name="list_campaigns",
        description={
            "es": "Lista campañas con canal, estado, fechas y cifras. Porcentajes: entregados de los enviados; abiertos y "
            "respondidos de los entregados.",
            "pt": "Lista campanhas com canal, estado, datas e números. Percentuais: entregues dos enviados; abertos e "
            "respondidos dos entregues.",
            "en": "Lists campaigns with channel, state, dates and figures. Percentages: delivered of sent; opened and "
            "replied of delivered.",
        },
        arguments=ListCampaigns,
        result=Campaigns,
        permission=Permission.READ_CAMPAIGNS,
        handler=list_campaigns,
    ),
    Tool(
        name="find_deals",
        description={
            "es": "Busca negocios por etapa, persona a cargo, contacto, empresa o cierre previsto. 20 por vez; total es "
            "la cuenta completa.",
            "pt": "Busca negócios por etapa, responsável, contato, empresa ou fechamento previsto. 20 por vez; total é a "
            "contagem completa.",
            "en": "Finds deals by stage, person in charge, contact, company or expected close. 20 at a time; total is "
            "the full count.",
        },
        arguments=FindDeals,
        result=FoundDeals,
        permission=Permission.READ_DEALS,
        handler=find_deals,
    ),
    Tool(
        name="sum_deals",
        description={
            "es": "Cuenta y suma negocios por etapa y moneda, con los mismos filtros que find_deals. No sumes monedas "
            "distintas.",
            "pt": "Conta e soma negócios por etapa e moeda, com os mesmos filtros de find_deals. Não some moedas "
            "diferentes.",
            "en": "Counts and sums deals by stage and currency, with the same filters as find_deals. Never add different "
            "currencies.",
        },
        arguments=SumDeals,
        result=SummedDeals,
        permission=Permission.READ_DEALS,
        handler=sum_deals,
    ),
    Tool(
        name="list_labels",
        description={
            "es": "Lista las etiquetas y cuántos contactos y conversaciones lleva cada una.",
            "pt": "Lista as etiquetas e quantos contatos e conversas cada uma tem.",
            "en": "Lists the labels and how many contacts and conversations wear each.",
        },
        arguments=ListLabels,
        result=Labels,
        permission=Permission.READ_LABELS,
        handler=list_labels,
    ),
)


@cache
def load() -> Mapping[str, Tool]:
    """All tools by name, checked."""
    return checked(TOOLS)


def checked(tools: Iterable[Tool]) -> Mapping[str, Tool]:
    """The tools by name; raises ``MisdeclaredTool`` or ``UnclassifiedField`` for a row that breaks a rule."""
    by_name: dict[str, Tool] = {}
    for tool in tools:
        if tool.name in by_name:
            raise MisdeclaredTool(f"{tool.name} stands twice")
        _check_words(tool.name, tool.description)
        _check_arguments(tool)
        fields.check(tool.result)
        by_name[tool.name] = tool
    return MappingProxyType(by_name)


@cache
def specs(language: str) -> tuple[Mapping[str, Any], ...]:
    """What the model is told of the tools; the same for every member and turn, so that prompts stay prefix-stable."""
    return tuple(_spec(tool, language) for tool in load().values())


def _spec(tool: Tool, language: str) -> dict[str, Any]:
    properties = {
        name: shape.schema() | {"description": ARGUMENTS[name][language]}
        for name, shape in shapes(tool.arguments).items()
    }
    required = [name for name, field in tool.arguments.model_fields.items() if field.is_required()]
    parameters = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description[language], "parameters": parameters},
    }


def _check_arguments(tool: Tool) -> None:
    of_tool = shapes(tool.arguments)
    for name in tool.arguments.model_fields:
        shape = of_tool.get(name)
        if shape is None:
            raise MisdeclaredTool(f"{tool.name}.{name} needs exactly one shape")
        if isinstance(shape, TokenOf) and name != shape.kind.value:
            raise MisdeclaredTool(f"{tool.name}.{name} takes a token and must be called {shape.kind.value}")
        _check_words(f"{tool.name}.{name}", ARGUMENTS.get(name, {}))


def _check_words(where: str, words: Mapping[str, str]) -> None:
    if not all(words.get(language) for language in LANGUAGES):
        raise MisdeclaredTool(f"{where} is not described in {', '.join(LANGUAGES)}")
