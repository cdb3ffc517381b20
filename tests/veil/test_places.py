"""Streets and towns that are called like people stay where the text shows that they are places, and nowhere else."""

from __future__ import annotations

import pytest

from tests.veil.people import contact, contacts, shown

PEOPLE = contacts("Rosa Santos", "Victoria Jackson", "Mercedes Florencia", "Benito Ibarrola", "Marta Soledad", "Nicolás Prado")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("entrega em Santos até sexta", id="em and a town"),
        pytest.param("chegou na loja de Santos", id="a shop of a town"),
        pytest.param("nos vemos en Soledad mañana", id="en and a town"),
        pytest.param("cuánto sale con envío a Florencia", id="what sending there costs"),
        pytest.param("retiro en la sucursal de Mercedes", id="a branch"),
        pytest.param("delivered to Jackson in june", id="delivered to a town"),
        pytest.param("the Jackson store is closed", id="the store of a town"),
        pytest.param("ship everything to Jackson, MS", id="a state behind it"),
        pytest.param("vivo en San Nicolás", id="a town of two words"),
        pytest.param("VIVO EN SANTA MARTA", id="in capitals"),
        pytest.param("the St. Paul store", id="abbreviated"),
        pytest.param("calle Benito Ibarrolín 3121, piso 2, Victoria.", id="a town behind an address"),
    ],
)
def test_a_town_stays_where_something_says_that_a_town_is_meant(text: str) -> None:
    assert shown(text, PEOPLE) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("entrega a Santos en recepción", "entrega a <1> en recepción", id="to somebody"),
        pytest.param("envío a Florencia la factura", "envío a <3> la factura", id="I send her"),
        pytest.param("la casa de Soledad", "la casa de <5>", id="her house"),
        pytest.param("Jackson called me", "<2> called me", id="somebody who calls"),
        pytest.param("dile a Mercedes que venga", "dile a <3> que venga", id="a cue"),
        pytest.param("señora de Santos, buenas", "señora <1>, buenas", id="a title"),
        pytest.param("en casa de doña Victoria", "en casa de doña <2>", id="a title behind en"),
        pytest.param("Rosa Santos vive en Santos", "<1> vive en <1>", id="of somebody whom the text names: once minted it may not leave"),
        pytest.param("Benito de Santa Marta", "<4> de Santa Marta", id="somebody from a town"),
    ],
)
def test_elsewhere_the_same_word_is_a_person(text: str, expected: str) -> None:
    assert shown(text, PEOPLE) == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("vivo en calle Ibarrola 123", id="a street and its number"),
        pytest.param("Travessa da Rosa, 1634, apto 211", id="a comma before the number"),
        pytest.param("Av. Benito Prado N° 465, depto 12", id="words of two people"),
        pytest.param("Avda. de la Victoria 34, 5º B, 47239", id="particles"),
        pytest.param("Rua Santos, nº 6019 - CEP 12345-678", id="a postcode"),
        pytest.param("pasaje los ibarrola 55", id="written small"),
        pytest.param("Carrera 15 # 12-34 apto 5", id="a street with a number for a name"),
        pytest.param("ship it to 4431 Grace St, Apt 37", id="the number first"),
        pytest.param("9047 Martin Ibarrola Jr Blvd", id="the number first, several words"),
        pytest.param("2386 W 4th St, ZIP 54916, Jackson. Thanks", id="a numbered street, a town behind it"),
        pytest.param("la dirección es Benito B. Justo 7583", id="behind the word for an address"),
        pytest.param("Benito Prado 7855, 1° C", id="a floor behind the number"),
    ],
)
def test_a_street_with_its_number_stays(text: str) -> None:
    assert shown(text, PEOPLE) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("calle Ibarrola", "calle <4>", id="no number"),
        pytest.param("llama a Rosa 12345678", "llama a <1> 12345678", id="a phone"),
        pytest.param("Ibarrola 555", "<4> 555", id="no word for a street"),
        pytest.param("la calle donde vive Ibarrola 123", "la calle donde vive <4> 123", id="a sentence between"),
        pytest.param("calle Benito Ibarrola 77", "calle <4> 77", id="a whole name"),
        pytest.param("I paid 300 to Victoria at the st", "I paid 300 to <2> at the st", id="a number that is none of a house"),
        pytest.param("calle 12, Rosa dice que sí", "calle 12, <1> dice que sí", id="somebody behind an address"),
        pytest.param("calle 9 nº 30. Victoria llamó", "calle 9 nº 30. <2> llamó", id="the next sentence"),
    ],
)
def test_where_no_address_is_told_the_name_is_masked(text: str, expected: str) -> None:
    assert shown(text, PEOPLE) == expected


def test_a_strong_name_of_somebody_in_the_thread_may_not_leave_as_a_place_either() -> None:
    assert shown("vivo en calle Ibarrola 123", PEOPLE, present=[contact(4)]) == "vivo en calle <4> 123"
    assert shown("delivered to Jackson in june", PEOPLE, present=[contact(2)]) == "delivered to <2> in june"
    assert shown("Travessa da Rosa, 1634", PEOPLE, present=[contact(1)]) == "Travessa da Rosa, 1634"  # a word like any other, too
