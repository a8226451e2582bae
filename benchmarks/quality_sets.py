"""The data sets of the quality benchmark in one form: what was said in sessions, and what is asked of it, in order."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from functools import cache
from itertools import pairwise
from typing import Any

import data

MINUTE = timedelta(minutes=1)
POOL = 50
"""Sessions in a LongMemEval haystack: the question's evidence, and evidence of other questions."""

MARK = re.compile(r"\s*->->.*$", re.DOTALL)
"""A mark that the generator of BEAM left at the end of user messages."""

LOCOMO_KINDS = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}


@dataclass(frozen=True)
class Said:
    """One message; its item is what the labels call it, which the memory is never told."""

    item: str
    text: str
    at: datetime
    role: str = "user"
    name: str | None = None


@dataclass(frozen=True)
class Session:
    """Messages that belong together."""

    item: str
    said: tuple[Said, ...]


@dataclass(frozen=True)
class Asked:
    """A question, with the items of messages and of sessions that answer it; used to score only."""

    text: str
    kind: str
    messages: frozenset[str] = frozenset()
    sessions: frozenset[str] = frozenset()
    answerable: bool = True
    at: datetime | None = None


@dataclass(frozen=True)
class Story:
    """What one owner's memory is told and asked, in order; one conversation, persona or haystack."""

    name: str
    steps: tuple[Session | Asked, ...]

    @property
    def told_by(self) -> datetime | None:
        """When all of it had been told, whatever its dates: a pool also holds what was said after a question, being the
        talk of others. None where telling and asking take turns, or where no question has a date."""
        asked = [step for step in self.steps if isinstance(step, Asked)]
        if any(isinstance(step, Asked) for step in self.steps[: -len(asked)]):
            return None
        return min((one.at for one in asked if one.at), default=None)


def locomo() -> Iterator[Story]:
    """Two people over months; every turn is a message with its speaker's name."""
    for row in data.one(data.find("locomo", "locomo.json")):
        talk = row["conversation"]
        sessions = [
            locomo_session(number, talk[f"session_{number}"], talk[f"session_{number}_date_time"])
            for number in range(1, 100)
            if talk.get(f"session_{number}")
        ]
        known = {one.item for session in sessions for one in session.said}
        yield Story(row["sample_id"], (*sessions, *(locomo_question(one, known) for one in row["qa"])))


def locomo_session(number: int, turns: Sequence[dict[str, Any]], when: str) -> Session:
    at = datetime.strptime(when, "%I:%M %p on %d %B, %Y").replace(tzinfo=timezone.utc)
    said = [Said(t["dia_id"], t["text"], at + i * MINUTE, name=t["speaker"]) for i, t in enumerate(turns)]
    return Session(f"D{number}", tuple(said))


def locomo_question(row: dict[str, Any], known: set[str]) -> Asked:
    found = [(int(a), int(b)) for one in row["evidence"] for a, b in re.findall(r"D:?(\d+):(\d+)", one)]
    gold = frozenset(f"D{a}:{b}" for a, b in found) & known
    kind = LOCOMO_KINDS[row["category"]]
    return Asked(row["question"], kind, gold, frozenset(one.partition(":")[0] for one in gold), kind != "adversarial")


def longmemeval_s500() -> Iterator[Story]:
    """The official haystacks, of each session the first 500 characters of the user's side as one message; questions
    that the user's side does not answer are left out, as in the paper."""
    questions, pool = lme_pool("user")
    heard = {row["question_id"] for row in questions if any(pool[name][1] for name in row["answer_session_ids"])}
    texts = {one["session_id"]: one["user_text_500"] for one in data.rows(find_lme("s_sessions_user500.jsonl.gz"))}
    for row in data.rows(find_lme("s_haystack.jsonl.gz")):
        sessions = [
            Session(name, (Said(name, texts[name], lme_time(at)),))
            for name, at in row["haystack"]
            if texts[name].strip()
        ]
        gold = frozenset(row["answer_session_ids"])
        asked = datetime.strptime(row["question_date"], "%Y-%m-%d").replace(tzinfo=timezone.utc) + timedelta(hours=23)
        if row["question_id"] in heard or row["question_id"].endswith("_abs"):
            yield Story(row["question_id"], (*sessions, lme_question(row, gold, gold, asked)))


