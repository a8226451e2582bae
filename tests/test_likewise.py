"""What is told under a shorter or a longer key, or as the follower of what was, finds its fact; look-alikes do not."""

from __future__ import annotations

import pytest

from recollect import Memory

from .stories import told


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        (("My contact at Pelham Foods is Sandra.", "My contact there is Oliver now."),
         {"user | contact at pelham foods | Oliver"}),
        (("My bib number for the half marathon is 2207.", "My bib number is 2319 now."),
         {"user | bib number for half marathon | 2319"}),
        (("My shop closes at six.", "We close at eight now."), {"shop | closes | at eight"}),
        (("My alarm is set for 6:45.", "I've set my alarm to 7:15."), {"alarm | is set for | 7:15"}),
        (("We keep the heating at 21 degrees.", "We've turned the heating down to 19 degrees."),
         {"user | keeps heating at | 19 degrees"}),
        (("Nordfisk sponsors our club.", "Nordfisk is no longer our sponsor."), set()),
    ],
)  # fmt: skip
def test_a_key_told_shorter_finds_its_fact(said: tuple[str, ...], holds: set[str]) -> None:
    assert told(*said) == holds


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        (("My car is a Volvo.", "My car insurance is Sentia now."),
         {"user | car | Volvo", "user | car insurance | Sentia"}),
        (("My contact at the bank is Ana.", "My contact at the council is Bo now."),
         {"user | contact at bank | Ana", "user | contact at council | Bo"}),
        (("My shop closes at six.", "My bakery closes at eight now."),
         {"shop | closes | at six", "bakery | closes | at eight"}),
        (("My gym opens at six.", "We open at nine now."), {"gym | opens | at six", "user | opens | at nine"}),
    ],
)  # fmt: skip
def test_another_thing_is_left_alone(said: tuple[str, ...], holds: set[str]) -> None:
    assert told(*said) == holds


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        (("My dentist is Dr. Faber.", "Dr. Moll has taken over from Dr. Faber."), {"user | dentist | Dr. Moll"}),
        (("Our wifi provider is Telvo.", "We left Telvo for Fibria."), {"user | wifi provider | Fibria"}),
        (("Our weekly sync is on Zoom.", "The weekly sync has moved from Zoom to Teams."),
         {"user | weekly sync | on Teams"}),
        (("I live in Rome.", "I left Rome for Paris this morning."), {"user | home | Rome"}),
        (("My sister is Ana.", "Ana has taken over from Ben."), {"user | sister | Ana"}),
    ],
)  # fmt: skip
def test_the_follower_of_what_was_takes_its_place(said: tuple[str, ...], holds: set[str]) -> None:
    assert told(*said) == holds


def test_the_thing_that_is_known_may_be_spoken_of_with_the() -> None:
    assert told("The kiln is in the cellar.") == set()
    assert told("Our kiln is in the barn.", "The kiln is in the cellar.") == {"kiln | location | cellar"}
    assert told("Our boiler runs off oil.", "The boiler runs off gas since the refit.") == {"boiler | runs off | gas"}


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        (("Our cleaner comes on Mondays.", "The cleaner comes on Wednesdays now."),
         {"cleaner | habit | come on Wednesdays"}),
        (("I play left back.", "I play right wing now."), {"user | plays | right wing"}),
        (("I play tennis.", "I play golf now."), {"user | plays | tennis", "user | plays | golf"}),
        (("My car mechanic is Pavel.", "My mechanic is Leroy now."), {"user | car mechanic | Leroy"}),
        (("My piano teacher is Ana.", "My teacher is Bo now."), {"user | piano teacher | Ana", "user | teacher | Bo"}),
        (("I charge 40 pounds an hour for tutoring.", "I put my tutoring rate up to 45 pounds an hour."),
         {"user | price | 45 pounds an hour"}),
        (("I pay for 200 GB of iCloud storage.", "Upgraded my iCloud storage to 2 TB."),
         {"user | pays for | 2 TB of icloud storage"}),
        (("Our caravan is at Silver Sands.", "We've moved the caravan to Pine Bay."), {"user | caravan | Pine Bay"}),
        (("My godson wants to be an astronaut.", "My godson has changed his mind and wants to be a cook."),
         {"godchild | goal | be a cook"}),
        (("I sold the Mavic Air and fly a Mini 4 Pro now.",), {"user | flies | Mini 4 Pro"}),
    ],
)  # fmt: skip
def test_what_there_is_one_of_is_told_anew(said: tuple[str, ...], holds: set[str]) -> None:
    assert told(*said) == holds


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        (("I wash my hair every day.", "I wash my hair twice a week now."),
         {"user | habit | wash my hair twice a week"}),
        (("We water the garden at night.", "We water the garden in the morning now."),
         {"user | habit | water the garden in the morning"}),
        (("I swim on Mondays.", "I jog on Mondays now."),
         {"user | habit | swim on Mondays", "user | habit | jog on Mondays"}),
        (("My workshop has a lathe.", "My workshop has a bandsaw now."), {"workshop | has | lathe"}),
        (("My guitar has nylon strings.", "My guitar has steel strings now."), {"guitar | has | steel strings"}),
    ],
)  # fmt: skip
def test_a_thing_done_otherwise_now_is_done_so_no_more(said: tuple[str, ...], holds: set[str]) -> None:
    assert told(*said) == holds


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("I drive a Golf.", "I swapped the Golf for a van for the weekend."),
        ("I speak Dutch.", "I switched from Dutch to English for the call."),
        ("I'm learning Finnish.", "In the meeting we switched from Finnish to Swedish."),
        ("I bank with Norbank.", "I moved 200 euros from Norbank to Fidelio."),
        ("I use Slack.", "My wife switched her team from Slack to Teams."),
        ("I live in Rome.", "We left Rome for Naples at noon."),
        ("My boss is Tom.", "Ana took Tom's seat at the meeting."),
        ("My dentist is Dr. Faber.", "Dr. Moll is covering for Dr. Faber this week."),
        ("Our provider is Telvo.", "My brother left Telvo for Fibria."),
        ("I train on Tuesdays.", "I also train on Thursdays now."),
        ("I wash my hair every day.", "I wash my car twice a week now."),
        ("My shop closes at six.", "We close at four today."),
        ("Our cleaner comes on Mondays.", "The cleaner comes on Wednesday this week."),
        ("My price is 40 pounds an hour.", "My parking rate is 3 pounds an hour now."),
        ("I sit next to Priya.", "I sit next to Marek at lunch."),
        ("I take the 7:15 train.", "I took the 8:05 bus today."),
        ("My phone is a Pixel 6.", "My dad's Pixel died so he's got a Samsung Galaxy now."),
        ("Our standup is at 9:30.", "Standup got moved to 10:15 today."),
        ("Our band practice is on Mondays.", "Band practice was moved to Friday this week."),
        ("My physio is Mia.", "I see Tom for massages now instead of Mia."),
        ("I walk the dog in the evening.", "I walk the cat before breakfast now."),
        ("I take the bus to work.", "I'll cycle to work tomorrow."),
        ("I live in Cork.", "We moved the kids to Busy Bees."),
        ("My bike has a basket.", "My bike has a flat tyre now."),
        ("My caravan is at Silver Sands.", "We took the caravan to Pine Bay for a week."),
    ],
)
def test_what_happens_once_or_to_others_ends_nothing(known: str, said: str) -> None:
    memory = Memory(":memory:", embedder=None)
    memory.add(known)
    [before] = memory.facts()
    memory.add(said)
    assert any(fact.id == before.id and fact.until is None and fact.retired is None for fact in memory.facts())
