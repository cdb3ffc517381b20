"""The offline demo model: no language model, but a table of cues, so that the demo runs without a key and without a network.

A pure function of the request, served as an OpenAI-compatible endpoint: the same client, wire and loop run as with a real model. It calls the
tools of the catalogue with the tokens of the question and puts what they give into short sentences. Its first answer says what it is.
"""

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from assistant.model.offline_words import CUES, FIRST_WORDS, NAMES, NUMBERED, SAY
from veil import tokens
from veil.veiling import GROUP

Calls = list[tuple[str, dict[str, Any]]]
Body = Mapping[str, Any]

_MOST = 8  # rows of a list that are shown; calls of one reply, of which a turn runs no more
_DATED = re.compile(r"\A\[[^\]\n]*\]\n")
_REMOVED = re.compile(r"\[[^\]\n]+\]")
_CAPITALISED = re.compile(r"(?<=\w )[A-ZÁÉÍÓÚÂÊÔÃÕÇÑ][a-záéíóúâêôãõçñ]+\b")
_LETTERS = {"B": "inbox", "C": "contact", "U": "member"}


@dataclass(frozen=True, slots=True)
class Question:
    """What a member asked, and whom it names."""

    text: str  # without the line that dates it
    named: Mapping[str, Sequence[str]]  # its tokens by their letter
    group: Sequence[str]  # those of which one is meant

    @classmethod
    def of(cls, message: Body) -> "Question":
        """The question of a message."""
        text = _DATED.sub("", message["content"])
        found = tokens.find(text)
        named: dict[str, dict[str, None]] = {}
        for item in found:
            named.setdefault(item.token.letter, {})[str(item.token)] = None
        pairs = [(first, second) for first, second in pairwise(found) if text[first.end : second.start] == "|"]
        group = list(dict.fromkeys(str(item.token) for pair in pairs for item in pair))
        return cls(text, {letter: list(names) for letter, names in named.items()}, group)

    @property
    def subject(self) -> bool:
        """Whether it names somebody or something that a story can be told of."""
        return bool(self.named.keys() & {"C", "E", "H"})

    @property
    def stranger(self) -> str | None:
        """What to say when it names only what the veil took out or what cannot be looked up."""
        if self.subject:
            return None
        return "stranger" if _REMOVED.search(self.text) else "number" if re.search(NUMBERED, self.text) else None


def reply(request: Body) -> dict[str, Any]:
    """The message with which the model answers a request."""
    messages = request["messages"]
    asked = max((place for place, message in enumerate(messages) if message["role"] == "user"), default=0)
    question, earlier = Question.of(messages[asked]), messages[:asked]
    language, topics = _understood(question.text, messages[0]["content"])
    results = [message["content"] for message in messages[asked + 1 :] if message["role"] == "tool"]
    say = SAY[language]
    if results:
        return _said(language, _answer(topics, results, language), earlier)
    if 0 < len(question.group) < GROUP and not _asked_before(question, earlier, say):
        return _said(language, _which(question.group, say), earlier)
    offered = {tool["function"]["name"] for tool in request.get("tools", ())}
    planned = question.stranger or _plan(next(iter(topics), None), question, earlier)
    if isinstance(planned, str):
        return _said(language, say[planned], earlier)
    calls = [call for call in planned if call[0] in offered][:_MOST]
    return _called(calls) if calls and request.get("tool_choice") != "none" else _said(language, say["help"], earlier)


def _plan(topic: str | None, question: Question, earlier: Sequence[Body]) -> Calls | str:
    """The calls that answer a question, or which sentence does."""
    filters = _filters(question)
    plans: dict[str, Calls] = {
        "waiting": [("find_conversations", {**chosen, "waiting_hours": 0}) for chosen in filters],
        "open": [("find_conversations", {**chosen, "status": "open"}) for chosen in filters],
        "team": [("list_team", {})],
        "inboxes": [("list_inboxes", {})],
        "contacts": [("find_contacts", {"company": company}) for company in question.named.get("E", ())] or [("find_contacts", {})],
    }
    if topic in plans:
        return plans[topic]
    if question.subject:
        return _told(topic, question.named)
    if question.named:
        return [("find_conversations", chosen) for chosen in filters if chosen]
    if topic is None:
        return []
    meant = "stranger" if _CAPITALISED.search(question.text) else _last_named(earlier)
    return meant if isinstance(meant, str) else _told(topic, meant)


def _filters(question: Question) -> list[dict[str, str]]:
    """What conversations are looked for by: once for each of a group."""
    first = {_LETTERS[letter]: names[0] for letter, names in question.named.items() if letter in _LETTERS}
    return [{**first, _LETTERS[token[0]]: token} for token in question.group if token[0] in _LETTERS] or [first]


def _told(topic: str | None, named: Mapping[str, Sequence[str]]) -> Calls:
    contacts, cards = named.get("C", ()), topic in tokens.HANDLE_FIELDS
    calls: Calls = [("show_conversation", {"conversation": conversation}) for conversation in named.get("H", ())]
    for contact in contacts:
        calls.append(("show_contact", {"contact": contact}))
        if not cards and 2 * len(contacts) <= _MOST:
            calls.append(("read_messages", {"contact": contact}))
    return calls or [("find_contacts", {"company": company}) for company in named.get("E", ())]


def _last_named(earlier: Sequence[Body]) -> Mapping[str, Sequence[str]] | str:
    """Whom the latest question named that named anybody, for one that names nobody: "and their phone?"."""
    for message in reversed(earlier):
        question = Question.of(message) if message["role"] == "user" else None
        if question and (question.stranger or question.subject):
            return question.stranger or question.named
    return {}


