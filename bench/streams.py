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
#: Ten seconds of pieces at two paces.
_LONG = (Steady(pieces=40, every=0.25, together=_AT_ONCE), Steady(pieces=100, every=0.1, together=_AT_ONCE))

#: Starts one stream and gives the moments at which text came.
Listener = Callable[[int], AsyncIterator[float]]


async def measure(size: Size) -> list[tuple[str, ...]]:
    """Milliseconds from the model's first words to the reader's, and the longest stall between two pieces of any of two hundred answers; beside
    it the same without Velo: the model's stream read by as many clients.
    """
    model = Instant()
    async with kept.holding(size) as crm, answering(model) as url, serving(crm.dsn, url) as served:
        model.pace(_SHORT)
        rows: list[tuple[str, ...]] = [
            ("", "median ms", "p95", "most", "cores of the server"),
            ("the reader's first words after the model's", *_told(await _first_words(served, crm, model)), ""),
        ]
        names = await kept.names(crm, tenant=1, member=ADMIN, most=_AT_ONCE)
        for pace in _LONG:
            model.pace(pace)
            bare = await _gaps(lambda place: _echo(url))
            model.pace(pace)
            gaps, cores = await _with_cores(served, model, lambda place: _deltas(served, question(names, 0, place)))
            rows += [
                (f"{_AT_ONCE} streams, a piece every {1e3 * pace.every:.0f} ms: between two pieces", *_told(gaps), f"{cores:.2f}"),
                ("the same without Velo", *_told(bare), ""),
            ]
    return rows


async def _with_cores(served: Served, model: Instant, listener: Listener) -> tuple[list[float], float]:
    """The gaps of streams, and how many cores the server computed on from the moment when all of them spoke."""
    running = asyncio.create_task(_gaps(listener))
    await model.all_here.wait()
    started, computed = time.perf_counter(), cpu.seconds(served.pid)
    gaps = await running
    return gaps, (cpu.seconds(served.pid) - computed) / (time.perf_counter() - started)


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
