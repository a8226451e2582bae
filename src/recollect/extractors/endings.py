"""Statements that something is over, off or not so: "Tom isn't my boss anymore", "the move to Oslo is off"."""

from __future__ import annotations

import re

from recollect.attributes import attribute
from recollect.extractors import values
from recollect.extractors.open_verbs import STANCES
from recollect.extractors.passing import passing
from recollect.extractors.patterns import Found
from recollect.extractors.people import NAME, PARTNERS, TEACHING, is_name, relation_of, relation_pattern
from recollect.extractors.posts import is_post, is_role
from recollect.extractors.verbs import base_and_form
from recollect.records import USER

_NOT_MINE = re.compile(
    r"^(?P<v>[A-Z\d+][\w'.@+-]*(?: [\w'.-]+){0,3}?|[\w.+-]+@[\w.-]+|(?i:the|my) [\w' -]{2,30}?) (?i:is|are|"
    r"was) (?P<how>not|no longer) "
    r"(?i:my|our|an?) (?P<key>[\w' -]{2,40}?)(?P<more> any ?more| any longer)?$"
)
_CALLED_OFF = re.compile(
    r"(?i)^(?:the|my|our) (?:(?P<where>(?-i:[A-Z])[\w-]+) )?(?P<what>move|trip|wedding|flight|party|holiday|vacation|"
    r"visit|meeting|relocation|transfer|"
    r"interview|surgery|appointment|conference|job|concert)(?P<to> (?:to|in|at|with|for) (?P<v>.+?))? (?:is|was|has "
    r"been|"
    r"got|is now) (?:off|cancell?ed|called off|not happening|not going to happen|scrapped|off the table)(?: now)?$"
    r"|^(?:the|my|our) (?P<what2>move|trip|wedding|relocation|transfer|job|deal)(?P<to2> (?:to|in|at|with) "
    r"(?P<v2>.+?))? (?:fell "
    r"through|did not (?:work out|happen|go through)|will not happen|is not happening|came to nothing)$"
)
_CALLS_OFF = re.compile(
    r"(?i)^(?:i|we) (?:have |had to |just )*(?:cancell?ed|called off|scrapped|dropped) (?:the|my|our) "
    r"(?P<what>(?:plan to )?move|"
    r"trip|wedding|party|holiday|vacation|visit|relocation)(?P<to> (?:to|in) (?P<v>.+?))?$"
)
_NOT_AFTER_ALL = re.compile(
    r"(?i)^(?:i|we) (?:am|are|will) not (?:going to |be )?(?:mov(?:e|ing)|relocat(?:e|ing))(?: (?:there|house|"
    r"anywhere))?"
    r"(?: after all| any ?more)?$|^(?:i|we) (?:(?:have )?(?:decided not to move|decided against moving|changed "
    r"(?:my|our) "
    r"minds? about moving)(?: (?:back )?to (?P<v>(?-i:[A-Z])[\w'-]*(?: (?-i:[A-Z])[\w'-]*)?))?|"
    r"(?:am|are) staying put)(?: after all)?$"
)
_STOLEN = re.compile(
    r"(?i)^(?:some(?:one|body)|they|thieves|a thief|some \w+) (?:has |have |just )*(?:(?:stole|stolen|nicked|pinched|"
    r"swiped) "
    r"(?:my|our|the)|took (?:my|our)) (?P<v>.+?)(?: (?:outside|from|off|at|right|in front|while|when) .*)?$"
)
_PUT_DOWN = re.compile(
    rf"(?i)^(?:i|we) (?:have |had to |sadly )*put (?:(?:my|our|the) (?P<rel>{relation_pattern()}) "
    rf"?)?(?P<name>{NAME})? ?(?:down|to sleep)$"
)
_LEFT_ME = re.compile(
    rf"^(?:(?i:my|our) (?P<rel>{relation_pattern()})(?: (?P<name>{NAME}))?|(?P<who>{NAME})) (?:has |just )*(?:left me|"
    rf"dumped me|broke up with me|divorced me|split up with me|broke things off|walked out on me)$"
)
_OVER_BETWEEN = re.compile(
    rf"^(?i:it|things|everything) (?i:is|are|was) (?:now |finally |all )?(?i:over|finished|done) between "
    rf"(?:(?:me|us) and "
    rf"(?P<a>{NAME})|(?P<b>{NAME}) and (?:me|I))$"
)
_LAST_DAY = re.compile(
    r"(?i)^my (?:last|final) (?:day|shift|week)(?: (?:at|with|for) (?P<v>(?-i:[A-Z]).*?))? (?:is|was|will be|were)"
    r"(?: on)?(?: \w+)?$|^(?:[\w ]{3,20} )?(?:is|was|will be) my (?:last|final) (?:day|shift|week)"
    r"(?: (?:at|with|for) (?P<w>(?-i:[A-Z]).*?)| at work| there)?$"
)
_DECLINED = re.compile(
    r"(?i)^(?:i|we) (?:have |had to |just )*(?:turned down|declined|rejected|said no to) (?:the |an? |their "
    r")?(?:job |offer |position |role )*"
    r"(?:offer )?(?:from|at|with) (?P<v>(?-i:[A-Z]).*)$|"
    r"^(?:i|we) (?:have |had to |just )*turned (?P<w>(?-i:[A-Z])[\w'&.-]*(?: (?-i:[A-Z&])[\w'&.-]*){0,3}) down$"
)
_NO_MORE = re.compile(
    r"(?i)^(?:no more|(?:please )?stop using) (?:(?:sessions?|lessons?|classes|appointments?|visits?|"
    r"training|treatments?) (?:with|at|from) )?(?P<v>(?:Dr\. )?[\w.+#/-]{2,20}(?: [\w.+#-]{2,20})?)"
    r"(?P<me> for (?:me|us))?$"
)
_DENIED = re.compile(
    r"(?i)^(?:my|our) (?P<key>(?:[\w'-]+ ){1,4}?)(?:is|are|was) (?P<how>not|no longer) "
    r"(?P<v>(?!my\b|but\b|the (?:only|same|best)\b).+)$"
)
_STAYS = re.compile(
    r"(?i)^(?:i|we) (?:am|are|will be|decided to|will) stay(?:ing)? (?P<how>in|at|with) "
    r"(?P<v>(?-i:[A-Z])[\w'-]*(?: (?-i:[A-Z])[\w'-]*)*)(?: after all)?$"
)


