"""How errors leave: ``application/problem+json`` with an error id, never a traceback and never a word of the request.

The id stands in the answer and in the log, and is all that a person has to pass on.
"""

import secrets
import traceback
from collections.abc import Awaitable, Callable, Mapping
from pathlib import PurePath
from typing import Any

import structlog
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assistant.errors import AssistantError
from db.errors import Contended, DatabaseError, TimedOut, Unavailable

log = structlog.get_logger()

_NO_STORE = {"Cache-Control": "no-store"}

#: What Starlette itself refuses.
_OF_STARLETTE: Mapping[int, tuple[str, str, str]] = {
    404: ("not_found", "There is no such page", "The paths are listed in /openapi.json."),
    405: ("method_not_allowed", "This page does not take this method", "The Allow header lists those it takes."),
    406: ("not_acceptable", "Answers are not streamed here", "Ask with Accept: application/json."),
    413: ("too_large", "The request is too large", "Send a shorter text."),
    415: ("unsupported_media_type", "The body is not sent as JSON", "Send it with Content-Type: application/json."),
}
_OF_THE_DATABASE = (Unavailable, TimedOut, Contended)


def new_error_id() -> str:
    """Eight characters that nobody can guess and everybody can read out."""
    return secrets.token_hex(4)


def problem(
    *,
    status: int,
    code: str,
    title: str,
    detail: str,
    error_id: str,
    headers: Mapping[str, str] | None = None,
    concerns: Mapping[str, int] | None = None,
) -> Response:
    """The answer to a request that failed; ``concerns`` are ids of ours that let the client go on."""
    body: dict[str, Any] = {
        "type": f"urn:velo:problem:{code}",
        "title": title,
        "status": status,
        "detail": detail,
        "code": code,
        "error_id": error_id,
        **(concerns or {}),
    }
    return JSONResponse(body, status, {**_NO_STORE, **(headers or {})}, media_type="application/problem+json")


async def of_the_assistant(request: Request, error: AssistantError) -> Response:
    """The answer for an ``AssistantError``."""
    error_id = error.error_id or new_error_id()
    headers = {}
    if error.retry_after is not None:
        headers["Retry-After"] = str(error.retry_after)
    if error.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    _record(error.status, error.code, error_id)
    return problem(
        status=error.status,
        code=error.code,
        title=error.title,
        detail=error.detail,
        error_id=error_id,
        headers=headers,
        concerns=error.concerns,
    )


async def of_starlette(request: Request, error: HTTPException) -> Response:
    """The answer for a path or method that does not exist."""
    code, title, detail = _OF_STARLETTE.get(error.status_code, ("refused", "The request is refused", "See /openapi.json."))
    error_id = new_error_id()
    _record(error.status_code, code, error_id)
    return problem(status=error.status_code, code=code, title=title, detail=detail, error_id=error_id, headers=error.headers)


async def of_the_database(request: Request, error: DatabaseError) -> Response:
    """The answer when the database is away, slow or busy."""
    error_id = new_error_id()
    _record(503, "unavailable", error_id, kind=type(error).__name__)
    return problem(
        status=503,
        code="unavailable",
        title="Not available now",
        detail="The database does not answer. Try again in a moment.",
        error_id=error_id,
        headers={"Retry-After": "2"},
    )


#: Which answer goes with which class of error.
HANDLERS: Mapping[Any, Callable[..., Awaitable[Response]]] = {
    AssistantError: of_the_assistant,
    HTTPException: of_starlette,
    **dict.fromkeys(_OF_THE_DATABASE, of_the_database),
}


class LastResort:
    """Answers 500 for what nothing else caught, and lets no exception reach the server, which would log its text."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def noted(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except Exception as error:
            error_id = new_error_id()
            log.error("request_failed", error_id=error_id, status=500, kind=type(error).__name__, place=place_of(error))
            if not started:
                await _internal(error_id)(scope, receive, send)


def place_of(error: BaseException) -> str:
    """File and line where an error was raised, which hold nothing of anybody's."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "unknown"


def _internal(error_id: str) -> Response:
    return problem(
        status=500,
        code="internal",
        title="Something went wrong",
        detail="This is a mistake of ours. Pass the error id on to whoever runs Velo.",
        error_id=error_id,
    )


def _record(status: int, code: str, error_id: str, kind: str | None = None) -> None:
    write = log.warning if status >= 500 else log.info
    write("request_refused", status=status, code=code, error_id=error_id, kind=kind)
