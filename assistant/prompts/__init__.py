"""The texts that the model is told first, one file a language. They are constants: nothing is ever filled in.

A changed file changes ``version()``, which each turn stores: the prefix of a thread may break there (law 9).
"""

import hashlib
from functools import cache
from importlib.resources import files

from veil.payload import Constant

LANGUAGES = ("es", "pt", "en")


@cache
def system_text(language: str) -> Constant:
    """The system text in one of ``LANGUAGES``."""
    if language not in LANGUAGES:
        raise ValueError("there is no prompt in this language")
    return Constant((files(__name__) / f"assistant.{language}.md").read_text(encoding="utf-8").strip())


@cache
def version() -> str:
    """Twelve hexadecimal digits that change when any prompt does."""
    texts = "\0".join(f"{language}\0{system_text(language).text}" for language in LANGUAGES)
    return hashlib.sha256(texts.encode()).hexdigest()[:12]
