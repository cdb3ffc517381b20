"""What somebody who set out to break the veil got through once, from the outside: the question, the messages, the model's own words."""

from __future__ import annotations

import json

import pytest

from tests.house import House
from tests.laws.witness import leaked, leaked_by
from tests.model_endpoint import calls

READ = calls(("read_messages", {"contact": "C-1"}))

#: Otoniel Ibarrola and María de la Cruz Ñancupil in writings that customers, logs and handles have.
WRITTEN = {
    "plural": "los ibarrolas",
    "spelt with dots": "se escribe i.b.a.r.r.o.l.a",
    "spelt with dashes": "I-B-A-R-R-O-L-A",
    "spelt with blanks": "I b a r r o l a",
    "JSON escape": '{"n": "Mar\\u00eda de la Cruz \\u00d1ancupil"}',
    "JSON escape, escaped again": '{"n": "{\\"n\\": \\"\\\\u00d1ancupil\\"}"}',
    "behind an escaped line break": "nota\\nIbarrola\\tOtoniel",
    "handle with particles": "@mariadelacruz",
    "together with particles": "mariadelacruznancupil",
    "together, small": "otonielibarrola",
}
CANARIES = ("ibarrola", "nancupil", "mariadelacruz")

#: Pairs of messages of one writer; the second value is what must still be read in them.
BORDERS = (
    (("Dile que llame", "perengano77@otra.example"), ("Dile que llame",)),
    (("Son 40 sillas", "perengano77@otra.example y gracias"), ("40 sillas", " y gracias")),
    (("La clave que uso es Gatito2024!", "El enlace no abre"), ("El enlace no abre",)),
    (("Vale $239.550", "961234567"), ("$239.550",)),
)


async def cruz(house: House) -> None:
    """One more contact of the house, with particles in her name."""
    await house.sql("INSERT INTO crm.contacts (tenant_id, id, name) VALUES (1, 70, 'María de la Cruz Ñancupil')")


@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)
async def test_a_name_in_the_question_is_masked_in_every_writing_once_it_has_a_token(house: House, written: str) -> None:
    await cruz(house)
    first = await house.ask("¿Qué sabes de Otoniel Ibarrola y de María de la Cruz Ñancupil?")
    await house.ask(f"Anota esto: {written}", thread=first["thread_id"])
    assert not leaked_by(house, CANARIES)


@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)
async def test_a_name_in_a_message_is_masked_in_every_writing(house: House, written: str) -> None:
    await cruz(house)
    await house.sql("INSERT INTO crm.messages (tenant_id, id, conversation_id, body) VALUES (1, 2000, 102, $1)", f"Hola: {written}")
    house.script([READ, "Listo."])
    await house.ask("¿Qué escribió Otoniel Ibarrola? ¿Y María de la Cruz Ñancupil?")
    assert not leaked_by(house, CANARIES)


@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)
async def test_the_models_own_writing_of_a_name_does_not_go_back(house: House, written: str) -> None:
    await cruz(house)
    house.script([calls(("find_contacts", {"label": written}), text=written), written])
    first = await house.ask("¿Qué sabes de Otoniel Ibarrola y de María de la Cruz Ñancupil?")
    house.script(["Listo."])
    await house.ask("¿Y ahora?", thread=first["thread_id"])
    travelled = json.dumps([message for message in house.last if message["role"] == "assistant"], ensure_ascii=False)
    assert travelled.count("[nombre]") >= 3  # spoken text, argument, answer
    assert not leaked(travelled, CANARIES)


@pytest.mark.parametrize(("bodies", "stays"), BORDERS)
async def test_a_value_that_is_whole_takes_nothing_of_its_neighbour(house: House, bodies: tuple[str, ...], stays: tuple[str, ...]) -> None:
    for number, body in enumerate(bodies):
        await house.sql("INSERT INTO crm.messages (tenant_id, id, conversation_id, body) VALUES (1, $1, 102, $2)", 2000 + number, body)
    house.script([READ, "Listo."])
    await house.ask("¿Qué escribió Otoniel Ibarrola?")
    results = " ".join(message["content"] for message in house.last if message["role"] == "tool")
    assert [text for text in stays if text not in results] == []
    assert not leaked_by(house, ("perengano77", "gatito2024", "61234567"))


@pytest.mark.parametrize("between", [" ", "  ", "\n", "\t", ", ", ";", "|", "/", " - "])
async def test_cards_side_by_side_are_each_a_card(house: House, between: str) -> None:
    await house.ask(f"Me dio 5500 0000 0000 0004{between}4111 1111 1111 1111 hoy")
    assert not leaked_by(house, ("5500000000000004", "4111111111111111"))
    assert house.question.count("[tarjeta]") == 2
