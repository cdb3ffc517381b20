"""A real browser on the real page; only the turns behind the HTTP door are played."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import httpx2
import pytest
import uvicorn
from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, Request, async_playwright, expect

from assistant.http.app import Application, application
from assistant.http.auth import LOCAL_ISSUER, Authenticator, SharedSecret, sign
from assistant.http.health import Health
from assistant.web import pages
from db.pool import Database
from db.roles import logins
from tests.web.stage import Stage

SECRET = "5f1d8a7c3b9e2046" * 4
FLAGS = ["--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]
HOST = "127.0.0.1:8000"
OURS = {"Sec-Fetch-Site": "same-origin"}
HOW = "set CHROMIUM_PATH to a Chromium or Chrome, or install one (Debian: apt-get install chromium)"

SOFIA = (1, 1)
PEDRO = (1, 2)
BRUNA = (2, 1)
GRACE = (3, 1)
MEMBERS = {SOFIA: ("Sofía Huenupi", "agent"), PEDRO: ("Pedro <b>Lagos</b>", "admin"), BRUNA: ("Bruna Sá", "agent"), GRACE: ("Grace Kim", "agent")}


@pytest.fixture(scope="session")
async def house(template: str, clone_database: Callable[[str], Awaitable[str]]) -> AsyncIterator[Database]:
    """A database with three teams, which no test changes."""
    dsn = await clone_database(template)
    owner = await Database.open(logins(dsn).owner)
    for tenant, name in ((1, "Norte"), (2, "Sul"), (3, "East")):
        async with owner.tenant(tenant) as connection:
            await connection.execute("INSERT INTO velo.tenants (tenant_id, name) VALUES ($1, $2)", tenant, name)
            await connection.execute("INSERT INTO velo.issuers (tenant_id, issuer) VALUES ($1, $2)", tenant, LOCAL_ISSUER)
            rows = [(*who, *said) for who, said in MEMBERS.items() if who[0] == tenant]
            await connection.executemany("INSERT INTO crm.members (tenant_id, id, name, role) VALUES ($1, $2, $3, $4)", rows)
    await owner.close()
    opened = await Database.open(logins(dsn).app)
    yield opened
    await opened.close()


@pytest.fixture(scope="session")
def whole_stage() -> Stage:
    return Stage()


def app_over(stage: Stage, database: Database, *, demo: bool = True) -> Application:
    """The application with its pages over played turns."""

    async def state() -> Any:
        return "ok"

    authenticator = Authenticator(SharedSecret(SECRET), database)
    secret = SECRET if demo else None
    made = pages.routes(authenticator=authenticator, turns=stage, database=database, demo_secret=secret, offline=demo)
    return application(turns=stage, authenticator=authenticator, health=Health("1", "offline", state), loopback_only=demo, pages=made)


class _Quiet(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@contextlib.asynccontextmanager
async def served(app: Application) -> AsyncIterator[str]:
    """The address of the application on this machine."""
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, access_log=False, lifespan="off", timeout_graceful_shutdown=1)
    server = _Quiet(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - uvicorn has no other sign
        await asyncio.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    await serving


@pytest.fixture(scope="session")
async def site(whole_stage: Stage, house: Database) -> AsyncIterator[str]:
    async with served(app_over(whole_stage, house)) as url:
        yield url


@pytest.fixture
def stage(whole_stage: Stage) -> Stage:
    """The turns, with nothing played yet."""
    whole_stage.cut_the_line()
    whole_stage.clear()
    return whole_stage


def token(who: tuple[int, int] = SOFIA, **more: Any) -> str:
    return sign(SECRET, tenant_id=who[0], member_id=who[1], **{"now": time.time(), **more})


def with_cookie(headers: dict[str, str] | None = None) -> dict[str, str]:
    """Headers with the session of Sofía."""
    return {"Cookie": f"velo_session={token()}", **(headers or {})}


@pytest.fixture
async def visitor(stage: Stage, house: Database) -> AsyncIterator[httpx2.AsyncClient]:
    """A browser's requests without a browser, in demo mode."""
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app_over(stage, house)), base_url=f"http://{HOST}") as client:
        yield client


