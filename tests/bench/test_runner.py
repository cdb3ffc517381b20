"""The corpus runner speaks the scorer's protocol: one line for one line, spans in code points of the text that was asked about."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench import crm, runner

CRM = {
    "tenants": [
        {
            "id": "T-1",
            "locale": "es_CL",
            "name": "A house",
            "contacts": [
                {"id": "C-1", "name": "Quimey Ñancupil", "phone": "+56961234567", "email": "quimey.n@correo.example", "company": "Trevinca SpA"},
                {"id": "C-2", "name": "Rosa Antilef"},
            ],
            "team": [{"id": "U-1", "name": "Bruno Quiñelén"}],
            "inboxes": [{"id": "I-1", "name": "Soporte Norte"}],
            "campaigns": [{"id": "K-1", "name": "Cyber Day"}],
        }
    ]
}


@pytest.fixture
def crm_file(tmp_path: Path) -> Path:
    path = tmp_path / "crm.json"
    path.write_text(json.dumps(CRM), encoding="utf-8")
    return path


async def test_a_message_is_answered_with_what_the_veil_masks(crm_file: Path):
    text = "😀 soy quimey, mi fono es 9 6123 4567; pedido 12345"
    async with runner.running("memory", crm.read(crm_file)) as running:
        answer = await running.answer({"id": "m", "tenant": "T-1", "contact": "C-1", "text": text})
    assert "error" not in answer
    assert [text[span["start"] : span["end"]] for span in answer["spans"]] == ["quimey", "9 6123 4567"]
    assert answer["spans"][0]["token"] == "C-1"
    assert answer["ns"] > 0


async def test_a_conversation_keeps_one_token_and_is_shown_as_it_was_written(crm_file: Path):
    texts = ["¿Qué pasó con Quimey Ñancupil?", "Quimey escribió ayer desde +56 9 6123 4567.", "y antilef?", "Rosa Antilef no ha escrito."]
    turns = [{"role": "assistant" if place % 2 else "user", "text": text} for place, text in enumerate(texts)]
    async with runner.running("memory", crm.read(crm_file)) as running:
        answer = await running.answer({"type": "thread", "id": "t", "tenant": "T-1", "user": "U-1", "turns": turns})
    assert "error" not in answer
    assert answer["restored"] == texts
    assert [[span.get("token") for span in spans] for spans in answer["spans"]] == [["C-1"], ["C-1", None], ["C-2"], ["C-2"]]
    assert answer["unveiled"][2] == "y Rosa Antilef?"


async def test_a_question_that_cannot_be_answered_names_its_error(crm_file: Path):
    async with runner.running("memory", crm.read(crm_file)) as running:
        answer = await running.answer({"id": "m", "tenant": "T-9", "contact": None, "text": "hola"})
    assert answer["spans"] == []
    assert "T-9" in answer["error"]
