"""Strategies for values of every sort and the forms people write them in.

Other tests may use them: `phones`, `ids`, `emails`, `cards`, `accounts` give values with valid check digits by country;
`PHONE_FORMS` and `ID_FORMS` write them. Check digits come from our own arithmetic, the detectors ask python-stdnum, so
that one cannot hide the other's fault.

One long module on purpose: a table of kinds and forms that is read from top to bottom.
"""

import datetime
import string
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import phonenumbers
from hypothesis import strategies as st

from tests.veil.scrub import arithmetic
from tests.veil.scrub.arithmetic import completed

COUNTRIES = ("CL", "AR", "MX", "CO", "PE", "BR", "ES", "US")
LANGUAGE = {"BR": "pt", "US": "en"}


def digits(size: int, first: str = string.digits) -> st.SearchStrategy[str]:
    """Exactly `size` digits."""
    rest = st.text(string.digits, min_size=size - 1, max_size=size - 1)
    return st.tuples(st.sampled_from(first), rest).map("".join)


# --------------------------------------------------------------------------------------------------------- phones


@dataclass(frozen=True, slots=True)
class Phone:
    """A valid number: its country, its significant digits and the form the CRM is asked in."""

    country: str
    national: str
    e164: str


_PHONE_PARTS: Mapping[str, tuple[tuple[str, int], ...]] = {
    "CL": (("9", 8), ("22", 7), ("32", 7)),
    "AR": (("11", 8), ("351", 7), ("341", 7), ("2944", 6)),
    "MX": (("55", 8), ("33", 8), ("81", 8), ("999", 7), ("222", 7)),
    "CO": (("300", 7), ("312", 7), ("320", 7), ("601", 7), ("604", 7)),
    "PE": (("9", 8), ("1", 7)),
    "BR": (("119", 8), ("219", 8), ("859", 8), ("113", 7), ("412", 7)),
    "ES": (("6", 8), ("71", 7), ("91", 7), ("93", 7)),
    "US": (("212", 7), ("415", 7), ("702", 7), ("919", 7)),
}
_CODES = {"CL": "56", "AR": "54", "MX": "52", "CO": "57", "PE": "51", "BR": "55", "ES": "34", "US": "1"}


def phones(country: str) -> st.SearchStrategy[Phone]:
    """Valid numbers of a country, mobile and fixed."""

    def made(parts: tuple[str, str]) -> Phone:
        national = "".join(parts)
        mark = "9" if country == "AR" else ""
        return Phone(country, national, f"+{_CODES[country]}{mark}{national}")

    def exact(part: tuple[str, int]) -> st.SearchStrategy[tuple[str, str]]:
        return st.tuples(st.just(part[0]), digits(part[1], "23456789"))

    return st.sampled_from(_PHONE_PARTS[country]).flatmap(exact).map(made).filter(_is_valid)


def _is_valid(phone: Phone) -> bool:
    return phonenumbers.is_valid_number(phonenumbers.parse(phone.e164))


