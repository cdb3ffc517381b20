"""Law 2: once somebody is minted in a thread, nothing that names them leaves any more, in whatever writing, renamed or not."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import tools.run
from assistant import calls as calls_of_tools
from assistant import loop
from assistant.turn import RunTools
from assistant.workspace import Workspace
from tests.house import AGENT_OF_SALES, AGENT_OF_SUPPORT, House
from tests.laws.memory import SETTING, Memory
from tests.laws.witness import CANARIES, assert_prefix_stable, leaked, leaked_by, only_masked
from tests.model_endpoint import calls
from veil.bearers import Index
from veil.late import late_marks, recheck
from veil.scrub import Sort
from veil.text import Clear, Marked, Veiled
from veil.tokens import find

#: A person's names in every writing that the design's Forms paragraph names.
WRITTEN = {
    "as it is": "Otoniel Ibarrola",
    "upper case": "OTONIEL IBARROLA",
    "lower case": "otoniel ibarrola",
    "one word": "ibarrola",
    "the words turned round": "Ibarrola, Otoniel",
    "camel case": "OtonielIbarrola",
    "camel case, small": "otonielIbarrola",
    "underscore": "otoniel_ibarrola",
    "hyphen": "Otoniel-Ibarrola",
    "line break": "Otoniel\nIbarrola",
    "digits behind": "Ibarrola2026",
    "digits before": "2026ibarrola",
    "percent-encoded": "Huenchum%C3%A1n",
    "percent-encoded space": "Otoniel%20Ibarrola",
    "HTML reference": "Huenchum&aacute;n",
    "accent apart": unicodedata.normalize("NFD", "Huenchumán"),
    "no accent": "HUENCHUMAN",
    "another accent": "Íbárrôlà",
    "zero width": "Ota\u200bniel".replace("a", "") + " Ibar\u2060rola",
    "soft hyphen": "Ibar\u00adrola",
    "full width": "Ｏｔｏｎｉｅｌ",
    "Markdown": "**Otoniel** _Ibarrola_",
    "brackets": "[Otoniel](Ibarrola)",
    "mention": "@ibarrola",
    "hashtag": "#OtonielIbarrola",
    "path": "/clientes/otoniel-ibarrola/ficha",
    "query": "https://crm.example/c?nombre=Ibarrola&y=1",
    "file": "ibarrola_contrato.pdf",
    "unknown e-mail": "otoniel.ibarrola@otra.example",
    "possessive": "Ibarrola's",
    "stranger's surname": "Otoniel Perenguez",
    "phone": "+56983456789",
    "phone, spaced": "9 8345 6789",
    "phone, dashes": "(9) 8345-6789",
    "phone, no code": "83456789",
    "phone, full width": "９８３４５６７８９",
    "phone, zero width": "9834\u200b56789",
    "e-mail": "OTONIEL@correo.example",
    "id": "7.654.321-6",
    "id, bare": "76543216",
    "id, spaced": "7 654 321 - 6",
}
VALUES = {"+56983456789": Sort.PHONE, "otoniel@correo.example": Sort.EMAIL, "76543216": Sort.ID}
WATCHED = (*CANARIES["Otoniel Ibarrola"], *CANARIES["María Huenchumán"])


@pytest.mark.parametrize("part", range(4))
async def test_no_writing_of_a_minted_person_leaves_wherever_it_comes_up(house: House, part: int) -> None:
    writings = list(WRITTEN.values())[part::4]
    for number, written in enumerate(writings, 1):
        await house.sql("INSERT INTO crm.messages (tenant_id, conversation_id, body) VALUES (1, 101, $1)", f"Vino {written} ayer")
        await house.sql("INSERT INTO crm.labels (tenant_id, id, name) VALUES (1, $1, $2)", number, f"de {written}")
        await house.sql("INSERT INTO crm.contact_labels (tenant_id, contact_id, label_id) VALUES (1, 2, $1)", number)
    thread = (await house.ask("¿Qué pasó con Otoniel Ibarrola y María Huenchumán?"))["thread_id"]
    for written in writings[::2]:
        other = writings[writings.index(written) - 1]
        house.script(
            [
                calls(
                    ("read_messages", {"contact": "C-2"}),
                    ("show_contact", {"contact": "C-2"}),
                    ("find_contacts", {"label": f"de {written}"}),
                    ("find_contacts", {f"de {other}": 1}),
                    ("find_contacts", f"de {written}"),
                    (f"de {other}"[:64], {"contact": written}),
                    text=f"Busco a {other}.",
                ),
                f"C-1 es {written}, o «{other}».",
            ]
        )
        await house.ask(f"¿Y de {written}, qué? ¿O de {other}?", thread=thread)
        house.restart()
    assert not leaked_by(house, WATCHED)


ENDS = st.sampled_from(["", " ", "_", ".", ",", "-", "/", "1", "\n", "%20", "'", "\u200b", "😀", "[", "]", "(", "|", "@", "#", "&", "’", '"', "日", "«", "\t", "*"])


@given(before=st.text(max_size=8), opened=ENDS, closed=ENDS, after=st.text(max_size=8), written=st.sampled_from(list(WRITTEN.values())))
@example(before="[nombre 1", opened="]", closed="[", after="dato]", written="Ibarrola")
@example(before="C-", opened="1", closed="", after="", written="Ibarrola")
@example(before="x@", opened=".", closed="/", after="", written="otoniel")
@example(before="", opened="", closed="", after="", written="Otoniel&#32;Ibarrola")
def test_no_surroundings_hide_a_name(before: str, opened: str, closed: str, after: str, written: str) -> None:
    text = before + (opened or " ") + written + (closed or " ") + after
    memory = Memory("Otoniel Ibarrola", "María Huenchumán", values=VALUES)
    seen = leaked(before + after, WATCHED)
    assert leaked(memory.veiled(text), WATCHED) <= seen
    assert leaked(_late(memory, text), WATCHED) <= seen
    if not find(text, anywhere=True):  # in a veiled text the tokens are ours: half a number in one is no number
        assert leaked(recheck(Veiled(text), memory.thread, SETTING, scrubbed=True)[0].text, WATCHED) <= seen


def _late(memory: Memory, text: str) -> str:
    """A text that had left, when its names become known."""
    marked = Marked.of(Clear(text), (), "")
    late = late_marks(marked.clear, (), memory.thread.names | Index(), memory.thread, SETTING, scrubbed=True)
    return marked.with_marks(late).veiled().text


@given(gaps=st.lists(st.sampled_from(["", " ", "-", ".", "\u00a0", "\u200b", "–", "/", ") ", "\t"]), min_size=7, max_size=7), before=ENDS | st.just("fono"), after=ENDS | st.just("x"))
def test_no_separators_hide_a_value(gaps: list[str], before: str, after: str) -> None:
    digits = "83456789"
    written = "".join(digit + gap for digit, gap in zip(digits, [*gaps, ""], strict=True))
    if after == "1" or (before == "1" and gaps[0]):
        return  # a longer number is another number
    memory = Memory("Otoniel Ibarrola", values={"+56983456789": Sort.PHONE})
    assert digits not in "".join(filter(str.isdigit, memory.veiled(f"al {before}{written}{after} ya")))


async def test_a_name_that_travelled_before_it_was_anybodys_is_masked_when_it_is_minted(house: House) -> None:
    house.script([calls(("read_messages", {"contact": "C-1"}), text="leo lo de casimiro antipan"), "casimiro antipan vino"])
    await house.sql("INSERT INTO crm.messages (tenant_id, conversation_id, body) VALUES (1, 100, 'vino casimiro antipan, clave AB-7741-Z')")
    thread = (await house.ask("¿María López pidió casimiro antipan?"))["thread_id"]
    before = len(house.endpoint.received)
    assert leaked_by(house, ["casimiro"]), "nobody knew that name"
    await house.sql("INSERT INTO crm.contacts (tenant_id, id, name, national_id) VALUES (1, 60, 'Casimiro Antipan', 'AB-7741-Z')")
    house.script(["ok"])
    answer = await house.ask("¿Y Casimiro Antipan?", thread=thread)
    assert not leaked_by(house, ["casimiro", "antipan", "ab7741z"], since=before)
    assert house.question == "¿Y C-2?"
    masks = only_masked(house.endpoint.bodies[before - 1], house.endpoint.bodies[before])
    assert masks == 4
    assert answer["late_masks"] == 5, "one is in the answer, which had not been sent back yet"
    await house.ask("¿y?", thread=thread)
    assert_prefix_stable(house, since=before)


@pytest.mark.parametrize("written", ["cas\u200bimiro anti\u00adpan", "cas\u200bimiroAntipan", "C-1-casimiro C-9_antipan", "9 7777 1234antipan", "[dato]casimiro[dato]antipan"])
async def test_a_name_broken_by_older_marks_is_masked_when_it_is_minted(house: House, written: str) -> None:
    thread = (await house.ask(f"¿María López es amiga de {written}?"))["thread_id"]
    await house.sql("INSERT INTO crm.contacts (tenant_id, id, name) VALUES (1, 60, 'Casimiro Antipan')")
    await house.ask("¿Y Casimiro Antipan?", thread=thread)
    assert not leaked_by(house, ["casimiro", "antipan"], since=1)


async def test_somebody_whom_a_result_brings_in_is_masked_in_the_texts_before_it(house: House) -> None:
    """In writings that the guard, which reads more plainly, would not find."""
    await house.sql("INSERT INTO crm.labels (tenant_id, id, name) VALUES (1, 1, 'pedido casimiroAntipan')")
    await house.sql("INSERT INTO crm.contact_labels (tenant_id, contact_id, label_id) VALUES (1, 1, 1)")
    house.script([calls(("show_contact", {"contact": "C-1"})), "ok"])
    thread = (await house.ask("¿María López pidió casimiroAntipan?"))["thread_id"]
    await house.sql("INSERT INTO crm.contacts (tenant_id, id, name) VALUES (1, 60, 'Casimiro Antipan')")
    house.script([calls(("find_contacts", {}), text="busco"), "ok"])
    await house.ask("¿y?", thread=thread)
    last = len(house.endpoint.received) - 1
    assert leaked_by(house, ["casimiroantipan"], since=last - 1), "nobody was minted yet"
    assert not leaked_by(house, ["casimiro", "antipan"], since=last)


async def test_a_new_name_is_masked_also_where_it_was_written_before_the_rename(house: House) -> None:
    thread = (await house.ask("¿Otoniel Ibarrola conoce a casimiro antipan?"))["thread_id"]
    before = len(house.endpoint.received)
    await house.sql("UPDATE crm.contacts SET name = 'Casimiro Antipan', phone = '+56955512345' WHERE id = 3")
    house.restart()
    await house.ask("¿Y Otoniel? ¿y CASIMIRO? ¿y el 9 5551 2345 o el 983456789?", thread=thread)
    assert not leaked_by(house, [*WATCHED, "casimiro", "antipan", "55512345"], since=before)
    assert house.question.startswith("¿Y C-1? ¿y C-1? ¿y el C-1.phone")


@pytest.mark.parametrize("change", ["delete", "merge", "hide", "rename twice"])
async def test_what_becomes_of_an_entity_between_turns_uncovers_nothing(house: House, change: str) -> None:
    house.script([calls(("read_messages", {"contact": "C-1"})), "C-1 es Otoniel; llama al C-1.phone."])
    thread = (await house.ask("¿Qué pasó con Otoniel Ibarrola?", actor=AGENT_OF_SALES))["thread_id"]
    statements = {
        "delete": ["DELETE FROM crm.contacts WHERE id = 3"],
        "merge": ["SELECT crm.merge_contacts(3, 5)"],
        "hide": ["UPDATE crm.conversations SET inbox_id = 1 WHERE contact_id = 3"],
        "rename twice": ["UPDATE crm.contacts SET name = 'Casimiro Antipan' WHERE id = 3", "UPDATE crm.contacts SET name = 'Rosa', aliases = '{Perenguez}' WHERE id = 3"],
    }[change]
    for statement in statements:
        await house.sql(statement)
    for text in ("¿y Otoniel?", "OTONIEL IBARROLA otra vez", "ibarrola, casimiro y perenguez", "¿zulema pacheco?", "¿Y C-1?"):
        house.restart()
        house.script([calls(("read_messages", {"contact": "C-1"}), ("find_contacts", {"label": "otoniel"}), text="Otoniel"), "Otoniel Ibarrola, C-1"])
        await house.ask(text, thread=thread, actor=AGENT_OF_SALES)
    watched = CANARIES["Otoniel Ibarrola"] + CANARIES["Zulema Pacheco"] + (("casimiro", "perenguez") if change == "rename twice" else ())
    assert not leaked_by(house, watched)


async def test_the_map_is_reloaded_whoever_may_see_it(house: House) -> None:
    """A value that no detector knows and a name that no look-up of the question can find: only the thread's own map covers them."""
    thread = (await house.ask("¿Otoniel Ibarrola vende casimiro antipan, anexo 4471-QZ?", actor=AGENT_OF_SALES))["thread_id"]
    before = len(house.endpoint.received)
    await house.sql("UPDATE crm.contacts SET name = 'Casimiro Antipan', national_id = '4471-QZ' WHERE id = 3")
    await house.sql("UPDATE crm.conversations SET inbox_id = 1 WHERE contact_id = 3")
    await house.ask("¿y?", thread=thread, actor=AGENT_OF_SALES)
    assert not leaked_by(house, ["casimiro", "antipan", "4471qz"], since=before)


