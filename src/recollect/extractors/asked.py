"""A short answer together with the question it answers, as one statement: "Which port?", "8080"."""

from __future__ import annotations

import re

from recollect.extractors.keywords import words_in
from recollect.extractors.people import relation_of
from recollect.extractors.verbs import FORMS
from recollect.facts.attributes import attribute
from recollect.text.sentences import sentences
from recollect.text.values import is_plural, word_set

MOST_WORDS = 7
"""An answer that needs its question is short."""

_NO_ANSWER = word_set(
    "yes no yep yeah yup nope nah not none nothing ok okay sure maybe perhaps probably dunno unsure idk depends any "
    "anything either both whatever whichever skip pass later never you your i we me my our us he she they it that "
    "this what which who where when why how thanks thank please same default hmm is are was were do does did can could "
    "would should will have has had if or guess think wait stop done always"
)
"""What an answer has that gives no value, or that is a sentence of its own."""
_OPENING = re.compile(
    r"(?i)^(?:(?:oh|uh|um|well|so|hm+),? )*(?:(?:it|that)(?:'s| is)|its|thats|it's|just|we're on|on|port) "
)
_LEAD = re.compile(
    r"(?i)^(?:.*[,;:] )?(?:(?:and|so|ok|okay|sure|great|got it|also|just|by the way|one more thing|first)[,!.]? )*"
    r"(?=(?:what|which|where|when|who|how|do)\b)"
)
_TAIL = re.compile(r"(?i),? (?:at the moment|right now|now|currently|these days|today|by the way|again|please)$")
_YOU = {"you": "I", "your": "my", "yours": "mine"}
_TURNED = re.compile(r"(?i)\b(?:you|yours?)\b")
_THING = r"(?:your|the|our|this) (?:[\w'./-]+ ){0,4}?[\w'./-]+|(?!I )(?-i:[A-Z])[\w.-]*(?: (?-i:[A-Z])[\w.-]*){0,2}"
_BE = re.compile(
    rf"(?i)^(?P<wh>what|who|when|where|which)(?:'s|'re| is| are) (?P<what>{_THING})"
    r"(?P<how> (?:hosted|deployed|located|kept|stored|based|called))?$"
)
_KEY = re.compile(
    rf"(?i)^(?:what|which) (?P<key>(?:[a-z][\w-]* ){{0,2}}?[a-z][\w-]*) (?P<aux>do|does|should|did|is|are|will) "
    rf"(?P<who>you|{_THING})(?P<rest> (?:(?:currently |now )?(?:use|have|run|drive|take|speak|prefer|own|listen|sit|"
    r"live|work|study|play|be|go)|like best)(?: (?:on|in|at|for|to|with|under))?| (?:on|in|at|with))$"
)
_HAVE = re.compile(r"(?i)^do you have (?:any |a )?(?P<key>[a-z][a-z -]*?)(?: i should know (?:of|about))?$")
_WHERE = re.compile(
    r"(?i)^where (?:do|are) you (?:currently )?(?P<verb>live|work|study|living|working|studying|based|from)$"
)
_WHERE_SAID = {
    "live": "I live in", "living": "I live in", "based": "I live in", "work": "I work at", "working": "I work at",
    "study": "I study at", "studying": "I study at", "from": "I am from",
}  # fmt: skip
_HOW = re.compile(
    r"(?i)^how (?:(?P<what>old|tall|heavy) (?:are|is) (?P<who>you|your [\w' -]+)|much do you (?P<verb>weigh|earn|make)|"
    rf"many (?P<key>[a-z][a-z -]*?) (?:do|does) (?P<has>you|{_THING}) have)$"
)
_HOW_SAID = {"old": "{} years old", "tall": "{} tall", "heavy": "{}"}
_WHO = re.compile(rf"(?i)^who (?P<verb>owns|maintains|runs|leads|manages) (?P<what>{_THING})$")
_WHO_SAID = {"owns": "owned by", "maintains": "owned by", "runs": "owned by", "leads": "led by", "manages": "led by"}


def stated(question: str, answer: str) -> str:
    """What an answer says to the one question of a message; empty where it has none, several, or is no plain value."""
    asked = the_question(question)
    value = plain_value(answer) if asked else ""
    return spoken(asked, value) if value else ""


