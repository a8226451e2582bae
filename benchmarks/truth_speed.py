"""What reconciling adds to a draft: looking up the facts that it can touch and deciding, beside so many facts."""

from __future__ import annotations

import random
import time
from datetime import timedelta
from statistics import median

from measure import Figure, Result, Row
from speed_fill import PLACES, THINGS, WORDS
from truth_told import START, Standing

from recollect import Clock, Memory, Message
from recollect.facts.reconcile import reconcile
from recollect.reader import ReadingContext, open_reader
from recollect.records import Draft
from recollect.save import facts_touched

SIZES = (1_000, 10_000)
BATCH = 500
TIMES = 15
OWNER = "me"
KNOWN = (
    "I live in Lisbon and I work at Helios. My car is a Renault Clio. I like tennis. I am allergic to nuts. "
    "I have a dog called Rex. My sister Anna lives in Berlin. We use Jira. My weight is 80 kg."
)
SAID = {
    "update": "I moved to Porto.",
    "value of a list": "I like tea.",
    "value that is no list's": "My diet is vegetarian.",
    "unknown relation": "Our mayor is Ada Quill.",
    "setting of a thing": "The copper-kettle-77 port is now 8080.",
    "someone else": "My sister Anna lives in Hamburg now.",
    "plan": "From June next year I'll work at Acme.",
    "past": "I used to live in Rome.",
    "ending, by its key": "I quit Helios.",
    "ending, by its value": "My car is no longer a Renault Clio.",
    "ending, by its words": "We don't use Jira any more.",
    "ending of a liking": "I no longer like tennis.",
    "correction": "Actually it's Porto, not Lisbon.",
    "switch": "We switched to Linear.",
    "value after value": "My weight is 79 kg now.",
}
NOTE = (
    "Reconciling: CPU time a draft for looking up the facts that it can touch and deciding, inside a transaction, "
    "beside n facts of one owner (things, settings, likes, belongings, unknown relations, and in the last tenth one "
    f"value told anew each time); median of {TIMES}, for {len(SAID)} ways of saying something."
)


def run(*, quick: bool) -> Result:
    """Both sizes, or the smaller one."""
    result = Result(notes=[NOTE])
    for size in SIZES[:1] if quick else SIZES:
        memory = filled(size)
        took = {name: one_draft(memory, said) for name, said in SAID.items()}
        slowest = max(took, key=lambda name: took[name])
        for measure, each in (("median", median(took.values())), (f"slowest: {slowest}", took[slowest])):
            figure = Figure(1000 * each, n=size)
            result.rows.append(Row("Reconciling", f"a draft, {measure}", figure, goal="< 1 ms", unit="ms"))
    return result


def filled(size: int) -> Memory:
    """A memory with so many facts of many kinds, many of them under one attribute."""
    memory = Memory(":memory:", owner=OWNER, embedder=None, clock=Clock(now=Standing(), randomness=random.Random(7)))
    random_ = random.Random(3)
    for first in range(0, size, BATCH):
        memory.add(
            [{"role": "user", "content": statement(random_, number, size)} for number in range(first, first + BATCH)]
        )
    memory.add(KNOWN)
    return memory


def statement(random_: random.Random, number: int, size: int) -> str:
    if number > 0.9 * size:
        return f"My weight is {60 + number / 1000} kg now."
    word, thing, place = random_.choice(WORDS), random_.choice(THINGS), random_.choice(PLACES)
    shapes = (
        f"My {word} {thing} {number} is {place} {number}.",
        f"The {word}-{thing}-{number} port is {number}.",
        f"I like {word} {thing} {number}.",
        f"I use {word} {thing} {number}.",
        f"My {word} keeper {number} is {place} {number}.",
    )
    return shapes[number % len(shapes)]


def one_draft(memory: Memory, said: str) -> float:
    """CPU seconds that reconciling what is said takes, by draft; nothing is kept."""
    drafts = drafts_of(said)
    with memory.store.transaction(OWNER):
        return median(once(memory, drafts) for _ in range(TIMES)) / len(drafts)


def once(memory: Memory, drafts: list[Draft]) -> float:
    parts = memory._runtime
    started = time.process_time()
    known = facts_touched(parts, OWNER, drafts)
    reconcile(drafts, known, owner=OWNER, now=parts.clock.now(), new_id=lambda: parts.clock.new_id("f"))
    return time.process_time() - started


def drafts_of(said: str) -> list[Draft]:
    reader = open_reader("plain")
    assert reader is not None
    drafts = reader.read([Message("m", OWNER, "s", "user", said, START + timedelta(days=1))], ReadingContext())
    assert drafts, said
    return drafts