def longmemeval_pool50() -> Iterator[Story]:
    """A question's evidence sessions and others' up to fifty, the user's side in full."""
    questions, pool = lme_pool("user")
    for row in questions:
        evidence = [one for one in row["answer_session_ids"] if one in pool]
        others = sorted(set(pool) - set(evidence))
        chosen = random.Random(row["question_id"]).sample(others, POOL - len(evidence))
        sessions = in_order(pool[name][0] for name in (*evidence, *chosen))
        yield Story(row["question_id"], (*sessions, lme_evidence(row, pool)))


def longmemeval_pool() -> Iterator[Story]:
    """All evidence sessions in one memory, both roles."""
    questions, pool = lme_pool("user", "assistant")
    sessions = in_order(session for session, _ in pool.values())
    yield Story("pool", (*sessions, *(lme_evidence(row, pool) for row in questions)))


def in_order(sessions: Iterator[Session]) -> list[Session]:
    return sorted((one for one in sessions if one.said), key=lambda one: (one.said[0].at, one.item))


def find_lme(name: str) -> Any:
    return data.find("longmemeval", name)


def lme_time(text: str) -> datetime:
    return datetime.strptime(text, "%Y/%m/%d (%a) %H:%M").replace(tzinfo=timezone.utc)


Pool = dict[str, tuple[Session, frozenset[str]]]
"""Sessions by name, each with the items of the turns that are marked as evidence."""


def lme_pool(*roles: str) -> tuple[list[dict[str, Any]], Pool]:
    """The questions, and every session that any of them has, with its turns of these roles."""
    questions = data.one(find_lme("longmemeval_oracle.json.gz"))
    pool: Pool = {}
    for row in questions:
        told = zip(row["haystack_session_ids"], row["haystack_dates"], row["haystack_sessions"], strict=True)
        for name, at, turns in told:
            pool[name] = lme_session(name, lme_time(at), turns, roles)
    return questions, pool


def lme_session(
    name: str, at: datetime, turns: Sequence[dict[str, Any]], roles: Sequence[str]
) -> tuple[Session, frozenset[str]]:
    kept = [(f"{name}/{i}", turn) for i, turn in enumerate(turns) if turn["role"] in roles and turn["content"].strip()]
    said = [Said(item, turn["content"], at + i * MINUTE, turn["role"]) for i, (item, turn) in enumerate(kept)]
    return Session(name, tuple(said)), frozenset(item for item, turn in kept if turn.get("has_answer"))


def lme_evidence(row: dict[str, Any], pool: Pool) -> Asked:
    names = [one for one in row["answer_session_ids"] if one in pool]
    turns = frozenset(item for name in names for item in pool[name][1])
    gold = frozenset(names) if turns else frozenset()
    return lme_question(row, turns, gold, lme_time(row["question_date"]))


def lme_question(row: dict[str, Any], turns: frozenset[str], gold: frozenset[str], at: datetime) -> Asked:
    """Questions without an answer are left out of the retrieval figures, as in the paper: they get no labels."""
    if row["question_id"].endswith("_abs"):
        return Asked(row["question"], row["question_type"], answerable=False, at=at)
    return Asked(row["question"], row["question_type"], turns, gold, at=at)


def realmem() -> Iterator[Story]:
    """One persona's sessions in order; a query is asked before its own session is told."""
    for path in data.files("realmem", "*.json.gz"):
        yield Story(path.name.partition(".")[0], tuple(realmem_steps(data.one(path)["dialogues"])))


