"""The client of OpenAI-compatible servers: the only module that imports ``openai``.

Rules of this file:

* The bytes on the wire are ``request.encode()`` and no others: the record and the guard speak about what really left.
* Nothing that a provider writes in an error goes into an exception, a log or a ``__context__``: it may quote the
  request. Errors are therefore raised outside of ``except`` blocks.
* A redirect is not followed: it would carry the conversation to a server that nobody configured.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from time import time
from typing import Self

import httpx2
import openai

from assistant.errors import ModelError, ModelRejected, ModelTimedOut, ModelUnavailable
from assistant.model.port import Hear, Reply, deaf
from assistant.model.reply import read_reply
from veil.payload import Request

#: How long one ``ask`` may take, all its tries together, in seconds.
ASK_SECONDS = 120.0

#: The wait before the second and before the third try, in seconds, where the server names none.
PAUSES = (0.5, 2.0)

#: A server that asks for more patience than this, in seconds, is not waited for.
LONGEST_PAUSE = 20.0

_RETRIED = frozenset({408, 409, 429})
_KEY_OF_SERVERS_WITHOUT_KEYS = "none"


@dataclass(frozen=True, slots=True)
class _Failure:
    """Why a try gave no reply, and whether the same request may be sent again."""

    error: ModelError
    again: bool
    pause: float | None = None


class OpenAIModel:
    """A model behind the Chat Completions interface."""

    def __init__(
        self,
        client: openai.AsyncOpenAI,
        *,
        limit: float = ASK_SECONDS,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._client = client
        self._limit = limit
        self._sleep = sleep

    @classmethod
    def at(
        cls, base_url: str | None, api_key: str | None, *, transport: httpx2.AsyncBaseTransport | None = None
    ) -> Self:
        """The model at an address, or at OpenAI's own; a ``transport`` replaces the network."""
        for name in ("openai", "httpx2", "httpcore2"):
            logging.getLogger(name).setLevel(logging.WARNING)
        client = openai.AsyncOpenAI(
            api_key=api_key or _KEY_OF_SERVERS_WITHOUT_KEYS,
            admin_api_key="",
            base_url=base_url or "https://api.openai.com/v1",
            max_retries=0,
            http_client=httpx2.AsyncClient(transport=transport, timeout=ASK_SECONDS, follow_redirects=False),
        )
        client.organization = client.project = None  # the library reads both from the environment
        return cls(client)

    async def close(self) -> None:
        """Give the connections back."""
        await self._client.close()

    async def ask(self, request: Request, hear: Hear = deaf) -> Reply:
        """The model's reply; tries again, within the time limit, where nothing came and trying may help."""
        try:
            async with asyncio.timeout(self._limit):
                reply = await self._ask(request.encode())
                await hear(reply.text)
                return reply
        except TimeoutError:
            pass
        raise ModelTimedOut

    async def _ask(self, body: bytes) -> Reply:
        pauses = iter(PAUSES)
        while True:
            outcome = await self._try(body)
            if isinstance(outcome, bytes):
                return read_reply(outcome)
            pause = next(pauses, None)
            if pause is None or not outcome.again:
                raise outcome.error
            if outcome.pause is not None:
                pause = outcome.pause
            if pause > LONGEST_PAUSE:
                raise outcome.error
            await self._sleep(pause)

    async def _try(self, body: bytes) -> bytes | _Failure:
        try:
            response = await self._client.post(
                "/chat/completions",
                cast_to=httpx2.Response,
                content=body,
                options={"headers": {"Content-Type": "application/json"}},
            )
        except openai.APIStatusError as error:
            return _refused(error.response)
        except openai.APITimeoutError as error:
            connecting = isinstance(error.__cause__, httpx2.ConnectTimeout | httpx2.PoolTimeout)
            return _Failure(ModelUnavailable() if connecting else ModelTimedOut(), again=connecting)
        except (openai.APIConnectionError, httpx2.HTTPError):
            return _Failure(ModelUnavailable(), again=True)
        return response.content


def _refused(response: httpx2.Response) -> _Failure:
    status = response.status_code
    pause = _retry_after(response.headers.get("Retry-After"))
    if status >= 500 or status in _RETRIED:
        return _Failure(ModelUnavailable(retry_after=pause), again=True, pause=pause)
    return _Failure(ModelRejected(status), again=False)


def _retry_after(header: str | None) -> float | None:
    """The seconds of a ``Retry-After`` header, which may hold a number or a date."""
    if header is None:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(header).timestamp() - time()
        except ValueError:
            return None
    return max(0.0, seconds) if seconds < float("inf") else None
