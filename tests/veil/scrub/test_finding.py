"""The pass as a whole: hits in order, unions, the way back to the original, two messages, time."""

import time
from itertools import pairwise

import pytest

from veil.scrub import PLACEHOLDERS, STRICTNESS, Hit, Region, Sort, find, find_across
from veil.scrub.finding import merge
from veil.scrub.view import views

CHILE = Region(("CL",), ("CL",))


def test_hits_are_in_order_and_do_not_overlap():
    hits = find("ana@x.cl 955501234 rut 17.654.320-5 y 4111 1111 1111 1111", CHILE)
    assert [hit.sort for hit in hits] == [Sort.EMAIL, Sort.PHONE, Sort.ID, Sort.CARD]
    assert all(a.end <= b.start for a, b in pairwise(hits))


def test_an_overlap_becomes_the_union_with_the_stricter_sort():
    assert merge([Hit(3, 9, Sort.EMAIL), Hit(0, 5, Sort.CARD), Hit(9, 11, Sort.PHONE)]) == [Hit(0, 9, Sort.CARD), Hit(9, 11, Sort.PHONE)]


def test_a_hit_does_not_print_its_value():
    assert "955501234" not in repr(find("955501234", CHILE))


@pytest.mark.parametrize("language", ["es", "pt", "en"])
def test_each_language_has_a_placeholder_for_each_sort(language):
    assert set(PLACEHOLDERS[language]) == set(Sort) == set(STRICTNESS)


@pytest.mark.parametrize("text", [p for row in PLACEHOLDERS.values() for p in row.values()] + ["C-12", "X-3", "H-14", "C-7.phone", "C-4|C-5"])
def test_placeholders_and_tokens_are_never_hits(text):
    for sentence in (text, f"mi rut es {text}", f"clave: {text}", f"tel {text}, {text}"):
        assert find(sentence, CHILE) == []


def test_unseen_characters_at_the_end_of_a_value_go_with_it():
    text = "mi fono 955501234\u200b\u200b, ok"
    (hit,) = find(text, CHILE)
    assert text[hit.end :] == ", ok"


def test_the_working_text_leads_back_to_the_original():
    text = "a\u0301b\u200bc１２ d"
    (seen,) = views(text)
    assert seen.text == "abc12 d"
    assert [text[slice(*seen.original(i, i + 1))] for i in range(len(seen.text))] == ["a\u0301", "b\u200b", "c", "１", "２", " ", "d"]


@pytest.mark.parametrize(
    ("first", "second", "left", "right"),
    [
        ("mi fono es +56 9 55", "50 1234 gracias", "+56 9 55", "50 1234"),
        ("9555", "01234", "9555", "01234"),
        ("ana.roa@cor", "reo.example", "ana.roa@cor", "reo.example"),
        ("4111 1111", "1111 1111", "4111 1111", "1111 1111"),
        ("mi rut es", "176543205", None, "176543205"),
        ("rut: 17.654.", "320-5", "17.654.", "320-5"),
    ],
)
def test_a_value_cut_over_two_messages_is_found_in_both(first, second, left, right):
    one, two = find_across(first, second, CHILE)
    assert [first[hit.start : hit.end] for hit in one] == ([left] if left else [])
    assert [second[hit.start : hit.end] for hit in two] == [right]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("tel 612 91 23 45", "45 pedidos"),
        ("tel +34 612 912 345", "22 cajas"),
        ("IBAN ES91 2100 0418 4502 0005 1332", "30 euros"),
        ("mi dni es 12345678Z", "12 cajas"),
        ("tarjeta 4111 1111 1111 1111", "123 pesos"),
    ],
)
def test_a_value_that_lacks_nothing_does_not_grow_into_the_next_message(first, second):
    one, two = find_across(first, second, Region(("ES",), ("ES",)))
    assert [hit.end for hit in one] == [len(first)]
    assert two == []


@pytest.mark.parametrize("first", ["es urgente!", "¿y el pedido?", "(gracias)", 'dice "hola"', "Dile a X que llame"])
def test_a_whole_address_takes_nothing_of_the_message_before(first):
    assert find_across(first, "pepe77@correo.example, por favor", CHILE)[0] == []


def test_two_messages_that_share_nothing_are_read_each_by_itself():
    assert find_across("pedido 12345", "llegan 67890 cajas", CHILE) == ([], [])


@pytest.mark.prove  # it measures time
@pytest.mark.parametrize(
    "unit",
    [
        "1",
        "1 ",
        "12.",
        "@",
        "a@",
        "a.",
        "1/",
        "%41",
        "a1",
        "9f8e",
        "punto ",
        " at ",
        "cinco ",
        "clave ",
        "http://a.b/",
        "\u200b1",
        "00 ",
        "($1",
        "-",
        "955501234 ",
    ],
)
def test_time_grows_with_the_length_of_a_hostile_text_and_not_faster(unit):
    region = Region(("CL", "AR", "MX", "CO", "PE", "BR", "ES", "US"), ("CL", "AR", "MX", "CO", "PE", "BR", "ES", "US"))

    def spent(size: int) -> float:
        text = (unit * size)[:size]
        start = time.process_time()
        find(text, region)
        return time.process_time() - start

    assert spent(32_000) < 200 * max(spent(1_000), 0.002)
