"""A turn's events as Server-Sent Events (WHATWG HTML, 9.2): the one place that writes the wire.

Whoever stops reading leaves the turn as it is: it goes on, and can be followed again behind ``Last-Event-ID``.
"""

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final

import structlog
from starlette.responses import Response, StreamingResponse

from assistant.errors import AssistantError
from assistant.events import Event
from assistant.http.errors import new_error_id, place_of
from db.errors import DatabaseError

log = structlog.get_logger()

_HEADERS: Final[Mapping[str, str]] = {
    "Cache-Control": "no-store, no-transform",
    "X-Accel-Buffering": "no",  # nginx would collect the answer and give it at once
}


def stream(events: AsyncIterator[Event | None]) -> Response:
    """The events as they come, with comments while nothing happens."""
    return StreamingResponse(_lines(events), media_type="text/event-stream", headers=dict(_HEADERS))


async def _lines(events: AsyncIterator[Event | None]) -> AsyncIterator[bytes]:
    try:
        yield b": ok\n\n"
        async for event in events:
            yield b": ping\n\n" if event is None else line(event)
    except (AssistantError, DatabaseError) as error:
        # The stream has begun, so no status can tell it. Without a last event the client comes back, behind what it has.
        log.warning("stream_broke", error_id=new_error_id(), kind=type(error).__name__, place=place_of(error))


def line(event: Event) -> bytes:
    """One event on the wire. JSON escapes line ends, so that its data is always one line."""
    data: dict[str, Any] = {"seq": event.seq, **event.body}
    return f"id: {event.seq}\nevent: {event.kind}\ndata: {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n\n".encode()
