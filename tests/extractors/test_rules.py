"""Facts that rules find in what people say."""

from __future__ import annotations

import sys
from datetime import datetime, timezone
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect import Memory
from recollect.extractors.rules import RuleExtractor
from recollect.records import Draft, Fact, Message, Origin, Role

tomllib = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")

SAID = datetime(2024, 5, 15, 12, tzinfo=timezone.utc)
CASES = {
    said: drafts
    for table in sorted(Path(__file__).parent.glob("cases_*.toml"))
    for said, drafts in tomllib.loads(table.read_text(encoding="utf-8")).items()
}


def said(
    text: str, *, known: tuple[Fact, ...] = (), role: Role = "user", origin: Origin = "user", name: str | None = None
) -> list[Draft]:
    return RuleExtractor().extract([Message("m1", "dana", "s", role, text, SAID, origin, name)], known)


def only(text: str) -> Draft:
    [draft] = said(text)
    return draft


def relation(attribute: str, value: str) -> Fact:
    return Fact("f1", "dana", "user", attribute, value, f"{attribute} is {value}", "family", said=SAID, learned=SAID)


def day(year: int, month: int, day: int) -> datetime:
    return datetime(year, month, day, tzinfo=timezone.utc)


def test_there_are_many_cases() -> None:
    assert len(CASES) >= 350


@pytest.mark.parametrize("text", CASES)
def test_each_message_gives_the_drafts_of_the_table(text: str) -> None:
    found = [f"{draft.kind}: {draft.subject} | {draft.attribute} | {draft.value}" for draft in said(text)]
    assert found == CASES[text]


@pytest.mark.parametrize("role", ["assistant", "system", "developer", "tool"])
def test_only_users_are_read(role: Role) -> None:
    assert said("My name is Dana and I live in Lisbon.", role=role) == []


def test_first_person_in_a_document_says_nothing_about_the_owner() -> None:
    assert said("My name is Eve. I live in Rome. We use Oracle.", origin="document") == []


def test_a_document_tells_facts_about_things_with_its_origin() -> None:
    [draft] = said("The staging port is 5433.", origin="document")
    assert (draft.subject, draft.attribute, draft.value, draft.origin) == ("staging", "port", "5433", "document")


def test_what_another_speaker_says_of_themself_is_filed_under_their_name() -> None:
    [draft] = said("I live in Rome.", name="Marco")
    assert draft.subject == "Marco"
    assert [draft.subject for draft in said("I live in Rome.")] == ["user"]


def test_a_draft_quotes_the_clause_it_comes_from() -> None:
    drafts = said("By the way, I prefer window seats and I'm vegetarian!")
    assert [draft.source.quote for draft in drafts if draft.source] == ["I prefer window seats", "I'm vegetarian"]
    assert all(draft.source and draft.source.message == "m1" and draft.said == SAID for draft in drafts)


def test_a_name_stands_for_the_relation_that_is_known() -> None:
    [draft] = said("Anna got married last week.", known=(relation("sister", "Anna"),))
    assert (draft.subject, draft.attribute, draft.value) == ("sister", "relationship", "married")


def test_a_second_sister_has_a_subject_of_her_own() -> None:
    drafts = said("My sister Beth lives in Oslo.", known=(relation("sister", "Anna"),))
    assert [(draft.subject, draft.value) for draft in drafts] == [("user", "Beth"), ("sister Beth", "Oslo")]


def test_she_is_left_open_when_two_women_were_named() -> None:
    drafts = said("My sister Anna met my aunt Clara. She works at Bosch.")
    assert not [draft for draft in drafts if draft.value == "Bosch"]


def test_people_stay_known_from_one_message_to_the_next() -> None:
    texts = ("My brother Tom is 40.", "Tom lives in Leeds.")
    messages = [Message(f"m{i}", "dana", "s", "user", text, SAID) for i, text in enumerate(texts)]
    assert RuleExtractor().extract(messages, ())[-1].subject == "brother"


