"""A scripted model that is a pure function of the request: what it says depends on the conversation's seed, on how many messages there are, and on
the tokens that it reads in them. So twins that ask the same are told the same.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from random import Random
from typing import Any

from starlette.responses import JSONResponse

from tests.laws.phrases import ANSWERS
from tests.model_endpoint import Scripted, calls

_TOKEN = re.compile(r"(?<![\w-])[A-Z]-[1-9]\d{0,5}(?!\w)")


class Mood(StrEnum):
    """How the model takes a question."""

    ANSWERS = "answers"
    WORKS = "works"  # a call or several, then an answer
    NEVER_ENDS = "never ends"  # calls whenever it may, and when it may not
    FAILS = "fails"


_MOODS = {Mood.ANSWERS: 25, Mood.WORKS: 65, Mood.NEVER_ENDS: 5, Mood.FAILS: 5}


def scripted(seed: int) -> Callable[[dict[str, Any]], Scripted]:
    """The model of a conversation."""

    def reply(request: dict[str, Any]) -> Scripted:
        messages: list[dict[str, Any]] = request["messages"]
        asked = max(place for place, message in enumerate(messages) if message["role"] == "user")
        mood = Random(f"{seed} mood {asked}").choices([*_MOODS], [*_MOODS.values()])[0]
        dice = Random(f"{seed} {len(messages)}")
        seen = _tokens(messages)
        rounds = sum(message["role"] == "assistant" for message in messages[asked:])
        if mood is Mood.FAILS:
            return JSONResponse({"error": {"message": "no"}}, status_code=dice.choice((400, 429, 500)), headers={"Retry-After": "0"})
        if mood is Mood.NEVER_ENDS or (mood is Mood.WORKS and rounds < dice.choice((1, 1, 1, 2))):
            return _calls(dice, seen)
        return _answer(dice, seen)

    return reply


def _tokens(messages: Sequence[Mapping[str, Any]]) -> Mapping[str, list[str]]:
    """The tokens of a request by letter, in order of appearance."""
    text = json.dumps(messages[1:], ensure_ascii=False)
    seen: dict[str, list[str]] = {}
    for token in dict.fromkeys(_TOKEN.findall(text)):
        seen.setdefault(token[0], []).append(token)
    return seen


def _answer(dice: Random, seen: Mapping[str, list[str]]) -> str:
    known = [token for tokens in seen.values() for token in tokens] or ["C-1"]
    said = dice.sample(ANSWERS, k=dice.choice((1, 1, 2)))
    filled = [text.format(t=dice.choice(known), s=dice.choice(known), n=dice.randint(1, 60)) for text in said]
    return "\n\n".join(filled)


def _calls(dice: Random, seen: Mapping[str, list[str]]) -> Scripted:
    count = dice.choice((1, 1, 1, 2, 3)) if dice.random() < 0.95 else 11
    return calls(*(_call(dice, seen) for _ in range(count)), text=dice.choice((None, "", "Busco.", "Miro C-1 y C-77")))


def _call(dice: Random, seen: Mapping[str, list[str]]) -> tuple[str, Any]:
    if dice.random() < 0.12:
        return dice.choice(_WRONG)

    def token(letter: str) -> str:
        known = seen.get(letter, [])
        return dice.choice(known) if known and dice.random() < 0.9 else f"{letter}-{dice.randint(1, 90)}"

    name, arguments = dice.choice(_TOOLS)
    return name, {argument: token(value) if value in _LETTERS else value for argument, value in arguments.items()}


_LETTERS = frozenset("CUEBHDK")
#: Tools with arguments; a capital letter stands for a token of that kind.
_TOOLS: Sequence[tuple[str, Mapping[str, Any]]] = (
    ("show_contact", {"contact": "C"}),
    ("show_contact", {"contact": "C"}),
    ("read_messages", {"contact": "C"}),
    ("read_messages", {"contact": "C"}),
    ("read_messages", {"conversation": "H"}),
    ("read_messages", {"conversation": "H", "before": 3}),
    ("show_conversation", {"conversation": "H"}),
    ("show_conversation", {"conversation": "H"}),
    ("find_conversations", {"contact": "C"}),
    ("find_conversations", {"status": "open"}),
    ("find_conversations", {"member": "U", "status": "pending"}),
    ("find_conversations", {"inbox": "B", "waiting_hours": 24}),
    ("find_conversations", {"created_after": "2026-11-01", "skip": 10}),
    ("count_conversations", {"by": "status"}),
    ("count_conversations", {"by": "assignee"}),
    ("find_contacts", {"label": "VIP"}),
    ("find_contacts", {"company": "E"}),
    ("find_contacts", {"state": "lead", "skip": 5}),
    ("list_team", {}),
    ("list_inboxes", {}),
    ("read_notes", {}),
    ("read_notes", {"contact": "C"}),
    ("show_workload", {"by": "assignee_and_inbox"}),
    ("find_companies", {"with_undecided_deals": True}),
    ("show_company", {"company": "E"}),
    ("list_campaigns", {}),
    ("list_campaigns", {"campaign": "K"}),
    ("find_deals", {}),
    ("find_deals", {"contact": "C"}),
    ("find_deals", {"deal": "D"}),
    ("sum_deals", {"undecided": True}),
    ("list_labels", {}),
)
#: Calls that are wrong in some way.
_WRONG: Sequence[tuple[str, Any]] = (
    ("show_contact", {"contact": "C-9999"}),
    ("show_contact", {"contact": "U-1"}),
    ("show_contact", {"contact": "C-1|C-2"}),
    ("show_contact", {"contact": 7, "name": "C-1"}),
    ("show_contact", '{"contact": "C-'),
    ("show_contact", "[]"),
    ("read_messages", {}),
    ("find_conversations", {"status": "asleep", "created_after": "yesterday"}),
    ("drop_tables", {"contact": "C-1.phone"}),
    ("find_contacts", {"label": "https://tienda.example/C-1?x=Z-4"}),
)
