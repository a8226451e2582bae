"""Where the files of a memory tool are kept: the notes of a memory, or a folder on disk."""

from __future__ import annotations

import errno
import os
import secrets
import stat
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from recollect import Memory, Note, RecollectError
from recollect.errors import InvalidInput, NotFound
from recollect.integrations.memory_commands import CommandError, Entry, Kind
from recollect.notes import ROOT
from recollect.text.redact import redact

FOLDER_MODE = 0o700
THROUGH_LINK = "Path would escape /memories directory via symlink"


class NoteFiles:
    """Files as notes: rows of the store with all their versions, so that no path can lead anywhere else."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    @contextmanager
    def together(self) -> Iterator[None]:
        """One transaction; what the notes refuse becomes an answer to the model."""
        try:
            with self.memory.store.transaction(self.memory.owner):
                yield
        except (InvalidInput, NotFound) as error:
            raise CommandError(str(error)) from error

    def kind(self, path: str) -> Kind | None:
        found = self.memory.notes.list(path)
        if any(note.path == path for note in found):
            return "file"
        return "folder" if found or path == ROOT else None

    def read(self, path: str) -> str:
        return self.memory.notes.read(path).text

    def entries(self, folder: str, depth: int) -> Iterable[Entry]:
        """Files and the folders that their paths imply; a folder is as large as all that is in it."""
        files = {note.path: len(note.text.encode()) for note in self.memory.notes.list(folder) if note.path != folder}
        sizes: dict[str, int] = {}
        for path, size in files.items():
            parts = path[len(folder) + 1 :].split("/")
            for level in range(1, min(len(parts), depth + 1)):
                above = "/".join([folder, *parts[:level]])
                sizes[above] = sizes.get(above, 0) + size
        yield from (Entry(path, size, True) for path, size in sizes.items())
        level = folder.count("/") + depth
        yield from (Entry(path, size, False) for path, size in files.items() if path.count("/") <= level)

    def write(self, path: str, text: str) -> None:
        refuse_kept(note for note in self.memory.notes.list(path) if note.path == path)
        self.memory.notes.write(path, text, origin="assistant")

    def delete(self, path: str) -> None:
        notes = self.memory.notes.list(path)
        refuse_kept(notes)
        for note in notes:
            self.memory.notes.delete(note.path, origin="assistant")

    def move(self, old: str, new: str) -> None:
        notes = self.memory.notes.list(old)
        refuse_kept(notes)
        for note in notes:
            self.memory.notes.rename(note.path, new + note.path[len(old) :], origin="assistant")


def refuse_kept(notes: Iterable[Note]) -> None:
    """What the operator wrote, such as a project's CLAUDE.md, is not the model's to change."""
    if kept := next((note for note in notes if note.origin == "operator"), None):
        raise CommandError(f"{kept.path} is kept by the operator and cannot be changed here.")


class Folder:
    """Files in a folder on disk, below `memories` in it, as the official SDK lays them out.

    Every part of a path is opened by itself and never through a link, so that a link put in its place a moment later
    leads nowhere. Files are readable by their owner alone and are never seen half written.
    """

    def __init__(self, path: str | Path) -> None:
        if os.open not in os.supports_dir_fd or not hasattr(os, "O_NOFOLLOW"):
            raise RecollectError("this system cannot open files safely below a folder: pass a Memory instead")
        self.root = Path(path) / "memories"
        self._lock = threading.RLock()
        for folder in (*reversed(self.root.parents), self.root):
            if not folder.exists():
                folder.mkdir(FOLDER_MODE, exist_ok=True)
                folder.chmod(FOLDER_MODE)  # mkdir leaves out what the umask forbids, and no more

    @contextmanager
    def together(self) -> Iterator[None]:
        """One command of this process at a time; what the disk refuses becomes an answer to the model."""
        with self._lock:
            try:
                yield
            except OSError as error:
                raise CommandError(f"The file could not be read or written: {error.strerror}.") from error

    def kind(self, path: str) -> Kind | None:
        try:
            with self._folder_of(path) as (above, name):
                found = os.stat(name, dir_fd=above, follow_symlinks=False) if name else os.fstat(above)
        except (FileNotFoundError, NotADirectoryError):
            return None
        if stat.S_ISLNK(found.st_mode):
            raise CommandError(THROUGH_LINK)
        if stat.S_ISDIR(found.st_mode):
            return "folder"
        if not stat.S_ISREG(found.st_mode):
            raise CommandError(f"Unsupported file type for {path}")
        return "file"

    def read(self, path: str) -> str:
        try:
            with self._folder_of(path) as (above, name):
                # Not blocking: a pipe put in the file's place would be waited for without end.
                handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=above)
        except FileNotFoundError as error:
            raise CommandError(
                f"The file {path} no longer exists (may have been deleted or renamed concurrently)."
            ) from error
        with os.fdopen(handle, "rb") as file:
            content = file.read()
        try:
            return content.decode()
        except UnicodeDecodeError as error:
            raise CommandError(f"Unsupported file type for {path}") from error

    def entries(self, folder: str, depth: int) -> Iterable[Entry]:
        with self._opened(path_parts(folder)) as handle:
            return self._below(handle, folder, depth)

    def write(self, path: str, text: str) -> None:
        """Beside the file first, then in its place."""
        content = redact(text)[0].encode("utf-8", "replace")
        with self._folder_of(path, make=True) as (above, name):
            partial = f".{secrets.token_hex(8)}"
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
            try:
                with os.fdopen(os.open(partial, flags, 0o600, dir_fd=above), "wb") as file:
                    file.write(content)
                    file.flush()
                    os.fsync(file.fileno())
                os.rename(partial, name, src_dir_fd=above, dst_dir_fd=above)
            except BaseException:
                with suppress(FileNotFoundError):
                    os.unlink(partial, dir_fd=above)
                raise
            os.fsync(above)

    def delete(self, path: str) -> None:
        with self._folder_of(path) as (above, name):
            remove_tree(above, name)

    def move(self, old: str, new: str) -> None:
        with self._folder_of(old) as (source, old_name), self._folder_of(new, make=True) as (target, new_name):
            os.rename(old_name, new_name, src_dir_fd=source, dst_dir_fd=target)

    def _below(self, handle: int, folder: str, depth: int) -> list[Entry]:
        """Everything below an open folder; links are left out."""
        found: list[Entry] = []
        for name in os.listdir(handle):
            status = os.stat(name, dir_fd=handle, follow_symlinks=False)
            path = f"{folder}/{name}"
            if stat.S_ISREG(status.st_mode):
                found.append(Entry(path, status.st_size, False))
            elif stat.S_ISDIR(status.st_mode):
                with opened_folder(name, handle) as inner:
                    inside = self._below(inner, path, 64)
                found.append(Entry(path, sum(one.size for one in inside if not one.is_folder), True))
                found += [one for one in inside if one.path.count("/") < folder.count("/") + 1 + depth]
        return found

    @contextmanager
    def _folder_of(self, path: str, *, make: bool = False) -> Iterator[tuple[int, str]]:
        """The open folder that the path's last part stands in, and that part."""
        parts = path_parts(path)
        with self._opened(parts[:-1], make=make) as handle:
            yield handle, parts[-1] if parts else ""

    @contextmanager
    def _opened(self, parts: list[str], *, make: bool = False) -> Iterator[int]:
        """A folder below the root, opened part by part."""
        handle = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for part in parts:
                if make:
                    make_folder(part, handle)
                inner = open_folder(part, handle)
                os.close(handle)
                handle = inner
            yield handle
        finally:
            os.close(handle)


