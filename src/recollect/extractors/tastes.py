"""Statements about what someone likes, hates and prefers."""

from __future__ import annotations

import re
from dataclasses import replace

from recollect.extractors import values
from recollect.extractors.patterns import Found, Groups, Make, rows_of, says_each
from recollect.extractors.people import NAME
from recollect.extractors.verbs import Predicate, ing_form
from recollect.facts.attributes import attribute
from recollect.text.values import singular, word_set

row = rows_of(__name__)

CLASSES = {
    "drink": "tea coffee water wine beer juice soda coke pepsi milk lemonade matcha espresso cappuccino latte whisky "
    "whiskey gin rum vodka cocktails cider kombucha",
    "transport": "train trains bus buses plane planes car cars bike bikes cycling driving flying walking taxi taxis "
    "subway metro tram ferry uber",
    "meal": "breakfast lunch dinner brunch",
    "contact": "email emails phone calls call texts texting text sms slack whatsapp telegram signal letters zoom",
    "editor": "vim emacs neovim nano vscode pycharm intellij sublime zed helix cursor",
    "programming language": "python rust go golang java javascript typescript ruby php kotlin swift scala "
    "haskell elixir perl",
    "indentation": "tabs spaces",
    "season": "summer winter spring autumn fall",
    "temperature": "hot cold warm",
    "time of day": "mornings evenings nights afternoons morning evening",
    "scenery": "mountains beach beaches sea forest countryside city",
    "pet": "cats dogs",
    "theme": "dark light",
    "operating system": "linux windows macos ubuntu debian fedora arch mac",
    "database": "postgres postgresql mysql sqlite mongodb redis",
    "browser": "firefox chrome safari edge brave",
    "reading": "books ebooks audiobooks paperbacks hardcovers",
    "payment": "cash card cards paypal",
}
"""What kind of thing each is, so that two that exclude each other share one attribute."""
_CLASS_OF = {word: name for name, members in CLASSES.items() for word in members.split()}
_HEADS = word_set(
    "seat room hotel flight airline food drink music movie book color meeting editor language framework style theme "
    "mode font restaurant cuisine bed pillow table spot car bike train route shift class size brand tool library "
    "database layout answer response reply explanation summary name format unit indentation quote temperature "
    "weather season time"
)
"""Nouns that a preference is about: "window seats" is a preference for seats."""
USUAL = word_set("always usually normally generally typically mostly often")
_MORE_THAN = re.compile(r"(?i),?\s+(?:even |way |much )?(?:more|better|less) than\b.*$|\s+(?:just )?as much as\b.*$")
_DONE_WITH = re.compile(r"(?i)\w+ing(?: \w+){0,2} with (?:my|our) (?:\w+ )?\w+(?=$| and (?:my|our)\b)")
_VERSUS = re.compile(r"(?i),?\s+(?:to|over|than|rather than|instead of|more than)\s+")
_DROP = re.compile(
    r"(?i)^(?:to (?:have |be |use |get |drink |eat |take |sit in |sit at |sit on )?(?:in |on |at )?|having |using |"
    r"drinking |taking |the |an? |my )+"
)
_AWAY = re.compile(r"(?i)(?:not to |to (?P<avoid>avoid) )(?P<v>(?!be called)\w.*)")
_WEAK = word_set(
    "it that this them him her you me those these one ones so what how when to not if all both either idea sound look "
    "way fact thought ideas suggestion suggestions option options recommendation recommendations tip tips advice"
)

_WHICH = re.compile(r"(?i) (?:that|who|whose|which|where) ")
_POINTERS = word_set("it this them these those you your yours that him i")
_POINTING = re.compile(
    r"^(?:this|that|these|those|your|his|her|their|its|my|our|(?:all )?the (?!(?-i:[A-Z])|beach|mountains?|"
    r"outdoors|sea|ocean|snow|rain|cold|heat|"
    r"countryside|piano|guitar|violin|smell|sound|color|news|gym|opera|theater|theatre|forest|water|sun|city life|"
    r"(?:new|latest|first|old|original) (?:[\w'&-]+ ){0,4}(?:album|song|single|record|book|novel|series|show|film|"
    r"movie|game|season|podcast|version|trilogy)))\b",
    re.IGNORECASE,
)
"""Things that stand in the conversation: liking "the idea" is a reply and no taste."""


