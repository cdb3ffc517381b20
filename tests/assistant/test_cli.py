"""The command line: what its commands do, and how they end."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from pathlib import Path

import jwt
import pytest

from assistant import administration, cli_admin, jobs
from assistant.cli import function_of, main, parser
from assistant.http.auth import Authenticator, SharedSecret
from assistant.secrets import demo_secret, signing_secret
from assistant.settings import read_settings, tenant_settings
from db.embedded import Server
from db.errors import Unavailable
from db.pool import Database
from db.roles import logins
from tests.assistant.conftest import SECRET
from tests.db.crm.helpdesk.world import Helpdesk
from tests.postgres import execute, on
from tools.permissions import Actor, Role


@pytest.fixture(autouse=True)
def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("VELO_DATA_DIR", str(tmp_path))
    monkeypatch.setattr("assistant.logging.configure", lambda level: None)


async def run(*arguments: str) -> int:
    """A command, in a thread: it brings an event loop of its own."""
    return await asyncio.to_thread(main, arguments)


def test_every_command_of_the_contract_is_there() -> None:
    for line in (
        "serve",
        "demo",
        "migrate",
        "seed --contacts 50 --structure-seed 2 --people-seed 3",
        "chat",
        "token --tenant 1 --member 2",
        "db url",
        "seed --contacts 1000000 --tenants 50",
        "tenant add --name Acme --language pt --zone America/Sao_Paulo --countries BR,AR --issuer https://id.velo.test",
        "tenant list",
        "member add --tenant 1 --name Somebody --role agent --email a@b.example --inbox 1 --inbox 2",
        "member list --tenant 1",
        "jobs run lease-sweep",
        "jobs list",
    ):
        assert callable(function_of(parser().parse_args(line.split()).command))


@pytest.mark.parametrize("line", ["", "unknown", "token", "tenant add", "tenant add --name", "tenant add --name A --language fr", "tenant add --name A --countries XX",
        "member add --tenant 1", "member add --tenant 1 --name A --role boss", "member add --tenant 1 --name A --email nobody", "token --tenant 0 --member 1", "jobs run other", "db", "seed --contacts 39", "token --tenant abc --member 1"])
def test_what_cannot_be_understood_ends_with_the_usage(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(line.split())
    assert caught.value.code == 2
    complaint = capsys.readouterr().err
    assert "usage: velo" in complaint
    assert "_positive" not in complaint


async def test_settings_that_do_not_fit_end_in_one_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("VELO_JWT_SECRET", "changeme")
    assert await run("serve") == 1
    captured = capsys.readouterr()
    assert captured.err.startswith("velo: VELO_JWT_SECRET ")
    assert captured.err.count("\n") == 1
    assert "changeme" not in captured.err


@pytest.mark.parametrize(("error", "shown"), [(Unavailable("the server is away"), "velo: the server is away\n"), (ValueError("María"), None)])
async def test_no_error_shows_a_traceback_or_what_it_quotes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: Exception, shown: str | None
) -> None:
    def fail(*arguments: object) -> None:
        raise error

    monkeypatch.setattr(cli_admin, "db_url", fail)
    assert await run("db", "url") == 1
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err + captured.out
    assert "María" not in captured.err + captured.out
    if shown is None:
        assert "(error " in captured.err
    else:
        assert captured.err == shown


async def test_a_module_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fail(*arguments: object) -> None:
        raise ModuleNotFoundError("No module named 'regex'", name="regex")

    monkeypatch.setattr(cli_admin, "db_url", fail)
    assert await run("db", "url") == 1
    assert "the module regex is not installed" in capsys.readouterr().err


async def test_serve_on_a_new_database_says_what_to_do_first(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("VELO_JWT_SECRET", SECRET)
    monkeypatch.setenv("DATABASE_URL", "postgresql://nobody:nothing@127.0.0.1:9/none")
    monkeypatch.setenv("VELO_PORT", str(free_port()))
    assert await run("serve") == 1
    assert "velo migrate" in capsys.readouterr().err


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


async def test_without_a_secret_there_is_no_token(capsys: pytest.CaptureFixture[str]) -> None:
    assert await run("token", "--tenant", "1", "--member", "2") == 1
    assert "velo demo" in capsys.readouterr().err


async def test_a_token_is_for_its_member_and_an_hour(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("VELO_JWT_SECRET", SECRET)
    assert await run("token", "--tenant", "7", "--member", "9") == 0
    claims = jwt.decode(capsys.readouterr().out.strip(), SECRET, algorithms=["HS256"], audience="velo")
    assert (claims["tenant"], claims["sub"]) == (7, "9")
    assert 3500 < claims["exp"] - time.time() <= 3600


def test_the_demos_secret_is_made_once_and_is_its_owners(tmp_path: Path) -> None:
    made = demo_secret(read_settings(demo=True))
    assert made == demo_secret(read_settings(demo=True)) == signing_secret(read_settings())
    assert len(made) == 64
    assert (tmp_path / "jwt_secret").stat().st_mode & 0o777 == 0o600


async def test_the_owners_dsn_is_printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], admin_dsn: str) -> None:
    monkeypatch.setenv("DATABASE_URL", admin_dsn)
    assert await run("db", "url") == 0
    assert capsys.readouterr().out.strip() == logins(admin_dsn).owner


async def test_migrate_twice_does_nothing_the_second_time(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], admin_dsn: str
) -> None:
    monkeypatch.setenv("DATABASE_URL", admin_dsn)
    assert await run("migrate") == 0
    assert capsys.readouterr().out == "Nothing to do.\n"


async def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command that ends well prints."""
    assert await run(*arguments) == 0
    return capsys.readouterr().out.strip()


