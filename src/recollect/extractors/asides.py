"""What stands around a statement and says nothing of it: "by the way", "keep in mind that", ", just so you know"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from recollect.extractors.keywords import has_any
from recollect.extractors.people import NAME, relation_pattern
from recollect.extractors.verbs import ADVERBS, FORMS, past_form
from recollect.text.values import word_set

_KEEP_IT = re.compile(
    r"(?i)[,;–—-]+ *(?:and |so )?(?:please |just )*(?:remember|note|save|store|memorize|keep|write|don't forget|do not "
    r"forget) (?:that|this|it)(?: down| in mind| for (?:later|me|next time))*(?:,? please)?[.!\s]*$"
)
_MARKERS = re.compile(
    r"^(?:(?:hi|hello|hey|good (?:morning|evening|afternoon|day)|thanks|thank you|greetings)(?: there| all| "
    r"everyone| again)?|by the way|btw|actually|oh|ah|well|ok|okay|right|so(?! far\b)|also|wrong|um|er|anyway|anyways|"
    r"fyi|for your "
    r"information|for (?:the record|reference|context)|in fact|as a matter of fact|to be honest|tbh|honestly|just "
    r"so you know|just fyi|(?:just )?(?:a )?(?:quick )?(?:update|note|reminder|correction|clarification)(?= ?[:,-])|"
    r"(?:please |just |also )*(?:remember|note|know|keep in mind|don't forget|do not forget|be aware|save|store|"
    r"memorize)(?: this| that)?(?= ?[:,]| (?:that |my|i\b|i'm|we|the|our))(?: that)?|(?:i|we)(?: am|'m| are|'re|'d| "
    r"would)? (?:just |also )?"
    r"(?:wanted|want|wish|like|need|writing|happy|pleased|proud|excited|glad|delighted|thrilled|sorry|sad|have|ought|"
    r"should) (?:to (?:let you know|inform you|tell you|announce|report|confirm|share|mention|say|add|note|advise you)|"
    r"you to (?:know|remember))(?: that)?|(?:please )?be (?:aware|advised) that|i "
    r"(?:should|must|have to|forgot to) (?:mention|add|say|tell you)(?: that)?|did i mention(?: that)?|let me tell "
    r"you(?: that)?|i (?:have |only |just |recently )*(?:found out|learned|learnt|noticed|reali[sz]ed) that|you "
    r"should know(?: that)?|as you know|as i (?:said|mentioned)(?: before| earlier)?|like i said|"
    r"heads[ -]up|remind me that(?= (?:my|i|i'm|we|our|the)\b)|"
    r"(?:just |a |quick |gentle |friendly )*reminder that|on top of that|what's more|one more thing|"
    r"sorry|oops|whoops|a+h+|a*rgh+|gah|d'?oh|eek|hang on|hold on|(?:(?:damn |stupid |bloody )?auto-?correct|typo|my "
    r"mistake|"
    r"i (?:mixed|muddled|got) (?:it|that|this|those|them|things|something) (?:mixed |muddled )?(?:up|wrong|backwards)|"
    r"i had "
    r"(?:it|that) wrong|my bad|(?:strike|scratch) that|brain fart|slip of the (?:finger|tongue|"
    r"pen))(?=[\s,.:;!…–—-]+\w)|wait|no(?=[\s,.:;!…–—-]*$|"
    r"[,.:;!…–—-]| (?:i|i'm|i've|it|it's|its|that|that's|this|we|we're|my|our|he|he's|she|she's|they|wait|actually|"
    r"sorry|"
    r"the|not|no|you|in|at|on)\b| (?-i:[A-Z])| \d)|"
    r"nope|yes|yeah|yep|yup|sure|great|cool|nice|awesome|"
    r"perfect|wow|haha|lol|hmm|"
    r"um|uh|unfortunately|luckily|fortunately|sadly|happily|thankfully|apparently|(?:and|but|plus|then|or|besides(?=,)|"
    r"though|however|meanwhile|personally|speaking of which|speaking of \w+|that said|in general|generally|overall|"
    r"currently|right now|nowadays|these days|at the moment|now(?! that (?:i|we|my|our|he|she|they|the)\b)|today(?! "
    r"(?:is|was|will|marks)\b)|lately|"
    r"first(?! "
    r"(?:day|week|shift|time)\b)|"
    r"second|third|first of all|"
    r"finally|for (?:example|instance)|in addition|additionally|furthermore|moreover|correction|update|edit|note|"
    r"reminder|fact|context|info|i mean|i meant(?= (?:i|we|my|our)\b)|you know|you see|strictly speaking|"
    r"technically|to be (?:exact|precise|fair|"
    r"clear)|more precisely|let me correct (?:myself|that|it)|guess what|good news|bad news|big news|sad (?:news|"
    r"day)|news flash|long story short|quick (?:thing|one)|little delay|"
    r"(?:quick|small|little|short) (?:update|note|correction)(?: for you)?|you won't be(?:lieve|leive) (?:this|it)|"
    r"it turns out(?: that)?|the fact is(?: that)?|truth is|"
    r"(?:i |we )?(?:have )?(?:just |only )?(?:found out|learned|learnt|discovered|got (?:the )?news)(?: today| "
    r"yesterday| just "
    r"now)?(?: that)?(?= (?:i'm|i am|i have|i've|we're|we are|my|our|(?-i:[A-Z])\w+ (?:has|is|quit|left|moved|got))\b)|"
    r"i (?:have )?(?:already )?(?:told you|said|mentioned)(?: this| it)?(?: already| before| earlier| once)?(?: that)?"
    r"(?= (?:i|i'm|i've|we|we're|my|our)\b)|"
    r"turns out|thank (?:god|goodness|heavens)|phew|finally|(?:i )?forgot to (?:mention|say|tell you)(?: that)?|"
    r"(?:although|even though|though|whereas|granted)(?= (?:i|we|my|our)\b)|"
    r"i (?:think|believe|guess|reckon|suppose)(?: that)?(?= (?:my|our) )|"
    r"i (?:think|believe|guess|suppose) i (?:mentioned|told you|said)(?: that)?|oh dear|my goodness|good grief|damn|"
    r"ugh|"
    r"i should have (?:told|mentioned|said)(?: you| this| that| it)*(?: earlier| before| sooner| already|"
    r" (?:ages|weeks|months|days|years|long|a (?:long )?(?:while|time)) (?:ago|back))?(?: but| that)?|so far|"
    r"(?:i|we)(?: should| must| hereby| can| have to| want to| need to|'d like to)* (?:explain|point out|clarify|"
    r"confirm|stress|"
    r"emphasi[sz]e|add|mention|inform you|admit|confess)(?: that|[:,])(?= (?:i|we|my|our|the)\b)|funny story|not sure "
    r"if "
    r"i mentioned(?: this)?(?: but)?|quick heads up|"
    r"(?:just )?so you know|for what it's worth|fwiw|psa|(?:work|job|family|health|money|food|home|school|travel|"
    r"diet|study)-?wise|as (?:it happens|you may know|"
    r"mentioned)))(?:[\s,.:;!…–—-]+|$)",
    re.IGNORECASE,
)
_LABEL_END = re.compile(r"^[\s,.:;!…–—*_#-]+")

_TRAILING = re.compile(
    r"(?i)(?:(?<=\w)[.!]?(?:(?:\s*[,;–—-]+\s*|\s+)(?:just )?(?:lol|lmao|haha(?:ha)*|hehe|rofl|xd|btw|by the way|fyi|"
    r"tbh|"
    r"ngl|imo|imho|smh|fwiw|tho|though|xx+|\^\^|<3)|\s*[,;–—-]+\s*(?:(?:just )?so you know|"
    r"for (?:(?:your|the|my) (?:information|records?|notes?|files?|reference)|what it's worth|reference|context|"
    r"better or "
    r"worse)|just (?:putting|throwing) (?:it|that) out there|(?:and |but )?so (?:yeah|yes|that's that|there you go|"
    r"it goes)|"
    r"anyways?|tbh|ngl|imo|smh|omg|yay|woohoo|phew|ugh|wow|"
    r"(?:just )?(?:if|in case) you(?:'re| are| were)? (?:wondering|wondered|forgot|curious|interested|need it|didn't "
    r"know|care|ask|asked)|"
    r"(?:if|in case) (?:that|it|this) (?:helps|matters|counts|comes up|is (?:useful|relevant|of interest))|"
    r"(?:i )?(?:just )?thought (?:you should|you'd like to|you might want to|i'd let you) know|i think you should know|"
    r"as you (?:know|may know|can imagine|remember)|believe it or not|to be honest|of course|you know|obviously|i "
    r"guess|"
    r"can you believe it|would you believe it|thank (?:god|goodness|heavens|you)|thanks|cheers|my bad|oops|just saying|"
    r"no big deal|long story(?: short)?|you see|don't forget|keep that in mind|"
    r"(?:and |so )?(?:please )?(?:keep|bear) (?:that|this|it) in mind|(?:and |so )?please (?:remember|note) (?:that|"
    r"this|it)|"
    r"which (?:is|was|feels|sounds|makes me) (?:so |very |really |pretty |quite |a |an |just )*[a-z]+(?: news| "
    r"relief| shame| surprise| change)?|"
    r"how (?:cool|great|nice|sad|weird|annoying|exciting)(?: is that)?|what a (?:[a-z]+ )?[a-z]+)|\s+\((?:finally|"
    r"yay|again|sadly|lol|"
    r"phew|ugh|at last|sorry|typo|oops|thankfully|luckily|(?:just )?(?:for context|fyi|btw|by the way|so you know|"
    r"saying))\))|\s+[:;]-?[)(DPp])[.!…\s]*$"
)
"""Chatter after a sentence, which says nothing of what was stated."""
_LAST_WORDS = word_set(
    "lol lmao haha hahaha hehe rofl xd btw way fyi tbh ngl imo imho smh fwiw tho though xx xxx ^^ <3"
)
_FIRST_WORDS = word_set(
    """
    lol lmao hehe rofl xd btw by fyi fwiw imho just for so and but anyway anyways tbh ngl imo smh omg yay woohoo
    phew ugh wow if in i thought as believe to of you obviously can would thank thanks cheers my oops no long don
    keep bear please which how what
    """
)
"""What chatter after a comma or a dash begins with."""
_AFTER_LAST = re.compile(
    r"[,;–—-]\s*(?:(?:and|so) (?=keep|bear|please|you know))?([A-Za-z]*)[^,;–—-]*\Z", re.IGNORECASE
)
_ENDS = frozenset(",;)(–—-")


def may_trail(sentence: str) -> bool:
    """Whether chatter can stand at the end of a sentence: after a comma, in brackets, or as a last word of its own."""
    end = sentence[-70:].rstrip(".!… ")
    last = end[end.rfind(" ") + 1 :].lower()
    if _ENDS.isdisjoint(end):
        return last in _LAST_WORDS or end[-2:] in (":D", ":P", ":p")
    if last in _LAST_WORDS or last.startswith("haha") or end[-1] in "()" or (end[-1] in "DPp" and end[-2:-1] in ":;-"):
        return True
    behind = _AFTER_LAST.search(end)
    return behind is not None and ((word := behind[1].lower()) in _FIRST_WORDS or word.startswith("haha"))


def without_trailing(sentence: str) -> str:
    """A sentence without "lol", ", just so you know", ", which is great"."""
    for _ in range(3):
        if sentence.endswith("?") or not may_trail(sentence):
            break
        shorter = _TRAILING.sub("", sentence)
        if shorter == sentence or len(shorter) < 4:
            break
        sentence = shorter
    return sentence


_REMARK = re.compile(
    r"(?i),\s+(?:(?:and|but|so|which is|it(?:'s| is| was)) )?(?:no (?!longer|more|,)[a-z]+(?: [a-z]+){0,3}|(?:poor|"
    r"lucky|"
    r"silly) (?:[a-z]+|me)|(?:a )?bit (?:more|of|late|sad|weird|scary|"
    r"[a-z]+)(?: [a-z]+){0,4}|still (?:loving|getting|can't|cannot|hating|not used)(?: [a-z]+){0,5}|(?:can't|cannot|"
    r"couldn't|can not|could not) (?:wait|believe|complain|be happier|"
    r"stand|take)(?: [a-z]+){0,4}|wish (?:me|us) luck|fingers crossed|about time(?: too)?|(?:long|way) overdue|at long "
    r"last|took (?:long enough|ages|forever|us|me|them|a while)(?: [a-z]+){0,4}|"
    r"(?:what|such) an? [a-z]+(?: [a-z]+){0,2}|(?:so|very|really|super|pretty|quite|too|absolutely|totally) "
    r"(?:happy|excited|sad|glad|nervous|proud|weird|strange|annoying|good|nice|stoked|pleased|relieved|chuffed|tired|"
    r"scared)(?: [a-z]+){0,4}|(?:big|huge|massive) (?:step|change|deal|mistake|relief|news|day|move)(?: [a-z]+){0,3}|"
    r"(?:feels?|feeling|felt) (?:[a-z]+ ?){1,4}|(?:touch|knock on) wood|go figure|who (?:knew|cares|needs|has the time|"
    r"would have)(?: [a-z]+){0,4}|as (?:always|usual|ever|promised|planned|expected)|like (?:a charm|always|it or not)|"
    r"never (?:looked|looking|going) back|(?:loving|love|loved|hate|hated|enjoying) (?:it|every [a-z]+)(?: "
    r"[a-z]+){0,3}|"
    r"(?:way |far )?too [a-z]+(?: [a-z]+){0,2}|(?:best|worst|hardest|easiest) [a-z]+(?: [a-z]+){0,3}|don't (?:ask|"
    r"worry|laugh|judge)(?: [a-z]+){0,3}|"
    r"(?:happy|glad|proud|sad|relieved|gutted|stoked|over the moon|heartbroken|thrilled|worth it|works (?:well|great|"
    r"fine|a treat)|good (?:riddance|times|for (?:him|her|me|us|them))|nice (?:and|one|place|people)|lovely|crazy|wild|"
    r"weird|scary|exciting|brilliant|hurrah|hooray|bummer|oh well|sigh|yikes|blimey|"
    r"my (?:[a-z]+ ){1,2}(?:couldn't|can't|could not|is killing|hurts?|insisted|made|told|says|said))(?: "
    r"(?!and\b)[a-z]+){0,5})"
    r"[.!…\s]*$"
)
"""A remark after a statement: how it feels, and nothing of what is so."""


def without_remark(text: str) -> str:
    """A clause without a remark that trails after it: ", no drama", ", can't wait"."""
    shorter = _REMARK.sub("", text) if "," in text[-70:] else text
    return shorter if len(shorter.split()) > 2 else text


_SUBORDINATE = re.compile(
    r"(?i)^(?:(?:ever )?since|now that|because|seeing (?:as|that)|given that|considering(?: that)?|"
    r"(?:even )?though|although|after|as) (?P<sub>(?:i|we|my|our|he|she|they|(?-i:[A-Z])\w+)(?:'\w+)? [^,;.]+?)"
    r"(?:, (?:and |so )?| (?=(?:i|we)(?:'\w+)? (?!and\b)))(?P<main>(?:i|we|my|our|it|the|he|she|there|they|everything|"
    r"(?-i:[A-Z])\w+|[a-z]+ (?:is|has|are)).*)$"
)
"""A reason or a time that itself states something: "Since I moved to Porto I cycle more"."""
_DONE = re.compile(
    r"(?i)\b(?:\w+ed|\w+'(?:s|ve|d)|have|has|had|got|was|were|left|quit|went|began|became|took|bought|sold|met)\b"
)


_IN_AND_OUT = re.compile(
    r"^(?P<old>[A-Z][\w.+-]*) is out(?:,| and|;|,? but) (?P<new>[A-Z][\w.+-]*) is in(?: now)?[.!]*$"
)
_NOT_THIS = re.compile(
    rf"^Not (?:in |at |on )?(?P<old>{NAME})(?: itself| exactly| quite)?, (?P<rest>(?:I|we|he|she|they|my|our|it)\b.+)$"
)
_WITH_NOW = re.compile(
    rf"^(?P<who>I|[Ww]e)(?:'m|'re| am| are) (?:with|on|using) (?P<new>{NAME}) now(?:,|;|,? because|,? since|,? as) "
    rf"(?P<old>{NAME}) (?:kept|keeps|got too|was too|were too|raised|hiked|put (?:up|their)|doubled|closed|shut|"
    rf"went|became|"
    rf"let (?:me|us) down|was(?:n't| not)|did(?:n't| not)|stopped|lost)\b"
)
"""Whom one is with, and what was wrong with the one before."""
_EXPERT = re.compile(
    r"(?i)^(?:(?:the|my|our|his|her) )?(?:doctors?|doc|gp|vet|dentist|allergist|specialist|surgeon|nurse|optician|"
    r"therapist|"
    r"consultant|lawyer|accountant|bank|landlord|landlady|school|(?:blood |allergy |eye |lab )?(?:tests?|results?)|"
    r"letter|scan|"
    r"x-?ray) (?:just |has |have |finally |now )*(?:says?|said|confirm(?:s|ed)|told (?:me|us)|reckons|shows?|showed|"
    r"came back and)"
    r"(?: that|:|,)? (?=(?:i|i'm|i've|we|we've|my|our|(?-i:[A-Z])\w+|he|she)\b)"
)
"""Someone who knows, whose word one takes: "the vet says Rex is diabetic"."""


_NEITHER = re.compile(
    r"(?i)^neither (?P<who>(?:my|our) [\w -]{2,20}?|(?-i:[A-Z])\w+) nor i (?:do )?(?P<rest>[a-z]+ .+)$"
)
_AS_A = re.compile(
    r"(?i)^as an? (?P<what>(?!(?:kid|child|teen|student|boy|girl|young|former|result|rule|reminder|starter|"
    r"primer|refresher|teaser|pointer|matter)\b)[\w -]{3,40}), "
    r"(?P<rest>(?:i|i'm|i've|my|we|our)\b.+)$"
)
_EACH_ALLERGIC = re.compile(
    r"(?i)^(?P<one>.+? allergic to [^,]+?),? and (?P<two>(?:my |our )?[\w-]+) to (?P<what>[\w ]+[.!]?)$"
)


def of_both(sentence: str) -> str:
    """What is said of two at once as two clauses: "Neither my wife nor I eat pork", "As a nurse, I work nights"."""
    if match := _NEITHER.match(sentence):
        return f"I don't {match['rest']}; {match['who']} doesn't {match['rest']}"
    if match := _AS_A.match(sentence):
        return f"I am also a {match['what']}; {match['rest']}"
    if match := _EACH_ALLERGIC.match(sentence):
        return f"{match['one']}; {match['two']} is allergic to {match['what']}"
    return sentence


_CHILD = re.compile(
    r"\b([Mm]y|[Oo]ur) (?:eldest|oldest|youngest|firstborn|little one|middle one)(?=,? (?!Dr|Mr|Ms)[A-Z][a-z]+)"
)
"""A child by its place among others, with its name: "our eldest, Freya"."""
_BIRTHS = word_set("eldest oldest youngest firstborn one")
_AND_THEN = re.compile(
    r"^(?P<first>(?P<who>I|We|we|He|She|[Mm]y \w+) (?:[\w'’.-]+,? ){1,14}?[\w'’.-]+),? before (?P<verb>moving|settling|"
    r"relocating|switching|becoming|joining|starting|ending|landing|transferring) (?P<rest>.+)$"
)


_BEFORE_THAT = re.compile(
    r"^Before (?P<verb>becoming|moving|joining|settling) (?P<rest>(?:[\w'&.-]+ ){0,5}?[\w'&.-]+),? "
    r"(?P<past>I (?:was|lived|worked|had been) [^.;]+?)[.!]*$"
)


def in_turn(sentence: str) -> str:
    """ "I lived in Rome before moving to Oslo" as two clauses in the order of what they tell."""
    if sentence[:7] == "Before " and (first := _BEFORE_THAT.match(sentence)):
        return f"{first['past']}; then I {past_form(FORMS[first['verb']][0])} {first['rest']}"
    match = _AND_THEN.match(sentence)
    told = match and any(FORMS.get(word.lower(), ("", ""))[1] == "past" for word in match["first"].split()[1:4])
    if match is None or not told:
        return sentence
    return f"{match['first']}; then {lowered_we(match['who'])} {past_form(FORMS[match['verb']][0])} {match['rest']}"


def lowered_we(who: str) -> str:
    return who if who == "I" else lowered(who)


def unbracketed(sentence: str) -> str:
    """A sentence that stands in brackets, without them."""
    whole = sentence[:1] == "(" and sentence[-1:] == ")" and "(" not in sentence[1:]
    return sentence[1:-1] if whole else sentence


def apart(sentence: str) -> str:
    """The sentence with the clause that it opens with as one of its own, where that one states something."""
    sentence = (
        in_turn(_CHILD.sub(r"\1 child", sentence)) if "efore " in sentence or has_any(sentence, _BIRTHS) else sentence
    )
    if sentence[:4] == "Not " and (match := _NOT_THIS.match(sentence)):
        return f"{match['rest'].rstrip('.!')}, not {match['old']}"
    if " now" in sentence and (match := _WITH_NOW.match(sentence)):
        return f"{lowered_we(match['who'])} switched from {match['old']} to {match['new']}"
    if " is out" in sentence and (match := _IN_AND_OUT.match(sentence)):
        return f"we switched from {match['old']} to {match['new']}"
    sentence = sentence.replace(" who's ", " who is ")
    if sentence[:1] in "AaNn" or " allergic to " in sentence:
        sentence = of_both(sentence)
    if sentence[:1].lower() not in "sanbceigt" or (match := _SUBORDINATE.match(sentence)) is None:
        return sentence
    first = sentence.split(" ", 1)[0].lower()
    if first in ("since", "after", "ever") and not _DONE.search(match["sub"]):
        return sentence  # "After I move to Porto, …" is to come.
    return f"{match['sub']}; {match['main']}"


_INSERTED = re.compile(
    r"^(?P<np>(?:My|Our|The|my|our|the) (?:[\w-]+ ){0,3}?[\w-]+(?: [A-Z][\w-]+)?|[A-Z][\w-]+), "
    r"(?:(?:who|which)(?P<is>'s| is| was| has| used to)?|(?P<a>an?)) (?P<more>[^,]{2,60}), "
    r"(?P<rest>(?:just |now |also |recently |still |finally )?[a-z]+(?:s|ed|ft|nt|ot|me|ew|ld)\b[^,].*)$"
)


_AGE_IN_BRACKETS = re.compile(rf"^(?P<np>(?:[Mm]y|[Oo]ur) [a-z-]+ {NAME}) \((?P<age>\d{{1,3}})\) (?P<rest>[a-z].+)$")


@lru_cache(maxsize=1)
def _apposed() -> re.Pattern[str]:
    """ "Mette, my sister, lives in Aarhus"."""
    return re.compile(
        rf"^(?P<name>{NAME}), (?:my|our) (?P<rel>(?:[a-z-]+ ){{0,2}}?{relation_pattern()}), (?P<rest>.+)$"
    )


def uninserted(text: str) -> str:
    """ "My brother, who is a cook, lives in Hull" as two clauses with the same subject."""
    if ")" in text and (aged := _AGE_IN_BRACKETS.match(text)):
        return f"{aged['np']} is {aged['age']}; {aged['np']} {aged['rest']}"
    if text.count(",") < 2:
        return text
    if match := _apposed().match(text):
        return f"My {match['rel']} {match['name']} {match['rest']}"
    match = _INSERTED.match(text)
    if match is None:
        return text
    be = " is a" if match["a"] else " is" if match["is"] == "'s" else match["is"] or ""
    return f"{match['np']}{be} {match['more']}; {match['np']} {match['rest']}"


_MIND = re.compile(
    r"(?i)^(?:when|if|before|while|as|for|in case|since|just so|so)\b[^.!?]{3,80}?, (?:please |just |also "
    r")*(?:(?:keep|bear) in mind|"
    r"remember|note|don't forget|do not forget|be aware|i should (?:explain|mention|add|say))(?: that)? (?=(?:i|we|"
    r"my|our|the)\b)"
)
"""What leads up to "keep in mind that": the occasion, and no condition of what follows."""


def without_lead(sentence: str) -> tuple[str, str]:
    """The words that only lead in, and the rest, without a closing "please remember that"."""
    lead: list[str] = []
    if expert := _EXPERT.match(sentence):
        sentence = sentence[expert.end() :]
    rest = _KEEP_IT.sub("", _LABEL_END.sub("", sentence))
    rest = _MIND.sub("", rest) if ", " in rest else rest
    for _ in range(6):
        match = _MARKERS.match(rest)
        if match is None:
            break
        lead.append(match[0].strip().lower())
        rest = rest[match.end() :]
    return " ".join(lead), rest


_DOTS = re.compile(r"(?<=[a-z]…) +|(?<=[a-z]\.\.\.) +")
"""Where a sentence trails off and another begins."""


def trailing_off(sentences: Sequence[str]) -> list[str]:
    """The sentences, each cut where it trails off."""
    parts = [part for sentence in sentences for part in (_DOTS.split(sentence) if has_dots(sentence) else [sentence])]
    for i in range(len(parts) - 1, 0, -1):
        if _ANNOUNCED.match(parts[i - 1]) and re.match(r"[+(]?\d|\S+@", parts[i]):  # "New number! 555 0187"
            parts[i - 1 : i + 1] = [f"{parts[i - 1].rstrip('.! ')}: {parts[i]}"]
            continue
        if parts[i][:4] in ("not ", "Not ") and _ONLY_NOT.match(parts[i]):  # "It was Turku. Not Tampere."
            parts[i - 1 : i + 1] = [f"{parts[i - 1].rstrip('.! ')}, {lowered(parts[i])}"]
    return parts


_ANNOUNCED = re.compile(r"(?i)(?:(?:hey|hi|fyi|psa|heads up),? )?(?:my |our |got a )?new [a-z ]{3,20}[.!]+$")
_ONLY_NOT = re.compile(r"[Nn]ot (?:in |at |on |for )?(?:the )?[\w'.@-]+(?: [A-Z\d][\w'.-]*){0,2}[.!]*$")


def lowered(text: str) -> str:
    return text[:1].lower() + text[1:]


def has_dots(sentence: str) -> bool:
    return "…" in sentence or "..." in sentence


def nobody(text: str) -> str:
    """Whom a clause goes on about whose first part has a subject that we cannot tell: not the speaker."""
    first, second = [*text.split(), "", ""][:2]
    verbal = first.lower() in FORMS or first.lower() in ADVERBS or first.lower().endswith("ed")
    return "They" if first.endswith("'s") and second.lower() in (FORMS.keys() | ADVERBS) and not verbal else ""
