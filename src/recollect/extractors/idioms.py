"""Turns of phrase in plain words, in the form their verb has: "packed in the cello" as "gave up the cello"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from recollect.extractors.keywords import has_any, words_in
from recollect.extractors.programs import SOFTWARE
from recollect.extractors.verbs import ADVERBS, FORMS, PARTICIPLES, form_of, third_person
from recollect.text.values import word_set

_TABLE = """
pack in > give up | jack in > give up | chuck in > give up | knock ~ on the head > give up ~
call time on > give up | call it a day with > give up | wave goodbye to > give up | kiss goodbye to > give up
kiss ~ goodbye > give up ~ | turn my back on > give up | draw a line under > give up | lay off the > give up the
knock off the > give up the | swear off > give up | come off the > give up the
kick ~ to the curb > drop ~ | send ~ packing > drop ~ | give ~ the boot > drop ~ | give ~ the chop > drop ~
give ~ the heave-ho > drop ~ | say sayonara to > drop | chuck out > drop | rip out > drop | rip ~ out of > drop ~ from
tear ~ out of > drop ~ from
throw ~ out of > drop ~ from | kick ~ out of > drop ~ from | rip ~ out > drop ~
tear out > drop | yank out > drop | pull the plug on > shut down | put ~ out to pasture > drop ~ | do away with > scrap
make the jump to > switch to | make the leap to > switch to | make the switch to > switch to | jump ship to > join
make the move to > switch to | cut over to > switch to | flip over to > switch to | flip to > switch to
cross over to > switch to | transition to > switch to
change over to > switch to | convert over to > switch to
swap over to > switch to | swap to > switch to | defect to > switch to
get the sack > get fired | get the boot > get fired | get the chop > get fired | get the axe > get fired
get the push > get fired | get canned > get fired | get sacked > get fired | get axed > get fired
be given the boot > be fired | be given the sack > be fired | be sacked > be fired | be canned > be fired
be dismissed > be fired | get dismissed > get fired | lose my job > get fired | lose his job > get fired
lose her job > get fired | be out of a job > be unemployed | be shown the door > be fired | get booted > get fired
hang up my boots > retire | hang up my hat > retire | hang up his boots > retire | hang up her boots > retire
cross the rainbow bridge > die | breathe ~ last > die | be no longer with us > die
go to doggy heaven > die | go to sleep for the last time > die
up sticks to > move to | decamp to > move to | ship out to > move to | resettle in > move to | pitch up in > move to
up sticks and move to > move to | pack up and move to > move to | put down roots in > settle in
set up home in > settle in | make ~ my home > settle in ~ | make ~ our home > settle in ~
set up house in > settle in | hang my hat in > live in
clock in at > work at | draw a paycheck from > work at | draw a salary from > work at | earn my living at > work at
earn my crust at > work at | be on the payroll at > work at | be on the books at > work at
be on staff at > work at | punch in at > work at | slave away at > work at | toil away at > work at
earn my living as > work as | make my living as > work as | earn a living as > work as | make a living as > work as
earn my crust as > work as | moonlight as > work as | be employed as > work as
hail from > come from | be raised in > grow up in | be brought up in > grow up in
get brought up in > grow up in | answer to the name of > go by | call it quits with > break up with
be no longer an item with > break up with
say i do to > get married to | pop the question to > get engaged to
can not abide > hate | can not bear > hate | have no time for > hate | can not be doing with > hate
be mad about > love | be crazy about > love | be nuts about > love | be bonkers about > love | be a sucker for > love
be partial to > like | have a soft spot for > love | have a thing for > love | have a weakness for > love
be head over heels for > love | get hooked on > love | be hooked on > love
steer clear of > avoid | stay away from > avoid | keep away from > avoid | stay off > avoid
stay clear of > avoid | have ^ aversion to > dislike | have ^ dislike of > dislike | have ^ dislike for > dislike
have ^ distaste for > dislike | have ^ hatred of > hate | have ^ hatred for > hate | have ^ preference for > prefer
have ^ fondness for > like | have ^ passion for > love | have ^ love of > love | have ^ love for > love
have ^ fear of > be afraid of | have ^ phobia of > be afraid of

