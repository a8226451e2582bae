"""What a search asks for: its words, the attributes, times and names in it, whether it is about the present. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from recollect.retrieve.question_attributes import asked_for, needed_for
from recollect.text import lazy_regex
from recollect.text.dates import When, find
from recollect.text.words import COURTESIES, is_stop_word, query_terms, split


@dataclass(frozen=True, slots=True)
class Question:
    """What a search asks for, once understood."""

    text: str
    terms: tuple[str, ...]
    topic_terms: frozenset[str]
    """The words without those that only tell a time."""
    attributes: tuple[str, ...]
    needs: Mapping[str, str]
    """Attributes that the task needs without asking for them, each with its topic."""
    times: tuple[When, ...]
    then: tuple[When, ...]
    """The same, where it asks how things were."""
    of_time_alone: bool
    """Whether it asks for whatever there was in a time."""
    now: bool
    """Whether it asks how things are, so that of two answers the newer one counts."""
    past: bool
    """Whether it asks how things were, or adds up or compares what was, so that what has ended is wanted too."""
    names: tuple[str, ...]
    """Runs of words that may name a subject."""
    of_assistant: bool
    """Whether it asks for what the assistant said."""
    request: bool
    """Whether it requests advice or a plan, for which it counts what one likes, has or avoids."""
    of_all: bool
    """Whether it asks for all that is known of the user."""
    yes_or_no: bool
    """Whether it names something and asks if it is so: "do I have a dog?"."""
    small_talk: bool
    """Whether it only greets, thanks or agrees, and asks for nothing."""


def understand(query: str, now: datetime) -> Question:
    """The words, attributes, times and names in a question."""
    text = query[:10_000]
    times = tuple(find(text, now))
    # "What do I do in July?" may ask for the last one or for the coming one: neither is guessed.
    meant = (*times, *(when for when in find(text, now, present=True) if when not in times))
    terms, untimed = tuple(query_terms(text)), text
    for when in reversed(times):
        untimed = untimed[: when.at[0]] + " " + untimed[when.at[1] :]
    topic_terms = frozenset(query_terms(untimed) if times else terms)
    past = asks_for_past(text, timed=bool(times))
    return Question(
        text=text,
        terms=terms,
        topic_terms=topic_terms,
        attributes=tuple(asked_for(text)),
        needs=needed_for(text),
        times=meant,
        then=meant if past else (),
        of_time_alone=bool(times) and topic_terms <= EVENTFUL,
        now=not past and bool(NOW.search(text) or (PRESENT.search(text) and not wants_several(text))),
        past=past,
        names=names_in(text),
        of_assistant=bool(OF_ASSISTANT.search(text)),
        request=bool(ADVICE.search(text)),
        of_all=bool(OF_ALL.search(text)),
        yes_or_no=bool(YES_OR_NO.match(text)),
        small_talk=is_small_talk(text),
    )


EVENTFUL = frozenset("event go happen new news say tell".split())
"""Stems of words that ask for whatever there was."""
NOW = lazy_regex(
    r"(?i)\b(?:current(?:ly)?|now|nowadays|these days|lately|latest|newest|recent(?:ly)?|so far|still|today)\b"
)
THEN = lazy_regex(
    r"(?i)\b(?:previously|initial(?:ly)?|originally|formerly|used to|at first|first|back then|ago"
    r"|earlier|before|once|when (?:did|was|were)|how long ago"
    r"|(?:previous|former)(?!(?: \w+){1,3} (?-i:[A-Z])))\b"
)
"""Words that ask for the past. A former manager who is called by name is a person, whatever was or is asked of them."""
STATE_THEN = lazy_regex(
    r"(?i)\bdid\b.*\b(?:live|work|use|drive|own|have|like|love|prefer|want|need|think|believe)\b"
    r"|\b(?:was|were)\b(?!.*\b(?:\w\w+ed|\w+(?:wn|ught|itten|iven|oken|osen|ung)|born|made|built|held|found|sold|won"
    r"|taken|cast|led|sent|begun|done|told|paid|met|shot|set|put|cut)\b)"
)
"""A state that was: "what was my job", "where did I live". What happened once, "who founded it", is so for good."""
ADDED_UP = lazy_regex(
    r"(?i)\b(?:in total|total (?:number|amount|cost) of|altogether|combined|in all|all together|sum of"
    r"|(?:more|less|(?!rather|other|her)\w+er)(?: \w+){0,6} than|differences?|compared?|exceed\w*)\b"
)
"""A question that adds up or compares: each of the values counts, not the newest alone."""
UNTIL_NOW = lazy_regex(r"(?i)\bbefore (?:i|we|he|she|they|my|our|his|her|their) .*\b(?:current|now|present)\b")
"""What was before that which is so now."""
PRESENT = lazy_regex(r"(?i)\b(?:do|does|am|is|are|'s|'re|'m|have|has|can|should|will|my)\b")
SEVERAL = lazy_regex(
    r"(?i)\b(?:what|which)(?: \w+){0,3}? \w*[^s\W]s (?:do|does|did|has|have|are|were|am|is|can|should)\b"
    r"|\bwhat (?:are|were) "
)
"""A question for several things: "which books does she have". The newest of them is no better an answer than others."""
YES_OR_NO = lazy_regex(
    r"(?i)\W*(?:(?:so|and|but|ok|okay|hey|hi|well|wait|remind me,?|tell me,?|do you (?:know|remember) (?:if|whether))"
    r"[,\s]+)*(?:do|does|did|am|is|are|was|were|have|has) (?!you\b|.*\bany\b)"
)
"""A question whether something is so. With "any" it asks for whatever there is."""
ADVICE = lazy_regex(
    r"(?i)\b(?:(?:can|could|would|will|do) you (?:please )?(?:recommend|suggest|advise|help)|you(?:'d| would)? "
    r"(?:recommend|suggest|advise)|(?:recommend|suggest|give me|any|some) (?:\w+ ){0,3}?(?:ideas|tips|suggestions|"
    r"recommendations|advice|options)|(?:what|which|where|how)(?: \w+){0,4} should (?:i|we)|should (?:i|we) "
    r"(?:get|buy|try|visit|choose|pick|consider)|(?:'s|is|are) (?:a|some|the) (?:good|best|great|nice))\b"
)
"""A request for advice, for which all that one likes counts, whenever it was said."""
OF_ASSISTANT = lazy_regex(
    r"(?i)\b(?:you (?:\w+ )?(?:said|told|mention|recommend|suggest|gave|provid|list|wrote|shar|explain|describ|advis)"
    r"|your (?:answer|suggestion|recommendation|advice|list|reply)|remind me"
    r"|(?:our|previous|last|earlier) (?:chat|conversation|discussion))"
)
"""Words that ask for what the assistant said before."""
OF_ALL = lazy_regex(
    r"(?i)\b(?:know|remember|recall|learn(?:ed|t)|remembered|stored|saved|kept|noted)\b[^.?!]{0,20} (?:about|of|on) "
    r"(?:me|myself)(?=\s*[.?!,]|$| so far| by now| now\b| already| yet)"
    r"|\bwho am i\b|\b(?:describe|summari[sz]e|introduce) me\b|\babout myself\s*[.?!]*$"
)
"""Words that ask for all that is known of the user: "what do you know about me?"."""
POLITE = lazy_regex(
    r"(?i)\b(?:good (?:morning|afternoon|evening|night|day)|have a (?:good|nice|great|lovely) (?:day|evening|weekend)"
    r"|how(?:'s|’s| is| are) (?:you|it|things|everything)(?: doing| going)?(?: today)?|see you(?: later| tomorrow)?"
    r"|i see|makes sense|sounds (?:good|great)|(?:no|not a) (?:problem|worries)|take care|go (?:ahead|on)|a lot"
    r"|for (?:the|your|all the|all your) help)\b"
)
"""Phrases that greet, thank or agree, whose words mean more elsewhere: "in the morning", "take the pills"."""
LONGEST_SMALL_TALK = 120
ASKING = frozenset("who whom whose what when where which why".split())


def is_small_talk(text: str) -> bool:
    """Whether a text only greets, thanks or agrees, so that no memory belongs into the prompt of such a turn."""
    if len(text) > LONGEST_SMALL_TALK or OF_ALL.search(text):
        return False
    words = split(POLITE.sub("hello", text))
    said = [word for word in words if word not in COURTESIES and word[0].isalnum()]
    return len(said) < len(words) and all(is_stop_word(word) and word not in ASKING for word in said)


def asks_for_past(text: str, *, timed: bool) -> bool:
    """Whether a question is about how things were, by its words and tenses."""
    if NOW.search(text):
        return UNTIL_NOW.search(text) is not None
    return timed or bool(THEN.search(text) or STATE_THEN.search(text) or ADDED_UP.search(text))


def wants_several(text: str) -> bool:
    """Whether more than one answer is wanted, so that the newest is no better than others."""
    return bool(SEVERAL.search(text) or ADVICE.search(text))


def names_in(text: str) -> tuple[str, ...]:
    """Runs of up to three words, and as they are written of up to six, any of which may be a subject's name."""
    spoken = re.findall(r"[\w'’./-]+", text)[:40]
    words = [name for word in spoken if (name := without_ending(word.strip("./-'’"), OWNING))]
    runs = [" ".join(words[i : i + length]) for length in (3, 2, 1) for i in range(len(words) - length + 1)]
    written = text.split()[:40]
    whole = [" ".join(written[i : i + length]) for length in range(2, 7) for i in range(len(written) - length + 1)]
    runs += [without_ending(run.strip('?!,;:"“”`'), OWNING_OR_OPEN) for run in whole]
    return tuple(dict.fromkeys(run.casefold() for run in runs))


OWNING = ("'s", "’s")
OWNING_OR_OPEN = (*OWNING, "'", "’")


def without_ending(name: str, endings: tuple[str, ...]) -> str:
    """The name without the one of these endings that it has. No pattern: a long question has hundreds of runs."""
    if not name.endswith(endings):
        return name
    return name[:-2] if name.endswith("s") else name[:-1]