def _asked_before(question: Question, earlier: Sequence[Body], say: Mapping[str, str]) -> bool:
    """Whether the question comes again after the member was asked whom it means: then all of them are meant.

    The largest group is never asked about: it may be what is left of more, about whom the member was asked before the model was.
    """
    asks = (say["whom"].partition("{")[0], say["which"].partition("{")[0])
    before = [message["content"] for message in earlier[1:] if message["role"] != "tool" and message["content"]]
    return len(before) > 1 and before[-1].startswith(asks) and _DATED.sub("", before[-2]) == question.text


def _which(group: Sequence[str], say: Mapping[str, str]) -> str:
    listed = f"{', '.join(group[:-1])} {say['or']} {group[-1]}"
    return say["whom" if group[0][0] in "CU" else "which"].format(tokens=listed)


def _answer(topics: Sequence[str], results: list[str], language: str) -> str:
    fields = [topic for topic in topics if topic in tokens.HANDLE_FIELDS] if topics and topics[0] in tokens.HANDLE_FIELDS else []
    read = [(result, _data(result)) for result in results]
    return "\n".join(line for result, data in read for line in ([result] if data is None else _sentences(fields, data, language)))


def _sentences(fields: Sequence[str], data: Body, language: str) -> list[str]:
    say = SAY[language]
    if "error" in data:
        return [data["error"]]
    if "latest_messages" in data:
        total, status = _count(data["total_messages"], say["messages"]), _name(data["status"], language)
        told = say["conversation"].format(conversation=data["conversation"], contact=data.get("contact"), status=status, messages=total)
        return [told, *_messages(data["latest_messages"], language)]
    if "total_conversations" in data:
        return [_values(fields, data, language) if fields else _card(data, language)]
    if "messages" in data:
        return _messages(data["messages"], language) or [say["none"]]
    for name, columns in _TABLES.items():
        if name in data:
            rows = [f"- {', '.join(str(part) for part in columns(row, language) if part)}" for row in data[name][:_MOST]]
            left = (data.get("total") or 0) - len(rows)
            return [f"Total: {data.get('total')}.", *rows, *([say["more"].format(number=left)] if rows and left > 0 else [])]
    return [say["none"]]


def _values(fields: Sequence[str], data: Body, language: str) -> str:
    """Whose values they are, and each: a value alone on a line might be anybody's."""
    names = {field: _name(field, language) for field in fields}
    parts = [f"{name} {data[field]}" if data.get(field) else SAY[language]["no_value"].format(field=name) for field, name in names.items()]
    return f"{data.get('contact')}: {', '.join(parts)}"


def _card(data: Body, language: str) -> str:
    say, state, last = SAY[language], _name(data["state"], language), _time(data.get("last_contact_at"))
    total, unsettled = _count(data["total_conversations"], say["conversations"]), _count(data["open_conversations"], say["open"])
    return say["card"].format(contact=data["contact"], state=state, total=total, open=unsettled, last=last)


def _conversation(row: Body, language: str) -> list[Any]:
    say, hours = SAY[language], row.get("waiting_hours")
    parts = [row["conversation"], row.get("contact"), row.get("inbox") or say["no_inbox"], row.get("subject")]
    if hours is not None:
        time = _count(hours // 24, say["days"]) if hours >= 48 else _count(hours, say["hours"])
        parts.append(say["waits"].format(time=time))
    return parts


_TABLES: Mapping[str, Any] = {
    "conversations": _conversation,
    "members": lambda row, language: [row["member"], _name(row["role"], language)],
    "inboxes": lambda row, language: [row["inbox"], _name(row["channel"], language)],
    "contacts": lambda row, language: [row["contact"], _name(row["state"], language)],
}


def _messages(rows: Sequence[Body], language: str) -> list[str]:
    return [f"- {_time(row.get('sent_at'))}, {_author(row, language)}: «{row.get('body') or ''}»" for row in rows[:_MOST]]


def _author(row: Body, language: str) -> str:
    named = row.get("member") or (row.get("contact") if row.get("author") == "contact" else None)
    return named or _name(str(row.get("author")), language)


def _name(written: str, language: str) -> str:
    return NAMES[written][language] if written in NAMES else written


def _count(number: int, forms: str) -> str:
    return f"{number} {forms.split('|')[number != 1]}"


def _time(moment: Any) -> str:
    return str(moment)[:16].replace("T", " ") if moment else "—"


def _data(result: str) -> dict[str, Any] | None:
    """The JSON object inside a tool's answer, if there is one."""
    try:
        data = json.loads(result[result.index("{") : result.rindex("}") + 1])
    except ValueError:
        return None
    return data if isinstance(data, dict) else None


def _understood(question: str, system: str) -> tuple[str, list[str]]:
    """The language of a question, and what it is about, what decides first."""
    folded = "".join(character for character in unicodedata.normalize("NFKD", question.lower()) if not unicodedata.combining(character))
    heard = {language: [topic for topic, cue in rows if re.search(cue, folded)] for language, rows in CUES.items()}
    default = FIRST_WORDS.get(system.split(maxsplit=1)[0] if system.strip() else "", "es")
    language = max(heard, key=lambda language: (len(heard[language]), language == default))
    return language, heard[language]


def _said(language: str, text: str, earlier: Sequence[Body]) -> dict[str, Any]:
    notes = tuple(say["note"] for say in SAY.values())
    known = any(message["role"] == "assistant" and (message["content"] or "").endswith(notes) for message in earlier)
    return {"role": "assistant", "content": text if known else f"{text}\n\n{SAY[language]['note']}"}


def _called(calls: Calls) -> dict[str, Any]:
    functions = enumerate([{"name": name, "arguments": json.dumps(arguments)} for name, arguments in calls], 1)
    called = [{"id": f"call_{place}", "type": "function", "function": function} for place, function in functions]
    return {"role": "assistant", "content": None, "tool_calls": called}
