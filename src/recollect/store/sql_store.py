"""What both stores do alike: they read through a `Reader`, and write in a transaction of their own making."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from recollect.store import EVERYTHING, Counts, KeptAnswer, Query
from recollect.store.erasing import erase, save_answer, save_erasure
from recollect.store.reading import Reader
from recollect.store.rows import kind_of, own_fields

Record = TypeVar("Record")
R = TypeVar("R")


class SQLStore:
    """A store whose engine speaks SQL."""

    _writing: Any
    """The module that writes to it: `save`, `settle`, `save_vectors` and `forget`."""

    def _read(self, owner: str, work: Callable[[Reader], R]) -> R:
        """What is read of an owner."""
        raise NotImplementedError

    def _save(self, owner: str, work: Callable[[Any], R]) -> R:
        """What is done in the open transaction, or in one of its own."""
        raise NotImplementedError

    def _keep(self, owner: str, work: Callable[[Reader], None]) -> None:
        """The same for what is no record of the owner."""
        raise NotImplementedError

    def _inside(self, transaction: Any, owner: str) -> Reader:
        """The owner's rows inside a transaction."""
        raise NotImplementedError

    def save(self, owner: str, records: Sequence[Any]) -> None:
        if not records:
            return
        if (kind := kind_of(records)) is KeptAnswer:
            for answer in records:
                self._keep(owner, partial(save_answer, answer=answer))
            return
        fields = own_fields(owner, kind, records)
        self._save(owner, lambda transaction: self._writing.save(transaction, owner, kind, fields))

    def settle(self, owner: str, messages: Sequence[str], failed: Sequence[str] = ()) -> None:
        if messages or failed:
            self._save(owner, lambda transaction: self._writing.settle(transaction, owner, messages, failed))

    def read(self, owner: str, kind: type[Record], query: Query = EVERYTHING) -> list[Record]:
        return self._read(owner, lambda own: own.read(kind, query))

    def save_vectors(
        self,
        owner: str,
        model: str,
        vectors: Mapping[str, npt.NDArray[np.float32]],
        tokens: Mapping[str, bytes] | None = None,
    ) -> None:
        if vectors:
            rows = vectors, tokens or {}
            self._save(owner, lambda transaction: self._writing.save_vectors(transaction, owner, model, *rows))

    def vectors(self, owner: str, model: str, ids: Sequence[str]) -> dict[str, npt.NDArray[np.float32]]:
        return self._read(owner, lambda own: own.vectors(model, ids))

    def tokens(self, owner: str, model: str, ids: Sequence[str]) -> dict[str, bytes]:
        return self._read(owner, lambda own: own.tokens(model, ids))

    def without_vectors(self, owner: str, model: str, *, limit: int) -> list[tuple[str, str]]:
        return self._read(owner, lambda own: own.without_vectors(model, limit))

    def counts(self, owner: str, *, holding: datetime | None = None) -> Counts:
        return self._read(owner, lambda own: own.counts(holding))

    def erase(
        self, owner: str, ids: Sequence[str], *, request: str = "", at: datetime | None = None, model: str = ""
    ) -> Counts:
        def work(transaction: Any) -> Counts:
            own, counts = self._inside(transaction, owner), Counts()
            self._writing.forget(transaction, owner, ids)
            if ids:
                counts = erase(own, ids)
            if model:
                dropped = own.changed(own.DROP_VECTORS, own.bounds | {"model": model})
                counts = replace(counts, vectors=counts.vectors + dropped)
            if request and at is not None:
                save_erasure(own, request, at, counts)
            return counts

        return self._save(owner, work) if ids or model else Counts()
