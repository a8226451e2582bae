"""What a reader finds in real messages: labelled facts found, precision, silence, drafts per thousand, speed.

    python benchmarks/reader.py [--reader plain|rules] [--quick] [--show 40]

A labelled fact counts as found where a draft's quote and the label's share at least half of the shorter one and the
draft's value and the label's have a word in common. A draft counts as right where it finds a label so; "near" where its
quote only overlaps one. Labels are one reading by a large model: a draft they lack may still be fair.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timezone
from typing import Any

import data

from recollect.reader import ReadingContext, open_reader
from recollect.records import Draft, Message

Read = Callable[[Sequence[Message]], list[Draft]]
FIRST = "import time; t=time.process_time(); {}; print(round((time.process_time()-t)*1000))"
FIRST_READ = {
    "plain": "from recollect.reader.shapes import PlainReader as R; from recollect.reader import ReadingContext as C; "
    "R().read([m], C())",
}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--reader", default="plain")
    options.add_argument("--quick", action="store_true")
    options.add_argument("--show", type=int, default=0)
    given = options.parse_args()
    read = reader(given.reader)
    rows = list(data.rows(data.find("reader_labels", "labels.jsonl.gz")))[:: 5 if given.quick else 1]
    print(f"{given.reader}: {len(rows):,} labelled messages")
    for line in measured(rows, read, given.show):
        print(" ", line)
    for line in speed(rows, read, given.reader):
        print(" ", line)


def reader(name: str) -> Read:
    chosen = open_reader(name)
    assert chosen is not None
    return lambda messages: chosen.read(messages, ReadingContext())


def message(row: dict[str, Any], place: int = 0) -> Message:
    said = datetime.fromisoformat(row.get("said", "2025-01-01")).replace(hour=12, tzinfo=timezone.utc)
    return Message(f"m{place}", "o", "s", "user", row["text"], said)


def measured(rows: Sequence[dict[str, Any]], read: Read, show: int) -> Iterator[str]:
    count, shown = Counter[str](), list[str]()
    for place, row in enumerate(rows):
        drafts = read([message(row, place)])
        labels = row["facts"]
        count["labels"] += len(labels)
        count["found"] += sum(any(finds(draft, label, row["text"]) for draft in drafts) for label in labels)
        count["silent"] += not labels
        count["kept silent"] += not labels and not drafts
        for draft in drafts:
            right = any(finds(draft, label, row["text"]) for label in labels)
            near = any(overlap(draft, label, row["text"]) for label in labels)
            count["drafts"] += 1
            count["right"] += right
            count["near"] += near or right
            if not right:
                label = "; ".join(f"{one['attribute']}={one['value']}" for one in labels)
                shown.append(
                    f"{draft.effect} | {draft.text} | “{draft.source.quote if draft.source else ''}” | {label}"
                )
    yield f"labelled facts found: {count['found']} of {count['labels']} ({count['found'] / count['labels']:.1%})"
    drafts = max(1, count["drafts"])
    yield f"drafts: {drafts} ({1000 * drafts / len(rows):.0f} per 1,000 messages)"
    yield f"  right {count['right'] / drafts:.1%}, near {count['near'] / drafts:.1%}"
    yield f"messages without labels that stay empty: {count['kept silent'] / max(1, count['silent']):.1%}"
    random.seed(3)
    yield from (f"    not in labels: {one}" for one in random.sample(shown, min(show, len(shown))))


def finds(draft: Draft, label: dict[str, Any], text: str) -> bool:
    """Whether a draft says what a label says: their words overlap by half, and so do their values."""
    ours, theirs = words(draft.value), words(str(label["value"]))
    return bool(ours & theirs) and overlap(draft, label, text)


def overlap(draft: Draft, label: dict[str, Any], text: str) -> bool:
    a, b = span(draft.source.quote if draft.source else "", text), span(label["quote"], text)
    shared = min(a[1], b[1]) - max(a[0], b[0])
    return shared * 2 >= max(1, min(a[1] - a[0], b[1] - b[0]))


def span(quote: str, text: str) -> tuple[int, int]:
    place = text.find(quote)
    return (place, place + len(quote)) if place >= 0 else (-1, -1)


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold())) - {"the", "a", "an", "my", "of", "in", "to", "and"}


def speed(rows: Sequence[dict[str, Any]], read: Read, name: str) -> Iterator[str]:
    messages = [message(row, place) for place, row in enumerate(rows)]
    before = time.process_time()
    for one in messages:
        read([one])
    each = (time.process_time() - before) / len(messages) * 1000
    letters = sum(len(one.content) for one in messages) / len(messages)
    yield f"CPU: {each:.2f} ms a message of {letters:.0f} letters on average"
    for times in (1, 4, 16):
        text = "I live in Porto, and my sister Anna likes tea. " * (10 * times)
        before = time.process_time()
        read([message({"text": text})])
        yield f"  {len(text):,} letters: {(time.process_time() - before) * 1000:.1f} ms"
    setup = (
        "from datetime import datetime, timezone; from recollect.records import Message; import recollect.memory; "
        "m = Message('m', 'o', 's', 'user', 'I live in Porto.', datetime.now(timezone.utc)); "
    )
    code = setup + FIRST.format(FIRST_READ[name])
    cost = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    yield f"first message of a process: {cost} ms of CPU"


if __name__ == "__main__":
    main()