get hitched > get married | tie the knot > get married
end things with > break up with | break things off with > break up with
shack up with > move in with | share ^ flat with > live with
share ^ house with > live with | share ^ apartment with > live with
come on board at > join | sign on with > join | get taken on by > get hired by | get taken on at > join
do shifts at > work at | pull shifts at > work at | be enrolled at > study at | go to uni at > study at
go veggie > go vegetarian | be veggie > be vegetarian | turn veggie > turn vegetarian
hit the sack at > go to bed at | hit the hay at > go to bed at | turn in at > go to bed at
get out of bed at > get up at | roll out of bed at > get up at
can not get enough of > love | be big on > like | go crazy for > love | can not stomach > hate
suffer with > suffer from | splash out on > buy | get my hands on > get | take in a > adopt a | bring home a > adopt a
start taking ~ lessons > start learning ~ | start taking ~ classes > start learning ~
start ~ lessons > start learning ~ | begin ~ lessons > start learning ~ | start ~ classes > start learning ~
go part time > work part time | go part-time > work part-time | go full time > work full time
take ~ lessons > learn ~ | have ~ lessons > learn ~ | take lessons in > learn | take ~ classes > learn ~
teach myself > learn | be known as > go by | be better known as > go by
move on from ~ to > switch from ~ to
stay put in > live in | go back to using > switch to | go over to using > switch to
do my shopping at > shop at | lay my hat in > live in
"""
"""A phrase with its verb in the base form, and the plain one; ~ stands for the words in between, ^ for an article and
how much: "a strong", "an intense"."""

_MOST_BETWEEN = 4
_MUCH = r"an?(?: (?!lack|little)[\w-]+){0,3}?"


@dataclass(frozen=True, slots=True)
class Idiom:
    """What follows a verb in a turn of phrase, and the plain words for both."""

    after: re.Pattern[str]
    needs: frozenset[str]
    """The words without which it is not there."""
    verb: str
    plain: str


def _rows() -> dict[str, list[Idiom]]:
    """The table by the base form of the verb."""
    rows: dict[str, list[Idiom]] = {}
    for entry in _TABLE.replace("\n", "|").split("|"):
        said, _, plain = (part.strip() for part in entry.partition(">"))
        if not plain:
            continue
        verb, _, after = said.partition(" ")
        between = rf"(?P<x>(?:[\w'.&+-]+ ){{0,{_MOST_BETWEEN - 1}}}?[\w'.&+-]+)"
        shape = " ".join({"~": between, "^": _MUCH}.get(word, re.escape(word)) for word in after.split())
        plain_verb, _, plain_after = plain.partition(" ")
        idiom = Idiom(re.compile(rf"(?i){shape}(?![\w'-])"), words_in(after.replace("^ ", "")), plain_verb, plain_after)
        rows.setdefault(verb, []).append(idiom)
    return rows


_ROWS = _rows()


def _telling(verb: str, idiom: Idiom) -> set[str]:
    """Words of which a clause with this phrase has one: its longest, or the verb where that one is everywhere."""
    longest = max(idiom.needs, key=lambda word: (len(word), word))
    return {longest} if len(longest) > 3 else {form for form, (base, _) in FORMS.items() if base == verb}


_TELLING = frozenset(word for verb, rows in _ROWS.items() for idiom in rows for word in _telling(verb, idiom))
_HELP = frozenset("have has had been be having am is are was were get got".split())


@lru_cache(maxsize=128)
def in_plain_words(text: str) -> str:
    """The clause with such a phrase in plain words, or as it is."""
    words = words_in(text)
    if _TELLING.isdisjoint(words):
        return text
    said = text.split(" ")
    for place, word in enumerate(said[:12]):
        base, form = FORMS.get(word.lower(), ("", ""))
        if base == "have" and said[place + 1 : place + 2] and said[place + 1].lower() in PARTICIPLES:
            continue  # "have stopped taking lessons": it only helps another verb.
        for idiom in _ROWS.get(base or word.lower(), ()):
            rest = " ".join(said[place + 1 :]) if idiom.needs <= words else ""
            if match := idiom.after.match(rest) if rest else None:
                told = idiom.plain.replace("~", match.groupdict().get("x") or "")
                plain = as_said(idiom.verb, form, said[:place])
                return " ".join(part for part in (*said[:place], plain, told, rest[match.end() :].strip()) if part)
    return text


def as_said(verb: str, form: str, before: list[str]) -> str:
    """The plain verb in the form of the one that was said; after "have" it is a participle."""
    helped = next((word.lower() for word in reversed(before) if word.lower() not in ADVERBS | {"not"}), "")
    if form == "past" and helped in _HELP:
        form = "participle"
    return form_of(verb, form or "base")


_BY_OTHERS = word_set(
    "dissolved disbanded shut closed axed scrapped killed discontinued cancelled canceled abolished wound "
    "ended terminated phased"
)
_THEY_ENDED = re.compile(
    r"^(?:[Tt]hey|[Ww]ork|[Mm]anagement|HR|[Tt]he (?:company|council|board|city|landlord|school|club|bosses|owners?|"
    r"university|"
    r"gym)|[Mm]y (?:company|boss|employer)) (?:have |has |just |finally |recently |had to )*(?P<verb>dissolved|"
    r"disbanded|"
    r"shut down|closed(?: down)?|axed|scrapped|killed(?: off)?|discontinued|cancell?ed|abolished|wound (?:up|down)|"
    r"ended|"
    r"terminated|phased out) (?P<what>(?:the|our|my) (?:[\w'&-]+ ){0,4}?[\w'&-]+)(?P<rest>(?: (?:last|this|on|in|"
    r"yesterday|"
    r"today|because|due|after)\b.*)?)$"
)


def by_others(text: str) -> str:
    """ "They dissolved the Growth team" as "the Growth team is gone"."""
    match = _THEY_ENDED.match(text) if has_any(text, _BY_OTHERS) else None
    return f"{match['what']} is gone{match['rest']}" if match else text


_WILL_ME = re.compile(
    r"^(?P<when>(?:In|On|From|Next|This|At|in|on|from|next|this|at) [\w ]{2,25}? )?(?:[Tt]hey|[Ww]ork|HR|[Tt]he "
    r"(?:\w+ )?\w+|"
    r"[Mm]y (?:\w+ )?\w+|[Mm]anagement) (?:are|is|will be|are going to be) (?P<verb>transferring|moving|relocating|"
    r"promoting|reassigning|posting|bumping) me\b ?(?P<rest>.*)$"
)
_DONE_AS = {"transferring": "transferred", "moving": "moved", "relocating": "relocated", "promoting": "promoted",
            "reassigning": "reassigned", "posting": "posted", "bumping": "bumped"}  # fmt: skip


def to_be_done(text: str) -> str:
    """ "In June they're moving me to Bristol" as "In June I will be moved to Bristol", or nothing."""
    coming = _WILL_ME.match(text)
    return f"{coming['when'] or ''}I will be {_DONE_AS[coming['verb']]} {coming['rest']}".rstrip() if coming else ""


_WENT_BACK = re.compile(
    r"(?i)^(?P<who>(?:i|we) (?:have |had )?(?:just |recently |now |finally )*)(?:(?:gone|went|going|go) (?:back|over)|"
    r"moved(?: back| over)?) to (?:using )?(?=(?P<what>[\w.+-]+)(?: (?:since|now|for|in|on|last|this)\b.*)?$)"
)


_BACK_TO_DOING = re.compile(
    r"(?i)^(?P<who>i|we|he|she) (?:(?:have|has|am|are|is|just|now|recently|finally|officially) )*(?:gone |went |go )?"
    r"back to (?P<verb>[a-z]+ing) (?P<rest>.+)$"
)


def went_back(text: str) -> str:
    """ "I've gone back to Neovim", "we moved to Jira": who goes to a program switches to it; who is back to eating meat
    eats it."""
    if (doing := _BACK_TO_DOING.match(text)) and (base := FORMS.get(doing["verb"].lower(), ("", ""))[0]):
        verb = base if doing["who"].lower() in ("i", "we") else third_person(base)
        return f"{doing['who']} {verb} {doing['rest']} again" if base not in ("be", "use") else text
    match = _WENT_BACK.match(text)
    return f"{match['who']}switched to {text[match.end() :]}" if match and match["what"].lower() in SOFTWARE else text


_TOLD_TO_STOP = re.compile(
    r"(?i)^(?:my|the) (?:doctors?|doc|gp|cardiologist|specialist|consultant|nurse|psychiatrist) (?:has |just )*"
    r"(?:told|advised|asked|ordered) me to (?:stop|quit|come off)(?: taking)? (?:the |my )?(?=[\w-]+$)"
)
"""Who takes medicine on a doctor's word leaves it off on that word."""
_THINGS = re.compile(
    r"(?i)^(?:the )?(?:things|foods?|stuff|animals) (?:that |which )?(?P<who>i(?:'m| am)? [^:,]{2,40}?): "
)
"""A list under a heading that is a sentence of its own: "things I'm allergic to: cats and pollen"."""


