"""The settings: what the environment may say, and what is refused."""

from pathlib import Path

import pytest

from assistant.errors import SettingsError
from assistant.settings import COUNTRIES, OFFLINE_MODEL, read_settings, tenant_settings

GOOD = "0f9c3d5e7a1b4c6d8e2f" * 4


def test_without_any_variable_the_offline_model_answers_on_loopback() -> None:
    settings = read_settings()
    assert settings.offline
    assert settings.model == OFFLINE_MODEL
    assert (settings.host, settings.port, settings.context, settings.crm) == ("127.0.0.1", 8000, 128_000, "demo")


def test_every_variable_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    values = {
        "DATABASE_URL": "postgresql://u:p@h/d",
        "VELO_DATA_DIR": "/srv/velo",
        "VELO_HOST": "192.0.2.1",
        "VELO_PORT": "9000",
        "VELO_JWT_SECRET": GOOD,
        "OPENAI_API_KEY": "sk-0123456789abcdef",
        "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
        "VELO_MODEL": "some-model",
        "VELO_CONTEXT": "32000",
        "VELO_CRM": "helpdesk",
        "VELO_METRICS_TOKEN": GOOD,
        "VELO_GRACE": "7",
        "VELO_LOG_LEVEL": "debug",
    }
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    settings = read_settings()
    assert settings.database_url is not None
    assert settings.database_url.get_secret_value() == values["DATABASE_URL"]
    assert settings.data_dir == Path("/srv/velo")
    assert (settings.host, settings.port, settings.context, settings.crm) == ("192.0.2.1", 9000, 32_000, "helpdesk")
    assert (settings.model, settings.log_level, settings.offline) == ("some-model", "DEBUG", False)
    assert settings.metrics_token is not None
    assert settings.grace == 7


def test_an_address_alone_makes_the_model_a_real_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert not read_settings().offline


def test_an_empty_variable_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "VELO_JWT_SECRET", "VELO_NOW", "DATABASE_URL"):
        monkeypatch.setenv(name, "")
    settings = read_settings()
    assert settings.offline
    assert settings.jwt_secret is None


def test_secrets_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VELO_JWT_SECRET", GOOD)
    monkeypatch.setenv("DATABASE_URL", "postgresql://u:hidden@h/d")
    shown = repr(read_settings()) + str(read_settings())
    assert GOOD not in shown
    assert "hidden" not in shown


@pytest.mark.parametrize(
    ("variables", "says"),
    [
        ({"VELO_JWT_SECRET": "abc123"}, "shorter"),
        ({"VELO_JWT_SECRET": "changeme" * 8}, "sample"),
        ({"VELO_JWT_SECRET": "a" * 64}, "sample"),
        ({"VELO_JWT_SECRET": GOOD, "OPENAI_API_KEY": "your-key-here"}, "sample"),
        ({"VELO_JWT_SECRET": GOOD, "VELO_JWKS_URL": "https://id.velo.test/keys"}, "both set"),
        ({"VELO_JWT_SECRET": GOOD, "VELO_NOW": "2026-03-02T09:00:00-03:00"}, "demo mode only"),
        ({"VELO_JWT_SECRET": ""}, "must be set"),
        ({"VELO_PORT": "http"}, "VELO_PORT: must be a whole number"),
        ({"VELO_PORT": "70000"}, "VELO_PORT: must be 65535 or less"),
        ({"VELO_NOW": "yesterday"}, "VELO_NOW: must be a date and a time with a UTC offset"),
        ({"VELO_LOG_LEVEL": "loud"}, "VELO_LOG_LEVEL: must be 'DEBUG'"),
        ({"VELO_JWKS_URL": "file:///etc/passwd"}, "VELO_JWKS_URL"),
        ({"VELO_CRM": "../etc"}, "VELO_CRM"),
        ({"VELO_JWT_SECRET": GOOD, "VELO_CRM": "unheard_of"}, "VELO_CRM must be one of demo, helpdesk"),
        ({"VELO_JWT_SECRET": GOOD, "VELO_METRICS_TOKEN": "abc123"}, "VELO_METRICS_TOKEN is shorter"),
        ({"VELO_JWT_SECRET": GOOD, "VELO_METRICS_TOKEN": "changeme" * 8}, "VELO_METRICS_TOKEN is a sample"),
        ({"VELO_GRACE": "-1"}, "VELO_GRACE: must be 0 or more"),
    ],
    ids=["short", "copied", "monotonous", "sample-key", "both", "clock", "empty", "port", "large", "moment", "level", "scheme", "preset", "no-preset", "short-token", "copied-token", "grace"],
)
def test_what_does_not_fit_is_refused_without_quoting_it(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], says: str) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        read_settings(serving=True)
    assert says in str(caught.value)
    assert not any(value and value in str(caught.value) for value in variables.values())


def test_demo_mode_takes_a_clock_and_a_sample_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VELO_NOW", "2026-03-02T09:00:00-03:00")
    monkeypatch.setenv("VELO_JWT_SECRET", "changeme")
    settings = read_settings(demo=True, serving=True)
    assert settings.now is not None
    assert settings.now.isoformat() == "2026-03-02T09:00:00-03:00"


@pytest.mark.parametrize("variables", [{"VELO_HOST": "192.0.2.1"}, {"VELO_HOST": "velo.test"}, {"VELO_NOW": "2026-03-02T09:00:00"}])
def test_demo_mode_refuses_other_machines_and_a_clock_without_offset(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError):
        read_settings(demo=True)


def test_only_the_documented_names_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PORT", "HOST", "DEMO", "SERVING", "NOW", "CRM", "DATA_DIR", "CONTEXT", "LOG_LEVEL"):
        monkeypatch.setenv(name, "77")
    assert read_settings().port == 8000


def test_a_command_at_hand_takes_what_the_demo_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VELO_JWT_SECRET", "changeme")
    monkeypatch.setenv("VELO_NOW", "2026-03-02T09:00:00-03:00")
    assert read_settings().jwt_secret is not None


def test_settings_do_not_change() -> None:
    with pytest.raises(ValueError, match="frozen"):
        read_settings().port = 1  # type: ignore[misc]


def test_a_tenant_that_says_nothing_is_scrubbed_for_every_country() -> None:
    settings = tenant_settings({})
    assert settings.phone_regions == settings.id_countries == COUNTRIES
    assert (settings.language, settings.zone, settings.model) == ("es", "UTC", None)


@pytest.mark.parametrize(
    "stored",
    [
        {"language": "fr"},
        {"zone": "Mars/Olympus"},
        {"id_countries": ["XX"]},
        {"unknown": 1},
        {"model": ""},
        [],
        None,
    ],
)
def test_a_tenants_unfit_settings_are_refused(stored: object) -> None:
    with pytest.raises(SettingsError):
        tenant_settings(stored)
