"""A message as it is usually written: without emoji, with the apostrophes that were left out."""

from __future__ import annotations

import re

from recollect._values import word_set
from recollect.extractors.keywords import has_any
from recollect.extractors.people import relation_of

_PICTURES = re.compile(r"\s*[\U0001F300-\U0001F643\U0001F645-\U0001FAFF\u2600-\u27BF\uFE0F\u200D]+")
"""Emoji; the one that rolls its eyes stays, since it tells how a message is meant."""
_FULL = {
    "im": "I'm", "ive": "I've", "dont": "don't", "doesnt": "doesn't", "didnt": "didn't", "isnt": "isn't",
    "arent": "aren't", "wasnt": "wasn't", "werent": "weren't", "havent": "haven't", "hasnt": "hasn't",
    "hadnt": "hadn't", "wont": "won't", "cant": "can't", "couldnt": "couldn't", "wouldnt": "wouldn't",
    "shouldnt": "shouldn't", "thats": "that's", "whats": "what's", "hes": "he's", "shes": "she's",
    "theyre": "they're", "youre": "you're", "weve": "we've", "theyve": "they've", "itll": "it'll", "itd": "it'd",
    "pls": "please", "plz": "please", "tmrw": "tomorrow", "bday": "birthday", "rn": "right now", "thx": "thanks",
    "coz": "because", "bc": "because", "cos": "because", "prolly": "probably", "gonna": "going to", "ppl": "people",
    "abt": "about", "smth": "something", "sry": "sorry",
}  # fmt: skip
_SHORT = word_set(" ".join(_FULL) + " its")
_WORDS = re.compile(rf"(?i)(?<![\w'’.@-])(?:{'|'.join(_FULL)})(?= )")
_WITH = re.compile(r"(?i)(?<![\w/])w(?:/ ?|(?= (?:my|our|the|an?|her|him|me|them|us)\b))(?!o\b)")
"""A short "with": "w/ my wife", "w my wife"."""
_ITS = re.compile(r"(?i)\bits (?=[\d$€£]|now |been |not |an? |\S+@|(?-i:[A-Z])\w+(?:, not\b|[.!]?$))")
_THEIR = re.compile(
    r"(?P<who>\b[Mm]y (?P<rel>[a-z]+)|\b[Oo]ur (?P<rel2>[a-z]+))s (?=(?:name|names|birthday|email|address|number|"
    r"phone|job|"
    r"favou?rite|getting|called|moved|been|boyfriend|girlfriend|wife|husband|birthplace|school|employer|car|age)\b)"
)


def without_pictures(text: str) -> str:
    """The text without emoji."""
    return text if text.isascii() else _PICTURES.sub("", text).strip() or text


def with_apostrophes(text: str) -> str:
    """English text with the apostrophes that were left out."""
    if has_any(text, _SHORT):
        text = _WORDS.sub(lambda match: _FULL[match[0].lower()], _ITS.sub("it's ", text))
    if " w" in text and ("w/" in text or " w " in text):
        text = _WITH.sub(lambda match: "with " if match[0].endswith(("/", " ")) else "with", text)
    return _THEIR.sub(owned, text) if "y " in text or "ur " in text else text


def owned(match: re.Match[str]) -> str:
    """ "my sisters birthday" as "my sister's birthday"."""
    word = match["rel"] or match["rel2"]
    return f"{match['who']}'s " if relation_of(word) else match[0]