def over(text: str) -> list[Found]:
    """What has come to its end: a job, a pet's life, a habit."""
    if (match := _PUT_DOWN.match(text)) and (match["rel"] or match["name"]):
        relation = relation_of(match["rel"] or "") or ""
        name = match["name"] or ""
        return [Found(relation, name, kind="ending", instead_of=None if relation else name)]
    if match := _LEFT_ME.match(text):
        if match["who"]:
            gone_name = Found("", match["who"], kind="ending", instead_of=match["who"])
            return [gone_name, Found("relationship", "single", kind="update")] if is_name(match["who"]) else []
        relation = relation_of(match["rel"]) or ""
        single = [Found("relationship", "single", kind="update")] if relation in PARTNERS else []
        return [Found(relation, match["name"] or "", kind="ending"), *single] if single else []
    if (match := _OVER_BETWEEN.match(text)) and is_name(who := match["a"] or match["b"]):
        return [Found("", who, kind="ending", instead_of=who), Found("relationship", "single", kind="update")]
    if match := _LAST_DAY.match(text):
        return [Found("employer", match["v"] or match["w"] or "", kind="ending")]
    if match := _STOLEN.match(text):
        return gone(match["v"])
    if match := _DECLINED.match(text):
        return [Found("employer", values.one(match["v"] or match["w"]), kind="ending", negated=True)]
    if match := _NO_MORE.match(text):
        return [Found("", match["v"], kind="ending", instead_of=match["v"])]
    return []


