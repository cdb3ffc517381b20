"""What a reply says while it comes: its blocks join to what is stored, for every way of cutting it (law 7)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from assistant import speech
from assistant.model.reply import LONGEST
from assistant.speech import Speech, restored, stored
from tests.veil.people import live, thread_of
from veil.text import Marked
from veil.thread import Entry, State
from veil.tokens import Entity, EntityId, Kind, Token
from veil.unveiling import Card, Piece, draw, filled

IAN, RITA = Entity(Kind.CONTACT, EntityId(7)), Entity(Kind.CONTACT, EntityId(8))
THREAD = thread_of(live(IAN, 1), live(RITA, 12))
THREAD.add([Entry(Token("X", 1), State.LITERAL, literal="C-1")])
CARDS = {IAN: Card("Ian Roa", True, {"phone": "+56955501234"}), RITA: Card("Rita Q.", False)}
PARTS = st.sampled_from(
    ["C-1", "C-12", "C-1.phone", "C-1.phon", "X-1", "C-99", "C", "-", "1", "c‑1", "**C-1**", "C-1|C-12", " ", "\n", "\t", "hola", "https://x.example/C-1", "[a](C-1)", ".", "ñ😀"]
)  # fmt: skip


async def spoken(chunks: Sequence[str], *, cut: bool = False) -> tuple[list[list[Piece]], list[Piece]]:
    """The blocks that are given on, and all pieces."""
    blocks: list[list[Piece]] = []
    said = Speech(THREAD, lambda block: blocks.append([*block]))
    for chunk in chunks:
        await said.hear(chunk)
    return blocks, said.close(cut=cut, instead="…")


def drawn(pieces: Sequence[Piece]) -> tuple[str, list[Any]]:
    """What a reader sees of pieces."""
    shown = draw(filled([restored(stored(piece)) for piece in pieces], CARDS, ""), CARDS, "[borrado]")
    return shown.text.text, [*shown.marks]


@given(st.lists(PARTS, max_size=9).map("".join), st.lists(st.integers(0, 80), max_size=6), st.booleans())
def test_the_blocks_of_every_cut_join_to_the_stored_answer(text: str, cuts: list[int], broken: bool) -> None:
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    blocks, pieces = asyncio.run(spoken([text[start:end] for start, end in pairwise(places)], cut=broken))
    _, whole = asyncio.run(spoken([text], cut=broken))
    _, single = asyncio.run(spoken([*text], cut=broken))
    joined = "".join(drawn(block)[0] for block in blocks)
    assert joined == drawn(pieces)[0] == drawn(whole)[0] == drawn(single)[0]
    assert drawn(pieces)[1] == drawn(whole)[1] == drawn(single)[1]
    assert [piece for block in blocks for piece in block] == pieces


@given(st.lists(PARTS, max_size=9).map("".join))
def test_the_stored_answer_has_no_white_space_around_it(text: str) -> None:
    _, pieces = asyncio.run(spoken([*text]))
    answer: Marked = filled(pieces, CARDS, "")
    assert answer.clear.text == answer.clear.text.strip()
    assert answer.clear.text == filled(asyncio.run(spoken([text.strip()]))[1], CARDS, "").clear.text


async def test_the_first_block_goes_at_once_and_the_next_ones_together() -> None:
    blocks: list[Sequence[Piece]] = []
    said = Speech(THREAD, blocks.append)
    for word in ("uno ", "dos ", "tres ", "cuatro"):
        await said.hear(word)
    assert blocks == [["uno"]]
    await asyncio.sleep(2 * speech.BLOCK)
    assert blocks == [["uno"], [" dos tres cuatro"]]
    assert said.close(cut=False) == ["uno", " dos tres cuatro"]
    assert len(blocks) == 2


async def test_nothing_said_is_answered_with_a_sentence_of_ours() -> None:
    assert (await spoken([" ", "\n"]))[1] == ["…"]
    assert (await spoken([]))[0] == [["…"]]


async def test_a_token_that_touches_a_cut_end_stays_as_it_was_written() -> None:
    assert "".join(map(str, (await spoken(["debe C-1"], cut=True))[1])) == "debe C-1"
    assert drawn((await spoken(["debe C-1"]))[1])[0] == "debe Ian Roa"


async def test_an_answer_without_end_is_read_so_far_and_no_further() -> None:
    said = Speech(THREAD, lambda block: None)
    for _ in range(LONGEST // 1_000 + 2):
        await said.hear("x" * 1_000)
    assert said.too_long
    assert "".join(map(str, said.close(cut=True))) == "x" * LONGEST


async def test_tokens_that_stand_for_nothing_are_known_at_the_end() -> None:
    said = Speech(THREAD, lambda block: None)
    await said.hear("C-99 y C-1 y U-4.")
    said.close(cut=False)
    assert [str(token) for token in said.unknown] == ["C-99", "U-4"]
