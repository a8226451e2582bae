"""Verbs that nobody listed: what stands where a verb does, after a subject and its helping verbs, is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from recollect._values import word_set
from recollect.extractors.naming import ARTICLES, BE, LINKS
from recollect.extractors.verbs import ADVERBS, FORMS, Predicate, base_and_form, read_predicate

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
        "personally last least almost must should would could might may shall gotta wanna"
    )
)
"""Words that stand where a verb does and are none."""
STANCES = word_set(
    "acknowledge admit adore advise agree allow announce anticipate apologise apologize appear appreciate argue "
    "ask assume assure be become begin believe bet call care claim clarify come compare complain conclude confess "
    "confirm consider continue dare decide define deny depend deserve desire detest disagree discover dislike do "
    "doubt drink eat emphasize end enjoy ensure estimate exist expect experience explain express fail fancy fear "
    "feel figure find finish focus forget forgive get guarantee guess happen hate have hear help hesitate hope "
    "imagine imply include indicate inform insist intend know lack let like live loathe look lose love matter "
    "mean mention mind miss move name need note notice object observe plan point ponder pray predict prefer "
    "presume pretend promise propose prove realise realize recall receive reckon recognise recognize recommend "
    "refer regard regret relate remain remember remind repeat reply request require reside respond risk say see "
    "seem sense show sound specify start state stay stop strive struggle suggest suppose suspect swear talk tell "
    "tend thank think touch trust try turn understand urge value view vow wait want warn welcome wish wonder work "
    "worry"
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
    if not word.isalpha() or not words[place].islower() or len(word) < 3 or word in NO_VERB or word in FORMS:
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
