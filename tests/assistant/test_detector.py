"""A server with a second net for names (VELO_NER): what leaves, what is not read twice, what happens without its model."""

from __future__ import annotations

import pytest

from assistant.errors import SettingsError
from assistant.job import Parts
from assistant.model.openai_client import OpenAIModel
from assistant.settings import read_settings
from assistant.turns import Turns
from assistant.wiring import detector_of
from tests.house import NOW, House
from tests.veil.test_detectors import Broken, Scripted
from veil import ner, veiling
from veil.detectors import Detector
from veil.errors import DetectorMissing


def serve_with(house: House, detector: Detector | None) -> None:
    model = OpenAIModel.at("http://model.test/v1", "key", transport=house.endpoint.transport())
    house.turns = Turns(Parts(house.database, model, lambda: NOW, detector), model="scripted", software="test")


async def test_whom_only_the_detector_sees_does_not_leave(house: House) -> None:
    serve_with(house, Scripted("Xarquimbo"))
    await house.ask("¿y el pedido de Xarquimbo para María López?")
    sent = house.endpoint.received[-1].json["messages"][-1]["content"]
    assert sent.endswith("¿y el pedido de [nombre 1] para C-1?")


async def test_history_is_not_shown_to_it_again_and_travels_as_before(house: House) -> None:
    detector = Scripted("Xarquimbo", "Yutrenque")
    serve_with(house, detector)
    thread = (await house.ask("¿y el pedido de Xarquimbo?"))["thread_id"]
    await house.ask("¿y el de Yutrenque?", thread=thread)
    assert detector.shown == ["¿y el pedido de Xarquimbo?", "¿y el de Yutrenque?"]
    first, second = (request.json["messages"] for request in house.endpoint.received)
    assert second[: len(first)] == first


async def test_switched_on_later_it_leaves_what_has_left_as_it_was(house: House) -> None:
    """What has left is masked further by what the thread knows, never by a guess: the provider has it already."""
    thread = (await house.ask("¿y el pedido de Xarquimbo?"))["thread_id"]
    detector = Scripted("Xarquimbo")
    serve_with(house, detector)
    await house.ask("¿y el pedido de Yutrenque?", thread=thread)
    first, second = (request.json["messages"] for request in house.endpoint.received)
    assert second[: len(first)] == first
    assert detector.shown == ["¿y el pedido de Yutrenque?"]
    rows = await house.sql("SELECT marks->>'version' AS version FROM velo.messages WHERE role = 'user' ORDER BY id")
    assert [row["version"] for row in rows] == [veiling.version(detector)] * 2


async def test_a_stranger_whom_it_saw_is_masked_late_where_it_had_left(house: House) -> None:
    thread = (await house.ask("¿y el pedido de Xarquimbo?"))["thread_id"]
    serve_with(house, Scripted("Xarquimbo"))
    await house.ask("¿y el otro de Xarquimbo?", thread=thread)
    await house.ask("¿y ahora?", thread=thread)
    assert "Xarquimbo" not in str(house.endpoint.received[-1].json)


async def test_what_it_cannot_read_is_not_sent_and_the_next_turn_works(house: House) -> None:
    serve_with(house, Broken())
    await house.failed("¿y el pedido de Xarquimbo?")
    assert house.endpoint.received == []
    serve_with(house, None)
    await house.ask("¿y María López?")
    assert len(house.endpoint.received) == 1


def test_it_is_off_unless_the_settings_ask_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VELO_NER", raising=False)
    assert detector_of(read_settings()) is None


def test_nothing_starts_without_the_model_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> ner.Rampart:
        raise DetectorMissing("the model for names is not installed")

    monkeypatch.setenv("VELO_NER", "on")
    monkeypatch.setattr(ner, "load", missing)
    with pytest.raises(SettingsError, match="VELO_NER: the model for names is not installed"):
        detector_of(read_settings())


def test_the_switch_is_on_or_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VELO_NER", "yes")
    with pytest.raises(SettingsError, match="VELO_NER: must be 'on' or 'off'"):
        read_settings()
