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

from assistant.model.offline_answers import SHOWN, answer
from assistant.model.offline_words import CUES, FIRST_WORDS, NUMBERED, SAY, THEIRS
from veil import tokens
from veil.veiling import GROUP

Calls = list[tuple[str, dict[str, Any]]]
Body = Mapping[str, Any]

_MOST = SHOWN  # calls of one reply, of which a turn runs no more
_DATED = re.compile(r"\A\[[^\]\n]*\]\n")
_REMOVED = re.compile(r"\[[^\]\n]+\]")
_CAPITALISED = re.compile(r"(?<=\w )[A-ZÁÉÍÓÚÂÊÔÃÕÇÑ][a-záéíóúâêôãõçñ]+\b")
_LETTERS = {"B": "inbox", "C": "contact", "D": "deal", "E": "company", "K": "campaign", "U": "member"}
#: What is called for a topic: the tool, the letters of the tokens that it takes, and what is always asked.
_PLANS: Mapping[str, tuple[str, str, Mapping[str, Any]]] = {
    "notes": ("read_notes", "CU", {}),
    "sums": ("sum_deals", "CEU", {}),
    "deals": ("find_deals", "CDEU", {}),
    "campaigns": ("list_campaigns", "K", {}),
    "labels": ("list_labels", "", {}),
    "workload": ("show_workload", "BU", {}),
    "waiting": ("find_conversations", "BCU", {"waiting_hours": 0}),
    "open": ("find_conversations", "BCU", {"status": "open"}),
    "team": ("list_team", "", {}),
    "inboxes": ("list_inboxes", "", {}),
    "companies": ("find_companies", "", {}),
    "contacts": ("find_contacts", "E", {}),
}


#: Which deals a question asks for.
_DEALS: tuple[tuple[str, Mapping[str, Any]], ...] = (
    (r"\b(open|pending|abiert[ao]s?|abert[ao]s?|pendientes?|pendentes?)\b", {"undecided": True}),
    (r"\b(won|win|ganad[ao]s?|ganamos|ganh[ao]s?|ganhamos)\b", {"stage": "won"}),
    (r"\b(lost|lose|perdid[ao]s?|perdimos|perdemos)\b", {"stage": "lost"}),
)


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
        return bool(self.named.keys() & {"C", "D", "E", "H", "K"})

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
        return _said(language, answer(topics, results, language), earlier)
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
    if topic is not None and topic in _PLANS:
        theirs = not question.named and re.search(THEIRS, _folded(question.text))
        meant = _last_named(earlier) if theirs else question.named
        tool, letters, always = _PLANS[topic]
        if topic in ("deals", "sums"):
            always = next((asked for cue, asked in _DEALS if re.search(cue, _folded(question.text))), always)
        return meant if isinstance(meant, str) else _called_for(tool, letters, always, meant, question.group)
    if question.subject:
        return _told(topic, question.named)
    if question.named:
        return _called_for("find_conversations", "BU", {}, question.named, question.group)
    if topic is None:
        return []
    meant = "stranger" if _CAPITALISED.search(question.text) else _last_named(earlier)
    return meant if isinstance(meant, str) else _told(topic, meant)


def _called_for(tool: str, letters: str, always: Mapping[str, Any], named: Mapping[str, Sequence[str]], group: Sequence[str]) -> Calls:
    """One call for each of those whom a question names, or of a group that it means."""
    filters: list[dict[str, Any]] = [dict(always)]
    for letter in letters:
        names = [token for token in group if token[0] == letter] or named.get(letter, ())
        filters = [{**chosen, _LETTERS[letter]: name} for chosen in filters for name in names] or filters
    return [(tool, chosen) for chosen in filters]


def _told(topic: str | None, named: Mapping[str, Sequence[str]]) -> Calls:
    contacts, cards = named.get("C", ()), topic in tokens.HANDLE_FIELDS
    calls: Calls = [("show_conversation", {"conversation": conversation}) for conversation in named.get("H", ())]
    for contact in contacts:
        calls.append(("show_contact", {"contact": contact}))
        if not cards and 2 * len(contacts) <= _MOST:
            calls.append(("read_messages", {"contact": contact}))
    for tool, letter in (("show_company", "E"), ("find_deals", "D"), ("list_campaigns", "K")):
        if not calls:
            calls = [(tool, {_LETTERS[letter]: token}) for token in named.get(letter, ())]
    return calls


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


def _understood(question: str, system: str) -> tuple[str, list[str]]:
    """The language of a question, and what it is about, what decides first."""
    folded = _folded(question)
    heard = {language: [topic for topic, cue in rows if re.search(cue, folded)] for language, rows in CUES.items()}
    default = FIRST_WORDS.get(system.split(maxsplit=1)[0] if system.strip() else "", "es")
    language = max(heard, key=lambda language: (len(heard[language]), language == default))
    return language, heard[language]


def _folded(text: str) -> str:
    return "".join(character for character in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(character))


def _said(language: str, text: str, earlier: Sequence[Body]) -> dict[str, Any]:
    notes = tuple(say["note"] for say in SAY.values())
    known = any(message["role"] == "assistant" and (message["content"] or "").endswith(notes) for message in earlier)
    return {"role": "assistant", "content": text if known else f"{text}\n\n{SAY[language]['note']}"}


def _called(calls: Calls) -> dict[str, Any]:
    functions = enumerate([{"name": name, "arguments": json.dumps(arguments)} for name, arguments in calls], 1)
    called = [{"id": f"call_{place}", "type": "function", "function": function} for place, function in functions]
    return {"role": "assistant", "content": None, "tool_calls": called}
