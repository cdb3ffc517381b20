"""Faults that users of other products reported, group "names": each text is typed as a question over the case's own contacts.

Where a report and the design differ the design wins, and a comment says so. Reports of a search by name (B098, B107) are played as a question: the
model has no such search, the question's names are looked up for it.
"""

from __future__ import annotations

import pytest

from tests.cases.stage import questions, with_contacts
from tests.house import House


@pytest.mark.parametrize(
    ("contacts", "text", "veiled"),
    [
        pytest.param(["José Tomé"], "Habló Tomé.", "Habló C-1.", id="B087-accent at the end"),
        pytest.param(["José Tomé"], "habló TOMÉ,", "habló C-1,", id="B087-capitals"),
        pytest.param(["José Tomé"], "Habló Tome", "Habló C-1", id="B087-no accent"),
        pytest.param(["José Tomé"], "Tomé", "C-1", id="B087-alone"),
        # B088: nothing inside a word; but Susana and Leopoldo are given names themselves, of people whom nobody knows (section 4.4 of the design).
        pytest.param(
            ["Ana Roa", "Sol Vera", "Leo Paz"],
            "Mañana Susana gana el solsticio; Leopoldo quiere capaz y una manzana",
            "Mañana [nombre 1] gana el solsticio; [nombre 2] quiere capaz y una manzana",
            id="B088-inside other words",
        ),
        # B090: what is no letter is no part of a name, so that "@" and "++" may stay beside the token; "Viva" alone is a common word.
        pytest.param(["@nayareth_q"], "Ping @nayareth_q", "Ping @C-1", id="B090-at sign"),
        pytest.param(["Grupo Ñandurique+"], "al Grupo Ñandurique+ y", "al C-1+ y", id="B090-plus sign"),
        pytest.param(["C++ Academy"], "también C++ Academy.", "también C-1.", id="B090-inside"),
        pytest.param(
            ["@nayareth_q", "Grupo Ñ+", "¡Viva! SpA", "C++ Academy"],
            "Ping @nayareth_q y Grupo Ñ+ y ¡Viva! SpA, también C++ Academy.",
            "Ping @C-1 y C-2+ y ¡C-3! SpA, también C-4.",
            id="B090-all",
        ),
        pytest.param(["Ian Roa"], "Ian's invoice", "C-1's invoice", id="B091-genitive"),
        pytest.param(["Ian Roa"], "Ian’s invoice", "C-1’s invoice", id="B091-curly genitive"),
        pytest.param(["Ian Roa"], 'la factura de Ian,Ian y "Ian"', 'la factura de C-1,C-1 y "C-1"', id="B091-commas and quotes"),
        pytest.param(
            ["María José", "María José Ruiz", "María José Ruiz-Tagle"],
            "Con María José Ruiz-Tagle, María José Ruiz y María José.",
            "Con C-1, C-2 y C-3.",
            id="B093-the longest first",
        ),
        pytest.param(["Benício Prado dos Anjos Valadares"], "é o Benício Prado", "é o C-1", id="B094-first two"),
        pytest.param(["Benício Prado dos Anjos Valadares"], "é o sr. Anjos Valadares", "é o sr. C-1", id="B094-surnames"),
        pytest.param(["Benício Prado dos Anjos Valadares"], "é Benício Valadares", "é C-1", id="B094-first and last"),
        pytest.param(["Benício Prado dos Anjos Valadares"], "VALADARES, Benício Prado", "C-1", id="B094-turned round"),
        pytest.param(["Ana Belén del Río"], "del Río Ana Belén", "del C-1", id="B095-surname first"),
        # B095: the initial stays: one letter never matches in text.
        pytest.param(["Ana Belén del Río"], "Del Río, Ana B.", "C-1.", id="B095-comma and initial"),
        pytest.param(["Ana Belén del Río"], "Ana Belén Del Rio", "C-1", id="B095-capital particle"),
        pytest.param(["Ana Belén del Río"], "Sra. del Río", "Sra. C-1", id="B095-title"),
        pytest.param(["Ana Belén del Río"], "Río", "C-1", id="B095-alone"),
        pytest.param(["Ana Belén del Río"], "en el río Mapocho", "en el río Mapocho", id="B095-a river"),
        pytest.param(["Ana Belén del Río"], "la casa del de la dos", "la casa del de la dos", id="B095-particles alone"),
        pytest.param(["Rosa D'Andrea", "Bernarda O'Higgins"], "a D´Andrea y a d'andrea", "a C-1 y a C-1", id="B096-acute"),
        pytest.param(["Bruno de' Ferrari", "Rosa D'Andrea"], "habla con de’ Ferrari", "habla con de’ C-1", id="B096-a particle with an apostrophe"),
        pytest.param(["Bernarda O'Higgins"], "a OHiggins y a O’Higgins", "a C-1 y a C-1", id="B096-missing apostrophe"),
        pytest.param(["Íñigo Muñoz", "Ingrid Munoz"], "busca a munoz", "busca a C-1|C-2", id="B098-both spellings"),
        pytest.param(["Íñigo Muñoz", "Ingrid Munoz"], "busca a muñoz", "busca a C-1|C-2", id="B098-with its tilde"),
        pytest.param(["Íñigo Muñoz", "Ingrid Munoz"], "busca a MUÑOZ", "busca a C-1|C-2", id="B098-capitals"),
        pytest.param(["Íñigo Muñoz", "Ingrid Munoz"], "busca a mun\u0303oz", "busca a C-1|C-2", id="B098-decomposed"),
        pytest.param(["María José Pérez Rojas", "María Soto"], "¿y maria?", "¿y C-1|C-2?", id="B099-no score decides"),
        pytest.param(["Rosa Luz"], "Rosa compró una rosa", "C-1 compró una rosa", id="B102-Rosa"),
        pytest.param(["Sol Mercedes"], "Mercedes vende un mercedes", "C-1 vende un mercedes", id="B102-Mercedes"),
        pytest.param(["Consuelo Paz"], "sin consuelo ni paz", "sin consuelo ni paz", id="B102-common words"),
        pytest.param(["Salvador Rey"], "El Salvador es un país", "El Salvador es un país", id="B102-a country"),
        pytest.param(["Sol Mercedes"], "dile a Sol que salga al sol", "dile a C-1 que salga al sol", id="B102-Sol"),
        pytest.param(["Consuelo Paz"], "ayer vino consuelo paz", "ayer vino C-1", id="B102-a full name in small letters"),
        pytest.param(
            ["Ângela Inês", "Óscar Ávila", "Íris Caro"],
            "Ângela Inês, Óscar Ávila e Íris Caro chegaram; caro demais",
            "C-1, C-2 e C-3 chegaram; caro demais",
            id="B103-accented capitals",
        ),
        # B104: between letters a token is set apart by spaces, so that it is read as one.
        pytest.param(["Luis Roa"], "和Luis Roa谈过", "和 C-1 谈过", id="B104-glued to Chinese"),
        pytest.param(["王小明"], "联系王小明吧", "联系 C-1 吧", id="B104-a Chinese name"),
        pytest.param(["Luis Roa"], "😀Luis Roa😀", "😀C-1😀", id="B104-emoji"),
        pytest.param(["Luis Roa"], "#LuisRoa @LuisRoa", "#C-1 @C-1", id="B104-camel case"),
        pytest.param(["Mun\u0303oz Íňigo"], "busca a Muñoz", "busca a C-1", id="B107-stored decomposed"),
        pytest.param(["Herberto Huidobro"], "Herberto Huidobro pagó", "C-1 pagó", id="B108-whole"),
        pytest.param(["Jacinta Sotomayor"], "Jacinta  Sotomayor", "C-1", id="B108-two spaces"),
        pytest.param(["Jacinta Sotomayor"], "Jacinta\nSotomayor", "C-1", id="B108-line break"),
        pytest.param(["Jacinta Sotomayor"], "Jacinta M. Sotomayor", "C-1", id="B108-initial"),
        pytest.param(["Jacinta Sotomayor"], "Sotomayor, Jacinta", "C-1", id="B108-turned round"),
        pytest.param(["Jacinta Sotomayor"], "Sra. Sotomayor", "Sra. C-1", id="B108-title"),
    ],
)
async def test_a_reported_name(stage: House, contacts: list[str], text: str, veiled: str) -> None:
    await with_contacts(stage, *contacts)
    (travelled,) = await questions(stage, text)
    assert travelled == veiled


