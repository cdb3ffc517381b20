"""The cut of long threads: when a history grows over what the model can take in, its oldest turns no longer travel.

The cut falls far below the limit, so that it is rare: each one changes the beginning of what is sent (law 9), and providers' caches with it.
Whole turns go, so that no tool call is parted from its result. Nothing is forgotten for masking: that reads the whole thread.
"""

from collections.abc import Sequence
from typing import Final

from assistant.history import Entry
from assistant.threads import SQL
from assistant.workspace import Workspace
from db.pool import Connection, Row

#: Parts of the context setting: a history over the first is cut to the second (DESIGN 4.8).
CUT_OVER: Final = 0.6
CUT_TO: Final = 0.3

#: A low guess, so that the limit is never met late: Spanish and Portuguese have about 3.5 characters a token, JSON about 3.
CHARACTERS_PER_TOKEN: Final = 3
#: Keys, quotes and names of a message as it is sent, in characters.
_FRAME: Final = 60


async def cut(work: Workspace, connection: Connection, path: Sequence[Row], entries: list[Entry]) -> list[Entry]:
    """The entries of a path that travel: those from the last cut on, or from a new one. A cut is stored with the turn."""
    begin = max((row["history_from"] or 0 for row in path), default=0)
    kept = [entry for entry in entries if entry.id >= begin]
    if _tokens(kept) > CUT_OVER * work.parts.context:
        kept = _newest(kept, round(CUT_TO * work.parts.context))
    dropped = len(entries) - len(kept)
    if dropped:
        work.calls_before = sum(len(entry.calls) for entry in entries[:dropped] if entry.role == "calls")
        work.outcome.dropped = sum(entry.role == "user" for entry in entries[:dropped])
        await connection.execute(SQL["set_history_from"], work.job.actor.tenant_id, work.job.turn_id, kept[0].id)
    return kept


def _newest(entries: list[Entry], budget: int) -> list[Entry]:
    """The newest whole turns that fit; the last one whatever its size."""
    starts = [place for place, entry in enumerate(entries) if entry.role == "user"]
    fitting = (start for start in starts if _tokens(entries[start:]) <= budget)
    return entries[next(fitting, starts[-1]) :]


def _tokens(entries: Sequence[Entry]) -> int:
    """How many tokens messages take, guessed."""
    return sum(_size(entry) for entry in entries) // CHARACTERS_PER_TOKEN


def _size(entry: Entry) -> int:
    """The characters of a message as it travels: nothing may be cut by the length of a name. A question that is not veiled yet counts as none."""
    text = ""
    if entry.marked is not None and entry.marked.version:
        text = entry.marked.veiled().text
    elif entry.veiled is not None:
        text = entry.veiled.text
    return len(text) + _FRAME + sum(len(call.get("arguments", "")) + _FRAME for call in entry.calls)
