"""Whatever the generators make, in whatever form and sentence: the value is gone, what must stay stays."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.veil.scrub import generators as g
from veil.scrub import PLACEHOLDERS, Region, Sort, find, find_across

few = settings(max_examples=max(10, settings().max_examples // 5))
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
@given(data=st.data(), sentence=g.sentences())
def test_a_phone_is_gone_in_each_form_and_sentence(data, sentence, country, kind, form):
    phone = data.draw(g.phones(country).filter(lambda p: g.phone_kind(p) == kind))
    assert_gone(g.write(form, phone.national), sentence, home(country))


@pytest.mark.parametrize(("country", "kind", "form"), ID_CASES)
@few
@given(data=st.data(), sentence=g.sentences())
def test_an_id_is_gone_in_each_form_and_sentence(data, sentence, country, kind, form):
    value = data.draw(g.ids(kind)).value
    assert_gone(g.ID_FORMS[kind][form](value), sentence, home(country))


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
@given(value=g.emails(), sentence=g.sentences())
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
@given(value=g.cards(), sentence=g.sentences(), country=st.sampled_from(g.COUNTRIES))
def test_a_card_is_gone_in_each_form_and_sentence(value, sentence, country, form):
    assert_gone(g.CARD_FORMS[form](value), sentence, home(country))


@pytest.mark.parametrize("form", g.IBAN_FORMS)
@few
@given(value=g.ibans(), sentence=g.sentences(), country=st.sampled_from(g.COUNTRIES))
def test_an_iban_is_gone_in_each_form_and_sentence(value, sentence, country, form):
    assert_gone(g.IBAN_FORMS[form](value), sentence, home(country))


@given(value=g.clabes(), sentence=g.sentences())
def test_a_clabe_is_gone_in_each_sentence(value, sentence):
    assert_gone(value, sentence, home("MX"))


@given(value=g.cbus(), sentence=g.sentences())
def test_a_cbu_is_gone_in_each_sentence(value, sentence):
    assert_gone(value, sentence, home("AR"))


@pytest.mark.parametrize("country", g.COUNTRIES)
@pytest.mark.parametrize("kind", g.MUST_STAY)
@few
@given(data=st.data())
def test_what_must_stay_stays(data, country, kind):
    kept = data.draw(g.must_stay(kind))
    sentence = data.draw(st.sampled_from(STAYING))
    text = sentence.replace("{}", kept)
    assert find(text, home(country)) == []


STAYING = ("{}", "hola, {} gracias", "({})", "es {}, ¿cuándo llega?", "mi consulta:\n{}\nsaludos", "ok {}.", "the one is {}, right?")


@pytest.mark.parametrize("disguise", g.DISGUISES)
@few
@given(data=st.data(), sentence=g.sentences())
def test_a_value_is_gone_in_disguise(data, sentence, disguise):
    country = data.draw(st.sampled_from(g.COUNTRIES))
    phone = data.draw(g.phones(country))
    form = data.draw(st.sampled_from(g.PHONE_FORMS[country][g.phone_kind(phone)]))
    kind = data.draw(st.sampled_from([k for k in g.COUNTRY_IDS[country] if g.ID_FORMS[k]]))
    writer = data.draw(st.sampled_from(list(g.ID_FORMS[kind].values())))
    written = data.draw(st.sampled_from((g.write(form, phone.national), writer(data.draw(g.ids(kind)).value))))
    assert_gone(g.DISGUISES[disguise](written), sentence, home(country))


@given(data=st.data(), before=st.sampled_from(("", "hola, mi dato es ", "te lo dejo: ")), after=st.sampled_from(("", " gracias", ", ¿ok?")))
def test_a_value_cut_over_two_messages_is_gone(data, before, after):
    country = data.draw(st.sampled_from(g.COUNTRIES))
    phone = data.draw(g.phones(country))
    form = data.draw(st.sampled_from(g.PHONE_FORMS[country][g.phone_kind(phone)]))
    value = data.draw(st.sampled_from((g.write(form, phone.national), data.draw(g.cards()), data.draw(g.emails()), data.draw(g.ibans()))))
    cut = data.draw(st.integers(1, len(value) - 1))
    first, second = before + value[:cut], value[cut:] + after
    left, right = find_across(first, second, home(country))
    rest = [c for i, c in enumerate(first) if i >= len(before) and c.isalnum() and not any(h.start <= i < h.end for h in left)]
    rest += [c for i, c in enumerate(second) if i < len(value) - cut and c.isalnum() and not any(h.start <= i < h.end for h in right)]
    assert not rest


@given(data=st.data(), sentence=g.sentences())
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
