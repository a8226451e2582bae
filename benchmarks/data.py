"""Where the benchmark data is, and reading it. The data is never part of this repository."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
BESIDE = HERE.parents[1] / "shared" / "data"
CASES = HERE / "cases"


class Absent(LookupError):
    """A data set that is not on this machine."""


def folder() -> Path:
    """The folder of the data sets: what RECOLLECT_DATA names, else ../shared/data beside the checkout."""
    return Path(os.environ.get("RECOLLECT_DATA") or BESIDE)


def find(name: str, file: str) -> Path:
    """The path of one file of a data set; says where it was looked for when it is not there."""
    path = folder() / name / file
    if not path.is_file():
        raise Absent(f"{name} is not here: looked for {path}. Set RECOLLECT_DATA to the folder that has {name}/.")
    return path


def files(name: str, pattern: str) -> list[Path]:
    """All files of a data set whose names match, in order."""
    found = sorted((folder() / name).glob(pattern))
    if not found:
        place = folder() / name / pattern
        raise Absent(f"{name} is not here: looked for {place}. Set RECOLLECT_DATA to the folder that has {name}/.")
    return found


def text(path: Path) -> str:
    """A file's text, unpacked where its name ends in .gz."""
    return gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text(encoding="utf-8")


def one(path: Path) -> Any:
    """The JSON value that the file is."""
    return json.loads(text(path))


def rows(path: Path) -> Iterator[Any]:
    """The JSON values that the lines of the file are."""
    for line in text(path).split("\n"):  # other line breaks, such as U+2028, may stand inside a string
        if line.strip():
            yield json.loads(line)
