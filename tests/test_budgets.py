"""Budgets of the package: each number may only be lowered. Where a change goes over one, delete something first.

`PYTHONPATH=src python -m tests.test_budgets` prints what each is now: lower the number here when it has fallen.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

import recollect
from recollect import Memory
from recollect.store import Store

from .test_layout import SOURCE, imported, layer_of, modules

BUDGETS = {
    "lines of Python": 30_310,
    "files": 165,
    "lines of the core": 21_040,
    "files of the core": 106,
    "lines that explain the product": 4_390,
    "names at the top of modules": 2_615,
    "longest chain of imports": 18,
    "methods of Store": 20,
    "public names": 16,
    "files that adding a statement passes": 44,
    "files that adding small talk passes": 30,
    "files that a search passes": 29,
}
EXPLAINS = ("records", "facts.", "write", "save", "retrieve.", "memory")
"""How the names of the files begin that explain the product."""


def lines_of(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def names_in(path: Path) -> set[str]:
    """What a module defines at its top."""
    found: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found |= {one.id for target in node.targets for one in ast.walk(target) if isinstance(one, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return found


def longest_chain() -> int:
    """How many modules import each other one after the other, at most."""
    files = {module.removesuffix(".__init__"): path for module, path in modules()}
    edges = {module: {other for other in imported(path) if other in files} for module, path in files.items()}
    depths: dict[str, int] = {}

    def depth(module: str, above: tuple[str, ...]) -> int:
        if module in above:
            return 0
        if module not in depths:
            depths[module] = 1 + max((depth(other, (*above, module)) for other in edges[module]), default=0)
        return depths[module]

    return max(depth(module, ()) for module in files)


def files_passed(work: Callable[[], object]) -> int:
    """How many of our files run while something is done."""
    passed: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            passed.add(frame.f_code.co_filename)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return sum(Path(name).is_relative_to(SOURCE) for name in passed)


def walks() -> dict[str, int]:
    """The files that verbs pass in a memory that is warm."""
    with Memory(":memory:", embedder="quick") as memory:
        memory.add("I live in Lisbon.")
        memory.search("Where do I live?")
        return {
            "files that adding a statement passes": files_passed(lambda: memory.add("I moved to Porto in May.")),
            "files that adding small talk passes": files_passed(lambda: memory.add("Thanks, sounds good!")),
            "files that a search passes": files_passed(lambda: memory.search("Where do I live?")),
        }


def measured() -> dict[str, int]:
    """What each budget counts, as it is now."""
    files = dict(modules())
    core = {module: path for module, path in files.items() if layer_of(module) != "outside"}
    explaining = [path for module, path in core.items() if module.startswith(EXPLAINS)]
    return {
        "lines of Python": sum(map(lines_of, SOURCE.rglob("*.py"))),
        "files": len(list(SOURCE.rglob("*.py"))),
        "lines of the core": sum(map(lines_of, core.values())),
        "files of the core": len(core),
        "lines that explain the product": sum(map(lines_of, explaining)),
        "names at the top of modules": sum(len(names_in(path)) for path in files.values()),
        "longest chain of imports": longest_chain(),
        "methods of Store": len({name for kind in Store.__mro__ for name in vars(kind) if name[0] != "_"}),
        "public names": len(recollect.__all__),
        **walks(),
    }


@pytest.fixture(scope="module")
def now() -> dict[str, int]:
    return measured()


@pytest.mark.parametrize("name", BUDGETS)
def test_the_package_keeps_its_budget(name: str, now: dict[str, int]) -> None:
    assert now[name] <= BUDGETS[name], f"{name}: {now[name]:,}, {BUDGETS[name]:,} are allowed; delete before you add"


if __name__ == "__main__":
    for name, count in measured().items():
        print(f"{count:>7,}  of {BUDGETS[name]:>7,}  {name}")
