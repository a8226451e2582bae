"""Everything that can be done in the page, done by clicks and keys, and seen in the store."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from recollect import Memory
from tests.server.conftest import Running
from tests.server.test_service import until

from .conftest import PHONE, WIDE, Look, looking


def ana(look: Look) -> Memory:
    return look.running.memory.of("ana")


def row(look: Look, text: str) -> Locator:
    return look.page.locator("article.fact", has_text=text)


def act(look: Look, text: str, name: str) -> None:
    """Use one of the buttons that stand on a row."""
    row(look, text).hover()
    row(look, text).get_by_role("button", name=name).click()


def said(look: Look, text: str) -> None:
    expect(look.page.locator(".toast", has_text=re.compile(f"^{text}")).last).to_be_visible()


def undo(look: Look) -> None:
    look.page.locator(".toast").get_by_role("button", name="Undo").last.click()
    said(look, "Taken back")


def test_pin_and_unpin_and_undo_by_one_click_each(told: Look) -> None:
    act(told, "prefers window seats", "Pin")
    said(told, "Pinned")
    expect(row(told, "prefers window seats").locator(".tag.pinned")).to_be_visible()
    act(told, "prefers window seats", "Unpin")
    said(told, "Unpinned")
    undo(told)
    expect(row(told, "prefers window seats").locator(".tag.pinned")).to_be_visible()
    assert "window" in ana(told).context().stable


def test_end_by_one_click_and_undo_by_another(told: Look) -> None:
    act(told, "budget is 3500 euros", "End")
    said(told, "Ended")
    expect(row(told, "budget is 3500 euros")).to_have_count(0)
    assert ana(told).recall("budget") is None
    undo(told)
    expect(row(told, "budget is 3500 euros")).to_be_visible()
    assert ana(told).recall("budget") == "3500 euros"


def test_a_changed_value_ends_the_old_one(told: Look) -> None:
    act(told, "budget is 3500 euros", "Change")
    told.page.get_by_label("What holds now").fill("4200 euros")
    told.page.keyboard.press("Enter")
    expect(row(told, "budget is 4200 euros")).to_be_visible()
    old, new = ana(told).history("budget")[-2:]
    assert (old.value, new.value) == ("3500 euros", "4200 euros")
    assert old.until is not None
    assert old.retired is None


def test_a_corrected_value_never_was_so(told: Look) -> None:
    act(told, "budget is 3500 euros", "Correct")
    told.page.get_by_label("The right value").fill("3600 euros")
    told.page.keyboard.press("Enter")
    expect(row(told, "budget is 3600 euros")).to_be_visible()
    wrong = next(fact for fact in ana(told).history("budget") if fact.value == "3500 euros")
    assert wrong.retired is not None


def test_erase_asks_once_more_and_leaves_nothing(told: Look) -> None:
    act(told, "drives a Renault Clio", "Erase")
    button = told.page.locator("#drawer .danger")
    button.click()
    expect(button).to_have_text("Click again to erase")
    assert ana(told).recall("car") == "a Renault Clio"
    button.click()
    said(told, "Erased for good")
    expect(row(told, "Renault Clio")).to_have_count(0)
    assert ana(told).search("Renault Clio") == []


def test_a_change_can_be_undone_from_the_fact_and_from_the_log(told: Look) -> None:
    ana(told).forget("editor")
    told.go("live")
    entry = told.page.locator(".feed li", has_text="editor is Helix").first
    expect(entry).to_contain_text("ended")
    entry.get_by_role("button", name="Undo").click()
    said(told, "Taken back")
    assert ana(told).recall("editor") == "Helix"


@pytest.mark.parametrize(("verdict", "home"), [("Accept", "Braga"), ("Reject", "Porto")])
def test_a_dispute_is_decided_by_one_click(told: Look, verdict: str, home: str) -> None:
    told.go("disputes")
    told.page.locator(".dispute").first.get_by_role("button", name=verdict).click()
    expect(told.page.locator(".dispute", has_text="Braga")).to_have_count(0)
    expect(told.page.locator("#waiting")).to_be_hidden()
    assert ana(told).recall("home") == home


@pytest.mark.parametrize(("verdict", "editor"), [("Accept", "Helix"), ("Reject", None)])
def test_what_an_assistant_told_waits_for_a_word(told: Look, verdict: str, editor: str | None) -> None:
    told.go("disputes")
    told.page.locator(".wait", has_text="Helix").get_by_role("button", name=verdict).click()
    expect(told.page.locator(".wait", has_text="Helix")).to_have_count(0)
    assert ana(told).recall("editor") == editor


def test_keys_do_what_buttons_do(told: Look) -> None:
    press = told.page.keyboard.press
    told.page.evaluate("document.activeElement.blur()")
    for _ in range(3):  # the first turns to the list
        press("j")
    chosen = told.page.locator("article.fact.chosen .sentence")
    expect(chosen).to_be_visible()
    text = chosen.inner_text()
    press("p")
    said(told, "Pinned")
    expect(row(told, text).locator(".tag.pinned")).to_be_visible()
    told.page.evaluate("document.activeElement.blur()")
    press("u")
    said(told, "Taken back")
    expect(row(told, text).locator(".tag.pinned")).to_have_count(0)


def typed(look: Look, key: str) -> None:
    look.page.evaluate("document.activeElement.blur()")
    look.page.keyboard.press(key)


def test_undo_takes_back_what_this_tab_did_and_nothing_else(told: Look) -> None:
    act(told, "prefers window seats", "Pin")
    said(told, "Pinned")
    ana(told).remember("shoe size", "39")  # an agent, meanwhile
    expect(told.page.locator("#undo")).to_have_text(re.compile("^Undo: Pinned: prefers window seats"))
    undo(told)
    expect(row(told, "prefers window seats").locator(".tag.pinned")).to_have_count(0)
    expect(told.page.locator("#undo")).to_be_hidden()
    assert ana(told).recall("shoe size") == "39"


def test_a_tab_that_did_nothing_has_nothing_to_undo(told: Look) -> None:
    log = ana(told).changes(limit=1000)
    typed(told, "u")
    said(told, "This tab has changed nothing")
    assert ana(told).changes(limit=1000) == log


def test_steps_are_undone_one_by_one_and_redone(told: Look) -> None:
    act(told, "budget is 3500 euros", "End")
    said(told, "Ended")
    act(told, "prefers window seats", "Pin")
    said(told, "Pinned")
    typed(told, "u")
    said(told, "Taken back: Pinned")
    typed(told, "u")
    said(told, "Taken back: Ended")
    assert ana(told).recall("budget") == "3500 euros"
    told.page.locator(".toast", has_text="Taken back: Ended").get_by_role("button", name="Redo").click()
    expect(told.page.locator("#undo")).to_have_text(re.compile("^Undo: Ended"))
    assert ana(told).recall("budget") is None


def test_what_another_tab_did_is_not_taken_back(told: Look, browser: Browser) -> None:
    with looking(browser, told.running) as other:
        act(other, "prefers window seats", "Pin")
        said(other, "Pinned")
        typed(told, "u")
        said(told, "This tab has changed nothing")
        act(told, "budget is 3500 euros", "End")
        said(told, "Ended")
        typed(other, "u")
        said(other, "Taken back: Pinned")
    assert ana(told).recall("budget") is None


def test_undo_reaches_the_memory_where_the_step_was_done(browser: Browser, running: Running) -> None:
    for owner in ("eva", "zoe"):
        running.memory.of(owner).remember("home", "Porto")
    with looking(browser, running, "root") as look:
        look.page.select_option("#owner", "eva")
        act(look, "Porto", "Pin")
        said(look, "Pinned")
        look.page.select_option("#owner", "zoe")
        undo(look)
    assert [fact.pinned for fact in running.memory.of("eva").facts()] == [False]


def test_undo_waits_for_what_was_asked_just_before(told: Look) -> None:
    act(told, "budget is 3500 euros", "End")
    said(told, "Ended")
    told.page.route("**/pin", lambda route: (time.sleep(0.5), route.continue_()))
    act(told, "prefers window seats", "Pin")
    typed(told, "u")
    said(told, "Taken back: Pinned")
    assert ana(told).recall("budget") is None


def test_what_was_learned_from_words_can_be_taken_back(empty: Look) -> None:
    empty.page.get_by_label("Something about you").fill("I live in Porto.")
    empty.page.keyboard.press("Enter")
    said(empty, "Learned from: I live in Porto.")
    undo(empty)
    assert ana(empty).recall("home") is None


def test_an_empty_memory_teaches_and_takes_the_first_words(empty: Look) -> None:
    expect(empty.page.locator(".teach")).to_contain_text("Nothing is remembered yet")
    empty.page.get_by_label("Something about you").fill("I live in Porto.")
    empty.page.keyboard.press("Enter")
    expect(row(empty, "lives in Porto")).to_be_visible()
    expect(empty.page.locator(".teach")).to_have_count(0)


LESSONS = {
    "time": "Every attribute gets a line",
    "graph": "People and things, and what is between them",
    "talks": "No conversation yet",
    "prompt": "Nothing was said so far",
    "disputes": "None.",
    "live": "Nothing has changed yet",
}


@pytest.mark.parametrize("screen", [WIDE, PHONE], ids=["wide", "phone"])
def test_every_view_of_an_empty_memory_says_what_it_is_for(browser: Browser, running: Running, screen: Any) -> None:
    with looking(browser, running, viewport=screen) as look:
        for view, lesson in LESSONS.items():
            look.go(view)
            expect(look.page.get_by_text(lesson).first).to_be_visible()
            expect(look.page.locator(".needle, .net, .timebar").filter(visible=True)).to_have_count(0)
        assert look.problems == []


def test_a_search_of_an_empty_memory_takes_the_place_of_its_lesson(empty: Look) -> None:
    empty.page.fill("#search", "where do I live?")
    expect(empty.page.locator(".hits .nothing")).to_be_visible()
    expect(empty.page.locator(".teach")).to_be_hidden()
    empty.page.fill("#search", "")
    expect(empty.page.locator(".teach")).to_be_visible()


def test_a_lesson_goes_when_there_is_something_to_show(empty: Look) -> None:
    empty.go("time")
    expect(empty.page.locator(".teach")).to_be_visible()
    ana(empty).remember("home", "Porto")
    expect(empty.page.locator(".bar", has_text="Porto")).to_be_visible()
    expect(empty.page.locator(".teach")).to_have_count(0)


def test_what_an_agent_writes_appears_without_a_reload(told: Look) -> None:
    ana(told).add("I have a parrot called Kiki.", session="elsewhere")
    expect(told.page.locator("article.fact", has_text="Kiki").first).to_be_visible()
    told.go("live")
    ana(told).remember("shoe size", "39")
    expect(told.page.locator(".feed li").first).to_contain_text("39")


def test_a_key_that_may_only_read_shows_no_buttons(browser: Browser, running: Running) -> None:
    running.memory.of("ana").remember("home", "Porto")
    with looking(browser, running, "reader") as look:
        expect(row(look, "Porto")).to_be_visible()
        expect(look.page.locator("article.fact .act")).to_have_count(0)
        row(look, "Porto").click()
        expect(look.page.locator("#drawer")).to_contain_text("may only read")


def test_the_owner_is_chosen_among_those_of_the_key(browser: Browser, running: Running) -> None:
    running.memory.of("ana").remember("home", "Porto")
    running.memory.of("zoe & co/☕").remember("home", "Oslo")
    with looking(browser, running, "root") as look:
        look.page.select_option("#owner", "zoe & co/☕")
        expect(row(look, "Oslo")).to_be_visible()
        expect(row(look, "Porto")).to_have_count(0)


def test_what_goes_wrong_is_said(told: Look) -> None:
    told.running.keys.revoke(next(key.id for key in told.running.keys.list() if key.name == "ana"))
    with told.running.client() as client:  # a key that was found counts for a moment longer
        until(lambda: client.get("/v1/whoami").status_code == 401)
    act(told, "prefers window seats", "Pin")
    expect(told.page.locator(".toast.problem").first).to_contain_text(re.compile("key", re.IGNORECASE))
