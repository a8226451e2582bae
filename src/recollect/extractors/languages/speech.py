"""One message in a language other than English, read by that language's table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice

from recollect.attributes import attribute, same_value
from recollect.extractors.clauses import LONGEST_SENTENCE
from recollect.extractors.dates import Dated
from recollect.extractors.languages.clause import TIMELESS, Clauses
from recollect.extractors.languages.spoken import Stated, heard, swapped, without_lead
from recollect.extractors.languages.table import Language
from recollect.extractors.languages.wording import one
from recollect.extractors.material import LONGEST_READ
from recollect.extractors.people import Cast
from recollect.records import Draft, Kind, Message, Source
from recollect.words import sentences

_MOST_JOINTS = 12
_QUOTED = re.compile(r"[\"“„«「『][^\"“”»」』]{12,}[\"”“»」』]|“[^”]{5,}”|「[^」]{5,}」")


class Speech:
    """Reads one message; what it finds is in `drafts`."""

    def __init__(self, message: Message, cast: Cast, before: Sequence[Draft], table: Language) -> None:
        self.message = message
        self.before = list(before)
        self.table = table
        self.drafts: list[Draft] = []
        self.read_by = Clauses(message, cast, table)

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
        asked = sentence.rstrip("\"')”» *").endswith(("?", "？")) or self.is_asked(lead, stated)
        if not stated or asked or marks["unreal"].search(stated) or marks["reported"].search(stated):
            return
        stated = swapped(stated, self.table.swaps.get("there", ()))
        wrong = marks["admitted"].search(f"{lead} {stated}") is not None
        if self.read_by.against(stated) is None and self.put_right(stated):
            return
        who = ""
        for front, clause in self.clauses(stated, front=lead):
            read = self.read_by.parse(heard(clause, self.table, fronted=bool(front)), who)
            if read is None:
                continue
            who = read.who or who
            for item in read.stated:
                item = self.shaded(item, wrong=wrong, now=bool(marks["now"].search(lead)))
                self.draft(item, read.text or clause, clause, read.when)

    def is_asked(self, lead: str, stated: str) -> bool:
        """Whether words ask; a verb before its subject does, unless a word stands before it: "also habe ich …"."""
        marks = self.table.marks
        if marks["question"].search(stated):
            return True
        alone = lead.rstrip()[-1:] in ("", *",.:;!–—-")
        return alone and "asked_first" in marks and marks["asked_first"].match(stated) is not None

    def shaded(self, item: Stated, *, wrong: bool, now: bool) -> Stated:
        if item.kind not in ("state", "update"):
            return item
        if wrong or (item.instead_of and item.kind == "state"):
            return replace(item, kind="correction")
        return replace(item, kind="update") if now and item.kind == "state" else item

    # Clauses

    def clauses(self, stated: str, *, front: str) -> Iterator[tuple[str, str]]:
        """The parts of a sentence that each state something, each with what leads in: it is cut where what follows can
        be read by itself."""
        start, who = 0, ""
        for joint in islice(self.table.marks["joint"].finditer(stated), _MOST_JOINTS):
            before, after = stated[start : joint.start()], stated[joint.end() :]
            read = self.read_by.parse(heard(before, self.table, fronted=bool(front)), who)
            who = read.who if read and read.who else who
            if self.read_by.is_someone(before) or self.read_by.is_time(before):
                continue
            if not who and self.read_by.goes_on_of_another(before, after):
                continue
            if self.begins(after, who) and not self.read_by.against(stated[start:]):
                yield self.led(front, before)
                start, front = joint.end(), ""
        yield self.led(front, stated[start:])

    def led(self, front: str, clause: str) -> tuple[str, str]:
        lead, rest = without_lead(clause, self.table)
        return front or lead, rest

    def begins(self, after: str, who: str) -> bool:
        """Whether a statement begins here."""
        front, after = without_lead(after, self.table)
        first = self.table.marks["joint"].split(after, maxsplit=1)[0]
        if not after or len(after) < 3:
            return False
        told = (heard(text, self.table, fronted=bool(front)) for text in (after, first))
        return any(self.read_by.parse(said, who) is not None for said in told)

    # Corrections

    def put_right(self, stated: str) -> bool:
        """A bare correction, which names only values: what it is about was said before or has the old value."""
        for pattern in self.table.corrections["meant"]:
            match = pattern.match(stated)
            new = one(match["new"], self.table) if match else ""
            if match is None or not new or self.read_by.parse(heard(match["new"], self.table), ""):
                continue
            old = one(match.groupdict().get("old") or "", self.table) or None
            about = [d for d in (*self.before, *self.drafts) if old is None or same_value(d.value, old)]
            if about:
                self.redraft(about[-1], new, old, stated)
                return True
            if old:
                item = Stated(self.read_by.speaker, "", new, "correction", instead_of=old, text=new)
                self.draft(item, stated, stated, Dated(stated))
                return True
        return False

    def redraft(self, about: Draft, new: str, old: str | None, stated: str) -> None:
        text = about.text.replace(about.value, new) if about.value else new
        item = Stated(about.subject, about.attribute, new, "correction", instead_of=old or about.value, text=text)
        self.draft(item, stated, stated, Dated(stated))

    # Drafts

    def draft(self, item: Stated, text: str, quote: str, when: Dated) -> None:
        """Adds a draft, dated and in words."""
        name = attribute(item.attribute).name if item.attribute else ""
        if any((one.subject, one.attribute, one.value) == (item.subject, name, item.value) for one in self.drafts):
            return
        known = attribute(name or "note")
        since, until = window(item.kind, name, when)
        self.drafts.append(
            Draft(
                subject=item.subject,
                attribute=name,
                value=item.value,
                text=item.text or text,
                said=self.message.at,
                kind=item.kind,
                category=known.category if name else "other",
                since=since,
                until=until,
                instead_of=item.instead_of,
                many=item.many,
                negated=item.negated,
                origin=self.message.origin,
                confidence=0.9,
                source=Source(self.message.id, quote.strip(" ,，")),
            )
        )


def window(kind: Kind, name: str, when: Dated) -> tuple[datetime | None, datetime | None]:
    """Since when and until when it holds; "I stop from July on" ends when July comes."""
    if name in TIMELESS and kind != "ending":
        return None, None
    since, until = when.window(kind, name)
    return (None, when.since) if kind == "ending" and until is None else (since, until)
