"""What the environment says, read once; and what each tenant's own settings may say.

The only module that reads the environment: everything else is handed plain values. Secrets do not show in ``repr``
or in errors, which name variables and never their values.
"""

from datetime import datetime
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict

from assistant.errors import SettingsError
from db.crm import PRESETS
from db.embedded import default_data_dir

Language = Literal["es", "pt", "en"]
Country = Literal["AR", "BR", "CL", "CO", "ES", "MX", "PE", "US"]

#: The countries whose phones and ids the scrubber knows. A tenant that says nothing is scrubbed for all of them.
COUNTRIES: tuple[Country, ...] = ("AR", "BR", "CL", "CO", "ES", "MX", "PE", "US")

OFFLINE_MODEL = "velo-offline-demo"
_DEFAULT_MODEL = "gpt-4.1-mini"

#: An HS256 key shorter than its hash is weaker than the signature (RFC 7518, 3.2).
SECRET_BYTES = 32

#: Words of examples: a secret that holds one was copied, not made.
_SAMPLES = (
    "changeme",
    "change-me",
    "change_me",
    "example",
    "ejemplo",
    "sample",
    "placeholder",
    "your-",
    "your_",
    "xxxx",
)
_LOOPBACK_NAMES = ("localhost",)


class Settings(BaseSettings):
    """The settings of one process. ``demo`` and ``serving`` are said by the command, not by the environment."""

    model_config = SettingsConfigDict(frozen=True, extra="ignore", env_ignore_empty=True, hide_input_in_errors=True)

    demo: bool
    serving: bool
    database_url: Annotated[SecretStr | None, Field(validation_alias="DATABASE_URL")] = None
    data_dir: Annotated[Path, Field(validation_alias="VELO_DATA_DIR", default_factory=default_data_dir)]
    host: Annotated[str, Field(validation_alias="VELO_HOST")] = "127.0.0.1"
    port: Annotated[int, Field(validation_alias="VELO_PORT", ge=1, le=65535)] = 8000
    jwt_secret: Annotated[SecretStr | None, Field(validation_alias="VELO_JWT_SECRET")] = None
    jwks_url: Annotated[str | None, Field(validation_alias="VELO_JWKS_URL", pattern=r"^https?://\S+$")] = None
    openai_api_key: Annotated[SecretStr | None, Field(validation_alias="OPENAI_API_KEY")] = None
    openai_base_url: Annotated[str | None, Field(validation_alias="OPENAI_BASE_URL", pattern=r"^https?://\S+$")] = None
    configured_model: Annotated[str | None, Field(validation_alias="VELO_MODEL", max_length=200)] = None
    context: Annotated[int, Field(validation_alias="VELO_CONTEXT", ge=4_000, le=10_000_000)] = 128_000
    crm: Annotated[str, Field(validation_alias="VELO_CRM", pattern=r"^[a-z][a-z0-9_]*$")] = "demo"
    now: Annotated[datetime | None, Field(validation_alias="VELO_NOW")] = None
    ner: Annotated[Literal["on", "off"], Field(validation_alias="VELO_NER")] = "off"
    log_level: Annotated[
        Literal["DEBUG", "INFO", "WARNING", "ERROR"],
        Field(validation_alias="VELO_LOG_LEVEL"),
        BeforeValidator(lambda value: value.upper() if isinstance(value, str) else value),
    ] = "INFO"
    metrics_token: Annotated[SecretStr | None, Field(validation_alias="VELO_METRICS_TOKEN")] = None
    grace: Annotated[int, Field(validation_alias="VELO_GRACE", ge=0, le=3600)] = 20

    @property
    def offline(self) -> bool:
        """Whether the demo model answers: only when nothing says where a real one is."""
        return self.openai_api_key is None and self.openai_base_url is None

    @property
    def model(self) -> str:
        """The name of the model that is asked unless a tenant chose another."""
        return self.configured_model or (OFFLINE_MODEL if self.offline else _DEFAULT_MODEL)

    @model_validator(mode="after")
    def _fit_together(self) -> Self:
        if self.jwt_secret is not None and self.jwks_url is not None:
            raise ValueError("VELO_JWT_SECRET and VELO_JWKS_URL are both set: keep one")
        if self.now is not None and self.now.utcoffset() is None:
            raise ValueError("VELO_NOW needs a UTC offset, as in 2026-03-02T09:00:00-03:00")
        if self.crm not in PRESETS:
            raise ValueError(f"VELO_CRM must be one of {', '.join(sorted(PRESETS))}")
        if self.demo and not is_loopback(self.host):
            raise ValueError("demo mode listens on this machine only: VELO_HOST must be a loopback address")
        if self.serving and not self.demo:
            self._fit_to_serve()
        return self

    def _fit_to_serve(self) -> None:
        """What is good enough for a demo and for a command at hand must not serve anybody."""
        if self.now is not None:
            raise ValueError("VELO_NOW is for demo mode only")
        if self.jwt_secret is None and self.jwks_url is None:
            raise ValueError("VELO_JWT_SECRET or VELO_JWKS_URL must be set: make a secret with `openssl rand -hex 32`")
        _refuse_weak("VELO_JWT_SECRET", self.jwt_secret)
        _refuse_weak("VELO_METRICS_TOKEN", self.metrics_token)
        if self.openai_api_key is not None and _is_sample(self.openai_api_key):
            raise ValueError("OPENAI_API_KEY is a sample: put the provider's key")


