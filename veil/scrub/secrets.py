"""Secrets that people paste: keys and tokens by their make, passwords and codes by the word before them.

A password has no form. After a colon or an equals sign whatever follows is taken; after "es" or "is" a word counts
when it cannot be an ordinary one, or when the sentence says whose password it is.
"""

import re
from collections.abc import Iterator

from veil.scrub.chains import Page
from veil.scrub.sorts import Hit, Sort
from veil.scrub.vocabulary import fold, listed

_MADE = re.compile(
    r"""
    (?<![A-Za-z0-9]) (?:
      (?:sk|pk|rk)[-_](?:(?:live|test|proj|ant|or|svcacct|admin)[-_])?[A-Za-z0-9_-]{16,}
    | gh[pousr]_[A-Za-z0-9]{16,} | github_pat_[A-Za-z0-9_]{20,} | glpat-[\w-]{16,} | npm_[A-Za-z0-9]{20,} | hf_[A-Za-z]{20,}
    | xox[abposr]-[A-Za-z0-9-]{10,} | shp(?:at|ca|pa|ss)_[a-fA-F0-9]{16,} | whsec_[A-Za-z0-9]{16,} | SG\.[\w-]{16,}\.[\w-]{16,}
    | A(?:KIA|SIA)[A-Z0-9]{12,} | AIza[\w-]{30,} | ya29\.[\w-]{20,} | EAA[A-Za-z0-9]{30,}
    | APP_USR-[\w-]{20,} | TEST-\d{10,}[\w-]{20,}
    | eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?
    )
    | -----BEGIN[ ][A-Z ]*PRIVATE[ ]KEY-----.*?(?:-----END[ ][A-Z ]*PRIVATE[ ]KEY-----|\Z)
    | (?<=://)[^\s/:@]+:[^\s/@]+(?=@)
    """,
    re.VERBOSE | re.DOTALL,
)
_PREFIXES = listed("sk pk rk ghp gho ghu ghs ghr github glpat npm hf xoxa xoxb xoxp xoxo xoxs xoxr whsec shpat shpca shppa shpss sg app test begin")
_BEARER = re.compile(r"\b(?:bearer|basic|token)\s+((?=[^\s]*\d)[A-Za-z0-9._~+/=-]{12,})", re.IGNORECASE)
_PIX = re.compile(r"(?<![a-z])pix(?![a-z])[^\n]{0,40}?((?<![a-z\d-])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?![a-z\d-])")
"""A random key of Pix: a UUID that leads to somebody's account."""
_SCHEMES = frozenset({"bearer", "basic", "token"})
_WORDS = listed(
    "contrasena contrasenas contrasenia clave claves password passwd passphrase passcode pwd pass senha passe pin nip "
    "cvv cvv2 cvc cvc2 passw0rd otp token api apikey secret credencial credenciales codigo cod code key chave llave"
)
_PASSWORD = (
    r"contrasen[ai]a?s?|contrasena|claves?|password|passwd|passw0rd|passphrase|passcode|pwd|pass|senha|palavra-passe|credencial(?:es)?|"
    r"client[ _-]?secret|secret[ _-]?key|secret|api[ _-]?keys?|apikey|access[ _-]?(?:key|token)|private[ _-]?key|auth[ _-]?token|"
    r"refresh[ _-]?token|token|chave de api|chave da api|llave de api|user key"
)
_OF_CODE = r"(?: (?:de|del|da|do|of))?"
_SHORT = (
    rf"pin|nip|cvv2?|cvc2?|otp|(?:codigo|cod\.?|code|clave){_OF_CODE} (?:seguridad|seguranca|verificacion|verificacao|"
    r"acceso|acesso|confirmacion sms|activacion|autenticacion|2fa|sms|otp|token)|"
    r"(?:security|verification|access|one-time|auth(?:entication)?|2fa|sms|otp) code|"
    r"codigo (?:sms )?que (?:me )?(?:recebi|recibi|llego|chegou|mandaron|enviaron|mandaram|enviaram)|code (?:that )?i (?:got|received)|"
    r"clave dinamica|clave unica|token dinamico|senha do cartao"
)
_OF = r"(?:\s(?:(?:de|del|da|do|of|for|para|to)\s)?(?!(?:es|is|era|e|foi|fue)\b)[a-z.-]{2,20}){0,3}?"
_CUED = re.compile(
    rf"(?<![^\W_])(?P<mine>(?:mi|tu|su|my|your|minha|meu|nuestra|our)\s)?(?:(?P<short>{_SHORT})|(?P<word>{_PASSWORD}))"
    rf"(?![^\W_])[\"']?(?P<of>{_OF})\s?(?P<link>[:=]|->|\((?=\S)|(?:es|is|e|era|was|sera|foi|fue|igual a)\b(?:\s(?:el|la|o|a|the)(?=\s\d)|\s?:?)|"
    r"(?=\s\d)|(?=\s[\"'“«`])|(?=\s(?=[^\s]{0,40}\d)(?=[^\s\d]{0,40}[a-z])[^\s/:]{6,64}(?:\s|[.,;]|$)))"
    r"\s{0,2}(?:[\"'“«`](?P<quoted>[^\"'”»`\n]{1,64})[\"'”»`]|[\"'“«`*]{0,2}(?P<value>(?:\d{3}[ -]\d{3}(?!\d)|(?:(?!&\w+=)[^\s\"'”»`,;)]){1,128})))",
)
_CHEERS = re.compile(r"[A-Z]+\d{1,3}|\d{1,2}[a-zA-Z]{1,3}")
"""How coupons and measures look, which need a colon to be taken for a password."""
TELLING = _WORDS | _SCHEMES | _PREFIXES | {"pix"}
"""Words of which one at least stands in a text with a secret, unless its make gives it away."""
_PINS = frozenset({"pin", "nip"})
_NUMBERS = listed("num nro no n numero number")
_PAYING = re.compile(r"efecty|baloto|paynet|oxxo|consign|comprobante|referencia|deposit|recaudo|pague|pago ")
_NEAR = 80
_LONGEST_PIN = 8
_TOKEN = re.compile(r"[A-Z]-\d{1,6}(?![^\W_])")
_ORDINARY = listed(
    "incorrecta incorrecto correcta correcto invalida invalido valida valido mala malo buena bueno la el los las un una lo "
    "wrong incorrect right correct invalid valid not the a an no que muy demasiado too very segura seguro secure weak debil "
    "larga corta long short misma mismo same esta este esa errada errado certa certo invalido fraca forte muito mesma nova "
    "nueva nuevo new vieja vencida expired expirada caducada bloqueada blocked olvidada forgotten perdida lost para por de "
    "del mi su tu my your minha sua importante necesaria requerida obligatoria required necessary fundamental simple facil "
    "dificil temporal temporary unica secreta personal importante esencial asi so como cuando si non nao por"
)


