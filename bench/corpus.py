"""The shared corpus, where it is there: its scorer in both modes beside the peers that are set up, and names of people whom no CRM knows."""

import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.crm import Tenant
from bench.passes import READER, desk_over
from veil import ner
from veil.detectors import Detector
from veil.errors import DetectorMissing
from veil.text import Marked, Source

_OUT = Path(__file__).parent / "out"
_MODES = ("memory", "postgres")
#: Peers that are run where their environments are set up; the plain regex pass needs none.
_PEERS = {"naive-combo": "floor", "presidio-tuned": "presidio"}
#: Labels of MEDDOCAN that the veil promises, by what they are called here.
_LABELS = {
    "NOMBRE_SUJETO_ASISTENCIA": "patients",
    "NOMBRE_PERSONAL_SANITARIO": "doctors",
    "CORREO_ELECTRONICO": "e-mails",
    "NUMERO_TELEFONO": "phones",
    "NUMERO_FAX": "phones",
}


def score(folder: Path, runs: int) -> str:
    """What the scorer says of the part ``dev``."""
    environment = os.environ  # noqa: TID251 (where the peers' environments are is said there)
    venvs = Path(environment.get("BENCH_VENVS", Path.cwd() / "venvs"))
    peers = [peer for peer, venv in _PEERS.items() if (venvs / venv / "bin" / "python").exists()]
    added = {"floor-re": f"{sys.executable} {folder / 'runners' / 'naive.py'} re"}
    added |= {f"velo-{mode}": f"{sys.executable} -m bench.runner {mode}" for mode in _MODES}
    if detector() is not None:
        added["velo-memory-ner"] = f"{sys.executable} -m bench.runner memory --ner"
    command = [sys.executable, str(folder / "run.py"), "--corpus", "dev", "--runs", str(runs), "--peers", ",".join(peers or added)]
    command += [argument for name, line in added.items() for argument in ("--add", f"{name}={line}")]
    _OUT.mkdir(exist_ok=True)
    told = {**environment, "BENCH_OUT": environment.get("BENCH_OUT", str(_OUT)), "BENCH_VENVS": str(venvs)}
    run = subprocess.run(command, env=told, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603 (the scorer that was named)
    return run.stdout


def detector() -> Detector | None:
    """The model of ``velo[ner]`` where it is installed."""
    try:
        return ner.load()
    except DetectorMissing:
        return None


async def meddocan(folder: Path, detector: Detector | None) -> list[tuple[str, ...]]:
    """The share of names, e-mails and phones of the documents that the veil masks whole, and that it masks in part, with an empty CRM.

    The last row counts the masks of persons that touch nothing which the documents label.
    """
    desk, _ = desk_over(Tenant(1, "Nobody", {"language": "es", "phone_regions": ["ES"], "id_countries": ["ES"]}))
    desk.setting = replace(desk.setting, detector=detector)
    beside = size = 0
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for line in (folder / "meddocan_train" / "train.jsonl").read_text(encoding="utf-8").splitlines():
        document = json.loads(line)
        await desk.begin(READER)
        marked = await desk.foreign(document["text"], ())
        hidden = set(_hidden(marked))
        beside += _beside(marked, document["spans"])
        size += len(document["text"])
        for span in document["spans"]:
            if label := _LABELS.get(span["label"]):
                signs = [place for place in range(span["start"], span["end"]) if document["text"][place].isalnum()]
                hits = len(hidden.intersection(signs))
                counts[label] = [one + more for one, more in zip(counts[label], (hits == len(signs), hits > 0, 1), strict=True)]
    shares = ((label, *(f"{100 * hit / of:.1f}" for hit in (whole, part)), str(of)) for label, (whole, part, of) in sorted(counts.items()))
    wrong = ("persons beside all labels", "", "", f"{beside} in {size} characters")
    return [("MEDDOCAN train", "whole %", "touched %", "of"), *shares, wrong]


def _beside(marked: Marked, labelled: list[dict[str, Any]]) -> int:
    persons = [mark for mark in marked.marks if mark.source in (Source.NAME, Source.PERSON)]
    return sum(not any(span["start"] < mark.end and mark.start < span["end"] for span in labelled) for mark in persons)


def _hidden(marked: Marked) -> Iterator[int]:
    for mark in marked.marks:
        if mark.rendering.strip() != marked.clear.text[mark.start : mark.end]:
            yield from range(mark.start, mark.end)