PHONE_FORMS: Mapping[str, Mapping[int, tuple[str, ...]]] = {
    "CL": {
        1: (
            "+56 # #### ####", "+56#########", "+56-#-####-####", "+56 # ########", "(+56) # #### ####", "56#########",
            "56 # #### ####", "0056#########", "# #### ####", "#########", "#-####-####", "#.####.####", "##### ####",
            "#### ## ###", "0# #### ####", "0#-########", "+56(#)####-####", "### ### ###", "+56 # #### ##-##",
            "# ########", "(#) #### ####", "+56 # ##-##-##-##", "+56.#.####.####", "(56-#) #### ####", "# ####  ####", "+56 #-########", "#/####/####",
        ),
        2: ("+56 ## ### ####", "(##) ### ####", "(0##) ### ####", "## ### ####", "## #######", "0## #######"),
    },
    "AR": {
        2: (
            "+54 9 ## ####-####", "+549##########", "549##########", "+54 9 ## #### ####", "## ####-####", "##########",
            "0## ####-####", "(0##) 15-####-####", "0## 15 #### ####", "## 15 ####-####", "(##) ####-####", "##-####-####",
            "+54 ## ####-####", "54 9 ## ####-####", "+54 (9) ## ####-####", "0054 9 ## #### ####", "0##-15-####-####",
            "+54 9 ##-####-####", "54 ## #### ####", "+54 (##) 15 ####-####", "9 ## #### ####", "0 ## 15 #### ####", "+54-9-##-####-####", "(54) ## ####-####",
        ),
        3: (
            "+54 9 ### ###-####", "(0###) 15-###-####", "0### #######", "### ###-####", "### 15 ### ####", "0### 15 #######",
            "+549##########", "(0###) ###-####", "###-#######", "### #######",
        ),
        4: ("+54 9 #### ##-####", "(0####) 15-##-####", "0#### ######", "+549##########", "0#### 15 ######"),
    },
    "MX": {
        2: (
            "+52 ## #### ####", "+52##########", "+52 1 ## #### ####", "+521##########", "521##########", "52##########",
            "## #### ####", "(##) #### ####", "##-####-####", "##.####.####", "044 ## #### ####", "045 ## #### ####",
            "01 ## #### ####", "01 (##) #### ####", "##########", "(##) ####-####", "00 52 ## #### ####", "## ## ## ## ##", "(044) ## #### ####", "044-##-####-####", "+52 (1) ## #### ####", "##   #### ####", "+52-##-####-####", "045##########",
        ),
        3: ("+52 ### ### ####", "### ### ####", "(###) ###-####", "###-###-##-##", "01 ### ### ####", "044 ### ### ####", "045 (###) ### ####", "+52 1 ### ### ####",),
    },
    "CO": {
        3: (
            "+57 ### ### ####", "+57##########", "57##########", "57 ### ### ####", "### ### ####", "###-###-####",
            "### #######", "(###) ### ####", "(+57) ### ### ####", "##########", "### ### ## ##", "0057 ### ### ####",
            "+57 (###) ###-####", "###.###.####", "+57 ###-#######", "### – ### – ####", "+57-###-###-####",
        ),
    },
    "PE": {
        1: (
            "+51 ### ### ###", "+51#########", "51#########", "### ### ###", "###-###-###", "#########", "(+51) ### ### ###",
            "0051 ### ### ###", "+51-###-###-###", "###.###.###", "### ######", "+51 # #### ####", "### - ### - ###", "51 ### ### ###",
        ),
        0: ("+51 # ### ####", "(01) #######|1", "01 ###-####|1", "01-#######|1", "(01) ### ####|1"),
    },
    "BR": {
        11: (
            "+55 ## #####-####", "+55###########", "55###########", "(##) #####-####", "(##)#####-####", "## #####-####",
            "## #########", "## # ####-####", "(##) # ####-####", "###########", "0## #####-####", "(0##) #####-####",
            "0xx## #####-####", "##-#####-####", "+55 (##) #####-####", "015 ## #####-####", "0055 ## #####-####",
            "55 ## #####-####", "##.#####.####", "(##) #####.####", "(## ) #####-####", "( ## ) #####-####", "##/#####-####", "0**## #####-####", "0 15 ## #####-####", "+55 0## #####-####", "(0xx##) #####-####", "## #####–####",
        ),
        10: ("+55 ## ####-####", "(##) ####-####", "## ####-####", "0## ####-####", "+55##########", "## ########", "(0xx##) ####-####", "(##)####.####", "0##########",),
    },
    "ES": {
        9: (
            "+34 ### ## ## ##", "+34#########", "+34 ### ### ###", "0034 ### ### ###", "0034#########", "### ## ## ##",
            "### ### ###", "#########", "###-###-###", "###.###.###", "(+34) ### ### ###", "34 ### ### ###", "## ### ## ##",
            "34#########", "+34-###-##-##-##", "### ######", "#####-####", "### ## ####", "+34 ### – ### – ###",
        ),
    },
    "US": {
        10: (
            "+1 ### ### ####", "+1##########", "+1 (###) ###-####", "(###) ###-####", "###-###-####", "###.###.####",
            "### ### ####", "##########", "1-###-###-####", "1 (###) ###-####", "(###)###-####", "001 ### ### ####",
            "+1-###-###-####", "1##########", "### ###-####", "###-###-#### ext. 12", "(###) ###-#### x345", "###/###-####", "(###).###.####", "1.###.###.####", "011 1 ### ### ####", "### - ### - ####", "###-###-####, ext. 7", "###-#######",
        ),
    },
}  # fmt: skip
"""Patterns by country and kind of number; '#' takes the next digit, '|1' leaves the first one out."""


def phone_kind(phone: Phone) -> int:
    """The row of PHONE_FORMS whose patterns fit the number."""
    national = phone.national
    match phone.country:
        case "CL":
            return 1 if national[0] == "9" else 2
        case "AR":
            return 2 if national[:2] == "11" else 4 if national[:4] == "2944" else 3
        case "MX":
            return 2 if national[:2] in ("55", "33", "81") else 3
        case "PE":
            return 1 if national[0] == "9" else 0
        case "BR":
            return len(national)
        case "ES":
            return 9
        case "US":
            return 10
        case _:
            return 3


