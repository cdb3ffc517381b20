"""What Velo is deployed with: the Compose file fits its schema and Velo's commands and settings, and no part of it is stronger than it must be.

There is no container engine where these tests run: they read the files.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator

from assistant.cli import function_of, parser
from assistant.cli_serve import _LAST_BYTES
from assistant.settings import Settings, read_settings

ROOT = Path(__file__).parents[1]
SCHEMA = ROOT / "tests" / "vendor" / "compose-spec" / "compose-spec.json"
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES: Mapping[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if "build" in service}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

VARIABLE = re.compile(r"\$\{(?P<name>\w+)(?:(?P<how>:[-?])(?P<rest>[^}]*))?\}")
SECRET = re.compile(r"PASSWORD|SECRET|KEY$")

#: What somebody who deploys gives, and nothing else.
GIVEN = {"POSTGRES_PASSWORD": "3e5a90c1d7b2f486" * 4, "VELO_JWT_SECRET": "c81f4d0a6b2e9357" * 4, "OPENAI_API_KEY": "sk-a1b2c3d4e5f6"}


def instructions() -> Iterator[tuple[str, str]]:
    """The Dockerfile's instructions, each with its arguments on one line."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            name, _, arguments = line.partition(" ")
            yield name, " ".join(arguments.split())


def last_stage() -> list[tuple[str, str]]:
    """The instructions of the image that is kept."""
    found = list(instructions())
    start = max(place for place, (name, _) in enumerate(found) if name == "FROM")
    return found[start:]


def filled(text: str, given: Mapping[str, str]) -> str:
    """A value of the Compose file with its variables filled in; raises ``KeyError`` for one that must be given."""

    def value(found: re.Match[str]) -> str:
        if given.get(found["name"]):
            return given[found["name"]]
        if found["how"] != ":-":
            raise KeyError(found["name"])
        return found["rest"]

    return VARIABLE.sub(value, text)


def variables_of_settings() -> set[str]:
    return {str(field.validation_alias) for field in Settings.model_fields.values() if field.validation_alias is not None}


def seconds(text: str) -> int:
    assert text.endswith("s")
    return int(text.removesuffix("s"))


