"""Verbs in all their forms: a row of a table names a verb by its infinitive, and its sentences follow. Pure.

A table's [conjugation] has the endings of each class, four for a tense (I, we, she, they), and what is irregular;
its [frames] are the groups of verbs in which a form stands ("voy a {infinitive}"), by what they tell: what is so, what
was so, what will be, what began, what is over; for a change, what is done and what is due.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from recollect.extractors.languages.cues import cues, of_words

Entry = Mapping[str, Any]
Forms = Mapping[str, tuple[str, ...]]
Verbs = tuple[bool, list[Forms]]
"""Verbs that all have a pronoun, or all have none."""

_TENSES = ("present", "imperfect", "preterite", "future", "gerund", "participle")
_STATES = (("so", None), ("plan", "plan"), ("begun", "update"), ("over", "ending"))
_CHANGES = (("done", "update"), ("due", "plan"))
"""The frames of what lasts and of what happens, with the kind of what they state."""
_ALL = "so was did plan begun over done due"
_OWN = ("verb", "kind", "tells", "first", "third", "past")


def expanded(one: Entry, raw: Mapping[str, Any]) -> Iterator[Entry]:
    """The entries of a row that names verbs: one for each thing that can be told of them. Others stay as they are.
    `tells` has the frames that a row is for, where not all are: "I ate fish" is no habit that is over."""
    if "verb" not in one:
        yield one
        return
    rest = {key: value for key, value in one.items() if key not in _OWN}
    tells = one.get("tells", _ALL).split()
    verbs = conjugated_alike(one["verb"].split("|"), raw["conjugation"])
    forms = of_words(form for _, group in verbs for each in group for form in all_forms(each))
    in_frames = partial(worded, verbs, raw)
    for frame, kind in _CHANGES if one.get("kind") == "update" else _STATES:
        if frame in tells:
            entry = {**rest, "first": in_frames([frame], "first"), "third": in_frames([frame], "third"), "cues": forms}
            if frame == "so" and (past := [each for each in ("was", "did") if each in tells]):
                entry |= {"past": in_frames(past, "first"), "past_third": in_frames(past, "third")}
            if frame in ("so", "done"):  # What the row has beside its verbs.
                own = {key: one[key] for key in ("first", "third", "past") if key in one}
                entry |= {key: f"{text}|{entry[key]}" for key, text in own.items()}
                more = [cues(text, raw["space"]) for text in own.values()]
                entry["cues"] = forms.union(*more) if all(more) else frozenset()
            entry |= {"kind": kind} if kind else {}
            yield entry
            yield from by_people(entry, raw["conjugation"].get("people"))


def by_people(entry: Entry, people: str | None) -> Iterator[Entry]:
    """The same said with a word for "we" that goes with the verb of "she": "a gente mora em …"."""
    if not people:
        return
    rest = rf"\s+{entry['rest']}" if entry.get("rest") else ""
    plain = {key: entry[key] for key in entry if key not in ("first", "third", "past", "past_third", "rest")}
    yield plain | {"whole": f"{people} (?:{entry['third']}){rest}"}
    if "past_third" in entry:
        yield plain | {"whole": f"{people} (?:{entry['past_third']}){rest}", "kind": "past"}


def conjugated_alike(verbs: list[str], table: Mapping[str, Any]) -> list[Verbs]:
    """The verbs with a pronoun and those without one, which stand in the same frames."""
    groups: dict[bool, list[Forms]] = {}
    for verb in verbs:
        infinitive, reflexive = without_pronoun(verb)
        groups.setdefault(reflexive, []).append(conjugated(infinitive, table))
    return list(groups.items())


def worded(verbs: list[Verbs], raw: Mapping[str, Any], tells: list[str], person: str) -> str:
    """The verbs in all frames that tell this."""
    frames = [text for frame in tells for text in raw["frames"][f"{frame}_{person}"]]
    return "|".join(filled(text, group, person, raw["conjugation"]["pronouns"]) for group in verbs for text in frames)


def filled(text: str, verbs: Verbs, person: str, pronouns: Mapping[str, str]) -> str:
    """A frame with the verbs' forms in it: {gerund}, {present}; {me}, {loose} and {hung} are where a pronoun goes."""
    reflexive, forms = verbs
    places = {"me": pronouns[person], "loose": pronouns["loose"], "hung": pronouns["hung"]}

    def slot(match: re.Match[str]) -> str:
        name = match[1]
        if name in places:
            return places[name] if reflexive else ""
        found = [form for each in forms for form in of_person(each[name], person)]
        return f"(?:{'|'.join(dict.fromkeys(found))})"

    return re.sub(r"\{(\w+)\}", slot, text)


def of_person(forms: tuple[str, ...], person: str) -> tuple[str, ...]:
    """The forms for "I" and "we", or those for "she" and "they"; an infinitive has but one."""
    return forms if len(forms) == 1 else forms[:2] if person == "first" else forms[2:]


def conjugated(infinitive: str, table: Mapping[str, Any]) -> Forms:
    """The forms of a verb by tense, as the table's endings and exceptions have them."""
    stem, ending = infinitive[:-2], infinitive[-2:]
    odd = table["irregular"].get(infinitive, {})
    found: dict[str, tuple[str, ...]] = {"infinitive": (infinitive,)}
    for tense in _TENSES:
        regular = tuple(respelled(stem, one, table[ending]) for one in table[ending][tense].split())
        found[tense] = tuple(odd[tense].split()) if tense in odd else regular
    return found


def all_forms(verb: Forms) -> Iterator[str]:
    """Every form of a verb as a word."""
    return (word for forms in verb.values() for form in forms for word in form.split("|"))


def respelled(stem: str, ending: str, kind: Mapping[str, Any]) -> str:
    """The stem as it is written before this ending: "toqué", "fiquei"."""
    last, before_e = stem[-1:], kind.get("before_e", {})
    if "|" in ending:
        return "|".join(respelled(stem, one, kind) for one in ending.split("|"))
    return f"{stem[:-1]}{before_e[last]}{ending}" if last in before_e and ending[0] in "eé" else f"{stem}{ending}"


def without_pronoun(verb: str) -> tuple[str, bool]:
    """The infinitive by itself, and whether it had a pronoun: "mudarse", "mudar-se"."""
    short = re.sub(r"(?<=r)-?se$", "", verb)
    return short, short != verb
