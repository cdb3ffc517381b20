"""The four roles, and how a process of ours signs in as each.

velo_owner    owns schemas velo and crm and runs the migrations; no superuser, and bound by row-level security itself
velo_app      the application; owns nothing
velo_query    the model's SQL (a later order): read-only, a short time limit, no search path
velo_search   cannot sign in; owns the few functions and views that look across tenants, through a policy of its own

The passwords are derived from the administrator's, so that nothing more is stored and every replica agrees. With a
rotated administrator's password the next migration sets them anew.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import unquote, urlsplit, urlunsplit

import asyncpg

from db.errors import RolesRefused

if TYPE_CHECKING:
    Driver: TypeAlias = asyncpg.Connection[asyncpg.Record]

OWNER, APP, QUERY, SEARCH = "velo_owner", "velo_app", "velo_query", "velo_search"

_SCRAM_ROUNDS = 4096

#: NOINHERIT on the owner: it may hand a view to velo_search without reading as velo_search itself.
_ATTRIBUTES = {
    OWNER: "LOGIN NOINHERIT",
    APP: "LOGIN NOINHERIT",
    QUERY: "LOGIN NOINHERIT",
    SEARCH: "NOLOGIN NOINHERIT",
}

#: Kept by the server for every session of the role, whatever a client asks for first.
_SESSION = {
    QUERY: (
        "default_transaction_read_only = on",
        "statement_timeout = '5s'",
        "idle_in_transaction_session_timeout = '10s'",
        "search_path = ''",
    ),
}


@dataclass(frozen=True, slots=True)
class Logins:
    """One DSN for each role that signs in."""

    owner: str = field(repr=False)
    app: str = field(repr=False)
    query: str = field(repr=False)


def logins(dsn_admin: str) -> Logins:
    """The DSNs of the roles, derived from the administrator's."""
    return Logins(owner=_as(dsn_admin, OWNER), app=_as(dsn_admin, APP), query=_as(dsn_admin, QUERY))


async def create(admin: Driver, dsn_admin: str) -> None:
    """Makes the roles, or sets those that exist back to what they must be. Roles belong to the whole server."""
    for role in _ATTRIBUTES:
        await _patiently(admin, role, password=None if role == SEARCH else _password(dsn_admin, role))
    database = await admin.fetchval("SELECT quote_ident(current_database())")
    await admin.execute(f"GRANT CONNECT ON DATABASE {database} TO {OWNER}, {APP}, {QUERY}")
    await admin.execute(f"GRANT CREATE ON DATABASE {database} TO {OWNER}")
    await admin.execute(f"GRANT {SEARCH} TO {OWNER}")
    if await admin.fetchval("SELECT rolsuper FROM pg_roles WHERE rolname = current_user"):
        # With it, one SELECT would change the tenant. Not ours to revoke without being superuser; the probe tells.
        await admin.execute("REVOKE EXECUTE ON FUNCTION pg_catalog.set_config(text, text, boolean) FROM PUBLIC")


async def _patiently(admin: Driver, role: str, *, password: str | None) -> None:
    """Tries again when another database of the same server is being migrated: no lock spans both."""
    for pause in (0.05, 0.1, 0.2, 0.4):
        try:
            return await _create(admin, role, password=password)
        except (asyncpg.DuplicateObjectError, asyncpg.UniqueViolationError, asyncpg.InternalServerError):
            await asyncio.sleep(pause)
    return await _create(admin, role, password=password)


async def _create(admin: Driver, role: str, *, password: str | None) -> None:
    known = await admin.fetchrow(
        "SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication FROM pg_roles WHERE rolname = $1",
        role,
    )
    if known is not None and any(known.values()):
        # Not ours to take away: somebody gave it, and only a superuser could.
        raise RolesRefused(f"the role {role} exists and has powers beyond its task: take them from it, or drop it")
    verb = "CREATE" if known is None else "ALTER"
    secret = "" if password is None else f" PASSWORD '{scram_verifier(password, salt=secrets.token_bytes(16))}'"
    await admin.execute(f"{verb} ROLE {role} {_ATTRIBUTES[role]}{secret}")
    for setting in _SESSION.get(role, ()):
        await admin.execute(f"ALTER ROLE {role} SET {setting}")


def scram_verifier(password: str, *, salt: bytes) -> str:
    """What Postgres stores for a password (RFC 5803), made here so that the password is in no log of the server."""
    salted = hashlib.pbkdf2_hmac("sha256", password.encode(), salt, _SCRAM_ROUNDS)
    stored = hashlib.sha256(hmac.digest(salted, b"Client Key", "sha256")).digest()
    server = hmac.digest(salted, b"Server Key", "sha256")
    return f"SCRAM-SHA-256${_SCRAM_ROUNDS}:{_base64(salt)}${_base64(stored)}:{_base64(server)}"


def _as(dsn_admin: str, role: str) -> str:
    """The same DSN under another role."""
    parts = urlsplit(dsn_admin)
    hosts = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{role}:{_password(dsn_admin, role)}@{hosts}"))


def _password(dsn_admin: str, role: str) -> str:
    """A password for the role that only those who have the administrator's can compute."""
    user, _, password = urlsplit(dsn_admin).netloc.rpartition("@")[0].partition(":")
    if not user or not password:
        raise RolesRefused("the database URL must carry user and password (postgresql://user:password@host/name)")
    return hmac.new(unquote(password).encode(), f"velo role {role}".encode(), hashlib.sha256).hexdigest()


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
