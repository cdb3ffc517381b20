"""Stages are timed only while they are watched, and percentiles are values that were measured."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest

from bench.clock import percentile, table, timed


@pytest.mark.parametrize(("share", "value"), [(0.0, 1.0), (0.5, 3.0), (0.95, 5.0), (1.0, 5.0)])
def test_a_percentile_is_one_of_the_values(share: float, value: float):
    assert percentile([5.0, 1.0, 4.0, 2.0, 3.0], share) == value


async def test_stages_are_timed_while_they_are_watched_waiting_or_not():
    async def wait() -> str:
        return "waited"

    place = SimpleNamespace(call=lambda: time.sleep(0.001), wait=wait)
    before = (place.call, place.wait)
    with timed([("one", place, "call"), ("other", place, "wait")]) as spent:
        place.call()
        assert await place.wait() == "waited"
    assert (place.call, place.wait) == before
    assert spent["one"] >= 0.001
    assert 0 < spent["other"] < spent["one"]


def test_a_table_has_its_figures_to_the_right():
    assert table("T", [("", "ms"), ("a turn", "12.5")]) == "T\n            ms\n  a turn  12.5\n"
