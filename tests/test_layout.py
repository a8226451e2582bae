"""The order of the folders: a folder imports from those above it and never back; the outside uses public names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import recollect

SOURCE = Path(recollect.__file__).parent
FIRST = {"errors", "records", "clock", "plugins", "serialize"}
"""Files at the top that every folder may use."""
FOLDERS = ["text", "facts", "store", "embed", "chat", "reader", "retrieve"]
"""What `runtime` holds, and what reads it, stands after the readers; all other files at the top stand after folders."""
OUTSIDE = {"agent", "client", "server", "cli", "integrations", "testing"}
ORDER = ["first", *FOLDERS[:-1], "runtime", "retrieve", "verbs", "outside"]


def layer_of(module: str) -> str:
    """The place of a module in the order: of "facts.resolve" it is "facts".

    >>> layer_of("search")
    'verbs'
    """
    top = module.split(".")[0]
    if top in FIRST:
        return "first"
    if top in OUTSIDE:
        return "outside"
    return top if top in ORDER else "verbs"


def imported(path: Path) -> Iterator[str]:
    """The modules of ours that a file imports, whatever the form, save for type checking."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            node.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "recollect":
            inside = (node.module or "").partition(".")[2]
            yield from [inside] if inside else [alias.name for alias in node.names if is_module(alias.name)]


def is_module(name: str) -> bool:
    return (SOURCE / name).is_dir() or (SOURCE / f"{name}.py").exists()


def modules() -> Iterator[tuple[str, Path]]:
    """Every module but the package itself and its command, with its file."""
    for path in sorted(SOURCE.rglob("*.py")):
        module = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
        if module not in ("__init__", "__main__"):
            yield module, path


def test_a_module_imports_only_from_its_layer_and_those_above() -> None:
    place = {name: place for place, name in enumerate(ORDER)}
    back = [
        f"{module} imports {other}"
        for module, path in modules()
        for other in imported(path)
        if place[layer_of(other)] > place[layer_of(module)]
    ]
    assert not back


def test_the_page_names_every_folder_in_this_order() -> None:
    page = (Path(__file__).parent.parent / "docs" / "how-it-works.md").read_text(encoding="utf-8")
    assert all(f"{folder}/" in page for folder in [*FOLDERS, *OUTSIDE])


def test_public_names_are_sorted_complete_and_there() -> None:
    assert recollect.__all__ == sorted(recollect.__all__)
    assert all(hasattr(recollect, name) for name in recollect.__all__)
