"""An embedder that embeds each text once, also over runs when it has a file; what a question costs stays honest."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from recollect.embed import Embedder, TokenEmbedder, embed_question

Vectors = npt.NDArray[np.float32]
Row = tuple[bytes, bytes]


class Cached:
    """The same vectors as the embedder inside. While `keeping` is off nothing is looked up and nothing kept."""

    def __init__(self, inside: Embedder, path: Path | None = None) -> None:
        self.inside = inside
        self.name, self.dim = inside.name, inside.dim
        self.keeping = True
        self._rows: dict[bytes, Row] = {}
        self._file = sqlite3.connect(path) if path else None
        if self._file:
            self._file.execute("create table if not exists texts (key blob primary key, vector blob, tokens blob)")

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row a text."""
        if not self.keeping:
            return self.inside.embed(texts)
        return vectors_of(self._looked_up(texts), self.dim)

    def embed_question(self, text: str) -> tuple[Vectors, bool]:
        """As the embedder inside reads a question; never kept."""
        return embed_question(self.inside, text)

    def _looked_up(self, texts: Sequence[str]) -> list[Row]:
        keys = [self._key(text) for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if not self._holds(key)}
        if missing:
            rows = dict(zip(missing, self._made(list(missing.values())), strict=True))
            self._rows.update(rows)
            if self._file:
                kept = [(key, *row) for key, row in rows.items()]
                self._file.executemany("insert or replace into texts values (?, ?, ?)", kept)
                self._file.commit()
        return [self._rows[key] for key in keys]

    def _made(self, texts: Sequence[str]) -> list[Row]:
        if isinstance(self.inside, TokenEmbedder):
            vectors, tokens = self.inside.embed_tokens(texts)
        else:
            vectors, tokens = self.inside.embed(texts), [b""] * len(texts)
        return [(row.astype("<f4").tobytes(), packed) for row, packed in zip(vectors, tokens, strict=True)]

    def _holds(self, key: bytes) -> bool:
        if key not in self._rows and self._file:
            found = self._file.execute("select vector, tokens from texts where key = ?", (key,)).fetchone()
            if found:
                self._rows[key] = found
        return key in self._rows

    def _key(self, text: str) -> bytes:
        return hashlib.sha256(f"{self.name}\0{text}".encode(errors="surrogatepass")).digest()


class CachedTokens(Cached):
    """The same for an embedder that also compares word by word."""

    inside: TokenEmbedder

    def embed_tokens(self, texts: Sequence[str]) -> tuple[Vectors, list[bytes]]:
        """One row a text, and its words packed."""
        if not self.keeping:
            return self.inside.embed_tokens(texts)
        rows = self._looked_up(texts)
        return vectors_of(rows, self.dim), [tokens for _, tokens in rows]

    def token_similarity(
        self, question: str, packed: Sequence[bytes], rarity: Callable[[str], float] | None = None
    ) -> Vectors:
        """How well each memory answers the question."""
        return self.inside.token_similarity(question, packed, rarity)


def cached(embedder: Embedder, path: Path | None = None) -> Cached:
    """The embedder with a cache, able to do what it does."""
    return CachedTokens(embedder, path) if isinstance(embedder, TokenEmbedder) else Cached(embedder, path)


def vectors_of(rows: Sequence[Row], dim: int) -> Vectors:
    return np.frombuffer(b"".join(vector for vector, _ in rows), "<f4").reshape(-1, dim).astype(np.float32)
