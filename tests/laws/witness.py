"""What the law tests look with. Written without a line of the veil: it must not share the veil's mistakes.

A *canary* is a rare word of a name, or the letters and digits of a phone, e-mail or id. A text leaks it when it is
there in any writing: accents, case, separators, percent-encoding, HTML references, JSON escapes and characters that
nobody sees make no difference.
"""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any
from urllib.parse import unquote

from tests.house import House
from tests.model_endpoint import Received

#: What the house's people are known by: the rare words of their names, and their values.
CANARIES: dict[str, tuple[str, ...]] = {
    "María López": ("lopez", "61234567", "marialopezcorreo", "123456785"),
    "María Huenchumán": ("huenchuman", "72345678", "mhuencorreo"),
    "Otoniel Ibarrola": ("otoniel", "ibarrola", "83456789", "76543216"),
    "Zulema Pacheco": ("zulema", "pacheco", "zpcorreo"),
    "Valentina Aravena": ("valentina", "aravena"),
    "Bruno Quiñelén": ("quinelen", "brunotienda"),
    "Camila Ñancupil": ("nancupil",),
}
EVERYBODY = tuple(canary for canaries in CANARIES.values() for canary in canaries)

_JSON_ESCAPE = re.compile(r"\\+u([0-9a-fA-F]{4})")
_LATE = re.compile(r"\\\[(?:nombre|dato)\\\]")


def squashed(text: str) -> str:
    """Letters and digits only, in one spelling."""
    text = _JSON_ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)
    text = unicodedata.normalize("NFKD", unquote(html.unescape(text)))
    return "".join(character for character in text if character.isalnum()).casefold()


def leaked(text: str, canaries: Iterable[str] = EVERYBODY) -> set[str]:
    """The canaries that this text holds."""
    letters = squashed(text)
    return {canary for canary in canaries if canary in letters}


def sent(requests: Sequence[Received]) -> str:
    """All that left in these requests, as one text."""
    wire = "\n".join(request.wire.decode("utf-8", "replace") for request in requests)
    return wire + "\n" + "\n".join(json.dumps(request.json, ensure_ascii=False) for request in requests)


def leaked_by(house: House, canaries: Iterable[str] = EVERYBODY, *, since: int = 0) -> set[str]:
    """The canaries that left the house, from request number ``since`` on."""
    return leaked(sent(house.endpoint.received[since:]), canaries)


def is_prefix(earlier: bytes, later: bytes) -> bool:
    """Whether the messages and tools of a body are a byte prefix of another's."""
    (head, tools), (longer, same_tools) = _halves(earlier), _halves(later)
    return (longer == head or longer.startswith(head + b",")) and tools == same_tools


def _halves(body: bytes) -> tuple[bytes, bytes]:
    """The messages with their opening bracket, and the tools. A quote inside a text is escaped, so the marks are sure."""
    end = body.index(b'],"model":')
    tools = body.find(b'"tools":', end)
    return body[:end], body[tools:] if tools >= 0 else b""


def only_masked(earlier: bytes, later: bytes) -> int:
    """How many late masks part two bodies of one path; fails where they differ in anything else."""
    before, after = json.loads(earlier), json.loads(later)
    assert before["tools"] == after["tools"]
    assert len(before["messages"]) <= len(after["messages"])
    return sum(
        _masks(_text(old), _text(new)) for old, new in zip(before["messages"], after["messages"], strict=False) if old != new
    )


def _masks(old: str, new: str) -> int:
    masked = _LATE.sub(r".*?\\w.*?", re.escape(new))
    assert re.fullmatch(masked, old, re.DOTALL), "a text that had left was changed in another way than by a late mask"
    return len(re.findall(r"\[(?:nombre|dato)\]", new)) - len(re.findall(r"\[(?:nombre|dato)\]", old))


def _text(message: dict[str, Any]) -> str:
    return json.dumps(message, ensure_ascii=False, sort_keys=True)


def assert_prefix_stable(house: House, *, since: int = 0) -> None:
    """Each request from ``since`` on begins with the whole of the one before. For houses with a single thread."""
    bodies = house.endpoint.bodies[since:]
    for number, (earlier, later) in enumerate(pairwise(bodies), since + 1):
        assert is_prefix(earlier, later), f"request {number} is no continuation of the one before"
