"""What a user asks an assistant to do from now on: "always reply in German", "never push to main"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from recollect.extractors.keywords import has_any
from recollect.extractors.verbs import FORMS
from recollect.records import USER, Draft, Message, Source
from recollect.text.sentences import sentences
from recollect.text.values import word_set

CATEGORY = "instruction"
LANGUAGE = "reply language"
LANGUAGES = (
    "English|Spanish|French|German|Italian|Portuguese|Hindi|Mandarin|Chinese|Japanese|Korean|Arabic|Russian|Turkish|"
    "Dutch"
)

_LONGEST = 100
_SURE = 0.85
_ASSISTING = word_set(
    "reply respond answer write speak talk use include give provide show cite quote explain format suggest recommend "
    "offer propose mention ask address remind add avoid keep make put start begin end send tell check run commit push "
    "deploy test lint review open create assume translate convert list summarize summarise sign confirm verify skip "
    "leave round follow spell name document comment"
)
"""What an assistant can be asked to do; much else is said with "always" and "never" of oneself and of the world."""
_OFFERING = word_set("suggest recommend offer propose")
_LASTING = r"from now on|going forward|from here on(?: out)?|in (?:the )?future|by default|every time|each time"
_TELLING = word_set(
    "always never ever whenever when now forward here future default time stop suggest recommend your need anymore "
    "more longer repo repository project codebase monorepo package"
)
_ASKED = re.compile(
    rf"(?i)^(?:(?:and|so|also|ok|okay|hey|well),? )*(?:when(?:ever)? i ask(?: you)? (?P<when>[^,]{{3,60}}), )?"
    rf"(?:(?P<before>{_LASTING}),? )?(?P<asked>(?:i(?: would|'d) like you to|i (?:want|need|expect) you to|(?:can|"
    rf"could|would|will) you|please|make sure to|make sure you) )*(?P<how>always |never |don't ever |do not ever |"
    rf"don't |do not |stop )?(?P<verb>[a-z]+) (?P<rest>[^\n]{{2,120}}?)(?:,? (?P<after>{_LASTING}|any ?more))?[.!? ]*$"
)
_RELEASED = re.compile(
    r"(?i)^(?:you can stop|you no longer (?:have|need) to|no need to|you (?:don't|do not) (?:have|need) to) (?:always "
    r"|keep )?(?P<verb>[a-z]+) (?P<rest>[^\n]{2,120}?)(?:,? (?:any ?more|any longer|from now on))?[.! ]*$"
)
_ADDRESS = re.compile(r"\S+@\S+")
_OWN_ANSWERS = re.compile(r"(?i)your (?:answers|replies|responses|messages|explanations|summaries)\b")
_TO_ME = re.compile(r"(?i)(?: (?:to|with|for) me| please| again)+$")
_IN_LANGUAGE = re.compile(
    rf"(?i)(?:reply|respond|answer|write|speak|talk) (?:to me |back )?(?:only )?in (?P<v>{LANGUAGES})"
)


def standing(message: Message) -> Iterator[Draft]:
    """The wishes of one message that hold beyond it, as facts that are always in the window."""
    if message.name or message.origin not in ("user", "operator") or not has_any(message.content, _TELLING):
        return
    for sentence in sentences(message.content):
        if (match := _RELEASED.match(sentence)) and (wish := wished(match)):
            yield from released(message, sentence, wish)
        elif (match := _ASKED.match(sentence)) and lasts(match, sentence) and (wish := wished(match)):
            yield told(message, sentence, wish, how_of(match), match["when"] or "")


_IN_REPO = re.compile(r"(?i)\b(?:in|for) (?:this|the|our) (?:repo(?:sitory)?|project|codebase|monorepo|package)\b")
_CONVENTIONS = word_set("use follow avoid")
"""What is done all through a project where it is done in it."""


def lasts(match: re.Match[str], sentence: str) -> bool:
    """Whether the wish is for good, and not for the task at hand."""
    how, verb = how_of(match), base_of(match["verb"])
    if sentence.rstrip().endswith("?") and not re.search(r"(?i)\byou $", match["asked"] or ""):
        return False
    if match["before"] or match["when"] or match["after"] or how in ("always", "never"):
        return (match["how"] or "").strip().lower() != "stop" or verb in _OFFERING
    if verb in _CONVENTIONS and how == "" and not re.match("(?i)(?:an? |the |this |that |it )", match["rest"]):
        return _IN_REPO.search(sentence) is not None and not match["how"]
    return verb in ("keep", "make") and _OWN_ANSWERS.match(match["rest"]) is not None


def how_of(match: re.Match[str]) -> str:
    """Whether something is asked for always, never, or just so."""
    said = (match["how"] or "").strip().lower()
    if said in ("don't", "do not", "stop"):
        lasting = match["before"] or match["when"] or match["after"] or base_of(match["verb"]) in _OFFERING
        return "never" if lasting else ""
    return "never" if said in ("don't ever", "do not ever") else said


def wished(match: re.Match[str]) -> str:
    """What is to be done: a verb that an assistant can follow, and the rest."""
    verb, rest = base_of(match["verb"]), _TO_ME.sub("", match["rest"].strip())
    if _ADDRESS.fullmatch(rest):
        return ""  # How to reach someone is a fact of theirs.
    return f"{verb} {rest}" if verb in _ASSISTING and rest and len(rest) <= _LONGEST else ""


def base_of(verb: str) -> str:
    base = FORMS.get(verb.lower(), (verb.lower(), ""))[0]
    return base if base in _ASSISTING else re.sub(r"ing$", "", base)


def told(message: Message, sentence: str, wish: str, how: str, when: str) -> Draft:
    """A wish as a draft. Its key is what is done, so that "always" and "never" of the same take each other's place."""
    language = _IN_LANGUAGE.fullmatch(wish) if how != "never" and not when else None
    if language:
        return draft_of(message, sentence, LANGUAGE, language["v"].title(), f"wants replies in {language['v'].title()}")
    asked = f"{wish} when asked {when}" if when else wish
    return draft_of(message, sentence, asked, how or "yes", f"wants: {sentence.rstrip(' .!?')}")


def released(message: Message, sentence: str, wish: str) -> Iterator[Draft]:
    """The end of a wish: "you don't have to reply in German any more"."""
    language = _IN_LANGUAGE.fullmatch(wish)
    name = LANGUAGE if language else wish
    value = language["v"].title() if language else ""
    yield draft_of(message, sentence, name, value, f"{name}: none", ends=True)


def draft_of(message: Message, sentence: str, name: str, value: str, text: str, *, ends: bool = False) -> Draft:
    return Draft(
        subject=USER,
        attribute=name,
        value=value,
        text=text,
        said=message.at,
        kind="ending" if ends else "state",
        category=CATEGORY,
        many=False,
        origin=message.origin,
        confidence=_SURE,
        source=Source(message.id, sentence),
        pinned=not ends,
    )
