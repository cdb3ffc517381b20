"""A day at the whole application: its log, at every level, and its counters hold nothing of what anybody asked, was answered, or is called."""

from __future__ import annotations

import io
import json
import logging
import time
from collections.abc import AsyncIterator, Iterator

import httpx2
import pytest
import structlog
from starlette.responses import JSONResponse

from assistant.http.auth import sign
from assistant.logging import configure, wordless
from assistant.model.in_process import InProcess
from assistant.settings import read_settings
from assistant.wiring import wired
from tests.assistant.conftest import SECRET
from tests.laws.witness import leaked
from tests.model_endpoint import ModelEndpoint, Scripted, calls, serving

METRICS = "8c1b64f7e09d2a35" * 4
MESSAGES = "/api/assistant/messages"
NAME = "Otoniel Ibarrola"


@pytest.fixture
def level() -> str:
    return "INFO"


@pytest.fixture
def log(level: str) -> Iterator[io.StringIO]:
    """What the process writes to its log."""
    root = logging.getLogger()
    before, root_level = list(root.handlers), root.level
    stream = io.StringIO()
    configure(level, stream=stream)
    with wordless():
        yield stream
    root.handlers[:] = before
    root.setLevel(root_level)
    structlog.reset_defaults()


@pytest.fixture
async def client(house_dsn: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[httpx2.AsyncClient]:
    """The house's admin at the whole application, whose model looks them up, breaks its arguments, and fails with their name."""
    script: list[Scripted] = [
        calls(("show_contact", {"contact": "C-1"}), ("show_contact", NAME), (NAME, {}), text=NAME),
        f"C-1 es {NAME}, 9 8345-6789.",
        JSONResponse({"error": {"message": f"{NAME} 83456789"}}, status_code=400),
    ]
    async with serving(ModelEndpoint(script)) as base_url:
        monkeypatch.setenv("OPENAI_BASE_URL", base_url)
        monkeypatch.setenv("VELO_METRICS_TOKEN", METRICS)
        monkeypatch.setenv("VELO_JWT_SECRET", SECRET)
        headers = {"Authorization": f"Bearer {sign(SECRET, tenant_id=1, member_id=1, now=time.time())}"}
        async with (
            wired(read_settings(serving=True), dsn=house_dsn, jwt_secret=SECRET) as app,
            httpx2.AsyncClient(transport=InProcess(app), base_url="http://velo.test", headers=headers, timeout=60) as opened,
        ):
            yield opened


@pytest.mark.parametrize("level", ["INFO", "DEBUG"])
async def test_nothing_of_anybody_is_logged_or_counted(client: httpx2.AsyncClient, log: io.StringIO) -> None:
    body = {"text": f"¿qué pasó con {NAME}, otoniel@correo.example?"}
    answered = await client.post(MESSAGES, json=body, headers={"Idempotency-Key": NAME.replace(" ", "-"), "User-Agent": "Otoniel"})
    streamed = await client.post(MESSAGES, json=body, headers={"Accept": "text/event-stream"})
    refused = [
        await client.get(f"/{NAME}?q={NAME}"),
        await client.get(f"{MESSAGES}?thread_id={NAME}"),
        await client.post(MESSAGES, content=f'{{"text": "{NAME}", "Ibarrola": 1}}', headers={"Content-Type": "application/json"}),
        await client.get("/api/assistant/threads", headers={"Authorization": f"Bearer {NAME.replace(' ', '.')}"}),
        await client.request("OTONIEL", MESSAGES),
    ]
    counted = await client.get("/metrics", headers={"Authorization": f"Bearer {METRICS}"})
    assert NAME in answered.json()["message"]["text"]
    assert "turn.failed" in streamed.text
    assert all(response.status_code >= 400 for response in refused)
    assert not leaked(counted.text)
    assert not leaked(log.getvalue())
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    assert [line["state"] for line in lines if line["event"] == "turn_ended"] == ["done", "failed"]


async def test_what_a_turn_does_is_counted_by_the_application(client: httpx2.AsyncClient, log: io.StringIO) -> None:
    await client.post(MESSAGES, json={"text": f"¿qué pasó con {NAME}?"})
    counted = (await client.get("/metrics", headers={"Authorization": f"Bearer {METRICS}"})).text.splitlines()
    assert {
        'velo_turn_seconds_count{state="done"} 1.0',
        'velo_model_call_seconds_count{status="answered"} 2.0',
        'velo_tool_call_seconds_count{status="ok",tool="show_contact"} 1.0',
        'velo_tool_call_seconds_count{status="declined",tool="unknown_tool"} 1.0',
        'velo_model_tokens_total{direction="in"} 20.0',
        'velo_running_turns 0.0',
        f'velo_request_seconds_count{{method="POST",route="{MESSAGES}",status="200"}} 1.0',
    } <= set(counted)
    assert any(line.startswith("velo_events_written_total ") and not line.endswith(" 0.0") for line in counted)


async def test_every_line_of_a_turn_bears_its_request(client: httpx2.AsyncClient, log: io.StringIO) -> None:
    answered = await client.post(MESSAGES, json={"text": "hola"})
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    (ended,) = [line for line in lines if line["event"] == "turn_ended"]
    assert ended["request_id"] == answered.headers["X-Request-ID"]
    assert ended["turn_id"] == answered.json()["turn_id"]
    assert (ended["tenant_id"], ended["member_id"], ended["state"]) == (1, 1, "done")
