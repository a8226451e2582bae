"""The seam between text and meaning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

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


def open_embedder(which: Embedder | str | None) -> Embedder | None:
    """The embedder itself, or the built-in or installed one of that name; None searches by words alone."""
    if which is None or not isinstance(which, str):
        return which
    if which == "quick":
        from recollect.embedders.quick import QuickEmbedder

        return QuickEmbedder()
    return installed("recollect.embedders", which)  # type: ignore[no-any-return]
