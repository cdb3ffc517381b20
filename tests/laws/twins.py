"""Twins: two databases that differ by a renaming of people alone, and the same conversation held in both."""

from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from typing import Any

from assistant.errors import AssistantError
from assistant.job import Parts
from assistant.model.openai_client import OpenAIModel
from assistant.question import Ask as Question
from assistant.question import Mention
from assistant.turns import Turns
from db.crm.demo.casting import Cast
from db.crm.demo.seed import NOW
from db.pool import Database
from tests.laws.conversations import Anyone, Ask, Change, Choose, Conversation, Restart, Step
from tests.laws.scripted import scripted
from tests.model_endpoint import ModelEndpoint, Script
from veil.text import Clear
from veil.tokens import Kind

#: Forms of all people when there is no thread yet, else of those whom it has minted.
_NAMES = """
    SELECT DISTINCT f.form FROM crm.name_forms AS f
    WHERE f.kind IN ('contact', 'member', 'company') AND ($1::bigint IS NULL OR (f.kind, f.entity_id) IN (
        SELECT CASE t.kind WHEN 'C' THEN 'contact' WHEN 'U' THEN 'member' WHEN 'E' THEN 'company' END, t.entity_id
        FROM velo.tokens AS t WHERE t.thread_id = $1
    ))
"""
_VALUES = _NAMES.replace("name_forms", "value_forms")
_ANYONE = {"es": "cualquiera", "pt": "qualquer um", "en": "anyone"}


@dataclass(slots=True)
class Held:
    """A conversation as it went: what the member saw of each turn without its words, and every body that was sent."""

    turns: list[dict[str, Any]] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    sent: list[dict[str, Any]] = field(default_factory=list)  # the bodies, parsed
    #: Names and values of people, each with the number of the request from which on it must be in none.
    names: dict[str, int] = field(default_factory=dict)
    values: dict[str, int] = field(default_factory=dict)


@cache
def people_of(seed: int) -> Cast:
    """The people of a seed; made once, since thinking up their phones takes its time."""
    return Cast(seed)


class Twin:
    """One of the two: a Velo on a database with its own people."""

    def __init__(self, database: Database, owner: Database, cast: Cast) -> None:
        self.database = database
        self.owner = owner
        self.cast = cast

    async def hold(self, conversation: Conversation, *, script: Script | None = None) -> Held:
        """Hold the conversation from its first step to its last."""
        endpoint = ModelEndpoint(script or scripted(conversation.seed))
        talk = _Talk(self, conversation, endpoint)
        await talk.learn()
        for step in conversation.steps:
            await talk.take(step)
        talk.held.bodies = endpoint.bodies
        talk.held.sent = [request.json for request in endpoint.received]
        return talk.held


class _Talk:
    """A conversation while it is held."""

    def __init__(self, twin: Twin, conversation: Conversation, endpoint: ModelEndpoint) -> None:
        self._twin = twin
        self._conversation = conversation
        self._endpoint = endpoint
        self._model = OpenAIModel.at("http://model.test/v1", "key", transport=endpoint.transport())
        self._now = NOW
        self._thread: int | None = None
        self._last: tuple[str, list[dict[str, Any]]] = ("", [])
        self._turns = self._started()
        self.held = Held()

    def _started(self) -> Turns:
        return Turns(Parts(self._twin.database, self._model, lambda: self._now), model="scripted", software="test")

    async def take(self, step: Step) -> None:
        """Do one step."""
        match step:
            case Restart():
                self._turns = self._started()
            case Change():
                await self._change(step)
            case Ask(text, meant):
                await self._ask(self._twin.cast.text(text), self._meant(text, meant))
            case Choose(place):
                text, choices = self._last
                await self._ask(text, [_chosen(choice, place) for choice in choices if choice["candidates"]])
            case Anyone():
                await self._ask(_ANYONE[self._conversation.language], [])

    def _meant(self, text: str, meant: tuple[str, Kind, int] | None) -> list[Mention]:
        if meant is None:
            return []
        name, kind, number = meant
        start = len(self._twin.cast.text(text[: text.index(name)]))
        return [Mention(start, start + len(self._twin.cast.text(name)), kind, number)]

    async def _ask(self, text: str, mentions: list[Mention]) -> None:
        self._now += timedelta(minutes=37)
        actor = self._conversation.actor
        try:
            turn = await self._turns.ask(actor, Question(Clear(text), self._thread, tuple(mentions), None, b""))
            answer = await self._turns.finished(actor, turn)
        except AssistantError as error:
            self.held.turns.append({"failed": type(error).__name__, "status": error.status, "detail": error.detail})
        else:
            self.held.turns.append(_without_words(answer))
            self._last = text, answer["choices"]
        if self._thread is None:
            self._thread = next((thread["thread_id"] for thread in await self._turns.threads(actor)), None)
        await self.learn()

    async def _change(self, change: Change) -> None:
        arguments = [self._twin.cast.text(value) if isinstance(value, str) else value for value in change.arguments]
        async with self._twin.owner.tenant(self._conversation.actor.tenant_id) as connection:
            await connection.execute(change.statement, *arguments)

    async def learn(self) -> None:
        """Take in whom the tenant knows (at the start) and whom the thread has minted (after each turn); nobody is forgotten here."""
        requests = len(self._endpoint.received)
        async with self._twin.owner.tenant(self._conversation.actor.tenant_id, read_only=True) as connection:
            names = await connection.fetch(_NAMES, self._thread)
            values = await connection.fetch(_VALUES, self._thread)
        for row in names:
            self.held.names.setdefault(row["form"], requests)
        for row in values:
            self.held.values.setdefault(row["form"], requests)


def _chosen(choice: dict[str, Any], place: int) -> Mention:
    candidate = choice["candidates"][place % len(choice["candidates"])]
    return Mention(choice["start"], choice["end"], Kind(candidate["kind"]), candidate["id"])


def _without_words(answer: dict[str, Any]) -> dict[str, Any]:
    """What must be the same for both twins of what the member is told."""
    return {
        "steps": [(step["tool"], step["status"]) for step in answer["steps"]],
        "unknown_tokens": answer["unknown_tokens"],
        "choices": [(choice["total"], [(one["kind"], one["id"]) for one in choice["candidates"]]) for choice in answer["choices"]],
        "marks": [(mark["source"], mark["token"], mark["late"]) for mark in answer["message"]["marks"]],
        "late_masks": answer["late_masks"],
        "finish": answer["finish"],
    }
