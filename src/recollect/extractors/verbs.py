"""Verbs in all their forms: "haven't been living in" becomes "live", not, present."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

from recollect.extractors.keywords import has_any
from recollect.text.values import word_set

Tense = Literal["present", "past", "perfect", "future", "formerly"]

_IRREGULAR = """
be is was been being|have has had had having|do does did done doing|go goes went gone going|get gets got gotten getting
become becomes became become becoming|begin begins began begun beginning|break breaks broke broken breaking
buy buys bought bought buying|come comes came come coming|drink drinks drank drunk drinking
drive drives drove driven driving
eat eats ate eaten eating|fly flies flew flown flying|forget forgets forgot forgotten forgetting
give gives gave given giving|grow grows grew grown growing|keep keeps kept kept keeping|know knows knew known knowing
leave leaves left left leaving|lose loses lost lost losing|make makes made made making|mean means meant meant meaning
meet meets met met meeting|pay pays paid paid paying|quit quits quit quit quitting|read reads read read reading
ride rides rode ridden riding|run runs ran run running|see sees saw seen seeing|sell sells sold sold selling
sing sings sang sung singing|sleep sleeps slept slept sleeping|speak speaks spoke spoken speaking
spend spends spent spent spending|stand stands stood stood standing|swim swims swam swum swimming
take takes took taken taking|teach teaches taught taught teaching|wake wakes woke woken waking
wear wears wore worn wearing|win wins won won winning|write writes wrote written writing
build builds built built building
bring brings brought brought bringing|hold holds held held holding|catch catches caught caught catching
fall falls fell fallen falling|feel feels felt felt feeling|find finds found found finding|hurt hurts hurt hurt hurting
lead leads led led leading|lend lends lent lent lending|set sets set set setting|cut cuts cut cut cutting
put puts put put putting|send sends sent sent sending|throw throws threw thrown throwing|draw draws drew drawn drawing
say says said said saying|tell tells told told telling|think thinks thought thought thinking
hear hears heard heard hearing|choose chooses chose chosen choosing|rise rises rose risen rising
sit sits sat sat sitting|rewrite rewrites rewrote rewritten rewriting|sew sews sewed sewn sewing
weigh weighs weighed weighed weighing|repay repays repaid repaid repaying
swear swears swore sworn swearing|let lets let let letting|tie ties tied tied tying
split splits split split splitting|steal steals stole stolen stealing
withdraw withdraws withdrew withdrawn withdrawing|shut shuts shut shut shutting|shrink shrinks shrank shrunk shrinking
reset resets reset reset resetting|tear tears tore torn tearing|lay lays laid laid laying
hide hides hid hidden hiding|wind winds wound wound winding|outgrow outgrows outgrew outgrown outgrowing
hang hangs hung hung hanging|bear bears bore borne bearing|beat beats beat beaten beating|bend bends bent bent bending
bind binds bound bound binding|bite bites bit bitten biting|bleed bleeds bled bled bleeding
blow blows blew blown blowing|cling clings clung clung clinging|creep creeps crept crept creeping
deal deals dealt dealt dealing|dig digs dug dug digging|feed feeds fed fed feeding|fight fights fought fought fighting
flee flees fled fled fleeing|fling flings flung flung flinging|forbid forbids forbade forbidden forbidding
forgive forgives forgave forgiven forgiving|freeze freezes froze frozen freezing|grind grinds ground ground grinding
kneel kneels knelt knelt kneeling|light lights lit lit lighting|mistake mistakes mistook mistaken mistaking
misspeak misspeaks misspoke misspoken misspeaking|oversee oversees oversaw overseen overseeing
oversleep oversleeps overslept overslept oversleeping|overtake overtakes overtook overtaken overtaking
misread misreads misread misread misreading|proofread proofreads proofread proofread proofreading
ring rings rang rung ringing|seek seeks sought sought seeking|shake shakes shook shaken shaking
shine shines shone shone shining|shoot shoots shot shot shooting|sink sinks sank sunk sinking
slide slides slid slid sliding|spin spins spun spun spinning|spread spreads spread spread spreading
spring springs sprang sprung springing|stick sticks stuck stuck sticking|sting stings stung stung stinging
strike strikes struck struck striking|sweep sweeps swept swept sweeping|swing swings swung swung swinging
sublet sublets sublet sublet subletting|undergo undergoes underwent undergone undergoing
understand understands understood understood understanding|undo undoes undid undone undoing
weave weaves wove woven weaving|weep weeps wept wept weeping|withhold withholds withheld withheld withholding
"""
_REGULAR = """
live reside stay move relocate work join study graduate like love enjoy adore hate dislike detest despise loathe prefer
use own play speak learn talk start stop finish switch change call name adopt marry divorce retire travel visit plan
attend
celebrate cook bake jog walk hike cycle exercise train practice practise meditate smoke avoid earn deploy rotate expire
listen host store commute volunteer collect watch follow support need require want hope wish try decide turn suffer
manage lease rent book schedule order complete participate perform paint launch found open close end cost belong contain
depend connect happen occur begin back save return arrive land depart compete donate injure upgrade renew cancel resign
separate engage identify pronounce date train crave favor fancy appreciate purchase install migrate register enroll
order charge breed brew deliver repair rehearse translate supervise borrow
subscribe drop prioritize release ship publish convert replace rename swap
bank transfer weld juggle knit surf ski code die pass ditch diagnose promote hire fire bump raise pick unsubscribe
expect share report trade axe tolerate digest handle contact reach email text phone merge scale resize rebase unfriend
score chase sign propose coach mentor foster sponsor babysit consult freelance intern major vote donate garden dance
type dye shave park miss lift box row fence sail snowboard skate climb shop tutor abandon scrap retire postpone delay
invest own accept delete need exchange throw toss discontinue disband dissolve matter settle lower increase
reduce decline reject update downgrade decrease adjust extend shorten double triple halve push pull lift step act serve
rehome dump roll shift up slash trim hike decommission uninstall shelve sunset kill bin bench offload part opt bow
abolish owe wean phase prolong knock remove sack dismiss rescue elope secure inherit acquire unpack agree
pack jack chuck wave kiss kick rip yank flip jump cross defect decamp resettle pitch clock punch slave toil hail
moonlight answer steer crank bury cremate touch receive root enter terminate port aim intend develop employ treat hand
maintain refuse attend welcome owe renovate restore
"""
_VOWELS = "aeiou"
_DOUBLING = re.compile(r"[^aeiou]*[aeiou][^aeiouwxy]$|(?:prefer|transfer|babysit)$|swap$|quit$")
"""One vowel before one consonant: "stop" is "stopped"."""


def _regular(base: str) -> tuple[str, str, str, str, str]:
    """Base, third person, past, participle and -ing form of a verb that follows the rules."""
    doubled = base[-1] if _DOUBLING.match(base) else ""
    if base.endswith("e"):
        return base, base + "s", base + "d", base + "d", base[:-1] + "ing"
    if base.endswith("y") and base[-2] not in _VOWELS:
        return base, base[:-1] + "ies", base[:-1] + "ied", base[:-1] + "ied", base + "ing"
    third = base + "es" if base.endswith(("s", "x", "z", "ch", "sh")) else base + "s"
    past = base + doubled + "ed"
    return base, third, past, past, base + doubled + "ing"


def _rows() -> list[tuple[str, ...]]:
    irregular = [tuple(row.split()) for row in _IRREGULAR.replace("\n", "|").split("|") if row.strip()]
    return [*(_regular(base) for base in _REGULAR.split()), *irregular]


_ROWS = {row[0]: row for row in _rows()}
FORMS: dict[str, tuple[str, str]] = {}
"""Each known form of a verb: its base and which form it is."""
for _row in _ROWS.values():
    for _form, _kind in zip(reversed(_row), ("ing", "participle", "past", "third", "base"), strict=True):
        FORMS[_form] = (_row[0], _kind)
for _row in _ROWS.values():
    FORMS[_row[2]] = (_row[0], "past" if _row[2] != _row[0] else "base")
FORMS.update({"cancelled": ("cancel", "past"), "cancelling": ("cancel", "ing"), "splitted": ("split", "past")})
FORMS.update({"am": ("be", "base"), "are": ("be", "base"), "were": ("be", "past"), "'m": ("be", "base")})
PARTICIPLES = {_row[3] for _row in _ROWS.values()} | {"cancelled"}

ADVERBS = word_set(
    "just recently also still now currently always usually often never really actually already finally only even "
    "mostly generally normally typically honestly definitely absolutely quite sometimes rarely seldom both first "
    "then truly personally mainly primarily presently regularly frequently officially simply totally completely "
    "kinda literally obviously basically newly lately since fully once probably-not temporarily permanently initially "
    "strongly greatly deeply firmly strictly exclusively particularly especially genuinely thoroughly hugely intensely "
    "seriously secretly religiously solely purely"
)
HEDGES = word_set("maybe perhaps probably possibly hopefully almost nearly supposedly allegedly apparently")
UNREAL = word_set("would could might may should must shall ought 'd cannot")


@dataclass(frozen=True, slots=True)
class Predicate:
    """What is said of a subject: a verb in its base form, what follows it, and how it was said."""

    verb: str
    rest: str
    tense: Tense = "present"
    negated: bool = False
    ended: bool = False
    """No longer, not any more."""
    ongoing: bool = False
    can: bool = False
    careless: bool = False
    """Said by someone who writes without capitals."""
    adverbs: frozenset[str] = field(default_factory=frozenset)


_CONTRACTIONS = tuple(
    (sign, re.compile(pattern, re.IGNORECASE), full)
    for sign, pattern, full in (
        ("can", r"\bcan(?:'t|not)\b", "can not"),
        ("n't", r"\bwon't\b", "will not"),
        ("n't", r"\bain't\b", "am not"),
        ("n't", r"\b(do|does|did|is|are|was|were|have|has|had|would|could|should|must|might)n't\b", r"\1 not"),
        ("gonna", r"\bgonna\b", "going to"),
        ("nt", r"\b(dont|doesnt|didnt|isnt|wasnt|havent|hasnt)\b", ""),
        ("m", r"\bI'm\b|\bim\b(?= )", "I am"),
        ("its ", r"\bits (?=[\d$€£]|now |been |not )", "it is "),
        ("'ve", r"\b(I|we|you|they|who)'ve\b", r"\1 have"),
        ("ive", r"\bive\b(?= )", "I have"),
        ("'ll", r"\b(\w+)'ll\b", r"\1 will"),
        ("'re", r"\b(we|you|they)'re\b", r"\1 are"),
        ("'d", r"\b(I|we|you|he|she|they)'d\b", r"\1 would"),
        (
            "'s",
            r"\b((?!(?i:master|bachelor)'s)(?-i:[a-z]+)|(?:mum|mom|dad))'s (?=(?:an?|the|not|now|in|at|from|on|no "
            r"longer|moving|living|"
            r"working|studying|pregnant|married|single|"
            r"engaged|divorced|allergic|vegan|vegetarian|going|getting|called|still|also|really|always|turning|based|"
            r"originally|retired|learning|training|changing|switching|starting|joining|leaving|transferring|becoming|"
            r"giving|quitting|staying|retiring|coming|into|\d{1,2})(?: (?!of )|$))",
            r"\1 is ",
        ),
        (
            "'s",
            r"\b([a-z]+)'s (?=(?:been|got|had|moved|become|started|joined|gone|made|taken|quit|left|switched|"
            r"stopped|retired|changed|sold|bought|lived|worked|died|passed|jumped|signed|accepted|landed|handed|packed|"
            r"ditched|dropped|given|finished|turned|decided|begun|picked|settled|relocated|transferred|graduated|"
            r"enrolled|"
            r"adopted|lost|broken|split|(?:just|recently|finally|already|now|since|also) "
            r"(?:been|[a-z]+ed|bought|sold|left|quit|got|taken|begun|given|split|become|gone|lost|found|made|had))\b)",
            r"\1 has ",
        ),
        ("'s", r"\b((?:my|our) [a-z]+)'s (?=[\d$€£]|\S+@)", r"\1 is "),
        (
            "'s",  # After a name, only what no name can own: "Tom's a plumber", and no "Tom's in-laws".
            r"(?:^|(?<=\band )|(?<=\bbut ))((?:(?:my|our) [a-z-]+ )?(?-i:[A-Z])[\w-]+)'s (?=(?:an?|the|not|no longer|"
            r"been|moving|living|working|studying|allergic|pregnant|turning|retired|based|in|"
            r"from|at) |\d{1,2}$)",
            r"\1 is ",
        ),
        ("home's", r"^(home)'s (?=(?:now )?(?-i:[A-Z]))", r"\1 is "),
        (
            "'s",
            r"\b(\w+)'s (?=(?:gone|sold|over|dead|history|off|finished|done|closed|cancell?ed|down|out|expired|stolen|"
            r"no more|my|our)\b(?! \w+'s))",
            r"\1 is ",
        ),
        ("'s", r"\b(he|she|it|who|that|there|name|mine|here|one)'s\b", r"\1 is"),
    )
)
_NO_APOSTROPHE = {
    "dont": "do not", "doesnt": "does not", "didnt": "did not", "isnt": "is not", "wasnt": "was not",
    "havent": "have not", "hasnt": "has not",
}  # fmt: skip


_BARE_CONTRACTIONS = frozenset((*_NO_APOSTROPHE, "im", "ive", "gonna", "cannot", "its"))


@lru_cache(maxsize=64)
def expand(text: str) -> str:
    """The text with contractions in full: "I'm" is "I am"."""
    text = text.replace("’", "'")
    if "'" not in text and not has_any(text, _BARE_CONTRACTIONS):
        return text
    lower = text.lower()
    for sign, pattern, full in _CONTRACTIONS:
        if sign in lower:
            text = pattern.sub(full or (lambda match: _NO_APOSTROPHE[match[0].lower()]), text)
    return text


_ANY_MORE = re.compile(r"\s*\b(?:any\s?more|any longer)\b", re.IGNORECASE)
_ENDED = word_set("longer more anymore")
_NO_LONGER = re.compile(r"\bno longer\b\s*", re.IGNORECASE)


@lru_cache(maxsize=64)
def read_predicate(text: str) -> Predicate | None:
    """The predicate of a clause without its subject; what someone "never did" is denied."""
    found = _predicate(text)
    if found and "never" in found.adverbs and found.tense in ("past", "perfect"):
        return replace(found, negated=True)
    return found


def _predicate(text: str) -> Predicate | None:
    """The verb of a clause without its subject, or None when it has none that we know or speaks of what is not so."""
    start = Predicate("", "", careless=text.islower())
    if has_any(text, _ENDED) and _NO_LONGER.search(text):
        start, text = replace(start, ended=True), _NO_LONGER.sub("", text, count=1)
    if has_any(text, _ENDED) and _ANY_MORE.search(text):
        start, text = replace(start, ended=True), _ANY_MORE.sub("", text, count=1)
    words = text.split()
    return _read(words, 0, start)


def _read(words: list[str], i: int, so_far: Predicate) -> Predicate | None:
    adverbs = set(so_far.adverbs)
    state = so_far
    for _ in range(12):
        if i >= len(words):
            return None
        word = words[i].lower().strip(",")
        following = words[i + 1].lower() if i + 1 < len(words) else ""
        if word in UNREAL or word in HEDGES:
            return None
        if word in ADVERBS:
            adverbs.add(word)
        elif word == "not":
            state = replace(state, negated=True)
        elif word == "will" or (word == "going" and following == "to" and _is_verb(words, i + 2)):
            if state.tense == "past":
                return None  # "I was going to move": what was intended is not what happened.
            state = replace(state, tense="future", ongoing=False)
            i += word == "going"
        elif word in ("decided", "about", "due", "scheduled") and following == "to" and _is_verb(words, i + 2):
            state = replace(state, tense="future", ongoing=False)
            i += 1
        elif word == "had" and following == "to" and _is_verb(words, i + 2):
            state = replace(state, tense="past")
            i += 1
        elif word == "used" and following == "to" and state.verb == "":
            state = replace(state, tense="formerly")
            i += 1
        elif word == "can" and i + 1 < len(words):
            state = replace(state, can=True)
        elif (step := _auxiliary(words, i, state)) is not None:
            state = step
        else:
            return _main_verb(words, i, replace(state, adverbs=frozenset(adverbs)) if adverbs else state)
        i += 1
    return None


def _is_verb(words: list[str], i: int) -> bool:
    return i < len(words) and FORMS.get(words[i].lower(), ("", ""))[1] == "base"


def _auxiliary(words: list[str], i: int, state: Predicate) -> Predicate | None:
    """The state after a helping verb, or None when this word is not one here."""
    base, form = FORMS.get(words[i].lower(), ("", ""))
    if base not in ("be", "have", "do"):
        return None
    main = next((word.lower() for word in words[i + 1 : i + 4] if word.lower() not in ADVERBS | {"not"}), "").strip(",")
    past = form == "past" and words[i].lower() != "be"
    if base == "be" and main in ("about", "due", "scheduled") and " to " in " ".join(words[i : i + 5]):
        return state
    if base == "do" and (_is_verb(words, i + 1) and main != "do"):
        return replace(state, tense="past" if past else state.tense)  # "I do live here"
    if base == "do" and "not" in (word.lower() for word in words[i + 1 : i + 3]) and main in FORMS:
        return replace(state, tense="past" if past else state.tense)
    if base == "have" and (main == "been" or main in PARTICIPLES) and main not in ("had", "have"):
        return replace(state, tense="past" if past else "perfect")
    if base == "have" and (main == "had" or (main == "got" and words[i + 1].lower() in _OF_LATE)):
        return replace(state, tense="perfect")
    if base == "be" and FORMS.get(main, ("", ""))[1] == "ing" and main not in ("boring", "interesting"):
        tense: Tense = "past" if past and state.tense == "present" else state.tense
        return replace(state, tense=tense, ongoing=True)
    return None


_OF_LATE = word_set("just recently finally already now since")
"""With which "has got" tells of getting, and not of having."""


def _main_verb(words: list[str], i: int, state: Predicate) -> Predicate | None:
    word = words[i].lower().strip(",.!")
    known = FORMS.get(word)
    base, form = known or (_guess(word))
    if not base:
        return None
    tense = state.tense
    if form == "past" and tense == "present" and not state.ongoing:
        tense = "past"
    got = base == "have" and form != "past" and words[i + 1 : i + 2] in (["got"], ["gotten"]) and len(words) > i + 2
    found = replace(state, verb=base, rest=" ".join(words[i + 1 + got :]), tense=tense)
    if words[i].endswith(",") and base != "be":
        found = replace(found, rest="")  # "I don't run anymore, only swim"
    return _after_be(found) if base == "be" else found


def _after_be(predicate: Predicate) -> Predicate | None:
    """ "am not", "is now", "are also": what stands between the verb and what is said."""
    words = predicate.rest.split()
    adverbs, negated = set(predicate.adverbs), predicate.negated
    while words and (words[0].lower() in ADVERBS or words[0].lower() == "not"):
        negated = negated or words[0].lower() == "not"
        adverbs.add(words.pop(0).lower())
    if not words or words[0].lower() in HEDGES:
        return None
    return replace(predicate, rest=" ".join(words), adverbs=frozenset(adverbs), negated=negated)


def _guess(word: str) -> tuple[str, str]:
    """A verb that we do not know, by its ending; only the past is told safely."""
    if len(word) > 4 and word.endswith("ed") and word.isalpha():
        return word, "past"
    return "", ""


def base_and_form(word: str) -> tuple[str, str]:
    """The base of a verb and which form of it a word is; of one that we do not know, as far as its ending tells."""
    if word in FORMS:
        return FORMS[word]
    if word.endswith("ing") and len(word) > 5:
        return _without_ing(word[:-3]), "ing"
    if word.endswith("ed") and len(word) > 4:
        return word, "past"
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y", "third"
    if word.endswith(("sses", "shes", "ches", "xes", "zes", "oes")):
        return word[:-2], "third"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1], "third"
    return word, "base"


def _without_ing(stem: str) -> str:
    """ "planting" is of "plant", "baking" of "bake", "humming" of "hum"."""
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "lszeo":
        return stem[:-1]
    return f"{stem}e" if _LOST_E.search(stem) else stem


_LOST_E = re.compile(r"(?:^[^aeiou]*[aeiou][^aeiouwxy]|[vcuz]|[^n]g|at|[bcdfgkptz]l|[^s]s|[^aeiou]or)$")
"""What had an "e" before its "-ing": a short stem would have doubled its last letter else."""


def third_person(verb: str) -> str:
    """The form that goes with he and she."""
    if verb in _ROWS:
        return _ROWS[verb][1]
    return verb if verb.endswith("ed") else _regular(verb)[1]


def past_form(verb: str) -> str:
    return _ROWS[verb][2] if verb in _ROWS else verb


def form_of(verb: str, form: str) -> str:
    """A verb in one of its forms: base, third, past, participle or ing."""
    if verb == "be":
        return {"base": "am", "past": "was"}.get(form, _ROWS[verb][_PLACES[form]])
    return _ROWS[verb][_PLACES[form]] if verb in _ROWS else verb


_PLACES = {"base": 0, "third": 1, "past": 2, "participle": 3, "ing": 4}


def ing_form(verb: str) -> str:
    return (_ROWS.get(verb) or _regular(verb))[4]
