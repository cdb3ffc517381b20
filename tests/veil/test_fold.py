"""Folding gives one spelling to all the ways to write a word, leads back to the text's own offsets, and agrees with the SQL."""

from __future__ import annotations

import random
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.house import House
from veil.fold import fold, name_words, words


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("MARÍA", "maria"),
        ("mari\u0301a", "maria"),
        ("Ñuñoa", "nunoa"),
        ("Wałęsa", "walesa"),
        ("Søren Ægir", "soren aegir"),
        ("Straße", "strasse"),
        ("STRAẞE", "strasse"),
        ("Þór Đặng", "thor dang"),
        ("ＭＡＲＩＡ", "maria"),
        ("ﬁna", "fina"),
        ("İnci ılık", "inci ilik"),
        ("Ma\u200bri\u00ada", "maria"),
        ("Νίκος ΝΊΚΟΣ", "νικοσ νικοσ"),
        ("Ёлка", "елка"),
        ("김철수", "김철수"),
        ("", ""),
    ],
)
def test_every_way_to_write_a_word_folds_to_one_spelling(written: str, folded: str) -> None:
    assert fold(written) == folded


@given(st.text(max_size=30))
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text(max_size=30))
def test_both_normal_forms_fold_alike(text: str) -> None:
    hangul = any("\u1100" <= character <= "\u11ff" or "\uac00" <= character <= "\ud7ff" for character in unicodedata.normalize("NFD", text))
    if not hangul:  # names hold composed syllables; a text in single jamo is not searched for
        assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("María del Carmen", ("maria", "del", "carmen")),
        ("O'Higgins-Pérez", ("o", "higgins", "perez")),
        ("López, María (vip) 2", ("lopez", "maria", "vip")),
        ("maria_lopez7x", ("maria", "lopez", "x")),
        ("McDonald", ("mcdonald",)),
        ("王小明", ("王", "小", "明")),
        ("...", ()),
    ],
)
def test_a_name_is_cut_into_runs_of_letters(name: str, expected: tuple[str, ...]) -> None:
    assert name_words(name) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MaríaLópez", ["María", "López"]),
        ("mariaLopez", ["maria", "Lopez"]),
        ("pedido77Ana_x", ["pedido", "Ana", "x"]),
        ("ANA", ["ANA"]),
        ("ANAMaría", ["ANA", "María"]),
        ("Mar%C3%ADa%20L", ["Mar%C3%ADa", "L"]),
        ("Mar&iacute;a", ["Mar&iacute;a"]),
        ("Mar&#237;a", ["Mar&#237;a"]),
        ("a&amp;b", ["a", "b"]),
        ("100%Ana", ["Ana"]),
        ("Mari\u0301a!", ["Mari\u0301a"]),
        ("Ma\u200bría", ["Ma", "ría"]),
        ("联系Ana吧", ["联", "系", "Ana", "吧"]),
        ("ﬁna", ["ﬁna"]),
    ],
)
def test_the_words_of_a_text_stand_where_they_are_written(text: str, expected: list[str]) -> None:
    assert [text[word.start : word.end] for word in words(text)] == expected


def test_a_word_knows_how_it_was_written() -> None:
    found = words("Ana LUZ rosa MaríaX")
    assert [(word.form, word.upper, word.capitals, word.glued) for word in found] == [
        ("ana", True, False, False),
        ("luz", True, True, False),
        ("rosa", False, False, False),
        ("maria", True, False, False),
        ("x", True, False, True),
    ]


@given(st.text(max_size=40))
def test_offsets_lead_back_to_the_text(text: str) -> None:
    end = 0
    for word in words(text):
        assert end <= word.start < word.end <= len(text)
        end = word.start
        assert word.form


@given(st.text(alphabet="aáÁñÑ ßøxyz王\u0301\u200b-_7", max_size=30))
def test_a_word_of_a_text_folds_to_its_form(text: str) -> None:
    assert all(fold(text[word.start : word.end]) == word.form for word in words(text))


# --- SQL -------------------------------------------------------------------------------------------------------------------------------------


def _texts(count: int) -> list[str]:
    """Random texts over all planes, many of them of letters and marks; no NUL (Postgres) and nothing newer than the SQL's tables."""
    throw = random.Random(20)
    ranges = [
        (0x20, 0x17F),
        (0x300, 0x36F),
        (0x370, 0x52F),
        (0x1E00, 0x1FFF),
        (0x2000, 0x2070),
        (0xAC00, 0xD7A3),
        (0x4E00, 0x9FFF),
        (0xFB00, 0xFFEF),
        (0xE0000, 0xE007F),
    ]

    def character() -> str:
        return chr(throw.randint(*throw.choice(ranges)))

    texts = ["".join(character() for _ in range(throw.randint(1, 12))) for _ in range(count)]
    return [text for text in texts if all(unicodedata.category(letter) != "Cn" for letter in text)]


async def test_sql_and_python_agree_on_whole_texts(house: House) -> None:
    texts = _texts(2_000)
    rows = await house.sql("SELECT t, crm.fold(t) AS folded, crm.words(t) AS words FROM unnest($1::text[]) AS t", texts)
    assert len(rows) == len(texts) > 500
    different = [row["t"] for row in rows if tuple(row["words"]) != name_words(row["t"])]
    assert different == []
