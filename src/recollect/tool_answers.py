"""What each of a model's tools does, and what it says to the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recollect.errors import InvalidInput, NotAllowed, NotFound
from recollect.facts.trust import TRUST, attribution, is_untrusted, lowest
from recollect.notes import ROOT
from recollect.records import USER, Fact, Hit, Message, Note, Origin
from recollect.retrieve.search import KINDS
from recollect.store import Query, RecordKind
from recollect.summary import cut
from recollect.text.tokens import count

if TYPE_CHECKING:
    from recollect.memory import Memory

OPEN_TOKENS = 1_000
MOST_HITS = 20
LINE_LETTERS = 300


@dataclass(frozen=True, slots=True)
class Answered:
    """What a tool says, and the lowest origin of what it shows."""

    text: str
    origin: Origin = "user"


Given = Mapping[str, Any]


def remember(memory: Memory, given: Given, origin: Origin) -> Answered:
    fact = memory.remember(given["key"], given["value"], category=given.get("category"), origin=origin)
    if fact.disputes:
        return disputed(memory, fact)
    if fact.confirmations:
        return Answered(f"Already known: {known_as(fact)}.")
    former = by_id(memory, fact.replaces)
    return Answered(f"Remembered: {known_as(fact)}" + (f" (replaced {former.value})." if former else "."))


def recall(memory: Memory, given: Given, origin: Origin) -> Answered:
    """All values that the key holds: one allergy told of two would be worse than none."""
    facts = [fact for fact in memory.facts(subject=USER, attribute=given["key"]) if fact.disputes is None]
    if not facts:
        return Answered(f'Nothing is known about "{given["key"]}".')
    return shown(", ".join(fact.value for fact in facts), facts)


def search(memory: Memory, given: Given, origin: Origin, *, kinds: Sequence[RecordKind] = KINDS) -> Answered:
    """The hits, best first, as many as fit the answer."""
    hits = memory.search(given["query"], limit=given.get("limit", 5), kinds=kinds)
    lines = fit([hit_line(hit) for hit in hits], 300)
    return shown("\n".join(lines) or "Nothing found.", [hit.record for hit in hits[: len(lines)]])


def open_up(memory: Memory, given: Given, origin: Origin) -> Answered:
    what = given["what"].strip()
    if what.startswith("/"):
        return open_note(memory, what, given.get("line", 1))
    if fact := by_id(memory, what):
        return open_fact(memory, fact)
    if messages := memory.store.read(memory.owner, Message, Query(ids=[what])):
        return open_message(memory, messages[0])
    if notes := memory.store.read(memory.owner, Note, Query(ids=[what])):
        return open_note(memory, notes[0].path, given.get("line", 1))
    return Answered(f'Nothing has the id "{what}": search shows ids.')


def open_note(memory: Memory, path: str, line: int) -> Answered:
    """The note from this line on, as far as it fits; a folder's notes by their paths."""
    notes = memory.notes.list(path)
    if not notes:
        return Answered(f"There is no note at {path}.")
    if notes[0].path != path.rstrip("/"):
        return shown("\n".join(f"- {note.path}{' (pinned)' if note.pinned else ''}" for note in notes), notes)
    lines = notes[0].text.split("\n")[line - 1 :]
    fitting = fit(lines, OPEN_TOKENS)
    more = f"\n… go on with line {line + len(fitting)}" if len(fitting) < len(lines) else ""
    return shown("\n".join(fitting) + more, notes[:1])


def open_fact(memory: Memory, fact: Fact) -> Answered:
    """Every value that it had, and the words that told it."""
    history = memory.history(fact.attribute, subject=fact.subject)
    lines = []
    for one in history:
        quotes = [f"“{cut(source.quote, LINE_LETTERS)}”" for source in one.sources]
        lines.append(f"- {one.text} ({since_until(one)}) {'; '.join(quotes)}".rstrip())
    return shown("\n".join(fit(lines, OPEN_TOKENS)), history)


def open_message(memory: Memory, message: Message) -> Answered:
    """The message with the three before and after it."""
    said = memory.store.read(memory.owner, Message, Query(session=message.session))
    place = next(place for place, one in enumerate(said) if one.id == message.id)
    around = said[max(0, place - 3) : place + 4]
    lines = [f"{attribution(one).removesuffix(' said')}: {cut(one.content, 2 * LINE_LETTERS)}" for one in around]
    head = f"Session {message.session}, {message.at:%Y-%m-%d}:"
    return shown("\n".join([head, *fit(lines, OPEN_TOKENS)]), around)


def write_note(memory: Memory, given: Given, origin: Origin) -> Answered:
    path, text, old = given["path"], given["text"], given.get("old")
    note = next((one for one in memory.notes.list(path) if one.path == path), None)
    if note is not None:
        refuse_lower(note, origin)
    if old is not None:
        text = with_passage(note, path, old, text)
    written = memory.notes.write(path, text, origin=origin, expected_version=note.version if note else 0)
    return Answered(f"Written: {path}, {count(written.text)} tokens{', always in view' if written.pinned else ''}.")


