"""Statements that name what they are about: "my favorite color is blue", "the staging port is 5433"."""

from __future__ import annotations

import re
from dataclasses import replace

from recollect.extractors import plainly, values
from recollect.extractors.keywords import SUMS
from recollect.extractors.passing import COUNTED, EXACT, passing
from recollect.extractors.patterns import Found
from recollect.extractors.people import relation_of
from recollect.extractors.posts import is_post
from recollect.extractors.programs import SOFTWARE, kind_of_program
from recollect.extractors.things import is_kept, where_kept
from recollect.facts.attributes import Attribute, attribute
from recollect.records import USER, Kind
from recollect.text.values import is_plural, word_set

_BE = (
    r"(?:is no longer|are no longer|is|are|was|were|isn't|aren't|is not|are not|has become|became|will be|"
    r"has been|changed to|has changed to|"
    r"went (?:up|down) to|increased to|dropped to|(?:got |was |has been |has )?moved to|has been raised to|"
    r"has been lowered to|=)"
)
_MY = re.compile(
    rf"(?i)^(?:my|our) (?P<key>(?:[\w'&/.-]+ ){{1,6}}?)(?P<be>{_BE}) (?P<adverb>(?:now|actually|currently|still|"
    rf"also|always|usually|really) )*(?P<v>.+)$"
)
_INCLUDE = re.compile(r"(?i)^((?:my|our) (?:[\w-]+ ){0,2}[\w-]+s) (?:also )?include ")
"""Some of what is told are values too: "my hobbies include sailing"."""
_NOTHING = re.compile(
    r"(?i)^(?:the )?(?:question|point|problem|issue|guess|understanding|concern|thing|idea|thought|thoughts|answer|"
    r"opinion|bad|fault|turn|response|request|mistake|hope|worry|fear|feeling|impression|sense|argument|theory|"
    r"advice|suggestion|experience|situation|apologies|pleasure|way|life|day|week|weekend|morning|time|mind|head|"
    r"heart|body|stomach|back|feet|legs|eyes|main [\w ]+|only [\w ]+|next question|first [\w ]+|biggest [\w ]+|last "
    r"[\w ]+|next step|reason|reasons|plan|plans|intention|result|results|task|one|ones|other|others|rest|same|both|"
    r"whole|best bet|prompt|message|word|words|take|read|assumption|expectation|expectations)$"
)
_NEGATED = re.compile(r"(?i)n't|\bnot\b|no longer")
_CHANGED = re.compile(r"(?i)^(?:has become|became|.+ to)$")
_INSTEAD = re.compile(r"(?i)^(?:not )?(?P<old>[^,]+?),? but (?:rather )?(?P<new>.+)$")
_EVENT_NOUN = re.compile(
    r"(?i)\b(?:flight|appointment|meeting|interview|exam|wedding|trip|vacation|holiday|party|concert|surgery|"
    r"graduation|anniversary|reservation|conference|presentation|checkup|check-up|game|race|marathon|deadline|train|"
    r"lesson|class|call|visit|date|ceremony|performance|recital|move|start date|due date|session|workshop|retreat|"
    r"show|match|tournament)"
    r"(?P<more> (?:to|with|at|for|in|from|about) (?:(?:the|my|our) )?[\w'.&-]+(?: [\w'.&-]+){0,2})?$"
)
"""What takes place at a time, with where to or with whom: "flight to Denver"."""
_A_TIME = re.compile(
    r"(?i)(?:on|at|in|this|next|tomorrow|today|tonight)\b.*|.*(?:\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b).*"
)

_ACTIVITIES = word_set("hobby likes dislikes goal habit plan occupation field studies degree skill")
"""Attributes whose values may be what someone does: "my job is accounting"."""
_CALLED = re.compile(
    r"(?i)^(?:(?:(?:an?|some) (?:[a-z-]+ ){1,3})?(?:called|named)|someone called|spelled|pronounced|located (?:in|"
    r"at|on)|"
    r"based (?:in|at)|situated (?:in|at)|"
    r"set to) "
)
_ING = re.compile(r"(?i)\w+ing\b")
LOOSE = re.compile(
    r"(?i)\b(?:i|we|you|he|she|they|it|that|which|who|of|for|in|on|at|to|with|and|or|is|was|by|from|about|only|"
    r"even|than|"
    r"as|same|an|a|all|every|some|any|this|these|those|very|slightly|more|most)\b"
)
"""Words that a key has only when it is more than a key."""


