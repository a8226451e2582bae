"""What a switch or an end leaves behind, and what it leaves alone."""

from __future__ import annotations

import pytest

from recollect import Memory

from .stories import told


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        (("Our cloud provider is AWS.", "We switched to Hetzner."), {"user | cloud provider | Hetzner"}),
        (("We use Trello and Slack.", "We moved to Jira."), {"user | uses | Jira", "user | uses | Slack"}),
        (("My browser is Firefox.", "I've gone over to Vivaldi."), {"user | browser | Vivaldi"}),
        (("Halvorsen uses Trello.", "Halvorsen switched to Jira."), {"Halvorsen | uses | Jira"}),
    ],
)
def test_who_switches_to_a_program_leaves_the_one_of_its_kind(said: tuple[str, ...], holds: set[str]) -> None:
    assert told(*said) == holds


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        (("We use Slack.", "We switched to Jira."), {"user | uses | Slack", "user | uses | Jira"}),
        (("Halvorsen uses Trello.", "We switched to Jira."), {"Halvorsen | uses | Trello", "user | uses | Jira"}),
        (("We use Postgres and MySQL.", "We switched to SQLite."),
         {"user | uses | Postgres", "user | uses | MySQL", "user | uses | SQLite"}),
        (("I live in Porto.", "I moved to Lyon."), {"user | home | Lyon"}),
        (("I use Windows.", "I switched to Linux on my laptop."), {"user | uses | Windows", "user | uses | Linux"}),
    ],
)  # fmt: skip
def test_a_switch_ends_nothing_of_another_kind_of_another_owner_or_of_two(
    said: tuple[str, ...], holds: set[str]
) -> None:
    assert told(*said) == holds


@pytest.mark.parametrize(
    "end",
    [
        "We shut down the exporter on Friday.",
        "The exporter was decommissioned.",
        "I deleted the exporter.",
        "We pulled the plug on the exporter.",
        "The exporter is gone.",
    ],
)
def test_of_a_thing_that_is_no_more_nothing_holds(end: str) -> None:
    said = "The exporter runs on vm-12 and is owned by Tess.", "The importer runs on vm-13."
    assert told(*said, end) == {"importer | runs on | vm-13"}


def test_a_setting_that_was_taken_out_has_no_value() -> None:
    said = "The gateway timeout is 30 seconds.", "The gateway port is 8080.", "We removed the gateway timeout."
    assert told(*said) == {"gateway | port | 8080"}


@pytest.mark.parametrize(
    "said",
    [
        "The exporter is down.",
        "The exporter was switched off for an hour.",
        "The exporter is closed today.",
        "We might shut down the exporter.",
        "Should we delete the exporter?",
        "We did not shut down the exporter.",
        "We never shut down the exporter.",
        "We shut down the exporter for an hour.",
        "We took down the exporter for maintenance.",
        "The exporter was shut down for two hours.",
        "The exporter was never shut down.",
        "I removed the exporter logs.",
        "We deleted the exporter's old logs.",
        "Tess left the exporter team.",
    ],
)
def test_what_only_sounds_like_the_end_of_a_thing_ends_nothing(said: str) -> None:
    assert "exporter | runs on | vm-12" in told("The exporter runs on vm-12.", said)


def test_someone_who_is_gone_keeps_what_is_known_of_them() -> None:
    assert told("Tom lives in Rome.", "Tom is gone.") == {"Tom | home | Rome"}


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        (("We use Lohnix for payroll.", "We do payroll in Paywell now."), {"user | uses | Paywell"}),
        (("Our payroll tool is Lohnix.", "We use Paywell for payroll now."), {"user | payroll tool | Paywell"}),
        (("We use Lohnix for payroll.", "Our payroll tool is Paywell now."), {"user | uses | Paywell"}),
    ],
)
def test_what_is_used_for_something_now_takes_the_place_of_what_was_used_for_it(
    said: tuple[str, ...], holds: set[str]
) -> None:
    assert told(*said) == holds


def test_what_is_used_for_something_else_or_also_stays() -> None:
    assert told("We use Lohnix for payroll.", "We use Xero for accounting now.") == {
        "user | uses | Lohnix",
        "user | uses | Xero",
    }
    assert "user | uses | Lohnix" in told("We use Lohnix for payroll.", "We use Paywell for payroll too.")


@pytest.mark.parametrize(
    ("first", "then", "holds"),
    [
        ("The basic plan costs 9 dollars.", "The price of the basic plan is now 12 dollars.", "12 dollars"),
        ("The date of the audit is 20 May.", "The audit was moved to 27 May.", "on 27 May"),
        ("The wiki belongs to Team Ash.", "The wiki is owned by Team Elm now.", "Team Elm"),
        ("Our membership fee is 45 euros.", "The board raised the membership fee to 52 euros.", "52 euros"),
        ("Our head of sales is Anneke.", "Ruslan took over as head of sales.", "Ruslan"),
        ("api-gateway\n- owner: Team Wren\n- port: 80", "api-gateway owner is Team Heron now", "Team Heron"),
    ],
)
def test_what_is_said_of_a_thing_in_other_words_is_one_fact(first: str, then: str, holds: str) -> None:
    before = {fact.rpartition(" | ")[0] for fact in told(first)}
    after = told(first, then)
    assert {fact.rpartition(" | ")[0] for fact in after} == before
    assert any(fact.endswith(f" | {holds}") for fact in after)


def test_who_ends_a_fight_has_parted_with_nobody(memory: Memory) -> None:
    memory.add("I broke up the fight with Tom.")
    assert memory.recall("relationship") is None
    memory.add("I broke up with Tom a week ago.")
    assert memory.recall("relationship") == "single"


def test_what_runs_on_a_cloud_may_run_on_a_database_too(memory: Memory) -> None:
    memory.add("Staging runs on AWS.")
    memory.add("We upgraded staging to Postgres 16.")
    assert {fact.value for fact in memory.facts()} == {"AWS", "Postgres 16"}
    memory.add("Staging runs on Azure now.")
    assert {fact.value for fact in memory.facts()} == {"Azure", "Postgres 16"}
