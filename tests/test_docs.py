"""Docs are tested: every example runs as printed, every link leads somewhere, every verb and option is explained."""

from __future__ import annotations

import ast
import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import textwrap
import tokenize
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import typer

import recollect
from recollect import Agent, AsyncAgent, AsyncMemory, Memory, Session
from recollect.cli import command_line
from recollect.notes import Notes
from tests.providers import Server, environment
from tests.providers.companion import companion

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
README = ROOT / "README.md"
PAGES = [README, *sorted(DOCS.glob("*.md"))]
MARK = "# -> "
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHARED_OPTIONS = {"--owner", "-o", "--db", "--json", "--help", "-h"}
"""Every command has these; they are explained once."""


@dataclass(frozen=True)
class Block:
    """One fenced block of a page."""

    kind: str
    text: str
    line: int
    """The line of the page that the block's first line stands on."""
    adjoins: bool
    """Whether nothing but blank lines stands between the block before and this one."""


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    found, end = list[Block](), 0
    for match in BLOCK.finditer(text):
        adjoins = bool(found) and not text[end : match.start()].strip()
        found.append(Block(match[1], match[2], text.count("\n", 0, match.start(2)) + 1, adjoins))
        end = match.end()
    return found


def same(shown: str, got: str) -> bool:
    """Whether a line is as it was printed; `…` stands for anything."""
    pattern = ".*?".join(re.escape(part) for part in shown.split("…"))
    return re.fullmatch(pattern, got, re.DOTALL) is not None


# Python


class Checks(ast.NodeTransformer):
    """Makes a check of every expression whose line ends with the value it gives."""

    def __init__(self, source: str) -> None:
        tokens = tokenize.generate_tokens(io.StringIO(source).readline)
        comments = [token for token in tokens if token.type == tokenize.COMMENT and token.string.startswith(MARK)]
        self.expected = {token.start[0]: token.string[len(MARK) :].strip() for token in comments}
        self.left = set(self.expected)

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        line = node.end_lineno or 0
        if line not in self.expected:
            return self.generic_visit(node)
        self.left.discard(line)
        place = [ast.Constant(line), ast.Constant(self.expected[line])]
        if isinstance(node.value, ast.Call) and getattr(node.value.func, "id", "") == "print":
            checker = ast.Call(ast.Name("_printed", ast.Load()), place, [])
            call = ast.Call(checker, node.value.args, node.value.keywords)
        else:
            call = ast.Call(ast.Name("_gave", ast.Load()), [*place, node.value], [])
        return ast.copy_location(ast.Expr(call), node)


def run_python(block: Block, namespace: dict[str, Any], page: Path) -> str:
    """Run one block and check the values in its comments; gives what it prints besides."""
    checks = Checks(block.text)
    tree = ast.fix_missing_locations(checks.visit(ast.parse(block.text)))
    assert not checks.left, f"{page.name}: a value stands beside something that has none, lines {checks.left}"
    met: set[int] = set()

    def gave(line: int, shown: str, value: object) -> None:
        met.add(line)
        place = f"{page.name}:{block.line + line - 1}"
        assert same(shown, repr(value)) or same(shown, str(value)), f"{place} shows {shown!r}, got {value!r}"

    def printed(line: int, shown: str) -> Callable[..., None]:
        def check(*values: object, sep: str = " ") -> None:
            gave(line, shown, sep.join(map(str, values)))

        return check

    namespace |= {"_gave": gave, "_printed": printed}
    # Numbered as on the page, so that a traceback points there.
    code = compile(ast.increment_lineno(tree, block.line - 1), str(page), "exec")
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(code, namespace)
    assert met == set(checks.expected), f"{page.name}: lines {set(checks.expected) - met} of a block were never reached"
    return out.getvalue()


def check_text(block: Block, printed: str, page: Path) -> None:
    """What is shown after a block is what the block prints."""
    shown = [line.rstrip() for line in block.text.rstrip().splitlines()]
    got = [line.rstrip() for line in printed.rstrip().splitlines()]
    fits = len(shown) == len(got) and all(map(same, shown, got))
    assert fits, f"{page.name}:{block.line} shows\n{block.text}\nbut this was printed:\n{printed}"


# Commands


