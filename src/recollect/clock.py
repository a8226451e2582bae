"""Time, ids and randomness: everything that makes a run differ from the next one, in one place that tests replace."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timezone

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


def system_time() -> datetime:
    """The present moment, in UTC."""
    return datetime.now(timezone.utc)


@dataclass
class Clock:
    """Gives the time, ids that sort by it, and random marks. Pass `now` and `randomness` to make a run repeatable."""

    now: Callable[[], datetime] = system_time
    randomness: random.Random = field(default_factory=random.SystemRandom)

    def new_id(self, prefix: str) -> str:
        """An id such as `f_01jczq…`: sortable by time, unique across processes."""
        moment = self.now()
        milliseconds = int(moment.timestamp() * 1000) + (1 << 46)  # positive for any year, so that order holds
        return f"{prefix}_{encode(milliseconds, 10)}{encode(self.randomness.getrandbits(40), 8)}"

    def new_mark(self) -> str:
        """A short random word that no stored text can have foreseen."""
        return encode(self.randomness.getrandbits(40), 8)


def encode(number: int, length: int) -> str:
    """The number in `length` letters of an alphabet whose order is the numbers' order."""
    letters = []
    for _ in range(length):
        number, letter = divmod(number, 32)
        letters.append(ALPHABET[letter])
    return "".join(reversed(letters))
