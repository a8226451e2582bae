"""Statements that one thing took the place of another: replaced, renamed, moved from one host to the next."""

from __future__ import annotations

import re

from recollect.attributes import attribute
from recollect.extractors import nouns, values
from recollect.extractors.patterns import Found
from recollect.extractors.people import NAME, is_name, relation_of
from recollect.extractors.posts import is_post, is_role
from recollect.programs import kind_of_program
from recollect.records import USER, Kind

_RENAMED = re.compile(
    r"(?i)^(?:i|we) (?:have |just )*renamed (?:the |our |my )?(?P<what>(?:[\w'./-]+ ){0,3}?[\w'./-]+)(?: from "
    r"(?P<old>[\w`./-]+))? "
    r"(?:(?:to|as|into) |(?=(?-i:[A-Z])[\w-]+$))"
    r"(?P<v>[`#\w][\w`./-]*(?: (?-i:[A-Z])[\w.-]*)*)(?:[ ,].*)?$"
)
_NOW_CALLED = re.compile(
    rf"^(?P<what>{NAME}|[a-z]+[-_./\d][\w./-]*|[a-z][\w-]{{2,}}(?= (?:was|got|has been) re(?:named|branded) )|"
    rf"(?:[Tt]he|[Oo]ur|[Mm]y) (?:[\w'./-]+ ){{0,3}}?[\w'./-]+) (?i:is (?P<now>now )?(?:called|"
    rf"known as|"
    rf"named)|was "
    r"re(?:named|branded)(?: to| as)?|(?:has been|got|is being) "
    r"re(?:named|branded)(?: to| as)?|changed (?:its|her|his|their) name to|now goes by|goes by|"
    r"will be (?:called|known as|named|re(?:named|branded)(?: to| as)?)) "
    r"(?P<v>[`\w][\w`./-]*(?: [A-Z][\w.-]*)*)$"
)
_CARRIED = re.compile(
    r"(?i)^(?:i|we) (?P<how>will |are going to |have |just |(?:am|are) (?:now )?(?=\w+ing\b))*(?:mov(?:ed?|ing)|"
    r"migrat(?:ed?|ing)|switch(?:ed|ing)?|port(?:ed?|ing)|transferred|changed(?=.* from )) "
    r"(?:all )?(?:of )?(?:the |our |my |(?=(?:prod|production|staging|dev|ci|everything)\b))"
    r"(?P<what>(?:[\w'./-]+ ){0,3}?[\w'./-]+?)(?: over)?(?: from (?P<old>[\w.-]+(?: [\w.-]+)?))? (?:over )?to "
    r"(?P<v>(?:[\w./-]+ )?"
    r"[\w./-]+)(?: (?:over|because|so|after|since|for|in|on) .*)?$"
)


_REPLACED_AS = re.compile(
    rf"^(?:(?P<new>{NAME}) (?:has )?(?:replaced|took over from|succeeded) (?P<old>{NAME})|(?P<gone>{NAME}) (?:was|"
    rf"has been|got) "
    rf"replaced by (?P<by>{NAME})|(?P<over>{NAME}) (?:took over|has taken over)) as (?:my |our |the )?(?P<key>[\w ]+)$"
)


def replaced_as(text: str) -> list[Found]:
    """ "Olga replaced Ben as my manager"."""
    match = _REPLACED_AS.match(text)
    known = attribute(match["key"]) if match else None
    if match is None or known is None or not (known.known or is_post(match["key"])):
        return []
    new = match["new"] or match["by"] or match["over"]
    return [Found(known.name, new, kind="update", instead_of=match["old"] or match["gone"])]


