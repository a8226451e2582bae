"""A case said of someone else, in another order, tense or spelling: other sentences with the same meaning. Pure."""

from __future__ import annotations

import re
from typing import Any

from truth_pairing import stands_alone
from truth_variations import Case, Variation, chosen, each_turn, expected, is_sentence, lowered, triples

from recollect.extractors.verbs import FORMS, third_person

OTHERS = ("sister", "brother", "father", "son")
OWN_KEYS = {
    "home", "employer", "occupation", "allergy", "age", "diet", "car", "language", "school", "likes", "dislikes",
    "studies",
    "plays", "hometown", "birthplace", "condition", "medication", "weight", "height", "learning", "nationality",
    "habit",
}  # fmt: skip
BASES = "|".join(
    sorted(form for form, (_, kind) in FORMS.items() if kind == "base" and form.isalpha() and form != "are")
)
OF_MINE = re.compile(
    r"(?i)\b(?:my|we|our|us|me|mine|myself|you|your|he|she|they|his|her|their|him|I'd|let's|please)\b|\band (?:\w+ly "
    r"|then |now )?(?:[a-z]+)\b there|\bI\b[^.]*\bI\b"
)
FINITE = {
    "I am": "is", "I'm": "is", "I was": "was", "I've been": "has been", "I've": "has", "I have": "has", "I'll": "will",
    "I don't": "doesn't", "I do not": "does not", "I haven't": "hasn't", "I do": "does",
}  # fmt: skip
SAID_OF_I = re.compile(
    rf"\b(?:{'|'.join(FINITE)})\b|\bI (?P<how>\w+ly |still |also |just |now |never )?(?P<verb>{BASES})\b|\bI\b"
)
AT_THE_END = re.compile(
    r"^(?P<what>(?:I|We|My|Our)\b(?! (?:was born|forgot)\b)[^,;:.!]+?(?<! is)(?<! are)(?<! of)) (?P<when>(?:in|on|"
    r"since|until|from) (?:(?:early |late |mid-)?(?:January|February|March|"
    r"April|May|June|July|August|September|October|November|December)(?: \d{4})?|(?:19|20)\d\d|(?:Mon|Tues|Wednes|"
    r"Thurs|Fri|"
    r"Satur|Sun)day)|last (?:week|month|year|spring|summer|autumn|winter)|yesterday|two weeks ago|three (?:weeks|"
    r"months) "
    r"ago)(?P<stop>[.!])$"
)
NOW_LAST = re.compile(r"\b(?P<what>(?:[Mm]y|[Oo]ur) [\w' ]+? (?:is|are)|I|[Ww]e) (?P<rest>[^,;:.]+?) now(?=[.!]|$)")
PERFECT = {
    "moved": "moved", "switched": "switched", "bought": "bought", "sold": "sold", "quit": "quit", "joined": "joined",
    "adopted": "adopted", "stopped": "stopped", "started": "started", "became": "become", "changed": "changed",
    "finished": "finished", "cancelled": "cancelled", "got": "got", "gave up": "given up", "left": "left",
}  # fmt: skip
DONE = re.compile(rf"\b(?P<who>I|[Ww]e) (?P<verb>{'|'.join(PERFECT)})(?= )")
DATED = re.compile(
    r"(?i)\b(?:\d|in|on|last|ago|yesterday|until|since|when|once|before|was|were|then|back|used|after|at|for)\b"
)
REASONS = (
    " because it suits me better", " because it just makes sense", ", mostly because of the money",
    " for various reasons",
    ", since it was time", " so I have one thing less to worry about", ", and that's fine by me",
)  # fmt: skip
FRONTED = (
    "For various reasons, ", "To cut a long story short, ", "As things stand, ", "In case you need it, ",
    "After some thought, ",
    "Believe it or not, ", "Long story short, ", "To be fair, ",
)  # fmt: skip
SMALL_TALK = (
    "How do I boil an egg?", "Write a haiku about autumn.", "That's funny.", "What's the capital of Peru?",
    
    "Thanks, got it.",
    "Can you explain recursion?", "Good night!", "Translate 'good luck' into Welsh.",
)  # fmt: skip
SAME = (
    (r"^I live in (?=[A-Z]\w+[.!]$)", ("I'm living in ", "I'm based in ", "My home is in ", "I reside in ")),
    (r"^I work (?:at|for) (?=[A-Z][\w& ]+[.!]$)", ("I'm employed at ", "I'm working for ", "I have a job at ",
    "My employer is ")),
    (r"\bI'm allergic to (?=[a-z]+[.!]$)", ("I have an allergy to ", "I am allergic to ", "I've got an allergy to ")),
    (r"\bI like (?=[a-z])", ("I enjoy ", "I really like ", "I'm a fan of ")),
    (r"\bI speak (?=[A-Z])", ("I can speak ", "I'm fluent in ")),
    (r"\bI drive an? (?=[A-Z])", ("My car is a ", "The car I drive is a ", "I'm driving a ")),
    (r"\bMy dog is called (?=[A-Z])", ("I have a dog called ", "My dog's name is ", "We've got a dog named ")),
    (r"\bMy cat is called (?=[A-Z])", ("I have a cat called ", "My cat's name is ", "We've got a cat named ")),
    (r"\bMy boss is (?=[A-Z])", ("My boss is called ", "My boss's name is ", "The name of my boss is ")),
    (r"^I'm a (?=(?!veg|stu)[a-z]+[.!]$)", ("I work as a ", "I am a ", "By profession I'm a ", "My job is being a ")),
    (r"\bI moved to (?=[A-Z])", ("I relocated to ", "I've moved to ", "We moved to ")),
    (r"^I quit (?=[A-Z]\w+[.!]$)", ("I've quit ", "I left ", "I've left ")),
    (r"\bI no longer live in (?=[A-Z])", ("I don't live any more in ", "I've stopped living in ")),
)  # fmt: skip
"""Ways to say the same."""


