"""The real page in a real, headless Chromium, served by the real service."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from playwright.sync_api import Error as BrowserError

from recollect import Memory
from tests.server.conftest import Running, serving

from .story import tell

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",  # a container has little of it, and a page that finds none left crashes
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
VIEWS = ("now", "time", "graph", "talks", "prompt", "disputes", "live")
PATIENCE = 40_000
"""Milliseconds to wait for what must come; nothing waits for what must not."""
WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}


@dataclass
class Look:
    """A tab that looks at a memory, and all that it ever complained about or asked for."""

    page: Page
    running: Running
    problems: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def go(self, view: str) -> None:
        """Open a view and wait until it stands."""
        self.page.evaluate(
            """view => { delete document.getElementById('main').dataset.ready
            if (location.hash === `#/${view}`) dispatchEvent(new HashChangeEvent('hashchange'))
            else location.hash = `#/${view}` }""",
            view,
        )
        self.ready(view.split("/")[0])

    def ready(self, view: str) -> None:
        self.page.wait_for_selector(f"#main[data-ready={view}]", state="attached")

    def foreign(self) -> list[str]:
        """Requests that went elsewhere."""
        return [url for url in self.requests if not url.startswith((self.running.url, "data:", "blob:"))]


expect.set_options(timeout=PATIENCE)


def chromium() -> str | None:
    named = os.environ.get("RECOLLECT_CHROMIUM")
    return named or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, for one module of tests: while it is open, an event loop runs here that others would stumble over."""
    with sync_playwright() as playwright:
        try:
            started = playwright.chromium.launch(executable_path=chromium(), args=FLAGS, timeout=120_000)
        except BrowserError as error:
            told = "no Chromium: apt-get install chromium, or name one in RECOLLECT_CHROMIUM"
            if os.environ.get("CI"):
                pytest.fail(f"{told}\n{error}")
            pytest.skip(told)
        yield started
        started.close()


@contextmanager
def looking(browser: Browser, running: Running, who: str | None = "ana", **options: Any) -> Iterator[Look]:
    """A new tab with the page open, entered with a key by the address, or before the key is given."""
    context = browser.new_context(**{"viewport": WIDE, **options})
    look = Look(context.new_page(), running)
    look.page.set_default_navigation_timeout(PATIENCE)
    look.page.set_default_timeout(PATIENCE)
    look.page.on("pageerror", lambda error: look.problems.append(str(error)))
    look.page.on("console", lambda said: look.problems.append(said.text) if said.type == "error" else None)
    look.page.on("dialog", lambda dialog: (look.dialogs.append(dialog.message), dialog.dismiss()))
    look.page.on("request", lambda request: look.requests.append(request.url))
    look.page.goto(f"{running.url}/#key={running.tokens[who]}" if who else running.url)
    try:
        if who:
            look.ready("now")
        yield look
    finally:
        context.close()


@pytest.fixture
def empty(browser: Browser, running: Running) -> Iterator[Look]:
    """The page on a memory that knows nothing."""
    with looking(browser, running) as look:
        yield look


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    with serving(tmp_path) as up:
        yield up


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the story, told once."""
    file = tmp_path_factory.mktemp("story") / "memory.db"
    with Memory(file, owner="ana") as memory:
        tell(memory)
        memory.backup(file.with_name("copy.db"))
    return file.with_name("copy.db")


@pytest.fixture
def told(browser: Browser, written: Path, tmp_path: Path) -> Iterator[Look]:
    """The page on the story, which a test may change."""
    shutil.copy(written, tmp_path / "memory.db")
    with serving(tmp_path) as running, looking(browser, running) as look:
        yield look


@pytest.fixture(scope="module")
def story(written: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A service with the story, which tests only look at."""
    folder = tmp_path_factory.mktemp("shown")
    shutil.copy(written, folder / "memory.db")
    with serving(folder) as up:
        yield up
