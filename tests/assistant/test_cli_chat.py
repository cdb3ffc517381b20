"""The terminal."""

from __future__ import annotations

import time

import httpx2
import pytest

from assistant.cli_chat import Chat
from assistant.cli_screen import Screen, clean, readable
from assistant.cli_words import CHAT
from assistant.errors import SettingsError
from assistant.http.auth import sign
from tests.assistant.conftest import SECRET


def chat_of(client: httpx2.AsyncClient, *, tenant: int = 1, member: int = 1, terminal: bool = False) -> Chat:
    written: list[str] = []

    def token() -> str:
        return sign(SECRET, tenant_id=tenant, member_id=member, now=time.time())

    return Chat(client, token, Written(written), who=f"member {member}", terminal=terminal)


class Written(Screen):
    """A screen that keeps what is written."""

    def __init__(self, written: list[str], *, terminal: bool = False) -> None:
        super().__init__(written.append, terminal=terminal)
        self.written = written


async def said(conversation: Chat, line: str) -> str:
    """What is shown after a line was typed, without the end of the last line."""
    assert isinstance(conversation.screen, Written)
    conversation.screen.written.clear()
    await conversation.answer(line)
    shown = "".join(conversation.screen.written)
    assert shown.endswith("\n")
    return shown.removesuffix("\n")


async def test_it_says_what_answers_before_anything_is_asked(velo: httpx2.AsyncClient) -> None:
    greeting = "\n".join(await chat_of(velo).greeting())
    assert "NO un modelo de lenguaje" in greeting
    assert "/veiled" in greeting


@pytest.mark.parametrize(("tenant", "language"), [(1, "es"), (2, "pt"), (3, "en")])
async def test_it_speaks_the_language_of_the_tenant(velo: httpx2.AsyncClient, tenant: int, language: str) -> None:
    conversation = chat_of(velo, tenant=tenant)
    assert CHAT[language]["help"] in await conversation.greeting()
    assert await said(conversation, "/new") == CHAT[language]["new"]


def test_every_sentence_is_there_in_every_language() -> None:
    assert len({frozenset(sentences) for sentences in CHAT.values()}) == 1


async def test_who_cannot_sign_in_is_told_before_anything_is_asked(velo: httpx2.AsyncClient) -> None:
    with pytest.raises(SettingsError, match="no active member 99"):
        await chat_of(velo, member=99).greeting()


async def test_a_question_shows_names_and_veiled_shows_tokens(velo: httpx2.AsyncClient) -> None:
    conversation = chat_of(velo)
    assert "María López" in await said(conversation, "¿qué pasó con María López?")
    veiled = await said(conversation, "/veiled")
    assert "¿qué pasó con C-1?" in veiled
    assert 'show_contact({"contact": "C-1"})' in veiled
    assert "\n    {" in veiled
    assert "María" not in veiled
    assert "system: " not in veiled
    assert (await said(conversation, "/veiled all")).count("system: ") == 1


async def test_veiled_shows_this_turn_first_and_all_on_demand(velo: httpx2.AsyncClient) -> None:
    conversation = chat_of(velo)
    await said(conversation, "¿qué pasó con María López?")
    await said(conversation, "¿cuál es su teléfono?")
    assert "user: [" in (veiled := await said(conversation, "/veiled"))
    assert "¿qué pasó con C-1?" not in veiled
    assert "¿qué pasó con C-1?" in await said(conversation, "/veiled all")


async def test_labels_are_pale_on_a_terminal_only(velo: httpx2.AsyncClient) -> None:
    conversation = chat_of(velo)
    await said(conversation, "hola")
    assert "\x1b" not in await said(conversation, "/veiled")
    conversation.terminal = True
    assert "\x1b[2muser:\x1b[0m [" in await said(conversation, "/veiled")


def test_a_result_that_is_cut_is_shown_as_it_is() -> None:
    messages = [{"role": "user", "content": "a"}, {"role": "tool", "content": '<datos>{"total": 1, "rows"}</datos>'}]
    record = {"calls": [{"ordinal": 1, "status": "failed", "request": {"messages": messages}, "response": None}]}
    assert list(readable(record, everything=False, language="en", terminal=False))[-2] == 'tool: <datos>{"total": 1, "rows"}</datos>'


async def test_a_thread_goes_on_until_new_begins_another(velo: httpx2.AsyncClient) -> None:
    conversation = chat_of(velo)
    await said(conversation, "¿qué pasó con María López?")
    first = conversation.thread_id
    assert "+56" in await said(conversation, "¿cuál es su teléfono?")
    assert conversation.thread_id == first
    await said(conversation, "/new")
    await said(conversation, "hola")
    assert conversation.thread_id != first


async def test_a_name_of_several_is_chosen_by_its_number(velo: httpx2.AsyncClient) -> None:
    conversation = chat_of(velo)
    asked = await said(conversation, "¿qué pasó con María?")
    assert "«María»" in asked
    (second,) = [line for line in asked.splitlines() if line.startswith("  2)")]
    answer = [line for line in (await said(conversation, "2")).splitlines() if not line.startswith("· ")]
    assert answer[0].startswith(second.removeprefix("  2) ").split(" · ")[0])
    assert not conversation.choices


