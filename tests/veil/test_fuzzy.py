"""Misspelt names: one slip of the hand is understood, a name or word of its own is never taken for another (section 4.4 of the design)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from tests.house import ADMIN, AGENT_OF_SALES, House
from tests.veil.people import contact, index_of
from veil import lexicon
from veil.bearers import Index
from veil.fuzzy import candidates, doubtful, is_alike, spellings
from veil.names import Reading
from veil.phrases import Text

OTONIEL = index_of([(contact(3), "Otoniel Ibarrola")])
_WORDS = st.text(alphabet="abcden", min_size=1, max_size=9)


@given(_WORDS)
def test_every_spelling_is_one_slip_away(word: str) -> None:
    assert all(OSA.distance(word, spelling) == 1 for spelling in spellings(word))


@given(_WORDS, _WORDS)
def test_every_word_that_is_one_slip_away_is_a_spelling(word: str, other: str) -> None:
    assert (other in set(spellings(word))) == (OSA.distance(word, other) == 1)


def test_a_candidate_is_long_enough_and_can_be_a_name() -> None:
    assert "ibarrola" in candidates("ibarola")
    assert "rosa" in candidates("roza")  # common, and a name
    assert not {form for form in candidates("anaa") if len(form) < 4}
    assert not {form for form in candidates("pedidio") if lexicon.is_common(form) and not lexicon.is_person_name(form)}


@pytest.mark.parametrize(
    ("text", "reading", "words"),
    [
        pytest.param("¿y otoneil?", Reading.QUESTION, ["otoneil"], id="in the question any word"),
        pytest.param("fue otoneil ayer", Reading.TEXT, [], id="elsewhere not a word written small"),
        pytest.param("dijo Otoneil ayer", Reading.TEXT, ["otoneil"], id="elsewhere a capital"),
        pytest.param("dile a otoneil", Reading.TEXT, ["otoneil"], id="elsewhere a cue"),
        pytest.param("otoneil ibarrola", Reading.TEXT, ["otoneil"], id="elsewhere a name beside it"),
        pytest.param("dijo McAlizter ayer", Reading.TEXT, ["mcalizter"], id="elsewhere camel case, as one"),
        pytest.param("¿y Marta?", Reading.QUESTION, [], id="a name of its own"),
        pytest.param("¿y el pedido?", Reading.QUESTION, [], id="a common word"),
        pytest.param("¿y Oti?", Reading.QUESTION, [], id="three letters"),
        pytest.param("¿y Otoniel?", Reading.QUESTION, [], id="spelt right"),
    ],
)
def test_only_a_word_that_nothing_else_explains_is_doubtful(text: str, reading: Reading, words: list[str]) -> None:
    assert doubtful(Text(text), OTONIEL, reading) == words


def test_few_words_of_a_long_text_are_looked_up_again() -> None:
    assert len(doubtful(Text(" ".join(f"Xq{letter}zvw" for letter in "abcdefghijklmnopqrst")), Index(), Reading.QUESTION)) == 12


@pytest.mark.parametrize("written", ["Otoneil Ibarola", "otoniel ibarrolla", "OTONIEL IBAROLA", "Ibarrolo"])
async def test_a_misspelt_name_is_understood_and_marked_so(house: House, written: str) -> None:
    answer = await house.ask(f"¿qué pasó con {written}?")
    assert house.question == "¿qué pasó con C-1?"
    (mark,) = (await house.turns.messages(ADMIN, answer["thread_id"]))[0]["marks"]
    assert mark["fuzzy"]
    assert mark["ids"] == [3]


async def test_a_misspelt_name_of_somebody_hidden_is_nobodys(house: House) -> None:
    await house.ask("¿qué pasó con Huenchuman Maria y Henchumán?", actor=AGENT_OF_SALES)
    assert "C-" not in house.question
    assert "enchum" not in house.question.lower()


@pytest.mark.parametrize(
    ("word", "form", "alike"),
    [
        pytest.param("echeverria", "echeverria", True, id="itself"),
        pytest.param("echeberia", "echeverria", True, id="another letter and one too few"),
        pytest.param("etxevarria", "echeverria", False, id="three"),
        pytest.param("montenegra", "montenegro", True, id="one"),
    ],
)
def test_a_long_word_is_like_a_name_that_is_two_slips_away(word: str, form: str, alike: bool) -> None:
    assert is_alike(word, form) is alike


def test_a_common_word_is_no_name_however_like_it_a_word_is() -> None:
    assert not is_alike("restaurnate", "restaurante")


@pytest.mark.parametrize("written", ["Huenxhumam", "Huenchmuann", "HUENCHHUNAN"])
async def test_a_long_name_may_be_misspelt_twice(house: House, written: str) -> None:
    await house.ask(f"¿qué pasó con {written}?")
    assert house.question == "¿qué pasó con C-1?"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("guía MUFP850101 de Xqletzvw85", id="letters beside digits"),
        pytest.param("escribe a Otoneil@correo.example", id="an e-mail, which is masked as a whole"),
    ],
)
def test_letters_of_a_code_or_an_address_are_no_misspelt_name(text: str) -> None:
    assert doubtful(Text(text), OTONIEL, Reading.TEXT) == []
