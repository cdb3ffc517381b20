"""Reads a streamed chat completion as vendors really write it: events in, pieces of text out, and in the end the reply.

``Answer`` does no I/O. For every way of streaming an answer it gives the ``Reply`` that ``assistant.model.reply`` reads from the same answer in
one body, and the pieces that ``take`` and ``close`` give are, joined, its text. What it allows for:

* usage-only chunks, Azure's first chunk without a choice, ``choices`` and ``delta`` that are null; a whole ``message`` instead of deltas;
* only choice 0 is read; reasoning is not part of the answer; a refusal is heard at the end, since it counts only where no content came;
* pieces of calls belong together by index, else by id, else by order. A piece with a name begins a new call where the index was used before:
  some servers number all calls 0, others give each piece of one call another id, or repeat id and name in each piece;
* an error in mid-stream, a chunk that is no JSON object: the answer has failed, and what came before is all there is of it;
* the end is a finish reason, or ``[DONE]`` where none was given. A stream that just stops was cut.
"""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import httpx2

from assistant.errors import ModelError, ModelMalformed, ModelUnavailable
from assistant.model.port import Reply, ReplyCall, Usage
from assistant.model.reply import LENGTH, LONGEST, arguments_of, called, clean, cut, failure_of, finish_of, mapping, text_of, usage_of, whole

#: A single event longer than this, in bytes, is no chunk of a completion: the longest text fits in even where every letter is escaped.
LONGEST_EVENT = 2**22

_DONE = "[DONE]"
_WIRE = httpx2.Request("POST", "http://model.invalid")
# A stream of events is UTF-8 whatever the server's header says, and a mark of the byte order before it counts for nothing.
_EVENTS = {"content-type": "text/event-stream; charset=utf-8-sig"}


def events(chunks: AsyncIterator[bytes]) -> AsyncIterator[httpx2.ServerSentEvent]:
    """The events in a body, in whatever pieces it comes.

    The parser is httpx2's: it knows every line ending in every cut, comments and fields without a blank. It insists on a content type, follows the
    charset that the server names, keeps a mark of the byte order, and drops what no empty line ends, as browsers must. (The ``openai`` library's
    shares the last two, stops at a broken letter and bounds no line.) So the body is handed over under a type of ours, with an empty line after it.
    """
    return aiter(httpx2.EventSource(httpx2.Response(200, headers=_EVENTS, stream=_Ended(chunks), request=_WIRE), LONGEST_EVENT))


class _Ended(httpx2.AsyncByteStream):
    def __init__(self, chunks: AsyncIterator[bytes]) -> None:
        self._chunks = chunks

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._chunks:
            yield chunk
        yield b"\n\n"


