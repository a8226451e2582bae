"""Everything out and in again: JSON Lines with both clocks, one plain dictionary of what holds now, or messages."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from recollect.errors import InvalidInput
from recollect.facts.attributes import attribute
from recollect.messages import place, possible_ids, to_messages
from recollect.records import USER, Change, Fact, Message, Note, Source
from recollect.remember import Remembered, remember
from recollect.runtime import Runtime
from recollect.serialize import from_plain, misfit, to_plain
from recollect.store import Counts, Query, Store, facts_from
from recollect.store.atomic import atomic_file
from recollect.store.retry import retried
from recollect.text.values import Value
from recollect.write import add

FORMAT = 1
KINDS: dict[str, Any] = {"message": Message, "fact": Fact, "note": Note, "change": Change}
"""Facts name messages and changes name facts: what is named comes first."""
AT_ONCE = 500
"""Records that are kept together."""
LINKS = ("replaces", "replaced_by", "disputes")
READ = (
    'an export of recollect, a dictionary of keys and values ({"home": "Lisbon", "likes": ["tea", "jazz"]}), '
    'or the messages of one conversation ([{"role": "user", "content": "…"}], or {"messages": […]})'
)
Progress = Callable[[int, int], None]


def silent(done: int, total: int) -> None:
    """Shows no progress."""


def export_lines(runtime: Runtime, owner: str) -> Iterator[str]:
    """A header, then every record as one line of JSON."""
    store = runtime.store
    yield json.dumps({"recollect": FORMAT, "owner": owner, "exported": runtime.now().isoformat()}, ensure_ascii=False)
    for kind, of in KINDS.items():
        for record in store.read(owner, of):
            yield json.dumps({"kind": kind, "record": to_plain(record)}, ensure_ascii=False)


def export_dictionary(runtime: Runtime, owner: str) -> dict[str, Any]:
    """What holds now: keys and values, a list where a key has several, another subject before its key."""
    result: dict[str, Any] = {}
    for fact in runtime.store.read(owner, Fact, Query(holding=runtime.present(owner))):
        key = fact.attribute if fact.subject == USER else f"{fact.subject}: {fact.attribute}"
        held = result.get(key)
        if attribute(fact.attribute).holds == "one" and held is None:
            result[key] = fact.value
        else:
            result[key] = [*([held] if isinstance(held, str) else held or []), fact.value]
    return result


def export_to(runtime: Runtime, owner: str, path: Path, form: str) -> int:
    """Write the export beside its place and move it there, so that a broken one never stands for a whole one. It is
    for this user alone, as the store is."""
    if form not in ("jsonl", "json"):
        raise InvalidInput(f"form must be 'jsonl' (everything) or 'json' (what holds now), not {form!r}")
    held = export_dictionary(runtime, owner) if form == "json" else {}
    shown = [json.dumps(held, ensure_ascii=False, indent=2)] if form == "json" else export_lines(runtime, owner)
    written = -1  # the first line is a header
    try:
        with atomic_file(str(path)) as part, open(part, "w", encoding="utf-8") as file:
            for line in shown:
                file.write(line + "\n")
                written += 1
    except OSError as error:
        raise InvalidInput(f"cannot write {str(path)!r}: {error.strerror or error}") from error
    return len(held) if form == "json" else written


def import_from(runtime: Runtime, owner: str, path: Path, form: str | None, progress: Progress = silent) -> int:
    """Read an export of either form, or messages, into this owner's memory, all of it or nothing. All is read and
    checked before the store is asked for anything: no other writer waits for a file that comes slowly."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            first = file.readline()
            if (form or ("jsonl" if first.lstrip().startswith('{"recollect"') else "json")) == "jsonl":
                return import_records(runtime, owner, read_export(first, file, owner), progress)
            given = value_of(first + file.read(), 1)
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"cannot read {str(path)!r}: {error}") from error
    if (said := messages_in(given)) is not None:
        return import_messages(runtime, owner, said, progress)
    return import_dictionary(runtime, owner, pairs_in(given), progress)


def value_of(line: str, number: int) -> Any:
    """The JSON value of a line, or of a whole text that begins with it."""
    try:
        return json.loads(line.removesuffix("\n"))
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"line {number} is not JSON: {error}") from error


