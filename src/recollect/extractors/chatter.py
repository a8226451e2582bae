"""What greets, announces or closes a message and says nothing of what it tells: left out before anything is read.

Words that tell how a statement is meant ("actually", "sorry, I meant", "also", "oh great") stay: others read them.
"""

from __future__ import annotations

import re

from recollect.extractors.asides import without_trailing
from recollect.text.sentences import sentences
from recollect.text.values import word_set

_GREETING = (
    r"(?:hi|hello|hey|hiya|heya|yo|greetings|(?:good )?(?:morning|evening|afternoon)|good day)"
    r"(?: (?:there|again|all|everyone|team))?"
)
_SUBJECT = r"(?:i|i'm|i've|i'll|we|we're|we've|we'll|my|our|the|there|this|all|it|it's)\b"
_STATEMENT = (
    rf"(?={_SUBJECT}|(?-i:[A-Z])[\w.-]*(?:'s)?(?: [\w.-]+){{0,3}}? (?:is|are|was|were|has|have|had|will|now|[a-z]+s|"
    rf"[a-z]+ed|"
    rf"went|got|left|quit)\b|(?:[a-z]{{3,}}ed|got|left|quit|went|still|found|down|up|only|back|no longer|finally|"
    rf"just) )"
)
"""What a statement begins with, and no bare value."""
_OPENING = re.compile(
    rf"(?i)(?:{_GREETING} ?[,!.–—-]+|"
    r"(?:(?:oh|ah|and|so|um+|uh+|er+m?|hm+|well|anyways?|ok|okay|alright|right(?: then)?) ?[,.…]+ ?)+(?:and |so "
    r")?(?=[\w*])"
    r"(?!great\b|sure\b|joy\b|lovely\b|perfect\b|fantastic\b|wonderful\b|brilliant\b|thanks\b)|"
    r"(?:(?:oh|and|um+|so|ok|just|also|a|quick) )*(?:by the way|btw|f\.?y\.?i\.?|so you know|for your information|"
    r"for (?:the record|reference|context|what it's worth)|heads[ -]up|p\.?p?\.?s\.?|n\.?b\.?) ?(?:[,:.–—-]+|"
    r"(?= (?:i|i'm|i've|we|we're|we've|my|our|the)\b))|"
    r"(?:[a-z']+ ){0,5}(?:(?:update|note|heads[ -]up|announcement|thing|news|context|mention|mentioning|knowing|"
    r"notes|records|"
    r"reminder|fyi)(?: (?:from|for|on) (?:[a-z]+ ){0,2}[a-z]+)? ?[:!–—]+ |(?:(?<= )background ?[:!–—]+ )|"
    r"(?:background|info|status|knows?|record|reference|"
    rf"detail|details|fact|one) ?[:!–—]+ {_STATEMENT})|"
    r"(?:guess what|one more thing|another thing|speaking of which|(?:good|big|great|exciting) news) ?[,:!.–—-]+|"
    r"(?:just )?in case (?:you (?:need|want|ask|asked|care|forgot|missed|wonder|are|were|'re|did|had|have|haven't|"
    r"hadn't|"
    r"didn't|don't)|(?:it|that|this) (?:helps|matters|comes up|is (?:useful|relevant)))\b[\w' ]{0,30}, |"
    r"(?:to (?:cut a long story short|make a long story short|be (?:fair|clear|honest|precise|exact))|(?:long|short) "
    r"story "
    r"short|believe it or not|for (?:various|several|some|many|obvious|personal) reasons|as things stand|as it "
    r"happens) ?[,:–—-]+|"
    r"(?:before|while|since|as) (?:i|you|we)(?:'m|'re| are| am)? (?:forget|remember|think of it|at it|asked|"
    r"asking)(?: (?:it|this|"
    r"again|about it))? ?[,:–—-]+|"
    r"(?:(?:i'm )?not sure (?:if|whether) [\w' ]{3,40}?|random|unrelated|off[- ]topic|side ?note|small thing|silly|"
    r"boring|"
    r"irrelevant|probably irrelevant|no big deal),? but) *"
)
"""Words before a statement after which it could as well begin."""
_INFORMING = (
    r"(?:mention(?:ed|ing)?|(?:tell(?:ing)?|told|inform(?:ing)?|remind(?:ing)?|notify(?:ing)?) you|let(?:ting)? you "
    r"know|"
    r"know(?:ing)?|not(?:e|ing)|add(?:ing)?|report(?:ing)?|announc(?:e|ing)|say(?:ing)?|shar(?:e|ing)|remember(?:ing)?|confirm|"
    r"point(?:ing)? out|(?:keep|bear)(?:ing)? in mind|be(?:ing)? aware)"
)
_FRAME = re.compile(
    r"(?i)(?:(?:i(?:'m| am| just| also)*|we(?:'re| are| just| also)*) (?:realis|realiz|think|thought|believe|guess|"
    r"suppose|feel|"
    r"want|need|like|would like|wish|happy|glad|pleased|proud|sorry|sad|excited|thrilled|ought|should|must|have to|"
    r"forgot|"
    r"'d like)[a-z]*|i don't (?:think|believe)|i(?:'d| would) like|it(?:'s| is| may be| might be| could be)? "
    r"(?:probably |perhaps |"
    r"maybe )?(?:worth|good|useful|helpful|important|might|may|could|will|would|should)|(?:also |probably |perhaps "
    r")?worth|"
    r"(?:good|useful|helpful|important) to|you (?:should|might want to|may want to|ought to|need to)|just|let me|"
    r"please)"
    rf"(?: (?!not\b|if\b|whether\b|who\b|what\b)[a-z']+){{0,5}}? {_INFORMING} that (?={_SUBJECT}|(?-i:[A-Z]))"
)
"""Words that only tell that something is told: "I think it's worth mentioning that". Whoever says what they never said,
what they know or what others say is not meant."""
_FIRST_WORDS = word_set(
    "hi hello hey hiya heya yo greetings morning evening afternoon good oh ah and so um umm uh uhh er erm hm hmm "
    "well anyway anyways ok okay alright right by btw fyi f for heads p ps pps nb n just guess great exciting "
    "before while since as random unrelated off side small silly boring irrelevant probably no not i speaking "
    "another one in to long short believe "
)
_POLITE = re.compile(
    r"(?i)(?:(?:ok|okay|great|cool|awesome|perfect|nice|alright|hi|hello|hey|oh)[,.! ]+)*(?:"
    r"(?:many |so many )?(?:thanks|thank you|thx|cheers)(?! to\b)(?: (?:so much|a lot|again|very much|in advance|"
    r"for (?:the|your|all|that|this|everything|helping|asking)\b[\w' ]{0,40}))*|"
    r"(?:i |we )?hope (?:you|this|that|it|all|everything|your)\b[\w' ]{0,40}|"
    r"(?:i'm |i am )?sorry (?:for|about) (?:the|my|being|taking|not|all the) (?!(?:\w+ )?(?:confusion|mix|mistake|"
    r"error|typo|mess|"
    r"misunderstanding|wrong))[\w' ]{0,40}|sorry to (?:bother|disturb|keep|trouble)\b[\w' ]{0,40}|"
    r"(?:it's |it is |it was )?(?:nice|good|great|lovely) to (?:meet|see|hear|talk)\b[\w' ]{0,30}|"
    r"long time no (?:see|talk|speak)|(?:i'll )?(?:talk|speak|write|see|catch) (?:to )?(?:you|soon|later)[\w' ]{0,20}|"
    r"have a (?:nice|great|good|lovely)\b[\w' ]{0,30}|take care|bye(?: for now| now)?|(?:kind|best|warm) regards|"
    r"that's (?:all|it)(?: for (?:now|today))?|(?:i )?just (?:wanted to|thought i'd) (?:say|mention|share|add|flag) "
    r"(?:that|it|this)|"
    r"happy (?-i:[A-Z])?[a-z]*day|happy (?:new year|holidays|easter|christmas|weekend)|"
    r"no (?:rush|hurry|worries|problem|pressure|need to (?:reply|answer)[\w' ]{0,20})|wish (?:me|us) luck|more soon|"
    r"phew|"
    r"ok|okay|great|cool|awesome|alright|hi|hello|hey|good (?:morning|evening|afternoon))[.!… ]*(?:xx?)?"
)
"""A sentence that is only polite. One that is sorry for a mistake is more than that."""
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MARKS = frozenset(":!–—")
_POLITE_WORDS = word_set(
    "thanks thank thx cheers hope sorry nice good great lovely long talk speak write see catch have take bye kind best "
    "warm that just it i we happy no wish more phew ok okay cool awesome alright hi hello hey perfect oh many so"
)


