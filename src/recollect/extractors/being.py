"""Statements about what someone is: "am vegetarian", "is 34", "was born in Rome", "are married"."""

from __future__ import annotations

import re
from dataclasses import replace

from recollect.extractors import values
from recollect.extractors.home_and_work import origin_place, place, town, within_firm, works
from recollect.extractors.patterns import Found, Groups, proper, rows_of, says, says_each
from recollect.extractors.people import NAME, relation_of
from recollect.extractors.tastes import likes
from recollect.extractors.verbs import Predicate
from recollect.facts.attributes import attribute
from recollect.text.values import singular, word_set

row = rows_of(__name__)

_DIETS = (
    r"vegetarian|vegan|pescatarian|pescetarian|flexitarian|plant-based|omnivore|omnivorous|carnivore|keto|paleo|"
    r"low[- ]carb"
)
_RESTRICTIONS = r"gluten[- ]free|dairy[- ]free|lactose[- ]free|sugar[- ]free|halal|kosher|nut[- ]free"
_STATUS = r"married|single|engaged|divorced|widowed|separated|in a relationship|recently divorced|newly single"
_OCCUPATIONS = re.compile(
    r"(?i)\b(?:nurse|doctor|teacher|engineer|developer|programmer|designer|student|lawyer|attorney|accountant|"
    r"architect|artist|writer|author|journalist|editor|chef|cook|baker|barista|waiter|waitress|bartender|manager|"
    r"consultant|analyst|scientist|researcher|professor|lecturer|librarian|dentist|surgeon|pharmacist|therapist|"
    r"psychologist|psychiatrist|physiotherapist|paramedic|vet|veterinarian|biologist|chemist|physicist|"
    r"mathematician|statistician|economist|historian|electrician|plumber|carpenter|mechanic|builder|farmer|gardener|"
    r"florist|driver|pilot|sailor|soldier|officer|firefighter|policeman|detective|photographer|filmmaker|musician|"
    r"singer|actor|actress|dancer|producer|director|translator|interpreter|tutor|coach|trainer|instructor|"
    r"freelancer|contractor|entrepreneur|founder|ceo|cto|cfo|coo|vp|president|intern|apprentice|assistant|secretary|"
    r"receptionist|administrator|admin|technician|specialist|strategist|planner|banker|broker|trader|realtor|agent|"
    r"salesperson|salesman|marketer|recruiter|cashier|clerk|hairdresser|barber|stylist|beautician|tailor|jeweler|"
    r"carer|caregiver|nanny|housewife|homemaker|retiree|pensioner|judge|politician|pastor|priest|rabbi|monk|sre|"
    r"devops|sysadmin|streamer|youtuber|blogger|influencer|podcaster|dietitian|nutritionist|midwife|optician|"
    r"courier|cleaner|janitor|welder|machinist|surveyor|curator|counselor|social worker|copywriter|data scientist|"
    r"product owner|scrum master|postdoc|phd student|principal|supervisor|lead|rep|representative|associate|buyer|"
    r"merchant|foreman|joiner|roofer|plasterer|bricklayer|fisherman|lifeguard|ranger|zookeeper|conductor|composer|"
    r"sculptor|potter|illustrator|animator|seamstress|butcher|brewer|bookkeeper|auditor|actuary|underwriter|"
    r"paralegal|vet tech|tech|"
    r"notary|diplomat|sergeant|captain|lieutenant|steward|stewardess|flight attendant|attendant|host|hostess|sommelier|"
    r"geologist|astronomer|botanist|zoologist|sociologist|anthropologist|linguist|philosopher|radiologist|cardiologist|"
    r"dermatologist|pediatrician|orthodontist|optometrist|chiropractor|masseuse|tester|executive|operator|organizer|"
    r"controller|dispatcher|inspector|coordinator|owner|partner at [\w ]+|head of [\w ]+|deputy head|deputy|caretaker|"
    r"babysitter|guide|"
    r"warden|porter|packer|picker|trainee|(?:stay|work)-at-home (?:mum|mom|dad|parent|mother|father)|novelist|poet|"
    r"dj|comedian|magician|model|athlete|footballer|referee|jockey)$"
)
_TRAITS = re.compile(
    r"(?i)^(?:[\w-]+ )?(?:morning person|night owl|early bird|early riser|introvert|extrovert|ambivert|"
    r"perfectionist|minimalist|(?:cat|dog|people|tea|coffee|beach|mountain) person|foodie|bookworm|beginner|runner|"
    r"cyclist|hiker|climber|swimmer|gamer|homebody|vegetarian|vegan|night person|light sleeper|heavy sleeper|smoker|"
    r"non-smoker|parent|single (?:mom|mother|dad|father|parent)|widow|widower|twin|only child|immigrant|veteran|"
    r"lefty|polyglot|leo|virgo|libra|scorpio|sagittarius|capricorn|aquarius|pisces|aries|taurus|gemini)$"
)
_NATIONS = (
    r"American|British|English|Scottish|Welsh|Irish|Canadian|Australian|German|French|Spanish|Portuguese|Italian|"
    r"Dutch|Belgian|Swiss|Austrian|Polish|Czech|Slovak|Hungarian|Romanian|Bulgarian|Greek|Turkish|Russian|Ukrainian|"
    r"Swedish|Norwegian|Danish|Finnish|Icelandic|Estonian|Latvian|Lithuanian|Chinese|Japanese|Korean|Vietnamese|"
    r"Thai|Indian|Pakistani|Bangladeshi|Nepali|Indonesian|Malaysian|Filipino|Singaporean|Taiwanese|Brazilian|"
    r"Argentinian|Chilean|Colombian|Peruvian|Mexican|Cuban|Nigerian|Kenyan|Ethiopian|Egyptian|Moroccan|Algerian|"
    r"Tunisian|Ghanaian|South African|Israeli|Iranian|Iraqi|Lebanese|Syrian|Saudi|Croatian|Serbian|Slovenian|"
    r"Bosnian|Albanian|Georgian|Armenian|Kazakh|Mongolian|New Zealander|Scandinavian"
)
_PRONOUNS = re.compile(r"(?i)(?:she|he|they|it|xe|ze|any)/")
_VERY = r"(?:really |very |so |super |totally |quite |pretty )*"
_FAITHS = r"Christian|Catholic|Protestant|Muslim|Jewish|Hindu|Buddhist|Sikh|atheist|agnostic|Mormon|Orthodox"


