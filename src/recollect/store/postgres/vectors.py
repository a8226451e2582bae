"""Vectors on their way to and from pgvector, as the half-precision numbers it keeps, in its binary form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from psycopg import Connection
from psycopg.adapt import Buffer, Dumper
from psycopg.pq import Format

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Halfvec:
    """One vector, for a statement."""

    vector: Floats


@dataclass(frozen=True, slots=True)
class Halfvecs:
    """Several vectors of one length, a row each, for one statement."""

    rows: Floats


def unit(vector: Floats) -> Floats:
    """The vector brought to length one, so that its inner product is its cosine."""
    length = np.linalg.norm(vector.astype(np.float64))
    return (vector / length).astype(np.float32) if length else vector


def halfvec_types(connection: Connection[Any]) -> tuple[int, int]:
    """The numbers that this database gave to the types halfvec and halfvec[]."""
    row = connection.execute("select oid, typarray from pg_type where typname = 'halfvec'").fetchone()
    return (int(row[0]), int(row[1])) if row else (0, 0)


def register(connection: Connection[Any], types: tuple[int, int]) -> None:
    """Teach a connection to send vectors."""
    one, many = types

    class HalfvecDumper(Dumper):
        format = Format.BINARY
        oid = one

        def dump(self, obj: Halfvec) -> Buffer:
            return _binary(obj.vector[None, :])[4:]

    class HalfvecsDumper(Dumper):
        format = Format.BINARY
        oid = many

        def dump(self, obj: Halfvecs) -> Buffer:
            head: bytes = np.array([1, 0, one, len(obj.rows), 1], dtype=">i4").tobytes()
            return head + _binary(obj.rows)

    connection.adapters.register_dumper(Halfvec, HalfvecDumper)
    connection.adapters.register_dumper(Halfvecs, HalfvecsDumper)


def _binary(rows: Floats) -> bytes:
    """Each vector as its length in bytes, its number of numbers, two bytes of nothing, and the numbers."""
    dim = rows.shape[1]
    packed = np.zeros(len(rows), dtype=[("bytes", ">i4"), ("dim", ">i2"), ("unused", ">i2"), ("values", ">f2", (dim,))])
    packed["bytes"], packed["dim"], packed["values"] = 4 + 2 * dim, dim, rows
    content: bytes = packed.tobytes()
    return content


def from_binary(content: bytes) -> Floats:
    """A vector as pgvector sent it."""
    return np.frombuffer(content, dtype=">f2", offset=4).astype(np.float32)
