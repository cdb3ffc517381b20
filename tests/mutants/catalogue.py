"""Mistakes that somebody could make tomorrow, each as an edit of the source, with the tests that must fail under it.

A mutant is the natural form of its mistake: a line forgotten, a condition dropped. ``test_mutants.py`` makes the edits
in a copy of the tree and runs the killers there. Where row-level security would catch the mistake as well, the killer
runs without it, and ``README.md`` says so.
"""

from __future__ import annotations

from dataclasses import dataclass

LAWS = "tests/laws/"
LEAKS = LAWS + "test_nothing_leaks_at_turn_five.py::"
TOKENS = LAWS + "test_one_entity_one_token.py::"
COPIES = LAWS + "test_no_second_copy.py::"
OUTSIDE = LAWS + "test_words_come_from_outside.py::"
LOOK_ALIKES = LAWS + "test_look_alikes_survive.py::"
THERE_AND_BACK = LAWS + "test_veil_and_back.py::"
SPLITS = LAWS + "test_any_split_same_text.py::"
CLOSED = LAWS + "test_fail_closed.py::"
STABLE = LAWS + "test_prefix_stability.py::"


@dataclass(frozen=True, slots=True)
class Edit:
    """``old`` stands in ``file`` exactly once and becomes ``new``."""

    file: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Mutant:
    """A mistake, and the tests each of which must fail under it; ``quick`` ones need no database."""

    name: str
    law: int
    edits: tuple[Edit, ...]
    killers: tuple[str, ...]
    quick: bool = False


def _mutant(name: str, law: int, file: str, old: str, new: str, *killers: str, quick: bool = False) -> Mutant:
    return Mutant(name, law, (Edit(file, old, new),), killers, quick)


