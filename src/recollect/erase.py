"""Gone for good: records, what was derived from them, and every trace of their words in the store's files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple

from recollect.errors import InvalidInput, NotFound, StoreError
from recollect.facts.attributes import names_of, relations
from recollect.mentions import Left, mentions, still_held
from recollect.records import USER, Change, Erasure, Fact, Hit, Message, Note
from recollect.runtime import Parts
from recollect.store import Counts, Erased, Query, facts_from
from recollect.store.retries import again, retried

ERASED = "[erased]"
HASHED = 20_000
"""Rounds of the hash that stands for what was asked: some milliseconds, beside a scan of the files."""

UNFINISHED = (
    "{store}: the records are gone, but their words could not be pushed out of the files yet ({why}): it is done when "
    "the store is opened next, or when the same is erased once more"
)
NOT_SCANNED = (
    "{store}: the erase was finished later than it began, when its words were not known any more: they were "
    "overwritten and the log was emptied, but no scan could look for them"
)
HELD = "{store}: other records still mentioned some of it: the first receipt named them, search for it to find them"
BLOCKED = "{store}: the log could not be emptied, as another process is reading: erase the same again when it has ended"


@dataclass
class Targets:
    """The records that are to go, by id."""

    facts: dict[str, Fact] = field(default_factory=dict)
    messages: dict[str, Message] = field(default_factory=dict)
    notes: dict[str, Note] = field(default_factory=dict)

    def ids(self) -> list[str]:
        return [*self.facts, *self.messages, *self.notes]

    def texts(self) -> list[str]:
        """Every text that must not be found any more, longest first."""
        texts = {message.content for message in self.messages.values()} | {note.text for note in self.notes.values()}
        for fact in self.facts.values():
            texts |= {fact.text, *(source.quote for source in fact.sources)}
        return sorted((text for text in texts if text.strip()), key=len, reverse=True)


def erase(
    parts: Parts, owner: str, what: object, *, subject: str | None, session: str | None, everything: bool
) -> Erasure:
    """Erase what is named, and say what went and what a scan of the files found afterwards. Asked for again, when
    nothing is left of it, the receipt of then: the first one may have been lost."""
    if sum((what is not None, subject is not None, session is not None, everything)) != 1:
        raise InvalidInput("name exactly one thing to erase: a record or key, subject=, session= or everything=True")
    request = request_of(owner, what, subject, session, everything)
    gone = remove(parts, owner, request, what, subject=subject, session=session, everything=everything)
    return earlier_receipt(parts, owner, request) if gone is None else scrubbed(parts, owner, request, gone)


class Gone(NamedTuple):
    """What was removed, and is durably gone from the answers, but not from the files yet."""

    targets: Targets
    counts: Counts
    at: datetime
    left: Left


@retried
def remove(
    parts: Parts,
    owner: str,
    request: str,
    what: object,
    *,
    subject: str | None,
    session: str | None,
    everything: bool,
) -> Gone | None:
    """Remove the records that are named; None where there are none."""
    with parts.store.transaction(owner):
        targets = chosen(parts, owner, what, subject, session, everything)
        if not targets.ids():
            return None
        spread(parts, owner, targets, what_was_said=subject is None and not targets.facts)
        now = parts.tick(owner)
        names = called(parts, owner, subject) if subject is not None else set[str]()
        blot(parts, owner, targets)
        # Log entries of earlier erasures name no record; they go only with everything.
        ids = [*targets.ids(), ""] if everything else targets.ids()
        counts = parts.store.erase(owner, ids, request=request, at=now)
        if not everything:
            parts.store.save(owner, [noted(parts, owner, targets)])
        left = still_held(parts.store, owner, list(targets.facts.values()), targets.texts(), names)
    return Gone(targets, counts, now, left)


def scrubbed(parts: Parts, owner: str, request: str, gone: Gone) -> Erasure:
    """The receipt, after what was removed is pushed out of the files too. A fault on the way does not undo what is
    durable: the receipt tells of it."""
    try:
        texts, held = unique_texts(parts, owner, gone.targets), bool(gone.left.whole)
        scanned, residue = again(lambda: parts.store.scrub(texts, request=request, held=held))
    except StoreError as error:
        scanned, residue = (), (UNFINISHED.format(store=parts.store.name, why=error.__cause__ or error),)
    verified = bool(scanned) and not residue and not gone.left.whole
    places = (*residue, *gone.left.lines())
    made = receipt(owner, gone.counts, gone.at, verified=verified, residue=places, scanned=scanned)
    return replace(made, also_in=gone.left.ids)


def earlier_receipt(parts: Parts, owner: str, request: str) -> Erasure:
    """The receipt of the same erase, which was made before; what had broken off is finished first."""
    kept = parts.store.read(owner, Erased, Query(ids=[request]))
    if not kept:
        raise NotFound(f"{owner!r} has nothing of that kind to erase")
    if not kept[0].finished:
        parts.store.scrub(None)
        kept = parts.store.read(owner, Erased, Query(ids=[request])) or kept
    done = kept[0]
    residue = (HELD,) if done.held else () if done.scanned else (NOT_SCANNED if done.finished else BLOCKED,)
    lines = tuple(line.format(store=parts.store.name) for line in residue)
    return receipt(owner, done.counts, done.at, verified=not lines, residue=lines, scanned=done.scanned)


def receipt(
    owner: str,
    counts: Counts,
    at: datetime,
    *,
    verified: bool,
    residue: tuple[str, ...],
    scanned: tuple[str, ...],
) -> Erasure:
    """The receipt of so many records."""
    return Erasure(
        owner=owner,
        facts=counts.facts,
        messages=counts.messages,
        notes=counts.notes,
        changes=counts.changes,
        vectors=counts.vectors,
        at=at,
        verified=verified,
        residue=residue,
        scanned=scanned,
    )


def request_of(owner: str, what: object, subject: str | None, session: str | None, everything: bool) -> str:
    """What was asked to be erased, and of whom, as a hash by which a later call is known again. It is made slowly, so
    that nobody finds out by trying names; salted with the owner, so that no list of names serves for two."""
    what = what.record if isinstance(what, Hit) else what
    named = what.id if isinstance(what, Fact | Message | Note) else what
    asked = json.dumps([str(named), subject and subject.casefold(), session, everything])
    salt = f"recollect erase {owner}".encode(errors="surrogatepass")
    return hashlib.pbkdf2_hmac("sha256", asked.encode(), salt, HASHED).hex()


def chosen(
    parts: Parts, owner: str, what: object, subject: str | None, session: str | None, everything: bool
) -> Targets:
    """The records that were named."""
    store, targets = parts.store, Targets()
    if everything:
        targets.facts = by_id(store.read(owner, Fact))
        targets.messages = by_id(store.read(owner, Message))
        targets.notes = by_id(store.read(owner, Note))
    elif session is not None:
        targets.messages = by_id(store.read(owner, Message, Query(session=session)))
    elif subject is not None:
        names = called(parts, owner, subject)
        targets.facts = by_id(fact for fact in store.read(owner, Fact) if concerns(fact, names))
        targets.messages = by_id(message for message in store.read(owner, Message) if mentions(message.content, names))
    else:
        one_record(parts, owner, what, targets)
    return targets


def one_record(parts: Parts, owner: str, what: object, targets: Targets) -> None:
    """A record by itself or its id, a note by its path, or all facts that a key ever held."""
    if isinstance(what, Hit):
        what = what.record
    if isinstance(what, Fact | Message | Note):
        what = what.id
    if not isinstance(what, str) or not what.strip():
        raise InvalidInput(f"name what to erase by its id, its key or the record itself, not {what!r}")
    store = parts.store
    targets.facts = by_id(store.read(owner, Fact, Query(ids=[what])))
    targets.messages = by_id(store.read(owner, Message, Query(ids=[what])))
    targets.notes = by_id(store.read(owner, Note, Query(ids=[what])) or store.read(owner, Note, Query(path=what)))
    if not targets.ids():
        targets.facts = by_id(store.read(owner, Fact, Query(subjects=[USER], attributes=names_of(what))))


def called(parts: Parts, owner: str, subject: str) -> set[str]:
    """All names that a subject goes by: "sister", "Anna", "sister Anna"."""
    if not isinstance(subject, str) or not subject.strip():
        raise InvalidInput(f"subject must be a name, not {subject!r}")
    names = {subject.casefold()}
    for fact in parts.store.read(owner, Fact, Query(subjects=[USER], attributes=list(relations()))):
        if fact.value.casefold() in names or fact.attribute.casefold() in names:
            names |= {fact.value.casefold(), f"{fact.attribute} {fact.value}".casefold()}
            names |= {fact.attribute.casefold()} if only(parts, owner, fact) else set()
    return names


def only(parts: Parts, owner: str, fact: Fact) -> bool:
    """Whether the relation has held this one value alone, so that its word means this subject."""
    others = parts.store.read(owner, Fact, Query(subjects=[USER], attributes=[fact.attribute]))
    return len({one.value.casefold() for one in others}) == 1


def concerns(fact: Fact, names: set[str]) -> bool:
    """Whether a fact is about a subject with one of these names, or mentions it."""
    return fact.subject.casefold() in names or mentions(fact.text, names) or mentions(fact.value, names)


def spread(parts: Parts, owner: str, targets: Targets, *, what_was_said: bool) -> None:
    """The words that facts come from go with them. When it is words that are erased, facts that rest on nothing else go
    too; when it is facts, others that were said in the same breath stay, without their quotes."""
    quoted = {source.message for fact in targets.facts.values() for source in fact.sources}
    targets.messages |= by_id(parts.store.read(owner, Message, Query(ids=sorted(quoted))))
    derived = facts_from(parts.store, owner, list(targets.messages)) if what_was_said else {}
    for fact in (one for facts in derived.values() for one in facts):
        if all(source.message in targets.messages for source in fact.sources):
            targets.facts.setdefault(fact.id, fact)


def blot(parts: Parts, owner: str, targets: Targets) -> None:
    """Take quoted words of erased records out of the reasons and log entries of those that stay."""
    texts = [text for text in targets.texts() if len(text) > 3]
    going = set(targets.ids())
    facts = [fact for fact in parts.store.read(owner, Fact) if fact.id not in going]
    cleaned = [(fact, replace(fact, why=without(fact.why, texts))) for fact in facts]
    parts.store.save(owner, [after for before, after in cleaned if after != before])
    entries = [change for change in parts.store.read(owner, Change) if change.record_id not in going]
    wiped = [(entry, wiped_change(entry, texts)) for entry in entries]
    parts.store.save(owner, [after for before, after in wiped if after != before])


def wiped_change(change: Change, texts: Sequence[str]) -> Change:
    return replace(
        change,
        why=without(change.why, texts),
        before=without_inside(change.before, texts),
        after=without_inside(change.after, texts),
    )


def without(text: str, texts: Sequence[str]) -> str:
    for erased in texts:
        text = text.replace(erased, ERASED)
    return text


def without_inside(value: Any, texts: Sequence[str]) -> Any:
    """The same for the reasons and quotes inside a logged record; its own text is its own."""
    if value is None:
        return None
    sources = [{**source, "quote": without(source["quote"], texts)} for source in value.get("sources", [])]
    changed = {**value, "why": without(value["why"], texts)} if "why" in value else dict(value)
    return {**changed, "sources": sources} if "sources" in value else changed


def noted(parts: Parts, owner: str, targets: Targets) -> Change:
    """The log entry of an erasure: how much went, nothing of what it was."""
    went = {"fact": len(targets.facts), "message": len(targets.messages), "note": len(targets.notes)}
    why = "erased " + ", ".join(f"{many} {what}" if many == 1 else f"{many} {what}s" for what, many in went.items())
    return Change(
        id=parts.clock.new_id("c"),
        owner=owner,
        kind="erased",
        record="fact",
        record_id="",
        at=parts.tick(owner),
        origin="operator",
        why=why,
        group=parts.clock.new_id("g"),
    )


def unique_texts(parts: Parts, owner: str, targets: Targets) -> list[str]:
    """Erased texts that no record of this owner still holds of its own."""
    kept = [message.content for message in parts.store.read(owner, Message)]
    kept += [fact.text for fact in parts.store.read(owner, Fact)] + [
        note.text for note in parts.store.read(owner, Note)
    ]
    everything = "\n".join(kept)
    return [text for text in targets.texts() if text not in everything]


def by_id(records: Iterable[Any]) -> dict[str, Any]:
    return {record.id: record for record in records}
