"""What is read and what ends in real talk, for a person to judge: `python benchmarks/audit.py`

Tells the users' side of public conversations (RECOLLECT_DATA, or ../shared/data) to a memory each, and lists every fact
that was ended or retired with the words that ended it, or with --facts N so many of the facts that were made. Nobody
has labelled them: a figure comes from reading the list.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import data
import truth_points
import truth_talks
import truth_told
from truth_told import MINUTE, Telling, telling

from recollect import Fact
from recollect.records import Added, Receipt


@dataclass
class Listening(Telling):
    """A telling that keeps what came of it."""

    def __post_init__(self) -> None:
        self.heard: list[Added] = []

    def tell(self, *arguments: object, **options: object) -> Added:  # type: ignore[override]
        added = super().tell(*arguments, **options)  # type: ignore[arg-type]
        self.heard.append(added)
        return added


def listening() -> Listening:
    plain = telling()
    return Listening(plain.memory, plain.clock)


def of_beam(name: str) -> Iterator[Listening]:
    for row in data.rows(data.find("beam", name)):
        told = listening()
        truth_talks.tell_conversation(told, row["chat"])
        yield told


def of_longmemeval() -> Iterator[Listening]:
    for row in data.one(data.find("longmemeval", "longmemeval_oracle.json.gz")):
        told = listening()
        for session in sorted(truth_talks.sessions_of(row), key=lambda one: one.at):
            for place, (text, _) in enumerate(session.turns):
                told.tell([(f"{session.id}/{place}", text, session.at + place * MINUTE)], session=session.id)
        yield told


def of_realmem() -> Iterator[Listening]:
    for path in data.files("realmem", "*.json.gz"):
        told = listening()
        truth_points.tell_dialogues(told, data.one(path)["dialogues"])
        yield told


SETS: dict[str, Callable[[], Iterator[Listening]]] = {
    "beam": lambda: of_beam("beam_100k.jsonl.gz"),
    "beam500k": lambda: of_beam("beam_500k.jsonl.gz"),
    "longmemeval": of_longmemeval,
    "realmem": of_realmem,
}


def main() -> int:
    options = parse()
    truth_told.EMBEDDER["embedder"] = None  # type: ignore[assignment]
    for name in options.sets.split(","):
        try:
            receipts = [one for told in SETS[name]() for added in told.heard for one in added.receipts]
        except data.Absent as error:
            print(f"left out: {error}", file=sys.stderr)
            continue
        kept = [one for one in receipts if one.outcome != "refused"]
        ends = [(one, fact) for one in kept for fact in ended(one)]
        print(f"{name}: {len(kept):,} facts made or confirmed, {len(ends):,} ended")
        lines = [made(one) for one in random.Random(options.seed).sample(kept, min(options.facts, len(kept)))]
        print("\n".join(lines if options.facts else [told_end(*one) for one in ends]))
    return 0


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default=",".join(SETS), help=f"some of {','.join(SETS)}")
    parser.add_argument("--facts", type=int, default=0, metavar="N", help="list so many facts instead of all ends")
    parser.add_argument("--seed", type=int, default=7, help="which facts these are")
    return parser.parse_args()


def ended(receipt: Receipt) -> list[Fact]:
    gone = {change.record_id for change in receipt.changes if change.kind in ("ended", "retired")}
    return [fact for fact in receipt.affected if fact.id in gone]


def made(receipt: Receipt) -> str:
    draft = receipt.draft
    return f"- {draft.effect}: {draft.subject} | {draft.attribute} | {draft.value}  «{quoted(receipt)}»"


def told_end(receipt: Receipt, fact: Fact) -> str:
    source = fact.sources[0].quote[:140] if fact.sources else ""
    return f"- {fact.subject} | {fact.attribute} | {fact.value}  «{source}»\n  {made(receipt)[2:]}"


def quoted(receipt: Receipt) -> str:
    return receipt.draft.source.quote[:140] if receipt.draft.source else ""


if __name__ == "__main__":
    sys.exit(main())
