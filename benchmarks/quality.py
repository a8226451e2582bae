"""Does the right memory come back? `python benchmarks/quality.py`

Runs offline on the data sets in RECOLLECT_DATA, or in ../shared/data beside the checkout; a set that is not there is
named and left out. Everything is told and asked through the public API; labels are used to score only. Prints a table;
with --write also docs/quality.md and its plots. With --cache FILE vectors are kept for the next run. Set
OMP_NUM_THREADS=1 on a busy machine: the figures are the same, the time is less.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import data
import quality_page
from quality_cache import Cached, cached
from quality_measures import TASKS, Judged, Silence, measured
from quality_sets import STORIES, Asked, Session, Story, strangers
from quality_told import Answer, Others, Told
from rich.console import Console
from truth_told import sample

from recollect import RecollectError
from recollect.embed import open_embedder

DOCS = Path(__file__).resolve().parents[1] / "docs"
EMBEDDERS = ("minilm", "quick")
QUICK_STORIES = {"locomo": 1, "s500": 20, "pool50": 20, "pool": 1, "realmem": 1, "prefeval": 1, "beam": 2}
QUICK_QUESTIONS = 60
SHOWN = 10
"""Evidence counts as lost when nothing comes back though it was among so many hits."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the sets asked for; 1 when none of them is there."""
    options = parse(arguments)
    console = Console(soft_wrap=False)
    embedders = {name: opened(name, options.cache) for name in options.embedders}
    judged, absent, took = Judged(), list[str](), dict[str, float]()
    for name in options.sets:
        started = time.process_time()
        try:
            run(name, embedders, judged, quick=options.quick)
        except data.Absent as error:
            absent.append(name)
            console.print(f"left out: {error}", style="yellow", highlight=False, soft_wrap=True, markup=False)
            continue
        took[name] = time.process_time() - started
        console.print(f"{name}: {took[name]:.0f} s of CPU", style="dim", highlight=False)
    if not took:
        print(f"No data set is here: nothing was measured. Looked in {data.folder()}.", file=sys.stderr)
        return 1
    quality_page.print_tables(console, judged)
    if options.write:
        for path in quality_page.write(DOCS, judged, remarks(options, took, absent)):
            console.print(f"wrote {path}", highlight=False)
    return 0


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default="", help=f"some of {','.join(STORIES)}; all by default")
    parser.add_argument("--embedders", default=",".join(EMBEDDERS), help="names of embedders, the default one first")
    parser.add_argument("--quick", action="store_true", help="small samples, a few minutes in all")
    parser.add_argument("--cache", type=Path, metavar="FILE", help="keep vectors in this file for the next run")
    parser.add_argument("--write", action="store_true", help="write docs/quality.md and its plots")
    options = parser.parse_args(arguments)
    options.sets = [one for one in options.sets.split(",") if one] or list(STORIES)
    options.embedders = [one for one in options.embedders.split(",") if one]
    if unknown := [one for one in options.sets if one not in STORIES]:
        parser.error(f"no set is called {unknown[0]!r}; there are {', '.join(STORIES)}")
    return options


def opened(name: str, cache: Path | None) -> Cached:
    embedder = open_embedder(name)
    if embedder is None:
        raise RecollectError(f"no embedder is called {name!r}")
    return cached(embedder, cache)


def remarks(options: argparse.Namespace, took: dict[str, float], absent: Sequence[str]) -> list[str]:
    """What else a reader has to know of this run."""
    spent = ", ".join(f"{name} {seconds:.0f}" for name, seconds in took.items())
    lines = [f"CPU seconds of this run, one core: {spent}; {sum(took.values()):.0f} in all."]
    lines += ["Vectors of what was said came from a cache of an earlier run."] if options.cache else []
    lines += ["Run with `--quick`: small samples."] if options.quick else []
    if skipped := [name for name in STORIES if name not in options.sets]:
        lines.append(f"Not measured in this run: {', '.join(skipped)}.")
    return lines + ([f"Left out, the data was not there: {', '.join(absent)}."] if absent else [])


def run(name: str, embedders: dict[str, Cached], judged: Judged, *, quick: bool) -> None:
    """Tell and ask every story of a set, once with each embedder; so for the baselines."""
    for number, story in enumerate(STORIES[name]()):
        if quick and number >= QUICK_STORIES[name]:
            break
        steps = story.steps if not quick else shortened(story)
        for place, (who, embedder) in enumerate(embedders.items()):
            told = Told(embedder, story.told_by)
            one_story(name, steps, Trial(who, told, Others(embedder), first=place == 0), judged)
            for question in strangers(name, number):
                for ranker, cautious in ((f"Recollect, {who}", False), (f"Recollect, {who}, cautious", True)):
                    judged.strange[name, ranker].append(float(told.is_silent(question, cautious=cautious)))


def shortened(story: Story) -> list[Session | Asked]:
    """Everything that is told, and some of the questions."""
    asked = sample((step for step in story.steps if isinstance(step, Asked)), QUICK_QUESTIONS)
    return [step for step in story.steps if not isinstance(step, Asked) or step in asked]


@dataclass
class Trial:
    """A memory with one embedder, and the baselines beside it; those that use no embedder count the first time."""

    who: str
    told: Told
    others: Others
    first: bool

    def baselines(self, question: str, *, sessions: bool) -> dict[str, Answer]:
        found = self.others.ask(question, sessions=sessions)
        named = {f"{self.who} alone": found["embedder"], f"RRF BM25 + {self.who}": found["RRF"]}
        return {**({name: found[name] for name in ("BM25", "hash-256")} if self.first else {}), **named}


def one_story(name: str, steps: Sequence[Session | Asked], trial: Trial, judged: Judged) -> None:
    for step in steps:
        if isinstance(step, Asked):
            one_question(name, step, trial, judged)
        else:
            trial.told.tell(step)
            trial.others.tell(step)


def one_question(name: str, asked: Asked, trial: Trial, judged: Judged) -> None:
    """Judge every ranker by what it found, in messages or in sessions as the tasks of the set want it."""
    ours, us = trial.told.ask(asked), f"Recollect, {trial.who}"
    judged.seconds[name, us].append(ours.seconds)
    if not asked.answerable or asked.messages or asked.sessions:
        shown = set().union(*ours.ranking[:SHOWN])
        found = not ours.ranking or bool(shown & (asked.messages or asked.sessions))
        for who, empty in ((us, not ours.ranking), (f"{us}, cautious", trial.told.is_silent(asked.text))):
            judged.empty[name, who].append(Silence(asked.answerable, empty, lost=empty and found))
    for task in (task for task in TASKS if task.set == name):
        gold = asked.sessions if task.sessions else asked.messages
        if not gold:
            continue
        answers = {us: trial.told.as_sessions(ours) if task.sessions else ours}
        answers |= trial.baselines(asked.text, sessions=task.sessions)
        for who, answer in answers.items():
            judged.add(task, who, asked.kind, measured(answer.ranking, gold, answer.tokens))


if __name__ == "__main__":
    sys.exit(main())