_BULLET = re.compile(r"\s*[-*•·] +(?=\w)")


def left_out(text: str) -> str:
    """The text without the polite sentences and the opening words that it begins with, and the chatter that it ends
    with; all of it where there is nothing else."""
    single = _BULLET.sub("", text, count=1) if text[:3].lstrip()[:1] in "-*•·" and "\n" not in text.strip() else text
    bare = without_end(without_polite(single))
    for _ in range(4):
        shorter = unframed(unopened(bare))
        if shorter == bare:
            break
        bare = shorter
    return bare if re.search(r"\w", bare) else text


def first_word(text: str) -> str:
    return text[: len(text) - len(text.lstrip(_LETTERS))].lower()


def unopened(text: str) -> str:
    """A text without the words that lead up to its first statement."""
    may = first_word(text) in _FIRST_WORDS or not _MARKS.isdisjoint(text[:60])
    opening = _OPENING.match(text) if may else None
    return text[opening.end() :] or text if opening else text


def unframed(sentence: str) -> str:
    """A sentence without "I should mention that"."""
    frame = _FRAME.match(sentence) if " that " in sentence[:80] else None
    return sentence[frame.end() :] if frame else sentence


def is_polite(sentence: str) -> bool:
    return first_word(sentence) in _POLITE_WORDS and _POLITE.fullmatch(sentence) is not None


def without_polite(text: str) -> str:
    """The text without the polite sentences at either end."""
    if not re.search(r"[.!…]\s", text):
        return text
    parts = sentences(text)
    if not (is_polite(parts[0]) or is_polite(parts[-1])):
        return text
    while len(parts) > 1 and is_polite(parts[0]):
        text = text[text.index(parts[0]) + len(parts[0]) :].lstrip()
        parts = parts[1:]
    while len(parts) > 1 and is_polite(parts[-1]):
        text = text[: text.rindex(parts[-1])].rstrip()
        parts = parts[:-1]
    return text


def without_end(text: str) -> str:
    """The text without what trails after its last sentence; that keeps its full stop."""
    if "\n" in text:
        return text
    last = sentences(text)[-1:]
    bare = without_trailing(last[0]) if last else ""
    if not bare or bare == last[0]:
        return text
    stop = "" if bare[-1] in ".!?" else "."
    return text[: text.rindex(last[0])] + bare + stop
