"""Makes src/recollect/embed/data/manner.json: how questions are put, as each built-in embedder sees it.

    PYTHONPATH=src python tools/make_manner.py

For each kind of question in tools/manner.toml, the direction of the mean of their vectors. Run it again when an
embedder's data changed: the directions are looked up by its fingerprint.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from recollect.embed import open_embedder
from recollect.embed.manner import FILE
from recollect.text import read_toml

QUESTIONS = Path(__file__).with_name("manner.toml")


def main() -> None:
    kinds: dict[str, list[str]] = read_toml(QUESTIONS)
    made: dict[str, dict[str, list[float]]] = {}
    for name in ("minilm", "quick"):
        embedder = open_embedder(name)
        assert embedder is not None
        made[embedder.name] = {kind: direction(embedder.embed(texts)) for kind, texts in kinds.items()}
    FILE.write_text(json.dumps(made, separators=(",", ":")) + "\n", "utf-8")


def direction(vectors: np.ndarray) -> list[float]:
    mean = vectors.mean(0)
    return [round(float(number), 4) for number in mean / np.linalg.norm(mean)]


if __name__ == "__main__":
    main()
