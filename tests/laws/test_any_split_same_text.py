"""Law 7: however an answer is cut into chunks, the reader gets the same text, marks and unknown tokens."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.laws.memory import Memory
from tests.laws.test_look_alikes_survive import PIECES
from veil.tokens import LONGEST

ANSWERS = st.lists(PIECES | st.text(max_size=3), max_size=20).map("".join)


@st.composite
def cut_answers(draw: st.DrawFn) -> tuple[str, list[str]]:
    """An answer, and the same cut anywhere, with empty chunks among the others."""
    text = draw(ANSWERS)
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    return text, [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]


@given(cut_answers())
@example(("C-1.phone_", ["C-1", ".phone", "_"]))
@example(("C-1.phone", ["C-1.pho", "ne"]))
@example(("[x](https://a.example/C-1)", ["[x](https://a.exam", "ple/C-1)"]))
@example(("![C-1](y) C-1", ["!", "[C-1](y", ") C-1"]))
@example(("C&ndash;1", ["C&nd", "ash;1"]))
@example(("C-12", ["C-1", "2"]))
@example(("C-1s", ["C-1", "s"]))
@example(("C-1sa", ["C-1s", "a"]))
@example(("C-1es.", ["C-1e", "s."]))
@example(("C-1/C-2", ["C-1/", "C-2"]))
@example(("C-1/C-2/a", ["C-1/C-2", "/a"]))
@example(("C-1/C-2/C-1", ["C-1/C-2", "/C-1"]))
@example(("C-1.Phone", ["C-1.P", "hone"]))
@example(("C-1\\_a", ["C-1\\_", "a"]))
@example(("C-1\u200b2", ["C-1\u200b", "2"]))
@example(("C-1+a@", ["C-1+", "a@"]))
@example(("C&amp;#45;1", ["C&am", "p;#45;1"]))
def test_every_way_of_cutting_gives_what_the_whole_gives(answer: tuple[str, list[str]]) -> None:
    text, chunks = answer
    memory = Memory("Otoniel Ibarrola", "Zulema Pacheco")
    assert memory.answer(*chunks) == memory.answer(text)


@given(ANSWERS)
def test_letter_by_letter_is_no_exception(text: str) -> None:
    memory = Memory("Otoniel Ibarrola", "Zulema Pacheco")
    assert memory.answer(*text) == memory.answer(text)


@given(cut_answers())
def test_an_abnormal_end_gives_the_same_text_for_every_cut_too(answer: tuple[str, list[str]]) -> None:
    text, chunks = answer
    memory = Memory("Otoniel Ibarrola", "Zulema Pacheco")
    assert memory.answer(*chunks, cut=True) == memory.answer(text, cut=True)


@given(cut_answers())
def test_after_an_abnormal_end_a_token_that_touches_it_is_not_filled_in(answer: tuple[str, list[str]]) -> None:
    _, chunks = answer
    memory = Memory("Otoniel Ibarrola", "Zulema Pacheco")
    shown, _ = memory.answer(*chunks, " C-", "1", cut=True)
    assert shown.clear.text.endswith(" C-1")
    assert not [mark for mark in shown.marks if mark.end == len(shown.clear.text)]


@given(cut_answers())
def test_what_was_shown_is_never_taken_back(answer: tuple[str, list[str]]) -> None:
    text, chunks = answer
    memory = Memory("Otoniel Ibarrola", "Zulema Pacheco")
    whole = memory.unveiled(text)
    for number in range(len(chunks)):
        begun, _ = memory.answer(*chunks[: number + 1], cut=True)
        decided = begun.clear.text
        held = next(length for length in range(len(decided) + 1) if whole.startswith(decided[: len(decided) - length]))
        assert held <= LONGEST


@pytest.mark.parametrize("chunks", [("C-1",), ("C", "-", "1"), ("C-1", ""), ("", "C-1")], ids=repr)
def test_a_token_split_over_chunks_is_shown_once(chunks: tuple[str, ...]) -> None:
    assert Memory("Otoniel Ibarrola").unveiled(*chunks) == "Otoniel Ibarrola"
