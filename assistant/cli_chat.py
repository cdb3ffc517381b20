"""``velo chat``: the assistant in the terminal, over the same HTTP interface as everybody else."""

import argparse
import asyncio
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import httpx2

from assistant.cli_follow import FAILED, STOPPED, Following, Lost, Refused, Told
from assistant.cli_screen import Screen, clean, readable
from assistant.cli_words import CHAT
from assistant.errors import SettingsError
from assistant.http.auth import sign
from assistant.secrets import signing_secret
from assistant.settings import Settings

_SECONDS = 300.0
_THREADS = 20


def chat(settings: Settings, options: argparse.Namespace) -> None:
    """Asks line by line until the end of the input."""
    secret = signing_secret(settings)
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    client = httpx2.AsyncClient(base_url=options.url or f"http://{host}:{settings.port}", timeout=_SECONDS)

    def token() -> str:
        return sign(secret, tenant_id=options.tenant, member_id=options.member, now=time.time())

    who = f"member {options.member} in tenant {options.tenant}"
    conversation = Chat(client, token, Screen(_written, terminal=sys.stdout.isatty()), who=who, terminal=sys.stdout.isatty())
    with asyncio.Runner() as runner:
        try:
            _converse(conversation, runner, thread=options.thread)
        finally:
            runner.run(client.aclose())


def _written(text: str) -> None:
    print(text, end="", flush=True)


def _converse(conversation: "Chat", runner: asyncio.Runner, *, thread: int | None) -> None:
    print("\n".join(runner.run(conversation.greeting(thread=thread))))
    while True:
        try:
            line = input("\n> ").strip()
        except EOFError:
            return
        if line == "/quit":
            return
        if line:
            runner.run(conversation.answer(line))


class Refusal(Exception):
    """The server did not do what was asked; the text is what to show."""

    def __init__(self, shown: str, status: int | None = None) -> None:
        super().__init__(shown)
        self.status = status


