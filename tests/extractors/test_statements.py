"""Statements about anyone and anything: their windows, their words, and how many values they hold."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest

from recollect import Memory
from recollect.extractors.rules import RuleExtractor
from recollect.records import Draft, Message

SAID = datetime(2024, 5, 15, 12, tzinfo=timezone.utc)


def only(text: str) -> Draft:
    [draft] = RuleExtractor().extract([Message("m1", "dana", "s", "user", text, SAID)], ())
    return draft


def year(number: int | None) -> datetime | None:
    return None if number is None else datetime(number, 1, 1, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    ("text", "kind", "since", "until"),
    [
        ("Mina Okafor played for Kumasi Stars from 2012 to 2016.", "past", 2012, 2017),
        ("Mina Okafor played for Kumasi Stars between 2012 and 2016.", "past", 2012, 2017),
        ("Mina Okafor played for Kumasi Stars in 2012.", "past", 2012, 2013),
        ("Mina Okafor played for Kumasi Stars until 2016.", "past", None, 2016),
        ("Mina Okafor plays for Accra Lions since 2017.", "state", 2017, None),
        ("Mina Okafor was married to Kofi Mensah since 2004.", "state", 2004, None),
        ("In 2011, Corvid Labs was founded by Lena Orth.", "state", 2011, None),
        ("Harald the Grey was married to Sigrid of Vik from 864 to 893.", "past", 864, 894),
        ("Torvald Rask (footballer) played for B.K. Nord from 1990 to 1995.", "past", 1990, 1996),
        ("2005 Harbour Cup is associated with the sport of rowing.", "state", None, None),
    ],
)
def test_a_time_at_either_end_is_the_window(text: str, kind: str, since: int | None, until: int | None) -> None:
    draft = only(text)
    assert (draft.kind, draft.since, draft.until) == (kind, year(since), year(until))


def test_a_statement_is_kept_in_its_own_words() -> None:
    assert only("Corvid Labs was founded by Lena Orth.").text == "Corvid Labs was founded by Lena Orth"
    assert only("The session cache lives in Redis.").text == "session cache lives in Redis"
    assert only("The director of Blue Lantern is Nils Aker.").text == "The director of Blue Lantern is Nils Aker"


def test_what_is_so_of_several_stands_side_by_side() -> None:
    memory = Memory(":memory:", owner="dana", embedder=None)
    memory.add("Mina Okafor is a member of the Green League.")
    memory.add("Mina Okafor is a member of the Chess Union.")
    memory.add("Mina Okafor acquired Tern Media.")
    memory.add("Mina Okafor acquired Corvid Labs.")
    assert len(memory.facts(subject="Mina Okafor")) == 4


def test_a_later_statement_replaces_only_that_relation_of_that_subject() -> None:
    memory = Memory(":memory:", owner="dana", embedder=None)
    for text in (
        "Corvid Labs was founded by Lena Orth.",
        "Corvid Labs was founded in the city of Ghent.",
        "Helix was developed by Corvid Labs.",
        "corvid labs was founded by Jonas Weil.",
    ):
        memory.add(text)
    values = {fact.value for fact in memory.facts()}
    assert values == {"Ghent", "Corvid Labs", "Jonas Weil"}


def test_one_relation_said_in_several_ways_holds_one_value() -> None:
    memory = Memory(":memory:", owner="dana", embedder=None)
    memory.add("The chief executive officer of Northwind Rail is Ana Ruiz.")
    memory.add("Jonas Weil is the CEO of Northwind Rail.")
    assert [fact.value for fact in memory.facts(subject="Northwind Rail")] == ["Jonas Weil"]


def test_what_was_true_is_told_at_any_time() -> None:
    memory = Memory(":memory:", owner="dana", embedder=None)
    memory.add("Mina Okafor played for Kumasi Stars from 2012 to 2016.")
    memory.add("Mina Okafor played for Accra Lions from 2017 to 2019.")
    memory.add("Mina Okafor played for Kumasi Stars from 2020 to 2021.")
    held = [[fact.value for fact in memory.facts(at=at)] for at in ("2011", "2014", "2018", "2020", "2023")]
    assert held == [[], ["Kumasi Stars"], ["Accra Lions"], ["Kumasi Stars"], []]
