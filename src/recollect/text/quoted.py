"""What of a message is its speaker's own words, told by layout: the rest is blanked, so that places stay. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from recollect.text import lazy_regex

MOST_LETTERS = 20_000
"""So much of a message is looked at; no reader reads more."""
LONGEST_LINE = 300

_I = r"\b(?:i|im|ive|i['’]\w+|my|we|we['’]\w+|our)\b"
_FIRST = lazy_regex(_I, re.I)
_SPOKEN = lazy_regex(r"(?i)\b(?:i|im|i['’]\w+|you|your|we|my|me)\b")
_LABEL = lazy_regex(
    r"[^\w<\[(\"“]{0,8}(?:[\[(]?\d{1,2}[:.]\d\d[\d:. apm]{0,9}[\])]?\W{0,3})?(?:<(?P<tag>[\w .-]{1,30})>"
    r"|(?P<who>[^\W\d_][\w.'’-]*(?: [\w.'’&-]+){0,3})[*_]{0,2}(?: ?[\[(][^()\[\]\n]{1,20}[\])])?[*_]{0,2}:[*_]{0,2})"
    r"(?:\s+(?P<said>.*)|$)"
)
"""A line that begins with a name: "Ann: I'm late", "[10:32] **Ann:** hi", "<ann> hi"."""
_LED = lazy_regex(rf"\s*(?P<who>\S.{{0,60}}?)[*_]{{0,2}}[:>|\]]+[*_]{{0,2}}\s+(?={_I})", re.I)
"""What stands before a statement, up to a mark: "12/05/24, 10:32 - Ann: I'm late", "[Ann] I'm late"."""
_NO_NAME = lazy_regex(
    r"(?i)(?:(?:\w+ ){0,2}(?:update|news|note|notes|reminder|correction|ps|fyi|btw|edit|context|background|info|"
    r"also|actually|preferences?|facts?|profile|details|question|remember|hi|hello|hey|thanks|ok|okay|yes|no|sorry))"
)
"""Words before a colon that lead to what the speaker says, and name nobody."""
_FENCED = lazy_regex(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.S)
_PRINTED = lazy_regex(
    r"(?m)^(?:[ \t]*>|\t| {4,}(?![-*•]))[^\n]*$|^\[?(?:\d{4}-\d\d-\d\d[T ]\d|(?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL|"
    r"TRACE)\b|Traceback\b|(?:\$|#!|>>>) ?\S)[^\n]*$|^[ \t]*(?:[{}\[\]]|\"|</?\w|SELECT |INSERT |def |class |import |"
    r"const |return )[^\n]*$"
)
"""Quoted lines, and lines that machines print or read."""
_MAIL = lazy_regex(
    r"(?ims)^(?:on .{6,60}wrote:|-+ ?(?:original|forwarded) message|begin forwarded|(?:from|to|subject|sent|cc): .+\n"
    r"(?:from|to|subject|sent|cc|date): )|^(?:dear|hi|hello) (?!claude|there)[^.!?\n]{1,40},\s*\n.*^(?:best|kind|warm|"
    r"yours|sincerely|regards|cheers)\b"
)
"""Where a mail begins: what follows is its writer's."""
_GIVEN = lazy_regex(
    r"(?is)\b(?:this|these|following|below|here(?:['’]s| is| are)|consider|(?:says|said|wrote|goes|reads|texted|"
    r"replied|told me))\b[^.!?:\n]{0,60}:(?=\s)"
)
"""A text that is announced: "proofread this: …", "my boss wrote: …"."""
_KEEP = lazy_regex(
    r"(?i)\b(?:remember|note|keep in mind|know|facts?|(?:things|more|bit|something) about me|"
    r"my (?:details|info|profile|preferences))\b"
)
_PLAYED = lazy_regex(
    r"(?i)\b(?:role[ -]?play|stay in character|pretend (?:to be|that|you|i)\b|(?:act|speak|answer|respond) as (?:an?|"
    r"my|the|if)\b|imagine\b|hypothetically|let['’]?s say|suppose\b|(?:write|compose|create|generate|draft|make up|"
    r"continue)(?: me)? (?:an?|the|my|this|some|about)\b|you are (?:an?|now)\b|in the voice of)"
)
"""From here on a message is made up, or says what is to be made."""
_QUOTED = lazy_regex(r"[“\"](?:[^”\"\n]{0,400})[”\"]|(?<![\w’'])[‘'](?=[^'’\n]* )[^'\n]{0,200}['’](?!\w)")
_RULE = lazy_regex(r"\s*([-=*_~#])(?:\s?\1){2,}\s*$|\s{0,3}#{1,6}\s+\S")
_BACK = lazy_regex(r"(?i)\W{0,3}(?:th(?:is|at|ese|ose)|(?:the )?above)(?:['’]s| is| are| was| were)\b")
_AHEAD = lazy_regex(r"(?i)\W{0,3}(?:below|(?:the )?following)(?:['’]s| is| are| was| were)\b")
_GREETED = lazy_regex(r"(?i)(?:hi|hello|hey|good|dear|thanks|thank|ok|okay|yes|no|great|perfect|sounds?|please)\b")


