"""Addresses and numbers in words: "ana punto roa arroba correo punto cl", "nueve cinco cinco …".

Both are looked for only where their words occur, over a bounded stretch. A number in words must have the digits of a
phone; a cue makes it an id or a card.
"""

import re
from collections.abc import Iterator

from veil.scrub import cues, ids, phones
from veil.scrub.chains import Page
from veil.scrub.cues import Cue
from veil.scrub.emails import PROVIDERS, USUAL, top_level
from veil.scrub.sorts import Hit, Region, Sort
from veil.scrub.vocabulary import listed

_DOT = r"(?:\s+(?:punto|ponto|dot|pto)\s+|\s*[(\[{<]\s*(?:punto|ponto|dot|\.)\s*[)\]}>]\s*|\.)"
_JOIN = (
    r"(?:(?:\s+(?:punto|ponto|dot|pto|guion\s+(?:bajo|medio)|guion|underscore|underline|underbar|barra\s+baja|"
    r"sublinhado|traco|hifen|hyphen|dash|menos|mas|mais|plus))+\s+|\s*[(\[{<]\s*(?:punto|ponto|dot|guion|\.|-|_)\s*[)\]}>]\s*)"
)
_AT = re.compile(
    r"\s*[(\[{<]\s*(?:arroba|arrova|aroba|at|@)\s*[)\]}>]\s*|(?<=\w)(?P<a>[(\[]a[)\]])(?=\w)|"
    r"\s*(?<![a-z])(?P<word>arroba|arrova|aroba)(?![a-z])\s*|\s+(?P<at>at)\s+|\s?(?P<sign>@)\s?"
)
_ANCHOR = re.compile(r"arroba|arrova|aroba|@|(?<=\s)at(?=\s)|[(\[{<]\s?a?t?\s?[)\]}>]|[(\[{<](?=\s*(?:arroba|arrova|aroba|at|@))")
_SIGNED = re.compile(r"[_*~-](arroba|arrova|aroba|punto|ponto|dot|pto|at)[_*~-]")
"""Spelt signs between signs: "ana_arroba_correo_punto_cl"."""
_LOCAL = re.compile(rf"(?<![\w.+'’-])\w[\w.+'’-]*(?:{_JOIN}[\w.+'’-]+){{0,6}}$")
_LOOSE_LOCAL = re.compile(
    r"(?:^|[\n:;,.(]|(?<!\w)(?:es|is|e|e-?mail|mail|correo|a)\s)\s*"
    r"((?!(?:es|is|e|e-?mail|mail|correo|contacto|contato|contact)\s)[\w.+'’-]+(?:\s(?!(?:es|is|e|a|al|mi|my|to)\s)[\w.+'’-]+){0,2})$"
)
_DOMAIN = re.compile(rf"[\w-]+(?:{_DOT}[\w-]+){{1,6}}")
_HYPHENED = re.compile(r"\s+(?:guion(?:\s+medio)?|hyphen|dash|hifen|traco)\s+")
_PROVIDER = re.compile(r"[a-z]+")
_MAIL = re.compile(r"(?<![a-z])(?:e-?mails?|mails?|correos?|contact|reach|write|escrib\w*|email me|address)(?![a-z])")
_ATS = frozenset({"arroba", "arrova", "aroba", "at"})
_DOTS = frozenset({"punto", "ponto", "dot", "pto", "guion", "underscore", "underline"})
_VERBS = listed(
    "look looking looked shop shopping buy buying bought order ordered ordering visit found find arrive arrived was is are be "
    "me us it him her them price login log sign signup available see saw check meet met here there online hosted listed "
    "posted sold work works working live stay start stop try apply register read more info details "
    "open opened closed new now free sale support sales team"
)
_PATH = re.compile(r"/|\?\w")
_LEADS = re.compile(r"(?<!\w)(?:to|is|from|and|or) $")
_OPENS = ("", "\n", ",", ":", ";", "(", "-", "|", "/", "<")
_NEAR = 140


def find(page: Page, telling: frozenset[str], region: Region) -> Iterator[Hit]:
    """The hits of all that is spelt out; `telling` are those of the page's words that tell something."""
    text, low = page.text, page.low
    if not telling.isdisjoint(_ATS):
        yield from _emails(_SIGNED.sub(r" \1 ", low))
    elif "(a)" in low or ("@" in text and ("(@" in text or "[@" in text or not telling.isdisjoint(_DOTS))):
        yield from _emails(low)
    if not telling.isdisjoint(_NUMERALS):
        yield from _numbers(low, region)


