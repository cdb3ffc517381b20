"""What the laws say of the bodies that were sent: prefixes that stay, and nothing of anybody in them."""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, takewhile
from typing import Any

from tests.laws.witness import squashed
from veil import lexicon

Body = Mapping[str, Any]

#: What may come to stand in a text that has left (law 9).
_BARE = re.compile(r"\[(?:nombre|nome|name|dato|dado|datum|contenido retenido)\]")
_WITHHELD = "[contenido retenido]"
_LETTERS = re.compile(r"[^\W\d_]+")
_SHORTEST = 6
_TOKENS = r"\b[A-Z]-\d+(?:\.[a-z_]+)?(?:\|[A-Z]-\d+(?:\.[a-z_]+)?)*"


def first_difference(left: Sequence[bytes], right: Sequence[bytes]) -> str | None:
    """Where two rows of bodies begin to differ, both sides; ``None`` when they are the same bytes."""
    for number, (one, other) in enumerate(zip(left, right, strict=False), 1):
        if one != other:
            return f"request {number}: {_difference(json.loads(one), json.loads(other))}"
    if len(left) != len(right):
        return f"{len(left)} requests against {len(right)}"
    return None


def _difference(one: Body, other: Body) -> str:
    for place, (left, right) in enumerate(zip(one["messages"], other["messages"], strict=False)):
        if left != right:
            return f"message {place}{_side_by_side(left, right)}"
    if len(one["messages"]) != len(other["messages"]):
        return f"{len(one['messages'])} messages against {len(other['messages'])}"
    return "all but the messages"


def _side_by_side(left: Body, right: Body) -> str:
    """Two messages from a little before the place where they part."""
    texts = [json.dumps(message, ensure_ascii=False) for message in (left, right)]
    start = max(0, sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*texts, strict=False))) - 200)
    return "".join(f"\n  {'…' if start else ''}{text[start : start + 500]}" for text in texts)


def broken_prefix(sent: Sequence[Body]) -> str | None:
    """The first request that does not begin with the messages and tools of the one before it, late masks and withheld texts aside."""
    for number, (before, after) in enumerate(pairwise(sent), 2):
        if before.get("tools") != after.get("tools"):
            return f"request {number} has other tools"
        if len(after["messages"]) < len(before["messages"]):
            return f"request {number} has fewer messages"
        for place, (old, new) in enumerate(zip(before["messages"], after["messages"], strict=False)):
            if not _grew_from(old, new):
                return f"request {number}, message {place}{_side_by_side(old, new)}"
    return None


def _grew_from(old: Body, new: Body) -> bool:
    """Whether a message is the one that was sent, or the same with bare masks over parts of its text."""
    if old == new:
        return True
    calls = old.get("tool_calls", ()), new.get("tool_calls", ())
    if len(calls[0]) != len(calls[1]):
        return False
    withheld = new["content"] == _WITHHELD
    pairs = [(old["content"], new["content"])]
    for was, now in zip(*calls, strict=True):
        if (was["id"], was["function"]["name"]) != (now["id"], now["function"]["name"]):
            return False
        if not withheld:
            pairs.append((was["function"]["arguments"], now["function"]["arguments"]))
    same = old["role"] == new["role"] and old.get("tool_call_id") == new.get("tool_call_id")
    return same and all(_is_masked(was, now) for was, now in pairs)


def _is_masked(old: str, new: str) -> bool:
    pattern = ".+?".join(map(re.escape, _BARE.split(new)))
    return re.fullmatch(pattern, old, re.DOTALL) is not None


def without_signals(messages: Sequence[Body], said: Iterable[str]) -> list[str]:
    """The messages with every mention, token or placeholder, and what was ``said`` in its place, as one and the same sign."""
    spoken = "|".join(map(re.escape, said))
    sign = re.compile(rf"{_TOKENS}|\[(?:nombre|documento|teléfono)(?: \d+)?\]" + (f"|{spoken}" if spoken else ""))
    return [sign.sub("◦", json.dumps(message, ensure_ascii=False)) for message in messages]


def leaks(sent: Sequence[Body], names: Mapping[str, int], values: Mapping[str, int]) -> list[str]:
    """The strong names and the values that stand in a message of a request of this number or later (system text and tools are constants)."""
    strong = {name: since for name, since in names.items() if _is_strong(name)}
    compact = {squashed(value): since for value, since in values.items() if len(squashed(value)) >= _SHORTEST}
    last = {text: number for number, body in enumerate(sent) for text in _texts(body)}
    found: dict[str, None] = {}
    for text, number in last.items():
        words = words_of(text)
        joined, letters = f" {' '.join(words)} ", squashed(text)
        found |= dict.fromkeys(word for word in words if strong.get(word, number + 1) <= number)
        found |= dict.fromkeys(name for name, since in strong.items() if " " in name and since <= number and f" {name} " in joined)
        found |= dict.fromkeys(value for value, since in compact.items() if since <= number and value in letters)
    return [*found]


def _texts(body: Body) -> Iterator[str]:
    for message in body["messages"][1:]:
        yield message["content"]
        for call in message.get("tool_calls", ()):
            yield call["function"]["arguments"]


def _is_strong(form: str) -> bool:
    """A form as the laws speak of it: whole names of two words or more, and single words that are neither short nor common."""
    words = [word for word in form.split() if word not in lexicon.PARTICLES]
    if len(words) > 1:
        return not all(map(lexicon.is_common, words))
    return len(words) == 1 and len(words[0]) > 2 and not lexicon.is_common(words[0])


def words_of(text: str) -> list[str]:
    """The words of a text, folded."""
    folded = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter)).lower()
    return _LETTERS.findall(folded)
