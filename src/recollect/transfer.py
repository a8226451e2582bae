"""Everything out and in again: JSON Lines with both clocks, one plain dictionary of what holds now, or messages."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from recollect.add import add
from recollect.arrival import Arrival, in_order
from recollect.errors import InvalidInput
from recollect.facts.attributes import attribute
from recollect.messages import to_messages
from recollect.records import USER, Change, Fact, Message, Note
from recollect.remember import Told, remember
from recollect.runtime import Parts
from recollect.serialize import from_plain, misfit, to_plain
from recollect.store import Counts, Query
from recollect.store.atomic import atomic_file
from recollect.store.retries import retried
from recollect.text.values import Value

FORMAT = 1
KINDS: dict[str, Any] = {"message": Message, "fact": Fact, "note": Note, "change": Change}
AT_ONCE = 500
"""Lines that are read and kept together."""
Progress = Callable[[int, int], None]


def silent(done: int, total: int) -> None:
    """Shows no progress."""


def export_lines(parts: Parts, owner: str) -> Iterator[str]:
    """A header, then every record as one line of JSON."""
    store = parts.store
    yield json.dumps({"recollect": FORMAT, "owner": owner, "exported": parts.now().isoformat()}, ensure_ascii=False)
    for kind, of in KINDS.items():
        for record in store.read(owner, of):
            yield json.dumps({"kind": kind, "record": to_plain(record)}, ensure_ascii=False)


def export_dictionary(parts: Parts, owner: str) -> dict[str, Any]:
    """What holds now: keys and values, a list where a key has several, another subject before its key."""
    result: dict[str, Any] = {}
    for fact in parts.store.read(owner, Fact, Query(holding=parts.present(owner))):
        key = fact.attribute if fact.subject == USER else f"{fact.subject}: {fact.attribute}"
        held = result.get(key)
        if attribute(fact.attribute).holds == "one" and held is None:
            result[key] = fact.value
        else:
            result[key] = [*([held] if isinstance(held, str) else held or []), fact.value]
    return result


def export_to(parts: Parts, owner: str, path: Path, form: str) -> int:
    """Write the export beside its place and move it there, so that a broken one never stands for a whole one. It is
    for this user alone, as the store is."""
    if form not in ("jsonl", "json"):
        raise InvalidInput(f"form must be 'jsonl' (everything) or 'json' (what holds now), not {form!r}")
    lines: Iterable[str] = export_lines(parts, owner)
    if form == "json":
        lines = [json.dumps(export_dictionary(parts, owner), ensure_ascii=False, indent=2)]
    written = 0
    try:
        with atomic_file(str(path)) as part, open(part, "w", encoding="utf-8") as file:
            for line in lines:
                file.write(line + "\n")
                written += 1
    except OSError as error:
        raise InvalidInput(f"cannot write {str(path)!r}: {error.strerror or error}") from error
    return len(export_dictionary(parts, owner)) if form == "json" else written - 1


def import_from(parts: Parts, owner: str, path: Path, form: str | None, progress: Progress = silent) -> int:
    """Read an export of either form, or messages, into this owner's memory, all of it or nothing. All is read and
    checked before the store is asked for anything: no other writer waits for a file that comes slowly."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            first = file.readline()
            if (form or guessed(first)) == "jsonl":
                return keep_all(parts, owner, read_export(first, file, owner), progress)
            given = value_of(first + file.read(), 1)
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"cannot read {str(path)!r}: {error}") from error
    if (said := messages_in(given)) is not None:
        return import_messages(parts, owner, said, progress)
    return import_dictionary(parts, owner, pairs_in(given), progress)


def guessed(first: str) -> str:
    """The form of a file that begins with this line."""
    return "jsonl" if first.lstrip().startswith('{"recollect"') else "json"


def value_of(line: str, number: int) -> Any:
    """The JSON value of a line, or of a whole text that begins with it."""
    try:
        return json.loads(line.removesuffix("\n"))
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"line {number} is not JSON: {error}") from error


def parsed(line: str, number: int) -> dict[str, Any]:
    value = value_of(line, number)
    if not isinstance(value, dict):
        raise InvalidInput(f"line {number} is not an object: {line[:80]!r}")
    return value


def read_export(first: str, lines: Iterator[str], owner: str) -> list[Sequence[Any]]:
    """All records of an export that begins with this line, those of one kind together, as this owner's."""
    if parsed(first, 1).get("recollect") != FORMAT:
        raise InvalidInput(f"not an export of this version: the first line must be a header with recollect={FORMAT}")
    groups: list[Sequence[Any]] = []
    number = 2
    while some := list(islice(lines, AT_ONCE)):
        groups += read_records(some, number, owner)
        number += len(some)
    return groups


@retried
def keep_all(parts: Parts, owner: str, groups: Sequence[Sequence[Any]], progress: Progress) -> int:
    """Keep every record with its ids and both clocks; what is there already, unchanged, is passed over."""
    count, done, total = 0, 0, sum(map(len, groups))
    with parts.store.transaction(owner):
        arrival = Arrival(parts.store, owner, empty=parts.store.counts(owner) == Counts())
        for records in in_order(groups):
            count += arrival.keep(records)
            progress(done := done + len(records), total)
    return count