def age(groups: Groups, predicate: Predicate) -> list[Found]:
    return [Found("age", groups["v"])] if 0 < int(groups["v"]) < 125 else []


def role(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "a nurse at Mercy" is an occupation with an employer, "a night owl" a trait; the rest are no facts."""
    if predicate.negated and not predicate.ended:
        return []
    former = re.match(r"(?i)(?:an?|the) (?:former|ex-|retired|recovering|one-time) ?", groups["v"])
    if former:
        told = [replace(item, kind="past") for item in role({"v": f"a {groups['v'][former.end() :]}"}, predicate)]
        return (
            told if "retired" not in former[0].lower() else [*told, Found("occupation", "retired", text="is retired")]
        )
    said, _, where = re.sub(r"(?i)\s+(?:at|for|with) ", "\0", groups["v"], count=1).partition("\0")
    value = values.bare(values.one(said, "in", "on", "and", "from", "by", "who", "of", "based", "working", "there"))
    team, where = within_firm(where)
    firm = says("employer", "in", "and", "as", "on", named=True)({"v": where}, predicate) if where else []
    firm += team
    if firm and re.search(r"(?i)\b(?:student|pupil|undergrad)$", value):
        return [Found("occupation", value), replace(firm[0], attribute="school")]
    ranked = where and value.lower() in ("partner", "associate", "fellow", "senior partner", "junior partner")
    kin = relation_of(value.split()[-1]) if value else None
    if kin and not ranked and attribute(kin).category == "family" and not _TRAITS.match(value):
        return []  # A grandmother is none by trade.
    if ranked or (_OCCUPATIONS.search(value) and len(value.split()) <= 5):
        return [Found("occupation", value), *firm]
    if is_trade(value):
        return [Found("occupation", value, confidence=0.8), *firm]
    if re.fullmatch(_DIETS, value, re.IGNORECASE):
        return [Found("diet", value)]
    if value.lower() in ("widow", "widower"):
        return [Found("relationship", "widowed", kind="update" if "now" in predicate.adverbs else None)]
    if _TRAITS.match(value):
        article = "an" if value[:1].lower() in "aeiou" else "a"
        return [Found("trait", f"{article} {value}")]
    return []


def roles(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "we're both nurses"."""
    together = predicate.adverbs & {"both"} and not predicate.negated
    return role({"v": f"a {singular(groups['v'])}"}, predicate) if together else []


_TRADE = re.compile(
    r"(?:[a-z]{3,}(?:er|or|ist|ian|eer|(?<!hu)(?<!gentle)(?<!lay)man|woman)|[a-z]+(?:smith|wright|monger|herd|maker|"
    r"keeper|worker))$"
)
_NO_TRADE = word_set(
    "beginner runner lover believer gamer swimmer member mother father brother sister daughter teenager newcomer "
    "foreigner "
    "stranger user smoker drinker sleeper reader speaker learner hater fighter survivor winner loser customer "
    "subscriber "
    "follower supporter owner leader neighbor visitor senior junior minor major monster number matter disaster "
    "bummer killer "
    "changer breaker brainer thinker planner procrastinator worrier riser commuter walker talker listener quitter "
    "starter "
    "finisher helper maker keeper cleaner eater person pessimist optimist realist perfectionist minimalist feminist "
    "tourist "
    "vegetarian lesbian christian civilian human explorer dreamer hiker climber cyclist biker skier surfer camper "
    "traveler "
    "traveller collector fan outsider insider partner founder sponsor player teammate mentor character center error "
    "factor "
    "doctor paper order computer summer winter letter offer power tower wonder border corner water computer laptop "
    "better "
    "older younger bigger smaller faster cheaper easier later longer shorter donor carrier refugee liar sufferer "
    "sister "
    "twitcher birder bloomer influencer sucker stickler labrador terrier retriever setter pointer boxer rottweiler "
    "pincher"
)
"""Words of that ending that name no trade."""


def is_trade(value: str) -> bool:
    """Whether a noun names what someone does for a living, by its ending: "coal miner"."""
    words = value.lower().split()
    return (
        0 < len(words) <= 3 and _TRADE.match(words[-1]) is not None and words[-1] not in _NO_TRADE and value.islower()
    )


_NO_ALLERGENS = word_set(
    "mornings monday mondays work people meetings commitment exercise housework drama talk stupidity nonsense effort "
    "responsibility bullshit cleaning cooking fun change paperwork deadlines adulting"
)
"""What one is only said to be allergic to."""


def allergies(groups: Groups, predicate: Predicate) -> list[Found]:
    found = says_each("allergy", "for", "and have")(groups, predicate)
    return [item for item in found if item.value.split()[-1].lower() not in _NO_ALLERGENS and " to " not in item.value]


_NO_SPOUSE = re.compile(
    r"(?i)to (?:this|these|that|(?:my|the|his|her|their) (?:job|work|career|phone|laptop|sofa|couch|desk|sport|bike|"
    r"game|code(?:base)?|company))\b"
)


def married(groups: Groups, predicate: Predicate) -> list[Found]:
    if _NO_SPOUSE.search(predicate.rest):
        return []  # "married to my job"
    status = re.sub(r"(?i)^(?:recently|newly|happily) ", "", groups["v"].lower())
    name = re.match(NAME, groups["to"]) if groups["to"] else None
    if name and status in ("divorced", "separated", "widowed"):
        return [Found("relationship", status, kind="update")]
    return [Found("relationship", status), *([Found("partner", name[0])] if name else [])]


def parted(groups: Groups, predicate: Predicate) -> list[Found]:
    status = "divorced" if predicate.verb == "divorce" else "separated"
    return married({"v": status, "to": groups["to"]}, predicate) if predicate.tense in ("past", "perfect") else []


_WEEKDAY = re.compile(r"(?i)(?:mon|tues|wednes|thurs|fri|satur|sun)day\b")


def born(groups: Groups, predicate: Predicate) -> list[Found]:
    """A birthday, a birthplace, or both: "born in Rome on 5 May 1990"."""
    found = []
    for part in re.split(r"(?i)\s*,?\s+(?=(?:in|on|at)\s)|^(?=in|on|at)", groups["v"]):
        bit = re.sub(r"(?i)^(?:in|on|at)\s+", "", values.cut(part, "and"))
        if re.search(r"\d", bit) or re.match(r"(?i)(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", bit):
            found.append(Found("birthday", bit))
        elif bit and proper(bit, predicate) and not _WEEKDAY.match(bit):
            found.append(Found("birthplace", town(bit)))
    return found


def diet(groups: Groups, predicate: Predicate) -> list[Found]:
    return [Found("diet", groups["v"].lower())]


def restriction(groups: Groups, predicate: Predicate) -> list[Found]:
    return [Found("dietary restriction", re.sub(r"(?i)^(?:on )?(?:a )?", "", groups["v"].lower()))]


row(
    "be",
    r"(?:only |about |almost )?(?P<v>\d{1,3})(?: years?(?: old)?| yo| y/o)?(?:$|,| (?:now|already|and|but)\b)",
    age,
)
row("be", r"(?P<v>\d{1,3}) years? old\b", age)
row("be", r"(?P<v>\d[\d.,]* ?(?:cm|m|ft|feet|meters|metres|inches|'\d*\"?)(?: \d+(?: inches)?)?) tall", "height")
row("be", r"(?P<v>\d ?m ?\d{2}|\d['’]\d{1,2}\"?|\d ?ft ?\d{1,2})(?: tall)?$", "height")
row(
    "be wear take",
    r"(?:an? )?(?:(?:uk|us|eu) )?size (?P<v>\d[\d.½]*) (?:in )?(?:(?:uk|us|eu|running|my) )?shoes?\b",
    "shoe size",
)
row("be", rf"(?:an? )?(?:strict |lifelong |mostly |proud )?(?P<v>{_DIETS})\b", diet)
row("be go become turn", rf"(?:an? )?(?:strict |fully |completely )?(?P<v>{_DIETS})\b", diet, change=True)
row("be go eat", rf"(?P<v>{_RESTRICTIONS})\b", restriction)
row(
    "be",
    r"(?:severely |very |highly |extremely |deathly |mildly )?allergic to (?P<v>.+)",
    lambda groups, p: allergies(groups, p),
)
row("be", r"(?P<v>[\w-]+)[- ]intolerant", "intolerance")
row(
    "be weigh go get",
    r"(?:(?:down|up|in at|back) (?:to |at )?|at |about |around |roughly )*(?P<v>\d[\d.,]* ?(?:kg|kgs|kilos?|kilograms?|"
    r"lbs?|"
    r"pounds|stone))(?=$| and | but )",
    "weight",
    change=True,
)
row("be", r"intolerant (?:to|of) (?P<v>.+)", says_each("intolerance"))
row("be", rf"(?:on )?(?:a |the )?(?P<v>{_DIETS})(?: diet)?\b", diet)
row("follow eat keep", rf"an? (?:strict |mostly )?(?P<v>{_DIETS}|{_RESTRICTIONS}) diet\b", diet)
row(
    "be",
    r"(?:a (?:bit|little) |so |really |very )?(?:afraid|scared|frightened|terrified|petrified|phobic) of "
    r"(?P<v>(?!it\b|that\b|this\b|him\b|her\b|them\b|what\b|how\b|you\b)\w.+)",
    lambda groups, p: says_each("fear", bare=False)(groups, p) if p.tense == "present" else [],
)
row("switch move change go", rf"(?:over |back )?to an? (?P<v>{_DIETS}) diet\b", diet, change=True)
row(
    "be sit work",
    r"(?:on|in|with|part of) (?:the |our )?(?!an?\b|his\b|her\b|their\b|your\b|this\b|that\b|same\b|another\b)"
    r"(?P<v>(?:[\w&/-]+ ){0,2}[\w&/-]+) (?:team|squad|crew|department)\b",
    "team",
)
row(
    "be get",
    r"(?:moved|transferred|reassigned|assigned|switched) (?:over )?(?:from [\w ]+ )?to (?:the )?(?P<v>(?:[\w&/-]+ "
    r"){0,2}[\w&/-]+) "
    r"(?:team|squad|crew|department)\b",
    "team",
    change=True,
)
row("be", r"(?:relocated|transferred|moved|posted) to (?P<v>(?-i:[A-Z]).+)", place, change=True)
row(
    "be get",
    r"(?:promoted|bumped|moved up|bumped up|elevated) (?:from [\w ]+? )?to (?!the )(?P<v>[a-z].+)",
    says("occupation", "at", "in", "with", "last", bare=True),
    change=True,
)
row(
    "be get",
    r"(?:bumped|raised|upped|pushed|moved)(?: up)? to (?P<v>(?:[$€£] ?\d[\d.,]*k?|\d+k|\d[\d.,]* (?:euros|dollars|"
    r"pounds))(?: (?:a|per) \w+)?)$",
    "income",
    change=True,
)
row("be", r"(?:on|in) (?:the )?(?P<v>[A-Z][\w/+-]*(?: [A-Z]\w+)?) time ?(?:zone)?$", "time zone")
row(
    "be",
    r"(?:still )?(?:an? )?(?:\w+ )?(?:member|part) of (?P<v>(?:the|a|an|my|our) .+|(?-i:[A-Z]).+)",
    says_each("member of", "since", "in", "at"),
)
row(
    "be",
    r"(?:an? )?(?:\w+ )?member at (?:the )?(?P<v>(?-i:[A-Z])[\w' ]*?)(?P<kind> gym)?$|(?:with|at) the gym "
    r"(?P<w>(?-i:[A-Z]).+)",
    lambda groups, p: [Found("gym" if groups["kind"] or groups["w"] else "member of", groups["v"] or groups["w"])],
)
row("belong", r"to (?P<v>(?:the|a|an|my|our) .+|(?-i:[A-Z]).+)", says_each("member of", "since", "in", "at"))
_GROUP = (
    r"(?:[\w'-]+ ){0,2}?(?:club|choir|band|league|union|society|association|committee|council|team|orchestra|troupe|"
    r"circle)"
)
row(
    "be sit serve",
    r"on (?P<v>(?:the|an?|our|my) (?:[\w'-]+ ){0,2}?(?:board|committee|council|panel|jury)(?: (?:of|for) [\w' -]+)?)$",
    says("member of", bare=True),
)
row(
    "be",
    rf"in (?P<v>(?:an?|the|my|our) {_GROUP}(?:(?:,|,? and) (?:an?|the) {_GROUP})*)$",
    says_each("member of"),
)
row("be", r"on (?:the|a) waiting list for (?P<v>.+)", says("waiting list", "since"))
row(
    "be",
    r"off to (?=live in |.* for good\b)(?:live in )?(?P<v>(?-i:[A-Z]).+)",
    lambda groups, p: [replace(found, kind="plan") for found in place(groups, p)],
)
row(
    "be",
    r"off to (?P<v>(?-i:[A-Z]).+)",
    lambda groups, p: [
        Found("plan", f"go to {values.one(groups['v'])}", kind="plan", text=f"is off to {values.one(groups['v'])}")
    ],
)
row(
    "be",
    r"an? (?P<key>team|family|group|company|startup|band|crew|department|household) of (?P<v>\d+|two|three|four|"
    r"five|six|seven|eight|"
    r"nine|ten|eleven|twelve|twenty)\b",
    lambda groups, p: [Found(f"{groups['key'].lower()} size", groups["v"])] if not p.negated else [],
)
row(
    "be",
    r"(?:in |into )?(?:the |my |his |her )?(?P<v>(?:first|second|third|fourth|fifth|final|last) year(?: (?:of|at) "
    r"[\w ]+)?|(?:year|grade|class|form) \w+|(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|"
    r"eleventh|twelfth|\d+(?:st|nd|rd|th)) (?:grade|form|class))$",
    "school year",
)
row(
    "start enter begin",
    r"(?:in |into )?(?:the |my |his |her )?(?P<v>(?:first|second|third|fourth|fifth|final|last) year(?: (?:of|at) [\w "
    r"]+)?|"
    r"(?:year|grade|class|form) \w+|(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|"
    r"eleventh|twelfth|\d+(?:st|nd|rd|th)) (?:grade|form|class))$",
    "school year",
    change=True,
)
row("be", r"away\b(?P<v>)", lambda groups, p: [Found("event", "away", text="is away")])
row(
    "be",
    r"(?:out of (?:the )?office|off work|on (?P<v>(?:parental |maternity |paternity |sick |annual )?leave|vacation|"
    r"holiday|"
    r"sabbatical))\b",
    lambda groups, p: [Found("event", groups["v"] or "out of office", text=f"is {p.rest.split(',')[0]}")],
)
row("be", r"(?:based|living) (?:in|near|out of) (?P<v>.+)", place)
row("be", r"(?:located|situated) (?:in|at|near) (?P<v>.+)", says("location"))
row("be", r"pregnant\b", lambda groups, p: [Found("condition", "pregnant", text="is pregnant")])
row("be", r"(?:originally |actually )?from (?P<v>.+)", origin_place, always=True)
row("be", r"born (?P<v>(?:and raised )?(?:in|on|at) .+)", born, always=True)
row(
    "be",
    rf"(?:happily |recently |newly |legally )?(?P<v>{_STATUS})(?: to (?P<to>.+?))?(?: now| again| these days| "
    rf"currently| for (?:ages|years|a while|a long time|so long|now))?(?:$|,? (?:and|but) (?:happy|fine|ok|okay|"
    rf"loving|quite|very|not|it)\b)",
    married,
)
row(
    "be get",
    rf"(?P<v>married|engaged|divorced|separated|widowed)\b(?: (?:to|from|with) (?P<to>{NAME}))?",
    married,
    change=True,
)
row(
    "tie get elope say",
    r"(?:the knot|hitched|our vows|(?P<v>))(?: with (?P<to>.+))?$",
    lambda groups, p: married({"v": "married", "to": groups["to"]}, p) if p.rest or p.verb == "elope" else [],
    change=True,
)
row("divorce separate", rf"(?P<v>)(?:from |with )?(?P<to>{NAME})?", lambda groups, p: parted(groups, p), change=True)
row(
    "use go",
    r"(?:by )?(?P<v>\w+/\w+(?:/\w+)?)(?: pronouns)?$",
    lambda groups, p: [Found("pronouns", groups["v"])] if _PRONOUNS.match(groups["v"]) and not p.negated else [],
)
row("be", r"(?:called|named) (?P<v>.+)", says("name", "after", "and"))
row("be", r"(?:an? )?(?:really |such )?(?:huge |big |massive |great )?fan of (?P<v>.+)", likes("likes"))
row(
    "be",
    r"no (?:huge |big |massive |great )?(?:fan|friend) of (?P<v>.+)",
    lambda groups, p: likes("likes")(groups, replace(p, negated=True)),
)
row("be", r"(?P<v>\d[\d.,]* ?(?:foot|feet|ft|'|cm)(?: ?\d{1,2}(?: ?(?:inch(?:es)?|in|\"))?)?)(?: tall)?$", "height")
row("be", r"(?P<v>(?:four|five|six|seven) (?:foot|feet)(?: (?:and )?[a-z]+)?)(?: tall)?$", "height")
row("be", rf"{_VERY}(?:into|fond of|obsessed with|passionate about|keen on) (?P<v>.+)", likes("likes"))
row("be", rf"{_VERY}interested in (?P<v>(?!\w+ing \w).+)", likes("likes"))
row(
    "be",
    r"(?:diagnosed with|living with|suffering from) (?P<v>.+)",
    says_each("condition", "in", "by", "at"),
    change=True,
)
row("be", r"(?:fluent|proficient) in (?P<v>(?-i:[A-Z]).*)", says_each("language"))
row(
    "be",
    rf"in a relationship with (?:someone called |a \w+ called )?(?P<to>{NAME})",
    lambda groups, p: married({"v": "in a relationship", "to": groups["to"]}, p) if not p.negated else [],
)
row("be", r"(?:employed|working) as (?P<role>.+?) (?:at|with|by|for) (?P<v>(?-i:[A-Z]).+)$", works)
row("be", r"(?:employed|hired) (?:by|at) (?P<v>.+)", says("employer", "as", "in", "and", "since", named=True))
row("get", r"hired (?:by|at) (?P<v>.+)", says("employer", "as", "in", "and", "since"), change=True)
row("be", r"(?P<v>self-employed|freelance)\b", "works")
row(
    "be",
    r"(?P<v>unemployed|jobless|out of work|between jobs)\b",
    lambda groups, p: [Found("employer", "", kind="ending")],
)
row("be", rf"(?:an? )?(?P<v>{_NATIONS})(?: citizen)?(?:$|,| and | but )", "nationality")
row("be", rf"(?:an? )?(?:practicing |devout )?(?P<v>{_FAITHS})$", "religion")
row("be", r"fluent\b.* in (?P<v>(?-i:[A-Z]).*)", says_each("language"))
row("be", r"(?:(?:much )?more of |definitely |very much )?(?P<v>(?:an?|the) .+)", role)
row("be", r"(?:both |all )?(?P<v>(?:[a-z-]+ )?[a-z]+s)$", lambda groups, p: roles(groups, p))
row(
    "be",
    r"(?P<v>(?:(?:senior|junior|lead|chief|head|deputy|assistant|acting|store|shift|office|branch|"
    r"general|managing|executive|regional) )[\w -]+)$",
    role,
)
row("become", r"(?P<v>(?:an?) .+)", role, change=True)
row("be", r"(?:right|left)-handed(?P<v>)", lambda groups, p: [Found("trait", f"{p.rest.split()[0].lower()}")])
