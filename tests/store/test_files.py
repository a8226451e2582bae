"""Files that are not ours, not whole, not writable, or on a full disk."""

from __future__ import annotations

import hashlib
import os
import resource
import shutil
import signal
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from recollect.errors import InvalidInput, StoreError
from recollect.records import Message
from recollect.store import open_store
from recollect.store.sqlite import SQLiteStore, default_path
from recollect.store.sqlite.files import check_sqlite
from recollect.store.sqlite.schema import APPLICATION, SCHEMA
from recollect.text.words import terms

from .children import in_child
from .samples import fact, message


@pytest.fixture
def filled(path: Path) -> Path:
    store = SQLiteStore(path)
    store.save("ana", [message(f"m{number}", f"window {number} " * 50) for number in range(50)])
    store.close()
    return path


def refused(path: Path, match: str) -> None:
    """Opening it is refused, with its name; not a byte of it or beside it changes."""
    before = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in path.parent.iterdir()}
    with pytest.raises(StoreError, match=match) as caught:
        SQLiteStore(path)
    assert str(path) in str(caught.value)
    after = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in path.parent.iterdir()}
    assert after == before


def test_a_new_store_is_private(tmp_path: Path) -> None:
    path = tmp_path / "new" / "er" / "memory.db"
    store = SQLiteStore(path)
    store.save("ana", [message("m1")])
    for file in path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file
    assert stat.S_IMODE(path.parent.stat().st_mode) == stat.S_IMODE(path.parent.parent.stat().st_mode) == 0o700


def test_the_settings_are_the_safe_ones(path: Path) -> None:
    store = SQLiteStore(path)
    with store._using() as connection:
        wanted = {"journal_mode": "wal", "synchronous": 2, "secure_delete": 1, "foreign_keys": 1, "mmap_size": 0}
        wanted |= {"trusted_schema": 0, "temp_store": 2, "journal_size_limit": 8388608}
        wanted |= {"application_id": APPLICATION, "user_version": SCHEMA}
        assert {name: connection.execute(f"pragma {name}").get for name in wanted} == wanted
        assert connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, -1) == 1
        assert connection.config(apsw.SQLITE_DBCONFIG_DQS_DML, -1) == 0
        assert ("secure-delete", 1) in connection.execute("select k, v from words_config").fetchall()


def test_an_old_sqlite_is_refused() -> None:
    check_sqlite("3.54.0")
    for old in ("3.53.9", "3.9.99", "3.51.3.1"):
        with pytest.raises(StoreError, match="pip install"):
            check_sqlite(old)


@pytest.mark.parametrize("size", [1, 15, 16, 99, 100, 1000, 4096, 5000, 40_960])
def test_a_cut_file_is_refused(filled: Path, size: int) -> None:
    os.truncate(filled, size)
    refused(filled, "not a memory store|another application|cut short")


def test_a_file_without_its_last_byte_is_refused(filled: Path) -> None:
    os.truncate(filled, filled.stat().st_size - 1)
    refused(filled, "cut short")


def test_an_emptied_file_with_a_log_is_refused(filled: Path) -> None:
    filled.with_name(filled.name + "-wal").write_bytes(b"x" * 5000)
    os.truncate(filled, 0)
    refused(filled, "empty")


def test_a_damaged_page_is_an_error_of_ours(filled: Path) -> None:
    content = bytearray(filled.read_bytes())
    content[4096 * 8 :] = os.urandom(len(content) - 4096 * 8)
    filled.write_bytes(content)
    with pytest.raises(StoreError, match="damaged") as caught:
        SQLiteStore(filled).read("ana", Message)
    assert str(filled) in str(caught.value)
    assert filled.read_bytes() == content


def test_a_check_finds_damage(filled: Path) -> None:
    content = bytearray(filled.read_bytes())
    content[-4096:] = os.urandom(4096)
    filled.write_bytes(content)
    assert "damaged" in SQLiteStore(filled).check()[0]


def test_a_foreign_database_is_refused(path: Path) -> None:
    with apsw.Connection(str(path)) as other:
        other.execute("create table notes (a)")
    other.close()
    refused(path, "another application")


def test_a_text_file_is_refused(path: Path) -> None:
    path.write_text("My diary.\n" * 1000)
    refused(path, "not a memory store")


def test_a_newer_schema_is_refused(filled: Path) -> None:
    newer = apsw.Connection(str(filled))
    newer.execute(f"pragma user_version = {SCHEMA + 1}")
    newer.close()
    refused(filled, "pip install -U recollect")


@pytest.mark.parametrize("url", ["mysql://ana:s3cret@host/memory", "sqlite:///memory.db", "postgre://host/memory"])
def test_a_url_of_something_else_is_refused_and_its_password_not_shown(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RECOLLECT_DB", url)
    for where in (url, None):
        with pytest.raises(InvalidInput, match="is no store") as told:
            open_store(where)
        assert "s3cret" not in str(told.value)
    assert list(tmp_path.iterdir()) == []


def test_a_hard_link_is_refused(filled: Path) -> None:
    os.link(filled, filled.with_name("second.db"))
    refused(filled, "hard link")


def test_a_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="directory"):
        SQLiteStore(tmp_path)


def test_a_pipe_is_refused(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(StoreError, match="regular file"):
        SQLiteStore(path)


def test_a_file_as_directory_is_refused(filled: Path) -> None:
    with pytest.raises(StoreError):
        SQLiteStore(filled / "memory.db")


@pytest.mark.parametrize("name", ["", "a\0b", "\ud800"])
def test_an_impossible_name_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput):
        SQLiteStore(name)


