"""Own cases told in other words that mean the same: which are still read? `python benchmarks/truth_varied.py`

Takes the cases of truth.jsonl that pass as they stand, varies each (an opener, no capitals, another name, two cases in
one memory) so that what is expected follows from the original, and prints the share that still pass, by variation.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

import data
import truth_pairing as pairing
import truth_renaming as renaming
import truth_told
import truth_variations as varying
from measure import Result
from rich.console import Console
from rich.table import Table
from truth_cases import Outcomes, one_case
from truth_rewording import REWORDED
from truth_variations import Case, Variation

VARIATIONS: dict[str, Variation] = {
    "opener": varying.opened(varying.OPENERS),
    "announced": varying.opened(varying.ANNOUNCED),
    "told that": varying.told,
    "closer": varying.closed(varying.CLOSERS),
    "remark": varying.closed(varying.REMARKS),
    "smile": varying.put_after(varying.SMILES),
    "sentence before": varying.put_before(varying.BEFORE),
    "sentence after": varying.put_after(varying.AFTER),
    "question after": varying.put_after(varying.ASKED),
    "in full": varying.in_full,
    "contracted": varying.contracted,
    "British": varying.words_for(varying.BRITISH),
    "American": varying.words_for({british: american for american, british in varying.BRITISH.items()}),
    "synonyms": varying.words_for(varying.SYNONYMS),
    "adverb, present": varying.with_adverb(varying.PRESENT, ("currently", "actually", "mostly")),
    "adverb, past": varying.with_adverb(varying.PAST, ("just", "recently", "finally"), timeless=True),
    "as we": varying.as_we,
    "day first": varying.day_first,
    "day of month": varying.day_of,
    "month first": varying.month_first,
    "24 hours": varying.by_the_clock,
    "12 hours": varying.twelve_hours,
    "no capitals": varying.without_capitals,
    "no first capital": varying.without_first_capital,
    "no full stop": varying.without_stop,
    "exclaimed": varying.exclaimed,
    "curly apostrophes": varying.curly,
    "two spaces": varying.between_sentences("  "),
    "line breaks": varying.between_sentences("\n"),
    "paragraphs": varying.between_sentences("\n\n"),
    "another place": renaming.renamed(renaming.PLACE_KEYS, renaming.PLACES),
    "another firm": renaming.renamed(renaming.FIRM_KEYS, renaming.FIRMS),
    "another person": renaming.renamed(renaming.PERSON_KEYS, renaming.PEOPLE),
    "other numbers": renaming.with_other_numbers,
    "turns at once": pairing.at_once,
    **REWORDED,
}
PAIRED = {
    "interleaved": pairing.interleaved,
    "in one message": pairing.in_one_message,
    "joined by and": pairing.in_one_sentence,
}


@dataclass
class Held:
    """Of one variation: how many varied cases there were, which failed, and what was ended wrongly."""

    cases: int = 0
    wrong_ends: int = 0
    failures: list[str] = field(default_factory=list)

    @property
    def share(self) -> float:
        return 1 - len(self.failures) / self.cases if self.cases else 1.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the variations asked for; 1 when one of them is unknown."""
    options = parse(arguments)
    truth_told.EMBEDDER["embedder"] = None  # facts are read and reconciled without vectors
    cases = passing(data.rows(data.CASES / "truth.jsonl"))
    results = {name: measured(varied(name, cases, options.sample)) for name in options.variations}
    report(Console(), results, len(cases), options.failures)
    return 0


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [*VARIATIONS, *PAIRED]
    parser.add_argument(
        "--variation", action="append", dest="variations", choices=names, help="this one; may be repeated"
    )
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="at most so many varied cases of each")
    parser.add_argument("--failures", type=int, default=0, metavar="N", help="print so many failures of each")
    options = parser.parse_args(arguments)
    options.variations = options.variations or names
    return options


def passing(cases: Iterable[Case]) -> list[Case]:
    """The cases that are right as they stand."""
    return [case for case in cases if not failures_of(case).failures]


def varied(name: str, cases: Sequence[Case], sample: int = 0) -> list[Case]:
    """The cases that the variation applies to, varied; of these a sample, always the same one."""
    if name in PAIRED:
        made = [PAIRED[name](one, two) for one, two in pairing.pairs(cases)]
    else:
        made = [case for case in map(VARIATIONS[name], cases) if case is not None]
    return truth_told.sample(made, sample) if sample else made


def measured(cases: Iterable[Case]) -> Held:
    held = Held()
    for one in map(failures_of, cases):
        held.cases += 1
        held.failures += one.failures
        held.wrong_ends += one.wrong_ends
    return held


def failures_of(case: Case) -> Held:
    outcomes, shown = Outcomes(), Result()
    one_case(case, outcomes, shown)
    return Held(1, int(sum(outcomes.measures["wrong ends"])), shown.failures)


def report(console: Console, results: dict[str, Held], total: int, failures: int) -> None:
    table = Table("variation", "cases", "still right", "wrong ends", title=f"{total:,} cases pass as they stand")
    for name, held in results.items():
        table.add_row(name, f"{held.cases:,}", f"{held.share:.1%}", str(held.wrong_ends))
    whole = Held(
        *(sum(column) for column in zip(*((one.cases, one.wrong_ends) for one in results.values()), strict=True))
    )
    whole.failures = [failure for one in results.values() for failure in one.failures]
    table.add_row("all", f"{whole.cases:,}", f"{whole.share:.1%}", str(whole.wrong_ends), style="bold")
    console.print(table)
    show = partial(console.print, highlight=False, markup=False, soft_wrap=True)
    for name, held in results.items() if failures else ():
        show(f"\n{name}: {len(held.failures):,} failures", style="bold")
        for failure in held.failures[:failures]:
            show(f"  {failure}")


if __name__ == "__main__":
    sys.exit(main())
