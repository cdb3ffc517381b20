"""``velo serve`` and ``velo demo``."""

import argparse
import asyncio
import contextlib
import signal
import socket
from collections.abc import Iterator

import uvicorn

from assistant.cli_admin import filled, sign_in_lines
from assistant.errors import SettingsError
from assistant.secrets import demo_secret
from assistant.settings import Settings
from assistant.wiring import admin_dsn, wired
from db.migrate import migrate

#: How long answers that are under way may still take when the server is told to stop, in seconds.
_GRACE = 20


def serve(settings: Settings, options: argparse.Namespace) -> None:
    """Serves until it is told to stop. Migrations are not run here: ``velo migrate`` does that, once, before."""
    secret = settings.jwt_secret.get_secret_value() if settings.jwt_secret is not None else None
    with _listening(settings) as listener:
        asyncio.run(_serve(settings, dsn=admin_dsn(settings), secret=secret, listener=listener))


def demo(settings: Settings, options: argparse.Namespace) -> None:
    """Sets everything up that is not there yet, says how to sign in, and serves."""
    with _listening(settings) as listener:
        secret = demo_secret(settings)
        print("Starting Postgres …" if settings.database_url is None else "Using DATABASE_URL …", flush=True)
        dsn = admin_dsn(settings)
        asyncio.run(_demo(settings, dsn=dsn, secret=secret, listener=listener))


async def _demo(settings: Settings, *, dsn: str, secret: str, listener: socket.socket) -> None:
    await migrate(dsn, preset=settings.crm)
    await filled(settings, dsn=dsn)
    print("\n".join(await sign_in_lines(settings, dsn=dsn, secret=secret)), flush=True)
    await _serve(settings, dsn=dsn, secret=secret, listener=listener)


async def _serve(settings: Settings, *, dsn: str, secret: str | None, listener: socket.socket) -> None:
    async with wired(settings, dsn=dsn, jwt_secret=secret) as app:
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            lifespan="off",
            proxy_headers=False,
            timeout_graceful_shutdown=_GRACE,
        )
        await _Server(config).serve(sockets=[listener])


class _Server(uvicorn.Server):
    """uvicorn's server, which does not raise the signal again once it has stopped: what stands around it has yet to close."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


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
        yield listener
