"""What a message shows of others, told by its layout alone: talks with `Name:` lines, titled or ruled off text, text
that another line points at. Where in doubt it is not the speaker's: facts are few and sure. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest

from recollect.extractors.asides import without_lead
from recollect.text.stop_words import COURTESIES, is_stop_word
from recollect.text.words import split

LONGEST_LINE = 400
"""In so many characters of a line a label or a title is looked for."""

LONGEST_ABBREVIATION = 3
"""So many capitals are "PS" or "FYI", and no name."""

LONGEST_TITLE = 4
"""A title has at most so many words."""

_TIME = r"[\[(]?\d{1,2}[:.]\d\d\S{0,8}(?: ?[ap]\.?m\.?)?[\])]?\W{0,4}"
_LABELLED = re.compile(
    rf"^[^\w<\[(\"“]{{0,12}}(?:{_TIME})?"
    r"(?:<(?P<tag>[\w .-]{1,30})>"
    r"|(?P<who>[^\W\d_][\w.'’-]*(?: [\w.'’&-]+){0,3}?)[*_]{0,2}(?: ?[\[(][^()\[\]\n]{1,20}[\])])?[*_]{0,2}:[*_]{0,2})"
    r"(?:\s+(?P<said>.*)|)$"
)
"""A line that begins with a name: "Ann: I'm late", "[10:32] **Ann:** hi", "<ann> hi", "Ann (10:32): hi"."""
_SPEAKS = re.compile(r"(?i)\b(?:i|i'm|i've|i'd|i'll|my|me|we|our|you|your)\b")
_FIRST = re.compile(r"\b(?i:i|i'm|i've|i'd|i'll|my|we|we're|our)\b")
_LED = re.compile(rf"\s*(?P<who>\S.{{0,60}}?)[*_]{{0,2}}[:>|\]]+[*_]{{0,2}}\s+(?={_FIRST.pattern})")
"""What stands before a statement, up to a mark: "12/05/24, 10:32 - Ann: I'm late", "[Ann] I'm late"."""
_RULE = re.compile(r"^\s*([-=*_~#])(?:\s?\1){2,}\s*$")
_HEADED = re.compile(r"^\s{0,3}#{1,6}\s+\S")
_BULLET = re.compile(r"^\s*(?:[-*•·–+]|\d{1,2}[.)])\s")
_SIGNED = re.compile(r"^\s*[-–—]{1,2}\s?[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,2}\s*$")
"""Whom a quotation is of: "— Mallory"."""
_POINTS_BACK = re.compile(r"(?i)^\W{0,3}(?:th(?:is|at|ese|ose)|(?:the )?above)(?:['’]s| is| are| was| were)\b")
_POINTS_AHEAD = re.compile(r"(?i)^\W{0,3}(?:below|(?:the )?following)(?:['’]s| is| are| was| were)\b")


def own_part(text: str) -> str:
    """The lines of a message that are its speaker's own, as far as its layout tells; all of most messages."""
    if "\n" not in text:
        return "" if is_line_of_another(text) else text
    lines = text.replace("’", "'").split("\n")
    end = min(first_line_of_talk(lines), first_line_shown(lines))
    begin = max((place + 1 for place, line in enumerate(lines[:end]) if is_verdict(line, place)), default=0)
    if begin == 0 and end == len(lines):
        return text
    return "\n".join(line for line in text.split("\n")[begin:end] if not is_line_of_another(line))


def first_line_of_talk(lines: Sequence[str]) -> int:
    """Where a talk begins: at the first of two lines that begin with a name, where what stands there is spoken."""
    places = [place for place, line in enumerate(lines) if labelled(line)]
    spoken = any(_SPEAKS.search(line) for line in lines[places[0] :]) if len(places) > 1 else False
    return places[0] if spoken else len(lines)


def first_line_shown(lines: Sequence[str]) -> int:
    """Where a text begins that is shown: at a rule, a title, an introduction, or before a name that signs it."""
    written = [place for place, line in enumerate(lines) if line.strip()]
    for place, following in zip_longest(written, written[1:]):
        line = lines[place]
        if _RULE.match(line) or _HEADED.match(line) or is_line_of_another(line) or _POINTS_AHEAD.match(line):
            return place
        if _SIGNED.match(line):
            return 0
        if following is not None and introduces(line, lines[following]):
            return place
    return len(lines)


def introduces(line: str, following: str) -> bool:
    """Whether a line only says what the next one is: "About me", "From a forum:". A list under it may be the speaker's,
    and so may be what follows a greeting or "please remember this:"."""
    bare, written = line.strip(), following.strip()
    if not bare or not _FIRST.search(written) or _BULLET.match(following):
        return False
    if bare.endswith(":"):
        return not _FIRST.search(bare) and not is_lead(bare)
    return is_title(bare) and written[:1].isupper() and written[-1] in ".!?"


def is_title(line: str) -> bool:
    """A few words without an end, none of them a greeting: "About me" above sentences that have theirs."""
    words = split(line)
    return (
        line[-1] not in ".!?,;"
        and 0 < len(words) <= LONGEST_TITLE
        and not _FIRST.search(line)
        and not any(word in COURTESIES for word in words)
    )


def labelled(line: str) -> re.Match[str] | None:
    """The name or label that a line begins with; a sentence with a colon in it begins with other words."""
    match = _LABELLED.match(line[:LONGEST_LINE]) if ":" in line or "<" in line else None
    if match is None or match["tag"]:
        return match
    words = match["who"].casefold().split()
    return None if len(words) > 1 and is_stop_word(words[0]) else match


def is_line_of_another(line: str) -> bool:
    """Whether a line is led by whose words it has: "Mallory: I moved". "Good news: I moved" is the speaker's."""
    match = _LED.match(line[:LONGEST_LINE])
    if match is None or _FIRST.search(match["who"]):
        return False
    last = match["who"].split()[-1]
    if last == match["who"] and last.isupper() and len(last) <= LONGEST_ABBREVIATION:
        return False
    return not last[0].islower() and not is_lead(f"{match['who']}:")


def is_lead(label: str) -> bool:
    """Whether words before a colon are only chatter before a statement."""
    return without_lead(f"{label} I am here")[1].startswith("I am")


def is_verdict(line: str, place: int) -> bool:
    """Whether a line speaks of the lines before it as of a thing, and not of the speaker: "That's what she wrote"."""
    return place > 0 and _POINTS_BACK.match(line) is not None and _FIRST.search(line) is None
