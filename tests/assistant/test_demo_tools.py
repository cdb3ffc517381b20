"""The demo asked for everything else it knows: notes, workload, companies, campaigns, deals, labels, in its three languages."""

from __future__ import annotations

import httpx2
import pytest

from tests.assistant.test_wiring import signed_in

ASKED = {
    1: (
        "¿qué notas hay de Gabriela Fuentes?", "¿quién tiene más carga?", "la carga de la bandeja Soporte", "¿qué empresas hay?", "¿cómo van las campañas?",
        "¿qué negocios hay?", "¿cuánto suman los negocios?", "¿qué etiquetas usamos?",
    ),
    2: ("que notas há?", "quem tem mais carga?", "quais empresas temos?", "como vão as campanhas?", "quais negócios temos?", "quanto somam os negócios?", "que etiquetas há?"),
    3: ("any notes?", "who has the most work?", "which companies are there?", "how are the campaigns doing?", "which deals are there?", "how much are the deals worth?", "what labels do we use?"),
}  # fmt: skip


@pytest.mark.parametrize(("tenant", "question"), [(tenant, question) for tenant, questions in ASKED.items() for question in questions])
async def test_x(velo: httpx2.AsyncClient, tenant: int, question: str) -> None:
    answered = (await velo.post("/api/assistant/messages", json={"text": question}, headers=signed_in(1, tenant=tenant))).json()
    print("\nQ", question, [(s["tool"], s["status"]) for s in answered.get("steps", ())]); print(answered.get("message", answered)["text"] if "message" in answered else answered)
