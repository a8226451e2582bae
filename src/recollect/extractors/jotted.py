"""What is jotted down as a key and a value, as the sentence it stands for: "Blood type: O neg", "queue = RabbitMQ"."""

from __future__ import annotations

import re

from recollect.extractors.keywords import words_in
from recollect.extractors.people import is_name, relation_of
from recollect.extractors.posts import is_post, is_role
from recollect.extractors.verbs import FORMS
from recollect.facts.attributes import attribute
from recollect.text.values import is_plural, word_set

_MARKS = frozenset(":=>→")
_BULLET = r"[ \t]*(?:[-*•·–] ?|\d{1,2}[.)] )?"
_LINE = re.compile(
    rf"^{_BULLET}(?P<new>(?i:new|current|updated) )?"
    r"(?P<key>[A-Za-z][\w/'-]*(?: [\w/'&-]+){0,3}?) ?(?P<mark>:|=|->|=>|→)[ \t]+"
    r"(?P<v>[^\s:=>{}\[\]()][^\n{}\[\]=;?!]{0,70}?)(?P<more>(?: \([^()\n]*\))?[.]?)[ \t]*$"
)
_HEAD = re.compile(
    rf"^(?:#{{1,3}} )?{_BULLET}(?:(?i:the|my|our) )?(?P<what>[A-Za-z][\w./-]*(?: [\w./-]+){{0,3}})(?P<colon>:?)[ \t]*$"
)
_NO_KEYS = word_set(
    "note notes update updates fyi todo todos ps re question questions q a answer example examples error errors "
    "warning result results output input summary subject from to cc step steps task tasks context problem issue bug "
    "fix hint tip reminder edit agenda option options case cases prompt message title topic quote conclusion idea "
    "ideas tldr info news correction btw aside today yesterday tomorrow actually also so then first second third "
    "finally expected actual observed reason why how what when where who here this that it following say says said "
    "sorry typo oops wait i we you he she they line file function class def return commit log merge feat feature "
    "chore refactor docs style test perf build ci revert cause change decision thanks hey hi hello dear recap status "
    "verdict translation meaning definition spelling swapped fixed pros cons good bad best worst more other others "
    "point points changed set bumped updated new current url urls link links source sources query instructions website"
)
"""What stands before a colon and is the key of nothing, as its first or last word."""
_GENERAL = word_set(
    "notes setup details info information facts stack basics profile data me summary overview list here"
)
"""What a list is headed by that is about nothing in particular."""
_SENTENCE = word_set(
    "i im we you your me us is are was were be been am will would can could should has have had do does did not don "
    "isn please if because he she they it the my our his her their here there its let for max min"
)
"""What no plain value has."""
_WORKED_ON = re.compile(r"(?i)\?\s*$|\b(?:this|these|those|above|below|following|please)\b")
"""What is said beside a list that is only given to be worked on: "Turn this into JSON"."""
_EXACT = re.compile(r"\d|[A-Z]|[@/_]")
_BRACKETS = re.compile(r" \([^()]*\)[.]?$")
_LONGEST = 2_000
_IN_TIME = frozenset(("events", "plans"))
_ON_CALL = re.compile(r"(?i)(?:primary |secondary )?on[- ]call\b")


def spelled_out(text: str) -> str:
    """The text with its keys and values as sentences. Where the whole is a list and one of its keys is known, all are
    keys; beside other words only one that is known, or of several words. A list that is given to be worked on is left
    out."""
    if _MARKS.isdisjoint(text) or len(text) > _LONGEST:
        return text
    lines = [line for part in text.split("\n") for line in last_sentence_apart(part)]
    found = [_LINE.match(line) if is_jotted(line) else None for line in lines]
    keys = [match["key"] for match in found if match]
    if not keys:
        return text
    rest = [line for line, match in zip(lines, found, strict=True) if match is None and line.strip()]
    if len(keys) > 1 and any(_WORKED_ON.search(line) for line in rest):
        return "\n".join(rest)
    headed = _HEAD.match(lines[0]) if rest == lines[:1] else None
    if (
        headed
        and not headed["colon"]
        and lines[0][:1] != "#"
        and not all(line.strip()[:1] in "-*•" for line in lines[1:])
    ):
        headed = None
    about = headed["what"] if headed and len(keys) > 1 and not is_general(headed["what"]) else ""
    listed = len(keys) > 1 and (not rest or headed is not None) and any(is_known(key) for key in keys)
    told = [
        (sentence(match, about, listed=listed) if match else "") or line
        for line, match in zip(lines, found, strict=True)
    ]
    return "\n".join(told)


def last_sentence_apart(line: str) -> list[str]:
    """ "Sold the Fabia. Car: Kia Ceed" as two lines."""
    head, stop, last = line.rpartition(". ")
    return [head + stop.rstrip(), last] if head and _LINE.match(last) else [line]


def is_jotted(line: str) -> bool:
    """Whether a line may be a key and a value, and is no sentence with a colon in it."""
    line = _BRACKETS.sub("", line)
    if _MARKS.isdisjoint(line) or not _SENTENCE.isdisjoint(words_in(line)):
        return False
    return not any(FORMS.get(word, ("", ""))[1] in ("third", "past") for word in line.lower().split())


def is_general(head: str) -> bool:
    return head.split()[-1].lower() in _GENERAL


def is_known(key: str) -> bool:
    """Whether a key or its last word is in the table."""
    return attribute(key).known or attribute(key.split()[-1]).known


def sentence(match: re.Match[str], about: str, *, listed: bool) -> str:
    """What one line says; empty where its key is none. Names of people are left to those who read them."""
    key, value = match["key"], match["v"].strip()
    words = key.split()
    if words[0].lower() in _NO_KEYS or words[-1].lower() in _NO_KEYS or len(value.split()) > 8:
        return ""
    if words[-1][0].isdigit() or len(key) < 2:
        return ""  # "timeout 30s -> 60s" has its old value there, and "x = 5" is a sum.
    if relation_of(key) or not (listed or stands_alone(key, value, arrow=match["mark"] not in ":=")):
        return ""
    known, last = attribute(key), attribute(words[-1])
    if known.known and known.category in _IN_TIME:
        return ""
    be, tail = "are" if is_plural(words[-1]) else "is", match["more"]
    if be == "is" and known.holds == "many":
        value = value.partition(", ")[0]  # "Car: Skoda Fabia, grey" is one car.
    if about:
        return f"the {lowered(key)} of {'the ' if about[0].islower() else ''}{about} {be} {value}{tail}"
    if _ON_CALL.match(key):
        return f"on-call is {value}{tail}"
    post = is_post(key) and not is_role(key) and is_name(value) and value.istitle()
    thing = last.category == "project" if last.known else post
    return f"{'the' if thing else 'my'} {lowered(key)} {be} {'now ' if match['new'] else ''}{value}{tail}"


def stands_alone(key: str, value: str, *, arrow: bool) -> bool:
    """Whether a line by itself tells enough: its key is known, or it is no name and its value is exact."""
    exact = _EXACT.search(value) is not None
    return is_known(key) or (exact and (arrow or " " in key or key.islower()) and not key.istitle())


def lowered(key: str) -> str:
    """A key as it stands within a sentence; a short form stays."""
    return key[0].lower() + key[1:] if key.split()[0][1:].islower() else key
