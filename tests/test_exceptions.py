"""What is so for a day or a week only stands over what is usually so, and leaves it alone."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from recollect import Clock, Memory
from recollect.read import facts_page

MONDAY = datetime(2026, 6, 1, 9, tzinfo=timezone.utc)


class Days:
    """A memory whose clock is moved from day to day."""

    def __init__(self) -> None:
        self.now = MONDAY
        self.memory = Memory(":memory:", owner="dana", clock=Clock(now=lambda: self.now))

    def on(self, day: int) -> Memory:
        """The memory on so many days after that Monday."""
        self.now = MONDAY + timedelta(days=day)
        return self.memory

    def values(self, day: int, subject: str, attribute: str) -> list[str]:
        return [fact.value for fact in self.on(day).facts(subject=subject, attribute=attribute)]


@pytest.fixture
def days() -> Days:
    return Days()


# Of whom what is usually so and is said on Tuesday, and what holds on Tuesday, Wednesday and a week later.
PASSING = {
    ("api", "port"): [
        ("The api is on port 4930.", "Today the api is on port 4100.", "4100", "4930", "4930"),
        ("The api is on port 4930.", "The api is on port 4100 today.", "4100", "4930", "4930"),
        ("The api is on port 4930.", "It's on 4930. Today the api is on port 4100 though.", "4100", "4930", "4930"),
        ("The api is on port 4930.", "tomorrow only, the api is on port 4110", "4930", "4110", "4930"),
        ("The api is on port 4930.", "Tomorrow the api is on port 4110.", "4930", "4110", "4930"),
    ],
    ("user", "employer"): [
        ("I work at Acme.", "Just for this week I'm working at Globex.", "Globex", "Globex", "Acme"),
        ("I work at Acme.", "This week I work at Globex.", "Globex", "Globex", "Acme"),
        ("I work at Acme.", "I'm working at Globex tomorrow.", "Acme", "Globex", "Acme"),
    ],
    ("user", "office"): [("My office is Turin.", "This week my office is Milan.", "Milan", "Milan", "Turin")],
    ("user", "home"): [("I live in Leeds.", "I live in York tomorrow.", "Leeds", "York", "Leeds")],
}


@pytest.mark.parametrize(
    ("subject", "attribute", "usual", "said", "tuesday", "wednesday", "later"),
    [(*of, *told) for of, rows in PASSING.items() for told in rows],
)
def test_an_exception_holds_in_its_time_and_the_usual_again_after_it(
    days: Days, subject: str, attribute: str, usual: str, said: str, tuesday: str, wednesday: str, later: str
) -> None:
    days.on(0).add(usual)
    days.on(1).add(said)
    assert days.values(1, subject, attribute) == [tuesday]
    assert days.memory.recall(attribute, subject=subject) == tuesday
    assert days.values(2, subject, attribute) == [wednesday]
    assert days.values(9, subject, attribute) == [later]
    assert days.memory.recall(attribute, subject=subject) == later
    # Both clocks: how it was on those days, and what was believed before it was said.
    assert [one.value for one in days.memory.facts(subject=subject, attribute=attribute, at="2026-06-02")] == [tuesday]
    assert [one.value for one in days.memory.facts(subject=subject, attribute=attribute, at="2026-06-03")] == [
        wednesday
    ]
    known = days.memory.facts(subject=subject, attribute=attribute, at="2026-06-02", known_at="2026-06-01")
    assert [one.value for one in known] == [later]
    assert all(fact.until is None for fact in days.memory.history(attribute, subject=subject) if fact.value == later)


# Words of a day or a week that tell a change all the same.
LASTING = [
    ("The api is on port 4930.", "As of today the api is on port 4100.", "api", "port", "4100"),
    ("The api is on port 4930.", "From today the api is on port 4100.", "api", "port", "4100"),
    ("The api is on port 4930.", "Starting this week the api is on port 4100.", "api", "port", "4100"),
    ("I live in Lisbon.", "Today I moved to Porto.", "user", "home", "Porto"),
    ("I live in Lisbon.", "I moved to Porto this week.", "user", "home", "Porto"),
    ("I work at Acme.", "Today I started at Globex.", "user", "employer", "Globex"),
    ("I work at Acme.", "I'm working at Globex now, since this week.", "user", "employer", "Globex"),
    ("My weight is 85 kg.", "My weight is 82 kg today.", "user", "weight", "82 kg"),
    ("I'm 29 years old.", "I'm 30 today!", "user", "age", "30"),
]  # fmt: skip


@pytest.mark.parametrize(("usual", "said", "subject", "attribute", "later"), LASTING)
def test_a_change_that_names_its_day_stays(
    days: Days, usual: str, said: str, subject: str, attribute: str, later: str
) -> None:
    days.on(0).add(usual)
    days.on(1).add(said)
    assert days.values(9, subject, attribute) == [later]


@pytest.mark.parametrize(
    ("usual", "said"),
    [
        ("I use Figma.", "I'm not using Figma this week."),
        ("I use Figma.", "I don't use Figma today."),
        ("I work at Acme.", "I'm not working at Acme this week."),
        ("I live in Leeds.", "I don't live in Leeds this week."),
        ("My diet is vegetarian.", "Just for today my diet isn't vegetarian."),
    ],
)
def test_what_is_not_so_for_a_day_or_a_week_ends_nothing(days: Days, usual: str, said: str) -> None:
    [usually] = days.on(0).add(usual).facts
    days.on(1).add(said)
    assert usually in days.memory.facts()
    assert usually in days.on(9).facts()


def test_search_prefers_the_exception_on_its_day_and_the_usual_later(days: Days) -> None:
    days.on(0).add("The api is on port 4930.")
    days.on(1).add("Today the api is on port 4100.")
    [hit] = days.memory.search("Which port is the api on?")
    assert hit.text.startswith("api port is 4100")
    assert "4930" not in days.memory.context("Which port is the api on?").text
    assert days.on(2).search("Which port is the api on?")[0].text == "api port is 4930"
    assert [hit.text for hit in days.on(2).search("Which port is the api on?", kinds=["fact"])] == ["api port is 4930"]
    assert days.on(9).search("Which port was the api on on 2 June?")[0].text.startswith("api port is 4100")


def test_a_page_shows_what_the_list_shows(days: Days) -> None:
    days.on(0).add("The api is on port 4930. I like tea.")
    days.on(1).add("Today the api is on port 4100.")
    assert facts_page(days.memory, limit=10) == days.memory.facts()
    first = facts_page(days.memory, limit=1)
    assert [fact.value for fact in first] == ["4100"]
    [second] = facts_page(days.memory, limit=1, before=(first[0].said, first[0].learned, first[0].id))
    assert second.value == "tea"


def test_an_exception_told_anew_takes_the_place_of_the_first(days: Days) -> None:
    days.on(0).add("The api is on port 4930.")
    days.on(1).add("Today the api is on port 4100.")
    days.memory.add("Today the api is on port 4110.")
    assert days.values(1, "api", "port") == ["4110"]
    assert days.values(2, "api", "port") == ["4930"]


def test_the_usual_said_again_on_that_day_is_confirmed_and_ends_nothing(days: Days) -> None:
    days.on(0).add("The api is on port 4930.")
    days.on(1).add("Today the api is on port 4100.")
    [receipt] = days.memory.add("The api is on port 4930.").receipts
    assert receipt.outcome == "confirmed"
    assert days.values(1, "api", "port") == ["4100"]


def test_a_lasting_change_after_an_exception_counts_from_then_on(days: Days) -> None:
    days.on(0).add("The api is on port 4930.")
    days.on(1).add("Today the api is on port 4100.")
    days.memory.add("From today the api is on port 4100.")
    assert days.values(1, "api", "port") == ["4100"]
    assert days.values(9, "api", "port") == ["4100"]


def test_a_change_before_its_day_leaves_the_exception(days: Days) -> None:
    days.on(0).add("The api is on port 4930.")
    days.on(1).add("Next Friday the api is on port 4110.")
    days.memory.add("The api is on port 4900 now.")
    assert days.values(2, "api", "port") == ["4900"]
    assert days.values(11, "api", "port") == ["4110"]
    assert days.values(12, "api", "port") == ["4900"]


def test_the_end_of_the_usual_ends_the_exceptions_too(days: Days) -> None:
    days.on(0).add("The api is on port 4930.")
    days.on(1).add("Next Friday the api is on port 4110.")
    assert [fact.value for fact in days.memory.history("port", subject="api")] == ["4930", "4110"]
    days.memory.forget("port", subject="api")
    assert days.values(11, "api", "port") == []


def test_an_exception_is_undone_like_anything_else(days: Days) -> None:
    days.on(0).add("The api is on port 4930.")
    days.on(1).add("Today the api is on port 4100.")
    days.memory.undo()
    assert days.values(1, "api", "port") == ["4930"]


def test_a_document_makes_no_exception_to_what_the_user_said(days: Days) -> None:
    days.on(0).add("The api is on port 4930.")
    days.on(1).add("Today the api is on port 4100.", origin="document")
    assert days.memory.recall("port", subject="api") == "4930"


@pytest.mark.parametrize(
    ("usual", "said", "subject", "attribute"),
    [
        ("The api is on port 4930.", "On Fridays the api is on port 4150.", "api", "port"),
        ("The api is on port 4930.", "The api is on port 4110 on Sundays.", "api", "port"),
        ("The api is on port 4930.", "On Sundays the api is on port 4120 now.", "api", "port"),
        ("I live in Leeds.", "On Saturdays I live in York.", "user", "home"),
        ("I work at Acme.", "On Fridays I work at Globex.", "user", "employer"),
    ],
)
def test_what_is_so_on_some_days_of_the_week_ends_nothing(
    days: Days, usual: str, said: str, subject: str, attribute: str
) -> None:
    [usually] = days.on(0).add(usual).facts
    days.on(1).add(said)
    assert days.on(9).facts(subject=subject, attribute=attribute) == [usually]


@pytest.mark.parametrize(
    "said",
    [
        "I'm using SQLite as my database and I have a deadline on Friday.",
        "I'm keeping it simple, so I'm using SQLite, and the demo is at 10 tomorrow.",
        "The demo is on Thursday at 3, and I'm using SQLite.",
    ],
)
def test_what_is_said_beside_a_day_is_not_bound_to_it(days: Days, said: str) -> None:
    used = [fact for fact in days.on(0).add(said).facts if fact.attribute == "uses"]
    assert [(fact.value, fact.until) for fact in used] == [("SQLite", None)]


def test_a_message_about_a_week_is_found_after_it(days: Days) -> None:
    days.on(0).add("I'm driving my wife's Volvo this week.")
    assert "Volvo" in days.on(20).search("Which Volvo was I driving?")[0].text


@pytest.mark.parametrize("said", ["My diet isn't vegetarian at weekends.", "My diet isn't vegetarian on Sundays."])
def test_what_is_not_so_on_some_days_is_so_on_the_others(said: str) -> None:
    days = Days()
    days.on(0).add("My diet is vegetarian.")
    days.on(1).add(said)
    assert days.values(2, "user", "diet") == ["vegetarian"]
