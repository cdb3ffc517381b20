"""The page over the whole application with the demo's people and the offline model: nothing is played here."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from playwright.async_api import Browser, expect

from assistant.administration import trust
from assistant.http.auth import LOCAL_ISSUER
from assistant.settings import Settings
from assistant.wiring import wired
from db.pool import Database
from db.roles import logins
from tests.conftest import SeedDatabase
from tests.web.conftest import SECRET, Watch, served


@pytest.fixture
async def demo(seeded: SeedDatabase, clone_database: Callable[[str], Awaitable[str]]) -> AsyncIterator[str]:
    """The address of a demo of its own."""
    dsn = await clone_database((await seeded(1, 0)).database)
    owner = await Database.open(logins(dsn).owner, max_size=2)
    for tenant in (1, 2, 3):
        await trust(owner, tenant, LOCAL_ISSUER)
    await owner.close()
    async with wired(Settings(demo=True, serving=True), dsn=dsn, jwt_secret=SECRET) as app, served(app) as url:
        yield url


async def test_a_member_of_the_demo_asks_and_sees_what_the_model_saw(browser: Browser, demo: str) -> None:
    watch, context = Watch(demo), await browser.new_context(base_url=demo, locale="es")
    watch.over(context)
    page = await context.new_page()
    await page.goto("/")
    await page.get_by_role("button").first.click()
    await page.locator("#question").fill("¿qué pasó con María López?")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("status")).to_have_text("Respuesta lista.")
    await expect(page.locator(".answer .chip").first).to_have_text("María López")
    await expect(page.locator(".question .chip")).to_have_text("María López")
    await expect(page.locator(".answer footer .steps li")).to_have_count(2)
    await page.get_by_role("button", name="Lo que vio el modelo").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog).to_contain_text("¿qué pasó con C-1?")
    await expect(dialog).not_to_contain_text("María")
    await expect(dialog).not_to_contain_text("López")
    await expect(dialog.get_by_text("el registro está intacto")).to_have_count(2)
    await page.keyboard.press("Escape")
    shown = await page.locator(".text").inner_text()
    await page.reload()
    await expect(page.locator(".text")).to_have_text(shown, use_inner_text=True)
    await page.locator("#question").fill("¿y María?")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("status")).to_have_text("Respuesta lista.")
    await context.close()
    watch.nothing_to_say()