def write(pattern: str, value: str) -> str:
    """`value` in a pattern."""
    shape, _, skip = pattern.partition("|")
    rest = iter(value[int(skip or 0) :])
    return "".join(next(rest) if c == "#" else c for c in shape)


# ------------------------------------------------------------------------------------------------------------ ids


@dataclass(frozen=True, slots=True)
class Id:
    """A valid id: its kind and its letters and digits."""

    kind: str
    value: str


def _dotted(number: str) -> str:
    return f"{int(number):,}".replace(",", ".") if number[0] != "0" else number


def _rut(n: int) -> str:
    return completed(arithmetic.rut, str(n), "0123456789K")


def _cuit(prefix: str, body: str) -> str:
    return completed(arithmetic.cuit, prefix + body)


_PAIRS = tuple(f"{n:02d}" for n in range(100))


def _letters(size: int) -> st.SearchStrategy[str]:
    return st.text("BCDFGHJKLMNPRSTVZ", min_size=size, max_size=size)


_DATES = st.dates(datetime.date(1950, 1, 1), datetime.date(2005, 12, 31)).map(lambda d: d.strftime("%y%m%d"))


def _curp(parts: tuple[str, str, str, str, str]) -> str:
    body = parts[0] + parts[1] + parts[2] + parts[3] + parts[4] + "0"
    return completed(arithmetic.curp, body)


def _rfc(parts: tuple[str, str, str]) -> str:
    body = "".join(parts)
    return body + "A"


_IDS: Mapping[str, st.SearchStrategy[str]] = {
    "rut": st.integers(1_000_000, 29_999_999).map(_rut),
    "cuit": st.tuples(st.sampled_from(("20", "23", "27", "30", "33")), digits(8, "123456789")).map(lambda p: _cuit(*p)).filter(bool),
    "dni_ar": digits(8, "12345"),
    "curp": st.tuples(_letters(4), _DATES, st.sampled_from("HM"), st.sampled_from(("DF", "JC", "NL", "OC")), _letters(3)).map(_curp),
    "rfc": st.tuples(_letters(4), _DATES, st.text("ABCDEFGHJKLMN123456789", min_size=2, max_size=2)).map(_rfc),
    "rfc_company": st.tuples(_letters(3), _DATES, st.text("ABCDEFGHJKLMN123456789", min_size=2, max_size=2)).map(_rfc),
    "cc": st.one_of(digits(8, "123456789"), digits(9, "0").map(lambda d: "1" + d)),
    "nit": digits(9, "89").map(lambda d: completed(arithmetic.nit, d)),
    "dni_pe": digits(8),
    "ruc": st.tuples(st.sampled_from(("10", "20")), digits(8)).map("".join).map(lambda d: completed(arithmetic.ruc, d)),
    "cpf": digits(9).map(lambda d: completed(arithmetic.cpf, d, _PAIRS)).filter(bool),
    "cnpj": digits(8).map(lambda d: d + "0001").map(lambda d: completed(arithmetic.cnpj, d, _PAIRS)).filter(bool),
    "cnpj_letters": st.text("0123456789ABCDEFGHJKLMNPQRSTUVWXYZ", min_size=8, max_size=8).map(lambda d: d + "0001").map(lambda d: completed(arithmetic.cnpj, d, _PAIRS)).filter(bool),
    "dni_es": digits(8).map(lambda d: completed(arithmetic.dni, d, string.ascii_uppercase)),
    "nie": st.tuples(st.sampled_from("XYZ"), digits(7)).map("".join).map(lambda d: completed(arithmetic.nie, d, string.ascii_uppercase)),
    "nss": digits(10, "1234567").map(lambda d: completed(arithmetic.luhn, d)),
    "elector": st.tuples(_letters(6), _DATES, digits(2, "0123"), st.sampled_from("HM"), digits(3)).map("".join),
    "rg": digits(9, "1234"),
    "cnh": digits(11),
    "pis": digits(11, "12"),
    "titulo": digits(12, "012"),
    "nuss": digits(10, "0123").map(lambda d: f"{d}{int(d) % 97:02d}"),
    "ein": digits(9, "1234"),
    "itin": st.tuples(digits(2), digits(5)).map(lambda p: f"9{p[0]}7{p[1]}"),
    "passport": st.tuples(st.sampled_from(("AA", "PA", "XD", "GB", "FK")), digits(7)).map("".join),
    "licence": st.tuples(_letters(1), digits(7, "123456789")).map("".join),
    "cif": st.tuples(st.sampled_from("AB"), digits(7)).map("".join).map(lambda d: completed(arithmetic.cif, d)),
    "ssn": st.tuples(st.integers(100, 665), st.integers(1, 99), st.integers(1, 9999)).map(lambda p: f"{p[0]:03d}{p[1]:02d}{p[2]:04d}").filter(lambda v: v not in ("219099999", "457555462")),
}  # fmt: skip

