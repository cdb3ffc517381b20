"""Phones, ids and cards of the demo: valid, invented, and recognisable as nothing but what they are.

A value is asked for by kind, country and number, so that two casts have one each in every place. What could be read as
a value of another kind as well (a phone whose digits happen to be a CPF) is left out: it would be veiled as the one in
this cast and as the other in that.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

import phonenumbers
from stdnum import luhn
from stdnum.br import cnpj, cpf
from stdnum.cl import rut

_Style = Callable[[str], str]
_Maker = tuple[Callable[[random.Random], str], Callable[[str], bool]]

_CARDS = ("424242", "555555")

#: Kind and country -> how its digits are written, by style.
STYLES: Mapping[tuple[str, str], Mapping[str, _Style]] = MappingProxyType(
    {
        ("phone", "CL"): {
            "e164": lambda n: f"+56{n}",
            "spaced": lambda n: f"+56 {n[0]} {n[1:5]} {n[5:]}",
            "local": lambda n: f"{n[0]} {n[1:5]} {n[5:]}",
            "dashed": lambda n: f"{n[0]} {n[1:5]}-{n[5:]}",
            "bare": str,
        },
        ("phone", "BR"): {
            "e164": lambda n: f"+55{n}",
            "spaced": lambda n: f"+55 {n[:2]} {n[2:7]}-{n[7:]}",
            "local": lambda n: f"({n[:2]}) {n[2:7]}-{n[7:]}",
            "dashed": lambda n: f"{n[:2]} {n[2:7]}-{n[7:]}",
            "bare": str,
        },
        ("person", "CL"): {"dotted": rut.format, "dashed": lambda n: f"{n[:-1]}-{n[-1]}", "bare": str},
        ("person", "BR"): {"dotted": cpf.format, "dashed": lambda n: f"{n[:9]}-{n[9:]}", "bare": str},
        ("company", "CL"): {"dotted": rut.format, "bare": str},
        ("company", "BR"): {"dotted": cnpj.format, "bare": str},
        ("card", "any"): {"bare": str, "spaced": lambda n: f"{n[:4]} {n[4:8]} {n[8:12]} {n[12:]}"},
    }
)


class Values:
    """The values of one cast."""

    def __init__(self, people_seed: int) -> None:
        self._made: dict[tuple[str, str], list[str]] = {key: [] for key in STYLES}
        self._makers = {key: _distinct(key, random.Random(f"{people_seed} {key}")) for key in STYLES}  # noqa: S311

    def written(self, kind: str, country: str, number: int, style: str) -> str:
        """The value in one of its styles."""
        return STYLES[kind, country][style](self._bare((kind, country), number))

    def spellings(self, kind: str, country: str, number: int) -> list[str]:
        """Every style in the order of the table, and the forms in which values are compared."""
        bare = self._bare((kind, country), number)
        return [*(write(bare) for write in STYLES[kind, country].values()), bare]

    def _bare(self, key: tuple[str, str], number: int) -> str:
        made = self._made[key]
        while len(made) <= number:
            made.append(next(self._makers[key]))
        return made[number]


def _distinct(key: tuple[str, str], dice: random.Random) -> Iterator[str]:
    """Values of a kind without end, no two alike and none in doubt."""
    seen: set[str] = set()
    make, doubtful = _MAKERS[key]
    while True:
        value = make(dice)
        if value not in seen and not doubtful(value):
            seen.add(value)
            yield value


def _digits(dice: random.Random, count: int) -> str:
    return "".join(str(dice.randrange(10)) for _ in range(count))


def _with_rut_digit(digits: str) -> str:
    return digits + str(rut.calc_check_digit(digits))


def _with_cpf_digits(digits: str) -> str:
    for _ in range(2):
        total = sum(int(digit) * weight for weight, digit in enumerate(reversed(digits), start=2))
        digits += str((11 - total % 11) % 11 % 10)
    return digits


def _with_cnpj_digits(digits: str) -> str:
    return digits + str(cnpj.calc_check_digits(digits))


def _with_luhn_digit(digits: str) -> str:
    return digits + str(luhn.calc_check_digit(digits))


def _is_phone(digits: str) -> bool:
    return any(_is_phone_of(region, digits) for region in ("CL", "BR"))


def _is_phone_of(region: str, digits: str) -> bool:
    try:
        return phonenumbers.is_valid_number(phonenumbers.parse(digits, region))
    except phonenumbers.NumberParseException:
        return False


def _is_no_clear_phone(digits: str) -> bool:
    return not _is_phone(digits) or bool(rut.is_valid(digits) or cpf.is_valid(digits) or cpf.is_valid(f"56{digits}"))


def _is_no_clear_rut(value: str) -> bool:
    """A check digit K is a letter, which reads differently: all have figures."""
    return value.endswith("K") or _is_phone(value)


def _is_no_clear_cpf(value: str) -> bool:
    return not cpf.is_valid(value) or _is_phone(value)


#: Kind and country -> one more value, and whether it must not be used.
_MAKERS: Mapping[tuple[str, str], _Maker] = MappingProxyType(
    {
        ("phone", "CL"): (lambda dice: "9612" + _digits(dice, 5), _is_no_clear_phone),
        ("phone", "BR"): (lambda dice: "119612" + _digits(dice, 5), _is_no_clear_phone),
        ("person", "CL"): (lambda dice: _with_rut_digit(f"1{_digits(dice, 7)}"), _is_no_clear_rut),
        ("person", "BR"): (lambda dice: _with_cpf_digits(_digits(dice, 9)), _is_no_clear_cpf),
        ("company", "CL"): (lambda dice: _with_rut_digit("76" + _digits(dice, 6)), _is_no_clear_rut),
        ("company", "BR"): (lambda dice: _with_cnpj_digits(f"1{_digits(dice, 7)}0001"), _is_phone),
        ("card", "any"): (lambda dice: _with_luhn_digit(dice.choice(_CARDS) + _digits(dice, 9)), _is_phone),
    }
)