_IN_HAND = re.compile(
    r"(?i)(?:the (?:first|second|third|last|latter|former|other|original|previous|next|longer|shorter|old|new)|your|"
    r"this|that|these|those)\b(?! seats?\b| name\b)"
)
"""What lies before one: who prefers "the first draft" chooses, and tells no taste."""


def likes(name: str) -> Make:
    """Each thing that is liked or hated; what someone does not like, they dislike."""

    def make(groups: Groups, predicate: Predicate) -> list[Found]:
        turned = predicate.negated and not predicate.ended
        held = ({"likes": "dislikes"}.get(name) if turned else name) or ""
        ends = () if re.match(r"(?i)\w+ing\b", groups["v"]) else ("for", "about", "from", "as")
        said = _MORE_THAN.sub("", groups["v"])
        shared = _DONE_WITH.match(said)
        items = [shared[0]] if shared else whole_phrase(values.items(said, *ends), said)
        if predicate.tense in ("past", "future") or " between " in groups["v"] or not items or not thing(items[0]):
            return []
        found = [(liked, item) for item in items if (liked := thing(item))]
        return [
            Found(
                held,
                value,
                kind="state" if turned else None,
                many=len(found) > 1 or None,
                text=f"{held} to {value}" if item.lower().startswith("to ") else "",
            )
            for value, item in found
            if held
        ]

    return make


def whole_phrase(items: list[str], said: str) -> list[str]:
    """The things of a list; when the first is an activity, what follows may belong to it: "doing arts and crafts"."""
    activity = [bool(re.match(r"(?i)(?:to )?\w+ing\b", item)) for item in items]
    if len(items) > 1 and activity[0] and " " in items[0] and not all(activity):
        whole = values.fits(values.cut(said))
        return [whole] if whole else items[:1]
    return items[:1] + [item for item in items[1:] if len(item.split()) <= 5]


