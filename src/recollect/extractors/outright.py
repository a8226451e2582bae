"""Statements that are read as a whole and not by their verb: "Cork is home", "Olga replaced Ben as my manager"."""

from __future__ import annotations

import re
from collections.abc import Callable

from recollect._values import is_plural, word_set
from recollect.attributes import attribute
from recollect.extractors import nouns, values
from recollect.extractors.business import BUSINESS_VERBS, of_business
from recollect.extractors.days import day_of
from recollect.extractors.endings import (
    called_off,
    denied,
    fetched,
    left_post,
    left_us,
    no_longer_mine,
    not_for_us,
    off_the_list,
    over,
    stays,
)
from recollect.extractors.keywords import words_in
from recollect.extractors.passing import passing
from recollect.extractors.patterns import Found
from recollect.extractors.people import NAME, is_name, relation_of, relation_pattern, relation_words
from recollect.extractors.phases import OVER_WORDS, is_over
from recollect.extractors.postponing import planned_anew
from recollect.extractors.posts import is_post
from recollect.extractors.replacing import (
    becomes,
    carried,
    from_to,
    hired_as,
    renamed,
    replaced_as,
    replaced_by,
    team_switched,
    went_to,
)
from recollect.extractors.switching import SWITCHING, switched
from recollect.records import USER, Kind

_ADDED = re.compile(
    r"(?i)^(?:please |can you |also )*(?:add|put) (?P<v>.+?) (?:to|on|in) "
    r"(?:(?:my|our|the) list of (?:my |our )?|my |our )(?P<key>[\w ]{3,40}?)(?: list| too| as well| please)*$"
)
_LISTED = re.compile(
    r"(?i)^(?:(?:my|our) (?P<key>[\w -]{3,40}?)(?: for (?:(?:this|the|next) [\w ]+|\d{4})| this year| so far| here| "
    r"right now)?|"
    r"(?P<label>(?:[\w-]+ )?conventions?|allergies|dietary restrictions)(?: here| for us| in this repo| in this "
    r"project)?): "
    r"(?P<v>[^:]+)$"
)
_REACH = re.compile(
    r"(?i)(?:\b(?:(?:reach|contact|email|e-mail|mail|write|ping|find|text|call|phone) (?:to )?me|send (?:it|them|that|"
    r"mail|everything|things|[a-z]+) to me) (?:by \w+ )?(?:at|on|under|via) |^(?:please )?(?:write|mail|email|"
    r"send (?:it|them|mail|"
    r"everything)) to )(?P<v>[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\+?\d[\d ()-]{6,}\d)"
)
_BARE = re.compile(
    r"(?i)^(?:the |new |current )*(?P<key>(?:(?!my\b|our\b|your\b|his\b|her\b|their\b|its\b)[a-z]+ "
    r"){1,3}?)(?P<be>is|are|will be|has been|have been) "
    r"(?:now |up to |down to )?(?P<v>[$€£]? ?\d(?:[^,;]|,(?=\d))*|[\w.+-]+@\S+|"
    r"(?:(?<=home is )|(?<=home is now ))(?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+)?)$"
)
_BARE_KEYS = frozenset(
    (
        "home",
        "rent",
        "budget",
        "income",
        "phone",
        "email",
        "weight",
        "height",
        "shoe size",
        "age",
        "wake up time",
        "bed time",
    )
)
_MY_FOR = re.compile(
    r"(?i)^(?:my|our) (?P<key>[\w -]{3,30}?) (?:for|on|of) (?P<the>the |this |my |our |that )?(?P<what>(?:[\w-]+ "
    r"){0,2}[\w-]+) "
    r"(?P<be>is|are|was|will be) (?P<now>now )?(?P<v>.+)$"
)
_AT_HAND = word_set(
    "trip journey holiday vacation visit project event move day week weekend month year summer winter spring autumn "
    "time moment"
)
"""What is spoken of anyway: "my budget for the trip" is the budget."""
_NUMBER = re.compile(r"(?i)^(?:my|our) (?:new |current )?number is (?:now )?(?P<v>\+?\d[\d ()-]{5,}\d)$")
_FORMER = re.compile(
    r"(?i)^(?:my|our) (?:previous|former|last|old|prior) (?P<key>[\w -]{2,30}?) (?:is|was|were) (?P<v>.+)$"
)
_HIRED = re.compile(
    rf"^(?P<v>{NAME}) (?:has |just |finally )*(?:hired|recruited|employed|taken|took) me(?P<on> on)?"
    r"(?: as (?:an? )?(?P<role>[\w -]+))?$"
)
_JOB_AT = re.compile(r"(?i)^my (?:new |current )?(?:job|work) is (?:now )?(?:at|with) (?P<v>(?-i:[A-Z]).*)$")
_NEW_IS = re.compile(
    r"(?i)^(?:(?:i|we) (?:have |got |just |picked up |signed |hired |found |are (?:on|at) |(?:moved|switched|"
    r"changed) to )*)?"
    r"(?:an? |my |"
    r"our )?(?:new|another|second|third) (?P<key>[a-z][\w -]{2,25}?)(?: is)?[:,] (?P<v>[^:]+)$|"
    r"^(?:please )?use "
    r"(?P<mail>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)(?: from now on| instead|,| now|$)"
)
_SEATS = re.compile(r"(?i)^(?P<v>aisle|window|middle) seats?(?: for me)?(?:,? please)?$")


