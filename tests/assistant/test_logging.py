"""Log lines: known keys, short words, and nothing of what anybody wrote."""

from __future__ import annotations

import io
import json
import logging
import sys
import threading
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from assistant.logging import KEYS, configure, wordless


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


class Talkative:
    """Whose end goes wrong, in words."""

    def __del__(self) -> None:
        raise ValueError("María could not be dropped")


def test_errors_that_nobody_caught_show_their_kind_and_place_only(capfd: pytest.CaptureFixture[str]) -> None:
    stream = io.StringIO()
    configure("INFO", stream=stream)
    with wordless():
        thread = threading.Thread(target=lambda: int("María"))
        thread.start()
        thread.join()
        talkative = Talkative()
        del talkative
    assert [(line["event"], line["kind"], line["level"]) for line in lines(stream)] == [("uncaught_error", "ValueError", "error")] * 2
    assert all(line["place"].startswith("test_logging.py:") for line in lines(stream))
    assert "María" not in stream.getvalue() + "".join(capfd.readouterr())


def test_warnings_and_lines_that_cannot_be_written_show_no_words_either(capfd: pytest.CaptureFixture[str]) -> None:
    stream = io.StringIO()
    configure("DEBUG", stream=stream)
    with wordless(), warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(False)
        logging.captureWarnings(True)  # pytest's own capture stands before ours
        warnings.warn("María is deprecated", stacklevel=1)
        logging.getLogger("some.library").warning("%d of them", "María")
    assert "María" not in "".join(capfd.readouterr())


def test_what_was_changed_for_the_process_is_put_back() -> None:
    before = (sys.unraisablehook, threading.excepthook, logging.raiseExceptions)
    with wordless():
        assert (sys.unraisablehook, threading.excepthook, logging.raiseExceptions) != before
    assert (sys.unraisablehook, threading.excepthook, logging.raiseExceptions) == before


@pytest.mark.parametrize("name", ["uvicorn.error", "asyncio", "openai", "httpx2"])
def test_the_loudest_lines_of_libraries_have_no_words(name: str) -> None:
    stream = io.StringIO()
    configure("INFO", stream=stream)
    logging.getLogger(name).error("Task exception was never retrieved: %s", "María", extra={"task": "María"})
    (line,) = lines(stream)
    assert line["logger"] == name
    assert "María" not in stream.getvalue()