def cannot_stand(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "cannot stand" is said with not, and means a dislike."""
    if not (predicate.can and predicate.negated):
        return []
    return [replace(found, kind="state") for found in likes("dislikes")(groups, replace(predicate, negated=False))]


def thing(item: str) -> str:
    """What is liked, as a thing: "to swim" is "swim"; nothing when it is only "it" or "the way you put it"."""
    value = re.sub(
        r"(?i)^(?:to |some |all kinds of |all |both |doing |a good |really |listening to |watching )", "", item
    )
    if _POINTING.match(value):
        return ""
    value = value if values.has_name(value) else values.bare(value)
    words = _WHICH.split(value)[0].lower().split()
    if not words or words[0] in _WEAK or words[-1] in _WEAK or len(words) > 8 or _POINTERS & set(words):
        return ""
    return "" if re.search(r"(?i)\byour?\b", value) else value


LONGEST_KIND = 4
"""In more words, what is preferred is told and not named."""


def prefers(groups: Groups, predicate: Predicate) -> list[Found]:
    """One preference for each thing that is preferred, filed under what kind of thing it is."""
    if (predicate.negated and not predicate.ended) or _IN_HAND.match(groups["v"]):
        return []
    if away := _AWAY.match(groups["v"]):
        return avoids({"v": away["v"]} if away["avoid"] else {"v": as_activity(away["v"])}, predicate)
    if some := values.some_of(groups["v"]):
        return [Found("prefers", whole, confidence=0.9)] if (whole := values.fits(_DROP.sub("", some))) else []
    better, *worse = _VERSUS.split(values.cut(groups["v"]), maxsplit=1)
    doing = re.match(r"(?i)(?:to |\w+ing )", better)
    if doing and not worse and len(better.split()) > LONGEST_KIND:
        whole = values.fits(_DROP.sub("", values.one(better)))
        return [unfiled(whole, "", better)] if whole else []  # What one would rather do is of no kind.
    ends = () if doing else ("for", "when", "on", "in", "at", "with")
    named = [_DROP.sub("", item) for item in values.items(better, *ends)]
    named = [item for item in named if item and item.split()[0].lower() not in _WEAK]
    if len(named) == 1 and not worse and not kind_of_thing(named[0], ""):
        return [unfiled(_DROP.sub("", values.one(better)) or named[0], "", better)]  # "meetings in the morning"
    return [preference(item, _DROP.sub("", values.one(worse[0])) if worse else "", better) for item in named]


def avoids(groups: Groups, predicate: Predicate) -> list[Found]:
    """Each thing that someone keeps away from, or does not do: an activity as a whole."""
    ends = () if re.match(r"(?i)\w+ing\b", groups["v"]) else ("for", "in", "at")
    return says_each("avoids", *ends)(groups, predicate)


def refuses(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "refuse to fly": what someone never does; a refusal that is past was of that moment."""
    plain = predicate.tense == "present" and not predicate.negated and not predicate.ongoing
    return avoids({"v": as_activity(groups["v"])}, predicate) if plain else []


def as_activity(said: str) -> str:
    """ "fly at night" as "flying at night"."""
    verb, _, rest = said.partition(" ")
    return f"{ing_form(verb.lower())} {rest}".strip()


def preference(value: str, other: str, said: str) -> Found:
    """The preference for one thing, over another where one was named."""
    kind = kind_of_thing(value, other)
    if not kind:
        return unfiled(value, other, said)
    name = attribute(f"{kind} preference").name
    short = without_head(value, kind)
    over = f" over {other}" if other else ""
    return Found(name, short, text=f"prefers {value}{over}")


def unfiled(value: str, other: str, said: str) -> Found:
    """A preference of no kind that we know."""
    to = "to " if said.lower().startswith(f"to {value.lower()}") else ""
    over = f" over {other}" if other else ""
    return Found("prefers", value, text=f"prefers {to}{value}{over}", confidence=0.9)


def kind_of_thing(value: str, other: str) -> str:
    """What the preference is about: the noun that both share, a noun that preferences are often about, or a class."""
    head = singular(value.split()[-1].lower())
    if len(value.split()) > 1 and (head in _HEADS or (other and singular(other.split()[-1].lower()) == head)):
        return head
    found = _CLASS_OF.get(value.lower()) or _CLASS_OF.get(head, "")
    if (
        other
        and found
        and found != (_CLASS_OF.get(other.lower()) or _CLASS_OF.get(singular(other.split()[-1].lower())))
    ):
        return ""
    return found


def without_head(value: str, kind: str) -> str:
    """ "window seats" as a seat is "window"."""
    words = value.split()
    return " ".join(words[:-1]) if len(words) > 1 and singular(words[-1].lower()) == kind else value


row("like love enjoy adore fancy", r"(?P<v>.+)", likes("likes"))
row("hate dislike detest despise loathe", r"(?P<v>.+)", likes("dislikes"))
row("stand", r"(?P<v>(?!up|out|by|in|on|for).+)", cannot_stand)
row("prefer", rf"to (?:be called|go by) (?P<v>{NAME})", "nickname")
row("prefer", r"to be (?:contacted|reached|called|notified) (?:by|via|on|through) (?P<v>[\w ]+)$", "contact preference")
row("go", rf"by (?P<v>{NAME})(?: (?:at|in|with|on|online|professionally|here|among)\b.*)?$", "nickname")
row("prefer favor", r"(?P<v>.+)", prefers)
row("avoid", r"(?P<v>.+)", avoids)
row("refuse", r"to (?P<v>(?!believe|let|think|accept)\w.+)", refuses)
row(
    "want take choose book pick",
    r"(?P<v>(?:an? |the )?(?:aisle|window|middle|front|back|exit)(?: row)? seats?\b.*)",
    lambda groups, p: prefers(groups, p) if p.adverbs & USUAL and p.tense == "present" else [],
)
row(
    "pick take",
    r"up (?:an? )?(?:new )?(?:hobby|sport|pastime)[:,]? (?:which is |it is )?(?P<v>.+)",
    lambda groups, p: likes("hobby")(groups, replace(p, tense="present")) if p.tense != "future" else [],
    change=True,
)
row("have find", r"an? new (?:hobby|pastime|passion)[:,] (?:it is )?(?P<v>.+)", likes("hobby"), change=True)
row(
    "take like have drink want",
    r"(?:my|our) (?P<key>coffee|tea|steak|eggs|toast|pizza|burger|meat|whisky|pasta|rice|food|curry)s? (?P<v>black|"
    r"white|strong|weak|(?:black|white|strong|weak|hot|cold) (?:and|with(?:out)?|no) [\w ]+|"
    r"rare|medium(?:[- ]rare)?|well[- ]done|sweet|spicy|mild|hot|iced|cold|with [\w ]+|without [\w ]+|scrambled|"
    r"fried|poached|plain)$",
    lambda groups, p: (
        [Found(attribute(f"{groups['key']} preference").name, groups["v"], text=f"takes {groups['key']} {groups['v']}")]
        if p.tense == "present"
        else []
    ),
)
row(
    "support",
    r"(?P<v>(?-i:[A-Z])[\w .]{2,30})$",
    lambda groups, p: likes("likes")(groups, p) if p.tense == "present" else [],
)
row("root", r"for (?P<v>(?:the )?(?-i:[A-Z]).*)", likes("likes"))
row(
    "be",
    r"an? (?:huge |big |massive |lifelong |die-hard )?(?P<v>(?-i:[A-Z])[\w ]{2,25}) (?:fan|supporter)$",
    likes("likes"),
)
row("be", r"(?:crazy|mad|wild|nuts) about (?P<v>.+)", likes("likes"))
row("be", r"(?:big|heavily|so) into (?P<v>.+)", likes("likes"))
row(
    "collect",
    r"(?P<v>(?!data|it|them|the |my |our |this |that )[\w ]{3,60}(?:, [\w ]{2,60})*)$",
    lambda groups, p: (
        [Found("hobby", f"collecting {item}") for item in values.items(groups["v"])]
        if p.tense == "present" and not p.negated
        else []
    ),
)
_DONE_FOR_FUN = (
    r"(?:[a-z]+ )?(?:yoga|pilates|karate|judo|aikido|taekwondo|crossfit|ballet|gymnastics|martial arts|archery|pottery|"
    r"ceramics|calligraphy|improv|meditation|jiu-jitsu|kickboxing|capoeira|tai chi|bouldering|zumba|parkour|origami)"
)
row(
    "do practice practise",
    rf"(?P<v>{_DONE_FOR_FUN}(?:(?:,|,? and) {_DONE_FOR_FUN})*)\b(?!.*\b(?:every|on \w+days|a week|in the))",
    lambda groups, p: (
        [Found("hobby", item) for item in values.items(groups["v"])] if p.tense == "present" or p.ended else []
    ),
)
row(
    "take get",
    r"(?:up|into) (?P<v>(?!a\b|an\b|(?<!up )the\b|my\b|it\b|too\b|trouble|bed|fights?|arguments?|work\b|"
    r"where)(?:[\w-]+ ){0,2}[\w-]+)$",
    lambda groups, p: takes_up(groups, p),
    change=True,
)


def takes_up(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "took up the cello", "got into bouldering"."""
    if predicate.tense not in ("past", "perfect") or (
        predicate.verb == "get" and not predicate.rest.startswith("into")
    ):
        return []
    return likes("hobby")({"v": values.bare(groups["v"])}, replace(predicate, tense="present"))