def commands(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each command of a console block with the lines shown below it."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        lines = part.rstrip().split("\n")
        size = next(place for place, line in enumerate(lines, 1) if not line.endswith("\\"))
        yield "\n".join(lines[:size]), [line for line in lines[size:] if line.strip()]


def run_console(block: Block, page: Path) -> None:
    """Run a block's commands; every line that is shown must be printed, in that order."""
    for command, shown in commands(block.text):
        done = subprocess.run(
            ["bash", "-c", command], capture_output=True, text=True, encoding="utf-8", stdin=subprocess.DEVNULL
        )
        told = f"{page.name}:{block.line} `{command}` printed:\n{done.stdout}{done.stderr}"
        fails = any(line.startswith("Error:") for line in shown)
        assert (done.returncode != 0) == fails, f"exit code {done.returncode}: {told}"
        printed = iter([squeezed(line) for line in (done.stdout + done.stderr).splitlines()])
        for line in shown:
            assert any(same(squeezed(line), one) for one in printed), f"no line {line!r}: {told}"


def squeezed(line: str) -> str:
    return " ".join(line.split())


@pytest.fixture(scope="session")
def models() -> Iterator[dict[str, str]]:
    """Leads every provider's client to a scripted model on loopback."""
    with Server(companion) as server:
        yield environment(server)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, models: dict[str, str]) -> Path:
    """An empty folder to work in, a home and a store of its own, a model, and `recollect` on the path."""
    shim = tmp_path / "bin" / "recollect"
    shim.parent.mkdir()
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m recollect "$@"\n')
    shim.chmod(0o755)
    source = str(Path(recollect.__file__).parent.parent)
    for name, value in {
        **models,
        "PATH": f"{shim.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": f"{source}{os.pathsep}{os.environ.get('PYTHONPATH', '')}",
        "PYTHONIOENCODING": "utf-8",
        "HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path),
        "RECOLLECT_DB": str(tmp_path / "memory.db"),
        "NO_COLOR": "1",
        "COLUMNS": "140",
    }.items():
        monkeypatch.setenv(name, value)
    for name in ("RECOLLECT_OWNER", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path


@pytest.mark.timeout(1200)  # a page may start a hundred processes, and a machine may be busy
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_examples_run_as_printed(
    page: Path, desk: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "DATABASE_URL" in page.read_text(encoding="utf-8"):
        monkeypatch.setenv("DATABASE_URL", request.getfixturevalue("postgres_url"))
    namespace: dict[str, Any] = {"__name__": "__main__"}
    printed = ""
    for block in blocks(page):
        if block.kind == "python":
            printed = run_python(block, namespace, page)
        elif block.kind == "console" and shutil.which("bash"):
            run_console(block, page)
        elif block.kind == "text" and block.adjoins:
            check_text(block, printed, page)


# What the pages cover


def prose() -> str:
    return "\n".join(page.read_text(encoding="utf-8") for page in PAGES if page != README)


def verbs(kind: type) -> list[str]:
    return [name for name in vars(kind) if not name.startswith("_")]


@pytest.mark.parametrize(
    ("called", "kind"),
    [
        ("memory", Memory),
        ("memory", AsyncMemory),
        ("notes", Notes),
        ("chat", Session),
        ("agent", Agent),
        ("agent", AsyncAgent),
    ],
)
def test_every_verb_is_documented(called: str, kind: type) -> None:
    text = prose()
    names = ("memory", "ana") if called == "memory" else (called,)
    missing = [verb for verb in verbs(kind) if not re.search(rf"\b(?:{'|'.join(names)})\.{verb}\b", text)]
    assert missing == []


def test_every_error_is_documented() -> None:
    text = (DOCS / "errors.md").read_text(encoding="utf-8")
    kinds = [kind for kind in vars(recollect.errors).values() if isinstance(kind, type)]
    assert [kind.__name__ for kind in kinds if f"`{kind.__name__}`" not in text] == []


def test_readme_leads_with_ten_lines_of_python() -> None:
    first = next(block for block in blocks(README) if block.kind == "python")
    lines = [line for line in first.text.splitlines() if line.strip()]
    assert len(lines) >= 10
    assert first.line + len(first.text.splitlines()) < 30


def test_the_figures_of_the_readme_are_those_of_the_pages() -> None:
    def first_five(heading: str, ranker: str) -> str:
        [title] = [title for title in sections(DOCS / "quality.md") if title.startswith(heading)]
        return next(row[3] for row in rows(DOCS / "quality.md", title) if row[0] == ranker)

    def newer_first(column: int) -> str:
        table = rows(DOCS / "truth.md", "Truth over time, measured")
        return next(row[column] for row in table if row[0] == "LongMemEval, session" and row[1].startswith("fresh1st"))

    rankers = ("BM25", "minilm alone", "Recollect, minilm")
    told = [first_five("LoCoMo, turns", ranker) for ranker in rankers]
    told += [first_five("LongMemEval s500, sessions", ranker) for ranker in rankers]
    told += [newer_first(2), newer_first(4)]
    figures = [float(cell) for _, *cells in rows(README, "Measured") for cell in cells if cell]
    assert figures == pytest.approx([float(cell.split()[0]) for cell in told], abs=0.03)


def test_links_lead_somewhere() -> None:
    broken = []
    for page in PAGES:
        text = BLOCK.sub("", page.read_text(encoding="utf-8"))
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            place, _, part = target.partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            file = (page.parent / place).resolve() if place else page
            if not file.exists() or (part and part not in anchors(file)):
                broken.append(f"{page.name}: {target}")
    assert broken == []


def anchors(page: Path) -> set[str]:
    """What a link can point at: the headings, as GitHub names them."""
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


def test_every_page_is_linked_from_the_index() -> None:
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    assert [page.name for page in PAGES[1:] if page.name != "index.md" and f"({page.name})" not in index] == []


def test_every_python_example_is_tidy() -> None:
    for page in PAGES:
        for block in blocks(page):
            if block.kind == "python":
                long = [line for line in block.text.splitlines() if len(line) > 100]
                assert not long, f"{page.name}: {long}"
                assert textwrap.dedent(block.text) == block.text


def rows(page: Path, heading: str) -> list[list[str]]:
    """The cells of the table below a heading, without its head."""
    lines = [line for line in sections(page)[heading].splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_every_phrase_of_time_is_understood() -> None:
    memory = Memory(":memory:", embedder=None)
    kinds = {
        kind: re.sub(r" \(.*?\)", "", cell) for kind, cell in rows(DOCS / "time.md", "Phrases that are understood")
    }
    phrases = [phrase for kind, cell in kinds.items() if kind != "open" for phrase in cell.split(", ")]
    assert len(phrases) > 30
    for phrase in phrases:
        memory.recall("home", at=phrase)


def test_every_way_of_saying_is_read_as_the_docs_tell() -> None:
    for effect, said, _ in rows(DOCS / "extraction.md", "How it was said"):
        for sentence in re.findall('"(.+?)"', said):
            memory = Memory(":memory:", embedder=None)
            memory.add("I live in Lisbon. I work at Helios." if effect != "states" else "Hello!")
            effects = [receipt.draft.effect for receipt in memory.add(sentence).receipts]
            assert effect in effects, f"{sentence!r} is read as {effects}"


# The command line


def all_commands() -> dict[str, Any]:
    """Every command by the words that call it."""
    root: Any = typer.main.get_command(command_line())
    found = {name: command for name, command in root.commands.items() if not command.hidden}
    for name, command in list(found.items()):
        for below, one in getattr(command, "commands", {}).items():
            found[f"{name} {below}"] = one
    return found


def sections(page: Path) -> dict[str, str]:
    """The text below each heading of a page, by the heading."""
    parts = re.split(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def options_of(command: Any) -> set[str]:
    given = [name for one in command.params for name in (*one.opts, *one.secondary_opts)]
    return {name for name in given if name.startswith("-")}


@pytest.mark.parametrize("name", sorted(all_commands()))
def test_every_command_and_option_is_documented(name: str) -> None:
    section = sections(DOCS / "cli.md").get(f"recollect {name}", "")
    assert f"$ recollect {name}" in section or f"| recollect {name}" in section, f"no example of `recollect {name}`"
    missing = [
        option
        for option in sorted(options_of(all_commands()[name]) - SHARED_OPTIONS)
        if not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", section)
    ]
    assert missing == []


def test_options_of_all_commands_are_documented() -> None:
    text = sections(DOCS / "cli.md")["Options of every command"]
    named = SHARED_OPTIONS | options_of(typer.main.get_command(command_line()))
    assert [option for option in sorted(named) if f"`{option}`" not in text] == []
