"""What the process counts: every label out of a closed set, and nothing of anybody's."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from prometheus_client.parser import text_string_to_metric_families

from assistant.metrics import Metrics


def counted(metrics: Metrics) -> dict[tuple[str, ...], float]:
    """Every sample that is not a bucket: its name and the values of its labels."""
    families = text_string_to_metric_families(metrics.text().decode())
    return {
        (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in families
        for sample in family.samples
        if "le" not in sample.labels
    }


def test_everything_that_happens_in_a_turn_is_counted() -> None:
    metrics = Metrics()
    metrics.request_served("POST", "/api/assistant/messages", 200, 0.2)
    metrics.turn_ended("done", 0.1)
    metrics.model_called("answered", 0.05, tokens_in=30, tokens_out=4)
    metrics.tool_called("show_contact", "ok", 0.01)
    metrics.events_written(3)
    metrics.late_masked(2)
    metrics.guard_hit("masked", 5)
    metrics.job_ran("lease-sweep", "busy", 0.01)
    metrics.streams.inc()
    found = counted(metrics)
    assert found["velo_request_seconds_count", "POST", "/api/assistant/messages", "200"] == 1
    assert found["velo_turn_seconds_sum", "done"] == pytest.approx(0.1)
    assert found["velo_model_call_seconds_count", "answered"] == 1
    assert (found["velo_model_tokens_total", "in"], found["velo_model_tokens_total", "out"]) == (30, 4)
    assert found["velo_tool_call_seconds_count", "ok", "show_contact"] == 1
    assert found["velo_events_written_total",] == 3
    assert found["velo_late_masks_total",] == 2
    assert found["velo_guard_hits_total", "masked"] == 5
    assert found["velo_job_seconds_count", "lease-sweep", "busy"] == 1
    assert found["velo_open_streams",] == 1


def test_what_is_no_name_of_ours_is_other() -> None:
    metrics = Metrics()
    metrics.request_served("MARIANA", "none", 200, 0.1)
    metrics.request_served("GET", "none", 0, 0.1)
    metrics.turn_ended("Mariana", 0.1)  # type: ignore[arg-type]
    metrics.model_called("Mariana", 0.1)  # type: ignore[arg-type]
    metrics.tool_called("Mariana", "Mariana", 0.1)  # type: ignore[arg-type]
    metrics.guard_hit("Mariana")  # type: ignore[arg-type]
    metrics.job_ran("lease-sweep", "Mariana", 0.1)  # type: ignore[arg-type]
    assert b"mariana" not in metrics.text().lower()
    assert counted(metrics)["velo_tool_call_seconds_count", "other", "other"] == 1


def test_states_count_from_nothing_so_that_their_first_time_is_a_change() -> None:
    found = counted(Metrics())
    assert found["velo_turn_seconds_count", "failed"] == 0
    assert found["velo_model_call_seconds_count", "cut"] == 0
    assert found["velo_guard_hits_total", "withheld"] == 0


@dataclass
class Pool:
    in_use: int
    waiting: int


def test_a_pool_is_told_as_it_stands() -> None:
    metrics, pool = Metrics(), Pool(1, 0)
    metrics.watch(pool)
    pool.in_use, pool.waiting = 10, 7
    found = counted(metrics)
    assert (found["velo_pool_in_use",], found["velo_pool_waiting",]) == (10, 7)


def test_two_processes_worth_of_counters_do_not_meet() -> None:
    one, other = Metrics(), Metrics()
    one.events_written()
    assert counted(other)["velo_events_written_total",] == 0
