"""What stands around a statement, and how it is written, changes nothing of what it states."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.extractors.test_rules import CASES, said

PLAIN = [
    text
    for text, drafts in CASES.items()
    if drafts and text.isascii() and text.startswith(("I ", "I'm ", "My ")) and text.count(".") <= 1 and "," not in text
][::3]
"""Simple statements of the speaker's own, a third of them."""
AROUND: dict[str, Callable[[str], str]] = {
    "an opening": lambda text: f"By the way, {text}",
    "a greeting": lambda text: f"Hi there! {text}",
    "an announcement": lambda text: f"It's official: {text}",
    "a closing": lambda text: f"{text.rstrip('.!')}, just so you know.",
    "a laugh": lambda text: f"{text.rstrip('.!')} lol",
    "a smile": lambda text: f"{text.rstrip('.!')} \N{SLIGHTLY SMILING FACE}",
    "a judgement": lambda text: f"{text.rstrip('.!')}, which is great.",
    "no apostrophe": lambda text: text.replace("I'm ", "Im ").replace("don't", "dont").replace("isn't", "isnt"),
}


def stated(text: str) -> list[tuple[str, str, str]]:
    return sorted((draft.subject, draft.attribute, draft.value) for draft in said(text))


@pytest.mark.parametrize("around", AROUND)
def test_what_stands_around_a_statement_changes_nothing_of_it(around: str) -> None:
    differing = [text for text in PLAIN if stated(AROUND[around](text)) != stated(text)]
    assert len(differing) <= len(PLAIN) // 50, differing


def test_the_source_is_quoted_as_it_was_written() -> None:
    [draft] = said("im based in berlin \N{SLIGHTLY SMILING FACE}")
    assert draft.source is not None
    assert draft.source.quote in "im based in berlin \N{SLIGHTLY SMILING FACE}"
