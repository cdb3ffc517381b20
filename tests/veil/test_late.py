"""Late masks: what a thread has come to know is masked in texts that have left, bare and never twice (laws 2 and 9)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.veil.people import ES, contact, inbox, index_of, live, thread_of
from veil.late import late_marks, may_concern, outside, recheck
from veil.results import dump, leaves
from veil.scrub import Sort
from veil.text import Clear, Mark, Marked, Source, Veiled, blanked

OTONIEL = contact(3)
PHONE = "+56961234567"


def masked(text: str, *marks: Mark, values: Mapping[str, Sort] | None = None, scrubbed: bool = True) -> str:
    thread = thread_of(live(OTONIEL, 1), names=index_of([(OTONIEL, "Otoniel Ibarrola")]), values=values)
    found = late_marks(Clear(text), marks, thread.names, thread, ES, scrubbed=scrubbed)
    assert all(mark.late for mark in found)
    return Marked.of(Clear(text), [*marks, *found], "v").veiled().text


@pytest.mark.parametrize(
    ("text", "veiled"),
    [
        pytest.param("ayer llamó Otoniel Ibarrola", "ayer llamó [nombre]", id="a name without its token"),
        pytest.param("su fono: 961 234 567", "su fono: [dato]", id="a value without its handle"),
        pytest.param("nada de nadie", "nada de nadie", id="nothing"),
        pytest.param("Pedro Gómez y otros", "Pedro Gómez y otros", id="people whom the thread does not know"),
    ],
)
def test_a_late_mask_is_bare_since_the_provider_could_compare(text: str, veiled: str) -> None:
    assert masked(text, values={PHONE: Sort.PHONE}) == veiled


def test_a_late_mask_adds_only_what_no_mark_covers() -> None:
    marked = Mark(6, 13, "[nombre 1]", Source.NAME)
    assert masked("llamó Otoniel Ibarrola", marked) == "llamó [nombre 1] [nombre]"
    assert masked("llamó Otoniel", marked) == "llamó [nombre 1]"


def test_detectors_read_a_text_again_only_when_they_have_changed() -> None:
    assert masked("fono 9 7777 1234", scrubbed=True) == "fono 9 7777 1234"
    assert masked("fono 9 7777 1234", scrubbed=False) == "fono [dato]"


def test_a_veiled_text_keeps_its_tokens_and_loses_names() -> None:
    thread = thread_of(live(OTONIEL, 1), names=index_of([(OTONIEL, "Otoniel Ibarrola")]))
    masked, count = recheck(Veiled("C-1 (Otoniel) y [nombre 1], C-1.phone"), thread, ES, scrubbed=False)
    assert (masked.text, count) == ("C-1 ([nombre]) y [nombre 1], C-1.phone", 1)


@pytest.mark.parametrize(
    ("marks", "parts"),
    [
        pytest.param([], [(2, 8)], id="no mark"),
        pytest.param([(0, 2), (8, 9)], [(2, 8)], id="marks that only touch"),
        pytest.param([(0, 4)], [(4, 8)], id="over the start"),
        pytest.param([(6, 9)], [(2, 6)], id="over the end"),
        pytest.param([(3, 4), (5, 6)], [(2, 3), (4, 5), (6, 8)], id="inside"),
        pytest.param([(2, 8)], [], id="the same"),
        pytest.param([(0, 9)], [], id="around"),
    ],
)
def test_the_parts_of_a_span_that_no_mark_covers(marks: list[tuple[int, int]], parts: list[tuple[int, int]]) -> None:
    assert outside(2, 8, [Mark(start, end, "x", Source.NAME) for start, end in marks]) == parts


@pytest.mark.parametrize(
    "veiled",
    ["C-1 y U-1: [teléfono], [nombre 2], C-9", "C-1|C-4", "C-1.phone", "[contenido retenido]", "llama a **C-1** a las 15:00", "[nombre] y [dato]"],
)
def test_what_is_veiled_stays_as_it_is_when_it_is_veiled_again(veiled: str) -> None:
    thread = thread_of(live(OTONIEL, 1), names=index_of([(OTONIEL, "Otoniel Ibarrola")]), values={PHONE: Sort.PHONE})
    assert recheck(Veiled(veiled), thread, ES, scrubbed=False) == (Veiled(veiled), 0)


def test_masking_late_twice_adds_nothing() -> None:
    once = masked("ayer llamó Otoniel Ibarrola al 9 6123 4567", values={PHONE: Sort.PHONE})
    assert masked(once, values={PHONE: Sort.PHONE}) == once


def test_a_text_of_people_whom_nobody_knows_is_not_read_for_strangers_again() -> None:
    thread = thread_of()
    assert recheck(Veiled("Pedro Gómez"), thread, ES, scrubbed=False) == (Veiled("Pedro Gómez"), 0)


_SCRAPS = st.sampled_from(
    [
        *("Otoniel", "ibarrola", "Iba\u0301rrola", "OtonielIbarrola", "IBARROLA", "Postventa", "Austral", "D'Andrea", "dandrea"),
        *("%20", "9 6123-4567", "56961234567", "x", "una rosa", "\n", '"', "\\", "<", "-", "'", "\u200b", "王", " ", "_", ".", "&eacute;"),
    ]
)


@given(st.lists(_SCRAPS, max_size=8).map("".join))
def test_the_quick_look_never_misses_what_the_full_reading_finds(text: str) -> None:
    known = [(OTONIEL, "Otoniel Ibarrola"), (inbox(3), "Postventa Austral"), (contact(4), "Rosa D'Andrea")]
    thread = thread_of(live(OTONIEL, 1), names=index_of(known), values={PHONE: Sort.PHONE})
    for written in (text, dump({"body": text})):
        if any(recheck(Veiled(leaf), thread, ES, scrubbed=True)[1] for leaf in leaves(written)):
            assert may_concern(written, thread.names, thread.values, json=True)


@given(st.lists(_SCRAPS, max_size=8).map("".join), st.lists(st.integers(0, 60), max_size=6))
def test_the_quick_look_at_what_no_mark_covers_never_misses_what_the_full_reading_finds(text: str, cuts: list[int]) -> None:
    known = [(OTONIEL, "Otoniel Ibarrola"), (inbox(3), "Postventa Austral"), (contact(4), "Rosa D'Andrea")]
    thread = thread_of(live(OTONIEL, 1), names=index_of(known), values={PHONE: Sort.PHONE})
    places = sorted({min(cut, len(text)) for cut in cuts})
    marks = [Mark(start, end, "C-1", Source.NAME) for start, end in zip(places[::2], places[1::2], strict=False)]
    if late_marks(Clear(text), marks, thread.names, thread, ES, scrubbed=True):
        assert may_concern(blanked(text, ((mark.start, mark.end) for mark in marks)), thread.names, thread.values)
