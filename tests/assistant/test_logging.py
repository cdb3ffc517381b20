"""Log lines: known keys, short words, and nothing of what anybody wrote."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from assistant.logging import KEYS, configure


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    yield
    root.handlers[:] = before
    root.setLevel(level)
    structlog.reset_defaults()


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_is_an_event_with_its_keys() -> None:
    stream = io.StringIO()
    configure("INFO", stream=stream)
    with structlog.contextvars.bound_contextvars(request_id="0123"):
        structlog.get_logger().info("turn_done", turn_id=7, ms=12, model="vendor/some-model:1")
    (line,) = lines(stream)
    time = line.pop("time")
    assert time.endswith("+00:00")
    assert line == {
        "event": "turn_done",
        "level": "info",
        "request_id": "0123",
        "turn_id": 7,
        "ms": 12,
        "model": "vendor/some-model:1",
    }


@pytest.mark.parametrize("value", ["María López", "a@b.example", "x" * 200, '"', "línea\nnueva", ["María"], {"a": 1}, object()])
def test_a_value_that_is_more_than_a_word_is_not_written(value: Any) -> None:
    stream = io.StringIO()
    configure("INFO", stream=stream)
    structlog.get_logger().info("turn_done", code=value)
    assert lines(stream)[0]["code"] == "?"


def test_a_key_that_is_not_known_is_dropped() -> None:
    stream = io.StringIO()
    configure("INFO", stream=stream)
    structlog.get_logger().info("turn_done", question="María", exc_info=True)
    assert lines(stream)[0].keys() <= KEYS
    assert "María" not in stream.getvalue()


def test_a_sentence_is_no_event() -> None:
    stream = io.StringIO()
    configure("INFO", stream=stream)
    structlog.get_logger().info("María called twice")
    assert lines(stream)[0]["event"] == "?"


@pytest.mark.parametrize(("level", "shown"), [("INFO", False), ("DEBUG", True)])
def test_words_of_libraries_show_at_debug_only_and_tracebacks_never(level: str, shown: bool) -> None:
    stream = io.StringIO()
    configure(level, stream=stream)
    try:
        raise ValueError("María is in the exception")
    except ValueError:
        logging.getLogger("some.library").exception("failed for %s", "Pedro")
    (line,) = lines(stream)
    assert (line["logger"], line["level"], line["kind"]) == ("some.library", "error", "ValueError")
    assert ("Pedro" in stream.getvalue()) == shown
    assert "María" not in stream.getvalue()


def test_the_libraries_that_speak_to_models_are_quiet_at_every_level() -> None:
    configure("DEBUG", stream=io.StringIO())
    assert all(not logging.getLogger(name).isEnabledFor(logging.INFO) for name in ("openai", "httpx2", "httpcore2"))
