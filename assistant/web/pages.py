"""The pages: the chat, and signing in and out. No address and no title of theirs holds anything of anybody."""

import json
import math
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import parse_qs

import jinja2
import structlog
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from assistant.errors import BadRequest, Unauthorized, Unavailable
from assistant.http import session
from assistant.http.auth import Authenticator, Proven, sign
from assistant.http.errors import new_error_id
from assistant.http.port import Turns
from assistant.web.members import name_of, teams
from assistant.web.policy import HEADERS
from assistant.web.static import Static
from assistant.web.words import preferred, words
from db import errors
from db.pool import Database

log = structlog.get_logger()

SIGN_IN = "/sign-in"
_FORM_BYTES = 16 * 1024
_NO_STORE = {"Cache-Control": "no-store"}

#: What may be there again in a moment.
_AWAY = (errors.Unavailable, errors.TimedOut, errors.Contended, Unavailable)


@dataclass(frozen=True, slots=True)
class Parts:
    """What the pages are made from. ``demo_secret`` signs members in who only say who they are: demo mode alone has one."""

    authenticator: Authenticator
    turns: Turns
    database: Database
    demo_secret: str | None
    offline: bool
    static: Static
    templates: jinja2.Environment


@dataclass(frozen=True, slots=True)
class Page:
    """A method and a path that anybody reaches."""

    method: Literal["GET", "POST"]
    path: str
    handle: Callable[[Request, Parts], Awaitable[Response]]

    def route(self, parts: Parts) -> Route:
        """The route, for Starlette."""

        async def page(request: Request) -> Response:
            try:
                response = await self.handle(request, parts)
            except _AWAY as error:
                response = _away(request, parts, error)
            response.headers.update({**HEADERS, **_NO_STORE})
            log.info("page_served", method=self.method, route=self.path, status=response.status_code)
            return response

        return Route(self.path, page, methods=[self.method])


def routes(
    *, authenticator: Authenticator, turns: Turns, database: Database, demo_secret: str | None, offline: bool
) -> list[Route]:
    """All pages and their files, for ``assistant.http.app.application``.

    ``demo_secret`` is the secret that tokens are signed with, in demo mode only: whoever opens the page chooses who
    they are. ``offline`` says that no language model answers.
    """
    templates = jinja2.Environment(
        loader=jinja2.PackageLoader("assistant.web"), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    static = Static()
    templates.globals["static"] = static.url
    parts = Parts(authenticator, turns, database, demo_secret, offline, static, templates)
    return [*(page.route(parts) for page in PAGES), static.route()]


async def _chat(request: Request, parts: Parts) -> Response:
    proven = await _signed_in(request, parts)
    if proven is None:
        return _again(request) or RedirectResponse(SIGN_IN, 303)
    member = await parts.turns.member(proven.actor)
    page = {**member, "offline": parts.offline, "words": words(member["language"])}
    name = await name_of(parts.database, proven.actor)
    return _drawn(parts, "chat.html", member["language"], page=json.dumps(page, ensure_ascii=False), name=name, role=member["role"])


async def _sign_in(request: Request, parts: Parts) -> Response:
    return await _sign_in_page(request, parts)


async def _sign_in_page(request: Request, parts: Parts, *, refused: bool = False) -> Response:
    language = preferred(request.headers.get("Accept-Language", ""))
    found = await teams(parts.database) if parts.demo_secret is not None else []
    drawn = _drawn(parts, "sign_in.html", language, teams=found, demo=parts.demo_secret is not None, refused=refused)
    drawn.status_code = 401 if refused else 200
    return drawn


async def _signing_in(request: Request, parts: Parts) -> Response:
    form = await _form(request)
    token = _token_for(form.get("member", ""), parts.demo_secret) or form.get("token", "").strip()
    try:
        proven = await parts.authenticator.proven(f"Bearer {token}")
    except Unauthorized:
        return await _sign_in_page(request, parts, refused=True)
    response = RedirectResponse("/", 303)
    session.begin(request, response, token, seconds=max(1, math.floor(proven.expires - time.time())))
    return response


async def _signing_out(request: Request, parts: Parts) -> Response:
    await _form(request)
    response = RedirectResponse(SIGN_IN, 303)
    session.end(request, response)
    return response


PAGES = (
    Page("GET", "/", _chat),
    Page("GET", SIGN_IN, _sign_in),
    Page("POST", SIGN_IN, _signing_in),
    Page("POST", "/sign-out", _signing_out),
)


async def _signed_in(request: Request, parts: Parts) -> Proven | None:
    token = session.token_of(request)
    try:
        return await parts.authenticator.proven(f"Bearer {token}") if token else None
    except Unauthorized:
        return None


def _away(request: Request, parts: Parts, error: Exception) -> Response:
    """The page that says that nothing can be shown now, with an error id that stands in the log too."""
    error_id = new_error_id()
    log.warning("page_refused", status=503, error_id=error_id, kind=type(error).__name__)
    drawn = _drawn(parts, "away.html", preferred(request.headers.get("Accept-Language", "")), error_id=error_id)
    drawn.status_code = 503
    drawn.headers["Retry-After"] = "2"
    return drawn


def _again(request: Request) -> Response | None:
    """Who follows a link from elsewhere brings no session, though they may have one: the page asks for itself once more."""
    if request.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site"):
        return HTMLResponse("<!doctype html><title>Velo</title>", headers={"Refresh": "0"})
    return None


def _token_for(member: str, demo_secret: str | None) -> str | None:
    """The token of the member whom someone chose to be, as ``tenant:member``."""
    tenant, _, number = member.partition(":")
    if demo_secret is None or not all(part.isascii() and part.isdigit() and len(part) < 19 for part in (tenant, number)):
        return None
    return sign(demo_secret, tenant_id=int(tenant), member_id=int(number), now=time.time())


async def _form(request: Request) -> dict[str, str]:
    """The fields of a form of our own pages; one that another page sent is refused."""
    if not session.is_ours(request):
        raise BadRequest("This form was not sent by a page of Velo. Open Velo over HTTPS, or on this machine, and send it again.")
    raw = bytearray()
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > _FORM_BYTES:
            raise HTTPException(413)
    fields = parse_qs(raw.decode("utf-8", "replace"))
    return {name: values[0] for name, values in fields.items()}


def _drawn(parts: Parts, template: str, language: str, **values: Any) -> HTMLResponse:
    return HTMLResponse(parts.templates.get_template(template).render(say=words(language), language=language, **values))