def is_event(key: str) -> bool:
    """Whether a key names something that takes place at a time."""
    return _EVENT_NOUN.search(key) is not None


def nothing(key: str) -> bool:
    """Whether a key is only a way of talking: "my question is", "the problem is"."""
    return _NOTHING.match(key) is not None and not (attribute(key).known or attribute(key.split()[-1]).known)


_OF_THING = re.compile(r"(?P<thing>[a-z][\w-]*(?: [a-z][\w-]*)?)'s (?P<key>[a-z][\w-]*(?: [a-z][\w-]*)?)$")
"""Something of a thing of ours: "bike's frame", "street's speed limit"."""
TIED = re.compile(
    r"(?i)^(?P<key>[a-z][\w-]*(?: [a-z][\w-]*)?) (?P<at>at|in|for|with|on) (?:the |my |our )?(?P<what>\w[\w-]*(?: "
    r"[a-z][\w-]*)?)$"
)


def of_my(text: str) -> list[Found]:
    """What "my X is Y" states of the speaker."""
    match = _MY.match(_INCLUDE.sub(r"\1 are ", text, count=1))
    if match is None:
        return []
    key, value, be = match["key"].strip(), match["v"], match["be"].lower()
    new = re.match(r"(?i)(?:new|current) |.+ (?:now|currently)$", key)
    key = re.sub(
        r"(?i) (?:now|currently|these days|at the moment|for (?:this|the) (?:year|month|quarter|season))$", "", key
    )
    key = re.sub(r"(?i)^(?:new|current|actual|own|old) | of choice$", "", key)
    if tied := TIED.match(key):  # "my contact at the bank"
        exact = values.has_name(value) or EXACT.search(value)
        key = f"{tied['key']} {tied['at']} {tied['what']}" if exact else key
    if (parted := _OF_THING.match(key)) and relation_of(parted["thing"].split()[-1]) is None:  # "my bike's frame"
        anew = new or _CHANGED.match(be) or match["adverb"]
        negated = bool(_NEGATED.search(be))
        return keyed(parted["thing"], parted["key"], value, kind="update" if anew else None, negated=negated)
    event = _EVENT_NOUN.search(key)
    dated = event is not None and event["more"] and _A_TIME.fullmatch(value)
    someone = is_post(key) and values.has_name(value) and len(value.split()) <= 4  # "our biggest competitor is Sundal"
    if (nothing(key) and not someone) or (
        LOOSE.search(key.replace("on-call", "oncall")) and not (tied and exact) and not dated
    ):
        return []
    now = "now" in (match["adverb"] or "").lower() or re.search(r"(?i)\bnow$", value) is not None
    kind: Kind | None = "update" if new or _CHANGED.match(be) or now else None
    kind = "past" if be in ("was", "were") else "plan" if be == "will be" else kind
    if be in ("is", "are") and not attribute(key).known and _BY_NAMED.match(value):
        return []  # What somebody does to it is read of the thing itself: "our DNS is managed by Registro".
    done = plainly.done_to(value) if be in ("is", "are") and not attribute(key).known else []
    if done and not attribute(done[0].attribute).known:
        return [replace(item, subject=key, kind=kind, text=f"{key} {item.text}") for item in done]
    if be == "are" and not attribute(key).known and _IN_NAMED.match(value):  # "our flags are in LaunchHub"
        return [Found("location", values.one(value), kind=kind, subject=key, confidence=0.8)]
    if be == "moved to" and attribute(key).relation:
        return []  # A person, who is now elsewhere.
    if re.match(r"(?i)born\b", value):
        return []  # Someone, and no value of theirs.
    return keyed(USER, key, value, kind=kind, negated=bool(_NEGATED.search(be)), over="longer" in be)


