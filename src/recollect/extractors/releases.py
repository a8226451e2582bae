"""What version a thing is on, how many it has of something, what it is now, by what was done: "we scaled it to 6"."""

from __future__ import annotations

import re

from recollect.extractors.people import NAME, is_name, relation_of
from recollect.extractors.verbs import FORMS
from recollect.facts.attributes import attribute
from recollect.text.values import word_set

_TAIL = r"(?: (?:because|due|after|since|until|for|over|this|last|today|yesterday|tonight|so|on|earlier|already)\b.*)?$"
_DID = r"^(?:i|we|they) (?:have |has |just |finally |had to )*"
_NUMBER = r"(?:v?\d+(?:\.\d+)+\w*|v\d+)"
PARTS = word_set(
    "replicas nodes instances partitions workers pods shards machines people members servers cores brokers containers "
    "threads runners"
)
"""What a thing that is run has several of."""
_COUNT = rf"(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve) (?:{'|'.join(sorted(PARTS))})"
_ROLLED = re.compile(
    rf"(?i){_DID}(?:rolled|upgraded|updated|bumped|moved|took|brought|downgraded|deployed) "
    rf"(?:the |our )?(?P<what>[a-z][\w-]*)(?: back| up| down)? (?:to|onto) (?P<new>(?:version )?{_NUMBER}){_TAIL}"
)
_BECAME = re.compile(
    rf"(?i)^(?!(?:i|we|they|he|she|it|you)\b)(?:the |our )?(?P<what>[a-z][\w-]*(?: [a-z][\w-]*)??) (?:has been |was |"
    rf"is |got |just |now )*(?:upgraded|updated|bumped|downgraded|rolled back) to (?P<new>(?:version )?"
    rf"{_NUMBER}){_TAIL}"
)
"""The same, said of the thing: "kafka upgraded to 3.7 this morning"."""
_BECAME_ON = re.compile(
    rf"(?i)^(?!(?:i|we|they|he|she|it|you|my)\b)(?:the |our )?(?P<what>[a-z][\w-]*(?: [a-z][\w-]*)??) (?:has been |has "
    rf"|was |is |got |were |have |are |just |now |finally |been )*(?:upgraded|updated|bumped|downgraded|"
    rf"migrated|moved|ported) to "
    rf"(?P<new>(?-i:[A-Z])[\w.]* v?\d[\w.]*){_TAIL}"
)
_SCALED = re.compile(
    rf"(?i){_DID}(?:scaled|resized|grew|expanded|increased|reduced|cut|shrank) (?:the |our )?"
    rf"(?P<what>(?:[a-z][\w-]* ){{0,2}}?[a-z][\w-]*)(?: up| down| out| back)?(?: from \w+)? to (?P<v>{_COUNT}){_TAIL}"
)
_DOWN_TO = re.compile(
    rf"(?i)^(?:i|we|they) (?:am |are |have gone |went )(?:now |back )?(?:down|up|back) to (?P<v>{_COUNT}) (?:in|on|for|"
    r"of) (?:the |our )?(?P<what>[a-z][\w-]*(?: [a-z][\w-]*)?)$"
)
_NOW_DOWN = re.compile(
    rf"(?i)^(?:the |our )?(?P<what>[a-z][\w-]*(?: [a-z][\w-]*)?) (?:(?:is|has gone|went) (?:now |back )?"
    rf"(?:down|up|back)|(?:has been |was |got |is )(?:now )?(?:scaled|resized|reduced|cut|expanded)"
    rf"(?: up| down| out| back)?) to (?P<v>{_COUNT}){_TAIL}"
)
_RUN_SO_MANY = re.compile(
    rf"(?i)^(?:i|we|they) (?:are )?(?P<now>now )?(?:run|have|keep|use|at|on|up to|down to|back to) (?P<v>{_COUNT}) "
    rf"(?:of|for) (?:the |our )"
    r"(?P<what>[a-z][\w-]*(?: [a-z][\w-]*)?)(?P<late> now)?$"
)
_RUNS_WITH = re.compile(
    rf"(?i)^(?!(?:i|we|they|he|she|it|you)\b)(?:the |our )?(?P<what>[a-z][\w-]*(?: [a-z][\w-]*)?) (?P<now>now )?"
    rf"(?:runs|is running|operates|is deployed) (?:with|on|at|across) (?P<v>{_COUNT})(?P<late> now)?$"
)
_SHIPPED = re.compile(
    rf"(?i){_DID}(?:shipped|released|deployed|published|pushed|rolled out) (?:version )?"
    rf"(?P<v>v?\d+(?:\.\d+)+\w*) (?:of|to|on|for) (?:the |our )?(?P<what>[a-z][\w-]*(?: [a-z][\w-]*)?){_TAIL}"
)
_ON_VERSION = re.compile(
    r"(?i)^(?:the |our )?(?P<what>[a-z][\w-]*(?: [a-z][\w-]*)?) (?:is|are) (?:now |still |currently )?(?:on|at|"
    r"running) version (?P<v>v?\d[\w.]*)(?: now)?$"
)
_UPGRADED = re.compile(
    rf"(?i){_DID}(?:upgraded|downgraded|updated|migrated|moved|bumped|rolled|took|got|brought|put) "
    rf"(?:the |our )?(?P<what>[a-z][\w-]*(?: [a-z][\w-]*)?) (?:on)?to (?P<new>(?-i:[A-Z])[\w.]* v?\d[\w.]*){_TAIL}"
)

