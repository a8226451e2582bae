"""One or many, synonyms, questions, equal values, sentences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.facts.attributes import attribute, relations, sentence, table
from recollect.retrieve.query import asked_for
from recollect.text.values import same_value

CATEGORIES = set(
    "identity home work family people preference food health travel finance contact pets possessions skills habits "
    "plans events project instruction other".split()
)


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("favourite colour", "favorite color"),
        ("favorite_color", "favorite color"),
        ("favoriteColor", "favorite color"),
        ("fav color", "favorite color"),
        ("My Favorite  Color?", "favorite color"),
        ("city", "home"),
        ("where I live", "home"),
        ("home town?", "home"),
        ("job", "occupation"),
        ("profession", "occupation"),
        ("company", "employer"),
        ("workplace", "employer"),
        ("mom", "mother"),
        ("preferred seat", "seat preference"),
        ("seat", "seat preference"),
        ("preferred airline", "airline preference"),
        ("airline preference", "airline preference"),
        ("preference for hotels", "hotel preference"),
        ("allergies", "allergy"),
        ("hobbies", "hobby"),
        ("the budget", "budget"),
        ("E-mail", "email"),
        ("lucky number", "lucky number"),
        ("my  Lucky-Number", "lucky number"),
    ],
)
def test_a_key_in_any_spelling_names_its_attribute(key: str, name: str) -> None:
    assert attribute(key).name == name


@pytest.mark.parametrize(
    "key", ["name", "home", "employer", "favorite color", "favorite band", "seat", "budget", "port", "wife", "gadget"]
)
def test_some_hold_one_value(key: str) -> None:
    assert attribute(key).holds == "one"


@pytest.mark.parametrize(
    "key", ["likes", "allergies", "languages", "pets", "sister", "visited", "gadgets", "hobbies", "goals"]
)
def test_some_hold_many_values(key: str) -> None:
    assert attribute(key).holds == "many"


def test_an_unknown_key_is_kept_as_it_is() -> None:
    found = attribute("lucky number")
    assert (found.known, found.category, found.relation) == (False, "other", False)


def test_people_pets_and_organisations_are_relations() -> None:
    assert {"sister", "dog", "employer", "boss"} <= set(relations())
    assert "home" not in relations()


def test_the_table_is_whole() -> None:
    shipped = table()
    assert len(shipped.attributes) >= 80
    assert {known.category for known in shipped.attributes.values()} <= CATEGORIES
    assert all("{}" in template for template in shipped.templates.values())
    assert all(name in shipped.attributes for names in shipped.includes.values() for name in names)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Which seat do I prefer?", "seat preference"),
        ("where do I live", "home"),
        ("what's my budget?", "budget"),
        ("what am I allergic to", "allergy"),
        ("what port does staging use", "port"),
        ("How old am I?", "age"),
        ("what's my favourite colour", "favorite color"),
        ("What is my favorite band?", "favorite band"),
        ("which airline do I prefer?", "airline preference"),
        ("Where does my sister live?", "home"),
        ("What is my sister's name?", "sister"),
        ("who do I work for", "employer"),
        ("What do I do for a living?", "occupation"),
        ("which languages do I speak?", "language"),
        ("do I have any pets?", "pet"),
        ("when was I born?", "birthday"),
        ("how do we deploy?", "deploys with"),
        ("what's my email", "email"),
        ("budget", "budget"),
        ("seat preference", "seat preference"),
        ("what's my lucky number", "lucky number"),
        ("who is my boss", "boss"),
        ("what do I like?", "likes"),
        ("when does the API key rotate?", "rotates"),
        ("am I vegetarian?", "diet"),
    ],
)
def test_a_question_asks_for_an_attribute(question: str, name: str) -> None:
    assert asked_for(question)[0] == name


@pytest.mark.parametrize(
    "text", ["", "hello there", "book me a flight", "what is the meaning of it all", "tell me a joke", "?"]
)
def test_other_questions_ask_for_none(text: str) -> None:
    assert asked_for(text) == []


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("nuts", "Nuts"),
        ("window seats", "the window seat"),
        ("Lisbon", "lisbon"),
        ("2000 dollars", "$2,000"),
        ("2k dollars", "$2,000"),
        ("2000 USD", "2,000 dollars"),
        ("70kg", "70 kilos"),
        ("two", "2"),
        ("1.5 million euros", "€1,500,000"),
        ('"Dune"', "Dune"),
        ("a Tesla", "Tesla"),
        ("São Paulo", "Sao Paulo"),
        ("Inês", "ines"),
        ("CAFÉ", "cafe"),
        ("May 12", "12 May"),
        ("on May 12th", "on the 12th of May"),
        ("Sep 3", "3 September"),
        ("2026-05-03", "May 3, 2026"),
        ("5 pm", "17:00"),
        ("Saturday 2 a.m.", "Saturday 02:00"),
    ],
)
def test_these_values_are_the_same(a: str, b: str) -> None:
    assert same_value(a, b)
    assert same_value(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("5433", "5434"),
        ("3.10", "3.1"),
        ("Lisbon", "Porto"),
        ("$2,000", "2000 euros"),
        ("tea", "green tea"),
        ("", "x"),
        ("C", "C++"),
        ("$500", "€500"),
        ("-5 degrees", "5 degrees"),
        ("not vegetarian", "vegetarian"),
        ("good", "best"),
        ("👍", "👎"),
        ("かき", "がき"),
        ("May 1", "May 10"),
        ("12 May", "12 June"),
        ("May 2012", "12 May"),
        ("12 May 2020", "12 May 2021"),
        ("8:30", "8:30 pm"),
        ("7", "7 pm"),
    ],
)
def test_these_values_differ(a: str, b: str) -> None:
    assert not same_value(a, b)


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        (("user", "home", "Lisbon"), "lives in Lisbon"),
        (("user", "diet", "vegetarian"), "is vegetarian"),
        (("user", "allergy", "nuts"), "is allergic to nuts"),
        (("user", "seat preference", "window"), "prefers window seats"),
        (("user", "favorite color", "blue"), "favorite color is blue"),
        (("user", "name", "Dana"), "name is Dana"),
        (("user", "budget", "2000 dollars"), "budget is 2000 dollars"),
        (("user", "occupation", "engineer"), "works as an engineer"),
        (("user", "lucky number", "7"), "lucky number is 7"),
        (("user", "gadgets", "drone"), "gadgets include drone"),
        (("sister", "home", "Berlin"), "sister lives in Berlin"),
        (("sister", "likes", "tea"), "sister likes tea"),
        (("parents", "home", "Ohio"), "parents live in Ohio"),
        (("staging", "port", "5433"), "staging port is 5433"),
        (("Alice", "birthday", "5 May"), "Alice's birthday is 5 May"),
        (("API key", "rotates", "on Mondays"), "API key rotates on Mondays"),
    ],
)
def test_a_fact_reads_like_a_sentence(fact: tuple[str, str, str], text: str) -> None:
    assert sentence(*fact) == text


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_can_be_a_key_or_a_value(a: str, b: str) -> None:
    assert attribute(attribute(a).name).name == attribute(a).name
    assert same_value(a, a)
    assert isinstance(sentence(a, b, a), str)
    asked_for(a)