_BY_NAMED = re.compile(
    r"(?:now )?(?:(?:[a-z]+ed|run|built|made|led|held) by|(?:stored|hosted|kept|managed|deployed|backed up|"
    r"handled|processed|tracked|sent) (?:in|on|at|with|to|via|through)) (?:the )?[A-Z]"
)
_IN_NAMED = re.compile(r"(?:in|on|at) [A-Z]\w*(?: now)?$")
_PLACED = word_set("home location headquarters office school employer bank insurance gym")
"""What is somewhere or with someone: "my home is in Bologna"."""


_SOMEWHERE = re.compile(r"(?:in|at|on|under|behind|with|outside|near|by|here|there|back)\b")
_PENDING = re.compile(r"(?i)\b(?:application|visa|claim|request|order|appeal|permit|refund|offer|proposal|paper)$")
_DECIDED = re.compile(
    r"(?i)(?:still |now |finally |just |been )*(?P<v>pending|approved|rejected|granted|denied|refused|submitted|"
    r"accepted|under "
    r"review|on hold|shipped|cancelled)(?: (?:now|yesterday|today|last \w+|this \w+|on \w+))?$"
)
"""How something stands that is waited for, where most adjectives tell nothing that lasts."""
_AT_MEASURE = re.compile(
    r"(?i)^at (?=[$€£]|\d[\d.,]* ?(?:k|%|percent|kg|kilos?|euros?|dollars?|pounds?|degrees|points|km|miles)(?!\w))"
)
"""How a measure stands: my savings are at 15,500 euros."""


_NOT_OLD = re.compile(
    r"(?i)^(?P<new>.+?)(?:,| and) not (?!(?:get|add|do|be|have|make|just|only|to|much|that|because|so|as)\b)"
    r"(?P<old>(?:[^,\s]+ ){0,4}[^,\s]+)$"
)
"""A value set against another one; "to simplify, not get more work" sets one doing against another."""


def keyed(
    subject: str,
    key: str,
    value: str,
    *,
    kind: Kind | None = None,
    negated: bool = False,
    sure: float = 0.8,
    over: bool = False,
) -> list[Found]:
    """The values that a key is said to have; `over`: had until now."""
    known = attribute(key)
    value = _CALLED.sub("", value)
    if value.startswith("born ") or (
        value.startswith(("my ", "our ")) and not known.known and not attribute(value.split()[-1]).relation
    ):
        return []  # "Our baby girl Noor was born on 14 October" is no value of "Noor", nor is "my word is my bond" one.
    value = re.sub(r"^(?:in|at|on|near|with) (?=(?:the )?[A-Z])", "", value) if known.name in _PLACED else value
    value = _AT_MEASURE.sub("", re.sub(r"^(?:with|from) (?=[A-Z])", "", value))
    old = None
    if (negated or value.lower().startswith("not ")) and (match := _INSTEAD.match(value)):
        old, value, kind, negated = values.one(match["old"]), match["new"], "correction", False
    elif not negated and (match := _NOT_OLD.match(value)):
        old, value, kind = values.one(match["old"]), match["new"], "correction"
    if not known.known and _PENDING.search(key) and (state := _DECIDED.match(value)):
        return [
            Found(known.name, state["v"].lower(), kind=None if kind == "past" else kind, subject=subject, many=False)
        ]
    if known.category == "possessions" and _SOMEWHERE.match(value):
        return []  # "My car is at the garage"
    several = known.holds == "many" or is_plural(key.split()[-1])
    found = read_values(known.name, value, plural=several)
    doing = known.name in _ACTIVITIES or (several and len(found) > 1)
    sure_of_kind = known.known and known.category != "finance"  # "my rent is due" tells no rent
    found = [item for item in found if (doing and _ING.match(item)) or not passing(item, known=sure_of_kind)]
    if not known.known and kind == "plan" and not (values.has_name(value) or EXACT.search(value)):
        return []
    if over and not (known.known or values.has_name(value) or EXACT.search(value)):
        return []  # "my knee is no longer swollen"
    if negated and known.relation:
        found = [item for item in found if item[:1].isupper()]  # "my father is not vegan" is about him
    if negated:
        return [Found(known.name, item, kind="ending", subject=subject, negated=not over) for item in found]
    sure = 0.95 if known.known else sure
    if known.relation:
        value, *found = (_A_TITLE.sub("", one) for one in (value, *found))
        found = people_in(known, value, found)
    if known.name == "phone" and not re.search(r"\d{3}|\d[ -]\d", value):
        named = [values.bare(item) for item in found if re.search(r"[^\W\d_]", item)]  # "charged it to 80" is no phone
        return [Found("possession", item, kind=kind, subject=subject) for item in named]
    wants = known.name == "goal" and subject == USER and value.lower().startswith("to ")
    return [
        Found(
            known.name, item, kind=kind, subject=subject, text=f"wants to {item}" if wants else "", instead_of=old,
            confidence=sure, many=how_many(known, key, found, kind),
        )
        for item in found
    ]  # fmt: skip