def _emails(low: str) -> Iterator[Hit]:
    for match in _ats(low):
        start, end = match.span()
        last = _domain_end(low, end)
        local = _LOCAL.search(low[max(0, start - _NEAR) : start]) if last else None
        if local is None or last is None:
            continue
        base = max(0, start - _NEAR) + local.start()
        domain = low[end:last]
        if match["at"] and (_AT.match(low, last) or not _is_meant(low, base, local.group(), domain, last)):
            continue
        if match["a"] and domain.rpartition(".")[2] not in USUAL:
            continue
        if match["sign"] and not (_spells(local.group()) or _spells(domain)):
            continue
        loose = _LOOSE_LOCAL.search(low[max(0, start - _NEAR) : start])
        if loose and (match["word"] or match["at"] is None) and not match["sign"]:
            base = min(base, max(0, start - _NEAR) + loose.start(1))
        yield Hit(base, last, Sort.EMAIL, _normal(local.group(), domain))


def _ats(low: str) -> Iterator[re.Match[str]]:
    """The signs between two halves, with the blanks before them."""
    end = 0
    for anchor in _ANCHOR.finditer(low):
        start = anchor.start()
        while start > end and low[start - 1].isspace():
            start -= 1
        match = _AT.match(low, start)
        if match and start >= end:
            end = match.end()
            yield match


def _domain_end(low: str, start: int) -> int | None:
    match = _DOMAIN.match(low, start)
    if match is None:
        hyphen = _HYPHENED.search(low, start, start + 40)
        match = _DOMAIN.match(low, hyphen.end()) if hyphen else None
    if match is not None:
        written = match.group()
        while True:
            parts = re.split(_DOT, written)
            if len(parts) < 2:
                break
            if top_level(parts[-1]):
                return match.start() + len(written)
            written = written[: -len(parts[-1])]
            written = re.sub(rf"{_DOT}$", "", written)
    word = _PROVIDER.match(low, start)
    return word.end() if word and word.group() in PROVIDERS else None


def _is_meant(low: str, base: int, local: str, domain: str, end: int) -> bool:
    """Whether a bare "at" joins an address: "john at mail dot com", not "look at shop.com" or "code X1 at www.shop.com/sale"."""
    if domain.startswith("www.") or _PATH.match(low, end) or (local.isdecimal() and not _spells(domain)):
        return False
    if not _spells(domain) and cues.before(low, base) is Cue.CODE:
        return False
    if _spells(domain) or _spells(local) or any(c in "._+-" or c.isdigit() for c in local):
        return True
    if _MAIL.search(low, max(0, base - 40), base) is not None:
        return True
    return local not in _VERBS and (low[:base].rstrip(" ")[-1:] in _OPENS or _LEADS.search(low, max(0, base - 6), base) is not None)


def _spells(part: str) -> bool:
    return any(c in part for c in " ([{<")


def _normal(local: str, domain: str) -> str:
    for spelt, sign in _SIGNS:
        local, domain = re.sub(spelt, sign, local), re.sub(spelt, sign, domain)
    return f"{local}@{domain}".replace(" ", "")


_SIGNS = (
    (r"\s*[(\[{<]?\s*\b(?:punto|ponto|dot|pto)\b\s*[)\]}>]?\s*", "."),
    (r"\s*\b(?:guion\s+bajo|underscore|underline|underbar|barra\s+baja|sublinhado)\b\s*", "_"),
    (r"\s*\b(?:guion(?:\s+medio)?|hyphen|dash|hifen|traco|menos)\b\s*", "-"),
    (r"\s*\b(?:mas|mais|plus)\b\s*", "+"),
)


def _numerals(*rows: tuple[str, int]) -> dict[str, str]:
    return {word: str(first + i) for words, first in rows for i, word in enumerate(words.split())}


