"""The bits of a word say the same as the tables."""

from __future__ import annotations

import pytest

from veil import lexicon, traits


@pytest.mark.parametrize(
    "word", ["rosa", "santiago", "abril", "pereira", "de", "sra", "pepe", "casa", "xqzwv", "san", "diego", "calle", "depto", "hola", "termo"]
)
def test_traits_and_tables_agree(word: str) -> None:
    trait = traits.of(word)
    assert bool(trait & traits.COMMON) == lexicon.is_common(word)
    assert bool(trait & traits.NAME) == lexicon.is_person_name(word)
    assert bool(trait & traits.MONTH) == lexicon.is_month(word)
    assert bool(trait & traits.PLACE) == lexicon.is_place(word)
    assert bool(trait & traits.PARTICLE) == (word in lexicon.PARTICLES)
    assert bool(trait & traits.TITLE) == (word in lexicon.TITLES)
    assert bool(trait & traits.NICKNAME) == (word in lexicon.NICKNAMES)
    assert bool(trait & traits.STREET) == (word in lexicon.STREET_WORDS)
    assert bool(trait & traits.ADDRESS_PART) == (word in lexicon.ADDRESS_PARTS)
    assert bool(trait & traits.GOODS) == (word in lexicon.GOODS)


def test_every_cue_ends_in_a_word_that_says_so() -> None:
    for cues in (traits.PERSON_CUES, traits.NAMING_CUES, traits.COMPANY_CUES, traits.THING_CUES, traits.ADDRESS_CUES, traits.PLACE_CUES):
        assert all(traits.of(cue[-1]) & cues.bit for cue in cues.phrases)


def test_what_says_whose_name_follows_is_a_cue_before_a_person() -> None:
    assert lexicon.NAMING_CUES <= lexicon.PERSON_CUES | lexicon.TITLE_CUES
