"""The heart of the product: drafts against known facts, as a table of stories."""

from __future__ import annotations

import itertools
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from recollect.decisions import Decision
from recollect.reconcile import reconcile
from recollect.records import Draft, Fact, Source

START = datetime(2026, 1, 1, tzinfo=timezone.utc)


def day(number: int | None) -> datetime | None:
    return None if number is None else START + timedelta(days=number)


def said(on: int, attribute: str, value: str, kind: str = "state", **options: Any) -> Draft:
    """What was said on a day; `since` and `until` are days too."""
    times = {name: day(options.pop(name)) for name in ("since", "until") if name in options}
    subject = options.pop("subject", "user")
    source = Source(f"m{on}", f"{attribute} {value}")
    return Draft(
        subject,
        attribute,
        value,
        f"{attribute} {value}",
        START + timedelta(days=on),
        kind,
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
        [said(0, "home", "Lisbon"), said(9, "home", "Porto", "update", since=5)],
        ["stored", "replaced"], [("Lisbon", None, 5), ("Porto", 5, None)],
    ),
    "a move that lies before the old home was told still ends it": (
        [said(0, "home", "Lisbon"), said(9, "home", "Porto", "update", since=-30)],
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
        [said(0, "home", "Rome"), said(5, "home", "Porto", "plan")],
        ["stored", "stored"], [("Rome", None, None), ("home Porto", None, None)],
    ),
    "a plan that is put off begins later, and the present value goes on until then": (
        [
            said(0, "home", "Mainz"), said(1, "home", "Trier", "plan", since=30),
            said(9, "home", "Trier", "plan", since=90),
        ],
        ["stored", "planned", "confirmed"], [("Mainz", None, 90), ("Trier", 90, None)],
    ),
    "not moving after all calls off the plan and leaves the present home": (
        [
            said(0, "home", "Derry"), said(1, "home", "Belfast", "plan", since=30),
            said(9, "home", "", "ending", negated=True),
        ],
        ["stored", "planned", "ended"], [("Derry", None, None)],
    ),
    "not moving after all, when no move was planned, ends nothing": (
        [said(0, "home", "Derry"), said(9, "home", "", "ending", negated=True)],
        ["stored", "refused"], [("Derry", None, None)],
    ),
    "an ending may name a part of the value that is a name": (
        [said(0, "car", "red Mazda 3"), said(9, "", "Mazda", "ending", instead_of="Mazda")],
        ["stored", "ended"], [("red Mazda 3", None, 9)],
    ),
    "a switch from something that was never told is a use of the new one": (
        [said(9, "", "Mattermost", "update", instead_of="Slack")],
        ["stored"], [("Mattermost", None, None)],
    ),
    "an ending names a habit in short": (
        [said(0, "habit", "run every morning"), said(9, "habit", "run", "ending")],
        ["stored", "ended"], [("run every morning", None, 9)],
    ),
    "another way to the same place, told anew, takes the place of the one before": (
        [said(0, "habit", "take the bus to work"), said(9, "habit", "cycle to work", "update")],
        ["stored", "replaced"], [("take the bus to work", None, 9), ("cycle to work", 9, None)],
    ),
    "another way to another place does not": (
        [said(0, "habit", "take the bus to school"), said(9, "habit", "cycle to work", "update")],
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
        [said(0, "home", "Porto", "update", since=-10), said(9, "home", "Lisbon", since=-20)],
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
        [said(0, "likes", "tea"), said(0, "likes", "jazz"), said(5, "likes", "coffee", "update", instead_of="tea")],
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
        [said(0, "home", "Lisbon"), said(1, "home", "Porto", "correction", instead_of="Lisbon")],
        ["stored", "corrected"], [("Porto", None, None)],
    ),
    "a correction without the wrong value corrects the one held": (
        [said(0, "home", "Lisbon"), said(1, "home", "Porto", "correction")],
        ["stored", "corrected"], [("Porto", None, None)],
    ),
    "a correction of one value of a list leaves the others": (
        [said(0, "pet", "Rex"), said(0, "pet", "Mia"), said(1, "pet", "Max", "correction", instead_of="Rex")],
        ["stored", "stored", "corrected"], [("Max", None, None), ("Mia", None, None)],
    ),
    "a correction takes the beginning of what it corrects": (
        [said(9, "home", "Lisbon", "update", since=5), said(10, "home", "Porto", "correction")],
        ["stored", "corrected"], [("Porto", 5, None)],
    ),
    "a correction that names only the wrong value finds its attribute": (
        [said(0, "home", "Lisbon"), said(1, "", "Porto", "correction", instead_of="Lisbon")],
        ["stored", "corrected"], [("Porto", None, None)],
    ),
    "a correction of nothing known is stored": (
        [said(1, "home", "Porto", "correction", instead_of="Lisbon")], ["stored"], [("Porto", None, None)],
    ),
    "a correction whose attribute cannot be told is refused": (
        [said(1, "", "Porto", "correction", instead_of="Lisbon")], ["refused"], [],
    ),
    # ending
    "an ending ends and nothing replaces it": (
        [said(0, "employer", "Helios"), said(5, "employer", "Helios", "ending")],
        ["stored", "ended"], [("Helios", None, 5)],
    ),
    "an ending with a date ends then": (
        [said(0, "employer", "Helios"), said(9, "employer", "Helios", "ending", since=7)],
        ["stored", "ended"], [("Helios", None, 7)],
    ),
    "an ending without a value ends what is held": (
        [said(0, "employer", "Helios"), said(5, "employer", "", "ending")],
        ["stored", "ended"], [("Helios", None, 5)],
    ),
    "an ending of one value of a list leaves the others": (
        [said(0, "likes", "meat"), said(0, "likes", "fish"), said(5, "likes", "meat", "ending")],
        ["stored", "stored", "ended"], [("meat", None, 5), ("fish", None, None)],
    ),
    "an ending of another value ends nothing that is held": (
        [said(0, "employer", "Acme"), said(5, "employer", "Helios", "ending")],
        ["stored", "stored"], [("Helios", None, 5), ("Acme", None, None)],
    ),
    "an ending without a value of nothing known is refused": (
        [said(5, "employer", "", "ending")], ["refused"], [],
    ),
    "a denial of what nobody said is not kept": (
        [said(5, "possession", "car", "ending", negated=True)], ["refused"], [],
    ),
    "a denial of what is held ends it": (
        [said(0, "possession", "car"), said(5, "possession", "car", "ending", negated=True)],
        ["stored", "ended"], [("car", None, 5)],
    ),
    "an ending in the future leaves the value current until then": (
        [said(0, "employer", "Helios"), said(5, "employer", "Helios", "ending", since=30)],
        ["stored", "ended"], [("Helios", None, 30)],
    ),
    "after an ending a new value begins when it is said": (
        [said(0, "employer", "Helios"), said(5, "employer", "", "ending"), said(9, "employer", "Acme")],
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
        [said(5, "home", "Lisbon", "update", since=2), said(6, "home", "Rome", "past")],
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
        [said(0, "employer", "Helios"), said(5, "employer", "Acme", "plan", since=30)],
        ["stored", "planned"], [("Helios", None, 30), ("Acme", 30, None)],
    ),
    "a present value told after a plan holds until the plan begins": (
        [said(5, "employer", "Acme", "plan", since=30), said(6, "employer", "Helios", since=-500)],
        ["planned", "stored"], [("Helios", -500, 30), ("Acme", 30, None)],
    ),
    "a first 'from A to B' tells what was before": (
        [said(9, "home", "Porto", "update", since=5, instead_of="Lisbon")],
        ["stored"], [("Lisbon", None, 5), ("Porto", 5, None)],
    ),
    "a plan that is called off lets the present go on": (
        [said(0, "employer", "Helios"), said(5, "employer", "Acme", "plan", since=30),
         said(6, "employer", "Acme", "ending")],
        ["stored", "planned", "ended"], [("Helios", None, None)],
    ),
    "a plan that comes true early begins when it is said": (
        [said(0, "employer", "Helios"), said(5, "employer", "Acme", "plan", since=30), said(20, "employer", "Acme")],
        ["stored", "planned", "confirmed"], [("Helios", None, 20), ("Acme", 20, None)],
    ),
    "a plan that is put off leaves what holds now until then": (
        [said(0, "home", "Turku"), said(5, "home", "Vaasa", "plan", since=30), said(9, "home", "", "plan", since=60)],
        ["stored", "planned", "confirmed"], [("Turku", None, 60), ("Vaasa", 60, None)],
    ),
    "a plan that is brought forward ends what holds now then": (
        [said(0, "home", "Turku"), said(5, "home", "Ii", "plan", since=60), said(9, "home", "Ii", "plan", since=30)],
        ["stored", "planned", "confirmed"], [("Turku", None, 30), ("Ii", 30, None)],
    ),
    "a time for a plan that nobody has told is refused": (
        [said(0, "home", "Turku"), said(9, "home", "", "plan", since=60)],
        ["stored", "refused"], [("Turku", None, None)],
    ),
    "a plan with an end of its own leaves what holds now": (
        [said(0, "home", "Aalst"), said(5, "home", "Ghent", "plan", since=30, until=90)],
        ["stored", "planned"], [("Aalst", None, None), ("Ghent", 30, 90)],
    ),
    "one word of a name is put right": (
        [said(0, "name", "Katarzyna Nowik"), said(0, "", "Nowyk", "correction")],
        ["stored", "corrected"], [("Katarzyna Nowyk", None, None)],
    ),
    "a firm that ends by its first word is that firm": (
        [said(0, "employer", "Stoneleigh Bank"), said(9, "employer", "Stoneleigh", "ending")],
        ["stored", "ended"], [("Stoneleigh Bank", None, 9)],
    ),
    "a firm that is told again by its first word is that firm": (
        [said(0, "employer", "Stoneleigh Bank"), said(9, "employer", "Stoneleigh")],
        ["stored", "confirmed"], [("Stoneleigh Bank", None, None)],
    ),
    "a firm that is told as new is another one": (
        [said(0, "employer", "Stoneleigh Bank"), said(9, "employer", "Stoneleigh", "update")],
        ["stored", "replaced"], [("Stoneleigh Bank", None, 9), ("Stoneleigh", 9, None)],
    ),
    "a plan told before what holds now may be brought forward": (
        [said(0, "home", "B", "plan", since=60), said(1, "home", "A"), said(9, "home", "B", "plan", since=30)],
        ["planned", "stored", "confirmed"], [("A", 1, 30), ("B", 30, None)],
    ),
    "a sister under another family name is one sister": (
        [said(0, "sister", "Anneke Visser"), said(9, "sister", "Anneke Bakhuis", "update")],
        ["stored", "replaced"], [("Anneke Visser", None, 9), ("Anneke Bakhuis", 9, None)],
    ),
    "two friends with one first name are two": (
        [said(0, "friend", "Anneke Visser"), said(9, "friend", "Anneke Bakhuis")],
        ["stored", "stored"], [("Anneke Bakhuis", None, None), ("Anneke Visser", None, None)],
    ),
    "a habit takes the place of a hobby that it names": (
        [said(0, "hobby", "yoga"), said(9, "habit", "do pilates on Mondays", "update", instead_of="yoga")],
        ["stored", "replaced"], [("yoga", None, 9), ("do pilates on Mondays", 9, None)],
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
        [said(9, "employer", "Helios"), said(2, "employer", "Helios", "ending")],
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
        [said(0, "home", "Lisbon"), said(5, "home", "Oslo", "correction", origin="assistant")],
        ["stored", "disputed"], [("Lisbon", None, None), ("Oslo", None, None)],
    ),
    "a tool cannot end what the user said": (
        [said(0, "home", "Lisbon"), said(5, "home", "", "ending", origin="tool")],
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
        [said(0, "appointment", "dentist", "plan", since=5, until=6, category="plans", many=True)],
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
    _, facts = tell(said(0, "home", "Lisbon"), said(1, "home", "Porto", "correction"))
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
    draft = said(0, "appointment", "dentist", "plan", since=5, category="plans", many=True)
    assert "6 January 2026" in tell(draft)[1][0].text


@pytest.mark.parametrize(
    ("until", "words"), [(6, "(6 January 2026)"), (12, "(around 9 January 2026)"), (36, "(January 2026)")]
)
def test_a_date_is_no_more_exact_than_what_was_said(until: int, words: str) -> None:
    draft = said(0, "event", "a trip", "plan", since=5, until=until, category="plans", many=True)
    assert tell(draft)[1][0].text.endswith(words)


def test_a_confirmation_adds_the_words_that_confirm() -> None:
    _, (fact,) = tell(said(0, "home", "Lisbon"), said(1, "home", "Lisbon"))
    assert [source.message for source in fact.sources] == ["m0", "m1"]


# A relation that nobody knows, with a second value


def unsure(on: int, value: str, **options: Any) -> Draft:
    return said(on, "competes with", value, subject="Marlow", confidence=0.55, **options)


def test_an_unknown_relation_with_a_second_value_is_a_dispute() -> None:
    decisions, facts = tell(unsure(1, "Ajax"), unsure(2, "Porto"))
    assert [decision.outcome for decision in decisions] == ["stored", "disputed"]
    assert decisions[1].why.startswith("unsure whether “competes with Porto” stands beside “competes with Ajax”")
    assert all(fact.until is None for fact in facts)


def test_also_settles_such_a_dispute_for_both() -> None:
    decisions, facts = tell(unsure(1, "Ajax"), unsure(2, "Porto"), unsure(3, "Porto", many=True))
    assert decisions[2].outcome == "confirmed"
    assert [(fact.until, fact.disputes) for fact in facts] == [(None, None), (None, None)]


def test_now_settles_such_a_dispute_for_the_new_one() -> None:
    decisions, facts = tell(unsure(1, "Ajax"), unsure(2, "Porto"), unsure(3, "Rome", kind="update", many=False))
    assert decisions[2].outcome == "replaced"
    assert [fact.value for fact in facts if fact.until is None] == ["Rome"]


def test_saying_it_again_settles_such_a_dispute() -> None:
    _, facts = tell(unsure(1, "Ajax"), unsure(2, "Porto"), unsure(3, "Porto"))
    assert [fact.value for fact in facts if fact.until is None] == ["Porto"]


def test_what_took_anothers_place_before_does_so_again() -> None:
    decisions, _ = tell(unsure(1, "Ajax"), unsure(2, "Porto", kind="update", many=False), unsure(3, "Rome"))
    assert decisions[2].outcome == "replaced"


# What a draft speaks of where it does not say so


def test_a_move_from_a_tool_is_no_move_of_house() -> None:
    switch = said(2, "", "CircleCI", kind="update", instead_of="Travis", category="home")
    decisions, _ = tell(said(1, "uses", "Travis"), switch)
    assert (decisions[1].outcome, decisions[1].draft.attribute) == ("replaced", "uses")


def test_a_move_from_nowhere_known_is_a_move_of_house() -> None:
    decisions, _ = tell(said(2, "", "Dax3", kind="update", instead_of="Pau", category="home"))
    assert decisions[0].draft.attribute == "home"


def test_a_thing_that_is_given_up_may_be_named_in_short() -> None:
    gone = said(2, "", "cafe", kind="ending", instead_of="cafe")
    decisions, _ = tell(said(1, "possession", "small cafe"), gone)
    assert (decisions[1].outcome, decisions[1].draft.value) == ("ended", "small cafe")


def test_a_later_version_takes_the_place_of_the_one_before() -> None:
    decisions, _ = tell(said(1, "requires", "Java 11"), said(2, "requires", "Java 21", kind="update"))
    assert decisions[1].outcome == "replaced"


def test_the_only_one_that_is_left_ends_what_it_was_told_with_and_nothing_else() -> None:
    sports = [
        replace(said(0, "plays", name), source=Source("m0", "tennis and squash")) for name in ("tennis", "squash")
    ]
    oboe = said(3, "plays", "oboe")
    _, facts = tell(*sports, oboe, said(9, "plays", "squash", "update", only=True))
    assert windows(facts) == [("tennis", None, 9), ("oboe", None, None), ("squash", None, None)]


def test_what_is_left_by_its_name_is_the_place_that_has_it() -> None:
    _, facts = tell(said(0, "home", "Rome"), said(1, "employer", "Helios"), said(9, "employer", "Rome", "ending"))
    assert windows(facts) == [("Rome", None, 9), ("Helios", None, None)]


def test_a_trip_that_is_called_off_by_its_place_ends_the_plan_and_no_home() -> None:
    home, trip = said(0, "home", "Crete"), said(1, "plan", "fly to Crete", "plan", category="plans", since=30)
    off = said(9, "", "Crete", "ending", instead_of="Crete", category="plans")
    _, facts = tell(home, trip, off)
    assert ("Crete", None, None) in windows(facts)
    assert [fact.value for fact in facts if fact.until is not None or fact.retired is not None] == ["fly to Crete"]


def test_who_is_a_morning_person_is_no_night_owl() -> None:
    _, facts = tell(said(0, "trait", "a night owl"), said(1, "trait", "a foodie"), said(9, "trait", "a morning person"))
    assert sorted(windows(facts), key=str) == sorted(
        [("a night owl", None, 9), ("a foodie", None, None), ("a morning person", 9, None)], key=str
    )


def test_who_left_home_this_morning_still_lives_there() -> None:
    left = replace(said(9, "employer", "Rome", "ending"), source=Source("m9", "I left Rome this morning"))
    _, facts = tell(said(0, "home", "Rome"), left)
    assert ("Rome", None, None) in windows(facts)


def test_now_takes_the_place_of_the_only_value_of_a_relation_that_nobody_knows() -> None:
    decisions, facts = tell(said(0, "wears", "glasses"), said(9, "wears", "contact lenses", "update", many=False))
    assert decisions[-1].outcome == "replaced"
    assert windows(facts) == [("glasses", None, 9), ("contact lenses", 9, None)]


def test_now_brings_one_more_where_there_are_several_and_ends_none_of_them() -> None:
    _, facts = tell(
        said(0, "grows", "beans", many=True),
        said(0, "grows", "peas", many=True),
        said(9, "grows", "leeks", "update", many=False),
    )
    assert all(fact.until is None for fact in facts)


@pytest.mark.parametrize(
    ("name", "value"), [("referees", "handball"), ("habit", "referee handball"), ("habit", "referee")]
)
def test_what_is_over_is_known_by_its_words_however_it_is_filed(name: str, value: str) -> None:
    told = said(0, "habit", "referee youth handball on Sundays")
    _, facts = tell(told, said(0, "habit", "swim on Sundays"), said(9, name, value, "ending"))
    assert windows(facts)[0] == ("referee youth handball on Sundays", None, 9)
    assert windows(facts)[1] == ("swim on Sundays", None, None)


def test_words_that_fit_two_habits_end_neither() -> None:
    _, facts = tell(
        said(0, "habit", "swim on Sundays"), said(0, "habit", "swim at noon"), said(9, "habit", "swim", "ending")
    )
    assert [fact for fact in facts if fact.until and fact.value != "swim"] == []


def test_another_place_of_the_same_doing_takes_the_place_of_the_first() -> None:
    _, facts = tell(
        said(0, "parks in", "garage", confidence=0.55), said(9, "parks behind", "library", "update", confidence=0.55)
    )
    assert windows(facts) == [("garage", None, 9), ("library", 9, None)]


def test_a_bare_number_puts_right_the_measure_that_it_is_of() -> None:
    _, facts = tell(said(0, "bears", "40 kilos"), said(0, "bears", "14 kilos", "correction", instead_of="40"))
    assert windows(facts) == [("14 kilos", None, None)]


def test_who_stopped_writing_has_not_taken_back_how_to_write_to_them() -> None:
    asked = said(0, "write in british english", "always", category="instruction")
    _, facts = tell(asked, said(9, "habit", "write", "ending"))
    assert ("always", None, None) in windows(facts)


@pytest.mark.parametrize(
    ("name", "value"), [("allergy", "fish"), ("occupation", "fishing guide"), ("possession", "fishing boat")]
)
def test_who_stopped_fishing_keeps_all_else_that_has_to_do_with_fish(name: str, value: str) -> None:
    _, facts = tell(said(0, name, value), said(9, "habit", "fish", "ending"))
    assert [fact.until for fact in facts if fact.attribute == name] == [None]


def test_now_leaves_a_value_of_another_kind_in_dispute() -> None:
    decisions, facts = tell(
        said(0, "wears", "glasses", many=True), said(9, "wears", "a helmet", "update", confidence=0.5)
    )
    assert decisions[-1].outcome == "disputed"
    assert all(fact.until is None for fact in facts)
