"""The description of the HTTP interface, served at ``/openapi.json``. Bodies come from the models that read them."""

from typing import Any

from pydantic import TypeAdapter

from assistant.http.bodies import LARGEST_ID, AskBody
from veil.text import Source
from veil.tokens import HANDLE_FIELDS, Kind

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
        "servers": [{"url": "/"}],
        "security": [{"member": []}],
        "tags": [
            {"name": "assistant", "description": "What members ask; every route needs their token"},
            {"name": "operation", "description": "Open to all, and without anything of a tenant"},
        ],
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
_TURN_ID = {"name": "turn_id", "in": "path", "required": True, "description": "As in the answer to a question", "schema": _ID}
_THREAD_ID = {"name": "thread_id", "in": "query", "required": True, "description": "As in the answer to a question", "schema": _ID}

_LAST = {
    "name": "Last-Event-ID",
    "in": "header",
    "description": "Only the events behind this one",
    "schema": {"type": "integer", "minimum": 0},
}
_EVENTS = (
    "events: `turn.started`, `step.started`, `step.completed`, `text.delta`, and last `turn.done` (data: as the answer without streaming), "
    "`turn.failed` or `turn.stopped` (data: `message` is what came of the answer). The answer's text is that of all `text.delta` with the "
    "highest `call`; text before a step was said to itself."
)

#: What each refusal means. Those of 401 and 500 belong to every member's route.
_REFUSALS = {
    400: "The request cannot be understood: no JSON, or a header or a parameter that does not fit",
    401: "No token, or one that proves nothing here",
    404: "You have no such thread or turn",
    409: "The thread is answering another question; nothing was stored",
    413: "The body is too large",
    415: "The body is not sent as JSON",
    422: "The request is understood and cannot be done as it stands; `detail` names the field",
    500: "A mistake of ours, found in the log by its `error_id`",
    502: "The turn ended without an answer; the next question works",
    503: "The database, or something else that is needed, is not there now",
}
#: Those that may say in how many seconds to come back.
_RETRIED = (409, 502, 503)


def _paths() -> dict[str, Any]:
    asking = (400, 404, 409, 413, 415, 422, 502, 503)
    opening = (400, 413, 415, 422, 503)
    return {
        "/api/assistant/messages": {
            "post": _streamed(
                _operation("ask", "Ask a question and wait for the answer, or follow it", "Answer", asking, parameters=[_KEY], body="AskBody")
            ),
            "get": _operation("listMessages", "The messages of a thread", "Messages", (400, 404, 503), parameters=[_THREAD_ID]),
        },
        "/api/assistant/threads": {
            "get": _operation("listThreads", "Your threads, the latest first", "Threads", (503,)),
            "post": _operation("openThread", "Open a thread", "Thread", opening, parameters=[_KEY], status=201),
        },
        "/api/assistant/member": {
            "get": _operation("showMember", "Who is signed in, and the language and time zone in which they are answered", "Member", (503,))
        },
        "/api/assistant/turns/{turn_id}/events": {
            "get": _streamed(
                _operation("followTurn", "The events of a turn, as they come", "Answer", (400, 404, 503), parameters=[_TURN_ID, _LAST]), only=True
            )
        },
        "/api/assistant/turns/{turn_id}/veiled": {
            "get": _operation(
                "showVeiled", "Exactly what the model was sent and what it answered", "Record", (404, 503), parameters=[_TURN_ID]
            )
        },
        "/api/assistant/turns/{turn_id}/stop": {
            "post": _operation("stopTurn", "Stop a turn; gives the state it is in now", "State", (404, 503), parameters=[_TURN_ID])
        },
        "/livez": {"get": _open("isAlive", "Whether the process lives")},
        "/readyz": {"get": _open("isReady", "Whether it can work", 503)},
        "/healthz": {"get": _open("showHealth", "Version and parts", 503)},
        "/openapi.json": {"get": _open("showDescription", "This document")},
    }


