"""A text cut into all that can be looked up as a name, and what stands between two words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.veil.people import forms_of
from veil.phrases import LONGEST, Gap, Text


@pytest.mark.parametrize(
    ("between", "gap"),
    [
        (" ", Gap.SOFT),
        ("  ", Gap.SOFT),
        ("\n", Gap.SOFT),
        ("-", Gap.SOFT),
        ("_", Gap.SOFT),
        ("%20", Gap.SOFT),
        ("** *", Gap.SOFT),
        (".", Gap.SOFT),
        (", ", Gap.COMMA),
        (",", Gap.COMMA),
        (". ", Gap.SENTENCE),
        ("? ", Gap.SENTENCE),
        (": ", Gap.SENTENCE),
        ("\n\n", Gap.SENTENCE),
        ("; ", Gap.HARD),
        (" 7 ", Gap.HARD),
        ("/", Gap.HARD),
    ],
)
def test_what_stands_between_two_words_joins_or_parts_them(between: str, gap: Gap) -> None:
    assert Text(f"otoniel{between}ibarrola").gap(1) is gap


@pytest.mark.parametrize(("text", "gap"), [("M. López", Gap.SOFT), ("Sra. López", Gap.SOFT), ("hola. López", Gap.SENTENCE)])
def test_a_full_stop_behind_an_initial_or_title_ends_no_sentence(text: str, gap: Gap) -> None:
    assert Text(text).gap(1) is gap


def test_the_first_word_begins_a_sentence() -> None:
    assert Text("hola").gap(0) is Gap.SENTENCE


@pytest.mark.parametrize(
    "name", ["María López", "Ysolina de la Quintrala", "Bernarda O'Higgins", "Jean-Luc Roa", "王小明", "Ventas iPhone", "Li", "Ñ Ibarrola"]
)
def test_every_form_that_the_crm_keeps_of_a_name_is_looked_up_where_the_name_stands(name: str) -> None:
    assert forms_of(name) <= Text(f"ayer vino {name}, dijo").forms()


def test_particles_and_single_letters_are_not_looked_up_alone() -> None:
    assert {"de", "la", "a", "x"}.isdisjoint(Text("de la a x").forms())


@given(st.integers(1, 40))
def test_what_is_looked_up_grows_with_the_text_and_not_with_its_square(count: int) -> None:
    text = " ".join(f"palabra{chr(97 + number % 26)}" for number in range(count))
    assert len(list(Text(text).phrases())) <= count * LONGEST


def test_quotes_are_seen_on_both_sides() -> None:
    text = "cerró «La Esquina» y la esquina"
    cut = Text(text)
    assert cut.quoted(1, 2)
    assert not cut.quoted(4, 5)