def former(text: str) -> list[Found]:
    """ "My previous employer was Zenith"."""
    match = _FORMER.match(text) if not text.lower().startswith("my last name") else None
    known = attribute(match["key"]) if match else None
    if match is None or known is None or not known.known or known.category in ("plans", "events"):
        return []
    return nouns.keyed(USER, match["key"], match["v"], kind="past")


_FIRST_DAY = re.compile(
    r"^(?:(?:[\w ]{3,20} )?(?P<be>is|was|will be) my first (?:day|week|shift) (?:at|with|in) (?P<v>[A-Z].*)|"
    r"[Mm]y first (?:day|week|shift) (?:at|with|in) (?P<w>[A-Z].*?) (?P<be2>is|was|will be)\b.*)$"
)


def first_day(text: str) -> list[Found]:
    """ "Today was my first day at Zara"."""
    match = _FIRST_DAY.match(text)
    if match is None:
        return []
    coming = (match["be"] or match["be2"]) != "was"
    return [Found("employer", values.one(match["v"] or match["w"], "as", "in"), kind="plan" if coming else "update")]


def news(text: str) -> list[Found]:
    """ "New number: 555 8080", "Pelican hired me", "my job is at Pelican"."""
    match = _HIRED.match(text)
    if match and not match["on"] and re.search(r" (?:taken|took) me", text):
        match = None  # "Anna took me home"
    if match := match or _JOB_AT.match(text):
        role = match.groupdict().get("role")
        return [
            Found("employer", values.one(match["v"], "as", "in"), kind="update"),
            *([Found("occupation", role, kind="update")] if role else []),
        ]
    if match := _SEATS.match(text):
        return [Found("seat preference", match["v"].lower(), kind="update")]
    match = _NEW_IS.match(text)
    if match is None:
        return []
    if match["mail"]:
        return [Found("email", match["mail"], kind="update")]
    known = attribute("phone" if match["key"] == "number" else match["key"])
    if known.relation and known.holds == "many" and is_name(match["v"]) and match["v"][:1].isupper():
        return [Found(known.name, values.one(match["v"]), many=True)]
    exact = not is_plural(match["key"]) and re.fullmatch(r"[\w.+-]+@\S+|https?://\S+|[\w-]+(?:\.[\w-]+)+", match["v"])
    plain = (known.known and known.holds == "one" and not known.relation) or exact
    return [Found(known.name, values.cut(match["v"]), kind="update")] if plain else []