_RAISED = re.compile(r"(?i)^(i|we|he|she) (?:was |were )?(?:raised|brought up|bred) in ")
_ALL_ON = re.compile(
    r"(?i)^(?:everything|it all|all of it|all our \w+) (?:is|runs|'s|are|run) (?:now )?(?:on|in) (?=(?-i:[A-Z]))"
)
"""What everything is on, we use."""
_THEIR_NAME = re.compile(r"(?i)^(wife|husband|partner|girlfriend|boyfriend|son|daughter|dog|cat)'s name is ")
_IS_MY_BIRTHDAY = re.compile(r"(?i)^(?:it|that) is my birthday (?=on (?:the )?\d|on [a-z]+ \d)")


_MY_EVENT = re.compile(
    r"(?i)^the (?=(?:[a-z-]+ )?(?:flight|appointment|interview|exam|surgery|check-up|checkup|wedding|scan|viewing) "
    r"(?:is|"
    r"will be) (?:now |actually |really )*(?:on|at) )"
)
"""What one has oneself, when nothing is said of whose it is."""
_PAID_MORE = re.compile(
    r"(?i)^i (?:have |had |was |been |just |finally |also )*(?:got|gotten|received|given|negotiated) (?:an? )?"
    r"(?:[a-z]+ )?(?:pay )?(?:raise|rise) (?:up )?to (?=[$€£]?\d)"
)
_SO_MANY_OF_US = re.compile(
    r"(?i)^(?:we|there) are (?P<now>now )?(?P<n>\d+|[a-z]+) (?:people|of us|engineers|developers|devs|colleagues) "
    r"(?:on|in|at) (?:the|our|my) (?P<what>team|company|office|firm|startup|department|band|choir)(?P<late> now)?$"
)


