"""Questions and the messages of a thread."""

from starlette.requests import Request
from starlette.responses import Response

from assistant.http.bodies import AskBody, accepts_stream, hash_of, idempotency_key, query_id, read_body
from assistant.http.endpoint import answer
from assistant.http.port import Turns
from assistant.http.stream import stream
from assistant.question import Ask, Mention
from tools.permissions import Actor
from veil.text import Clear


async def ask(request: Request, actor: Actor, turns: Turns) -> Response:
    """Starts a turn and waits for its answer, or follows it as a stream. Whoever hangs up loses the wait, not the turn."""
    key = idempotency_key(request)
    body = await read_body(request, AskBody)
    turn_id = await turns.ask(
        actor,
        Ask(
            text=Clear(body.text),
            thread_id=body.thread_id,
            mentions=tuple(Mention(span.start, span.end, span.kind, span.id) for span in body.mentions),
            idempotency_key=key,
            body_hash=hash_of(body),
        ),
    )
    if accepts_stream(request):
        return stream(turns.events(actor, turn_id, 0))
    return answer(await turns.finished(actor, turn_id))


async def listed(request: Request, actor: Actor, turns: Turns) -> Response:
    """The messages of a thread."""
    return answer({"messages": await turns.messages(actor, query_id(request, "thread_id"))})
