"""Phones: plans, values for the look-up, what stays."""

import pytest

from veil.scrub import Region, Sort, equivalents, find

REGION = {country: Region((country,), ()) for country in ("CL", "AR", "MX", "CO", "PE", "BR", "ES", "US")}

VALUES = [
    ("CL", "+56955501234", ("+56 9 5550 1234", "955501234", "9 5550 1234", "569 5550 1234", "09-5550 1234", "(+56 9) 5550.1234", "0056955501234")),
    ("AR", "+5491155501234", ("+54 9 11 5550-1234", "011 15 5550-1234", "11 15-5550-1234", "(011) 15-5550-1234", "5491155501234")),
    ("AR", "+5493415550123", ("+54 9 341 555-0123", "(0341) 15 555-0123", "0341-155-550123", "341 15 5550123")),
    ("MX", "+525512345678", ("+52 55 1234 5678", "55 1234 5678", "044 55 1234 5678", "+52 1 55 1234 5678", "01 (55) 1234-5678", "5215512345678")),
    ("CO", "+573005550123", ("+57 300 555 0123", "300 555 0123", "3005550123", "573005550123", "(300) 555-01-23")),
    ("PE", "+51955501234", ("+51 955 501 234", "955501234", "955-501-234", "51955501234", "955.501.234")),
    ("BR", "+5511987654321", ("+55 11 98765-4321", "(11) 98765-4321", "11987654321", "0xx11 98765-4321", "0 15 11 98765-4321", "(11) 9 8765-4321")),
    ("ES", "+34612345001", ("+34 612 34 50 01", "612 34 50 01", "612345001", "0034612345001", "612-345-001")),
    ("US", "+14155550123", ("+1 415 555 0123", "(415) 555-0123", "415.555.0123", "1-415-555-0123", "4155550123")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("country", "value", "written"),
    [pytest.param(country, value, form, id=f"{country} {form}") for country, value, forms in VALUES for form in forms],
)
def test_each_form_gives_the_same_number_for_the_look_up(country, value, written):
    (hit,) = find(f"es {written} gracias", REGION[country])
    assert (hit.sort, hit.value) == (Sort.PHONE, value)


def test_a_line_kept_with_or_without_its_mobile_mark_is_one_line():
    assert set(equivalents("+541155501234")) == set(equivalents("+5491155501234"))
    assert set(equivalents("+525512345678")) == set(equivalents("+5215512345678"))
    assert set(equivalents("+551187654321")) == set(equivalents("+5511987654321"))
    assert equivalents("+56955501234") == ("+56955501234",)


@pytest.mark.parametrize("text", ["+44 20 7946 0958", "(+33) 6 12 34 56 78", "+1 (242) 365-1234", "+49 30 901820"])
def test_an_international_number_is_found_in_any_region(text):
    (hit,) = find(f"call {text}", REGION["CL"])
    assert hit.sort is Sort.PHONE


@pytest.mark.parametrize(
    "text",
    ["tel 2345 6789", "cel. 1234567", "fono: 2345-6789", "whatsapp 5491155501234", "12345678 es mi celular", "7654321 (tel)", "Teléfono\n23456789"],
)
def test_a_cue_makes_a_phone_of_digits_that_no_plan_knows(text):
    assert [hit.sort for hit in find(text, REGION["CL"])] == [Sort.PHONE]


@pytest.mark.parametrize(
    "text", ["pedido 955501234", "N° 955501234", "#955501234", "monto 955501234", "$ 955.501.234", "955.501.234 pesos", "order_id=955501234"]
)
def test_a_word_of_business_next_to_the_number_keeps_it(text):
    assert find(text, REGION["CL"]) == []


@pytest.mark.parametrize(
    "text",
    [
        "el fono del pedido es 955501234",
        "en caso de emergencia 955501234",
        "por el pedido llamen al 955501234",
        "pagué 45000 al 955501234",
        "no llegó mi pedido, 955501234",
    ],
)
def test_a_word_of_business_further_away_does_not_keep_it(text):
    assert [hit.value for hit in find(text, REGION["CL"])] == ["+56955501234"]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("987654321/912345678", 2),
        ("987654321-912345678", 2),
        ("987654321 912345678 923456789 934567890 945678901", 5),
        ("Tel: 955501234 / 22 345 6789", 2),
        ("955501234, 955501235 y 955501236", 3),
        ("depto 402 9 5550 1234", 1),
        ("a las 15:30 955501234", 1),
        ("12/03/2024 955501234", 1),
        ("foto_955501234.jpg", 1),
        ("cel955501234", 1),
        ("+56955501234gracias", 1),
        ("987654321 mil gracias", 1),
    ],
)
def test_neighbours_do_not_hide_a_number(text, count):
    assert len(find(text, REGION["CL"])) == count


@pytest.mark.parametrize(
    "written",
    [
        "612*912*345",
        "612**912**345",
        "612#912#345",
        "612|912|345",
        "612:912:345",
        "612~912~345",
        "612<br>912<br>345",
        "612\n912\n345",
        "⑥①②⑨①②③④⑤",
        "6I2912345",
        "6l29I2345",
        r"\n612912345",
    ],
)
def test_a_cue_makes_a_phone_of_odd_writings(written):
    text = f"mi tel: {written}"
    (hit,) = find(text, REGION["ES"])
    assert (hit.end, hit.value) == (len(text), "+34612912345")


@pytest.mark.parametrize("before", [r"hola\n", r'{"text":"hola\t', r"\r\n", "x", "3x", "12x"])
def test_an_escaped_line_break_or_a_sign_of_times_is_no_part_of_a_number(before):
    (hit,) = find(before + "612912345", REGION["ES"])
    assert (hit.start, hit.end) == (len(before), len(before) + 9)


@pytest.mark.parametrize(
    "text",
    ["0x612912345", "sku-x612912345", "€612.912.345,00", "pedido 612|912|345", "llamar de 9:00:00 a 18:00:00", "llamar 2024|2025|2026", r"pedido\n1234567"],
)
def test_an_odd_writing_without_its_cue_is_no_phone(text):
    assert find(text, REGION["ES"]) == []


@pytest.mark.parametrize("text", ["4155550123x45", "415-555-0123 ext. 12", "(415) 555-0123 x345"])
def test_an_extension_belongs_to_the_number(text):
    (hit,) = find(text, REGION["US"])
    assert (hit.start, hit.end) == (0, len(text))


@pytest.mark.parametrize(("country", "text"), [("ES", "612 912 345-346"), ("US", "(305) 555-0183-0190"), ("ES", "+34 612 912 345-346")])
def test_a_range_of_lines_is_one_number(country, text):
    (hit,) = find(f"tel {text}, ok", REGION[country])
    assert (hit.start, hit.end) == (4, 4 + len(text))


def test_two_numbers_of_one_make_may_have_a_hyphen_between_them():
    assert [hit.value for hit in find("305-555-0183-305-555-0177", REGION["US"])] == ["+13055550183", "+13055550177"]
    assert find("305-555-0183-0190", REGION["US"]) == []


def test_several_regions_count_at_once():
    region = Region(("CL", "BR", "US"), ())
    assert len(find("955501234, (11) 98765-4321, 415-555-0123", region)) == 3
