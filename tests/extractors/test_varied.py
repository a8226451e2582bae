"""Own cases told in other words that mean the same are still right: a small sample of benchmarks/truth_varied.py."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
VARIATIONS = (
    "opener", "announced", "told that", "closer", "remark", "smile", "sentence before", "sentence after",
    "question after", "in full", "contracted", "British", "American", "synonyms", "adverb, present", "adverb, past",
    "as we",
    "day first", "day of month", "month first", "24 hours", "12 hours", "no capitals", "no first capital",
    "no full stop",
    "exclaimed", "curly apostrophes", "two spaces", "line breaks", "paragraphs", "another place", "another firm",
    "another person", "other numbers", "of someone else", "time first", "now first", "perfect", "with a reason",
    "fronted",
    "other words", "bullets", "said twice", "small talk between", "interleaved", "in one message", "joined by and",
)  # fmt: skip
GUESSED = {"names in lower case", "no apostrophes", "turns at once"}
"""What was left out in these cannot always be told: they are measured, and not asked for here."""
EACH = 12


@pytest.fixture(scope="module")
def varying() -> Iterator[Any]:
    """The benchmark, which memories are opened for without an embedder: facts are read without vectors."""
    sys.path.insert(0, str(BENCHMARKS))
    told = importlib.import_module("truth_told")
    told.EMBEDDER["embedder"] = None
    yield importlib.import_module("truth_varied")
    told.EMBEDDER.clear()
    sys.path.remove(str(BENCHMARKS))


@pytest.fixture(scope="module")
def cases(varying: Any) -> list[Any]:
    """Every fourth case that is right as it stands."""
    data = importlib.import_module("data")
    return list(varying.passing(list(data.rows(data.CASES / "truth.jsonl"))[::4]))


def test_every_variation_is_sampled_or_known_to_guess(varying: Any) -> None:
    assert {*VARIATIONS} | GUESSED == {*varying.VARIATIONS, *varying.PAIRED}


@pytest.mark.parametrize("name", VARIATIONS)
def test_a_case_told_in_other_words_is_still_right(varying: Any, cases: list[Any], name: str) -> None:
    varied = varying.varied(name, cases, EACH)
    assert varied
    assert varying.measured(varied).failures == []


def test_a_variation_changes_the_words_and_not_what_is_expected(varying: Any) -> None:
    case = {
        "id": "x", "kind": "update", "lang": "en", "receipts": [None], "holds": [["user", "home", "Oslo"]], "not": [],
        "said": [{"at": "2026-03-02", "text": "I moved to Oslo."}],
    }  # fmt: skip
    opened = varying.VARIATIONS["opener"](case)
    assert opened["holds"] == case["holds"]
    assert opened["said"][0]["text"].endswith("I moved to Oslo.")
    elsewhere = varying.VARIATIONS["another place"](case)
    assert elsewhere["holds"][0][2] in elsewhere["said"][0]["text"]
    assert elsewhere["holds"] != case["holds"]
    assert varying.VARIATIONS["24 hours"](case) is None


def test_a_fact_that_one_case_loses_to_another_is_reported(varying: Any) -> None:
    lost = {
        "id": "x", "kind": "update", "lang": "en", "receipts": [None, None], "not": [],
        "said": [{"at": "2026-03-02", "text": "I live in Oslo."}, {"at": "2026-03-03", "text": "I moved to Bergen."}],
        "holds": [["user", "home", "Oslo"]],
    }  # fmt: skip
    held = varying.measured([lost])
    assert held.wrong_ends == 1
    assert held.share == 0