COUNTRY_IDS: Mapping[str, tuple[str, ...]] = {
    "CL": ("rut",),
    "AR": ("cuit", "dni_ar"),
    "MX": ("curp", "rfc", "rfc_company", "elector", "nss"),
    "CO": ("cc", "nit"),
    "PE": ("dni_pe", "ruc"),
    "BR": ("cpf", "cnpj", "cnpj_letters", "rg", "cnh", "pis", "titulo"),
    "ES": ("dni_es", "nie", "cif", "nuss"),
    "US": ("ssn", "ein", "itin", "passport", "licence"),
}


def ids(kind: str) -> st.SearchStrategy[Id]:
    """Valid ids of one kind."""
    return _IDS[kind].map(lambda value: Id(kind, value))


Writer = Callable[[str], str]

ID_FORMS: Mapping[str, Mapping[str, Writer]] = {
    "rut": {
        "dots": lambda v: f"{_dotted(v[:-1])}-{v[-1]}",
        "dash": lambda v: f"{v[:-1]}-{v[-1]}",
        "lower": lambda v: f"{_dotted(v[:-1])}-{v[-1].lower()}",
        "spaced dash": lambda v: f"{_dotted(v[:-1])} - {v[-1]}",
        "minus": lambda v: f"{_dotted(v[:-1])}−{v[-1]}",
        "en dash": lambda v: f"{v[:-1]}–{v[-1]}",
        "dots only": lambda v: f"{_dotted(v[:-1])}{v[-1]}",
        "blanks": lambda v: f"{_dotted(v[:-1]).replace('.', ' ')}-{v[-1]}",
        "commas": lambda v: f"{_dotted(v[:-1]).replace('.', ',')}-{v[-1]}",
        "two dashes": lambda v: f"{_dotted(v[:-1])}--{v[-1]}",
        "low line": lambda v: f"{_dotted(v[:-1])}_{v[-1]}",
        "zeros": lambda v: f"{v[:-1]:0>9}-{v[-1]}",
    },
    "elector": {"bare": lambda v: v, "lower": str.lower},
    "nss": {},
    "rg": {"dots": lambda v: f"{v[:2]}.{v[2:5]}.{v[5:8]}-{v[8:]}"},
    "cnh": {},
    "pis": {"dots": lambda v: f"{v[:3]}.{v[3:8]}.{v[8:10]}-{v[10:]}"},
    "titulo": {},
    "nuss": {},
    "ein": {},
    "itin": {},
    "passport": {},
    "licence": {},
    "cuit": {
        "dash": lambda v: f"{v[:2]}-{v[2:-1]}-{v[-1]}",
        "bare": lambda v: v,
        "dots": lambda v: f"{v[:2]}-{_dotted(v[2:-1])}-{v[-1]}",
        "blanks": lambda v: f"{v[:2]} {v[2:-1]} {v[-1]}",
        "slash": lambda v: f"{v[:2]}/{v[2:-1]}/{v[-1]}",
    },
    "dni_ar": {"dots": _dotted},
    "curp": {"bare": lambda v: v, "lower": str.lower, "dash": lambda v: f"{v[:4]}-{v[4:10]}-{v[10:]}"},
    "rfc": {"bare": lambda v: v, "lower": str.lower, "dash": lambda v: f"{v[:4]}-{v[4:10]}-{v[10:]}", "blanks": lambda v: f"{v[:4]} {v[4:10]} {v[10:]}"},
    "rfc_company": {"bare": lambda v: v, "lower": str.lower, "dash": lambda v: f"{v[:3]}-{v[3:9]}-{v[9:]}"},
    "cc": {"dots": _dotted},
    "nit": {
        "dots": lambda v: f"{_dotted(v[:-1])}-{v[-1]}",
        "dash": lambda v: f"{v[:-1]}-{v[-1]}",
        "blanks": lambda v: f"{_dotted(v[:-1]).replace('.', ' ')} {v[-1]}",
    },
    "dni_pe": {},
    "ruc": {"bare": lambda v: v},
    "cpf": {
        "dots": lambda v: f"{v[:3]}.{v[3:6]}.{v[6:9]}-{v[9:]}",
        "bare": lambda v: v,
        "blanks": lambda v: f"{v[:3]} {v[3:6]} {v[6:9]} {v[9:]}",
        "dash": lambda v: f"{v[:9]}-{v[9:]}",
        "slash": lambda v: f"{v[:3]}.{v[3:6]}.{v[6:9]}/{v[9:]}",
        "all dots": lambda v: f"{v[:3]}.{v[3:6]}.{v[6:9]}.{v[9:]}",
        "all dashes": lambda v: f"{v[:3]}-{v[3:6]}-{v[6:9]}-{v[9:]}",
    },
    "cnpj": {
        "dots": lambda v: f"{v[:2]}.{v[2:5]}.{v[5:8]}/{v[8:12]}-{v[12:]}",
        "bare": lambda v: v,
        "blanks": lambda v: f"{v[:2]} {v[2:5]} {v[5:8]} {v[8:12]} {v[12:]}",
        "slash": lambda v: f"{v[:8]}/{v[8:12]}-{v[12:]}",
        "dashes": lambda v: f"{v[:2]}-{v[2:5]}-{v[5:8]}-{v[8:12]}-{v[12:]}",
    },
    "cnpj_letters": {"dots": lambda v: f"{v[:2]}.{v[2:5]}.{v[5:8]}/{v[8:12]}-{v[12:]}"},
    "dni_es": {
        "bare": lambda v: v,
        "lower": str.lower,
        "dash": lambda v: f"{v[:-1]}-{v[-1]}",
        "dots": lambda v: f"{v[:2]}.{v[2:5]}.{v[5:8]}-{v[-1]}",
        "blank": lambda v: f"{v[:-1]} {v[-1]}",
    },
    "nie": {
        "bare": lambda v: v,
        "lower": str.lower,
        "dash": lambda v: f"{v[0]}-{v[1:-1]}-{v[-1]}",
        "blank": lambda v: f"{v[0]} {v[1:-1]} {v[-1]}",
        "dots": lambda v: f"{v[0]}-{v[1]}.{v[2:5]}.{v[5:8]}-{v[-1]}",
    },
    "cif": {"bare": lambda v: v, "dash": lambda v: f"{v[0]}-{v[1:]}", "lower": str.lower, "vat": lambda v: f"ES{v}"},
    "ssn": {"dash": lambda v: f"{v[:3]}-{v[3:5]}-{v[5:]}", "blanks": lambda v: f"{v[:3]} {v[3:5]} {v[5:]}"},
}  # fmt: skip
"""Forms that say what they are without a word beside them."""

