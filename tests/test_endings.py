"""What ends a fact: an explicit end of it, or another value of its own attribute. Nothing else does."""

from __future__ import annotations

import pytest

from recollect import Memory

from .stories import told


@pytest.mark.parametrize(
    ("first", "then", "gone"),
    [
        ("I live in Lisbon.", "I moved to Porto.", "user | home | Lisbon"),
        ("I live in Leeds.", "I moved from Leeds to York.", "user | home | Leeds"),
        ("I work at Acme.", "I no longer work at Acme.", "user | employer | Acme"),
        ("I work at Acme.", "I quit my job.", "user | employer | Acme"),
        ("I work at Acme.", "I left Acme in March.", "user | employer | Acme"),
        ("I'm allergic to nuts.", "I'm not allergic to nuts any more.", "user | allergy | nuts"),
        ("I like chess.", "I don't like chess any more.", "user | likes | chess"),
        ("We use Jenkins.", "We no longer use Jenkins.", "user | uses | Jenkins"),
        ("My car is a Golf.", "My car is no longer a Golf.", "user | car | a Golf"),
        ("I use Vim.", "I stopped using Vim.", "user | uses | Vim"),
        ("Our deadline is 3 May.", "Our deadline moved to 4 June.", "user | deadline | 3 May"),
        ("My editor is Vim.", "I switched from Vim to Zed.", "user | editor | Vim"),
        ("The staging port is 8080.", "The staging port is now 9090.", "staging | port | 8080"),
        ("The api runs on port 8080.", "The api runs on port 9090 now.", "api | port | 8080"),
        ("The api is on port 4930.", "From today the api is on port 4100.", "api | port | 4930"),
    ],
)
def test_an_explicit_end_or_another_value_ends_a_fact(first: str, then: str, gone: str) -> None:
    assert gone in told(first)
    assert gone not in told(first, then)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("My bike is a Brompton.", "I sold the Brompton stand."),
        ("My hobby is photography.", "I gave up photography for the day."),
        ("I like piano music.", "We sold the piano."),
        ("My standup day is Monday.", "Make it Friday."),
        ("My dentist is Dr. Faber.", "Dr. Moll has taken over from Dr. Faber this week."),
        ("My book club is Night Readers.", "I finished the book."),
        ("I like grand pianos.", "The piano was sold."),
        ("I work at Halden Bank.", "The bank is shut."),
        ("I have a dog called Rex.", "My neighbour's dog died."),
        ("I'm allergic to nuts.", "The rash is gone."),
        ("My bike is a Brompton.", "I returned the rental bike."),
        ("I have a hamster called Biscuit.", "The biscuits are gone."),
        ("I use Figma.", "I closed the Figma file."),
        ("I live in Rome.", "I left Rome for Paris this morning."),
        ("I live in London.", "I went from London to Paris by train."),
        ("I live in Utrecht.", "The commute is over, finally home."),
        ("My weight is 82 kilos.", "72, I mistyped."),
        ("I use Windows.", "I switched to Linux on my laptop."),
        ("I like sleeping late.", "I slept like a rock."),
        ("I enjoy walking to work.", "I cycle to the shops now."),
        ("My scooter is a Vespa.", "I ride a scooter now."),
        ("I'm planning a trip to Chicago.", "It's not like I've planned a whole trip."),
        ("I'm married to Ana.", "I'm so single-minded about this."),
        ("The exporter uses vm-12.", "We deleted the exporter's old logs."),
        ("My brother Tom lives in Rome.", "Tom is gone."),
        ("I work at Acme.", "I quit! Just kidding, but that bug was awful."),
    ],
)
def test_what_only_sounds_like_an_end_ends_nothing(first: str, then: str) -> None:
    assert told(first)
    assert told(first) <= told(first, then)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("My car is a Golf.", "I swapped the Golf for a van for the weekend."),
        ("My language is Dutch.", "I switched from Dutch to English for the call."),
        ("I like Finnish.", "In the meeting we switched from Finnish to Swedish."),
        ("My bank is Norbank.", "I moved 200 euros from Norbank to Fidelio."),
        ("I use Slack.", "My wife switched her team from Slack to Teams."),
        ("I live in Rome.", "We left Rome for Naples at noon."),
        ("My boss is Tom.", "Ana took Tom's seat at the meeting."),
        ("My dentist is Dr. Faber.", "Dr. Moll is covering for Dr. Faber this week."),
        ("Our provider is Telvo.", "My brother left Telvo for Fibria."),
        ("My training day is Tuesday.", "I also train on Thursdays now."),
        ("I enjoy washing my car.", "I wash my bike twice a week now."),
        ("Our closing time is 18:00.", "We close at four today."),
        ("Our cleaning day is Monday.", "The cleaner comes on Wednesday this week."),
        ("My price is 40 pounds an hour.", "My parking rate is 3 pounds an hour now."),
        ("My desk neighbor is Priya.", "I sit next to Marek at lunch."),
        ("My phone model is a Pixel 6.", "My dad's Pixel died so he's got a Samsung Galaxy now."),
        ("Our standup is at 9:30.", "Standup got moved to 10:15 today."),
        ("Our band practice is on Mondays.", "Band practice was moved to Friday this week."),
        ("My physio is Mia.", "I see Tom for massages now instead of Mia."),
        ("I like walking the dog.", "I walk the cat before breakfast now."),
        ("My car is a Golf.", "I'll cycle to work tomorrow."),
        ("I live in Cork.", "We moved the kids to Busy Bees."),
        ("I like old houses.", "My sister sold her house."),
        ("I live in Brno.", "I was going to move to Prague in July but that fell through."),
        ("My rent is 700 euros.", "I joined a gym, I pay 30 euros a month now."),
        ("My weight is 92 kg.", "Down to 40 minutes!"),
        ("I work at Arup.", "I'm hoping to start at Foster in September."),
        ("My bike is a Brompton.", "My bike has a flat tyre now."),
        ("I like caravan holidays.", "We took the caravan to Pine Bay for a week."),
    ],
)
def test_what_happens_once_or_to_others_ends_nothing(known: str, said: str) -> None:
    memory = Memory(":memory:", embedder=None)
    memory.add(known)
    [before] = memory.facts()
    memory.add(said)
    assert any(fact.id == before.id and fact.until is None and fact.retired is None for fact in memory.facts())