def _operation(
    name: str,
    summary: str,
    result: str,
    failures: tuple[int, ...],
    *,
    parameters: list[dict[str, Any]] | None = None,
    body: str | None = None,
    status: int = 200,
) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": name,
        "tags": ["assistant"],
        "summary": summary,
        "responses": {
            str(status): {"description": _ANSWERS[result]["description"], "content": {"application/json": {"schema": _reference(result)}}},
            **{str(failure): _problem(failure) for failure in sorted((401, 500, *failures))},
        },
    }
    if parameters:
        operation["parameters"] = parameters
    if body:
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": _reference(body)}}}
    return operation


def _streamed(operation: dict[str, Any], *, only: bool = False) -> dict[str, Any]:
    """An operation that also, or ``only``, answers with a stream of events."""
    answered = operation["responses"]["200"]
    answered["description"] = f"{'' if only else answered['description'] + ', or, with Accept: text/event-stream, its '}{_EVENTS}"
    content = {"text/event-stream": {"schema": {"type": "string"}}}
    answered["content"] = content if only else {**answered["content"], **content}
    return operation


def _open(name: str, summary: str, *failures: int) -> dict[str, Any]:
    said = {200: "It is so" if failures else "Here it is", 503: "Not now: the database does not answer"}
    responses = {str(code): {"description": said[code]} for code in (200, *failures)}
    return {"operationId": name, "tags": ["operation"], "summary": summary, "security": [], "responses": responses}


def _problem(status: int) -> dict[str, Any]:
    refusal: dict[str, Any] = {
        "description": _REFUSALS[status],
        "content": {"application/problem+json": {"schema": _reference("Problem")}},
    }
    if status in _RETRIED:
        refusal["headers"] = {"Retry-After": {"description": "Seconds to wait, where waiting helps", "schema": {"type": "integer"}}}
    if status == 401:
        refusal["headers"] = {"WWW-Authenticate": {"description": "How to sign in", "schema": {"const": "Bearer"}}}
    return refusal


