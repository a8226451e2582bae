"""Someone who takes back what they said: "Did I say Monday? It's Tuesday", "35, sorry"."""

from __future__ import annotations

import re

from recollect._values import word_set
from recollect.extractors.keywords import has_any

_ASKED_BACK = re.compile(
    r"(?i)\b(?:did|have) i (?:really |just |actually )?(?:say|said|write|written|type|typed|put|tell you|told you) "
    r"(?P<old>[^?.!]{2,40})\? (?:(?:no|sorry|oops|well|actually)[,.]? )*(?:it(?:'s| is| was| should be)|i meant|"
    r"make that|that should be) (?P<new>[^?!]{2,60}?)"
    r"(?:,? (?:with|without) (?:an? |one |two )?['\"]?\w['\"]?s?)?(?=[.!]*$|[.!] )"
)


_SAID_BUT = re.compile(
    r"(?i)\bi (?:said|told you|thought|wrote|put)(?: that)? (?P<what>(?:my|our|the) [\w' ]{2,30}?) (?:was|is) "
    r"(?P<old>[^,.;!?]{1,40}?),? but (?:it's|it is|it was|that's|it should be) (?:actually |really |now )?"
    r"(?P<new>[^.;!?]+)"
)
"""What was said, against what is so: "I said my appointment was Thursday but it's Friday"."""


_SAID_OF = re.compile(
    r"(?i)(?:(?:forget|scrap|ignore|disregard|never mind) what i (?:said|told you|wrote) about|(?:i have )?no idea "
    r"why i said "
    r"(?:that )?i (?:like|love|hate|enjoy|eat|am allergic to)) (?P<what>[\w' -]{2,30}?)[,;.:]+ "
    r"(?P<rest>(?:i|we)\b[^.!?,;]*? )it(?=[.!?]|$)"
)
"""What was said of something, and in the next breath what is so of "it"."""


_WONDERED = re.compile(
    r"(?i)(?:^|(?<=[.!?] )|(?<=lol )|(?<=wait )|(?<=hm )|(?<=oh )|(?<=, ))(?:why|how|where|when|what made me|did i|"
    r"have i|"
    r"no idea why|not sure why|don't know why)"
    r"(?: on earth| the hell| in the world)?(?: (?:did|would|do) i| i)?(?: really| just| actually)? (?:say|said|write|"
    r"wrote|type|typed|put|tell "
    r"you|"
    r"told you) (?P<old>[^,;?.!]{2,40}?)[,;?.!]+ (?=(?:i|we|my|our|it|the|he|she|they)\b)"
)
"""Someone who wonders at what they said before, and puts it right in the next breath."""


_WONDERED_OF = re.compile(
    r"(?i)^(?:(?:oh|wait|hm|sorry|oops),? )?(?:did i|why did i)(?: really| just)? (?:say|write|type|tell you) "
    r"(?P<old>[^,;?.!]{2,40}?)[,;?.!]+ (?:he|she|they)(?:'s|'re| \w+) (?:[a-z]+ ){0,3}?(?P<new>(?-i:[A-Z\d])[\w'-]*(?: "
    r"(?-i:[A-Z])[\w'-]*)*)(?=[.!,]|$)"
)


_ADMITTED_LAST = re.compile(
    r"(?i)^(?:it's |it is |that's )?(?P<new>(?!no\b|yes\b|not\b|oh\b|so\b|and\b|but\b|thanks\b|sorry\b|oops\b|"
    r"wait\b|actually\b)[^,;.!?]{1,40}?)(?:,|"
    r" [-–—]) "
    r"(?:sorry|actually|my (?:mistake|bad)|oops|whoops|typo|i mean|i meant|(?:damn |stupid )?auto-?correct[^,.;:]*|"
    r"i (?:just )?(?:swapped|mistyped|misread|mixed|miscounted|misremembered|typed)\b[^,.;:]*)[.!]*$"
)
_TELLS = re.compile(r"(?i)\b(?:i|we|he|she|they|it|my|our|is|are|was|were|have|has|had|do|did|can|will|would)\b")
"""What a clause has that is more than a value."""


def asked_back(text: str) -> str:
    """ "Did I say Monday? It's Tuesday." as "I said Monday, I meant Tuesday."; "Why did I write A, …" the same."""
    if len(text) < 90 and (match := _ADMITTED_LAST.match(text)) and not _TELLS.search(match["new"]):
        return f"Sorry, I mean {match['new']}"
    if not has_any(text, _SAID):
        return text
    text = _SAID_OF.sub(r"\g<rest>\g<what>", text)
    text = _SAID_BUT.sub(r"\g<what> is \g<new>, not \g<old>", text)
    if "? " in text:
        text = _ASKED_TO.sub(r"\g<key> is now ", _ASKED_BACK.sub(r"I said \g<old>, I meant \g<new>", text))
    if theirs := _WONDERED_OF.match(text):
        return f"I said {theirs['old']}, I meant {theirs['new']}{text[theirs.end() :]}"
    return _WONDERED.sub("Correction: ", text, count=1)


_SAID = word_set("thought say said write wrote written type typed put tell told update change correct fix edit")
_ASKED_TO = re.compile(
    r"(?i)\b(?:can|could|would|will) you (?:please )?(?:update|change|correct|fix|edit) (?P<key>(?:my|our) [a-z][a-z "
    r"]{2,30}?)"
    r"(?: for me)?(?: please)?\? (?:it(?:'s| is| should be| has changed to)|make it|now it(?:'s| is)) (?:now )?"
)
"""A request to change something, with what it is to be in the next sentence."""
