"""Sentences of refusal: there in every language, ours from end to end."""

import pytest

from tools.refusals import LANGUAGES, Declined, Reason, sentence


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reason", Reason)
def test_every_reason_has_a_short_sentence(reason: Reason, language: str):
    said = sentence(Declined(reason, "DETAIL", "EXPECTED"), language)
    assert said.endswith(".")
    assert "{" not in said
    assert 10 < len(said) < 200


@pytest.mark.parametrize(
    ("language", "said"),
    [("es", "C-9 no existe."), ("pt", "C-9 não existe."), ("en", "C-9 does not exist.")],
)
def test_a_token_that_names_nobody_does_not_exist(language: str, said: str):
    assert sentence(Declined(Reason.NO_SUCH_TOKEN, "C-9"), language) == said
