"""What plain statements give, and what must give nothing."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from recollect.reader import ReadingContext, open_reader
from recollect.reader.shapes import PlainReader
from recollect.records import Draft, Fact, Message
from recollect.text import read_toml
from recollect.text.quoted import own_words

CASES = read_toml(Path(__file__).with_name("cases.toml"))
NOTHING = CASES.pop("nothing")["said"]
TOLD = [(section, said, facts) for section, cases in CASES.items() for said, facts in cases.items()]
SAID = datetime(2026, 6, 10, 9, tzinfo=timezone.utc)


def read(text: str, context: ReadingContext | None = None, name: str | None = None) -> list[Draft]:
    message = Message("m", "owner", "session", "user", own_words(text), SAID, name=name)
    return PlainReader().read([message], context or ReadingContext())


def written(draft: Draft) -> str:
    """The draft as the cases have it."""
    more = [
        f" | instead of {draft.old_value}" if draft.old_value else "",
        f" | since {draft.since:%Y-%m-%d}" if draft.since else "",
        f" | until {draft.until:%Y-%m-%d}" if draft.until else "",
        " | denied" if draft.negated else "",
    ]
    return f"{draft.effect} {draft.subject} | {draft.attribute} | {draft.value}" + "".join(more)


@pytest.mark.parametrize(("section", "said", "facts"), TOLD, ids=[said[:60] for _, said, _ in TOLD])
def test_a_plain_statement_gives_its_facts(section: str, said: str, facts: list[str]) -> None:
    assert [written(draft) for draft in read(said)] == facts


@pytest.mark.parametrize("said", NOTHING, ids=[said[:60] for said in NOTHING])
def test_what_states_nothing_gives_nothing(said: str) -> None:
    assert [written(draft) for draft in read(said)] == []


def test_there_are_enough_cases_and_a_third_of_them_give_nothing() -> None:
    assert len(TOLD) + len(NOTHING) >= 250
    assert len(NOTHING) * 3 >= len(TOLD) + len(NOTHING)


@pytest.mark.parametrize(("section", "said", "facts"), TOLD, ids=[said[:60] for _, said, _ in TOLD])
def test_a_quote_stands_in_its_message(section: str, said: str, facts: list[str]) -> None:
    assert all(draft.source is not None and draft.source.quote in said for draft in read(said))


def answered(said: str, question: str) -> list[str]:
    before = Message("b", "owner", "session", "assistant", question, SAID, "assistant")
    return [written(draft) for draft in read(said, ReadingContext(before={"m": before}))]


@pytest.mark.parametrize(
    ("question", "said", "facts"),
    [
        ("Where do you live?", "Porto", ["states user | home | Porto"]),
        ("Nice! And where do you live now?", "Porto.", ["states user | home | Porto"]),
        ("Any allergies?", "Yes, sesame", ["states user | allergy | sesame"]),
        ("What's your blood type?", "O+", ["states user | blood type | O+"]),
        ("How old are you?", "34", ["states user | age | 34"]),
        ("What should I call you?", "Dana", ["states user | name | Dana"]),
        ("What do you do for a living?", "a nurse", ["states user | occupation | nurse"]),
        ("Which port does the gateway use?", "8080", ["states gateway | port | 8080"]),
        ("Which seat do you prefer?", "window", ["states user | seat preference | window"]),
        ("Any allergies?", "no", []),
        ("Where do you live?", "yes", []),
        ("What is your name?", "Thanks!", []),
        ("Where do you live? And what is your name?", "Porto", []),
        ("I live in Lisbon.", "Porto", []),
    ],
)
def test_a_short_answer_is_read_with_its_question(question: str, said: str, facts: list[str]) -> None:
    assert answered(said, question) == facts


def known(subject: str, attribute: str, value: str) -> Fact:
    return Fact(value, "owner", subject, attribute, value, "", "family", SAID - timedelta(days=1), SAID)


@pytest.mark.parametrize(
    ("said", "spoken_of", "facts"),
    [
        ("She's moved to Oslo.", ["sister"], ["replaces sister | home | Oslo"]),
        ("They've moved to Zadar.", ["parents"], ["replaces parents | home | Zadar"]),
        ("Her birthday is 3 May.", ["sister"], ["states sister | birthday | 3 May"]),
        ("She's moved to Oslo.", ["sister", "aunt"], []),
        ("He's vegan.", ["sister"], []),
    ],
)
def test_a_pronoun_means_the_only_one_who_was_spoken_of(said: str, spoken_of: Sequence[str], facts: list[str]) -> None:
    assert [written(draft) for draft in read(said, ReadingContext(spoken_of=spoken_of))] == facts


def test_a_known_name_means_its_subject() -> None:
    context = ReadingContext(known=[known("user", "sister", "Anna"), known("Kenji", "home", "Rome")])
    assert [written(one) for one in read("Anna likes jazz.", context)] == ["states sister | likes | jazz"]
    assert [written(one) for one in read("Kenji works at Acme.", context)] == ["states Kenji | employer | Acme"]
    assert read("Mona works at Acme.", context) == []


def test_a_second_sister_is_a_subject_of_her_own() -> None:
    context = ReadingContext(known=[known("user", "sister", "Anna")])
    assert [one.subject for one in read("My sister Beth lives in Rome.", context)] == ["user", "sister Beth"]


def test_what_others_and_tools_say_is_not_read() -> None:
    messages = [Message("m", "o", "s", role, "I live in Porto.", SAID) for role in ("assistant", "tool", "system")]  # type: ignore[arg-type]
    assert PlainReader().read(messages, ReadingContext()) == []


def test_a_reader_is_opened_by_its_name() -> None:
    reader = open_reader("plain")
    assert reader is not None
    assert reader.name == "plain"
    assert open_reader(None) is None
    assert open_reader(reader) is reader


@pytest.mark.parametrize(
    "text",
    [
        "\n" * 100_000 + "I am.",
        "I live in Porto. " * 5_000,
        "- a\n" * 20_000,
        "a, " * 30_000,
        '"a ' * 30_000,
        "Anna of the " * 10_000,
        "I live in" + " " * 100_000 + "Porto",
        "Dear Bob,\n" * 10_000,
        "I like tea " + "now too " * 10_000,
        "my x is " * 10_000,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_no_message_takes_long(text: str) -> None:
    before = time.process_time()
    read(text)
    assert time.process_time() - before < 1.0
