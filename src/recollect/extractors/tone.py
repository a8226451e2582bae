"""How a message is meant: sighs and mockery say the opposite of what they state."""

from __future__ import annotations

import re

from recollect.extractors.keywords import has_any
from recollect.text.values import word_set

_BITTER = re.compile(
    r"(?i)(?:^|[.!]\s+)(?:oh,? |ah,? |well,? )?(?:great|joy|fantastic|wonderful|perfect|lovely|yay|brilliant|fabulous|"
    r"terrific|just what i needed)[,.!]* (?:another|yet another|more|just what|now|one more|again|the|"
    r"i (?:just |really |so )*(?:love|enjoy|adore))\b|"
    r"(?:^|[.!,]\s+)(?:oh |yeah |well )*(?:sure|yeah|right|of course|obviously|totally),? (?:because )?(?:i|we) "
    r"(?:just |absolutely |totally |really |so )+(?:love|adore|enjoy)\b|"
    r"\bjust what i (?:needed|wanted)\b|\b(?:yeah|sure|oh) right\b|🙄|/s\b"
)


_BITTER_WORDS = word_set(
    "great joy fantastic wonderful perfect lovely yay brilliant fabulous terrific just right s sure yeah obviously "
    "totally course"
)


_MOCKING = re.compile(
    r"(?i)^(?:oh|ah|yeah|well|ha)?,? ?(?:oh (?:sure|great)|yeah right|sure,? (?:because|cause|and)|"
    r"(?:yeah|yes),? (?:right|sure|of course),? (?:because|and|i'm|our|my|the|like)|as if)\b"
)


def mocking(text: str) -> bool:
    """Whether a message opens like one that means the opposite: "Oh sure, our monolith is a paragon of clean code"."""
    return text[:1] in "OoAaYyWwHhSs" and _MOCKING.match(text) is not None


def sarcastic(text: str) -> bool:
    """Whether someone sighs: "Oh great, another outage". What they love then is no taste of theirs."""
    return ("🙄" in text or has_any(text, _BITTER_WORDS)) and _BITTER.search(text) is not None
