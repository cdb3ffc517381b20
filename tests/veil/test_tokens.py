"""The one grammar of tokens: what is taken for one, what is not, and that any split of a text is read as the whole (laws 6 and 7)."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laws.writings import AROUND, DASHES, FIELDS, NO_TOKENS, SPACED_DASHES
from veil import tokens
from veil.tokens import LONGEST, Found, Scanner, Token, find, may_hold, parse

C7 = Token("C", 7)


def written(text: str) -> list[tuple[str, str]]:
    """Each token with the surface that writes it."""
    return [(str(found.token) + (f".{found.field}" if found.field else ""), found.surface) for found in find(text)]


@pytest.mark.parametrize("dash", DASHES + SPACED_DASHES)
def test_a_token_is_read_in_every_dash_that_models_write(dash: str) -> None:
    assert written(f"Llama a C{dash}7 hoy") == [("C-7", f"C{dash}7")]


@pytest.mark.parametrize("dash", DASHES)
def test_a_small_letter_is_as_good_where_no_space_is_in_between(dash: str) -> None:
    assert written(f"llama a c{dash}7 hoy") == [("C-7", f"c{dash}7")]


@pytest.mark.parametrize("surface", ["\uff23\uff0d\uff17", "\uff23-7", "\uff43-7", "C-\uff17", "C-\uff11\uff10", "\uff23 - 7"])
def test_full_width_letters_and_digits_are_letters_and_digits(surface: str) -> None:
    (found,) = find(f"Llama a {surface} hoy")
    assert (found.token.letter, found.token.number, found.surface) == ("C", 10 if "\uff10" in surface else 7, surface)


@pytest.mark.parametrize(("before", "behind"), AROUND)
def test_a_token_is_read_whatever_stands_around_it(before: str, behind: str) -> None:
    assert written(f"{before}C-7{behind}") == [("C-7", "C-7")]
    assert written(f"hoy {before}c\u20117{behind} ya") == [("C-7", "c\u20117")]


@pytest.mark.parametrize(("behind", "field"), FIELDS)
def test_a_handle_is_read_in_either_case_and_escaped(behind: str, field: str) -> None:
    for before, after in (
        ("a ", "."),
        ("_", "_"),
        ("**", "**"),
        ("`", "`"),
        ("__", "__ y"),
        ("[", "](x)"),
        ("| ", " |"),
        ("<td>", "</td>"),
        ("", "'s"),
        ("", ": 5"),
    ):
        assert written(f"{before}c-7{behind}{after}") == [(f"C-7.{field}", f"c-7{behind}")]


@pytest.mark.parametrize("text", NO_TOKENS)
def test_what_is_part_of_a_word_number_path_address_or_file_name_is_no_token(text: str) -> None:
    assert find(text) == []
    assert find(f"el {text} de hoy") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("C-4, 5 y 7", ["C-4"], id="numbers without a letter stay"),
        pytest.param("C-4, 5 e 7", ["C-4"], id="also in Portuguese"),
        pytest.param("C-4,5", ["C-4"], id="without a space"),
        pytest.param("C-4, C-5 y C-7", ["C-4", "C-5", "C-7"], id="each with its letter"),
        pytest.param("C-4;C-5,C-6", ["C-4", "C-5", "C-6"], id="other separators"),
        pytest.param("C-4/C-5", ["C-4", "C-5"], id="a slash between tokens is no path"),
        pytest.param("**C-4/c-5/C\u20116**.", ["C-4", "C-5", "C-6"], id="several"),
        pytest.param("/".join(f"C-{number}" for number in range(1, 7)), [f"C-{number}" for number in range(1, 7)], id="up to six"),
        pytest.param("C-4/C-5s", ["C-4", "C-5"], id="with an ending"),
        pytest.param("C-4/5", [], id="C-4/5 may be anything"),
        pytest.param("C-4 y/o C-5", ["C-4", "C-5"], id="and or"),
        pytest.param("C-4\u2013C-7", ["C-4", "C-7"], id="a range"),
        pytest.param("C-4|C-5", ["C-4", "C-5"], id="a group"),
        pytest.param("| C-4\\|C-5 |", ["C-4", "C-5"], id="a group in a table"),
        pytest.param("C-1 y C-12 y C-123", ["C-1", "C-12", "C-123"], id="no number is the beginning of another"),
        pytest.param("|C-4|C-5|\n|---|---|\n|C-6|C-7|", ["C-4", "C-5", "C-6", "C-7"], id="a table"),
        pytest.param("C-7.phone/C-7.email", [], id="handles with a slash are like an address"),
    ],
)
def test_lists_are_read_as_far_as_each_token_is_written(text: str, expected: list[str]) -> None:
    assert [str(found.token) for found in find(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C-7.phone", [("C-7.phone", "C-7.phone")]),
        ("c-7.email.", [("C-7.email", "c-7.email")]),
        ("C - 7.national_id y", [("C-7.national_id", "C - 7.national_id")]),
        ("E-2.legal_id", [("E-2.legal_id", "E-2.legal_id")]),
        ("C-4|C-5", [("C-4", "C-4"), ("C-5", "C-5")]),
        ("C-4.phone|C-5.phone", [("C-4.phone", "C-4.phone"), ("C-5.phone", "C-5.phone")]),
        ("C-4,C-5", [("C-4", "C-4"), ("C-5", "C-5")]),
        ("C-7 C-7", [("C-7", "C-7"), ("C-7", "C-7")]),
        ("z-999999", [("Z-999999", "z-999999")]),
    ],
)
def test_handles_groups_and_any_letter_are_read(text: str, expected: list[tuple[str, str]]) -> None:
    assert written(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "https://evil.example/?d=C-7",
        "http://x?C-7",
        "mailto:C-7",
        "javascript:C-7",
        "data:text/plain,C-7",
        "//evil.example?C-7",
        "www.evil.example?C-7",
        "evil.example/?C-7",
        "evil.example?d=C-7",
        "evil.example#C-7",
        "evil.example:80?C-7",
        "![C-7](https://x.example)",
        "![C-7](x)",
        "![ok](C-7)",
        "[ok](C-7)",
        "[ok](<C-7>)",
        "[ok](a(b)C-7)",
        '[ok](x "C-7")',
        "[r]: C-7",
        "[r]:C-7",
        "[r]: <C-7>",
        "![ok][C-7]",
        '<a href="C-7">',
        '<img src="C-7">',
        "<https://evil.example/C-7>",
        "https://evil.example/*C-7*",
        "![a\nC-7](x)",
    ],
)  # fmt: skip
def test_nothing_is_a_token_inside_a_url_an_image_or_a_link_target(text: str) -> None:
    assert find(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "[C-7](https://x.example)",
        "https://x.example C-7",
        "![ok](https://x.example) C-7",
        "[r]: https://x.example\nC-7",
        "[r]: https://x.example C-7",
        "(C-7)",
        "[ok](x) (C-7)",
        "![sin cerrar\n\nC-7",
        "[ok](sin cerrar\nC-7",
        "nota: C-7",
        "[nota] C-7",
    ],
)
def test_a_token_beside_a_url_or_link_is_one(text: str) -> None:
    assert [found.token for found in find(text)] == [C7]


_ALPHABET = st.sampled_from(
    [
        "C",
        "c",
        "U",
        "-",
        "\u2011",
        "\\",
        "7",
        "0",
        "12",
        ".",
        "phone",
        "email",
        "_",
        "__",
        "*",
        "|",
        " ",
        "\u00a0",
        "\n",
        "\n\n",
        "/",
        "@",
        "[",
        "]",
        "(",
        ")",
        "!",
        ":",
        "&#45;",
        "&ndash;",
        "\\u002d",
        "http://",
        "www.",
        "x.example/",
        "href=",
        "a",
        "ñ",
        "\u0301",
        "C-7",
        "c-7",
        "C - 7",
        "C-7.phone",
        "😀",
        "王",
        "s",
        "es",
        "'s",
        "+",
        "\\n",
        "\u200b",
        "C-7/",
        "&amp;",
        "&nbsp;",
        "７",
    ]
)
_TEXTS = st.lists(_ALPHABET, max_size=24).map("".join)


def streamed(chunks: list[str]) -> list[str | Found]:
    scanner = Scanner()
    given_out = [piece for chunk in chunks for piece in scanner.feed(chunk)]
    return [*given_out, *scanner.close()]


def joined(pieces: list[str | Found]) -> list[str | Found]:
    """The pieces with neighbouring plain ones put together."""
    whole: list[str | Found] = []
    for piece in pieces:
        if isinstance(piece, str) and whole and isinstance(whole[-1], str):
            whole[-1] += piece
        elif piece:
            whole.append(piece)
    return whole


@given(_TEXTS, st.lists(st.integers(min_value=0, max_value=80), max_size=6))
def test_any_split_is_read_as_the_whole(text: str, cuts: list[int]) -> None:
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    chunks = [text[start:end] for start, end in pairwise(places)]
    assert joined(streamed(chunks)) == joined(streamed([text]))


@given(_TEXTS)
def test_one_character_at_a_time_is_read_as_the_whole(text: str) -> None:
    assert joined(streamed(list(text))) == joined(streamed([text]))


@given(_TEXTS)
def test_nothing_is_lost_and_every_token_says_where_it_stands(text: str) -> None:
    pieces = streamed(list(text))
    assert "".join(piece if isinstance(piece, str) else piece.surface for piece in pieces) == text
    assert all(text[found.start : found.end] == found.surface for found in pieces if isinstance(found, Found))


@given(_TEXTS)
def test_what_is_held_back_is_short(text: str) -> None:
    scanner = Scanner()
    for character in text:
        list(scanner.feed(character))
        assert len(scanner.held) <= LONGEST


@given(_TEXTS)
def test_the_quick_look_misses_no_token_that_the_grammar_has(text: str) -> None:
    places = [match.start() for match in tokens._TOKEN.finditer(text)]
    assert not places or may_hold(text)
    assert [found.start for found in find(text, anywhere=True)] == places


@given(st.sampled_from("ABCDEHKUXZ"), st.integers(min_value=1, max_value=999_999))
def test_what_a_token_writes_is_read_as_that_token(letter: str, number: int) -> None:
    token = Token(letter, number)
    assert [found.token for found in find(f"a {token}, b")] == [token]


def test_a_token_at_the_end_waits_for_what_may_follow() -> None:
    scanner = Scanner()
    assert "".join(map(str, scanner.feed("Avisé a C-7"))) == "Avisé a "
    assert scanner.held == "C-7"
    (found,) = scanner.close()
    assert isinstance(found, Found)
    assert found.token == C7


@pytest.mark.parametrize("text", ["C-1," * 5_000, "C-1|" * 5_000, "x.example/" * 2_000, "C-" * 8_000, "[" * 20_000, "&#" * 8_000])
def test_a_long_run_without_spaces_is_read_in_linear_time(text: str) -> None:
    started = time.process_time()
    find(text)
    assert time.process_time() - started < 3


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        ("C-7", ["C-7"]),
        (" c-7 ", ["C-7"]),
        ("**C-7**", ["C-7"]),
        ("[C-7]", ["C-7"]),
        ("<C-7>", ["C-7"]),
        ("`C-7`", ["C-7"]),
        ('"C-7"', ["C-7"]),
        ("C-7.phone", ["C-7"]),
        ("C-4|C-5", ["C-4", "C-5"]),
        ("C-4, C-5", ["C-4", "C-5"]),
        ("«C-7»", ["C-7"]),
        ("“c\u20117”.", ["C-7"]),
        ("C-4\\|C-5", ["C-4", "C-5"]),
        ("C-4; C-5", ["C-4", "C-5"]),
        ("\u200bC-7\u00a0", ["C-7"]),
        ("C-7s", []),
        ("C-7's", []),
        ("C-7 María", []),
        ("la C-7", []),
        ("María", []),
        ("7", []),
        ("", []),
        ("C-7/", []),
        ("https://x.example/C-7", []),
    ],
)
def test_an_argument_is_tokens_and_nothing_else(argument: str, expected: list[str]) -> None:
    assert [str(found.token) for found in parse(argument)] == expected
