"""The description of the HTTP interface, served at ``/openapi.json``. Bodies come from the models that read them."""

from typing import Any

from pydantic import TypeAdapter

from assistant.http.bodies import LARGEST_ID, AskBody

_ID = {"type": "integer", "format": "int64", "minimum": 1, "maximum": LARGEST_ID}
_TEXT = {"type": "string"}
_NUMBER = {"type": "integer"}


def document(version: str) -> dict[str, Any]:
    """The OpenAPI document of this version."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Velo",
            "version": version,
            "description": "Ask about your customers; the model sees tokens.",
        },
        "security": [{"member": []}],
        "paths": _paths(),
        "components": {"securitySchemes": {"member": _MEMBER}, "schemas": _schemas()},
    }


_MEMBER = {
    "type": "http",
    "scheme": "bearer",
    "bearerFormat": "JWT",
    "description": "Claims: tenant, sub (member id), aud = velo, iss, exp at most one hour ahead.",
}

_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "The same key with the same body gives the first answer again; with another body 422.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255},
}
_TURN_ID = {"name": "turn_id", "in": "path", "required": True, "schema": _ID}
_THREAD_ID = {"name": "thread_id", "in": "query", "required": True, "schema": _ID}


def _paths() -> dict[str, Any]:
    return {
        "/api/assistant/messages": {
            "post": _operation(
                "Ask a question and wait for the answer",
                "Answer",
                400,
                404,
                409,
                413,
                415,
                422,
                502,
                503,
                parameters=[_KEY],
                body="AskBody",
            ),
            "get": _operation("The messages of a thread", "Messages", 400, 404, parameters=[_THREAD_ID]),
        },
        "/api/assistant/threads": {
            "get": _operation("Your threads, the latest first", "Threads"),
            "post": _operation("Open a thread", "Thread", 400, 422, parameters=[_KEY], status=201),
        },
        "/api/assistant/turns/{turn_id}/veiled": {
            "get": _operation("Exactly what the model was sent and what it answered", "Record", 404, parameters=[_TURN_ID])
        },
        "/api/assistant/turns/{turn_id}/stop": {"post": _operation("Stop a turn", "State", 404, parameters=[_TURN_ID])},
        "/livez": {"get": _open("Whether the process lives")},
        "/readyz": {"get": _open("Whether it can work", 503)},
        "/healthz": {"get": _open("Version and parts", 503)},
        "/openapi.json": {"get": _open("This document")},
    }


def _operation(
    summary: str,
    result: str,
    *failures: int,
    parameters: list[dict[str, Any]] | None = None,
    body: str | None = None,
    status: int = 200,
) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "summary": summary,
        "responses": {
            str(status): {"description": "Done", "content": {"application/json": {"schema": _reference(result)}}},
            **{str(failure): _problem() for failure in (401, *failures)},
        },
    }
    if parameters:
        operation["parameters"] = parameters
    if body:
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": _reference(body)}}}
    return operation


def _open(summary: str, *failures: int) -> dict[str, Any]:
    codes = (200, *failures)
    return {"summary": summary, "security": [], "responses": {str(code): {"description": summary} for code in codes}}


def _problem() -> dict[str, Any]:
    return {"description": "Refused", "content": {"application/problem+json": {"schema": _reference("Problem")}}}


def _reference(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def _schemas() -> dict[str, Any]:
    ask = TypeAdapter(AskBody).json_schema(ref_template="#/components/schemas/{model}")
    nested = ask.pop("$defs", {})
    return {**nested, "AskBody": ask, **_ANSWERS}


def _object(properties: dict[str, Any], *, required: tuple[str, ...] | None = None) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required or properties)}


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


_WHEN = {"type": "string", "format": "date-time"}
_NAME = {"type": ["string", "null"]}

_MESSAGE = _object(
    {
        "id": _ID,
        "turn_id": _ID,
        "role": {"type": "string", "enum": ["user", "assistant"]},
        "text": {**_TEXT, "description": "Clear, as far as you may see it now"},
        "marks": {**_list({"type": "object"}), "description": "Spans (code points) that stand for entities"},
        "withheld": {"type": "boolean", "description": "Travels as a constant from now on"},
        "created_at": _WHEN,
    }
)
_STEP = _object({"tool": _TEXT, "status": _TEXT, "ms": _NUMBER})
_CANDIDATE = _object({"kind": _TEXT, "id": _ID, "name": _NAME, "inbox": _NAME, "last_contact": _NAME})
_CHOICE = _object({"start": _NUMBER, "end": _NUMBER, "total": _NUMBER, "candidates": _list(_CANDIDATE)})
_THREAD = _object({"thread_id": _ID, "created_at": _WHEN, "updated_at": _WHEN})
_CALL = _object(
    {
        "ordinal": _NUMBER,
        "status": _TEXT,
        "sha256": _TEXT,
        "intact": {"type": "boolean", "description": "Whether the recorded bytes still have this hash"},
        "request": {"type": "object", "description": "The body as it was sent"},
        "response": {"type": ["object", "null"]},
        "sent_at": _WHEN,
        "received_at": {"type": ["string", "null"], "format": "date-time"},
    }
)

_ANSWERS: dict[str, Any] = {
    "Answer": _object(
        {
            "thread_id": _ID,
            "turn_id": _ID,
            "message": _MESSAGE,
            "steps": _list(_STEP),
            "unknown_tokens": {**_list(_TEXT), "description": "Tokens that the model made up"},
            "choices": {**_list(_CHOICE), "description": "Names of several; send one back in `mentions`"},
            "late_masks": {**_NUMBER, "description": "Masks added to text that had already left"},
            "finish": _NAME,
        }
    ),
    "Messages": _object({"messages": _list(_MESSAGE)}),
    "Threads": _object({"threads": _list(_THREAD)}),
    "Thread": _THREAD,
    "Record": _object({"turn_id": _ID, "model": _NAME, "late_masks": _NUMBER, "calls": _list(_CALL)}),
    "State": _object({"turn_id": _ID, "state": _TEXT}),
    "Problem": _object(
        {
            "type": _TEXT,
            "title": _TEXT,
            "status": _NUMBER,
            "detail": _TEXT,
            "code": _TEXT,
            "error_id": {"type": "string", "minLength": 8, "maxLength": 8},
        }
    ),
}
