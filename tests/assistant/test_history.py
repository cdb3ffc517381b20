"""How stored messages travel: the same bytes every time, each call with one result, masks only added (laws 2, 8, 9)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from assistant.history import ENVELOPE, Entry, History, hits_after, mask, recheck_json
from tests.veil.people import ES, contact, index_of, live, thread_of
from veil import scrub, veiling
from veil.guard import Hit
from veil.text import Clear, Mark, Marked, Source, Veiled
from veil.veiling import WITHHELD

OTONIEL = contact(3)
THREAD = thread_of(live(OTONIEL, 1), names=index_of([(OTONIEL, "Otoniel Ibarrola")]))
EMPTY = thread_of()
TOOLS = frozenset({"show_contact", "list_team"})


def said(number: int, text: str, *marks: Mark, role: str = "user", version: str | None = None) -> Entry:
    marked = Marked.of(Clear(text), marks, veiling.version() if version is None else version)
    return Entry(number, role, 1, "[hoy]\n" if role == "user" else "", marked=marked, left=True)


def called(number: int, *names: str, text: str = "", arguments: str = "{}") -> Entry:
    calls = [{"id": f"call_{number}{place}", "name": name, "arguments": arguments} for place, name in enumerate(names)]
    return Entry(number, "calls", 1, veiled=Veiled(text), calls=calls, left=True, version=veiling.version())


def result(number: int, call: str, text: str = "{}") -> Entry:
    return Entry(number, "tool", 1, veiled=Veiled(text), calls=[{"id": call, "name": "list_team"}], left=True, version=veiling.version())


def sent(*entries: Entry) -> list[dict[str, Any]]:
    return [message.to_json() for message in History(entries, tool_names=TOOLS).messages()]


def test_a_question_travels_with_its_opening_and_its_marks() -> None:
    entry = said(1, "llamó Otoniel", Mark(6, 13, "C-1", Source.NAME, (OTONIEL,)))
    assert sent(entry) == [{"role": "user", "content": "[hoy]\nllamó C-1"}]


def test_an_answer_travels_as_the_model_wrote_it() -> None:
    entry = said(2, "llamó Otoniel Ibarrola", Mark(6, 22, "C-1", Source.TOKEN, (OTONIEL,)), role="assistant")
    assert sent(said(1, "hola"), entry)[1] == {"role": "assistant", "content": "llamó C-1"}


def test_results_cross_in_an_envelope() -> None:
    messages = sent(said(1, "hola"), called(2, "list_team"), result(3, "call_20", '{"a":1}'))
    assert messages[2] == {"role": "tool", "content": f'{ENVELOPE[0]}{{"a":1}}{ENVELOPE[1]}', "tool_call_id": "call_20"}


@pytest.mark.parametrize(
    ("entries", "answered"),
    [
        pytest.param([called(2, "list_team", "list_team"), result(3, "call_20"), result(4, "call_21")], ["call_20", "call_21"], id="all answered"),
        pytest.param([called(2, "list_team", "list_team"), result(3, "call_20")], ["call_20", "call_21"], id="the second was never run"),
        pytest.param([called(2, "list_team", "list_team")], ["call_20", "call_21"], id="none was run"),
        pytest.param([called(2, "list_team"), result(3, "call_20"), result(4, "call_20")], ["call_20"], id="answered twice"),
        pytest.param([called(2, "list_team"), result(3, "call_99"), result(4, "call_20")], ["call_20"], id="a result of no call"),
        pytest.param([result(3, "call_20")], [], id="a result without a call"),
        pytest.param([called(2, "list_team"), said(3, "¿y?")], ["call_20"], id="the next question came before the result"),
    ],
)  # fmt: skip
def test_every_call_has_exactly_one_result_right_behind_it(entries: list[Entry], answered: list[str]) -> None:
    messages = sent(said(1, "hola"), *entries)
    assert [message["tool_call_id"] for message in messages if message["role"] == "tool"] == answered
    for place, message in enumerate(messages):
        ids = [call["id"] for call in message.get("tool_calls", ())]
        assert [following.get("tool_call_id") for following in messages[place + 1 : place + 1 + len(ids)]] == ids


def test_between_two_questions_stands_an_answer() -> None:
    assert [message["role"] for message in sent(said(1, "a"), said(2, "b"), said(3, "c"))] == ["user", "assistant", "user", "assistant", "user"]


def test_a_tool_that_the_model_made_up_does_not_go_back() -> None:
    message = sent(said(1, "hola"), called(2, "Otoniel_Ibarrola"))[1]
    assert message["tool_calls"][0]["function"]["name"] == "unknown_tool"


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(Entry(1, "user", 1, "[hoy]\n", marked=Marked(Clear("Otoniel"), (), "of another text", veiling.version()), left=True), id="changed since"),
        pytest.param(Entry(1, "user", 1, "[hoy]\n", marked=Marked.of(Clear("Otoniel"), (), veiling.version()), left=True, withheld=True), id="withheld"),
        pytest.param(Entry(1, "user", 1, "[hoy]\n", marked=Marked.of(Clear("Otoniel"), (), "")), id="never veiled"),
    ],
)
def test_what_cannot_be_veiled_travels_as_withheld(entry: Entry) -> None:
    assert sent(entry) == [{"role": "user", "content": f"[hoy]\n{WITHHELD}"}]


def test_a_withheld_call_and_result_keep_their_ids() -> None:
    call, answer = called(2, "show_contact", text="Otoniel", arguments='{"contact":"Otoniel"}'), result(3, "call_20", '{"a":"Otoniel"}')
    call.withheld = answer.withheld = True
    messages = sent(said(1, "hola"), call, answer)
    assert "Otoniel" not in json.dumps(messages)
    assert messages[1]["tool_calls"][0]["id"] == messages[2]["tool_call_id"] == "call_20"
    assert WITHHELD in messages[2]["content"]


# --- masks are added when the thread has learnt something ----------------------------------------------------------------------------------


def remasked(*entries: Entry, revision: int = 1) -> tuple[int, list[dict[str, Any]]]:
    history = History(entries, tool_names=TOOLS)
    count = history.remask(THREAD, ES, revision=revision)
    return count, [message.to_json() for message in history.messages()]


def test_a_name_that_was_typed_before_it_was_minted_is_masked_late_and_bare() -> None:
    entry = said(1, "llamó Otoniel")
    count, messages = remasked(entry)
    assert (count, messages[0]["content"]) == (1, "[hoy]\nllamó [nombre]")
    assert entry.changed
    assert entry.marked is not None
    assert entry.marked.marks[0].late


def test_calls_and_results_are_masked_string_by_string() -> None:
    call = called(2, "show_contact", text="Busco a Otoniel", arguments='{"Otoniel": ["Otoniel Ibarrola", 3]}')
    answer = result(3, "call_20", '{"body":"dijo Otoniel","n":[1,"x"]}')
    count, messages = remasked(said(1, "hola"), call, answer)
    assert count == 4
    assert messages[1]["content"] == "Busco a [nombre]"
    assert json.loads(messages[1]["tool_calls"][0]["function"]["arguments"]) == {"[nombre]": ["[nombre]", 3]}
    assert messages[2]["content"] == f'{ENVELOPE[0]}{{"body":"dijo [nombre]","n":[1,"x"]}}{ENVELOPE[1]}'


def test_keys_of_results_are_our_own_and_are_never_masked() -> None:
    text = '{"otoniel":"x"}'
    assert recheck_json(text, THREAD, ES, scrubbed=True) == (text, 0)
    assert recheck_json(text, THREAD, ES, scrubbed=True, keys=True) == ('{"[nombre]":"x"}', 1)


@pytest.mark.parametrize("text", ['{"b" : 1,  "a":"x"}', "no es json", '{"a":', "", '"x"', "[1, 2]", '{"a":"\\u00e1"}'])
def test_what_holds_nothing_to_mask_stays_byte_for_byte(text: str) -> None:
    assert recheck_json(text, THREAD, ES, scrubbed=False, keys=True) == (text, 0)


def test_the_same_map_reads_a_text_once() -> None:
    entry = said(1, "llamó Otoniel")
    history = History([entry], tool_names=TOOLS)
    assert history.remask(EMPTY, ES, revision=1) == 0
    assert history.remask(THREAD, ES, revision=1) == 0
    assert history.remask(THREAD, ES, revision=2) == 1
    assert history.remask(THREAD, ES, revision=3) == 0


def test_new_detectors_read_old_texts_again() -> None:
    old = said(1, "al 9 7777 1234", version="0")
    count, messages = remasked(old)
    assert (count, messages[0]["content"]) == (1, "[hoy]\nal [dato]")
    assert old.marked is not None
    assert old.marked.version == veiling.version()


def test_the_question_that_is_being_asked_is_not_masked_late() -> None:
    entry = said(1, "llamó Otoniel")
    entry.left = False
    count, _ = remasked(entry)
    assert count == 0


def test_a_value_cut_over_two_questions_is_found_in_the_second_and_masked_late_in_the_first() -> None:
    before = said(1, "su rut es 12.345.")
    hits, late = hits_after([before, said(2, "¿algo más?", role="assistant")], "678-5, búscalo", EMPTY, ES)
    assert [(hit.start, hit.end) for hit in hits] == [(0, 5)]
    assert late == 1
    assert before.changed
    assert sent(before)[0]["content"] == f"[hoy]\nsu rut es {ES.words.datum}"


def test_a_question_that_goes_on_from_nothing_is_read_alone() -> None:
    before = said(1, "¿cuántas conversaciones hay?")
    assert hits_after([before], "¿y de 12.345.678-5?", EMPTY, ES)[0] == scrub.find("¿y de 12.345.678-5?", ES.region)
    assert not before.changed
    assert hits_after([], "12.345.678-5", EMPTY, ES) == (scrub.find("12.345.678-5", ES.region), 0)


def test_an_entry_comes_back_from_its_row_as_it_was_stored() -> None:
    row = {"id": 7, "role": "user", "turn_id": 2, "state": "withheld", "text": "hola", "opening": None, "calls": None}
    entry = Entry.from_row({**row, "marks": Marked.of(Clear("hola"), (), "v").marks_to_json()})
    assert (entry.id, entry.withheld, entry.left, entry.opening) == (7, True, True, "")
    assert entry.marked == Marked.of(Clear("hola"), (), "v")
    call = Entry.from_row({**row, "role": "calls", "state": "stored", "marks": {"version": "v"}, "calls": [{"id": "c"}]})
    assert (call.withheld, call.left, call.version, call.calls) == (False, False, "v", [{"id": "c"}])


# --- what the guard found ------------------------------------------------------------------------------------------------------------------


def hit(text: str, *spans: tuple[int, int]) -> Hit:
    return Hit(0, text, spans)


def test_what_the_guard_finds_in_a_clear_text_is_masked_in_place() -> None:
    entry = said(1, "con Ana y Otoniel", Mark(4, 7, "C-22", Source.NAME))
    assert mask(entry, hit("con C-22 y Otoniel", (11, 18)), ES) == 1
    assert sent(entry)[0]["content"] == "[hoy]\ncon C-22 y [dato]"


def test_what_the_guard_finds_in_a_result_is_masked_in_place() -> None:
    entry = result(2, "call_10", '{"a":"dijo Otoniel","b":"otro"}')
    assert mask(entry, hit("dijo Otoniel", (5, 12)), ES) == 1
    assert entry.veiled == Veiled('{"a":"dijo [dato]","b":"otro"}')


def test_a_hit_inside_a_rendering_cannot_be_masked() -> None:
    entry = said(1, "con Ana", Mark(4, 7, "[nombre 1]", Source.NAME))
    assert mask(entry, hit("con [nombre 1]", (5, 11)), ES) == 0
