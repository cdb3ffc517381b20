"""Whose names a text holds: the paragraph "Forms" of the design, rule by rule, on one small CRM.

A row of a table is a text and the mentions it must give: the surface, and who bears it (a number is a contact, ``None`` is a person whom nobody knows or not for sure).
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.veil.people import company, contact, contacts, inbox, index_of, member
from veil import names
from veil.bearers import Bearer, Index
from veil.names import Reading
from veil.tokens import Entity, EntityId, Kind

MARIA, ROSA, OTONIEL, ANA, CLIENTE, CARMEN, ABRIL, SANTIAGO, LI, WANG, ANDREA, SOTO = map(contact, range(1, 13))
VALENTINA = member(1)
ESQUINA, QUILLAY = company(1), company(2)
SOPORTE, AUSTRAL, PHONES = inbox(1), inbox(2), inbox(3)
CYBER = Entity(Kind.CAMPAIGN, EntityId(1))

HOUSE = index_of(
    [
        (MARIA, "María López"),
        (ROSA, "Rosa Luz"),
        (OTONIEL, "Otoniel Ibarrola"),
        (ANA, "Ana"),
        (CLIENTE, "Cliente"),
        (CARMEN, "María del Carmen Díaz"),
        (ABRIL, "Abril Tejeiro"),
        (SANTIAGO, "Santiago Vera"),
        (LI, "Li"),
        (WANG, "王小明"),
        (ANDREA, "Rosalba D'Andrea"),
        (SOTO, "Jacinta Sotomayor"),
        (VALENTINA, "Valentina Aravena"),
        (ESQUINA, "La Esquina"),
        (QUILLAY, "Transportes Quillay SpA"),
        (SOPORTE, "Soporte"),
        (AUSTRAL, "Postventa Austral"),
        (CYBER, "Cyber Tejuelo"),
        (PHONES, "Ventas iPhone"),
    ]
)

Expected = list[tuple[str, list[Entity]]]


def mentions(text: str, index: Index = HOUSE, *, reading: Reading = Reading.TEXT, present: frozenset[Entity] = frozenset()) -> Expected:
    """What is found: the surface of each mention and who bears it."""
    found = names.find(text, index, reading=reading, present=present)
    return [(text[span.start : span.end], [bearer.entity for bearer in span.bearers]) for span in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("¿Qué pasó con María López?", [("María López", [MARIA])], id="as the CRM writes it"),
        pytest.param("y maria lopez nada", [("maria lopez", [MARIA])], id="small letters without accents"),
        pytest.param("llamó MARÍA LÓPEZ", [("MARÍA LÓPEZ", [MARIA])], id="capitals"),
        pytest.param("Mari\u0301a Lo\u0301pez", [("Mari\u0301a Lo\u0301pez", [MARIA])], id="decomposed"),
        pytest.param("ＭＡＲＩＡ López", [("ＭＡＲＩＡ López", [MARIA])], id="full width"),
        pytest.param("llamó López María", [("López María", [MARIA])], id="surname first"),
        pytest.param("factura de López, María.", [("López, María", [MARIA])], id="surname, comma, name"),
        pytest.param("Jacinta  Sotomayor", [("Jacinta  Sotomayor", [SOTO])], id="two spaces"),
        pytest.param("Jacinta\nSotomayor", [("Jacinta\nSotomayor", [SOTO])], id="a line break"),
        pytest.param("Jacinta M. Sotomayor", [("Jacinta M. Sotomayor", [SOTO])], id="a middle initial"),
        pytest.param("Jacinta de Sotomayor", [("Jacinta de Sotomayor", [SOTO])], id="a particle that the CRM lacks"),
        pytest.param("llamó María del Carmen", [("María del Carmen", [CARMEN])], id="a part with its particle"),
        pytest.param("llamó María Carmen Díaz", [("María Carmen Díaz", [CARMEN])], id="without its particle"),
        pytest.param("llamó María Díaz", [("María Díaz", [CARMEN])], id="first and last word"),
        pytest.param("sra. Otoniel", [("Otoniel", [OTONIEL])], id="one word that is no common word"),
        pytest.param("el caso ibarrola sigue", [("ibarrola", [OTONIEL])], id="one word in small letters"),
        pytest.param("Otoniel.", [("Otoniel", [OTONIEL])], id="before a full stop"),
        pytest.param("Valentina no vino", [("Valentina", [VALENTINA])], id="a member"),
    ],
)
def test_a_strong_form_is_found_however_it_is_written(text: str, expected: Expected) -> None:
    assert mentions(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("usuario otoniel_ibarrola", [("otoniel_ibarrola", [OTONIEL])], id="underscore"),
        pytest.param("otoniel123", [("otoniel", [OTONIEL])], id="digits behind"),
        pytest.param("pedido77Otoniel", [("Otoniel", [OTONIEL])], id="digits before"),
        pytest.param("#OtonielIbarrola", [("OtonielIbarrola", [OTONIEL])], id="camel case"),
        pytest.param("@otonielIbarrola", [("otonielIbarrola", [OTONIEL])], id="lower camel case"),
        pytest.param("?n=Otoniel%20Ibarrola&x", [("Otoniel%20Ibarrola", [OTONIEL])], id="percent-encoded space"),
        pytest.param("?n=Jos%C3%A9%20Ibarrola", [("Jos%C3%A9%20Ibarrola", [])], id="percent-encoded letter"),
        pytest.param("Mar&iacute;a L&oacute;pez", [("Mar&iacute;a L&oacute;pez", [MARIA])], id="HTML character references"),
        pytest.param("Mar\u200bía Ló\u00adpez", [("Mar\u200bía Ló\u00adpez", [MARIA])], id="characters that nobody sees"),
        pytest.param("**Otoniel** *Ibarrola*", [("Otoniel** *Ibarrola", [OTONIEL])], id="emphasis between the words"),
        pytest.param("otoniel.ibarrola", [("otoniel.ibarrola", [OTONIEL])], id="a log-in name"),
        pytest.param("otoniel-ibarrola.pdf", [("otoniel-ibarrola", [OTONIEL])], id="a file name"),
        pytest.param("Otoniel's invoice", [("Otoniel", [OTONIEL])], id="an English genitive"),
        pytest.param("de Otoniel,Otoniel", [("Otoniel", [OTONIEL]), ("Otoniel", [OTONIEL])], id="no space after a comma"),
        pytest.param("和Otoniel谈过", [("Otoniel", [OTONIEL])], id="between Chinese letters"),
        pytest.param("😀Otoniel😀", [("Otoniel", [OTONIEL])], id="between emoji"),
    ],
)
def test_words_end_where_a_reader_sees_their_end(text: str, expected: Expected) -> None:
    assert mentions(text) == expected


@pytest.mark.parametrize(
    "text",
    ["susana gana una manzana mañana", "el solsticio capaz", "una rosaleda", "Otonielito", "mariposa lopezina", "desclientelar", "ana\u0304logo"],
)
def test_a_name_inside_a_longer_word_is_none(text: str) -> None:
    assert mentions(text) == []


@pytest.mark.parametrize("form", ["D'Andrea", "D’Andrea", "D´Andrea", "D`Andrea", "dandrea", "D-Andrea", "d'ANDREA"])
def test_straight_curly_acute_and_missing_apostrophes_are_one_name(form: str) -> None:
    assert mentions(f"vino {form} ayer") == [(form, [ANDREA])]


def test_a_name_without_spaces_is_found_by_its_letters_in_a_row_and_not_by_one_of_them() -> None:
    assert mentions("请联系王小明吧") == [("王小明", [WANG])]
    assert mentions("王先生") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("María José López vino", [("María José López", [])], id="a word between that is not hers"),
        pytest.param("María Soto vino", [("María Soto", [])], id="another surname"),
        pytest.param("vino Susana Ibarrola", [("Susana Ibarrola", [])], id="another given name"),
        pytest.param("Otoniel Zzyxer vino", [("Otoniel Zzyxer", [])], id="a surname nobody has heard of"),
        pytest.param("María Ibarrola vino", [("María Ibarrola", [])], id="words of two known people"),
        pytest.param("María López Soto vino", [("María López Soto", [MARIA])], id="her second surname"),
        pytest.param("vino Susana María López", [("Susana María López", [MARIA])], id="a further given name before"),
    ],
)
def test_name_words_beside_a_known_name_belong_to_it_and_one_word_alone_does_not_say_whose_it_is(text: str, expected: Expected) -> None:
    assert mentions(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("María López y Otoniel", [("María López", [MARIA]), ("Otoniel", [OTONIEL])], id="y"),
        pytest.param("María López, Otoniel, Ana", [("María López", [MARIA]), ("Otoniel", [OTONIEL]), ("Ana", [ANA])], id="commas"),
        pytest.param("vino Otoniel. Jacinta no", [("Otoniel", [OTONIEL]), ("Jacinta", [SOTO])], id="a full stop"),
        pytest.param("Otoniel\n\nIbarrola", [("Otoniel", [OTONIEL]), ("Ibarrola", [OTONIEL])], id="an empty line"),
        pytest.param("María Henao y López Rojas", [("María Henao", []), ("López Rojas", [])], id="y between the words of one"),
        pytest.param("Pedro Gómez y Juan Toro", [("Pedro Gómez", []), ("Juan Toro", [])], id="y between strangers"),
        pytest.param("Pedro Gómez e Juan Toro", [("Pedro Gómez", []), ("Juan Toro", [])], id="e between strangers"),
        pytest.param("Otoniel e Jacinta", [("Otoniel", [OTONIEL]), ("Jacinta", [SOTO])], id="Portuguese and"),
        pytest.param("López, María, Otoniel", [("López, María", [MARIA]), ("Otoniel", [OTONIEL])], id="one comma turns a name round"),
    ],
)
def test_two_people_in_a_row_are_two_mentions(text: str, expected: Expected) -> None:
    assert mentions(text) == expected


def test_the_longest_name_wins() -> None:
    index = contacts("María José", "María José Ruiz", "María José Ruiz-Tagle")
    found = mentions("Con María José Ruiz-Tagle, María José Ruiz y María José.", index)
    assert found == [("María José Ruiz-Tagle", [contact(3)]), ("María José Ruiz", [contact(2)]), ("María José", [contact(1)])]


def test_one_form_of_several_people_names_them_all() -> None:
    assert mentions("hablé con María") == [("María", [MARIA, CARMEN])]


@pytest.mark.parametrize("text", ["De la del y dos", "de", "y del", "la de los", "e"])
def test_particles_alone_are_nobody(text: str) -> None:
    assert mentions(text, contacts("Ysolina de la Quintrala", "Amílcar dos Tejeiros", "Y", "E")) == []


@pytest.mark.parametrize("text", ["Hola, ¿a qué hora abren?", "plan A", "A.", "vitamina a"])
def test_a_name_of_one_letter_or_none_is_never_found_in_a_text(text: str) -> None:
    assert mentions(text, index_of([(contact(5), "A"), (contact(6), ".")]) | Index({"a": (Bearer(contact(7), True),)})) == []


# --- weak forms: common words, places, months, short words -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("hablé con Rosa ayer", [("Rosa", [ROSA])], id="capital in mid-sentence"),
        pytest.param("dile a rosa que sí", [("rosa", [ROSA])], id="person cue"),
        pytest.param("la señora rosa no vino", [("rosa", [ROSA])], id="title"),
        pytest.param("doña rosa no vino", [("rosa", [ROSA])], id="doña"),
        pytest.param("Rosa Pacheco no vino", [("Rosa Pacheco", [])], id="next to another name word"),
        pytest.param("Rosa Luz no vino", [("Rosa Luz", [ROSA])], id="the whole name of two words"),
        pytest.param("rosa luz no vino", [("rosa luz", [ROSA])], id="the whole name in small letters"),
        pytest.param("Rosa compró una rosa", [("Rosa", [ROSA])], id="a given name that acts"),
        pytest.param("que el Cliente pagó", [("Cliente", [CLIENTE])], id="saved as Cliente: capital"),
        pytest.param("dile a cliente", [("cliente", [CLIENTE])], id="saved as Cliente: cue"),
        pytest.param("dile a Li", [("Li", [LI])], id="two letters: cue"),
        pytest.param("vino Li ayer", [("Li", [LI])], id="two letters: capital"),
        pytest.param("dile a Abril", [("Abril", [ABRIL])], id="a month after a cue"),
        pytest.param("Abril Tejeiro llamó", [("Abril Tejeiro", [ABRIL])], id="a month next to a name word"),
        pytest.param("hablé con Santiago", [("Santiago", [SANTIAGO])], id="a place after a cue"),
        pytest.param("don Santiago no vino", [("Santiago", [SANTIAGO])], id="a place after a title"),
        pytest.param("Santiago Vera no vino", [("Santiago Vera", [SANTIAGO])], id="a place in the whole name"),
        pytest.param("Rosa Luz y rosa", [("Rosa Luz", [ROSA])], id="small letters beside the strong form"),
        pytest.param("Rosa Luz: Rosa", [("Rosa Luz", [ROSA]), ("Rosa", [ROSA])], id="with another form of the same entity"),
    ],
)
def test_a_weak_form_counts_where_a_person_is_meant(text: str, expected: Expected) -> None:
    assert mentions(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("una rosa roja", id="in small letters"),
        pytest.param("La rosa es roja", id="in small letters at the start"),
        pytest.param("Rosa es mi color", id="at the start of a sentence"),
        pytest.param("Gracias. Cliente contento", id="after a full stop"),
        pytest.param("ROSA ROJA EN OFERTA", id="among capitals"),
        pytest.param("el cliente llamó", id="saved as Cliente"),
        pytest.param("en Abril llueve", id="a month with a capital"),
        pytest.param("vivo en Santiago", id="a place with a capital"),
        pytest.param("li un libro", id="two letters"),
        pytest.param("a la luz del sol", id="a surname that is a word"),
    ],
)
def test_a_weak_form_is_an_ordinary_word_elsewhere(text: str) -> None:
    assert mentions(text) == []


@pytest.mark.parametrize("text", ["¿y rosa?", "que pasa con la rosa", "rosa"])
def test_in_the_question_a_weak_form_of_somebody_in_the_thread_is_always_meant(text: str) -> None:
    known = frozenset({ROSA})
    assert mentions(text, reading=Reading.QUESTION, present=known) == [("rosa", [ROSA])]
    assert mentions(text, reading=Reading.QUESTION) == []
    assert mentions(text, reading=Reading.TEXT, present=known) == []


# --- companies, inboxes, campaigns --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("llegó Transportes Quillay SpA", [("Transportes Quillay SpA", [QUILLAY])], id="with its legal form"),
        pytest.param("llegó transportes quillay", [("transportes quillay", [QUILLAY])], id="without it"),
        pytest.param("lo de Quillay", [("Quillay", [QUILLAY])], id="its own word"),
        pytest.param("la empresa La Esquina cerró", [("La Esquina", [ESQUINA])], id="common words after a cue"),
        pytest.param("trabaja en la esquina", [("la esquina", [ESQUINA])], id="common words after a cue in small letters"),
        pytest.param("cerró «La Esquina»", [("La Esquina", [ESQUINA])], id="common words in quotes"),
        pytest.param("vive en la esquina", [], id="common words"),
        pytest.param("La Esquina cerró", [], id="common words with capitals"),
        pytest.param("transportes y fletes", [], id="a common word of its name"),
    ],
)
def test_a_company_is_found_by_its_own_words_and_by_common_ones_only_after_a_cue_or_in_quotes(text: str, expected: Expected) -> None:
    assert mentions(text) == expected


@pytest.mark.parametrize(
    ("text", "in_question", "in_text"),
    [
        pytest.param("Postventa Austral", [("Postventa Austral", [AUSTRAL])], [("Postventa Austral", [AUSTRAL])], id="two words"),
        pytest.param("la bandeja Soporte", [("Soporte", [SOPORTE])], [], id="one word after a cue"),
        pytest.param("la bandeja de soporte", [("soporte", [SOPORTE])], [], id="one word after a cue and an article"),
        pytest.param("pide soporte", [], [], id="one word"),
        pytest.param("el Soporte", [], [], id="one word with a capital"),
        pytest.param("zona austral", [], [], id="one of its words"),
        pytest.param("la campaña Cyber Tejuelo", [("Cyber Tejuelo", [CYBER])], [("Cyber Tejuelo", [CYBER])], id="a campaign"),
        pytest.param("un tejuelo", [], [], id="one of a campaign's words"),
        pytest.param("las Ventas iPhone", [("Ventas iPhone", [PHONES])], [("Ventas iPhone", [PHONES])], id="camel case in its name"),
    ],
)
def test_an_inbox_or_campaign_is_found_by_its_whole_name(text: str, in_question: Expected, in_text: Expected) -> None:
    assert mentions(text, reading=Reading.QUESTION) == in_question
    assert mentions(text, reading=Reading.TEXT) == in_text


# --- people whom nobody knows -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "surface"),
    [
        pytest.param("no llegó Pedro Gómez", "Pedro Gómez", id="a full name"),
        pytest.param("no llegó PEDRO GÓMEZ", "PEDRO GÓMEZ", id="in capitals"),
        pytest.param("me debe Juan Carlos Toro", "Juan Carlos Toro", id="three words"),
        pytest.param("me debe Pedro de la Vega", "Pedro de la Vega", id="particles inside"),
        pytest.param("llegó Pedro Zzyxer", "Pedro Zzyxer", id="a surname nobody has heard of"),
        pytest.param("dile a Pedro", "Pedro", id="one name after a cue"),
        pytest.param("y si no está, Wenceslao", "Wenceslao", id="one name that is nothing else"),
        pytest.param("el señor Zzyxer vino", "Zzyxer", id="one unheard word after a title"),
    ],
)
def test_a_person_whom_nobody_knows_is_found_by_a_full_name_or_after_a_cue(text: str, surface: str) -> None:
    assert mentions(text) == [(surface, [])]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Buenos Aires y Nueva York", id="places"),
        pytest.param("el Lunes de Marzo", id="dates"),
        pytest.param("calle Pedro Gómez 123", id="a street"),
        pytest.param("Hola Buenas Tardes", id="greetings"),
        pytest.param("dile a Gerencia General", id="common words after a cue"),
    ],
)
def test_what_only_looks_like_a_person_stays(text: str) -> None:
    assert mentions(text) == []


# --- the whole ----------------------------------------------------------------------------------------------------------------------------

_PIECES = st.sampled_from(
    [
        "María",
        "lópez",
        "ROSA",
        "luz",
        "Otoniel",
        "de",
        "la",
        "y",
        "Esquina",
        ",",
        ".",
        " ",
        "\n",
        "'",
        "-",
        "_",
        "dile a",
        "王",
        "小",
        "明",
        "Pedro",
        "A",
        "7",
        "\u200b",
        "ﬁ",
        "İ",
    ]
)


@given(st.lists(_PIECES, max_size=14), st.sampled_from(Reading))
def test_mentions_stand_in_order_and_never_overlap(pieces: list[str], reading: Reading) -> None:
    text = " ".join(pieces)
    found = names.find(text, HOUSE, reading=reading, present=frozenset({ROSA}))
    ends = [0, *(span.end for span in found)]
    assert all(start <= span.start < span.end <= len(text) for start, span in zip(ends, found, strict=False))


@given(st.lists(_PIECES, max_size=10), st.lists(_PIECES, max_size=10))
def test_a_strong_form_is_found_whatever_stands_around_it(before: list[str], behind: list[str]) -> None:
    text = " ".join([*before, "Otoniel", *behind])
    place = len(" ".join([*before, ""]))
    found = names.find(text, HOUSE, reading=Reading.TEXT)
    assert any(span.start <= place and place + len("Otoniel") <= span.end for span in found)


def test_two_indexes_read_as_one_and_the_left_one_says_who_is_visible() -> None:
    left, right = index_of([(ANA, "Ana")]), index_of([(ANA, "Ana"), (LI, "Ana")], hidden=[ANA, LI])
    assert (left | right)["ana"] == (Bearer(ANA, True), Bearer(LI, False))
    assert not Index()
    assert (left | right).may_touch({"x", "ana"})
    assert set(index_of([(ESQUINA, "Quillay"), (OTONIEL, "Quillay")]).forms()) == {("quillay", Kind.COMPANY), ("quillay", Kind.CONTACT)}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("llamó Pepe Ibarrola", "llamó <1>", id="beside the surname"),
        pytest.param("llamó pepe ibarrola", "llamó <1>", id="written small"),
        pytest.param("pepe el loro", "pepe el loro", id="alone it is nobody's"),
        pytest.param("el Pepe, Ibarrola", "el <1>", id="a comma between"),
    ],
)
def test_a_nickname_counts_beside_another_word_of_the_name(text: str, shown: str) -> None:
    index = index_of([(contact(1), "José Ibarrola")])
    spans = [span for span in names.find(text, index, reading=Reading.TEXT) if span.bearers]
    for span in reversed(spans):
        text = f"{text[: span.start]}<{span.bearers[0].entity.id}>{text[span.end :]}"
    assert text == shown


@pytest.mark.parametrize(
    ("text", "fuzzy"),
    [
        pytest.param("habla con A. Ibarrola", True, id="an initial before one word"),
        pytest.param("habla con Otoniel I.", True, id="an initial behind one word"),
        pytest.param("habla con Otoniel J. Ibarrola", False, id="an initial inside the name"),
        pytest.param("habla con Ibarrola", False, id="no initial"),
    ],
)
def test_an_initial_beside_one_word_is_only_like_the_name(text: str, fuzzy: bool) -> None:
    (span,) = names.find(text, index_of([(contact(1), "Otoniel Ibarrola")]), reading=Reading.TEXT)
    assert [bearer.fuzzy for bearer in span.bearers] == [fuzzy]
    assert span.end == len(text) or text[span.end :] == "."
