"""The server to be measured: ``velo serve`` as a process of its own, as an operator starts it."""

import asyncio
import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from assistant.http.auth import sign
from bench.door import Door

_START_SECONDS = 60.0
_ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Served:
    """A running server."""

    url: str
    secret: str
    pid: int
    seconds: float  # from the start of the process until it was ready

    def token(self, tenant: int, member: int) -> str:
        """A member's token."""
        return sign(self.secret, tenant_id=tenant, member_id=member, now=time.time())

    @property
    def megabytes(self) -> float:
        """The memory that the process holds now."""
        return float(psutil.Process(self.pid).memory_info().rss) / 2**20


@asynccontextmanager
async def serving(dsn: str, model_url: str) -> AsyncIterator[Served]:
    """A server over this database that asks this model; told to stop at the end."""
    secret = secrets.token_hex(32)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {
        "PATH": os.defpath,
        "DATABASE_URL": dsn,
        "OPENAI_BASE_URL": model_url,
        "OPENAI_API_KEY": secrets.token_hex(16),
        "VELO_JWT_SECRET": secret,
        "VELO_PORT": str(port),
        "VELO_LOG_LEVEL": "ERROR",
    }
    started = time.perf_counter()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "assistant", "serve", cwd=_ROOT, env=environment, stdout=subprocess.DEVNULL
    )
    try:
        url = f"http://127.0.0.1:{port}"
        await _ready(url, process, deadline=started + _START_SECONDS)
        yield Served(url, secret, process.pid, time.perf_counter() - started)
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def _ready(url: str, process: asyncio.subprocess.Process, *, deadline: float) -> None:
    while time.perf_counter() < deadline and process.returncode is None:
        try:
            async with Door.to(url, "") as door:
                if await door.status_of("/readyz") == 200:
                    return
        except OSError:
            await asyncio.sleep(0.01)
    raise RuntimeError("the server to be measured did not start; run `velo serve` by hand to see why")


async def import_seconds() -> float:
    """How long a process takes to load all of the server, Python's own start included."""
    started = time.perf_counter()
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", "import assistant.cli_serve", cwd=_ROOT)
    await process.wait()
    return time.perf_counter() - started
