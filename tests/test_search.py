"""Search: the right rows with reasons, and nothing when nothing is relevant."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timezone

import pytest

from recollect import Fact, Memory, Message
from recollect.errors import InvalidInput
from recollect.records import Source
from recollect.retrieve.query import understand
from recollect.retrieve.rank import Candidate, fold, profile_for, ranked, score
from recollect.retrieve.signals import Pool, apply_signals

from .conftest import Hands


@pytest.fixture
def dana(memory: Memory) -> Memory:
    memory.add("Hi! My name is Dana and I live in Lisbon.")
    memory.add("I prefer window seats and my diet is vegetarian.")
    memory.add("By the way my favorite color is blue.")
    memory.add("I work at Helios and my budget is 2000 dollars.")
    memory.add("My sister Anna lives in Berlin.")
    return memory


QUESTIONS = {
    "Which seat do I prefer?": "window",
    "What is my name?": "Dana",
    "Where do I live?": "Lisbon",
    "What's my favourite colour?": "blue",
    "Where do I work?": "Helios",
    "How much money can I spend? What is my budget?": "2000 dollars",
    "Where does my sister live?": "Berlin",
    "Where does Anna live?": "Berlin",
    "What's my sister's name?": "Anna",
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_first_hit_answers(dana: Memory, question: str) -> None:
    hit = dana.search(question)[0]
    assert isinstance(hit.record, Fact)
    assert hit.record.value == QUESTIONS[question]


@pytest.mark.parametrize(
    ("task", "value"),
    [
        ("Book me a flight to Rome", "window"),
        ("Any dinner ideas for tonight?", "vegetarian"),
        ("How much money do I have?", "2000 dollars"),
    ],
)
def test_a_task_finds_what_it_needs_to_know(dana: Memory, task: str, value: str) -> None:
    assert value in [hit.record.value for hit in dana.search(task) if isinstance(hit.record, Fact)]


@pytest.mark.parametrize(
    "question",
    [
        "What is the tyre pressure of my tractor?",
        "How do I sharpen a chainsaw?",
        "quantum chromodynamics lattice",
        "?!",
    ],
)
def test_nothing_comes_back_when_nothing_is_relevant(dana: Memory, question: str) -> None:
    assert dana.search(question) == []


def test_every_hit_has_its_score_and_reasons(dana: Memory) -> None:
    hit = dana.search("Which seat do I prefer?")[0]
    assert {"words", "attribute"} <= set(hit.found_by)
    assert 0 < hit.score <= 1.3
    assert all(reason.points > 0 for reason in hit.reasons)


def test_words_that_no_rule_reads_are_found(memory: Memory) -> None:
    memory.add("The lighthouse at the cape hums like a kettle when the fog comes in, everyone in the village knows.")
    hit = memory.search("What does the lighthouse do in fog?")[0]
    assert isinstance(hit.record, Message)


def test_a_fact_and_its_message_are_one_hit(dana: Memory) -> None:
    hits = dana.search("Which seat do I prefer?")
    assert sum("window" in hit.text for hit in hits) == 1


def test_what_has_ended_is_left_out_of_the_facts(dana: Memory) -> None:
    dana.add("Actually my favorite color is green.")
    values = [hit.record.value for hit in dana.search("What is my favorite color?") if isinstance(hit.record, Fact)]
    assert values == ["green"]


def test_a_message_whose_fact_has_ended_ranks_below_and_says_so(dana: Memory, hands: Hands) -> None:
    hands.pass_days(3)
    dana.add("Actually my favorite color is green.")
    hits = dana.search("What is my favorite color?", limit=10)
    old = [hit for hit in hits if "blue" in hit.text]
    assert hits[0].record.text == "favorite color is green"  # type: ignore[union-attr]
    assert all(hit.ended is not None and "green" in hit.ended.why for hit in old)


def test_a_dispute_is_shown_as_such(dana: Memory) -> None:
    dana.remember("home", "Oslo", origin="assistant")
    hits = [hit for hit in dana.search("Where do I live?") if isinstance(hit.record, Fact)]
    disputed = [hit for hit in hits if hit.dispute is not None]
    assert [hit.record.value for hit in disputed] == ["Oslo"]  # type: ignore[union-attr]
    assert dana.recall("home") == "Lisbon"


def test_a_category_narrows_the_search(memory: Memory) -> None:
    memory.remember("airline", "Tap Air", category="travel")
    memory.remember("water source", "Tap water", category="home")
    assert [hit.text for hit in memory.search("tap", category="travel")] == ["airline is Tap Air"]


def test_kinds_narrow_the_search(dana: Memory) -> None:
    dana.notes.write("/memories/seats.md", "Seat rules: the window seat is the best seat.")
    for kind, class_name in (("fact", "Fact"), ("message", "Message"), ("note", "Note")):
        hits = dana.search("window seat", kinds=[kind], limit=20)  # type: ignore[list-item]
        assert hits
        assert {type(hit.record).__name__ for hit in hits} == {class_name}


def test_a_question_about_a_time_finds_what_was_then(memory: Memory) -> None:
    memory.add("We repaired the old boat with Tom.", at="2026-03-10")
    memory.add("We repaired the old boat with Kim.", at="2026-05-10")
    assert "Tom" in memory.search("Who repaired the boat in March?")[0].text


def test_a_question_about_a_time_alone_finds_what_was_then(memory: Memory) -> None:
    memory.add("We repaired the old boat with Tom.", at="2026-03-10")
    memory.add("The garden is full of snails.", at="2026-05-10")
    assert ["Tom" in hit.text for hit in memory.search("What happened in March?")] == [True]


def test_a_question_about_a_time_finds_what_tells_of_it(memory: Memory) -> None:
    memory.add("The boat yard on the river repaired our old boat seven years ago.", at="2026-05-10")
    memory.add("The boat yard by the sea repaired our old boat three years ago.", at="2026-05-11")
    assert "river" in memory.search("Which yard repaired the boat in 2019?")[0].text
    assert "sea" in memory.search("Which yard repaired the boat in 2023?")[0].text


def test_a_time_counts_the_more_the_fewer_records_have_it(memory: Memory) -> None:
    for day in range(10, 20):
        memory.add(f"The boat was out for repairs, day {day}.", at=f"2026-03-{day}")
    memory.add("Tom did the repairs of the old boat in January.", at="2026-05-10")
    strengths = {
        asked: max(reason.strength for hit in hits for reason in hit.reasons if reason.signal == "time")
        for asked in ("in March", "in January", "on March 12")
        if (hits := memory.search(f"What of the repairs of the boat {asked}?"))
    }
    assert strengths["in March"] < 0.2 < strengths["on March 12"] <= strengths["in January"]
    assert "day 12" in memory.search("What of the repairs of the boat on March 12?")[0].text


def test_three_sentences_are_a_turn_of_a_talk_and_one_or_two_a_question() -> None:
    now = datetime(2026, 5, 1, tzinfo=timezone.utc)
    assert not understand("I'm off to Lima. What should I pack?", now).turn
    assert understand("Back again. The visa came through. What is left to do for the trip?", now).turn


def test_a_question_for_a_time_finds_nothing_where_nothing_was_said(memory: Memory) -> None:
    assert memory.search("What did I buy for the kitchen ten days ago?") == []


def test_the_parts_of_a_document_each_speak_for_themselves(memory: Memory) -> None:
    page = ["Ada Hill was born in Leeds.", "Ada Hill studied law in Leeds.", "Her garden has forty roses."]
    memory.add([{"role": "user", "content": text} for text in page], session="page", origin="document")
    hits = [hit for hit in memory.search("Where did Ada Hill study?") if isinstance(hit.record, Message)]
    assert not any(reason.signal in ("together", "opens") for hit in hits for reason in hit.reasons)


@pytest.mark.parametrize("limit", [0, -1, 1.5, True, "3", 10**9])
def test_a_limit_that_is_none_is_refused(memory: Memory, limit: object) -> None:
    with pytest.raises(InvalidInput, match="limit"):
        memory.search("seat", limit=limit)  # type: ignore[arg-type]


@pytest.mark.parametrize("query", ["", "   ", None, 7])
def test_a_query_without_words_is_refused(memory: Memory, query: object) -> None:
    with pytest.raises(InvalidInput):
        memory.search(query)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "query",
    ['"', "seat*", "NEAR(seat window)", "seat AND", "seat OR NOT", "tokens:seat", "(((", "-seat", "^seat", "a" * 50_000,
     "\x00seat", "\ud800seat", "🪟💺", "שלום seat", "se\u200bat", "; drop table facts; --"],
)  # fmt: skip
def test_any_text_can_be_searched_for(dana: Memory, query: str) -> None:
    assert isinstance(dana.search(query), list)


def test_search_in_other_scripts_goes_by_words(memory: Memory) -> None:
    memory.add("我喜欢在东京喝绿茶")
    memory.add("Я люблю зимнюю рыбалку на озере")
    assert "东京" in memory.search("东京的茶")[0].text
    assert "рыбалку" in memory.search("рыбалка на озере")[0].text


@pytest.mark.parametrize(
    ("slip", "word"),
    [("typscript", "typescript"), ("windwo", "window"), ("kettel", "kettle"), ("lightthouse", "lighthouse")],
)
def test_a_slip_of_the_pen_is_understood(memory: Memory, slip: str, word: str) -> None:
    memory.add(f"The {word} is by the door.")
    memory.add("The garden is full of snails.")
    assert word in memory.search(f"where is the {slip}?")[0].text


def test_a_word_that_was_said_is_never_taken_for_a_slip(memory: Memory) -> None:
    memory.add("The planes are in the hangar.")
    memory.add("The planet is far away.")
    assert [hit.text for hit in memory.search("planet")] == ["The planet is far away."]


@pytest.mark.parametrize("question", ["Who am I?", "who am i", "Do you know who I am?"])
def test_a_question_of_small_words_alone_is_answered(question: str) -> None:
    with Memory(":memory:") as memory:
        memory.remember("name", "Alice")
        assert [hit.text for hit in memory.search(question)] == ["name is Alice"]


def test_an_answer_comes_with_the_question_before_it(memory: Memory) -> None:
    talk = [("Mel", "Where did you find that lovely ceramic teapot?"), ("Ana", "At the flea market in Porto.")]
    memory.add([{"role": "user", "name": name, "content": text} for name, text in talk], session="tea")
    memory.add(["The bus was late again.", "My desk is a mess."], session="work")
    hits = memory.search("Where was the ceramic teapot found?")
    answer = next(hit for hit in hits if "flea market" in hit.text)
    assert "answer" in answer.found_by


def test_who_is_named_in_the_question_is_heard_first(memory: Memory) -> None:
    said = [("Mel", "I painted a sunrise over the lake."), ("Ana", "I painted a sunset over the lake.")]
    memory.add([{"role": "user", "name": name, "content": text} for name, text in said])
    assert "sunset" in memory.search("What did Ana paint at the lake?")[0].text
    assert "sunrise" in memory.search("What did Mel paint at the lake?")[0].text


def test_beside_the_fact_that_is_asked_for_chatter_is_left_out(dana: Memory) -> None:
    dana.add("A fine choice for a suitcase too: most on the belt are black.", role="assistant")
    dana.add("Noted. Airlines want to hear about special meals a day ahead, not in a remark.", role="assistant")
    assert [hit.text for hit in dana.search("Which seat do I prefer?")] == ["prefers window seats"]


def test_nobody_answers_their_own_question(memory: Memory) -> None:
    memory.add(["Where did I find that lovely ceramic teapot?", "At the flea market, I think."], session="tea")
    assert all("answer" not in hit.found_by for hit in memory.search("Where was the ceramic teapot found?"))


@pytest.mark.parametrize(
    ("talk", "question"),
    [
        (
            [
                ("Mel", "I dyed my hair bright purple last week, come and see!"),
                ("Ana", "Wow, I can hardly wait."),
                ("Mel", "The purple hair dye took three hours to set."),
                ("Ana", "My garden is full of tomatoes this year."),
                ("Mel", "My hair colour is the talk of the office."),
                ("Ana", "The tomatoes are for my mother."),
            ],
            "What colour did Ana dye her hair?",
        ),
        (
            [
                ("Mel", "I ran a charity race for mental health last Saturday."),
                ("Ana", "I went for a run last Sunday."),
                ("Mel", "It made me think about self-care."),
            ],
            "What charity race did Ana run?",
        ),
    ],
)
def test_a_cautious_memory_gives_nothing_where_another_likely_said_it(
    talk: list[tuple[str, str]], question: str
) -> None:
    found = []
    for cautious in (False, True):
        memory = Memory(":memory:", cautious=cautious)
        memory.add([{"role": "user", "name": name, "content": text} for name, text in talk], session="talk")
        found.append(bool(memory.search(question)))
        assert memory.search(question.replace("Ana", "Mel"))
    assert found == [True, False]


def test_a_question_that_adds_up_wants_every_value(memory: Memory) -> None:
    memory.add("I spent 40 dollars on bike lights.", at="2025-01-05")
    memory.add("I now spent another 25 dollars on bike repairs.", at="2025-02-05")
    assert "25 dollars" in memory.search("How much do I spend on the bike?")[0].text
    assert len(memory.search("How much do I spend on the bike in total?")) == 2


def test_without_a_comparison_word_by_word_what_another_said_is_shown() -> None:
    memory = Memory(":memory:", embedder="quick")
    talk = [("Mel", "I dyed my hair bright purple."), ("Ana", "I can hardly wait."), ("Mel", "My hair dye took hours.")]
    memory.add([{"role": "user", "name": name, "content": text} for name, text in talk], session="talk")
    assert memory.search("What colour did Ana dye her hair?")


def test_word_by_word_is_a_reason_of_its_own() -> None:
    memory = Memory(":memory:", embedder="minilm")
    memory.add("The physician told me to avoid peanuts.")
    hit = memory.search("What did the doctor say about nuts?")[0]
    assert "tokens" in hit.found_by
    assert memory.search("How do I compile a kernel module?") == []


@pytest.mark.parametrize(
    ("question", "past"),
    [
        ("Who founded the bakery?", False),
        ("Where was the bakery founded?", False),
        ("What is the original language of the play?", False),
        ("How large is the team of my former manager Rachel?", False),
        ("favorite color", False),
        ("What was my job?", True),
        ("Where did I live?", True),
        ("What did I originally want to study?", True),
        ("What was my former manager called?", True),
        ("Where did I go in 2019?", True),
        ("Where did I work before I started my current job?", True),
        ("What is my current job?", False),
        ("By how much did I exceed my budget?", True),
    ],
)
def test_what_happened_once_is_so_for_good_and_a_state_that_was_is_past(question: str, past: bool) -> None:
    assert understand(question, datetime(2026, 5, 4, tzinfo=timezone.utc)).past is past


def test_a_relation_is_asked_for_by_its_own_words(memory: Memory) -> None:
    memory.remember("headquarters", "Oslo", subject="Acme Washington")
    memory.remember("headquarters", "Washington", subject="Acme Oslo")
    first = memory.search("Where are the headquarters of Acme Washington?")[0]
    assert isinstance(first.record, Fact)
    assert (first.record.value, "attribute" in first.found_by) == ("Oslo", True)


def test_before_a_time_is_any_time_before_it(memory: Memory) -> None:
    memory.add({"role": "user", "content": "The boiler was serviced by Brandt.", "at": "2019-05-01T00:00:00Z"})
    memory.add({"role": "user", "content": "The boiler was serviced by Keller.", "at": "2024-05-01T00:00:00Z"})
    hits = memory.search("Who serviced the boiler before 2022?")
    timed = [hit.text for hit in hits if any(reason.signal == "time" for reason in hit.reasons)]
    assert timed
    assert all("Brandt" in text for text in timed)


def test_what_has_ended_is_found_by_who_asks_for_the_past(memory: Memory) -> None:
    memory.add("I live in Rome.", session="a")
    memory.add("I moved to Oslo.", session="b")
    assert not any("Rome" in hit.text for hit in memory.search("Which city is my home?"))
    assert any("Rome" in hit.text for hit in memory.search("Where did I live before?"))


def test_the_newest_is_no_better_than_others_where_several_are_asked_for() -> None:
    moment = datetime(2026, 5, 4, tzinfo=timezone.utc)
    assert understand("Which book does Ana have on her desk?", moment).now
    assert not understand("Which books does Ana have on her desk?", moment).now


def test_advice_is_asked_for_whenever_a_taste_was_told() -> None:
    moment = datetime(2026, 5, 4, tzinfo=timezone.utc)
    assert understand("Which hotel is ours?", moment).now
    for request in ("What's a good hotel in Bali?", "Can you suggest a hotel?", "What should I cook tonight?"):
        assert not understand(request, moment).now
    assert understand("Can you suggest what to do with my current car?", moment).now


def with_texts(memory: Memory) -> Memory:
    memory.remember(
        "deploy pipeline", "CI, GitHub Actions. Every merge to main is built, tested and rolled out to staging."
    )
    memory.remember("error handling", "Result types. We return errors as values and handle them where they occur.")
    memory.remember(
        "data transformations", "pipe. Steps are composed with pipe() in a chain, as in a factory pipeline."
    )
    return memory


def test_a_text_whose_key_is_asked_for_comes_without_those_that_share_a_word(memory: Memory) -> None:
    hits = with_texts(memory).search("How does our deploy pipeline handle secrets?")
    assert [hit.record.attribute for hit in hits] == ["deploy pipeline"]  # type: ignore[union-attr]


def test_a_text_is_also_found_by_the_names_that_it_opens_with(memory: Memory) -> None:
    hits = with_texts(memory).search("Which steps do we run in GitHub Actions for the chain of values?")
    assert [hit.record.attribute for hit in hits] == ["deploy pipeline"]  # type: ignore[union-attr]


def test_every_key_that_a_long_question_names_is_answered(memory: Memory) -> None:
    asked = "Before the weekend, could you look into how our deploy pipeline and our error handling fit together?"
    found = {hit.record.attribute for hit in with_texts(memory).search(asked)}  # type: ignore[union-attr]
    assert found == {"deploy pipeline", "error handling"}


def test_a_text_is_still_found_by_its_own_words(memory: Memory) -> None:
    hits = with_texts(memory).search("What is rolled out to staging?")
    assert hits[0].record.attribute == "deploy pipeline"  # type: ignore[union-attr]


def test_what_stands_for_one_message_is_not_lost_for_another(memory: Memory) -> None:
    first = memory.add("I use Bootstrap for the gallery.").messages[0]
    second = memory.add("I use Flexbox for the gallery.").messages[0]
    fact = memory.facts()[0]
    sources = (Source(first.id, ""), Source(second.id, ""))
    shared = Candidate(replace(fact, id="f_shared", sources=sources), strengths={"words": 0.6})
    better = Candidate(replace(fact, id="f_better", sources=sources[1:]), strengths={"words": 0.9})
    messages = [Candidate(first, strengths={"words": 0.5}), Candidate(second, strengths={"words": 0.5})]
    assert {one.record.id for one in fold([shared, better, *messages])} == {"f_shared", "f_better"}


def test_a_fact_that_is_unsure_stands_where_its_message_would(memory: Memory) -> None:
    message = memory.add("I use Flexbox for the gallery.").messages[0]
    fact = replace(memory.facts()[0], sources=(Source(message.id, ""),), confidence=0.5)
    strengths = {"words": 0.6}
    alone = score(Candidate(message, strengths=dict(strengths)))
    (shown,) = fold([Candidate(fact, strengths=dict(strengths)), Candidate(message, strengths=dict(strengths))])
    assert shown.record is fact
    assert score(shown) == alone


@pytest.mark.parametrize(
    "question", ["What's the weather like?", "What does it look like?", "I'd like a second opinion."]
)
def test_a_like_that_compares_or_wishes_asks_for_no_taste(memory: Memory, question: str) -> None:
    memory.add("I like jazz.")
    assert memory.search(question) == []
    assert [hit.text for hit in memory.search("What do I like?")] == ["likes jazz"]


def test_another_name_of_an_attribute_asks_for_just_that(memory: Memory) -> None:
    memory.add("My husband Tiago started a new job at Galp.")
    memory.add("I work as a nurse.")
    assert memory.search("What's my job title?")[0].text == "works as a nurse"


def test_what_is_little_beside_the_best_is_not_said_to_be_part_of_something(memory: Memory) -> None:
    memory.add("My boss is Carla.")
    memory.add("My sister works as a dentist.")
    assert [hit.text for hit in memory.search("Who is my boss?")] == ["boss is Carla"]
    explained = memory.why_not("Who is my boss?", memory.facts(attribute="occupation", subject="sister")[0])
    assert "little beside the" in explained.headline


def test_small_talk_asks_for_nothing_and_why_not_says_so(memory: Memory) -> None:
    memory.add("Hi! I like jazz.")
    assert memory.search("Hi there!") == []
    assert (
        memory.why_not("Hi there!", "likes").headline == "“likes jazz” was not returned: 'Hi there!' asks for nothing"
    )


def test_a_time_in_the_question_asks_for_what_held_then(memory: Memory) -> None:
    memory.add("I live in Rome.", at="2023-01-10")
    memory.add("I moved to Lisbon in March 2024.", at="2024-03-20")
    memory.add("I moved to Porto in May 2025.", at="2025-05-20")
    assert memory.search("Where did I live in February 2024?")[0].text == "lives in Rome"
    assert "Lisbon" in memory.search("Where did I live in January 2025?")[0].text
    assert "lives in Rome (until 2024-03-01)" in memory.context("Where did I live in January 2024?").text
    assert memory.search("Where do I live?")[0].text.startswith("lives in Porto")


def test_a_fact_and_its_message_count_together_when_each_alone_has_too_little(memory: Memory) -> None:
    said = memory.add("My diet is vegetarian.").messages[0]
    told = memory.facts()[0]
    best = Candidate(replace(said, id="m_2"), strengths={"tokens": 0.85})
    kept = ranked(
        [best, Candidate(told, strengths={"topic": 1.0}), Candidate(said, strengths={"meaning": 0.3})], first="me"
    )
    assert told.id in [one.record.id for one in kept]


def test_of_many_records_the_best_must_have_more_to_count(memory: Memory) -> None:
    fact = memory.remember("likes rowing")
    few, many = (
        [Candidate(fact, profile_for(word_by_word=True), {"tokens": 0.5})]
        + [Candidate(replace(fact, id=f"f_{number}"), profile_for(word_by_word=True)) for number in range(count)]
        for count in (2, 80)
    )
    assert [one.record.id for one in ranked(few, first="me")] == [fact.id]
    assert ranked(many, first="me") == []


def test_what_the_assistant_says_last_is_no_newer_value() -> None:
    moment = datetime(2026, 3, 2, tzinfo=timezone.utc)
    told = Message("m_1", "me", "s", "user", "My running target is 25 km.", moment, "user")
    repeated = Message("m_2", "me", "s", "assistant", "20 km, your running target.", moment, "assistant")
    candidates = [Candidate(told, strengths={"tokens": 0.9}), Candidate(repeated, strengths={"tokens": 0.9})]
    apply_signals(Pool(candidates, understand("what is my running target?", moment), moment))
    assert ["newest" in one.strengths for one in candidates] == [True, False]


OWNED = (
    "My cat is called Milo.",
    "I like jazz.",
    "I'm allergic to nuts.",
    "I live in Lisbon.",
)


def own(memory: Memory) -> None:
    memory.remember("possession", ["car", "piano"])
    memory.add([{"role": "user", "content": text} for text in OWNED])


@pytest.mark.parametrize(
    ("asked", "answers"),
    [
        ("Do I have a car?", "has a car"),
        ("Do I have a cat?", "cat is Milo"),
        ("Do I have a pet?", "cat is Milo"),
        ("Do I have any pets?", "cat is Milo"),
        ("Do I like jazz?", "likes jazz"),
        ("Am I allergic to nuts?", "is allergic to nuts"),
        ("Do I have any food allergies?", "is allergic to nuts"),
        ("Do I live in Porto?", "lives in Lisbon"),
    ],
)
def test_yes_or_no_is_answered_by_what_is_named(memory: Memory, asked: str, answers: str) -> None:
    own(memory)
    best = memory.search(asked)[0]
    assert best.text.startswith(answers)
    assert "attribute" in best.found_by


@pytest.mark.parametrize(
    "asked",
    ["Do I have a dog?", "Do I own a boat?", "Have I got a garden?", "Do I like opera?", "Am I allergic to eggs?"],
)
def test_another_of_many_values_is_no_answer_to_yes_or_no(memory: Memory, asked: str) -> None:
    own(memory)
    assert all("attribute" not in hit.found_by for hit in memory.search(asked))


def said_apart(memory: Memory, hands: Hands, *texts: str) -> None:
    for text in texts:
        memory.add(text)
        hands.pass_days(2)


def test_a_changed_measure_stands_before_the_old_one(memory: Memory, hands: Hands) -> None:
    said_apart(
        memory,
        hands,
        "Can you help me plan the garden party, given that I put aside a budget of $300 for the garden party?",
        "Any ideas for drinks, now that the garden party budget has been raised to $450?",
    )
    texts = [hit.text for hit in memory.search("What is my budget for the garden party?")]
    assert "$450" in texts[0]
    assert any("$300" in text and "garden party" in text for text in texts[1:])


def test_a_question_about_the_past_keeps_the_old_one(memory: Memory, hands: Hands) -> None:
    said_apart(
        memory,
        hands,
        "Can you help me plan the garden party, given that I put aside a budget of $300 for the garden party?",
        "Any ideas for drinks, now that the garden party budget has been raised to $450?",
    )
    assert any("$300" in hit.text for hit in memory.search("What was my budget for the garden party at first?"))


@pytest.mark.parametrize(
    "later",
    [
        "I gave the gardener $450 for the new trees.",
        "The budget for my sister's wedding is now $4,500.",
        "I still think a budget of $300 for the garden party is right, don't you?",
    ],
)
def test_another_things_measure_leaves_nothing_out(memory: Memory, hands: Hands, later: str) -> None:
    said_apart(memory, hands, "What could I cook with a budget of $300 for the garden party?", later)
    assert any("$300 for the garden party?" in hit.text for hit in memory.search("What is my garden party budget?"))


def test_another_speakers_measure_leaves_nothing_out(memory: Memory, hands: Hands) -> None:
    for name, text in [
        ("Ana", "My budget for the party is around $300 I guess?"),
        ("Ben", "My party budget is now $450!"),
    ]:
        memory.add({"role": "user", "name": name, "content": text})
        hands.pass_days(1)
    assert any("$300" in hit.text for hit in memory.search("What is my budget for the party?"))
