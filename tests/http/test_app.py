"""The application: its routes, its errors, and what stands around them."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest
from structlog.testing import capture_logs

from assistant.errors import ThreadBusy, TurnFailed
from assistant.http.app import ENDPOINTS
from db.errors import Unavailable
from db.pool import Database
from tests.http.conftest import EchoTurns, over, problem_of, token

MESSAGES = "/api/assistant/messages"


async def test_every_route_answers(client: httpx2.AsyncClient) -> None:
    asked = await client.post(MESSAGES, json={"text": "hola"})
    assert asked.json()["turn_id"] == 1
    assert (await client.get(f"{MESSAGES}?thread_id=1")).json() == {"messages": [{"id": 1, "thread_id": 1}]}
    assert (await client.get("/api/assistant/member")).json() == {"member_id": 1, "language": "es"}
    assert (await client.get("/api/assistant/threads")).json() == {"threads": [{"id": 1, "member_id": 1}]}
    assert (await client.get("/api/assistant/turns/1/veiled")).json() == {"turn_id": 1, "calls": []}
    assert (await client.post("/api/assistant/turns/1/stop")).json() == {"turn_id": 1, "state": "done"}


@pytest.mark.parametrize("content", [b"", b"{}"])
async def test_a_thread_is_opened_with_nothing(client: httpx2.AsyncClient, content: bytes) -> None:
    response = await client.post("/api/assistant/threads", content=content, headers={"Idempotency-Key": "k"})
    assert (response.status_code, response.json()) == (201, {"id": 2, "key": "k"})


@pytest.mark.parametrize("number", ["2", "0", str(2**63), "9" * 40])
async def test_a_turn_that_is_not_there_is_not_found(client: httpx2.AsyncClient, number: str) -> None:
    for method, end in (("GET", "veiled"), ("POST", "stop")):
        response = await client.request(method, f"/api/assistant/turns/{number}/{end}")
        assert response.status_code == 404
        problem_of(response)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 404),
        ("GET", "/metrics", 404),
        ("GET", "/api/assistant/turns/Mariana/veiled", 404),
        ("GET", "/api/assistant/threads/", 404),
        ("DELETE", "/api/assistant/threads", 405),
        ("POST", "/livez", 405),
        ("GET", "/api/assistant/turns/1/stop", 405),
    ],
)
async def test_what_is_not_there_is_a_problem_too(
    client: httpx2.AsyncClient, method: str, path: str, status: int
) -> None:
    response = await client.request(method, path)
    assert response.status_code == status
    problem_of(response)
    assert "Mariana" not in response.text
    assert ("Allow" in response.headers) == (status == 405)


async def test_everything_of_a_member_needs_a_token(stranger: httpx2.AsyncClient) -> None:
    for endpoint in ENDPOINTS:
        response = await stranger.request(endpoint.method, endpoint.path.replace("{turn_id:int}", "1"))
        assert response.status_code == 401


async def test_a_failure_keeps_its_id_and_says_when_to_come_back(client: httpx2.AsyncClient, turns: EchoTurns) -> None:
    turns.fails_with = TurnFailed("The model is not there.", error_id="0a1b2c3d", retry_after=7)
    response = await client.post(MESSAGES, json={"text": "hola"})
    assert response.status_code == 502
    assert response.headers["Retry-After"] == "7"
    assert problem_of(response)["error_id"] == "0a1b2c3d"


async def test_a_busy_thread_is_a_conflict(client: httpx2.AsyncClient, turns: EchoTurns) -> None:
    turns.fails_with = ThreadBusy("Wait.", retry_after=2)
    response = await client.post(MESSAGES, json={"text": "hola"})
    assert response.status_code == 409
    assert response.headers["Retry-After"] == "2"
    assert problem_of(response)["code"] == "thread_busy"


async def test_a_mistake_of_ours_shows_an_id_and_nothing_else(client: httpx2.AsyncClient, turns: EchoTurns) -> None:
    turns.fails_with = ValueError("María said so")
    with capture_logs() as logs:
        response = await client.post(MESSAGES, json={"text": "hola"})
    assert response.status_code == 500
    problem = problem_of(response)
    assert "María" not in response.text
    (line,) = [line for line in logs if line["event"] == "request_failed"]
    assert line["error_id"] == problem["error_id"]
    assert line["kind"] == "ValueError"
    assert "María" not in str(logs)


async def test_a_database_that_is_away_is_not_available_now(client: httpx2.AsyncClient, turns: EchoTurns) -> None:
    turns.fails_with = Unavailable("the server is away")
    response = await client.post(MESSAGES, json={"text": "hola"})
    assert response.status_code == 503
    assert "Retry-After" in response.headers
    problem_of(response)


async def test_every_response_has_an_id_of_our_own(client: httpx2.AsyncClient) -> None:
    responses = [await client.get("/livez", headers={"X-Request-ID": "Mariana"}) for _ in range(2)]
    ids = [response.headers["X-Request-ID"] for response in responses]
    assert len(set(ids)) == 2
    assert "Mariana" not in ids


@pytest.mark.parametrize(("ready", "status"), [(True, 200), (False, 503)])
async def test_health_tells_whether_it_can_work(people: Database, turns: EchoTurns, ready: bool, status: int) -> None:
    transport = httpx2.ASGITransport(over(turns, people, ready=ready))
    async with httpx2.AsyncClient(transport=transport, base_url="http://velo.test") as client:
        assert (await client.get("/livez")).status_code == 200
        assert (await client.get("/readyz")).status_code == status
        health = await client.get("/healthz")
    assert health.status_code == status
    assert health.json()["version"] == "1.2.3"
    assert health.json()["model"] == "offline"


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8000", 200),
        ("localhost", 200),
        ("[::1]:8000", 200),
        ("velo.test", 421),
        ("127.0.0.1.velo.test", 421),
        ("localhost@velo.test", 421),
        ("[", 421),
        ("", 421),
    ],
)
async def test_the_demo_answers_to_names_of_this_machine_only(
    people: Database, turns: EchoTurns, host: str, status: int
) -> None:
    transport = httpx2.ASGITransport(over(turns, people, loopback_only=True))
    async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        response = await client.get("/livez", headers={"Host": host})
    assert response.status_code == status
    if status == 421:
        problem_of(response)


async def test_log_lines_hold_the_route_and_no_word_of_the_question(client: httpx2.AsyncClient) -> None:
    with capture_logs() as logs:
        await client.post(MESSAGES, json={"text": "¿qué pasó con Mariana?"})
    (line,) = [line for line in logs if line["event"] == "request_served"]
    assert (line["method"], line["route"], line["status"]) == ("POST", MESSAGES, 200)
    assert "Mariana" not in str(logs)
    assert token() not in str(logs)


async def test_the_document_describes_every_route_and_each_reference_leads_somewhere(
    stranger: httpx2.AsyncClient,
) -> None:
    document: dict[str, Any] = (await stranger.get("/openapi.json")).json()
    described = {(method.upper(), path) for path, item in document["paths"].items() for method in item}
    served = {(endpoint.method, endpoint.path.replace(":int", "")) for endpoint in ENDPOINTS}
    assert served == {(method, path) for method, path in described if path.startswith("/api/")}
    assert {path for _, path in described} > {"/livez", "/readyz", "/healthz", "/openapi.json"}
    schemas = document["components"]["schemas"]
    references = _references(document)
    assert references
    assert all(reference.removeprefix("#/components/schemas/") in schemas for reference in references)
    assert schemas["AskBody"]["additionalProperties"] is False
    assert {"start", "end", "token", "fuzzy"} <= set(schemas["Mark"]["required"])


async def test_every_route_has_a_name_a_tag_and_a_word_for_each_answer(stranger: httpx2.AsyncClient) -> None:
    document: dict[str, Any] = (await stranger.get("/openapi.json")).json()
    operations = [operation for item in document["paths"].values() for operation in item.values()]
    names = [operation["operationId"] for operation in operations]
    assert len(set(names)) == len(names)
    assert {tag for operation in operations for tag in operation["tags"]} == {tag["name"] for tag in document["tags"]}
    assert all({"401", "500"} <= operation["responses"].keys() for operation in operations if "security" not in operation)
    asked = document["paths"]["/api/assistant/messages"]["post"]["responses"]
    assert len({response["description"] for response in asked.values()}) == len(asked)
    assert {status for status, response in asked.items() if "Retry-After" in response.get("headers", {})} == {"409", "502", "503"}


def _references(value: Any) -> set[str]:
    if isinstance(value, dict):
        own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
        return own.union(*map(_references, value.values()))
    if isinstance(value, list):
        return set().union(*map(_references, value))
    return set()
