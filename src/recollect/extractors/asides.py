"""What stands around a statement and says nothing of it: "by the way", "keep in mind that", ", just so you know"."""

from __future__ import annotations

import re

from recollect._values import word_set

_KEEP_IT = re.compile(
    r"(?i)[,;–—-]+ *(?:and |so )?(?:please |just )*(?:remember|note|save|store|memorize|keep|write|don't forget|do not "
    r"forget) (?:that|this|it)(?: down| in mind| for (?:later|me|next time))*(?:,? please)?[.!\s]*$"
)
_MARKERS = re.compile(
    r"^(?:(?:hi|hello|hey|good (?:morning|evening|afternoon|day)|thanks|thank you|greetings)(?: there| all| "
    r"everyone| again)?|by the way|btw|actually|oh|ah|well|ok|okay|right|so|also|wrong|um|er|anyway|anyways|fyi|for "
    r"your "
    r"information|for (?:the record|reference|context)|in fact|as a matter of fact|to be honest|tbh|honestly|just "
    r"so you know|just fyi|(?:just )?(?:a )?(?:quick )?(?:update|note|reminder|correction|clarification)(?= ?[:,-])|"
    r"(?:please |just |also )*(?:remember|note|know|keep in mind|don't forget|do not forget|be aware|save|store|"
    r"memorize)(?: this| that)?(?= ?[:,]| (?:that |my|i\b|i'm|we|the|our))(?: that)?|(?:i|we)(?: am|'m| are|'re|'d| "
    r"would)? (?:just |also )?"
    r"(?:wanted|want|wish|like|need|writing|happy|pleased|proud|excited|glad|delighted|thrilled|sorry|sad|have|ought|"
    r"should) (?:to (?:let you know|inform you|tell you|announce|report|confirm|share|mention|say|add|note|advise you)|"
    r"you to (?:know|remember))(?: that)?|(?:please )?be (?:aware|advised) that|i "
    r"(?:should|must|have to|forgot to) (?:mention|add|say|tell you)(?: that)?|did i mention(?: that)?|let me tell "
    r"you(?: that)?|you should know(?: that)?|as you know|as i (?:said|mentioned)(?: before| earlier)?|like i said|"
    r"heads[ -]up|(?:just |a |quick |gentle |friendly )*reminder that|on top of that|what's more|one more thing|"
    r"sorry|oops|whoops|wait|no(?! (?:more|longer)\b)|no wait|nope|yes|yeah|yep|yup|sure|great|cool|nice|awesome|"
    r"perfect|wow|haha|lol|hmm|"
    r"um|uh|unfortunately|luckily|fortunately|sadly|happily|thankfully|apparently|(?:and|but|plus|then|or|besides|"
    r"though|however|meanwhile|personally|speaking of which|speaking of \w+|that said|in general|generally|overall|"
    r"currently|right now|nowadays|these days|at the moment|now|today(?! (?:is|was|will|marks)\b)|lately|first|"
    r"second|third|first of all|"
    r"finally|for (?:example|instance)|in addition|additionally|furthermore|moreover|correction|update|edit|note|"
    r"reminder|fact|context|info|i mean|i meant(?= (?:i|we|my|our)\b)|you know|you see|strictly speaking|"
    r"technically|to be (?:exact|precise|fair|"
    r"clear)|more precisely|let me correct (?:myself|that|it)|guess what|good news|bad news|big news|sad (?:news|"
    r"day)|news flash|long story short|quick (?:thing|one)|little delay|"
    r"(?:quick|small|little|short) (?:update|note|correction)(?: for you)?|you won't be(?:lieve|leive) (?:this|it)|"
    r"it turns out(?: that)?|the fact is(?: that)?|truth is|"
    r"turns out|thank (?:god|goodness|heavens)|phew|finally|(?:i )?forgot to (?:mention|say|tell you)(?: that)?|"
    r"(?:although|even though|though|whereas|granted)(?= (?:i|we|my|our)\b)|"
    r"i (?:think|believe|guess|reckon|suppose)(?: that)?(?= (?:my|our) )|"
    r"i (?:think|believe|guess|suppose) i (?:mentioned|told you|said)(?: that)?|oh dear|my goodness|good grief|damn|"
    r"ugh|"
    r"i should have (?:told|mentioned|said)(?: you| this| that| it)*(?: earlier| before| sooner| already)?(?: but| "
    r"that)?|"
    r"(?:i|we)(?: should| must| hereby| can| have to| want to| need to|'d like to)* (?:explain|point out|clarify|"
    r"confirm|stress|"
    r"emphasi[sz]e|add|mention|inform you|admit|confess)(?: that)(?= (?:i|we|my|our|the)\b)|funny story|not sure if "
    r"i mentioned(?: this)?(?: but)?|quick heads up|"
    r"(?:just )?so you know|for what it's worth|fwiw|psa|as (?:it happens|you may know|"
    r"mentioned)))(?:[\s,.:;!…–—-]+|$)",
    re.IGNORECASE,
)
_LABEL_END = re.compile(r"^[\s,.:;!…–—*_#-]+")

_TRAILING = re.compile(
    r"(?i)(?:(?<=\w)[.!]?(?:(?:\s*[,;–—-]+\s*|\s+)(?:lol|lmao|haha(?:ha)*|hehe|rofl|xd|btw|by the way|fyi)|"
    r"\s*[,;–—-]+\s*(?:(?:just )?so you know|"
    r"for (?:your information|the record|what it's worth|reference)|tbh|ngl|imo|smh|omg|yay|woohoo|phew|ugh|wow|"
    r"(?:just )?(?:if|in case) you(?:'re| are| were)? (?:wondering|wondered|forgot|curious|need it|didn't know|care)|"
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
    r"phew|ugh|at last|sorry|typo|oops|thankfully|luckily)\))|\s+[:;]-?[)(DPp])[.!…\s]*$"
)
"""Chatter after a sentence, which says nothing of what was stated."""
_LAST_WORDS = word_set("lol lmao haha hahaha hehe rofl xd btw way fyi")
_FIRST_WORDS = word_set(
    """
    lol lmao hehe rofl xd btw by fyi just for tbh ngl imo smh omg yay woohoo phew ugh wow if in i thought as believe
    to of you obviously can would thank thanks cheers my oops no long don keep bear please which how what
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
    rest = _KEEP_IT.sub("", _LABEL_END.sub("", sentence))
    rest = _MIND.sub("", rest) if ", " in rest else rest
    for _ in range(6):
        match = _MARKERS.match(rest)
        if match is None:
            break
        lead.append(match[0].strip().lower())
        rest = rest[match.end() :]
    return " ".join(lead), rest
