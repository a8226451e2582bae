"""Notes that a service keeps, with the verbs of Notes."""

from __future__ import annotations

import builtins
from pathlib import Path
from typing import Any
from urllib.parse import quote

from recollect.client.connection import Connection, content_of, record_of, records_of, remote
from recollect.note_folder import files_in, read_text, write_files
from recollect.notes import ROOT, Notes, check_folder, check_path, pin_of
from recollect.records import Note, Origin
from recollect.serialize import from_plain
from recollect.text.dates import Time


class ClientNotes:
    """The notes of one owner, behind a service. Folders are those of this machine."""

    def __init__(self, connection: Connection, base: str) -> None:
        self._connection, self._base = connection, f"{base}/notes"

    def write(
        self,
        path: str,
        text: str,
        *,
        pinned: bool | None = None,
        expected_version: int | None = None,
        origin: Origin = "user",
    ) -> Note:
        """Keep the text as the next version of the note at this path."""
        body = {"text": text, "pinned": pinned, "origin": origin}
        guard = {} if expected_version is None else {"If-Match": f'"{expected_version}"'}
        return from_plain(Note, content_of(self._connection.send("PUT", self._at(path), json=body, headers=guard)))

    def read(self, path: str, *, version: int | None = None, known_at: Time | None = None) -> Note:
        """The note at this path: as it is, as it was in a version, or as it was known at a moment."""
        return from_plain(Note, self._connection.get(self._at(path), version=version, known_at=known_at))

    def delete(self, path: str, *, origin: Origin = "user") -> Note:
        """Take the note away; its versions stay, and `undo` brings it back."""
        return from_plain(Note, content_of(self._connection.send("DELETE", self._at(path), params={"origin": origin})))

    versions = remote(Notes.versions, "pages", "/versions", records_of(Note))
    list = remote(Notes.list, "pages", "", records_of(Note))
    rename = remote(Notes.rename, "post", "/rename", record_of(Note))
    pin = remote(Notes.pin, "post", "/pin", record_of(Note))
    unpin = remote(Notes.unpin, "post", "/unpin", record_of(Note))

    def import_folder(self, folder: str | Path, *, to: str = ROOT, pinned: bool | None = None) -> builtins.list[Note]:
        """Write every .md and .txt file of a folder as a note, all or none; hidden folders are left out."""
        to = check_folder(to)
        files = [(f"{to}/{name}", text) for name, text in files_in(Path(folder))]
        notes = [{"path": path, "text": text, "pinned": pin_of(path, pinned)} for path, text in files]
        return records_of(Note)(self._done("post", "/import", notes=notes)) if notes else []

    def import_file(self, file: str | Path, to: str | None = None, *, pinned: bool | None = None) -> Note:
        """Write one file as a note, at /memories under its name unless `to` says where."""
        file = Path(file)
        return self.write(to or f"{ROOT}/{file.name}", read_text(file), pinned=pin_of(file.name, pinned))

    def export_folder(self, folder: str | Path, *, overwrite: bool = False) -> builtins.list[Path]:
        """Write every note as a file, and give their paths."""
        texts = {note.path[len(ROOT) + 1 :]: note.text for note in self.list()}
        return write_files(Path(folder), texts, overwrite=overwrite)

    def _at(self, path: str) -> str:
        """Where a note is; its slashes stay."""
        return f"{self._base}/{quote(check_path(path)[1:], safe='/')}"

    def _done(self, way: str, path: str, /, **asked: Any) -> Any:
        return getattr(self._connection, way)(f"{self._base}{path}", **asked)
