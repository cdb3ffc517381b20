"""People whom no CRM knows: what shows them, and what only looks like one. ``<?>`` is a person; there is nobody in this CRM but Otoniel."""

from __future__ import annotations

import pytest

from tests.veil.people import contacts, shown
from veil import names
from veil.bearers import Index
from veil.names import Reading

NOBODY_ELSE = contacts("Otoniel Ibarrola")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("mi hermano rosario rivero retira", "mi hermano <?> retira", id="a given name that is a word, a surname behind"),
        pytest.param("hi this is mia franklin", "hi this is <?>", id="in English"),
        pytest.param("mi vecina mía recibió", "mi vecina <?> recibió", id="a given name that is a word behind whose neighbour"),
        pytest.param("la vecina Perla", "la vecina <?>", id="a name that is a word, with a capital"),
        pytest.param("mi compadre zyxwel me recomendó", "mi compadre <?> me recomendó", id="a word that no table knows"),
        pytest.param("mi esposa se apellida beltrán", "mi esposa se apellida <?>", id="a surname written small"),
        pytest.param("me dijo el doctor beltrán", "me dijo el doctor <?>", id="behind a title"),
        pytest.param("a nombre de zyxwel huarcaya", "a nombre de <?>", id="two words that no table knows"),
        pytest.param("minha sócia, eloá campos", "minha sócia, <?>", id="a comma between"),
        pytest.param("Sra. Pagès, le paso", "Sra. <?>, le paso", id="a surname that is an English word"),
        pytest.param("sou a kiko, lembra?", "sou a <?>, lembra?", id="a nickname"),
        pytest.param("hi all, glen here (the dad)", "hi all, <?> here (the dad)", id="here"),
        pytest.param("mi pareja Soo-ah Ko va a estar", "mi pareja <?> va a estar", id="a hyphen"),
    ],
)
def test_behind_a_cue_more_is_a_name_than_elsewhere(text: str, expected: str) -> None:
    assert shown(text, NOBODY_ELSE) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("ship to: Barker, Mikayla, 8227 Elm", "ship to: <?>, 8227 Elm", id="the surname first"),
        pytest.param("ship to: zúñiga, mikayla", "ship to: <?>", id="written small behind a cue"),
        pytest.param("la casa de los Aguirre", "la casa de los <?>", id="a family"),
        pytest.param("frente a los aguirre", "frente a los <?>", id="a family written small"),
        pytest.param("con Maria Luiza da Rosa", "con <?>", id="a particle and a word"),
        pytest.param("gracias por todo, Zyxwel Huarcayo", "gracias por todo, <?>", id="a signature that no table knows"),
        pytest.param("un tal matías aguirre; no conozco a ningún aguirre", "un tal <?>; no conozco a ningún <?>", id="again, written small"),
        pytest.param("con Geraldina Villas-Boas", "con <?>", id="a surname with a hyphen"),
        pytest.param("pagó Eusebia Cusi S/ 30", "pagó <?> S/ 30", id="a currency behind it"),
        pytest.param("vino Eusebia Cusi 7 p. m. hoy", "vino <?> 7 p. m. hoy", id="an hour behind it"),
        pytest.param("J.J. Aguayo me dijo", "<?> me dijo", id="two initials"),
    ],
)
def test_how_a_name_is_written_shows_a_person(text: str, expected: str) -> None:
    assert shown(text, NOBODY_ELSE) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Soy 최수진, el primo de Brayan", "Soy <?>, el primo de <?>", id="Korean behind a cue"),
        pytest.param("el conductor: خالد منصور, patente BB", "el conductor: <?>, patente BB", id="Arabic behind a cue"),
        pytest.param("me atendió una tal ольга иванова", "me atendió una tal <?>", id="Cyrillic written small behind a cue"),
        pytest.param(
            "la muchacha de la tienda, 鈴木花子, bien grosera", "la muchacha de la tienda, <?>, bien grosera", id="Japanese among our words"
        ),
        pytest.param("请联系我们吧", "请联系我们吧", id="a text in Chinese"),
        pytest.param("el letrero dice 欢迎来到我们的新商店 y nada más", "el letrero dice 欢迎来到我们的新商店 y nada más", id="longer than a name"),
    ],
)
def test_a_name_in_another_script_than_the_text_is_a_person(text: str, expected: str) -> None:
    assert shown(text, NOBODY_ELSE) == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("compré una crema Nivea y un termo Stanley", id="brands behind goods"),
        pytest.param("bought a Ford F-150", id="a model"),
        pytest.param("quedamos en ARS 29 + IVA", id="a tax"),
        pytest.param("pedí un Nelson y dos más", id="one of several"),
        pytest.param("los Ángeles y los clientes", id="a plural that is a place"),
        pytest.param("Calle Los Rosales N° 6551", id="a street in the plural"),
        pytest.param("mi hermana menor y mi hijo mayor", id="words behind a cue"),
        pytest.param("el doctor ya vino", id="a title without a name"),
        pytest.param("la doctora de uroxología y las paredes blancas", id="a trade behind a title, a plural"),
        pytest.param("id 8a1620592a7d. Gracias", id="a letter of a code"),
    ],
)
def test_what_only_looks_like_a_person_stays(text: str) -> None:
    assert shown(text, NOBODY_ELSE) == text


@pytest.mark.parametrize("text", ["habla con R. Silvano", "lo vio C. Beltrán ayer", "Summary of Zyxwel Beltrán, please"])
def test_an_abbreviated_street_is_none_without_a_number(text: str) -> None:
    assert "<?>" in shown(text, NOBODY_ELSE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("el plomero Fiamma Lo Presti no llegó", "el plomero <?> no llegó", id="an Italian article"),
        pytest.param("Name: Will Foster", "Name: <?>", id="a given name that is a word, behind a label"),
        pytest.param("Lo Siento mucho", "Lo Siento mucho", id="no surname"),
    ],
)
def test_all_of_a_name_is_one_person(text: str, expected: str) -> None:
    assert shown(text, NOBODY_ELSE) == expected


def test_an_italian_surname_behind_somebodys_given_name_is_somebody_elses() -> None:
    assert shown("vino Fiamma Lo Presti", contacts("Fiamma Soto")) == "vino <?>"


@pytest.mark.parametrize("text", [
    "what happened with Priyanka Raghunathan?", "did Oluwaseun Adeyemi pay?", "Priyanka Raghunathan called me", "what did Siobhan say?", "¿qué dijo Zbigniew?",
])  # fmt: skip
def test_words_with_capitals_that_no_table_knows_are_somebody_where_a_question_is_about_people(text: str) -> None:
    found = [text[item.start : item.end] for item in names.find(text, Index(), reading=Reading.QUESTION)]
    assert found in (["Priyanka Raghunathan"], ["Oluwaseun Adeyemi"], ["Siobhan"], ["Zbigniew"])


@pytest.mark.parametrize("text", ["how many complaints about WhatsApp?", "¿qué dijo Instagram?", "What Is The Status Of Order 55?", "con Samsung Galaxy"])
def test_brands_and_titles_are_nobody_in_a_question(text: str) -> None:
    assert not names.find(text, Index(), reading=Reading.QUESTION)
