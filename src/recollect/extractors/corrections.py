"""Statements that take another one back: "I meant Porto", "it's Porto, not Lisbon"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from recollect.extractors import values
from recollect.extractors.keywords import has_any
from recollect.facts.attributes import same_value
from recollect.records import Draft
from recollect.text.values import word_set

_ADMITTED = re.compile(
    r"(?i)\b(?:i meant|i mean|meant to say|slip of the \w+|i misspoke|my mistake|by mistake|made a mistake|typo|i was "
    r"wrong|that was wrong|that's wrong|that is wrong|not right|incorrect|correction|to correct|i mistyped|got that "
    r"wrong|wrong about|no wait|wait no|sorry|oops|(?:scratch|scrap|strike|cancel) that|correct (?:myself|that)|"
    r"misheard|misunderstood|mixed up|"
    r"mix-up|"
    r"mis-?(?:typed|said|spell?ed|spoke|read|remembered|counted|calculated|quoted|stated|informed|dialled|dialed)|"
    r"my bad|wrong|(?:ignore|forget|disregard) (?:what|"
    r"that|the)|"
    r"(?:strike|scratch) that|auto-?correct|confused|should have said|(?:mixed|muddled|got|had) (?:it|that|this|"
    r"those|them|things|"
    r"something) (?:mixed |muddled )?(?:up|wrong|backwards))\b"
)
_WRONG_ELSEWHERE = re.compile(
    r"(?i)\b(?:(?:some|any|no)thing(?:'s| is| was)? (?:\w+ )?wrong|wrong with|(?:do|doing|did|done|go|going|goes|"
    r"gone|went|use|using)(?: it| this| that| something| them)?(?: all)? wrong|(?:what|where)(?:'s| is| was)? "
    r"(?:\w+ ){0,5}(?:wrong|mistakes?)|(?:if|whether|think|thought|sure|worried|afraid|might|may|could|keep|kept|"
    r"keeps|getting|possible) (?:\w+ ){0,5}(?:wrong|mistakes?|incorrect|not right|misunderstood)|(?:'m|am|is|are|was|"
    r"were|been|bit|still|really|so|little|kinda|kind of|totally|pretty|getting|get|gets) (?:so |a bit |a little |"
    r"still |really )?confused|(?:has|have|had|got|gets|makes) me (?:\w+ )?confused|confused (?:about|by|on|with|as|"
    r"how|why|because|when|since)|(?:make|makes|making|made) (?:\w+ )?(?:\w+ )?mistakes? (?:in|with|when|while|on|"
    r"somewhere|here|during)|misunderstood (?:the|how|something|this)|sorry (?:to hear|about|if)|incorrect (?:result|"
    r"answer|value|output|path|data|solution|usage|order)s?|to correct (?:the|my|this|any|it|these))\b"
)
"""What went wrong or is unclear, and was not told wrongly: "maybe there's something wrong with my setup"."""
_ADMITTING = word_set(
    "meant mean misspoke mistake typo wrong right incorrect correction correct mistyped wait sorry oops scratch "
    "scrap cancel "
    "misheard "
    "misunderstood mixed mix mis missaid misspelled misspeled misread misremembered miscounted miscalculated "
    "misquoted misstated misinformed bad ignore forget disregard strike auto autocorrect "
    "confused should mixed muddled slip"
)
"""Words without which nothing is admitted."""
_IT_IS = re.compile(
    r"(?i)^(?:(?:no|sorry|wait|oops|actually|i mean|i meant)[,\s]+)*(?:it|that|this)(?: is|'s| was| should be) "
    r"(?:actually |really |now )?"
    r"(?P<new>(?:[^\s,]+ ){0,4}?[^\s,]+)(?:,? (?:actually|really))?(?:, (?:my|our) [a-z ]+)?"
    r"(?:,| and|(?= not (?-i:[A-Z\d]))) not (?P<old>(?:[^\s,]+ ){0,4}[^\s,]+)$"
)
_NOT_BUT = re.compile(
    r"(?i)^(?:(?:it|that|this) (?:is|was) )?not (?P<old>(?:[^\s,]+ ){0,4}?[^\s,]+),? but (?:rather "
    r")?(?P<new>(?:[^\s,]+ ){0,4}[^\s,]+)$"
)
_MEANT = re.compile(
    r"(?i)^(?:(?:no|sorry|wait|oops|actually)[,\s]+)*i (?:meant|mean)(?: to say)?[:,]? (?P<new>(?!that\b|it\b|"
    r"to\b|not\b|"
    r"well\b|the way\b|how\b|when\b|i\b|what\b|like\b)(?:[^\s,]+ ){0,4}?[^\s,]+)"
    r"(?:,? (?:and )?not (?P<old>[^,]{1,60})|,? instead of (?P<instead>[^,]{1,60}))?$"
)
_V = r"(?:[^\s,;]+ ){0,4}?[^\s,;]+"
_IS_NOT_BUT = re.compile(
    rf"(?i)^(?:(?:no|sorry|wait|actually|well)[,\s]+)*(?:it|that|this) (?:is|was) not (?P<old>{_V})(?: (?:that |"
    rf"which |who |where )?"
    rf"(?:i|we|he|she|my|they)\b[^,;]*?)?(?:[,;]? but|[,;]| [—–-]) ?(?:rather )?(?:(?:it|that) (?:is|was) "
    rf")?(?:actually "
    rf"|really )?(?P<new>{_V})(?:[,;].*)?$"
)
_SAID_MEANT = re.compile(
    rf"(?i)^(?:(?:no|sorry|wait|actually|well)[,\s]+)*(?:when )?(?:i|we) (?:never said|did not say|said|wrote|typed|"
    rf"put|"
    rf"told you|mentioned) (?P<old>{_V})(?:,? but|[,;]|,? and)? (?:i|it|we) (?:meant|said|mean|should have said|was "
    rf"supposed to say|actually meant|really meant|wanted to say|is actually|should be|should have been)(?: to "
    rf"(?:say|write|"
    rf"type))? (?P<new>{_V})(?:[,;].*)?$"
)
_CLEFT_NOT = re.compile(
    rf"(?i)^(?:it|that) (?:is|was) (?:actually |really )?(?P<new>{_V}) (?:that |which )?(?:he|she|they) [\w' ]+?,? "
    rf"(?:and )?not "
    rf"(?P<old>{_V})$"
)
_SAID_NOT = re.compile(
    rf"(?i)^(?:(?:no|sorry|wait|actually|well)[,\s]+)*i (?:said|meant|mean|wrote) (?P<new>{_V})(?:,| and) not "
    rf"(?P<old>{_V})$"
)
_NEW_NOT_OLD = re.compile(
    r"^(?P<new>(?:(?!my\b|our\b|i\b)[^\s,;]+ )?[^\s,;]+),? not (?P<old>(?:[^\s,;]+ "
    r")?(?!me\b)[^\s,;]+)$",
    re.I,
)
_EXACT = re.compile(r"[A-Z\d][\w.:-]*, not [A-Z\d][\w.:-]*$")
"""Two names or two numbers set against each other, which needs no word of regret."""
_FRAGMENT = re.compile(
    r"^(?:(?:in|at|on|to|for) )?(?P<new>(?!(?:[Ii]|[Ww]e|[Ii]t|[Tt]hat|[Mm]y|[Nn]o|[Yy]es|not|"
    r"never)\b)(?:[\w.@+'-]+ ){0,2}[\w.@+'-]+)$"
)
_NOT_A_BUT_B = re.compile(
    r"^(?P<head>.+?) not (?P<mid>(?:[a-z]+ ){0,3}?)(?P<old>(?-i:[A-Z\d])[\w'. -]*?|(?<=allergic to )[a-z ]+?)(?:,? "
    r"but (?:rather "
    r"|only )?|, (?:only|just) )(?:in |at |for |on |to |from )?(?P<new>(?-i:[A-Z\d])[\w'. -]*|(?<= to )[a-z]+)$"
)
_NOT_OLD = re.compile(
    r"^[Nn]ot (?P<old>[A-Z\d][^\s,;]*(?: [A-Z\d][^\s,;]*)?)[,;] (?:but |it is )?(?P<new>[A-Z\d][^\s,;]*(?: "
    r"[A-Z\d][^\s,;]*)?)$"
)
_MEANT_COUNT = re.compile(
    r"(?i)^i meant(?: to say)?[:,]? (?P<new>(?:\d+|one|two|three|four|five|six|no) (?-i:[a-z]+))$"
)
_COUNT_ACTUALLY = re.compile(
    r"(?i)^(?P<new>(?:\d+|one|two|three|four|five|six|no) [a-z]+),? (?:actually|in fact|to be exact|rather)$"
)
_MEANT_LAST = re.compile(r"(?i)^(?P<new>(?:[^\s,]+ ){0,4}?[^\s,]+),? i mean(?:t)?(?:[,;].*)?$")
_NOT = re.compile(
    r"(?i)^(?P<said>.+?)(?:,| and|,? and)? not (?:in |at |on |for |as |the |an? |to )?(?P<old>(?-i:[A-Z\d])[^,]{0,60}|"
    r"[a-z-]+)$"
)


_CONTRAST = re.compile(r"(?i)\b(?:use|uses|using|in|on|with|prefer|for|called) [\w.+-]+ not [\w.+-]+$")
"""One thing and not another, without a comma: "we use pnpm not npm"."""


def admitted(text: str) -> bool:
    """Whether the words say that something told before was wrong."""
    return has_any(text, _ADMITTING) and _ADMITTED.search(_WRONG_ELSEWHERE.sub("", text)) is not None


def put_right(text: str, before: Sequence[Draft]) -> tuple[Draft | None, str, str | None] | None:
    """For a bare correction: the draft it is about if it was in this conversation, the new and the old value."""
    match = _IT_IS.match(text) or _NOT_BUT.match(text) or _MEANT.match(text)
    if match is None:
        return None
    groups = match.groupdict()
    new = values.one(groups["new"])
    old = values.one(groups.get("old") or groups.get("instead") or "") or None
    if not new:
        return None
    about = [draft for draft in before if old is None or same_value(draft.value, old)]
    return (about[-1] if about else None), new, old


def put_right_whole(
    text: str, before: Sequence[Draft], *, lead: str = ""
) -> tuple[Draft | None, str, str | None] | None:
    """For a sentence that sets a new value against an old one: "It isn't A that I work at but B"."""
    match = (
        _IS_NOT_BUT.match(text)
        or _CLEFT_NOT.match(text)
        or _SAID_MEANT.match(text)
        or _SAID_NOT.match(text)
        or _NOT_OLD.match(text)
    )
    if match is None and (
        re.search(r"\b(?:mean|sorry|correction|wait|oops|no|actually)\b", lead) or _EXACT.match(text)
    ):
        match = _NEW_NOT_OLD.match(text)
    if match is None:
        return None
    new, old = values.one(match["new"]), values.one(match["old"])
    if (
        not new
        or not old
        or same_value(new, old)
        or re.match(
            r"(?i)(?:it|that|this|so|i|to|a lot|not|the same|(?:quite |entirely )?(?:right|true|correct|accurate))\b",
            old,
        )
    ):
        return None
    about = [draft for draft in before if same_value(draft.value, old)]
    return (about[-1] if about else None), values.bare(new), values.bare(old)


def fragment(text: str, lead: str, before: Sequence[Draft]) -> tuple[Draft, str] | None:
    """ "I live in Bath. Sorry, I mean Bristol": a bare value that takes the place of the last one."""
    match = _FRAGMENT.match(text)
    if match is None or not before or not re.search(r"\b(?:mean|sorry|oops|wait|correction|whoops|no)\b", lead):
        return None
    about, new = before[-1], match["new"]
    same_shape = new[:1].isupper() == about.value[:1].isupper() and new[:1].isdigit() == about.value[:1].isdigit()
    return (about, new) if same_shape and about.kind in ("state", "update", "correction") else None


_VALUE_IN = re.compile(
    r"(?i)^(?:.+ )?(?:is|are|was|called|named|in|at|to|for|on) (?:actually |really |now |spelled |spelt "
    r")?(?P<v>(?-i:[A-Z\d])[\w'.-]*"
    r"(?: (?-i:[A-Z\d])[\w'.-]*)*)$"
)


def value_in(text: str) -> str:
    """The name or number that a clause ends with, whatever it is about."""
    match = _VALUE_IN.match(text)
    return match["v"] if match else ""


_BUT = word_set("but only just")


def not_but(text: str) -> tuple[str, str | None]:
    """ "I was not born in Bath but in Bristol" as what is so, and what is not."""
    match = _NOT_A_BUT_B.match(text) if " not " in text and has_any(text, _BUT) else None
    return (f"{match['head']} {match['mid']}{match['new']}", values.one(match["old"])) if match else (text, None)


def meant_last(text: str) -> str:
    """ "two kids, I mean" as a statement of its own."""
    match = (_MEANT_COUNT.match(text) or _MEANT_LAST.match(text)) if " mean" in text.lower() else None
    match = match or (_COUNT_ACTUALLY.match(text) if text[-8:] in ("actually", " in fact") else None)
    counted = match and re.match(r"(?i)(?:\d+|one|two|three|four|five|six|no) [a-z]", match["new"])
    return f"I have {match['new'].lower()}" if match and counted else ""


_INSTEAD = re.compile(
    r"(?i)^(?P<said>.+?)(?:,)? (?:instead of|in place of) (?P<old>(?:(?:the|my|a|an) )?[\w.+#-]+(?: "
    r"(?-i:[A-Z\d])[\w.-]*)*)(?: now)?$"
)
_TIME = re.compile(
    r"(?i)^(?:\d|mon|tues|wednes|thurs|fri|satur|sun|jan|feb|march|april|may|june|july|aug|sep|oct|nov|dec|next|"
    r"this|last|the )"
)


def instead(text: str) -> tuple[str, str | None]:
    """The text without "instead of Chrome", and what was given up for it."""
    match = _INSTEAD.match(text) if " instead of " in text or " in place of " in text else None
    if match is None or re.search(r"(?i)\bprefer", text):
        return text, None
    old = values.bare(match["old"])
    return match["said"], None if _TIME.match(old) or re.search(r"(?i)ing$", old) else old


def set_against(text: str) -> tuple[str, str | None]:
    """The text without a trailing ", not Lisbon", and what was set against it."""
    contrast = " not " in text and (", not " in text or " and not " in text or _CONTRAST.search(text) is not None)
    match = _NOT.match(text) if contrast else None
    if match is None:
        return text, None
    return match["said"], values.one(match["old"])
