"""Where a value ends, and the several values that a list names."""

from __future__ import annotations

import re

from recollect.text.values import word_set

MOST_WORDS = 12

_STOP = re.compile(
    r"(?i)\s*(?:[;:!?](?=\s|$)|—|,? \(|\s[–-]{1,2}\s|(?<!Dr)(?<!Mr)(?<!Mrs)(?<!Ms)(?<!St)(?<!Prof)"
    r"(?<!\b(?-i:[A-Z]))\.\s)|,?\s+\b(?:but|"
    r"because|so|since|when|while|which|who|whose|where|if|unless|though|although|whereas|cause|cuz|except that|"
    r"however|especially|mainly because|as well as|alongside|rather than|instead of|due to|thanks to|even though|as "
    r"(?:i|we|"
    r"it|he|she|my|they)|after (?:i|we|my|a|the|[a-z]+ing)|before (?:i|we|my)|until|till|that|such as|including|like|"
    r"particularly|e\.g\.|and \w+ (?:it|them)|"
    r"and (?:i|we|my|he|she|they|it|so|that|then|also|now|this|the (?=(?:[\w-]+ ){1,3}(?:is|are|"
    r"was|were|has|have|will|uses|runs|needs|depends|supports|costs|belongs|requires|lives)\b))|or (?:i|we)|"
    r"with (?:my|our|his|her|their|(?:some |a few )?friends|everyone|"
    r"colleagues)|i|we|you)\b"
)
_TAIL = re.compile(
    r"(?i)[\s,]+(?:now|right now|these days|nowadays|currently|at the moment|at present|for now|today|lately|though|"
    r"by the way|btw|please|actually|anyway|anyways|too|as well|also|again|instead|already|still|so far|yet|of "
    r"course|you know|haha|lol|thanks|thank you|lately|recently|here|a lot|so much|very much|the most|more|at all|"
    r"for sure|for years|for a while|for ages|all the time|as usual|since then|before|soon|ever since|permanently|"
    r"full[- ]time|part[- ]time|originally|locally|"
    r"with (?:an? )?(?:single |double |silent )?[\"']?[a-z][\"']?|after all|:\)|"
    r"(?:about |over |almost |some )?(?:an?|a few|a couple of|[\w-]+) (?:days?|weeks?|months?|years?) ago|"
    r"🙂|😊|😀|and|or|in|on|at|to|for|from|since|with|of|is|was|are)$"
)
_SOME_OF = re.compile(
    r"(?i)^(?:[\w'’/-]+ ){0,6}?(?-i:[a-z])[\w'’-]+ (?:that|who|whose|which|where|(?:located|situated|based|set|made|"
    r"filled|built|released|written|played|held|run|owned|sold|containing|involving|featuring|requiring|including|"
    r"focus(?:ed|ing)) (?:in|at|on|by|from|of|with|for|near|to|before|after|around|an?|any|the|at least)) (?=\S)"
)
"""A noun, and what says which of them are meant."""
_EDGES = " \t,.;:!?…*_~"
_FIXED_PAIRS = re.compile(
    r"(?i)\b(rock|salt|fish|mac|macaroni|arts|black|bed|research|drum|rhythm|peanut butter|bread|bacon|gin|rum|ham|"
    r"trial|pros|cream|sweet|hot|food|health|mix|country|cut|dungeons|wine|barnes|johnson|procter|ernst|marks|hide|"
    r"tom|simon|law|home|ins|track|search|design|peace|fruits|sales)( and | & | 'n' | n )(roll|pepper|chips|cheese|"
    r"crafts|white|breakfast|development|bass|blues|jelly|butter|eggs|tonic|coke|error|cons|sugar|sour|cold|drink|"
    r"safety|match|western|paste|dragons|dine|noble|johnson|gamble|young|spencer|seek|jerry|garfunkel|order|garden|"
    r"outs|field|rescue|build|quiet|vegetables|marketing|cheese)\b"
)
_FIRMS = re.compile(r"\b[A-Z][\w'-]* & (?:Co|Sons?|Partners|Brothers|Daughters|Company|Associates|Family)\b")
_FIRM_IN_LIST = re.compile(r"\b[A-Z][\w'-]* & [A-Z][\w'-]*")
"""Two names as one, where the list has other marks between its own: "Moss & Reed, Halden and Tarn"."""
_BETWEEN = re.compile(
    r"\s*(?:,\s*(?:and|or|as well as)?|\s+(?:and|or|as well as)|\s&|\splus)\s+(?:also\s+|some\s+|a bit of\s+)?"
)
_ARTICLE = re.compile(
    r"(?i)^(?:a|an|the|some|any|my|our|this|that|these|those|both|a bit of|a little|lots of|a lot of)\s+"
)
_CODE_WORD = re.compile(r"`[^`]*`")