_A_TITLE = re.compile(r"^an? (?=(?:Mr|Mrs|Ms|Dr|Prof)\b)")


def people_in(known: Attribute, value: str, found: list[str]) -> list[str]:
    """The names among the values of a relation; who does work for one may be told by one small word."""
    lower = known.category == "work" and bool(found) and " " not in found[0]
    return [item for item in found if item[:1].isupper() or lower] if value[:1].isupper() or lower else []


def how_many(known: Attribute, key: str, found: list[str], kind: Kind | None) -> bool | None:
    """Whether the values stand beside others; "my car is a Kia now" speaks of the one car."""
    plural = is_plural(key.split()[-1])
    if plural and not known.known and len(found) == 1 and _ONE_MEASURE.match(found[0]):
        return False  # How many there are, or how long each of them is.
    if len(found) == 1 and _SOMEWHERE.match(found[0]):
        return None  # Where they all are.
    if len(found) > 1 or (plural and known.holds == "one" and not is_plural(known.name)):
        return True
    one = known.name != "habit" and not (plural or known.relation)  # A routine has many habits.
    return False if known.holds == "many" and kind == "update" and one else None


_ONE_MEASURE = re.compile(
    r"(?i)(?:every|each) [\w ]+$|(?:bi)?(?:daily|weekly|monthly|hourly|quarterly|yearly)$|[$€£]? ?\d[\d.,:]*(?: "
    r"?[a-z%€$£]+(?: [a-z]+){0,2})?$|(?:one|two|three|four|five|six|seven|eight|nine|"
    r"ten|twelve) "
    r"[a-z]+(?: (?:long|each|apart|old|a [a-z]+))?$"
)


def read_values(name: str, value: str, *, plural: bool) -> list[str]:
    if name in ("birthday", "deadline"):
        value = re.sub(r"(?i)^(?:on|in|at|by) ", "", value)
        return [item for item in [values.cut(value)] if values.fits(item)]
    if name == "goal" and value.lower().startswith("to "):
        return [item for item in [values.cut(value[3:])] if values.fits(item)]
    if attribute(name).category == "finance":
        return [item for item in [values.one(value, "for")] if item]
    if name == "phone" and (digits := re.match(r"\+?\d[\d ()/-]{4,}\d", value)):
        return [digits[0]]
    if name in ("email", "website", "handle", "phone", "url", "path", "command", "address"):
        return [item for item in [values.fits(values.cut(value))] if item]
    if plural:
        return [values.bare(item) for item in values.items(value)]
    return [item for item in [values.one(value)] if item]