async def test_a_deleted_person_stays_masked_where_the_thread_masked_them(house: House) -> None:
    thread = (await house.ask("¿Qué pasó con otoniel ibarrola?"))["thread_id"]
    await house.sql("DELETE FROM crm.contacts WHERE id = 3")
    house.script(["no sé quién es otoniel ibarrola"])
    await house.ask("¿y otoniel ibarrola? ¿y ibarrola?", thread=thread)
    await house.ask("¿y?", thread=thread)
    assert not leaked_by(house, ["otoniel", "ibarrola"])


async def test_an_agent_names_somebody_of_another_inbox_and_nothing_is_minted(house: House) -> None:
    await house.ask("¿Qué pasó con Otoniel Ibarrola, 983456789?", actor=AGENT_OF_SUPPORT)
    assert house.question == "¿Qué pasó con [nombre 1], [teléfono]?"
    minted = await house.sql("SELECT kind, number FROM velo.tokens WHERE state = 'live'")
    assert [(row["kind"], row["number"]) for row in minted] == [("U", 1)]
    house.script([calls(("show_contact", {"contact": "C-1"})), "ok"])
    await house.ask("¿C-1?", actor=AGENT_OF_SUPPORT)
    assert json.loads(house.last[-1]["content"][7:-8]) == {"error": "C-1 no existe."}


