"""What is seen of a text at one glance: enough to say no quickly, and never wrong when it does (law 2)."""

from __future__ import annotations

import pytest

from tests.veil.people import contact, index_of
from veil.glance import glance
from veil.results import dump
from veil.scrub import Sort
from veil.values import Values

KNOWN = index_of([(contact(1), "La Rosa Ibarrola"), (contact(2), "Bob McAlister")])
VALUES = Values({"+56961234567": Sort.PHONE, "recepcion@correo.example": Sort.EMAIL})


@pytest.mark.parametrize(
    ("text", "concerned"),
    [
        pytest.param("la caja llegó", False, id="a word that only begins a form of several"),
        pytest.param("una rosa", True, id="a form of one word, strong or not"),
        pytest.param("los Ibarrolas", True, id="a form but for a letter of grammar"),
        pytest.param("mc alister", True, id="a name in two words"),
        pytest.param("vino rosaibarrola", True, id="names written together"),
        pytest.param("el 2026-11-22 a las 15:30", False, id="digits of something else"),
        pytest.param("al 9 6123 4567", True, id="a phone without its country"),
        pytest.param("recepción cerrada", False, id="the beginning of an e-mail"),
        pytest.param("RECEPCION@correo.example", True, id="an e-mail"),
        pytest.param("uso WhatsApp", True, id="a cut that is no space"),
    ],
)
def test_a_text_concerns_only_when_all_of_a_form_or_value_may_be_in_it(text: str, concerned: bool) -> None:
    assert glance(text).may_hold(KNOWN, VALUES) is concerned


def test_of_json_only_its_strings_are_seen() -> None:
    written = dump({"body": "Por favor:\nNombre"})
    assert not glance(written, json=True).may_hold(KNOWN, VALUES)
    assert glance(written).odd  # as it is written, "nNombre" stands there


def test_a_text_too_long_to_be_kept_is_seen_all_the_same() -> None:
    long = "la caja llegó " * 400
    assert not glance(long).may_hold(KNOWN, VALUES)
    assert glance(long + "rosa").may_hold(KNOWN, VALUES)