@dataclass(slots=True)
class _Call:
    """A call as far as it came."""

    place: int
    delta: int  # the delta in which it began
    id: str = ""
    name: str = ""
    arguments: list[str] | None = None

    def ends_before(self, piece: "_Piece", delta: int) -> bool:
        """Whether a piece that might continue this call begins another one instead."""
        if not piece.name:
            return False
        if self.delta == delta or (piece.id and self.id and piece.id != self.id):
            return True
        return bool(piece.arguments and piece.arguments.strip()) and self._complete()

    def add(self, piece: "_Piece") -> None:
        self.id = self.id or piece.id
        if piece.name != self.name:
            self.name += piece.name
        if piece.arguments is not None:
            self.arguments = self.arguments or []
            self.arguments.append(piece.arguments)

    def reply(self) -> ReplyCall:
        return called(self.id, self.name, None if self.arguments is None else "".join(self.arguments))

    def _complete(self) -> bool:
        try:
            json.loads("".join(self.arguments or ()))
        except (ValueError, RecursionError):
            return False
        return True


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece of a call."""

    index: int | None
    id: str
    name: str
    arguments: str | None

    @classmethod
    def of(cls, call: dict[str, Any], function: dict[str, Any]) -> "_Piece":
        index, call_id, name = call.get("index"), call.get("id"), function.get("name")
        return cls(
            index if isinstance(index, int) else None,
            call_id if isinstance(call_id, str) else "",
            name if isinstance(name, str) else "",
            arguments_of(function.get("arguments")),
        )


@dataclass(slots=True)
class Answer:
    """What a stream has said so far. ``failure`` is what went wrong in it; it holds nothing that the provider wrote."""

    finish: str | None = None
    usage: Usage | None = None
    done: bool = False
    failure: ModelError | None = None
    _seen: bool = False  # choice 0
    _text: list[str] = field(default_factory=list)
    _length: int = 0
    _full: bool = False
    _half: str = ""  # of a pair of surrogates that is cut in two
    _refusal: list[str] = field(default_factory=list)
    _calls: list[_Call] = field(default_factory=list)
    _at: dict[int | str, _Call] = field(default_factory=dict)  # the latest call of each index and of each id
    _legacy: _Call | None = None
    _deltas: int = 0

    @property
    def heard(self) -> bool:
        """Whether any text came."""
        return self._length > 0

    @property
    def begun(self) -> bool:
        """Whether the answer itself has begun: from then on the request is not sent again."""
        return self.heard or bool(self._calls) or self._legacy is not None

    @property
    def over(self) -> bool:
        """Whether nothing that may follow counts."""
        return self.done or self._full or self.failure is not None

    @property
    def whole(self) -> bool:
        """Whether it came to its end."""
        return self._seen and (self.done or self._full or self.finish is not None)

    @property
    def empty(self) -> bool:
        """Whether nothing of a completion was seen."""
        return not self._seen

    def take(self, event: str, data: str) -> str:
        """The text that an event adds."""
        data = data.strip()
        if self.over or not (data or event == "error"):
            return ""
        if data.startswith(_DONE):
            self.done = True
            return ""
        chunk = _object(data)
        if chunk is None or event == "error":
            self.failure = ModelMalformed() if chunk is None and event != "error" else ModelUnavailable()
            return ""
        choice = _first(chunk.get("choices"))
        self.failure = failure_of(chunk, choice)
        if self.failure is not None:
            return ""
        self.usage = usage_of(chunk.get("usage")) or self.usage
        return self._take(choice) if choice else ""

    def close(self) -> str:
        """The text that an answer which came to its end adds at last."""
        half, self._half = self._half, ""
        ending = self._heard(clean(half))
        return ending if self.heard else self._heard(clean("".join(self._refusal)))

    def reply(self) -> Reply:
        """The whole answer, once it is closed."""
        text = "".join(self._text)
        if self._full:
            return whole(text, (), LENGTH, None)
        calls = sorted(self._calls, key=lambda call: call.place) or ([self._legacy] if self._legacy else [])
        return whole(text, tuple(call.reply() for call in calls), self.finish, self.usage)

    def cut(self) -> Reply:
        """What came of an answer that broke off."""
        return cut("".join(self._text))

    def _take(self, choice: dict[str, Any]) -> str:
        delta = mapping(choice.get("delta")) or ({} if self.begun else mapping(choice.get("message")))
        self._seen = True
        self._deltas += 1
        self.finish = finish_of(choice.get("finish_reason")) or self.finish
        calls = delta.get("tool_calls")
        for call in calls if isinstance(calls, list) else ():
            if isinstance(call, dict):
                self._take_call(_Piece.of(call, mapping(call.get("function"))))
        if isinstance(delta.get("function_call"), dict):
            self._legacy = self._legacy or _Call(0, 0)
            self._legacy.add(_Piece.of({}, delta["function_call"]))
        self._refusal.append(text_of(delta.get("refusal")))
        return self._say(text_of(delta.get("content")))

    def _take_call(self, piece: _Piece) -> None:
        call = self._call_of(piece)
        if call is None or call.ends_before(piece, self._deltas):
            call = _Call(len(self._calls) if piece.index is None else piece.index, self._deltas)
            self._calls.append(call)
        for key in (piece.index, piece.id or None):
            if key is not None:
                self._at[key] = call
        call.add(piece)

    def _call_of(self, piece: _Piece) -> _Call | None:
        """The call that a piece may continue."""
        if piece.index is not None:
            return self._at.get(piece.index)
        if piece.id in self._at or (piece.id and piece.name):
            return self._at.get(piece.id)
        return self._calls[-1] if self._calls else None

    def _say(self, text: str) -> str:
        text = self._half + text.replace("\0", "")
        self._half = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        return self._heard(clean(text.removesuffix(self._half)))

    def _heard(self, text: str) -> str:
        room = LONGEST - self._length
        if len(text) > room:
            text, self._full = text[:room], True
        self._length += len(text)
        if text:
            self._text.append(text)
        return text


def _object(data: str) -> dict[str, Any] | None:
    try:
        chunk = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return chunk if isinstance(chunk, dict) else None


def _first(choices: Any) -> dict[str, Any]:
    """The choice that is read, or an empty one."""
    found = (choice for choice in choices if isinstance(choice, dict) and not choice.get("index")) if isinstance(choices, list) else iter(())
    return next(found, {})