def path_parts(path: str) -> list[str]:
    return path[len(ROOT) + 1 :].split("/") if path != ROOT else []


def open_folder(name: str, above: int) -> int:
    """A folder in an open folder, refused when it is a link."""
    try:
        return os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=above)
    except OSError as error:
        failed_by_link = error.errno in (errno.ELOOP, errno.ENOTDIR)
        if failed_by_link and stat.S_ISLNK(os.stat(name, dir_fd=above, follow_symlinks=False).st_mode):
            raise CommandError(THROUGH_LINK) from error
        raise


@contextmanager
def opened_folder(name: str, above: int) -> Iterator[int]:
    handle = open_folder(name, above)
    try:
        yield handle
    finally:
        os.close(handle)


def make_folder(name: str, above: int) -> None:
    """Make a folder unless there is one; no umask can open it to others, or close it to us."""
    try:
        os.mkdir(name, FOLDER_MODE, dir_fd=above)
    except FileExistsError:
        return
    with opened_folder(name, above) as made:
        os.fchmod(made, FOLDER_MODE)


def remove_tree(above: int, name: str) -> None:
    """Take a file away, or a folder with all that is in it; a link goes without what it leads to."""
    if not stat.S_ISDIR(os.stat(name, dir_fd=above, follow_symlinks=False).st_mode):
        os.unlink(name, dir_fd=above)
        return
    with opened_folder(name, above) as handle:
        for inside in os.listdir(handle):
            remove_tree(handle, inside)
    os.rmdir(name, dir_fd=above)
