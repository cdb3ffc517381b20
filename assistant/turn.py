"""One turn without any I/O: what to ask, which tools to run, when to stop.

``turn`` is a generator: it yields ``AskModel`` and is sent a ``Reply``, yields ``RunTools`` and is sent nothing, and returns the reply whose
text is the answer. It owns the order of the steps and the caps of section 4.9 of the design; ``assistant.loop`` performs what it yields.
"""

from collections.abc import Generator
from dataclasses import dataclass

from assistant.model.port import Reply, ReplyCall

MODEL_CALLS = 5
CALLS_PER_REPLY = 8
CALLS_PER_TURN = 20
#: Ends of a reply after which its last call may be half of one: none is run.
_CUT = frozenset({"length", "content_filter"})


@dataclass(frozen=True, slots=True)
class AskModel:
    """Ask the model, with tools or without; ``ordinal`` counts the calls of this turn from 1."""

    ordinal: int
    tools: bool


@dataclass(frozen=True, slots=True)
class RunTools:
    """Run the first ``allowed`` calls of a reply, in order; the others get a result that says that they were not run."""

    text: str
    calls: tuple[ReplyCall, ...]
    allowed: int


Step = AskModel | RunTools


def turn() -> Generator[Step, Reply | None, Reply]:
    """The steps of a turn; returns the reply whose text is the answer."""
    left = CALLS_PER_TURN
    ordinal = 1
    while True:
        last = ordinal == MODEL_CALLS
        reply = yield AskModel(ordinal, tools=not last)
        if reply is None:
            raise RuntimeError("an AskModel is answered with a reply")
        if last or not reply.calls or reply.finish in _CUT:
            return reply
        # Calls beyond the caps are told "not run" one by one, but no more than would fit twice: a reply of 200 calls stays small.
        kept = reply.calls[: 2 * CALLS_PER_REPLY]
        allowed = min(len(kept), CALLS_PER_REPLY, left)
        left -= allowed
        yield RunTools(reply.text, kept, allowed)
        ordinal += 1
