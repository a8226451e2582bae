"""Texts as words, stems, queries and sentences."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.text import words
from recollect.text.sentences import sentences as sentences_of
from recollect.text.words import stem as stem_of

ANY_TEXT = st.text(st.characters(), max_size=80)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Anna's dog", "anna dog"),
        ("I don't, we'll, O’Brien", "i dont we obrien"),
        ("Café STRASSE Straße Ærø İzmir", "cafe strasse strasse aero izmir"),
        ("l'appartement qu'il", "appartement il"),
        ("port 5433, Python 3.11", "port 5433 python 3.11"),
        ("on 2024-03-05 at 15:30", "on 2024-03-05 at 15:30"),
        ("anna@example.com", "anna@example.com"),
        ("see https://Example.com/a.", "see https://example.com/a"),
        ("C++ and C# by AT&T", "c++ and c# by at&t"),
        ("the U.S.A., $1,200", "the usa 1200"),
        ("東京に 猫", "東京 京に 猫"),
        ("서울에 살아요", "서울에 살아요"),
        ("हिन्दी में", "हिन्दी में"),
        ("Привет, йод", "привет йод"),
        ("so happy 🎉👍🏽 🇵🇹", "so happy 🎉 👍 🇵🇹"),
        ("in\u200bvisible \u202ebidi\u202c \ufeffbom", "invisible bidi bom"),
        ("ﬁne ｆｕｌｌ", "fine full"),
        ("\ud800a\udfff \0 b", "a b"),
        ("", ""),
    ],
)
def test_text_splits_into_normal_words(text: str, expected: str) -> None:
    assert words.split(text) == expected.split()


@pytest.mark.parametrize(
    ("forms", "stem"),
    [
        ("go went gone goes going", "go"),
        ("bought buys buying", "buy"),
        ("ran runs running", "run"),
        ("mice", "mouse"),
        ("children", "child"),
        ("wives", "wife"),
        ("moved moves moving", "move"),
        ("lives lived living", "live"),
        ("allergies allergic", "allergy"),
        ("studied studies studying", "study"),
        ("planned planning plans", "plan"),
        ("hoped hoping hopes", "hope"),
        ("hopped hopping", "hop"),
        ("visited visiting visits", "visit"),
        ("decided deciding", "decide"),
        ("managed managing manages", "manage"),
        ("travelled travelling traveled", "travel"),
        ("preferred prefers", "prefer"),
        ("used using uses", "use"),
        ("boxes", "box"),
        ("houses", "house"),
        ("quickly", "quick"),
        ("happily", "happy"),
        ("families family", "family"),
        ("colours colour", "color"),
    ],
)
def test_forms_of_a_word_share_a_stem(forms: str, stem: str) -> None:
    assert {stem_of(form) for form in forms.split()} == {stem}


UNCHANGED = """
bus news red string king bed this gas paris 5433 3.11 東京 straße july reply need
"""


@pytest.mark.parametrize("word", UNCHANGED.split())
def test_these_words_are_their_own_stems(word: str) -> None:
    assert stem_of(word) == word


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("getUserName", "getusername get user name"),
        ("snake_case_id", "snake_case_id snake case id"),
        ("e-mail", "e-mail email e mail"),
        ("localhost:5433", "localhost:5433 localhost 5433"),
        ("2024-03-05", "2024-03-05 2024 2024-03"),
        ("3.11", "3.11"),
        ("anna@example.com", "anna@example.com anna example com"),
        ("dogs and dogs", "dog and dog"),
        ("東京", "東京 東 京"),
    ],
)
def test_records_are_indexed_by_stems_and_parts(text: str, expected: str) -> None:
    assert words.terms(text) == expected.split()


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Which seat do I like on flights?", "seat flight"),
        ("Where does my sister live?", "sister live"),
        ("what is the", "what is the"),
        ("the", "the"),
        ("Who does Will see at the ER?", "will see er"),
        ("when did my dog die", "dog die"),
        ("seat seats seat", "seat"),
        ("", ""),
    ],
)
def test_a_query_keeps_the_words_that_say_something(query: str, expected: str) -> None:
    assert words.query_terms(query) == expected.split()


def test_a_long_query_keeps_its_64_longest_terms() -> None:
    found = words.query_terms(" ".join("x" * length for length in range(2, 102)))
    assert [len(term) for term in found] == list(range(38, 102))


def test_every_query_of_one_record_finds_its_terms() -> None:
    text = "Her e-mail is anna.b@example.com and she uses getUserName in 東京タワー"
    assert set(words.query_terms(text)) <= set(words.terms(text))


@pytest.mark.parametrize(
    "sentences",
    [
        ["Dr. Smith moved to the U.S. in 2019.", "He likes it."],
        ["I moved to the U.S.", "My sister stayed."],
        ["He works at Acme Inc. and earns $3.5k.", "Really?", "Yes!"],
        ["See https://a.b/c.d for more, e.g. the docs... maybe.", "Fine."],
        ["i live in porto.", "i work at acme."],
        ["J. Smith came.", "So did I.", "Then we left."],
        ["私は東京に住んでいます。", "猫が好き！"],
        ['"Really?" he asked.', "She nodded."],
        ["It is Jan. 5 today.", "Good."],
        ["We use Python 3.9.", "Does that make sense?"],
        ["I know a bit of R.", "Can you help me?"],
        ["My size is M.", "Just so you know."],
        ["John F. Kennedy and J. R. Ewing met at 3.5 km.", "Fine."],
    ],
)
def test_text_falls_into_sentences(sentences: list[str]) -> None:
    assert sentences_of(" ".join(sentences)) == sentences


def test_list_items_and_lines_are_sentences_of_their_own() -> None:
    text = "Shopping:\n- milk\n* bread and butter\n1. First thing\n2) second\n\nA new paragraph"
    assert sentences_of(text) == [
        "Shopping:",
        "milk",
        "bread and butter",
        "First thing",
        "second",
        "A new paragraph",
    ]


def test_a_wrapped_line_does_not_end_a_sentence() -> None:
    text = "This line was wrapped by an editor at some column and\ngoes on here. Next."
    assert sentences_of(text) == [text[:-6], "Next."]


@settings(max_examples=300, deadline=None)
@given(ANY_TEXT)
def test_any_text_is_read_without_an_error(text: str) -> None:
    assert all(sentence in text and sentence.strip() for sentence in sentences_of(text))
    assert len(words.query_terms(text)) <= 64
    assert all(term and not any("\ud800" <= letter <= "\udfff" for letter in term) for term in words.terms(text))
    assert set(words.query_terms(text)) <= set(words.terms(text))


@pytest.mark.parametrize("piece", ["I moved. ", "a.b.", "1,000,", "x", "東", ". ", "\n", "- ", "don't ", "A.", "''"])
def test_large_texts_are_read_to_their_end(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))  # what takes more than linear time runs into the timeout of all tests
    assert sum(map(len, sentences_of(text))) <= len(text)
    assert bool(words.terms(text)) is any(letter.isalnum() for letter in piece)