CUED_FORMS: Mapping[str, Mapping[str, Writer]] = {
    "rut": {"bare": lambda v: v, "lower": str.lower, "no check digit": lambda v: v[:-1], "body dots": lambda v: _dotted(v[:-1])},
    "dni_ar": {"bare": lambda v: v, "blanks": lambda v: f"{v[:2]} {v[2:5]} {v[5:]}", "commas": lambda v: f"{v[:2]},{v[2:5]},{v[5:]}", "spaced": " ".join},
    "cc": {"bare": lambda v: v, "blanks": lambda v: _dotted(v).replace(".", " "), "commas": lambda v: _dotted(v).replace(".", ","), "mark": lambda v: _dotted(v).replace(".", "'", 1)},
    "nit": {"bare": lambda v: v, "commas": lambda v: f"{_dotted(v[:-1]).replace('.', ',')}-{v[-1]}"},
    "dni_pe": {"bare": lambda v: v, "check": lambda v: v + "-3", "dots": lambda v: f"{v[:2]}.{v[2:5]}.{v[5:]}"},
    "nss": {"bare": lambda v: v, "blanks": lambda v: f"{v[:2]} {v[2:4]} {v[4:6]} {v[6:10]} {v[10]}", "dashes": lambda v: f"{v[:2]}-{v[2:4]}-{v[4:6]}-{v[6:10]}-{v[10]}"},
    "rg": {"bare": lambda v: v, "X": lambda v: f"{v[:2]}.{v[2:5]}.{v[5:8]}-X", "state": lambda v: f"MG-{v[:2]}.{v[2:5]}.{v[5:8]}"},
    "cnh": {"bare": lambda v: v},
    "pis": {"bare": lambda v: v},
    "titulo": {"bare": lambda v: v, "blanks": lambda v: f"{v[:4]} {v[4:8]} {v[8:]}"},
    "nuss": {"bare": lambda v: v, "blanks": lambda v: f"{v[:2]} {v[2:10]} {v[10:]}", "slashes": lambda v: f"{v[:2]}/{v[2:10]}/{v[10:]}"},
    "ein": {"bare": lambda v: v, "dash": lambda v: f"{v[:2]}-{v[2:]}"},
    "itin": {"bare": lambda v: v, "dashes": lambda v: f"{v[:3]}-{v[3:5]}-{v[5:]}"},
    "passport": {"bare": lambda v: v, "lower": str.lower, "blank": lambda v: f"{v[:2]} {v[2:]}"},
    "licence": {"bare": lambda v: v, "lower": str.lower},
    "cnpj_letters": {"bare": lambda v: v, "lower": str.lower},
    "cpf": {"no zeros": lambda v: v.lstrip("0")},
    "ssn": {"bare": lambda v: v, "dots": lambda v: f"{v[:3]}.{v[3:5]}.{v[5:]}"},
    "dni_es": {"digits": lambda v: v[:-1]},
}  # fmt: skip
"""Forms that need a cue."""