_TITLE = re.compile(r"\"[^\"]{1,80}\"|“[^”]{1,80}”")


def in_one(value: str) -> str:
    """The value with what is quoted in it as one word: a title is not cut where a clause would end."""
    return _TITLE.sub(lambda match: match[0].replace(" ", "\0"), value) if '"' in value or "“" in value else value


def cut(value: str, *also: str) -> str:
    """The value up to where its clause ends; `also`: words that end it for this attribute."""
    value = value.strip(" \t")
    if code := _CODE_WORD.match(value):
        return code[0].strip("`").strip()
    value = in_one(value)
    limit = _STOP.search(value)
    if limit:
        value = value[: limit.start()]
    if also and (word := re.search(rf"(?i),?\s+(?:{'|'.join(also)})\b", value)):
        value = value[: word.start()]
    return without_tail(value.replace("\0", " "))


def without_tail(value: str) -> str:
    """The value without words that only trail after it: "now", "these days", "though"."""
    for _ in range(4):
        stripped = value.strip(_EDGES)
        shorter = _TAIL.sub("", stripped) if may_trail(stripped) else stripped
        if shorter == value:
            break
        value = shorter
    return without_marks(value.strip(_EDGES)).strip("'" if value.startswith("'") else "").strip(_EDGES)


def without_marks(value: str) -> str:
    """The value without quotation marks around it, or one that has lost the other."""
    many = sum(value.count(mark) for mark in '"“”')
    around = many == 2 and value[0] in '"“' and value[-1] in '"”'
    return value.strip('"“”') if around or many == 1 else value


_LAST_WORDS = word_set(
    "now days nowadays currently moment present today lately though way btw please actually anyway anyways too well "
    "also "
    "again instead already still far yet course know haha lol thanks you recently here lot much most more all sure "
    "years locally "
    "while ages time usual then before soon since permanently full-time part-time originally and or in on at to for "
    "from "
    "with of is was are ago"
)
"""The last words of what may trail after a value."""


def may_trail(value: str) -> bool:
    """Whether a value ends in a word that may only trail after it."""
    last = value[value.rfind(" ") + 1 :].lower()
    return last in _LAST_WORDS or len(last) < 2 or not last.isalnum()


def one(value: str, *also: str) -> str:
    """A single value: it ends at the first comma, too."""
    value = cut(value, *also)
    if "," in value:
        value = re.split(r",(?!\d{3}\b)", value, maxsplit=1)[0]
    return fits(without_tail(value))


def items(value: str, *also: str) -> list[str]:
    """The values that a list names; one, where it says which of them are meant."""
    if some := some_of(value):
        return [whole] if (whole := fits(some)) else []
    held = _FIXED_PAIRS.sub(lambda match: match[0].replace(" ", "\0"), in_one(cut(value, *also)))
    firms = _FIRM_IN_LIST if "," in held or " and " in held else _FIRMS
    held = firms.sub(lambda match: match[0].replace(" ", "\0"), held) if " & " in held else held
    found = [without_tail(part.replace("\0", " ")) for part in _BETWEEN.split(held)]
    return [fits(part) for part in found if fits(part) and part.lower() != "not"]


def some_of(value: str) -> str:
    """The whole of what is said of only some: who dislikes "people who chew loudly" does not dislike people."""
    which = _SOME_OF.match(value.strip())
    if not which or _STOP.search(which[0].rpartition(" ")[0].rpartition(" ")[0]):
        return ""
    return which[0] + cut(value.strip()[which.end() :]).partition(",")[0]


def fits(value: str) -> str:
    """The value, or nothing when it is too long to be one."""
    return value if len(value.split()) <= MOST_WORDS and len(value) <= 160 else ""


def bare(value: str) -> str:
    """The value without an article."""
    return _ARTICLE.sub("", value)


def has_name(value: str) -> bool:
    """Whether the value holds a proper name, as far as its capital letters tell."""
    return any(word[:1].isupper() for word in value.split())


LEFT_SOMEWHERE = re.compile(
    r"(?i)^[\w'.&-]+(?: (?-i:[A-Z])[\w'.&-]*)? (?:early|late|yesterday|today|tonight|this (?:morning|evening)|"
    r"(?:off )?at (?!work\b|the (?:end|start|beginning)\b)|behind|alone|"
    r"(?:by|on) (?:train|bus|car|plane|foot)|(?:an?|the) (?:message|note|voicemail|review)|"
    r"for (?:an?|the) (?!job|role|post|position|new|better|competitor|startup)|standing|waiting|sleeping)\b"
)
"""Whom or what one left or dropped for the day, or somewhere: "left Helios early", "dropped Ana at the airport"."""
