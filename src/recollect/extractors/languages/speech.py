"""One message in a language other than English, read by that language's table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from recollect.attributes import attribute, same_value
from recollect.extractors.clauses import LONGEST_SENTENCE
from recollect.extractors.dates import Dated
from recollect.extractors.languages.carried import Carried
from recollect.extractors.languages.cues import found_in
from recollect.extractors.languages.drafted import TIMELESS, drafted
from recollect.extractors.languages.spoken import Read, Spoken, Stated, heard, swapped, without_lead
from recollect.extractors.languages.table import Language, Row
from recollect.extractors.languages.times import dated
from recollect.extractors.languages.turns import GONE, SWAP, is_for_once, is_untimely, turned
from recollect.extractors.languages.wording import items, key_of, name_in, one, parts, place_in, without_article
from recollect.extractors.material import LONGEST_READ
from recollect.extractors.people import Cast
from recollect.records import USER, Draft, Kind, Message
from recollect.words import sentences

_PROPER = frozenset(("name", "car", "home", "employer", "hometown", "birthplace", "address", "phone", "birthday"))
"""What has a name or a number: "my car is broken" tells nothing of it."""
_BESIDE = ("employer", "school", "birthplace")
"""What a clause may tell beside its value: "as a nurse at Acme"."""
_ONE_AT_A_TIME = ("car", "gym")
"""What "now" replaces, though someone may have several."""
_MOST_JOINTS = 12
_MOST_WORDS_MEANT = 4
"""A bare "sorry, it's …" that names a value and tells nothing else."""
_QUOTED = re.compile(r"[\"“„«「『][^\"“”»」』]{12,}[\"”“»」』]|“[^”]{5,}”|「[^」]{5,}」")


class Speech:
    """Reads one message; what it finds is in `drafts`."""

    def __init__(self, message: Message, cast: Cast, before: Sequence[Draft], table: Language) -> None:
        self.message = message
        self.cast = cast
        self.before = list(before)
        self.table = table
        self.drafts: list[Draft] = []
        self.who = ""
        self.speaker = message.name or USER
        self.greeted = table.marks["greeting"].match(message.content) is not None
        self.careless = message.content == message.content.lower()

    def read(self) -> list[Draft]:
        """The drafts of the whole message, in the order of its clauses."""
        if self.message.origin not in ("user", "operator"):
            return []
        for sentence in self.sentences(self.message.content[:LONGEST_READ]):
            self.read_sentence(_QUOTED.sub("", sentence[:LONGEST_SENTENCE]))
        return self.drafts

    def sentences(self, text: str) -> list[str]:
        """The sentences of a text; "am 3. Mai" is no end of one."""
        found: list[str] = []
        goes_on = self.table.marks.get("goes_on")
        for sentence in sentences(text):
            if goes_on and found and goes_on.search(f"{found[-1]} {sentence}", len(found[-1]) - 4):
                found[-1] = f"{found[-1]} {sentence}"
            else:
                found.append(sentence)
        return found

    def read_sentence(self, sentence: str) -> None:
        marks = self.table.marks
        lead, stated = without_lead(sentence, self.table)
        asked = sentence.rstrip("\"')”» *").endswith(("?", "？")) or marks["question"].search(stated)
        if not stated or asked or marks["unreal"].search(stated) or marks["reported"].search(stated):
            return
        wrong = marks["admitted"].search(f"{lead} {stated}") is not None
        if self.against(stated) is None and self.put_right(stated, wrong=wrong):
            return
        who, carried = "", Carried(self.message.at, self.table)
        apposed = swapped(stated, self.table.swaps.get("apposed", ()))
        for clause in self.clauses(self.with_subject(apposed)):
            clause = without_lead(clause, self.table)[1]
            carried.hear(clause)
            read = None if carried.is_of_another(clause, who) else self.parse(heard(clause, self.table), who)
            if read is None:
                carried.miss(clause)
                who = self.holder(clause) or who
                continue
            who = self.who = read.who or who
            for item in read.stated:
                item = self.shaded(item, wrong=wrong, now=bool(marks["now"].search(lead)))
                item, when = carried.placed(item, clause, read)
                self.draft(item, read.text or clause, clause, when)

    def with_subject(self, stated: str) -> str:
        """A sentence that leaves out of whom the one before it spoke: "My sister is called Ana. Vive en Lima."."""
        dropped = self.table.marks.get("dropped")
        if not (self.who and dropped and dropped.match(stated)) or self.parse(heard(stated, self.table), ""):
            return stated
        return f"{self.who} {stated[0].lower()}{stated[1:]}"

    def shaded(self, item: Stated, *, wrong: bool, now: bool) -> Stated:
        if item.kind not in ("state", "update"):
            return item
        if wrong or (item.instead_of and item.attribute):
            return replace(item, kind="correction")
        return replace(item, kind="update") if now and item.kind == "state" else item

    # Clauses

    def clauses(self, stated: str) -> Iterator[str]:
        """The parts of a sentence that each state something: it is cut where what follows can be read by itself."""
        start, who = 0, ""
        for joint in islice(self.table.marks["joint"].finditer(stated), _MOST_JOINTS):
            before, after = stated[start : joint.start()], stated[joint.end() :]
            read = self.parse(heard(before, self.table), who)
            who = (read.who if read else self.holder(before)) or who
            if self.begins(after, who) and not self.against(stated[start:]):
                yield before
                start = joint.end()
        yield stated[start:]

    def begins(self, after: str, who: str) -> bool:
        """Whether a statement begins here."""
        after = without_lead(after, self.table)[1]
        first = self.table.marks["joint"].split(after, maxsplit=1)[0]
        if not after or len(after) < 3:
            return False
        return any(self.parse(heard(text, self.table), who) is not None for text in (after, first))

    # Statements

    def parse(self, said: Spoken, who: str) -> Read | None:
        """What a clause states, with the subject of the clause before it when it has none of its own."""
        if against := self.against(said.text):
            return against
        if who and not self.table.marks["own"].match(said.text):
            shared = heard(f"{who}{self.table.space}{said.text}", self.table)
            if read := self.stated(shared):
                return read
        read = self.up_to("contrast", said.text) or self.stated(said)
        return read or self.up_to("stop", said.text) or self.up_to("joint", said.text)

    def up_to(self, mark: str, text: str) -> Read | None:
        """What a clause states before its reason or aside: "I moved to Porto because …"."""
        limit = self.table.marks[mark].search(text)
        return self.stated(heard(text[: limit.start()], self.table)) if limit and limit.start() else None

    def stated(self, said: Spoken) -> Read | None:
        when = dated(said.bare, self.message.at, self.table.code)
        text = self.in_order(when.text) if not said.bare.startswith(when.text[:8]) or said.fronted else when.text
        if found := (when.found and self.of_key(text, said, when)) or self.of_key(said.bare, said, when):
            return Read(tuple(found), when, said.text, self.holder(said.bare))
        of_others = self.table.marks["someone"].match(text) is not None
        words = found_in(f"{text} {said.bare}", self.table.space)
        for row in self.table.rows:
            if (row.person == "third" and not of_others) or not row.may_match(words):
                continue
            match = row.pattern.match(text) or (row.pattern.match(said.bare) if row.timed else None)
            if match and (found := self.of_row(row, match, said, when)):
                return Read(tuple(found), when, said.text, match.groupdict().get("who") or "")
        return self.planned(text, said, when)

    def holder(self, text: str) -> str:
        """ "my sister" in "my sister is called Anna"."""
        match = self.table.marks["holder"].match(text)
        return match[0].strip() if match else ""

    def in_order(self, text: str) -> str:
        """The clause with its subject first: "seit 2019 wohne ich in …"."""
        for pattern, order in self.table.swaps.get("inverted", ()):
            text = pattern.sub(order, text, count=1)
        return text

    def of_row(self, row: Row, match: re.Match[str], said: Spoken, when: Dated) -> list[Stated]:
        subject, found = self.subject_of(match)
        if subject is None:
            return []
        if row.attribute == "name" and match.groupdict().get("relation"):
            return self.named(match, match["value"]) if not said.denied else []
        if said.denied and not said.ended and (row.former or row.kind):
            return []
        if is_untimely(row, when, self.table) or is_for_once(said, self.table):
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

    def told(self, row: Row, subject: str, value: str, kind: Kind, said: Spoken, text: str) -> list[Stated]:
        """One value of a row as it was said: affirmed, denied, or ended."""
        plain = Stated(subject, row.attribute, value, kind, text=text)
        if row.attribute == "?":  # What "I left Helios" ends is whatever has that value.
            return [Stated(subject, "", value, "ending", instead_of=value)] if not said.denied else []
        if not row.attribute and not (said.denied and row.denied):
            return []  # Such words tell something only when they are negated: "I can't stand …".
        if not (said.denied or said.ended or (row.kind == "ending" and row.denied)):
            return [self.happening(plain, said)]
        turned = Stated(subject, row.denied, row.denied_value.format(value), "state") if row.denied else None
        if said.ended or row.kind == "ending":
            over = replace(plain, kind="ending", text="")
            return [over, replace(turned, kind="update")] if turned and row.denied_value != "{}" else [over]
        if turned:
            return [turned]
        if row.attribute in ("possession", "pet", "family"):
            return []
        return [replace(plain, kind="ending", negated=True, text="")]

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
        values = [value for value in values if value and value.lower() not in self.table.nothing]
        return values or None

    def for_one(self, match: re.Match[str], value: str) -> str:
        """The clause with only this one of its values."""
        said = next((part for part in parts(match["value"], self.table) if value in part), value)
        text = f"{match.string[: match.start('value')]}{said}{match.string[match.end('value') :]}"
        for pattern, written in self.table.swaps.get("written", ()):
            text = pattern.sub(written, text)
        return text

    # Whom it is about

    def subject_of(self, match: re.Match[str]) -> tuple[str | None, list[Stated]]:
        """Whom a matched clause is about, with the name that it tells in passing."""
        groups = match.groupdict()
        if word := groups.get("relation"):
            relation = self.table.relations[word.lower()]
            name = name_in(groups.get("name") or "", self.table)
            subject = self.cast.subject(relation, name)
            self.cast.mention(subject, relation)
            return subject, [Stated(self.speaker, relation, name, "state")] if name else []
        if groups.get("he") or groups.get("she"):
            meant = self.cast.by_pronoun("he" if groups.get("he") else "she")
            return (meant[0] if meant else None), []
        if groups.get("named"):
            return self.cast.by_name(groups["named"]), []
        return self.speaker, []

    def named(self, match: re.Match[str], said: str) -> list[Stated]:
        """ "my sister is called Anna"."""
        word = match.groupdict().get("relation")
        relation = self.table.relations[word.lower()] if word else ""
        names = [name for name in (name_in(item, self.table) for item in items(said, self.table)) if name]
        for name in names if relation else ():
            self.cast.mention(self.cast.subject(relation, name), relation)
        return [Stated(self.speaker, relation, name, "state") for name in names] if relation else []

    # "my X is Y"

    def of_key(self, text: str, said: Spoken, when: Dated) -> list[Stated]:
        for pattern in self.table.keyed:
            if (match := pattern.match(text)) and (found := self.keyed(match, said, when)):
                return found
        return []

    def keyed(self, match: re.Match[str], said: Spoken, when: Dated) -> list[Stated]:
        word = match["key"].strip(" ,")
        relation = self.table.relations.get(word.lower())
        if relation:
            name = name_in(match["value"], self.table)
            is_job = self.table.marks["job"].fullmatch(match["value"]) is not None
            if said.denied or said.ended or is_job or not name or not self.of_person(one(match["value"], self.table)):
                return []
            self.cast.mention(self.cast.subject(relation, name), relation)
            return [Stated(self.speaker, relation, name, "state")]
        key = key_of(word, self.table)
        listed = bool(key) and (attribute(key).holds == "many" or (word.endswith("s") and key.startswith("favorite")))
        values = items(match["value"], self.table) if listed else [one(match["value"], self.table)]
        values = [value for value in values if value and value.split()[0] not in self.table.nothing]
        found = [item for value in values for item in self.of_thing(key, value, match, said, when)] if key else []
        return [replace(item, many=True) for item in found] if len(values) > 1 else found

    def of_person(self, name: str) -> bool:
        """Whether "my boss is …" names them and does not describe them."""
        described = self.table.marks.get("described")
        return not described.match(name) if described else name[:1].isupper() or self.careless

    def of_thing(self, name: str, value: str, match: re.Match[str], said: Spoken, when: Dated) -> list[Stated]:
        known = attribute(name)
        subject = self.speaker
        if owner := match.groupdict().get("relation"):
            subject = self.cast.subject(self.table.relations[owner.lower()])
        if when.found and not known.known and same_value(dated(value, self.message.at, self.table.code).text, ""):
            return [Stated(subject, "event", match["key"], "plan" if when.ahead else "past")]
        if not known.known and self.table.space and not re.match(r"[A-ZÀ-Þ\d«“\"]", value):
            return []
        if known.name in _PROPER and self.table.space and not self.careless and not re.search(r"[A-ZÀ-Þ\d]", value):
            return []
        many = None if known.known else False
        if said.denied or said.ended:
            return [Stated(subject, name, value, "ending", negated=not said.ended, many=many)]
        kind: Kind = "past" if said.formerly else "update" if said.now else "state"
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

    # Corrections

    def put_right(self, stated: str, *, wrong: bool) -> bool:
        """A bare correction, which names only values: what it is about was said before or has the old value."""
        for pattern in self.table.corrections["meant"]:
            match = pattern.match(stated)
            new = one(match["new"], self.table) if match else ""
            if match is None or not new or self.parse(heard(match["new"], self.table), ""):
                continue
            old = one(match.groupdict().get("old") or "", self.table) or None
            about = [d for d in (*self.before, *self.drafts) if old is None or same_value(d.value, old)]
            if about:
                self.redraft(about[-1], new, old, stated)
                return True
            if old or (wrong and len(new.split()) <= _MOST_WORDS_MEANT):
                item = Stated(self.speaker, "", new, "correction", instead_of=old, text=new)
                self.draft(item, stated, stated, Dated(stated))
                return True
        return False

    def redraft(self, about: Draft, new: str, old: str | None, stated: str) -> None:
        text = about.text.replace(about.value, new) if about.value else new
        item = Stated(about.subject, about.attribute, new, "correction", instead_of=old or about.value, text=text)
        self.draft(item, stated, stated, Dated(stated))

    def against(self, clause: str) -> Read | None:
        """ "I live in B, not in A", "I do not live in A but in B": the statement, and the value it is set against."""
        for pattern in self.table.corrections["against"]:
            match = pattern.match(swapped(clause.strip(), self.table.swaps.get("full", ())))
            if match is None:
                continue
            space = self.table.space
            head = f"{match['head'].strip(' ,，')}{space}{match.groupdict().get('verb') or ''}".strip()
            read = self.stated(heard(f"{head}{space}{match['new'].strip()}", self.table))
            if read is None:
                continue
            wrong = self.stated(heard(f"{head}{space}{match['old'].strip()}", self.table))
            old = wrong.stated[-1].value if wrong else one(match["old"], self.table, links=True)
            return replace(read, text=clause, stated=tuple(replace(item, instead_of=old) for item in read.stated))
        return None

    # Drafts

    def draft(self, item: Stated, text: str, quote: str, when: Dated) -> None:
        """Adds a draft, dated and in words."""
        name = attribute(item.attribute).name if item.attribute else ""
        if any((one.subject, one.attribute, one.value) == (item.subject, name, item.value) for one in self.drafts):
            return
        self.drafts.append(drafted(replace(item, attribute=name), item.text or text, quote, when, self.message))
