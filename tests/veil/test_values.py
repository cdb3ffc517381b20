"""The phones, e-mails and ids that a thread knows, found however they are written (law 2)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veil.scrub import Sort
from veil.values import Values, candidates, digits_of, letters_of

VALUES = Values(
    {"+56961234567": Sort.PHONE, "12345678K": Sort.ID, "maria.lopez@correo.example": Sort.EMAIL, "4412": Sort.PHONE, "22345678": Sort.PHONE}
)


def found(text: str) -> list[str]:
    """The found stretches, those that overlap put together."""
    united: list[tuple[int, int]] = []
    for span in sorted(VALUES.find(text), key=lambda span: (span.start, -span.end)):
        if united and span.start < united[-1][1]:
            united[-1] = (united[-1][0], max(united[-1][1], span.end))
        else:
            united.append((span.start, span.end))
    return [text[start:end] for start, end in united]


@pytest.mark.parametrize(
    ("text", "surface"),
    [
        pytest.param("al +56 9 6123 4567", "56 9 6123 4567", id="with the country"),
        pytest.param("al 56961234567", "56961234567", id="without a plus"),
        pytest.param("al 9 6123 4567", "9 6123 4567", id="without the country"),
        pytest.param("al (9) 6123-4567", "9) 6123-4567", id="with brackets"),
        pytest.param("al 961.234.567,", "961.234.567", id="with dots"),
        pytest.param("al 6123 4567", "6123 4567", id="the last eight digits"),
        pytest.param("rut 12.345.678-k", "12.345.678-k", id="an id with its dots"),
        pytest.param("rut 12345678K.", "12345678K", id="an id without"),
        pytest.param("a MARIA.LOPEZ@correo.example", "MARIA.LOPEZ@correo.example", id="an e-mail in capitals"),
        pytest.param("fijo 2234-5678", "2234-5678", id="a number that no detector takes for one"),
        pytest.param("pedido 569612345678", "56961234567", id="inside a longer number"),
    ],
)
def test_a_value_is_found_in_every_written_form(text: str, surface: str) -> None:
    assert found(text) == [surface]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("código 12345678KX", id="inside a longer word"),
        pytest.param("anexo 4412", id="too short to be looked for"),
        pytest.param("9 6123 4568", id="another number"),
        pytest.param("", id="nothing"),
    ],
)
def test_what_only_contains_a_value_is_none(text: str) -> None:
    assert found(text) == []


def test_a_value_is_found_each_time() -> None:
    assert found("22345678, 22345678 y 22345678") == ["22345678"] * 3


@given(st.sampled_from(["", " ", "-", ".", " - ", "\u00a0", "/", "\u200b"]), st.text(alphabet="abc .,", max_size=5))
def test_separators_do_not_hide_a_phone(separator: str, around: str) -> None:
    text = f"{around} {separator.join('+56961234567')} {around}"
    spans = VALUES.find(text)
    assert spans
    assert min(span.start for span in spans) <= text.index("5") + 3
    assert max(span.end for span in spans) == text.rindex("7") + 1


def test_no_values_find_nothing() -> None:
    assert not Values()
    assert Values().find("+56961234567") == []
    assert set(Values({"22345678": Sort.PHONE})) == {"22345678"}


@given(
    st.lists(
        st.sampled_from(["22345678", "2234-5678", "maria.lopez@correo.example", "MARIA", "12345678k", "x", " ", "١٢", "²", "ß", "\u200b"]), max_size=6
    ).map("".join)
)
def test_the_quick_look_never_misses_a_value(text: str) -> None:
    letters = letters_of(text)
    assert VALUES.may_be_among(letters, digits_of(letters)) or not VALUES.find(text)


@pytest.mark.parametrize(
    ("text", "looked_up"),
    [
        pytest.param("Mi Apellido es larguísimo", [], id="words"),
        pytest.param("son 1234 y nada más", [], id="too few digits"),
        pytest.param(
            "rut 12.345.678-k", [("12.345.678-k", "12345678K"), ("12.345.678", "12345678"), ("345.678", "345678")], id="an id with its dots"
        ),
        pytest.param("22 34 56 78", [("22 34 56", "223456"), ("22 34 56 78", "22345678"), ("34 56 78", "345678")], id="every run of groups"),
        pytest.param("٢٢٣٤٥٦٧", [("٢٢٣٤٥٦٧", "2234567")], id="other digits"),
    ],
)
def test_what_may_be_somebodys_is_looked_up_in_its_plainest_writing(text: str, looked_up: list[tuple[str, str]]) -> None:
    assert [(text[item.start : item.end], item.forms[0][1]) for item in candidates(text, (56,))] == looked_up


def test_a_national_number_is_looked_up_with_each_country_code() -> None:
    (item,) = candidates("0961234567", (56, 54))
    assert {form for sort, form in item.forms if sort is Sort.PHONE} == {"0961234567", "+0961234567", "+56961234567", "+54961234567"}
