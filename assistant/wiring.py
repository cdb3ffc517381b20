"""The composition root: settings in, a running application out.

Everything is built here by hand, and nothing at import.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from importlib import metadata

import structlog
from pydantic import SecretStr

from assistant import jobs
from assistant.errors import SettingsError
from assistant.http.app import Application, application
from assistant.http.auth import Authenticator, Keys, KeySet, SharedSecret
from assistant.http.health import Health
from assistant.http.metrics import MetricsPage
from assistant.job import Parts
from assistant.metrics import Metrics
from assistant.model import offline_endpoint
from assistant.model.in_process import InProcess
from assistant.model.openai_client import OpenAIModel
from assistant.readiness import Readiness
from assistant.settings import Settings
from assistant.shutdown import Shutdown
from assistant.turns import Turns
from assistant.web import pages
from db import probe
from db.crm import PRESETS
from db.pool import Database
from db.roles import logins
from veil import ner
from veil.detectors import Detector
from veil.errors import DetectorMissing

log = structlog.get_logger()

#: Connections for what must not queue behind a crowd: when two hundred turns begin at once, others go on streaming.
_EXPRESS = 2

#: A name that no resolver knows: what is sent there can only reach the model in this process.
_OFFLINE_URL = "http://offline-model.invalid/v1"


@asynccontextmanager
async def wired(
    settings: Settings, *, dsn: str, jwt_secret: str | None, shutdown: Shutdown | None = None
) -> AsyncIterator[Application]:
    """The application over a migrated database.

    On the way out running turns are brought to an end before anything closes.
    """
    shutdown = shutdown or Shutdown(grace=settings.grace)
    metrics = Metrics()
    database = await Database.open(logins(dsn).app)
    express = await Database.open(logins(dsn).app, max_size=_EXPRESS)
    try:
        metrics.watch(database)
        for remark in await probe.check(database):
            log.warning("database_remark", kind=remark.partition(" ")[0])
        model = model_of(settings)
        parts = Parts(
            database,
            model,
            clock_of(settings),
            detector_of(settings),
            settings.context,
            metrics,
            express,
            freshens=PRESETS[settings.crm].freshens,
        )
        turns = Turns(parts, model=settings.model, software=version())
        authenticator = Authenticator(keys_of(settings, jwt_secret), database)
        shutdown.attend(turns)
        readiness = Readiness(database, preset=settings.crm, draining=lambda: shutdown.begun, probed=True)
        ticker = asyncio.create_task(jobs.tick(database, metrics))
        try:
            async with turns.listening():
                yield application(
                    turns=turns,
                    authenticator=authenticator,
                    health=Health(version(), "offline" if settings.offline else "remote", readiness.state),
                    loopback_only=settings.demo,
                    metrics=MetricsPage(metrics, _secret(settings.metrics_token)),
                    draining=lambda: shutdown.begun,
                    pages=pages.routes(
                        authenticator=authenticator,
                        turns=turns,
                        database=database,
                        demo_secret=jwt_secret if settings.demo and settings.jwks_url is None else None,
                        offline=settings.offline,
                    ),
                )
        finally:
            ticker.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await ticker
            await turns.interrupt()
            await model.close()
    finally:
        await express.close()
        await database.close()


def model_of(settings: Settings) -> OpenAIModel:
    """The model that the settings name; without any the offline one, through the same client."""
    if settings.offline:
        return OpenAIModel.at(_OFFLINE_URL, None, transport=InProcess(offline_endpoint.application))
    return OpenAIModel.at(settings.openai_base_url, _secret(settings.openai_api_key))


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


def _secret(value: SecretStr | None) -> str | None:
    return value.get_secret_value() if value is not None else None
