"""Whole turns over every preset: the question is asked, the tool reads, the answer comes back, and nobody's name has left."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

import httpx2
import pytest

from assistant.http.auth import sign
from assistant.job import Parts
from assistant.model.openai_client import OpenAIModel
from assistant.settings import Settings
from assistant.turns import Turns
from assistant.wiring import wired
from db.crm import PRESETS
from db.pool import Database
from db.roles import logins
from tests.db.crm.worlds import World
from tests.house import NOW, House
from tests.model_endpoint import calls
from tools.permissions import Actor, Role

#: What must never leave: names, phones, e-mails, ids of the house, in any spelling that the texts use.
SECRETS: Sequence[str] = (
    "lópez", "lopez", "huenchumán", "ibarrola", "zulema", "pacheco", "valentina", "aravena", "bruno", "quiñelén", "gaspar", "otoniel",
    "61234567", "6123 4567", "12.345.678", "123456785", "correo.example", "tienda.example", "p-1", "t-100",
)  # fmt: skip


@dataclass
class Turned(House):
    """Turns over a preset's CRM."""

    preset: str = "demo"

    def restart(self) -> None:
        model = OpenAIModel.at("http://model.test/v1", "key", transport=self.endpoint.transport())
        parts = Parts(self.database, model, lambda: NOW, freshens=PRESETS[self.preset].freshens)
        self.turns = Turns(parts, model="scripted", software="test")

    async def actor(self, name: str, role: Role, tenant: int = 1) -> Actor:
        """The member of this name."""
        async with self.database.tenant(tenant, read_only=True) as connection:
            return Actor(tenant, await connection.fetchval("SELECT id FROM crm.members WHERE name = $1", name), role)

    def leaked(self, *more: str) -> list[str]:
        """What of the secrets stands in any byte that was sent."""
        sent = self.endpoint.text.casefold()
        return [secret for secret in (*SECRETS, *more) if secret in sent]


@pytest.fixture
async def turned(world: World, dsn: str) -> AsyncIterator[Turned]:
    database, owner = await Database.open(logins(dsn).app), await Database.open(logins(dsn).owner)
    yield Turned(database, owner, preset=world.preset)
    await database.close()
    await owner.close()


async def test_a_person_is_asked_about_and_nothing_of_theirs_leaves(turned: Turned) -> None:
    turned.script([calls(("read_messages", {"contact": "C-1"})), "C-1 escribió; su teléfono es C-1.phone."])
    told = await turned.ask("¿Qué dijo María López?", actor=await turned.actor("Valentina Aravena", Role.ADMIN))
    assert turned.leaked() == []
    assert "C-1" in turned.question
    assert told["message"]["text"].startswith("María López escribió; su teléfono es ")
    assert "61234567" in told["message"]["text"].replace(" ", "")
    assert [step["status"] for step in told["steps"]] == ["ok"]
    assert "[nombre" in turned.last[-1]["content"]


async def test_an_agent_is_told_nothing_of_a_person_in_another_inbox(turned: Turned) -> None:
    turned.script(["¿Quién es?"])
    await turned.ask("¿Qué dijo Otoniel Ibarrola?", actor=await turned.actor("Bruno Quiñelén", Role.AGENT))
    assert turned.leaked() == []
    assert "C-1" not in turned.question
    assert "[nombre 1]" in turned.question


async def test_a_member_of_another_account_knows_nobody_here(turned: Turned) -> None:
    turned.script([calls(("find_contacts", {})), "Nada."])
    actor = await turned.actor("Iracema Valadares", Role.ADMIN, tenant=2)
    await turned.ask("¿Qué dijo María López?", actor=actor)
    assert "C-1" not in turned.question
    assert turned.leaked("valadares", "benício") == []


async def test_a_person_added_between_two_turns_is_known_in_the_second(turned: Turned, world: World, dsn: str) -> None:
    actor = await turned.actor("Valentina Aravena", Role.ADMIN)
    turned.script(["Bien."])
    thread = (await turned.ask("¿Qué dijo María López?", actor=actor))["thread_id"]
    await world.add(dsn, "Quiteria Manquepán", phone="+56 9 5555 1234")
    await turned.ask("¿Y Quiteria Manquepán? Llama del 9 5555 1234", actor=actor, thread=thread)
    assert turned.leaked("quiteria", "manquepán", "5555") == []
    assert "C-2" in turned.question


async def test_a_person_added_while_the_model_thinks_is_masked_in_what_the_tool_reads(turned: Turned, world: World, dsn: str) -> None:
    actor = await turned.actor("Valentina Aravena", Role.ADMIN)
    turned.script(["Bien."])
    thread = (await turned.ask("¿Qué dijo María López?", actor=actor))["thread_id"]
    await world.add(dsn, "Xilonen Tlapali")
    await world.say(dsn, "María López", "Hablé con xilonen tlapali ayer", inbox="Soporte")
    turned.script([calls(("read_messages", {"contact": "C-1"})), "Listo."])
    await turned.ask("¿Y ahora?", actor=actor, thread=thread)
    assert "ayer" in turned.last[-1]["content"]
    assert turned.leaked("xilonen", "tlapali") == []


async def test_a_rename_between_two_turns_masks_the_old_and_the_new_name(turned: Turned, world: World, dsn: str) -> None:
    actor = await turned.actor("Valentina Aravena", Role.ADMIN)
    turned.script(["C-1 escribió."])
    thread = (await turned.ask("¿Qué dijo María López?", actor=actor))["thread_id"]
    await world.call(dsn, "María López", "Marisol Quezada")
    told = await turned.ask("¿Es la misma Marisol Quezada que María López?", actor=actor, thread=thread)
    assert turned.leaked("quezada", "marisol") == []
    assert told["message"]["text"] == "Marisol Quezada escribió."


async def test_after_a_merger_the_token_shows_the_survivor(turned: Turned, world: World, dsn: str) -> None:
    actor = await turned.actor("Valentina Aravena", Role.ADMIN)
    turned.script(["C-1 escribió."])
    thread = (await turned.ask("¿Qué dijo María López?", actor=actor))["thread_id"]
    await world.merge(dsn, "María López", "Rosa Luz")
    told = await turned.ask("¿Y su número 9 6123 4567?", actor=actor, thread=thread)
    assert turned.leaked() == []
    assert told["message"]["text"] == "Rosa Luz escribió."


async def test_the_whole_application_starts_and_answers_over_it(turned: Turned, world: World, dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the offline model, over HTTP: what the member reads has the names, and what was sent has none."""
    monkeypatch.setenv("VELO_CRM", world.preset)
    actor = await turned.actor("Bruno Quiñelén", Role.AGENT)
    secret = "c81f4d0a6b2e9357" * 4
    headers = {"authorization": f"Bearer {sign(secret, tenant_id=1, member_id=actor.member_id, now=time.time())}"}
    async with (
        wired(Settings(demo=True, serving=True), dsn=dsn, jwt_secret=secret) as application,
        httpx2.AsyncClient(transport=httpx2.ASGITransport(application), base_url="http://127.0.0.1:8000", timeout=30) as client,
    ):
        answer = await client.post("/api/assistant/messages", json={"text": "¿Qué escribió María López?"}, headers=headers)
        veiled = await client.get(f"/api/assistant/turns/{answer.json()['turn_id']}/veiled", headers=headers)
    assert "María López" in answer.json()["message"]["text"]
    assert [secret for secret in SECRETS if secret in veiled.text.casefold()] == []
    assert "C-1" in veiled.text
