"""The second net: what a detector is shown, how far it is followed, and that it only ever adds masks (laws 1, 8, 9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.veil.people import ES, contact, contacts, index_of, live, thread_of
from tests.veil.test_veiling import Pass
from veil import detectors, veiling
from veil.bearers import Index
from veil.detectors import Sighting
from veil.names import Reading
from veil.thread import surfaces

#: Surnames that no table has.
RARE = ("Xarquimbo", "Yutrenque")
#: What the detector reads where somebody was found.
SOMEBODY = "María García"


class Scripted:
    """Sees these words, this sure, and remembers what it was shown."""

    version = "scripted-1"

    def __init__(self, *words: str, score: float = 1.0) -> None:
        self._words = words
        self._score = score
        self.shown: list[str] = []

    def find(self, text: str) -> Sequence[Sighting]:
        self.shown.append(text)
        return [Sighting(text.index(word), text.index(word) + len(word), self._score) for word in self._words if word in text]


class Sanguine:
    """Takes everything for a name, letter by letter."""

    version = "sanguine-1"

    def find(self, text: str) -> Sequence[Sighting]:
        return [Sighting(place, place + 1, 1.0) for place in range(len(text))]


class Broken:
    """Fails each time."""

    version = "broken-1"

    def find(self, text: str) -> Sequence[Sighting]:
        raise RuntimeError("no memory")


def veiled(text: str, detector: detectors.Detector, index: Index | None = None) -> str:
    return Pass(text, contacts("Otoniel Ibarrola") if index is None else index, own=(), setting=replace(ES, detector=detector)).veiled


# --- what it is shown ---------------------------------------------------------------------------------------------------------------------


def test_it_reads_a_stand_in_wherever_something_was_found_and_its_sightings_are_led_back() -> None:
    detector = Scripted(*RARE)
    text = "Otoniel Ibarrola llamó al 9 6123 4567 por Xarquimbo, x.y@correo.example, y por Yutrenque"
    assert veiled(text, detector) == "C-1 llamó al [teléfono] por [nombre 1], [correo], y por [nombre 2]"
    assert detector.shown == [f"{SOMEBODY} llamó al 0 por Xarquimbo, 0, y por Yutrenque"]


def test_twins_show_it_the_same_text() -> None:
    one, other = Scripted("Xarquimbo"), Scripted("Xarquimbo")
    texts = [
        veiled("Otoniel Ibarrola y Otoniel mandan a Xarquimbo", one),
        veiled("Anacleto Quiroz y Anacleto mandan a Xarquimbo", other, contacts("Anacleto Quiroz")),
    ]
    assert one.shown == other.shown
    assert texts[0] == texts[1] == "C-1 y C-1 mandan a [nombre 1]"


def test_a_known_name_and_an_unknown_one_are_the_same_to_it() -> None:
    one, other = Scripted("Xarquimbo"), Scripted("Xarquimbo")
    veiled("manda Pedro Gómez a Xarquimbo", one, contacts("Pedro Gómez"))
    veiled("manda Pedro Gómez a Xarquimbo", other, Index())
    assert one.shown == other.shown


def test_characters_that_nobody_sees_do_not_cut_a_name_for_it() -> None:
    detector = Scripted("Xarquimbo")
    assert veiled("llamó Xar\u2060quimbo", detector) == "llamó [nombre 1]"
    assert detector.shown == ["llamó Xarquimbo"]


@pytest.mark.parametrize("text", ["¿cuándo llega mi pedido 4521?", "gracias, todo bien", "llamó Otoniel Ibarrola al 9 6123 4567", "", "😀 12:30"])
def test_it_is_not_asked_where_no_word_could_be_a_name(text: str) -> None:
    detector = Scripted()
    veiled(text, detector)
    assert detector.shown == []


# --- how far it is followed ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "seen", "rendered"),
    [
        pytest.param("llegó con Xarquimbo Yutrenque ayer", RARE, "llegó con [nombre 1] ayer", id="two words in a row are one name"),
        pytest.param("llegó con Xarquimbo de la Yutrenque", RARE, "llegó con [nombre 1]", id="with particles between"),
        pytest.param("llegó con Xarquimbo, Yutrenque y yo", RARE, "llegó con [nombre 1], [nombre 2] y yo", id="a comma parts two"),
        pytest.param("Xarquimbo vino; después XARQUIMBO", ("Xarquimbo", "XARQUIMBO"), "[nombre 1] vino; después [nombre 1]", id="share a number"),
        pytest.param("llamó Pedro Gómez Verde", ("Verde",), "llamó [nombre 1]", id="a common word beside a stranger is theirs"),
        pytest.param("Apellidos: Cuesta Gómez", ("Cuesta", "Gómez"), "Apellidos: [nombre 1]", id="also one before, behind a colon"),
        pytest.param("vino Otoniel Ibarrola Verde", ("Verde",), "vino C-1 [nombre 1]", id="beside somebody known, whose token stays"),
        pytest.param("dile a urpillay", ("urpillay",), "dile a [nombre 1]", id="small behind a cue"),
        pytest.param("lo retira urpillay chambiqui hoy", ("urpillay", "chambiqui"), "lo retira [nombre 1] hoy", id="small, two of them"),
    ],
)
def test_what_it_sees_is_masked(text: str, seen: tuple[str, ...], rendered: str) -> None:
    assert veiled(text, Scripted(*seen)) == rendered


@pytest.mark.parametrize(
    ("score", "rendered"),
    [(0.6, "con Xarquimbo y [nombre 1]"), (0.9, "con [nombre 1] y [nombre 2]")],
)
def test_a_name_of_one_word_needs_a_surer_detector(score: float, rendered: str) -> None:
    class Both(Scripted):
        def find(self, text: str) -> Sequence[Sighting]:
            return [
                Sighting(place, place + len(word), score)
                for word in (*RARE, "Xarquizal")
                for place in range(len(text))
                if text.startswith(word, place)
            ]

    assert veiled("con Xarquimbo y Yutrenque Xarquizal", Both()) == rendered


@pytest.mark.parametrize(
    "text",
    [
        "la factura vence el 3 de marzo",
        "Gracias, el Pedido llegó",
        "lo mando a Valparaíso",
        "vivo en calle Xarquimbo 123",
        "Av. Xarquimbo 77, depto 4",
        "es en Xarquimbo 1203",
        "me deben 16 xarquimbos",
        "mi termo Xarquimbo",
        "un tratamiento con XARQUIMBO diario",
        "la radiografía xarquimbo-yutrenque",
        "xarquimbo yutrenque",
    ],
)
def test_what_must_stay_stays_even_if_it_takes_everything_for_a_name(text: str) -> None:
    assert veiled(text, Sanguine()) == text


@given(
    st.lists(st.sampled_from([*RARE, "Otoniel Ibarrola", "Otoniel", "y", "de", "Verde", "9 6123 4567", "C-7", ",", ".", "\n", "María"]), max_size=9)
)
def test_it_only_adds_masks(words: list[str]) -> None:
    """Whatever it sees: what was a token before is the same token, and nothing that was masked is bare."""
    text = " ".join(words)
    index = contacts("Otoniel Ibarrola")
    before, after = (Pass(text, index, own=(), setting=replace(ES, detector=detector)).run() for detector in (None, Sanguine()))
    kept = {(mark.start, mark.end): mark.rendering for mark in after.marks}
    for mark in before.marks:
        covering = [other for other in after.marks if other.start <= mark.start and mark.end <= other.end]
        assert covering
        if mark.entities:
            assert kept[mark.start, mark.end] == mark.rendering


# --- versions, and what goes wrong --------------------------------------------------------------------------------------------------------


def test_marks_say_which_detector_has_read_a_text() -> None:
    assert veiling.version() == veiling.version(None)
    assert veiling.version(Scripted()).startswith(veiling.version())
    assert len({veiling.version(), veiling.version(Scripted()), veiling.version(Sanguine())}) == 3


def test_a_text_is_not_read_without_the_detector_that_fails() -> None:
    setting = replace(ES, detector=Broken())
    with pytest.raises(RuntimeError):
        veiling.read("con Xarquimbo", Index(), thread_of(), setting, reading=Reading.TEXT)


def test_a_stranger_whom_it_saw_keeps_its_mask_in_the_thread() -> None:
    """The words of a mark are forms of the thread from then on, so the detector need not see them again."""
    first = Pass("llamó Xarquimbo", Index(), own=(), setting=replace(ES, detector=Scripted("Xarquimbo"))).run()
    thread = thread_of(live(contact(1), 1), names=index_of([]) | surfaces([first]))
    assert Pass("¿y xarquimbo?", Index(), thread, own=(), setting=replace(ES, detector=Scripted())).veiled == "¿y [nombre 1]?"
