"""``velo serve`` and ``velo demo``."""

import argparse
import asyncio
import contextlib
import gc
import os
import signal
import socket
import sys
import time
from collections.abc import Coroutine, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn

from assistant import administration
from assistant.administration import Seeds, Tenant, admin_dsn, embedded_server, kept
from assistant.errors import SettingsError
from assistant.http.auth import LOCAL_ISSUER, sign
from assistant.secrets import demo_secret
from assistant.settings import Settings
from assistant.shutdown import Shutdown
from assistant.wiring import clock_of, wired
from db.crm import PRESETS
from db.embedded import Server
from db.errors import StatementFailed, Unavailable
from db.migrate import migrate

#: How long answers may take to reach their readers once no turn runs any more, in seconds.
_LAST_BYTES = 5


def serve(settings: Settings, options: argparse.Namespace) -> None:
    """Serves until it is told to stop. Migrations are not run here: ``velo migrate`` does that, once, before."""
    secret = settings.jwt_secret.get_secret_value() if settings.jwt_secret is not None else None
    with _listening(settings) as listener:
        server = embedded_server(settings)
        dsn = admin_dsn(settings, server)
        try:
            _run(_serve(settings, dsn=dsn, secret=secret, listener=listener, server=server))
        except (Unavailable, StatementFailed) as error:
            raise SettingsError(f"{error}; if this database is new, run `velo migrate` first") from None


def demo(settings: Settings, options: argparse.Namespace) -> None:
    """Sets everything up that is not there yet, says how to sign in, and serves."""
    if not PRESETS[settings.crm].seed:
        raise SettingsError(f"VELO_CRM={settings.crm} is a CRM of its own, which no demo fills: start `velo serve`, or leave VELO_CRM out")
    with _listening(settings) as listener:
        secret = demo_secret(settings)
        print("Starting Postgres …" if settings.database_url is None else "Using DATABASE_URL …", flush=True)
        server = embedded_server(settings)
        dsn = admin_dsn(settings, server)
        _run(_demo(settings, dsn=dsn, secret=secret, listener=listener, server=server))


def _run(served: Coroutine[Any, Any, None]) -> None:
    """Runs on uvloop where it is installed, which took about a tenth less of the processor than asyncio's own loop (bench, turns)."""
    with asyncio.Runner(loop_factory=uvicorn.Config("", log_config=None).get_loop_factory()) as runner:
        runner.run(served)


async def _demo(settings: Settings, *, dsn: str, secret: str, listener: socket.socket, server: Server | None) -> None:
    await migrate(dsn, preset=settings.crm)
    async with administration.owned(dsn) as owner:
        if not await administration.tenant_ids(owner):
            await administration.seed(owner, settings.crm, Seeds(now=clock_of(settings)()))
        tenants = await administration.tenants(owner)
        for tenant in tenants:
            await administration.trust(owner, tenant.id, LOCAL_ISSUER)
    print("\n".join(_greeting(settings, secret, tenants)), flush=True)
    await _serve(settings, dsn=dsn, secret=secret, listener=listener, server=server)


def _greeting(settings: Settings, secret: str, tenants: list[Tenant]) -> Iterator[str]:
    """What the demo says on the screen once it is ready."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    url = f"http://{host}:{settings.port}"
    yield f"\nVelo is ready on {url}\n"
    if settings.offline:
        yield "The offline demo model answers. It is NOT a language model, only a table of keywords;"
        yield "for a real one set OPENAI_API_KEY, or OPENAI_BASE_URL, and start again.\n"
    for tenant in tenants:
        yield f"Tenant {tenant.id}, {tenant.name}: members " + ", ".join(f"{id} ({role})" for id, role in tenant.members)
    who = next(((tenant.id, tenant.members[0][0]) for tenant in tenants if tenant.members), None)
    if who is not None and settings.jwks_url is None:
        tenant_id, member_id = who
        signed = sign(secret, tenant_id=tenant_id, member_id=member_id, now=time.time())
        yield f"\nOpen {url}/ in a browser and choose who you are."
        port = f"VELO_PORT={settings.port} " if settings.port != Settings.model_fields["port"].default else ""
        yield f"\nOr ask in the terminal:\n  {port}{_program()} chat --tenant {tenant_id} --member {member_id}"
        yield f"\nOr over HTTP (a new token: {_program()} token --tenant {tenant_id} --member {member_id}):"
        yield f"  curl -s {url}/api/assistant/messages -H 'Authorization: Bearer {signed}' \\"
        yield "    -H 'Content-Type: application/json' -d '{\"text\": \"¿qué pasó con María?\"}'"
    yield "\nCtrl-C stops it."


def _program() -> str:
    """How this command was called, so that what is printed can be pasted."""
    called = Path(sys.argv[0])
    if called.name == "__main__.py":
        return f"{os.path.relpath(sys.executable)} -m assistant"
    return os.path.relpath(called) if called.is_absolute() else str(called)


async def _serve(settings: Settings, *, dsn: str, secret: str | None, listener: socket.socket, server: Server | None) -> None:
    shutdown = Shutdown(grace=settings.grace)
    async with kept(server), wired(settings, dsn=dsn, jwt_secret=secret, shutdown=shutdown) as app:
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            lifespan="off",
            proxy_headers=False,
            timeout_graceful_shutdown=_LAST_BYTES,
        )
        # What start-up made (tables of words, patterns, routes) stays for good: without this a full collection walks through it, 70 to 90 ms
        # in which every stream stands still.
        gc.collect()
        gc.freeze()
        await _Server(config, shutdown).serve(sockets=[listener])


class _Server(uvicorn.Server):
    """uvicorn's server with an end of our own: it listens until the turns that run have ended or are interrupted.

    A first signal begins that, a second hurries it, a third does not wait for anybody's last bytes. No signal is raised again at the end: what
    stands around the server has yet to close.
    """

    def __init__(self, config: uvicorn.Config, shutdown: Shutdown) -> None:
        super().__init__(config)
        self._shutdown = shutdown
        self._ending: asyncio.Task[None] | None = None

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()

        def heard(number: int, frame: FrameType | None) -> None:
            loop.call_soon_threadsafe(self._told)

        before = {number: signal.signal(number, heard) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _told(self) -> None:
        if self.should_exit:
            self.force_exit = True
            return
        self._shutdown.begin()
        if self._ending is None:
            self._ending = asyncio.create_task(self._end())

    async def _end(self) -> None:
        try:
            await self._shutdown.drained()
        finally:
            self.should_exit = True


@contextlib.contextmanager
def _listening(settings: Settings) -> Iterator[socket.socket]:
    """The address, taken before anything else is started."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        listener = socket.create_server((settings.host, settings.port), family=family, backlog=1024)
    except OSError:
        listener = None
    if listener is None:
        raise SettingsError(f"port {settings.port} of {settings.host} cannot be taken: free it, or set VELO_PORT")
    with listener:
        # Passed on to every connection: an answer in two small packets would wait 40 ms for the client to acknowledge the first.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        yield listener
