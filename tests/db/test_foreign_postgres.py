"""DATABASE_URL: an older Postgres that is not ours, run by a superuser or by a mere owner of one database."""

from __future__ import annotations

import os
import pwd
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from db import embedded, probe, roles
from db.migrate import migrate
from db.pool import Database
from tests.postgres import execute, on, scratch

BINARIES = Path("/usr/lib/postgresql/15/bin")


@pytest.fixture
def folder() -> Iterator[Path]:
    with scratch() as path:
        yield path


@pytest.fixture(params=[15, 18], ids=["Postgres 15", "Postgres 18"])
def foreign_server(folder: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """A superuser's DSN of a server that never saw Velo. Roles are the whole server's, so it is not the session's."""
    if request.param == 18:
        server = embedded.start(folder / "data", fsync=False)
        yield server.dsn
        server.stop()
    elif (BINARIES / "postgres").is_file():
        yield from _fifteen(folder)
    else:
        pytest.skip("needs Debian's postgresql-15 (apt-get install postgresql-15)")


@pytest.fixture(params=["superuser", "owner of the database"])
async def foreign_dsn(foreign_server: str, request: pytest.FixtureRequest) -> str:
    """An administrator's DSN of an empty database there."""
    await execute(foreign_server, "CREATE ROLE keeper LOGIN CREATEROLE PASSWORD 'keeps'")
    await execute(foreign_server, 'CREATE DATABASE "foreign" OWNER keeper')
    dsn = on(foreign_server, "foreign")
    if request.param == "superuser":
        return dsn
    return f"postgresql://keeper:keeps@{dsn.rpartition('@')[2]}"


async def test_it_can_be_migrated_probed_and_minted_in(foreign_dsn: str) -> None:
    assert await migrate(foreign_dsn, preset="demo")
    assert await migrate(foreign_dsn, preset="demo") == []
    logins = roles.logins(foreign_dsn)
    owner = await Database.open(logins.owner)
    async with owner.tenant(1) as connection:
        await connection.execute("INSERT INTO velo.tenants (tenant_id, name) VALUES (1, 'Uno')")
        thread = await connection.fetchval("INSERT INTO velo.threads (tenant_id, member_id) VALUES (1, 1) RETURNING id")
        await connection.execute("INSERT INTO crm.contacts (tenant_id, id, name) VALUES (1, 1, 'Álvaro Núñez')")
    await owner.close()

    app = await Database.open(logins.app)
    remarks = await probe.check(app)
    async with app.tenant(1) as connection:
        number = await connection.fetchval("SELECT number FROM velo.mint($1, '{C}', '{1}')", thread)
        forms = await connection.fetch("SELECT form FROM crm.name_forms ORDER BY form")
    await app.close()
    assert number == 1
    assert [row["form"] for row in forms] == ["alvaro", "alvaro nunez", "nunez"]
    # Only a superuser can close set_config; the others are told.
    assert bool(remarks) == ("keeper" in foreign_dsn)


def _fifteen(folder: Path) -> Iterator[str]:
    account: dict[str, Any] = {}
    (folder / "password").write_text("p@ss word")
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        account = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        for path in (folder, folder / "password"):
            os.chown(path, nobody.pw_uid, nobody.pw_gid)
    data, password = str(folder / "data"), str(folder / "password")
    initdb = [str(BINARIES / "initdb"), "-D", data, "-U", "boss", "-A", "scram-sha-256", "-E", "UTF8", "--no-sync"]
    initdb.append(f"--pwfile={password}")
    subprocess.run(initdb, check=True, capture_output=True, cwd=folder, env={"LC_ALL": "C"}, **account)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    postgres = [str(BINARIES / "postgres"), "-D", data, "-p", str(port), "-k", "", "-F"]
    server = subprocess.Popen(postgres, cwd=folder, env={"LC_ALL": "C"}, stderr=subprocess.DEVNULL, **account)
    _wait_for(port)
    yield f"postgresql://boss:p%40ss%20word@127.0.0.1:{port}/postgres"
    server.send_signal(signal.SIGINT)
    server.wait()


def _wait_for(port: int) -> None:
    for _ in range(300):
        try:
            with socket.create_connection(("127.0.0.1", port)):
                return
        except OSError:
            time.sleep(0.05)
    raise AssertionError("Postgres 15 does not start")
