"""The demo's tenant of Spain and the US, asked as people ask: the member reads names, and the model none of their spellings."""

from __future__ import annotations

import httpx2
import pytest

from tests.assistant.test_wiring import signed_in
from tests.laws.witness import leaked

#: What is asked, who is meant, and what of them and of others in their messages must not be in any byte that the model saw.
ASKED = {
    "nickname": ("What happened with Bob McAllister?", "Robert McAllister", ("mcallister", "mcalilster", "bobmc", "robert")),
    "misspelt": ("what happened with robert mcalister?", "Robert McAllister", ("mcallister", "mcalister", "robert")),
    "apostrophe": ("what did Liz O’Brien say?", "Elizabeth O'Brien", ("obrien", "elizabeth")),
    "file name": ("contrato_PilarGarcia_v2.pdf", "Pilar García Ruiz", ("pilargarcia", "garciaruiz", "garcia")),
    "particles": ("Qué dijo CARMEN DE LA CRUZ", "Carmen de la Cruz", ("carmen", "delacruz", "arroba")),
    "particles in capitals": ("what happened with Wallace Van Der Berg?", "Wallace van der Berg", ("wallace", "vanderberg")),
    "two surnames": ("resume lo de jimena fernandez-cano", "Jimena Fernández-Cano", ("jimena", "fernandez")),
    "two letters": ("what happened with Bo Li?", "Bo Li", ("boli",)),
    "Han script": ("¿qué pasó con 王小明?", "王小明", ("王小明", "小明", "xiaoming")),
    "its Latin form": ("Tell me about Hanako Watanabe", "渡辺花子", ("渡辺", "花子", "hanako", "watanabe")),
    "Arabic script": ("phone of محمد العلي", "محمد العلي", ("محمد", "العلي")),
    "Hebrew script": ("what did David Levi write?", "דוד לוי", ("דוד", "davidlevi")),
    "nickname in Spanish": ("¿Qué pasó con Lupe Sanz?", "Guadalupe Sanz Delgado", ("guadalupe", "lupe", "sanz")),
    "handle": ("what happened with @timothy_malley", "Timothy O'Malley", ("timothy", "malley", "sktest51", "salmon4471")),
    "possessive": ("What is Grace's phone?", "Grace Hayes", ("grace", "hayes")),
    "a verb": ("What happened with Will Foster?", "Will Foster", ("willfoster", "foster", "colemansays", "sutton")),
    "a place": ("¿Santiago de Chile o Santiago Castillo?", "Santiago Castillo", ("castillo",)),
}


@pytest.mark.parametrize(("question", "name", "canaries"), ASKED.values(), ids=ASKED)
async def test_the_member_reads_the_name_and_the_model_does_not(
    velo: httpx2.AsyncClient, question: str, name: str, canaries: tuple[str, ...]
) -> None:
    headers = signed_in(1, tenant=3)
    answered = (await velo.post("/api/assistant/messages", json={"text": question}, headers=headers)).json()
    assert name in answered["message"]["text"]
    veiled = await velo.get(f"/api/assistant/turns/{answered['turn_id']}/veiled", headers=headers)
    assert len(veiled.json()["calls"]) == 2
    assert leaked(veiled.text, canaries) == set()


async def test_a_name_that_is_a_word_stays_one_where_it_is_no_name(velo: httpx2.AsyncClient) -> None:
    headers = signed_in(1, tenant=3)
    answered = (await velo.post("/api/assistant/messages", json={"text": "I hope he will pay the bill in summer."}, headers=headers)).json()
    veiled = await velo.get(f"/api/assistant/turns/{answered['turn_id']}/veiled", headers=headers)
    assert "I hope he will pay the bill in summer." in veiled.text