_HOME = re.compile(
    rf"^(?P<a>{NAME}) is (?:now )?(?:home|my home|our home|where (?:I|"
    rf"we) live)(?: for (?:me|us))?"
    rf"(?: now)?$|^[Hh]ome(?: for (?:me|us))?(?: is|'s) (?:now )?(?:in )?(?P<d>{NAME})"
    rf"(?: for (?:me|us|now|the (?:moment|time being))| now| at the moment)*$|"
    rf"^(?:I|We|i|we) (?:now )?call (?P<b>{NAME}) (?:my |our )?home$|"
    rf"^(?:My|Our|my|our) (?:place|house|flat|apartment|home) is (?:now )?in (?P<c>{NAME})$"
)
_WHERE_I = re.compile(
    r"(?i)^the (?P<what>company|firm|place|city|town|village|school|university|team) (?:where |that |which )?(?:i|"
    r"we) (?P<do>work (?:for|at|with)|"
    r"live in|study at|go to)(?: now)? is (?:now )?(?:called |named )?(?P<v>(?-i:[A-Z]).*)$"
)
_NAME_OF = re.compile(rf"(?i)^the name of (?:my|our) (?P<rel>{relation_pattern()}) is (?:now )?(?P<v>{NAME})$")
_ALL_MINE = re.compile(
    rf"^(?P<v>{NAME}(?:, {NAME})* and {NAME}) are (?:my|our) (?:\w+ "
    rf")?(?P<rel>{relation_pattern()})$"
)


def by_place_or_name(text: str) -> list[Found]:
    """ "Cork is home", "the company I work for is Nordlys", "the name of my dog is Tilly"."""
    if match := _HOME.match(text):
        return [Found("home", match["a"] or match["b"] or match["c"] or match["d"])]
    if match := _WHERE_I.match(text):
        name = "home" if "live" in match["do"] else "employer" if "work" in match["do"] else "school"
        return [Found(name, values.one(match["v"]))]
    if match := _NAME_OF.match(text):
        return [Found(relation_of(match["rel"]) or "", match["v"])]
    if match := _ALL_MINE.match(text):
        names = [name for name in values.items(match["v"]) if is_name(name)]
        return [Found(relation_of(match["rel"]) or "", name, many=True) for name in names]
    return []


_ONE_OF = re.compile(
    r"^(?P<v>(?:[Tt]he )?[A-Z][\w'&.-]*(?: (?:[A-Z\d][\w'&.-]*|of|the|and))*) is (?:also |now |still )*one of "
    r"(?:my|our) "
    r"(?P<key>(?:[a-z]+ ){0,2}[a-z]+s)$"
)


def one_of(text: str) -> list[Found]:
    """ "Heat is one of my favourite films": one value beside others."""
    match = _ONE_OF.match(text)
    key = match["key"].split()[-1] if match else ""
    if match is None or not is_plural(key) or (relation_of(key) and not is_name(match["v"])):
        return []
    known = attribute(match["key"])
    told = (
        known.known or known.name.startswith("favorite ") or is_post(key.removesuffix("s"))
    )  # and no "one of my problems"
    return [Found(known.name, match["v"], many=True, confidence=0.85)] if told else []


def added(text: str) -> list[Found]:
    """ "Add Khruangbin to my favorite bands"."""
    match = _ADDED.match(text)
    known = attribute(match["key"]) if match else None
    named = known is not None and (known.known or known.name.startswith("favorite "))
    if match is None or known is None or not named or known.category in ("plans", "events"):
        return []
    return [Found(known.name, values.bare(item), many=True) for item in values.items(match["v"])]


def listed(text: str) -> list[Found]:
    """ "My goals for this year: run a marathon, read 20 books"."""
    match = _LISTED.match(text)
    key = (match["key"] or match["label"]) if match else ""
    known = attribute(key) if key else None
    if match is None or known is None or not known.known or known.holds != "many":
        return enumerated(text)
    items = [item for item in values.items(match["v"]) if len(item.split()) <= 8]
    text_of = "wants to {}" if known.name == "goal" else ""
    return [Found(known.name, item, many=True, text=text_of.format(item)) for item in items]