def _reference(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def _schemas() -> dict[str, Any]:
    ask = TypeAdapter(AskBody).json_schema(ref_template="#/components/schemas/{model}")
    nested = ask.pop("$defs", {})
    return {**nested, "AskBody": ask, **_ANSWERS}


def _object(properties: dict[str, Any], description: str, *, optional: tuple[str, ...] = ()) -> dict[str, Any]:
    required = [name for name in properties if name not in optional]
    return {"type": "object", "description": description, "properties": properties, "required": required}


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


_WHEN = {"type": "string", "format": "date-time"}
_NAME = {"type": ["string", "null"]}
_FLAG = {"type": "boolean"}
_KIND = {"type": "string", "enum": [kind.value for kind in Kind]}

_DROPPED = "The thread's oldest questions, which no longer travel: it has grown too long"
_FINISH = "`stop`; anything else says why the text has no end: `length`, `content_filter`, `cut`"

_MARK = _object(
    {
        "start": {**_NUMBER, "description": "First code point of the span in `text`"},
        "end": {**_NUMBER, "description": "The code point after its last one"},
        "token": {**_TEXT, "description": "What the model reads there: a token, a group as C-4|C-5, a handle as C-7.phone, a placeholder"},
        "source": {"type": "string", "enum": [source.value for source in Source], "description": "Why it does not travel as it is"},
        "late": {**_FLAG, "description": "Masked only after the text had left once"},
        "fuzzy": {**_FLAG, "description": "A misspelt name was understood"},
        "understood": {**_list(_TEXT), "description": "Whose name that is, beside `fuzzy`"},
        "kind": _KIND,
        "state": {"type": "string", "enum": ["visible", "hidden", "erased"], "description": "Whether you may see whom it stands for"},
        "ids": {**_list(_ID), "description": "Whom it stands for, as far as you may see them"},
        "field": {"type": "string", "enum": list(HANDLE_FIELDS), "description": "The personal value that a handle stands for"},
    },
    "A span that travels as something else",
    optional=("understood", "kind", "state", "ids", "field"),
)
_MESSAGE = _object(
    {
        "id": _ID,
        "turn_id": _ID,
        "role": {"type": "string", "enum": ["user", "assistant"]},
        "text": {**_TEXT, "description": "Clear, as far as you may see it now"},
        "marks": _list(_reference("Mark")),
        "withheld": {**_FLAG, "description": "Travels as a constant from now on"},
        "state": {**_NAME, "description": "What became of its turn; an answer is whole only with `done`"},
        "finish": {**_NAME, "description": f"Of answers: {_FINISH}"},
        "unknown_tokens": {**_list(_TEXT), "description": "Of answers: tokens that the model made up"},
        "late_masks": {**_NUMBER, "description": "Of answers: masks that their turn added to text that had already left"},
        "dropped_questions": {**_NUMBER, "description": f"Of answers. {_DROPPED}"},
        "error_id": {**_NAME, "description": "Of turns that failed"},
        "created_at": _WHEN,
    },
    "A question or an answer",
)
_STEP = _object({"tool": _TEXT, "status": _TEXT, "ms": _NUMBER}, "A tool that was called")
_CANDIDATE = _object(
    {
        "kind": _KIND,
        "id": _ID,
        "name": _NAME,
        "inbox": _NAME,
        "last_contact": {**_NAME, "format": "date-time", "description": "In the tenant's time zone"},
    },
    "One of those whom a name may mean",
)
_CHOICE = _object(
    {
        "start": {**_NUMBER, "description": "First code point of the name in the question"},
        "end": _NUMBER,
        "total": {**_NUMBER, "description": "How many bear it, those included who are not listed"},
        "candidates": _list(_CANDIDATE),
    },
    "A name that several bear",
)
_CALL = _object(
    {
        "ordinal": _NUMBER,
        "status": _TEXT,
        "sha256": _TEXT,
        "intact": {**_FLAG, "description": "Whether the recorded bytes still have this hash"},
        "request": {"type": "object", "description": "The body as it was sent"},
        "response": {"type": ["object", "null"]},
        "sent_at": _WHEN,
        "received_at": {"type": ["string", "null"], "format": "date-time"},
    },
    "A call of the model",
)

_ANSWERS: dict[str, Any] = {
    "Answer": _object(
        {
            "thread_id": _ID,
            "turn_id": _ID,
            "message": _reference("Message"),
            "steps": _list(_STEP),
            "unknown_tokens": {**_list(_TEXT), "description": "Tokens that the model made up"},
            "choices": {**_list(_CHOICE), "description": "Send one candidate back in `mentions`, with the same question"},
            "late_masks": {**_NUMBER, "description": "Masks added to text that had already left"},
            "finish": {**_NAME, "description": _FINISH},
            "dropped_questions": {**_NUMBER, "description": _DROPPED},
        },
        "The answer to a question",
    ),
    "Message": _MESSAGE,
    "Mark": _MARK,
    "Messages": _object({"messages": _list(_reference("Message"))}, "The questions and answers of a thread, the oldest first"),
    "Threads": _object({"threads": _list(_reference("Thread"))}, "Threads; they have no titles, which would hold names"),
    "Thread": _object({"thread_id": _ID, "created_at": _WHEN, "updated_at": _WHEN}, "A thread"),
    "Member": _object(
        {"tenant_id": _ID, "member_id": _ID, "role": _TEXT, "language": _TEXT, "zone": {**_TEXT, "description": "Of the IANA data base"}},
        "The member who is signed in",
    ),
    "Record": _object(
        {"turn_id": _ID, "model": _NAME, "late_masks": _NUMBER, "calls": _list(_CALL)}, "What a turn sent to the model, and its replies"
    ),
    "State": _object({"turn_id": _ID, "state": _TEXT}, "The state of a turn"),
    "Problem": _object(
        {
            "type": _TEXT,
            "title": _TEXT,
            "status": _NUMBER,
            "detail": _TEXT,
            "code": _TEXT,
            "error_id": {"type": "string", "minLength": 8, "maxLength": 8, "description": "What to pass on; it stands in the log too"},
            "thread_id": _ID,
            "turn_id": _ID,
        },
        "Why a request was refused",
        optional=("thread_id", "turn_id"),
    ),
}