_UNITS: dict[str, str] = _numerals(
    ("cero uno dos tres cuatro cinco seis siete ocho nueve", 0),
    ("zero um dois tres quatro cinco seis sete oito nove", 0),
    ("zero one two three four five six seven eight nine", 0),
) | {"un": "1", "una": "1", "uma": "1", "duas": "2", "meia": "6", "oh": "0"}
_TEENS: dict[str, str] = _numerals(
    ("diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve", 10),
    ("veinte veintiuno veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve", 20),
    ("dez onze doze treze quatorze quinze dezesseis dezessete dezoito dezenove", 10),
    ("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen", 10),
) | {"catorze": "14", "dezasseis": "16", "dezassete": "17", "dezanove": "19"}
_TENS: dict[str, str] = {
    word: str(10 * (i + 2))
    for words in (
        "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
        "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
        "twenty thirty forty fifty sixty seventy eighty ninety",
    )
    for i, word in enumerate(words.split())
}
_HUNDREDS: dict[str, str] = {
    word: str(100 * (i + 1))
    for words in (
        "ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos",
        "cento duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos",
    )
    for i, word in enumerate(words.split())
} | {"cien": "100", "cem": "100"}
NUMERALS = {**_UNITS, **_TEENS, **_TENS, **_HUNDREDS}
_NUMERALS = frozenset(NUMERALS) - {"un", "una", "uno", "um", "uma", "one"}
"""Numerals that are not articles as well: without one of them there is nothing to look for."""
TELLING = _ATS | _DOTS | _NUMERALS
"""Words of which one at least stands in a text that spells something out."""
_TIMES = {"doble": 2, "double": 2, "dobrado": 2, "triple": 3, "triplo": 3}
_THOUSANDS = listed("mil millon millones milhao milhoes thousand million")
"""They make a price of numerals, unless a cue says whose number it is."""
_PLUS = re.compile(r"(?<![a-z])(?:mas|mais|plus|\+) ?$")
_WORDS_OF_ONE = frozenset("yeoa")
_LETTER = re.compile(
    rf"[ ,]{{0,2}}(?:(?:(?:guion|traco|hifen|dash|hyphen|raya|-) ?)(?:(?:letra|letter) ?)?(?:[a-z](?![a-z])|{'|'.join(_UNITS)})"
    r"|(?:letra|letter) ?[a-z](?![a-z])|[a-z](?![a-z]))(?!\w)"
)
_AND = frozenset({"y", "e", "and"})
_TOKEN = re.compile(r"[a-z]+|\d{1,4}(?!\d)|\d+|[^\s\w]")
_LEAST = 7
_ALONE = 8


def _numbers(low: str, region: Region) -> Iterator[Hit]:
    """Runs of numerals, words and small groups of digits mixed, with at least a phone's digits."""
    run: list[re.Match[str]] = []
    for match in _TOKEN.finditer(low):
        token = match.group()
        said = token in NUMERALS or token in _TIMES or (token.isdecimal() and len(token) <= 4)
        if said or (run and (token in _AND or token in _THOUSANDS or token in ",.-+()")):
            run.append(match)
        elif run:
            yield from _of_run(low, run, region)
            run = []
    yield from _of_run(low, run, region)


def _of_run(low: str, run: list[re.Match[str]], region: Region) -> Iterator[Hit]:
    while run and not (run[-1].group().isdecimal() or run[-1].group() in NUMERALS):
        run.pop()
    words = sum(match.group() in NUMERALS for match in run)
    if words < 2:
        return
    digits = _digits([match.group() for match in run])
    plus = _PLUS.search(low, max(0, run[0].start() - 6), run[0].start())
    start, end = plus.start() if plus else run[0].start(), run[-1].end()
    kind = cues.before(low, start)
    if any(match.group() in _THOUSANDS for match in run):
        if kind not in (Cue.PHONE, Cue.ID):
            return
        digits = digits.ljust(_LEAST, "0")
    letter = _LETTER.match(low, end) if kind is Cue.ID else None
    if letter and (letter.group().strip(" ,") not in _WORDS_OF_ONE or ids.is_dni(digits + letter.group()[-1])):
        end = letter.end()
    if kind in (Cue.MONEY, Cue.CODE) or len(digits) < (_LEAST if kind else _ALONE) or (not kind and len(run) < 5):
        return
    sort = {Cue.ID: Sort.ID, Cue.CARD: Sort.CARD, Cue.ACCOUNT: Sort.ACCOUNT}.get(kind, Sort.PHONE) if kind else Sort.PHONE
    value = phones.normal(digits, region.phone_regions) if sort is Sort.PHONE else digits if sort is Sort.ID else None
    yield Hit(start, end, sort, value)


def _digits(tokens: list[str]) -> str:
    """The digits the tokens say: hundreds and tens swallow the smaller numeral that follows them."""
    out: list[str] = []
    times = 1
    for token in tokens:
        if token in _TIMES:
            times = _TIMES[token]
            continue
        digits = NUMERALS.get(token, token if token.isdigit() else "")
        if not digits:
            continue
        open_zeros = len(out[-1]) - len(out[-1].rstrip("0")) if out and token in NUMERALS else 0
        if open_zeros >= len(digits) and len(out[-1]) > 1 and out[-1] != "0" and digits != "0":
            out[-1] = out[-1][: -len(digits)] + digits
        else:
            out.append(digits * times)
        times = 1
    return "".join(out)
