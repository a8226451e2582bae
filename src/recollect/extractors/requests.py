"""What a user asks an agent to do: the values of the task at hand, told of the request and never of the user.

A task is one subject, "restaurant request of 5 June 2024": the kind of thing that is asked for and the day on which it
was first asked. Each kind of value (date, time, party size, place, …) holds one value of it, so that "make it Friday"
ends the day said before and nothing else. Asking for another kind of thing begins another subject, the values of the
first stay its own; what names no kind belongs to the task that was spoken of last, if that was not long ago.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from recollect._values import word_set
from recollect.extractors import request_words as words
from recollect.extractors.clauses import sentences_of
from recollect.extractors.keywords import has_any
from recollect.extractors.request_values import Scan, Slot
from recollect.records import Draft, Fact, Message, Source

CATEGORY = "request"
CONFIDENCE = 0.6
MOST_DRAFTS = 8
AT_HAND = timedelta(hours=6)
"""How long after its last word a task is still the one at hand."""
LONGEST = 600
LONGEST_ASKED, LONGEST_LOOSE, LONGEST_SENTENCE = 50, 26, 30
"""Words of a message that asks for something, and of one that only speaks of the task at hand: what is asked of an
agent is said briefly, a long message tells or discusses something."""

_SUBJECT = re.compile(r"^(?:(?P<kind>\w+) )?request of ")
_LEAD = (
    r"^(?:[^,.!?]{1,30}[,.!] ?)?(?:(?:yes|yeah|no|nope|ok|okay|sure|great|good|well|so|and|but|hi|hello|hey|please|now|"
    r"also|actually|then|alright|thanks|right|perfect|oh|sorry|awesome|cool|nice|just|for now|go ahead and|"
    r"you can)[,.!]? )*"
)
_ACTION = (
    r"find|search|look|book|reserve|rent|buy|purchase|play|schedule|order|transfer|send|set|get|see|watch|check|make|"
    r"recommend|suggest|locate|arrange|hire|pay|listen|hear|attend|eat|dine|try|add|change|call|hail"
)
_WANT = re.compile(
    r"(?i)\b(?:i|we)(?:'d|’d| would|'m|’m| am| are|'re)?(?: (?:also|just|only|really|will|now|actually|still|do|in|"
    r"currently|mainly|wanted|was))*(?:'ll)? (?:(?P<want>(?:take|book|get) (?:a|an|the|some)|rather|want|wish|need|"
    r"require|"
    r"prefer|like|love|hoping)\b|(?:looking|"
    r"searching|hunting) (?:for|to|at|forward to see)\b|(?:planning|trying|going) to\b|in (?:need|the mood)\b|"
    r"interested in)|"
    r"\b(?:and|but) (?:want|need|would like) |\bi (?:wanna|must|have (?:to|the necessity))\b|\bin need\b"
)
_WANTING = word_set(
    """
    take book get rather want wish need require prefer like love hoping looking searching hunting planning trying going
    mood interested wanna must have
    """
)
"""Words without which nobody wants anything."""
_ASK = re.compile(
    rf"(?i){_LEAD}(?:(?:can|could|would|will) (?:you|u|i|we)\b|(?:{_ACTION})\b|help me|show me|give me|let'?s|let us|"
    r"are there\b|is there (?:any|a|an|some|another)|do you (?:have|know of)|any (?!idea|advice|tips|"
    r"thoughts|chance)|how about|what about|(?:what|how)(?:'s|'ll| is| will| are| kind of| sort of)? (?:the |be the "
    r")?(?:weather|forecast|temperature)|"
    r"how much (?:money )?(?:do i have|is in)|what else|i'd like|tell me the (?:balance|weather))"
)
_SERVICE = re.compile(
    r"(?i)\b(?:find me|book (?:me |a|an|the|it|for|\d|two|three|for)|reserve|rent(?:ing)? (?:a|an|the|me|it)|buy (?:me "
    r")?(?:\d|two|"
    r"three|four|a|some|the)? ?tickets?|play (?:me|some|something|the)|schedule (?:a|an|it|my|me)|transfer [$\d]|make "
    r"(?:me )?a "
    r"(?:reservation|booking|appointment)|set (?:an|the|my) alarm|search (?:for|in)|look(?:ing)? (?:for|in) (?:one|"
    r"something|"
    r"some ?where|someplace|a place)|find (?:one|something|some|(?:a )?places?|somewhere|other|another))\b"
)
_UNASKED = re.compile(
    rf"(?i){_LEAD}(?:does|did|do (?:i|they|we|you know (?:if|what|where|when|my|the|its|their))|is (?:it|that|this|my|"
    rf"the|"
    r"he|she|smoking)|are (?:they|you|the|these|those)|was|were|has|have (?:you|i|they)|will (?:it|i|they|the)|should "
    r"(?:i|"
    r"we)|what if|why|who|whose|where|when (?:do|does|did|will|is|are)|how (?:long|far|many|old|do|does|did|can|is|are|"
    r"come)|"
    r"what(?:'s| is| are| was| time| day| kind| type| sort)(?: of)? (?!(?:the )?(?:weather|forecast|temperature|"
    r"about))|which|"
    r"am i|may i|can (?:it|they|the)|if|suppose|imagine|pretend|assume|let's say|tell me (?:about|more|if|what|how)|"
    r"can you (?:tell me(?!.*(?:weather|temperature|forecast|account|balance))|explain|describe|write|help me (?:write|"
    r"understand))|write|explain|describe|summarize|translate)\b"
)
_LIFE = re.compile(
    r"(?i)\b(?:want|wants|like|love|wish|hope|hoping|planning|plan|need|going|thinking|dream) to (?:be|become|live|"
    r"move|learn|know|have|work|study|marry|quit|stop|retire|improve|understand|start|build)\b|"
    r"\b(?:i wish i|if i|should i)\b"
)
_HABIT = re.compile(
    r"(?i)^(?:i|we) (?:\w+ )?\w+ .*\bevery (?:\w+day|morning|evening|night|day|week|month|year)\b|"
    r"(?:^|.*[,;] )(?:i|we) (?:\w+ )?take (?:the|a) (?:\w+ )?(?:bus|train|tram|metro|subway|tube|ferry) (?:to "
    r"(?:work|school|the "
    r"office|uni)|everywhere|home|most)\b"
)
_OVER = re.compile(
    r"(?i)\b(?:i|we) (?:was|were|had|went|did|got|bought|visited|lived|saw|met|used to|have been|'ve been|grew|"
    r"moved)\b|"
    r"\b(?:i|we)(?:'ve|’ve) (?:been|had|got|just)\b|\b(?:was|were|cost|costed)\b|"
    r"\b(?:i|we|he|she|they|it) (?:\w+ly )?(?!need|want|chang|decid)\w{2,}ed\b|\b(?:yesterday|last (?:week|month|year|"
    r"night)|ago)\b"
)
_CHANGED = re.compile(
    r"(?i)\b(?:actually|instead|change|changed|make (?:it|that)|rather|sorry|second thought|better|no|nope|wrong|"
    r"switch)\b"
)
_ANEW = re.compile(
    r"(?i)\b(?:other|another|others|else|again|different|additional|more|alternatives?|how about|what about)\b"
)
_DONE = re.compile(
    r"(?i)\b(?:all (?:for|i need|that i)|that(?:'s| is|’s|s) (?:all|it)\b|thank you (?:very|so|for)|^thank|bye)"
)
_TO_HEAR = re.compile(r"(?i)\b(?:songs?|tracks?|albums?|playlist|listen|hear|play)\b")
_UNSPACED = re.compile(r"(?<=[a-z]{2}[.?!])(?=[A-Z][a-z]*[ ,'])")
_ASIDE = re.compile(
    r"(?i)\b(?:from|after|before|during|near|nearby|by|close to|at|to) (?:the|my|that|this|our) (?:\w+ )?$|"
    r"\b(?:from|after|before|during|near|by|close to) an? (?:\w+ )?$"
)


_CUE = re.compile(
    rf"{_WANT.pattern}|\b(?:{_ACTION}|finding|booking|renting|calling?|reserving|buying|help|show me|give me|have|"
    rf"there|how about|what "
    rf"about|any|other|the|my)\b"
)
NEAR = 40
"""How far, in letters, what is asked for stands from the words that ask."""


@dataclass
class Task:
    """The task at hand: its subject, its kind, and what is asked for so far, the latest last."""

    subject: str = ""
    kind: str = ""
    slots: dict[str, str] = field(default_factory=dict)

    @classmethod
    def at_hand(cls, said: Iterable[Fact | Draft], now: datetime) -> Task:
        """The task that was spoken of last, if that was not long ago."""
        asked = [one for one in said if one.category == CATEGORY and abs(now - one.said) <= AT_HAND]
        asked.sort(key=lambda one: one.said)
        return cls.of(asked[-1].subject, asked) if asked else cls()

    @classmethod
    def last_for_people(cls, said: Sequence[Fact | Draft], now: datetime) -> Task | None:
        """The last task that so many people can take part in."""
        fitting = [one for one in said if one.category == CATEGORY and kind_in(one.subject) not in words.UNPEOPLED]
        task = cls.at_hand(fitting, now)
        return task if task.subject else None

    @classmethod
    def of(cls, subject: str, said: Sequence[Fact | Draft]) -> Task:
        task = cls(subject, kind_in(subject))
        for one in said:
            if one.subject == subject:
                task.tell(one.attribute.removeprefix("requested "), one.value)
        return task

    def tell(self, slot: str, value: str) -> None:
        """Notes a value, as the latest."""
        self.slots.pop(slot, None)
        self.slots[slot] = value


def requested(message: Message, known: Sequence[Fact], before: Sequence[Draft]) -> list[Draft]:
    """Drafts of what a message asks for; `known` and `before` tell which task is at hand."""
    if len(message.content) > LONGEST or message.origin not in ("user", "operator"):
        return []
    text = message.content
    if len(text.split()) > LONGEST_ASKED:
        return []
    asking = Asking(message, text, [*known, *before])
    for sentence in parted(text):
        asking.read(sentence)
    return asking.drafts[:MOST_DRAFTS]


class Asking:
    """Reads one message; what it asks for is in `drafts`."""

    def __init__(self, message: Message, text: str, said: list[Fact | Draft]) -> None:
        self.message = message
        self.said = said
        self.drafts: list[Draft] = []
        self.task = Task.at_hand(said, message.at)
        self.short = len(text.split()) <= LONGEST_LOOSE
        self.loose = bool(self.task.subject) and self.short
        self.text = text

    def read(self, sentence: str) -> None:
        """Adds what one sentence asks for; who tells a long story before, or asks for advice, wants nothing booked."""
        story = len(sentence.split()) > LONGEST_SENTENCE and not _ASK.match(sentence)
        if story or _ADVICE.search(sentence):
            return
        asks = is_request(sentence)
        self.loose = self.loose and (asks or not _DONE.search(sentence))
        if not admits(sentence, asks=asks, loose=self.loose):
            return
        kind = kind_named(sentence, self.task.kind, asks=asks or not self.task.subject)
        if kind and kind != self.task.kind:
            self.task = Task.of(name_of(kind, self.message.at), [*self.said, *self.drafts])
        if not self.task.subject:
            if not _SERVICE.search(sentence):
                return
            self.task = Task(name_of("", self.message.at))
        self.keep(self.values(sentence, kind, asks=asks), sentence)

    def values(self, sentence: str, kind: str, *, asks: bool) -> list[Slot]:
        """The values of a sentence; the thing itself where it is all that a new task tells."""
        found = Scan(
            sentence,
            self.task.kind,
            self.task.slots,
            open=self.loose or bool(self.drafts),
            asks=asks,
            changes=_CHANGED.search(self.text) is not None or _ANEW.search(self.text) is not None,
            afresh=asks and bool(kind),
        ).read()
        if not found and kind and not self.task.slots and not self.drafts and self.short:
            return [("thing", thing) for thing in thing_named(sentence, kind)]
        return found

    def keep(self, found: Sequence[Slot], sentence: str) -> None:
        if self.task.kind in words.UNPEOPLED and any(slot == "party size" for slot, _ in found):
            self.task = Task.last_for_people([*self.said, *self.drafts], self.message.at) or self.task
        for slot, value in found:
            self.task.tell(slot, value)
        self.drafts += [draft_of(self.task, slot, self.message, sentence) for slot in found]


def parted(text: str) -> list[str]:
    """The sentences, also where no space was left between two."""
    return [part for sentence in sentences_of(text) for part in _UNSPACED.split(sentence)]


def is_request(sentence: str) -> bool:
    """Whether the words ask for something to be done."""
    want = _WANT.search(sentence) if has_any(sentence, _WANTING) else None
    if want and want["want"] in ("like", "love", "prefer") and not re.match(r"(?i)(?:i|we)(?:'d|’d| would)", want[0]):
        want = None
    return (want is not None or _ASK.match(sentence) is not None or "please" in sentence.lower()) and not (
        _UNASKED.match(sentence)
    )


_ADVICE = re.compile(
    r"(?i)\b(?:tips|advice|thoughts|feedback|how (?:to (?-i:[a-z])|(?:should|would|do) (?:i|we)\b)|what do you think|"
    r"ideas (?:for|on|about)|(?:to|better|help(?: me)?|me|you|easily) (?:track|balance) (?:my|the|our|your|all|both|"
    r"it|them|work)|(?:create|write|draft|design|build|develop|decide (?:on|between|whether|if)|understand|explain|"
    r"compare|calculate|improve|optimi[sz]e|prepare) (?:me )?(?:an?|my|the|our|some|between|on|how|what|whether|if|"
    r"why)\b)"
)
"""Words that ask for advice, or for something to be written or explained."""
_AT_HOME = re.compile(
    r"(?i)\b(?:recipes?|ingredients|leftovers|meal prep|(?:quick|easy|simple|healthy|homemade|"
    r"one-pot) "
    r"(?:[a-z]+ )?(?:dinner|lunch|breakfast|brunch|food)s?\b(?! (?:place|spot)))"
)
"""What is eaten at home needs no table."""


def admits(sentence: str, *, asks: bool, loose: bool) -> bool:
    """Whether the sentence can carry values of a task."""
    if not (asks or loose):
        return False
    if _LIFE.search(sentence) or _OVER.search(sentence) or _HABIT.match(sentence) or _AT_HOME.search(sentence):
        return loose and asks
    return asks or not (_UNASKED.match(sentence) or _DONE.search(sentence))


def kind_named(sentence: str, now: str, *, asks: bool) -> str:
    """The kind of task that the sentence asks for, or that what is done in it belongs to."""
    head = asked_for(sentence) if asks else None
    kind = words.kind_of(head[0]) if head else kind_implied(sentence, now, asks=asks)
    return "" if kind == "music" and now == "event" and not _TO_HEAR.search(sentence) else kind


def asked_for(sentence: str) -> re.Match[str] | None:
    """The word for what is asked for: near the words that ask, and the last where several stand together."""
    cues = [match.end() for match in _CUE.finditer(sentence)]
    heads = [
        match
        for match in words.kinds_in(sentence)
        if any(0 <= match.start() - cue <= NEAR for cue in cues) and not _ASIDE.search(sentence[: match.start()])
    ]
    head = heads[0] if heads else None
    for following in heads[1:]:
        if head is None or sentence[head.end() : following.start()].strip():
            break
        head = following
    return head


def kind_implied(sentence: str, now: str, *, asks: bool) -> str:
    """The kind of task that what is done belongs to: who checks in speaks of a hotel."""
    implied = words.IMPLIED if asks else words.IMPLIED[:3]
    found = next((kind for pattern, kind in implied if pattern.search(sentence)), "")
    if not found and not now and asks and re.search(r"(?i)\btickets?\b", sentence):
        return "event"
    return "" if found == "flight" and now in words.TRAVEL - {""} else found


def thing_named(sentence: str, kind: str) -> list[str]:
    """What is asked for, in its own word, where nothing more is said of it; the words "hear" and "eat" name nothing."""
    named = [match[0].lower() for match in words.kinds_in(sentence) if words.kind_of(match[0]) == kind]
    implied = kind not in ("music", "restaurant") or re.search(
        r"(?i)\b(?:place|somewhere|out) to|\bto dine\b", sentence
    )
    return named[:1] or ([kind] if implied else [])


def kind_in(subject: str) -> str:
    match = _SUBJECT.match(subject)
    return (match["kind"] if match else None) or ""


def name_of(kind: str, day: datetime) -> str:
    return f"{kind} request of {day.day} {day:%B %Y}".strip()


def draft_of(task: Task, slot: Slot, message: Message, sentence: str) -> Draft:
    name, value = slot
    return Draft(
        subject=task.subject,
        attribute=f"requested {name}",
        value=value,
        text=f"{task.kind or 'a'} request: {name} {value}",
        said=message.at,
        kind="update" if _CHANGED.search(sentence) else "state",
        category=CATEGORY,
        many=True if name == "features" else None,
        origin=message.origin,
        confidence=CONFIDENCE,
        source=Source(message.id, sentence),
    )
