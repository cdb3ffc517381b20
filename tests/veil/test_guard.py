"""The egress guard finds by itself what veiling should have taken out, reads veiled parts only, and steps over what is ours (law 8)."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veil import guard
from veil.guard import Secrets
from veil.payload import Call, Constant, Message, Request, Role
from veil.results import leaves
from veil.text import Veiled
from veil.tokens import Kind

SECRETS = Secrets(
    [
        ("otoniel ibarrola", Kind.CONTACT),
        ("otoniel", Kind.CONTACT),
        ("rosa luz", Kind.CONTACT),
        ("rosa", Kind.CONTACT),
        ("walesa", Kind.CONTACT),
        ("王 小 明", Kind.CONTACT),
        ("la esquina", Kind.COMPANY),
        ("soporte", Kind.INBOX),
        ("postventa austral", Kind.INBOX),
    ],
    ["56961234567", "61234567", "12345678k", "x1234567l", "otoniel@correo.example", "4412"],
)


def found(*messages: Message) -> list[str]:
    """The surfaces that the guard finds."""
    hits = guard.inspect(Request("m", messages), SECRETS)
    return [hit.text[start:end] for hit in hits for start, end in hit.spans]


def user(text: str) -> Message:
    return Message(Role.USER, (Veiled(text),))


@pytest.mark.parametrize(
    ("text", "surface"),
    [
        pytest.param("dijo Otoniel ayer", "Otoniel", id="one word"),
        pytest.param("dijo OTONIEL IBARROLA", "OTONIEL IBARROLA", id="capitals, the whole name once"),
        pytest.param("dijo Oto\u0301niel", "Oto\u0301niel", id="an accent that is not hers"),
        pytest.param("Oto\u200bniel", "Oto\u200bniel", id="a hidden character"),
        pytest.param("Ｏｔｏｎｉｅｌ", "Ｏｔｏｎｉｅｌ", id="full width"),
        pytest.param("otoniel_7", "otoniel", id="an underscore"),
        pytest.param("otoniel.pdf", "otoniel", id="a file name"),
        pytest.param("rosa-luz", "rosa-luz", id="two common words in a row"),
        pytest.param("Rosa\nLuz", "Rosa\nLuz", id="over a line break"),
        pytest.param("postventa  austral", "postventa  austral", id="an inbox of two words"),
        pytest.param("Lech Wałęsa", "Wałęsa", id="letters that Unicode does not decompose"),
        pytest.param("和王小明谈", "王小明", id="a name without spaces"),
        pytest.param("al +56 9 6123-4567.", "56 9 6123-4567", id="a phone with separators"),
        pytest.param("rut 12.345.678-K", "12.345.678-K", id="an id with its dots"),
        pytest.param("nie X-1234567-L", "X-1234567-L", id="an id that begins like a token"),
        pytest.param("a Otoniel@correo.example", "Otoniel@correo.example", id="an e-mail, its name included"),
        pytest.param('{"n":"Wa\\u0142\\u0119sa"}', "Wa\\u0142\\u0119sa", id="JSON escapes"),
        pytest.param("\\u006ftoniel %u006Ctoniel", "\\u006ftoniel", id="an escaped letter, another word aside"),
        pytest.param("[Otoniel](https://x.example)", "Otoniel", id="brackets that are not ours"),
        pytest.param("pedido 9956961234567", "56961234567", id="a value inside a longer number"),
    ],
)
def test_a_strong_form_is_found_in_the_guards_own_reading(text: str, surface: str) -> None:
    assert found(user(text)) == [surface]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("una rosa roja", id="a weak form"),
        pytest.param("en la esquina", id="a company of common words"),
        pytest.param("pide soporte", id="an inbox of one word"),
        pytest.param("otonielito", id="inside a longer word"),
        pytest.param("anexo 4412", id="a short value"),
        pytest.param("Rosa, Luz", id="words that a comma parts"),
        pytest.param("C-1 y [nombre 1] y [teléfono]", id="tokens and placeholders"),
        pytest.param("C-961234|C-567", id="digits of tokens make no value"),
        pytest.param("5696 C-1 1234567", id="a token parts a value"),
    ],
)
def test_what_is_no_identifier_passes(text: str) -> None:
    assert found(user(text)) == []


def test_our_constants_are_not_read() -> None:
    assert found(Message(Role.SYSTEM, (Constant("Otoniel Ibarrola"),))) == []
    assert found(Message(Role.TOOL, (Constant("<datos>"), Veiled('"x"'), Constant("Otoniel")), answers="c")) == []


def test_a_name_does_not_arise_from_the_end_of_one_string_and_the_beginning_of_the_next() -> None:
    assert found(Message(Role.USER, (Veiled("una rosa"), Veiled("luz")))) == []
    assert found(Message(Role.TOOL, (Veiled(json.dumps(["una rosa", "luz", "56961", "234567"])),))) == []


def test_results_are_read_leaf_by_leaf_and_their_keys_are_ours() -> None:
    body = json.dumps({"otoniel": [{"body": "dijo Otoniel"}], "n": 3})
    assert found(Message(Role.TOOL, (Veiled(body),), answers="c")) == ["Otoniel"]


def test_arguments_are_read_with_their_keys() -> None:
    call = Call("c", "show_contact", Veiled('{"otoniel": "rosa luz"}'))
    assert found(Message(Role.ASSISTANT, (Veiled("sin nada"),), (call,))) == ["otoniel", "rosa luz"]


def test_arguments_that_are_no_json_are_one_string() -> None:
    assert found(Message(Role.ASSISTANT, (), (Call("c", "show_contact", Veiled('{"contact": "Otoniel')),))) == ["Otoniel"]


def test_escaped_letters_in_json_do_not_hide_a_name() -> None:
    assert found(Message(Role.ASSISTANT, (), (Call("c", "x", Veiled('{"a":"Oton\\u0069el"}')),))) == ["Otoniel"]


def test_a_hit_says_which_message_and_shows_no_word_of_it() -> None:
    (hit,) = guard.inspect(Request("m", (user("nada"), user("dijo Otoniel"))), SECRETS)
    assert hit.message == 1
    assert "Otoniel" not in repr(hit)


def test_without_secrets_everything_passes() -> None:
    assert guard.inspect(Request("m", (user("Otoniel Ibarrola +56961234567"),)), Secrets([], [])) == []


def test_what_is_learnt_later_is_found_in_texts_that_were_read_before() -> None:
    secrets = Secrets([("otoniel", Kind.CONTACT)], [])
    request = Request("m", (user("Otoniel y Quimey, +56 9 6123 4567"),))
    assert [hit.spans for hit in guard.inspect(request, secrets)] == [((0, 7),)]
    secrets.learn([("otoniel", Kind.CONTACT), ("quimey", Kind.CONTACT)], ["56961234567"])
    assert [hit.spans for hit in guard.inspect(request, secrets)] == [((0, 7), (10, 16), (19, 33))]
    assert guard.inspect(request, secrets) == guard.inspect(request, Secrets([("otoniel", Kind.CONTACT), ("quimey", Kind.CONTACT)], ["56961234567"]))


_SCRAPS = st.sampled_from(
    [
        *("Otoniel", "ibarrola", "OTONIEL", "Oto\u0301niel", "rosa", "luz", "postventa", "Austral", "王", "小", "明", "Wałęsa", "C-1", "[dato]"),
        *("56961234567", "9 6123-4567", "12.345.678-k", "otoniel@correo.example", "x1234567l", "١٢", "²", "\\u006f", "%u0072", "\\x72"),
        *(" ", "\n", '"', "\\", "-", "_", "'", "\u200b", "{", "}", ":", ",", "[", "]", "\x00"),
    ]
)


@given(st.lists(_SCRAPS, max_size=9).map("".join), st.sampled_from(["user", "result", "arguments"]))
def test_the_quick_look_never_misses_what_is_read_sign_by_sign(text: str, place: str) -> None:
    written = json.dumps({"a": text, text: [text, 61234567]}, ensure_ascii=False)
    messages = {
        "user": (user(text), [text]),
        "result": (Message(Role.TOOL, (Veiled(written),), answers="call_1"), leaves(written)),
        "arguments": (Message(Role.ASSISTANT, (), (Call("call_1", "t", Veiled(written)),)), leaves(written, keys=True)),
    }
    message, strings = messages[place]
    hits = guard.inspect(Request("m", (message,)), SECRETS)
    assert {hit.text: hit.spans for hit in hits} == {string: spans for string in strings if (spans := SECRETS.spans(string))}


def test_a_text_is_read_once_for_the_same_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    secrets, read, spans = Secrets([("otoniel", Kind.CONTACT)], []), list[str](), guard._Layer.spans

    def watched(layer: guard._Layer, text: str) -> Iterator[tuple[int, int]]:
        read.append(text)
        return spans(layer, text)

    monkeypatch.setattr(guard._Layer, "spans", watched)
    for _ in range(3):
        secrets.learn([("otoniel", Kind.CONTACT)], [])
        secrets.spans("hola")
    secrets.learn([("quimey", Kind.CONTACT)], [])
    secrets.spans("hola")
    assert read == ["hola", "hola"]
