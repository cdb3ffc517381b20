"""Phones, ids, accounts and cards of the demo: valid, invented, and recognisable as nothing but what they are. Phones of the US are of the lines
555-0100 to 555-0199, which are nobody's.

A value is asked for by kind, country and number, so that two casts have one each in every place. What could be read as
a value of another kind as well (a phone whose digits happen to be a CPF) is left out: it would be veiled as the one in
this cast and as the other in that.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

import phonenumbers
from stdnum import iban, luhn
from stdnum.br import cnpj, cpf
from stdnum.cl import rut
from stdnum.es import ccc, cif, dni, nie

_Style = Callable[[str], str]
_Maker = tuple[Callable[[random.Random], str], Callable[[str], bool]]

_CARDS = ("424242", "555555")
#: Area codes of the US, from the first to the second.
_AREAS = (
    (201, 203),
    (205, 210),
    (212, 219),
    (301, 305),
    (307, 310),
    (312, 321),
    (401, 402),
    (404, 410),
    (412, 415),
    (501, 505),
    (507, 510),
    (512, 518),
    (601, 603),
    (605, 610),
    (612, 616),
)
#: How the digits of a number are said one by one.
SAID: Mapping[str, Sequence[str]] = {
    "ES": ("cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve"),
    "US": ("oh", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
}
_FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")


def _odd(country: str) -> dict[str, _Style]:
    """The ways to write the digits of a phone that few machines read."""
    said = SAID[country]
    return {
        "said": lambda n: " ".join(said[int(digit)] for digit in n),
        "apart": " ".join,
        "wide": lambda n: n.translate(_FULL_WIDTH),
        "hidden": lambda n: f"{n[:3]}\u200b{n[3:6]}\u200b{n[6:]}",
    }


def _dni_dotted(bare: str) -> str:
    return f"{bare[:2]}.{bare[2:5]}.{bare[5:8]}-{bare[8:]}"


def _ssn_dashed(bare: str) -> str:
    return f"{bare[:3]}-{bare[3:5]}-{bare[5:]}"


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
        ("phone", "ES"): {
            "e164": lambda n: f"+34{n}",
            "spaced": lambda n: f"+34 {n[:3]} {n[3:5]} {n[5:7]} {n[7:]}",
            "local": lambda n: f"{n[:3]} {n[3:5]} {n[5:7]} {n[7:]}",
            "dashed": lambda n: f"{n[:3]}-{n[3:6]}-{n[6:]}",
            "bare": str,
            "dotted": lambda n: f"{n[:3]}.{n[3:6]}.{n[6:]}",
            "exit": lambda n: f"0034 {n[:3]} {n[3:6]} {n[6:]}",
            "noplus": lambda n: f"34{n}",
            "bars": lambda n: f"{n[:3]}\u2013{n[3:6]}\u2013{n[6:]}",
            **_odd("ES"),
        },
        ("phone", "US"): {
            "e164": lambda n: f"+1{n}",
            "spaced": lambda n: f"+1 {n[:3]}-{n[3:6]}-{n[6:]}",
            "local": lambda n: f"({n[:3]}) {n[3:6]}-{n[6:]}",
            "dashed": lambda n: f"{n[:3]}-{n[3:6]}-{n[6:]}",
            "bare": str,
            "dotted": lambda n: f"{n[:3]}.{n[3:6]}.{n[6:]}",
            "exit": lambda n: f"1-{n[:3]}-{n[3:6]}-{n[6:]}",
            "noplus": lambda n: f"1{n}",
            "bars": lambda n: f"{n[:3]}\u2011{n[3:6]}\u2011{n[6:]}",
            **_odd("US"),
        },
        ("cut", "ES"): {"head": lambda n: f"{n[:3]} {n[3:5]}", "tail": lambda n: f"{n[5:7]} {n[7:]}", "bare": str},
        ("person", "ES"): {"dotted": _dni_dotted, "dashed": lambda n: f"{n[:8]}-{n[8:]}", "bare": str, "lower": str.lower},
        ("person", "US"): {"dotted": _ssn_dashed, "dashed": _ssn_dashed, "bare": str, "lower": lambda n: f"{n[:3]} {n[3:5]} {n[5:]}"},
        ("nie", "ES"): {"dashed": lambda n: f"{n[0]}-{n[1:8]}-{n[8:]}", "bare": str, "lower": str.lower},
        ("itin", "US"): {"dashed": _ssn_dashed, "bare": str},
        ("company", "ES"): {"dotted": lambda n: f"{n[0]}-{n[1:]}", "bare": str},
        ("company", "US"): {"dotted": lambda n: f"{n[:2]}-{n[2:]}", "bare": str},
        ("iban", "ES"): {"bare": str, "grouped": lambda n: " ".join(n[at : at + 4] for at in range(0, len(n), 4))},
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


def plain_phone(country: str, number: int) -> str:
    """The phone of somebody of a crowd, the same in every cast; after a hundred thousand people it is shared."""
    code, prefix = _CROWD_PHONES[country]
    return f"+{code}{prefix}{(number * 7919) % 100_000:05d}"


def plain_id(country: str, number: int) -> str:
    """The id of somebody of a crowd, the same in every cast."""
    return _CROWD_IDS[country](number)


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


def _with_dni_letter(digits: str) -> str:
    return digits + dni.calc_check_digit(digits)


def _with_nie_letter(digits: str) -> str:
    return digits + nie.calc_check_digit(digits)


def _with_cif_digit(digits: str) -> str:
    return digits + next(digit for digit in cif.calc_check_digits(digits) if digit.isdigit())


def _as_iban(branch: str, account: str) -> str:
    inner = branch + ccc.calc_check_digits(f"{branch}00{account}") + account
    return f"ES{iban.calc_check_digits(f'ES00{inner}')}{inner}"


def _is_phone(digits: str) -> bool:
    return any(_is_phone_of(region, digits) for region in ("CL", "BR"))


def _is_phone_of(region: str, digits: str) -> bool:
    try:
        return phonenumbers.is_valid_number(phonenumbers.parse(digits, region))
    except phonenumbers.NumberParseException:
        return False


def _is_no_clear_phone(digits: str) -> bool:
    return not _is_phone(digits) or bool(rut.is_valid(digits) or cpf.is_valid(digits) or cpf.is_valid(f"56{digits}"))


def _is_no_phone_of_the_us(digits: str) -> bool:
    return not _is_phone_of("US", digits)


def _holds_a_card(written: str) -> bool:
    digits = written.removeprefix("ES")
    runs = (digits[start:end] for start in range(len(digits)) for end in range(start + 12, min(start + 20, len(digits) + 1)))
    return any(run[0] in "3456" and luhn.is_valid(run) for run in runs)


def _never(_: str) -> bool:
    return False


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
        ("phone", "ES"): (lambda dice: "6129" + _digits(dice, 5), _never),
        ("cut", "ES"): (lambda dice: "6129" + _digits(dice, 5), _never),
        ("phone", "US"): (lambda dice: f"{dice.randint(*dice.choice(_AREAS))}55501{_digits(dice, 2)}", _is_no_phone_of_the_us),
        ("person", "ES"): (lambda dice: _with_dni_letter(f"{dice.randrange(4, 8)}{_digits(dice, 7)}"), _never),
        ("person", "US"): (lambda dice: f"{dice.randrange(221, 499)}{dice.randrange(10, 99)}{dice.randrange(1000, 9999)}", _never),
        ("nie", "ES"): (lambda dice: _with_nie_letter(f"{dice.choice('XYZ')}{_digits(dice, 7)}"), _never),
        ("itin", "US"): (lambda dice: f"99{_digits(dice, 1)}7{_digits(dice, 5)}", _never),
        ("company", "ES"): (lambda dice: _with_cif_digit(f"B9{_digits(dice, 6)}"), _never),
        ("company", "US"): (lambda dice: f"3{_digits(dice, 8)}", _never),
        ("iban", "ES"): (lambda dice: _as_iban(f"0999{_digits(dice, 4)}", _digits(dice, 10)), _holds_a_card),
        ("card", "any"): (lambda dice: _with_luhn_digit(dice.choice(_CARDS) + _digits(dice, 9)), _is_phone),
    }
)

#: Country -> its code, and how the phones of a crowd begin: otherwise than those of a cast.
_CROWD_PHONES: Mapping[str, tuple[int, str]] = MappingProxyType({"CL": (56, "9614"), "BR": (55, "119614"), "ES": (34, "6149")})
#: Country -> the id of a number.
_CROWD_IDS: Mapping[str, Callable[[int], str]] = MappingProxyType(
    {
        "CL": lambda number: _with_rut_digit(f"2{number:07d}"),
        "BR": lambda number: _with_cpf_digits(f"9{number:08d}"),
        "ES": lambda number: _with_dni_letter(f"8{number:07d}"),
    }
)