def read_settings(*, demo: bool = False, serving: bool = False) -> Settings:
    """The settings that the environment gives; raises ``SettingsError`` with what is wrong in words."""
    try:
        return Settings(demo=demo, serving=serving)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False)
    raise SettingsError("; ".join(map(_sentence, problems)))


class TenantSettings(BaseModel):
    """The object in ``velo.tenants.settings``; what it leaves out has these defaults."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    language: Language = "es"
    zone: str = "UTC"
    phone_regions: tuple[Country, ...] = COUNTRIES
    id_countries: tuple[Country, ...] = COUNTRIES
    model: Annotated[str, Field(min_length=1, max_length=200)] | None = None

    @field_validator("zone")
    @classmethod
    def _known_zone(cls, zone: str) -> str:
        try:
            ZoneInfo(zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise ValueError("no time zone of the IANA data base, as America/Santiago is one") from None
        return zone

    @property
    def time_zone(self) -> ZoneInfo:
        """The zone in which questions are dated."""
        return ZoneInfo(self.zone)


def tenant_settings(stored: Any) -> TenantSettings:
    """A tenant's settings as stored; raises ``SettingsError`` rather than running on half of them."""
    try:
        return TenantSettings.model_validate(stored)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False)
    raise SettingsError(f"tenant settings: {'; '.join(map(_sentence, problems))}")


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address."""
    if host in _LOOPBACK_NAMES:
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _refuse_weak(name: str, secret: SecretStr | None) -> None:
    if secret is None:
        return
    if len(secret.get_secret_value().encode()) < SECRET_BYTES:
        raise ValueError(f"{name} is shorter than {SECRET_BYTES} bytes: `openssl rand -hex 32` makes one")
    if _is_sample(secret):
        raise ValueError(f"{name} is a sample: `openssl rand -hex 32` makes a real one")


def _is_sample(secret: SecretStr) -> bool:
    value = secret.get_secret_value().lower()
    return any(sample in value for sample in _SAMPLES) or len(set(value)) < 6


#: What pydantic finds, in our words; what stands in braces are bounds of ours, never what was given.
_SENTENCES = {
    "literal_error": "must be {expected}",
    "greater_than_equal": "must be {ge} or more",
    "less_than_equal": "must be {le} or less",
    "string_too_short": "must not be empty",
    "string_too_long": "must not be longer than {max_length} characters",
    "string_type": "must be a text",
    "int_parsing": "must be a whole number",
    "extra_forbidden": "is no setting",
    "model_type": "must be an object",
}
_FORMS = {
    "VELO_NOW": "must be a date and a time with a UTC offset, as in 2026-03-02T09:00:00-03:00",
    "VELO_JWKS_URL": "must be an address that begins with http:// or https://",
    "OPENAI_BASE_URL": "must be an address that begins with http:// or https://",
    "VELO_CRM": "must be the name of a preset: small letters, digits, underscores",
}


def _sentence(problem: ErrorDetails) -> str:
    """A problem of a setting in one sentence, without the value."""
    where = ".".join(map(str, problem["loc"]))
    if problem["type"] == "value_error":
        text = problem["msg"].removeprefix("Value error, ")
    else:
        text = _FORMS.get(where) or _SENTENCES.get(problem["type"], "does not fit").format(**problem.get("ctx", {}))
    return f"{where}: {text}" if where else text