def with_passage(note: Note | None, path: str, old: str, new: str) -> str:
    """The note's text with one passage replaced."""
    found = note.text.count(old) if note else 0
    if note is None or found != 1:
        many = f"stands {found} times in {path}: give more of the text around it"
        raise InvalidInput(many if found else f"this passage is not in {path}: {cut(old, 80)!r}; open it first")
    return note.text.replace(old, new)


def forget(memory: Memory, given: Given, origin: Origin) -> Answered:
    if note := pathed(memory, given["key"]):
        refuse_lower(note, origin)
        memory.notes.delete(note.path, origin=origin)
        return Answered(f"Taken away: {note.path}.")
    try:
        changes = memory.forget(given["key"], origin=origin)
    except NotFound:
        changes = []
    facts = [found for change in changes if (found := by_id(memory, change.record_id))]
    if not facts:
        return Answered(f'Nothing is known about "{given["key"]}": search for it to find its key or id.')
    return Answered(f"Forgotten: {', '.join(known_as(fact) for fact in facts)}.")


def correct(memory: Memory, given: Given, origin: Origin) -> Answered:
    fact = memory.correct(given["key"], given["value"], origin=origin)
    return disputed(memory, fact) if fact.disputes else Answered(f"Corrected: {known_as(fact)}.")


def pin(memory: Memory, given: Given, origin: Origin, *, pinned: bool) -> Answered:
    """Into core goes only what does not come from a stranger; nothing goes in or out at a stranger's word."""
    refuse_stranger(origin)
    done = "Pinned" if pinned else "Unpinned"
    if note := pathed(memory, given["key"]):
        if pinned:
            refuse_stranger(note.origin)
        note = (memory.notes.pin if pinned else memory.notes.unpin)(note.path, origin=origin)
        return Answered(f"{done}: {note.path}.")
    with memory.store.transaction(memory.owner):
        fact = (memory.pin if pinned else memory.unpin)(given["key"])
        if pinned:
            refuse_stranger(fact.origin)
    return Answered(f"{done}: {known_as(fact)}.")


# What may be done, and to what.


def pathed(memory: Memory, key: str) -> Note | None:
    """The note that is meant, when a path is given."""
    return memory.notes.read(key) if key.startswith(f"{ROOT}/") else None


def refuse_lower(note: Note, origin: Origin) -> None:
    """A note, like a fact, is changed only by an origin of equal or higher trust."""
    if TRUST[origin] < TRUST[note.origin]:
        raise NotAllowed(f"the {note.origin} wrote {note.path}: the {origin} cannot change it")


def refuse_stranger(origin: Origin) -> None:
    if is_untrusted(origin):
        raise NotAllowed(f"what comes from a {origin} cannot decide what is always in view")


def by_id(memory: Memory, fact_id: str | None) -> Fact | None:
    return next(iter(memory.store.read(memory.owner, Fact, Query(ids=[fact_id]))), None) if fact_id else None


# How it is said.


def shown(text: str, records: Sequence[Fact | Message | Note]) -> Answered:
    return Answered(text, lowest("user", *(record.origin for record in records)))


def fit(lines: Sequence[str], budget: int) -> list[str]:
    """As many lines as the budget holds, at least one."""
    kept: list[str] = []
    for line in lines:
        if kept and count("\n".join([*kept, line])) > budget:
            break
        kept.append(line)
    return kept


def known_as(fact: Fact) -> str:
    return f"{fact.attribute} = {cut(fact.value, LINE_LETTERS)}"


def disputed(memory: Memory, fact: Fact) -> Answered:
    """What to say when the user told otherwise."""
    other = by_id(memory, fact.disputes)
    told = f"the {other.origin} said ({other.value})" if other else "the user said"
    return Answered(f"Noted {known_as(fact)}, but it contradicts what {told}: ask the user.")


def hit_line(hit: Hit) -> str:
    """A hit as one line: id, text, day, whether it still holds, and whether a stranger said it."""
    record = hit.record
    at = record.at if isinstance(record, Message) else record.said if isinstance(record, Fact) else record.learned
    who = f"{attribution(record)}: " if isinstance(record, Message) else ""
    over = f", no longer so: {hit.ended.text}" if hit.ended else ", disputed" if hit.dispute else ""
    over += ", planned, not confirmed" if isinstance(record, Fact) and record.planned else ""
    strange = f", from a {record.origin}" if is_untrusted(record.origin) else ""
    return f"- [{hit.id}] {who}{cut(hit.text, LINE_LETTERS)} ({at:%Y-%m-%d}{over}{strange})"


def since_until(fact: Fact) -> str:
    """When it held, in a few words."""
    if fact.retired:
        return "was never so"
    since = f"since {fact.since.date()}" if fact.since else f"said {fact.said.date()}"
    since += " (planned, not confirmed)" if fact.planned else ""
    return f"{since} until {fact.until.date()}" if fact.until else since
