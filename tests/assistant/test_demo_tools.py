"""The demo asked for all else that it knows: notes, workload, companies, campaigns, deals, labels, in its three languages."""

from __future__ import annotations

import httpx2
import pytest

from tests.assistant.test_wiring import signed_in
from tests.laws.witness import leaked

#: Questions by tenant, with the tool that answers.
ASKED = {
    1: {
        "¿qué notas hay?": "read_notes",
        "¿quién tiene más carga?": "show_workload",
        "la carga de la bandeja Soporte": "show_workload",
        "¿qué empresas hay?": "find_companies",
        "¿qué pasó con Constructora Tecnoruil S.A.?": "show_company",
        "¿cómo van las campañas?": "list_campaigns",
        "¿qué negocios hay?": "find_deals",
        "¿cuánto suman los negocios?": "sum_deals",
        "¿qué etiquetas usamos?": "list_labels",
    },
    2: {
        "que notas há?": "read_notes",
        "quem tem mais carga?": "show_workload",
        "quais empresas temos?": "find_companies",
        "como vão as campanhas?": "list_campaigns",
        "quais negócios temos?": "find_deals",
        "quanto somam os negócios?": "sum_deals",
        "que etiquetas há?": "list_labels",
    },
    3: {
        "any notes?": "read_notes",
        "who has the most work?": "show_workload",
        "which companies are there?": "find_companies",
        "how are the campaigns doing?": "list_campaigns",
        "which deals are there?": "find_deals",
        "how much are the deals worth?": "sum_deals",
        "what labels do we use?": "list_labels",
    },
}
#: Members, contacts and companies whose names these answers show and whose names must not be in any byte that the model saw.
CANARIES = {
    1: ("olivares", "valentinaorellana", "tecnoruil", "quimelar", "urzua"),
    2: ("siqueira", "larissaazevedo", "norvelia", "nakamura", "daragao"),
    3: ("crawford", "caldwell", "heredia", "sanzdelgado", "omalley"),
}


@pytest.mark.parametrize(
    ("tenant", "question", "tool"), [(tenant, question, tool) for tenant, asked in ASKED.items() for question, tool in asked.items()]
)
async def test_each_is_answered_by_its_tool_and_no_name_leaves(velo: httpx2.AsyncClient, tenant: int, question: str, tool: str) -> None:
    headers = signed_in(1, tenant=tenant)
    answered = (await velo.post("/api/assistant/messages", json={"text": question}, headers=headers)).json()
    assert [(step["tool"], step["status"]) for step in answered["steps"]] == [(tool, "ok")]
    assert "\n- " in answered["message"]["text"]
    veiled = await velo.get(f"/api/assistant/turns/{answered['turn_id']}/veiled", headers=headers)
    assert leaked(veiled.text, CANARIES[tenant]) == set()
