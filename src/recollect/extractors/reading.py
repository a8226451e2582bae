"""One message read: its clauses, whom they are about, and the drafts they become."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from recollect.extractors import (
    belongings,
    capitals,
    changing,
    circumstances,
    coming,
    corrections,
    doing,
    frames,
    nouns,
    plainly,
    statements,
    studying,
    things,
    tone,
    wording,
)
from recollect.extractors.clauses import Clause, clauses
from recollect.extractors.dates import Dated, dated, opened_by_time, time_last
from recollect.extractors.drafting import Drafting, Stated
from recollect.extractors.kin import with_kin
from recollect.extractors.open_verbs import open_predicate
from recollect.extractors.patterns import BY_VERB, Found
from recollect.extractors.people import NAME, Cast, is_name, relation_of, relation_pattern
from recollect.extractors.subjects import Spoken, introduced, spoken_of
from recollect.extractors.telling import (
    as_event,
    is_dated,
    is_settled,
    kind_as_told,
    kind_of,
    planned,
)
from recollect.extractors.verbs import Predicate, expand, read_predicate
from recollect.facts.attributes import attribute
from recollect.records import USER, Draft, Message

_CALL_ME = re.compile(
    rf"^(?i:(?:please|you can|just|(?:everyone|people|friends|everybody)(?: (?:at|in) \w+)?|my friends|they|but|and|so|"
    rf"from now on,?|now) )*(?i:calls? me|"
    rf"address me as) (?P<v>{NAME})"
)
_FIRST_PERSON = re.compile(r"(?i)\b(?:i|i'm|i've|i'd|i'll|we|my|our|me|us|mine|ours)\b")
_THE_ONE = re.compile(rf"(?i)the (?P<who>{relation_pattern()}) ")
_THEIRS = re.compile(r"(?i)\b(?:her|his|their) (?=\w)")
_CONDITIONS = frozenset(("if", "unless", "whether", "in case", "so that", "once", "whenever"))
_AMONG_PEOPLE = frozenset(("live", "move", "walk", "meet", "visit", "love", "like", "hate", "take", "eat", "play"))
"""Verbs after which "her parents" and "his dog" are told as such."""
_POLITELY = re.compile(
    r"(?i)(?:i'm |i am )?(?:so |really |very )?sorry (?:to|for|about|that|if)\b(?! that\b)(?!.*\b(?:confus|mix|"
    r"mistak|typo|"
    r"wrong|error|mess|"
    r"misunderst))"
)
"""Who is sorry for something else than what they said."""
_NEWS = re.compile(
    r"(?i)\b(?:(?<!right )now(?! and (?:then|again))|these days|nowadays|from now on|as of (?:now|today|this|\w+day)|"
    r"instead(?! of))\b|\bsince (?:the|my|our|we|i|last)\b"
)
_FROM_THEN = re.compile(r"(?i)(?:from|starting|as of|beginning)\b")
_AFTERWARDS = re.compile(r"(?i)^(?:then|after that|from then on|afterwards)\b")


_BREED = re.compile(rf"an? (?P<v>(?:[\w-]+ ){{0,2}}?[\w-]+)(?:,? (?:called|named) (?P<name>{NAME}))?$")


class Reading(Drafting):
    """Reads one message; what it finds is in `drafts`."""

    def __init__(self, message: Message, cast: Cast, before: Sequence[Draft] = (), *, said: str = "") -> None:
        super().__init__(message, cast, said)
        self.before = list(before)
        self.may_say_i = message.origin in ("user", "operator")
        self.wrong_before = False
        self.coming: Dated | None = None
        self.put_right: tuple[str, str] | None = None
        self.bitter = tone.sarcastic(message.content)
        self.lower = self.said.islower()

    def read(self) -> list[Draft]:
        """The drafts of the whole message, in the order of its clauses."""
        if tone.mocking(self.message.content):
            return []
        text = with_kin(capitals.with_speaker(self.message.content))
        names = self.cast.named
        text = capitals.capitalised(text, names) if self.lower else capitals.with_known_names(text, names)
        self.message = replace(self.message, content=text)
        own = re.search(r", (?:my|our) ", text) or frames.is_turned(text) or wording.is_ours(text)
        if not own and self.read_statements():
            return self.drafts
        for said in clauses(text):
            lead = said[0].lead if said else ""
            if said and said[0].unstated:
                self.mention(said[0].text)
                continue
            admitted = any(corrections.admitted(f"{lead} {clause.text}") for clause in said) and self.corrects(said)
            if said and self.read_whole(said[0]):
                continue
            for clause in said:
                self.read_clause(clause, wrong=admitted or self.wrong_before)
                self.mention(clause.text)
            self.wrong_before = admitted and not self.drafts
        return [draft for draft in self.drafts if draft.attribute or (draft.instead_of and draft.kind != "ending")]

    def read_statements(self) -> bool:
        """A message of nothing but statements about things and people who are not the speaker's own."""
        told = statements.alone(self.message.content, self.message.at)
        found = [(item, one) for one in told for item in one.found]
        if not found or any(self.is_own(item.subject) for item, _ in found):
            return False
        for item, one in found:
            clause = Clause(one.text, "")
            self.draft(item.subject, item, self.shaded(item.kind or "state", clause, item), clause, one.when)
        return True

    def is_own(self, name: str) -> bool:
        """Whether a name stands for someone of the speaker's, whom other rules know better."""
        return self.cast.by_name(name) is not None or self.cast.by_name(name.split()[0]) is not None

    def corrects(self, said: Sequence[Clause]) -> bool:
        """Whether "sorry" is more than politeness here: it leads into a statement, or is for a mistake."""
        return _POLITELY.match(f"{said[0].lead} {said[0].text}".strip()) is None

    def read_whole(self, clause: Clause) -> bool:
        """A sentence that as a whole sets a new value against an old one."""
        said = expand(clause.whole.rstrip(" .!"))
        right = corrections.put_right_whole(said, [*self.before, *self.drafts], lead=clause.lead)
        drafts = [*self.before, *self.drafts]
        if right is None and (bare := corrections.fragment(said, clause.lead, drafts)):
            right = (bare[0], bare[1], bare[0].value)
        if right is None or not self.may_say_i:
            return False
        about, new, old = right
        found = Found(about.attribute if about else "", new, instead_of=old, text="" if about else new)
        self.draft(about.subject if about else self.speaker, found, "correction", clause, Dated(clause.text))
        return True

    def read_clause(self, clause: Clause, *, wrong: bool) -> None:
        text = expand(f"{clause.subject} {clause.text}" if clause.subject else clause.text)
        text = wording.plain(time_last(text, self.message.at))
        if meant := corrections.meant_last(text):
            text, wrong = meant, True
        text = self.with_own(text)
        if not self.may_say_i and _FIRST_PERSON.search(text):
            return
        if self.read_correction(text, clause):
            return
        text, old = corrections.set_against(wording.without_tail(text) if " not " in text else text)
        text, given_up = corrections.instead(text)
        if old is None:
            text, old = corrections.not_but(text)
        when = self.dated(text, clause)
        if self.may_say_i:
            self.meet(text, clause)
        whose, old = (old, None) if old in ("me", "us") else ("", old)
        found, time = self.found_in(text, clause, when, old)
        found += self.not_mine(found) if whose else []
        for subject, item, kind in found:
            told_anew = old and not wrong and kind == "update" and "now" in text.split()  # "It's Lena now, not Tom"
            kind = "correction" if (old or wrong) and kind in ("state", "update") and not told_anew else kind
            if self.bitter and item.attribute in ("likes", "dislikes"):
                continue
            if given_up and kind in ("state", "plan") and not item.instead_of:
                kind, item = "plan" if kind == "plan" else "update", replace(item, instead_of=given_up)
            item = replace(item, instead_of=old) if old and not item.instead_of else item
            if self.put_right and item.value == self.put_right[0] and kind in ("state", "update"):
                kind, item = "correction", replace(item, instead_of=self.put_right[1])
            self.draft(subject, item, self.shaded(kind, clause, item), clause, time)

    def found_in(self, text: str, clause: Clause, when: Dated, old: str | None) -> tuple[list[Stated], Dated]:
        """What the clause states and when that holds: read whole, without its circumstances, or as a bare value."""
        if when.ahead and _FROM_THEN.match(text) and (told := self.from_then(text, of="the "))[0]:
            return told
        if when.ahead and (found := self.lasting_from(clause, when)):
            return found, when
        if found := self.stated(text, clause, when):
            return found, Dated(text) if any(when.inside(item.value) for _, item, _ in found) else when
        if when.found:
            found, time = self.from_then(text)
            if found:
                return found, time
        if not clause.condition and (core := circumstances.peeled(text)) != text:
            core = frames.plainer(core)
            time = self.dated(core, clause)
            if found := self.stated(core, clause, time):
                return found, time
        found = self.put_right_by_value(text, old) if self.may_say_i else []
        return found, Dated(text) if any(when.inside(item.value) for _, item, _ in found) else when

    def lasting_from(self, clause: Clause, when: Dated) -> list[Stated]:
        """What will be so from some time on."""
        present = coming.as_present(when.text, when.phrase)
        found = self.stated(present, clause, Dated(present)) if present else []
        lasting = [one for one in found if one[1].attribute not in ("plan", "event", "goal") and one[2] != "ending"]
        return [(subject, replace(item, kind="plan"), "plan") for subject, item, _ in lasting]

    def dated(self, text: str, clause: Clause) -> Dated:
        """When the clause holds; "then" and "after that" go on from a time that was told before and is to come."""
        when = dated(text, self.message.at, spoken=clause.text) if " born " not in text else Dated(text)
        if not when.found and self.coming and _AFTERWARDS.match(f"{clause.lead} {text}".strip()):
            return replace(self.coming, text=_AFTERWARDS.sub("", text, count=1).lstrip(" ,"))
        self.coming = when if when.ahead else self.coming
        return when

    def read_correction(self, text: str, clause: Clause) -> bool:
        """A bare correction, which names only values: what it is about was said before or has the old value."""
        right = corrections.put_right(wording.without_tail(text), [*self.before, *self.drafts])
        if right is None:
            return False
        about, new, old = right
        if about is None and (old is None or not re.search(r"[A-Z\d]", old)):
            self.put_right = (new, old) if old else None
            return False
        name = about.attribute if about else ""
        found = Found(name, new, instead_of=old or (about.value if about else None), text="" if about else new)
        self.draft(about.subject if about else self.speaker, found, "correction", clause, Dated(text))
        return True

    def stated(self, text: str, clause: Clause, when: Dated) -> list[Stated]:
        """What the clause states, of whom, and how."""
        if match := _CALL_ME.match(text):
            return [(self.speaker, Found("nickname", match["v"]), "state")] if is_name(match["v"]) else []
        spoken = spoken_of(wording.without_opening(when.text), clause, self.cast, self.speaker)
        whole = spoken_of(text, clause, self.cast, self.speaker) if when.found else None
        spoken = whole if whole and whole.own else spoken
        if (spoken is None or not (spoken.first or spoken.known)) and not (clause.condition or clause.relative):
            told = statements.stated(wording.without_tail(text), self.message.at)
            if told and not any(self.is_own(item.subject) for item in told.found):
                return [(item.subject, item, item.kind or "state") for item in told.found]
        if spoken is not None:
            found = self.said_of(spoken, clause, when) or self.at_an_hour(text, clause, when)
            if not found or (spoken.name and len(found) == 1):  # A name told in passing is not all that is said.
                found = found + self.done_by(spoken, text, clause, when)
            if found or spoken.first:
                return found
        beside = nouns.of_my(when.text) if when.text != text else []
        beside = [item for item in beside if not nouns.is_event(item.attribute)]
        if beside and all(item.value.lower() not in ("now", "currently", "still") for item in beside):
            return [(self.owner_of(item), item, planned(item, when)) for item in beside]
        bare = wording.without_opening(text)
        noun = nouns.of_my(text) or (nouns.of_my(bare) if bare != text else []) or self.doings(text, when)
        if not noun and when.ahead and (noun := nouns.of_thing(when.text)):
            return [(self.owner_of(item), item, planned(item, when)) for item in noun]
        noun = noun or nouns.of_thing(text)
        if not noun and not (clause.condition or clause.relative):
            plain = wording.without_tail(text)
            noun = belongings.works_again(text) or belongings.of_thing(
                plain, anew=self.is_news(clause), known=self.known_things()
            )
        return [(self.owner_of(item), *as_event(item, when)) for item in noun]

    def doings(self, text: str, when: Dated) -> list[Found]:
        """What a thing does; a time to come beside it tells when: "the shop will run on Shopify in June"."""
        found = things.doings(text)
        beside = found and when.ahead and not any(item.attribute in things.WITH_TIME for item in found)
        coming = things.doings(when.text) if beside else []
        return [replace(item, kind="plan") if not item.kind else item for item in coming] or found

    def from_then(self, text: str, *, of: str = "") -> tuple[list[Stated], Dated]:
        """What is said of a thing after the time from which it holds: "From Monday the shop opens at 8:30". `of`: how
        the rest must begin."""
        opening, rest = opened_by_time(text, self.message.at)
        if not rest.startswith(of):
            return [], opening
        noun = things.doings(rest) or nouns.of_thing(rest) or belongings.of_thing(rest) if opening.found else []
        return [(self.owner_of(item), item, planned(item, opening)) for item in noun], opening

    def at_an_hour(self, text: str, clause: Clause, when: Dated) -> list[Stated]:
        """What the words of time belong to: "I go to bed at 11 pm"."""
        spoken = spoken_of(wording.without_opening(text), clause, self.cast, self.speaker) if when.found else None
        found = self.said_of(spoken, clause, when) if spoken and not spoken.own else []
        if not any(when.inside(item.value) for _, item, _ in found):
            return []
        return [(subject, item, "state" if kind == "plan" else kind) for subject, item, kind in found]

    def owner_of(self, item: Found) -> str:
        return self.speaker if item.subject in ("", USER) else item.subject

    def said_of(self, spoken: Spoken, clause: Clause, when: Dated) -> list[Stated]:
        """What is said of a person, with the name that it tells in passing."""
        if spoken.relation or (spoken.known and not spoken.first):
            self.cast.mention(spoken.subject, spoken.relation)
        named: list[Stated] = []
        if spoken.relation and not spoken.own:
            predicate = read_predicate(spoken.rest)
            if predicate and predicate.verb == "retire":
                return []  # "Doctor" may soon be another, who is not retired.
        if spoken.name:
            named.append((self.speaker, Found(spoken.relation, spoken.name), "state"))
        if not spoken.first and not spoken.own:
            theirs = introduced(_THEIRS.sub("my ", spoken.rest)) if _THEIRS.search(spoken.rest) else []
            for relation, name in theirs:
                self.draft(spoken.subject, Found(relation, name), "state", clause, Dated(clause.text))
        return [*named, *(self.own_key(spoken) if spoken.own else self.predicate_of(spoken, clause, when))]

    def own_key(self, spoken: Spoken) -> list[Stated]:
        """ "my sister's birthday is …"; her name makes her known."""
        match = re.match(
            r"(?i)^(?P<key>(?:[\w-]+ ){1,4}?)(?:is|are|was) (?:(?:now|actually|really|in fact) )?(?P<v>.+)$",
            spoken.rest,
        )
        if match is None:
            return []
        if match["key"].strip().lower() in ("name", "names") and spoken.relation:
            return self.names(spoken.relation, match["v"])
        sure = 0.8 if spoken.known else 0.6
        return [
            (spoken.subject, item, item.kind or "state")
            for item in nouns.keyed(spoken.subject, match["key"].strip(), match["v"], sure=sure)
        ]

    def predicate_of(self, spoken: Spoken, clause: Clause, when: Dated) -> list[Stated]:
        predicate = read_predicate(spoken.rest)
        if predicate and (rest := wording.without_tail(predicate.rest)) != predicate.rest:
            last = {word for word in ("again", "for good", "now") if predicate.rest.endswith(f" {word}")}
            predicate = replace(predicate, rest=rest, adverbs=predicate.adverbs | last)
        if predicate is None or clause.condition in _CONDITIONS:
            return []
        if clause.condition and predicate.tense not in ("past", "formerly"):
            return []
        if clause.condition and predicate.verb == "be" and predicate.rest[:1].isdigit():
            return []  # "when I was 16" only tells when.
        if spoken.relation and predicate.verb == "be" and (told := self.name_told(spoken, predicate)):
            return told
        once = when.long_ago and not when.found and predicate.tense == "past"
        if once and predicate.verb in ("use", "run", "host", "deploy"):
            predicate = replace(predicate, tense="formerly")
        if gone := changing.departed(spoken, predicate) or studying.sent_to(spoken, predicate, when):
            return [(self.owner_of(item), item, item.kind or "state") for item in gone]
        if predicate.can and not (predicate.negated and predicate.verb in doing.NOT_ABLE):
            return [(spoken.subject, item, item.kind or "state") for item in doing.can_do(predicate)]
        denied = predicate.negated and not predicate.ended
        never = "never" in predicate.adverbs and predicate.tense == "past"
        vain = (
            denied
            and not never
            and (predicate.tense != "present" or re.search(r"(?i)\byet\b", clause.text) is not None)
        )
        theirs = _THEIRS.search(predicate.rest) if not spoken.first else None
        if theirs and predicate.verb not in _AMONG_PEOPLE:  # What is hers is to her what mine is to me.
            predicate = replace(predicate, rest=_THEIRS.sub("my ", predicate.rest))
        for pattern in BY_VERB.get(predicate.verb, []):
            if found := [one for one in pattern.read_all(predicate) if is_dated(one, when)]:
                return [
                    (
                        item.subject if item.subject not in ("", USER) else spoken.subject,
                        replace(item, negated=True) if denied and not item.kind else item,
                        kind_as_told(item, predicate) or kind_of(predicate, pattern, when),
                    )
                    for item in found
                    if not (vain and not item.kind) and is_settled(item, predicate, when)
                ]
        if predicate.ended and not predicate.rest.strip(" ,") and predicate.verb not in ("be", "have", "do"):
            return [(spoken.subject, Found("habit", predicate.verb, kind="ending"), "ending")]
        return self.own_name(spoken, predicate) or self.breed(spoken, predicate)

    def breed(self, spoken: Spoken, predicate: Predicate) -> list[Stated]:
        """ "my dog is a labrador"."""
        match = _BREED.match(predicate.rest) if predicate.verb == "be" else None
        kind = relation_of(match["v"]) if match and spoken.called else None
        if kind and attribute(kind).category == "pets" and kind != spoken.relation and not predicate.negated:
            wrong = Found(spoken.relation, spoken.called, kind="ending", negated=True)
            return [(self.speaker, wrong, "ending"), (self.speaker, Found(kind, spoken.called), "correction")]
        if match is None or attribute(spoken.relation or "note").category != "pets" or predicate.negated:
            return []
        told = self.names(spoken.relation, match["name"]) if match["name"] else []
        return [*told, (spoken.subject, Found("breed", match["v"]), "state")]

    def done_by(self, spoken: Spoken, text: str, clause: Clause, when: Dated) -> list[Stated]:
        """A habit, a plan or an event, when nothing more precise was found."""
        predicate = open_predicate(spoken.rest, first=spoken.first)
        if not spoken.known or spoken.own or predicate is None or clause.condition:
            return []
        if found := doing.activity(predicate, when):
            return [(spoken.subject, item, item.kind or "state") for item in found]
        told = circumstances.rhythm_last(text)
        told = wording.without_opening(text) if told == text else told
        whole = spoken_of(told, clause, self.cast, self.speaker)
        timed = open_predicate(whole.rest) if whole else None
        found = (doing.habit(timed) if timed else []) or self.plainly_done(predicate, clause, when)
        return [(spoken.subject, item, item.kind or "state") for item in found]

    def plainly_done(self, predicate: Predicate, clause: Clause, when: Dated) -> list[Found]:
        """What is done as a rule, whatever it is; a day that is over tells of that day alone."""
        once = when.found and predicate.tense != "perfect" and "also" not in predicate.adverbs
        if once and not (when.ahead and _FROM_THEN.match(when.phrase)):
            return []
        told = replace(predicate, rest=wording.without_tail(predicate.rest))
        return plainly.kept_up(told, ahead=when.ahead, anew=self.is_news(clause))

    def with_own(self, text: str) -> str:
        """ "The cleaner comes on Fridays" of ours, where one is known."""
        match = _THE_ONE.match(text) if text[:4] in ("The ", "the ") else None
        known = match is not None and relation_of(match["who"]) in self.known_things()
        return f"our {text[4:]}" if known else text

    def known_things(self) -> set[str]:
        """The things that "the" may mean here."""
        return {*self.cast.things, *(one.subject.casefold() for one in (*self.before, *self.drafts))}

    def is_news(self, clause: Clause) -> bool:
        """Whether a clause is told as what is so now, and was not before."""
        return _NEWS.search(f"{clause.lead} {clause.text}".strip()) is not None
