"""The way in: what was said is kept first, then facts are derived, reconciled and saved, each with a receipt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple

from recollect.errors import InvalidInput
from recollect.extractors import Extractor, Unreadable
from recollect.extractors.definite import spoken_of_as_known
from recollect.extractors.people import speaks_of_someone
from recollect.guard import screen, screen_all
from recollect.names import known_to
from recollect.parts import STEP, Embedded, Parts
from recollect.proposals import answers, apart, is_news, quoting, readable_part, stamped, told_by
from recollect.records import Added, Draft, Fact, Message, Receipt
from recollect.saving import save_drafts, save_vectors
from recollect.speakers import heard
from recollect.stores import IdTaken, text_of
from recollect.stores.again import retried

AT_HAND = timedelta(days=1)
"""For how long a task is at hand that was asked for."""

TALKED_OF = 8
"""So many of the newest facts tell whom the talk was of."""

BATCH = 256
MOST_WAITING = 100_000


@retried
def add(parts: Parts, owner: str, messages: Sequence[Message]) -> Added:
    """Keep the messages, then what follows from them. What this returns is durable."""
    clean, redactions = screened(messages)
    quick = quick_part(parts.extractor)
    if parts.extractor is None or quick is not None:
        found = read(parts, owner, clean, quick)
        with parts.store.transaction(owner):  # nothing is waited for, so that one commit does for all
            if parts.store.last_learned(owner) != found.learned:
                found = read(parts, owner, clean, quick, found)
            kept, repeated = keep(parts, owner, clean)
            if repeated:
                found = read(parts, owner, kept, quick)
            receipts = save_found(parts, owner, found, done=quick is parts.extractor)
    else:
        kept, repeated = keep(parts, owner, clean)
        receipts = []
    if parts.extractor is not quick and kept:
        receipts += read_waiting(parts, owner, kept)
    ids = {message.id: message for message in (*kept, *repeated)}
    said = tuple(ids[message.id] for message in clean)
    return Added(said, tuple(receipts), redactions, warnings(parts, kept))


def quick_part(extractor: Extractor | None) -> Extractor | None:
    """What can be asked without waiting: the extractor itself, or the one that it lets go first."""
    return extractor if getattr(extractor, "instant", False) else getattr(extractor, "first", None)


def screened(messages: Sequence[Message]) -> tuple[list[Message], tuple[str, ...]]:
    """The messages without secrets, and the kinds of secrets that were taken out."""
    clean, redactions = list[Message](), list[str]()
    for message in messages:
        content, found = screen(message.content)
        raw, found_in_raw = screen_all(message.raw) if message.raw is not None else (None, [])
        redactions += found or found_in_raw
        changed = content != message.content or raw is not None
        clean.append(replace(message, content=content, raw=raw) if changed else message)
    return clean, tuple(redactions)


def keep(parts: Parts, owner: str, messages: Sequence[Message]) -> tuple[list[Message], list[Message]]:
    """Commit the words as said, before anything else is tried: what is new, and what was kept before. A message sent
    again under its id is not kept twice; another text under that id is refused."""
    with parts.store.transaction(owner):
        tick = parts.tick(owner)
        try:
            return save_new(parts, owner, messages, tick), []
        except IdTaken:  # seldom: most callers leave the ids to us
            repeated = held_already(parts, owner, messages)
        known = {message.id for message in repeated}
        return save_new(parts, owner, [message for message in messages if message.id not in known], tick), repeated


def save_new(parts: Parts, owner: str, messages: Sequence[Message], tick: datetime) -> list[Message]:
    """Keep messages that must be new, learned at that moment, one after the other."""
    kept = [learned_at(message, tick + place * STEP) for place, message in enumerate(messages)]
    if kept:
        parts.store.save_messages(owner, kept)
    return kept


def learned_at(one: Message, moment: datetime) -> Message:
    """The message, learned at that moment. Spelt out: `replace` takes several times as long, at every add."""
    said = one.id, one.owner, one.session, one.role, one.content
    return Message(*said, one.at, one.origin, one.name, moment, one.raw)


def held_already(parts: Parts, owner: str, messages: Sequence[Message]) -> list[Message]:
    """Those that were kept before, under the same id and with the same words."""
    before = {one.id: one for one in parts.store.messages(owner, ids=[message.id for message in messages])}
    for message in messages:
        if message.id in before and before[message.id].content != message.content:
            raise InvalidInput(f"message id {message.id!r} is taken by another text; give each message its own id")
    return list(before.values())


def read_waiting(parts: Parts, owner: str, kept: Sequence[Message]) -> list[Receipt]:
    """Have the slow extractor read what was just kept, together with what has waited for it; or let all wait until
    there is enough for one call. What it failed at before is left to `catch_up`."""
    size = batch_size(parts.extractor)
    new = {message.id for message in kept}
    waiting = parts.store.unsettled(owner, limit=size)
    waiting = [message for message in waiting if message.id not in parts.put_off and message.id not in new]
    due, turns = [*waiting, *kept], getattr(parts.extractor, "turns", 1)
    if turns > 1 and len(due) < size and sum(message.role == "user" for message in due) < turns:
        return []
    return [receipt for part in chunks(due, size) for receipt in settle(parts, owner, part)]


def batch_size(extractor: Extractor | None) -> int:
    """How many messages an extractor reads at once."""
    return getattr(extractor, "batch", BATCH)


def chunks(messages: Sequence[Message], size: int) -> list[Sequence[Message]]:
    return [messages[start : start + size] for start in range(0, len(messages), size)]


def settle(parts: Parts, owner: str, messages: Sequence[Message]) -> list[Receipt]:
    """Derive facts from messages that wait for it, in one transaction. An extractor that fails leaves them to
    `catch_up`; nothing that was said is lost, and nothing that it said before is said twice."""
    quick, receipts = quick_part(parts.extractor), list[Receipt]()
    if quick is not None:
        found = read_untold(parts, owner, messages, quick)
        with parts.store.transaction(owner):
            if parts.store.last_learned(owner) != found.learned:
                found = read_untold(parts, owner, messages, quick, found)
            receipts += save_found(parts, owner, found, done=quick is parts.extractor)
            if quick is parts.extractor:
                unread = {message.id for message in found.messages}
                parts.store.settle(owner, [message.id for message in messages if message.id not in unread])
    if quick is not parts.extractor:
        found = read(parts, owner, messages, parts.extractor)
        with parts.store.transaction(owner):
            places = news(parts, owner, messages, found.drafts or [])
            receipts += save_found(parts, owner, found, places, done=True)
    return receipts


class Found(NamedTuple):
    """What an extractor found in messages, and what is to be embedded of both."""

    messages: Sequence[Message]
    drafts: list[Draft] | None
    """None when it failed."""
    texts: Sequence[str]
    """Of the messages, unless they were embedded before, and of the drafts."""
    embedded: Embedded | None
    learned: datetime | None
    """What the owner had learned last: whoever has written since may have told who is meant."""


def read(
    parts: Parts, owner: str, messages: Sequence[Message], extractor: Extractor | None, before: Found | None = None
) -> Found:
    """Have messages read and embedded. Best before a transaction, so that no other writer waits for it; texts that were
    the same `before` are not embedded again."""
    with parts.store.reading():
        learned = parts.store.last_learned(owner)
        said = [message.content for message in messages if message.role == "user"]
        speakers = list(dict.fromkeys(message.name for message in messages if message.name))
        known = who_is_who(parts, owner, learned, said, speakers) if extractor and messages else []
    drafts = extract(parts, owner, messages, extractor, known)
    first = quick_part(parts.extractor)
    unembedded = messages if extractor is first or first is None else ()
    texts = [*(text_of(message) for message in unembedded), *(draft.text for draft in drafts or ())]
    embedded = before.embedded if before and before.texts == texts else parts.embed_new(texts)
    return Found(messages, drafts, texts, embedded, learned)


def read_untold(
    parts: Parts, owner: str, messages: Sequence[Message], extractor: Extractor, before: Found | None = None
) -> Found:
    """The same for those messages that have not made anything known yet."""
    learned = parts.store.last_learned(owner)
    told = told_by(parts, owner, messages)
    unread = [message for message in messages if message.id not in told]
    return read(parts, owner, unread, extractor, before)._replace(learned=learned)


def save_found(
    parts: Parts, owner: str, found: Found, places: Sequence[int] | None = None, *, done: bool
) -> list[Receipt]:
    """Save what was found, with all vectors, inside a transaction. `places`: which drafts, if not all; `done`: nothing
    else will read the messages."""
    drafts, messages = found.drafts or [], found.messages
    places = range(len(drafts)) if places is None else places
    receipts = save_drafts(parts, owner, [drafts[place] for place in places])
    first = len(found.texts) - len(drafts)
    rows = [*range(first), *(first + place for place in places)]
    embedded = None if found.embedded is None else found.embedded.at(rows)
    save_vectors(parts, owner, [*messages[:first], *receipts], [found.texts[row] for row in rows], embedded)
    if found.drafts is not None and done and messages:
        parts.store.settle(owner, [message.id for message in messages])
    return receipts


def news(parts: Parts, owner: str, messages: Sequence[Message], drafts: Sequence[Draft]) -> list[int]:
    """Which drafts say what their message has not said yet, of messages that nobody else has read meanwhile."""
    if not drafts:
        return []
    waiting = {message.id for message in parts.store.unsettled(owner, limit=MOST_WAITING)}
    unread = any(message.id in waiting for message in messages)
    told = told_by(parts, owner, messages)
    return [
        place
        for place, draft in enumerate(drafts)
        if (draft.source.message in waiting if draft.source else unread) and is_news(draft, told)
    ]


def warnings(parts: Parts, messages: Sequence[Message]) -> tuple[str, ...]:
    """Degraded modes, and what the extractor has to say about what it could not read."""
    notices = getattr(parts.extractor, "notices", None)
    failed = [f"{part} failed: {problem}" for part, problem in parts.problems.items()]
    return (*failed, *(notices(messages) if notices else ()))


def extract(
    parts: Parts,
    owner: str,
    messages: Sequence[Message],
    extractor: Extractor | None,
    known: Sequence[Fact],
) -> list[Draft] | None:
    """What an extractor finds, origins set by us; None when it failed. `known`: who and what has a name."""
    if extractor is None or not messages:
        return []
    readable, found = heard(parts, owner, [readable_part(message) for message in messages], known)
    try:
        for group in apart(readable):
            found += [stamped(parts, draft, group, known, readable) for draft in extractor.extract(group, known)]
        if getattr(extractor, "instant", False):
            for said, told in answers(parts, readable, found):
                found += [quoting(draft, said) for draft in extractor.extract([told], known)]
    except Exception as error:  # A third party's code may raise anything; the words are already safe.
        parts.problems["extractor"] = f"{type(error).__name__}: {error}"
        parts.put_off.update(message.id for message in messages)
        parts.unreadable = isinstance(error, Unreadable)
        return None
    parts.problems.pop("extractor", None)
    parts.put_off.difference_update(message.id for message in messages)
    order = {message.id: place for place, message in enumerate(messages)}
    return sorted(found, key=lambda draft: order[draft.source.message] if draft.source else len(order))


def who_is_who(
    parts: Parts, owner: str, learned: datetime | None, said: Sequence[str], speakers: Sequence[str] = ()
) -> list[Fact]:
    """The people, pets and other named subjects that these texts mention, so that an extractor can tell who "Anna" is,
    the task that was asked for last, so that it can tell what "make it Friday" changes, whom the talk was of, where it
    goes on of "her", and the things that are spoken of as known."""
    now = parts.not_before(learned)
    task = parts.store.facts(owner, category="request", holding=now, last=16)
    of_someone = any(speaks_of_someone(text) for text in said)
    talk = parts.store.latest_facts(owner, limit=TALKED_OF, holding=now) if of_someone else []
    names = known_to(parts.store, owner, [*said, *(fact.text for fact in talk)], speakers, now)
    things = spoken_of_as_known(said)
    about = parts.store.facts(owner, subjects=things, holding=now, last=TALKED_OF) if things else []
    return [*names, *(fact for fact in task if fact.said > now - AT_HAND), *talk, *about]
