"""The two kinds of text, and the marks that lead from one to the other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.veil.people import contact, member
from veil.text import Clear, Mark, Marked, Source, Veiled

MARKS = st.lists(st.tuples(st.integers(0, 4), st.integers(1, 6), st.sampled_from(["C-1", "[nombre 1]", "", "[teléfono]"])), max_size=6)


def marked(text: str, steps: list[tuple[int, int, str]]) -> Marked:
    """A text with marks, each given as gap, length and rendering."""
    marks, position = [], 0
    for gap, length, rendering in steps:
        start, end = position + gap, position + gap + length
        if end <= len(text):
            marks.append(Mark(start, end, rendering, Source.NAME, (contact(1),)))
        position = end
    return Marked.of(Clear(text), marks, "v")


@pytest.mark.parametrize("text", [Clear("Otoniel"), Veiled("C-1")])
def test_neither_kind_of_text_shows_its_words_by_accident(text: Clear | Veiled) -> None:
    assert text.text not in repr(text)
    assert text.text not in f"{text}"
    assert not isinstance(text, str)


def test_the_two_kinds_never_are_equal() -> None:
    clear: object = Clear("x")
    assert clear != Veiled("x")


@given(st.text(max_size=40), MARKS)
def test_marks_come_back_from_storage_as_they_were(text: str, steps: list[tuple[int, int, str]]) -> None:
    before = marked(text, steps)
    assert Marked.from_stored(text, before.marks_to_json()) == before


def test_a_mark_keeps_all_it_knows() -> None:
    mark = Mark(1, 4, "C-1.phone|U-2.phone", Source.SCRUB, (contact(1), member(2)), "phone", late=True)
    assert Mark.from_json(mark.to_json()) == mark
    assert Mark.from_json(Mark(0, 1, "", Source.HIDDEN).to_json()) == Mark(0, 1, "", Source.HIDDEN)


def test_marks_hold_no_word_of_the_text() -> None:
    text = "llamó Otoniel"
    assert "Otoniel" not in repr(Marked.of(Clear(text), [Mark(6, 13, "C-1", Source.NAME)], "v").marks_to_json())


def test_a_text_that_was_changed_is_not_intact() -> None:
    before = Marked.of(Clear("llamó Otoniel"), [Mark(6, 13, "C-1", Source.NAME)], "v")
    assert before.intact
    assert not Marked.from_stored("Llamó Otoniel", before.marks_to_json()).intact
    assert not Marked.from_stored("llamó Otoniel", {}).intact


def test_marks_stand_in_order_however_they_come() -> None:
    late, early = Mark(3, 4, "b", Source.NAME), Mark(0, 1, "a", Source.NAME)
    assert Marked.of(Clear("0123"), [late, early], "v").marks == (early, late)
    assert Marked.of(Clear("0123"), [late], "v").with_marks([early]).marks == (early, late)


@given(st.text(alphabet="abcde ", max_size=40), MARKS)
def test_a_veiled_text_has_every_marked_span_in_its_rendering(text: str, steps: list[tuple[int, int, str]]) -> None:
    whole = marked(text, steps)
    pieces, position = [], 0
    for mark in whole.marks:
        pieces += [text[position : mark.start], mark.rendering]
        position = mark.end
    assert whole.veiled().text == "".join([*pieces, text[position:]])


@given(st.text(alphabet="abcde ", max_size=40), MARKS, st.integers(0, 60), st.integers(1, 20))
def test_a_veiled_span_leads_back_to_the_clear_letters_in_it(text: str, steps: list[tuple[int, int, str]], start: int, length: int) -> None:
    whole = marked(text, steps)
    clear: list[int | None] = []  # per veiled character the clear one it is, if it is one
    position = 0
    for mark in whole.marks:
        clear += [*range(position, mark.start), *[None] * len(mark.rendering)]
        position = mark.end
    clear += range(position, len(text))
    inside = [place for place in clear[start : start + length] if place is not None]
    expected = (inside[0], inside[-1] + 1) if inside else None
    assert whole.clear_span(start, start + length) == expected
