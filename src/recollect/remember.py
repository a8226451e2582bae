"""Told directly: a key and its value, or one sentence, becomes a fact at once."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from recollect.add import who_is_who
from recollect.attributes import attribute, sentence
from recollect.errors import InvalidInput, NotAllowed
from recollect.extraction import extract, is_instant
from recollect.extractors import Rules
from recollect.guard import screen
from recollect.messages import clean
from recollect.parts import Parts
from recollect.records import USER, Draft, Fact, Message, Origin, Receipt
from recollect.saving import save_drafts, save_vectors
from recollect.unsure import LOOSE
from recollect.words import is_stop, split, stem

LONGEST_KEY = 200
LONGEST_VALUE = 100_000


def remember(
    parts: Parts,
    owner: str,
    key: str,
    value: str | None,
    *,
    category: str | None,
    subject: str,
    said: datetime,
    origin: Origin,
) -> list[Receipt]:
    """Store what was told; a later value of a key that holds one takes the earlier one's place."""
    if value is None:
        drafts = from_sentence(parts, owner, told(key, LONGEST_VALUE, "what to remember"), said, origin)
        drafts = [replace(draft, category=category or draft.category) for draft in drafts]
    else:
        name = told(key, LONGEST_KEY, "a key")
        drafts = [keyed(name, told(value, LONGEST_VALUE, "a value"), category, subject, said, origin)]
    texts = [draft.text for draft in drafts]
    embedded = parts.embed_new(texts)
    with parts.store.transaction(owner):
        receipts = save_drafts(parts, owner, drafts)
        save_vectors(parts, owner, receipts, texts, embedded)
    if refused := [receipt for receipt in receipts if receipt.fact is None]:
        raise NotAllowed(f"{refused[0].draft.text!r} was not remembered: {refused[0].why}")
    return receipts


def told(text: object, longest: int, what: str) -> str:
    """The text without secrets and unstorable characters, if there is any."""
    if not isinstance(text, str):
        raise InvalidInput(f"{what} must be text, not {type(text).__name__}: {str(text)[:80]!r}")
    if len(text) > longest:
        raise InvalidInput(f"{what} has at most {longest:,} characters, this has {len(text):,}: write a note instead")
    cleaned = screen(clean(text))[0].strip()
    if not cleaned:
        raise InvalidInput(f"{what} is empty: {text!r}")
    return cleaned


def keyed(key: str, value: str, category: str | None, subject: str, said: datetime, origin: Origin) -> Draft:
    """The draft of a key and its value."""
    known = attribute(key)
    # A key that the caller chose is a slot: it holds one value, unless the table knows that it holds many.
    many = known.holds == "many" if known.known else False
    return Draft(
        subject=subject,
        attribute=known.name,
        value=value,
        text=sentence(subject, known.name, value),
        said=said,
        category=category or known.category,
        many=many,
        origin=origin,
    )


def from_sentence(parts: Parts, owner: str, text: str, said: datetime, origin: Origin) -> list[Draft]:
    """What the extractor reads in one sentence, also when it leaves out "I am"; otherwise the sentence as it stands."""
    # Nobody waits for a model here: one sentence told directly is read by the rules.
    extractor = parts.extractor if parts.extractor is None or is_instant(parts.extractor) else Rules()
    named = who_is_who(parts, owner, parts.store.last_learned(owner), [text])
    for form in (text, f"I am {text}", f"I {text}", f"My {text}"):
        message = Message("told", owner, "told", "user", form, said, origin)
        drafts = extract(parts, owner, [message], extractor, named).drafts
        if drafts and (any(draft.confidence > LOOSE for draft in drafts) or says_all(drafts, form, text)):
            return [replace(draft, source=None) for draft in drafts]
    known = attribute("note")
    return [Draft(USER, known.name, text, text, said, category="other", many=True, origin=origin)]


def says_all(drafts: list[Draft], form: str, text: str) -> bool:
    """Whether loosely read drafts hold all that was told: nothing else keeps the words of a sentence told directly."""
    kept = {stem(word) for draft in drafts for word in split(f"{draft.subject} {draft.text}")}
    return form == text and all(stem(word) in kept for word in split(text) if not is_stop(word))


def main_fact(receipts: list[Receipt]) -> Fact:
    """The fact that stands for what was told: the first one about the user, or the first."""
    facts = [receipt.fact for receipt in receipts if receipt.fact]
    return next((fact for fact in facts if fact.subject == USER), facts[0])
