"""One message read: its clauses, whom they are about, and the drafts they become."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from recollect.attributes import attribute, sentence
from recollect.extractors import corrections, doing, nouns, things, values
from recollect.extractors.clauses import Clause, clauses
from recollect.extractors.dates import Dated, dated
from recollect.extractors.patterns import BY_VERB, Found, Pattern
from recollect.extractors.people import NAME, Cast, is_name, relation_of
from recollect.extractors.subjects import Spoken, introduced, spoken_of
from recollect.extractors.verbs import Predicate, expand, read_predicate
from recollect.records import USER, Draft, Kind, Message, Source

_CALL_ME = re.compile(
    rf"^(?i:(?:please|you can|just|everyone|people|my friends|friends|they|everybody|but|and|so) )*(?i:calls? me|"
    rf"address me as) (?P<v>{NAME})"
)
_FIRST_PERSON = re.compile(r"(?i)\b(?:i|i'm|i've|i'd|i'll|we|my|our|me|us|mine|ours)\b")
_ALSO = re.compile(r"(?i)\b(?:also|another|too|as well|in addition|additionally|besides)\b")
_NOW = re.compile(r"(?i)\b(?:now|these days|nowadays|from now on|as of|instead|as of today)\b")
_MOOD = re.compile(
    r"(?i)(?:excited|tired|happy|fine|ok|good|great|bored|ready|sad|hungry|done|back|home|new|glad|sure|in|on|so)\b"
)
_HABITUAL = frozenset(("habit", "plan", "event"))


class Reading:
    """Reads one message; what it finds is in `drafts`."""

    def __init__(self, message: Message, cast: Cast, before: Sequence[Draft] = ()) -> None:
        self.message = message
        self.cast = cast
        self.before = list(before)
        self.drafts: list[Draft] = []
        own = message.name is None or message.name.casefold() == message.owner.casefold()
        self.speaker = USER if own else str(message.name)
        self.may_say_i = message.origin in ("user", "operator")
        self.wrong_before = False

    def read(self) -> list[Draft]:
        """The drafts of the whole message, in the order of its clauses."""
        for said in clauses(self.message.content):
            lead = said[0].lead if said else ""
            admitted = any(corrections.admitted(f"{lead} {clause.text}") for clause in said) and self.corrects(said)
            for clause in said:
                self.read_clause(clause, wrong=admitted or self.wrong_before)
            self.wrong_before = admitted and not self.drafts
        return self.drafts

    def corrects(self, said: Sequence[Clause]) -> bool:
        """Whether "sorry" is more than politeness here: it leads into a statement."""
        return not re.match(r"(?i)(?:sorry (?:to|for|about|that|if))", said[0].text)

    def read_clause(self, clause: Clause, *, wrong: bool) -> None:
        text = expand(f"{clause.subject} {clause.text}" if clause.subject else clause.text)
        if not self.may_say_i and _FIRST_PERSON.search(text):
            return
        if self.read_correction(text, clause):
            return
        text, old = corrections.set_against(text)
        when = dated(text, self.message.at) if " born " not in text else Dated(text)
        if self.may_say_i:
            self.meet(text, clause)
        found = self.stated(text, clause, when)
        for subject, item, kind in found:
            kind = "correction" if (old or wrong) and kind in ("state", "update") else kind
            time = Dated(text) if when.inside(item.value) else when
            self.draft(
                subject, replace(item, instead_of=item.instead_of or old), self.shaded(kind, clause, item), clause, time
            )

    def read_correction(self, text: str, clause: Clause) -> bool:
        """A bare correction, which names only values: what it is about was said before or has the old value."""
        right = corrections.put_right(text, [*self.before, *self.drafts])
        if right is None:
            return False
        about, new, old = right
        if about is None and old is None:
            return False
        name = about.attribute if about else ""
        found = Found(name, new, instead_of=old or (about.value if about else None), text="" if about else new)
        self.draft(about.subject if about else self.speaker, found, "correction", clause, Dated(text))
        return True

    def stated(self, text: str, clause: Clause, when: Dated) -> list[tuple[str, Found, Kind]]:
        """What the clause states, of whom, and how."""
        if match := _CALL_ME.match(text):
            return [(self.speaker, Found("nickname", match["v"]), "state")] if is_name(match["v"]) else []
        if turned := nouns.turned(text) or nouns.holder(text):
            return [(self.owner_of(item), item, item.kind or "state") for item in turned]
        spoken = spoken_of(when.text, clause, self.cast, self.speaker)
        whole = spoken_of(text, clause, self.cast, self.speaker) if when.found else None
        spoken = whole if whole and whole.own else spoken
        if spoken is not None:
            found = self.said_of(spoken, clause, when) or self.done_by(spoken, text, clause, when)
            if found or spoken.first:
                return found
        noun = nouns.of_my(text) or things.doings(text) or nouns.of_thing(text)
        return [(self.owner_of(item), *as_event(item, when)) for item in noun]

    def owner_of(self, item: Found) -> str:
        return self.speaker if item.subject in ("", USER) else item.subject

    def said_of(self, spoken: Spoken, clause: Clause, when: Dated) -> list[tuple[str, Found, Kind]]:
        """What is said of a person, with the name that it tells in passing."""
        if spoken.relation or (spoken.known and not spoken.first):
            self.cast.mention(spoken.subject, spoken.relation)
        named: list[tuple[str, Found, Kind]] = []
        if spoken.name:
            named.append((self.speaker, Found(spoken.relation, spoken.name), "state"))
        return [*named, *(self.own_key(spoken) if spoken.own else self.predicate_of(spoken, clause, when))]

    def own_key(self, spoken: Spoken) -> list[tuple[str, Found, Kind]]:
        """ "my sister's birthday is …"; her name makes her known."""
        match = re.match(r"(?i)^(?P<key>(?:[\w-]+ ){1,4}?)(?:is|are|was) (?:now )?(?P<v>.+)$", spoken.rest)
        if match is None:
            return []
        if match["key"].strip().lower() in ("name", "names") and spoken.relation:
            return self.names(spoken.relation, match["v"])
        sure = 0.8 if spoken.known else 0.6
        return [
            (spoken.subject, item, item.kind or "state")
            for item in nouns.keyed(spoken.subject, match["key"].strip(), match["v"], sure=sure)
        ]

    def names(self, relation: str, said: str) -> list[tuple[str, Found, Kind]]:
        """Names that are told of someone by their relation."""
        found: list[tuple[str, Found, Kind]] = []
        for name in values.items(said):
            name = name if values.has_name(name) else name.title()
            if len(name.split()) <= 3 and is_name(name):
                subject = self.cast.subject(relation, name)
                self.cast.mention(subject, relation)
                found.append((self.speaker, Found(relation, name), "state"))
        return found

    def predicate_of(self, spoken: Spoken, clause: Clause, when: Dated) -> list[tuple[str, Found, Kind]]:
        predicate = read_predicate(spoken.rest)
        if predicate is None or clause.condition in (
            "if",
            "unless",
            "whether",
            "in case",
            "so that",
            "once",
            "whenever",
        ):
            return []
        if clause.condition and predicate.tense not in ("past", "formerly"):
            return []
        if spoken.relation and predicate.verb == "be" and (told := self.name_told(spoken, predicate)):
            return told
        if predicate.can and predicate.verb not in ("stand",):
            return [(spoken.subject, item, "state") for item in doing.can_do(predicate)]
        denied = predicate.negated and not predicate.ended
        vain = denied and (predicate.tense != "present" or re.search(r"(?i)\byet\b", clause.text) is not None)
        for pattern in BY_VERB.get(predicate.verb, []):
            if found := pattern.read(predicate):
                return [
                    (
                        spoken.subject,
                        replace(item, negated=denied and not item.kind),
                        item.kind or kind_of(predicate, pattern, when),
                    )
                    for item in found
                    if not (vain and not item.kind) and is_settled(item, predicate, when)
                ]
        return self.own_name(spoken, predicate) or self.breed(spoken, predicate)

    def own_name(self, spoken: Spoken, predicate: Predicate) -> list[tuple[str, Found, Kind]]:
        """ "I'm Dana"."""
        told = spoken.first and predicate.verb == "be" and predicate.tense == "present" and not predicate.negated
        if (
            not told
            or not re.fullmatch(NAME, predicate.rest)
            or not is_name(predicate.rest)
            or _MOOD.match(predicate.rest)
        ):
            return []
        return [(spoken.subject, Found("name", predicate.rest, confidence=0.8), "state")]

    def breed(self, spoken: Spoken, predicate: Predicate) -> list[tuple[str, Found, Kind]]:
        """ "my dog is a labrador"."""
        match = re.match(r"(?i)an? (?P<v>(?:[\w-]+ ){0,2}[\w-]+)$", predicate.rest) if predicate.verb == "be" else None
        if match is None or attribute(spoken.relation or "note").category != "pets" or predicate.negated:
            return []
        return [(spoken.subject, Found("breed", match["v"]), "state")]

    def done_by(self, spoken: Spoken, text: str, clause: Clause, when: Dated) -> list[tuple[str, Found, Kind]]:
        """A habit, a plan or an event, when nothing more precise was found."""
        predicate = read_predicate(spoken.rest)
        if not spoken.known or spoken.own or predicate is None or clause.condition:
            return []
        if found := doing.activity(predicate, when):
            return [(spoken.subject, item, item.kind or "state") for item in found]
        whole = spoken_of(text, clause, self.cast, self.speaker)
        timed = read_predicate(whole.rest) if whole else None
        return [(spoken.subject, item, item.kind or "state") for item in doing.habit(timed)] if timed else []

    def name_told(self, spoken: Spoken, predicate: Predicate) -> list[tuple[str, Found, Kind]]:
        """ "my wife is called Maria", "my boss is Tom"."""
        match = re.match(
            rf"(?:(?i:called|named)\s+(?P<called>.+)|(?P<name>{NAME}(?:(?:, | and ){NAME})*))$", predicate.rest
        )
        if match is None or predicate.negated:
            return []
        if match["name"] and (not is_name(match["name"].split(" and ")[0]) or nationality(predicate)):
            return []
        return self.names(spoken.relation, match["called"] or match["name"])

    def meet(self, text: str, clause: Clause) -> None:
        """People who are named in passing become known."""
        for relation, name in introduced(text):
            self.cast.mention(self.cast.subject(relation, name), relation)
            self.draft(self.speaker, Found(relation, name), "state", clause, Dated(text))

    def notice(self, subject: str, name: str, value: str) -> None:
        """Whom a draft tells of, for a later "she" or "who"."""
        relation = relation_of(name)
        if subject == self.speaker and relation and relation != "pet":
            self.cast.mention(self.cast.subject(relation, value), relation)
        elif name in ("family", "pet") and (relation := relation_of(value.split()[-1])):
            self.cast.mention(relation, relation)

    def shaded(self, kind: Kind, clause: Clause, item: Found) -> Kind:
        """A plain state that is said as news is an update."""
        if (
            kind == "state"
            and (re.search(r"\bactually\b", clause.lead) or _NOW.search(f"{clause.lead} {clause.text}"))
            and item.attribute not in _HABITUAL
        ):
            return "update"
        return kind

    def draft(self, subject: str, found: Found, kind: Kind, clause: Clause, when: Dated) -> None:
        """Adds a draft, dated and in words."""
        name = attribute(found.attribute).name if found.attribute else ""
        if any((draft.subject, draft.attribute, draft.value) == (subject, name, found.value) for draft in self.drafts):
            return
        self.notice(subject, name, found.value)
        known = attribute(name or "note")
        since, until = when.window(kind, name)
        also = True if _ALSO.search(f"{clause.lead} {clause.text}") and known.holds == "many" else found.many
        self.drafts.append(
            Draft(
                subject=subject,
                attribute=name,
                value=found.value,
                text=self.words(subject, name, found, when),
                said=self.message.at,
                kind=kind,
                category=known.category if name else "other",
                since=since,
                until=until,
                instead_of=found.instead_of,
                many=also,
                negated=found.negated,
                origin=self.message.origin,
                confidence=found.confidence,
                source=Source(self.message.id, clause.text),
            )
        )

    def words(self, subject: str, name: str, found: Found, when: Dated) -> str:
        """The sentence a person would read; what is dated keeps its date."""
        if not found.value and name:
            return f"{attribute(name).name}: none"
        text = found.text or (sentence(subject, name, found.value) if name else found.value)
        if name in ("event", "plan") and when.phrase:
            text = f"{text} {when.phrase}" + (f" ({when.day})" if when.day else "")
        if found.text and subject != USER and not found.text.startswith(subject):
            text = f"{subject} {text}"
        return text


def nationality(predicate: Predicate) -> bool:
    """Whether "is German" describes someone and does not name them."""
    return any(
        item.attribute in ("nationality", "religion") for pattern in BY_VERB["be"] for item in pattern.read(predicate)
    )


def as_event(item: Found, when: Dated) -> tuple[Found, Kind]:
    """ "my flight is on 3 May" is an event and not a value of "flight"."""
    if item.subject == USER and nouns.is_event(item.attribute) and when.found:
        kind: Kind = "plan" if when.ahead else "past"
        return replace(item, attribute="event", value=item.attribute, text=item.attribute), kind
    return item, item.kind or "state"


def kind_of(predicate: Predicate, pattern: Pattern, when: Dated) -> Kind:
    """How something was said, from the tense of its verb and the time told with it."""
    if predicate.ended or predicate.negated:
        return "ending"
    if predicate.tense == "formerly":
        return "past"
    if predicate.tense == "future" or (predicate.tense == "present" and when.ahead):
        return "plan"
    if pattern.change and predicate.tense == "present" and predicate.ongoing:
        return "plan"
    if pattern.always:
        return "state"
    if pattern.change and predicate.tense in ("past", "perfect") and not (when.long_ago and not when.found):
        return "update"
    return "past" if is_over(predicate, when) else "state"


def is_settled(item: Found, predicate: Predicate, when: Dated) -> bool:
    """Whether it is told as a matter of fact: an event has a date, and an end is not only intended."""
    if item.attribute == "event":
        return when.found and not predicate.adverbs & doing.OFTEN
    if item.kind != "ending" or predicate.ended:
        return True
    intended = predicate.tense == "future" or (predicate.ongoing and predicate.tense == "present")
    return not predicate.negated and (when.ahead or not intended)


def is_over(predicate: Predicate, when: Dated) -> bool:
    """Whether the tense says that it no longer holds: "I lived in Rome", "I have worked there"."""
    if predicate.tense == "past" or (when.long_ago and predicate.tense != "present"):
        return True
    begun = predicate.ongoing or when.found
    return predicate.tense == "perfect" and predicate.verb in ("live", "work", "study", "use") and not begun
