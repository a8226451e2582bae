"""The benchmark commands: their measures are right, and they say plainly what is not there."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
BENCHMARKS = ROOT / "benchmarks"


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Gives a module of the benchmarks by its name."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module


def truth(data: Path, *options: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "RECOLLECT_DATA": str(data), "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "200"}
    command = [sys.executable, str(BENCHMARKS / "truth.py"), *options]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_hooks_are_measured_as_an_agent_runs_them() -> None:
    command = [sys.executable, str(BENCHMARKS / "hooks.py"), "--facts", "20", "--times", "1", "--embedders", "quick"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    said = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert "SessionStart, quick" in said
    assert "UserPromptSubmit, quick" in said


def test_waits_of_writers_are_measured_in_processes_of_their_own() -> None:
    command = [sys.executable, str(BENCHMARKS / "writers.py"), "--processes", "2", "--writes", "3"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    said = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert said.startswith("2 processes: 6 writes in ")
    assert said.endswith("failed 0\n")


def test_redaction_leaves_ordinary_ids_alone(module: Any) -> None:
    assert len(module("redaction").taken(3000)) <= 15


def test_current_above_stale_is_fresh(module: Any) -> None:
    measure = module("measure")
    assert measure.fresh_first([{"other"}, {"new"}, {"old"}], {"new"}, {"old"}) == 1
    assert measure.fresh_first([{"old"}, {"new"}], {"new"}, {"old"}) == 0
    assert measure.fresh_first([{"other"}], {"new"}, {"old"}) == 0


def test_recall_is_the_share_of_gold_in_the_first_hits(module: Any) -> None:
    measure = module("measure")
    ranking = [{"a"}, {"b", "c"}, {"d"}]
    assert measure.recall(ranking, {"a", "c"}, 2) == 1
    assert measure.recall(ranking, {"a", "d"}, 2) == 0.5
    assert measure.first(ranking, {"a"}) == 1
    assert measure.any_of(ranking, {"d"}, 2) == 0


def test_newest_first_moves_only_near_ties(module: Any) -> None:
    ranked = [("old", 10.0), ("new", 8.5), ("newest but weak", 5.0)]
    said = {"old": 1, "new": 2, "newest but weak": 3}
    assert module("measure").newest_first(ranked, said) == ["new", "old", "newest but weak"]


def test_interval_holds_the_mean(module: Any) -> None:
    figure = module("measure").mean([1.0] * 30 + [0.0] * 10)
    assert figure.value == 0.75
    assert 0.5 < figure.low < 0.75 < figure.high < 1
    assert module("measure").mean([]) is None


def test_precision_of_nothing_is_undefined_when_nothing_was_wanted(module: Any) -> None:
    measure = module("measure")
    assert measure.precision_recall([], []) == (None, None)
    assert measure.precision_recall(["a"], []) == (0.0, None)
    assert measure.precision_recall([], ["a"]) == (0.0, 0.0)
    assert measure.precision_recall(["a", "b"], ["a"]) == (0.5, 1.0)


def test_only_facts_with_one_value_are_never_contradicted(module: Any) -> None:
    facts = [
        "The author of Dune is Frank Herbert.",
        "The author of Emma is Jane Austen.",
        "The author of Dune is Ann Lee.",
        "Ann Lee is married to Bo Lee.",
        "Ann Lee is married to Bo Lee.",
    ]
    assert module("truth_facts").never_contradicted(facts) == [1, 3, 4]


def test_case_parts_may_have_alternatives(module: Any) -> None:
    cases = module("truth_cases")
    assert cases.same(("the worker", "version", "0.9"), ("worker", "release|version", "1.0|0.9"))
    assert not cases.same(("worker", "version", "0.9"), ("worker", "version", "1.0"))


def test_case_that_must_end_and_does_not_is_a_missed_end(module: Any) -> None:
    cases, measure = module("truth_cases"), module("measure")
    said = [{"at": "2026-03-01", "text": "I live in Lisbon."}]
    case = {"id": "a", "kind": "update", "lang": "en", "said": said, "receipts": [None], "holds": []}
    outcomes, result = cases.Outcomes(), measure.Result()
    cases.one_case({**case, "not": [["user", "home", "Lisbon"]]}, outcomes, result)
    assert outcomes.measures["missed ends"] == [1.0]
    assert outcomes.correct["update"] == [0.0]
    assert "now has" in result.failures[0]


def test_absent_data_is_said_plainly(tmp_path: Path) -> None:
    ran = truth(tmp_path, "--sets", "nli,yago")
    assert ran.returncode == 1
    assert f"nli is not here: looked for {tmp_path}" in ran.stdout
    assert "yago_temporal is not here" in ran.stdout
    assert "No data set is here: nothing was measured" in ran.stderr


def test_other_sets_are_measured_when_one_is_absent(tmp_path: Path) -> None:
    ran = truth(tmp_path, "--sets", "nli,cases", "--quick")
    assert ran.returncode == 0, ran.stderr
    assert "nli is not here" in ran.stdout
    assert "Own cases" in ran.stdout


def test_unknown_set_is_refused(tmp_path: Path) -> None:
    ran = truth(tmp_path, "--sets", "nonsense")
    assert ran.returncode == 2
    assert "no set is called 'nonsense'" in ran.stderr


def test_quick_run_gives_a_table_where_the_data_is(module: Any) -> None:
    folder = module("data").folder()
    if not (folder / "precisionmembench").is_dir():
        pytest.skip(f"no data in {folder}")
    ran = truth(folder, "--sets", "precision", "--quick", "--failures", "1")
    assert ran.returncode == 0, ran.stderr
    assert "cases passed" in ran.stdout
    assert "≥ 36 of 40" in ran.stdout


def test_speed_is_measured_beside_its_floors(tmp_path: Path, module: Any) -> None:
    search, page = module("speed_search"), module("speed_page")
    figures = search.measured(tmp_path, module("recollect.embed.quick").QuickEmbedder(), 400, 2, 5)
    assert figures.recall > 0.95
    assert 0 < figures.bytes_each < 2000
    assert page.row(figures)[0] == "400 of 2, quick"
    assert len(page.row(figures)) == len(page.HEADS)


def test_gain_counts_an_item_once_and_where_it_first_comes(module: Any) -> None:
    ndcg = module("quality_measures").ndcg
    assert ndcg([{"a"}, {"b"}], {"a", "b"}, 10) == 1
    assert ndcg([{"a"}, {"a"}, {"b"}], {"a", "b"}, 10) < 1
    assert ndcg([{"x"}], {"a"}, 10) == 0


def test_nothing_is_right_only_where_nothing_was_said(module: Any) -> None:
    measures = module("quality_measures")
    told = [(True, False, False), (True, True, True), (True, True, False), (False, True, True), (False, False, False)]
    without, having, lost, right = measures.abstained([measures.Silence(*one) for one in told])
    assert without.value == 0.5
    assert (having.value, lost.value, right.value) == pytest.approx((2 / 3, 1 / 3, 1 / 3))


def test_fusion_by_rank_prefers_what_both_found(module: Any) -> None:
    baselines = module("quality_baselines")
    assert baselines.fused([1, 2, 3], [4, 2, 5])[0] == 2
    assert baselines.ordered(baselines.Words(["a red kite", "a blue boat"]).scores("the kite"), above=0.0) == [0]


def test_weights_put_evidence_first(module: Any) -> None:
    fit_rank, numpy = module("fit_rank"), module("numpy")
    rows = numpy.array([[1.0, 0.0], [0.0, 1.0], [0.2, 0.9]])
    gold = numpy.array([True, False, False])
    nowhere = [frozenset()] * 3
    one = fit_rank.Question("set", "story", fit_rank.profile_for(), rows, gold, nowhere, 1, frozenset())
    weights = fit_rank.fit([one], numpy.array([numpy.nan, numpy.nan]), steps=50)
    assert weights[0] > weights[1]
    assert fit_rank.recalls([one], weights)["R@5"] == 1
