"""What redaction leaves alone and what it finds: ordinary ids that must stay, and published examples of secrets.

    PYTHONPATH=src python benchmarks/redaction.py [--many 20000] [--list]

Left alone: of generated ids, hashes, base64, signatures, wallets and booking codes, each in a sentence and under a
name, as they stand in payloads. Found: of the examples in the `secrets` data (RECOLLECT_DATA, or ../shared/data), all,
and those with a provider's prefix or another form that is known. `--list` names what was taken by mistake.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import json
import random
import string
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import data

from recollect.text.redact import redact

SEED = 7
BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
ALPHANUMERIC = string.ascii_letters + string.digits
CODE = string.ascii_uppercase + string.digits
NAMES = ("id", "booking", "next_token", "cursor", "signature", "sha256", "wallet", "etag", "upload", "order", "digest")


def letters(chance: random.Random, alphabet: str, many: int) -> str:
    return "".join(chance.choices(alphabet, k=many))


KINDS: dict[str, Callable[[random.Random], str]] = {
    "UUID": lambda chance: str(uuid.UUID(bytes=chance.randbytes(16), version=4)),
    "hash": lambda chance: chance.randbytes(chance.choice([16, 20, 32, 64])).hex(),
    "base64": lambda chance: base64.b64encode(chance.randbytes(chance.randint(12, 64))).decode(),
    "base64 for URLs": lambda chance: base64.urlsafe_b64encode(chance.randbytes(chance.randint(12, 64))).decode(),
    "signature": lambda chance: base64.b64encode(bytes([48, 69, 2]) + chance.randbytes(68)).decode(),
    "Ethereum": lambda chance: "0x" + chance.randbytes(20).hex(),
    "Bitcoin": lambda chance: "1" + letters(chance, BASE58, 33),
    "Bitcoin, new": lambda chance: "bc1q" + letters(chance, BECH32, 38),
    "Solana": lambda chance: letters(chance, BASE58, 44),
    "booking": lambda chance: letters(chance, CODE, 6),
    "file": lambda chance: "file-" + letters(chance, ALPHANUMERIC, 24),
    "object": lambda chance: chance.choice(["cus_", "pi_", "evt_", "msg_", "run-"]) + letters(chance, ALPHANUMERIC, 24),
    "call": lambda chance: chance.choice(["call_", "toolu_"]) + letters(chance, ALPHANUMERIC, 24),
    "number": lambda chance: letters(chance, string.digits, chance.randint(6, 19)),
    "tracking": lambda chance: "1Z" + letters(chance, CODE, 16),
}


def ordinary(many: int) -> Iterator[tuple[str, str]]:
    """So many ids with their kinds, in turn."""
    chance, kinds = random.Random(SEED), list(KINDS)
    for place in range(many):
        kind = kinds[place % len(kinds)]
        yield kind, KINDS[kind](chance)


def texts_of(one: str, place: int) -> tuple[str, str]:
    """An id as it is told, and as it stands under a name."""
    name = NAMES[place % len(NAMES)]
    return f"The {name} is {one}.", json.dumps({name: one})


def is_taken(one: str, place: int) -> bool:
    return any(one not in redact(text)[0] for text in texts_of(one, place))


def taken(many: int) -> list[tuple[str, str]]:
    """Of so many ids those that redaction changes, with their kinds."""
    return [(kind, one) for place, (kind, one) in enumerate(ordinary(many)) if is_taken(one, place)]


def secrets(path: Path) -> list[str]:
    """The published examples that are secrets."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [row["text"] for row in rows if row["label"]]


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--many", type=int, default=20_000)
    options.add_argument("--list", action="store_true")
    asked = options.parse_args()
    wrong = taken(asked.many)
    print(f"left alone: {asked.many - len(wrong)} of {asked.many} ordinary ids ({1 - len(wrong) / asked.many:.2%})")
    for kind, one in wrong if asked.list else ():
        print(f"  {kind}: {one}")
    try:
        examples = secrets(data.find("secrets", "secret_examples.jsonl.gz"))
    except data.Absent as error:
        print(error)
        return 0
    kinds = [redact(text)[1] for text in examples]
    known = [found for found in kinds if set(found) - {"secret"}]
    print(f"found: {sum(map(bool, kinds))} of {len(kinds)} secrets, {len(known)} by a form of their own")
    return 0


if __name__ == "__main__":
    sys.exit(main())
