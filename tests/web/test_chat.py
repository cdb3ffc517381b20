"""A member's way through the chat page."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect

from assistant.errors import Unavailable
from tests.web.conftest import BRUNA, GRACE, OpenContext, ask, chat_of
from tests.web.stage import Stage

DONE = "Respuesta lista."


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


async def test_whoever_comes_by_a_link_from_elsewhere_is_still_signed_in(contexts: OpenContext, stage: Stage, site: str) -> None:
    page = await (await contexts()).new_page()
    await page.goto(site.replace("127.0.0.1", "localhost") + "/sign-in")
    await page.evaluate("url => { location.href = url }", f"{site}/")
    await expect(page.get_by_role("banner")).to_contain_text("Sofía Huenupi")


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
    await expect(page.get_by_role("status")).to_have_text(DONE)
    await expect(page).to_have_title("Velo")


async def test_only_what_the_last_call_said_is_the_answer(page: Page, stage: Stage) -> None:
    await ask(page, "¿Qué pasó?")
    turn = await stage.asked()
    turn.say("Déjame ver a {María|C-1|contact}. ")
    await expect(page.locator(".text")).to_contain_text("Déjame ver")
    turn.begin_call().say("Nada con {Ana|C-2|contact}.")
    await expect(page.locator(".text")).to_have_text("Nada con Ana.")
    turn.end()
    await expect(page.locator(".text .chip")).to_have_text("Ana")


async def test_an_answer_that_is_stopped_is_no_finished_one(page: Page, stage: Stage) -> None:
    await ask(page, "¿Qué pasó?")
    (await stage.asked()).say("Primero pasó")
    await expect(page.locator(".answer")).to_contain_text("Primero pasó")
    await page.get_by_role("button", name="Detener").click()
    await expect(page.get_by_role("note")).to_contain_text("Sin terminar. Detenida.")
    await expect(page.locator(".text")).to_have_text("Primero pasó")
    await expect(page.locator("#question")).to_be_focused()
    await page.reload()
    await expect(page.get_by_role("note")).to_contain_text("Sin terminar. Detenida.")


@pytest.mark.parametrize(
    ("state", "finish", "said", "told"),
    [
        ("failed", "cut", "Algo", "Sin terminar. La respuesta se cortó"),
        ("failed", "cut", "", "No se pudo responder"),
        ("interrupted", "cut", "", "El servidor se reinició"),
        ("done", "length", "Algo", "Sin terminar. La respuesta llegó al largo máximo"),
        ("done", "cut", "Algo", "Sin terminar. La respuesta se cortó"),
        ("done", "content_filter", "Algo", "Sin terminar. El proveedor"),
    ],
)
async def test_every_ending_is_told_and_stays_told(page: Page, stage: Stage, state: str, finish: str, said: str, told: str) -> None:
    await ask(page, "¿Qué pasó?")
    turn = await stage.asked()
    if said:
        turn.say(said)
    turn.end(state, finish=finish)
    await expect(page.locator(".notice")).to_contain_text(told)
    if state != "done":
        await expect(page.locator(".notice code")).to_have_text("0badcafe")
    await expect(page.get_by_role("status")).not_to_have_text("Pensando…")
    await page.reload()
    await expect(page.locator(".notice")).to_contain_text(told)


async def test_a_page_that_is_loaded_anew_in_mid_answer_catches_up(page: Page, stage: Stage) -> None:
    await ask(page, "¿Qué pasó?")
    turn = await stage.asked()
    turn.say("Uno, ").begin_step("read_messages").end_step("read_messages").say("{María Soto|C-7|contact}, ")
    await expect(page.locator(".text")).to_have_text("María Soto,")
    await page.reload()
    await expect(page.locator(".text")).to_have_text("María Soto,")
    turn.say("tres.").end()
    await expect(page.locator(".text")).to_have_text("María Soto, tres.")
    await expect(page.locator(".question")).to_have_count(1)


async def test_a_line_that_breaks_is_taken_up_where_it_broke(page: Page, stage: Stage) -> None:
    await ask(page, "¿Qué pasó?")
    turn = await stage.asked()
    turn.say("Uno, ")
    await expect(page.locator(".text")).to_have_text("Uno,")
    stage.cut_the_line()
    turn.say("dos, ")
    await expect(page.locator(".text")).to_have_text("Uno, dos,")
    turn.say("tres.").end()
    await expect(page.locator(".text")).to_have_text("Uno, dos, tres.")
    assert len(stage.turns) == 1
    assert turn.followers >= 2


async def test_a_question_whose_line_broke_at_once_is_asked_once(page: Page, stage: Stage) -> None:
    stage.lose_streams(2)
    await ask(page, "¿Qué pasó?")
    turn = await stage.asked()
    turn.say("Uno.").end()
    await expect(page.locator(".text")).to_have_text("Uno.")
    assert len(stage.turns) == 1
    assert turn.followers >= 3


async def test_a_question_that_is_stopped_before_it_was_taken_is_stopped_then(page: Page, stage: Stage) -> None:
    stage.open.clear()
    await ask(page, "¿Qué pasó?")
    await page.get_by_role("button", name="Detener").click()
    await expect(page.locator(".answer")).to_contain_text("Deteniendo…")
    stage.open.set()
    await expect(page.get_by_role("note")).to_have_text("Detenida antes de responder.")
    assert (await stage.asked()).state == "stopped"


async def test_what_the_model_saw_has_no_name(page: Page, stage: Stage) -> None:
    await ask(page, "¿Qué pasó con María Soto?")
    turn = await stage.asked()
    question, call = {"role": "user", "content": "¿Qué pasó con C-7?"}, {"function": {"name": "read_messages", "arguments": '{"contact":"C-7"}'}}
    stage.records[turn.id] = {
        "turn_id": turn.id,
        "model": "m",
        "late_masks": 0,
        "calls": [
            {"ordinal": 1, "sha256": "ab" * 32, "intact": True, "request": {"messages": [{"role": "system", "content": "S"}, question]}, "response": {"tool_calls": [call]}},
            {"ordinal": 2, "sha256": "cd" * 32, "intact": False, "request": {"messages": [{"role": "system", "content": "S"}, question, {"role": "tool", "content": "<a>…</a>"}]}, "response": {"content": "C-7 vino."}},
        ],
    }  # fmt: skip
    turn.say("{María Soto|C-7|contact} vino.").end()
    await page.get_by_role("button", name="Lo que vio el modelo").click()
    dialog = page.get_by_role("dialog", name="Lo que vio el modelo")
    for line in ("¿Qué pasó con C-7?", 'read_messages({"contact":"C-7"})', "<a>…</a>", "C-7 vino.", "ab" * 32, "el registro está intacto", "cd" * 32, "¡el registro fue alterado!"):
        await expect(dialog).to_contain_text(line)
    await expect(dialog).not_to_contain_text("María")
    await page.keyboard.press("Escape")
    await expect(dialog).not_to_be_visible()
    await expect(page.get_by_role("button", name="Lo que vio el modelo")).to_be_focused()


async def test_chips_say_how_a_name_travels(page: Page, stage: Stage) -> None:
    await ask(page, "¿Y Martn?")
    turn = await stage.asked()
    turn.question["marks"] = [{"start": 3, "end": 8, "token": "C-8", "kind": "contact", "state": "visible", "ids": [8], "fuzzy": True, "late": False, "understood": ["Martín"]}]
    turn.say("👩‍👩‍👧 {María Soto|C-7|contact}, {Ventas|B-1|inbox}, {[correo]|[correo]|}, ").say("{C-9|C-9|contact}", state="hidden")
    await expect(page.locator(".answer .chip")).to_have_text(["María Soto", "Ventas", "[correo]", "C-9"])
    turn.say(" y C-99, no xC-99. {Ana|C-1|contact}", late=True).end(unknown_tokens=["C-99"], late_masks=1)
    chips = page.locator(".answer .chip")
    await expect(chips).to_have_text(["María Soto", "Ventas", "[correo]", "C-9", "C-99", "Ana"])
    titles = [await chip.get_attribute("title") for chip in await chips.all()]
    assert titles == [
        "C-7 · contacto",
        "B-1 · bandeja",
        "viaja como [correo]",
        "C-9 · contacto · no lo puedes ver",
        "C-99 · no existe en este hilo",
        "C-1 · contacto · tapado cuando ya había salido",
    ]
    await expect(page.locator(".question")).to_have_text("¿Y Martn (entendí Martín)?")
    await expect(page.locator(".answer footer")).to_contain_text("1 dato ya había salido")
    await expect(page.locator(".answer")).to_contain_text("fichas que no existen: C-99")


async def test_a_choice_asks_the_same_question_again(page: Page, stage: Stage) -> None:
    await ask(page, "👋 ¿y Ana con Luis?")
    turn = await stage.asked()
    ana, luis = ([{"kind": "contact", "id": number, "name": name, "inbox": None, "last_contact": None} for number, name in found] for found in (((4, "Ana Rojas"), (5, "Ana Paz")), ((6, "Luis Gil"), (7, "Luis Mar"))))
    turn.say("¿A cuál te refieres?").end(finish=None, choices=[{"start": 5, "end": 8, "total": 2, "candidates": ana}, {"start": 13, "end": 17, "total": 9, "candidates": luis}])
    await expect(page.get_by_role("group")).to_have_count(2)
    await page.reload()
    await page.get_by_role("group", name="¿A quién te refieres con «Ana»?").get_by_role("button", name="Ana Paz").click()
    await expect(page.get_by_role("button", name="Ana Paz")).to_have_attribute("aria-pressed", "true")
    await page.get_by_role("group", name="«Luis»? 2 de 9").get_by_role("button", name="Cualquiera").click()
    again = await stage.asked()
    assert again.ask.text.text == turn.ask.text.text
    assert again.thread_id == turn.thread_id
    await expect(page.locator(".question")).to_have_count(2)
    assert [(mention.start, mention.end, mention.id) for mention in again.ask.mentions] == [(5, 8, 5), (13, 17, None)]


@pytest.mark.parametrize(("who", "hello", "stop", "done"), [(BRUNA, "De quem você quer saber?", "Parar", "Resposta pronta."), (GRACE, "Whom do you want to know about?", "Stop", "The answer is ready.")], ids=["pt", "en"])
async def test_the_page_speaks_the_tenants_language(contexts: OpenContext, stage: Stage, who: tuple[int, int], hello: str, stop: str, done: str) -> None:
    page = await chat_of(await contexts(who))
    await expect(page.get_by_role("heading", name=hello)).to_be_visible()
    await ask(page, "?")
    turn = await stage.asked()
    await expect(page.get_by_role("button", name=stop)).to_be_visible()
    turn.say("Ok.").end()
    await expect(page.get_by_role("status")).to_have_text(done)


async def test_everything_works_by_keyboard_alone(contexts: OpenContext, stage: Stage) -> None:
    page = await chat_of(await contexts(None))
    await page.keyboard.press("Tab")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await expect(page.locator("#question")).to_be_focused()
    await page.keyboard.type("línea uno")
    await page.keyboard.press("Shift+Enter")
    await page.keyboard.type("línea dos")
    await page.keyboard.press("Enter")
    turn = await stage.asked()
    assert turn.ask.text.text == "línea uno\nlínea dos"
    turn.say("Esto")
    await expect(page.locator(".text")).to_have_text("Esto")
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("note")).to_contain_text("Detenida")
    await page.keyboard.press("Shift+Tab")
    await expect(page.get_by_role("button", name="Lo que vio el modelo")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("dialog")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).not_to_be_visible()


async def test_the_page_fits_a_narrow_phone(contexts: OpenContext, stage: Stage) -> None:
    page = await chat_of(await contexts(viewport={"width": 320, "height": 568}))
    await ask(page, "¿" + "qué" * 60 + "?")
    row = "|" + "una celda larga|" * 8
    (await stage.asked()).say(f"{row}\n{'|-' * 8}|\n{row}\n\n`{'x' * 200}`\n\nhttps://x.example/{'y' * 200} " + "{" + "N" * 120 + "|C-1|contact}").end()
    await expect(page.get_by_role("status")).to_have_text(DONE)
    assert await page.evaluate("() => document.documentElement.scrollWidth") == 320
    assert await page.locator(".column").evaluate("column => column.scrollWidth <= column.clientWidth")
    await page.get_by_role("button", name="Hilos").click()
    await page.get_by_role("navigation").get_by_role("link", name="Hilo nuevo").click()
    await expect(page.get_by_role("heading", name="¿Sobre quién quieres saber?")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_light_and_dark_follow_the_system(contexts: OpenContext, stage: Stage, scheme: str) -> None:
    page = await chat_of(await contexts(color_scheme=scheme))
    colours = await page.evaluate("() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]")
    paper, ink = (sum(int(part) for part in colour[4:-1].split(",")) for colour in colours)
    assert (paper > ink) is (scheme == "light")


async def test_two_tabs_see_the_same_answer(page: Page, stage: Stage) -> None:
    await ask(page, "¿Qué pasó?")
    (await stage.asked()).say("Uno.").end()
    await expect(page.get_by_role("status")).to_have_text(DONE)
    other = await page.context.new_page()
    await other.goto(page.url)
    await expect(other.locator(".text")).to_have_text("Uno.")
    await ask(other, "¿Y después?")
    turn = await stage.asked()
    turn.say("Dos")
    for tab in (page, other):
        await expect(tab.locator(".text").last).to_have_text("Dos")
    turn.say(".").end()
    for tab in (page, other):
        await expect(tab.locator(".text").last).to_have_text("Dos.")
        await expect(tab.get_by_role("button", name="Enviar")).to_be_visible()
        await expect(tab.locator(".question")).to_have_count(2)


async def test_a_thread_that_is_busy_elsewhere_keeps_the_question(page: Page, stage: Stage) -> None:
    await ask(page, "¿Qué pasó?")
    turn = await stage.asked()
    turn.end()
    await expect(page.get_by_role("button", name="Enviar")).to_be_visible()
    turn.state = "running"  # taken by another client, of which this page hears nothing
    await ask(page, "¿Y ahora?")
    await expect(page.get_by_role("alert")).to_contain_text("Este hilo está respondiendo otra pregunta")
    await expect(page.get_by_role("alert")).to_contain_text("¿Y ahora?")
    turn.state = "done"
    await page.evaluate("thread => new BroadcastChannel('velo').postMessage({ threadId: thread })", turn.thread_id)
    await expect(page.get_by_role("alert")).to_contain_text("¿Y ahora?")
    await page.get_by_role("button", name="Reintentar").click()
    assert (await stage.asked()).ask.text.text == "¿Y ahora?"


async def test_a_refusal_says_what_to_pass_on(page: Page, stage: Stage) -> None:
    stage.refuses = Unavailable("The database is away.", error_id="deadbeef")
    await ask(page, "¿Qué pasó?")
    await expect(page.get_by_role("alert")).to_contain_text("Ahora no está disponible")
    await expect(page.get_by_role("alert").locator("code")).to_have_text("deadbeef")


async def test_a_session_that_ended_says_so(page: Page, stage: Stage) -> None:
    await page.context.clear_cookies()
    await ask(page, "¿Qué pasó?")
    await expect(page.get_by_role("alert")).to_contain_text("Tu sesión terminó")
    async with page.context.expect_page() as opened:
        await page.get_by_role("link", name="Entrar otra vez").click()
    other = await opened.value
    await other.get_by_role("button", name="Sofía Huenupi").click()
    await expect(other.locator("#question")).to_be_focused()
    await page.get_by_role("button", name="Reintentar").click()
    assert (await stage.asked()).ask.text.text == "¿Qué pasó?"


async def test_a_tab_whose_session_became_another_members_starts_anew(page: Page, stage: Stage) -> None:
    await ask(page, "¿Qué pasó?")
    (await stage.asked()).say("Uno.").end()
    await expect(page.locator(".text")).to_have_text("Uno.")
    other = await page.context.new_page()
    await other.goto("/sign-in")
    await other.get_by_role("button", name="Pedro").click()
    await expect(page.get_by_role("banner")).to_contain_text("Pedro")
    await expect(page.locator(".text")).to_have_count(0)
    await expect(page.get_by_role("alert")).to_contain_text("Ese hilo no existe o no es tuyo")


async def test_a_thread_is_left_and_found_again_while_it_answers(page: Page, stage: Stage) -> None:
    await ask(page, "¿Qué pasó?")
    turn = await stage.asked()
    turn.say("Uno")
    await expect(page.locator(".text")).to_have_text("Uno")
    await page.get_by_role("link", name="Hilo nuevo").click()
    await expect(page.get_by_role("heading", name="¿Sobre quién quieres saber?")).to_be_visible()
    await page.get_by_role("navigation").get_by_role("listitem").get_by_role("link").click()
    await expect(page.locator(".text")).to_have_text("Uno")
    turn.say(", dos.").end()
    await expect(page.locator(".text")).to_have_text("Uno, dos.")


async def test_the_address_and_the_title_hold_nothing_of_anybody(page: Page, stage: Stage) -> None:
    await ask(page, "¿Qué pasó con María Soto?")
    (await stage.asked()).say("{María Soto|C-7|contact} vino.").end()
    await expect(page.get_by_role("status")).to_have_text(DONE)
    assert page.url.endswith("/#t1")
    await expect(page).to_have_title("Velo")
    assert await page.evaluate("() => [localStorage.length, sessionStorage.length, document.cookie]") == [0, 0, ""]
