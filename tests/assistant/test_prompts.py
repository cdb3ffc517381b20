"""The prompts: the same rules in every language, and nothing that a customer could turn into something else."""

import re

import pytest

from assistant.prompts import LANGUAGES, system_text, version
from tools.catalogue import load
from tools.messages import MessageRow
from veil.fields import fields_of
from veil.scrub import PLACEHOLDERS, Sort
from veil.tokens import HANDLE_FIELDS, LETTERS, find
from veil.veiling import WITHHELD, WORDS


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_token_is_explained(language: str) -> None:
    letters = {found.token.letter for found in find(system_text(language).text)}
    assert letters == {*LETTERS.values(), "X"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_handle_the_group_and_the_envelope_are_explained(language: str) -> None:
    text = system_text(language).text
    assert all(f".{field}" in text for field in HANDLE_FIELDS)
    assert "C-4|C-5" in text
    assert "<datos>" in text
    assert "</datos>" in text
    assert "U-1" in text


def test_the_languages_have_the_same_sections_and_rules() -> None:
    shapes = ["".join(line[:1] for line in system_text(language).text.splitlines() if line) for language in LANGUAGES]
    assert len({re.sub(r"[^#-]", "", shape) for shape in shapes}) == 1


def test_the_version_is_stable_and_short() -> None:
    assert re.fullmatch("[0-9a-f]{12}", version())
    assert version() == version()


def test_an_unknown_language_is_refused_not_replaced() -> None:
    with pytest.raises(ValueError, match="language"):
        system_text("fr")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_placeholders_that_a_prompt_explains_are_those_that_travel(language: str) -> None:
    words, sorts = WORDS[language], PLACEHOLDERS[language]
    told = set(re.findall(r"\[[^\]]+\]", system_text(language).text))
    assert told == {f"[{words.name}]", words.numbered(1), words.datum, WITHHELD, *(sorts[sort] for sort in (Sort.PHONE, Sort.EMAIL, Sort.ID))}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_prompt_names_no_tool_and_no_field_that_the_tools_do_not_have(language: str) -> None:
    assert not [name for name in load() if name in system_text(language).text]
    assert re.findall(r"\b[a-z]+_[a-z]+\b", system_text(language).text) == ["national_id", "legal_id"]
    assert "settled" in system_text(language).text
    assert "settled" in {field.name for field in fields_of(MessageRow)}


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("es", "junto a una llamada a herramientas no se muestra"),
        ("pt", "junto de uma chamada de ferramentas não é mostrado"),
        ("en", "along with a tool call is not shown"),
    ],
)
def test_the_model_is_told_what_is_not_shown(language: str, said: str) -> None:
    assert said in system_text(language).text
