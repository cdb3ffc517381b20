"""The steps and caps of a turn, without any I/O (section 4.9): 5 model calls, 8 tool calls a reply, 20 a turn, no tools on the last call."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.model.port import Reply, ReplyCall
from assistant.turn import AskModel, RunTools, Step, turn


def reply(calls: int = 0, text: str = "") -> Reply:
    return Reply(text, tuple(ReplyCall(f"id{number}", "list_team", "{}") for number in range(calls)), None, None, b"{}")


def played(script: Callable[[int], Reply]) -> tuple[list[Step], Reply]:
    """The steps of a turn whose n-th answer the script gives, and the reply that ends it."""
    steps: list[Step] = []
    playing = turn()
    answer: Reply | None = None
    while True:
        try:
            step = playing.send(answer)
        except StopIteration as end:
            final: Reply = end.value
            return steps, final
        steps.append(step)
        answer = script(step.ordinal) if isinstance(step, AskModel) else None


def test_a_reply_without_calls_is_the_answer() -> None:
    steps, final = played(lambda _: reply(text="Listo."))
    assert steps == [AskModel(1, tools=True)]
    assert final.text == "Listo."


def test_tools_run_between_two_calls_of_the_model() -> None:
    steps, final = played(lambda ordinal: reply(2) if ordinal == 1 else reply(text="Listo."))
    assert [type(step) for step in steps] == [AskModel, RunTools, AskModel]
    assert final.text == "Listo."


def test_the_fifth_call_has_no_tools_and_calls_that_come_all_the_same_are_not_run() -> None:
    steps, final = played(lambda ordinal: reply(1, text=f"texto {ordinal}"))
    assert [step for step in steps if isinstance(step, AskModel)] == [AskModel(ordinal, tools=ordinal < 5) for ordinal in range(1, 6)]
    assert sum(isinstance(step, RunTools) for step in steps) == 4
    assert final.text == "texto 5"


@pytest.mark.parametrize(
    ("asked", "allowed"),
    [
        pytest.param([1, 1, 1, 1], [1, 1, 1, 1], id="few"),
        pytest.param([8], [8], id="as many as a reply may have"),
        pytest.param([9], [8], id="one more"),
        pytest.param([8, 8, 8], [8, 8, 4], id="twenty a turn"),
        pytest.param([8, 8, 4, 3], [8, 8, 4, 0], id="none left"),
        pytest.param([200], [8], id="two hundred"),
    ],
)
def test_calls_beyond_the_caps_are_not_allowed(asked: list[int], allowed: list[int]) -> None:
    steps, _ = played(lambda ordinal: reply(asked[ordinal - 1]) if ordinal <= len(asked) else reply())
    runs = [step for step in steps if isinstance(step, RunTools)]
    assert [step.allowed for step in runs] == allowed
    assert all(len(step.calls) <= 16 for step in runs)


@given(st.lists(st.integers(min_value=0, max_value=40), min_size=5, max_size=5))
def test_every_turn_ends_within_its_caps(calls: list[int]) -> None:
    steps, _ = played(lambda ordinal: reply(calls[ordinal - 1]))
    runs = [step for step in steps if isinstance(step, RunTools)]
    assert sum(isinstance(step, AskModel) for step in steps) <= 5
    assert sum(step.allowed for step in runs) <= 20
    assert all(step.allowed <= min(8, len(step.calls)) for step in runs)


def test_a_turn_must_be_answered_with_a_reply() -> None:
    playing = turn()
    next(playing)
    with pytest.raises(RuntimeError, match="reply"):
        playing.send(None)
