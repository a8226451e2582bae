"""Verbs that nobody listed: what stands where a verb does, after a subject and its helping verbs, is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from recollect.extractors.naming import ARTICLES, BE, LINKS
from recollect.extractors.verbs import ADVERBS, FORMS, Predicate, base_and_form, read_predicate
from recollect.text.values import word_set

_STANDS_IN = {"base": "collect", "third": "collects", "past": "collected", "ing": "collecting"}
"""A verb that everybody knows, in the place of one that we do not, so that its helping verbs are read alike."""
HELPING = ADVERBS | word_set(
    "do does did not never no longer am is are was were be been have has had used to will going can n't"
)
NO_VERB = (
    LINKS
    | ARTICLES
    | word_set(
        "and or but nor so if when while because although though that this these those which who whom whose what "
        "where why how i you he she it we they me him her us them my your his its our their mine yours myself "
        "yourself himself herself ourselves themselves all both each every any some none one two three too either "
        "neither once again there here yes no please sorry thanks maybe perhaps probably alone together else own "
        "personally last least almost must should would could might may shall gotta wanna hereby"
    )
)
"""Words that stand where a verb does and are none."""
STANCES = word_set(
    "acknowledge admire admit adore advise agree aim allow announce anticipate apologise apologize appear "
    "appreciate argue ask assume assure attach be become begin believe bet blame borrow bow bring bump call care "
    "cast challenge cite claim clarify click come commit compare compile complain concern conclude concur confess "
    "confirm congratulate consider continue crash cry dare debug decide decline dedicate define deny depend "
    "deserve desire detest disagree discover dislike display do doubt download drown eat emphasize enclose "
    "end enjoy ensure envy error estimate exist exit expect experience explain express fail faint fall fancy "
    "fault fear feel figure find finish focus forget forgive freeze frown get google greet grin guarantee guess "
    "happen hate have head hear help hesitate hit hope imagine imply import include indicate inform insist intend "
    "invite know lack land laugh lean let like live loathe long look lose love matter mean meet mention merge "
    "mind miss move name need nod nominate note notice object observe order output parse pass paste plan point "
    "ponder praise pray predict prefer presume pretend print promise propose prove quote raise realise "
    "realize rebase recall receive reckon recognise recognize recommend refer refresh regard regret relate remain "
    "remember remind repeat reply request require reside respect respond return risk roll salute say second see "
    "seem sense shout show shrug skip smell smile sound specify spend stare start state stay stick stop "
    "strive struggle suggest suppose suspect swear sympathise sympathize talk tell tend text thank think thrive "
    "throw touch trust try turn understand upload urge value view vote vow wait want warn wave welcome whisper "
    "wish wonder work worry yearn"
)
"""Verbs of thinking, talking, wishing and being, which tell of the conversation rather than of a life, and those of
which other patterns tell."""


def open_predicate(text: str, *, first: bool = False) -> Predicate | None:
    """The predicate of a clause without its subject, also of a verb that we do not know: after its subject and its
    helping verbs, what can be a verb is one. `first`: the subject is the speaker, of whom nobody says "keeps"."""
    words = text.split()
    place = next((i for i, word in enumerate(words) if word.lower().strip(",") not in HELPING), len(words))
    known, denied = read_predicate(text), {"do", "does"} & {word.lower() for word in words[:place]}
    if known and not (denied and known.verb == "do" and known.rest.startswith("not ")):
        return known  # But "do not compost" is no doing.
    if not place < min(5, len(words)):
        return None
    word = words[place].lower().strip(",")
    if (
        not word.removeprefix("co-").isalpha()
        or not words[place].islower()
        or len(word) < 3
        or word in NO_VERB
        or word in FORMS
    ):
        return None
    if word.endswith("ly") or is_verb(words[place + 1 :], "base", "past"):
        return None  # An adverb, whose verb follows.
    base, form = base_and_form(word)
    being = not BE.isdisjoint(one.lower() for one in words[:place])
    if (being and form not in ("ing", "past")) or (first and form == "third"):
        return None  # "is due to": no verb.
    comma = "," if words[place].endswith(",") else ""
    found = read_predicate(" ".join([*words[:place], _STANDS_IN[form] + comma, *words[place + 1 :]]))
    return None if found is None else replace(found, verb=base)


def is_verb(words: Sequence[str], *forms: str) -> bool:
    """Whether the first of these words is a verb that we know, in one of these forms."""
    return bool(words) and FORMS.get(words[0].lower(), ("", ""))[1] in forms


def can_be(word: str, form: str) -> bool:
    """Whether a word may be a verb in this form."""
    if not word.isalpha() or not word.islower() or word in NO_VERB:
        return False
    return base_and_form(word)[1] == form and (len(word) > 3 or word in FORMS)
