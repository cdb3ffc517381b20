"""Everything that can go wrong on the way to Postgres, in words that never hold a row's value.

DatabaseError
├── Unavailable          the server cannot be reached, or the connection broke
│   └── Full             its disk is full; what was asked was not stored
├── TimedOut             a statement, a lock or the wait for a connection took too long
├── Conflict             a constraint refused the row; `constraint` is its name
├── Contended            the server ended the transaction in favour of another one; try again
├── InvalidValue         a value cannot be stored as the type its place asks for
├── Refused              a function of ours said no; `sqlstate` says which (VL…)
├── Forbidden            the role may not do this
├── Misused              the driver refused the call (number of arguments, an unprepared use): a mistake of ours
├── StatementFailed      any other failure of a statement; `sqlstate` is the server's code
├── Aborted              the block ended well but an earlier, swallowed error had undone it
├── MigrationRefused     the schema files and what is applied do not fit together
├── RolesRefused         the roles cannot be made with this connection
├── UnsafeDatabase       the application role sees or may do what it must not
└── EmbeddedFailed       the private server could not be started

A driver's message quotes rows ("Key (email)=(…) already exists"), so it is dropped at the edge and the new error
is raised outside the `except` block: not even `__context__` leads back to it.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import ParamSpec, TypeVar

import asyncpg
from asyncpg.exceptions import ClientConfigurationError

P = ParamSpec("P")
T = TypeVar("T")

_ARGUMENT = re.compile(r"query argument \$\d+")


class DatabaseError(Exception):
    """The root of this package's errors."""


class Unavailable(DatabaseError):
    """The server cannot be reached, or the connection broke while in use."""


class Full(Unavailable):
    """The server has no room left on its disk; nothing of the transaction was stored."""


class TimedOut(DatabaseError):
    """A statement, a lock or the wait for a connection took longer than its limit."""


class Conflict(DatabaseError):
    """A constraint refused the row."""

    def __init__(self, constraint: str) -> None:
        super().__init__(f"refused by constraint {constraint}")
        self.constraint = constraint


class Contended(DatabaseError):
    """The server ended the transaction in favour of another one (deadlock, serialization)."""


class InvalidValue(DatabaseError):
    """A value cannot be stored as the type its place asks for (NUL in a text, a number out of range)."""


class _WithState(DatabaseError):
    """Carries the server's five-character code, which is all that may be told of its message."""

    def __init__(self, sqlstate: str, what: str) -> None:
        super().__init__(f"{what} (sqlstate {sqlstate})")
        self.sqlstate = sqlstate


class Refused(_WithState):
    """A function of schema velo said no: VL001 numbers used up, VL002 no tenant set, VL003 a bad argument."""


class Forbidden(_WithState):
    """The role lacks the privilege, or row-level security refused the row."""


class StatementFailed(_WithState):
    """Any other failure of a statement: a mistake of ours, mostly."""


class Misused(DatabaseError):
    """The driver refused the call before the server saw it: a mistake of ours."""


class Aborted(DatabaseError):
    """The transaction's block ended well, but an error swallowed inside it had already undone it."""


class MigrationRefused(DatabaseError):
    """The schema files and what the database says it applied do not fit together."""


class RolesRefused(DatabaseError):
    """The roles cannot be made with the connection that was given."""


class UnsafeDatabase(DatabaseError):
    """The application role sees or may do what it must not; `reasons` lists every finding."""

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__("this database is not safe to run on: " + "; ".join(reasons))
        self.reasons = tuple(reasons)


class EmbeddedFailed(DatabaseError):
    """The private server could not be started; the text says what to do about it."""


#: What the driver and the network raise; anything else is a bug and passes through unwrapped.
DRIVER_ERRORS = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError, TimeoutError)

#: The first row whose classes match decides.
_TRANSLATIONS: tuple[tuple[tuple[type[BaseException], ...], type[DatabaseError], str], ...] = (
    ((asyncpg.TransactionRollbackError,), Contended, "the server ended the transaction in favour of another"),
    (
        (asyncpg.QueryCanceledError, asyncpg.LockNotAvailableError, TimeoutError),
        TimedOut,
        "the database took longer than the limit",
    ),
    ((asyncpg.DataError,), InvalidValue, "a value does not fit the type of its place"),
    ((asyncpg.DiskFullError,), Full, "the disk of the database is full"),
    (
        (
            asyncpg.PostgresConnectionError,
            asyncpg.OperatorInterventionError,
            asyncpg.InsufficientResourcesError,
            asyncpg.InvalidAuthorizationSpecificationError,
            asyncpg.InvalidCatalogNameError,
            asyncpg.IdleInTransactionSessionTimeoutError,
            asyncpg.InternalClientError,  # the last words of a server that ends came in the middle of ours
            ClientConfigurationError,
            OSError,
        ),
        Unavailable,
        "the database cannot be reached",
    ),
)


def translate(error: BaseException) -> DatabaseError:
    """The error of this package that stands for a driver's; nothing of its text is kept but names and codes."""
    if isinstance(error, asyncpg.IntegrityConstraintViolationError):
        return Conflict(error.constraint_name or error.column_name or "without a name")
    for classes, ours, text in _TRANSLATIONS:
        if isinstance(error, classes):
            return ours(text)
    if isinstance(error, asyncpg.InterfaceError):
        return _of_the_client(error)
    state = getattr(error, "sqlstate", None) or "XX000"
    if state.startswith("VL"):
        return Refused(state, "refused by a function of schema velo")
    if isinstance(error, asyncpg.InsufficientPrivilegeError):
        return Forbidden(state, "the role may not do this")
    return StatementFailed(state, f"the statement failed{_mistake(error)}")


def _of_the_client(error: asyncpg.InterfaceError) -> DatabaseError:
    """What the driver found wrong by itself. When it is the value (a ValueError), its text quotes the value."""
    text = str(error)
    if isinstance(error, ValueError):
        place = _ARGUMENT.search(text)
        return InvalidValue(f"a value does not fit the type of {place[0] if place else 'its place'}")
    return Misused(f"the driver refused the call: {text}")


def _mistake(error: BaseException) -> str:
    """The server's message where it can only name columns and types (class 42); nothing else of it is safe."""
    if isinstance(error, asyncpg.SyntaxOrAccessError):
        return f": {error.args[0]}" if error.args else ""
    return ""


async def translated(call: Callable[P, Awaitable[T]], *args: P.args, **kwargs: P.kwargs) -> T:
    """Makes a driver's call and lets only errors of this package out."""
    try:
        return await call(*args, **kwargs)
    except DRIVER_ERRORS as error:
        ours = translate(error)
    raise ours
