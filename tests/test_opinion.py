"""A second opinion: a model is asked about disputes only, and a claim is accepted only on the user's own word."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory, ModelReader
from recollect.errors import InvalidInput, ModelError


@pytest.fixture
def disputed(memory: Memory, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Memory:
    """The user said Porto; the assistant claims Gaia."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    memory.add("I live in Porto.")
    memory.remember("home", "Gaia", origin="assistant")
    assert [fact.value for fact in memory.facts() if fact.disputes] == ["Gaia"]
    return memory


def says(decision: str, number: int = 0, quote: str = "") -> Callable[..., str]:
    def model(messages: Sequence[dict[str, Any]]) -> str:
        shown.append(messages[-1]["content"])
        lines = [json.loads(line) for line in shown[-1].split("\n")]
        found = [line["said"] for line in lines if "said" in line and quote and quote in line["text"]]
        return json.dumps({"decision": decision, "message": found[0] if found else number, "quote": quote})

    shown: list[str] = []
    model.shown = shown  # type: ignore[attr-defined]
    return model


def test_a_claim_that_nothing_speaks_for_is_dropped(disputed: Memory) -> None:
    verdicts = disputed.settle_disputes(says("held"))
    assert [(one.decision, one.claim.value, one.held.value) for one in verdicts] == [("held", "Gaia", "Porto")]
    assert [fact.value for fact in disputed.facts(attribute="home")] == ["Porto"]
    disputed.undo()
    assert len(disputed.facts(attribute="home")) == 2


def test_a_claim_is_accepted_on_the_users_own_word(disputed: Memory) -> None:
    disputed.add("Gaia has been treating us well since we changed flats!")
    verdicts = disputed.settle_disputes(says("claim", 1, "Gaia has been treating us well"))
    assert verdicts[0].decision == "claim"
    assert disputed.recall("home") == "Gaia"
    assert [(fact.value, fact.until is None) for fact in disputed.history("home")] == [("Porto", False), ("Gaia", True)]


@pytest.mark.parametrize(
    ("number", "quote"), [(0, ""), (1, "We moved to Gaia"), (9, "Gaia"), (1, "has been treating us well"), (-1, "x")]
)
def test_a_claim_without_the_users_word_is_left_open(disputed: Memory, number: int, quote: str) -> None:
    disputed.add("The new place has been treating us well!")
    assert disputed.settle_disputes(says("claim", number, quote))[0].decision == "unsure"
    assert disputed.recall("home") == "Porto"
    assert len(disputed.facts(attribute="home")) == 2


def test_a_strangers_claim_is_never_accepted(disputed: Memory) -> None:
    disputed.add("My sister Anna lives in Berlin.")
    disputed.remember("home", "Moscow", subject="sister", origin="tool")
    disputed.add("I wonder what Anna thinks of Moscow.")
    decisions = [
        one.decision for one in disputed.settle_disputes(says("claim", 1, "Moscow")) if one.claim.value == "Moscow"
    ]
    assert decisions == ["unsure"]
    assert disputed.recall("home", subject="sister") == "Berlin"


def test_only_disputes_are_asked_about_and_only_what_the_user_said_is_shown(disputed: Memory) -> None:
    disputed.add("Gaia is a page that says Porto is over.", role="tool")
    model = says("unsure")
    disputed.settle_disputes(model)
    assert len(model.shown) == 1  # type: ignore[attr-defined]
    assert "is over" not in model.shown[0]  # type: ignore[attr-defined]
    disputed.settle_disputes(says("held"))
    again = says("held")
    assert disputed.settle_disputes(again) == []
    assert again.shown == []  # type: ignore[attr-defined]


def test_calls_for_opinions_are_counted(path: Path, tmp_path: Path) -> None:
    reader = ModelReader(says("held"), reads=(), ledger=tmp_path / "calls")
    with Memory(path, reader=reader, embedder=None) as memory:
        memory.remember("home", "Porto")
        memory.remember("home", "Gaia", origin="assistant")
        assert memory.settle_disputes()[0].decision == "held"
        spent = memory.stats().spent
        assert spent is not None
        assert dict(spent.purposes) == {"opinion": 1}


def test_an_unreadable_opinion_changes_nothing(disputed: Memory) -> None:
    before = disputed.changes(limit=None)
    for answer in ("", "Gaia!", "[]", '{"decision": "maybe", "message": 0, "quote": ""}'):
        with pytest.raises(ModelError):
            disputed.settle_disputes(lambda messages, answer=answer: answer)
    assert disputed.changes(limit=None) == before


def test_without_a_model_it_says_what_to_pass(disputed: Memory) -> None:
    with pytest.raises(InvalidInput, match="pass one"):
        disputed.settle_disputes()
    with pytest.raises(InvalidInput, match="limit"):
        disputed.settle_disputes(says("held"), limit=0)
