"""What is remembered, as one would say it to its owner: "You prefer window seats. You said so on 3 May."."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from recollect import Fact, Hit, Memory, Message, Note

IRREGULAR = {"is": "are", "has": "have", "was": "were", "does": "do", "goes": "go"}
ADVERBS = frozenset("always usually often never sometimes rarely really also still only".split())
NOUN_IS = re.compile(r"^(?:\S+ ){1,4}?(?:is|are|include|includes)\b")
QUESTION = re.compile(
    r"(?i)^(?:and |so |but |ok,? |hey,? )?(?:who|whom|whose|what|when|where|which|why|how|do|does|did|am|is|are|was|"
    r"were|can|could|should|would|will|have|has|tell me|remind me)\b"
)
GOOD_TOO = 0.75
"""A hit is told too when it is almost as good as the best."""
MOST_TOLD = 3
UNKNOWN = "I do not know: you have not told me."


def question_in(line: str) -> str | None:
    """What a line asks, if it asks: its last sentence."""
    last = re.split(r"(?<=[.!?])\s+", line.strip())[-1]
    return last if last.endswith("?") or QUESTION.match(last) else None


def answer(memory: Memory, question: str) -> list[str]:
    """What is remembered about a question, best first, each with who said so and when."""
    hits = [hit for hit in memory.search(question, limit=8) if not is_question(hit)]
    good = [hit for hit in hits if hit.score >= hits[0].score * GOOD_TOO and is_first(hit, hits)]
    return [told(hit, memory.tick()) for hit in good[:MOST_TOLD]] or [UNKNOWN]


def is_question(hit: Hit) -> bool:
    """Whether only a question was found, which answers none."""
    return isinstance(hit.record, Message) and question_in(hit.record.content) is not None


def is_first(hit: Hit, hits: Sequence[Hit]) -> bool:
    """Messages are told only where no fact was found."""
    return isinstance(hit.record, Fact) or not any(isinstance(one.record, Fact) for one in hits)


def told(hit: Hit, now: datetime) -> str:
    """One hit as a sentence or two."""
    record = hit.record
    if isinstance(record, Note):
        return f"There is a note {record.path}: {' '.join(record.text.split())[:300]}"
    if isinstance(record, Message):
        who = f"{record.name or 'you'} said" if record.origin == "user" else f"the {record.origin} said"
        words = " ".join(record.content.split())[:300]
        over = " That is no longer so." if hit.ended else ""
        return f"On {day(record.at, now)} {who}: “{words}”{'' if words.endswith(('.', '!', '?')) else '.'}{over}"
    doubt = f" But it contradicts “{hit.dispute.text}”." if hit.dispute else ""
    return f"{statement(record)} {said_by(record, now)}{doubt}"


def said_by(fact: Fact, now: datetime) -> str:
    """Who said so, and when."""
    when = day(fact.said, now)
    if fact.origin == "user":
        return f"You said so on {when}."
    return f"That was noted by the {fact.origin} on {when}, not said by you."


def statement(fact: Fact) -> str:
    """A fact as one says it to the owner."""
    text = fact.text
    if fact.subject == "user":
        text = f"Your {text}" if NOUN_IS.match(text) and not is_verb(text.split()[0]) else f"You {second_person(text)}"
    elif fact.subject.islower() and text.startswith(fact.subject):
        text = f"Your {text}"
    elif fact.subject not in text:
        text = f"{fact.subject}: {text}"
    return text[:1].upper() + text[1:].rstrip(".") + "."


def is_verb(word: str) -> bool:
    return word in IRREGULAR or word in ADVERBS


def second_person(text: str) -> str:
    """The predicate for "you": "lives in Porto" becomes "live in Porto"."""
    first, _, rest = text.partition(" ")
    if first in ADVERBS:
        return f"{first} {second_person(rest)}"
    return f"{IRREGULAR.get(first) or plain_verb(first)} {rest}".strip()


def plain_verb(verb: str) -> str:
    if re.search(r"[^aeiou]ies$", verb):
        return verb[:-3] + "y"
    if re.search(r"(?:ch|sh|ss|x|zz|o)es$", verb):
        return verb[:-2]
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb


def day(moment: datetime, now: datetime) -> str:
    """A day as one says it, with the year where it is another one."""
    return f"{moment.day} {moment:%B}" + ("" if moment.year == now.year else f" {moment.year}")
