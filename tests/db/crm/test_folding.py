"""Folding in SQL: one spelling for all ways to write a name, the same as in Python, on every locale."""

from __future__ import annotations

import unicodedata

import pytest
import regex

from db.pool import Database
from veil.fold import fold, name_words

FOLDED = [
    ("María JOSÉ", "maria jose"),
    ("Mari\u0301a", "maria"),
    ("Ñandú", "nandu"),
    ("Łódź", "lodz"),
    ("Straße", "strasse"),
    ("ŒUVRE Ærø", "oeuvre aero"),
    ("Þór Ðan", "thor dan"),
    ("Diyarbakır İzmir", "diyarbakir izmir"),
    ("ＭＡＲＩＡ", "maria"),
    ("Ma\u200bri\u00ada\ufeff", "maria"),
    ("ΟΔΥΣΣΕΥΣ", "οδυσσευσ"),
    ("ЁЛКА", "елка"),
    ("ﬁesta", "fiesta"),
    ("", ""),
]

WORDS = [
    ("Bernardo O'Higgins", ["bernardo", "o", "higgins"]),
    ("Jean-Paul  de la Peña", ["jean", "paul", "de", "la", "pena"]),
    ("ana_maria99x", ["ana", "maria", "x"]),
    ("S.A. (Chile)", ["s", "a", "chile"]),
    ("王小明", ["王", "小", "明"]),
    ("김철수", ["김", "철", "수"]),
    ("Ana 王", ["ana", "王"]),
    ("สมชาย", ["ส", "ม", "ช", "า", "ย"]),
    ("— 42 —", []),
]


@pytest.mark.parametrize(("written", "folded"), FOLDED)
async def test_a_name_folds_to_its_one_spelling(demo: Database, written: str, folded: str) -> None:
    async with demo.plain() as connection:
        assert await connection.fetchval("SELECT crm.fold($1)", written) == folded
        assert await connection.fetchval("SELECT crm.fold(crm.fold($1))", written) == folded
    assert fold(written) == folded


@pytest.mark.parametrize(("written", "words"), WORDS)
async def test_a_name_is_cut_into_words(demo: Database, written: str, words: list[str]) -> None:
    async with demo.plain() as connection:
        assert await connection.fetchval("SELECT crm.words($1)", written) == words
    assert list(name_words(written)) == words


#: Digits and signs of scripts without spaces, which Python takes for words as well: that masks more, never less.
UNSPACED_SIGNS = regex.compile(r"[[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]--[\p{L}\p{M}]]", regex.VERSION1)


async def test_sql_and_python_cut_every_letter_the_same_way(demo: Database) -> None:
    """All assigned characters, but only every thirtieth of the huge scripts that behave alike."""
    letters = [chr(code) for code in range(1, 0x20000) if unicodedata.category(chr(code)) not in ("Cn", "Cs", "Co")]
    huge = [letter for letter in letters if "\u3400" <= letter <= "\ud7a3" or letter >= "\U00012000"]
    tested = [*sorted(set(letters) - set(huge)), *huge[::30]]
    written = [f"a{letter}b" for letter in tested if not UNSPACED_SIGNS.match(letter)]
    query = "SELECT written, crm.words(written) AS words FROM unnest($1::text[]) AS written"
    async with demo.plain() as connection:
        rows = await connection.fetch(query, written)
    assert len(rows) > 15_000
    assert [row["written"] for row in rows if tuple(row["words"]) != name_words(row["written"])] == []
