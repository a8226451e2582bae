"""A case told in other words that mean the same, so that what was expected of it must still come true. Pure.

A variation gives the varied case, or None where it does not apply. Which of its words it takes follows from the case's
id, so that a run is like the one before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any
from zlib import crc32

Case = dict[str, Any]
Variation = Callable[[Case], Case | None]

OPENERS = (
    "By the way, ", "Just so you know, ", "Oh, and ", "Hey! ", "Well, ", "Um, so ", "FYI, ", "Anyway, ", "Yo, ",
    "Random, but ", "While I remember, ", "Right then, ", "Speaking of which, ", "For what it's worth, ", "Evening! ",
    "Not sure if it's relevant but ", "Before I forget, ", "Another thing, ", "Right, so ", "Hello there, ",
)  # fmt: skip
ANNOUNCED = (
    "Quick update: ", "Small update from my side: ", "PS: ", "Note: ", "One more thing: ", "Hi again, ",
    "Life update: ",
    "Some context: ", "To give you some background: ", "Before I forget: ", "Quick side note — ", "Tiny update! ",
    "Also worth knowing: ", "News from here: ", "For your notes: ",
)  # fmt: skip
TOLD = (
    "I wanted to let you know that ", "I should mention that ", "You should know that ", "Keep in mind that ",
    "I think it's worth mentioning that ", "It might help to know that ", "I don't think I've mentioned that ",
    "Please remember that ", "I'm happy to report that ", "As you may know, ", "I realised I never told you that ",
)  # fmt: skip
CLOSERS = (
    ", by the way", ", just FYI", ", just so you know", ", in case you were wondering", ", if that helps", ", fwiw",
    " — just putting it out there", " (just for context)", ", in case it comes up", ", if you're interested",
    ", so yeah", ", anyway", ", if it matters", ", for your records", " tho",
)  # fmt: skip
SMILES = (" :)", " 😊", " lol", " haha", " xx", " ;-)", " 🎉🎉", " ^^", " <3", " :D")
BEFORE = (
    "Thanks for the help yesterday. ", "Hope you had a nice weekend! ", "Sorry for the late reply. ", "Okay. ",
    "What a week. ", "It's raining here. ", "I had a long day. ", "Happy Friday! ", "Perfect, that fixed it. ",
    "You were right about the recipe. ", "That worked, thank you. ", "Good call on the pasta. ", "Where was I? ",
)  # fmt: skip
AFTER = (
    " Thanks!", " Thanks again for everything.", " Talk to you later.", " Just wanted to say that.", " Cheers!",
    " Anyway, back to work.", " More soon.", " Just thinking out loud.", " Let me know what you think.", " No rush.",
    " Hope that helps.", " Wish me luck!", " Please remember that.", " Add that to your notes please.", " Phew.",
)  # fmt: skip
ASKED = (
    " What should I cook tonight?", " Can you help me write an email?", " Any tips?", " Does that make sense?", " Ok?",
    " What time is it?", " Could you summarise this article for me?", " What do you think?", " Thoughts?",
)  # fmt: skip
REMARKS = (
    ", which is nice", ", which took a while", ", to be honest", ", believe it or not", ", I guess", ", thank goodness",
    ", and I couldn't be happier", ", so that's good", ", for better or worse", ", can you believe it", ", as you know",
)  # fmt: skip

FULL = {
    "I'm": "I am", "I've": "I have", "I'll": "I will", "we're": "we are", "we've": "we have", "we'll": "we will",
    "they're": "they are", "they've": "they have", "you're": "you are", "don't": "do not", "doesn't": "does not",
    "didn't": "did not", "isn't": "is not", "aren't": "are not", "wasn't": "was not", "weren't": "were not",
    "haven't": "have not", "hasn't": "has not", "hadn't": "had not", "won't": "will not", "can't": "cannot",
    "couldn't": "could not", "wouldn't": "would not", "it'll": "it will", "he'll": "he will", "she'll": "she will",
}  # fmt: skip
IS_SHORT = re.compile(
    r"\b([Ii]t|[Hh]e|[Ss]he|[Tt]hat|[Tt]here)'s(?= (?:an?|the|in|on|at|not|now|my|our|\d\w*|[A-Z]\w+)\b)"
)
BRITISH = {
    "favorite": "favourite", "favorites": "favourites", "color": "colour", "colors": "colours", "gray": "grey",
    "center": "centre", "theater": "theatre", "organize": "organise", "neighbor": "neighbour", "mom": "mum",
    "neighbors": "neighbours", "apartment": "flat", "vacation": "holiday", "canceled": "cancelled",
}  # fmt: skip
SYNONYMS = {
    "bought": "purchased", "buy": "purchase", "kids": "children", "began": "started", "starting": "beginning",
    "begin": "start", "begins": "starts", "whilst": "while", "relocated": "moved", "anymore": "any longer",
    "any more": "any longer", "purchased": "bought", "nearly": "almost", "mobile": "cell", "pals": "friends",
}  # fmt: skip
PRESENT = re.compile(
    r"\b(I|[Ww]e) (?=(?:live|work|use|own|drive|speak|study|rent|run|pay|drink|eat|play|take|wear|earn|teach|commute|"
    r"bank|share|host|deploy)\b)"
)
PAST = re.compile(
    r"\b(I|[Ww]e) (?=(?:moved|switched|bought|sold|quit|joined|changed|adopted|started|replaced|upgraded|stopped|gave|"
    r"signed|left|got|became|dropped|cancelled|finished)\b)"
)
TIMED = re.compile(
    r"(?i)\b(?:\d{4}|in|last|ago|years?|months?|weeks?|when|until|since|back|yesterday|before|once|first|from|never|if|"
    r"at|on|jan\w*|feb\w*|mar\w*|apr\w*|may|jun\w*|jul\w*|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*)\b"
)
HOUSEHOLD = re.compile(r"\b(I|My|my)(?= (?:live in|moved to|have an? (?:dog|cat)|dog|cat|flat|house|landlord|rent)\b)")
MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
MONTH_FIRST = re.compile(rf"\b({MONTHS}) (\d{{1,2}})(?:st|nd|rd|th)?\b(?!,? \d{{4}}|:|\.\d| ?%|[a-z])")
DAY_FIRST = re.compile(rf"\b(?:the )?(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({MONTHS})\b(?!,? \d{{4}})")
HOUR = re.compile(r"\b(1[0-2]|[1-9])(:[0-5]\d)? ?([ap])\.?m\b\.?(?! \d)")
ENDS = re.compile(r"(?<=[a-z\d])(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bDr)(?<!\bSt)(?<!\bInc)(?<!\bProf)[.!] (?=[A-Z])")
"""Between two sentences of a message."""


def chosen(case: Case, of: Sequence[str]) -> str:
    return of[crc32(case["id"].encode()) % len(of)]


def said_by_user(turn: dict[str, Any]) -> bool:
    return turn.get("role", "user") == "user" and "origin" not in turn


def is_sentence(text: str) -> bool:
    """Whether it is a whole statement in one line, and no key and value, list, question or bare value."""
    spoken = re.match(r"(?:[A-Z]|i'?m? |my |we |our )[\w' ,-]+ [\w' ]", text)
    return bool(spoken) and len(text.split()) > 3 and not re.search(r"[\n?\"“:]|^(?:No|Not|Sorry|Wait|Oops)\b", text)


def each_turn(case: Case, change: Callable[[str], str | None]) -> Case | None:
    """The case with all that the user says changed where it can be; None where nothing could."""
    if any(turn.get("role") == "assistant" for turn in case["said"]):
        return None
    said = [{**turn, "text": (said_by_user(turn) and change(turn["text"])) or turn["text"]} for turn in case["said"]]
    return {**case, "said": said} if said != case["said"] else None


def lowered(text: str) -> str:
    """The text as it goes on after other words: a common word without its capital."""
    common = (
        r"(?:My|Our|We|The|This|In|On|At|From|Since|It|He|She|They|There|After|Before|Last|Next|Starting|As|If|For)\b"
    )
    return text[0].lower() + text[1:] if re.match(common, text) else text


def opened(openers: Sequence[str]) -> Variation:
    def vary(case: Case) -> Case | None:
        opener = chosen(case, openers)
        after = (lambda text: text) if opener.endswith("! ") else lowered
        return each_turn(case, lambda text: opener + after(text) if is_sentence(text) else None)

    return vary


def told(case: Case) -> Case | None:
    """ "I wanted to let you know that": only before what the speaker states of themself in the indicative."""
    start = r"(?:I|We|My|Our)\b(?!'d| (?:used|might|could|would|should|wish|hope|may|swear|mean|think|guess)\b)"
    opener = chosen(case, TOLD)

    def change(text: str) -> str | None:
        one = is_sentence(text) and re.match(start, text) and not ENDS.search(text)
        return opener + lowered(text).rstrip(".!") + "." if one else None

    return each_turn(case, change)


def closed(closers: Sequence[str]) -> Variation:
    def change(text: str, closer: str) -> str | None:
        fits = is_sentence(text) and text[-1] in ".!" and text[-2].isalnum()
        return f"{text[:-1]}{closer}{text[-1]}" if fits else None

    return lambda case: each_turn(case, lambda text: change(text, chosen(case, closers)))


def put_before(texts: Sequence[str]) -> Variation:
    return lambda case: each_turn(case, lambda text: chosen(case, texts) + text if is_sentence(text) else None)


def put_after(texts: Sequence[str]) -> Variation:
    def change(text: str, more: str) -> str | None:
        return text + more if is_sentence(text) and text[-1] in ".!" else None

    return lambda case: each_turn(case, lambda text: change(text, chosen(case, texts)))


def words_for(words: dict[str, str]) -> Variation:
    """Other words in what is said, unless they are part of what is expected."""
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})(?![\w'-])", re.IGNORECASE)
    lower = {word.lower(): other for word, other in words.items()}

    def other(match: re.Match[str]) -> str:
        word = lower[match[0].lower()]
        return word[0].upper() + word[1:] if match[0][0].isupper() else word

    def vary(case: Case) -> Case | None:
        wanted = any(pattern.search(one[2]) for one in triples(case))
        return None if wanted else each_turn(case, lambda text: pattern.sub(other, text))

    return vary


def expected(value: Any) -> list[str]:
    """All strings that a case expects."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        parts = (part for key, part in value.items() if key not in ("said", "id", "kind", "lang"))
        return [text for part in parts for text in expected(part)]
    return [text for part in value or () for text in expected(part)]


