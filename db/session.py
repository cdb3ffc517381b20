"""How every connection of ours is opened: what its session is set to, and what the driver may not do on its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import asyncpg

if TYPE_CHECKING:
    DriverConnection: TypeAlias = asyncpg.Connection[asyncpg.Record]
else:
    DriverConnection = asyncpg.Connection

#: Sent when a connection opens. RESET ALL returns to these; what an `init` hook had SET would be lost.
SESSION: Mapping[str, str] = {
    "application_name": "velo",
    "timezone": "UTC",
    "search_path": "pg_catalog, public, pg_temp",
    "statement_timeout": "30000",
    "lock_timeout": "10000",
    "idle_in_transaction_session_timeout": "60000",
    "default_transaction_isolation": "read committed",
    "jit": "off",
    # With custom plans every connection plans each statement anew, which takes longer than to run it.
    "plan_cache_mode": "force_generic_plan",
}

#: How long a server may take to let us in, in seconds.
CONNECT_SECONDS = 10.0


class QuietConnection(DriverConnection):
    """asyncpg's connection without its own use of `set_config`, which no role of ours may call.

    asyncpg switches the JIT off around a look-up of types (any array argument causes one) by `set_config`. SESSION
    has it off already. There is no public switch; a test with an array argument fails should asyncpg change here.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._server_caps: Any = cast(Any, self)._server_caps._replace(jit=False)

    def get_reset_query(self) -> str:
        """Nothing: each transaction resets the session as it begins, which costs no round trip of its own."""
        return ""


async def connect(dsn: str, *, name: str) -> DriverConnection:
    """One connection outside any pool; `name` says in `pg_stat_activity` what it is for."""
    return await asyncpg.connect(
        dsn,
        timeout=CONNECT_SECONDS,
        connection_class=QuietConnection,
        server_settings={**SESSION, "application_name": name},
    )


async def set_codecs(raw: DriverConnection) -> None:
    """jsonb goes in and comes out as Python objects."""
    await raw.set_type_codec("jsonb", schema="pg_catalog", encoder=_to_json, decoder=json.loads)


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