def own_words(text: str) -> str:
    """The text with everything in it that is not the speaker's own blanked by line ends; places stay the same.

    >>> own_words('I live in Porto. "I moved" is what she said.').split()
    ['I', 'live', 'in', 'Porto.', 'is', 'what', 'she', 'said.']
    """
    text = text[:MOST_LETTERS]
    for shape in (_FENCED, _PRINTED):
        text = shape.sub(blanked, text)
    text = _QUOTED.sub(blanked_speech, text)
    first, last = own_lines(text.split("\n"))
    ends = [match.start() for shape in (_MAIL, _PLAYED) if (match := shape.search(text))]
    ends += [match.end() for match in _GIVEN.finditer(text) if is_given(text, match)][:1]
    first, end = start_of_line(text, first), min([*ends, start_of_line(text, last)])
    own = [" " * len(line) if is_line_of_another(line) else line for line in text[first:end].split("\n")]
    return "\n" * min(first, end) + "\n".join(own) + "\n" * (len(text) - max(first, end))


def blanked(match: re.Match[str]) -> str:
    return "\n" * len(match[0])


def blanked_speech(match: re.Match[str]) -> str:
    """A quotation blanked where it is more than a name or a term."""
    return blanked(match) if len(match[0].split()) > 3 or _SPOKEN.search(match[0]) else match[0]


def is_given(text: str, match: re.Match[str]) -> bool:
    """Whether what follows the colon was announced as somebody's text, and not as something to be remembered."""
    said = text[text.rfind("\n", 0, match.start()) + 1 : match.end()]
    return _KEEP.search(said) is None and len(text[match.end() :].split()) > 3


def start_of_line(text: str, line: int) -> int:
    """Where a line begins; the end of the text for one beyond the last."""
    return min(sum(len(one) + 1 for one in text.split("\n")[:line]), len(text))


def own_lines(lines: Sequence[str]) -> tuple[int, int]:
    """The first line that is the speaker's own, and the one before which that ends."""
    labels = [place for place, line in enumerate(lines) if has_label(line)]
    talk = len(labels) > 1 and any(_SPOKEN.search(line) for line in lines[labels[0] :])
    end = min(labels[0] if talk else len(lines), next(shown_texts(lines), len(lines)))
    # A line that speaks of those before it as of a thing, and not of the speaker: they were shown.
    back = [place for place, line in enumerate(lines[1:end], 1) if _BACK.match(line) and not _FIRST.search(line)]
    return (back[-1] + 1 if back else 0), end


def has_label(line: str) -> bool:
    """Whether a line begins with a name."""
    match = _LABEL.match(line[:LONGEST_LINE]) if ":" in line or "<" in line else None
    name = str(match["tag"] or match["who"]) if match else ""
    return name != "" and not _NO_NAME.fullmatch(name) and not (" " in name and _FIRST.search(name))


def shown_texts(lines: Sequence[str]) -> Iterator[int]:
    """Where a text begins that is shown: at a rule, a title, an introduction, or before a name that signs it."""
    following = [""]
    for line in reversed(lines):
        following.append(line.strip() or following[-1])
    for place, line in enumerate(lines):
        after = following[len(lines) - place - 1]
        if re.match(r"\s*[-–—]{1,2}\s?[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,2}\s*$", line):
            yield 0
        elif _RULE.match(line) or _AHEAD.match(line) or is_line_of_another(line) or introduces(line.strip(), after):
            yield place


def introduces(line: str, following: str) -> bool:
    """Whether a line only says what the next one is: "About me", "From a forum:". A list may be the speaker's."""
    if not line or _FIRST.search(line) or not _FIRST.search(following) or following[:1] in "-*•":
        return False
    if line.endswith(":"):
        return not (_KEEP.search(line) or _NO_NAME.fullmatch(line[:-1]))
    # A few words without an end, none of them a greeting, above sentences that have theirs.
    title = 0 < len(re.findall(r"\w+", line)) <= 4 and line[-1] not in ".!?,;" and not _GREETED.match(line)
    return title and following[:1].isupper() and following[-1] in ".!?"


def is_line_of_another(line: str) -> bool:
    """Whether somebody else's name leads a statement: "Mallory: I moved". "Good news: I moved" is the speaker's."""
    match = _LED.match(line[:LONGEST_LINE])
    if match is None or _FIRST.search(match["who"]) or _NO_NAME.fullmatch(match["who"]):
        return False
    last = match["who"].split()[-1]
    abbreviated = last == match["who"] and last.isupper() and len(last) <= 3
    return not abbreviated and not last[0].islower()


BLOCK_TAG = "recollect-memory"
"""The tag around recalled text in a prompt; whatever stands inside it was ours, not the speaker's."""


def without_memory_blocks(text: str) -> str:
    """The text without the blocks that we ourselves injected, so that a memory never confirms itself.

    >>> without_memory_blocks("Hi <recollect-memory mark='x'>lives in Oslo</recollect-memory> there").split()
    ['Hi', 'there']
    """
    if BLOCK_TAG not in text:
        return text
    return re.sub(rf"<{BLOCK_TAG}\b.*?(?:</{BLOCK_TAG}[^>]*>|\Z)", " ", text, flags=re.DOTALL)
