"""One message in a language other than English, read by that language's table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from recollect.extractors.clauses import LONGEST_SENTENCE
from recollect.extractors.dates import Dated
from recollect.extractors.languages.carried import Carried
from recollect.extractors.languages.clause import Clauses
from recollect.extractors.languages.drafted import drafted
from recollect.extractors.languages.spoken import Stated, heard, swapped, without_lead
from recollect.extractors.languages.table import Language
from recollect.extractors.languages.wording import one
from recollect.extractors.people import Cast
from recollect.facts.attributes import attribute, same_value
from recollect.records import Draft, Message
from recollect.text.sentences import sentences

_MOST_JOINTS = 12
_MOST_WORDS_MEANT = 4
"""A bare "sorry, it's …" that names a value and tells nothing else."""
_QUOTED = re.compile(r"[\"“„«「『][^\"“”»」』]{12,}[\"”“»」』]|“[^”]{5,}”|「[^」]{5,}」")


class Speech:
    """Reads one message; what it finds is in `drafts`."""

    def __init__(self, message: Message, cast: Cast, before: Sequence[Draft], table: Language) -> None:
        self.message = message
        self.before = list(before)
        self.table = table
        self.drafts: list[Draft] = []
        self.who = ""
        self.read_by = Clauses(message, cast, table)

    def read(self) -> list[Draft]:
        """The drafts of the whole message, in the order of its clauses."""
        if self.message.origin not in ("user", "operator"):
            return []
        for sentence in self.sentences(self.message.content):
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
        if self.read_by.against(stated) is None and self.put_right(stated, wrong=wrong):
            return
        who, carried = "", Carried(self.message.at, self.table)
        apposed = swapped(stated, self.table.swaps.get("apposed", ()))
        for front, clause in self.clauses(self.with_subject(apposed), front=lead):
            carried.hear(clause)
            said = heard(clause, self.table, fronted=bool(front))
            read = None if carried.is_of_another(clause, who) else self.read_by.parse(said, who)
            if read is None:
                carried.miss(clause)
                who = self.read_by.holder(clause) or who
                continue
            who = self.who = read.who or who
            for item in read.stated:
                item = self.shaded(item, wrong=wrong, now=bool(marks["now"].search(lead)))
                item, when = carried.placed(item, clause, read)
                self.draft(item, read.text or clause, clause, when)

    def with_subject(self, stated: str) -> str:
        """A sentence that leaves out of whom the one before it spoke: "My sister is called Ana. Vive en Lima."."""
        dropped = self.table.marks.get("dropped")
        if not (self.who and dropped and dropped.match(stated)) or self.read_by.parse(heard(stated, self.table), ""):
            return stated
        return f"{self.who} {stated[0].lower()}{stated[1:]}"

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
            who = (read.who if read else self.read_by.holder(before)) or who
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

    def put_right(self, stated: str, *, wrong: bool) -> bool:
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
            alone = wrong and self.table.corrects_alone and len(new.split()) <= _MOST_WORDS_MEANT
            if old or alone:
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
        self.drafts.append(drafted(replace(item, attribute=name), item.text or text, quote, when, self.message))
