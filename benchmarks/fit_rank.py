"""Fits how much each signal counts: writes src/recollect/retrieve/rank.toml. `python benchmarks/fit_rank.py --write`

Tells the stories of the quality benchmark, asks their questions, and takes the signals of all candidates as the
library itself makes them. Then one set of weights for all data sets is fitted, and one for requests of advice in them,
so that the evidence comes before the rest (a softmax over the candidates of a question,
each piece of evidence against all that is none; every data set counts the same). Prints recall for weights fitted on
all sets, on all but the one judged, and on the other half of its stories. With --signals FILE the signals are kept
for the next fit.
"""

from __future__ import annotations

import argparse
import pickle
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from quality_cache import Cached, cached
from quality_sets import MINUTE, STORIES, Asked, Story
from quality_told import Told

from recollect.embed import TokenEmbedder, open_embedder
from recollect.retrieve import rank
from recollect.retrieve.candidates import View, gather
from recollect.retrieve.rank import Profile, profile_for
from recollect.retrieve.search import read
from recollect.retrieve.signals import apply_signals

Floats = npt.NDArray[np.float64]

TABLE = Path(rank.__file__).with_name("rank.toml")
HELD = ("attribute", "subject", "topic", "time", "talk")
"""Signals whose weights are set by hand: these sets seldom ask in a way that facts answer, or in turns of a talk."""

SCALE = 3.0
"""Points are what the softmax adds up, divided by this: about one for a clear hit."""


@dataclass
class Question:
    """The candidates of one question: signals by row, which rows are evidence, and the session of each."""

    set: str
    story: str
    profile: Profile
    signals: Floats
    gold: npt.NDArray[np.bool_]
    sessions: list[frozenset[str]]
    wanted: int
    """How many items of evidence there are, found or not."""
    gold_sessions: frozenset[str]


def names_of(embedder: Cached) -> list[str]:
    """The signals that such an embedder has for any question, those held by hand last."""
    known = profile_for(word_by_word=isinstance(embedder, TokenEmbedder)).weights
    return [*(one for one in known if one not in HELD), *HELD]


def questions_of(name: str, embedder: Cached) -> Iterator[Question]:
    """Every question of a set, with the candidates that search finds."""
    for story in STORIES[name]():
        yield from questions_in(name, story, embedder)


def questions_in(name: str, story: Story, embedder: Cached) -> Iterator[Question]:
    told, signals = Told(embedder, story.told_by), names_of(embedder)
    for step in story.steps:
        if not isinstance(step, Asked):
            told.tell(step)
        elif step.messages or step.sessions:
            told.clock.at = step.at or told.clock.at + MINUTE
            yield one_question(name, story.name, step, told, signals)


def one_question(name: str, story: str, asked: Asked, told: Told, signals: Sequence[str]) -> Question:
    parts = told.memory._runtime
    question, vector = read(parts, asked.text, told.clock.at)
    pool = gather(parts, View(told.memory.owner, parts.present(told.memory.owner)), question, vector)
    apply_signals(pool)
    folded = rank.fold(pool.candidates)
    shown = [told.shown_by(one.record) for one in folded]
    sessions = [frozenset(told.session_of[item] for item in items) for items in shown]
    if asked.messages:
        gold = [bool(items & asked.messages) for items in shown]
    else:
        gold = [bool(one & asked.sessions) for one in sessions]
    rows = np.array([[one.strengths.get(signal, 0.0) for signal in signals] for one in folded])
    wanted = len(asked.messages) or len(asked.sessions)
    rows = rows.reshape(-1, len(signals))
    profile = profile_for(word_by_word=parts.by_tokens is not None, request=question.request)
    return Question(name, story, profile, rows, np.array(gold), sessions, wanted, asked.sessions)


@dataclass
class Problem:
    """All questions as one padded block."""

    rows: Floats
    there: npt.NDArray[np.bool_]
    gold: Floats
    share: Floats


def problem_of(questions: Sequence[Question]) -> Problem:
    usable = [one for one in questions if one.gold.any() and not one.gold.all()]
    deep = max(len(one.gold) for one in usable)
    rows = np.zeros((len(usable), deep, usable[0].signals.shape[1]))
    there, gold = np.zeros(rows.shape[:2], bool), np.zeros(rows.shape[:2])
    for place, one in enumerate(usable):
        rows[place, : len(one.gold)], there[place, : len(one.gold)] = one.signals, True
        gold[place, : len(one.gold)] = one.gold
    counts = {one.set: sum(other.set == one.set for other in usable) for one in usable}
    # Requests are nearly all of one set: there each question counts the same.
    share = np.array([1.0 if one.profile.request else 1 / counts[one.set] for one in usable])
    return Problem(rows, there, gold, share / share.sum())


