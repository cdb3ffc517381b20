"""Companies' names as people write them: "&" or "and", the legal form spelt any way or none."""

from __future__ import annotations

import pytest

from tests.veil.people import company, contact, index_of, shown

FIRMS = index_of(
    [
        (company(1), "Foster & Sons LLC"),
        (company(2), "Andolira Ibérica S.A."),
        (company(3), "Ferrer y Asociados S.L."),
        (company(4), "Casa Alameda S.L."),
        (contact(5), "Will Foster"),
    ]
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Foster & Sons y Will Foster", "<1> y <5>", id="an ampersand, and somebody of the same name"),
        pytest.param("foster and sons llc", "<1>", id="and"),
        pytest.param("foster y sons", "<1>", id="and in Spanish"),
        pytest.param("ANDOLIRA IBERICA SA, NIF", "<2>, NIF", id="the legal form without dots"),
        pytest.param("Ferrer & Asociados", "<3>", id="an ampersand in the legal form"),
        pytest.param("ferrer y asociados sl", "<3>", id="two legal forms"),
        pytest.param("de Ferrer y Asociados S.L. y le digo", "de <3> y le digo", id="as the CRM has it"),
        pytest.param("Foster, LLC called", "<1> called", id="a legal form says that the company is meant"),
        pytest.param("fui a Casa Alameda SL", "fui a <4>", id="of ordinary words"),
    ],
)
def test_a_company_is_one_mention_with_all_that_is_written_of_it(text: str, expected: str) -> None:
    assert shown(text, FIRMS) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Andolira me dijo que no", "<2> me dijo que no", id="a legal form that is a word, too"),
        pytest.param("Ferrer y hijos vieron", "<3> y hijos vieron", id="a legal form written small"),
        pytest.param("Will Foster & Andolira", "<5> & <2>", id="an ampersand between two"),
        pytest.param("una casa en la alameda", "una casa en la alameda", id="the ordinary words"),
    ],
)
def test_what_stands_beside_a_company_is_no_part_of_it(text: str, expected: str) -> None:
    assert shown(text, FIRMS) == expected