def the_question(text: str) -> str:
    """The only question of a message, without what leads up to it."""
    if text.count("?") != 1:
        return ""
    asking = [one for one in sentences(text) if one.rstrip(' )*_"').endswith("?")]
    return _TAIL.sub("", _LEAD.sub("", asking[0].strip(' *_"')).rstrip(" ?")) if len(asking) == 1 else ""


def may_answer(text: str) -> bool:
    """Whether a message is so short that it may only be understood with the one before it."""
    return len(text) < 60 and len(text.split()) <= MOST_WORDS and "?" not in text and "\n" not in text.strip()


def plain_value(text: str) -> str:
    """The value that a short answer gives."""
    value = _OPENING.sub("", text.strip().rstrip(" .!"), count=1) if may_answer(text) else ""
    unplain = not value or not _NO_ANSWER.isdisjoint(words_in(value)) or value[0] in "/*#"
    verb = FORMS.get(value.split()[0].lower(), ("", ""))[1] in ("past", "base") if value and " " in value else False
    return "" if unplain or verb else value


def turned(what: str) -> str:
    """ "your shoe size" as "my shoe size"."""
    return _TURNED.sub(lambda match: _YOU[match[0].lower()], what)


def spoken(question: str, value: str) -> str:
    """The question with its value, as a statement; empty for a question of another shape."""
    if match := _BE.match(question):
        return of_being(match, value)
    if match := _KEY.match(question):
        return of_key(match, value)
    if match := _WHERE.match(question):
        return f"{_WHERE_SAID[match['verb'].lower()]} {re.sub(r'(?i)^(?:in|at|from) ', '', value)}"
    if match := _HOW.match(question):
        return of_measure(match, value)
    if (match := _HAVE.match(question)) and attribute(match["key"]).known:
        return f"my {match['key']} {'are' if is_plural(match['key']) else 'is'} {value}"
    match = _WHO.match(question)
    return f"{match['what']} is {_WHO_SAID[match['verb'].lower()]} {value}" if match else ""


def of_being(match: re.Match[str], value: str) -> str:
    """ "What is your shoe size?", "When's the demo?", "Where is staging hosted?"."""
    what, wh = turned(match["what"]), match["wh"].lower()
    be = "are" if is_plural(what.split()[-1]) else "is"
    if wh == "when":
        at = "at" if re.match(r"\d{1,2}(?::\d\d| ?[ap]m)", value) else "on"
        said = value if re.match("(?i)(?:on|at|in|next|tomorrow) ", value) else f"{at} {value}"
        return f"{re.sub('(?i)^the ', 'our ', what)} {be} {said}"
    if wh == "where":
        where = {"hosted": "hosted on", "deployed": "hosted on"}.get((match["how"] or "").strip().lower(), "in")
        return f"{what} {be} {value if re.match('(?i)(?:in|on|at|under|behind) ', value) else f'{where} {value}'}"
    return f"{what} {be} {value}"


def of_key(match: re.Match[str], value: str) -> str:
    """ "Which port does the gateway use?"; what the assistant itself is to take for its task tells nothing."""
    key, who = match["key"].lower(), match["who"]
    be = "are" if is_plural(key.split()[-1]) else "is"
    if who.lower() != "you":
        return f"the {key} of {turned(who)} {be} {value}"
    if match["rest"].split()[0] in ("prefer", "speak", "like"):
        return f"I {match['rest'].split()[0]} {value}"
    return f"my {key} {be} {value}" if match["aux"].lower() in ("do", "are") and not relation_of(key) else ""


def of_measure(match: re.Match[str], value: str) -> str:
    """ "How old are you?", "How many replicas does the worker have?"."""
    if match["what"]:
        who = turned(match["who"])
        return f"{who} {'am' if who == 'I' else 'is'} {_HOW_SAID[match['what'].lower()].format(value)}"
    if match["key"]:
        who, count = turned(match["has"]), value.split()[0]
        return f"{who} {'have' if who == 'I' else 'has'} {count} {match['key']}"
    return f"I {match['verb'].lower()} {value}"
