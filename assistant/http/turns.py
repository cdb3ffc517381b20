"""One turn: what the model saw of it, and stopping it."""

from starlette.requests import Request
from starlette.responses import Response

from assistant.errors import NotFound
from assistant.http.bodies import last_event_id, path_id
from assistant.http.endpoint import answer
from assistant.http.port import Turns
from assistant.http.stream import stream
from tools.permissions import Actor


async def veiled(request: Request, actor: Actor, turns: Turns) -> Response:
    """Exactly what was sent and received in a turn."""
    return answer(await turns.veiled(actor, _turn_id(request)))


async def followed(request: Request, actor: Actor, turns: Turns) -> Response:
    """The events of a turn behind ``Last-Event-ID``, as a stream that ends with the turn."""
    turn_id = _turn_id(request)
    after = last_event_id(request)
    await turns.belongs(actor, turn_id)
    return stream(turns.events(actor, turn_id, after))


async def stopped(request: Request, actor: Actor, turns: Turns) -> Response:
    """The state of a turn that was asked to stop."""
    return answer(await turns.stop(actor, _turn_id(request)))


def _turn_id(request: Request) -> int:
    number = path_id(request, "turn_id")
    if number is None:
        raise NotFound("You have no turn with this id.")
    return number