async def test_what_customers_write_names_hidden_people_without_minting_them(house: House) -> None:
    await house.sql("INSERT INTO crm.messages (tenant_id, conversation_id, body) VALUES (1, 100, 'Otoniel Ibarrola me debe; dile a Zulema Pacheco')")
    house.script([calls(("read_messages", {"contact": "C-1"})), "ok"])
    await house.ask("María López", actor=AGENT_OF_SUPPORT)
    assert "[nombre 1] me debe; dile a C-2" in house.last[-1]["content"]
    assert not leaked_by(house)


@pytest.mark.parametrize("text", ["Pedro Gómez le debe a Juan Toro, y Pedro Gómez lo sabe", "PEDRO GÓMEZ le debe a Juan Toro, y Pedro Gomez lo sabe"])
async def test_equal_strangers_share_a_number_and_different_ones_do_not(house: House, text: str) -> None:
    await house.ask(f"{text}. Otoniel Ibarrola no.", actor=AGENT_OF_SUPPORT)
    assert house.question == "[nombre 1] le debe a [nombre 2], y [nombre 1] lo sabe. [nombre 3] no."


async def test_a_result_is_cut_after_it_is_veiled(house: House) -> None:
    """Cut before, half a name or half a phone would be left, which nothing recognises."""
    for number in range(12):
        body = "x" * (9 * number) + " Otoniel Ibarrola, fono 9 8345 6789, " * 30
        await house.sql("INSERT INTO crm.messages (tenant_id, conversation_id, body) VALUES (1, 100, $1)", body)
    house.script([calls(("read_messages", {"contact": "C-1"})), "ok"])
    await house.ask("María López")
    result = house.last[-1]["content"]
    assert len(result) <= 4_000 + len("<datos></datos>")
    assert '"truncated":true' in result
    for piece in ("otoni", "ibarr", "8345"):
        assert piece not in result.casefold()
    assert not json.loads(result[7:-8])["messages"][0]["body"].rstrip("…").endswith(("[", "C", "C-", "[teléfono", "[nombre"))


