"""Names of someone who writes without capitals: "im at kpmg now" as "im at Kpmg now"."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable

from recollect.extractors.people import relation_pattern
from recollect.extractors.programs import SOFTWARE
from recollect.extractors.verbs import ADVERBS, FORMS
from recollect.text.values import word_set

_COMMON = word_set(
    "a an the my our your his her their its this that these those it them him me us you i im ive we he she they one "
    "some "
    "any all both each every no not to of in on at for with by from up down out off over back away here there now then "
    "today tomorrow yesterday early late soon again once twice home work school bed church town time job jobs class "
    "college uni university life people someone everyone anyone thing things stuff money everything nothing something "
    "anything weight sleep coffee tea meat sugar alcohol next last new old more most much many few lot lots bit "
    "kind part "
    "way well fine good great bad better best hard easy free full half two three four five six seven eight nine ten "
    "first second third day days week weeks month months year years hour hours minute minutes morning mornings evening "
    "evenings night nights noon lunch dinner breakfast weekend weekends summer winter spring autumn fall because "
    "but and "
    "or so if when while than as like just only even also too very really quite about around dad mum mom wife "
    "husband son "
    "daughter brother sister friend friends love fact general particular person public private theory practice case "
    "front end start beginning middle morning charge total trouble touch bus train car foot person sales marketing "
    "finance engineering support product design legal tech retail education healthcare vegan vegetarian remote "
    "remotely "
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays "
    "sundays january february march april may june july august september october november december until till since "
    "before after during which who whose where why how what is was are were be been am will would could should can do "
    "does did has have had yes no nope yeah yep ok okay sorry thanks please lol haha btw though anyway "
    "still again already "
    "ago anymore longer any instead too either neither nowadays lately recently"
)
"""Words that are no names."""
_PLACE = re.compile(
    rf"\b(?:(?:in|at|to|from|near|with|work for|works for|worked for|working for|visit|visited|join|joined|joining|"
    rf"quit|"
    rf"left|leave|leaving|called|named|name is|names are|born in|calls? me|before|after|out of|home is|work for is|"
    rf"speaks?|"
    rf"live in is)|"
    rf"(?:an?|another|second|third|two|three) (?:{relation_pattern()})s?,|"
    rf"(?:my|our) (?:(?:old|new|first|previous|former|best) )?(?:{relation_pattern()})(?: will be| is| was| are|"
    rf"'s(?= [a-z]+(?:[.,!]|$| and )))?) "
    rf"(?P<name>(?![a-z]+[\w-]*[-_]\w*\d)[a-z][\w'&-]*)"
)
_NO_PLACE = word_set(
    "allergic addicted used sensitive intolerant immune prone averse opposed partial similar due listen listens "
    "listening listened stick sticks sticking stuck"
)
"""What stands before “to” and a thing that has no name."""
_DAY = re.compile(
    r"(?<![\w-])(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|april|june|july|august|september|october|"
    r"november|december|(?<=\bin )may|(?<=from )may|(?<=since )may|(?<=until )may|(?<=by )may|(?<=\d )may|(?<=\d "
    r")march|"
    r"(?<=\bin )march|(?<=from )march|(?<=since )march|(?<=until )march|(?<=by )march)(?![\w-])"
)
_TITLED = re.compile(r"(?<![\w.-])(?:mrs?|ms|dr|prof)\.? (?P<name>[a-z][\w'-]+)")
_HOW = re.compile(r"(?:my|our) [a-z -]+? (?:is|was|are) (?P<how>[a-z]+)")
_ADJECTIVE = re.compile(
    r"(?:\w{3,}(?:tic|lic|xic|[st]ed|iced|ired|gled|bled|owed|rced|gaged|rried|ous|ful|less|able|ible|ing)|\w{4,}(?:al|ive)|sick|ill|dead|alive|deaf|blind|mute|tall|short|old|"
    r"young|gay|queer|trans|straight|single|pregnant|jewish|muslim|fine|okay|ok|away|off|sad|mad|angry|tired|celiac|coeliac)$"
)
"""How someone is, which is no name: "my dad is diabetic"."""
_NEXT = re.compile(r"(?:,? and|,|) ([a-z][\w'&-]*)")


_WORD = re.compile(r"[a-z]+")
_AMBIGUOUS = word_set(
    "go teams signal edge linear chef monday brave arch black spring express bun helm sketch parcel swift basecamp "
    "nats "
    "spark looker slack zoom discord notion puppet bamboo oracle intercom react ember rails rust ruby stripe canva "
    "excel "
    "safari windows flask gradle prefect jest biome ruff cypress canva azure fedora loki ios prettier drupal teamcity"
)
"""Programs whose names are words of the language, too."""


def is_plain(word: str) -> bool:
    """Whether a word is one of the language and no name."""
    bare = word.removesuffix("'s")
    return bare in _COMMON or bare in FORMS or bare in ADVERBS or bare.endswith(("ing", "ly")) or len(bare) < 3


_ALSO_WORDS = word_set(
    "rose grace hope faith joy mark art bill frank jack rob sue pat drew chase dean guy penny ruby violet dawn eve "
    "sky bud "
    "max sunny lucky honey ginger pepper olive basil daisy lily iris ivy holly hazel amber jade crystal angel star "
    "storm "
    "shadow smokey biscuit cookie peanut noodle waffle mocha coco cocoa kiwi mango oreo pickles ziggy boss bear tiger "
    "moon"
)
"""Names that are words of the language, too."""


def with_known_names(text: str, known: Iterable[str]) -> str:
    """The text with a capital on each name that is known and was written without one."""
    lower = [name for name in known if name.isalpha() and name in text]
    for name in lower:
        if not is_plain(name) and name not in _ALSO_WORDS:
            text = re.sub(rf"(?<![\w.@/-]){name}(?![\w.@/-])", name.title(), text)
    return text


def capitalised(text: str, known: Container[str] = ()) -> str:
    """The text with a capital on each word that stands where a name does and is no word of the language, or that is
    known as a name."""
    letters = list(text)
    for match in (*_DAY.finditer(text), *_TITLED.finditer(text)):
        for start in {match.start(), match.start(match.lastgroup or 0)}:
            letters[start] = letters[start].upper()
    for match in _WORD.finditer(text):
        if match[0] in known or (match[0] in SOFTWARE and match[0] not in _AMBIGUOUS):
            letters[match.start()] = letters[match.start()].upper()
    for match in _PLACE.finditer(text):
        start, word = match.start("name"), match["name"]
        if match[0].startswith("to ") and text[: match.start()].rstrip().rpartition(" ")[2] in _NO_PLACE:
            continue
        if _HOW.match(match[0]) and _ADJECTIVE.match(word):
            continue
        while not is_plain(word):
            letters[start] = letters[start].upper()
            following = _NEXT.match(text, start + len(word))
            if following is None:
                break
            start, word = following.start(1), following[1]
    return "".join(letters)


_SPEAKER = re.compile(r"(?<![\w.'’`/_-])i(?=['’](?:m|ve|d|ll)\b|\s+[a-z])")


_OPENING = re.compile(r"^(?:after|before|since|until|while|once)(?= (?:that|the|my|our|this|all|years|months|a) )")
"""Words that open a circumstance, which is known by its capital."""


def with_speaker(text: str) -> str:
    """The text with "I" where someone who writes without capitals speaks of themself, and its first word with one."""
    return _SPEAKER.sub("I", _OPENING.sub(lambda match: match[0].title(), text))
