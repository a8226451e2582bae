"""Whether what is asked of one speaker was likely said by others, so that a cautious memory gives nothing."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.records import Fact
from recollect.retrieve.rank import CONSTANTS, LIMITS, Candidate
from recollect.retrieve.signals import Pool, by_assistant, speaker_of


def is_of_another(pool: Pool) -> bool:
    """Whether the question names one of those who spoke, but what it asks for was likely said by others: then nobody
    said it of the one named, and what the others said of themselves is no answer. Only a comparison word by word can
    tell, and what is known as a fact is an answer whoever said it."""
    if not any(one.profile.word_by_word for one in pool.candidates) or any(map(is_asked_fact, pool.candidates)):
        return False
    told = [one for one in pool.candidates if speaker_of(one.record)]
    theirs = [one for one in told if "speaker" in one.strengths]
    others = [one for one in told if "speaker" not in one.strengths and not by_assistant(one)]
    if not others or len({speaker_of(one.record) for one in theirs}) != 1:
        return False
    first = sorted(told, key=lambda one: one.points, reverse=True)[: LIMITS["first_said"]]
    share = sum("speaker" in one.strengths for one in first) / len(first)
    best = max(one.strengths.get("tokens", 0.0) for one in theirs)
    needed = CONSTANTS["of_another"] + CONSTANTS["of_another_first"] * share + CONSTANTS["of_another_best"] * best
    return best_said(others, pool) - best_said(theirs, pool) > needed


def is_asked_fact(candidate: Candidate) -> bool:
    return isinstance(candidate.record, Fact) and candidate.strengths.get("attribute", 0.0) >= CONSTANTS["known"]


def best_said(candidates: Sequence[Candidate], pool: Pool) -> float:
    """How much the best of these messages say of what is asked, with the questions that they answer."""

    def said(one: Candidate) -> float:
        own, before = (each.strengths.get("tokens", 0.0) if each else 0.0 for each in (one, pool.before(one)))
        return own + (CONSTANTS["answered"] * before if "answer" in one.strengths else 0.0)

    best = sorted(map(said, candidates), reverse=True)[: LIMITS["best_said"]]
    return sum(best) / len(best)
