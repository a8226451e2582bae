"""What one clause states, by the rows of its language's table."""

from __future__ import annotations

import re
from dataclasses import replace

from recollect.extractors.dates import Dated
from recollect.extractors.languages.cues import found_in
from recollect.extractors.languages.drafted import TIMELESS
from recollect.extractors.languages.orders import Ordered, ordered
from recollect.extractors.languages.partings import PETS, died, parted, switched
from recollect.extractors.languages.persons import People
from recollect.extractors.languages.spoken import Read, Spoken, Stated, heard, meets, newly, over, swapped
from recollect.extractors.languages.table import Language, Row
from recollect.extractors.languages.times import dated
from recollect.extractors.languages.turns import GONE, SWAP, is_for_once, turned
from recollect.extractors.languages.wording import (
    doing_in,
    items,
    key_of,
    name_in,
    one,
    parts,
    place_in,
    without_article,
)
from recollect.extractors.people import Cast
from recollect.facts.attributes import attribute, same_value
from recollect.records import USER, Kind, Message
from recollect.text.values import word_set

_PROPER = frozenset(
    ("name", "car", "home", "employer", "hometown", "birthplace", "address", "phone", "birthday", "possession")
)
"""What has a name or a number: "my car is broken" tells nothing of it."""
_BESIDE = ("employer", "school", "birthplace")
"""What a clause may tell beside its value: "as a nurse at Acme"."""
_ONE_AT_A_TIME = ("car", "gym")
"""What "now" replaces, though someone may have several."""
_KIN = word_set(
    "mother father parents sister brother son daughter child wife husband grandmother grandfather uncle aunt"
)
_ENDINGS = frozenset(("died", "parted", "switched"))
"""Shapes of rows whose match tells more than one value."""


