"""Whatever the generators make, in whatever form and sentence: the value is gone, what must stay stays."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.veil.scrub import generators as g
from tests.veil.scrub.contexts import sentences
from tests.veil.scrub.staying import MUST_STAY, must_stay
from veil.scrub import PLACEHOLDERS, Region, Sort, find, find_across, find_cut, may_run_on
from veil.scrub.cues import CUES

few = settings(max_examples=max(7, settings().max_examples // 12))
"""Each of some hundred forms gets a share; together they are many."""

EVERYWHERE = Region(g.COUNTRIES, g.COUNTRIES)
PHONE_CASES = [
    pytest.param(country, kind, form, id=f"{country}{kind} {form}")
    for country, kinds in g.PHONE_FORMS.items()
    for kind, forms in kinds.items()
    for form in forms
]
ID_CASES = [
    pytest.param(country, kind, form, id=f"{kind} {form}") for country, kinds in g.COUNTRY_IDS.items() for kind in kinds for form in g.ID_FORMS[kind]
]
CUED_CASES = [pytest.param(kind, form, id=f"{kind} {form}") for kind, forms in g.CUED_FORMS.items() for form in forms]


def home(country: str) -> Region:
    return Region((country,), (country,))


def near(country: str) -> st.SearchStrategy[Region]:
    """The tenant's country alone, or all of them at once."""
    return st.sampled_from((home(country), EVERYWHERE))


def scrubbed(text: str, region: Region) -> str:
    out, at = [], 0
    for hit in find(text, region):
        out += [text[at : hit.start], PLACEHOLDERS["es"][hit.sort]]
        at = hit.end
    return "".join([*out, text[at:]])


def assert_gone(written: str, sentence: str, region: Region) -> None:
    """All letters and digits of the value lie in hits."""
    text = sentence.replace("{}", written)
    start = sentence.index("{}")
    inside = [i for i in range(start, start + len(written)) if text[i].isalnum()]
    hits = find(text, region)
    left = [text[i] for i in inside if not any(hit.start <= i < hit.end for hit in hits)]
    assert not left, (text, hits)


@pytest.mark.parametrize(("country", "kind", "form"), PHONE_CASES)
@few
@given(data=st.data(), sentence=sentences())
def test_a_phone_is_gone_in_each_form_and_sentence(data, sentence, country, kind, form):
    phone = data.draw(g.phones(country).filter(lambda p: g.phone_kind(p) == kind))
    assert_gone(g.write(form, phone.national), sentence, data.draw(near(country)))


@pytest.mark.parametrize(("country", "kind", "form"), ID_CASES)
@few
@given(data=st.data(), sentence=sentences())
def test_an_id_is_gone_in_each_form_and_sentence(data, sentence, country, kind, form):
    value = data.draw(g.ids(kind)).value
    assert_gone(g.ID_FORMS[kind][form](value), sentence, data.draw(near(country)))


@pytest.mark.parametrize(("kind", "form"), CUED_CASES)
@few
@given(data=st.data())
def test_an_id_is_gone_beside_its_cue(data, kind, form):
    value = data.draw(g.ids(kind)).value
    country = next(c for c, kinds in g.COUNTRY_IDS.items() if kind in kinds)
    cue = data.draw(st.sampled_from(g.CUES[kind])).replace("{{", "{").replace("}}", "}")
    assert_gone(g.CUED_FORMS[kind][form](value), cue, home(country))


@pytest.mark.parametrize("form", g.EMAIL_FORMS)
@few
@given(value=g.emails(), sentence=sentences())
def test_an_address_is_gone_in_each_form_and_sentence(value, sentence, form):
    written = g.EMAIL_FORMS[form](value)
    if form.startswith("escaped"):
        hits = find(written, EVERYWHERE)
        assert any(hit.sort is Sort.EMAIL and hit.start <= written.index("q=") + 2 and hit.end == len(written) for hit in hits)
    elif form in ("mailto", "angle"):
        assert_gone(value, sentence.replace("{}", written.replace(value, "{}")), EVERYWHERE)
    else:
        assert_gone(written, sentence, EVERYWHERE)


@pytest.mark.parametrize("form", g.CARD_FORMS)
@few
@given(value=g.cards(), sentence=sentences(), country=st.sampled_from(g.COUNTRIES))
def test_a_card_is_gone_in_each_form_and_sentence(value, sentence, country, form):
    assert_gone(g.CARD_FORMS[form](value), sentence, home(country))


