"""Stopwatches and tables. Figures are medians; nothing here asserts a time, since a machine has good and bad minutes."""

import inspect
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

#: What is timed under which name: the object that holds a function, and the function's name there.
Stage = tuple[str, Any, str]


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which this share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def spread(values: Sequence[float]) -> tuple[float, float, float]:
    """Least, median and greatest."""
    return min(values), statistics.median(values), max(values)


@contextmanager
def timed(stages: Sequence[Stage]) -> Iterator[dict[str, float]]:
    """Seconds spent in these functions while the block runs. None of them may call another, or its time counts twice."""
    spent: dict[str, float] = defaultdict(float)
    with ExitStack() as stack:
        for name, owner, attribute in stages:
            stack.enter_context(patch.object(owner, attribute, _watched(getattr(owner, attribute), name, spent)))
        yield spent


def _watched(call: Callable[..., Any], name: str, spent: dict[str, float]) -> Callable[..., Any]:
    if inspect.iscoroutinefunction(call):

        async def awaited(*args: Any, **named: Any) -> Any:
            started = time.perf_counter()
            try:
                return await call(*args, **named)
            finally:
                spent[name] += time.perf_counter() - started

        return awaited

    def called(*args: Any, **named: Any) -> Any:
        started = time.perf_counter()
        try:
            return call(*args, **named)
        finally:
            spent[name] += time.perf_counter() - started

    return called


def table(title: str, rows: Sequence[tuple[str, ...]]) -> str:
    """Rows of text in columns: the first to the left, figures to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]) for row in rows
    ]
    return "\n".join([title, *(f"  {line}" for line in lines), ""])
