"""A line to Postgres that can be cut, closed and made dumb, so that a fault of the network or of the server is one word
in a test."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit, urlunsplit


class Line:
    """Passes connections on to a server, as long as it is open."""

    def __init__(self, dsn: str) -> None:
        self._target = urlsplit(dsn)
        self._port = 0
        self._server: asyncio.Server | None = None
        self._ends: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._dumb: set[asyncio.StreamWriter] = set()
        self.last_word: bytes | None = None  # a connection that is to pass this on goes dumb instead

    @property
    def dsn(self) -> str:
        """Where one connects instead."""
        account = self._target.netloc.rpartition("@")[0]
        return urlunsplit(self._target._replace(netloc=f"{account}@127.0.0.1:{self._port}"))

    async def open(self) -> None:
        """Takes connections, on the same port as before."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Refuses connections and cuts those that there are: as if Postgres were down."""
        if self._server is not None:
            self._server.close()
        self.cut()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut(self) -> None:
        """Ends every connection, and takes new ones: as if Postgres had been started again."""
        for end in self._ends:
            end.transport.abort()

    def strike_dumb(self) -> None:
        """Nothing passes any more on the connections that there are, and nobody is told."""
        self._dumb |= self._ends

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(self._target.hostname, self._target.port)
        self._ends |= {writer, back}
        for source, sink in ((reader, back), (there, writer)):
            task = asyncio.create_task(self._pass(source, sink))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pass(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(65536):
                if self.last_word is not None and self.last_word in data:
                    self._dumb.add(sink)
                if sink not in self._dumb:
                    sink.write(data)
                    await sink.drain()
        sink.close()
        self._ends.discard(sink)


@asynccontextmanager
async def line_to(dsn: str) -> AsyncIterator[Line]:
    """An open line to this server."""
    line = Line(dsn)
    await line.open()
    try:
        yield line
    finally:
        await line.close()
