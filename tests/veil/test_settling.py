"""Renderings are kept apart from their neighbours: a veiled text is read back as the tokens that its marks write (law 6)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veil import settling
from veil.settling import settled
from veil.text import Clear, Mark, Marked, Source
from veil.tokens import find

CODE = "[código]"


def veiled(text: str, *renderings: tuple[str, str]) -> str:
    """The text with the first place of each surface rendered, settled."""
    marks = [Mark(text.index(surface), text.index(surface) + len(surface), to, Source.NAME) for surface, to in renderings]
    return Marked.of(Clear(text), settled(text, marks, CODE), "v").veiled().text


@pytest.mark.parametrize(
    ("text", "renderings", "expected"),
    [
        pytest.param("con María ayer", [("María", "C-1")], "con C-1 ayer", id="alone: as it is"),
        pytest.param("(María)", [("María", "C-1")], "(C-1)", id="punctuation does not join"),
        pytest.param("María5", [("María", "C-2")], " C-2 5", id="a digit would make another number"),
        pytest.param("xMaría", [("María", "C-1")], "x C-1 ", id="a letter would hide it"),
        pytest.param("C-1Pedro", [("Pedro", "[nombre 1]")], "[código][nombre 1]", id="a look-alike that was glued to a name"),
        pytest.param("PedroC-1", [("Pedro", "[nombre 1]")], "[nombre 1][código]", id="a look-alike behind a name"),
        pytest.param("C-1 y María", [("María", "C-2")], "[código] y C-2", id="a token that no mark writes"),
        pytest.param("x.example/C-1 María", [("María", "C-2")], "x.example/C-1 C-2", id="inside an address, where none is ever read"),
    ],
)
def test_a_rendering_does_not_become_another_token_with_its_neighbours(text: str, renderings: list[tuple[str, str]], expected: str) -> None:
    assert veiled(text, *renderings) == expected


def test_what_a_text_that_has_left_showed_stays() -> None:
    mark = Mark(6, 11, "[nombre]", Source.NAME, late=True)
    marks = settled("C-1 y María", [mark], CODE, sent=())
    assert Marked.of(Clear("C-1 y María"), marks, "v").veiled().text == "C-1 y [nombre]"


_PIECES = st.sampled_from(["C", "-", "7", "C-7", " ", "x", "_", ".", "|", "/", "ñ"])


@given(st.lists(_PIECES, max_size=4), st.lists(_PIECES, max_size=4), st.sampled_from(["C-1", "[nombre 1]", "[teléfono]", "C-1|C-2", "C-1.phone", ""]))
def test_every_token_of_the_veiled_text_is_of_its_rendering(before: list[str], behind: list[str], rendering: str) -> None:
    left, right = "".join(before), "".join(behind)
    text = f"{left}Ñuñoa{right}"
    mark = Mark(len(left), len(left) + 5, rendering, Source.NAME)
    marked = Marked.of(Clear(text), settled(text, [mark], CODE), "v")
    assert {found.token for found in find(marked.veiled().text)} <= {found.token for found in find(rendering, anywhere=True)}


_BESIDE = st.sampled_from(["", "C", "-", "7", " ", "\n", "x", ".", "|", "(", ")", ",", "?", "@", "\u200b", "C-7", "[x]: ", "https://x.example/"])


@given(st.lists(st.tuples(_BESIDE, st.sampled_from(["C-1", "[nombre 1]", "C-1|C-2", "C-1.phone"])), min_size=1, max_size=4), _BESIDE)
def test_the_quick_look_that_nothing_meets_is_never_wrong(pieces: list[tuple[str, str]], end: str) -> None:
    text, marks = "", []
    for beside, rendering in pieces:
        text += beside
        marks.append(Mark(len(text), len(text) + 3, rendering, Source.NAME))
        text += "Ñuñ"
    text += end
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(settling, "_stand_apart", lambda text, marks: False)
        slowly = settled(text, marks, CODE)
    assert settled(text, marks, CODE) == slowly


@pytest.mark.parametrize(
    "dash",
    [
        *"-\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d",
        "\\-",
        "\\u002d",
        "\\u2013",
        "&#45;",
        "&#x2010;",
        "&#8211;",
        "&ndash;",
        "&minus;",
        " - ",
        "\u00a0-",
        "  &hyphen; ",
    ],
)
def test_a_token_is_covered_however_its_dash_is_written(dash: str) -> None:
    assert find(f"C{dash}7")
    assert veiled(f"¿C{dash}7?") == f"¿{CODE}?"


@given(st.lists(_PIECES, max_size=9).map("".join))
def test_a_text_without_marks_shows_no_token_either(text: str) -> None:
    assert find(veiled(text)) == []
