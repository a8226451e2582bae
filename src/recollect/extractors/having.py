"""Statements about what someone has and is: family, pets, health, possessions, languages, skills, age."""

from __future__ import annotations

import re

from recollect.extractors import values
from recollect.extractors.patterns import Found, Groups, rows_of, says_each
from recollect.extractors.people import NAME, is_name
from recollect.extractors.verbs import Predicate
from recollect.facts.attributes import attribute
from recollect.text.values import word_set

row = rows_of(__name__)

_TITLED = re.compile(r"(?:Dr|Prof|Mrs?|Ms)\b")

_CONDITIONS = re.compile(
    r"(?i)\b(?:asthma|diabetes|type [12] diabetes|migraines?|adhd|add|autism|anxiety|depression|epilepsy|eczema|"
    r"psoriasis|arthritis|hypertension|high blood pressure|high cholesterol|celiac disease|coeliac disease|"
    r"crohn'?s(?: disease)?|ibs|ptsd|ocd|insomnia|sleep apnea|hay fever|cancer|anemia|endometriosis|pcos|"
    r"hypothyroidism|hyperthyroidism|dyslexia|scoliosis|tinnitus|vertigo|heart (?:disease|condition|problem)|back "
    r"(?:pain|problems?)|bad (?:back|knee|knees)|chronic [\w ]+|[\w]+ (?:disease|syndrome|disorder)|astigmatism|"
    r"lupus|gout|glaucoma|fibromyalgia)\b"
)
_AFFLICTED = (
    r"(?:(?:type [12] )?diabetic|asthmatic|colou?r[- ]?blind|dyslexic|autistic|epileptic|deaf|blind|ana?emic|bipolar|"
    r"celiac|coeliac|(?:short|near|long|far)[- ]?sighted|hard of hearing|partially sighted|arthritic|dyspraxic|"
    r"hypertensive|infertile|ha?emophiliac|narcoleptic|paraplegic)"
)
_MEDICINE = re.compile(
    r"(?i)^(?P<v>(?!the |a |an |my (?!med|pill)|this |that |care|place|part|it )[\w -]{3,40}?)(?: (?:\d+ ?mg|for "
    r"my|for (?=\w+$)|every (?:day|morning|evening|night)|daily|"
    r"twice a day|once a day).*)$"
)
_MEDICINE_WORD = re.compile(
    r"(?i)\b(?:\w+(?:formin|profen|olol|pril|sartan|mab|cillin|statin|azole|azepam|oxetine|traline|thyroxine|amol|"
    r"mycin|parin|sone|oxen|fenac|zine|idine|azepine|dipine|gabalin|triptan|lukast|prazole|thiazide|tadine|pram|cycline|"
    r"semide|gliptin|flozin|dronate|terol|trexate|phenidate)|warfarin|lithium|xanax|prozac|zoloft|adderall|ritalin|ventolin|"
    r"insulin|aspirin|medication|antibiotics|vitamin \w+|"
    r"vitamins|supplements|pills|statins|antidepressants|antihistamines|birth control|melatonin|iron|magnesium|zinc|"
    r"omega-?3|fish oil|probiotics|b12|creatine|collagen|turmeric|folic acid)$"
)

_LINKING = re.compile(
    r"(?i)(?:for|on|with|at|in|as|by|to|of|it|this|that|them|around|again|along|together|against|my|one|games?|"
    r"more|well|now|every|each|\w+ly|\w+ing)\b"
)


def condition(groups: Groups, predicate: Predicate) -> list[Found]:
    found = [match[0] for item in values.items(groups["v"]) if (match := _CONDITIONS.match(values.bare(item)))]
    return [Found("condition", value, many=len(found) > 1 or None) for value in found]


def medicine(groups: Groups, predicate: Predicate) -> list[Found]:
    items = values.items(groups["v"], "for", "every", "daily", "twice", "once", "in", "at", "before", "after")
    if len(items) > 1 and _MEDICINE_WORD.search(items[0]):
        return [Found("medication", values.bare(item), many=True) for item in items if len(item.split()) <= 3]
    match = _MEDICINE.match(groups["v"])
    value = match["v"] if match else values.one(groups["v"], "for")
    if not value or not (_MEDICINE_WORD.search(value) or re.search(r"(?i)\d ?mg\b", groups["v"])):
        return []
    return [Found("medication", values.bare(value))]