def realmem_steps(dialogues: Sequence[dict[str, Any]]) -> Iterator[Session | Asked]:
    told: set[str] = set()
    last = datetime(2000, 1, 1, tzinfo=timezone.utc)
    for row in dialogues:
        day = datetime.strptime(row["current_time"][:10], "%Y-%m-%d").replace(tzinfo=timezone.utc)
        last = max(last + MINUTE, day + timedelta(hours=9))
        turns, name = row["dialogue_turns"], row["session_uuid"]
        yield from realmem_queries(turns, told, last)
        said = tuple(
            Said(f"{name}/{i}", turn["content"], last + i * MINUTE, turn["speaker"].lower())
            for i, turn in enumerate(turns)
            if turn["content"].strip()
        )
        last += len(said) * MINUTE
        told.add(name)
        if said:
            yield Session(name, said)


def realmem_queries(turns: Sequence[dict[str, Any]], told: set[str], at: datetime) -> Iterator[Asked]:
    for turn, answer in pairwise(turns):
        if turn["speaker"] == "User" and turn["is_query"]:
            gold = frozenset(answer.get("memory_session_uuids") or ()) & told
            yield Asked(turn["content"], turn.get("category_name") or "other", frozenset(), gold, at=at)


def prefeval() -> Iterator[Story]:
    """All stated preferences in one memory, each its own session; asked for by tasks that need them."""
    rows = list(data.rows(data.find("prefeval", "prefeval_explicit.jsonl")))
    start = datetime(2024, 1, 1, tzinfo=timezone.utc)
    sessions = [
        Session(row["id"], (Said(row["id"], row["preference"], start + i * timedelta(hours=1)),))
        for i, row in enumerate(rows)
    ]
    asked = [Asked(row["question"], row["topic"], frozenset([row["id"]]), frozenset([row["id"]])) for row in rows]
    yield Story("prefeval", (*sessions, *asked))


def beam() -> Iterator[Story]:
    """Conversations of 100K tokens, both roles."""
    for row in data.rows(data.find("beam", "beam_100k.jsonl.gz")):
        questions = [beam_question(kind, one) for kind, asked in row["probing_questions"].items() for one in asked]
        yield Story(str(row["conversation_id"]), (*beam_sessions(row["chat"]), *questions))


def beam_sessions(batches: Sequence[dict[str, Any]]) -> Iterator[Session]:
    at = datetime(2024, 1, 1, tzinfo=timezone.utc)
    for batch in batches:
        said = []
        for message in (one for turn in batch["turns"] for one in turn):
            at = max(at + MINUTE, beam_time(message.get("time_anchor")) or at)
            if text := MARK.sub("", message["content"]).strip():
                said.append(Said(str(message["id"]), text, at, message["role"]))
        yield Session(f"b{batch['batch_number']}", tuple(said))


def beam_time(text: str | None) -> datetime | None:
    return datetime.strptime(text, "%B-%d-%Y").replace(tzinfo=timezone.utc) + timedelta(hours=9) if text else None


def beam_question(kind: str, row: dict[str, Any]) -> Asked:
    named = row.get("source_chat_ids") or []
    lists = list(named.values()) if isinstance(named, dict) else [named]
    gold = frozenset(str(one) for part in lists for one in (part if isinstance(part, list) else [part]))
    return Asked(row["question"], kind, gold, answerable=kind != "abstention")


STORIES = {
    "locomo": locomo,
    "s500": longmemeval_s500,
    "pool50": longmemeval_pool50,
    "pool": longmemeval_pool,
    "realmem": realmem,
    "prefeval": prefeval,
    "beam": beam,
}

STRANGERS = {"locomo": 20, "s500": 2, "pool50": 2, "pool": 60, "realmem": 20, "prefeval": 60, "beam": 10}
"""So many questions of other people's lives each story is asked."""


def strangers(name: str, number: int) -> list[str]:
    """Questions that the memory of a set's story cannot answer: those of LoCoMo name people it never heard of; LoCoMo
    itself is asked those of LongMemEval. Each story gets its own."""
    questions = questions_of("pool" if name == "locomo" else "locomo")
    return random.Random(f"{name} {number}").sample(questions, STRANGERS[name])


@cache
def questions_of(name: str) -> list[str]:
    return [step.text for story in STORIES[name]() for step in story.steps if isinstance(step, Asked)]
