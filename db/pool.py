"""The application's way to Postgres: one pool, and every statement inside a transaction of one tenant.

The tenant is set with SET LOCAL only (`set_config` is revoked from everybody), so that it ends with the transaction
and cannot outlive it on a pooled connection. asyncpg stays behind this module and its sisters in `db`.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeAlias, TypeVar, cast

import asyncpg

from db.errors import DRIVER_ERRORS, Aborted, DatabaseError, Unavailable, translate, translated

P = ParamSpec("P")
T = TypeVar("T")

Row: TypeAlias = Mapping[str, Any]

if TYPE_CHECKING:
    Pool: TypeAlias = asyncpg.Pool[asyncpg.Record]
    Raw: TypeAlias = asyncpg.pool.PoolConnectionProxy[asyncpg.Record]
    DriverConnection: TypeAlias = asyncpg.Connection[asyncpg.Record]
else:
    DriverConnection = asyncpg.Connection

#: Sent when a connection opens. The pool's RESET ALL returns to these; what an `init` hook had SET would be lost.
SESSION: Mapping[str, str] = {
    "application_name": "velo",
    "timezone": "UTC",
    "search_path": "pg_catalog, public, pg_temp",
    "statement_timeout": "30000",
    "lock_timeout": "10000",
    "idle_in_transaction_session_timeout": "60000",
    "default_transaction_isolation": "read committed",
    "jit": "off",
}

#: How long a request waits for a free connection, in seconds.
ACQUIRE_SECONDS = 15.0

_BIGINT = range(1, 2**63)


class Connection(Protocol):
    """What other packages see of a connection: it lives inside one transaction, and its rows are mappings."""

    async def fetch(self, query: str, *args: object) -> Sequence[Row]: ...
    async def fetchrow(self, query: str, *args: object) -> Row | None: ...
    async def fetchval(self, query: str, *args: object) -> Any: ...
    async def execute(self, query: str, *args: object) -> str: ...
    async def executemany(self, query: str, rows: Iterable[Sequence[object]]) -> None: ...


class Database:
    """A pool of connections of one role."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    @classmethod
    async def open(cls, dsn: str, *, min_size: int = 1, max_size: int = 10) -> Database:
        """A pool on this DSN; jsonb goes in and comes out as Python objects."""
        pool = asyncpg.create_pool(
            dsn,
            min_size=min_size,
            max_size=max_size,
            connection_class=QuietConnection,
            server_settings=dict(SESSION),
            init=_set_codecs,
        )
        await translated(_opened, pool)
        return cls(pool)

    async def close(self) -> None:
        """Waits for the transactions that are open, then closes every connection."""
        await translated(self._pool.close)

    def tenant(self, tenant_id: int, *, read_only: bool = False) -> AbstractAsyncContextManager[Connection]:
        """One transaction that sees the rows of this tenant and no other."""
        if isinstance(tenant_id, bool) or not isinstance(tenant_id, int) or tenant_id not in _BIGINT:
            raise ValueError("a tenant id is a positive bigint")
        return self._transaction(f"{_begin(read_only)}; SET LOCAL velo.tenant_id = '{tenant_id:d}'")

    def plain(self, *, read_only: bool = False) -> AbstractAsyncContextManager[Connection]:
        """One transaction without a tenant: it sees no tenant's row."""
        return self._transaction(_begin(read_only))

    @asynccontextmanager
    async def _transaction(self, begin: str) -> AsyncIterator[Connection]:
        raw = await translated(self._pool.acquire, timeout=ACQUIRE_SECONDS)
        edge = _Edge(raw)
        try:
            try:
                await translated(raw.execute, begin)
                yield edge
            except BaseException:
                await _rolled_back(raw)
                raise
            await _committed(raw)
        finally:
            edge.over = True
            await translated(self._pool.release, raw)


class QuietConnection(DriverConnection):
    """asyncpg's connection without its own use of `set_config`, which no role of ours may call.

    asyncpg switches the JIT off around a look-up of types (any array argument causes one) by `set_config`. SESSION
    has it off already. There is no public switch; a test with an array argument fails should asyncpg change here.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._server_caps: Any = cast(Any, self)._server_caps._replace(jit=False)


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
        await translated(raw.execute, "ROLLBACK")
    except BaseException as error:
        with contextlib.suppress(asyncpg.InterfaceError):
            raw.terminate()
        if not isinstance(error, DatabaseError):
            raise


async def _set_codecs(raw: DriverConnection) -> None:
    await raw.set_type_codec("jsonb", schema="pg_catalog", encoder=_to_json, decoder=json.loads)


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
