"""Values of the demo: valid, of one kind only, and one each in every cast."""

from __future__ import annotations

import re

import phonenumbers
import pytest
from stdnum import iban, luhn
from stdnum.br import cnpj, cpf
from stdnum.cl import rut
from stdnum.es import cif, dni, nie
from stdnum.us import ein, itin, ssn

from db.crm.demo.values import SAID, STYLES, Values

SAMPLE = range(60)


def written(people_seed: int, kind: str, country: str, style: str) -> list[str]:
    values = Values(people_seed)
    return [values.written(kind, country, number, style) for number in SAMPLE]


@pytest.mark.parametrize("country", ["CL", "BR", "ES", "US"])
def test_every_way_to_write_a_phone_is_valid_in_its_country(country: str) -> None:
    for style in STYLES["phone", country].keys() - {"said"}:
        for phone in written(3, "phone", country, style):
            assert phonenumbers.is_valid_number(phonenumbers.parse(phone, country)), phone


@pytest.mark.parametrize("country", SAID)
def test_a_phone_that_is_said_is_the_same_phone(country: str) -> None:
    said = [[str(SAID[country].index(word)) for word in phone.split()] for phone in written(3, "phone", country, "said")]
    assert ["".join(digits) for digits in said] == written(3, "phone", country, "bare")


def test_phones_of_the_us_are_nobodys() -> None:
    assert all(phone[3:8] == "55501" for phone in written(3, "phone", "US", "bare"))


@pytest.mark.parametrize(
    ("kind", "country", "is_valid"),
    [
        ("person", "CL", rut.is_valid),
        ("company", "CL", rut.is_valid),
        ("person", "BR", cpf.is_valid),
        ("company", "BR", cnpj.is_valid),
        ("card", "any", luhn.is_valid),
        ("person", "ES", dni.is_valid),
        ("nie", "ES", nie.is_valid),
        ("company", "ES", cif.is_valid),
        ("iban", "ES", iban.is_valid),
        ("person", "US", ssn.is_valid),
        ("itin", "US", itin.is_valid),
        ("company", "US", ein.is_valid),
    ],
)
def test_every_id_and_card_has_its_check_digit(kind: str, country: str, is_valid: object) -> None:
    for style in STYLES[kind, country]:
        assert callable(is_valid)
        assert all(is_valid(re.sub("[ .]", "", value)) for value in written(3, kind, country, style))


def test_no_id_of_the_us_reads_as_a_phone_of_spain() -> None:
    for kind in ("person", "itin", "company"):
        for value in written(3, kind, "US", "bare"):
            assert not phonenumbers.is_valid_number(phonenumbers.parse(value, "ES"))


def test_no_id_reads_as_a_phone_and_no_phone_as_an_id() -> None:
    for country in ("CL", "BR"):
        for value in written(3, "person", country, "bare"):
            assert not phonenumbers.is_valid_number(phonenumbers.parse(f"+{56 if country == 'CL' else 55}{value}"))
        for phone in written(3, "phone", country, "bare"):
            assert not (cpf.is_valid(phone))
            assert not (rut.is_valid(phone))


@pytest.mark.parametrize("key", STYLES, ids="-".join)
def test_values_are_distinct_and_depend_on_the_cast(key: tuple[str, str]) -> None:
    first, second = (written(people_seed, *key, "bare") for people_seed in (0, 1))
    assert len(set(first)) == len(first)
    assert first != second
    assert first == written(0, *key, "bare")