CUES: Mapping[str, tuple[str, ...]] = {
    "rut": (
        "rut {}",
        "mi rut es {}",
        "RUT: {}",
        "R.U.T. {}",
        "cédula de identidad N° {}",
        "C.I. {}",
        "{} es mi rut",
        "el rut del titular es {}",
        "run {}",
    ),
    "dni_ar": ("dni {}", "mi DNI es el {}", "D.N.I. Nro. {}", "documento: {}", "DNI nº {}", "DNI nº{}", "titular dni {}", "mi documento es {}"),
    "cc": (
        "cc {}",
        "mi cédula es {}",
        "C.C. {}",
        "cédula de ciudadanía No. {}",
        "identificado con cc {}",
        "soy Ana Roa, c.c. {} de Bogotá",
        "ced. {}",
    ),
    "nit": ("nit {}", "NIT: {}", "N.I.T. {}", "el nit de la empresa es {}"),
    "dni_pe": ("dni {}", "DNI N° {}", "mi documento de identidad es {}", "con DNI {}"),
    "cnpj_letters": ("cnpj {}", "CNPJ: {}", "o cnpj da empresa é {}"),
    "cpf": ("cpf {}", "meu CPF é {}", "CPF nº {}", '{{"tipo":"CPF","numero":{}}}'),
    "ssn": ("ssn {}", "my social security number is {}", "SSN# {}", "social: {}", "my id is {}"),
    "dni_es": ("dni {}", "mi DNI es {}", "DNI/NIF: {}"),
    "nss": ("NSS {}", "mi nss es {}", "número de seguro social {}", "IMSS: {}", "mi número de afiliación es {}"),
    "rg": ("RG {}", "meu rg é {}", "R.G. {}", "identidade {}"),
    "cnh": ("CNH {}", "minha cnh é {}", "habilitação {}", "carteira de motorista {}"),
    "pis": ("PIS {}", "PIS/PASEP: {}", "meu pis é {}"),
    "titulo": ("título {}", "título de eleitor {}"),
    "nuss": ("NUSS {}", "naf {}", "número de la seguridad social {}", "nº afiliación: {}", "nº SS {}"),
    "ein": ("EIN {}", "our EIN is {}", "tax id {}", "FEIN: {}"),
    "itin": ("ITIN {}", "my itin is {}", "tax id: {}"),
    "passport": ("passport {}", "my passport number is {}", "Passport No. {}"),
    "licence": ("driver's license {}", "my license number is {}", "DL# {}"),
}


# ---------------------------------------------------------------------------------------- e-mails, cards, accounts

_WORD = st.text(string.ascii_lowercase, min_size=2, max_size=9)
_DOMAINS = (
    "example.com",
    "correo.example.net",
    "mail.example.com.ar",
    "example.org",
    "muñoz-hermanos.example",
    "xn--exmple-cua.example",
    "sub.correo.museum",
)


def emails() -> st.SearchStrategy[str]:
    """Addresses in lower case."""
    join = st.sampled_from((".", "_", "-", "", "+", "'"))
    tail = st.sampled_from(("", "23", "+ventas", ".cl"))
    return st.tuples(_WORD, join, _WORD, tail, st.sampled_from(_DOMAINS)).map(lambda p: f"{p[0]}{p[1]}{p[2]}{p[3]}@{p[4]}")


