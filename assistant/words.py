"""The assistant's own sentences, in the languages it speaks. Constants: nothing is ever filled in."""

from collections.abc import Mapping
from datetime import datetime

_WEEKDAYS: Mapping[str, tuple[str, ...]] = {
    "es": ("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"),
    "pt": ("segunda-feira", "terça-feira", "quarta-feira", "quinta-feira", "sexta-feira", "sábado", "domingo"),
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
}
_WHICH_ONE: Mapping[str, str] = {
    "es": "Hay varias personas con ese nombre. ¿A cuál te refieres? Elige una, o escribe «cualquiera» para ver las cinco más recientes.",
    "pt": "Há várias pessoas com esse nome. A qual você se refere? Escolha uma, ou escreva «qualquer» para ver as cinco mais recentes.",
    "en": "Several people have that name. Whom do you mean? Choose one, or write “anyone” to see the five latest.",
}
_ANYONE = frozenset({"cualquiera", "cualquier", "cualquiera de ellos", "qualquer", "qualquer um", "qualquer uma", "anyone", "any", "any of them"})
_NO_ANSWER: Mapping[str, str] = {
    "es": "No hubo respuesta. Prueba a preguntar de otra manera.",
    "pt": "Não houve resposta. Tente perguntar de outra forma.",
    "en": "There was no answer. Try asking in another way.",
}
_NOT_RUN: Mapping[str, str] = {
    "es": "No se ejecutó: demasiadas llamadas a la vez. Responde con lo que ya tienes.",
    "pt": "Não foi executada: chamadas demais de uma vez. Responda com o que já tem.",
    "en": "Not run: too many calls at once. Answer with what you have.",
}
_SAME_AS_BEFORE: Mapping[str, str] = {
    "es": "El mismo resultado que antes: ya está más arriba. No repitas la llamada; responde con lo que tienes.",
    "pt": "O mesmo resultado de antes: já está mais acima. Não repita a chamada; responda com o que tem.",
    "en": "The same result as before: it stands above. Do not repeat the call; answer with what you have.",
}
_TOOL_FAILED: Mapping[str, str] = {
    "es": "La consulta falló. No la repitas; dilo en la respuesta.",
    "pt": "A consulta falhou. Não a repita; diga isso na resposta.",
    "en": "The look-up failed. Do not repeat it; say so in the answer.",
}


def weekday(number: int, language: str) -> str:
    """The name of a weekday, Monday being 0."""
    return _WEEKDAYS[language][number]


def which_one(language: str) -> str:
    """Asks whom a name means."""
    return _WHICH_ONE[language]


def means_anyone(text: str) -> bool:
    """Whether a reply leaves the choice to us."""
    return text.strip().strip(".!¡\"'«»“”").lower() in _ANYONE


def no_answer(language: str) -> str:
    """Stands in for an answer that the model left empty."""
    return _NO_ANSWER[language]


def not_run(language: str) -> str:
    """Tells the model that a call was beyond the caps."""
    return _NOT_RUN[language]


def same_as_before(language: str) -> str:
    """Tells the model that it made this very call already."""
    return _SAME_AS_BEFORE[language]


def tool_failed(language: str) -> str:
    """Tells the model that a look-up failed on our side."""
    return _TOOL_FAILED[language]


def opening(now: datetime, language: str) -> str:
    """The line that opens a question: its date, weekday and UTC offset."""
    offset = now.strftime("%z")
    return f"[{now.date().isoformat()} {weekday(now.weekday(), language)} UTC{offset[:3]}:{offset[3:]}]\n"