_OFF_FOR_GOOD = re.compile(r"(?i)\b(?:turned|switched) off (?:for good|permanently)$")
_IS_NO_MORE = re.compile(r"(?i)^there is no (?P<what>[a-z][\w -]{2,30}?) any ?more$")


def spelled_out(text: str) -> str:
    """A clause that leaves out what everybody hears: "everything's on Fly" as "we use Fly"."""
    text = _OFF_FOR_GOOD.sub("shut down", text) if " off " in text else text
    text = _IS_NO_MORE.sub(r"the \g<what> no longer exists", text) if text[:5].lower() == "there" else text
    if " raise " in text or " rise " in text:
        text = _PAID_MORE.sub("my salary is now ", text)
    if " are " in text and (match := _SO_MANY_OF_US.match(text)):
        return f"my {match['what'].lower()} size is {'now ' if match['now'] or match['late'] else ''}{match['n']}"
    text = _TOLD_TO_STOP.sub("I stopped taking ", _THINGS.sub(r"\g<who> ", text))
    text = _ALL_ON.sub("we use ", went_back(text) if " to " in text else text)
    text = _RAISED.sub(r"\1 grew up in ", _THEIR_NAME.sub(r"my \1's name is ", text))
    text = _MY_EVENT.sub("my ", text) if text[:4].lower() == "the " else text
    return _IS_MY_BIRTHDAY.sub("my birthday is ", text)