def triples(case: Case) -> list[Sequence[str]]:
    states = [case, *case.get("at", {}).values(), *case.get("known_at", {}).values()]
    stated = [one for state in states for key in ("holds", "not") for one in state.get(key, ())]
    return stated + [receipt[1:] for turn in case["receipts"] for receipt in turn or ()]


def in_full(case: Case) -> Case | None:
    spelled = words_for(FULL)(case) or case
    full = each_turn(spelled, lambda text: IS_SHORT.sub(r"\1 is", text)) or spelled
    return full if full is not case else None


def contracted(case: Case) -> Case | None:
    """ "I am" as "I'm", but not where it is the last word or nothing follows on it."""
    short = {full: word for word, full in FULL.items() if full != "I have" and full != "we have"}
    pattern = re.compile(rf"\b(?:{'|'.join(short)})(?= [a-z\d])(?! (?:to|an?|the|my|no|two|three|\d)\b)")
    return each_turn(case, lambda text: pattern.sub(lambda match: short[match[0]], text))


def with_adverb(pattern: re.Pattern[str], adverbs: Sequence[str], *, timeless: bool = False) -> Variation:
    def change(case: Case, text: str) -> str | None:
        if not is_sentence(text) or (timeless and TIMED.search(text)):
            return None
        return pattern.sub(rf"\1 {chosen(case, adverbs)} ", text, count=1)

    return lambda case: each_turn(case, lambda text: change(case, text))


