"""The seam between text and meaning."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from threading import Lock
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar, runtime_checkable

from recollect.plugins import installed

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    @property
    def name(self) -> str:
        """A fingerprint: two embedders with one name give comparable vectors, others never do."""
        ...

    @property
    def dim(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """One row a text, each of length one, or all zero where the text has nothing to embed."""
        ...


@runtime_checkable
class TokenEmbedder(Protocol):
    """What an embedder may have besides: comparing a question with a memory word by word ("late interaction").

    An embedder without these two methods is used as before. Only they are looked for, since `isinstance` may read what
    a protocol names, and to read the `dim` of a remote embedder is to ask it.
    """

    def embed_tokens(self, texts: Sequence[str]) -> tuple[npt.NDArray[np.float32], list[bytes]]:
        """What `embed` gives, and for each text the vectors of its words packed into bytes (empty where it has
        none), to be kept beside the vector under the same fingerprint. One run of the model makes both."""
        ...

    def token_similarity(
        self, question: str, packed: Sequence[bytes], rarity: Callable[[str], float] | None = None
    ) -> npt.NDArray[np.float32]:
        """How well each memory answers the question, from its packed words: 0 for one without words, up to 1.

        `rarity` says how much a word of the question (lower case, no accents) counts, such as its IDF among the
        owner's memories; without it all words count alike.
        """
        ...


@runtime_checkable
class QuestionEmbedder(Protocol):
    """What an embedder may have besides: reading a question otherwise than a memory."""

    def embed_question(self, text: str) -> tuple[npt.NDArray[np.float32], bool]:
        """The vector to look for memories with, and whether the text requests advice or a plan, rather than asks for
        what was said."""
        ...


def embed_question(embedder: Embedder, text: str) -> tuple[npt.NDArray[np.float32], bool]:
    """The vector of a question, and whether it is a request, as far as the embedder can tell."""
    if isinstance(embedder, QuestionEmbedder):
        return embedder.embed_question(text)
    (vector,) = embedder.embed([text])
    return vector, False


def open_embedder(which: Embedder | str | None) -> Embedder | None:
    """The embedder itself, or the built-in or installed one of that name; None searches by words alone.

    Names: "quick", "minilm", "openai:MODEL", or what a package offers as entry point `recollect.embedders`.
    """
    if which is None or not isinstance(which, str):
        return which
    if which == "quick":
        from recollect.embed.quick import QuickEmbedder

        return QuickEmbedder()
    if which == "minilm":
        from recollect.embed.minilm import MiniLMEmbedder

        return MiniLMEmbedder()
    if which.startswith("openai:"):
        from recollect.embed.openai import OpenAIEmbedder

        return OpenAIEmbedder(which.removeprefix("openai:"))
    return installed("recollect.embedders", which)  # type: ignore[no-any-return]


Kept = TypeVar("Kept")
Item = TypeVar("Item")


class TextCache(Generic[Kept]):
    """What texts were turned into, by their hashes: up to so many bytes, of which what was used last stays."""

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


def batches(items: Iterable[Item], size: Callable[[Item], int], enough: int) -> Iterator[list[Item]]:
    """The items in order, as many together as have this size."""
    batch, total = list[Item](), 0
    for item in items:
        batch.append(item)
        total += size(item)
        if total >= enough:
            yield batch
            batch, total = [], 0
    if batch:
        yield batch