@pytest.mark.parametrize(
    ("text", "veiled"),
    [
        pytest.param("Pepe Ibarrola", "C-1", id="B106-Pepe"),
        pytest.param("Paco Lillo", "C-1", id="B106-Paco"),
        pytest.param("Memo Roa", "C-1", id="B106-Memo"),
    ],
)
async def test_a_nickname_beside_a_known_surname_is_its_bearer(stage: House, text: str, veiled: str) -> None:
    await with_contacts(stage, "José Ibarrola", "Francisco Lillo", "Maria das Dores Valadares", "Guillermo Roa")
    assert await questions(stage, text, f"dile a {text} que sí") == [veiled, f"dile a {veiled} que sí"]


@pytest.mark.parametrize(
    ("contact", "text", "names"),
    [
        pytest.param("Maria das Dores Valadares", "dile a Dorinha Valadares que sí", ["Dorinha", "Valadares"], id="B106-a nickname of no table"),
        pytest.param("Benício Prado dos Anjos Valadares", "B. P. dos Anjos", ["Anjos"], id="B094-initials before a surname"),
        pytest.param("Ian Roa", "Ians Rechnung", ["Ian"], id="B091-a genitive without apostrophe"),
    ],
)
async def test_of_a_reported_name_nothing_leaves_whoever_is_meant(stage: House, contact: str, text: str, names: list[str]) -> None:
    """Whether such a form is taken for its bearer or for somebody whom nobody knows may change with the tables; that it is masked may not."""
    await with_contacts(stage, contact)
    (travelled,) = await questions(stage, text)
    assert not [name for name in names if name in travelled]


async def test_b106_a_nickname_that_is_nobody_stays(stage: House) -> None:
    await with_contacts(stage, "José Ibarrola")
    assert await questions(stage, "pepe el loro") == ["pepe el loro"]