async def test_fifty_turns_with_changes_in_between_leak_nothing(house: House) -> None:
    names = ["Otoniel Ibarrola", "Casimiro Antipan", "Wenceslao Ojedano", "Hermelinda Catrinao", "Eufrasio Llanquin"]
    thread = None
    for turn in range(50):
        name = names[turn // 10]
        if turn % 10 == 0 and turn:
            await house.sql("UPDATE crm.contacts SET name = $1, phone = $2 WHERE id = 3", name, f"+5698345678{turn // 10}")
        if turn % 3 == 0:
            house.script([calls(("read_messages", {"contact": "C-1"}), ("list_team", {})), f"{name} es C-1, U-2 y C-{turn + 2}"])
        else:
            house.script([f"{names[turn % 5].upper()} y C-1"] if turn > 40 else ["C-1"])
        spelled = [name, name.upper(), name.replace(" ", "_"), names[turn // 10 - 1] if turn > 9 else name.lower(), "¿y?"][turn % 5]
        answer = await house.ask(f"¿Y {spelled}, Zulema Pacheco?", thread=thread)
        thread = answer["thread_id"]
    known = [word.casefold() for name in names for word in name.split()]
    assert not leaked_by(house, [*known, *CANARIES["Zulema Pacheco"], "8345678", "76543216", "quinelen", "aravena"])
    assert_prefix_stable(house)


async def test_somebody_renamed_in_the_middle_of_a_turn_is_masked_at_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    run = calls_of_tools.run_tools

    async def renamed_before(work: Workspace, step: RunTools, **doors: Any) -> None:
        await house.sql("UPDATE crm.contacts SET name = 'Wilkomir Zentaru' WHERE tenant_id = 1 AND id = 3")
        await run(work, step, **doors)

    monkeypatch.setattr(loop, "run_tools", renamed_before)
    house.script([calls(("show_contact", {"contact": "C-1"})), "ok"])
    await house.ask("otoniel ibarrola conoce a wilkomir zentaru")
    first, last = (request.body.decode().lower() for request in house.endpoint.received)
    assert "wilkomir" in first
    assert "wilkomir" not in last


@pytest.mark.parametrize("glued", ["cafe\u0301Kurupill", "™Kurupill", "ⓐKurupill", "a\ufe0fKurupill", "user kurupillantilef", "rosa\u200bKurupill"])
async def test_a_name_learnt_late_is_masked_whatever_is_glued_to_it(house: House, glued: str) -> None:
    thread = (await house.ask(f"hablé de {glued} ayer con Otoniel Ibarrola"))["thread_id"]
    await house.sql("UPDATE crm.contacts SET name = 'Kurupill Antilef' WHERE tenant_id = 1 AND id = 3")
    await house.ask("¿y ahora?", thread=thread)
    assert "urupill" not in house.endpoint.received[-1].body.decode()


async def test_a_result_of_a_batch_is_read_again_before_it_leaves(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    await house.sql("INSERT INTO crm.messages (tenant_id, conversation_id, body) VALUES (1, 100, 'vi la rosa blanca de nieves')")
    run = tools.run.run

    async def renamed_before_the_second(name: str, *arguments: Any, **more: Any) -> Any:
        if name == "show_contact":
            await house.sql("UPDATE crm.contacts SET name = 'Nieves Rosa Blanca' WHERE tenant_id = 1 AND id = 1")
        return await run(name, *arguments, **more)

    monkeypatch.setattr(calls_of_tools, "run", renamed_before_the_second)
    house.script([calls(("read_messages", {"contact": "C-1"}), ("show_contact", {"contact": "C-1"})), "ok"])
    await house.ask("¿qué pasó con María López?")
    assert "rosa blanca" not in house.endpoint.received[-1].body.decode()


async def test_what_is_minted_by_a_question_masks_the_rest_of_it(house: House) -> None:
    await house.ask("su usuario es otonielibarrola IBARROLAOTONIEL de Otoniel")
    assert "ibarrola" not in house.question.lower()


async def test_a_name_as_a_key_in_what_the_model_says_beside_its_calls_is_masked(house: House) -> None:
    house.script(["ok", calls(("list_team", {}), text='{"Otoniel Ibarrola": 1}'), "ok"])
    thread = (await house.ask("¿Y Otoniel Ibarrola?"))["thread_id"]
    await house.ask("¿y el equipo?", thread=thread)
    assert "Ibarrola" not in house.endpoint.received[-1].body.decode()
