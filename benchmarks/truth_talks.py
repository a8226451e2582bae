"""LongMemEval and BEAM: facts that change in the course of long conversations."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any

import data
from measure import Ranking, Result, Tally, any_of, fresh_first, recall
from truth_told import MINUTE, Telling, sample, telling

POOL = 50
"""Sessions in a question's haystack: its evidence, and evidence of other questions."""

MARK = re.compile(r"\s*->->.*$", re.DOTALL)
"""A mark that the generator of BEAM left at the end of user messages."""

LONGMEMEVAL_NOTE = (
    "LongMemEval knowledge-update: the haystack of a question is its evidence sessions and other questions' "
    "evidence sessions up to 50 (pool50 of the reference), the user's side, told in order of the sessions' dates. "
    "Of the evidence, the latest session is current, the earlier ones are stale. Session level: hits are sessions, "
    "each at the place of its first hit; the baselines rank one text a session. Turn level: hits are turns or the "
    "facts made from them, evidence is the turns marked in the set. *Recall@5* is over all evidence, stale too; "
    "*current@5* over the current evidence only."
)
BEAM_NOTE = (
    "BEAM: all messages of both roles, in order; a time anchor of the set starts a batch, messages follow a minute "
    "apart. Stale and current messages as labelled (of a contradiction the statement said later counts as current); "
    "questions whose two labels are the same message, or of which one is missing, are left out. *Recall@5* is over "
    "the evidence, stale and current."
)


@dataclass(frozen=True)
class Session:
    """One conversation of LongMemEval: when, and the user's turns with whether they are evidence."""

    id: str
    at: datetime
    turns: tuple[tuple[str, bool], ...]


def judge(tally: Tally, who: str, ranking: Ranking, current: set[str], stale: set[str]) -> None:
    tally.add(who, "fresh1st", fresh_first(ranking, current, stale))
    tally.add(who, "stale@5", any_of(ranking, stale))
    tally.add(who, "Recall@5", recall(ranking, current | stale))
    tally.add(who, "current@5", recall(ranking, current))


def run_longmemeval(*, quick: bool) -> Result:
    """The knowledge-update questions of this half."""
    questions = data.one(data.find("longmemeval", "longmemeval_oracle.json.gz"))
    pool = {session.id: session for row in questions for session in sessions_of(row)}
    asked = [
        row for row in questions if row["question_type"] == "knowledge-update" and "_abs" not in row["question_id"]
    ]
    sessions, turns, result = Tally(), Tally(), Result(notes=[LONGMEMEVAL_NOTE])
    for row in sample(asked, 6) if quick else asked:
        one_update(row, pool, sessions, turns, result)
    result.rows = sessions.rows("LongMemEval, session", {"fresh1st": "≥ 0.90", "Recall@5": "≥ 0.98"})
    result.rows += turns.rows("LongMemEval, turn", {})
    return result


def sessions_of(row: dict[str, Any]) -> list[Session]:
    told = zip(row["haystack_session_ids"], row["haystack_dates"], row["haystack_sessions"], strict=True)
    return [
        Session(
            name,
            datetime.strptime(at, "%Y/%m/%d (%a) %H:%M").replace(tzinfo=timezone.utc),
            tuple((turn["content"], bool(turn.get("has_answer"))) for turn in turns if turn["role"] == "user"),
        )
        for name, at, turns in told
    ]


def one_update(row: dict[str, Any], pool: dict[str, Session], sessions: Tally, turns: Tally, result: Result) -> None:
    """One question in its own haystack, at both levels."""
    evidence = sorted((one for one in sessions_of(row) if one.id in row["answer_session_ids"]), key=lambda one: one.at)
    others = sorted(set(pool) - {one.id for one in evidence})
    chosen = random.Random(row["question_id"]).sample(others, POOL - len(evidence))
    haystack = sorted([*evidence, *(pool[name] for name in chosen)], key=lambda one: one.at)
    ours, plain, joined = telling(at=haystack[0].at), telling(plain=True), telling(plain=True)
    for place, session in enumerate(haystack):
        spoken = [(f"{session.id}/{i}", text, session.at + i * MINUTE) for i, (text, _) in enumerate(session.turns)]
        if spoken:
            ours.tell(spoken, session=f"s{place}")
            plain.tell(spoken, session=f"s{place}")
            joined.tell([(session.id, "\n".join(text for text, _ in session.turns), session.at)], session=f"s{place}")
    question, current, stale = row["question"], {evidence[-1].id}, {one.id for one in evidence[:-1]}
    hits = ours.found(question)
    by_turn = [ours.shown(hit) for hit in hits]
    by_session = as_sessions(by_turn)
    judge_all(sessions, by_session, joined.baselines(question), current, stale)
    now, before = marked(evidence[-1:]), marked(evidence[:-1])
    if now and before:
        judge_all(turns, by_turn, plain.baselines(question), now, before)
        turns.add("ours", "stale@5, unmarked", any_of(ours.unmarked(hits), before))
    if not fresh_first(by_session, current, stale):
        result.failures.append(f"LongMemEval {row['question_id']}: stale session first: {question}")


