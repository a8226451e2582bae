"""Remarks that sound like the end of something and end nothing."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

from recollect import Memory

tomllib = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")

TABLE = tomllib.loads((Path(__file__).parent / "remarks.toml").read_text(encoding="utf-8"))
REMARKS = {remark: known for known, remark in TABLE["remarks"]}


@pytest.mark.parametrize("remark", REMARKS)
def test_a_remark_ends_nothing_that_is_known(remark: str) -> None:
    with Memory(":memory:", owner="ana", embedder=None) as memory:
        memory.add(REMARKS[remark])
        known = {(fact.subject, fact.attribute, fact.value) for fact in memory.facts()}
        memory.add(remark)
        assert known
        assert known <= {(fact.subject, fact.attribute, fact.value) for fact in memory.facts()}
