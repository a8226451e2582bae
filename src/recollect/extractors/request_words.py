"""Small general word classes for reading requests: what is asked for, how it is described, how it is counted."""

from __future__ import annotations

import re
from collections.abc import Iterable

from recollect._values import word_set

KINDS: dict[str, str] = {
    word.replace("_", " "): kind
    for kind, words in {
        "restaurant": "restaurant table place_to_eat places_to_eat somewhere_to_eat dinner lunch brunch breakfast cafe "
        "diner bistro pizzeria steakhouse eatery takeout food bar pub",
        "hotel": "hotel hostel motel resort inn guesthouse accommodation lodging place_to_stay somewhere_to_stay "
        "airbnb",
        "flight": "flight plane airplane airline plane_ticket airfare",
        "bus": "bus coach bus_ticket",
        "train": "train railway train_ticket",
        "ferry": "ferry cruise",
        "ride": "cab taxi ride uber lyft shuttle",
        "car": "car vehicle suv van truck motorbike scooter car_rental rental_car",
        "event": "event concert show game match gig festival musical opera exhibition performance",
        "movie": "movie film cinema moivie series documentary",
        "music": "song music track album playlist tune radio podcast songs",
        "book": "novel audiobook ebook",
        "home": "apartment flat house condo studio property townhouse",
        "doctor": "doctor dentist therapist psychologist psychiatrist counselor counsellor physician dermatologist "
        "pediatrician gynecologist optometrist cardiologist surgeon physiotherapist chiropractor vet orthodontist",
        "salon": "salon stylist hairdresser barber haircut spa massage manicure",
        "repair": "plumber electrician mechanic handyman cleaner repair",
        "attraction": "attraction museum park garden zoo gallery landmark sight monument theater theatre venue "
        "place_to_see places_to_see place_to_visit places_to_visit place_of_worship aquarium",
        "weather": "weather forecast temperature",
        "alarm": "alarm timer reminder",
        "bank": "account balance transfer payment",
        "order": "delivery takeaway",
        "class": "lesson course gym workshop",
    }.items()
    for word in words.split()
}
"""What people ask an agent for, and the kind of task that it belongs to."""

TRAVEL = frozenset(("flight", "bus", "train", "ferry", "ride", ""))
"""Kinds of task that go from one place to another; "" is a task whose kind was not named."""

RANGED = frozenset(("flight", "train", "ferry", "car"))
"""Kinds of task that often have a last day beside the first."""

SUBTYPES = word_set(
    "psychologist psychiatrist dentist dermatologist pediatrician gynecologist optometrist cardiologist "
    "surgeon physiotherapist chiropractor orthodontist museum park zoo gallery garden theater theatre aquarium "
    "landmark "
    "suv van truck opera musical plumber electrician mechanic counselor counsellor"
)
"""Heads that say themselves which kind of thing is wanted."""

BROAD = word_set("music sport sports theater theatre art arts games game comedy_show")
"""Descriptions that a narrower one does not take back: a jazz concert is still a music event."""