def object_of(line: str, number: int) -> dict[str, Any]:
    value = value_of(line, number)
    if not isinstance(value, dict):
        raise InvalidInput(f"line {number} is not an object: {line[:80]!r}")
    return value


def read_export(first: str, lines: Iterator[str], owner: str) -> list[Sequence[Any]]:
    """All records of an export that begins with this line, as this owner's: those of one kind together."""
    if object_of(first, 1).get("recollect") != FORMAT:
        raise InvalidInput(f"not an export of this version: the first line must be a header with recollect={FORMAT}")
    found: dict[Any, dict[str, Any]] = {kind: {} for kind in KINDS.values()}
    for number, line in enumerate(lines, 2):
        if line.isspace():
            continue
        record = read_line(line, number, owner)
        if found[type(record)].setdefault(record.id, record) is not record:
            raise InvalidInput(f"{record.id!r} stands twice in this file")
    return [list(records.values()) for records in found.values()]


def read_line(line: str, number: int, owner: str) -> Message | Fact | Note | Change:
    """The record of one line, or an error that tells the line."""
    data = object_of(line, number)
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
def import_records(runtime: Runtime, owner: str, groups: Sequence[Sequence[Any]], progress: Progress) -> int:
    """Keep every record with its ids and both clocks; what is there already, unchanged, is passed over."""
    count, done, total = 0, 0, sum(map(len, groups))
    with runtime.store.transaction(owner):
        arrival = Arrival(runtime.store, owner, empty=runtime.store.counts(owner) == Counts())
        for group in groups:
            for start in range(0, len(group), AT_ONCE):
                records = group[start : start + AT_ONCE]
                count += arrival.keep(records)
                progress(done := done + len(records), total)
    return count


@retried
def import_dictionary(runtime: Runtime, owner: str, pairs: Sequence[tuple[str, Value]], progress: Progress) -> int:
    """Remember every key of a plain dictionary; its facts have the origin "import"."""
    count = 0
    with runtime.together(owner):
        for done, (key, value) in enumerate(pairs, 1):
            subject, _, name = key.rpartition(": ")
            told = Remembered(name, value, None, subject or USER, runtime.tick(owner), "import")
            count += len(remember(runtime, owner, told))
            progress(done, len(pairs))
    return count


@retried
def import_messages(runtime: Runtime, owner: str, said: Sequence[Mapping[str, Any]], progress: Progress) -> int:
    """Add the messages of one conversation, each of which has an id that its place and its words give it where it has
    none: a file that is imported again adds nothing. Gives how many are new."""
    session = f"imported-{digest(said[0])[:8]}"  # from how it begins: the same when the file has grown
    given = to_messages(said, owner=owner, session=session, at=runtime.tick(owner), clock=runtime.clock)
    messages = [
        one if "id" in raw else replace(one, id=f"m_{digest([session, number, raw])[:24]}")
        for number, (one, raw) in enumerate(zip(given, said, strict=True))
    ]
    with runtime.together(owner):
        before = runtime.store.counts(owner).messages
        add(runtime, owner, messages)
        count = runtime.store.counts(owner).messages - before
    progress(len(messages), len(messages))
    return count


def digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def messages_in(given: object) -> list[Mapping[str, Any]] | None:
    """The messages that a value is or has; None where it has none."""
    listed = given.get("messages") if isinstance(given, dict) else None
    if isinstance(listed, list) and any(isinstance(one, dict) for one in listed):
        given = listed
    given = [given] if is_message(given) else given
    if not isinstance(given, list):
        return None
    for number, item in enumerate(given, 1):
        if isinstance(item, dict) and ("mapping" in item or "chat_messages" in item):
            exported = "is a conversation as ChatGPT or Claude exports it; that is not read yet: import reads"
            raise InvalidInput(f"item {number} {exported} {READ}")
        if not is_message(item):
            told = f"is no message with a role and a content: {str(item)[:80]!r}; import reads"
            raise InvalidInput(f"item {number} {told} {READ}")
    if not given:
        raise InvalidInput(f"there is nothing in it: import reads {READ}")
    return given


def is_message(item: object) -> bool:
    """Whether it is a turn that says something."""
    if not isinstance(item, dict) or not isinstance(item.get("role"), str):
        return False
    return bool(item.get("content") or item.get("tool_calls"))


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


