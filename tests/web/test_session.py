"""The session of the pages: a cookie that counts for requests of our own pages only."""

from __future__ import annotations

import time

import httpx2
import pytest

from tests.web.conftest import BRUNA, HOST, OURS, PEDRO, token, with_cookie
from tests.web.stage import Stage

THREADS = "/api/assistant/threads"


async def test_a_page_of_ours_reads_and_writes_with_the_cookie(visitor: httpx2.AsyncClient) -> None:
    for headers in (with_cookie(OURS), with_cookie({"Origin": f"http://{HOST}"})):
        assert (await visitor.post(THREADS, headers=headers)).status_code == 201
        assert (await visitor.get(THREADS, headers=headers)).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},  # another port of this machine
        {"Sec-Fetch-Site": "none"},
        {"Sec-Fetch-Site": "cross-site", "Origin": f"http://{HOST}"},
        {"Origin": "http://127.0.0.1:9000"},
        {"Origin": "http://evil.example"},
        {"Origin": f"http://{HOST}.evil.example"},
        {"Origin": f"http://{HOST}@evil.example"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Origin": "http://[::1"},
    ],
    ids=str,
)
async def test_another_page_neither_reads_nor_writes_with_the_cookie(visitor: httpx2.AsyncClient, stage: Stage, headers: dict[str, str]) -> None:
    for request in (visitor.get(THREADS, headers=with_cookie(headers)), visitor.post(THREADS, headers=with_cookie(headers))):
        assert (await request).status_code == 401
    asked = await visitor.post("/api/assistant/messages", json={"text": "hola"}, headers=with_cookie(headers))
    assert asked.status_code == 401
    assert (stage.threads_made, stage.turns) == ({}, {})


async def test_where_a_browser_says_nothing_the_cookie_reads_and_does_not_write(visitor: httpx2.AsyncClient, stage: Stage) -> None:
    assert (await visitor.get(THREADS, headers=with_cookie())).status_code == 200
    assert (await visitor.post(THREADS, headers=with_cookie())).status_code == 401
    assert stage.threads_made == {}


async def test_an_authorization_header_goes_before_the_cookie(visitor: httpx2.AsyncClient, stage: Stage) -> None:
    mine = {**with_cookie(OURS), "Authorization": f"Bearer {token(PEDRO)}"}
    await visitor.post(THREADS, headers=mine)
    assert [actor.member_id for actor in stage.threads_made.values()] == [PEDRO[1]]
    assert (await visitor.get(THREADS, headers={**mine, "Authorization": "Bearer nonsense"})).status_code == 401


async def test_a_header_needs_no_origin(visitor: httpx2.AsyncClient) -> None:
    headers = {"Authorization": f"Bearer {token()}", "Origin": "https://crm.example", "Sec-Fetch-Site": "cross-site"}
    assert (await visitor.post(THREADS, headers=headers)).status_code == 201


async def test_a_cookie_that_proves_nothing_is_no_session(visitor: httpx2.AsyncClient) -> None:
    old = token(now=time.time() - 7200)
    for cookie in ("velo_session=", "velo_session=x.y.z", f"velo_session={old}", "velo_session=" + "a" * 9000):
        assert (await visitor.get(THREADS, headers={"Cookie": cookie, **OURS})).status_code == 401
        page = await visitor.get("/", headers={"Cookie": cookie})
        assert (page.status_code, page.headers["Location"]) == (303, "/sign-in")


async def test_whoever_the_demo_lets_in_gets_a_session_of_an_hour(visitor: httpx2.AsyncClient) -> None:
    response = await visitor.post("/sign-in", data={"member": "2:1"}, headers=OURS)
    assert (response.status_code, response.headers["Location"]) == (303, "/")
    cookie = response.headers["Set-Cookie"]
    assert cookie.startswith("velo_session=")
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
    assert 3500 < int(cookie.partition("Max-Age=")[2].partition(";")[0]) <= 3600
    visitor.cookies.clear()
    page = await visitor.get("/", headers={"Cookie": cookie.partition(";")[0]})
    assert 'lang="pt"' in page.text


@pytest.mark.parametrize("member", ["", "1", "1:", ":1", "1:99", "99:1", "1:1:1", "1:-1", "1:x", "١:١", "9" * 40 + ":1"])
async def test_whoever_is_not_in_the_demo_is_not_let_in(visitor: httpx2.AsyncClient, member: str) -> None:
    response = await visitor.post("/sign-in", data={"member": member}, headers=OURS)
    assert response.status_code == 401
    assert "Set-Cookie" not in response.headers
    assert 'role="alert"' in response.text


@pytest.mark.parametrize("path", ["/sign-in", "/sign-out"])
async def test_no_other_page_signs_anybody_in_or_out(visitor: httpx2.AsyncClient, path: str) -> None:
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": "http://evil.example"}, {"Origin": "null"}, {}):
        response = await visitor.post(path, data={"member": "1:1"}, headers={**with_cookie(), **headers})
        assert response.status_code == 400
        assert "Set-Cookie" not in response.headers


async def test_outside_of_the_demo_nobody_is_listed_and_a_token_is_needed(outsider: httpx2.AsyncClient) -> None:
    page = await outsider.get("/sign-in")
    assert "Huenupi" not in page.text
    assert 'name="token"' in page.text
    assert (await outsider.post("/sign-in", data={"member": "1:1"}, headers=OURS)).status_code == 401
    assert (await outsider.post("/sign-in", data={"token": "x.y.z"}, headers=OURS)).status_code == 401


async def test_a_pasted_token_becomes_a_session_for_as_long_as_it_lives(outsider: httpx2.AsyncClient) -> None:
    pasted = token(BRUNA, seconds=600)
    response = await outsider.post("/sign-in", data={"token": f" {pasted}\n"}, headers=OURS)
    cookie = response.headers["Set-Cookie"]
    assert cookie.startswith(f"__Host-velo_session={pasted};")
    assert {"Secure", "HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
    assert 500 < int(cookie.partition("Max-Age=")[2].partition(";")[0]) <= 600
    threads = await outsider.get(THREADS, headers={"Cookie": cookie.partition(";")[0], **OURS})
    assert threads.status_code == 200


async def test_over_https_a_cookie_without_the_safe_name_is_no_session(outsider: httpx2.AsyncClient) -> None:
    assert (await outsider.get(THREADS, headers=with_cookie(OURS))).status_code == 401


async def test_a_form_that_is_too_large_is_refused(visitor: httpx2.AsyncClient) -> None:
    response = await visitor.post("/sign-in", data={"token": "a" * 20_000}, headers=OURS)
    assert response.status_code == 413
