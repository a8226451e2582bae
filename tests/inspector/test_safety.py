"""Hostile words in every field stay words; the key goes nowhere; a large memory does not freeze the page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from recollect import Memory
from tests.server.conftest import Running, serving

from .conftest import VIEWS, Look, looking

PAYLOADS = (
    "<script>alert(1)</script>",
    "<img src=//evil.example/x.png onerror=alert(2)>",
    "\"><svg onload=alert(3)><a href='javascript:alert(4)'>x</a>",
    "javascript:alert(5)//'-alert(6)-'",
    "<iframe srcdoc='<script>alert(7)</script>'></iframe>",
    "${alert(8)}{{constructor.constructor('alert(9)')()}}<style>@import '//evil.example/x.css'</style>",
)
STRANGE = (
    "img[src*=evil], main script, main iframe, main style, #drawer script, #drawer img, #drawer iframe, svg [onload]"
)


def hostile(memory: Memory, payload: str) -> None:
    """A memory with the payload in every field that a text can get into."""
    memory.remember(f"home {payload}", f"Rome {payload}", subject=f"someone {payload}", category=f"c {payload}")
    memory.remember(f"home {payload}", f"Oslo {payload}", subject=f"someone {payload}", category=f"c {payload}")
    fact = memory.remember(f"boss {payload}", f"someone {payload}", category=f"c {payload}")
    memory.forget(memory.remember("car", f"Clio {payload}"), why=f"because {payload}")
    memory.remember(f"boss {payload}", f"other {payload}", origin="assistant")
    memory.remember(f"editor {payload}", f"ed {payload}", origin="assistant")
    said = {
        "role": "user",
        "content": f"My favourite colour is {payload}. I live in {payload}.",
        "name": f"n {payload}",
    }
    memory.add([said], session=f"s {payload}")
    memory.add(f"My password is hunter2-Zx9! {payload}", session=f"s {payload}")
    memory.notes.write("/memories/x.md", payload, pinned=True)
    memory.pin(fact)


def visit_everything(look: Look) -> None:
    """Open every view and every thing in it."""
    for view in VIEWS:
        look.go(view)
        for selector in ("article.fact", ".bar", ".node", ".edge", ".talk", ".claim", ".feed .plain:not(.small)"):
            for place in range(min(look.page.locator(selector).count(), 4)):
                look.page.locator(selector).nth(place).dispatch_event("click")
        expect(look.page.locator("#drawer")).not_to_contain_text("Looking it up")
    look.page.fill("#search", "home")
    look.page.wait_for_selector(".hit, .hits .nothing")
    look.go("prompt")
    look.page.fill("textarea", "who is my boss and what is my home?")
    look.page.wait_for_selector(".block")


@pytest.mark.parametrize("payload", PAYLOADS, ids=lambda payload: payload[:12])
def test_hostile_words_show_as_words(browser: Browser, running: Running, payload: str) -> None:
    owner = f"ana {payload}"[:200]
    hostile(running.memory.of(owner), payload)
    with looking(browser, running, "root") as look:
        look.page.select_option("#owner", owner)
        expect(look.page.locator("article.fact", has_text=payload).first).to_be_visible()
        visit_everything(look)
        assert look.dialogs == []
        assert look.foreign() == []
        assert look.page.locator(STRANGE).count() == 0
        assert [one for one in look.problems if "Content Security Policy" in one] == []


def test_the_page_may_run_and_load_only_its_own_files(running: Running) -> None:
    answer = httpx.get(running.url)
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert "<script>" not in answer.text
    assert "style=" not in answer.text


def test_an_injected_script_does_not_run(browser: Browser, running: Running) -> None:
    with looking(browser, running) as look:
        look.page.evaluate(
            """() => { window.refused = new Set();
            window.all = new Promise(done => addEventListener('securitypolicyviolation', event =>
                window.refused.add(event.effectiveDirective).size === 3 && done()));
            const one = document.createElement('div'); document.body.append(one);
            one.innerHTML = '<img src=x onerror="window.ran = true"><b style="color:red">x</b>';
            const two = document.createElement('script'); two.textContent = 'window.ran = true'; one.append(two) }"""
        )
        look.page.evaluate("window.all")  # wait_for_function would evaluate text in the page, which its policy forbids
        assert sorted(look.page.evaluate("[...window.refused]")) == [
            "script-src-attr",
            "script-src-elem",
            "style-src-attr",
        ]
        assert look.page.evaluate("window.ran") is None


def test_no_file_of_the_page_builds_markup_from_text() -> None:
    folder = Path(__file__).parents[2] / "src" / "recollect" / "server" / "inspector"
    for file in folder.glob("*.js"):
        text = file.read_text(encoding="utf-8")
        for word in (
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "new Function",
            "http:",
        ):
            assert word not in text.replace("http://www.w3.org/2000/svg", ""), f"{file.name} has {word}"


def test_files_beside_the_page_cannot_be_asked_for(running: Running) -> None:
    for path in ("__init__.py", "..%2Fkeys.py", "%2e%2e/keys.py", "nothing.js"):
        assert httpx.get(f"{running.url}/inspector/{path}").status_code in (401, 404)


def test_the_key_is_asked_for_once_and_kept_for_the_tab(browser: Browser, running: Running) -> None:
    with looking(browser, running, None) as look:
        look.page.fill("#key", "rk_0123456789ab_" + "x" * 43)
        look.page.keyboard.press("Enter")
        expect(look.page.locator("#gate-problem")).to_contain_text("does not stand")
        look.page.fill("#key", running.tokens["ana"])
        look.page.keyboard.press("Enter")
        look.ready("now")
        look.page.reload()
        look.ready("now")
        expect(look.page.locator("#gate")).to_be_hidden()


def test_the_key_in_the_address_is_never_sent_nor_left_there(browser: Browser, running: Running) -> None:
    with looking(browser, running) as look:
        token = running.tokens["ana"]
        assert token not in look.page.url
        assert [url for url in look.requests if token in url or "key=" in url.split("#")[0]] == []
        assert look.page.evaluate("localStorage.length") <= 1
        assert token not in look.page.evaluate("JSON.stringify(localStorage)")


@pytest.fixture
def crowd(tmp_path: Path) -> Iterator[Running]:
    """A service whose memory holds 100,000 facts."""
    memory = Memory(tmp_path / "memory.db", embedder=None)
    mine = memory.of("ana")
    first = mine.remember("fruit", "apple 0")
    many = [
        replace(
            first,
            id=f"f_{number:08}",
            attribute=f"thing {number % 500}",
            subject="user" if number % 3 else f"person {number % 40}",
            value=f"value {number}",
            text=f"thing {number % 500} is value {number}",
            said=first.said - timedelta(minutes=number),
        )
        for number in range(1, 100_000)
    ]
    with memory.store.transaction("ana"):
        memory.store.save("ana", many)
    with serving(tmp_path, memory=memory) as up:
        yield up


def test_a_hundred_thousand_facts_are_drawn_a_screen_at_a_time(browser: Browser, crowd: Running) -> None:
    with looking(browser, crowd) as look:
        look.page.set_default_timeout(60_000)
        expect(look.page.locator("article.fact").first).to_be_visible()
        assert look.page.locator("article.fact").count() < 60
        look.page.locator(".long").evaluate("it => { it.scrollTop = it.scrollHeight }")
        expect(look.page.locator("#main .head")).to_contain_text("400 facts", timeout=60_000)
        assert look.page.locator("article.fact").count() < 60
        assert all("limit=200" in url for url in look.requests if "/known?" in url)
        look.page.fill("#search", "value 99998")
        expect(look.page.locator(".hit").first).to_contain_text("99998", timeout=60_000)
        for view in ("time", "graph", "live"):
            look.go(view)
            assert look.page.evaluate("document.querySelectorAll('main *').length") < 3000
        assert look.problems == []
