"""As a new user does it: tell something on the command line, start the service, open the address that it prints."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

import recollect

SOURCE = str(Path(recollect.__file__).parents[1])


def command(db: Path, *arguments: str) -> tuple[list[str], dict[str, Any]]:
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    environment = {**buffered, "PYTHONPATH": SOURCE, "NO_COLOR": "1"}
    return [sys.executable, "-m", "recollect", "--db", str(db), *arguments], {"env": environment, "text": True}


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """The address that `recollect serve` prints for a memory in which something was told."""
    words, options = command(tmp_path / "m.db", "add", "I live in Porto and I prefer window seats.")
    subprocess.run(words, check=True, capture_output=True, **options)
    words, options = command(tmp_path / "m.db", "serve", "--port", "0")
    server = subprocess.Popen(words, stdout=subprocess.PIPE, **options)
    assert server.stdout is not None
    try:
        yield next(found[0] for line in server.stdout if (found := re.search(r"http://\S+#key=\S+", line)))
    finally:
        server.terminate()
        server.communicate(timeout=60)


def test_from_nothing_to_a_fact_in_the_page_in_three_commands(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(address)
    expect(page.locator("article.fact", has_text="lives in Porto")).to_be_visible(timeout=30_000)
    assert json.loads(page.evaluate("JSON.stringify(sessionStorage)"))["recollect.key"] in address
    page.close()