@pytest.fixture
async def outsider(stage: Stage, house: Database) -> AsyncIterator[httpx2.AsyncClient]:
    """The same outside of demo mode, behind something that speaks HTTPS."""
    headers = {"X-Forwarded-Proto": "https"}
    transport = httpx2.ASGITransport(app_over(stage, house, demo=False))
    async with httpx2.AsyncClient(transport=transport, base_url="http://velo.example", headers=headers) as client:
        yield client


def chromium() -> str:
    """Where the browser is; without one the tests are skipped, but never in CI."""
    names = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
    found = os.environ.get("CHROMIUM_PATH") or next(filter(None, map(shutil.which, names)), None)
    if found:
        return found
    if os.environ.get("CI") == "true":
        pytest.fail(f"no browser: {HOW}")
    pytest.skip(f"no browser: {HOW}")


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    path = chromium()
    expect.set_options(timeout=20_000)  # how long a busy machine may take; nothing waits that long where all is well
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield launched
        await launched.close()


class Watch:
    """What the browser complained about and whom it called, in every page of a context."""

    def __init__(self, site: str) -> None:
        self.ours = (site, site.replace("127.0.0.1", "localhost"))
        self.complaints: list[str] = []
        self.foreign: list[str] = []

    def over(self, context: BrowserContext) -> None:
        context.on("console", self._said)
        context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        context.on("request", self._called)

    def _said(self, message: ConsoleMessage) -> None:
        # An answer of 4xx, or a line that a test has cut, is no complaint.
        if message.type in ("error", "warning") and not message.text.startswith("Failed to load resource"):
            self.complaints.append(message.text)

    def _called(self, request: Request) -> None:
        if not request.url.startswith((*self.ours, "about:")):
            self.foreign.append(request.url)

    def nothing_to_say(self) -> None:
        """Fail if there was a complaint or a call; then forget both."""
        said = (self.complaints.copy(), self.foreign.copy())
        self.complaints.clear()
        self.foreign.clear()
        assert said == ([], [])


OpenContext = Callable[..., Awaitable[BrowserContext]]


async def window(browser: Browser, site: str, watch: Watch, **options: Any) -> BrowserContext:
    """A window without history."""
    context = await browser.new_context(base_url=site, **{"locale": "es-CL", **options})
    context.set_default_timeout(20_000)
    watch.over(context)
    return context


async def sign_in(context: BrowserContext, site: str, who: tuple[int, int]) -> None:
    """Give a window the session of a member."""
    await context.clear_cookies()
    await context.add_cookies([{"name": "velo_session", "value": token(who), "url": site, "httpOnly": True, "sameSite": "Strict"}])


@pytest.fixture
async def contexts(browser: Browser, site: str) -> AsyncIterator[OpenContext]:
    """Opens a window of the test's own; at its end no page may have complained (CSP included) or called anybody else."""
    opened: list[BrowserContext] = []
    watch = Watch(site)

    async def open_context(who: tuple[int, int] | None = SOFIA, **options: Any) -> BrowserContext:
        context = await window(browser, site, watch, **options)
        opened.append(context)
        if who is not None:
            await sign_in(context, site, who)
        return context

    yield open_context
    for context in opened:
        await context.close()
    watch.nothing_to_say()


@pytest.fixture(scope="session")
async def usual(browser: Browser, site: str) -> tuple[Page, Watch]:
    """A page that tests use one after the other: to open a window takes longer than most of them."""
    watch = Watch(site)
    return await (await window(browser, site, watch)).new_page(), watch


@pytest.fixture
async def page(usual: tuple[Page, Watch], stage: Stage, site: str) -> AsyncIterator[Page]:
    """The chat of Sofía, who has just signed in; watched as the pages of ``contexts`` are."""
    page, watch = usual
    await sign_in(page.context, site, SOFIA)
    await page.goto("/")
    yield page
    for other in page.context.pages:
        await (other.goto("about:blank") if other is page else other.close())
    watch.nothing_to_say()


async def chat_of(context: BrowserContext) -> Page:
    page = await context.new_page()
    await page.goto("/")
    return page


async def ask(page: Page, text: str) -> None:
    """Type a question and send it."""
    await page.locator("#question").fill(text)
    await page.keyboard.press("Enter")
