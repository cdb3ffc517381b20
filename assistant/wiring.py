"""The composition root: settings in, a running application out.

Everything is built here by hand, and nothing at import.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from importlib import metadata

import httpx2
import structlog

from assistant import jobs
from assistant.errors import SettingsError
from assistant.http.app import Application, application
from assistant.http.auth import Authenticator, Keys, KeySet, SharedSecret
from assistant.http.health import Health
from assistant.job import Parts
from assistant.model import offline_endpoint
from assistant.model.openai_client import OpenAIModel
from assistant.settings import Settings
from assistant.turns import Turns
from db import probe
from db.errors import DatabaseError
from db.pool import Database
from db.roles import logins
from veil import ner
from veil.detectors import Detector
from veil.errors import DetectorMissing

log = structlog.get_logger()

#: A name that no resolver knows: what is sent there can only reach the model in this process.
_OFFLINE_URL = "http://offline-model.invalid/v1"


@asynccontextmanager
async def wired(settings: Settings, *, dsn: str, jwt_secret: str | None) -> AsyncIterator[Application]:
    """The application over a migrated database.

    On the way out running turns are brought to an end before anything closes.
    """
    database = await Database.open(logins(dsn).app)
    try:
        for remark in await probe.check(database):
            log.warning("database_remark", kind=remark.partition(" ")[0])
        model = model_of(settings)
        parts = Parts(database, model, clock_of(settings), detector_of(settings))
        turns = Turns(parts, model=settings.model, software=version())
        authenticator = Authenticator(keys_of(settings, jwt_secret), database)
        health = Health(version(), "offline" if settings.offline else "remote", lambda: _answers(database))
        ticker = asyncio.create_task(jobs.tick(database))
        try:
            yield application(turns=turns, authenticator=authenticator, health=health, loopback_only=settings.demo)
        finally:
            ticker.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await ticker
            await turns.drain()
            await model.close()
    finally:
        await database.close()


def model_of(settings: Settings) -> OpenAIModel:
    """The model that the settings name; without any the offline one, through the same client."""
    if settings.offline:
        return OpenAIModel.at(_OFFLINE_URL, None, transport=httpx2.ASGITransport(offline_endpoint.application))
    key = settings.openai_api_key
    return OpenAIModel.at(settings.openai_base_url, key.get_secret_value() if key is not None else None)


def keys_of(settings: Settings, jwt_secret: str | None) -> Keys:
    """Where the keys of tokens come from."""
    if settings.jwks_url is not None:
        return KeySet(settings.jwks_url)
    if jwt_secret is None:
        raise SettingsError("VELO_JWT_SECRET or VELO_JWKS_URL must be set")
    return SharedSecret(jwt_secret)


def detector_of(settings: Settings) -> Detector | None:
    """The second net for people whom no CRM knows, where it is switched on; without its model nothing starts."""
    if settings.ner == "off":
        return None
    try:
        return ner.load()
    except DetectorMissing as error:
        raise SettingsError(f"VELO_NER: {error}") from None


def clock_of(settings: Settings) -> Callable[[], datetime]:
    """The time that model and tools see; leases, tokens of members and retention never ask it."""
    fixed = settings.now
    return (lambda: fixed) if fixed is not None else (lambda: datetime.now(UTC))  # noqa: TID251 - the one real clock


def version() -> str:
    """The version of this software, as it was installed."""
    try:
        return metadata.version("velo")
    except metadata.PackageNotFoundError:
        return "not installed"


async def _answers(database: Database) -> bool:
    try:
        async with database.plain(read_only=True) as connection:
            await connection.fetchval("SELECT 1")
    except DatabaseError:
        return False
    return True