_OFF_THE_LIST = re.compile(
    r"(?i)^(?:please |can you |and )*(?:take|remove|strike|cross|delete|scratch) (?P<v>[\w' -]{2,30}?) (?:off|from) "
    r"(?:that|the|my|our|this) (?:(?:list of )?(?:my |our )?)(?:likes|dislikes|allergies|favou?rites|hobbies|"
    r"interests)$"
)


def off_the_list(text: str) -> list[Found]:
    """ "Take folk off my likes": whatever it was one of; a shopping list is no such list."""
    match = _OFF_THE_LIST.match(text)
    value = values.bare(match["v"]) if match else ""
    return [Found("", value, kind="ending", instead_of=value)] if value else []


def gone(what: str) -> list[Found]:
    """A thing that is not there any more."""
    value = values.bare(values.one(what, "last", "yesterday", "from", "on", "in", "while", "this"))
    if not value or relation_of(value):
        return []
    if values.has_name(value):
        return [Found("", value, kind="ending", instead_of=value)]
    return [Found("possession", value, kind="ending")]


def denied(text: str) -> list[Found]:
    """ "My blood type isn't A positive"."""
    match = _DENIED.match(text)
    known = attribute(match["key"]) if match else None
    value = re.sub(r"(?i)^(?:called|named) ", "", values.one(match["v"])) if match else ""
    if match is None or known is None or not value or " but " in text or len(value.split()) > 4:
        return []
    if not known.known or passing(value, known=False):
        return []
    if known.relation and not value[:1].isupper():
        return []  # "My father is not vegan" is about him, and denies no name.
    return [Found(known.name, value, kind="ending", negated=match["how"].lower() == "not")]


def stays(text: str) -> list[Found]:
    """Who stays where they are has given up the plan to leave."""
    match = _STAYS.match(text)
    return (
        [Found("home" if match["how"].lower() == "in" else "employer", "", kind="ending", negated=True)]
        if match
        else []
    )


_LEFT_POST = re.compile(
    rf"^(?P<v>{NAME}) (?:has |have |just |recently )*(?:stepped (?:down|aside|back)|stood down|resigned|retired|quit|"
    r"left|(?:was|got|been) (?:fired|sacked|ousted|removed|dismissed|voted out|replaced)) as (?:the )?"
    r"(?:(?P<key>(?:[A-Za-z-]+ ){0,2}[A-Za-z-]+) (?:of|at|for) (?:the )?(?P<subject>(?:[\w'.-]+ ){0,3}?[\w'.-]+)|"
    r"(?P<team>(?:[\w-]+ ){1,2}(?:team|squad|department)) (?P<post>lead|head|manager|captain|coach))"
    r"(?: (?:today|yesterday|(?:last|this) \w+|in \w+|on .+))?$"
)


def left_post(text: str) -> list[Found]:
    """ "Paula Hartog stepped down as CEO of Nimbra"."""
    match = _LEFT_POST.match(text)
    key = (match["key"] or match["post"]) if match else ""
    if match is None or not is_post(key) or not is_name(match["v"]):
        return []
    return [Found(attribute(key).name, match["v"], kind="ending", subject=match["subject"] or match["team"])]


_FOR_US = re.compile(
    rf"^(?P<v>{NAME}(?: & {NAME})?|(?:Dr|Mr|Mrs|Ms)\.? [A-Z]\w+) (?:has |have |just |recently )*"
    r"(?:(?:(?:is|do(?:es)?) )?(?P<not>no longer|not) (?P<do>[a-z]+)|(?P<quit>stopped|quit|finished) [a-z]+ing) "
    r"(?:(?:for|with|at) )?(?:us|me|our place)(?P<more> any ?more| any longer)?$"
)


