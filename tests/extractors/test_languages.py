"""Statements in German, French, Spanish, Portuguese and Chinese."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from datetime import datetime, timezone
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect import Memory
from recollect.extractors.languages import READ, conjugation, language_of
from recollect.extractors.languages.cues import cues
from recollect.extractors.languages.detect import ranked, weights
from recollect.extractors.languages.table import Row, language
from recollect.extractors.rules import RuleExtractor
from recollect.records import Draft, Message, Origin

tomllib = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")

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
        ("Ich lebe seit drei Jahren in Graz.", "2021-05-15"),
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


CASES = tomllib.loads(Path(__file__).with_name("cases_languages.toml").read_text(encoding="utf-8"))


def test_no_row_is_passed_over_that_would_match(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {text: said(text) for text in CASES}
    monkeypatch.setattr(Row, "may_match", lambda row, words: True)
    assert {text: said(text) for text in CASES} == found


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("vivo|resido", {"vivo", "resi"}),
        ("(?:me|nos) {pleases}|soy (?:muy )?fan de", {"me", "nos", "soy"}),
        ("saí(?= da )|larguei", set()),
        ("casad[oa]s?", {"casa"}),
        ("les? da", set()),
        ("es|", set()),
    ],
)
def test_a_row_is_known_by_words_that_it_must_have(expression: str, words: set[str]) -> None:
    assert cues(expression, " ") == words


@pytest.mark.parametrize(
    ("code", "verb", "forms"),
    [
        ("es", "tocar", "toco tocamos toca tocan toqué tocó tocaba tocaré tocando tocado"),
        ("es", "vivir", "vivo vivimos vive viven viví vivió vivía viviré viviendo vivido"),
        ("es", "ser", "soy somos es son fui fue era seré será siendo sido"),
        ("pt", "morar", "moro moramos mora moram morei morámos morou morava morarei morando"),
        ("pt", "ter", "tenho temos tem têm tive teve tinha terei tendo tido"),
    ],
)
def test_a_verb_has_all_its_forms(code: str, verb: str, forms: str) -> None:
    tables = Path(conjugation.__file__).with_name(f"{code}.toml")
    endings = tomllib.loads(tables.read_text(encoding="utf-8"))["conjugation"]
    assert set(forms.split()) <= set(conjugation.all_forms(conjugation.conjugated(verb, endings)))


@pytest.mark.parametrize(
    ("before", "after", "outcome", "left"),
    [
        ("Tengo un perro que se llama Toby.", "Toby murió ayer.", "ended", []),
        ("O meu cão chama-se Toby.", "O Toby morreu.", "ended", []),
        ("我有一只狗叫托比。", "托比昨天死了。", "ended", []),
        ("Mi número es 600111222.", "Cambié de número: ahora es el 600333444.", "replaced", ["600333444"]),
        ("Conduzco un Seat Ibiza.", "Ahora conduzco un Toyota Yaris.", "replaced", ["Toyota Yaris"]),
        ("我学心理学。", "说错了，不是心理学，是社会学。", "corrected", ["社会学"]),
        ("Trabajo en Glovo.", "Voy a dejar Glovo algún día.", None, ["Glovo"]),
        ("Vivo en Soria.", "Hoy salí de Soria a las ocho.", None, ["Soria"]),
        ("Moro em Faro.", "Saí de Faro às oito.", None, ["Faro"]),
        ("我住在桂林。", "我八点离开了桂林站。", None, ["桂林"]),
    ],
)
def test_a_change_ends_what_it_names_and_nothing_else(
    memory: Memory, before: str, after: str, outcome: str | None, left: list[str]
) -> None:
    memory.add(before)
    outcomes = [receipt.outcome for receipt in memory.add(after).receipts]
    assert outcome in outcomes or (outcome is None and not {"ended", "replaced", "corrected"} & set(outcomes))
    assert [fact.value for fact in memory.facts()] == left


def test_what_ends_on_a_day_to_come_holds_until_then(memory: Memory) -> None:
    memory.add("Soy becaria.", at=datetime(2026, 1, 12, tzinfo=timezone.utc))
    memory.add("Desde el 1 de julio ya no seré becaria, seré redactora.", at=datetime(2026, 6, 3, tzinfo=timezone.utc))
    assert [fact.value for fact in memory.facts(at=datetime(2026, 6, 4, tzinfo=timezone.utc))] == ["becaria"]
    assert [fact.value for fact in memory.facts(at=datetime(2026, 7, 4, tzinfo=timezone.utc))] == ["redactora"]


def test_who_is_left_out_is_whom_the_sentence_before_spoke_of() -> None:
    drafts = said("Mi hermana se llama Ana. Vive en Lima y trabaja de dentista. Tiene un puerto precioso.")
    assert [(draft.subject, draft.value) for draft in drafts] == [
        ("user", "Ana"),
        ("sister", "Lima"),
        ("sister", "dentista"),
    ]


def test_a_clause_without_a_subject_is_not_the_users_when_another_is_spoken_of() -> None:
    assert said("小说主人公住在上海，是医生。") == []


@pytest.mark.parametrize(
    ("before", "today"),
    [
        ("Toco el piano.", "Hoy no toco el piano."),
        ("Trabajo en Zara.", "Mañana no trabajo en Zara."),
        ("Jogo futebol.", "Hoje não jogo futebol."),
        ("Como carne.", "Esta noite não como carne."),
        ("我打篮球。", "我今天不打篮球。"),
        ("我喝咖啡。", "我今晚不喝咖啡了。"),
    ],
)
def test_what_is_not_done_for_a_day_goes_on(memory: Memory, before: str, today: str) -> None:
    memory.add(before)
    assert not memory.add(today).receipts
    assert len(memory.facts()) == 1
