"""The member who asks."""

from starlette.requests import Request
from starlette.responses import Response

from assistant.http.endpoint import answer
from assistant.http.port import Turns
from tools.permissions import Actor


async def shown(request: Request, actor: Actor, turns: Turns) -> Response:
    """Who is signed in, and the language and time zone in which they are answered."""
    return answer(await turns.member(actor))