def fit(questions: Sequence[Question], held: Floats, *, steps: int = 300, pull: float = 2e-3) -> Floats:
    """Weights that put evidence first; `held` gives those that are not fitted, NaN for the others."""
    problem, free = problem_of(questions), np.isnan(held)
    weights = np.where(free, 0.0, held)
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, steps + 1):
        slope = np.where(free, slope_at(problem, weights) + pull * weights, 0.0)
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope**2
        move = (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
        weights = weights - (0.08 if step < steps / 2 else 0.02) * move
    return weights


def slope_at(problem: Problem, weights: Floats) -> Floats:
    """Of the loss: each piece of evidence against all candidates that are none."""
    scores = np.where(problem.there, problem.rows @ weights, -1e9)
    chances = np.exp(scores - scores.max(1, keepdims=True))
    others = (chances * (1 - problem.gold)).sum(1, keepdims=True) + 1e-12
    each = problem.gold / (chances + others) / problem.gold.sum(1, keepdims=True)
    pushed = each * others - chances * (1 - problem.gold) * each.sum(1, keepdims=True)
    slope: Floats = -np.einsum("qk,qkf->f", pushed * problem.share[:, None], problem.rows)
    return slope


def recalls(questions: Sequence[Question], weights: Floats) -> dict[str, float]:
    """Recall in messages, or in sessions where the set has labels for these alone."""
    found: dict[str, list[float]] = {"R@5": [], "R@10": [], "sessions R@5": []}
    for one in questions:
        order = np.argsort(-(one.signals @ weights), kind="stable")
        for k in (5, 10):
            found[f"R@{k}"].append(min(1.0, float(one.gold[order[:k]].sum()) / one.wanted))
        if one.gold_sessions:
            names = list(dict.fromkeys(name for place in order for name in sorted(one.sessions[place])))[:5]
            found["sessions R@5"].append(len(one.gold_sessions & set(names)) / len(one.gold_sessions))
    return {name: float(np.mean(values)) for name, values in found.items() if values}


def report(questions: Sequence[Question], names: Sequence[str], held: Floats) -> Floats:
    """Print what the weights are worth, fitted in three ways; gives those fitted on everything."""
    weights = fit(questions, held)
    print("weights:", ", ".join(f"{name} {weight:.2f}" for name, weight in zip(names, weights, strict=True)))
    for name in dict.fromkeys(one.set for one in questions):
        mine = [one for one in questions if one.set == name]
        print(f"{name:9} fitted on all   {line(recalls(mine, weights))}")
        others = [one for one in questions if one.set != name]
        if others:
            print(f"{name:9} without the set {line(recalls(mine, fit(others, held)))}")
        stories = sorted({one.story for one in mine})
        if len(stories) > 1:
            print(f"{name:9} other stories   {line(halves(questions, mine, stories, held))}", flush=True)
    return weights


def halves(
    all_of: Sequence[Question], mine: Sequence[Question], stories: Sequence[str], held: Floats
) -> dict[str, float]:
    """Each half of the stories judged by weights fitted without it."""
    totals: dict[str, float] = {}
    for half in (set(stories[::2]), set(stories[1::2])):
        judged = [one for one in mine if one.story in half]
        rest = [one for one in all_of if one.set != mine[0].set or one.story not in half]
        for name, value in recalls(judged, fit(rest, held)).items():
            totals[name] = totals.get(name, 0.0) + value * len(judged) / len(mine)
    return totals


def line(figures: dict[str, float]) -> str:
    return "  ".join(f"{name} {value:.3f}" for name, value in figures.items())


def section_of(profile: Profile) -> str:
    """Where the weights of a profile stand in rank.toml."""
    embedder = "word_by_word" if profile.word_by_word else "by_vector"
    return f"{embedder}.{'request' if profile.request else 'question'}"


def write(names: Sequence[str], weights: Floats, profile: Profile) -> None:
    """Put the weights of the signals that a section has into it, leaving the rest of the table as it is."""
    known = profile.weights
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    start = next(place for place, text in enumerate(lines) if text.startswith(f"[{section_of(profile)}]"))
    end = next((place for place in range(start + 1, len(lines)) if lines[place].startswith("[")), len(lines))
    both = [one for one in zip(names, weights, strict=True) if one[0] in known and one[0] not in HELD]
    fitted = [f"{name} = {weight / SCALE:.2f}" for name, weight in both]
    fitted += [line for line in lines[start + 1 : end] if line.partition(" ")[0] in HELD]
    TABLE.write_text("\n".join([*lines[: start + 1], *fitted, "", *lines[end:]]).rstrip() + "\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Collect, fit, report, and write when asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default="locomo,prefeval,pool50,s500,beam,pool", help="the sets to fit on")
    parser.add_argument("--embedder", default="minilm")
    parser.add_argument("--cache", type=Path, help="keep vectors in this file for the next run")
    parser.add_argument("--signals", type=Path, help="keep signals in this file, or take them from it")
    parser.add_argument("--write", action="store_true", help="write src/recollect/retrieve/rank.toml")
    options = parser.parse_args(arguments)
    inside = open_embedder(options.embedder)
    if inside is None:
        parser.error("an embedder is needed")
    embedder = cached(inside, options.cache)
    kept: dict[str, list[Question]] = {}
    if options.signals and options.signals.is_file():
        kept = pickle.loads(options.signals.read_bytes())
    for name in options.sets.split(","):
        if name not in kept:
            kept[name] = list(questions_of(name, embedder))
            print(f"{name}: {len(kept[name])} questions", flush=True)
            if options.signals:
                options.signals.write_bytes(pickle.dumps(kept))
    questions = [one for name in options.sets.split(",") for one in kept[name]]
    for request in (False, True):
        profile = profile_for(word_by_word=isinstance(embedder, TokenEmbedder), request=request)
        judged = [one for one in questions if one.profile.request is request]
        if not judged:
            continue
        weights = fitted(judged, names_of(embedder), profile)
        if options.write:
            write(names_of(embedder), weights, profile)
    return 0


def fitted(questions: Sequence[Question], names: Sequence[str], profile: Profile) -> Floats:
    """Weights for questions of one kind, with what they are worth."""
    print(f"[{section_of(profile)}] {len(questions)} questions")
    held = [profile.weights.get(name, 0.0) * SCALE if name in HELD else np.nan for name in names]
    return report(questions, names, np.array(held))


if __name__ == "__main__":
    sys.exit(main())