@pytest.mark.parametrize("form", g.IBAN_FORMS)
@few
@given(value=g.ibans(), sentence=sentences(), country=st.sampled_from(g.COUNTRIES))
def test_an_iban_is_gone_in_each_form_and_sentence(value, sentence, country, form):
    assert_gone(g.IBAN_FORMS[form](value), sentence, home(country))


@given(value=g.clabes(), sentence=sentences())
def test_a_clabe_is_gone_in_each_sentence(value, sentence):
    assert_gone(value, sentence, home("MX"))


@given(value=g.cbus(), sentence=sentences())
def test_a_cbu_is_gone_in_each_sentence(value, sentence):
    assert_gone(value, sentence, home("AR"))


@pytest.mark.parametrize("language", g.WORDS)
@given(data=st.data(), between=st.sampled_from((" ", ", ", "-")))
def test_a_phone_in_words_is_gone(data, between, language):
    country = data.draw(st.sampled_from({"es": ("CL", "MX", "CO", "ES"), "pt": ("BR",), "en": ("US",)}[language]))
    phone = data.draw(g.phones(country))
    assert_gone(g.in_words(phone.national, language, between), data.draw(st.sampled_from(g.SAID[language])), home(country))


@pytest.mark.parametrize("sign", [" ", ".", "-", ", ", "_", "*"])
@given(data=st.data())
def test_single_digits_are_gone_behind_a_cue(data, sign):
    country = data.draw(st.sampled_from(g.COUNTRIES))
    phone = data.draw(g.phones(country))
    assert_gone(sign.join(phone.national), "mi fono es {}, gracias", home(country))


@given(value=g.PASSWORDS, cue=st.sampled_from(g.SECRET_CUES))
def test_a_password_is_gone_behind_its_cue(value, cue):
    assert_gone(value, cue, EVERYWHERE)


@given(value=g.digits(4, "123456789") | g.digits(6, "123456789"), cue=st.sampled_from(g.CODE_CUES))
def test_a_code_that_opens_a_door_is_gone_behind_its_cue(value, cue):
    assert_gone(value, cue, EVERYWHERE)


@given(value=g.KEYS, sentence=sentences())
def test_a_key_is_gone_by_its_make(value, sentence):
    assert_gone(value, sentence, EVERYWHERE)


@pytest.mark.parametrize("link", g.LINKS)
@given(data=st.data())
def test_an_id_is_gone_in_a_link_or_the_name_of_a_file(data, link):
    country, kind, form = data.draw(
        st.sampled_from((("CL", "rut", "dash"), ("BR", "cpf", "dots"), ("AR", "cuit", "dash"), ("ES", "dni_es", "dash"), ("ES", "nie", "bare")))
    )
    assert_gone(g.ID_FORMS[kind][form](data.draw(g.ids(kind)).value), g.LINKS[link], data.draw(near(country)))


@given(data=st.data(), link=st.sampled_from(g.PHONE_LINKS))
def test_a_phone_is_gone_in_a_link(data, link):
    country = data.draw(st.sampled_from(g.COUNTRIES))
    assert_gone(data.draw(g.phones(country)).e164[1:], link, data.draw(near(country)))


@given(data=st.data())
def test_an_id_is_gone_as_an_integer_of_json(data):
    country, kind, key = data.draw(
        st.sampled_from((("CL", "rut", "rut"), ("AR", "dni_ar", "dni"), ("CO", "cc", "cedula"), ("BR", "cpf", "cpf"), ("US", "ssn", "ssn")))
    )
    value = data.draw(g.ids(kind)).value.rstrip("K").lstrip("0")
    assert_gone(value, f'{{"saldo": 15000, "{key}": {{}}, "activo": true}}'.replace("{{}}", "{}"), home(country))


@pytest.mark.parametrize("country", g.COUNTRIES)
@pytest.mark.parametrize("kind", MUST_STAY)
@few
@given(data=st.data())
def test_what_must_stay_stays(data, country, kind):
    kept = data.draw(must_stay(kind))
    sentence = data.draw(st.sampled_from(STAYING))
    text = sentence.replace("{}", kept)
    assert find(text, home(country)) == []


STAYING = (
    "{}",
    "hola, {} gracias",
    "({})",
    "es {}, ¿cuándo llega?",
    "mi consulta:\n{}\nsaludos",
    "ok {}.",
    "the one is {}, right?",
    "• {}",
    "Ana: {}",
)


