"""Starts servers quickly: one process loads everything once, and forks itself for each. Only the imports are spared."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

PROJECT = Path(__file__).resolve().parents[2]

_NURSERY = """
import ctypes, json, os, signal, sys
import assistant.cli, assistant.cli_serve

signal.signal(signal.SIGCHLD, signal.SIG_IGN)
print(flush=True)
for line in sys.stdin:
    order = json.loads(line)
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: nothing outlives an interrupted run of the tests
        log = os.open(order["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        for number, file in ((0, os.open(os.devnull, os.O_RDONLY)), (1, log), (2, log)):
            os.dup2(file, number)
        os.environ.update(order["environment"])
        os._exit(assistant.cli.main(["serve"]))
    print(pid, flush=True)
"""


class Nursery:
    """Where servers come from; a context manager."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _NURSERY], cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._children: list[int] = []

    def __enter__(self) -> Nursery:
        self._read()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()
        self._process.wait(timeout=30)

    def serve(self, environment: Mapping[str, str], log: Path) -> int:
        """Starts `velo serve` with this environment; gives its process id."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"environment": environment, "log": str(log)}) + "\n")
        self._process.stdin.flush()
        return int(self._read())

    def _read(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()


def send(pid: int, number: signal.Signals) -> None:
    """A signal to a server that may be gone already."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


def lives(pid: int) -> bool:
    """Whether a process is there."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
