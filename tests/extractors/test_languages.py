"""Statements in German, French, Spanish, Portuguese and Chinese."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect import Memory
from recollect.extractors.languages import READ, language_of
from recollect.extractors.languages.detect import ranked, weights
from recollect.extractors.languages.table import language
from recollect.extractors.rules import RuleExtractor
from recollect.records import Draft, Message, Origin

SAID = datetime(2024, 5, 15, 12, tzinfo=timezone.utc)


def said(text: str, *, origin: Origin = "user") -> list[Draft]:
    return RuleExtractor().extract([Message("m1", "dana", "s", "user", text, SAID, origin)], ())


def only(text: str) -> Draft:
    [draft] = said(text)
    return draft


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory(":memory:", owner="dana", embedder=None) as memory:
        yield memory


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("I live in Porto.", "en"),
        ("ich wohn in Linz", "de"),
        ("j'habite à Brest", "fr"),
        ("vivo en Arequipa", "es"),
        ("moro em Braga", "pt"),
        ("我住在武汉", "zh"),
        ("Mi chiamo Luca e abito a Roma.", "it"),
        ("Ik woon in Utrecht.", "nl"),
        ("私は東京に住んでいます。", "ja"),
        ("Меня зовут Иван.", "ru"),
        ("저는 서울에 살아요.", "ko"),
        ("I met Jean de la Fontaine in Los Angeles.", "en"),
        ("My grandma always says mi casa es su casa.", "en"),
        ("I read that 阿里巴巴 opened an office.", "en"),
        ("Das Auto is the slogan of a car maker.", "en"),
        ("Porto", None),
        ("", None),
        ("1234", None),
    ],
)
def test_a_language_is_told_by_its_script_and_function_words(text: str, code: str | None) -> None:
    assert language_of(text) == code


def test_english_reads_no_other_table() -> None:
    language.cache_clear()
    said("My name is Dana and I live in Lisbon, I love Rio de Janeiro.")
    assert language.cache_info().misses == 0


@pytest.mark.parametrize("code", READ)
def test_every_table_compiles_and_names_known_attributes(code: str) -> None:
    table = language(code)
    assert len(table.rows) >= 50
    assert {"sister", "mother", "dog"} <= set(table.relations.values())
    assert {"birthday", "phone", "budget"} <= set(table.keys.values())


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("Ich wohne seit 2019 in Ulm.", "2019-01-01"),
        ("J'habite à Metz depuis mars 2020.", "2020-03-01"),
        ("Vivo en Lugo desde hace dos años.", "2022-05-15"),
        ("Moro em Santos desde 2019.", "2019-01-01"),
        ("我从2019年起住在福州。", "2019-01-01"),
        ("Wir sind letzten Monat nach Ulm gezogen.", "2024-04-01"),
        ("我去年搬到了郑州。", "2023-01-01"),
        ("Ich ziehe am 3. Juni nach Ulm.", "2024-06-03"),
        ("A partir de julio trabajo en Zara.", "2024-07-01"),
        ("Je vais déménager à Nice l'année prochaine.", "2025-01-01"),
    ],
)
def test_times_are_understood(text: str, since: str) -> None:
    start = only(text).since
    assert start is not None
    assert start.date().isoformat() == since


@pytest.mark.parametrize(
    "text",
    [
        "Ich habe bis 2019 in Rom gelebt.",
        "J'ai vécu à Rome jusqu'en 2019.",
        "Viví en Roma hasta 2019.",
        "Morei em Roma até 2019.",
        "我2019年之前住在罗马。",
    ],
)
def test_what_is_over_has_its_end(text: str) -> None:
    draft = only(text)
    assert draft.kind == "past"
    assert draft.until == datetime(2019, 1, 1, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Hallo, ich wohne übrigens in Ulm!", "ich wohne übrigens in Ulm"),
        ("Meine Schwester heißt Eva und wohnt in Ulm.", "Meine Schwester wohnt in Ulm"),
        ("J'aime le thé et la natation.", "j'aime la natation"),
        ("Me gusta el té.", "Me gusta el té"),
        ("我不喜欢香菜。", "我不喜欢香菜"),
    ],
)
def test_the_sentence_to_read_is_what_was_said(text: str, sentence: str) -> None:
    assert said(text)[-1].text == sentence


def test_documents_say_nothing_of_the_user() -> None:
    assert said("Ich wohne in Ulm.", origin="document") == []


def test_quoted_speech_is_not_the_users() -> None:
    assert said("Er schrieb: „Ich wohne jetzt in Ulm und arbeite bei Bosch.“") == []


@pytest.mark.parametrize(
    ("before", "after", "outcome"),
    [
        ("Ich wohne in Kassel.", "Wir sind nach Ulm gezogen.", "replaced"),
        ("Je travaille chez Orange.", "Je ne travaille plus chez Orange.", "ended"),
        ("Vivo en Soria.", "Perdón, quise decir Segovia, no Soria.", "corrected"),
        ("Moro em Faro.", "Moro em Faro.", "confirmed"),
        ("我喜欢爬山。", "我也喜欢下棋。", "stored"),
        ("I live in Kassel.", "Ich wohne jetzt in Ulm.", "replaced"),
        ("Ich mag Kaffee.", "Ich mag keinen Kaffee.", "replaced"),
        ("Meine Schwester wohnt in Ulm.", "Ich wohne in Kassel.", "stored"),
        ("J'habite à Metz.", "À partir de 2031 j'habite à Nancy.", "planned"),
    ],
)
def test_a_second_statement_does_what_it_does_in_english(memory: Memory, before: str, after: str, outcome: str) -> None:
    memory.add(before)
    [receipt] = memory.add(after).receipts
    assert receipt.outcome == outcome


def test_a_person_is_the_same_in_every_language(memory: Memory) -> None:
    memory.add("My sister Anna lives in Berlin.")
    memory.add("Meine Schwester ist nach Ulm gezogen.")
    assert memory.recall("home", subject="sister") == "Ulm"


def test_the_language_of_every_own_case_is_among_the_likeliest() -> None:
    cases = Path(__file__).parents[2] / "benchmarks" / "cases" / "truth_languages.jsonl"
    if not cases.is_file():
        pytest.skip("the cases are not here")
    for line in cases.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        assert all(case["lang"] in ranked(turn["text"]) for turn in case["said"])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([*weights(), "Ulm", "2019", ",", ".", "3.", "Mai", "我", "住在", "不", "了", "是"])))
def test_any_words_can_be_read(words: list[str]) -> None:
    assert isinstance(said(" ".join(words)), list)