_REPLACED_BY = re.compile(
    r"(?i)^(?:the |our |my )?(?P<old>(?-i:[A-Z])[\w.+-]*(?: (?-i:[A-Z\d])[\w.+-]*)*|[\w-]+(?: [\w-]+)?) (?:is|was|"
    r"has been|have been|got|"
    r"is being|are|were) (?:now |just |finally |recently )?(?:replaced|superseded|succeeded) (?:by|with) "
    r"(?:the |our |my |an? )?(?P<new>[\w.+-]+(?: [\w.+-]+){0,2})$|"
    r"^(?P<b>(?-i:[A-Z])[\w.+-]*(?: (?-i:[A-Z\d])[\w.+-]*)*) (?:has |now |just )*(?:replaced|replaces|superseded|"
    r"supersedes) (?:the |our |my )?"
    r"(?P<a>[\w.+-]+(?: (?-i:[A-Z\d])[\w.+-]*)*)$"
)


def replaced_by(text: str) -> list[Found]:
    """ "Capistrano has been replaced by Kamal", "Kamal replaced Capistrano": whatever the old one was the value of."""
    match = _REPLACED_BY.match(text)
    if match is None:
        return []
    old, new = match["old"] or match["a"], match["new"] or match["b"]
    return [Found("", values.one(new), kind="update", instead_of=old, confidence=0.9)] if not relation_of(old) else []


_FROM_TO = re.compile(
    r"(?i)^(?:(?:the|our) |(?=(?!(?:i|we|he|she|they|you|it|who)\b)(?-i:[a-z])[\w-]+ (?:has |have |was |were |"
    r"just )*[a-z]+ed ))"
    r"(?P<what>(?:[\w'./-]+ ){0,3}?[\w'./-]+) (?:has |have |was |were |just |recently )*(?:moved|switched|migrated|"
    r"changed|ported|gone|went|transitioned|converted)(?: over| across)? "
    r"from (?P<old>[\w.-]+(?: [\w.-]+){0,2}?) to (?P<v>[\w.-]+(?: "
    r"(?-i:[A-Z\d])[\w.-]*)*)(?: .*)?$"
)


def from_to(text: str) -> list[Found]:
    """ "The billing app moved from MySQL to CockroachDB": the old value tells of what."""
    match = _FROM_TO.match(text)
    if match is None or not re.search(r"[A-Z\d]", match["v"]):
        return []
    return [Found("", match["v"], kind="update", subject=match["what"], instead_of=match["old"], confidence=0.8)]


_BECOMES = re.compile(
    rf"^(?P<v>{NAME}) (?P<be>will be|becomes|will become|is becoming|is going to be|takes over as|will take over as|"
    rf"is taking over as|took over as|has taken over as|became|has become)(?: from {NAME} as)? "
    r"(?:my |our |the |(?=(?:[a-z]+ )*(?:C[A-Z]O|head of|[a-z]+ (?:lead|master|manager|advisor|director))\b|C[A-Z]O\b))"
    r"(?:new )?(?P<key>[\w ]{2,40}?)(?: from (?P<old>[A-Z]\w+))?$"
)
_HIRED_AS = re.compile(
    rf"^(?:[Ww]e|[Tt]hey|I) (?P<how>(?:have |has |just |finally |now )*)(?P<verb>hired|appointed|named|made|"
    rf"promoted|elected|"
    rf"have|use|got) (?P<v>{NAME}) (?:as |to )?(?:our |the |my )?(?P<new>new )?(?P<key>[A-Za-z][\w -]{{2,30}}?)$|"
    rf"^(?P<w>{NAME}) (?:now )?(?:works|serves|acts) as (?:our|the) (?P<post>[A-Za-z][\w -]{{2,30}}?)$"
)
"""Who was given a post by us, or holds one."""


def hired_as(text: str) -> list[Found]:
    """ "We hired Ruslan as our new head of sales", "Tamsin works as our scrum master"."""
    match = _HIRED_AS.match(text)
    key, who = ((match["key"] or match["post"]), (match["v"] or match["w"])) if match else ("", "")
    if match is None or not is_post(key) or not is_name(who):
        return []
    kind: Kind | None = "update" if match["verb"] and match["verb"] not in ("have", "use") else None
    return [Found(attribute(key).name, who, kind=kind, subject=USER, confidence=0.8)]


