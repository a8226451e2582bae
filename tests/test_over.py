"""Which fact an ending speaks of, by its words alone, and which ones it leaves alone."""

from __future__ import annotations

import pytest

from .stories import told


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I'm on the board of the tennis club.", "I stepped down from the tennis club board."),
        ("I moderate a forum for model railways.", "I've stepped down as moderator of the model railway forum."),
        ("We rent a greenhouse at the Elmfield plots.", "We've given the greenhouse at the Elmfield plots back."),
        ("I'm serving on a jury this spring.", "My jury duty is over."),
        ("I'm taking salsa lessons.", "I've stopped going to salsa."),
        ("I commute to Utrecht.", "I no longer have to commute."),
        ("I subscribe to Wired.", "I cancelled the subscription."),
        ("Fenwick Dairy supplies our café.", "We've parted ways with Fenwick Dairy."),
        ("Nordfisk sponsors our club.", "Nordfisk is no longer our sponsor."),
        ("My mother has a parrot.", "My mother's parrot is gone."),
        ("My arm is in a cast.", "The cast came off."),
        ("My laptop is at the repair shop.", "I picked my laptop up from the repair shop."),
        ("I rent a storage unit in Hackney.", "I emptied the storage unit and ended the contract."),
        ("I own a Skoda.", "I sold the car."),
        ("I keep bees.", "The bees are gone."),
        ("I owe Marta 200 euros.", "I paid Marta back."),
        ("I lead the platform team.", "I no longer lead the platform team."),
        ("I'm the captain of the hockey team.", "I stepped down as captain."),
        ("I keep guppies in a tank.", "I gave all my guppies away."),
        ("I own a small bakery, Crumb Corner.", "I sold the bakery."),
        ("I have a credit card with Norbank.", "I closed my Norbank card and cut it up."),
        ("The API has a rate limit of 100.", "The rate limit is gone."),
        ("The feature flag fast_path is on.", "We removed the fast_path flag."),
        ("My aunt has a parrot.", "My aunt gave her parrot away."),
    ],
)
def test_an_ending_finds_its_fact_by_its_words(first: str, then: str) -> None:
    assert told(first) != set()
    assert told(first, then) == set()


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I'm in a book club.", "I finished the book."),
        ("I teach piano.", "The piano was sold."),
        ("We sell hammocks.", "I sold the hammock from the porch."),
        ("I work at Halden Bank.", "The bank is shut."),
        ("I drive for Bolt.", "The drive is over."),
        ("I'm taking salsa lessons.", "My salsa lesson is over."),
        ("I rent a greenhouse.", "I gave the greenhouse key back."),
        ("I'm secretary of the allotment society.", "I stepped down as secretary of the tennis club."),
        ("I'm a secretary.", "I stepped down as secretary of the tennis club."),
        ("I moderate the Woodgrain forum.", "The moderator of the Woodgrain forum stepped down."),
        ("I play the violin.", "I lost my violin bow."),
        ("I have a dog called Rex.", "My neighbour's dog died."),
        ("I take vitamin D.", "I took off my glasses."),
        ("I'm in the Larkfield choir.", "The choir concert is over."),
        ("I play the piano.", "I took up the piano again."),
        ("I have a headache tablet.", "The headache is gone."),
        ("I have a bike.", "I returned the rental bike."),
        ("I live with Tom.", "Tom moved out of the way."),
        ("My daughter has a hamster called Biscuit.", "The biscuits are gone."),
        ("I use Figma.", "I closed the Figma file."),
        ("I'm writing a novel.", "I finished a novel last night."),
    ],
)
def test_what_only_shares_a_word_goes_on(first: str, then: str) -> None:
    assert told(first) <= told(first, then)


def test_where_two_are_named_equally_well_neither_ends() -> None:
    first = ("I rent a cabin in Åre.", "I use a cabin in Røros.")
    assert told(*first) <= told(*first, "I gave up the cabin.")
