"""The client of OpenAI-compatible servers: the only module that imports ``openai``.

Rules of this file:

* The bytes on the wire are ``request.encode()`` and no others: the record and the guard speak about what really left.
* Nothing that a provider writes in an error goes into an exception, a log or a ``__context__``: it may quote the
  request. Errors are therefore raised outside of ``except`` blocks.
* A redirect is not followed: it would carry the conversation to a server that nobody configured.
* Whatever ends an ``ask``, its response is closed before: a server that nobody listens to stops writing, and stops being paid.
"""

import asyncio
import logging
import random
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from time import time
from typing import Self

import httpx2
import openai

from assistant.errors import ModelError, ModelMalformed, ModelTimedOut, ModelUnavailable
from assistant.model.port import Hear, Reply, deaf
from assistant.model.reply import read_reply, refusal
from assistant.model.stream import Answer, events
from veil.payload import Request

#: How long one ``ask`` may take, all its tries together and without what ``hear`` takes, in seconds.
ASK_SECONDS = 120.0

#: How long a server may take to accept a connection, in seconds: one that is there does so in one.
CONNECT_SECONDS = 10.0

#: How long a stream that has begun may be silent, in seconds. Models that think first send comments or empty chunks meanwhile, and before
#: the first byte there is no such limit; what is silent for a minute in the middle of an answer has died without saying so.
IDLE_SECONDS = 60.0

#: How long to wait for what may follow a finish reason (the usage, ``[DONE]``), in seconds: some servers forget to close.
AFTER_FINISH_SECONDS = 5.0

#: How long to wait for the end of the body after ``[DONE]``, in seconds: then the connection can be used again.
DRAIN_SECONDS = 0.1

#: The wait before the second and before the third try, in seconds, where the server names none.
PAUSES = (0.5, 2.0)

#: By how much a wait is longer at most, as a share of it, so that many who were turned away do not come back together.
JITTER = 0.25

#: A server that asks for more patience than this, in seconds, is not waited for.
LONGEST_PAUSE = 20.0

#: More than this of one response, in bytes, is not read: a hundred times the longest text in chunks of one letter.
LONGEST_BODY = 2**26

_KEY_OF_SERVERS_WITHOUT_KEYS = "none"
_HEADERS = {"Content-Type": "application/json", "Accept": "text/event-stream, application/json"}
_BLANK = b"\xef\xbb\xbf \t\r\n"  # what may come before the brace of a body in JSON


@dataclass(frozen=True, slots=True)
class _Failure:
    """Why a try gave no reply, and whether the same request may be sent again."""

    error: ModelError
    again: bool
    pause: float | None = None


@dataclass(slots=True)
class _Asked:
    """One ``ask``: what is sent, who hears, and what the latest try has brought."""

    body: bytes
    hear: Hear
    clock: asyncio.Timeout
    answer: Answer = field(default_factory=Answer)

    async def say(self, piece: str) -> None:
        """Let a piece be heard; the clock stands still meanwhile."""
        if not piece:
            return
        loop = asyncio.get_running_loop()
        end, began = self.clock.when(), loop.time()
        self.clock.reschedule(None)
        try:
            await self.hear(piece)
        finally:
            self.clock.reschedule(None if end is None else end + loop.time() - began)

    async def ended(self, failure: ModelError | None) -> Reply | _Failure:
        """What a stream came to that has ended, well or not."""
        answer = self.answer
        if answer.whole:
            await self.say(answer.close())
            return answer.reply()
        if answer.heard:
            return answer.cut()
        failed = _failed(failure or answer.failure or (ModelMalformed() if answer.empty else ModelUnavailable()))
        return replace(failed, again=failed.again and not answer.begun)