_IS_POST = re.compile(rf"^(?P<v>{NAME}) is (?P<now>now )?the (?:new )?(?P<key>[\w -]{{3,30}}?)$")


def becomes(text: str) -> list[Found]:
    """ "Ines will be my boss"."""
    match = _BECOMES.match(text)
    known = attribute(match["key"]) if match else None
    if match is None or known is None or not (known.known or is_post(match["key"])) or not is_name(match["v"]):
        return is_the(text)
    done = match["be"] in ("became", "has become", "took over as", "has taken over as")
    return [Found(known.name, match["v"], kind="update" if done else "plan", instead_of=match["old"])]


def is_the(text: str) -> list[Found]:
    """ "Tomasz is the release manager now": who holds a post that there is only one of."""
    match = _IS_POST.match(text)
    if match is None or not is_name(match["v"]) or not is_post(match["key"]) or " " not in match["key"]:
        return []
    kind: Kind | None = "update" if match["now"] else None
    return [Found(attribute(match["key"]).name, match["v"], kind=kind, subject=USER, confidence=0.6)]


def renamed(text: str) -> list[Found]:
    """A thing or a person under a new name."""
    match = _RENAMED.match(text)
    if match:
        return [Found("name", match["v"], kind="update", subject=match["what"])]
    match = _NOW_CALLED.match(text)
    bare = (
        match is not None
        and " " not in match["what"]
        and re.match(r"(?i)(?:it|this|that|he|she)$", match["what"]) is None
    )
    if match and bare and re.search(r" re(?:named|branded) ", match[0]):
        old = match["what"]
        return [Found("", match["v"], kind="update", subject=old, instead_of=old, category="named")]
    if match is None or re.match(r"(?i)(?:my |s?he$|it$|they$)", match["what"]) or is_name(match["what"]):
        return []
    subject = re.sub(r"(?i)^(?:the|our) ", "", match["what"])
    plain = re.fullmatch(r"[a-z][\w-]{2,}", match["v"]) is not None
    key = attribute(subject.split()[-1])
    plain = plain and (not key.known or (" " in subject and key.name != "branch"))  # A branch is its name.
    if relation_of(subject.split()[0]) or not (values.has_name(match["v"]) or plain):
        return []
    new = subject.lower().startswith("new ")
    if is_role(role := subject.lower().removeprefix("new ")):
        return [Found(role, match["v"], subject=USER, kind="update" if new or match["now"] else None)]
    told = " is called " in match[0] or " is named " in match[0]
    kind: Kind | None = "plan" if " will be " in match[0] else None if told else "update"
    return [Found("name", match["v"], kind=kind, subject=subject)]


def carried(text: str) -> list[Found]:
    """ "We will move the checkout service to Fly.io"."""
    match = _CARRIED.match(text)
    if match is None or not re.search(r"[A-Z\d./]", match["v"]) or nouns.is_event(match["what"]):
        return []
    if re.search(r"(?i)\b(?:myself|ourselves|everyone)$", match["what"]):
        return []
    if re.search(
        r"(?i)\b(?:notes|photos|calendar|emails?|passwords|tasks|contacts|music|playlists|bookmarks)$", match["what"]
    ):
        coming = re.search(r"(?i)will|going|am|are", match["how"] or "")
        return [Found("uses", match["v"], kind="plan" if coming else "update", instead_of=match["old"])]
    if match["what"].endswith("number"):  # Which was taken along to another phone company.
        return [Found("phone provider", match["v"], kind="update", instead_of=match["old"])]
    if re.search(r"(?i)\w account$", match["what"]) and match["v"][:1].isupper():
        return [Found(match["what"], match["v"], kind="update", instead_of=match["old"])]
    if re.search(
        r"(?i)\b(?:savings|money|account|things|stuff|furniture|appointment|family|office|desk|sofa|couch|bed|table|piano|"
        r"car|bike|boxes|wardrobe|kids|children|dog|cat)$",
        match["what"],
    ):
        return []
    if re.match(
        r"(?i)(?:\d|(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|"
        r"dec|january|february|march|april|august|september|october|november|december)\b)",
        match["v"],
    ):
        return []
    kind = "plan" if re.search(r"(?i)will|going|am|are", match["how"] or "") else "update"
    mine = attribute(match["what"])
    mine = mine if mine.known else attribute(f"{match['what']} provider")  # "our electricity"
    if mine.known and mine.holds == "one" and (mine.category == "finance" or mine.name.endswith(" provider")):
        return [Found(mine.name, match["v"], kind=kind, instead_of=match["old"])]  # type: ignore[arg-type]
    name = "" if match["old"] else "runs on"  # What a thing was moved from tells best what of it has changed.
    return [Found(name, match["v"], kind=kind, subject=match["what"], instead_of=match["old"], category="hosting")]  # type: ignore[arg-type]


