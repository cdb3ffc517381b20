"""The terminal."""

from __future__ import annotations

import time

import httpx2
import pytest

from assistant.cli_chat import Chat, clean
from assistant.errors import SettingsError
from assistant.http.auth import sign
from tests.assistant.conftest import SECRET


def chat_of(client: httpx2.AsyncClient, *, member: int = 1) -> Chat:
    return Chat(client, lambda: sign(SECRET, tenant_id=1, member_id=member, now=time.time()))


async def said(conversation: Chat, line: str) -> str:
    return "\n".join(await conversation.answer(line))


async def test_it_says_what_answers_before_anything_is_asked(velo: httpx2.AsyncClient) -> None:
    greeting = "\n".join(await chat_of(velo).greeting())
    assert "NOT a language model" in greeting
    assert "/veiled" in greeting


async def test_a_question_shows_names_and_veiled_shows_tokens(velo: httpx2.AsyncClient) -> None:
    conversation = chat_of(velo)
    assert "María López" in await said(conversation, "¿qué pasó con María López?")
    veiled = await said(conversation, "/veiled")
    assert "¿qué pasó con C-1?" in veiled
    assert 'show_contact({"contact": "C-1"})' in veiled
    assert "María" not in veiled
    assert veiled.count("system: ") == 1


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
    answer = await said(conversation, "2")
    assert answer.startswith(second.removeprefix("  2) ").split(" · ")[0])
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


@pytest.mark.parametrize("line", ["/x", "/help"])
async def test_an_unknown_command_is_no_question(velo: httpx2.AsyncClient, line: str) -> None:
    conversation = chat_of(velo)
    assert "/quit" in await said(conversation, line)
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