def not_for_us(text: str) -> list[Found]:
    """ "Rosa no longer works for us": whatever Rosa was to us."""
    match = _FOR_US.match(text)
    if match is None or not (match["more"] or match["quit"] or match["not"] == "no longer"):
        return []
    if not is_name(match["v"]) or base_and_form(match["do"] or "")[0] in STANCES - {"work"}:
        return []  # Who does not call me any more may be my friend still.
    return [Found("", match["v"], kind="ending", instead_of=match["v"])]


_LEFT_US = re.compile(
    r"(?i)(?:my|our) (?P<role>[a-z]+(?: [a-z]+)??) (?:has |have |just |recently |finally )*(?:left(?: us)?|"
    r"quit|resigned|given notice|gave notice|moved (?:out|on)|(?:gone|went) back (?:home|to [\w ]+))$"
)


def left_us(text: str) -> list[Found]:
    """ "Our nanny has left": she is our nanny no more."""
    match = _LEFT_US.match(text)
    return [Found(match["role"].lower(), "", kind="ending")] if match and is_role(match["role"]) else []


_FETCHED = re.compile(
    r"(?i)(?:i|we) (?:have |finally |just )*(?:picked|got|collected|fetched|brought|took) (?:up )?(?:my|our|the) "
    r"(?P<what>[a-z]+(?: [a-z]+){0,2}?)(?: (?:up|back|home))? from (?:the |my |our )?(?P<v>[\w' -]+)$"
)
_BACK = re.compile(
    r"(?i)(?:my|our|the) (?P<what>[a-z]+(?: [a-z]+){0,2}?) (?:is|are|came|is finally|is now) (?:back|home)"
    r"(?: home)? from (?:the |my |our )?(?P<v>[\w' -]+)$"
)


def fetched(text: str) -> list[Found]:
    """ "I picked my laptop up from the repair shop": it is there no more, if it was."""
    match = _FETCHED.match(text) or _BACK.match(text)
    if match is None or relation_of(match["what"]):
        return []
    where = values.one(match["v"], "last", "this", "on")
    return [Found("location", where, kind="ending", subject=match["what"].lower(), negated=True)]


def no_longer_mine(text: str) -> list[Found]:
    """ "Renata isn't my coach anymore"."""
    match = _NOT_MINE.match(text)
    known = attribute(match["key"]) if match else None
    denied = match is not None and not (match["more"] or match["how"].lower() == "no longer")
    if (
        match
        and re.search(rf" an? {re.escape(match['key'])}", text)
        and (denied or not attribute(match["key"]).relation)
    ):
        return []
    if match is None or known is None or (not known.known and (denied or not is_name(match["v"]))):
        return []
    if not known.known and re.search(r"(?i) (?:in|since|last|as of|from|after) ", f"{match['key']} "):
        return []  # The words of time belong to no key.
    if known.name in TEACHING | {"friend"} and not denied:  # Known as the piano teacher or the best friend, perhaps.
        return [Found("", match["v"], kind="ending", subject=USER, instead_of=match["v"])]
    return [Found(known.name, match["v"], kind="ending", subject=USER, negated=denied)]


def called_off(text: str) -> list[Found]:
    """A plan that will not come true."""
    if put := _NOT_AFTER_ALL.match(text):
        return [Found("home", put["v"] or "", kind="ending", negated=True)]
    match = _CALLED_OFF.match(text) or _CALLS_OFF.match(text)
    if match is None:
        return []
    parts = match.groupdict()
    what, to = parts["what"] or parts.get("what2") or "", parts["to"] or parts.get("to2") or ""
    where = values.one(parts["v"] or parts.get("v2") or parts.get("where") or "")
    moving = re.search(r"(?i)move|relocation", what) is not None
    if moving:
        return [Found("home", where, kind="ending", negated=True)]
    if what.lower() in ("job", "transfer", "deal"):
        return [Found("employer", where, kind="ending", negated=True)] if where else []
    named = f"{what.lower()}{to}"
    if where and not to:  # "the Crete trip": a flight there, a week there
        return [Found("", where, kind="ending", instead_of=where, category="plans")]
    return [Found("", named, kind="ending", instead_of=named)]
