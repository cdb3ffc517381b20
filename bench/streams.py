"""How soon the first words are seen after the model has said them, and how evenly two hundred answers run at once from one process."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Sequence
from itertools import pairwise

from bench import cpu, kept
from bench.clock import percentile, spread
from bench.door import Door
from bench.instant import Instant, Steady, answering
from bench.kept import ADMIN, Crm, Size
from bench.server import Served, serving
from bench.turns import question

_ANSWERS = 20
_SHORT = Steady(pieces=4, every=0.05)
_AT_ONCE = 200
_LONG = Steady(pieces=100, every=0.1, together=_AT_ONCE)

#: Starts one stream and gives the moments at which text came.
Listener = Callable[[int], AsyncIterator[float]]


async def measure(size: Size) -> list[tuple[str, ...]]:
    """Milliseconds from the model's first words to the reader's, and the longest stall between two pieces of any of two hundred answers; beside
    it the same without Velo: the model's stream read by as many clients.
    """
    model = Instant()
    async with kept.holding(size) as crm, answering(model) as url, serving(crm.dsn, url) as served:
        model.steady = _SHORT
        first = await _first_words(served, crm, model)
        model.steady = _LONG
        bare = await _gaps(lambda place: _echo(url))
        computed = cpu.seconds(served.pid)
        names = await kept.names(crm, tenant=1, member=ADMIN, most=_AT_ONCE)
        model.gather()
        gaps = await _gaps(lambda place: _deltas(served, question(names, 0, place)))
        share = (cpu.seconds(served.pid) - computed) / (_LONG.pieces * _LONG.every)
    return [
        ("", "median ms", "p95", "most"),
        ("the reader's first words after the model's", *_told(first)),
        (f"{_AT_ONCE} streams at once, a piece every {1e3 * _LONG.every:.0f} ms: between two pieces", *_told(gaps)),
        ("the same without Velo", *_told(bare)),
        ("cores that the server computed on meanwhile, the turns' beginnings included", f"{share:.2f}", "", ""),
    ]


def _told(seconds: Sequence[float]) -> tuple[str, str, str]:
    _, median, most = spread(seconds)
    return f"{1e3 * median:.1f}", f"{1e3 * percentile(seconds, 0.95):.1f}", f"{1e3 * most:.1f}"


async def _first_words(served: Served, crm: Crm, model: Instant) -> list[float]:
    """Seconds from the model's first words to the reader's, of one answer after another."""
    names = await kept.names(crm, tenant=1, member=ADMIN, most=_ANSWERS)
    found = []
    async with Door.to(served.url, served.token(1, ADMIN)) as door:
        for place in range(1 + _ANSWERS):
            first = 0.0
            async for heard in door.stream(question(names, 0, place), None):
                if not first and heard.kind == "text.delta" and heard.data["text"]:
                    first = heard.at
            found.append(first - model.said_at)
    return found[1:]  # before the first one statements are planned


async def _gaps(listener: Listener) -> list[float]:
    """Seconds between two pieces, of all streams together."""

    async def heard(place: int) -> list[float]:
        return [at async for at in listener(place)]

    streams = await asyncio.gather(*(heard(place) for place in range(_AT_ONCE)))
    return [later - earlier for moments in streams for earlier, later in pairwise(moments)]


async def _deltas(served: Served, text: str) -> AsyncIterator[float]:
    """When pieces of an answer came over Velo."""
    async with Door.to(served.url, served.token(1, ADMIN)) as door:
        async for heard in door.stream(text, None):
            if heard.kind == "text.delta":
                yield heard.at


async def _echo(url: str) -> AsyncIterator[float]:
    """When pieces of an answer came straight from the model."""
    host, _, port = url.removeprefix("http://").removesuffix("/v1").partition(":")
    body = json.dumps({"stream": True, "messages": [{"role": "user", "content": "C-1"}, {"role": "tool", "content": "{}"}]}).encode()
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
    while (line := await reader.readline()) != b"0\r\n":
        if b'"delta": {"content"' in line:
            yield time.perf_counter()
    writer.close()
