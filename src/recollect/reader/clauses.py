"""Cuts a message into sentences and clauses, and finds the verb of a clause. Pure, linear, bounded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from recollect.reader.tables import tables
from recollect.records import DAYS
from recollect.text import lazy_regex
from recollect.text.dates import When

MOST_LETTERS = 8_000
"""So much of a message is read for facts; what comes after is kept and found as words."""
MOST_SENTENCES = 200

_ABBREVIATED = r"(?<!\b[A-Z])(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bDr)(?<!\bSt)(?<!\bProf)(?<!\bvs)(?<!\be\.g)(?<!\bi\.e)"
_END = lazy_regex(rf"(?:{_ABBREVIATED}\.+|[!?…]+[.!?…]*)[\"”'’)\]*_]{{0,4}}(?=\s|$)|[^\S\n]*\n\s*")
_PERSON = r"(?:i|im|ive|we|you|he|she|they|it|my|our|his|her|their|there|the|this|that)(?:['’][a-z]{1,2})?"
_WORD = (
    r"(?:and|but|or|because|although|though|if|unless|when|whenever|where|who|which|whose|whereas|plus|whether|&)(?=\s)"
    rf"|(?:so|since|as|while|until|before|after|once)(?=\s+{_PERSON}\s)"
)
_CUT = lazy_regex(
    rf"(?P<mark>\s*(?:,(?!\s\d{{4}}\b)|[;:])(?=\s)|\s+[-–—]+\s+|\s*—\s*|\s*[()]+)\s*(?:(?P<after>{_WORD})\s*)?|\s+(?P<word>{_WORD})\s*",
    re.I,
)
_OPENING = lazy_regex(rf"[\s>*•·\-–\d.)]*?(?:(?P<word>{_WORD})\s*)?(?=[^\s>*•·\-–])", re.I)


@dataclass(frozen=True, slots=True)
class Clause:
    """The words between two marks or conjunctions."""

    text: str
    start: int
    end: int
    joined: str = ""
    """What stands before it in its sentence: a mark, a conjunction or both, such as ", and"."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """The clauses of one sentence or line."""

    clauses: tuple[Clause, ...]
    asked: bool
    """Whether it ends in a question mark."""


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a text, as far as they are read.

    >>> [[clause.text for clause in one.clauses] for one in sentences("I live in Porto, and my sister moved. Thanks!")]
    [['I live in Porto', 'my sister moved'], ['Thanks']]
    """
    text, start = text[:MOST_LETTERS], 0
    for count, end in enumerate(_END.finditer(text)):
        if count == MOST_SENTENCES:
            return
        yield from clauses_between(text, start, end.start(), asked="?" in end[0])
        start = end.end()
    if len(text) < MOST_LETTERS:
        yield from clauses_between(text, start, len(text), asked=False)


def is_cut(text: str) -> bool:
    """Whether something of a text is left unread."""
    return len(text) > MOST_LETTERS or next(islice(_END.finditer(text), MOST_SENTENCES, None), None) is not None


def clauses_between(text: str, start: int, end: int, *, asked: bool) -> Iterator[Sentence]:
    """The sentence between two places, if it has any words."""
    opening = _OPENING.match(text, start, end)
    if opening is None:
        return
    clauses, start, joined = list[Clause](), opening.end(), (opening["word"] or "").lower()
    for cut in _CUT.finditer(text, start, end):
        if cut.start() > start:
            clauses.append(Clause(text[start : cut.start()], start, cut.start(), joined))
        joined = f"{(cut['mark'] or '').strip()} {(cut['after'] or cut['word'] or '').lower()}".strip()
        start = cut.end()
    last = text[start:end].rstrip()
    if last:
        clauses.append(Clause(last, start, start + len(last), joined))
    if clauses:
        yield Sentence(tuple(clauses), asked)


# Clauses without what stands around their statement

