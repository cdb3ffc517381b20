"""Log lines: events with keys out of a closed list, one JSON object a line. No text of users, customers or libraries.

Ours go through structlog: a key that is not in ``KEYS`` is dropped, and a value that is more than a word (blanks,
quotes, length) becomes ``"?"``, so that a sentence cannot slip into a log even by mistake. Those of libraries keep
their logger, level and place only; their words show at level DEBUG, which is for a developer's machine. What Python would write
to the terminal by itself (errors that nobody caught, warnings, a log line that cannot be written) comes here too, and at no level with its words.
"""

import json
import logging
import re
import sys
import threading
import traceback
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import PurePath
from types import TracebackType
from typing import Any, TextIO

import structlog

#: Every key that a log line may have.
KEYS = frozenset(
    {
        "attempts", "calls", "code", "count", "error_id", "event", "job", "kind", "late_masks", "level", "logger",
        "member_id", "method", "model", "ms", "place", "port", "preset", "prompt_version", "request_id", "route",
        "state", "status", "step", "tenant_id", "thread_id", "time", "tokens_in", "tokens_out", "tool", "turn_id",
        "version",
    }
)  # fmt: skip

_WORD = re.compile(r"[\w.:/+|{}-]{0,120}")
_QUIET = ("openai", "httpx2", "httpcore2", "asyncio", "uvicorn.access", "uvicorn.error")


def configure(level: str, *, stream: TextIO | None = None) -> None:
    """Set up logging for the process; called once by each command."""
    stream = stream or sys.stderr
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            _stamped,
            only_known_keys,
            _rendered,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(stream),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(_OfLibraries(with_words=level == "DEBUG"))
    logging.basicConfig(handlers=[handler], level=level, force=True)
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)


@contextmanager
def wordless() -> Iterator[None]:
    """For the length of the block Python itself writes no words either: errors that nobody caught, warnings, lines that cannot be written."""
    unraisable, uncaught, verbose = sys.unraisablehook, threading.excepthook, logging.raiseExceptions
    sys.unraisablehook = lambda said: _uncaught(said.exc_type, said.exc_traceback)
    threading.excepthook = lambda said: _uncaught(said.exc_type, said.exc_traceback)
    logging.raiseExceptions = False
    logging.captureWarnings(True)
    try:
        yield
    finally:
        logging.captureWarnings(False)
        sys.unraisablehook, threading.excepthook, logging.raiseExceptions = unraisable, uncaught, verbose


def _uncaught(kind: type[BaseException], trace: TracebackType | None) -> None:
    frames = traceback.extract_tb(trace)
    place = f"{PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else None
    structlog.get_logger().error("uncaught_error", kind=kind.__name__, place=place)


def only_known_keys(logger: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """The event with its known keys, each value a number or a short word."""
    return {key: _word(value) for key, value in event.items() if key in KEYS}


def _word(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float):
        return value
    return value if isinstance(value, str) and _WORD.fullmatch(value) else "?"


def _stamped(logger: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    event["time"] = _now()
    return event


def _rendered(logger: Any, method: str, event: MutableMapping[str, Any]) -> str:
    return json.dumps(event, sort_keys=True)


class _OfLibraries(logging.Formatter):
    """A library's record as an event, without its words."""

    def __init__(self, *, with_words: bool) -> None:
        super().__init__()
        self._with_words = with_words

    def format(self, record: logging.LogRecord) -> str:
        event: dict[str, Any] = {
            "event": "library_log",
            "level": record.levelname.lower(),
            "logger": record.name,
            "place": f"{record.module}:{record.lineno}",
            "time": _now(),
        }
        if record.exc_info and record.exc_info[0] is not None:
            event["kind"] = record.exc_info[0].__name__
        if self._with_words:
            event["words"] = record.getMessage()
        return json.dumps(event, sort_keys=True)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")  # noqa: TID251 - when the line was written