class Clauses:
    """Reads single clauses of one message."""

    def __init__(self, message: Message, cast: Cast, table: Language) -> None:
        self.message = message
        self.cast = cast
        self.table = table
        self.speaker = message.name or USER
        self.people = People(cast, table, self.speaker)
        self.greeted = table.marks["greeting"].match(message.content) is not None
        self.careless = message.content == message.content.lower()

    def parse(self, said: Spoken, who: str) -> Read | None:
        """What a clause states, with the subject of the clause before it when it has none of its own."""
        if against := self.against(said.text):
            return against
        if who and not self.table.marks["own"].match(said.text):
            shared = heard(f"{who}{self.table.space}{said.text}", self.table)
            if read := self.stated(shared):
                return read
        read = self.up_to("contrast", said) or self.up_to("aside", said) or self.stated(said)
        return read or self.up_to("stop", said) or self.up_to("joint", said)

    def up_to(self, mark: str, said: Spoken) -> Read | None:
        """What a clause states before its reason or aside: "I moved to Porto because …"."""
        limit = self.table.marks[mark].search(said.text) if mark in self.table.marks else None
        if limit is None or not limit.start():
            return None
        return self.stated(heard(said.text[: limit.start()], self.table, fronted=said.fronted))

    def stated(self, said: Spoken) -> Read | None:
        """What a clause states by itself: "my X is Y", one of the rows, or a plan."""
        when = dated(said.bare, self.message.at, self.table.code)
        text = self.in_order(when.text) if not said.bare.startswith(when.text[:8]) or said.fronted else when.text
        for order in ordered(text, self.table):
            if read := self.of_order(order, said, when):
                return read
        return self.planned(text, said, when) or self.in_passing(text, said, when)

    def in_passing(self, text: str, said: Spoken, when: Dated) -> Read | None:
        """The name that a clause tells of someone, where nothing else of it is read: "my sister Anke is here"."""
        match = self.table.marks["someone"].match(text) if self.table.space else None
        if match is None or not match.groupdict().get("name") or not text[match.end() :].lstrip()[:1].islower():
            return None
        named = self.people.subject_of(match)[1]
        return Read(tuple(named), Dated(when.text), said.text, match[0]) if named else None

    def of_order(self, order: Ordered, said: Spoken, when: Dated) -> Read | None:
        if found := self.of_key(order.text, said, when) or self.of_key(said.bare, said, when):
            return Read(tuple(found), when, said.text, self.holder(said.bare))
        of_others = self.table.marks["someone"].match(order.text) is not None
        words = found_in(f"{order.text} {said.bare}", self.table.space)
        for row in self.table.rows:
            if not row.may_match(words):
                continue
            if (row.person == "third" and not of_others) or not meets(row.needs, said, when):
                continue
            match = self.match(row, order, said)
            if match and (found := self.of_row(row, match, said, when)):
                return Read(tuple(found), when, said.text, match.groupdict().get("who") or "")
        return None

    def match(self, row: Row, order: Ordered, said: Spoken) -> re.Match[str] | None:
        """A row's match in the clause without its time, or with it where the time can be the value."""
        match = row.pattern.match(order.text)
        if match and order.holds(match):
            return match
        timed = ordered(self.in_order(said.bare), self.table) if row.timed else ()
        return next((match for order in timed if (match := row.pattern.match(order.text))), None)

    def holder(self, text: str) -> str:
        """ "my sister" in "my sister is called Anna"."""
        match = self.table.marks["holder"].match(text)
        return match[0].strip() if match else ""

    def is_someone(self, text: str) -> bool:
        """Whether a text only names whom the next words are about: "my brother, Tom, lives in …"."""
        match = self.table.marks["someone"].fullmatch(text.strip(" ,")) if self.table.space else None
        return match is not None and bool(match.groupdict().get("relation"))

    def goes_on_of_another(self, before: str, after: str) -> bool:
        """Whether a clause without a subject of its own goes on about someone unknown: "my hero fights and lives …"."""
        marks = self.table.marks
        if "verb" not in marks or not marks["verb"].match(heard(after, self.table).bare):
            return False
        return marks["of_self"].search(heard(before, self.table).bare) is None

    def is_time(self, text: str) -> bool:
        """Whether a text only tells when the next words hold: "from Monday on, …"."""
        when = dated(text, self.message.at, self.table.code)
        return when.found and not when.text.strip(" ,，")

    def in_order(self, text: str) -> str:
        """The clause with its subject first: "seit 2019 wohne ich in …"."""
        for pattern, order in self.table.swaps.get("inverted", ()):
            text = pattern.sub(order, text, count=1)
        return text

    def of_row(self, row: Row, match: re.Match[str], said: Spoken, when: Dated) -> list[Stated]:
        if row.shape in _ENDINGS:
            return self.ended(row, match) if not said.denied and said.ended == (row.needs == "ended") else []
        subject, found = self.people.subject_of(match)
        if subject is None:
            return []
        if row.attribute == "name" and (relation := self.people.relation_of(match, subject)):
            return self.people.named(relation, match["value"]) if not said.denied else []
        if said.denied and not said.ended and (row.former or row.kind):
            return []
        if row.kind == "ending" and said.formerly:
            return []  # "früher" is earlier there, as in "I stopped earlier today".
        if is_for_once(said, self.table):
            return []
        if row.attribute in (SWAP, GONE):
            return turned(row, match, subject, self.cast, self.speaker, self.table)
        values = self.values_of(row, match)
        if values is None:
            return []
        kind = self.kind_of(row, said, when)
        for value in values:
            text = self.for_one(match, value) if len(values) > 1 else ""
            found += self.told(row, subject, value, kind, said, text)
        for beside in _BESIDE:
            more = match.groupdict().get(beside)
            if more and not said.denied and (value := place_in(more, self.table, careless=self.careless)):
                found.append(Stated(subject, beside, value, kind))
        many = True if len(values) > 1 or (said.also and attribute(row.attribute).holds == "many") else None
        if said.now and row.attribute in _ONE_AT_A_TIME:
            many = False
        return [replace(item, many=many) if item.attribute == row.attribute else item for item in found]

    def ended(self, row: Row, match: re.Match[str]) -> list[Stated]:
        if row.shape == "died":
            return died(match, row.value, self.table, self.cast, speaker=self.speaker)
        if row.shape == "parted":
            return parted(match, row.value, self.table, self.cast, speaker=self.speaker)
        return switched(match, self.table, self.speaker)

    def told(self, row: Row, subject: str, value: str, kind: Kind, said: Spoken, text: str) -> list[Stated]:
        """One value of a row as it was said: affirmed, denied, or ended."""
        plain = Stated(subject, row.attribute, value, kind, text=text)
        if row.attribute == "?":  # What "I left Helios" ends is whatever has that value.
            return self.given_up(subject, value) if not said.denied else []
        if not row.attribute and not (said.denied and row.denied):
            return []  # Such words tell something only when they are negated: "I can't stand …".
        if not (said.denied or said.ended or (row.kind == "ending" and row.denied)):
            if kind != "past":
                self.people.introduced(row.attribute, value)
            return [self.happening(plain, said)]
        instead = Stated(subject, row.denied, row.denied_value.format(value), "state") if row.denied else None
        if said.ended or row.kind == "ending":
            ended = replace(plain, kind="ending", text="")
            return [ended, replace(instead, kind="update")] if instead and row.denied_value != "{}" else [ended]
        if instead:
            return [instead]
        if row.attribute in ("possession", "pet", "family"):
            return []
        return [replace(plain, kind="ending", negated=True, text="")]

    def given_up(self, subject: str, value: str) -> list[Stated]:
        """What "I sold my car" ends by its noun, or "I left Helios" by its value."""
        by_value = Stated(subject, "", value, "ending", instead_of=value)
        name = self.table.ends.get(value.lower()) or self.table.relations.get(value.lower())
        return [Stated(subject, name, "", "ending"), by_value] if name else [by_value]

    def happening(self, item: Stated, said: Spoken) -> Stated:
        """ "I have an appointment on 3 July" is an event and no possession."""
        when = dated(said.bare, self.message.at, self.table.code)
        if item.attribute == "possession" and when.found and when.bounded:
            return replace(item, attribute="event", kind="plan" if when.ahead else "past")
        return item

    def kind_of(self, row: Row, said: Spoken, when: Dated) -> Kind:
        if row.kind == "update" and when.ahead:
            return "plan"
        if row.kind:
            return row.kind
        if row.former or said.formerly or when.long_ago:
            return "past"
        if when.ahead and row.attribute not in TIMELESS:
            return "plan"
        return "update" if said.now else "state"

    def values_of(self, row: Row, match: re.Match[str]) -> list[str] | None:
        """The values that a row's words name; None when they cannot be such values."""
        if row.shape == "doing":
            return [doing_in(match, self.table)]
        if row.value or "value" not in match.re.groupindex or match["value"] is None:
            return [row.value]
        said = match["value"]
        if row.shape in ("name", "greeted"):
            name = name_in(said, self.table) if row.shape == "name" or self.greeted else ""
            return [name] if name else None
        if row.shape == "place":
            place = place_in(said, self.table, careless=self.careless)
            return [place] if place else None
        many = attribute(row.attribute or row.denied).holds == "many"
        values = items(said, self.table) if many else [one(said, self.table)]
        values = [value for value in values if value and not self.is_nothing(value)]
        return values or None

    def is_nothing(self, value: str) -> bool:
        """Whether words cannot be a value: "it", "a lot", "your idea", or a subject that stands after its verb."""
        marks = self.table.marks
        apart = any(name in marks and marks[name].match(value) for name in ("yours", "self"))
        return apart or value.lower() in self.table.nothing

    def for_one(self, match: re.Match[str], value: str) -> str:
        """The clause with only this one of its values."""
        said = next((part for part in parts(match["value"], self.table) if value in part), value)
        text = f"{match.string[: match.start('value')]}{said}{match.string[match.end('value') :]}"
        for pattern, written in self.table.swaps.get("written", ()):
            text = pattern.sub(written, text)
        return text

    # "my X is Y"

    def of_key(self, text: str, said: Spoken, when: Dated) -> list[Stated]:
        for pattern in self.table.keyed:
            if (match := pattern.match(text)) and (found := self.keyed(match, said, when)):
                return found
        return []

    def keyed(self, match: re.Match[str], said: Spoken, when: Dated) -> list[Stated]:
        word = match["key"].strip(" ,")
        relation = self.table.relations.get(word.lower())
        if relation and "indefinite" in self.table.marks and self.table.marks["indefinite"].match(match["value"]):
            return self.described(relation, one(match["value"], self.table)) if not said.denied else []
        if relation:
            name = name_in(match["value"], self.table)
            is_job = self.table.marks["job"].fullmatch(match["value"]) is not None
            if said.denied or said.ended or is_job or not name or not self.of_person(one(match["value"], self.table)):
                return []
            if match.groupdict().get("was") or (self.table.capital_nouns and relation in _KIN):
                return []
            self.cast.mention(self.cast.subject(relation, name), relation)
            return [Stated(self.speaker, relation, name, "state")]
        word, said = self.aged(word, said)
        key = key_of(word, self.table)
        listed = bool(key) and (attribute(key).holds == "many" or (word.endswith("s") and key.startswith("favorite")))
        values = items(match["value"], self.table) if listed else [one(match["value"], self.table)]
        if not key or not values or any(self.is_no_value(value) for value in values):
            return []
        found = [item for value in values for item in self.of_thing(key, value, match, said, when)]
        return [replace(item, many=True) for item in found] if len(values) > 1 else found

    def is_no_value(self, value: str) -> bool:
        """Whether "my X is …" goes on with no value: with "so", or with an article whose noun was taken for a time."""
        bare = not value or self.table.marks["article"].fullmatch(f"{value} ") is not None
        return bare or value.split()[0] in self.table.nothing

    def aged(self, word: str, said: Spoken) -> tuple[str, Spoken]:
        """The noun without what says that it is the new one or the old one."""
        for shade in ("now", "formerly"):
            aged = self.table.marks.get(f"key_{shade}")
            if aged and (shorter := aged.sub("", word)) != word:
                return shorter, replace(said, now=said.now or shade == "now", formerly=shade == "formerly")
        return word, said

    def described(self, relation: str, what: str) -> list[Stated]:
        """ "my dog is a poodle"; what else someone is, is told by the rows."""
        of_breed = relation in PETS and self.table.marks["breed"].fullmatch(what)
        return [Stated(relation, "breed", what, "state")] if of_breed else []

    def of_person(self, name: str) -> bool:
        """Whether "my boss is …" names them and does not describe them."""
        described = self.table.marks.get("described")
        return not described.match(name) if described else name[:1].isupper() or self.careless

    def of_thing(self, name: str, value: str, match: re.Match[str], said: Spoken, when: Dated) -> list[Stated]:
        known = attribute(name)
        subject = self.speaker
        if match.groupdict().get("relation"):
            subject = self.people.subject_of(match)[0] or subject
        if when.found and not known.known and same_value(dated(value, self.message.at, self.table.code).text, ""):
            return [Stated(subject, "event", match["key"], "plan" if when.ahead else "past")]
        if not known.known and self.table.space and not re.match(r"[A-ZÀ-Þ\d«“\"]", value):
            return []
        if known.name in _PROPER and self.table.space and not self.careless and not re.search(r"[A-ZÀ-Þ\d]", value):
            return []
        many = None if known.known else False
        if said.denied or said.ended:
            return [Stated(subject, name, value, "ending", negated=not said.ended, many=many)]
        kind: Kind = "past" if said.formerly or match.groupdict().get("was") else "update" if said.now else "state"
        return [Stated(subject, name, value, kind, many=many)]

    # Plans

    def planned(self, text: str, said: Spoken, when: Dated) -> Read | None:
        """ "on 3 June I fly to Rome": what nothing more precise was found for, with a date ahead."""
        match = self.table.marks["plan"].match(text) if when.found and when.ahead else None
        if match is None or said.denied or said.ended or when.long_ago:
            return None
        value = without_article(match["value"], self.table).strip(" ,")
        if not value or len(value.split()) > 10 or len(value) > 80:
            return None
        return Read((Stated(self.speaker, "plan", value, "plan"),), when, said.text)

    # Values set against each other

    def against(self, clause: str) -> Read | None:
        """ "I live in B, not in A", "I do not live in A but in B": the statement, and the value it is set against."""
        for pattern in self.table.corrections["against"]:
            match = pattern.match(swapped(clause.strip(), self.table.swaps.get("full", ())))
            if match is None:
                continue
            space = self.table.space
            head = f"{match['head'].strip(' ,，')}{space}{match.groupdict().get('verb') or ''}".strip()
            read = self.stated(heard(f"{head}{space}{match['new'].strip()}", self.table))
            if read is None or read.stated[0].attribute == "plan":
                continue
            wrong = self.stated(heard(f"{head}{space}{match['old'].strip()}", self.table))
            if match.groupdict().get("over"):
                return replace(read, text=clause, stated=(*over(wrong), *(newly(item) for item in read.stated)))
            old = wrong.stated[-1].value if wrong else one(match["old"], self.table, links=True)
            return replace(read, text=clause, stated=tuple(replace(item, instead_of=old) for item in read.stated))
        return None
