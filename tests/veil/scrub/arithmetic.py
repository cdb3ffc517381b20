"""Check digits in plain arithmetic with the published weights: what makes the generators' values.

The detectors ask python-stdnum; so neither hides the other's fault. Values are without signs, letters are capitals.
"""

from collections.abc import Callable, Iterable
from operator import mul


def completed(valid: Callable[[str], bool], body: str, endings: Iterable[str] = "0123456789") -> str:
    """`body` with the ending that makes it a number that can be given out; '' when there is none."""
    return next((body + ending for ending in endings if valid(body + ending)), "")


def rut(value: str) -> bool:
    """CL: modulus 11, ten is K."""
    return "0123456789K"[-_weighed(value[:-1].lstrip("0").zfill(8), (3, 2, 7, 6, 5, 4, 3, 2)) % 11] == value[-1]


def cuit(value: str) -> bool:
    """AR: modulus 11 over a prefix that is in use."""
    return value[:2] in _CUIT_PREFIXES and "012345678990"[11 - _weighed(value[:10], _TEN) % 11] == value[10]


def curp(value: str) -> bool:
    """MX: positions of letters weighed from 18 down, modulus 10."""
    total = sum(map(mul, map(_CURP_LETTERS.index, value[:17]), range(18, 1, -1)))
    return str(-total % 10) == value[17]


def nit(value: str) -> bool:
    """CO: prime weights from the right, modulus 11."""
    return "01987654321"[_weighed(value[-2::-1], _PRIMES[: len(value) - 1]) % 11] == value[-1]


def ruc(value: str) -> bool:
    """PE: modulus 11, then 10."""
    return str((11 - _weighed(value[:10], _TEN) % 11) % 10) == value[10]


def cpf(value: str) -> bool:
    """BR: two digits of modulus 11; eleven times the same digit is nobody's."""
    first = -_weighed(value[:9], (10, 9, 8, 7, 6, 5, 4, 3, 2)) % 11 % 10
    second = -_weighed(value[:10], (11, 10, 9, 8, 7, 6, 5, 4, 3, 2)) % 11 % 10
    return value[9:] == f"{first}{second}" and value != value[0] * 11


def cnpj(value: str) -> bool:
    """BR: two digits of modulus 11, letters by their distance from "0"; all zeros is nobody's."""
    first = -_weighed(value[:12], _TWELVE) % 11 % 10
    second = -_weighed(value[:13], (6, *_TWELVE)) % 11 % 10
    return value[12:] == f"{first}{second}" and value[:12] != "0" * 12


def dni(value: str) -> bool:
    """ES: the letter of the number modulus 23."""
    return _DNI_LETTERS[int(value[:-1]) % 23] == value[-1]


def nie(value: str) -> bool:
    """ES: a DNI whose first letter stands for a digit."""
    return dni(str("XYZ".index(value[0])) + value[1:])


def cif(value: str) -> bool:
    """ES: Luhn's digit, or the letter that stands for it."""
    digit = luhn_digit(value[1:8])
    return value[8] in (str(digit), "JABCDEFGHI"[digit])


def ssn(value: str) -> bool:
    """US: no check digit, but areas, groups and serials that are never given out."""
    area, group, serial = value[:3], value[3:5], value[5:]
    return area not in ("000", "666") and area < "900" and group != "00" and serial != "0000" and value not in _ADVERTISED


def luhn(digits: str) -> bool:
    """Cards: Luhn's sum."""
    return luhn_digit(digits[:-1]) == int(digits[-1])


def luhn_digit(digits: str) -> int:
    """The digit that Luhn's sum asks for behind these."""
    odd, even = map(int, digits[::-2]), map(int, digits[-2::-2])
    return -(sum([_DOUBLED[digit] for digit in odd]) + sum(even)) % 10


def iban(value: str) -> bool:
    """Banks: modulus 97 with the country and the check digits at the end."""
    return int("".join([str(int(c, 36)) for c in value[4:] + value[:4]])) % 97 == 1


def clabe(digits: str) -> bool:
    """MX: each product's last digit counts."""
    return -sum([int(d) * w % 10 for d, w in zip(digits[:17], (3, 7, 1) * 6, strict=False)]) % 10 == int(digits[17])


def cbu(digits: str) -> bool:
    """AR: one check digit for the branch, one for the account."""
    return _cbu(digits[:7]) == digits[7] and _cbu(digits[8:21]) == digits[21]


def _cbu(digits: str) -> str:
    return str(-_weighed(digits[::-1], ((3, 1, 7, 9) * 4)[: len(digits)]) % 10)


def _weighed(value: str, weights: tuple[int, ...]) -> int:
    """The sum of the characters' distances from "0", each times its weight."""
    total: int = sum(map(mul, value.encode(), weights))
    return total - 48 * sum(weights)


_TEN = (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)
_TWELVE = (5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)
_PRIMES = (3, 7, 13, 17, 19, 23, 29, 37, 41, 43, 47, 53, 59, 67, 71)
_DOUBLED = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)
_CUIT_PREFIXES = frozenset({"20", "23", "24", "25", "26", "27", "30", "33", "34", "50", "51", "55"})
_CURP_LETTERS = "0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ"
_DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_ADVERTISED = frozenset({"078051120", "219099999", "457555462"})
