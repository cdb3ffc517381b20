"""``velo demo`` as a person runs it: a process, a port, an embedded Postgres, and nothing left when it ends."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import psutil
import pytest

from tests.model_endpoint import ModelEndpoint, serving


@pytest.fixture
def environment() -> Iterator[dict[str, str]]:
    """A data folder of its own, where the account of the embedded Postgres can reach it, and a free port."""
    folder = Path(tempfile.mkdtemp(prefix="velo-test-", dir="/var/tmp"))
    folder.chmod(0o755)
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    yield {**os.environ, "VELO_DATA_DIR": str(folder), "VELO_PORT": str(port)}
    shutil.rmtree(folder)


def velo(*arguments: str, environment: dict[str, str]) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "assistant", *arguments]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def output(*arguments: str, environment: dict[str, str]) -> str:
    """What a command that ends well prints."""
    process = velo(*arguments, environment=environment)
    printed, complaint = process.communicate(timeout=60)
    assert (process.returncode, complaint) == (0, "")
    return printed.strip()


def wait_until_ready(url: str, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if httpx2.get(f"{url}/readyz").status_code == 200:
                return
        except httpx2.HTTPError:
            time.sleep(0.1)
    raise AssertionError(process.communicate(timeout=5))


def stop(process: subprocess.Popen[str]) -> tuple[str, str]:
    process.send_signal(signal.SIGTERM)
    return process.communicate(timeout=30)


def test_the_demo_starts_answers_and_leaves_nothing_behind(environment: dict[str, str]) -> None:
    url = f"http://127.0.0.1:{environment['VELO_PORT']}"
    demo = velo("demo", environment=environment)
    try:
        wait_until_ready(url, demo)
        children = psutil.Process(demo.pid).children(recursive=True)
        token = output("token", "--tenant", "1", "--member", "1", environment=environment)
        response = httpx2.post(
            f"{url}/api/assistant/messages",
            json={"text": "¿qué pasó con María López?"},
            headers={"Authorization": f"Bearer {token}"},
            timeout=30,
        )
        dsn = output("db", "url", environment=environment)
        taken = velo("demo", environment=environment)
        _, refusal = taken.communicate(timeout=30)
    finally:
        printed, logged = stop(demo)
    assert demo.returncode == 0
    assert "María López" in response.json()["message"]["text"]
    assert dsn.startswith("postgresql://velo_owner:")
    assert (taken.returncode, refusal.count("\n")) == (1, 1)
    assert "VELO_PORT" in refusal
    assert "NOT a language model" in printed
    assert f"curl -s {url}/api/assistant/messages" in printed
    assert all(isinstance(json.loads(line), dict) for line in logged.splitlines())
    assert "María" not in logged
    assert children
    assert not any(child.is_running() and child.status() != psutil.STATUS_ZOMBIE for child in children)


async def test_serve_asks_the_model_it_was_told_to(admin_dsn: str, environment: dict[str, str]) -> None:
    endpoint = ModelEndpoint(["Todo bien."])
    async with serving(endpoint) as base_url:
        environment |= {
            "DATABASE_URL": admin_dsn,
            "VELO_JWT_SECRET": "c81f4d0a6b2e9357" * 4,
            "OPENAI_BASE_URL": base_url,
            "VELO_MODEL": "some-model",
        }
        output("seed", "--contacts", "40", environment=environment)
        server = velo("serve", environment=environment)
        url = f"http://127.0.0.1:{environment['VELO_PORT']}"
        try:
            wait_until_ready(url, server)
            token = output("token", "--tenant", "1", "--member", "1", environment=environment)
            async with httpx2.AsyncClient(timeout=30) as client:
                response = await client.post(
                    f"{url}/api/assistant/messages",
                    json={"text": "¿qué pasó con María López?"},
                    headers={"Authorization": f"Bearer {token}"},
                )
        finally:
            stop(server)
    assert response.json()["message"]["text"] == "Todo bien."
    assert endpoint.received[0].json["model"] == "some-model"
    assert "María" not in endpoint.text
    assert server.returncode == 0
