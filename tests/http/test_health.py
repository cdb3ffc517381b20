"""Whether the process lives and can work, and its counters for whoever holds their token."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import httpx2
import pytest

from assistant.http.app import application
from assistant.http.auth import Authenticator, SharedSecret
from assistant.http.health import Health
from assistant.http.metrics import MetricsPage
from assistant.metrics import Metrics
from assistant.readiness import State
from db.pool import Database
from tests.http.conftest import SECRET, EchoTurns, problem_of, token

TOKEN = "8c1b64f7e09d2a35" * 4
MESSAGES = "/api/assistant/messages"


@asynccontextmanager
async def door(
    database: Database, *, state: State = "ok", metrics: MetricsPage | None = None, draining: Callable[[], bool] = lambda: False
) -> AsyncIterator[httpx2.AsyncClient]:
    async def now() -> State:
        return state

    app = application(
        turns=EchoTurns(),
        authenticator=Authenticator(SharedSecret(SECRET), database),
        health=Health("1.2.3", "offline", now),
        loopback_only=False,
        metrics=metrics,
        draining=draining,
    )
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://velo.test") as client:
        yield client


@pytest.mark.parametrize(
    ("state", "status", "whole", "database"),
    [
        ("ok", 200, "ok", "ok"),
        ("draining", 503, "draining", "unknown"),
        ("unavailable", 503, "degraded", "unavailable"),
        ("unmigrated", 503, "degraded", "unmigrated"),
        ("unsafe", 503, "degraded", "unsafe"),
    ],
)
async def test_it_says_whether_it_can_work_and_why_not(people: Database, state: State, status: int, whole: str, database: str) -> None:
    async with door(people, state=state) as client:
        ready, health, live = [await client.get(path) for path in ("/readyz", "/healthz", "/livez")]
    assert (ready.status_code, ready.json()) == (status, {"status": state})
    assert (health.status_code, health.json()["status"], health.json()["database"]) == (status, whole, database)
    assert (live.status_code, live.json()) == (200, {"status": "ok"})


async def test_a_server_that_is_about_to_stop_takes_no_question_and_shows_the_rest(people: Database) -> None:
    signed_in = {"Authorization": f"Bearer {token()}"}
    async with door(people, draining=lambda: True) as client:
        refused = await client.post(MESSAGES, json={"text": "hola"}, headers=signed_in)
        listed = await client.get(f"{MESSAGES}?thread_id=1", headers=signed_in)
        alive = await client.get("/livez")
    assert refused.status_code == 503
    assert int(refused.headers["Retry-After"]) > 0
    assert problem_of(refused)["code"] == "unavailable"
    assert (listed.status_code, alive.status_code) == (200, 200)


async def test_without_a_token_of_theirs_there_are_no_counters(people: Database) -> None:
    async with door(people, metrics=MetricsPage(Metrics())) as client:
        for headers in ({}, {"Authorization": "Bearer "}, {"Authorization": f"Bearer {token()}"}):
            closed = await client.get("/metrics", headers=headers)
            assert closed.status_code == 404
            problem_of(closed)


@pytest.mark.parametrize("authorization", [None, "Bearer ", "Bearer wrong", f"Basic {TOKEN}", TOKEN, "Bearer ñ"])
async def test_who_does_not_send_their_token_sees_no_counters(people: Database, authorization: str | None) -> None:
    headers = [(b"Authorization", authorization.encode())] if authorization is not None else []
    async with door(people, metrics=MetricsPage(Metrics(), TOKEN)) as client:
        refused = await client.get("/metrics", headers=headers)
    assert refused.status_code == 401
    assert "VELO_METRICS_TOKEN" in problem_of(refused)["detail"]
    assert TOKEN not in refused.text


async def test_requests_are_counted_by_the_route_they_met(people: Database) -> None:
    async with door(people, metrics=MetricsPage(Metrics(), TOKEN)) as client:
        signed_in = {"Authorization": f"Bearer {token()}"}
        await client.post(MESSAGES, json={"text": "¿qué pasó con Mariana?"}, headers={**signed_in, "Idempotency-Key": "Mariana"})
        await client.get("/api/assistant/turns/77777/veiled", headers=signed_in)
        await client.get("/Mariana?q=Mariana")
        await client.request("MARIANA", "/livez")
        shown = await client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert shown.status_code == 200
    assert shown.headers["Content-Type"].startswith("text/plain; version=")
    assert shown.headers["Cache-Control"] == "no-store"
    counts = [line.rpartition(" ") for line in shown.text.splitlines() if line.startswith("velo_request_seconds_count")]
    assert {name: value for name, _, value in counts} == {
        f'velo_request_seconds_count{{method="POST",route="{MESSAGES}",status="200"}}': "1.0",
        'velo_request_seconds_count{method="GET",route="/api/assistant/turns/{turn_id:int}/veiled",status="404"}': "1.0",
        'velo_request_seconds_count{method="GET",route="none",status="404"}': "1.0",
        'velo_request_seconds_count{method="other",route="/livez",status="405"}': "1.0",
    }
    assert "Mariana" not in shown.text
    assert "77777" not in shown.text


def test_the_token_does_not_show() -> None:
    assert TOKEN not in repr(MetricsPage(Metrics(), TOKEN))