_ENUMERATED = re.compile(
    r"(?i)^(?:(?:we|i) (?:now |currently |still )?(?:have|run|use|maintain|operate|offer|sell|support)|our) "
    r"(?:the following |these |\d+ |two |three |four |five |six |seven |eight |several )?"
    r"(?P<key>(?:[a-z][\w-]* ){0,2}[a-z][\w-]*s): (?P<v>[^:;?!]+)$"
)
_NO_LISTS = word_set(
    "options questions issues problems steps tasks todos ideas thoughts reasons concerns plans errors results "
    "requirements things choices goals rules points notes changes ways examples candidates"
)
"""Headings of what is under discussion."""


def enumerated(text: str) -> list[Found]:
    """ "We have three environments: dev, staging and prod": a list of something that there are several of."""
    match = _ENUMERATED.match(text)
    items = [values.bare(item) for item in values.items(match["v"])] if match else []
    if match is None or len(items) < 2 or match["key"].split()[-1].lower() in _NO_LISTS:
        return []
    if any(len(item.split()) > 3 or passing(item, known=False) for item in items):
        return []
    return [Found(attribute(match["key"].lower()).name, item, many=True, confidence=0.8) for item in items]


_THIS_IS = re.compile(
    rf"^(?:(?i:hi|hello|hey)[ ,!]+)?(?i:this is|it's|it is) (?P<v>{NAME})"
    rf"(?: (?:here|speaking|calling)\b.*| from (?:the )?(?:accounting|accounts|hr|HR|IT|sales|support|finance|"
    rf"marketing|legal|engineering|ops|operations|product|procurement|payroll|reception|logistics|[A-Z]\w+))$"
)


def introduces(text: str) -> list[Found]:
    """ "Hi, this is Rosa from accounting"."""
    match = _THIS_IS.match(text)
    return [Found("name", match["v"], confidence=0.8)] if match and is_name(match["v"]) else []


_ROSTER = re.compile(rf"(?i)^(?:(?:my|our) )?(?P<rel>{relation_pattern()}): (?P<v>[^:]+)$")
_ON_ROSTER = re.compile(rf"(?:baby |little |young )?(?P<v>{NAME})(?: ?\(?\d{{1,2}}(?: (?:months|weeks|years?))?\)?)?$")


def roster(text: str) -> list[Found]:
    """ "Kids: Maya (9), Theo (6) and baby Noor"."""
    match = _ROSTER.match(text)
    people = [_ON_ROSTER.match(part.strip()) for part in re.split(r",|;| and | & ", match["v"])] if match else []
    if match is None or not all(one and is_name(one["v"]) for one in people):
        return []
    return [Found(relation_of(match["rel"]) or "", one["v"], many=len(people) > 1 or None) for one in people if one]


_BEST_WAY = re.compile(
    r"(?i)^(?:the )?(?:best|easiest|quickest|fastest) (?:way to (?:reach|contact|get (?:hold of|in touch with|"
    r"through to)) "
    r"me|place to (?:reach|find) me) is (?:now )?(?:by |via |through |on |over )?(?P<v>(?!to\b)[\w-]+(?: "
    r"[\w-]+){0,2}?)(?P<now> now)?$"
)


def reach(text: str) -> list[Found]:
    """ "You can reach me at …", "the best way to reach me is Signal"."""
    if best := _BEST_WAY.match(text):
        return [Found("contact preference", best["v"], kind="update" if best["now"] else None)]
    match = _REACH.search(text)
    return [Found("email" if "@" in match["v"] else "phone", match["v"].rstrip("."))] if match else []


def number(text: str) -> list[Found]:
    match = _NUMBER.match(text)
    return [Found("phone", match["v"])] if match and len(re.sub(r"\D", "", match["v"])) >= 6 else []