class Arrival:
    """Records of an export on their way into an owner's memory, those of one kind after the other: what is there
    already is passed over, what would take the place of something else is refused, and a message whose id another
    session has gets an id of its own."""

    def __init__(self, store: Store, owner: str, *, empty: bool) -> None:
        self._store, self._owner, self._empty = store, owner, empty
        self._names: dict[str, str] = {}
        """Ids of the file that are others here."""
        self._here: set[str] = set()
        """Messages that were here before."""

    def keep(self, records: Sequence[Any]) -> int:
        """Save those of these records, all of one kind, that are not there yet; gives how many."""
        kind = type(records[0])
        if kind is Message:
            return self._keep_messages(records)
        renamed: Sequence[Any] = [with_names(record, self._names) for record in records] if self._names else records
        renamed = self._not_known_otherwise(renamed) if kind is Fact and self._here else renamed
        held = self._held(kind, [record.id for record in renamed])
        new = [record for record in renamed if held.get(record.id) != record]
        if clash := next((one for one in new if one.id in held), None):
            raise other_content(clash.id)
        new = [one for one in new if not isinstance(one, Change) or one.record_id not in self._names]
        self._store.save(self._owner, new)
        return len(new)

    def _held(self, kind: type[Any], ids: Sequence[str]) -> dict[str, Any]:
        """Those of these records that are here, by their ids."""
        return {} if self._empty else {one.id: one for one in self._store.read(self._owner, kind, Query(ids=ids))}

    def _keep_messages(self, messages: Sequence[Message]) -> int:
        """The same item of the same session is passed over; in another session it is kept beside it."""
        names = () if self._empty else {name: None for one in messages for name in possible_ids(one)}
        held = self._held(Message, list(names))
        placed = place(messages, held) if held else messages
        pairs = zip(messages, placed, strict=True)
        self._names |= {given.id: kept.id for given, kept in pairs if given.id != kept.id}
        self._here |= {one.id for one in placed if one.id in held}
        new = [one for one in placed if one.id not in held]
        self._store.save(self._owner, new)
        self._store.settle(self._owner, [one.id for one in new])
        return len(new)

    def _not_known_otherwise(self, facts: Sequence[Fact]) -> list[Fact]:
        """Without facts that were made here too, of messages that were here before; their ids are those made here."""
        named = {source.message for fact in facts for source in fact.sources} & self._here
        known = facts_from(self._store, self._owner, sorted(named)) if named else {}
        made = {told(fact): fact for found in known.values() for fact in found}
        twins = [(fact, made[told(fact)]) for fact in facts if told(fact) in made]
        same = {fact.id: kept.id for fact, kept in twins if fact.id != kept.id}
        if other := next((fact for fact, kept in twins if fact.id in same and is_over(fact) != is_over(kept)), None):
            raise other_content(other.id)
        self._names |= same
        return [with_names(fact, same) for fact in facts if fact.id not in same]


def told(fact: Fact) -> tuple[object, ...]:
    """What tells whether two facts of one message are the same one."""
    return fact.subject, fact.attribute, fact.value


def is_over(fact: Fact) -> tuple[bool, bool]:
    return fact.until is not None, fact.retired is not None


def other_content(record_id: str) -> InvalidInput:
    return InvalidInput(f"{record_id!r} is already here with other content; import into an empty owner")


def with_names(record: Any, names: Mapping[str, str]) -> Any:
    """The record, with the ids that it names as they are here."""
    if isinstance(record, Fact):
        sources = tuple(Source(names.get(one.message, one.message), one.quote) for one in record.sources)
        links = {name: names.get(link, link) for name in LINKS if (link := getattr(record, name))}
        return replace(record, sources=sources, **links)
    if isinstance(record, Change):
        return replace(record, before=data_with(record.before, names), after=data_with(record.after, names))
    return record


def data_with(data: Mapping[str, Any] | None, names: Mapping[str, str]) -> dict[str, Any] | None:
    """The same for a fact as a change tells it."""
    if data is None:
        return None
    links = {name: names.get(data[name], data[name]) for name in LINKS if data.get(name)}
    sources = [one | {"message": names.get(one["message"], one["message"])} for one in data.get("sources") or ()]
    return {**data, **links, **({"sources": sources} if "sources" in data else {})}
