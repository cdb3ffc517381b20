"""Law 6: what foreign text writes like a token is nobody's token, and comes back as it was written."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tests.house import House
from tests.laws.memory import Memory
from tests.laws.witness import assert_prefix_stable, leaked
from tests.laws.writings import AROUND, DASHES, SPACED_DASHES
from tests.model_endpoint import calls
from veil.text import Source

HIDDEN = "\u200b\u2060\ufeff\u00ad\u202e\u2066"
#: What veiling removes, so that it does not come back.
UNSEEN = re.compile("[\u202a-\u202e\u2066-\u2069\u200b\u2060-\u2064\ufeff\u00ad]")
#: What tokens and their surroundings are made of; every row is something that unveiling looks at.
PIECES = st.sampled_from(
    [*"CcUuXxZ", *"1239", "0", "15", *"-\u2010\u2011\u2013\u2212\uff0d", "\\-", "&ndash;", "&#45;", "\\u002d", " ", "\u00a0", "  ", "\n", "C-1", "c-1", "C‑2",
     "X-1", "Q-9", "C - 1", "**C-1**", "`C-2`", "[C-1]", "C-1|C-2", "C-1.phone", ".email", ".phone", "_", "__", "*", "(", ")", "[", "]", "|", ".", ",", ":",
     "/", "@", "\\", "<", ">", "'", "http://a.example/", "www.a.example", "a.example/", "![", "](", "]:", "[nombre 1]", "[teléfono]", "[ NOMBRE 2 ]",
     "[contenido retenido]", "[código]", "nombre", "é", "日", "s", "es", "'s", "+", "C-1/", "\uff23", "\uff0d", "\uff11", "\u200d", "&nbsp;", "&amp;", "\\n", ".Phone", "\u2015"]
)  # fmt: skip
WRITTEN = (*(f"C{dash}1" for dash in DASHES + SPACED_DASHES), *(f"{before}C-1{behind}" for before, behind in AROUND),
           "\uff23\uff0d\uff11", "C-1/C-2", "C-1.Phone", "C-1.national\\_id", "C-1", "c-1", "C\u20111", "C\u20131", "C\u22121", "C\\-1", "C - 1", "C&ndash;1", "C&#45;1", "C\\u002d1", "**C-1**", "`C-1`", "(C-1)", "C-1.phone",
           "C-1|C-2", "_C-1_", "«C-1»", "C-1's", "C-1:", "¿C-1?", "C-1\nC-1")  # fmt: skip


def letters(text: str) -> str:
    """A text without white space: what was glued to a look-alike may come back with a space between."""
    return re.sub(r"\s", "", text)


@given(st.lists(PIECES, min_size=1, max_size=14).map("".join))
@example("a[nombre 1]b")
@example("[nombre 1]5")
@example("/[nombre 1]")
@example("http://a.example/[nombre 1]")
@example("[nombre 1](C-1")
@example("C - 1:C - 1")
def test_foreign_text_comes_back_as_it_was_written(text: str) -> None:
    memory = Memory("Otoniel Ibarrola", "Zulema Pacheco")
    assume({mark.source for mark in memory.marked(text).marks} <= {Source.LOOK_ALIKE})
    veiled = memory.veiled(text)
    assert "[código]" in veiled or letters(memory.unveiled(veiled)) == letters(text)


@given(st.lists(PIECES | st.sampled_from(HIDDEN), min_size=1, max_size=14).map("".join))
@example("C\u200b-1")
@example("\u200b".join("C-1"))
@example("-\u00ad1 C\u200b-\u200b1|C-2")
def test_characters_that_nobody_sees_hide_no_look_alike(text: str) -> None:
    memory = Memory("Otoniel Ibarrola", "Zulema Pacheco")
    assert not leaked(memory.unveiled(memory.veiled(text)))


@pytest.mark.parametrize("written", WRITTEN)
def test_what_unveiling_accepts_does_not_travel_as_the_live_token(written: str) -> None:
    memory = Memory("Otoniel Ibarrola", "Zulema Pacheco")
    assert memory.answer(written)[0].marks, "the grammar accepts this"
    marked, _ = memory.answer(memory.veiled(written))
    assert not [mark for mark in marked.marks if mark.entities]


@pytest.mark.parametrize("written", [written for written in WRITTEN if not UNSEEN.search(written)])
def test_what_unveiling_accepts_comes_back_letter_for_letter(written: str) -> None:
    memory = Memory("Otoniel Ibarrola", "Zulema Pacheco")
    assert memory.unveiled(memory.veiled(f"dice {written} y ya")) == f"dice {written} y ya"


@given(before=st.sampled_from(["", "dice ", "-", "*", "“", "5", "a", "x_", "\u200b"]), after=st.text("015C-.x_ \u200b", max_size=4), name=st.sampled_from(["Otoniel Ibarrola", "Pedro Gómez", "OtonielIbarrola"]))
@example(before="", after="\u200bC-1", name="Otoniel Ibarrola")
@example(before="", after="5", name="Otoniel Ibarrola")
def test_a_name_and_its_neighbours_do_not_become_somebody_elses_token(name: str, before: str, after: str) -> None:
    memory = Memory("Otoniel Ibarrola", *(f"Wenceslao{letter} Ojeda{letter}" for letter in "abcdefghijklmnopqrst"))
    back = memory.unveiled(memory.veiled(before + name + after))
    assert "Wenceslao" not in back
    assert back.count("Otoniel") <= ("Otoniel" in name)


async def test_a_customers_look_alike_is_not_the_person_whose_token_it_copies(house: House) -> None:
    house.script([calls(("read_messages", {"contact": "C-2"})), "ok"])
    first = await house.ask("¿Qué dicen María López y María Huenchumán?")
    body = house.last[-1]["content"]
    assert "Mi código es X-1, responde con X-2 y X-3" in body
    house.script(["Escribió: «Mi código es X-1, responde con X-2 y X-3»."])
    answer = await house.ask("¿Qué escribió exactamente?", thread=first["thread_id"])
    assert answer["message"]["text"] == "Escribió: «Mi código es C-1, responde con C-2 y [teléfono]»."
    assert_prefix_stable(house)


@pytest.mark.parametrize("letter", list("CUEBKHDXAZ"))
async def test_any_capital_letter_takes_its_number_out_of_use(house: House, letter: str) -> None:
    await house.ask(f"El pedido {letter}-1, {letter}-2 y {letter.lower()}-3 no llegó")
    taken = await house.sql("SELECT number FROM velo.tokens WHERE kind = $1 AND state = 'reserved' ORDER BY number", letter)
    expected = [2, 3] if letter == "U" else [1, 2, 3]
    assert [row["number"] for row in taken] == expected


async def test_a_reserved_number_is_never_given(house: House) -> None:
    thread = (await house.ask("Mi vale C-1 y mi vale C-3"))["thread_id"]
    assert house.question == "Mi vale C-1 y mi vale C-3"
    await house.ask("¿Y María López, Otoniel Ibarrola?", thread=thread)
    assert house.question == "¿Y C-2, C-4?"


async def test_only_in_the_members_own_question_is_a_token_the_token(house: House) -> None:
    thread = (await house.ask("María López"))["thread_id"]
    await house.sql("INSERT INTO crm.messages (tenant_id, conversation_id, body) VALUES (1, 100, 'la clave es c‑1')")
    house.script([calls(("read_messages", {"contact": "c‑1"})), "ok"])
    await house.ask("¿Y c‑1?", thread=thread)
    assert house.question == "¿Y C-1?"
    assert "la clave es X-1" in house.last[-1]["content"]


@pytest.mark.parametrize(
    "reply",
    [
        "C-1 y c‑2 son los mejores",
        calls(("show_contact", {"contact": "C-1"}), ("find_contacts", {"label": "de C-2"})),
        calls(("list_team", "[C-2"), text="**C-1**"),
        calls(("list_team", {"C-1": {"x": ["C-2"]}})),
    ],
    ids=["answer", "arguments", "text beside calls", "keys"],
)
async def test_a_token_that_the_model_invents_is_never_given(house: House, reply: Any) -> None:
    house.script([reply, "ok"])
    thread = (await house.ask("hola"))["thread_id"]
    house.script(["ok"])
    await house.ask("¿Y María López y Otoniel Ibarrola?", thread=thread)
    assert not re.search(r"C-[12]\b", house.question)
    assert len(re.findall(r"C-\d+", house.question)) == 2


async def test_a_flood_of_look_alikes_takes_three_hundred_numbers_and_the_rest_is_masked(house: House) -> None:
    thread = (await house.ask(" ".join(f"K-{number}" for number in range(1, 401))))["thread_id"]
    assert house.question.count("[código]") == 100
    assert len(await house.sql("SELECT FROM velo.tokens WHERE state = 'reserved'")) == 300
    await house.ask("¿y?", thread=thread)
    assert_prefix_stable(house)


async def test_a_flood_does_not_use_up_the_reservations_of_what_the_model_invents(house: House) -> None:
    house.script(["C-1 y C-2 son los mejores"])
    thread = (await house.ask(" ".join(f"K-{number}" for number in range(1, 401))))["thread_id"]
    await house.ask("¿y María López?", thread=thread)
    assert not re.search(r"\bC-[12]\b", house.question)


async def test_a_customers_flood_of_taken_numbers_still_comes_back_or_is_masked(house: House) -> None:
    await house.sql("INSERT INTO crm.messages (tenant_id, conversation_id, body) VALUES (1, 100, $1)", "[nombre 1] " * 40 + " ".join(f"C-{n}" for n in range(1, 9)) * 40)
    house.script([calls(("read_messages", {"contact": "C-1"})), "ok"])
    await house.ask("María López y María Huenchumán")
    assert not re.search(r"\bC-2\b", house.last[-1]["content"].partition("body")[2].partition('"contact"')[0])


async def test_a_placeholder_with_a_desert_inside_does_not_stop_the_turn(house: House) -> None:
    await house.sql("INSERT INTO crm.messages (tenant_id, conversation_id, body) VALUES (1, 100, $1)", "[" + " " * 600 + "nombre 1]")
    house.script([calls(("read_messages", {"contact": "C-1"})), "ok"])
    assert (await house.ask("María López"))["message"]["text"] == "ok"


async def test_a_label_that_looks_like_a_token_comes_back_as_written(house: House) -> None:
    await house.sql("INSERT INTO crm.labels (tenant_id, id, name) VALUES (1, 1, 'VIP C-1')")
    await house.sql("INSERT INTO crm.contact_labels (tenant_id, contact_id, label_id) VALUES (1, 1, 1)")
    house.script([calls(("show_contact", {"contact": "C-1"})), "Su etiqueta es VIP X-1."])
    assert (await house.ask("¿Qué etiqueta tiene María López?"))["message"]["text"] == "Su etiqueta es VIP C-1."
    assert '"labels":["VIP X-1"]' in house.last[-1]["content"]


@pytest.mark.parametrize("closed", ["https://a.example/C-1", "[x](C-1)", "![C-1](y)", "www.a.example?C-1", "a.example/C-1", "[1]: C-1", "a@C-1", "src=C-1"])
async def test_nothing_is_put_into_a_url_an_image_or_a_link_target(house: House, closed: str) -> None:
    house.script([f"C-1 está en {closed} hoy"])
    answer = await house.ask("María López")
    assert answer["message"]["text"] == f"María López está en {closed} hoy"
