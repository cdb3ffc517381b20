"""Who asks: a JWT names tenant and member, the database says whether its issuer may, and what the member is.

A token proves who somebody is and nothing else: roles and inboxes come from the database at every request. Why a
token was refused is told in general words only, so that nobody learns which tenants and members exist.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import jwt

from assistant.errors import Unauthorized, Unavailable
from assistant.http.bodies import LARGEST_ID
from db.pool import Database
from db.queries import load
from tools.permissions import Actor, Role

AUDIENCE = "velo"

#: The longest life that a token may have, in seconds, and what clocks may differ by.
LIFETIME = 3600
LEEWAY = 30

#: Who signs the tokens of ``velo token``, where the server's own secret is the key.
LOCAL_ISSUER = "velo"

_LONGEST_TOKEN = 8192
_ASYMMETRIC = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
_REFUSED = "The token is missing, expired or not valid here. `velo token` makes one; it lives for an hour at most."


@dataclass(frozen=True, slots=True)
class Claims:
    """What a token says, once its signature and its times are proven."""

    tenant_id: int
    member_id: int
    issuer: str
    expires: float


@dataclass(frozen=True, slots=True)
class Proven:
    """A member whom a token proves, and when it stops to do so, in seconds of Unix time."""

    actor: Actor
    expires: float


class Keys(Protocol):
    """Where the key of a token comes from, and which algorithms it may be used with."""

    @property
    def algorithms(self) -> tuple[str, ...]: ...

    async def key_of(self, token: str) -> Any:
        """The key; raises ``jwt.PyJWTError`` when there is none for this token."""
        ...


@dataclass(frozen=True, slots=True)
class SharedSecret:
    """One secret for all tokens."""

    secret: str
    algorithms: tuple[str, ...] = ("HS256",)

    async def key_of(self, token: str) -> Any:
        return self.secret


class KeySet:
    """The public keys behind an address; fetched in a thread and kept, since the library waits while it fetches."""

    algorithms: tuple[str, ...] = _ASYMMETRIC

    def __init__(self, url: str) -> None:
        self._client = jwt.PyJWKClient(url, timeout=5)

    async def key_of(self, token: str) -> Any:
        try:
            return (await asyncio.to_thread(self._client.get_signing_key_from_jwt, token)).key
        except jwt.PyJWKClientConnectionError:
            pass
        raise Unavailable("The keys that tokens are signed with cannot be fetched. Try again in a moment.", retry_after=5)


class Authenticator:
    """Turns a token into an actor."""

    def __init__(self, keys: Keys, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        self._keys = keys
        self._database = database
        self._clock = clock

    async def actor(self, authorization: str | None) -> Actor:
        """The member whom an ``Authorization`` header proves; raises ``Unauthorized``."""
        return (await self.proven(authorization)).actor

    async def proven(self, authorization: str | None) -> Proven:
        """The same, with the end of the proof."""
        claims = await self._claims(_bearer(authorization))
        queries = load("assistant.http", "auth")
        async with self._database.tenant(claims.tenant_id, read_only=True) as connection:
            found = await connection.fetchrow(queries["proven_member"], claims.tenant_id, claims.issuer, claims.member_id)
        if found is None or not found["listed"] or found["role"] is None:
            raise Unauthorized(_REFUSED)
        return Proven(Actor(claims.tenant_id, claims.member_id, Role(found["role"])), claims.expires)

    async def _claims(self, token: str) -> Claims:
        try:
            payload = jwt.decode(
                token,
                await self._keys.key_of(token),
                algorithms=list(self._keys.algorithms),
                audience=AUDIENCE,
                leeway=LEEWAY,
                options={"require": ["exp", "aud", "iss", "sub", "tenant"], "verify_sub": False},
            )
            return self._checked(payload)
        except (jwt.PyJWTError, ValueError, TypeError, OverflowError):
            pass
        raise Unauthorized(_REFUSED)

    def _checked(self, payload: Mapping[str, Any]) -> Claims:
        expires = float(payload["exp"])
        if expires - self._clock() > LIFETIME + LEEWAY or expires - float(payload.get("iat", expires)) > LIFETIME + LEEWAY:
            raise ValueError("lifetime")
        issuer = payload["iss"]
        if not isinstance(issuer, str):
            raise ValueError("iss")
        return Claims(_id(payload["tenant"]), _id(payload["sub"]), issuer, expires)


def sign(secret: str, *, tenant_id: int, member_id: int, now: float, seconds: int = LIFETIME) -> str:
    """A token of ``velo token`` for a member."""
    claims = {
        "iss": LOCAL_ISSUER,
        "aud": AUDIENCE,
        "tenant": tenant_id,
        "sub": str(member_id),
        "iat": int(now),
        "exp": int(now) + seconds,
    }
    return jwt.encode(claims, secret, algorithm="HS256")


def _bearer(authorization: str | None) -> str:
    scheme, _, token = (authorization or "").partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token or len(token) > _LONGEST_TOKEN:
        raise Unauthorized(_REFUSED)
    return token


def _id(claim: Any) -> int:
    """An id as a number or as digits; issuers differ."""
    if isinstance(claim, str) and claim.isascii() and claim.isdigit() and len(claim) <= 19:
        claim = int(claim)
    if isinstance(claim, bool) or not isinstance(claim, int) or not 1 <= claim <= LARGEST_ID:
        raise ValueError("id")
    return claim
