"""One question and its turn, followed to the end over Server-Sent Events, whatever happens to the connection meanwhile.

A connection that breaks is made again behind the last event that came. A cancelled wait (Ctrl-C) stops the turn and goes on to its last event;
cancelled once more, it leaves. A server that does not stream answers with the whole, which is read as the last event.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import httpx2

DONE: Final = "turn.done"
FAILED: Final = "turn.failed"
STOPPED: Final = "turn.stopped"
_FINAL: Final = frozenset({DONE, FAILED, STOPPED})
_STREAM: Final = "text/event-stream"

#: Before a lost connection is made again, in seconds; then it is given up.
_PAUSES: Final = (0.2, 0.5, 1.0, 2.0, 4.0, 8.0)


@dataclass(frozen=True, slots=True)
class Told:
    """One event."""

    number: int
    kind: str
    body: Mapping[str, Any]


class Refused(Exception):
    """The server answered with a problem."""

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        super().__init__(f"status {status}")
        self.status = status
        self.problem = problem


class Lost(Exception):
    """The server can no longer be reached. ``begun``: the turn may go on without us."""

    def __init__(self, *, begun: bool) -> None:
        super().__init__("lost")
        self.begun = begun


class Following:
    """A question on its way. ``heard`` is awaited with every event; ``key`` makes sure that a question sent twice is asked once."""

    def __init__(
        self, client: httpx2.AsyncClient, token: Callable[[], str], body: Mapping[str, Any], *, key: str, heard: Callable[[Told], Awaitable[None]]
    ) -> None:
        self._client = client
        self._token = token
        self._body = body
        self._key = key
        self._heard = heard
        self._turn: int | None = None
        self._last = 0
        self._stopping = False

    async def ended(self) -> Told:
        """The last event; raises ``Refused``, or ``Lost`` when nobody answers any more."""
        pauses = iter(_PAUSES)
        while True:
            try:
                async for told in self._events():
                    pauses = iter(_PAUSES)
                    await self._heard(told)
                    self._last = told.number
                    if told.kind in _FINAL:
                        return told
            except asyncio.CancelledError:
                await self._stop()
                continue
            except httpx2.TransportError:
                if self._turn is None:
                    raise Lost(begun=False) from None
            pause = next(pauses, None)
            if pause is None:
                raise Lost(begun=True)
            await asyncio.sleep(pause)

    async def _stop(self) -> None:
        task = asyncio.current_task()
        if self._stopping or self._turn is None or task is None:
            raise asyncio.CancelledError
        task.uncancel()
        self._stopping = True
        with suppress(httpx2.TransportError):  # the last event then says how it went on
            await self._client.post(f"/api/assistant/turns/{self._turn}/stop", headers=self._headers())

    async def _events(self) -> AsyncIterator[Told]:
        if self._turn is None:
            headers = {"Accept": f"{_STREAM}, application/json;q=0.5", "Idempotency-Key": self._key}
            asked = self._client.stream("POST", "/api/assistant/messages", json=self._body, headers=self._headers() | headers)
        else:
            headers = {"Accept": _STREAM, "Last-Event-ID": str(self._last)}
            asked = self._client.stream("GET", f"/api/assistant/turns/{self._turn}/events", headers=self._headers() | headers)
        async with asked as response:
            if response.status_code >= 400:
                raise Refused(response.status_code, _object(await response.aread()))
            if not response.headers.get("Content-Type", "").startswith(_STREAM):
                yield Told(0, DONE, _object(await response.aread()))
                return
            async for fields in _fields(response.aiter_lines()):
                yield self._told(fields)

    def _told(self, fields: Mapping[str, str]) -> Told:
        number = fields.get("id", "")
        told = Told(int(number) if number.isdigit() else self._last, fields.get("event", ""), _object(fields.get("data", "").encode()))
        if isinstance(told.body.get("turn_id"), int):
            self._turn = told.body["turn_id"]
        return told

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._token()}"}


async def _fields(lines: AsyncIterator[str]) -> AsyncIterator[dict[str, str]]:
    """The fields of each event; an event that the connection cut is none."""
    fields: dict[str, str] = {}
    async for line in lines:
        if line:
            name, _, value = line.partition(":")
            if name:
                fields[name] = value.removeprefix(" ")
        elif fields:
            yield fields
            fields = {}


def _object(body: bytes) -> Mapping[str, Any]:
    """The JSON object in these bytes; an empty one when they are none."""
    try:
        found = json.loads(body)
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {}
