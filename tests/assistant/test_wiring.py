"""The whole application, built as the commands build it."""

from __future__ import annotations

import time
from datetime import UTC
from typing import Any

import httpx2
import pytest

from assistant.errors import SettingsError
from assistant.http.auth import KeySet, SharedSecret, sign
from assistant.settings import read_settings
from assistant.wiring import clock_of, keys_of
from tests.assistant.conftest import SECRET


def signed_in(member: int, *, tenant: int = 1) -> dict[str, str]:
    return {"Authorization": f"Bearer {sign(SECRET, tenant_id=tenant, member_id=member, now=time.time())}"}


async def test_a_question_is_answered_with_names_that_the_model_never_saw(velo: httpx2.AsyncClient) -> None:
    body = {"text": "¿qué pasó con María López?"}
    answered = (await velo.post("/api/assistant/messages", json=body, headers=signed_in(1))).json()
    assert "María López" in answered["message"]["text"]
    assert [step["tool"] for step in answered["steps"]] == ["show_contact", "read_messages"]
    veiled = await velo.get(f"/api/assistant/turns/{answered['turn_id']}/veiled", headers=signed_in(1))
    assert len(veiled.json()["calls"]) == 2
    assert "María" not in veiled.text
    assert "López" not in veiled.text


async def test_answers_have_the_fields_that_the_document_names(velo: httpx2.AsyncClient) -> None:
    schemas = (await velo.get("/openapi.json")).json()["components"]["schemas"]
    headers = signed_in(1)
    asked = (await velo.post("/api/assistant/messages", json={"text": "¿qué pasó con María?"}, headers=headers)).json()
    thread, turn = asked["thread_id"], asked["turn_id"]
    answers = {
        "Answer": asked,
        "Messages": (await velo.get(f"/api/assistant/messages?thread_id={thread}", headers=headers)).json(),
        "Threads": (await velo.get("/api/assistant/threads", headers=headers)).json(),
        "Thread": (await velo.post("/api/assistant/threads", headers=headers)).json(),
        "Record": (await velo.get(f"/api/assistant/turns/{turn}/veiled", headers=headers)).json(),
        "State": (await velo.post(f"/api/assistant/turns/{turn}/stop", headers=headers)).json(),
    }
    for name, body in answers.items():
        assert_described(body, schemas[name])


def assert_described(value: Any, schema: dict[str, Any]) -> None:
    """A value has exactly the fields of its schema, at any depth the schema describes."""
    if "properties" in schema:
        assert value.keys() == schema["properties"].keys()
        for key, inner in value.items():
            assert_described(inner, schema["properties"][key])
    elif "items" in schema:
        for item in value:
            assert_described(item, schema["items"])


async def test_what_one_member_asked_does_not_exist_for_another(velo: httpx2.AsyncClient) -> None:
    answered = (await velo.post("/api/assistant/messages", json={"text": "hola"}, headers=signed_in(1))).json()
    for path in (f"turns/{answered['turn_id']}/veiled", f"messages?thread_id={answered['thread_id']}"):
        response = await velo.get(f"/api/assistant/{path}", headers=signed_in(2))
        assert response.status_code == 404


async def test_it_is_ready_and_says_which_model_answers(velo: httpx2.AsyncClient) -> None:
    assert (await velo.get("/readyz")).status_code == 200
    assert (await velo.get("/healthz")).json()["model"] == "offline"


async def test_the_demo_answers_to_no_other_name(velo: httpx2.AsyncClient) -> None:
    response = await velo.get("/livez", headers={"Host": "velo.test"})
    assert response.status_code == 421


def test_the_clock_is_the_real_one_unless_the_demo_sets_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert abs(clock_of(read_settings())().timestamp() - time.time()) < 5
    assert clock_of(read_settings())().tzinfo == UTC
    monkeypatch.setenv("VELO_NOW", "2026-03-02T09:00:00-03:00")
    assert clock_of(read_settings(demo=True))().isoformat() == "2026-03-02T09:00:00-03:00"


def test_keys_come_from_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(keys_of(read_settings(), SECRET), SharedSecret)
    with pytest.raises(SettingsError):
        keys_of(read_settings(), None)
    monkeypatch.setenv("VELO_JWKS_URL", "https://id.velo.test/keys")
    assert isinstance(keys_of(read_settings(), SECRET), KeySet)
