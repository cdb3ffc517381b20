"""Reads what clients send. Refusals name fields of ours, never what was in them.

Stricter than ``json.loads``: a key that stands twice, NaN, other encodings than UTF-8, and text that no database
stores are refused here, so that nothing behind has to think of them.
"""

import hashlib
import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Any, NoReturn, Self, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails, PydanticCustomError
from starlette.exceptions import HTTPException
from starlette.requests import Request

from assistant.errors import BadRequest, Unprocessable
from veil import fold
from veil.payload import canonical
from veil.tokens import Kind

#: Room for the longest text with every character escaped, and its mentions.
BODY_BYTES = 512 * 1024
TEXT_CHARACTERS = 20_000
MENTIONS = 50
LARGEST_ID = 2**63 - 1
_KEY_CHARACTERS = 255

T = TypeVar("T", bound=BaseModel)


def _storable(text: str) -> str:
    if not text.strip():
        raise PydanticCustomError("blank", "must not be blank")
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise PydanticCustomError("unstorable", "holds NUL or half a surrogate pair")
    return text


def _cut_words(text: str, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether a span holds no word, or a part of one: the rest of a name would stay beside its token."""
    inside = {place for word in fold.words(text) for place in range(word.start + 1, word.end)}
    return any(start in inside or end in inside or not any(map(str.isalnum, text[start:end])) for start, end in spans)


Id = Annotated[int, Field(ge=1, le=LARGEST_ID)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, hide_input_in_errors=True)


class MentionBody(_Body):
    """Whom a span of the text means."""

    start: Annotated[int, Field(ge=0, le=TEXT_CHARACTERS, description="First code point of the span")]
    end: Annotated[int, Field(ge=1, le=TEXT_CHARACTERS, description="The code point after its last one")]
    kind: Annotated[Kind, Field(strict=False)]
    id: Annotated[Id | None, Field(description="As in `choices`; null for any of them")]


class AskBody(_Body):
    """A question."""

    text: Annotated[str, Field(min_length=1, max_length=TEXT_CHARACTERS), AfterValidator(_storable)]
    thread_id: Annotated[Id | None, Field(description="Left out, the question opens a thread")] = None
    mentions: Annotated[list[MentionBody], Field(max_length=MENTIONS)] = []

    @model_validator(mode="after")
    def _mentions_fit(self) -> Self:
        spans = sorted((mention.start, mention.end) for mention in self.mentions)
        if any(start >= end or end > len(self.text) for start, end in spans):
            raise PydanticCustomError("outside", "a mention lies outside of the text")
        if any(first[1] > second[0] for first, second in pairwise(spans)):
            raise PydanticCustomError("overlapping", "two mentions overlap")
        if spans and _cut_words(self.text, spans):
            raise PydanticCustomError("inside", "a mention cuts a word")
        return self


class ThreadBody(_Body):
    """A thread is opened with nothing."""


async def read_body(request: Request, shape: type[T], *, optional: bool = False) -> T:
    """The body in this shape; with ``optional`` an empty one counts as ``{}``."""
    raw = await _read(request)
    if not raw and optional:
        raw = b"{}"
    elif not _is_json(request):
        raise HTTPException(415)
    try:
        return shape.model_validate(parse(raw))
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False)
    raise Unprocessable(" ".join(_sentence(problem) for problem in problems[:5]))


def parse(raw: bytes) -> Any:
    """The JSON value of a body."""
    try:
        return json.loads(raw.decode("utf-8"), object_pairs_hook=_once, parse_constant=_no_number)
    except BadRequest:
        raise
    except (ValueError, RecursionError):
        pass
    raise BadRequest("The body is not JSON in UTF-8.")


def hash_of(body: BaseModel) -> bytes:
    """A hash that is the same for the same request, however its JSON was written."""
    return hashlib.sha256(canonical(body.model_dump(mode="json"))).digest()


def idempotency_key(request: Request) -> str | None:
    """The ``Idempotency-Key`` of a request."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not 1 <= len(key) <= _KEY_CHARACTERS or not all("!" <= character <= "~" for character in key):
        raise BadRequest(f"Idempotency-Key: 1 to {_KEY_CHARACTERS} visible ASCII characters, without spaces.")
    return key


def accepts_stream(request: Request) -> bool:
    """Whether the client asks for events, and no less than for JSON (RFC 9110, 12.5.1)."""
    wanted = {"text/event-stream": 0.0, "application/json": 0.0}
    for item in request.headers.get("Accept", "").lower().split(","):
        media_type, *parameters = (part.strip() for part in item.split(";"))
        if media_type in wanted:
            wanted[media_type] = next((_weight(part[2:]) for part in parameters if part.startswith("q=")), 1.0)
    return wanted["text/event-stream"] > 0 and wanted["text/event-stream"] >= wanted["application/json"]


def _weight(written: str) -> float:
    try:
        return min(1.0, max(0.0, float(written)))
    except ValueError:
        return 0.0


def last_event_id(request: Request) -> int:
    """The number of the last event that the client has; 0 when it has none."""
    written = request.headers.get("Last-Event-ID", "0")
    if not (written.isascii() and written.isdigit()) or len(written) > 9:
        raise BadRequest("Last-Event-ID: the number in the id line of an event of this turn.")
    return int(written)


def path_id(request: Request, name: str) -> int | None:
    """A number of the path; ``None`` when no row can have it."""
    number: int = request.path_params[name]
    return number if 1 <= number <= LARGEST_ID else None


def query_id(request: Request, name: str) -> int:
    """A number that the query must hold once."""
    values = request.query_params.getlist(name)
    if len(values) != 1 or not (values[0].isascii() and values[0].isdigit()) or len(values[0]) > 19:
        raise BadRequest(f"{name}: give it once, as a number, in the query.")
    return int(values[0])


async def _read(request: Request) -> bytes:
    raw = bytearray()
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > BODY_BYTES:
            raise HTTPException(413)
    return bytes(raw)


def _is_json(request: Request) -> bool:
    media_type = request.headers.get("Content-Type", "application/json").partition(";")[0].strip().lower()
    return media_type == "application/json" or media_type.endswith("+json")


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    keys = {key for key, _ in pairs}
    if len(keys) != len(pairs):
        raise BadRequest("A key stands twice in the same JSON object.")
    return dict(pairs)


def _no_number(name: str) -> NoReturn:
    raise BadRequest("NaN and Infinity are not JSON.")


#: What pydantic finds, in our words: its own may quote the input.
_SENTENCES = {
    "missing": "is missing",
    "blank": "must not be blank",
    "unstorable": "holds a NUL or half a surrogate pair; send the text without it",
    "string_type": "must be a text",
    "string_too_short": "must not be empty",
    "string_too_long": f"is longer than {TEXT_CHARACTERS} characters",
    "too_long": f"has more than {MENTIONS} items",
    "int_type": "must be a whole number",
    "greater_than_equal": "is too small",
    "less_than_equal": "is too large",
    "enum": f"must be one of {', '.join(Kind)}",
    "list_type": "must be a list",
    "model_type": "must be an object",
    "extra_forbidden": "has a field that is not known; those known are in /openapi.json",
    "outside": "mentions: start and end must lie within the text, start before end (code points)",
    "overlapping": "mentions: two of them overlap",
    "inside": "mentions: each must begin and end where a word does",
}


def _sentence(problem: ErrorDetails) -> str:
    location = problem["loc"]
    if problem["type"] == "extra_forbidden":
        location = location[:-1]  # the last part is the client's own word
    where = ".".join(map(str, location)) or "The body"
    return f"{where}: {_SENTENCES.get(problem['type'], 'does not fit; see /openapi.json')}."
