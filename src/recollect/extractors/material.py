"""The speaker's own words: what was pasted, forwarded, made up or given to be worked on tells nothing of them."""

from __future__ import annotations

import re

from recollect.extractors.bounds import with_short_blanks
from recollect.records import Message

LONGEST_READ = 20_000
"""In so many characters the speaker's own words are looked for: some of these patterns take quadratic time."""

_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_PASTED = re.compile(r"^(?:[ \t]*>|\t| {4,}).*$", re.MULTILINE)

_WRITINGS = (
    r"e-?mails?|letters?|ads?|adverts?|advertisements?|listing|vacancy|job (?:posting|description|offer)|posts?|"
    r"tweets?|articles?|blog ?posts?|transcripts?|conversation|dialog(?:ue)?|reviews?|essays?|stor(?:y|ies)|novel|"
    r"chapter|poems?|lyrics|songs?|screenplay|drafts?|excerpts?|paragraphs?|passages?|quotes?|speech|abstract|"
    r"press release|newsletter|testimonial|word problem"
)
"""What people write that others read."""
_TEXTS = (
    rf"(?:{_WRITINGS}|mail|chat|scripts?|texts?|statement|paper|comments?|ticket|bug report|logs?|error(?: message)?|"
    r"output|stack ?trace|config|snippet|readme|minutes|sentences?|wording|grammar|spelling|translation|prompt)"
)
"""What one gives to be worked on."""
_REWORK = (
    r"(?:proof-?read|rephrase|rewrite|reword|paraphrase|summari[sz]e|shorten|polish|spell-?check|transcribe|translate)"
)
"""What is done to texts only."""
_LOOK_AT = (
    r"(?:edit|improve|check|correct|fix|format|analy[sz]e|review|critique|grade|classify|extract|answer|reply to)"
)
"""What is done to texts, too."""
_ASKING = r"(?i:(?:please|pls|hey|hi|now|ok|so|can you|could you|would you|help me(?: to)?|i need you to|just),? )*"
_GIVEN = re.compile(
    rf"^{_ASKING}(?i:{_REWORK}\b(?=[^.:?!\n]*(?:\b(?:this|these|the following|below)\b|[:\n]|[.?!]\s*\n))|"
    rf"{_LOOK_AT}\b(?=[^.:?!\n]*\b{_TEXTS}\b|[^.:?!\n]{{0,60}}:? ?[\"“\n]))[^.:?!\n\"“]*[.:?! ]*"
    rf"(?=[\"“\n]|(?<=[.:?!] )\S).*",
    re.DOTALL,
)
"""A text that is given with what is to be done to it."""
_HERE = re.compile(
    rf"(?is)(?:\b(?:here(?:'s| is| are)|this is|below is|consider|read) (?:the|my|an?|this|our|his|her|their|some) "
    rf"(?:[\w-]+ ){{0,4}}?(?:{_WRITINGS})|\b(?:my|this|his|her|their) (?:[\w-]+ )?(?:{_WRITINGS})|"
    rf"^(?:{_WRITINGS})(?! from)|\b(?:{_WRITINGS}) (?:says?|said|go(?:es)?|reads|went|states)(?=:))"
    rf"(?: [\w' ]{{1,40}}?)?:(?=\s*\n|(?:\s+\S+){{5}}).*"
)
"""A text after the word for it: "here's the ad: …", "the lyrics go: …"; what is short may be a value."""
_STORY = re.compile(
    r"(?is)\bhere(?:'s| is) (?:the|my|an?|our) (?:[\w-]+ ){0,3}?(?:story|novel|chapter|essay|draft|script|poem|letter|"
    r"e-?mail)\b[^.:\n]*[.:\n].*"
)
_WROTE = re.compile(
    r"(?ims)^(?:on .{6,60}wrote:|-+ ?(?:original|forwarded) message ?-*|begin forwarded message|"
    r"(?:my|the|our) [\w ]{2,30}? (?:wrote|writes|texted|emailed|messaged|replied|answered|posted)(?: me| back| us)?"
    r"(?: this)?:)\s.*|"
    r"^(?:from|to|subject|sent|cc|date): .+\n(?:(?:from|to|subject|sent|cc|date): .*(?:\n|\Z))+.*"
)
"""Mail of others, from where it begins."""
_SALUTED = re.compile(
    r"(?s)(?<=\n)[ \t]*(?i:dear|hi|hello|hey|good (?:morning|afternoon|evening)|liebe|lieber|sehr geehrte|hallo|"
    r"bonjour|cher|chère|hola|estimad[oa]|olá|caro|cara|to whom it may concern)\b[^.!?\n]{0,50}[,:][ \t]*\n.*"
)
"""A letter that begins in the midst of a message; one that is all of the message may be to the assistant."""
_PLAYED = re.compile(
    r"(?is)(?:^|(?<=[.!?\n] )|(?<=\n))[^.!?\n]*(?:\brole[ -]?play|\bstay in character|"
    r"(?<!\bi )(?<!\bto )\bpretend (?:that |to be |(?:you|i|we)\b)|"
    r"\b(?:in|for) this (?:scenario|story|game|hypothetical|fantasy)\b|"
    r"\blet(?:'s|s| us) (?:pretend|imagine|play (?:an?|some|d&d|dungeons|twenty|20|pretend)\b)|"
    r"\bi(?:'m| am|'ll be| will be) your (?:landlord|teacher|boss|king|queen|captain|interviewer|opponent)\b|"
    r"\b(?:write|tell|compose|create|continue|make up|invent|generate)(?: me| us)? (?:an? |the |this |some )?"
    r"(?:[\w-]+ ){0,3}?(?:story|tale|poem|song|novel|scene|dialog(?:ue)?|monologue|sketch|screenplay|fan ?fic(?:tion)?|"
    r"script|conversation|lyrics|letter from|diary|persona)\b(?![^.!?\n]*\b(?:for|about|to|of) (?:my|our|me|us)\b)).*"
)
"""What is only played or made up, from where that begins to the end."""
_EXERCISE = re.compile(
    r"(?is)^(?:(?:question|task|q) ?\d+|(?:word |maths? )?(?:problem|exercise|riddle|puzzle|quiz) ?\d*)[:.)] .*"
)
_LOG = re.compile(
    r"(?m)^(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL|TRACE|CRITICAL)\b|Traceback\b|"
    r"[ \t]*at [\w.$]+\(|[ \t]*File \"|(?:\$|#!|>>>) ?\S).*$"
)
_CONFIG = re.compile(r"(?m)^[\w.-]+:[ \t]*\n(?:[ \t]+(?:- )?[\w.-]+:.*(?:\n|\Z))+(?:[\w.-]+: ?.*(?:\n|\Z))*")
"""Settings as YAML has them: a key, and its own keys indented."""
_BRACES = re.compile(
    r"(?m)^[ \t]*[{\[][ \t]*\n(?:.*\n){0,200}?[ \t]*[}\]];?[ \t]*$|^[ \t]*(?:SELECT|INSERT|UPDATE|CREATE|DELETE) .*;.*$"
)
_LINE_OF = re.compile(
    r"(?m)^(?:\[?\d{1,2}[:.]\d\d[\d:. apmAPM]{0,9}\]? ?(?:- )?)?(?P<who>[A-Z][\w'-]*(?: [A-Z]?[\w.'-]+){0,2}): "
    r"(?P<said>\S.*)$"
)
"""A line of a talk: "[10:32] Ann: I'm late"."""
_SPEAKING = re.compile(r"(?i)\b(?:i|i'm|i've|i'll|you|we|my|your|me)\b")
_AD = re.compile(
    r"(?i)\b(?:we(?:'re| are) (?:looking for|hiring|seeking)|join (?:our|the|us)|apply (?:now|today|here|online|by)|"
    r"to apply|requirements|responsibilities|qualifications|you(?:'ll| will) (?:be|work|have|need|lead|own|join)|"
    r"what you(?:'ll| will)|ideal candidate|successful candidate|years of experience|\d\+ years|competitive salary|"
    r"equal opportunity|send (?:us )?your (?:cv|resume|application)|about the (?:role|job|position)|about you|"
    r"nice to have|what we offer|we offer|benefits include|you have (?:an?|\d|strong|excellent|experience))\b"
)
"""How a job is advertised; a few of these in one message are an advertisement, whose "we" is not the speaker's."""
_FEWEST_OF_AN_AD = 3
_SPEECH = re.compile(r"[\"“][^\"”“]*[.!?] [^\"”“]*[\"”]")
"""A quotation of several sentences."""


