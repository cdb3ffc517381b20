"""Reads a chat completion as vendors really write them.

Compatible servers differ: ``content`` null, missing or a list of parts; ``tool_calls`` null; arguments that are
empty, null or an object instead of a string; ids missing; the older ``function_call``. All of it is read; only a body
without any choice is refused.
"""

import json
from typing import Any

from assistant.errors import ModelMalformed
from assistant.model.port import Reply, ReplyCall, Usage
from veil.payload import canonical

#: Longest text of the model that is read, in characters.
LONGEST = 100_000


def read_reply(body: bytes) -> Reply:
    """The reply in the body of a completion; raises ``ModelMalformed`` when there is none."""
    completion = _object(body)
    choices = completion.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        raise ModelMalformed
    message = _mapping(choice.get("message"))
    text = _text(message.get("content")) or _text(message.get("refusal"))
    calls = _calls(message)
    finish = _string(choice.get("finish_reason"))
    usage = _usage(_mapping(completion.get("usage")))
    return Reply(text, calls, finish, usage, _raw(text, calls, finish, usage))


def _object(body: bytes) -> dict[str, Any]:
    try:
        completion = json.loads(body)
    except (ValueError, RecursionError):
        completion = None
    if not isinstance(completion, dict):
        raise ModelMalformed
    return completion


def _text(content: Any) -> str:
    """The text of a content, whose parts of other types (images, reasoning) are left out."""
    if isinstance(content, str):
        return _clean(content)
    if isinstance(content, list):
        parts = (part.get("text") if isinstance(part, dict) else part for part in content)
        return _clean("".join(part for part in parts if isinstance(part, str)))
    return ""


def _calls(message: dict[str, Any]) -> tuple[ReplyCall, ...]:
    calls = message.get("tool_calls")
    if isinstance(calls, list) and calls:
        return tuple(_call(call.get("id"), _mapping(call.get("function"))) for call in calls if isinstance(call, dict))
    legacy = message.get("function_call")
    return (_call(None, legacy),) if isinstance(legacy, dict) else ()


def _call(call_id: Any, function: dict[str, Any]) -> ReplyCall:
    arguments = function.get("arguments")
    if arguments is not None and not isinstance(arguments, str):
        arguments = canonical(arguments).decode()
    return ReplyCall(
        id=_string(call_id) or None,
        name=_string(function.get("name")) or "",
        arguments=None if arguments is None else _clean(arguments),
    )


def _usage(usage: dict[str, Any]) -> Usage | None:
    counts = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if all(isinstance(count, int) and 0 <= count < 2**31 for count in counts):
        return Usage(int(counts[0] or 0), int(counts[1] or 0))
    return None


def _raw(text: str, calls: tuple[ReplyCall, ...], finish: str | None, usage: Usage | None) -> bytes:
    return canonical(
        {
            "text": text,
            "calls": [{"id": call.id, "name": call.name, "arguments": call.arguments} for call in calls],
            "finish": finish,
            "usage": None
            if usage is None
            else {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens},
        }
    )


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _string(value: Any) -> str | None:
    return _clean(value) if isinstance(value, str) else None


def _clean(text: str) -> str:
    """The text without what no database stores: NUL, and halves of surrogate pairs that JSON escapes can smuggle in."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def storable(text: str) -> str:
    """What Postgres can hold and JSON can carry: no NUL, no half surrogate pairs."""
    return text[:LONGEST].replace("\0", "").encode("utf-8", "replace").decode("utf-8")
