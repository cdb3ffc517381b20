"""Reads a chat completion as vendors really write them.

Compatible servers differ: ``content`` null, missing or a list of parts; ``tool_calls`` null; arguments that are
empty, null or an object instead of a string; ids missing; the older ``function_call``. All of it is read; only a body
without any choice is refused. What is read here in one body ``assistant.model.stream`` reads piece by piece, with the same functions.

A ``finish`` of ``None`` means that the answer was cut: a whole body whose server gives no reason has ended by itself.
"""

import json
import re
from collections.abc import Iterable
from typing import Any

from assistant.errors import ModelError, ModelMalformed, ModelRejected, ModelUnavailable
from assistant.model.port import Reply, ReplyCall, Usage
from veil.payload import canonical

#: Longest text of the model that is read, in characters. What is longer ends there, as if the model had been stopped for its length.
LONGEST = 100_000

#: The reasons of an answer that ended by itself, and of one that was too long.
STOP, LENGTH = "stop", "length"

#: Statuses after which the same request may be sent again; so it may after those from 500 on.
AGAIN = frozenset({408, 409, 429})

_ERROR = "error"  # also as a reason: the server gave up in the middle
_REASONS = {
    # Some servers say in a text that there is none yet.
    "": None,
    "null": None,
    # OpenAI's own, which some write in capitals.
    STOP: STOP,
    LENGTH: LENGTH,
    "tool_calls": "tool_calls",
    "content_filter": "content_filter",
    # Text Generation Inference, Anthropic, Cohere, Gemini and Mistral behind servers that pass their words on.
    "eos": STOP,
    "eos_token": STOP,
    "stop_sequence": STOP,
    "end_turn": STOP,
    "complete": STOP,
    "tool_use": "tool_calls",
    "max_tokens": LENGTH,
    "model_length": LENGTH,
    "safety": "content_filter",
}
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def read_reply(body: bytes) -> Reply:
    """The reply in the body of a completion; raises ``ModelMalformed`` when there is none, and what an error in it means when there is one."""
    completion = _object(body)
    choices = completion.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    failure = failure_of(completion, mapping(choice))
    if failure is not None:
        raise failure
    if not isinstance(choice, dict):
        raise ModelMalformed
    message = mapping(choice.get("message"))
    text = clean(text_of(message.get("content"))) or clean(text_of(message.get("refusal")))
    return whole(text, _calls(message), finish_of(choice.get("finish_reason")), usage_of(completion.get("usage")))


def failure_of(completion: dict[str, Any], choice: dict[str, Any]) -> ModelError | None:
    """What the error in a completion or in a chunk of one means, if there is one; nothing of its text is kept."""
    error = completion.get("error") or choice.get("error")
    if not (error or completion.get("object") == _ERROR or choice.get("finish_reason") == _ERROR):
        return None
    code = (error if isinstance(error, dict) else completion).get("code")
    return refusal(code) if isinstance(code, int) and 400 <= code < 600 else ModelUnavailable()


def refusal(status: int, retry_after: float | None = None) -> ModelError:
    """What a server's status means; only after ``ModelUnavailable`` another try may help."""
    if status >= 500 or status in AGAIN:
        return ModelUnavailable(retry_after=retry_after)
    return ModelRejected(status)


def whole(text: str, calls: tuple[ReplyCall, ...], finish: str | None, usage: Usage | None) -> Reply:
    """The reply of an answer that is complete; of a text that is too long only the text counts, as far as it is read."""
    if len(text) > LONGEST:
        return _reply(text[:LONGEST], (), LENGTH, None)
    return _reply(text, calls, finish or STOP, usage)


def cut(text: str) -> Reply:
    """The reply of an answer that broke off: calls that may be half-written are not among it."""
    return _reply(text, (), None, None)


def text_of(content: Any) -> str:
    """The text of a content as it was sent, whose parts of other types (images, reasoning) are left out."""
    if isinstance(content, list):
        content = "".join(part for part in map(_part, content) if isinstance(part, str))
    return content if isinstance(content, str) else ""


def called(call_id: Any, name: Any, arguments: str | None) -> ReplyCall:
    """A call, clean; what has no id or name in a text has none."""
    return ReplyCall(_string(call_id) or None, _string(name) or "", None if arguments is None else clean(arguments))


def arguments_of(arguments: Any) -> str | None:
    """Arguments as a text, also those that were sent as JSON instead of as a text with JSON in it."""
    return arguments if arguments is None or isinstance(arguments, str) else canonical(arguments).decode()


def finish_of(reason: Any) -> str | None:
    """The reason for which an answer ended, in OpenAI's words where we know those of others; ``None`` where none is given."""
    reason = _string(reason)
    return None if reason is None else _REASONS.get(reason.lower(), reason)


def usage_of(usage: Any) -> Usage | None:
    """What the provider counted, if it did."""
    counts = [mapping(usage).get(name) for name in ("prompt_tokens", "completion_tokens")]
    if all(isinstance(count, int) and 0 <= count < 2**31 for count in counts):
        return Usage(*(int(count or 0) for count in counts))
    return None


def mapping(value: Any) -> dict[str, Any]:
    """The value, if it is an object; else an empty one."""
    return value if isinstance(value, dict) else {}


def clean(text: str) -> str:
    """The text without what no database stores: NUL, and halves of surrogate pairs that JSON escapes can smuggle in; whole pairs are joined."""
    text = text.replace("\0", "")
    if text.isascii():
        return text
    return _PAIR.sub(_joined, text).encode("utf-8", "replace").decode()


def storable(text: str) -> str:
    """What Postgres can hold and JSON can carry: no NUL, no half surrogate pairs."""
    return text[:LONGEST].replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def _reply(text: str, calls: tuple[ReplyCall, ...], finish: str | None, usage: Usage | None) -> Reply:
    return Reply(text, calls, finish, usage, _raw(text, calls, finish, usage))


def _joined(pair: re.Match[str]) -> str:
    return pair[0].encode("utf-16", "surrogatepass").decode("utf-16")


def _part(part: Any) -> Any:
    return part.get("text") if isinstance(part, dict) else part


def _object(body: bytes) -> dict[str, Any]:
    try:
        completion = json.loads(body)
    except (ValueError, RecursionError):
        completion = None
    if not isinstance(completion, dict):
        raise ModelMalformed
    return completion


def _calls(message: dict[str, Any]) -> tuple[ReplyCall, ...]:
    calls = message.get("tool_calls")
    if isinstance(calls, list) and calls:
        return tuple(_called((call.get("id"), mapping(call.get("function"))) for call in calls if isinstance(call, dict)))
    legacy = message.get("function_call")
    return tuple(_called([(None, legacy)])) if isinstance(legacy, dict) else ()


def _called(calls: Iterable[tuple[Any, dict[str, Any]]]) -> Iterable[ReplyCall]:
    return (called(call_id, function.get("name"), arguments_of(function.get("arguments"))) for call_id, function in calls)


def partial(text: str) -> Reply:
    """What came of an answer that was stopped."""
    return Reply(text, (), None, None, _raw(text, (), None, None))


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


def _string(value: Any) -> str | None:
    return clean(value) if isinstance(value, str) else None