@pytest.mark.parametrize("name", ["a?mode=ro", "a#b", "100%20", "new\nline", "file:x", "日本 é.db", "it's"])
def test_an_odd_name_is_only_a_name(tmp_path: Path, name: str) -> None:
    SQLiteStore(tmp_path / name).close()
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_an_empty_file_and_a_link_can_be_used(tmp_path: Path) -> None:
    (tmp_path / "real.db").touch()
    (tmp_path / "link.db").symlink_to(tmp_path / "real.db")
    store = SQLiteStore(tmp_path / "link.db")
    store.save("ana", [message("m1")])
    assert store.name == str((tmp_path / "real.db").resolve())


def test_the_default_place_is_the_users_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RECOLLECT_DB", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_path().name == "memory.db"
    assert tmp_path in default_path().parents
    monkeypatch.setenv("RECOLLECT_DB", str(tmp_path / "own" / "mine.db"))
    store = open_store(None)
    assert store.name == str(tmp_path / "own" / "mine.db")


@pytest.fixture
def public() -> Iterator[Path]:
    """A directory that a user without rights can enter."""
    directory = Path(tempfile.mkdtemp())
    store = SQLiteStore(directory / "memory.db")
    store.save("ana", [message("m1")])
    store.close()
    yield directory
    directory.chmod(0o755)
    shutil.rmtree(directory)


def without_rights(work: Any) -> Any:
    def as_nobody() -> Any:
        if os.getuid() == 0:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
        return work()

    return in_child(as_nobody)


def error_of(work: Any) -> str:
    with pytest.raises(StoreError) as caught:
        work()
    return str(caught.value)


def test_a_read_only_file_can_be_read(public: Path) -> None:
    (public / "memory.db").chmod(0o444)
    public.chmod(0o777)

    def work() -> tuple[int, int, str]:
        store = SQLiteStore(public / "memory.db")
        found = store.match_words("ana", terms("window"), limit=5)
        return len(store.read("ana", Message)), len(found), error_of(lambda: store.save("ana", [message("m2")]))

    messages, found, error = without_rights(work)
    assert (messages, found) == (1, 1)
    assert "can only be read" in error


def test_a_read_only_directory_is_explained(public: Path) -> None:
    (public / "memory.db").chmod(0o444)
    public.chmod(0o555)
    error = without_rights(lambda: error_of(lambda: SQLiteStore(public / "memory.db")))
    assert "directory" in error
    assert "memory.db" in error


def test_an_unreadable_file_is_explained(public: Path) -> None:
    public.chmod(0o777)
    assert "memory.db" in without_rights(lambda: error_of(lambda: SQLiteStore(public / "memory.db")))


def test_a_directory_that_cannot_be_created_is_explained(public: Path) -> None:
    public.chmod(0o555)
    assert "created" in without_rights(lambda: error_of(lambda: SQLiteStore(public / "new" / "memory.db")))


def test_a_full_disk_keeps_what_it_had(path: Path) -> None:
    def work() -> tuple[list[str], str]:
        store = SQLiteStore(path)
        kept: list[str] = []
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, most))
        error = error_of(lambda: write_until_full(store, kept))
        assert {one.id for one in store.read("ana", Message)} == set(kept)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        store.save("ana", [fact("f1")])
        assert store.check() == []
        return kept, error

    kept, error = in_child(work)
    assert len(kept) > 3
    assert "nothing of this write was kept" in error
    assert [one.id for one in SQLiteStore(path).read("ana", Message)] == kept


def write_until_full(store: SQLiteStore, kept: list[str]) -> None:
    for number in range(1000):
        with store.transaction("ana"):
            store.save("ana", [message(f"m{number}", "window " * 2000)])
            store.save("ana", [fact(f"f{number}")])
        kept.append(f"m{number}")


def test_a_full_disk_creates_no_half_store(path: Path) -> None:
    def work() -> str:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (9000, most))
        return error_of(lambda: SQLiteStore(path))

    assert "memory.db" in in_child(work)
    store = SQLiteStore(path)
    store.save("ana", [message("m1")])
    assert store.check() == []


def test_a_backup_is_a_whole_store(sqlite: SQLiteStore, tmp_path: Path) -> None:
    sqlite.save("ana", [message("m1")])
    sqlite.backup(tmp_path / "copy.db")
    sqlite.save("ana", [message("m2")])
    copy = SQLiteStore(tmp_path / "copy.db")
    assert [one.id for one in copy.read("ana", Message)] == ["m1"]
    assert [one.id for one in copy.match_words("ana", terms("window"), limit=5)] == ["m1"]
    assert copy.check() == []
    assert stat.S_IMODE((tmp_path / "copy.db").stat().st_mode) == 0o600
    with pytest.raises(InvalidInput, match="already"):
        sqlite.backup(tmp_path / "copy.db")
    with pytest.raises(StoreError):
        sqlite.backup(tmp_path / "nowhere" / "copy.db")


def test_a_check_names_what_is_wrong(path: Path) -> None:
    store = SQLiteStore(path)
    store.save("ana", [message("m1"), message("m2")])
    store.save("ana", [fact("f1")])
    store.close()
    raw = apsw.Connection(str(path))
    raw.execute("delete from words where rowid = (select max(rowid) from words)")
    raw.execute("delete from items where id = 'm1'; update owners set items = 1")
    raw.close()
    problems = "\n".join(SQLiteStore(path).check())
    assert "can't be found by words" in problems
    assert "not in the index" in problems
    assert "counters" in problems