_OF = re.compile(
    rf"(?i)^(?P<the>the )?(?P<key>(?:[\w/-]+ ){{0,2}}[\w/-]+) (?:of|for|on|in) (?:the |our |my "
    rf")?(?P<subject>(?:[\w'./-]+ "
    rf"){{1,5}}?)(?P<be>{_BE}) (?:now |currently |still )?(?P<v>.+)$"
)
_OWN = re.compile(
    rf"^(?:[Tt]he |[Oo]ur )?(?P<subject>[\w./-]+(?: [\w./-]+){{0,3}}?)'s (?P<key>(?:[\w/-]+ "
    rf"){{1,4}}?)(?P<be>{_BE}) (?:now |currently |still )?(?P<v>.+)$"
)
_THE = re.compile(
    rf"(?i)^(?:the|our) (?P<np>(?:[\w'./`-]+ ){{1,6}}?)(?P<be>{_BE}) (?P<adverb>now |currently |still )?(?P<v>.+)$"
)
_BARE = re.compile(
    r"^(?P<np>[A-Za-z][\w./-]* (?:[A-Za-z][\w./-]* ){1,2})(?P<be>is|are|changed to|has changed to|went (?:up|"
    r"down) to) (?P<adverb>now |currently |still )?"
    r"(?P<v>(?:bi-?)?(?:weekly|daily|monthly|nightly|hourly|quarterly)|every [\w ]+|v?\d.*|[$€£]\d.*|"
    r"[a-z][\w+]*://\S+|/\S+|"
    r"[a-z][\w.]*-\d[\w.-]*|[a-z]+\d[\w.]*|[\w.-]+[/:][\w./:-]+|[#@]\w\S*|(?:two|three|four|"
    r"five|six|seven|eight|nine|ten|twelve|thirty) [a-z]+)(?: now)?$"
)
_AT_PERCENT = re.compile(
    r"^(?:[Tt]he |[Oo]ur )?(?P<np>(?:[A-Za-z][\w-]+ ){1,2})(?P<be>is) (?P<adverb>now |currently |"
    r"still )?(?:at|(?:back )?(?:up|down) (?:to|at)) (?P<v>\d[\d.,]* ?(?:%|percent))(?: now)?$"
)
_NEW = re.compile(r"(?i)^(?:new|current) ")
_SETTING = re.compile(r"(?i)^(?:default|minimum|maximum) ")
_PRECISE = re.compile(r"[`/@:#]|\d|^[A-Z]|\b[A-Z][a-z]+$|_")


_LIMITS = re.compile(r"(?i)(?:max(?:imum)?|min(?:imum)?|default|total|target|desired) [a-z-]+$")
_NO_SUBJECT = word_set(
    "best worst only usual normal asking opening closing selling starting "
    "old new other first second last next current whole same real right wrong"
)
"""What describes a value and is nothing that has one."""
_DONE_BY = re.compile(r"(?:[a-z]+ed|written|built|made|led|run|sung|held) (?:by|to|with|from) ")
"""What was done to the whole subject, and is no value of its last word."""


def of_thing(text: str) -> list[Found]:
    """What is said of something by its name: "the port of the staging database is 5433", "staging's port is 5433"."""
    if text.endswith(" now") and (found := of_thing(text.removesuffix(" now"))):
        return [item if item.kind else replace(item, kind="update") for item in found]
    for shape in (_OF, _OWN):
        if (match := shape.match(text)) and _is_thing(match["subject"]):
            bare = shape is _OF and not match["the"]
            kind = attribute(match["key"].split()[-1]).category
            told = kind in ("project", "finance") or _LIMITS.match(match["key"])
            post = is_post(match["key"]) and values.has_name(match["v"]) and len(match["v"].split()) <= 3
            named = (
                (told or is_slot(match["key"])) and " " in match["key"] and " " not in match["v"]
            )  # "default branch of the repo is master"
            if bare and not ((told and EXACT.search(match["v"])) or post or named):
                continue  # Without an article, only a key that things have and an exact value make sure of it.
            return plain_thing(match["subject"].strip(), _NEW.sub("", match["key"].strip()), match)
    if (" is " in text or " has " in text) and (match := _MEASURED.match(text)):
        return measured(match) if not is_of_a_body(match) else []
    match = _AT_PERCENT.match(text)
    if match:
        return plain_thing(USER, match["np"].strip().lower(), match)
    match = _THE.match(text) or _BARE.match(text)
    if match is None:
        return []
    if is_kept(match["np"], match["v"]):
        return where_kept(match["np"], match["v"], match["be"], match["adverb"])
    return of_compound(match["np"].strip() if match.re is _THE else lowered(match["np"].strip()), match)