def locked(name: str) -> dict[str, str]:
    """The packages of a lock, and their versions."""
    return dict(re.findall(r"^([\w.-]+)==([\w.]+)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE))


def test_the_compose_file_fits_its_schema() -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    Draft7Validator.check_schema(schema)
    assert [error.message for error in Draft7Validator(schema).iter_errors(COMPOSE)] == []


def test_the_schema_would_find_a_mistake() -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    assert list(Draft7Validator(schema).iter_errors({"services": {"velo": {"imagen": "velo"}}}))


def test_what_is_secret_must_be_given_and_has_no_default() -> None:
    found = list(VARIABLE.finditer((ROOT / "docker-compose.yml").read_text(encoding="utf-8")))
    secret = {variable["name"] for variable in found if SECRET.search(variable["name"])}
    assert secret == GIVEN.keys()
    assert all(variable["how"] == ":?" for variable in found if variable["name"] in secret)


@pytest.mark.parametrize("missing", sorted(GIVEN))
def test_without_one_of_them_nothing_starts(missing: str) -> None:
    given = {name: value for name, value in GIVEN.items() if name != missing}
    with pytest.raises(KeyError, match=missing):
        filled(json.dumps(COMPOSE), given)


@pytest.mark.parametrize("name", sorted(OURS))
def test_a_service_calls_a_command_with_settings_that_serve(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    options = parser().parse_args(OURS[name]["command"])
    assert callable(function_of(options.command))
    environment = OURS[name]["environment"]
    assert environment.keys() <= variables_of_settings()
    for variable, value in environment.items():
        monkeypatch.setenv(variable, filled(value, GIVEN))
    settings = read_settings(demo=options.demo, serving=options.serving)
    assert settings.database_url is not None
    assert "@postgres:5432/" in settings.database_url.get_secret_value()
    if options.serving:
        assert not settings.offline
        assert settings.metrics_token is None
        assert settings.grace + _LAST_BYTES < seconds(OURS[name]["stop_grace_period"])


def test_the_server_waits_for_a_database_of_its_version() -> None:
    waits = SERVICES["velo"]["depends_on"]
    assert waits["migrate"]["condition"] == "service_completed_successfully"
    assert SERVICES["migrate"]["command"] == ["migrate"]
    assert SERVICES["migrate"]["depends_on"]["postgres"]["condition"] == "service_healthy"


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_a_service_is_no_stronger_than_it_must_be(name: str) -> None:
    service = SERVICES[name]
    user, _, group = service["user"].partition(":")
    assert int(user) > 0
    assert int(group) > 0
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert not service.keys() & {"privileged", "cap_add", "devices", "pid", "ipc", "network_mode"}
    assert all(volume.partition(":")[0] in COMPOSE["volumes"] for volume in service.get("volumes", ()))
    assert all(port.startswith("127.0.0.1:") for port in service.get("ports", ()))


def test_the_database_is_reached_from_inside_only() -> None:
    assert SERVICES["postgres"]["networks"] == ["inside"]
    assert COMPOSE["networks"]["inside"]["internal"] is True
    assert "ports" not in SERVICES["postgres"]


def test_images_are_pinned_and_ours_bears_this_version() -> None:
    images = [service["image"] for service in SERVICES.values() if "build" not in service]
    images += [arguments.partition(" ")[0] for name, arguments in instructions() if name == "FROM"]
    assert images
    assert all(re.search(r":\d+\.\d+", image) for image in images)
    assert {service["image"] for service in OURS.values()} == {f"velo:{PROJECT['project']['version']}"}


def test_the_image_runs_velo_without_root_and_says_whether_it_can_work() -> None:
    stage = last_stage()
    said = dict(stage)
    user = re.fullmatch(r"(\d+):(\d+)", said["USER"])
    assert user is not None
    assert int(user[1]) > 0
    assert {service["user"] for service in OURS.values()} == {said["USER"]}
    assert json.loads(said["ENTRYPOINT"]) == ["velo"]
    assert parser().parse_args(json.loads(said["CMD"])).serving
    assert "/readyz" in said["HEALTHCHECK"]
    assert "/readyz" in SERVICES["velo"]["healthcheck"]["test"][-1]
    assert said["STOPSIGNAL"] == "SIGTERM"
    assert stage.index(("USER", said["USER"])) < stage.index(("ENTRYPOINT", said["ENTRYPOINT"]))


def test_no_secret_is_needed_to_build_the_image_or_is_in_it() -> None:
    assert not [name for name, _ in instructions() if name in {"ARG", "ADD"}]
    variables = {pair.partition("=")[0] for name, arguments in instructions() if name == "ENV" for pair in arguments.split()}
    ours = {name for name in variables if name.startswith(("VELO_", "OPENAI_", "DATABASE_"))}
    assert ours <= variables_of_settings()
    assert not [name for name in variables if SECRET.search(name)]


def test_the_image_is_made_of_what_is_let_in_and_every_package_is_copied() -> None:
    let_in = {line.removeprefix("!") for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line.startswith("!")}
    copied = {path for name, arguments in instructions() if name == "COPY" and "--from" not in arguments for path in arguments.split()[:-1]}
    assert copied == let_in
    assert all((ROOT / path).exists() for path in copied)
    assert copied >= {package.removesuffix("*") for package in PROJECT["tool"]["setuptools"]["packages"]["find"]["include"]}


def test_packages_come_with_their_hashes_and_in_the_versions_that_are_tested() -> None:
    commands = [command for name, arguments in instructions() if name == "RUN" for command in arguments.split("&&")]
    assert all("--require-hashes" in command for command in commands if "-r requirements" in command)
    serving, tested = locked("requirements-serve.lock"), locked("requirements.lock")
    needed = {re.split(r"[\[<>=;~! ]", line)[0] for line in PROJECT["project"]["dependencies"]}
    assert needed <= serving.keys()
    assert {name: version for name, version in serving.items() if name in tested and tested[name] != version} == {}


def test_the_example_lists_every_variable_and_no_other() -> None:
    listed = re.findall(r"^([A-Z_]+)=", (ROOT / ".env.example").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(listed) == len(set(listed))
    assert set(listed) == variables_of_settings()
