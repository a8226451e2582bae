"""Embeddings from any endpoint that speaks OpenAI's interface: OpenAI itself, Ollama, vLLM, LiteLLM, a gateway.

Nothing is sent anywhere unless such an embedder was asked for. The official SDK does the talking and the retries; what
it raises arrives as a ModelError that says which endpoint and model failed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np

from recollect.embed import TextCache
from recollect.errors import InvalidInput, MissingDependency, ModelError

if TYPE_CHECKING:
    import numpy.typing as npt

OPENAI = "https://api.openai.com/v1"

TEXTS, CHARACTERS = 256, 200_000
"""The most texts, and about the most characters, of one request; endpoints refuse far more."""

LONGEST = 24_000
"""Characters of one text that are sent: OpenAI's models read 8,191 tokens and refuse more."""

CACHED = 16_000_000
"""Bytes of vectors that are kept of the texts that were embedded last."""


class OpenAIEmbedder:
    """Vectors of one model behind one endpoint."""

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        dimensions: int | None = None,
        timeout: float = 30.0,
    ) -> None:
        """`base_url` and `api_key` are else taken from OPENAI_BASE_URL and OPENAI_API_KEY; `dimensions` asks a model
        that can for shorter vectors."""
        if not isinstance(model, str) or not model.strip():
            raise InvalidInput(f"an embeddings model must be named, not {model!r}: try 'openai:text-embedding-3-small'")
        if dimensions is not None and (isinstance(dimensions, bool) or dimensions < 1):
            raise InvalidInput(f"dimensions must be a positive whole number, not {dimensions!r}")
        self.model = model.strip()
        self.base_url = (base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI).rstrip("/")
        self._key = api_key or os.environ.get("OPENAI_API_KEY")
        self._dimensions, self._timeout = dimensions, timeout
        self._cache: TextCache[npt.NDArray[np.float32]] = TextCache(CACHED, lambda vector: vector.nbytes + 200)
        if self._key is None and self.base_url == OPENAI:
            raise InvalidInput("OpenAI needs a key: set OPENAI_API_KEY, or pass api_key=")

    @cached_property
    def name(self) -> str:
        """The model, the length asked for and where it runs: one name, comparable vectors."""
        size = f"-{self._dimensions}" if self._dimensions else ""
        return f"openai-{self.model}{size}-{sha256(self.base_url.encode()).hexdigest()[:8]}"

    @cached_property
    def dim(self) -> int:
        """How long the vectors are; the endpoint is asked once."""
        return self._dimensions or len(self.embed(["hello"])[0])

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """One row a text, of length one, or all zero where the text is empty."""
        full = [at for at, text in enumerate(texts) if text.strip()]
        found = self._cache.get([texts[at] for at in full], self._ask)
        vectors = np.zeros((len(texts), len(found[0]) if found else self._dimensions or 0), np.float32)
        for at, vector in zip(full, found, strict=True):
            vectors[at] = vector
        return vectors

    def __repr__(self) -> str:
        return f"OpenAIEmbedder({self.model!r}, base_url={self.base_url!r})"

    @cached_property
    def _client(self) -> Any:
        try:
            from openai import OpenAI
        except ImportError as error:
            raise MissingDependency("the OpenAI SDK is not installed: pip install 'recollect[openai]'") from error
        # A server of one's own usually wants no key, but the SDK wants one to send.
        return OpenAI(api_key=self._key or "none", base_url=self.base_url, timeout=self._timeout, max_retries=3)

    def _ask(self, texts: list[str]) -> list[npt.NDArray[np.float32]]:
        return [vector for batch in _batches([text[:LONGEST] for text in texts]) for vector in self._request(batch)]

    def _request(self, texts: list[str]) -> list[npt.NDArray[np.float32]]:
        settings = {"dimensions": self._dimensions} if self._dimensions else {}
        client = self._client
        try:
            answer = client.embeddings.create(model=self.model, input=texts, encoding_format="float", **settings)
            rows = [item.embedding for item in sorted(answer.data, key=lambda item: item.index)]
            vectors = np.array(rows, np.float32)
        except Exception as error:  # The SDK's own tree, and whatever an endpoint's odd answer makes it raise.
            raise ModelError(f"{self.model!r} at {self.base_url} gave no embeddings: {error}") from error
        if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
            raise ModelError(
                f"{self.model!r} at {self.base_url} gave embeddings of shape {vectors.shape} for {len(texts)} texts, "
                "or some that are no numbers: is it an embeddings model?"
            )
        return list(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12))


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """The texts, as many at a time as one request takes."""
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and (len(batch) == TEXTS or size + len(text) > CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield batch
