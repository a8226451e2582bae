"""What people say in long talks: much of it looks like a fact or a change, and is none."""

from __future__ import annotations

import pytest

from recollect import Memory

KEPT = [
    (
        "I've been using Anki.",
        "I've been using Quizlet, but the last one has me confused.",
    ),
    ("I use Django.", "I'm using Celery, Redis and Nginx, and maybe there's something wrong with my setup."),
    ("I like jazz.", "I've recently started listening to “The Long Way Home”."),
    ("I like jazz.", "I've been listening to audiobooks on my commute."),
    ("I like long breaks.", "I've adjusted my daily routine to include a short walk."),
    ("I work as a baker.", "I'm also a DJ."),
    ("I work as a baker.", "As a parent, I worry about screens."),
    ("I work as a baker.", "I've been a lurker in this forum for years."),
    ("I work as a baker.", "My position is still more hopeful than certain."),
    ("I work at Helios.", "I've been working professionally for 9 years."),
    ("I work at Helios.", "I start with the easy part."),
    ("I work at Helios.", "I joined a group called “Night Readers” last week."),
    ("My height is 180 cm.", "The height is 6 ft when the ladder slips."),
    ("My partner is Tom.", "I walked down the aisle as a bridesmaid on Saturday."),
    ("I like herb plants.", "I just sold 20 herb plants, it was great fun."),
    ("We use Slack.", "We exchanged numbers to meet up for brunch."),
    ("I'm planning a trip to Chicago.", "My plan was to simplify, not get a longer list."),
]


@pytest.mark.parametrize(("first", "second"), KEPT, ids=[second for _, second in KEPT])
def test_what_only_looks_like_a_change_ends_nothing(memory: Memory, first: str, second: str) -> None:
    [before] = memory.add(first).facts
    memory.add(second)
    assert before.text in [fact.text for fact in memory.facts()]


POINTLESS = [
    "I replaced the mat by the sink with a new one from the market.",
    "I sold my previous one for 200 euros.",
    "I just use two apps, nothing too advanced.",
    "The ladder is here; the height is 6 ft.",
    "My word is my bond.",
]


@pytest.mark.parametrize("said", POINTLESS)
def test_values_that_say_nothing_by_themselves_are_no_facts(memory: Memory, said: str) -> None:
    values = [fact.value for fact in memory.add(said).facts]
    assert not [value for value in values if value.endswith((" one", "market", "bond", "ft")) or "nothing" in value]


def test_a_sum_is_its_own_value_and_costs_nothing(memory: Memory) -> None:
    memory.add("My emergency fund is now $4,000.")
    assert [(fact.attribute, fact.value) for fact in memory.facts()] == [("emergency fund", "$4,000")]
