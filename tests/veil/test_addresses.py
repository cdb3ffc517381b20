"""Where nothing may be put in: inside a URL, an image or a link target, told from what stands to the left."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veil.addresses import Context


def closed_after(*pieces: str) -> bool:
    """Whether nothing may be put in behind these pieces."""
    context = Context()
    for piece in pieces:
        context.push(piece)
    return context.closed


@pytest.mark.parametrize(
    "left",
    [
        "https://evil.example/?d=", "mailto:", "javascript:", "data:text/plain,", "//evil.example?", "www.evil.example?", "evil.example/?d=", "evil.example#", "evil.example:80?", "tel:y",
        "![", "![ok](", "[ok](", "[ok](<", "[ok](a(b)", '[ok](x "', "[r]: ", "[r]:", "[r]: <", "![ok][", '<a href="', "<img src='", "<https://evil.example/", "![a\nb", "[r]:\n", "hoy [ok](",
        "[r]: \t", "**[ok](", "https://x.example/?\u00a0", "www.x.example/\u2028", "//x.example/\x0c", "https://x.example/\u3000a", "[r]: x\u00a0", "[![a](b)](",
    ],
)  # fmt: skip
def test_nothing_is_put_into_what_is_open(left: str) -> None:
    assert closed_after(left)


@pytest.mark.parametrize(
    "left",
    [
        "", "hola ", "https://x.example ", "https://x.example\n", "[ok](x) ", "[ok](a(b)) ", "![ok](x) ", "[r]: x ", "[r]: https://x.example\n", "[ok] ", "[", "(", "nota: ", "a.b ", "10:30 ",
        "![sin cerrar\n\n", "![sin cerrar\r\n\r\n", "![sin cerrar\n  \n", "[ok](sin cerrar\n", "[r]:\n\n", "[r]:\n \n", "C-7:", "C-7: ", "¡ojo! [", "!", "]", "a](b) ",
    ],
)  # fmt: skip
def test_what_is_closed_again_is_open_text(left: str) -> None:
    assert not closed_after(left)


_PIECES = [
    "![",
    "[",
    "]",
    "(",
    ")",
    "](",
    "]:",
    ":",
    " ",
    "\n",
    "\r\n",
    "\n\n",
    "x",
    "C-7",
    "https://",
    "www.",
    "a.example/",
    "href=",
    "!",
    "\t",
    "\u00a0",
    "ñ",
]


@given(st.lists(st.sampled_from(_PIECES), max_size=20).map("".join), st.lists(st.integers(0, 60), max_size=6))
def test_it_does_not_matter_in_which_pieces_the_text_comes_nor_who_asked_in_between(text: str, cuts: list[int]) -> None:
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    asked = Context()
    for start, end in pairwise(places):
        asked.push(text[start:end])
        assert asked.closed == closed_after(text[:end])
    assert closed_after(*text) == closed_after(text)
