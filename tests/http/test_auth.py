"""Who gets in: tokens, issuers, members."""

from __future__ import annotations

import json
import time
from base64 import urlsafe_b64encode
from typing import Any

import httpx2
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

from assistant.errors import Unauthorized, Unavailable
from assistant.http import auth
from assistant.http.auth import Authenticator, KeySet, SharedSecret
from assistant.http.bodies import LARGEST_ID
from db.pool import Database
from tests.http.conftest import ISSUER, SECRET, EchoTurns, fill, problem_of, token
from tools.permissions import Actor, Role

PATH = "/api/assistant/threads"


async def test_a_good_token_lets_its_member_in_with_the_role_of_the_database(
    client: httpx2.AsyncClient, turns: EchoTurns
) -> None:
    for member, role in (("1", Role.AGENT), (2, Role.ADMIN)):
        headers = {"Authorization": f"Bearer {token(sub=member, role='admin')}"}
        response = await client.post("/api/assistant/messages", json={"text": "hola"}, headers=headers)
        assert response.status_code == 200
        assert turns.asked[-1][0] == Actor(1, int(member), role)


@pytest.mark.parametrize(
    "claims",
    [
        {"exp": int(time.time()) - 60},
        {"exp": int(time.time()) + 7200},
        {"exp": int(time.time()) + 1800, "iat": int(time.time()) - 3600},
        {"exp": "soon"},
        {"exp": float("inf")},
        {"exp": {}},
        {"aud": "other"},
        {"iss": "https://other.velo.test"},
        {"iss": [ISSUER]},
        {"tenant": 2},
        {"tenant": 99},
        {"tenant": 0},
        {"tenant": -1},
        {"tenant": True},
        {"tenant": 1.0},
        {"tenant": "1 OR 1=1"},
        {"tenant": "١"},
        {"tenant": LARGEST_ID + 1},
        {"sub": "99"},
        {"sub": "3"},
        {"sub": "María"},
        {"sub": None},
        {"iat": "yesterday"},
        {"nbf": int(time.time()) + 600},
        {"without": "exp"},
        {"without": "aud"},
        {"without": "iss"},
        {"without": "sub"},
        {"without": "tenant"},
        {"secret": "0" * 64},
        {"algorithm": "HS512"},
    ],
    ids=str,
)
async def test_a_token_that_proves_nothing_is_refused_without_saying_why(
    stranger: httpx2.AsyncClient, claims: dict[str, Any]
) -> None:
    response = await stranger.get(PATH, headers={"Authorization": f"Bearer {token(**claims)}"})
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == "Bearer"
    assert problem_of(response)["detail"] == auth._REFUSED


async def test_an_unsigned_token_is_refused(stranger: httpx2.AsyncClient) -> None:
    payload = jwt.decode(token(), options={"verify_signature": False})
    parts = ({"alg": "none", "typ": "JWT"}, payload)
    unsigned = ".".join(urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in parts) + "."
    response = await stranger.get(PATH, headers={"Authorization": f"Bearer {unsigned}"})
    assert response.status_code == 401


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Basic dTpw",
        "Bearer x",
        "Bearer a.b.c",
        f"Bearer {'a' * 9000}",
        "Bearer \xff.b.c",
    ],
)
async def test_what_is_no_token_is_refused(stranger: httpx2.AsyncClient, header: str | None) -> None:
    headers = {} if header is None else {b"Authorization": header.encode("latin-1")}
    response = await stranger.get(PATH, headers=headers)
    assert response.status_code == 401
    problem_of(response)


async def test_an_hour_is_the_longest_life(people: Database) -> None:
    authenticator = Authenticator(SharedSecret(SECRET), people)
    now = int(time.time())
    assert await authenticator.actor(f"bearer {token(exp=now + 3600)}") == Actor(1, 1, Role.AGENT)
    with pytest.raises(Unauthorized):
        await authenticator.actor(f"Bearer {token(exp=now + 3700, iat=now + 200)}")


async def test_a_member_who_leaves_is_out_at_once(owner: Database, database: Database) -> None:
    await fill(owner)
    authenticator = Authenticator(SharedSecret(SECRET), database)
    assert await authenticator.actor(f"Bearer {token()}") == Actor(1, 1, Role.AGENT)
    async with owner.tenant(1) as connection:
        await connection.execute("UPDATE crm.members SET active = false WHERE tenant_id = 1 AND id = 1")
    with pytest.raises(Unauthorized):
        await authenticator.actor(f"Bearer {token()}")


async def test_an_issuer_speaks_for_its_own_tenants_only(owner: Database, database: Database) -> None:
    await fill(owner)
    authenticator = Authenticator(SharedSecret(SECRET), database)
    with pytest.raises(Unauthorized):
        await authenticator.actor(f"Bearer {token(tenant=2)}")
    async with owner.tenant(2) as connection:
        await connection.execute("INSERT INTO velo.issuers (tenant_id, issuer) VALUES (2, $1)", ISSUER)
    assert await authenticator.actor(f"Bearer {token(tenant=2)}") == Actor(2, 1, Role.AGENT)


async def test_a_token_of_the_command_line_is_a_good_one(people: Database) -> None:
    signed = auth.sign(SECRET, tenant_id=1, member_id=2, now=time.time())
    assert await Authenticator(SharedSecret(SECRET), people).actor(f"Bearer {signed}") == Actor(1, 2, Role.ADMIN)


@pytest.fixture(scope="module")
def private_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@pytest.fixture
def key_set(private_key: rsa.RSAPrivateKey, monkeypatch: pytest.MonkeyPatch) -> KeySet:
    """The public half behind an address."""
    public = {**json.loads(RSAAlgorithm.to_jwk(private_key.public_key())), "kid": "one", "use": "sig", "alg": "RS256"}
    monkeypatch.setattr(jwt.PyJWKClient, "fetch_data", lambda self: {"keys": [public]})
    return KeySet("http://127.0.0.1:9/keys")


def signed(private_key: rsa.RSAPrivateKey, kid: str = "one") -> str:
    now = int(time.time())
    claims = {"tenant": 1, "sub": "1", "aud": "velo", "iss": ISSUER, "exp": now + 600}
    return jwt.encode(claims, private_key, algorithm="RS256", headers={"kid": kid})


async def test_a_token_signed_with_a_key_of_the_set_lets_in(
    people: Database, key_set: KeySet, private_key: rsa.RSAPrivateKey
) -> None:
    actor = await Authenticator(key_set, people).actor(f"Bearer {signed(private_key)}")
    assert actor == Actor(1, 1, Role.AGENT)


async def test_a_public_key_is_no_shared_secret(
    people: Database, key_set: KeySet, private_key: rsa.RSAPrivateKey
) -> None:
    authenticator = Authenticator(key_set, people)
    for bad in (token(), signed(private_key, kid="two"), signed(rsa.generate_private_key(65537, 2048))):
        with pytest.raises(Unauthorized):
            await authenticator.actor(f"Bearer {bad}")


async def test_keys_that_cannot_be_fetched_are_not_the_members_fault(
    people: Database, private_key: rsa.RSAPrivateKey
) -> None:
    with pytest.raises(Unavailable):
        await Authenticator(KeySet("http://127.0.0.1:9/keys"), people).actor(f"Bearer {signed(private_key)}")