def is_of_a_body(match: re.Match[str]) -> bool:
    """Whether it is a height or a weight, which without "my" is somebody's or something's: "the height is 6 ft"."""
    return match["whose"].lower() == "the" and attribute(match["np"]).category in ("identity", "health")


def lowered(phrase: str) -> str:
    """A phrase that opens a sentence as it stands within one; a name stays."""
    first = phrase.split()[0]
    return phrase if first.lower() in SOFTWARE or not first[1:].islower() else phrase[0].lower() + phrase[1:]


def measured(match: re.Match[str]) -> list[Found]:
    """ "The table is 180 cm long", "my walk to work is 2.3 km"."""
    how = (match["how"] or "").strip().lower()
    kind: Kind | None = "update" if match["now"] else None
    if how or "square" in match["v"].lower() or re.search(r"(?i)\d ?(?:sqm|m2|m²)", match["v"]):
        name = _DIMENSIONS.get(how, "size")
        return [Found(name, match["v"], kind=kind, subject=match["np"], confidence=0.8)]
    if match["whose"].lower() == "the":
        return []
    return keyed(USER, match["np"], match["v"], kind=kind)


_DIMENSIONS = {"long": "length", "wide": "width", "high": "height", "tall": "height", "deep": "depth"}
_MEASURED = re.compile(
    r"(?i)^(?P<whose>the|my|our) (?P<np>(?:[\w-]+ ){0,4}?[\w-]+) (?:is|has) (?P<now>now )?(?:about |around |roughly )?"
    r"(?P<v>\d[\d.,]* ?(?:square (?:met(?:er|re)s|feet|foot)|sqm|m2|m²|km|miles?|met(?:er|re)s?|cm|mm|m|feet|ft|"
    r"inches))"
    r"(?P<how> (?:long|wide|high|tall|deep))?(?: now)?$"
)


def _is_thing(subject: str) -> bool:
    return not re.match(
        r"(?i)^(?:it|that|this|what|there|he|she|who|let|here|how|where|when|one|today|everyone|someone|i|you|we|"
        r"they)$",
        subject.strip(),
    )


def of_compound(phrase: str, match: re.Match[str]) -> list[Found]:
    """ "the staging port": the last words that name an attribute are the key, those before it the subject."""
    words = phrase.split()
    if match["be"].lower() == "moved to" and match["v"].startswith(("/", "~/")):
        return [Found("location", values.cut(match["v"]), kind="update", subject=phrase, confidence=0.8)]
    if _SETTING.match(phrase):
        return plain_thing(USER, phrase, match)
    if len(words) == 2 and words[0].lower() in ("current", "latest", "newest") and EXACT.search(match["v"]):
        return plain_thing(USER, words[1], match)
    if words[0].lower() in ("next", "upcoming") and EXACT.search(match["v"]):
        return plain_thing(USER, phrase, match)
    if many := _SO_MANY.fullmatch(match["v"]):
        kind: Kind | None = "update" if match["adverb"] else None
        name = f"number of {many['what']}"
        return [Found(name, many["n"], kind=kind, subject=phrase, many=False, confidence=0.8)]
    for size in (2, 1):
        key = " ".join(words[-size:])
        if len(words) > size and attribute(key).known and attribute(key).category in ("project", "finance", "contact"):
            return plain_thing(" ".join(words[:-size]), key, match)
    if len(words) == 1 and attribute(phrase).known and attribute(phrase).category == "project":
        return plain_thing(USER, phrase, match)
    if phrase.lower() in _OCCASIONS and values.has_name(match["v"]):
        return plain_thing(USER, phrase.lower(), match)
    if len(words) == 1 and phrase.lower() in _SETTINGS and EXACT.search(match["v"]):
        return plain_thing(USER, phrase, match)
    if len(words) == 1 and is_slot(phrase) and kind_of_program(values.one(match["v"])):  # "the queue is RabbitMQ"
        return plain_thing(USER, phrase, match)
    exact = (
        _PRECISE.search(match["v"])
        or COUNTED.match(match["v"])
        or (_SLOTS.search(phrase) and " " not in values.one(match["v"]))
    )
    if len(words) > 1 and _PRICED.match(match["v"]) and not SUMS.search(phrase):
        return plain_thing(phrase, "costs", match)
    if len(words) > 1 and exact:
        return plain_thing(" ".join(words[:-1]), words[-1], match)
    return []