@pytest.mark.parametrize(
    "said",
    [
        "Book a table for two at 7.",
        "Can you find me a flight to Oslo on Friday?",
        "I need a cab to the station for three people.",
        "Transfer 200 dollars to Anna from my savings account.",
        "Play something by Nina Simone.",
    ],
)
def test_a_request_makes_no_fact(said: str) -> None:
    assert told(said) == set()


@pytest.mark.parametrize("change", ["Make it Friday.", "Actually, four people.", "No, 8 pm please."])
def test_what_changes_a_request_makes_and_ends_nothing(change: str) -> None:
    known = "I live in Lisbon.", "I have a sister called Anna.", "Book a table for two at 7."
    assert told(*known, change) == told(*known)


def test_a_move_from_a_bank_is_no_move_of_house() -> None:
    known = "I live in Leeds.", "My bank is Monzo."
    assert told(*known, "I moved from Monzo to Starling.") == told(*known)


def test_an_end_of_nothing_known_is_refused_with_its_reason(memory: Memory) -> None:
    [receipt] = memory.add("I left Acme.").receipts
    assert (receipt.outcome, receipt.fact) == ("refused", None)
    assert receipt.why == "nothing is known of employer Acme that could end"


def test_an_end_of_another_value_leaves_the_one_that_is_held(memory: Memory) -> None:
    memory.add("I work at Acme.")
    memory.add("I no longer work at Globex.")
    assert memory.recall("employer") == "Acme"


def test_verbs_end_and_correct_exactly_what_they_name(memory: Memory) -> None:
    memory.remember("phone", "555 0100")
    memory.remember("gym", "Iron House")
    memory.remember("phone", "555 0199")
    assert memory.recall("phone") == "555 0199"
    memory.correct("phone", "555 0190")
    assert [fact.value for fact in memory.facts(attribute="phone")] == ["555 0190"]
    memory.forget("phone")
    assert [fact.value for fact in memory.facts()] == ["Iron House"]


def test_a_correction_retires_the_value_that_it_names(memory: Memory) -> None:
    memory.add("I live in Bath.")
    memory.add("I live in Bristol, not Bath.")
    assert [(fact.value, fact.retired is None) for fact in memory.history("home")] == [
        ("Bath", False),
        ("Bristol", True),
    ]


def test_a_correction_says_he_of_the_one_just_spoken_of(memory: Memory) -> None:
    memory.add("My nephew is called Jonas.")
    memory.add("His name is Jonah, not Jonas.")
    assert [fact.value for fact in memory.facts(attribute="nephew")] == ["Jonah"]


def test_what_was_over_long_ago_is_history_and_ends_nothing(memory: Memory) -> None:
    memory.add("I work at Acme.")
    memory.add("I used to work at Globex.")
    assert memory.recall("employer") == "Acme"
    assert {fact.value for fact in memory.history("employer")} == {"Acme", "Globex"}
