"""A short answer is understood with the question before it, and only with that."""

from __future__ import annotations

import pytest

from recollect import Memory
from recollect.extractors.asked import stated

ANSWERS = {
    ("Sure. Which port should the search service use?", "9200"): "the port of the search service is 9200",
    ("What's your shoe size?", "42 and a half"): "my shoe size is 42 and a half",
    ("When is the demo?", "Thursday at 3pm"): "our demo is on Thursday at 3pm",
    ("Where do you live?", "in Porto"): "I live in Porto",
    ("Who owns the billing service?", "Team Falcon"): "the billing service is owned by Team Falcon",
    ("How many replicas does the worker have?", "four"): "the worker has four replicas",
    ("Do you have any allergies?", "peanuts"): "my allergies are peanuts",
    ("Which language do you prefer?", "German"): "I prefer German",
    ("What city should I search in?", "San Jose"): "",
    ("What city do you want to fly from?", "San Jose"): "",
    ("What's your shoe size? And your coat size?", "42"): "",
    ("What's your shoe size?", "no idea, why?"): "",
    ("Is it on port 8080?", "yes"): "",
    ("What's your budget?", "it depends"): "",
}


@pytest.mark.parametrize(("question", "answer"), ANSWERS)
def test_an_answer_says_what_the_question_asks_for(question: str, answer: str) -> None:
    assert stated(question, answer) == ANSWERS[question, answer]


def test_an_answer_is_kept_as_a_fact_with_the_words_as_said() -> None:
    with Memory(":memory:", owner="ana", embedder=None) as memory:
        memory.add("Which port does the gateway use?", role="assistant", session="s")
        [receipt] = memory.add("8443", session="s").receipts
        assert receipt.fact is not None
        assert (receipt.fact.subject, receipt.fact.attribute, receipt.fact.value) == ("gateway", "port", "8443")
        assert receipt.fact.sources[0].quote == "8443"
        assert receipt.fact.origin == "user"


def test_question_and_answer_may_come_in_one_call() -> None:
    with Memory(":memory:", owner="ana", embedder=None) as memory:
        memory.add([{"role": "assistant", "content": "What's your name?"}, {"role": "user", "content": "Imre"}])
        assert memory.recall("name") == "Imre"


def test_an_answer_that_its_question_makes_a_secret_is_no_fact() -> None:
    with Memory(":memory:", owner="ana", embedder=None) as memory:
        memory.add("What is your wifi password?", role="assistant", session="s")
        assert memory.add("hunter2-xk9Q", session="s").receipts == ()


def test_an_answer_in_another_session_says_nothing() -> None:
    with Memory(":memory:", owner="ana", embedder=None) as memory:
        memory.add("What's your name?", role="assistant", session="monday")
        assert memory.add("Imre", session="tuesday").receipts == ()
