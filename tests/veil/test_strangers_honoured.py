"""People whom a Japanese or Korean title shows."""

from __future__ import annotations

import pytest

from tests.veil.people import contacts, shown

PEOPLE = contacts("山田太郎", "김민수")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("dile a 山田さん que sí", "dile a <?>さん que sí", id="a surname"),
        pytest.param("今日は太郎さんから電話", "今日は<?>さんから電話", id="a given name, among words"),
        pytest.param("田中様へ", "<?>様へ", id="somebody unknown"),
        pytest.param("llamó 민수 씨 ayer", "llamó <?> 씨 ayer", id="Korean, with a space"),
        pytest.param("민수씨가 전화했어요", "<?>씨가 전화했어요", id="Korean, without"),
        pytest.param("김민수님", "<2>님", id="a whole name"),
        pytest.param("山田太郎さん", "<1>さん", id="a whole name in Japanese"),
    ],
)
def test_a_title_of_another_script_shows_a_person(text: str, expected: str) -> None:
    assert shown(text, PEOPLE) == expected


@pytest.mark.parametrize("text", ["お客さんに電話", "皆さん", "製品仕様", "模様替え", "고객님 안녕하세요", "날씨 좋아요", "아저씨"])
def test_customers_and_words_that_end_like_a_title_are_nobody(text: str) -> None:
    assert shown(text, PEOPLE) == text