def diet_of_no(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "don't eat meat" is a restriction; "no longer eat meat" also ends the eating."""
    if groups["v"].lower().startswith(("much", "out", "at ", "in ", "enough", "well", "any of")):
        return []
    if of_no := re.match(r"(?i)any(?:thing) (?P<v>[\w-]+)$", values.cut(groups["v"])):
        nothing = f"nothing {of_no['v']}"
        kept = predicate.negated and not predicate.ended and predicate.tense == "present"
        return [Found("dietary restriction", nothing, kind="state", text=f"eats {nothing}")] if kept else []
    found = [values.bare(item) for item in values.items(groups["v"], "for", "at", "in", "with")]
    if predicate.ended or (predicate.negated and predicate.tense == "perfect"):
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
    eaten = [
        Found("eats", value, many=len(found) > 1 or None)
        for value in found
        if predicate.tense in ("present", "formerly")
    ]
    again = "again" in predicate.adverbs and predicate.tense == "present"
    return [*eaten, *(over for value in found for over in allowed_again(value))] if again else eaten


_FROM_ANIMALS = word_set("meat fish chicken beef pork steak bacon dairy cheese eggs seafood burgers")


def allowed_again(food: str) -> list[Found]:
    """What is over for one who eats something again: that they did not, and the diet that forbade it."""
    diets = [Found("diet", "", kind="ending")] if food.split()[-1].lower() in _FROM_ANIMALS else []
    return [Found("dietary restriction", f"no {food}", kind="ending", negated=True), *diets]


def speaks(groups: Groups, predicate: Predicate) -> list[Found]:
    found = []
    said = re.sub(r"(?i) (?:at|in|with) (?:home|work|school|uni|(?:my|the|our) \w+)(?=,| and |$)", "", groups["v"])
    for item in values.items(said, "at", "with", "to", "in", "as"):
        match = re.search(r"[A-Z][a-z]+(?: [A-Z][a-z]+)?", item) or re.match(
            r"(?i)^[a-z]{4,12}(?:ese|ish|ian|an|ch|ic|in|di)$", item
        )
        found += [match[0]] if match else []
    return [Found("language", value, many=len(found) > 1 or None) for value in found]


_PLAY_ENDS = ("with", "for", "on", "at", "in", "every", "each", "twice", "once", "most", "sometimes", "since", "from")


def plays(groups: Groups, predicate: Predicate) -> list[Found]:
    items = [values.bare(item) for item in values.items(groups["v"], *_PLAY_ENDS)]
    then = re.search(
        r"(?i)\b(?:in|at|during) (?:(?:high |middle |primary |elementary )?school|college|uni|"
        r"university)\b",
        groups["v"],
    )
    if then and predicate.tense == "past":
        return [Found("plays", item, kind="past") for item in items[:1] if len(item.split()) <= 3]
    if predicate.tense == "future" or (predicate.tense == "perfect" and not predicate.ongoing):
        return []
    return [
        Found("plays", item, many=len(items) > 1 or None)
        for item in items
        if len(item.split()) <= 3 and not _LINKING.match(item)
    ]


row("have", r"(?:got )?an? (?P<v>[\w ]+?) allergy", "allergy")
row("have develop", r"(?:got )?(?:an? )?(?:\w+ )?allerg(?:y|ies) to (?P<v>.+)", says_each("allergy"))
row("have", r"(?:got )?(?:an? )?(?P<v>[\w ]+?) intolerance", "intolerance")
row("have develop", r"(?:got )?(?P<v>.+)", condition)
row("be", r"subscribed to (?P<v>.+)", says_each("subscribes to", "for", "since", "in"))
row(
    "have get take",
    r"(?:out )?(?:an?|my|our) (?:\w+ )?subscription (?:to|for|with) (?P<v>(?:the )?(?-i:[A-Z]).+)",
    says_each("subscribes to", "for", "since", "in"),
)
row(
    "have hold",
    r"(?:got )?(?:an? )?(?:dual )?(?P<v>(?-i:[A-Z])[a-z]+(?:(?:,| and|, and) (?-i:[A-Z])[a-z]+)*) "
    r"(?:citizenships?|nationality|passports?)$",
    says_each("nationality"),
)
row("subscribe", r"to (?P<v>(?:the )?(?-i:[A-Z]).+)", says_each("subscribes to", "for", "since"))
_GROUPS = (
    r"(?:club|choir|band|society|orchestra|board|committee|council|league|union|association|church|troupe|ensemble|"
    r"quartet|congregation|parish|guild|brigade|corps|scouts)"
)
row(
    "be sing play serve sit act row sail dance",
    rf"(?:in|on|with|for) (?P<v>(?:the|a|my|our|an) (?:[\w'-]+ ){{0,3}}?{_GROUPS})\b(?! (?:member|lead|manager|"
    rf"{_GROUPS}))",
    lambda groups, p: (
        [Found("member of", values.bare(groups["v"]))]
        if p.tense in ("present", "formerly") and (not p.negated or p.ended) and " " in values.bare(groups["v"])
        else []
    ),
)
row("be", r"(?:just |now |recently )?(?:prescribed|started on|put on) (?P<v>.+)", medicine, change=True)


row("suffer", r"from (?P<v>.+)", says_each("condition", "since"))
row("take", r"(?:on )?(?P<v>.+)", medicine)
row("be", r"on (?P<v>.+)", medicine)
row(
    "expect",
    r"(?:(?P<v>an? baby|a child|twins|a (?:boy|girl|son|daughter)|our \w+(?: child| baby)?)\b)",
    lambda groups, p: (
        [Found("plan", "have a baby", kind="plan", text=f"is expecting {groups['v']}")] if p.ongoing else []
    ),
)
row("eat", r"(?P<v>(?!for|at|in|out|on|breakfast|lunch|dinner|too|before|after|when|there|it)\w.+)", diet_of_no)
row("drink smoke", r"(?P<v>.+)", lambda groups, p: drink_or_smoke(groups, p))
row(
    "drink",
    r"$",
    lambda groups, p: (
        [Found("avoids", "alcohol", kind="state")] if p.negated and not p.ended and p.tense == "present" else []
    ),
)
row(
    "have",
    r"(?P<v>(?:dairy|gluten|nuts|caffeine|alcohol|sugar|lactose|meat|eggs|shellfish|seafood|wheat|soy|spicy "
    r"food|red meat)\b.*)",
    lambda groups, p: diet_of_no(groups, p) if p.can and p.negated else [],
)
row(
    "have agree settle decide set go use get",
    r"(?:on |with |for )?(?:an?|the|our|my) (?:new )?(?P<key>[a-z][\w ]{2,20}?) of (?P<v>[$€£]?\d.*)",
    lambda groups, p: key_of(groups, p),
    change=True,
)
row(
    "have hire employ",
    rf"(?:got )?(?:an?|our|my) (?:\w+ )?(?P<role>cleaner|nanny|gardener|au pair|babysitter|driver|plumber|"
    rf"electrician|cook|tutor|"
    rf"trainer|assistant|housekeeper|carer|handyman|bookkeeper|agent|broker|childminder|dog walker|intern)"
    rf"(?:,| called| named|, called) (?P<v>{NAME})$",
    lambda groups, p: [Found(groups["role"].lower(), groups["v"])] if is_name(groups["v"]) and not p.negated else [],
)
_AMOUNT = (
    r"(?:[$€£] ?\d[\d.,]*|\d[\d.,]* ?(?:euros?|dollars?|pounds?|bucks|francs|[$€£])) (?:a|per) (?:month|year|week)"
)


def paid(groups: Groups, predicate: Predicate) -> list[Found]:
    """What a thing by its name costs: "we pay 15 euros a month for Netflix"."""
    if predicate.negated or not (is_name(groups["what"]) or groups["what"].islower()):
        return []
    return [Found("costs", groups["v"], subject=groups["what"], confidence=0.8)]


row(
    "pay",
    r"(?P<v>[$€£]? ?\d[\d.,]*(?: ?(?:k|euros?|dollars?|pounds?|bucks))?(?: (?:a|per) month)?)(?: a "
    r"month)?(?: in| for)? rent\b",
    "rent",
)
row(
    "pay",
    rf"(?P<v>{_AMOUNT}) (?:for|to) (?P<what>(?-i:[A-Z])[\w+.'-]*(?: (?-i:[A-Z+])[\w+.'-]*){{0,2}})(?: now)?$",
    paid,
)
row(
    "pay",
    r"(?P<v>[$€£] ?\d[\d.,]*|\d[\d.,]* ?(?:euros?|dollars?|pounds?|bucks|francs)(?: (?:a|per) (?:month|year|"
    r"week))?) for "
    r"(?:my|our) (?P<what>(?:[a-z-]+ )?(?:plan|contract|insurance|membership|subscription|internet|broadband|"
    r"electricity|gas|"
    r"parking|season ticket|gym|nursery|daycare))(?: now)?$",
    paid,
)
row(
    "date see",
    rf"(?:(?:someone|an? (?:[a-z]+ ){{0,2}}(?:guy|girl|woman|man|lady|bloke|person|colleague|lad))(?:,? (?:called|"
    rf"named)|,) )?(?P<v>{NAME})$",
    lambda groups, p: (
        [Found("partner", groups["v"])]
        if p.ongoing and is_name(groups["v"]) and not p.negated and not _TITLED.match(groups["v"])
        else []
    ),
)
row(
    "see go",
    rf"(?:to )?(?P<v>(?-i:(?:Dr|Prof)\.? ){NAME})(?P<why> (?:for|about) (?:my|his|her|our) .+)?$",
    lambda groups, p: (
        [Found("dentist" if re.search(r"(?i)\b(?:teeth|tooth)\b", groups["why"]) else "doctor", groups["v"])]
        if p.tense == "present" and not p.negated and (groups["why"] or "now" in p.adverbs)
        else []
    ),
)
row(
    "marry",
    rf"(?P<v>{NAME})$",
    lambda groups, p: [Found("relationship", "married"), Found("partner", groups["v"])] if is_name(groups["v"]) else [],
    change=True,
)
row(
    "be",
    r"(?:an? )?(?:proud |single |working )?(?:mom|mum|mother|dad|father|parent) of (?P<v>\d+|two|three|four|"
    r"five|six)\b",
    "number of children",
)
row(
    "be",
    rf"(?P<v>{_AFFLICTED}(?:(?:,| and|, and) {_AFFLICTED})*)\b",
    lambda groups, p: [
        Found("condition", one.lower(), many=" and " in groups["v"] or None, text=f"is {one.lower()}")
        for one in values.items(groups["v"])
    ],
)
row(
    "smoke",
    r"(?:$|(?:about |around |like |roughly )?[\w-]+ (?:cigarettes |packs? )?(?:a|per|every) day)",
    lambda groups, p: smoker(p),
)
row(
    "do",
    r"(?P<v>(?:any )?(?:dairy|gluten|lactose|wheat|nuts|peanuts|shellfish|seafood|spicy food|spicy|sugar|caffeine|meat|"
    r"pork|fish|eggs?|soy|alcohol|mushrooms))$",
    lambda groups, p: diet_of_no({"v": groups["v"]}, p) if p.can and p.negated else [],
)
row("speak", r"(?:fluent |a little |a bit of |some |basic |native )*(?P<v>.+)", speaks)
row(
    "learn",
    r"(?:to (?:speak|play(?: the)?|code in|program in) |how to |the (?=(?:drums|piano|guitar|violin|cello|flute|"
    r"saxophone|"
    r"trumpet|ukulele|banjo|accordion|harp|bass|clarinet|mandolin|oboe|organ)\b))?"
    r"(?P<v>(?!about|that|this|these|from|more|a lot|to |how|what|so|the)\w.+)",
    lambda groups, p: learning(groups, p),
)
row(
    "know",
    r"(?:a (?:bit|little|lot)(?: of)? |some |basic )?(?P<v>(?!I\b)(?-i:[A-Z]).*)",
    lambda groups, p: (
        []
        if p.negated or p.tense != "present"
        else says_each("knows", "from", "well", "very", "is", "was", "has")(groups, p)
    ),
)
row("play", r"(?P<v>(?!a (?:role|part|game)|around|it |with|games with).+)", plays)
row("weigh", r"(?:about |around |roughly )?(?P<v>\d[\d.,]* ?(?:kg|kgs|kilos?|kilograms?|lbs?|pounds|stone)?)", "weight")
_AGES = (
    r"(?:(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|"
    r"eighteen|nineteen)\b|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-[a-z]+)?\b)(?=$| (?:now|"
    r"today|last|"
    r"this|in|on|yesterday)\b)"
)
row("turn", rf"(?P<v>{_AGES})", "age", change=True)
row("turn", r"(?P<v>\d{1,3})\b(?! (?:minutes|hours|degrees|percent))", "age", change=True)


def key_of(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "have a budget of 2k"."""
    known = attribute(groups["key"]) if attribute(groups["key"]).known else attribute(groups["key"].split()[-1])
    plain = known.known and known.holds == "one" and not known.relation and not predicate.negated
    if plain and len(groups["key"].split()) > 1:
        known = attribute(groups["key"])
    value = values.one(groups["v"], "for", "to", "in")
    return [Found(known.name, value)] if plain and value else []


def learning(groups: Groups, predicate: Predicate) -> list[Found]:
    """What someone is learning; what they have learned says little of them."""
    if not (predicate.ongoing or predicate.ended) and predicate.tense != "future":
        return []
    return says_each("learning", "for", "with", "from", "at", "in", "on")(groups, predicate)


def drink_or_smoke(groups: Groups, predicate: Predicate) -> list[Found]:
    """What someone keeps away from; when it is bound to a time it is a habit and not read here."""
    if predicate.ended and predicate.tense == "present":
        value = f"{predicate.verb} {values.bare(values.one(groups['v'], 'at', 'in', 'on', 'before', 'after'))}"
        return [Found("habit", value, kind="ending", confidence=0.85)]
    if predicate.ended or not (predicate.negated or "never" in predicate.adverbs) or predicate.tense != "present":
        return []
    if re.search(r"(?i)\b(?:after|before|in the|at|on|when|during|with)\b", groups["v"]):
        return []
    return [Found("avoids", values.bare(item), kind="state") for item in values.items(groups["v"])]


def smoker(predicate: Predicate) -> list[Found]:
    if predicate.ended:
        return [Found("habit", "smoking", kind="ending", text="smokes")]
    if predicate.negated:
        return [Found("avoids", "smoking", kind="state")]
    return [Found("habit", "smoking", text=f"smokes {predicate.rest}".strip())]
