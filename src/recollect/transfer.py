"""Everything out and in again: JSON Lines with both clocks, or one plain dictionary of what holds now."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from recollect.attributes import attribute
from recollect.errors import InvalidInput
from recollect.parts import Parts
from recollect.plain import from_plain, to_plain
from recollect.records import USER, Change, Fact, Message, Note
from recollect.remember import remember
from recollect.stores.again import retried

FORMAT = 1
KINDS: dict[str, Any] = {"message": Message, "fact": Fact, "note": Note, "change": Change}
Progress = Callable[[int, int], None]


def silent(done: int, total: int) -> None:
    """Shows no progress."""


def export_lines(parts: Parts, owner: str) -> Iterator[str]:
    """A header, then every record as one line of JSON."""
    store = parts.store
    yield json.dumps({"recollect": FORMAT, "owner": owner, "exported": parts.now().isoformat()}, ensure_ascii=False)
    records = (("message", store.messages), ("fact", store.facts), ("note", store.notes), ("change", store.changes))
    for kind, read in records:
        for record in read(owner):
            yield json.dumps({"kind": kind, "record": to_plain(record)}, ensure_ascii=False)


def export_dictionary(parts: Parts, owner: str) -> dict[str, Any]:
    """What holds now: keys and values, a list where a key has several, another subject before its key."""
    result: dict[str, Any] = {}
    for fact in parts.store.facts(owner, holding=parts.present(owner)):
        key = fact.attribute if fact.subject == USER else f"{fact.subject}: {fact.attribute}"
        held = result.get(key)
        if attribute(fact.attribute).holds == "one" and held is None:
            result[key] = fact.value
        else:
            result[key] = [*([held] if isinstance(held, str) else held or []), fact.value]
    return result


def export_to(parts: Parts, owner: str, path: Path, form: str) -> int:
    """Write the export beside its place and move it there, so that a broken one never stands for a whole one."""
    if form not in ("jsonl", "json"):
        raise InvalidInput(f"form must be 'jsonl' (everything) or 'json' (what holds now), not {form!r}")
    lines: Iterable[str] = export_lines(parts, owner)
    if form == "json":
        lines = [json.dumps(export_dictionary(parts, owner), ensure_ascii=False, indent=2)]
    part, written = path.with_name(path.name + ".part"), 0
    try:
        with part.open("w", encoding="utf-8") as file:
            for line in lines:
                file.write(line + "\n")
                written += 1
        part.replace(path)
    except OSError as error:
        raise InvalidInput(f"cannot write {str(path)!r}: {error.strerror or error}") from error
    return len(export_dictionary(parts, owner)) if form == "json" else written - 1


@retried
def import_from(parts: Parts, owner: str, path: Path, form: str | None, progress: Progress = silent) -> int:
    """Read an export of either form into this owner's memory, all of it or nothing."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"cannot read {str(path)!r}: {error}") from error
    if (form or guessed(text)) == "jsonl":
        return import_lines(parts, owner, text.split("\n"), progress)
    return import_dictionary(parts, owner, parsed(text, 1), progress)


def guessed(text: str) -> str:
    return "jsonl" if text.lstrip().startswith('{"recollect"') else "json"


def parsed(line: str, number: int) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as error:
        raise InvalidInput(f"line {number} is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise InvalidInput(f"line {number} is not an object: {line[:80]!r}")
    return value


def import_lines(parts: Parts, owner: str, lines: list[str], progress: Progress) -> int:
    """Keep every record with its ids and both clocks; what is there already, unchanged, is passed over."""
    header = parsed(lines[0], 1) if lines else {}
    if header.get("recollect") != FORMAT:
        raise InvalidInput(f"not an export of this version: the first line must be a header with recollect={FORMAT}")
    records = [read_record(parsed(line, number), owner) for number, line in enumerate(lines[1:], 2) if line.strip()]
    count = 0
    with parts.store.transaction(owner):
        for kind, (read, save) in savers(parts).items():
            wanted = [record for record in records if type(record) is kind]
            held = {record.id: record for record in read(owner, ids=[record.id for record in wanted])} if wanted else {}
            new = [record for record in wanted if record.id not in held]
            if clash := next((one for one in wanted if one.id in held and held[one.id] != one), None):
                raise InvalidInput(f"{clash.id!r} is already here with other content; import into an empty owner")
            for start in range(0, len(new), 500):
                save(owner, new[start : start + 500])
                progress(count + min(start + 500, len(new)), len(records))
            count += len(new)
        parts.store.settle(owner, [record.id for record in records if isinstance(record, Message)])
    return count


def savers(parts: Parts) -> dict[type, tuple[Any, Any]]:
    store = parts.store
    return {
        Message: (store.messages, store.save_messages),
        Fact: (store.facts, store.save_facts),
        Note: (store.notes, store.save_notes),
        Change: (store.changes, store.save_changes),
    }


def read_record(line: dict[str, Any], owner: str) -> Message | Fact | Note | Change:
    kind = KINDS.get(line.get("kind", ""))
    if kind is None or not isinstance(line.get("record"), dict):
        raise InvalidInput(f"an export line needs a kind among {sorted(KINDS)} and a record, not {str(line)[:80]!r}")
    return from_plain(kind, line["record"] | {"owner": owner})  # type: ignore[no-any-return]


def import_dictionary(parts: Parts, owner: str, data: dict[str, Any], progress: Progress) -> int:
    """Remember every key of a plain dictionary; its facts have the origin "import"."""
    pairs = [(key, value) for key, held in data.items() for value in (held if isinstance(held, list) else [held])]
    with parts.together(owner):
        for done, (key, value) in enumerate(pairs, 1):
            subject, _, name = key.rpartition(": ")
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            said, whose = parts.tick(owner), subject or USER
            remember(parts, owner, name, text, category=None, subject=whose, said=said, origin="import")
            progress(done, len(pairs))
    return len(pairs)
