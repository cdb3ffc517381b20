"""A member's way through the chat page."""

from __future__ import annotations

from playwright.async_api import Page, expect

from tests.web.conftest import OpenContext, ask, chat_of
from tests.web.stage import Stage


async def test_a_demo_member_signs_in_and_out(contexts: OpenContext, stage: Stage) -> None:
    context = await contexts(None)
    page = await chat_of(context)
    await page.get_by_role("button", name="Sofía Huenupi").click()
    await expect(page.get_by_role("banner")).to_contain_text("Sofía Huenupi")
    (cookie,) = await context.cookies()
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Strict", "/")
    await page.get_by_role("button", name="Salir").click()
    await expect(page.get_by_role("heading", name="Norte")).to_be_visible()
    assert await context.cookies() == []


async def test_an_answer_is_seen_as_it_is_said(page: Page, stage: Stage) -> None:
    await ask(page, "¿Qué pasó con María Soto?")
    turn = await stage.asked()
    answer = page.locator(".answer")
    await expect(answer).to_contain_text("Pensando")
    turn.say("Déjame ver").begin_step("find_contacts")
    await expect(answer).to_contain_text("Busca contactos…")
    await expect(answer).not_to_contain_text("Déjame ver")
    turn.end_step("find_contacts").say("Con **{María Soto|C-7|contact}** quedó ")
    await expect(answer.locator("strong")).to_have_text("María Soto")
    turn.say("*una* cita.").end()
    await expect(answer.locator(".text")).to_have_text("Con María Soto quedó una cita.")
    await expect(page.get_by_role("status")).to_have_text("Respuesta lista.")
    await expect(page).to_have_title("Velo")
