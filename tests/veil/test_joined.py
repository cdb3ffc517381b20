"""Names that are written together, in handles and file names, with the s of a family, or as a nickname."""

from __future__ import annotations

import pytest

from tests.house import House
from tests.veil.people import contacts, shown
from veil import names
from veil.fold import is_plain
from veil.late import may_concern
from veil.names import Reading
from veil.phrases import Text
from veil.values import Values

PEOPLE = contacts("Otoniel Ibarrola", "María José Soto", "Edna Hooper", "Candelaria De la Fuente", "María Teresa Oyarce", "Robert Lillo", "王小明")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("sígueme en @otoniel_ibarrola", "sígueme en @<1>", id="a handle with an underscore"),
        pytest.param("@otonielibarrola", "@<1>", id="a handle"),
        pytest.param("contrato_OtonielIbarrola_v2.pdf", "contrato_<1>_v2.pdf", id="a file name"),
        pytest.param("otoniel.ibarrola@correo.example", "<1>@correo.example", id="the name of an address"),
        pytest.param("https://a.example/u/otoniel-ibarrola?x=1", "https://a.example/u/<1>?x=1", id="a path"),
        pytest.param("?n=Otoniel%20Ibarrola", "?n=<1>", id="percent-encoded"),
        pytest.param("mariajosesoto1", "<2>1", id="three words"),
        pytest.param("Candelaria_DelaFuente", "<4>", id="particles glued"),
        pytest.param("El Maestro王小明dice", "El Maestro<7>dice", id="glued to another script"),
    ],
)
def test_names_written_together_are_found(text: str, expected: str) -> None:
    assert shown(text, PEOPLE) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("the hoopers moved", "the <3~> moved", id="the"),
        pytest.param("Hoopers invoice", "<3~> invoice", id="a genitive without its apostrophe"),
        pytest.param("Hooper's invoice", "<3>'s invoice", id="a genitive"),
        pytest.param("two hoopers moved", "two hoopers moved", id="anything else"),
    ],
)
def test_the_s_of_a_family_is_taken_off(text: str, expected: str) -> None:
    assert shown(text, PEOPLE) == expected


@pytest.mark.parametrize("nick", ["Maite", "Marite", "Mayte"])
def test_a_nickname_of_two_given_names_counts_beside_the_surname(nick: str) -> None:
    assert shown(f"llamó {nick} Oyarce", PEOPLE) == "llamó <5>"


@pytest.mark.parametrize("text", ["Bob Lillo called", "lillo, bob called"])
def test_an_english_nickname_counts_beside_the_surname(text: str) -> None:
    assert shown(text, PEOPLE) == "<6> called"


def test_the_two_halves_of_a_long_word_that_no_table_knows_are_looked_up() -> None:
    forms = Text("@otonielibarrola").forms()
    assert {"otoniel", "ibarrola"} <= forms
    assert not {"otoni", "elibarrola"} - forms
    assert "res" not in Text("restaurante").forms()


async def test_a_handle_of_somebody_who_is_not_in_the_thread_yet_is_known(house: House) -> None:
    await house.ask("¿qué escribió @otonielibarrola?")
    assert house.question == "¿qué escribió @C-1?"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("es o-t-o-n-i-e-l", "es <1>", id="hyphens"),
        pytest.param("mi apellido: I b a r r o l a", "mi apellido: <1>", id="spaces"),
        pytest.param("apellido H.o.o.p.e.r", "apellido <3>", id="dots"),
        pytest.param("y h o o p e r no", "y <3> no", id="a letter that is a word before"),
        pytest.param("plan a b c d", "plan a b c d", id="letters that are no name"),
    ],
)
def test_a_name_that_is_spelt_letter_by_letter_is_found(text: str, expected: str) -> None:
    assert shown(text, PEOPLE) == expected


@pytest.mark.parametrize("written", [r"Jos\u00e9 \u00d1ancupil", r"Jos\\u00e9 \xd1ancupil", "Jos%u00e9 %u00D1ancupil"])
def test_escapes_of_json_are_the_letters_they_stand_for(written: str) -> None:
    assert shown(f"vino {written} ayer", contacts("José Ñancupil")) == "vino <1> ayer"


@pytest.mark.parametrize(
    "written",
    [
        pytest.param("SÃ¸rlÃ¥ndet Ã‘ancupil", id="UTF-8 read as Windows reads it"),
        pytest.param("S=C3=B8rl=C3=A5ndet =C3=91ancupil", id="quoted-printable"),
        pytest.param("S&amp;oslash;rl&amp;#229;ndet &Ntilde;ancupil", id="HTML, twice"),
        pytest.param("S%25C3%25B8rl%25C3%25A5ndet %C3%91ancupil", id="percent, twice"),
    ],
)
def test_accents_that_a_program_broke_are_the_letters_they_stand_for(written: str) -> None:
    assert shown(f"vino {written} ayer", contacts("Sørlåndet Ñancupil")) == "vino <1> ayer"


