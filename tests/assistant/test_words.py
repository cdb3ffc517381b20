"""The assistant's own sentences: constants in every language, with nothing to fill in."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from assistant import words
from tools.refusals import LANGUAGES


@pytest.mark.parametrize("sentence", [words.which_one, words.no_answer, words.not_run, words.tool_failed], ids=lambda sentence: sentence.__name__)
def test_every_sentence_is_there_in_every_language_and_has_no_gap(sentence: Callable[[str], str]) -> None:
    spoken = {sentence(language) for language in LANGUAGES}
    assert len(spoken) == len(LANGUAGES)
    assert not any("{" in text or "%" in text for text in spoken)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_week_has_seven_days_of_different_names(language: str) -> None:
    assert len({words.weekday(number, language) for number in range(7)}) == 7


def test_the_week_begins_on_monday() -> None:
    assert [words.weekday(0, language) for language in ("es", "pt", "en")] == ["lunes", "segunda-feira", "Monday"]


@pytest.mark.parametrize("text", ["cualquiera", "Cualquiera.", " «cualquiera» ", "QUALQUER UM", "anyone!", "any of them", "qualquer uma"])
def test_a_reply_that_leaves_the_choice_to_us(text: str) -> None:
    assert words.means_anyone(text)


@pytest.mark.parametrize("text", ["", "cualquiera de las ventas", "María cualquiera", "anyone called María?", "ninguna"])
def test_a_reply_that_means_something_else(text: str) -> None:
    assert not words.means_anyone(text)