def as_we(case: Case) -> Case | None:
    other = {"I": "we", "My": "our", "my": "our"}

    def change(text: str) -> str | None:
        ours = HOUSEHOLD.sub(lambda match: other[match[0]], text)
        return None if ours == text or " and we" in ours else ours[0].upper() + ours[1:]

    return each_turn(case, change)


def day(number: str) -> str:
    return number + ("th" if 10 < int(number) < 14 else {"1": "st", "2": "nd", "3": "rd"}.get(number[-1], "th"))


def day_first(case: Case) -> Case | None:
    return each_turn(case, lambda text: MONTH_FIRST.sub(r"\2 \1", text))


def day_of(case: Case) -> Case | None:
    text_of = re.compile(rf"(?:{DAY_FIRST.pattern})|(?:{MONTH_FIRST.pattern})")

    def other(match: re.Match[str]) -> str:
        number, month = match[1] or match[4], match[2] or match[3]
        return f"the {day(number)} of {month}"

    return each_turn(case, lambda text: text_of.sub(other, text))


def month_first(case: Case) -> Case | None:
    return each_turn(case, lambda text: DAY_FIRST.sub(lambda match: f"{match[2]} {day(match[1])}", text))


def by_the_clock(case: Case) -> Case | None:
    """ "5 pm" as "17:00"."""

    def other(match: re.Match[str]) -> str:
        hour = int(match[1]) % 12 + (12 if match[3] == "p" else 0)
        return f"{hour:02}{match[2] or ':00'}"

    return each_turn(case, lambda text: HOUR.sub(other, text))


def twelve_hours(case: Case) -> Case | None:
    """ "5 pm" as "5pm" or "5 p.m."."""
    form = chosen(case, (r"\1\2\3m", r"\1\2 \3m", r"\1\2 \3.m."))
    return each_turn(case, lambda text: HOUR.sub(form, text))


def without_capitals(case: Case) -> Case | None:
    """All in lower case, where no word inside a sentence has a capital but "I"."""
    inside = re.compile(r"(?<![.!?\n]\s)(?<!^)(?<!\n)\b(?!I\b)\w*[A-Z]")
    named = any(re.search(r"[A-Z\d]", text.split("|")[0]) for text in expected({**case, "receipts": None}))
    if named or any(inside.search(turn["text"]) for turn in case["said"]):
        return None
    return each_turn(case, str.lower)


def without_first_capital(case: Case) -> Case | None:
    return each_turn(case, lambda text: lowered(text) if text else None)


def without_stop(case: Case) -> Case | None:
    return each_turn(case, lambda text: text[:-1] if text.endswith(".") and text[-2] != "." else None)


def exclaimed(case: Case) -> Case | None:
    return each_turn(case, lambda text: f"{text[:-1]}!" if is_sentence(text) and text.endswith(".") else None)


def curly(case: Case) -> Case | None:
    return each_turn(case, lambda text: re.sub(r"(?<=\w)'(?=\w)", "’", text))


def between_sentences(gap: str) -> Variation:
    return lambda case: each_turn(case, lambda text: ENDS.sub(lambda match: match[0].strip() + gap, text))