@pytest.mark.parametrize("text", ["NÃO, MANHÃ ok", "x=CAFE y=C3", "100%25C3", "AT&amp;T"])
def test_what_only_looks_broken_stays(text: str) -> None:
    assert shown(text, contacts("Sørlåndet Ñancupil")) == text
    assert is_plain("NÃO, MANHÃ x=CAFE")


def test_a_letter_glued_to_a_word_of_another_script_is_no_part_of_it() -> None:
    assert shown(r"anota \nخالد\t ok", contacts("Kwabena خالد")) == r"anota \n<1>\t ok"


def test_the_s_of_a_family_is_taken_off_a_name_that_camel_case_cuts() -> None:
    index = contacts("Bob McAllister", "Ana Wojciechowski")
    assert shown("the McAllisters moved", index) == "the <1~> moved"
    assert shown("los wojciechowskis fin", index) == "los <2~> fin"


PARTICLES = contacts("María de la Cruz Peña", "João da Silva e Souza", "Xochiquetzal Van der Woodsen", "Kwabena D'Hondt", "Guadalupe Sanz Delgado")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("mariadelacruz", "<1>"),
        ("@mariadelacruz", "@<1>"),
        ("mariadelacruzpena", "<1>"),
        ("maria.delacruz", "<1>"),
        ("MariadelaCruz", "<1>"),
        ("joaodasilva", "<2>"),
        ("joaodasilvaesouza", "<2>"),
        ("silvaesouza", "<2>"),
        ("xochiquetzalvanderwoodsen", "<3>"),
        ("kwabenad'hondt", "<4>"),
    ],
)
def test_particles_may_be_written_together_with_the_names_that_they_join(written: str, expected: str) -> None:
    assert shown(f"sígueme en {written} ok", PARTICLES) == f"sígueme en {expected} ok"


@pytest.mark.parametrize("written", ["delacruz", "dasilva", "vanderwoodsen"])
def test_a_surname_may_be_written_together_with_its_particles(written: str) -> None:
    assert "~>" in shown(f"sígueme en {written} ok", PARTICLES)


@pytest.mark.parametrize("written", ["lacruz", "elcruz", "demaria", "decruzado"])
def test_other_letters_before_a_name_are_no_particles_of_it(written: str) -> None:
    assert shown(f"sígueme en {written} ok", PARTICLES) == f"sígueme en {written} ok"


def test_somebody_with_the_same_ends_and_another_middle_is_only_like_the_one_who_is_known() -> None:
    assert shown("guadalupesanzdelgado", PARTICLES) == "<5>"
    assert shown("guadalupesotodelgado", PARTICLES) == "<5~>"


@pytest.mark.parametrize("handle", ["mariadelacruz", "delacruzpena"])
def test_what_stands_behind_particles_written_together_is_looked_up(handle: str) -> None:
    assert "cruz" in Text(handle).forms()


@pytest.mark.parametrize("written", ["Mc Alister", "mc alister", "mc_alister", "mc.alister", "Mc' Alister", "mc-alister"])
def test_a_name_of_one_word_may_be_written_as_two(written: str) -> None:
    assert shown(f"llamó {written} ayer", contacts("Bob McAlister")) == "llamó <1> ayer"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("لخالد", "<1~>", id="Arabic to"),
        pytest.param("وخالد", "<1~>", id="Arabic and"),
        pytest.param("למשה לוי", "<2~>", id="Hebrew to, before a surname"),
        pytest.param("ומשה", "<2~>", id="Hebrew and"),
        pytest.param("خالد", "<1>", id="the name itself"),
        pytest.param("Ians Rechnung", "<3~> Rechnung", id="a German genitive"),
    ],
)
def test_a_letter_of_grammar_is_taken_off(text: str, expected: str) -> None:
    assert shown(f"ver: {text}", contacts("Kwabena خالد", "משה לוי", "Ian Whitmore")) == f"ver: {expected}"


@pytest.mark.parametrize("written", ["B. P. dos Anjos", "B. dos Anjos"])
def test_particles_between_initials_and_a_surname_belong_to_the_name(written: str) -> None:
    assert shown(f"falei com {written} ontem", contacts("Bento dos Anjos")) == "falei com <1~> ontem"


@pytest.mark.parametrize("text", ["llamó mc_alister", "sígueme en @mariadelacruz", "es delacruz", "vino Ã‘ancupil"])
def test_what_has_left_is_read_again_when_such_a_name_is_learnt(text: str) -> None:
    index = contacts("Bob McAlister", "María de la Cruz", "José Ñancupil")
    assert may_concern(text, index, Values())
    assert not may_concern("llegó la caja", index, Values())


def test_many_words_written_together_are_read_in_linear_time() -> None:
    index = contacts("Aaa Aaaa Aaaaa Aaaaaa Aaaaaaa Aaaaaaaa Aaaaaaaaa")
    assert len(names.find(" ".join(["a" * 24, "a" * 49] * 100), index, reading=Reading.TEXT)) == 100