def of_someone_else(case: Case) -> Case | None:
    """What the user says of themself, said of a relative."""
    keys = {name for one in triples(case) for name in one[1].split("|")}
    plain = case["kind"] in ("update", "ending", "list", "past", "units", "confirmation", "plan")
    if not plain or not keys or not keys <= OWN_KEYS or {one[0] for one in triples(case)} != {"user"}:
        return None
    texts = [turn["text"] for turn in case["said"]]
    if any(not re.match(r"I\b", text) or OF_MINE.search(text[1:]) or "\n" in text for text in texts):
        return None
    who = chosen(case, OTHERS)
    said = [{**turn, "text": told_of(who, turn["text"])} for turn in case["said"]]
    parts = {key: of_subject(case[key], who) for key in ("receipts", "holds", "not", "at", "known_at") if key in case}
    return {**case, **parts, "said": said}


def told_of(who: str, text: str) -> str:
    def other(match: re.Match[str]) -> str:
        finite = FINITE.get(match[0]) or (third_person(match["verb"]) if match["verb"] else "")
        return f"my {who} {match['how'] or ''}{finite}".rstrip()

    told = SAID_OF_I.sub(other, text)
    return told[0].upper() + told[1:]


def of_subject(value: Any, who: str) -> Any:
    """What is expected, of someone else."""
    if isinstance(value, dict):
        return {key: of_subject(part, who) for key, part in value.items()}
    if isinstance(value, list):
        return [of_subject(part, who) for part in value]
    return who if value == "user" else value


def time_first(case: Case) -> Case | None:
    def change(text: str) -> str | None:
        match = AT_THE_END.match(text)
        return (
            f"{match['when'][0].upper()}{match['when'][1:]} {lowered(match['what'])}{match['stop']}" if match else None
        )

    return each_turn(case, change)


def now_first(case: Case) -> Case | None:
    """ "I live in Limerick now" as "I now live in Limerick"."""
    held = {"am", "are", "have", "do", "don't", "can"}

    def change(text: str) -> str | None:
        match = NOW_LAST.search(text) if is_sentence(text) else None
        if match is None or match["rest"].split()[0] in held or " and " in match["rest"]:
            return None
        return f"{text[: match.start()]}{match['what']} now {match['rest']}{text[match.end() :]}"

    return each_turn(case, change)


def in_the_perfect(case: Case) -> Case | None:
    def change(text: str) -> str | None:
        if not is_sentence(text) or DATED.search(text):
            return None
        return DONE.sub(lambda match: f"{match['who']}'ve {PERFECT[match['verb']]}", text, count=1)

    return each_turn(case, change)


def with_reason(case: Case) -> Case | None:
    def change(text: str) -> str | None:
        plain = is_sentence(text) and re.match(r"(?:I|We|My|Our)\b[^,;:?!.]+[.!]$", text) and " because " not in text
        return text[:-1] + chosen(case, REASONS) + text[-1] if plain else None

    return (
        each_turn(case, change)
        if case["kind"] in ("update", "ending", "list", "past", "confirmation", "plan")
        else None
    )


def fronted(case: Case) -> Case | None:
    def change(text: str) -> str | None:
        plain = is_sentence(text) and re.match(r"(?:I|We|My|Our)\b(?!'d)", text)
        return chosen(case, FRONTED) + lowered(text) if plain else None

    return each_turn(case, change)


def without_apostrophes(case: Case) -> Case | None:
    if any("'" in text for text in expected(case)):
        return None
    return each_turn(case, lambda text: re.sub(r"(?<=[a-z])'(?=(?:m|ve|re|t|s)\b)|(?<=I)'(?=m|ve)", "", text))


def all_lower(case: Case) -> Case | None:
    """Names, too, are written without capitals."""
    return each_turn(case, lambda text: text.lower().rstrip(".") if is_sentence(text) else None)


def in_other_words(case: Case) -> Case | None:
    def change(text: str) -> str:
        for pattern, ways in SAME:
            text = re.sub(pattern, chosen(case, ways), text)
        return text

    return each_turn(case, change) if case["kind"] not in ("quoted", "sarcasm", "hypothetical", "same name") else None


def as_a_list(case: Case) -> Case | None:
    return each_turn(case, lambda text: f"- {text}" if is_sentence(text) else None)


def said_twice(case: Case) -> Case | None:
    """Each turn once more; the state decides."""
    said = [turn for turn in case["said"] for _ in range(2)]
    return {**case, "said": said, "receipts": [None] * len(said)} if stands_alone(case) else None


def with_small_talk(case: Case) -> Case | None:
    """Something else is asked after each turn."""
    if not stands_alone(case):
        return None
    said, receipts = list[dict[str, Any]](), list[Any]()
    for turn, receipt in zip(case["said"], case["receipts"], strict=True):
        said += [turn, {"at": turn["at"], "text": chosen(case, SMALL_TALK)}]
        receipts += [receipt, None]
    return {**case, "said": said, "receipts": receipts}


REWORDED: dict[str, Variation] = {
    "of someone else": of_someone_else,
    "time first": time_first,
    "now first": now_first,
    "perfect": in_the_perfect,
    "with a reason": with_reason,
    "fronted": fronted,
    "no apostrophes": without_apostrophes,
    "names in lower case": all_lower,
    "other words": in_other_words,
    "bullets": as_a_list,
    "said twice": said_twice,
    "small talk between": with_small_talk,
}