@pytest.mark.parametrize("number", ["99", "-1", "²"])
async def test_a_number_that_is_not_offered_chooses_nobody(velo: httpx2.AsyncClient, number: str) -> None:
    conversation = chat_of(velo)
    await said(conversation, "¿qué pasó con María?")
    await said(conversation, number)
    assert not conversation.mentions


async def test_any_of_them_is_a_choice_too(velo: httpx2.AsyncClient) -> None:
    conversation = chat_of(velo)
    await said(conversation, "¿qué pasó con María?")
    await said(conversation, "0")
    assert conversation.mentions[0]["id"] is None
    assert conversation.turn_id is not None


async def test_any_of_them_tells_of_each(velo: httpx2.AsyncClient) -> None:
    conversation = chat_of(velo)
    asked = await said(conversation, "¿qué pasó con María?")
    offered = [line.split(") ")[1].split(" · ")[0] for line in asked.splitlines() if line.startswith("  ") and not line.startswith("  0)")]
    told = await said(conversation, "0")
    assert offered
    assert all(f"{name}: " in told for name in offered[:5])
    assert not conversation.choices


async def test_nothing_was_sent_when_the_question_came_back(velo: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veil.veiling.GROUP", 1)
    conversation = chat_of(velo)
    await said(conversation, "¿qué pasó con María?")
    assert await said(conversation, "/veiled") == CHAT["en"]["nothing_sent"]


async def test_a_thread_is_listed_and_taken_up_again(velo: httpx2.AsyncClient) -> None:
    first, second = chat_of(velo), chat_of(velo)
    await said(first, "¿qué pasó con María López?")
    assert f"  {first.thread_id} · " in await said(second, "/threads")
    shown = await said(second, f"/thread {first.thread_id}")
    assert "> ¿qué pasó con María López?" in shown
    assert "+56" in await said(second, "¿cuál es su teléfono?")
    assert (second.thread_id, second.turn_id) != (None, first.turn_id)
    greeting = "\n".join(await chat_of(velo).greeting(thread=first.thread_id))
    assert "> ¿cuál es su teléfono?" in greeting


async def test_a_thread_of_somebody_else_is_not_there(velo: httpx2.AsyncClient) -> None:
    conversation = chat_of(velo)
    await said(conversation, "hola")
    other = chat_of(velo, member=2)
    assert CHAT["en"]["not_found"] in await said(other, f"/thread {conversation.thread_id}")
    with pytest.raises(SettingsError, match=CHAT["es"]["not_found"]):
        await other.greeting(thread=conversation.thread_id)


async def test_a_misspelt_name_is_shown_as_it_was_understood_once(velo: httpx2.AsyncClient) -> None:
    conversation = chat_of(velo)
    assert "(understood María López)" in await said(conversation, "¿qué pasó con María Lopezz?")
    assert "(understood" not in await said(conversation, "¿qué pasó con María López?")


async def test_times_of_choices_are_those_of_the_answer(velo: httpx2.AsyncClient) -> None:
    conversation = chat_of(velo)
    asked = await said(conversation, "¿qué pasó con María?")
    (first,) = [line for line in asked.splitlines() if line.startswith("  1) ")]
    assert f"Último contacto: {first.rpartition(' · ')[2]}." in await said(conversation, "1")


@pytest.mark.parametrize(("line", "unknown"), [("/x y", True), ("/thread x", True), ("/help", False)])
async def test_an_unknown_command_is_named_and_is_no_question(velo: httpx2.AsyncClient, line: str, unknown: bool) -> None:
    conversation = chat_of(velo)
    shown = await said(conversation, line)
    assert "/quit" in shown
    assert (f"There is no command {line}." in shown) == unknown
    assert await said(conversation, "/veiled") == "Nothing was asked yet."


async def test_a_refusal_is_shown_with_its_id(velo: httpx2.AsyncClient) -> None:
    shown = await said(chat_of(velo, member=99), "hola")
    assert "Sign in first" in shown
    assert "(error " in shown


async def test_a_server_that_is_not_there_is_said_so() -> None:
    async with httpx2.AsyncClient(base_url="http://127.0.0.1:9") as client:
        conversation = chat_of(client)
        assert await said(conversation, "hola") == "The server does not answer."
        with pytest.raises(SettingsError):
            await conversation.greeting()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("María\nsí\tno", "María\nsí\tno"),
        ("a\x1b[31mrojo\x1b]0;título\x07", "a[31mrojo]0;título"),
        ("a\u202eb\u2066c\u200fd\u2028e", "abcde"),
        ("a\r\x08\x9b2J\x00b", "a2Jb"),
        ("👩‍👧 \ud800", "👩‍👧 "),
    ],
)
def test_nothing_that_moves_the_cursor_or_turns_the_writing_is_shown(text: str, shown: str) -> None:
    assert clean(text) == shown
