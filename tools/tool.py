"""A tool: what the model is told about it, what it takes, what it gives, who may use it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from db.pool import Connection
from tools.arguments import Arguments
from tools.permissions import Actor, Permission

#: Runs a tool whose arguments are read and whose actor is allowed; ``None`` when what the arguments name is not there.
Handler = Callable[[Connection, Actor, Any, datetime], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Tool:
    """One row of the catalogue. ``result`` is a frozen dataclass whose fields say how they cross (``veil.fields``)."""

    name: str
    description: Mapping[str, str]
    arguments: type[Arguments]
    result: type
    permission: Permission
    handler: Handler
