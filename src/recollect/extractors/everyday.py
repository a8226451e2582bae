"""Everyday statements: what someone charges, has saved, where they sit, what their body does not take."""

from __future__ import annotations

import re

from recollect.extractors import values
from recollect.extractors.patterns import Found, Groups, Make, rows_of, says_each
from recollect.extractors.verbs import Predicate
from recollect.programs import kind_of_program

row = rows_of(__name__)

_POINTED = re.compile(
    r"(?i)(?:the|my|our|many|tired|bored|weary|fond|used|this|that|these|those|it|them|him|her|you|me|us|your|his|their|"
    r"one|some|what|how|to|in|on|at|up|out|off|down|away|back|over|around|along|more|less|everything|anything|nothing|something|people|everyone|old|older|fast|"
    r"well)\b"
)
"""What stands in the conversation, or is no object at all."""

row(
    "watch",
    r"(?P<v>(?-i:[A-Z])[\w':.-]*(?: (?:(?-i:[A-Z\d])[\w':.-]*|of|the|and|in|a|to))*)(?: (?:on|with) .+)?$",
    lambda groups, p: (
        [Found("watching", groups["v"], many=True)] if p.ongoing and p.tense == "present" and not p.negated else []
    ),
)
row(
    "have",
    r"(?P<v>(?:an?|another|our (?:first|second|third)) (?:baby|child|boy|girl)|twins|triplets)$",
    lambda groups, p: (
        [Found("plan", f"have {groups['v']}", kind="plan", text=f"is having {groups['v']}")]
        if (p.ongoing and p.tense == "present") or p.tense == "future"
        else []
    ),
)


def so_it_is(name: str, *tenses: str) -> Make:
    """States one value of what is so, or came to be so."""
    told = tenses or ("present",)

    def make(groups: Groups, predicate: Predicate) -> list[Found]:
        plain = predicate.tense in told and not predicate.negated and not predicate.can
        return [Found(name, groups["v"].strip(), many=False)] if plain else []

    return make