def find(page: Page, telling: frozenset[str]) -> Iterator[Hit]:
    """The hits of all secrets; `telling` are those of the page's words that tell something."""
    text = page.text
    if not telling.isdisjoint(_PREFIXES) or may_hold_key(text):
        for match in _MADE.finditer(text):
            yield Hit(*match.span(), Sort.SECRET)
    if not telling.isdisjoint(_SCHEMES):
        for match in _BEARER.finditer(text):
            yield Hit(*match.span(1), Sort.SECRET)
    if "pix" in telling:
        for match in _PIX.finditer(page.low):
            yield Hit(*match.span(1), Sort.ACCOUNT)
    if not telling.isdisjoint(_WORDS):
        for match in _CUED.finditer(page.low):
            start, end = match.span("quoted" if match["quoted"] else "value")
            if match["quoted"] or (_is_secret(match, text[start:end]) and not _is_reference(page.low, match)):
                yield Hit(start, _trimmed(text, start, end), Sort.SECRET)


def may_hold_key(text: str) -> bool:
    """Whether there is the opening of a key that no word of its own tells."""
    return "eyJ" in text or "AKIA" in text or "ASIA" in text or "AIza" in text or "ya29" in text or "EAA" in text or ("://" in text and "@" in text)


def _is_secret(match: re.Match[str], value: str) -> bool:
    link = match["link"].strip()
    if value.startswith("[") or (value.startswith("<") and value.endswith(">")) or _TOKEN.match(value):
        return False
    if match["short"]:
        if match["short"] in _PINS and (len(value.rstrip(".")) > _LONGEST_PIN or not _NUMBERS.isdisjoint(match["of"].replace(".", " ").split())):
            return False
        return (
            (len(value) > 2 and value[:3].isdecimal()) or _is_mixed(value.rstrip(".,;")) or (link in ("=", ":") and any(c.isdecimal() for c in value))
        )
    if link == "":
        return _is_mixed(value.rstrip(".,;"))
    if link in ("=", ":", "->"):
        return len(value.rstrip(".")) >= 3 and fold(value).strip(".!?") not in _ORDINARY
    unusual = any(c.isdigit() or (not c.isalpha() and c not in ".!?-") for c in value) or any(c.isupper() for c in value[1:])
    if unusual:
        return len(value) >= 4
    return bool(match["mine"]) and link != "" and fold(value).strip(".!?") not in _ORDINARY


def _is_reference(low: str, match: re.Match[str]) -> bool:
    """Whether a "pin" is the reference of a payment at a counter."""
    return match["short"] in _PINS and _PAYING.search(low, max(0, match.start() - _NEAR), match.start()) is not None


def _is_mixed(value: str) -> bool:
    """Whether a word behind a blank alone can only be a password: letters and digits, and not as coupons have them."""
    if _CHEERS.fullmatch(value):
        return False
    return (len(value) > 3 and value[:3].isdecimal()) or (len(value) > 5 and any(c.isdecimal() for c in value) and any(c.islower() for c in value))


def _trimmed(text: str, start: int, end: int) -> int:
    """The end without the full stop of the sentence."""
    return end - 1 if end - start > 3 and text[end - 1] in ".:" else end
