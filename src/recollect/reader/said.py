"""A clause without what stands around its statement, and what its verb does: states, changes, ends, plans. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from recollect.facts.attributes import attribute
from recollect.reader.clauses import Clause
from recollect.reader.tables import Row, tables
from recollect.reader.verbs import Token, Verb, tokens
from recollect.records import DAYS, Effect
from recollect.text.dates import When

LONGEST_TAIL = 24
Window = tuple[datetime | None, datetime | None]


@dataclass(frozen=True)
class Said:
    """What is left of a clause without its openers, tails and words of time."""

    clause: Clause
    text: str
    around: str
    """What stood around it: "actually", "any more"."""
    whens: tuple[When, ...]
    tokens: tuple[Token, ...]
    words: tuple[str, ...]

    def rest(self, place: int) -> str:
        """The words from a place on, as they stand."""
        return self.text[self.tokens[place].start :] if place < len(self.tokens) else ""

    @property
    def is_news(self) -> bool:
        """Whether it is told as something that has changed."""
        told = tables().patterns["news"].search(f"{self.around} {self.clause.text}")
        return told is not None and not any(when.relation == "since" for when in self.whens)

    @property
    def is_over(self) -> bool:
        return tables().patterns["over"].search(self.around) is not None

    @property
    def is_for_a_while(self) -> bool:
        """Whether it is told to hold for some days only."""
        short = (when.relation == "during" and when.end - when.start <= DAYS for when in self.whens)
        return bool(self.whens) and all(short)


def opened(clause: Clause, whens: Sequence[When] = ()) -> Said:
    """A clause without these words of time and what stands around its statement.

    >>> opened(Clause("By the way, I like tea a lot", 0, 28)).text
    'I like tea'
    """
    text, around, phrases = clause.text, "", tables().phrases
    for when in reversed(whens):
        text = f"{text[: when.at[0]]} {text[when.at[1] :]}"
    text = " ".join(text.split()).strip(" ,")
    while match := phrases["keep"].match(text) or phrases["openers"].match(text):
        around, text = f"{around} {match[0]}", text[match.end() :].lstrip(" ,:-")
    text = text.rstrip(" .!,:)*_")
    while match := phrases["tails"].search(text, max(0, len(text) - LONGEST_TAIL)):
        while match and (match.end() < len(text) or text[match.start() - 1 : match.start()] != " "):
            match = phrases["tails"].search(text, match.start() + 1)
        if match is None:
            break
        around, text = f"{around} {match[0]}", text[: match.start()].rstrip(" ,")
    found = tuple(tokens(text))
    return Said(clause, text, around, tuple(whens), found, tuple(token.word for token in found))


def is_denial(verb: Verb, said: Said) -> bool:
    """Whether something is only denied, and not said to be over."""
    return "not" in verb.said and "no longer" not in verb.said and not said.is_over


def effect_of(row: Row, verb: Verb, said: Said) -> tuple[Effect | None, str]:
    """How a row is told by a verb: the kind of draft and the attribute; no effect where it tells nothing."""
    tense, name, dated = verb.tense, row.attribute, bool(said.whens)
    over = "no longer" in verb.said or said.is_over
    if over or tense == "ended" or "not" in verb.said:
        if row.role != "is" or tense not in ("present", "doing", "ended"):
            return None, name
        if row.denied and not over and tense == "present":
            return "states", row.denied
        return "ends", name
    if "never" in verb.said or (row.dated and not dated):
        return None, name
    if row.role == "becomes":
        come = tense in ("past", "done", "begun")
        return ("replaces" if come else "plans" if tense in ("doing", "future") or dated else None), name
    if row.role == "ends":
        return ("ends" if tense in ("past", "done") or (dated and tense in ("doing", "future")) else None), name
    return is_so(row, verb, said), name


def is_so(row: Row, verb: Verb, said: Said) -> Effect | None:
    """How something is told that is so, was so or will be so."""
    relations = {when.relation for when in said.whens}
    lasting = verb.tense in ("done", "doing") and (row.doing or "since" in relations or "always" in verb.said)
    present = verb.tense == "present" and (not relations & {"during", "until"} or said.is_for_a_while)
    if lasting or verb.tense == "begun" or present:
        return "replaces" if said.is_news and attribute(row.attribute).holds == "one" else "states"
    if verb.tense == "past":
        return "states" if row.was else "past" if relations else None
    return "past" if verb.tense == "used" else "plans" if verb.tense == "future" and relations else None


def window(effect: Effect, whens: Sequence[When], said: datetime) -> Window:
    """Since when and until when something holds that is told so."""
    since = next((when.start for when in whens if when.relation != "until"), None)
    during = next((when.end for when in whens if when.relation == "during"), None)
    last = next((when for when in whens if when.relation == "until"), None)
    until = None
    if last:  # "until Friday" takes the day in; "until 2019" ends when that year came
        until = last.end if last.end - last.start <= timedelta(days=1, hours=2) else last.start
    if effect == "ends":
        return None, since or until
    if effect == "plans" and since is not None and since <= said and during is not None and during > said:
        since = during  # "in June", told in June: it will have begun by the end of it
    lasts = effect == "past" or (effect == "states" and during is not None and during > said)
    return since, until or (during if lasts else None)