_WILL_UPGRADE = re.compile(
    r"(?i)^(?:i|we|they) (?:(?:will|are going to|am going to) (?:upgrade|downgrade|update|migrate|move|bump|"
    r"switch)|(?:are|am) "
    r"(?:upgrading|downgrading|updating|migrating|moving|bumping|switching)) (?:the |our )?(?P<what>[a-z][\w-]*(?: "
    r"[a-z][\w-]*)?) (?:over )?to (?P<new>(?-i:[A-Z])[\w.]* v?\d[\w.]*)(?P<tail> (?:in|on|next|this|by|at the|"
    r"over)\b.*)?$"
)


def of_release(text: str) -> str:
    """The clause as what a thing is on or has now; empty where it tells nothing of the kind."""
    if match := _RUN_SO_MANY.match(text):
        return f"the {match['what']} has {'now ' if match['now'] or match['late'] else ''}{match['v']}"
    if match := _RUNS_WITH.match(text):
        now = "now " if match["now"] or match["late"] else ""
        return f"the {match['what']} has {now}{match['v']}"
    if match := _SCALED.match(text) or _DOWN_TO.match(text) or _NOW_DOWN.match(text):
        return "" if relation_of(match["what"].split()[-1]) else f"the {match['what']} has now {match['v']}"
    if match := _SHIPPED.match(text) or _ON_VERSION.match(text):
        return f"the {lowered(match['what'])} is on {match['v']}"
    match = _UPGRADED.match(text)
    if match and not (relation_of(match["what"].split()[-1]) or match["what"].istitle()):
        return f"the {match['what']} runs on {match['new']} now"
    match = _WILL_UPGRADE.match(text)
    if match and not (relation_of(match["what"].split()[-1]) or match["what"].istitle()):
        return f"the {match['what']} will run on {match['new']}{match['tail'] or ''}"
    if match := _BECAME_ON.match(text):
        return f"the {lowered(match['what'])} runs on {match['new']} now"
    if (match := _ROLLED.match(text) or _BECAME.match(text)) and not attribute(match["what"]).known:
        return f"the {lowered(match['what'])} is on {match['new'].removeprefix('version ')}"
    return ""


def lowered(what: str) -> str:
    """A thing's name as it stands within a sentence."""
    return what if what.isupper() else what[0].lower() + what[1:]