_SHORT = r"n['’]t\b|['’](?:m|re|ve|ll|d|s)\b"
_TOKEN = lazy_regex(rf"{_SHORT}|(?:(?!{_SHORT})\S)+", re.I)
_FULL = {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "n't": "not", "ca": "can", "wo": "will", "'d": "would",
         "im": "i am", "ive": "i have", "dont": "do not", "doesnt": "does not", "isnt": "is not", "cant": "can not",
         "cannot": "can not"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Token:
    """A word in lower case and where it stands."""

    word: str
    start: int
    end: int


def clause_tokens(text: str) -> list[Token]:
    """The words of a clause, contractions apart and in full."""
    found = list[Token]()
    for match in _TOKEN.finditer(text):
        word = match[0].lower().replace("’", "'").rstrip(".!")
        found += [Token(part, match.start(), match.end()) for part in _FULL.get(word, word).split()]
    return found


@dataclass(frozen=True)
class Statement:
    """What is left of a clause without its openers, tails and words of time."""

    clause: Clause
    text: str
    around: str
    """What stood around it: "actually", "any more"."""
    whens: tuple[When, ...]
    tokens: tuple[Token, ...]
    words: tuple[str, ...]

    def rest(self, place: int) -> str:
        """The words from a place on, as they stand."""
        return self.text[self.tokens[place].start :] if place < len(self.tokens) else ""

    @property
    def is_news(self) -> bool:
        """Whether it is told as something that has changed."""
        told = tables().patterns["news"].search(f"{self.around} {self.clause.text}")
        return told is not None and not any(when.relation == "since" for when in self.whens)

    @property
    def is_over(self) -> bool:
        return tables().patterns["over"].search(self.around) is not None

    @property
    def is_for_a_while(self) -> bool:
        """Whether it is told to hold for some days only."""
        short = (when.relation == "during" and when.end - when.start <= DAYS for when in self.whens)
        return bool(self.whens) and all(short)


def statement_in(clause: Clause, whens: Sequence[When] = ()) -> Statement:
    """A clause without these words of time and what stands around its statement.

    >>> opened(Clause("By the way, I like tea a lot", 0, 28)).text
    'I like tea'
    """
    text, around, phrases = clause.text, "", tables().phrases
    for when in reversed(whens):
        text = f"{text[: when.at[0]]} {text[when.at[1] :]}"
    text = " ".join(text.split()).strip(" ,")
    while match := phrases["keep"].match(text) or phrases["openers"].match(text):
        around, text = f"{around} {match[0]}", text[match.end() :].lstrip(" ,:-")
    text = text.rstrip(" .!,:)*_")
    while match := phrases["tails"].search(text, max(0, len(text) - 24)):
        around, text = f"{around} {match[0]}", text[: match.start()].rstrip(" ,")
    found = tuple(clause_tokens(text))
    return Statement(clause, text, around, tuple(whens), found, tuple(token.word for token in found))


# Verbs


@dataclass(frozen=True, slots=True)
class Verb:
    """What the words from a place on may say."""

    base: str
    tense: str
    rest: int
    """The first word after it."""
    said: frozenset[str]
    """The adverbs in it, and "not"."""


def verb_groups(words: Sequence[str], place: int) -> Iterator[Verb]:
    """The ways to read the words from a place on as a verb group: "has always lived" is "live", done.

    >>> [(verb.base, verb.tense) for verb in verb_groups(["i", "no", "longer", "live", "in", "rome"], 1)]
    [('live', 'present')]
    """
    place, first = after_adverbs(words, place)
    for auxiliaries, form, tense in tables().groups:
        at, said = place, set(first)
        for one in auxiliaries:
            if at >= len(words) or words[at] not in one:
                break
            at, more = after_adverbs(words, at + 1)
            said |= more
        else:
            if form == "be":
                yield Verb(form, tense, at, frozenset(said))
            elif at < len(words):
                for base in (base for base, other in tables().forms.get(words[at], ()) if other == form):
                    rest, more = after_adverbs(words, at + 1)
                    yield Verb(base, tense, rest, frozenset(said | more))


def after_adverbs(words: Sequence[str], place: int) -> tuple[int, set[str]]:
    """The place after the adverbs that stand at a place, and these."""
    known, said = tables().words["adverbs"], set[str]()
    while place < len(words):
        word = words[place]
        if word == "no" and place + 1 < len(words) and words[place + 1] == "longer":
            said.add("no longer")
            place += 2
        elif word in known or (word.endswith("ly") and place + 1 < len(words)):
            said.add(word)
            place += 1
        else:
            break
    return place, said


def is_verb(word: str) -> bool:
    """Whether a word may begin the verb group of a clause."""
    return word in tables().words["auxiliaries"] or word in tables().forms
