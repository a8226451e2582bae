"""What was said, cut into clauses that each state one thing; questions, hypotheticals and quotations are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from recollect.extractors.asides import (
    apart,
    nobody,
    trailing_off,
    unbracketed,
    uninserted,
    without_lead,
    without_trailing,
)
from recollect.extractors.chatter import unframed
from recollect.extractors.compound import may_part, taken_apart, with_care
from recollect.extractors.gapping import NOW_WORDS, then_and_now, ungapped
from recollect.extractors.keywords import REPORTING, has_any
from recollect.extractors.tone import mocking
from recollect.extractors.verbs import FORMS
from recollect.text.lazy_regex import lazy_regex
from recollect.text.sentences import sentences
from recollect.text.values import word_set

LONGEST_SENTENCE = 1_000

_BASES = "|".join(sorted({form for form, (_, kind) in FORMS.items() if kind == "base"}))
_FINITE = "|".join(sorted({form for form, (_, kind) in FORMS.items() if kind in ("third", "past") and form != "run"}))
_BE = r"(?:is|are|was|were|has|have|had|will|does|did|do|can)(?:n't)?"
_SUBJECT = (
    rf"(?:i|im|ive|its(?= [\d$€£])|we|he|she|they|it|you|this|that|these|those|there|who|everyone|everybody|call me|"
    rf"mine|(?:my|our|his|"
    rf"her|their|your) "
    rf"(?:[\w'-]+ "
    rf"){{1,6}}?(?:{_BE}|{_FINITE})|(?:my|our|his|her) (?:[\w-]+ ){{0,2}}[\w-]+'s (?:an?|the|not|moving|living|working|"
    rf"studying|retired|allergic|getting|turning)|the (?:[\w-]+ ){{0,2}}[\w-]+'s (?:an?|the|not|now|vacant|open|"
    rf"free|empty|"
    rf"gone|over|done|on|up|down)|the (?:[\w'-]+ ){{1,7}}?(?:{_BE}|{_FINITE}))\b|"
    rf"(?-i:[A-Z])[\w-]+'s (?:my|our) |(?:wife|husband|partner|girlfriend|boyfriend|son|daughter|dog|cat)'s name is\b|"
    rf"(?:(?:last|this|next) \w+|today|yesterday|tomorrow) (?:is|was|will be)\b|(?:(?:Dr|Mrs?|Ms|Prof)\.? "
    rf")?[A-Z][\w'-]+ (?:and I\b|(?:{_BE}|"
    rf"{_FINITE})\b)|(?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+){{1,2}} (?:{_BE}|{_FINITE})\b|"
    rf"(?:my|our|his|her|their|the) (?:[\w'-]+ ){{0,2}}[\w'-]+s (?:{_BASES})\b|(?:[a-z][\w-]*)(?: [a-z][\w-]*){{0,4}} "
    rf"(?:is|are|runs|requires|has|uses|costs|expires|rotates|supports|deploys|listens)\b|[a-z][\w-]*'s (?:now )?on \w|"
    r"the (?:[\w'-]+ ){1,3}?[a-z]{3,}s (?:(?-i:[A-Z\d])|(?:two|three|four|five|six|seven|eight|nine|ten|twelve)\b)"
)
_SHARED = (
    r"(?:(?:also|now|currently|then|just|still|recently|usually|always|never) )?(?:am|was|were|is|has|had|have|"
    r"lived|lives|worked|works|studied|studies|loved|loves|liked|likes|hated|hates|enjoys|enjoyed|preferred|prefers|"
    r"speaks|spoke|drives|drove|owns|owned|uses|moved|joined|bought|got|became|started|starts|joins|quit|stopped|"
    r"plays|played|"
    r"graduated|adopted|visited|switched|married|don't|do not|doesn't|didn't|can't|cannot|can|will|used to|no "
    r"longer|turned|sold|left|retired|flew|went|met|'m|earn|earns|dropped|ditched|transferred|picked up|took|lost|"
    r"broke|split|gave|put (?:me|him|her|us)|raised in|grew up in|brought up in|replaced|migrated|goes|weighs|"
    r"wakes|take|takes|needs|needed|requires|"
    r"(?:runs|listens|sits|is hosted|is deployed|connects|points|expires|renews) (?:on|in|at|to|behind|from|by)|"
    r"costs|deploys (?:to|with|via|from|on))\s+\w"
)
_PAST = "|".join(
    sorted({form for form, (_, kind) in FORMS.items() if kind == "past"} - {"used", "called", "named", "based"})
)
_SHARED_PAST = rf"(?:(?:then|just|finally|also|later) )?(?:{_PAST})\s+\w"
_BEING = (
    r"(?:\d{1,2}(?=\s*(?:,|$|and\b|years))|(?:about |around )?\d[\d.]* ?(?:kg|kilos?|lbs?|pounds|stone|cm|m|ft|feet)\b|"
    r"based (?:in|out of)|from (?!(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|"
    r"Nov|Dec)[a-z]* )[A-Z]|originally from|born (?:in|on|and)|"
    r"married\b|single\b|divorced\b|engaged\b|allergic to|vegetarian\b|vegan\b|lactose|an? (?:[\w-]+ ){0,3}?[\w-]+"
    r"(?=\s*(?:,|$| and | at | from | by | in | for )))"
)
"""What may follow "I'm Dana, …" without saying "I am" again."""
_IS_SOMEONE = re.compile(
    r"^(?P<be>(?:I|we)(?:'m| am|'re| are)|im|(?:[Hh]e|[Ss]he|[Mm]y [\w-]+(?: [A-Z]\w+)?|[A-Z]\w+)(?:'s| is)) "
    r"(?:not )?(?:[A-Z][\w-]+(?: [A-Z]\w+)?(?=,|$)|\d+(?:[.']\d+)?\b|an? |from |originally |based |vegetarian|vegan|"
    r"single|married|"
    r"allergic|diabetic|"
    r"[a-z]+[- ]intolerant)"
)
_SHARED_BASE = (
    r"(?:(?:also|now|currently|usually|always|never|really) )?(?:live (?:in|at|with|near)|teach|work (?:at|for|as|"
    r"in|on|"
    r"from)|study|love|like|hate|enjoy|prefer|speak|drive|own|use|play|take|run|go to|drink|eat|weigh|wear|commute|"
    r"do(?= \w+ (?:instead|now))|"
    r"smoke|ride|"
    r"(?:start|begin|move) (?:at|as|to|there|in)|plan)\s+\w"
)
_LISTED_BASE = (
    r"(?:(?:currently|now) )?(?:live (?:in|at|with|near|alone)|work (?:at|for|as|in|from)|study|speak|drive)\s+\w"
)
"""What goes on after a mere comma: "I'm 29, live in Leeds, work at Acme"."""
_DOING = (
    rf"(?:(?:now|also) )?(?:(?:{_BASES}) (?:(?:to|at|with|for|on|in|from) )?(?:an?|the)|"
    r"(?!all|both|with|for|to|in|on|at|of|from|by|even|half)"
    r"[a-z]{3,} (?:my|our))\b"
)
_DOES = (
    r"(?:(?:now|also) )?[a-z]{2,}[^us\W]s "
    r"(?:(?:an?|the|my|our|his|her|their|in|on|at|with|to be)\b|(?-i:[A-Z])|(?:[\w.,-]+ ){1,3}now\b)"
)
"""What else the same one does, whatever it is: "… and fly a glider", "… and consumes the other topic"."""
_GOES_ON = lazy_regex(f"(?i:{_SHARED}|{_SHARED_BASE}|{_SHARED_PAST}|{_DOING}|{_DOES})")
_THEN = (
    r"(?:(?:now|then|also|actually|currently|today|recently|lately|later|usually|sometimes|honestly|nowadays|"
    r"(?:for|over|during|in) the (?:past|last|next) (?:[\w-]+ ){0,2}\w+|for (?:the )?(?:[\w-]+ ){1,2}(?:years|"
    r"months|weeks|days)|"
    r"(?:[\w-]+ ){1,2}(?:years|months|weeks|days) ago|at the moment|over the (?:summer|winter|weekend|holidays)|"
    r"these days|for now|(?:after|before) the \w+|from \w+ (?:to|until|till) \w+|"
    r"before that|after that|since then|from then on|until then|soon|"
    r"tomorrow|yesterday|(?:next|this|last) \w+|"
    r"(?:back )?(?:in|on|from|since|until|starting|by|as of)(?: the| next| last| this| early| late| mid)? (?:\d{1,2} "
    r"[a-z]+|"
    r"\w+)(?: of \w+| \d{1,4}(?:st|nd|rd|th)?)?),? )?"
)
_JOIN = r"(?:and|but|so|because|although|though|while|whereas|since|yet|or|plus|as|'?cause|cuz|then|except)"
_BOUNDARY = re.compile(
    rf"\s*[;—]\s*|\s+[–-]{{1,2}}\s+|:\s+(?={_THEN}{_SUBJECT})|,?\s+(?P<relative>which|who|whose|where)\s+(?=\w)|"
    rf"(?:,|,? and|,? but)\s+that\s+(?=(?:i|we|my|our|the)\s)|(?<=\snow)\s+that\s+(?=(?:i|we|my|our|the|he|she|"
    rf"it|they)\b)|"
    rf",?\s+\(?(?P<join>{_JOIN})\s+(?={_THEN}(?P<subject>{_SUBJECT}))|,\s*(?:(?:oh|plus|also),? )?"
    rf"(?:and |but |so |then )?(?={_THEN}(?P<comma>{_SUBJECT}))|"
    rf",\s*(?:and |but )?(?=(?P<ing>(?:now |currently |also )?(?:moving|working|living|studying) "
    rf"(?:to|at|in|for|as|on|near)\b))|(?:,\s*(?:and\s+|just\s+|but\s+|only\s+)?|"
    rf"\s+and\s+)(?=(?P<being>{_BEING}))|"
    rf"(?:,\s*|,?\s+(?:and|but|or)\s+)(?:so |then |therefore "
    rf")?(?=(?P<shared>{_SHARED}))|,?\s+(?:and|but)\s+(?:then )?(?=(?P<past>{_SHARED_PAST}))|,?\s+(?:and|"
    rf"but)\s+(?=(?P<base>{_SHARED_BASE}))|,\s+(?=(?P<listed>{_LISTED_BASE}))|"
    rf",?\s+and\s+(?=(?P<doing>{_DOING})|(?P<does>{_DOES}))|"
    r",\s+(?=no more [\w. ]+(?: for (?:me|us)\b|[.!]*$))|,\s*(?:so |and |but )?(?=(?P<use>(?:please )?(?:use|call|"
    r"email|text|"
    r"ping|write to) "
    r"\S*[\d@]))|"
    r",\s+(?=(?P<event>(?!and |or |in |on |at |by |to |since |from |until |for |with |both )[a-z][\w'-]*(?: "
    r"[\w'-]+){0,2} "
    r"(?:next|this|tomorrow|tonight|on (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b[\w ]{0,12}[.!]*$))|"
    r",?\s+(?P<condition>when|if|unless|whenever|until|once|before|after|whether|even though|in case|so that)\s+"
    r"(?=(?:i|we|my|he|she|they|it|you|the(?! (?:end|start|beginning|middle|\d)))\b)",
    re.IGNORECASE,
)
_JOINING = word_set(
    "which who whose where and but so because although though while whereas since yet or plus as cause cuz then except "
    "when if unless whenever until once before after whether even case that no"
)
_BARE_NOUN = re.compile(
    r"(?!(?:i|im|ive|we|he|she|they|it|you|this|that|these|those|there|who|mine|my|our|his|her|their|your|the)\b)[a-z]"
)
_HAS_VERB = re.compile(
    rf"(?i)\b(?:i|we|they|{_BE}|am|{_FINITE}|\w{{3,}}ed|done|complete|over|'m|'ve|'re)\b|'s (?=\d|an? |in |at |not )|"
    rf"name's "
)
_MARKS = frozenset(",;:—–-")
"""Without one of these words or marks a sentence is one clause."""
_INFINITIVE = re.compile(
    rf"(?i)\b(?:to (?:\w+ly )?(?:{_BASES})\b|(?:will|would|could|can|might|may|should|let's|let me|'ll|'d)\s+\w+)"
)
_OWN_SUBJECT = re.compile(r"(?i)^(?:i|we|he|she|they|(?:my|our|the) [\w-]+(?: (?-i:[A-Z]\w+))?|(?-i:[A-Z]\w+))\b")

_OPENING_TIME = re.compile(
    r"(?i)^(?:(?:in|on|at|since|from|until|last|next|this|back in|by|during|starting|as of|around|every|(?:two|"
    r"three|four|five|six|ten|"
    r"one|a few|a couple of|\d+) (?:\w+ )?(?:days?|weeks?|months?|years?|hours?|nights?)|yesterday|today|tomorrow|"
    r"tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|years|months|"
    r"weeks)\b(?:(?! (?:i|we|my|our|he|she|they|it)\b)[\w ]){0,30})$"
)
"""Words before a comma that only tell when, and belong to the clause after it."""

_QUESTION = re.compile(
    r"^(?:(?:so|and|but|ok|well|hey|hi|please|also|then|or|anyway),? )*(?:(?:what|where|when|who|whom|whose|which|"
    r"why|how)(?:'s|'re|'d|'ll)?\b(?! (?:i (?:like|love|hate|want)|a ))(?<!when)|"
    r"when (?!(?:i|we|he|she|they|my \w+) (?:was|were|lived|worked|had|got|moved|turned|started|met)\b)|(?:do|does|"
    r"did|is|are|was|were|am|has|will|"
    r"would|could|should|shall|may|might|must) (?:i|you|we|he|she|it|they|there|my|your|our|the|this|that|these|"
    r"those|any|anyone|someone|people|a|an|[a-z]+) |(?:can|could|would|will) (?:you|u|i|we|someone|anyone)\b|have "
    r"(?:you|i|we) |any (?:idea|suggestions|advice|tips|thoughts|chance)\b|(?:tell|show|give|help|remind|explain|"
    r"suggest|recommend|list|write|create|find|make|describe|compare|translate|summarize|generate|provide|act|"
    r"pretend|imagine|suppose|assume|consider|let's|let us|what if)\b)",
    re.IGNORECASE,
)
_WRITE_TO = re.compile(
    r"(?i)(?:please )?(?:write|e?-?mail|send (?:it|them|mail|everything)) to \S+@\S+|"
    r"make (?:it|that) \S*\d\S*(?: \w+)?$"
)
"""A request that tells how to reach someone, or what a value is to be."""
_UNREAL = re.compile(
    r"(?i)^(?:(?:and|but|so|well|or) )?(?:if|unless|suppose|supposing|imagine|assume|assuming|pretend|let's|let us|"
    r"say|what if|in case|whether|as if|wish|hypothetically|in theory|ideally)\b|\b(?:i wish|if only|if i (?:was|"
    r"were|lived|had|could|would|moved|got|worked)|let's say|lets say|imagine|suppose|i(?:'m| am) (?:wondering|"
    r"considering|thinking (?:of|about)|debating|contemplating|curious|not sure|unsure|hoping|tempted)|i (?:wonder|"
    r"might|may|could|would|should)\b|i'd\b|we (?:might|may|could|would|should)\b|we'd\b|just kidding|\bjk\b|my "
    r"dream (?:is|would)|as though|or something)"
)
_UNREAL_WORDS = word_set(
    "if unless suppose supposing imagine assume assuming pretend let lets say what case whether wish hypothetically "
    "theory ideally wondering considering thinking debating contemplating curious sure unsure hoping tempted wonder "
    "might may could would should d kidding jk dream though something"
)
_REPORTED = re.compile(
    r"(?i)^(?!(?:after|on|with|without|upon|for|in|at) )(?:(?:and|but|so|because|my [\w ]{1,30}|the [\w ]{1,30}|he|"
    r"she|they|someone|people|everyone|it|"
    r"[A-Z][\w'-]+(?: [A-Z]\w+)?),? )(?:\w+ly )?(?:says?|said|claims?|claimed|thinks?|thought|believes?|believed|"
    r"(?:told|tells|asked|asks)(?! for| (?:us|me) to)|wrote|writes|insists?|insisted|assumes?|assumed|jokes?|joked|"
    r"heard|"
    r"keeps? saying|wants? "
    r"to know|wonders?|wondered|replied|answered|argues?)\b"
)
_SAID_LAST = re.compile(r"(?i), (?:they|people|some|he|she) (?:say|says|said|claim|claims|think|thinks)[.!]*$")
"""The same at the end of what is reported: "…, they say"."""
_STAGED = re.compile(
    r"(?i)(?:(?:for )?example|e\.g\.|step \d+|day \d+|scene \d+)[,:]|in (?:my|a|the|this|that|our) "
    r"(?:dream|nightmare|game|story|novel|movie|film|play|simulation|example|fantasy|campaign)\b"
)
"""What is dreamt, played or shown."""
_ASKS = re.compile(
    r"(?i)(?:[,;:—-]|\s+(?:so|and|but))\s*(?:so |and |but |then |please |anyways?,? |ok |hey )*"
    r"(?:what|where|when|who|how|which|why|can|"
    r"could|do|"
    r"does|is there|are there|is that|is this|any|should|would|will you|got any)\b"
)
_TAG = re.compile(
    r"(?i),\s*(?:do you )?(?:remember|you know|can you believe (?:it|that)|would you believe it|you see|"
    r"(?:did|have) i (?:mention|tell you|told you|say)(?:ed)?(?: that| it| about (?:it|that)| already)*)\?+$"
)
"""A question that only seeks a nod."""
_OWN_STATEMENT = re.compile(r"(?i)(?:i|i'm|im|i've|we|we're|we've|my|our)\b")
_OWN_WORDS = re.compile(r"(?i),?\s+(?:so|but|and so|therefore)\s+(?=(?:i|i'm|i've|we|we're|we've|my|our)\b)")
_JOINTS = re.compile(r"(?i),?\s+(?:but|and|so|though|although|or|because)\s+(?=(?:i|i'd|we|my|maybe|if)\b)|\s*[;—]\s*")
_RATHER = re.compile(
    r"(?i)\bI(?:'d| would) (?:(?:much )?rather|prefer|like|(?:always )?(?:take|choose|pick))(?: to)?(?: have| take| "
    r"get| use| be in|"
    r" sit in)? "
)
_LASTING = re.compile(
    r"(?i)\bI(?:'d| would) (?:always )?(?:take|choose|pick)\b.* over \w.*\b(?:any day|every time|any time)\b|"
    r"\bI(?:'d| would) (?:much )?(?:rather|prefer)\b.*\bseats?\b|\bI(?:'d| would) (?:much )?(?:rather|prefer|"
    r"like)\b.*"
    r"\b(?:from now on|going forward|in (?:the )?future|always|in general|by default)\b"
)
_QUOTED = re.compile(r"[\"“][^\"”]*(?:[\"”]|$)|(?<![\w])'[^']{2,}(?:'(?!\w)|$)|‘[^’]*’|«[^»]*»")
_SAYING = re.compile(
    r"(?i)\b(?:said|says|say|saying|asked|wrote|writes|replied|answered|told \w+|quote|quoting|reads?|lyrics?|line|"
    r"translate|"
    r"goes like|:)\s*[:,]?\s*$"
)


@dataclass(frozen=True, slots=True)
class Clause:
    """One statement as it was said."""

    text: str
    """Verbatim, but for the words that only lead in."""
    lead: str
    """What was left out before it: "actually", "by the way"."""
    subject: str = ""
    """The subject it shares with the clause before it, when it has none of its own."""
    condition: str = ""
    """The word that makes it depend on another clause: when, until, after."""
    relative: str = ""
    """The word that makes it tell about the last thing named: who, which."""
    whole: str = ""
    """The sentence, with its first clause."""
    unstated: bool = False
    """Asked, imagined or said by others: it tells only whom the talk is of."""


@lru_cache(maxsize=16)
def sentences_of(text: str) -> tuple[str, ...]:
    """The sentences of a message without the chatter after them, which several readers ask for."""
    text = with_care(text) if " after " in text else text
    parts = (unbracketed(part) for part in trailing_off(sentences(text)))
    whole = (
        without_trailing(ungapped(part) if " and " in part or ", my " in part or ", our " in part else part)
        for part in parts
    )
    return tuple(one for part in whole for one in (taken_apart(part) if may_part(part) else (part,)))


def clauses(text: str) -> Iterator[list[Clause]]:
    """For each sentence its clauses; one that is not stated, where it states nothing."""
    for sentence in sentences_of(text):
        sentence = sentence[:LONGEST_SENTENCE]
        lead, stated = without_lead(rather(unframed(sentence)))
        stated = what_is_stated(stated, sentence) if not mocking(sentence) else ""
        if stated:
            yield split_clauses(stated, lead)
        else:
            yield [Clause(sentence, lead, unstated=True)]


def what_is_stated(stated: str, sentence: str) -> str:
    """The part of a sentence that tells how things are, and not what is asked, imagined or said by others."""
    if _QUESTION.match(stated):
        head, colon, rest = stated.partition(": ")
        told = colon and not sentence.rstrip().endswith("?") and len(head.split()) <= 5
        told = told and (" is " in rest or _OWN_STATEMENT.match(rest) is not None)
        return stated if _WRITE_TO.match(stated) else what_is_stated(rest, sentence) if told else ""
    if sentence.rstrip("\"')” *").endswith("?"):
        if tag := _TAG.search(stated):
            return what_is_stated(stated[: tag.start()], ".")
        asked = _ASKS.search(stated) if _OWN_STATEMENT.match(stated) else None
        return what_is_stated(stated[: asked.start()], ".") if asked else ""
    if _SAID_LAST.search(stated) or _STAGED.match(sentence):
        return ""
    if has_any(stated, REPORTING) and _REPORTED.match(stated):
        own = _OWN_WORDS.search(stated)
        return what_is_stated(stated[own.end() :], sentence) if own else ""
    unreal = _UNREAL.search(stated) if has_any(stated, _UNREAL_WORDS) else None
    return real_part(stated, unreal) if unreal else stated


def real_part(stated: str, unreal: re.Match[str]) -> str:
    """What stands before an imagined part, or after it and against it: "I'd love to move, but I live in Oslo"."""
    joints = [joint for joint in _JOINTS.finditer(stated) if joint.end() <= unreal.start() + 1]
    before = stated[: joints[-1].start()] if joints else ""
    if before and not re.search(r"(?i)\b(?:if|unless|whether|when)\b", before):
        return before
    against = re.search(
        r"(?i),?\s+but (?:(?:actually|in fact|in reality|for now|right now|now),? )?(?=(?:i|we|my)\b)", stated
    )
    rest = stated[against.end() :] if against and against.start() > unreal.start() else ""
    return rest if rest and not _UNREAL.search(rest) else ""


def rather(sentence: str) -> str:
    """ "I'd rather have a window seat from now on" is a preference, and nothing imagined."""
    if _LASTING.search(sentence):
        return _RATHER.sub("I prefer ", sentence)
    return sentence


def unquoted(text: str) -> str:
    """The text without what is quoted in it as speech; a quoted name or value stays."""
    if not any(mark in text for mark in "\"“'‘«"):
        return text

    def keep(match: re.Match[str]) -> str:
        speech = _SAYING.search(text[: match.start()]) or re.search(r"(?i)['\"“‘ ](?:i|i'm|my|we)\b", match[0])
        return "" if speech else match[0]

    return _QUOTED.sub(keep, text)


def split_clauses(stated: str, lead: str) -> list[Clause]:
    """The clauses of a sentence, each with a subject of its own or the one it shares."""
    text = apart(uninserted(unquoted(stated)))
    text = then_and_now(text) if has_any(text, NOW_WORDS) else text
    found: list[Clause] = []
    start, condition, relative = 0, "", ""
    parted = has_any(text, _JOINING) or not _MARKS.isdisjoint(text)
    for match in [*(_BOUNDARY.finditer(text) if parted else ()), None]:
        end = match.start() if match else len(text)
        if match and not splits(match, text[start:end]):
            continue
        piece = text[start:end].strip(" ,;")
        if piece:
            found.append(clause(piece, lead, found, condition=condition, relative=relative, whole=text))
        if match:
            start = match.end()
            lead = "then" if re.search(r"(?i)\bthen\b", match[0]) else ""
            condition = (match["condition"] or "").lower()
            relative = (match["relative"] or "").lower()
    return found


_WENT_ON = lazy_regex(rf"(?i)(?:{_PAST})\b")
"""A clause that goes on with a verb of its own: "…, grew up in Trier and now live in Mainz"."""
_SOMEONE = re.compile(
    r"(?!.*\b(?:is|was|are|were)\b)(?:My|my|Our|our) (?:[a-z-]+ )?[a-z-]+(?: [A-Z][\w'-]+)?|[A-Z][\w'-]+"
)


_FIRST = re.compile(r"(?i:i|we)(?:'ve|'m|'re)? [a-z]+")
_SOMEONE_DID = re.compile(
    rf"(?:(?:[Mm]y|[Oo]ur|[Tt]he) [\w-]+(?: [\w-]+){{0,2}}|[A-Z][\w-]+|[Hh]e|[Ss]he|[Ii]t) "
    rf"(?:has|was|is|got|{_FINITE})\b"
)
"""A clause of one other than the speaker, with its verb."""


_OF_A_KIND = re.compile(
    r"(?i)\b(?:like|love|enjoy|adore|hate|dislike|detest|despise|loathe|avoid|prefer|stand|refuse)s?\b (?!my|our|the)"
    r"(?:[\w'-]+ )*(?:(?-i:[a-z])[\w'-]+[^s]s|people|children|men|women|food|music|stuff|anything|anyone|someone)$"
)
"""A taste for things of a kind, of which a relative clause may tell the kind."""


def splits(match: re.Match[str], before: str) -> bool:
    """Whether a boundary really parts two clauses here."""
    if match["relative"] and not match[0].startswith(",") and _OF_A_KIND.search(before):
        return False  # "I hate people who chew loudly"
    if match["being"]:
        return _IS_SOMEONE.match(before.strip()) is not None or re.fullmatch(_BEING, before.strip()) is not None
    if match["ing"]:
        return _OWN_SUBJECT.match(before.strip()) is not None
    if match["past"]:
        return _OWN_SUBJECT.match(before.strip()) is not None or is_diary(before.strip())
    if match["listed"]:
        return _OWN_SUBJECT.match(before.strip()) is not None or before.strip().lower().startswith(
            ("im ", "live ", "work ")
        )
    if match["doing"]:
        return _FIRST.match(before.strip()) is not None and not _INFINITIVE.search(before)
    if match["does"]:
        return _SOMEONE_DID.match(before.strip()) is not None and not _INFINITIVE.search(before)
    if match["base"] or (match["shared"] or "").lower().startswith(("can", "will", "have ")):
        own = _OWN_SUBJECT.match(before.strip()) or _WENT_ON.match(before.strip())
        return own is not None and not _INFINITIVE.search(before)
    listed = match["join"] and match["join"].lower() == "and" and re.match(r"[A-Z][a-z]", match["subject"] or "")
    if listed and re.fullmatch(r"(?:[MmOo](?:y|ur) (?:[a-z-]+ ){1,3})?[A-Z][\w'-]+(?:, [A-Z][\w'-]+)*", before.strip()):
        return False  # "Lars and Nils are my brothers", "my friends Ada and Finn are here"
    if (
        (match["join"] or "").lower() == "and"
        and (match["subject"] or "").lower() in ("i", "we")
        and _SOMEONE.fullmatch(before.strip())
    ):
        return False  # "Paula and I called it off"
    if match["comma"] and _OPENING_TIME.match(before.strip()):
        return False
    if _BARE_NOUN.match(match["subject"] or match["comma"] or "") and not _HAS_VERB.search(before):
        return False  # "my phone and laptop are new"
    return bool(before.strip())


def clause(piece: str, lead: str, before: list[Clause], *, condition: str, relative: str, whole: str) -> Clause:
    """One clause; only the first has what led in, and the whole sentence."""
    whole = "" if before else whole
    more, rest = without_lead(piece) if not before or piece[:1].islower() else ("", piece)
    shared = ""
    if before and not relative and (be := shared_be(rest, before)):
        shared = be
    elif before and _GOES_ON.match(f"{rest} x") and not relative:
        own = _OWN_SUBJECT.match(before[-1].text)
        if own and own[0].lower() in LINKS and (after := re.search(r"\b(?:I|we)\b", before[-1].text)):
            own = after  # "After all that I closed it and opened another"
        told = is_diary(before[-1].text) or (own and FORMS.get(own[0].lower(), ("", ""))[1] == "past")
        shared = ("I" if told else own[0]) if own else before[-1].subject or nobody(before[-1].text)
    return Clause((rest or piece).rstrip(" .!…"), f"{lead} {more}".strip(), shared, condition, relative, whole)


def is_diary(text: str) -> bool:
    """Whether a clause begins with what the speaker did: "Packed up the van"."""
    first, _, rest = text.partition(" ")
    past = FORMS.get(first.lower(), ("", ""))[1] == "past" or (len(first) > 4 and first.endswith("ed"))
    return past and _AFTER_VERB.match(rest) is not None


LINKS = word_set("after before since for with over during at in on by from due because despite thanks following")
_AFTER_VERB = re.compile(r"(?:the|my|our|a|an|up|down|out|off|in|to|from|it|back|over|all|some|everything)\b")


def shared_be(rest: str, before: list[Clause]) -> str:
    """The subject and verb of "I'm Dana", for what goes on without them: "34, based in Pune", "moving to Trier"."""
    if re.match(r"(?:now |currently |also )?(?:moving|working|living|studying)\b", rest):
        own = _OWN_SUBJECT.match(before[-1].subject or before[-1].text)
        return f"{own[0]} am" if own else ""
    rest = re.sub(r"^(?:just|only|but) ", "", rest)
    if not re.match(_BEING, rest):
        return ""
    told = _IS_SOMEONE.match(f"{before[-1].subject} {before[-1].text}".strip())
    return re.sub(r"(?i)^im$", "I am", told["be"]) if told else ""
