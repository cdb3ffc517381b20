"""The application's way to Postgres: one pool, and every statement inside a transaction of one tenant.

The tenant is set with SET LOCAL only (`set_config` is revoked from everybody), so that it ends with the transaction
and cannot outlive it on a pooled connection. What a transaction sets for the session is undone before the next one.
asyncpg stays behind this module and its sisters in `db`.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeAlias, TypeVar, cast

import asyncpg

from db.errors import DRIVER_ERRORS, Aborted, DatabaseError, TimedOut, Unavailable, translate, translated
from db.listening import Hear, listening
from db.session import CONNECT_SECONDS, SESSION, QuietConnection, set_codecs

P = ParamSpec("P")
T = TypeVar("T")

Row: TypeAlias = Mapping[str, Any]

if TYPE_CHECKING:
    Pool: TypeAlias = asyncpg.Pool[asyncpg.Record]
    Raw: TypeAlias = asyncpg.pool.PoolConnectionProxy[asyncpg.Record]

#: How long a request waits for a free connection, in seconds.
ACQUIRE_SECONDS = 15.0

#: How many connections a pool has at most. A transaction lasts milliseconds and no two are held at once by one task, so
#: that few serve many; 50 threads on 2 cores are no faster with more.
MAX_CONNECTIONS = 10

#: How long a server may take for what is no work (BEGIN, ROLLBACK) before its connection counts as dead, in
#: seconds; and for a statement, which its own limits in SESSION end sooner as long as it speaks at all.
_IDLE_WORD_SECONDS = 5.0
_STATEMENT_SECONDS = 45.0

#: Before the attempts to begin that follow a failed one, in seconds: a server that is started again is back within them.
_PAUSES = (0.0, 0.2, 0.6)

_BIGINT = range(1, 2**63)


class Connection(Protocol):
    """What other packages see of a connection: it lives inside one transaction, and its rows are mappings."""

    async def fetch(self, query: str, *args: object) -> Sequence[Row]: ...
    async def fetchrow(self, query: str, *args: object) -> Row | None: ...
    async def fetchval(self, query: str, *args: object) -> Any: ...
    async def execute(self, query: str, *args: object) -> str: ...
    async def executemany(self, query: str, rows: Iterable[Sequence[object]]) -> None: ...


class Loading(Connection, Protocol):
    """A connection that also takes rows in bulk, by COPY; into tables without row-level security only."""

    async def copy_records_to_table(self, table_name: str, *, records: Iterable[Sequence[object]], columns: Sequence[str]) -> str: ...


class Database:
    """A pool of connections of one role."""

    def __init__(self, pool: Pool, dsn: str) -> None:
        self._pool = pool
        self._dsn = dsn
        self._waiting = 0

    @classmethod
    async def open(cls, dsn: str, *, min_size: int = 1, max_size: int = MAX_CONNECTIONS) -> Database:
        """A pool on this DSN; jsonb goes in and comes out as Python objects."""
        pool = asyncpg.create_pool(
            dsn,
            min_size=min_size,
            max_size=max_size,
            timeout=CONNECT_SECONDS,
            command_timeout=_STATEMENT_SECONDS,
            connection_class=QuietConnection,
            server_settings=dict(SESSION),
            init=set_codecs,
        )
        await translated(_opened, pool)
        return cls(pool, dsn)

    async def close(self) -> None:
        """Waits for the transactions that are open, then closes every connection."""
        await translated(self._pool.close)

    def tenant(
        self, tenant_id: int, *, read_only: bool = False, replan: bool = False
    ) -> AbstractAsyncContextManager[Connection]:
        """One transaction that sees the rows of this tenant and no other.

        With `replan` Postgres may plan each statement for its arguments, as those need that leave filters out by NULL.
        """
        if isinstance(tenant_id, bool) or not isinstance(tenant_id, int) or tenant_id not in _BIGINT:
            raise ValueError("a tenant id is a positive bigint")
        plans = "; SET LOCAL plan_cache_mode = auto" if replan else ""
        return self._transaction(f"{_begin(read_only)}; SET LOCAL velo.tenant_id = '{tenant_id:d}'{plans}")

    def plain(self, *, read_only: bool = False) -> AbstractAsyncContextManager[Connection]:
        """One transaction without a tenant: it sees no tenant's row."""
        return self._transaction(_begin(read_only))

    def listening(
        self, channels: Mapping[str, Hear], *, missed: Callable[[], None], presence: str | None = None
    ) -> AbstractAsyncContextManager[None]:
        """Hears these channels on a connection of its own, as long as the block lasts; see `db.listening`."""
        return listening(self._dsn, channels, missed=missed, presence=presence)

    @property
    def in_use(self) -> int:
        """How many connections are held by somebody now."""
        return self._pool.get_size() - self._pool.get_idle_size()

    @property
    def waiting(self) -> int:
        """How many tasks wait for a connection now."""
        return self._waiting

    @asynccontextmanager
    async def _transaction(self, begin: str) -> AsyncIterator[Connection]:
        raw = await self._begun(begin)
        edge = _Edge(raw)
        try:
            try:
                yield edge
            except BaseException:
                await _rolled_back(raw)
                raise
            await _committed(raw)
        finally:
            edge.over = True
            await self._release(raw)

    async def _begun(self, begin: str) -> Raw:
        """A connection with an open transaction. Nothing of the caller has run, so a dead connection may be replaced.

        When one proves dead all are suspected, since they died of the same thing: each is opened anew before its next use.
        """
        for pause in _PAUSES:
            try:
                return await self._try_to_begin(begin)
            except Unavailable:
                await self._pool.expire_connections()
            await asyncio.sleep(pause)
        return await self._try_to_begin(begin)

    async def _try_to_begin(self, begin: str) -> Raw:
        raw = await self._acquire()
        try:
            await translated(raw.execute, f"RESET ALL; {begin}", timeout=_IDLE_WORD_SECONDS)
        except BaseException as error:
            with contextlib.suppress(asyncpg.InterfaceError):
                raw.terminate()
            await self._release(raw)
            if not isinstance(error, DatabaseError):
                raise
        else:
            return raw
        raise Unavailable("the connection to the database was lost before it was used")

    async def _acquire(self) -> Raw:
        self._waiting += 1
        try:
            return await self._pool.acquire(timeout=ACQUIRE_SECONDS)
        except TimeoutError:
            ours: DatabaseError = TimedOut(f"no connection to the database came free within {ACQUIRE_SECONDS:g} s")
        except DRIVER_ERRORS as error:
            ours = translate(error)
        finally:
            self._waiting -= 1
        raise ours

    async def _release(self, raw: Raw) -> None:
        """Gives a connection back; what the driver may still find wrong with it changes nothing for its last user."""
        with contextlib.suppress(*DRIVER_ERRORS):
            await self._pool.release(raw, timeout=_IDLE_WORD_SECONDS)