def test_a_correction_reaches_back_to_the_message_before() -> None:
    texts = ("I live in Lisbon.", "Sorry, I meant Porto.")
    messages = [Message(f"m{i}", "dana", "s", "user", text, SAID) for i, text in enumerate(texts)]
    draft = RuleExtractor().extract(messages, ())[-1]
    assert (draft.kind, draft.attribute, draft.value, draft.instead_of) == ("correction", "home", "Porto", "Lisbon")


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("I moved to Porto in May.", day(2024, 5, 1), None),
        ("I've lived in Berlin since 2019.", day(2019, 1, 1), None),
        ("From 2019 to 2021 I lived in Rome.", day(2019, 1, 1), day(2022, 1, 1)),
        ("I lived in Rome until 2019.", None, day(2019, 1, 1)),
        ("I've been vegan for three years.", day(2021, 5, 15), None),
        ("I'm moving to Porto in June.", day(2024, 6, 1), None),
        ("I live in Porto.", None, None),
        ("I left Google in March.", None, day(2024, 3, 1)),
        ("Last March I ran a marathon.", day(2024, 3, 1), day(2024, 4, 1)),
        ("I have a dentist appointment tomorrow.", day(2024, 5, 16), day(2024, 5, 17)),
        ("My birthday is on May 5.", None, None),
        ("I used to live in Rome.", None, None),
    ],
)
def test_times_that_are_told_become_windows(text: str, since: datetime | None, until: datetime | None) -> None:
    draft = only(text)
    assert (draft.since, draft.until) == (since, until)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("I live in Lisbon.", "lives in Lisbon"),
        ("I prefer tea over coffee.", "prefers tea over coffee"),
        ("Last March I ran a marathon.", "ran a marathon last March (March 2024)"),
        ("I run every morning.", "runs every morning"),
        ("The API key rotates on Mondays.", "API key rotates on Mondays"),
        ("My parents live in Ohio.", "parents live in Ohio"),
        ("I use Obsidian for notes.", "uses Obsidian for notes"),
        ("I don't eat meat.", "eats no meat"),
    ],
)
def test_a_draft_reads_like_a_sentence(text: str, sentence: str) -> None:
    assert only(text).text == sentence


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("I moved from Lisbon to Porto.", "Lisbon"),
        ("I switched from Vim to Emacs.", "Vim"),
        ("I live in Porto, not Lisbon.", "Lisbon"),
        ("My favorite color is not blue but green.", "blue"),
        ("Actually it's Porto, not Lisbon.", "Lisbon"),
    ],
)
def test_the_value_that_is_replaced_is_named(text: str, old: str) -> None:
    assert only(text).instead_of == old


def test_also_says_that_values_stand_side_by_side() -> None:
    assert only("I'm also allergic to eggs.").many is True
    assert only("I'm allergic to eggs.").many is None


def test_a_plain_denial_is_marked_and_an_ending_is_not() -> None:
    assert only("I don't have a car.").negated
    assert not only("I no longer live in Rome.").negated


def test_what_is_pasted_is_not_the_speakers_word() -> None:
    text = "Look:\n```\nmy name is Bob\n```\n> I live in Rome\nMy name is Dana."
    assert [draft.value for draft in said(text)] == ["Dana"]


def test_code_and_addresses_stay_whole() -> None:
    assert only("The deploy command is `make ship --fast`.").value == "make ship --fast"
    assert only("The docs live at https://docs.example.com/a?b=1.").value == "https://docs.example.com/a?b=1"


def test_generic_statements_are_held_less_sure() -> None:
    assert only("I live in Lisbon.").confidence == 0.95
    assert only("My lucky number is 7.").confidence == 0.8
    assert only("The capital of Australia is Canberra.").confidence == 0.8
    assert only("I saw a film. The capital of Australia is Canberra.").confidence == 0.6


@given(st.text(max_size=400))
@settings(max_examples=150, deadline=None)
def test_any_text_can_be_read(text: str) -> None:
    assert all(draft.value or draft.kind == "ending" for draft in said(text))


words = st.sampled_from(
    "I my is not the and but , . live in sister Anna's has Rome no longer from to of 'm who 2019 \" ``` >".split()
)


@given(st.lists(words, max_size=60))
@settings(max_examples=150, deadline=None)
def test_any_jumble_of_telling_words_can_be_read(jumble: list[str]) -> None:
    said(" ".join(jumble))


@pytest.mark.parametrize(
    "text",
    [
        "a" * 1_000_000,
        "my " * 200_000,
        "I like a, " * 60_000,
        "I live in " + "Rome and " * 60_000,
        "\"'“‘«" * 100_000,
        "the x of the y's " * 40_000,
        "I moved from " * 50_000,
        "```" * 100_000,
        "> \n" * 100_000,
        "I have a very " + "big " * 100_000 + "dog",
    ],
    ids=range(10),
)
def test_a_huge_text_is_read_and_gives_little(text: str) -> None:
    assert len(said(text)) <= 1  # what takes more than linear time runs into the timeout of all tests


def test_who_left_one_firm_and_joined_another_did_both_at_that_time() -> None:
    [draft] = said("I left Ashdown in March and joined Brookline.")
    assert (draft.kind, draft.value, draft.instead_of, draft.since) == (
        "update",
        "Brookline",
        "Ashdown",
        day(2024, 3, 1),
    )


class Calls:
    """Counts calls, which no other load on the machine changes."""

    count = 0

    def __call__(self, *_: object) -> None:
        self.count += 1


def calls_of_an_add(statements: int) -> int:
    memory, calls = Memory(":memory:", owner="dana", embedder=None), Calls()
    words = [f"{chr(97 + i % 26)}{chr(97 + i // 26)}oons" for i in range(statements)]
    sys.setprofile(calls)
    try:
        memory.add(" ".join(f"I whittle {word}." for word in words))
    finally:
        sys.setprofile(None)
    return calls.count


def test_four_times_as_many_statements_take_less_than_eight_times_the_calls() -> None:
    """Each statement was compared with all before it, for each of them again: a long message took minutes."""
    calls_of_an_add(5)  # Patterns are compiled when they are first met.
    assert calls_of_an_add(200) < 8 * calls_of_an_add(50)