EMAIL_FORMS: Mapping[str, Writer] = {
    "plain": lambda v: v,
    "upper": str.upper,
    "capital": str.capitalize,
    "mailto": lambda v: f"mailto:{v}",
    "angle": lambda v: f"<{v}>",
    "blank before": lambda v: v.replace("@", " @"),
    "blank after": lambda v: v.replace("@", "@ "),
    "blanks": lambda v: v.replace("@", " @ "),
    "zero width": lambda v: v.replace("@", "@\u200b"),
    "full width": lambda v: v.replace("@", "＠").replace(".", "．"),
    "arroba": lambda v: v.replace("@", " arroba "),
    "arroba in brackets": lambda v: v.replace("@", "(arroba)"),
    "at in brackets": lambda v: v.replace("@", " [at] "),
    "all in words": lambda v: v.replace(".", " punto ").replace("@", " arroba "),
    "dots in words": lambda v: v.partition("@")[0] + "@" + v.partition("@")[2].replace(".", " punto "),
    "english": lambda v: v.replace(".", " dot ").replace("@", " at "),
    "portuguese": lambda v: v.replace(".", " ponto ").replace("@", " arroba "),
    "signs around": lambda v: v.replace(".", "_punto_").replace("@", "_arroba_"),
    "stars around": lambda v: v.replace("@", "*arroba*"),
    "wide": lambda v: v.replace(".", " . ").replace("@", " @ "),
    "line end behind": lambda v: v.replace("@", "@\n"),
    "comma": lambda v: v.replace(".com", ",com").replace(".example", ",example").replace(".org", ",org"),
    "html": lambda v: v.replace("@", "&#64;"),
    "percent": lambda v: v.replace("@", "%40"),
    "Cyrillic": lambda v: v.replace("a", "а").replace("e", "е").replace("o", "о"),
    "escaped in a link": lambda v: "https://crm.example/buscar?q=" + v.replace("@", "%40").replace("+", "%2B"),
}  # fmt: skip


def cards() -> st.SearchStrategy[str]:
    """Card numbers with a valid check digit."""
    prefix = st.sampled_from(
        (
            ("4", 16),
            ("51", 16),
            ("55", 16),
            ("2223", 16),
            ("6011", 16),
            ("65", 16),
            ("34", 15),
            ("37", 15),
            ("36", 14),
            ("38", 14),
            ("5067", 16),
            ("6062", 16),
        )
    )
    return prefix.flatmap(lambda p: digits(p[1] - len(p[0]) - 1).map(lambda d: p[0] + d)).map(lambda d: completed(arithmetic.luhn, d))


def _fours(v: str, sign: str) -> str:
    sizes = {16: (4, 4, 4, 4), 15: (4, 6, 5), 14: (4, 6, 4)}[len(v)]
    out, at = [], 0
    for size in sizes:
        out.append(v[at : at + size])
        at += size
    return sign.join(out)


CARD_FORMS: Mapping[str, Writer] = {
    "bare": lambda v: v,
    "blanks": lambda v: _fours(v, " "),
    "dashes": lambda v: _fours(v, "-"),
    "dots": lambda v: _fours(v, "."),
    "wide": lambda v: _fours(v, "\u2003"),
    "figure dashes": lambda v: _fours(v, "‒"),
    "soft hyphens": lambda v: _fours(v, "\xad"),
    "mixed": lambda v: f"{v[:4]} {v[4:12]} {v[12:]}" if len(v) == 16 else v,
    "full width": lambda v: "".join(chr(ord(c) + 0xFEE0) for c in v),
}  # fmt: skip


def ibans() -> st.SearchStrategy[str]:
    """IBANs of a few countries."""
    body = st.sampled_from((("ES", 20), ("DE", 18), ("PT", 21), ("FR", 23), ("NL", 14)))
    return body.flatmap(lambda p: digits(p[1]).map(lambda d: next(f"{p[0]}{pair}{d}" for pair in _PAIRS[2:] if arithmetic.iban(f"{p[0]}{pair}{d}"))))


IBAN_FORMS: Mapping[str, Writer] = {
    "bare": lambda v: v,
    "blanks": lambda v: " ".join(v[i : i + 4] for i in range(0, len(v), 4)),
    "dashes": lambda v: "-".join(v[i : i + 4] for i in range(0, len(v), 4)),
    "lower": lambda v: " ".join(v[i : i + 4] for i in range(0, len(v), 4)).lower(),
}


def clabes() -> st.SearchStrategy[str]:
    """Mexican account numbers."""
    return digits(17).map(lambda d: completed(arithmetic.clabe, d))


def _both(branch: str, account: str) -> str:
    return next(v for a in string.digits for b in string.digits if arithmetic.cbu(v := branch + a + account + b))


def cbus() -> st.SearchStrategy[str]:
    """Argentine account numbers."""
    return st.tuples(digits(7), digits(13)).map(lambda p: _both(*p))


