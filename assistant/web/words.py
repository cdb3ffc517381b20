"""The sentences of the pages in the languages of tenants: one JSON file each, read by the templates and by the scripts."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

LANGUAGES = ("es", "pt", "en")


@cache
def words(language: str) -> Mapping[str, str]:
    """The sentences of a language, by their names."""
    text = (files("assistant.web") / "words" / f"{language}.json").read_text(encoding="utf-8")
    sentences: dict[str, str] = json.loads(text)
    return sentences


def preferred(accepted: str) -> str:
    """The first language of an ``Accept-Language`` header that we speak; Spanish without one."""
    for wish in accepted[:200].split(","):
        language = wish.partition(";")[0].strip()[:2].lower()
        if language in LANGUAGES:
            return language
    return LANGUAGES[0]
