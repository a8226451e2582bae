"""A fact adds and never hides: the words of its message come back where they say more than it does."""

from __future__ import annotations

import pytest

from recollect import Memory

from .conftest import Hands

HALF_READ = [
    ("api runs on 4010 locally, web on 5173, and postgres is on 5544", "what port is postgres on?", "5544"),
    ("never deploy on Fridays, unless Marta signs it off", "can I deploy on Friday?", "Marta"),
    ("I play tennis on Mondays and squash with Tom on Thursdays.", "who do I play squash with?", "Tom"),
    ("don't touch src/gen, it is written by make proto", "may I edit src/gen?", "make proto"),
    ("I'm allergic to nuts, except almonds.", "am I allergic to almonds?", "except almonds"),
    ("I work at Helios, but only until the end of March.", "where do I work?", "only until the end of March"),
    ("staging is on 10.0.0.7 and the replica is on 10.0.0.9", "what is the address of the replica?", "10.0.0.9"),
    ("My sister Anna lives in Berlin with Jo, who repairs cellos.", "who repairs cellos?", "Jo"),
    ("I live in Lisbon, above the bakery on Rua Augusta 12.", "where do I live?", "Rua Augusta 12"),
    ("My dog Rex is afraid of trams and eats only Bosch biscuits.", "what does Rex eat?", "Bosch"),
    ("I prefer window seats unless the flight is longer than 6 hours.", "which seat do I prefer?", "6 hours"),
    ("We use Postgres for billing and ClickHouse for events.", "what do we use for events?", "ClickHouse"),
    ("I like jazz, though not when I have to write.", "do I like jazz?", "not when I have to write"),
    ("My budget is 500 euros, flights not included.", "what is my budget?", "flights not included"),
    ("The api is on port 4930, on Fridays on 4110.", "which port is the api on on Fridays?", "4110"),
    ("My diet is vegetarian, but I eat fish at my mother's.", "do I eat fish?", "fish at my mother's"),
    ("My boss is Carla; holidays are signed by Piet.", "who signs my holidays?", "Piet"),
    ("I take metformin in the morning and ramipril at night.", "what do I take at night?", "ramipril"),
    ("My car is a Skoda, the winter tyres are at Kwik in Leeds.", "where are my winter tyres?", "Kwik"),
    ("I like French, and enough Greek to order coffee.", "do I speak Greek?", "Greek"),
    ("I have a son named Ben, Ida is 7 and Max is 4.", "how old is Max?", "4"),
    ("The release is on 3 June if Kim finishes the migration.", "when is the release?", "Kim"),
    ("My laptop is a ThinkPad with a broken F key.", "which key of my laptop is broken?", "F key"),
    ("I moved to Porto because the rent in Lisbon was 1,400 euros.", "how much was the rent in Lisbon?", "1,400"),
    ("I run every morning except when it is below 5 degrees.", "do I run when it is cold?", "5 degrees"),
    ("My doctor is Dr Weiss, her practice closes at noon on Wednesdays.", "when does my doctor close?", "noon"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "asked", "needed"), HALF_READ)
def test_what_a_fact_leaves_out_is_in_the_hit_and_in_the_context(
    memory: Memory, said: str, asked: str, needed: str
) -> None:
    memory.add(said)
    assert any(needed in hit.text for hit in memory.search(asked))
    assert needed in memory.context(asked).text


ENDED = [
    (
        "I live in Lisbon with my dog Rex, who is afraid of trams.",
        "I moved to Porto.",
        "what is Rex afraid of?",
        "trams",
    ),
    (
        "My budget is 500 euros, and Kim needs the draft on Monday.",
        "My budget is 700 euros now.",
        "who needs the draft?",
        "Kim",
    ),
    (
        "I work at Helios, where the lift is broken on Mondays.",
        "I work at Acme now.",
        "when is the lift broken?",
        "Mondays",
    ),
    (
        "api runs on port 4010, the admin page is at /ops.",
        "api runs on port 4020 now.",
        "where is the admin page?",
        "/ops",
    ),
    (
        "My favorite color is blue, like the kitchen door.",
        "My favorite color is green.",
        "what colour is the kitchen door?",
        "kitchen door",
    ),
    (
        "My car is a Skoda, the spare key is at Tom's.",
        "My car is no longer a Skoda.",
        "where is the spare key?",
        "Tom's",
    ),
]


@pytest.mark.parametrize(("said", "later", "asked", "needed"), ENDED)
def test_a_message_of_which_one_fact_ended_is_still_found_for_the_rest(
    memory: Memory, hands: Hands, said: str, later: str, asked: str, needed: str
) -> None:
    memory.add(said)
    hands.pass_days(2)
    memory.add(later)
    assert needed in memory.search(asked)[0].text
    assert needed in memory.context(asked).text


def test_the_line_of_a_half_ended_message_says_what_is_over(memory: Memory, hands: Hands) -> None:
    memory.add("I live in Lisbon with my dog Rex, who is afraid of trams.")
    hands.pass_days(2)
    memory.add("I moved to Porto.")
    [line] = [line for line in memory.context("What is Rex afraid of?").text.splitlines() if "trams" in line]
    assert "[no longer so: “lives in Lisbon”" in line


def test_the_current_value_stands_before_a_message_that_says_more(memory: Memory, hands: Hands) -> None:
    memory.add("I live in Lisbon with my dog Rex, who is afraid of trams.")
    hands.pass_days(2)
    memory.add("I moved to Porto.")
    assert "Porto" in memory.search("Where do I live?")[0].text


def test_a_fact_that_says_all_stands_for_its_message(memory: Memory) -> None:
    memory.add("I prefer window seats and I am allergic to nuts.")
    hit = memory.search("Which seat do I prefer?")[0]
    assert (hit.text, hit.message) == ("prefers window seats", None)


def test_words_that_do_not_fit_leave_the_fact_in_the_context(memory: Memory) -> None:
    memory.add("I prefer window seats. " + "The ferry to the island leaves from the old pier. " * 40)
    context = memory.context("Which seat do I prefer?", budget=90)
    assert "prefers window seats" in context.text
    assert context.tokens <= 90


def test_facts_alone_are_given_to_who_asks_for_facts(memory: Memory) -> None:
    memory.add("I moved to Porto in May.")
    assert [hit.text for hit in memory.search("where do I live?", kinds=["fact"])] == ["lives in Porto"]


def test_a_message_in_the_window_is_not_repeated_with_its_fact(memory: Memory) -> None:
    first = memory.add("I moved to Porto in May.").messages[0]
    memory.add("I live in Porto.")
    assert "in May" not in memory.context("Where do I live?", shown=[first.id]).text


def test_words_said_after_a_moment_are_not_shown_as_known_then(memory: Memory, hands: Hands) -> None:
    memory.add("I live in Porto.")
    hands.pass_days(1)
    then = hands.now
    hands.pass_days(1)
    memory.add("I live in Porto, above the bakery.")
    assert all("bakery" not in hit.text for hit in memory.search("Where do I live?", known_at=then))