class OpenAIModel:
    """A model behind the Chat Completions interface."""

    def __init__(
        self,
        client: openai.AsyncOpenAI,
        *,
        limit: float = ASK_SECONDS,
        idle: float = IDLE_SECONDS,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._client = client
        self._limit = limit
        self._idle = idle
        self._sleep = sleep
        self._chance = chance

    @classmethod
    def at(cls, base_url: str | None, api_key: str | None, *, transport: httpx2.AsyncBaseTransport | None = None) -> Self:
        """The model at an address, or at OpenAI's own; a ``transport`` replaces the network."""
        for name in ("openai", "httpx2", "httpcore2"):
            logging.getLogger(name).setLevel(logging.WARNING)
        client = openai.AsyncOpenAI(
            api_key=api_key or _KEY_OF_SERVERS_WITHOUT_KEYS,
            admin_api_key="",
            base_url=base_url or "https://api.openai.com/v1",
            max_retries=0,
            http_client=httpx2.AsyncClient(
                transport=transport,
                timeout=httpx2.Timeout(ASK_SECONDS, connect=CONNECT_SECONDS),
                limits=openai.DEFAULT_CONNECTION_LIMITS,
                follow_redirects=False,
            ),
        )
        client.organization = client.project = None  # the library reads both from the environment
        return cls(client)

    async def close(self) -> None:
        """Give the connections back."""
        await self._client.close()

    async def ask(self, request: Request, hear: Hear = deaf) -> Reply:
        """The model's reply; tries again, within the time limit, where nothing of an answer came and trying may help."""
        asked = _Asked(request.encode(), hear, asyncio.timeout(self._limit))
        try:
            async with asked.clock:
                return await self._ask(asked)
        except TimeoutError:
            if not asked.clock.expired():  # it is the hearer's
                raise
        if asked.answer.heard:
            return asked.answer.cut()
        raise ModelTimedOut

    async def _ask(self, asked: _Asked) -> Reply:
        pauses = iter(PAUSES)
        while True:
            outcome = await self._try(asked)
            if isinstance(outcome, Reply):
                return outcome
            pause = next(pauses, None)
            if pause is None or not outcome.again:
                raise outcome.error
            if outcome.pause is not None:
                pause = outcome.pause
            if pause > LONGEST_PAUSE:
                raise outcome.error
            await self._sleep(pause * (1 + JITTER * self._chance()))

    async def _try(self, asked: _Asked) -> Reply | _Failure:
        response = await self._send(asked.body)
        if isinstance(response, _Failure):
            return response
        asked.answer = Answer()
        try:
            return await self._read(response, asked)
        except httpx2.HTTPError as error:
            failure = _meaning(error)
        finally:
            await response.aclose()
        return await asked.ended(failure)

    async def _send(self, body: bytes) -> httpx2.Response | _Failure:
        """The response to a request, of which nothing but the head has been read."""
        try:
            stream = await self._client.post(
                "/chat/completions",
                cast_to=object,
                content=body,
                options={"headers": _HEADERS},
                stream=True,
                stream_cls=openai.AsyncStream[object],
            )
        except openai.APIStatusError as error:
            return _refused(error.response)
        except openai.APITimeoutError as error:
            connecting = isinstance(error.__cause__, httpx2.ConnectTimeout | httpx2.PoolTimeout)
            return _Failure(ModelUnavailable() if connecting else ModelTimedOut(), again=connecting)
        except (openai.APIConnectionError, httpx2.HTTPError):
            return _Failure(ModelUnavailable(), again=True)
        return stream.response

    async def _read(self, response: httpx2.Response, asked: _Asked) -> Reply | _Failure:
        """What a response says, as a stream or in one body, whatever its content type promises."""
        answer = asked.answer
        async with aclosing(self._chunks(response, answer)) as chunks:
            head = await _head(chunks)
            if head.lstrip(_BLANK).startswith(b"{"):
                return await _read_body(head, chunks, asked)
            async for event in events(_after(head, chunks)):
                await asked.say(answer.take(event.event, event.data))
        return await asked.ended(None)

    async def _chunks(self, response: httpx2.Response, answer: Answer) -> AsyncGenerator[bytes]:
        """The body as it comes, up to where the answer is over; a server that falls silent, or does not stop, has failed."""
        read, wait = 0, None
        async with aclosing(response.aiter_bytes()) as body:
            while not answer.over:
                chunk = await _next(body, wait)
                if chunk is None:
                    answer.failure = ModelTimedOut()
                    return
                if not chunk:
                    return
                read += len(chunk)
                if read > LONGEST_BODY:
                    answer.failure = ModelMalformed()
                    return
                yield chunk
                wait = self._idle if answer.finish is None else AFTER_FINISH_SECONDS
            if answer.done:
                await _drain(body)


async def _next(body: AsyncIterator[bytes], wait: float | None) -> bytes | None:
    """The next chunk, an empty one at the end, ``None`` if the wait was in vain."""
    try:
        async with asyncio.timeout(wait):
            return await anext(body, b"")
    except TimeoutError:
        return None


async def _drain(body: AsyncIterator[bytes]) -> None:
    with suppress(TimeoutError, httpx2.HTTPError):
        async with asyncio.timeout(DRAIN_SECONDS):
            async for _ in body:
                pass


async def _head(chunks: AsyncIterator[bytes]) -> bytes:
    """The beginning of a body, up to a chunk that tells what it is."""
    head = b""
    async for chunk in chunks:
        head += chunk
        if head.lstrip(_BLANK):
            break
    return head


async def _after(head: bytes, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield head
    async for chunk in chunks:
        yield chunk


async def _read_body(head: bytes, chunks: AsyncIterator[bytes], asked: _Asked) -> Reply | _Failure:
    """The reply of a server that does not stream: its text is heard at once."""
    body = head + b"".join([chunk async for chunk in chunks])
    try:
        reply, failure = read_reply(body), asked.answer.failure
    except ModelError as error:
        failure = asked.answer.failure or error
    if failure is not None:
        return _failed(failure)
    await asked.say(reply.text)
    return reply


def _meaning(error: httpx2.HTTPError) -> ModelError:
    """What it means that a response could not be read to its end."""
    if isinstance(error, httpx2.TimeoutException):
        return ModelTimedOut()
    cut = isinstance(error, httpx2.NetworkError | httpx2.ProtocolError)
    return ModelUnavailable() if cut else ModelMalformed()


def _refused(response: httpx2.Response) -> _Failure:
    pause = _retry_after(response.headers.get("Retry-After"))
    return replace(_failed(refusal(response.status_code, pause)), pause=pause)


def _failed(error: ModelError) -> _Failure:
    return _Failure(error, again=isinstance(error, ModelUnavailable))


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