CUISINES = word_set(
    "italian mexican chinese thai indian japanese korean vietnamese french greek spanish turkish lebanese ethiopian "
    "american asian mediterranean caribbean brazilian peruvian german british irish moroccan persian african cuban "
    "european latin sushi ramen pizza seafood bbq barbecue steak vegan vegetarian tapas noodles noodle burgers "
    "parisian oriental hawaiian filipino punjabi szechuan cantonese taiwanese tex-mex cajun deli"
)
GENRES = word_set(
    "rock pop jazz blues metal reggae country folk classical electronic edm techno hip-hop rap indie punk "
    "funk r&b disco gospel christian latin horror comedy drama thriller action adventure romance romantic animation "
    "animated documentary fantasy sci-fi science-fiction western musical mystery crime biographical "
    "biography historical funny scary comic rom-com romcom fiction non-fiction nonfiction imaginative supernatural "
    "baseball basketball football soccer tennis hockey golf rugby cricket volleyball boxing wrestling athletics "
    "ballet opera theater theatre music sport sports games"
)
SIZES = word_set(
    "compact standard full-size fullsize intermediate medium-sized mid-size midsize economy luxury small large"
)
PRICES = word_set(
    "cheap inexpensive affordable economical moderate moderately pricey expensive upscale high-end low-cost mid-range "
    "budget-friendly costly cheaper luxurious"
)
PEOPLE = (
    "people|persons?|passengers?|adults?|travell?ers?|riders?|guests?|tickets?|seats?|of us|diners|spots|individuals"
)
LENGTHS = "days?|nights?|weeks?|months?|hours?|hrs?|minutes?|mins?"
COUNTED = (
    "bed ?rooms?|beds?|bath ?rooms?|baths?|rooms?|bags?|suitcases?|luggages?|pieces|copies|cars?|songs?|bottles?|"
    "tables?|children|kids|pets|parking spots?|boxes|packs?|units?|orders?|stops?|transfers?"
)
FEATURES = (
    r"wi-?fi|(?:free )?parking|garage|(?:swimming )?pool|gym|balcony|breakfast|air conditioning|a/?c|kitchen|laundry|"
    r"outdoor seating|live music|vegetarian options|vegan options|gluten[- ]free options|a view|sea view|fireplace|"
    r"a garden|a yard|insurance"
)
FEATURE_WORDS = (
    r"(?:pet|kid|child|family|dog|wheelchair|budget)[- ](?:friendly|accessible)|non-?stop|direct (?=flights?|trains?|"
    r"bus)|"
    r"one[- ]way|round[- ]?trip|furnished|unfurnished|refundable|non-smoking|smoke[- ]free|shared (?=rides?|cabs?|"
    r"taxi)|"
    r"economy(?= class)?|premium economy|business class|first class|window seats?|aisle seats?"
)
LANGUAGES = (
    "English|Spanish|French|German|Italian|Portuguese|Hindi|Mandarin|Chinese|Japanese|Korean|Arabic|Russian|Turkish|"
    "Dutch"
)
STARTERS = word_set(
    """
    i i'm i'd i'll i've im we we're you he she they it it's that that's this these those there the a an and but or so if
    as yes yeah yep ya no nope not nah ok okay alright sure fine great good perfect nice cool awesome wonderful
    excellent
    thanks thank please hi hello hey well actually sorry oh um hmm also now then just maybe perhaps can could would will
    should may might do does did is are was were am be been have has had find search look looking show get give tell
    book
    reserve buy rent make change set add send transfer play check try let let's how what what's when where which who why
    my your our their his her its me us them some any another other others more one in on at to from for with by of near
    around about until till before after go going leaving returning want need like love prefer see watch something
    anything everything nothing someplace somewhere all only both each every same instead right correct wrong exactly
    absolutely definitely probably possibly preferably ideally today tomorrow tonight monday tuesday wednesday thursday
    friday saturday sunday january february march april may june july august september october november december pm am
    checking savings wait hold yup indeed interesting sounds appreciate bye goodbye mr mrs ms dr help works confirm
    cancel call name use shared sharing neat geez ye bubye standard done hooray yay indeed true order schedule plan
    any anywhere wow lovely super amazing fantastic understood agreed cheers approved accepted confirmed noted
    yes,  got none neither either here once again back first next last later mostly mainly since because while
    """
)
"""Words that begin a sentence with a capital and are no names."""

