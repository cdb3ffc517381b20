"""The rules of the catalogue: what keeps them loads, what breaks one does not."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated

import pytest
from pydantic.fields import FieldInfo

from tools.arguments import Arguments, Number, Text, TokenOf
from tools.catalogue import TOOLS, checked, load, specs
from tools.errors import MisdeclaredTool
from tools.glossary import ARGUMENTS
from tools.refusals import LANGUAGES
from tools.run import SEEN_KINDS
from tools.tool import Tool
from veil.errors import UnclassifiedField
from veil.fields import Plain, Ref, Rows
from veil.tokens import Kind

SHOW_CONTACT = next(tool for tool in TOOLS if tool.name == "show_contact")


@dataclass(frozen=True)
class StringInPlain:
    name: Annotated[str, Plain()]


@dataclass(frozen=True)
class WithoutClass:
    contact: Annotated[int, Ref(Kind.CONTACT)]
    name: str


@dataclass(frozen=True)
class StringInPlainBelow:
    rows: Annotated[tuple[StringInPlain, ...], Rows()]


@pytest.mark.parametrize("result", [StringInPlain, WithoutClass, StringInPlainBelow, dict])
def test_a_result_that_does_not_say_how_it_crosses_is_refused(result: type):
    with pytest.raises(UnclassifiedField):
        checked([replace(SHOW_CONTACT, result=result)])


class TokenUnderAnotherName(Arguments):
    member: Annotated[int, TokenOf(Kind.CONTACT)]


class WithoutShape(Arguments):
    contact: int


class TwoShapes(Arguments):
    skip: Annotated[int, Number(0, 1), Text(5)]


class NotInTheGlossary(Arguments):
    colour: Annotated[str, Text(5)]


@pytest.mark.parametrize("arguments", [TokenUnderAnotherName, WithoutShape, TwoShapes, NotInTheGlossary])
def test_an_argument_that_breaks_a_rule_is_refused(arguments: type[Arguments]):
    with pytest.raises(MisdeclaredTool):
        checked([replace(SHOW_CONTACT, arguments=arguments)])


@pytest.mark.parametrize(
    "description", [{}, {"es": "Muestra"}, {"es": "Muestra", "pt": "Mostra", "en": ""}], ids=["none", "one", "empty"]
)
def test_a_tool_that_is_not_described_in_every_language_is_refused(description: Mapping[str, str]):
    with pytest.raises(MisdeclaredTool):
        checked([replace(SHOW_CONTACT, description=description)])


def test_a_name_stands_once():
    with pytest.raises(MisdeclaredTool):
        checked([SHOW_CONTACT, SHOW_CONTACT])


def test_the_catalogue_loads_as_it_is_written():
    assert tuple(load().values()) == TOOLS


def test_the_glossary_holds_no_word_that_no_tool_uses():
    assert set(ARGUMENTS) == {name for tool in TOOLS for name in tool.arguments.model_fields}


def test_the_visibility_of_every_token_argument_is_asked():
    kinds = {extra.kind for field in _arguments() for extra in field.metadata if isinstance(extra, TokenOf)}
    assert kinds == set(SEEN_KINDS)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_no_argument_takes_a_name(tool: Tool):
    assert not {"name", "query", "text", "phone", "email", "national_id"} & set(tool.arguments.model_fields)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_model_is_told_is_legal_and_short(language: str):
    told = specs(language)
    assert [spec["function"]["name"] for spec in told] == [tool.name for tool in TOOLS]
    for spec in told:
        parameters = spec["function"]["parameters"]
        assert parameters["additionalProperties"] is False
        assert set(parameters["required"]) <= set(parameters["properties"])
        assert len(spec["function"]["description"]) <= 200
        assert all(len(described["description"]) <= 100 for described in parameters["properties"].values())
    assert len(told) <= 16  # models choose badly among many
    assert len(json.dumps(told, ensure_ascii=False)) < 14_500


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_model_is_told_never_changes(language: str):
    assert json.dumps(specs(language)) == json.dumps(specs(language))


def _arguments() -> list[FieldInfo]:
    return [field for tool in TOOLS for field in tool.arguments.model_fields.values()]
