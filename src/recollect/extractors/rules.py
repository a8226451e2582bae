"""Atomic facts from everyday speech, by rules and with no model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module

from recollect.extractors import chatter, exceptions, jotted, languages, material, spelling, timetable
from recollect.extractors.bounds import MOST_LETTERS, MOST_SENTENCES, bounded, is_bounded, with_short_blanks
from recollect.extractors.initials import plain_initials, with_own_initials
from recollect.extractors.patterns import ORDER
from recollect.extractors.people import Cast
from recollect.extractors.reading import Reading
from recollect.extractors.sound import is_sound
from recollect.extractors.standing import standing
from recollect.records import USER, Draft, Fact, Message

for name in ORDER:  # For the patterns that they enter.
    import_module(f"recollect.extractors.{name}")


def with_content(message: Message, content: str) -> Message:
    """The message with other words for the same."""
    return message if content == message.content else replace(message, content=content)


def in_english(text: str) -> str:
    """English as it is usually written: in sentences, with its apostrophes and its dates in one form."""
    return timetable.in_order(jotted.spelled_out(spelling.with_plain_times(spelling.with_apostrophes(text))))


def is_cut(message: Message) -> bool:
    """Whether a message is longer than what is read of it."""
    if not is_bounded(message.content):
        return False
    return len(with_short_blanks(message.content)) > material.LONGEST_READ or is_bounded(material.words_of(message))


class RuleExtractor:
    """Finds facts with a table of statement patterns."""

    name = "rules"

    def extract(self, messages: Sequence[Message], known: Sequence[Fact]) -> list[Draft]:
        """Drafts in the order they were said; only what users say is read, each speaker's words by themselves."""
        drafts, names = list[Draft](), dict[str, str]()
        voices: dict[str, tuple[Cast, list[Draft]]] = {}
        said = [message for message in messages if message.role == "user"]
        others = {message.name for message in said if message.name}
        for heard in said:
            message = with_content(heard, spelling.straight(heard.content))
            speaker = message.name or USER
            cast, stated = voices.setdefault(speaker, (Cast.of(known, speaker, others, at=message.at), []))
            own = with_content(message, bounded(material.words_of(message)))
            plain = with_content(own, chatter.left_out(spelling.without_pictures(own.content)))
            read = languages.read(plain, cast, stated)
            english = with_content(plain, in_english(plain.content)) if not read else plain
            if read is None or (english is not plain and languages.language_of(english.content) in ("en", None)):
                english = with_content(english, plain_initials(english.content, names))
                words, passing = exceptions.read_apart(english, cast, stated)
                read = Reading(with_content(english, words), cast, stated, said=own.content).read()
                read = [draft for draft in (*read, *passing) if is_sound(draft)]
            drafts += [*with_own_initials(read, names), *standing(plain)]
            stated += read
        return drafts

    def notices(self, messages: Sequence[Message]) -> list[str]:
        """That some of these messages are longer than what was read of them."""
        cut = [message.id for message in messages if message.role == "user" and is_cut(message)]
        if not cut:
            return []
        named = ", ".join(map(repr, cut[:3])) + (f" and {len(cut) - 3} more" if len(cut) > 3 else "")
        most = f"only the first {MOST_LETTERS:,} characters or {MOST_SENTENCES} sentences were read for facts"
        return [f"long messages are kept whole and can be found; of {named} {most}"]
