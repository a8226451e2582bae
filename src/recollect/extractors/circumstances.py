"""What stands around a statement and is no part of it: circumstances before its subject and after its object."""

from __future__ import annotations

import re

from recollect.extractors.keywords import has_any
from recollect.extractors.verbs import FORMS
from recollect.text.values import word_set

_THIRD = "|".join(sorted(form for form, (_, kind) in FORMS.items() if kind == "third"))
_FRONT = re.compile(
    r"^(?i:after|since|with|thanks to|following|over|during|in|on|at|for|because of|due to|by|from|before|despite|"
    r"apart "
    r"from|along with|besides|per|under|as per|according to|as of) (?:[\w'’./-]+ ){0,5}?[\w'’./-]+,? "
    rf"(?=(?:the|my|our) \w|[A-Z][\w./-]*(?: [a-z]\w+)? (?:is|are|has|have|will|now|{_THIRD})\b)"
)
_AFTER = re.compile(
    r"(?i),? (?:after|because of|due to|thanks to|following|despite|so that|in order to|to (?:save|avoid|be|get|"
    r"make|keep|"
    r"have|help|stop|prevent|cut|reduce)|what with|given|courtesy of|on account of|as part of)\b.*$|"
    r",(?! (?:not|but|and|or|if|unless|which|who|instead|no|nor|rather|never)\b)(?: [\w.'-]+){1,5}$"
)
_FRONTS = word_set(
    "after since with thanks following over during in on at for because due by from before despite apart along besides "
    "per under as according"
)
_AFTERS = word_set("after because due thanks following despite so order to what given courtesy account part")
_PERIPHERAL = re.compile(r"(?i)\b(?:not|if|unless|except|never|would|could|might)\b")


def peeled(text: str) -> str:
    """The clause without circumstances before its subject and after its object: "After caching CI takes 9 minutes"."""
    front = _FRONT.match(text) if text[: text.find(" ")].lower() in _FRONTS else None
    core = text[front.end() :] if front else text
    after = _AFTER.search(core) if "," in core or has_any(core, _AFTERS) else None
    core = core[: after.start()] if after and after.start() > 8 else core
    return text if _PERIPHERAL.search(text) or len(core.split()) < 3 else core


_RHYTHM = re.compile(r"^(?P<when>(?:[Oo]n|[Ee]very|[Ee]ach|[Tt]wice|[Oo]nce) [\w' ]{2,30}?),? (?P<rest>(?:I|we) .+)$")


def rhythm_last(text: str) -> str:
    """ "On Thursdays I go climbing" as "I go climbing on Thursdays"."""
    match = _RHYTHM.match(text)
    return f"{match['rest']} {match['when'][0].lower()}{match['when'][1:]}" if match else text
