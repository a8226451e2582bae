"""The heart of the product: drafts against known facts, as a table of stories."""

from __future__ import annotations

import itertools
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from recollect.facts.decisions import Decision
from recollect.facts.reconcile import reconcile
from recollect.records import Draft, Fact, Source, Target

START = datetime(2026, 1, 1, tzinfo=timezone.utc)


def day(number: int | None) -> datetime | None:
    return None if number is None else START + timedelta(days=number)


def said(on: int, attribute: str, value: str, effect: str = "states", **options: Any) -> Draft:
    """What was said on a day; `since` and `until` are days too."""
    times = {name: day(options.pop(name)) for name in ("since", "until") if name in options}
    subject, old = options.pop("subject", "user"), options.pop("instead_of", None)
    source = Source(f"m{on}", f"{attribute} {value}")
    return Draft(
        subject,
        attribute,
        value,
        f"{attribute} {value}",
        START + timedelta(days=on),
        effect,
        target=Target(old) if old else None,
        source=source,
        **times,
        **options,
    )


def tell(*drafts: Draft) -> tuple[list[Decision], list[Fact]]:
    """Decide each draft in a call of its own, as in life; gives the decisions and all facts afterwards."""
    facts: dict[str, Fact] = {}
    decisions: list[Decision] = []
    numbers = itertools.count()
    for turn, draft in enumerate(drafts):
        now = START + timedelta(days=100 + turn)
        made = reconcile([draft], list(facts.values()), owner="ana", now=now, new_id=lambda: f"f{next(numbers):03}")
        facts.update({edit.after.id: edit.after for decision in made for edit in decision.edits})
        decisions += made
    return decisions, list(facts.values())


def windows(facts: list[Fact]) -> list[tuple[str, int | None, int | None]]:
    """What is believed: each value with its first and last day, in the order of time."""

    def number(moment: datetime | None) -> int | None:
        return None if moment is None else (moment - START).days

    believed = [fact for fact in facts if fact.retired is None]
    rows = [(fact.value, number(fact.since), number(fact.until)) for fact in believed]
    return sorted(
        rows, key=lambda row: (-9999 if row[1] is None else row[1], 999 if row[2] is None else row[2], row[0])
    )