class _Edge:
    """A driver's connection whose errors are ours, for the length of one transaction."""

    __slots__ = ("_raw", "over")

    def __init__(self, raw: Raw) -> None:
        self._raw = raw
        self.over = False

    async def fetch(self, query: str, *args: object) -> Sequence[Row]:
        return cast(Sequence[Row], await self._awaited(self._raw.fetch, query, *args))

    async def fetchrow(self, query: str, *args: object) -> Row | None:
        return cast(Row | None, await self._awaited(self._raw.fetchrow, query, *args))

    async def fetchval(self, query: str, *args: object) -> Any:
        return await self._awaited(self._raw.fetchval, query, *args)

    async def execute(self, query: str, *args: object) -> str:
        return await self._awaited(self._raw.execute, query, *args)

    async def executemany(self, query: str, rows: Iterable[Sequence[object]]) -> None:
        await self._awaited(self._raw.executemany, query, rows)

    async def copy_records_to_table(self, table_name: str, *, records: Iterable[Sequence[object]], columns: Sequence[str]) -> str:
        return await self._awaited(self._raw.copy_records_to_table, table_name, records=records, columns=columns)

    async def _awaited(self, call: Callable[P, Awaitable[T]], *args: P.args, **kwargs: P.kwargs) -> T:
        """As `translated`; and whatever the driver says over a connection that is gone, it is gone."""
        if self.over:
            raise RuntimeError("this transaction is over")
        try:
            return await call(*args, **kwargs)
        except DRIVER_ERRORS as error:
            ours = Unavailable("the connection to the database was lost") if _gone(self._raw) else translate(error)
        raise ours


def _begin(read_only: bool) -> str:
    return "BEGIN READ ONLY" if read_only else "BEGIN"


def _gone(raw: Raw) -> bool:
    """Whether the connection is closed; the pool takes a lost one away from its holder at once."""
    try:
        return raw.is_closed()
    except asyncpg.InterfaceError:
        return True


async def _opened(pool: Pool) -> None:
    await pool


async def _committed(raw: Raw) -> None:
    """Commits; a block that swallowed an error of the server learns that nothing was stored."""
    tag = await translated(raw.execute, "COMMIT")
    if tag != "COMMIT":
        raise Aborted("an error inside the transaction was swallowed and nothing was stored")


async def _rolled_back(raw: Raw) -> None:
    """Rolls back; a connection that cannot is thrown away, so that no open transaction returns to the pool."""
    try:
        async with asyncio.timeout(_IDLE_WORD_SECONDS):
            await translated(raw.execute, "ROLLBACK")
    except BaseException as error:
        with contextlib.suppress(asyncpg.InterfaceError):
            raw.terminate()
        if not isinstance(error, DatabaseError | TimeoutError):
            raise
