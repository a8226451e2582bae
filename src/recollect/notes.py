"""Notes: versioned texts at paths under /memories. Pinned ones are core, always in the context."""

from __future__ import annotations

import builtins
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recollect.errors import InvalidInput, NotFound, RecollectError
from recollect.messages import origin_of
from recollect.note_folder import PROJECT_FILES, Followed, files_in, files_of, read_text, stamp, write_files
from recollect.pinned import refuse_large_core
from recollect.records import Change, ChangeKind, Note, Origin
from recollect.save import log_entry
from recollect.serialize import from_plain
from recollect.store import Query
from recollect.store.retry import retried
from recollect.text.dates import Time, moment
from recollect.text.message_formats import clean, shortened

if TYPE_CHECKING:
    from recollect.memory import Memory

ROOT = "/memories"
MOST_SEGMENTS = 20
LONGEST_PATH = 1_024
MOST_BYTES = 102_400
UNSEEN = {"Cc", "Cs", "Zl", "Zp"}

Step = tuple["Note | None", Note, ChangeKind]
"""A note before and after a change, and what kind of change it is."""


class Notes:
    """The notes of one owner."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def write(
        self,
        path: str,
        text: str,
        *,
        pinned: bool | None = None,
        expected_version: int | None = None,
        origin: Origin = "user",
    ) -> Note:
        """Keep the text as the next version of the note at this path; the same text again makes none.

        `pinned`: None leaves it as it is. `expected_version`: refuse when the note is at another one (0: when there
        is one at all), so that two writers do not undo each other's work. Secrets are taken out of the text.
        """
        return self._write([(path, text, pinned)], expected_version=expected_version, origin=origin)[0]

    def read(self, path: str, *, version: int | None = None, known_at: Time | None = None) -> Note:
        """The note at this path: as it is, as it was in a version, or as it was known at a moment."""
        path = check_path(path)
        versions = self._versions(path)
        if version is not None:
            found = [note for note in versions if note.version == version]
        elif known_at is not None:
            found = self._stood(versions, moment(known_at, self._memory.tick()))
        else:
            found = current(versions)
        if not found:
            raise NotFound(missing(path, versions))
        return found[-1]

    def versions(self, path: str) -> builtins.list[Note]:
        """Every version of the note at this path, oldest first."""
        path = check_path(path)
        if versions := self._versions(path):
            return versions
        raise NotFound(missing(path, versions))

    def list(self, prefix: str = ROOT, *, known_at: Time | None = None) -> builtins.list[Note]:
        """The notes at or under a path, as they are or as they were known at a moment, sorted by path."""
        prefix = check_folder(prefix)
        store, owner = self._memory.store, self._memory.owner
        if known_at is None:
            notes = store.read(owner, Note, Query(current=True))
        else:
            notes = self._stood(store.read(owner, Note), moment(known_at, self._memory.tick()))
        found = [note for note in notes if note.path == prefix or is_inside(note.path, prefix)]
        return sorted(found, key=lambda note: note.path)

    @retried
    def delete(self, path: str, *, origin: Origin = "user") -> Note:
        """Take the note away; its versions stay, and `undo` brings it back."""
        with self._memory.store.transaction(self._memory.owner):
            note, now = self.read(path), self._memory.tick()
            return self._save([(note, replace(note, retired=now), "deleted")], now, origin, "deleted")[0]

    @retried
    def rename(self, old: str, new: str, *, origin: Origin = "user") -> Note:
        """Move the note to a path that is free."""
        old, new = check_path(old), check_path(new)
        with self._memory.store.transaction(self._memory.owner):
            note = self.read(old)
            if current(self._versions(new)):
                raise InvalidInput(f"there is a note at {new!r} already: delete it first, or choose another path")
            self._refuse_clash([new], leaving=old)
            now = self._memory.tick()
            moved = self._version(new, note.text, now, pinned=note.pinned, origin=origin)
            steps: builtins.list[Step] = [(note, replace(note, retired=now), "deleted"), (None, moved, "written")]
            saved = self._save(steps, now, origin, f"renamed from {old} to {new}")
        self._memory.embed_records(saved[1:])
        return saved[1]

    def pin(self, path: str, *, origin: Origin = "user") -> Note:
        """Make the note part of every context."""
        return self._pin(path, pinned=True, origin=origin)

    def unpin(self, path: str, *, origin: Origin = "user") -> Note:
        """Leave the note to be found by search."""
        return self._pin(path, pinned=False, origin=origin)

    def import_folder(self, folder: str | Path, *, to: str = ROOT, pinned: bool | None = None) -> builtins.list[Note]:
        """Write every .md and .txt file of a folder as a note, all or none; hidden folders are left out.

        CLAUDE.md and AGENTS.md become pinned unless `pinned` says otherwise.
        """
        to = check_folder(to)
        files = [(f"{to}/{name}", text) for name, text in files_in(Path(folder))]
        return self._write([(path, text, pin_of(path, pinned)) for path, text in files], origin="user")

    def import_file(self, file: str | Path, to: str | None = None, *, pinned: bool | None = None) -> Note:
        """Write one file as a note, at /memories under its name unless `to` says where."""
        file = Path(file)
        return self.write(to or f"{ROOT}/{file.name}", read_text(file), pinned=pin_of(file.name, pinned))

    def follow(self, where: str | Path, *, to: str = ROOT) -> builtins.list[Note]:
        """Keep a file, or a project's CLAUDE.md and AGENTS.md, as pinned notes that are read again when they change.

        They are the operator's word, which a model cannot edit. Call it once in each process.
        """
        to, read = check_folder(to), []
        for file in files_of(Path(where)):
            path, followed = f"{to}/{file.name}", Followed(file.absolute(), stamp(file))
            read.append(self.write(path, read_text(file), pinned=True, origin="operator"))
            self._memory._runtime.followed.setdefault(self._memory.owner, {})[path] = followed
        return read

    def unfollow(self, path: str) -> None:
        """Read the file behind this note no more; the note stays."""
        if self._memory._runtime.followed.get(self._memory.owner, {}).pop(check_path(path), None) is None:
            raise NotFound(f"no file is followed at {path!r}: follow() gives the notes that are")

    def refresh(self) -> None:
        """Take over what has changed in the files that are followed; every context does so first. A file that is gone
        is no longer in view; one that cannot be taken over leaves its last version there, and `health()` says so."""
        runtime = self._memory._runtime
        for path, followed in runtime.followed.get(self._memory.owner, {}).items():
            now = stamp(followed.file)
            if now == followed.seen:
                continue
            runtime.problems.pop(f"the file at {path}", None)
            if now is None:
                runtime.problems[f"the file at {path}"] = f"{followed.file} is followed and is gone"
                if any(note.path == path for note in self.list(path)):
                    self.delete(path, origin="operator")
            else:
                try:
                    self.write(path, read_text(followed.file), pinned=True, origin="operator")
                except RecollectError as error:
                    runtime.problems[f"the file at {path}"] = str(error)
            followed.seen = now

    def export_folder(self, folder: str | Path, *, overwrite: bool = False) -> builtins.list[Path]:
        """Write every note as a file, and give their paths. A file with other content stops it all, unless
        `overwrite`."""
        texts = {note.path[len(ROOT) + 1 :]: note.text for note in self.list()}
        return write_files(Path(folder), texts, overwrite=overwrite)

    def _versions(self, path: str) -> builtins.list[Note]:
        return self._memory.store.read(self._memory.owner, Note, Query(path=path))

    def _stood(self, versions: Sequence[Note], at: datetime) -> builtins.list[Note]:
        """The versions that stood at that moment, with every later change taken back."""
        earlier: dict[str, Mapping[str, Any] | None] = {}
        for change in self._memory.store.read(self._memory.owner, Change, Query(after=at)):
            earlier.setdefault(change.record_id, change.before)
        untouched = [note for note in versions if note.id not in earlier]
        restored = [from_plain(Note, before) for note in versions if (before := earlier.get(note.id))]
        begun = [note for note in (*untouched, *restored) if note.learned <= at]
        stood = [note for note in begun if note.retired is None or note.retired > at]
        return sorted(stood, key=lambda note: (note.path, note.version))

    @retried
    def _write(
        self, texts: Sequence[tuple[str, str, bool | None]], *, origin: Origin, expected_version: int | None = None
    ) -> builtins.list[Note]:
        """Write these texts in one transaction; (path, text, pinned)."""
        redactor = self._memory._runtime.redactor  # what a model writes is words; what a program writes is its own
        redact = redactor.text if origin == "assistant" else redactor.given
        ready = [(check_path(path), redact(clean(text))[0], pinned) for path, text, pinned in texts]
        for path, text, _ in ready:
            if (size := len(text.encode())) > MOST_BYTES:
                raise InvalidInput(f"the note {path!r} has {size:,} bytes, {MOST_BYTES:,} are allowed: split it")
        with self._memory.store.transaction(self._memory.owner):
            self._refuse_clash([path for path, _, _ in ready])
            now = self._memory.tick()
            steps: builtins.list[Step] = []
            for path, text, pinned in ready:
                before = self._expected(path, expected_version)
                steps += steps_to(before, self._version(path, text, now, pinned=bool(pinned), origin=origin), pinned)
            self._save(steps, now, origin, "written")
            refuse_large_core(self._memory.store, self._memory.owner, now)
            written = [self.read(path) for path, _, _ in ready]
        self._memory.embed_records([after for _, after, kind in steps if kind == "written"])
        return written

    def _expected(self, path: str, version: int | None) -> Note | None:
        """The note at this path, if any, after a look at its version."""
        note = next(iter(current(self._versions(path))), None)
        if version is not None and version != (note.version if note else 0):
            found = f"at version {note.version}" if note else "not there"
            raise InvalidInput(f"{path!r} is {found}, not at version {version}: read it again before you write")
        return note

    def _version(self, path: str, text: str, now: datetime, *, pinned: bool, origin: Origin) -> Note:
        """A next version of the note at this path, not yet kept."""
        version = max((note.version for note in self._versions(path)), default=0) + 1
        new_id = self._memory.clock.new_id("n")
        return Note(new_id, self._memory.owner, path, text, version, now, pinned, origin=origin)

    @retried
    def _pin(self, path: str, *, pinned: bool, origin: Origin) -> Note:
        with self._memory.store.transaction(self._memory.owner):
            note = self.read(path)
            if note.pinned == pinned:
                return note
            kind: ChangeKind = "pinned" if pinned else "unpinned"
            now = self._memory.tick()
            saved = self._save([(note, replace(note, pinned=pinned), kind)], now, origin, kind)
            refuse_large_core(self._memory.store, self._memory.owner, now)
        return saved[0]

    def _save(self, steps: Sequence[Step], now: datetime, origin: Origin, why: str) -> builtins.list[Note]:
        """Keep the notes after these steps, each with its change, in one group."""
        memory, origin = self._memory, origin_of(origin, "user")
        group = memory.clock.new_id("g")
        changes = [log_entry(memory.clock, memory.owner, (*step, why), now, origin, group) for step in steps]
        notes = [after for _, after, _ in steps]
        memory.store.save(memory.owner, notes)
        memory.store.save(memory.owner, changes)
        return notes

    def _refuse_clash(self, paths: Sequence[str], leaving: str | None = None) -> None:
        """A path cannot be a note and a folder at once: no folder on disk could hold that."""
        if repeated := next((path for path in paths if paths.count(path) > 1), None):
            raise InvalidInput(f"two texts are given for {repeated!r}: rename one")
        for path in paths:
            others = {one.path for one in self._along(path)} - {leaving} | set(paths)
            clash = next((other for other in others if is_inside(other, path) or is_inside(path, other)), None)
            if clash is not None:
                raise InvalidInput(f"{path!r} and {clash!r} cannot both be notes: one would be a folder; rename one")

    def _along(self, path: str) -> builtins.list[Note]:
        """The notes at the folders that a path leads through, and those in the folder that it would be."""
        ask = partial(self._memory.store.read, self._memory.owner, Note)
        segments = path.split("/")
        folders = ["/".join(segments[:end]) for end in range(3, len(segments))]  # the first are "" and the root
        above = [note for folder in folders for note in ask(Query(path=folder, current=True))]
        return [*above, *ask(Query(under=path, current=True))]


def check_folder(path: str) -> str:
    """The path of a folder of notes, or of a note, in its canonical form; /memories itself will do."""
    path = path.rstrip("/") or path
    return ROOT if path == ROOT else check_path(path)


def check_path(path: object) -> str:
    """The path of a note in its canonical form."""
    if not isinstance(path, str):
        raise InvalidInput(f"a note's path must be a text such as '{ROOT}/persona.md', got {shortened(path)}")
    path = unicodedata.normalize("NFC", path)
    if problem := path_problem(path):
        raise InvalidInput(f"the path {shortened(path)} {problem}")
    return path


def path_problem(path: str) -> str | None:
    """What is wrong with a path, or None."""
    if not path.startswith(f"{ROOT}/"):
        return f"must begin with {ROOT}/, such as '{ROOT}/persona.md'"
    segments = path[1:].split("/")
    if "" in segments:
        return "has an empty part: leave out doubled and closing slashes"
    if "." in segments or ".." in segments or "\\" in path or re.search("(?i)%(?:2e|2f|5c|00|25)", path):
        return "could lead elsewhere: leave out '.', '..', backslashes and encoded characters"
    if any(unicodedata.category(letter) in UNSEEN for letter in path):
        return "has characters that cannot be shown: leave them out"
    if len(segments) > MOST_SEGMENTS:
        return f"has {len(segments)} parts: use {MOST_SEGMENTS} at most"
    if len(path.encode()) > LONGEST_PATH:
        return f"has {len(path.encode())} bytes: use {LONGEST_PATH} at most"
    return None


def current(notes: Sequence[Note]) -> list[Note]:
    return [note for note in notes if note.retired is None]


def steps_to(before: Note | None, note: Note, pinned: bool | None) -> list[Step]:
    """What makes the note out of the one before it: nothing, a pin, or a new version."""
    if before is None:
        return [(None, note, "written")]
    note = replace(note, pinned=before.pinned if pinned is None else pinned)
    if before.text != note.text:
        return [(before, replace(before, retired=note.learned), "retired"), (None, note, "written")]
    if before.pinned == note.pinned:
        return []
    return [(before, replace(before, pinned=note.pinned), "pinned" if note.pinned else "unpinned")]


def is_inside(path: str, folder: str) -> bool:
    return path.startswith(f"{folder}/")


def pin_of(path: str, pinned: bool | None) -> bool | None:
    return True if pinned is None and path.rsplit("/", 1)[-1] in PROJECT_FILES else pinned


def missing(path: str, versions: Sequence[Note]) -> str:
    """What to say of a note that is not there."""
    if not versions:
        return f"there is no note at {path!r}: list() shows what there is"
    newest = versions[-1]
    gone = f", deleted on {newest.retired:%Y-%m-%d}" if newest.retired else ""
    return f"there is no such note at {path!r} (versions 1 to {newest.version}{gone}): versions() shows them"