@dataclass(slots=True)
class Chat:
    """One chat with the server."""

    client: httpx2.AsyncClient
    token: Callable[[], str]
    screen: Screen
    who: str = "this member"
    terminal: bool = False
    language: str = "en"
    zone: str = "UTC"
    thread_id: int | None = None
    turn_id: int | None = None
    question: str = ""
    understood: str = ""  # what was said of the question's misspelt names
    said: str = ""  # of the answer, so far
    call: int = 0  # in which the model says it
    told: bool = False  # whether it was looked up whom misspelt names were taken for
    mentions: list[dict[str, Any]] = field(default_factory=list)
    choices: list[Mapping[str, Any]] = field(default_factory=list)

    async def greeting(self, *, thread: int | None = None) -> list[str]:
        """What can be typed, and how the thread stands; raises ``SettingsError`` when nobody answers or the member cannot sign in."""
        try:
            health = (await self.client.get("/healthz")).json()
        except (httpx2.HTTPError, ValueError):
            health = None
        if not isinstance(health, dict):
            raise SettingsError(f"no Velo answers on {self.client.base_url}: start `velo demo`, or give --url")
        try:
            member = await self._request("GET", "/api/assistant/member")
            self.language, self.zone = member["language"], member["zone"]
            reopened = await self._reopened(thread) if thread is not None else []
        except Refusal as refusal:
            unknown = f"there is no active {self.who}, or {self.client.base_url} has another secret"
            raise SettingsError(unknown if refusal.status == 401 else str(refusal)) from None
        offline = [self._say("offline")] if health.get("model") == "offline" else []
        return [*offline, self._say("help"), *reopened]

    async def answer(self, line: str) -> None:
        """Shows what there is to show after a line was typed; an answer as it comes."""
        try:
            for shown in await (self._command(line) if line.startswith("/") else self._answered(line)):
                self.screen.line(shown)
        except Refusal as refusal:
            self.screen.line(str(refusal))

    async def _command(self, line: str) -> list[str]:
        match line.split():
            case ["/new"]:
                self._turn_to(None, None)
                return [self._say("new")]
            case ["/veiled"]:
                return await self._veiled(everything=False)
            case ["/veiled", "all"]:
                return await self._veiled(everything=True)
            case ["/threads"]:
                return await self._threads()
            case ["/thread", number] if number.isascii() and number.isdigit():
                return await self._reopened(int(number))
            case ["/help"]:
                return [self._say("help")]
        return [self._say("unknown", command=clean(line)), self._say("help")]

    async def _answered(self, line: str) -> list[str]:
        if self.choices and line.isascii() and line.isdigit() and len(line) < 4:
            if not self._choose(int(line)):
                return [self._say("number", last=len(self.choices[0]["candidates"]))]
        else:
            self.question, self.mentions, self.understood = line, [], ""
        return await self._ask()

    async def _ask(self) -> list[str]:
        body: dict[str, Any] = {"text": self.question}
        if self.thread_id is not None:
            body["thread_id"] = self.thread_id
        if self.mentions:
            body["mentions"] = self.mentions
        self.said, self.call, self.told = "", 0, False
        try:
            return await self._ended(await Following(self.client, self.token, body, key=uuid4().hex, heard=self._heard).ended())
        except Refused as refused:
            raise Refusal(self._problem(refused.problem), refused.status) from None
        except Lost as lost:
            raise Refusal(self._say("slow" if lost.begun else "away", number=self.thread_id or "N")) from None

    async def _heard(self, told: Told) -> None:
        """Shows what happens in a turn as it happens."""
        body = told.body
        match told.kind:
            case "turn.started":
                self.thread_id, self.turn_id = body["thread_id"], body["turn_id"]
            case "step.started":
                await self._tell_understood()
                self.screen.fresh()
                self.screen.label(f"· {body['tool']} …")
            case "step.completed":
                self.screen.label(f" {body['ms']} ms" if body["status"] == "ok" else f" {body['status']}")
                self.screen.fresh()
            case "text.delta":
                await self._tell_understood()
                if body["call"] != self.call:
                    self.screen.fresh()
                    self.said, self.call = "", body["call"]
                self.screen.put(body["text"], body["marks"])
                self.said += body["text"]

    async def _ended(self, told: Told) -> list[str]:
        """The rest of the answer, and what is to be said of its end."""
        self.thread_id, self.turn_id = told.body.get("thread_id", self.thread_id), told.body.get("turn_id", self.turn_id)
        await self._tell_understood()
        message = told.body.get("message") or {}
        text = message.get("text") or ""
        if text.startswith(self.said):
            self.screen.put(text[len(self.said) :])
        elif text:
            self.screen.line(clean(text))
        self.screen.fresh()
        self.choices = [choice for choice in told.body.get("choices", ()) if choice.get("candidates")]
        if told.kind == STOPPED:
            return [self._say("stopped")]
        if told.kind == FAILED:
            return [self._problem(told.body)]
        cut = [self._say("cut")] if message.get("finish") not in (None, "stop") else []
        dropped = told.body.get("dropped_questions", 0)
        return [*cut, *([self._say("dropped", count=dropped)] if dropped else []), *self._offered()]

    async def _tell_understood(self) -> None:
        if not self.told:
            self.told = True
            for line in await self._understood():
                self.screen.line(line)

    async def _understood(self) -> list[str]:
        """Whom misspelt names were taken for, said once for a question."""
        try:
            messages = await self._messages(self.thread_id)
        except Refusal:  # the answer is there and must be shown
            return []
        marks = [mark for message in messages if self._asks(message) for mark in message["marks"]]
        names = dict.fromkeys(" / ".join(mark["understood"]) for mark in marks if mark.get("understood"))
        before, self.understood = self.understood, ", ".join(names)
        return [self._say("understood", names=clean(self.understood))] if names and self.understood != before else []

    def _asks(self, message: Mapping[str, Any]) -> bool:
        return (message["role"], message["turn_id"]) == ("user", self.turn_id)

    async def _veiled(self, *, everything: bool) -> list[str]:
        if self.turn_id is None:
            return [self._say("nothing_asked")]
        record = await self._request("GET", f"/api/assistant/turns/{self.turn_id}/veiled")
        if not record["calls"]:
            return [self._say("nothing_sent")]
        return list(readable(record, everything=everything, language=self.language, terminal=self.terminal))

    async def _threads(self) -> list[str]:
        threads = (await self._request("GET", "/api/assistant/threads"))["threads"]
        zone = ZoneInfo(self.zone)
        shown = [(thread["thread_id"], datetime.fromisoformat(thread["updated_at"]).astimezone(zone)) for thread in threads[:_THREADS]]
        return [f"  {number} · {when:%Y-%m-%d %H:%M}" for number, when in shown] or [self._say("no_threads")]

    async def _reopened(self, number: int) -> list[str]:
        """Goes on with a thread, from its last question and answer."""
        messages = await self._messages(number)
        self._turn_to(number, messages[-1]["turn_id"] if messages else None)
        last = [clean(f"{'> ' if message['role'] == 'user' else ''}{message['text']}") for message in messages[-2:]]
        return [self._say("thread", number=number), *(line for text in last for line in ("", *text.splitlines()))]

    def _turn_to(self, thread: int | None, turn: int | None) -> None:
        self.thread_id, self.turn_id = thread, turn
        self.choices, self.mentions, self.understood = [], [], ""

    async def _messages(self, thread: int | None) -> Sequence[Mapping[str, Any]]:
        messages: Sequence[Mapping[str, Any]] = (await self._request("GET", f"/api/assistant/messages?thread_id={thread}"))["messages"]
        return messages

    async def _request(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        """The body of the answer; raises ``Refusal`` with what went wrong."""
        try:
            headers = {"Authorization": f"Bearer {self.token()}"}
            response = await self.client.request(method, path, json=body, headers=headers)
            answered = response.json()
        except httpx2.TimeoutException:
            raise Refusal(self._say("slow", number=self.thread_id or "N")) from None
        except (httpx2.HTTPError, ValueError):
            raise Refusal(self._say("away")) from None
        if response.status_code >= 400:
            raise Refusal(self._problem(answered), response.status_code)
        return dict(answered)

    def _problem(self, problem: Mapping[str, Any]) -> str:
        return clean(f"{self._refused(problem)} (error {problem.get('error_id')})")

    def _refused(self, problem: Mapping[str, Any]) -> str:
        """A problem in words: ours where the server's say no more, which are always English."""
        code, detail = problem.get("code"), problem.get("detail")
        if code in ("thread_busy", "unavailable", "not_found"):
            return self._say(code)
        return f"{self._say('turn_failed')} {detail}" if code == "turn_failed" else f"{problem.get('title')}. {detail}"

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
        """The candidates of the first choice, under the answer's own question."""
        for choice in self.choices[:1]:
            yield "\n" + self._say("choose", name=clean(self.question[choice["start"] : choice["end"]]))
            for number, candidate in enumerate(choice["candidates"], 1):
                yield f"  {number}) {clean(_described(candidate))}"
            yield f"  0) {self._say('any')}"

    def _say(self, sentence: str, **values: object) -> str:
        return CHAT[self.language][sentence].format(**values)


def _described(candidate: Mapping[str, Any]) -> str:
    last = (candidate.get("last_contact") or "")[:16].replace("T", " ")
    return " · ".join(part for part in (candidate.get("name"), candidate.get("inbox"), last) if part)
