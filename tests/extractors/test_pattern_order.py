"""Which pattern is tried first is written down, and does not hang on what is imported first."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

import pytest

from recollect.extractors.patterns import ORDER, rows_of

SHOW = """
from recollect.extractors.patterns import BY_VERB
for verb in sorted(BY_VERB):
    print(verb, [one.rest for one in BY_VERB[verb]])
"""


def patterns_after(imports: str) -> str:
    """All patterns by their verbs, in a Python of its own that has imported this first."""
    run = subprocess.run([sys.executable, "-c", imports + SHOW], capture_output=True, text=True, check=True)
    return run.stdout


def test_patterns_stand_in_one_order_whichever_file_is_imported_first() -> None:
    backwards = "\n".join(f"import recollect.extractors.{name}" for name in reversed(ORDER))
    assert patterns_after(backwards) == patterns_after("import recollect.extractors.rules") != ""


def test_the_rules_have_the_patterns_of_every_file_that_is_listed() -> None:
    assert all(find_spec(f"recollect.extractors.{name}") for name in ORDER)
    entered = "import recollect.extractors.rules\nfrom recollect.extractors.patterns import BY_VERB, ORDER\n"
    places = f"{entered}print(sorted({{ORDER[one.place] for rows in BY_VERB.values() for one in rows}}))"
    run = subprocess.run([sys.executable, "-c", places], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == str(sorted(ORDER))


def test_a_file_of_patterns_that_is_not_listed_is_refused() -> None:
    with pytest.raises(LookupError, match=r"patterns\.ORDER"):
        rows_of("recollect.extractors.cooking")
