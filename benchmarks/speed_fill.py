"""Stores that are filled quickly: made-up sentences, with vectors spread around those of real ones, and with the packed
words of these, where the embedder makes such."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from itertools import compress
from pathlib import Path

import numpy as np
import numpy.typing as npt

from recollect import Fact, Message
from recollect.embed import Embedder, TokenEmbedder
from recollect.records import Source
from recollect.store import Store

Floats = npt.NDArray[np.float32]

PLACES = "Lisbon Porto Rome Oslo Bergen Graz Kyoto Quito Lima Turin Ghent Malmo Leeds Basel Cork Split".split()
THINGS = "kettle bicycle camera violin tent notebook drone easel loom kayak lathe anvil sextant astrolabe".split()
WORDS = "copper velvet autumn harbor marble signal ember willow granite meadow canyon lantern saffron cobalt".split()
CASES = Path(__file__).parent / "cases" / "truth.jsonl"
BATCH = 10_000
SPREAD = 0.7
"""How far a vector lies from the real one it is made from: two of the same have a cosine of about 0.67."""

START = datetime(2026, 1, 1, tzinfo=timezone.utc)


def sentence(random_: random.Random, number: int) -> str:
    """One statement that is one new fact; no two are the same."""
    place, thing, word = random_.choice(PLACES), random_.choice(THINGS), random_.choice(WORDS)
    return random_.choice(
        [
            f"My {word} {thing} {number} is {place} {number}.",
            f"The {word}-{thing}-{number} port is {number}.",
        ]
    )


def questions(random_: random.Random, many: int) -> list[str]:
    """Questions about what `sentence` says; no two are the same."""
    asked = [f"Where is the {word} {thing} of {place}?" for word in WORDS for thing in THINGS for place in PLACES]
    return random_.sample(asked, many)


@dataclass
class Around:
    """Vectors without end, spread around those of real sentences; the same ones in every run."""

    centers: Floats
    tokens: Sequence[bytes] = ()
    """The packed words of the same sentences."""

    def batch(self, owner: int, number: int, many: int) -> tuple[Floats, list[bytes]]:
        """So many vectors of an owner's batch, of length one, and the words of the sentence that each is made from."""
        random_ = np.random.default_rng((owner, number))
        spread = random_.standard_normal((many, self.centers.shape[1]), dtype=np.float32)
        spread *= SPREAD / np.sqrt(self.centers.shape[1])
        places = random_.integers(0, len(self.centers), many)
        spread += self.centers[places]
        spread /= np.linalg.norm(spread, axis=1, keepdims=True)
        return spread, [self.tokens[place] for place in places] if self.tokens else []

    def all(self, owner: int, items: int) -> Floats:
        """All vectors of an owner with so many records."""
        return np.concatenate([self.batch(owner, start, many)[0] for start, many in batches(items)])


def around(embedder: Embedder) -> Around:
    """Vectors spread around those of our own test cases and of made-up sentences."""
    random_ = random.Random(3)
    lines = CASES.read_text(encoding="utf-8").splitlines()
    texts = [said["text"] for line in lines for said in json.loads(line)["said"]]
    texts += [sentence(random_, number) for number in range(len(texts) // 2)]
    if not isinstance(embedder, TokenEmbedder):
        vectors = np.asarray(embedder.embed(texts), dtype=np.float32)
        return Around(vectors[vectors.any(axis=1)])
    vectors, tokens = embedder.embed_tokens(texts)
    full = vectors.any(axis=1)
    return Around(vectors[full], list(compress(tokens, full)))


def batches(items: int) -> Iterator[tuple[int, int]]:
    """Where each batch begins, and how many it has."""
    return ((start, min(BATCH, items - start)) for start in range(0, items, BATCH))


def fill(store: Store, owner: int, items: int, model: str, vectors: Around) -> None:
    """Give an owner so many records, half of them messages and half their facts, by the store's own calls."""
    name = owner_name(owner)
    for start, many in batches(items):
        random_ = random.Random(owner * 1_000_003 + start)
        messages = [_message(name, start + at, sentence(random_, start + at)) for at in range(0, many, 2)]
        facts = [_fact(one) for one in messages[: many // 2]]
        names = [*(one.id for one in messages), *(one.id for one in facts)]
        with store.transaction(name):
            store.save(name, messages)
            store.save(name, facts)
            near, tokens = vectors.batch(owner, start, many)
            packed = dict(zip(names, tokens, strict=True)) if tokens else None
            store.save_vectors(name, model, dict(zip(names, near, strict=True)), packed)
            store.settle(name, [one.id for one in messages])


def ids(items: int) -> list[str]:
    """The ids of an owner's records, in the order of their vectors."""
    found: list[str] = []
    for start, many in batches(items):
        messages = [_message_id(start + at) for at in range(0, many, 2)]
        found += messages + [_fact_id(one) for one in messages[: many // 2]]
    return found


def _message_id(number: int) -> str:
    return f"m_{number:026}"


def _fact_id(message: str) -> str:
    return f"f{message[1:]}"


def owner_name(owner: int) -> str:
    return f"owner-{owner}"


def _message(owner: str, number: int, text: str) -> Message:
    at = START + timedelta(seconds=number)
    return Message(_message_id(number), owner, f"s{number // 50}", "user", text, at, learned=at)


def _fact(message: Message) -> Fact:
    thing = " ".join(message.content.split()[:4]).casefold()
    return Fact(
        id=_fact_id(message.id),
        owner=message.owner,
        subject=thing,
        attribute="place",
        value=message.content.split()[-1],
        text=message.content,
        category="other",
        said=message.at,
        learned=message.at,
        sources=(Source(message.id, message.content),),
    )
