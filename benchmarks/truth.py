"""Truth over time, measured: does the right fact end, and only that one? `python benchmarks/truth.py`

Runs offline on the data sets in RECOLLECT_DATA, or in ../shared/data beside the checkout; a set that is not there is
named and left out. Prints a table; with --write also docs/truth.md and docs/truth.svg. Set OMP_NUM_THREADS=1 on a busy
machine: the figures are the same, the time is less.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import data
import truth_beliefs
import truth_cases
import truth_facts
import truth_page
import truth_pairs
import truth_points
import truth_speed
import truth_talks
import truth_told
import truth_years
from measure import Figure, Result, Row
from rich.console import Console

DOCS = Path(__file__).resolve().parents[1] / "docs"
SETS: dict[str, Callable[..., Result]] = {
    "facts": truth_facts.run,
    "longmemeval": truth_talks.run_longmemeval,
    "beam": truth_talks.run_beam,
    "beam500k": partial(truth_talks.run_beam, long=True),
    "precision": truth_beliefs.run,
    "yago": truth_years.run_yago,
    "timeqa": truth_years.run_timeqa,
    "nli": truth_pairs.run,
    "realmem": truth_points.run,
    "cases": truth_cases.run,
    "reconciling": truth_speed.run,
}
OPTIONAL = ("beam500k",)
"""Left out unless they are named."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the sets asked for; 1 when none of them is there."""
    options = parse(arguments)
    truth_told.use(options.embedder, options.cache)
    console = Console(soft_wrap=False)
    results, absent, took = [], list[str](), dict[str, float]()
    for name in options.sets:
        started = time.process_time()
        try:
            results.append((name, SETS[name](quick=options.quick)))
        except data.Absent as error:
            absent.append(name)
            console.print(f"left out: {error}", style="yellow", highlight=False, soft_wrap=True, markup=False)
            continue
        took[name] = time.process_time() - started
        console.print(f"{name}: {took[name]:.0f} s of CPU", style="dim", highlight=False)
    if not results:
        print(f"No data set is here: nothing was measured. Looked in {data.folder()}.", file=sys.stderr)
        return 1
    report(console, options, results, remarks(options, took, absent))
    return 0


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default="", help=f"some of {','.join(SETS)}; all but {OPTIONAL[0]} by default")
    parser.add_argument("--quick", action="store_true", help="small samples, under two minutes in all")
    parser.add_argument("--embedder", default="minilm", help="the default one of the library unless another is named")
    parser.add_argument("--cache", type=Path, metavar="FILE", help="keep its vectors in this file for the next run")
    parser.add_argument("--failures", type=int, default=0, metavar="N", help="print so many failures of each set")
    parser.add_argument("--write", action="store_true", help="write docs/truth.md and docs/truth.svg")
    options = parser.parse_args(arguments)
    options.sets = [one for one in options.sets.split(",") if one] or [one for one in SETS if one not in OPTIONAL]
    if unknown := [one for one in options.sets if one not in SETS]:
        parser.error(f"no set is called {unknown[0]!r}; there are {', '.join(SETS)}")
    return options


def remarks(options: argparse.Namespace, took: dict[str, float], absent: Sequence[str]) -> list[str]:
    """What else a reader has to know of this run."""
    spent = ", ".join(f"{name} {seconds:.0f}" for name, seconds in took.items())
    lines = [f"Embedder: `{options.embedder}`."]
    lines += [f"CPU seconds of this run, one core: {spent}; {sum(took.values()):.0f} in all."]
    lines += ["Run with `--quick`: small samples."] if options.quick else []
    return lines + ([f"Left out, the data was not there: {', '.join(absent)}."] if absent else [])


def report(
    console: Console, options: argparse.Namespace, named: Sequence[tuple[str, Result]], lines: Sequence[str]
) -> None:
    results = [with_speed(result) for _, result in named]
    truth_page.print_table(console, results)
    for line in lines:
        console.print(line, highlight=False)
    for name, result in named if options.failures else ():
        console.print(f"\n{name}: {len(result.failures):,} failures", style="bold", highlight=False)
        for failure in result.failures[: options.failures]:
            console.print(f"  {failure}", highlight=False, markup=False, soft_wrap=True)
    if options.write:
        for path in truth_page.write(DOCS, results, lines):
            console.print(f"wrote {path}", highlight=False)


def with_speed(result: Result) -> Result:
    """The time that a fact takes, at the start of the longest list and at its end."""
    if len(result.curve) < 20:
        return result
    tenth = len(result.curve) // 10
    for name, part in (("first", result.curve[: tenth + 1]), ("last", result.curve[-tenth - 1 :])):
        facts, seconds = part[-1][0] - part[0][0], part[-1][1] - part[0][1]
        each = Figure(1000 * seconds / facts, n=facts)
        result.rows.append(Row(result.rows[0].set, f"CPU a fact, {name} tenth", each, goal="flat", unit="ms"))
    return result


if __name__ == "__main__":
    sys.exit(main())
