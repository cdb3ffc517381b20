"""Why a call was declined, and the sentence that lets the model mend it.

A sentence is made of our own constants (names of tools and arguments, values of enums, bounds) and of the token that
the model wrote. No value of an argument is ever repeated: it may be long, and it is not ours.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

#: The languages in which tools speak.
LANGUAGES = ("es", "pt", "en")


class Reason(StrEnum):
    """Why a call was declined."""

    UNKNOWN_TOOL = "unknown_tool"
    NOT_ALLOWED = "not_allowed"
    NO_SUCH_TOKEN = "no_such_token"
    TOO_LONG = "too_long"
    NOT_JSON = "not_json"
    NOT_AN_OBJECT = "not_an_object"
    UNKNOWN_ARGUMENT = "unknown_argument"
    MISSING = "missing"
    EXACTLY_ONE = "exactly_one"
    NOT_A_TOKEN = "not_a_token"
    NOT_ONE_OF = "not_one_of"
    NOT_A_NUMBER = "not_a_number"
    NOT_A_DATE = "not_a_date"
    NOT_A_FLAG = "not_a_flag"
    NOT_A_TEXT = "not_a_text"


@dataclass(frozen=True, slots=True)
class Declined:
    """A call that was not run.

    ``detail`` is a token, the name of a tool or argument, or a list of names; ``expected`` what would have been right.
    """

    reason: Reason
    detail: str = ""
    expected: str = ""


def sentence(declined: Declined, language: str) -> str:
    """What the model is told, in the tenant's language."""
    return _SENTENCES[declined.reason][language].format(detail=declined.detail, expected=declined.expected)


_SENTENCES: Mapping[Reason, Mapping[str, str]] = {
    Reason.UNKNOWN_TOOL: {
        "es": "Esa herramienta no existe. Las que hay: {expected}.",
        "pt": "Essa ferramenta não existe. As que há: {expected}.",
        "en": "There is no such tool. The tools are: {expected}.",
    },
    Reason.NOT_ALLOWED: {
        "es": "Quien pregunta no tiene permiso para {detail}. Dilo así; no hay otro camino.",
        "pt": "Quem pergunta não tem permissão para {detail}. Diga isso; não há outro caminho.",
        "en": "The person who asks is not allowed to use {detail}. Say so; there is no other way.",
    },
    Reason.NO_SUCH_TOKEN: {
        "es": "{detail} no existe.",
        "pt": "{detail} não existe.",
        "en": "{detail} does not exist.",
    },
    Reason.TOO_LONG: {
        "es": "{detail}: los argumentos son demasiado largos. Envía solo estos: {expected}.",
        "pt": "{detail}: os argumentos são longos demais. Envie apenas estes: {expected}.",
        "en": "{detail}: the arguments are too long. Send only these: {expected}.",
    },
    Reason.NOT_JSON: {
        "es": "{detail}: los argumentos no son JSON válido. Envía un objeto JSON con: {expected}.",
        "pt": "{detail}: os argumentos não são JSON válido. Envie um objeto JSON com: {expected}.",
        "en": "{detail}: the arguments are not valid JSON. Send a JSON object with: {expected}.",
    },
    Reason.NOT_AN_OBJECT: {
        "es": "{detail}: los argumentos deben ser un objeto JSON con: {expected}.",
        "pt": "{detail}: os argumentos devem ser um objeto JSON com: {expected}.",
        "en": "{detail}: the arguments must be a JSON object with: {expected}.",
    },
    Reason.UNKNOWN_ARGUMENT: {
        "es": "{detail} no tiene ese argumento. Los que hay: {expected}. Los nombres no se buscan: usa tokens.",
        "pt": "{detail} não tem esse argumento. Os que há: {expected}. Nomes não são buscados: use tokens.",
        "en": "{detail} has no such argument. Its arguments are: {expected}. Names are not searched: use tokens.",
    },
    Reason.MISSING: {
        "es": "Falta el argumento {detail} ({expected}).",
        "pt": "Falta o argumento {detail} ({expected}).",
        "en": "The argument {detail} is missing ({expected}).",
    },
    Reason.EXACTLY_ONE: {
        "es": "Da exactamente uno de estos argumentos: {detail}.",
        "pt": "Dê exatamente um destes argumentos: {detail}.",
        "en": "Give exactly one of these arguments: {detail}.",
    },
    Reason.NOT_A_TOKEN: {
        "es": "{detail} lleva un solo token como {expected}, nunca un nombre ni varios.",
        "pt": "{detail} leva um único token como {expected}, nunca um nome nem vários.",
        "en": "{detail} takes a single token such as {expected}, never a name and never several.",
    },
    Reason.NOT_ONE_OF: {
        "es": "{detail} debe ser uno de: {expected}.",
        "pt": "{detail} deve ser um de: {expected}.",
        "en": "{detail} must be one of: {expected}.",
    },
    Reason.NOT_A_NUMBER: {
        "es": "{detail} debe ser un número entero ({expected}).",
        "pt": "{detail} deve ser um número inteiro ({expected}).",
        "en": "{detail} must be a whole number ({expected}).",
    },
    Reason.NOT_A_DATE: {
        "es": "{detail} debe ser una fecha ISO como {expected}.",
        "pt": "{detail} deve ser uma data ISO como {expected}.",
        "en": "{detail} must be an ISO date such as {expected}.",
    },
    Reason.NOT_A_FLAG: {
        "es": "{detail} debe ser true o false.",
        "pt": "{detail} deve ser true ou false.",
        "en": "{detail} must be true or false.",
    },
    Reason.NOT_A_TEXT: {
        "es": "{detail} debe ser un texto de {expected} caracteres.",
        "pt": "{detail} deve ser um texto de {expected} caracteres.",
        "en": "{detail} must be a text of {expected} characters.",
    },
}
