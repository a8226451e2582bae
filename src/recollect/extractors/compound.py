"""Two statements in one sentence, each with the subject that it has: "the worker runs on vm-2 and is owned by Tess"."""

from __future__ import annotations

import re

from recollect.text.values import word_set

_SAID_OF_THINGS = word_set(
    "is are has have runs run listens listen lives live sits uses use costs cost opens open closes close starts start "
    "begins ends needs need requires require takes take deploys deploy talks connects connect depends depend supports "
    "belongs expires weighs holds contains expects serves stores reads writes sends goes ships"
)
"""Verbs with which something is said of a thing."""
_VERB = "|".join(sorted(_SAID_OF_THINGS))
_THING = (
    r"(?:(?:[Tt]he|[Oo]ur) (?:[\w'./-]+ ){1,3}?|[a-z]+[-_/][\w./-]+ |"
    r"[A-Z][\w-]+ (?=is (?:based|located|owned|run|hosted) |runs ))"
)
_AND = re.compile(
    rf"^(?P<thing>{_THING})(?P<first>(?:now |also )?(?:{_VERB}) [^,;:?!]+?),? and (?:it )?(?:also )?"
    rf"(?P<second>(?:now )?(?:{_VERB}) [^,;:?!]+)$"
)
_OWNS_IT = re.compile(
    rf"^(?P<thing>{_THING})(?P<first>(?:now |also )?(?:{_VERB}) [^,;:?!]+?),? and "
    r"(?P<who>[A-Z][\w-]*(?: [A-Z][\w-]*)?) (?P<verb>owns|maintains|runs) it(?P<stop>[.]?)$"
)
_HOURS = re.compile(r"^(?P<we>[Ww]e )(?P<first>(?:now )?open [^,;:?!]+?),? and (?P<second>(?:now )?close .+)$")
_BROKEN = (
    r"(?:(?:just|finally|has|have) )*(?:died|broke(?: down)?|gave up the ghost|conked out|packed (?:it )?(?:in|up)|"
    r"gave out|bit the dust|(?:is|was|got) (?:dead|gone|stolen|totall?ed|written off|scrapped))(?: (?!a\b)\w+){0,3}"
)
_REPLACED = re.compile(
    rf"^(?P<old>(?:[Tt]he|[Mm]y|[Oo]ur) [\w' -]+?) {_BROKEN}(?:,(?: so| and| then)?| so| and) "
    r"(?:(?:I|we|just|finally|have|(?:I|we)'ve) )*(?:picked up|bought|got|ordered|grabbed|went with|leased|went for|"
    r"drive|ride|use|have) (?P<new>an? (?:[a-z-]+ )?[A-Z].*?)(?: now| instead| these days)*(?P<stop>[.!]*)$"
)
"""A thing with a name that is over, and what the speaker got for it."""
_SWAPPED = re.compile(
    r"^(?P<who>I|[Ww]e) (?:have |just |finally )*(?:ripped out|tore out|took out|threw out|dropped|ditched|"
    r"removed|got rid of|"
    r"pulled out|chucked out|scrapped) (?P<old>(?:the |our |my )?[A-Z][\w.+-]*(?: [A-Z\d][\w.+-]*)*) and "
    r"(?:have |just )*"
    r"(?:put in|brought in|installed|went with|went for|adopted|introduced|set up|rolled out|plugged in) "
    r"(?P<new>[A-Z][\w.+-]*(?: [A-Z\d][\w.+-]*)*)(?P<end>(?: instead)?[.!]?)$"
)
"""A thing with a name that gave way to another one."""
_ROLE = (
    r"(?:client|customer|supplier|vendor|competitor|contractor|distributor|wholesaler|reseller|investor|agency|subsidiary|"
    r"parent company|sister company|partner company)"
)
_NAMED_ROLE = re.compile(
    rf"^(?:[Oo]ur|[Mm]y) (?:[a-z-]+ )?{_ROLE},? (?P<name>[A-Z][\w&.-]*(?: [A-Z&][\w&.-]*)*),? "
    r"(?P<rest>(?:is|are|was|has|have|uses?|runs?|pays?|wants|needs|moved|switched|upgraded|[a-z]+s) .+)$"
)
"""A firm by what it is to the speaker and by its name, of which something is told."""
_OPEN = re.compile(r"(?i)\b(?:if|when|while|because|that|which|who|but|or|not|than|between|both)\b")
"""Words after which the second verb may belong to something else than the subject."""


def taken_apart(sentence: str) -> list[str]:
    """The two statements of such a sentence, each with its subject; any other sentence as it is."""
    match = _AND.match(sentence)
    if match and not _OPEN.search(match["first"]):
        return [f"{match['thing']}{match['first']}.", f"{match['thing']}{match['second']}"]
    if match := _NAMED_ROLE.match(sentence):
        return taken_apart(f"{match['name']} {match['rest']}")
    if match := _SWAPPED.match(sentence):
        return [f"{match['who']} replaced {match['old']} with {match['new']}"]
    if match := _HOURS.match(sentence):
        return [f"{match['we']}{match['first']}.", f"{match['we']}{match['second']}"]
    if (match := _REPLACED.match(sentence)) and re.search(r"(?<=\w )[A-Z]", match["old"]):
        return [f"I replaced {match['old'][0].lower()}{match['old'][1:]} with {match['new']}"]
    match = _OWNS_IT.match(sentence)
    if match and not _OPEN.search(match["first"]):
        thing = re.sub("^[Oo]ur ", "the ", match["thing"]).strip()
        thing = f"{thing[0].lower()}{thing[1:]}" if thing[:4] == "The " else thing
        thing = thing if thing.startswith("the ") else f"the {thing}"
        return [f"{match['thing']}{match['first']}.", f"{match['who']} {match['verb']} {thing}{match['stop']}"]
    return [sentence]


def may_part(sentence: str) -> bool:
    """Whether a sentence has what two statements in one have."""
    return " and " in sentence or ", " in sentence or " so " in sentence or sentence[:4].lower() == "our "


_LOOKS_AFTER = re.compile(r"(?i)\b(looks?|looking|looked) after\b")
_CARES_FOR = {"look": "take care of", "looks": "takes care of", "looking": "taking care of", "looked": "took care of"}
"""A verb whose second word would else be taken for the beginning of a clause."""


def with_care(text: str) -> str:
    """ "Anna looks after the shop" as "Anna takes care of the shop"."""
    return _LOOKS_AFTER.sub(lambda match: _CARES_FOR[match[1].lower()], text)
