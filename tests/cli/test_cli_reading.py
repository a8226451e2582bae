"""The commands that ask: what people read, and what programs read."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Cli


def test_recall_prints_the_value_alone(told: Cli) -> None:
    assert told("recall", "seat preference") == "window\n"
    assert told.json("recall", "seat preference") == {"key": "seat preference", "subject": "user", "value": "window"}


def test_recall_of_an_unknown_key_exits_with_4(cli: Cli) -> None:
    assert cli("recall", "shoe size") == ""
    assert cli.code == 4
    assert cli.err.startswith("Error: nothing is known under 'shoe size'")


def test_search_shows_a_table(told: Cli) -> None:
    shown = told("search", "which", "seat", "do", "I", "prefer?")
    assert "prefers window seats" in shown
    assert "found by" in shown


def test_search_gives_hits_with_kind_text_and_reasons(told: Cli) -> None:
    hit = told.json("search", "which seat do I prefer?", "--limit", "1")[0]
    assert (hit["kind"], hit["text"], hit["record"]["value"]) == ("fact", "prefers window seats", "window")
    assert hit["found_by"]


def test_search_without_hits_says_so_and_succeeds(told: Cli) -> None:
    assert told("search", "quantum zebra") == "Nothing found.\n"
    assert told.code == 0
    assert told.json("search", "quantum zebra") == []


def test_facts_can_be_narrowed(told: Cli) -> None:
    assert [fact["value"] for fact in told.json("facts")] == ["window", "Lisbon"]
    assert [fact["value"] for fact in told.json("facts", "--category", "travel")] == ["window"]
    assert [fact["value"] for fact in told.json("facts", "--attribute", "home")] == ["Lisbon"]
    assert told.json("facts", "--subject", "sister") == []
    assert "lives in Lisbon" in told("facts")


def test_both_clocks_can_be_asked(cli: Cli) -> None:
    cli("add", "I live in Lisbon.", "--at", "2023-01-01")
    cli("add", "I moved to Porto.", "--at", "2024-01-01")
    assert cli("recall", "home") == "Porto\n"
    assert cli("recall", "home", "--at", "2023-06") == "Lisbon\n"
    assert cli.json("search", "where do I live?", "--at", "2023-06-01")[0]["record"]["value"] == "Lisbon"
    assert cli.json("facts", "--known-at", "2020-01-01") == []


def test_history_shows_every_value_with_its_window(cli: Cli) -> None:
    cli("add", "I live in Lisbon.", "--at", "2023-01-01")
    cli("add", "I moved to Porto.", "--at", "2024-01-01")
    shown = cli("history", "home")
    assert shown.index("Lisbon") < shown.index("Porto")
    assert "2024-01-01" in shown
    assert "now" in shown
    assert cli("history", "shoe size") == "Nothing was ever known under that key.\n"


def test_context_prints_the_text_alone_and_its_price_beside_it(told: Cli) -> None:
    text = told("context", "which seat?")
    assert text.startswith("<recollect-memory")
    assert "window" in text
    assert "the whole history has" in told.err


def test_context_gives_text_tokens_and_savings(told: Cli) -> None:
    context = told.json("context", "which seat?", "--budget", "100")
    assert "window" in context["text"]
    assert 0 < context["tokens"] <= context["budget"] == 100
    assert {"saved", "history_tokens", "hits"} <= set(context)
    assert context["hits"][0]["kind"] == "fact"


def test_context_of_nothing_is_empty(cli: Cli) -> None:
    assert cli("context").strip() == ""


def test_why_tells_the_words_and_why_not_the_reason(told: Cli) -> None:
    assert "I live in Lisbon" in told("why", "home")
    assert "was not returned" in told("why", "home", "--not-in", "quantum zebra")
    assert told.json("why", "home")["fact"]["value"] == "Lisbon"


def test_graph_lists_links(cli: Cli) -> None:
    assert "No links" in cli("graph")
    cli("add", "My sister Anna lives in Berlin.")
    assert "sister" in cli("graph")
    assert cli.json("graph")["edges"]


def test_changes_are_listed_newest_first(told: Cli) -> None:
    assert "prefers window seats" in told("changes")
    log = told.json("changes", "--limit", "1")
    assert [change["after"]["value"] for change in log] == ["window"]


@pytest.mark.parametrize("command", ["facts", "changes", "sessions", "notes", "owners"])
def test_an_empty_store_is_an_empty_list(cli: Cli, command: str) -> None:
    assert cli.json(command) == []
    assert cli(command).strip()


def test_remembered_text_cannot_steer_the_terminal(cli: Cli) -> None:
    cli("remember", "motto", "be \x1b[31mbold\x1b]0;title\x07 \u202eand [red]brave[/red]")
    assert not set("\x1b\x07\u202e") & set(cli("facts") + cli("recall", "motto") + cli("recall", "motto", "--json"))
    assert "[red]brave[/red]" in cli("recall", "motto")
