"""A message that only puts right what was said just before it, and what looks like one."""

from __future__ import annotations

import pytest

from recollect.extractors.retracting import Retraction, retraction

from .stories import told


@pytest.mark.parametrize(
    ("said", "new", "old"),
    [
        ("Third floor, sorry. I always count the ground floor.", "Third floor", None),
        ("Eastfield Primary, I mean. Not Westfield.", "Eastfield Primary", "Westfield"),
        ("Make that 5 foot 8, I mistyped.", "5 foot 8", None),
        ("Midwife, sorry, not nurse.", "Midwife", "nurse"),
        ("Dad just told me it's 14 May. I always mix that up.", "14 May", None),
        ("Tampere. I keep confusing them.", "Tampere", None),
        ("Thirteen, I forgot the new one.", "13", None),
    ],
)
def test_the_value_stands_among_regrets_and_reasons(said: str, new: str, old: str | None) -> None:
    found = retraction(said)
    assert found is not None
    assert (found.new, found.old) == (new, old)


@pytest.mark.parametrize(
    "said",
    [
        "Sorry, long day.",
        "Sorry Tina, wrong chat.",
        "Sorry, Anna, I have to go.",
        "Sorry, Bob!",
        "Sorry, it's late.",
        "My mistake, I closed the window.",
        "Wait, one more thing.",
        "Oops. Coffee time.",
        "No, London is too expensive.",
        "Actually, coffee first.",
        "Wait, Terminal 5 or 3?",
        "I got a new phone, it's a Pixel 9.",
        "We got a third cat, Natto.",
        "I mean, who cares.",
    ],
)
def test_what_is_said_to_someone_or_of_something_else_puts_nothing_right(said: str) -> None:
    assert retraction(said) is None


def test_a_reason_is_not_taken_for_a_fact() -> None:
    assert retraction("Third floor, sorry. I always count wrong.") == Retraction(
        "Third floor", None, ("I always count wrong",)
    )
    assert told("We live on the fourth floor.", "Third floor, sorry. I always count the ground floor.") == {
        "user | floor | Third floor"
    }


@pytest.mark.parametrize(
    ("first", "then", "holds"),
    [
        ("I work at Fenwick Labs.", "Scratch that, it's called Fenwright Labs.", "user | employer | Fenwright Labs"),
        ("I take 50 mg of sertraline.", "Oops, 100 mg.", "user | medication | 100 mg of sertraline"),
        ("I weigh 82 kilos.", "72, I mistyped.", "user | weight | 72 kilos"),
        ("I have two sisters.", "Three sisters, I can't count.", "user | number of sisters | three"),
        ("My brother lives in Leeds.", "Wait no, he's in Bradford.", "brother | home | Bradford"),
        ("The code for our garden gate is 4471.", "Typo, the code for the gate is 4417.", "garden gate | code | 4417"),
    ],
)
def test_it_takes_the_place_of_the_value_that_it_fits(first: str, then: str, holds: str) -> None:
    assert told(first, then) == {holds}
