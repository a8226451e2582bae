"""Gone for good: records, what was derived from them, and every trace of their words in the store's files."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain
from typing import Any, NamedTuple

from recollect.errors import InvalidInput, NotFound, StoreError
from recollect.facts.attributes import names_of, relations
from recollect.records import USER, Change, Erasure, Fact, Hit, Message, Note
from recollect.runtime import Runtime
from recollect.store import Counts, Erased, Query, Store, facts_from, text_of
from recollect.store.retry import retried, retry

HASHED = 20_000
"""Rounds of the hash that stands for what was asked: some milliseconds, beside a scan of the files."""

SHORTEST = 3
"""Values of fewer letters stand in any record by chance."""
FEW, SHARE = 3, 0.02
"""A word tells of an erased value where so many other records have it at most, or this share of them."""
MOST_LINES = 20

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

    @classmethod
    def of(cls, facts: Iterable[Fact] = (), messages: Iterable[Message] = (), notes: Iterable[Note] = ()) -> Targets:
        """These records."""
        by_id = {one.id: one for one in facts}, {one.id: one for one in messages}, {one.id: one for one in notes}
        return cls(*by_id)

    def ids(self) -> list[str]:
        return [*self.facts, *self.messages, *self.notes]

    def texts(self) -> list[str]:
        """Every text that must not be found any more, longest first."""
        texts = {message.content for message in self.messages.values()} | {note.text for note in self.notes.values()}
        for fact in self.facts.values():
            texts |= {fact.text, *(source.quote for source in fact.sources)}
        return sorted((text for text in texts if text.strip()), key=len, reverse=True)


class Left(NamedTuple):
    """Records that were not erased, by id; notes by their path."""

    whole: dict[str, str]
    """They have an erased value or text as it was; with what kind of record each is."""
    partly: dict[str, str]
    """They have a word that few others have."""

    @property
    def ids(self) -> tuple[str, ...]:
        return (*self.whole, *self.partly)

    def lines(self) -> tuple[str, ...]:
        """What to tell a person of each, without the words that were erased."""
        told = []
        for each, kind in self.whole.items():
            way = "path" if kind == "note" else "id"
            told.append(f"{kind} {each} still mentions it: edit it, or erase it by its {way}")
        for each, kind in self.partly.items():
            told.append(f"{kind} {each} has a word of it: look whether it tells of it too")
        more = len(told) - MOST_LINES
        return tuple(told[:MOST_LINES]) + ((f"{more} more records: also_in names them",) if more > 0 else ())


class EraseRequest(NamedTuple):
    """What is to be erased, one of these: a record or key, whatever is about a subject, a session, everything."""

    what: object
    subject: str | None
    session: str | None
    everything: bool

    @property
    def named(self) -> object:
        """The id of the record or hit that is named; a key as it is."""
        what = self.what.record if isinstance(self.what, Hit) else self.what
        return what.id if isinstance(what, Fact | Message | Note) else what

    def digest(self, owner: str) -> str:
        """A hash by which a later call is known again. It is made slowly, so that nobody finds out by trying names;
        salted with the owner, so that no list of names serves for two."""
        subject = self.subject and self.subject.casefold()
        asked = json.dumps([str(self.named), subject, self.session, self.everything])
        salt = f"recollect erase {owner}".encode(errors="surrogatepass")
        return hashlib.pbkdf2_hmac("sha256", asked.encode(), salt, HASHED).hex()


def erase(runtime: Runtime, owner: str, request: EraseRequest) -> Erasure:
    """Erase what is named, and say what went and what a scan of the files found afterwards. Asked for again, when
    nothing is left of it, the receipt of then: the first one may have been lost."""
    what, subject, session, everything = request
    if sum((what is not None, subject is not None, session is not None, everything)) != 1:
        raise InvalidInput("name exactly one thing to erase: a record or key, subject=, session= or everything=True")
    digest = request.digest(owner)
    gone = remove(runtime, owner, request, digest)
    return earlier_receipt(runtime, owner, digest) if gone is None else scrubbed(runtime, owner, digest, gone)


class Gone(NamedTuple):
    """What was removed, and is durably gone from the answers, but not from the files yet."""

    targets: Targets
    counts: Counts
    at: datetime
    left: Left


@retried
def remove(runtime: Runtime, owner: str, request: EraseRequest, digest: str) -> Gone | None:
    """Remove the records that are named; None where there are none."""
    with runtime.store.transaction(owner):
        names = set[str]() if request.subject is None else called(runtime, owner, request.subject)
        targets = chosen(runtime, owner, request, names)
        if not targets.ids():
            return None
        spread(runtime, owner, targets, what_was_said=request.subject is None and not targets.facts)
        now = runtime.tick(owner)
        blot(runtime, owner, targets)
        # Log entries of earlier erasures name no record; they go only with everything.
        ids = [*targets.ids(), ""] if request.everything else targets.ids()
        counts = runtime.store.erase(owner, ids, request=digest, at=now)
        if not request.everything:
            runtime.store.save(owner, [noted(runtime, owner, targets)])
        left = still_held(runtime.store, owner, list(targets.facts.values()), targets.texts(), names)
    return Gone(targets, counts, now, left)


def scrubbed(runtime: Runtime, owner: str, digest: str, gone: Gone) -> Erasure:
    """The receipt, after what was removed is pushed out of the files too. A fault on the way does not undo what is
    durable: the receipt tells of it."""
    try:
        texts, held = unique_texts(runtime.store, owner, gone.targets), bool(gone.left.whole)
        scanned, residue = retry(lambda: runtime.store.scrub(texts, request=digest, held=held))
    except StoreError as error:
        scanned, residue = (), (UNFINISHED.format(store=runtime.store.name, why=error.__cause__ or error),)
    verified = bool(scanned) and not residue and not gone.left.whole
    made = receipt(owner, gone.counts, gone.at, (*residue, *gone.left.lines()), scanned)
    return replace(made, also_in=gone.left.ids, verified=verified)


def earlier_receipt(runtime: Runtime, owner: str, digest: str) -> Erasure:
    """The receipt of the same erase, which was made before; what had broken off is finished first."""
    kept = runtime.store.read(owner, Erased, Query(ids=[digest]))
    if not kept:
        raise NotFound(f"{owner!r} has nothing of that kind to erase")
    if not kept[0].finished:
        runtime.store.scrub(None)
        kept = runtime.store.read(owner, Erased, Query(ids=[digest])) or kept
    done = kept[0]
    residue = (HELD,) if done.held else () if done.scanned else (NOT_SCANNED if done.finished else BLOCKED,)
    lines = tuple(line.format(store=runtime.store.name) for line in residue)
    return receipt(owner, done.counts, done.at, lines, done.scanned)


def receipt(owner: str, counts: Counts, at: datetime, residue: tuple[str, ...], scanned: tuple[str, ...]) -> Erasure:
    """The receipt of so many records, of which nothing is left where no residue is."""
    went = counts.facts, counts.messages, counts.notes, counts.changes, counts.vectors
    return Erasure(owner, *went, at, verified=not residue, residue=residue, scanned=scanned)


def chosen(runtime: Runtime, owner: str, request: EraseRequest, names: set[str]) -> Targets:
    """The records that were named; `names`: those of the subject."""
    store = runtime.store
    if request.everything:
        return Targets.of(store.read(owner, Fact), store.read(owner, Message), store.read(owner, Note))
    if request.session is not None:
        return Targets.of(messages=store.read(owner, Message, Query(session=request.session)))
    if request.subject is None:
        return one_record(store, owner, request.named)
    said = [message for message in store.read(owner, Message) if mentions(message.content, names)]
    facts = [(fact, f"{fact.text}\n{fact.value}") for fact in store.read(owner, Fact)]
    about = [fact for fact, text in facts if fact.subject.casefold() in names or mentions(text, names)]
    return Targets.of(about, said)


def one_record(store: Store, owner: str, what: object) -> Targets:
    """A record by its id, a note by its path, or all facts that a key ever held."""
    if not isinstance(what, str) or not what.strip():
        raise InvalidInput(f"name what to erase by its id, its key or the record itself, not {what!r}")
    by_id = Query(ids=[what])
    notes = store.read(owner, Note, by_id) or store.read(owner, Note, Query(path=what))
    targets = Targets.of(store.read(owner, Fact, by_id), store.read(owner, Message, by_id), notes)
    if not targets.ids():
        return Targets.of(store.read(owner, Fact, Query(subjects=[USER], attributes=names_of(what))))
    return targets


def called(runtime: Runtime, owner: str, subject: str) -> set[str]:
    """All names that a subject goes by: "sister", "Anna", "sister Anna"."""
    if not isinstance(subject, str) or not subject.strip():
        raise InvalidInput(f"subject must be a name, not {subject!r}")
    names = {subject.casefold()}
    for fact in runtime.store.read(owner, Fact, Query(subjects=[USER], attributes=list(relations()))):
        if fact.value.casefold() in names or fact.attribute.casefold() in names:
            names |= {fact.value.casefold(), f"{fact.attribute} {fact.value}".casefold()}
            others = runtime.store.read(owner, Fact, Query(subjects=[USER], attributes=[fact.attribute]))
            if len({one.value.casefold() for one in others}) == 1:  # the relation means this subject alone
                names.add(fact.attribute.casefold())
    return names


def spread(runtime: Runtime, owner: str, targets: Targets, *, what_was_said: bool) -> None:
    """The words that facts come from go with them. When it is words that are erased, facts that rest on nothing else go
    too; when it is facts, others that were said in the same breath stay, without their quotes."""
    quoted = {source.message for fact in targets.facts.values() for source in fact.sources}
    targets.messages |= {one.id: one for one in runtime.store.read(owner, Message, Query(ids=sorted(quoted)))}
    derived = facts_from(runtime.store, owner, list(targets.messages)) if what_was_said else {}
    for fact in chain(*derived.values()):
        if all(source.message in targets.messages for source in fact.sources):
            targets.facts.setdefault(fact.id, fact)


def blot(runtime: Runtime, owner: str, targets: Targets) -> None:
    """Take quoted words of erased records out of the reasons and log entries of those that stay."""
    texts = [text for text in targets.texts() if len(text) > 3]
    going = set(targets.ids())
    facts = [fact for fact in runtime.store.read(owner, Fact) if fact.id not in going]
    cleaned = [(fact, replace(fact, why=without(fact.why, texts))) for fact in facts]
    runtime.store.save(owner, [after for before, after in cleaned if after != before])
    entries = [change for change in runtime.store.read(owner, Change) if change.record_id not in going]
    wiped = []
    for entry in entries:
        before, after = without_inside(entry.before, texts), without_inside(entry.after, texts)
        wiped.append((entry, replace(entry, why=without(entry.why, texts), before=before, after=after)))
    runtime.store.save(owner, [after for before, after in wiped if after != before])


def without(text: str, texts: Sequence[str]) -> str:
    for erased in texts:
        text = text.replace(erased, "[erased]")
    return text


def without_inside(value: Any, texts: Sequence[str]) -> Any:
    """The same for the reasons and quotes inside a logged record; its own text is its own."""
    if value is None:
        return None
    sources = [{**source, "quote": without(source["quote"], texts)} for source in value.get("sources", [])]
    changed = {**value, "why": without(value["why"], texts)} if "why" in value else dict(value)
    return {**changed, "sources": sources} if "sources" in value else changed


def noted(runtime: Runtime, owner: str, targets: Targets) -> Change:
    """The log entry of an erasure: how much went, nothing of what it was."""
    went = {"fact": len(targets.facts), "message": len(targets.messages), "note": len(targets.notes)}
    why = "erased " + ", ".join(f"{many} {what}" if many == 1 else f"{many} {what}s" for what, many in went.items())
    change_id, now = runtime.clock.new_id("c"), runtime.tick(owner)
    return Change(change_id, owner, "erased", "fact", "", now, "operator", why, runtime.clock.new_id("g"))


def unique_texts(store: Store, owner: str, targets: Targets) -> list[str]:
    """Erased texts that no record of this owner still holds of its own."""
    kept = [message.content for message in store.read(owner, Message)]
    kept += [fact.text for fact in store.read(owner, Fact)]
    kept += [note.text for note in store.read(owner, Note)]
    everything = "\n".join(kept)
    return [text for text in targets.texts() if text not in everything]


def still_held(store: Store, owner: str, facts: Sequence[Fact], texts: Sequence[str], names: Iterable[str]) -> Left:
    """The records of this owner that still have values of these erased facts, one of these erased texts, or a name."""
    values = {value.strip() for value in (*(fact.value for fact in facts), *names) if is_telling(value)}
    gone, left = set(texts), Left({}, {})
    begun: dict[str, list[str]] = {}  # by their first words, so that a record is looked at for few of them
    for value in values:
        begun.setdefault(words_of(value)[0], []).append(value)
    records = [(each, kind, texts, set(words_of("\n".join(texts)))) for each, kind, texts in searched(store, owner)]
    telling = telling_words(values, [words for *_, words in records])
    for each, kind, (text, *more), words in records:
        held = "\n".join([text, *more])
        if text in gone or any(mentions(held, begun[word]) for word in begun.keys() & words):
            left.whole[each] = kind
        elif telling & words:
            left.partly[each] = kind
    return left


def searched(store: Store, owner: str) -> Iterator[tuple[str, str, list[str]]]:
    """What each record goes by, its kind, and the texts it holds: its own one first, then those of its payload."""
    for message in store.read(owner, Message):
        yield message.id, "message", [message.content, *strings_in(message.raw)]
    for fact in store.read(owner, Fact):
        yield fact.id, "fact", [text_of(fact)]
    for note in store.read(owner, Note):
        yield note.path, "note", [note.text]


def strings_in(value: Any) -> Iterator[str]:
    """Every text inside a JSON-like value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for part in value.values() for text in strings_in(part))
    elif isinstance(value, list | tuple):
        yield from (text for part in value for text in strings_in(part))


def words_of(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def is_telling(value: str) -> bool:
    return sum(letter.isalnum() for letter in value) >= SHORTEST


def telling_words(values: Iterable[str], held: Sequence[set[str]]) -> set[str]:
    """Words of values of several words that look like names or numbers, and that few records have."""
    several = [parts for value in values if len(parts := re.findall(r"\w+", value)) > 1]
    words = {word.casefold() for parts in several for word in parts if is_telling(word) and not word.islower()}
    counted = Counter(word for found in held for word in words & found)
    return {word for word in words if 0 < counted[word] <= max(FEW, len(held) * SHARE)}


def mentions(text: str, names: Iterable[str]) -> bool:
    """Whether one of these names stands in the text as a word, or as words."""
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) for name in names)