def without_pasted(text: str) -> str:
    """The text without code blocks and quoted lines: those are not the speaker's own words."""
    if "```" in text or "~~~" in text:
        text = _CODE.sub("\n", text)
    if ">" in text or "\t" in text or "    " in text:
        text = _PASTED.sub("", text)
    return text


def words_of(message: Message) -> str:
    """The words of a message that are its speaker's own; a document has nobody's, and is read but for its code."""
    if message.origin not in ("user", "operator"):
        return without_pasted(message.content)
    return own_words(message.content)


def own_words(text: str) -> str:
    """What is left of a message without what others wrote, machines print, or nobody means."""
    text = without_pasted(text if len(text) <= LONGEST_READ else with_short_blanks(text)[:LONGEST_READ])
    if "\n" in text:
        text = without_talk(_BRACES.sub("", _CONFIG.sub("", _SALUTED.sub("", text))))
    for others in (_LOG, _WROTE, _GIVEN, _PLAYED, _EXERCISE, _STORY):
        text = others.sub("", text)
    text = _HERE.sub("", text) if ":" in text else text
    return "" if is_ad(text) else _SPEECH.sub("", text)


def is_ad(text: str) -> bool:
    """Whether a message is a job advertisement."""
    return len({match[0].lower() for match in _AD.finditer(text)}) >= _FEWEST_OF_AN_AD


def without_talk(text: str) -> str:
    """A message without the lines of a talk that it shows: each is led by who said it, and some say "I" or "you"."""
    lines = list(_LINE_OF.finditer(text))
    again = len({line["who"] for line in lines}) < len(lines)
    spoken = sum(_SPEAKING.search(line["said"]) is not None for line in lines)
    return _LINE_OF.sub("", text) if len(lines) > 1 and spoken and (again or spoken > 1) else text
