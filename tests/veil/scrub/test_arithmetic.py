"""The arithmetic of the generators beside python-stdnum, which the detectors ask: whatever the digits, they judge alike."""

import string
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import iban, luhn
from stdnum.ar import cbu, cuit
from stdnum.br import cnpj, cpf
from stdnum.cl import rut
from stdnum.co import nit
from stdnum.es import cif, dni, nie
from stdnum.mx import curp
from stdnum.pe import ruc
from stdnum.us import ssn

from tests.veil.scrub import arithmetic
from tests.veil.scrub import generators as g

_LETTERS = string.ascii_uppercase
KINDS: dict[str, tuple[Any, Any]] = {
    "rut": (rut.is_valid, lambda: st.tuples(st.integers(1_000_000, 99_999_999).map(str), st.sampled_from("0123456789K")).map("".join)),
    "cuit": (cuit.is_valid, lambda: st.tuples(st.sampled_from(("20", "23", "24", "27", "30", "33", "34", "31")), g.digits(9)).map("".join)),
    "nit": (nit.is_valid, lambda: g.digits(9) | g.digits(10)),
    "ruc": (ruc.is_valid, lambda: st.tuples(st.sampled_from(("10", "15", "17", "20")), g.digits(9)).map("".join)),
    "cpf": (cpf.is_valid, lambda: g.digits(11)),
    "cnpj": (cnpj.is_valid, lambda: st.tuples(st.text("0123456789ABXYZ", min_size=12, max_size=12), g.digits(2)).map("".join)),
    "dni": (dni.is_valid, lambda: st.tuples(g.digits(8), st.sampled_from(_LETTERS)).map("".join)),
    "nie": (nie.is_valid, lambda: st.tuples(st.sampled_from("XYZ"), g.digits(7), st.sampled_from(_LETTERS)).map("".join)),
    "cif": (cif.is_valid, lambda: st.tuples(st.sampled_from("ABCDEFGHJNPQRSUVW"), g.digits(7), st.sampled_from("0123456789ABCDEFGHIJ")).map("".join)),
    "ssn": (ssn.is_valid, lambda: g.digits(9)),
    "luhn": (luhn.is_valid, lambda: g.digits(13) | g.digits(15) | g.digits(16)),
    "cbu": (cbu.is_valid, lambda: g.digits(22)),
    "iban": (lambda v: iban.is_valid(v, check_country=False), lambda: g.digits(22).map(lambda d: "ES" + d)),
}
VALID = {
    "rut": g.ids("rut"), "cuit": g.ids("cuit"), "nit": g.ids("nit"), "ruc": g.ids("ruc"), "cpf": g.ids("cpf"), "cnpj": g.ids("cnpj_letters"),
    "dni": g.ids("dni_es"), "nie": g.ids("nie"), "cif": g.ids("cif"), "ssn": g.ids("ssn"), "curp": g.ids("curp"),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_any_digits_are_judged_as_the_library_judges_them(data, kind):
    judge, values = KINDS[kind]
    value = data.draw(values())
    assert getattr(arithmetic, kind)(value) == judge(value)


@pytest.mark.parametrize("kind", VALID)
@given(data=st.data())
def test_a_number_that_was_given_out_is_valid(data, kind):
    assert getattr(arithmetic, kind)(data.draw(VALID[kind]).value)


@given(value=g.ids("curp"))
def test_a_curp_with_another_last_digit_is_not(value):
    assert curp.is_valid(value.value)
    wrong = value.value[:-1] + str((int(value.value[-1]) + 1) % 10)
    assert not arithmetic.curp(wrong)


@given(card=g.cards(), account=g.clabes(), branch=g.cbus(), bank=g.ibans())
def test_cards_and_accounts_are_valid(card, account, branch, bank):
    assert arithmetic.luhn(card)
    assert arithmetic.clabe(account)
    assert arithmetic.cbu(branch)
    assert arithmetic.iban(bank)