MUTANTS: tuple[Mutant, ...] = (
    # --- law 2: the map, the marks, the search ---
    _mutant(
        "the names of minted entities are not reloaded", 2,
        "veil/store.py", "found.names = Index(facts.forms) | surfaces", "found.names = surfaces",
        LEAKS + "test_the_map_is_reloaded_whoever_may_see_it",
    ),
    _mutant(
        "the values of minted entities are not reloaded", 2,
        "veil/store.py", "found.values = Values(facts.values)", "found.values = Values()",
        LEAKS + "test_the_map_is_reloaded_whoever_may_see_it",
    ),
    _mutant(
        "the map is reloaded by rights", 2,
        "veil/store.sql", "WHERE print <> ALL ($8::text[])", "WHERE print <> ALL ($8::text[]) AND (visible OR entity_id IS NULL)",
        LEAKS + "test_the_map_is_reloaded_whoever_may_see_it",
    ),
    _mutant(
        "the words of the thread's own marks are forgotten", 2,
        "assistant/preparation.py", "work.surfaces = surfaces(entry.marked for entry in others if entry.marked is not None)", "work.surfaces = Index()",
        LEAKS + "test_a_deleted_person_stays_masked_where_the_thread_masked_them",
    ),
    _mutant(
        "the thread's texts are not searched when somebody is minted", 2,
        "assistant/history.py", "if entry.seen != revision and", "if entry.seen < 0 and",
        LEAKS + "test_somebody_whom_a_result_brings_in_is_masked_in_the_texts_before_it",
    ),
    _mutant(
        "the thread's texts are never searched again", 2,
        "assistant/history.py", "                added += _remask(entry, thread, setting)\n", "",
        LEAKS + "test_somebody_whom_a_result_brings_in_is_masked_in_the_texts_before_it",
        STABLE + "test_late_masks_are_bare_and_counted_and_nothing_else_changes",
    ),
    _mutant(
        "whom the member may not see is minted from a question", 2,
        "veil/veiling.py", "for bearer in bearers if bearer.visible and bearer.entity != NOBODY}", "for bearer in bearers if bearer.entity != NOBODY}",
        LEAKS + "test_an_agent_names_somebody_of_another_inbox_and_nothing_is_minted",
    ),
    _mutant(
        "whom the member may not see is minted from a customer's text", 2,
        "veil/veiling.py", "if len(meant) == 1 and meant[0].visible else ()", "if len(meant) == 1 else ()",
        LEAKS + "test_what_customers_write_names_hidden_people_without_minting_them",
    ),
    _mutant(
        "a result is cut before it is veiled", 2,
        "veil/results.py", "_FreeString(text, own, Text(text), earlier, later)", "_FreeString(text[:80], own, Text(text[:80]), earlier, later)",
        LEAKS + "test_a_result_is_cut_after_it_is_veiled",
    ),
    _mutant(
        "strangers are numbered by whom they are and not by their names", 1,
        "veil/veiling.py", "numbering[span.key]", "numbering[str(span.bearers)]",
        LEAKS + "test_equal_strangers_share_a_number_and_different_ones_do_not",
    ),
    _mutant(
        "what a writer cut over two messages is read message by message", 2,
        "veil/results.py", "    if string.earlier:\n", "    if string.earlier == string.text:\n",
        "tests/veil/test_results.py::test_what_one_writer_cut_over_two_messages_is_found_in_both", quick=True,
    ),
    _mutant(
        "the second net reads the names that the first has found", 1,
        "veil/detectors.py", "_STAND_INS[item.what]", "text[item.start : item.end]",
        "tests/veil/test_detectors.py::test_twins_show_it_the_same_text", quick=True,
    ),
    # --- law 4 ---
    _mutant(
        "handles are filled in when the answer is stored", 4,
        "veil/unveiling.py", "return meant.surface if meant.field or card is None or not card.visible else plain(card.name)",
        "return meant.surface if card is None or not card.visible else card.values.get(meant.field, '') if meant.field else plain(card.name)",
        COPIES + "test_a_handle_is_filled_at_each_read_and_stored_as_a_handle",
    ),
    _mutant(
        "an error is recorded with its text", 4,
        "assistant/runner.py", 'return f"{type(error).__name__} at {where}"', 'return f"{type(error).__name__} at {where}: {error}"',
        COPIES + "test_no_table_of_ours_holds_a_name_except_what_people_wrote",
    ),
    # --- law 5 ---
    _mutant(
        "a token that stands for nobody is taken for the CRM's own number", 5,
        "veil/thread.py", "return entry.entity if entry is not None and entry.state is State.LIVE else None",
        "return entry.entity if entry is not None and entry.state is State.LIVE else Entity(KINDS.get(token.letter, Kind.DEAL), EntityId(token.number))",
        OUTSIDE + "test_tokens_of_another_thread_stand_for_nobody_here",
    ),
    Mutant(
        "the look-up of names forgets the tenant", 5,
        (
            Edit("veil/resolve.sql", "WHERE f.tenant_id = $1 AND f.form = wanted.form AND EXISTS", "WHERE f.form = wanted.form AND EXISTS"),
            Edit("veil/resolve.sql", "WHERE f.tenant_id = $1 AND f.form = wanted.form\n            ORDER", "WHERE f.form = wanted.form\n            ORDER"),
        ),
        (OUTSIDE + "test_every_statement_filters_by_tenant_itself",),
    ),
    _mutant(
        "the reload of names forgets the tenant", 5,
        "veil/store.sql", "FROM crm.name_forms AS f\n        WHERE f.tenant_id = $1 AND f.kind", "FROM crm.name_forms AS f\n        WHERE f.kind",
        OUTSIDE + "test_every_statement_filters_by_tenant_itself",
    ),
    _mutant(
        "a tool's statement forgets the tenant", 5,
        "tools/messages.sql", "JOIN crm.messages AS message ON message.tenant_id = $1 AND message.conversation_id", "JOIN crm.messages AS message ON message.conversation_id",
        OUTSIDE + "test_every_statement_filters_by_tenant_itself",
    ),
    _mutant(
        "the cards of readers forget the tenant", 5,
        "veil/resolve.sql", "FROM crm.cards AS c\n    WHERE c.tenant_id = $1 AND c.kind", "FROM crm.cards AS c\n    WHERE c.kind",
        OUTSIDE + "test_a_row_that_only_another_tenant_has_gives_no_card",
    ),
    _mutant(
        "a stored text is drawn as it was, whoever reads it", 5,
        "veil/unveiling.py", "    if not visible:\n        return mark.rendering\n", "",
        OUTSIDE + "test_a_token_whose_person_became_invisible_is_like_one_never_given",
    ),
    _mutant(
        "the issuer of a token is not looked up", 5,
        "assistant/http/auth.py", 'if found is None or not found["listed"] or found["role"] is None:', 'if found is None or found["role"] is None:',
        "tests/http/test_auth.py::test_an_issuer_speaks_for_its_own_tenants_only",
    ),
    # --- law 6 ---
    _mutant(
        "veiling knows fewer writings of a token than unveiling", 6,
        "veil/veiling.py", "for found in tokens.find(shown)]", "for found in tokens.find(shown) if found.surface == str(found.token)]",
        LOOK_ALIKES + "test_what_unveiling_accepts_comes_back_letter_for_letter", quick=True,
    ),
    _mutant(
        "a look-alike whose number is taken travels as it is", 6,
        "veil/veiling.py", "return aliases.get(_written(span), setting.words.code)", "return _written(span)",
        LOOK_ALIKES + "test_what_unveiling_accepts_does_not_travel_as_the_live_token", quick=True,
    ),
    _mutant(
        "renderings are not kept apart from their neighbours", 6,
        "veil/veiling.py", "return settled(text, marks, setting.words.code)", "return marks",
        LOOK_ALIKES + "test_a_name_and_its_neighbours_do_not_become_somebody_elses_token", quick=True,
    ),
    _mutant(
        "what the model invents stays free to be given", 6,
        "assistant/workspace.py", "await self.give(Needs(reserve=tuple(unknown)), invented=True)", "del unknown",
        LOOK_ALIKES + "test_a_token_that_the_model_invents_is_never_given",
    ),
    _mutant(
        "tokens inside URLs are filled in", 6,
        "veil/tokens.py", "        if closed:\n            return surface\n", "        del closed\n",
        LOOK_ALIKES + "test_nothing_is_put_into_a_url_an_image_or_a_link_target",
    ),
    _mutant(
        "the quick look for tokens knows fewer writings than the grammar", 6,
        "veil/tokens.py", "(?<=[{_LETTERS}{_SPACES}{_UNSEEN};][{_DASHES}\\\\&])", "(?<=[{_LETTERS}][{_DASHES}\\\\&])",
        THERE_AND_BACK + "test_every_dash_in_every_surrounding_gives_the_name",
    ),
    # --- law 7 ---
    _mutant(
        "a token is given out before the text behind it is known", 7,
        "veil/tokens.py", "if match is None or (not final and (match.partial or _is_open(self._text, match.end()))):", "if match is None or (not final and match.partial):",
        SPLITS + "test_every_way_of_cutting_gives_what_the_whole_gives", quick=True,
    ),
    _mutant(
        "what may still follow a list of tokens is not waited for", 7,
        "veil/tokens.py", "    |(?:/{_LISTED}){{1,5}}(?:e?s)?(?:[\\p{{L}}\\p{{N}}\\p{{M}}@]|[-/_.+\\u2010\\u2011]{_WORD})\n", "",
        SPLITS + "test_every_way_of_cutting_gives_what_the_whole_gives",
    ),
    # --- law 8 ---
    _mutant(
        "the guard is off", 8,
        "veil/guard.py", "    return hits\n", "    return []\n",
        CLOSED + "test_what_veiling_misses_in_a_question_is_masked_in_place",
        CLOSED + "test_a_second_hit_in_a_question_sends_nothing_and_withholds_it",
    ),
    Mutant(
        "a question that was never veiled is sent with the next one", 8,
        (
            Edit("assistant/history.py", "entry.marked.intact and bool(entry.marked.version) and not entry.withheld", "entry.marked.intact and not entry.withheld"),
            Edit("assistant/preparation.py", "    for entry, other in unread:\n        await _mark_unread(work, entry, other, index, bearers)\n", ""),
        ),
        (CLOSED + "test_a_question_that_was_never_veiled_does_not_leave_with_the_next_turn",),
    ),
    _mutant(
        "marks are used for a text that has changed", 8,
        "assistant/history.py", "sound = entry.marked.intact and bool", "sound = bool",
        CLOSED + "test_a_text_that_is_no_longer_the_one_that_was_marked_is_withheld_whole",
    ),
    _mutant(
        "a withheld result is left out and its call stays alone", 8,
        "assistant/history.py", '        for entry in self.entries:\n            if entry.role != "tool":',
        '        for entry in self.entries:\n            if entry.withheld and entry.role == "tool":\n                continue\n            if entry.role != "tool":',
        CLOSED + "test_a_second_hit_in_a_result_withholds_it_and_keeps_its_call",
    ),
    _mutant(
        "a lost lease is not noticed", 8,
        "assistant/runner.py", '        if state != "running":\n            raise Gone\n', "        del state\n",
        CLOSED + "test_a_turn_whose_lease_is_lost_sends_nothing_more_and_stores_no_answer",
    ),
    # --- law 9 ---
    _mutant(
        "a late mask is a token", 9,
        "veil/late.py", "[Mark(span.start, span.end, _placeholder(span, setting), span.source, _only(span.bearers), late=True)",
        "[Mark(span.start, span.end, str(next((thread.token_of(b.entity) for b in span.bearers), _placeholder(span, setting))), span.source, (), late=True)",
        STABLE + "test_late_masks_are_bare_and_counted_and_nothing_else_changes",
    ),
    _mutant(
        "old tool results are sent again unchecked", 9,
        "assistant/history.py", "    fresh = entry.version != version\n    count = 0\n", "    return 0\n    fresh = entry.version != version\n    count = 0\n",
        STABLE + "test_late_masks_are_bare_and_counted_and_nothing_else_changes",
    ),
)  # fmt: skip
