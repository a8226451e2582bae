"""Told directly: a key and its value, or one sentence, becomes a fact at once."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from recollect.errors import InvalidInput, NotAllowed
from recollect.extract import extract, is_instant
from recollect.facts.attributes import attribute, has_shape, note_key, own_key, sentence
from recollect.facts.reconcile import UNCLEAR
from recollect.facts.trust import refusal
from recollect.messages import clean
from recollect.reader import open_reader
from recollect.records import USER, Draft, Fact, Message, Origin, Receipt
from recollect.runtime import Runtime
from recollect.save import save_drafts, save_vectors
from recollect.store import Query
from recollect.text.values import Value, as_texts
from recollect.text.words import is_stop_word, split, stem
from recollect.write import known_people

LONGEST_KEY = 200
LONGEST_VALUE = 100_000


class Remembered(NamedTuple):
    """What is to be remembered: a key and its value, or one sentence, and who said it when."""

    key: str
    value: Value | None
    category: str | None
    subject: str
    said: datetime
    origin: Origin


def remember(runtime: Runtime, owner: str, told: Remembered) -> list[Receipt]:
    """Store what was told; a later value of a key that holds one takes the earlier one's place."""
    note = None
    if told.value is None:
        text = checked_text(runtime, told.key, LONGEST_VALUE, "what to remember")
        drafts = from_sentence(runtime, owner, text, told)
        drafts = [replace(draft, category=told.category or draft.category) for draft in drafts]
        # Nothing may hold because of an end of what was not known, which says it in no other words.
        note = as_note(text, told) if any(draft.effect in ("ends", "past") for draft in drafts) else None
    else:
        key = checked_text(runtime, told.key, LONGEST_KEY, "a key")
        drafts = of_key(runtime, owner, told._replace(key=key), told.value)
    texts = [draft.text for draft in [*drafts, *([note] if note else [])]]
    embedded = runtime.embed_new(texts)
    with runtime.store.transaction(owner):
        receipts = save_drafts(runtime, owner, drafts)
        if note and not any(map(says_something, receipts)):
            receipts += save_drafts(runtime, owner, [note])
        save_vectors(runtime, owner, receipts, texts[: len(receipts)], embedded)
    if note:
        receipts = [receipt for receipt in receipts if receipt.fact or refusal(receipt.draft)]
    if refused := [receipt for receipt in receipts if receipt.fact is None]:
        raise NotAllowed(f"{refused[0].draft.text!r} was not remembered: {refused[0].why}")
    return receipts


def checked_text(runtime: Runtime, text: object, longest: int, what: str) -> str:
    """The text without secrets and unstorable characters, if there is any."""
    if not isinstance(text, str):
        raise InvalidInput(f"{what} must be text, not {type(text).__name__}: {str(text)[:80]!r}")
    if len(text) > longest:
        raise InvalidInput(f"{what} has at most {longest:,} characters, this has {len(text):,}: write a note instead")
    cleaned = runtime.redactor.text(clean(text))[0].strip()
    if not cleaned:
        raise InvalidInput(f"{what} is empty: {text!r}")
    return cleaned


def of_key(runtime: Runtime, owner: str, told: Remembered, value: Value) -> list[Draft]:
    """The drafts of a key and its value; the key's own words say no longer what was told under them before."""
    known, own = attribute(told.key), own_key(told.key)
    texts = as_texts(value, many=known.holds == "many" and known.known)
    drafts = [keyed(checked_text(runtime, text, LONGEST_VALUE, "a value"), told) for text in texts]
    if drafts[0].attribute == own or not known.shape:
        return drafts
    query = Query(subjects=[told.subject], attributes=[own], holding=runtime.present(owner))
    for old in runtime.store.read(owner, Fact, query):
        what = old.subject, old.attribute, old.value, old.text
        drafts.append(Draft(*what, told.said, "ends", old.category, many=False, origin=told.origin))
    return drafts


def keyed(value: str, told: Remembered) -> Draft:
    """The draft of a key and its value. A key is folded into an attribute of the table only where the value has the
    shape that the attribute's values have: "phone" may be a number or a thing."""
    known = attribute(told.key)
    known = known if has_shape(value, known.shape) else attribute(own_key(told.key))
    # A key that the caller chose is a slot: it holds one value, unless the table knows that it holds many.
    many = known.holds == "many" if known.known else False
    text, category = sentence(told.subject, known.name, value), told.category or known.category
    what = told.subject, known.name, value, text
    return Draft(*what, told.said, category=category, many=many, origin=told.origin)


SUBJECT = re.compile(r"(?i)\A(?:the )?user(?P<owns>['’]s)?:? +(?=\S)")
"""The owner as the subject of a sentence, as a model writes it."""


def from_sentence(runtime: Runtime, owner: str, text: str, told: Remembered) -> list[Draft]:
    """What the reader reads in one sentence, also when it leaves out "I am" or speaks of "the user"; otherwise the
    sentence as it stands, under a key of its own."""
    # Nobody waits for a model here: one sentence told directly is read as a plain shape, or kept as it stands.
    reader = runtime.reader if runtime.reader is None or is_instant(runtime.reader) else open_reader("plain")
    message = Message("told", owner, "told", "user", text, told.said, told.origin)
    known, spoken_of = known_people(runtime, owner, [message], runtime.store.newest(owner).learned)
    forms = [text, f"I am {text}", f"I {text}", f"My {text}"]
    if of_user := SUBJECT.match(text):  # as the user would say it; the reader takes "I lives" too
        forms = [f"{'My' if of_user['owns'] else 'I'} {text[of_user.end() :]}"]
    for form in forms:
        drafts = extract(runtime, owner, [replace(message, content=form)], reader, known, spoken_of).drafts
        if drafts and (any(draft.confidence >= UNCLEAR for draft in drafts) or says_all(drafts, form, text)):
            return [replace(draft, source=None) for draft in drafts]
    return [as_note(text, told)]


def as_note(text: str, told: Remembered) -> Draft:
    """The draft of a sentence as it stands, under a key of its own."""
    return Draft(USER, note_key(text), text, text, told.said, category="other", many=False, origin=told.origin)


def says_something(receipt: Receipt) -> bool:
    """Whether a receipt tells of something that holds or will, of an end of what was known, or of a refusal."""
    if receipt.fact is None:
        return refusal(receipt.draft) is not None
    return receipt.outcome != "stored" or receipt.fact.until is None or receipt.fact.until > receipt.draft.said


def says_all(drafts: list[Draft], form: str, text: str) -> bool:
    """Whether loosely read drafts hold all that was told: nothing else keeps the words of a sentence told directly."""
    kept = {stem(word) for draft in drafts for word in split(f"{draft.subject} {draft.text}")}
    return form == text and all(stem(word) in kept for word in split(text) if not is_stop_word(word))
