"""A member's threads."""

from starlette.requests import Request
from starlette.responses import Response

from assistant.http.bodies import ThreadBody, hash_of, idempotency_key, read_body
from assistant.http.endpoint import answer
from assistant.http.port import Turns
from tools.permissions import Actor


async def listed(request: Request, actor: Actor, turns: Turns) -> Response:
    """The member's threads, the latest first."""
    return answer({"threads": await turns.threads(actor)})


async def opened(request: Request, actor: Actor, turns: Turns) -> Response:
    """A new thread."""
    key = idempotency_key(request)
    body = await read_body(request, ThreadBody, optional=True)
    return answer(await turns.open_thread(actor, key, hash_of(body)), status=201)
