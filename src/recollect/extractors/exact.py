"""What a value says of itself: who runs on port 9090 has that port."""

from __future__ import annotations

import re
from dataclasses import replace

from recollect.extractors.patterns import Found
from recollect.extractors.programs import kind_of_program
from recollect.extractors.value_kinds import kind_of_value
from recollect.facts.attributes import attribute

_GYM = re.compile(r"(?:Gym|Fitness|CrossFit| gym)$")
_NAMED_VALUE = re.compile(r"(?i)^(?:the )?(?P<key>port|version|branch|host) (?P<v>[\w./:-]+)$")
_IP = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?$")
_PORT = re.compile(r"^(\d+) (?:behind|on|for|in|with)\b.*")
_PORT_ALONE = re.compile(r"\d{4,5}$")
_LOOSE = frozenset(("runs on", "uses", "location", "is on", "listens on"))


def more_exact(name: str, found: Found) -> tuple[str, Found]:
    """The attribute that a value belongs to, and the value without what names it."""
    if name == "employer" and _GYM.search(found.value):
        return "gym", replace(found, value=found.value.removesuffix(" gym"), text="")
    if name == "port":
        found = replace(found, value=_PORT.sub(r"\1", found.value))
    if name == "runs on" and kind_of_program(found.value) == "language" and found.value.isalpha():
        return "built with", replace(found, text="", many=False)  # "was ported to Rust"
    if name == "version" and _IP.match(found.value):
        return "host", replace(found, text="")
    if name == "runs on" and kind_of_value(found.value) == "date":  # "The launch is on June 20"
        return "happens", replace(found, value=f"on {found.value}", text="")
    if name in _LOOSE and _PORT_ALONE.match(found.value):
        return "port", replace(found, text="")
    match = _NAMED_VALUE.match(found.value) if name in _LOOSE else None
    return (attribute(match["key"]).name, replace(found, value=match["v"], text="")) if match else (name, found)