_SO_MANY = re.compile(
    r"(?:up to |down to )?(?P<n>\d[\d.,]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) "
    r"(?P<what>employees|staff|engineers|developers|people|members|nodes|replicas|instances|workers|brokers|pods|seats|"
    r"machines|servers|agents|drivers|volunteers|nurses|cooks|waiters|students|pupils|children|subscribers|customers)"
    r"(?: strong)?(?: now)?"
)
"""How many belong to a team or a site: "the Leeds branch is 15 employees now"."""
_PRICED = re.compile(r"(?i)(?:[$€£] ?\d|\d[\d.,]*k? ?(?:[$€£]|(?:euros?|dollars?|pounds?|bucks|francs?|cents?)\b))")
_SETTINGS = word_set(
    "retention quota interval threshold concurrency throughput backoff delay lifetime expiry cadence ttl sla slo lag "
    "latency bandwidth markup margin turnover headcount capacity warranty probation"
)
"""What is set to a measure, or has one, and needs no other word to be known by."""
_OCCASIONS = frozenset(("venue", "caterer", "florist", "keynote speaker", "dj", "main sponsor", "host city"))
"""What an occasion that is spoken of has one of."""
_LATELY = re.compile(r"(?i)(?<=\w) last (?:week|month|night|\w+day)$")
_SLOTS = re.compile(
    r"(?i)\b(?:balancer|registry|queue|broker|database|cache|proxy|framework|orm|linter|formatter|bundler|shell|"
    r"provider|cdn|"
    r"manager|compiler|runtime|library|engine|backend|frontend|driver|store|bucket|channel|policy|mode|strategy|level|"
    r"theme|"
    r"format|style|tier|encoding|locale|algorithm|protocol)$"
)
"""What a system has one of, and which any name can fill: "the load balancer is nginx"."""


def is_slot(key: str) -> bool:
    """Whether a key names what a system has one of: a cache, a queue."""
    return _SLOTS.search(key) is not None


def plain_thing(subject: str, key: str, match: re.Match[str]) -> list[Found]:
    """The values, when the subject and the value are short enough to be a fact and not a remark."""
    be = match["be"].lower()
    kind: Kind | None = (
        "update" if _CHANGED.match(be) or re.search(r"(?i)\b(?:is|are) now\b|^(?:the |our )?new ", match[0]) else None
    )
    kind = "past" if be in ("was", "were") else "plan" if be == "will be" else kind
    if (
        nothing(key)
        or LOOSE.search(f"{key} {subject}".replace("on-call", "oncall"))
        or len(subject.split()) > 4
        or len(match[0].split()) > 25
    ):
        return []
    if subject.lower() in _NO_SUBJECT or _DONE_BY.match(match["v"]):
        return []
    if attribute(key).name == "host" and re.match(r"\d+ [A-Za-z]", match["v"]):  # So much of something, no address.
        much = re.match(r"(?P<v>\d+ [A-Za-z]+) of (?P<what>[a-z]+)$", match["v"])
        return [Found(much["what"], much["v"], kind=kind, subject=key, confidence=0.6)] if much else []
    value = _LATELY.sub("", match["v"])
    if value.lower() in ("now", "currently", "still"):
        return []  # The day that it is now was taken for when that holds.
    found = keyed(subject, key, value, kind=kind, negated=bool(_NEGATED.search(be)), sure=0.6, over="longer" in be)
    return [item for item in found if len(item.value.split()) <= 8]