DISGUISES: Mapping[str, Writer] = {
    "zero width": "\u200b".join,
    "soft hyphens": "\xad".join,
    "full width": lambda v: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else "\u3000" if c == " " else c for c in v),
    "arabic digits": lambda v: "".join(chr(0x660 + int(c)) if c.isdecimal() else c for c in v),
    "mathematical digits": lambda v: "".join(chr(0x1D7CE + int(c)) if c.isdecimal() else c for c in v),
    "keycaps": lambda v: "".join(c + "\ufe0f\u20e3" if c.isdecimal() else c for c in v),
    "combining marks": lambda v: "".join(c + "\u0303" if c.isdecimal() else c for c in v),
    "odd blanks": lambda v: v.replace(" ", "\u202f"),
    "no-break blanks": lambda v: v.replace(" ", "\xa0"),
    "en dashes": lambda v: v.replace("-", "–"),
    "minus signs": lambda v: v.replace("-", "\u2212"),
    "no-break hyphens": lambda v: v.replace("-", "\u2011"),
    "decomposed": lambda v: unicodedata.normalize("NFD", v),
    "direction marks": lambda v: f"\u202a{v}\u202c",
    "percent": lambda v: "".join(f"%{ord(c):02X}" if c.isdecimal() else c for c in v),
    "look-alikes": lambda v: v.translate(str.maketrans("KXABEHMTkx", "КХАВЕНМТкх")),
    "horizontal bars": lambda v: v.replace("-", "\u2015"),
    "overridden direction": lambda v: f"\u202e{v[::-1]}\u202c",
}  # fmt: skip
"""Ways to write a value so that only a person still sees it."""


# ---------------------------------------------------------------------------------------------- in words, secrets

WORDS: Mapping[str, tuple[str, ...]] = {
    "es": ("cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve"),
    "pt": ("zero", "um", "dois", "três", "quatro", "cinco", "seis", "sete", "oito", "nove"),
    "en": ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
}


def in_words(number: str, language: str, between: str) -> str:
    """Every digit as a word."""
    return between.join(WORDS[language][int(digit)] for digit in number)


SAID: Mapping[str, tuple[str, ...]] = {
    "es": ("mi fono es {}", "{}", "anota: {} ok", "llámame al {}", "hola, {} gracias"),
    "pt": ("meu zap é {}", "{}", "me liga no {} tá", "anota aí: {}"),
    "en": ("my number is {}", "{}", "call {} please", "reach me at {}"),
}

PASSWORDS = st.tuples(
    st.text(string.ascii_uppercase, min_size=1, max_size=2),
    st.text(string.ascii_lowercase, min_size=4, max_size=9),
    digits(3),
    st.sampled_from(("", "!", "#")),
).map("".join)
SECRET_CUES = (
    "mi clave es {}", "clave: {}", "contraseña {}", "mi contraseña: {} gracias", "password is {}", "pwd={}", "senha: {}", "minha senha é {}", "a senha do wifi é {}",
    "user ana pass {}", "clave web {}", "my password: {}", '"password": "{}"', "usuario ana, clave: {}", "passcode: {}", "api_key={}", "secret: {}", "token: {}",
)  # fmt: skip
CODE_CUES = (
    "código de verificación: {}", "el código de verificación es {}", "me llegó el código de verificación {}", "otp {}", "código SMS {}", "verification code: {}",
    "código de segurança: {}", "the code I got is {}", "o código que recebi foi {}", "2fa code {}", "clave dinámica {}", "pin: {}", "mi pin es {}", "el pin es el {}",
)  # fmt: skip
KEYS = st.sampled_from(("sk-proj-", "ghp_", "AKIA", "xoxb-", "glpat-", "whsec_")).flatmap(
    lambda prefix: st.text(string.ascii_letters + string.digits, min_size=24, max_size=30).map(
        lambda rest: prefix + (rest.upper() if prefix == "AKIA" else rest)
    )
)

LINKS: Mapping[str, str] = {
    "query": "https://x.example/find?rut={}&page=2",
    "search": "https://x.example/buscar?q={}",
    "path": "https://x.example/clientes/{}/ver",
    "file": "documento_{}.pdf",
    "dashed file": "copia-{}.png",
    "markdown": "[ficha](https://x.example/ficha?dni={})",
}
"""Where an id stands in its written form, with its check digit."""
PHONE_LINKS = (
    "https://wa.me/{}",
    "wa.me/{}?text=hola",
    "https://api.whatsapp.com/send?phone={}&text=hola%20ana",
    "tel:+{}",
    "sms:+{}",
    "https://x.example/?fono=%2B{}",
    "foto_+{}.jpg",
)
"""Where a phone stands with its country code."""
