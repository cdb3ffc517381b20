"""Runs one call of the model: reads its arguments, decides, looks up.

The order is fixed: tool, arguments, permission, visibility, handler. Whatever the model wrote ends in an answer or a
``Declined``; what is raised is our mistake or the database's. A token that names nobody and a token whose entity the
actor may not see take the same way through the same statement and give the same answer.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails, from_json

from db.pool import Connection
from db.queries import load as load_queries
from tools.arguments import ABSENT, Arguments, Reading, TokenOf, shapes
from tools.catalogue import load
from tools.permissions import Actor, Refused, decide
from tools.refusals import Declined, Reason
from tools.results import Page
from tools.tool import Tool
from veil.tokens import EntityId, Kind, Token

_LONGEST = 20_000
_EMPTY = ("", "null")

#: The kinds of which ``visible_entities`` takes ids, in the order of its parameters.
SEEN_KINDS = (
    Kind.CONTACT,
    Kind.CONVERSATION,
    Kind.INBOX,
    Kind.MEMBER,
    Kind.COMPANY,
    Kind.CAMPAIGN,
    Kind.DEAL,
)


@dataclass(frozen=True, slots=True)
class Answered:
    """What a tool found: still clear, typed, and for ``veil`` to veil.

    ``matched`` counts all that matched, not only what is returned.
    """

    tool: Tool
    result: object
    matched: int


@dataclass(frozen=True, slots=True)
class _Mention:
    """A token among the arguments, and the entity it stands for in this thread."""

    token: Token
    kind: Kind
    id: int


async def run(
    name: str,
    arguments_json: str | None,
    *,
    actor: Actor,
    connection: Connection,
    tokens: Mapping[tuple[str, int], EntityId],
    now: datetime,
    reveal: Callable[[str], str] = str,
) -> Answered | Declined:
    """Run a tool on what the model wrote.

    ``tokens`` are those of the thread, ``now`` is in the tenant's zone; ``reveal`` gives the clear text of a free-text argument, in which the
    model writes tokens for names (a label that names a person). Left out, such a text is taken as it is.
    """
    tool = load().get(name)
    if tool is None:
        return Declined(Reason.UNKNOWN_TOOL, expected=", ".join(load()))
    written = _written(tool, arguments_json)
    if isinstance(written, Declined):
        return written
    arguments = _read(tool, written, Reading(tokens, now.tzinfo, reveal))
    if isinstance(arguments, Declined):
        return arguments
    decision = decide(actor, tool.permission)
    if isinstance(decision, Refused):
        return Declined(decision.reason, tool.name)
    return await _looked_up(tool, arguments, _mentions(arguments, written), actor=actor, connection=connection, now=now)


async def _looked_up(
    tool: Tool, arguments: Arguments, mentions: list[_Mention], *, actor: Actor, connection: Connection, now: datetime
) -> Answered | Declined:
    seen = await _seen(mentions, actor, connection)
    for mention in mentions:
        if mention.id == ABSENT or (mention.kind, mention.id) not in seen:
            return Declined(Reason.NO_SUCH_TOKEN, str(mention.token))
    result = await tool.handler(connection, actor, arguments, now)
    if result is None:  # deleted or hidden since the line above
        return Declined(Reason.NO_SUCH_TOKEN, str(mentions[0].token))
    return Answered(tool, result, result.total if isinstance(result, Page) else 1)


def _written(tool: Tool, arguments_json: str | None) -> dict[str, Any] | Declined:
    """The object that the model wrote; nothing at all counts as an empty one."""
    text = (arguments_json or "").strip()
    if text in _EMPTY:
        return {}
    allowed = _names(tool)
    if len(text) > _LONGEST:
        return Declined(Reason.TOO_LONG, tool.name, allowed)
    try:
        written = from_json(text.encode(), allow_inf_nan=False)
    except ValueError:
        return Declined(Reason.NOT_JSON, tool.name, allowed)
    return written if isinstance(written, dict) else Declined(Reason.NOT_AN_OBJECT, tool.name, allowed)


def _read(tool: Tool, written: dict[str, Any], reading: Reading) -> Arguments | Declined:
    try:
        return tool.arguments.model_validate(written, context=reading)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    return _declined(tool, first)


def _declined(tool: Tool, error: ErrorDetails) -> Declined:
    """What the first error means. The name of an unknown argument is the model's word and is not repeated."""
    if error["type"] == "extra_forbidden":
        return Declined(Reason.UNKNOWN_ARGUMENT, tool.name, _names(tool))
    if error["type"] == Reason.EXACTLY_ONE:
        return Declined(Reason.EXACTLY_ONE, _names(tool, TokenOf))
    name = str(error["loc"][0])
    reason = Reason.MISSING if error["type"] == "missing" else Reason(error["type"])
    return Declined(reason, name, shapes(tool.arguments)[name].expected)


def _names(tool: Tool, shape: type = object) -> str:
    """The names of the tool's arguments of this shape."""
    return ", ".join(name for name, of_name in shapes(tool.arguments).items() if isinstance(of_name, shape))


def _mentions(arguments: Arguments, written: Mapping[str, Any]) -> list[_Mention]:
    """The tokens among the arguments, in the tool's order."""
    return [
        _Mention(shape.token(written[name]), shape.kind, getattr(arguments, name))
        for name, shape in shapes(type(arguments)).items()
        if isinstance(shape, TokenOf) and getattr(arguments, name) is not None
    ]


async def _seen(mentions: list[_Mention], actor: Actor, connection: Connection) -> set[tuple[Kind, int]]:
    """Those of the mentioned entities that the actor may see now."""
    if not mentions:
        return set()
    ids = [[mention.id for mention in mentions if mention.kind is kind] for kind in SEEN_KINDS]
    rows = await connection.fetch(
        load_queries("tools", "run")["visible_entities"], actor.tenant_id, actor.member_id, *ids
    )
    return {(Kind(row["kind"]), row["entity_id"]) for row in rows}