def judge_all(
    tally: Tally, ours: Ranking, baselines: tuple[Ranking, Ranking], current: set[str], stale: set[str]
) -> None:
    for who, ranking in zip(("ours", "relevance", "newest"), (ours, *baselines), strict=True):
        judge(tally, who, ranking, current, stale)


def marked(sessions: Iterable[Session]) -> set[str]:
    """The turns that hold the evidence."""
    return {f"{one.id}/{i}" for one in sessions for i, (_, evidence) in enumerate(one.turns) if evidence}


def as_sessions(ranking: Ranking) -> list[frozenset[str]]:
    """Sessions in the order in which their first hit comes."""
    names = dict.fromkeys(item.rpartition("/")[0] for hit in ranking for item in sorted(hit))
    return [frozenset([name]) for name in names]


def run_beam(*, quick: bool, long: bool = False) -> Result:
    """Updates and contradictions in the conversations of 100K tokens, or of 500K."""
    conversations = list(data.rows(data.find("beam", "beam_500k.jsonl.gz" if long else "beam_100k.jsonl.gz")))
    updates, contradictions, result = Tally(), Tally(), Result(notes=[BEAM_NOTE])
    for row in conversations[:2] if quick else conversations:
        one_conversation(row, updates, contradictions, result)
    size = "BEAM 500K" if long else "BEAM"
    goals = {"fresh1st": "≥ 0.70", "stale@5": "≤ 0.40", "Recall@5": "≥ 0.60"}
    result.rows = updates.rows(f"{size}, knowledge_update", goals) + contradictions.rows(f"{size}, contradiction", {})
    return result


def one_conversation(row: dict[str, Any], updates: Tally, contradictions: Tally, result: Result) -> None:
    ours, plain = telling(), telling(plain=True)
    for told in (ours, plain):
        tell_conversation(told, row["chat"])
    asked = row["probing_questions"]
    for question in asked["knowledge_update"]:
        labels = question["source_chat_ids"]
        judge_question(question, labels["original_info"], labels["updated_info"], updates, (ours, plain), result)
    for question in asked["contradiction_resolution"]:
        labels = question["source_chat_ids"]
        early, late = sorted([labels["first_statement"], labels["second_statement"]], key=max)
        judge_question(question, early, late, contradictions, (ours, plain), result)


def tell_conversation(told: Telling, batches: Sequence[dict[str, Any]]) -> None:
    """One message a call, so that each role is kept."""
    at = datetime(2024, 1, 1, tzinfo=timezone.utc)
    for batch in batches:
        for message in (one for turn in batch["turns"] for one in turn):
            at = max(at + MINUTE, anchor(message.get("time_anchor")) or at)
            text = MARK.sub("", message["content"]).strip()
            if text:
                told.tell([(str(message["id"]), text, at)], session=f"b{batch['batch_number']}", role=message["role"])


def anchor(text: str | None) -> datetime | None:
    return datetime.strptime(text, "%B-%d-%Y").replace(tzinfo=timezone.utc) + timedelta(hours=9) if text else None


def judge_question(
    question: dict[str, Any],
    before: Sequence[int],
    after: Sequence[int],
    tally: Tally,
    told: tuple[Telling, Telling],
    result: Result,
) -> None:
    stale, current = {str(one) for one in before}, {str(one) for one in after}
    if not stale or not current or stale & current:
        return
    ours, plain = told
    hits = ours.found(question["question"])
    ranking = [ours.shown(hit) for hit in hits]
    judge_all(tally, ranking, plain.baselines(question["question"]), current, stale)
    tally.add("ours", "stale@5, unmarked", any_of(ours.unmarked(hits), stale))
    if not fresh_first(ranking, current, stale) or any_of(ranking, stale):
        result.failures.append(f"BEAM {sorted(stale)} → {sorted(current)}: {question['question']}")