THING = r"(?:[\w'./-]+ ){0,5}?[\w'./-]+"
_ANY_SETS = re.compile(
    rf"^(?:(?i:i|we|they|he|she|someone|somebody)|(?P<by>{NAME})|(?i:the|my|our) (?:[\w-]+ ){{0,2}}?[\w-]+) "
    r"(?P<aux>(?i:(?:have|has|had to|had|just|finally|recently|also|will|am|are|is|going to|now|be|even) )*)"
    rf"(?P<verb>[a-z]{{3,}}) (?P<what>(?i:the|my|our) {THING})(?: all the way)?(?: up| down| back| over| out)?"
    r"(?: from (?P<old>[\w$€£.,%-]+(?: [\w%]+)?))? to (?P<new>[$€£]?\d.*)$"
)
ANY_RISES = re.compile(
    rf"(?i)^(?P<what>(?:the|my|our) {THING}) (?P<aux>(?:has |have |had |just |now |will |is |are |was |were |been |"
    rf"got |"
    r"going to |be |recently |finally )*)(?P<verb>[a-z]{3,})(?: all the way)?(?: up| down| back| over| out)?"
    r"(?: from (?P<old>[\w$€£.,%-]+(?: [\w%]+)?))? to (?P<new>[$€£]?\d.*)$"
)
"""A number that something is brought to, whatever the verb: the noun says that it has one."""


_CARRYING = word_set("be have do get use take drive walk carry go come give send ride run pay mail ship")
"""Verbs whose "to" tells where or to whom."""


def is_told_to(match: re.Match[str]) -> bool:
    """Whether someone is told to set it: "Please bump the version to 3.0"; what is mine is as it is told to be."""
    who = match.groupdict().get("by")
    if not who or re.match(r"(?i)my ", match["what"]):
        return False
    plain = FORMS.get(match["verb"], ("", ""))[1] == "base" and not match["aux"]
    return not is_name(who) or (plain and match["verb"] not in ("set", "cut", "put"))


def set_anyhow(text: str) -> re.Match[str] | None:
    """A thing that is known to have one value and is given a number: "cranked the timeout up to 90 seconds"."""
    match = _ANY_SETS.match(text) or ANY_RISES.match(text)
    if match is None:
        return None
    base, form = FORMS.get(match["verb"].lower(), ("", "past" if match["verb"].endswith("ed") else ""))
    known = attribute(match["what"].split()[-1])
    able = known.known and known.holds == "one" and not known.relation and known.category != "people"
    return match if able and form and base not in _CARRYING and not is_told_to(match) else None


STORING = word_set("storing hosting keeping archiving saving")
_STORES = re.compile(
    r"(?i)^(?:we|i) (?:are )(?:now |currently )?(?:storing|hosting|keeping|archiving|saving) (?:all )?(?:of )?(?:the |"
    r"our |my )?"
    r"(?P<what>[a-z][\w-]*(?: [a-z][\w-]*)?) (?:in|on|at|under|with) (?P<v>(?-i:[A-Z]).+)$"
)


def stored(text: str) -> str:
    """ "We're storing uploads in R2 now" as what is true of the uploads; empty where it is no such thing."""
    match = _STORES.match(text)
    be = "are" if match and match["what"].endswith("s") else "is"
    return f"the {match['what']} {be} now stored in {match['v']}" if match else ""


