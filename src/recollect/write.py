"""The way in: what was said is kept first, then facts are derived, reconciled and saved, each with a receipt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple

from recollect.extract import Extracted, described, extract, is_instant
from recollect.facts.attributes import attribute
from recollect.messages import place, possible_ids
from recollect.reader import Reader
from recollect.records import USER, Added, Fact, Message, Receipt
from recollect.runtime import STEP, Embedded, Runtime
from recollect.save import save_drafts, save_vectors
from recollect.store import IdTaken, Query, text_of
from recollect.store.names import known_to
from recollect.store.retry import retried, retry
from recollect.text.redact import Redactor

TALKED_OF = 8
"""So many of the newest facts tell whom the talk was of."""
TALK_SPAN = timedelta(minutes=20)
"""Who was spoken of since then may be "she"."""
MOST_READ = 20_000
"""In so many letters of a message names are looked for."""
MADE_HERE = "m_"
"""How the ids begin that we give: one of them is new, unless a message was taken from one session to another."""
MOST_WAITING = 100_000


@retried
def add(runtime: Runtime, owner: str, messages: Sequence[Message]) -> Added:
    """Keep the messages, then what follows from them. What this returns is durable."""
    clean, redactions = redacted(messages, runtime.redactor)
    instant = runtime.reader if is_instant(runtime.reader) else None
    found = read_messages(runtime, owner, clean, instant)
    with runtime.store.transaction(owner):  # nothing is waited for, so that one commit does for all
        if instant and runtime.store.newest(owner).learned != found.learned:
            found = read_messages(runtime, owner, clean, instant, found)
        said, kept = keep_messages(runtime, owner, clean)
        if ids_of(kept) != ids_of(clean):  # some were kept before, or under the id of another session's
            found = read_messages(runtime, owner, kept, instant, found)
        receipts = save_read(runtime, owner, found, done=instant is runtime.reader)
    if runtime.reader is not instant and kept:
        with runtime.after_commit("facts"):
            receipts += retry(lambda: read_waiting(runtime, owner, kept))
    return Added(tuple(said), tuple(receipts), redactions, warnings(runtime, owner, kept))


def redacted(messages: Sequence[Message], redactor: Redactor) -> tuple[list[Message], tuple[str, ...]]:
    """The messages as they may be kept, and the kinds of what was taken out of them."""
    clean, redactions = list[Message](), list[str]()
    for message in messages:
        content, found = redactor.text(message.content)
        raw, found_in_raw = redactor.given(message.raw)
        redactions += found or found_in_raw
        changed = content != message.content or found_in_raw
        clean.append(replace(message, content=content, raw=raw) if changed else message)
    return clean, tuple(redactions)


def keep_messages(runtime: Runtime, owner: str, messages: Sequence[Message]) -> tuple[list[Message], list[Message]]:
    """Commit the words as said, before anything else is tried: each message as it is kept, and those that are new. A
    message sent again in its session under its id is not kept twice; another text under that id is refused."""
    with runtime.store.transaction(owner):
        tick = runtime.tick(owner)
        if all(message.id.startswith(MADE_HERE) for message in messages) and len({*ids_of(messages)}) == len(messages):
            try:
                new = save_new(runtime, owner, messages, tick)
                return new, new
            except IdTaken:  # messages of a session that were given to another one
                pass
        names = list({name: None for message in messages for name in possible_ids(message)})
        held = {one.id: one for one in runtime.store.read(owner, Message, Query(ids=names))}
        placed = place(messages, held)
        new = save_new(runtime, owner, [message for message in placed if message.id not in held], tick)
        learned = {message.id: message for message in new}
        return [learned.get(message.id, message) for message in placed], new


def save_new(runtime: Runtime, owner: str, messages: Sequence[Message], tick: datetime) -> list[Message]:
    """Keep messages that must be new, learned at that moment, one after the other."""
    kept = []
    for number, one in enumerate(messages):  # spelt out: `replace` takes several times as long, at every add
        said = one.id, one.owner, one.session, one.role, one.content
        kept.append(Message(*said, one.at, one.origin, one.name, tick + number * STEP, one.raw))
    if kept:
        runtime.store.save(owner, kept)
    return kept


def ids_of(messages: Sequence[Message]) -> list[str]:
    return [message.id for message in messages]


def read_waiting(runtime: Runtime, owner: str, kept: Sequence[Message]) -> list[Receipt]:
    """Have the slow reader read what was just kept, together with what has waited for it; or let all wait until
    there is enough for one call. What it failed at before is left to `catch_up`."""
    size = batch_size(runtime.reader)
    new = {message.id for message in kept}
    waiting = runtime.store.read(owner, Message, Query(waiting=True, first=size))
    waiting = [one for one in waiting if (owner, one.id) not in runtime.unread and one.id not in new]
    due, turns = [*waiting, *kept], getattr(runtime.reader, "turns", 1)
    if turns > 1 and len(due) < size and sum(message.role == "user" for message in due) < turns:
        return []
    pieces = [due[start : start + size] for start in range(0, len(due), size)]
    return [receipt for piece in pieces for receipt in derive_facts(runtime, owner, piece)]


def batch_size(reader: Reader | None) -> int:
    """How many messages a reader reads at once."""
    return getattr(reader, "batch", 256)


def derive_facts(runtime: Runtime, owner: str, messages: Sequence[Message]) -> list[Receipt]:
    """Derive facts from messages that wait for it, in one transaction. What the reader fails at is left to
    `catch_up`; nothing that was said is lost, and what someone else has read meanwhile is not read twice."""
    found = read_messages(runtime, owner, messages, runtime.reader, kept=True)
    with runtime.store.transaction(owner):
        waiting = {
            message.id for message in runtime.store.read(owner, Message, Query(waiting=True, first=MOST_WAITING))
        }
        drafts = enumerate(found.extracted.drafts)
        places = [place for place, draft in drafts if draft.source is None or draft.source.message in waiting]
        return save_read(runtime, owner, found.at(places), done=True)


class ReadMessages(NamedTuple):
    """What a reader found in messages, and what is to be embedded of both."""

    messages: Sequence[Message]
    extracted: Extracted
    texts: Sequence[str]
    """Of the messages, unless they were embedded before, and of the drafts."""
    embedded: Embedded | None
    learned: datetime | None
    """What the owner had learned last: whoever has written since may have told who is meant."""

    def at(self, places: Sequence[int]) -> ReadMessages:
        """With some of the drafts alone, where only drafts are to be embedded."""
        extracted = replace(self.extracted, drafts=[self.extracted.drafts[place] for place in places])
        embedded = self.embedded and self.embedded.at(places)
        return self._replace(extracted=extracted, texts=[self.texts[place] for place in places], embedded=embedded)


def read_messages(
    runtime: Runtime,
    owner: str,
    messages: Sequence[Message],
    reader: Reader | None,
    before: ReadMessages | None = None,
    *,
    kept: bool = False,
) -> ReadMessages:
    """Have messages read and embedded. Best before a transaction, so that no other writer waits for it; texts that were
    the same `before` are not embedded again, nor are those of messages that were `kept` before."""
    with runtime.store.reading():
        learned, known, lately = runtime.store.newest(owner).learned, list[Fact](), list[str]()
        if reader and messages:
            known, lately = known_people(runtime, owner, messages, learned)
    extracted = extract(runtime, owner, messages, reader, known, lately)
    unembedded = () if kept else messages
    texts = [*(text_of(message) for message in unembedded), *(draft.text for draft in extracted.drafts)]
    embedded = before.embedded if before and before.texts == texts else runtime.embed_new(texts)
    return ReadMessages(messages, extracted, texts, embedded, learned)


def save_read(runtime: Runtime, owner: str, found: ReadMessages, *, done: bool) -> list[Receipt]:
    """Save what was found, with all vectors, inside a transaction; `done`: the reader has read the messages, as far as
    it could."""
    drafts, texts = found.extracted.drafts, found.texts
    first = len(texts) - len(drafts)
    receipts = save_drafts(runtime, owner, drafts, found.embedded and found.embedded.at(range(first, len(texts))))
    save_vectors(runtime, owner, [*found.messages[:first], *receipts], texts, found.embedded)
    if done and found.messages:
        mark_read(runtime, owner, found)
    return receipts


def mark_read(runtime: Runtime, owner: str, found: ReadMessages) -> None:
    """Settle the messages that were read, and remember which were not, and why."""
    extracted, unread = found.extracted, found.extracted.unread
    settled = [message.id for message in found.messages if message.id not in unread]
    runtime.store.settle(owner, settled, failed=list(extracted.failed))
    for message in found.messages:
        runtime.unread.pop((owner, message.id), None)
    runtime.unread.update({(owner, message): problem for message, problem in unread.items()})
    if extracted.down is not None:
        runtime.problems["reader"] = described(extracted.down)
    elif len(extracted.failed) < len(found.messages):
        runtime.problems.pop("reader", None)


def warnings(runtime: Runtime, owner: str, messages: Sequence[Message]) -> tuple[str, ...]:
    """Degraded modes, and what the reader has to say about what it could not read."""
    notices = getattr(runtime.reader, "notices", None)
    failed = [f"{part} failed: {problem}" for part, problem in runtime.problems.items()]
    unread = [
        f"reader failed: {problem} (message {one.id!r} is kept and can be found, catch_up() reads it for facts)"
        for one in messages
        if (problem := runtime.unread.get((owner, one.id)))
    ]
    return (*failed, *unread, *(notices(messages) if notices else ()))


def known_people(
    runtime: Runtime, owner: str, messages: Sequence[Message], learned: datetime | None
) -> tuple[list[Fact], list[str]]:
    """The facts about people and other named subjects that messages mention, so that a reader can tell who "Anna" is;
    and the subjects of what was told last, which "she" may be."""
    now, at = runtime.not_before(learned), messages[-1].at
    talk = runtime.store.read(owner, Fact, Query(latest=True, last=TALKED_OF, holding=now))
    said = [message.content[:MOST_READ] for message in messages if message.role == "user"]
    speakers = list(dict.fromkeys(message.name for message in messages if message.name))
    names = known_to(runtime.store, owner, [*said, *(fact.text for fact in talk)], speakers, now)
    lately = [fact for fact in talk if abs(at - fact.said) <= TALK_SPAN]
    subjects = list[str]()
    for fact in sorted(lately, key=lambda fact: fact.said):
        # The user's sister, of "my sister is Anna".
        of_relation = fact.subject == USER and attribute(fact.attribute).relation
        subjects.append(fact.attribute if of_relation else fact.subject)
    return [*names, *talk], [one for one in dict.fromkeys(subjects) if one != USER]
