"""Time, ids and randomness: everything that makes a run differ from the next one, in one place that tests replace."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timezone
from functools import lru_cache, partial
from itertools import product

RANDOM_BITS = 40
PAIRS = [first + second for first, second in product("0123456789abcdefghjkmnpqrstvwxyz", repeat=2)]


system_time = partial(datetime.now, timezone.utc)
"""The present moment, in UTC."""


@dataclass
class Clock:
    """Gives the time, ids that sort by it, and random marks. Pass `now` and `randomness` to make a run repeatable."""

    now: Callable[[], datetime] = system_time
    randomness: random.Random = field(default_factory=random.SystemRandom)
    _last: int = field(default=0, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def new_id(self, prefix: str) -> str:
        """An id such as `f_01jczq…`: sortable by time and, within this object, by the order of asking."""
        milliseconds = int(self.now().timestamp() * 1000) + (1 << 46)  # positive for any year, so that order holds
        with self._lock:
            if milliseconds > self._last >> RANDOM_BITS:
                self._last = milliseconds << RANDOM_BITS | self.randomness.getrandbits(RANDOM_BITS)
            else:  # Within one millisecond, and when the clock steps back, the last id is counted on.
                self._last += 1
            number = self._last
        return f"{prefix}_{_first_letters(number >> 20)}{PAIRS[number >> 10 & 1023]}{PAIRS[number & 1023]}"

    def new_mark(self) -> str:
        """A short random word that no stored text can have foreseen."""
        return encode(self.randomness.getrandbits(40), 8)


@lru_cache(maxsize=16)
def _first_letters(number: int) -> str:
    """All of an id's letters but the last four, which alone differ between ids of one moment."""
    return encode(number, 14)


def encode(number: int, length: int) -> str:
    """The number in `length` letters of an alphabet whose order is the numbers' order."""
    return "".join([PAIRS[number >> shift & 1023] for shift in range(5 * length - 10, -1, -10)])
