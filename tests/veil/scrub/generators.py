"""Strategies for values of every sort, the forms people write them in, sentences around them, and what must stay.

Other tests may use them: `phones`, `ids`, `emails`, `cards`, `accounts` give values with valid check digits by country;
`PHONE_FORMS` and `ID_FORMS` write them; `sentences` puts a written value into words; `must_stay` gives what no
detector may touch.

One long module on purpose: a table of kinds, forms and sentences that is read from top to bottom.
"""

import datetime
import re
import string
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import phonenumbers
from hypothesis import strategies as st
from stdnum import iban, luhn
from stdnum.ar import cbu, cuit
from stdnum.br import cnpj, cpf
from stdnum.cl import rut
from stdnum.co import nit
from stdnum.es import cif, dni, nie
from stdnum.mx import curp, rfc
from stdnum.pe import ruc

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
            "# ########", "(#) #### ####",
        ),
        2: ("+56 ## ### ####", "(##) ### ####", "(0##) ### ####", "## ### ####", "## #######", "0## #######"),
    },
    "AR": {
        2: (
            "+54 9 ## ####-####", "+549##########", "549##########", "+54 9 ## #### ####", "## ####-####", "##########",
            "0## ####-####", "(0##) 15-####-####", "0## 15 #### ####", "## 15 ####-####", "(##) ####-####", "##-####-####",
            "+54 ## ####-####", "54 9 ## ####-####", "+54 (9) ## ####-####", "0054 9 ## #### ####", "0##-15-####-####",
            "+54 9 ##-####-####", "54 ## #### ####",
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
            "01 ## #### ####", "01 (##) #### ####", "##########", "(##) ####-####", "00 52 ## #### ####", "## ## ## ## ##",
        ),
        3: ("+52 ### ### ####", "### ### ####", "(###) ###-####", "###-###-##-##", "01 ### ### ####", "044 ### ### ####"),
    },
    "CO": {
        3: (
            "+57 ### ### ####", "+57##########", "57##########", "57 ### ### ####", "### ### ####", "###-###-####",
            "### #######", "(###) ### ####", "(+57) ### ### ####", "##########", "### ### ## ##", "0057 ### ### ####",
            "+57 (###) ###-####", "###.###.####",
        ),
    },
    "PE": {
        1: (
            "+51 ### ### ###", "+51#########", "51#########", "### ### ###", "###-###-###", "#########", "(+51) ### ### ###",
            "0051 ### ### ###", "+51-###-###-###", "###.###.###", "### ######",
        ),
        0: ("+51 # ### ####", "(01) #######|1", "01 ###-####|1", "01-#######|1", "(01) ### ####|1"),
    },
    "BR": {
        11: (
            "+55 ## #####-####", "+55###########", "55###########", "(##) #####-####", "(##)#####-####", "## #####-####",
            "## #########", "## # ####-####", "(##) # ####-####", "###########", "0## #####-####", "(0##) #####-####",
            "0xx## #####-####", "##-#####-####", "+55 (##) #####-####", "015 ## #####-####", "0055 ## #####-####",
            "55 ## #####-####", "##.#####.####", "(##) #####.####",
        ),
        10: ("+55 ## ####-####", "(##) ####-####", "## ####-####", "0## ####-####", "+55##########", "## ########"),
    },
    "ES": {
        9: (
            "+34 ### ## ## ##", "+34#########", "+34 ### ### ###", "0034 ### ### ###", "0034#########", "### ## ## ##",
            "### ### ###", "#########", "###-###-###", "###.###.###", "(+34) ### ### ###", "34 ### ### ###", "## ### ## ##",
            "34#########", "+34-###-##-##-##", "### ######",
        ),
    },
    "US": {
        10: (
            "+1 ### ### ####", "+1##########", "+1 (###) ###-####", "(###) ###-####", "###-###-####", "###.###.####",
            "### ### ####", "##########", "1-###-###-####", "1 (###) ###-####", "(###)###-####", "001 ### ### ####",
            "+1-###-###-####", "1##########", "### ###-####", "###-###-#### ext. 12", "(###) ###-#### x345",
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
    return f"{n}{rut.calc_check_digit(str(n))}"


def _cuit(prefix: str, body: str) -> str:
    return prefix + body + cuit.calc_check_digit(prefix + body)


def _letters(size: int) -> st.SearchStrategy[str]:
    return st.text("BCDFGHJKLMNPRSTVZ", min_size=size, max_size=size)


_DATES = st.dates(datetime.date(1950, 1, 1), datetime.date(2005, 12, 31)).map(lambda d: d.strftime("%y%m%d"))


def _curp(parts: tuple[str, str, str, str, str]) -> str:
    body = parts[0] + parts[1] + parts[2] + parts[3] + parts[4] + "0"
    return body + curp.calc_check_digit(body)


def _rfc(parts: tuple[str, str, str]) -> str:
    body = "".join(parts)
    return body + rfc.calc_check_digit(body)


_IDS: Mapping[str, st.SearchStrategy[str]] = {
    "rut": st.integers(1_000_000, 29_999_999).map(_rut),
    "cuit": st.tuples(st.sampled_from(("20", "23", "27", "30", "33")), digits(8, "123456789")).map(lambda p: _cuit(*p)).filter(cuit.is_valid),
    "dni_ar": digits(8, "12345"),
    "curp": st.tuples(_letters(4), _DATES, st.sampled_from("HM"), st.sampled_from(("DF", "JC", "NL", "OC")), _letters(3)).map(_curp).filter(curp.is_valid),
    "rfc": st.tuples(_letters(4), _DATES, st.text("ABCDEFGHJKLMN123456789", min_size=2, max_size=2)).map(_rfc),
    "rfc_company": st.tuples(_letters(3), _DATES, st.text("ABCDEFGHJKLMN123456789", min_size=2, max_size=2)).map(_rfc),
    "cc": st.one_of(digits(8, "123456789"), digits(9, "0").map(lambda d: "1" + d)),
    "nit": digits(9, "89").map(lambda d: d + nit.calc_check_digit(d)),
    "dni_pe": digits(8),
    "ruc": st.tuples(st.sampled_from(("10", "20")), digits(8)).map("".join).map(lambda d: d + ruc.calc_check_digit(d)),
    "cpf": digits(9).map(lambda d: d + cpf._calc_check_digits(d)).filter(cpf.is_valid),
    "cnpj": digits(8).map(lambda d: d + "0001").map(lambda d: d + cnpj.calc_check_digits(d)).filter(cnpj.is_valid),
    "cnpj_letters": st.text("0123456789ABCDEFGHJKLMNPQRSTUVWXYZ", min_size=8, max_size=8).map(lambda d: d + "0001").map(lambda d: d + cnpj.calc_check_digits(d)).filter(cnpj.is_valid),
    "dni_es": digits(8).map(lambda d: d + dni.calc_check_digit(d)),
    "nie": st.tuples(st.sampled_from("XYZ"), digits(7)).map("".join).map(lambda d: d + nie.calc_check_digit(d)),
    "cif": st.tuples(st.sampled_from("AB"), digits(7)).map("".join).map(lambda d: d + cif.calc_check_digits(d)[0]),
    "ssn": st.tuples(st.integers(100, 665), st.integers(1, 99), st.integers(1, 9999)).map(lambda p: f"{p[0]:03d}{p[1]:02d}{p[2]:04d}").filter(lambda v: v not in ("219099999", "457555462")),
}  # fmt: skip

COUNTRY_IDS: Mapping[str, tuple[str, ...]] = {
    "CL": ("rut",),
    "AR": ("cuit", "dni_ar"),
    "MX": ("curp", "rfc", "rfc_company"),
    "CO": ("cc", "nit"),
    "PE": ("dni_pe", "ruc"),
    "BR": ("cpf", "cnpj", "cnpj_letters"),
    "ES": ("dni_es", "nie", "cif"),
    "US": ("ssn",),
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
    },
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
    },
    "cnpj": {
        "dots": lambda v: f"{v[:2]}.{v[2:5]}.{v[5:8]}/{v[8:12]}-{v[12:]}",
        "bare": lambda v: v,
        "blanks": lambda v: f"{v[:2]} {v[2:5]} {v[5:8]} {v[8:12]} {v[12:]}",
        "slash": lambda v: f"{v[:8]}/{v[8:12]}-{v[12:]}",
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
    "cif": {"bare": lambda v: v, "dash": lambda v: f"{v[0]}-{v[1:]}", "lower": str.lower},
    "ssn": {"dash": lambda v: f"{v[:3]}-{v[3:5]}-{v[5:]}", "blanks": lambda v: f"{v[:3]} {v[3:5]} {v[5:]}"},
}  # fmt: skip
"""Forms that say what they are without a word beside them."""

CUED_FORMS: Mapping[str, Mapping[str, Writer]] = {
    "rut": {"bare": lambda v: v, "lower": str.lower, "no check digit": lambda v: v[:-1], "body dots": lambda v: _dotted(v[:-1])},
    "dni_ar": {"bare": lambda v: v, "blanks": lambda v: f"{v[:2]} {v[2:5]} {v[5:]}"},
    "cc": {"bare": lambda v: v, "blanks": lambda v: _dotted(v).replace(".", " ")},
    "nit": {"bare": lambda v: v},
    "dni_pe": {"bare": lambda v: v, "check": lambda v: v + "-3"},
    "cnpj_letters": {"bare": lambda v: v, "lower": str.lower},
    "cpf": {"no zeros": lambda v: v.lstrip("0")},
    "ssn": {"bare": lambda v: v, "dots": lambda v: f"{v[:3]}.{v[3:5]}.{v[5:]}"},
    "dni_es": {"digits": lambda v: v[:-1]},
}  # fmt: skip
"""Forms that need a cue."""

CUES: Mapping[str, tuple[str, ...]] = {
    "rut": ("rut {}", "mi rut es {}", "RUT: {}", "R.U.T. {}", "cédula de identidad N° {}", "C.I. {}", "{} es mi rut"),
    "dni_ar": ("dni {}", "mi DNI es el {}", "D.N.I. Nro. {}", "documento: {}", "DNI nº {}"),
    "cc": ("cc {}", "mi cédula es {}", "C.C. {}", "cédula de ciudadanía No. {}", "identificado con cc {}"),
    "nit": ("nit {}", "NIT: {}"),
    "dni_pe": ("dni {}", "DNI N° {}", "mi documento de identidad es {}"),
    "cnpj_letters": ("cnpj {}", "CNPJ: {}", "o cnpj da empresa é {}"),
    "cpf": ("cpf {}", "meu CPF é {}", "CPF nº {}", '{{"tipo":"CPF","numero":{}}}'),
    "ssn": ("ssn {}", "my social security number is {}", "SSN# {}", "social: {}"),
    "dni_es": ("dni {}", "mi DNI es {}", "DNI/NIF: {}"),
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
    return prefix.flatmap(lambda p: digits(p[1] - len(p[0]) - 1).map(lambda d: p[0] + d)).map(lambda d: d + luhn.calc_check_digit(d))


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
    return body.flatmap(lambda p: digits(p[1]).map(lambda d: f"{p[0]}{iban.calc_check_digits(p[0] + '00' + d)}{d}"))


IBAN_FORMS: Mapping[str, Writer] = {
    "bare": lambda v: v,
    "blanks": lambda v: " ".join(v[i : i + 4] for i in range(0, len(v), 4)),
    "dashes": lambda v: "-".join(v[i : i + 4] for i in range(0, len(v), 4)),
    "lower": lambda v: " ".join(v[i : i + 4] for i in range(0, len(v), 4)).lower(),
}


def clabes() -> st.SearchStrategy[str]:
    """Mexican account numbers."""
    return digits(17, "0123456789").map(lambda d: d + str(-sum(int(c) * w % 10 for c, w in zip(d, (3, 7, 1) * 6, strict=False)) % 10))


def cbus() -> st.SearchStrategy[str]:
    """Argentine account numbers."""
    return st.tuples(digits(7), digits(13)).map(lambda p: p[0] + cbu.calc_check_digit(p[0]) + p[1] + cbu.calc_check_digit(p[1]))


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
    "overridden direction": lambda v: f"\u202e{v[::-1]}\u202c",
}  # fmt: skip
"""Ways to write a value so that only a person still sees it."""


# -------------------------------------------------------------------------------------------------------- contexts

SENTENCES: Mapping[str, tuple[str, ...]] = {
    "es": (
        "{}", "hola, soy Ana, {}", "anota: {}", "te dejo {} gracias", "({})", "{}.", "¿es {}?", "Ana Roa - {} - Calle Larga",
        "mis datos:\n{}\nsaludos", "es {}, ¿ok?", "\t{}\t", "\"{}\"", "dato={}", "el mío es {}; el de Ana lo mando luego",
        "hoy a las 15:30 {} por favor", "pagué $ 12.990 y {}", "mándalo a {}!!", "{}\n", "12/03/2024 {}", "/ {} /",
        "**{}**", "• {}", "|{}|", "{} 👍", "ok,{},listo",
    ),
    "pt": ("{}", "oi, aqui é a Ana, {}", "anota aí: {}", "pode usar {} obrigada", "({})", "é {}, tá?", "meus dados:\n{}\nabs", "hoje às 15h30 {}", "paguei R$ 12,90 e {}"),
    "en": ("{}", "hi, Ana here, {}", "use {} please", "it is {}.", "({})", "my details:\n{}\nthanks", "today at 3:30 pm {}", "I paid $12.90 and {}"),
}  # fmt: skip


def sentences() -> st.SearchStrategy[str]:
    """Sentences of all languages with one place for a value."""
    return st.sampled_from(tuple(s for rows in SENTENCES.values() for s in rows))


# ------------------------------------------------------------------------------------------------------- must stay

_TWO = st.integers(1, 12).map(lambda n: f"{n:02d}")
_DAY = st.integers(1, 28).map(lambda n: f"{n:02d}")
_YEAR = st.integers(1990, 2030).map(str)
_HEX = "0123456789abcdef"
_ORDER_CUES = (
    "pedido {}", "orden {}", "order {}", "mi pedido es el {}", "pedido nº {}", "N° {}", "#{}", "código {}", "ticket {}",
    "folio {}", "guía {}", "tracking {}", "rastreio {}", "protocolo {}", "factura {}", "invoice {}", "nota fiscal {}",
    "reserva {}", "número de seguimiento {}", "order number {}", "ref. {}", "sku {}", "EAN {}", "lote {}", "OC {}", "PO {}",
    "caso {}", "reclamo {}", "chamado {}", "código de rastreo: {}", "order_id={}", '"order_id": {}', "https://t.example/p/{}",
)  # fmt: skip


def _join(sign: str, *parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(*parts).map(sign.join)


def _grouped(n: int, sign: str) -> str:
    return f"{n:,}".replace(",", sign)


MUST_STAY: Mapping[str, st.SearchStrategy[str]] = {
    "date dmy": st.sampled_from("/-.").flatmap(lambda s: _join(s, _DAY, _TWO, _YEAR)),
    "date ymd": st.sampled_from("/-.").flatmap(lambda s: _join(s, _YEAR, _TWO, _DAY)),
    "date short": st.sampled_from("/-.").flatmap(lambda s: _join(s, _DAY, _TWO, st.integers(10, 30).map(str))),
    "date in words": st.tuples(_DAY, st.sampled_from(("enero", "mayo", "julho", "October")), _YEAR).map(" de ".join),
    "date and time": st.tuples(_YEAR, _TWO, _DAY, _TWO, _TWO).map(lambda p: f"{p[0]}-{p[1]}-{p[2]} {p[3]}:{p[4]}:00"),
    "iso": st.tuples(_YEAR, _TWO, _DAY, _TWO, _TWO).map(lambda p: f"{p[0]}-{p[1]}-{p[2]}T{p[3]}:{p[4]}:00.123Z"),
    "stamp": st.tuples(_YEAR, _TWO, _DAY, _TWO, _TWO).map("".join),
    "time": _join(":", _TWO, _TWO),
    "money": st.integers(1, 99_999_999).map(lambda n: f"$ {_grouped(n, '.')}"),
    "money behind": st.tuples(st.integers(1, 99_999_999), st.sampled_from((" pesos", " €", " reais", " USD", "€", " CLP"))).map(lambda p: _grouped(p[0], ".") + p[1]),
    "money with cents": st.integers(1, 9_999_999).map(lambda n: f"R$ {_grouped(n, '.')},90"),
    "money in english": st.integers(1, 9_999_999).map(lambda n: f"${_grouped(n, ',')}.99"),
    "percent": st.integers(0, 100).map(lambda n: f"{n} %"),
    "uuid": st.uuids().map(str),
    "digest": st.text(_HEX, min_size=40, max_size=40),
    "short digest": st.text(_HEX, min_size=8, max_size=12).filter(lambda s: re.search(r"\d[a-f]+\d", s) is not None),
    "epoch": st.integers(1_600_000_000, 1_799_999_999).map(str),
    "epoch in milliseconds": st.integers(1_600_000_000_000, 1_799_999_999_999).map(str),
    "version": st.tuples(st.integers(0, 20), st.integers(0, 99), st.integers(0, 99)).map(lambda p: f"v{p[0]}.{p[1]}.{p[2]}"),
    "order": st.tuples(st.sampled_from(_ORDER_CUES), digits(9, "123456789") | digits(10, "123456789") | digits(8, "123456789")).map(lambda p: p[0].format(p[1])),
    "order with prefix": st.tuples(st.sampled_from(("PED-", "F-", "TCK-", "INC", "NB-40-", "RR", "MX", "SX", "SKU-")), digits(8, "123456789")).map("".join),
    "shop order": st.tuples(digits(3), digits(7), digits(7)).map("-".join),
    "parcel": st.tuples(st.sampled_from(("RR", "LB", "OJ")), digits(9), st.sampled_from(("CL", "BR"))).map("".join),
    "long parcel": st.lists(digits(4), min_size=5, max_size=5).map(lambda g: " ".join(g) + " 63"),
    "ean": st.tuples(st.sampled_from(("780", "779", "750", "770", "841", "789")), digits(10)).map("".join).map(lambda d: "EAN " + d),
    "nfe": digits(44),
    "nfe in groups": st.lists(digits(4), min_size=11, max_size=11).map(" ".join),
    "boleto": st.tuples(digits(5), digits(5), digits(5), digits(6), digits(5), digits(6), digits(1), digits(14)).map(lambda p: f"{p[0]}.{p[1]} {p[2]}.{p[3]} {p[4]}.{p[5]} {p[6]} {p[7]}"),
    "coupon": st.sampled_from(("VERANO20", "HOLA10", "BLACK30", "SAVE15")),
    "years": st.tuples(_YEAR, _YEAR).map("-".join),
    "quantity": st.integers(1, 99_999).map(lambda n: f"{n} unidades"),
    "address": st.integers(1, 9999).map(lambda n: f"Av. Larga {n}, depto 1205"),
    "postcode": digits(5).map(lambda d: f"CEP {d}-310"),
    "placeholder": st.sampled_from(("[teléfono]", "[correo]", "[documento]", "[tarjeta]", "[nombre 1]", "C-12", "X-3", "C-4|C-5", "H-14", "C-7.phone")),
}  # fmt: skip


def must_stay(kind: str) -> st.SearchStrategy[str]:
    """What no detector may touch."""
    return MUST_STAY[kind]
