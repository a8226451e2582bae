"""A message that does nothing but put right what was said before it: "Third floor, sorry. I always count wrong"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from recollect._values import word_set
from recollect.extractors import values
from recollect.extractors.corrections import admitted
from recollect.records import Draft

LONGEST = 160

_REGRET = (
    r"(?:no|nope|nah|ah|oh|err?|um|erm|well|oops|whoops|sorry|sry|soz|apologies|pardon|wait|hang on|hold on|argh|ugh|"
    r"hmm|actually|correction|typo|auto-?correct|brain fart|my (?:mistake|bad|error|fault)|slip of the \w+|"
    r"(?:scratch|scrap|strike|ignore|forget|disregard) that|rather|to be (?:precise|exact)|obviously|of course|"
    r"that(?:'s| is| was) (?:wrong|not right)|wrong (?!chat|window|person|thread|tab|channel|group)\w+|"
    r"(?:digits?|numbers?|letters?)(?: got)? swapped|"
    r"(?:spelled |spelt )?with (?:an?|one|two|a double) [a-z]{1,2}|i mean(?:t)?(?: to say)?|"
    r"what am i saying|i misspoke|i stand corrected|not quite)"
)
_MARK = re.compile(rf"(?i)(?:(?:{_REGRET})[ ,]*)+")
_OPENED = re.compile(rf"(?i)^(?:{_REGRET} )+(?=\S)")
_CLOSED = re.compile(
    r"(?i) (?:i mean(?:t)?|sorry|actually|rather|instead|obviously|of course|i think not|"
    r"(?:spelled |spelt )?with (?:an?|one|two|a double|a single) ['\"]?[a-z]{1,2}['\"]?s?)$"
)
_EXPLAINS = re.compile(
    r"(?i)(?:i|we) (?:always|keep|kept|can(?:no|')t|can not|forgot|forget|had|got|was|were|mis\w+|mixed|muddled|"
    r"confus\w+|swapped|transposed|typed|looked|checked|just|should|put|counted|thought|meant|said|wrote|did)\b.*|"
    r"(?:don't|do not) (?:ask|know)\b.*|did i say .+|"
    r"(?:stupid|bloody|damn) (?:auto-?correct|phone|keyboard)|fat fingers"
)
"""Why it was wrong: "I misread the flyer", "I forgot the baby"."""
_STRONG = re.compile(
    r"(?i)\b(?:mis(?:typed|read|counted|heard|spoke|took|spelt)|forgot|confus(?:e|ed|ing) (?:them|it|those|the two)|"
    r"mix (?:it|that|them|those|things) up|can'?t count|can not count|looked it up|counted wrong|swapped|transposed)\b"
)
_LED_IN = re.compile(
    r"(?i)^(?P<lead>(?:(?:[A-Z]\w+|my \w+|s?he|they) (?:just |only )?(?:told me|corrected me|pointed out|reminded me|"
    r"says?|said)(?: that)? )?(?:(?:it|that|this|its)(?: is|'s| was| are)?(?: called| spelled| spelt| actually|"
    r" really| only)*|"
    r"(?:s?he|they)(?:'s| is|'re| are)|(?:her|his|its|their|the) name(?:'s| is)|make (?:that|it)|"
    r"i mean(?:t)?(?: to say)?|(?:it |that )?should(?: be| have been| say| read| have said)|i should have said|"
    r"as)[,:]? )"
    r"(?P<new>\S.*)$"
)
_OF_THING = re.compile(r"(?i)^(?:the|my|our) [\w' -]{2,40}? (?:is|are|was) (?P<new>\S.*)$")
_NOT_OLD = re.compile(r"(?i)(?:and |definitely )?not (?:in |at |on |the |an? )?(?P<old>[\w.'@:/+&# -]{1,40})")
_FRAGMENT = re.compile(
    r"(?:(?:an?|the|in|at|on|from|to) )?(?P<v>(?:[\w.'@:/+&#€$£-]+ ){0,4}[\w.'@:/+&#€$£-]*[\w+%€$£-])", re.IGNORECASE
)
_NO_VALUE = word_set(
    "i we you he she it they my our your his her their this that these those there here what who how why when where "
    "which if so and but or not no yes thanks thank great good fine ok okay sure late done gone right wrong true false "
    "please more less much many too very just still again chat window tab thing things question answer minute "
    "minutes second seconds sec moment message messages is are was were be been am do does did have has had can could "
    "will would should let need want love like hate think know go going get got said says told for about with because"
)
"""Words that no value has that is told by itself."""
_COUNT = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()
_NUMBERED = word_set(
    "first second third fourth fifth sixth seventh eighth ninth tenth ground half quarter past noon midnight "
    "thirty forty fifty"
) | set(_COUNT)
_TITLE = re.compile(r"\b(Mr|Mrs|Ms|Dr|Prof|St)\. ")
_PARTS = re.compile(r"[.!?…]+(?:\s+|$)|\s*[,;:](?:\s+|$)|\s+[–—-]+\s+")
_SURE = re.compile(
    r"(?i)\b(?:typo|correction|auto-?correct|(?:i|to) mean|i meant|rather|(?:scratch|scrap|strike) that|slip of|"
    r"misspoke|my (?:mistake|error)|swapped|brain fart|make (?:that|it)|should (?:be|have been|have said|say|read)|"
    r"to be precise|obviously|stand corrected|wrong|with (?:an?|one|two) [a-z]{1,2})\b"
)
"""With which nothing else is said but that something was wrong; "oops" and "sorry" say much else."""


@dataclass(frozen=True, slots=True)
class Retraction:
    """What is so instead, and what is not so, where that was told."""

    new: str
    old: str | None
    reasons: tuple[str, ...] = ()
    """Why it was wrong."""

    def is_reason(self, draft: Draft) -> bool:
        """Whether a draft was read from nothing but a reason."""
        quote = draft.source.quote if draft.source else draft.text
        return any(quote in reason for reason in self.reasons)


def retraction(text: str) -> Retraction | None:
    """The value that a message puts in the place of one told before, where it does nothing else."""
    if len(text) > LONGEST or text.rstrip().endswith("?"):
        return None
    held = _TITLE.sub(r"\1.\0", text.strip())
    parts = [part.replace("\0", " ").strip(" '\"*()") for part in _PARTS.split(held)]
    return read_parts([part for part in parts if part])


def read_parts(parts: list[str]) -> Retraction | None:
    """The one value among the parts of a message, if all the others are regrets, reasons, or what is not so."""
    old = next((match["old"] for part in parts if (match := _NOT_OLD.fullmatch(part))), None)
    regrets = [part for part in parts if _MARK.fullmatch(part)]
    reasons = [part for part in parts if _EXPLAINS.fullmatch(part) and part not in regrets]
    rest = [part for part in parts if part not in (*regrets, *reasons) and not _NOT_OLD.fullmatch(part)]
    if len(rest) != 1 or len(parts) > 5:
        return None
    [said] = rest
    new, led = fragment(said, set_against=old is not None)
    exact = old is not None and (is_exact(old) or bool(regrets or reasons))  # "Tea, not coffee" may be an answer.
    sure = exact or any(map(admits, reasons)) or any(map(_SURE.search, (*regrets, said)))
    if not new or not (sure or ((regrets or is_marked(said)) and (led or is_counted(new)))):
        return None
    return Retraction(new, values.bare(old) if old else None, tuple(reasons))


def admits(reason: str) -> bool:
    """Whether a reason tells that something was wrong."""
    return admitted(reason) or _STRONG.search(reason) is not None


def is_marked(part: str) -> bool:
    """Whether a part says itself that it puts something right: "sorry 2.3", "make that 2.3"."""
    return _OPENED.match(part) is not None or part.lower().startswith(("make ", "should "))


def fragment(part: str, *, set_against: bool) -> tuple[str, bool]:
    """The value of a part without what leads into it, and whether anything does."""
    said = _CLOSED.sub("", _OPENED.sub("", part))
    match = _LED_IN.match(said) or (_OF_THING.match(said) if set_against else None)
    bare = _FRAGMENT.fullmatch(match["new"] if match else said)
    if bare is None or not _NO_VALUE.isdisjoint(re.findall(r"[a-z]+", bare["v"].lower())):
        return "", False
    value, led = bare["v"], match is not None or bare.start("v") > 0
    if not (set_against or is_exact(value)):
        return "", False
    return (str(_COUNT.index(value.lower())) if value.lower() in _COUNT else value), led


def is_exact(value: str) -> bool:
    """Whether a value is a name, a number or the like; of others too many are none."""
    return is_counted(value) or all(word[:1].isupper() or word in ("of", "de", "the", "&") for word in value.split())


def is_counted(value: str) -> bool:
    """Whether a value has a figure, or begins with a number: "third floor", "half past seven"."""
    return any(map(str.isdigit, value)) or value.split()[0].lower() in _NUMBERED
