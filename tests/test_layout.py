"""The order to read the code in: a module imports only what stands before it."""

from __future__ import annotations

import ast
from pathlib import Path

import recollect

SOURCE = Path(recollect.__file__).parent
OUTSIDE = ("testing", "integrations", "server", "cli")
PAGE = Path(__file__).parent.parent / "docs" / "how-it-works.md"


def reading_order() -> list[str]:
    """The modules in the order that docs/how-it-works.md lists them."""
    block = PAGE.read_text(encoding="utf-8").split("```reading-order\n")[1].split("```")[0]
    return [line.split()[0] for line in block.splitlines() if line.strip() and not line.startswith("#")]


def module_of(path: Path) -> str:
    """The place of a file in the list: a file by its name, a folder's files by the folder."""
    inside = path.relative_to(SOURCE)
    return inside.parts[0] if len(inside.parts) > 1 else inside.stem


def imported(path: Path) -> set[str]:
    """The modules of ours that a file imports, whatever the form, save for type checking."""
    found: set[str] = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            node.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "recollect":
            parts = node.module.split(".")
            found |= {parts[1]} if len(parts) > 1 else {alias.name for alias in node.names}
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("recollect.")}
    return found


def test_every_module_stands_in_the_reading_order() -> None:
    modules = {module_of(path) for path in SOURCE.rglob("*.py")} - {"__init__", "__main__"}
    assert modules == set(reading_order())


def test_a_module_imports_only_what_stands_before_it() -> None:
    order = reading_order()
    for path in SOURCE.rglob("*.py"):
        module = module_of(path)
        if module in ("__init__", "__main__", *OUTSIDE):
            continue
        allowed = set(order[: order.index(module) + 1])
        strange = {name for name in imported(path) if name in order} - allowed
        assert not strange, f"{module} imports {strange}, which stands after it"


def test_the_outside_uses_only_public_names() -> None:
    for outside in OUTSIDE:
        for path in (SOURCE / outside).rglob("*.py"):
            strange = imported(path) - set(recollect.__all__) - {outside, "server" if outside == "cli" else outside}
            assert not strange, f"{path.name} imports {strange}"


def test_public_names_are_sorted_complete_and_there() -> None:
    assert recollect.__all__ == sorted(recollect.__all__)
    assert all(hasattr(recollect, name) for name in recollect.__all__)
