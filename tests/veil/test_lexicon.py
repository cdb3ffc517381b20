"""The literal word tables say of each word what the design needs."""

from importlib.resources import files

import pytest

from veil import lexicon
from veil.fold import words


def listed(text: str) -> list[str]:
    return text.split()


MONTHS = listed("""
enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre janeiro fevereiro
março maio junho julho setembro outubro novembro dezembro january february march april may june july august
september october november december lunes martes miércoles jueves viernes sábado domingo segunda terça quarta quinta
sexta monday tuesday wednesday thursday friday saturday sunday
""")

ONLY_NAMES = listed("""
maría josé gonzález muñoz silva soto zulema pedro juan ana garcía lópez rodríguez pérez sánchez hernández quispe
mamani huamán fernández oliveira souza ferreira rodrigues pereira santos almeida gómez díaz torres ramírez castillo
fuentes guerrero moreno estrada cortés luna gloria norma ángel héctor francisco guillermo germán antonio carlos
jorge mónica verónica camila valentina thiago larissa smith johnson williams jennifer michael matthew
""")

COMMON = listed("""
rosa luz paz sol mar flores reyes cruz campos julio abril will bill mark grant nascimento caso leal bravo rey vera
rojas blanco grande real bueno salud hola oi hi gracias obrigado thanks porfa vc usted você señora senhor sr sra
cliente clientes contacto contato contact conversación conversa mensaje mensagem message bandeja inbox soporte
suporte support ventas vendas sales teléfono telefone phone celular correo email nombre nome name apellido código
empresa compañía campaña etiqueta nota pedido orden órdenes factura boleta boleto pago pagos envío entrega despacho
cotización precio descuento reclamo cita reserva hora semana mañana ayer hoje amanhã tomorrow open pending snoozed
resolved lead active inactive draft running paused finished dale dile diga tome marque mire cuesta evita dan da lee
vives pena días diez hermano hermana esposo marido mamá jefe vecina sobrino niña clínica transportes importadora
constructora ferretería horizonte santiago valencia córdoba león concepción antofagasta lima madrid brasil méxico
""")


def folded(word: str) -> str:
    (only,) = words(word)
    return only.form


@pytest.mark.parametrize("word", ["rosa", "luz", "paz", "mark", "blanca"])
def test_a_word_that_is_also_a_given_name_is_common_and_in_the_list_of_given_names(word: str) -> None:
    assert lexicon.is_common(word)
    assert word in lexicon.GIVEN


@pytest.mark.parametrize("word", ["flores", "reyes", "cruz", "campos", "leal", "rojas", "nascimento"])
def test_a_word_that_is_also_a_surname_is_common_and_in_the_list_of_surnames(word: str) -> None:
    assert lexicon.is_common(word)
    assert word in lexicon.SURNAMES


@pytest.mark.parametrize("word", MONTHS)
def test_months_and_weekdays_are_common_words(word: str) -> None:
    assert lexicon.is_month(folded(word))
    assert lexicon.is_common(folded(word))


@pytest.mark.parametrize("word", ONLY_NAMES)
def test_a_word_that_is_only_a_name_is_strong_and_known_as_a_name(word: str) -> None:
    assert not lexicon.is_common(folded(word))
    assert lexicon.is_person_name(folded(word))


@pytest.mark.parametrize("word", COMMON)
def test_words_of_support_chats_are_common_even_when_somebody_is_called_so(word: str) -> None:
    assert lexicon.is_common(folded(word))


def test_particles_are_common_words_and_no_names() -> None:
    assert all(lexicon.is_common(particle) for particle in lexicon.PARTICLES if len(particle) > 1)
    assert not any(lexicon.is_person_name(particle) for particle in lexicon.PARTICLES)
    assert not {"san", "santa"} & lexicon.PARTICLES


@pytest.mark.parametrize(
    "place",
    [
        "chile",
        "nunoa",
        "buenos aires",
        "ciudad de mexico",
        "sao paulo",
        "nueva york",
        "londres",
        "bogota",
        "arequipa",
        "texas",
    ],
)
def test_places_are_known_in_one_word_or_several(place: str) -> None:
    assert lexicon.is_place(place)


@pytest.mark.parametrize("place", ["pereira", "santos", "mauricio", "orlando", "florencia", "montenegro"])
def test_a_place_that_is_a_person_first_is_left_to_the_names(place: str) -> None:
    assert not lexicon.is_place(place)
    assert not lexicon.is_common(place)


def test_the_words_of_one_word_places_are_common() -> None:
    places = (files("veil") / "data" / "places.txt").read_text(encoding="utf-8").splitlines()
    assert not [place for place in places if " " not in place and not lexicon.is_common(place)]


@pytest.mark.parametrize(
    ("nick", "formal"),
    [
        ("pepe", "jose"),
        ("pancho", "francisco"),
        ("ze", "jose"),
        ("chico", "francisco"),
        ("bob", "robert"),
        ("lalo", "eduardo"),
    ],
)
def test_nicknames_lead_to_their_formal_names(nick: str, formal: str) -> None:
    assert formal in lexicon.NICKNAMES[nick]


@pytest.mark.parametrize("cue", ["dile a", "me llamo", "a nombre de", "meu marido", "diga ao", "my name is", "tell"])
def test_person_cues_are_known_as_the_words_they_consist_of(cue: str) -> None:
    assert tuple(cue.split()) in lexicon.PERSON_CUES


@pytest.mark.parametrize("word", ["compro", "dijo", "ligou", "called", "me"])
def test_what_somebody_does_is_an_action(word: str) -> None:
    assert lexicon.is_action(word)


@pytest.mark.parametrize("name", sorted(path.name for path in (files("veil") / "data").iterdir() if path.name.endswith(".txt")))
def test_tables_hold_folded_entries_without_repeats_in_order(name: str) -> None:
    entries = (files("veil") / "data" / name).read_text(encoding="utf-8").splitlines()
    assert entries == sorted(set(entries))
    assert all(word.form == entry for line in entries for entry in line.split() for word in words(entry)[:1])


def test_the_version_is_a_short_hash() -> None:
    assert len(lexicon.VERSION) == 12
    assert int(lexicon.VERSION, 16) >= 0