def bare_key(text: str) -> list[Found]:
    """ "Rent is 1050 a month": what only the speaker can mean needs no "my"."""
    match = _BARE.match(text)
    name = attribute(match["key"].strip()).name if match else ""
    value = values.one(match["v"], "from", "starting", "as of", "since", "in", "on", "by") if match else ""
    kind: Kind | None = "plan" if match and match["be"].lower() == "will be" else None
    bodily = name in ("weight", "height") and text.lower().startswith("the ")  # That may be anything's.
    return [Found(name, value, kind=kind)] if value and name in _BARE_KEYS and not bodily else []


def for_what(text: str) -> list[Found]:
    """ "My budget for the trip is 1,500 euros"; a budget for the kitchen, or for the Japan trip, is another one."""
    match = _MY_FOR.match(text)
    known = attribute(match["key"]) if match else None
    if match is None or known is None or not known.known or known.relation or known.holds != "one":
        return []
    if match["what"] == "choice":
        return nouns.keyed(USER, match["key"], match["v"], kind="update" if match["now"] else None)
    named = [word for word in match["what"].split() if not (match["the"] and word.lower() in _AT_HAND)]
    key = " ".join((*named, match["key"]))
    kind = (
        "update" if match["now"] else "past" if match["be"] == "was" else "plan" if match["be"] == "will be" else None
    )
    return nouns.keyed(USER, key, match["v"], kind=kind)  # type: ignore[arg-type]


_SHAPES: tuple[tuple[Callable[[str], list[Found]], frozenset[str]], ...] = tuple(
    (shape, word_set(keywords))
    for shape, keywords in (
        (by_place_or_name, "home live place house flat apartment work study go name are"),
        (hired_as, "hired appointed named made promoted elected have use got works serves acts"),
        (becomes, "be becomes become becoming takes take taking taken took became the"),
        (stays, "stay staying"),
        (planned_anew, "will"),
        (first_day, "first"),
        (day_of, "day"),
        (news, "hired recruited employed taken took job work new use seat seats another second third"),
        (denied, "not longer"),
        (from_to, "from"),
        (replaced_as, "as"),
        (left_post, "as"),
        (left_us, "left quit resigned notice moved back"),
        (fetched, "from"),
        (switched, " ".join(SWITCHING)),
        (replaced_by, "replaced replaces superseded supersedes succeeded"),
        (former, "previous former last old prior"),
        (
            over,
            "stop put left dumped last final turned declined rejected said more stole stolen nicked pinched swiped "
            "took broke divorced split walked between",
        ),
        (not_for_us, "longer more anymore stopped quit finished"),
        (no_longer_mine, "not longer"),
        (
            called_off,
            "off cancelled canceled called scrapped dropped happening happen table through out nothing not moving put "
            "against",
        ),
        (is_over, " ".join(OVER_WORDS)),
        (one_of, "one"),
        (added, "add put"),
        (off_the_list, "likes dislikes allergies favourites favorites hobbies interests"),
        (listed, "my our we convention conventions allergies restrictions"),
        (roster, " ".join(sorted(words_in(" ".join(relation_words()))))),
        (introduces, "this it"),
        (reach, "me to"),
        (number, "number"),
        (bare_key, "is are be been"),
        (for_what, "my our"),
        (of_business, " ".join(BUSINESS_VERBS)),
        (renamed, "renamed called known named changed goes"),
        (team_switched, "switched changed moved gone"),
        (went_to, "moved migrated moving migrating moves migrates move migrate"),
        (
            carried,
            "move moved moving migrate migrated migrating switch switched switching port ported porting "
            "transferred changed",
        ),
    )
)
"""Each shape with the words of which a clause must have one."""


def said_outright(text: str) -> list[Found]:
    """What a whole clause of one of these shapes states."""
    words = words_in(text)
    for shape, keywords in _SHAPES:
        if not keywords.isdisjoint(words) and (found := shape(text)):
            return found
    return []
