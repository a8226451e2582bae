"""YAGO and TimeQA: what was true at a given time."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import data
from measure import Result, Row, Tally, any_of, first, mean, recall
from truth_told import MINUTE, START, sample, telling

from recollect import Memory

WORDS = {
    "playsFor": "{} played for {}",
    "isAffiliatedTo": "{} was a member of {}",
    "isMarriedTo": "{} was married to {}",
    "worksAt": "{} worked at {}",
    "owns": "{} owned {}",
    "wasBornIn": "{} was born in {}",
    "diedIn": "{} died in {}",
    "graduatedFrom": "{} graduated from {}",
    "hasWonPrize": "{} won {}",
    "created": "{} created {}",
}
EVENTS = frozenset(["wasBornIn", "diedIn", "graduatedFrom", "hasWonPrize", "created"])
KEYS = {
    "playsFor": "team",
    "isAffiliatedTo": "party",
    "isMarriedTo": "spouse",
    "worksAt": "employer",
    "owns": "company",
}
YAGO_NOTE = (
    "YAGO: *told as sentences*: every fact of the half as one sentence through `add` (“X was married to Y from 1953 "
    "to 1964.”, “… in 1958.” for a single year, “… since 1990.” without an end; all wordings in "
    "`benchmarks/truth_years.py`), in the order of the file. *Told by key*: the facts of the relations asked for, "
    "in order of their start, by `remember(key, value, subject=…, at=start)` and, where it ended, `forget(fact, "
    "at=end)`. Exact: at the end of the asked year (`at=` the year), the facts of the subject have the valid value "
    "and none of the others. Relevance only: the same facts with their windows left out, judged alike."
)
TIMEQA_NOTE = (
    "TimeQA: a page is an owner, each paragraph one message (origin document); found is the paragraph that the "
    "answer stands in. The time stands in the question, not in `at=`: the paragraphs are all told today. Questions "
    "without an answer are left out; {} of 129 pages. R@5 is over all answer paragraphs of a question."
)
PAGES = 129


def run_yago(*, quick: bool) -> Result:
    """All point-in-time queries of the half."""
    facts = list(data.rows(data.find("yago_temporal", "facts.jsonl.gz")))
    queries = list(data.rows(data.find("yago_temporal", "point_in_time.jsonl.gz")))
    result = Result(notes=[YAGO_NOTE])
    sentences = judged(partial(holding, told_as_sentences(facts)), queries, result)
    by_key = told_by_key([row for row in facts if row["relation"] in KEYS])
    keyed = judged(partial(holding, by_key), queries, Result())
    windowless = judged(partial(ever_told, facts), queries, Result())
    result.rows = [
        Row("YAGO", "exact, told as sentences", mean(sentences), mean(windowless), goal="≥ 0.99"),
        Row("YAGO", "exact, told by key", mean(keyed), goal="≥ 0.99"),
    ]
    return result


def told_as_sentences(facts: Sequence[dict[str, Any]]) -> Memory:
    told = telling()
    said = [(str(place), sentence(row), START + place * MINUTE) for place, row in enumerate(facts)]
    for start in range(0, len(said), 50):
        told.tell(said[start : start + 50], session=f"s{start}")
    return told.memory


def sentence(row: dict[str, Any]) -> str:
    statement = WORDS[row["relation"]].format(row["subject"], row["object"])
    return f"{statement} {window(row['start'], row['end'], event=row['relation'] in EVENTS)}."


def window(start: int, end: int | None, *, event: bool) -> str:
    if event or start == end:
        return f"in {start}"
    return f"from {start} to {end}" if end is not None else f"since {start}"


def told_by_key(facts: Sequence[dict[str, Any]]) -> Memory:
    """As a program would: a key for each relation, ended where the data says so."""
    memory = telling().memory
    for row in sorted(facts, key=lambda row: (row["start"], row["end"] or 9999)):
        fact = memory.remember(
            KEYS[row["relation"]], row["object"], subject=row["subject"], at=f"{row['start']:04}-01-01T00:00:00Z"
        )
        if row["end"] is not None and fact.until is None:
            memory.forget(fact, at=f"{row['end'] + 1:04}-01-01T00:00:00Z")
    return memory


def judged(
    values_in: Callable[[int], dict[str, list[str]]], queries: Sequence[dict[str, Any]], result: Result
) -> list[float]:
    """Whether each query is answered with the valid value and no other."""
    by_year: dict[int, dict[str, list[str]]] = {}
    outcomes = []
    for row in queries:
        if row["year"] not in by_year:
            by_year[row["year"]] = values_in(row["year"])
        values = by_year[row["year"]].get(bare(row["subject"]), [])
        right = [any(same(one, value) for value in values) for one in row["valid"]]
        wrong = [any(same(one, value) for value in values) for one in row["not_valid"]]
        outcomes.append(float(all(right) and not any(wrong)))
        if not outcomes[-1]:
            asked = f"{row['subject']} {row['relation']} in {row['year']}"
            result.failures.append(f"YAGO {asked}: holds {values}, valid {row['valid']}, not {row['not_valid']}")
    return outcomes


def holding(memory: Memory, year: int) -> dict[str, list[str]]:
    """The values that hold of each subject at the end of a year."""
    values: dict[str, list[str]] = defaultdict(list)
    for fact in memory.facts(at=f"{year:04}"):
        values[bare(fact.subject)].append(fact.value)
    return values


def ever_told(facts: Sequence[dict[str, Any]], year: int) -> dict[str, list[str]]:
    """The same without windows: whatever was told of a subject, in any year."""
    values: dict[str, list[str]] = defaultdict(list)
    for row in facts:
        values[bare(row["subject"])].append(row["object"])
    return values


def bare(name: str) -> str:
    """A name without an article and without what tells it from others of that name."""
    words = re.findall(r"\w+", re.sub(r"\(.*?\)", " ", name).casefold())
    return " ".join(words[1:] if words[:1] == ["the"] else words)


def same(one: str, other: str) -> bool:
    return bare(one) == bare(other)


def run_timeqa(*, quick: bool) -> Result:
    """Paragraphs by question, page by page."""
    pages = data.one(data.find("timeqa", "timeqa_human_test.json.gz"))
    tally, result = Tally(), Result(notes=[TIMEQA_NOTE.format(8 if quick else PAGES)])
    for page in sample(pages, 8 if quick else PAGES):
        one_page(page, tally, result)
    result.rows = tally.rows("TimeQA", {})
    return result


def one_page(page: dict[str, Any], tally: Tally, result: Result) -> None:
    ours, plain = telling(), telling(plain=True)
    paragraphs = [(str(i), text, START + i * MINUTE) for i, text in enumerate(page["paras"]) if text.strip()]
    for told in (ours, plain):
        told.tell(paragraphs, session="page", origin="document")
    for question, answers in page["questions"]:
        gold = {str(answer["para"]) for answer in answers if answer["answer"]}
        if not gold:
            continue
        rankings = {"ours": ours.ranking(question), "relevance": plain.baselines(question)[0]}
        for who, ranking in rankings.items():
            tally.add(who, "R@1", first(ranking, gold))
            tally.add(who, "R@5", recall(ranking, gold))
            tally.add(who, "any@5", any_of(ranking, gold))
        if any_of(rankings["relevance"], gold) > any_of(rankings["ours"], gold):
            result.failures.append(f"TimeQA: found by words alone, not by us: {question}")