_ARTICLE = re.compile(r"(?i)^(?:the|my|our) ")
_DONE_ANEW = re.compile(
    r"(?i)^(?:i|we|they) (?:have |had to |just |finally )*re-?(?P<done>licensed|hosted|deployed|designed|packaged|"
    r"tagged|platformed|homed|label+ed|routed|priced) (?P<what>(?:the|"
    r"our) (?:[\w-]+ ){0,2}?[\w-]+) "
    r"(?P<link>under|on|in|with|at|as) (?P<v>(?-i:[A-Z\d`/]).*)$"
)
"""What was done to a thing once more, and so holds of it now: "we relicensed the SDK under Apache"."""
_NEW_FOR = re.compile(
    r"(?i)^(?:the )?new (?P<key>[a-z]+(?: [a-z]+)?) (?:for|of|at) (?P<what>(?:the |"
    r"our )?[\w-]+(?: [\w-]+)?)(?: is|:) (?P<v>.*\d.*)$"
)
_REACHED = re.compile(
    r"(?i)^(?P<what>(?:the |our |my )?(?:[a-z]+ )?[a-z]+) (?:has |have |just |now |finally )*(?:hit|reached|"
    r"crossed|passed|topped) "
    r"(?P<v>[$€£]?\d[\d.,]*[km]?%?(?: [a-z]+)?)(?: (?:this|last) \w+)?$"
)
_GROWS = word_set(
    "mrr arr revenue turnover headcount traffic subscribers followers users customers sales coverage uptime"
)
"""What has one measure at a time, that goes up and down."""


_A_COSTS = re.compile(
    r"(?i)^an? (?P<what>[a-z]+(?: (?!here\b|at\b|with\b)[a-z]+)?)(?: (?:here|at our place|at ours|with us))? "
    r"(?P<be>is|costs|will be|will cost) "
    r"(?P<now>now )?(?P<v>[$€£] ?\d[\d.,]*|\d[\d.,]* ?(?:euros?|dollars?|pounds?|bucks|francs?|cents?|"
    r"[$€£]))(?P<late> now)?$"
)
"""What one of a kind costs, wherever it is had: "a haircut here is 25 pounds"."""
_SWITCHES = word_set("enabled disabled deprecated turned switched")
_SWITCHED = re.compile(
    r"(?i)^(?:i|we|they) (?:have |just |finally )*(?P<v>enabled|disabled|deprecated|(?:turned|switched) (?:on|"
    r"off)) (?:the |our )?"
    r"(?P<what>(?:[\w-]+ ){0,2}(?:flag|feature|toggle|alert|alerts|rule|setting|job))(?: for (?:everyone|"
    r"everybody|all users))?$"
)
"""What was switched on or off, and is so now."""


def grown(text: str, words: frozenset[str]) -> str:
    """ "We relicensed the SDK under Apache 2.0", "new number for the shop: …", "MRR hit 22k": what is so now."""
    if match := _DONE_ANEW.match(text):
        return f"{match['what']} is now {match['done'].lower()} {match['link']} {match['v']}"
    if "new" in words and (match := _NEW_FOR.match(text)):
        return f"the {match['key']} of the {_ARTICLE.sub('', match['what'])} is now {match['v']}"
    if text[:2].lower() in ("a ", "an") and (match := _A_COSTS.match(text)):
        now = "now " if match["now"] or match["late"] else ""
        return f"the {match['what']} {'will cost' if 'will' in match['be'] else now + 'costs'} {match['v']}"
    if not _SWITCHES.isdisjoint(words) and (match := _SWITCHED.match(text)):
        state = {"turned on": "on", "switched on": "on", "turned off": "off", "switched off": "off"}
        return f"the {match['what']} is {state.get(match['v'].lower(), match['v'].lower())} now"
    match = _REACHED.match(text) if not _GROWS.isdisjoint(words) else None
    return f"our {_ARTICLE.sub('', match['what'])} is now {match['v']}" if match else ""


_MOVED = re.compile(
    r"(?i)^(?:the|our) (?P<what>(?:[a-z][\w-]* )?(?:docs|documentation|wiki|runbooks?|tickets|code|repo|"
    r"repository|logs|metrics|"
    r"backups?|config|configuration|dashboards?|site|blog|files|photos|assets|images|secrets|data)) (?:has |have |"
    r"just |"
    r"were |was )*moved to (?P<v>[\w./:-]+(?: [A-Z][\w.-]*)?)$"
)


def elsewhere(text: str) -> str:
    """ "The docs moved to Notion", as where they are now."""
    match = _MOVED.match(text)
    if match is None:
        return text
    return f"the {match['what']} now {'live' if match['what'].endswith('s') else 'lives'} in {match['v']}"
