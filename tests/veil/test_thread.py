"""What a thread knows: whom its tokens stand for now, and the words that its own marks have covered (laws 2, 3, 5)."""

from __future__ import annotations

import pytest

from tests.veil.people import ASKER, contact, live, thread_of
from veil.bearers import NOBODY, Bearer
from veil.text import Clear, Mark, Marked, Source
from veil.thread import Entry, State, surfaces
from veil.tokens import Token

MARIA, OTONIEL, ROSA, OLD, OLDER = map(contact, (1, 2, 3, 4, 5))

THREAD = thread_of(
    live(MARIA, 1),
    Entry(Token("C", 2), State.ERASED, OTONIEL),
    Entry(Token("C", 3), State.MERGED, OLD, merged_into=1),
    Entry(Token("C", 4), State.MERGED, OLDER, merged_into=3),
    Entry(Token("C", 5), State.MERGED, ROSA, merged_into=6),
    Entry(Token("C", 6), State.MERGED, contact(9), merged_into=5),
    Entry(Token("C", 7), State.RESERVED),
    Entry(Token("X", 1), State.LITERAL, literal="C-1"),
)


@pytest.mark.parametrize(
    ("token", "entity"),
    [
        pytest.param(Token("U", 1), ASKER, id="the asker"),
        pytest.param(Token("C", 1), MARIA, id="live"),
        pytest.param(Token("C", 2), None, id="erased"),
        pytest.param(Token("C", 3), MARIA, id="merged"),
        pytest.param(Token("C", 4), MARIA, id="merged twice"),
        pytest.param(Token("C", 5), None, id="merged in a ring"),
        pytest.param(Token("C", 7), None, id="reserved"),
        pytest.param(Token("C", 99), None, id="never minted"),
        pytest.param(Token("U", 2), None, id="another kind"),
        pytest.param(Token("X", 1), None, id="an alias"),
    ],
)
def test_whom_a_token_stands_for_now(token: Token, entity: object) -> None:
    assert THREAD.entity_of(token) == entity


def test_an_entity_keeps_the_token_that_it_was_given() -> None:
    assert [THREAD.token_of(entity) for entity in (MARIA, OTONIEL, OLD)] == [Token("C", 1), Token("C", 2), Token("C", 3)]
    assert THREAD.token_of(contact(99)) is None
    assert {MARIA, OTONIEL, OLD, ASKER} <= THREAD.entities


def test_an_argument_may_name_what_is_live_or_merged_and_nothing_else() -> None:
    assert THREAD.resolvable() == {("U", 1): 1, ("C", 1): 1, ("C", 3): 1, ("C", 4): 1}


def test_only_an_alias_has_a_literal() -> None:
    assert THREAD.literal_of(Token("X", 1)) == "C-1"
    assert THREAD.literal_of(Token("C", 1)) is None
    assert THREAD.literal_of(Token("X", 2)) is None


def covered(surface: str, *, source: Source = Source.NAME, entities: tuple[object, ...] = (MARIA,), field: str | None = None) -> Marked:
    return Marked.of(Clear(f"llamó {surface}."), [Mark(6, 6 + len(surface), "C-1", source, entities, field)], "v")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("surface", "forms"),
    [
        pytest.param("Otoniel Ibarrola", {"otoniel ibarrola", "otoniel", "ibarrola"}, id="a whole name and its words"),
        pytest.param("Rosa Luz", {"rosa luz"}, id="common words only together"),
        pytest.param("Rosa", set(), id="a weak form alone"),
        pytest.param("Li", set(), id="a short one"),
        pytest.param("María de la Quintrala", {"maria de la quintrala", "maria", "quintrala"}, id="particles only inside"),
        pytest.param("O'Higgins", {"o higgins", "higgins"}, id="an apostrophe"),
    ],
)
def test_the_words_that_a_mark_covers_outlast_the_crms_own(surface: str, forms: set[str]) -> None:
    index = surfaces([covered(surface)])
    assert {form for form, _ in index.forms()} == forms
    assert all(index[form] == (Bearer(MARIA, visible=False),) for form in forms)


def test_a_name_that_many_marks_cover_has_one_bearer() -> None:
    assert surfaces([covered("Otoniel Ibarrola")] * 3)["otoniel"] == (Bearer(MARIA, visible=False),)


@pytest.mark.parametrize("source", [Source.NAME, Source.PERSON, Source.MENTION])
def test_words_of_names_persons_and_choices_are_kept(source: Source) -> None:
    assert surfaces([covered("Otoniel", source=source)])


@pytest.mark.parametrize("source", [Source.SCRUB, Source.VALUE, Source.LOOK_ALIKE, Source.HIDDEN])
def test_words_of_other_marks_are_not_names(source: Source) -> None:
    assert not surfaces([covered("Otoniel", source=source)])


def test_words_of_a_group_or_a_stranger_belong_to_nobody() -> None:
    assert surfaces([covered("Otoniel", entities=(MARIA, ROSA))])["otoniel"] == (Bearer(NOBODY, visible=False),)
    assert surfaces([covered("Otoniel", source=Source.PERSON, entities=())])["otoniel"] == (Bearer(NOBODY, visible=False),)


def test_a_changed_text_says_nothing_about_names() -> None:
    assert not surfaces([Marked(Clear("llamó Otoniel."), covered("Otoniel").marks, digest="of another text")])
