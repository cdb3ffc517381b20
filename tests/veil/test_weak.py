"""A weak form (a common word, a place, a month, a short word) is a person only where the text shows it; each row is one such sign, or its absence."""

from __future__ import annotations

import pytest

from tests.veil.people import company, contact, contacts, index_of, shown

PEOPLE = contacts("Rosa Quillay", "Clara Ibarrola", "Julio Tejeiro", "Mercedes Oyarce", "Salvador Lillo", "Pilar Viña", "Ana Li", "Will Rich")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("rich here, any news?", "<8> here, any news?", id="here"),
        pytest.param("will speaking", "<8> speaking", id="speaking"),
        pytest.param("Julio te habla, mándame el enlace", "<3> te habla, mándame el enlace", id="te habla"),
        pytest.param("ok clara atte", "ok <2> atte", id="a sign-off behind"),
        pytest.param("cualquier cosa con mercedes de compras", "cualquier cosa con <4> de compras", id="a department behind"),
        pytest.param("Reenviado de viña <otra@correo.example>", "Reenviado de <6> <otra@correo.example>", id="an address in brackets behind"),
        pytest.param("pasame al mío: rosa, 27012151", "pasame al mío: <1>, 27012151", id="a number behind, as in a form"),
        pytest.param("hi, I'm will's assistant", "hi, I'm <8>'s assistant", id="whose assistant"),
        pytest.param("el contrato de clara p.", "el contrato de <2~>.", id="an initial behind"),
        pytest.param("A c. viña vai te atender", "A <6~> vai te atender", id="an initial before"),
        pytest.param('{"fono": 7, "apellido": "li"}', '{"fono": 7, "apellido": "<7>"}', id="the value of a field"),
    ],
)
def test_what_follows_or_leads_up_to_it_names_a_person_whatever_the_case(text: str, expected: str) -> None:
    assert shown(text, PEOPLE) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("¿lo ves tú clara?", "¿lo ves tú <2>?", id="you"),
        pytest.param("gracias, rosa!", "gracias, <1>!", id="thanks"),
        pytest.param("Agradecemos o contato, Salvador.", "Agradecemos o contato, <5>.", id="a place behind thanks"),
        pytest.param("Gracias por comunicarse. pilar, su pago llegó", "Gracias por comunicarse. <6>, su pago llegó", id="su"),
        pytest.param("Clara vc falou que ia resolver", "<2> vc falou que ia resolver", id="vc"),
        pytest.param("Salvador me dijo que sí", "<5> me dijo que sí", id="a place that speaks"),
        pytest.param("Julio no llamó", "<3> no llamó", id="a month that calls"),
        pytest.param("mirá, Julio, te soy sincero", "mirá, <3>, te soy sincero", id="mirá"),
        pytest.param("Buenas, con Julio? me dijeron que ve esto", "Buenas, con <3>? me dijeron que ve esto", id="a month behind con"),
        pytest.param("¿Salvador? No, soy su hermano", "¿<5>? No, soy su hermano", id="a sentence of one word"),
        pytest.param("pedido PED-2024-91998, rosa", "pedido PED-2024-91998, <1>", id="a signature behind a number"),
        pytest.param("anulen el pedido. M Viña", "anulen el pedido. <6~>", id="a signature with its initial"),
    ],
)
def test_somebody_who_is_spoken_to_or_signs_is_a_person(text: str, expected: str) -> None:
    assert shown(text, PEOPLE) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("hablad con Tejeiro o con viña", "hablad con <3> o con <6>", id="o con"),
        pytest.param("saludos, Tejeiro y Salvador", "saludos, <3> y <5>", id="a capital behind y"),
        pytest.param("vivimos pilar y yo", "vivimos <6> y yo", id="y yo"),
        pytest.param("Will and Tejeiro are on it", "<8> and <3> are on it", id="and somebody else"),
        pytest.param("Oyarce/Pilar", "<4>/<6>", id="a slash"),
    ],
)
def test_beside_somebody_else_it_is_a_person(text: str, expected: str) -> None:
    assert shown(text, PEOPLE) == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("hola el pilar de mi cama vino roto", id="an article behind a greeting"),
        pytest.param("hello, I will pay", id="a verb behind a greeting"),
        pytest.param("pedí un vestido rosa y me llegó uno verde", id="a colour"),
        pytest.param("quiero tres: rosa, clara, verde.", id="a list"),
        pytest.param("el numero de julio", id="a month written small behind of"),
        pytest.param("la luz se fue y rosa tampoco", id="and between words"),
        pytest.param("está clara la cosa?", id="a question"),
        pytest.param("sin mercedes ni salvador", id="neither"),
        pytest.param("Will you help me with the bill?", id="a verb before you"),
    ],
)
def test_elsewhere_it_is_an_ordinary_word(text: str) -> None:
    assert shown(text, PEOPLE) == text


def test_one_common_word_of_a_company_is_meant_only_with_a_capital_behind_its_cue() -> None:
    index = index_of([(company(1), "Casa Alameda S.L."), (company(2), "Horizonte")])
    assert shown("Fermín trabaja en casa", index_of([(contact(9), "Fermín Oyarce"), (company(1), "Casa Alameda S.L.")])) == "<9> trabaja en casa"
    assert shown("trabaja en casa alameda", index) == "trabaja en <1>"
    assert shown("la empresa Horizonte", index) == "la empresa <2>"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("necesito que clara me llame", "necesito que <2> me llame", id="that somebody calls"),
        pytest.param("pregúntenle a rosa por el pedido", "pregúntenle a <1> por el pedido", id="ask her"),
        pytest.param("quem fala é o Salvador", "quem fala é o <5>", id="a Portuguese article"),
    ],
)
def test_what_one_asks_of_somebody_shows_a_person(text: str, expected: str) -> None:
    assert shown(text, PEOPLE) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Para: Rosa\nAsunto: cambio", "Para: <1>\nAsunto: cambio", id="the header of a letter"),
        pytest.param("From: Will", "From: <8>", id="the header in English"),
        pytest.param("Clara: ya pagué\nyo: ok", "<2>: ya pagué\nyo: ok", id="a line of a chat"),
        pytest.param("Rosa's order is late", "<1>'s order is late", id="what somebody has"),
        pytest.param("Color: Rosa", "Color: Rosa", id="another label"),
        pytest.param("Para: Rosa y verde", "Para: Rosa y verde", id="a header that goes on"),
        pytest.param("Rosa: talla M", "Rosa: talla M", id="a colour that has a size"),
        pytest.param("Julio's order is late", "Julio's order is late", id="a month"),
    ],
)
def test_a_line_of_its_own_shows_a_person(text: str, expected: str) -> None:
    assert shown(text, PEOPLE) == expected
