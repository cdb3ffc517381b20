"""Processes of a server: whether they live, how they end, and that they do not outlive the one that started them."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil

_STOP_SECONDS = 20.0


def end_with_parent() -> Callable[[], None] | None:
    """What the child does before it becomes Postgres: it asks the kernel for a SIGINT when this process ends."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    parent = os.getpid()

    def ask() -> None:
        prctl(1, signal.SIGINT)  # PR_SET_PDEATHSIG
        if os.getppid() != parent:
            os._exit(1)

    return ask


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
    except OSError:
        return False


def alive(pid: int, *, name: str | None = None) -> bool:
    """Whether this process runs (a zombie does not), under this name if one is asked for."""
    if pid <= 0:
        return False
    try:
        process = psutil.Process(pid)
        if name is not None and not process.name().startswith(name):
            return False
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def works_in(process: psutil.Process, folder: Path) -> bool:
    """Whether this is a process of the Postgres over this folder: each of them changes to it."""
    try:
        return process.name().startswith("postgres") and Path(process.cwd()) == folder
    except psutil.Error:
        return False


def end(pid: int) -> None:
    """Asks for a fast shutdown, then for an immediate one, and waits."""
    for ask in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
        if not alive(pid, name="postgres"):
            break
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, ask)
        _wait(pid)


def _wait(pid: int) -> None:
    deadline = time.monotonic() + _STOP_SECONDS
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
