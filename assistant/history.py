"""The messages of a path and how they travel: re-veiled from what is stored, the same bytes every time, masks only added.

Questions and answers are stored clear with marks; tool calls and results veiled, as they were sent. Before each send both are read again
for what the thread has come to know; what is found in a text that has left is masked late (without a token) and noted.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from veil import guard, scrub
from veil.bearers import Index
from veil.glance import glance
from veil.late import late_marks, may_concern, outside, recheck
from veil.payload import Call, Constant, Message, Role
from veil.results import canonical_object, leaves, with_leaves
from veil.scrub import Hit
from veil.text import Mark, Marked, Source, Veiled, blanked
from veil.thread import ThreadMap
from veil.veiling import WITHHELD, Setting

#: The envelope of what comes from customers; the results inside cannot contain its border (``veil.results.dump``).
ENVELOPE = ("<datos>", "</datos>")
#: Stands between two questions when the first one got no answer: some models insist that roles alternate.
_NO_ANSWER = "—"
#: Arguments of at most this many characters are remembered.
_SHORT = 500


@dataclass(slots=True)
class Entry:
    """A stored message. ``marked`` for questions and answers, ``veiled`` for calls and results."""

    id: int
    role: str
    turn_id: int
    opening: str = ""
    marked: Marked | None = None
    veiled: Veiled | None = None
    calls: list[dict[str, str]] = field(default_factory=list)
    withheld: bool = False
    left: bool = False  # the provider has it, or wrote it
    version: str = ""  # of the detectors that last read a veiled text
    seen: int = -1  # the revision of the thread's map that this text was last read with
    changed: bool = False
    travelled: Message | None = None  # as it was last written, with its bytes

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "Entry":
        """The entry of a row of ``velo.messages``."""
        entry = cls(row["id"], row["role"], row["turn_id"], row["opening"] or "")
        entry.withheld = row["state"] == "withheld"
        entry.left = row["state"] != "stored"
        stored = row["marks"] if isinstance(row["marks"], dict) else {}
        if row["role"] in ("user", "assistant"):
            entry.marked = Marked.from_stored(row["text"], stored)
        else:
            entry.veiled = Veiled(row["text"])
            entry.version = stored.get("version", "")
            entry.calls = [{**call, "arguments": _whole(call["arguments"])} if "arguments" in call else call for call in row["calls"]]
        return entry

    def marks_to_json(self) -> dict[str, Any]:
        """What ``velo.messages.marks`` holds of this entry."""
        return self.marked.marks_to_json() if self.marked is not None else {"version": self.version}


class History:
    """The entries of one path, from the first question on."""

    def __init__(self, entries: Iterable[Entry], *, tool_names: frozenset[str]) -> None:
        self.entries = list(entries)
        self._tool_names = tool_names

    def remask(self, thread: ThreadMap, setting: Setting, *, revision: int) -> int:
        """Mask what the thread has come to know in texts that were read with less; gives how many late masks were added.

        A question or answer is not read here before it has left: ``veil.veiling.render`` masks it with tokens.
        """
        added = 0
        for entry in self.entries:
            if entry.seen != revision and not entry.withheld and (entry.left or entry.marked is None):
                added += _remask(entry, thread, setting)
                entry.seen = revision
        return added

    def messages(self) -> list[Message]:
        """The messages as they travel, every call with exactly one result."""
        return [message for message, _ in self._numbered()]

    def entry_of(self, number: int) -> Entry | None:
        """The entry behind the message of this number, if one is."""
        return [entry for _, entry in self._numbered()][number]

    def _numbered(self) -> Iterator[tuple[Message, Entry | None]]:
        waiting: list[str] = []  # calls without a result so far
        asked = False  # the last message is a question
        for entry in self.entries:
            if entry.role != "tool":
                for call in waiting:
                    yield Message(Role.TOOL, (Constant(WITHHELD),), answers=call), None
                waiting = []
            if entry.role == "user" and asked:
                yield Message(Role.ASSISTANT, (Constant(_NO_ANSWER),)), None
            if entry.role == "calls":
                waiting = [call["id"] for call in entry.calls]
            if entry.role == "tool":
                if entry.calls[0]["id"] not in waiting:
                    continue
                waiting.remove(entry.calls[0]["id"])
            asked = entry.role == "user"
            message = self._message(entry)
            if entry.travelled != message:
                entry.travelled = message
            yield entry.travelled, entry
        for call in waiting:
            yield Message(Role.TOOL, (Constant(WITHHELD),), answers=call), None

    def _message(self, entry: Entry) -> Message:
        if entry.marked is not None:
            sound = entry.marked.intact and bool(entry.marked.version) and not entry.withheld  # what was never veiled does not leave
            part = entry.marked.veiled() if sound else Constant(WITHHELD)
            if entry.role == "user":
                return Message(Role.USER, (Constant(entry.opening), part))
            return Message(Role.ASSISTANT, (part,))
        veiled = entry.veiled or Veiled("")
        if entry.role == "calls":
            calls = tuple(
                Call(call["id"], self._known(call["name"]), Veiled("{}" if entry.withheld else call["arguments"])) for call in entry.calls
            )
            return Message(Role.ASSISTANT, (Constant(WITHHELD),) if entry.withheld else (veiled,), calls)
        inner = Constant(WITHHELD) if entry.withheld else veiled
        return Message(Role.TOOL, (Constant(ENVELOPE[0]), inner, Constant(ENVELOPE[1])), answers=entry.calls[0]["id"])

    def _known(self, name: str) -> str:
        """The name of a tool of ours; what a model made up does not go back."""
        return name if name in self._tool_names else "unknown_tool"


def _whole(arguments: str) -> str:
    """Stored arguments as a JSON object, whatever a model wrote; nearly all are short, and come again with every turn."""
    return _short(arguments) if len(arguments) <= _SHORT else canonical_object(arguments)


_short = lru_cache(maxsize=2_048)(canonical_object)


def _remask(entry: Entry, thread: ThreadMap, setting: Setting) -> int:
    version = setting.version
    if entry.marked is not None:
        if not entry.marked.intact:
            return 0
        fresh = entry.marked.version != version
        bare = blanked(entry.marked.clear.text, ((mark.start, mark.end) for mark in entry.marked.marks))
        if not fresh and not may_concern(bare, thread.names, thread.values):
            return 0
        late = late_marks(entry.marked.clear, entry.marked.marks, thread.names, thread, setting, scrubbed=not fresh)
        if late or fresh:
            entry.marked = replace(entry.marked.with_marks(late), version=version)
            entry.changed = True
        return len(late)
    fresh = entry.version != version
    count = 0
    veiled = entry.veiled or Veiled("")
    written = [veiled.text, *(call.get("arguments", "") for call in entry.calls)]
    if not fresh and not any(may_concern(text, thread.names, thread.values, json=True) for text in written):
        return 0
    text, found = recheck_json(veiled.text, thread, setting, scrubbed=not fresh, keys=entry.role == "calls")
    count += found
    arguments = [recheck_json(call.get("arguments", ""), thread, setting, scrubbed=not fresh, keys=True) for call in entry.calls]
    count += sum(found for _, found in arguments)
    if count or fresh:
        entry.veiled = Veiled(text)
        entry.calls = [
            {**call, "arguments": new} if "arguments" in call else call for call, (new, _) in zip(entry.calls, arguments, strict=True)
        ]
        entry.version = version
        entry.changed = True
    return count


def hits_after(earlier: Sequence[Entry], text: str, thread: ThreadMap, setting: Setting) -> tuple[list[Hit], int]:
    """What the detectors find in a question, also where the member cut a value over it and the question before.

    The part in the earlier question has left; it is masked late, and the second value says how many masks that were.
    """
    hits = scrub.find(text, setting.region)
    before = next((entry for entry in reversed(earlier) if entry.role == "user" and entry.left), None)
    if before is None or before.marked is None or not before.marked.version:
        return hits, 0
    clear = before.marked.clear
    cut, rest = scrub.find_cut(clear.text, text, setting.region)
    late = late_marks(clear, before.marked.marks, Index(), thread, setting, scrubbed=True, hits=cut)
    if late:
        before.marked, before.changed = before.marked.with_marks(late), True
    return scrub.merge(hits + rest), len(late)


def recheck_json(text: str, thread: ThreadMap, setting: Setting, *, scrubbed: bool, keys: bool = False) -> tuple[str, int]:
    """A veiled text with what must be masked in it now, string by string where it is JSON; byte for byte the same when nothing is."""
    replaced: dict[str, str] = {}
    count = 0
    for leaf in leaves(text, keys=keys):
        if scrubbed and not glance(leaf).may_hold(thread.names, thread.values):
            continue
        veiled, found = recheck(Veiled(leaf), thread, setting, scrubbed=scrubbed)
        if found:
            replaced[leaf] = veiled.text
            count += found
    return (with_leaves(text, replaced), count) if replaced else (text, 0)


def mask(entry: Entry, hit: guard.Hit, setting: Setting) -> int:
    """Mask what the guard found, in place; gives how many spans that were."""
    entry.changed = True
    if entry.marked is None:
        masked = hit.text
        for start, end in reversed(hit.spans):
            masked = masked[:start] + setting.words.datum + masked[end:]
        text = (entry.veiled or Veiled("")).text
        entry.veiled = Veiled(masked if text == hit.text else with_leaves(text, {hit.text: masked}))
        entry.calls = [
            {**call, "arguments": with_leaves(call["arguments"], {hit.text: masked})} if "arguments" in call else call for call in entry.calls
        ]
        return len(hit.spans)
    clear = [span for start, end in hit.spans if (span := entry.marked.clear_span(start, end)) is not None]
    late = [
        Mark(start, end, setting.words.datum, Source.GUARD, late=entry.left)
        for span in clear
        for start, end in outside(*span, entry.marked.marks)
    ]
    entry.marked = entry.marked.with_marks(late)
    return len(late)