BREAKS = word_set(
    "i i'm i'd i'll i've im please can could would and but so what how when where is are do does if my we it that this "
    "find also or thanks ok okay yes no on in at to from for with will"
)
"""Words that end a name even when they are written with a capital."""
VENUES = word_set(
    "hotel inn resort hostel restaurant cafe bistro diner grill bar pub theater theatre museum stadium arena"
)
"""Words that end the name of one place and not of a town."""
UNPEOPLED = frozenset(("bank", "weather", "alarm", "music", "book"))
"""Kinds of task that are not for so many people."""
IMPLIED = (
    (
        re.compile(
            r"(?i)\bcheck(?:ing)?[- ]in(?= ?$|[,.]| (?:on|date|day|next|this|for|to|at|today|tomorrow)\b)|"
            r"\bstay(?:ing)? (?:for|at|"
            r"there|\w+ (?:days?|nights?))|\b(?<!bed )(?<!bath )(?<!fitting )rooms?\b(?! service)"
        ),
        "hotel",
    ),
    (
        re.compile(
            r"(?i)\b(?:checking|savings) account\b|\bin my (?:checking|savings)\b|\b(?:send|transfer|pay|wire) (?:some "
            r")?"
            r"(?:money|[$€£]|\d[\d,.]* (?:dollars|bucks|euros|pounds))"
        ),
        "bank",
    ),
    (re.compile(r"(?i)\b(?:weather|temperature|forecast)\b"), "weather"),
    (re.compile(r"(?i)\b(?:pick(?:ing)? (?:it|the car) up|drop(?:ping)? (?:it|the car) off|pick up the car)\b"), "car"),
    (re.compile(r"(?i)\b(?:\d|one|two|three|four|five)[- ]bed ?rooms?\b"), "home"),
    (re.compile(r"(?i)\b(?:fly|flying(?! weather)|one[- ]way|round[- ]?trip)\b"), "flight"),
    (re.compile(r"(?i)\b(?:eat|dine|dining)\b"), "restaurant"),
    (re.compile(r"(?i)\b(?:listen|hear)\b"), "music"),
    (re.compile(r"(?i)\b(?:something|things?|anything|activities)(?: \w+)? to do\b"), "event"),
)
"""What is done tells the kind of task where nothing names it."""

SPOKEN = {
    "time": word_set(
        "one two three four five six seven eight nine ten eleven twelve noon midnight midday am pm morning afternoon "
        "evening night zero couple"
    ),
    "date": word_set(
        "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
        "september october november december today tomorrow tonight week weekend month day days weeks months next this"
    ),
    "money": word_set(
        "dollars bucks euro euros pounds usd eur gbp under below less up most more max maximum within cheaper over "
        "above least budget"
    ),
    "account": word_set("account checking savings"),
    "called": word_set("called titled named name call label album song movie film"),
    "area": word_set("area weather region"),
}
"""Words without one of which (or a digit, a sign of money) there is no value of that kind to look for."""
_WORD = re.compile(r"[A-Za-z]+")
_PHRASES = re.compile(rf"(?i)\b(?:{'|'.join(kind for kind in KINDS if ' ' in kind)})\b")
_FORMS = {word + ending: kind for word, kind in KINDS.items() if " " not in word for ending in ("", "s", "es")}
_SHOWN = re.compile(r" (?:me|us|you|him|her|them|it)\b")


def spoken(text: str) -> frozenset[str]:
    """The words of a text in lower case."""
    return frozenset(_WORD.findall(text.lower()))


def kinds_in(text: str) -> list[re.Match[str]]:
    """The words for what people ask for, in order."""
    found = [match for match in _WORD.finditer(text) if match[0].lower() in _FORMS]
    found = [match for match in found if match[0].lower() != "show" or not _SHOWN.match(text, match.end())]
    if "place" in text or "somewhere" in text:
        found = sorted([*found, *_PHRASES.finditer(text)], key=lambda match: match.start())
    return found


def kind_of(word: str) -> str:
    """The kind of task that a word asks for, "" when it asks for none."""
    return _FORMS.get(word.lower()) or KINDS.get(word.lower(), "")


def either(words: Iterable[str]) -> str:
    """The words as one group of an expression, the longest first."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
