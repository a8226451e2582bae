"""The seam between text and meaning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

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
