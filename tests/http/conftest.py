"""The HTTP door over a real database and small, honest turns."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import httpx2
import jwt
import pytest

from assistant.errors import KeyReused, NotFound
from assistant.events import Event
from assistant.http.app import Application, application
from assistant.http.auth import LOCAL_ISSUER, Authenticator, SharedSecret
from assistant.http.health import Health
from assistant.question import Ask
from assistant.readiness import State
from db.pool import Database
from db.roles import logins
from tools.permissions import Actor

CloneDatabase = Callable[[str], Awaitable[str]]

SECRET = "5f1d8a7c3b9e2046" * 4
ISSUER = "https://id.velo.test"


@dataclass
class EchoTurns:
    """Turns that keep what they were asked, per member, and answer with the length of the question."""

    asked: list[tuple[Actor, Ask]] = field(default_factory=list)
    keys: dict[tuple[int, int, str], tuple[bytes, int]] = field(default_factory=dict)
    fails_with: BaseException | None = None
    breaks_with: Exception | None = None  # in the middle of a stream

    async def ask(self, actor: Actor, ask: Ask) -> int:
        if self.fails_with is not None:
            raise self.fails_with
        if ask.idempotency_key is not None:
            key = (actor.tenant_id, actor.member_id, ask.idempotency_key)
            body_hash, turn_id = self.keys.setdefault(key, (ask.body_hash, len(self.asked) + 1))
            if body_hash != ask.body_hash:
                raise KeyReused("Another request had this key.")
            if turn_id <= len(self.asked):
                return turn_id
        self.asked.append((actor, ask))
        return len(self.asked)

    async def finished(self, actor: Actor, turn_id: int) -> dict[str, Any]:
        _, ask = self._own(actor, turn_id)
        message = {"id": turn_id, "role": "assistant", "text": str(len(ask.text.text)), "marks": []}
        return {
            "thread_id": ask.thread_id or 1,
            "turn_id": turn_id,
            "message": message,
            "steps": [],
            "unknown_tokens": [],
            "choices": [],
        }

    async def belongs(self, actor: Actor, turn_id: int) -> None:
        self._own(actor, turn_id)

    async def events(self, actor: Actor, turn_id: int, after: int) -> AsyncIterator[Event | None]:
        answered = await self.finished(actor, turn_id)
        events = [Event(1, "turn.started", {"turn_id": turn_id}), Event(2, "text.delta", {"text": "uno\u2028dos\ntres"}), Event(3, "turn.done", answered)]
        for event in events[after:]:
            if self.breaks_with is not None and event.seq == 3:
                raise self.breaks_with
            yield event

    async def stop(self, actor: Actor, turn_id: int) -> dict[str, Any]:
        self._own(actor, turn_id)
        return {"turn_id": turn_id, "state": "done"}

    async def veiled(self, actor: Actor, turn_id: int) -> dict[str, Any]:
        self._own(actor, turn_id)
        return {"turn_id": turn_id, "calls": []}

    async def messages(self, actor: Actor, thread_id: int) -> list[dict[str, Any]]:
        return [{"id": 1, "thread_id": thread_id}]

    async def member(self, actor: Actor) -> dict[str, Any]:
        return {"member_id": actor.member_id, "language": "es"}

    async def threads(self, actor: Actor) -> list[dict[str, Any]]:
        return [{"id": 1, "member_id": actor.member_id}]

    async def open_thread(self, actor: Actor, idempotency_key: str | None, body_hash: bytes) -> dict[str, Any]:
        return {"id": 2, "key": idempotency_key}

    def _own(self, actor: Actor, turn_id: int) -> tuple[Actor, Ask]:
        if 1 <= turn_id <= len(self.asked) and self.asked[turn_id - 1][0] == actor:
            return self.asked[turn_id - 1]
        raise NotFound("You have no turn with this id.")


async def fill(owner: Database) -> None:
    """Two tenants; in each, member 1 is an agent, 2 an admin, and 3 has left."""
    for tenant in (1, 2):
        async with owner.tenant(tenant) as connection:
            await connection.execute("INSERT INTO velo.tenants (tenant_id, name) VALUES ($1, 'T')", tenant)
            await connection.executemany(
                "INSERT INTO crm.members (tenant_id, id, name, role, active) VALUES ($1, $2, 'M', $3, $4)",
                [(tenant, 1, "agent", True), (tenant, 2, "admin", True), (tenant, 3, "agent", False)],
            )
    async with owner.tenant(1) as connection:
        for issuer in (ISSUER, LOCAL_ISSUER):
            await connection.execute("INSERT INTO velo.issuers (tenant_id, issuer) VALUES (1, $1)", issuer)


@pytest.fixture(scope="session")
async def people(template: str, clone_database: CloneDatabase) -> AsyncIterator[Database]:
    """The application's pool on a database with the people of ``fill``, which no test changes."""
    dsn = await clone_database(template)
    owner = await Database.open(logins(dsn).owner)
    await fill(owner)
    await owner.close()
    opened = await Database.open(logins(dsn).app)
    yield opened
    await opened.close()


@pytest.fixture
def turns() -> EchoTurns:
    return EchoTurns()


@pytest.fixture
def app(people: Database, turns: EchoTurns) -> Application:
    return over(turns, people)


def over(turns: EchoTurns, database: Database, *, ready: bool = True, loopback_only: bool = False) -> Application:
    async def state() -> State:
        return "ok" if ready else "unavailable"

    return application(
        turns=turns,
        authenticator=Authenticator(SharedSecret(SECRET), database),
        health=Health("1.2.3", "offline", state),
        loopback_only=loopback_only,
    )


@pytest.fixture
async def stranger(app: Application) -> AsyncIterator[httpx2.AsyncClient]:
    """A client without a token."""
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://velo.test") as client:
        yield client


@pytest.fixture
async def client(stranger: httpx2.AsyncClient) -> httpx2.AsyncClient:
    """A client signed in as member 1 of tenant 1."""
    stranger.headers["Authorization"] = f"Bearer {token()}"
    return stranger


def token(*, secret: str = SECRET, algorithm: str = "HS256", without: str = "", **claims: Any) -> str:
    """A token of member 1 of tenant 1, with some claims changed, to impossible values too, or one left out."""
    now = int(time.time())
    whole = {"tenant": 1, "sub": "1", "aud": "velo", "iss": ISSUER, "iat": now, "exp": now + 600, **claims}
    whole.pop(without, None)
    return jwt.PyJWS().encode(json.dumps(whole).encode(), secret, algorithm=algorithm)


def problem_of(response: httpx2.Response) -> dict[str, Any]:
    """The problem in a response, after checking what all of them must be."""
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.headers["Cache-Control"] == "no-store"
    problem: dict[str, Any] = response.json()
    assert problem.keys() == {"type", "title", "status", "detail", "code", "error_id"}
    assert problem["status"] == response.status_code
    assert len(problem["error_id"]) == 8
    assert "Traceback" not in response.text
    return problem
