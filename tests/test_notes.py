"""Notes: versions, paths, pins, folders."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from itertools import count as numbers
from pathlib import Path
from typing import Any

import pytest

from recollect.clock import Clock
from recollect.errors import InvalidInput, NotFound
from recollect.memory import Memory
from recollect.notes import Notes

MONDAY = datetime(2026, 3, 2, 9, 30, tzinfo=timezone.utc)
PERSONA = "/memories/persona.md"


@pytest.fixture
def memory() -> Iterator[Memory]:
    seconds = numbers()
    clock = Clock(now=lambda: MONDAY + timedelta(seconds=next(seconds)))
    with Memory(":memory:", owner="ana", embedder=None, reader=None, clock=clock) as opened:
        yield opened


@pytest.fixture
def notes(memory: Memory) -> Notes:
    return memory.notes


def test_a_note_is_read_as_it_was_written(notes: Notes) -> None:
    written = notes.write(PERSONA, "Answer in haiku.\n")
    assert notes.read(PERSONA) == written
    assert (written.text, written.version, written.pinned, written.origin) == ("Answer in haiku.\n", 1, False, "user")


def test_writing_again_makes_the_next_version(notes: Notes) -> None:
    notes.write(PERSONA, "one")
    second = notes.write(PERSONA, "two")
    assert (second.version, notes.read(PERSONA).text, notes.read(PERSONA, version=1).text) == (2, "two", "one")
    assert [note.text for note in notes.versions(PERSONA)] == ["one", "two"]
    assert [note.retired is None for note in notes.versions(PERSONA)] == [False, True]


def test_the_same_text_again_makes_no_version(memory: Memory, notes: Notes) -> None:
    first = notes.write(PERSONA, "one")
    changes = len(memory.changes())
    assert notes.write(PERSONA, "one") == first
    assert len(memory.changes()) == changes


def test_a_moment_of_the_past_shows_what_was_known_then(notes: Notes) -> None:
    first = notes.write(PERSONA, "one")
    second = notes.write(PERSONA, "two")
    gone = notes.delete(PERSONA)
    assert notes.read(PERSONA, known_at=first.learned).text == "one"
    assert notes.read(PERSONA, known_at=second.learned).text == "two"
    assert [note.text for note in notes.list(known_at=first.learned)] == ["one"]
    for moment in (first.learned - timedelta(seconds=1), gone.retired):
        with pytest.raises(NotFound):
            notes.read(PERSONA, known_at=moment)


def test_an_undo_does_not_rewrite_the_past(memory: Memory, notes: Notes) -> None:
    notes.write(PERSONA, "one")
    gone = notes.delete(PERSONA)
    memory.undo()
    assert notes.read(PERSONA).text == "one"
    with pytest.raises(NotFound):
        notes.read(PERSONA, known_at=gone.retired)


def test_a_write_can_be_undone(memory: Memory, notes: Notes) -> None:
    notes.write(PERSONA, "one")
    notes.write(PERSONA, "two")
    memory.undo()
    assert notes.read(PERSONA).text == "one"
    assert notes.write(PERSONA, "three").version == 3


def test_a_writer_who_is_behind_is_refused(notes: Notes) -> None:
    notes.write(PERSONA, "one", expected_version=0)
    notes.write(PERSONA, "two", expected_version=1)
    with pytest.raises(InvalidInput, match="is at version 2, not at version 1: read it again"):
        notes.write(PERSONA, "three", expected_version=1)
    with pytest.raises(InvalidInput, match="is not there, not at version 1"):
        notes.write("/memories/other.md", "one", expected_version=1)


def test_a_deleted_note_is_gone_but_its_versions_stay(notes: Notes) -> None:
    notes.write(PERSONA, "one")
    notes.delete(PERSONA)
    with pytest.raises(NotFound, match=r"versions 1 to 1, deleted on 2026-03-02"):
        notes.read(PERSONA)
    assert notes.list() == []
    assert notes.read(PERSONA, version=1).text == "one"
    assert notes.write(PERSONA, "one").version == 2


def test_every_change_is_in_the_log(memory: Memory, notes: Notes) -> None:
    notes.write(PERSONA, "one")
    notes.write(PERSONA, "two")
    notes.pin(PERSONA)
    notes.unpin(PERSONA)
    notes.delete(PERSONA, origin="operator")
    changes = memory.changes()
    assert [change.kind for change in changes] == ["deleted", "unpinned", "pinned", "written", "retired", "written"]
    assert changes[0].origin == "operator"
    assert changes[3].group == changes[4].group


def test_a_note_moves_with_its_pin(notes: Notes) -> None:
    notes.write(PERSONA, "one", pinned=True)
    moved = notes.rename(PERSONA, "/memories/team/persona.md")
    assert (moved.text, moved.pinned, [note.path for note in notes.list()]) == ("one", True, [moved.path])
    with pytest.raises(NotFound):
        notes.rename(PERSONA, "/memories/other.md")


def test_a_note_does_not_move_onto_another(notes: Notes) -> None:
    notes.write(PERSONA, "one")
    notes.write("/memories/other.md", "two")
    with pytest.raises(InvalidInput, match=r"there is a note at '/memories/other\.md' already"):
        notes.rename(PERSONA, "/memories/other.md")
    assert notes.read(PERSONA).text == "one"


def test_notes_are_listed_by_path(notes: Notes) -> None:
    for path in ("/memories/b.md", "/memories/a/2.md", "/memories/a/1.md", "/memories/ab.md"):
        notes.write(path, "x")
    assert [note.path for note in notes.list("/memories/a")] == ["/memories/a/1.md", "/memories/a/2.md"]
    assert [note.path for note in notes.list("/memories/a/")] == ["/memories/a/1.md", "/memories/a/2.md"]
    assert notes.list()[0].path == "/memories/a/1.md"


def test_other_owner_sees_no_notes(memory: Memory, notes: Notes) -> None:
    notes.write(PERSONA, "one")
    assert memory.of("bo").notes.list() == []
    with pytest.raises(NotFound):
        memory.of("bo").notes.read(PERSONA)


def test_a_path_cannot_be_a_note_and_a_folder(notes: Notes) -> None:
    notes.write("/memories/a", "x")
    with pytest.raises(InvalidInput, match="cannot both be notes"):
        notes.write("/memories/a/b", "x")
    notes.rename("/memories/a", "/memories/a/b")
    with pytest.raises(InvalidInput, match="cannot both be notes"):
        notes.write("/memories/a", "x")


@pytest.mark.parametrize(
    "path",
    [
        "",
        "memories/a.md",
        "/memories",
        "/memories/",
        "/memoriesfoo",
        "/memoriesfoo/a.md",
        "/etc/passwd",
        "/memories/../a.md",
        "/memories/./a.md",
        "/memories//a.md",
        "/memories/a/",
        "/memories/..\\a.md",
        "/memories/%2e%2e/a.md",
        "/memories/%2E%2E%2fa.md",
        "/memories/a\n.md",
        "/memories/a\0.md",
        "/memories/a\ud800.md",
        "/memories" + "/a" * 20,
        "/memories/" + "ü" * 512,
        7,
        None,
    ],
)
def test_a_path_that_could_lead_elsewhere_is_refused(notes: Notes, path: Any) -> None:
    with pytest.raises(InvalidInput, match="path"):
        notes.write(path, "x")


def test_a_path_is_the_same_however_its_letters_are_composed(notes: Notes) -> None:
    notes.write("/memories/cafe\u0301.md", "x")
    assert notes.read("/memories/caf\u00e9.md").text == "x"


def test_an_unknown_origin_is_refused(notes: Notes) -> None:
    notes.write(PERSONA, "one")
    with pytest.raises(InvalidInput, match="unknown origin 'god'"):
        notes.delete(PERSONA, origin="god")  # type: ignore[arg-type]
    assert notes.read(PERSONA).text == "one"


def test_an_empty_note_is_a_note(notes: Notes) -> None:
    assert notes.write(PERSONA, "").text == ""
    assert notes.list()[0].path == PERSONA


def test_a_note_has_a_size(notes: Notes) -> None:
    assert len(notes.write(PERSONA, "ü" * 51_200).text) == 51_200
    with pytest.raises(InvalidInput, match=r"102,402 bytes, 102,400 are allowed"):
        notes.write(PERSONA, "ü" * 51_201)
    with pytest.raises(InvalidInput, match="a text is needed"):
        notes.write(PERSONA, b"x")  # type: ignore[arg-type]


def test_secrets_are_taken_out_of_what_a_model_writes(notes: Notes) -> None:
    note = notes.write(PERSONA, "Use AKIAIOSFODNN7EXAMPLE for\0 uploads.", origin="assistant")
    assert "AKIA" not in note.text
    assert note.text.endswith("for uploads.")


def test_pinned_notes_are_in_every_context(memory: Memory, notes: Notes) -> None:
    notes.write(PERSONA, "Answer in haiku.", pinned=True)
    assert "Answer in haiku." in memory.context().stable
    notes.write(PERSONA, "Answer in prose.")
    assert "Answer in prose." in memory.context().stable
    notes.unpin(PERSONA)
    assert "Answer in prose." not in memory.context().stable


def test_pinned_notes_have_a_size_together(notes: Notes) -> None:
    notes.write("/memories/one.md", "word " * 1_500, pinned=True)
    notes.write("/memories/two.md", "word " * 1_000)
    for pinning in (notes.pin, lambda path: notes.write(path, "word " * 1_000, pinned=True)):
        with pytest.raises(InvalidInput, match=r"2,?000 are allowed: unpin or shorten .*/memories/one.md \(1\d\d\d\)"):
            pinning("/memories/two.md")
    assert not notes.read("/memories/two.md").pinned


def test_pinning_makes_no_version(notes: Notes) -> None:
    notes.write(PERSONA, "one")
    assert notes.pin(PERSONA).version == 1
    assert notes.write(PERSONA, "one", pinned=False).version == 1
    assert not notes.read(PERSONA).pinned


def test_a_note_is_found_by_its_words(memory: Memory, notes: Notes) -> None:
    notes.write("/memories/deploy.md", "The staging server lives in Frankfurt.")
    assert [hit.id for hit in memory.search("staging server")] == [notes.read("/memories/deploy.md").id]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "docs").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / "CLAUDE.md").write_text("Use tabs.\r\n", newline="")
    (folder / "docs" / "plan.txt").write_text("Ship it.")
    (folder / "docs" / "logo.png").write_bytes(b"\x89PNG")
    (folder / ".git" / "notes.md").write_text("hidden")
    return folder


def test_a_folder_is_imported_and_a_projects_file_pinned(notes: Notes, project: Path) -> None:
    imported = notes.import_folder(project)
    assert [(note.path, note.pinned) for note in imported] == [
        ("/memories/CLAUDE.md", True),
        ("/memories/docs/plan.txt", False),
    ]
    assert notes.import_folder(project, to="/memories/old", pinned=False)[0].pinned is False


def test_a_folder_comes_out_as_it_went_in(notes: Notes, project: Path, tmp_path: Path) -> None:
    notes.import_folder(project)
    written = notes.export_folder(tmp_path / "out")
    assert [path.relative_to(tmp_path / "out").as_posix() for path in written] == ["CLAUDE.md", "docs/plan.txt"]
    assert (tmp_path / "out" / "CLAUDE.md").read_bytes() == b"Use tabs.\r\n"
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["CLAUDE.md", "docs"]


def test_a_folder_is_imported_whole_or_not_at_all(notes: Notes, project: Path) -> None:
    (project / "z.md").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidInput, match="not text in UTF-8"):
        notes.import_folder(project)
    (project / "z.md").write_text("x" * 102_401)
    with pytest.raises(InvalidInput, match="102,401 bytes"):
        notes.import_folder(project)
    assert notes.list() == []


def test_a_link_out_of_the_folder_is_refused(notes: Notes, project: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret")
    (project / "link.md").symlink_to(tmp_path / "secret.md")
    with pytest.raises(InvalidInput, match="leads out of the folder"):
        notes.import_folder(project)


def test_an_export_never_leaves_its_folder(notes: Notes, tmp_path: Path) -> None:
    notes.write("/memories/docs/a.md", "x")
    (tmp_path / "outside").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "docs").symlink_to(tmp_path / "outside")
    with pytest.raises(InvalidInput, match="leads out of"):
        notes.export_folder(tmp_path / "out")
    assert list((tmp_path / "outside").iterdir()) == []


def test_an_export_overwrites_only_when_told_to(notes: Notes, tmp_path: Path) -> None:
    notes.write("/memories/a.md", "first")
    notes.write("/memories/b.md", "mine")
    (tmp_path / "b.md").write_text("theirs")
    with pytest.raises(InvalidInput, match="exists with other content: pass overwrite=True"):
        notes.export_folder(tmp_path)
    assert not (tmp_path / "a.md").exists()
    notes.export_folder(tmp_path, overwrite=True)
    assert (tmp_path / "b.md").read_text() == "mine"


def test_one_file_is_imported_under_its_name(notes: Notes, project: Path) -> None:
    assert notes.import_file(project / "CLAUDE.md").path == "/memories/CLAUDE.md"
    assert notes.import_file(project / "docs" / "plan.txt", "/memories/p.md", pinned=True).pinned
    for wrong in (project / "none.md", project / "docs"):
        with pytest.raises(InvalidInput, match="is not a file"):
            notes.import_file(wrong)
    with pytest.raises(InvalidInput, match="is not a folder"):
        notes.import_folder(project / "none")