async def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command that ends badly says, in one line."""
    assert await run(*arguments) == 1
    captured = capsys.readouterr()
    assert (captured.out, captured.err.count("\n")) == ("", 1)
    return captured.err


@pytest.fixture
def on_database(monkeypatch: pytest.MonkeyPatch, admin_dsn: str) -> None:
    monkeypatch.setenv("DATABASE_URL", admin_dsn)
    monkeypatch.setenv("VELO_JWT_SECRET", SECRET)


@pytest.mark.usefixtures("on_database")
async def test_a_tenant_and_a_member_are_added_and_can_sign_in(capsys: pytest.CaptureFixture[str], database: Database) -> None:
    tenant = await printed(capsys, "tenant", "add", "--name", "Acme", "--language", "pt")
    member = await printed(capsys, "member", "add", "--name", "Somebody", "--tenant", tenant, "--role", "supervisor")
    token = await printed(capsys, "token", "--tenant", tenant, "--member", member)
    actor = await Authenticator(SharedSecret(SECRET), database).actor(f"Bearer {token}")
    assert actor == Actor(int(tenant), int(member), Role.SUPERVISOR)
    assert await printed(capsys, "tenant", "list") == f"{tenant}\tAcme"


@pytest.mark.usefixtures("on_database")
async def test_members_are_listed_by_number_and_role(capsys: pytest.CaptureFixture[str]) -> None:
    tenant = await printed(capsys, "tenant", "add", "--name", "Acme")
    assert await printed(capsys, "member", "list", "--tenant", tenant) == "There are none."
    agent = await printed(capsys, "member", "add", "--tenant", tenant, "--name", "Somebody")
    admin = await printed(capsys, "member", "add", "--tenant", tenant, "--name", "Another", "--role", "admin")
    assert await printed(capsys, "member", "list", "--tenant", tenant) == f"{admin}\tadmin\n{agent}\tagent"


async def test_a_command_on_a_database_that_is_new_says_what_comes_first(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], server: Server
) -> None:
    await execute(server.dsn, 'DROP DATABASE IF EXISTS "brand_new"')
    await execute(server.dsn, 'CREATE DATABASE "brand_new"')
    monkeypatch.setenv("DATABASE_URL", on(server.dsn, "brand_new"))
    for command in (("seed",), ("tenant", "list")):
        assert await run(*command) == 1
        assert "velo migrate" in capsys.readouterr().err


@pytest.mark.usefixtures("on_database")
async def test_what_is_said_of_a_tenant_is_stored(capsys: pytest.CaptureFixture[str], database: Database) -> None:
    options = ("--language", "pt", "--zone", "America/Sao_Paulo", "--countries", "br, ar", "--model", "some-model", "--issuer", "https://id.velo.test")
    tenant = int(await printed(capsys, "tenant", "add", "--name", "Acme", *options))
    async with database.tenant(tenant) as connection:
        settings = tenant_settings(await connection.fetchval("SELECT settings FROM velo.tenants"))
        issuers = [row["issuer"] for row in await connection.fetch("SELECT issuer FROM velo.issuers")]
    assert (settings.language, settings.zone, settings.model) == ("pt", "America/Sao_Paulo", "some-model")
    assert settings.phone_regions == settings.id_countries == ("BR", "AR")
    assert issuers == ["https://id.velo.test"]


@pytest.mark.usefixtures("on_database")
async def test_said_again_a_tenant_is_the_same_and_another_of_its_name_is_refused(capsys: pytest.CaptureFixture[str], database: Database) -> None:
    first = await printed(capsys, "tenant", "add", "--name", "Acme")
    assert await printed(capsys, "tenant", "add", "--name", " Acme ", "--issuer", "https://id.velo.test") == first
    assert f"tenant {first} " in await complaint(capsys, "tenant", "add", "--name", "Acme", "--language", "en")
    assert await printed(capsys, "tenant", "add", "--name", "Other") != first
    async with database.tenant(int(first)) as connection:
        assert {row["issuer"] for row in await connection.fetch("SELECT issuer FROM velo.issuers")} == {"velo", "https://id.velo.test"}


@pytest.mark.usefixtures("on_database")
@pytest.mark.parametrize("options", [("--zone", "Mars/Olympus"), ("--account", "7"), ("--model", "")])
async def test_a_tenant_with_settings_that_do_not_fit_is_not_added(capsys: pytest.CaptureFixture[str], options: tuple[str, str]) -> None:
    await complaint(capsys, "tenant", "add", "--name", "Acme", *options)
    assert "velo tenant add" in await printed(capsys, "tenant", "list")


@pytest.mark.usefixtures("on_database")
async def test_said_again_a_member_is_the_same(capsys: pytest.CaptureFixture[str], database: Database, owner: Database) -> None:
    tenant = await printed(capsys, "tenant", "add", "--name", "Acme")
    async with owner.tenant(int(tenant)) as connection:
        inboxes = [await connection.fetchval("INSERT INTO crm.inboxes (tenant_id, name) VALUES ($1, 'I') RETURNING id", int(tenant)) for _ in "ab"]
    who = ("member", "add", "--tenant", tenant, "--name", "Somebody", "--email", "somebody@velo.test")
    first = await printed(capsys, *who, "--inbox", str(inboxes[0]))
    assert await printed(capsys, *who, "--inbox", str(inboxes[0]), "--inbox", str(inboxes[1])) == first
    assert await printed(capsys, *who, "--role", "admin") != first
    async with database.tenant(int(tenant)) as connection:
        rows = await connection.fetch("SELECT inbox_id FROM crm.inbox_members WHERE member_id = $1 ORDER BY 1", int(first))
    assert [row["inbox_id"] for row in rows] == inboxes


@pytest.mark.usefixtures("on_database")
async def test_a_member_of_nothing_is_not_added(capsys: pytest.CaptureFixture[str]) -> None:
    assert "there is no tenant 9: `velo tenant list`" in await complaint(capsys, "member", "add", "--tenant", "9", "--name", "Somebody")
    tenant = await printed(capsys, "tenant", "add", "--name", "Acme")
    refused = await complaint(capsys, "member", "add", "--tenant", tenant, "--name", "Somebody", "--inbox", "7")
    assert "no inbox 7: it has none" in refused
    assert "Somebody" not in refused


@pytest.mark.usefixtures("on_database")
async def test_a_crm_of_its_own_gets_no_members_and_nobody_invented(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("VELO_CRM", "helpdesk")
    assert "members of this CRM are added there" in await complaint(capsys, "member", "add", "--tenant", "1", "--name", "Somebody")
    assert "--account" in await complaint(capsys, "tenant", "add", "--name", "Acme")
    assert "never filled" in await complaint(capsys, "seed")
    assert "no demo fills" in await complaint(capsys, "demo")


async def test_a_tenant_of_a_crm_with_accounts_is_one_of_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], server: Server
) -> None:
    await execute(server.dsn, "CREATE DATABASE accounts_of_a_helpdesk")
    dsn = on(server.dsn, "accounts_of_a_helpdesk")
    await Helpdesk().build(dsn)
    monkeypatch.setenv("DATABASE_URL", dsn)
    monkeypatch.setenv("VELO_CRM", "helpdesk")
    assert "no such account" in await complaint(capsys, "tenant", "add", "--name", "Acme", "--account", "unheard-of")
    assert "another tenant already" in await complaint(capsys, "tenant", "add", "--name", "Acme", "--account", "vecina")
    tenants = await printed(capsys, "tenant", "list")
    added = await printed(capsys, "tenant", "add", "--name", "Acme", "--account", "nadie")
    assert await printed(capsys, "tenant", "list") == f"{tenants}\n{added}\tAcme"
    assert (await printed(capsys, "jobs", "run", "crm-reconcile")).startswith("crm-reconcile: ")


async def test_seed_writes_the_renaming_and_does_not_write_twice(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, admin_dsn: str
) -> None:
    monkeypatch.setenv("DATABASE_URL", admin_dsn)
    file = tmp_path / "renaming.json"
    assert await run("seed", "--contacts", "40", "--people-seed", "3", "--renaming", str(file)) == 0
    assert json.loads(file.read_text(encoding="utf-8")).keys() == {"words", "identifiers"}
    async with administration.owned(admin_dsn) as owner:
        tenants = await administration.tenants(owner)
    assert [tenant.id for tenant in tenants] == [1, 2, 3]
    assert all(tenant.members[0][1] == "admin" for tenant in tenants)
    capsys.readouterr()
    before = file.read_bytes()
    assert await run("seed", "--people-seed", "4", "--renaming", str(file)) == 1
    assert "nothing was written" in capsys.readouterr().err
    assert file.read_bytes() == before


async def test_a_job_is_done_on_demand(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], admin_dsn: str) -> None:
    monkeypatch.setenv("DATABASE_URL", admin_dsn)
    assert await run("jobs", "run", "lease-sweep") == 0
    assert capsys.readouterr().out == "lease-sweep: 0\n"


async def test_a_job_that_fails_with_a_tenant_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], admin_dsn: str
) -> None:
    async def fail(*arguments: object) -> jobs.Ran:
        return jobs.Ran(changed=4, failed=2)

    monkeypatch.setattr(jobs, "run", fail)
    monkeypatch.setenv("DATABASE_URL", admin_dsn)
    assert await run("jobs", "run", "lease-sweep") == 1
    assert "failed with 2 tenants" in capsys.readouterr().err


async def test_the_jobs_are_listed_with_what_they_do(capsys: pytest.CaptureFixture[str]) -> None:
    listed = (await printed(capsys, "jobs", "list")).splitlines()
    assert [line.split()[0] for line in listed] == [job.name for job in jobs.JOBS]


async def test_tenants_that_would_have_too_few_contacts_are_not_made(capsys: pytest.CaptureFixture[str]) -> None:
    assert "50 need 2000 at least" in await complaint(capsys, "seed", "--contacts", "1999", "--tenants", "50")