def no_longer_away(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "is back from sabbatical", "is out of hospital"."""
    if predicate.negated or predicate.can or predicate.tense == "future":
        return []
    link = "on" if groups["v"] == "sabbatical" else "in"
    return [Found("status", f"{link} {groups['v']}", kind="ending")]


_SUM = r"(?:[$€£] ?\d[\d.,]*k?|\d[\d.,]*k? ?(?:euros?|dollars?|pounds?|bucks|francs?|[$€£]))"
_HUE = (
    r"(?:long|short|curly|straight|wavy|blond|blonde|brown|black|red|ginger|gr[ea]y|white|blue|green|hazel|"
    r"dark|light|thick|thin)"
)
_FLOOR = r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|ground|top|\d+(?:st|nd|rd|th)) floor"
_ROOM = r"(?:room|office|suite|lab|classroom|ward|cubicle) [A-Z]?\d[\w.-]*"

row(
    "charge",
    rf"(?:my \w+ |people |clients |customers )?(?P<v>(?:{_SUM}|\d[\d.,]*)(?: (?:an?|per) \w+)?)(?: for .+)?$",
    so_it_is("price"),
)
row(
    "have",
    rf"(?:got )?(?:about |around |roughly |over |almost )?(?P<v>{_SUM}) (?:saved(?: up)?|put aside|in savings|"
    rf"in the bank)$",
    so_it_is("savings"),
)
row("save put", rf"(?:up )?(?:about |around )?(?P<v>{_SUM})(?: (?:so far|aside|up))*$", so_it_is("savings", "perfect"))
row("have", rf"(?:got )?(?P<v>(?:very )?{_HUE}(?:,? (?:and )?{_HUE}){{0,2}}) hair$", so_it_is("hair"))
row("have", rf"(?:got )?(?P<v>(?:very )?{_HUE}(?:,? (?:and )?{_HUE})?) eyes$", so_it_is("eye color"))
row(
    "owe",
    rf"(?P<who>(?:my |our |the |his |her )?[\w' -]{{2,30}}?) (?P<v>{_SUM})$",
    lambda groups, p: so_it_is(f"owes {values.bare(groups['who'])}")(groups, p),
)
row("be", r"(?:back )?on (?P<v>nights|days|earlies|lates)$", so_it_is("shift"))
_AWAY = r"on (?:an? )?sabbatical|in (?:the )?(?:hospital|rehab|intensive care|prison|jail|quarantine)"
"""Where someone is for a time, and not at work or at home."""
row("be", rf"(?:still |now )?(?P<v>{_AWAY})$", so_it_is("status"))
row(
    "be get come",
    r"(?:back |home |out |released |discharged )+(?:from |of )(?:the |an? |her |his )?(?P<v>sabbatical|hospital|rehab|"
    r"intensive care|prison|jail|quarantine)$",
    lambda groups, p: no_longer_away(groups, p),
)
row("be", r"(?:back )?on (?:the )?(?P<v>(?:day|night|early|late|morning|evening) shifts?)$", so_it_is("works"))
row("be sit work live", rf"(?:up |down |over )?on (?:the )?(?P<v>{_FLOOR})$", so_it_is("floor"))
row("be sit work", rf"(?:up |down |over )?in (?P<v>{_ROOM})$", so_it_is("room"))
row(
    "be get move",
    rf"(?:moved |put |sent |transferred )?(?:up |down |over )?(?:to|on|on to|into) (?:the )?(?P<v>{_FLOOR})$",
    so_it_is("floor", "past", "perfect", "present"),
    change=True,
)
row(
    "be get move",
    rf"(?:moved |put |sent |transferred )?(?:up |down |over )?(?:to|into) (?P<v>{_ROOM})$",
    so_it_is("room", "past", "perfect", "present"),
    change=True,
)


row("play", r"for (?P<v>(?:the )?(?!fun|money|time|years|hours)[\w' -]{2,30})$", so_it_is("plays for"))


def not_borne(groups: Groups, predicate: Predicate) -> list[Found]:
    """What someone's body does not take: "I don't tolerate fructose"."""
    items = [values.bare(item) for item in values.items(groups["v"], "very", "well", "properly", "in", "at", "any")]
    plain = predicate.negated and not predicate.ended and predicate.tense == "present"
    return [
        Found("intolerance", item, kind="state")
        for item in items
        if plain and len(item.split()) <= 2 and not _POINTED.match(item)
    ]


row("tolerate digest", r"(?P<v>[a-z].*)", not_borne)

_NAMES = r"(?-i:[A-Z\d])[\w+.'-]*(?: (?-i:[A-Z+])[\w+.'-]*){0,2}"
_RACE = re.compile(
    r"(?i)\b(?:marathon|race|run|triathlon|ironman|course|class|camp|conference|tournament|cup|day|festival)$"
)
_DIGITAL = re.compile(
    r"(?i)\b(?:notes|photos|pictures|calendar|emails?|passwords|tasks|contacts|music|playlists|bookmarks|files|documents|"
    r"recipes|code|backups|todos|lists?|diary|journal)$"
)
"""What a program keeps for someone."""


def is_called(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "host a podcast called Slow Lane": the speaker's podcast, by its name."""
    plain = predicate.tense == "present" and (not predicate.negated or predicate.ended)
    return [Found(groups["key"].lower(), groups["v"], confidence=0.85)] if plain else []


row(
    "have host run write present publish own",
    rf"(?:got )?an? (?:[a-z-]+ ){{0,2}}?(?P<key>podcast|blog|newsletter|channel|radio show|bookshop|bakery|restaurant|"
    rf"cafe|shop|business|charity|startup)(?:,| called| named) (?P<v>{_NAMES})$",
    is_called,
)
row(
    "have",
    rf"(?:got )?(?:an?|my|our) (?P<key>mortgage|loan|pension|savings account|current account|insurance policy) "
    rf"(?:with|from|at) (?P<v>{_NAMES})$",
    is_called,
)


_COVERED = (
    rf"(?:an? |my |our )?(?P<key>[a-z]+ (?:insurance|cover|policy|contract|plan)) (?:with|from|at) (?P<v>{_NAMES})"
)


def each_cover(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "have travel insurance with Globesure and home insurance with Hearth": each with its own."""
    plain = predicate.tense == "present" and (not predicate.negated or predicate.ended)
    covers = re.finditer(_COVERED, groups["each"]) if plain else ()
    return [Found(cover["key"], cover["v"], confidence=0.85) for cover in covers]


_EACH = re.sub(r"\?P<\w+>", "?:", _COVERED)
row("have", rf"(?:got )?(?P<each>{_EACH}(?:(?:,|,? and) {_EACH})*)$", each_cover)


row(
    "code program",
    rf"(?:mostly |mainly |only )?in (?P<v>{_NAMES}(?:(?:,|,? and) {_NAMES})*)$",
    lambda groups, p: says_each("knows")(groups, p) if p.tense == "present" and not p.negated else [],
)
row(
    "have hold",
    r"(?:got )?dual (?:citizenship|nationality)[,:] (?P<v>(?-i:[A-Z])\w+ and (?-i:[A-Z])\w+)$",
    says_each("nationality"),
)


_SUBJECTS = (
    r"(?:[a-z]+ )?(?:[a-z]+(?:ology|onomy|ography|istry|matics|nomics|istics)|physics|algebra|calculus|geometry|"
    r"history|"
    r"geography|philosophy|literature|law|chemistry|french|spanish|german|latin|drama|art|music theory)"
)
row(
    "take",
    rf"(?P<v>{_SUBJECTS}(?:(?:,|,? and) {_SUBJECTS})*)$",
    lambda groups, p: says_each("studies")(groups, p) if p.ongoing and p.tense == "present" and not p.negated else [],
)
row(
    "play",
    r"(?:in |as )(?:an? |the )?(?P<v>goal|goalkeeper|midfield|midfielder|defen[cs]e|defender|attack|striker|winger|"
    r"centre-back|left-back|right-back)(?: for .+)?$",
    so_it_is("playing position"),
)
row(
    "take wear",
    r"(?:an? )?(?:size )?(?P<v>(?:extra )?(?:small|large)|medium|(?-i:X{0,3}[SL]|M))(?: in .+)?$",
    so_it_is("size"),
)


def in_drink(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "I have milk in my coffee": how someone takes it."""
    plain = predicate.tense == "present" and (not predicate.negated or predicate.ended)
    name = f"{groups['drink'].lower()} preference"
    return (
        [Found(name, f"with {groups['v'].lower()}", text=f"takes {groups['v']} in {groups['drink']}")] if plain else []
    )


row(
    "have take put",
    r"(?P<v>(?:[a-z]+ )?(?:milk|sugar|honey|cream|lemon|sweetener)) in (?:my|our) (?P<drink>coffee|tea)$",
    in_drink,
)


def bought_at(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "I buy my bread at Hansen's": where someone gets it as a rule."""
    plain = predicate.tense == "present" and not predicate.ongoing and (not predicate.negated or predicate.ended)
    return [Found("habit", f"{predicate.verb} {groups['v']}", confidence=0.85)] if plain else []


row(
    "buy get order",
    rf"(?P<v>(?:my|our) [a-z]+(?: [a-z]+)? (?:at|from) (?:{_NAMES}|the [a-z]+(?: [a-z]+)?))$",
    bought_at,
)
row(
    "do practise practice",
    r"(?P<v>(?:intermittent )?fasting|dry january|couch to 5k)$",
    lambda groups, p: (
        [Found("habit", groups["v"].lower())] if p.tense == "present" and (not p.negated or p.ended) else []
    ),
)


def languages_written(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "I mostly write Go and some Rust": programming languages, and no letters."""
    items = [re.sub(r"(?i)^(?:some|a little|a bit of|mostly) ", "", item) for item in values.items(groups["v"])]
    plain = predicate.tense == "present" and not predicate.negated
    known = bool(items) and all(kind_of_program(item) == "language" for item in items)
    return [Found("knows", item, many=True) for item in items] if plain and known else []


row("write", r"(?:mostly |mainly )?(?P<v>(?-i:[A-Z])[\w#+.]*(?:[ ,]+[\w#+.]+)*)$", languages_written)


def pays_for(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "We pay for Notion and Loom": what is subscribed to."""
    plain = predicate.tense == "present" and (not predicate.negated or predicate.ended)
    found = says_each("subscribes to")(groups, predicate) if plain else []
    return found if any(kind_of_program(item.value) for item in found) else []  # We may pay for Anna, too.


row("pay", rf"for (?P<v>{_NAMES}(?:(?:,|,? and) {_NAMES})*)$", pays_for)
_INSTRUMENTS = (
    r"(?:piano|guitar|violin|viola|cello|drums|flute|oboe|clarinet|saxophone|trumpet|trombone|ukulele|banjo|accordion|harp|"
    r"bass|mandolin|organ|harmonica|bagpipes)"
)
row(
    "pick take",
    rf"up (?:the )?(?P<v>{_INSTRUMENTS})$",
    lambda groups, p: [Found("plays", groups["v"])] if p.tense in ("past", "perfect") and not p.negated else [],
    change=True,
)


def signs_up(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "signed up for Mubi": a service, and no race."""
    plain = predicate.tense in ("past", "perfect") and not predicate.negated and not _RACE.search(groups["v"])
    return says_each("subscribes to")(groups, predicate) if plain else []


row("sign", rf"(?:myself |us )?up (?:for|to|with) (?P<v>{_NAMES}(?:(?:,| and) {_NAMES})*)$", signs_up, change=True)


def has_services(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "We've got Netflix and Disney+": known as services, and nobody's names."""
    items = values.items(groups["v"])
    plain = predicate.tense == "present" and (not predicate.negated or predicate.ended)
    known = items and all(kind_of_program(item) in ("video", "music") for item in items[:1])
    return [Found("subscribes to", item, many=len(items) > 1 or None) for item in items] if plain and known else []


row("have", rf"(?:got )?(?P<v>{_NAMES}(?:(?:,|,? and) {_NAMES})*)$", has_services)


def keeps_in(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "I keep my passwords in Bitwarden": what is used for them."""
    plain = predicate.tense == "present" and (not predicate.negated or predicate.ended)
    if not plain or not _DIGITAL.search(groups["what"]):
        return []
    return [Found("uses", groups["v"], text=f"uses {groups['v']} for {groups['what']}", confidence=0.85)]


row(
    "keep store save hold",
    rf"(?:all )?(?:of )?(?:my|our) (?P<what>(?:[a-z]+ )?[a-z]+) (?:in|on|with) (?P<v>{_NAMES})$",
    keeps_in,
)


def with_provider(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "I'm with Vodafone": known as what it provides."""
    kind = kind_of_program(groups["v"])
    plain = predicate.tense == "present" and not predicate.negated and kind in PROVIDERS
    return [Found(kind, groups["v"])] if plain else []


PROVIDERS = ("bank", "phone provider")
row("be bank", rf"with (?P<v>{_NAMES})(?: for (?:my|our) (?:mobile|phone|cell|sim|banking|accounts?))?$", with_provider)


def through(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "We take payments through Stripe": what is used for them."""
    plain = predicate.tense == "present" and (not predicate.negated or predicate.ended)
    with_whom = groups["link"] == "with" and not kind_of_program(groups["v"])  # lessons with Pilar
    what = f" for {groups['what']}" if groups["what"] else ""
    told = plain and not with_whom
    return [Found("uses", groups["v"], text=f"uses {groups['v']}{what}", confidence=0.85)] if told else []


row(
    "take process handle send do accept manage track book sell order",
    rf"(?:our |all our |all |my )?(?P<what>(?:[a-z-]+ )?[a-z-]+s|payroll|billing|bookkeeping|accounting|shipping|mail) "
    rf"(?P<link>through|via|using|with) (?P<v>{_NAMES})$",
    through,
)
