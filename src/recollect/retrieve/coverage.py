"""Whether some texts say all that another one says, its numbers, names and negations too. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from recollect.records import Fact, Message
from recollect.text.words import is_stop_word, split, stem

LIMITING = frozenset("not no nor without only if cannot before after until under over off".split())
"""Stop words that change what is said: without them "not after 10" would be covered by "10"."""

LONGER = 4
"""A text so many times as long as what is to cover it says more, whatever its words are."""

SHORT = 200
"""So many characters are compared in any case."""


def content(text: str) -> frozenset[str]:
    """The stems of the words that say something: "I don't eat meat" -> {"not", "eat", "meat"}."""
    written = {word.lower() for word in re.findall(r"\b[A-Z]{2,}\b", text)}  # "US" is no pronoun
    words = {"not" if word.endswith("nt") and is_stop_word(word) else word for word in split(text)}
    return frozenset(stem(word) for word in words if word in LIMITING or word in written or not is_stop_word(word))


def says_all(texts: Iterable[str], of: str) -> bool:
    """Whether every word of a text that says something is in one of these."""
    told = list(texts)
    if len(of) > LONGER * sum(map(len, told)) + SHORT:
        return False
    return content(of) <= frozenset[str]().union(*map(content, told))


def stands_for(fact: Fact, message: Message, told: Sequence[Fact]) -> bool:
    """Whether a fact may be shown without the message that it comes from: it says all of the words it was read from,
    and the facts that were `told` by that message say the rest."""
    quotes = [source.quote for source in fact.sources if source.message == message.id]
    read = all(says_all([fact.text], quote) for quote in quotes)
    return read and says_all([fact.text, *(one.text for one in told)], message.content)
