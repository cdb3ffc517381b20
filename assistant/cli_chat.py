"""``velo chat``: the assistant in the terminal, over the same HTTP interface as everybody else.

What is shown comes from a model and from customers: everything that could move the cursor, colour the screen or turn
the writing around is taken out first.
"""

import argparse
import asyncio
import time
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx2

from assistant.errors import SettingsError
from assistant.http.auth import sign
from assistant.secrets import signing_secret
from assistant.settings import Settings

_HELP = "/veiled shows what the model saw · /new starts a new thread · /quit ends"
_SECONDS = 300.0
_TURNING = frozenset("\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def chat(settings: Settings, options: argparse.Namespace) -> None:
    """Asks line by line until the end of the input."""
    secret = signing_secret(settings)
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    client = httpx2.AsyncClient(base_url=options.url or f"http://{host}:{settings.port}", timeout=_SECONDS)

    def token() -> str:
        return sign(secret, tenant_id=options.tenant, member_id=options.member, now=time.time())

    with asyncio.Runner() as runner:
        try:
            _converse(Chat(client, token), runner)
        finally:
            runner.run(client.aclose())


def _converse(conversation: "Chat", runner: asyncio.Runner) -> None:
    print("\n".join(runner.run(conversation.greeting())))
    while True:
        try:
            line = input("\n> ").strip()
        except EOFError:
            return
        if line == "/quit":
            return
        if line:
            print("\n".join(runner.run(conversation.answer(line))))


@dataclass(slots=True)
class Chat:
    """One chat with the server; every method gives the lines to show."""

    client: httpx2.AsyncClient
    token: Callable[[], str]
    thread_id: int | None = None
    turn_id: int | None = None
    question: str = ""
    mentions: list[dict[str, Any]] = field(default_factory=list)
    choices: list[Mapping[str, Any]] = field(default_factory=list)

    async def greeting(self) -> list[str]:
        """Who is there, and what can be typed; raises ``SettingsError`` when nobody answers."""
        try:
            health = (await self.client.get("/healthz")).json()
        except (httpx2.HTTPError, ValueError):
            health = None
        if not isinstance(health, dict):
            raise SettingsError(f"no Velo answers on {self.client.base_url}: start `velo demo`, or give --url")
        offline = ["The offline demo model answers: a table of keywords, NOT a language model."]
        return [*(offline if health.get("model") == "offline" else []), _HELP]

    async def answer(self, line: str) -> list[str]:
        """What there is to show after a line was typed."""
        if line == "/new":
            self.thread_id = self.turn_id = None
            self.choices, self.mentions = [], []
            return ["A new thread begins with your next question."]
        if line == "/veiled":
            return await self._veiled()
        if line.startswith("/"):
            return [_HELP]
        if self.choices and line.isascii() and line.isdigit() and len(line) < 4:
            if not self._choose(int(line)):
                return [f"Type a number from 0 to {len(self.choices[0]['candidates'])}, or another question."]
        else:
            self.question, self.mentions = line, []
        return await self._ask()

    async def _ask(self) -> list[str]:
        body: dict[str, Any] = {"text": self.question}
        if self.thread_id is not None:
            body["thread_id"] = self.thread_id
        if self.mentions:
            body["mentions"] = self.mentions
        answered = await self._request("POST", "/api/assistant/messages", body)
        if isinstance(answered, list):
            return answered
        self.thread_id, self.turn_id = answered["thread_id"], answered["turn_id"]
        self.choices = [choice for choice in answered.get("choices", ()) if choice.get("candidates")]
        text = (answered.get("message") or {}).get("text") or ""
        return [*clean(text).splitlines(), *self._offered()]

    async def _veiled(self) -> list[str]:
        if self.turn_id is None:
            return ["Nothing was asked yet."]
        record = await self._request("GET", f"/api/assistant/turns/{self.turn_id}/veiled")
        return record if isinstance(record, list) else list(_readable(record))

    async def _request(self, method: str, path: str, body: Any = None) -> dict[str, Any] | list[str]:
        """The body of the answer, or the lines that say what went wrong."""
        try:
            headers = {"Authorization": f"Bearer {self.token()}"}
            response = await self.client.request(method, path, json=body, headers=headers)
            answered = response.json()
        except httpx2.TimeoutException:
            return ["No answer in time. The question may still be answered: ask again later."]
        except (httpx2.HTTPError, ValueError):
            return ["The server does not answer."]
        if response.status_code >= 400:
            what = f"{answered.get('title')}. {answered.get('detail')} (error {answered.get('error_id')})"
            return [clean(what)]
        return dict(answered)

    def _choose(self, number: int) -> bool:
        """Takes the choice of a candidate, 0 being any of them, into the question."""
        choice, *rest = self.choices
        candidates = choice["candidates"]
        if not 0 <= number <= len(candidates):
            return False
        chosen = candidates[number - 1] if number else {"kind": candidates[0]["kind"], "id": None}
        self.mentions.append({"start": choice["start"], "end": choice["end"], "kind": chosen["kind"], "id": chosen["id"]})
        self.choices = rest
        return True

    def _offered(self) -> Iterator[str]:
        for choice in self.choices[:1]:
            yield f"\nWhom do you mean by «{clean(self.question[choice['start'] : choice['end']])}»? Type a number:"
            for number, candidate in enumerate(choice["candidates"], 1):
                yield f"  {number}) {clean(_described(candidate))}"
            yield "  0) any of them"


def clean(text: str) -> str:
    """The text without control characters (but line breaks and tabs) and without those that turn the writing around."""
    kept = (c for c in text if c in "\n\t" or (unicodedata.category(c) not in ("Cc", "Cs") and c not in _TURNING))
    return "".join(kept)


def _described(candidate: Mapping[str, Any]) -> str:
    last = (candidate.get("last_contact") or "")[:16].replace("T", " ")
    return " · ".join(part for part in (candidate.get("name"), candidate.get("inbox"), last) if part)


def _readable(record: Mapping[str, Any]) -> Iterator[str]:
    """Each call of the model: the messages that were new to it, and what it answered."""
    seen = 0
    for call in record["calls"]:
        messages = call["request"]["messages"]
        yield f"\n── call {call['ordinal']} ({call['status']}): {len(messages)} messages, {seen} of them shown above"
        for message in messages[seen:]:
            text = _spoken(message)
            shown = f"{text.splitlines()[0]} … ({len(text)} characters, always the same)" if message["role"] == "system" else text
            yield from clean(f"{message['role']}: {shown}").splitlines()
        seen = len(messages)
        yield from clean(f"→ {_spoken(call['response'] or {})}").splitlines()


def _spoken(message: Mapping[str, Any]) -> str:
    calls = [call.get("function", call) for call in message.get("tool_calls") or message.get("calls") or ()]
    shown = [f"{call.get('name')}({call.get('arguments') or ''})" for call in calls]
    return "\n".join(part for part in (message.get("content") or message.get("text"), *shown) if part)
