"""Pictures of every view for the docs: `make pictures`."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.server.conftest import serving

from .conftest import FLAGS, PHONE, VIEWS, Look, chromium, looking
from .story import tell

FOLDER = Path(__file__).parents[2] / "docs" / "images"


def search(look: Look) -> None:
    look.page.fill("#search", "where do I live?")
    look.page.wait_for_selector(".hit")


def fact(look: Look) -> None:
    look.page.locator("article.fact", has_text="lives in Porto").click()
    look.page.wait_for_selector(".lineage")


def talks(look: Look) -> None:
    look.go("talks/family")


def prompt(look: Look) -> None:
    look.go("prompt")
    look.page.fill("textarea", "book me a flight to see my sister")
    look.page.wait_for_selector(".block:nth-of-type(2)")


def asked_earlier(look: Look) -> None:
    look.go("time")
    look.page.locator(".slide input").evaluate("it => { it.value = 480; it.dispatchEvent(new Event('input')) }")


def graph(look: Look) -> None:
    look.go("graph")
    look.page.locator(".node", has_text="sister").click()
    look.page.wait_for_selector(".side li")


SHOTS: dict[str, Callable[[Look], None]] = {
    **{view: (lambda look, view=view: look.go(view)) for view in VIEWS},  # type: ignore[misc]
    "search": search,
    "fact": fact,
    "talks": talks,
    "prompt": prompt,
    "graph": graph,
}


def main() -> None:
    """Take all pictures anew."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as running, sync_playwright() as playwright:
        tell(running.memory.of("ana"))
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        others = {"dark": ({"color_scheme": "dark"}, asked_earlier), "phone": ({"viewport": PHONE}, SHOTS["time"])}
        for name, (options, work) in {**{name: ({}, work) for name, work in SHOTS.items()}, **others}.items():
            with looking(browser, running, **options) as look:
                work(look)
                look.page.wait_for_timeout(400)
                look.page.screenshot(path=FOLDER / f"inspector-{name}.png")
                sys.stdout.write(f"docs/images/inspector-{name}.png\n")
        browser.close()


if __name__ == "__main__":
    main()
