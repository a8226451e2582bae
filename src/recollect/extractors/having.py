"""Statements about what someone has and is: family, pets, health, possessions, languages, skills, age."""

from __future__ import annotations

import re

from recollect._values import word_set
from recollect.extractors import values
from recollect.extractors.patterns import Found, Groups, row, says_each
from recollect.extractors.people import NAME, relation_of, relation_pattern
from recollect.extractors.verbs import Predicate

_COUNT = r"(?:\d+|two|three|four|five|six|seven|eight|nine|ten|no)"
_PETS = word_set("dog cat rabbit hamster bird parrot horse fish turtle guinea pig")
_CONDITIONS = re.compile(
    r"(?i)\b(?:asthma|diabetes|type [12] diabetes|migraines?|adhd|add|autism|anxiety|depression|epilepsy|eczema|"
    r"psoriasis|arthritis|hypertension|high blood pressure|high cholesterol|celiac disease|coeliac disease|"
    r"crohn'?s(?: disease)?|ibs|ptsd|ocd|insomnia|sleep apnea|hay fever|cancer|anemia|endometriosis|pcos|"
    r"hypothyroidism|hyperthyroidism|dyslexia|scoliosis|tinnitus|vertigo|heart (?:disease|condition|problem)|back "
    r"(?:pain|problems?)|bad (?:back|knee|knees)|chronic [\w ]+|[\w]+ (?:disease|syndrome|disorder)|astigmatism|"
    r"lupus|gout|glaucoma|fibromyalgia)\b"
)
_MEDICINE = re.compile(
    r"(?i)^(?P<v>(?!the |a |an |my (?!med|pill)|this |that |care|place|part|it )[\w -]{3,40}?)(?: (?:\d+ ?mg|for "
    r"my|for (?=\w+$)|every (?:day|morning|evening|night)|daily|"
    r"twice a day|once a day).*)$"
)
_MEDICINE_WORD = re.compile(
    r"(?i)\b(?:\w+(?:formin|profen|olol|pril|sartan|mab|cillin|statin|azole|azepam|oxetine|traline|thyroxine|amol|"
    r"mycin|parin|sone)|insulin|aspirin|medication|antibiotics|vitamin \w+|"
    r"vitamins|supplements|pills|statins|antidepressants|antihistamines|birth control|melatonin|iron)$"
)
_OWNED = re.compile(
    r"(?i)^(?:an?|my own|two|three|four|my|our|\d+) (?:brand )?(?:new )?(?P<v>(?:(?!with|of|for|in|on|to|from|"
    r"issues?|problems?|trouble|new)[\w'.-]+ ){0,4}?(?:car|house|apartment|flat|condo|bike|bicycle|motorcycle|"
    r"motorbike|scooter|boat|truck|van|laptop|macbook|pc|computer|phone|iphone|ipad|tablet|camera|guitar|piano|"
    r"violin|keyboard|garden|pool|printer|telescope|drone|watch|smartwatch|fitbit|kindle|tv|television|console|"
    r"playstation|xbox|switch|headphones|bed|mattress|sofa|couch|desk|chair|oven|fridge|air fryer|grill|instant pot|"
    r"blender|coffee maker|espresso machine|treadmill|tent|kayak|surfboard|skis|snowboard|server|raspberry pi|cabin|"
    r"farm|business|company|shop|store|website|blog|podcast|youtube channel|tesla|toyota|honda|ford|bmw|audi|volvo|"
    r"vw|subaru|mazda|bakery|restaurant|cafe|café|startup|salon|agency|hotel))(?=$|[,.]|\s(?:for|from|at|with|in|on|"
    r"and|that|which|to|so|but|as|by|back|during|because|too)\b)"
)

_LINKING = re.compile(
    r"(?i)(?:for|on|with|at|in|as|by|to|of|it|this|that|them|around|again|along|together|against|my|one|games?|"
    r"more|well|now|every|each|\w+ly|\w+ing)\b"
)


