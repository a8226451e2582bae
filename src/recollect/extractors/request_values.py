"""Typed values in one sentence of a request: when, how many, where, how much, which; each found by its shape."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from recollect._values import singular
from recollect.extractors import request_patterns as shape
from recollect.extractors import request_words as words

Slot = tuple[str, str]
"""What kind of value it is, and the value as it was said."""

SHORT = 8
"""Words of a sentence that is read as an answer."""
_PRICED = words.spoken(" ".join(words.PRICES))
_CLASSED = words.spoken(" ".join((*words.CUISINES, *words.GENRES)))
_UNTITLED = frozenset(("movie", "music", "book", "alarm", "bank", "order"))
"""Kinds of task where a bare name is a title and no place."""


@dataclass
class Scan:
    """One sentence, from which values are taken one after the other."""

    text: str
    kind: str
    """The kind of task, "" when it was not named."""
    before: Mapping[str, str] = field(default_factory=dict)
    """What is asked for so far, the latest last."""
    open: bool = True
    """Whether a request is under way, so that less needs to be said."""
    asks: bool = True
    """Whether the words ask for something, and do not only speak of it."""
    changes: bool = False
    """Whether the words change something or ask anew."""
    afresh: bool = False
    """Whether they name what is asked for, which may be another one."""
    found: list[Slot] = field(default_factory=list)

    def take(self, match: re.Match[str], slot: str, value: str | None = None, group: str | int = 0) -> None:
        """Keeps a value, once for each slot, and blanks it so that nothing else reads it."""
        said = (match[group] if value is None else value).strip(" ,.;:!?'\"-")
        if said and slot not in (name for name, _ in self.found if name != "features"):
            self.found.append((slot, said))
        start, end = match.span(group)
        self.text = f"{self.text[:start]}{shape.TAKEN * (end - start)}{self.text[end:]}"

    def __post_init__(self) -> None:
        self.spoken = words.spoken(self.text)
        self.digits = re.search(r"\d", self.text) is not None

    def speaks_of(self, what: str) -> bool:
        """Whether there can be such a value at all: cheaper to ask than to look for it."""
        return self.digits or not self.spoken.isdisjoint(words.SPOKEN[what])

    def has(self, slot: str) -> bool:
        return any(name == slot for name, _ in self.found)

    def read(self) -> list[Slot]:
        """Every value of the sentence."""
        self.whole_number()
        self.times()
        self.amounts()
        self.things()
        self.places()
        self.names()
        self.descriptions()
        return self.found

    # When

    def times(self) -> None:
        for match in list(shape.TIME.finditer(self.text)) if self.speaks_of("time") else ():
            self.take(match, "end time" if shape.ENDS.search(self.text[: match.start()]) else "time")
        for match in list(shape.DATE.finditer(self.text)) if self.speaks_of("date") else ():
            self.take(match, "end date" if self.ends(match) else self.first_day(match))
        bare = shape.BARE_TIME.search(self.text)
        if bare and not self.has("time") and (bare[0].lower().startswith("at") or "time" in self.before):
            self.take(bare, "time", group="v")

    def ends(self, match: re.Match[str]) -> bool:
        """Whether a date is the last day and not the first: by its words, or as the second one that is told."""
        ahead = self.text[: match.start()]
        near = ahead.rpartition(shape.TAKEN)[2]
        if shape.ENDS.search(near) or shape.RANGE.search(ahead) or shape.RETURNS.match(self.text[match.end() :]):
            return True
        told = "date" in self.before and "end date" not in self.before
        return told and self.kind in words.RANGED and not (shape.BEGINS.search(near) or self.changes or self.afresh)

    def first_day(self, match: re.Match[str]) -> str:
        """A date of which only the beginning is told may stand beside one that was told before without saying which."""
        begins = self.kind == "car" and "date" in self.before and "end date" not in self.before
        ahead = self.text[: match.start()].rpartition(shape.TAKEN)[2]
        return "start date" if begins and shape.BEGINS.search(ahead) and not self.changes else "date"

    # How much, how many

    def amounts(self) -> None:
        priced = not self.spoken.isdisjoint(words.SPOKEN["money"]) or any(sign in self.text for sign in "$€£")
        for match in list(shape.MONEY.finditer(self.text)) if priced else ():
            self.take(match, "price limit" if match["limit"] else "amount", group="v")
        for match in list(shape.COUNTED.finditer(self.text)) if self.speaks_of("time") else ():
            self.counted(match)
        for match in list(shape.OF_NUMBER.finditer(self.text)):
            self.take(match, count_of(match["thing"]), match["n"])
        some = shape.FOR_SOME.search(self.text) or shape.ALONE.search(self.text)
        if some and not self.has("party size"):
            self.take(some, "party size", "1" if some["v"].lower() in ("me", "myself") else None, "v")

    def counted(self, match: re.Match[str]) -> None:
        if match["people"]:
            self.take(match, "party size", match["n"])
        elif match["stars"]:
            self.take(match, "star rating", f"{match['n']} star")
        elif match["length"]:
            self.take(match, "duration", f"{match['n']} {match['length']}")
        else:
            self.take(match, count_of(match["thing"]), match["n"])

    def whole_number(self) -> None:
        """A number that is all that was said: it counts what was counted last."""
        if match := shape.BARE_NUMBER.match(self.text):
            counted = [slot for slot in self.before if slot == "party size" or slot.endswith(" count")]
            if "duration" in self.before and not counted:
                counted = ["duration"]
            self.take(match, counted[-1] if counted else "party size", group="v")

    # Which

    def things(self) -> None:
        """Values that a word beside them gives away."""
        for pattern, slot in (
            (shape.PROVIDER, "provider"),
            (shape.DEVICE, "device"),
            (shape.LANGUAGE, "language"),
            (shape.QUOTED, "name"),
        ):
            if match := pattern.search(self.text):
                self.take(match, slot, group="v")
        if not self.spoken.isdisjoint(words.SPOKEN["called"]) and (match := shape.CALLED.search(self.text)):
            self.take(match, "name", group="v")
        if self.kind in ("flight", "train", "bus", "") and (match := shape.CLASS.search(self.text)):
            self.take(match, "class", group="v")
        banked = not self.spoken.isdisjoint(words.SPOKEN["account"])
        for match in list(shape.ACCOUNT.finditer(self.text)) if banked else ():
            bare = self.kind == "bank" and shape.OWN.search(self.text[: match.start("v")])
            if match["said"] or (bare and match["v"].lower() in ("checking", "savings")):
                self.take(match, "recipient account" if match["to"] else "account", group="v")
        for match in list(shape.FEATURE.finditer(self.text)):
            group = next(name for name, part in match.groupdict().items() if part)
            self.take(match, "features", group=group)
        if self.kind in ("music", "movie", "book", "car") and (match := shape.YEAR.search(self.text)):
            self.take(match, "year", group="v")

    # Where and who

    def places(self) -> None:
        careless = re.search(r"(?<=[a-z,] )[A-Z](?!')[a-z]", self.text) is None
        for role in shape.BEFORE_PLACE:
            for match in list(shape.PLACES[role].finditer(self.text)):
                self.place(match, role)
            if careless and role in shape.LOW_PLACES and self.open:
                for match in list(self.low(role).finditer(self.text)):
                    self.place(match, role)
        if not self.spoken.isdisjoint(words.SPOKEN["area"]) and (area := shape.AREA.search(self.text)):
            self.place(area, "place")

    def low(self, role: str) -> re.Pattern[str]:
        bare = role == "destination" and self.kind in words.TRAVEL - {""} and self.text == self.text.lower()
        return shape.LOW_TO if bare else shape.LOW_PLACES[role]

    def place(self, match: re.Match[str], role: str) -> None:
        name = named(match["v"])
        if role == "destination" and self.kind == "event" and shape.TICKETS.search(self.text[: match.start()]):
            role = "name"
        if name:
            start = match.start("v")
            exact = re.compile(re.escape(name)).match(self.text, start)
            if exact:
                self.take(exact, self.role(role, name))

    def role(self, role: str, name: str) -> str:
        """What a name after a preposition is, for this kind of task."""
        if self.kind == "bank":
            return {"origin": "sender", "destination": "recipient"}.get(role, role)
        if self.kind in ("music", "movie", "book") and role == "origin":
            return "by"
        if role in ("place", "origin", "destination") and name.split()[-1].lower() in words.VENUES:
            return "venue" if self.kind != "ride" else role
        if role == "origin" and self.kind == "car" and "place" in self.before and shape.COMING_FROM.search(self.text):
            return "origin"
        if role in ("origin", "destination") and self.kind not in words.TRAVEL:
            chosen = {"restaurant": "venue", "event": "name", "attraction": "name"}.get(self.kind, "place")
            return (
                chosen if role == "destination" and ("place" in self.before or self.kind == "restaurant") else "place"
            )
        if (
            role == "place"
            and self.kind in ("flight", "bus", "train")
            and re.search(r"(?i)\bbe in\b|arriv|\bland", self.text)
        ):
            return "destination"
        if role == "with" and shape.PROVIDER.match(name):
            return "provider"
        return role

    def names(self) -> None:
        """Names that stand where a choice is told, or alone."""
        careless = self.text == self.text.lower()
        opening = shape.OPENS.match(self.text) if self.open else None
        low = shape.LOW_OPENS.match(self.text) if self.open and careless and not self.found else None
        for match in filter(None, (opening, low, shape.CHOICE.search(self.text))):
            name = named(match["v"]) if match is not low else plain_name(match["v"])
            exact = re.compile(re.escape(name)).match(self.text, match.start("v")) if name else None
            if exact:
                self.take(exact, self.place_or_name(name, swapped=shape.SWAPS.match(match[0]) is not None))

    def place_or_name(self, name: str, *, swapped: bool) -> str:
        """What a bare name is; one that is put in place of another is what that was."""
        if name.lower() in words.BROAD:
            return "category"
        if name.lower() in words.CUISINES | words.GENRES:
            return "kind"
        named = [slot for slot in self.before if slot in ("place", "destination", "name", "venue")]
        if swapped and named:
            return named[-1]
        untold = not any(slot in self.before or self.has(slot) for slot in ("place", "destination"))
        if self.kind == "bank":
            return "recipient"
        if self.kind in ("flight", "bus", "train") and ("origin" in self.before) != ("destination" in self.before):
            return "destination" if "origin" in self.before else "origin"
        if self.kind == "weather" or shape.STATE.search(name) or (untold and self.kind not in _UNTITLED):
            return "place"
        return "name"

    # What it is like

    def descriptions(self) -> None:
        if match := shape.PRICE.search(self.text) if self.spoken & _PRICED else None:
            self.take(match, "price", group="v")
        for head in words.kinds_in(self.text):
            self.described(head)
        if (match := shape.OF_KIND.search(self.text)) and describes(match["v"]):
            self.kind_of(match["v"])
        if self.asks or len(self.text.split()) <= SHORT:
            for match in shape.IN_CLASS.finditer(self.text) if self.spoken & _CLASSED else ():
                self.kind_of(match["v"])
        if self.kind == "car" and (match := shape.IN_SIZES.search(self.text)):
            self.kind_of(match["v"])

    def described(self, head: re.Match[str]) -> None:
        """The words right before what is asked for, and that itself where it says which."""
        ahead = re.search(r"(?:[A-Za-z][\w&'-]+ ){1,2}$", self.text[: head.start()])
        kept: list[str] = []
        for word in reversed(ahead[0].split() if ahead else []):
            if not describes(word):
                break
            kept.insert(0, word)
        if singular(head[0]).lower() in words.SUBTYPES:
            kept.append(head[0])
        if len(kept) == 1 and self.kind in ("attraction", "weather") and is_town(kept[0]):
            if not self.has("place"):
                self.found.append(("place", kept[0]))
        elif kept and (len(kept) > 1 or kept[0].lower() not in words.KINDS or kept[0] == head[0]):
            self.kind_of(" ".join(kept))

    def kind_of(self, value: str) -> None:
        slot = "category" if value.lower() in words.BROAD else "kind"
        if value.lower() in ("vegan", "vegetarian", "halal", "kosher") and "kind" in self.before:
            slot = "features"  # Whether they have it as well.
        if not self.has(slot) and value.lower() != self.kind:
            self.found.append((slot, value))


def is_town(word: str) -> bool:
    """Whether a capitalised word names no class of things that we know: "Paris attractions"."""
    low = word.lower()
    known = low in words.CUISINES or low in words.GENRES or low in words.BROAD or low in words.KINDS
    return word[0].isupper() and not known and not low.endswith(("ian", "ese", "ish", "al", "ic"))


def describes(word: str) -> bool:
    """Whether a word says which one is wanted: it is of a known class, a name, or of a people or a place."""
    low = word.lower()
    if low in words.STARTERS or (low in words.KINDS and low not in words.BROAD):
        return False
    known = low in words.CUISINES or low in words.GENRES or low in words.BROAD
    return known or word[0].isupper() or low == "family" or re.search(r"(?:ian|ese|ish)$", low) is not None


def count_of(thing: str) -> str:
    """The name of how many there are of something."""
    thing = re.sub(r"(?<=bed|ath) (?=room)", "", singular(thing.lower()))
    return f"{ {'bed': 'bedroom', 'bath': 'bathroom'}.get(thing, thing) } count"


def named(value: str) -> str:
    """The proper name that a run of capitals is, without words that only begin a sentence; empty when it is none."""
    head, comma, tail = value.partition(",")
    parts = head.split(" ")
    cut = next(
        (place for place, word in enumerate(parts) if word.lower().rstrip(".") in words.BREAKS and place), len(parts)
    )
    if parts[0].lower() == "the" and cut == 1:
        return ""
    kept = " ".join(parts[:cut]).rstrip(".'’")
    if not kept or kept.split(" ")[0].lower() in words.STARTERS - {"the"} or kept.lower() in words.KINDS:
        return ""
    if len(kept) < 2 or kept.isdigit():
        return ""
    return f"{kept},{tail}" if comma and cut == len(parts) and is_tail(tail.strip()) else kept


def is_tail(word: str) -> bool:
    """Whether a word after a comma still belongs to the name: a state or a country."""
    return word.lower() not in words.STARTERS or (len(word) == 2 and word.isupper())


def plain_name(value: str) -> str:
    """A name that was written without capitals."""
    split = value.lower().split()
    if any(word in words.STARTERS or word in words.KINDS for word in split):
        return ""
    return value
