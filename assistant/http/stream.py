"""A turn's events as Server-Sent Events (WHATWG HTML, 9.2): the one place that writes the wire.

Whoever stops reading leaves the turn as it is: it goes on, and can be followed again behind ``Last-Event-ID``.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from typing import Any, Final

import structlog
from starlette.responses import Response, StreamingResponse

from assistant.errors import AssistantError
from assistant.events import Event
from assistant.http.errors import new_error_id, place_of
from db.errors import DatabaseError

log = structlog.get_logger()

#: Seconds without an event after which a comment says that the connection lives: proxies close idle ones after 30 to 60.
PING: Final = 15.0

_HEADERS: Final[Mapping[str, str]] = {
    "Cache-Control": "no-store, no-transform",
    "X-Accel-Buffering": "no",  # nginx would collect the answer and give it at once
}


def stream(events: AsyncIterator[Event], *, headers: Mapping[str, str] | None = None) -> Response:
    """The events as they come, with comments between those that are far apart."""
    return StreamingResponse(_lines(events), media_type="text/event-stream", headers={**_HEADERS, **(headers or {})})


async def _lines(events: AsyncIterator[Event]) -> AsyncIterator[bytes]:
    iterator = aiter(events)
    coming: asyncio.Task[Event] | None = None
    try:
        yield b": ok\n\n"
        while True:
            coming = coming or asyncio.create_task(_next(iterator))
            done, _ = await asyncio.wait([coming], timeout=PING)
            if not done:
                yield b": ping\n\n"
                continue
            yield line(coming.result())
            coming = None
    except StopAsyncIteration:
        return
    except (AssistantError, DatabaseError) as error:
        # The stream has begun, so no status can tell it. Without a last event the client comes back, behind what it has.
        log.warning("stream_broke", error_id=new_error_id(), kind=type(error).__name__, place=place_of(error))
    finally:
        if coming is not None:
            coming.cancel()
            with suppress(asyncio.CancelledError, StopAsyncIteration, AssistantError, DatabaseError):
                await coming


async def _next(iterator: AsyncIterator[Event]) -> Event:
    return await anext(iterator)


def line(event: Event) -> bytes:
    """One event on the wire. JSON escapes line ends, so that its data is always one line."""
    data: dict[str, Any] = {"seq": event.seq, **event.body}
    return f"id: {event.seq}\nevent: {event.kind}\ndata: {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n\n".encode()