_TEAM_SWITCHED = re.compile(
    r"^(?:[Tt]he|[Oo]ur) (?P<what>(?:[\w-]+ ){1,2}(?:team|department|squad|office|branch|school|"
    r"club|practice|lab|clinic|crew)) "
    r"(?:has |have |just |recently |finally )*(?:switched|changed|moved|gone)(?: over)? to "
    r"(?P<v>[A-Z][\w.+-]*(?: [A-Z][\w.-]*)?)"
    r"(?: (?:last|this|for|in|because)\b.*)?$"
)


def team_switched(text: str) -> list[Found]:
    """ "The frontend team has switched to Playwright": what they use, if it is a program or they switched."""
    match = _TEAM_SWITCHED.match(text)
    if match is None or not (kind_of_program(match["v"]) or " switched " in match[0]):
        return []
    return [Found("uses", match["v"], kind="update", subject=match["what"], many=False, confidence=0.8)]


_WENT_TO = re.compile(
    r"^(?:[Tt]he|[Oo]ur) (?P<what>(?:[\w./-]+ ){0,2}?[\w./-]+) (?P<how>(?:has |have |was |were |just |recently |now |"
    r"is |are |will |got |been |finally )*)"
    r"(?P<verb>moved|migrated|moving|migrating|moves|migrates|move|migrate)(?: over)? to (?P<v>[A-Z][\w.-]*(?: "
    r"[A-Z\d][\w.-]*){0,2}|[\w-]+(?:\.[\w-]+)+|[a-z]{2}-[a-z]+-\d)"
    r"(?: (?:last|this|yesterday|today|on|over|for|because|in)\b.*)?$"
)
_PEOPLE = re.compile(
    r"(?i)\b(?:team|family|kids|children|neighbou?rs?|couple|company|firm|office|headquarters|boss|owner|\w+s|"
    r"conference|meeting|"
    r"party|wedding|event|man|woman|people|guy|girl|boy)$"
)


_COMING = ("moving", "migrating", "moves", "migrates")


def went_to(text: str) -> list[Found]:
    """ "The frontend moved to Cloudflare Pages": a thing, which is then hosted there."""
    match = _WENT_TO.match(text)
    coming = match is not None and (match["verb"] in _COMING or "will" in match["how"])
    if match and match["what"] in ("office", "headquarters"):
        return [Found(match["what"], match["v"], kind="plan" if coming else "update")]
    if match is None or _PEOPLE.search(match["what"]) or relation_of(match["what"].split()[-1]):
        return []
    if nouns.is_event(match["what"]) or re.match(
        r"(?:[A-Z][a-z]+day|January|February|March|April|May|June|July)\b", match["v"]
    ):
        return []
    return [
        Found("runs on", match["v"], kind="plan" if coming else "update", subject=match["what"], category="hosting")
    ]