def relative(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "have a sister named Anna", "have two kids", "have a dog"."""
    relation = relation_of(groups["rel"]) or ""
    names = re.findall(NAME, groups["names"])
    pet = relation in _PETS or relation == "guinea pig" or relation == "pet"
    if names:
        return [Found(relation, name, many=len(names) > 1 or None) for name in names]
    if groups["count"] and relation in ("child", "sister", "brother") and groups["count"].lower() != "no":
        return [
            Found("number of children" if relation == "child" else f"number of {relation}s", groups["count"].lower())
        ]
    if pet:
        kind = values.bare(groups["rel"].lower())
        return [
            Found("pet", f"{groups['count']} {kind}".strip() if groups["count"] else f"{groups['adj']}{kind}".strip())
        ]
    if predicate.negated or groups["count"].lower() == "no":
        return []
    return [Found("family", f"{groups['count'] or 'a'} {groups['adj']}{groups['rel']}".strip())]


def owned(groups: Groups, predicate: Predicate) -> list[Found]:
    match = _OWNED.match(groups["v"])
    if match is None or (predicate.negated and " " in match["v"]):
        return []
    if predicate.verb == "get" and re.match(r"(?i)(?:my|our) (?!new|own)", groups["v"]):  # "got my bike serviced"
        return []
    value = match["v"]
    return [
        Found(
            "car"
            if re.search(r"(?i)\bcar$|tesla|toyota|honda|bmw|audi|volvo$", value) and value.lower() != "car"
            else "possession",
            value,
        )
    ]


def condition(groups: Groups, predicate: Predicate) -> list[Found]:
    match = _CONDITIONS.match(values.bare(groups["v"]))
    return [Found("condition", match[0])] if match else []


def medicine(groups: Groups, predicate: Predicate) -> list[Found]:
    match = _MEDICINE.match(groups["v"])
    value = match["v"] if match else values.one(groups["v"])
    if not value or not (_MEDICINE_WORD.search(value) or "mg" in groups["v"]):
        return []
    return [Found("medication", values.bare(value))]


def drives(groups: Groups, predicate: Predicate) -> list[Found]:
    value = values.bare(values.one(groups["v"], "to", "from", "for", "with", "around"))
    return [Found("car", value)] if value and len(value.split()) <= 6 else []


def diet_of_no(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "don't eat meat" is a restriction; "no longer eat meat" also ends the eating."""
    if groups["v"].lower().startswith(("much", "out", "at ", "in ", "enough", "well", "any of")):
        return []
    found = [values.bare(item) for item in values.items(groups["v"], "for", "at", "in", "with")]
    if predicate.ended:
        return [
            piece
            for value in found
            for piece in (
                Found("eats", value, kind="ending"),
                Found("dietary restriction", f"no {value}", kind="update"),
            )
        ]
    if predicate.negated or "never" in predicate.adverbs:
        return [Found("dietary restriction", f"no {value}", kind="state") for value in found]
    return [
        Found("eats", value, many=len(found) > 1 or None)
        for value in found
        if predicate.tense in ("present", "formerly")
    ]


def speaks(groups: Groups, predicate: Predicate) -> list[Found]:
    found = []
    for item in values.items(groups["v"], "at", "with", "to", "in", "as"):
        match = re.search(r"[A-Z][a-z]+(?: [A-Z][a-z]+)?", item) or re.match(
            r"(?i)^[a-z]{4,12}(?:ese|ish|ian|an|ch|ic|in|di)$", item
        )
        found += [match[0]] if match else []
    return [Found("language", value, many=len(found) > 1 or None) for value in found]


def plays(groups: Groups, predicate: Predicate) -> list[Found]:
    items = [values.bare(item) for item in values.items(groups["v"], "with", "for", "on", "at", "in")]
    if predicate.tense in ("past", "future") or (predicate.tense == "perfect" and not predicate.ongoing):
        return []
    return [
        Found("plays", item, many=len(items) > 1 or None)
        for item in items
        if len(item.split()) <= 3 and not _LINKING.match(item)
    ]


_RELATIVE = (
    rf"(?:got )?(?:(?P<count>{_COUNT})|an?|my|another|one|some) (?P<adj>(?:(?!(?:for|of|to|with|in|on|my|the|and|"
    rf"that|from)\b)[a-z-]+ ){{0,3}}?)(?P<rel>{relation_pattern()})s?(?: girl| boy)?(?=$|[,.:]|\s(?:who|that|which|"
    rf"named|called|whose|and|in|at|from|with|for|on|so|but|back|too|as)\b)(?P<names>,? (?:named|called|whose "
    rf"names? (?:is|are)|and (?:his|her|its) name is) .+|[,:] (?-i:[A-Z]).+)?"
)
row("have raise", _RELATIVE, relative)
row("get adopt buy", _RELATIVE, relative, change=True)
row("have", r"(?:got )?an? (?P<v>[\w ]+?) allergy", "allergy")
row("have", r"(?:got )?(?:an? )?(?:\w+ )?allerg(?:y|ies) to (?P<v>.+)", says_each("allergy"))
row("have", r"(?:got )?(?:an? )?(?P<v>[\w ]+?) intolerance", "intolerance")
row("have develop", r"(?:got )?(?P<v>.+)", condition)
row("have own lease rent", r"(?:got )?(?P<v>.+)", owned)
row("run", r"(?P<v>(?:an?|my|our) .+)", owned)
row("buy purchase get", r"(?:myself )?(?P<v>.+)", owned, change=True)
row("suffer", r"from (?P<v>.+)", says_each("condition", "since"))
row("drive", r"(?P<v>(?:an?|my) (?!lot|bit).+)", drives)
row("take", r"(?P<v>.+)", medicine)
row("eat", r"(?P<v>(?!for|at|in|out|on|breakfast|lunch|dinner|too|before|after|when|there|it)\w.+)", diet_of_no)
row("drink smoke", r"(?P<v>.+)", lambda groups, p: drink_or_smoke(groups, p))
row("smoke", r"$", lambda groups, p: smoker(p))
row("avoid", r"(?P<v>.+)", says_each("avoids", "for", "in", "at"))
row("speak", r"(?:fluent |a little |a bit of |some |basic |native )*(?P<v>.+)", speaks)
row(
    "learn",
    r"(?:to (?:speak|play|code in|program in) |how to )?"
    r"(?P<v>(?!about|that|this|these|from|more|a lot|to |how|what|so|the)\w.+)",
    lambda groups, p: learning(groups, p),
)
row(
    "know",
    r"(?P<v>(?!I\b)(?-i:[A-Z]).*)",
    lambda groups, p: (
        []
        if p.negated or p.tense != "present"
        else says_each("knows", "from", "well", "very", "is", "was", "has")(groups, p)
    ),
)
row("play", r"(?P<v>(?!a (?:role|part|game)|around|it |with|games with).+)", plays)
row("weigh", r"(?:about |around |roughly )?(?P<v>\d[\d.,]* ?(?:kg|kgs|kilos?|kilograms?|lbs?|pounds|stone)?)", "weight")
row("turn", r"(?P<v>\d{1,3})\b(?! (?:minutes|hours|degrees|percent))", "age", change=True)


def learning(groups: Groups, predicate: Predicate) -> list[Found]:
    """What someone is learning; what they have learned says little of them."""
    if not predicate.ongoing and predicate.tense != "future":
        return []
    return says_each("learning", "for", "with", "from", "at", "in", "on")(groups, predicate)


def drink_or_smoke(groups: Groups, predicate: Predicate) -> list[Found]:
    """What someone keeps away from; when it is bound to a time it is a habit and not read here."""
    if predicate.ended or not (predicate.negated or "never" in predicate.adverbs) or predicate.tense != "present":
        return []
    if re.search(r"(?i)\b(?:after|before|in the|at|on|when|during|with)\b", groups["v"]):
        return []
    return [Found("avoids", values.bare(item), kind="state") for item in values.items(groups["v"])]


def smoker(predicate: Predicate) -> list[Found]:
    if predicate.ended:
        return [Found("habit", "smoke", kind="ending", text="smokes")]
    if predicate.negated:
        return [Found("avoids", "smoking", kind="state")]
    return [Found("habit", "smoke", text="smokes")]
