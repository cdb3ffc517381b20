"""What goes to the model: parts that are each either our own constant or veiled, and the one place where they become bytes.

The model port takes a ``Request`` and nothing else, so clear text cannot reach it. The guard reads the veiled parts.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from veil.text import Veiled

_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class Constant:
    """Text of ours that is the same for every customer: prompts, dates, sentences of refusal."""

    text: str


Part = Constant | Veiled


class Role(StrEnum):
    """Who speaks, in the words of the Chat Completions interface."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call of the model; ``id`` and ``name`` are ours (a foreign id or an unknown name never goes back)."""

    id: str
    name: str
    arguments: Veiled


@dataclass(frozen=True, slots=True)
class Message:
    """One message; ``answers`` is the id of the call that a tool message answers."""

    role: Role
    parts: tuple[Part, ...] = ()
    calls: tuple[Call, ...] = ()
    answers: str | None = None
    _block: bytes = field(default=b"", init=False, repr=False, compare=False)  # nothing of a message changes, so it is written once

    def block(self) -> bytes:
        """The bytes of this message in the body."""
        if not self._block:
            object.__setattr__(self, "_block", canonical(self.to_json()))
        return self._block

    def veiled(self) -> Iterator[Veiled]:
        """Every piece of this message that came from a person, the CRM or the model."""
        for part in self.parts:
            if isinstance(part, Veiled):
                yield part
        for call in self.calls:
            yield call.arguments

    def to_json(self) -> dict[str, Any]:
        """The message as the Chat Completions interface wants it."""
        body: dict[str, Any] = {"role": self.role.value, "content": "".join(part.text for part in self.parts)}
        if self.calls:
            body["tool_calls"] = [
                {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments.text}} for call in self.calls
            ]
        if self.answers is not None:
            body["tool_call_id"] = self.answers
        return body


@dataclass(frozen=True, slots=True)
class Request:
    """One call of the model. ``tools`` are constants (function specifications)."""

    model: str
    messages: tuple[Message, ...]
    tools: tuple[Mapping[str, Any], ...] = ()
    tool_choice: Literal["auto", "none"] = "auto"
    _tools: bytes = field(default=b"", init=False, repr=False, compare=False)

    def blocks(self) -> list[bytes]:
        """The bytes of each message, then of the tools: what the record keeps once each."""
        if not self._tools:
            object.__setattr__(self, "_tools", canonical(list(self.tools)))
        return [*(message.block() for message in self.messages), self._tools]

    def parameters(self) -> dict[str, Any]:
        """All that is not messages or tools: the answer is to come as it is written, with the usage at its end."""
        parameters: dict[str, Any] = {"model": self.model, "stream": True, "stream_options": {"include_usage": True}}
        if self.tools:
            parameters["tool_choice"] = self.tool_choice
        return parameters

    def encode(self) -> bytes:
        """The body as it is sent, byte for byte."""
        return body_of(self.blocks(), self.parameters())


def body_of(blocks: list[bytes], parameters: Mapping[str, Any]) -> bytes:
    """The body made of recorded blocks (the last one is the tools) and parameters: ``Request.encode`` and the record agree through this."""
    *messages, tools = blocks
    rest = canonical(parameters)
    body = b'{"messages":[' + b",".join(messages) + b"]," + rest[1:-1]
    if tools != b"[]":
        body += b',"tools":' + tools
    return body + b"}"


def canonical(value: Any) -> bytes:
    """JSON in one form only: keys sorted, no spaces, UTF-8 unescaped."""
    return _encode(value).encode("utf-8", "replace")
