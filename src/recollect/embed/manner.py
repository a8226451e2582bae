"""How a question is put, which is not what it asks for.

Questions resemble each other: "Can you recommend …?" is near to any other request, and so are to it the memories that
happen to sound like one. What they share is a direction of its own in the space of an embedder, and it is taken off
before memories are looked for. There are two kinds: who asks for something that was said, and who requests advice or a
plan. The directions are made from everyday questions by tools/make_manner.py.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from recollect.embed.wordpiece import DATA

Vector = npt.NDArray[np.float32]

FILE = DATA / "manner.json"

CLEARLY = 0.2
"""How much nearer to requests a question must be than to others, to be one."""


class Manner(NamedTuple):
    """The directions of both kinds of questions, each of length one."""

    asked: Vector
    requested: Vector


@lru_cache(maxsize=4)
def read_manner(embedder: str) -> Manner:
    """How questions are put, as the embedder of this name sees it."""
    known = json.loads(FILE.read_text("utf-8"))[embedder]
    return Manner(*(np.array(known[kind], np.float32) for kind in Manner._fields))


def read_question(vector: Vector, manner: Manner) -> tuple[Vector, bool]:
    """A question's vector without the manner of its kind, of length one again, and whether it is a request."""
    asked, requested = float(vector @ manner.asked), float(vector @ manner.requested)
    kind, much = (manner.requested, requested) if requested > asked else (manner.asked, asked)
    rest: Vector = vector - np.float32(much) * kind
    length = np.linalg.norm(rest)
    return (rest / length if length > 0 else vector), requested - asked > CLEARLY