@pytest.mark.parametrize("disguise", g.DISGUISES)
@few
@given(data=st.data(), sentence=sentences())
def test_a_value_is_gone_in_disguise(data, sentence, disguise):
    country = data.draw(st.sampled_from(g.COUNTRIES))
    phone = data.draw(g.phones(country))
    form = data.draw(st.sampled_from(g.PHONE_FORMS[country][g.phone_kind(phone)]))
    kind = data.draw(st.sampled_from([k for k in g.COUNTRY_IDS[country] if g.ID_FORMS[k]] or ["ssn"]))
    writer = data.draw(st.sampled_from(list(g.ID_FORMS[kind].values())))
    written = data.draw(st.sampled_from((g.write(form, phone.national), writer(data.draw(g.ids(kind)).value))))
    assert_gone(g.DISGUISES[disguise](written), sentence, home(country))


@given(data=st.data(), before=st.sampled_from(("", "hola, mi dato es ", "te lo dejo: ")), after=st.sampled_from(("", " gracias", ", ¿ok?")))
def test_a_value_is_gone_wherever_it_is_cut_over_two_messages(data, before, after):
    country = data.draw(st.sampled_from(g.COUNTRIES))
    phone = data.draw(g.phones(country))
    form = data.draw(st.sampled_from(g.PHONE_FORMS[country][g.phone_kind(phone)]))
    kind = data.draw(st.sampled_from([k for k in g.COUNTRY_IDS[country] if g.ID_FORMS[k]]))
    written = data.draw(st.sampled_from(list(g.ID_FORMS[kind].values())))(data.draw(g.ids(kind)).value)
    value = data.draw(st.sampled_from((g.write(form, phone.national), written, data.draw(g.cards()), data.draw(g.emails()), data.draw(g.ibans()))))
    for cut in range(1, len(value)):
        if value[:cut].lower() in CUES:
            continue  # "clp" and "nf" are words of business by themselves; nobody could tell
        first, second = before + value[:cut], value[cut:] + after
        left, right = find_across(first, second, home(country))
        rest = [c for i, c in enumerate(first) if i >= len(before) and c.isalnum() and not any(h.start <= i < h.end for h in left)]
        rest += [c for i, c in enumerate(second) if i < len(value) - cut and c.isalnum() and not any(h.start <= i < h.end for h in right)]
        assert len(rest) < _TELLING, (first, second)


_TELLING = 3
"""Fewer letters and digits left at the edge of a message tell nobody anything."""


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("la clave que uso es Gatito2024!", "El enlace no abre"),
        ("NIF B-93231975", "El contable lo pide"),
        ("40 chairs", "david.levi11@mail.example"),
        ("total $239,550.00", "wberg5@mail.example"),
        ("ana arroba example punto com", "ES42 0999 3064 1779 8922 0110"),
        ("uso la clave AB-7741-Z", "¿Casimiro Antipan?"),
    ],
)
def test_a_word_beside_a_value_of_the_other_message_stays(first, second):
    left, right = find_cut(first, second, EVERYWHERE)
    assert not left
    assert all(hit in find(second, EVERYWHERE) for hit in right)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("gracias por todo", "¿a qué hora abren?"),
        ("compré un notebook", "y no prende"),
        ("llegó el pedido", "pero faltan cosas"),
        ("", "955501234"),
        ("955501234", " "),
    ],
)
def test_two_messages_without_a_value_are_not_read_as_one(first, second):
    assert not may_run_on(first, second)


@given(data=st.data(), sentence=sentences())
def test_scrubbed_text_has_nothing_left_to_scrub(data, sentence):
    country = data.draw(st.sampled_from(g.COUNTRIES))
    phone = data.draw(g.phones(country))
    form = data.draw(st.sampled_from(g.PHONE_FORMS[country][g.phone_kind(phone)]))
    values = [g.write(form, phone.national), data.draw(g.emails()), data.draw(g.cards()), data.draw(g.ibans())]
    kind = data.draw(st.sampled_from(g.COUNTRY_IDS[country]))
    values += [writer(data.draw(g.ids(kind)).value) for writer in g.ID_FORMS[kind].values()]
    text = " y ".join(sentence.replace("{}", value) for value in values)
    once = scrubbed(text, home(country))
    assert scrubbed(once, home(country)) == once
