"""No pattern of the rules takes for ever on a text that nearly fits: anyone may send one."""

from __future__ import annotations

import importlib
import pkgutil
import re
from types import ModuleType

import pytest

import recollect.extractors
from recollect.extractors.patterns import BY_VERB, compiled

PARTS = ("a ", "Aa ", "a-", "a, ", "1 ", "my a ", "is a ", "aa and ", "Aa of ", "not a ", "a/b ", "1,", "a and b, ")
NEARLY = [f"{lead}{part * (600 // len(part))}!" for part in PARTS for lead in ("", "I ", "my ", "The ")]


def modules() -> list[ModuleType]:
    found = pkgutil.walk_packages(recollect.extractors.__path__, "recollect.extractors.")
    return [importlib.import_module(one.name) for one in found]


MODULES = modules()  # All of them first: each adds its rows to the table of verbs.
assert BY_VERB


# A pattern that tries every way to cut such a text up would not end in our time: the limit is no measure of speed.
@pytest.mark.timeout(120)
@pytest.mark.parametrize("verb", sorted(BY_VERB))
def test_words_after_a_verb_are_read_without_trying_every_way(verb: str) -> None:
    for pattern in BY_VERB[verb]:
        for text in NEARLY:
            compiled(pattern.rest).match(text)


@pytest.mark.timeout(120)
@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_expressions_are_matched_without_trying_every_way(module: ModuleType) -> None:
    expressions = [one for one in vars(module).values() if isinstance(one, re.Pattern)]
    for expression in expressions:
        for text in NEARLY:
            expression.search(text)
