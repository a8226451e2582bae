"""What a text was turned into, kept by the text's hash: as much as fits, what was used last stays."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from hashlib import blake2b
from threading import Lock
from typing import Generic, TypeVar

Kept = TypeVar("Kept")


class TextCache(Generic[Kept]):
    """Values by text, up to so many bytes; the texts themselves are not kept."""

    def __init__(self, limit: int, size: Callable[[Kept], int]) -> None:
        self._limit, self._size = limit, size
        self._values: OrderedDict[bytes, Kept] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def get(self, texts: Sequence[str], make: Callable[[list[str]], Sequence[Kept]]) -> list[Kept]:
        """The value of each text, where `make` gives those that are missing, all at once and each only once."""
        keys = [blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest() for text in texts]
        known = self._look_up(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            fresh = dict(zip(missing, make(list(missing.values())), strict=True))
            self._keep(fresh)
            known |= fresh
        return [known[key] for key in keys]

    def _look_up(self, keys: Sequence[bytes]) -> dict[bytes, Kept]:
        with self._lock:
            found = {key: self._values[key] for key in keys if key in self._values}
            for key in found:
                self._values.move_to_end(key)
            return found

    def _keep(self, fresh: dict[bytes, Kept]) -> None:
        with self._lock:
            for key, value in fresh.items():
                if key not in self._values:
                    self._values[key] = value
                    self._bytes += self._size(value)
            while self._bytes > self._limit:
                self._bytes -= self._size(self._values.popitem(last=False)[1])
