"""What the terminal shows: text that cannot move the cursor, and the record of a turn laid out to be read.

What is shown comes from a model and from customers: everything that could move the cursor, colour the screen or turn the writing around is
taken out first.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from assistant.cli_words import CHAT

_TURNING = frozenset("\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_RESULT = re.compile(r"(<\w+>)(\{.*\})(</\w+>)", re.DOTALL)


def clean(text: str) -> str:
    """The text without control characters (but line breaks and tabs) and without those that turn the writing around."""
    kept = (c for c in text if c in "\n\t" or (unicodedata.category(c) not in ("Cc", "Cs") and c not in _TURNING))
    return "".join(kept)


def dimmed(text: str, *, terminal: bool) -> str:
    """A label, paler than what it labels where there is a terminal."""
    return f"\x1b[2m{text}\x1b[0m" if terminal else text


def emphasised(text: str, marks: Sequence[Mapping[str, Any]], *, terminal: bool) -> str:
    """A text to be shown, with whoever it names stronger where there is a terminal."""
    if not terminal:
        return clean(text)
    parts, at = [], 0
    for mark in sorted(marks, key=lambda mark: int(mark["start"])):
        if mark["start"] >= at and mark.get("ids"):
            parts += [clean(text[at : mark["start"]]), f"\x1b[1m{clean(text[mark['start'] : mark['end']])}\x1b[22m"]
            at = mark["end"]
    return "".join([*parts, clean(text[at:])])


class Screen:
    """Where a chat is written to; it knows whether a line is begun."""

    def __init__(self, write: Callable[[str], object], *, terminal: bool = False) -> None:
        self._write = write
        self._terminal = terminal
        self._begun = False

    def put(self, text: str, marks: Sequence[Mapping[str, Any]] = ()) -> None:
        """Goes on with the line."""
        if text:
            self._write(emphasised(text, marks, terminal=self._terminal))
            self._begun = not text.endswith("\n")

    def label(self, text: str) -> None:
        """Goes on with the line, paler."""
        self._write(dimmed(clean(text), terminal=self._terminal))
        self._begun = True

    def fresh(self) -> None:
        """Ends the line, if one is begun."""
        if self._begun:
            self._write("\n")
        self._begun = False

    def line(self, text: str) -> None:
        """A line of its own."""
        self.fresh()
        self._write(f"{text}\n")


def readable(record: Mapping[str, Any], *, everything: bool, language: str, terminal: bool) -> Iterator[str]:
    """Each call of a turn: the messages that were new to the model, and what it answered.

    Those of earlier turns went again with the first call; they are shown if ``everything`` is asked for.
    """
    say = CHAT[language]
    first = record["calls"][0]["request"]["messages"] if record["calls"] else []
    question = max((place for place, message in enumerate(first) if message["role"] == "user"), default=0)
    seen = 0 if everything else question
    for call in record["calls"]:
        messages = call["request"]["messages"]
        title = say["call"].format(ordinal=call["ordinal"], status=say.get("broken" if call["status"] == "cut" else call["status"], call["status"]))
        before = f": {say['before'].format(count=seen)}" if call is record["calls"][0] and seen else ""
        yield ""
        yield dimmed(clean(f"── {title}{before}"), terminal=terminal)
        for message in messages[seen:]:
            yield from _labelled(message["role"], _told(message, say), terminal=terminal)
        seen = len(messages)
        yield from _labelled("→", _spoken(call["response"] or {}), terminal=terminal)


def _labelled(label: str, text: str, *, terminal: bool) -> Iterator[str]:
    first, *others = clean(text).split("\n")
    mark = label if label == "→" else f"{label}:"
    yield f"{dimmed(clean(mark), terminal=terminal)} {first}".rstrip()
    yield from others


def _told(message: Mapping[str, Any], say: Mapping[str, str]) -> str:
    text = _spoken(message)
    if message["role"] == "system":
        return f"{text.partition(chr(10))[0]} {say['always'].format(count=len(text))}"
    result = _RESULT.fullmatch(text) if message["role"] == "tool" else None
    return "\n".join(_laid_out(*result.groups())) if result else text


def _laid_out(opening: str, body: str, closing: str) -> Iterator[str]:
    """A tool's result, one field or one row on a line."""
    try:
        fields = json.loads(body)
    except ValueError:
        fields = None
    if not isinstance(fields, dict):
        yield f"{opening}{body}{closing}"
        return
    yield opening
    for name, value in fields.items():
        if isinstance(value, list) and value:
            yield f"  {name}:"
            yield from (f"    {json.dumps(row, ensure_ascii=False)}" for row in value)
        else:
            yield f"  {name}: {json.dumps(value, ensure_ascii=False)}"
    yield closing


def _spoken(message: Mapping[str, Any]) -> str:
    calls = [call.get("function", call) for call in message.get("tool_calls") or message.get("calls") or ()]
    shown = [f"{call.get('name')}({call.get('arguments') or ''})" for call in calls]
    return "\n".join(part for part in (message.get("content") or message.get("text"), *shown) if part)