STORIES: dict[str, tuple[list[Draft], list[str], list[tuple[str, int | None, int | None]]]] = {
    # one value at a time
    "a first value has no known beginning": (
        [said(0, "home", "Lisbon")], ["stored"], [("Lisbon", None, None)],
    ),
    "a new value ends the old one when it was said": (
        [said(0, "home", "Lisbon"), said(9, "home", "Porto")],
        ["stored", "replaced"], [("Lisbon", None, 9), ("Porto", 9, None)],
    ),
    "a move with a date ends the old home on that date": (
        [said(0, "home", "Lisbon"), said(9, "home", "Porto", "replaces", since=5)],
        ["stored", "replaced"], [("Lisbon", None, 5), ("Porto", 5, None)],
    ),
    "a move that lies before the old home was told still ends it": (
        [said(0, "home", "Lisbon"), said(9, "home", "Porto", "replaces", since=-30)],
        ["stored", "replaced"], [("Lisbon", None, -30), ("Porto", -30, None)],
    ),
    "three values in a row make three windows": (
        [said(0, "home", "Rome"), said(5, "home", "Lisbon"), said(9, "home", "Porto")],
        ["stored", "replaced", "replaced"], [("Rome", None, 5), ("Lisbon", 5, 9), ("Porto", 9, None)],
    ),
    "going back to an earlier value opens a new window": (
        [said(0, "home", "Rome"), said(5, "home", "Lisbon"), said(9, "home", "Rome")],
        ["stored", "replaced", "replaced"], [("Rome", None, 5), ("Lisbon", 5, 9), ("Rome", 9, None)],
    ),
    "a synonym of the key is the same attribute": (
        [said(0, "favourite colour", "blue"), said(5, "favorite color", "green")],
        ["stored", "replaced"], [("blue", None, 5), ("green", 5, None)],
    ),
    "an unknown key holds one value": (
        [said(0, "staging port", "5432"), said(5, "staging port", "5433")],
        ["stored", "replaced"], [("5432", None, 5), ("5433", 5, None)],
    ),
    "a plan with no date ends nothing": (
        [said(0, "home", "Rome"), said(5, "home", "Porto", "plans")],
        ["stored", "stored"], [("Rome", None, None), ("home Porto", None, None)],
    ),
    "a plan that is put off begins later, and the present value goes on until then": (
        [
            said(0, "home", "Mainz"), said(1, "home", "Trier", "plans", since=30),
            said(9, "home", "Trier", "plans", since=90),
        ],
        ["stored", "planned", "confirmed"], [("Mainz", None, 90), ("Trier", 90, None)],
    ),
    "not moving after all calls off the plan and leaves the present home": (
        [
            said(0, "home", "Derry"), said(1, "home", "Belfast", "plans", since=30),
            said(9, "home", "", "ends", negated=True),
        ],
        ["stored", "planned", "ended"], [("Derry", None, None)],
    ),
    "not moving after all, when no move was planned, ends nothing": (
        [said(0, "home", "Derry"), said(9, "home", "", "ends", negated=True)],
        ["stored", "refused"], [("Derry", None, None)],
    ),
    "another way to another place does not": (
        [said(0, "habit", "take the bus to school"), said(9, "habit", "cycle to work", "replaces")],
        ["stored", "stored"], [("cycle to work", None, None), ("take the bus to school", None, None)],
    ),
    "another attribute is left alone": (
        [said(0, "home", "Rome"), said(5, "employer", "Helios")],
        ["stored", "stored"], [("Helios", None, None), ("Rome", None, None)],
    ),
    "another subject is left alone": (
        [said(0, "home", "Rome"), said(5, "home", "Berlin", subject="sister")],
        ["stored", "stored"], [("Berlin", None, None), ("Rome", None, None)],
    ),
    "a beginning that leaves the old value no time retires it": (
        [said(0, "home", "Porto", "replaces", since=-10), said(9, "home", "Lisbon", since=-20)],
        ["stored", "replaced"], [("Lisbon", -20, None)],
    ),
    "the same value in two stretches of time has two windows": (
        [said(50, "team", "Rovers", "past", since=1, until=5), said(51, "team", "Rovers", "past", since=9, until=12)],
        ["stored", "stored"], [("Rovers", 1, 5), ("Rovers", 9, 12)],
    ),
    "the same stretch of time told again is one window": (
        [said(50, "team", "Rovers", "past", since=1, until=5), said(51, "team", "Rovers", "past", since=1, until=5)],
        ["stored", "confirmed"], [("Rovers", 1, 5)],
    ),
    "an earlier stretch of time does not end what holds again now": (
        [said(50, "team", "Rovers"), said(51, "team", "Rovers", "past", since=1, until=5)],
        ["stored", "stored"], [("Rovers", None, None), ("Rovers", 1, 5)],
    ),
    # many values
    "values of a list stand side by side": (
        [said(0, "likes", "chess"), said(5, "likes", "jazz")],
        ["stored", "stored"], [("chess", None, None), ("jazz", None, None)],
    ),
    "allergies stand side by side": (
        [said(0, "allergy", "nuts"), said(5, "allergy", "shellfish")],
        ["stored", "stored"], [("nuts", None, None), ("shellfish", None, None)],
    ),
    "a diet and an allergy stand side by side": (
        [said(0, "diet", "vegetarian"), said(5, "allergy", "nuts")],
        ["stored", "stored"], [("nuts", None, None), ("vegetarian", None, None)],
    ),
    "two preferences about different things stand side by side": (
        [said(0, "seat preference", "window"), said(5, "drink preference", "tea")],
        ["stored", "stored"], [("tea", None, None), ("window", None, None)],
    ),
    "two preferences about one thing follow each other": (
        [said(0, "seat preference", "window"), said(5, "seat preference", "aisle")],
        ["stored", "replaced"], [("window", None, 5), ("aisle", 5, None)],
    ),
    "'also' lets a value of a single attribute stand beside the other": (
        [said(0, "employer", "Helios"), said(5, "employer", "Acme", many=True)],
        ["stored", "stored"], [("Acme", None, None), ("Helios", None, None)],
    ),
    "switching from A to B in a list ends A alone": (
        [said(0, "likes", "tea"), said(0, "likes", "jazz"), said(5, "likes", "coffee", "replaces", instead_of="tea")],
        ["stored", "stored", "replaced"], [("tea", None, 5), ("jazz", None, None), ("coffee", 5, None)],
    ),
    "disliking ends liking the same thing": (
        [said(0, "likes", "chess"), said(5, "dislikes", "chess")],
        ["stored", "replaced"], [("chess", None, 5), ("chess", 5, None)],
    ),
    "disliking one thing leaves liking another alone": (
        [said(0, "likes", "chess"), said(5, "dislikes", "golf")],
        ["stored", "stored"], [("chess", None, None), ("golf", None, None)],
    ),
    # confirmation
    "said again is confirmed and makes no new row": (
        [said(0, "home", "Lisbon"), said(5, "home", "lisbon")], ["stored", "confirmed"], [("Lisbon", None, None)],
    ),
    "a value of a list said again is confirmed": (
        [said(0, "likes", "chess"), said(5, "likes", "Chess")], ["stored", "confirmed"], [("chess", None, None)],
    ),
    "a confirmation may bring the beginning": (
        [said(0, "home", "Lisbon"), said(5, "home", "Lisbon", since=-100)],
        ["stored", "confirmed"], [("Lisbon", -100, None)],
    ),
    # correction
    "a correction retires the old value and keeps no window of it": (
        [said(0, "home", "Lisbon"), said(1, "home", "Porto", "corrects", instead_of="Lisbon")],
        ["stored", "corrected"], [("Porto", None, None)],
    ),
    "a correction without the wrong value corrects the one held": (
        [said(0, "home", "Lisbon"), said(1, "home", "Porto", "corrects")],
        ["stored", "corrected"], [("Porto", None, None)],
    ),
    "a correction of one value of a list leaves the others": (
        [said(0, "pet", "Rex"), said(0, "pet", "Mia"), said(1, "pet", "Max", "corrects", instead_of="Rex")],
        ["stored", "stored", "corrected"], [("Max", None, None), ("Mia", None, None)],
    ),
    "a correction takes the beginning of what it corrects": (
        [said(9, "home", "Lisbon", "replaces", since=5), said(10, "home", "Porto", "corrects")],
        ["stored", "corrected"], [("Porto", 5, None)],
    ),
    "a correction that names only the wrong value finds its attribute": (
        [said(0, "home", "Lisbon"), said(1, "", "Porto", "corrects", instead_of="Lisbon")],
        ["stored", "corrected"], [("Porto", None, None)],
    ),
    "a correction of nothing known is stored": (
        [said(1, "home", "Porto", "corrects", instead_of="Lisbon")], ["stored"], [("Porto", None, None)],
    ),
    "a correction whose attribute cannot be told is refused": (
        [said(1, "", "Porto", "corrects", instead_of="Lisbon")], ["refused"], [],
    ),
    # ending
    "an ending ends and nothing replaces it": (
        [said(0, "employer", "Helios"), said(5, "employer", "Helios", "ends")],
        ["stored", "ended"], [("Helios", None, 5)],
    ),
    "an ending with a date ends then": (
        [said(0, "employer", "Helios"), said(9, "employer", "Helios", "ends", since=7)],
        ["stored", "ended"], [("Helios", None, 7)],
    ),
    "an ending without a value ends what is held": (
        [said(0, "employer", "Helios"), said(5, "employer", "", "ends")],
        ["stored", "ended"], [("Helios", None, 5)],
    ),
    "an ending of one value of a list leaves the others": (
        [said(0, "likes", "meat"), said(0, "likes", "fish"), said(5, "likes", "meat", "ends")],
        ["stored", "stored", "ended"], [("meat", None, 5), ("fish", None, None)],
    ),
    "an ending of another value ends nothing that is held": (
        [said(0, "employer", "Acme"), said(5, "employer", "Helios", "ends")],
        ["stored", "stored"], [("Helios", None, 5), ("Acme", None, None)],
    ),
    "an ending without a value of nothing known is refused": (
        [said(5, "employer", "", "ends")], ["refused"], [],
    ),
    "a denial of what nobody said is not kept": (
        [said(5, "possession", "car", "ends", negated=True)], ["refused"], [],
    ),
    "a denial of what is held ends it": (
        [said(0, "possession", "car"), said(5, "possession", "car", "ends", negated=True)],
        ["stored", "ended"], [("car", None, 5)],
    ),
    "an ending in the future leaves the value current until then": (
        [said(0, "employer", "Helios"), said(5, "employer", "Helios", "ends", since=30)],
        ["stored", "ended"], [("Helios", None, 30)],
    ),
    "after an ending a new value begins when it is said": (
        [said(0, "employer", "Helios"), said(5, "employer", "", "ends"), said(9, "employer", "Acme")],
        ["stored", "ended", "stored"], [("Helios", None, 5), ("Acme", 9, None)],
    ),
    # past
    "something past is stored already ended": (
        [said(5, "home", "Rome", "past", until=-100)], ["stored"], [("Rome", None, -100)],
    ),
    "something past leaves the present alone": (
        [said(0, "home", "Lisbon"), said(5, "home", "Rome", "past", until=-100)],
        ["stored", "stored"], [("Rome", None, -100), ("Lisbon", None, None)],
    ),
    "something past without a date ends where the present began": (
        [said(5, "home", "Lisbon", "replaces", since=2), said(6, "home", "Rome", "past")],
        ["stored", "stored"], [("Rome", None, 2), ("Lisbon", 2, None)],
    ),
    "a past period has both ends": (
        [said(5, "home", "Rome", "past", since=-500, until=-100)], ["stored"], [("Rome", -500, -100)],
    ),
    "'used to' about what we believed still holds ends it": (
        [said(0, "home", "Rome"), said(5, "home", "Rome", "past")], ["stored", "ended"], [("Rome", None, 5)],
    ),
    "something past said twice is one row": (
        [said(5, "home", "Rome", "past", until=-100), said(6, "home", "Rome", "past", until=-100)],
        ["stored", "confirmed"], [("Rome", None, -100)],
    ),
    # plan
    "a plan begins in the future and the present stays until then": (
        [said(0, "employer", "Helios"), said(5, "employer", "Acme", "plans", since=30)],
        ["stored", "planned"], [("Helios", None, 30), ("Acme", 30, None)],
    ),
    "a present value told after a plan holds until the plan begins": (
        [said(5, "employer", "Acme", "plans", since=30), said(6, "employer", "Helios", since=-500)],
        ["planned", "stored"], [("Helios", -500, 30), ("Acme", 30, None)],
    ),
    "a first 'from A to B' tells what was before": (
        [said(9, "home", "Porto", "replaces", since=5, instead_of="Lisbon")],
        ["stored"], [("Lisbon", None, 5), ("Porto", 5, None)],
    ),
    "a plan that is called off lets the present go on": (
        [said(0, "employer", "Helios"), said(5, "employer", "Acme", "plans", since=30),
         said(6, "employer", "Acme", "ends")],
        ["stored", "planned", "ended"], [("Helios", None, None)],
    ),
    "a plan that comes true early begins when it is said": (
        [said(0, "employer", "Helios"), said(5, "employer", "Acme", "plans", since=30), said(20, "employer", "Acme")],
        ["stored", "planned", "confirmed"], [("Helios", None, 20), ("Acme", 20, None)],
    ),
    "a plan that is put off leaves what holds now until then": (
        [said(0, "home", "Turku"), said(5, "home", "Vaasa", "plans", since=30), said(9, "home", "", "plans", since=60)],
        ["stored", "planned", "confirmed"], [("Turku", None, 60), ("Vaasa", 60, None)],
    ),
    "a plan that is brought forward ends what holds now then": (
        [said(0, "home", "Turku"), said(5, "home", "Ii", "plans", since=60), said(9, "home", "Ii", "plans", since=30)],
        ["stored", "planned", "confirmed"], [("Turku", None, 30), ("Ii", 30, None)],
    ),
    "a time for a plan that nobody has told is refused": (
        [said(0, "home", "Turku"), said(9, "home", "", "plans", since=60)],
        ["stored", "refused"], [("Turku", None, None)],
    ),
    "a plan with an end of its own leaves what holds now": (
        [said(0, "home", "Aalst"), said(5, "home", "Ghent", "plans", since=30, until=90)],
        ["stored", "planned"], [("Aalst", None, None), ("Ghent", 30, 90)],
    ),
    "a firm that is told as new is another one": (
        [said(0, "employer", "Stoneleigh Bank"), said(9, "employer", "Stoneleigh", "replaces")],
        ["stored", "replaced"], [("Stoneleigh Bank", None, 9), ("Stoneleigh", 9, None)],
    ),
    "a plan told before what holds now may be brought forward": (
        [said(0, "home", "B", "plans", since=60), said(1, "home", "A"), said(9, "home", "B", "plans", since=30)],
        ["planned", "stored", "confirmed"], [("A", 1, 30), ("B", 30, None)],
    ),
    "two friends with one first name are two": (
        [said(0, "friend", "Anneke Visser"), said(9, "friend", "Anneke Bakhuis")],
        ["stored", "stored"], [("Anneke Bakhuis", None, None), ("Anneke Visser", None, None)],
    ),
    # late news
    "news said earlier takes its place before what is known": (
        [said(9, "home", "Porto"), said(2, "home", "Lisbon")],
        ["stored", "stored"], [("Lisbon", None, 9), ("Porto", 9, None)],
    ),
    "late news between two values shortens the first": (
        [said(0, "home", "Rome"), said(9, "home", "Porto"), said(5, "home", "Lisbon")],
        ["stored", "replaced", "stored"], [("Rome", None, 5), ("Lisbon", 5, 9), ("Porto", 9, None)],
    ),
    "a late ending does not end what was said after it": (
        [said(9, "employer", "Helios"), said(2, "employer", "Helios", "ends")],
        ["stored", "stored"], [("Helios", None, 2), ("Helios", None, None)],
    ),
    # origin and dispute
    "a document cannot change what the user said": (
        [said(0, "home", "Lisbon", subject="Anna"), said(5, "home", "Oslo", subject="Anna", origin="document")],
        ["stored", "disputed"], [("Lisbon", None, None), ("Oslo", None, None)],
    ),
    "the assistant cannot change what the user said": (
        [said(0, "home", "Lisbon"), said(5, "home", "Oslo", origin="assistant")],
        ["stored", "disputed"], [("Lisbon", None, None), ("Oslo", None, None)],
    ),
    "the assistant cannot correct what the user said": (
        [said(0, "home", "Lisbon"), said(5, "home", "Oslo", "corrects", origin="assistant")],
        ["stored", "disputed"], [("Lisbon", None, None), ("Oslo", None, None)],
    ),
    "a tool cannot end what the user said": (
        [said(0, "home", "Lisbon"), said(5, "home", "", "ends", origin="tool")],
        ["stored", "refused"], [("Lisbon", None, None)],
    ),
    "the user changes what a document said": (
        [said(0, "port", "1", origin="document", subject="staging"), said(5, "port", "2", subject="staging")],
        ["stored", "replaced"], [("1", None, 5), ("2", 5, None)],
    ),
    "the user settles a dispute by saying the disputed value": (
        [said(0, "home", "Lisbon"), said(5, "home", "Oslo", origin="assistant"), said(9, "home", "Oslo")],
        ["stored", "disputed", "confirmed"], [("Lisbon", None, 9), ("Oslo", None, None)],
    ),
    "a new value from the user ends both sides of a dispute": (
        [said(0, "home", "Lisbon"), said(5, "home", "Oslo", origin="assistant"), said(9, "home", "Rome")],
        ["stored", "disputed", "replaced"], [("Lisbon", None, 9), ("Oslo", None, 9), ("Rome", 9, None)],
    ),
    # occurrences
    "a coming event is known at once and has no end": (
        [said(0, "appointment", "dentist", "plans", since=5, until=6, category="plans", many=True)],
        ["planned"], [("dentist", None, None)],
    ),
    "a past event is true from then on": (
        [said(9, "visited", "Rome", "past", since=5, until=6, category="events", many=True)],
        ["stored"], [("Rome", 5, None)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("story", STORIES)
def test_story(story: str) -> None:
    drafts, outcomes, expected = STORIES[story]
    decisions, facts = tell(*drafts)
    assert [decision.outcome for decision in decisions] == outcomes
    assert windows(facts) == expected


def test_every_decision_says_why_in_the_speakers_words() -> None:
    for drafts, _, _ in STORIES.values():
        for decision in tell(*drafts)[0]:
            assert decision.why
            if decision.outcome not in ("refused", "disputed"):
                quote = decision.draft.source.quote if decision.draft.source else ""
                assert quote in decision.why


def test_a_replaced_fact_and_its_follower_point_at_each_other() -> None:
    _, (old, new) = tell(said(0, "home", "Lisbon"), said(9, "home", "Porto"))
    assert (old.replaced_by, new.replaces) == (new.id, old.id)


@pytest.mark.parametrize("order", list(itertools.permutations(range(5))), ids=str)
def test_in_whatever_order_five_moves_are_heard_the_history_is_the_same(order: tuple[int, ...]) -> None:
    _, facts = tell(*(said(on, "home", f"Street {on}") for on in order))
    assert windows(facts) == [(f"Street {on}", on or None, on + 1 if on < 4 else None) for on in range(5)]


def test_a_retired_fact_keeps_its_window() -> None:
    _, facts = tell(said(0, "home", "Lisbon"), said(1, "home", "Porto", "corrects"))
    wrong = next(fact for fact in facts if fact.value == "Lisbon")
    assert wrong.retired is not None
    assert wrong.until is None


def test_confirmations_are_counted_and_raise_confidence() -> None:
    draft = said(0, "home", "Lisbon", confidence=0.6)
    _, (fact,) = tell(draft, said(1, "home", "Lisbon", confidence=0.6), said(2, "home", "Lisbon", confidence=0.6))
    assert fact.confirmations == 2
    assert fact.confidence > 0.8


def test_drafts_of_one_call_see_each_other() -> None:
    drafts = [said(0, "home", "Lisbon"), said(1, "home", "Porto")]
    made = reconcile(drafts, [], owner="ana", now=START, new_id=iter(["f1", "f2"]).__next__)
    assert [decision.outcome for decision in made] == ["stored", "replaced"]


def test_no_story_leaves_a_window_that_ends_before_it_begins() -> None:
    for drafts, _, _ in STORIES.values():
        for fact in tell(*drafts)[1]:
            assert fact.since is None or fact.until is None or fact.since <= fact.until


def test_the_text_of_a_coming_event_carries_its_date() -> None:
    draft = said(0, "appointment", "dentist", "plans", since=5, category="plans", many=True)
    assert "6 January 2026" in tell(draft)[1][0].text


@pytest.mark.parametrize(
    ("until", "words"), [(6, "(6 January 2026)"), (12, "(around 9 January 2026)"), (36, "(January 2026)")]
)
def test_a_date_is_no_more_exact_than_what_was_said(until: int, words: str) -> None:
    draft = said(0, "event", "a trip", "plans", since=5, until=until, category="plans", many=True)
    assert tell(draft)[1][0].text.endswith(words)


def test_a_confirmation_adds_the_words_that_confirm() -> None:
    _, (fact,) = tell(said(0, "home", "Lisbon"), said(1, "home", "Lisbon"))
    assert [source.message for source in fact.sources] == ["m0", "m1"]


# A relation that nobody knows, with a second value


def unsure(on: int, value: str, **options: Any) -> Draft:
    return said(on, "competes with", value, subject="Marlow", confidence=0.55, **options)


# What a draft speaks of where it does not say so


def test_a_move_from_a_tool_is_no_move_of_house() -> None:
    switch = said(2, "", "Zed", effect="replaces", instead_of="Vim", category="home")
    decisions, _ = tell(said(0, "home", "Leeds"), said(1, "editor", "Vim"), switch)
    assert (decisions[2].outcome, decisions[2].draft.attribute) == ("replaced", "editor")


def test_who_left_home_this_morning_still_lives_there() -> None:
    left = replace(said(9, "employer", "Rome", "ends"), source=Source("m9", "I left Rome this morning"))
    _, facts = tell(said(0, "home", "Rome"), left)
    assert ("Rome", None, None) in windows(facts)


def test_now_takes_the_place_of_the_only_value_of_a_relation_that_nobody_knows() -> None:
    decisions, facts = tell(said(0, "wears", "glasses"), said(9, "wears", "contact lenses", "replaces", many=False))
    assert decisions[-1].outcome == "replaced"
    assert windows(facts) == [("glasses", None, 9), ("contact lenses", 9, None)]


def test_now_brings_one_more_where_there_are_several_and_ends_none_of_them() -> None:
    _, facts = tell(
        said(0, "grows", "beans", many=True),
        said(0, "grows", "peas", many=True),
        said(9, "grows", "leeks", "replaces", many=False),
    )
    assert all(fact.until is None for fact in facts)


def test_words_that_fit_two_habits_end_neither() -> None:
    _, facts = tell(
        said(0, "habit", "swim on Sundays"), said(0, "habit", "swim at noon"), said(9, "habit", "swim", "ends")
    )
    assert [fact for fact in facts if fact.until and fact.value != "swim"] == []


def test_who_stopped_writing_has_not_taken_back_how_to_write_to_them() -> None:
    asked = said(0, "write in british english", "always", category="instruction")
    _, facts = tell(asked, said(9, "habit", "write", "ends"))
    assert ("always", None, None) in windows(facts)


@pytest.mark.parametrize(
    ("name", "value"), [("allergy", "fish"), ("occupation", "fishing guide"), ("possession", "fishing boat")]
)
def test_who_stopped_fishing_keeps_all_else_that_has_to_do_with_fish(name: str, value: str) -> None:
    _, facts = tell(said(0, name, value), said(9, "habit", "fish", "ends"))
    assert [fact.until for fact in facts if fact.attribute == name] == [None]
