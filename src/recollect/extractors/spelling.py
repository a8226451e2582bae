"""A message as it is usually written: without emoji, with the apostrophes that were left out."""

from __future__ import annotations

import re

from recollect.extractors.keywords import has_any
from recollect.extractors.people import relation_of
from recollect.text.values import MONTH, word_set

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
    "abt": "about", "smth": "something", "sry": "sorry", "tho": "though", "altho": "although",
}  # fmt: skip
_SHORT = word_set(" ".join(_FULL) + " its")
_WORDS = re.compile(rf"(?i)(?<![\w'’.@-])(?:{'|'.join(_FULL)})(?=[ ,.!]|$)")
_WITH = re.compile(r"(?i)(?<![\w/])w(?:/ ?|(?= (?:my|our|the|an?|her|him|me|them|us)\b))(?!o\b)")
"""A short "with": "w/ my wife", "w my wife"."""
_ITS = re.compile(
    r"(?i)\b(it)s (?=[\d$€£]|(?:now|been|not|an?|the|in|on|at|under|just|still|actually|called|named|my|our|gone|going|"
    rf"always|with|{MONTH}) |\S+@|[\w.+-]+(?: [\w.+-]+)? now\b|(?-i:[A-Z])\w+(?:, | with an? | now\b| not |[.!]?$))"
)
_WERE = re.compile(
    r"(?i)(?:^|(?<=[.!?;:(] )|(?<=\()|(?<=, )|(?<=\band )|(?<=\bbut )|(?<=\bso ))(w)ere (?=(?:still|now|on|in|at|not|"
    r"down|up|"
    r"a|the|both|all|moving|getting|having|using|living|switching|going|subscribed|based|with|back|expecting|"
    r"[a-z]+ing) )"
)
"""A clause that begins with "were" has lost its apostrophe: "were on Vitest now"; a question ends otherwise."""
_THEIR = re.compile(
    r"(?P<who>\b[Mm]y (?P<rel>[a-z]+)|\b[Oo]ur (?P<rel2>[a-z]+))s (?=(?:name|names|birthday|email|address|number|"
    r"phone|job|"
    r"favou?rite|getting|called|moved|been|boyfriend|girlfriend|wife|husband|birthplace|school|employer|car|age)\b)"
)


_CURLY = re.compile(r"(?<=\w)[’ʼ‘](?=\w)")
_GAP = re.compile(r"(?<=[\w.!?,;:])  +(?=\w)")


def straight(text: str) -> str:
    """The text with plain apostrophes, and one space where a line has several between its words."""
    text = text if text.isascii() else _CURLY.sub("'", text)
    return _GAP.sub(" ", text) if "  " in text else text


def without_pictures(text: str) -> str:
    """The text without emoji."""
    return text if text.isascii() else _PICTURES.sub("", text).strip() or text


_DAY_OF = re.compile(rf"(?i)\b(?:the )?(\d{{1,2}})(?:st|nd|rd|th)? of (?={MONTH}\b)")
_BEGINNING = re.compile(
    rf"(?i)(?:(?<=^)|(?<=[.,;!] ))beginning (?=(?:in|on|from|next|this|with|today|tomorrow|{MONTH})\b)"
)
_HALF = re.compile(r"(?i)(?<=\d)( ?[ap])\.m\b(?:\.(?=[ ,;:][^A-Z]|,|$))?")


def with_plain_times(text: str) -> str:
    """ "The 3rd of May" as "3 May", "5 p.m." as "5 pm": as most people write it."""
    text = (
        _BEGINNING.sub(lambda match: "Starting " if match[0][0] == "B" else "starting ", text)
        if "eginning " in text
        else text
    )
    if not any(sign.isdecimal() for sign in text):
        return text
    text = _DAY_OF.sub(r"\1 ", text) if " of " in text else text
    return _HALF.sub(r"\1m", text) if ".m" in text.lower() else text


def with_apostrophes(text: str) -> str:
    """English text with the apostrophes that were left out."""
    if has_any(text, _SHORT):
        text = _WORDS.sub(in_full, _ITS.sub(r"\1's ", text))
    if "ere " in text and "?" not in text:
        text = _WERE.sub(r"\1e're ", text)
    if " w" in text and ("w/" in text or " w " in text):
        text = _WITH.sub(lambda match: "with " if match[0].endswith(("/", " ")) else "with", text)
    return _THEIR.sub(owned, text) if "y " in text or "ur " in text else text


def in_full(match: re.Match[str]) -> str:
    """The word with its apostrophe, and with its capital at the beginning of a sentence."""
    full = _FULL[match[0].lower()]
    return full[0].upper() + full[1:] if match[0][0].isupper() else full


def owned(match: re.Match[str]) -> str:
    """ "my sisters birthday" as "my sister's birthday"."""
    word = match["rel"] or match["rel2"]
    return f"{match['who']}'s " if relation_of(word) else match[0]
