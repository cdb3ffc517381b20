"""What the pages are served with: a strict policy, addresses for good, nothing of anybody in them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from shutil import copytree

import httpx2
import pytest

from assistant.errors import AssistantError
from assistant.web import vendored
from assistant.web.static import FOLDER, Static
from assistant.web.words import LANGUAGES, preferred, words
from db.errors import Unavailable
from tests.web.conftest import OURS, with_cookie
from tests.web.stage import Stage
from tools import catalogue
from tools.permissions import Role
from veil.tokens import Kind

ALLOWED = {
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
}


async def test_every_page_allows_nothing_but_its_own_files(visitor: httpx2.AsyncClient) -> None:
    for path in ("/", "/sign-in"):
        page = await visitor.get(path, headers=with_cookie())
        assert set(page.headers["Content-Security-Policy"].split("; ")) == ALLOWED
        assert page.headers["Referrer-Policy"] == "no-referrer"
        assert page.headers["Cache-Control"] == "no-store"
        assert page.headers["X-Content-Type-Options"] == "nosniff"
        assert "<title>Velo</title>" in page.text
        assert not re.search(r"<script(?![^>]* src=)|<style|\son\w+=|\sstyle=", page.text)


async def test_the_files_of_a_page_are_there_for_good(visitor: httpx2.AsyncClient) -> None:
    page = await visitor.get("/", headers=with_cookie())
    urls = re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text)
    assert len(urls) >= 6
    for url in urls:
        file = await visitor.get(url)
        assert file.status_code == 200
        assert file.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert set(file.headers["Content-Security-Policy"].split("; ")) == ALLOWED


async def test_other_files_are_not_served(visitor: httpx2.AsyncClient) -> None:
    root = Static().url("chat.js").removesuffix("chat.js")
    for path in (f"{root}vendor/manifest.json", f"{root}../pages.py", f"{root}%2e%2e/pages.py", "/static/0000000000000000/chat.js", f"{root}"):
        assert (await visitor.get(path)).status_code == 404


def test_the_address_of_files_changes_with_their_content(tmp_path: Path) -> None:
    folder = tmp_path
    (folder / "a.js").write_text("1")
    before = Static(folder).url("a.js")
    assert Static(folder).url("a.js") == before
    (folder / "a.js").write_text("2")
    assert Static(folder).url("a.js") != before
    with pytest.raises(KeyError):
        Static(folder).url("b.js")


async def test_who_is_not_signed_in_is_led_to_the_sign_in_page(visitor: httpx2.AsyncClient) -> None:
    response = await visitor.get("/")
    assert (response.status_code, response.headers["Location"]) == (303, "/sign-in")


async def test_who_follows_a_link_from_elsewhere_is_asked_once_more(visitor: httpx2.AsyncClient) -> None:
    response = await visitor.get("/", headers={"Sec-Fetch-Site": "cross-site"})
    assert (response.status_code, response.headers["Refresh"]) == (200, "0")


async def test_a_page_that_cannot_be_shown_now_says_so_to_people(visitor: httpx2.AsyncClient, stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(*_: object) -> object:
        raise Unavailable

    monkeypatch.setattr(stage, "member", away)
    page = await visitor.get("/", headers={**with_cookie(), "Accept-Language": "en"})
    assert (page.status_code, page.headers["Content-Type"], page.headers["Retry-After"]) == (503, "text/html; charset=utf-8", "2")
    assert set(page.headers["Content-Security-Policy"].split("; ")) == ALLOWED
    assert re.search(r"Not available now\. .*Error id: <code>[0-9a-f]{8}</code>", page.text)


async def test_names_of_members_are_text_in_the_pages(visitor: httpx2.AsyncClient) -> None:
    for path in ("/sign-in", "/"):
        page = await visitor.get(path, headers={"Cookie": (await visitor.post("/sign-in", data={"member": "1:2"}, headers=OURS)).headers["Set-Cookie"]})
        assert "Pedro &lt;b&gt;Lagos&lt;/b&gt;" in page.text
        assert "<b>" not in page.text


@pytest.mark.parametrize(
    ("accepted", "language"),
    [("", "es"), ("pt-BR,pt;q=0.9", "pt"), ("en-GB;q=0.8", "en"), ("de,fr;q=0.9,en;q=0.5", "en"), ("*", "es"), ("zh" * 500, "es")],
)
def test_the_sign_in_page_speaks_the_browsers_language(accepted: str, language: str) -> None:
    assert preferred(accepted) == language


def test_every_language_has_every_sentence_with_the_same_blanks() -> None:
    first = words("es")
    for language in LANGUAGES:
        assert words(language).keys() == first.keys()
        for name, sentence in words(language).items():
            assert set(re.findall(r"\{\w+\}", sentence)) == set(re.findall(r"\{\w+\}", first[name])), (language, name)


def test_every_tool_kind_and_role_has_a_sentence() -> None:
    named = {f"step_{tool.name}" for tool in catalogue.TOOLS} | {f"kind_{kind}" for kind in Kind} | {f"role_{role}" for role in Role}
    assert named <= words("es").keys()


def test_every_sentence_is_said_somewhere() -> None:
    sources = "".join(path.read_text("utf-8") for path in (*FOLDER.glob("*.js"), *(FOLDER.parent / "templates").glob("*.html")))
    by_name = ("step_", "kind_", "role_", "says_", "late_masks_", "dropped_", "sent_before_")
    codes = {kind.code for kind in AssistantError.__subclasses__()}
    unsaid = [name for name in words("es") if not name.startswith(by_name) and name not in codes and not re.search(rf"\b{name}\b", sources)]
    assert unsaid == []


def test_the_files_of_others_are_those_of_their_packages() -> None:
    assert list(vendored.differences()) == []
    listed = json.loads((FOLDER / "vendor" / "manifest.json").read_text("utf-8"))
    assert listed == vendored.manifest()


def test_a_changed_added_or_missing_file_of_others_is_told(tmp_path: Path) -> None:
    folder = copytree(FOLDER / "vendor", tmp_path / "vendor")
    (folder / "htm.module.js").write_text("changed")
    (folder / "preact.mjs").unlink()
    (folder / "more.js").write_text("")
    assert set(vendored.differences(folder)) == {
        "more.js is not in the manifest",
        "preact.mjs is missing",
        "htm.module.js is not the file of its package",
    }


def test_no_script_of_ours_makes_nodes_out_of_text() -> None:
    banned = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|dangerouslySet|\beval\b|new Function|setAttribute\('on|srcdoc|\bhref=\$\{(?!')")
    for path in FOLDER.glob("*.js"):
        assert not banned.search(path.read_text("utf-8")), path.name