def read_records(lines: Sequence[str], first: int, owner: str) -> Iterable[Sequence[Any]]:
    """The records of these lines, those of one kind together; `first`: the number of the first line."""
    groups: dict[type, list[Any]] = {}
    for number, line in enumerate(lines, first):
        if not line.isspace():
            record = read_line(line, number, owner)
            groups.setdefault(type(record), []).append(record)
    return groups.values()


def read_line(line: str, number: int, owner: str) -> Message | Fact | Note | Change:
    """The record of one line, or an error that tells the line."""
    data = parsed(line, number)
    kind = KINDS.get(str(data.get("kind", "")))
    if kind is None or not isinstance(data.get("record"), dict):
        raise InvalidInput(f"line {number} needs a kind among {sorted(KINDS)} and a record, not {str(data)[:80]!r}")
    if name := misfit(kind, data["record"]):
        raise InvalidInput(f"line {number}: {name} can't be {str(data['record'][name])[:80]!r}")
    try:
        record: Message | Fact | Note | Change = from_plain(kind, data["record"] | {"owner": owner})
    except InvalidInput as error:
        raise InvalidInput(f"line {number}: {error}") from error
    return record


@retried
def import_dictionary(parts: Parts, owner: str, pairs: Sequence[tuple[str, Value]], progress: Progress) -> int:
    """Remember every key of a plain dictionary; its facts have the origin "import"."""
    count = 0
    with parts.together(owner):
        for done, (key, value) in enumerate(pairs, 1):
            subject, _, name = key.rpartition(": ")
            told = Told(name, value, None, subject or USER, parts.tick(owner), "import")
            count += len(remember(parts, owner, told))
            progress(done, len(pairs))
    return count


@retried
def import_messages(parts: Parts, owner: str, said: Sequence[Mapping[str, Any]], progress: Progress) -> int:
    """Add the messages of one conversation, each of which has an id that its place and its words give it where it has
    none: a file that is imported again adds nothing. Gives how many are new."""
    session = conversation_of(said)
    given = to_messages(said, owner=owner, session=session, at=parts.tick(owner), clock=parts.clock)
    messages = [one if "id" in said[place] else replace(one, id=id_at(place, said)) for place, one in enumerate(given)]
    with parts.together(owner):
        before = parts.store.counts(owner).messages
        add(parts, owner, messages)
        count = parts.store.counts(owner).messages - before
    progress(len(messages), len(messages))
    return count


READ = (
    'an export of recollect, a dictionary of keys and values ({"home": "Lisbon", "likes": ["tea", "jazz"]}), '
    'or the messages of one conversation ([{"role": "user", "content": "…"}], or {"messages": […]})'
)
EXPORTS = ("mapping", "chat_messages")
"""Keys that conversations have in the exports of ChatGPT and of Claude."""


def messages_in(given: object) -> list[Mapping[str, Any]] | None:
    """The messages that a value is or has; None where it has none."""
    if isinstance(given, dict) and is_list_of_objects(given.get("messages")):
        given = given["messages"]
    if isinstance(given, dict) and is_message(given):
        given = [given]
    if not isinstance(given, list):
        return None
    for place, item in enumerate(given, 1):
        refuse_no_message(item, place)
    if not given:
        raise InvalidInput(f"there is nothing in it: import reads {READ}")
    return given


def is_list_of_objects(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(one, dict) for one in value)


def refuse_no_message(item: object, place: int) -> None:
    """Refuse what would be kept as a turn that says nothing."""
    if isinstance(item, dict) and any(key in item for key in EXPORTS):
        raise InvalidInput(
            f"item {place} is a conversation as ChatGPT or Claude exports it; that is not read yet: import reads {READ}"
        )
    if not isinstance(item, dict) or not is_message(item):
        raise InvalidInput(
            f"item {place} is no message with a role and a content: {str(item)[:80]!r}; import reads {READ}"
        )


def is_message(item: Mapping[str, Any]) -> bool:
    return isinstance(item.get("role"), str) and has_words(item)


def has_words(item: Mapping[str, Any]) -> bool:
    return bool(item.get("content") or item.get("tool_calls"))


def conversation_of(said: Sequence[Mapping[str, Any]]) -> str:
    """A name for a conversation, which follows from how it begins: the same when the file has grown."""
    return f"imported-{digest(said[0])[:8]}"


def id_at(place: int, said: Sequence[Mapping[str, Any]]) -> str:
    """An id for a message, which follows from its conversation, its place and all that it says."""
    return f"m_{digest([conversation_of(said), place, said[place]])[:24]}"


def digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def pairs_in(given: object) -> list[tuple[str, Value]]:
    """Keys and their values; what is no such dictionary is refused, with the key that shows it."""
    if not isinstance(given, dict):
        raise InvalidInput(f"this is {str(given)[:80]!r}: import reads {READ}")
    for key, value in given.items():
        parts = value if isinstance(value, list) else [value]
        if not parts or not all(isinstance(one, str | int | float) for one in parts):
            raise InvalidInput(
                f"the value of {key!r} is no text, number, true or false, nor a list of these: {str(value)[:80]!r}; "
                f"import reads {READ}"
            )
    return list(given.items())
